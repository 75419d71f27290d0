/* SPDX-License-Identifier: MIT */
/* The models for people: the estimates at a handful of occupancies, how far each model is off at
 * worst, and where. */
#include "cli/report/report-models.h"

#include "cli/common/cli-launch.h"
#include "cli/common/cli-text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NAME 20       /* columns of a name, two of indent included */
#define CELL 8        /* of a number */
#define MAX_COLUMNS 9 /* numbers side by side */
#define MAX_VALUES 5  /* pairs of ratios side by side */

/* VALUE with DIGITS significant digits, or fewer, so that it takes at most CELL - 1 columns; TEXT
 * has room for 32 characters. */
static const gchar *
format_number (gdouble value, gint digits, gchar *text)
{
  if (isnan (value))
    return "-";
  if (isinf (value))
    return value > 0 ? "inf" : "-inf";
  if (fabs (value) >= 999.5 && g_snprintf (text, 32, "%.0f", value) < CELL)
    return text;
  for (; digits > 0; digits--)
    if (g_snprintf (text, 32, "%.*g", digits, value) < CELL)
      break;
  return text;
}

static void
print_cell (gdouble value, gint width)
{
  gchar text[32];

  printf ("%*s", width, format_number (value, 3, text));
}

/* A term of a model, with the digits that papers print. */
static void
print_term_cell (gdouble value)
{
  gchar text[32];

  printf ("%*s", CELL, format_number (value, 4, text));
}

/* The same with three digits after the point, so that ratios near 1 are aligned. */
static void
print_ratio_cell (gdouble value, gint width)
{
  if (fabs (value) >= 99.9995 || isnan (value))
    print_cell (value, width);
  else
    printf ("%*.3f", width, value);
}

/* ---- Columns ---- */

/* The points to show: the first, and as many evenly spaced ones as fit. */
static guint
choose_points (const WpModelTable *table, guint columns[MAX_COLUMNS])
{
  static const guint parts[] = { 8, 6, 7, 5 };
  guint n = 0, k = 6;

  if (table->n_points <= MAX_COLUMNS)
    {
      while (n < table->n_points)
        {
          columns[n] = n;
          n++;
        }
      return n;
    }
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (table->n_points % parts[i] == 0)
      {
        k = parts[i];
        break;
      }
  columns[n++] = 0;
  for (guint i = 1; i <= k; i++)
    columns[n++] = (table->n_points * i + k / 2) / k - 1;
  return n;
}

/* ---- Heading ---- */

/* All parameters but the one that is VARIED. */
static void
print_parameters (const WpModelTable *table, const gchar *varied)
{
  const GPtrArray *parameters = table->kernel->parameters;

  for (guint i = 0; i < parameters->len; i++)
    {
      const IdgParameter *parameter = g_ptr_array_index (parameters, i);

      if (g_strcmp0 (parameter->name, varied) != 0)
        printf (", %s=%s", parameter->name, parameter->value);
    }
}

static void
print_header (const WpModelReport *report, const WpTextStyle *style)
{
  const WpModelTable *table = g_ptr_array_index (report->tables, 0);
  const WpMachine *machine = &table->resolved->machine;
  const WpGpu *gpu = report->gpu;
  g_autofree gchar *how = wp_describe_setting (machine, wp_policy_get_name (report->policy), 1);

  wp_text_print_heading (style, table->kernel->name, gpu->name, gpu->title, how);
  if (table->kernel->title != NULL)
    printf ("%s%s%s\n", style->dim, table->kernel->title, style->plain);
  printf ("\n  launch       blocks of %" G_GINT64_FORMAT " warp%s", table->warps_per_block,
          wp_text_plural (table->warps_per_block));
  if (report->parameter == NULL)
    printf (", each of %.10g instruction%s", table->instructions,
            wp_text_plural (table->instructions == 1 ? 1 : 2));
  print_parameters (table, report->parameter);
  if (table->limiters != NULL)
    printf ("\n  occupancy    %" G_GINT64_FORMAT " warp%s on an SM at most (limited by %s)",
            table->most, wp_text_plural (table->most), table->limiters);
  if (machine->simulated_sms == 1)
    fputs ("\n  simulated    one SM, ", stdout);
  else
    printf ("\n  simulated    %" G_GUINT32_FORMAT " SMs, ", machine->simulated_sms);
  if (table->as_launched)
    printf ("with %s share of %" G_GINT64_FORMAT " block%s\n",
            machine->simulated_sms == 1 ? "its" : "their", table->resolved->launch.blocks,
            wp_text_plural (table->resolved->launch.blocks));
  else
    printf ("%d generations of blocks at each occupancy\n", WP_MODEL_GENERATIONS);
}

