/* SPDX-License-Identifier: MIT */
/* Criticality-aware, in the manner of CAWS (Lee and Wu 2014): a block is done when its slowest warp
 * is, so the warp goes first that has the most left to do. What is left is what its program has,
 * less what it has issued; and per cent WEIGHT of the cycles for which it has waited for
 * dependences, as a warp that has stalled for long is likely to stall again. Of equals, the oldest.
 */
#include <stdlib.h>

#include <warpipe/policy.h>

typedef struct
{
  uint64_t weight;
  uint64_t waited[]; /* [n_slots]: of each warp, ticks so far */
} Critical;

static void *
create (const WpPolicyView *view, const int64_t *knobs, const char **problem)
{
  Critical *critical = calloc (1, sizeof *critical + view->n_slots * sizeof *critical->waited);

  *problem = "out of memory";
  if (critical != NULL)
    critical->weight = (uint64_t)knobs[0];
  return critical;
}

static void
launched (void *self, const WpPolicyView *view, uint32_t warp)
{
  (void)view;
  ((Critical *)self)->waited[warp] = 0;
}

static void
wait_begins (void *self, const WpPolicyView *view, uint32_t warp, WpPolicyWait why,
             uint32_t pipeline, int64_t until)
{
  (void)pipeline;
  if (why == WP_POLICY_WAIT_DEPENDENCY)
    ((Critical *)self)->waited[warp] += (uint64_t)(until - view->now);
}

/* How much warp PLACE has left, in hundredths of an instruction. */
static uint64_t
find_left (const Critical *critical, const WpPolicyView *view, uint32_t place)
{
  WpPolicyWarp warp;

  view->look (view, place, &warp, sizeof warp);
  return 100 * (warp.total - warp.issued)
         + critical->weight * (critical->waited[place] / (uint64_t)view->ticks_per_cycle);
}

static uint32_t
choose (void *self, const WpPolicyView *view, int64_t *until)
{
  uint32_t n, best;
  const uint32_t *ready = view->get_ready (view, &n);
  uint64_t most;

  (void)until;
  best = ready[0];
  most = find_left (self, view, best);
  for (uint32_t i = 1; i < n; i++)
    {
      uint64_t left = find_left (self, view, ready[i]);

      if (left <= most)
        continue;
      most = left;
      best = ready[i];
    }
  return best;
}

static const WpPolicyKnob knobs[] = {
  { .name = "weight",
    .text = "per cent of an instruction for each cycle that a warp has waited",
    .value = 10,
    .min = 0,
    .max = 10000 },
};

WP_POLICY_EXPORT const WpPolicyPlugin wp_policy_plugin = {
  WP_POLICY_HEAD,
  .text = "the warp that has the most left to do",
  .knobs = knobs,
  .n_knobs = sizeof knobs / sizeof knobs[0],
  .create = create,
  .destroy = free,
  .choose = choose,
  .launched = launched,
  .wait_begins = wait_begins,
};
