/* SPDX-License-Identifier: MIT */
/* calls.cu, language.cu, notes.cu, unoptimized.cu. */
#include "tests/cuda/execute/reference.h"

#include <stdlib.h>
#include <string.h>

static uint32_t
call_mixed (uint32_t a, uint32_t b)
{
  for (uint32_t i = 0; i < (b & 3); i++)
    a += a * i + 1;
  return a;
}

static void
call_table (void)
{
  uint32_t *in = ref_words ("IN", 192), out[192];

  for (uint32_t i = 0; i < 192; i++)
    switch (in[i] & 3)
      {
      case 0:
        out[i] = in[i] + i;
        break;
      case 1:
        out[i] = in[i] - i;
        break;
      case 2:
        out[i] = in[i] * i + 1;
        break;
      default:
        out[i] = call_mixed (in[i], i);
      }
  ref_same ("OUT", out, 4, 192);
}

static void
call_recursive (void)
{
  uint32_t *in = ref_words ("IN", 96), out[96], numbers[12] = { 0, 1 };

  for (int i = 2; i < 12; i++)
    numbers[i] = numbers[i - 1] + numbers[i - 2];
  for (int i = 0; i < 96; i++)
    out[i] = numbers[in[i] % 12];
  ref_same ("OUT", out, 4, 96);
}

static void
call_virtual (void)
{
  float *in = ref_floats ("IN", 128, 0, 1), out[128];

  for (int i = 0; i < 128; i++)
    out[i] = in[i] > 0.5F ? in[i] * in[i] : in[i] * 4.0F * 0.5F;
  ref_same ("OUT", out, 4, 128);
}

static uint32_t
count_ones (uint32_t value)
{
  uint32_t count = 0;

  for (; value != 0; value &= value - 1)
    count++;
  return count;
}

static uint32_t
reverse (uint32_t value)
{
  uint32_t result = 0;

  for (int i = 0; i < 32; i++)
    result |= (value >> i & 1) << (31 - i);
  return result;
}

static uint32_t
count_leading (uint32_t value)
{
  uint32_t count = 0;

  while (count < 32 && !(value >> (31 - count) & 1))
    count++;
  return count;
}

static void
switch_table (void)
{
  uint32_t *in = ref_words ("IN", 256), out[256];

  for (int i = 0; i < 256; i++)
    {
      uint32_t value = in[i];
      uint32_t results[13] = { value * 3 + 1,     value ^ 0x1234,
                               value >> 3,        count_ones (value),
                               value / 77,        ~value,
                               value * value,     reverse (value),
                               value % 1009,      value << 5 | value >> 27,
                               10 - value,        count_leading (value),
                               value & 0xf0f0f0f0 };

      out[i] = results[value % 13];
    }
  ref_same ("OUT", out, 4, 256);
}

static void
interpret (void)
{
  static const uint8_t code[24]
      = { 0, 1, 2, 5, 4, 6, 7, 0, 3, 5, 6, 8, 7, 1, 2, 0, 4, 6, 6, 7, 8, 0, 3, 9 };
  uint32_t out[128];

  ref_give ("CODE", code, sizeof code);
  for (uint32_t i = 0; i < 128; i++)
    {
      uint32_t stack[16], *top = stack;

      for (uint32_t at = 0; at < 24 && code[at] != 9; at++)
        switch (code[at])
          {
          case 0:
            *top++ = i;
            break;
          case 1:
            *top++ = at;
            break;
          case 2:
            top--;
            top[-1] += *top;
            break;
          case 3:
            top--;
            top[-1] -= *top;
            break;
          case 4:
            top--;
            top[-1] *= *top;
            break;
          case 5:
            *top = top[-1];
            top++;
            break;
          case 6:
            at += top[-1] & 1;
            break;
          case 7:
            top[-1] = top[-1] * 2 + 1;
            break;
          default:
            top[-1] ^= 0x2a;
          }
      out[i] = top > stack ? top[-1] : ~0u;
    }
  ref_same ("OUT", out, 4, 128);
}

static int
compare_shorts (const void *a, const void *b)
{
  return *(const int16_t *)a - *(const int16_t *)b;
}

