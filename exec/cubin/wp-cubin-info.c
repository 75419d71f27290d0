/* SPDX-License-Identifier: MIT */
/* An attribute is its format, its number, and 16 bits: a value, or with format 4 (EIFMT_SVAL) the
 * length of the data that follows. */
#include "exec/cubin/wp-cubin-info.h"

#define SVAL 4

void
wp_cubin_info_begin (WpCubinInfo *info, const WpElfSection *section)
{
  *info = (WpCubinInfo){ .at = section->data };
  info->end = section->data ? section->data + section->size : NULL;
}

gboolean
wp_cubin_info_next (WpCubinInfo *info)
{
  if (info->end - info->at < 4)
    return FALSE;
  info->format = info->at[0];
  info->attribute = info->at[1];
  info->data = info->at + 4;
  info->size = info->format == SVAL ? wp_elf_u16 (info->at + 2) : 0;
  if (info->format == 0 || info->format > SVAL || info->end - info->data < (gssize)info->size)
    return FALSE;
  info->at = info->data + info->size;
  return TRUE;
}

guint
wp_cubin_info_word (const WpCubinInfo *info, guint index)
{
  return info->size >= 4 * (index + 1) ? wp_elf_u32 (info->data + (gsize)4 * index) : 0;
}
