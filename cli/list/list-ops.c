/* SPDX-License-Identifier: MIT */
/* One row for each op, and one for each of its contexts. What a context with a star adds for each
 * unit above the first stands beside what the first costs. For people, an op that has the figures
 * of an earlier one is a line that names it. */
#include "cli/list/list-ops.h"

#include "cli/common/cli-json.h"
#include "run/base/csv.h"

#include <string.h>

/* An op, or one in a context. */
typedef struct
{
  const WpGpu *gpu;
  const WpGpuOp *op;
  const WpGpuContext *context; /* or NULL */
  WpCycles issue, completion, issue_min;
  guint64 bytes, flops;
  guint32 slots, transactions, width, width_min;
  gboolean posted;
} Row;

static void
row_init (Row *row, const WpGpu *gpu, const WpGpuOp *op, const WpGpuContext *context)
{
  *row = (Row){ .gpu = gpu,
                .op = op,
                .context = context,
                .issue = op->issue,
                .completion = op->completion,
                .issue_min = op->issue_min,
                .bytes = op->bytes,
                .flops = op->flops,
                .slots = op->slots,
                .transactions = op->transactions,
                .width = op->width,
                .width_min = op->width_min,
                .posted = op->posted };
  if (context == NULL)
    return;
  row->issue = context->has_issue ? context->issue : row->issue;
  row->completion = context->has_completion ? context->completion : row->completion;
  row->issue_min = context->has_issue_min ? context->issue_min : row->issue_min;
  row->bytes = context->has_bytes ? context->bytes : row->bytes;
  row->flops = context->has_flops ? context->flops : row->flops;
  row->slots = context->has_slots ? context->slots : row->slots;
  row->transactions = context->has_transactions ? context->transactions : row->transactions;
  row->posted = context->has_posted ? context->posted : row->posted;
  row->width = context->width != 0 ? context->width : row->width;
  row->width_min = context->width_min != 0 ? context->width_min : row->width_min;
}

static const gchar *
get_pipeline (const Row *row)
{
  return ((const WpGpuPipeline *)g_ptr_array_index (row->gpu->pipelines, row->op->pipeline))->name;
}

/* A time in cycles, with at most six digits after the point. Free with g_free(). */
static gchar *
format_time (WpCycles time)
{
  gchar *text = g_strdup_printf ("%.6f", wp_cycles_to_double (time));
  gsize end = strlen (text);

  while (text[end - 1] == '0')
    end--;
  text[text[end - 1] == '.' ? end - 1 : end] = '\0';
  return text;
}

static gchar *
format_width (guint32 width)
{
  if (width == 0)
    return g_strdup ("");
  return width == WP_WIDTH_ANY ? g_strdup ("any") : g_strdup_printf ("%u", width);
}

/* The path of ROW, of WpGpuThen; NULL: none is given. */
static const GArray *
get_path (const Row *row)
{
  return row->context != NULL && row->context->path != NULL ? row->context->path : row->op->path;
}

static const gchar *
get_then_name (const Row *row, const WpGpuThen *then)
{
  return ((const WpGpuPipeline *)g_ptr_array_index (row->gpu->pipelines, then->pipeline))->name;
}

typedef void (*Print) (const Row *row, gpointer data);

/* Calls PRINT for OP alone, and in each of its contexts. */
static void
for_each_of (const WpGpu *gpu, const WpGpuOp *op, Print print, gpointer data)
{
  Row row;

  row_init (&row, gpu, op, NULL);
  print (&row, data);
  for (guint c = 0; c < op->contexts->len; c++)
    {
      row_init (&row, gpu, op, g_ptr_array_index (op->contexts, c));
      print (&row, data);
    }
}

static void
for_each (const WpGpu *gpu, Print print, gpointer data)
{
  for (guint i = 0; i < gpu->ops->len; i++)
    for_each_of (gpu, g_ptr_array_index (gpu->ops, i), print, data);
}

/* ---- For people ---- */

