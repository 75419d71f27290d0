# SPDX-License-Identifier: MIT
"""Memory of GPUs from 2017 on, by one rule: what no table gives follows from bandwidth, clock, SMs,
latencies and the kind of memory.

rule.py                compares the shipped descriptions with the rule; status 1 if one differs
rule.py --write GPU... writes the rule's numbers into these descriptions (all if none is named)

Its numbers were fitted to bandwidths measured on four GPUs (stream.py --search; doc/fidelity.md). A
description contains what the rule gives for its GPU from the line MARK to the line END. The rule
reads from there what is published: the latencies of ld.global and of its contexts l1 and l2, and
how long 128 bytes keep `l2`.
"""
import argparse
import collections
import os
import sys
import xml.etree.ElementTree

from contended import BYTES, CONFIGS, KEPLER, read_gpus, shape, words

# The kind of memory: HBM on the package, or GDDR beside it.
GPUS = {"v100": "HBM", "v100-pcie": "HBM", "titanrtx": "GDDR", "rtx2080ti": "GDDR",
        "t4": "GDDR", "l4": "GDDR",
        "a100-40": "HBM", "a100-80": "HBM", "a40": "GDDR", "a6000": "GDDR", "a4000": "GDDR",
        "rtx3080ti": "GDDR", "rtx3080": "GDDR", "rtx3090": "GDDR", "rtx4090": "GDDR",
        "l40": "GDDR", "h100-sxm": "HBM", "h100-pcie": "HBM", "gh200": "HBM", "h200": "HBM",
        "rtx5070ti": "GDDR", "rtx5090": "GDDR", "b200": "HBM"}
BASES = ("v100", "titanrtx")  # what the others inherit from names the ops that are alike

# reads: the part of the pin bandwidth that loads attain. sms: how many share what is theirs of
# memory. busy: how much of the time stores alone keep the channels in use when memory is full.
# stores: visits to channels of a store of 128 bytes, where a load makes one. contention: b of
# Volkov's curve, cycles, for the analytical models only. By kind of memory: visit, nanoseconds that
# a visit keeps its channel; writes, how fast stores are, where loads are 1; turn, what a change
# between loads and stores costs, in times of 128 bytes. By generation: launch, cycles.
#
# Loads and stores that take turns must not lose much more than a copy does: turn is 0.5 at most,
# although longer ones fit the streams better, in which long runs of one kind follow each other.
Rule = collections.namedtuple("Rule", "reads sms busy stores contention visit writes turn launch")
SHIPPED = Rule(reads=0.96, sms=4, busy=0.92, stores=32, contention=70,
               visit={"HBM": 255, "GDDR": 72}, writes={"HBM": 0.88, "GDDR": 0.94},
               turn={"HBM": 0.3, "GDDR": 0.15},
               launch={"Volta": 322, "Turing": 322, "Ampere": 322, "Ada Lovelace": 520,
                       "Hopper": 405, "Blackwell": 520})

# What these attain of their pins has been measured, and is less: the A100 40 GB 0.882 in
# gpu-roofline of RRZE gpu-benches, without arithmetic; the A100 80 GB 0.85 to 0.92 in its
# gpu-l2-cache, beyond L2; the RTX 4090 0.914 in a public log of clpeak; the B200 0.88 in a public
# log. Guess: the same for the same kind of chip or memory.
ATTAINED = {"a100-40": 0.89, "a100-80": 0.89, "rtx4090": 0.92, "rtx3080ti": 0.92,
            "rtx3080": 0.92, "rtx3090": 0.92, "b200": 0.88}

# Nobody measured it on Blackwell. Guess: as on the generation whose SM is the nearest, Ada Lovelace
# (SHIPPED) and, for the B200, Hopper.
LAUNCH = {"b200": 405}

# Atomics of these were measured, and stand behind the rule's part.
ATOMICS = ("a100-40", "a100-80", "h100-sxm", "h100-pcie", "gh200", "h200", "b200")
ATOMICS_NOTE = """  <!-- Atomics on device memory. Guess, a lower bound: the units and L2 as a load, memory as a load
       and a store of each sector that L2 lacks. Latency: guess, as of a load (where it was
       measured, on the A100, the H100 and the B200, it is 1.13, 0.97 and 1 times a load's from L2).
       That lanes with the same address follow one another is not in it. -->"""

