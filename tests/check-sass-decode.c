/* SPDX-License-Identifier: MIT */
/* Machine code decoded: text and fields of instructions whose bits a compiler made, and any bits at
 * all, which are an instruction with all its fields in range, or a sentence. That the text of all
 * that a compiler emits is right is not shown here, but by listings (check-sass-listings).
 */
#include "config.h"

#include "exec/sass/wp-sass.h"

#include <string.h>

#include "tests/check-main.h"
#include "tests/sass-examples.h"

static const guint targets[] = { 70, 75, 80, 86, 89, 90, 100, 103, 110, 120, 121 };

static void
put_bytes (guint8 *code, guint64 low, guint64 high)
{
  for (guint k = 0; k < 8; k++)
    {
      code[k] = low >> (8 * k);
      code[8 + k] = high >> (8 * k);
    }
}

static gboolean
decode (guint sm, guint64 low, guint64 high, WpSassInstr *instr, gchar **problem)
{
  guint8 code[WP_SASS_BYTES];

  put_bytes (code, low, high);
  return wp_sass_decode (sm, code, 0x1000, instr, problem);
}

/* What LOW and HIGH say on SM, which has to be known. */
static WpSassInstr
decode_known (guint sm, guint64 low, guint64 high)
{
  WpSassInstr instr;
  g_autofree gchar *problem = NULL;

  ck_assert_msg (decode (sm, low, high, &instr, &problem), "%s", problem);
  return instr;
}

START_TEST (example_has_its_text)
{
  const SassExample *example = &sass_examples[_i];
  WpSassInstr instr = decode_known (example->sm, example->low, example->high);
  g_autoptr (GString) text = g_string_new (NULL);

  wp_sass_append (&instr, text);
  ck_assert_str_eq (text->str, example->text);
  ck_assert (instr.low == example->low && instr.high == example->high);
}
END_TEST

/* @P2 LDG.E.128 R40, [R46] on sm_80: four registers written; the address is a pair. */
START_TEST (load_writes_as_many_registers_as_its_size)
{
  WpSassInstr instr = decode_known (80, 0x000000002e282381, 0x000ea800001e0d00);

  ck_assert_uint_eq (instr.op, WP_SASS_LDG);
  ck_assert_uint_eq (instr.guard, 2);
  ck_assert (!instr.guard_not && !instr.guard_is_uniform);
  ck_assert (wp_sass_has (&instr, WP_WORD_E) && wp_sass_has (&instr, WP_WORD_128));
  ck_assert_uint_eq (instr.n_operands, 2);
  ck_assert (instr.operands[0].is_dest);
  ck_assert_uint_eq (instr.operands[0].n_registers, 4);
  ck_assert_uint_eq (instr.operands[1].kind, WP_SASS_MEMORY);
  ck_assert_uint_eq (instr.operands[1].index, 46);
  ck_assert_uint_eq (instr.operands[1].descriptor, 255);
}
END_TEST

/* @!P3 STG.E.128.STRONG.SM [R48.64+0x10], R32: data are read. */
START_TEST (store_reads_as_many_registers_as_its_size)
{
  WpSassInstr instr = decode_known (80, 0x000010203000b986, 0x0003e2000c10bd06);

  ck_assert_uint_eq (instr.n_operands, 2);
  ck_assert (instr.guard_not);
  ck_assert_uint_eq (instr.operands[0].index_word, WP_WORD_64);
  ck_assert_int_eq (instr.operands[0].value, 0x10);
  ck_assert (!instr.operands[1].is_dest);
  ck_assert_uint_eq (instr.operands[1].n_registers, 4);
}
END_TEST

