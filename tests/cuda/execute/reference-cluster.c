/* SPDX-License-Identifier: MIT */
/* cluster.cu. */
#include "tests/cuda/execute/reference.h"

static void
cluster_ids (void)
{
  uint32_t out[24][14];

  for (int i = 0; i < 24; i++)
    {
      const uint32_t x = (uint32_t)i % 4, y = (uint32_t)i / 4;
      const uint32_t expected[14]
          = { x / 2, y / 3, 0, 2, 2, 1, x % 2, y % 3, 0, 2, 3, 1, x % 2 + y % 3 * 2, 6 };

      for (int k = 0; k < 14; k++)
        out[i][k] = expected[k];
    }
  ref_same ("OUT", out, 4, 24 * 14);
}

static void
cluster_swap (void)
{
  int32_t *in = ref_ints ("IN", 1024, -1000, 1000), out[1024];

  for (int i = 0; i < 1024; i++)
    out[i] = in[(i / 128 ^ 3) * 128 + 127 - i % 128] + 4;
  ref_same ("OUT", out, 4, 1024);
}

static void
cluster_launched (void)
{
  int32_t *in = ref_ints ("IN", 768, -1000, 1000), out[768];

  for (int i = 0; i < 768; i++)
    {
      const int x = i / 64 % 3, y = i / 64 / 3;

      out[i] = 2 * in[((y ^ 1) * 3 + x) * 64 + (i % 64 ^ 5)] + 2;
    }
  ref_same ("OUT", out, 4, 768);
}

static void
cluster_histogram (void)
{
  uint32_t *in = ref_words ("IN", 3000), *counts = ref_words ("COUNTS", 256);

  for (int i = 0; i < 3000; i++)
    counts[in[i] % 256]++;
  ref_same ("COUNTS", counts, 4, 256);
}

static void
cluster_uneven (void)
{
  int32_t out[3][5];

  for (int cluster = 0; cluster < 3; cluster++)
    {
      int32_t sums[2] = { 0, 0 };

      for (int round = 0; round < 5; round++)
        {
          for (int warp = 0; warp < 4; warp++)
            sums[round % 2] += ((warp == 0 || round <= warp + 1) + (warp == 0 || round <= warp))
                               << round;
          out[cluster][round] = sums[round % 2];
        }
    }
  ref_same ("OUT", out, 4, 15);
}

static void
cluster_send (void)
{
  int32_t *in = ref_ints ("IN", 1536, -1000, 1000);
  uint32_t out[256] = { 0 };

  for (int i = 0; i < 256; i++)
    for (int round = 0; round < 6; round++)
      out[i] = out[i] * 3 + (uint32_t)in[((i / 64 ^ 1) * 6 + round) * 64 + (i % 64 ^ 7)];
  ref_same ("OUT", out, 4, 256);
}

static void
cluster_store (void)
{
  int32_t *in = ref_ints ("IN", 1792, -1000, 1000), out[4][448];

  for (int block = 0; block < 4; block++)
    for (int i = 0; i < 64; i++)
      for (int k = 0; k < 7; k++)
        out[block][k < 4   ? i * 4 + k
                   : k < 6 ? 256 + i * 2 + k - 4
                           : 384 + i]
            = in[((block ^ 1) * 64 + i) * 7 + k];
  ref_same ("OUT", out, 4, 1792);
}

static void
cluster_copy (void)
{
  int32_t *in = ref_ints ("IN", 256, -1000, 1000), out[256];

  for (int i = 0; i < 256; i++)
    out[i] = in[i ^ 64] * 3 + 1;
  ref_same ("OUT", out, 4, 256);
}

static void
cluster_multicast (void)
{
  int32_t *in = ref_ints ("IN", 2048, -1000, 1000), *more = ref_ints ("MORE", 128, -1000, 1000);
  uint32_t out[512] = { 0 };

  for (int i = 0; i < 512; i++)
    {
      const int block = i / 64, cluster = block / 4;

      for (int k = i % 64; k < 512; k += 64)
        out[i] = out[i] * 5 + (uint32_t)in[cluster * 1024 + k];
      for (int k = 1; k < 3; k++)
        out[i] = out[i] * 7 + (uint32_t)more[(cluster * 4 + (block + 4 - k) % 4) * 16 + i % 16];
    }
  ref_same ("OUT", out, 4, 512);
}

static void
cluster_ring (void)
{
  int32_t *in = ref_ints ("IN", 3072, -1000, 1000), *more = ref_ints ("MORE", 3072, -1000, 1000);
  uint32_t out[256] = { 0 };

  for (int i = 0; i < 256; i++)
    for (int step = 0; step < 12; step++)
      for (int k = i % 64; k < 256; k += 64)
        out[i] = out[i] * 3
                 + (uint32_t)(in[(step + i / 64) % 12 * 256 + k]
                              * more[(step + i / 128) % 12 * 256 + (k ^ 9)]);
  ref_same ("OUT", out, 4, 256);
}

static void
cluster_turns (void)
{
  int32_t out[256];

  for (int i = 0; i < 256; i++)
    {
      out[i] = i / 64;
      for (int step = 0; step < 9; step++)
        out[i] = out[i] * 3 + i % 64 + 32;
    }
  ref_same ("OUT", out, 4, 256);
}

static void
cluster_spaces (void)
{
  const uint32_t out[12] = { 0, 1, 1, 11, 101, 100, 0, 1, 0, 10, 100, 101 };

  ref_same ("OUT", out, 4, 12);
}

static void
cluster_reduce (void)
{
}

const RefCase ref_cases_cluster[] = { { "cluster_ids", cluster_ids },
                                      { "cluster_swap", cluster_swap },
                                      { "cluster_launched", cluster_launched },
                                      { "cluster_histogram", cluster_histogram },
                                      { "cluster_uneven", cluster_uneven },
                                      { "cluster_send", cluster_send },
                                      { "cluster_store", cluster_store },
                                      { "cluster_copy", cluster_copy },
                                      { "cluster_multicast", cluster_multicast },
                                      { "cluster_ring", cluster_ring },
                                      { "cluster_turns", cluster_turns },
                                      { "cluster_spaces", cluster_spaces },
                                      { "cluster_reduce", cluster_reduce },
                                      { NULL, NULL } };
