# SPDX-License-Identifier: MIT
"""warpipe for Spack: `spack repo add packaging/spack`, `spack install warpipe`, from the checkout that this file is in.

A release has its tarball in `url` and its sum in `version()`; until then the only version is the checkout's own."""

import os

from spack.package import *

CHECKOUT = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 4))


class Warpipe(AutotoolsPackage):
    """A discrete-event simulator of how a GPU hides latency: how a kernel will run on a GPU that is not at hand."""

    homepage = "file://" + CHECKOUT
    git = "file://" + CHECKOUT

    license("MIT")

    version("main", branch="main")

    variant("cairo", default=True, description="Pictures as SVG, PDF and PNG")
    variant("json", default=True, description="warpipe diff")
    variant("lzma", default=True, description="Traces that are compressed by xz")
    variant("zstd", default=True, description="Programs whose device code is packed by zstd")
    variant("python", default=False, description="The module for Python")
    variant("mpi", default=False, description="Sweeps over many machines")

    depends_on("c", type="build")
    depends_on("autoconf@2.71:", type="build")
    depends_on("automake@1.16:", type="build")
    depends_on("libtool", type="build")
    depends_on("autoconf-archive", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("glib@2.72:")
    depends_on("expat@2.4:")
    depends_on("zlib-api")
    depends_on("cairo@1.16: +pdf +svg", when="+cairo")
    depends_on("json-glib@1.6:", when="+json")
    depends_on("xz@5.2:", when="+lzma")
    depends_on("zstd@1.4:", when="+zstd")
    depends_on("python@3.9:", when="+python")
    depends_on("openmpi", when="+mpi")

    def autoreconf(self, spec, prefix):
        autoreconf("-fi")

    def configure_args(self):
        args = []
        for name in ("cairo", "json", "lzma", "zstd", "python", "mpi"):
            args += self.with_or_without(name)
        return args

    def check(self):
        make("check-quick")
