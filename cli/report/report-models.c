/* SPDX-License-Identifier: MIT */
/* The models for scripts (FORMATS.md). Their equations may give negative or infinite estimates:
 * CSV says "inf" and "-inf"; JSON, which has no such numbers, null. Where a model does not apply
 * CSV has an empty cell. */
#include "cli/report/report-models.h"

#include "cli/common/cli-json.h"
#include "cli/report/report-warnings.h"

#include <math.h>

/* ---- CSV ---- */

static void
print_cell (gdouble value)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  if (isnan (value))
    putchar (',');
  else if (isinf (value))
    fputs (value > 0 ? ",inf" : ",-inf", stdout);
  else
    printf (",%s", g_ascii_formatd (text, sizeof text, "%.12g", value));
}

/* A row for each occupancy. */
static void
print_occupancies (const WpModelTable *table)
{
  fputs ("occupancy,simulation", stdout);
  for (guint m = 0; m < table->n_models; m++)
    printf (",%s", table->estimates[m].model->name);
  putchar ('\n');
  for (guint i = 0; i < table->n_points; i++)
    {
      printf ("%" G_GINT64_FORMAT, table->warps[i]);
      print_cell (table->simulated[i]);
      for (guint m = 0; m < table->n_models; m++)
        print_cell (table->estimates[m].results[i].throughput);
      putchar ('\n');
    }
}

/* A row for each model, the same for each value of the parameter. */
static void
print_ratios (const WpModelTable *table)
{
  for (guint m = 0; m < table->n_models; m++)
    {
      const WpEstimates *estimates = &table->estimates[m];

      printf ("%s,%s", table->value, estimates->model->name);
      print_cell (estimates->smallest);
      if (isnan (estimates->smallest))
        fputs (",,,\n", stdout);
      else
        {
          printf (",%" G_GINT64_FORMAT, table->warps[estimates->smallest_at]);
          print_cell (estimates->largest);
          printf (",%" G_GINT64_FORMAT "\n", table->warps[estimates->largest_at]);
        }
    }
}

void
wp_model_report_print_csv (const WpModelReport *report)
{
  if (report->parameter == NULL)
    {
      print_occupancies (g_ptr_array_index (report->tables, 0));
      return;
    }
  printf ("%s,model,smallest,smallest_at,largest,largest_at\n", report->parameter);
  for (guint i = 0; i < report->tables->len; i++)
    print_ratios (g_ptr_array_index (report->tables, i));
}

/* ---- JSON ---- */

/* The occupancies at which the model's formula comes out below 0, if there are any. */
static void
write_negative (WpJson *json, const WpModelTable *table, const WpEstimates *estimates)
{
  gboolean any = FALSE;

  for (guint i = 0; i < table->n_points; i++)
    {
      if (estimates->results[i].throughput >= 0 || isnan (estimates->results[i].throughput))
        continue;
      if (!any)
        wp_json_begin (json, "negative_at", '[');
      any = TRUE;
      wp_json_unsigned (json, NULL, (guint64)table->warps[i]);
    }
  if (any)
    wp_json_end (json, ']');
}

static void
write_results (WpJson *json, const WpModelTable *table, const WpEstimates *estimates)
{
  wp_json_begin (json, "throughput", '[');
  for (guint i = 0; i < table->n_points; i++)
    wp_json_ratio (json, NULL, estimates->results[i].throughput);
  wp_json_end (json, ']');
  wp_json_ratio (json, "smallest", estimates->smallest);
  wp_json_ratio (json, "largest", estimates->largest);
  if (!isnan (estimates->smallest))
    {
      wp_json_unsigned (json, "smallest_at", (guint64)table->warps[estimates->smallest_at]);
      wp_json_unsigned (json, "largest_at", (guint64)table->warps[estimates->largest_at]);
    }
  write_negative (json, table, estimates);
  wp_json_begin (json, "needed", '[');
  for (guint i = 0; i < table->n_points; i++)
    wp_json_ratio (json, NULL, estimates->results[i].needed);
  wp_json_end (json, ']');
  wp_json_begin (json, "terms", '[');
  for (guint i = 0; i < table->n_points; i++)
    {
      const WpModelResult *result = &estimates->results[i];

      wp_json_begin (json, NULL, '{');
      for (guint t = 0; t < result->n_terms; t++)
        wp_json_ratio (json, result->terms[t].name, result->terms[t].value);
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
}

static void
write_model (WpJson *json, const WpModelTable *table, const WpEstimates *estimates)
{
  const WpModel *model = estimates->model;

  wp_json_begin (json, NULL, '{');
  wp_json_string (json, "name", model->name);
  wp_json_string (json, "authors", model->authors);
  wp_json_unsigned (json, "year", model->year);
  wp_json_string (json, "title", model->title);
  wp_json_string (json, "source", model->source);
  wp_json_boolean (json, "applies", estimates->why == NULL);
  if (estimates->why != NULL)
    wp_json_string (json, "why", estimates->why);
  else
    write_results (json, table, estimates);
  wp_json_end (json, '}');
}

static void
write_table (WpJson *json, const WpModelTable *table)
{
  const GPtrArray *parameters = table->kernel->parameters;

  wp_json_begin (json, NULL, '{');
  wp_json_begin (json, "parameters", '{');
  for (guint i = 0; i < parameters->len; i++)
    {
      const IdgParameter *parameter = g_ptr_array_index (parameters, i);

      wp_json_literal (json, parameter->name, parameter->value);
    }
  wp_json_end (json, '}');
  wp_json_unsigned (json, "warps_per_block", (guint64)table->warps_per_block);
  wp_json_ratio (json, "instructions_per_warp", table->instructions);
  wp_json_begin (json, "occupancies", '[');
  for (guint i = 0; i < table->n_points; i++)
    wp_json_unsigned (json, NULL, (guint64)table->warps[i]);
  wp_json_end (json, ']');
  wp_json_begin (json, "simulation", '[');
  for (guint i = 0; i < table->n_points; i++)
    wp_json_ratio (json, NULL, table->simulated[i]);
  wp_json_end (json, ']');
  wp_json_begin (json, "models", '[');
  for (guint m = 0; m < table->n_models; m++)
    write_model (json, table, &table->estimates[m]);
  wp_json_end (json, ']');
  wp_json_end (json, '}');
}

void
wp_model_report_print_json (const WpModelReport *report)
{
  const WpModelTable *first = g_ptr_array_index (report->tables, 0);
  WpJson json = { .out = stdout };

  wp_json_begin (&json, NULL, '{');
  wp_json_string (&json, "kernel", first->kernel->name);
  wp_json_string (&json, "gpu", report->gpu->name);
  wp_json_string (&json, "policy", wp_policy_get_name (report->policy));
  wp_json_string (&json, "order", first->resolved->machine.dataflow ? "dataflow" : "program");
  wp_json_string (&json, "memory", first->resolved->machine.contended ? "contended" : "ideal");
  wp_json_unsigned (&json, "seed", report->options->seed);
  if (!first->as_launched)
    wp_json_unsigned (&json, "generations", WP_MODEL_GENERATIONS);
  if (report->parameter != NULL)
    wp_json_string (&json, "varied", report->parameter);
  wp_json_begin (&json, "tables", '[');
  for (guint i = 0; i < report->tables->len; i++)
    write_table (&json, g_ptr_array_index (report->tables, i));
  wp_json_end (&json, ']');
  wp_json_warnings (&json, report->warnings, report->notes);
  wp_json_end (&json, '}');
}
