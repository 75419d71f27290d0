/* SPDX-License-Identifier: MIT */
/* One sentence for each line of the source and kind: a loop that a compiler has unrolled has the
 * same to say many times. */
#include "exec/wp-notes.h"

static gint
compare_notes (gconstpointer one, gconstpointer two)
{
  const WpMachineNote *a = one, *b = two;

  if (a->index != b->index)
    return a->index < b->index ? -1 : 1;
  return (gint)a->kind - (gint)b->kind;
}

/* The buffer that what has TAG comes from; NULL: not known. */
static const WpBuffer *
find_source (const WpMemory *memory, WpTag tag)
{
  guint number = WP_TAG_SOURCE (tag);

  return number > 0 && number <= wp_memory_count (memory) ? wp_memory_get (memory, number) : NULL;
}

gchar *
wp_notes_describe_source (const WpMemory *memory, WpTag tag, const gchar *how)
{
  const WpBuffer *buffer = find_source (memory, tag);
  const gchar *name = buffer                                   ? wp_buffer_get_name (buffer)
                      : WP_TAG_SOURCE (tag) == WP_TAG_CONSTANT ? "a __constant__ variable"
                                                               : "data";

  return buffer == NULL || wp_buffer_is_unknown (buffer)
             ? g_strdup_printf ("%s, which %s", name, how)
             : g_strdup_printf ("%s, to which data were stored that nobody gave", name);
}

const gchar *
wp_notes_name_source (const WpMemory *memory, WpTag tag)
{
  const WpBuffer *buffer = find_source (memory, tag);

  return buffer != NULL && wp_buffer_is_unknown (buffer) ? wp_buffer_get_name (buffer) : NULL;
}

/* What no --data decides: the code is right only if it does not matter. */
static gchar *
describe_unwritten (const WpMachineNote *note, const gchar *place)
{
  const gchar *source = "what shared or local memory holds where nothing was stored, which CUDA "
                        "leaves undefined";

  switch (note->kind)
    {
    case WP_NOTE_BRANCH:
      return g_strdup_printf ("%s: a branch depends on %s: no thread takes it; --branch %s=taken "
                              "says else",
                              place, source, place);
    case WP_NOTE_GUARD:
      return g_strdup_printf ("%s: whether this is executed depends on %s: it is, in all threads",
                              place, source);
    case WP_NOTE_ADDRESS:
      return g_strdup_printf ("%s: an address depends on %s: each thread has a random one", place,
                              source);
    case WP_NOTE_LANE:
      return g_strdup_printf ("%s: what threads exchange depends on %s: the result is unknown",
                              place, source);
    default:
      return g_strdup_printf ("%s: something depends on %s, and is unknown", place, source);
    }
}

static gchar *
describe (const WpMachineNote *note, const gchar *place, const WpMemory *memory)
{
  const gchar *name = wp_notes_name_source (memory, note->tag);
  const gboolean is_constant = WP_TAG_SOURCE (note->tag) == WP_TAG_CONSTANT;
  g_autofree gchar *source = find_source (memory, note->tag) || is_constant
                                 ? wp_notes_describe_source (memory, note->tag, "is unknown")
                                 : g_strdup ("unknown data");
  g_autofree gchar *remedy
      = name ? g_strdup_printf ("--data %s=HOW", name)
             : g_strdup (is_constant ? "--data NAME=HOW for that variable"
                                     : "--data NAME=HOW for what the kernel reads");

  switch (note->kind)
    {
    case WP_NOTE_BRANCH:
      return g_strdup_printf ("%s: a branch depends on %s: no thread takes it; %s, or --branch "
                              "%s=taken, says else",
                              place, source, remedy, place);
    case WP_NOTE_GUARD:
      return g_strdup_printf ("%s: whether this is executed depends on %s: it is, in all threads; "
                              "%s says else",
                              place, source, remedy);
    case WP_NOTE_ADDRESS:
      return g_strdup_printf ("%s: an address depends on %s: %s; %s says else", place, source,
                              note->tag & WP_TAG_STANDS
                                  ? "random numbers stand for what it holds, the same for threads "
                                    "that read the same"
                                  : "each thread has a random one",
                              remedy);
    case WP_NOTE_LANE:
      return g_strdup_printf ("%s: what threads exchange depends on %s: the result is unknown; %s "
                              "says else",
                              place, source, remedy);
    case WP_NOTE_INACTIVE:
      return g_strdup_printf ("%s: a shuffle reads from a thread that does not execute it: CUDA "
                              "leaves the result undefined, and it is unknown here",
                              place);
    case WP_NOTE_UNSTORED:
      return g_strdup_printf ("%s: shared memory is read where nothing was stored: CUDA leaves "
                              "undefined what it holds, and it is 0 here",
                              place);
    case WP_NOTE_PRINTF:
      return g_strdup_printf ("%s: printf() prints nothing here", place);
    default:
      return g_strdup_printf ("%s: something depends on %s, and is unknown; %s says else", place,
                              source, remedy);
    }
}

