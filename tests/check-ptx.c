/* SPDX-License-Identifier: MIT */
/* PTX: what each instruction reads and writes, scopes, calls, loops that count themselves, what a
 * module says of the launch. Kernels of nvcc's own are in tests/cuda (cuda.tap); wrong ones in
 * tests/bad. */
#include <glib/gstdio.h>
#include <string.h>

#include "idg/import/ops/idg-ops.h"
#include "idg/import/ptx/idg-ptx.h"
#include "tests/check-main.h"

#define HEADER ".version 7.0\n.target sm_70\n.address_size 64\n"

/* The import of TEXT, with the notes in *NOTES (may be NULL) instead of none. */
static IdgKernel *
parse_noted (const gchar *text, const gchar *entry, gchar **notes)
{
  g_autoptr (IdgImport) import = idg_import_new ();
  g_autoptr (GError) error = NULL;
  IdgKernel *kernel;

  import->entry = g_strdup (entry);
  import->blocks = 1;
  import->threads = notes ? -1 : 64;
  kernel = idg_ptx_parse (text, strlen (text), "k.ptx", import, &error);
  ck_assert_msg (kernel != NULL, "%s", error ? error->message : "");
  g_ptr_array_add (import->notes, NULL);
  if (notes)
    *notes = g_strjoinv ("\n", (gchar **)import->notes->pdata);
  else
    ck_assert_msg (import->notes->len == 1, "%s", (gchar *)import->notes->pdata[0]);
  return kernel;
}

/* A kernel of the statements BODY, with registers of each kind and a parameter. */
static gchar *
make_text (const gchar *before, const gchar *body)
{
  return g_strconcat (HEADER, before,
                      ".visible .entry k (.param .u64 k_param_0) {\n"
                      ".reg .pred %p<9>; .reg .b32 %r<30>; .reg .f32 %f<30>; .reg .b64 %rd<9>;\n",
                      body, "ret;\n}\n", NULL);
}

static const IdgProgram *
get_program (const IdgKernel *kernel)
{
  return ((const IdgKernelProgram *)g_ptr_array_index (kernel->programs, 0))->program;
}

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  return (*(const guint32 *)a > *(const guint32 *)b) - (*(const guint32 *)a < *(const guint32 *)b);
}

/* "op<-3,5:2 op op": all that PROGRAM has, with the nodes that each depends on, and how many
 * instances ago; x16( and ) around a repeat, | a barrier, |1-64/2 one of its own for 2 warps,
 * >1-64 what arrives there. */
static gchar *
describe (const IdgProgram *program)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < program->n_nodes; i++)
    {
      const IdgNode *node = &program->nodes[i];
      g_autofree guint32 *after = g_new (guint32, node->n_after + 1);

      g_string_append (text, i > 0 ? " " : "");
      if (node->kind == IDG_REPEAT)
        g_string_append_printf (text, "x%u(", node->count);
      else
        g_string_append (text, node->kind == IDG_END       ? ")"
                               : node->kind == IDG_BARRIER ? "|"
                               : node->kind == IDG_ARRIVE  ? ">"
                                                           : node->op);
      if (node->name != NULL)
        g_string_append (text, node->name);
      if (node->warps > 0)
        g_string_append_printf (text, "/%u", node->warps);
      for (guint j = 0; j < node->n_after; j++)
        after[j] = node->after[j] << 8 | node->distances[j];
      qsort (after, node->n_after, sizeof *after, compare_numbers);
      for (guint j = 0; j < node->n_after; j++)
        {
          g_string_append_printf (text, "%s%u", j > 0 ? "," : "<-", after[j] >> 8);
          if ((after[j] & 255) > 1)
            g_string_append_printf (text, ":%u", after[j] & 255);
        }
    }
  return g_string_free (text, FALSE);
}

static void
expect_module (const gchar *before, const gchar *body, const gchar *expected)
{
  g_autofree gchar *text = make_text (before, body);
  g_autoptr (IdgKernel) kernel = parse_noted (text, NULL, NULL);
  g_autofree gchar *described = describe (get_program (kernel));

  ck_assert_str_eq (described, expected);
}

static void
expect (const gchar *body, const gchar *expected)
{
  expect_module ("", body, expected);
}

static void
refuse (const gchar *before, const gchar *body, const gchar *message)
{
  g_autofree gchar *text = make_text (before, body);
  g_autoptr (IdgImport) import = idg_import_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (IdgKernel) kernel = idg_ptx_parse (text, strlen (text), "k.ptx", import, &error);

  ck_assert_ptr_null (kernel);
  ck_assert_ptr_nonnull (error);
  ck_assert_str_eq (error->message, message);
}

/* Opcodes. */

START_TEST (each_opcode_that_real_code_has_is_known)
{
  g_autofree gchar *path
      = g_build_filename (g_getenv ("abs_srcdir") ? g_getenv ("abs_srcdir") : ".", "tests", "cuda",
                          "opcodes.txt", NULL);
  g_autofree gchar *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  ck_assert (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (gchar **line = lines; *line && **line != '\0'; line++, n++)
    {
      gboolean known = FALSE;

      g_free (idg_ops_canonize_ptx (*line, &known));
      ck_assert_msg (known, "%s is not in the table of names", *line);
      ck_assert_msg (idg_ptx_opcode_find (*line) != NULL, "%s is not in the table of opcodes",
                     *line);
    }
  ck_assert_uint_gt (n, 2500);
}
END_TEST

START_TEST (the_longest_row_that_fits_an_opcode_is_its_own)
{
  ck_assert_str_eq (idg_ptx_opcode_find ("bar.red.popc.u32")->name, "bar.red");
  ck_assert_str_eq (idg_ptx_opcode_find ("barrier.cta.sync.aligned")->name, "barrier.cta.sync");
  ck_assert_str_eq (idg_ptx_opcode_find ("mbarrier.init.shared.b64")->name, "mbarrier");
  ck_assert_str_eq (idg_ptx_opcode_find ("add")->name, "add");
  ck_assert_ptr_null (idg_ptx_opcode_find ("addition.f32"));
  ck_assert_ptr_null (idg_ptx_opcode_find ("ad.f32"));
  ck_assert_ptr_null (idg_ptx_opcode_find (""));
}
END_TEST

START_TEST (a_type_is_the_last_one_of_an_opcode)
{
  guint bytes = 0;

  ck_assert_str_eq (idg_ptx_get_type ("ld.param.v2.f64", &bytes), "f64");
  ck_assert_uint_eq (bytes, 8);
  ck_assert_str_eq (idg_ptx_get_type ("cvt.rn.f16x2.f32", &bytes), "f32");
  ck_assert_ptr_null (idg_ptx_get_type ("bar.sync", &bytes));
}
END_TEST

/* What is read and written. */

START_TEST (the_first_operand_is_written_and_the_others_are_read)
{
  expect ("mov.u32 %r1, 1; mov.u32 %r2, %tid.x; add.s32 %r3, %r1, %r2; st.global.u32 [%rd1], %r3;\n"
          "atom.global.add.u32 %r4, [%rd1], %r3; red.global.add.u32 [%rd1], %r4;\n",
          "mov.u32 mov.u32 add.s32<-0,1 st.global.u32<-2 atom.global.add.u32<-2 "
          "red.global.add.u32<-4 ret");
}
END_TEST

START_TEST (an_address_is_read_wherever_it_stands)
{
  expect ("mov.u64 %rd1, 1; mov.u64 %rd2, 2; ld.global.u32 %r1, [%rd1+-4]; mov.u32 %r2, 3;\n"
          "st.global.v2.u32 [%rd2+8], {%r1, %r2}; ld.global.v4.f32 {%f1,%f2,_,%f4}, [%rd1];\n"
          "fma.rn.f32 %f5, %f1, %f4, %f2; prefetch.global.L2 [%rd2];",
          "mov.u64 mov.u64 ld.global.u32<-0 mov.u32 st.global.v2.u32<-1,2,3 ld.global.v4.f32<-0 "
          "fma.f32<-5 prefetch.global.L2<-1 ret");
}
END_TEST

START_TEST (a_predicate_is_a_register_like_any_other)
{
  expect ("setp.lt.s32 %p1|%p2, %r1, 5; @%p1 mov.u32 %r2, 1; @!%p2 mov.u32 %r3, 2;\n"
          "setp.eq.and.s32 %p3, %r2, 0, !%p2; selp.u32 %r4, %r2, %r3, %p3;\n",
          "setp.s32 mov.u32<-0 mov.u32<-0 setp.s32<-0,1 selp.u32<-1,2,3 ret");
}
END_TEST

START_TEST (a_guarded_write_leaves_what_was_there_before)
{
  expect ("mov.u32 %r1, 1; setp.lt.s32 %p1, %r2, 5; @%p1 mov.u32 %r1, 2; add.s32 %r3, %r1, 1;\n",
          "mov.u32 setp.s32 mov.u32<-1 add.s32<-0,2 ret");
}
END_TEST

START_TEST (a_carry_goes_from_cc_to_c)
{
  expect ("add.cc.u32 %r1, %r2, %r3; addc.cc.u32 %r4, %r5, %r6; addc.u32 %r7, %r8, 0;\n"
          "mad.lo.cc.u32 %r9, %r1, %r1, %r1; madc.hi.u32 %r10, %r2, %r2, %r2;",
          "add.cc.u32 addc.cc.u32<-0 addc.u32<-1 mad.lo.cc.u32<-0 madc.hi.u32<-3 ret");
}
END_TEST

START_TEST (both_parts_of_a_pair_are_written)
{
  expect ("shfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1; selp.u32 %r3, %r1, 0, %p1;\n"
          "activemask.b32 %r4; elect.sync _|%p2, %r4; @%p2 mov.u32 %r5, 1;\n",
          "shfl.sync.down.b32 selp.u32<-0 activemask.b32 elect.sync<-2 mov.u32<-3 ret");
}
END_TEST

START_TEST (lists_of_registers_are_read_or_written_whole)
{
  expect (
      "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %r2}, [%r3]; mov.f32 %f1, 0f00000000;\n"
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f2,%f3,%f4,%f5}, {%r1,%r2}, {%r1}, "
      "{%f1,%f1,%f1,%f1}; add.f32 %f6, %f2, %f5;\n",
      "ldmatrix.sync.m8n8.x2.shared.b16 mov.f32 mma.sync.m16n8k8.f32.f16.f16.f32<-0,1 add.f32<-2 "
      "ret");
}
END_TEST

