/* SPDX-License-Identifier: MIT */
/* Files are opened before anything runs: a sweep of hours must not end with a plot that cannot be
 * written.
 */
#include "cli/common/cli-plot.h"

#include "cli/common/cli-text.h"
#include "idg/kernel/idg-suggest.h"
#include "plots/wp-plot-draw.h"
#include "run/base/printable.h"
#include "sim/gpu/wp-gpu.h" /* WP_ERROR */

#include <math.h>
#include <string.h>

#define MAX_NAME 36 /* characters of an entry of a legend */

void
wp_plot_options_clear (WpPlotOptions *options)
{
  g_free (options->plot);
  g_free (options->script);
  g_free (options->kind_name);
  g_free (options->size);
  g_free (options->font);
  g_free (options->font_name);
  wp_output_free (options->plot_output);
  wp_output_free (options->script_output);
}

void
wp_cli_add_plot_options (WpOptionTable *table, WpPlotOptions *options, const gchar *kinds)
{
  wp_options_add (table, "plot", &options->plot,
                  "Draw the result with gnuplot: FILE.svg, .png or .pdf; or write what would be "
                  "drawn: FILE.csv, or FILE.tex for pgfplots",
                  "FILE");
  wp_options_add (table, "gnuplot", &options->script,
                  "Write gnuplot's script for that, with its data", "FILE");
  wp_options_add (table, "plot-kind", &options->kind_name, "What to draw", kinds);
  wp_options_add (table, "plot-size", &options->size,
                  "Its size in print, as 84mm or 17.5x9cm; such a plot has no title, since its "
                  "caption says that",
                  "WIDTH[xHEIGHT]");
  wp_options_add (table, "plot-font", &options->font,
                  "Its font, and the size of that in points, as Times or 'Nimbus Sans,9'",
                  "NAME[,SIZE]");
}

gboolean
wp_plot_is_wanted (const WpPlotOptions *options)
{
  return options->plot != NULL || options->script != NULL;
}

/* ---- Reading ---- */

static gboolean
parse_kind (const WpCommand *command, WpPlotOptions *options, const gchar *const *kinds)
{
  g_autofree gchar *known = g_strjoinv (", ", (gchar **)kinds);
  g_autofree gchar *meant = NULL;

  options->kind = -1;
  if (options->kind_name == NULL)
    return TRUE;
  for (gint i = 0; kinds[i] != NULL; i++)
    if (strcmp (kinds[i], options->kind_name) == 0)
      options->kind = i;
  meant = idg_suggest_end_of (options->kind_name, known);
  if (options->kind < 0)
    wp_cli_usage (command, "--plot-kind \"%s\": there are %s%s", options->kind_name, known, meant);
  else if (!wp_plot_is_wanted (options))
    wp_cli_usage (command, "--plot-kind says what --plot or --gnuplot draws, but neither is given");
  return options->kind >= 0 && wp_plot_is_wanted (options);
}

/* The script draws a picture also where the plot is data. */
static gboolean
parse_format (const WpCommand *command, WpPlotOptions *options)
{
  options->format = options->script_format = wp_plot_format_get (0);
  if (options->plot == NULL)
    return TRUE;
  options->format = wp_plot_format_find (options->plot);
  if (options->format == NULL)
    {
      wp_cli_usage (command,
                    "--plot \"%s\": expected a file that ends in .svg, .png or .pdf, or in .csv or "
                    ".tex for its data",
                    options->plot);
      return FALSE;
    }
  if (options->format->make_text == NULL)
    options->script_format = options->format;
  return TRUE;
}

/* ---- In print ---- */

#define MIN_MM 20.0
#define MAX_MM 2000.0
#define MIN_POINTS 3.0
#define MAX_POINTS 100.0

/* A number at *AT, which moves past it; NAN if there is none. */
static gdouble
take_number (const gchar **at)
{
  gchar *end = NULL;
  gdouble value = g_ascii_isdigit (**at) || **at == '.' ? g_ascii_strtod (*at, &end) : NAN;

  if (end != NULL)
    *at = end;
  return value;
}

/* Millimetres of the unit that is all of TEXT, or 0. */
static gdouble
find_unit (const gchar *text)
{
  static const struct
  {
    const gchar *name;
    gdouble mm;
  } units[] = { { "mm", 1 }, { "cm", 10 }, { "in", 25.4 }, { "pt", 25.4 / 72 } };

  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (text, units[i].name) == 0)
      return units[i].mm;
  return 0;
}

