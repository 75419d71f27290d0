/* SPDX-License-Identifier: MIT */
/* The launch as a whole: made, turn by turn executed, and summed up. */
#include "exec/machine/wp-kernel-build.h"
#include "exec/machine/wp-loops.h"
#include "exec/machine/wp-meeting.h"
#include "exec/machine/wp-needed.h"
#include "exec/machine/wp-run-private.h"
#include "exec/machine/wp-slow-paths.h"
#include "exec/machine/wp-stretch.h"
#include "exec/machine/wp-warp-run.h"
#include "exec/memory/wp-coalesce.h"

#include "idg/kernel/idg-kernel.h"

#include <string.h>

#define MAX_CLASSES 64
#define LEAST_QUANTUM 16
#define LEAST_INSTRUCTIONS 1000
#define MOST_INSTRUCTIONS (1u << 20)
#define LONG_LOOP 4000000       /* instructions of all warps without a block that ends */
#define OFTEN 50000             /* rounds of a loop */
#define INSTRUCTIONS_BETWEEN 64 /* accesses to memory, at most for most code */

/* ---- Made ---- */

static void
init_sm (WpRun *run, guint number)
{
  WpRunSm *sm = &run->sms[number];

  sm->store = wp_trail_store_new ();
  sm->n_slots = run->n_slots;
  sm->slots = g_new0 (WpRunSlot, sm->n_slots);
  sm->warps = g_new0 (WpCachesWarp, (gsize)sm->n_slots * run->grid->warps);
  sm->counts = g_ptr_array_new_with_free_func ((GDestroyNotify)wp_counts_free);
  for (guint k = 0; k < WP_RUN_SETS; k++)
    sm->sets[k].counts = g_ptr_array_new_with_free_func ((GDestroyNotify)wp_counts_free);
  sm->ended = g_array_new (FALSE, FALSE, sizeof (WpRunEnded));
  sm->kept = g_array_new (FALSE, FALSE, sizeof (WpRunKept));
  for (guint k = 0; k < sm->n_slots; k++)
    {
      sm->slots[k].counts = g_new0 (WpCounts *, run->grid->warps);
      sm->slots[k].classes = g_new0 (guint32, run->grid->warps);
    }
}

static void
free_counts (const WpRun *run, WpCounts **own)
{
  for (guint j = 0; own && j < run->grid->warps; j++)
    wp_counts_free (own[j]);
  g_free (own);
}

static void
clear_sm (WpRun *run, WpRunSm *sm)
{
  for (guint k = 0; k < sm->n_slots; k++)
    {
      free_counts (run, sm->slots[k].own);
      g_free (sm->slots[k].counts);
      g_free (sm->slots[k].classes);
    }
  g_free (sm->slots);
  g_free (sm->warps);
  g_ptr_array_unref (sm->counts);
  for (guint k = 0; k < WP_RUN_SETS; k++)
    g_ptr_array_unref (sm->sets[k].counts);
  g_array_unref (sm->ended);
  for (guint k = 0; k < sm->kept->len; k++)
    {
      free_counts (run, g_array_index (sm->kept, WpRunKept, k).own);
      g_free (g_array_index (sm->kept, WpRunKept, k).classes);
    }
  g_array_unref (sm->kept);
  wp_trail_store_free (sm->store);
  wp_patterns_free (sm->patterns);
}

/* What workers keep, and the logs. Where blocks run by units, L1s look up later, and each SM has
 * logs of its own. */
static void
init_workers (WpRun *run)
{
  const guint n = wp_workers_get_n (run->workers);
  const gsize warps = (gsize)run->n_slots * run->grid->warps;

  g_mutex_init (&run->lock);
  run->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify)wp_block_free);
  run->own = g_new0 (WpRunWorker, n);
  for (guint k = 0; k < n; k++)
    run->own[k].trails = g_new0 (WpTrail *, run->grid->warps);
  run->n_logs = wp_run_has_units (run) ? run->n_sms : n;
  run->logs = g_new0 (WpAccessLog, run->n_logs * warps);
  if (!wp_run_has_units (run))
    return;
  for (guint k = 0; k < run->n_sms; k++)
    run->sms[k].logs = run->logs + k * warps;
  run->places = g_array_new (FALSE, FALSE, sizeof (WpRunPlace));
  run->units = g_array_new (FALSE, FALSE, sizeof (guint));
}

