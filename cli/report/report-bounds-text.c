/* SPDX-License-Identifier: MIT */
/* For people: the regime in a sentence, then the two bounds as one would work them out on paper
 * (Volkov 2016, figure 3.5 and table 3.4), then what they come to at every occupancy.
 */
#include "cli/common/cli-text.h"
#include "cli/report/report-bounds.h"

#include <math.h>
#include <string.h>

/* Lines of a path: a longer one is cut in its middle. */
#define PATH_HEAD 36
#define PATH_TAIL 12

#define SEGMENT_ROWS 24
#define CURVE_ROWS 16
#define OP_WIDTH 40 /* of an op and its context: longer ones are cut */
#define BAR_WIDTH 30

/* ---- Numbers in columns, one point below the other ---- */

/* The widths before and from the point on. */
typedef struct
{
  gint whole, part;
} Places;

static void
places_join (Places *places, const gchar *number)
{
  gsize whole = strcspn (number, ".");

  places->whole = MAX (places->whole, (gint)whole);
  places->part = MAX (places->part, (gint)(strlen (number) - whole));
}

/* NUMBER in a column of those PLACES that is at least WIDTH wide, but for the blanks behind it,
 * whose number is returned. */
static gint
print_number (const Places *places, gint width, const gchar *number)
{
  gint whole = (gint)strcspn (number, ".");
  gint margin = MAX (width - places->whole - places->part, 0);

  printf ("%*s%s", margin + places->whole - whole, "", number);
  return places->part - (gint)strlen (number + whole);
}

static gint
get_width (const Places *places, gint width)
{
  return MAX (width, places->whole + places->part);
}

/* ---- The regime ---- */

static gdouble
to_cycles (const WpBoundsReport *report, WpMean mean)
{
  return wp_mean_to_double (mean) / (gdouble)report->resolved->machine.ticks_per_cycle;
}

static gboolean
is_zero (WpMean mean)
{
  return mean.num.hi == 0 && mean.num.lo == 0;
}

/* After NUMBER, a time. */
static const gchar *
name_cycles (const gchar *number)
{
  return strcmp (number, "1") == 0 ? "cycle" : "cycles";
}

/* "pipeline memory", "the schedulers". */
static gchar *
name_tightest (const WpBoundsReport *report)
{
  if (report->tightest == &report->units[report->n_units - 1])
    return g_strdup ("the schedulers");
  return g_strdup_printf ("pipeline %s", report->tightest->name);
}

static gchar *
get_latency_verdict (const WpBoundsReport *report)
{
  g_autofree gchar *unit = name_tightest (report);
  g_autofree gchar *limiters = wp_resident_join_limiters (&report->resident);

  if (report->whole_needed == G_MAXUINT64)
    return g_strdup_printf (
        "Latency-bound: no instruction keeps a unit busy, so that every further "
        "warp adds its share. The launch has %" G_GINT64_FORMAT " on an SM, limited by %s.",
        report->warps, limiters);
  return g_strdup_printf ("Latency-bound: %" G_GINT64_FORMAT " of %" G_GUINT64_FORMAT
                          " warps needed %s resident on an SM (limited by %s), so that the "
                          "tightest resource, %s, is in "
                          "use for %.3g%% of the time. More warps at a time would help, and so "
                          "would a shorter critical "
                          "path.",
                          report->warps, report->whole_needed, report->warps == 1 ? "is" : "are",
                          limiters, unit, 100 * (gdouble)report->warps / report->needed);
}

/* Why more warps would not help. */
static gchar *
describe_enough (const WpBoundsReport *report)
{
  if (report->whole_needed == 0)
    return g_strdup ("there is no latency to hide");
  return g_strdup_printf ("%" G_GUINT64_FORMAT " hide%s all latency", report->whole_needed,
                          report->whole_needed == 1 ? "s" : "");
}

