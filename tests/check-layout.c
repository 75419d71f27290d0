/* SPDX-License-Identifier: MIT */
/* Random listings, with loops of both forms, guards around loops in several shapes, branches that
 * are taken, not, or both, guarded instructions and barriers, are run twice: instruction by
 * instruction as the listing says, with the branches decided by the hints, and as the program that
 * the import made of it, unrolled. Both must run the same instructions in the same order; each
 * reads what it reads in the listing; and where the program has it wait for more, that is a value
 * that it reads in another round, or that an earlier instruction has waited for.
 *
 * What it does not pin: how a front end reads a file, and which branches and loops need hints. */
#include "idg/import/base/idg-frontend.h"
#include "idg/import/flow/idg-code.h"
#include "idg/import/flow/idg-listing.h"
#include "idg/import/flow/idg-walk.h"
#include "tests/check-main.h"

#include <string.h>
#include <time.h>

#define REGISTERS 6
#define CASES 3000

/* ---- A random listing, and the run of it ---- */

typedef struct
{
  IdgCode *code;
  IdgImport *import;
  GRand *random;
  guint labels;
  guint length; /* of the listing so far */
  guint unrolled;
} Maker;

/* What a register may hold: the dynamic instructions that may have written it. */
typedef GArray *Values; /* of guint */

typedef struct
{
  GArray *reads; /* of guint: dynamic instructions */
  guint line;
} Ran;

typedef struct
{
  GPtrArray *ran;             /* of Ran */
  Values seen[REGISTERS + 2]; /* and what the last branch, the predicate */
} Run;

#define CONTROL REGISTERS
#define PREDICATE (REGISTERS + 1)

/* A listing as a tree, so that running it needs no control flow. */
typedef enum
{
  PART_OP,
  PART_BARRIER,
  PART_BRANCH,
  PART_DO,    /* body, then a branch back */
  PART_WHILE, /* head, a branch out, body, a branch back */
  PART_IF,    /* a branch over the body, or into `other` */
  PART_GUARD, /* one or two branches around a loop, or to it; no hint says whether they are taken */
} PartKind;

typedef struct Part Part;
struct Part
{
  PartKind kind;
  guint line;
  guint writes, reads[2];
  gboolean guarded, conditional;
  IdgHint hint;
  guint rounds;
  gchar *option;           /* --trip or --branch, without `=` and value */
  gboolean to;             /* a guard: a branch to the loop, with a jump around it behind */
  GPtrArray *body, *other; /* of Part */
};

static void
free_part (gpointer data)
{
  Part *part = data;

  g_clear_pointer (&part->body, g_ptr_array_unref);
  g_clear_pointer (&part->other, g_ptr_array_unref);
  g_free (part->option);
  g_free (part);
}

static Part *
new_part (Maker *maker, PartKind kind)
{
  Part *part = g_new0 (Part, 1);

  part->kind = kind;
  part->line = ++maker->length;
  return part;
}

static gchar *
new_label (Maker *maker)
{
  return g_strdup_printf ("$L%u", maker->labels++);
}

static guint
get_register (Maker *maker, guint number)
{
  g_autofree gchar *name = g_strdup_printf ("%%r%u", number);

  return idg_code_get_register (maker->code, name);
}

static Part *
make_op (Maker *maker)
{
  Part *part = new_part (maker, g_rand_int_range (maker->random, 0, 10) ? PART_OP : PART_BARRIER);
  gboolean barrier = part->kind == PART_BARRIER;

  part->writes = (guint)g_rand_int_range (maker->random, 0, REGISTERS);
  part->guarded = !barrier && g_rand_int_range (maker->random, 0, 4) == 0;
  idg_code_add (maker->code, barrier ? IDG_CODE_BARRIER : IDG_CODE_OP, barrier ? NULL : "add.s32",
                "", (gint)part->line);
  if (part->guarded)
    idg_code_set_guard (maker->code, get_register (maker, PREDICATE), FALSE);
  for (guint i = 0; !barrier && i < 2; i++)
    {
      part->reads[i] = (guint)g_rand_int_range (maker->random, 0, REGISTERS);
      idg_code_add_read (maker->code, get_register (maker, part->reads[i]));
    }
  if (!barrier)
    idg_code_add_write (maker->code, get_register (maker, part->writes));
  return part;
}

