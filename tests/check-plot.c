/* SPDX-License-Identifier: MIT */
/* Scripts contain what they should and nothing else, whatever texts and numbers a plot has; styles
 * differ. plot.tap tests what gnuplot draws from them. */
#include "config.h"

#include "plots/wp-plot.h"

#include <math.h>
#include <string.h>

#include "tests/check-main.h"

static const WpPlotPaper screen = { 0 };

/* ---- Words ---- */

static void
expect_quoted (const gchar *text, const gchar *wanted)
{
  g_autofree gchar *quoted = wp_plot_quote (text);

  ck_assert_str_eq (quoted, wanted);
}

START_TEST (quotes_and_what_gnuplot_would_expand_stay_text)
{
  expect_quoted ("", "''");
  expect_quoted ("volkov_mix", "'volkov_mix'");
  expect_quoted ("it's", "'it''s'");
  expect_quoted ("''", "''''''");
  expect_quoted ("`touch x` \"a\" $b @c %d # e", "'`touch x` \"a\" $b @c %d # e'");
  expect_quoted ("a\\", "'a\\'");
}
END_TEST

START_TEST (lines_are_joined_and_what_does_not_print_is_escaped)
{
  expect_quoted ("one\ntwo", "'one'.\"\\n\".'two'");
  expect_quoted ("\n", "''.\"\\n\".''");
  expect_quoted ("a\tb\033[1m\177", "'a\\x09b\\x1b[1m\\x7f'");
  expect_quoted ("caf\303\251", "'caf\303\251'");
  expect_quoted ("caf\351", "'caf\357\277\275'"); /* no UTF-8 */
}
END_TEST

/* ---- Formats ---- */

START_TEST (the_suffix_says_the_format)
{
  ck_assert_ptr_eq (wp_plot_format_find ("a.svg"), wp_plot_format_get (0));
  ck_assert_ptr_eq (wp_plot_format_find ("a.b/c.PNG"), wp_plot_format_get (1));
  ck_assert_ptr_eq (wp_plot_format_find ("x.svg.pdf"), wp_plot_format_get (2));
  ck_assert_ptr_eq (wp_plot_format_find ("a.csv"), wp_plot_format_get (3));
  ck_assert_ptr_eq (wp_plot_format_find ("a.tex"), wp_plot_format_get (4));
  ck_assert_ptr_null (wp_plot_format_get (5));
  ck_assert_ptr_null (wp_plot_format_find ("svg"));
  ck_assert_ptr_null (wp_plot_format_find ("a.svg/b"));
  ck_assert_ptr_null (wp_plot_format_find ("a.svg."));
  ck_assert_ptr_null (wp_plot_format_find (""));
}
END_TEST

/* ---- Scripts ---- */

static gchar *
get_script (const WpPlot *plot)
{
  gchar *script = wp_plot_get_script (plot, wp_plot_format_get (0), &screen, "a.svg");
  g_autofree gchar *again = wp_plot_get_script (plot, wp_plot_format_get (0), &screen, "a.svg");

  ck_assert_str_eq (script, again);
  return script;
}

/* SCRIPT has TEXT, or, unless HAS, has it not. */
static void
expect (const gchar *script, gboolean has, const gchar *text)
{
  if ((strstr (script, text) != NULL) != has)
    ck_abort_msg ("%s was %s:\n%s", text, has ? "expected" : "not expected", script);
}

START_TEST (numbers_are_short_and_points_that_are_not_finite_break_the_line)
{
  g_autoptr (WpPlot) plot = wp_plot_new ();
  WpPlotSeries *series = wp_plot_add_series (plot, WP_PLOT_LINES, 0);
  g_autofree gchar *script = NULL;

  ck_assert (!wp_plot_has_points (plot));
  wp_plot_series_add (series, 0, NAN);
  ck_assert (!wp_plot_has_points (plot));
  wp_plot_series_add (series, -0.0, 1.0 / 3);
  wp_plot_series_add (series, 1, 1e-300);
  wp_plot_series_add (series, 2, INFINITY);
  wp_plot_series_add (series, NAN, 1);
  wp_plot_series_add (series, 3, 12345678);
  wp_plot_series_add (series, 4, NAN);
  ck_assert (wp_plot_has_points (plot));
  script = get_script (plot);
  expect (script, TRUE, "$data1 << EOD\n0 0.333333333\n1 1e-300\n\n3 12345678\n\nEOD\n");
  expect (script, FALSE, "nan");
  expect (script, FALSE, "inf");
}
END_TEST

