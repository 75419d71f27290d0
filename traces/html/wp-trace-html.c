/* SPDX-License-Identifier: MIT */
/* Records what the page draws of a run. A warp is stored from its block's launch on, so that room
 * for it is certain before its instructions issue; if it ends before the window, its room is
 * released. The first warp or instruction without room ends the record, which has no gaps.
 *
 * The page stores data in columns, and times as differences: most numbers are then short, and many
 * are equal. */
#include "traces/html/wp-trace-html.h"

#include "traces/html/wp-html-json.h"
#include "traces/table/wp-follow.h"
#include "traces/table/wp-thinned.h"

#define NOT_KNOWN (-1)
#define CURVE_CHANGES 4096       /* changes of a curve */
#define CURVE_BINS 2048          /* bins of a longer one: more than a screen has columns */
#define SAFE (INT64_C (1) << 53) /* a browser's numbers are exact up to this */

typedef struct
{
  WpTick since; /* when the wait for it began: the warp's previous issue, or its start */
  WpTick time, ready, accept, start, served;
  WpTick release; /* of a barrier; NOT_KNOWN before it */
  guint64 age, index;
  guint32 instr;
  gint8 why; /* the reason of the wait from `since` to `ready`: a WpStall, or NOT_KNOWN if it did
              * not wait */
  gint8 follows; /* it issues together with the one before it */
  WpTick keeps;  /* for how long it keeps its pipeline */
  guint32 n_passes;
  guint first_begin; /* in the recorder's begins[] */
} Issue;

/* What an instruction of another SM uses of a pipeline that the shown one shares. */
typedef struct
{
  WpStay stay;
  guint32 sm;
} Other;

typedef struct
{
  WpWarpEvent event;  /* its `end` is NOT_KNOWN as long as it lives */
  gboolean has_place; /* its scheduler and slot are known */
} Warp;

/* A resident block. */
typedef struct
{
  guint64 block;
  Warp *warps;     /* [warps_per_block]; NULL if there was no room */
  GArray *arrived; /* of guint: the issues of the barrier at which its warps wait */
  guint64 first_age;
} Block;

/* Future completions of a pipeline, as a heap with the earliest first. */
typedef struct
{
  GArray *heap;     /* of WpTick */
  WpThinned *curve; /* instructions in flight */
  gboolean used;
} Flight;

struct WpHtmlRecorder
{
  const WpMachine *machine;
  WpTraceWindow window; /* its `sm` is a single SM */
  WpObserver observer;
  WpFollow *follow;
  WpStays stays; /* what has issued last */
  guint max_issues, max_warps;
  GHashTable *blocks; /* from a block's number to Block */
  GArray *warps;      /* of Warp: those that have ended and are shown */
  GArray *issues;     /* of Issue */
  GArray *begins;     /* of WpTick: when they begin in the pipelines of their paths */
  GArray *others;     /* of Other, in the order of issue */
  guint64 n_warps;    /* shown, or resident with room reserved */
  guint64 n_launched; /* blocks launched */
  guint64 n_living;   /* resident blocks whose warps have room */
  WpTick seen;        /* events from this time on are not drawn; or WP_TICK_LIMIT */
  WpTick warps_until; /* events from this time on are not kept; or WP_TICK_LIMIT */
  WpTick issues_until;
  guint64 n_issues; /* in the window, kept or not */
  guint64 resident_warps, resident_blocks;
  WpThinned *occupancy, *occupied; /* resident warps and blocks */
  Flight *flights;                 /* [n_pipelines] */
};

static void
block_free (gpointer data)
{
  Block *block = data;

  g_free (block->warps);
  g_clear_pointer (&block->arrived, g_array_unref);
  g_free (block);
}

/* ---- In flight ---- */

static void
heap_add (GArray *heap, WpTick time)
{
  WpTick *times;
  guint i = heap->len;

  g_array_append_val (heap, time);
  times = (WpTick *)heap->data;
  for (; i > 0 && times[(i - 1) / 2] > time; i = (i - 1) / 2)
    times[i] = times[(i - 1) / 2];
  times[i] = time;
}

static void
heap_drop (GArray *heap)
{
  WpTick *times = (WpTick *)heap->data;
  guint n = heap->len - 1, i = 0, next;
  WpTick last = times[n];

  for (; (next = 2 * i + 1) < n; i = next)
    {
      if (next + 1 < n && times[next + 1] < times[next])
        next++;
      if (last <= times[next])
        break;
      times[i] = times[next];
    }
  times[i] = last;
  g_array_set_size (heap, n);
}