static Part *
make_branch (Maker *maker, const gchar *label, gboolean conditional)
{
  Part *part = new_part (maker, PART_BRANCH);

  part->conditional = conditional;
  idg_code_add (maker->code, IDG_CODE_BRANCH, "bra", "", (gint)part->line);
  if (conditional)
    idg_code_set_guard (maker->code, get_register (maker, PREDICATE), FALSE);
  idg_code_add_target (maker->code, idg_code_get_label (maker->code, label, (gint)part->line));
  return part;
}

static GPtrArray *make_parts (Maker *maker, guint depth);

static void
add_trips_hint (Maker *maker, const gchar *label, Part *loop)
{
  loop->rounds = (guint)g_rand_int_range (maker->random, loop->kind == PART_DO ? 1 : 0, 4);
  loop->option = g_strdup (label + 1);
}

/* Something to branch to. */
static void
place (Maker *maker, const gchar *label)
{
  g_assert_true (idg_code_place_label (maker->code, label, (gint)maker->length));
}

static Part *
make_loop (Maker *maker, guint depth)
{
  Part *part = g_new0 (Part, 1);
  Part *first;
  g_autofree gchar *head = new_label (maker);
  g_autofree gchar *out = new_label (maker);

  part->kind = g_rand_boolean (maker->random) ? PART_DO : PART_WHILE;
  place (maker, head);
  add_trips_hint (maker, head, part);
  first = make_op (maker); /* or the loop in it might begin where this one does */
  part->body = make_parts (maker, depth + 1);
  g_ptr_array_insert (part->body, 0, first);
  if (part->kind == PART_DO)
    {
      g_ptr_array_add (part->body, make_branch (maker, head, TRUE));
      return part;
    }
  g_ptr_array_add (part->body, make_branch (maker, out, TRUE));
  part->other = make_parts (maker, depth + 1);
  g_ptr_array_add (part->other, make_branch (maker, head, FALSE));
  place (maker, out);
  return part;
}

/* Makes a loop, and what decides whether it is entered: a branch around it, or one to it with a
 * jump around it behind, or both, one after the other. A loop of no rounds is not entered. */
static Part *
make_guard (Maker *maker, guint depth)
{
  Part *part = g_new0 (Part, 1);
  g_autofree gchar *out = new_label (maker);
  g_autofree gchar *in = new_label (maker);
  gint shape = g_rand_int_range (maker->random, 1, 4);
  Part *loop;

  part->kind = PART_GUARD;
  part->to = (shape & 2) != 0;
  part->body = g_ptr_array_new_with_free_func (free_part);
  part->other = g_ptr_array_new_with_free_func (free_part);
  if ((shape & 1) != 0)
    g_ptr_array_add (part->body, make_branch (maker, out, TRUE));
  if (part->to)
    {
      g_ptr_array_add (part->body, make_branch (maker, in, TRUE));
      g_ptr_array_add (part->body, make_branch (maker, out, FALSE));
      place (maker, in);
    }
  if (g_rand_boolean (maker->random))
    g_ptr_array_add (part->other, make_op (maker));
  loop = make_loop (maker, depth);
  if (g_rand_int_range (maker->random, 0, 3) == 0)
    loop->rounds = 0;
  part->rounds = loop->rounds;
  g_ptr_array_add (part->other, loop);
  place (maker, out);
  return part;
}

static Part *
make_if (Maker *maker, guint depth)
{
  static const gchar *const hints[] = { "", "taken", "not", "both" };
  Part *part;
  g_autofree gchar *otherwise = new_label (maker);
  g_autofree gchar *join = new_label (maker);

  part = make_branch (maker, otherwise, TRUE);
  part->kind = PART_IF;
  part->hint = (IdgHint)g_rand_int_range (maker->random, 1, 4);
  part->option = g_strdup_printf ("%s=%s", otherwise + 1, hints[part->hint]);
  part->body = make_parts (maker, depth + 1);
  if (g_rand_boolean (maker->random))
    {
      place (maker, otherwise);
      return part;
    }
  g_ptr_array_add (part->body, make_branch (maker, join, FALSE));
  place (maker, otherwise);
  part->other = make_parts (maker, depth + 1);
  place (maker, join);
  return part;
}