START_TEST (on_a_logarithmic_axis_zero_has_a_place_that_no_line_leads_to)
{
  g_autoptr (WpPlot) plot = wp_plot_new ();
  WpPlotSeries *series = wp_plot_add_series (plot, WP_PLOT_LINES, 0);
  g_autofree gchar *script = NULL;

  plot->x.is_log = TRUE;
  wp_plot_series_add (series, 0, 5);
  wp_plot_series_add (series, 8, 6);
  wp_plot_series_add (series, 16, 7);
  script = get_script (plot);
  expect (script, TRUE, "set logscale x 2\nset xtics add ('0' 4)\n");
  expect (script, TRUE, "set xrange [3.2:20]\n");
  expect (script, TRUE, "$data1 << EOD\n3.52 5\n4.52 5\n\n8 6\n16 7\nEOD\n");
}
END_TEST

START_TEST (upwards_what_is_not_above_zero_has_no_place_on_a_logarithmic_axis)
{
  g_autoptr (WpPlot) plot = wp_plot_new ();
  WpPlotSeries *series = wp_plot_add_series (plot, WP_PLOT_LINES, 0);
  g_autofree gchar *script = NULL;

  plot->y.is_log = TRUE;
  wp_plot_series_add (series, 1, 100000);
  wp_plot_series_add (series, 2, 0);
  wp_plot_series_add (series, 3, -7);
  wp_plot_series_add (series, 4, 2);
  script = get_script (plot);
  expect (script, TRUE, "$data1 << EOD\n1 100000\n\n4 2\nEOD\n");
  expect (script, TRUE, "set logscale y 10\n");
  expect (script, FALSE, "ytics add");
}
END_TEST

START_TEST (a_single_point_has_room_around_it)
{
  g_autoptr (WpPlot) plot = wp_plot_new ();
  g_autofree gchar *script = NULL;

  wp_plot_series_add (wp_plot_add_series (plot, WP_PLOT_POINTS, 0), 0, 40);
  script = get_script (plot);
  expect (script, TRUE, "set xrange [-0.5:0.5]\n");
  expect (script, TRUE, "set yrange [36:48]\n");
}
END_TEST

START_TEST (points_that_come_again_are_drawn_once_but_lines_keep_theirs)
{
  g_autoptr (WpPlot) plot = wp_plot_new ();
  g_autofree gchar *script = NULL;

  for (guint i = 0; i < 2; i++)
    {
      WpPlotSeries *series = wp_plot_add_series (plot, i == 0 ? WP_PLOT_POINTS : WP_PLOT_STEPS, 0);

      for (guint k = 0; k < 3; k++)
        wp_plot_series_add (series, 1, 2);
    }
  script = get_script (plot);
  expect (script, TRUE, "$data1 << EOD\n1 2\nEOD\n");
  expect (script, TRUE, "$data2 << EOD\n1 2\n1 2\n1 2\nEOD\n");
}
END_TEST

START_TEST (series_without_points_are_not_drawn)
{
  g_autoptr (WpPlot) plot = wp_plot_new ();
  g_autofree gchar *script = NULL;

  wp_plot_add_series (plot, WP_PLOT_LINES, 0);
  wp_plot_series_add (wp_plot_add_series (plot, WP_PLOT_POINTS, 1), 1, 1);
  wp_plot_add_series (plot, WP_PLOT_BARS, 2);
  script = get_script (plot);
  expect (script, FALSE, "$data1");
  expect (script, TRUE, "\nplot $data2 using 1:2 ");
  expect (script, FALSE, "$data3");
}
END_TEST

START_TEST (no_text_is_outside_of_quotes)
{
  const gchar *nasty = "x' ; system 'touch found' # \n`id`\\";
  g_autoptr (WpPlot) plot = wp_plot_new ();
  g_autofree gchar *script = NULL, *quoted = wp_plot_quote (nasty);
  g_auto (GStrv) parts = NULL;

  plot->title = g_strdup (nasty);
  plot->subtitle = g_strdup ("");
  plot->x.label = g_strdup (nasty);
  plot->y.label = g_strdup (nasty);
  plot->legend = g_strdup (nasty);
  g_ptr_array_add (plot->places, g_strdup (nasty));
  wp_plot_add_mark (plot, 1, 1, 0, nasty);
  wp_plot_add_mark (plot, 1, 1, G_MAXUINT, nasty);
  wp_plot_add_entry (plot, 0, TRUE, FALSE, nasty);
  wp_plot_add_entry (plot, 0, FALSE, TRUE, nasty);
  wp_plot_series_add (wp_plot_add_series (plot, WP_PLOT_POINTS, 0), 1, 1);
  script = wp_plot_get_script (plot, wp_plot_format_get (0), &screen, nasty);
  /* Nothing of it is left outside of quotes. The title continues after it. */
  parts = g_strsplit (script, quoted, -1);
  ck_assert_uint_eq (g_strv_length (parts), 10 + 1);
  for (guint i = 0; parts[i] != NULL; i++)
    expect (parts[i], FALSE, "system");
}
END_TEST

