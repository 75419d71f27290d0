/* SPDX-License-Identifier: MIT */
/* Accesses without a context, counted as written. */
#include "run/base/assumptions.h"

#include "idg/import/ops/idg-ops.h"

typedef struct
{
  guint64 global, shared;
} Counts;

static void
count (const IdgProgram *program, Counts *counts)
{
  for (guint32 i = 0; i < program->n_nodes; i++)
    {
      const IdgNode *node = &program->nodes[i];
      IdgOpsSpace space = node->kind == IDG_INSTRUCTION && node->context == NULL
                              ? idg_ops_get_space (node->op)
                              : IDG_OPS_NO_SPACE;

      counts->global += space == IDG_OPS_GLOBAL;
      counts->shared += space == IDG_OPS_SHARED;
    }
}

gchar *
wp_assumptions_describe (const IdgKernel *kernel, gboolean imported)
{
  const gchar *hint = imported ? "--context FILE:LINE=NAME" : "context=\"NAME\" in this file";
  Counts counts = { 0, 0 };
  GString *text;

  for (guint i = 0; kernel->assumed_addresses && i < kernel->programs->len; i++)
    count (((const IdgKernelProgram *)g_ptr_array_index (kernel->programs, i))->program, &counts);
  if (counts.global + counts.shared == 0)
    return NULL;
  text = g_string_new (NULL);
  g_string_append_printf (text, "%s: %" G_GUINT64_FORMAT " access%s assumed ",
                          idg_kernel_get_file (kernel),
                          counts.global > 0 ? counts.global : counts.shared,
                          (counts.global > 0 ? counts.global : counts.shared) == 1 ? "" : "es");
  if (counts.global > 0)
    g_string_append (text, "coalesced, ");
  if (counts.global > 0 && counts.shared > 0)
    g_string_append_printf (text, "%" G_GUINT64_FORMAT " ", counts.shared);
  if (counts.shared > 0)
    g_string_append_printf (text, "without bank conflicts%s", counts.global > 0 ? ", " : "");
  if (counts.global > 0)
    g_string_append (text, counts.global + counts.shared > 1 ? "all from DRAM" : "from DRAM");
  g_string_append_printf (text, "; %s says otherwise", hint);
  return g_string_free (text, FALSE);
}

/* ---- Atomic operations ---- */

typedef struct
{
  guint64 n;            /* as written */
  gdouble times, total; /* executed: atomics, and all instructions */
} Atomics;

static gboolean
is_atomic (const gchar *op)
{
  return g_str_has_prefix (op, "atom.") || g_str_has_prefix (op, "red.");
}

static void
count_atomics (const IdgProgram *program, Atomics *atomics)
{
  gdouble times[IDG_MAX_DEPTH + 1] = { 1 };
  guint depth = 0;

  for (guint32 i = 0; i < program->n_nodes; i++)
    {
      const IdgNode *node = &program->nodes[i];

      if (node->kind == IDG_REPEAT)
        {
          times[depth + 1] = times[depth] * (gdouble)node->count;
          depth++;
        }
      else if (node->kind == IDG_END)
        depth--;
      else
        atomics->total += times[depth];
      if (node->kind != IDG_INSTRUCTION || node->context != NULL || !is_atomic (node->op))
        continue;
      atomics->n++;
      atomics->times += times[depth];
    }
}

gchar *
wp_assumptions_describe_atomics (const IdgKernel *kernel)
{
  Atomics atomics = { 0, 0, 0 };

  for (guint i = 0; kernel->assumed_addresses && i < kernel->programs->len; i++)
    count_atomics (((const IdgKernelProgram *)g_ptr_array_index (kernel->programs, i))->program,
                   &atomics);
  if (atomics.times <= 0.01 * atomics.total)
    return NULL;
  return g_strdup_printf (
      "%" G_GUINT64_FORMAT " atomic%s assumed to meet no other at %s address%s: how many lanes do "
      "depends on the data, and each takes a turn; a context (conflict-4) says how many",
      atomics.n, atomics.n == 1 ? " is" : "s are", atomics.n == 1 ? "its" : "their",
      atomics.n == 1 ? "" : "es");
}
