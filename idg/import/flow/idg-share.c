/* SPDX-License-Identifier: MIT */
/* Says how much of a listing runs, where that is not nearly all: of what is skipped come no
 * figures, and who reads a report of a product without its mma should know. */
#include "idg/import/flow/idg-share.h"

#include "idg/import/base/idg-notes.h"
#include "idg/import/flow/idg-places.h"

#include <string.h>

#define LEAST 16 /* instructions: a return before its time is not worth a note, ... */
#define PART 8   /* ... nor is less than an eighth of the listing */
#define MAX_LOOPS 3

typedef struct
{
  guint loop;
  guint n;
} Skipped;

/* Returns the outermost loop around BLOCK that no warp enters; IDG_FLOW_NONE: there is none. */
static guint
find_skipped_loop (const IdgFlow *flow, const guint8 *walked, guint block)
{
  guint found = IDG_FLOW_NONE;

  for (guint loop = idg_flow_get_block (flow, block)->loop; loop != IDG_FLOW_NONE;
       loop = idg_flow_get_loop (flow, loop)->parent)
    if (!walked[idg_flow_get_loop (flow, loop)->header])
      found = loop;
  return found;
}

static void
add_skipped (GArray *loops, guint loop, guint n)
{
  Skipped skipped = { loop, n };

  for (guint i = 0; i < loops->len; i++)
    if (g_array_index (loops, Skipped, i).loop == loop)
      {
        g_array_index (loops, Skipped, i).n += n;
        return;
      }
  g_array_append_val (loops, skipped);
}

static gint
compare_sizes (gconstpointer a, gconstpointer b)
{
  return (gint)((const Skipped *)b)->n - (gint)((const Skipped *)a)->n;
}

/* Counts the instructions in LOOP whose op begins with a word of which WORD is the end: "mma" is
 * mma, wmma and wgmma. */
static guint
count_ops (const IdgFlow *flow, guint loop, const gchar *word)
{
  const IdgLoop *l = idg_flow_get_loop (flow, loop);
  guint n = 0;

  for (guint i = 0; i < l->n_members; i++)
    {
      const IdgBlock *block = idg_flow_get_block (flow, flow->members[l->first_member + i]);

      for (guint j = block->first; j <= block->last; j++)
        {
          const gchar *op = idg_code_get (flow->code, j)->op;
          gsize length = op ? strcspn (op, ".") : 0;

          n += length >= strlen (word)
               && strncmp (op + length - strlen (word), word, strlen (word)) == 0;
        }
    }
  return n;
}

/* Appends "loop L__BB0_3 with 64 mma": the work of it that is missed most. */
static void
append_loop (GString *text, const IdgFlow *flow, const Skipped *skipped)
{
  static const gchar *const words[] = { "mma", "fma", "ld" };
  g_autofree gchar *name = idg_place_name_loop (flow, skipped->loop);

  g_string_append_printf (text, "%s loop %s", text->len > 0 ? "," : "; skipped:", name);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      guint n = count_ops (flow, skipped->loop, words[i]);

      if (n == 0)
        continue;
      g_string_append_printf (text, " with %u %s", n, words[i]);
      return;
    }
  g_string_append_printf (text, " of %u", skipped->n);
}

void
idg_share_note (const IdgFlow *flow, const guint8 *walked, IdgImport *import)
{
  g_autoptr (GArray) loops = g_array_new (FALSE, FALSE, sizeof (Skipped));
  g_autoptr (GString) text = g_string_new (NULL);
  guint all = 0, skipped = 0;

  for (guint i = 0; i < flow->blocks->len; i++)
    {
      const IdgBlock *block = idg_flow_get_block (flow, i);
      guint n = block->last - block->first + 1, loop;

      if (block->order == IDG_FLOW_NONE)
        continue;
      all += n;
      if (walked[i])
        continue;
      skipped += n;
      loop = find_skipped_loop (flow, walked, i);
      if (loop != IDG_FLOW_NONE)
        add_skipped (loops, loop, n);
    }
  if (skipped < LEAST || skipped < all / PART)
    return;
  g_array_sort (loops, compare_sizes);
  for (guint i = 0; i < MIN (loops->len, MAX_LOOPS); i++)
    append_loop (text, flow, &g_array_index (loops, Skipped, i));
  idg_import_note (import, flow->code->file, 0, "%s: %u of %u instructions of the listing run%s%s",
                   flow->code->name, all - skipped, all, text->str,
                   loops->len > MAX_LOOPS ? ", ..." : "");
}
