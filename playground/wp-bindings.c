/* SPDX-License-Identifier: MIT */
/* What the module exports. Calls pass only pointers and 32-bit numbers; wider numbers are in
 * memory, as hosts differ in how they pass them.
 */
#include "wp-bindings.h"

#include <stdlib.h>

#define EXPORT(name) __attribute__ ((export_name (#name))) name

/* The budget between two checks of whether the log is full. */
#define SLICE 4096
#define STEPS 100000 /* of the search for bounds, at a time */

/* Made by the linker. As the module itself calls it, exports are not wrapped in the set-up and
 * clean-up of a program that ends after each call, which would need imports. */
void __wasm_call_ctors (void);
void EXPORT (_initialize) (void);
void
EXPORT (_initialize) (void)
{
  __wasm_call_ctors ();
}

/* ---- Memory ---- */

void *EXPORT (wp_bindings_take) (uint32_t n_bytes);
void *
EXPORT (wp_bindings_take) (uint32_t n_bytes)
{
  return malloc (n_bytes);
}

void EXPORT (wp_bindings_give_back) (void *bytes);
void
EXPORT (wp_bindings_give_back) (void *bytes)
{
  free (bytes);
}

/* ---- Policies ---- */

const char *EXPORT (wp_bindings_get_policy_name) (uint32_t i);
const char *
EXPORT (wp_bindings_get_policy_name) (uint32_t i)
{
  const WpPolicy *policy = wp_policy_get (i);

  return policy == NULL ? NULL : wp_policy_get_name (policy);
}

const char *EXPORT (wp_bindings_get_policy_summary) (uint32_t i);
const char *
EXPORT (wp_bindings_get_policy_summary) (uint32_t i)
{
  return wp_policy_get_summary (wp_policy_get (i));
}

bool EXPORT (wp_bindings_policy_takes_dataflow) (uint32_t i);
bool
EXPORT (wp_bindings_policy_takes_dataflow) (uint32_t i)
{
  return wp_policy_takes_dataflow (wp_policy_get (i));
}

/* ---- Machines ---- */

static void
end_run (WpBindings *bindings)
{
  wp_device_free (bindings->device);
  bindings->device = NULL;
}

void EXPORT (wp_bindings_free) (WpBindings *bindings);
void
EXPORT (wp_bindings_free) (WpBindings *bindings)
{
  if (bindings == NULL)
    return;
  end_run (bindings);
  wp_bindings_log_clear (&bindings->log);
  free (bindings->arrays);
  free (bindings->words);
  free (bindings);
}

/* NULL when memory is out; else see wp_bindings_get_problem(). */
WpBindings *EXPORT (wp_bindings_new) (const int64_t *words, uint32_t n);
WpBindings *
EXPORT (wp_bindings_new) (const int64_t *words, uint32_t n)
{
  WpBindings *bindings = calloc (1, sizeof *bindings);

  if (bindings != NULL)
    bindings->problem = wp_bindings_read (bindings, words, n);
  return bindings;
}

const char *EXPORT (wp_bindings_get_problem) (const WpBindings *bindings);
const char *
EXPORT (wp_bindings_get_problem) (const WpBindings *bindings)
{
  return bindings->problem;
}

/* ---- Words ---- */

/* Allocates N words, all 0. */
static int64_t *
make_words (WpBindings *bindings, size_t n)
{
  free (bindings->words);
  bindings->words = calloc (n, sizeof *bindings->words);
  if (bindings->words == NULL)
    bindings->problem = "out of memory";
  return bindings->words;
}

static int64_t *
put (int64_t *word, int64_t value)
{
  *word = value;
  return word + 1;
}

static int64_t *
put_sum (int64_t *word, WpSum sum)
{
  return put (put (word, (int64_t)sum.lo), (int64_t)sum.hi);
}

static int64_t *
put_mean (int64_t *word, WpMean mean)
{
  return put (put_sum (word, mean.num), (int64_t)mean.den);
}

