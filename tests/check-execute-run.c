/* SPDX-License-Identifier: MIT */
/* A launch as a whole: which blocks are executed where the limit allows few of them, what stands
 * for the others, that blocks take turns in their order, that it can be stopped, and that memory,
 * counts and notes are the same bytes with one thread and with four. */
#include "exec/machine/wp-kernel-build.h"
#include "exec/machine/wp-run.h"
#include "exec/wp-doubts.h"
#include "exec/wp-grid.h"
#include "exec/wp-module.h"
#include "exec/wp-polls.h"
#include "idg/kernel/idg-kernel.h"
#include "tests/check-main.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct
{
  WpModule *module;
  WpGrid *grid;
  WpCaches *caches;
  WpExecResult *result;
  GError *error;
} Launch;

#define SMS 4

/* Executes LAUNCH of the fixture FILE with OPTIONS; DATA is NULL-terminated. */
static Launch
run (const gchar *file, const gchar *launch, const gchar *const *data, WpExecOptions options)
{
  g_autofree gchar *path = g_build_filename (g_getenv ("abs_srcdir"), "tests", "cuda", "execute",
                                             "fixtures", file, NULL);
  const gchar *launches[] = { launch, NULL };
  WpGpu gpu
      = { .name = (gchar *)"test", .caches = { { 65536, 128, 32, 16 }, { 1 << 20, 128, 32, 16 } } };
  Launch run = { .error = NULL };
  WpCubin *cubin = wp_cubin_load (path, 80, NULL, &run.error);

  ck_assert_msg (cubin != NULL, "%s", run.error ? run.error->message : "");
  run.module = wp_module_new (cubin, launches, NULL, NULL, data, NULL, &run.error);
  ck_assert_msg (run.module != NULL, "%s", run.error ? run.error->message : "");
  run.grid = wp_grid_new (run.module, 0, SMS, &run.error);
  ck_assert_msg (run.grid != NULL, "%s", run.error ? run.error->message : "");
  options.sms = SMS;
  options.resident = 2;
  run.caches = options.caches = wp_caches_new (&gpu, SMS, NULL);
  run.result = wp_exec_run (run.grid, run.module->cubin,
                            (guint)g_array_index (run.module->launches, WpModuleLaunch, 0).function,
                            &options, &run.error);
  return run;
}

static void
clear (Launch *run)
{
  wp_exec_result_free (run->result);
  wp_grid_free (run->grid);
  wp_module_free (run->module);
  wp_caches_free (run->caches);
  g_clear_error (&run->error);
}

static gboolean
append (const gchar *bytes, gsize n, gpointer data, G_GNUC_UNUSED GError **error)
{
  g_byte_array_append (data, (const guint8 *)bytes, (guint)n);
  return TRUE;
}

/* What buffer NAME holds. */
static GByteArray *
dump (const Launch *run, const gchar *name)
{
  GByteArray *bytes = g_byte_array_new ();

  ck_assert (
      wp_buffer_dump (wp_memory_find (run->module->memory, name), append, bytes, NULL, NULL));
  return bytes;
}

/* All that RUN came to but its memory, as text. */
static gchar *
describe (const Launch *run)
{
  const WpExecResult *result = run->result;
  const GArray *blocks = wp_trail_classes_get_blocks (result->classes);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%" G_GUINT64_FORMAT " instructions, %u notes\n",
                          result->instructions, result->notes->len);
  for (guint i = 0; i < blocks->len; i++)
    g_string_append_printf (text, "%" G_GUINT64_FORMAT ":%u ",
                            g_array_index (blocks, WpTrailBlock, i).block,
                            g_array_index (blocks, WpTrailBlock, i).row);
  for (guint k = 0; k < result->counts->len; k++)
    {
      const WpCounts *counts = g_ptr_array_index (result->counts, k);
      g_autoptr (GArray) indices = wp_counts_get_indices (counts);

      for (guint i = 0; i < indices->len; i++)
        {
          guint32 index = g_array_index (indices, guint32, i);
          g_autofree gchar *context = wp_counts_get_context (counts, index);

          g_string_append_printf (text, "\n%u %u %s", k, index, context);
        }
    }
  return g_string_free (text, FALSE);
}

