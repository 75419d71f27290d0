/* SPDX-License-Identifier: MIT */
/* Idealisations of a machine. Each one changes plain data and returns whether it changed anything:
 * if not, nothing needs to be simulated. Removing a latency removes its spread, too; otherwise the
 * spread could make an instruction complete before it starts. */
#include "sim/gpu/wp-idealise.h"

#include <stddef.h>
#include <string.h>

/* ---- Pipelines ---- */

/* Whether what has COST is on memory, or not (MODEL.md, sections 8 and 12). */
static bool
is_of_kind (const WpIdealParts *parts, const WpCost *cost, bool memory)
{
  return cost->pipeline != WP_NO_PIPELINE
         && wp_instr_is_on_memory (parts->machine, &(WpInstr){ .cost = cost }) == memory;
}

static bool
drop_latency (const WpIdealParts *parts, bool memory)
{
  bool changed = false;

  for (uint32_t i = 0; i < parts->n_costs; i++)
    {
      WpCost *cost = parts->costs[i];

      if (!is_of_kind (parts, cost, memory))
        continue;
      changed |= cost->completion > 0 || (cost->spread != WP_NO_SPREAD && !cost->posted);
      cost->completion = 0;
      cost->in_flight = 0;
      cost->spread = WP_NO_SPREAD;
    }
  for (uint32_t i = 0; i < parts->machine->n_deps; i++)
    if (is_of_kind (parts, parts->instrs[parts->deps[i].producer].cost, memory))
      {
        changed |= parts->deps[i].latency > 0;
        parts->deps[i].latency = 0;
      }
  return changed;
}

/* Whether an idealisation is about PIPELINE. */
typedef bool (*IsMeant) (const WpPipelineDesc *pipeline);

/* An instruction that keeps PIPELINE for ISSUE, and makes TRANSACTIONS there, no longer does, if
 * that IS_MEANT. */
static bool
drop_issue (const WpPipelineDesc *pipeline, WpTick *issue, WpTick *issue_last,
            uint32_t transactions, IsMeant is_meant)
{
  bool changed = *issue > 0 || pipeline->turnaround > 0 || pipeline->inflight > 0
                 || (pipeline->channels > 0 && pipeline->channel_issue > 0 && transactions > 0);

  if (!is_meant (pipeline))
    return false;
  *issue = *issue_last = 0;
  return changed;
}

static bool
drop_use (const WpIdealParts *parts, IsMeant is_meant)
{
  bool changed = false;

  for (uint32_t i = 0; i < parts->n_costs; i++)
    {
      WpCost *cost = parts->costs[i];

      if (cost->pipeline == WP_NO_PIPELINE)
        continue;
      changed |= drop_issue (&parts->pipelines[cost->pipeline], &cost->issue, &cost->issue_last,
                             cost->transactions, is_meant);
      for (uint32_t k = 0; k < cost->n_passes; k++)
        {
          WpPass *pass = &parts->passes[cost->first_pass + k];

          changed |= drop_issue (&parts->pipelines[pass->pipeline], &pass->issue, &pass->issue_last,
                                 pass->transactions, is_meant);
        }
    }
  for (uint32_t p = 0; p < parts->machine->n_pipelines; p++)
    if (is_meant (&parts->pipelines[p]))
      {
        parts->pipelines[p].channel_issue = parts->pipelines[p].turnaround = 0;
        parts->pipelines[p].channel_issue_last = parts->pipelines[p].turnaround_last = 0;
        parts->pipelines[p].inflight = WP_NO_INFLIGHT_LIMIT;
      }
  return changed;
}

static bool
drop_memory_latency (const WpIdealParts *parts)
{
  return drop_latency (parts, true);
}

static bool
is_memory (const WpPipelineDesc *pipeline)
{
  return pipeline->memory;
}

static bool
drop_memory_use (const WpIdealParts *parts)
{
  return drop_use (parts, is_memory);
}

static bool
drop_compute_latency (const WpIdealParts *parts)
{
  return drop_latency (parts, false);
}

static bool
is_compute (const WpPipelineDesc *pipeline)
{
  return !pipeline->memory;
}

