# SPDX-License-Identifier: MIT
"""Kernels that others measured, compiled, executed and simulated: predictions against measurements.

make validate-kernels                       600 convolutions, 300 GEMMs: rows, and the page from them
make validate-kernels VALIDATE_KERNELS='--case gemm --rows 50 -j 3'   a part; the page stays

Needs nvcc, and the measurements: MEASURED=DIR, ../shared/measured beside the tree when left out.
What was done is kept in the build folder, by the program's bytes, so that a run that was stopped
goes on where it was.
"""
import argparse
import datetime
import os
import sys
import time

import ablate
import baselines
import cases
import known_errors
import ledger
import page
import rows as table_rows
import scatter
import tables
import work

HERE = os.path.dirname(os.path.abspath(__file__))


def parse():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case", choices=cases.CASES, help="this kernel alone")
    parser.add_argument("--rows", type=int, metavar="N", help="configurations of each; 0: all")
    parser.add_argument("--others", type=int, metavar="N", default=100,
                        help="rows that are also given to models and as PTX; 100 when left out")
    parser.add_argument("-j", type=int, metavar="N", dest="jobs", default=os.cpu_count(),
                        help="configurations at a time")
    parser.add_argument("--limit", metavar="N", default="20000000",
                        help="--execute-limit of the program; 20000000 when left out")
    parser.add_argument("--sms", default="1", metavar="N",
                        help="--sms of the program; 1 when left out")
    parser.add_argument("--options", default="", help="more options of warpipe run")
    parser.add_argument("--gpu", action="append", default=[], metavar="NAME=FILE",
                        help="a description in the place of a shipped one")
    parser.add_argument("--minutes", type=float, metavar="N",
                        help="begin nothing more after N minutes with a kernel; what is there is "
                        "written, and the next run goes on")
    parser.add_argument("--half", choices=("fitted", "held-out"), help="rows of this half alone")
    parser.add_argument("--keep", action="store_true",
                        help="write rows and page; so it is without --rows, --case, --options")
    parser.add_argument("--ablate", type=int, metavar="N",
                        help="N rows of each with one thing otherwise (ablate.py), and no others")
    parser.add_argument("--fill", type=int, metavar="N",
                        help="ask models and PTX of the first N rows that are kept, and no others")
    parser.add_argument("--ledger", type=int, metavar="N",
                        help="add predictions for N configurations on GPUs without measurements")
    parser.add_argument("--check", action="store_true",
                        help="compare the page with the rows that are there, and run nothing")
    parser.add_argument("--page", action="store_true", help="write the page from these rows")
    parser.add_argument("--measured", default=os.environ.get("MEASURED") or os.path.join(
        HERE, os.pardir, os.pardir, os.pardir, "shared", "measured"), metavar="DIR")
    return parser.parse_args()


def find_needed(options):
    """The measurements and the compiler; a text of what is missing."""
    if not os.path.isfile(os.path.join(options.measured, cases.CASES["convolution"].file)):
        return (f"{options.measured}: no measurements there ({cases.CASES['convolution'].file}, "
                f"{cases.CASES['gemm'].file}, gemm/); MEASURED=DIR says where they are. They are "
                "those of the autotuning benchmark hub, brought into the form that "
                "doc/fidelity-kernels.md describes")
    if not work.Kernels(options.measured).nvcc:
        return "nvcc is not on the PATH; it comes with the CUDA toolkit, and needs no GPU"
    return None