/* Removes what has completed by TIME. */
static void
land (Flight *flight, WpTick time)
{
  while (flight->heap->len > 0 && g_array_index (flight->heap, WpTick, 0) <= time)
    {
      WpTick complete = g_array_index (flight->heap, WpTick, 0);

      heap_drop (flight->heap);
      wp_thinned_set (flight->curve, complete, flight->heap->len);
    }
}

/* ---- What happens ---- */

/* Tells whether any time of FROM <= t <= TO is shown. */
static gboolean
is_shown (const WpHtmlRecorder *recorder, WpTick from, WpTick to)
{
  return from < recorder->window.to && to >= recorder->window.from;
}

/* Tells whether an event of SM at TIME is to be drawn. */
static gboolean
is_wanted (WpHtmlRecorder *recorder, guint32 sm, WpTick time)
{
  if (recorder->seen == WP_TICK_LIMIT && time >= recorder->window.to && recorder->n_living == 0)
    recorder->seen = time;
  return recorder->seen == WP_TICK_LIMIT && sm == recorder->window.sm;
}

static void
on_block_launch (void *data, const WpBlockEvent *event)
{
  WpHtmlRecorder *recorder = data;
  guint32 n = recorder->machine->warps_per_block;
  Block *block;

  if (!is_wanted (recorder, event->sm, event->time))
    return;
  wp_follow_launch (recorder->follow, event);
  recorder->resident_warps += n;
  wp_thinned_set (recorder->occupancy, event->time, recorder->resident_warps);
  wp_thinned_set (recorder->occupied, event->time, ++recorder->resident_blocks);
  block = g_new0 (Block, 1);
  block->block = event->block;
  block->first_age = recorder->n_launched++ * n;
  g_hash_table_insert (recorder->blocks, &block->block, block);
  if (event->time >= MIN (recorder->window.to, recorder->warps_until))
    return;
  if (recorder->n_warps + n > recorder->max_warps)
    {
      recorder->warps_until = event->time;
      return;
    }
  recorder->n_warps += n;
  recorder->n_living++;
  block->warps = g_new0 (Warp, n);
  for (guint32 i = 0; i < n; i++)
    block->warps[i].event = (WpWarpEvent){ .block = event->block,
                                           .warp = i,
                                           .age = block->first_age + i,
                                           .start = event->time,
                                           .end = NOT_KNOWN };
}

static void
keep_issue (WpHtmlRecorder *recorder, Block *block, const WpIssueEvent *event,
            const WpFollowIssue *follow)
{
  gboolean barrier = wp_instr_is_barrier (&recorder->machine->instrs[event->instr]);
  gboolean arrive = wp_instr_is_arrive (&recorder->machine->instrs[event->instr]);
  Warp *warp = &block->warps[event->warp];
  guint first_begin = recorder->begins->len;
  guint32 n_stays = wp_stays_count (&recorder->stays, recorder->machine);
  WpTick free = n_stays > 0 ? wp_stays_get (&recorder->stays, recorder->machine, 0).to : 0;
  gboolean waited = event->ready > follow->since && follow->n_waits > 0;
  const Issue issue = { .since = follow->since,
                        .time = event->time,
                        .ready = event->ready,
                        .accept = MAX (event->accept, event->ready),
                        .start = event->start,
                        .served = event->served,
                        .release = arrive ? event->complete : NOT_KNOWN,
                        .age = block->first_age + event->warp,
                        .index = event->index,
                        .instr = event->instr,
                        .why = (gint8)(waited ? (gint)follow->waits[0].stall : NOT_KNOWN),
                        .follows = event->follows,
                        .keeps = n_stays > 0 ? free - event->start : 0,
                        .n_passes = recorder->stays.n_begins,
                        .first_begin = first_begin };
  guint number = recorder->issues->len;

  warp->event.slot = event->slot;
  warp->event.scheduler = event->scheduler;
  warp->has_place = TRUE;
  g_array_append_val (recorder->issues, issue);
  g_array_append_vals (recorder->begins, recorder->stays.begins, recorder->stays.n_begins);
  if (!barrier)
    return;
  if (block->arrived == NULL)
    block->arrived = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (block->arrived, number);
}

/* Keeps what an instruction of another SM uses of what that SM shares with the one that is shown;
 * as many as there is room for. */
