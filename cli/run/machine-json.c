/* SPDX-License-Identifier: MIT */
/* What follows from the rest of a machine (places of values, the longest reach, sums) is left
 * out: a reader computes it in one pass, and a file written by hand cannot get it wrong. Members
 * with their usual values are left out too, as programs are long. */
#include "cli/run/machine-json.h"

#include "cli/common/cli-launch.h"
#include "idg/kernel/idg-mix.h"
#include "idg/kernel/idg-problem.h"
#include "traces/table/wp-trace.h"

#include <errno.h>

#define EXACT (UINT64_C (1) << 53) /* readers that use doubles round larger numbers */

static void
write_whole (WpJson *json, const gchar *name, guint64 value)
{
  gchar text[24];

  if (value < EXACT)
    {
      wp_json_unsigned (json, name, value);
      return;
    }
  g_snprintf (text, sizeof text, "%" G_GUINT64_FORMAT, value);
  wp_json_string (json, name, text);
}

static void
write_ticks (WpJson *json, const gchar *name, WpTick ticks)
{
  gchar text[24];

  if (ticks >= 0)
    {
      write_whole (json, name, (guint64)ticks);
      return;
    }
  g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, ticks);
  if (-ticks < (WpTick)EXACT)
    wp_json_literal (json, name, text);
  else
    wp_json_string (json, name, text);
}

/* Writes VALUE unless it is USUAL. */
static void
write_unusual (WpJson *json, const gchar *name, guint64 value, guint64 usual)
{
  if (value != usual)
    write_whole (json, name, value);
}

/* ---- The GPU ---- */

static void
write_scheduler (WpJson *json, const WpMachine *machine)
{
  wp_json_begin (json, "scheduler", '{');
  wp_json_unsigned (json, "count", machine->n_schedulers);
  write_ticks (json, "interval", machine->interval);
  wp_json_unsigned (json, "issue_limit", machine->issue_limit);
  wp_json_unsigned (json, "dual_issue", machine->dual_issue);
  write_ticks (json, "ilp_latency", machine->ilp_latency);
  wp_json_end (json, '}');
}

static void
write_pipeline (WpJson *json, const WpPipelineDesc *pipeline)
{
  wp_json_begin_line (json, NULL, '{');
  wp_json_string (json, "name", pipeline->name);
  wp_json_string (json, "kind", pipeline->memory ? "memory" : "compute");
  wp_json_string (json, "scope", pipeline->per_scheduler ? "scheduler" : "sm");
  if (pipeline->queue == WP_NO_QUEUE_LIMIT)
    wp_json_string (json, "queue", "unbounded");
  else
    wp_json_unsigned (json, "queue", pipeline->queue);
  if (pipeline->pairing_never)
    wp_json_string (json, "pairing", "never");
  write_unusual (json, "channels", pipeline->channels, 0);
  write_unusual (json, "channel_issue", (guint64)pipeline->channel_issue, 0);
  write_unusual (json, "shared", wp_pipeline_get_shared (pipeline), 1);
  write_unusual (json, "inflight", pipeline->inflight, WP_NO_INFLIGHT_LIMIT);
  write_unusual (json, "turnaround", (guint64)pipeline->turnaround, 0);
  if (pipeline->shared > 1)
    {
      write_unusual (json, "channel_issue_last", (guint64)pipeline->channel_issue_last,
                     (guint64)pipeline->channel_issue);
      write_unusual (json, "turnaround_last", (guint64)pipeline->turnaround_last,
                     (guint64)pipeline->turnaround);
    }
  wp_json_end (json, '}');
}

static void
write_spread (WpJson *json, const WpSpread *spread)
{
  wp_json_begin_line (json, NULL, '{');
  wp_json_begin (json, "at", '[');
  for (guint32 i = 0; i < spread->n; i++)
    wp_json_unsigned (json, NULL, spread->at[i]);
  wp_json_end (json, ']');
  wp_json_begin (json, "add", '[');
  for (guint32 i = 0; i < spread->n; i++)
    write_ticks (json, NULL, spread->add[i]);
  wp_json_end (json, ']');
  wp_json_end (json, '}');
}

