/* SPDX-License-Identifier: MIT */
/* Which lanes execute what: programs written by hand, one instruction a line, on a block. Targets
 * of branches are numbers of lines. What was executed is seen in registers. */
#include "config.h"

#include "exec/machine/wp-block-run.h"
#include "exec/machine/wp-kernel-code.h"
#include "exec/machine/wp-leftovers.h"
#include "exec/machine/wp-workers.h"
#include "tests/execute-step.h"

#include <glib.h>

#include "tests/check-main.h"

#define MAX_LINES 64

typedef struct
{
  Bench bench;
  WpCubin cubin;
  WpCubinFunction function;
  WpKernelCode code;
  WpStep steps[MAX_LINES];
  WpSassInstr instrs[MAX_LINES];
  WpTrailStore *store;
  WpBlock *block;
} Machine;

/* "@!P0 BRA 7", "BSSY B0, 9", "BSYNC B0", and what bench_parse() takes. */
static void
parse_line (WpSassInstr *instr, const gchar *line)
{
  g_autofree gchar *text = g_strdup (line);
  const gchar *at = line;
  guint guard = WP_PT;
  gboolean not = FALSE;

  if (*at == '@')
    {
      not = at[1] == '!';
      at += 2 + not ;
      guard = atoi (at);
      at = strchr (at, ' ') + 1;
    }
  g_free (text);
  text = strchr (at, '=') ? g_strdup (at)
         : strchr (at, ' ')
             ? g_strdup_printf ("%.*s =%s", (int)strcspn (at, " "), at, strchr (at, ' '))
             : g_strdup_printf ("%s =", at);
  /* bench_parse() wants something before the =, which it takes as a destination. */
  memset (instr, 0, sizeof *instr);
  if (strchr (at, '='))
    bench_parse (instr, text);
  else
    {
      g_autofree gchar *padded = g_strdup_printf ("%.*s RZ =%s", (int)strcspn (at, " "), at,
                                                  strchr (at, ' ') ? strchr (at, ' ') : "");
      bench_parse (instr, padded);
      memmove (instr->operands, instr->operands + 1,
               (instr->n_operands - 1) * sizeof *instr->operands);
      instr->n_operands--;
    }
  instr->guard = guard;
  instr->guard_not = not ;
}

/* Numbers after a branch are lines; registers after BSSY, BSYNC, ... are barriers. */
static void
finish_line (WpSassInstr *instr)
{
  gboolean is_convergence
      = instr->op == WP_SASS_BSSY || instr->op == WP_SASS_BSYNC || instr->op == WP_SASS_BREAK;

  for (guint k = 0; k < instr->n_operands; k++)
    {
      WpSassOperand *operand = &instr->operands[k];
      if ((instr->op == WP_SASS_BRA || instr->op == WP_SASS_BSSY)
          && operand->kind == WP_SASS_IMMEDIATE)
        {
          operand->kind = WP_SASS_TARGET;
          operand->value *= WP_SASS_BYTES;
        }
      else if (is_convergence && operand->kind == WP_SASS_REGISTER)
        operand->kind = WP_SASS_CONVERGENCE;
    }
}

static void
prepare_line (Machine *machine, guint k)
{
  WpStep *step = &machine->steps[k];
  gchar *problem = NULL;
  guint32 index;

  ck_assert_msg (wp_step_prepare (&machine->bench.preparation, step, &machine->instrs[k], k,
                                  machine->function.address, k * WP_SASS_BYTES, &problem),
                 "%s", problem);
  if (step->is_control && step->mode[3] == WP_STEP_HAS_TARGET)
    {
      ck_assert (wp_kernel_code_find (&machine->code, step->value, &index));
      step->value = index;
    }
}

