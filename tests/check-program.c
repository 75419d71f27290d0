/* SPDX-License-Identifier: MIT */
/* Programs as data: what is kept, what is counted, what is refused. */
#include <stdio.h>
#include <string.h>

#include "idg/kernel/idg-program.h"
#include "tests/check-main.h"

static IdgProgram *program;

static void
set_up (void)
{
  program = idg_program_new ();
  ck_assert_ptr_nonnull (program);
}

static void
tear_down (void)
{
  idg_program_free (program);
}

static uint32_t
add (const char *op)
{
  uint32_t index = UINT32_MAX;

  ck_assert_int_eq (idg_program_add_instruction (program, op, NULL, NULL, NULL, 0, &index), IDG_OK);
  return index;
}

static void
begin (uint64_t count)
{
  ck_assert_int_eq (idg_program_begin_repeat (program, count, 0, NULL), IDG_OK);
}

static void
end (void)
{
  ck_assert_int_eq (idg_program_end_repeat (program), IDG_OK);
}

static uint64_t
count_dynamic (void)
{
  uint64_t count = UINT64_MAX;

  ck_assert_int_eq (idg_program_count_dynamic (program, &count), IDG_OK);
  return count;
}

START_TEST (an_empty_program_has_no_instructions)
{
  ck_assert_uint_eq (program->n_nodes, 0);
  ck_assert_uint_eq (count_dynamic (), 0);
}
END_TEST

START_TEST (an_instruction_keeps_copies_of_its_strings)
{
  char op[] = "ld.global", id[] = "a";
  const IdgNode *node;
  uint32_t index;

  ck_assert_int_eq (idg_program_add_instruction (program, op, "random", id, "LD R1", 7, &index),
                    IDG_OK);
  memset (op, 'x', strlen (op));
  memset (id, 'x', strlen (id));
  node = &program->nodes[index];
  ck_assert_int_eq (node->kind, IDG_INSTRUCTION);
  ck_assert_str_eq (node->op, "ld.global");
  ck_assert_str_eq (node->context, "random");
  ck_assert_str_eq (node->id, "a");
  ck_assert_str_eq (node->text, "LD R1");
  ck_assert_int_eq (node->line, 7);
  ck_assert_uint_eq (node->n_after, 0);
}
END_TEST

START_TEST (programs_of_one_kernel_keep_equal_strings_once)
{
  IdgProgram *first = idg_program_new (), *second = idg_program_new_beside (first);
  char op[16];

  ck_assert_int_eq (idg_program_reserve (second, 1000), IDG_OK);
  for (int i = 0; i < 1000; i++)
    {
      snprintf (op, sizeof op, "op%d", i);
      ck_assert_int_eq (idg_program_add_instruction (first, op, NULL, NULL, "text", 0, NULL),
                        IDG_OK);
      ck_assert_int_eq (idg_program_add_instruction (second, op, "text", NULL, NULL, 0, NULL),
                        IDG_OK);
    }
  idg_program_free (first);
  for (int i = 0; i < 1000; i++)
    {
      snprintf (op, sizeof op, "op%d", i);
      ck_assert_str_eq (second->nodes[i].op, op);
      ck_assert_ptr_eq (second->nodes[i].context, second->nodes[0].context);
    }
  ck_assert_str_eq (second->nodes[0].context, "text");
  ck_assert_int_eq (idg_program_reserve (second, IDG_MAX_NODES + 1), IDG_TOO_MANY_NODES);
  idg_program_free (second);
}
END_TEST

START_TEST (lists_of_dependences_that_grow_by_turns_stay_whole)
{
  for (uint32_t i = 0; i < 40; i++)
    add ("a");
  for (uint32_t producer = 0; producer < 40; producer++)
    for (uint32_t i = 0; i < 40; i += producer % 3 + 1)
      ck_assert_int_eq (
          idg_program_add_distant_dependence (program, i, producer, (i + producer) % 64 + 1),
          IDG_OK);
  for (uint32_t i = 0; i < 40; i++)
    {
      const IdgNode *node = &program->nodes[i];
      uint32_t n = 0;

      for (uint32_t producer = 0; producer < 40; producer++)
        if (i % (producer % 3 + 1) == 0)
          {
            ck_assert_uint_lt (n, node->n_after);
            ck_assert_uint_eq (node->after[n], producer);
            ck_assert_uint_eq (node->distances[n++], (i + producer) % 64 + 1);
          }
      ck_assert_uint_eq (n, node->n_after);
    }
}
END_TEST

