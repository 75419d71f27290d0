/* SPDX-License-Identifier: MIT */
/* For ops on memory: the addresses of a warp's lanes, what becomes of those that are not known, and
 * accesses to each space with what they leave in the warp's log. */
#pragma once

#include "exec/machine/wp-block.h"
#include "exec/machine/wp-data.h"
#include "exec/machine/wp-ops.h"
#include "exec/memory/wp-coalesce.h"
#include "exec/memory/wp-memory.h"
#include "exec/memory/wp-shared.h"

G_BEGIN_DECLS

/* The addresses of the lanes in a mask. */
typedef struct
{
  guint64 lanes[WP_LANES];
  guint32 unknown; /* lanes whose address is not known */
  WpTag tag;       /* ...what it comes from */
} WpAddresses;

/* How far the index of OPERAND is shifted. */
static inline guint
wp_operand_shift (const WpSassOperand *operand)
{
  return operand->index_word == WP_WORD_NONE  ? 0
         : operand->index_word == WP_WORD_X4  ? 2
         : operand->index_word == WP_WORD_X8  ? 3
         : operand->index_word == WP_WORD_X16 ? 4
                                              : 0;
}

/* Computes what OPERAND (of kind WP_SASS_MEMORY) means in WARP: [R * scale + UR + value], of 64
 * bits if IS_WIDE, where the index may still be of 32 (.U32). */
void wp_addresses_get (const WpWarp *warp, const WpSassOperand *operand, gboolean is_wide,
                       WpAddresses *addresses);
/* The same in shared memory, relative to the block's own (wp-cluster.h). */
void wp_addresses_get_shared (const WpWarp *warp, const WpSassOperand *operand,
                              WpAddresses *addresses);

/* Gives lanes of MASK whose address in device memory is unknown one of their own in the buffer that
 * the address is derived from, else in any, and tells the user. It depends on the block, the thread
 * and how far the warp has come, and on nothing else; where numbers stand for what is unknown in it
 * (WP_TAG_STANDS), on those alone, and lanes stay as far apart as they are. An access of BYTES. */
void wp_addresses_settle (WpWarp *warp, const WpStep *step, WpAddresses *addresses, guint32 mask,
                          guint bytes);
/* The same within the SIZE bytes, BYTES or more, of a space of 32 bits. */
void wp_addresses_settle_within (WpWarp *warp, const WpStep *step, WpAddresses *addresses,
                                 guint32 mask, guint bytes, guint32 size);

/* The lanes of MASK whose generic address means SPACE; they are made addresses of it. */
guint32 wp_addresses_take (const WpWarp *warp, WpAddresses *addresses, guint32 mask, WpSpace space);

/* Where WARP has found that nothing was stored in the shared memory of BLOCK, it is told of it. */
static inline void
wp_warp_take_found (const WpWarp *warp, WpBlock *block)
{
  if (G_LIKELY (block == warp->block) || !block->shared_state.has_found)
    return;
  block->shared_state.has_found = FALSE;
  warp->block->shared_state.has_found = TRUE;
}

/* Views of the memory of BLOCK, and of WARP. */
WpShared wp_block_shared (WpBlock *block);
WpShared wp_warp_shared (const WpWarp *warp);
WpLocal wp_warp_get_local (WpWarp *warp);

/* Load or store BYTES at ADDRESSES, all of which are known, for the lanes in MASK of SPACE, and log
 * nothing. PATTERN is theirs, NULL: not known. FALSE with FAULT. */
gboolean wp_warp_load_known (WpWarp *warp, WpSpace space, const WpPattern *pattern,
                             const WpAddresses *addresses, guint32 mask, guint bytes,
                             gboolean is_signed, WpData *data, WpFault *fault);
gboolean wp_warp_store_known (WpWarp *warp, WpSpace space, const WpPattern *pattern,
                              const WpAddresses *addresses, guint32 mask, guint bytes,
                              const WpData *data, WpFault *fault);

