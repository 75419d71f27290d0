/* SPDX-License-Identifier: MIT */
/* A merge sort with runs in one temporary file. Most tables never need the file: the records of one
 * time fit in memory, and are drained before those of the next. */
#include "traces/table/wp-sorter.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define RUN 32768 /* records of a run, which makes some megabytes at most */
/* How many records of all runs together are in memory during a merge; at least MIN_CHUNK of each.
 */
#define MERGED 65536
#define MIN_CHUNK 16

typedef struct
{
  goffset next;  /* the first record that is not in `chunk`, as an index into the file */
  guint64 left;  /* how many records follow from there */
  GArray *chunk; /* the records in memory */
  guint place;   /* index of the first of them that has not been returned */
} Run;

struct WpSorter
{
  gsize size;
  GCompareFunc compare;
  GArray *records; /* of `size` bytes each: those that are not in a run yet */
  FILE *file;      /* runs of RUN records, one after another; NULL if there are none yet */
  guint n_runs;
};

WpSorter *
wp_sorter_new (gsize size, GCompareFunc compare)
{
  WpSorter *sorter = g_new0 (WpSorter, 1);

  sorter->size = size;
  sorter->compare = compare;
  sorter->records = g_array_new (FALSE, FALSE, (guint)size);
  return sorter;
}

void
wp_sorter_free (WpSorter *sorter)
{
  if (sorter == NULL)
    return;
  g_array_unref (sorter->records);
  if (sorter->file != NULL)
    fclose (sorter->file);
  g_free (sorter);
}

static gboolean
spill (WpSorter *sorter)
{
  if (sorter->file == NULL)
    sorter->file = tmpfile ();
  if (sorter->file == NULL)
    return FALSE;
  g_array_sort (sorter->records, sorter->compare);
  if (fwrite (sorter->records->data, sorter->size, RUN, sorter->file) != RUN)
    return FALSE;
  g_array_set_size (sorter->records, 0);
  sorter->n_runs++;
  return TRUE;
}

gboolean
wp_sorter_add (WpSorter *sorter, gconstpointer record)
{
  g_array_append_vals (sorter->records, record, 1);
  return sorter->records->len < RUN || spill (sorter);
}

static gconstpointer
peek (const WpSorter *sorter, const Run *run)
{
  return run->chunk->data + run->place * sorter->size;
}

/* Makes the run's next record the first of its chunk. Returns false at the end of the run (and sets
 * *FAILED if the file failed). */
static gboolean
advance (WpSorter *sorter, Run *run, gboolean *failed)
{
  gsize n = MIN (run->left, MAX (MERGED / (sorter->n_runs + 1), MIN_CHUNK));

  if (++run->place < run->chunk->len)
    return TRUE;
  run->place = 0;
  g_array_set_size (run->chunk, (guint)n);
  if (n == 0)
    return FALSE;
  if (fseeko (sorter->file, run->next * (goffset)sorter->size, SEEK_SET) != 0
      || fread (run->chunk->data, sorter->size, n, sorter->file) != n)
    {
      *failed = TRUE;
      return FALSE;
    }
  run->next += (goffset)n;
  run->left -= n;
  return TRUE;
}

/* Sifts the first of a heap of N runs down to its place. */
static void
sift (const WpSorter *sorter, Run *runs, guint n)
{
  guint i = 0;

  for (guint child = 1; child < n; child = 2 * i + 1)
    {
      Run moved;

      if (child + 1 < n
          && sorter->compare (peek (sorter, &runs[child + 1]), peek (sorter, &runs[child])) < 0)
        child++;
      if (sorter->compare (peek (sorter, &runs[i]), peek (sorter, &runs[child])) <= 0)
        return;
      moved = runs[i];
      runs[i] = runs[child];
      runs[child] = moved;
      i = child;
    }
}

/* Opens the runs of the file and, as the last one, the records in memory. */
static Run *
open_runs (WpSorter *sorter, guint *n, gboolean *failed)
{
  Run *runs = g_new0 (Run, sorter->n_runs + 1);

  *n = 0;
  for (guint i = 0; i <= sorter->n_runs; i++)
    {
      Run *run = &runs[*n];

      if (i < sorter->n_runs)
        {
          *run = (Run){ (goffset)i * RUN, RUN, g_array_new (FALSE, FALSE, (guint)sorter->size), 0 };
          if (!advance (sorter, run, failed))
            g_array_unref (run->chunk);
          else
            (*n)++;
        }
      else if (sorter->records->len > 0)
        runs[(*n)++] = (Run){ 0, 0, g_array_ref (sorter->records), 0 };
    }
  return runs;
}

static gboolean
merge (WpSorter *sorter, gboolean (*visit) (gconstpointer, gpointer), gpointer data)
{
  gboolean failed = FALSE, going = TRUE;
  guint n;
  g_autofree Run *runs = open_runs (sorter, &n, &failed);

  /* The runs are in no order yet: build the heap by sifting each one up. */
  for (guint i = 1; i < n; i++)
    for (guint k = i; k > 0; k = (k - 1) / 2)
      if (sorter->compare (peek (sorter, &runs[k]), peek (sorter, &runs[(k - 1) / 2])) < 0)
        {
          Run moved = runs[k];

          runs[k] = runs[(k - 1) / 2];
          runs[(k - 1) / 2] = moved;
        }
  while (n > 0 && going && !failed)
    {
      going = visit (peek (sorter, &runs[0]), data);
      if (!advance (sorter, &runs[0], &failed))
        {
          g_array_unref (runs[0].chunk);
          runs[0] = runs[--n];
        }
      sift (sorter, runs, n);
    }
  for (guint i = 0; i < n; i++)
    g_array_unref (runs[i].chunk);
  return going && !failed;
}

gboolean
wp_sorter_drain (WpSorter *sorter, gboolean (*visit) (gconstpointer, gpointer), gpointer data)
{
  gboolean done;

  g_array_sort (sorter->records, sorter->compare);
  done = merge (sorter, visit, data);
  g_array_set_size (sorter->records, 0);
  if (sorter->n_runs > 0)
    rewind (sorter->file);
  sorter->n_runs = 0;
  return done;
}