START_TEST (a_node_gets_an_id_a_barrier_a_name_and_an_arrive_becomes_an_instruction)
{
  uint32_t barrier, arrive, a = add ("a");

  ck_assert_int_eq (idg_program_add_barrier (program, NULL, 0, &barrier), IDG_OK);
  ck_assert_int_eq (idg_program_add_arrive (program, "full", NULL, 0, &arrive), IDG_OK);
  ck_assert_int_eq (idg_program_set_id (program, a, "x"), IDG_OK);
  ck_assert_int_eq (idg_program_set_barrier (program, barrier, "0"), IDG_OK);
  ck_assert_int_eq (idg_program_drop_arrive (program, arrive, "nop"), IDG_OK);
  ck_assert_str_eq (program->nodes[a].id, "x");
  ck_assert_str_eq (program->nodes[barrier].name, "0");
  ck_assert_int_eq (program->nodes[arrive].kind, IDG_INSTRUCTION);
  ck_assert_str_eq (program->nodes[arrive].op, "nop");
  ck_assert_ptr_null (program->nodes[arrive].name);
  ck_assert_uint_eq (count_dynamic (), 3);
}
END_TEST

START_TEST (a_repeat_and_its_end_know_each_other)
{
  uint32_t outer, inner;

  ck_assert_int_eq (idg_program_begin_repeat (program, 3, 4, &outer), IDG_OK);
  ck_assert_int_eq (idg_program_begin_repeat (program, 2, 5, &inner), IDG_OK);
  end ();
  end ();
  ck_assert_uint_eq (program->n_nodes, 4);
  ck_assert_uint_eq (program->nodes[outer].partner, 3);
  ck_assert_uint_eq (program->nodes[inner].partner, 2);
  ck_assert_int_eq (program->nodes[2].kind, IDG_END);
  ck_assert_uint_eq (program->nodes[2].partner, inner);
  ck_assert_uint_eq (program->nodes[3].partner, outer);
  ck_assert_uint_eq (program->nodes[outer].count, 3);
}
END_TEST

START_TEST (a_dependence_named_twice_counts_once)
{
  uint32_t a = add ("a"), b = add ("b"), c = add ("c");

  /* Going back to c after d must not forget what c has. */
  uint32_t d = add ("d");

  ck_assert_int_eq (idg_program_add_dependence (program, c, b), IDG_OK);
  ck_assert_int_eq (idg_program_add_dependence (program, c, a), IDG_OK);
  ck_assert_int_eq (idg_program_add_dependence (program, d, a), IDG_OK);
  ck_assert_int_eq (idg_program_add_dependence (program, c, a), IDG_OK);
  ck_assert_int_eq (idg_program_add_dependence (program, c, b), IDG_OK);
  ck_assert_int_eq (idg_program_add_dependence (program, c, c), IDG_OK);
  ck_assert_uint_eq (program->nodes[c].n_after, 3);
  ck_assert_uint_eq (program->nodes[c].after[0], b);
  ck_assert_uint_eq (program->nodes[c].after[1], a);
  ck_assert_uint_eq (program->nodes[c].after[2], c);
  ck_assert_uint_eq (program->nodes[d].n_after, 1);
}
END_TEST

