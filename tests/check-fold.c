/* SPDX-License-Identifier: MIT */
/* What warps executed becomes a kernel: hand-made code and trails, and the kernel's text that they
 * must make. Dependences follow the operands, loops are repeats, copies are waited for by group,
 * barriers keep their names, blocks that were not executed are as others. */
#include "exec/fold/wp-fold.h"
#include "tests/check-main.h"

#include <string.h>

#define ALL G_MAXUINT32
#define MAX_CODE 16

/* ---- Code by hand ---- */

typedef struct
{
  WpSassInstr instrs[MAX_CODE];
  guint n;
} Code;

static WpSassInstr *
add (Code *code, WpSassOp op)
{
  WpSassInstr *instr = &code->instrs[code->n++];

  *instr = (WpSassInstr){ .op = op, .guard = 7 };
  instr->control = (WpSassControl){ .stall = 2, .write_barrier = 7, .read_barrier = 7 };
  return instr;
}

static WpSassOperand *
add_operand (WpSassInstr *instr, WpSassOperandKind kind, guint number)
{
  WpSassOperand *operand = &instr->operands[instr->n_operands++];

  *operand = (WpSassOperand){
    .kind = (guint8)kind, .number = (guint8)number, .index = 255, .uniform = 255, .descriptor = 255
  };
  operand->n_registers = kind == WP_SASS_REGISTER && number != 255;
  return operand;
}

static void
add_dest (WpSassInstr *instr, guint number)
{
  add_operand (instr, WP_SASS_REGISTER, number)->is_dest = TRUE;
}

/* R<DEST> = R<X> + R<Y>. */
static void
add_sum (Code *code, guint dest, guint x, guint y)
{
  WpSassInstr *instr = add (code, WP_SASS_FADD);

  add_dest (instr, dest);
  add_operand (instr, WP_SASS_REGISTER, x);
  add_operand (instr, WP_SASS_REGISTER, y);
}

/* OP R<DATA>, [R<ADDRESS>.64] */
static WpSassInstr *
add_access (Code *code, WpSassOp op, guint data, guint address, gboolean is_load)
{
  WpSassInstr *instr = add (code, op);

  instr->words[instr->n_words++] = WP_WORD_E;
  if (is_load)
    add_dest (instr, data);
  add_operand (instr, WP_SASS_MEMORY, 0)->index = (guint8)address;
  instr->operands[instr->n_operands - 1].index_word = WP_WORD_64;
  if (!is_load)
    add_operand (instr, WP_SASS_REGISTER, data);
  return instr;
}

static void
add_branch (Code *code, guint guard, guint target)
{
  WpSassInstr *instr = add (code, WP_SASS_BRA);

  instr->guard = (guint8)guard;
  add_operand (instr, WP_SASS_TARGET, 0)->value = target * WP_SASS_BYTES;
}

/* P<DEST> = R<X> < R<Y> */
static void
add_compare (Code *code, guint dest, guint x, guint y)
{
  WpSassInstr *instr = add (code, WP_SASS_ISETP);

  add_operand (instr, WP_SASS_PREDICATE, dest)->is_dest = TRUE;
  add_operand (instr, WP_SASS_REGISTER, x);
  add_operand (instr, WP_SASS_REGISTER, y);
}

/* ---- Warps by hand ---- */

#define MAX_WARPS 8 /* of a block */

typedef struct
{
  WpTrailClasses *classes;
  WpTrailStore *store;
  WpTrail trails[MAX_WARPS], *trail; /* trail: of the warp that is next */
  guint warps;                       /* of a block */
  WpFoldInput input;
  GPtrArray *notes;
} Run;

static void
find_line (G_GNUC_UNUSED gpointer data, guint index, const gchar **file, guint *line)
{
  *file = "/home/me/k.cu";
  *line = 10 + index;
}