static void
expect_same (const gchar *file, const gchar *launch, const gchar *const *data, const gchar *name)
{
  Launch one = run (file, launch, data, (WpExecOptions){ .threads = 1 });
  Launch four = run (file, launch, data, (WpExecOptions){ .threads = 4 });
  g_autofree gchar *x = describe (&one), *y = describe (&four);
  g_autoptr (GByteArray) a = dump (&one, name), b = dump (&four, name);

  ck_assert_str_eq (x, y);
  ck_assert_uint_gt (a->len, 0);
  ck_assert_uint_eq (a->len, b->len);
  ck_assert_mem_eq (a->data, b->data, a->len);
  clear (&one);
  clear (&four);
}

START_TEST (results_do_not_depend_on_threads)
{
  const gchar *const matrices[] = { "A=f32:random:1", "B=f32:random:2", NULL };
  const gchar *const sums[]
      = { "IN=s32:random:3:-99:99", "F=f32:zeros", "D=f64:zeros", "H=u32:zeros", NULL };
  const gchar *const numbers[] = { "IN=s32:random:4", NULL };

  expect_same ("sgemm.sm_80.cubin", "sgemm_tiled<<<dim3(6,6), dim3(16,16)>>>(A, B, C, 96)",
               matrices, "C");
  expect_same ("atomics.sm_75.cubin", "atomics_float<<<30, 64>>>(IN, F, D, H)", sums, "F");
  expect_same ("cluster.sm_90.cubin", "cluster_swap<<<120, 128>>>(IN, OUT)", numbers, "OUT");
  expect_same ("cluster.sm_90.cubin", "cluster_send<<<44, 64>>>(IN, OUT, 100)", numbers, "OUT");
  expect_same ("indices.sm_80.cubin", "by_copy<<<300, 128>>>(ROWS, TABLE, OUT)", NULL, "OUT");
  expect_same ("indices.sm_80.cubin", "by_part_of_shuffle<<<300, 128>>>(ROWS, TABLE, OUT)", NULL,
               "OUT");
}
END_TEST

#define ROWS_OF_BLOCK 64
#define N_ROWS (200 * ROWS_OF_BLOCK)

/* The first element of each row of a sparse matrix, as a file: rows of some blocks take several
 * turns, in every other wave of blocks, and all others one. Free with g_free(). */
static gchar *
write_rows (void)
{
  g_autofree gint32 *rows = g_new0 (gint32, N_ROWS + 1);
  gchar *path = NULL;
  gint fd = g_file_open_tmp ("check-XXXXXX", &path, NULL);

  ck_assert_int_ge (fd, 0);
  for (guint k = 0; k < N_ROWS; k++)
    {
      const guint block = k / ROWS_OF_BLOCK, wave = block / (2 * SMS);

      rows[k + 1] = rows[k] + (wave % 2 == 0 && block % 7 < 4 ? 700 : 3 + (gint32)k % 5);
    }
  ck_assert (
      g_file_set_contents (path, (const gchar *)rows, (N_ROWS + 1) * (gssize)sizeof *rows, NULL));
  g_close (fd, NULL);
  return path;
}

START_TEST (blocks_that_took_several_turns_depend_on_no_thread)
{
  g_autofree gchar *path = write_rows (), *rows = g_strdup_printf ("ROWS=s32:file:%s", path);
  g_autofree gchar *launch = g_strdup_printf ("spmv_scalar<<<%u, %u>>>(ROWS, COLUMNS, VALUES, X, "
                                              "OUT, %u)",
                                              N_ROWS / ROWS_OF_BLOCK, ROWS_OF_BLOCK, N_ROWS);
  const gchar *const data[]
      = { rows, "COLUMNS=s32:random:7:0:99999", "VALUES=f32:random:8", "X=f32:random:9", NULL };

  expect_same ("graphs.sm_86.cubin", launch, data, "OUT");
  g_remove (path);
}
END_TEST

/* Each thread takes the next place: those of a block come after those of all blocks before it. */
START_TEST (blocks_take_turns_in_their_order)
{
  const gchar *const data[] = { "COUNT=u32:zeros", NULL };
  Launch all = run ("atomics.sm_75.cubin", "atomics_returned<<<8, 64>>>(SLOTS, COUNT)", data,
                    (WpExecOptions){ .threads = 4 });
  g_autoptr (GByteArray) bytes = dump (&all, "SLOTS");
  const guint32 *slots = (const guint32 *)(gconstpointer)bytes->data;

  ck_assert_uint_eq (bytes->len, 8 * 64 * sizeof *slots);
  for (guint i = 0; i < 8 * 64; i++)
    ck_assert_uint_eq (slots[i] / 64, i / 64);
  clear (&all);
}
END_TEST

