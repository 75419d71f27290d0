/* SPDX-License-Identifier: MIT */
/* Random sequences of instructions, as warps execute them that go through nested loops, with lanes
 * that come and go, become programs. Unrolled, a program is the sequence, and each of its instances
 * waits for the instructions that a second, literal computation finds: for each lane of each
 * register, the last one that wrote it. A dependence that only one of the two has is on an
 * instruction that an earlier one of the same op has waited for. The engine confirms it: runs with
 * and without repeats are equal.
 *
 * What it does not pin: how a line is read (accel.tap), and which of several ways to fold is found.
 */
#include "idg/import/accel/idg-accel.h"
#include "sim/engine/policy/wp-policy.h"
#include "sim/engine/wp-device.h"
#include "sim/gpu/wp-resolve.h"
#include "tests/check-main.h"

#include <string.h>

#define CASES 1500
#define MAX_STEPS 600
#define NOBODY G_MAXUINT

/* ---- Random sequences ---- */

typedef struct
{
  GRand *random;
  IdgAccelClasses classes;
  GArray *steps; /* of IdgFoldStep */
  guint64 pc;
  guint n_registers;
  gboolean lanes; /* come and go */
} Maker;

static guint
below (Maker *maker, guint n)
{
  return (guint)g_rand_int_range (maker->random, 0, (gint32)n);
}

/* The code is a tree of loops, so that running it needs no control flow. */
typedef struct
{
  GPtrArray *parts; /* of Part */
  guint rounds, depth;
  IdgAccelInstr instr; /* of a leaf */
  gchar opcode[24];
  gboolean varies; /* its context, from round to round */
} Part;

static void
free_part (gpointer data)
{
  Part *part = data;

  if (part->parts)
    g_ptr_array_unref (part->parts);
  g_free (part);
}

static Part *
make_leaf (Maker *maker, const gchar *opcode)
{
  Part *part = g_new0 (Part, 1);

  g_strlcpy (part->opcode, opcode, sizeof part->opcode);
  part->instr.pc = maker->pc;
  maker->pc += 16;
  return part;
}

static Part *
make_random_leaf (Maker *maker)
{
  static const gchar *const opcodes[]
      = { "FADD", "FFMA", "IADD3", "MOV", "LDG.E", "LDS.64", "STG.E", "IMAD.WIDE", "MUFU.RCP" };
  Part *part = make_leaf (
      maker, below (maker, 12) == 0 ? "BAR.SYNC" : opcodes[below (maker, G_N_ELEMENTS (opcodes))]);
  gboolean is_store = g_str_has_prefix (part->opcode, "ST");

  if (strcmp (part->opcode, "BAR.SYNC") == 0)
    return part;
  part->instr.n_dests = !is_store;
  part->instr.dests[0] = (guint16)below (maker, maker->n_registers);
  part->instr.n_sources = below (maker, 3);
  for (guint i = 0; i < part->instr.n_sources; i++)
    part->instr.sources[i] = (guint16)below (maker, maker->n_registers);
  part->varies = below (maker, 40) == 0;
  return part;
}

static Part *
make_loop (Maker *maker, guint depth)
{
  Part *part = g_new0 (Part, 1);
  guint n = 1 + below (maker, 5);

  part->parts = g_ptr_array_new_with_free_func (free_part);
  part->rounds = 1 + below (maker, 6);
  part->depth = depth;
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (part->parts, depth > 0 && below (maker, 3) == 0 ? make_loop (maker, depth - 1)
                                                                     : make_random_leaf (maker));
  g_ptr_array_add (part->parts, make_leaf (maker, "BRA"));
  return part;
}

static void
run_leaf (Maker *maker, const Part *part, guint32 mask)
{
  const IdgAccelOp *op = idg_accel_classes_find_op (&maker->classes, part->opcode);
  const gchar *context = part->varies && below (maker, 2) == 0 ? "sectors-8" : NULL;
  IdgFoldStep step = { .mask = mask };

  if (maker->lanes && below (maker, 6) == 0)
    step.mask &= below (maker, 3) == 0 ? 0xff : (guint32)below (maker, 0x7fffffff);
  if (step.mask == 0 || maker->steps->len >= MAX_STEPS)
    return;
  step.class = idg_accel_classes_find (&maker->classes, &part->instr, op, context, 1);
  g_array_append_val (maker->steps, step);
}

