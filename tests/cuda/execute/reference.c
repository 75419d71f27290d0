/* SPDX-License-Identifier: MIT */
/* reference CASE FOLDER make: writes the buffers that the kernels of CASE are given to FOLDER, one
 * file each (NAME.in), and the names of those to be dumped (dumps). reference CASE FOLDER check:
 * compares those that were dumped there (NAME.out) with what they should hold. reference: lists
 * the cases. */
#include "tests/cuda/execute/reference.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const RefCase *const families[]
    = { ref_cases_basic,  ref_cases_integer, ref_cases_float,    ref_cases_half,
        ref_cases_matrix, ref_cases_warp,    ref_cases_image,    ref_cases_science,
        ref_cases_random, ref_cases_graph,   ref_cases_language, ref_cases_library,
        ref_cases_grid,   ref_cases_bulk,    ref_cases_barrier,  ref_cases_quantize,
        ref_cases_tensor, ref_cases_roles,   ref_cases_cluster };

static const char *folder;
static bool is_check;
static unsigned n_wrong, n_compared;
static uint64_t state;

/* What was made, all of it until the program ends. */
typedef union Made
{
  union Made *before;
  max_align_t align;
} Made;

void *
ref_new (size_t n_bytes)
{
  static Made *last;
  Made *made = calloc (1, sizeof *made + n_bytes + 1);

  if (made == NULL)
    exit (3);
  made->before = last;
  last = made;
  return made + 1;
}

/* Steele et al., "Fast splittable pseudorandom number generators" (2014). */
uint32_t
ref_random (void)
{
  uint64_t z = state += 0x9e3779b97f4a7c15u;

  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (z ^ z >> 31) >> 32;
}

double
ref_between (double low, double high)
{
  return low + (high - low) * (ref_random () / 4294967296.0);
}

int
ref_number (int low, int high)
{
  return (int)((uint32_t)low + ref_random () % ((uint32_t)high - (uint32_t)low + 1));
}

static FILE *
open_buffer (const char *name, const char *suffix, const char *mode)
{
  char path[4096];
  FILE *file;

  snprintf (path, sizeof path, "%s/%s%s", folder, name, suffix);
  file = fopen (path, mode);
  if (file == NULL)
    {
      perror (path);
      exit (2);
    }
  return file;
}

void
ref_give (const char *name, const void *data, size_t n_bytes)
{
  FILE *file;

  if (is_check)
    return;
  file = open_buffer (name, ".in", "wb");
  if (fwrite (data, 1, n_bytes, file) != n_bytes || fclose (file) != 0)
    {
      perror (name);
      exit (2);
    }
}

float *
ref_floats (const char *name, size_t n, double low, double high)
{
  float *data = ref_new (n * sizeof *data);

  for (size_t i = 0; i < n; i++)
    data[i] = (float)ref_between (low, high);
  ref_give (name, data, n * sizeof *data);
  return data;
}

double *
ref_doubles (const char *name, size_t n, double low, double high)
{
  double *data = ref_new (n * sizeof *data);

  for (size_t i = 0; i < n; i++)
    data[i] = ref_between (low, high) + ref_between (-1e-10, 1e-10);
  ref_give (name, data, n * sizeof *data);
  return data;
}

int32_t *
ref_ints (const char *name, size_t n, int low, int high)
{
  int32_t *data = ref_new (n * sizeof *data);

  for (size_t i = 0; i < n; i++)
    data[i] = ref_number (low, high);
  ref_give (name, data, n * sizeof *data);
  return data;
}

uint32_t *
ref_words (const char *name, size_t n)
{
  uint32_t *data = ref_new (n * sizeof *data);

  for (size_t i = 0; i < n; i++)
    data[i] = ref_random () >> (i % 3 == 0 ? ref_random () % 32 : 0);
  ref_give (name, data, n * sizeof *data);
  return data;
}

