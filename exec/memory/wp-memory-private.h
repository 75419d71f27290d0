/* SPDX-License-Identifier: MIT */
/* Private to exec/memory: what a buffer is made of. */
#pragma once

#include "exec/memory/wp-memory.h"

G_BEGIN_DECLS

#define WP_PAGE_SHIFT 16
#define WP_PAGE_BYTES (1u << WP_PAGE_SHIFT)
#define WP_CHUNK_SHIFT 10 /* pages of a chunk of the directory */
#define WP_CHUNK_PAGES (1u << WP_CHUNK_SHIFT)
#define WP_CHUNKS (WP_MAX_BUFFER_BYTES >> (WP_PAGE_SHIFT + WP_CHUNK_SHIFT))

/* A page that something was stored to. Its bits of what is unknown are changed by atomic
 * operations: threads that store to different bytes may share a word of them. */
typedef struct
{
  guint8 data[WP_PAGE_BYTES] __attribute__ ((aligned (64)));
  guint64 unknown[WP_PAGE_BYTES / 64]; /* a bit for each byte */
  gboolean has_unknown;                /* whether any may be; never taken back */
} WpPage;

typedef struct
{
  WpPage *pages[WP_CHUNK_PAGES];
} WpChunk;

struct WpBuffer
{
  gchar *name;
  guint number;
  guint64 base;
  gboolean is_bounded;
  guint64 limit;         /* bytes that may be accessed: its size, or WP_MAX_BUFFER_BYTES */
  guint64 extent;        /* bytes accessed so far; atomic */
  guint64 extent_before; /* ...when the launch began */
  WpFill *fill;
  GBytes *bytes; /* fill of a file, or NULL */
  const guint8 *data;
  gsize data_length;
  guint8 source; /* of unknown values loaded from it */
  guint8 stored; /* the least number of a source stored to it in this launch, 0: none; atomic */
  WpChunk *chunks[WP_CHUNKS];
};

struct WpMemory
{
  WpBuffer *buffers[WP_MAX_BUFFERS + 1]; /* by number */
  guint n;
};

/* Returns the page of BUFFER with the byte at OFFSET, NULL: there is none. */
static inline WpPage *
wp_buffer_find_page (const WpBuffer *buffer, guint64 offset)
{
  WpChunk *chunk = __atomic_load_n (&buffer->chunks[offset >> (WP_PAGE_SHIFT + WP_CHUNK_SHIFT)],
                                    __ATOMIC_ACQUIRE);

  if (chunk == NULL)
    return NULL;
  return __atomic_load_n (&chunk->pages[offset >> WP_PAGE_SHIFT & (WP_CHUNK_PAGES - 1)],
                          __ATOMIC_ACQUIRE);
}

/* The same; makes the page if there is none. */
WpPage *wp_buffer_make_page (WpBuffer *buffer, guint64 offset);

/* Writes the N bytes at OFFSET as the fill says to TO. Not for WP_FILL_UNKNOWN, of which TO becomes
 * 0. */
void wp_buffer_read_fill (const WpBuffer *buffer, guint64 offset, gsize n, guint8 *to);

G_END_DECLS
