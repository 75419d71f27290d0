/* SPDX-License-Identifier: MIT */
/* The rare operations of a key list. The others are inline, because every issue uses them. */
#include "sim/base/wp-key-list.h"

#include <string.h>

void
wp_key_list_make_room (WpKeyList *list)
{
  size_t n = (size_t)(list->end - list->first);

  memmove (list->keys + 1, list->first, (n + 1) * sizeof *list->keys);
  list->keys[0] = 0;
  list->first = list->keys + 1;
  list->end = list->first + n;
}

void
wp_key_list_copy (WpKeyList *to, const WpKeyList *from)
{
  size_t n = (size_t)(from->end - from->first);

  to->keys[0] = 0;
  to->first = to->keys + 1;
  to->end = to->first + n;
  memcpy (to->first, from->first, (n + 1) * sizeof *to->keys);
}

void
wp_key_list_rename (WpKeyList *list, uint32_t bit, uint32_t to)
{
  for (uint64_t *key = list->first; key != list->end; key++)
    if (*key % 64 == bit)
      *key -= bit - to;
}