/* WARP is about to store BYTES of DATA to shared memory of BLOCK, which what is unknown there comes
 * from, from now on. Where numbers stand for what is unknown in them or there, BLOCK keeps such
 * numbers from now on, and DATA has them. */
void wp_block_note_stored (WpBlock *block, const WpWarp *warp, guint32 mask, guint bytes,
                           const WpData *data);

/* Load or store BYTES at ADDRESSES for the lanes in MASK of SPACE, fail as wp_warp_fail(), and log.
 * Lanes with unknown addresses load what is unknown, and store nothing. FLAGS of `access` that
 * apply: is_write is set by these, how is for who calls. */
gboolean wp_warp_load (WpWarp *warp, const WpStep *step, WpSpace space, WpAddresses *addresses,
                       guint32 mask, guint bytes, gboolean is_signed, WpAccessHow how,
                       WpData *data);
gboolean wp_warp_store (WpWarp *warp, const WpStep *step, WpSpace space, WpAddresses *addresses,
                        guint32 mask, guint bytes, const WpData *data);

/* What is left of these where nobody looks at data: they fail and log as they do. Not for
 * constants. */
gboolean wp_warp_pass (WpWarp *warp, const WpStep *step, WpSpace space, WpAddresses *addresses,
                       guint32 mask, guint bytes, gboolean is_write, WpAccessHow how);

/* Whether BYTES at ADDRESSES, which are known for the lanes in MASK, can be accessed. */
gboolean wp_warp_has (WpWarp *warp, WpSpace space, const WpAddresses *addresses, guint32 mask,
                      guint bytes);

/* Ends the run for FAULT of an access to SPACE. */
void wp_warp_fail_access (WpWarp *warp, const WpStep *step, WpSpace space, const WpFault *fault);

/* Logs an access to device or local memory, by addresses of device memory. */
void wp_warp_log (WpWarp *warp, const WpStep *step, WpSpace space, const WpAddresses *addresses,
                  guint32 mask, guint bytes, WpAccess access);
/* ...to buffers, of lanes with PATTERN whose first one is at FIRST. */
void wp_warp_log_at (WpWarp *warp, const WpStep *step, const WpPattern *pattern, guint64 first,
                     gboolean is_write, WpAccessHow how);
/* ...of the BYTES from FIRST on, in one piece; as wp_access_log_add_span(). */
void wp_warp_log_span (WpWarp *warp, const WpStep *step, guint64 first, guint bytes,
                       WpAccess access);
/* ...of BYTES more by the access that was logged last. */
void wp_warp_log_more (WpWarp *warp, guint64 first, guint bytes);
/* ...to shared memory. */
static inline void
wp_warp_log_shared (WpWarp *warp, const WpStep *step, gboolean is_write, gboolean is_atomic,
                    guint wavefronts)
{
  wp_access_log_add_shared (&warp->log, step->index, is_write, is_atomic, wavefronts, 1);
  warp->n_accesses++;
}

/* The bytes of a lane that STEP's words say: 1, 2, 4, 8 or 16. IS_SIGNED (may be NULL): S8, S16. */
guint wp_step_get_bytes (const WpStep *step, gboolean *is_signed);

/* Operand NTH (from 0) of kind WP_SASS_MEMORY or WP_SASS_CONSTANT, NULL: there is none. */
const WpSassOperand *wp_step_get_memory (const WpStep *step, guint nth);

/* TAG for ROW, of which the lanes in MASK are loaded: without WP_TAG_STANDS where others of it are
 * unknown and no numbers stand for them. */
static inline WpTag
wp_warp_limit_tag (const WpWarp *warp, guint row, guint32 mask, WpTag tag)
{
  return (warp->r_unknown[row] & ~mask) != 0 ? tag & (warp->r_tag[row] | ~WP_TAG_STANDS) : tag;
}

/* Of N rows from ROW on the lanes in MASK were loaded: sets their tags. */
void wp_warp_set_loaded (WpWarp *warp, guint row, guint n, guint32 mask, WpTag tag);

G_END_DECLS
