/* SPDX-License-Identifier: MIT */
/* A launch on the SMs of its GPU: as many blocks on each as its registers and shared memory allow.
 * What it accessed is counted by class of warps, and folded with what they executed. */
#include "exec/wp-execute-launch.h"

#include "exec/fold/wp-fold.h"
#include "exec/machine/wp-run.h"
#include "exec/machine/wp-tensor-memory.h"
#include "exec/wp-branches.h"
#include "exec/wp-doubts.h"
#include "exec/wp-grid.h"
#include "exec/wp-meetings.h"
#include "exec/wp-notes.h"
#include "exec/wp-polls.h"
#include "idg/import/flow/idg-carried.h"
#include "idg/kernel/idg-kernel.h"
#include "sim/gpu/wp-occupancy.h"

typedef struct
{
  const WpExecuteOptions *options;
  const WpMemory *memory;
  WpBranches *branches;
  guint number, n; /* of the launch, and of all */
} Work;

/* The lines of reports are the user's own, as those of notes and of errors. */
static void
find_line (gpointer data, guint index, const gchar **file, guint *line)
{
  wp_kernel_code_own_line (data, index, file, line);
}

static gboolean
find_barrier (gconstpointer data, guint index, guint *number, guint *threads)
{
  return wp_kernel_code_find_barrier (data, index, number, threads);
}

static gboolean
find_side (const WpKernelCode *code, guint index, guint warp, guint32 *lanes, gpointer data)
{
  Work *work = data;
  WpBranchPlace places[2];

  wp_kernel_code_line (code, index, &places[0].file, &places[0].line);
  wp_kernel_code_own_line (code, index, &places[1].file, &places[1].line);
  return wp_branches_get (work->branches, places, warp, lanes);
}

static void
show_progress (const WpExecProgress *progress, gpointer data)
{
  const Work *work = data;
  gdouble share
      = progress->n_blocks > 0 ? (gdouble)progress->blocks / (gdouble)progress->n_blocks : 0;

  if (work->options->progress)
    work->options->progress (((gdouble)work->number + share) / (gdouble)work->n,
                             progress->instructions, work->options->data_of_functions);
}

/* Ops are named by the rows of D and by what is multiplied, contexts by its columns. */
static gboolean
find_product (gconstpointer data, guint index, const gchar **op, const gchar **context)
{
  static const gchar *const kinds[] = { [WP_PRODUCT_F16] = "f16",
                                        [WP_PRODUCT_TF32] = "tf32",
                                        [WP_PRODUCT_F8F6F4] = "f8f6f4",
                                        [WP_PRODUCT_I8] = "i8" };
  g_autofree gchar *name = NULL, *columns = NULL;
  WpProduct product;

  if (!wp_kernel_code_find_product (data, index, &product) || product.rows == 0)
    return FALSE;
  name = g_strdup_printf ("tcgen05.mma%s.m%u.%s", product.from_tensor ? ".ts" : "", product.rows,
                          kinds[product.kind]);
  columns = g_strdup_printf ("columns-%u", product.columns);
  *op = g_intern_string (name);
  *context = g_intern_string (columns);
  return TRUE;
}

/* The blocks that fit on an SM of GPU. */
static gboolean
find_resident (const WpGpu *gpu, const IdgLaunch *launch, guint *resident, GError **error)
{
  WpOccupancy occupancy;

  if (!wp_occupancy_compute (gpu, launch, 0, FALSE, &occupancy, error))
    return FALSE;
  *resident = (guint)CLAMP (occupancy.blocks, 1, 32);
  return TRUE;
}