static void
keep_other (WpHtmlRecorder *recorder)
{
  const WpIssueEvent *event = &recorder->stays.issue;
  const WpMachine *machine = recorder->machine;
  guint32 sm = (guint32)recorder->window.sm;

  for (guint32 i = 0; i < wp_stays_count (&recorder->stays, machine); i++)
    {
      const Other other = { wp_stays_get (&recorder->stays, machine, i), event->sm };

      if (wp_stays_are_together (machine, other.stay.pipeline, event->sm, sm)
          && is_shown (recorder, other.stay.from, other.stay.to)
          && event->time < recorder->issues_until && recorder->others->len < recorder->max_issues)
        g_array_append_val (recorder->others, other);
    }
}

/* It is in flight in each of the pipelines that it passes. */
static void
count_in_flight (WpHtmlRecorder *recorder, const WpIssueEvent *event)
{
  for (guint32 i = 0; i < wp_stays_count (&recorder->stays, recorder->machine); i++)
    {
      WpStay stay = wp_stays_get (&recorder->stays, recorder->machine, i);
      Flight *flight = &recorder->flights[stay.pipeline];

      flight->used = TRUE;
      land (flight, event->time);
      if (event->complete > event->time)
        heap_add (flight->heap, event->complete);
      wp_thinned_set (flight->curve, event->time, flight->heap->len);
    }
}

/* Takes what has issued last, of which all is known. */
static void
take_issue (WpHtmlRecorder *recorder)
{
  const WpIssueEvent *event = &recorder->stays.issue;
  const WpFollowIssue *follow;
  Block *block;

  if (event->sm != recorder->window.sm)
    keep_other (recorder);
  if (!is_wanted (recorder, event->sm, event->time))
    return;
  follow = wp_follow_issue (recorder->follow, event);
  count_in_flight (recorder, event);
  if (!is_shown (recorder, event->time, MAX (event->time, event->complete)))
    return;
  recorder->n_issues++;
  if (event->time >= recorder->issues_until)
    return;
  block = g_hash_table_lookup (recorder->blocks, &event->block);
  if (block->warps == NULL || recorder->issues->len >= recorder->max_issues)
    recorder->issues_until = event->time;
  else
    keep_issue (recorder, block, event, follow);
}

static void
on_issue (void *data, const WpIssueEvent *event)
{
  WpHtmlRecorder *recorder = data;

  if (wp_stays_take_issue (&recorder->stays, recorder->machine, event))
    take_issue (recorder);
}

static void
on_pass (void *data, const WpPassEvent *event)
{
  WpHtmlRecorder *recorder = data;

  if (wp_stays_take_pass (&recorder->stays, recorder->machine, event))
    take_issue (recorder);
}

static void
on_barrier_release (void *data, const WpReleaseEvent *event)
{
  WpHtmlRecorder *recorder = data;
  guint kept = 0;
  Block *block;

  if (!is_wanted (recorder, event->sm, event->time))
    return;
  block = g_hash_table_lookup (recorder->blocks, &event->block);
  for (guint i = 0; block->arrived != NULL && i < block->arrived->len; i++)
    {
      guint number = g_array_index (block->arrived, guint, i);
      Issue *issue = &g_array_index (recorder->issues, Issue, number);

      if (wp_release_is_of (event, recorder->machine->instrs[issue->instr].cost->barrier,
                            (guint32)(issue->age - block->first_age)))
        issue->release = event->release;
      else
        g_array_index (block->arrived, guint, kept++) = number;
    }
  if (block->arrived != NULL)
    g_array_set_size (block->arrived, kept);
}

static void
on_warp_end (void *data, const WpWarpEvent *event)
{
  WpHtmlRecorder *recorder = data;
  WpFollowWait drain;
  gboolean drained;
  Block *block;

  if (!is_wanted (recorder, event->sm, event->end))
    return;
  wp_follow_warp_end (recorder->follow, event, &drain, &drained);
  wp_thinned_set (recorder->occupancy, event->end, --recorder->resident_warps);
  block = g_hash_table_lookup (recorder->blocks, &event->block);
  if (block->warps == NULL)
    return;
  block->warps[event->warp] = (Warp){ *event, TRUE };
}

/* Moves the warps of BLOCK that are shown to the others that have ended. */
static void
keep_warps (WpHtmlRecorder *recorder, const Block *block)
{
  for (guint32 i = 0; block->warps != NULL && i < recorder->machine->warps_per_block; i++)
    {
      const Warp *warp = &block->warps[i];

      if (warp->event.end == NOT_KNOWN || is_shown (recorder, warp->event.start, warp->event.end))
        g_array_append_val (recorder->warps, *warp);
      else
        recorder->n_warps--;
    }
}

