/* SPDX-License-Identifier: MIT */
/* Compares what the programs of a kernel execute with what can be modelled, and with what the
 * listing holds. What is in a repeat of no rounds is not executed. */
#include "idg/import/flow/idg-carried.h"

#include "idg/import/ops/idg-ops.h"

#include <string.h>

#define MAX_NAMED 3 /* instructions that a warning names */

typedef void (*Visit) (gpointer data, const IdgNode *node);

static void
visit_program (const IdgProgram *program, Visit visit, gpointer data)
{
  for (guint32 i = 0; i < program->n_nodes; i++)
    {
      const IdgNode *node = &program->nodes[i];

      if (node->kind == IDG_REPEAT && node->count == 0)
        i = node->partner;
      else if (node->kind != IDG_REPEAT && node->kind != IDG_END)
        visit (data, node);
    }
}

/* Calls VISIT for each instruction, barrier and arrive that is executed, as written. */
static void
visit_executed (const IdgKernel *kernel, Visit visit, gpointer data)
{
  for (guint p = 0; p < kernel->programs->len; p++)
    visit_program (((const IdgKernelProgram *)g_ptr_array_index (kernel->programs, p))->program,
                   visit, data);
}

/* ---- What is not modelled ---- */

/* Instructions that are not modelled for one reason. */
typedef struct
{
  const gchar *what;
  GString *named; /* the first of them, each op once */
  GPtrArray *ops; /* of gchar, borrowed: those seen */
  guint n;        /* instructions */
} Topic;

typedef struct
{
  const gchar *file;
  GHashTable *known;  /* from ops to what of each is not modelled, or NULL */
  GPtrArray *topics;  /* of Topic */
  const gchar *waits; /* what a wait for copies is; NULL: modelled */
  gboolean executes; /* machine code was executed: products are waited for, other grids not there */
} Search;

static void
topic_free (gpointer data)
{
  Topic *topic = data;

  g_string_free (topic->named, TRUE);
  g_ptr_array_unref (topic->ops);
  g_free (topic);
}

static Topic *
get_topic (Search *search, const gchar *what)
{
  Topic *topic;

  for (guint i = 0; i < search->topics->len; i++)
    if (strcmp (((Topic *)g_ptr_array_index (search->topics, i))->what, what) == 0)
      return g_ptr_array_index (search->topics, i);
  topic = g_new0 (Topic, 1);
  topic->what = what;
  topic->named = g_string_new (NULL);
  topic->ops = g_ptr_array_new ();
  g_ptr_array_add (search->topics, topic);
  return topic;
}

/* Whether OP, as it was executed, is of tcgen05, and what it does is known: of a product that was
 * not always the same it is not. */
static gboolean
is_known_tensor_op (const gchar *op)
{
  return g_str_has_prefix (op, "tcgen05") && strcmp (op, "tcgen05.mma") != 0;
}

/* What of NODE is not modelled, or NULL. A barrier of a cluster is written as one of the block. */
static const gchar *
find_unmodelled (Search *search, const IdgNode *node)
{
  gpointer what;

  if (node->kind != IDG_INSTRUCTION)
    return node->text != NULL && strstr (node->text, "barrier.cluster") != NULL ? "clusters" : NULL;
  if (!g_hash_table_lookup_extended (search->known, node->op, NULL, &what))
    {
      what = (gpointer)idg_ops_get_unmodelled (node->op);
      if (g_str_has_prefix (node->op, "cp.async.wait_"))
        what = (gpointer)search->waits;
      if (search->executes
          && (g_str_has_prefix (node->op, "wgmma") || g_str_has_prefix (node->op, "griddepcontrol")
              || is_known_tensor_op (node->op) || strstr (node->op, ".global.bulk.")
              || strstr (node->op, ".shared.bulk.")))
        what = NULL;
      g_hash_table_insert (search->known, (gpointer)node->op, what);
    }
  return what;
}

static void
look_at (gpointer data, const IdgNode *node)
{
  Search *search = data;
  const gchar *what = find_unmodelled (search, node);
  const gchar *op = node->kind == IDG_INSTRUCTION ? node->op : "barrier.cluster.wait";
  Topic *topic;

  if (what == NULL)
    return;
  topic = get_topic (search, what);
  topic->n++;
  if (g_ptr_array_find_with_equal_func (topic->ops, op, g_str_equal, NULL))
    return;
  if (topic->ops->len < MAX_NAMED)
    g_string_append_printf (topic->named, "%s%s", topic->named->len > 0 ? ", " : "", op);
  if (topic->ops->len < MAX_NAMED && node->line > 0)
    g_string_append_printf (topic->named, " at %s:%d", search->file, node->line);
  else if (topic->ops->len == MAX_NAMED)
    g_string_append (topic->named, ", ...");
  if (topic->ops->len <= MAX_NAMED)
    g_ptr_array_add (topic->ops, (gpointer)op);
}

/* WAITS as in Search; MORE is what else is not modelled, or NULL. */
static void
warn_of_unmodelled (IdgKernel *kernel, const gchar *waits, gboolean executes, gboolean lacks_waits,
                    const gchar *more)
{
  Search search = { kernel->file, g_hash_table_new (g_str_hash, g_str_equal),
                    g_ptr_array_new_with_free_func (topic_free), waits, executes };
  g_autoptr (GString) text = g_string_new ("times are a lower bound; not modelled:");

  visit_executed (kernel, look_at, &search);
  if (lacks_waits) /* up to sm_89 by ordinary instructions */
    get_topic (&search, idg_ops_get_unmodelled ("mbarrier"));
  for (guint i = 0; i < search.topics->len; i++)
    {
      const Topic *topic = g_ptr_array_index (search.topics, i);

      g_string_append_printf (text, "%s %s", i > 0 ? "," : "", topic->what);
      if (topic->n > 0)
        g_string_append_printf (text, " (%u instruction%s: %s)", topic->n, topic->n == 1 ? "" : "s",
                                topic->named->str);
    }
  if (more != NULL)
    g_string_append_printf (text, "%s %s", search.topics->len > 0 ? "," : "", more);
  if (search.topics->len > 0 || more != NULL)
    idg_kernel_add_warning (kernel, "lower-bound", "%s", text->str);
  g_hash_table_unref (search.known);
  g_ptr_array_unref (search.topics);
}

