/* SPDX-License-Identifier: MIT */
/* What a picture has, between wp-trace-picture.c, which collects it, and wp-picture-draw.c.
 * Private. */
#pragma once

#include "traces/draw/wp-timeline.h"
#include "traces/table/wp-trace.h"

G_BEGIN_DECLS

/* Warps and pipelines at most: more rows are too low to be told apart. */
#define WP_PICTURE_MAX_ROWS 256
/* Spans and blocks at most; and for each row where the end of the window was left out. */
#define WP_PICTURE_MAX_SPANS 100000
#define WP_PICTURE_ROW_SPANS 160

/* What a warp does, in the order in which it is painted. */
typedef enum
{
  WP_PICTURE_FINISHED, /* and its block is not */
  WP_PICTURE_WAITS,    /* for a result of the pipeline */
  WP_PICTURE_DRAINS,   /* all has issued, the last result is the pipeline's */
  WP_PICTURE_AT_BARRIER,
  WP_PICTURE_FOR_PIPELINE,
  WP_PICTURE_FOR_SCHEDULER,
  WP_PICTURE_BETWEEN,  /* its own issues: the ILP latency */
  WP_PICTURE_EXECUTES, /* some of its instructions are in the pipeline, not complete */
  WP_PICTURE_KEEPS,    /* its instruction keeps the pipeline from the next */
  WP_PICTURE_ISSUES,   /* at `from` */
  WP_PICTURE_N_LOOKS
} WpPictureLook;

/* FROM <= t < TO; may reach beyond the window. */
typedef struct
{
  guint32 sm, slot, pipeline; /* or WP_NO_PIPELINE: none in particular */
  WpPictureLook look;
  WpTick from, to;
} WpPictureSpan;

typedef struct
{
  guint32 sm, group;
  guint64 block;
  WpTick from, to;
} WpPictureLife;

typedef struct
{
  const WpMachine *machine; /* borrowed */
  WpTick from, to;          /* what is shown */
  gboolean full;            /* `to` is where there was no more room */
  guint max_spans;
  GArray *spans;      /* of WpPictureSpan */
  GArray *lives;      /* of WpPictureLife: blocks */
  GPtrArray **groups; /* [simulated SMs]: of the resident blocks; NULL: none yet */
} WpPicture;

/* Draws it into the trace's file. */
void wp_picture_draw (WpTrace *trace);

G_END_DECLS