SECTOR = 32  # bytes
SECTORS = BYTES // SECTOR  # of a coalesced access of 4 bytes a thread
LATER = 1  # cycles by which each further sector comes later; guess: 32 bytes a cycle...
FAST = 1.5  # ...or as L2 delivers them where these are as many sectors a cycle
TAGS = 4  # lines of 128 bytes whose tags the load/store unit compares in a cycle
MARK = "  <!-- Memory by the rule of bench/rule.py"
END = "  <!-- End of what the rule gives. -->\n"
NOTE = MARK + """ (doc/fidelity.md), from the figures of
       the device, the kind of its memory, and what stands here: the latencies of ld.global, l1 and
       l2, and how long 128 bytes keep l2. Fitted to four GPUs: contention, launch latency, all of
       the pipeline memory, its issue, and how many of its channels an access visits. Spread:
       borrowed, the GTX 680's shape, wider with the latency. lsu: a cycle for each 128 bytes (at
       least 2 where issue-min says so) or 4 lines, as gpu-strides of RRZE gpu-benches measures on
       an A40, an A100 and an H200. Guess: that each sector beyond four comes LATER later. Other
       widths than 4 bytes a thread follow by width. -->"""


def aliases():
    yield "ld.global.nc", "ld.global"
    yield "memory", "ld.global"


class Facts:
    """What a description contains apart from the rule's part, and in it what is published."""

    def __init__(self, name):
        self.name, self.memory = name, GPUS[name]
        root = xml.etree.ElementTree.parse(os.path.join(CONFIGS, f"{name}.xml")).getroot()
        self.generation = root.get("generation")
        device = root.find("device")
        self.sms, self.clock, self.pin = (float(device.get(key))
                                          for key in ("sms", "clock-mhz", "pin-gbs"))
        load = root.find("op[@name='ld.global']")
        self.issue, self.least = (float(load.get(key, 1)) for key in ("issue", "issue-min"))
        self.dram = int(load.get("completion"))
        self.l2_issue = float(load.find("then[@pipeline='l2']").get("issue"))
        self.l1, self.l2 = (int(load.find(f"context[@name='{name}']").get("completion"))
                            for name in ("l1", "l2"))

    def cycles(self, transferred, part):
        """For so many bytes at an SM's share of PART of the pin bandwidth."""
        return transferred * self.sms * self.clock / 1000 / (part * self.pin)


def spread(latency):
    """The shape of table 6.6's first row, widened by the ratio of the latency to Kepler's."""
    at, add = shape()
    scale = latency / read_gpus()[KEPLER].completion
    return f'<spread at="{words(at)}" add="{words(round(scale * value) for value in add)}"/>'


def element(tag, attributes, inside=(), indent=4):
    """In lines of at most 100 characters."""
    lines = [" " * indent + f"<{tag}"]
    for key, value in attributes.items():
        word = f' {key}="{value:g}"' if isinstance(value, float) else f' {key}="{value}"'
        if len(lines[-1] + word) > 96:
            lines.append(" " * (indent + 1 + len(tag)))
        lines[-1] += word
    if not inside:
        return [lines[0] + "/>"] if len(lines) == 1 else [*lines[:-1], lines[-1] + "/>"]
    lines[-1] += ">"
    return [*lines, *inside, " " * indent + f"</{tag}>"]


