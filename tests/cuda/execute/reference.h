/* SPDX-License-Identifier: MIT */
/* What the kernels of this folder should leave in memory. A case is one function, which is called
 * twice: before the kernel runs it writes the buffers that the kernel is given, afterwards it
 * compares what was dumped. It makes the same numbers each time. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct
{
  const char *name;
  void (*run) (void);
} RefCase;

extern const RefCase ref_cases_basic[], ref_cases_integer[], ref_cases_float[], ref_cases_half[],
    ref_cases_matrix[], ref_cases_warp[], ref_cases_image[], ref_cases_science[],
    ref_cases_random[], ref_cases_graph[], ref_cases_library[], ref_cases_language[],
    ref_cases_grid[], ref_cases_bulk[], ref_cases_barrier[], ref_cases_quantize[],
    ref_cases_tensor[], ref_cases_roles[], ref_cases_cluster[];

/* Memory that lasts as long as the program, zeros. */
void *ref_new (size_t n_bytes);

/* Random numbers: 32 bits, and from LOW to HIGH (included for whole numbers). */
uint32_t ref_random (void);
double ref_between (double low, double high);
int ref_number (int low, int high);

/* A buffer that the kernel is given. */
void ref_give (const char *name, const void *data, size_t n_bytes);

/* The same, of N random numbers. */
float *ref_floats (const char *name, size_t n, double low, double high);
double *ref_doubles (const char *name, size_t n, double low, double high);
int32_t *ref_ints (const char *name, size_t n, int low, int high);
uint32_t *ref_words (const char *name, size_t n);
uint64_t *ref_longs (const char *name, size_t n);
uint8_t *ref_bytes (const char *name, size_t n, int low, int high);
uint16_t *ref_halves (const char *name, size_t n, double low, double high);
uint16_t *ref_bfloats (const char *name, size_t n, double low, double high);

/* The buffer NAME holds N elements of SIZE bytes (1, 2, 4 or 8) that are EXPECTED's to the bit. */
void ref_same (const char *name, const void *expected, size_t size, size_t n);

/* It holds N floats, doubles, halves: each differs by RELATIVE times the expected one, and
 * ABSOLUTE, at most. */
void ref_near (const char *name, const double *expected, size_t n, double relative,
               double absolute);
void ref_near_doubles (const char *name, const double *expected, size_t n, double relative,
                       double absolute);
void ref_near_halves (const char *name, const double *expected, size_t n, double relative,
                      double absolute);

/* N_BYTES of a dumped buffer, NULL before the kernel ran; and what a case finds wrong itself. */
const void *ref_dumped (const char *name, size_t n_bytes);
void ref_wrong (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

/* Halves and bfloat16, to the nearest and toward zero. */
uint16_t ref_half (double value);
uint16_t ref_half_toward_zero (double value);
double ref_from_half (uint16_t bits);
uint16_t ref_bfloat (double value);
double ref_from_bfloat (uint16_t bits);

/* The bits of VALUE, of any NaN those of one. */
uint32_t ref_bits (float value);
uint64_t ref_bits_double (double value);