/* Eight blocks are resident, and meet twelve times. How often blocks asked that waited is in no
 * trail, so that all execute the same; the last one has another guard hold. */
START_TEST (blocks_meet_at_a_barrier_of_the_grid)
{
  const gchar *file = "grid-sync.sm_100.cubin";
  const gchar *const numbers[] = { "B=f64:random:1", "DOTS=f64:zeros", NULL };
  const gchar *const zeros[] = { "IN=s32:iota", "OUT=s32:zeros", NULL };
  Launch all = run (file, "grid_rounds<<<8, 64>>>(IN, OUT, 12)", zeros, (WpExecOptions){ 0 });

  ck_assert_msg (all.result != NULL, "%s", all.error ? all.error->message : "");
  ck_assert (all.result->is_cooperative);
  ck_assert_uint_eq (all.result->instructions % 8, 0);
  ck_assert_uint_eq (wp_trail_classes_get_n (all.result->classes), 3);
  clear (&all);
  expect_same (file, "grid_gradient<<<8, 128>>>(B, X, R, P, AP, DOTS, 9000, 5)", numbers, "X");
  expect_same (file, "grid_uneven<<<8, 64>>>(IN, OUT, 99)", zeros, "OUT");
}
END_TEST

static void
expect_refused (const gchar *launch, guint64 limit, gint code, const gchar *text)
{
  const gchar *const data[] = { "OUT=s32:zeros", NULL };
  Launch one = run ("grid-sync.sm_100.cubin", launch, data, (WpExecOptions){ .limit = limit });

  ck_assert_ptr_null (one.result);
  ck_assert (g_error_matches (one.error, IDG_ERROR, code));
  ck_assert_msg (strstr (one.error->message, text) != NULL, "%s", one.error->message);
  clear (&one);
}

/* None is left out, where others are (the next tests). */
START_TEST (blocks_that_meet_are_executed_all_or_none)
{
  expect_refused ("grid_rounds<<<9, 64>>>(IN, OUT, 12)", 0, IDG_ERROR_FIT,
                  "of 9 blocks 8 can be resident at a time: 4 SMs with 2 each");
  expect_refused ("grid_rounds<<<8, 64>>>(IN, OUT, 12)", 1000, IDG_ERROR_VALUE,
                  "all warps of the grid, of which no block is left out");
  expect_refused ("grid_left<<<8, 64>>>(OUT)", 0, IDG_ERROR_VALUE,
                  "7 of 8 blocks wait for all others here");
}
END_TEST

/* A wave is 8 blocks of 4 SMs. Of 64 waves some are executed, and the last one; what stands for the
 * others are whole waves, by the warps of each class. */
START_TEST (beyond_the_limit_some_waves_are_executed)
{
  Launch some = run ("copy.sm_80.cubin", "saxpy<<<512, 256>>>(131072, 2.5f, X, Y)", NULL,
                     (WpExecOptions){ .threads = 2, .limit = 10000 });
  const GArray *blocks;
  guint64 n, warps = 0;

  ck_assert_ptr_nonnull (some.result);
  n = some.result->first_waves * 8;
  blocks = wp_trail_classes_get_blocks (some.result->classes);
  ck_assert_uint_ge (some.result->first_waves, 3);
  ck_assert_uint_eq (some.result->blocks, n + 8);
  ck_assert_uint_eq (blocks->len, n + 8);
  for (guint i = 0; i < blocks->len; i++)
    ck_assert_uint_eq (g_array_index (blocks, WpTrailBlock, i).block, i < n ? i : 512 - 8 + i - n);
  ck_assert_ptr_nonnull (some.result->steady);
  for (guint k = 0; k < some.result->steady_warps->len; k++)
    warps += g_array_index (some.result->steady_warps, guint64, k);
  ck_assert_uint_gt (warps, 0);
  ck_assert_uint_eq (warps % (8 * 8), 0);
  ck_assert_uint_lt (warps, n * 8);
  ck_assert (!some.result->is_part);
  clear (&some);
}
END_TEST

