/* SPDX-License-Identifier: MIT */
#include "exec/fold/wp-fold-arrives.h"

#include <stdlib.h>
#include <string.h>

typedef void (*Visit) (IdgNode *node, GHashTable *names);

static void
each_node (IdgKernel *kernel, Visit visit, GHashTable *names)
{
  for (guint p = 0; p < kernel->programs->len; p++)
    {
      IdgProgram *program = ((IdgKernelProgram *)g_ptr_array_index (kernel->programs, p))->program;

      for (guint32 i = 0; i < program->n_nodes; i++)
        visit (&program->nodes[i], names);
    }
}

static void
take_name (IdgNode *node, GHashTable *names)
{
  if (node->kind == IDG_BARRIER && node->name)
    g_hash_table_add (names, node->name);
}

static void
drop (IdgNode *node, GHashTable *names)
{
  if (node->kind != IDG_ARRIVE || g_hash_table_contains (names, node->name))
    return;
  free (node->name);
  node->name = NULL;
  node->kind = IDG_INSTRUCTION;
  node->op = strdup ("nop");
  if (!node->op)
    g_error ("out of memory");
}

void
wp_fold_drop_arrives (IdgKernel *kernel)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);

  each_node (kernel, take_name, names);
  each_node (kernel, drop, names);
}
