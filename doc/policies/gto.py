# SPDX-License-Identifier: MIT
# Greedy then oldest (Rogers, O'Connor and Aamodt 2012): the same as --policy gto, to the last bit.
#
#   warpipe compare volkov-mix --gpu gtx980 --policy gto,./gto.py


class Policy:
    """greedy then oldest"""

    pure = True

    def choose(self, view):
        return view.last if view.last_ready else view.oldest
