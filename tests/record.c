/* SPDX-License-Identifier: MIT */
/* Events are kept twice: as rows, for the comparison with the literal engine's tables, and as a
 * sequence of numbers, for the comparison of two runs, where the order of events matters, too. */
#include "tests/record.h"

#include <string.h>

/* --- Recording --- */

void
record_free (Record *r)
{
  g_array_unref (r->issues);
  g_array_unref (r->passes);
  g_array_unref (r->lifetimes);
  g_array_unref (r->releases);
  g_array_unref (r->launches);
  g_array_unref (r->occupancy);
  g_array_unref (r->events);
  g_array_unref (r->totals);
  g_array_unref (r->held);
  g_hash_table_unref (r->barriers);
  g_free (r->blocks);
  g_free (r->warps);
  wp_device_free (r->device);
  g_free (r);
}

#define PUT(array, ...)                                                                            \
  do                                                                                               \
    {                                                                                              \
      const guint64 values[] = { __VA_ARGS__ };                                                    \
      g_array_append_vals ((array), values, G_N_ELEMENTS (values));                                \
    }                                                                                              \
  while (0)

gpointer
record_warp_key (guint64 block, guint warp)
{
  return GSIZE_TO_POINTER (block * 4096 + warp + 1);
}

static void
note_occupancy (Record *r, guint sm, gint64 time)
{
  LiteralOccupancy row = { sm, time, r->blocks[sm], r->warps[sm] };

  r->most_blocks = MAX (r->most_blocks, r->blocks[sm]);
  g_array_append_val (r->occupancy, row);
}

static void
on_launch (void *data, const WpBlockEvent *e)
{
  Record *r = data;

  PUT (r->events, 1, (guint64)e->time, e->sm, e->block);
  g_array_append_val (r->launches, *e);
  r->blocks[e->sm]++;
  r->warps[e->sm] += r->machine->warps_per_block;
  note_occupancy (r, e->sm, e->time);
}

static void
put_issue (GArray *numbers, const WpIssueEvent *e)
{
  PUT (numbers, 2, (guint64)e->time, e->sm, e->scheduler, e->slot, e->block, e->warp, e->index,
       e->instr, e->follows, (guint64)e->ready, (guint64)e->accept, (guint64)e->start,
       (guint64)e->served, (guint64)e->complete, e->reason, e->producer, e->producer_instr);
}

static void
on_issue (void *data, const WpIssueEvent *e)
{
  Record *r = data;
  Issue issue = { *e, e->complete, 0 };

  put_issue (r->events, e);
  if (wp_instr_is_barrier (&r->machine->instrs[e->instr]))
    {
      gpointer key = record_warp_key (e->block, e->warp);
      if (r->machine->instrs[e->instr].cost->barrier == 0)
        {
          issue.barrier = GPOINTER_TO_SIZE (g_hash_table_lookup (r->barriers, key));
          g_hash_table_insert (r->barriers, key, GSIZE_TO_POINTER (issue.barrier + 1));
        }
      g_array_append_val (r->held, r->issues->len);
    }
  g_array_append_val (r->issues, issue);
}

static void
on_pass (void *data, const WpPassEvent *e)
{
  Record *r = data;

  PUT (r->events, 6, (guint64)e->time, e->sm, e->scheduler, e->slot, e->block, e->warp, e->index,
       e->instr, e->pass, (guint64)e->start);
  g_array_append_val (r->passes, *e);
}

gboolean
record_is_released (const Record *r, const WpReleaseEvent *e, const Issue *issue)
{
  const WpInstr *instr = &r->machine->instrs[issue->e.instr];

  return issue->e.block == e->block && wp_instr_is_barrier (instr)
         && instr->cost->barrier == e->name
         && (e->name == 0 ? issue->barrier == e->barrier : issue->e.warp == e->warp);
}

