/* SPDX-License-Identifier: MIT */
/* warp.cu, atomics.cu, order.cu. */
#include "tests/cuda/execute/reference.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int
count_ones (uint32_t value)
{
  int count = 0;

  for (; value != 0; value &= value - 1)
    count++;
  return count;
}

static void
votes (void)
{
  int32_t *in = ref_ints ("IN", 288, -100, 100);
  uint32_t *out = ref_new (8 * 288 * 4);

  for (int i = 0; i < 288; i++)
    {
      const int32_t *warp = in + i / 32 * 32, *block = in + i / 96 * 96;
      uint32_t *to = out + 8 * i, positive = 0, odd = 0;

      to[2] = 1;
      to[6] = 1;
      for (int j = 0; j < 32; j++)
        {
          positive |= (uint32_t)(warp[j] > 0) << j;
          odd |= (uint32_t)(warp[j] & 1) << j;
          to[1] |= warp[j] > 90;
          to[2] &= warp[j] > -90;
        }
      to[0] = positive;
      to[3] = odd & ((1u << i % 32) - 1);
      to[4] = in[i] > 0 ? positive : (uint32_t)count_ones (~positive);
      for (int j = 0; j < 96; j++)
        {
          to[5] += block[j] > 20;
          to[6] &= block[j] > -95;
          to[7] |= block[j] > 95;
        }
    }
  ref_same ("OUT", out, 4, 8 * 288);
}

static void
shuffles (void)
{
  int32_t *in = ref_ints ("IN", 128, -1000, 1000), *out = ref_new (10 * 128 * 4);

  for (int i = 0; i < 128; i++)
    {
      const int32_t *warp = in + i / 32 * 32;
      int lane = i % 32;
      int from[10] = { in[i] & 31,
                       lane / 8 * 8 + lane / 2 % 8,
                       lane < 3 ? lane : lane - 3,
                       lane % 16 < 2 ? lane : lane - 2,
                       lane + 5 > 31 ? lane : lane + 5,
                       lane % 4 == 3 ? lane : lane + 1,
                       lane ^ 21,
                       lane ^ 9,
                       31 - lane,
                       lane ^ 1 };

      for (int j = 0; j < 8; j++)
        out[10 * i + j] = warp[from[j]];
      out[10 * i + 8] = (int)(warp[from[8]] * 1.5);
      out[10 * i + 9] = (int)(warp[from[9]] * 0.25);
    }
  ref_same ("OUT", out, 4, 10 * 128);
}

static void
matches (void)
{
  int32_t *in = ref_ints ("IN", 256, -40, 400);
  uint32_t *out = ref_new (4 * 256 * 4);

  for (int i = 32; i < 64; i++)
    in[i] = abs (in[i]);
  ref_give ("IN", in, 256 * 4);
  for (int i = 0; i < 256; i++)
    {
      const int32_t *warp = in + i / 32 * 32;
      uint32_t *to = out + 4 * i;

      for (int j = 0; j < 32; j++)
        {
          to[0] |= (uint32_t)((warp[j] & 3) == (in[i] & 3)) << j;
          to[1] |= (uint32_t)((warp[j] & 7) == (in[i] & 7)) << j;
          to[2] |= (uint32_t)((warp[j] < 0) == (in[i] < 0)) << j;
        }
      to[3] = to[2] == ~0u;
      to[2] = to[3] ? ~0u : 0;
    }
  ref_same ("OUT", out, 4, 4 * 256);
}

static void
redux (void)
{
  int32_t *in = (int32_t *)ref_words ("IN", 128);
  uint32_t *out = ref_new (8 * 128 * 4);

  for (int i = 0; i < 128; i++)
    {
      const int32_t *warp = in + i / 32 * 32;
      uint32_t *to = out + 8 * i;

      to[1] = to[7] = (uint32_t)warp[0];
      to[3] = ~0u;
      for (int j = 0; j < 32; j++)
        {
          uint32_t value = (uint32_t)warp[j];

          to[0] += value;
          to[1] = warp[j] < (int32_t)to[1] ? value : to[1];
          to[2] = value > to[2] ? value : to[2];
          to[3] &= value | 0xff;
          to[4] |= value & 0xff00;
          to[5] ^= value;
          to[6] += j < 11 && i % 32 < 11 ? value : 0;
          to[7] = warp[j] > (int32_t)to[7] ? value : to[7];
        }
    }
  ref_same ("OUT", out, 4, 8 * 128);
}