static void
clear_workers (WpRun *run)
{
  for (guint k = 0; k < wp_workers_get_n (run->workers); k++)
    g_free (run->own[k].trails);
  g_free (run->own);
  for (gsize k = 0; k < (gsize)run->n_logs * run->n_slots * run->grid->warps; k++)
    wp_access_log_clear (&run->logs[k]);
  g_free (run->logs);
  g_clear_pointer (&run->places, g_array_unref);
  g_clear_pointer (&run->units, g_array_unref);
  g_ptr_array_unref (run->blocks);
  g_mutex_clear (&run->lock);
}

/* Where the limit is small, a turn of all that is resident has to be a small part of it. */
static void
set_turn (WpRun *run)
{
  guint64 warps = (guint64)run->n_sms * run->n_slots * run->grid->warps;

  run->quantum
      = (guint)CLAMP (run->limit / (warps * INSTRUCTIONS_BETWEEN), LEAST_QUANTUM, WP_EXEC_QUANTUM);
  run->grid->turn_instructions
      = (guint)CLAMP (run->limit / (warps * 2), LEAST_INSTRUCTIONS, MOST_INSTRUCTIONS);
}

static void
init_run (WpRun *run)
{
  const WpExecOptions *options = run->options;

  run->n_sms = MAX (options->sms, 1);
  run->loops_at = LONG_LOOP;
  wp_run_waves_begin (run);
  /* No more places than blocks. */
  run->n_slots = MIN (MAX (options->resident, 1u), (run->n_blocks + run->n_sms - 1) / run->n_sms);
  run->n_sms = MIN (run->n_sms, run->n_blocks);
  set_turn (run);
  run->workers = wp_workers_new (options->threads);
  run->classes = wp_trail_classes_new (run->code->n_indices, run->grid->warps,
                                       options->max_classes ? options->max_classes : MAX_CLASSES);
  run->sms = g_new0 (WpRunSm, run->n_sms);
  for (guint k = 0; k < run->n_sms; k++)
    init_sm (run, k);
  init_workers (run);
}

static void
clear_run (WpRun *run)
{
  for (guint k = 0; k < run->n_sms; k++)
    clear_sm (run, &run->sms[k]);
  g_free (run->sms);
  g_clear_pointer (&run->waves, g_array_unref);
  clear_workers (run);
  g_clear_pointer (&run->early, wp_counts_free);
  g_clear_pointer (&run->pool, wp_counts_free);
  wp_workers_free (run->workers);
  wp_trail_classes_free (run->classes);
  wp_kernel_code_free (run->code);
}

/* What --branch says of each branch with a guard; else, that all lanes go round a slow path. */
static void
choose_branches (WpKernelCode *code, guint warps, const WpExecOptions *options)
{
  g_autofree guint8 *passes = wp_slow_paths_find (code);

  for (guint k = 0; k < code->n_steps; k++)
    {
      WpStep *step = &code->steps[k];
      g_autofree guint32 *lanes = g_new0 (guint32, warps);
      gboolean any = FALSE;
      if (!step->is_control || (!step->is_predicated && step->n_predicates == 0))
        continue;
      for (guint warp = 0; options->branch && warp < warps; warp++)
        any |= options->branch (code, k, warp, &lanes[warp], options->data);
      if (!any && passes[k])
        memset (lanes, 0xff, warps * sizeof *lanes);
      if (!any && !passes[k])
        continue;
      step->data = lanes;
      g_ptr_array_add (code->choices, g_steal_pointer (&lanes));
    }
}

/* ---- Executed ---- */

/* Whether SLOT's block is one of those that go on. */
static gboolean
goes_on (const WpRun *run, const WpRunSlot *slot)
{
  return slot->is_taken
         && !(run->alone && slot->number >= run->alone - 1 + run->grid->cluster_blocks);
}

/* The warp that has executed most so far, of those that run. */
static const WpWarp *
find_longest (const WpRun *run)
{
  const WpWarp *most = NULL;

  for (guint k = 0; k < run->n_sms; k++)
    for (guint j = 0; j < run->n_slots; j++)
      for (guint w = 0; goes_on (run, &run->sms[k].slots[j]) && w < run->grid->warps; w++)
        {
          const WpWarp *warp = run->sms[k].slots[j].block->warps[w];
          if (warp->state != WP_WARP_ENDED && (!most || warp->n_executed > most->n_executed))
            most = warp;
        }
  return most;
}