/* The last branch back of a loop falls through: it executes nothing, or says so. */
static void
run_loop (Maker *maker, const Part *part, guint32 mask)
{
  guint rounds = below (maker, 20) == 0 ? 1 + below (maker, 6) : part->rounds;

  for (guint round = 0; round < rounds; round++)
    for (guint i = 0; i < part->parts->len; i++)
      {
        const Part *inner = g_ptr_array_index (part->parts, i);

        if (inner->parts)
          run_loop (maker, inner, mask);
        else if (i + 1 < part->parts->len || round + 1 < rounds || part->depth == 1)
          run_leaf (maker, inner, mask);
      }
}

static void
make_steps (Maker *maker, guint32 seed)
{
  Part *part;

  maker->random = g_rand_new_with_seed (seed);
  idg_accel_classes_init (&maker->classes);
  maker->steps = g_array_new (FALSE, FALSE, sizeof (IdgFoldStep));
  maker->pc = 0;
  maker->n_registers = 2 + below (maker, 7);
  maker->lanes = below (maker, 3) == 0;
  part = make_loop (maker, 1 + below (maker, 3));
  run_loop (maker, part, G_MAXUINT32);
  free_part (part);
}

static void
clear_maker (Maker *maker)
{
  g_rand_free (maker->random);
  idg_accel_classes_clear (&maker->classes);
  g_array_unref (maker->steps);
}

static IdgProgram *
make_program (Maker *maker, gboolean fold, guint *n_nodes)
{
  g_autoptr (IdgFoldMaker) programs = idg_fold_maker_new (&maker->classes.fold);
  g_autoptr (GArray) code
      = idg_fold_maker_make (programs, (const IdgFoldStep *)(void *)maker->steps->data,
                             maker->steps->len, fold, IDG_FOLD_MAX_NODES, n_nodes);
  IdgProgram *program;

  ck_assert_ptr_nonnull (code);
  program = idg_fold_program_build (&maker->classes.fold, code, *n_nodes, NULL);
  ck_assert_ptr_nonnull (program);
  ck_assert_uint_eq (program->n_nodes, *n_nodes);
  return program;
}

/* ---- The same, literally ---- */

/* For each instance, what it waits for: bits by instance. */
typedef struct
{
  guint n;
  guint8 *waits; /* [n][n] */
} Waits;

static Waits
new_waits (guint n)
{
  return (Waits){ n, g_malloc0 ((gsize)n * n + 1) };
}

static Waits
get_traced (Maker *maker)
{
  Waits waits = new_waits (maker->steps->len);
  guint writer[16][IDG_LANES];
  guint branch = NOBODY;

  memset (writer, 0xff, sizeof writer);
  for (guint i = 0; i < waits.n; i++)
    {
      const IdgFoldStep *step = &g_array_index (maker->steps, IdgFoldStep, i);
      const IdgFoldClass *class = idg_fold_classes_get (&maker->classes.fold, step->class);
      const guint16 *registers = (const guint16 *)(void *)maker->classes.fold.registers->data;

      if (branch != NOBODY)
        waits.waits[i * waits.n + branch] = TRUE;
      branch = class->branches ? i : NOBODY;
      for (guint r = 0; r < class->n_reads; r++)
        for (guint lane = 0; lane < IDG_LANES; lane++)
          if ((step->mask >> lane & 1) && writer[registers[class->first_read + r]][lane] != NOBODY)
            waits.waits[i * waits.n + writer[registers[class->first_read + r]][lane]] = TRUE;
      for (guint w = 0; w < class->n_writes; w++)
        for (guint lane = 0; lane < IDG_LANES; lane++)
          if (step->mask >> lane & 1)
            writer[registers[class->first_write + w]][lane] = i;
    }
  return waits;
}