/* "2.43 +2.43": of one unit, and of each further one. Free with g_free(). */
static gchar *
format_with_each (WpCycles time, gboolean has_each, WpCycles each)
{
  g_autofree gchar *first = format_time (time);
  g_autofree gchar *further = format_time (each);

  return has_each ? g_strdup_printf ("%s +%s", first, further) : g_steal_pointer (&first);
}

/* "1 +1 min 2": as above, and what it is at least. Free with g_free(). */
static gchar *
format_issue (const Row *row, const WpGpuContext *context)
{
  g_autofree gchar *issue
      = format_with_each (row->issue, context->has_issue_each, context->issue_each);
  g_autofree gchar *least = format_time (row->issue_min);

  return row->issue_min.num > 0 ? g_strdup_printf ("%s min %s", issue, least)
                                : g_steal_pointer (&issue);
}

/* "l2 4 +1, memory 8 +2": the pipelines of ROW's path, with the issue time in each. Free with
 * g_free(). */
static gchar *
format_path (const Row *row)
{
  const GArray *path = get_path (row);
  gboolean star = row->context != NULL && strchr (row->context->name, '*') != NULL;
  GString *text = g_string_new (NULL);

  for (guint i = 0; path != NULL && i < path->len; i++)
    {
      const WpGpuThen *then = &g_array_index (path, WpGpuThen, i);
      g_autofree gchar *issue
          = format_with_each (then->issue, star && then->issue_each.num > 0, then->issue_each);

      g_string_append_printf (text, "%s%s %s", i > 0 ? ", " : "", get_then_name (row, then), issue);
    }
  return g_string_free (text, FALSE);
}

/* Appends a row to the text DATA; the op's own name is left out. */
static void
append_text_row (const Row *row, gpointer data)
{
  static const WpGpuContext none;
  const WpGpuContext *context = row->context != NULL ? row->context : &none;
  g_autofree gchar *issue = format_issue (row, context);
  g_autofree gchar *completion
      = format_with_each (row->completion, context->has_completion_each, context->completion_each);
  g_autofree gchar *width = format_width (row->width);
  g_autofree gchar *least = row->width != 0 && row->width != WP_WIDTH_ANY && row->width_min > 1
                                ? format_width (row->width_min)
                                : g_strdup ("");

  g_autofree gchar *path = format_path (row);

  if (row->context != NULL)
    g_string_append_printf (data, "  %-18s", context->name);
  g_string_append_printf (data,
                          " %-9s %19s %14s %5s %5s %6" G_GUINT64_FORMAT " %5" G_GUINT64_FORMAT "\n",
                          get_pipeline (row), issue, row->posted ? "posted" : completion, width,
                          least, row->bytes, row->flops);
  if (*path != '\0')
    g_string_append_printf (data, "%20s then %s\n", "", path);
}

static gboolean
has_paths (const WpGpu *gpu)
{
  for (guint i = 0; i < gpu->ops->len; i++)
    {
      const WpGpuOp *op = g_ptr_array_index (gpu->ops, i);

      if (op->path != NULL && op->path->len > 0)
        return TRUE;
      for (guint c = 0; c < op->contexts->len; c++)
        if (((const WpGpuContext *)g_ptr_array_index (op->contexts, c))->path != NULL)
          return TRUE;
    }
  return FALSE;
}