START_TEST (a_dependence_counts_once_for_each_distance)
{
  uint32_t a = add ("a"), b = add ("b"), c = add ("c");

  for (uint32_t round = 0; round < 2; round++)
    for (uint32_t distance = 1; distance <= IDG_MAX_DISTANCE; distance++)
      {
        ck_assert_int_eq (idg_program_add_distant_dependence (program, c, a, distance), IDG_OK);
        ck_assert_int_eq (idg_program_add_distant_dependence (program, b, a, distance), IDG_OK);
      }
  ck_assert_uint_eq (program->nodes[b].n_after, IDG_MAX_DISTANCE);
  ck_assert_uint_eq (program->nodes[c].n_after, IDG_MAX_DISTANCE);
  ck_assert_uint_eq (program->nodes[c].distances[0], 1);
  ck_assert_uint_eq (program->nodes[c].distances[63], 64);
  ck_assert_int_eq (idg_program_add_dependence (program, c, a), IDG_OK);
  ck_assert_uint_eq (program->nodes[c].n_after, IDG_MAX_DISTANCE);
}
END_TEST

START_TEST (a_distance_beyond_its_limits_is_refused)
{
  uint32_t a = add ("a");

  ck_assert_int_eq (idg_program_add_distant_dependence (program, a, a, 0), IDG_BAD_DISTANCE);
  ck_assert_int_eq (idg_program_add_distant_dependence (program, a, a, 65), IDG_BAD_DISTANCE);
  ck_assert_int_eq (idg_program_add_distant_dependence (program, a, a, UINT64_MAX),
                    IDG_BAD_DISTANCE);
  ck_assert_uint_eq (program->nodes[a].n_after, 0);
}
END_TEST

START_TEST (barriers_have_names_of_their_own)
{
  char name[] = "full";
  uint32_t a = add ("a"), barrier, arrive;

  ck_assert_int_eq (idg_program_add_named_barrier (program, name, 4, "BAR", 3, &barrier), IDG_OK);
  ck_assert_int_eq (idg_program_add_arrive (program, name, NULL, 4, &arrive), IDG_OK);
  memset (name, 'x', strlen (name));
  ck_assert_int_eq (program->nodes[barrier].kind, IDG_BARRIER);
  ck_assert_str_eq (program->nodes[barrier].name, "full");
  ck_assert_uint_eq (program->nodes[barrier].warps, 4);
  ck_assert_int_eq (program->nodes[arrive].kind, IDG_ARRIVE);
  ck_assert_str_eq (program->nodes[arrive].name, "full");
  ck_assert_int_eq (idg_program_add_dependence (program, arrive, a), IDG_OK);
  ck_assert_int_eq (idg_program_add_named_barrier (program, "b", UINT64_C (1) << 31, NULL, 0, NULL),
                    IDG_BAD_COUNT);
  ck_assert_uint_eq (count_dynamic (), 3);
}
END_TEST

/* Without ck_assert in the loops, which costs more than what is measured. */
START_TEST (many_dependences_of_one_instruction_take_linear_time)
{
  const uint32_t n = 300000;
  uint32_t last, n_failed = 0;

  for (uint32_t i = 0; i < n; i++)
    n_failed += idg_program_add_instruction (program, "a", NULL, NULL, NULL, 0, NULL) != IDG_OK;
  ck_assert_int_eq (idg_program_add_barrier (program, NULL, 0, &last), IDG_OK);
  for (uint32_t i = n; i-- > 0;)
    n_failed += idg_program_add_dependence (program, last, i) != IDG_OK;
  for (uint32_t i = 0; i < n; i++)
    n_failed += idg_program_add_dependence (program, last, i) != IDG_OK;
  ck_assert_uint_eq (n_failed, 0);
  ck_assert_uint_eq (program->nodes[last].n_after, n);
}
END_TEST

START_TEST (repeats_multiply_and_barriers_count)
{
  add ("a");
  begin (1000000);
  begin (1000);
  add ("b");
  add ("c");
  end ();
  ck_assert_int_eq (idg_program_add_barrier (program, "BAR", 0, NULL), IDG_OK);
  end ();
  ck_assert_uint_eq (count_dynamic (), UINT64_C (1) + 1000000 * (2 * 1000 + 1));
}
END_TEST

START_TEST (a_repeat_of_no_iterations_makes_its_body_nothing)
{
  add ("a");
  begin (0);
  begin (IDG_MAX_COUNT);
  begin (IDG_MAX_COUNT);
  add ("b");
  end ();
  end ();
  end ();
  ck_assert_uint_eq (count_dynamic (), 1);
}
END_TEST

