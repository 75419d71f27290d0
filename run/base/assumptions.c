/* SPDX-License-Identifier: MIT */
/* Accesses without a context, counted as written. */
#include "run/base/assumptions.h"

#include "idg/import/ops/idg-ops.h"

#include <string.h>

typedef struct
{
  guint64 global, shared;
} Counts;

/* A listing's instruction is in each program whose warps execute it, and is one access all the
 * same. So of accesses that read alike, those of the program that has most of them count. */
static void
add_most (GHashTable *most, gchar *name, guint n)
{
  if (n > GPOINTER_TO_UINT (g_hash_table_lookup (most, name)))
    g_hash_table_replace (most, name, GUINT_TO_POINTER (n));
  else
    g_free (name);
}

static void
count_program (const IdgProgram *program, GHashTable *most)
{
  g_autoptr (GHashTable) here = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint32 i = 0; i < program->n_nodes; i++)
    {
      const IdgNode *node = &program->nodes[i];
      gchar *name;

      if (node->kind != IDG_INSTRUCTION || node->context != NULL
          || idg_ops_get_space (node->op) == IDG_OPS_NO_SPACE)
        continue;
      name = g_strdup_printf ("%s %s", node->op, node->text != NULL ? node->text : "");
      add_most (most, g_strdup (name), GPOINTER_TO_UINT (g_hash_table_lookup (here, name)) + 1);
      g_hash_table_replace (
          here, name, GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (here, name)) + 1));
    }
}

static Counts
count (const IdgKernel *kernel)
{
  g_autoptr (GHashTable) most = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Counts counts = { 0, 0 };
  GHashTableIter iter;
  gpointer name, n;

  for (guint i = 0; kernel->assumed_addresses && i < kernel->programs->len; i++)
    count_program (((const IdgKernelProgram *)g_ptr_array_index (kernel->programs, i))->program,
                   most);
  g_hash_table_iter_init (&iter, most);
  while (g_hash_table_iter_next (&iter, &name, &n))
    {
      g_autofree gchar *op = g_strndup (name, strcspn (name, " "));

      *(idg_ops_get_space (op) == IDG_OPS_GLOBAL ? &counts.global : &counts.shared)
          += GPOINTER_TO_UINT (n);
    }
  return counts;
}

gchar *
wp_assumptions_describe (const IdgKernel *kernel, gboolean imported)
{
  const gchar *hint = imported ? "--context FILE:LINE=NAME" : "context=\"NAME\" in this file";
  Counts counts = count (kernel);
  GString *text;

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
  guint64 n, global;    /* as written; those on global memory */
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
      atomics->global += idg_ops_get_space (node->op) == IDG_OPS_GLOBAL;
      atomics->times += times[depth];
    }
}

gchar *
wp_assumptions_describe_atomics (const IdgKernel *kernel)
{
  Atomics atomics = { 0, 0, 0, 0 };

  for (guint i = 0; kernel->assumed_addresses && i < kernel->programs->len; i++)
    count_atomics (((const IdgKernelProgram *)g_ptr_array_index (kernel->programs, i))->program,
                   &atomics);
  if (atomics.times <= 0.01 * atomics.total)
    return NULL;
  return g_strdup_printf (
      "%" G_GUINT64_FORMAT " atomic%s assumed to meet no other at %s address%s: how many lanes do "
      "depends on the data, and each takes a turn; a context %s",
      atomics.n, atomics.n == 1 ? " is" : "s are", atomics.n == 1 ? "its" : "their",
      atomics.n == 1 ? "" : "es",
      atomics.global == 0 ? "(conflict-4) says how many"
      : atomics.global == atomics.n
          ? "(sectors-8) says over how many sectors of global memory they spread, and turns there "
            "are not modelled"
          : "(conflict-4 in shared memory, sectors-8 in global memory) says how many");
}
