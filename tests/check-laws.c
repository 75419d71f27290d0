/* SPDX-License-Identifier: MIT */
/* What holds between a kernel's bounds and its simulation (MODEL.md, section 10), on every
 * compatible pair of a shipped kernel and GPU: what people run, at full length except for the
 * number of blocks.
 *
 * What it does not pin: the bounds' own values (golden/bounds*.test). With dual issue and in
 * dataflow order, where a warp may be faster beside others than alone, it only checks a single
 * block.
 */
#include <glib.h>
#include <string.h>

#include "sim/bounds/wp-bounds.h"
#include "sim/bounds/wp-floor.h"
#include "sim/engine/wp-device.h"
#include "sim/gpu/wp-resolve.h"

#include "tests/check-main.h"
#include "tests/own-costs.h"

/* Generations of resident blocks: enough for the last block not to be the only one that counts. */
#define GENERATIONS 3

/* The least number of compatible pairs of a shipped kernel and GPU: a test that ran none would
 * pass. */
#define LEAST_PAIRS 300

typedef __int128 Wide;

typedef struct
{
  const gchar *kernel, *gpu; /* names, for messages */
  const WpMachine *machine;
  WpBounds *bounds;
  const WpResult *result; /* of the simulation */
  gboolean undisturbed;   /* no instruction has waited, for a pipeline or in it, nor for a slot */
  WpTick posted[WP_MAX_PIPELINES]; /* when the last posted instruction began there, or later */
} Pair;

#define assert_pair(pair, condition, ...)                                                          \
  do                                                                                               \
    if (!(condition))                                                                              \
      {                                                                                            \
        g_autofree gchar *said = g_strdup_printf (__VA_ARGS__);                                    \
        ck_abort_msg ("%s on %s: %s", (pair)->kernel, (pair)->gpu, said);                          \
      }                                                                                            \
  while (0)

/* ---- Running ---- */

static const WpBoundsSegment *
find_segment (const Pair *pair, guint64 block, guint32 warp)
{
  const WpMachine *machine = pair->machine;
  guint32 row = (guint32)(wp_machine_get_row (machine, block) - machine->rows);
  const WpBoundsSegment *found = NULL;

  for (guint32 i = 0; i < pair->bounds->n_segments; i++)
    {
      const WpBoundsSegment *segment = &pair->bounds->segments[i];

      if (segment->row == row && warp >= segment->first_warp
          && warp - segment->first_warp < segment->n_warps)
        found = segment;
    }
  assert_pair (pair, found != NULL, "warp %u of block %" G_GUINT64_FORMAT " has no segment", warp,
               block);
  return found;
}

static void
see_issue (void *data, const WpIssueEvent *event)
{
  Pair *pair = data;
  const WpInstr *instr = &pair->machine->instrs[event->instr];

  if (event->start != event->time || event->served != event->start)
    pair->undisturbed = FALSE;
  if (!instr->cost->posted)
    return;
  pair->posted[instr->cost->pipeline] = MAX (pair->posted[instr->cost->pipeline], event->start);
  for (guint32 k = 0; k < instr->cost->n_passes; k++)
    {
      guint32 p = pair->machine->passes[instr->cost->first_pass + k].pipeline;

      pair->posted[p] = MAX (pair->posted[p], event->served);
    }
}

/* A warp's life is not shorter than alone, with no pipeline busy. */
static void
see_warp (void *data, const WpWarpEvent *event)
{
  Pair *pair = data;
  const WpBoundsSegment *segment = find_segment (pair, event->block, event->warp);

  if (event->stalls[WP_STALL_PIPELINE] > 0 || event->stalls[WP_STALL_NOT_SELECTED] > 0)
    pair->undisturbed = FALSE;
  assert_pair (pair, event->end - event->start >= segment->latency,
               "warp %u of block %" G_GUINT64_FORMAT " lives %" G_GINT64_FORMAT
               " ticks, the latency bound is %" G_GINT64_FORMAT,
               event->warp, event->block, event->end - event->start, segment->latency);
}