typedef struct
{
  const IdgProgram *program;
  Maker *maker;
  guint *recent; /* of nodes */
  guint n;       /* instances so far */
  Waits waits;
} Unrolling;

static void
unroll_node (Unrolling *u, guint32 i)
{
  const IdgNode *node = &u->program->nodes[i];
  const IdgFoldClass *class;

  ck_assert_uint_lt (u->n, u->maker->steps->len);
  class = idg_fold_classes_get (&u->maker->classes.fold,
                                g_array_index (u->maker->steps, IdgFoldStep, u->n).class);
  ck_assert_pstr_eq (node->op, class->op);
  ck_assert_pstr_eq (node->context, class->context);
  ck_assert_ptr_nonnull (strstr (node->text, class->opcode));
  for (guint32 j = 0; j < node->n_after; j++)
    if (u->recent[node->after[j]] != NOBODY)
      u->waits.waits[u->n * u->waits.n + u->recent[node->after[j]]] = TRUE;
  u->recent[i] = u->n++;
}

static void
unroll (Unrolling *u, guint32 first, guint32 end)
{
  for (guint32 i = first; i < end; i++)
    {
      const IdgNode *node = &u->program->nodes[i];

      if (node->kind != IDG_REPEAT)
        {
          unroll_node (u, i);
          continue;
        }
      for (guint32 round = 0; round < node->count; round++)
        unroll (u, i + 1, node->partner);
      i = node->partner;
    }
}

static Waits
get_unrolled (Maker *maker, const IdgProgram *program)
{
  Unrolling u = { .program = program, .maker = maker, .waits = new_waits (maker->steps->len) };

  u.recent = g_new (guint, program->n_nodes + 1);
  memset (u.recent, 0xff, sizeof *u.recent * (program->n_nodes + 1));
  unroll (&u, 0, program->n_nodes);
  ck_assert_uint_eq (u.n, maker->steps->len);
  g_free (u.recent);
  return u.waits;
}

static guint
get_op (Maker *maker, guint i)
{
  return idg_fold_classes_get (&maker->classes.fold,
                               g_array_index (maker->steps, IdgFoldStep, i).class)
      ->op_number;
}

static gboolean
was_waited_for (Maker *maker, const Waits *traced, guint i, guint producer)
{
  for (guint j = producer + 1; j < i; j++)
    if (traced->waits[j * traced->n + producer] && get_op (maker, j) == get_op (maker, i))
      return TRUE;
  return FALSE;
}

static guint
compare_waits (Maker *maker, const Waits *traced, const Waits *unrolled, guint32 seed)
{
  guint n_different = 0;

  for (guint i = 0; i < traced->n; i++)
    for (guint j = 0; j < i; j++)
      if (traced->waits[i * traced->n + j] != unrolled->waits[i * traced->n + j])
        {
          n_different++;
          ck_assert_msg (was_waited_for (maker, traced, i, j),
                         "seed %u: instance %u %s wait for %u", seed, i,
                         traced->waits[i * traced->n + j] ? "does not" : "must not", j);
        }
  return n_different;
}

typedef struct
{
  guint64 steps, nodes, folded, different;
} Tally;

static void
check_seed (guint32 seed, Tally *tally)
{
  Maker maker;
  guint n_plain, n_folded;
  Waits traced, unrolled, plain_waits;
  IdgProgram *plain, *folded;

  make_steps (&maker, seed);
  plain = make_program (&maker, FALSE, &n_plain);
  folded = make_program (&maker, TRUE, &n_folded);
  ck_assert_uint_eq (n_plain, maker.steps->len);
  traced = get_traced (&maker);
  plain_waits = get_unrolled (&maker, plain);
  ck_assert_uint_eq (compare_waits (&maker, &traced, &plain_waits, seed), 0);
  unrolled = get_unrolled (&maker, folded);
  tally->different += compare_waits (&maker, &traced, &unrolled, seed);
  tally->steps += n_plain;
  tally->nodes += n_folded;
  tally->folded += n_folded < n_plain;
  g_free (traced.waits);
  g_free (unrolled.waits);
  g_free (plain_waits.waits);
  idg_program_free (plain);
  idg_program_free (folded);
  clear_maker (&maker);
}

