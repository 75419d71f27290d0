/* SPDX-License-Identifier: MIT */
/* Private: the data of a picture, which wp-trace-picture.c collects and wp-picture-draw.c draws. */
#pragma once

#include "traces/draw/wp-timeline.h"
#include "traces/table/wp-trace.h"

G_BEGIN_DECLS

/* The most warps and pipelines: with more, rows are too low to be told apart. */
#define WP_PICTURE_MAX_ROWS 256
/* The most spans and blocks and, if the window has no end, the most for each row. */
#define WP_PICTURE_MAX_SPANS 100000
#define WP_PICTURE_ROW_SPANS 160

/* What a warp does, in the order of painting. */
typedef enum
{
  WP_PICTURE_FINISHED, /* the warp has ended and its block has not */
  WP_PICTURE_WAITS,    /* for a result of the pipeline */
  WP_PICTURE_DRAINS,   /* everything has issued; the last result comes from the pipeline */
  WP_PICTURE_AT_BARRIER,
  WP_PICTURE_FOR_PIPELINE,
  WP_PICTURE_FOR_SCHEDULER,
  WP_PICTURE_BETWEEN,  /* between two issues of its own: the ILP latency */
  WP_PICTURE_EXECUTES, /* some of its instructions are in the pipeline and not complete */
  WP_PICTURE_KEEPS,    /* its instruction keeps the pipeline from accepting the next */
  WP_PICTURE_ISSUES,   /* at `from` */
  WP_PICTURE_N_LOOKS
} WpPictureLook;

/* Times FROM <= t < TO, which may reach beyond the window. */
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
  WpTick from, to;          /* the window */
  gboolean full;            /* `to` is where the picture ran out of room */
  guint max_spans;
  GArray *spans; /* of WpPictureSpan */
  GArray *uses;  /* of WpPictureSpan, WP_PICTURE_KEEPS: of pipelines that instructions pass by a
                       * path, and what other SMs than those that are shown use */
  GArray *lives; /* of WpPictureLife, one for each block */
  WpStays stays; /* what has issued last */
  GPtrArray **groups; /* [simulated SMs]: for each group, the resident block; NULL: none yet */
} WpPicture;

/* Draws the picture of TRACE into its file. */
void wp_picture_draw (WpTrace *trace);

G_END_DECLS
