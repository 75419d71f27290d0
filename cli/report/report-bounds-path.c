/* SPDX-License-Identifier: MIT */
/* The latency bound for people: the critical path step by step, loops as groups, then what each
 * segment of warps takes. */
#include "cli/report/decimals.h"
#include "cli/report/report-bounds-private.h"

#include <string.h>

#include "run/simulate/source-line.h"

/* Lines of a path: a longer one is cut in its middle. */
#define PATH_HEAD 36
#define PATH_TAIL 12

#define SEGMENT_ROWS 24
#define MAX_INDENT 8 /* groups; deeper ones get the same indent */

/* The path is walked twice: to measure, and to print. */
typedef struct
{
  const WpBoundsReport *report;
  const WpTextStyle *style;
  gboolean measure;
  WpDecimals times, lengths;
  gint ops;        /* width of op and context */
  gint numbers;    /* and of the instructions' numbers */
  guint32 segment; /* of the step before */
  guint depth;     /* groups that are open */
} Path;

static gchar *
describe_op (const WpBoundsReport *report, const WpPathItem *item)
{
  const WpMachine *machine = report->bounds->machine;
  const gchar *op = machine->names[machine->instrs[item->instr].cost->name];
  const gchar *context = wp_bounds_report_get_node (report, item)->context;

  return wp_bounds_join_op (op, context);
}

/* "warps 0-3, program producer". */
static gchar *
describe_segment (const WpBoundsReport *report, guint32 index)
{
  const WpBoundsSegment *segment = &report->bounds->segments[index];
  const gchar *program = wp_bounds_report_get_program (report, segment);
  GString *text = g_string_new (NULL);

  if (segment->n_warps == 1)
    g_string_printf (text, "warp %u", segment->first_warp);
  else
    g_string_printf (text, "warps %u-%u", segment->first_warp,
                     segment->first_warp + segment->n_warps - 1);
  if (program != NULL)
    g_string_append_printf (text, ", program %s", program);
  return g_string_free (text, FALSE);
}

static void
measure_step (Path *path, const WpPathItem *item, const gchar *time, const gchar *length)
{
  g_autofree gchar *op = describe_op (path->report, item);
  g_autofree gchar *number
      = g_strdup_printf ("%u", wp_bounds_report_get_number (path->report, item));

  wp_decimals_add (&path->times, time);
  wp_decimals_add (&path->lengths, length);
  path->ops = MAX (path->ops, (gint)g_utf8_strlen (op, -1));
  path->numbers = MAX (path->numbers, (gint)strlen (number));
}

static gint
get_indent (const Path *path)
{
  return 2 * (gint)MIN (path->depth, MAX_INDENT);
}

/* Prints the two columns of numbers, and two blanks. */
static void
print_times (const Path *path, const gchar *time, const gchar *length)
{
  gint blanks = 2;

  fputs ("  ", stdout);
  blanks += wp_decimals_print (&path->times, 8, time);
  printf ("%*s", blanks, "");
  blanks = 2 + wp_decimals_print (&path->lengths, 7, length);
  printf ("%*s", blanks, "");
}

/* As much of TEXT as there is ROOM for, but all of the source line that it begins with: without its
 * last digits the number would be another one. Free with g_free(). */
static gchar *
cut_source (const gchar *text, gint room)
{
  WpSourceLine source;
  gchar *place;

  if (!wp_source_line_parse (text, &source))
    return wp_text_cut (text, room);
  place = g_strdup_printf ("%s:%u", source.file, source.line);
  g_free (source.file);
  if (g_utf8_strlen (place, -1) + 2 * (gint)strlen ("...") > room)
    return place;
  g_free (place);
  return wp_text_cut (text, room);
}

/* Prints OP, and as much of the source line as there is room for. */
static void
print_source (const Path *path, const gchar *op, const gchar *text)
{
  gint before = wp_decimals_get_width (&path->times, 8) + wp_decimals_get_width (&path->lengths, 7)
                + 25 + get_indent (path) + path->numbers + path->ops;
  g_autofree gchar *cut = cut_source (text, MAX (WP_TEXT_WIDTH - before, 12));

  printf ("%s%*s  %s%s%s\n", op, path->ops - (gint)g_utf8_strlen (op, -1), "", path->style->dim,
          cut, path->style->plain);
}

static void
print_step (Path *path, const WpPathItem *item, const gchar *time, const gchar *length)
{
  static const gchar *const edges[WP_N_EDGES]
      = { "start", "result", "program order", "same issue", "barrier" };
  const WpBoundsReport *report = path->report;
  const gchar *text = wp_bounds_report_get_node (report, item)->text;
  g_autofree gchar *op = describe_op (report, item);
  g_autofree gchar *where = NULL;

  if (item->segment != path->segment && report->bounds->n_segments > 1)
    {
      where = describe_segment (report, item->segment);
      printf ("%s  in %s:%s\n", path->style->dim, where, path->style->plain);
    }
  path->segment = item->segment;
  print_times (path, time, length);
  printf ("%-13s  %*s%*u  ", edges[item->edge], get_indent (path), "", path->numbers,
          wp_bounds_report_get_number (report, item));
  if (text == NULL)
    puts (op);
  else
    print_source (path, op, text);
}

static gboolean
is_cut (const Path *path, guint32 i)
{
  guint32 n = path->report->bounds->n_path;

  return n > PATH_HEAD + PATH_TAIL && i >= PATH_HEAD && i < n - PATH_TAIL;
}