/* 8 blocks are resident, and the limit is what three of them execute. */
START_TEST (a_wave_beyond_the_limit_is_executed_in_part)
{
  const gchar *launch = "sgemm_tiled<<<dim3(6,6), dim3(16,16)>>>(A, B, C, 1024)";
  Launch all = run ("sgemm.sm_80.cubin", launch, NULL, (WpExecOptions){ .threads = 1 });
  guint64 block = all.result->instructions / 36;
  Launch part = run ("sgemm.sm_80.cubin", launch, NULL,
                     (WpExecOptions){ .threads = 2, .limit = 3 * block });

  ck_assert_uint_eq (all.result->blocks, 36);
  ck_assert_ptr_null (all.result->steady);
  ck_assert (part.result->is_part);
  ck_assert_uint_ge (part.result->blocks, 1);
  ck_assert_uint_le (part.result->blocks, 3);
  ck_assert_uint_eq (part.result->first_waves, 0);
  ck_assert_uint_eq (g_array_index (part.result->steady_warps, guint64, 0), 8 * 8);
  clear (&all);
  clear (&part);
}
END_TEST

static void
cancel (const WpExecProgress *progress, gpointer data)
{
  if (progress->blocks > 0)
    *(gint *)data = 1;
}

/* Who waits for a flag, a lock, his turn or a time, and loops that are like these: updates by
 * compare-and-swap, places that a counter gives, warps of one block that take turns, queues. */
START_TEST (loops_that_wait_for_other_blocks_are_known)
{
  static const struct
  {
    const gchar *file, *launch, *data;
    WpPoll poll;
  } cases[] = {
    { "order.sm_80.cubin", "spin_lock<<<6, 32>>>(LOCK, OUT)", "LOCK=zeros", WP_POLL_LOCK },
    { "order.sm_120.cubin", "spin_lock<<<6, 32>>>(LOCK, OUT)", "LOCK=zeros", WP_POLL_LOCK },
    { "order.sm_80.cubin", "lane_locks<<<2, 64>>>(LOCK, OUT)", "LOCK=zeros", WP_POLL_LOCK },
    { "order.sm_80.cubin", "volatile_flag<<<4, 32>>>(FLAG, OUT)", "FLAG=zeros", WP_POLL_STORE },
    { "order.sm_120.cubin", "volatile_flag<<<4, 32>>>(FLAG, OUT)", "FLAG=zeros", WP_POLL_STORE },
    { "order.sm_80.cubin", "grid_turns<<<8, 32>>>(TURN, OUT)", "TURN=zeros", WP_POLL_STORE },
    { "order.sm_120.cubin", "grid_turns<<<8, 32>>>(TURN, OUT)", "TURN=zeros", WP_POLL_STORE },
    { "order.sm_80.cubin", "ping_pong<<<1, 64>>>(OUT, 10)", NULL, WP_POLL_NONE },
    { "atomics.sm_75.cubin", "atomics_loop<<<3, 64>>>(IN, OUT)", "IN=f32:random", WP_POLL_NONE },
    { "atomics.sm_75.cubin", "atomics_returned<<<8, 64>>>(SLOTS, COUNT)", "COUNT=zeros",
      WP_POLL_NONE },
    { "async.sm_80.cubin", "async_polls<<<2, 64>>>(IN, OUT, 6)", NULL, WP_POLL_NONE },
    { "../../cubin/waits.sm_86.cubin", "delay<<<2, 32>>>(1000, OUT)", NULL, WP_POLL_CLOCK },
    { "../../cubin/waits.sm_86.cubin", "own_barrier<<<8, 32>>>(COME, OUT)", "COME=zeros",
      WP_POLL_STORE },
    { "../../cubin/waits.sm_86.cubin", "queue<<<2, 32>>>(IN, OUT, NEXT, 1000)", "NEXT=zeros",
      WP_POLL_NONE },
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      const gchar *const data[] = { cases[k].data, NULL };
      const gchar *const zeros[] = { "OUT=zeros", cases[k].data, NULL };
      Launch one = run (cases[k].file, cases[k].launch,
                        strstr (cases[k].launch, "OUT") ? zeros : data, (WpExecOptions){ 0 });
      guint32 index;

      ck_assert_msg (one.result != NULL, "%s", one.error ? one.error->message : "");
      ck_assert_msg (wp_polls_find (one.result, &index) == cases[k].poll, "%s", cases[k].launch);
      clear (&one);
    }
}
END_TEST