static void
quicksort (void)
{
  int16_t *data = (int16_t *)ref_words ("IN", 384);

  for (int i = 0; i < 768; i += 24)
    qsort (data + i, 24, 2, compare_shorts);
  ref_same ("OUT", data, 2, 768);
}

static void
ackermann (void)
{
  int32_t out[32];

  for (int i = 0; i < 32; i++)
    {
      int n = i / 3 % 5;

      out[i] = i % 3 == 0 ? n + 1 : i % 3 == 1 ? n + 2 : 2 * n + 3;
    }
  ref_same ("OUT", out, 4, 32);
}

static void
local_arrays (void)
{
  uint8_t *in = ref_bytes ("IN", 96 * 20, 0, 255);
  uint32_t out[192];

  for (int i = 0; i < 96; i++)
    {
      uint32_t counts[16] = { 0 }, sum = 0, wide[5] = { 1, 2, 3, 4, 5 };

      for (uint32_t j = 0; j < 20; j++)
        {
          uint32_t value = in[i * 20 + (int)j];

          counts[value & 15] += j;
          wide[value % 5] += counts[value >> 4];
        }
      for (int j = 0; j < 16; j++)
        sum = sum * 3 + counts[j];
      out[2 * i] = sum;
      out[2 * i + 1] = wide[0] ^ wide[1] << 1 ^ wide[2] << 2 ^ wide[in[i * 20] % 5] << 3;
    }
  ref_same ("OUT", out, 4, 192);
}

static void
by_value (void)
{
  double out[128];

  for (int i = 0; i < 128; i++)
    {
      out[i] = 1.25 + 7;
      for (int j = 0; j < 3; j++)
        out[i] += ((i + j) % 4 + 1) * 2.5;
    }
  ref_same ("OUT", out, 8, 128);
}

static void
variables (void)
{
  double out[64];

  for (int i = 0; i < 64; i++)
    out[i] = (i < 6 ? i / 2 - 20 : 0) + (100 + 320 - 192) * 1000.0 + 0.375 + 5 - 2;
  ref_same ("OUT", out, 8, 64);
}

static void
constants (void)
{
  static const int primes[8] = { 2, 3, 5, 7, 11, 13, 17, 19 };
  float *weights = ref_floats ("weights", 32, -1, 1);
  double out[128];

  for (int i = 0; i < 128; i++)
    out[i] = (double)weights[i % 32] * primes[i % 8] + 7 - 7 + 1099511627776.0;
  ref_near_doubles ("OUT", out, 128, 1e-18, 2e-3);
}

static void
templates (void)
{
  int32_t out[128];

  for (int i = 0; i < 128; i++)
    out[i] = (i * 3 + 11) / 2;
  ref_same ("OUT", out, 4, 128);
}

static void
templates_double (void)
{
  double out[128];

  for (int i = 0; i < 128; i++)
    out[i] = (i * 7 + 11) / 2.0;
  ref_same ("OUT", out, 8, 128);
}

static void
dynamic_shared (void)
{
  int32_t *in = ref_ints ("IN", 128, -1000, 1000);
  double out[128];

  for (int i = 0; i < 128; i++)
    out[i] = in[i ^ 63] * 0.5 + in[i / 64 * 64 + (i + 1) % 64];
  ref_same ("OUT", out, 8, 128);
}

static void
special_registers (void)
{
  uint32_t *out = ref_new (12 * 120 * 16);

  for (uint32_t i = 0; i < 12 * 120; i++)
    {
      uint32_t block = i / 120, thread = i % 120, lane = thread % 32;

      out[4 * i] = thread % 4 | thread / 4 % 5 << 4 | thread / 20 << 8 | block % 2 << 12
                   | block / 2 % 3 << 16 | block / 6 << 20;
      out[4 * i + 1] = 4 | 5 << 4 | 6 << 8 | 2 << 12 | 3 << 16 | 2 << 20;
      out[4 * i + 2] = lane | 32 << 8;
      out[4 * i + 3] = (1u << lane) - 1;
    }
  ref_same ("OUT", out, 4, 4 * 12 * 120);
}