static void
begin (Run *run, const Code *code, guint blocks, guint warps, guint max)
{
  memset (run, 0, sizeof *run);
  run->classes = wp_trail_classes_new (code->n, warps, max);
  run->store = wp_trail_store_new ();
  run->notes = g_ptr_array_new_with_free_func (g_free);
  g_assert (warps <= MAX_WARPS);
  for (run->warps = 0; run->warps < warps; run->warps++)
    wp_trail_init (&run->trails[run->warps], run->store);
  run->trail = run->trails;
  run->input = (WpFoldInput){ .name = "k",
                              .file = "k.cu",
                              .instrs = code->instrs,
                              .n_instrs = code->n,
                              .find_line = find_line,
                              .grid = { blocks, 1, 1 },
                              .threads = 32 * warps,
                              .classes = run->classes };
}

static void
run_to (Run *run, guint32 first, guint32 last)
{
  for (guint32 i = first; i <= last; i++)
    wp_trail_add (run->trail, i, ALL);
}

/* Those of a block end one after the other, from 0 on. */
static void
end_warp (Run *run, guint64 block, guint32 warp)
{
  WpTrail *all[MAX_WARPS];
  guint32 numbers[MAX_WARPS];

  g_assert (run->trail == &run->trails[warp]);
  run->trail++;
  if (warp + 1 < run->warps)
    return;
  for (guint k = 0; k < run->warps; k++)
    all[k] = &run->trails[k];
  wp_trail_classes_add_block (run->classes, block, all, numbers);
  for (guint k = 0; k < run->warps; k++)
    wp_trail_restart (&run->trails[k], run->store);
  run->trail = run->trails;
}

static IdgKernel *
fold (Run *run)
{
  GError *error = NULL;
  IdgKernel *kernel;

  wp_trail_classes_finish (run->classes);
  kernel = wp_fold_make_kernel (&run->input, run->notes, &error);
  ck_assert_msg (kernel != NULL, "%s", error ? error->message : "");
  return kernel;
}

static void
clear (Run *run)
{
  for (guint k = 0; k < run->warps; k++)
    wp_trail_clear (&run->trails[k]);
  wp_trail_store_free (run->store);
  wp_trail_classes_free (run->classes);
  g_ptr_array_unref (run->notes);
}

