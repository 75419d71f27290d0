/* SPDX-License-Identifier: MIT */
#include "exec/machine/wp-bank.h"

#include <string.h>

gboolean
wp_bank_read (const WpBank *bank, guint64 offset, guint bytes, gboolean is_signed, guint32 words[4],
              guint32 *unknown, WpTag *tag)
{
  const guint step = offset % 4 == 0 && bytes >= 4 ? 4 : 1; /* bits are looked at together */

  memset (words, 0, 4 * sizeof *words);
  *unknown = 0;
  *tag = 0;
  if (offset > bank->size || bank->size - offset < bytes)
    return FALSE;
  memcpy (words, bank->bytes + offset, bytes);
  if (is_signed)
    words[0] = bytes == 1 ? (guint32)(gint8)words[0] : (guint32)(gint16)words[0];
  for (guint byte = 0; bank->unknown != NULL && byte < bytes; byte += step)
    if (bank->unknown[(offset + byte) / 8] >> (offset + byte) % 8 & ((1u << step) - 1))
      *unknown |= 1u << byte / 4;
  for (guint k = 0; bank->tags != NULL && k < MAX (1, bytes / 4); k++)
    *tag = wp_tag_join (*tag, bank->tags[offset / 4 + k]);
  return TRUE;
}
