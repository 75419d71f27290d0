/* SPDX-License-Identifier: MIT */
/* Buffers as bytes of a file, and what is wrong with an access, or doubtful, in words. */
#include <string.h>

#include "exec/memory/wp-bytes.h"
#include "exec/memory/wp-memory-private.h"

#define NULL_BYTES 65536 /* below: a null pointer, with what is added to it */

static gchar *
describe_bounds (const WpBuffer *buffer, const WpFault *fault)
{
  const gchar *name = buffer->name;
  guint64 size = buffer->limit;

  if (fault->address < buffer->base)
    return g_strdup_printf ("address 0x%" G_GINT64_MODIFIER "x is %" G_GUINT64_FORMAT
                            " bytes before %s",
                            fault->address, buffer->base - fault->address, name);
  return g_strdup_printf ("%u bytes at byte %" G_GUINT64_FORMAT " of %s are beyond its end: it has "
                          "%" G_GUINT64_FORMAT "%s",
                          fault->bytes, fault->address - buffer->base, name, size,
                          buffer->is_bounded ? "" : ", the most that a buffer can have");
}

gchar *
wp_memory_describe_fault (const WpMemory *memory, const WpFault *fault)
{
  guint number = wp_memory_locate (memory, fault->address);
  const WpBuffer *buffer = wp_memory_get (memory, number);
  g_autofree gchar *in = NULL;

  if (fault->kind == WP_FAULT_OUT_OF_BOUNDS && buffer != NULL)
    return describe_bounds (buffer, fault);
  if (buffer != NULL)
    in = g_strdup_printf (", byte %" G_GINT64_FORMAT " of %s,",
                          (gint64)(fault->address - buffer->base), buffer->name);
  if (fault->kind == WP_FAULT_MISALIGNED)
    return g_strdup_printf ("address 0x%" G_GINT64_MODIFIER "x%s is not aligned to the %u bytes of "
                            "the access",
                            fault->address, in != NULL ? in : "", fault->bytes);
  return g_strdup_printf ("address 0x%" G_GINT64_MODIFIER "x is in no buffer of the launch%s",
                          fault->address,
                          fault->address < NULL_BYTES ? ": the pointer is null" : "");
}

static gboolean
has_pages (const WpBuffer *buffer)
{
  for (guint k = 0; k < WP_CHUNKS; k++)
    if (buffer->chunks[k] != NULL)
      return TRUE;
  return FALSE;
}

GPtrArray *
wp_memory_list_unset (const WpMemory *memory)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint k = 1; k <= memory->n; k++)
    if (memory->buffers[k]->is_asked && !has_pages (memory->buffers[k]))
      g_ptr_array_add (names, memory->buffers[k]->name);
  return names;
}

/* ---- Dumps ---- */

/* Makes the unknown ones of N bytes 0, and returns how many there are. */
static guint64
clear_unknown (const guint64 *unknown, guint8 *data, gsize n)
{
  guint64 found = 0;

  for (gsize i = 0; i < n; i++)
    if (unknown[i >> 6] >> (i & 63) & 1)
      {
        data[i] = 0;
        found++;
      }
  return found;
}

/* Copies the N bytes from OFFSET on, which are in one page, to DATA. */
static guint64
copy_page (const WpBuffer *buffer, guint64 offset, gsize n, guint8 *data)
{
  WpPage *page = wp_buffer_find_page (buffer, offset);

  if (page == NULL)
    {
      wp_buffer_read_fill (buffer, offset, n, data);
      return wp_buffer_is_unknown (buffer) ? n : 0;
    }
  for (guint64 line = 0; line < n && !wp_page_is_whole (page); line += WP_PAGE_LINE_BYTES)
    wp_page_need_line (buffer, page, offset + line);
  memcpy (data, page->data, n);
  return clear_unknown (page->unknown, data, n);
}

gboolean
wp_buffer_dump (WpBuffer *buffer, WpMemoryWrite write, gpointer data, guint64 *n_unknown,
                GError **error)
{
  g_autofree guint8 *part = g_malloc (WP_PAGE_BYTES);
  guint64 extent = wp_buffer_get_extent (buffer), unknown = 0;

  for (guint64 offset = 0; offset < extent; offset += WP_PAGE_BYTES)
    {
      gsize n = (gsize)MIN (WP_PAGE_BYTES, extent - offset);

      unknown += copy_page (buffer, offset, n, part);
      if (!write ((const gchar *)part, n, data, error))
        return FALSE;
    }
  if (n_unknown != NULL)
    *n_unknown = unknown;
  return TRUE;
}
