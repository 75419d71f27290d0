/* SPDX-License-Identifier: MIT */
/* Device memory: buffers in one address space of 64 bits, each byte of which is known or unknown.
 *
 * A buffer holds what its fill says, computed from the address, until something is stored there:
 * pages come with the first store that changes something. So the output of a kernel over unknown
 * data takes no memory. A buffer without a size is as large as the accesses to it.
 *
 * Any number of threads may load, store and modify at a time. Where two of them store to a byte,
 * one of the two stays, as on a GPU. Nothing else may run beside wp_memory_add(),
 * wp_memory_begin_launch() and wp_memory_free().
 *
 * It knows nothing of warps and instructions: it takes 32 addresses and a mask. */
#pragma once

#include "exec/memory/wp-fill.h"
#include "exec/memory/wp-pattern.h"

G_BEGIN_DECLS

#define WP_MEMORY_LANES 32
#define WP_MAX_BUFFERS 253

/* The name of the buffer, which no launch can name, through which the blocks of a cooperative grid
 * wait for one another. */
#define WP_WORKSPACE "$workspace of the grid"

/* Each buffer has 2^36 bytes of addresses to itself and begins 2^32 above the first of them, so
 * that an address somewhat before it is still seen to be meant for it. Buffers lie below 2^45. */
#define WP_BUFFER_SHIFT 36

/* Where generic addresses mean shared and local memory and constants: 2^32 bytes each from here on.
 */
#define WP_SHARED_WINDOW (G_GUINT64_CONSTANT (0x7f40) << 32)
#define WP_LOCAL_WINDOW (G_GUINT64_CONSTANT (0x7f42) << 32)
#define WP_CONSTANT_WINDOW (G_GUINT64_CONSTANT (0x7f44) << 32)
/* In that of constants the bank of __constant__ variables comes first; that of the parameters
 * begins here. */
#define WP_PARAMETER_WINDOW (1u << 31)

/* How large a buffer without a size is taken to be where an address in it is unknown and nothing
 * has been accessed in an earlier launch. */
#define WP_ASSUMED_BYTES (G_GUINT64_CONSTANT (1) << 28)

typedef struct WpMemory WpMemory;
typedef struct WpBuffer WpBuffer;

typedef enum
{
  WP_FAULT_NONE,
  WP_FAULT_MISALIGNED,
  WP_FAULT_NO_BUFFER,    /* the address is in none */
  WP_FAULT_OUT_OF_BOUNDS /* of a buffer, or of shared, local or constant memory */
} WpFaultKind;

/* Why an access failed; of its lowest lane that did. */
typedef struct
{
  WpFaultKind kind;
  guint lane;
  guint64 address;
  guint bytes; /* of the access */
} WpFault;

WpMemory *wp_memory_new (void);
void wp_memory_free (WpMemory *memory);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpMemory, wp_memory_free)

/* Adds a buffer of NAME that holds what FILL says (NULL: DATA, and zeros beyond it; without DATA
 * unknown); what has no type in FILL has ELEMENT. A file of FILL is read now. BYTES is its size
 * where that is known (a variable's), else 0: then a file's or COUNT's, else none. DATA (may be
 * NULL) is borrowed by reference. NULL with ERROR (of IDG_ERROR) "NAME: what is wrong; what would
 * be right". The memory owns it. Cost: the file. */
WpBuffer *wp_memory_add (WpMemory *memory, const gchar *name, const WpFill *fill, WpElement element,
                         guint64 bytes, GBytes *data, GError **error);

/* Says that BUFFER is a variable that neither the module nor --data says anything of: zeros, if no
 * host code sets it. */
void wp_buffer_set_unset (WpBuffer *buffer);
/* The names of those whose zeros were loaded where it matters what is loaded, and that nothing else
 * was ever stored to; of gchar, which are the memory's. Free it with g_ptr_array_unref().
 * O(variables). */
GPtrArray *wp_memory_list_unset (const WpMemory *memory);

/* Returns the buffer of NAME, or NULL. O(buffers). */
WpBuffer *wp_memory_find (const WpMemory *memory, const gchar *name);
/* Returns buffer NUMBER, 1 to wp_memory_count(), in the order of wp_memory_add(). */
WpBuffer *wp_memory_get (const WpMemory *memory, guint number);
guint wp_memory_count (const WpMemory *memory);

const gchar *wp_buffer_get_name (const WpBuffer *buffer);
guint wp_buffer_get_number (const WpBuffer *buffer);
guint64 wp_buffer_get_base (const WpBuffer *buffer);
/* Returns its size in bytes, 0: it has none but what is accessed. */
guint64 wp_buffer_get_bytes (const WpBuffer *buffer);
/* Returns how far it has been accessed, in bytes, or its size. */
guint64 wp_buffer_get_extent (const WpBuffer *buffer);
/* Tells whether it begins as unknown. */
gboolean wp_buffer_is_unknown (const WpBuffer *buffer);

/* Begins another launch on MEMORY: what the earlier ones accessed and stored counts from now on
 * for wp_memory_pick() and for the source of unknown values. */
void wp_memory_begin_launch (WpMemory *memory);

/* The number of the buffer that ADDRESS is in, by address alone; 0: none. O(1). */
guint wp_memory_locate (const WpMemory *memory, guint64 address);

/* Returns an address of an access of BYTES (a power of two) in buffer NUMBER (0: in any of them) by
 * HASH, aligned to BYTES; 0 if there are no buffers. A buffer without a size is taken to be as
 * large as what launches before this one accessed, else WP_ASSUMED_BYTES. O(1). */