static void
write_gpu (WpJson *json, const WpMachine *machine)
{
  wp_json_unsigned (json, "sms", machine->n_sms);
  wp_json_unsigned (json, "simulated_sms", machine->simulated_sms);
  write_scheduler (json, machine);
  write_ticks (json, "launch_latency", machine->launch_latency);
  write_ticks (json, "barrier_latency", machine->barrier_latency);
  wp_json_begin (json, "pipelines", '[');
  for (guint32 i = 0; i < machine->n_pipelines; i++)
    write_pipeline (json, &machine->pipelines[i]);
  wp_json_end (json, ']');
  wp_json_begin (json, "spreads", '[');
  for (guint32 i = 0; i < machine->n_spreads; i++)
    write_spread (json, &machine->spreads[i]);
  wp_json_end (json, ']');
}

/* ---- Programs ---- */

/* The latency of the dependence from DEP on: of a mix, of which there is one DEP for each set of
 * contexts, a list with one for each context. */
static void
write_latency (WpJson *json, const WpMachine *machine, const WpDep *dep)
{
  const WpInstr *producer = &machine->instrs[dep->producer];

  if (producer->cost->mix == 0)
    {
      write_ticks (json, "latency", dep->latency);
      return;
    }
  wp_json_begin (json, "latency", '[');
  for (guint32 k = 0; k < producer->cost->mix; k++)
    write_ticks (json, NULL, dep[wp_instr_get_set (&producer[k])].latency);
  wp_json_end (json, ']');
}

/* The places in the file of PROGRAM's instructions, by their index in the machine: a mix is one
 * there. Free with g_free(). */
static guint32 *
find_places (const WpMachine *machine, const WpProgram *program)
{
  guint32 *places = g_new (guint32, program->first_instr + program->n_instrs + 1), place = 0;

  for (guint32 i = program->first_instr; i < program->first_instr + program->n_instrs; i++)
    places[i] = machine->instrs[i].cost->mix_place == 0 ? place++ : place - 1;
  return places;
}

