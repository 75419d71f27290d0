/* SPDX-License-Identifier: MIT */
/* The random numbers of contended memory and of mixes (MODEL.md, sections 11 and 13): a pure
 * function of the seed and of which instruction it is, so that the same accesses get the same
 * numbers under every policy and order.
 * Private; plain C11.
 */
#pragma once

#include "sim/machine/wp-machine.h"

/* The finalizer of splitmix64 (Steele, Lea and Flood 2014). */
static inline uint64_t
wp_random_mix (uint64_t x)
{
  x += UINT64_C (0x9E3779B97F4A7C15);
  x = (x ^ (x >> 30)) * UINT64_C (0xBF58476D1CE4E5B9);
  x = (x ^ (x >> 27)) * UINT64_C (0x94D049BB133111EB);
  return x ^ (x >> 31);
}

/* What all random numbers of a warp have in common. */
static inline uint64_t
wp_random_of_warp (uint64_t seed, uint64_t block, uint64_t warp)
{
  return wp_random_mix (wp_random_mix (seed ^ block) ^ warp);
}

/* What all random numbers of dynamic instruction K of that warp have in common. */
static inline uint64_t
wp_random_of_instruction (uint64_t warp, uint64_t k)
{
  return wp_random_mix (warp ^ k);
}

/* draw(j) of that section, for that instruction: 32 random bits. */
static inline uint32_t
wp_random_draw (uint64_t instruction, uint64_t j)
{
  return (uint32_t)(wp_random_mix (instruction ^ j) >> 32);
}

/* The j of the random number that reads a spread, and of the one that chooses the context of a mix
 * (MODEL.md, section 13). */
#define WP_RANDOM_SPREAD UINT64_C (0xFFFFFFFF)
#define WP_RANDOM_MIX UINT64_C (0xFFFFFFFE)

/* What SPREAD adds for the random number U: linear between its points, rounded down to a tick. */
static inline WpTick
wp_random_spread (const WpSpread *spread, uint32_t u)
{
  uint32_t i = 0;
  uint64_t rise, width, offset;

  /* As often for each number: no processor foresees them. */
  for (uint32_t k = 1; k + 1 < spread->n; k++)
    i += u >= spread->at[k];
  rise = (uint64_t)(spread->add[i + 1] - spread->add[i]);
  width = spread->at[i + 1] - spread->at[i]; /* at most 2^32 */
  offset = u - spread->at[i];                /* less than width: no product below overflows */
  if (rise <= UINT32_MAX)                    /* as most do: one division */
    return spread->add[i] + (WpTick)(rise * offset / width);
  return spread->add[i] + (WpTick)(rise / width * offset + rise % width * offset / width);
}