/* Each way out of the loop is a branch that depends on what nobody gave: no thread takes it. */
START_TEST (a_loop_that_only_unknown_data_would_end_is_an_error_soon)
{
  const gchar *const data[] = { "OUT=zeros", NULL };
  Launch one
      = run ("atomics.sm_75.cubin", "atomics_loop<<<3, 64>>>(IN, OUT)", data, (WpExecOptions){ 0 });

  ck_assert_ptr_null (one.result);
  ck_assert_msg (
      g_regex_match_simple ("^atomics.cu:(127|131|138): block .* all ways out of this loop "
                            "depend on .* --branch atomics.cu:(127|131|138)=taken$",
                            one.error->message, 0, 0),
      "%s", one.error->message);
  clear (&one);
}
END_TEST

START_TEST (an_execution_can_be_stopped)
{
  gint stop = 0;
  WpExecOptions options = { .threads = 2, .cancel = &stop, .progress = cancel, .data = &stop };
  Launch stopped
      = run ("copy.sm_80.cubin", "saxpy<<<512, 256>>>(131072, 2.5f, X, Y)", NULL, options);

  ck_assert_ptr_null (stopped.result);
  ck_assert (g_error_matches (stopped.error, G_FILE_ERROR, G_FILE_ERROR_INTR));
  clear (&stopped);
}
END_TEST

/* Steps of which nothing is left, steps that access memory without data, and all. */
static void
count_steps (const WpKernelCode *code, guint *n_left_out, guint *n_without, guint *n)
{
  *n_left_out = *n_without = 0;
  *n = code->n_steps;
  for (guint k = 0; k < code->n_steps; k++)
    {
      *n_left_out += code->steps[k].lean == NULL;
      *n_without += code->steps[k].lean != NULL && code->steps[k].lean != code->steps[k].run;
    }
}

static void
expect_lean (const gchar *file, const gchar *launch, const gchar *const *data)
{
  Launch full = run (file, launch, data, (WpExecOptions){ .threads = 2 });
  Launch lean = run (file, launch, data, (WpExecOptions){ .threads = 2, .is_lean = TRUE });
  g_autofree gchar *x = NULL, *y = NULL;
  guint n_left_out, n_without, n;

  ck_assert_msg (full.result != NULL, "%s", full.error ? full.error->message : "");
  ck_assert_msg (lean.result != NULL, "%s", lean.error ? lean.error->message : "");
  ck_assert (!full.result->code->is_lean);
  ck_assert_msg (lean.result->code->is_lean, "%s", launch);
  count_steps (lean.result->code, &n_left_out, &n_without, &n);
  ck_assert_uint_gt (n_left_out + n_without, 0);
  ck_assert_uint_lt (n_left_out, n);
  x = describe (&full);
  y = describe (&lean);
  ck_assert_str_eq (x, y);
  clear (&full);
  clear (&lean);
}

/* What decides where a warp goes, and what it accesses, is executed; whether data is known or not.
 */