/* CACHES after the launch, in which as many sectors waited to be written as UNWRITTEN says. */
static IdgKernel *
fold (const WpExecuteOptions *options, const WpModuleLaunch *launch, const WpGrid *grid,
      const IdgLaunch *resources, const WpExecResult *result, const WpCaches *caches,
      guint64 unwritten, gboolean *has_meetings, GPtrArray *notes, GError **error)
{
  WpFoldInput input = { .name = launch->launch->name,
                        .title = launch->launch->text,
                        .file = options->path,
                        .instrs = result->code->instrs,
                        .n_instrs = result->code->n_steps,
                        .find_line = find_line,
                        .line_data = result->code,
                        .find_barrier = find_barrier,
                        .barrier_data = result->code,
                        .find_product = find_product,
                        .product_data = result->code,
                        .n_indices = result->code->n_indices,
                        .meeting_data = (gpointer)result,
                        .has_meetings = has_meetings,
                        .threads = grid->threads,
                        .registers = (guint)resources->registers,
                        .shared_memory = (guint)resources->shared_memory,
                        .wave = result->wave,
                        .classes = result->classes,
                        .counts = (WpCounts *const *)result->counts->pdata,
                        .l2_unwritten = { unwritten, wp_caches_count_unwritten (caches) },
                        .l2_sectors = wp_caches_get_l2_sectors (caches),
                        .compiler_waits = options->compiler_waits,
                        .gives_early = !g_atomic_int_get (&grid->gives_late),
                        .code_cache = options->gpu->code_cache.bytes,
                        .code_piece = options->gpu->code_cache.piece };

  for (guint axis = 0; axis < 3; axis++)
    input.grid[axis] = grid->grid[axis];
  if (wp_meetings_are_right (result))
    {
      input.find_meeting = wp_meetings_find;
      input.meets_by_warp = wp_meetings_are_by_warp (result);
    }
  if (result->steady)
    {
      input.steady = (WpCounts *const *)result->steady->pdata;
      input.steady_warps = (const guint64 *)(gpointer)result->steady_warps->data;
    }
  return wp_fold_make_kernel (&input, notes, error);
}

/* Of the blocks that were left out as many met. */
static void
note_meeting (IdgKernel *kernel, const WpExecResult *result, const WpCaches *caches)
{
  const WpMeeting meeting = wp_caches_get_meeting (caches);
  g_autofree gchar *place = NULL;

  if (kernel->counters == NULL || meeting.times == 0)
    return;
  place = wp_kernel_code_place (result->code, meeting.index);
  kernel->counters->met_at = g_intern_string (place);
  kernel->counters->met = (guint64)((gdouble)meeting.times * (gdouble)result->n_blocks
                                    / (gdouble)MAX (result->blocks, 1));
}

#define MUCH_LOST 0.25 /* of what L1 lacks: without it, that would be three quarters */

/* Whether what L1 has stays until a warp comes back for it depends on which others come meanwhile,
 * and hardware may well let some run ahead. */
static void
warn_of_lost (IdgKernel *kernel, const WpCaches *caches)
{
  const WpTraffic traffic = wp_caches_get_traffic (caches);
  const gdouble lost = (gdouble)traffic.lost / (gdouble)MAX (traffic.l1_sectors, 1);

  if (lost >= MUCH_LOST)
    idg_kernel_add_warning (
        kernel, "l1-order",
        "%.0f%% of the sectors that L1 lacks had been there, and made room before the same warp "
        "asked for them again, soon after: warps use more at a time than L1 holds. They are taken "
        "to come in turn, one access each; a GPU may let some run ahead and find more in L1, so "
        "that the time may be a fraction of this. Where neighbouring threads access neighbouring "
        "addresses, it does not depend on that",
        100 * lost);
}

/* Instructions for each asynchronous store to another block of a cluster, below which these are
 * not few: allocating tensor memory for two blocks takes one. */
#define MANY_SENT 256

/* How blocks wait for others at step INDEX of CODE, in words; NULL: they do not. Free with
 * g_free(). */
static gchar *
describe_poll (const WpKernelCode *code, WpPoll poll, guint32 index)
{
  g_autofree gchar *place = poll == WP_POLL_NONE ? NULL : wp_kernel_code_place (code, index);

  switch (poll)
    {
    case WP_POLL_STORE:
      return g_strdup_printf ("how long blocks wait for what others store (%s reads device memory "
                              "until it has changed)",
                              place);
    case WP_POLL_LOCK:
      return g_strdup_printf ("how long blocks wait for a lock (%s)", place);
    case WP_POLL_CLOCK:
    case WP_POLL_NONE:
    default:
      return NULL;
    }
}

