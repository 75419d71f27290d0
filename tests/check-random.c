/* SPDX-License-Identifier: MIT */
/* The real engine against the literal one, and against the laws of the model, on random cases.
 *
 * What it shows: on every case of random-case.c, both engines refuse, both overflow, or both
 * give the same rows in the same order and the same totals. The laws are then read off the real
 * engine's own record, without the literal engine: they would catch a mistake that both share.
 * What it does not pin: the text of messages (tests/bad), the output tables (tests/golden), and
 * anything that takes a large run to show.
 *
 * By hand:  check-random --seed N [--count K] [--dump DIR]
 * runs these seeds only, and writes the first with the tables that the literal engine expects of
 * it to DIR.
 * WARPIPE_RANDOM_CASES (2000) and WARPIPE_RANDOM_SEED (1) choose what the test runs. */
#include <check.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/wp-device.h"
#include "tests/literal.h"
#include "tests/random-case.h"

#define N_TESTS 20

typedef __int128 Wide;

/* --- A record of a run of the real engine --- */

typedef struct
{
  WpIssueEvent e;
  WpTick complete; /* of a barrier its release, -1 until it is known */
  guint64 barrier; /* which one of its warp, of a barrier */
} Issue;

typedef struct
{
  const WpMachine *machine;
  WpDevice *device;
  const WpResult *result; /* the device's */
  WpRunStatus status;
  const char *problem; /* the device was refused */
  GArray *issues;      /* of Issue */
  GArray *lifetimes;   /* of WpWarpEvent */
  GArray *releases;    /* of WpReleaseEvent */
  GArray *launches;    /* of WpBlockEvent */
  GArray *occupancy;   /* of LiteralOccupancy, all changes, in order of events */
  GArray *tape; /* of guint64: every field of every event, to compare two runs of the engine */
  GHashTable *barriers;    /* how many barriers a warp has issued, by warp_key() */
  guint64 *blocks, *warps; /* resident now, by SM */
  guint64 most_blocks;     /* ever resident on one SM */
} Record;

static void
record_free (Record *r)
{
  g_array_unref (r->issues);
  g_array_unref (r->lifetimes);
  g_array_unref (r->releases);
  g_array_unref (r->launches);
  g_array_unref (r->occupancy);
  g_array_unref (r->tape);
  g_hash_table_unref (r->barriers);
  g_free (r->blocks);
  g_free (r->warps);
  wp_device_free (r->device);
  g_free (r);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Record, record_free)

static void
tape (Record *r, gsize n, const guint64 *values)
{
  g_array_append_vals (r->tape, values, (guint)n);
}
#define TAPE(r, ...)                                                                               \
  do                                                                                               \
    {                                                                                              \
      const guint64 values[] = { __VA_ARGS__ };                                                    \
      tape (r, G_N_ELEMENTS (values), values);                                                     \
    }                                                                                              \
  while (0)

/* Blocks and warps of random cases are few. */
static gpointer
warp_key (guint64 block, guint warp)
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

  TAPE (r, 1, (guint64)e->time, e->sm, e->block);
  g_array_append_val (r->launches, *e);
  r->blocks[e->sm]++;
  r->warps[e->sm] += r->machine->warps_per_block;
  note_occupancy (r, e->sm, e->time);
}

static void
on_issue (void *data, const WpIssueEvent *e)
{
  Record *r = data;
  Issue issue = { *e, e->complete, 0 };

  TAPE (r, 2, (guint64)e->time, e->sm, e->scheduler, e->slot, e->block, e->warp, e->index, e->instr,
        e->follows, (guint64)e->ready, (guint64)e->accept, (guint64)e->start, (guint64)e->served,
        (guint64)e->complete);
  if (r->machine->instrs[e->instr].pipeline == WP_NO_PIPELINE)
    {
      gpointer key = warp_key (e->block, e->warp);
      issue.barrier = GPOINTER_TO_SIZE (g_hash_table_lookup (r->barriers, key));
      g_hash_table_insert (r->barriers, key, GSIZE_TO_POINTER (issue.barrier + 1));
    }
  g_array_append_val (r->issues, issue);
}

static void
on_release (void *data, const WpReleaseEvent *e)
{
  Record *r = data;

  TAPE (r, 3, (guint64)e->time, (guint64)e->release, e->sm, e->block, e->barrier);
  g_array_append_val (r->releases, *e);
  for (guint i = r->issues->len; i > 0; i--)
    {
      Issue *issue = &g_array_index (r->issues, Issue, i - 1);
      if (issue->e.block == e->block && issue->barrier == e->barrier
          && r->machine->instrs[issue->e.instr].pipeline == WP_NO_PIPELINE)
        issue->complete = e->release;
    }
}

static void
on_warp_end (void *data, const WpWarpEvent *e)
{
  Record *r = data;

  TAPE (r, 4, e->sm, e->slot, e->scheduler, e->block, e->warp, e->age, (guint64)e->start,
        (guint64)e->end, e->issued);
  for (guint i = 0; i < WP_N_STALLS; i++)
    TAPE (r, (guint64)e->stalls[i]);
  g_array_append_val (r->lifetimes, *e);
  r->warps[e->sm]--;
  note_occupancy (r, e->sm, e->end);
}

