/* SPDX-License-Identifier: MIT */
#include "exec/machine/wp-tensor-memory.h"

#include <string.h>

#define UNITS (WP_TENSOR_COLUMNS / WP_TENSOR_UNIT)

WpTensorMemory *
wp_tensor_memory_get (WpBlock *block)
{
  if (block->tensor == NULL)
    {
      block->tensor = g_new0 (WpTensorMemory, 1);
      wp_tensor_memory_begin (block->tensor);
    }
  return block->tensor;
}

void
wp_tensor_memory_begin (WpTensorMemory *memory)
{
  if (memory == NULL)
    return;
  memory->taken = 0;
  memory->takers = 0;
  memory->taken_in_all = 0;
  wp_tensor_memory_lose (memory, WP_TAG (WP_TAG_UNWRITTEN, 0));
}

void
wp_tensor_memory_lose (WpTensorMemory *memory, WpTag tag)
{
  memset (memory->words, 0, sizeof memory->words);
  memset (memory->unknown, 0xff, sizeof memory->unknown);
  memory->tag = tag;
}

gint
wp_tensor_memory_take (WpTensorMemory *memory, guint n, gboolean is_aligned)
{
  const guint32 units = n < UNITS ? (1u << n) - 1 : (1u << UNITS) - 1;

  for (guint first = 0; n > 0 && first + n <= UNITS; first += is_aligned ? n : 1)
    if ((memory->taken & units << first) == 0)
      {
        memory->taken |= units << first;
        return (gint)first;
      }
  return -1;
}

gboolean
wp_tensor_memory_has (const WpTensorMemory *memory, guint column, guint n)
{
  for (guint unit = column / WP_TENSOR_UNIT; n > 0 && unit <= (column + n - 1) / WP_TENSOR_UNIT;
       unit++)
    if (unit >= UNITS || !(memory->taken >> unit & 1))
      return FALSE;
  return TRUE;
}
