/* SPDX-License-Identifier: MIT */
/* A kernel has few names, so that they are searched one by one. */
#include "idg/kernel/idg-barriers.h"

#include <string.h>

guint
idg_barriers_find (const GArray *barriers, const gchar *name)
{
  for (guint i = 0; i < barriers->len; i++)
    if (strcmp (g_array_index (barriers, IdgBarrier, i).name, name) == 0)
      return i;
  return G_MAXUINT;
}

G_GNUC_PRINTF (4, 5)
static gboolean
fail (const IdgKernel *kernel, const IdgNode *node, GError **error, const gchar *format, ...)
{
  g_autofree gchar *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  if (node->line > 0)
    g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE, "%s:%d: %s \"%s\": %s",
                 idg_kernel_get_file (kernel), node->line,
                 node->kind == IDG_ARRIVE ? "arrive" : "barrier", node->name, text);
  else
    g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE, "%s: %s \"%s\": %s",
                 idg_kernel_get_file (kernel), node->kind == IDG_ARRIVE ? "arrive" : "barrier",
                 node->name, text);
  return FALSE;
}

/* "warps=\"4\"", "no warps". Free with g_free(). */
static gchar *
describe_warps (const IdgNode *node)
{
  return node->warps > 0 ? g_strdup_printf ("warps=\"%u\"", node->warps) : g_strdup ("no warps");
}

static gboolean
fail_warps (const IdgKernel *kernel, const IdgNode *node, const IdgNode *first, GError **error)
{
  g_autofree gchar *here = describe_warps (node);
  g_autofree gchar *there = describe_warps (first);
  g_autofree gchar *line
      = first->line > 0 ? g_strdup_printf (" (line %d)", first->line) : g_strdup ("");

  return fail (kernel, node, error,
               "it has %s, and a barrier of that name before has %s%s; write the same for all "
               "barriers of a name, or give them different names",
               here, there, line);
}

static gboolean
add_node (const IdgKernel *kernel, GArray *barriers, const IdgNode *node, GError **error)
{
  guint place = idg_barriers_find (barriers, node->name);
  IdgBarrier added = { .name = node->name, .first = node };
  IdgBarrier *barrier;

  if (place == G_MAXUINT)
    {
      if (barriers->len == IDG_MAX_BARRIERS)
        return fail (kernel, node, error,
                     "this is one name more than the %d that the barriers of a kernel may have",
                     IDG_MAX_BARRIERS);
      place = barriers->len;
      g_array_append_val (barriers, added);
    }
  barrier = &g_array_index (barriers, IdgBarrier, place);
  if (node->kind != IDG_BARRIER)
    return TRUE;
  if (barrier->barrier != NULL && barrier->warps != node->warps)
    return fail_warps (kernel, node, barrier->barrier, error);
  if (barrier->barrier == NULL)
    barrier->barrier = node;
  barrier->warps = node->warps;
  return TRUE;
}

/* When a warp comes late matters only where comings are told apart by the order of issue: to
 * barriers of a number of warps. */
static gboolean
check_late (const IdgKernel *kernel, const GArray *barriers, const IdgProgram *program,
            GError **error)
{
  for (guint32 i = 0; i < program->n_nodes; i++)
    {
      const IdgNode *node = &program->nodes[i];

      if (node->kind == IDG_ARRIVE && node->late
          && g_array_index (barriers, IdgBarrier, idg_barriers_find (barriers, node->name)).warps
                 == 0)
        return fail (
            kernel, node, error,
            "it comes late (when=\"...\"), and the barriers of its name are for all warps; "
            "write warps=\"N\" there, or after=\"...\" here");
    }
  return TRUE;
}

GArray *
idg_kernel_list_barriers (const IdgKernel *kernel, GError **error)
{
  g_autoptr (GArray) barriers = g_array_new (FALSE, FALSE, sizeof (IdgBarrier));

  g_return_val_if_fail (kernel != NULL, NULL);
  for (guint p = 0; p < kernel->programs->len; p++)
    {
      const IdgKernelProgram *named = g_ptr_array_index (kernel->programs, p);

      for (guint32 i = 0; i < named->program->n_nodes; i++)
        if (named->program->nodes[i].name != NULL
            && !add_node (kernel, barriers, &named->program->nodes[i], error))
          return NULL;
    }
  for (guint i = 0; i < barriers->len; i++)
    {
      const IdgBarrier *barrier = &g_array_index (barriers, IdgBarrier, i);

      if (barrier->barrier == NULL)
        {
          fail (kernel, barrier->first, error,
                "no <barrier> of the kernel has this name, so that nobody waits for it; add one, "
                "or leave the <arrive> out");
          return NULL;
        }
    }
  for (guint p = 0; p < kernel->programs->len; p++)
    if (!check_late (kernel, barriers,
                     ((const IdgKernelProgram *)g_ptr_array_index (kernel->programs, p))->program,
                     error))
      return NULL;
  return g_steal_pointer (&barriers);
}

gchar *
idg_node_describe (const IdgNode *node)
{
  if (node->kind == IDG_INSTRUCTION)
    return node->context != NULL ? g_strdup_printf ("%s %s", node->op, node->context)
                                 : g_strdup (node->op);
  if (node->kind == IDG_ARRIVE)
    return g_strdup_printf (node->late ? "arrive %s, late" : "arrive %s", node->name);
  if (node->warps > 0)
    return g_strdup_printf ("barrier %s (%u warp%s)", node->name, node->warps,
                            node->warps == 1 ? "" : "s");
  return node->name != NULL ? g_strdup_printf ("barrier %s", node->name) : g_strdup ("barrier");
}