START_TEST (an_accumulator_in_place_is_read_too)
{
  g_autofree gchar *text = make_text ("", "mov.f32 %f1, 0f00000000;\n"
                                          "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
                                          "{%f1,%f2,%f3,%f4}, %rd1, %rd2, 1, 1, 1, 0, 0;\n"
                                          "add.f32 %f6, %f2, %f5;\n");
  g_autoptr (IdgKernel) kernel = parse_noted (text, NULL, NULL);
  const IdgProgram *program = get_program (kernel);

  ck_assert_uint_eq (program->nodes[1].n_after, 1);
  ck_assert_uint_eq (program->nodes[2].n_after, 1);
  ck_assert_uint_eq (program->nodes[2].after[0], 1);
}
END_TEST

START_TEST (a_vector_register_has_components)
{
  expect (".reg .v2 .f32 %v; ld.global.v2.f32 %v, [%rd1]; mul.f32 %v.x, %v.x, %f1;\n"
          "add.f32 %f2, %v.y, %f1; st.global.v2.f32 [%rd1], %v;",
          "ld.global.v2.f32 mul.f32<-0 add.f32<-0 st.global.v2.f32<-0,1 ret");
}
END_TEST

START_TEST (barriers_are_nodes_of_their_own)
{
  expect ("mov.u32 %r1, 1; bar.sync 0; barrier.sync.aligned 0, 64; bar.red.popc.u32 %r2, 0, %p1;\n"
          "add.u32 %r3, %r1, 1; bar.warp.sync -1; barrier.cta.sync 0;",
          "mov.u32 | | | add.u32<-0 bar.warp.sync | ret");
}
END_TEST

START_TEST (barriers_have_names_and_numbers_of_warps)
{
  expect (
      "bar.sync 1; barrier.sync.aligned 0, 32; bar.sync 2, 64; bar.red.and.pred %p1, 3, 32, %p2;\n"
      "bar.sync 3; bar.arrive 4, 32; bar.sync 4, 32; barrier.cta.arrive 5, 64; bar.sync 5;",
      "|1 |0-32/1 |2 |3-32/1 |3 >4-32 |4-32/1 >5 |5 ret");
  /* What arrives at barrier 0 is for those that wait there. */
  expect ("bar.sync 0; bar.arrive 0, 64;", "|0 >0 ret");
  refuse ("", "bar.sync 16;", "k.ptx:6: bar.sync 16: there is no such barrier; expected 0 to 15");
  refuse ("", "bar.arrive 1, 0;",
          "k.ptx:6: bar.arrive 1, 0: there is no block of so many threads; expected 1 to 1048576");
}
END_TEST

START_TEST (a_barrier_in_a_register_is_noted)
{
  g_autofree gchar *text
      = make_text ("", "bar.sync %r1;\nbar.sync 1, %r2;\nbar.arrive %r1, 64;\nbar.arrive 7, 64;\n");
  g_autofree gchar *notes = NULL;
  g_autoptr (IdgKernel) kernel = parse_noted (text, NULL, &notes);
  g_autofree gchar *described = describe (get_program (kernel));

  ck_assert_str_eq (described, "| |1 bar.arrive bar.arrive ret");
  ck_assert_ptr_nonnull (strstr (notes,
                                 "k.ptx:6: bar.sync %r1: the barrier is in a register; taken "
                                 "as one of all warps of the block"));
  ck_assert_ptr_nonnull (strstr (notes, "k.ptx:7: bar.sync 1, %r2: the number of threads is in a "
                                        "register; taken as all"));
  ck_assert_ptr_nonnull (strstr (notes,
                                 "k.ptx:8: bar.arrive %r1, 64: the barrier is in a register; "
                                 "taken as an instruction that no barrier waits for"));
  ck_assert_ptr_nonnull (strstr (notes,
                                 "k.ptx:9: bar.arrive 7, 64: no warp waits at that barrier on "
                                 "the path that is taken"));
}
END_TEST

#define COPY "cp.async.ca.shared.global [%r9], [%rd1], 8; "
#define LOOP_10 "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 10; @%p1 bra L; "

START_TEST (waits_for_copies_name_them)
{
  expect ("cp.async.cg.shared.global [%r9], [%rd1], 16; cp.async.commit_group; " COPY
          "cp.async.wait_group 0; cp.async.wait_all;",
          "cp.async.cg.shared.global.b128 cp.async.commit_group cp.async.ca.shared.global.b64 "
          "cp.async.wait_group<-0 cp.async.wait_all<-2 ret");
  /* While one group is used the next is under way. */
  expect ("mov.u32 %r1, 0; " COPY "cp.async.commit_group;\nL: " COPY
          "cp.async.commit_group; cp.async.wait_group 1; bar.sync 0; " LOOP_10
          "cp.async.wait_group 0;",
          "mov.u32 cp.async.ca.shared.global.b64 cp.async.commit_group x10( "
          "cp.async.ca.shared.global.b64<-10 cp.async.commit_group cp.async.wait_group<-1,4:2 | "
          "add.u32<-0,8 setp.u32<-8 bra<-9 ) cp.async.wait_group<-4,10 ret");
  refuse (
      "", "cp.async.cg.shared.global [%r9], [%rd1], 8;",
      "k.ptx:6: cp.async.cg.shared.global [%r9], [%rd1], 8: its third operand must be the bytes "
      "that it copies, 16");
  refuse ("", "cp.async.ca.shared.global [%r9], [%rd1], %r1;",
          "k.ptx:6: cp.async.ca.shared.global [%r9], [%rd1], %r1: its third operand must be the "
          "bytes that it copies, 4, 8 or 16");
}
END_TEST

