/* SPDX-License-Identifier: MIT */
/* Buffers, their addresses and their pages. */
#include "exec/memory/wp-memory-private.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "idg/kernel/idg-kernel.h"

/* Where in a buffer's addresses, from its first one on, that begins which its pointers point to. */
#define POINTEES (G_GUINT64_CONSTANT (1) << (WP_BUFFER_SHIFT - 1))

WpMemory *
wp_memory_new (void)
{
  return g_new0 (WpMemory, 1);
}

static void
free_buffer (WpBuffer *buffer)
{
  for (guint i = 0; i < WP_CHUNKS; i++)
    {
      for (guint k = 0; buffer->chunks[i] != NULL && k < WP_CHUNK_PAGES; k++)
        free (buffer->chunks[i]->pages[k]);
      g_free (buffer->chunks[i]);
    }
  g_clear_pointer (&buffer->bytes, g_bytes_unref);
  wp_fill_free (buffer->fill);
  g_free (buffer->name);
  g_free (buffer);
}

void
wp_memory_free (WpMemory *memory)
{
  for (guint i = 1; memory != NULL && i <= memory->n; i++)
    free_buffer (memory->buffers[i]);
  g_free (memory);
}

/* ---- What it holds at first ---- */

G_GNUC_PRINTF (2, 3)
static gboolean
fail (GError **error, const gchar *format, ...)
{
  va_list args;
  g_autofree gchar *message = NULL;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error_literal (error, IDG_ERROR, IDG_ERROR_READ, message);
  return FALSE;
}

/* Reads the whole of STREAM: pipes have no size. */
static gboolean
read_stream (FILE *stream, GByteArray *array)
{
  guint8 part[1 << 16];
  gsize n;

  while ((n = fread (part, 1, sizeof part, stream)) > 0 && array->len <= G_MAXINT - sizeof part)
    g_byte_array_append (array, part, (guint)n);
  return !ferror (stream);
}

static gboolean
read_file (WpBuffer *buffer, GError **error)
{
  const gchar *path = buffer->fill->path;
  g_autofree gchar *shown = g_filename_display_name (path);
  GByteArray *array;
  GStatBuf status;
  FILE *stream = fopen (path, "re");
  gboolean whole;

  if (stream == NULL)
    return fail (error, "%s: file %s cannot be read: %s", buffer->name, shown, g_strerror (errno));
  if (fstat (fileno (stream), &status) != 0 || S_ISDIR (status.st_mode) || S_ISCHR (status.st_mode))
    {
      fclose (stream);
      return fail (error, "%s: %s is no file with data", buffer->name, shown);
    }
  array = g_byte_array_new ();
  whole = read_stream (stream, array) && feof (stream);
  fclose (stream);
  buffer->bytes = g_byte_array_free_to_bytes (array);
  if (!whole)
    return fail (error, "%s: %s cannot be read, or has 2 GB or more", buffer->name, shown);
  return g_bytes_get_size (buffer->bytes) > 0
         || fail (error, "%s: %s is empty", buffer->name, shown);
}

/* Sets the size of BUFFER, BYTES if that is not 0. */
static gboolean
set_limit (WpBuffer *buffer, guint64 bytes, GError **error)
{
  const WpFill *fill = buffer->fill;
  guint64 asked = fill->has_count ? fill->count * wp_element_get_bytes (fill->element) : 0;
  guint64 has = fill->kind == WP_FILL_FILE ? g_bytes_get_size (buffer->bytes) : 0;
  g_autofree gchar *shown = fill->path != NULL ? g_filename_display_name (fill->path) : NULL;

  if (bytes > 0 && asked > bytes)
    return fail (error, "%s has %" G_GUINT64_FORMAT " bytes, and not %" G_GUINT64_FORMAT,
                 buffer->name, bytes, asked);
  if (has > 0 && MAX (asked, bytes) > has)
    return fail (error,
                 "%s: %s has %" G_GUINT64_FORMAT " bytes; %" G_GUINT64_FORMAT " are asked for",
                 buffer->name, shown, has, MAX (asked, bytes));
  buffer->limit = bytes > 0 ? bytes : asked > 0 ? asked : has;
  buffer->is_bounded = buffer->limit > 0;
  if (!buffer->is_bounded)
    buffer->limit = WP_MAX_BUFFER_BYTES;
  return buffer->limit <= WP_MAX_BUFFER_BYTES
         || fail (error, "%s has %" G_GUINT64_FORMAT " bytes; at most %" G_GUINT64_FORMAT " work",
                  buffer->name, buffer->limit, WP_MAX_BUFFER_BYTES);
}

