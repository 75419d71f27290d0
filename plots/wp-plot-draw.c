/* SPDX-License-Identifier: MIT */
/* Runs gnuplot on the script of a plot. */
#include "plots/wp-plot-draw.h"

GString *
wp_plot_draw (const WpPlot *plot, const WpPlotFormat *format, const WpPlotPaper *paper,
              WpChildStop stop, gpointer data, gint *stopped, GError **error)
{
  /* Ignore the user's settings: gnuplot gives up if they set a terminal that it lacks. */
  const gchar *const argv[] = { "gnuplot", "--default-settings", "-", NULL };
  g_autofree gchar *script = NULL;
  g_autoptr (GError) problem = NULL;
  GString *picture;

  if (format->make_text != NULL)
    {
      g_autofree gchar *text = format->make_text (plot, paper);

      return g_string_new (text);
    }
  script = wp_plot_get_script (plot, format, paper, NULL);
  picture = wp_child_draw (argv, "GNUTERM", script, format, stop, data, stopped, &problem);
  if (g_error_matches (problem, WP_CHILD_ERROR, WP_CHILD_ERROR_MISSING))
    g_set_error (error, WP_CHILD_ERROR, WP_CHILD_ERROR_MISSING,
                 "a plot is drawn by gnuplot, which is not installed (on Debian: apt install "
                 "gnuplot-nox); with --gnuplot FILE the script is kept");
  else if (problem != NULL)
    g_propagate_error (error, g_steal_pointer (&problem));
  return picture;
}