static gchar *
get_verdict (const WpBoundsReport *report)
{
  const WpBounds *bounds = report->bounds;
  g_autofree gchar *enough = describe_enough (report);
  g_autofree gchar *unit = name_tightest (report);
  g_autofree gchar *limiters = wp_resident_join_limiters (&report->resident);

  if (is_zero (bounds->throughput) && is_zero (bounds->latency))
    return g_strdup ("Nothing bounds it: the warps take no time and use no unit.");
  if (!report->is_enough)
    return get_latency_verdict (report);
  return g_strdup_printf (
      "Throughput-bound: %" G_GINT64_FORMAT " warp%s resident on an SM (limited by %s), "
      "and %s. The tightest resource, %s, is in use all the "
      "time: more warps would not help, less use of it by each would.",
      report->warps, report->warps == 1 ? " is" : "s are", limiters, enough, unit);
}

static const gchar *
get_doubt (const WpBoundsReport *report)
{
  if (!report->estimates)
    return NULL;
  return report->resolved->machine.dataflow
             ? "In dataflow order a warp may be faster in company than alone: the figures are "
               "estimates, not bounds."
             : "With dual issue a warp may be faster in company than alone: the figures are "
               "estimates, not bounds.";
}

static void
print_header (const WpBoundsReport *report, const WpTextStyle *style)
{
  wp_text_print_heading (style, report->kernel->name, report->gpu->name, report->gpu->title,
                         report->resolved->machine.dataflow ? "dataflow order" : "program order");
  if (report->kernel->title != NULL)
    printf ("%s%s%s\n", style->dim, report->kernel->title, style->plain);
}

static void
print_rates (const WpBoundsReport *report)
{
  guint n = 0;

  for (guint i = 0; i < report->n_units && isfinite (report->throughput); i++)
    {
      const WpBoundsUnit *unit = &report->units[i];
      gdouble bytes = wp_bounds_report_get_rate (report, unit->bytes, report->throughput);
      gdouble flops = wp_bounds_report_get_rate (report, unit->flops, report->throughput);

      if (bytes > 0)
        printf ("%s%s %.4g GB/s", n++ > 0 ? ", " : "  rates        ", unit->name, bytes);
      if (flops > 0)
        printf ("%s%s %.4g Gflop/s", n++ > 0 ? ", " : "  rates        ", unit->name, flops);
    }
  if (n > 0)
    putchar ('\n');
}

static void
print_summary (const WpBoundsReport *report, const WpTextStyle *style)
{
  const WpMachine *machine = &report->resolved->machine;
  const WpBounds *bounds = report->bounds;
  gchar latency[WP_TIME_CHARS], throughput[WP_TIME_CHARS];
  g_autofree gchar *limiters = wp_resident_join_limiters (&report->resident);

  wp_mean_format (bounds->latency, machine->ticks_per_cycle, latency);
  wp_mean_format (bounds->throughput, machine->ticks_per_cycle, throughput);
  fputs ("\n  launch       ", stdout);
  wp_print_launch (report->resolved);
  printf ("\n  occupancy    %" G_GINT64_FORMAT " warp%s on an SM (%u block%s; limited by %s)\n",
          report->warps, wp_text_plural (report->warps), machine->resident_blocks,
          wp_text_plural (machine->resident_blocks), limiters);
  if (is_zero (bounds->latency))
    printf ("  needed       any number of warps: there is no latency to hide\n");
  else if (isfinite (report->needed))
    printf ("  needed       %s%.6g warps%s: %s %s of latency / %s of %s\n", style->bold,
            report->needed, style->plain, latency, name_cycles (latency), throughput,
            report->tightest->name);
  else
    printf ("  needed       no number of warps: nothing limits throughput\n");
  if (isfinite (report->throughput))
    printf ("  predicted    %.4g warps a cycle and SM; about %.6g cycles (%.4g us) in all\n",
            report->throughput, report->cycles, report->time_us);
  print_rates (report);
}

/* ---- The latency bound ---- */

