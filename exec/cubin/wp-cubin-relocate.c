/* SPDX-License-Identifier: MIT */
/* What a relocation writes is where its symbol is, plus its addend: the whole of it, or one half
 * into the 32 bits of an instruction that hold an immediate. Bits of instructions are numbered from
 * the lowest of the first word of 64 bits. */
#include "exec/cubin/wp-cubin-relocate.h"

#include "idg/kernel/idg-kernel.h"

#include <string.h>

#define ALIGN 128

void
wp_cubin_place (WpCubin *cubin)
{
  guint64 at = WP_CUBIN_CODE;

  for (guint k = 0; k < cubin->functions->len; k++)
    {
      WpCubinFunction *function = g_ptr_array_index (cubin->functions, k);

      function->address = at;
      at += (g_bytes_get_size (function->code) + ALIGN - 1) / ALIGN * ALIGN;
    }
}

const gchar *
wp_cubin_find_external (const WpCubin *cubin, guint64 address)
{
  guint64 number = (address - WP_CUBIN_EXTERNAL) / 16;
  const WpCubinSymbol *symbol;

  if (address < WP_CUBIN_EXTERNAL || number >= cubin->symbols->len)
    return NULL;
  symbol = &g_array_index (cubin->symbols, WpCubinSymbol, number);
  return symbol->function < 0 && symbol->variable < 0 ? symbol->name : NULL;
}

gint
wp_cubin_find_code (const WpCubin *cubin, guint64 address)
{
  guint low = 0, high = cubin->functions->len;
  const WpCubinFunction *function;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      function = g_ptr_array_index (cubin->functions, middle);
      if (function->address <= address)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return -1;
  function = g_ptr_array_index (cubin->functions, low - 1);
  return address - function->address < g_bytes_get_size (function->code) ? (gint)low - 1 : -1;
}

/* The address of symbol NUMBER; __constant__ variables have their place in bank 3. */
static guint64
address_of (const WpCubin *cubin, guint number, const guint64 *variables)
{
  const WpCubinSymbol *symbol = &g_array_index (cubin->symbols, WpCubinSymbol, number);

  if (symbol->function >= 0)
    return ((WpCubinFunction *)g_ptr_array_index (cubin->functions, symbol->function))->address
           + symbol->value;
  if (symbol->variable >= 0)
    {
      const WpCubinVariable *variable = g_ptr_array_index (cubin->variables, symbol->variable);

      return (variable->is_constant ? variable->offset : variables[symbol->variable])
             + symbol->value;
    }
  return WP_CUBIN_EXTERNAL + 16 * (guint64)number;
}

/* Writes N bits of VALUE from bit FROM on of the bytes at AT. */
static void
write_bits (guint8 *at, guint from, guint n, guint64 value)
{
  for (guint k = 0; k < n; k++)
    {
      guint8 bit = (guint8)(1u << ((from + k) & 7));

      at[(from + k) >> 3] = (guint8)((at[(from + k) >> 3] & ~bit) | (value >> k & 1 ? bit : 0));
    }
}

/* Which bits are written: from FROM on, N of them, those of the address from SHIFT on. */
static const struct
{
  WpCubinRelocationType type;
  guint from, n, shift;
} fields[] = {
  { WP_CUBIN_R_32, 0, 32, 0 },
  { WP_CUBIN_R_64, 0, 64, 0 },
  { WP_CUBIN_R_G32, 0, 32, 0 },
  { WP_CUBIN_R_G64, 0, 64, 0 },
  { WP_CUBIN_R_FUNC_DESC_32, 0, 32, 0 },
  { WP_CUBIN_R_FUNC_DESC_64, 0, 64, 0 },
  { WP_CUBIN_R_ABS32_32, 32, 32, 0 },
  { WP_CUBIN_R_ABS32_LO_32, 32, 32, 0 },
  { WP_CUBIN_R_ABS32_HI_32, 32, 32, 32 },
  { WP_CUBIN_R_FUNC_DESC32_LO_32, 32, 32, 0 },
  { WP_CUBIN_R_FUNC_DESC32_HI_32, 32, 32, 32 },
  { WP_CUBIN_R_ABS47_34, 34, 47, 2 },
};

static gboolean
apply_one (guint8 *bytes, gsize size, const WpCubinRelocation *relocation, guint64 address)
{
  if (relocation->type == WP_CUBIN_R_ABS55_16_34)
    {
      if (size < 16 || relocation->offset > size - 16)
        return FALSE;
      write_bits (bytes + relocation->offset, 16, 8, address >> 2);
      write_bits (bytes + relocation->offset, 34, 47, address >> 10);
      return TRUE;
    }
  for (gsize k = 0; k < G_N_ELEMENTS (fields); k++)
    if (fields[k].type == relocation->type)
      {
        guint room = (fields[k].from + fields[k].n + 7) / 8;

        if (size < room || relocation->offset > size - room)
          return FALSE;
        write_bits (bytes + relocation->offset, fields[k].from, fields[k].n,
                    address >> fields[k].shift);
        return TRUE;
      }
  return FALSE;
}

/* Returns BYTES (taken) with RELOCATIONS applied, NULL with an error. */
static GBytes *
apply (const WpCubin *cubin, GBytes *bytes, const GArray *relocations, const guint64 *variables,
       const gchar *what, GError **error)
{
  gsize size;
  g_autofree guint8 *data = NULL;

  if (relocations == NULL || relocations->len == 0 || bytes == NULL)
    return bytes;
  data = g_memdup2 (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  size = g_bytes_get_size (bytes);
  g_bytes_unref (bytes);
  for (guint k = 0; k < relocations->len; k++)
    {
      const WpCubinRelocation *relocation = &g_array_index (relocations, WpCubinRelocation, k);
      guint64 address = address_of (cubin, relocation->symbol, variables);

      if (!apply_one (data, size, relocation, address + (guint64)relocation->addend))
        {
          g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
                       "%s: relocation %u at 0x%" G_GINT64_MODIFIER
                       "x of %s, of %s, is not covered",
                       cubin->path, relocation->type, relocation->offset, what,
                       g_array_index (cubin->symbols, WpCubinSymbol, relocation->symbol).name);
          return NULL;
        }
    }
  return g_bytes_new_take (g_steal_pointer (&data), size);
}

static gboolean
relocate_function (const WpCubin *cubin, WpCubinFunction *function, const guint64 *variables,
                   GError **error)
{
  function->code
      = apply (cubin, function->code, function->relocations, variables, function->name, error);
  for (guint k = 0; k < WP_CUBIN_BANKS && function->code; k++)
    if (function->constant_relocations[k] && function->constants[k])
      {
        function->constants[k]
            = apply (cubin, function->constants[k], function->constant_relocations[k], variables,
                     "a constant bank", error);
        if (function->constants[k] == NULL)
          return FALSE;
      }
  return function->code != NULL;
}

gboolean
wp_cubin_relocate (WpCubin *cubin, const guint64 *variables, GError **error)
{
  for (guint k = 0; k < cubin->functions->len; k++)
    if (!relocate_function (cubin, g_ptr_array_index (cubin->functions, k), variables, error))
      return FALSE;
  for (guint k = 0; k < cubin->variables->len; k++)
    {
      WpCubinVariable *variable = g_ptr_array_index (cubin->variables, k);

      if (variable->data == NULL)
        continue;
      variable->data
          = apply (cubin, variable->data, variable->relocations, variables, variable->name, error);
      if (variable->data == NULL)
        return FALSE;
    }
  return TRUE;
}
