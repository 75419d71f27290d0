/* SPDX-License-Identifier: MIT */
#include "exec/machine/wp-block.h"

#include <string.h>

void
wp_warp_note (WpWarp *warp, const WpStep *step, WpNoteKind kind, WpTag tag)
{
  WpBlock *block = warp->block;
  WpMachineNote note = { step->index, kind, tag, block->number, 1 };

  if (!block->notes)
    block->notes = g_array_new (FALSE, FALSE, sizeof note);
  for (guint k = 0; k < block->notes->len; k++)
    {
      WpMachineNote *old = &g_array_index (block->notes, WpMachineNote, k);
      if (old->index != note.index || old->kind != note.kind)
        continue;
      old->times++;
      if (note.block < old->block) /* threads take blocks in any order */
        {
          old->block = note.block;
          old->tag = tag;
        }
      return;
    }
  g_array_append_val (block->notes, note);
}

guint8 *
wp_warp_local (WpWarp *warp)
{
  /* Whole words of each lane, so that those of all lanes fill words of the bits. What was never
   * stored is known, as registers are: no right program depends on it, but one that sets the bit
   * fields of a word one by one reads it. */
  gsize bytes = ((gsize)warp->block->grid->local_bytes + 7) / 8 * 8 * WP_LANES;

  if (!warp->local)
    {
      warp->local = g_malloc0 (MAX (bytes, 1));
      warp->local_unknown = g_malloc0 (bytes / 8 + 8);
    }
  return warp->local;
}

void
wp_warp_thread_id (const WpWarp *warp, guint lane, guint id[3])
{
  const WpGrid *grid = warp->block->grid;
  guint thread = wp_warp_thread (warp, lane);

  id[0] = thread % grid->block[0];
  id[1] = thread / grid->block[0] % grid->block[1];
  id[2] = thread / grid->block[0] / grid->block[1];
}