static void
collatz (void)
{
  uint32_t *in = (uint32_t *)ref_ints ("IN", 180, 1, 3000), *out = ref_new (180 * 4);

  for (int i = 0; i < 180; i++)
    for (uint32_t value = in[i]; value != 1; out[i]++)
      value = value & 1 ? 3 * value + 1 : value / 2;
  ref_same ("OUT", out, 4, 180);
}

static int
compare_ints (const void *a, const void *b)
{
  return *(const int32_t *)a - *(const int32_t *)b;
}

/* OUT holds the N of EXPECTED in any order. */
static void
check_set (const char *name, int32_t *expected, int n)
{
  const int32_t *dumped = ref_dumped (name, (size_t)n * 4);
  int32_t *sorted = ref_new ((size_t)n * 4);

  if (dumped == NULL)
    return;
  memcpy (sorted, dumped, (size_t)n * 4);
  qsort (sorted, (size_t)n, 4, compare_ints);
  qsort (expected, (size_t)n, 4, compare_ints);
  for (int i = 0; i < n; i++)
    if (sorted[i] != expected[i])
      ref_wrong ("%s, sorted: %d at %d, expected %d", name, sorted[i], i, expected[i]);
}

static void
compact (void)
{
  int32_t *in = ref_ints ("IN", 250, -1000, 1000);
  int n = 0;

  for (int i = 0; i < 250; i++)
    if (in[i] % 2 != 0)
      in[n++] = in[i];
  ref_same ("COUNT", &n, 4, 1);
  check_set ("OUT", in, n);
}

/* The kernel's own text: what differs is who runs it. */
static void
nested (void)
{
  int32_t *in = ref_ints ("IN", 192, -100, 100), *out = ref_new (192 * 4);

  for (int i = 0; i < 192; i++)
    {
      int value = in[i], sum = 0;
      bool ended = false;

      out[i] = -1;
      for (int j = 0; j < (value & 15) && !ended; j++)
        {
          if ((j ^ value) % 3 == 0)
            continue;
          for (int k = j; k < 10 && !ended; k++)
            {
              if (((k * value) & 31) == 7)
                break;
              sum += k % 2 ? k * j : -k;
              ended = sum > 200;
            }
          if (sum < -100)
            break;
        }
      if (ended || (value & 7) == 6)
        continue;
      switch (value & 7)
        {
        case 0:
          sum += 1000;
          break;
        case 3:
          sum = (sum - 77) * 3;
          break;
        case 4:
          sum *= 3;
          break;
        default:
          sum ^= 0x55;
        }
      out[i] = sum;
    }
  ref_same ("OUT", out, 4, 192);
}

static void
one_at_a_time (void)
{
  int32_t *in = ref_ints ("IN", 64, 0, 1000), *out = ref_new (64 * 4);

  for (int warp = 0; warp < 64; warp += 32)
    for (int i = 0, turn = 0; i < 32; i++)
      {
        if (out[warp + i] != 0)
          continue;
        turn++;
        for (int j = i; j < 32; j++)
          if ((in[warp + j] & 7) == (in[warp + i] & 7))
            out[warp + j] = turn * 100 + j;
      }
  ref_same ("OUT", out, 4, 64);
}

static void
atomics_global (void)
{
  uint32_t *in = ref_words ("IN", 384), *out = ref_words ("OUT", 19);

  for (int i = 0; i < 384; i++)
    {
      uint32_t value = in[i];

      out[0] += value;
      out[1] -= value;
      out[2] = (int32_t)value < (int32_t)out[2] ? value : out[2];
      out[3] = (int32_t)value > (int32_t)out[3] ? value : out[3];
      out[4] = value < out[4] ? value : out[4];
      out[5] = value > out[5] ? value : out[5];
      out[6] &= value | 0xf0f0;
      out[7] |= value & 0x0ff00ff0;
      out[8] ^= value;
      out[9] = out[9] >= 100 ? 0 : out[9] + 1;
      out[10] = out[10] == 0 || out[10] > 50 ? 50 : out[10] - 1;
      out[11 + (value & 7)]++;
    }
  ref_same ("OUT", out, 4, 19);
}

