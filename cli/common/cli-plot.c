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
  wp_output_free (options->plot_output);
  wp_output_free (options->script_output);
}

void
wp_cli_add_plot_options (WpOptionTable *table, WpPlotOptions *options, const gchar *kinds)
{
  wp_options_add (table, "plot", &options->plot,
                  "Draw the result with gnuplot: FILE.svg, .png or .pdf", "FILE");
  wp_options_add (table, "gnuplot", &options->script,
                  "Write gnuplot's script for that, with its data", "FILE");
  wp_options_add (table, "plot-kind", &options->kind_name, "What to draw", kinds);
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

static gboolean
parse_format (const WpCommand *command, WpPlotOptions *options)
{
  options->format = wp_plot_format_get (0);
  if (options->plot == NULL)
    return TRUE;
  options->format = wp_plot_format_find (options->plot);
  if (options->format == NULL)
    wp_cli_usage (command, "--plot \"%s\": expected a file that ends in .svg, .png or .pdf",
                  options->plot);
  return options->format != NULL;
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
         && check_files (command, options, inputs, others, n);
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
  gchar *dot = options->plot != NULL ? NULL : strrchr (name, '.');

  if (options->plot != NULL)
    return g_steal_pointer (&name);
  if (dot != NULL && dot != name)
    *dot = '\0';
  return g_strconcat (name, options->format->suffix, NULL);
}

static gboolean
write_script (WpPlotOptions *options, const WpPlot *plot, GError **error)
{
  g_autofree gchar *picture = get_picture_name (options);
  g_autofree gchar *script = wp_plot_get_script (plot, options->format, picture);

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
  picture = wp_plot_draw (plot, options->format, progress->is_cancelled, progress->data,
                          interrupted, error);
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