/* Of the notes on data, those on which the name of a buffer or --data has no bearing. */
static gboolean
is_unwritten (const WpMachineNote *note)
{
  return WP_TAG_SOURCE (note->tag) == WP_TAG_UNWRITTEN && note->kind != WP_NOTE_INACTIVE
         && note->kind != WP_NOTE_PRINTF;
}

/* Which blocks were executed, where these are not all. */
static gchar *
describe_sample (const WpExecResult *result, const gchar *path)
{
  if (result->is_part)
    return g_strdup_printf ("%s: of %" G_GUINT64_FORMAT " blocks the first %" G_GUINT64_FORMAT
                            " %s executed, since what is resident at a time is beyond "
                            "--execute-limit; the others do as they do, and find in the caches "
                            "what all blocks that are resident found in their first instructions; "
                            "--execute-limit N executes more",
                            path, result->n_blocks, result->blocks,
                            result->blocks == 1 ? "was" : "were");
  return g_strdup_printf ("%s: of %" G_GUINT64_FORMAT " blocks %" G_GUINT64_FORMAT
                          " were executed, the first %" G_GUINT64_FORMAT
                          " wave%s of the device and the last one; the others do as they do; "
                          "--execute-limit N executes more",
                          path, result->n_blocks, result->blocks, result->first_waves,
                          result->first_waves == 1 ? "" : "s");
}

/* How the launch was made, which only host code says. */
static gchar *
describe_launch (const WpExecResult *result, const gchar *path)
{
  if (result->is_cooperative)
    return g_strdup_printf ("%s: the kernel asks for its whole grid (this_grid()): it is taken to "
                            "be launched by cudaLaunchCooperativeKernel()",
                            path);
  return g_strdup_printf (
      "%s: the kernel asks for its whole grid (this_grid()), and not all of its "
      "%" G_GUINT64_FORMAT " blocks can be resident at a time: it is taken not "
      "to be launched by cudaLaunchCooperativeKernel()",
      path, result->n_blocks);
}

static void
add_assumed (GPtrArray *notes, const GArray *assumed, const WpKernelCode *code,
             const WpMemory *memory, const gchar *path)
{
  g_autoptr (GHashTable) said = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GArray) sorted = g_array_new (FALSE, FALSE, sizeof (WpMachineNote));

  g_array_append_vals (sorted, assumed->data, assumed->len);
  g_array_sort (sorted, compare_notes);
  for (guint k = 0; k < sorted->len; k++)
    {
      const WpMachineNote *note = &g_array_index (sorted, WpMachineNote, k);
      g_autofree gchar *place = note->kind == WP_NOTE_PRINTF
                                    ? g_strdup (path)
                                    : wp_kernel_code_place (code, note->index);
      gchar *text
          = is_unwritten (note) ? describe_unwritten (note, place) : describe (note, place, memory);

      if (g_hash_table_contains (said, text))
        {
          g_free (text);
          continue;
        }
      g_hash_table_add (said, text);
      g_ptr_array_add (notes, text);
    }
}

GPtrArray *
wp_notes_describe_assumed (const GArray *assumed, const WpKernelCode *code, const WpMemory *memory,
                           const gchar *path)
{
  GPtrArray *notes = g_ptr_array_new_with_free_func (g_free);

  add_assumed (notes, assumed, code, memory, path);
  return notes;
}

GPtrArray *
wp_notes_describe (const WpExecResult *result, const WpMemory *memory, const gchar *path)
{
  GPtrArray *notes = g_ptr_array_new_with_free_func (g_free);

  if (result->code->is_cooperative)
    g_ptr_array_add (notes, describe_launch (result, path));
  if (result->first_waves > 0 || result->is_part)
    g_ptr_array_add (notes, describe_sample (result, path));
  if (result->notes)
    add_assumed (notes, result->notes, result->code, memory, path);
  return notes;
}