static void
on_block_end (void *data, const WpBlockEvent *e)
{
  Record *r = data;

  TAPE (r, 5, (guint64)e->time, e->sm, e->block);
  r->blocks[e->sm]--;
  note_occupancy (r, e->sm, e->time);
}

static void
tape_result (Record *r)
{
  const WpResult *t = r->result;

  TAPE (r, 6, (guint64)t->elapsed, t->blocks, t->warps, t->issued, t->issues, t->lifetimes.lo,
        t->lifetimes.hi, t->occupied.lo, t->occupied.hi, t->slot_time.lo, t->slot_time.hi);
  for (guint i = 0; i < WP_N_STALLS; i++)
    TAPE (r, t->stalls[i].lo, t->stalls[i].hi);
  tape (r, r->machine->n_instrs, t->counts);
  for (guint i = 0; i < r->machine->n_pipelines; i++)
    TAPE (r, t->waits[i].lo, t->waits[i].hi);
}

static Record *
record_run (const WpMachine *machine, const char *policy, guint64 budget)
{
  Record *r = g_new0 (Record, 1);
  WpObserver observer = { r, on_launch, on_issue, on_release, on_warp_end, on_block_end };
  const WpObserver *observers[] = { &observer };

  r->machine = machine;
  r->issues = g_array_new (FALSE, FALSE, sizeof (Issue));
  r->lifetimes = g_array_new (FALSE, FALSE, sizeof (WpWarpEvent));
  r->releases = g_array_new (FALSE, FALSE, sizeof (WpReleaseEvent));
  r->launches = g_array_new (FALSE, FALSE, sizeof (WpBlockEvent));
  r->occupancy = g_array_new (FALSE, FALSE, sizeof (LiteralOccupancy));
  r->tape = g_array_new (FALSE, FALSE, sizeof (guint64));
  r->barriers = g_hash_table_new (NULL, NULL);
  r->blocks = g_new0 (guint64, machine->simulated_sms);
  r->warps = g_new0 (guint64, machine->simulated_sms);
  r->device = wp_device_new (machine, wp_policy_find (policy), observers, 1, &r->problem);
  if (r->device == NULL)
    return r;
  do
    r->status = wp_device_run (r->device, budget);
  while (r->status == WP_RUN_MORE);
  r->result = wp_device_get_result (r->device);
  tape_result (r);
  return r;
}

/* --- The same as the literal engine --- */

/* Every comparison returns NULL or what differs, a new string. */
#define DIFFER(...) return g_strdup_printf (__VA_ARGS__)
#define I64 "%" G_GINT64_FORMAT
#define U64 "%" G_GUINT64_FORMAT

static gchar *
issue_text (const LiteralIssue *i)
{
  DIFFER ("time " I64 " sm %u scheduler %u block " U64 " warp %u index " U64
          " %s on '%s' start " I64 " complete " I64 "%s ready " I64 " accept " I64,
          i->time, i->sm, i->scheduler, i->block, i->warp, i->index, i->op, i->pipeline, i->start,
          i->complete, i->follows ? " follows" : "", i->ready, i->accept);
}

static LiteralIssue
issue_row (const WpMachine *m, const Issue *i)
{
  const WpInstr *instr = &m->instrs[i->e.instr];
  gboolean barrier = instr->pipeline == WP_NO_PIPELINE;
  LiteralIssue row = { i->e.time,
                       i->e.sm,
                       i->e.scheduler,
                       i->e.block,
                       i->e.warp,
                       i->e.index,
                       barrier ? "bar.sync" : m->names[instr->name],
                       barrier ? "" : m->pipelines[instr->pipeline].name,
                       i->e.start,
                       i->complete,
                       i->e.follows,
                       i->e.ready,
                       i->e.follows ? i->e.time : MAX (i->e.accept, i->e.ready) };

  return row;
}

static gchar *
compare_issues (const Record *r, const LiteralRun *l)
{
  for (guint i = 0; i < MAX (r->issues->len, l->issues->len); i++)
    {
      LiteralIssue got;
      const LiteralIssue *want;
      g_autofree gchar *got_text = NULL, *want_text = NULL;

      if (i >= r->issues->len)
        DIFFER ("issue %u is missing: %s", i,
                want_text = issue_text (&g_array_index (l->issues, LiteralIssue, i)));
      got = issue_row (r->machine, &g_array_index (r->issues, Issue, i));
      got_text = issue_text (&got);
      if (i >= l->issues->len)
        DIFFER ("issue %u should not be: %s", i, got_text);
      want = &g_array_index (l->issues, LiteralIssue, i);
      want_text = issue_text (want);
      if (strcmp (got_text, want_text) != 0)
        DIFFER ("issue %u:\n#   engine  %s\n#   literal %s", i, got_text, want_text);
    }
  return NULL;
}