static bool
drop_compute_use (const WpIdealParts *parts)
{
  return drop_use (parts, is_compute);
}

/* ---- The way to memory, by the names of its pipelines ---- */

static bool
is_lsu (const WpPipelineDesc *pipeline)
{
  return strcmp (pipeline->name, "lsu") == 0;
}

static bool
is_l2 (const WpPipelineDesc *pipeline)
{
  return strcmp (pipeline->name, "l2") == 0;
}

static bool
is_device_memory (const WpPipelineDesc *pipeline)
{
  return strcmp (pipeline->name, "memory") == 0;
}

static bool
drop_lsu_use (const WpIdealParts *parts)
{
  return drop_use (parts, is_lsu);
}

static bool
drop_l2_use (const WpIdealParts *parts)
{
  return drop_use (parts, is_l2);
}

/* Where instructions pass no other pipeline of kind memory, this is memory bandwidth, which there
 * is already. */
static bool
drop_device_memory_use (const WpIdealParts *parts)
{
  uint64_t passed = wp_machine_find_passed (parts->machine);

  for (uint32_t p = 0; p < parts->machine->n_pipelines; p++)
    if ((passed >> p & 1) != 0 && is_memory (&parts->pipelines[p])
        && !is_device_memory (&parts->pipelines[p]))
      return drop_use (parts, is_device_memory);
  return false;
}

/* ---- Schedulers and launches ---- */

/* With interval 0, a slot takes no time, however many an instruction needs. */
static bool
free_schedulers (const WpIdealParts *parts)
{
  bool changed = parts->machine->interval > 0 && parts->machine->n_instrs > 0;

  parts->machine->interval = 0;
  for (uint32_t i = 0; i < parts->n_costs; i++)
    parts->costs[i]->slots = 1;
  return changed;
}

/* No block replaces another if all are resident from the start. */
static bool
free_replacement (const WpIdealParts *parts)
{
  WpMachine *machine = parts->machine;
  bool changed = machine->launch_latency > 0
                 && machine->n_blocks > (uint64_t)machine->resident_blocks * machine->simulated_sms;

  machine->launch_latency = 0;
  return changed;
}

static bool
drop_ilp_latency (const WpIdealParts *parts)
{
  bool changed = parts->machine->ilp_latency > 0 && parts->machine->n_instrs > 0;

  parts->machine->ilp_latency = 0;
  for (uint32_t i = 0; i < parts->n_costs; i++)
    {
      changed |= parts->costs[i]->stall > 0;
      parts->costs[i]->stall = 0;
    }
  return changed;
}

/* ---- The table ---- */