/* A loop that waits for a time goes round as often as the clock of execution has it. */
static void
warn_of_clock (IdgKernel *kernel, const WpKernelCode *code, guint32 index)
{
  g_autofree gchar *place = wp_kernel_code_place (code, index);

  idg_kernel_add_warning (kernel, "trips-assumed",
                          "how often a loop runs depends on the clock (%s), which counts the "
                          "instructions of the warp here",
                          place);
}

/* Blocks that meet wait for the slowest one, which the simulation knows nothing of; nor does it of
 * how far away the shared memory of another block is, of blocks that wait until another of the
 * RESIDENT ones gives tensor memory back, nor of barriers in shared memory where KERNEL LACKS_WAITS
 * at these. */
static void
warn_of_waits (IdgKernel *kernel, const WpGrid *grid, const WpExecResult *result, guint resident,
               gboolean lacks_waits)
{
  g_autofree gchar *place = wp_kernel_code_place (result->code, grid->met_at), *text = NULL;
  guint32 index = 0;
  const WpPoll poll = wp_polls_find (result, &index);

  if (poll == WP_POLL_CLOCK)
    warn_of_clock (kernel, result->code, index);
  if (grid->has_met)
    text = g_strdup_printf ("waits of all blocks for one another (grid.sync() at %s)", place);
  else if ((guint)grid->tensor_columns * resident > WP_TENSOR_COLUMNS)
    text = g_strdup_printf ("waits for tensor memory (%u blocks are resident, and take %d columns "
                            "each of the %d of an SM)",
                            resident, grid->tensor_columns, WP_TENSOR_COLUMNS);
  else if (grid->reach.in_order || grid->reach.n_sent > result->instructions / MANY_SENT)
    {
      g_autofree gchar *reach = wp_kernel_code_place (result->code, grid->reach.at);

      text = g_strdup_printf ("that shared memory of other blocks of a cluster is farther away "
                              "than the block's own (accesses at %s, ...)",
                              reach);
    }
  else if (g_atomic_int_get (&grid->loses_copies))
    text = g_strdup ("bytes that blocks of a cluster copy to others, which copy little themselves");
  else if (grid->waits_for_columns)
    text = g_strdup ("waits for tensor memory (warps of a block take more columns than there are)");
  else if (result->n_blocks > 1 && grid->cluster_blocks == 1)
    text = describe_poll (result->code, poll, index);
  idg_kernel_add_execution_warnings (kernel, lacks_waits, text);
}

/* What is taken of the blocks of a cluster, which are simulated each for itself. */
static void
note_clusters (const WpExecuteOptions *options, const WpGrid *grid, const WpKernelCode *code,
               GPtrArray *notes)
{
  if (g_atomic_int_get (&grid->asks_for_work))
    g_ptr_array_add (
        notes, g_strdup_printf ("%s: who asks for the work of blocks that have not begun "
                                "(clusterlaunchcontrol) is told that there is none: all blocks "
                                "begin, and the question takes no time",
                                options->path));
  if (grid->cluster_blocks > 1 && code->has_pairs)
    g_ptr_array_add (
        notes, g_strdup_printf ("%s: where two blocks multiply together (cta_group::2), the second "
                                "one is simulated as if it did what the first one does: the "
                                "products of both are as long as that of one, on both SMs",
                                options->path));
  if (grid->cluster_blocks > 1)
    g_ptr_array_add (
        notes, g_strdup_printf (
                   "%s: the blocks of a cluster (%u x %u x %u) are taken to do the same at the "
                   "same time: who waits for all of them, or for what another one does or "
                   "copies for it, waits for what its own block does; the way to the others "
                   "is not in the times, nor that a cluster has to fit on SMs that are "
                   "neighbours",
                   options->path, grid->cluster[0], grid->cluster[1], grid->cluster[2]));
}

/* The blocks of RESULT that are resident on an SM at a time. */
static guint
count_together (const WpExecOptions *options, const WpExecResult *result)
{
  const guint64 blocks = (result->n_blocks + options->sms - 1) / MAX (options->sms, 1);

  return (guint)MIN (options->resident, blocks);
}

