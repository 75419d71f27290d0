/* SPDX-License-Identifier: MIT */
/* Throttling, in the manner of CCWS (Rogers, O'Connor and Aamodt 2012): of the resident warps only
 * the LIMIT oldest may start accesses to memory, so that fewer of them share a cache, or queue at a
 * pipeline. CCWS finds the limit from lost locality as it runs; here it is a knob, to be swept.
 *
 * Among those that may go it is greedy then oldest. A younger warp that only waits for its turn at
 * memory goes on computing. Warps that wait at a barrier do not count: those that they wait for may
 * be younger, and a limit that counted them would starve the block for ever.
 */
#include <stdlib.h>
#include <string.h>

#include <warpipe/policy.h>

typedef struct
{
  uint32_t limit;
  uint32_t *warps; /* room for those of a scheduler */
} Throttle;

static void *
create (const WpPolicyView *view, const int64_t *knobs, const char **problem)
{
  Throttle *throttle = malloc (sizeof *throttle);

  *problem = "out of memory";
  if (throttle == NULL)
    return NULL;
  throttle->limit = (uint32_t)knobs[0];
  throttle->warps = malloc ((view->n_slots + (size_t)1) * sizeof *throttle->warps);
  if (throttle->warps != NULL)
    return throttle;
  free (throttle);
  return NULL;
}

static void
destroy (void *self)
{
  Throttle *throttle = self;

  free (throttle->warps);
  free (throttle);
}

/* The age of the youngest warp that may go to memory: the LIMIT-th of those not at a barrier. */
static uint64_t
find_youngest (const Throttle *throttle, const WpPolicyView *view)
{
  uint32_t n = view->list (view, throttle->warps), left = throttle->limit;
  WpPolicyWarp warp;

  for (uint32_t i = 0; i < n; i++)
    {
      if (!view->look (view, throttle->warps[i], &warp, sizeof warp)
          || warp.wait == WP_POLICY_WAIT_BARRIER || warp.wait == WP_POLICY_WAIT_END)
        continue;
      if (--left == 0)
        return warp.age;
    }
  return UINT64_MAX;
}

/* By its name: which pipeline it enters first differs between GPUs. */
static bool
goes_to_memory (const char *op)
{
  return op != NULL && (strncmp (op, "ld.global", 9) == 0 || strncmp (op, "st.global", 9) == 0);
}

static bool
may_issue (const WpPolicyView *view, uint32_t place, uint64_t youngest)
{
  WpPolicyWarp warp;

  view->look (view, place, &warp, sizeof warp);
  return warp.age <= youngest || !goes_to_memory (warp.op);
}

static uint32_t
choose (void *self, const WpPolicyView *view, int64_t *until)
{
  uint64_t youngest = find_youngest (self, view);
  uint32_t n, oldest = WP_POLICY_NOBODY;
  const uint32_t *ready = view->get_ready (view, &n);

  (void)until; /* nobody: until something happens to one of its warps */
  for (uint32_t i = n; i-- > 0;)
    if (may_issue (view, ready[i], youngest))
      {
        if (ready[i] == view->last)
          return view->last;
        oldest = ready[i];
      }
  return oldest;
}

/* It remembers nothing from one call to the next. */
static size_t
digest (const void *self, uint64_t *words, size_t room)
{
  (void)self;
  (void)words;
  (void)room;
  return 0;
}

static const WpPolicyKnob knobs[] = {
  { .name = "limit",
    .text = "warps of a scheduler that may go to memory",
    .value = 4,
    .min = 1,
    .max = 1024 },
};

WP_POLICY_EXPORT const WpPolicyPlugin wp_policy_plugin = {
  WP_POLICY_HEAD,   .text = "greedy then oldest, with few warps that may go to memory",
  .knobs = knobs,   .n_knobs = sizeof knobs / sizeof knobs[0],
  .create = create, .destroy = destroy,
  .choose = choose, .digest = digest,
};