static GPtrArray *
make_parts (Maker *maker, guint depth)
{
  GPtrArray *parts = g_ptr_array_new_with_free_func (free_part);
  guint n = (guint)g_rand_int_range (maker->random, 1, 4);

  for (guint i = 0; i < n; i++)
    {
      gint kind = g_rand_int_range (maker->random, 0, depth < 3 ? 7 : 3);

      g_ptr_array_add (parts, kind == 6   ? make_guard (maker, depth)
                              : kind == 5 ? make_loop (maker, depth)
                              : kind == 4 ? make_if (maker, depth)
                                          : make_op (maker));
    }
  return parts;
}

static void add_hints_of (Maker *maker, const GPtrArray *parts);

static void
add_hint_of_skipped (Maker *maker, const Part *guard)
{
  const Part *loop = g_ptr_array_index (guard->other, guard->other->len - 1);

  g_ptr_array_add (maker->import->trips, g_strdup_printf ("%s=0", loop->option));
}

/* Adds the hints for PART and what is in it, as far as a warp gets there: a hint that takes no
 * effect is an error. A loop that is not entered needs to be told so. */
static void
add_hint_of (Maker *maker, const Part *part)
{
  gboolean loop = part->kind == PART_DO || part->kind == PART_WHILE;

  if (loop)
    g_ptr_array_add (maker->import->trips, g_strdup_printf ("%s=%u", part->option, part->rounds));
  if (part->kind == PART_IF)
    g_ptr_array_add (maker->import->branches, g_strdup (part->option));
  if (part->kind == PART_GUARD && part->rounds == 0)
    add_hint_of_skipped (maker, part);
  else if (part->kind == PART_IF && part->hint != IDG_HINT_BOTH)
    add_hints_of (maker, part->hint == IDG_HINT_NOT ? part->body : part->other);
  else
    {
      add_hints_of (maker, part->body);
      add_hints_of (maker, part->other);
    }
}

static void
add_hints_of (Maker *maker, const GPtrArray *parts)
{
  for (guint i = 0; parts != NULL && i < parts->len; i++)
    add_hint_of (maker, g_ptr_array_index (parts, i));
}

/* ---- Running the listing ---- */

static void
free_ran (gpointer data)
{
  Ran *ran = data;

  g_array_unref (ran->reads);
  g_free (ran);
}

static void
unite (Values to, const GArray *from)
{
  for (guint i = 0; i < from->len; i++)
    {
      guint value = g_array_index (from, guint, i);
      gboolean found = FALSE;

      for (guint j = 0; j < to->len; j++)
        found |= g_array_index (to, guint, j) == value;
      if (!found)
        g_array_append_val (to, value);
    }
}

static void
run_one (Run *run, const Part *part)
{
  Ran *ran = g_new0 (Ran, 1);
  guint now = run->ran->len;
  gboolean branch = part->kind == PART_BRANCH || part->kind == PART_IF;

  ran->line = part->line;
  ran->reads = g_array_new (FALSE, FALSE, sizeof (guint));
  g_ptr_array_add (run->ran, ran);
  unite (ran->reads, run->seen[CONTROL]);
  g_array_set_size (run->seen[CONTROL], 0);
  if (branch)
    g_array_append_val (run->seen[CONTROL], now);
  if (part->kind != PART_OP)
    return;
  unite (ran->reads, run->seen[part->reads[0]]);
  unite (ran->reads, run->seen[part->reads[1]]);
  if (!part->guarded)
    g_array_set_size (run->seen[part->writes], 0);
  g_array_append_val (run->seen[part->writes], now);
}

static void run_parts (Run *run, const GPtrArray *parts);

static void
run_if (Run *run, const Part *part)
{
  Values before[REGISTERS + 2], after[REGISTERS + 2];

  run_one (run, part);
  if (part->hint != IDG_HINT_BOTH)
    {
      run_parts (run, part->hint == IDG_HINT_NOT ? part->body : part->other);
      return;
    }
  for (guint i = 0; i < REGISTERS + 2; i++)
    before[i] = g_array_copy (run->seen[i]);
  run_parts (run, part->body); /* the code below comes first */
  for (guint i = 0; i < REGISTERS + 2; i++)
    {
      after[i] = run->seen[i];
      run->seen[i] = before[i];
    }
  run_parts (run, part->other);
  for (guint i = 0; i < REGISTERS + 2; i++)
    {
      unite (run->seen[i], after[i]);
      g_array_unref (after[i]);
    }
}

