/* SPDX-License-Identifier: MIT */
/* roles.cu: each thread that uses stages sums up four numbers of each, or of some. */
#include "tests/cuda/execute/reference.h"

#define BLOCKS 2
#define USERS 64
#define STAGE 128

typedef int (*Uses) (int t, int k);

static int
uses_all (int t, int k)
{
  (void)t;
  (void)k;
  return 1;
}

static int
uses_every_second (int t, int k)
{
  return t / 32 == k % 2;
}

static int
uses_odd (int t, int k)
{
  return t < 32 || k % 2 == 1;
}

/* Of ROUNDS stages each; FIRST is the first thread of those that use them. */
static void
sum_up (int rounds, int first, Uses uses)
{
  const size_t n = (size_t)BLOCKS * rounds * STAGE;
  int32_t *in = ref_ints ("IN", n, -1000, 1000), out[BLOCKS * USERS] = { 0 };

  for (int block = 0; block < BLOCKS; block++)
    for (int t = 0; t < USERS; t++)
      for (int k = 0; k < rounds; k++)
        for (int i = 0; i < 4 && uses (t, k); i++)
          out[block * USERS + t]
              += in[(block * rounds + k) * STAGE + (i * 32 + t + first + 5) % STAGE] * (i + 1);
  ref_same ("OUT", out, 4, BLOCKS * USERS);
}

static void
roles_ring (void)
{
  sum_up (22, 32, uses_all);
}

static void
roles_turns (void)
{
  sum_up (20, 0, uses_every_second);
}

static void
roles_halves (void)
{
  sum_up (9, 64, uses_all);
}

static void
roles_own (void)
{
  sum_up (9, 0, uses_all);
}

static void
roles_bars (void)
{
  sum_up (12, 0, uses_all);
}

static void
odd_waits (void)
{
  sum_up (8, 0, uses_odd);
}

static void
odd_first (void)
{
  sum_up (8, 0, uses_odd);
}

static void
odd_counts (void)
{
  sum_up (8, 0, uses_all);
}

const RefCase ref_cases_roles[] = {
  { "roles_peek", roles_ring },
  { "roles_ring", roles_ring },
  { "roles_turns", roles_turns },
  { "roles_halves", roles_halves },
  { "roles_own", roles_own },
  { "roles_threads", roles_halves },
  { "roles_bars", roles_bars },
  { "odd_waits", odd_waits },
  { "odd_counts", odd_counts },
  { "odd_first", odd_first },
  { NULL, NULL },
};