static void
expect_warning (const IdgKernel *kernel, guint i, const gchar *name, const gchar *text)
{
  const IdgWarning *warning;

  ck_assert_uint_gt (kernel->warnings->len, i);
  warning = g_ptr_array_index (kernel->warnings, i);
  ck_assert_str_eq (warning->name, name);
  ck_assert_str_eq (warning->text, text);
}

START_TEST (what_is_not_modelled_makes_a_lower_bound)
{
  g_autofree gchar *text = make_text (
      "",
      "mbarrier.init.shared.b64 [%r1], 64;\nmbarrier.try_wait.shared.b64 %p1, [%r1], %rd1;\n"
      "mbarrier.try_wait.shared.b64 %p1, [%r1], %rd1; griddepcontrol.wait;\n"
      "barrier.cluster.wait; bar.sync 0; cp.async.wait_all;\n"
      "wgmma.fence.sync.aligned; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"
      "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r1,%r2}, %rd1, %rd1, 1, 1, 1, 0, 0;");
  g_autofree gchar *notes = NULL;
  g_autoptr (IdgKernel) kernel = parse_noted (text, NULL, &notes);

  ck_assert_uint_eq (kernel->warnings->len, 1);
  expect_warning (
      kernel, 0, "lower-bound",
      "times are a lower bound; not modelled: waits through mbarrier (3 instructions: "
      "mbarrier.init.shared.b64 at k.ptx:6, mbarrier.try_wait.shared.b64 at k.ptx:7), waits for "
      "other grids (1 instruction: griddepcontrol.wait at k.ptx:8), clusters (1 instruction: "
      "barrier.cluster.wait at k.ptx:9), wgmma (4 instructions: wgmma.fence.sync at k.ptx:10, "
      "wgmma.commit_group.sync at k.ptx:10, wgmma.wait_group.sync at k.ptx:10, ...)");
}
END_TEST

START_TEST (what_does_not_run_is_warned_of)
{
  g_autofree gchar *text
      = make_text ("", "ld.global.f32 %f1, [%rd1];\n@%p1 bra AFTER;\nst.shared.f32 [%r1], %f1;\n"
                       "AFTER: @%p2 bra END;\nL: fma.rn.f32 %f1, %f1, %f1, %f1;\n"
                       "add.f32 %f1, %f1, %f1; @%p3 bra L;\nEND: st.global.f32 [%rd1], %f1;\n");
  g_autoptr (IdgImport) import = idg_import_new ();
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (IdgKernel) whole = NULL;

  g_ptr_array_add (import->trips, g_strdup ("L=2"));
  whole = idg_ptx_parse (text, strlen (text), "k.ptx", import, NULL);
  ck_assert_ptr_nonnull (whole);
  ck_assert_uint_eq (whole->warnings->len, 0);
  g_ptr_array_set_size (import->trips, 0);
  g_ptr_array_add (import->branches, g_strdup ("AFTER=taken"));
  g_ptr_array_add (import->branches, g_strdup ("END=taken"));
  kernel = idg_ptx_parse (text, strlen (text), "k.ptx", import, NULL);
  ck_assert_ptr_nonnull (kernel);
  ck_assert_uint_eq (kernel->warnings->len, 2);
  expect_warning (
      kernel, 0, "nothing-of-a-kind",
      "the listing has 2 floating-point instructions (fma.f32, ...), of which none runs: "
      "the loop L at k.ptx:10 is not entered");
  expect_warning (kernel, 1, "nothing-of-a-kind",
                  "the listing has 1 access to shared memory (st.shared.f32), of which none runs: "
                  "k.ptx:8 is not reached");
}
END_TEST

/* Two groups ahead: in the first round the second of them is not named, in the next it is. */
START_TEST (a_wait_for_more_than_it_names_is_noted)
{
  g_autofree gchar *text = make_text ("", "mov.u32 %r1, 0; " COPY "cp.async.commit_group; " COPY
                                          "cp.async.commit_group;\nL: cp.async.wait_group 1; " COPY
                                          "cp.async.commit_group; " LOOP_10);
  g_autofree gchar *notes = NULL;
  g_autoptr (IdgKernel) kernel = parse_noted (text, NULL, &notes);
  const IdgNode *wait = &get_program (kernel)->nodes[6];

  ck_assert_str_eq (wait->op, "cp.async.wait_group");
  ck_assert_uint_eq (wait->n_after, 4);
  ck_assert_ptr_nonnull (strstr (notes, "k.ptx:7: cp.async.wait_group 1: waits in some rounds also "
                                        "for copies that it does not name there"));
}
END_TEST

/* Scopes. */

START_TEST (a_scope_hides_registers_and_labels_of_the_same_name)
{
  expect (
      ".reg .u32 t; mov.u32 t, 1; { .reg .u32 t; mov.u32 t, 2; bra.uni L; L: add.u32 %r1, t, 0; }\n"
      "{ .reg .u32 t; mov.u32 t, 3; bra.uni L; L: add.u32 %r2, t, %r1; }\n"
      "add.u32 %r3, t, %r2;",
      "mov.u32 mov.u32 bra add.u32<-1,2 mov.u32 bra add.u32<-3,4,5 add.u32<-0,6 ret");
}
END_TEST

START_TEST (the_longest_range_that_has_a_register_is_its_own)
{
  expect (".reg .u32 a<20>, a1<5>; mov.u32 a1, 1; mov.u32 a14, 2; add.u32 a13, a1, a14;\n",
          "mov.u32 mov.u32 add.u32<-0,1 ret");
  refuse ("", ".reg .u32 a<20>; mov.u32 a20, 1;",
          "k.ptx:6: a20 is not a register; the result of mov.u32 needs one that .reg declares");
}
END_TEST

/* Calls. */

#define SCALE                                                                                      \
  ".func (.param .b32 r) scale (.param .b32 a, .param .b32 b) {\n"                                 \
  ".reg .f32 %f<4>; ld.param.f32 %f1, [a]; ld.param.f32 %f2, [b]; mul.f32 %f3, %f1, %f2;\n"        \
  "st.param.f32 [r+0], %f3; ret; }\n"

START_TEST (a_call_is_inlined_with_moves_for_what_it_passes)
{
  expect_module (
      SCALE,
      "mov.f32 %f3, 0f3f800000; ld.global.f32 %f4, [%rd1];\n"
      "{ .param .b32 a; st.param.f32 [a+0], %f3; .param .b32 b; st.param.f32 [b+0], %f4;\n"
      ".param .b32 r; call.uni (r), scale, (a, b); ld.param.f32 %f5, [r+0]; }\n"
      "st.global.f32 [%rd1], %f5;",
      "mov.f32 ld.global.f32 mov.f32<-0 mov.f32<-1 mul.f32<-2,3 mov.f32<-4 "
      "st.global.f32<-5 ret");
}
END_TEST

START_TEST (registers_are_passed_too)
{
  expect_module (".func (.reg .f32 r) twice (.reg .f32 a) { add.f32 r, a, a; ret; }\n",
                 "ld.global.f32 %f1, [%rd1]; call (%f2), twice, (%f1); call (%f3), twice, (%f2);\n"
                 "st.global.f32 [%rd1], %f3;",
                 "ld.global.f32 mov.f32<-0 add.f32<-1 mov.f32<-2 mov.f32<-3 add.f32<-4 mov.f32<-5 "
                 "st.global.f32<-6 ret");
}
END_TEST