START_TEST (names_of_places_are_no_formats)
{
  g_autoptr (WpPlot) plot = wp_plot_new ();
  g_autofree gchar *script = NULL;

  g_ptr_array_add (plot->places, g_strdup ("100%d%%"));
  wp_plot_add_entry (plot, 0, TRUE, FALSE, "100%");
  wp_plot_series_add (wp_plot_add_series (plot, WP_PLOT_BARS, 0), 0, 1);
  script = get_script (plot);
  expect (script, TRUE, "'100%%d%%%%' 0");
  expect (script, TRUE, "title '100%'");
}
END_TEST

/* ---- In print, as a table, for TeX ---- */

static void
expect_terminal (guint format, WpPlotPaper paper, const gchar *wanted)
{
  g_autoptr (WpPlot) plot = wp_plot_new ();
  WpPlotLayout layout = wp_plot_lay_out (plot, wp_plot_format_get (format), &paper);
  g_autofree gchar *terminal
      = wp_plot_format_get_terminal (wp_plot_format_get (format), &paper, &layout);

  ck_assert_str_eq (terminal, wanted);
}

START_TEST (paper_has_its_size_in_every_format)
{
  expect_terminal (0, (WpPlotPaper){ 84, 0, NULL, 0 },
                   "svg size 317,190 fixed linewidth 0.7 noenhanced background 'white' font "
                   "'sans-serif,10.6666667'");
  expect_terminal (1, (WpPlotPaper){ 84, 50, "Times", 9 },
                   "pngcairo size 992,591 fontscale 3.125 linewidth 2.2 pointscale 2.2 noenhanced "
                   "background 'white' font 'Times,9'");
  expect_terminal (2, (WpPlotPaper){ 84, 50, "it's", 9 },
                   "pdfcairo size 8.4cm,5cm linewidth 0.7 pointscale 0.6 noenhanced background "
                   "'white' font 'it''s,9'");
  expect_terminal (0, screen,
                   "svg size 900,540 dynamic noenhanced background 'white' font 'sans-serif,14'");
}
END_TEST

static WpPlot *
make_two_series (void)
{
  WpPlot *plot = wp_plot_new ();
  WpPlotSeries *line = wp_plot_add_series (plot, WP_PLOT_LINES, 0);
  WpPlotSeries *spread = wp_plot_add_series (plot, WP_PLOT_POINTS, 1);

  plot->title = g_strdup ("title");
  plot->x.label = g_strdup ("warps, \"n\"");
  plot->y.label = g_strdup ("IPC_%");
  spread->has_bars = TRUE;
  wp_plot_series_add (line, 1, 0.5);
  wp_plot_series_add (line, 2, NAN);
  wp_plot_series_add (line, 3, -0.0);
  wp_plot_series_add_spread (spread, 1, 2, 1.5, 3);
  wp_plot_add_entry (plot, 0, TRUE, FALSE, "a, b");
  wp_plot_add_entry (plot, 1, FALSE, TRUE, "\\input{x} ^~#$&{}\n");
  return plot;
}

START_TEST (a_narrow_plot_has_room_for_its_legend)
{
  g_autoptr (WpPlot) plot = wp_plot_new ();
  WpPlotPaper paper = { 84, 0, NULL, 0 };
  WpPlotLayout layout;

  for (guint i = 0; i < 19; i++)
    wp_plot_add_entry (plot, i, TRUE, FALSE, "a model of some length");
  layout = wp_plot_lay_out (plot, wp_plot_format_get (2), &paper);
  ck_assert_uint_eq (layout.columns, 1);
  ck_assert_double_gt (layout.height, 84 * 3 / 5. + 19 * 8 * 25.4 / 72);
  paper.height = 70; /* as asked for */
  ck_assert_double_eq (wp_plot_lay_out (plot, wp_plot_format_get (2), &paper).height, 70);
  paper.width = 175;
  ck_assert_uint_eq (wp_plot_lay_out (plot, wp_plot_format_get (2), &paper).columns, 0);
}
END_TEST

