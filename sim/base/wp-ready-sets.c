/* SPDX-License-Identifier: MIT */
/* Memory of ready sets. */
#include "sim/base/wp-ready-sets.h"

#include "sim/base/wp-measure.h"

#include <stdlib.h>
#include <string.h>

static size_t
count_words (const WpReadySets *sets)
{
  return (size_t)sets->n_classes * (sets->n_words + sets->n_tops);
}

uint64_t
wp_ready_sets_measure (uint32_t n_classes, uint32_t n_words)
{
  const WpReadySets sets
      = { .n_classes = n_classes, .n_words = n_words, .n_tops = (n_words + 63) / 64 };

  return wp_measure (count_words (&sets), sizeof *sets.room);
}

bool
wp_ready_sets_init (WpReadySets *sets, uint32_t n_classes, uint32_t n_words)
{
  sets->filled = 0;
  sets->n_classes = n_classes;
  sets->n_words = n_words;
  sets->n_tops = (n_words + 63) / 64;
  sets->room = calloc (count_words (sets), sizeof *sets->room);
  for (uint32_t i = 0; sets->room != NULL && i < n_classes; i++)
    sets->sets[i] = sets->room + (size_t)i * (sets->n_words + sets->n_tops) + sets->n_tops;
  return sets->room != NULL;
}

void
wp_ready_sets_clear (WpReadySets *sets)
{
  free (sets->room);
}

void
wp_ready_sets_reset (WpReadySets *sets)
{
  sets->filled = 0;
  memset (sets->room, 0, count_words (sets) * sizeof *sets->room);
}

void
wp_ready_sets_copy (WpReadySets *to, const WpReadySets *from)
{
  to->filled = from->filled;
  memcpy (to->room, from->room, count_words (to) * sizeof *to->room);
}