/* A seed of its own for each name: buffers that nobody gave one do not hold the same (FNV-1a). */
static guint64
hash_name (const gchar *name)
{
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);

  for (; *name != '\0'; name++)
    hash = (hash ^ (guint8)*name) * G_GUINT64_CONSTANT (0x100000001b3);
  return hash;
}

static gboolean
set_fill (WpBuffer *buffer, const WpFill *fill, WpElement element, GBytes *data, GError **error)
{
  buffer->fill = fill != NULL ? wp_fill_copy (fill) : wp_fill_new_unknown ();
  if (!wp_fill_set_element (buffer->fill, element, buffer->name, error))
    return FALSE;
  if (!buffer->fill->has_seed)
    buffer->fill->seed = hash_name (buffer->name);
  if (buffer->fill->kind == WP_FILL_FILE && !read_file (buffer, error))
    return FALSE;
  if (fill == NULL && data != NULL)
    {
      buffer->fill->kind = WP_FILL_FILE;
      buffer->bytes = g_bytes_ref (data);
    }
  if (buffer->bytes != NULL)
    buffer->data = g_bytes_get_data (buffer->bytes, &buffer->data_length);
  return TRUE;
}

/* Buffers begin where pages do, but do not all differ by multiples of a power of two: they would
 * begin in one set of a cache that does not hash. */
static guint64
get_first (guint number)
{
  return ((guint64)number << WP_BUFFER_SHIFT) + (G_GUINT64_CONSTANT (1) << 32)
         + ((guint64)(number * 2654435761u >> 20) << WP_PAGE_SHIFT);
}

WpBuffer *
wp_memory_add (WpMemory *memory, const gchar *name, const WpFill *fill, WpElement element,
               guint64 bytes, GBytes *data, GError **error)
{
  WpBuffer *buffer;
  gboolean from_data = fill == NULL && data != NULL;

  if (memory->n >= WP_MAX_BUFFERS)
    {
      fail (error, "%s: there are more than %d buffers", name, WP_MAX_BUFFERS);
      return NULL;
    }
  buffer = g_new0 (WpBuffer, 1);
  buffer->name = g_strdup (name);
  buffer->number = memory->n + 1;
  buffer->base = get_first (buffer->number);
  buffer->source = (guint8)buffer->number;
  if (!set_fill (buffer, fill, element, data, error)
      || (!from_data && !set_limit (buffer, bytes, error)))
    {
      free_buffer (buffer);
      return NULL;
    }
  if (from_data)
    {
      buffer->is_bounded = TRUE;
      buffer->limit = MAX (bytes, buffer->data_length);
    }
  memory->buffers[++memory->n] = buffer;
  return buffer;
}

WpBuffer *
wp_memory_find (const WpMemory *memory, const gchar *name)
{
  for (guint i = 1; i <= memory->n; i++)
    if (strcmp (memory->buffers[i]->name, name) == 0)
      return memory->buffers[i];
  return NULL;
}

WpBuffer *
wp_memory_get (const WpMemory *memory, guint number)
{
  return number >= 1 && number <= memory->n ? memory->buffers[number] : NULL;
}

guint
wp_memory_count (const WpMemory *memory)
{
  return memory->n;
}

const gchar *
wp_buffer_get_name (const WpBuffer *buffer)
{
  return buffer->name;
}

guint
wp_buffer_get_number (const WpBuffer *buffer)
{
  return buffer->number;
}

void
wp_buffer_set_unset (WpBuffer *buffer)
{
  buffer->is_unset = TRUE;
}

guint64
wp_buffer_get_base (const WpBuffer *buffer)
{
  return buffer->base;
}

guint64
wp_buffer_get_bytes (const WpBuffer *buffer)
{
  return buffer->is_bounded ? buffer->limit : 0;
}