/* ---- One set of parameters ---- */

static void
print_columns (const WpModelTable *table, const guint *columns, guint n)
{
  printf ("  %-*s", NAME - 2, "warps on an SM");
  for (guint i = 0; i < n; i++)
    printf ("%*" G_GINT64_FORMAT, CELL, table->warps[columns[i]]);
  putchar ('\n');
}

/* Throughput is shown in instructions, which does not depend on how many a warp has; where warps
 * have none, in warps. */
static gdouble
get_unit (const WpModelTable *table)
{
  return table->instructions > 0 ? table->instructions : 1;
}

static void
print_simulation (const WpModelTable *table, const guint *columns, guint n,
                  const WpTextStyle *style)
{
  printf ("  %-*s", NAME - 2, "simulation");
  fputs (style->bold, stdout);
  for (guint i = 0; i < n; i++)
    print_cell (table->simulated[columns[i]] * get_unit (table), CELL);
  printf ("%s\n", style->plain);
}

static void
print_throughput (const WpModelTable *table, const WpTextStyle *style)
{
  guint columns[MAX_COLUMNS];
  guint n = choose_points (table, columns);

  if (table->instructions > 0)
    printf ("\n%sInstructions a cycle on an SM%s (divided by %.10g: warps a cycle)\n", style->bold,
            style->plain, table->instructions);
  else
    printf ("\n%sWarps a cycle on an SM%s\n", style->bold, style->plain);
  print_columns (table, columns, n);
  print_simulation (table, columns, n, style);
  for (guint m = 0; m < table->n_models; m++)
    {
      const WpEstimates *estimates = &table->estimates[m];

      if (estimates->why != NULL)
        continue;
      printf ("  %-*s", NAME - 2, estimates->model->name);
      for (guint i = 0; i < n; i++)
        print_cell (estimates->results[columns[i]].throughput * get_unit (table), CELL);
      putchar ('\n');
    }
}

/* The needed occupancy that the model gives at the most warps. Where it depends on how many there
 * are, this is the estimate that counts. */
static gdouble
get_needed (const WpModelTable *table, const WpEstimates *estimates)
{
  return estimates->results[table->n_points - 1].needed;
}

static void
print_ratio (const WpModelTable *table, const WpEstimates *estimates)
{
  const WpModel *model = estimates->model;

  printf ("  %-*s", NAME - 2, model->name);
  print_ratio_cell (estimates->smallest, CELL);
  if (isnan (estimates->smallest))
    printf ("%7s%8s%7s", "", "-", "");
  else
    {
      printf (" at %-4" G_GINT64_FORMAT, table->warps[estimates->smallest_at]);
      print_ratio_cell (estimates->largest, CELL);
      printf (" at %-4" G_GINT64_FORMAT, table->warps[estimates->largest_at]);
    }
  print_cell (get_needed (table, estimates), CELL);
  printf ("  %s, %u\n", model->authors, model->year);
}

/* Says which models' formulas come out below 0, where they are outside of what they were made
 * for. */
static void
print_negative (const WpModelTable *table)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint m = 0; m < table->n_models; m++)
    {
      const WpEstimates *estimates = &table->estimates[m];

      for (guint i = 0; estimates->why == NULL && i < table->n_points; i++)
        if (estimates->results[i].throughput < 0)
          {
            g_string_append_printf (list, "%s%s at %" G_GINT64_FORMAT " warps",
                                    list->len > 0 ? ", " : "", estimates->model->name,
                                    table->warps[i]);
            break;
          }
    }
  if (list->len > 0)
    printf ("  below 0 is no estimate, and plots leave it out: %s\n", list->str);
}

static void
print_ratios (const WpModelTable *table, const WpTextStyle *style)
{
  gboolean any = FALSE;

  for (guint m = 0; m < table->n_models; m++)
    any |= table->estimates[m].why == NULL;
  if (!any)
    return;
  printf ("\n%sEstimate / simulated%s; needed: warps on an SM that hide all latency\n  %-*s%*s     "
          "   %*s       %*s\n",
          style->bold, style->plain, NAME - 2, "", CELL, "least", CELL - 1, "most", CELL + 1,
          "needed");
  for (guint m = 0; m < table->n_models; m++)
    if (table->estimates[m].why == NULL)
      print_ratio (table, &table->estimates[m]);
  print_negative (table);
}

