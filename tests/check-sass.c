/* SPDX-License-Identifier: MIT */
/* SASS: what an instruction reads and writes, what it computes, and how lines are read. What whole
 * listings become is in golden/sass.test. */
#include "config.h"

#include "idg/import/sass/idg-frontend-sass.h"

#include <string.h>

#include "tests/check-main.h"

typedef struct
{
  IdgCode *code;
  IdgImport *import;
  IdgSassMaker maker;
} Listing;

static void
listing_init (Listing *listing)
{
  listing->code = idg_code_new ("a.sass", "a");
  listing->import = idg_import_new ();
  idg_sass_maker_init (&listing->maker, listing->code, listing->import);
}

static void
listing_clear (Listing *listing)
{
  idg_sass_maker_clear (&listing->maker);
  idg_import_free (listing->import);
  idg_code_free (listing->code);
}

static void
add (Listing *listing, const gchar *text)
{
  g_autoptr (GError) error = NULL;

  ck_assert_msg (idg_sass_add (&listing->maker, text, 1, NULL, &error), "%s: %s", text,
                 error ? error->message : "");
}

static const IdgCodeInstr *
get_last (const Listing *listing)
{
  return &g_array_index (listing->code->instrs, IdgCodeInstr, listing->code->instrs->len - 1);
}

static gchar *
join (const IdgCode *code, guint first, guint n)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (
        names, "%s%s", i > 0 ? " " : "",
        (gchar *)code->names->pdata[g_array_index (code->registers, guint, first + i)]);
  return g_string_free (names, FALSE);
}

/* ---- Registers ---- */

typedef struct
{
  const gchar *text, *reads, *writes;
} Roles;

static void
check_roles (const Roles *cases, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      Listing listing;
      g_autofree gchar *reads = NULL, *writes = NULL;
      const IdgCodeInstr *instr;

      listing_init (&listing);
      add (&listing, cases[i].text);
      instr = get_last (&listing);
      reads = join (listing.code, instr->first_read, instr->n_reads);
      writes = join (listing.code, instr->first_write, instr->n_writes);
      ck_assert_msg (strcmp (reads, cases[i].reads) == 0 && strcmp (writes, cases[i].writes) == 0,
                     "%s: reads %s, writes %s", cases[i].text, reads, writes);
      listing_clear (&listing);
    }
}

START_TEST (widths_are_those_of_the_operands)
{
  static const Roles cases[] = {
    { "FFMA R0, R1, R2.reuse, -R3", "R1 R2 R3", "R0" },
    { "FADD R0, |R1|.reuse, -RZ", "R1", "R0" },
    { "DFMA R2, R4, R6, -R8", "R4 R5 R6 R7 R8 R9", "R2 R3" },
    { "DADD R2, -RZ, |R4|", "R4 R5", "R2 R3" },
    { "F2F.F64.F32 R2, R5", "R5", "R2 R3" },
    { "I2F.F64 R2, R5", "R5", "R2 R3" },
    { "F2I.S64.F64.TRUNC R2, R4", "R4 R5", "R2 R3" },
    { "IMAD.WIDE R2, R4, R5, R6", "R4 R5 R6 R7", "R2 R3" },
    { "IMAD.WIDE.U32 R2, R4, 0x4, R6", "R4 R6 R7", "R2 R3" },
    { "IMAD.WIDE R2, R4, R5, c[0x0][0x160]", "R4 R5", "R2 R3" },
    { "IMAD.HI.U32 R3, R4, R5, R6", "R4 R5 R6 R7", "R3" },
    { "UIMAD.WIDE UR4, UR6, UR7, UR8", "UR6 UR7 UR8 UR9", "UR4 UR5" },
    { "CS2R R4, SRZ", "", "R4 R5" },
    { "CS2R.32 R4, SR_CLOCKLO", "", "R4" },
    { "MOV.64 R4, R6", "R6 R7", "R4 R5" },
    { "ULDC.64 UR4, c[0x0][0x118]", "", "UR4 UR5" },
    { "LDC.64 R2, c[0x0][R5+0x160]", "R5", "R2 R3" },
    { "MUFU.RCP64H R3, R5", "R5", "R3" },
    { "HMMA.16816.F32 R8, R4, R12, R16", "R4 R5 R6 R7 R12 R13 R16 R17 R18 R19", "R8 R9 R10 R11" },
    { "HMMA.1688.F16 R8, R4, R12, RZ", "R4 R5 R12", "R8 R9" },
    { "HMMA.884.F32.F32.STEP1 R6, R16.reuse.COL, R18.reuse.ROW, R6", "R16 R17 R18 R19 R6 R7",
      "R6 R7" },
    { "IMMA.8816.S8.S8 R4, R2.ROW, R3.COL, R4", "R2 R3 R4 R5", "R4 R5" },
    { "HGMMA.64x8x16.F32 R24, gdesc[UR4], R24", "UR4 UR5 UR6 UR7 R24 R25 R26 R27",
      "R24 R25 R26 R27" },
    { "FFMA2 R2, R4.F32x2.HI_LO, R6.F32x2.HI_LO, R8.F32x2.HI_LO", "R4 R5 R6 R7 R8 R9", "R2 R3" },
    { "TEX R0, R2, 0x0, 2D, 0x7", "R2 R3", "R0 R1 R2" },
    { "TEXS R1, R0, R2, R3, 0x0, 2D, RG", "R2 R3 R3 R4", "R1 R2" },
  };

  check_roles (cases, G_N_ELEMENTS (cases));
}
END_TEST

