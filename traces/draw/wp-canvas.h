/* SPDX-License-Identifier: MIT */
/* A canvas: shapes, hatches and text, written as SVG, PDF or PNG. Private; only wp-canvas-cairo.c
 * knows the library that draws.
 *
 * Lengths are in points; y grows downwards. Shapes are collected and painted together, so that one
 * path of the file has many of them. */
#pragma once

#include "traces/table/wp-trace.h"

G_BEGIN_DECLS

typedef struct WpCanvas WpCanvas;

typedef guint32 WpCanvasColour; /* 0xrrggbb */

typedef enum
{
  WP_CANVAS_LEFT, /* the text begins at the position */
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

/* Loads the library that draws, before anything below. False with ERROR. */
gboolean wp_canvas_load (GError **error);

/* Makes a canvas that is written to the trace's file, in the format of its options. TITLE and
 * DESCRIPTION are for readers that cannot see the drawing. A failure to write is recorded in the
 * trace. */
WpCanvas *wp_canvas_new (WpTrace *trace, gdouble width, gdouble height, const gchar *title,
                         const gchar *description);

/* Writes everything. Returns false with errno set if memory is exhausted. */
gboolean wp_canvas_finish (WpCanvas *draw);
void wp_canvas_free (WpCanvas *draw);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpCanvas, wp_canvas_free)

/* The wp_canvas_add_ functions collect shapes; fill and stroke paint what was collected. */
void wp_canvas_add_box (WpCanvas *draw, WpCanvasBox box);
void wp_canvas_add_line (WpCanvas *draw, gdouble x0, gdouble y0, gdouble x1, gdouble y1);
void wp_canvas_fill (WpCanvas *draw, WpCanvasColour colour);
void wp_canvas_stroke (WpCanvas *draw, WpCanvasColour colour, gdouble width);

/* Y is the baseline. */
void wp_canvas_text (WpCanvas *draw, gdouble x, gdouble y, WpCanvasAlign align,
                     const WpCanvasFont *font, const gchar *text);

/* Returns the width of TEXT. */
gdouble wp_canvas_measure (const WpCanvasFont *font, const gchar *text);

G_END_DECLS