/* The same of a block that is alone: exactly so long. */
static void
see_lone_warp (void *data, const WpWarpEvent *event)
{
  Pair *pair = data;
  const WpBoundsSegment *segment = find_segment (pair, event->block, event->warp);

  assert_pair (pair, event->end - event->start == segment->latency,
               "warp %u lives %" G_GINT64_FORMAT " ticks, the latency bound is %" G_GINT64_FORMAT,
               event->warp, event->end - event->start, segment->latency);
}

static void
find_bounds (Pair *pair)
{
  WpBoundsStatus status;

  ck_assert (wp_machine_check (pair->machine) == NULL);
  pair->bounds = wp_bounds_new (pair->machine);
  ck_assert (pair->bounds != NULL);
  do
    status = wp_bounds_run (pair->bounds, 1 << 20);
  while (status == WP_BOUNDS_MORE);
  assert_pair (pair, status == WP_BOUNDS_DONE, "the bounds end with status %d", (int)status);
}

typedef void (*SeeWarp) (void *data, const WpWarpEvent *event);
typedef void (*SeeResult) (Pair *pair, void *data);

/* Finds the bounds of MACHINE and simulates it: SEE_WARP sees each warp, SEE the totals. */
static void
simulate (Pair *pair, const WpMachine *machine, SeeWarp see, SeeResult see_result, void *data)
{
  const WpObserver observer = { .data = pair, .issue = see_issue, .warp_end = see };
  const WpObserver *const observers[] = { &observer };
  const char *problem;
  WpDevice *device;

  pair->machine = machine;
  pair->undisturbed = TRUE;
  memset (pair->posted, 0, sizeof pair->posted);
  find_bounds (pair);
  device = wp_device_new (machine, wp_policy_find ("rr"), observers, 1, &problem);
  assert_pair (pair, device != NULL, "%s", problem);
  while (wp_device_run (device, 1 << 20) == WP_RUN_MORE)
    ;
  pair->result = wp_device_get_result (device);
  assert_pair (pair, pair->result->complete, "the run does not end");
  if (see_result != NULL)
    see_result (pair, data);
  wp_device_free (device);
  wp_bounds_free (pair->bounds);
}

/* ---- Every pair ---- */

typedef void (*SeePair) (Pair *pair, const WpMachine *machine, void *data);

static GPtrArray *
list_files (const gchar *folder)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autofree gchar *path = g_build_filename (g_getenv ("WARPIPE_DATA_DIR"), folder, NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const gchar *name;

  ck_assert_msg (dir != NULL, "%s is not there; WARPIPE_DATA_DIR is the source tree", path);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".xml"))
      g_ptr_array_add (paths, g_build_filename (path, name, NULL));
  return paths;
}

/* Calls SEE for every shipped kernel on every shipped GPU that has its ops and room for a block of
 * it (see check_get_stride()); OPTIONS add to the kernel's file. Returns how many there were. */
static guint
for_each_pair (const WpRunOptions *options, SeePair see, void *data)
{
  g_autoptr (GPtrArray) gpus = list_files ("configs");
  g_autoptr (GPtrArray) kernels = list_files ("idg/kernels");
  guint stride = check_get_stride (), n = 0;

  for (guint g = 0; g < gpus->len; g++)
    {
      g_autoptr (WpGpu) gpu = wp_gpu_load (gpus->pdata[g], NULL, NULL);

      ck_assert (gpu != NULL);
      for (guint k = 0; k < kernels->len; k++)
        {
          g_autoptr (IdgKernel) kernel = NULL;
          g_autoptr (WpResolved) resolved = NULL;
          Pair pair = { 0 };

          if ((g * kernels->len + k) % stride != 0)
            continue;
          kernel = idg_kernel_load (kernels->pdata[k], NULL, NULL);
          ck_assert (kernel != NULL);
          resolved = wp_resolve (kernel, gpu, options, NULL);
          if (resolved == NULL)
            continue;
          pair.kernel = kernel->name;
          pair.gpu = gpu->name;
          see (&pair, &resolved->machine, data);
          n++;
        }
    }
  return n;
}

/* ---- In company ---- */

/* Elapsed >= the total use of what each warp uses for MEAN ticks of an SM's - LARGEST, as on some
 * SM it is at least the mean of all. Posted instructions may still wait at the last termination:
 * then the last one's START counts in the place of it. */
