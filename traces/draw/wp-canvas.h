/* SPDX-License-Identifier: MIT */
/* A sheet to draw on: shapes, hatches and text as SVG, PDF or PNG. Private; wp-draw-cairo.c alone
 * knows what draws.
 *
 * Lengths are points; y goes down. Shapes are gathered and painted together, so that a file has one
 * path for many.
 */
#pragma once

#include "traces/table/wp-trace.h"

G_BEGIN_DECLS

typedef struct WpCanvas WpCanvas;

typedef guint32 WpCanvasColour; /* 0xrrggbb */

typedef enum
{
  WP_CANVAS_LEFT, /* where the text's origin is */
  WP_CANVAS_CENTRE,
  WP_CANVAS_RIGHT,
} WpCanvasAlign;

typedef struct
{
  gdouble size;
  gboolean bold;
  WpCanvasColour colour;
} WpCanvasFont;

typedef struct
{
  gdouble x, y, width, height;
} WpCanvasBox;

/* Into the trace's file, in the format of its options. TITLE and DESCRIPTION: what a reader that
 * sees no drawing is told. A failure to write is the trace's. */
WpCanvas *wp_canvas_new (WpTrace *trace, gdouble width, gdouble height, const gchar *title,
                         const gchar *description);

/* Writes all. False with errno set where there was no memory for it. */
gboolean wp_canvas_finish (WpCanvas *draw);
void wp_canvas_free (WpCanvas *draw);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpCanvas, wp_canvas_free)

/* Gather; fill and stroke paint what was gathered. */
void wp_canvas_add_box (WpCanvas *draw, WpCanvasBox box);
void wp_canvas_add_line (WpCanvas *draw, gdouble x0, gdouble y0, gdouble x1, gdouble y1);
void wp_canvas_fill (WpCanvas *draw, WpCanvasColour colour);
void wp_canvas_stroke (WpCanvas *draw, WpCanvasColour colour, gdouble width);

/* Y: of the line that letters stand on. */
void wp_canvas_text (WpCanvas *draw, gdouble x, gdouble y, WpCanvasAlign align,
                     const WpCanvasFont *font, const gchar *text);

/* How wide TEXT is. */
gdouble wp_canvas_measure (const WpCanvasFont *font, const gchar *text);

G_END_DECLS