static void
on_block_end (void *data, const WpBlockEvent *event)
{
  WpHtmlRecorder *recorder = data;
  Block *block;
  WpTick start;

  if (!is_wanted (recorder, event->sm, event->time))
    return;
  wp_follow_block_end (recorder->follow, event, &start);
  wp_thinned_set (recorder->occupied, event->time, --recorder->resident_blocks);
  block = g_hash_table_lookup (recorder->blocks, &event->block);
  recorder->n_living -= block->warps != NULL;
  keep_warps (recorder, block);
  g_hash_table_remove (recorder->blocks, &event->block);
}

WpHtmlRecorder *
wp_html_recorder_new (const WpMachine *machine, const WpTraceWindow *window, guint n_runs)
{
  WpHtmlRecorder *recorder = g_new0 (WpHtmlRecorder, 1);

  recorder->machine = machine;
  recorder->window = *window;
  recorder->window.sm = MAX (window->sm, 0);
  recorder->follow = wp_follow_new (machine, FALSE, window->to);
  recorder->max_issues = WP_HTML_ISSUES / n_runs;
  recorder->max_warps = WP_HTML_WARPS / n_runs;
  recorder->observer = (WpObserver){ .data = recorder,
                                     .block_launch = on_block_launch,
                                     .issue = on_issue,
                                     .pass = on_pass,
                                     .barrier_release = on_barrier_release,
                                     .warp_end = on_warp_end,
                                     .block_end = on_block_end };
  recorder->blocks = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, block_free);
  recorder->warps = g_array_new (FALSE, FALSE, sizeof (Warp));
  recorder->issues = g_array_new (FALSE, FALSE, sizeof (Issue));
  recorder->begins = g_array_new (FALSE, FALSE, sizeof (WpTick));
  recorder->others = g_array_new (FALSE, FALSE, sizeof (Other));
  recorder->warps_until = recorder->issues_until = recorder->seen = WP_TICK_LIMIT;
  recorder->occupancy = wp_thinned_new (CURVE_CHANGES, CURVE_BINS);
  recorder->occupied = wp_thinned_new (CURVE_CHANGES, CURVE_BINS);
  recorder->flights = g_new0 (Flight, machine->n_pipelines + 1);
  for (guint i = 0; i < machine->n_pipelines; i++)
    {
      recorder->flights[i].heap = g_array_new (FALSE, FALSE, sizeof (WpTick));
      recorder->flights[i].curve = wp_thinned_new (CURVE_CHANGES, CURVE_BINS);
    }
  return recorder;
}

void
wp_html_recorder_free (WpHtmlRecorder *recorder)
{
  if (recorder == NULL)
    return;
  for (guint i = 0; i < recorder->machine->n_pipelines; i++)
    {
      g_array_unref (recorder->flights[i].heap);
      wp_thinned_free (recorder->flights[i].curve);
    }
  g_free (recorder->flights);
  wp_follow_free (recorder->follow);
  wp_thinned_free (recorder->occupancy);
  wp_thinned_free (recorder->occupied);
  g_array_unref (recorder->warps);
  g_array_unref (recorder->issues);
  g_array_unref (recorder->begins);
  g_array_unref (recorder->others);
  g_hash_table_unref (recorder->blocks);
  g_free (recorder);
}

const WpObserver *
wp_html_recorder_get_observer (const WpHtmlRecorder *recorder)
{
  return &recorder->observer;
}

gboolean
wp_html_recorder_is_over (const WpHtmlRecorder *recorder)
{
  return recorder->seen != WP_TICK_LIMIT;
}

/* ---- As JSON ---- */

/* Writes a number, as a string if a browser would round it. */
static void
write_number (FILE *out, gint64 value)
{
  if (value > -SAFE && value < SAFE)
    fprintf (out, "%" G_GINT64_FORMAT, value);
  else
    fprintf (out, "\"%" G_GINT64_FORMAT "\"", value);
}

/* Writes a time, always as a string. */
static void
write_time (FILE *out, const gchar *name, WpTick time)
{
  fprintf (out, "\"%s\":\"%" G_GINT64_FORMAT "\",", name, time);
}

/* Writes a column "NAME":[...] of N numbers. */
typedef gint64 (*GetNumber) (const WpHtmlRecorder *recorder, guint i);