START_TEST (a_table_has_every_point_and_quotes_what_it_must)
{
  g_autoptr (WpPlot) plot = make_two_series ();
  g_autofree gchar *csv = wp_plot_get_csv (plot, &screen);

  ck_assert_str_eq (csv, "series,style,\"warps, \"\"n\"\"\",IPC_%,low,high\n"
                         "\"a, b\",lines,1,0.5,,\n"
                         "\"a, b\",lines,3,0,,\n"
                         "\"\\input{x} ^~#$&{}\n\",points,1,2,1.5,3\n");
}
END_TEST

START_TEST (tex_executes_nothing_of_a_text)
{
  g_autoptr (WpPlot) plot = make_two_series ();
  g_autofree gchar *tex = wp_plot_get_tex (plot, &(WpPlotPaper){ 84, 0, NULL, 0 });

  expect (tex, TRUE, "  width=84mm,\n  height=50.4mm,\n");
  expect (tex, TRUE, "xlabel={warps, \"n\"}");
  expect (tex, TRUE, "ylabel={IPC\\_\\%}");
  expect (tex, TRUE, "\\addlegendentry{a, b}");
  expect (tex, TRUE,
          "{\\textbackslash{}input\\{x\\} \\textasciicircum{}\\textasciitilde{}"
          "\\#\\$\\&\\{\\} }");
  expect (tex, TRUE, " table {\n1 0.5\n\n3 0\n};");
  expect (tex, TRUE, "\n1 2 1 0.5\n};");
  expect (tex, FALSE, "title");
}
END_TEST

START_TEST (looks_differ_in_more_than_their_colour)
{
  for (guint i = 0; i < WP_PLOT_N_LOOKS; i++)
    for (guint k = 0; k < i; k++)
      {
        g_autoptr (WpPlot) plot = wp_plot_new ();
        g_autofree gchar *script = NULL;
        g_auto (GStrv) lines = NULL;
        const gchar *line, *other;

        wp_plot_add_entry (plot, i, TRUE, TRUE, "a");
        wp_plot_add_entry (plot, k, TRUE, TRUE, "a");
        wp_plot_series_add (wp_plot_add_series (plot, WP_PLOT_POINTS, 0), 1, 1);
        script = get_script (plot);
        lines = g_strsplit (script, "keyentry", -1);
        ck_assert_uint_eq (g_strv_length (lines), 3);
        line = strstr (lines[1], " dt ");
        other = strstr (lines[2], " dt ");
        ck_assert_ptr_nonnull (line);
        ck_assert_ptr_nonnull (other);
        ck_assert_msg (strncmp (line, other, (gsize)(strstr (line, " title ") - line)) != 0,
                       "looks %u and %u", i, k);
      }
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("plot");
  TCase *words = tcase_create ("words"), *scripts = tcase_create ("scripts");

  tcase_add_test (words, quotes_and_what_gnuplot_would_expand_stay_text);
  tcase_add_test (words, lines_are_joined_and_what_does_not_print_is_escaped);
  tcase_add_test (words, the_suffix_says_the_format);
  suite_add_tcase (suite, words);
  tcase_add_test (scripts, numbers_are_short_and_points_that_are_not_finite_break_the_line);
  tcase_add_test (scripts, on_a_logarithmic_axis_zero_has_a_place_that_no_line_leads_to);
  tcase_add_test (scripts, upwards_what_is_not_above_zero_has_no_place_on_a_logarithmic_axis);
  tcase_add_test (scripts, a_single_point_has_room_around_it);
  tcase_add_test (scripts, points_that_come_again_are_drawn_once_but_lines_keep_theirs);
  tcase_add_test (scripts, series_without_points_are_not_drawn);
  tcase_add_test (scripts, no_text_is_outside_of_quotes);
  tcase_add_test (scripts, names_of_places_are_no_formats);
  tcase_add_test (scripts, paper_has_its_size_in_every_format);
  tcase_add_test (scripts, a_narrow_plot_has_room_for_its_legend);
  tcase_add_test (scripts, a_table_has_every_point_and_quotes_what_it_must);
  tcase_add_test (scripts, tex_executes_nothing_of_a_text);
  tcase_add_test (scripts, looks_differ_in_more_than_their_colour);
  suite_add_tcase (suite, scripts);
  return suite;
}