/* The path is walked twice: to measure, and to print. */
typedef struct
{
  const WpBoundsReport *report;
  const WpTextStyle *style;
  gboolean measure;
  Places times, lengths;
  gint ops;        /* width of op and context */
  gint numbers;    /* and of the instructions' numbers */
  guint32 segment; /* of the step before */
  guint depth;     /* groups that are open */
} Path;

#define MAX_INDENT 8 /* groups; those further in are not told apart */

/* "ld.global stride-2" */
static gchar *
join_context (const gchar *op, const gchar *context)
{
  g_autofree gchar *name = context != NULL ? g_strdup_printf ("%s %s", op, context) : g_strdup (op);

  return wp_text_cut (name, OP_WIDTH);
}

static gchar *
describe_op (const WpBoundsReport *report, const WpPathItem *item)
{
  const WpMachine *machine = &report->resolved->machine;
  const gchar *op = machine->names[machine->instrs[item->instr].name];
  const gchar *context = wp_bounds_report_get_node (report, item)->context;

  return join_context (op, context);
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

  places_join (&path->times, time);
  places_join (&path->lengths, length);
  path->ops = MAX (path->ops, (gint)g_utf8_strlen (op, -1));
  path->numbers = MAX (path->numbers, (gint)strlen (number));
}

static gint
get_indent (const Path *path)
{
  return 2 * (gint)MIN (path->depth, MAX_INDENT);
}

/* The two columns of numbers, with two blanks behind. */
static void
print_times (const Path *path, const gchar *time, const gchar *length)
{
  gint blanks = 2;

  fputs ("  ", stdout);
  blanks += print_number (&path->times, 8, time);
  printf ("%*s", blanks, "");
  blanks = 2 + print_number (&path->lengths, 7, length);
  printf ("%*s", blanks, "");
}