/* Writes the nodes of program P of KERNEL, one a line: op, context, what it depends on. */
static gchar *
describe (const IdgKernel *kernel, guint p)
{
  const IdgKernelProgram *one = g_ptr_array_index (kernel->programs, p);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < one->program->n_nodes; i++)
    {
      const IdgNode *node = &one->program->nodes[i];

      if (node->kind == IDG_END)
        g_string_append (text, "end");
      else if (node->kind == IDG_REPEAT)
        g_string_append_printf (text, "%u times", node->count);
      else if (node->kind == IDG_INSTRUCTION)
        g_string_append (text, node->op);
      else
        g_string_append_printf (text, "%s %s %u", node->kind == IDG_BARRIER ? "barrier" : "arrive",
                                node->name ? node->name : "-", node->warps);
      if (node->context)
        g_string_append_printf (text, " (%s)", node->context);
      for (guint k = 0; k < node->n_after; k++)
        g_string_append_printf (text, node->distances[k] > 1 ? " %u:%u" : " %u", node->after[k],
                                node->distances[k]);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

static void
expect (const IdgKernel *kernel, guint p, const gchar *expected)
{
  g_autofree gchar *text = describe (kernel, p);

  ck_assert_msg (strcmp (text, expected) == 0, "\n%s\nin the place of\n%s", text, expected);
}

/* ---- Tests ---- */

START_TEST (a_loop_is_a_repeat_and_registers_are_dependences)
{
  Code code = { .n = 0 };
  Run run;
  g_autoptr (IdgKernel) kernel = NULL;
  const IdgKernelProgram *program;

  add_access (&code, WP_SASS_LDG, 10, 2, TRUE); /* 0 */
  add_access (&code, WP_SASS_LDG, 5, 10, TRUE); /* 1: the loop */
  add_sum (&code, 6, 6, 5);                     /* 2 */
  add_compare (&code, 0, 6, 7);                 /* 3 */
  add_branch (&code, 0, 1);                     /* 4 */
  add_access (&code, WP_SASS_STG, 6, 2, FALSE);
  add (&code, WP_SASS_EXIT);
  begin (&run, &code, 1, 1, 4);
  run_to (&run, 0, 4);
  for (guint i = 0; i < 8; i++)
    {
      wp_trail_cut (run.trail);
      run_to (&run, 1, 4);
    }
  wp_trail_cut (run.trail);
  run_to (&run, 1, 3);
  wp_trail_add (run.trail, 4, 0);
  run_to (&run, 5, 6);
  end_warp (&run, 0, 0);
  kernel = fold (&run);
  ck_assert_uint_eq (kernel->programs->len, 1);
  expect (kernel, 0,
          "ld.global.u32\n"
          "9 times\n"
          "ld.global.u32 0 5\n"
          "add.f32 2 3\n"
          "setp.s32 3\n"
          "bra 4\n"
          "end\n"
          "ld.global.u32 0 5\n"
          "add.f32 3 7\n"
          "setp.s32 8\n"
          "bra (not-taken) 9\n"
          "st.global.u32 8 10\n"
          "exit\n");
  program = g_ptr_array_index (kernel->programs, 0);
  ck_assert_str_eq (program->program->nodes[2].text, "k.cu:11: LDG.E R5, [R10.64]");
  clear (&run);
}
END_TEST

/* Two groups ahead: the wait of a round is for the copies of two rounds before. */
START_TEST (groups_of_copies_are_waited_for)
{
  Code code = { .n = 0 };
  Run run;
  g_autoptr (IdgKernel) kernel = NULL;
  WpSassInstr *wait;

  add_access (&code, WP_SASS_LDGSTS, 2, 4, FALSE); /* 0 */
  add (&code, WP_SASS_LDGDEPBAR);
  add_access (&code, WP_SASS_LDGSTS, 2, 4, FALSE); /* 2 */
  add (&code, WP_SASS_LDGDEPBAR);
  wait = add (&code, WP_SASS_DEPBAR); /* 4: the loop */
  wait->words[wait->n_words++] = WP_WORD_LE;
  add_operand (wait, WP_SASS_SCOREBOARD, 0);
  add_operand (wait, WP_SASS_IMMEDIATE, 0)->value = 1;
  add_access (&code, WP_SASS_LDGSTS, 2, 4, FALSE); /* 5 */
  add (&code, WP_SASS_LDGDEPBAR);
  add_branch (&code, 7, 4);
  begin (&run, &code, 1, 1, 4);
  run_to (&run, 0, 7);
  for (guint i = 0; i < 9; i++)
    {
      wp_trail_cut (run.trail);
      run_to (&run, 4, 7);
    }
  end_warp (&run, 0, 0);
  kernel = fold (&run);
  expect (kernel, 0,
          "cp.async.ca.shared.global.b32\n"
          "cp.async.commit_group\n"
          "cp.async.ca.shared.global.b32\n"
          "cp.async.commit_group\n"
          "10 times\n"
          "cp.async.wait_group 0 2 8 6:2\n"
          "cp.async.ca.shared.global.b32\n"
          "cp.async.commit_group\n"
          "bra\n"
          "end\n");
  clear (&run);
}
END_TEST

START_TEST (barriers_keep_their_names_and_warps)
{
  Code code = { .n = 0 };
  Run run;
  g_autoptr (IdgKernel) kernel = NULL;
  WpSassInstr *bar;

  bar = add (&code, WP_SASS_BAR);
  bar->words[bar->n_words++] = WP_WORD_SYNC;
  add_operand (bar, WP_SASS_IMMEDIATE, 0);
  bar = add (&code, WP_SASS_BAR);
  bar->words[bar->n_words++] = WP_WORD_ARV;
  add_operand (bar, WP_SASS_IMMEDIATE, 0)->value = 1;
  add_operand (bar, WP_SASS_IMMEDIATE, 0)->value = 64;
  bar = add (&code, WP_SASS_BAR);
  bar->words[bar->n_words++] = WP_WORD_SYNC;
  add_operand (bar, WP_SASS_IMMEDIATE, 0)->value = 1;
  add_operand (bar, WP_SASS_IMMEDIATE, 0)->value = 64;
  begin (&run, &code, 1, 4, 4);
  for (guint32 warp = 0; warp < 4; warp++)
    {
      run_to (&run, 0, 0);
      wp_trail_add (run.trail, warp < 2 ? 1 : 2, ALL);
      end_warp (&run, 0, warp);
    }
  kernel = fold (&run);
  ck_assert_uint_eq (kernel->programs->len, 2);
  expect (kernel, 0, "barrier - 0\narrive 1-64 0\n");
  expect (kernel, 1, "barrier - 0\nbarrier 1-64 2\n");
  clear (&run);
}
END_TEST

/* 10^6 blocks of a short kernel whose last warp does nothing. */
START_TEST (many_equal_blocks_are_a_small_kernel)
{
  Code code = { .n = 0 };
  Run run;
  g_autoptr (IdgKernel) kernel = NULL;
  g_autofree gchar *xml = NULL;
  guint blocks = 1000000 / check_get_stride ();

  add_access (&code, WP_SASS_LDG, 4, 2, TRUE);
  add_sum (&code, 4, 4, 4);
  add_access (&code, WP_SASS_STG, 4, 2, FALSE);
  add (&code, WP_SASS_EXIT);
  begin (&run, &code, blocks, 8, 256);
  for (guint block = 0; block < blocks; block++)
    for (guint32 warp = 0; warp < 8; warp++)
      {
        if (block == blocks - 1 && warp == 7)
          run_to (&run, 3, 3);
        else
          run_to (&run, 0, 3);
        end_warp (&run, block, warp);
      }
  kernel = fold (&run);
  xml = idg_kernel_to_xml (kernel, NULL);
  ck_assert_uint_lt (strlen (xml), 4000);
  ck_assert_int_eq (kernel->launch.blocks, blocks);
  ck_assert_uint_eq (run.notes->len, 0);
  clear (&run);
}
END_TEST

/* Of 100 blocks in rows of 10 the first 25 and the last are executed; the last of each row does
 * more. */
START_TEST (blocks_that_were_not_executed_are_as_others)
{
  Code code = { .n = 0 };
  Run run;
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (IdgAssignment) assignment = NULL;
  guint n = 0;

  add_sum (&code, 4, 4, 4);
  add_sum (&code, 4, 4, 4);
  add (&code, WP_SASS_EXIT);
  begin (&run, &code, 100, 1, 4);
  run.input.grid[0] = run.input.grid[1] = 10;
  for (guint block = 0; block < 100; block = block == 24 ? 99 : block + 1)
    {
      run_to (&run, block % 10 == 9 ? 0 : 1, 2);
      end_warp (&run, block, 0);
    }
  kernel = fold (&run);
  assignment = idg_kernel_assign (kernel, 100, 1, NULL);
  ck_assert_ptr_nonnull (assignment);
  for (guint i = 0; i < assignment->blocks->len; i++)
    n += g_array_index (assignment->blocks, IdgAssignedBlocks, i).first_block % 10 == 9;
  ck_assert_uint_eq (n, 10);
  ck_assert_uint_eq (run.notes->len, 0); /* who leaves blocks out says so */
  clear (&run);
}
END_TEST

/* Of 20 blocks the first 6 and the last are executed. The first 4 find L2 empty; the 2 after them,
 * which do not, stand for the 13 that are left out. */
START_TEST (blocks_that_were_not_executed_access_what_the_last_ones_did)
{
  Code code = { .n = 0 };
  Run run;
  WpAccess access = { .index = 0, .wavefronts = 1, .n_lines = 1 };
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (WpCounts) all = wp_counts_new ();
  g_autoptr (WpCounts) steady = wp_counts_new ();

  add_access (&code, WP_SASS_LDG, 4, 2, TRUE);
  add (&code, WP_SASS_EXIT);
  begin (&run, &code, 20, 1, 4);
  for (guint block = 0; block < 20; block = block == 5 ? 19 : block + 1)
    {
      run_to (&run, 0, 1);
      end_warp (&run, block, 0);
      wp_counts_add (all, &access, 4, 4, block < 4 ? 4 : 1);
    }
  wp_counts_add (steady, &access, 4, 4, 1);
  wp_counts_add (steady, &access, 4, 4, 1);
  run.input.counts = (WpCounts *const[]){ all };
  run.input.steady = (WpCounts *const[]){ steady };
  run.input.steady_warps = (const guint64[]){ 2 };
  run.input.wave = 2;
  kernel = fold (&run);
  expect (kernel, 0, "ld.global.u32 (access-1-4-1*4 access-1-4-4*1)\nexit\n");
  ck_assert_uint_eq (g_array_index (kernel->accesses, IdgLineAccesses, 0).accesses, 20);
  ck_assert_uint_eq (g_array_index (kernel->accesses, IdgLineAccesses, 0).l2_sectors, 16 + 16);
  clear (&run);
}
END_TEST

/* Loads count on scoreboard 1 and the sum waits for it; the second load of a round is counted, and
 * not waited for, before the next round. */
START_TEST (compilers_may_say_what_waits_for_what)
{
  Code code = { .n = 0 };
  Run run;
  g_autoptr (IdgKernel) kernel = NULL;
  const IdgKernelProgram *program;

  add_access (&code, WP_SASS_LDG, 4, 2, TRUE)->control.write_barrier = 1; /* 0 */
  add_sum (&code, 6, 4, 5);                                               /* 1: the loop */
  code.instrs[1].control.wait = 1 << 1;
  code.instrs[1].control.stall = 4;
  add_access (&code, WP_SASS_LDG, 4, 2, TRUE)->control.write_barrier = 1; /* 2 */
  add_branch (&code, 0, 1);                                               /* 3 */
  begin (&run, &code, 1, 1, 4);
  run_to (&run, 0, 3);
  for (guint i = 0; i < 5; i++)
    {
      wp_trail_cut (run.trail);
      run_to (&run, 1, 3);
    }
  end_warp (&run, 0, 0);
  run.input.compiler_waits = TRUE;
  kernel = fold (&run);
  expect (kernel, 0,
          "ld.global.u32\n"
          "6 times\n"
          "add.f32 0 3 4\n"
          "ld.global.u32\n"
          "bra\n"
          "end\n");
  program = g_ptr_array_index (kernel->programs, 0);
  ck_assert_uint_eq (program->program->nodes[2].stall, 4);
  clear (&run);
}
END_TEST

/* Warps that take one way or another in each of thousands of rounds, each as its data say. */
START_TEST (long_sequences_that_never_repeat_are_a_kernel)
{
  Code code = { .n = 0 };
  Run run;
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  guint64 executed = 0, kept = 0;
  guint nodes = 0, blocks = 64, rounds = 4000 / check_get_stride () + 400;

  for (guint i = 0; i < 12; i++)
    add_sum (&code, i, i, i + 1);
  add_branch (&code, 0, 1);
  begin (&run, &code, blocks, 8, 64);
  for (guint block = 0; block < blocks; block++)
    for (guint32 warp = 0; warp < 8; warp++)
      {
        run_to (&run, 0, 0);
        for (guint i = 0; i < rounds; i++)
          {
            guint way = (guint)g_rand_int_range (random, 1, 7);

            run_to (&run, way, 2 * way - 1);
            wp_trail_add (run.trail, 12, ALL);
            wp_trail_cut (run.trail);
            executed += way + 1;
          }
        executed++;
        end_warp (&run, block, warp);
      }
  kernel = fold (&run);
  ck_assert_uint_eq (run.notes->len, 1);
  for (guint p = 0; p < kernel->programs->len; p++)
    {
      const IdgKernelProgram *program = g_ptr_array_index (kernel->programs, p);
      guint64 n, warps = 0, in = 0;

      nodes += program->program->n_nodes;
      ck_assert_int_eq (idg_program_count_dynamic (program->program, &n), IDG_OK);
      for (guint i = 0; program->warps && i < program->warps->len; i++)
        warps += g_array_index (program->warps, IdgRange, i).last
                 - g_array_index (program->warps, IdgRange, i).first + 1;
      for (guint i = 0; program->blocks && i < program->blocks->len; i++)
        in += g_array_index (program->blocks, IdgRange, i).last
              - g_array_index (program->blocks, IdgRange, i).first + 1;
      kept += n * (program->warps ? warps : 8) * (program->blocks ? in : blocks);
    }
  ck_assert_uint_lt (nodes, 1 << 20);
  ck_assert_uint_lt (ABS ((gint64)kept - (gint64)executed), executed / 20);
  clear (&run);
}
END_TEST

/* Who waits may be at any of the barriers, and some nobody waits at. */
START_TEST (barriers_may_have_their_numbers_in_registers)
{
  Code code = { .n = 0 };
  Run run;
  g_autoptr (IdgKernel) kernel = NULL;
  WpSassInstr *bar;

  bar = add (&code, WP_SASS_BAR);
  bar->words[bar->n_words++] = WP_WORD_SYNC;
  add_operand (bar, WP_SASS_REGISTER, 5);
  add_operand (bar, WP_SASS_IMMEDIATE, 0)->value = 64;
  bar = add (&code, WP_SASS_BAR);
  bar->words[bar->n_words++] = WP_WORD_ARV;
  add_operand (bar, WP_SASS_IMMEDIATE, 0)->value = 3;
  add_operand (bar, WP_SASS_IMMEDIATE, 0)->value = 64;
  bar = add (&code, WP_SASS_BAR);
  bar->words[bar->n_words++] = WP_WORD_ARV;
  add_operand (bar, WP_SASS_IMMEDIATE, 0)->value = 4;
  add_operand (bar, WP_SASS_IMMEDIATE, 0)->value = 96;
  begin (&run, &code, 1, 2, 4);
  for (guint32 warp = 0; warp < 2; warp++)
    {
      wp_trail_add (run.trail, warp, ALL);
      wp_trail_add (run.trail, 2, ALL);
      end_warp (&run, 0, warp);
    }
  kernel = fold (&run);
  expect (kernel, 0, "barrier any 0\nnop\n");
  expect (kernel, 1, "arrive any 0\nnop\n");
  ck_assert_uint_eq (run.notes->len, 1);
  clear (&run);
}
END_TEST

/* ---- Code that does not fit ---- */

/* N sums that depend on nothing, in pieces of two. */
static void
add_pieces (Code *code, guint n)
{
  for (guint i = 0; i < n; i++)
    add_sum (code, i, 100, 101);
}

static IdgKernel *
fold_pieces (Run *run, guint pieces)
{
  run->input.code_piece = 2 * WP_SASS_BYTES;
  run->input.code_cache = pieces * run->input.code_piece;
  return fold (run);
}

/* Pieces 1 to 3 are asked for when the one before is begun; both warps run them, and share. */
START_TEST (straight_code_that_does_not_fit_is_fetched)
{
  Code code = { .n = 0 };
  Run run;
  g_autoptr (IdgKernel) kernel = NULL;

  add_pieces (&code, 8);
  begin (&run, &code, 3, 2, 4);
  for (guint i = 0; i < 6; i++)
    {
      run_to (&run, 0, 7);
      end_warp (&run, i / 2, i % 2);
    }
  kernel = fold_pieces (&run, 3);
  ck_assert_uint_eq (kernel->programs->len, 1);
  expect (kernel, 0,
          "fetch (bytes-16)\n"
          "add.f32\n"
          "add.f32\n"
          "fetch (bytes-16)\n"
          "add.f32 0\n"
          "add.f32 0\n"
          "fetch (bytes-16) 0\n"
          "add.f32 3\n"
          "add.f32 3\n"
          "add.f32 6\n"
          "add.f32 6\n");
  ck_assert_str_eq (
      ((IdgKernelProgram *)g_ptr_array_index (kernel->programs, 0))->program->nodes[3].text,
      "k.cu:14: code from 0x40 on");
  ck_assert_uint_eq (run.notes->len, 1);
  clear (&run);
}
END_TEST

START_TEST (code_that_fits_is_not_fetched)
{
  Code code = { .n = 0 };
  Run run;
  g_autoptr (IdgKernel) kernel = NULL;

  add_pieces (&code, 4);
  begin (&run, &code, 1, 1, 4);
  run_to (&run, 0, 3);
  end_warp (&run, 0, 0);
  kernel = fold_pieces (&run, 2);
  expect (kernel, 0, "add.f32\nadd.f32\nadd.f32\nadd.f32\n");
  ck_assert_uint_eq (run.notes->len, 0);
  clear (&run);
}
END_TEST

/* Instructions 2 to 5, two pieces, ten times. */
static void
run_loop (Run *run, Code *code)
{
  add_pieces (code, 5);
  add_branch (code, 7, 2);
  add_pieces (code, 4);
  begin (run, code, 1, 1, 4);
  run_to (run, 0, 5);
  for (guint i = 0; i < 9; i++)
    {
      wp_trail_cut (run->trail);
      run_to (run, 2, 5);
    }
  run_to (run, 6, 9);
  end_warp (run, 0, 0);
}

/* What a loop that fits lacks is fetched before it, in one go. */
START_TEST (a_loop_that_fits_is_fetched_once)
{
  Code code = { .n = 0 };
  Run run;
  g_autoptr (IdgKernel) kernel = NULL;

  run_loop (&run, &code);
  kernel = fold_pieces (&run, 2);
  expect (kernel, 0,
          "add.f32\n"
          "add.f32\n"
          "fetch (bytes-32)\n"
          "fetch (bytes-32)\n"
          "10 times\n"
          "add.f32 2 8\n"
          "add.f32 2\n"
          "add.f32 3\n"
          "bra 3\n"
          "end\n"
          "fetch (bytes-32) 3\n"
          "fetch (bytes-32) 3\n"
          "add.f32 8 10\n"
          "add.f32 10\n"
          "add.f32 11\n"
          "add.f32 11\n");
  clear (&run);
}
END_TEST

/* One piece is not enough for a loop of two: each round fetches both. */
START_TEST (a_loop_that_does_not_fit_is_fetched_in_each_round)
{
  Code code = { .n = 0 };
  Run run;
  g_autoptr (IdgKernel) kernel = NULL;

  run_loop (&run, &code);
  kernel = fold_pieces (&run, 1);
  expect (kernel, 0,
          "add.f32\n"
          "add.f32\n"
          "10 times\n"
          "fetch (bytes-32)\n"
          "fetch (bytes-32)\n"
          "add.f32 3 8\n"
          "add.f32 3\n"
          "add.f32 4\n"
          "bra 4\n"
          "end\n"
          "fetch (bytes-32) 4\n"
          "fetch (bytes-32) 4\n"
          "add.f32 8 10\n"
          "add.f32 10\n"
          "add.f32 11\n"
          "add.f32 11\n");
  clear (&run);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("fold");
  TCase *test = tcase_create ("kernels");

  tcase_set_timeout (test, 60);
  tcase_add_test (test, a_loop_is_a_repeat_and_registers_are_dependences);
  tcase_add_test (test, groups_of_copies_are_waited_for);
  tcase_add_test (test, compilers_may_say_what_waits_for_what);
  tcase_add_test (test, barriers_keep_their_names_and_warps);
  tcase_add_test (test, many_equal_blocks_are_a_small_kernel);
  tcase_add_test (test, blocks_that_were_not_executed_are_as_others);
  tcase_add_test (test, blocks_that_were_not_executed_access_what_the_last_ones_did);
  tcase_add_test (test, long_sequences_that_never_repeat_are_a_kernel);
  tcase_add_test (test, barriers_may_have_their_numbers_in_registers);
  tcase_add_test (test, straight_code_that_does_not_fit_is_fetched);
  tcase_add_test (test, code_that_fits_is_not_fetched);
  tcase_add_test (test, a_loop_that_fits_is_fetched_once);
  tcase_add_test (test, a_loop_that_does_not_fit_is_fetched_in_each_round);
  suite_add_tcase (suite, test);
  return suite;
}
