# SPDX-License-Identifier: MIT
"""The module warpipe: the same figures as the program's, columns without copies, errors in its words, and an end to what
runs when Python says so."""
import array
import csv
import faulthandler
import gc
import io
import json
import os
import signal
import subprocess
import threading
import unittest
import warnings
import xml.dom.minidom

import warpipe
from warpipe import Arrive, Barrier, Error, Gpu, Instruction, Kernel, Repeat

TESTS = os.path.dirname(os.path.abspath(__file__))
LONG = {"blocks": 2**40, "no_skip": True}


def program(*words):
    return subprocess.run(["warpipe", *words], capture_output=True, check=True, text=True).stdout


class Simulating(unittest.TestCase):
    def test_a_report_has_the_figures_of_the_programs_json(self):
        report = json.loads(program("run", "vector-add", "--gpu", "gtx680", "--policy", "gto", "--format", "json"))
        result = warpipe.simulate("vector-add", "gtx680", policy="gto")
        for name in ("cycles", "time_us", "ipc", "mean_occupancy", "warps", "instructions", "resident_warps"):
            self.assertAlmostEqual(getattr(result, name), report[name], delta=1e-9 * abs(report[name]))
        for own, theirs in zip(result.pipelines, report["pipelines"], strict=True):
            self.assertEqual(own["name"], theirs["name"])
            self.assertAlmostEqual(own["utilization"], theirs["utilization"])
        self.assertEqual(result.verdict["kind"], report["verdict"]["kind"])
        self.assertEqual(result.to_dict()["launch"]["threads"], 256)
        self.assertIn("cycles", dir(result))
        with self.assertRaisesRegex(AttributeError, "was not recorded"):
            result.issues
        with self.assertRaisesRegex(AttributeError, "has no nothing"):
            result.nothing

    def test_tables_are_those_of_the_program(self):
        result = warpipe.simulate("vector-add", "gtx680", blocks=8, record=["lifetimes", "issues", "occupancy"])
        program("run", "vector-add", "--gpu", "gtx680", "--blocks", "8", "--lifetimes", "lifetimes.csv")
        with open("lifetimes.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(result.lifetimes.n_rows, len(rows))
        self.assertEqual(list(result.lifetimes["block"]), [int(row["block"]) for row in rows])
        for own, row in zip(result.lifetimes["end"], rows):
            self.assertAlmostEqual(own / result.ticks_per_cycle, float(row["end"]), places=5)
        self.assertEqual(len(result.issues["op"]), result.instructions)
        self.assertIn("ld.global.f32", result.issues["op"])
        self.assertEqual(result.occupancy["warps"][-1], 0)

    def test_columns_are_no_copies_and_keep_their_rows_alive(self):
        column = warpipe.simulate("vector-add", "gtx680", blocks=8, record="lifetimes").lifetimes["end"]
        gc.collect()
        self.assertIsInstance(column, memoryview)
        self.assertTrue(column.readonly)
        self.assertGreater(column.strides[0], column.itemsize)
        self.assertEqual(column.format, "q")
        self.assertEqual(max(column), max(column.tolist()))
        with self.assertRaises((BufferError, TypeError)):
            column[0] = 1
        try:
            import numpy
        except ImportError:
            return
        self.assertTrue(numpy.shares_memory(numpy.asarray(column), numpy.asarray(column)))

    def test_a_table_of_nothing(self):
        result = warpipe.simulate("vector-add", "gtx680", blocks=8, record="issues", from_=10**9)
        self.assertEqual(result.issues.n_rows, 0)
        self.assertIsNone(result._repr_svg_())

    def test_pictures_are_well_formed(self):
        result = warpipe.simulate("lemeire-barrier", "gtx980", record=["issues", "lifetimes"])
        xml.dom.minidom.parseString(result._repr_svg_())
        self.assertIn("<svg", result._repr_html_())
        xml.dom.minidom.parseString(f"<x>{result.lifetimes._repr_html_()}</x>")

    def test_bounds(self):
        report = json.loads(program("bounds", "volkov-mix", "--gpu", "gtx980", "--format", "json"))
        found = warpipe.bounds("volkov-mix", "gtx980")
        for name in ("latency_bound", "throughput_bound", "needed_occupancy", "occupancy", "warp_throughput", "cycles", "time_us"):
            self.assertAlmostEqual(getattr(found, name), report[name], delta=1e-6 * max(1, abs(report[name])))
        self.assertEqual([unit["name"] for unit in found.units], [*(p["name"] for p in report["pipelines"]), "schedulers"])
        self.assertAlmostEqual(found.floor, report["floor"]["cycles"])
        self.assertIsNone(warpipe.bounds("vector-add", "gtx680").floor)
        self.assertEqual((found.regime, found.tightest, found.limiters), ("latency", "memory", report["limiters"]))
        xml.dom.minidom.parseString(f"<x>{found._repr_html_()}</x>")
        self.assertIn("regime", dir(found))
        with self.assertRaisesRegex(AttributeError, "bounds have no verdict"):
            found.verdict
        with self.assertRaisesRegex(Error, "is not on gtx980"):
            warpipe.bounds(Kernel.build("own", ["nothing.f32"]), "gtx980")

    def test_occupancy(self):
        report = json.loads(program("occupancy", "--gpu", "v100", "--threads", "256", "--registers", "40", "--format", "json"))
        found = warpipe.occupancy("v100", 256, registers=40)
        self.assertEqual((found.blocks, found.warps), (report["resident_blocks"], report["resident_warps"]))
        self.assertEqual(found.limiters, report["limiters"])
        self.assertEqual(warpipe.occupancy(Gpu("v100"), 256, occupancy=8).blocks, 1)
        with self.assertRaisesRegex(Error, "shared memory") as caught:
            warpipe.occupancy("v100", 256, shared_memory=2**20)
        self.assertEqual(caught.exception.kind, "fit")
        with self.assertRaisesRegex(ValueError, "threads must be 1 to"):
            warpipe.occupancy("v100", 0)

    def test_execution(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", warpipe.Assumption)
            result = warpipe.execute(os.path.join(TESTS, "cuda", "sgemm-16.sm_80.cubin"),
                                     "sgemm_16<<<4, dim3(16, 16)>>>(A, B, C, 64)", "a100-80", data={"A": "f32:iota"})
        self.assertEqual(result.launch["threads"], 256)
        self.assertGreater(result.cycles, 0)

    def test_what_is_assumed_is_a_warning(self):
        with self.assertWarnsRegex(warpipe.Assumption, "launch assumed"):
            Kernel(os.path.join(TESTS, "cuda", "copy.sm_80.ptx"))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with self.assertRaises(warpipe.Assumption):
                Kernel(os.path.join(TESTS, "cuda", "copy.sm_80.ptx"))


class Building(unittest.TestCase):
    def test_a_kernel_of_objects(self):
        kernel = Kernel.build("own", [Instruction("ld.global.f32", id="a", text="x < y"), Barrier(), Arrive("n"), Barrier("n", warps=2),
                                      Repeat(3, ["add.f32", Instruction("add.f32", after=["a"])])],
                              blocks=2, threads=64, registers=16, shared_memory=128)
        self.assertEqual(kernel.launch, {"blocks": 2, "threads": 64, "registers": 16, "shared_memory": 128})
        self.assertEqual(warpipe.simulate(kernel, "gtx980", sms="all").instructions, 2 * 2 * (4 + 3 * 2))
        self.assertIn('text="x &lt; y"', kernel.to_xml())
        self.assertEqual(Kernel.from_xml(kernel.to_xml()).to_xml(), kernel.to_xml())

    def test_what_is_wrong_with_it(self):
        with self.assertRaisesRegex(Error, "<kernel>|name"):
            Kernel.build("a,b", ["add.f32"])
        with self.assertRaisesRegex(TypeError, "expected an Instruction"):
            Kernel.build("own", [3])
        with self.assertRaisesRegex(Error, "has to be a file"):
            Kernel.from_xml('<kernel name="k"><execute file="k.cu" launch="k&lt;&lt;&lt;1, 1>>>()"/></kernel>')

    def test_parameters(self):
        self.assertEqual(Kernel("volkov-mix", set={"alpha": 7}).parameters["alpha"], 7)
        self.assertEqual(warpipe.simulate("volkov-mix", "gtx980", set={"alpha": 7}).cycles,
                         warpipe.simulate(Kernel("volkov-mix", set={"alpha": 7}), Gpu("gtx980")).cycles)

    def test_gpus(self):
        self.assertEqual(Gpu("A100 80GB").name, "a100-80")
        self.assertEqual(Gpu("gtx980").generation, "Maxwell")
        self.assertEqual(Gpu.like("gtx980", {"sms": 8}).name, "gtx980{sms=8}")
        made = Gpu.from_xml("<gpu name='own' like='gtx980'><device sms='2'/></gpu>")
        self.assertEqual(warpipe.simulate("vector-add", made, sms="all").sms, 2)
        with self.assertRaisesRegex(ValueError, "made of text"):
            warpipe.sweep("vector-add", made)


class Tables(unittest.TestCase):
    def test_a_sweep_is_that_of_the_program(self):
        text = program("sweep", "vector-add", "--gpu", "gtx680,v100", "--occupancy", "8-16/8", "--policy", "rr,gto", "--blocks", "64")
        rows = list(csv.DictReader(io.StringIO(text)))
        table = warpipe.sweep("vector-add", ["gtx680", Gpu("v100")], occupancy=[8, 16], policy=["rr", "gto"], blocks=64)
        self.assertEqual([float(row["cycles"]) for row in rows], list(table["cycles"]))
        self.assertEqual([row["gpu"] for row in rows], table["gpu"])
        self.assertIsInstance(table["cycles"], array.array)
        self.assertEqual(len(list(table.rows())), table.n_rows)
        self.assertIn("<table>", table._repr_html_())

    def test_rows_as_they_come_and_progress(self):
        seen, shares = [], []
        warpipe.sweep("vector-add", "gtx680", occupancy=range(1, 9), blocks=64, progress=shares.append,
                      row=lambda columns, cells: seen.append(dict(zip(columns, cells))["occupancy"]))
        self.assertEqual(seen, [str(n) for n in range(1, 9)])

    def test_a_kernel_of_objects(self):
        kernel = Kernel.build("own", ["add.f32"] * 4, blocks=16, threads=64)
        self.assertEqual(warpipe.compare(kernel, "gtx980", policy=["rr", "gto"]).n_rows, 2)
        self.assertEqual(warpipe.sweep(Kernel("volkov-mix", set={"alpha": 3}), "gtx980", blocks=16).n_rows, 1)


class Errors(unittest.TestCase):
    def test_they_have_the_programs_words_and_a_kind(self):
        for kind, words, call in (("value", "no shipped kernel is called", lambda: warpipe.simulate("nope", "gtx980")),
                                  ("option", "there are rr", lambda: warpipe.simulate("vector-add", "gtx980", policy="best")),
                                  ("option", "no option is called", lambda: warpipe.simulate("vector-add", "gtx980", nothing=1)),
                                  ("read", "No such file", lambda: Kernel("./nothing.xml")),
                                  ("syntax", "k.xml:1: not well-formed", lambda: Kernel.from_xml("<kernel>", "k.xml")),
                                  ("value", "g.xml:1: <gpu>: like", lambda: Gpu.from_xml("<gpu like='gtx98'/>", "g.xml")),
                                  ("fit", "shared memory", lambda: warpipe.simulate("vector-add", "gtx680", shared_memory=2**20))):
            with self.subTest(words), self.assertRaisesRegex(Error, words) as caught:
                call()
            self.assertEqual(caught.exception.kind, kind)

    def test_an_exception_of_a_function_comes_back(self):
        def refuse(*_):
            raise KeyError("enough")
        with self.assertRaises(KeyError):
            warpipe.simulate("volkov-mix", "gtx980", progress=refuse, **LONG)
        with self.assertRaises(KeyError):
            warpipe.sweep("vector-add", "gtx680", occupancy=range(1, 9), blocks=64, row=refuse)

    def test_ctrl_c_ends_a_run(self):
        # Where it is ignored, as in the background of a shell, Python leaves it so.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            warpipe.simulate("volkov-mix", "gtx980", **LONG)

    def test_other_threads_run_meanwhile(self):
        done = threading.Event()
        threading.Thread(target=lambda: (warpipe.simulate("volkov-mix", "gtx980", blocks=64), done.set())).start()

        def stop(_share):
            if done.is_set():
                raise StopIteration
        with self.assertRaises(StopIteration):
            warpipe.simulate("volkov-mix", "gtx980", progress=stop, **LONG)

    def test_nothing_is_left_behind(self):
        import tracemalloc
        for _ in range(3):
            warpipe.simulate("vector-add", "gtx680", blocks=8, record="issues")
        tracemalloc.start()
        for _ in range(20):
            warpipe.simulate("vector-add", "gtx680", blocks=8, record="issues")
        gc.collect()
        self.assertLess(tracemalloc.get_traced_memory()[0], 200000)
        tracemalloc.stop()


if __name__ == "__main__":
    faulthandler.dump_traceback_later(300, exit=True)  # runs that are to be ended have no end of their own
    unittest.main()
