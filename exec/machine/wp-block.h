/* SPDX-License-Identifier: MIT */
/* A block that executes: its warps, its shared memory and its barriers; and what all blocks of a
 * launch share. */
#pragma once

#include "exec/cubin/wp-cubin.h"
#include "exec/machine/wp-warp.h"
#include "exec/memory/wp-shared.h"

G_BEGIN_DECLS

typedef struct WpMemory WpMemory;             /* exec/memory: buffers in device memory */
typedef struct WpKernelCode WpKernelCode;     /* wp-kernel-code.h */
typedef struct WpTensorMemory WpTensorMemory; /* wp-tensor-memory.h */

#define WP_BANKS 18
#define WP_BANK_VARIABLES 3 /* __constant__ variables */
#define WP_NAMED_BARRIERS 16
#define WP_MAX_WARPS 64                     /* of a block */
#define WP_MAX_CLUSTER WP_CUBIN_MAX_CLUSTER /* blocks */
#define WP_WARPGROUP 4                      /* warps: 0 to 3, 4 to 7, ... */

/* A bank of constants as the kernel sees it. */
typedef struct
{
  guint8 *bytes;
  guint8 *unknown; /* a bit for each byte; NULL: all known */
  WpTag *tags;     /* of each word of 32 bits; NULL: none */
  gsize size;
} WpBank;

/* How blocks reached others of their clusters. */
typedef struct
{
  gboolean in_order; /* by accesses to what another block has... */
  guint64 n_sent;    /* ...or so often by asynchronous stores, which nobody waits for... */
  guint32 at;        /* ...first by the step of this index, */
  guint64 block;     /* ...in this block */
} WpReach;

/* What does not change during a launch. */
typedef struct
{
  guint sm; /* 80 for sm_80 */
  guint grid[3], block[3];
  guint cluster[3], cluster_blocks;                  /* 1 each: blocks are alone */
  guint threads, warps;                              /* of a block */
  guint shared_static, shared_dynamic, shared_bytes; /* of a block: the two, and their sum */
  guint shared_reserved; /* ...of which so many at its beginning are the system's */
  guint local_bytes;     /* of a thread: the frame with its stack */
  guint rows;            /* of a warp's registers */
  WpBank banks[WP_BANKS];
  /* Generic addresses from here on are shared, local, or in the bank of variables. */
  guint64 shared_window, local_window, constant_window;
  guint64 window_bytes; /* how large each of the windows is */
  WpMemory *memory;
  guint turn_instructions; /* of a warp in a turn, at most; 0: 2^20 */
  /* The barrier of the whole grid: wp-meeting.h. */
  guint64 capacity;       /* blocks that can be resident at a time */
  guint64 workspace;      /* address, 0: the launch is not a cooperative one */
  guint64 turn, met_in;   /* number of the turn, from 1 on; when the last block came; 0: never */
  guint32 met_at;         /* index of the step by which a block came there last... */
  gboolean has_met;       /* ...if one did */
  gint tensor_columns;    /* of tensor memory that a block has taken at a time, at most; atomic */
  gint waits_for_columns; /* warps of a block take more than there is together; atomic */
  gint gives_late;        /* a warp gave registers back that had executed much before; atomic */
  WpReach reach;          /* of all blocks that have ended */
  gint loses_copies;      /* a block ended with much of what others copied to it owed; atomic */
  gint asks_for_work;     /* a block asked for the work of clusters that have not begun */
  const struct WpKernelCode *code;
} WpGrid;

/* A named barrier of a block: BAR.SYNC, BAR.ARV, BAR.RED. */
typedef struct
{
  guint expected;                 /* threads; 0: all of the block that have not ended */
  guint arrived;                  /* threads; a warp of which all are there counts 32 */
  guint64 waiting;                /* a bit for each warp that waits */
  guint32 lanes[WP_MAX_WARPS];    /* that have arrived, by warp */
  guint32 count;                  /* BAR.RED: in how many threads the predicate held... */
  gboolean is_missed, is_unknown; /* ...not in one; unknown in one */
  WpTag tag;
} WpNamedBarrier;