static void
atomics_wide (void)
{
  uint64_t *in = ref_longs ("IN", 384), *out = ref_longs ("OUT", 8);

  for (int i = 0; i < 384; i++)
    {
      uint64_t value = in[i];

      out[0] += value;
      out[1] = (int64_t)value < (int64_t)out[1] ? value : out[1];
      out[2] = (int64_t)value > (int64_t)out[2] ? value : out[2];
      out[3] = value < out[3] ? value : out[3];
      out[4] = value > out[4] ? value : out[4];
      out[5] &= value | 0xf0f0f0f0f0f0f0f0;
      out[6] |= value & 0x00ff00ff00ff00ff;
      out[7] ^= value;
    }
  ref_same ("OUT", out, 8, 8);
}

static void
atomics_shared (void)
{
  int32_t *in = ref_ints ("IN", 256, -100000, 100000);
  uint64_t out[32];

  for (int block = 0; block < 2; block++)
    {
      uint32_t narrow[12] = { [4] = ~0u, [6] = ~0u };
      uint64_t wide[4] = { [3] = 77 };

      for (int i = 0; i < 128; i++)
        {
          int32_t is = in[block * 128 + i];
          uint32_t value = (uint32_t)is;

          narrow[0] += value;
          narrow[1] -= value;
          narrow[2] = is < (int32_t)narrow[2] ? value : narrow[2];
          narrow[3] = is > (int32_t)narrow[3] ? value : narrow[3];
          narrow[4] = value < narrow[4] ? value : narrow[4];
          narrow[5] = value > narrow[5] ? value : narrow[5];
          narrow[6] &= value | 0xff;
          narrow[7] |= value & 0xff00;
          narrow[8] ^= value;
          narrow[9] = narrow[9] >= 30 ? 0 : narrow[9] + 1;
          narrow[10] = narrow[10] == 0 || narrow[10] > 30 ? 30 : narrow[10] - 1;
          narrow[11]++;
          wide[0] += (uint64_t)is;
          wide[1] = (int64_t)is * 1048576 > (int64_t)wide[1] ? (uint64_t)is << 20 : wide[1];
          wide[2] ^= (uint64_t)is << 16;
        }
      for (int i = 0; i < 12; i++)
        out[block * 16 + i] = narrow[i];
      for (int i = 0; i < 4; i++)
        out[block * 16 + 12 + i] = wide[i];
    }
  ref_same ("OUT", out, 8, 32);
}

static void
atomics_float (void)
{
  int32_t *in = ref_ints ("IN", 192, -1000, 1000);
  float f[5] = { 0 };
  double d[8] = { 0 }, h[4] = { 0 };

  for (int i = 0; i < 192; i++)
    {
      f[in[i] & 3] += (float)in[i];
      f[4] += (float)in[i];
      d[in[i] & 7] += in[i] * 0.5;
      h[(in[i] & 1) * 2] += in[i] & 1;
      h[(in[i] & 1) * 2 + 1] += 2;
    }
  ref_same ("F", f, 4, 5);
  ref_same ("D", d, 8, 8);
  ref_near_halves ("H", h, 4, 0, 0);
}

static void
atomics_returned (void)
{
  int32_t places[256], n = 256;

  for (int i = 0; i < 256; i++)
    places[i] = i;
  ref_same ("COUNT", &n, 4, 1);
  check_set ("SLOTS", places, 256);
}

static void
atomics_loop (void)
{
  float *in = ref_floats ("IN", 192, 0.01, 1), most = 0;
  uint32_t out[2] = { 0 };

  for (int i = 0; i < 192; i++)
    {
      most = in[i] > most ? in[i] : most;
      out[1] += in[i] > 0.5F ? 3 : 2;
    }
  out[0] = ref_bits (most);
  ref_same ("OUT", out, 4, 2);
}