static void
generic (void)
{
  static const int primes[] = { 2, 3, 5, 7, 11, 13, 17 };
  int32_t *in = ref_ints ("IN", 128, -1000, 1000), out[128];

  for (int i = 0; i < 128; i++)
    {
      int sum = 0;

      for (int j = 0; j < 4; j++)
        sum += i % 5 == 1   ? 2 * in[i / 64 * 64 + (i & 60) + j]
               : i % 5 == 2 ? in[(i + j) % 128] ^ j
               : i % 5 == 3 ? in[64 + j]
               : i % 5 == 4 ? primes[i % 4 + j]
               : j == 0     ? in[i]
                            : 0;
      out[i] = sum + (const int[]){ 2000, 1000, 3000, 2000, 4000 }[i % 5];
    }
  ref_same ("OUT", out, 4, 128);
}

static void
pointers (void)
{
  int32_t *in = ref_ints ("IN", 128, -1000, 1000), out[128];

  for (int i = 0; i < 128; i++)
    {
      out[i] = 0;
      for (int j = i; j <= (i | 7); j++)
        out[i] = out[i] * 2 + in[j];
    }
  ref_same ("OUT", out, 4, 128);
}

static void
many_parameters (void)
{
  double out[32];

  for (int i = 0; i < 32; i++)
    out[i] = 1 - 4 + 9 + 18 + 26.25 - 36 + 49 + 64 + 81 + 100 + 11 - 144 + i;
  ref_near_doubles ("OUT", out, 32, 1e-9, 0);
}

static void
lambdas (void)
{
  int32_t *in = ref_ints ("IN", 300, -1000, 1000), out[300];

  for (int i = 0; i < 300; i++)
    out[i] = in[i] * 3 - in[0];
  ref_same ("OUT", out, 4, 300);
}

static void
print (void)
{
  int32_t out[64];

  for (int i = 0; i < 64; i++)
    out[i] = i * i;
  ref_same ("OUT", out, 4, 64);
}

static void
asserted (void)
{
  int32_t *in = ref_ints ("IN", 64, 0, 1000);

  for (int i = 0; i < 64; i++)
    in[i]++;
  ref_same ("OUT", in, 4, 64);
}

static void
divergent (void)
{
  uint32_t out[256];

  for (uint32_t i = 0; i < 256; i++)
    {
      out[i] = i;
      for (uint32_t j = 0; j <= i % 32; j++)
        out[i] = j % 3 == 0 ? out[i] * 1664525 + 1013904223 : out[i] ^ out[i] >> 7;
    }
  ref_same ("OUT", out, 4, 256);
}

static void
tiles (void)
{
  int32_t out[32 * 32];

  for (int i = 0; i < 32 * 32; i++)
    out[i] = i / 32 + i % 32;
  ref_same ("OUT", out, 4, 32 * 32);
}

static void
narrow_parameters (void)
{
  double out[64];

  for (int i = 0; i < 64; i++)
    out[i] = -3 * 2.0 + 200 * 3.0 - 300 * 5.0 + 60000 * 7.0 - 12 * 11.0 + i;
  ref_near_doubles ("OUT", out, 64, 1e-9, 0);
}

static void
bit_fields (void)
{
  uint32_t *in = ref_words ("IN", 128), out[128];

  for (uint32_t i = 0; i < 128; i++)
    {
      uint32_t middle = in[i] >> 5 & 0x7ff, low = (in[i] + middle) & 0x1f;
      int sign = (i & 0x3f) - (i & 0x40) - (low & 1 ? 3 : 0);

      sign = sign < -64 ? sign + 128 : sign;
      out[i] = low + middle * 3 + (i & 1) * 5 + (in[i] >> 17) * 7 + (uint32_t)sign * 11;
    }
  ref_same ("OUT", out, 4, 128);
}

static uint32_t
walk (int depth, uint32_t state)
{
  uint32_t sum = 0;

  if (depth == 0)
    return state & 15;
  for (int k = 0; k < 3; k++)
    {
      state = state * 1664525 + 1013904223;
      if (state >> 29 == 0)
        break;
      if (state >> 29 == 1)
        continue;
      sum += walk (depth - 1, state);
      if (sum > 1000)
        return sum;
    }
  return sum;
}

static void
calls_in_loops (void)
{
  uint32_t *in = ref_words ("IN", 128), out[128];

  for (int i = 0; i < 128; i++)
    out[i] = walk (5, in[i]);
  ref_same ("OUT", out, 4, 128);
}

