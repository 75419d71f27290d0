/* SPDX-License-Identifier: MIT */
/* Sets of bits, one for each class, in two levels: a bit of `tops` for each word that is not 0, so
 * that a bit is found in a step for each 4096, and not for each 64. A bit may be in several
 * classes. Private; plain C11.
 *
 *   tops   0 1 1 0
 *            | +---------------+
 *   words  0000 0010 1100 0000 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wp-compiler.h"

typedef struct
{
  uint64_t filled;    /* a bit for each class that is not empty */
  uint64_t *sets[64]; /* [n_classes]: its words; before them, backwards, its tops */
  uint32_t n_words, n_tops, n_classes;
  uint64_t *room;
} WpReadySets;

/* Makes sets of N_WORDS x 64 bits for up to 64 classes. False when memory is out:
 * wp_ready_sets_clear() them all the same. */
bool wp_ready_sets_init (WpReadySets *sets, uint32_t n_classes, uint32_t n_words);
void wp_ready_sets_clear (WpReadySets *sets);

/* The bytes that wp_ready_sets_init() takes. */
uint64_t wp_ready_sets_measure (uint32_t n_classes, uint32_t n_words);

/* Empties all. */
void wp_ready_sets_reset (WpReadySets *sets);

/* Copies FROM to TO, which were made alike. */
void wp_ready_sets_copy (WpReadySets *to, const WpReadySets *from);

static INLINE uint64_t *
wp_ready_sets_get_tops (uint64_t *set, uint32_t top)
{
  return set - 1 - top;
}

/* Adds BIT to CLASS. SINGLE: there is one word, and no top is kept, by whoever adds or removes. */
static INLINE void
wp_ready_sets_add (WpReadySets *sets, uint32_t class, uint32_t bit, const bool single)
{
  uint64_t *set = sets->sets[class];

  set[single ? 0 : bit / 64] |= UINT64_C (1) << bit % 64;
  if (!single)
    *wp_ready_sets_get_tops (set, bit / 4096) |= UINT64_C (1) << bit / 64 % 64;
  sets->filled |= UINT64_C (1) << class;
}

/* Removes BIT, which is there, from CLASS. */
static INLINE void
wp_ready_sets_remove (WpReadySets *sets, uint32_t class, uint32_t bit, const bool single)
{
  uint64_t *set = sets->sets[class], any;

  if (single)
    {
      set[0] ^= UINT64_C (1) << bit;
      sets->filled ^= (uint64_t)(set[0] == 0) << class;
      return;
    }
  set[bit / 64] ^= UINT64_C (1) << bit % 64;
  if (set[bit / 64] != 0)
    return;
  *wp_ready_sets_get_tops (set, bit / 4096) ^= UINT64_C (1) << bit / 64 % 64;
  any = *wp_ready_sets_get_tops (set, 0);
  for (uint32_t top = 1; any == 0 && top < sets->n_tops; top++)
    any |= *wp_ready_sets_get_tops (set, top);
  sets->filled ^= (uint64_t)(any == 0) << class;
}

/* BIT becomes TO, which is not above it and, where it is another, in no class. */
static inline void
wp_ready_sets_rename (WpReadySets *sets, uint32_t bit, uint32_t to)
{
  for (uint64_t rest = sets->filled; rest != 0; rest &= rest - 1)
    {
      uint32_t class = wp_lowest_bit (rest);

      if ((sets->sets[class][bit / 64] >> bit % 64 & 1) == 0)
        continue;
      wp_ready_sets_remove (sets, class, bit, false);
      wp_ready_sets_add (sets, class, to, false);
    }
}

/* Word WORD of the union of CLASSES. */
static inline uint64_t
wp_ready_sets_get_word (const WpReadySets *sets, uint64_t classes, uint32_t word)
{
  uint64_t all = 0;

  for (; classes != 0; classes &= classes - 1)
    all |= sets->sets[wp_lowest_bit (classes)][word];
  return all;
}

/* The same of the words' tops. */
static inline uint64_t
wp_ready_sets_get_top (const WpReadySets *sets, uint64_t classes, uint32_t top)
{
  uint64_t all = 0;

  for (; classes != 0; classes &= classes - 1)
    all |= *wp_ready_sets_get_tops (sets->sets[wp_lowest_bit (classes)], top);
  return all;
}

/* The lowest bit of the union of CLASSES in word WORD, which has one. */
static inline uint32_t
wp_ready_sets_get_lowest_of_word (const WpReadySets *sets, uint64_t classes, uint32_t word)
{
  return word * 64 + wp_lowest_bit (wp_ready_sets_get_word (sets, classes, word));
}

/* The lowest bit of the union of CLASSES, which is not empty. */
static inline uint32_t
wp_ready_sets_get_lowest (const WpReadySets *sets, uint64_t classes)
{
  uint32_t top = 0;
  uint64_t words;

  while ((words = wp_ready_sets_get_top (sets, classes, top)) == 0)
    top++;
  return wp_ready_sets_get_lowest_of_word (sets, classes, top * 64 + wp_lowest_bit (words));
}

/* The highest one. */
static inline uint32_t
wp_ready_sets_get_highest (const WpReadySets *sets, uint64_t classes)
{
  uint32_t top = sets->n_tops - 1, word;
  uint64_t words;

  while ((words = wp_ready_sets_get_top (sets, classes, top)) == 0)
    top--;
  word = top * 64 + wp_highest_bit (words);
  return word * 64 + wp_highest_bit (wp_ready_sets_get_word (sets, classes, word));
}

/* The bit of the union of CLASSES, which is not empty, that comes next after LAST, going round. */
static inline uint32_t
wp_ready_sets_get_next (const WpReadySets *sets, uint64_t classes, uint32_t last)
{
  uint32_t word = last / 64;
  uint64_t rest = wp_ready_sets_get_word (sets, classes, word) & ~UINT64_C (1) << last % 64;

  if (rest != 0)
    return word * 64 + wp_lowest_bit (rest);
  rest = wp_ready_sets_get_top (sets, classes, word / 64) & ~UINT64_C (1) << word % 64;
  for (uint32_t top = word / 64;;)
    {
      if (rest != 0)
        return wp_ready_sets_get_lowest_of_word (sets, classes, top * 64 + wp_lowest_bit (rest));
      if (++top == sets->n_tops)
        return wp_ready_sets_get_lowest (sets, classes);
      rest = wp_ready_sets_get_top (sets, classes, top);
    }
}