static void
on_release (void *data, const WpReleaseEvent *e)
{
  Record *r = data;

  PUT (r->events, 3, (guint64)e->time, (guint64)e->release, e->sm, e->block, e->barrier, e->name,
       e->warp);
  g_array_append_val (r->releases, *e);
  for (guint i = 0; i < r->held->len;)
    {
      Issue *issue = &g_array_index (r->issues, Issue, g_array_index (r->held, guint, i));

      if (!record_is_released (r, e, issue))
        {
          i++;
          continue;
        }
      issue->complete = e->release;
      g_array_remove_index_fast (r->held, i);
    }
}

static void
put_end (GArray *numbers, const WpWarpEvent *e)
{
  PUT (numbers, 4, e->sm, e->slot, e->scheduler, e->block, e->warp, e->age, (guint64)e->start,
       (guint64)e->end, e->issued);
  for (guint i = 0; i < WP_N_STALLS; i++)
    PUT (numbers, (guint64)e->stalls[i]);
}

static void
on_warp_end (void *data, const WpWarpEvent *e)
{
  Record *r = data;

  put_end (r->events, e);
  PUT (r->events, e->producer, e->producer_instr);
  g_array_append_val (r->lifetimes, *e);
  r->warps[e->sm]--;
  note_occupancy (r, e->sm, e->end);
}

static void
on_block_end (void *data, const WpBlockEvent *e)
{
  Record *r = data;

  PUT (r->events, 5, (guint64)e->time, e->sm, e->block);
  r->blocks[e->sm]--;
  note_occupancy (r, e->sm, e->time);
}

/* Shows the observer all of it, and what recurs in its rounds likewise. */
static void
on_repeat (void *data, const WpRepeat *repeat)
{
  Record *r = data;
  guint64 times = wp_repeat_get_times (repeat), half = times / 2;
  guint n_before = r->n_repeats;

  wp_repeat_unfold (repeat, 1, half, r->observer);
  wp_repeat_unfold (repeat, 1 + half, times - half, r->observer);
  r->n_nested += r->n_repeats - n_before;
  r->n_repeats++;
}

static guint64
can_repeat (void *data, const WpRepeat *repeat)
{
  const Record *r = data;
  guint64 times = wp_repeat_get_times (repeat);

  return r->events->len % r->repeats == 0 ? 0 : times / r->repeats + 1;
}

static void
put_total (Record *r, WpSum sum)
{
  /* Of a run that overflowed totals need not add up: what is left over may be negative. */
  Wide value = (Wide)((unsigned __int128)sum.hi << 64 | sum.lo);

  g_array_append_val (r->totals, value);
}

static void
put_totals (Record *r)
{
  const WpResult *t = r->result;
  const guint64 numbers[] = { t->complete,
                              (guint64)t->elapsed,
                              (guint64)t->drained,
                              t->blocks,
                              t->warps,
                              t->issued,
                              t->issues,
                              wp_device_get_blocks_started (r->device),
                              (guint64)wp_device_get_time (r->device) };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    put_total (r, (WpSum){ .lo = numbers[i] });
  put_total (r, t->lifetimes);
  put_total (r, t->occupied);
  put_total (r, t->slot_time);
  for (guint i = 0; i < WP_N_STALLS; i++)
    put_total (r, t->stalls[i]);
  for (guint i = 0; i < r->machine->n_instrs; i++)
    put_total (r, (WpSum){ .lo = t->counts[i] });
  for (guint i = 0; i < r->machine->n_pipelines; i++)
    {
      put_total (r, t->waits[i]);
      put_total (r, t->busy[i]);
      put_total (r, t->turned[i]);
    }
}

/* The last SM first, each a little at a time: no order may matter. */
static void
run_window (WpDevice *device, WpTick length)
{
  gboolean finished;

  if (!wp_device_has_windows (device) || !wp_device_open_window (device, length))
    return;
  do
    {
      finished = TRUE;
      for (guint i = wp_device_get_n_groups (device); i > 0; i--)
        {
          guint64 budget = 5;

          finished &= wp_device_run_in_window (device, i - 1, &budget);
        }
    }
  while (!finished);
  wp_device_close_window (device);
}

