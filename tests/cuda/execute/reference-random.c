/* SPDX-License-Identifier: MIT */
/* random.cu and strings.cu. */
#include "tests/cuda/execute/reference.h"

#include <string.h>

static uint32_t
rotate (uint32_t x, int n)
{
  return x >> n | x << (32 - n);
}

static const uint32_t rounds[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

static void
digest (const uint8_t *bytes, uint32_t *state)
{
  static const uint32_t first[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
  uint32_t w[64], v[8];

  for (int i = 0; i < 64; i++)
    if (i < 16)
      w[i] = (uint32_t)bytes[4 * i] << 24 | (uint32_t)bytes[4 * i + 1] << 16
             | (uint32_t)bytes[4 * i + 2] << 8 | bytes[4 * i + 3];
    else
      w[i] = w[i - 16] + (rotate (w[i - 15], 7) ^ rotate (w[i - 15], 18) ^ w[i - 15] >> 3)
             + w[i - 7] + (rotate (w[i - 2], 17) ^ rotate (w[i - 2], 19) ^ w[i - 2] >> 10);
  memcpy (v, first, sizeof v);
  for (int i = 0; i < 64; i++)
    {
      uint32_t t1 = v[7] + (rotate (v[4], 6) ^ rotate (v[4], 11) ^ rotate (v[4], 25))
                    + ((v[4] & v[5]) ^ (~v[4] & v[6])) + rounds[i] + w[i];
      uint32_t t2 = (rotate (v[0], 2) ^ rotate (v[0], 13) ^ rotate (v[0], 22))
                    + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));

      memmove (v + 1, v, 7 * sizeof *v);
      v[4] += t1;
      v[0] = t1 + t2;
    }
  for (int i = 0; i < 8; i++)
    state[i] = first[i] + v[i];
}

static void
sha256 (void)
{
  uint8_t *in = ref_bytes ("IN", 100 * 64, 0, 255);
  uint32_t out[800];

  for (int i = 0; i < 100; i++)
    digest (in + 64 * i, out + 8 * i);
  ref_same ("OUT", out, 4, 800);
}

static void
crc32 (void)
{
  uint8_t *in = ref_bytes ("IN", 128 * 33, 0, 255);
  uint32_t table[256], out[128];

  for (uint32_t i = 0; i < 256; i++)
    {
      table[i] = i;
      for (int bit = 0; bit < 8; bit++)
        table[i] = table[i] & 1 ? 0xedb88320 ^ table[i] >> 1 : table[i] >> 1;
    }
  ref_give ("crc_table", table, sizeof table);
  for (int i = 0; i < 128; i++)
    {
      uint32_t crc = ~0u;

      for (int j = 0; j < 33; j++)
        crc = table[(crc ^ in[i * 33 + j]) & 0xff] ^ crc >> 8;
      out[i] = ~crc;
    }
  ref_same ("OUT", out, 4, 128);
}

