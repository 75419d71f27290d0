/* SPDX-License-Identifier: MIT */
/* Names of instructions: their canonical names, that the tables are complete, and that canonical
 * names lose no value of a shipped GPU. */
#include "config.h"

#include "idg/import/ops/idg-ops-private.h"
#include "sim/gpu/wp-gpu.h"

#include <string.h>

#include "tests/check-main.h"

/* ---- PTX ---- */

static void
check_ptx (const gchar *mnemonic, const gchar *expected)
{
  gboolean known;
  g_autofree gchar *name = idg_ops_canonize_ptx (mnemonic, &known);

  ck_assert_str_eq (name, expected);
  ck_assert_msg (known, "%s is not known", mnemonic);
}

START_TEST (what_does_not_cost_time_is_dropped)
{
  check_ptx ("fma.rn.ftz.sat.f32", "fma.f32");
  check_ptx ("setp.ge.and.ftz.f32", "setp.f32");
  check_ptx ("setp.lo.u32", "setp.u32");
  check_ptx ("set.lt.xor.u32.f32", "set.u32.f32");
  check_ptx ("cvt.rzi.ftz.s32.f32", "cvt.s32.f32");
  check_ptx ("cvta.to.global.u64", "cvta.u64");
  check_ptx ("ld.relaxed.gpu.global.L1::no_allocate.L2::128B.v4.f32", "ld.global.v4.f32");
  check_ptx ("ld.volatile.shared::cta.u32", "ld.shared.u32");
  check_ptx ("ld.param::entry.u64", "ld.param.u64");
  check_ptx ("ld.const[2].f32", "ld.const.f32");
  check_ptx ("ld.global.nc.u8", "ld.global.u8");
  check_ptx ("st.wt.global.u32", "st.global.u32");
  check_ptx ("atom.acq_rel.cta.shared.cas.b32", "atom.shared.cas.b32");
  check_ptx ("min.xorsign.abs.f16x2", "min.f16x2");
  check_ptx ("max.NaN.f32", "max.f32");
  check_ptx ("bra.uni", "bra");
  check_ptx ("rcp.rn.f32", "rcp.f32");
  check_ptx ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
             "mma.sync.m16n8k16.f32.f16.f16.f32");
  check_ptx ("cp.async.cg.shared::cta.global.L2::128B", "cp.async.cg.shared.global");
  check_ptx ("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
             "mma.sp.sync.m16n8k32.f32.f16.f16.f32");
  check_ptx ("mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e5m2.f32",
             "mma.sync.m16n8k32.f32.e4m3.e5m2.f32");
  check_ptx ("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16",
             "wmma.mma.sync.m16n16k16.f32.f16.f16.f16");
  check_ptx ("wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32",
             "wmma.mma.sync.m16n16k16.f32.bf16.bf16.f32");
  check_ptx ("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16",
             "wmma.load.a.sync.m16n16k16.shared.f16");
  check_ptx ("ldmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16",
             "ldmatrix.sync.m8n8.x4.trans.shared.b16");
}
END_TEST

START_TEST (what_makes_another_instruction_stays)
{
  check_ptx ("rcp.approx.ftz.f64", "rcp.approx.f64");
  check_ptx ("div.full.f32", "div.full.f32");
  check_ptx ("mad.lo.cc.u32", "mad.lo.cc.u32");
  check_ptx ("mul.wide.s16", "mul.wide.s16");
  check_ptx ("mul.hi.u64", "mul.hi.u64");
  check_ptx ("atom.global.and.b32", "atom.global.and.b32");
  check_ptx ("red.global.min.s32", "red.global.min.s32");
  check_ptx ("vote.sync.uni.pred", "vote.sync.uni.pred");
  check_ptx ("shfl.sync.up.b32", "shfl.sync.up.b32");
  check_ptx ("ld.shared::cluster.u32", "ld.shared::cluster.u32");
  check_ptx ("barrier.cluster.arrive.release.aligned", "barrier.cluster.arrive");
  check_ptx ("abs.f64", "abs.f64");
  check_ptx ("ld.f32", "ld.f32");
}
END_TEST