/* A block of THREADS, about to execute LINES. */
static void
begin (Machine *machine, guint threads, const gchar *const *lines)
{
  WpCodePart part = { .address = 0x100000 };
  guint n = 0;

  memset (machine, 0, sizeof *machine);
  bench_init (&machine->bench, 80);
  machine->function.address = part.address;
  machine->function.name = (gchar *)"hand";
  machine->function.lines = g_array_new (FALSE, FALSE, sizeof (WpCubinLine));
  machine->cubin.functions = g_ptr_array_new ();
  g_ptr_array_add (machine->cubin.functions, &machine->function);
  for (; lines[n]; n++)
    {
      parse_line (&machine->instrs[n], lines[n]);
      finish_line (&machine->instrs[n]);
    }
  part.n = n;
  machine->code = (WpKernelCode){ .cubin = &machine->cubin,
                                  .n_steps = n,
                                  .registers = 32,
                                  .uniforms = 32,
                                  .convergence = 16,
                                  .steps = machine->steps,
                                  .instrs = machine->instrs };
  machine->code.parts = g_array_new (FALSE, FALSE, sizeof part);
  g_array_append_val (machine->code.parts, part);
  for (guint k = 0; k < n; k++)
    prepare_line (machine, k);
  WpGrid *grid = &machine->bench.grid;
  grid->code = &machine->code;
  grid->block[0] = grid->threads = threads;
  grid->warps = (threads + WP_LANES - 1) / WP_LANES;
  grid->rows = WP_ROW_R0 + 32 + WP_ROW_SLACK;
  machine->store = wp_trail_store_new ();
  machine->block = wp_block_new (grid);
  wp_block_begin (machine->block, 0, 0, 0, machine->store);
}

static void
end (Machine *machine)
{
  wp_block_free (machine->block);
  wp_trail_store_free (machine->store);
  g_array_unref (machine->code.parts);
  g_array_unref (machine->function.lines);
  g_ptr_array_unref (machine->cubin.functions);
  bench_clear (&machine->bench);
}

/* Until all have ended. */
static void
run_all (Machine *machine)
{
  for (guint turn = 0; machine->block->is_busy; turn++)
    {
      ck_assert_uint_lt (turn, 100);
      wp_block_next_turn (machine->block);
      gboolean ran = wp_cluster_run (&machine->block, 1, 1000) == NULL;
      g_autofree gchar *text = wp_block_describe_failure (machine->block);
      ck_assert_msg (ran, "%s", text);
    }
}

#define ROW(machine, warp, number) ((machine).block->warps[warp]->r[wp_row_of (number)])

START_TEST (lanes_converge_where_bsync_says)
{
  static const gchar *const lines[] = { "S2R R1 = SR0",
                                        "LOP3.LUT R2 = R1, 0x1, RZ, 0xc0, !PT",
                                        "ISETP.NE.AND P0, PT = R2, RZ, PT",
                                        "BSSY B0, 9",
                                        "@P0 BRA 7",
                                        "VOTE.ANY R3, PT = PT", /* the even lanes */
                                        "BRA 8",
                                        "VOTE.ANY R3, PT = PT",
                                        "BSYNC B0",
                                        "VOTE.ANY R4, PT = PT", /* all again */
                                        "EXIT",
                                        NULL };
  Machine machine;

  begin (&machine, 64, lines);
  run_all (&machine);
  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      ck_assert_uint_eq (ROW (machine, 1, 3)[lane], lane & 1 ? 0xaaaaaaaa : 0x55555555);
      ck_assert_uint_eq (ROW (machine, 1, 4)[lane], 0xffffffff);
    }
  /* 5 before the paths, 2 and 1 in them, and BSYNC twice. */
  ck_assert_uint_eq (machine.block->warps[0]->n_executed, 5 + 2 + 1 + 2 + 2);
  end (&machine);
}
END_TEST

/* Each lane goes round as often as its number; BREAK and EXIT leave the barrier. */
START_TEST (those_who_leave_are_not_waited_for)
{
  static const gchar *const lines[] = { "S2R R1 = SR0",
                                        "BSSY B0, 9",
                                        "ISETP.GE.AND P0, PT = R2, R1, PT",
                                        "@P0 BRA 7",
                                        "IADD3 R2 = R2, 0x1, RZ",
                                        "ISETP.EQ.AND P1, PT = R2, 0x1e, PT",
                                        "@P1 EXIT",
                                        "@!P0 BRA 2",
                                        "BSYNC B0",
                                        "VOTE.ANY R4, PT = PT",
                                        "EXIT",
                                        NULL };
  Machine machine;

  begin (&machine, 32, lines);
  run_all (&machine);
  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      ck_assert_uint_eq (ROW (machine, 0, 2)[lane], MIN (lane, 30));
      /* Lanes 30 and 31 ended in the loop. */
      ck_assert_uint_eq (ROW (machine, 0, 4)[lane], lane < 30 ? 0x3fffffff : 0);
    }
  end (&machine);
}
END_TEST