static void
assert_use (Pair *pair, const gchar *what, WpMean mean, WpTick largest, WpTick start)
{
  Wide use = (Wide)mean.num.lo + ((Wide)mean.num.hi << 64);
  WpTick end = MAX (pair->result->elapsed, start);

  assert_pair (pair,
               ((Wide)end + largest) * mean.den * pair->machine->simulated_sms
                   >= use * pair->result->warps,
               "%" G_GUINT64_FORMAT
               " warps keep %s busy for longer than the run's %" G_GINT64_FORMAT " ticks",
               pair->result->warps, what, pair->result->elapsed);
}

/* The longest that an instruction keeps PIPELINE. */
static WpTick
find_largest (const WpMachine *machine, guint32 pipeline)
{
  WpTick largest = 0;

  for (guint32 i = 0; i < machine->n_instrs; i++)
    if (machine->instrs[i].cost->pipeline == pipeline)
      largest = MAX (largest, machine->instrs[i].cost->issue);
  for (guint32 i = 0; i < machine->n_passes; i++)
    if (machine->passes[i].pipeline == pipeline)
      largest = MAX (largest, machine->passes[i].issue);
  return largest;
}

static void
check_uses (Pair *pair, void *data G_GNUC_UNUSED)
{
  const WpMachine *machine = pair->machine;
  guint32 slots = 1;

  for (guint32 p = 0; p < machine->n_pipelines; p++)
    assert_use (pair, machine->pipelines[p].name, pair->bounds->pipelines[p],
                find_largest (machine, p), pair->posted[p]);
  for (guint32 i = 0; i < machine->n_instrs; i++)
    slots = MAX (slots, machine->instrs[i].cost->slots);
  assert_use (pair, "the schedulers", pair->bounds->scheduler, slots * machine->interval, 0);
}

/* No issue order is faster than the floor; this one was round robin. */
static void
check_floor (Pair *pair, void *data)
{
  guint *n = data;
  WpFloor floor;

  check_uses (pair, NULL);
  if (wp_floor_refuse (pair->machine) != NULL
      || wp_floor_find (pair->bounds, &floor) != WP_FLOOR_FOUND)
    return;
  assert_pair (pair, pair->result->elapsed >= floor.time,
               "the run takes %" G_GINT64_FORMAT " ticks, its floor is %" G_GINT64_FORMAT
               " (blocks %" G_GINT64_FORMAT ", work %" G_GINT64_FORMAT ")",
               pair->result->elapsed, floor.time, floor.blocks, floor.work);
  (*n)++;
}

static void
check_company (Pair *pair, const WpMachine *shipped, void *data)
{
  WpMachine machine = *shipped;

  machine.dual_issue = 1;
  machine.n_blocks = MIN (machine.n_blocks,
                          (guint64)GENERATIONS * machine.resident_blocks * machine.simulated_sms);
  simulate (pair, &machine, see_warp, check_floor, data);
}

START_TEST (in_program_order_no_warp_and_no_run_is_faster_than_its_bounds)
{
  WpRunOptions options = WP_RUN_OPTIONS_INIT;
  guint n_floors = 0;

  options.has_order = TRUE;
  options.order = WP_ORDER_PROGRAM;
  ck_assert_uint_ge (for_each_pair (&options, check_company, &n_floors),
                     LEAST_PAIRS / check_get_stride ());
  ck_assert_uint_ge (n_floors, LEAST_PAIRS / 2 / check_get_stride ());
}
END_TEST

/* ---- Alone ---- */

/* SHIPPED with one block of those that it has, resident alone, and launched at once. */
static WpMachine
make_lone (const WpMachine *shipped)
{
  WpMachine machine = *shipped;

  machine.n_blocks = 1;
  machine.resident_blocks = 1;
  machine.launch_latency = 0;
  return machine;
}

/* No instruction keeps a pipeline that it passes, no issue its slot, and nothing turns or is held
 * back for what is in flight, of which bounds know nothing. */