static gboolean
is_size (gdouble mm)
{
  return mm >= MIN_MM && mm <= MAX_MM;
}

static gboolean
parse_size (const WpCommand *command, WpPlotOptions *options)
{
  const gchar *at = options->size;
  gdouble width, height = 0, unit;

  if (at == NULL)
    return TRUE;
  width = take_number (&at);
  if (*at == 'x')
    {
      at++;
      height = take_number (&at);
    }
  unit = find_unit (at);
  options->paper.width = width * unit;
  options->paper.height = height * unit;
  if (is_size (options->paper.width) && (height == 0 || is_size (options->paper.height)))
    return TRUE;
  wp_cli_usage (
      command,
      "--plot-size \"%s\": expected a width, or width x height, from %g to %g mm with its "
      "unit, as 84mm, 17.5x9cm, 3.5in or 250pt",
      options->size, MIN_MM, MAX_MM);
  return FALSE;
}

static gboolean
parse_font (const WpCommand *command, WpPlotOptions *options)
{
  const gchar *comma;

  if (options->font == NULL)
    return TRUE;
  comma = strchr (options->font, ',');
  options->font_name = comma != NULL ? g_strndup (options->font, (gsize)(comma - options->font))
                                     : g_strdup (options->font);
  options->paper.font = options->font_name;
  if (comma != NULL)
    {
      const gchar *at = comma + 1;

      options->paper.points = take_number (&at);
      if (*at != '\0')
        options->paper.points = NAN;
    }
  if (*options->font_name != '\0'
      && (comma == NULL
          || (options->paper.points >= MIN_POINTS && options->paper.points <= MAX_POINTS)))
    return TRUE;
  wp_cli_usage (
      command,
      "--plot-font \"%s\": expected the name of a font, and after a comma its size from %g "
      "to %g points, as Times,9",
      options->font, MIN_POINTS, MAX_POINTS);
  return FALSE;
}

/* What says how a plot looks needs one that is drawn. */
static gboolean
parse_print (const WpCommand *command, WpPlotOptions *options)
{
  const gchar *given = options->size != NULL   ? "plot-size"
                       : options->font != NULL ? "plot-font"
                                               : NULL;
  gboolean is_drawn
      = options->script != NULL || (options->plot != NULL && options->format->make_text == NULL);
  gboolean is_tex = options->plot != NULL && options->format->make_text == wp_plot_get_tex;

  if (given == NULL)
    return TRUE;
  if (!is_drawn && !(is_tex && options->font == NULL))
    {
      wp_cli_usage (command, "--%s says how a plot is drawn, but %s", given,
                    is_tex                  ? "TeX has the font of its document"
                    : options->plot != NULL ? "a table is not drawn"
                                            : "there is no --plot or --gnuplot");
      return FALSE;
    }
  return parse_size (command, options) && parse_font (command, options);
}

/* Checks that no file of the command is written twice, and that no plot goes to standard output. */
static gboolean
check_files (const WpCommand *command, const WpPlotOptions *options, const WpInputs *inputs,
             const gchar *const *others, guint n)
{
  const gchar *own[] = { options->plot, options->script };
  const gchar *const names[] = { "--plot", "--gnuplot" };

  for (guint i = 0; i < G_N_ELEMENTS (own); i++)
    {
      if (own[i] == NULL)
        continue;
      if (*own[i] == '\0' || wp_output_is_standard (own[i]))
        {
          wp_cli_usage (command, "%s \"%s\": expected a file; the result goes to standard output",
                        names[i], own[i]);
          return FALSE;
        }
      if (!wp_cli_check_apart (command, inputs, names[i], own[i]))
        return FALSE;
      for (guint k = 0; k < n; k++)
        if (others[k] != NULL && wp_output_is_same (own[i], others[k]))
          {
            wp_cli_usage (command, "%s \"%s\": the table goes to that file", names[i], own[i]);
            return FALSE;
          }
    }
  if (own[0] == NULL || own[1] == NULL || !wp_output_is_same (own[0], own[1]))
    return TRUE;
  wp_cli_usage (command, "--plot and --gnuplot name the same file");
  return FALSE;
}