static void
barrier_by_hand (void)
{
  int32_t *in = ref_ints ("IN", 128, -1000, 1000), out[128];

  for (int i = 0; i < 128; i++)
    out[i] = in[i ^ 63];
  ref_same ("OUT", out, 4, 128);
}

static void
add_by_exchange (void)
{
  uint32_t *in = ref_words ("IN", 128);
  uint64_t out[128], sums[2][2] = { { 0 } };

  for (int i = 0; i < 128; i++)
    {
      sums[i / 64][1] += in[i];
      sums[i / 64][0] += (uint64_t)in[i] * in[i];
    }
  for (int i = 0; i < 128; i++)
    out[i] = sums[i / 64][i % 2];
  ref_same ("OUT", out, 8, 128);
}

static void
destructors (void)
{
  int32_t *in = ref_ints ("IN", 128, -1000, 1000), out[128];

  for (int i = 0; i < 128; i++)
    out[i] = in[i] & 1 ? in[i] : in[i] * in[i];
  ref_same ("OUT", out, 4, 128);
}

static void
parameter_pointer (void)
{
  static const uint32_t primes[7] = { 2, 3, 5, 7, 11, 13, 17 };
  uint32_t out[64];

  for (uint32_t i = 0; i < 64; i++)
    out[i] = (primes[i % 7] << 5) + 3;
  ref_same ("OUT", out, 4, 64);
}

/* sizes.cu. */
static void
sizes (void)
{
  uint32_t out[2][4];

  for (int i = 0; i < 2; i++)
    {
      const uint32_t expected[4] = { 250, 256, 1, 31 };

      memcpy (out[i], expected, sizeof expected);
    }
  ref_same ("OUT", out, 4, 8);
}

static void
sizes_end (void)
{
  const uint32_t out[3] = { 7 + 3 * 32, 7 + 3 * 32, 7 + 3 * 32 };

  ref_same ("OUT", out, 4, 3);
}

static void
sizes_wide (void)
{
  uint64_t out[2][6];

  for (uint64_t block = 0; block < 2; block++)
    {
      const uint64_t low = 7 + 3 * (63 * 64 / 2) + 64 * (5 + block), high = 5 + 64 * 65 / 2;
      const uint64_t expected[6] = { low, high, 9, 8, low, high };

      memcpy (out[block], expected, sizeof expected);
    }
  ref_same ("OUT", out, 8, 12);
}

static void
sizes_texts (void)
{
  int32_t *in = ref_ints ("IN", 32, 0, 259), out[32];

  for (int i = 0; i < 32; i++)
    out[i] = '0' + in[i] % 10;
  ref_same ("OUT", out, 4, 32);
}

const RefCase ref_cases_language[] = { { "call_table", call_table },
                                       { "parameter_pointer", parameter_pointer },
                                       { "call_recursive", call_recursive },
                                       { "call_virtual", call_virtual },
                                       { "switch_table", switch_table },
                                       { "interpret", interpret },
                                       { "quicksort", quicksort },
                                       { "ackermann", ackermann },
                                       { "local_arrays", local_arrays },
                                       { "by_value", by_value },
                                       { "variables", variables },
                                       { "constants", constants },
                                       { "templates", templates },
                                       { "templates_double", templates_double },
                                       { "dynamic_shared", dynamic_shared },
                                       { "special_registers", special_registers },
                                       { "generic", generic },
                                       { "pointers", pointers },
                                       { "many_parameters", many_parameters },
                                       { "lambdas", lambdas },
                                       { "print", print },
                                       { "asserted", asserted },
                                       { "divergent", divergent },
                                       { "narrow_parameters", narrow_parameters },
                                       { "tiles", tiles },
                                       { "bit_fields", bit_fields },
                                       { "calls_in_loops", calls_in_loops },
                                       { "barrier_by_hand", barrier_by_hand },
                                       { "add_by_exchange", add_by_exchange },
                                       { "destructors", destructors },
                                       { "sizes", sizes },
                                       { "sizes_end", sizes_end },
                                       { "sizes_wide", sizes_wide },
                                       { "sizes_texts", sizes_texts },
                                       { NULL, NULL } };