static void
print_text (const WpGpu *gpu)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  printf (
      "%s: %s, %u ops\n\n"
      "Issue and completion in cycles, bytes and flops of a warp; \"+\": for each further unit of\n"
      "a context with a star; \"min\": the issue is at least that. Width: the bytes of a thread "
      "that\n"
      "the figures are for. Others take as many times as much, but no less than those of "
      "\"least\";\n"
      "\"any\": all the same. A name that is not here is looked up without its last parts.\n",
      gpu->name, gpu->title != NULL ? gpu->title : "", gpu->ops->len);
  if (has_paths (gpu))
    puts ("\"then\": the pipelines of its path behind its own, with the issue time in each.");
  putchar ('\n');
  printf ("%-20s %-9s %19s %14s %5s %5s %6s %5s\n", "op, context", "pipeline", "issue",
          "completion", "width", "least", "bytes", "flops");
  for (guint i = 0; i < gpu->ops->len; i++)
    {
      const WpGpuOp *op = g_ptr_array_index (gpu->ops, i);
      GString *rows = g_string_new (NULL);
      const gchar *same;

      for_each_of (gpu, op, append_text_row, rows);
      same = g_hash_table_lookup (known, rows->str);
      if (same != NULL)
        printf ("%-20s as %s\n", op->name, same);
      else
        printf ("%-20s%s", op->name, rows->str);
      if (same == NULL)
        g_hash_table_insert (known, g_string_free (rows, FALSE), op->name);
      else
        g_string_free (rows, TRUE);
    }
}

/* ---- For scripts ---- */

static const gchar csv_header[]
    = "op,context,pipeline,issue,completion,posted,slots,transactions,bytes,flops,width,width_min,"
      "issue_each,completion_each,transactions_each,bytes_each,issue_min,path,completion_short,"
      "flops_each";

static void
append_time (GString *line, gboolean is_there, WpCycles time)
{
  g_autofree gchar *text = format_time (time);

  g_string_append_printf (line, ",%s", is_there ? text : "");
}

static void
append_number (GString *line, gboolean is_there, guint64 number)
{
  if (is_there)
    g_string_append_printf (line, ",%" G_GUINT64_FORMAT, number);
  else
    g_string_append_c (line, ',');
}

/* "l2 4 1 memory 8 2": of each pipeline its name, the issue time, and what each further unit adds;
 * then the completions where the last of them are left out. */
static void
append_path (GString *line, const Row *row)
{
  const GArray *path = get_path (row);
  const GArray *completions = row->context != NULL ? row->context->completion_short : NULL;

  for (guint i = 0; path != NULL && i < path->len; i++)
    {
      const WpGpuThen *then = &g_array_index (path, WpGpuThen, i);
      g_autofree gchar *issue = format_time (then->issue);
      g_autofree gchar *each = format_time (then->issue_each);

      g_string_append_printf (line, "%c%s %s %s", i > 0 ? ' ' : ',', get_then_name (row, then),
                              issue, each);
    }
  if (path == NULL || path->len == 0)
    g_string_append_c (line, ',');
  for (guint i = 0; completions != NULL && i < completions->len; i++)
    {
      g_autofree gchar *time = format_time (g_array_index (completions, WpCycles, i));

      g_string_append_printf (line, "%c%s", i > 0 ? ' ' : ',', time);
    }
  if (completions == NULL)
    g_string_append_c (line, ',');
}

static void
print_csv_row (const Row *row, gpointer data)
{
  static const WpGpuContext none;
  const WpGpuContext *context = row->context != NULL ? row->context : &none;
  g_autoptr (GString) line = g_string_new (NULL);
  g_autofree gchar *width = format_width (row->width);

  (void)data;
  wp_csv_append_text (line, row->op->name);
  g_string_append_c (line, ',');
  wp_csv_append_text (line, row->context != NULL ? context->name : "");
  g_string_append_c (line, ',');
  wp_csv_append_text (line, get_pipeline (row));
  append_time (line, TRUE, row->issue);
  append_time (line, TRUE, row->completion);
  g_string_append_printf (line, ",%d", row->posted);
  append_number (line, TRUE, row->slots);
  append_number (line, TRUE, row->transactions);
  append_number (line, TRUE, row->bytes);
  append_number (line, TRUE, row->flops);
  g_string_append_printf (line, ",%s", width);
  append_number (line, row->width != 0, row->width_min);
  append_time (line, context->has_issue_each, context->issue_each);
  append_time (line, context->has_completion_each, context->completion_each);
  append_number (line, context->has_transactions_each, context->transactions_each);
  append_number (line, context->has_bytes_each, context->bytes_each);
  append_time (line, row->issue_min.num > 0, row->issue_min);
  append_path (line, row);
  append_number (line, context->has_flops_each, context->flops_each);
  puts (line->str);
}