/* ---- What the listing has, and the kernel has not ---- */

static gboolean
is_global (const gchar *op)
{
  return idg_ops_get_space (op) == IDG_OPS_GLOBAL;
}

static gboolean
is_shared (const gchar *op)
{
  return idg_ops_get_space (op) == IDG_OPS_SHARED;
}

typedef struct
{
  const gchar *one, *several;
  gboolean (*has) (const gchar *op);
} Kind;

static const Kind kinds[] = {
  { "floating-point instruction", "floating-point instructions", idg_ops_is_floating_point },
  { "access to global memory", "accesses to global memory", is_global },
  { "access to shared memory", "accesses to shared memory", is_shared },
};

static void
add_line (gpointer lines, const IdgNode *node)
{
  g_hash_table_add (lines, GINT_TO_POINTER (node->line));
}

static gboolean
is_executed (const IdgCode *code, GHashTable *lines, guint instr)
{
  return g_hash_table_contains (lines, GINT_TO_POINTER (idg_code_get (code, instr)->line));
}

/* Returns the first instruction of the outermost loop around INSTR that is not entered, or
 * IDG_NO_TARGET. */
static guint
find_loop (const IdgCode *code, const IdgFlow *flow, GHashTable *lines, guint instr)
{
  guint loop = idg_flow_get_block (flow, flow->block_of[instr])->loop, found = IDG_NO_TARGET;

  for (; loop != IDG_FLOW_NONE; loop = idg_flow_get_loop (flow, loop)->parent)
    {
      guint first = idg_flow_get_block (flow, idg_flow_get_loop (flow, loop)->header)->first;

      if (!is_executed (code, lines, first))
        found = first;
    }
  return found;
}

/* Says why INSTR is not executed; FIRST begins the loop around it that is not entered, or is
 * IDG_NO_TARGET. Free with g_free(). */
static gchar *
describe_place (const IdgCode *code, const IdgFlow *flow, guint first, guint instr)
{
  const IdgCodeInstr *at = idg_code_get (code, first != IDG_NO_TARGET ? first : instr);
  const gchar *label = first != IDG_NO_TARGET ? idg_flow_get_label (flow, first) : NULL;
  g_autofree gchar *source
      = at->source != NULL ? g_strdup_printf (" (%s)", at->source) : g_strdup ("");

  if (first == IDG_NO_TARGET)
    return g_strdup_printf ("%s:%d%s is not reached", code->file, at->line, source);
  return g_strdup_printf ("the loop%s%s at %s:%d%s is not entered", label != NULL ? " " : "",
                          label != NULL ? label + (*label == '$') : "", code->file, at->line,
                          source);
}

static void
warn_of_kind (const IdgHints *hints, GHashTable *lines, const Kind *kind, IdgKernel *kernel)
{
  const IdgCode *code = hints->code;
  g_autofree gchar *place = NULL;
  guint n = 0, first = 0, loop;

  for (guint i = 0; i < code->instrs->len; i++)
    {
      const IdgCodeInstr *instr = idg_code_get (code, i);

      if (instr->op == NULL || !kind->has (instr->op))
        continue;
      if (is_executed (code, lines, i))
        return;
      first = n++ == 0 ? i : first;
    }
  if (n == 0)
    return;
  loop = find_loop (code, hints->flow, lines, first);
  if (loop != IDG_NO_TARGET && idg_hints_skips (hints, loop))
    return;
  place = describe_place (code, hints->flow, loop, first);
  idg_kernel_add_warning (kernel, "nothing-of-a-kind",
                          "the listing has %u %s (%s%s), of which none runs: %s", n,
                          n == 1 ? kind->one : kind->several, idg_code_get (code, first)->op,
                          n == 1 ? "" : ", ...", place);
}

void
idg_hints_add_warnings (const IdgHints *hints, IdgKernel *kernel)
{
  g_autoptr (GHashTable) lines = g_hash_table_new (NULL, NULL);

  warn_of_unmodelled (kernel, NULL, FALSE, FALSE, NULL);
  visit_executed (kernel, add_line, lines);
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    warn_of_kind (hints, lines, &kinds[i], kernel);
}

static void
look_for_copy (gpointer found, const IdgNode *node)
{
  if (node->kind == IDG_INSTRUCTION
      && (g_str_has_prefix (node->op, "cp.async.ca.")
          || g_str_has_prefix (node->op, "cp.async.cg.")))
    *(gboolean *)found = TRUE;
}

void
idg_kernel_add_trace_warnings (IdgKernel *kernel)
{
  gboolean has_copies = FALSE;

  /* Without copies a DEPBAR waits for something else. */
  visit_executed (kernel, look_for_copy, &has_copies);
  warn_of_unmodelled (kernel, has_copies ? "waits for asynchronous copies" : NULL, FALSE, FALSE,
                      NULL);
}

void
idg_kernel_add_execution_warnings (IdgKernel *kernel, gboolean lacks_waits, const gchar *more)
{
  warn_of_unmodelled (kernel, NULL, TRUE, lacks_waits, more);
}