static void
write_dependences (WpJson *json, const WpMachine *machine, const WpInstr *instr,
                   const guint32 *places)
{
  if (instr->n_deps == 0)
    return;
  wp_json_begin (json, "after", '[');
  for (guint32 i = 0; i < instr->n_deps; i++)
    {
      const WpDep *dep = &machine->deps[instr->first_dep + i];

      if (machine->instrs[dep->producer].cost->mix_place > 0)
        continue;
      wp_json_begin (json, NULL, '{');
      wp_json_unsigned (json, "producer", places[dep->producer]);
      write_latency (json, machine, dep);
      write_unusual (json, "distance", dep->value - machine->instrs[dep->producer].value + 1, 1);
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
}

/* What version 2 does not know: paths, and pipelines with inflight, turnaround or shared. */
static gboolean
has_paths (const WpMachine *machine)
{
  gboolean found = machine->n_passes > 0;

  for (guint32 i = 0; i < machine->n_pipelines; i++)
    found |= machine->pipelines[i].shared > 1 || machine->pipelines[i].inflight > 0
             || machine->pipelines[i].turnaround > 0;
  return found;
}

/* Whether its pipeline limits what is in flight. */
static gboolean
has_limit (const WpMachine *machine, const WpInstr *instr)
{
  return machine->pipelines[instr->cost->pipeline].inflight > 0;
}

static void
write_path (WpJson *json, const WpMachine *machine, const WpInstr *instr)
{
  if (instr->cost->n_passes == 0)
    return;
  wp_json_begin (json, "path", '[');
  for (guint32 i = 0; i < instr->cost->n_passes; i++)
    {
      const WpPass *pass = &machine->passes[instr->cost->first_pass + i];

      wp_json_begin (json, NULL, '{');
      wp_json_unsigned (json, "pipeline", pass->pipeline);
      write_ticks (json, "issue", pass->issue);
      write_unusual (json, "issue_last", (guint64)pass->issue_last, (guint64)pass->issue);
      write_unusual (json, "transactions", pass->transactions, 1);
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
}

/* What INSTR costs: of a mix, in the context that it is. */
static void
write_cost (WpJson *json, const WpMachine *machine, const WpInstr *instr)
{
  write_ticks (json, "issue", instr->cost->issue);
  if (machine->pipelines[instr->cost->pipeline].shared > 1)
    write_unusual (json, "issue_last", (guint64)instr->cost->issue_last,
                   (guint64)instr->cost->issue);
  write_ticks (json, "completion", instr->cost->completion);
  write_unusual (json, "slots", instr->cost->slots, 1);
  if (instr->cost->posted)
    wp_json_boolean (json, "posted", TRUE);
  write_unusual (json, "transactions", instr->cost->transactions, 1);
  if (instr->cost->spread != WP_NO_SPREAD)
    wp_json_unsigned (json, "spread", instr->cost->spread);
  write_unusual (json, "flops", instr->cost->flops, 0);
  write_unusual (json, "bytes", instr->cost->bytes, 0);
  if (instr->cost->mix == 0 && instr->cost->write && has_paths (machine))
    wp_json_boolean (json, "write", TRUE);
  if (instr->cost->mix == 0)
    write_unusual (json, "stall", (guint64)instr->cost->stall, 0);
  if (instr->cost->in_flight != instr->cost->completion && has_limit (machine, instr))
    write_ticks (json, "in_flight", instr->cost->in_flight);
  write_path (json, machine, instr);
}

/* The instructions from INSTR on, each in a context of the mix CONTEXT. */
static void
write_mix (WpJson *json, const WpMachine *machine, const WpInstr *instr, const gchar *context)
{
  g_autoptr (GArray) parts = idg_mix_parse (context, NULL);

  if (instr->cost->write && has_paths (machine))
    wp_json_boolean (json, "write", TRUE);
  write_unusual (json, "stall", (guint64)instr->cost->stall, 0);
  wp_json_begin (json, "mix", '[');
  for (guint32 i = 0; i < instr->cost->mix; i++)
    {
      const IdgMixPart *part = &g_array_index (parts, IdgMixPart, i);

      wp_json_begin (json, NULL, '{');
      if (part->name != NULL)
        wp_json_string (json, "context", part->name);
      wp_json_unsigned (json, "weight", part->weight);
      write_cost (json, machine, &instr[i]);
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
}

static void
write_barrier (WpJson *json, const WpInstr *instr)
{
  wp_json_literal (json, "pipeline", "null");
  if (instr->cost->posted)
    wp_json_boolean (json, "posted", TRUE);
  if (instr->cost->late)
    wp_json_boolean (json, "late", TRUE);
  if (instr->cost->barrier > 0)
    wp_json_unsigned (json, "barrier", instr->cost->barrier - 1);
}

/* PLACES has those of the machine's instructions in the file. */
static void
write_instruction (WpJson *json, const WpMachine *machine, const WpInstr *instr,
                   const IdgNode *node, const guint32 *places)
{
  wp_json_begin_line (json, NULL, '{');
  wp_json_string (json, "op", machine->names[instr->cost->name]);
  if (node->context != NULL)
    wp_json_string (json, "context", node->context);
  if (node->text != NULL)
    wp_json_string (json, "text", node->text);
  write_unusual (json, "line", (guint64)MAX (instr->line, 0), 0);
  if (instr->cost->pipeline == WP_NO_PIPELINE)
    write_barrier (json, instr);
  else
    {
      wp_json_unsigned (json, "pipeline", instr->cost->pipeline);
      if (instr->cost->mix > 0)
        write_mix (json, machine, instr, node->context);
      else
        write_cost (json, machine, instr);
    }
  write_dependences (json, machine, instr, places);
  wp_json_end (json, '}');
}

/* Code is a list of instructions in order, and of which of them repeat. */
static void
write_repeats (WpJson *json, const WpMachine *machine, const WpProgram *program)
{
  const WpCode *code = machine->code + program->first_code;
  guint32 n_before = 0; /* instructions before the place in `code` */

  wp_json_begin (json, "repeats", '[');
  for (guint32 i = 0; i < program->n_code; i++)
    if (code[i].kind == WP_CODE_INSTRUCTION)
      n_before++;
    else if (code[i].kind == WP_CODE_REPEAT)
      {
        guint32 n = 0;

        for (guint32 j = i + 1; j < code[i].arg; j++)
          n += code[j].kind == WP_CODE_INSTRUCTION;
        wp_json_begin_line (json, NULL, '{');
        wp_json_unsigned (json, "first", n_before);
        wp_json_unsigned (json, "last", n_before + n - 1);
        wp_json_unsigned (json, "count", code[i].count);
        wp_json_end (json, '}');
      }
  wp_json_end (json, ']');
}

static void
write_program (WpJson *json, const WpSimulation *simulation, guint32 index)
{
  const WpMachine *machine = &simulation->resolved->machine;
  const WpProgram *program = &machine->programs[index];
  const IdgKernelProgram *named = g_ptr_array_index (simulation->kernel->programs, index);
  g_autofree guint32 *places = find_places (machine, program);

  wp_json_begin (json, NULL, '{');
  if (named->name != NULL)
    wp_json_string (json, "name", named->name);
  wp_json_begin (json, "instructions", '[');
  for (guint32 i = program->first_instr; i < program->first_instr + program->n_instrs; i++)
    if (machine->instrs[i].cost->mix_place == 0)
      write_instruction (json, machine, &machine->instrs[i], simulation->resolved->nodes[i],
                         places);
  wp_json_end (json, ']');
  write_repeats (json, machine, program);
  wp_json_end (json, '}');
}

static void
write_row (WpJson *json, const WpMachine *machine, const WpRow *row)
{
  wp_json_begin_line (json, NULL, '[');
  for (guint32 i = 0; i < row->n_segments; i++)
    {
      const WpSegment *segment = &machine->segments[row->first_segment + i];

      wp_json_begin (json, NULL, '{');
      wp_json_unsigned (json, "first_warp", segment->first_warp);
      wp_json_unsigned (json, "program", segment->program);
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
}

static void
write_barriers (WpJson *json, const WpMachine *machine)
{
  if (machine->n_barriers == 0)
    return;
  wp_json_begin (json, "barriers", '[');
  for (guint32 i = 0; i < machine->n_barriers; i++)
    {
      wp_json_begin_line (json, NULL, '{');
      wp_json_string (json, "name", machine->barriers[i].name);
      write_unusual (json, "warps", machine->barriers[i].warps, 0);
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
}

static void
write_kernel (WpJson *json, const WpSimulation *simulation)
{
  const WpMachine *machine = &simulation->resolved->machine;

  write_barriers (json, machine);
  wp_json_begin (json, "programs", '[');
  for (guint32 i = 0; i < machine->n_programs; i++)
    write_program (json, simulation, i);
  wp_json_end (json, ']');
  wp_json_begin (json, "rows", '[');
  for (guint32 i = 0; i < machine->n_rows; i++)
    write_row (json, machine, &machine->rows[i]);
  wp_json_end (json, ']');
  wp_json_begin (json, "block_ranges", '[');
  for (guint32 i = 0; i < machine->n_block_ranges; i++)
    {
      wp_json_begin_line (json, NULL, '{');
      write_whole (json, "first_block", machine->block_ranges[i].first_block);
      wp_json_unsigned (json, "row", machine->block_ranges[i].row);
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
}

/* ---- The whole ---- */

/* What the engine does not need, but those who read or draw the machine do. */
static void
write_facts (WpJson *json, const WpSimulation *simulation, const WpResident *resident)
{
  wp_json_string (json, "kernel", simulation->kernel->name);
  if (simulation->kernel->title != NULL)
    wp_json_string (json, "kernel_title", simulation->kernel->title);
  wp_json_string (json, "gpu", simulation->gpu->name);
  if (simulation->gpu->title != NULL)
    wp_json_string (json, "gpu_title", simulation->gpu->title);
  wp_json_ratio (json, "clock_mhz", wp_cycles_to_double (simulation->gpu->clock_mhz));
  write_unusual (json, "max_warps", (guint64)MAX (simulation->gpu->limits.warps, 0), 0);
  wp_json_launch (json, simulation->resolved);
  wp_json_limiters (json, resident);
}

/* The resident blocks are those that fit, as in the report; a small grid may have fewer. */
static void
write_run (WpJson *json, const WpSimulation *simulation, const WpResident *resident)
{
  const WpMachine *machine = &simulation->resolved->machine;

  wp_json_string (json, "policy", wp_policy_get_name (simulation->policy));
  wp_json_unsigned (json, "active_set", machine->active_set);
  wp_json_string (json, "order", machine->dataflow ? "dataflow" : "program");
  wp_json_string (json, "memory", machine->contended ? "contended" : "ideal");
  write_whole (json, "seed", machine->seed);
  write_ticks (json, "ticks_per_cycle", machine->ticks_per_cycle);
  write_whole (json, "blocks", machine->n_blocks);
  wp_json_unsigned (json, "warps_per_block", machine->warps_per_block);
  wp_json_unsigned (json, "resident_blocks", (guint64)resident->blocks);
}

/* Whether those who know version 1 read it right: it has no distances, and no barriers with names.
 */
static gboolean
is_plain (const WpMachine *machine)
{
  gboolean plain = machine->n_barriers == 0;

  for (guint32 i = 0; i < machine->n_instrs; i++)
    plain &= wp_instr_get_kept (&machine->instrs[i]) == 1;
  return plain;
}

static gboolean
has_late (const WpMachine *machine)
{
  for (guint32 i = 0; i < machine->n_instrs; i++)
    if (machine->instrs[i].cost->late)
      return TRUE;
  return FALSE;
}

static guint
find_version (const WpMachine *machine)
{
  if (has_late (machine))
    return 4;
  if (has_paths (machine) || wp_machine_has_mixes (machine))
    return 3;
  return is_plain (machine) ? 1 : 2;
}

static void
write_all (WpJson *json, const WpSimulation *simulation)
{
  g_auto (WpResident) resident = { 0 };

  wp_resident_init (&resident, simulation->resolved);
  wp_json_begin (json, NULL, '{');
  wp_json_string (json, "format", "warpipe-machine");
  wp_json_unsigned (json, "version", find_version (&simulation->resolved->machine));
  write_facts (json, simulation, &resident);
  write_run (json, simulation, &resident);
  write_gpu (json, &simulation->resolved->machine);
  write_kernel (json, simulation);
  wp_json_end (json, '}');
}

gboolean
wp_machine_write_json (const WpSimulation *simulation, FILE *out, GError **error)
{
  WpJson json = { .out = out };
  gint number;

  errno = 0;
  write_all (&json, simulation);
  if (fflush (out) == 0 && !ferror (out))
    return TRUE;
  number = errno != 0 ? errno : EIO;
  g_set_error (error, WP_TRACE_ERROR,
               number == EPIPE ? WP_TRACE_ERROR_CLOSED : WP_TRACE_ERROR_WRITE,
               "cannot write the machine: %s", idg_problem_describe (number));
  return FALSE;
}