static void
check_free (Pair *pair, const WpMachine *shipped, void *data G_GNUC_UNUSED)
{
  WpMachine machine = make_lone (shipped);
  g_autofree WpInstr *instrs = g_memdup2 (shipped->instrs, shipped->n_instrs * sizeof (WpInstr));
  g_autofree WpCost *costs = give_own_costs (instrs, shipped->n_instrs);
  g_autofree WpPipelineDesc *pipelines
      = g_memdup2 (shipped->pipelines, shipped->n_pipelines * sizeof (WpPipelineDesc));
  g_autofree WpPass *passes = g_memdup2 (shipped->passes, shipped->n_passes * sizeof (WpPass));

  for (guint32 i = 0; i < machine.n_instrs; i++)
    costs[i].issue = costs[i].issue_last = 0;
  for (guint32 i = 0; i < machine.n_passes; i++)
    passes[i].issue = passes[i].issue_last = 0;
  machine.instrs = instrs;
  for (guint32 p = 0; p < machine.n_pipelines; p++)
    {
      pipelines[p].inflight = WP_NO_INFLIGHT_LIMIT;
      pipelines[p].turnaround = pipelines[p].turnaround_last = 0;
    }
  machine.passes = passes;
  machine.pipelines = pipelines;
  machine.interval = 0;
  simulate (pair, &machine, see_lone_warp, NULL, NULL);
}

START_TEST (with_no_use_of_pipelines_and_slots_a_lone_block_takes_its_latency_bound)
{
  WpRunOptions options = WP_RUN_OPTIONS_INIT;

  options.has_order = TRUE;
  options.order = _i == 0 ? WP_ORDER_PROGRAM : WP_ORDER_DATAFLOW;
  ck_assert_uint_ge (for_each_pair (&options, check_free, NULL), LEAST_PAIRS / check_get_stride ());
}
END_TEST

static void
check_undisturbed (Pair *pair, void *data)
{
  guint *n = data;
  const WpBoundsSegment *segment = find_segment (pair, 0, 0);

  if (!pair->undisturbed)
    return;
  assert_pair (pair, pair->result->elapsed == segment->latency,
               "undisturbed, it takes %" G_GINT64_FORMAT
               " ticks; the latency bound is %" G_GINT64_FORMAT,
               pair->result->elapsed, segment->latency);
  (*n)++;
}

static void
check_lone (Pair *pair, const WpMachine *shipped, void *data)
{
  WpMachine machine = make_lone (shipped);

  machine.dual_issue = 1;
  simulate (pair, &machine, see_warp, check_undisturbed, data);
}

/* Which pipelines a lone warp oversubscribes shows when it runs: it waits for one, or what it
 * issues does. */
START_TEST (a_lone_warp_that_finds_every_pipeline_and_slot_free_takes_its_latency_bound)
{
  WpRunOptions options = WP_RUN_OPTIONS_INIT;
  guint n = 0;

  options.threads = 32;
  options.has_order = TRUE;
  options.order = WP_ORDER_PROGRAM;
  ck_assert_uint_ge (for_each_pair (&options, check_lone, &n), LEAST_PAIRS / check_get_stride ());
  ck_assert_uint_ge (n, LEAST_PAIRS / 2 / check_get_stride ());
}
END_TEST

/* ---- What never binds ---- */

static void
see_elapsed (Pair *pair, void *data)
{
  *(WpTick *)data = pair->result->elapsed;
}

static WpTick
find_elapsed (Pair *pair, const WpMachine *machine)
{
  WpTick elapsed = -1;

  simulate (pair, machine, NULL, see_elapsed, &elapsed);
  return elapsed;
}

/* Without writes, and without limits of what is in flight (MODEL.md, section 12). */
static void
make_unbound (WpMachine *machine, WpInstr *instrs, WpCost *costs, WpPipelineDesc *pipelines)
{
  for (guint32 i = 0; i < machine->n_instrs; i++)
    costs[i].write = FALSE;
  for (guint32 p = 0; p < machine->n_pipelines; p++)
    {
      pipelines[p].inflight = WP_NO_INFLIGHT_LIMIT;
      pipelines[p].turnaround = pipelines[p].turnaround_last = 0;
    }
  machine->instrs = instrs;
  machine->pipelines = pipelines;
}

