/* SPDX-License-Identifier: MIT */
/* Private: the cells of a timeline, which wp-trace-timeline.c fills and wp-timeline-draw.c draws.
 */
#pragma once

#include "traces/table/wp-trace.h"

G_BEGIN_DECLS

/* Values of `state`; the others are a WpStall + 1. */
#define WP_TIMELINE_NOBODY 0
#define WP_TIMELINE_AT_BARRIER (WP_STALL_BARRIER + 1)
#define WP_TIMELINE_FINISHED (WP_N_STALLS + 1)
#define WP_TIMELINE_NONE G_MAXUINT8

typedef struct
{
  guint8 letter; /* of what issues: its pipeline + 1; n_pipelines + 1 for a barrier; 0: nothing
                  * issues */
  guint8 state;  /* what takes most of the time */
  guint8 waits;  /* the pipeline whose result it waits for, or WP_TIMELINE_NONE */
  guint8 keeps;  /* the pipeline that the warp's instructions occupy for the time `busy` */
  WpTick share;  /* how much time `state` takes */
  WpTick busy;   /* how long the warp's instructions occupy a pipeline */
} WpTimelineCell;

/* A cell of a pipeline's row. */
typedef struct
{
  guint32 slot, n_starts; /* slot: 1 + the slot whose instructions occupy it longest; of a pipeline
                           * that SMs share, 1 + the SM */
  WpTick share, busy;
} WpTimelineUse;

/* A cell of the line with a group's blocks: how many start here, which one is the last, and whether
 * that one ends here. */
typedef struct
{
  guint64 block;
  guint32 n_starts;
  gboolean ends;
} WpTimelineMark;

typedef struct
{
  WpTimelineCell **cells; /* [warps of a block][columns] */
  WpTimelineMark *marks;  /* [columns] */
  gboolean has_first;
  guint64 first, present; /* first: the block that is resident when the window begins */
} WpTimelineGroup;

typedef struct
{
  GPtrArray *groups;    /* of WpTimelineGroup, NULL if nothing of a group is shown */
  WpTimelineUse **uses; /* [n_rows][columns]; NULL: not used yet. The first of the SMs that share a
                         * pipeline has its cells */
  WpTick end;
} WpTimelineSm;

/* A pipeline instance. */
typedef struct
{
  guint32 pipeline, instance;
} WpTimelineRow;

/* The most cells: 100 MB of them. */
#define WP_TIMELINE_MAX_CELLS (1 << 22)

typedef struct
{
  const WpMachine *machine; /* borrowed */
  guint n_columns, label;
  WpTick column, from, to;
  gboolean fits;     /* columns grow wider until the run fits */
  WpTimelineSm *sms; /* [simulated SMs] */
  guint64 n_cells;
  gboolean hides;     /* there are too many groups, and some are not drawn */
  GArray *rows;       /* of WpTimelineRow */
  gchar *letters;     /* [n_pipelines + 2]: letters for issues, by WpTimelineCell.letter */
  guint32 *first_row; /* [n_pipelines]: index of its first row */
  WpStays stays;      /* what has issued last */
} WpTimeline;

/* Returns the letter of each pipeline, and that of barriers, by WpTimelineCell.letter. Free with
 * g_free(). */
gchar *wp_timeline_choose_letters (const WpMachine *machine);

/* Returns a row (WpTimelineRow) for each instance of the pipelines that the kernel uses.
 * *FIRST_ROW, [n_pipelines + 1], receives the index of each pipeline's first row. */
GArray *wp_timeline_find_rows (const WpMachine *machine, guint32 **first_row);

/* Whether SM has a ROW of its own; else it, and others, share the pipeline. */
gboolean wp_timeline_is_own (const WpMachine *machine, const WpTimelineRow *row);

/* Returns "compute 3", of a pipeline that SM shares "memory, SMs 0-3". Free with g_free(). */
gchar *wp_timeline_make_label (const WpMachine *machine, const WpTimelineRow *row, guint32 sm);

/* Draws the timeline of TRACE into its file. */
void wp_timeline_draw (WpTrace *trace);

G_END_DECLS