START_TEST (structures_are_passed_by_their_parts)
{
  expect_module (
      ".func (.param .align 8 .b8 r[8]) swap (.param .align 8 .b8 a[8]) {\n"
      ".reg .f32 %f<4>; ld.param.v2.f32 {%f1, %f2}, [a];\n"
      "st.param.f32 [r], %f2; st.param.f32 [r+4], %f1; ret; }\n",
      "ld.global.f32 %f1, [%rd1]; ld.global.f32 %f2, [%rd1];\n"
      "{ .param .align 8 .b8 a[8]; st.param.f32 [a], %f1; st.param.f32 [a+4], %f2;\n"
      ".param .align 8 .b8 r[8]; call (r), swap, (a); ld.param.v2.f32 {%f3, %f4}, [r]; }\n"
      "neg.f32 %f5, %f3; abs.f32 %f6, %f4;",
      "ld.global.f32 ld.global.f32 mov.f32<-0 mov.f32<-1 mov.f32<-3 mov.f32<-2 "
      "neg.f32<-4 abs.f32<-5 ret");
}
END_TEST

/* The rounds of the loop in each of two calls with the hint TRIP, or the error. */
static gchar *
count_calls (const gchar *trip)
{
  g_autofree gchar *text
      = make_text (".func spin (.param .b32 n) {\n.reg .b32 %r<3>; .reg .pred %p<2>;\n"
                   "ld.param.b32 %r1, [n];\n$LOOP: sub.s32 %r1, %r1, 1; setp.ne.s32 %p1, %r1, 0;\n"
                   "@%p1 bra $LOOP; ret; }\n",
                   "ld.global.b32 %r1, [%rd1];\n"
                   "{ .param .b32 a; st.param.b32 [a], %r1; call spin, (a); }\n"
                   "{ .param .b32 b; st.param.b32 [b], %r1; call spin, (b); }\n");
  g_autoptr (IdgImport) import = idg_import_new ();
  g_autoptr (GString) counts = g_string_new (NULL);
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (import->trips, g_strdup (trip));
  kernel = idg_ptx_parse (text, strlen (text), "k.ptx", import, &error);
  if (kernel == NULL)
    return g_strdup (error->message);
  for (guint i = 0; i < get_program (kernel)->n_nodes; i++)
    if (get_program (kernel)->nodes[i].kind == IDG_REPEAT)
      g_string_append_printf (counts, "%u ", get_program (kernel)->nodes[i].count);
  return g_strdup (counts->str);
}