static gchar *
lifetime_text (const LiteralLifetime *l)
{
  DIFFER ("end " I64 " sm %u slot %u age " U64 " block " U64 " warp %u scheduler %u start " I64
          " issued " U64 " stalls " I64 " " I64 " " I64 " " I64 " " I64 " " I64,
          l->end, l->sm, l->slot, l->age, l->block, l->warp, l->scheduler, l->start, l->issued,
          l->stalls[0], l->stalls[1], l->stalls[2], l->stalls[3], l->stalls[4], l->stalls[5]);
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
      LiteralLifetime got = { e->sm,  e->block, e->warp, e->slot,   e->scheduler,
                              e->age, e->start, e->end,  e->issued, { 0 } };
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
  for (guint i = 0; i < l->waits->len && !l->waits_differ; i++)
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
  if (!t->complete)
    DIFFER ("the result is not complete");
  if (t->elapsed != l->elapsed)
    DIFFER ("elapsed: " I64 ", literally " I64, t->elapsed, l->elapsed);
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

static gchar *
compare (const Record *r, const LiteralRun *l)
{
  gchar *what;

  if (r->machine->ticks_per_cycle != l->ticks_per_cycle)
    DIFFER ("ticks per cycle: " I64 ", literally " I64, r->machine->ticks_per_cycle,
            l->ticks_per_cycle);
  if (l->stuck)
    DIFFER ("the literal engine is stuck");
  if (l->overflow != (r->status == WP_RUN_OVERFLOW))
    DIFFER ("overflow: engine %s (%s), literal %s (%s)", l->overflow ? "no" : "yes",
            l->overflow ? "" : wp_device_get_overflow (r->device).what, l->overflow ? "yes" : "no",
            l->overflow ? l->why : "");
  if (l->overflow)
    return NULL;
  if ((what = compare_issues (r, l)) != NULL || (what = compare_lifetimes (r, l)) != NULL
      || (what = compare_occupancy (r, l)) != NULL)
    return what;
  return compare_totals (r, l);
}

/* --- Laws --- */

static const WpInstr *
instr_of (const Record *r, const Issue *i)
{
  return &r->machine->instrs[i->e.instr];
}

static gboolean
is_barrier (const Record *r, const Issue *i)
{
  return instr_of (r, i)->pipeline == WP_NO_PIPELINE;
}

static gchar *
law_lifetimes (const Record *r)
{
  const char *broken = wp_result_check (r->result);

  if (broken != NULL)
    DIFFER ("law: %s", broken);
  for (guint i = 0; i < r->lifetimes->len; i++)
    {
      const WpWarpEvent *w = &g_array_index (r->lifetimes, WpWarpEvent, i);
      Wide sum = 0;

      for (guint k = 0; k < WP_N_STALLS; k++)
        {
          sum += w->stalls[k];
          if (w->stalls[k] < 0)
            DIFFER ("law: negative stall of block " U64 " warp %u", w->block, w->warp);
        }
      if (sum != (Wide)w->end - w->start)
        DIFFER ("law: stalls of block " U64 " warp %u are not its lifetime", w->block, w->warp);
      if (w->scheduler != w->slot % r->machine->n_schedulers)
        DIFFER ("law: slot %u is not scheduler %u's", w->slot, w->scheduler);
    }
  return NULL;
}

/* Every block runs once, in order, with each of its warps; never more blocks at a time than fit. */
static gchar *
law_blocks (const Record *r)
{
  const WpMachine *m = r->machine;
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  if (r->launches->len != m->n_blocks)
    DIFFER ("law: %u launches", r->launches->len);
  if (r->most_blocks > m->resident_blocks)
    DIFFER ("law: " U64 " blocks at a time", r->most_blocks);
  for (guint i = 0; i < r->launches->len; i++)
    if (!g_hash_table_add (seen, warp_key (g_array_index (r->launches, WpBlockEvent, i).block, 0)))
      DIFFER ("law: a block launched twice");
  g_hash_table_remove_all (seen);
  for (guint i = 0; i < r->lifetimes->len; i++)
    {
      const WpWarpEvent *w = &g_array_index (r->lifetimes, WpWarpEvent, i);
      if (w->block >= m->n_blocks || w->warp >= m->warps_per_block
          || !g_hash_table_add (seen, warp_key (w->block, w->warp)))
        DIFFER ("law: block " U64 " warp %u ended twice, or does not exist", w->block, w->warp);
    }
  if (r->lifetimes->len != m->n_blocks * m->warps_per_block)
    DIFFER ("law: %u warps ended", r->lifetimes->len);
  return NULL;
}

/* The last warp of each block, by block: until then its slots are held. */
static gchar *
law_slots (const Record *r)
{
  const WpMachine *m = r->machine;
  g_autofree gint64 *end = g_new0 (gint64, m->n_blocks);

  for (guint i = 0; i < r->lifetimes->len; i++)
    {
      const WpWarpEvent *w = &g_array_index (r->lifetimes, WpWarpEvent, i);
      end[w->block] = MAX (end[w->block], w->end);
    }
  for (guint i = 0; i < r->lifetimes->len; i++)
    for (guint k = 0; k < i; k++)
      {
        const WpWarpEvent *a = &g_array_index (r->lifetimes, WpWarpEvent, i);
        const WpWarpEvent *b = &g_array_index (r->lifetimes, WpWarpEvent, k);
        if (a->sm == b->sm && a->slot == b->slot && a->start < end[b->block]
            && b->start < end[a->block])
          DIFFER ("law: slot %u has two warps at a time", a->slot);
        if (a->sm == b->sm
            && (a->age < b->age)
                   != (a->block < b->block || (a->block == b->block && a->warp < b->warp)))
          DIFFER ("law: ages of sm %u are not in launch order", a->sm);
      }
  return NULL;
}

/* Whether two issues go to the same pipeline instance. */
static gboolean
same_instance (const Record *r, const Issue *a, const Issue *b)
{
  guint p = instr_of (r, a)->pipeline;

  return p == instr_of (r, b)->pipeline && a->e.sm == b->e.sm
         && (!r->machine->pipelines[p].per_scheduler || a->e.scheduler == b->e.scheduler);
}

/* The law of one instance, from the issues that went to it, in order. Also the bound of section
 * 10: all but the largest use of it fits into the elapsed time. That holds only where the last
 * to start does so before the end: a posted instruction may wait in a queue when its warp has
 * long gone. */
static gchar *
law_instance (const Record *r, GPtrArray *issues)
{
  const WpPipelineDesc *p
      = &r->machine->pipelines[instr_of (r, g_ptr_array_index (issues, 0))->pipeline];
  gint64 free_at = 0, use = 0, largest = 0;
  gboolean late = FALSE;

  for (guint i = 0; i < issues->len; i++)
    {
      const Issue *issue = g_ptr_array_index (issues, i);
      const WpIssueEvent *e = &issue->e;
      gint64 lambda = instr_of (r, issue)->issue;
      guint waiting = 0;

      for (guint k = 0; k < i; k++)
        waiting += ((const Issue *)g_ptr_array_index (issues, k))->e.start > e->time;
      if (e->time < free_at && p->queue != WP_NO_QUEUE_LIMIT && waiting >= p->queue)
        DIFFER ("law: %s takes index " U64 " of block " U64 " warp %u at " I64 " with %u waiting",
                p->name, e->index, e->block, e->warp, e->time, waiting);
      if (e->start != MAX (e->time, free_at) || e->accept > e->time)
        DIFFER ("law: %s starts index " U64 " of block " U64 " warp %u at " I64
                " and is free at " I64,
                p->name, e->index, e->block, e->warp, e->start, free_at);
      free_at = e->start + lambda;
      use += lambda;
      largest = MAX (largest, lambda);
      late |= instr_of (r, issue)->posted && e->start > e->time;
    }
  if (!late && r->result->elapsed < use - largest)
    DIFFER ("law: elapsed " I64 " is less than what %s was used", r->result->elapsed, p->name);
  return NULL;
}

static gchar *
law_pipelines (const Record *r)
{
  g_autofree gboolean *done = g_new0 (gboolean, r->issues->len + 1);

  for (guint i = 0; i < r->issues->len; i++)
    {
      const Issue *first = &g_array_index (r->issues, Issue, i);
      g_autoptr (GPtrArray) issues = g_ptr_array_new ();
      gchar *what;

      if (done[i] || is_barrier (r, first))
        continue;
      for (guint k = i; k < r->issues->len; k++)
        {
          Issue *other = &g_array_index (r->issues, Issue, k);
          if (same_instance (r, first, other))
            {
              done[k] = TRUE;
              g_ptr_array_add (issues, other);
            }
        }
      if ((what = law_instance (r, issues)) != NULL)
        return what;
    }
  return NULL;
}

/* Largest `slots` of the group that begins with issue I. */
static guint
group_slots (const Record *r, guint i)
{
  guint slots = instr_of (r, &g_array_index (r->issues, Issue, i))->slots;

  for (i++; i < r->issues->len && g_array_index (r->issues, Issue, i).e.follows; i++)
    slots = MAX (slots, instr_of (r, &g_array_index (r->issues, Issue, i))->slots);
  return slots;
}

/* A scheduler's issues, group by group: never more than issue-limit to a slot, nor one before a
 * reissue is over. Its use but for one slot fits into the elapsed time; where a reissued
 * instruction may share its slot the model's figure for its use is more than it takes, so it is
 * left out there. */
static gchar *
law_scheduler (const Record *r, guint sm, guint scheduler)
{
  const WpMachine *m = r->machine;
  gint64 slot_end = 0, largest = m->interval;
  guint left = 0; /* issues that the slot still has room for */
  Wide use = 0;
  gboolean reissued = FALSE;

  for (guint i = 0; i < r->issues->len; i++)
    {
      const WpIssueEvent *e = &g_array_index (r->issues, Issue, i).e;
      guint slots;

      if (e->sm != sm || e->scheduler != scheduler || e->follows)
        continue;
      slots = group_slots (r, i);
      if (e->time >= slot_end)
        {
          slot_end = e->time + m->interval;
          left = m->issue_limit;
        }
      if (left == 0)
        DIFFER ("law: scheduler %u of sm %u issues too often at " I64, scheduler, sm, e->time);
      left = slots > 1 ? 0 : left - 1;
      slot_end = MAX (slot_end, slots > 1 ? e->time + slots * m->interval : 0);
      reissued |= slots > 1;
      use += slots > 1 ? (Wide)slots * m->interval * m->issue_limit : m->interval;
      largest = MAX (largest, slots * m->interval);
    }
  if ((!reissued || m->issue_limit == 1)
      && (Wide)r->result->elapsed * m->issue_limit < use - (Wide)largest * m->issue_limit)
    DIFFER ("law: elapsed is less than what scheduler %u of sm %u was used", scheduler, sm);
  return NULL;
}

static gchar *
law_schedulers (const Record *r)
{
  gchar *what = NULL;

  for (guint sm = 0; sm < r->machine->simulated_sms && what == NULL; sm++)
    for (guint s = 0; s < r->machine->n_schedulers && what == NULL; s++)
      what = law_scheduler (r, sm, s);
  return what;
}

/* What a warp alone, with all pipelines free, would have taken so far. */
typedef struct
{
  gint64 issue, end;
  gint64 *start; /* by instruction as written: its last instance */
} Alone;

static void
alone_step (const Record *r, Alone *alone, const Issue *i, gboolean first)
{
  const WpMachine *m = r->machine;
  const WpInstr *instr = instr_of (r, i);
  gint64 t = first ? 0 : alone->issue + m->ilp_latency, complete;

  t = MAX (t, alone->start[m->n_instrs]); /* the last barrier's release */
  for (guint d = 0; d < instr->n_deps; d++)
    {
      const WpDep *dep = &m->deps[instr->first_dep + d];
      const WpInstr *producer = &m->instrs[dep->producer];
      if (alone->start[dep->producer] >= 0)
        t = MAX (t, alone->start[dep->producer] + (producer->posted ? 0 : dep->latency));
    }
  complete = t + (is_barrier (r, i) ? m->barrier_latency : instr->posted ? 0 : instr->completion);
  if (is_barrier (r, i))
    alone->start[m->n_instrs] = complete;
  alone->start[i->e.instr] = t;
  alone->issue = t;
  alone->end = MAX (alone->end, complete);
}

/* A dependence or barrier of issue I, given what of its warp went before in program order. */
static gchar *
law_instruction (const Record *r, GPtrArray *issues, guint k, const Issue **latest, gint64 release)
{
  const WpMachine *m = r->machine;
  const Issue *i = g_ptr_array_index (issues, k);
  const WpInstr *instr = instr_of (r, i);

  for (guint d = 0; d < instr->n_deps; d++)
    {
      const WpDep *dep = &m->deps[instr->first_dep + d];
      const Issue *p = latest[dep->producer];
      if (p != NULL
          && i->e.time < (m->instrs[dep->producer].posted ? p->e.time : p->e.served + dep->latency))
        DIFFER ("law: index " U64 " of block " U64 " warp %u goes before its producer", i->e.index,
                i->e.block, i->e.warp);
    }
  if (i->e.time < release)
    DIFFER ("law: index " U64 " of block " U64 " warp %u passes a barrier", i->e.index, i->e.block,
            i->e.warp);
  for (guint b = 0; b < k && m->dataflow && is_barrier (r, i); b++)
    if (((const Issue *)g_ptr_array_index (issues, b))->complete > i->e.time)
      DIFFER ("law: a barrier of block " U64 " warp %u does not wait", i->e.block, i->e.warp);
  return NULL;
}

static gint
compare_index (gconstpointer a, gconstpointer b)
{
  const Issue *x = *(const Issue *const *)a, *y = *(const Issue *const *)b;

  return x->e.index < y->e.index ? -1 : x->e.index > y->e.index;
}

/* One warp's issues, in order of issue. */
static gchar *
law_group (const Record *r, GPtrArray *issues)
{
  const WpMachine *m = r->machine;
  const Issue *lead = NULL;

  for (guint k = 0; k < issues->len; k++)
    {
      const Issue *i = g_ptr_array_index (issues, k);
      if (i->e.follows)
        {
          if (i->e.time != lead->e.time || i->e.index - lead->e.index >= m->dual_issue)
            DIFFER ("law: a follower of block " U64 " warp %u", i->e.block, i->e.warp);
          continue;
        }
      if (lead != NULL && i->e.time < lead->e.time + m->ilp_latency)
        DIFFER ("law: ilp latency of block " U64 " warp %u", i->e.block, i->e.warp);
      lead = i;
    }
  return NULL;
}

static gchar *
law_warp (const Record *r, const WpWarpEvent *w, GPtrArray *issues)
{
  const WpMachine *m = r->machine;
  g_autofree const Issue **latest = g_new0 (const Issue *, m->n_instrs + 1);
  g_autofree gint64 *start = g_new (gint64, m->n_instrs + 1);
  Alone alone = { 0, 0, start };
  gint64 release = w->start, end = w->start;
  gchar *what;

  if ((what = law_group (r, issues)) != NULL)
    return what;
  for (guint i = 0; i <= m->n_instrs; i++)
    start[i] = -1;
  g_ptr_array_sort (issues, compare_index);
  for (guint k = 0; k < issues->len; k++)
    {
      const Issue *i = g_ptr_array_index (issues, k);
      if (i->e.index != k)
        DIFFER ("law: index %u of block " U64 " warp %u is missing", k, w->block, w->warp);
      if ((what = law_instruction (r, issues, k, latest, release)) != NULL)
        return what;
      latest[i->e.instr] = i;
      release = is_barrier (r, i) ? i->complete : release;
      end = MAX (end, i->complete);
      alone_step (r, &alone, i, k == 0);
    }
  if (w->issued != issues->len || w->end != end)
    DIFFER ("law: block " U64 " warp %u ends at " I64 ", complete at " I64, w->block, w->warp,
            w->end, end);
  if (!m->dataflow && m->dual_issue == 1 && !m->contended && w->end - w->start < alone.end)
    DIFFER ("law: block " U64 " warp %u lives " I64 ", alone " I64, w->block, w->warp,
            w->end - w->start, alone.end);
  return NULL;
}

static gchar *
law_warps (const Record *r)
{
  gchar *what = NULL;

  for (guint i = 0; i < r->lifetimes->len && what == NULL; i++)
    {
      const WpWarpEvent *w = &g_array_index (r->lifetimes, WpWarpEvent, i);
      g_autoptr (GPtrArray) issues = g_ptr_array_new ();

      for (guint k = 0; k < r->issues->len; k++)
        {
          Issue *issue = &g_array_index (r->issues, Issue, k);
          if (issue->e.block == w->block && issue->e.warp == w->warp)
            g_ptr_array_add (issues, issue);
        }
      what = law_warp (r, w, issues);
    }
  return what;
}

/* A release is decided when its last warp has arrived, or ended, and comes the barrier's latency
 * later. */
static gchar *
law_releases (const Record *r)
{
  for (guint i = 0; i < r->releases->len; i++)
    {
      const WpReleaseEvent *e = &g_array_index (r->releases, WpReleaseEvent, i);
      guint n = 0;

      if (e->release != e->time + r->machine->barrier_latency)
        DIFFER ("law: a release of block " U64 " at " I64, e->block, e->release);
      for (guint k = 0; k < r->issues->len; k++)
        {
          const Issue *issue = &g_array_index (r->issues, Issue, k);
          if (issue->e.block != e->block || !is_barrier (r, issue) || issue->barrier != e->barrier)
            continue;
          n++;
          if (issue->e.time > e->time)
            DIFFER ("law: block " U64 " released before its last arrival", e->block);
        }
      for (guint k = 0; k < r->lifetimes->len; k++)
        {
          const WpWarpEvent *w = &g_array_index (r->lifetimes, WpWarpEvent, k);
          n += w->block == e->block && w->end <= e->time
               && GPOINTER_TO_SIZE (g_hash_table_lookup (r->barriers, warp_key (w->block, w->warp)))
                      <= e->barrier;
        }
      if (n != r->machine->warps_per_block)
        DIFFER ("law: barrier " U64 " of block " U64 " released for %u warps", e->barrier, e->block,
                n);
    }
  return NULL;
}

static gchar *
check_laws (const Record *r)
{
  static gchar *(*const laws[]) (const Record *)
      = { law_lifetimes,  law_blocks, law_slots,   law_pipelines,
          law_schedulers, law_warps,  law_releases };
  gchar *what = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (laws) && what == NULL; i++)
    what = laws[i](r);
  return what;
}