const int64_t *EXPORT (wp_bindings_get_words) (const WpBindings *bindings);
const int64_t *
EXPORT (wp_bindings_get_words) (const WpBindings *bindings)
{
  return bindings->words;
}

/* ---- Runs ---- */

/* elapsed, complete, until (-1: tables are whole), blocks, warps, issued, issues, then sums:
 * lifetimes, occupied, slot time, stalls; for each pipeline instructions, busy and waits; then the
 * time that shares of the pipelines' use are of: elapsed, or until the last store is done. */
static void
put_totals (WpBindings *bindings, const WpResult *result)
{
  const WpMachine *m = &bindings->machine;
  int64_t *word = make_words (bindings, 8 + 2 * (3 + WP_N_STALLS) + 5 * (size_t)m->n_pipelines);

  if (word == NULL)
    return;
  word = put (word, result->elapsed);
  word = put (word, result->complete);
  word = put (word, bindings->log.over ? bindings->log.until : -1);
  word = put (word, (int64_t)result->blocks);
  word = put (word, (int64_t)result->warps);
  word = put (word, (int64_t)result->issued);
  word = put (word, (int64_t)result->issues);
  word = put_sum (word, result->lifetimes);
  word = put_sum (word, result->occupied);
  word = put_sum (word, result->slot_time);
  for (int i = 0; i < WP_N_STALLS; i++)
    word = put_sum (word, result->stalls[i]);
  for (uint32_t i = 0; i < m->n_pipelines; i++)
    {
      WpPipelineUse use = wp_result_pipeline_use (result, m, i);

      word = put (word, (int64_t)use.instructions);
      word = put_sum (word, use.busy);
      word = put_sum (word, result->waits[i]);
    }
  put (word, wp_result_has_queue (result, m) ? result->drained : result->elapsed);
}

/* Begins a run. OPTIONS: the policy's number, resident blocks, blocks, most rows of a table (0: no
 * tables), whether they are of the first SM only. Returns 0, or 1 if there is a problem. The
 * changes to the machine remain. */
uint32_t EXPORT (wp_bindings_start) (WpBindings *bindings, const int64_t *options);
uint32_t
EXPORT (wp_bindings_start) (WpBindings *bindings, const int64_t *options)
{
  const WpPolicy *policy = wp_policy_get ((size_t)options[0]);

  end_run (bindings);
  wp_bindings_log_clear (&bindings->log);
  bindings->machine.resident_blocks = (uint32_t)options[1];
  bindings->machine.n_blocks = (uint64_t)options[2];
  bindings->problem = policy == NULL ? "an unknown policy" : wp_machine_check (&bindings->machine);
  if (bindings->problem != NULL)
    return 1;
  wp_bindings_log_init (&bindings->log, &bindings->machine, (uint32_t)options[3], options[4] != 0);
  bindings->observer = wp_bindings_log_get_observer (&bindings->log);
  bindings->observers[0] = &bindings->observer;
  bindings->device = wp_device_new (&bindings->machine, policy, bindings->observers, options[3] > 0,
                                    &bindings->problem);
  if (bindings->device == NULL)
    return 1;
  bindings->problem = wp_device_set_skip (bindings->device, true) ? NULL : "out of memory";
  return bindings->problem == NULL ? 0 : 1;
}

/* Continues the run for about BUDGET issues and terminations. Returns 0: it has ended, 1: it has
 * not, 2: the time that the problem names has overflowed. */
