/* SPDX-License-Identifier: MIT */
/* Private to exec/memory: what 32 lanes load from and store to one stretch of bytes, each known or
 * not: a page of device memory, a block's shared memory. Offsets are aligned to the access, which
 * lies within the stretch: who calls has checked both. */
#pragma once

#include "exec/memory/wp-memory.h"

G_BEGIN_DECLS

#define WP_ALL_LANES 0xffffffffu

typedef struct
{
  guint8 *data;
  guint64 *unknown; /* a bit for each byte; NULL: all are known */
} WpBytes;

/* As wp_memory_load(), without its checks. */
void wp_bytes_load (const WpBytes *bytes, const guint32 offsets[32], guint32 mask, guint size,
                    gboolean is_signed, guint32 (*rows)[32], guint32 *unknown);

/* As wp_memory_store(). Bits of `unknown` change by atomic operations. */
void wp_bytes_store (const WpBytes *bytes, const guint32 offsets[32], guint32 mask, guint size,
                     guint32 (*const rows)[32], const guint32 *unknown);

/* The same where all 32 lanes are in a row from OFFSET on; SIZE is 4, 8 or 16. Loading returns
 * whether any is unknown. */
gboolean wp_bytes_load_row (const WpBytes *bytes, guint32 offset, guint size, guint32 (*rows)[32],
                            guint32 *unknown);
void wp_bytes_store_row (const WpBytes *bytes, guint32 offset, guint size,
                         guint32 (*const rows)[32], const guint32 *unknown);

/* As wp_bytes_load() of the lanes of PATTERN, the first of which is at FIRST. Returns FALSE where a
 * look at all of it has shown that it is known. */
gboolean wp_bytes_load_at (const WpBytes *bytes, const WpPattern *pattern, guint32 first,
                           gboolean is_signed, guint32 (*rows)[32], guint32 *unknown);

/* As wp_memory_modify(), without its checks. `unknown` must be there. */
void wp_bytes_modify (const WpBytes *bytes, guint32 offset, WpModification *modification);

/* What words of SIZE bytes have at OFFSET: a bit for each unknown byte. */
static inline guint32
wp_bytes_get_unknown (const guint64 *unknown, guint32 offset, guint size)
{
  return (guint32)(__atomic_load_n (&unknown[offset >> 6], __ATOMIC_RELAXED) >> (offset & 63))
         & ((1u << size) - 1);
}

/* Makes the bytes of BITS in WORD unknown, or known. Most stores change nothing here. */
static inline void
wp_bytes_set_unknown (guint64 *word, guint64 bits, gboolean is_unknown)
{
  guint64 now = __atomic_load_n (word, __ATOMIC_RELAXED);

  if (is_unknown && (now & bits) != bits)
    __atomic_fetch_or (word, bits, __ATOMIC_RELAXED);
  else if (!is_unknown && (now & bits) != 0)
    __atomic_fetch_and (word, ~bits, __ATOMIC_RELAXED);
}

G_END_DECLS