guint64
wp_buffer_get_extent (const WpBuffer *buffer)
{
  return buffer->is_bounded ? buffer->limit : __atomic_load_n (&buffer->extent, __ATOMIC_RELAXED);
}

gboolean
wp_buffer_is_unknown (const WpBuffer *buffer)
{
  return buffer->fill->kind == WP_FILL_UNKNOWN;
}

void
wp_memory_begin_launch (WpMemory *memory)
{
  for (guint i = 1; i <= memory->n; i++)
    {
      WpBuffer *buffer = memory->buffers[i];

      buffer->extent_before = buffer->extent;
      if (buffer->stored != 0)
        buffer->source = buffer->stored;
      buffer->stored = 0;
    }
}

guint
wp_memory_locate (const WpMemory *memory, guint64 address)
{
  return wp_memory_get_number (memory, address);
}

/* How many bytes of BUFFER an unknown address may be in. */
static guint64
count_places (const WpBuffer *buffer)
{
  return buffer->is_bounded          ? buffer->limit
         : buffer->extent_before > 0 ? buffer->extent_before
                                     : WP_ASSUMED_BYTES;
}

guint64
wp_memory_pick (const WpMemory *memory, guint number, guint bytes, guint64 hash)
{
  const WpBuffer *buffer;
  guint64 places;

  if (memory->n == 0)
    return 0;
  if (number == 0 || number > memory->n)
    number = 1 + (guint)(wp_mix (hash) % memory->n);
  buffer = memory->buffers[number];
  places = MAX (count_places (buffer) / bytes, 1);
  return buffer->base + hash % places * bytes;
}

guint64
wp_memory_wrap (const WpMemory *memory, guint number, guint bytes, guint64 address)
{
  const WpBuffer *buffer = memory->buffers[number];
  const guint64 places = MAX (count_places (buffer) / bytes, 1);

  return buffer->base + (address - buffer->base) / bytes % places * bytes;
}

guint64
wp_memory_wrap_pointee (guint source, guint bytes, guint64 address)
{
  return get_first (source) + POINTEES + address % WP_ASSUMED_BYTES / bytes * bytes;
}

/* ---- Pages ---- */

/* Writes 32 elements of BYTES each, from element INDEX on. */
static void
read_lanes (const WpFill *fill, guint64 index, guint bytes, guint8 *to)
{
  guint64 indices[WP_FILL_LANES], bits[WP_FILL_LANES];

  for (guint k = 0; k < WP_FILL_LANES; k++)
    indices[k] = index + k;
  wp_fill_get_lanes (fill, indices, bits);
  for (guint k = 0; k < WP_FILL_LANES; k++)
    {
      const guint64 one = GUINT64_TO_LE (bits[k]);

      memcpy (to + bytes * k, &one, bytes);
    }
}

/* The same of elements of 4 bytes. */
static void
read_words (const WpFill *fill, guint64 index, guint8 *to)
{
  guint32 words[WP_FILL_LANES];

  wp_fill_get_words (fill, index, NULL, words);
  for (guint k = 0; k < WP_FILL_LANES; k++)
    words[k] = GUINT32_TO_LE (words[k]);
  memcpy (to, words, sizeof words);
}

/* Writes the elements of BUFFER from byte OFFSET on; they begin at multiples of their size. */
static void
read_elements (const WpBuffer *buffer, guint64 offset, gsize n, guint8 *to)
{
  const guint bytes = wp_element_get_bytes (buffer->fill->element);
  const gsize many = WP_FILL_LANES * bytes;
  guint64 index = offset / bytes;

  for (; offset % bytes == 0 && n >= many; index += WP_FILL_LANES, to += many, n -= many)
    if (bytes == 4)
      read_words (buffer->fill, index, to);
    else
      read_lanes (buffer->fill, index, bytes, to);
  for (guint skip = (guint)(offset % bytes); n > 0; skip = 0, index++)
    {
      guint64 bits = GUINT64_TO_LE (wp_fill_get_bits (buffer->fill, index));
      gsize part = MIN (n, bytes - skip);

      memcpy (to, (const guint8 *)&bits + skip, part);
      to += part;
      n -= part;
    }
}

static gboolean
is_computed (const WpBuffer *buffer)
{
  return buffer->fill->kind == WP_FILL_IOTA || buffer->fill->kind == WP_FILL_RANDOM;
}