uint32_t EXPORT (wp_bindings_go_on) (WpBindings *bindings, uint32_t budget);
uint32_t
EXPORT (wp_bindings_go_on) (WpBindings *bindings, uint32_t budget)
{
  WpRunStatus status = WP_RUN_MORE;

  for (uint32_t done = 0; status == WP_RUN_MORE && done < budget; done += SLICE)
    {
      status = wp_device_run (bindings->device, SLICE);
      if (bindings->log.over)
        wp_device_stop_observing (bindings->device);
    }
  if (status == WP_RUN_OVERFLOW)
    bindings->problem = wp_device_get_overflow (bindings->device).what;
  if (status == WP_RUN_STUCK)
    bindings->problem = "the end of warps that wait at barriers for ever";
  return status == WP_RUN_DONE ? 0 : status == WP_RUN_MORE ? 1 : 2;
}

/* Ends the run, complete or not: the words are its totals. Returns 0, or 1: a problem. */
uint32_t EXPORT (wp_bindings_finish) (WpBindings *bindings);
uint32_t
EXPORT (wp_bindings_finish) (WpBindings *bindings)
{
  const WpResult *result = wp_device_get_result (bindings->device);

  bindings->problem = wp_result_check (result);
  if (bindings->problem == NULL)
    put_totals (bindings, result);
  end_run (bindings);
  return bindings->problem == NULL ? 0 : 1;
}

uint32_t EXPORT (wp_bindings_get_n_rows) (const WpBindings *bindings, WpBindingsTableKind kind);
uint32_t
EXPORT (wp_bindings_get_n_rows) (const WpBindings *bindings, WpBindingsTableKind kind)
{
  return bindings->log.tables[kind].n;
}

const double *EXPORT (wp_bindings_get_column) (const WpBindings *bindings, WpBindingsTableKind kind,
                                               uint32_t column);
const double *
EXPORT (wp_bindings_get_column) (const WpBindings *bindings, WpBindingsTableKind kind,
                                 uint32_t column)
{
  return bindings->log.tables[kind].columns[column];
}

/* ---- Bounds ---- */

/* tightest (the number of pipelines: the schedulers), estimates, ticks in a cycle, then means in
 * these ticks, which may be finer than the machine's: latency, throughput, schedulers, pipelines.
 */
static void
put_bounds (WpBindings *bindings, const WpBounds *bounds)
{
  const WpMachine *m = &bindings->machine;
  int64_t *word = make_words (bindings, 3 + 3 * (3 + (size_t)m->n_pipelines));

  if (word == NULL)
    return;
  word = put (word, bounds->tightest);
  word = put (word, wp_bounds_are_estimates (m));
  word = put (word, bounds->machine->ticks_per_cycle);
  word = put_mean (word, bounds->latency);
  word = put_mean (word, bounds->throughput);
  word = put_mean (word, bounds->scheduler);
  for (uint32_t i = 0; i < m->n_pipelines; i++)
    word = put_mean (word, bounds->pipelines[i]);
}

/* Bounds of the machine with its changes. BUDGET: in units of about 10^5 steps. Returns 0, or 1: a
 * problem. */
uint32_t EXPORT (wp_bindings_find_bounds) (WpBindings *bindings, uint32_t budget);
uint32_t
EXPORT (wp_bindings_find_bounds) (WpBindings *bindings, uint32_t budget)
{
  WpBoundsStatus status = WP_BOUNDS_MORE;
  WpBounds *bounds = wp_bounds_new (&bindings->machine);

  for (; bounds != NULL && status == WP_BOUNDS_MORE && budget > 0; budget--)
    status = wp_bounds_run (bounds, STEPS);
  bindings->problem = NULL;
  if (bounds == NULL || status == WP_BOUNDS_NO_MEMORY)
    bindings->problem = "out of memory";
  else if (status == WP_BOUNDS_MORE)
    bindings->problem = "bounds that take too long to find";
  else if (status == WP_BOUNDS_OVERFLOW)
    bindings->problem = "a bound of 2^62 ticks or more";
  else if (status == WP_BOUNDS_STUCK)
    bindings->problem = "a block alone that waits at barriers for ever";
  else
    put_bounds (bindings, bounds);
  wp_bounds_free (bounds);
  return bindings->problem == NULL ? 0 : 1;
}
