/* SPDX-License-Identifier: MIT */
/* Memory that is not the device's: shared memory of a block, and local memory of a warp's threads.
 * One thread at a time uses one of these. Both are views of bytes that somebody else owns, with a
 * bit for each byte that is unknown; `unknown` has whole words of 64 bits. */
#pragma once

#include "exec/memory/wp-memory.h"

G_BEGIN_DECLS

/* What was stored to shared memory. A byte that nothing was stored to is loaded as 0, and known: a
 * right program does not depend on it, but may well compute with it. Where something may have been
 * stored to it that went elsewhere, or is not kept track of, it is unknown. All but IS_DOUBTFUL
 * change in here. */
typedef struct
{
  gboolean has_known;   /* FALSE as long as all of it is unknown */
  gboolean is_doubtful; /* any byte may have been stored to: a store to an unknown address or behind
                         * an unknown branch was left out, or something unknown was stored before
                         * anything known */
  gboolean has_given;   /* GIVEN holds */
  gboolean has_numbers; /* what is unknown is kept as well: numbers that stand for it. Who stores
                         * them sets it, by wp_shared_keep_numbers() */
  guint32 seed;         /* of those numbers that nobody stores */
  gboolean has_found;   /* a byte that nothing was stored to was read. Who tells resets it */
  guint64 *given;       /* a bit for each byte that something unknown was stored to, unless
                         * IS_DOUBTFUL; as many as there are of `unknown` */
} WpSharedState;

/* Shared memory of a block: addresses 0 to BYTES - 1. Of what nothing was stored to the bits of
 * `unknown` are set. Where wp_shared_is_blank(), loads need not look. */
typedef struct
{
  guint32 bytes;
  guint8 *data;
  guint64 *unknown;
  WpSharedState *state;
} WpShared;

/* Whether all of it is unknown, and neither what was stored there nor where matters. */
static inline gboolean
wp_shared_is_blank (const WpSharedState *state)
{
  return !state->has_known && state->is_doubtful && !state->has_numbers;
}

/* As wp_memory_load(), _store(), _modify(), but for where unknown values come from. */
gboolean wp_shared_load (const WpShared *shared, const WpPattern *pattern,
                         const guint32 addresses[WP_MEMORY_LANES], guint32 mask, guint bytes,
                         gboolean is_signed, guint32 (*rows)[WP_MEMORY_LANES], guint32 *unknown,
                         WpFault *fault);
gboolean wp_shared_store (const WpShared *shared, const WpPattern *pattern,
                          const guint32 addresses[WP_MEMORY_LANES], guint32 mask, guint bytes,
                          guint32 (*const rows)[WP_MEMORY_LANES], const guint32 *unknown,
                          WpFault *fault);
/* Numbers that stand for what is unknown are about to be stored: from now on whatever is stored is
 * kept, and whoever stores what is unknown stores such numbers. What may have been stored before
 * becomes numbers that depend on SEED and where they are; what was not is 0. O(1), the first time
 * O(bytes). */
void wp_shared_keep_numbers (const WpShared *shared, guint32 seed);

/* Stores the BYTES from FIRST on, all of them unknown; both are multiples of 16, and they are in
 * SHARED. O(BYTES / 64). */
void wp_shared_store_unknown (const WpShared *shared, guint32 first, guint32 bytes);
gboolean wp_shared_modify (const WpShared *shared, guint32 address, WpModification *modification,
                           WpFault *fault);

/* Whether SIZE bytes at each of ADDRESSES in MASK are among BYTES of shared memory, or of each
 * thread's own, and aligned. FALSE with FAULT, of the lowest that is not. */
gboolean wp_shared_check (const guint32 addresses[WP_MEMORY_LANES], guint32 mask, guint size,
                          guint32 bytes, WpFault *fault);

/* Whether all lanes with PATTERN, the first of which is at FIRST, are in SHARED, and aligned. */
static inline gboolean
wp_shared_has (const WpShared *shared, const WpPattern *pattern, guint64 first)
{
  return (gint64)first + pattern->low >= 0 && (gint64)first + pattern->high <= (gint64)shared->bytes
         && wp_pattern_is_aligned (pattern, first);
}

/* As wp_shared_load() and wp_shared_store() of lanes for which wp_shared_has() holds. Loading is
 * not for where all is unknown. Where it returns TRUE, perhaps not all is known, and
 * wp_shared_settle_at() is to be called next. */
gboolean wp_shared_load_at (const WpShared *shared, const WpPattern *pattern, guint64 first,
                            gboolean is_signed, guint32 (*rows)[WP_MEMORY_LANES], guint32 *unknown);
void wp_shared_settle_at (const WpShared *shared, const WpPattern *pattern, guint64 first,
                          guint32 (*rows)[WP_MEMORY_LANES], guint32 *unknown);
void wp_shared_store_at (const WpShared *shared, const WpPattern *pattern, guint64 first,
                         guint32 (*const rows)[WP_MEMORY_LANES], const guint32 *unknown);

/* How often the banks of shared memory, 32 of 4 bytes, are passed by an access of BYTES at each of
 * ADDRESSES (aligned): its wavefronts. In one, a bank delivers one word to all lanes that want it.
 *
 * Lanes of 8 bytes are served by half-warps and those of 16 by quarters, except that two such parts
 * are served together where each lane has the address of the one beside it (n xor 1), or each that
 * of the one after that (n xor 2), as NVIDIA's engineers say of compute capability 7.0 on in the
 * developer forum, thread 77228. The rest is IdgBanks of idg-coalesce.h. 0 if MASK is 0. */
guint wp_shared_wavefronts (const guint32 addresses[WP_MEMORY_LANES], guint32 mask, guint bytes);

/* The same where 16 bytes at each of ADDRESSES in MASK (aligned) are delivered at once, of eight
 * lanes at most: the rows of a matrix. */
guint wp_shared_row_wavefronts (const guint32 addresses[WP_MEMORY_LANES], guint32 mask);

/* Local memory of a warp: addresses 0 to BYTES - 1 for each lane. A word of all lanes lies
 * together, as it does in device memory: byte A of lane L is byte (A / 4 * 32 + L) * 4 + A % 4. */
typedef struct
{
  guint32 bytes;
  guint8 *data;
  guint64 *unknown;
} WpLocal;

gboolean wp_local_load (const WpLocal *local, const guint32 addresses[WP_MEMORY_LANES],
                        guint32 mask, guint bytes, gboolean is_signed,
                        guint32 (*rows)[WP_MEMORY_LANES], guint32 *unknown, WpFault *fault);
gboolean wp_local_store (const WpLocal *local, const guint32 addresses[WP_MEMORY_LANES],
                         guint32 mask, guint bytes, guint32 (*const rows)[WP_MEMORY_LANES],
                         const guint32 *unknown, WpFault *fault);

G_END_DECLS
