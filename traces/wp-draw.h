/* SPDX-License-Identifier: MIT */
/* A sheet to draw on: shapes, hatches and text as SVG, PDF or PNG. Private; wp-draw-cairo.c alone knows what draws.
 *
 * Lengths are points; y goes down. Shapes are gathered and painted together, so that a file has one path for many.
 */
#pragma once

#include "traces/wp-trace.h"

G_BEGIN_DECLS

typedef struct WpDraw WpDraw;

typedef guint32 WpDrawColour; /* 0xrrggbb */

typedef enum
{
  WP_DRAW_LEFT, /* where the text's origin is */
  WP_DRAW_CENTRE,
  WP_DRAW_RIGHT,
} WpDrawAlign;

typedef struct
{
  gdouble size;
  gboolean bold;
  WpDrawColour colour;
} WpDrawFont;

typedef struct
{
  gdouble x, y, width, height;
} WpDrawBox;

/* Into the trace's file, in the format of its options. TITLE and DESCRIPTION: what a reader that sees no drawing is told.
 * A failure to write is the trace's. */
WpDraw *wp_draw_new (WpTrace *trace, gdouble width, gdouble height, const gchar *title,
                     const gchar *description);

/* Writes all. False with errno set where there was no memory for it. */
gboolean wp_draw_finish (WpDraw *draw);
void wp_draw_free (WpDraw *draw);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpDraw, wp_draw_free)

/* Gather; fill and stroke paint what was gathered. */
void wp_draw_add_box (WpDraw *draw, WpDrawBox box);
void wp_draw_add_line (WpDraw *draw, gdouble x0, gdouble y0, gdouble x1, gdouble y1);
void wp_draw_fill (WpDraw *draw, WpDrawColour colour);
void wp_draw_stroke (WpDraw *draw, WpDrawColour colour, gdouble width);

/* Y: of the line that letters stand on. */
void wp_draw_text (WpDraw *draw, gdouble x, gdouble y, WpDrawAlign align, const WpDrawFont *font,
                   const gchar *text);

/* How wide TEXT is. */
gdouble wp_draw_measure (const WpDrawFont *font, const gchar *text);

G_END_DECLS