/* Runs the guards of a loop, and the loop if it has rounds. The jump around it runs where it has
 * none: where a second guard keeps a warp out, the first one makes no difference, and is not
 * taken. */
static void
run_guard (Run *run, const Part *part)
{
  guint n = part->body->len - (part->to && part->rounds > 0 ? 1 : 0);

  for (guint i = 0; i < n; i++)
    run_one (run, g_ptr_array_index (part->body, i));
  if (part->rounds > 0)
    run_parts (run, part->other);
}

static void
run_parts (Run *run, const GPtrArray *parts)
{
  for (guint i = 0; parts != NULL && i < parts->len; i++)
    {
      const Part *part = g_ptr_array_index (parts, i);

      if (part->kind == PART_DO || part->kind == PART_WHILE)
        {
          for (guint round = 0; round < part->rounds; round++)
            {
              run_parts (run, part->body);
              run_parts (run, part->other);
            }
          if (part->kind == PART_WHILE)
            run_parts (run, part->body);
        }
      else if (part->kind == PART_IF)
        run_if (run, part);
      else if (part->kind == PART_GUARD)
        run_guard (run, part);
      else
        run_one (run, part);
    }
}

/* ---- Running the program ---- */

typedef struct
{
  const IdgProgram *program;
  GPtrArray *ran; /* of Ran: `reads` holds dynamic instructions, `line` that of the node */
  GArray *nodes;  /* of guint, by dynamic instruction */
  gint *last;     /* by node: its last dynamic instruction */
} Unrolled;

static void
unroll (Unrolled *unrolled, guint begin, guint end)
{
  for (guint i = begin; i < end; i++)
    {
      const IdgNode *node = &unrolled->program->nodes[i];
      Ran *ran;

      if (node->kind == IDG_REPEAT)
        {
          for (guint round = 0; round < node->count; round++)
            unroll (unrolled, i + 1, node->partner);
          i = node->partner;
          continue;
        }
      ran = g_new0 (Ran, 1);
      ran->line = (guint)node->line;
      ran->reads = g_array_new (FALSE, FALSE, sizeof (guint));
      for (guint j = 0; j < node->n_after; j++)
        if (unrolled->last[node->after[j]] >= 0)
          g_array_append_val (ran->reads, unrolled->last[node->after[j]]);
      unrolled->last[i] = (gint)unrolled->ran->len;
      g_array_append_val (unrolled->nodes, i);
      g_ptr_array_add (unrolled->ran, ran);
    }
}

/* ---- The comparison ---- */

static gboolean
contains (const GArray *values, guint value)
{
  for (guint i = 0; i < values->len; i++)
    if (g_array_index (values, guint, i) == value)
      return TRUE;
  return FALSE;
}

/* Whether VALUES has VALUE, or a later run of its node: a program can wait for the last one only
 * (MODEL.md, section 2). */
static gboolean
contains_last (const Unrolled *unrolled, const GArray *values, guint value)
{
  const guint *nodes = (const guint *)unrolled->nodes->data;

  for (guint i = 0; i < values->len; i++)
    if (g_array_index (values, guint, i) >= value
        && nodes[g_array_index (values, guint, i)] == nodes[value])
      return TRUE;
  return FALSE;
}

/* Whether the node of A reads that of B anywhere in the listing's run. */
static gboolean
is_read_somewhere (const Run *run, const Unrolled *unrolled, guint a, guint b)
{
  guint reader = g_array_index (unrolled->nodes, guint, a);
  guint writer = g_array_index (unrolled->nodes, guint, b);

  for (guint i = 0; i < run->ran->len; i++)
    {
      const Ran *ran = g_ptr_array_index (run->ran, i);

      for (guint j = 0; g_array_index (unrolled->nodes, guint, i) == reader && j < ran->reads->len;
           j++)
        if (g_array_index (unrolled->nodes, guint, g_array_index (ran->reads, guint, j)) == writer)
          return TRUE;
    }
  return FALSE;
}

