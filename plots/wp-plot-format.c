/* SPDX-License-Identifier: MIT */
/* The formats of plots, and what gnuplot is told of size and letters. */
#include "plots/wp-plot.h"

#include <math.h>
#include <string.h>

#define MM_PER_INCH 25.4
#define SVG_DPI 96.0  /* CSS has 96 pixels an inch */
#define PNG_DPI 300.0 /* what publishers ask for */
#define POINTS_PER_INCH 72.0
#define CAPTION 8.0 /* points of a font in print */

/* On a screen one shape, 5 to 3, with one size of letters in it. */
static const WpPlotFormat formats[] = {
  { ".svg", "svg", "</svg>", 6, NULL },     { ".png", "pngcairo", "IEND", 4, NULL },
  { ".pdf", "pdfcairo", "%%EOF", 5, NULL }, { ".csv", NULL, "", 0, wp_plot_get_csv },
  { ".tex", NULL, "", 0, wp_plot_get_tex },
};

const WpPlotFormat *
wp_plot_format_get (guint i)
{
  return i < G_N_ELEMENTS (formats) ? &formats[i] : NULL;
}

const WpPlotFormat *
wp_plot_format_find (const gchar *file)
{
  const gchar *dot = strrchr (file, '.');

  for (gsize i = 0; dot != NULL && i < G_N_ELEMENTS (formats); i++)
    if (g_ascii_strcasecmp (dot, formats[i].suffix) == 0)
      return &formats[i];
  return NULL;
}

/* NAME, or OWN, and POINTS, or else those of OWN, as gnuplot wants them. Free with g_free(). */
static gchar *
make_font (const WpPlotPaper *paper, const gchar *own, gdouble points)
{
  GString *font = g_string_new (paper->font != NULL ? paper->font : own);

  g_string_append_c (font, ',');
  wp_plot_append_number (font, points);
  return g_string_free (font, FALSE);
}

static void
append_size (GString *terminal, gdouble width, gdouble height, const gchar *unit)
{
  g_string_append (terminal, " size ");
  wp_plot_append_number (terminal, width);
  g_string_append_printf (terminal, "%s,", unit);
  wp_plot_append_number (terminal, height);
  g_string_append (terminal, unit);
}

/* A font that is asked for with a size has it, also on a screen. */
static void
append_for_screen (GString *terminal, gsize format, const WpPlotPaper *paper)
{
  static const gchar *const sizes[] = { "900,540 dynamic", "1800,1080", "22.5cm,13.5cm" };
  static const gchar *const scales[]
      = { "", " fontscale 2 linewidth 2 pointscale 2.8", " fontscale 0.6" };
  const gdouble points = format == 0 ? 14 : 12;
  g_autofree gchar *font = make_font (paper, format == 0 ? "sans-serif" : "Sans",
                                      paper->points > 0 ? paper->points : points);
  g_autofree gchar *quoted = wp_plot_quote (font);

  g_string_append_printf (terminal, " size %s noenhanced background 'white' font %s%s",
                          sizes[format], quoted, scales[format]);
}

static void
append_for_print (GString *terminal, gsize format, const WpPlotPaper *paper,
                  const WpPlotLayout *layout)
{
  static const gdouble dpi[] = { SVG_DPI, PNG_DPI, POINTS_PER_INCH };
  const gdouble pixels = dpi[format] / MM_PER_INCH;
  g_autofree gchar *font
      = make_font (paper, format == 0 ? "sans-serif" : "Sans",
                   format == 0 ? layout->points * SVG_DPI / POINTS_PER_INCH : layout->points);
  g_autofree gchar *quoted = wp_plot_quote (font);

  if (format == 2)
    append_size (terminal, layout->width / 10, layout->height / 10, "cm");
  else
    append_size (terminal, (gdouble)(gint)(layout->width * pixels + 0.5),
                 (gdouble)(gint)(layout->height * pixels + 0.5), "");
  g_string_append_printf (terminal, "%s noenhanced background 'white' font %s",
                          format == 0   ? " fixed linewidth 0.7"
                          : format == 1 ? " fontscale 3.125 linewidth 2.2 pointscale 2.2"
                                        : " linewidth 0.7 pointscale 0.6",
                          quoted);
}

/* ---- Layout ---- */

#define MM_PER_POINT (MM_PER_INCH / POINTS_PER_INCH)
#define EM_OF_CHARACTER 0.56 /* the mean width of a letter, in sizes of the font */
#define EM_OF_LINE 1.5
#define EM_OF_SAMPLE 4.5 /* a line of the legend, and what is around it */
#define AXIS 0.55        /* of the height without the legend: the vertical axis */

static glong
find_longest_entry (const WpPlot *plot)
{
  glong longest = 1;

  for (guint i = 0; i < plot->entries->len; i++)
    longest = MAX (longest, g_utf8_strlen (g_array_index (plot->entries, WpPlotEntry, i).text, -1));
  return longest;
}

WpPlotLayout
wp_plot_lay_out (const WpPlot *plot, const WpPlotFormat *format, const WpPlotPaper *paper)
{
  const gdouble points = paper->points > 0 ? paper->points : CAPTION;
  const gdouble em = points * MM_PER_POINT, rows_of_title = plot->legend != NULL ? 2 : 0;
  WpPlotLayout layout = { paper->width, paper->height, points, 0, 0, 1 };
  gdouble below = 0;

  if (!wp_plot_is_in_print (paper))
    return layout;
  if (format == &formats[0])
    layout.symbols = 0.6;
  if (wp_plot_is_narrow (paper) && plot->entries->len > 0)
    {
      /* gnuplot does not know how wide letters of an SVG will be. */
      const gdouble share = format == &formats[0] ? 0.75 : 0.95;
      const gdouble entry
          = em * (EM_OF_SAMPLE + EM_OF_CHARACTER * (gdouble)find_longest_entry (plot));

      layout.columns = (guint)CLAMP (paper->width * share / entry, 1, plot->entries->len);
      below = em * EM_OF_LINE
              * ((plot->entries->len + layout.columns - 1) / layout.columns + rows_of_title);
    }
  if (!(layout.height > 0))
    layout.height = paper->width * 3 / 5 + below;
  layout.label_characters
      = (guint)fmax (8, (layout.height - below) * AXIS / (em * EM_OF_CHARACTER));
  return layout;
}

gchar *
wp_plot_format_get_terminal (const WpPlotFormat *format, const WpPlotPaper *paper,
                             const WpPlotLayout *layout)
{
  GString *terminal = g_string_new (format->terminal);
  gsize i = (gsize)(format - formats);

  if (wp_plot_is_in_print (paper))
    append_for_print (terminal, i, paper, layout);
  else
    append_for_screen (terminal, i, paper);
  return g_string_free (terminal, FALSE);
}