/* @P3 IMAD.WIDE.U32 R14, R18.reuse, R18, R18: 64 bits written, and added. */
START_TEST (wide_product_has_pairs)
{
  WpSassInstr instr = decode_known (80, 0x00000012120e3225, 0x040fe200078e0012);

  ck_assert_uint_eq (instr.operands[0].n_registers, 2);
  ck_assert_uint_eq (instr.operands[1].n_registers, 1);
  ck_assert (instr.operands[1].reuse && !instr.operands[2].reuse);
  ck_assert_uint_eq (instr.operands[2].n_registers, 1);
  ck_assert_uint_eq (instr.operands[3].n_registers, 2);
}
END_TEST

/* @P0 LDGSTS on sm_80, bits from 105 on 0x41f1: waits for barrier 3, sets barrier 1 when its
 * operands are read, and lets the next instruction issue after a cycle. */
START_TEST (control_bits_are_kept)
{
  WpSassControl control = decode_known (80, 0x0000000024450dae, 0x0083e2000b900d4b).control;

  ck_assert_uint_eq (control.stall, 1);
  ck_assert (!control.yield);
  ck_assert_uint_eq (control.write_barrier, 7);
  ck_assert_uint_eq (control.read_barrier, 1);
  ck_assert_uint_eq (control.wait, 1 << 3);
  ck_assert_uint_eq (control.reuse, 0);
}
END_TEST

/* URZ is 63 in the bits of sm_80, and 255 in those of sm_120. */
START_TEST (uniform_zero_has_one_number)
{
  WpSassInstr old = decode_known (75, 0x0000000405057290, 0x000fcc000fffe13f);
  WpSassInstr new = decode_known (120, 0x80000006ff047290, 0x000fc8000ff1e0ff);

  ck_assert_uint_eq (old.operands[3].number, 255);
  ck_assert_uint_eq (new.operands[3].number, 255);
  ck_assert_uint_eq (old.operands[3].n_registers, 0);
}
END_TEST

START_TEST (what_is_not_known_is_named)
{
  WpSassInstr instr;
  g_autofree gchar *problem = NULL, *wrong = NULL;

  ck_assert (!decode (80, 0x7ab, 0, &instr, &problem));
  ck_assert_str_eq (problem, "opcode 0x7ab at 0x1000 is not known on sm_80");
  ck_assert (!decode (80, 0x0000005a00017b82, 0x000fe20000000e00, &instr, &wrong));
  ck_assert_str_eq (wrong, "LDC at 0x1000 has the value 7 in bits 73 to 75, which is not known on "
                           "sm_80");
}
END_TEST

static void
check_operand (const WpSassOperand *operand)
{
  ck_assert_uint_ge (operand->kind, WP_SASS_REGISTER);
  ck_assert_uint_le (operand->kind, WP_SASS_UNIFORM_PREDICATES);
  ck_assert_uint_lt (operand->index_word, WP_N_WORDS);
  for (guint k = 0; k < G_N_ELEMENTS (operand->words); k++)
    ck_assert_uint_lt (operand->words[k], WP_N_WORDS);
  if (operand->kind == WP_SASS_PREDICATE || operand->kind == WP_SASS_UNIFORM_PREDICATE)
    ck_assert_uint_le (operand->number, 7);
  if (operand->kind == WP_SASS_CONVERGENCE)
    ck_assert_uint_le (operand->number, 31);
  if (operand->kind == WP_SASS_SCOREBOARD)
    ck_assert_uint_le (operand->number, 7);
  ck_assert_uint_le (operand->n_registers, 128);
  if ((operand->kind == WP_SASS_REGISTER || operand->kind == WP_SASS_UNIFORM)
      && operand->number != 255)
    ck_assert_uint_ge (operand->n_registers, 1);
}

