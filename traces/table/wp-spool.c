/* SPDX-License-Identifier: MIT */
/* A queue in three pieces, oldest first:   head (memory)  |  file  |  tail (memory)
 *
 * A full tail goes to the end of the file (or becomes the head, if nothing is before it); an empty
 * head is filled from the front of the file. So both ends work in memory, and file accesses are in
 * whole pieces. */
#include "traces/table/wp-spool.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define PIECE 16384 /* records in memory at either end, about a megabyte each */

struct WpSpool
{
  gsize size;
  GArray *head, *tail;
  guint place;        /* how many records of the head have been dropped */
  guint64 first;      /* number of the head's first record, including dropped ones */
  FILE *file;         /* NULL if it is not open yet */
  guint64 file_first; /* number of the first record that is still in the file */
  guint64 file_n;
  guint64 file_offset; /* its index in the file */
};

WpSpool *
wp_spool_new (gsize size)
{
  WpSpool *spool = g_new0 (WpSpool, 1);

  spool->size = size;
  spool->head = g_array_new (FALSE, FALSE, (guint)size);
  spool->tail = g_array_new (FALSE, FALSE, (guint)size);
  return spool;
}

void
wp_spool_free (WpSpool *spool)
{
  if (spool == NULL)
    return;
  g_array_unref (spool->head);
  g_array_unref (spool->tail);
  if (spool->file != NULL)
    fclose (spool->file);
  g_free (spool);
}

static guint64
get_tail_first (const WpSpool *spool)
{
  return spool->file_n > 0 ? spool->file_first + spool->file_n : spool->first + spool->head->len;
}

static gboolean
seek (WpSpool *spool, guint64 record, gsize offset)
{
  return fseeko (spool->file, (goffset)(record * spool->size + offset), SEEK_SET) == 0;
}

static gboolean
write_tail (WpSpool *spool)
{
  if (spool->file == NULL)
    spool->file = tmpfile ();
  if (spool->file == NULL)
    return FALSE;
  if (spool->file_n == 0)
    {
      spool->file_first = spool->first + spool->head->len;
      spool->file_offset = 0;
    }
  if (!seek (spool, spool->file_offset + spool->file_n, 0)
      || fwrite (spool->tail->data, spool->size, spool->tail->len, spool->file) != spool->tail->len)
    return FALSE;
  spool->file_n += spool->tail->len;
  g_array_set_size (spool->tail, 0);
  return TRUE;
}

guint64
wp_spool_append (WpSpool *spool, gconstpointer record, gboolean *failed)
{
  if (spool->tail->len == PIECE && !write_tail (spool))
    *failed = TRUE;
  g_array_append_vals (spool->tail, record, 1);
  return get_tail_first (spool) + spool->tail->len - 1;
}

gboolean
wp_spool_patch (WpSpool *spool, guint64 number, gsize offset, gconstpointer bytes, gsize length)
{
  guint64 tail_first = get_tail_first (spool);

  if (number >= tail_first)
    memcpy (spool->tail->data + (number - tail_first) * spool->size + offset, bytes, length);
  else if (number < spool->first + spool->head->len)
    memcpy (spool->head->data + (number - spool->first) * spool->size + offset, bytes, length);
  else
    return seek (spool, spool->file_offset + (number - spool->file_first), offset)
           && fwrite (bytes, 1, length, spool->file) == length;
  return TRUE;
}

/* Replaces the used-up head by the next piece. */
static gboolean
refill (WpSpool *spool)
{
  spool->first += spool->head->len;
  spool->place = 0;
  g_array_set_size (spool->head, 0);
  if (spool->file_n > 0)
    {
      gsize n = MIN (spool->file_n, PIECE);

      g_array_set_size (spool->head, (guint)n);
      if (!seek (spool, spool->file_offset, 0)
          || fread (spool->head->data, spool->size, n, spool->file) != n)
        return FALSE;
      spool->file_first += n;
      spool->file_offset += n;
      spool->file_n -= n;
    }
  else
    {
      GArray *empty = spool->head;

      spool->head = spool->tail;
      spool->tail = empty;
    }
  return TRUE;
}

gconstpointer
wp_spool_peek (WpSpool *spool, gboolean *failed)
{
  if (spool->place == spool->head->len && !refill (spool))
    {
      *failed = TRUE;
      return NULL;
    }
  return spool->place < spool->head->len ? spool->head->data + spool->place * spool->size : NULL;
}

void
wp_spool_drop (WpSpool *spool)
{
  spool->place++;
}
