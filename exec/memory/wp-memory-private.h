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

#define WP_PAGE_LINE_SHIFT 7
#define WP_PAGE_LINE_BYTES (1u << WP_PAGE_LINE_SHIFT)
#define WP_PAGE_LINES (WP_PAGE_BYTES >> WP_PAGE_LINE_SHIFT)

typedef enum
{
  WP_LINE_ABSENT, /* holds what the fill says, which is not yet written to it */
  WP_LINE_BUSY,   /* a thread writes it for the first time */
  WP_LINE_THERE
} WpPageLine;

/* A page that something was stored to. Its bits of what is unknown are changed by atomic
 * operations: threads that store to different bytes may share a word of them.
 *
 * Where elements are computed, a line of the page is written when it is first accessed, so that
 * those that are stored as a whole are not computed at all. */
typedef struct
{
  guint8 data[WP_PAGE_BYTES] __attribute__ ((aligned (64)));
  guint64 unknown[WP_PAGE_BYTES / 64]; /* a bit for each byte */
  gboolean has_unknown;                /* whether any may be; never taken back; atomic */
  guint n_absent;                      /* lines that are not there; atomic */
  guint8 lines[WP_PAGE_LINES];         /* WpPageLine; atomic. Not set where n_absent was 0 */
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
  gboolean is_unset;     /* a variable whose zeros nobody asked for... */
  gboolean is_asked;     /* ...and whose zeros something depends on; atomic */
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

/* By address alone, as wp_memory_locate(). */
static inline guint
wp_memory_get_number (const WpMemory *memory, guint64 address)
{
  const guint64 number = address >> WP_BUFFER_SHIFT;

  return number >= 1 && number <= memory->n ? (guint)number : 0;
}

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

/* Whether all lines of PAGE are there. */
static inline gboolean
wp_page_is_whole (const WpPage *page)
{
  return __atomic_load_n (&page->n_absent, __ATOMIC_ACQUIRE) == 0;
}

/* What tells which bytes of PAGE are unknown; NULL: none is. */
static inline guint64 *
wp_page_get_unknown (WpPage *page)
{
  return __atomic_load_n (&page->has_unknown, __ATOMIC_RELAXED) ? page->unknown : NULL;
}

/* Bytes of PAGE may become unknown. */
static inline void
wp_page_expect_unknown (WpPage *page)
{
  if (wp_page_get_unknown (page) == NULL)
    __atomic_store_n (&page->has_unknown, TRUE, __ATOMIC_RELAXED);
}

/* Sees to it that the line of PAGE, of BUFFER, with the byte at OFFSET is there. PAGE is not whole.
 */
void wp_page_need_line (const WpBuffer *buffer, WpPage *page, guint64 offset);
/* The line of PAGE with the byte at OFFSET is about to be stored as a whole. Returns whether it was
 * not there, and the caller is to call wp_page_publish_line() then. Lines are claimed in the order
 * of their offsets. PAGE is not whole. */
gboolean wp_page_claim_line (WpPage *page, guint64 offset);
void wp_page_publish_line (WpPage *page, guint64 offset);

/* Writes the N bytes at OFFSET as the fill says to TO. Not for WP_FILL_UNKNOWN, of which TO becomes
 * 0. */
void wp_buffer_read_fill (const WpBuffer *buffer, guint64 offset, gsize n, guint8 *to);

G_END_DECLS