gboolean
wp_cli_parse_plot (const WpCommand *command, WpPlotOptions *options, const gchar *const *kinds,
                   const WpInputs *inputs, const gchar *const *others, guint n)
{
  return parse_kind (command, options, kinds) && parse_format (command, options)
         && parse_print (command, options) && check_files (command, options, inputs, others, n);
}

/* ---- Writing ---- */

gboolean
wp_plot_open (WpPlotOptions *options, GError **error)
{
  if (options->script != NULL)
    {
      options->script_output = wp_output_open (options->script, error);
      if (options->script_output == NULL)
        return FALSE;
    }
  if (options->plot != NULL)
    options->plot_output = wp_output_open (options->plot, error);
  return options->plot == NULL || options->plot_output != NULL;
}

/* The file that the script draws, in whichever folder it is run: the plot's name, or else the
 * script's with another suffix. Free with g_free(). */
static gchar *
get_picture_name (const WpPlotOptions *options)
{
  g_autofree gchar *name
      = g_path_get_basename (options->plot != NULL ? options->plot : options->script);
  gchar *dot = strrchr (name, '.');

  if (options->plot != NULL && options->format == options->script_format)
    return g_steal_pointer (&name);
  if (dot != NULL && dot != name)
    *dot = '\0';
  return g_strconcat (name, options->script_format->suffix, NULL);
}

static gboolean
write_script (WpPlotOptions *options, const WpPlot *plot, GError **error)
{
  g_autofree gchar *picture = get_picture_name (options);
  g_autofree gchar *script
      = wp_plot_get_script (plot, options->script_format, &options->paper, picture);

  return wp_output_write (options->script_output, script, strlen (script), error)
         && wp_output_finish (options->script_output, error);
}

gboolean
wp_plot_write (WpPlotOptions *options, const WpPlot *plot, const WpProgress *progress,
               gint *interrupted, GError **error)
{
  g_autoptr (GString) picture = NULL;

  *interrupted = 0;
  fflush (stdout); /* the result comes first; wp_cli_main() reports a failure of this */
  if (!wp_plot_has_points (plot))
    {
      g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
                   "there is nothing to plot: no run has figures for it");
      return FALSE;
    }
  if (options->script != NULL && !write_script (options, plot, error))
    return FALSE;
  if (options->plot == NULL)
    return TRUE;
  picture = wp_plot_draw (plot, options->format, &options->paper, progress->is_cancelled,
                          progress->data, interrupted, error);
  if (picture == NULL)
    return *interrupted != 0;
  return wp_output_write (options->plot_output, picture->str, picture->len, error)
         && wp_output_finish (options->plot_output, error);
}

/* ---- Words and numbers of plots ---- */

/* NAME without folder and suffix. Free with g_free(). */
static gchar *
get_base (const gchar *name)
{
  g_autofree gchar *base = g_path_get_basename (name);

  if (g_str_has_suffix (base, ".xml"))
    base[strlen (base) - strlen (".xml")] = '\0';
  return wp_make_printable (base);
}

gchar *
wp_plot_shorten (const gchar *name)
{
  g_autofree gchar *base = get_base (name);

  return wp_text_cut (base, MAX_NAME);
}

gchar *
wp_plot_shorten_one (const gchar *const *names, guint i)
{
  g_autofree gchar *base = get_base (names[i]), *text = wp_text_cut (base, MAX_NAME);
  gboolean is_cut = strcmp (text, base) != 0;
  g_autofree gchar *head = g_strndup (text, is_cut ? strlen (text) - strlen ("...") : 0);

  for (guint k = 0; names[k] != NULL; k++)
    {
      g_autofree gchar *other = get_base (names[k]);

      if (k != i && strcmp (base, other) == 0)
        return wp_make_printable (names[i]);
      if (k != i && is_cut && g_str_has_prefix (other, head))
        {
          g_free (text);
          text = g_strdup (base);
          is_cut = FALSE;
        }
    }
  return g_steal_pointer (&text);
}

gboolean
wp_plot_wants_log (gdouble least, gdouble median, gdouble most)
{
  return least > 0 && most >= 16 * least && median < most / 4;
}

gchar *
wp_plot_print (gdouble value, gint digits)
{
  gchar format[] = "%.1g", text[G_ASCII_DTOSTR_BUF_SIZE + 320]; /* room for the largest */

  format[2] = (gchar)('0' + digits);
  return g_strdup (g_ascii_formatd (text, sizeof text,
                                    fabs (value) >= pow (10, digits - 1) ? "%.0f" : format, value));
}