/* The same again, however the run is cut into pieces. */
static gchar *
check_repeat (const Record *r, const char *policy)
{
  static const guint64 budgets[] = { G_MAXUINT64, 7, 1 };

  for (guint i = 0; i < G_N_ELEMENTS (budgets); i++)
    {
      g_autoptr (Record) again = record_run (r->machine, policy, budgets[i]);
      guint64 n = MIN (r->tape->len, again->tape->len), k;

      if (again->status != r->status)
        DIFFER ("budget " U64 ": another status", budgets[i]);
      for (k = 0; k < n; k++)
        if (g_array_index (r->tape, guint64, k) != g_array_index (again->tape, guint64, k))
          break;
      if (k < n || r->tape->len != again->tape->len)
        DIFFER ("budget " U64 ": another run, from value " U64 " of its record on", budgets[i], k);
    }
  return NULL;
}

/* --- One case --- */

typedef struct
{
  guint ran, refused, overflowed;
  /* Of those that ran: with two-level scheduling, dataflow order, contended memory, several SMs; with an issue that
   * follows another, with a barrier. */
  guint two_level, dataflow, contended, several, dual, barrier;
  GHashTable *reasons; /* of refusals, or NULL */
} Tally;

typedef struct
{
  RandomCase *random;
  WpGpu *gpu;
  IdgKernel *kernel;
  GError *error; /* of the loaders: the generator is wrong, or they are */
} Case;

