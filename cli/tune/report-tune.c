/* SPDX-License-Identifier: MIT */
/* The ranking for scripts. */
#include "cli/tune/report-tune.h"

#include "cli/common/cli-json.h"
#include "run/base/csv.h"

#include <math.h>
#include <stdio.h>

static const WpVariation *
get_variation (const WpTune *tune, guint i)
{
  return g_ptr_array_index (tune->variations, i);
}

/* ---- CSV ---- */

static void
append_number (GString *line, gdouble value)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_c (line, ',');
  if (isfinite (value))
    g_string_append (line, g_ascii_formatd (text, sizeof text, "%.12g", value));
}

static void
append_text (GString *line, const gchar *text)
{
  g_string_append_c (line, ',');
  wp_csv_append_text (line, text != NULL ? text : "");
}

static void
append_row (GString *line, const WpTune *tune, const WpTuneRow *row)
{
  for (guint i = 0; i < tune->variations->len; i++)
    append_text (line, wp_variations_get (tune->variations, row->index, i)->name);
  if (row->error != NULL)
    {
      g_string_append (line, ",,,,,,,,,,,,,");
      append_text (line, row->error->message);
      return;
    }
  g_string_append_printf (line,
                          ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT
                          ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT,
                          row->blocks, row->threads, row->registers, row->shared_memory,
                          row->resident_warps);
  append_text (line, row->limiters);
  append_number (line, row->cycles);
  append_number (line, row->time_us);
  g_string_append_printf (line, ",%" G_GUINT64_FORMAT, row->instructions);
  g_string_append (line, row->is_tie ? ",yes" : ",no");
  append_text (line, row->no_verdict ? "none" : row->kind);
  append_text (line, row->no_verdict ? "" : row->resource);
  append_text (line, row->warnings);
  append_text (line, NULL);
}

void
wp_tuning_print_csv (const WpTuning *tuning, const WpTune *tune)
{
  g_autoptr (GString) line = g_string_new ("rank");

  for (guint i = 0; i < tune->variations->len; i++)
    append_text (line, get_variation (tune, i)->name);
  puts (g_string_append (line,
                         ",blocks,threads,registers,shared_memory,resident_warps,limiters,cycles,"
                         "time_us,instructions,tie,bound,resource,warnings,error")
            ->str);
  for (guint i = 0; i < tuning->rows->len; i++)
    {
      g_string_printf (line, "%u", i + 1);
      append_row (line, tune, g_ptr_array_index (tuning->rows, i));
      puts (line->str);
    }
}

/* ---- JSON ---- */

static void
write_parameters (WpJson *json, const WpTune *tune, const WpTuneRow *row)
{
  wp_json_begin (json, "parameters", '{');
  for (guint i = 0; i < tune->variations->len; i++)
    wp_json_literal (json, get_variation (tune, i)->name,
                     wp_variations_get (tune->variations, row->index, i)->name);
  wp_json_end (json, '}');
}

static void
write_row (WpJson *json, const WpTune *tune, const WpTuneRow *row)
{
  wp_json_begin_line (json, NULL, '{');
  write_parameters (json, tune, row);
  if (row->error != NULL)
    wp_json_string (json, "error", row->error->message);
  else
    {
      wp_json_unsigned (json, "blocks", (guint64)row->blocks);
      wp_json_unsigned (json, "threads", (guint64)row->threads);
      wp_json_unsigned (json, "registers", (guint64)row->registers);
      wp_json_unsigned (json, "shared_memory", (guint64)row->shared_memory);
      wp_json_unsigned (json, "resident_warps", (guint64)row->resident_warps);
      wp_json_string (json, "limiters", row->limiters);
      wp_json_ratio (json, "cycles", row->cycles);
      wp_json_ratio (json, "time_us", row->time_us);
      wp_json_unsigned (json, "instructions", row->instructions);
      wp_json_boolean (json, "tie", row->is_tie);
      wp_json_string (json, "bound", row->no_verdict ? "none" : row->kind);
      wp_json_string (json, "resource", row->no_verdict ? "" : row->resource);
      wp_json_string (json, "verdict", row->verdict);
      wp_json_string (json, "warnings", row->warnings != NULL ? row->warnings : "");
    }
  wp_json_end (json, '}');
}

void
wp_tuning_print_json (const WpTuning *tuning, const WpTune *tune)
{
  WpJson json = { .out = stdout, .first = TRUE };

  wp_json_begin (&json, NULL, '{');
  wp_json_string (&json, "kernel", tune->kernel);
  wp_json_string (&json, "gpu", tune->gpu->name);
  wp_json_string (&json, "memory", tuning->contended ? "contended" : "ideal");
  wp_json_ratio (&json, "tie_within", WP_TUNE_TIE);
  if (tuning->known != NULL)
    {
      wp_json_begin_line (&json, "known", '{');
      wp_json_unsigned (&json, "measured", tuning->known->n);
      wp_json_unsigned (&json, "half_within_percent", tuning->known->within);
      wp_json_end (&json, '}');
    }
  wp_json_begin (&json, "launches", '[');
  for (guint i = 0; i < tuning->rows->len; i++)
    write_row (&json, tune, g_ptr_array_index (tuning->rows, i));
  wp_json_end (&json, ']');
  wp_json_begin (&json, "notes", '[');
  for (guint i = 0; i < tuning->notes->len; i++)
    wp_json_string (&json, NULL, g_ptr_array_index (tuning->notes, i));
  wp_json_end (&json, ']');
  wp_json_end (&json, '}');
}