guint64 wp_memory_pick (const WpMemory *memory, guint number, guint bytes, guint64 hash);

/* Returns ADDRESS, of an access of BYTES (a power of two), where it is in buffer NUMBER (not 0);
 * else an address there that is as far from those of others as ADDRESS is from theirs, but for the
 * ends of the buffer; aligned to BYTES. How large a buffer is: as above. O(1). */
guint64 wp_memory_wrap (const WpMemory *memory, guint number, guint bytes, guint64 address);

/* The same where what ADDRESS points into is not known, since the pointer is not, which buffer
 * SOURCE holds (0: not known which, or a constant): in WP_ASSUMED_BYTES that are no buffer's, and
 * that nothing can be loaded from. */
guint64 wp_memory_wrap_pointee (guint source, guint bytes, guint64 address);

/* ---- Accesses of a warp: wp-memory-access.c ---- */

/* Loads BYTES (1, 2, 4, 8 or 16) at the lanes' ADDRESSES, for those in MASK, into ROWS[k][lane]
 * for words k from 0 on; IS_SIGNED: 1 and 2 bytes are sign extended. Adds MASK's lanes whose words
 * hold an unknown byte to UNKNOWN[k] (what ROWS holds there is any value) and takes MASK's others
 * out of it. SOURCE receives the number of the buffer that unknown values come from, if there are
 * any, else it is left alone. PATTERN is that of the addresses, if it is known, else NULL. FALSE
 * with FAULT: nothing is written. */
gboolean wp_memory_load (WpMemory *memory, const WpPattern *pattern,
                         const guint64 addresses[WP_MEMORY_LANES], guint32 mask, guint bytes,
                         gboolean is_signed, guint32 (*rows)[WP_MEMORY_LANES], guint32 *unknown,
                         guint8 *source, WpFault *fault);

/* Stores them; lanes of UNKNOWN[k] store unknown bytes that come from buffer SOURCE (0: not known).
 * Where lanes store to the same byte, the highest one's stays. */
gboolean wp_memory_store (WpMemory *memory, const WpPattern *pattern,
                          const guint64 addresses[WP_MEMORY_LANES], guint32 mask, guint bytes,
                          guint32 (*const rows)[WP_MEMORY_LANES], const guint32 *unknown,
                          guint8 source, WpFault *fault);

/* The same of lanes with PATTERN, the first of which is at FIRST. FALSE: they are in no buffer, or
 * not in one page of it, and nothing was done. */
gboolean wp_memory_load_at (WpMemory *memory, const WpPattern *pattern, guint64 first,
                            gboolean is_signed, guint32 (*rows)[WP_MEMORY_LANES], guint32 *unknown,
                            guint8 *source);
gboolean wp_memory_store_at (WpMemory *memory, const WpPattern *pattern, guint64 first,
                             guint32 (*const rows)[WP_MEMORY_LANES], const guint32 *unknown,
                             guint8 source);

/* Whether nobody has stored to the BYTES (1 at least) from FIRST on, in a buffer that begins as
 * unknown, so that all of them are. SOURCE receives its number, as of wp_memory_load(). O(BYTES /
 * page). */
gboolean wp_memory_is_unknown (const WpMemory *memory, guint64 first, guint bytes, guint8 *source);

/* Whether all lanes are in buffers, which are as large from now on: what comes before loads and
 * stores. FALSE with FAULT. */
gboolean wp_memory_has (const WpMemory *memory, const WpPattern *pattern,
                        const guint64 addresses[WP_MEMORY_LANES], guint32 mask, guint bytes,
                        WpFault *fault);

/* The same by a pattern, as above: whether they are in one page of a buffer. */
gboolean wp_memory_has_at (const WpMemory *memory, const WpPattern *pattern, guint64 first);

/* Computes what a word becomes: OLD is what it was, OPERANDS what the instruction has. */
typedef guint64 (*WpModify) (guint64 old, const guint64 operands[2]);

/* What a lane does to a word of memory in one step. */
typedef struct
{
  guint bytes; /* 4 or 8; 2 */
  WpModify modify;
  guint64 operands[2];
  gboolean is_unknown; /* an operand is */
  gboolean replaces;   /* the new value does not depend on the old one */
  guint8 source;
  guint64 old;          /* result */
  gboolean old_unknown; /* result */
  guint8 old_source;    /* result */
} WpModification;

/* Applies MODIFICATION to the word at ADDRESS, which no other thread modifies meanwhile. FALSE with
 * FAULT (whose lane is not set). */
gboolean wp_memory_modify (WpMemory *memory, guint64 address, WpModification *modification,
                           WpFault *fault);

/* ---- In words, and in files: wp-memory-dump.c ---- */

/* Returns "address 0x... is 8 bytes beyond A, which has 4096 bytes; --data A=...@COUNT says its
 * size". Free with g_free(). */
gchar *wp_memory_describe_fault (const WpMemory *memory, const WpFault *fault);

typedef gboolean (*WpMemoryWrite) (const gchar *bytes, gsize n, gpointer data, GError **error);

/* Calls WRITE with the bytes of BUFFER, part by part, from the first to its extent. Unknown ones
 * are 0; N_UNKNOWN (may be NULL) receives how many there are. */
gboolean wp_buffer_dump (WpBuffer *buffer, WpMemoryWrite write, gpointer data, guint64 *n_unknown,
                         GError **error);

G_END_DECLS