static const WpModelTerm *
find_term (const WpModelResult *result, const gchar *name)
{
  for (guint i = 0; i < result->n_terms; i++)
    if (strcmp (result->terms[i].name, name) == 0)
      return &result->terms[i];
  return NULL;
}

/* The terms of a model, a row each; shown where there is only one model. */
static void
print_terms (const WpModelTable *table, const WpTextStyle *style)
{
  const WpEstimates *estimates = &table->estimates[0];
  const WpModel *model = estimates->model;
  guint columns[MAX_COLUMNS];
  guint n = choose_points (table, columns);
  const WpModelResult *last = &estimates->results[columns[n - 1]];

  printf ("\n%s%s, %u%s: %s\n  %s\n", style->bold, model->authors, model->year, style->plain,
          model->title, model->source);
  if (last->n_terms > 0)
    print_columns (table, columns, n);
  for (guint t = 0; t < last->n_terms; t++)
    {
      printf ("  %-*s", NAME - 2, last->terms[t].name);
      for (guint i = 0; i < n; i++)
        {
          const WpModelTerm *term
              = find_term (&estimates->results[columns[i]], last->terms[t].name);

          print_term_cell (term != NULL ? term->value : NAN);
        }
      putchar ('\n');
    }
}

/* ---- Several values of a parameter ---- */

static const WpModelTable *
get_table (const WpModelReport *report, guint i)
{
  return g_ptr_array_index (report->tables, i);
}

/* Why model M applies to none of the tables, or NULL. */
static const gchar *
get_why (const WpModelReport *report, guint m)
{
  for (guint i = 0; i < report->tables->len; i++)
    if (get_table (report, i)->estimates[m].why == NULL)
      return NULL;
  return get_table (report, 0)->estimates[m].why;
}

/* The columns of values FIRST .. LAST - 1. */
static void
print_values (const WpModelReport *report, guint first, guint last, const WpTextStyle *style)
{
  printf ("\n%sEstimate / simulated, least and most%s\n  %-*s", style->bold, style->plain, NAME - 2,
          report->parameter);
  for (guint i = first; i < last; i++)
    printf ("%*s", 2 * CELL, get_table (report, i)->value);
  printf ("\n  %-*s", NAME - 2, "warps on an SM");
  for (guint i = first; i < last; i++)
    {
      const WpModelTable *table = get_table (report, i);
      g_autofree gchar *range
          = g_strdup_printf ("%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, table->warps[0],
                             table->warps[table->n_points - 1]);

      printf ("%*s", 2 * CELL, range);
    }
  putchar ('\n');
  for (guint m = 0; m < get_table (report, 0)->n_models; m++)
    {
      if (get_why (report, m) != NULL)
        continue;
      printf ("  %-*s", NAME - 2, get_table (report, 0)->estimates[m].model->name);
      for (guint i = first; i < last; i++)
        {
          print_ratio_cell (get_table (report, i)->estimates[m].smallest, CELL);
          print_ratio_cell (get_table (report, i)->estimates[m].largest, CELL);
        }
      putchar ('\n');
    }
}

/* ---- What does not apply ---- */

static void
print_not_applicable (const WpModelReport *report, const WpTextStyle *style)
{
  gboolean any = FALSE;

  for (guint m = 0; m < get_table (report, 0)->n_models; m++)
    {
      const gchar *why = get_why (report, m);

      if (why == NULL)
        continue;
      if (!any)
        printf ("\n%sNot applicable%s\n", style->bold, style->plain);
      any = TRUE;
      printf ("  %-*s%s\n", NAME - 1, get_table (report, 0)->estimates[m].model->name, why);
    }
}

void
wp_model_report_print_text (const WpModelReport *report)
{
  const WpModelTable *table = get_table (report, 0);
  WpTextStyle style = wp_text_style_get_own ();

  print_header (report, &style);
  if (report->parameter == NULL)
    {
      print_throughput (table, &style);
      print_ratios (table, &style);
      if (table->n_models == 1 && table->estimates[0].why == NULL)
        print_terms (table, &style);
    }
  else
    for (guint i = 0; i < report->tables->len; i += MAX_VALUES)
      print_values (report, i, MIN (i + MAX_VALUES, report->tables->len), &style);
  print_not_applicable (report, &style);
}
