/* SPDX-License-Identifier: MIT */
/* A machine from 64-bit words: counts first, then the arrays, row by row, fields in the order of
 * wp-machine.h.
 *
 *   version, the machine's plain fields (read_fields), the number of points of all spreads;
 *   spreads with their points, pipelines, programs, instructions, paths, dependences, code,
 *   block ranges, rows, segments, barriers
 *
 * Words are not trusted: each is checked against the range of its field, lengths against the
 * number of words, and the rest by wp_machine_check(). Names are not needed here.
 */
#include "wp-bindings.h"

#include <stdlib.h>

typedef struct
{
  const int64_t *words;
  uint32_t n, at;
  bool bad;
} Reader;

static int64_t
take (Reader *reader)
{
  if (reader->at < reader->n)
    return reader->words[reader->at++];
  reader->bad = true;
  return 0;
}

static uint32_t
take_count (Reader *reader)
{
  int64_t word = take (reader);

  if (word >= 0 && word <= UINT32_MAX)
    return (uint32_t)word;
  reader->bad = true;
  return 0;
}

static bool
take_flag (Reader *reader)
{
  return take (reader) != 0;
}

static void
read_fields (Reader *reader, WpMachine *m)
{
  m->ticks_per_cycle = take (reader);
  m->n_sms = take_count (reader);
  m->n_schedulers = take_count (reader);
  m->interval = take (reader);
  m->ilp_latency = take (reader);
  m->launch_latency = take (reader);
  m->barrier_latency = take (reader);
  m->issue_limit = take_count (reader);
  m->dual_issue = take_count (reader);
  m->n_pipelines = take_count (reader);
  m->n_programs = take_count (reader);
  m->n_instrs = take_count (reader);
  m->n_deps = take_count (reader);
  m->n_code = take_count (reader);
  m->n_spreads = take_count (reader);
  m->n_block_ranges = take_count (reader);
  m->n_rows = take_count (reader);
  m->n_segments = take_count (reader);
  m->n_barriers = take_count (reader);
  m->n_passes = take_count (reader);
  m->n_blocks = (uint64_t)take (reader);
  m->warps_per_block = take_count (reader);
  m->resident_blocks = take_count (reader);
  m->simulated_sms = take_count (reader);
  m->dataflow = take_flag (reader);
  m->contended = take_flag (reader);
  m->seed = (uint64_t)take (reader);
  m->active_set = take_count (reader);
  m->n_names = 1;
}

/* Arrays in one allocation, each aligned for any type. */
typedef struct
{
  WpPipelineDesc *pipelines;
  WpProgram *programs;
  WpInstr *instrs;
  WpCost *costs; /* of each its own */
  WpDep *deps;
  WpCode *code;
  WpSpread *spreads;
  uint64_t *at;
  WpTick *add;
  WpBlockRange *block_ranges;
  WpRow *rows;
  WpSegment *segments;
  WpBarrierDesc *barriers;
  WpPass *passes;
} Arrays;

/* Takes N elements of SIZE from the allocation, from *USED on. Returns where they begin, or NULL
 * while nothing is allocated. */
static void *
place (char *piece, size_t *used, uint32_t n, size_t size)
{
  size_t begin = *used;

  *used = (begin + (n + (size_t)1) * size + 15) / 16 * 16;
  return piece == NULL ? NULL : piece + begin;
}

static size_t
lay_out (Arrays *a, const WpMachine *m, uint32_t n_points, char *piece)
{
  size_t used = 0;

  a->pipelines = place (piece, &used, m->n_pipelines, sizeof *a->pipelines);
  a->programs = place (piece, &used, m->n_programs, sizeof *a->programs);
  a->instrs = place (piece, &used, m->n_instrs, sizeof *a->instrs);
  a->costs = place (piece, &used, m->n_instrs, sizeof *a->costs);
  a->deps = place (piece, &used, m->n_deps, sizeof *a->deps);
  a->code = place (piece, &used, m->n_code, sizeof *a->code);
  a->spreads = place (piece, &used, m->n_spreads, sizeof *a->spreads);
  a->at = place (piece, &used, n_points, sizeof *a->at);
  a->add = place (piece, &used, n_points, sizeof *a->add);
  a->block_ranges = place (piece, &used, m->n_block_ranges, sizeof *a->block_ranges);
  a->rows = place (piece, &used, m->n_rows, sizeof *a->rows);
  a->segments = place (piece, &used, m->n_segments, sizeof *a->segments);
  a->barriers = place (piece, &used, m->n_barriers, sizeof *a->barriers);
  a->passes = place (piece, &used, m->n_passes, sizeof *a->passes);
  return used;
}

static void
read_pipeline (Reader *reader, WpPipelineDesc *pipeline)
{
  *pipeline = (WpPipelineDesc){ .name = "" };
  pipeline->queue = take_count (reader);
  pipeline->per_scheduler = take_flag (reader);
  pipeline->memory = take_flag (reader);
  pipeline->pairing_never = take_flag (reader);
  pipeline->channels = take_count (reader);
  pipeline->channel_issue = take (reader);
  pipeline->inflight = take_count (reader);
  pipeline->turnaround = take (reader);
  pipeline->shared = take_count (reader);
  pipeline->channel_issue_last = take (reader);
  pipeline->turnaround_last = take (reader);
}

static void
read_spreads (Reader *reader, const WpMachine *m, Arrays *a, uint32_t n_points)
{
  uint32_t first = 0;

  for (uint32_t i = 0; i < m->n_spreads; i++)
    {
      uint32_t n = take_count (reader);

      if (n > n_points - first)
        {
          reader->bad = true;
          n = 0;
        }
      a->spreads[i] = (WpSpread){ n, a->at + first, a->add + first };
      first += n;
    }
  reader->bad |= first != n_points;
  for (uint32_t i = 0; i < n_points; i++)
    {
      a->at[i] = (uint64_t)take (reader);
      a->add[i] = take (reader);
    }
}

