/* SPDX-License-Identifier: MIT */
/* A kernel as the file that reading gives it from (FORMATS.md, "Kernel"). Parameters have their
 * values put in by the time a kernel is read, so they are not written.
 */
#include "idg/kernel/idg-kernel.h"

#include <string.h>

typedef struct
{
  GString *text;
  const IdgProgram *program;
  gchar **ids; /* by node, of those that another depends on; made up where the node has none */
  GHashTable *used,
      *stems; /* all ids; and what stands before the last colon of each that has one */
} Writer;

static void
write_attribute (Writer *writer, const gchar *name, const gchar *value)
{
  g_autofree gchar *escaped = NULL;

  if (value == NULL)
    return;
  escaped = g_markup_escape_text (value, -1);
  g_string_append_printf (writer->text, " %s=\"%s\"", name, escaped);
}

static void
write_number (Writer *writer, const gchar *name, gint64 value)
{
  g_string_append_printf (writer->text, " %s=\"%" G_GINT64_FORMAT "\"", name, value);
}

static void
note_id (Writer *writer, const gchar *id)
{
  const gchar *colon = strrchr (id, ':');

  g_hash_table_add (writer->used, (gpointer)id);
  if (colon != NULL)
    g_hash_table_add (writer->stems, g_strndup (id, (gsize)(colon - id)));
}

/* A name that no node has, nor one with a distance behind it. */
static gchar *
make_id (const Writer *writer, guint64 *next)
{
  for (;;)
    {
      g_autofree gchar *made = g_strdup_printf ("n%" G_GUINT64_FORMAT, (*next)++);

      if (!g_hash_table_contains (writer->used, made)
          && !g_hash_table_contains (writer->stems, made))
        return g_steal_pointer (&made);
    }
}

/* An id for each node that has a consumer: its own, else "nK" with the first K that none has. One
 * that is "x" beside an id "x:2" gets another, too, where a consumer names it at a distance: "x:2"
 * would be read as that id. */
static void
name_nodes (Writer *writer)
{
  const IdgProgram *program = writer->program;
  guint64 next = 0;

  for (uint32_t i = 0; i < program->n_nodes; i++)
    if (program->nodes[i].id != NULL)
      {
        writer->ids[i] = g_strdup (program->nodes[i].id);
        note_id (writer, program->nodes[i].id);
      }
  for (uint32_t i = 0; i < program->n_nodes; i++)
    for (uint32_t j = 0; j < program->nodes[i].n_after; j++)
      {
        gchar **id = &writer->ids[program->nodes[i].after[j]];

        if (*id != NULL && program->nodes[i].distances[j] > 1
            && g_hash_table_contains (writer->stems, *id))
          g_clear_pointer (id, g_free);
        if (*id == NULL)
          *id = make_id (writer, &next);
      }
}

static void
write_after (Writer *writer, const IdgNode *node)
{
  g_autoptr (GString) after = g_string_new (NULL);

  for (uint32_t i = 0; i < node->n_after; i++)
    {
      g_string_append_printf (after, "%s%s", i > 0 ? " " : "", writer->ids[node->after[i]]);
      if (node->distances[i] > 1)
        g_string_append_printf (after, ":%u", node->distances[i]);
    }
  write_attribute (writer, node->late ? "when" : "after", node->n_after > 0 ? after->str : NULL);
}

static void
indent (Writer *writer, guint depth)
{
  for (guint i = 0; i < depth; i++)
    g_string_append (writer->text, "  ");
}

static void
write_node (Writer *writer, uint32_t index, guint *depth)
{
  const IdgNode *node = &writer->program->nodes[index];

  if (node->kind == IDG_END)
    (*depth)--;
  indent (writer, *depth);
  switch (node->kind)
    {
    case IDG_INSTRUCTION:
      g_string_append (writer->text, "<i");
      write_attribute (writer, "id", writer->ids[index]);
      write_attribute (writer, "op", node->op);
      write_attribute (writer, "context", node->context);
      break;
    case IDG_BARRIER:
    case IDG_ARRIVE:
      g_string_append (writer->text, node->kind == IDG_BARRIER ? "<barrier" : "<arrive");
      write_attribute (writer, "name", node->name);
      if (node->warps > 0)
        write_number (writer, "warps", node->warps);
      break;
    case IDG_REPEAT:
      g_string_append_printf (writer->text, "<repeat count=\"%" G_GUINT32_FORMAT "\">\n",
                              node->count);
      (*depth)++;
      return;
    case IDG_END:
      g_string_append (writer->text, "</repeat>\n");
      return;
    default:
      g_assert_not_reached ();
    }
  write_after (writer, node);
  if (node->stall > 0)
    write_number (writer, "stall", node->stall);
  write_attribute (writer, "text", node->text);
  g_string_append (writer->text, "/>\n");
}

