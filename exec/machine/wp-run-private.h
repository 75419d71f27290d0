/* SPDX-License-Identifier: MIT */
/* A launch while it is executed: wp-run.c drives it, wp-run-turn.c runs what is resident,
 * wp-run-units.c says what of it has to be one thread's, wp-run-waves.c which blocks come next,
 * wp-run-part.c which of a wave go on, wp-run-steady.c whose accesses stand for those of others. */
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

/* Where a block is. */
typedef struct
{
  WpRunSlot *slot;
  struct WpRunSm *sm;
  guint unit; /* see wp-run-units.c */
} WpRunPlace;

/* What a worker keeps. */
typedef struct
{
  WpBlock *block;   /* for blocks that end in their first turn; NULL: not now */
  WpTrail **trails; /* for each warp of a block */
} WpRunWorker;

/* Waves whose accesses are counted apart, at most. */
#define WP_RUN_SETS 8

typedef struct
{
  guint64 wave;
  GPtrArray *counts; /* of WpCounts, by the numbers of classes; NULL: none of this number */
} WpRunSet;

/* An SM. One thread at a time has to do with it. */
typedef struct WpRunSm
{
  WpRunSlot *slots;
  guint n_slots;
  WpTrailStore *store;
  WpPatterns *patterns; /* of blocks that take more than one turn; NULL: none has yet */
  WpCachesWarp *warps;  /* of all taken slots, for the caches */
  WpAccessLog *logs;    /* of the warps of this turn: an SM's, or a worker's */
  GPtrArray *counts;    /* of WpCounts, by the numbers of classes; NULL: none of this number */
  WpRunSet sets[WP_RUN_SETS]; /* likewise, of the newest waves */
  WpBlock *failed;            /* in this turn */
  guint64 instructions;       /* of blocks that have not ended, after a turn */
  GArray *ended;              /* of WpRunEnded: in this turn */
  GArray *kept;               /* of WpRunKept: in this turn, before it is counted */
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
  gboolean is_open;  /* L2 has not looked up yet what it was asked for in that turn */
} WpRunWave;

/* What a block that ended after more than one turn came to, while L2 is behind. */
typedef struct
{
  guint64 number;
  WpCounts **own;   /* as of its slot */
  guint32 *classes; /* likewise; both are owned */
} WpRunKept;

typedef struct
{
  WpGrid *grid;
  WpKernelCode *code;
  const WpExecOptions *options;
  WpWorkers *workers;
  WpRunWorker *own;  /* of each worker */
  GPtrArray *blocks; /* of WpBlock: all that were made */
  GMutex lock;       /* of `blocks`, `waits`, and the grid's `reach` */
  WpWaitsResult waits;
  WpAccessLog *logs; /* for each worker, or each SM if there are units: slots * warps */
  guint n_logs;
  /* Where blocks do not run SM by SM: all that is resident, of WpRunPlace, by units; and of these
   * where each begins, as indices of places, with their end as the last. Else NULL. */
  GArray *places, *units;
  WpTrailClasses *classes;
  guint n_sms, n_slots; /* of each SM */
  WpRunSm *sms;
  guint64 n_blocks, wave; /* of the launch, of a wave */
  guint64 next;           /* block */
  guint64 stop, resume;   /* after block stop - 1 comes block resume */
  guint64 limit;
  guint64 instructions; /* of blocks that have ended */
  guint64 n_ended;
  guint64 last_ended;    /* instructions of all when a block ended last */
  guint64 loops_at;      /* so many after that: whether a loop has an end is asked */
  guint n_turns, n_idle; /* turns; looks in a row at which nothing had changed */
  gboolean is_behind;    /* L2 has to look up what it was asked for in the last turn */
  GArray *waves;         /* of WpRunWave: the first ones, until it is decided */
  guint n_open;          /* of these: how many are open */
  gboolean is_decided;   /* whether blocks are sampled, and when they end */
  guint64 first_waves;
  guint64 steady_waves; /* of these, the last ones, which stand for what is left out */
  guint quantum;
  guint64 threshold; /* of instructions: the first wave is too much beyond it */
  guint64 alone;     /* not 0: only blocks below this one run... */
  guint64 given_up;  /* instructions of blocks that were given up */
  gboolean is_part;  /* some were */
  /* What all accesses came to until a part of the first wave went on: all of them, and those of
   * about the first half. NULL: not yet. */
  WpCounts *pool, *early;
  guint64 pool_warps;
} WpRun;

/* ---- wp-run-waves.c ---- */

void wp_run_waves_begin (WpRun *run);
/* Gives blocks to places that are free. FALSE: there is none left, and all have ended. */
gboolean wp_run_waves_fill (WpRun *run);
/* After a turn: which blocks have ended, and whether waves agree. */
void wp_run_waves_count (WpRun *run);
/* L2 has looked up all that it was asked for until the waves ended that have ended so far. */
void wp_run_waves_close (WpRun *run);

/* ---- wp-run-units.c ---- */

/* Whether blocks run by units, and not SM by SM. */
gboolean wp_run_has_units (const WpRun *run);
/* Finds the units of what is resident. O(places log places). */
void wp_run_units_find (WpRun *run);

/* ---- wp-run-steady.c ---- */

/* Returns where the accesses of a warp of BLOCK are counted, whose class has NUMBER. It is good
 * until the end of the turn. */
WpCounts *wp_run_get_counts (const WpRun *run, WpRunSm *sm, guint64 block, guint number);
/* Counts what a warp of BLOCK came to, whose class has NUMBER. Different SMs may be counted at the
 * same time. */
void wp_run_count_warp (const WpRun *run, WpRunSm *sm, guint64 block, guint number,
                        const WpCounts *some);
/* How many of N waves, the last ones, stand for what is left out. MISFIT receives how far they are
 * from whole rows of the grid, as a part of them. */
guint64 wp_run_choose_steady (const WpRun *run, guint64 n, gdouble *misfit);
/* Returns what all accesses came to so far; L2 is not behind. */
WpCounts *wp_run_pool_counts (const WpRun *run);
/* Sets the counts of RESULT. The classes are finished. */
void wp_run_sum_up_counts (const WpRun *run, WpExecResult *result);

/* ---- wp-run-part.c ---- */

/* After a turn, with the INSTRUCTIONS of all so far: which blocks of a wave that is beyond the
 * limit go on. FALSE: a block alone does not end within the limit, or blocks that wait for one
 * another do not. */
gboolean wp_run_part (WpRun *run, guint64 instructions);

/* ---- wp-run-turn.c ---- */

/* Runs all that is resident for a turn. L2 is then behind by what it was asked for in this turn,
 * so that it can look that up beside the next one. FALSE with ERROR. */
gboolean wp_run_turn (WpRun *run, GError **error);
/* Has L2 look up all that it was asked for, and counts it. */
void wp_run_catch_up (WpRun *run);

G_END_DECLS