static void
case_clear (Case *c)
{
  g_clear_pointer (&c->kernel, idg_kernel_free);
  g_clear_pointer (&c->gpu, wp_gpu_free);
  g_clear_pointer (&c->random, random_case_free);
  g_clear_error (&c->error);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static void
case_load (Case *c, guint64 seed)
{
  c->random = random_case_new (seed);
  c->gpu = wp_gpu_parse (c->random->gpu, strlen (c->random->gpu), "gpu.xml", NULL, &c->error);
  if (c->gpu != NULL)
    c->kernel = idg_kernel_parse (c->random->kernel, strlen (c->random->kernel), "kernel.xml", NULL,
                                  &c->error);
}

/* Both refuse, each for a reason of its own wording. */
static gchar *
compare_refusal (const LiteralRun *l, const char *problem, Tally *tally)
{
  if (!l->refused)
    DIFFER ("the engine refuses: %s", problem);
  tally->refused++;
  if (tally->reasons != NULL)
    {
      gpointer n = g_hash_table_lookup (tally->reasons, l->why);
      g_hash_table_insert (tally->reasons, g_strdup (l->why),
                           GUINT_TO_POINTER (GPOINTER_TO_UINT (n) + 1));
    }
  return NULL;
}

/* What R, which ran to its end, has shown. */
static void
count_features (const Record *r, const gchar *policy, Tally *tally)
{
  gboolean dual = FALSE, barrier = FALSE;

  for (guint i = 0; i < r->issues->len; i++)
    {
      const Issue *issue = &g_array_index (r->issues, Issue, i);

      dual |= issue->e.follows;
      barrier |= r->machine->instrs[issue->e.instr].pipeline == WP_NO_PIPELINE;
    }
  tally->dual += dual;
  tally->barrier += barrier;
  tally->two_level += strcmp (policy, "two-level") == 0;
  tally->dataflow += r->machine->dataflow;
  tally->contended += r->machine->contended;
  tally->several += r->machine->simulated_sms > 1;
}

static gchar *
check_case (guint64 seed, Tally *tally)
{
  g_auto (Case) c = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (LiteralRun) literal = NULL;
  g_autoptr (WpResolved) resolved = NULL;
  g_autoptr (Record) record = NULL;
  gchar *what;

  case_load (&c, seed);
  if (c.error != NULL)
    return g_strdup (c.error->message);
  literal = literal_run (c.kernel, c.gpu, &c.random->options, c.random->policy);
  resolved = wp_resolve (c.kernel, c.gpu, &c.random->options, &error);
  if (resolved == NULL)
    return compare_refusal (literal, error->message, tally);
  record = record_run (&resolved->machine, c.random->policy, 1 << 20);
  if (record->device == NULL)
    return compare_refusal (literal, record->problem, tally);
  if (literal->refused)
    DIFFER ("the literal engine refuses: %s", literal->why);
  if ((what = compare (record, literal)) != NULL)
    return what;
  tally->ran += !literal->overflow;
  tally->overflowed += literal->overflow;
  if (!literal->overflow)
    count_features (record, c.random->policy, tally);
  if (!literal->overflow && (what = check_laws (record)) != NULL)
    return what;
  return check_repeat (record, c.random->policy);
}

/* Details go to standard error: a TAP line has no room for them. */
static gboolean
report (guint64 seed, const gchar *what)
{
  g_autoptr (RandomCase) c = random_case_new (seed);
  g_autofree gchar *arguments = random_case_arguments (c);

  fprintf (stderr,
           "# seed " U64 ": %s\n"
           "# repeat: check-random --seed " U64 " --dump DIR\n"
           "# then:   warpipe run DIR/kernel.xml --gpu DIR/gpu.xml %s\n",
           seed, what, seed, arguments);
  return FALSE;
}

static gboolean
run_seed (guint64 seed, Tally *tally)
{
  g_autofree gchar *what = check_case (seed, tally);

  return what == NULL || report (seed, what);
}

/* --- As a test --- */

static guint64
from_environment (const char *name, guint64 fallback)
{
  const char *text = g_getenv (name);

  return text == NULL || *text == '\0' ? fallback : g_ascii_strtoull (text, NULL, 10);
}

START_TEST (both_engines_agree_and_the_laws_hold)
{
  guint64 n = from_environment ("WARPIPE_RANDOM_CASES", 2000);
  guint64 seed = from_environment ("WARPIPE_RANDOM_SEED", 1);
  guint64 first = n * (guint64)_i / N_TESTS, last = n * ((guint64)_i + 1) / N_TESTS;
  Tally tally = { 0 };
  guint failed = 0;

  for (guint64 i = first; i < last; i++)
    if (!run_seed (seed + i, &tally))
      failed++;
  ck_assert_msg (failed == 0, "%u of the seeds %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, failed,
                 seed + first, seed + last - 1);
  /* Cases that do not run show nothing, nor do cases that leave out what is to be shown. */
  ck_assert_uint_le (tally.refused * 5, (last - first) + 20);
  ck_assert_uint_le (tally.overflowed * 20, (last - first) + 100);
  if (last - first < 100)
    return;
  ck_assert_uint_ge (tally.two_level, 1);
  ck_assert_uint_ge (tally.dataflow, 10);
  ck_assert_uint_ge (tally.contended, 10);
  ck_assert_uint_ge (tally.several, 10);
  ck_assert_uint_ge (tally.dual, 5);
  ck_assert_uint_ge (tally.barrier, 10);
}
END_TEST

static int
run_tests (void)
{
  Suite *suite = suite_create ("random");
  TCase *tcase = tcase_create ("cases");
  SRunner *runner;
  int failed;

  tcase_set_timeout (tcase, 600);
  tcase_add_loop_test (tcase, both_engines_agree_and_the_laws_hold, 0, N_TESTS);
  suite_add_tcase (suite, tcase);
  runner = srunner_create (suite);
  srunner_set_tap (runner, "-");
  srunner_run_all (runner, CK_SILENT);
  failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* --- By hand --- */

static const char *
cycles (const LiteralRun *l, gint64 t, char buffer[WP_TIME_CHARS])
{
  return wp_tick_format (t, l->ticks_per_cycle, buffer);
}

static gchar *
issues_table (const LiteralRun *l)
{
  GString *out = g_string_new ("time,sm,scheduler,block,warp,index,op,pipeline,start,complete\n");
  char a[WP_TIME_CHARS], b[WP_TIME_CHARS], c[WP_TIME_CHARS];

  for (guint i = 0; i < l->issues->len; i++)
    {
      const LiteralIssue *r = &g_array_index (l->issues, LiteralIssue, i);
      g_string_append_printf (out, "%s,%u,%u," U64 ",%u," U64 ",%s,%s,%s,%s\n",
                              cycles (l, r->time, a), r->sm, r->scheduler, r->block, r->warp,
                              r->index, r->op, r->pipeline, cycles (l, r->start, b),
                              cycles (l, r->complete, c));
    }
  return g_string_free (out, FALSE);
}

static gchar *
lifetimes_table (const LiteralRun *l)
{
  GString *out = g_string_new ("sm,block,warp,slot,scheduler,start,end,issued,barrier,dependency,"
                               "ilp,pipeline,not_selected,drain\n");
  char a[WP_TIME_CHARS], b[WP_TIME_CHARS];

  for (guint i = 0; i < l->lifetimes->len; i++)
    {
      const LiteralLifetime *r = &g_array_index (l->lifetimes, LiteralLifetime, i);
      g_string_append_printf (out, "%u," U64 ",%u,%u,%u,%s,%s," U64, r->sm, r->block, r->warp,
                              r->slot, r->scheduler, cycles (l, r->start, a), cycles (l, r->end, b),
                              r->issued);
      for (guint k = 0; k < WP_N_STALLS; k++)
        g_string_append_printf (out, ",%s", cycles (l, r->stalls[k], a));
      g_string_append_c (out, '\n');
    }
  return g_string_free (out, FALSE);
}

static gchar *
occupancy_table (const LiteralRun *l)
{
  GString *out = g_string_new ("sm,time,blocks,warps\n");
  char a[WP_TIME_CHARS];

  for (guint i = 0; i < l->occupancy->len; i++)
    {
      const LiteralOccupancy *r = &g_array_index (l->occupancy, LiteralOccupancy, i);
      g_string_append_printf (out, "%u,%s," U64 "," U64 "\n", r->sm, cycles (l, r->time, a),
                              r->blocks, r->warps);
    }
  return g_string_free (out, FALSE);
}

static gboolean
write_file (const gchar *dir, const gchar *name, const gchar *text)
{
  g_autofree gchar *path = g_build_filename (dir, name, NULL);
  g_autoptr (GError) error = NULL;

  if (g_file_set_contents (path, text, -1, &error))
    return TRUE;
  fprintf (stderr, "check-random: %s\n", error->message);
  return FALSE;
}

static gboolean
dump (guint64 seed, const gchar *dir)
{
  g_auto (Case) c = { 0 };
  g_autoptr (LiteralRun) l = NULL;
  g_autofree gchar *arguments = NULL, *issues = NULL, *lifetimes = NULL, *occupancy = NULL;

  case_load (&c, seed);
  arguments = random_case_arguments (c.random);
  g_mkdir_with_parents (dir, 0777);
  if (!write_file (dir, "gpu.xml", c.random->gpu)
      || !write_file (dir, "kernel.xml", c.random->kernel)
      || !write_file (dir, "arguments", arguments))
    return FALSE;
  printf ("warpipe run %s/kernel.xml --gpu %s/gpu.xml %s\n", dir, dir, arguments);
  if (c.error != NULL)
    return TRUE;
  l = literal_run (c.kernel, c.gpu, &c.random->options, c.random->policy);
  if (l->refused || l->overflow)
    {
      printf ("literally %s: %s\n", l->refused ? "refused" : "an overflow", l->why);
      return TRUE;
    }
  issues = issues_table (l);
  lifetimes = lifetimes_table (l);
  occupancy = occupancy_table (l);
  return write_file (dir, "issues.csv", issues) && write_file (dir, "lifetimes.csv", lifetimes)
         && write_file (dir, "occupancy.csv", occupancy);
}

static int
run_by_hand (guint64 seed, guint64 count, const gchar *dir)
{
  Tally tally = { .reasons = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) };
  guint failed = 0;
  g_autoptr (GList) reasons = NULL;

  if (dir != NULL && !dump (seed, dir))
    return EXIT_FAILURE;
  for (guint64 i = 0; i < count; i++)
    failed += !run_seed (seed + i, &tally);
  printf ("%u ran, %u refused, %u overflowed, %u failed\n", tally.ran, tally.refused,
          tally.overflowed, failed);
  reasons = g_list_sort (g_hash_table_get_keys (tally.reasons), (GCompareFunc)strcmp);
  for (GList *l = reasons; l != NULL; l = l->next)
    printf ("  refused, %s: %u\n", (const gchar *)l->data,
            GPOINTER_TO_UINT (g_hash_table_lookup (tally.reasons, l->data)));
  g_hash_table_unref (tally.reasons);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int
main (int argc, char **argv)
{
  g_autofree gchar *seed = NULL, *count = NULL, *dir = NULL;
  const GOptionEntry entries[]
      = { { "seed", 0, 0, G_OPTION_ARG_STRING, &seed, "Run this seed only", "N" },
          { "count", 0, 0, G_OPTION_ARG_STRING, &count, "Run so many seeds from there on", "K" },
          { "dump", 0, 0, G_OPTION_ARG_FILENAME, &dir, "Write the case, and what is expected, here",
            "DIR" },
          G_OPTION_ENTRY_NULL };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      fprintf (stderr, "check-random: %s\n", error->message);
      return 2;
    }
  if (seed == NULL)
    return run_tests ();
  return run_by_hand (g_ascii_strtoull (seed, NULL, 10),
                      count == NULL ? 1 : g_ascii_strtoull (count, NULL, 10), dir);
}
