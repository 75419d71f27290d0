/* SPDX-License-Identifier: MIT */
/* A canvas drawn with cairo. Equal drawings give equal bytes on one machine: a PDF contains a date,
 * which is fixed.
 *
 * Cairo's SVG has text as outlines of letters. To make the content available as text, the title and
 * the description are inserted after its opening tag while the file is written. */
#include "config.h"
#include "traces/draw/wp-canvas.h"
#include "traces/draw/wp-library.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <errno.h>
#include <string.h>

/* Loaded when it is needed (wp-library.h): the functions that are called here. */
#ifdef CAIRO_SONAME
enum
{
#define FUNCTION(name) AT_##name,
#include "traces/draw/wp-cairo.def"
#undef FUNCTION
  N_FUNCTIONS
};

static const gchar *const function_names[N_FUNCTIONS] = {
#define FUNCTION(name) #name,
#include "traces/draw/wp-cairo.def"
#undef FUNCTION
};

static gpointer symbols[N_FUNCTIONS];

#define CALL(name) WP_LIBRARY_CALL (symbols[AT_##name], name)
#define cairo_create CALL (cairo_create)
#define cairo_destroy CALL (cairo_destroy)
#define cairo_fill CALL (cairo_fill)
#define cairo_font_options_create CALL (cairo_font_options_create)
#define cairo_font_options_destroy CALL (cairo_font_options_destroy)
#define cairo_font_options_set_antialias CALL (cairo_font_options_set_antialias)
#define cairo_font_options_set_hint_metrics CALL (cairo_font_options_set_hint_metrics)
#define cairo_font_options_set_hint_style CALL (cairo_font_options_set_hint_style)
#define cairo_image_surface_create CALL (cairo_image_surface_create)
#define cairo_line_to CALL (cairo_line_to)
#define cairo_move_to CALL (cairo_move_to)
#define cairo_new_path CALL (cairo_new_path)
#define cairo_paint CALL (cairo_paint)
#define cairo_pdf_surface_create_for_stream CALL (cairo_pdf_surface_create_for_stream)
#define cairo_pdf_surface_set_metadata CALL (cairo_pdf_surface_set_metadata)
#define cairo_rectangle CALL (cairo_rectangle)
#define cairo_scale CALL (cairo_scale)
#define cairo_select_font_face CALL (cairo_select_font_face)
#define cairo_set_font_options CALL (cairo_set_font_options)
#define cairo_set_font_size CALL (cairo_set_font_size)
#define cairo_set_line_width CALL (cairo_set_line_width)
#define cairo_set_source_rgb CALL (cairo_set_source_rgb)
#define cairo_show_page CALL (cairo_show_page)
#define cairo_show_text CALL (cairo_show_text)
#define cairo_status CALL (cairo_status)
#define cairo_stroke CALL (cairo_stroke)
#define cairo_surface_destroy CALL (cairo_surface_destroy)
#define cairo_surface_finish CALL (cairo_surface_finish)
#define cairo_surface_status CALL (cairo_surface_status)
#define cairo_surface_write_to_png_stream CALL (cairo_surface_write_to_png_stream)
#define cairo_svg_surface_create_for_stream CALL (cairo_svg_surface_create_for_stream)
#define cairo_svg_surface_set_document_unit CALL (cairo_svg_surface_set_document_unit)
#define cairo_text_extents CALL (cairo_text_extents)
#endif

#define PIXELS 2.0 /* pixels of a PNG, per point */

struct WpCanvas
{
  WpTrace *trace;
  cairo_surface_t *surface;
  cairo_t *cairo;
  gchar *words;  /* what to insert after the opening tag; NULL if nothing, or done */
  gchar opening; /* how many characters of "<svg" have been matched so far */
};

gboolean
wp_canvas_load (GError **error)
{
#ifdef CAIRO_SONAME
  return wp_library_load (CAIRO_SONAME, function_names, symbols, N_FUNCTIONS, error);
#else
  (void)error;
  return TRUE;
#endif
}

/* ---- Files ---- */

