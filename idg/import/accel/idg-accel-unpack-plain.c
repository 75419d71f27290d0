/* SPDX-License-Identifier: MIT */
/* xz in a build without liblzma: refused. */
#include "idg/import/accel/idg-accel-unpack.h"

static gpointer
start_xz (const gchar **problem)
{
  *problem = "it is compressed by xz, and this warpipe was built without liblzma; unpack it, or "
             "configure warpipe --with-lzma (Debian's liblzma-dev)";
  return NULL;
}

const IdgUnpacker idg_accel_xz = { start_xz, NULL, NULL };