/* As many in flight as may be, turnarounds of what only reads, and behind each pipeline another one
 * that what has no path passes in no time. One behind several would keep the order of issue among
 * what waits in their queues. */
static void
add_idle_limits (WpMachine *machine, const WpInstr *instrs, WpCost *costs,
                 WpPipelineDesc *pipelines, WpDep *deps, WpPass *passes)
{
  guint32 n = machine->n_pipelines;

  for (guint32 p = 0; p < n; p++)
    {
      pipelines[p].turnaround = pipelines[p].turnaround_last = 1000;
      if (wp_pipeline_get_shared (&pipelines[p]) == 1)
        pipelines[p].inflight = WP_MAX_INFLIGHT;
      pipelines[n + p] = (WpPipelineDesc){ .name = "behind",
                                           .queue = WP_NO_QUEUE_LIMIT,
                                           .per_scheduler = pipelines[p].per_scheduler };
      passes[machine->n_passes + p] = (WpPass){ .pipeline = n + p };
    }
  for (guint32 i = 0; i < machine->n_instrs; i++)
    if (instrs[i].cost->pipeline != WP_NO_PIPELINE && instrs[i].cost->n_passes == 0)
      {
        costs[i].first_pass = machine->n_passes + costs[i].pipeline;
        costs[i].n_passes = 1;
      }
  machine->n_pipelines += n;
  machine->n_passes += n;
  machine->passes = passes;
  for (guint32 d = 0; d < machine->n_deps; d++)
    deps[d].pipeline = wp_instr_get_last_pipeline (machine, &instrs[deps[d].producer]);
  machine->deps = deps;
}

static void
check_idle_limits (Pair *pair, const WpMachine *shipped, void *data G_GNUC_UNUSED)
{
  WpMachine machine = *shipped;
  g_autofree WpInstr *instrs = g_memdup2 (shipped->instrs, shipped->n_instrs * sizeof (WpInstr));
  g_autofree WpCost *costs = give_own_costs (instrs, shipped->n_instrs);
  g_autofree WpPipelineDesc *pipelines = g_new0 (WpPipelineDesc, 2 * shipped->n_pipelines);
  g_autofree WpDep *deps = g_memdup2 (shipped->deps, shipped->n_deps * sizeof (WpDep));
  g_autofree WpPass *passes = g_new0 (WpPass, shipped->n_passes + shipped->n_pipelines);
  WpTick without, with;

  for (guint32 p = 0; p < shipped->n_pipelines; p++)
    pipelines[p] = shipped->pipelines[p];
  for (guint32 i = 0; i < shipped->n_passes; i++)
    passes[i] = shipped->passes[i];
  machine.n_blocks = MIN (machine.n_blocks, (guint64)GENERATIONS * machine.resident_blocks);
  make_unbound (&machine, instrs, costs, pipelines);
  without = find_elapsed (pair, &machine);
  add_idle_limits (&machine, instrs, costs, pipelines, deps, passes);
  with = find_elapsed (pair, &machine);
  assert_pair (pair, with == without,
               "limits that never bind make %" G_GINT64_FORMAT " ticks of %" G_GINT64_FORMAT, with,
               without);
}

START_TEST (limits_that_never_bind_change_nothing)
{
  WpRunOptions options = WP_RUN_OPTIONS_INIT;

  ck_assert_uint_ge (for_each_pair (&options, check_idle_limits, NULL),
                     LEAST_PAIRS / check_get_stride ());
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("laws");
  TCase *tcase = tcase_create ("laws");

  tcase_set_timeout (tcase, 600);
  tcase_add_test (tcase, in_program_order_no_warp_and_no_run_is_faster_than_its_bounds);
  tcase_add_loop_test (
      tcase, with_no_use_of_pipelines_and_slots_a_lone_block_takes_its_latency_bound, 0, 2);
  tcase_add_test (tcase,
                  a_lone_warp_that_finds_every_pipeline_and_slot_free_takes_its_latency_bound);
  tcase_add_test (tcase, limits_that_never_bind_change_nothing);
  suite_add_tcase (suite, tcase);
  return suite;
}