static void
write_column (const WpHtmlRecorder *recorder, FILE *out, const gchar *name, guint n,
              GetNumber get_number)
{
  fprintf (out, "\"%s\":[", name);
  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        fputc (',', out);
      write_number (out, get_number (recorder, i));
    }
  fputs ("],\n", out);
}

static const Warp *
get_warp (const WpHtmlRecorder *recorder, guint i)
{
  return &g_array_index (recorder->warps, Warp, i);
}

static const Issue *
get_issue (const WpHtmlRecorder *recorder, guint i)
{
  return &g_array_index (recorder->issues, Issue, i);
}

/* ---- Warps ---- */

static gint
compare_ages (gconstpointer left, gconstpointer right)
{
  const Warp *a = left, *b = right;

  return a->event.age < b->event.age ? -1 : a->event.age > b->event.age;
}

static guint
find_warp (const WpHtmlRecorder *recorder, guint64 age)
{
  const Warp key = { .event = { .age = age } };
  guint index = 0;

  /* It is there: see keep_issue(). */
  g_array_binary_search (recorder->warps, &key, compare_ages, &index);
  return index;
}

/* Adds the warps that are still resident, if the run was not observed to its end. */
static void
take_living (WpHtmlRecorder *recorder)
{
  g_autoptr (GList) blocks = g_hash_table_get_values (recorder->blocks);

  for (GList *at = blocks; at != NULL; at = at->next)
    keep_warps (recorder, at->data);
  g_array_sort (recorder->warps, compare_ages);
}

#define WARP_COLUMN(name, expression)                                                              \
  static gint64 get_warp_##name (const WpHtmlRecorder *recorder, guint i)                          \
  {                                                                                                \
    const Warp *warp = get_warp (recorder, i);                                                     \
    return (gint64)(expression);                                                                   \
  }

WARP_COLUMN (block, warp->event.block)
WARP_COLUMN (number, warp->event.warp)
WARP_COLUMN (age, warp->event.age)
WARP_COLUMN (slot, warp->has_place ? (gint64)warp->event.slot : NOT_KNOWN)
WARP_COLUMN (scheduler, warp->has_place ? (gint64)warp->event.scheduler : NOT_KNOWN)
WARP_COLUMN (start, warp->event.start - (i > 0 ? get_warp (recorder, i - 1)->event.start : 0))
WARP_COLUMN (life, warp->event.end == NOT_KNOWN ? NOT_KNOWN : warp->event.end - warp->event.start)
WARP_COLUMN (issued, warp->event.issued)

static void
write_warps (const WpHtmlRecorder *recorder, FILE *out)
{
  guint n = recorder->warps->len;

  fputs ("\"warps\":{", out);
  write_column (recorder, out, "block", n, get_warp_block);
  write_column (recorder, out, "warp", n, get_warp_number);
  write_column (recorder, out, "age", n, get_warp_age);
  write_column (recorder, out, "slot", n, get_warp_slot);
  write_column (recorder, out, "scheduler", n, get_warp_scheduler);
  write_column (recorder, out, "start", n, get_warp_start);
  write_column (recorder, out, "life", n, get_warp_life);
  write_column (recorder, out, "issued", n, get_warp_issued);
  fprintf (out, "\"n\":%u},\n", n);
}

/* ---- Instructions ---- */

#define ISSUE_COLUMN(name, expression)                                                             \
  static gint64 get_issue_##name (const WpHtmlRecorder *recorder, guint i)                         \
  {                                                                                                \
    const Issue *issue = get_issue (recorder, i);                                                  \
    return (gint64)(expression);                                                                   \
  }

ISSUE_COLUMN (warp, find_warp (recorder, issue->age))
ISSUE_COLUMN (instr, issue->instr)
ISSUE_COLUMN (index, issue->index)
ISSUE_COLUMN (time, issue->time - (i > 0 ? get_issue (recorder, i - 1)->time : 0))
ISSUE_COLUMN (since, issue->time - issue->since)
ISSUE_COLUMN (why, issue->why)
ISSUE_COLUMN (ready, issue->time - issue->ready)
ISSUE_COLUMN (accept, issue->time - issue->accept)
ISSUE_COLUMN (start, issue->start - issue->time)
ISSUE_COLUMN (served, issue->served - issue->start)
ISSUE_COLUMN (follows, issue->follows)
ISSUE_COLUMN (path, recorder->machine->instrs[issue->instr].cost->first_pass)
ISSUE_COLUMN (passes, issue->n_passes)
ISSUE_COLUMN (keeps, issue->keeps - recorder->machine->instrs[issue->instr].cost->issue)
ISSUE_COLUMN (release, issue->release == NOT_KNOWN ? NOT_KNOWN : issue->release - issue->time)