/* OP, and as much of the source line as there is room for. */
static void
print_source (const Path *path, const gchar *op, const gchar *text)
{
  gint before = get_width (&path->times, 8) + get_width (&path->lengths, 7) + 25 + get_indent (path)
                + path->numbers + path->ops;
  g_autofree gchar *cut = wp_text_cut (text, MAX (WP_TEXT_WIDTH - before, 12));

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
  gint64 ticks_per_cycle = path->report->resolved->machine.ticks_per_cycle;
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
                get_width (&path->times, 8) + get_width (&path->lengths, 7) + 19
                    + get_indent (path),
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

/* Items FROM .. TO - 1, from TIME on; returns when they end. */
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

/* A line below the path: at TIME, after LENGTH. */
static void
print_last (Path *path, WpTick time, WpTick length, const gchar *what)
{
  gint64 ticks_per_cycle = path->report->resolved->machine.ticks_per_cycle;
  gchar at[WP_TIME_CHARS], text[WP_TIME_CHARS];

  wp_tick_format (time, ticks_per_cycle, at);
  wp_tick_format (length, ticks_per_cycle, text);
  if (path->measure)
    {
      places_join (&path->times, at);
      places_join (&path->lengths, text);
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
  time += path->report->resolved->machine.launch_latency;
  print_last (path, time, path->report->resolved->machine.launch_latency,
              "launch latency: until another block takes its place");
}

static void
print_segments (const WpBoundsReport *report, const WpTextStyle *style)
{
  const WpMachine *machine = &report->resolved->machine;
  const WpBounds *bounds = report->bounds;
  guint32 n = MIN (bounds->n_segments, SEGMENT_ROWS);
  Places latencies = { 0, 0 };
  gchar text[WP_TIME_CHARS];

  if (bounds->n_segments < 2)
    return;
  for (guint32 i = 0; i < n; i++)
    places_join (&latencies,
                 wp_tick_format (bounds->segments[i].latency, machine->ticks_per_cycle, text));
  puts ("\n  The bound is the mean over the warps; where a block has barriers, all of its warps "
        "count "
        "with\n  its slowest. Each from its start to its end, without the launch latency:");
  for (guint32 i = 0; i < n; i++)
    {
      const WpBoundsSegment *segment = &bounds->segments[i];
      g_autofree gchar *what = describe_segment (report, i);
      gint blanks = 2;

      fputs ("  ", stdout);
      blanks += print_number (&latencies, 8,
                              wp_tick_format (segment->latency, machine->ticks_per_cycle, text));
      printf ("%*s%s, of %" G_GUINT64_FORMAT " block%s%s\n", blanks, "", what, segment->blocks,
              wp_text_plural ((gint64)segment->blocks),
              i == bounds->slowest ? " (the path above)" : "");
    }
  if (n < bounds->n_segments)
    printf ("%s  ... %u more; all of them with --format json ...%s\n", style->dim,
            bounds->n_segments - n, style->plain);
}

static void
print_latency (const WpBoundsReport *report, const WpTextStyle *style)
{
  const WpBounds *bounds = report->bounds;
  gint64 ticks_per_cycle = report->resolved->machine.ticks_per_cycle;
  Path path = { .report = report, .style = style, .measure = TRUE };
  gchar text[WP_TIME_CHARS];

  walk_path (&path);
  path.measure = FALSE;
  wp_mean_format (bounds->latency, ticks_per_cycle, text);
  printf ("\n%sLatency bound%s: %s %s\n", style->bold, style->plain, text, name_cycles (text));
  printf ("%s  %*s  %*s  %-13s  instruction%s\n", style->dim, get_width (&path.times, 8), "issue",
          get_width (&path.lengths, 7), "after", "by", style->plain);
  if (bounds->path_begins > 0)
    printf ("%s  ... what came before %s cycles was not kept ...%s\n", style->dim,
            wp_tick_format (bounds->path_begins, ticks_per_cycle, text), style->plain);
  walk_path (&path);
  print_segments (report, style);
}

/* ---- The worksheet ---- */

typedef struct
{
  Places counts, each, uses;
  gint names;
} Columns;

/* Of what the worksheet shows, all but the names' column is at least as wide as its heading. */
static Columns
measure_worksheet (const WpBoundsReport *report)
{
  gint64 ticks_per_cycle = report->resolved->machine.ticks_per_cycle;
  Columns columns = { .names = 20 };
  gchar text[WP_TIME_CHARS];

  for (guint i = 0; i < report->n_units; i++)
    {
      const WpBoundsUnit *unit = &report->units[i];

      for (guint r = 0; r < unit->rows->len; r++)
        {
          const WpBoundsRow *row = &g_array_index (unit->rows, WpBoundsRow, r);
          g_autofree gchar *name = join_context (row->name, row->context);

          columns.names = MAX (columns.names, (gint)g_utf8_strlen (name, -1));
          places_join (&columns.counts, wp_mean_format (row->count, 1, text));
          places_join (&columns.each, wp_mean_format (row->each, ticks_per_cycle, text));
          places_join (&columns.uses, wp_mean_format (row->use, ticks_per_cycle, text));
        }
      places_join (&columns.uses, wp_mean_format (unit->use, ticks_per_cycle, text));
    }
  return columns;
}

static void
print_row (const WpBoundsRow *row, const Columns *columns, gint64 ticks_per_cycle)
{
  g_autofree gchar *name = join_context (row->name, row->context);
  gchar text[WP_TIME_CHARS];
  gint blanks;

  printf ("    %s%*s  ", name, columns->names - (gint)g_utf8_strlen (name, -1), "");
  blanks = print_number (&columns->counts, 10, wp_mean_format (row->count, 1, text));
  printf ("%*s", 2 + blanks, "");
  blanks = print_number (&columns->each, 10, wp_mean_format (row->each, ticks_per_cycle, text));
  printf ("%*s", 2 + blanks, "");
  print_number (&columns->uses, 10, wp_mean_format (row->use, ticks_per_cycle, text));
  putchar ('\n');
}

static void
print_unit (const WpBoundsReport *report, const WpBoundsUnit *unit, const Columns *columns,
            const WpTextStyle *style)
{
  gint64 ticks_per_cycle = report->resolved->machine.ticks_per_cycle;
  gboolean schedulers = unit == &report->units[report->n_units - 1];
  gboolean tightest = unit == report->tightest && !is_zero (unit->use);
  gdouble share = to_cycles (report, unit->use) / to_cycles (report, report->bounds->throughput);
  gchar text[WP_TIME_CHARS];
  gint blanks;

  if (schedulers)
    printf ("  %sissue slots%s%s of %u scheduler%s%s\n", style->bold, style->plain, style->dim,
            unit->instances, wp_text_plural (unit->instances), style->plain);
  else if (unit->per_scheduler && unit->instances > 1)
    printf ("  %s%s%s%s, one for each of %u schedulers%s\n", style->bold, unit->name, style->plain,
            style->dim, unit->instances, style->plain);
  else
    printf ("  %s%s%s\n", style->bold, unit->name, style->plain);
  for (guint i = 0; i < unit->rows->len; i++)
    print_row (&g_array_index (unit->rows, WpBoundsRow, i), columns, ticks_per_cycle);
  printf ("    %s%-*s  %*s  %*s  ", tightest ? style->bold : "", columns->names, "total",
          get_width (&columns->counts, 10), "", get_width (&columns->each, 10), "");
  blanks = 2 + print_number (&columns->uses, 10, wp_mean_format (unit->use, ticks_per_cycle, text));
  if (tightest)
    printf ("%*sthe tightest%s\n", blanks, "", style->plain);
  else if (isfinite (share))
    printf ("%s%*s%.3g%% of it%s\n", style->dim, blanks, "", 100 * share, style->plain);
  else
    putchar ('\n');
}

static void
print_worksheet (const WpBoundsReport *report, const WpTextStyle *style)
{
  Columns columns = measure_worksheet (report);
  gint64 ticks_per_cycle = report->resolved->machine.ticks_per_cycle;
  guint unused = 0;
  gchar text[WP_TIME_CHARS];

  wp_mean_format (report->bounds->throughput, ticks_per_cycle, text);
  printf ("\n%sThroughput bound%s: %s %s a warp\n", style->bold, style->plain, text,
          name_cycles (text));
  if (!is_zero (report->bounds->throughput))
    printf ("%s    %-*s  %*s  %*s  %*s%s\n", style->dim, columns.names, "",
            get_width (&columns.counts, 10), "a warp", get_width (&columns.each, 10), "cycles each",
            get_width (&columns.uses, 10), "cycles", style->plain);
  for (guint i = 0; i < report->n_units; i++)
    if (report->units[i].rows->len > 0)
      print_unit (report, &report->units[i], &columns, style);
  for (guint i = 0; i < report->n_units; i++)
    if (report->units[i].rows->len == 0)
      printf ("%s%s", unused++ > 0 ? ", " : "  not used: ", report->units[i].name);
  if (unused > 0)
    putchar ('\n');
}

/* ---- Throughput by occupancy ---- */

/* What the tightest unit does is shown in: */
typedef struct
{
  const gchar *name;
  gdouble amount; /* of a warp; 0: instructions a cycle and SM */
} Unit;

static Unit
choose_unit (const WpBoundsReport *report)
{
  if (report->tightest->bytes > 0)
    return (Unit){ "GB/s", report->tightest->bytes };
  if (report->tightest->flops > 0)
    return (Unit){ "Gflop/s", report->tightest->flops };
  return (Unit){ "IPC", 0 };
}

static gdouble
get_rate (const WpBoundsReport *report, gdouble throughput)
{
  Unit unit = choose_unit (report);

  return unit.amount > 0 ? wp_bounds_report_get_rate (report, unit.amount, throughput)
                         : report->tightest->instructions * throughput;
}

/* VALUE with as many places as give MOST, the largest of its column, four digits. */
static void
print_fixed (gint width, gdouble value, gdouble most)
{
  gint places = 0;

  for (gdouble next = most; next > 0 && next < 1000 && places < 10; next *= 10)
    places++;
  if (places > 9 || most >= 1e9)
    printf ("%*.4g", width, value);
  else
    printf ("%*.*f", width, places, value);
}

static void
print_point (const WpBoundsReport *report, const WpTextStyle *style, guint32 n, gdouble most,
             gdouble peak)
{
  gdouble throughput = wp_bounds_predict (report->bounds, n);
  gboolean here = n == report->warps, knee = n == report->whole_needed;
  gint cells = (gint)(throughput / peak * BAR_WIDTH + 0.5);

  printf ("  %s%5u  ", here ? style->bold : "", n);
  print_fixed (14, throughput, most);
  fputs ("  ", stdout);
  print_fixed (9, get_rate (report, throughput), get_rate (report, most));
  printf ("  %s", wp_bounds_report_is_enough (report, n) ? "throughput" : "latency");
  if (cells > 0 || here || knee)
    printf ("%*s", wp_bounds_report_is_enough (report, n) ? 2 : 5, "");
  for (gint i = 0; i < cells; i++)
    fputs (style->full, stdout);
  if (here || knee)
    printf ("%*s  %s", BAR_WIDTH - cells, "",
            knee && here ? "knee, this launch"
            : knee       ? "the knee"
                         : "this launch");
  puts (here ? style->plain : "");
}

static void
print_curve (const WpBoundsReport *report, const WpTextStyle *style)
{
  static const guint32 steps[] = { 1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128, 256, 512 };
  guint32 shown = report->max_warps, step = 1;
  gdouble most = wp_bounds_predict (report->bounds, MAX (report->max_warps, report->warps));
  gdouble peak = wp_bounds_predict (report->bounds, G_MAXDOUBLE);

  if (!isfinite (most) || most <= 0)
    return;
  if (!isfinite (report->needed))
    peak = most;
  if (report->whole_needed < shown / 2) /* nothing happens from there on */
    shown = MAX (2 * (guint32)report->whole_needed, CURVE_ROWS);
  for (guint i = 0; i < G_N_ELEMENTS (steps) && shown / step > CURVE_ROWS; i++)
    step = steps[i];
  printf ("\n%sThroughput by occupancy%s\n", style->bold, style->plain);
  if (isfinite (report->needed))
    printf ("%s  warps  warps/cycle/SM  %9s  bound       of the peak%s\n", style->dim,
            choose_unit (report).name, style->plain);
  else
    printf ("%s  warps  warps/cycle/SM  %9s  bound%s\n", style->dim, choose_unit (report).name,
            style->plain);
  for (guint32 n = 1; n <= MIN (shown, report->max_warps); n++)
    if (n % step == 0 || n == 1 || n == report->whole_needed || n == report->warps)
      print_point (report, style, n, most, peak);
  if (report->warps > MIN (shown, report->max_warps))
    print_point (report, style, (guint32)report->warps, most, peak);
  if (report->whole_needed > report->max_warps && report->whole_needed != G_MAXUINT64)
    printf ("  %" G_GUINT64_FORMAT " warps would hide all latency.\n", report->whole_needed);
}

void
wp_bounds_report_print_text (const WpBoundsReport *report)
{
  WpTextStyle style = wp_text_style_get_own ();
  g_autofree gchar *verdict = get_verdict (report);
  const gchar *doubt = get_doubt (report);

  print_header (report, &style);
  print_summary (report, &style);
  printf ("\n%sWhat bounds it%s\n", style.bold, style.plain);
  wp_text_print_wrapped (verdict);
  if (doubt != NULL)
    wp_text_print_wrapped (doubt);
  print_latency (report, &style);
  print_worksheet (report, &style);
  print_curve (report, &style);
}
