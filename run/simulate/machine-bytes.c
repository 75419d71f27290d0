/* SPDX-License-Identifier: MIT */
/* Members one by one, as structures have padding, of which nobody knows what it holds. Each array
 * comes after its length and each text with its end, so that no two machines are the same bytes.
 * What is behind a pointer counts by what is there: the arrays of two machines never are the same
 * memory. Nothing that the engine or a report sees may be left out but the seed, where nothing is
 * drawn: whoever adds a member to a machine adds it here. */
#include "run/simulate/machine-bytes.h"

#include <string.h>

/* Appends the numbers, which are the further arguments. */
#define ADD(bytes, ...)                                                                            \
  G_STMT_START                                                                                     \
  {                                                                                                \
    const guint64 numbers_[] = { __VA_ARGS__ };                                                    \
                                                                                                   \
    g_byte_array_append (bytes, (const guint8 *)numbers_, sizeof numbers_);                        \
  }                                                                                                \
  G_STMT_END

static void
add_text (GByteArray *bytes, const gchar *text)
{
  ADD (bytes, text != NULL);
  if (text != NULL)
    g_byte_array_append (bytes, (const guint8 *)text, (guint)strlen (text) + 1);
}

static void
add_instruction (GByteArray *bytes, const WpInstr *instr)
{
  const WpCost *cost = instr->cost;

  ADD (bytes, cost->pipeline, cost->barrier, (guint64)cost->issue, (guint64)cost->issue_last,
       (guint64)cost->completion, (guint64)cost->stall, (guint64)cost->in_flight, cost->flops,
       cost->bytes, cost->slots, cost->transactions, cost->spread, cost->first_pass, cost->n_passes,
       cost->name, cost->mix, cost->mix_place, cost->mix_upto, cost->posted, cost->late,
       cost->write);
  ADD (bytes, instr->value, instr->n_kept, instr->first_dep, instr->n_deps, (guint64)instr->reach,
       (guint64)instr->line);
}

static void
add_programs (GByteArray *bytes, const WpMachine *machine)
{
  ADD (bytes, machine->n_instrs, machine->n_deps, machine->n_code, machine->n_programs);
  for (guint32 i = 0; i < machine->n_instrs; i++)
    add_instruction (bytes, &machine->instrs[i]);
  ADD (bytes, machine->kinds != NULL);
  if (machine->kinds != NULL)
    g_byte_array_append (bytes, machine->kinds, machine->n_instrs);
  ADD (bytes, machine->waited != NULL, machine->n_waited);
  if (machine->waited != NULL)
    g_byte_array_append (bytes, (const guint8 *)machine->waited,
                         machine->n_instrs * (guint)sizeof *machine->waited);
  for (guint32 i = 0; i < machine->n_deps; i++)
    ADD (bytes, machine->deps[i].producer, machine->deps[i].value, machine->deps[i].pipeline,
         (guint64)machine->deps[i].latency);
  for (guint32 i = 0; i < machine->n_code; i++)
    ADD (bytes, machine->code[i].kind, machine->code[i].arg, machine->code[i].count);
  for (guint32 i = 0; i < machine->n_programs; i++)
    {
      const WpProgram *program = &machine->programs[i];

      ADD (bytes, program->first_code, program->n_code, program->first_instr, program->n_instrs,
           program->n_values, program->depth, program->n_dynamic);
    }
}

static void
add_tables (GByteArray *bytes, const WpMachine *machine)
{
  ADD (bytes, machine->n_spreads, machine->n_passes, machine->n_names, machine->n_barriers);
  for (guint32 i = 0; i < machine->n_spreads; i++)
    {
      const WpSpread *spread = &machine->spreads[i];

      ADD (bytes, spread->n);
      for (guint32 k = 0; k < spread->n; k++)
        ADD (bytes, spread->at[k], (guint64)spread->add[k]);
    }
  for (guint32 i = 0; i < machine->n_passes; i++)
    ADD (bytes, machine->passes[i].pipeline, (guint64)machine->passes[i].issue,
         (guint64)machine->passes[i].issue_last, machine->passes[i].transactions);
  for (guint32 i = 0; i < machine->n_names; i++)
    add_text (bytes, machine->names[i]);
  for (guint32 i = 0; i < machine->n_barriers; i++)
    {
      add_text (bytes, machine->barriers[i].name);
      ADD (bytes, machine->barriers[i].warps);
    }
}

static void
add_pipelines (GByteArray *bytes, const WpMachine *machine)
{
  ADD (bytes, machine->n_pipelines);
  for (guint32 p = 0; p < machine->n_pipelines; p++)
    {
      const WpPipelineDesc *pipeline = &machine->pipelines[p];

      add_text (bytes, pipeline->name);
      ADD (bytes, pipeline->queue, pipeline->per_scheduler, pipeline->memory,
           pipeline->pairing_never, pipeline->channels, (guint64)pipeline->channel_issue,
           pipeline->inflight, (guint64)pipeline->turnaround, pipeline->shared,
           (guint64)pipeline->channel_issue_last, (guint64)pipeline->turnaround_last);
    }
}

/* Which program each warp of each block runs. */
static void
add_rows (GByteArray *bytes, const WpMachine *machine)
{
  ADD (bytes, machine->n_block_ranges, machine->n_rows, machine->n_segments);
  for (guint32 i = 0; i < machine->n_block_ranges; i++)
    ADD (bytes, machine->block_ranges[i].first_block, machine->block_ranges[i].row);
  for (guint32 i = 0; i < machine->n_rows; i++)
    ADD (bytes, machine->rows[i].first_segment, machine->rows[i].n_segments);
  for (guint32 i = 0; i < machine->n_segments; i++)
    ADD (bytes, machine->segments[i].first_warp, machine->segments[i].program);
}

GByteArray *
wp_machine_to_bytes (const WpMachine *machine)
{
  GByteArray *bytes = g_byte_array_new ();

  ADD (bytes, (guint64)machine->ticks_per_cycle, machine->n_sms, machine->n_schedulers,
       (guint64)machine->interval, (guint64)machine->ilp_latency, (guint64)machine->launch_latency,
       (guint64)machine->barrier_latency, machine->issue_limit, machine->dual_issue,
       machine->n_blocks, machine->warps_per_block, machine->resident_blocks,
       machine->simulated_sms, machine->dataflow, machine->contended,
       wp_machine_is_random (machine) ? machine->seed : 0, machine->active_set);
  add_pipelines (bytes, machine);
  add_programs (bytes, machine);
  add_tables (bytes, machine);
  add_rows (bytes, machine);
  return bytes;
}

guint64
wp_machine_bytes_hash (const GByteArray *bytes)
{
  guint64 hash = bytes->len;

  for (guint i = 0; i < bytes->len; i += sizeof hash)
    {
      guint64 word = 0;

      memcpy (&word, bytes->data + i, MIN (sizeof word, bytes->len - i));
      hash = (hash ^ word) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
      hash ^= hash >> 32;
    }
  return hash;
}