/* Discards everything from the first time on of which not everything was kept, so that before that
 * time everything is. */
static void
trim (WpHtmlRecorder *recorder)
{
  guint n = recorder->issues->len;

  while (n > 0 && get_issue (recorder, n - 1)->time >= recorder->issues_until)
    n--;
  g_array_set_size (recorder->issues, n);
}

static gboolean
has_any (const WpHtmlRecorder *recorder, GetNumber get_number)
{
  for (guint i = 0; i < recorder->issues->len; i++)
    if (get_number (recorder, i) != 0)
      return TRUE;
  return FALSE;
}

/* Writes the begins of all issues that are left, one after another: each since the one before, the
 * first since the start. */
static void
write_begins (const WpHtmlRecorder *recorder, FILE *out)
{
  const gchar *comma = "";

  fputs ("\"begins\":[", out);
  for (guint i = 0; i < recorder->issues->len; i++)
    {
      const Issue *issue = get_issue (recorder, i);
      WpTick before = issue->start;

      for (guint32 k = 0; k < issue->n_passes; k++)
        {
          WpTick begin = g_array_index (recorder->begins, WpTick, issue->first_begin + k);

          fputs (comma, out);
          write_number (out, begin - before);
          before = begin;
          comma = ",";
        }
    }
  fputs ("],\n", out);
}

static void
write_issues (const WpHtmlRecorder *recorder, FILE *out)
{
  guint n = recorder->issues->len;

  fputs ("\"issues\":{", out);
  write_column (recorder, out, "warp", n, get_issue_warp);
  write_column (recorder, out, "instr", n, get_issue_instr);
  write_column (recorder, out, "index", n, get_issue_index);
  write_column (recorder, out, "time", n, get_issue_time);
  write_column (recorder, out, "since", n, get_issue_since);
  write_column (recorder, out, "why", n, get_issue_why);
  write_column (recorder, out, "ready", n, get_issue_ready);
  write_column (recorder, out, "accept", n, get_issue_accept);
  write_column (recorder, out, "start", n, get_issue_start);
  if (has_any (recorder, get_issue_served))
    write_column (recorder, out, "served", n, get_issue_served);
  if (has_any (recorder, get_issue_follows))
    write_column (recorder, out, "follows", n, get_issue_follows);
  if (has_any (recorder, get_issue_keeps))
    write_column (recorder, out, "keeps", n, get_issue_keeps);
  if (has_any (recorder, get_issue_passes))
    {
      write_column (recorder, out, "path", n, get_issue_path);
      write_column (recorder, out, "passes", n, get_issue_passes);
    }
  for (guint i = 0; i < n; i++)
    if (get_issue (recorder, i)->release != NOT_KNOWN)
      {
        write_column (recorder, out, "release", n, get_issue_release);
        break;
      }
  fprintf (out, "\"n\":%u},\n", n);
}

/* ---- The machine ---- */

static void
write_pipelines (const WpHtmlRecorder *recorder, FILE *out)
{
  const WpMachine *machine = recorder->machine;

  fputs ("\"pipelines\":[", out);
  for (guint32 i = 0; i < machine->n_pipelines; i++)
    {
      const WpPipelineDesc *desc = &machine->pipelines[i];

      fprintf (out, "%s{\"name\":", i > 0 ? "," : "");
      wp_html_write_string (desc->name, out);
      fprintf (out, ",\"instances\":%u,\"memory\":%s,\"used\":%s",
               desc->per_scheduler ? machine->n_schedulers : 1, desc->memory ? "true" : "false",
               recorder->flights[i].used ? "true" : "false");
      if (wp_trace_is_shared (machine, i))
        {
          g_autofree gchar *sms = wp_trace_name_sharers (machine, i, (guint32)recorder->window.sm);

          fprintf (out, ",\"shared\":\"%s\"", sms);
        }
      fputc ('}', out);
    }
  fputs ("],\n", out);
}

/* Writes what paths are made of, by the numbers of the column "path": [pipeline, how long it is
 * kept]. */