static void
check_instr (const WpSassInstr *instr)
{
  g_autoptr (GString) text = g_string_new (NULL);

  ck_assert_uint_gt (instr->op, WP_SASS_NO_OP);
  ck_assert_uint_lt (instr->op, WP_SASS_N_OPS);
  ck_assert_uint_le (instr->guard, 7);
  ck_assert_uint_le (instr->n_words, WP_SASS_MAX_WORDS);
  ck_assert_uint_le (instr->n_operands, WP_SASS_MAX_OPERANDS);
  for (guint k = 0; k < instr->n_words; k++)
    ck_assert (instr->words[k] > WP_WORD_NONE && instr->words[k] < WP_N_WORDS);
  for (guint k = 0; k < instr->n_operands; k++)
    check_operand (&instr->operands[k]);
  wp_sass_append (instr, text);
  ck_assert (strstr (text->str, wp_sass_op_name (instr->op)) != NULL);
}

/* Whether the bits were known. */
static gboolean
check_bits (guint sm, guint64 low, guint64 high)
{
  WpSassInstr instr;
  g_autofree gchar *problem = NULL;

  if (decode (sm, low, high, &instr, &problem))
    {
      ck_assert_ptr_null (problem);
      check_instr (&instr);
      return TRUE;
    }
  ck_assert (problem != NULL && strstr (problem, "at 0x1000") != NULL);
  return FALSE;
}

static guint64
random_64 (GRand *random)
{
  return (guint64)g_rand_int (random) << 32 | g_rand_int (random);
}

START_TEST (any_bits_are_an_instruction_or_a_sentence)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (_i);
  guint n = check_get_cases (20000);

  for (guint k = 0; k < n; k++)
    check_bits (targets[_i], random_64 (random), random_64 (random));
}
END_TEST

/* Each opcode of 12 bits, so that each row of the table is met, under random fields. */
START_TEST (any_fields_of_an_opcode_are_an_instruction_or_a_sentence)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (_i);
  guint turns = MAX (check_get_cases (400) / 20, 1), known = 0;

  for (guint opcode = 0; opcode < 4096; opcode++)
    for (guint k = 0; k < turns; k++)
      known += check_bits (targets[_i], (random_64 (random) & ~(guint64)0xfff) | opcode,
                           random_64 (random));
  ck_assert_uint_gt (known, 0);
}
END_TEST

START_TEST (ops_are_sorted_and_each_once)
{
  for (guint k = 2; k < WP_SASS_N_OPS; k++)
    ck_assert_msg (strcmp (wp_sass_op_name (k - 1), wp_sass_op_name (k)) < 0, "%s before %s",
                   wp_sass_op_name (k - 1), wp_sass_op_name (k));
}
END_TEST

START_TEST (words_are_each_once)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint k = 1; k < WP_N_WORDS; k++)
    ck_assert_msg (g_hash_table_add (seen, (gpointer)wp_sass_word_text (k)), "%s twice",
                   wp_sass_word_text (k));
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("sass-decode");
  TCase *examples = tcase_create ("examples"), *lists = tcase_create ("lists"),
        *random = tcase_create ("random");

  tcase_add_loop_test (examples, example_has_its_text, 0, G_N_ELEMENTS (sass_examples));
  tcase_add_test (examples, load_writes_as_many_registers_as_its_size);
  tcase_add_test (examples, store_reads_as_many_registers_as_its_size);
  tcase_add_test (examples, wide_product_has_pairs);
  tcase_add_test (examples, control_bits_are_kept);
  tcase_add_test (examples, uniform_zero_has_one_number);
  tcase_add_test (examples, what_is_not_known_is_named);
  suite_add_tcase (suite, examples);
  tcase_add_test (lists, ops_are_sorted_and_each_once);
  tcase_add_test (lists, words_are_each_once);
  suite_add_tcase (suite, lists);
  tcase_add_loop_test (random, any_bits_are_an_instruction_or_a_sentence, 0,
                       G_N_ELEMENTS (targets));
  tcase_add_loop_test (random, any_fields_of_an_opcode_are_an_instruction_or_a_sentence, 0,
                       G_N_ELEMENTS (targets));
  tcase_set_timeout (random, 120);
  suite_add_tcase (suite, random);
  return suite;
}