static gboolean
fail_endless (const WpRun *run, GError **error)
{
  const WpWarp *most = find_longest (run);
  const WpBlock *block = most->block;
  g_autofree gchar *place = wp_kernel_code_place (run->code, most->pc);

  g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
               "%s: block (%u, %u, %u), warp %u: still here after %" G_GUINT64_FORMAT
               " instructions, and those of all warps of %s are beyond --execute-limit; an "
               "endless loop, or a larger limit",
               place, block->id[0], block->id[1], block->id[2], most->number, most->n_executed,
               run->code->meets ? "the grid, of which no block is left out as they wait for one "
                                  "another (grid.sync()),"
                                : "its block");
  return FALSE;
}

/* What WARP's block knows of branches that depend on unknown data, a WpWay for each step: no thread
 * takes them, unless --branch says so. NULL: there are none. Free with g_free(). */
static guint8 *
find_avoided (const WpRun *run, const WpWarp *warp)
{
  const GArray *notes = warp->block->notes;
  guint8 *avoided = NULL;

  for (guint k = 0; notes && k < notes->len; k++)
    {
      const WpMachineNote *note = &g_array_index (notes, WpMachineNote, k);

      if (note->kind != WP_NOTE_BRANCH || note->times == 0)
        continue;
      avoided = avoided ? avoided : g_new0 (guint8, run->code->n_steps + 1);
      avoided[note->index] = note->times >= OFTEN ? WP_WAY_AVOIDED_OFTEN : WP_WAY_AVOIDED;
    }
  return avoided;
}

/* After long, and then after twice as long each time, whether the block of the warp that has
 * executed most goes round a loop whose ways out no thread takes, and has done so OFTEN: on
 * hardware data decide. */
static gboolean
check_loops (WpRun *run, guint64 instructions, GError **error)
{
  const WpWarp *most = instructions - run->last_ended < run->loops_at ? NULL : find_longest (run);
  g_autofree guint8 *avoided = most ? find_avoided (run, most) : NULL;
  g_autofree gchar *place = NULL;
  guint32 way;

  if (most)
    run->loops_at *= 2;
  if (avoided == NULL || !wp_loops_find_endless (run->code, avoided, &way))
    return TRUE;
  place = wp_kernel_code_place (run->code, way);
  g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
               "%s: block (%u, %u, %u), warp %u: still here after %" G_GUINT64_FORMAT
               " instructions: all ways out of this loop depend on unknown data, and no thread "
               "takes them; say what the data are (--data), or --branch %s=taken",
               place, most->block->id[0], most->block->id[1], most->block->id[2], most->number,
               most->n_executed, place);
  return FALSE;
}

/* ---- Waits without end ---- */

#define LOOK_TURNS 16 /* turns from one look to the next */
#define IDLE_LOOKS 32 /* ...at which nothing has changed: nothing ever will */

/* Whether no warp of BLOCK has other registers than at the look before, or is elsewhere. Those that
 * wait for others of the block count for nothing; N_ASKING receives how many others there are
 * more. */
static gboolean
is_block_idle (const WpBlock *block, guint *n_asking)
{
  gboolean is_same = TRUE;

  for (guint k = 0; k < block->n_warps; k++)
    {
      WpWarp *warp = block->warps[k];
      const guint64 before = warp->looked_at;

      warp->looked_at = warp->state == WP_WARP_TURN ? wp_warp_get_fingerprint (warp) : 0;
      is_same &= warp->looked_at == before;
      *n_asking += warp->looked_at != 0;
    }
  return is_same;
}

/* Whether that is so of all blocks that go on, though some warps ask in loops for what somebody is
 * to store. */
static gboolean
is_idle (const WpRun *run)
{
  gboolean is_same = TRUE;
  guint n_asking = 0;

  for (guint k = 0; k < run->n_sms; k++)
    for (guint j = 0; j < run->n_slots; j++)
      if (goes_on (run, &run->sms[k].slots[j]))
        is_same &= is_block_idle (run->sms[k].slots[j].block, &n_asking);
  return is_same && n_asking > 0;
}

/* After a turn: whether those that are resident wait for one another, or for a block that is not,
 * without end. */