static void
write_passes (const WpHtmlRecorder *recorder, FILE *out)
{
  const WpMachine *machine = recorder->machine;
  guint32 sm = (guint32)recorder->window.sm;

  if (machine->n_passes == 0)
    return;
  fputs ("\"passes\":[", out);
  for (guint32 i = 0; i < machine->n_passes; i++)
    {
      const WpPass *pass = &machine->passes[i];

      fprintf (out, "%s[%u,", i > 0 ? "," : "", pass->pipeline);
      write_number (out, wp_machine_is_last_group (machine, pass->pipeline, sm) ? pass->issue_last
                                                                                : pass->issue);
      fputc (']', out);
    }
  fputs ("],\n", out);
}

#define OTHER_COLUMN(name, expression)                                                             \
  static gint64 get_other_##name (const WpHtmlRecorder *recorder, guint i)                         \
  {                                                                                                \
    const Other *other = &g_array_index (recorder->others, Other, i);                              \
    return (gint64)(expression);                                                                   \
  }

OTHER_COLUMN (sm, other->sm)
OTHER_COLUMN (pipeline, other->stay.pipeline)
OTHER_COLUMN (from, other->stay.from - (i > 0 ? other[-1].stay.from : 0))
OTHER_COLUMN (keeps, other->stay.to - other->stay.from)

static void
write_others (const WpHtmlRecorder *recorder, FILE *out)
{
  guint n = recorder->others->len;

  if (n == 0)
    return;
  fputs ("\"others\":{", out);
  write_column (recorder, out, "sm", n, get_other_sm);
  write_column (recorder, out, "pipeline", n, get_other_pipeline);
  write_column (recorder, out, "from", n, get_other_from);
  write_column (recorder, out, "keeps", n, get_other_keeps);
  fprintf (out, "\"n\":%u},\n", n);
}

/* [producer, latency], and, where they are not 1 and 0, the distance and the set of a mix that it
 * is on (wp-machine.h); a mix is known by its first instruction. */
static void
write_dependence (const WpMachine *machine, const WpDep *dep, FILE *out)
{
  const WpInstr *producer = &machine->instrs[dep->producer];
  guint32 distance = dep->value - producer->value + 1, set = wp_instr_get_set (producer);

  fprintf (out, "[%u,", dep->producer - producer->cost->mix_place);
  write_number (out, dep->latency);
  if (distance > 1 || set > 0)
    fprintf (out, ",%u", distance);
  if (set > 0)
    fprintf (out, ",%u", set);
  fputc (']', out);
}

static void
write_instr (const WpHtmlRecorder *recorder, guint32 index, FILE *out)
{
  const WpMachine *machine = recorder->machine;
  const WpInstr *instr = &machine->instrs[index];

  fprintf (out, "\"%u\":{\"op\":", index);
  wp_html_write_string (machine->names[instr->cost->name], out);
  if (instr->cost->pipeline != WP_NO_PIPELINE)
    fprintf (out, ",\"pipeline\":%u", instr->cost->pipeline);
  fputs (",\"issue\":", out);
  write_number (out, instr->cost->issue);
  fputs (",\"completion\":", out);
  write_number (out, instr->cost->completion);
  if (instr->cost->mix_place > 0)
    fprintf (out, ",\"first\":%u,\"set\":%u", index - instr->cost->mix_place,
             instr->value == WP_NO_VALUE ? 0 : wp_instr_get_set (instr));
  fprintf (out, "%s,\"deps\":[", instr->cost->posted ? ",\"posted\":true" : "");
  for (guint32 i = 0; !instr->cost->late && i < instr->n_deps; i++)
    {
      fputs (i > 0 ? "," : "", out);
      write_dependence (machine, &machine->deps[instr->first_dep + i], out);
    }
  fputs ("]}", out);
}

/* Writes only the instructions that occur: a kernel may have many more. */
static void
write_instrs (const WpHtmlRecorder *recorder, FILE *out)
{
  g_autofree guint8 *seen = g_new0 (guint8, recorder->machine->n_instrs + 1);
  gboolean first = TRUE;

  for (guint i = 0; i < recorder->issues->len; i++)
    seen[get_issue (recorder, i)->instr] = 1;
  fputs ("\"instrs\":{", out);
  for (guint32 i = 0; i < recorder->machine->n_instrs; i++)
    if (seen[i])
      {
        if (!first)
          fputs (",\n", out);
        first = FALSE;
        write_instr (recorder, i, out);
      }
  fputs ("},\n", out);
}

/* ---- Curves ---- */

