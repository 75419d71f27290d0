/* SPDX-License-Identifier: MIT */
/* mbarrier.cu: whatever warps wait at, sums come out as if they met there. */
#include "tests/cuda/execute/reference.h"

#define BLOCKS 2
#define ROUNDS 8
#define MOST 128

/* What thread T of N sums up: the numbers of its neighbour among GROUP threads, as PUT there. */
static int32_t
sum_up (const int32_t *in, int n, int group, int t, int32_t (*put) (int32_t number, int t))
{
  int from = t / group * group + (t % group + 33) % group;
  int32_t sum = 0;

  for (int round = 0; round < ROUNDS; round++)
    sum += put (in[round * n + from], from) * (round + 1);
  return sum;
}

static int32_t
as_it_is (int32_t number, int t)
{
  (void)t;
  return number;
}

static int32_t
by_half (int32_t number, int t)
{
  return t % 32 < 16 ? number : -number;
}

static void
meet (int n, int group, int32_t (*put) (int32_t number, int t))
{
  int32_t *in = ref_ints ("IN", (size_t)ROUNDS * n, -1000, 1000), out[BLOCKS * MOST];

  for (int k = 0; k < BLOCKS * n; k++)
    out[k] = sum_up (in, n, group, k % n, put);
  ref_same ("OUT", out, 4, (size_t)BLOCKS * n);
}

/* The same, with three steps of work after each round. */
static void
meet_and_work (void)
{
  int32_t *in = ref_ints ("IN", ROUNDS * MOST, -1000, 1000);
  uint32_t out[BLOCKS * MOST] = { 0 };

  for (int k = 0; k < BLOCKS * MOST; k++)
    for (int round = 0; round < ROUNDS; round++)
      {
        out[k] += (uint32_t)(in[round * MOST + (k % MOST + 33) % MOST] * (round + 1));
        for (int step = 0; step < 3; step++)
          out[k] = out[k] * 5 + 1;
      }
  ref_same ("OUT", out, 4, BLOCKS * MOST);
}

static void
meet_all (void)
{
  meet (128, 128, as_it_is);
}

static void
meet_halves (void)
{
  meet (128, 64, as_it_is);
}

static void
meet_alone (void)
{
  meet (128, 32, as_it_is);
}

static void
meet_lanes (void)
{
  meet (64, 64, by_half);
}

static void
meet_blocks (void)
{
  int32_t *in = ref_ints ("IN", ROUNDS * 64, -1000, 1000);
  uint32_t out[BLOCKS * 64] = { 0 };

  for (int k = 0; k < BLOCKS * 64; k++)
    for (int round = 0; round < ROUNDS + k / 64; round++)
      {
        out[k] += (uint32_t)in[round % ROUNDS * 64 + (k % 64 + 33) % 64];
        for (int step = 0; step < k % 64 / 32 * round; step++)
          out[k] = out[k] * 5 + 1;
      }
  ref_same ("OUT", out, 4, BLOCKS * 64);
}

static void
meet_signs (void)
{
  int32_t *in = ref_ints ("IN", ROUNDS * MOST, -1000, 1000), out[BLOCKS * MOST] = { 0 };

  for (int k = 0; k < BLOCKS * MOST; k++)
    for (int round = 0; round < ROUNDS; round++)
      out[k] += in[round * MOST + round * 7 % MOST] < 0
                    ? 1000
                    : in[round * MOST + (k % MOST + 33) % MOST] * (round + 1);
  ref_same ("OUT", out, 4, BLOCKS * MOST);
}

static void
part_order (void)
{
  meet (64, 64, as_it_is);
}

static void
meet_late (void)
{
  int32_t *in = ref_ints ("IN", 1024, 0, 1023), out[BLOCKS * 64];

  for (int k = 0; k < BLOCKS * 64; k++)
    {
      out[k] = k % 64;
      for (int round = 0; round < ROUNDS; round++)
        out[k] = in[out[k] & 1023];
    }
  ref_same ("OUT", out, 4, BLOCKS * 64);
}

static void
part_roles (void)
{
  int32_t *in = ref_ints ("IN", ROUNDS * 32, -1000, 1000), out[BLOCKS * MOST];

  for (int k = 0; k < BLOCKS * MOST; k++)
    {
      out[k] = 0;
      for (int round = 0; round < ROUNDS; round++)
        out[k] += in[round * 32 + (k % 32 + 33) % 32] * (k % MOST / 32);
    }
  ref_same ("OUT", out, 4, BLOCKS * MOST);
}

/* The first warp counts the rounds, too: what it asks for has not happened. */
static void
part_tests (void)
{
  int32_t *in = ref_ints ("IN", ROUNDS * 64, -1000, 1000), out[BLOCKS * 64];

  for (int k = 0; k < BLOCKS * 64; k++)
    {
      out[k] = k % 64 < 32 ? ROUNDS : 0;
      for (int round = 0; round < ROUNDS; round++)
        out[k] += in[round * 64 + k % 64];
    }
  ref_same ("OUT", out, 4, BLOCKS * 64);
}

const RefCase ref_cases_barrier[] = {
  { "meet_sync", meet_and_work }, { "meet_barrier", meet_and_work }, { "meet_late", meet_late },
  { "meet_copies", meet_all },    { "meet_pipeline", meet_all },     { "meet_halves", meet_halves },
  { "meet_alone", meet_alone },   { "meet_noinc", meet_all },        { "meet_lanes", meet_lanes },
  { "meet_blocks", meet_blocks }, { "meet_signs", meet_signs },      { "part_roles", part_roles },
  { "part_order", part_order },   { "part_tests", part_tests },      { NULL, NULL }
};
