/* SPDX-License-Identifier: MIT */
/* What a warp asked of memory, in order: the ops on memory write it, the caches read it. Plain
 * data. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  WP_SPACE_GLOBAL,
  WP_SPACE_SHARED,
  WP_SPACE_LOCAL,
  WP_SPACE_CONSTANT
} WpSpace;

/* What a load asks of caches. */
typedef enum
{
  WP_ACCESS_PAST_L1 = 1, /* it does not look into L1 */
  WP_ACCESS_TO_L2 = 2,   /* with the other one: nothing of it comes to the SM; L2 alone has it */
} WpAccessHow;

typedef struct
{
  guint32 index;      /* of the instruction (WpStep.index) */
  guint16 wavefronts; /* in the load/store pipeline */
  guint16 n_lines;    /* how many elements of `lines` are its own */
  guint16 partial;    /* of a store: what it takes of L2, in sectors, beyond one for each of its
                         sectors, as not all bytes of these are written */
  guint8 space : 4;   /* WpSpace */
  guint8 how : 4;     /* bits of WpAccessHow */
  guint8 is_write : 1, is_atomic : 1;
  guint8 lanes : 6; /* of an atomic of threads on device memory; else 0 */
} WpAccess;

/* A line of 128 bytes of device memory: its number (address / 128) << 4, and a bit for each sector
 * of 32 bytes that is asked for. */
typedef guint64 WpLine;

/* How often an instruction accessed shared memory with as many wavefronts. */
typedef struct
{
  guint32 count; /* 0: not at all */
  guint16 wavefronts;
  guint is_write : 1, is_atomic : 1;
} WpSharedAccesses;

typedef struct
{
  WpAccess *accesses; /* in order */
  WpLine *lines;      /* those of the first access first */
  guint n_accesses, n_lines;
  guint room, lines_room; /* how many there is room for */
  /* Accesses to shared memory, of which the order does not matter, by instruction; those with other
   * wavefronts than the first one of the instruction are among the rest. */
  WpSharedAccesses *shared;
  guint shared_room;
  guint32 *touched; /* instructions that are counted there */
  guint n_touched, touched_room;
  struct WpPatterns *patterns; /* what earlier accesses came to; borrowed */
} WpAccessLog;

G_END_DECLS