static void
read_instr (Reader *reader, WpInstr *instr, WpCost *cost)
{
  *cost = (WpCost){ 0 };
  *instr = (WpInstr){ .cost = cost };
  cost->pipeline = take_count (reader);
  instr->value = take_count (reader);
  instr->first_dep = take_count (reader);
  instr->n_deps = take_count (reader);
  cost->issue = take (reader);
  cost->completion = take (reader);
  instr->reach = take (reader);
  cost->slots = take_count (reader);
  cost->posted = take_flag (reader);
  cost->transactions = take_count (reader);
  cost->spread = take_count (reader);
  instr->n_kept = take_count (reader);
  cost->barrier = take_count (reader);
  cost->issue_last = take (reader);
  cost->in_flight = take (reader);
  cost->write = take_flag (reader);
  cost->first_pass = take_count (reader);
  cost->n_passes = take_count (reader);
  cost->mix = take_count (reader);
  cost->mix_place = take_count (reader);
  cost->mix_upto = take_count (reader);
  cost->stall = take (reader);
  cost->late = take_flag (reader);
}

static void
read_pass (Reader *reader, WpPass *pass)
{
  pass->pipeline = take_count (reader);
  pass->issue = take (reader);
  pass->issue_last = take (reader);
  pass->transactions = take_count (reader);
}

static void
read_programs (Reader *reader, const WpMachine *m, Arrays *a)
{
  for (uint32_t i = 0; i < m->n_programs; i++)
    {
      WpProgram *program = &a->programs[i];

      program->first_code = take_count (reader);
      program->n_code = take_count (reader);
      program->first_instr = take_count (reader);
      program->n_instrs = take_count (reader);
      program->n_values = take_count (reader);
      program->depth = take_count (reader);
      program->n_dynamic = (uint64_t)take (reader);
    }
  for (uint32_t i = 0; i < m->n_instrs; i++)
    read_instr (reader, &a->instrs[i], &a->costs[i]);
  for (uint32_t i = 0; i < m->n_passes; i++)
    read_pass (reader, &a->passes[i]);
  for (uint32_t i = 0; i < m->n_deps; i++)
    {
      a->deps[i].producer = take_count (reader);
      a->deps[i].value = take_count (reader);
      a->deps[i].pipeline = take_count (reader);
      a->deps[i].latency = take (reader);
    }
  for (uint32_t i = 0; i < m->n_code; i++)
    {
      a->code[i].kind = (WpCodeKind)take_count (reader);
      a->code[i].arg = take_count (reader);
      a->code[i].count = take_count (reader);
    }
}

static void
read_assignment (Reader *reader, const WpMachine *m, Arrays *a)
{
  for (uint32_t i = 0; i < m->n_block_ranges; i++)
    {
      a->block_ranges[i].first_block = (uint64_t)take (reader);
      a->block_ranges[i].row = take_count (reader);
    }
  for (uint32_t i = 0; i < m->n_rows; i++)
    {
      a->rows[i].first_segment = take_count (reader);
      a->rows[i].n_segments = take_count (reader);
    }
  for (uint32_t i = 0; i < m->n_segments; i++)
    {
      a->segments[i].first_warp = take_count (reader);
      a->segments[i].program = take_count (reader);
    }
  for (uint32_t i = 0; i < m->n_barriers; i++)
    a->barriers[i] = (WpBarrierDesc){ "", take_count (reader) };
}

/* The number of words that the arrays take: checked first, as it bounds what is allocated. */
static uint64_t
count_words (const WpMachine *m, uint32_t n_points)
{
  return (uint64_t)m->n_spreads + 2 * (uint64_t)n_points + 11 * (uint64_t)m->n_pipelines
         + 7 * (uint64_t)m->n_programs + 23 * (uint64_t)m->n_instrs + 4 * (uint64_t)m->n_passes
         + 4 * (uint64_t)m->n_deps + 3 * (uint64_t)m->n_code + 2 * (uint64_t)m->n_block_ranges
         + 2 * (uint64_t)m->n_rows + 2 * (uint64_t)m->n_segments + (uint64_t)m->n_barriers;
}

const char *
wp_bindings_read (WpBindings *bindings, const int64_t *words, uint32_t n)
{
  static const char *const names[] = { "" };
  Reader reader = { .words = words, .n = n };
  WpMachine *m = &bindings->machine;
  uint32_t n_points;
  Arrays a;

  if (take (&reader) != WP_BINDINGS_VERSION)
    return "words of another version";
  read_fields (&reader, m);
  n_points = take_count (&reader);
  if (reader.bad || count_words (m, n_points) != n - reader.at)
    return "words that are too few, too many or out of range";
  bindings->arrays = malloc (lay_out (&a, m, n_points, NULL));
  if (bindings->arrays == NULL)
    return "out of memory";
  lay_out (&a, m, n_points, bindings->arrays);
  read_spreads (&reader, m, &a, n_points);
  for (uint32_t i = 0; i < m->n_pipelines; i++)
    read_pipeline (&reader, &a.pipelines[i]);
  read_programs (&reader, m, &a);
  read_assignment (&reader, m, &a);
  m->pipelines = a.pipelines;
  m->programs = a.programs;
  m->instrs = a.instrs;
  m->deps = a.deps;
  m->code = a.code;
  m->spreads = a.spreads;
  m->names = names;
  m->block_ranges = a.block_ranges;
  m->rows = a.rows;
  m->segments = a.segments;
  m->barriers = a.barriers;
  m->passes = a.passes;
  return reader.bad ? "a word out of range" : wp_machine_check (m);
}