static void
write_ranges (Writer *writer, const gchar *name, const GArray *ranges)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; ranges != NULL && i < ranges->len; i++)
    {
      const IdgRange *range = &g_array_index (ranges, IdgRange, i);

      g_string_append_printf (list, "%s%" G_GUINT64_FORMAT, i > 0 ? " " : "", range->first);
      if (range->last > range->first)
        g_string_append_printf (list, "-%" G_GUINT64_FORMAT, range->last);
    }
  write_attribute (writer, name, ranges != NULL ? list->str : NULL);
}

static void
write_program (GString *text, const IdgKernelProgram *program)
{
  g_autoptr (GHashTable) used = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) stems = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Writer writer
      = { text, program->program, g_new0 (gchar *, program->program->n_nodes + 1), used, stems };
  guint depth = 2;

  name_nodes (&writer);
  g_string_append (text, "  <program");
  write_attribute (&writer, "name", program->name);
  write_ranges (&writer, "warps", program->warps);
  write_ranges (&writer, "blocks", program->blocks);
  g_string_append (text, ">\n");
  for (uint32_t i = 0; i < program->program->n_nodes; i++)
    write_node (&writer, i, &depth);
  g_string_append (text, "  </program>\n");
  for (uint32_t i = 0; i < program->program->n_nodes; i++)
    g_free (writer.ids[i]);
  g_free (writer.ids);
}

static void
write_warning (Writer *writer, const IdgWarning *warning)
{
  g_string_append (writer->text, "  <warning");
  write_attribute (writer, "name", warning->name);
  write_attribute (writer, "text", warning->text);
  g_string_append (writer->text, "/>\n");
}

/* The part of a launch that something is true of; NULL: of none. */
static const gchar *
name_parts (gboolean threads, gboolean blocks)
{
  return threads && blocks ? "both" : threads ? "threads" : blocks ? "blocks" : NULL;
}

gchar *
idg_kernel_to_xml (const IdgKernel *kernel, gsize *length)
{
  GString *text = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kernel");
  Writer writer = { text, NULL, NULL, NULL, NULL };

  write_attribute (&writer, "name", kernel->name);
  write_attribute (&writer, "title", kernel->title);
  write_attribute (&writer, "ops", kernel->nearest_ops ? "nearest" : NULL);
  write_attribute (&writer, "addresses", kernel->assumed_addresses ? "assumed" : NULL);
  write_attribute (&writer, "memory", kernel->contended ? "contended" : NULL);
  write_attribute (&writer, "scheduled", kernel->unscheduled ? "no" : NULL);
  write_attribute (&writer, "sample", kernel->spread_blocks ? "spread" : NULL);
  g_string_append (text, ">\n  <launch");
  write_number (&writer, "blocks", kernel->launch.blocks);
  write_number (&writer, "threads", kernel->launch.threads);
  if (kernel->launch.registers > 0)
    write_number (&writer, "registers", kernel->launch.registers);
  if (kernel->launch.shared_memory > 0)
    write_number (&writer, "shared-memory", kernel->launch.shared_memory);
  write_attribute (&writer, "fixed", name_parts (kernel->fixed_threads, kernel->fixed_blocks));
  write_attribute (&writer, "assumed",
                   name_parts (kernel->assumed_threads, kernel->assumed_blocks));
  g_string_append (text, "/>\n");
  for (guint i = 0; i < kernel->warnings->len; i++)
    write_warning (&writer, g_ptr_array_index (kernel->warnings, i));
  for (guint i = 0; i < kernel->programs->len; i++)
    write_program (text, g_ptr_array_index (kernel->programs, i));
  g_string_append (text, "</kernel>\n");
  if (length != NULL)
    *length = text->len;
  return g_string_free (text, FALSE);
}
