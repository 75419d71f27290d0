/* SPDX-License-Identifier: MIT */
/* A machine filled by hand, run by the engine alone (engine-alone.sh compiles this without GLib).
 *
 * Two slots, one scheduler, one pipeline (lambda 4, Lambda 20); three blocks of one warp, each a
 * load and two dependent adds. Hand-worked, L and A are starts and e the ends:
 *
 *   block 0   L0        A20        A40        e60
 *   block 1     L4        A24        A44        e64      waits 4 for the pipeline
 *   block 2                                   L60   A80   A100   e120
 *
 * The policy "gty" starts with the younger of the two: blocks 0 and 1 change places.
 */
#include <stdio.h>
#include <string.h>

#include "sim/engine/wp-device.h"

static const WpCost load = { .pipeline = 0,
                             .issue = 4,
                             .completion = 20,
                             .slots = 1,
                             .spread = WP_NO_SPREAD,
                             .bytes = 128,
                             .name = 0 };
static const WpCost add = { .pipeline = 0,
                            .issue = 4,
                            .completion = 20,
                            .slots = 1,
                            .spread = WP_NO_SPREAD,
                            .flops = 32,
                            .name = 1 };
static const WpInstr instrs[] = {
  { .cost = &load, .value = 0, .reach = 20, .line = 1 },
  { .cost = &add, .value = 1, .first_dep = 0, .n_deps = 2, .reach = 20, .line = 2 },
};
static const WpDep deps[] = {
  { .producer = 0, .value = 0, .pipeline = 0, .latency = 20 },
  { .producer = 1, .value = 1, .pipeline = 0, .latency = 20 },
};
static const WpCode code[] = {
  { .kind = WP_CODE_INSTRUCTION, .arg = 0 },
  { .kind = WP_CODE_REPEAT, .arg = 3, .count = 2 },
  { .kind = WP_CODE_INSTRUCTION, .arg = 1 },
  { .kind = WP_CODE_END, .arg = 1 },
};
static const WpProgram programs[] = {
  { .n_code = 4, .n_instrs = 2, .n_values = 2, .depth = 1, .n_dynamic = 3 },
};
static const char *const names[] = { "load", "add" };
static const WpPipelineDesc pipelines[] = { { .name = "pipeline", .memory = true } };
static const WpSegment segments[] = { { 0, 0 } };
static const WpRow rows[] = { { 0, 1 } };
static const WpBlockRange block_ranges[] = { { 0, 0 } };

static const WpMachine machine = {
  .ticks_per_cycle = 1,
  .n_sms = 1,
  .n_schedulers = 1,
  .interval = 1,
  .issue_limit = 1,
  .dual_issue = 1,
  .n_pipelines = 1,
  .pipelines = pipelines,
  .n_programs = 1,
  .n_instrs = 2,
  .n_deps = 2,
  .n_code = 4,
  .n_names = 2,
  .programs = programs,
  .instrs = instrs,
  .deps = deps,
  .code = code,
  .names = names,
  .n_block_ranges = 1,
  .n_rows = 1,
  .n_segments = 1,
  .block_ranges = block_ranges,
  .rows = rows,
  .segments = segments,
  .n_blocks = 3,
  .warps_per_block = 1,
  .resident_blocks = 2,
  .simulated_sms = 1,
  .seed = 1,
  .active_set = 8,
};

static void
note_issue (void *data, const WpIssueEvent *event)
{
  WpTick *starts = data;
  starts[event->block * 3 + event->index] = event->start;
}

static int
check (int holds, const char *policy, const char *what)
{
  if (!holds)
    fprintf (stderr, "%s: %s\n", policy, what);
  return holds ? 0 : 1;
}

static int
run (const WpPolicy *policy)
{
  static const WpTick oldest_first[9] = { 0, 20, 40, 4, 24, 44, 60, 80, 100 };
  static const WpTick youngest_first[9] = { 4, 24, 44, 0, 20, 40, 60, 80, 100 };
  WpTick starts[9] = { 0 };
  const WpObserver observer = { .data = starts, .issue = note_issue };
  const WpObserver *const observers[] = { &observer };
  const char *problem = NULL, *name = wp_policy_get_name (policy);
  WpDevice *device = wp_device_new (&machine, policy, observers, 1, &problem);
  const WpTick *expected = strcmp (name, "gty") == 0 ? youngest_first : oldest_first;
  const WpResult *result;
  int failed = 0;

  if (device == NULL)
    return check (0, name, problem);
  while (wp_device_run (device, 2) == WP_RUN_MORE)
    ;
  result = wp_device_get_result (device);
  failed += check (result->complete && result->elapsed == 120, name, "the last warp ends at 120");
  failed += check (result->lifetimes.lo == 60 + 60 + 64, name, "lifetimes are 60, 60 and 64");
  failed
      += check (result->issued == 9 && result->warps == 3, name, "nine instructions, three warps");
  failed += check (wp_result_check (result) == NULL, name, "stalls and Little's law add up");
  failed += check (memcmp (starts, expected, sizeof starts) == 0, name, "starts as worked by hand");
  wp_device_free (device);
  return failed;
}

int
main (void)
{
  int failed = check (wp_machine_check (&machine) == NULL, "machine", "is sound");

  for (size_t i = 0; wp_policy_get (i) != NULL; i++)
    failed += run (wp_policy_get (i));
  return failed == 0 ? 0 : 1;
}