static void
compare (const Run *run, const Unrolled *unrolled, guint seed)
{
  ck_assert_msg (run->ran->len == unrolled->ran->len, "case %u: %u instructions, %u in the program",
                 seed, run->ran->len, unrolled->ran->len);
  for (guint i = 0; i < run->ran->len; i++)
    {
      const Ran *listing = g_ptr_array_index (run->ran, i);
      const Ran *program = g_ptr_array_index (unrolled->ran, i);

      ck_assert_msg (listing->line == program->line, "case %u: instruction %u is line %u, not %u",
                     seed, i, program->line, listing->line);
      for (guint j = 0; j < listing->reads->len; j++)
        ck_assert_msg (
            contains_last (unrolled, program->reads, g_array_index (listing->reads, guint, j)),
            "case %u: instruction %u (line %u) does not wait for %u", seed, i, listing->line,
            g_array_index (listing->reads, guint, j));
      for (guint j = 0; j < program->reads->len; j++)
        {
          guint value = g_array_index (program->reads, guint, j);

          ck_assert_msg (contains (listing->reads, value)
                             || is_read_somewhere (run, unrolled, i, value),
                         "case %u: instruction %u (line %u) waits for %u, which it never reads",
                         seed, i, listing->line, value);
        }
    }
}

/* ---- A case ---- */

static IdgKernel *
import_again (const IdgKernel *kernel)
{
  gsize length;
  g_autofree gchar *text = idg_kernel_to_xml (kernel, &length);
  g_autoptr (GError) error = NULL;
  IdgKernel *again = idg_kernel_parse (text, length, "again", NULL, &error);
  g_autofree gchar *twice = NULL;

  ck_assert_msg (again != NULL, "%s", error != NULL ? error->message : "");
  twice = idg_kernel_to_xml (again, NULL);
  ck_assert_str_eq (text, twice);
  return again;
}