/* Lane 0 waits at BSYNC for lanes that go round until it has set R3 of all by a shuffle of none:
 * they never change anything, so it goes on without them. */
START_TEST (a_lane_that_others_wait_for_goes_on)
{
  static const gchar *const lines[]
      = { "S2R R1 = SR0", "ISETP.EQ.AND P0, PT = R1, RZ, PT", "BSSY B0, 6", "@P0 BRA 5",
          "BRA 4", /* for ever */
          "BSYNC B0",     "IADD3 R5 = R5, 0x1, RZ",           "EXIT",       NULL };
  Machine machine;

  begin (&machine, 32, lines);
  for (guint turn = 0; turn < 4; turn++)
    {
      wp_block_next_turn (machine.block);
      ck_assert (wp_cluster_run (&machine.block, 1, 1000) == NULL);
    }
  ck_assert (machine.block->is_busy);
  ck_assert_uint_eq (ROW (machine, 0, 5)[0], 1);
  ck_assert_uint_eq (machine.block->warps[0]->exited, 1);
  end (&machine);
}
END_TEST

/* Lanes of three masks, as groups by label have. */
START_TEST (lanes_with_different_masks_sync_apart)
{
  static const gchar *const lines[]
      = { "WARPSYNC R1", "VOTE.ANY R2, PT = PT", "BSYNC B0", "VOTE.ANY R3, PT = PT", "EXIT", NULL };
  static const guint32 masks[] = { 0x49249249, 0x92492492, 0x24924924 };
  Machine machine;

  begin (&machine, 32, lines);
  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      ROW (machine, 0, 1)[lane] = masks[lane % 3];
      machine.block->warps[0]->barriers[0][lane] = WP_ALL_LANES;
    }
  run_all (&machine);
  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      ck_assert_uint_eq (ROW (machine, 0, 2)[lane], masks[lane % 3]);
      ck_assert_uint_eq (ROW (machine, 0, 3)[lane], WP_ALL_LANES);
    }
  end (&machine);
}
END_TEST

START_TEST (barriers_count_threads)
{
  static const gchar *const lines[] = { "S2R R1 = SR33",
                                        "ISETP.GE.AND P0, PT = R1, 0x60, PT",
                                        "@P0 EXIT", /* warp 3: nobody waits for it */
                                        "ISETP.GE.AND P1, PT = R1, 0x40, PT",
                                        "@P1 BAR.ARV 0x2, 0x60",
                                        "@P1 BRA 7",
                                        "BAR.SYNC 0x2, 0x60",
                                        "LOP3.LUT P2, RZ = R1, 0x3, RZ, 0xc0, !PT",
                                        "BAR.RED.POPC 0x0, P2",
                                        "B2R.RESULT R6 =",
                                        "BAR.RED.OR 0x1, P1",
                                        "B2R.RESULT RZ, P3 =",
                                        "BAR.RED.AND 0x0, P2",
                                        "B2R.RESULT RZ, P4 =",
                                        "EXIT",
                                        NULL };
  Machine machine;

  begin (&machine, 128, lines);
  run_all (&machine);
  for (guint warp = 0; warp < 3; warp++)
    {
      ck_assert_uint_eq (ROW (machine, warp, 6)[5], 72);
      ck_assert_uint_eq (machine.block->warps[warp]->p[3], 0xffffffff);
      ck_assert_uint_eq (machine.block->warps[warp]->p[4], 0);
    }
  end (&machine);
}
END_TEST

START_TEST (a_barrier_that_is_never_complete_is_an_error)
{
  static const gchar *const lines[] = { "S2R R1 = SR33", "ISETP.GE.AND P0, PT = R1, 0x20, PT",
                                        "@P0 EXIT",      "BAR.SYNC 0x3, 0x40",
                                        "EXIT",          NULL };
  Machine machine;

  begin (&machine, 64, lines);
  wp_block_next_turn (machine.block);
  ck_assert (wp_cluster_run (&machine.block, 1, 1000) == machine.block);
  g_autofree gchar *text = wp_block_describe_failure (machine.block);
  ck_assert_str_eq (text,
                    "hand+0x30: block (0, 0, 0), thread (0, 0, 0): no warp of the block can go "
                    "on: warp 0: lanes 0xffffffff wait at hand+0x30 for barrier 3; of 64 "
                    "threads 32 are there");
  end (&machine);
}
END_TEST