static void
say_all (const WpExecuteOptions *options, const GPtrArray *notes)
{
  for (guint k = 0; options->note && k < notes->len; k++)
    options->note (g_ptr_array_index (notes, k), options->data_of_functions);
}

/* A way that no thread would have gone with data that is known may well end in an error. */
static void
say_assumed (const GArray *assumed, const WpKernelCode *code, gpointer data)
{
  const Work *work = data;
  g_autoptr (GPtrArray) notes
      = wp_notes_describe_assumed (assumed, code, work->memory, work->options->path);

  say_all (work->options, notes);
}

static gboolean
check_branches (const WpBranches *branches, const WpExecuteOptions *options, GError **error)
{
  const gchar *unused = wp_branches_find_unused (branches);

  if (unused)
    g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
                 "%s: --branch %s: no branch that is executed is there; expected FILE:LINE of one, "
                 "or all=...",
                 options->path, unused);
  return unused == NULL;
}

static IdgKernel *
run (Work *work, const WpModule *module, const WpModuleLaunch *launch, WpGrid *grid,
     const IdgLaunch *resources, WpCaches *caches, GError **error)
{
  const WpExecuteOptions *options = work->options;
  WpExecOptions machine
      = { .sms = options->sms ? options->sms : (guint)options->gpu->sms,
          .caches = caches,
          .limit = options->limit,
          .threads = options->threads,
          .is_lean = !options->is_full,
          .keeps_memory = work->number + 1 < work->n || (options->dumps && *options->dumps),
          .cancel = options->cancel,
          .branch = find_side,
          .progress = show_progress,
          .failed = say_assumed,
          .data = work };
  g_autoptr (WpExecResult) result = NULL;
  g_autoptr (GPtrArray) notes = NULL;
  guint64 unwritten = wp_caches_count_unwritten (caches);
  gboolean has_meetings = FALSE;
  IdgKernel *kernel;

  if (!find_resident (options->gpu, resources, &machine.resident, error))
    return NULL;
  wp_caches_begin_launch (caches, (guint64)machine.resident * (guint64)resources->shared_memory);
  result = wp_exec_run (grid, module->cubin, (guint)launch->function, &machine, error);
  if (result == NULL || !check_branches (work->branches, options, error))
    return NULL;
  notes = wp_notes_describe (result, module->memory, options->path);
  kernel = fold (options, launch, grid, resources, result, caches, unwritten, &has_meetings, notes,
                 error);
  if (kernel)
    {
      warn_of_waits (kernel, grid, result, count_together (&machine, result),
                     result->waits.is_used && !has_meetings);
      wp_meetings_note (result, options->path, has_meetings, notes);
      wp_doubts_warn (kernel, result, module->memory);
      note_clusters (options, grid, result->code, notes);
      note_meeting (kernel, result, caches);
      warn_of_lost (kernel, caches);
    }
  say_all (options, notes);
  return kernel;
}

IdgKernel *
wp_execute_launch (const WpExecuteOptions *options, const WpModule *module, guint number,
                   WpCaches *caches, GError **error)
{
  const WpModuleLaunch *launch = &g_array_index (module->launches, WpModuleLaunch, number);
  const WpCubinFunction *function = g_ptr_array_index (module->cubin->functions, launch->function);
  g_autoptr (WpBranches) branches = wp_branches_new (options->branches, error);
  const guint sms = options->sms ? options->sms : (guint)options->gpu->sms;
  g_autoptr (WpGrid) grid = branches ? wp_grid_new (module, number, sms, error) : NULL;
  Work work = { options, module->memory, branches, number, module->launches->len };
  IdgLaunch resources = { .registers = function->registers };

  if (grid == NULL)
    return NULL;
  resources.blocks = (gint64)grid->grid[0] * grid->grid[1] * grid->grid[2];
  resources.threads = grid->threads;
  resources.shared_memory = function->shared_memory + launch->launch->dynamic_shared;
  return run (&work, module, launch, grid, &resources, caches, error);
}
