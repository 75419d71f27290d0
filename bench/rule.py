# SPDX-License-Identifier: MIT
"""Memory of GPUs from 2017 on, by one rule: what no table gives follows from bandwidth, clock, SMs
and latency.

rule.py                compares the shipped descriptions with the rule; status 1 if one differs
rule.py --write GPU... writes the rule's numbers into these descriptions (all if none is named)

Its seven numbers were fitted to bandwidths measured on the V100 and the A40 alone (stream.py
--search; doc/fidelity.md). A description contains what the rule gives for its GPU from the line
MARK to the line END.
"""
import argparse
import collections
import math
import os
import sys
import xml.etree.ElementTree

from contended import BYTES, CONFIGS, KEPLER, mean_wait, read_gpus, shape, words

GPUS = ("v100-pcie", "a100-40", "a100-80", "a40", "l40", "rtx4090", "h100-pcie", "h100-sxm",
        "gh200", "h200", "rtx3080ti")

# reads, writes: the parts of the pin bandwidth that streams of one kind would attain. use: how much
# of the time reads keep the channels busy at their peak. visit: cycles that a transaction should
# keep its channel, by which channels are counted. stores: transactions of a store for each one of a
# load, which stands for what mixing costs. launch: cycles. contention: b of Volkov's curve, cycles,
# for the analytical models only.
Rule = collections.namedtuple("Rule", "reads writes use visit stores launch contention")
SHIPPED = Rule(reads=0.985, writes=0.78, use=0.7, visit=15, stores=2, launch=320, contention=70)

TRANSACTIONS = 4  # of a coalesced access: 128 bytes by 32
EACH = 5.9  # cycles for each transaction beyond those, as on the GTX 980 (Volkov 2016, table 6.7)
MARK = "  <!-- Memory by the rule of bench/rule.py"
END = "  <!-- End of what the rule gives. -->\n"
NOTE = MARK + """ (doc/fidelity.md), from the figures of
       the device and the latencies of ld.global, l1 and l2 that stand here. Fitted to the V100 and
       the A40 alone: contention, launch latency, channels and their issue, the issue of loads and
       of stores, the transactions of stores. Spread: borrowed, the GTX 680's shape, wider with the
       latency. Guess, as on the v100: random, stride-2, sectors-*. An access of 8 or 16 bytes a
       thread is as 2 or 4 of 4 bytes, those of other widths follow by width. -->"""

# Accesses of 8 and 16 bytes a thread: the op that has the figures, then those like it.
WIDE = {2: ("f64", "u64", "s64", "b64", "v2"), 4: ("v4", "v2.f64", "v2.u64", "v2.s64", "v2.b64")}


def aliases():
    for names in WIDE.values():
        for op in ("ld.global", "st.global"):
            yield from ((f"{op}.{name}", f"{op}.{names[0]}") for name in names[1:])
    yield "ld.global.nc", "ld.global"
    for names in WIDE.values():
        yield from ((f"ld.global.nc.{name}", f"ld.global.{names[0]}") for name in names)
    yield "memory", "ld.global"


class Facts:
    """What a description contains apart from the rule's part: published numbers and guesses."""

    def __init__(self, name):
        self.name = name
        root = xml.etree.ElementTree.parse(os.path.join(CONFIGS, f"{name}.xml")).getroot()
        self.base = root.get("like")
        device = root.find("device")
        self.sms, self.clock, self.pin = (float(device.get(key))
                                          for key in ("sms", "clock-mhz", "pin-gbs"))
        self.load = root.find("op[@name='ld.global']")
        self.dram = int(self.load.get("completion"))
        self.hit = {name: self.load.find(f"context[@name='{name}']") for name in ("l1", "l2")}

    def share(self, part):
        """Cycles for 32 bytes at an SM's share of PART of the pin bandwidth, rounded to hundredths
        so that runs have few ticks a cycle."""
        return round(BYTES / TRANSACTIONS * self.sms * self.clock / 1000 / (part * self.pin), 2)


def channels(facts, rule):
    """(channels, channel-issue)"""
    access = TRANSACTIONS * facts.share(rule.reads)
    count = max(1, round(rule.visit * TRANSACTIONS / (rule.use * access)))
    return count, round(rule.use * access * count / TRANSACTIONS, 1)