START_TEST (lanes_that_wait_for_each_other_are_an_error)
{
  static const gchar *const lines[] = { "S2R R1 = SR0",
                                        "ISETP.GE.AND P0, PT = R1, 0x10, PT",
                                        "BSSY B0, 6",
                                        "@P0 BRA 5",
                                        "WARPSYNC 0xffffffff",
                                        "BSYNC B0",
                                        "EXIT",
                                        NULL };
  Machine machine;

  begin (&machine, 32, lines);
  wp_block_next_turn (machine.block);
  ck_assert (wp_cluster_run (&machine.block, 1, 1000) == machine.block);
  g_autofree gchar *text = wp_block_describe_failure (machine.block);
  ck_assert_msg (strstr (text, "its lanes wait for each other: lanes 0xffff wait at hand+0x40 for "
                               "lanes 0xffff0000; lanes 0xffff0000 wait at hand+0x50 for lanes "
                               "0xffff"),
                 "%s", text);
  end (&machine);
}
END_TEST

/* An unknown branch is taken by none of its lanes, and noted; what an unknown guard lets through is
 * unknown. */
START_TEST (an_unknown_guard_takes_no_branch)
{
  static const gchar *const lines[] = { "ISETP.NE.AND P0, PT = R1, RZ, PT",
                                        "@P0 BRA 3",
                                        "MOV R2 = 0x5",
                                        "@P0 MOV R3 = 0x6",
                                        "EXIT",
                                        NULL };
  Machine machine;

  begin (&machine, 32, lines);
  ROW (machine, 0, 1)[1] = 1;
  machine.block->warps[0]->r_unknown[wp_row_of (1)] = 1;
  machine.block->warps[0]->r_tag[wp_row_of (1)] = WP_TAG (9, 0);
  run_all (&machine);
  ck_assert_uint_eq (ROW (machine, 0, 2)[0], 5); /* unknown: goes on */
  ck_assert_uint_eq (ROW (machine, 0, 2)[1], 0); /* jumped */
  ck_assert_uint_eq (ROW (machine, 0, 2)[2], 5);
  ck_assert_uint_eq (ROW (machine, 0, 3)[1], 6);
  ck_assert_uint_eq (machine.block->warps[0]->r_unknown[wp_row_of (3)], 1);
  ck_assert_ptr_nonnull (machine.block->notes);
  ck_assert_uint_eq (machine.block->notes->len, 1);
  const WpMachineNote *note = &g_array_index (machine.block->notes, WpMachineNote, 0);
  ck_assert_uint_eq (note->index, 1);
  ck_assert_uint_eq (note->kind, WP_NOTE_BRANCH);
  ck_assert_uint_eq (WP_TAG_SOURCE (note->tag), 9);
  end (&machine);
}
END_TEST

/* What the upper half of R17 held before matters only where somebody looks at it. */
START_TEST (what_is_left_over_of_a_register_matters_where_it_is_read)
{
  const gchar *lines[] = { "MOV R12 = 0xf5",
                           "PRMT R17 = R12, 0x7610, R17",
                           "LOP3.LUT R2 = R17, 0xffff, RZ, 0xc0, !PT",
                           NULL,
                           "EXIT",
                           NULL };
  const gchar *const last[] = { "MOV R3 = R12", "MOV R3 = R17" };

  for (guint is_read = 0; is_read < 2; is_read++)
    {
      Machine machine;

      lines[3] = last[is_read];
      begin (&machine, 32, lines);
      wp_leftovers_drop (&machine.code);
      machine.block->warps[0]->r_unknown[wp_row_of (17)] = WP_ALL_LANES;
      run_all (&machine);
      ck_assert_uint_eq (machine.block->warps[0]->r_unknown[wp_row_of (2)],
                         is_read ? WP_ALL_LANES : 0);
      if (!is_read)
        ck_assert_uint_eq (ROW (machine, 0, 2)[7], 0xf5);
      end (&machine);
    }
}
END_TEST

/* Launches that depend on one another run one after the other, so both are done at once; a thread
 * that a guard keeps from them does not miss them. */