static void
write_points (const GArray *points, FILE *out)
{
  WpTick before = 0;

  fputs ("\"time\":[", out);
  for (guint i = 0; i < points->len; i++)
    {
      WpTick time = g_array_index (points, WpThinnedPoint, i).time;

      if (i > 0)
        fputc (',', out);
      write_number (out, time - before);
      before = time;
    }
  fputs ("],\"value\":[", out);
  for (guint i = 0; i < points->len; i++)
    fprintf (out, "%s%" G_GUINT64_FORMAT, i > 0 ? "," : "",
             g_array_index (points, WpThinnedPoint, i).value);
  fputs ("]", out);
}

/* Writes the bins. The mean of the last bin is over the part of it that the run reached. */
static void
write_bins (const WpThinned *curve, FILE *out)
{
  fputs ("\"width\":", out);
  write_number (out, curve->width);
  fputs (",\"min\":[", out);
  for (guint i = 0; i < curve->n_bins; i++)
    fprintf (out, "%s%" G_GUINT64_FORMAT, i > 0 ? "," : "", curve->bins[i].min);
  fputs ("],\"max\":[", out);
  for (guint i = 0; i < curve->n_bins; i++)
    fprintf (out, "%s%" G_GUINT64_FORMAT, i > 0 ? "," : "", curve->bins[i].max);
  fputs ("],\"mean\":[", out);
  for (guint i = 0; i < curve->n_bins; i++)
    {
      WpTick from = curve->width * (WpTick)i, length = MIN (curve->width, curve->since - from);
      gchar text[G_ASCII_DTOSTR_BUF_SIZE];
      gdouble mean = length > 0 ? wp_sum_to_double (curve->bins[i].sum) / (gdouble)length : 0;

      fprintf (out, "%s%s", i > 0 ? "," : "", g_ascii_formatd (text, sizeof text, "%.6g", mean));
    }
  fputs ("]", out);
}

static void
write_curve (WpThinned *curve, WpTick end, FILE *out)
{
  wp_thinned_finish (curve, end);
  fputc ('{', out);
  if (curve->points != NULL)
    write_points (curve->points, out);
  else
    write_bins (curve, out);
  fputc ('}', out);
}

static void
write_curves (WpHtmlRecorder *recorder, WpTick end, FILE *out)
{
  fputs ("\"occupancy\":", out);
  write_curve (recorder->occupancy, end, out);
  fputs (",\n\"blocks\":", out);
  write_curve (recorder->occupied, end, out);
  fputs (",\n\"flights\":[", out);
  for (guint i = 0; i < recorder->machine->n_pipelines; i++)
    {
      land (&recorder->flights[i], end);
      if (i > 0)
        fputs (",\n", out);
      write_curve (recorder->flights[i].curve, end, out);
    }
  fputs ("]", out);
}

void
wp_html_recorder_write (WpHtmlRecorder *recorder, WpTick elapsed, FILE *out)
{
  const WpMachine *machine = recorder->machine;
  const WpTraceWindow *window = &recorder->window;

  take_living (recorder);
  trim (recorder);
  fprintf (out, "{\"sm\":%u,\"sms\":%u,\"schedulers\":%u,\"warps_per_block\":%u,",
           (guint)window->sm, machine->simulated_sms, machine->n_schedulers,
           machine->warps_per_block);
  fprintf (out, "\"dataflow\":%s,", machine->dataflow ? "true" : "false");
  write_time (out, "ticks_per_cycle", machine->ticks_per_cycle);
  write_time (out, "ilp_latency", machine->ilp_latency);
  write_time (out, "elapsed", elapsed);
  write_time (out, "from", window->from);
  write_time (out, "to", MIN (window->to, elapsed));
  if (recorder->seen < elapsed)
    write_time (out, "seen", recorder->seen);
  if (recorder->warps_until != WP_TICK_LIMIT)
    write_time (out, "warps_until", recorder->warps_until);
  if (recorder->issues_until != WP_TICK_LIMIT)
    write_time (out, "issues_until", recorder->issues_until);
  fprintf (out, "\"n_issues\":%" G_GUINT64_FORMAT ",\n", recorder->n_issues);
  write_pipelines (recorder, out);
  write_passes (recorder, out);
  write_others (recorder, out);
  write_instrs (recorder, out);
  write_warps (recorder, out);
  write_issues (recorder, out);
  if (has_any (recorder, get_issue_passes))
    write_begins (recorder, out);
  write_curves (recorder, MIN (elapsed, recorder->seen), out);
  fputc ('}', out);
}
