/* SPDX-License-Identifier: MIT */
/* Asynchronous copies and their waits: random paths with loops, copies, commits and waits are
 * unrolled, and each wait is compared with what PTX says that it waits for. It must wait for all of
 * that, unless an earlier wait has; and where no note says otherwise, for nothing else.
 *
 * What it does not pin: how front ends recognize copies (check-ptx.c, check-sass.c).
 */
#include "idg/import/flow/idg-async.h"
#include "tests/check-main.h"

#include <string.h>

#define CASES 2000

/* ---- A random path ---- */

typedef struct
{
  IdgCode *code;
  GArray *steps; /* of IdgStep */
  GRand *random;
} Maker;

static void
add_step (Maker *maker, IdgStepKind kind, guint arg)
{
  IdgStep step = { .kind = kind, .arg = arg };

  g_array_append_val (maker->steps, step);
}

/* Each instruction is on a line of its own, by which notes are known. */
static void
add_instr (Maker *maker, IdgAsync async, guint groups)
{
  guint n = maker->code->instrs->len;
  g_autofree gchar *text = g_strdup_printf ("%u", n);

  idg_code_add (maker->code, IDG_CODE_OP, "op", text, (gint)n + 1);
  idg_code_set_async (maker->code, async, groups);
  add_step (maker, IDG_STEP_INSTR, n);
}

static void
add_part (Maker *maker, guint depth)
{
  gint kind = g_rand_int_range (maker->random, 0, depth < 3 ? 10 : 8);

  if (kind < 3)
    add_instr (maker, IDG_ASYNC_COPY, 0);
  else if (kind < 5)
    add_instr (maker, IDG_ASYNC_COMMIT, 0);
  else if (kind < 7)
    add_instr (maker, IDG_ASYNC_WAIT, (guint)g_rand_int_range (maker->random, 0, 4));
  else if (kind < 8)
    add_instr (maker, g_rand_boolean (maker->random) ? IDG_ASYNC_WAIT_ALL : IDG_ASYNC_NONE, 0);
  else
    {
      gint n = g_rand_int_range (maker->random, 0, 6);

      add_step (maker, IDG_STEP_REPEAT, (guint)g_rand_int_range (maker->random, 0, 7));
      while (n-- > 0)
        add_part (maker, depth + 1);
      add_step (maker, IDG_STEP_END, 0);
    }
}

/* ---- The path unrolled ---- */

/* Appends the indices of the steps from BEGIN on, as they are executed, up to the END of the loop
 * that they are in. Returns its index. */
static guint
unroll (const GArray *steps, guint begin, GArray *executed)
{
  guint i = begin;

  for (; i < steps->len && g_array_index (steps, IdgStep, i).kind != IDG_STEP_END; i++)
    if (g_array_index (steps, IdgStep, i).kind == IDG_STEP_REPEAT)
      {
        guint length = executed->len, end = unroll (steps, i + 1, executed);

        g_array_set_size (executed, length);
        for (guint round = 0; round < g_array_index (steps, IdgStep, i).arg; round++)
          unroll (steps, i + 1, executed);
        i = end;
      }
    else
      g_array_append_val (executed, i);
  return i;
}

/* A copy that was executed. */
typedef struct
{
  guint step, group;
  gboolean waited;      /* some wait so far was for it */
  gboolean is_for_this; /* the current wait is */
} Issued;

/* Marks the copies that the current wait, the step WAIT, waits for as the program says. */
static void
mark (const GArray *waits, guint wait, GArray *issued)
{
  for (guint i = 0; i < issued->len; i++)
    g_array_index (issued, Issued, i).is_for_this = FALSE;
  for (guint w = 0; w < waits->len; w++)
    {
      const IdgAsyncWait *one = &g_array_index (waits, IdgAsyncWait, w);
      guint ago = 0;

      for (guint i = issued->len; one->wait == wait && i-- > 0;)
        if (g_array_index (issued, Issued, i).step == one->copy && ++ago == one->distance)
          {
            g_array_index (issued, Issued, i).waited = TRUE;
            g_array_index (issued, Issued, i).is_for_this = TRUE;
          }
    }
}

/* Returns how many instances ago the copy at INDEX was; 1 is the last one. */
static guint
get_distance (const GArray *issued, guint index)
{
  guint step = g_array_index (issued, Issued, index).step, ago = 0;

  for (guint i = index; i < issued->len; i++)
    ago += g_array_index (issued, Issued, i).step == step;
  return ago;
}

/* The wait at STEP is for the groups before END. */
static void
check_wait (guint seed, guint step, guint end, gboolean noted, const GArray *issued)
{
  for (guint i = 0; i < issued->len; i++)
    {
      const Issued *copy = &g_array_index (issued, Issued, i);

      ck_assert_msg (copy->group >= end || copy->waited
                         || (noted && get_distance (issued, i) > IDG_MAX_DISTANCE),
                     "case %u: step %u does not wait for the copy %u of step %u", seed, step, i,
                     copy->step);
      ck_assert_msg (noted || copy->group < end || !copy->is_for_this,
                     "case %u: step %u waits for the copy %u of step %u, which it does not name",
                     seed, step, i, copy->step);
    }
}

static gboolean
is_noted (const IdgImport *import, gint line)
{
  g_autofree gchar *place = g_strdup_printf ("listing:%d: ", line);

  for (guint i = 0; i < import->notes->len; i++)
    if (g_str_has_prefix (g_ptr_array_index (import->notes, i), place))
      return TRUE;
  return FALSE;
}

