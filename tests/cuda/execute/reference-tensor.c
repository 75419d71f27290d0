/* SPDX-License-Identifier: MIT */
/* tensor.cu. */
#include <math.h>
#include <string.h>

#include "tests/cuda/execute/reference.h"

static void
tensor_scale (void)
{
  float *in = ref_floats ("IN", 5000, -10, 10), out[5000];

  for (int i = 0; i < 5000; i++)
    out[i] = fmaf (in[i], 3, 1);
  ref_same ("OUT", out, 4, 5000);
}

static float
get_inside (const float *in, int x, int y)
{
  return x < 0 || x >= 100 || y < 0 || y >= 60 ? 0 : in[y * 100 + x];
}

static void
tensor_halo (void)
{
  float *in = ref_floats ("IN", 6000, -10, 10), out[6000];

  for (int y = 0; y < 60; y++)
    for (int x = 0; x < 100; x++)
      out[y * 100 + x] = get_inside (in, x, y - 1) + get_inside (in, x, y + 1)
                         + get_inside (in, x - 1, y) + get_inside (in, x + 1, y);
  ref_same ("OUT", out, 4, 6000);
}

static void
tensor_swizzle (void)
{
  static const struct
  {
    int columns, x, y; /* of the box: how many, and where it begins */
  } boxes[] = { { 16, 16, 3 }, { 32, 32, 7 }, { 64, 0, 11 } };
  uint16_t *in = ref_halves ("IN", 64 * 32, -10, 10), out[3][512] = { { 0 } };

  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 8 * boxes[k].columns; i++)
      {
        int x = i % boxes[k].columns, y = i / boxes[k].columns, line = i / 64; /* of 128 bytes */
        int piece = i / 8 ^ (line & (boxes[k].columns / 8 - 1));

        out[k][piece * 8 + i % 8] = in[(boxes[k].y + y) * 64 + boxes[k].x + x];
      }
  ref_same ("OUT", out, 2, 3 * 512);
}

/* Element (X, Y, Z, U, V) of an array of SIZES with STRIDES, BYTES each; 0 where there is none. */
static uint64_t
get_element (const uint8_t *in, int bytes, const int at[5], const int sizes[5],
             const int strides[5])
{
  uint64_t value = 0;
  int offset = 0;

  for (int k = 0; k < 5; k++)
    {
      if (at[k] < 0 || at[k] >= sizes[k])
        return 0;
      offset += at[k] * strides[k];
    }
  memcpy (&value, in + offset, (size_t)bytes);
  return value;
}

/* The box of BOX elements that begins at FIRST, as bytes. */
static void
get_box (const uint8_t *in, int bytes, const int sizes[5], const int strides[5], const int box[5],
         const int first[5], uint8_t *out)
{
  int at[5];

  for (int v = 0; v < box[4]; v++)
    for (int u = 0; u < box[3]; u++)
      for (int z = 0; z < box[2]; z++)
        for (int y = 0; y < box[1]; y++)
          for (int x = 0; x < box[0]; x++, out += bytes)
            {
              const int place[5] = { x, y, z, u, v };
              uint64_t value;

              for (int k = 0; k < 5; k++)
                at[k] = first[k] + place[k];
              value = get_element (in, bytes, at, sizes, strides);
              memcpy (out, &value, (size_t)bytes);
            }
}

static void
tensor_many (void)
{
  static const int sizes[4][5]
      = { { 500, 1, 1, 1, 1 }, { 64, 5, 9, 1, 1 }, { 48, 3, 4, 2, 1 }, { 39, 3, 4, 2, 3 } };
  static const int strides[4][5] = {
    { 8, 0, 0, 0, 0 }, { 4, 256, 1280, 0, 0 }, { 1, 48, 144, 576, 0 }, { 1, 48, 160, 640, 1280 }
  };
  static const int boxes[4][5]
      = { { 128, 1, 1, 1, 1 }, { 8, 3, 4, 1, 1 }, { 16, 2, 3, 2, 1 }, { 16, 2, 3, 2, 2 } };
  static const int first[4][5]
      = { { 400, 0, 0, 0, 0 }, { 60, 3, -1, 0, 0 }, { 16, 1, 2, 0, 0 }, { 29, 1, 2, 1, 1 } };
  static const int bytes[4] = { 8, 4, 1, 1 };
  uint8_t *in = ref_bytes ("IN", 16384, 0, 255), out[4][1024];

  for (int k = 0; k < 4; k++)
    {
      for (int i = 0; i < 256; i++)
        memcpy (out[k] + 4 * i, (const uint8_t[]){ 7, 0, 0, 0 }, 4);
      get_box (in + (k == 2 ? 16 : 0), bytes[k], sizes[k], strides[k], boxes[k], first[k], out[k]);
    }
  ref_same ("OUT", out, 1, 4096);
}

static void
tensor_add (void)
{
  uint32_t *sums = ref_words ("SUMS", 800), first_sums[800];
  int32_t *most = ref_ints ("MOST", 800, -50, 50), first_most[800];
  uint16_t *halves = ref_new (1600);
  float *floats = ref_new (800 * sizeof *floats), first_floats[800];

  for (int i = 0; i < 800; i++)
    {
      halves[i] = ref_half (i % 9);
      floats[i] = (float)ref_number (0, 1000) * 0.25F; /* exact, in whatever order */
    }
  ref_give ("FLOATS", floats, 3200);
  ref_give ("HALVES", halves, 1600);
  memcpy (first_sums, sums, sizeof first_sums);
  memcpy (first_most, most, sizeof first_most);
  memcpy (first_floats, floats, sizeof first_floats);
  for (int block = 0; block < 3; block++)
    for (int i = 0; i < 256; i++)
      {
        int x = block * 8 + i % 32, y = block * 7 + i / 32, u = x - 2, v = y - 3;
        int number = (i * 37 + block * 11) % 201 - 100;

        if (u >= 0 && u < 40 && v >= 0 && v < 20 && first_most[v * 40 + u] < number)
          first_most[v * 40 + u] = number;
        if (x >= 40 || y >= 20)
          continue;
        first_sums[y * 40 + x] += (uint32_t)(i * (block + 1));
        halves[y * 40 + x] = ref_half (ref_from_half (halves[y * 40 + x]) + 1);
        first_floats[y * 40 + x] += (float)i * 0.25F;
      }
  ref_same ("SUMS", first_sums, 4, 800);
  ref_same ("MOST", first_most, 4, 800);
  ref_same ("HALVES", halves, 2, 800);
  ref_same ("FLOATS", first_floats, 4, 800);
}

static void
tensor_map_in_memory (void)
{
  float *in = ref_floats ("IN", 240, -10, 10), out[128];

  for (int i = 0; i < 128; i++)
    out[i] = (4 + i / 16 < 10 && 8 + i % 16 < 24 ? in[(4 + i / 16) * 24 + 8 + i % 16] : 0) + in[0];
  ref_same ("OUT", out, 4, 128);
}

const RefCase ref_cases_tensor[] = { { "tensor_scale", tensor_scale },
                                     { "tensor_halo", tensor_halo },
                                     { "tensor_swizzle", tensor_swizzle },
                                     { "tensor_many", tensor_many },
                                     { "tensor_add", tensor_add },
                                     { "tensor_map_in_memory", tensor_map_in_memory },
                                     { NULL, NULL } };