START_TEST (exactly_the_most_dynamic_instructions_are_allowed)
{
  uint64_t count;

  begin (1 << 30);
  begin (1 << 23);
  add ("a");
  end ();
  end ();
  ck_assert_uint_eq (count_dynamic (), IDG_MAX_DYNAMIC);
  add ("one more");
  ck_assert_int_eq (idg_program_count_dynamic (program, &count), IDG_TOO_MANY_DYNAMIC);
}
END_TEST

START_TEST (products_beyond_64_bits_are_seen_as_too_many)
{
  uint64_t count;

  for (int i = 0; i < IDG_MAX_DEPTH; i++)
    begin (IDG_MAX_COUNT);
  add ("a");
  for (int i = 0; i < IDG_MAX_DEPTH; i++)
    end ();
  ck_assert_int_eq (idg_program_count_dynamic (program, &count), IDG_TOO_MANY_DYNAMIC);
}
END_TEST

START_TEST (repeats_nest_up_to_the_limit_and_no_deeper)
{
  for (int i = 0; i < IDG_MAX_DEPTH; i++)
    begin (1);
  ck_assert_int_eq (idg_program_begin_repeat (program, 1, 0, NULL), IDG_TOO_DEEP);
  ck_assert_uint_eq (program->n_nodes, IDG_MAX_DEPTH);
}
END_TEST

START_TEST (a_count_beyond_31_bits_is_refused)
{
  ck_assert_int_eq (idg_program_begin_repeat (program, UINT64_C (1) << 31, 0, NULL), IDG_BAD_COUNT);
  ck_assert_int_eq (idg_program_begin_repeat (program, UINT64_MAX, 0, NULL), IDG_BAD_COUNT);
  ck_assert_uint_eq (program->n_nodes, 0);
}
END_TEST

START_TEST (an_end_without_a_repeat_and_a_repeat_without_an_end_are_refused)
{
  uint64_t count;

  ck_assert_int_eq (idg_program_end_repeat (program), IDG_NOT_OPEN);
  begin (2);
  ck_assert_int_eq (idg_program_count_dynamic (program, &count), IDG_STILL_OPEN);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("program");
  TCase *data = tcase_create ("data"), *limits = tcase_create ("limits");

  tcase_add_checked_fixture (data, set_up, tear_down);
  tcase_add_test (data, an_empty_program_has_no_instructions);
  tcase_add_test (data, an_instruction_keeps_copies_of_its_strings);
  tcase_add_test (data, programs_of_one_kernel_keep_equal_strings_once);
  tcase_add_test (data, lists_of_dependences_that_grow_by_turns_stay_whole);
  tcase_add_test (data, a_node_gets_an_id_a_barrier_a_name_and_an_arrive_becomes_an_instruction);
  tcase_add_test (data, a_repeat_and_its_end_know_each_other);
  tcase_add_test (data, a_dependence_named_twice_counts_once);
  tcase_add_test (data, a_dependence_counts_once_for_each_distance);
  tcase_add_test (data, a_distance_beyond_its_limits_is_refused);
  tcase_add_test (data, barriers_have_names_of_their_own);
  tcase_add_test (data, many_dependences_of_one_instruction_take_linear_time);
  suite_add_tcase (suite, data);

  tcase_add_checked_fixture (limits, set_up, tear_down);
  tcase_add_test (limits, repeats_multiply_and_barriers_count);
  tcase_add_test (limits, a_repeat_of_no_iterations_makes_its_body_nothing);
  tcase_add_test (limits, exactly_the_most_dynamic_instructions_are_allowed);
  tcase_add_test (limits, products_beyond_64_bits_are_seen_as_too_many);
  tcase_add_test (limits, repeats_nest_up_to_the_limit_and_no_deeper);
  tcase_add_test (limits, a_count_beyond_31_bits_is_refused);
  tcase_add_test (limits, an_end_without_a_repeat_and_a_repeat_without_an_end_are_refused);
  suite_add_tcase (suite, limits);
  return suite;
}