static gboolean
check_waits (WpRun *run, gboolean has_ended, GError **error)
{
  const WpWarp *most;
  g_autofree gchar *place = NULL;

  if (has_ended)
    run->n_idle = 0;
  if (++run->n_turns % LOOK_TURNS != 0)
    return TRUE;
  run->n_idle = is_idle (run) ? run->n_idle + 1 : 0;
  if (run->n_idle < IDLE_LOOKS)
    return TRUE;
  if (run->alone)
    return fail_endless (run, error);
  most = find_longest (run);
  place = wp_kernel_code_place (run->code, most->pc);
  g_set_error (
      error, IDG_ERROR, IDG_ERROR_VALUE,
      "%s: block (%u, %u, %u), warp %u: still here after %" G_GUINT64_FORMAT
      " instructions, in a loop that waits for what another block or warp is to store; "
      "all that are resident wait, and %s",
      place, most->block->id[0], most->block->id[1], most->block->id[2], most->number,
      most->n_executed,
      run->n_blocks - run->n_ended > run->grid->capacity
          ? "the other blocks begin when these have ended: of a grid that waits for all of "
            "its blocks all have to be resident"
          : "nobody is left to store it");
  return FALSE;
}

/* Nothing was executed in a turn: who is resident waits at the barrier of the grid. */
static gboolean
fail_meeting (const WpRun *run, GError **error)
{
  g_autofree gchar *place = wp_kernel_code_place (run->code, run->code->meets_at);

  g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
               "%s: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
               " blocks wait for all others here (grid.sync()), which have ended; every block has "
               "to come as often",
               place, run->n_blocks - run->n_ended, run->n_blocks);
  return FALSE;
}

static guint64
count_instructions (const WpRun *run)
{
  guint64 n = run->instructions + run->given_up;

  for (guint k = 0; k < run->n_sms; k++)
    n += run->sms[k].instructions;
  return n;
}

/* A block of the first wave has to end within the limit, and one of those that are resident later
 * on. */
static gboolean
check_limit (WpRun *run, guint64 instructions, guint64 *since, GError **error)
{
  if (run->n_ended != *since)
    {
      *since = run->n_ended;
      run->last_ended = instructions;
    }
  if (!check_loops (run, instructions, error))
    return FALSE;
  if (!wp_run_part (run, instructions))
    return fail_endless (run, error);
  return run->alone || run->n_ended < MIN (run->wave, run->n_blocks)
         || instructions - run->last_ended <= run->limit || fail_endless (run, error);
}

static gboolean
execute (WpRun *run, GError **error)
{
  guint64 since = 0, before = 0;

  while (wp_run_waves_fill (run))
    {
      if (!wp_run_turn (run, error))
        return FALSE;
      wp_run_waves_close (run);
      wp_run_waves_count (run);
      guint64 instructions = count_instructions (run);
      WpExecProgress progress = { instructions, run->n_ended, run->n_blocks };
      if (run->code->meets && instructions == before)
        return fail_meeting (run, error);
      before = instructions;
      if (!check_waits (run, run->n_ended != since, error)
          || !check_limit (run, instructions, &since, error))
        return FALSE;
      if (run->options->progress)
        run->options->progress (&progress, run->options->data);
    }
  wp_run_catch_up (run);
  return TRUE;
}

/* ---- Summed up ---- */

static gint
compare_notes (gconstpointer a, gconstpointer b)
{
  const WpMachineNote *x = a, *y = b;

  if (x->index != y->index)
    return x->index < y->index ? -1 : 1;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  return x->block < y->block ? -1 : x->block > y->block;
}

static GArray *
join_notes (const WpRun *run)
{
  GArray *notes = g_array_new (FALSE, FALSE, sizeof (WpMachineNote));
  guint n = 0;

  for (guint k = 0; k < run->blocks->len; k++)
    {
      const GArray *some = ((const WpBlock *)run->blocks->pdata[k])->notes;
      if (some)
        g_array_append_vals (notes, some->data, some->len);
    }
  g_array_sort (notes, compare_notes);
  for (guint k = 0; k < notes->len; k++)
    {
      WpMachineNote *all = (WpMachineNote *)(void *)notes->data;
      if (!n || all[n - 1].index != all[k].index || all[n - 1].kind != all[k].kind)
        all[n++] = all[k];
    }
  g_array_set_size (notes, n);
  return notes;
}

