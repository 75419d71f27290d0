# SPDX-License-Identifier: MIT
"""volkov-mix on mix-gpu.xml, as one would write it in an afternoon with SimPy (Debian's
python3-simpy3).

A warp is a process, memory a resource, and the SM a process that, each cycle, lets every scheduler
issue for the next of its warps that is ready. Prints elapsed cycles, instructions, and the
processor seconds that the simulation took.

usage: simpy-mix.py WARPS ALPHA ROUNDS [SCHEDULERS]
"""
import sys
import time

from measure import explain

explain()

try:
    import simpy
except ImportError:
    sys.exit(77)

ADD_COMPLETION = 6
LOAD_ISSUE, LOAD_COMPLETION = 12, 368


class Scheduler:
    def __init__(self, slots):
        self.waiting = [None] * slots  # by slot: the event that lets its warp go on
        self.next = 0

    def issue(self):
        """Round robin: the first warp that is ready, after the one that issued last."""
        slots = len(self.waiting)
        for i in range(slots):
            slot = (self.next + i) % slots
            if self.waiting[slot] is not None:
                self.waiting[slot].succeed()
                self.waiting[slot] = None
                self.next = slot + 1
                return True
        return False


class Multiprocessor:
    def __init__(self, env, warps, schedulers):
        self.env = env
        self.schedulers = [Scheduler(-(-warps // schedulers)) for _ in range(schedulers)]
        self.memory = simpy.Resource(env, capacity=1)
        self.wake = env.event()
        env.process(self.cycles())

    def ready(self, warp):
        """An event for the warp to wait for: its next instruction issues."""
        scheduler = self.schedulers[warp % len(self.schedulers)]
        granted = scheduler.waiting[warp // len(self.schedulers)] = self.env.event()
        if not self.wake.triggered:
            self.wake.succeed()
        return granted

    def cycles(self):
        """Each cycle, the schedulers in turn after the one that issued last; sleeps while no warp
        is ready."""
        first, count = 0, len(self.schedulers)
        yield self.wake
        while True:
            issued = [i for i in (j % count for j in range(first, first + count))
                      if self.schedulers[i].issue()]
            if issued:
                first = issued[-1] + 1
                yield self.env.timeout(1)
            else:
                self.wake = self.env.event()
                yield self.wake


def run_warp(env, sm, warp, alpha, rounds):
    for _ in range(rounds):
        yield sm.ready(warp)
        with sm.memory.request() as turn:
            yield turn
            yield env.timeout(LOAD_ISSUE)
        yield env.timeout(LOAD_COMPLETION - LOAD_ISSUE)
        for _ in range(alpha):
            yield sm.ready(warp)
            yield env.timeout(ADD_COMPLETION)


def main(warps, alpha, rounds, schedulers=4):
    start = time.process_time()
    env = simpy.Environment()
    sm = Multiprocessor(env, warps, schedulers)
    for warp in range(warps):
        env.process(run_warp(env, sm, warp, alpha, rounds))
    env.run()
    print(env.now, warps * rounds * (alpha + 1), time.process_time() - start)


if len(sys.argv) not in (4, 5) or not all(word.isdecimal() for word in sys.argv[1:]):
    sys.exit("usage: simpy-mix.py WARPS ALPHA ROUNDS [SCHEDULERS]")
main(*map(int, sys.argv[1:]))