/* The totals are asked for after every piece, as whoever shows progress does. */
static void
run_pieces (Record *r, RecordHow how)
{
  WpTick time = 0, skipped = 0;

  do
    {
      if (how.window > 0)
        run_window (r->device, how.window);
      r->status = wp_device_run (r->device, how.budget == 0 ? G_MAXUINT64 : how.budget);
      if (how.observed > 0 && --how.observed == 0)
        {
          wp_device_stop_observing (r->device);
          r->stopped = TRUE;
        }
      r->result = wp_device_get_result (r->device);
      if (r->broken == NULL)
        r->broken = wp_result_check (r->result);
      if (wp_device_get_time (r->device) < time || wp_device_get_skipped (r->device) < skipped)
        r->broken = "time never falls";
      time = wp_device_get_time (r->device);
      skipped = wp_device_get_skipped (r->device);
    }
  while (r->status == WP_RUN_MORE && --how.pieces != 0);
}

Record *
record_run (const WpMachine *machine, const char *policy, RecordHow how)
{
  return record_run_policy (machine, wp_policy_find (policy), how);
}

Record *
record_run_policy (const WpMachine *machine, const WpPolicy *policy, RecordHow how)
{
  Record *r = g_new0 (Record, 1);
  gboolean all = how.part == RECORD_ALL;
  WpObserver observer = { .data = r,
                          .block_launch = all ? on_launch : NULL,
                          .issue = how.part != RECORD_ENDS ? on_issue : NULL,
                          .pass = all ? on_pass : NULL,
                          .barrier_release = all ? on_release : NULL,
                          .warp_end = how.part != RECORD_ISSUES ? on_warp_end : NULL,
                          .block_end = all ? on_block_end : NULL,
                          .no_producer = !all,
                          .repeat = how.repeats > 0 ? on_repeat : NULL,
                          .can_repeat = how.repeats > 1 ? can_repeat : NULL };
  const WpObserver *observers[] = { &observer };

  r->repeats = how.repeats;
  r->part = how.part;
  r->observer = &observer;
  r->machine = machine;
  r->issues = g_array_new (FALSE, FALSE, sizeof (Issue));
  r->passes = g_array_new (FALSE, FALSE, sizeof (WpPassEvent));
  r->lifetimes = g_array_new (FALSE, FALSE, sizeof (WpWarpEvent));
  r->releases = g_array_new (FALSE, FALSE, sizeof (WpReleaseEvent));
  r->launches = g_array_new (FALSE, FALSE, sizeof (WpBlockEvent));
  r->occupancy = g_array_new (FALSE, FALSE, sizeof (LiteralOccupancy));
  r->events = g_array_new (FALSE, FALSE, sizeof (guint64));
  r->totals = g_array_new (FALSE, FALSE, sizeof (Wide));
  r->held = g_array_new (FALSE, FALSE, sizeof (guint));
  r->barriers = g_hash_table_new (NULL, NULL);
  r->blocks = g_new0 (guint64, machine->simulated_sms);
  r->warps = g_new0 (guint64, machine->simulated_sms);
  r->device = wp_device_new (machine, policy, observers, how.unobserved ? 0 : 1, &r->problem);
  if (r->device == NULL)
    return r;
  if (!wp_device_set_skip (r->device, !how.no_skip))
    g_error ("out of memory");
  run_pieces (r, how);
  put_totals (r);
  return r;
}

/* --- The same as the literal engine --- */

static gchar *
issue_text (const LiteralIssue *i)
{
  DIFFER (
      "time " I64 " sm %u scheduler %u block " U64 " warp %u index " U64 " %s on '%s' start " I64
      " complete " I64 "%s ready " I64 " accept " I64 " reason %d producer " U64,
      i->time, i->sm, i->scheduler, i->block, i->warp, i->index, i->op, i->pipeline, i->start,
      i->complete, i->follows ? " follows" : "", i->ready, i->accept, (int)i->reason, i->producer);
}