START_TEST (data_that_decide_nothing_are_left_out)
{
  static const struct
  {
    const gchar *file, *launch, *data;
  } cases[] = {
    { "async.sm_80.cubin", "async_copy<<<3, 64>>>(IN, OUT, 700)", "IN=s32:random" },
    { "async.sm_80.cubin", "gemm_async<<<dim3(2, 2), 128>>>(A, B, C, 128)", "A=f32:random" },
    { "atomics.sm_75.cubin", "atomics_shared<<<2, 128>>>(IN, OUT)", "IN=s32:random:1:0:99" },
    { "copy.sm_75.cubin", "copy_shorts<<<3, dim3(32, 8)>>>(OUT, IN, 700)", "IN=u16:random" },
    { "cub.sm_86.cubin", "cub_reduce<<<3, 128>>>(IN, OUT)", "IN=s32:random" },
    { "mma.sm_80.cubin", "gemm_ldmatrix<<<dim3(2, 2), 128>>>(A, B, C, 64)", "A=f16:random" },
    { "reduce.sm_86.cubin", "reduce_tree<<<6, 256>>>(IN, OUT, 1400)", "IN=f32:random" },
    { "reduce.sm_89.cubin", "reduce_shuffle<<<5, 128>>>(IN, OUT, 600)", "IN=f32:random" },
    { "scan.sm_75.cubin", "scan_doubling<<<3, 256>>>(IN, OUT)", "IN=s32:random" },
    { "sgemm.sm_80.cubin", "sgemm_tiled<<<dim3(6,6), dim3(16,16)>>>(A, B, C, 96)", "A=f32:iota" },
    { "sgemm.sm_80.cubin", "sgemm_registers<<<dim3(2, 2), 256>>>(A, B, C, 256)", "B=f32:zeros" },
    { "stencil.sm_86.cubin", "median<<<dim3(3, 3), dim3(16, 16)>>>(IN, OUT, 40, 44)", NULL },
    { "stencil.sm_86.cubin", "stencil_3d<<<dim3(2, 3), dim3(16, 8)>>>(IN, OUT, 32, 24, 12)", NULL },
    { "transpose.sm_90.cubin", "transpose_bytes<<<dim3(3, 3), dim3(16, 16)>>>(IN, OUT, 40)", NULL },
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      const gchar *const known[] = { cases[k].data, NULL };

      expect_lean (cases[k].file, cases[k].launch, NULL);
      if (cases[k].data != NULL)
        expect_lean (cases[k].file, cases[k].launch, known);
    }
}
END_TEST

/* What memory holds in the end is as if all were executed, where somebody wants to know. */
START_TEST (what_memory_is_to_keep_is_computed)
{
  const gchar *const data[] = { "A=f32:random:1", "B=f32:random:2", NULL };
  const gchar *launch = "sgemm_tiled<<<dim3(6,6), dim3(16,16)>>>(A, B, C, 96)";
  Launch full = run ("sgemm.sm_80.cubin", launch, data, (WpExecOptions){ .threads = 2 });
  Launch lean = run ("sgemm.sm_80.cubin", launch, data,
                     (WpExecOptions){ .threads = 2, .is_lean = TRUE, .keeps_memory = TRUE });
  g_autoptr (GByteArray) a = dump (&full, "C"), b = dump (&lean, "C");

  ck_assert_uint_eq (a->len, 96 * 96 * 4);
  ck_assert_uint_eq (a->len, b->len);
  ck_assert_mem_eq (a->data, b->data, a->len);
  clear (&full);
  clear (&lean);
}
END_TEST

/* Adds N variables to CUBIN, each of which holds the address of the next one; returns the symbol of
 * the first. */
static guint
add_chain (WpCubin *cubin, guint n)
{
  const guint first = cubin->symbols->len;

  for (guint k = 0; k < n; k++)
    {
      WpCubinVariable *variable = g_new0 (WpCubinVariable, 1);
      WpCubinSymbol symbol = { g_strdup ("v"), -1, (gint)cubin->variables->len, 0 };
      WpCubinRelocation next = { 0, WP_CUBIN_R_64, first + k + 1, 0 };

      variable->relocations = g_array_new (FALSE, FALSE, sizeof next);
      if (k + 1 < n)
        g_array_append_val (variable->relocations, next);
      g_ptr_array_add (cubin->variables, variable);
      g_array_append_val (cubin->symbols, symbol);
    }
  return first;
}

/* As long as a file may have it, and longer than a stack is deep. */
START_TEST (variables_may_refer_to_one_another_in_a_chain)
{
  Launch one = run ("copy.sm_80.cubin", "saxpy<<<1, 32>>>(32, 2.5f, X, Y)", NULL,
                    (WpExecOptions){ .threads = 1 });
  WpCubin *cubin = one.module->cubin;
  guint number = (guint)g_array_index (one.module->launches, WpModuleLaunch, 0).function;
  WpCubinFunction *function = g_ptr_array_index (cubin->functions, number);
  WpCubinRelocation first = { 0, WP_CUBIN_R_64, add_chain (cubin, 300000), 0 };
  WpKernelCode *code;

  ck_assert_ptr_nonnull (one.result);
  g_array_append_val (function->relocations, first);
  code = wp_kernel_code_new (cubin, number, one.grid, &one.error);
  ck_assert_ptr_nonnull (code);
  wp_kernel_code_free (code);
  clear (&one);
}
END_TEST

