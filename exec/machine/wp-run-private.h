/* SPDX-License-Identifier: MIT */
/* A launch while it is executed: wp-run.c drives it, wp-run-turn.c runs what is resident,
 * wp-run-waves.c says which blocks come next, wp-run-part.c which of a wave go on. */
#pragma once

#include "exec/machine/wp-block-run.h"
#include "exec/machine/wp-run.h"
#include "exec/machine/wp-workers.h"

G_BEGIN_DECLS

/* A place for a block, and what its warps' accesses came to. A block that ends in its first turn
 * runs in what its worker keeps for that, so that it finds memory at hand. */
typedef struct
{
  guint64 number;    /* of the block */
  WpBlock *block;    /* what it runs in, or the next one here will; NULL: what its worker keeps */
  WpCounts **own;    /* for each warp, where blocks take more than one turn; else NULL */
  WpCounts **counts; /* where the accesses of each warp are counted: own ones, or its class's */
  guint32 *classes;  /* numbers of the warps' classes, when it has ended */
  guint64 instructions;
  gboolean is_taken; /* a block is here that is not yet counted */
  gboolean is_new;   /* ...and it has not begun */
  gboolean has_ended;
} WpRunSlot;

/* What a worker keeps. */
typedef struct
{
  WpBlock *block;   /* for blocks that end in their first turn; NULL: not now */
  WpTrail **trails; /* for each warp of a block */
} WpRunWorker;

/* An SM. One thread at a time has to do with it. */
typedef struct
{
  WpRunSlot *slots;
  guint n_slots;
  WpTrailStore *store;
  WpCachesWarp *warps;  /* of all taken slots, for the caches */
  WpAccessLog *logs;    /* of the warps of blocks that ended in this turn: an SM's, or a worker's */
  GPtrArray *counts;    /* of WpCounts, by the numbers of classes; NULL: none of this number */
  WpBlock *failed;      /* in this turn */
  guint64 instructions; /* of blocks that have not ended, after a turn */
  GArray *ended;        /* of WpRunEnded: in this turn */
} WpRunSm;

typedef struct
{
  guint64 block, instructions;
} WpRunEnded;

/* What a wave came to, to be compared with the next one. */
typedef struct
{
  guint64 instructions;
  guint64 left;      /* blocks that have not ended */
  WpTraffic traffic; /* of the whole launch when the last one ended */
} WpRunWave;

typedef struct
{
  WpGrid *grid;
  WpKernelCode *code;
  const WpExecOptions *options;
  WpWorkers *workers;
  WpRunWorker *own;  /* of each worker */
  GPtrArray *blocks; /* of WpBlock: all that were made */
  GMutex lock;       /* of `blocks` */
  WpAccessLog *logs; /* for each worker, or each SM if blocks run in order: slots * warps */
  guint n_logs;
  WpTrailClasses *classes;
  guint n_sms, n_slots; /* of each SM */
  WpRunSm *sms;
  guint64 n_blocks, wave; /* of the launch, of a wave */
  guint64 next;           /* block */
  guint64 stop, resume;   /* after block stop - 1 comes block resume */
  guint64 limit;
  guint64 instructions; /* of blocks that have ended */
  guint64 n_ended;
  guint64 last_ended;  /* instructions of all when a block ended last */
  GArray *waves;       /* of WpRunWave: the first ones, until it is decided */
  gboolean is_decided; /* whether blocks are sampled, and when they end */
  guint64 first_waves;
  guint quantum;
  guint64 threshold; /* of instructions: the first wave is too much beyond it */
  guint64 alone;     /* not 0: only blocks below this one run... */
  guint64 given_up;  /* instructions of blocks that were given up */
  gboolean is_part;  /* some were */
} WpRun;

/* ---- wp-run-waves.c ---- */

void wp_run_waves_begin (WpRun *run);
/* Gives blocks to places that are free. FALSE: there is none left, and all have ended. */
gboolean wp_run_waves_fill (WpRun *run);
/* After a turn: which blocks have ended, and whether waves agree. */
void wp_run_waves_count (WpRun *run);

/* ---- wp-run-part.c ---- */

/* After a turn, with the INSTRUCTIONS of all so far: which blocks of a wave that is beyond the
 * limit go on. FALSE: a block alone does not end within the limit. */
gboolean wp_run_part (WpRun *run, guint64 instructions);

/* ---- wp-run-turn.c ---- */

/* Runs all that is resident for a turn. FALSE with ERROR. */
gboolean wp_run_turn (WpRun *run, GError **error);

G_END_DECLS