static LiteralIssue
issue_row (const WpMachine *m, const Issue *i)
{
  const WpInstr *instr = &m->instrs[i->e.instr];
  gboolean barrier = instr->cost->pipeline == WP_NO_PIPELINE;
  LiteralIssue row = { i->e.time,
                       i->e.sm,
                       i->e.scheduler,
                       i->e.block,
                       i->e.warp,
                       i->e.index,
                       m->names[instr->cost->name],
                       barrier ? "" : m->pipelines[instr->cost->pipeline].name,
                       i->e.start,
                       i->complete < 0 ? G_MAXINT64 : i->complete, /* never released */
                       i->e.follows,
                       i->e.ready,
                       i->e.follows ? i->e.time : MAX (i->e.accept, i->e.ready),
                       i->e.reason,
                       i->e.producer };

  return row;
}

static gboolean
same_issue (const LiteralIssue *a, const LiteralIssue *b)
{
  return a->time == b->time && a->sm == b->sm && a->scheduler == b->scheduler
         && a->block == b->block && a->warp == b->warp && a->index == b->index
         && strcmp (a->op, b->op) == 0 && strcmp (a->pipeline, b->pipeline) == 0
         && a->start == b->start && a->complete == b->complete && a->follows == b->follows
         && a->ready == b->ready && a->accept == b->accept && a->reason == b->reason
         && a->producer == b->producer;
}

static gchar *
compare_issues (const Record *r, const LiteralRun *l)
{
  for (guint i = 0; i < MAX (r->issues->len, l->issues->len); i++)
    {
      LiteralIssue got = { 0 };
      const LiteralIssue *want = NULL;
      g_autofree gchar *got_text = NULL, *want_text = NULL;

      if (i < r->issues->len)
        got = issue_row (r->machine, &g_array_index (r->issues, Issue, i));
      if (i < l->issues->len)
        want = &g_array_index (l->issues, LiteralIssue, i);
      if (got.op != NULL && want != NULL && same_issue (&got, want))
        continue;
      got_text = got.op == NULL ? g_strdup ("none") : issue_text (&got);
      want_text = want == NULL ? g_strdup ("none") : issue_text (want);
      DIFFER ("issue %u:\n#   engine  %s\n#   literal %s", i, got_text, want_text);
    }
  return NULL;
}

static gchar *
compare_passes (const Record *r, const LiteralRun *l)
{
  for (guint i = 0; i < MIN (r->passes->len, l->begins->len); i++)
    {
      const WpPassEvent *pass = &g_array_index (r->passes, WpPassEvent, i);
      gint64 want = g_array_index (l->begins, gint64, i);

      if (pass->start != want)
        DIFFER ("pass %u, of index " U64 " of block " U64 " warp %u: " I64 ", literally " I64, i,
                pass->index, pass->block, pass->warp, pass->start, want);
    }
  if (r->passes->len != l->begins->len)
    DIFFER ("%u passes, literally %u", r->passes->len, l->begins->len);
  return NULL;
}

/* Each pass follows the issue that it is of, in the order of the path. */
static gchar *
compare_passes_with_issues (const Record *r)
{
  guint n = 0;

  for (guint i = 0; i < r->issues->len; i++)
    {
      const WpIssueEvent *e = &g_array_index (r->issues, Issue, i).e;
      const WpInstr *instr = &r->machine->instrs[e->instr];

      for (guint k = 0; k < instr->cost->n_passes; k++, n++)
        {
          const WpPassEvent *pass = &g_array_index (r->passes, WpPassEvent, n);

          if (n >= r->passes->len || pass->time != e->time || pass->sm != e->sm
              || pass->scheduler != e->scheduler || pass->slot != e->slot || pass->block != e->block
              || pass->warp != e->warp || pass->index != e->index || pass->instr != e->instr
              || pass->pass != instr->cost->first_pass + k)
            DIFFER ("pass %u is not of issue %u", n, i);
        }
    }
  return NULL;
}