static void
check_case (guint seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autoptr (IdgCode) code = idg_code_new ("listing", "kernel");
  g_autoptr (IdgImport) import = idg_import_new ();
  Maker maker = { .code = code, .import = import, .random = random };
  g_autoptr (GPtrArray) parts = make_parts (&maker, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (IdgKernel) again = NULL;
  Run run = { .ran = g_ptr_array_new_with_free_func (free_ran) };
  Unrolled unrolled = { .ran = g_ptr_array_new_with_free_func (free_ran),
                        .nodes = g_array_new (FALSE, FALSE, sizeof (guint)) };

  add_hints_of (&maker, parts);
  idg_code_add (code, IDG_CODE_EXIT, "exit", "", (gint)++maker.length);
  g_ptr_array_add (parts, new_part (&maker, PART_BARRIER)); /* a placeholder: it reads nothing */
  maker.length--;
  ((Part *)g_ptr_array_index (parts, parts->len - 1))->line = maker.length;
  kernel = idg_code_to_kernel (code, import, &error);
  ck_assert_msg (kernel != NULL, "case %u: %s", seed, error != NULL ? error->message : "");
  again = import_again (kernel);
  for (guint i = 1; i < import->notes->len; i++) /* the first is on the launch */
    {
      const gchar *note = g_ptr_array_index (import->notes, i);

      ck_assert_msg (strstr (note, "is never entered") != NULL
                         || strstr (note, "instructions of the listing run") != NULL,
                     "case %u: %s", seed, note);
    }
  for (guint i = 0; i < G_N_ELEMENTS (run.seen); i++)
    run.seen[i] = g_array_new (FALSE, FALSE, sizeof (guint));
  run_parts (&run, parts);
  unrolled.program = ((IdgKernelProgram *)g_ptr_array_index (kernel->programs, 0))->program;
  unrolled.last = g_new (gint, unrolled.program->n_nodes);
  memset (unrolled.last, 0xff, unrolled.program->n_nodes * sizeof (gint));
  unroll (&unrolled, 0, unrolled.program->n_nodes);
  compare (&run, &unrolled, seed);
  for (guint i = 0; i < G_N_ELEMENTS (run.seen); i++)
    g_array_unref (run.seen[i]);
  g_ptr_array_unref (run.ran);
  g_ptr_array_unref (unrolled.ran);
  g_array_unref (unrolled.nodes);
  g_free (unrolled.last);
}

START_TEST (a_random_listing_runs_as_its_program)
{
  for (guint seed = 1; seed <= check_get_cases (CASES); seed++)
    check_case (seed);
}
END_TEST

/* A listing of branches that go anywhere. */
static IdgCode *
make_tangle (GRand *random)
{
  IdgCode *code = idg_code_new ("listing", "kernel");
  guint n = (guint)g_rand_int_range (random, 1, 30);

  for (guint i = 0; i < n; i++)
    {
      g_autofree gchar *here = g_strdup_printf ("L%u", i);
      g_autofree gchar *there = g_strdup_printf ("L%d", g_rand_int_range (random, 0, (gint)n));
      gint kind = g_rand_int_range (random, 0, 5);
      guint reg = idg_code_get_register (code, i % 2 ? "p" : "r");

      idg_code_place_label (code, here, (gint)i + 1);
      idg_code_add (code,
                    kind < 2   ? IDG_CODE_OP
                    : kind < 4 ? IDG_CODE_BRANCH
                               : IDG_CODE_EXIT,
                    "op", "", (gint)i + 1);
      if (kind > 0 && g_rand_int_range (random, 0, 4) > 0)
        idg_code_set_guard (code, reg, FALSE);
      if (kind < 2)
        idg_code_add_write (code, reg);
      else if (kind < 4)
        idg_code_add_target (code, idg_code_get_label (code, there, (gint)i + 1));
      if (kind == 3 && g_rand_boolean (random))
        idg_code_add_target (code, idg_code_get_label (code, here, (gint)i + 1));
    }
  return code;
}

/* It has hints for a part, a few rounds for each loop. */
static void
add_hints (GRand *random, IdgImport *import, guint n)
{
  static const gchar *const hints[] = { "taken", "not", "both", "both:1-2,5" };

  for (guint i = 0; i < 4; i++)
    g_ptr_array_add (import->branches,
                     g_strdup_printf ("%d=%s", g_rand_int_range (random, 1, (gint)n + 1),
                                      hints[g_rand_int_range (random, 0, G_N_ELEMENTS (hints))]));
  if (g_rand_boolean (random))
    g_ptr_array_add (import->branches, g_strdup ("all=both"));
  if (g_rand_boolean (random))
    g_ptr_array_add (import->trips, g_strdup ("all=3"));
}

START_TEST (any_listing_is_a_kernel_or_refused)
{
  guint cases = check_get_cases (4 * CASES);
  guint kernels = 0;

  for (guint seed = 1; seed <= cases; seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      g_autoptr (IdgCode) code = make_tangle (random);
      g_autoptr (IdgImport) import = idg_import_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (IdgKernel) kernel = NULL;
      g_autoptr (IdgKernel) again = NULL;

      if (seed % 2)
        add_hints (random, import, code->instrs->len);
      kernel = idg_code_to_kernel (code, import, &error);
      ck_assert_msg ((kernel == NULL) == (error != NULL), "case %u", seed);
      if (kernel == NULL)
        continue;
      kernels++;
      again = import_again (kernel);
    }
  ck_assert_uint_gt (kernels, cases / 16);
}
END_TEST

/* ---- Long listings ---- */

#define LONG 40000 /* parts */

/* An instruction; KIND a branch goes to TARGET. All are guarded. */
static void
add_long (IdgCode *code, IdgCodeKind kind, const gchar *target, guint i)
{
  guint p = idg_code_get_register (code, "p");

  idg_code_add (code, kind, "op", "", (gint)code->instrs->len + 1);
  idg_code_set_guard (code, p, FALSE);
  if (kind == IDG_CODE_OP)
    idg_code_add_write (code, i % 2 ? p : idg_code_get_register (code, "r"));
  else
    idg_code_add_target (code, idg_code_get_label (code, target, 1));
}

static void
make_loops (IdgCode *code, guint parts)
{
  for (guint i = 0; i < parts; i++)
    {
      g_autofree gchar *label = g_strdup_printf ("L%u", i);

      idg_code_place_label (code, label, 1);
      add_long (code, IDG_CODE_OP, NULL, i);
      add_long (code, IDG_CODE_BRANCH, label, i);
    }
}

static void
make_ways_out (IdgCode *code, guint parts)
{
  for (guint i = 0; i < parts; i++)
    {
      add_long (code, IDG_CODE_OP, NULL, i);
      add_long (code, IDG_CODE_BRANCH, "end", i);
    }
  idg_code_place_label (code, "end", 1);
}

static void
make_ways_back (IdgCode *code, guint parts)
{
  idg_code_place_label (code, "again", 1);
  for (guint i = 0; i < parts; i++)
    {
      add_long (code, IDG_CODE_OP, NULL, 0); /* writes no predicate: fewer dependences */
      add_long (code, IDG_CODE_BRANCH, "again", i);
    }
}

static void
make_ifs (IdgCode *code, guint parts)
{
  for (guint i = 0; i < parts; i++)
    {
      g_autofree gchar *label = g_strdup_printf ("L%u", i);

      add_long (code, IDG_CODE_BRANCH, label, i);
      add_long (code, IDG_CODE_OP, NULL, i);
      idg_code_place_label (code, label, 1);
    }
}

typedef struct Shape
{
  void (*make) (IdgCode *code, guint parts);
  IdgHint hint;
  gboolean has_notes; /* one for each part... */
  guint fewer;        /* but for so many */
} Shape;

/* Imports a listing of PARTS parts. */
static void
import_long (const Shape *shape, guint parts)
{
  g_autoptr (IdgCode) code = idg_code_new ("listing", "kernel");
  g_autoptr (IdgImport) import = idg_import_new ();
  g_autoptr (IdgFlow) flow = NULL;
  g_autoptr (GArray) steps = NULL;
  g_autofree guint8 *named = g_new0 (guint8, 2 * parts + 1);
  g_autofree guint8 *others = g_new0 (guint8, 2 * parts + 1);
  g_autofree guint *targets = g_new0 (guint, 2 * parts + 1);
  g_autofree gint64 *trips = g_new (gint64, 2 * parts + 1);
  const IdgDecisions decisions
      = { .named = named,
          .others = others,
          .targets = targets,
          .trips = trips,
          .source_trips = trips,
          .other_trips = IDG_TRIPS_UNKNOWN,
          .facts = { .thread = -1, .assumed = IDG_FLOW_NONE, .zero = IDG_FLOW_NONE },
          .warp = -1 };
  g_autoptr (IdgOutcome) outcome = NULL;
  g_autoptr (GError) error = NULL;

  shape->make (code, parts);
  idg_code_add (code, IDG_CODE_EXIT, "exit", "", 1);
  for (guint k = 0; k <= 2 * parts; k++)
    trips[k] = IDG_TRIPS_UNKNOWN;
  memset (named, (gint)shape->hint, 2 * parts);
  flow = idg_flow_new (code, &error);
  ck_assert_msg (flow != NULL, "%s", error != NULL ? error->message : "");
  outcome = idg_outcome_new (flow);
  steps = idg_walk (flow, &decisions, outcome, import, &error);
  ck_assert_msg (steps != NULL, "%s", error != NULL ? error->message : "");
  ck_assert_uint_ge (steps->len, 2 * parts);
  ck_assert_uint_eq (import->notes->len, shape->has_notes ? parts - shape->fewer : 0);
}

/* What it costs is counted by listing-cost.sh, which says how many parts. */
START_TEST (a_long_listing_is_imported)
{
  static const Shape shapes[]
      = { { make_loops, IDG_HINT_NONE, TRUE, 0 },
          { make_ways_out, IDG_HINT_NONE, TRUE, 1 }, /* the last one leads nowhere else */
          { make_ways_back, IDG_HINT_NONE, TRUE, 0 },
          { make_ifs, IDG_HINT_BOTH, FALSE, 0 } };
  const gchar *said = g_getenv ("WARPIPE_LISTING_PARTS");
  const guint parts
      = said != NULL ? (guint)g_ascii_strtoull (said, NULL, 10) : LONG / check_get_stride ();

  import_long (&shapes[_i], parts);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("layout");
  TCase *tcase = tcase_create ("listings");
  TCase *slow = tcase_create ("long listings");

  tcase_add_test (tcase, a_random_listing_runs_as_its_program);
  tcase_add_test (tcase, any_listing_is_a_kernel_or_refused);
  tcase_set_timeout (tcase, 300);
  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (slow, a_long_listing_is_imported, 0, 4);
  tcase_set_timeout (slow, 600);
  suite_add_tcase (suite, slow);
  return suite;
}