START_TEST (a_folded_program_waits_for_what_the_trace_reads)
{
  guint cases = check_get_cases (CASES);
  Tally tally = { 0 };

  for (guint32 seed = 0; seed < cases; seed++)
    check_seed (seed, &tally);
  /* Cases must have shown what this is about. */
  ck_assert_uint_ge (tally.folded, cases / 2);
  ck_assert_uint_lt (tally.nodes * 3, tally.steps * 2);
  ck_assert_uint_gt (tally.different, 0);
}
END_TEST

/* ---- The engine ---- */

static IdgKernel *
make_kernel (IdgProgram *program)
{
  IdgKernel *kernel = idg_kernel_new ("trace");

  kernel->nearest_ops = TRUE;
  kernel->launch.blocks = 3;
  kernel->launch.threads = 96;
  idg_kernel_add_program (kernel, program, NULL, NULL, NULL, 0);
  return kernel;
}

/* Time, and where it went. */
static void
run (const IdgKernel *kernel, const WpGpu *gpu, const gchar *policy, WpTick *elapsed,
     WpSum stalls[WP_N_STALLS])
{
  WpRunOptions options = WP_RUN_OPTIONS_INIT;
  g_autoptr (GError) error = NULL;
  g_autoptr (WpResolved) resolved = wp_resolve (kernel, gpu, &options, &error);
  const char *problem;
  WpDevice *device;

  ck_assert_msg (resolved != NULL, "%s", error ? error->message : "");
  device = wp_device_new (&resolved->machine, wp_policy_find (policy), NULL, 0, &problem);
  ck_assert_msg (device != NULL, "%s", problem);
  while (wp_device_run (device, 1 << 20) == WP_RUN_MORE)
    ;
  *elapsed = wp_device_get_result (device)->elapsed;
  memcpy (stalls, wp_device_get_result (device)->stalls, sizeof (WpSum) * WP_N_STALLS);
  wp_device_free (device);
}

static void
check_runs (guint32 seed, const WpGpu *gpu, const gchar *policy)
{
  Maker maker;
  guint n;
  WpTick elapsed[2];
  WpSum stalls[2][WP_N_STALLS];

  make_steps (&maker, seed);
  for (guint fold = 0; fold < 2; fold++)
    {
      g_autoptr (IdgKernel) kernel = make_kernel (make_program (&maker, fold, &n));

      run (kernel, gpu, policy, &elapsed[fold], stalls[fold]);
    }
  ck_assert_msg (elapsed[0] == elapsed[1], "seed %u, %s: another time", seed, policy);
  ck_assert_msg (memcmp (stalls[0], stalls[1], sizeof stalls[0]) == 0, "seed %u, %s: other stalls",
                 seed, policy);
  clear_maker (&maker);
}