START_TEST (addresses_are_as_wide_as_they_are_written)
{
  static const Roles cases[] = {
    { "LD R1, [R1]", "R1", "R1" },
    { "LD.E R1, [R2+0x4]", "R2 R3", "R1" },
    { "LDG.E.128 R8, [R2.64+0x10]", "R2 R3", "R8 R9 R10 R11" },
    { "LDG.E R0, desc[UR4][R2.64+-0x4]", "UR4 UR5 R2 R3", "R0" },
    { "LDG.E R0, [R2.U32+UR4]", "R2 UR4 UR5", "R0" },
    { "LDS R0, [UR4+0x10]", "UR4", "R0" },
    { "LDS.64 R0, [R2.X8+UR4]", "R2 UR4", "R0 R1" },
    { "LDSM.16.M88.4 R4, [R2+UR5]", "R2 UR5", "R4 R5 R6 R7" },
    { "STG.E.64 [R2.64], R4", "R2 R3 R4 R5", "" },
    { "ST [R3], R1", "R3 R1", "" },
    { "STS.128 [R2], R4", "R2 R4 R5 R6 R7", "" },
    { "LDGSTS.E.BYPASS.128 [R5+0x100], [R2.64], P0", "R5 R2 R3 P0", "" },
    { "LDGSTS.E [R5], [R2]", "R5 R2 R3", "" },
    { "ATOMG.E.ADD.STRONG.GPU PT, R0, [R2.64], R5", "R2 R3 R5", "R0" },
    { "ATOMG.E.CAS.64.STRONG.GPU P1, R0, [R2.64], R4, R6", "R2 R3 R4 R5 R6 R7", "P1 R0 R1" },
    { "ATOMS.CAST.SPIN P0, [R2], R4, R6", "R2 R4 R6", "P0" },
    { "RED.E.ADD.F32.FTZ.RN.STRONG.GPU [R2.64], R5", "R2 R3 R5", "" },
    { "FADD R0, R1, c[0x3][R4]", "R1 R4", "R0" },
    { "XMAD.MRG R25, R4.reuse, c[0x0] [0x148].H1, RZ", "R4", "R25" },
  };

  check_roles (cases, G_N_ELEMENTS (cases));
}
END_TEST