static gchar *
lifetime_text (const LiteralLifetime *l)
{
  DIFFER ("end " I64 " sm %u slot %u age " U64 " block " U64 " warp %u scheduler %u start " I64
          " issued " U64 " stalls " I64 " " I64 " " I64 " " I64 " " I64 " " I64 " producer " U64,
          l->end, l->sm, l->slot, l->age, l->block, l->warp, l->scheduler, l->start, l->issued,
          l->stalls[0], l->stalls[1], l->stalls[2], l->stalls[3], l->stalls[4], l->stalls[5],
          l->producer);
}

static gint
compare_ends (gconstpointer a, gconstpointer b)
{
  const WpWarpEvent *x = a, *y = b;

  if (x->end != y->end)
    return x->end < y->end ? -1 : 1;
  if (x->sm != y->sm)
    return x->sm < y->sm ? -1 : 1;
  if (x->slot != y->slot)
    return x->slot < y->slot ? -1 : 1;
  return x->age < y->age ? -1 : x->age > y->age;
}

static gchar *
compare_lifetimes (const Record *r, const LiteralRun *l)
{
  g_autoptr (GArray) sorted = g_array_copy (r->lifetimes);

  g_array_sort (sorted, compare_ends);
  for (guint i = 0; i < MIN (sorted->len, l->lifetimes->len); i++)
    {
      const WpWarpEvent *e = &g_array_index (sorted, WpWarpEvent, i);
      LiteralLifetime got = { e->sm,    e->block, e->warp,   e->slot, e->scheduler, e->age,
                              e->start, e->end,   e->issued, { 0 },   e->producer };
      g_autofree gchar *got_text = NULL, *want_text = NULL;

      memcpy (got.stalls, e->stalls, sizeof got.stalls);
      got_text = lifetime_text (&got);
      want_text = lifetime_text (&g_array_index (l->lifetimes, LiteralLifetime, i));
      if (strcmp (got_text, want_text) != 0)
        DIFFER ("lifetime %u:\n#   engine  %s\n#   literal %s", i, got_text, want_text);
    }
  if (sorted->len != l->lifetimes->len)
    DIFFER ("%u lifetimes, literally %u", sorted->len, l->lifetimes->len);
  return NULL;
}

/* The rows of SM: its value after all changes at a time, where that is not what it was before. */
static void
append_occupancy (const Record *r, guint sm, GArray *rows)
{
  LiteralOccupancy last = { sm, -1, 0, 0 }, now = last;

  for (guint i = 0; i <= r->occupancy->len; i++)
    {
      LiteralOccupancy row = { sm, G_MAXINT64, 0, 0 };

      if (i < r->occupancy->len)
        row = g_array_index (r->occupancy, LiteralOccupancy, i);
      if (row.sm != sm)
        continue;
      if (row.time != now.time && (now.blocks != last.blocks || now.warps != last.warps))
        {
          g_array_append_val (rows, now);
          last = now;
        }
      now = row;
    }
}

static gchar *
compare_occupancy (const Record *r, const LiteralRun *l)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (LiteralOccupancy));

  for (guint sm = 0; sm < r->machine->simulated_sms; sm++)
    append_occupancy (r, sm, rows);
  for (guint i = 0; i < MIN (rows->len, l->occupancy->len); i++)
    {
      const LiteralOccupancy *a = &g_array_index (rows, LiteralOccupancy, i);
      const LiteralOccupancy *b = &g_array_index (l->occupancy, LiteralOccupancy, i);

      if (a->sm != b->sm || a->time != b->time || a->blocks != b->blocks || a->warps != b->warps)
        DIFFER ("occupancy row %u: engine sm %u time " I64 " blocks " U64 " warps " U64
                "; literal sm %u time " I64 " blocks " U64 " warps " U64,
                i, a->sm, a->time, a->blocks, a->warps, b->sm, b->time, b->blocks, b->warps);
    }
  if (rows->len != l->occupancy->len)
    DIFFER ("%u occupancy rows, literally %u", rows->len, l->occupancy->len);
  return NULL;
}