class Memory:
    """The ops of one GPU, by the rule."""

    def __init__(self, facts, rule):
        self.facts, self.rule = facts, rule
        # Of the SMs that share memory, together; to 1/200 cycle, so that runs have few ticks.
        self.reads = ATTAINED.get(facts.name, rule.reads)
        share = facts.cycles(SECTOR, self.reads) / rule.sms
        self.sector = round(200 * share) / 200
        self.line = SECTORS * self.sector
        self.stored = round(200 * share / rule.writes[facts.memory]) / 200
        self.l2_sector = facts.l2_issue / SECTORS
        self.later = self.l2_sector if self.l2_sector * FAST <= 1 else LATER
        self.channel_issue = round(rule.visit[facts.memory] * facts.clock / 1000)
        self.turnaround = round(rule.turn[facts.memory] * self.line, 1)
        self.launch = LAUNCH.get(facts.name, rule.launch[facts.generation])
        self.channels = max(1, round(rule.stores * self.channel_issue / (rule.busy * self.line)))

    def lsu(self, cycles):
        """Attributes of an access that takes the load/store unit for so many cycles."""
        return {"issue": float(cycles), "issue-min": self.facts.least}

    def path(self, lines, sectors, store, each=False):
        """Of an access to so many SECTORS in so many LINES of 128 bytes."""
        l2 = {"pipeline": "l2", "issue": float(sectors * self.l2_sector)}
        sector = self.stored if store else self.sector
        memory = {"pipeline": "memory", "issue": float(sectors * sector),
                  "transactions": self.visits(lines, sectors, store)}
        if each:
            l2["issue-each"] = self.l2_sector
            if not store:
                l2["completion-each"] = self.later
            memory["issue-each"] = sector
            if store:
                memory["transactions-each"] = self.visits(1, 1, store)
        return l2, memory

    def visits(self, lines, sectors, store):
        """To channels: a load's one for each line, a store's by its sectors."""
        return self.rule.stores * sectors // SECTORS if store else lines

    def thens(self, path, indent=6):
        for then in path:
            yield from element("then", then, (), indent)

    def context(self, name, cycles, lines, sectors, store):
        values = {"name": name, **self.lsu(cycles)}
        if not store:
            values["completion"] = self.facts.dram + self.later * max(0, sectors - SECTORS)
        values |= {"bytes": SECTOR * sectors, "transactions": sectors}
        if name != "stride-2":
            values["width"] = "any"  # its sectors are counted
        yield from element("context", values, [*self.thens(self.path(lines, sectors, store))])

    def sectors(self, store):
        """sectors-*: lanes that touch so many sectors, each in a line of its own."""
        l2, memory = self.path(1, 1, store, True)
        values = {"name": "sectors-*", **self.lsu(1 / TAGS), "issue-each": 1 / TAGS}
        if not store:
            values["completion"] = self.facts.dram - self.later * (SECTORS - 1)
        values |= {"bytes": SECTOR, "bytes-each": SECTOR, "transactions": 1,
                   "transactions-each": 1, "width": "any"}
        yield from element("context", values, [*self.thens((l2, memory))])

    def access(self, store):
        """access-*-*-*: wavefronts, sectors that L1 lacks, sectors that L2 lacks."""
        l2, memory = self.path(1, 1, store, True)
        values = {"name": "access-*-*-*", **self.lsu(self.facts.issue),
                  "issue-each": self.facts.issue}
        if not store:
            first = self.later * (SECTORS - 1)  # earlier than the last of a coalesced access
            values |= {"completion": self.facts.dram - first,
                       "completion-short": f"{self.facts.l1} {self.facts.l2 - first}"}
        values |= {"bytes": 0, "transactions": 0, "width": "any"}
        memory |= {"bytes": SECTOR, "bytes-each": SECTOR}
        yield from element("context", values, [*self.thens((l2, memory))])

    def contexts(self, store):
        yield from self.context("random", 32 / TAGS, 32, 32, store)
        yield from self.context("stride-2", 2, 2, 2 * SECTORS, store)
        yield from self.sectors(store)
        yield from self.access(store)

    def hits(self, store):
        """A store goes through L1 to L2."""
        l2 = {"pipeline": "l2", "issue": self.facts.l2_issue}
        for name, latency, path in (("l1", self.facts.l1, [l2] if store else [{}]),
                                    ("l2", self.facts.l2, [l2])):
            values = {"name": name}
            if not store:
                values["completion"] = latency
            values |= {"bytes": 0, "transactions": 0}
            inside = [] if store else ["      " + spread(latency)]
            yield from element("context", values, [*inside, *self.thens(path)])

    def access_op(self, name, store):
        values = {"name": name}
        if store:
            values["like"] = "ld.global"
        values |= {"pipeline": "lsu", **self.lsu(self.facts.issue),
                   "completion": 0 if store else self.facts.dram, "bytes": BYTES,
                   "transactions": SECTORS, "width": 4}
        if store:
            values |= {"posted": "yes", "write": "yes"}
        spreads = '<spread at="0 100" add="0 0"/>' if store else spread(self.facts.dram)
        path = self.thens(self.path(1, SECTORS, store), 4)
        return element("op", values, ["    " + spreads, *path, *self.hits(store),
                                      *self.contexts(store)], 2)

    def atomic_op(self, name, posted):
        """An op of L2, which memory reads for and later writes."""
        facts, first = self.facts, self.later * (SECTORS - 1)

        def context(values, l2, *memory):
            return element("context", values, self.thens([l2, *memory]))

        def to_l2(sectors, silent=True, each=False):
            return self.path(1, sectors, silent, each)[0]

        values = {"name": name, "pipeline": "lsu", **self.lsu(facts.issue),
                  "completion": 0 if posted else facts.l2}
        if posted:
            values["posted"] = "yes"
        values |= {"transactions": 0, "width": 4, "width-min": 4}
        both = self.sector + self.stored
        visits = self.visits(1, 1, False) + self.visits(1, 1, True)
        memory = {"pipeline": "memory", "issue": both, "transactions": visits, "issue-each": both,
                  "transactions-each": visits, "bytes": 2 * SECTOR, "bytes-each": 2 * SECTOR}
        random = {"name": "random", **self.lsu(32 / TAGS), "width": "any"}
        strided = {"name": "stride-2", **self.lsu(2)}
        sectors = {"name": "sectors-*", **self.lsu(1 / TAGS), "issue-each": 1 / TAGS, "width": "any"}
        access = {"name": "access-*-*-*", **self.lsu(facts.issue), "issue-each": facts.issue}
        if not posted:
            access |= {"completion": facts.dram - first,
                       "completion-short": f"{facts.l2 - first} {facts.l2 - first}"}
        access["width"] = "any"
        return element("op", values, [
            *self.thens([to_l2(SECTORS)], 4),
            *element("context", {"name": "l2"}),
            *context(random, to_l2(32)),
            *context(strided, to_l2(2 * SECTORS)),
            *context(sectors, to_l2(1, each=True)),
            *context(access, to_l2(1, posted, True), memory)], 2)

    def lines(self):
        rule, facts = self.rule, self.facts
        yield from element("contention", {"a": facts.dram, "b": rule.contention,
                                          "c": round(self.reads * facts.pin, 1)}, (), 2)
        yield from element("launch", {"latency": self.launch}, (), 2)
        yield from element("pipeline", {
            "name": "memory", "kind": "memory", "scope": "sm", "queue": "unbounded",
            "shared": rule.sms, "share": "pins", "channels": self.channels,
            "channel-issue": self.channel_issue,
            "turnaround": self.turnaround}, (), 2)
        yield from self.access_op("ld.global", False)
        yield from self.access_op("st.global", True)
        if facts.name not in ATOMICS:
            yield ATOMICS_NOTE
            yield from self.atomic_op("atom.global", False)
            yield from self.atomic_op("red.global", True)
        if facts.name in BASES:  # the others have them from these
            for name, like in aliases():
                yield from element("op", {"name": name, "like": like}, (), 2)

    def text(self):
        later = "a cycle" if self.later == LATER else f"{self.later:g} cycles"
        return "\n".join([NOTE.replace("LATER", later), *self.lines(), END])


