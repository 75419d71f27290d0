/* SPDX-License-Identifier: MIT */
#include "exec/machine/wp-kernel-code.h"

void
wp_kernel_code_free (WpKernelCode *code)
{
  if (!code)
    return;
  g_array_unref (code->parts);
  g_ptr_array_unref (code->rows);
  g_ptr_array_unref (code->choices);
  g_ptr_array_unref (code->stretches);
  g_free (code->seen);
  g_free (code->sites);
  g_free (code->arrivals);
  g_free (code->steps);
  g_free (code->instrs);
  g_free (code);
}

gboolean
wp_kernel_code_find (const WpKernelCode *code, guint64 address, guint32 *index)
{
  for (guint k = 0; k < code->parts->len; k++)
    {
      const WpCodePart *part = &g_array_index (code->parts, WpCodePart, k);
      guint64 offset = address - part->address;
      if (part->function >= 0 && offset / WP_SASS_BYTES < part->n && offset % WP_SASS_BYTES == 0)
        {
          *index = part->first + offset / WP_SASS_BYTES;
          return TRUE;
        }
      for (guint j = 0; part->function < 0 && j < part->n; j++)
        if (code->steps[part->first + j].address == address)
          {
            *index = part->first + j;
            return TRUE;
          }
    }
  return FALSE;
}

const WpCodePart *
wp_kernel_code_part (const WpKernelCode *code, guint index)
{
  guint k = code->parts->len - 1;

  while (k > 0 && g_array_index (code->parts, WpCodePart, k).first > index)
    k--;
  return &g_array_index (code->parts, WpCodePart, k);
}

/* The row of the line table that says where the step at INDEX came from; or NULL. */
static const WpCubinLine *
find_row (const WpKernelCode *code, guint index)
{
  const WpCodePart *part = wp_kernel_code_part (code, index);
  guint64 address = (guint64)(index - part->first) * WP_SASS_BYTES;
  const WpCubinFunction *function;
  guint low = 0, high;

  if (part->function < 0)
    return NULL;
  function = g_ptr_array_index (code->cubin->functions, (guint)part->function);
  high = function->lines->len;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (g_array_index (function->lines, WpCubinLine, middle).address <= address)
        low = middle + 1;
      else
        high = middle;
    }
  /* The last one that has a line. */
  for (; low > 0; low--)
    {
      const WpCubinLine *found = &g_array_index (function->lines, WpCubinLine, low - 1);
      if (found->line && found->file < code->cubin->files->len)
        return found;
      if (found->is_other)
        return NULL;
    }
  return NULL;
}

void
wp_kernel_code_line (const WpKernelCode *code, guint index, const gchar **file, guint *line)
{
  const WpCubinLine *row = find_row (code, index);

  *file = row ? g_ptr_array_index (code->cubin->files, row->file) : NULL;
  *line = row ? row->line : 0;
}

void
wp_kernel_code_own_line (const WpKernelCode *code, guint index, const gchar **file, guint *line)
{
  const WpCubinLine *row = find_row (code, index);

  wp_kernel_code_line (code, index, file, line);
  if (row == NULL || row->own_line == 0 || row->own_file >= code->cubin->files->len)
    return;
  *file = g_ptr_array_index (code->cubin->files, row->own_file);
  *line = row->own_line;
}

/* ---- As what steps were executed ---- */

#define NEVER 0
#define SEVERAL G_MAXUINT32

/* Which of several comes first makes no difference. */
static void
see (const WpKernelCode *code, guint index, guint32 seen)
{
  guint32 *place = &code->seen[index], before = NEVER;

  if (!__atomic_compare_exchange_n (place, &before, seen, FALSE, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
      && before != seen)
    __atomic_store_n (place, SEVERAL, __ATOMIC_RELAXED);
}

void
wp_kernel_code_see_barrier (const WpKernelCode *code, guint index, guint number, guint threads)
{
  see (code, index, 1 + (number | threads << 8));
}

gboolean
wp_kernel_code_find_barrier (const WpKernelCode *code, guint index, guint *number, guint *threads)
{
  const guint32 seen = code->seen[index], value = seen == NEVER ? 0 : seen - 1;

  *number = value & 0xff;
  *threads = value >> 8;
  return seen != SEVERAL;
}

void
wp_kernel_code_see_product (const WpKernelCode *code, guint index, const WpProduct *product)
{
  see (code, index,
       1
           + (product->rows | product->columns << 10 | (guint32)product->kind << 20
              | (guint32)(product->from_tensor != 0) << 24
              | (guint32)(product->is_half != 0) << 25));
}

gboolean
wp_kernel_code_find_product (const WpKernelCode *code, guint index, WpProduct *product)
{
  const guint32 seen = code->seen[index], value = seen == NEVER ? 0 : seen - 1;

  *product = (WpProduct){ .kind = (WpProductKind)(value >> 20 & 15),
                          .rows = value & 0x3ff,
                          .columns = value >> 10 & 0x3ff,
                          .from_tensor = value >> 24 & 1,
                          .is_half = value >> 25 & 1 };
  return seen != SEVERAL;
}

gchar *
wp_kernel_code_place (const WpKernelCode *code, guint index)
{
  const WpCodePart *part = wp_kernel_code_part (code, index);
  const gchar *file;
  guint line;

  wp_kernel_code_own_line (code, index, &file, &line);
  if (file)
    return g_strdup_printf ("%s:%u", file, line);
  if (part->function < 0)
    return g_strdup ("a function of the run-time system");
  const WpCubinFunction *function
      = g_ptr_array_index (code->cubin->functions, (guint)part->function);
  return g_strdup_printf ("%s+0x%x", function->name, (index - part->first) * WP_SASS_BYTES);
}