void
wp_buffer_read_fill (const WpBuffer *buffer, guint64 offset, gsize n, guint8 *to)
{
  if (is_computed (buffer))
    read_elements (buffer, offset, n, to);
  else
    {
      gsize there = offset < buffer->data_length ? MIN (n, buffer->data_length - offset) : 0;

      if (there > 0)
        memcpy (to, buffer->data + offset, there);
      memset (to + there, 0, n - there);
    }
}

static WpPage *
new_page (const WpBuffer *buffer, guint64 offset)
{
  WpPage *page = aligned_alloc (64, sizeof *page);
  gboolean is_unknown = buffer->fill->kind == WP_FILL_UNKNOWN;

  if (page == NULL)
    g_error ("out of memory: a page of %s", buffer->name);
  page->n_absent = is_computed (buffer) ? WP_PAGE_LINES : 0;
  if (page->n_absent > 0)
    memset (page->lines, WP_LINE_ABSENT, sizeof page->lines);
  else
    wp_buffer_read_fill (buffer, offset, WP_PAGE_BYTES, page->data);
  memset (page->unknown, is_unknown ? 0xff : 0, sizeof page->unknown);
  page->has_unknown = is_unknown;
  return page;
}

/* Of threads that make the same page or chunk, the first one's stays. */
WpPage *
wp_buffer_make_page (WpBuffer *buffer, guint64 offset)
{
  WpChunk **place = &buffer->chunks[offset >> (WP_PAGE_SHIFT + WP_CHUNK_SHIFT)];
  WpChunk *chunk = __atomic_load_n (place, __ATOMIC_ACQUIRE);
  WpPage **page, *no_page = NULL, *made;

  if (chunk == NULL)
    {
      WpChunk *own = g_new0 (WpChunk, 1);

      if (__atomic_compare_exchange_n (place, &chunk, own, FALSE, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE))
        chunk = own;
      else
        g_free (own);
    }
  page = &chunk->pages[offset >> WP_PAGE_SHIFT & (WP_CHUNK_PAGES - 1)];
  made = __atomic_load_n (page, __ATOMIC_ACQUIRE);
  if (made != NULL)
    return made;
  made = new_page (buffer, offset & ~(guint64)(WP_PAGE_BYTES - 1));
  if (__atomic_compare_exchange_n (page, &no_page, made, FALSE, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return made;
  free (made);
  return no_page;
}

/* Returns whether it is the caller who writes the line for the first time; else it is there. */
static gboolean
claim (guint8 *line)
{
  guint8 now = __atomic_load_n (line, __ATOMIC_ACQUIRE);

  if (now == WP_LINE_ABSENT
      && __atomic_compare_exchange_n (line, &now, WP_LINE_BUSY, FALSE, __ATOMIC_ACQUIRE,
                                      __ATOMIC_ACQUIRE))
    return TRUE;
  while (now != WP_LINE_THERE)
    {
      g_thread_yield ();
      now = __atomic_load_n (line, __ATOMIC_ACQUIRE);
    }
  return FALSE;
}

static void
publish (WpPage *page, guint8 *line)
{
  __atomic_store_n (line, WP_LINE_THERE, __ATOMIC_RELEASE);
  __atomic_fetch_sub (&page->n_absent, 1, __ATOMIC_ACQ_REL);
}

static guint8 *
get_line (WpPage *page, guint64 offset)
{
  return &page->lines[(offset & (WP_PAGE_BYTES - 1)) >> WP_PAGE_LINE_SHIFT];
}

void
wp_page_need_line (const WpBuffer *buffer, WpPage *page, guint64 offset)
{
  const guint64 begin = offset & ~(guint64)(WP_PAGE_LINE_BYTES - 1);
  guint8 *line = get_line (page, offset);

  if (!claim (line))
    return;
  wp_buffer_read_fill (buffer, begin, WP_PAGE_LINE_BYTES,
                       page->data + (begin & (WP_PAGE_BYTES - 1)));
  publish (page, line);
}

gboolean
wp_page_claim_line (WpPage *page, guint64 offset)
{
  return claim (get_line (page, offset));
}

void
wp_page_publish_line (WpPage *page, guint64 offset)
{
  publish (page, get_line (page, offset));
}