def spread(latency, wait):
    """The shape of table 6.6's first row, widened by the ratio of the latency to Kepler's, and
    earlier by WAIT."""
    at, add = shape()
    scale = latency / read_gpus()[KEPLER].completion
    return f'<spread at="{words(at)}" add="{words(round(scale * value - wait) for value in add)}"/>'


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
        self.channels, self.channel_issue = channels(facts, rule)
        self.own = mean_wait(TRANSACTIONS, self.channels, self.channel_issue)

    def spread(self, transactions, excess=0.0):
        """The spread without the time that an access waits for its own transactions; its latency
        contains at most that of the coalesced access, plus EXCESS."""
        wait = min(mean_wait(transactions, self.channels, self.channel_issue), self.own + excess)
        return spread(self.facts.dram, wait)

    def context(self, name, transactions, sector, store, completion=None, each=None):
        """COMPLETION: of a load."""
        values = {"name": name, "issue": round(transactions * sector, 2)}
        if not store:
            values["completion"] = round(float(completion), 1)
        values["bytes"] = 32 * transactions
        values["transactions"] = transactions * (self.rule.stores if store else 1)
        if each:
            values["issue-each"] = sector
            if not store:
                values["completion-each"] = EACH
            values["bytes-each"] = 32
            values["transactions-each"] = self.rule.stores if store else 1
        if name != "stride-2":
            values["width"] = "any"  # its transactions are counted
        inside = () if store or each else ["      " + self.spread(transactions,
                                                                  completion - self.facts.dram)]
        return element("context", values, inside)

    def contexts(self, sector, store):
        dram = self.facts.dram
        yield from self.context("random", 32, sector, store, dram + EACH * 28)
        yield from self.context("stride-2", 8, sector, store, dram + 8)
        for n in (1, 2, 3):
            yield from self.context(f"sectors-{n}", n, sector, store, dram)
        yield from self.context("sectors-*", 1, sector, store, dram - 3 * EACH, each=True)

    def hits(self, wide=1):
        for name, hit in self.facts.hit.items():
            if float(hit.get("issue")) == 0 and wide > 1:
                continue  # has it from ld.global
            values = {"name": name, "issue": round(wide * float(hit.get("issue")), 2),
                      "completion": hit.get("completion"), "bytes": 0, "transactions": 0}
            if name == "l2":
                values["share"] = "device"
            yield from element("context", values,
                               ["      " + spread(int(hit.get("completion")), 0)])

    def store_hits(self, wide):
        """What hits take of stores of WIDE times 4 bytes a thread; nothing waits for them."""
        for name, hit in self.facts.hit.items():
            if float(hit.get("issue")) > 0:
                yield from element("context", {"name": name,
                                               "issue": round(wide * float(hit.get("issue")), 2),
                                               "bytes": 0, "transactions": 0})

    def wide(self, name, factor, store):
        """An access of FACTOR times 4 bytes a thread; the published latency holds what it waits for
        its own."""
        sector = self.facts.share(self.rule.writes if store else self.rule.reads)
        count = factor * TRANSACTIONS
        values = {"name": f"{name}.{WIDE[factor][0]}", "like": name,
                  "issue": round(count * sector, 2), "bytes": 32 * count,
                  "transactions": count * (self.rule.stores if store else 1)}
        inside = ([*self.store_hits(factor)] if store
                  else ["    " + self.spread(count, math.inf), *self.hits(factor)])
        inside += self.context("stride-2", 2 * count, sector, store, self.facts.dram + 8)
        return element("op", values, inside, 2)

    def loads(self):
        sector = self.facts.share(self.rule.reads)
        values = {"name": "ld.global", "issue": round(TRANSACTIONS * sector, 2),
                  "completion": self.facts.dram,
                  "bytes": BYTES, "transactions": TRANSACTIONS}
        inside = ["    " + self.spread(TRANSACTIONS), *self.hits(), *self.contexts(sector, False)]
        yield from element("op", values, inside, 2)
        for factor in WIDE:
            yield from self.wide("ld.global", factor, False)

    def stores(self):
        sector = self.facts.share(self.rule.writes)
        values = {"name": "st.global", "like": "ld.global",
                  "issue": round(TRANSACTIONS * sector, 2), "completion": 0,
                  "posted": "yes", "transactions": TRANSACTIONS * self.rule.stores}
        inside = ['    <spread at="0 100" add="0 0"/>', *self.contexts(sector, True)]
        yield from element("op", values, inside, 2)
        for factor in WIDE:
            yield from self.wide("st.global", factor, True)

    def lines(self):
        rule = self.rule
        curve = {"a": self.facts.dram, "b": rule.contention,
                 "c": round(rule.reads * self.facts.pin, 1)}
        yield from element("contention", curve, (), 2)
        yield from element("launch", {"latency": rule.launch}, (), 2)
        pipeline = {"name": "memory", "channels": self.channels,
                    "channel-issue": self.channel_issue}
        yield from element("pipeline", pipeline, (), 2)
        yield from self.loads()
        yield from self.stores()
        if self.facts.base not in GPUS:  # else it has them
            for name, like in aliases():
                yield from element("op", {"name": name, "like": like}, (), 2)

    def text(self):
        return "\n".join([NOTE, *self.lines(), END])


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


def check(names):
    wrong = 0
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