START_TEST (words_after_dots_are_known)
{
  static const struct
  {
    const gchar *word;
    IdgSuffixKind kind;
    guint bits;
  } cases[] = {
    { "", IDG_SUFFIX_NONE, 0 },
    { "f32", IDG_SUFFIX_TYPE, 32 },
    { "bf16x2", IDG_SUFFIX_TYPE, 32 },
    { "pred", IDG_SUFFIX_TYPE, 0 },
    { "e4m3", IDG_SUFFIX_TYPE, 8 },
    { "e2m1x4", IDG_SUFFIX_TYPE, 16 },
    { "ue8m0", IDG_SUFFIX_TYPE, 8 },
    { "tf32", IDG_SUFFIX_TYPE, 32 },
    { "b128", IDG_SUFFIX_TYPE, 128 },
    { "v4", IDG_SUFFIX_VECTOR, 0 },
    { "wide", IDG_SUFFIX_WIDTH, 0 },
    { "m16n8k16", IDG_SUFFIX_WIDTH, 0 },
    { "m8n8", IDG_SUFFIX_WIDTH, 0 },
    { "16x256b", IDG_SUFFIX_WIDTH, 0 },
    { "x4", IDG_SUFFIX_WIDTH, 0 },
    { "ftz", IDG_SUFFIX_MODIFIER, 0 },
    { "L2::128B", IDG_SUFFIX_MODIFIER, 0 },
    { "global", IDG_SUFFIX_INSTRUCTION, 0 },
    { "shared::cluster", IDG_SUFFIX_INSTRUCTION, 0 },
    { "approx", IDG_SUFFIX_INSTRUCTION, 0 },
    { "f46", IDG_SUFFIX_UNKNOWN, 0 },
    { "m16n8k", IDG_SUFFIX_UNKNOWN, 0 },
    { "m16k8n8", IDG_SUFFIX_UNKNOWN, 0 },
    { "sheared", IDG_SUFFIX_UNKNOWN, 0 },
    { "F32", IDG_SUFFIX_UNKNOWN, 0 },
  };

  ck_assert_int_eq (idg_ops_suffix_kind (NULL), IDG_SUFFIX_NONE);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      ck_assert_msg (idg_ops_suffix_kind (cases[i].word) == cases[i].kind, "%s", cases[i].word);
      ck_assert_msg (idg_ops_suffix_bits (cases[i].word) == cases[i].bits, "%s", cases[i].word);
    }
  ck_assert_str_eq (idg_ops_suffix_nearest ("f46"), "f64");
  ck_assert_str_eq (idg_ops_suffix_nearest ("sheared"), "shared");
  ck_assert_str_eq (idg_ops_suffix_nearest ("gloabl"), "global");
  ck_assert_str_eq (idg_ops_suffix_nearest ("V4"), "v4");
}
END_TEST