START_TEST (a_folded_program_runs_as_the_plain_one)
{
  static const gchar *const gpus[] = { "gtx980", "gtx680", "v100", "8800gtx" };
  static const gchar *const policies[] = { "rr", "gto", "two-level", "oldest" };
  g_autofree gchar *path
      = g_strdup_printf ("%s/configs/%s.xml", g_getenv ("WARPIPE_DATA_DIR"), gpus[_i]);
  g_autofree gchar *folder = g_build_filename (g_getenv ("WARPIPE_DATA_DIR"), "configs", NULL);
  const gchar *search[] = { folder, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (WpGpu) gpu = wp_gpu_load (path, search, &error);

  ck_assert_msg (gpu != NULL, "%s", error ? error->message : "");
  for (guint32 seed = 0; seed < check_get_cases (CASES) / 10; seed++)
    check_runs (seed * 4 + (guint32)_i, gpu, policies[seed % G_N_ELEMENTS (policies)]);
}
END_TEST

/* ---- What folds ---- */

/* A step of OPCODE at PC that writes and reads registers (-1: none). */
static void
add_step (Maker *maker, guint64 pc, const gchar *opcode, gint dest, gint source, guint32 mask)
{
  IdgAccelInstr instr = { .pc = pc };
  IdgFoldStep step = { .mask = mask };

  instr.n_dests = dest >= 0;
  instr.dests[0] = (guint16)dest;
  instr.n_sources = source >= 0;
  instr.sources[0] = (guint16)source;
  step.class = idg_accel_classes_find (
      &maker->classes, &instr, idg_accel_classes_find_op (&maker->classes, opcode), NULL, 1);
  g_array_append_val (maker->steps, step);
}

static void
begin_steps (Maker *maker)
{
  make_steps (maker, 1);
  g_array_set_size (maker->steps, 0);
}

/* A sum over 100 rounds, restarted in each of 50 outer rounds; the branch of a last round executes
 * nothing. */
START_TEST (sums_in_nested_loops_fold)
{
  Maker maker;
  guint n;
  IdgProgram *program;

  begin_steps (&maker);
  for (guint outer = 0; outer < 50; outer++)
    {
      add_step (&maker, 0x00, "MOV", 0, -1, G_MAXUINT32);
      for (guint inner = 0; inner < 100; inner++)
        {
          add_step (&maker, 0x10, "LDG.E", 2, 4, G_MAXUINT32);
          add_step (&maker, 0x20, "FADD", 0, 2, G_MAXUINT32);
          if (inner < 99)
            add_step (&maker, 0x30, "BRA", -1, -1, G_MAXUINT32);
        }
      add_step (&maker, 0x40, "STG.E", -1, 0, G_MAXUINT32);
      if (outer < 49)
        add_step (&maker, 0x50, "BRA", -1, -1, G_MAXUINT32);
    }
  program = make_program (&maker, TRUE, &n);
  /* repeat 49 { mov, repeat 99 { ld, add, bra }, ld, add, st, bra }, and the last round without its
   * branch */
  ck_assert_uint_eq (n, 12 + 9);
  idg_program_free (program);
  clear_maker (&maker);
}
END_TEST

/* What a lane reads comes from two instructions when each wrote for some of the lanes. */
START_TEST (lanes_wait_for_what_they_read)
{
  Maker maker;
  guint n;
  IdgProgram *program;

  begin_steps (&maker);
  add_step (&maker, 0x00, "MOV", 0, -1, G_MAXUINT32);
  add_step (&maker, 0x10, "FADD", 0, -1, 0x0000ffff);
  add_step (&maker, 0x20, "STG.E", -1, 0, 0xffff0000);
  add_step (&maker, 0x30, "STG.E", -1, 0, 0x000000ff);
  add_step (&maker, 0x40, "STG.E", -1, 0, G_MAXUINT32);
  program = make_program (&maker, TRUE, &n);
  ck_assert_uint_eq (n, 5);
  ck_assert_uint_eq (program->nodes[2].n_after, 1);
  ck_assert_uint_eq (program->nodes[2].after[0], 0);
  ck_assert_uint_eq (program->nodes[3].n_after, 1);
  ck_assert_uint_eq (program->nodes[3].after[0], 1);
  ck_assert_uint_eq (program->nodes[4].n_after, 2);
  idg_program_free (program);
  clear_maker (&maker);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("accel");
  TCase *tcase = tcase_create ("programs");

  tcase_set_timeout (tcase, 600);
  tcase_add_test (tcase, a_folded_program_waits_for_what_the_trace_reads);
  tcase_add_loop_test (tcase, a_folded_program_runs_as_the_plain_one, 0, 4);
  tcase_add_test (tcase, sums_in_nested_loops_fold);
  tcase_add_test (tcase, lanes_wait_for_what_they_read);
  suite_add_tcase (suite, tcase);
  return suite;
}