def gather(case, options, program):
    """Rows of CASE: simulated, and the first ones asked of others, too."""
    kernels = work.Kernels(options.measured)
    simulation = work.Simulation(program, kernels, ["--sms", options.sms,
                                                    *options.options.split()], options.limit)
    chosen = case.spread(options.measured,
                         case.rows if options.rows is None else options.rows)
    if options.half:
        chosen = [one for one in chosen if one.held_out == (options.half == "held-out")]
    chosen = [one for one, _ in work.each(f"{case.title}, compiled", kernels.make, chosen,
                                          options.jobs)]
    end = time.monotonic() + 60 * options.minutes if options.minutes else None
    done = work.each(f"{case.title}, simulated", simulation.run, chosen, options.jobs, end)
    rows = [table_rows.make(one, run) for one, run in done]
    clock = table_rows.set_times(case, rows)
    others = baselines.Others(simulation, clock)
    asked = [one for one, _ in done[:options.others]]
    found = dict(work.each(f"{case.title}, others", others.ask, asked, options.jobs, end))
    for (one, _), row in zip(done, rows):
        row |= found.get(one, {})
    say_times(case, done, clock)
    return rows


def say_times(case, done, clock):
    seconds = sorted(run["seconds"] for _, run in done)
    print(f"{case.title}: {clock} MHz; seconds a configuration: median "
          f"{seconds[len(seconds) // 2]:.1f}, most {seconds[-1]:.1f}")


def report(case, rows):
    for name, make in tables.TABLES.items():
        if tables.has(case, name):
            print(f"\n{name}, {case.name}", *make(case, rows), sep="\n")


def run_ablations(options, program):
    kernels = work.Kernels(options.measured)
    for case in cases.CASES.values():
        if options.case == case.name or (options.case is None and case.as_measured):
            found = list(ablate.run(case, options, program, kernels))
            ablate.write(found, "bench/kernels/main.py --ablate writes this: errors in per cent")
            print(*tables.ablations(case, ()), sep="\n")


def fill(options, program):
    """Asks models and PTX of the first rows that are kept, which stay else."""
    kernels = work.Kernels(options.measured)
    for case in cases.CASES.values():
        rows, note = table_rows.read(case)
        if not rows or not (options.case == case.name or (options.case is None
                                                          and case.as_measured)):
            continue
        known = {one.label: one for one in case.spread(options.measured, 0)}
        asked = {known[table_rows.label(case, row)]: row for row in rows[:options.fill]}
        simulation = work.Simulation(program, kernels, ["--sms", options.sms], options.limit)
        others = baselines.Others(simulation, baselines.clock(rows[0]))
        end = time.monotonic() + 60 * options.minutes if options.minutes else None
        for one, found in work.each(f"{case.title}, others",
                                    lambda one: others.ask(one, round(asked[one]["resident_warps"])),
                                    list(asked), options.jobs, end):
            asked[one] |= found
        table_rows.keep(case, rows, note)


def run_ledger(options, program, version):
    kernels = work.Kernels(options.measured)
    stamp = [datetime.date.today().isoformat(), version]
    for case in ledger.elsewhere():
        if options.case in (None, case.name):
            ledger.append(list(ledger.lines(case, options, program, kernels, stamp)))


def check():
    wrong = page.differences(tables.all_of()) + list(scatter.differences()) + known_errors.differences()
    for name in wrong:
        print(f"{page.PAGE}: {name}: the rows say otherwise; bench/kernels/main.py --page writes it")
    return 1 if wrong else 0


def write_page():
    page.write(tables.all_of())
    scatter.write()
    known_errors.write()


def main():
    options = parse()
    if options.check:
        return check()
    if options.page:
        write_page()
        return 0
    missing = find_needed(options)
    if missing:
        print(missing, file=sys.stderr)
        return 1
    program = work.Program(dict(one.split("=", 1) for one in options.gpu))
    whole = options.keep or (options.rows is None and not options.case and not options.options
                             and not options.half)
    version = program.text("--version").split()[1]
    if options.ablate or options.fill or options.ledger:
        if options.ablate:
            run_ablations(options, program)
        if options.fill:
            fill(options, program)
        if options.ledger:
            run_ledger(options, program, version)
        write_page()
        return 0
    for case in cases.CASES.values():
        if options.case in (None, case.name):
            rows = gather(case, options, program)
            report(case, rows)
            if whole:
                table_rows.write(case, rows, version, datetime.date.today().isoformat())
    if whole:
        write_page()
    return 0


if __name__ == "__main__":
    sys.exit(main())
