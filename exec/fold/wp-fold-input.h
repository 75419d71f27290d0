/* SPDX-License-Identifier: MIT */
/* What a fold works on: code, launch, what warps executed, what their accesses came to. */
#pragma once

#include "exec/memory/wp-counts.h"
#include "exec/sass/wp-sass.h"
#include "exec/trail/wp-trail-classes.h"

G_BEGIN_DECLS

/* Where instruction INDEX stands in the source: FILE (borrowed) and LINE receive NULL and 0 where
 * that is not known. */
typedef void (*WpFoldFindLine) (gpointer data, guint index, const gchar **file, guint *line);

/* What barrier instruction INDEX, whose operands are in registers, was executed as: its NUMBER and
 * how many THREADS it waits for, 0: all of the block. FALSE: as several. */
typedef gboolean (*WpFoldFindBarrier) (gconstpointer data, guint index, guint *number,
                                       guint *threads);

/* As what instruction INDEX, a product into tensor memory (tcgen05.mma), was executed: the OP that
 * it runs as (interned), in CONTEXT (interned). FALSE: as several, or never. */
typedef gboolean (*WpFoldFindProduct) (gconstpointer data, guint index, const gchar **op,
                                       const gchar **context);

/* Where warps meet, in the place of a wait at a barrier in shared memory (mbarrier). */
typedef struct
{
  guint32 index;     /* of the instruction that asks that barrier, or arrives there */
  const gchar *name; /* of the barrier at which they meet (static or interned) */
  guint warps;       /* that meet; 0: all of the block */
  gint pending;      /* groups of its copies that a warp does not wait for; -1: it waits for none */
  guint queue;       /* ...0; 1: of its products into tensor memory */
  gboolean arrives;  /* at the barrier, and does not wait there... */
  gboolean is_late;  /* ...nor for copies: the warp comes when these are complete */
  gboolean is_last;  /* no other waits, or comes, for the same copies */
  const gchar *note; /* what is assumed (static) */
} WpFoldMeeting;

/* What INDEX of the trail of warp WARP of a block, which is that of no instruction, means: where it
 * meets others, one after the other, from NTH 0 on. FALSE: there are fewer. */
typedef gboolean (*WpFoldFindMeeting) (gpointer data, guint32 index, guint warp, guint nth,
                                       WpFoldMeeting *meeting);

typedef struct
{
  const gchar *name, *title; /* of the kernel; TITLE may be NULL */
  const gchar *file;         /* that it comes from, for messages */
  const WpSassInstr *instrs; /* the code: trails have indices of it */
  guint n_instrs;
  guint n_indices; /* of trails: those from N_INSTRS on are of warps that meet */
  WpFoldFindLine find_line;
  gpointer line_data;
  WpFoldFindBarrier find_barrier; /* may be NULL: nobody knows */
  gconstpointer barrier_data;
  WpFoldFindProduct find_product; /* may be NULL, likewise */
  gconstpointer product_data;
  WpFoldFindMeeting find_meeting; /* NULL: they are left out */
  gpointer meeting_data;
  gboolean meets_by_warp; /* it depends on WARP */
  /* Receives whether meetings are in the kernel: only if its programs are exactly what each warp
   * executed, as warps might else wait for each other for ever. May be NULL. */
  gboolean *has_meetings;
  guint grid[3];
  guint threads;                 /* of a block */
  guint registers;               /* of a thread */
  guint shared_memory;           /* bytes of a block */
  guint64 wave;                  /* blocks that are resident at a time; 0: not known */
  const WpTrailClasses *classes; /* finished; at least one block */
  WpCounts *const *counts; /* of accesses, for each class; an element may be NULL; NULL: none */
  /* Where blocks were left out: the counts that stand for them, for each class, and of how many
   * warps of the class these are. NULL: all that were executed do. */
  WpCounts *const *steady;
  const guint64 *steady_warps;
  /* Sectors that waited in L2 to be written to memory, before and after what was executed, and
   * those that L2 has room for. */
  guint64 l2_unwritten[2], l2_sectors;
  gboolean compiler_waits; /* dependences as the compiler's control bits have them: stalls, and
                            * scoreboards in the place of registers. Those that say that operands
                            * are read are left out: nothing overwrites a register too early here */
  gboolean gives_early;    /* warps give registers back at their beginning (setmaxnreg), so that who
                            * asks for some does not wait for them */
  guint64 code_cache;      /* bytes of code that stay on an SM; 0: all do */
  guint32 code_piece;      /* bytes of it that are fetched at once */
} WpFoldInput;

G_END_DECLS