START_TEST (predicates_are_written_in_front_and_read_at_the_end)
{
  static const Roles cases[] = {
    { "ISETP.GE.AND P0, PT, R0, R1, PT", "R0 R1", "P0" },
    { "ISETP.GE.OR.EX P0, P1, R0, R1, !P2, P3", "R0 R1 P2 P3", "P0 P1" },
    { "DSETP.GT.AND P0, PT, R2, R4, P0", "R2 R3 R4 R5 P0", "P0" },
    { "UISETP.NE.AND UP0, UPT, UR4, URZ, UPT", "UR4", "UP0" },
    { "FCHK P0, R2, R3", "R2 R3", "P0" },
    { "IADD3 R0, P0, P1, R2, R3, R4", "R2 R3 R4", "R0 P0 P1" },
    { "IADD3.X R0, R2, R3, RZ, P0, !PT", "R2 R3 P0", "R0" },
    { "IMAD.X R9, RZ, RZ, R9, P1", "R9 P1", "R9" },
    { "LEA R2, P0, R3, c[0x0][0x160], 0x2", "R3", "R2 P0" },
    { "LEA.HI.X R2, R3, c[0x0][0x164], R4, 0x2, P0", "R3 R4 P0", "R2" },
    { "LOP3.LUT P0, RZ, R0, 0x1, RZ, 0xc0, !PT", "R0", "P0" },
    { "LOP3.LUT R0, R1, R2, RZ, 0x3c, !PT", "R1 R2", "R0" },
    { "PLOP3.LUT P0, PT, PT, P1, P2, 0x80, 0x0", "P1 P2", "P0" },
    { "PSETP.AND.AND P0, PT, P1, P2, PT", "P1 P2", "P0" },
    { "SEL R0, R1, R2, !P3", "R1 R2 P3", "R0" },
    { "SHFL.IDX PT, R5, R4, 0x0, 0x1f", "R4", "R5" },
    { "SHFL.UP P0, R5, R4, R6, RZ", "R4 R6", "P0 R5" },
    { "VOTE.ANY R6, PT, P0", "P0", "R6" },
    { "VOTE.ALL P1, P0", "P0", "P1" },
    { "MATCH.ALL PT, R0, R2", "R2", "R0" },
    { "P2R R0, PR, RZ, 0x5", "P0 P2", "R0" },
    { "R2P PR, R0, 0x6", "R0", "P1 P2" },
    { "@!P3 MOV R0, R1", "P3 R1", "R0" },
    { "@UP1 UMOV UR4, UR5", "UP1 UR5", "UR4" },
    { "@!PT LDS RZ, [R4]", "", "" },
    { "BSSY B0, 0x100", "", "B0" },
    { "BMOV.32 R5, B0", "B0", "R5" },
    { "ELECT P0, URZ, PT", "", "P0" },
    { "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2", "UR4 R2", "P0" },
  };

  check_roles (cases, G_N_ELEMENTS (cases));
}
END_TEST

START_TEST (the_carry_of_maxwell_is_a_register)
{
  Listing listing;
  g_autofree gchar *writes = NULL, *reads = NULL;

  listing_init (&listing);
  add (&listing, "IADD R4.CC, R2, R3");
  writes = join (listing.code, get_last (&listing)->first_write, get_last (&listing)->n_writes);
  ck_assert_str_eq (writes, "R4 CC");
  add (&listing, "IADD.X R5, R6, RZ");
  reads = join (listing.code, get_last (&listing)->first_read, get_last (&listing)->n_reads);
  ck_assert_str_eq (reads, "R6 CC");
  listing_clear (&listing);
}
END_TEST

START_TEST (registers_used_are_the_highest_and_one_more)
{
  Listing listing;

  listing_init (&listing);
  add (&listing, "IADD3 R3, R7, 0x1, RZ");
  ck_assert_uint_eq (listing.maker.highest, 8);
  add (&listing, "LDG.E.128 R8, [R2.64]");
  ck_assert_uint_eq (listing.maker.highest, 12);
  add (&listing, "LDS.128 R252, [R2]");
  ck_assert_uint_eq (listing.maker.highest, 255);
  listing_clear (&listing);
}
END_TEST

