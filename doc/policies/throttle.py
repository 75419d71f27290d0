# SPDX-License-Identifier: MIT
# throttle.c in Python: of the resident warps only the LIMIT oldest may start accesses to memory.
# Warps that wait at a barrier do not count: those that they wait for may be younger.
#
#   warpipe sweep volkov-mix --gpu gtx980 --policy ./throttle.py --policy-set limit=1-8


class Policy:
    """throttling: only the oldest warps go to memory"""

    knobs = {"limit": (4, 1, 1024, "warps that may go to memory")}

    def find_youngest(self, view):
        """The age of the youngest warp that may go to memory; None: all may."""
        left = self.limit
        for warp in view.warps():
            known = view.look(warp)
            if known.wait in ("barrier", "end"):
                continue
            left -= 1
            if left == 0:
                return known.age
        return None

    def choose(self, view):
        youngest = self.find_youngest(view)

        def may_go(warp):
            known = view.look(warp)
            if youngest is None or known.age <= youngest:
                return True
            # By its name: which pipeline it enters first differs between GPUs.
            return not (known.op or "").startswith(("ld.global", "st.global"))

        if view.last_ready and may_go(view.last):
            return view.last
        return next((warp for warp in view.ready() if may_go(warp)), None)