static const WpIdeal ideals_of_all[WP_N_IDEALS] = {
  [WP_IDEAL_MEMORY_LATENCY]
  = { "memory-latency", "memory latency", "memory latency 0",
      "Keep more loads in flight: load before the result is needed, several at a time in each "
      "warp, or have more warps.",
      "the kernel waits for no memory", false, NULL, drop_memory_latency },
  [WP_IDEAL_MEMORY_BANDWIDTH]
  = { "memory-bandwidth", "memory bandwidth", "memory bandwidth unlimited",
      "Move fewer bytes: coalesce accesses, use again what is loaded, keep it on the chip.",
      "the kernel keeps no memory busy", false, NULL, drop_memory_use },
  [WP_IDEAL_COMPUTE_LATENCY]
  = { "compute-latency", "compute latency", "compute latency 0",
      "Have more independent instructions in each warp (ILP) or more warps; shorten chains of "
      "dependent operations.",
      "the kernel waits for no computation", false, NULL, drop_compute_latency },
  [WP_IDEAL_COMPUTE_THROUGHPUT]
  = { "compute-throughput", "compute throughput", "compute throughput unlimited",
      "Compute less: fewer or cheaper instructions for the busiest pipeline.",
      "the kernel keeps no compute pipeline busy", false, NULL, drop_compute_use },
  [WP_IDEAL_SCHEDULERS]
  = { "schedulers", "the schedulers", "schedulers unlimited",
      "Issue fewer instructions, of whatever kind: wider loads, unrolled loops, fewer accesses "
      "that are issued again.",
      "issuing takes no time on this GPU", false, NULL, free_schedulers },
  [WP_IDEAL_CONTEXTS]
  = { "contexts", "the contexts of instructions", "contexts ideal",
      "Change how it is done, not what: coalesce accesses, avoid conflicts between banks.",
      "no instruction has a context", false,
      "some instructions are cheaper in their context than without it, as a hit in a cache or a "
      "branch that is not taken is",
      NULL },
  [WP_IDEAL_BARRIERS]
  = { "barriers", "barriers", "barriers free",
      "Have fewer barriers, smaller blocks or more of them on an SM, or share the work between "
      "barriers evenly.",
      "the kernel has no barriers", false, NULL, NULL },
  [WP_IDEAL_REPLACEMENT]
  = { "replacement", "the replacement of blocks", "block replacement free",
      "Have fewer blocks that live longer, each doing the work of several, or smaller ones, so "
      "that others run while one is replaced.",
      "no block is replaced, or that takes no time", false, NULL, free_replacement },
  [WP_IDEAL_OCCUPANCY]
  = { "occupancy", "occupancy", "occupancy at the maximum",
      "Let more warps be resident: fewer registers, less shared memory, another block size.",
      "no more whole blocks would be resident", false, NULL, NULL },
  [WP_IDEAL_ILP_LATENCY]
  = { "ilp-latency", "ILP latency", "ILP latency 0",
      "Have more warps: they issue while one of them may not.",
      "a warp may issue its next instruction at once on this GPU", false, NULL, drop_ilp_latency },
  [WP_IDEAL_LSU]
  = { "lsu", "the load/store unit", "load/store unit unlimited",
      "Load and store less often: more bytes with each access, no bank conflicts, and values that "
      "stay in registers.",
      "nothing keeps the load/store unit busy", true, NULL, drop_lsu_use },
  [WP_IDEAL_L2]
  = { "l2", "the bandwidth of L2", "L2 bandwidth unlimited",
      "Have fewer misses in L1: use again what is loaded while it is there, or keep it in shared "
      "memory.",
      "nothing keeps the way to L2 busy", true, NULL, drop_l2_use },
  [WP_IDEAL_MEMORY] = { "memory", "the bandwidth of device memory", "device memory unlimited",
                        "Have fewer misses in L2: let blocks that run together use the same data.",
                        "that is memory bandwidth", true, NULL, drop_device_memory_use },
  [WP_IDEAL_L1_HITS]
  = { "l1-hits", "misses in L1", "every load a hit in L1",
      "Use what is loaded again while it is in L1: smaller tiles, neighbouring threads at "
      "neighbouring addresses; or keep it in shared memory or registers.",
      "no load may hit in L1", true, NULL, NULL },
  [WP_IDEAL_L2_HITS]
  = { "l2-hits", "misses in L2", "every access a hit in L2",
      "Let blocks that run together use the same data, so that it is in L2 for all but the first.",
      "no access may hit in L2", true, NULL, NULL },
};

const WpIdeal *
wp_ideal_get (WpIdealKind kind)
{
  return &ideals_of_all[kind];
}

/* Updates `reach` (wp-machine.h) after latencies have changed. */
static void
find_reach (const WpIdealParts *parts)
{
  for (uint32_t i = 0; i < parts->machine->n_instrs; i++)
    parts->instrs[i].reach = parts->instrs[i].cost->completion;
  for (uint32_t i = 0; i < parts->machine->n_deps; i++)
    {
      WpInstr *producer = &parts->instrs[parts->deps[i].producer];

      if (producer->reach < parts->deps[i].latency)
        producer->reach = parts->deps[i].latency;
    }
}

uint32_t
wp_idealise (const WpIdealParts *parts, uint32_t ideals)
{
  uint32_t changed = 0;

  for (int kind = 0; kind < WP_N_IDEALS; kind++)
    if ((ideals & WP_IDEAL_BIT (kind)) != 0 && ideals_of_all[kind].apply != NULL
        && ideals_of_all[kind].apply (parts))
      changed |= WP_IDEAL_BIT (kind);
  if (changed != 0)
    find_reach (parts);
  return changed;
}
