/* SPDX-License-Identifier: MIT */
/* What the module exports. A call takes and gives pointers and 32-bit numbers only, wider ones lie in memory: hosts differ in
 * how they pass them.
 */
#include "wp-face.h"

#include <stdlib.h>

#define EXPORT(name) __attribute__ ((export_name (#name))) name

/* How much happens between two looks at whether the log is full. */
#define SLICE 4096
#define STEPS 100000 /* of a walk for bounds */

/* The linker's: with a call of it by the module itself, exports are not wrapped in set-up and clean-up of a program that
 * ends after each, which would import what it takes to end one. */
void __wasm_call_ctors (void);
void EXPORT (_initialize) (void);
void
EXPORT (_initialize) (void)
{
  __wasm_call_ctors ();
}

/* ---- Memory ---- */

void *EXPORT (wp_face_take) (uint32_t n_bytes);
void *
EXPORT (wp_face_take) (uint32_t n_bytes)
{
  return malloc (n_bytes);
}

void EXPORT (wp_face_give_back) (void *bytes);
void
EXPORT (wp_face_give_back) (void *bytes)
{
  free (bytes);
}

/* ---- Policies ---- */

const char *EXPORT (wp_face_get_policy_name) (uint32_t i);
const char *
EXPORT (wp_face_get_policy_name) (uint32_t i)
{
  const WpPolicy *policy = wp_policy_get (i);

  return policy == NULL ? NULL : wp_policy_get_name (policy);
}

const char *EXPORT (wp_face_get_policy_summary) (uint32_t i);
const char *
EXPORT (wp_face_get_policy_summary) (uint32_t i)
{
  return wp_policy_get_summary (wp_policy_get (i));
}

bool EXPORT (wp_face_policy_takes_dataflow) (uint32_t i);
bool
EXPORT (wp_face_policy_takes_dataflow) (uint32_t i)
{
  return wp_policy_takes_dataflow (wp_policy_get (i));
}

/* ---- Machines ---- */

static void
end_run (WpFace *face)
{
  wp_device_free (face->device);
  face->device = NULL;
}

void EXPORT (wp_face_free) (WpFace *face);
void
EXPORT (wp_face_free) (WpFace *face)
{
  if (face == NULL)
    return;
  end_run (face);
  wp_face_log_clear (&face->log);
  free (face->arrays);
  free (face->words);
  free (face);
}

/* NULL where memory is out; else ask for the problem. */
WpFace *EXPORT (wp_face_new) (const int64_t *words, uint32_t n);
WpFace *
EXPORT (wp_face_new) (const int64_t *words, uint32_t n)
{
  WpFace *face = calloc (1, sizeof *face);

  if (face != NULL)
    face->problem = wp_face_read (face, words, n);
  return face;
}

const char *EXPORT (wp_face_get_problem) (const WpFace *face);
const char *
EXPORT (wp_face_get_problem) (const WpFace *face)
{
  return face->problem;
}

/* ---- Words ---- */