/* The warnings of what LAUNCH of notes.cu assumes, with their texts' first words. */
static void
expect_doubts (const gchar *launch, const gchar *name, const gchar *text)
{
  Launch one = run ("notes.sm_80.cubin", launch, NULL, (WpExecOptions){ .threads = 1 });
  g_autoptr (IdgKernel) kernel = idg_kernel_new ("k");
  const IdgWarning *warning;

  ck_assert_msg (one.result != NULL, "%s", one.error ? one.error->message : "");
  wp_doubts_warn (kernel, one.result, one.module->memory);
  ck_assert_uint_eq (kernel->warnings->len, name != NULL);
  if (name != NULL)
    {
      warning = g_ptr_array_index (kernel->warnings, 0);
      ck_assert_str_eq (warning->name, name);
      ck_assert_msg (strstr (warning->text, text) != NULL, "%s", warning->text);
    }
  clear (&one);
}

START_TEST (unknown_data_that_decide_much_are_warned_of)
{
  expect_doubts ("unknown_trips<<<4, 64>>>(in, out, 200)", "trips-assumed",
                 "how often loops run depends on in, which nobody gave (notes.cu:83): no thread");
  expect_doubts ("unknown_branch<<<4, 64>>>(in, out, 200)", "branches-assumed",
                 "are executed, or others in their place, depends on in, which nobody gave (");
  expect_doubts ("unknown_address<<<4, 64>>>(in, table, out, 200)", "addresses-assumed",
                 "at addresses that depend on in, which nobody gave (notes.cu:");
}
END_TEST

START_TEST (unknown_data_that_decide_no_branch_are_not)
{
  expect_doubts ("unknown_dense<<<4, 64>>>(in, out, 200)", NULL, NULL);
  expect_doubts ("divergent<<<4, 64>>>(out)", NULL, NULL);
  expect_doubts ("unwritten<<<1, 64>>>(out)", NULL, NULL); /* it is 0 */
}
END_TEST

/* What all lanes have read from one place is one number: what it chooses is a row, somewhere. */
START_TEST (lanes_that_read_one_unknown_number_stay_together)
{
  Launch rows = run ("notes.sm_80.cubin", "unknown_rows<<<40, 64>>>(rows, table, out)", NULL,
                     (WpExecOptions){ 0 });
  guint n_accesses = 0;

  ck_assert_msg (rows.result != NULL, "%s", rows.error ? rows.error->message : "");
  for (guint k = 0; k < rows.result->counts->len; k++)
    {
      const WpCounts *counts = g_ptr_array_index (rows.result->counts, k);
      g_autoptr (GArray) indices = wp_counts_get_indices (counts);

      for (guint i = 0; i < indices->len; i++)
        {
          g_autofree gchar *context
              = wp_counts_get_context (counts, g_array_index (indices, guint32, i));

          ck_assert_msg (g_str_has_prefix (context, "access-1-"), "%s", context);
          n_accesses++;
        }
    }
  ck_assert_uint_gt (n_accesses, 2);
  clear (&rows);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("execute-run");
  TCase *test = tcase_create ("launches");

  tcase_set_timeout (test, 120);
  tcase_add_test (test, results_do_not_depend_on_threads);
  tcase_add_test (test, blocks_that_took_several_turns_depend_on_no_thread);
  tcase_add_test (test, blocks_take_turns_in_their_order);
  tcase_add_test (test, blocks_meet_at_a_barrier_of_the_grid);
  tcase_add_test (test, blocks_that_meet_are_executed_all_or_none);
  tcase_add_test (test, beyond_the_limit_some_waves_are_executed);
  tcase_add_test (test, a_wave_beyond_the_limit_is_executed_in_part);
  tcase_add_test (test, loops_that_wait_for_other_blocks_are_known);
  tcase_add_test (test, a_loop_that_only_unknown_data_would_end_is_an_error_soon);
  tcase_add_test (test, an_execution_can_be_stopped);
  tcase_add_test (test, unknown_data_that_decide_much_are_warned_of);
  tcase_add_test (test, unknown_data_that_decide_no_branch_are_not);
  tcase_add_test (test, lanes_that_read_one_unknown_number_stay_together);
  tcase_add_test (test, data_that_decide_nothing_are_left_out);
  tcase_add_test (test, what_memory_is_to_keep_is_computed);
  tcase_add_test (test, variables_may_refer_to_one_another_in_a_chain);
  suite_add_tcase (suite, test);
  return suite;
}
