/* SPDX-License-Identifier: MIT */
/* An instruction that depends on itself uses its own result: that is how a kernel writes a chain.
 * Atomics are left out, because they are there for what they write, too. */
#include "idg/kernel/idg-unused.h"

#include <string.h>

gboolean
idg_op_has_result (const gchar *name)
{
  static const gchar *const ops[]
      = { "abs",   "add",  "and",  "bfe",  "bfi",   "bfind", "brev", "clz", "cnot",  "copysign",
          "cos",   "cvt",  "div",  "dp2a", "dp4a",  "ex2",   "fma",  "fns", "ld",    "ldmatrix",
          "ldu",   "lg2",  "lop3", "mad",  "mad24", "max",   "min",  "mma", "mov",   "mul",
          "mul24", "neg",  "not",  "or",   "popc",  "prmt",  "rcp",  "rem", "rsqrt", "sad",
          "selp",  "set",  "setp", "shf",  "shfl",  "shl",   "shr",  "sin", "slct",  "sqrt",
          "sub",   "suld", "tanh", "tex",  "tld4",  "wmma",  "xor" };
  gsize length = strcspn (name, ".");

  for (gsize i = 0; i < G_N_ELEMENTS (ops); i++)
    if (strlen (ops[i]) == length && strncmp (ops[i], name, length) == 0)
      return !g_str_has_prefix (name, "wmma.store");
  return FALSE;
}

/* A program that is looked at. */
typedef struct
{
  const IdgKernel *kernel;
  const IdgProgram *program;
  gboolean *used; /* [n_nodes]: some node that runs depends on it */
  IdgUnusedFunc func;
  gpointer data;
  gboolean stopped; /* by func */
} Search;

static void
add (Search *search, const IdgNode *node, gchar *text)
{
  const gchar *file = idg_kernel_get_file (search->kernel);

  g_autofree gchar *message = node->line > 0 ? g_strdup_printf ("%s:%d: %s", file, node->line, text)
                                             : g_strdup_printf ("%s: %s", file, text);

  search->stopped = !search->func (search->data, message);
  g_free (text);
}

static void
find_used (Search *search)
{
  const IdgProgram *program = search->program;

  for (uint32_t i = 0; i < program->n_nodes; i++)
    if (program->nodes[i].kind == IDG_REPEAT && program->nodes[i].count == 0)
      i = program->nodes[i].partner;
    else
      for (uint32_t d = 0; d < program->nodes[i].n_after; d++)
        search->used[program->nodes[i].after[d]] = TRUE;
}

static gboolean
is_move (const gchar *op)
{
  return strcmp (op, "mov") == 0 || g_str_has_prefix (op, "mov.")
         || g_str_has_prefix (op, "ld.param") || g_str_has_prefix (op, "ld.const");
}

/* Without an id, what has the text of a listing is as the listing has it, which may well leave a
 * result; and a compiler's moves set up more than is used. */
static gboolean
is_unused (const Search *search, uint32_t i)
{
  const IdgNode *node = &search->program->nodes[i];

  if (node->kind != IDG_INSTRUCTION || search->used[i] || !idg_op_has_result (node->op))
    return FALSE;
  return node->id != NULL || (node->text == NULL && !is_move (node->op));
}

/* "op \"add.f32\" (id \"sum\")". Free with g_free(). */
static gchar *
describe (const IdgNode *node)
{
  return node->id != NULL ? g_strdup_printf ("op \"%s\" (id \"%s\")", node->op, node->id)
                          : g_strdup_printf ("op \"%s\"", node->op);
}

static void
warn_unused (Search *search, uint32_t i)
{
  const IdgNode *node = &search->program->nodes[i];
  g_autofree gchar *what = describe (node);
  const gchar *id = node->id != NULL ? node->id : "ID";

  add (search, node,
       g_strdup_printf ("the result of %s is used by nobody, so that nothing waits for it; write "
                        "after=\"%s\" where it is used, a store for one%s",
                        what, id, node->id != NULL ? "" : ", and give it that id"));
}

/* Whether the first instruction of the repeat at HEAD waits for a result of the round before; TRUE
 * where a repeat or a barrier comes first, which says when a round begins. */
static gboolean
waits_for_round (const Search *search, uint32_t head)
{
  const IdgNode *nodes = search->program->nodes;

  if (nodes[head + 1].kind != IDG_INSTRUCTION)
    return TRUE;
  for (uint32_t d = 0; d < nodes[head + 1].n_after; d++)
    if (nodes[head + 1].after[d] > head && nodes[head + 1].after[d] < nodes[head].partner)
      return TRUE;
  return FALSE;
}

/* The first result that nobody uses of those directly in the repeat at HEAD, not counting that of
 * its first instruction; 0: there is none. */
static uint32_t
find_in_round (const Search *search, uint32_t head)
{
  const IdgNode *nodes = search->program->nodes;

  for (uint32_t i = head + 2; i < nodes[head].partner; i++)
    if (nodes[i].kind == IDG_REPEAT)
      i = nodes[i].partner;
    else if (is_unused (search, i))
      return i;
  return 0;
}

static void
look_at_repeat (Search *search, uint32_t head)
{
  const IdgNode *nodes = search->program->nodes, *first = &nodes[head + 1];
  uint32_t unused
      = nodes[head].count < 2 || waits_for_round (search, head) ? 0 : find_in_round (search, head);
  g_autofree gchar *first_name = NULL, *last_name = NULL;

  if (unused == 0)
    return;
  first_name = describe (first);
  last_name = describe (&nodes[unused]);
  add (search, &nodes[head],
       g_strdup_printf ("the rounds of this repeat do not wait for one another: its first "
                        "instruction, %s, waits for nothing of the round before, and nobody uses "
                        "the result of %s; write after=\"%s\" at the first, if a round needs it",
                        first_name, last_name, nodes[unused].id != NULL ? nodes[unused].id : "ID"));
}

static void
look_at (Search *search)
{
  const IdgProgram *program = search->program;

  find_used (search);
  for (uint32_t i = 0; i < program->n_nodes && !search->stopped; i++)
    {
      if (program->nodes[i].kind == IDG_REPEAT && program->nodes[i].count == 0)
        i = program->nodes[i].partner;
      else if (program->nodes[i].kind == IDG_REPEAT)
        look_at_repeat (search, i);
      else if (is_unused (search, i))
        warn_unused (search, i);
    }
}

void
idg_kernel_each_unused (const IdgKernel *kernel, IdgUnusedFunc func, gpointer data)
{
  gboolean stopped = FALSE;

  g_return_if_fail (kernel != NULL && func != NULL);
  for (guint p = 0; p < kernel->programs->len && !stopped; p++)
    {
      const IdgKernelProgram *named = g_ptr_array_index (kernel->programs, p);
      g_autofree gboolean *used = g_new0 (gboolean, (gsize)named->program->n_nodes + 1);
      Search search = { kernel, named->program, used, func, data, FALSE };

      look_at (&search);
      stopped = search.stopped;
    }
}

static gboolean
keep (gpointer found, const gchar *message)
{
  g_ptr_array_add (found, g_strdup (message));
  return TRUE;
}

GPtrArray *
idg_kernel_find_unused (const IdgKernel *kernel)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);

  g_return_val_if_fail (kernel != NULL, found);
  idg_kernel_each_unused (kernel, keep, found);
  return found;
}