# ---- The shipped descriptions ----

def shipped(name):
    """(path, text before the rule's part, that part, text after it)"""
    path = os.path.join(CONFIGS, f"{name}.xml")
    with open(path, encoding="ascii") as text:
        head, mark, rest = text.read().partition(MARK)
    part, end, tail = rest.partition(END)
    if not end:
        sys.exit(f"{path}: no part from {MARK!r} to {END!r}")
    return path, head, mark + part + end, tail


def check_atomics(name):
    """Whether the atomics of a description have the rule's time of a sector that is read and later
    written, which stands behind its part."""
    root = xml.etree.ElementTree.parse(os.path.join(CONFIGS, f"{name}.xml")).getroot()
    memory = Memory(Facts(name), SHIPPED)
    thens = root.findall("op/context[@name='access-*-*-*']/then[@bytes='64']")
    wrong = [then for then in thens
             if abs(float(then.get("issue")) - memory.sector - memory.stored) > 1e-9]
    if wrong:
        print(f"{name}: a sector of an atomic takes {memory.sector + memory.stored:g} of memory")
    return not wrong


def check(names):
    wrong = sum(not check_atomics(name) for name in names)
    for name in names:
        path, _, part, _ = shipped(name)
        wanted = Memory(Facts(name), SHIPPED).text()
        if part != wanted:
            differ = next((pair for pair in zip(part.splitlines(), wanted.splitlines())
                           if pair[0] != pair[1]), ("", ""))
            print(f"{path}: the rule has other figures:\n- {differ[0].strip()}\n+ {differ[1].strip()}")
            wrong += 1
    print(f"{wrong} of {len(names)} descriptions have other figures" if wrong
          else f"{len(names)} descriptions follow the rule")
    return wrong == 0


def write(names):
    for name in names:
        path, head, _, tail = shipped(name)
        text = head + Memory(Facts(name), SHIPPED).text() + tail
        with open(path, "w", encoding="ascii") as out:
            out.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write them anew")
    parser.add_argument("gpus", nargs="*", metavar="GPU",
                        help=f"of {', '.join(GPUS)}; all when left out")
    options = parser.parse_args()
    for name in options.gpus:
        if name not in GPUS:
            parser.error(f"{name} is none of {', '.join(GPUS)}")
    names = options.gpus or GPUS
    if options.write:
        write(names)
    return 0 if check(names) else 1


if __name__ == "__main__":
    sys.exit(main())