/* ---- Where it goes ---- */

START_TEST (kinds_and_guards)
{
  static const struct
  {
    const gchar *text;
    IdgCodeKind kind;
    const gchar *op;
    gboolean has_guard, negated;
  } cases[] = {
    { "EXIT", IDG_CODE_EXIT, "exit", FALSE, FALSE },
    { "@!P0 EXIT", IDG_CODE_EXIT, "exit", TRUE, TRUE },
    { "RET.REL.NODEC R2 `(f)", IDG_CODE_EXIT, "ret", FALSE, FALSE },
    { "BRA `(.L_x_1)", IDG_CODE_BRANCH, "bra", FALSE, FALSE },
    { "BRA P1, `(.L_x_1)", IDG_CODE_BRANCH, "bra", TRUE, FALSE },
    { "BRA.U !UP0, 0x50", IDG_CODE_BRANCH, "bra", TRUE, TRUE },
    { "@P0 JMP 0x50", IDG_CODE_BRANCH, "bra", TRUE, FALSE },
    { "BRA.DIV UR4, `(.L_x_1)", IDG_CODE_OP, "bra", FALSE, FALSE },
    { "BAR.SYNC 0x0", IDG_CODE_BARRIER, NULL, FALSE, FALSE },
    { "BAR.ARV 0x1, 0x40", IDG_CODE_ARRIVE, "bar.arrive", FALSE, FALSE },
    { "BAR.ARV R1, 0x40", IDG_CODE_OP, "bar.arrive", FALSE, FALSE },
    { "BSSY B0, 0x50", IDG_CODE_OP, "nop", FALSE, FALSE },
    { "SYNC", IDG_CODE_OP, "nop", FALSE, FALSE },
    { "CALL.ABS.NOINC `(f)", IDG_CODE_OP, "call", FALSE, FALSE },
    { "@!PT BRA 0x50", IDG_CODE_OP, "nop", FALSE, FALSE },
    { "@PT EXIT", IDG_CODE_EXIT, "exit", FALSE, FALSE },
    { "WARPSYNC.COLLECTIVE R4, `(.L_x_5)", IDG_CODE_OP, "bar.warp.sync", FALSE, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Listing listing;
      const IdgCodeInstr *instr;

      listing_init (&listing);
      add (&listing, cases[i].text);
      instr = get_last (&listing);
      ck_assert_msg (instr->kind == cases[i].kind && g_strcmp0 (instr->op, cases[i].op) == 0
                         && instr->has_guard == cases[i].has_guard
                         && instr->guard_negated == cases[i].negated,
                     "%s: kind %d, op %s, guard %d, negated %d", cases[i].text, instr->kind,
                     instr->op ? instr->op : "none", instr->has_guard, instr->guard_negated);
      ck_assert_uint_eq (instr->n_targets, instr->kind == IDG_CODE_BRANCH ? 1 : 0);
      listing_clear (&listing);
    }
}
END_TEST

START_TEST (barriers_and_copies_say_what_they_are_for)
{
  static const struct
  {
    const gchar *text, *barrier;
    guint warps;
    IdgAsync async;
    guint groups;
  } cases[] = {
    { "BAR.SYNC 0x0", NULL, 0, IDG_ASYNC_NONE, 0 },
    { "BAR.SYNC.DEFER_BLOCKING 0x1", "1", 0, IDG_ASYNC_NONE, 0 },
    { "BAR.SYNC.DEFER_BLOCKING 0x2, 0x41", "2-65", 3, IDG_ASYNC_NONE, 0 },
    { "BAR.ARV 0x2, 0x40", "2-64", 2, IDG_ASYNC_NONE, 0 },
    { "BAR.RED.POPC.DEFER_BLOCKING 0x3, P0", "3", 0, IDG_ASYNC_NONE, 0 },
    { "BAR.SYNC R1, R2", NULL, 0, IDG_ASYNC_NONE, 0 },
    { "LDGSTS.E.BYPASS.128 [R2], [R4.64]", NULL, 0, IDG_ASYNC_COPY, 0 },
    { "LDGDEPBAR", NULL, 0, IDG_ASYNC_COMMIT, 0 },
    { "DEPBAR.LE SB0, 0x2", NULL, 0, IDG_ASYNC_WAIT, 2 },
    { "DEPBAR.LE SB5, 0x2", NULL, 0, IDG_ASYNC_NONE, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Listing listing;
      const IdgCodeInstr *instr;

      listing_init (&listing);
      add (&listing, cases[i].text);
      instr = get_last (&listing);
      ck_assert_msg (
          g_strcmp0 (instr->barrier, cases[i].barrier) == 0 && instr->warps == cases[i].warps
              && instr->async == cases[i].async && instr->groups == cases[i].groups,
          "%s: barrier %s of %u, async %d %u", cases[i].text,
          instr->barrier ? instr->barrier : "none", instr->warps, instr->async, instr->groups);
      listing_clear (&listing);
    }
}
END_TEST

static void
place (Listing *listing, const gchar *name)
{
  ck_assert (idg_sass_place_label (&listing->maker, name, 1, NULL));
}

START_TEST (ways_meet_where_the_last_ssy_ahead_says)
{
  Listing listing;
  const IdgCodeInstr *instrs;

  listing_init (&listing);
  add (&listing, "SSY 0x100"); /* 0 */
  add (&listing, "SSY 0x50");  /* 1 */
  add (&listing, "@P0 SYNC");  /* 2: to 0x50 */
  add (&listing, "SYNC");      /* 3: to 0x50, which is next */
  place (&listing, "0x0050");
  add (&listing, "@P0 SYNC");   /* 4: to 0x100 */
  add (&listing, "MOV R0, R1"); /* 5 */
  add (&listing, "PBK 0x200");  /* 6 */
  add (&listing, "SYNC");       /* 7: to 0x100 */
  add (&listing, "BRK");        /* 8: to 0x200 */
  instrs = (const IdgCodeInstr *)listing.code->instrs->data;
  ck_assert_int_eq (instrs[2].kind, IDG_CODE_BRANCH);
  ck_assert_str_eq (instrs[2].op, "bra");
  ck_assert_int_eq (instrs[3].kind, IDG_CODE_OP);
  ck_assert_str_eq (instrs[3].op, "nop");
  ck_assert_uint_eq (g_array_index (listing.code->targets, guint, instrs[4].first_target),
                     idg_code_get_label (listing.code, "0x0100", 1));
  ck_assert_uint_eq (g_array_index (listing.code->targets, guint, instrs[7].first_target),
                     idg_code_get_label (listing.code, "0x0100", 1));
  ck_assert_uint_eq (g_array_index (listing.code->targets, guint, instrs[8].first_target),
                     idg_code_get_label (listing.code, "0x0200", 1));
  listing_clear (&listing);
}
END_TEST

START_TEST (an_indexed_branch_has_its_targets_in_a_note)
{
  Listing listing;
  g_autoptr (GError) error = NULL;

  listing_init (&listing);
  add (&listing, "BRX R4 -0x90 (*\"BRANCH_TARGETS .L_x_1,.L_x_2, .L_x_3\"*)");
  ck_assert_uint_eq (get_last (&listing)->n_targets, 3);
  ck_assert (!idg_sass_add (&listing.maker, "BRX R4 -0x90", 7, NULL, &error));
  ck_assert_msg (g_str_has_prefix (error->message, "a.sass:7: "), "%s", error->message);
  listing_clear (&listing);
}
END_TEST

/* ---- Meanings ---- */

START_TEST (what_counts_a_loop_is_understood)
{
  static const struct
  {
    const gchar *text;
    IdgMath math;
    gint64 a, b, c; /* numbers; a register is -999 */
    gboolean is_signed;
  } cases[] = {
    { "MOV R0, 0x10", IDG_MATH_MOVE, 16, 0, 0, FALSE },
    { "MOV R0, RZ", IDG_MATH_MOVE, 0, 0, 0, FALSE },
    { "UMOV UR4, URZ", IDG_MATH_MOVE, 0, 0, 0, FALSE },
    { "IMAD.MOV.U32 R0, RZ, RZ, -0x1", IDG_MATH_MOVE, -1, 0, 0, FALSE },
    { "HFMA2.MMA R9, -RZ, RZ, 0, 2.384185791015625e-07", IDG_MATH_MOVE, 4, 0, 0, FALSE },
    { "HFMA2 R5, -RZ, RZ, 1.875, -112.625", IDG_MATH_MOVE, 0x3f80d70a, 0, 0, FALSE },
    { "IADD3 R0, R0, 0x4, RZ", IDG_MATH_ADD, -999, 4, 0, FALSE },
    { "IADD3 R0, PT, PT, R0, -0x4, RZ", IDG_MATH_ADD, -999, -4, 0, FALSE },
    { "IADD3 R0, R1, -R2, RZ", IDG_MATH_SUB, -999, -999, 0, FALSE },
    { "IADD32I R0, R0, -0x1", IDG_MATH_ADD, -999, -1, 0, FALSE },
    { "UIADD3 UR4, UR4, 0x1, URZ", IDG_MATH_ADD, -999, 1, 0, FALSE },
    { "IMAD R0, R1, 0x3, R2", IDG_MATH_MUL, -999, 3, -999, FALSE },
    { "IMAD.SHL.U32 R0, R1, 0x8, RZ", IDG_MATH_MUL, -999, 8, 0, FALSE },
    { "LEA R0, R1, R2, 0x4", IDG_MATH_MUL, -999, 16, -999, FALSE },
    { "SHL R0, R1, 0x4", IDG_MATH_SHL, -999, 4, 0, TRUE },
    { "SHF.L.U32 R0, R1, 0x4, RZ", IDG_MATH_SHL, -999, 4, 0, FALSE },
    { "SHF.R.U32.HI R0, RZ, 0x1, R1", IDG_MATH_SHR, -999, 1, 0, FALSE },
    { "SHF.R.S32.HI R0, RZ, 0x1, R1", IDG_MATH_SHR, -999, 1, 0, TRUE },
    { "SHR.U32 R0, R1, 0x1", IDG_MATH_SHR, -999, 1, 0, FALSE },
    { "LOP3.LUT R0, R1, 0x7, RZ, 0xc0, !PT", IDG_MATH_AND, -999, 7, 0, FALSE },
    { "LOP32I.AND R0, R1, 0x7", IDG_MATH_AND, -999, 7, 0, FALSE },
    { "ISETP.LT.AND P0, PT, R0, 0x10, PT", IDG_MATH_LT, -999, 16, 0, TRUE },
    { "ISETP.NE.U32.AND P0, PT, R0, RZ, PT", IDG_MATH_NE, -999, 0, 0, FALSE },
    /* What is more, or less, than that. */
    { "MOV R0, c[0x0][0x160]", IDG_MATH_NONE, 0, 0, 0, FALSE },
    { "IADD3 R0, P0, R1, R2, RZ", IDG_MATH_NONE, 0, 0, 0, FALSE },
    { "IADD3 R0, -R1, -R2, RZ", IDG_MATH_NONE, 0, 0, 0, FALSE },
    { "IADD3.X R0, R1, R2, RZ, P0, !PT", IDG_MATH_NONE, 0, 0, 0, FALSE },
    { "IMAD.WIDE R0, R1, 0x4, R2", IDG_MATH_NONE, 0, 0, 0, FALSE },
    { "ISETP.LT.AND P0, PT, R0, 0x10, P1", IDG_MATH_NONE, 0, 0, 0, FALSE },
    { "ISETP.LT.OR P0, PT, R0, 0x10, PT", IDG_MATH_NONE, 0, 0, 0, FALSE },
    { "ISETP.LT.AND P0, P1, R0, 0x10, PT", IDG_MATH_NONE, 0, 0, 0, FALSE },
    { "ISETP.LT.AND.EX P0, PT, R0, 0x10, PT, P1", IDG_MATH_NONE, 0, 0, 0, FALSE },
    { "LOP3.LUT P0, RZ, R1, 0x7, RZ, 0xc0, !PT", IDG_MATH_NONE, 0, 0, 0, FALSE },
    { "LOP3.LUT R0, R1, 0x7, RZ, 0xfc, !PT", IDG_MATH_NONE, 0, 0, 0, FALSE },
    { "HFMA2.BF16_V2 R5, -RZ, RZ, 1.875, 1", IDG_MATH_NONE, 0, 0, 0, FALSE },
    { "IADD R0.CC, R1, R2", IDG_MATH_NONE, 0, 0, 0, FALSE },
    { "FADD R0, R1, R2", IDG_MATH_NONE, 0, 0, 0, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Listing listing;
      IdgMeaning *meaning;
      gint64 values[3];
      const IdgOperand *operands[3];

      listing_init (&listing);
      add (&listing, cases[i].text);
      meaning = &g_array_index (listing.code->meanings, IdgMeaning, get_last (&listing)->meaning);
      operands[0] = &meaning->a;
      operands[1] = &meaning->b;
      operands[2] = &meaning->c;
      for (guint j = 0; j < 3; j++)
        values[j] = get_last (&listing)->meaning > 0 && operands[j]->reg != IDG_NO_REGISTER
                        ? -999
                        : operands[j]->value;
      ck_assert_msg (meaning->math == cases[i].math, "%s: %d", cases[i].text, meaning->math);
      if (meaning->math != IDG_MATH_NONE)
        ck_assert_msg (values[0] == cases[i].a && values[1] == cases[i].b && values[2] == cases[i].c
                           && meaning->is_signed == cases[i].is_signed && meaning->bits == 32,
                       "%s: %d %d %d, signed %d", cases[i].text, (int)values[0], (int)values[1],
                       (int)values[2], meaning->is_signed);
      listing_clear (&listing);
    }
}
END_TEST

/* ---- Lines ---- */

START_TEST (lines_are_read_without_what_surrounds_them)
{
  static const gchar text[]
      = "\t\tFunction : f\n"
        "\t.headerflags\t@\"EF_CUDA_SM52\"\n"
        "   /* 0x001fc400fe2007f6 */\n"
        "  /*0008*/   {   MOV R1,  c[0x0][0x20] ;  /* 0x4c98078000870001 */\n"
        "  /*0010*/       STG.E [R2], R4         }\n"
        "   /* two\nlines */ .L_x_1: NOP; EXIT // the end\n"
        "\t//## File \"/a b/c.cu\", line 7 inlined at \"d.cu\", line 9\n"
        "[B------:R-:W2:-:S02] /*0020*/ @P0 LDG.E R0, [R2.64] &req={0} &wr=0x1 ?trans1 ;\n"
        "DEPBAR.LE SB0, 0x0, {2,1} ;\n"
        "\t\t....\n";
  static const struct
  {
    IdgSassItemKind kind;
    const gchar *text;
    gint line;
    gint64 address; /* -1: none */
  } items[] = {
    { IDG_SASS_FUNCTION, "f", 1, -1 },
    { IDG_SASS_DIRECTIVE, ".headerflags @\"EF_CUDA_SM52\"", 2, -1 },
    { IDG_SASS_STATEMENT, "MOV R1, c[0x0][0x20]", 4, 8 },
    { IDG_SASS_STATEMENT, "STG.E [R2], R4", 5, 16 },
    { IDG_SASS_LABEL, ".L_x_1", 7, -1 },
    { IDG_SASS_STATEMENT, "NOP", 7, -1 },
    { IDG_SASS_STATEMENT, "EXIT", 7, -1 },
    { IDG_SASS_STATEMENT, "@P0 LDG.E R0, [R2.64]", 9, 32 },
    { IDG_SASS_STATEMENT, "DEPBAR.LE SB0, 0x0, {2,1}", 10, -1 },
    { IDG_SASS_DOTS, "....", 11, -1 },
    { IDG_SASS_END, NULL, 0, -1 },
  };
  g_auto (IdgSassReader) reader;

  idg_sass_reader_init (&reader, "a", text, text + strlen (text), 1);
  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    {
      ck_assert (idg_sass_read (&reader, NULL));
      ck_assert_msg (reader.kind == items[i].kind, "item %u: kind %d, %s", i, reader.kind,
                     reader.text->str);
      if (items[i].kind == IDG_SASS_END)
        break;
      ck_assert_str_eq (reader.text->str, items[i].text);
      ck_assert_int_eq (reader.chunk_line, items[i].line);
      ck_assert_int_eq (reader.has_address, items[i].address >= 0);
      if (reader.has_address)
        ck_assert_uint_eq (reader.address, (guint64)items[i].address);
    }
  ck_assert_str_eq (reader.source->str, "c.cu:7");
  ck_assert (reader.has_codes);
}
END_TEST

START_TEST (formats_are_told_apart)
{
  static const struct
  {
    const gchar *path, *head;
    gboolean is_sass;
  } cases[] = {
    { "a.txt", "\nFatbin elf code:\n================\narch = sm_80\n\n\tcode for sm_80\n", TRUE },
    { "a", "\t.headerflags\t@\"EF_CUDA_SM80\"\n", TRUE },
    { "a.txt", "// hello\nLD R1, [R1]\n", TRUE },
    { "a.txt", "start:\n@!P0 FFMA.FTZ R1, R2, R3, R4 ;\n", TRUE },
    { "a.sass", "nothing of the kind", TRUE },
    { "a.cuasm", "nothing of the kind", TRUE },
    { "a.txt", "# Kernel: k\n--:-:1:-:1      S2R R5, SR_TID.X;\n", TRUE },
    { "a.cubin", "\177ELF", TRUE },
    { "a.sass", "<kernel name='a'/>", FALSE },
    { "a.xml", "<?xml version='1.0'?>", FALSE },
    { "a.ptx", ".version 7.0\n.target sm_80\n", FALSE },
    { "a.txt", "Hello World\n", FALSE },
    { "a.txt", "A = 1\n", FALSE },
    { "a.txt", "", FALSE },
    { "a.txt", "/* a comment", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    ck_assert_msg (
        idg_frontend_sass.recognize (cases[i].path, cases[i].head, strlen (cases[i].head))
            == cases[i].is_sass,
        "%s: %s", cases[i].path, cases[i].head);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("sass");
  TCase *registers = tcase_create ("registers");
  TCase *ways = tcase_create ("ways");
  TCase *text = tcase_create ("text");

  tcase_add_test (registers, widths_are_those_of_the_operands);
  tcase_add_test (registers, addresses_are_as_wide_as_they_are_written);
  tcase_add_test (registers, predicates_are_written_in_front_and_read_at_the_end);
  tcase_add_test (registers, the_carry_of_maxwell_is_a_register);
  tcase_add_test (registers, registers_used_are_the_highest_and_one_more);
  tcase_add_test (registers, what_counts_a_loop_is_understood);
  tcase_add_test (ways, kinds_and_guards);
  tcase_add_test (ways, barriers_and_copies_say_what_they_are_for);
  tcase_add_test (ways, ways_meet_where_the_last_ssy_ahead_says);
  tcase_add_test (ways, an_indexed_branch_has_its_targets_in_a_note);
  tcase_add_test (text, lines_are_read_without_what_surrounds_them);
  tcase_add_test (text, formats_are_told_apart);
  suite_add_tcase (suite, registers);
  suite_add_tcase (suite, ways);
  suite_add_tcase (suite, text);
  return suite;
}