START_TEST (memory_is_known_by_name)
{
  static const struct
  {
    const gchar *op;
    IdgOpsSpace space;
  } cases[] = {
    { "ld.global.v4.f32", IDG_OPS_GLOBAL },
    { "st.f32", IDG_OPS_GLOBAL },
    { "atom.global.add.u32", IDG_OPS_GLOBAL },
    { "red.shared.add.u32", IDG_OPS_SHARED },
    { "st.shared::cluster.u32", IDG_OPS_SHARED },
    { "ldmatrix.sync.m8n8.x4.b16", IDG_OPS_SHARED },
    { "wmma.load.a.sync.m16n16k16.shared.f16", IDG_OPS_SHARED },
    { "wmma.store.d.sync.m16n16k16.f32", IDG_OPS_GLOBAL },
    { "cp.async.ca.shared.global.b32", IDG_OPS_GLOBAL },
    { "cp.async.bulk.tensor.shared::cluster.global", IDG_OPS_NO_SPACE },
    { "ld.local.u32", IDG_OPS_NO_SPACE },
    { "ld.param.u64", IDG_OPS_NO_SPACE },
    { "ld.const.u32", IDG_OPS_NO_SPACE },
    { "mma.sync.m16n8k16.f32.f16.f16.f32", IDG_OPS_NO_SPACE },
    { "add.f32", IDG_OPS_NO_SPACE },
    { "memory", IDG_OPS_NO_SPACE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    ck_assert_msg (idg_ops_get_space (cases[i].op) == cases[i].space, "%s", cases[i].op);
}
END_TEST

START_TEST (what_no_description_has_is_known)
{
  static const gchar *const cases[][2] = {
    { "mbarrier.try_wait.parity.shared.b64", "waits through mbarrier" },
    { "cp.async.mbarrier.arrive.noinc.shared.b64", "waits through mbarrier" },
    { "cp.async.bulk.wait_group.read", "bulk copies" },
    { "cp.async.bulk.tensor.2d.shared::cluster.global.tile", "bulk copies" },
    { "cp.reduce.async.bulk.global.shared.add.u32", "bulk copies" },
    { "st.bulk.shared", "bulk copies" },
    { "st.async.shared::cluster.u32", "clusters" },
    { "red.async.shared", "asynchronous stores" },
    { "wgmma.wait_group.sync", "wgmma" },
    { "tcgen05.mma.kind::f16", "tcgen05" },
    { "mapa.u64", "clusters" },
    { "ld.shared::cluster.u32", "clusters" },
    { "barrier.cluster.arrive", "clusters" },
    { "griddepcontrol.wait", "waits for other grids" },
    { "nanosleep.u32", "nanosleep" },
    { "call", "calls of functions that the listing lacks" },
    { "cp.async.cg.shared.global.b128", NULL },
    { "cp.async.commit_group", NULL },
    { "cp.async.wait_group", NULL },
    { "cp.async.wait_all", NULL },
    { "mma.sync.m16n8k16.f32.f16.f16.f32", NULL },
    { "membar", NULL },
    { "ld.shared.u32", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const gchar *what = idg_ops_get_unmodelled (cases[i][0]);

      ck_assert_msg (g_strcmp0 (what, cases[i][1]) == 0, "%s: %s", cases[i][0], what);
    }
}
END_TEST

START_TEST (waits_for_copies_are_issue_slots)
{
  ck_assert_str_eq (idg_ops_get_representative ("cp.async.commit_group"), "nop");
  ck_assert_str_eq (idg_ops_get_representative ("cp.async.wait_group"), "nop");
  ck_assert_str_eq (idg_ops_get_representative ("cp.async.wait_all"), "nop");
  ck_assert_str_eq (idg_ops_get_representative ("wgmma.commit_group.sync"), "nop");
  ck_assert_str_eq (idg_ops_get_representative ("barrier.cluster.arrive"), "nop");
  ck_assert_str_eq (idg_ops_get_representative ("fence.proxy.async"), "nop");
  ck_assert_str_eq (idg_ops_get_representative ("membar"), "nop");
  ck_assert_ptr_null (idg_ops_get_representative ("wgmma.mma_async.sync.m64n256k16.f32.f16"));
  ck_assert_ptr_null (idg_ops_get_representative ("cp.async.cg.shared.global.b128"));
  ck_assert_ptr_null (idg_ops_get_representative ("cp.async.bulk.wait_group"));
}
END_TEST

START_TEST (arithmetic_in_floating_point_is_known)
{
  static const struct
  {
    const gchar *op;
    gboolean is;
  } cases[] = {
    { "fma.f32", TRUE },
    { "add.f64", TRUE },
    { "rcp.approx.f32", TRUE },
    { "fma.bf16x2", TRUE },
    { "mma.sync.m16n8k16.f32.f16.f16.f32", TRUE },
    { "wgmma.mma_async.sync.m64n8k16.f16.f16.f16", TRUE },
    { "add.s32", FALSE },
    { "mad.lo.u32", FALSE },
    { "setp.f32", FALSE },
    { "testp.f32", FALSE },
    { "cvt.f32.s32", FALSE },
    { "mov.f32", FALSE },
    { "ld.global.f32", FALSE },
    { "wgmma.fence.sync", FALSE },
    { "compute", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    ck_assert_msg (idg_ops_is_floating_point (cases[i].op) == cases[i].is, "%s", cases[i].op);
}
END_TEST

/* Whatever a table of names or a description has is a word that is known. */
static void
check_words (const gchar *op)
{
  g_auto (GStrv) words = g_strsplit (op, ".", -1);

  for (gchar **word = words + 1; *words != NULL && *word != NULL; word++)
    ck_assert_msg (idg_ops_suffix_kind (*word) != IDG_SUFFIX_UNKNOWN, "%s: %s", op, *word);
}

START_TEST (any_text_gives_a_name)
{
  static const gchar *const texts[]
      = { "", ".", "..", "...", "fma.", ".f32", "\x80.\xff", "a b.c d" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      gboolean known;
      g_autofree gchar *name = idg_ops_canonize_ptx (texts[i], &known);

      ck_assert_ptr_nonnull (name);
      ck_assert_msg (strlen (name) <= strlen (texts[i]), "%s became longer", texts[i]);
    }
}
END_TEST

/* ---- SASS ---- */

typedef struct
{
  const gchar *opcode, *op; /* NULL: a barrier */
  guint dest, a, b, c, address, bytes;
} Sass;

START_TEST (modifiers_change_names_and_widths)
{
  static const Sass cases[] = {
    { "FFMA.FTZ.RM", "fma.f32", 1, 1, 1, 1, 1, 0 },
    { "DFMA", "fma.f64", 2, 2, 2, 2, 1, 0 },
    { "DSETP.GT.AND", "setp.f64", 0, 2, 2, 2, 1, 0 },
    { "HFMA2.BF16_V2", "fma.bf16x2", 1, 1, 1, 1, 1, 0 },
    { "HADD2.F32", "cvt.f32.f16", 1, 1, 1, 1, 1, 0 },
    { "IMAD", "mad.lo.s32", 1, 1, 1, 1, 1, 0 },
    { "IMAD.WIDE.U32", "mad.wide.u32", 2, 1, 1, 2, 1, 0 },
    { "IMAD.HI.U32", "mad.hi.u32", 1, 1, 1, 2, 1, 0 },
    { "IMAD.MOV.U32", "mov.u32", 1, 1, 1, 1, 1, 0 },
    { "IMAD.SHL.U32", "shl.b32", 1, 1, 1, 1, 1, 0 },
    { "UIADD3.64", "add.s64", 2, 2, 2, 2, 1, 0 },
    { "IADD3.X", "addc.s32", 1, 1, 1, 1, 1, 0 },
    { "ISETP.GE.U32.AND", "setp.u32", 0, 1, 1, 1, 1, 0 },
    { "SHF.R.U32.HI", "shf.r.b32", 1, 1, 1, 1, 1, 0 },
    { "LOP.XOR", "xor.b32", 1, 1, 1, 1, 1, 0 },
    { "MUFU.RSQ", "rsqrt.approx.f32", 1, 1, 1, 1, 1, 0 },
    { "MUFU.RCP64H", "rcp.approx.f64", 1, 1, 1, 1, 1, 0 },
    { "F2F.F64.F32", "cvt.f64.f32", 2, 1, 1, 1, 1, 0 },
    { "F2F.F32.F64", "cvt.f32.f64", 1, 2, 2, 2, 1, 0 },
    { "I2F.F64", "cvt.f64.s32", 2, 1, 1, 1, 1, 0 },
    { "I2F.U64.RP", "cvt.f32.u64", 1, 2, 2, 2, 1, 0 },
    { "F2I.FTZ.U32.TRUNC.NTZ", "cvt.u32.f32", 1, 1, 1, 1, 1, 0 },
    { "F2I.S64.F64.TRUNC", "cvt.s64.f64", 2, 2, 2, 2, 1, 0 },
    { "FRND.F64.FLOOR", "cvt.f64.f64", 2, 2, 2, 2, 1, 0 },
    { "LDG.E.128.SYS", "ld.global.v4.u32", 4, 1, 1, 1, 2, 16 },
    { "LDG.E.U8.CONSTANT", "ld.global.u8", 1, 1, 1, 1, 2, 1 },
    { "LD", "ld.global.u32", 1, 1, 1, 1, 1, 4 },
    { "LDS.U.64", "ld.shared.v2.u32", 2, 1, 1, 1, 1, 8 },
    { "STG.E.64", "st.global.v2.u32", 0, 2, 2, 2, 2, 8 },
    { "LDSM.16.MT88.4", "ldmatrix.sync.m8n8.x4.trans.shared.b16", 4, 1, 1, 1, 1, 16 },
    { "LDGSTS.E.BYPASS.128", "cp.async.cg.shared.global.b128", 0, 1, 1, 1, 2, 16 },
    { "LDGSTS.E.64", "cp.async.ca.shared.global.b64", 0, 1, 1, 1, 2, 8 },
    { "LDGSTS.E", "cp.async.ca.shared.global.b32", 0, 1, 1, 1, 2, 4 },
    { "ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU", "atom.global.add.f32", 1, 1, 1, 1, 2, 4 },
    { "ATOMS.CAS.64", "atom.shared.cas.b64", 2, 2, 2, 2, 1, 8 },
    { "ATOMS.POPC.INC.32", "atom.shared.add.u32", 1, 1, 1, 1, 1, 4 },
    { "RED.E.MIN.S32.STRONG.GPU", "red.global.min.s32", 0, 1, 1, 1, 2, 4 },
    { "HMMA.16816.F32", "mma.sync.m16n8k16.f32.f16.f16.f32", 4, 4, 2, 4, 1, 0 },
    { "HMMA.16816.F16", "mma.sync.m16n8k16.f16.f16.f16.f16", 2, 4, 2, 2, 1, 0 },
    { "HMMA.1688.F32.TF32", "mma.sync.m16n8k8.f32.tf32.tf32.f32", 4, 4, 2, 4, 1, 0 },
    { "HMMA.16832.F32.SP", "mma.sp.sync.m16n8k32.f32.f16.f16.f32", 4, 4, 4, 4, 1, 0 },
    { "QMMA.16832.F32.E4M3.E5M2", "mma.sync.m16n8k32.f32.e4m3.e5m2.f32", 4, 4, 2, 4, 1, 0 },
    { "IMMA.16832.U8.S8.SAT", "mma.sync.m16n8k32.s32.u8.s8.s32", 4, 4, 2, 4, 1, 0 },
    { "BMMA.168256.XOR.POPC", "mma.sync.m16n8k256.s32.b1.b1.s32.xor.popc", 4, 4, 2, 4, 1, 0 },
    { "VOTE.ANY", "vote.sync.any.pred", 1, 0, 0, 0, 1, 0 },
    { "HMMA.884.F32.F32.STEP0", "mma.sync.m8n8k4.step.f32.f16.f16.f32", 2, 2, 2, 2, 1, 0 },
    { "IMMA.8816.S8.S8", "mma.sync.m8n8k16.s32.s8.s8.s32", 2, 1, 1, 2, 1, 0 },
    { "DMMA.884", "mma.sync.m8n8k4.f64.f64.f64.f64", 4, 2, 2, 4, 1, 0 },
    { "DMMA.8x8x4", "mma.sync.m8n8k4.f64.f64.f64.f64", 4, 2, 2, 4, 1, 0 },
    { "DMMA.16x8x16", "mma.sync.m16n8k16.f64.f64.f64.f64", 8, 16, 8, 8, 1, 0 },
    { "HGMMA.64x128x16.F32", "wgmma.mma_async.sync.m64n128k16.f32.f16.f16", 64, 4, 4, 64, 1, 0 },
    { "CS2R", "mov.u64", 2, 1, 1, 1, 1, 0 },
    { "CS2R.32", "mov.u32", 1, 1, 1, 1, 1, 0 },
    { "BAR.SYNC.DEFER_BLOCKING", NULL, 0, 0, 0, 0, 1, 0 },
    { "BAR.RED.POPC", NULL, 0, 0, 0, 0, 1, 0 },
    { "BAR.ARV", "bar.arrive", 0, 0, 0, 0, 1, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Sass *expected = &cases[i];
      IdgSassOp op;

      ck_assert_msg (idg_ops_find_sass (expected->opcode, &op), "%s", expected->opcode);
      ck_assert_msg (g_strcmp0 (op.op, expected->op) == 0, "%s is %s", expected->opcode, op.op);
      ck_assert_msg (
          op.dest_registers == expected->dest && op.operand_registers[0] == expected->a
              && op.operand_registers[1] == expected->b && op.operand_registers[2] == expected->c
              && op.address_registers == expected->address && op.bytes == expected->bytes,
          "%s: %u; %u, %u, %u; address %u, %u bytes", expected->opcode, op.dest_registers,
          op.operand_registers[0], op.operand_registers[1], op.operand_registers[2],
          op.address_registers, op.bytes);
      ck_assert_uint_eq (op.source_registers, op.operand_registers[0]);
    }
}
END_TEST

START_TEST (an_unknown_opcode_is_guessed)
{
  static const gchar *const cases[][2] = {
    { "FNEW.FTZ", "add.f32" },
    { "DNEW", "add.f64" },
    { "LDNEW.E.64", "ld.global.v2.u32" },
    { "STSNEW", "st.shared.u32" },
    { "UFMNMX3", "min.f32" },
    { "ATOMNEW.ADD", "atom.global.add.u32" },
    { "QQQ", "add.s32" },
    { "", "add.s32" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      IdgSassOp op;

      ck_assert_msg (!idg_ops_find_sass (cases[i][0], &op), "%s", cases[i][0]);
      ck_assert_str_eq (op.op, cases[i][1]);
    }
}
END_TEST

/* Absurd names are neither slow nor an endless source of new names. */
START_TEST (hostile_opcodes_are_bounded)
{
  g_autoptr (GString) opcode = g_string_new ("LDG");
  IdgSassOp op;

  for (guint i = 0; i < 100000; i++)
    g_string_append (opcode, ".64");
  ck_assert (idg_ops_find_sass (opcode->str, &op));
  ck_assert (idg_ops_find_sass ("HGMMA.64x99999999999999999999x16", &op));
  ck_assert_uint_le (op.dest_registers, 128);
  ck_assert (idg_ops_find_sass ("HMMA.168999999999999999999", &op));
  ck_assert (idg_ops_find_sass ("LDTM.x4294967295", &op));
  ck_assert_uint_le (op.dest_registers, 128);
}
END_TEST

START_TEST (every_opcode_is_named_as_ptx_that_is_known)
{
  for (gsize i = 0; i < idg_ops_n_sass; i++)
    {
      const gchar *name = idg_ops_sass[i].name;
      IdgSassOp op;
      gboolean known = TRUE;
      g_autofree gchar *canonical = NULL;

      ck_assert_msg (i == 0 || strcmp (idg_ops_sass[i - 1].name, name) < 0, "order: %s", name);
      ck_assert_msg (idg_ops_find_sass (name, &op), "%s", name);
      if (op.op)
        check_words (op.op);
      if (op.op)
        canonical = idg_ops_canonize_ptx (op.op, &known);
      ck_assert_msg (known && g_strcmp0 (op.op, canonical) == 0, "%s: %s, %s", name, op.op,
                     canonical);
    }
  for (gsize i = 1; i < idg_ops_n_ptx; i++)
    ck_assert_msg (strcmp (idg_ops_ptx[i - 1].name, idg_ops_ptx[i].name) < 0, "order: %s",
                   idg_ops_ptx[i].name);
}
END_TEST

/* ---- Shipped GPUs ---- */

static GPtrArray *
load_gpus (void)
{
  GPtrArray *gpus = g_ptr_array_new_with_free_func ((GDestroyNotify)wp_gpu_free);
  g_autofree gchar *folder = g_build_filename (g_getenv ("WARPIPE_DATA_DIR"), "configs", NULL);
  GDir *files = g_dir_open (folder, 0, NULL);
  const gchar *name;

  ck_assert_ptr_nonnull (files);
  while ((name = g_dir_read_name (files)))
    {
      g_autofree gchar *path = g_build_filename (folder, name, NULL);
      g_autoptr (GError) error = NULL;
      WpGpu *gpu;

      if (!g_str_has_suffix (name, ".xml"))
        continue;
      gpu = wp_gpu_load (path, NULL, &error);
      ck_assert_msg (gpu != NULL, "%s", error ? error->message : "");
      g_ptr_array_add (gpus, gpu);
    }
  g_dir_close (files);
  ck_assert_uint_gt (gpus->len, 0);
  return gpus;
}

static gboolean
costs_the_same (const WpGpuOp *a, const WpGpuOp *b)
{
  WpGpuCost costs[2];

  if (a->pipeline != b->pipeline || a->contexts->len != b->contexts->len)
    return FALSE;
  for (gint i = -1; i < (gint)a->contexts->len; i++)
    {
      const WpGpuContext *context = i < 0 ? NULL : g_ptr_array_index (a->contexts, i);
      g_autofree gchar *name = context ? g_strdup (context->name) : NULL;

      if (name)
        g_strdelimit (name, "*", '3');
      if (!wp_gpu_op_cost (a, name, &costs[0], NULL) || !wp_gpu_op_cost (b, name, &costs[1], NULL)
          || wp_cycles_compare (costs[0].issue, costs[1].issue) != 0
          || wp_cycles_compare (costs[0].completion, costs[1].completion) != 0
          || costs[0].bytes != costs[1].bytes)
        return FALSE;
    }
  return TRUE;
}

/* Names without a type represent all that begin so: rcp.rn.ftz is for rcp.rn.ftz.f32. */
static gchar *
complete (const gchar *name)
{
  const gchar *last = strrchr (name, '.');

  last = last ? last + 1 : name;
  if (last[0] && strchr ("fsub", last[0]) && g_ascii_isdigit (last[1]))
    return g_strdup (name);
  if (strcmp (last, "xorsign") == 0)
    return g_strconcat (name, ".abs.f32", NULL);
  return strchr (name, '.') ? g_strconcat (name, ".f32", NULL) : g_strdup (name);
}

START_TEST (canonical_names_find_the_same_figures)
{
  g_autoptr (GPtrArray) gpus = load_gpus ();

  for (guint i = 0; i < gpus->len; i++)
    {
      const WpGpu *gpu = g_ptr_array_index (gpus, i);

      for (guint j = 0; j < gpu->ops->len; j++)
        {
          const WpGpuOp *op = g_ptr_array_index (gpu->ops, j);
          g_autofree gchar *name = complete (op->name);
          g_autofree gchar *canonical = idg_ops_canonize_ptx (name, NULL);
          const WpGpuOp *found = wp_gpu_look_up_op (gpu, canonical);

          check_words (op->name);
          ck_assert_msg (found != NULL, "%s: %s is %s, which it lacks", gpu->name, name, canonical);
          ck_assert_msg (costs_the_same (wp_gpu_look_up_op (gpu, name), found),
                         "%s: %s is %s, with figures of its own", gpu->name, name, found->name);
        }
    }
}
END_TEST

START_TEST (every_name_has_something_near_on_every_gpu)
{
  g_autoptr (GPtrArray) gpus = load_gpus ();

  for (guint i = 0; i < gpus->len; i++)
    for (gsize j = 0; j < idg_ops_n_ptx; j++)
      {
        const WpGpuOp *found = NULL;

        if (idg_ops_is_own_kind (idg_ops_ptx[j].name))
          continue;
        for (const gchar *const *name = idg_ops_get_nearest (idg_ops_ptx[j].name); *name && !found;
             name++)
          found = wp_gpu_look_up_op (g_ptr_array_index (gpus, i), *name);
        ck_assert_msg (found != NULL, "%s: %s", ((WpGpu *)g_ptr_array_index (gpus, i))->name,
                       idg_ops_ptx[j].name);
      }
}
END_TEST

START_TEST (atomics_and_their_like_may_take_a_slot)
{
  static const gchar *const may[]
      = { "atom.global.add.f32", "red.shared.add.u32", "match.any.sync.b32", "redux.sync.add.s32",
          "vote.sync.any",       "activemask.b32",     "elect.sync" };
  static const gchar *const may_not[] = { "mma.sync.m16n8k16.f32.f16.f16.f32",
                                          "wmma.mma.sync.m16n16k16.f32.f16.f16.f32",
                                          "ldmatrix.sync.m8n8.x4.shared.b16",
                                          "stmatrix.sync.m8n8.x4.shared.b16",
                                          "movmatrix.sync.m8n8.trans.b16",
                                          "shfl.sync.bfly.b32",
                                          "cp.async.cg.shared.global.b128",
                                          "fma.f32",
                                          "what.f32" };

  for (guint i = 0; i < G_N_ELEMENTS (may); i++)
    ck_assert_msg (idg_ops_may_take_a_slot (may[i]), "%s", may[i]);
  for (guint i = 0; i < G_N_ELEMENTS (may_not); i++)
    ck_assert_msg (!idg_ops_may_take_a_slot (may_not[i]), "%s", may_not[i]);
}
END_TEST

START_TEST (nearest_is_by_class)
{
  static const gchar *const cases[][2] = {
    { "fma.f64", "fma.f64" },
    { "atom.global.add.u32", "atom.global.add.u32" },
    { "ld.f32", "ld.global.u32" },
    { "ld.shared::cluster.u32", "ld.shared.u32" },
    { "ld.local.u32", "ld.global.u32" },
    { "st.local.u32", "st.global.u32" },
    { "div.approx.f32", "div.full.f32" },
    { "popc.b32", "popc.b32" },
    { "membar", "nop" },
    { "set.f32.f64", "setp.f64" },
    { "what.f32", "add.s32" },
    { "memory", "memory" },
    { "cp.async.bulk.tensor.global.shared", "nop" },
    { "cp.async.wait_group", "nop" },
    { "cp.async.cg.shared.global.b128", NULL },
    { "shfl.sync.up.b32", "shfl.sync.idx.b32" },
    { "vote.sync.ballot.b32", "vote.sync.any" },
    { "match.any.sync.b32", NULL },
    { "redux.sync.add.s32", NULL },
    { "ldmatrix.sync.m8n8.x4.shared.b16", NULL },
    { "stmatrix.sync.m8n8.x4.shared.b16", NULL },
    { "movmatrix.sync.m8n8.trans.b16", NULL },
    { "atom.shared.cas.b32", "atom.shared.add.u32" },
    { "mbarrier.try_wait.shared.b64", "nop" },
    { "mma.sync.m16n8k16.f32.f16.f16.f32", NULL },
    { "wmma.mma.sync.m16n16k16.f32.f16.f16.f32", NULL },
    { "wmma.load.a.sync.m16n16k16.global.f16", NULL },
    { "wmma.store.d.sync.m16n16k16.global.f32", NULL },
    { "wgmma.mma_async.sync.m64n64k16.f32.f16.f16", "nop" },
    { "wgmma.fence.sync", "nop" },
    { "wgmma.wait_group.sync", "nop" },
    { "tcgen05.mma.cta_group::1.kind::f16", "nop" },
    { "tcgen05.ld.sync.32x32b.x2.b32", "nop" },
    { "tcgen05.commit", "nop" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const gchar *nearest = idg_ops_get_nearest (cases[i][0])[0];

      ck_assert_msg (g_strcmp0 (nearest, cases[i][1]) == 0, "%s: %s", cases[i][0], nearest);
    }
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("ops");
  TCase *names = tcase_create ("names");
  TCase *gpus = tcase_create ("gpus");

  tcase_add_test (names, what_does_not_cost_time_is_dropped);
  tcase_add_test (names, what_makes_another_instruction_stays);
  tcase_add_test (names, words_after_dots_are_known);
  tcase_add_test (names, memory_is_known_by_name);
  tcase_add_test (names, what_no_description_has_is_known);
  tcase_add_test (names, waits_for_copies_are_issue_slots);
  tcase_add_test (names, arithmetic_in_floating_point_is_known);
  tcase_add_test (names, any_text_gives_a_name);
  tcase_add_test (names, modifiers_change_names_and_widths);
  tcase_add_test (names, an_unknown_opcode_is_guessed);
  tcase_add_test (names, hostile_opcodes_are_bounded);
  tcase_add_test (names, every_opcode_is_named_as_ptx_that_is_known);
  tcase_add_test (gpus, canonical_names_find_the_same_figures);
  tcase_add_test (gpus, every_name_has_something_near_on_every_gpu);
  tcase_add_test (gpus, nearest_is_by_class);
  tcase_add_test (gpus, atomics_and_their_like_may_take_a_slot);
  suite_add_tcase (suite, names);
  suite_add_tcase (suite, gpus);
  return suite;
}
