/* SPDX-License-Identifier: MIT */
/* Any warp that can issue, each as likely as the others: what a policy has to be better than. The
 * numbers follow from the seed and from which scheduler it is, so that a run with the same seed is
 * the same run, on any number of processor cores.
 */
#include <stdlib.h>

#include <warpipe/policy.h>

typedef struct
{
  uint64_t state;
} Random;

/* Steele, Lea and Flood 2014 (splitmix64). */
static uint64_t
draw (Random *random)
{
  uint64_t x = random->state += UINT64_C (0x9E3779B97F4A7C15);

  x = (x ^ x >> 30) * UINT64_C (0xBF58476D1CE4E5B9);
  x = (x ^ x >> 27) * UINT64_C (0x94D049BB133111EB);
  return x ^ x >> 31;
}

static void *
create (const WpPolicyView *view, const int64_t *knobs, const char **problem)
{
  Random *random = malloc (sizeof *random);

  if (random == NULL)
    {
      *problem = "out of memory";
      return NULL;
    }
  random->state = (uint64_t)knobs[0];
  random->state = draw (random) ^ view->sm;
  random->state = draw (random) ^ view->scheduler;
  return random;
}

static uint32_t
choose (void *self, const WpPolicyView *view, int64_t *until)
{
  uint32_t n;
  const uint32_t *ready = view->get_ready (view, &n);

  (void)until;
  return ready[(draw (self) >> 32) * n >> 32];
}

static const WpPolicyKnob knobs[] = {
  { .name = "seed", .text = "of the random numbers", .value = 1, .min = 0, .max = INT64_MAX },
};

WP_POLICY_EXPORT const WpPolicyPlugin wp_policy_plugin = {
  WP_POLICY_HEAD,   .text = "any warp that can issue, by chance",
  .knobs = knobs,   .n_knobs = sizeof knobs / sizeof knobs[0],
  .create = create, .destroy = free,
  .choose = choose,
};