static void
check_path (guint seed, const Maker *maker, const GArray *waits, const IdgImport *import)
{
  g_autoptr (GArray) executed = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) issued = g_array_new (FALSE, FALSE, sizeof (Issued));
  guint group = 0;

  unroll (maker->steps, 0, executed);
  for (guint i = 0; i < executed->len; i++)
    {
      guint step = g_array_index (executed, guint, i);
      const IdgCodeInstr *instr
          = idg_code_get (maker->code, g_array_index (maker->steps, IdgStep, step).arg);
      Issued copy = { .step = step, .group = group };

      if (instr->async == IDG_ASYNC_COPY)
        g_array_append_val (issued, copy);
      group += instr->async == IDG_ASYNC_COMMIT || instr->async == IDG_ASYNC_WAIT_ALL;
      if (instr->async != IDG_ASYNC_WAIT && instr->async != IDG_ASYNC_WAIT_ALL)
        continue;
      mark (waits, step, issued);
      check_wait (seed, step,
                  instr->async == IDG_ASYNC_WAIT ? group - MIN (group, instr->groups) : group,
                  is_noted (import, instr->line), issued);
    }
}

START_TEST (waits_are_for_what_they_name)
{
  guint cases = check_get_cases (CASES), n_waits = 0, n_notes = 0;

  for (guint seed = 0; seed < cases; seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      g_autoptr (IdgCode) code = idg_code_new ("listing", "kernel");
      g_autoptr (IdgImport) import = idg_import_new ();
      g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (IdgStep));
      g_autoptr (GArray) waits = NULL;
      Maker maker = { code, steps, random };

      for (guint i = 0; i < 8; i++)
        add_part (&maker, 0);
      waits = idg_async_find (code, steps, import);
      ck_assert_ptr_nonnull (waits);
      check_path (seed, &maker, waits, import);
      n_waits += waits->len;
      n_notes += import->notes->len;
    }
  ck_assert_uint_gt (n_waits, cases);
  ck_assert_uint_ge (n_notes, cases / 100);
  ck_assert_uint_lt (n_notes, n_waits / 4);
}
END_TEST

/* ---- Single paths ---- */

static void
expect (Maker *maker, const gchar *expected, guint n_notes)
{
  g_autoptr (IdgImport) import = idg_import_new ();
  g_autoptr (GArray) waits = idg_async_find (maker->code, maker->steps, import);
  g_autoptr (GString) text = g_string_new (NULL);

  ck_assert_ptr_nonnull (waits);
  for (guint i = 0; i < waits->len; i++)
    {
      const IdgAsyncWait *wait = &g_array_index (waits, IdgAsyncWait, i);

      g_string_append_printf (text, "%s%u<-%u:%u", i > 0 ? " " : "", wait->wait, wait->copy,
                              wait->distance);
    }
  ck_assert_str_eq (text->str, expected);
  ck_assert_uint_eq (import->notes->len, n_notes);
}

/* A pipeline of two buffers in a loop of COUNT rounds: step 0 is the copy before the loop, 3 the
 * one in it, 5 the wait there, 7 the one after it. */
static void
check_pipeline (guint count, const gchar *expected)
{
  g_autoptr (IdgCode) code = idg_code_new ("listing", "kernel");
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (IdgStep));
  Maker maker = { code, steps, NULL };

  add_instr (&maker, IDG_ASYNC_COPY, 0);
  add_instr (&maker, IDG_ASYNC_COMMIT, 0);
  add_step (&maker, IDG_STEP_REPEAT, count);
  add_instr (&maker, IDG_ASYNC_COPY, 0);
  add_instr (&maker, IDG_ASYNC_COMMIT, 0);
  add_instr (&maker, IDG_ASYNC_WAIT, 1);
  add_step (&maker, IDG_STEP_END, 0);
  add_instr (&maker, IDG_ASYNC_WAIT, 0);
  expect (&maker, expected, 0);
}

START_TEST (a_steady_pipeline_is_exact)
{
  check_pipeline (0, "7<-0:1");
  check_pipeline (1, "5<-0:1 7<-3:1");
  check_pipeline (2, "5<-0:1 5<-3:2 7<-3:1");
  check_pipeline (2000000000, "5<-0:1 5<-3:2 7<-3:1");
}
END_TEST

START_TEST (many_instances_of_one_copy_are_waited_for)
{
  g_autoptr (IdgCode) code = idg_code_new ("listing", "kernel");
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (IdgStep));
  Maker maker = { code, steps, NULL };

  add_step (&maker, IDG_STEP_REPEAT, 3);
  add_instr (&maker, IDG_ASYNC_COPY, 0);
  add_step (&maker, IDG_STEP_END, 0);
  add_instr (&maker, IDG_ASYNC_WAIT_ALL, 0);
  expect (&maker, "3<-1:1 3<-1:2 3<-1:3", 0);
}
END_TEST

/* More instances than there are distances, and groups that only they have. */
START_TEST (no_wait_is_for_less_where_distances_end)
{
  g_autoptr (IdgCode) code = idg_code_new ("listing", "kernel");
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (IdgStep));
  Maker maker = { code, steps, NULL };

  add_step (&maker, IDG_STEP_REPEAT, 1000000000);
  add_instr (&maker, IDG_ASYNC_COPY, 0);
  add_instr (&maker, IDG_ASYNC_COMMIT, 0);
  add_step (&maker, IDG_STEP_END, 0);
  add_instr (&maker, IDG_ASYNC_WAIT, 100);
  expect (&maker, "4<-1:64", 1);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("async");
  TCase *tcase = tcase_create ("paths");

  tcase_add_test (tcase, waits_are_for_what_they_name);
  tcase_add_test (tcase, a_steady_pipeline_is_exact);
  tcase_add_test (tcase, many_instances_of_one_copy_are_waited_for);
  tcase_add_test (tcase, no_wait_is_for_less_where_distances_end);
  suite_add_tcase (suite, tcase);
  return suite;
}