START_TEST (dependent_launches_are_not_waited_for)
{
  static const gchar *const lines[] = {
    "ISETP.NE.AND P0, PT = R1, RZ, PT", "@P0 PREEXIT", "ACQBULK", "MOV R2 = 0x5", "EXIT", NULL
  };
  Machine machine;

  begin (&machine, 64, lines);
  ROW (machine, 0, 1)[1] = 1;
  run_all (&machine);
  for (guint warp = 0; warp < 2; warp++)
    for (guint lane = 0; lane < WP_LANES; lane++)
      ck_assert_uint_eq (ROW (machine, warp, 2)[lane], 5);
  ck_assert_ptr_null (machine.block->notes);
  end (&machine);
}
END_TEST

/* Compilers make a return address from it: LEPC R2; MOV R11, where; MOV R20, here. */
START_TEST (lepc_is_its_own_address)
{
  static const gchar *const lines[] = { "NOP", "LEPC R4:2 =", "EXIT", NULL };
  Machine machine;

  begin (&machine, 32, lines);
  run_all (&machine);
  ck_assert_uint_eq (ROW (machine, 0, 4)[7], 0x100010);
  ck_assert_uint_eq (ROW (machine, 0, 5)[7], 0);
  end (&machine);
}
END_TEST

/* Which blocks a thread executes, and in which order, is chance. How often something was assumed is
 * of the block that runs alone. */
START_TEST (a_note_is_of_the_first_block)
{
  static const guint64 blocks[] = { 5, 1, 3, 1 };
  const gchar *lines[] = { "EXIT", NULL };
  Machine machine;

  begin (&machine, 32, lines);
  for (guint k = 0; k < G_N_ELEMENTS (blocks); k++)
    {
      wp_block_begin (machine.block, 0, 0, blocks[k], machine.store);
      for (guint times = 0; times < 3; times++)
        wp_warp_note (machine.block->warps[0], machine.steps, WP_NOTE_BRANCH, WP_TAG (10 + k, 0));
    }
  ck_assert_uint_eq (machine.block->notes->len, 1);
  ck_assert_uint_eq (g_array_index (machine.block->notes, WpMachineNote, 0).block, 1);
  ck_assert_uint_eq (g_array_index (machine.block->notes, WpMachineNote, 0).tag, WP_TAG (11, 0));
  ck_assert_uint_eq (g_array_index (machine.block->notes, WpMachineNote, 0).times, 3);
  end (&machine);
}
END_TEST

static void
count_one (guint element, G_GNUC_UNUSED guint worker, gpointer data)
{
  g_atomic_int_add (&((gint *)data)[element % 7], (gint)element);
}

START_TEST (workers_take_each_element_once)
{
  for (guint threads = 1; threads <= 4; threads++)
    {
      g_autoptr (WpWorkers) workers = wp_workers_new (threads);
      for (guint round = 0; round < 50; round++)
        {
          gint sums[7] = { 0 }, all = 0;
          wp_workers_run (workers, 100, count_one, sums);
          for (guint k = 0; k < 7; k++)
            all += sums[k];
          ck_assert_int_eq (all, 4950);
        }
    }
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("execute-warp");
  TCase *cases = tcase_create ("warps");

  tcase_add_test (cases, lanes_converge_where_bsync_says);
  tcase_add_test (cases, those_who_leave_are_not_waited_for);
  tcase_add_test (cases, a_lane_that_others_wait_for_goes_on);
  tcase_add_test (cases, lanes_with_different_masks_sync_apart);
  tcase_add_test (cases, barriers_count_threads);
  tcase_add_test (cases, a_barrier_that_is_never_complete_is_an_error);
  tcase_add_test (cases, lanes_that_wait_for_each_other_are_an_error);
  tcase_add_test (cases, an_unknown_guard_takes_no_branch);
  tcase_add_test (cases, what_is_left_over_of_a_register_matters_where_it_is_read);
  tcase_add_test (cases, dependent_launches_are_not_waited_for);
  tcase_add_test (cases, lepc_is_its_own_address);
  tcase_add_test (cases, a_note_is_of_the_first_block);
  tcase_add_test (cases, workers_take_each_element_once);
  suite_add_tcase (suite, cases);
  return suite;
}