uint64_t *
ref_longs (const char *name, size_t n)
{
  uint64_t *data = ref_new (n * sizeof *data);

  for (size_t i = 0; i < n; i++)
    {
      data[i] = ((uint64_t)ref_random () << 32 | ref_random ())
                >> (i % 3 == 0 ? ref_random () % 64 : 0);
      data[i] = i % 5 == 1 ? -data[i] : data[i];
    }
  ref_give (name, data, n * sizeof *data);
  return data;
}

uint8_t *
ref_bytes (const char *name, size_t n, int low, int high)
{
  uint8_t *data = ref_new (n);

  for (size_t i = 0; i < n; i++)
    data[i] = (uint8_t)ref_number (low, high);
  ref_give (name, data, n);
  return data;
}

uint16_t *
ref_halves (const char *name, size_t n, double low, double high)
{
  uint16_t *data = ref_new (n * sizeof *data);

  for (size_t i = 0; i < n; i++)
    data[i] = ref_half (ref_between (low, high));
  ref_give (name, data, n * sizeof *data);
  return data;
}

uint16_t *
ref_bfloats (const char *name, size_t n, double low, double high)
{
  uint16_t *data = ref_new (n * sizeof *data);

  for (size_t i = 0; i < n; i++)
    data[i] = ref_bfloat (ref_between (low, high));
  ref_give (name, data, n * sizeof *data);
  return data;
}

void
ref_wrong (const char *format, ...)
{
  va_list arguments;

  if (++n_wrong > 8)
    return;
  va_start (arguments, format);
  vprintf (format, arguments);
  va_end (arguments);
  putchar ('\n');
}

const void *
ref_dumped (const char *name, size_t n_bytes)
{
  FILE *file;
  void *data;
  size_t n_read;

  if (!is_check)
    {
      file = open_buffer ("dumps", "", "a");
      fprintf (file, "%s\n", name);
      fclose (file);
      return NULL;
    }
  file = open_buffer (name, ".out", "rb");
  data = ref_new (n_bytes);
  n_read = fread (data, 1, n_bytes, file);
  fclose (file);
  n_compared++;
  if (n_read < n_bytes)
    ref_wrong ("%s: %zu bytes, %zu expected", name, n_read, n_bytes);
  return data;
}

static uint64_t
get_element (const void *data, size_t size, size_t i)
{
  uint64_t element = 0;

  for (size_t j = size; j-- > 0;)
    element = element << 8 | ((const uint8_t *)data)[i * size + j];
  return element;
}

void
ref_same (const char *name, const void *expected, size_t size, size_t n)
{
  const void *data = ref_dumped (name, size * n);

  for (size_t i = 0; data != NULL && i < n; i++)
    {
      uint64_t is = get_element (data, size, i), should = get_element (expected, size, i);

      if (is != should)
        ref_wrong ("%s[%zu]: 0x%0*" PRIx64 ", expected 0x%0*" PRIx64, name, i, (int)size * 2, is,
                   (int)size * 2, should);
    }
}

static void
compare (const char *name, size_t i, double is, double should, double relative, double absolute)
{
  bool same = isnan (should)   ? isnan (is)
              : isinf (should) ? is == should
                               : fabs (is - should) <= relative * fabs (should) + absolute;

  if (!same)
    ref_wrong ("%s[%zu]: %.17g, expected %.17g", name, i, is, should);
}

void
ref_near (const char *name, const double *expected, size_t n, double relative, double absolute)
{
  const float *data = ref_dumped (name, n * sizeof *data);

  for (size_t i = 0; data != NULL && i < n; i++)
    compare (name, i, data[i], expected[i], relative, absolute);
}

void
ref_near_doubles (const char *name, const double *expected, size_t n, double relative,
                  double absolute)
{
  const double *data = ref_dumped (name, n * sizeof *data);

  for (size_t i = 0; data != NULL && i < n; i++)
    compare (name, i, data[i], expected[i], relative, absolute);
}