static WpExecResult *
sum_up (WpRun *run)
{
  WpExecResult *result = g_new0 (WpExecResult, 1);

  wp_trail_classes_finish (run->classes);
  wp_run_sum_up_counts (run, result);
  result->notes = join_notes (run);
  result->classes = g_steal_pointer (&run->classes);
  result->code = g_steal_pointer (&run->code);
  result->waits = run->waits;
  result->instructions = run->instructions;
  result->blocks = run->n_ended;
  result->n_blocks = run->n_blocks;
  result->wave = run->wave;
  result->first_waves = run->first_waves;
  result->is_part = run->is_part;
  result->is_cooperative = run->grid->workspace != 0;
  return result;
}

static gboolean
check_grid (const WpGrid *grid, const WpCubin *cubin, GError **error)
{
  for (guint k = 0; k < 3; k++)
    if (!grid->grid[k] || !grid->block[k])
      {
        g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE, "%s: a grid or a block of no size",
                     cubin->path);
        return FALSE;
      }
  if (grid->warps && grid->warps <= WP_MAX_WARPS && grid->threads <= WP_MAX_WARPS * WP_LANES)
    return TRUE;
  g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE, "%s: a block of %u threads; at most %u",
               cubin->path, grid->threads, WP_MAX_WARPS * WP_LANES);
  return FALSE;
}

/* As cudaErrorCooperativeLaunchTooLarge. A kernel that asks for its workspace and has no such
 * barrier may be launched otherwise, and is told that it was. */
static gboolean
check_meeting (const WpRun *run, GError **error)
{
  const WpExecOptions *options = run->options;
  const WpGrid *grid = run->grid;
  g_autofree gchar *place = NULL;

  if (!run->code->meets || wp_meeting_fits (grid))
    return TRUE;
  place = wp_kernel_code_place (run->code, run->code->meets_at);
  g_set_error (error, IDG_ERROR, IDG_ERROR_FIT,
               "%s: all blocks of the grid wait for one another here (grid.sync()), and of "
               "%" G_GUINT64_FORMAT " blocks %" G_GUINT64_FORMAT
               " can be resident at a time: %u SM%s with %u each; a cooperative launch has no more "
               "(cudaErrorCooperativeLaunchTooLarge)",
               place, (guint64)grid->grid[0] * grid->grid[1] * grid->grid[2], grid->capacity,
               options->sms, options->sms == 1 ? "" : "s", options->resident);
  return FALSE;
}

/* The blocks of a cluster are resident together. */
static gboolean
check_cluster (const WpRun *run, GError **error)
{
  const WpExecOptions *options = run->options;
  const WpGrid *grid = run->grid;

  if (grid->cluster_blocks <= grid->capacity)
    return TRUE;
  g_set_error (error, IDG_ERROR, IDG_ERROR_FIT,
               "%s: a cluster of %u blocks, of which %" G_GUINT64_FORMAT
               " can be resident at a time: %u SM%s with %u each",
               run->code->cubin->path, grid->cluster_blocks, grid->capacity, options->sms,
               options->sms == 1 ? "" : "s", options->resident);
  return FALSE;
}

WpExecResult *
wp_exec_run (WpGrid *grid, const WpCubin *cubin, guint function, const WpExecOptions *options,
             GError **error)
{
  WpRun run = { .grid = grid, .options = options };
  WpExecResult *result = NULL;

  if (!check_grid (grid, cubin, error))
    return NULL;
  grid->capacity = (guint64)MAX (options->sms, 1) * MAX (options->resident, 1);
  run.code = wp_kernel_code_new (cubin, function, grid, error);
  if (!run.code || !check_meeting (&run, error) || !check_cluster (&run, error))
    {
      wp_kernel_code_free (run.code);
      return NULL;
    }
  choose_branches (run.code, grid->warps, options);
  if (options->is_lean)
    wp_needed_find (run.code, options->keeps_memory);
  if (run.code->is_lean)
    wp_stretches_find (run.code);
  init_run (&run);
  if (execute (&run, error))
    result = sum_up (&run);
  else if (options->failed && !(options->cancel && g_atomic_int_get (options->cancel)))
    {
      g_autoptr (GArray) assumed = join_notes (&run);
      options->failed (assumed, run.code, options->data);
    }
  clear_run (&run);
  return result;
}

void
wp_exec_result_free (WpExecResult *result)
{
  if (!result)
    return;
  wp_kernel_code_free (result->code);
  wp_trail_classes_free (result->classes);
  g_ptr_array_unref (result->counts);
  g_clear_pointer (&result->steady, g_ptr_array_unref);
  g_clear_pointer (&result->steady_warps, g_array_unref);
  g_array_unref (result->notes);
  g_free (result);
}