static void
twist (uint32_t *state)
{
  for (int i = 0; i < 624; i++)
    {
      uint32_t y = (state[i] & 0x80000000) | (state[(i + 1) % 624] & 0x7fffffff);

      state[i] = state[(i + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908b0df : 0);
    }
}

static uint32_t
temper (uint32_t y)
{
  y ^= y >> 11;
  y ^= y << 7 & 0x9d2c5680;
  y ^= y << 15 & 0xefc60000;
  return y ^ y >> 18;
}

static void
mersenne (void)
{
  uint32_t *seeds = ref_words ("SEEDS", 64), out[64 * 6];

  for (int thread = 0; thread < 64; thread++)
    {
      uint32_t state[624] = { seeds[thread] };

      for (uint32_t i = 1; i < 624; i++)
        state[i] = 1812433253u * (state[i - 1] ^ state[i - 1] >> 30) + i;
      twist (state);
      for (int i = 0; i < 6; i++)
        out[thread * 6 + i] = temper (state[i * 100]);
    }
  ref_same ("OUT", out, 4, 64 * 6);
}

static void
mersenne_block (void)
{
  uint32_t *states = ref_words ("STATES", 1248), out[1248 * 3];

  for (int block = 0; block < 2; block++)
    for (int turn = 0; turn < 3; turn++)
      {
        twist (states + block * 624);
        for (int i = 0; i < 624; i++)
          out[(block * 3 + turn) * 624 + i] = temper (states[block * 624 + i]);
      }
  ref_same ("OUT", out, 4, 1248 * 3);
}

static void
philox (void)
{
  uint32_t out[192 * 4];

  for (uint32_t i = 0; i < 192; i++)
    {
      uint32_t c[4] = { i, i * 7, 1, 2 }, key0 = 0x12345678, key1 = 0x9abcdef0;

      for (int round = 0; round < 10; round++)
        {
          uint64_t a = (uint64_t)0xd2511f53 * c[0], b = (uint64_t)0xcd9e8d57 * c[2];
          uint32_t next[4] = { (uint32_t)(b >> 32) ^ c[1] ^ key0, (uint32_t)b,
                               (uint32_t)(a >> 32) ^ c[3] ^ key1, (uint32_t)a };

          memcpy (c, next, sizeof c);
          key0 += 0x9e3779b9;
          key1 += 0xbb67ae85;
        }
      memcpy (out + 4 * i, c, sizeof c);
    }
  ref_same ("OUT", out, 4, 192 * 4);
}

static void
mix_64 (void)
{
  uint64_t *in = ref_longs ("IN", 640), out[128];

  for (int i = 0; i < 128; i++)
    {
      uint64_t hash = 0x27d4eb2f165667c5u;

      for (int j = 0; j < 5; j++)
        {
          uint64_t lane = in[i * 5 + j] * 0xc2b2ae3d27d4eb4fu;

          hash ^= (lane << 31 | lane >> 33) * 0x9e3779b185ebca87u;
          hash = (hash << 27 | hash >> 37) * 0x9e3779b185ebca87u + 0x85ebca77c2b2ae63u;
        }
      hash ^= hash >> 33;
      hash *= 0xc2b2ae3d27d4eb4fu;
      hash ^= hash >> 29;
      hash *= 0x165667b19e3779f9u;
      out[i] = hash ^ hash >> 32;
    }
  ref_same ("OUT", out, 8, 128);
}

static void
galois (void)
{
  uint8_t *x = ref_bytes ("X", 128, 0, 255), *y = ref_bytes ("Y", 128, 0, 255), out[128] = { 0 };

  for (int i = 0; i < 128; i++)
    for (int bit = 7; bit >= 0; bit--)
      out[i] = (uint8_t)(out[i] << 1 ^ (out[i] & 0x80 ? 0x1b : 0) ^ (y[i] >> bit & 1 ? x[i] : 0));
  ref_same ("OUT", out, 1, 128);
}

static void
search (void)
{
  uint8_t *text = ref_bytes ("TEXT", 500, 'a', 'b'), *pattern = ref_bytes ("PATTERN", 3, 'a', 'b');
  int32_t found[500];

  for (int i = 0; i < 500; i++)
    {
      int j = 0;

      while (i + 3 <= 500 && j < 3 && text[i + j] == pattern[j])
        j++;
      found[i] = j == 3 ? 1 : -j;
    }
  ref_same ("FOUND", found, 4, 500);
}

static void
search_automaton (void)
{
  uint8_t *text = ref_bytes ("TEXT", 64 * 16, 'a', 'b');
  int32_t counts[64] = { 0 };

  ref_give ("PATTERN", "aabaX", 5);
  ref_give ("NEXT", (const int32_t[]){ 0, 0, 1, 0, 1 }, 20);
  for (int i = 0; i < 64 * 16; i++)
    counts[i / 16] += i % 16 <= 12 && memcmp (text + i, "aaba", 4) == 0;
  ref_same ("COUNTS", counts, 4, 64);
}

static int
least (int a, int b)
{
  return a < b ? a : b;
}

static void
levenshtein (void)
{
  uint8_t *a = ref_bytes ("A", 96 * 12, 'a', 'd'), *b = ref_bytes ("B", 96 * 12, 'a', 'd');
  int32_t out[96];

  for (int i = 0; i < 96; i++)
    {
      int table[13][13];

      for (int j = 0; j < 13; j++)
        for (int k = 0; k < 13; k++)
          table[j][k]
              = j == 0 || k == 0
                    ? j + k
                    : least (least (table[j - 1][k], table[j][k - 1]) + 1,
                             table[j - 1][k - 1] + (a[i * 12 + j - 1] != b[i * 12 + k - 1]));
      out[i] = table[12][12];
    }
  ref_same ("OUT", out, 4, 96);
}

static void
align (void)
{
  uint8_t *a = ref_bytes ("A", 48, 'a', 'd'), *b = ref_bytes ("B", 48, 'a', 'd');
  int32_t table[49][49];

  for (int i = 0; i < 49; i++)
    for (int j = 0; j < 49; j++)
      if (i == 0 || j == 0)
        table[i][j] = -2 * (i + j);
      else
        table[i][j] = -least (-table[i - 1][j - 1] - (a[i - 1] == b[j - 1] ? 3 : -1),
                              least (-table[i - 1][j], -table[i][j - 1]) + 2);
  ref_same ("TABLE", table, 4, 49 * 49);
}

static void
knapsack (void)
{
  int32_t *weights = ref_ints ("WEIGHTS", 20, 1, 40), *values = ref_ints ("VALUES", 20, 1, 100),
          best[201] = { 0 };

  for (int item = 0; item < 20; item++)
    for (int i = 200; i >= weights[item]; i--)
      best[i] = -least (-best[i], -best[i - weights[item]] - values[item]);
  ref_same ("OUT", best, 4, 201);
}

static void
floyd (void)
{
  int32_t *distances = ref_ints ("DISTANCES", 900, 1, 1000);

  for (int i = 0; i < 30; i++)
    distances[i * 30 + i] = 0;
  ref_give ("DISTANCES", distances, 900 * 4);
  for (int k = 0; k < 30; k++)
    for (int i = 0; i < 900; i++)
      distances[i] = least (distances[i], distances[i / 30 * 30 + k] + distances[k * 30 + i % 30]);
  ref_same ("DISTANCES", distances, 4, 900);
}

static void
upper (void)
{
  uint8_t *text = ref_bytes ("TEXT", 250, ' ', '~');
  int32_t counts[26] = { 0 };

  for (int i = 0; i < 250; i++)
    if (text[i] >= 'a' && text[i] <= 'z')
      {
        counts[text[i] - 'a']++;
        text[i] -= 32;
      }
    else if (text[i] == ' ')
      text[i] = '_';
  ref_same ("TEXT", text, 1, 250);
  ref_same ("COUNTS", counts, 4, 26);
}

static void
base64 (void)
{
  uint8_t *in = ref_bytes ("IN", 150, 0, 255), out[200];

  for (int i = 0; i < 200; i++)
    {
      const uint8_t *from = in + i / 4 * 3;
      uint32_t digit
          = ((uint32_t)from[0] << 16 | (uint32_t)from[1] << 8 | from[2]) >> (18 - i % 4 * 6) & 63;

      out[i] = (uint8_t)(digit < 26    ? 'A' + digit
                         : digit < 52  ? 'a' + digit - 26
                         : digit < 62  ? '0' + digit - 52
                         : digit == 62 ? '+'
                                       : '/');
    }
  ref_same ("OUT", out, 1, 200);
}

const RefCase ref_cases_random[] = { { "sha256", sha256 },
                                     { "crc32", crc32 },
                                     { "mersenne", mersenne },
                                     { "mersenne_block", mersenne_block },
                                     { "philox", philox },
                                     { "mix_64", mix_64 },
                                     { "galois", galois },
                                     { "search", search },
                                     { "search_automaton", search_automaton },
                                     { "levenshtein", levenshtein },
                                     { "align", align },
                                     { "knapsack", knapsack },
                                     { "floyd", floyd },
                                     { "upper", upper },
                                     { "base64", base64 },
                                     { NULL, NULL } };