/* Room for N words, all 0. */
static int64_t *
make_words (WpFace *face, size_t n)
{
  free (face->words);
  face->words = calloc (n, sizeof *face->words);
  if (face->words == NULL)
    face->problem = "out of memory";
  return face->words;
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

const int64_t *EXPORT (wp_face_get_words) (const WpFace *face);
const int64_t *
EXPORT (wp_face_get_words) (const WpFace *face)
{
  return face->words;
}

/* ---- Runs ---- */

/* elapsed, complete, until (-1: tables are whole), blocks, warps, issued, issues, then sums: lifetimes, occupied, slot time,
 * stalls; for each pipeline instructions, busy and waits. */
static void
put_totals (WpFace *face, const WpResult *result)
{
  const WpMachine *m = &face->machine;
  int64_t *word = make_words (face, 7 + 2 * (3 + WP_N_STALLS) + 5 * (size_t)m->n_pipelines);

  if (word == NULL)
    return;
  word = put (word, result->elapsed);
  word = put (word, result->complete);
  word = put (word, face->log.over ? face->log.until : -1);
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
}

/* Begins a run. OPTIONS: the policy's number, resident blocks, blocks, rows of a table at most (0: no tables). Returns 0, or
 * 1: there is a problem. The machine keeps what was changed. */
uint32_t EXPORT (wp_face_start) (WpFace *face, const int64_t *options);
uint32_t
EXPORT (wp_face_start) (WpFace *face, const int64_t *options)
{
  const WpPolicy *policy = wp_policy_get ((size_t)options[0]);

  end_run (face);
  wp_face_log_clear (&face->log);
  face->machine.resident_blocks = (uint32_t)options[1];
  face->machine.n_blocks = (uint64_t)options[2];
  face->problem = policy == NULL ? "an unknown policy" : wp_machine_check (&face->machine);
  if (face->problem != NULL)
    return 1;
  wp_face_log_init (&face->log, &face->machine, (uint32_t)options[3]);
  face->observer = wp_face_log_get_observer (&face->log);
  face->observers[0] = &face->observer;
  face->device
      = wp_device_new (&face->machine, policy, face->observers, options[3] > 0, &face->problem);
  if (face->device == NULL)
    return 1;
  face->problem = wp_device_set_skip (face->device, true) ? NULL : "out of memory";
  return face->problem == NULL ? 0 : 1;
}

/* Goes on with what has been started, for about BUDGET issues and the like. Returns 0: it has ended, 1: there is more, 2: the time
 * that the problem names has overflowed. */
uint32_t EXPORT (wp_face_go_on) (WpFace *face, uint32_t budget);
uint32_t
EXPORT (wp_face_go_on) (WpFace *face, uint32_t budget)
{
  WpRunStatus status = WP_RUN_MORE;

  for (uint32_t done = 0; status == WP_RUN_MORE && done < budget; done += SLICE)
    {
      status = wp_device_run (face->device, SLICE);
      if (face->log.over)
        wp_device_stop_telling (face->device);
    }
  if (status == WP_RUN_OVERFLOW)
    face->problem = wp_device_get_overflow (face->device).what;
  return status == WP_RUN_DONE ? 0 : status == WP_RUN_MORE ? 1 : 2;
}

/* Ends it, wherever it is: the words are its totals. Returns 0, or 1: there is a problem. */
uint32_t EXPORT (wp_face_finish) (WpFace *face);
uint32_t
EXPORT (wp_face_finish) (WpFace *face)
{
  const WpResult *result = wp_device_get_result (face->device);

  face->problem = wp_result_check (result);
  if (face->problem == NULL)
    put_totals (face, result);
  end_run (face);
  return face->problem == NULL ? 0 : 1;
}

uint32_t EXPORT (wp_face_get_n_rows) (const WpFace *face, WpFaceTableKind kind);
uint32_t
EXPORT (wp_face_get_n_rows) (const WpFace *face, WpFaceTableKind kind)
{
  return face->log.tables[kind].n;
}

const double *EXPORT (wp_face_get_column) (const WpFace *face, WpFaceTableKind kind,
                                           uint32_t column);
const double *
EXPORT (wp_face_get_column) (const WpFace *face, WpFaceTableKind kind, uint32_t column)
{
  return face->log.tables[kind].columns[column];
}

/* ---- Bounds ---- */

/* tightest (the number of pipelines: the schedulers), estimates, then means: latency, throughput, schedulers, pipelines. */
static void
put_bounds (WpFace *face, const WpBounds *bounds)
{
  const WpMachine *m = &face->machine;
  int64_t *word = make_words (face, 2 + 3 * (3 + (size_t)m->n_pipelines));

  if (word == NULL)
    return;
  word = put (word, bounds->tightest);
  word = put (word, wp_bounds_are_estimates (m));
  word = put_mean (word, bounds->latency);
  word = put_mean (word, bounds->throughput);
  word = put_mean (word, bounds->scheduler);
  for (uint32_t i = 0; i < m->n_pipelines; i++)
    word = put_mean (word, bounds->pipelines[i]);
}

/* Of the machine as it is; BUDGET: how many times about 10^5 steps may be walked. 0 if the words are there. */
uint32_t EXPORT (wp_face_find_bounds) (WpFace *face, uint32_t budget);
uint32_t
EXPORT (wp_face_find_bounds) (WpFace *face, uint32_t budget)
{
  WpBoundsStatus status = WP_BOUNDS_MORE;
  WpBounds *bounds = wp_bounds_new (&face->machine);

  for (; bounds != NULL && status == WP_BOUNDS_MORE && budget > 0; budget--)
    status = wp_bounds_run (bounds, STEPS);
  face->problem = NULL;
  if (bounds == NULL || status == WP_BOUNDS_NO_MEMORY)
    face->problem = "out of memory";
  else if (status == WP_BOUNDS_MORE)
    face->problem = "bounds that take too long to find";
  else if (status == WP_BOUNDS_OVERFLOW)
    face->problem = "a bound of 2^62 ticks or more";
  else
    put_bounds (face, bounds);
  wp_bounds_free (bounds);
  return face->problem == NULL ? 0 : 1;
}