/* What was assumed, for wp_warp_note(). */
typedef struct
{
  guint32 index; /* of the instruction */
  WpNoteKind kind;
  WpTag tag;
  guint64 block;
  guint64 times; /* that warps assumed it, of the block that runs now */
} WpMachineNote;

/* Bytes of device memory that are copied. */
typedef struct
{
  guint64 first;
  guint bytes;
} WpOwed;

/* Blocks that run together and reach each other's shared memory (wp-cluster.h). */
typedef struct
{
  guint n;
  WpBlock *blocks[WP_MAX_CLUSTER]; /* by rank */
  guint64 phase;                   /* of barrier.cluster: how often all have come */
} WpCluster;

struct WpBlock
{
  WpGrid *grid;
  guint id[3];
  guint64 number; /* in the order in which they are handed out: by x, y, z of clusters, then of the
                   * blocks in one */
  guint sm;       /* that it is resident on */
  guint slot;     /* of the SM's places for blocks */
  guint rank;     /* in its cluster */
  WpCluster *cluster;      /* NULL until it begins */
  WpCluster own_cluster;   /* what `cluster` of all in it is where this one has rank 0 */
  guint8 *shared;          /* grid->shared_bytes */
  guint64 *shared_unknown; /* a bit for each byte. At first all are */
  WpSharedState shared_state;
  WpTag shared_tag; /* of what was stored there and is unknown */
  guint n_warps;
  WpWarp **warps;
  struct WpPatterns *patterns; /* of what its warps access; NULL: it shares those of an SM */
  WpTensorMemory *tensor;      /* NULL: nobody has asked for it */
  /* Those with names, and one for each warpgroup, whose warps wait together for products. */
  WpNamedBarrier barriers[WP_NAMED_BARRIERS + WP_MAX_WARPS / WP_WARPGROUP];
  guint32 used_barriers; /* a bit for each that a thread has arrived at */
  GArray *notes;         /* of WpMachineNote, NULL: none */
  struct WpWaits *waits; /* at barriers in shared memory, NULL: the code has none */
  gboolean is_busy;      /* a block executes here, and has not ended */
  gboolean has_arrived;  /* at the barrier of the grid, */
  guint32 arrival;       /* ...which was this */
  gboolean has_copied;   /* in bulk, to shared memory */
  WpReach reach;         /* of this block */
  guint64 n_logged;      /* bytes that its copies have on their account... */
  guint64 n_owed;        /* ...and that are in `owed` */
  GArray *owed;          /* of WpOwed: what others of its cluster have copied here, and its own
                          * copies are yet to take on (wp-bulk.h). NULL: nothing was */
  gpointer memory_state; /* the ops on memory keep here what they like; plain g_malloc() */
};

/* The thread of LANE in WARP, as its number in the block and as its three coordinates. */
static inline guint
wp_warp_thread (const WpWarp *warp, guint lane)
{
  return warp->number * WP_LANES + lane;
}

/* A store was left out, or perhaps one is: what shared memory holds where nothing was stored is
 * unknown from now on. */
static inline void
wp_warp_lose_store (WpWarp *warp)
{
  WpCluster *cluster = warp->block->cluster;

  for (guint k = 0; k < cluster->n; k++)
    cluster->blocks[k]->shared_state.is_doubtful = TRUE;
}

/* After a load from shared memory: says so where nothing was stored to what it has read. */
static inline void
wp_warp_note_unstored (WpWarp *warp, const WpStep *step)
{
  WpSharedState *state = &warp->block->shared_state;

  if (G_LIKELY (!state->has_found))
    return;
  state->has_found = FALSE;
  wp_warp_note (warp, step, WP_NOTE_UNSTORED, 0);
}

void wp_warp_thread_id (const WpWarp *warp, guint lane, guint id[3]);

G_END_DECLS
