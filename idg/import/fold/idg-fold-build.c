/* SPDX-License-Identifier: MIT */
/* Builds a program from its code. An instruction may depend on later ones, so that all nodes come
 * first. */
#include "idg/import/fold/idg-fold.h"

static IdgStatus
build_instruction (IdgProgram *program, const IdgFoldClass *class)
{
  g_autofree gchar *made
      = class->text ? NULL
        : class->source_line
            ? g_strdup_printf ("0x%04" G_GINT64_MODIFIER "x %s (line %" G_GUINT64_FORMAT ")",
                               class->pc, class->opcode, class->source_line)
            : g_strdup_printf ("0x%04" G_GINT64_MODIFIER "x %s", class->pc, class->opcode);
  const gchar *text = class->text ? class->text : made;

  if (class->arrives)
    {
      IdgStatus status = idg_program_add_arrive (program, class->barrier, text, class->line, NULL);

      if (status == IDG_OK && class->late)
        idg_program_set_late (program, program->n_nodes - 1);
      return status;
    }
  if (!class->op && class->barrier)
    return idg_program_add_named_barrier (program, class->barrier, class->warps, text, class->line,
                                          NULL);
  if (!class->op)
    return idg_program_add_barrier (program, text, class->line, NULL);
  return idg_program_add_instruction (program, class->op, class->context, NULL, text, class->line,
                                      NULL);
}

/* Adds the node at WORDS without its dependences, which may be on later nodes, and advances to the
 * next. */
static IdgStatus
build_node (IdgProgram *program, const IdgFoldClasses *classes, const guint32 **words)
{
  guint32 kind = *(*words)++, class;
  IdgStatus status;

  if (kind == IDG_FOLD_END)
    return idg_program_end_repeat (program);
  if (kind == IDG_FOLD_REPEAT)
    return idg_program_begin_repeat (program, *(*words)++, 0, NULL);
  class = *(*words)++;
  *words += 1 + **words;
  status = build_instruction (program, idg_fold_classes_get (classes, class));
  if (status == IDG_OK && program->nodes[program->n_nodes - 1].kind == IDG_INSTRUCTION)
    idg_program_set_stall (program, program->n_nodes - 1,
                           idg_fold_classes_get (classes, class)->stall);
  return status;
}

static IdgStatus
build_deps (IdgProgram *program, guint32 node, const guint32 **words)
{
  guint32 kind = *(*words)++, n;
  IdgStatus status = IDG_OK;

  if (kind != IDG_FOLD_INSTRUCTION)
    {
      *words += kind == IDG_FOLD_REPEAT;
      return IDG_OK;
    }
  n = *++*words;
  ++*words;
  for (guint32 i = 0; i < n && status == IDG_OK; i++)
    {
      guint32 word = *(*words)++;

      status = idg_program_add_distant_dependence (program, node, word % IDG_FOLD_DISTANCE,
                                                   word / IDG_FOLD_DISTANCE + 1);
    }
  return status;
}

IdgProgram *
idg_fold_program_build (const IdgFoldClasses *classes, const GArray *code, guint n_nodes,
                        IdgProgram *other)
{
  IdgProgram *program = idg_program_new_beside (other);
  const guint32 *words = (const guint32 *)(void *)code->data;
  const guint32 *end = words + code->len;
  IdgStatus status = program ? idg_program_reserve (program, n_nodes) : IDG_NO_MEMORY;

  while (status == IDG_OK && words < end)
    status = build_node (program, classes, &words);
  words = (const guint32 *)(void *)code->data;
  for (guint32 i = 0; status == IDG_OK && words < end; i++)
    status = build_deps (program, i, &words);
  if (status == IDG_OK)
    return program;
  if (status == IDG_NO_MEMORY) /* must not be taken for a program that is too large */
    g_error ("out of memory");
  idg_program_free (program);
  return NULL;
}