static gboolean
sum_is (WpSum sum, Wide value)
{
  return sum.hi == (guint64)(value >> 64) && sum.lo == (guint64)value;
}

static gchar *
compare_counts (const Record *r, const LiteralRun *l)
{
  const WpResult *t = r->result;

  /* The machine may leave out what never runs; every instruction of a random kernel has a line
   * of its own. */
  for (guint i = 0; i < l->counts->len; i++)
    {
      guint64 want = g_array_index (l->counts, guint64, i), got = 0;
      for (guint k = 0; k < r->machine->n_instrs; k++)
        if (r->machine->instrs[k].line == g_array_index (l->lines, gint, i))
          got += t->counts[k];
      if (got != want)
        DIFFER ("count of line %d: " U64 ", literally " U64, g_array_index (l->lines, gint, i), got,
                want);
    }
  for (guint i = 0; i < l->waits->len; i++)
    if (!sum_is (t->waits[i], g_array_index (l->waits, Wide, i)))
      DIFFER ("waits for pipeline %u: " U64 ", literally " U64, i, t->waits[i].lo,
              (guint64)g_array_index (l->waits, Wide, i));
  return NULL;
}

static gchar *
compare_totals (const Record *r, const LiteralRun *l)
{
  const WpResult *t = r->result;
  Wide lifetimes = 0, stalls[WP_N_STALLS] = { 0 };

  for (guint i = 0; i < l->lifetimes->len; i++)
    {
      const LiteralLifetime *w = &g_array_index (l->lifetimes, LiteralLifetime, i);
      lifetimes += w->end - w->start;
      for (guint k = 0; k < WP_N_STALLS; k++)
        stalls[k] += w->stalls[k];
    }
  if (t->complete == l->stuck)
    DIFFER ("the result is %scomplete", l->stuck ? "" : "not ");
  if (l->stuck)
    return NULL;
  if (t->elapsed != l->elapsed)
    DIFFER ("elapsed: " I64 ", literally " I64, t->elapsed, l->elapsed);
  if (t->drained != l->drained)
    DIFFER ("drained: " I64 ", literally " I64, t->drained, l->drained);
  if (t->blocks != l->blocks || t->warps != l->warps || t->issued != l->issued
      || t->issues != l->groups)
    DIFFER ("blocks, warps, issued, issues: " U64 " " U64 " " U64 " " U64 ", literally " U64 " " U64
            " " U64 " " U64,
            t->blocks, t->warps, t->issued, t->issues, l->blocks, l->warps, l->issued, l->groups);
  if (!sum_is (t->lifetimes, lifetimes) || !sum_is (t->occupied, lifetimes))
    DIFFER ("lifetimes, occupied: " U64 " " U64 ", literally " U64, t->lifetimes.lo, t->occupied.lo,
            (guint64)lifetimes);
  if (!sum_is (t->slot_time, l->slot_time))
    DIFFER ("slot time: " U64 ", literally " U64, t->slot_time.lo, (guint64)l->slot_time);
  for (guint k = 0; k < WP_N_STALLS; k++)
    if (!sum_is (t->stalls[k], stalls[k]))
      DIFFER ("stall %u: " U64 ", literally " U64, k, t->stalls[k].lo, (guint64)stalls[k]);
  return compare_counts (r, l);
}

gchar *
record_compare_literal (const Record *r, const LiteralRun *l)
{
  gchar *what;

  if (r->machine->ticks_per_cycle != l->ticks_per_cycle)
    DIFFER ("ticks per cycle: " I64 ", literally " I64, r->machine->ticks_per_cycle,
            l->ticks_per_cycle);
  if (l->stuck != (r->status == WP_RUN_STUCK))
    DIFFER ("stuck: engine %s, literal %s", l->stuck ? "no" : "yes", l->stuck ? "yes" : "no");
  if (l->overflow != (r->status == WP_RUN_OVERFLOW))
    DIFFER ("overflow: engine %s (%s), literal %s (%s)", l->overflow ? "no" : "yes",
            l->overflow ? "" : wp_device_get_overflow (r->device).what, l->overflow ? "yes" : "no",
            l->overflow ? l->why : "");
  if (l->overflow)
    return NULL;
  if ((what = compare_issues (r, l)) != NULL || (what = compare_passes (r, l)) != NULL
      || (what = compare_passes_with_issues (r)) != NULL
      || (what = compare_lifetimes (r, l)) != NULL || (what = compare_occupancy (r, l)) != NULL)
    return what;
  return compare_totals (r, l);
}

