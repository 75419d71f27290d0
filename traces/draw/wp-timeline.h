/* SPDX-License-Identifier: MIT */
/* What a timeline has in its cells, between wp-trace-timeline.c, which fills them, and
 * wp-timeline-draw.c. Private. */
#pragma once

#include "traces/table/wp-trace.h"

G_BEGIN_DECLS

#define WP_TIMELINE_NOBODY 0 /* states; others are a WpStall + 1 */
#define WP_TIMELINE_AT_BARRIER (WP_STALL_BARRIER + 1)
#define WP_TIMELINE_FINISHED (WP_N_STALLS + 1)
#define WP_TIMELINE_NONE G_MAXUINT8

typedef struct
{
  guint8 letter; /* of an issue: the pipeline + 1; n_pipelines + 1: a barrier; 0: none */
  guint8 state;  /* what most of the time goes to */
  guint8 waits;  /* for a result of that pipeline, or WP_TIMELINE_NONE */
  guint8 keeps;  /* the pipeline that the warp's instruction keeps, in `busy` */
  WpTick share;  /* how much time goes to `state` */
  WpTick busy;   /* for how long the warp's instructions keep a pipeline */
} WpTimelineCell;

/* Of a pipeline. */
typedef struct
{
  guint32 slot, n_starts; /* slot: the one whose instructions keep it longest, + 1 */
  WpTick share, busy;
} WpTimelineUse;

/* Of a group's blocks: how many start here, the last of them, and whether the one that is there
 * last ends. */
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
  guint64 first, present; /* first: the block that is there when the window begins */
} WpTimelineGroup;

typedef struct
{
  GPtrArray *groups;    /* of WpTimelineGroup, NULL where nothing is shown of it */
  WpTimelineUse **uses; /* [n_rows][columns]; NULL: nobody has used it yet */
  WpTick end;
} WpTimelineSm;

/* A pipeline instance. */
typedef struct
{
  guint32 pipeline, instance;
} WpTimelineRow;

/* Cells at most: 100 MB of them. */
#define WP_TIMELINE_MAX_CELLS (1 << 22)

typedef struct
{
  const WpMachine *machine; /* borrowed */
  guint n_columns, label;
  WpTick column, from, to;
  gboolean fits;     /* columns grow */
  WpTimelineSm *sms; /* [simulated SMs] */
  guint64 n_cells;
  gboolean hides;     /* there are groups that are not drawn, as they are too many */
  GArray *rows;       /* of WpTimelineRow */
  gchar *letters;     /* [n_pipelines + 2]: of an issue, by WpTimelineCell.letter */
  guint32 *first_row; /* [n_pipelines] */
} WpTimeline;

/* Each pipeline's letter, and the barriers', by WpTimelineCell.letter. Free with g_free(). */
gchar *wp_timeline_choose_letters (const WpMachine *machine);

/* The instances of the pipelines that the kernel uses (WpTimelineRow); FIRST_ROW: [n_pipelines +
 * 1], where each has its own. */
GArray *wp_timeline_find_rows (const WpMachine *machine, guint32 **first_row);

/* "compute 3". Free with g_free(). */
gchar *wp_timeline_make_label (const WpMachine *machine, const WpTimelineRow *row);

/* Draws it into the trace's file. */
void wp_timeline_draw (WpTrace *trace);

G_END_DECLS