static void
atomics_scopes (void)
{
  int32_t *in = ref_ints ("IN", 192, -100, 1000), out[256 + 192] = { 0 };

  for (int i = 0; i < 192; i++)
    {
      out[i / 64] += in[i];
      out[4] += in[i];
      out[5] = in[i] > out[5] ? in[i] : out[5];
      out[6 + i / 64] |= in[i] & 0xff;
      out[256 + i] = in[i];
    }
  ref_same ("OUT", out, 4, 256 + 192);
}

static void
spin_lock (void)
{
  ref_same ("OUT", (const int32_t[]){ 21, 6 }, 4, 2);
}

static void
lane_locks (void)
{
  int32_t sums[4] = { 0 };

  for (int i = 0; i < 128; i++)
    sums[i % 4] += i % 64;
  ref_same ("OUT", sums, 4, 4);
}

static void
ping_pong (void)
{
  int32_t out[64], value = 1;

  for (int i = 0; i < 10; i++)
    value = value * 2 + 3;
  for (int i = 0; i < 64; i++)
    out[i] = value + i;
  ref_same ("OUT", out, 4, 64);
}

static void
producers (void)
{
  int32_t *in = ref_ints ("IN", 768, -1000, 1000), out[768];

  for (int i = 0; i < 768; i++)
    out[i] = in[i / 64 * 64 + 63 - i % 64] * 2 + 1;
  ref_same ("OUT", out, 4, 768);
}

static void
named_barriers (void)
{
  int32_t *in = ref_ints ("IN", 256, -1000, 1000), sums[256], out[256];

  for (int i = 0; i < 256; i++)
    sums[i] = in[i / 64 * 64 + (i + 33) % 64];
  for (int i = 0; i < 256; i++)
    out[i] = sums[i / 128 * 128 + 127 - i % 128] - sums[i];
  ref_same ("OUT", out, 4, 256);
}

static void
early_end (void)
{
  int32_t *in = ref_ints ("IN", 256, -1000, 1000), sums[256] = { 0 }, out[256];

  for (int i = 0; i < 256; i++)
    if (i % 128 / 32 != 1 && i % 128 != 100)
      sums[i] = in[i] + in[i / 128 * 128 + 127 - i % 128];
  for (int i = 0; i < 256; i++)
    out[i] = i % 128 / 32 == 1 || i % 128 == 100 ? -1 : sums[i / 128 * 128 + (i + 64) % 128];
  ref_same ("OUT", out, 4, 256);
}

static void
volatile_flag (void)
{
  int32_t out[128];

  for (int i = 0; i < 128; i++)
    out[i] = 42;
  ref_same ("OUT", out, 4, 128);
}

static void
grid_turns (void)
{
  int32_t out[256];

  for (int i = 0; i < 256; i++)
    out[i] = i / 32 * 100 + i % 32;
  ref_same ("OUT", out, 4, 256);
}

static void
barrier_object (void)
{
  int32_t *in = ref_ints ("IN", 128, -1000, 1000), out[128];

  for (int i = 0; i < 128; i++)
    out[i] = in[i ^ 63];
  ref_same ("OUT", out, 4, 128);
}

static void
fences (void)
{
  int32_t out[128];

  for (int i = 0; i < 128; i++)
    out[i] = i + 1;
  ref_same ("OUT", out, 4, 128);
}

const RefCase ref_cases_warp[] = { { "votes", votes },
                                   { "shuffles", shuffles },
                                   { "matches", matches },
                                   { "redux", redux },
                                   { "collatz", collatz },
                                   { "compact", compact },
                                   { "nested", nested },
                                   { "one_at_a_time", one_at_a_time },
                                   { "atomics_global", atomics_global },
                                   { "atomics_wide", atomics_wide },
                                   { "atomics_shared", atomics_shared },
                                   { "atomics_float", atomics_float },
                                   { "atomics_returned", atomics_returned },
                                   { "atomics_loop", atomics_loop },
                                   { "atomics_scopes", atomics_scopes },
                                   { "spin_lock", spin_lock },
                                   { "lane_locks", lane_locks },
                                   { "ping_pong", ping_pong },
                                   { "producers", producers },
                                   { "named_barriers", named_barriers },
                                   { "early_end", early_end },
                                   { "volatile_flag", volatile_flag },
                                   { "grid_turns", grid_turns },
                                   { "barrier_object", barrier_object },
                                   { "fences", fences },
                                   { NULL, NULL } };