/* --- The same as another run --- */

static gchar *
compare_events (const GArray *a, const GArray *b, gboolean part)
{
  for (guint i = 0; i < MIN (a->len, b->len); i++)
    if (g_array_index (a, guint64, i) != g_array_index (b, guint64, i))
      DIFFER ("other events, from number %u of %u on: " U64 " and " U64, i, a->len,
              g_array_index (a, guint64, i), g_array_index (b, guint64, i));
  if (part ? a->len < b->len : a->len != b->len)
    DIFFER ("%u numbers of events and %u", a->len, b->len);
  return NULL;
}

static const gchar *
total_name (guint i)
{
  static const gchar *const names[]
      = { "complete",      "elapsed",        "drained", "blocks",    "warps",        "issued",
          "issues",        "blocks started", "time",    "lifetimes", "occupied",     "slot time",
          "stall barrier", "dependency",     "ilp",     "pipeline",  "not selected", "drain" };

  return i < G_N_ELEMENTS (names) ? names[i] : "a count, or waits";
}

gchar *
record_compare_totals (const GArray *first, const GArray *second)
{
  for (guint i = 0; i < first->len; i++)
    {
      Wide a = g_array_index (first, Wide, i), b = g_array_index (second, Wide, i);

      if (a != b)
        DIFFER ("total %u (%s): %.21Lg and %.21Lg", i, total_name (i), (long double)a,
                (long double)b);
    }
  return NULL;
}

static gchar *
compare_overflows (const Record *first, const Record *second)
{
  WpOverflow a = wp_device_get_overflow (first->device);
  WpOverflow b = wp_device_get_overflow (second->device);

  if (strcmp (a.what, b.what) != 0 || a.sm != b.sm || a.block != b.block || a.instr != b.instr)
    DIFFER ("overflows: %s of block " U64 " on sm %u at instruction %u, and %s of block " U64
            " on sm %u at instruction %u",
            a.what, a.block, a.sm, a.instr, b.what, b.block, b.sm, b.instr);
  return NULL;
}

/* All of R that an observer of PART sees, as numbers. */
static GArray *
find_part (const Record *r, RecordPart part)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint i = 0; part == RECORD_ENDS && i < r->lifetimes->len; i++)
    put_end (numbers, &g_array_index (r->lifetimes, WpWarpEvent, i));
  for (guint i = 0; part == RECORD_ISSUES && i < r->issues->len; i++)
    put_issue (numbers, &g_array_index (r->issues, Issue, i).e);
  return numbers;
}

static gchar *
compare_parts (const Record *first, const Record *second)
{
  g_autoptr (GArray) a = find_part (first, second->part);
  g_autoptr (GArray) b = find_part (second, second->part);

  return compare_events (a, b, second->stopped);
}

gchar *
record_compare (const Record *first, const Record *second)
{
  gboolean observed = first->launches->len > 0 && second->launches->len > 0;
  gchar *what;

  if (first->status != second->status)
    DIFFER ("status %d and %d", first->status, second->status);
  if (second->broken != NULL)
    DIFFER ("law: %s", second->broken);
  if (first->status == WP_RUN_OVERFLOW)
    return compare_overflows (first, second); /* how far it got by then is anybody's */
  if ((what = record_compare_totals (first->totals, second->totals)) != NULL)
    return what;
  if (second->part != RECORD_ALL)
    return compare_parts (first, second);
  return observed ? compare_events (first->events, second->events, second->stopped) : NULL;
}