START_TEST (a_label_of_one_call_or_of_all_is_told)
{
  static const gchar *const cases[][2] = {
    { "LOOP=5", "5 5 " },
    { "$LOOP=5", "5 5 " },
    { "LOOP@2=5", "1 5 " },
    { "$LOOP@2=5", "1 5 " },
    { "LOOP@3=5", "k.ptx: --trip \"LOOP@3=5\": no loop begins there (did you mean LOOP@2, LOOP?); "
                  "loops begin at LOOP, LOOP@2" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *counts = count_calls (cases[i][0]);

      ck_assert_str_eq (counts, cases[i][1]);
    }
}
END_TEST

START_TEST (calls_nest_and_each_has_registers_of_its_own)
{
  expect_module (".func (.reg .u32 r) inner (.reg .u32 a);\n"
                 ".func (.reg .u32 r) outer (.reg .u32 a) { .reg .u32 t;\n"
                 "call (t), inner, (a); call (r), inner, (t); }\n"
                 ".func (.reg .u32 r) inner (.reg .u32 a) { add.u32 r, a, 1; ret; }\n",
                 "call (%r1), outer, (5); st.global.u32 [%rd1], %r1;",
                 "mov.u32 mov.u32<-0 add.u32<-1 mov.u32<-2 mov.u32<-3 add.u32<-4 mov.u32<-5 "
                 "mov.u32<-6 st.global.u32<-7 ret");
}
END_TEST

START_TEST (a_constant_that_is_passed_counts_a_loop)
{
  expect_module (
      ".func f (.param .b32 n) { .reg .u32 %r<4>; .reg .pred p; ld.param.u32 %r1, [n];\n"
      "mov.u32 %r2, 0; L: add.u32 %r2, %r2, 1; setp.lt.u32 p, %r2, %r1; @p bra L; ret; }\n",
      "{ .param .b32 n; st.param.b32 [n], 7; call f, (n); }\n"
      "{ .param .b32 n; st.param.b32 [n], 3; call f, (n); }\n",
      "mov.u32 mov.u32 x7( add.u32<-1,3,5 setp.u32<-0,3 bra<-4 ) "
      "mov.u32<-5 mov.u32 x3( add.u32<-8,10,12 setp.u32<-7,10 bra<-11 ) ret<-12");
}
END_TEST

START_TEST (a_return_in_the_middle_goes_behind_the_call)
{
  g_autofree gchar *notes = NULL;
  g_autofree gchar *text
      = make_text (".func f (.reg .u32 a) { .reg .pred p; setp.eq.u32 p, a, 0; @p ret;\n"
                   "st.global.u32 [0], a; ret; }\n",
                   "call f, (%r1); @%p1 call f, (%r2);");

  idg_kernel_free (parse_noted (text, NULL, &notes));
  ck_assert_ptr_nonnull (strstr (notes, "branch to f.return"));
  ck_assert_ptr_nonnull (strstr (notes, "branch to f.return@2"));
  ck_assert_ptr_nonnull (strstr (notes, "branch to f.skip"));
}
END_TEST

START_TEST (a_call_without_a_body_is_one_instruction_with_a_note)
{
  g_autofree gchar *notes = NULL;
  g_autofree gchar *described = NULL;
  g_autofree gchar *text = make_text (
      ".extern .func (.param .b32 r) vprintf (.param .b64 a);\n",
      "mov.u64 %rd1, 1; { .param .b64 a; st.param.b64 [a], %rd1; .param .b32 r;\n"
      "call (r), vprintf, (a); ld.param.b32 %r1, [r]; } neg.s32 %r2, %r1;\n"
      "call (%r3), %rd1, (%r2), proto; proto: .callprototype (.reg .u32 _) _ (.reg .u32 _);\n"
      "neg.s32 %r4, %r3;");
  g_autoptr (IdgKernel) kernel = parse_noted (text, NULL, &notes);

  described = describe (get_program (kernel));
  ck_assert_str_eq (described,
                    "mov.u64 mov.b64<-0 call<-1 mov.b32<-2 neg.s32<-3 call<-0,4 neg.s32<-5 ret");
  ck_assert_ptr_nonnull (strstr (notes, "k.ptx:8: vprintf has no body here"));
  ck_assert_ptr_nonnull (
      strstr (notes, "k.ptx:9: the function is known only when the kernel runs"));
}
END_TEST

START_TEST (what_never_ends_or_is_too_much_is_refused)
{
  refuse (".func f () { call g; } .func g () { call f; }\n", "call f;",
          "k.ptx:4: call of f: it calls itself, an unknown number of times; compile a "
          "version without recursion");
  refuse (".func f (.reg .u32 a) { ret; }\n", "call f;",
          "k.ptx:7: call of f: 0 results and 0 parameters; it has 0 and 1, on line 4");
}
END_TEST

/* 2^30 instructions, by calls alone. 2^20 are read before it is refused: not under valgrind. */
START_TEST (calls_that_multiply_are_refused_before_they_do)
{
  GString *before = g_string_new (".func f0 () { membar.gl; }\n");

  for (guint i = 1; i <= 30; i++)
    g_string_append_printf (before, ".func f%u () { call f%u; call f%u; }\n", i, i - 1, i - 1);
  {
    g_autofree gchar *text = make_text (before->str, "call f30;");
    g_autoptr (IdgImport) import = idg_import_new ();
    g_autoptr (GError) error = NULL;
    g_autoptr (IdgKernel) kernel = idg_ptx_parse (text, strlen (text), "k.ptx", import, &error);

    ck_assert_ptr_null (kernel);
    ck_assert_ptr_nonnull (strstr (error->message, "call of f"));
    ck_assert_ptr_nonnull (strstr (error->message, "more than 1048576 instructions"));
  }
  g_string_free (before, TRUE);
}
END_TEST

/* Loops that count themselves. */

static void
count_loop (const gchar *before, const gchar *step, guint expected)
{
  g_autofree gchar *body = g_strconcat (before, " L: ", step, " @%p1 bra L;\n", NULL);
  g_autofree gchar *text = make_text ("", body);
  g_autoptr (IdgKernel) kernel = parse_noted (text, NULL, NULL);
  const IdgProgram *program = get_program (kernel);
  guint i = 0;

  while (i < program->n_nodes && program->nodes[i].kind != IDG_REPEAT)
    i++;
  ck_assert_uint_lt (i, program->n_nodes);
  ck_assert_uint_eq (program->nodes[i].count, expected);
}

START_TEST (constant_bounds_count_loops)
{
  count_loop ("mov.u32 %r1, 0;", "add.s32 %r1, %r1, 1; setp.ne.s32 %p1, %r1, 12;", 12);
  count_loop ("mov.u32 %r1, 100;", "sub.u32 %r1, %r1, 3; setp.gt.s32 %p1, %r1, 0;", 34);
  count_loop ("mov.u32 %r1, 128;", "shr.u32 %r1, %r1, 1; setp.hs.u32 %p1, %r1, 32;", 3);
  count_loop ("mov.b32 %r1, 1;", "shl.b32 %r1, %r1, 2; setp.lo.u32 %p1, %r1, 1000;", 5);
  count_loop ("mov.u32 %r1, 1;", "mul.lo.s32 %r1, %r1, 3; setp.le.s32 %p1, %r1, 100;", 5);
  count_loop ("mov.u32 %r1, 0; mov.u32 %r2, 5;",
              "mad.lo.s32 %r1, %r2, 2, %r1; setp.lt.s32 %p1, %r1, 45;", 5);
  count_loop ("mov.u64 %rd1, 0;",
              "add.s64 %rd1, %rd1, 4; cvt.u32.u64 %r1, %rd1; setp.ls.u32 %p1, %r1, 16;", 5);
  count_loop ("mov.u32 %r1, 63;",
              "add.s32 %r1, %r1, 1; and.b32 %r2, %r1, 7; setp.ne.u32 %p1, %r2, 4;", 5);
}
END_TEST

START_TEST (the_size_of_a_block_is_a_constant_where_the_code_asks_for_it)
{
  const gchar *text
      = HEADER ".entry k () .reqntid 96, 2 {\n.reg .u32 %r<3>; .reg .pred %p1;\n"
               "mov.u32 %r1, %ntid.x; L: sub.u32 %r1, %r1, 8; setp.ne.u32 %p1, %r1, 0;\n"
               "@%p1 bra L; ret; }\n";
  g_autofree gchar *notes = NULL;
  g_autoptr (IdgKernel) kernel = parse_noted (text, NULL, &notes);

  ck_assert_int_eq (kernel->launch.threads, 192);
  ck_assert_uint_eq (get_program (kernel)->nodes[1].count, 12);
}
END_TEST

/* What a module says. */

START_TEST (shared_memory_is_what_the_kernel_names_or_declares)
{
  g_autofree gchar *text
      = make_text (".shared .align 4 .b8 unused[1000]; .shared .align 16 .b8 tile[100];\n"
                   ".func f () { .shared .f64 sums[4][2]; st.shared.f64 [sums], 0; }\n"
                   ".func unused_too () { .shared .b8 more[5000]; }\n",
                   ".shared .b8 own[3]; mov.u32 %r1, tile; mov.u32 %r1, tile; call f; call f;");
  g_autoptr (IdgKernel) kernel = parse_noted (text, NULL, NULL);

  /* 100 bytes, 4 to align by 8, 64 bytes, 3 bytes. */
  ck_assert_int_eq (kernel->launch.shared_memory, 171);
}
END_TEST

START_TEST (dynamic_shared_memory_is_noted)
{
  g_autofree gchar *notes = NULL;
  g_autofree gchar *text
      = make_text (".extern .shared .align 16 .b8 dyn[];\n", "mov.u32 %r1, dyn;");
  g_autoptr (IdgKernel) kernel = parse_noted (text, NULL, &notes);

  ck_assert_int_eq (kernel->launch.shared_memory, 0);
  ck_assert_ptr_nonnull (strstr (notes, "k.ptx:4: dyn gets its size from the launch"));
}
END_TEST

START_TEST (one_of_several_kernels_is_chosen)
{
  const gchar *text = HEADER ".entry _Z3onev () { membar.gl; ret; }\n.entry declared ();\n"
                             ".entry _Z3twov () .maxntid 64 { bar.sync 0; exit; }\n";
  g_autoptr (IdgKernel) one = parse_noted (text, "_Z3onev", NULL);
  g_autoptr (IdgKernel) two = parse_noted (text, "two", NULL);
  g_autoptr (IdgImport) import = idg_import_new ();
  g_autoptr (GError) error = NULL;

  ck_assert_str_eq (one->name, "_Z3onev");
  ck_assert_str_eq (two->name, "_Z3twov");
  ck_assert_ptr_null (idg_ptx_parse (text, strlen (text), "k.ptx", import, &error));
  ck_assert_ptr_nonnull (strstr (error->message, "names one of _Z3onev"));
  ck_assert_ptr_nonnull (strstr (error->message, ", _Z3twov"));
}
END_TEST

START_TEST (source_lines_stand_before_the_text)
{
  const gchar *text
      = HEADER ".entry k () {\n.reg .u32 %r<3>;\n.loc 1 12 3\n"
               "mov.u32 \t%r1,\n\t%tid.x; // a comment\n"
               ".loc 2 7 1, function_name $L__info_string0+4, inlined_at 1 13 5\n"
               "add.s32 %r2,/* and another */%r1, 1;\n.loc 1 0 0\nret;\n}\n"
               ".file 1 \"/home/someone/kernel.cu\", 1234, 56\n.file 2 \"C:\\\\x\\\\header.h\"\n"
               ".section .debug_str {\n$L__info_string0:\n.b8 95,0\n}\n";
  g_autoptr (IdgKernel) kernel = parse_noted (text, NULL, NULL);
  const IdgProgram *program = get_program (kernel);

  ck_assert_str_eq (program->nodes[0].text, "kernel.cu:12: mov.u32 %r1, %tid.x");
  ck_assert_int_eq (program->nodes[0].line, 7);
  ck_assert_str_eq (program->nodes[1].text, "kernel.cu:13: add.s32 %r2, %r1, 1");
  ck_assert_str_eq (program->nodes[2].text, "ret");
}
END_TEST

START_TEST (indexed_branches_have_all_targets_of_their_list)
{
  g_autofree gchar *notes = NULL;
  g_autofree gchar *text = make_text (
      "", "list: .branchtargets A, B, C; brx.idx.uni %r1, list;\n"
          "A: mov.u32 %r2, 1; bra E; B: mov.u32 %r2, 2; bra E; C: mov.u32 %r2, 3; E:\n");

  idg_kernel_free (parse_noted (text, NULL, &notes));
  ck_assert_ptr_nonnull (strstr (notes, "k.ptx:6: "));
}
END_TEST

START_TEST (unknown_instructions_write_their_first_operand)
{
  g_autofree gchar *notes = NULL;
  g_autofree gchar *described = NULL;
  g_autofree gchar *text
      = make_text ("", "frob.u32 %r1, %r2; frob.u32 %r3, %r1; frob.s32 [%rd1], %r3;");
  g_autoptr (IdgKernel) kernel = parse_noted (text, NULL, &notes);
  gchar *first = strstr (notes, "frob.u32 is not a known instruction");

  described = describe (get_program (kernel));
  ck_assert_str_eq (described, "frob.u32 frob.u32<-0 frob.s32<-1 ret");
  ck_assert_ptr_nonnull (first);
  ck_assert_ptr_null (strstr (first + 1, "frob.u32 is not"));
  ck_assert_ptr_nonnull (strstr (notes, "frob.s32 is not a known instruction"));
}
END_TEST

START_TEST (files_are_known_by_name_or_by_their_first_words)
{
  const gchar *late = "// comment\n/* and\n another */\n\n.version 1.4\n";

  ck_assert (idg_frontend_ptx.recognize ("a.ptx", "", 0));
  ck_assert (idg_frontend_ptx.recognize ("a", late, strlen (late)));
  ck_assert (!idg_frontend_ptx.recognize ("a", "", 0));
  ck_assert (!idg_frontend_ptx.recognize ("a", ".versions", 9));
  ck_assert (!idg_frontend_ptx.recognize ("a.xml", "<kernel/>", 9));
}
END_TEST

/* ptxas -v. */

static gboolean
read_log (const gchar *text, gint64 *registers, gint64 *shared_memory, GError **error)
{
  g_autofree gchar *path = NULL;
  gint fd = g_file_open_tmp ("check-ptx-XXXXXX", &path, NULL);
  gboolean done;

  ck_assert_int_ge (fd, 0);
  g_close (fd, NULL);
  ck_assert (g_file_set_contents (path, text, -1, NULL));
  done = idg_ptxas_log_read (path, "k", registers, shared_memory, error);
  g_unlink (path);
  return done;
}

START_TEST (registers_and_shared_memory_are_read_from_ptxas)
{
  static const struct
  {
    const gchar *text;
    gint64 registers, shared_memory;
  } logs[] = {
    /* CUDA 13 */
    { "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'kk' for 'sm_90'\n"
      "ptxas info    : Used 99 registers, used 0 barriers\n"
      "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
      "ptxas info    : Function properties for k\n"
      "    40 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 24 registers, used 1 barriers, 40 bytes cumulative stack size, 272 "
      "bytes "
      "smem, 380 bytes cmem[0]\n"
      "ptxas info    : Compile time = 20.353 ms\n",
      24, 272 },
    /* CUDA 2 and 3 */
    { "ptxas info    : Compiling entry function 'k' for 'sm_10'\n"
      "ptxas info    : Used 10 registers, 40+16 bytes smem, 4 bytes cmem[1]\n",
      10, 56 },
    /* CUDA 4: no target, and nothing but registers */
    { "ptxas info : Compiling entry function 'k'\nptxas info : Used 7 registers\n", 7, 0 },
    /* Two targets that agree. */
    { "Compiling entry function 'k' for 'sm_75'\nUsed 8 registers, 4 bytes smem\n"
      "Compiling entry function 'k' for 'sm_80'\nUsed 8 registers, 4 bytes smem\n",
      8, 4 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (logs); i++)
    {
      gint64 registers = 0, shared_memory = 0;

      ck_assert (read_log (logs[i].text, &registers, &shared_memory, NULL));
      ck_assert_int_eq (registers, logs[i].registers);
      ck_assert_int_eq (shared_memory, logs[i].shared_memory);
    }
}
END_TEST

START_TEST (a_log_of_targets_that_differ_is_refused)
{
  g_autoptr (GError) error = NULL;
  gint64 registers, shared_memory;

  ck_assert (!read_log ("Compiling entry function 'k' for 'sm_75'\nUsed 8 registers\n"
                        "Compiling entry function 'k' for 'sm_80'\nUsed 9 registers\n",
                        &registers, &shared_memory, &error));
  ck_assert_ptr_nonnull (strstr (error->message,
                                 "k occurs several times, with different numbers: sm_75 (8 "
                                 "registers, 0 bytes of shared memory), sm_80 (9"));
  g_clear_error (&error);
  ck_assert (!read_log ("Used 8 registers\n", &registers, &shared_memory, &error));
  ck_assert_ptr_nonnull (strstr (error->message, "nothing about k"));
}
END_TEST

START_TEST (more_threads_than_a_listing_allows_are_noted)
{
  static const gchar text[] = HEADER ".entry k () .maxntid 128 { ret; }\n";

  for (gint64 threads = 128; threads <= 129; threads++)
    {
      g_autoptr (IdgImport) import = idg_import_new ();
      g_autoptr (IdgKernel) kernel = NULL;

      import->blocks = 1;
      import->threads = threads;
      kernel = idg_ptx_parse (text, strlen (text), "k.ptx", import, NULL);
      ck_assert_ptr_nonnull (kernel);
      ck_assert_uint_eq (import->notes->len, threads > 128);
      if (threads > 128)
        ck_assert_str_eq (g_ptr_array_index (import->notes, 0),
                          "k.ptx: k: blocks of 129 threads, where it has at most 128 (.maxntid, "
                          ".reqntid); no GPU would launch it");
    }
}
END_TEST

/* What is said of a --branch (or --trip, IS_TRIP) that the kernel, with a loop in each of two
 * calls, has not. */
static gchar *
ask_wrongly (gboolean is_trip)
{
  g_autofree gchar *text
      = make_text (".func spin (.param .b32 n) {\n.reg .b32 %r<3>; .reg .pred %p<2>;\n"
                   "ld.param.b32 %r1, [n];\n$LOOP: sub.s32 %r1, %r1, 1; setp.ne.s32 %p1, %r1, 0;\n"
                   "@%p1 bra $LOOP; ret; }\n",
                   "{ .param .b32 a; st.param.b32 [a], %r1; call spin, (a); }\n"
                   "{ .param .b32 b; st.param.b32 [b], %r2; call spin, (b); }\n");
  g_autoptr (IdgImport) import = idg_import_new ();
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (is_trip ? import->trips : import->branches,
                   g_strdup (is_trip ? "LOOP@3=5" : "LOOP@3=not"));
  kernel = idg_ptx_parse (text, strlen (text), "k.ptx", import, &error);
  ck_assert_ptr_null (kernel);
  return g_strdup (error->message);
}

START_TEST (errors_list_the_labels_of_each_call)
{
  g_autofree gchar *trip = ask_wrongly (TRUE);
  g_autofree gchar *branch = ask_wrongly (FALSE);

  ck_assert_str_eq (trip, "k.ptx: --trip \"LOOP@3=5\": no loop begins there (did you mean LOOP@2, "
                          "LOOP?); loops begin at LOOP, LOOP@2");
  ck_assert_str_eq (branch, "k.ptx: --branch \"LOOP@3=not\": no conditional branch has that "
                            "label or line (did you mean LOOP@2, LOOP?); expected LOOP, LOOP@2");
}
END_TEST

/* For each group of warps that OPTIONS (of --branch) make, which of A (abs), B (neg) and C (not) it
 * goes through; or the error. */
static gchar *
find_ways (const gchar *options)
{
  g_autofree gchar *text = make_text ("", "ts: .branchtargets A, B, C;\n@%p1 bra Z;\n"
                                          "brx.idx %r1, ts;\nA: abs.s32 %r2, %r1;\nbra.uni Z;\n"
                                          "B: neg.s32 %r2, %r1;\nbra.uni Z;\n"
                                          "C: not.b32 %r2, %r1;\nZ: ");
  g_auto (GStrv) words = g_strsplit (options, " ", -1);
  g_autoptr (IdgImport) import = idg_import_new ();
  g_autoptr (GString) ways = g_string_new (NULL);
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; words[i] != NULL; i++)
    g_ptr_array_add (import->branches, g_strdup (words[i]));
  kernel = idg_ptx_parse (text, strlen (text), "k.ptx", import, &error);
  for (guint i = 0; kernel != NULL && i < kernel->programs->len; i++)
    {
      const IdgKernelProgram *program = g_ptr_array_index (kernel->programs, i);
      g_autofree gchar *ops = describe (program->program);

      g_string_append_printf (ways, "%s%s%s%s", i > 0 ? " " : "", strstr (ops, "abs") ? "A" : "",
                              strstr (ops, "neg") ? "B" : "", strstr (ops, "not") ? "C" : "");
    }
  return g_strdup (kernel != NULL ? ways->str : error->message);
}

START_TEST (what_is_told_of_a_warp_itself_comes_first)
{
  static const gchar *const cases[][2] = {
    { "Z=not C=taken", "C" },
    { "Z=not A=taken:0 C=taken:1", "A C A" },
    { "Z=not B=taken:0", "B A" },
    { "B=taken Z=taken:0 Z=not:1", " B B" },
    { "B=taken Z=not:0 Z=taken:0", "B " },
    { "B=taken all=not Z=not:0",
      "k.ptx: --branch \"all=not\": it is for branches that neither another --branch nor the code "
      "decides, and that do not count a loop; k has none" },
    { "B=taken all=not:0", "B " },
    { "B=not", "k.ptx: --branch \"B=not\": no conditional branch has that label or line; expected "
               "Z, A, B, C" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *ways = find_ways (cases[i][0]);

      ck_assert_str_eq (ways, cases[i][1]);
    }
}
END_TEST

/* How often each group of warps executes abs, in a block of X times Y threads, with the OPTIONS
 * "trip all=3 branch L=not"; or the error. */
static gchar *
count_abs (const gchar *body, gint64 x, gint64 y, const gchar *options)
{
  g_autofree gchar *text = make_text ("", body);
  g_auto (GStrv) words = g_strsplit (options, " ", -1);
  g_autoptr (IdgImport) import = idg_import_new ();
  g_autoptr (GString) counts = g_string_new (NULL);
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (GError) error = NULL;

  import->block_dim[0] = x;
  import->block_dim[1] = y;
  import->threads = y > 0 ? x * y : x;
  for (guint i = 0; words[i] != NULL && words[i + 1] != NULL; i += 2)
    g_ptr_array_add (strcmp (words[i], "trip") == 0 ? import->trips : import->branches,
                     g_strdup (words[i + 1]));
  kernel = idg_ptx_parse (text, strlen (text), "k.ptx", import, &error);
  for (guint i = 0; kernel != NULL && i < kernel->programs->len; i++)
    {
      const IdgProgram *program
          = ((const IdgKernelProgram *)g_ptr_array_index (kernel->programs, i))->program;
      guint n = 0, rounds = 1;

      for (guint j = 0; j < program->n_nodes; j++)
        {
          const IdgNode *node = &program->nodes[j];

          rounds = node->kind == IDG_REPEAT ? node->count : node->kind == IDG_END ? 1 : rounds;
          n += node->op != NULL && strcmp (node->op, "abs.s32") == 0 ? rounds : 0;
        }
      g_string_append_printf (counts, "%s%u", i > 0 ? " " : "", n);
    }
  return g_strdup (kernel != NULL ? counts->str : error->message);
}

#define LOOP "L: abs.s32 %r2, %r2; setp.ne.s32 %p1, %r2, 9; @%p1 bra L; "

START_TEST (a_loop_is_entered_whatever_its_guard_looks_like)
{
  static const gchar *const bodies[] = {
    "@%p2 bra E; " LOOP "E: ",
    "@!%p2 bra E; " LOOP "bra.uni E; E: ",
    "@%p2 bra L; bra.uni E; " LOOP "E: ",
    "@%p2 bra A; bra.uni E; A: mov.u32 %r2, 0; " LOOP "bra.uni F; E: mov.u32 %r2, 1; F: ",
    "@%p2 bra A; bra.uni E; A: bra.uni B; B: bra.uni L; " LOOP "E: ",
    "@%p2 bra A; bra.uni E; A: @%p3 bra E; @%p4 bra L; bra.uni E; " LOOP "E: ",
    "@%p2 bra E; " LOOP "@%p3 bra E; M: neg.s32 %r3, %r3; setp.ne.s32 %p1, %r3, 1; @%p1 bra M; E: ",
    "@%p2 bra L; ret; " LOOP,
    "@%p2 ret; " LOOP,
    "@%p2 bra E; " LOOP "ret; E: st.global.u32 [%rd1], %r1; ",
  };
  static const gchar *const all[] = { "", " branch all=not", " branch all=taken" };

  for (guint i = 0; i < G_N_ELEMENTS (bodies); i++)
    for (guint j = 0; j < G_N_ELEMENTS (all); j++)
      {
        g_autofree gchar *options = g_strconcat ("trip all=5", all[j], NULL);
        g_autofree gchar *named = g_strconcat ("trip L=5", all[j], NULL);
        g_autofree gchar *counts = count_abs (bodies[i], 64, 0, options);
        g_autofree gchar *of_named = count_abs (bodies[i], 64, 0, named);
        g_autofree gchar *none = count_abs (bodies[i], 64, 0, "trip L=0");
        g_autofree gchar *alone = count_abs (bodies[i], 64, 0, "");

        ck_assert_msg (strcmp (counts, "5") == 0, "%s with %s: %s", bodies[i], options, counts);
        ck_assert_msg (strcmp (of_named, "5") == 0, "%s with %s: %s", bodies[i], named, of_named);
        ck_assert_msg (strcmp (none, "0") == 0, "%s without rounds: %s", bodies[i], none);
        ck_assert_msg (strcmp (alone, "1") == 0, "%s: %s", bodies[i], alone);
      }
}
END_TEST

/* Two sides with a loop each. */
static guint
count_warnings (const IdgKernel *kernel, const gchar *name)
{
  guint n = 0;

  for (guint i = 0; i < kernel->warnings->len; i++)
    n += strcmp (((const IdgWarning *)g_ptr_array_index (kernel->warnings, i))->name, name) == 0;
  return n;
}

START_TEST (a_loop_that_nobody_enters_is_a_warning)
{
  static const struct
  {
    const gchar *branch; /* or NULL */
    guint notes, warnings;
  } cases[] = { { NULL, 3, 1 }, { "A=taken", 2, 0 }, { "A=both", 2, 0 }, { "all=taken", 2, 1 } };
  g_autofree gchar *text
      = make_text ("", "@%p3 bra A; " LOOP "bra.uni E; A: neg.s32 %r3, %r3; M: neg.s32 %r3, %r3;\n"
                       "setp.ne.s32 %p1, %r3, 1; @%p1 bra M; E: ");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (IdgImport) import = idg_import_new ();
      g_autoptr (IdgKernel) kernel = NULL;
      g_autoptr (GError) error = NULL;

      import->blocks = 1;
      import->threads = 64;
      if (cases[i].branch != NULL)
        g_ptr_array_add (import->branches, g_strdup (cases[i].branch));
      kernel = idg_ptx_parse (text, strlen (text), "k.ptx", import, &error);
      ck_assert_msg (kernel != NULL, "%s", error != NULL ? error->message : "");
      ck_assert_uint_eq (import->notes->len, cases[i].notes);
      ck_assert_uint_eq (count_warnings (kernel, "loop-not-entered"), cases[i].warnings);
    }
}
END_TEST

START_TEST (a_jump_behind_the_exit_is_no_half_round)
{
  static const gchar body[]
      = "L: abs.s32 %r2, %r2; setp.eq.s32 %p1, %r2, 9; @%p1 bra E; bra.uni L; E: ";

  for (guint n = 0; n < 4; n++)
    {
      g_autofree gchar *option = g_strdup_printf ("trip L=%u", n);
      g_autofree gchar *wanted = g_strdup_printf ("%u", n);
      g_autofree gchar *counts = count_abs (body, 64, 0, option);

      ck_assert_str_eq (counts, wanted);
    }
}
END_TEST

#define IF(condition)                                                                              \
  "mov.u32 %r1, %tid.x; mov.u32 %r5, %tid.y; mov.u32 %r6, %ntid.x;\n" condition                    \
  " @!%p1 bra E; abs.s32 %r2, %r2; E: "

/* Four warps. */
START_TEST (the_threads_of_a_warp_decide)
{
  static const struct
  {
    const gchar *body;
    gint64 x, y;
    const gchar *counts;
  } cases[] = {
    { IF ("setp.lt.u32 %p1, %r1, 32;"), 128, 0, "1 0" },
    { IF ("setp.eq.u32 %p1, %r1, 0;"), 128, 0, "1 0" },
    { IF ("setp.lt.u32 %p1, %r1, 128;"), 128, 0, "1" },
    { IF ("setp.lt.u32 %p1, %r1, 40;"), 128, 0, "1 1 0" }, /* all, some, none */
    { IF ("setp.lt.u32 %p1, %r5, 2;"), 16, 8, "1 0" },
    { IF ("setp.lt.u32 %p1, %r5, 3;"), 16, 8, "1 1 0" },
    { IF ("setp.lt.u32 %p1, %r1, 8;"), 16, 8, "1" }, /* some lanes of each */
    { IF ("and.b32 %r3, %r1, 32; setp.ne.u32 %p1, %r3, 0;"), 128, 0, "0 1" },
    { IF ("shr.u32 %r3, %r6, 1; setp.lt.u32 %p1, %r1, %r3;"), 128, 0, "1 0" },
    { IF ("setp.lt.u32 %p2, %r1, 64; setp.gt.u32 %p3, %r1, 31; and.pred %p1, %p2, %p3;"), 128, 0,
      "0 1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *counts = count_abs (cases[i].body, cases[i].x, cases[i].y, "");

      ck_assert_msg (strcmp (counts, cases[i].counts) == 0, "%s: %s", cases[i].body, counts);
    }
}
END_TEST

START_TEST (rounds_may_differ)
{
  /* for (i = 0; i < 7; i++) if (i % 2) abs; for (i = tid; i < 100; i += 32) abs; a tree */
  static const gchar odd[] = "mov.u32 %r1, 0; L: and.b32 %r3, %r1, 1; setp.eq.u32 %p2, %r3, 0;\n"
                             "@%p2 bra E; abs.s32 %r2, %r2; E: add.s32 %r1, %r1, 1;\n"
                             "setp.lt.u32 %p1, %r1, 7; @%p1 bra L; ";
  static const gchar strided[] = "mov.u32 %r1, %tid.x; mov.u32 %r3, %ntid.x;\n"
                                 "L: abs.s32 %r2, %r2; add.s32 %r1, %r1, %r3;\n"
                                 "setp.lt.u32 %p1, %r1, 300; @%p1 bra L; ";
  static const gchar tree[] = "mov.u32 %r1, %tid.x; mov.u32 %r3, %ntid.x; shr.u32 %r4, %r3, 1;\n"
                              "L: setp.ge.u32 %p2, %r1, %r4; @%p2 bra E; abs.s32 %r2, %r2;\n"
                              "E: bar.sync 0; shr.u32 %r4, %r4, 1; setp.ne.u32 %p1, %r4, 0;\n"
                              "@%p1 bra L; ";
  g_autofree gchar *odd_rounds = count_abs (odd, 64, 0, "");
  g_autofree gchar *strided_rounds = count_abs (strided, 128, 0, "");
  g_autofree gchar *tree_rounds = count_abs (tree, 256, 0, "");
  g_autofree gchar *small_tree = count_abs (tree, 32, 0, "");

  ck_assert_str_eq (odd_rounds, "3");
  ck_assert_str_eq (strided_rounds,
                    "3 2"); /* warps 0 and 1 have threads up to 43, which run once more */
  ck_assert_str_eq (tree_rounds, "8 2 1 0");
  ck_assert_str_eq (small_tree, "5");
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("ptx");
  TCase *tests = tcase_create ("ptx");

  tcase_add_test (tests, each_opcode_that_real_code_has_is_known);
  tcase_add_test (tests, the_longest_row_that_fits_an_opcode_is_its_own);
  tcase_add_test (tests, a_type_is_the_last_one_of_an_opcode);
  tcase_add_test (tests, the_first_operand_is_written_and_the_others_are_read);
  tcase_add_test (tests, an_address_is_read_wherever_it_stands);
  tcase_add_test (tests, a_predicate_is_a_register_like_any_other);
  tcase_add_test (tests, a_guarded_write_leaves_what_was_there_before);
  tcase_add_test (tests, a_carry_goes_from_cc_to_c);
  tcase_add_test (tests, both_parts_of_a_pair_are_written);
  tcase_add_test (tests, lists_of_registers_are_read_or_written_whole);
  tcase_add_test (tests, an_accumulator_in_place_is_read_too);
  tcase_add_test (tests, a_vector_register_has_components);
  tcase_add_test (tests, barriers_are_nodes_of_their_own);
  tcase_add_test (tests, barriers_have_names_and_numbers_of_warps);
  tcase_add_test (tests, a_barrier_in_a_register_is_noted);
  tcase_add_test (tests, waits_for_copies_name_them);
  tcase_add_test (tests, a_wait_for_more_than_it_names_is_noted);
  tcase_add_test (tests, what_is_not_modelled_makes_a_lower_bound);
  tcase_add_test (tests, what_does_not_run_is_warned_of);
  tcase_add_test (tests, a_scope_hides_registers_and_labels_of_the_same_name);
  tcase_add_test (tests, the_longest_range_that_has_a_register_is_its_own);
  tcase_add_test (tests, a_call_is_inlined_with_moves_for_what_it_passes);
  tcase_add_test (tests, registers_are_passed_too);
  tcase_add_test (tests, structures_are_passed_by_their_parts);
  tcase_add_test (tests, a_label_of_one_call_or_of_all_is_told);
  tcase_add_test (tests, more_threads_than_a_listing_allows_are_noted);
  tcase_add_test (tests, errors_list_the_labels_of_each_call);
  tcase_add_test (tests, what_is_told_of_a_warp_itself_comes_first);
  tcase_add_test (tests, calls_nest_and_each_has_registers_of_its_own);
  tcase_add_test (tests, a_constant_that_is_passed_counts_a_loop);
  tcase_add_test (tests, a_loop_is_entered_whatever_its_guard_looks_like);
  tcase_add_test (tests, a_loop_that_nobody_enters_is_a_warning);
  tcase_add_test (tests, a_jump_behind_the_exit_is_no_half_round);
  tcase_add_test (tests, the_threads_of_a_warp_decide);
  tcase_add_test (tests, rounds_may_differ);
  tcase_add_test (tests, a_return_in_the_middle_goes_behind_the_call);
  tcase_add_test (tests, a_call_without_a_body_is_one_instruction_with_a_note);
  tcase_add_test (tests, what_never_ends_or_is_too_much_is_refused);
  if (check_get_size (1, 0) > 0)
    tcase_add_test (tests, calls_that_multiply_are_refused_before_they_do);
  tcase_add_test (tests, constant_bounds_count_loops);
  tcase_add_test (tests, the_size_of_a_block_is_a_constant_where_the_code_asks_for_it);
  tcase_add_test (tests, shared_memory_is_what_the_kernel_names_or_declares);
  tcase_add_test (tests, dynamic_shared_memory_is_noted);
  tcase_add_test (tests, one_of_several_kernels_is_chosen);
  tcase_add_test (tests, source_lines_stand_before_the_text);
  tcase_add_test (tests, indexed_branches_have_all_targets_of_their_list);
  tcase_add_test (tests, unknown_instructions_write_their_first_operand);
  tcase_add_test (tests, files_are_known_by_name_or_by_their_first_words);
  tcase_add_test (tests, registers_and_shared_memory_are_read_from_ptxas);
  tcase_add_test (tests, a_log_of_targets_that_differ_is_refused);
  suite_add_tcase (suite, tests);
  return suite;
}