static cairo_status_t
write_bytes (WpCanvas *draw, const guchar *bytes, gsize length)
{
  if (draw->trace->error_number == 0 && fwrite (bytes, 1, length, draw->trace->out) != length)
    wp_trace_fail (draw->trace);
  return draw->trace->error_number == 0 ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* Returns how many of BYTES belong to the opening tag or precede it. *ENDS tells whether the tag
 * ends there. */
static gsize
find_opening (WpCanvas *draw, const guchar *bytes, gsize length, gboolean *ends)
{
  static const gchar tag[] = "<svg";

  for (gsize i = 0; i < length; i++)
    if (draw->opening < 4)
      draw->opening = (gchar)(bytes[i] == (guchar)tag[(gint)draw->opening] ? draw->opening + 1
                              : bytes[i] == '<'                            ? 1
                                                                           : 0);
    else if (bytes[i] == '>')
      {
        *ends = TRUE;
        return i + 1;
      }
  *ends = FALSE;
  return length;
}

static cairo_status_t
on_write (void *closure, const unsigned char *bytes, unsigned int length)
{
  WpCanvas *draw = closure;
  g_autofree gchar *words = NULL;
  gboolean ends;
  gsize n;

  if (draw->words == NULL)
    return write_bytes (draw, bytes, length);
  n = find_opening (draw, bytes, length, &ends);
  if (!ends)
    return write_bytes (draw, bytes, length);
  words = g_steal_pointer (&draw->words);
  write_bytes (draw, bytes, n);
  write_bytes (draw, (const guchar *)words, strlen (words));
  return write_bytes (draw, bytes + n, length - n);
}

/* ---- Sheets ---- */

/* Letters do not depend on pixels, so that all formats have the same layout. */
static void
set_font_options (cairo_t *cairo)
{
  cairo_font_options_t *options = cairo_font_options_create ();

  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options (cairo, options);
  cairo_font_options_destroy (options);
}

static void
open_svg (WpCanvas *draw, gdouble width, gdouble height, const gchar *title,
          const gchar *description)
{
  draw->words
      = g_markup_printf_escaped ("\n<title>%s</title>\n<desc>%s</desc>", title, description);
  draw->surface = cairo_svg_surface_create_for_stream (on_write, draw, width, height);
  cairo_svg_surface_set_document_unit (draw->surface, CAIRO_SVG_UNIT_PT);
}

static void
open_pdf (WpCanvas *draw, gdouble width, gdouble height, const gchar *title,
          const gchar *description)
{
  draw->surface = cairo_pdf_surface_create_for_stream (on_write, draw, width, height);
  cairo_pdf_surface_set_metadata (draw->surface, CAIRO_PDF_METADATA_TITLE, title);
  cairo_pdf_surface_set_metadata (draw->surface, CAIRO_PDF_METADATA_SUBJECT, description);
  cairo_pdf_surface_set_metadata (draw->surface, CAIRO_PDF_METADATA_CREATOR, "warpipe");
  cairo_pdf_surface_set_metadata (draw->surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                  "2000-01-01T00:00:00Z");
}

WpCanvas *
wp_canvas_new (WpTrace *trace, gdouble width, gdouble height, const gchar *title,
               const gchar *description)
{
  WpCanvas *draw = g_new0 (WpCanvas, 1);
  WpTraceFormat format = trace->options.format;

  draw->trace = trace;
  if (format == WP_TRACE_SVG)
    open_svg (draw, width, height, title, description);
  else if (format == WP_TRACE_PDF)
    open_pdf (draw, width, height, title, description);
  else
    draw->surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (gint)(width * PIXELS),
                                                (gint)(height * PIXELS));
  draw->cairo = cairo_create (draw->surface);
  if (format == WP_TRACE_PNG)
    cairo_scale (draw->cairo, PIXELS, PIXELS);
  set_font_options (draw->cairo);
  cairo_set_source_rgb (draw->cairo, 1, 1, 1);
  cairo_paint (draw->cairo);
  return draw;
}

gboolean
wp_canvas_finish (WpCanvas *draw)
{
  cairo_status_t status = cairo_status (draw->cairo);

  cairo_show_page (draw->cairo);
  if (status == CAIRO_STATUS_SUCCESS && draw->trace->options.format == WP_TRACE_PNG)
    status = cairo_surface_write_to_png_stream (draw->surface, on_write, draw);
  cairo_surface_finish (draw->surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (draw->surface);
  errno = status == CAIRO_STATUS_NO_MEMORY ? ENOMEM : EIO;
  return status == CAIRO_STATUS_SUCCESS || draw->trace->error_number != 0;
}

void
wp_canvas_free (WpCanvas *draw)
{
  if (draw == NULL)
    return;
  cairo_destroy (draw->cairo);
  cairo_surface_destroy (draw->surface);
  g_free (draw->words);
  g_free (draw);
}

/* ---- Shapes ---- */

void
wp_canvas_add_box (WpCanvas *draw, WpCanvasBox box)
{
  cairo_rectangle (draw->cairo, box.x, box.y, box.width, box.height);
}

void
wp_canvas_add_line (WpCanvas *draw, gdouble x0, gdouble y0, gdouble x1, gdouble y1)
{
  cairo_move_to (draw->cairo, x0, y0);
  cairo_line_to (draw->cairo, x1, y1);
}

static void
set_colour (cairo_t *cairo, WpCanvasColour colour)
{
  cairo_set_source_rgb (cairo, (colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0,
                        (colour & 255) / 255.0);
}

void
wp_canvas_fill (WpCanvas *draw, WpCanvasColour colour)
{
  set_colour (draw->cairo, colour);
  cairo_fill (draw->cairo);
}

void
wp_canvas_stroke (WpCanvas *draw, WpCanvasColour colour, gdouble width)
{
  set_colour (draw->cairo, colour);
  cairo_set_line_width (draw->cairo, width);
  cairo_stroke (draw->cairo);
}

/* ---- Text ---- */

static gdouble
set_font (cairo_t *cairo, const WpCanvasFont *font, const gchar *text)
{
  cairo_text_extents_t extents;

  cairo_select_font_face (cairo, "sans", CAIRO_FONT_SLANT_NORMAL,
                          font->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size (cairo, font->size);
  cairo_text_extents (cairo, text, &extents);
  return extents.x_advance;
}

void
wp_canvas_text (WpCanvas *draw, gdouble x, gdouble y, WpCanvasAlign align, const WpCanvasFont *font,
                const gchar *text)
{
  gdouble width = set_font (draw->cairo, font, text);

  set_colour (draw->cairo, font->colour);
  cairo_move_to (draw->cairo,
                 align == WP_CANVAS_LEFT    ? x
                 : align == WP_CANVAS_RIGHT ? x - width
                                            : x - width / 2,
                 y);
  cairo_show_text (draw->cairo, text);
  cairo_new_path (draw->cairo);
}

gdouble
wp_canvas_measure (const WpCanvasFont *font, const gchar *text)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 1, 1);
  cairo_t *cairo = cairo_create (surface);
  gdouble width;

  set_font_options (cairo);
  width = set_font (cairo, font, text);
  cairo_destroy (cairo);
  cairo_surface_destroy (surface);
  return width;
}