static void
print_item (Path *path, guint32 i, WpTick time)
{
  const WpPathItem *item = &path->report->bounds->path[i];
  gint64 ticks_per_cycle = path->report->bounds->machine->ticks_per_cycle;
  gchar at[WP_TIME_CHARS], length[WP_TIME_CHARS];

  if (is_cut (path, i))
    {
      if (!path->measure && i == PATH_HEAD)
        printf ("%s  ... %u lines more; all of them with --format json ...%s\n", path->style->dim,
                path->report->bounds->n_path - PATH_HEAD - PATH_TAIL, path->style->plain);
      return;
    }
  if (item->n_items > 0)
    {
      if (!path->measure)
        printf ("  %*s%s%" G_GUINT64_FORMAT " times:%s\n",
                wp_decimals_get_width (&path->times, 8) + wp_decimals_get_width (&path->lengths, 7)
                    + 19 + get_indent (path),
                "", path->style->bold, item->times, path->style->plain);
      return;
    }
  wp_tick_format (time, ticks_per_cycle, at);
  wp_tick_format (item->length, ticks_per_cycle, length);
  if (path->measure)
    measure_step (path, item, at, length);
  else
    print_step (path, item, at, length);
}

/* Prints or measures items FROM .. TO - 1, from TIME on; returns the time of their end. */
static WpTick
walk_items (Path *path, guint32 from, guint32 to, WpTick time)
{
  for (guint32 i = from; i < to; i++)
    {
      const WpPathItem *item = &path->report->bounds->path[i];
      WpTick end;

      time += item->n_items == 0 ? item->length : 0;
      print_item (path, i, time);
      if (item->n_items == 0)
        continue;
      path->depth++;
      end = walk_items (path, i + 1, i + 1 + item->n_items, time);
      path->depth--;
      time += (end - time) * (WpTick)item->times;
      i += item->n_items;
    }
  return time;
}

/* Prints or measures a line below the path: at TIME, after LENGTH. */
static void
print_last (Path *path, WpTick time, WpTick length, const gchar *what)
{
  gint64 ticks_per_cycle = path->report->bounds->machine->ticks_per_cycle;
  gchar at[WP_TIME_CHARS], text[WP_TIME_CHARS];

  wp_tick_format (time, ticks_per_cycle, at);
  wp_tick_format (length, ticks_per_cycle, text);
  if (path->measure)
    {
      wp_decimals_add (&path->times, at);
      wp_decimals_add (&path->lengths, text);
      return;
    }
  print_times (path, at, text);
  puts (what);
}

static void
walk_path (Path *path)
{
  const WpBounds *bounds = path->report->bounds;
  WpTick time = bounds->path_begins;

  path->segment = G_MAXUINT32;
  time = walk_items (path, 0, bounds->n_path, time);
  time += bounds->completion;
  print_last (path, time, bounds->completion,
              bounds->n_path > 0 ? "completion of the last" : "an empty program");
  time += path->report->bounds->machine->launch_latency;
  print_last (path, time, path->report->bounds->machine->launch_latency,
              "launch latency: until another block takes its place");
}

static void
print_segments (const WpBoundsReport *report, const WpTextStyle *style)
{
  const WpMachine *machine = report->bounds->machine;
  const WpBounds *bounds = report->bounds;
  guint32 n = MIN (bounds->n_segments, SEGMENT_ROWS);
  WpDecimals latencies = { 0, 0 };
  gchar text[WP_TIME_CHARS];

  if (bounds->n_segments < 2)
    return;
  for (guint32 i = 0; i < n; i++)
    wp_decimals_add (&latencies,
                     wp_tick_format (bounds->segments[i].latency, machine->ticks_per_cycle, text));
  puts ("\n  The bound is the mean over the warps; where a block has barriers, all of its warps "
        "count with\n  its slowest. Each from its start to its end, without the launch latency:");
  for (guint32 i = 0; i < n; i++)
    {
      const WpBoundsSegment *segment = &bounds->segments[i];
      g_autofree gchar *what = describe_segment (report, i);
      gint blanks = 2;

      fputs ("  ", stdout);
      blanks += wp_decimals_print (
          &latencies, 8, wp_tick_format (segment->latency, machine->ticks_per_cycle, text));
      printf ("%*s%s, of %" G_GUINT64_FORMAT " block%s%s\n", blanks, "", what, segment->blocks,
              wp_text_plural ((gint64)segment->blocks),
              i == bounds->slowest ? " (the path above)" : "");
    }
  if (n < bounds->n_segments)
    printf ("%s  ... %u more; all of them with --format json ...%s\n", style->dim,
            bounds->n_segments - n, style->plain);
}

void
wp_bounds_report_print_latency (const WpBoundsReport *report, const WpTextStyle *style)
{
  const WpBounds *bounds = report->bounds;
  gint64 ticks_per_cycle = report->bounds->machine->ticks_per_cycle;
  Path path = { .report = report, .style = style, .measure = TRUE };
  gchar text[WP_TIME_CHARS];

  walk_path (&path);
  path.measure = FALSE;
  wp_mean_format (bounds->latency, ticks_per_cycle, text);
  printf ("\n%sLatency bound%s: %s %s\n", style->bold, style->plain, text,
          wp_bounds_name_cycles (text));
  printf ("%s  %*s  %*s  %-13s  instruction%s\n", style->dim,
          wp_decimals_get_width (&path.times, 8), "issue", wp_decimals_get_width (&path.lengths, 7),
          "after", "by", style->plain);
  if (bounds->path_begins > 0)
    printf ("%s  ... what came before %s cycles was not kept ...%s\n", style->dim,
            wp_tick_format (bounds->path_begins, ticks_per_cycle, text), style->plain);
  walk_path (&path);
  print_segments (report, style);
}