static void
write_time (WpJson *json, const gchar *name, WpCycles time)
{
  g_autofree gchar *text = format_time (time);

  wp_json_literal (json, name, text);
}

static void
write_each (WpJson *json, const WpGpuContext *context)
{
  if (context->has_issue_each)
    write_time (json, "issue_each", context->issue_each);
  if (context->has_completion_each)
    write_time (json, "completion_each", context->completion_each);
  if (context->has_transactions_each)
    wp_json_unsigned (json, "transactions_each", context->transactions_each);
  if (context->has_bytes_each)
    wp_json_unsigned (json, "bytes_each", context->bytes_each);
  if (context->has_flops_each)
    wp_json_unsigned (json, "flops_each", context->flops_each);
}

static void
write_path (WpJson *json, const Row *row)
{
  const GArray *path = get_path (row);
  const GArray *completions = row->context != NULL ? row->context->completion_short : NULL;

  if (path == NULL)
    return;
  wp_json_begin (json, "path", '[');
  for (guint i = 0; i < path->len; i++)
    {
      const WpGpuThen *then = &g_array_index (path, WpGpuThen, i);

      wp_json_begin (json, NULL, '{');
      wp_json_string (json, "pipeline", get_then_name (row, then));
      write_time (json, "issue", then->issue);
      if (then->issue_each.num > 0)
        write_time (json, "issue_each", then->issue_each);
      if (then->has_transactions)
        wp_json_unsigned (json, "transactions", then->transactions);
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
  if (completions == NULL)
    return;
  wp_json_begin (json, "completion_short", '[');
  for (guint i = 0; i < completions->len; i++)
    write_time (json, NULL, g_array_index (completions, WpCycles, i));
  wp_json_end (json, ']');
}

static void
write_row (const Row *row, gpointer data)
{
  WpJson *json = data;

  wp_json_begin_line (json, NULL, '{');
  wp_json_string (json, "op", row->op->name);
  if (row->context != NULL)
    wp_json_string (json, "context", row->context->name);
  else
    wp_json_literal (json, "context", "null");
  wp_json_string (json, "pipeline", get_pipeline (row));
  write_time (json, "issue", row->issue);
  write_time (json, "completion", row->completion);
  wp_json_boolean (json, "posted", row->posted);
  wp_json_unsigned (json, "slots", row->slots);
  wp_json_unsigned (json, "transactions", row->transactions);
  wp_json_unsigned (json, "bytes", row->bytes);
  wp_json_unsigned (json, "flops", row->flops);
  if (row->width == 0)
    wp_json_literal (json, "width", "null");
  else if (row->width == WP_WIDTH_ANY)
    wp_json_string (json, "width", "any");
  else
    wp_json_unsigned (json, "width", row->width);
  if (row->width != 0)
    wp_json_unsigned (json, "width_min", row->width_min);
  if (row->context != NULL)
    write_each (json, row->context);
  if (row->issue_min.num > 0)
    write_time (json, "issue_min", row->issue_min);
  write_path (json, row);
  wp_json_end (json, '}');
}

static void
write_json (const WpGpu *gpu)
{
  WpJson json = { .out = stdout, .first = TRUE };

  wp_json_begin (&json, NULL, '{');
  wp_json_string (&json, "gpu", gpu->name);
  wp_json_string (&json, "title", gpu->title != NULL ? gpu->title : "");
  wp_json_begin (&json, "ops", '[');
  for_each (gpu, write_row, &json);
  wp_json_end (&json, ']');
  wp_json_end (&json, '}');
}

void
wp_list_ops (const WpGpu *gpu, WpFormat format)
{
  if (format == WP_FORMAT_CSV)
    {
      puts (csv_header);
      for_each (gpu, print_csv_row, NULL);
    }
  else if (format == WP_FORMAT_JSON)
    write_json (gpu);
  else
    print_text (gpu);
}