void
ref_near_halves (const char *name, const double *expected, size_t n, double relative,
                 double absolute)
{
  const uint16_t *data = ref_dumped (name, n * sizeof *data);

  for (size_t i = 0; data != NULL && i < n; i++)
    compare (name, i, ref_from_half (data[i]), expected[i], relative, absolute);
}

/* VALUE with BITS of fraction, an exponent of LEAST at least, and LARGEST as the largest; as bits
 * of 16. */
static uint16_t
narrow (double value, int bits, int least, bool to_zero)
{
  double magnitude = fabs (value), steps;
  uint16_t sign = signbit (value) ? 0x8000 : 0, infinity = (uint16_t)((1u << 15) - (1u << bits));
  int exponent;
  uint32_t code;

  if (isnan (value))
    return 0x7fff;
  if (isinf (value))
    return sign | infinity;
  exponent = magnitude > 0 ? ilogb (magnitude) : least;
  exponent = exponent < least ? least : exponent;
  steps = ldexp (magnitude, bits - exponent);
  code = (uint32_t)(to_zero ? floor (steps) : nearbyint (steps));
  /* Of a subnormal the steps are the code; else the leading one is that of the exponent above. */
  code += (uint32_t)(exponent - least) << bits;
  if (code >= infinity)
    code = to_zero ? infinity - 1u : infinity;
  return sign | (uint16_t)code;
}

static double
widen (uint16_t code, int bits, int least)
{
  unsigned exponent = (code & 0x7fff) >> bits, fraction = code & ((1u << bits) - 1);
  double magnitude;

  if (exponent == (0x7fffu >> bits))
    magnitude = fraction != 0 ? NAN : INFINITY;
  else if (exponent == 0)
    magnitude = ldexp (fraction, least - bits);
  else
    magnitude = ldexp (fraction + (1u << bits), (int)exponent - 1 + least - bits);
  return code & 0x8000 ? -magnitude : magnitude;
}

uint16_t
ref_half (double value)
{
  return narrow (value, 10, -14, false);
}

uint16_t
ref_half_toward_zero (double value)
{
  return narrow (value, 10, -14, true);
}

double
ref_from_half (uint16_t bits)
{
  return widen (bits, 10, -14);
}

uint16_t
ref_bfloat (double value)
{
  return narrow (value, 7, -126, false);
}

double
ref_from_bfloat (uint16_t bits)
{
  return widen (bits, 7, -126);
}

uint32_t
ref_bits (float value)
{
  uint32_t bits;

  memcpy (&bits, &value, sizeof bits);
  return isnan (value) ? 0x7fffffff : bits;
}

uint64_t
ref_bits_double (double value)
{
  uint64_t bits;

  memcpy (&bits, &value, sizeof bits);
  return isnan (value) ? 0x7fffffffffffffffu : bits;
}

static const RefCase *
find_case (const char *name)
{
  for (size_t i = 0; i < sizeof families / sizeof *families; i++)
    for (const RefCase *it = families[i]; it->name != NULL; it++)
      if (name == NULL)
        puts (it->name);
      else if (strcmp (it->name, name) == 0)
        return it;
  return NULL;
}

int
main (int argc, char **argv)
{
  const RefCase *chosen;

  if (argc == 1)
    return find_case (NULL) != NULL;
  chosen = argc == 4 ? find_case (argv[1]) : NULL;
  if (chosen == NULL)
    {
      fprintf (stderr, "reference CASE FOLDER make|check; without arguments it lists the cases\n");
      return 2;
    }
  folder = argv[2];
  is_check = strcmp (argv[3], "check") == 0;
  for (const char *it = argv[1]; *it != '\0'; it++)
    state = state * 31 + (unsigned char)*it;
  chosen->run ();
  if (is_check && n_compared == 0)
    ref_wrong ("nothing was compared");
  if (n_wrong > 8)
    printf ("and %u more\n", n_wrong - 8);
  return n_wrong > 0;
}
