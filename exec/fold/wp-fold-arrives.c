/* SPDX-License-Identifier: MIT */
#include "exec/fold/wp-fold-arrives.h"

typedef void (*Visit) (IdgProgram *program, guint32 i, GHashTable *names);

static void
each_node (IdgKernel *kernel, Visit visit, GHashTable *names)
{
  for (guint p = 0; p < kernel->programs->len; p++)
    {
      IdgProgram *program = ((IdgKernelProgram *)g_ptr_array_index (kernel->programs, p))->program;

      for (guint32 i = 0; i < program->n_nodes; i++)
        visit (program, i, names);
    }
}

static void
take_name (IdgProgram *program, guint32 i, GHashTable *names)
{
  const IdgNode *node = &program->nodes[i];

  if (node->kind == IDG_BARRIER && node->name)
    g_hash_table_add (names, (gpointer)node->name);
}

static void
drop (IdgProgram *program, guint32 i, GHashTable *names)
{
  const IdgNode *node = &program->nodes[i];

  if (node->kind != IDG_ARRIVE || g_hash_table_contains (names, node->name))
    return;
  if (idg_program_drop_arrive (program, i, "nop") != IDG_OK)
    g_error ("out of memory");
}

void
wp_fold_drop_arrives (IdgKernel *kernel)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);

  each_node (kernel, take_name, names);
  each_node (kernel, drop, names);
}
