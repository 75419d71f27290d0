/* SPDX-License-Identifier: MIT */
/* Symbols and relocations: which function or variable is meant, and where its address goes. A
 * symbol of a section, which compilers use for what has no name, is the section's first function;
 * of a data section, the variable that the addend falls into. */
#include "exec/cubin/wp-cubin-private.h"
#include "idg/kernel/idg-demangle.h"

#include <string.h>

typedef enum
{
  NO_DATA,
  GLOBAL,   /* .nv.global, .nv.global.init: device memory */
  CONSTANT, /* .nv.constant3: __constant__ */
} DataKind;

static DataKind
kind_of_section (const WpCubinReader *reader, guint section)
{
  const gchar *name = reader->elf.sections[section].name;

  if (strcmp (name, ".nv.global") == 0 || strcmp (name, ".nv.global.init") == 0)
    return GLOBAL;
  return strcmp (name, ".nv.constant3") == 0 ? CONSTANT : NO_DATA;
}

static gboolean
read_variable (WpCubinReader *reader, const WpElfSymbol *symbol, DataKind kind, GError **error)
{
  const WpElfSection *section = &reader->elf.sections[symbol->section];
  WpCubinVariable *variable;

  if (symbol->value > section->size || symbol->size > section->size - symbol->value)
    return wp_cubin_fail (reader, error, "variable %s is not in its section %s", symbol->name,
                          section->name);
  variable = g_new0 (WpCubinVariable, 1);
  g_ptr_array_add (reader->cubin->variables, variable);
  variable->name = g_strdup (symbol->name);
  variable->demangled = idg_demangle (symbol->name);
  if (variable->demangled == NULL)
    variable->demangled = g_strdup (symbol->name);
  variable->is_constant = kind == CONSTANT;
  variable->offset = symbol->value;
  variable->bytes = symbol->size;
  /* Its place tells how it is aligned: that of the section is no less. */
  variable->align = symbol->value == 0 ? 256 : MIN (256, symbol->value & -symbol->value);
  if (section->data)
    variable->data = wp_cubin_slice (reader, section, symbol->value, symbol->size);
  variable->relocations = g_array_new (FALSE, TRUE, sizeof (WpCubinRelocation));
  return TRUE;
}

gboolean
wp_cubin_read_symbols (WpCubinReader *reader, GError **error)
{
  reader->symbols = wp_elf_symbols (&reader->elf, error);
  if (reader->symbols == NULL)
    return FALSE;
  for (guint k = 0; k < reader->symbols->len; k++)
    {
      const WpElfSymbol *from = &g_array_index (reader->symbols, WpElfSymbol, k);
      guint function = reader->functions[from->section];
      DataKind kind = kind_of_section (reader, from->section);
      WpCubinSymbol symbol = { g_strdup (from->name), (gint)function - 1, -1, from->value };

      if (function == 0 && kind != NO_DATA && from->type == WP_ELF_OBJECT)
        {
          symbol.variable = (gint)reader->cubin->variables->len;
          symbol.value = 0;
        }
      g_array_append_val (reader->cubin->symbols, symbol);
      if (symbol.variable >= 0 && !read_variable (reader, from, kind, error))
        return FALSE;
    }
  return TRUE;
}

/* The symbol of the variable that OFFSET of SECTION is in, -1: none. O(symbols). */
static gint
find_variable (const WpCubinReader *reader, guint section, gint64 offset)
{
  for (guint k = 0; k < reader->symbols->len; k++)
    {
      const WpElfSymbol *symbol = &g_array_index (reader->symbols, WpElfSymbol, k);

      if (symbol->section == section && symbol->type == WP_ELF_OBJECT && offset >= 0
          && (guint64)offset >= symbol->value && (guint64)offset - symbol->value < symbol->size)
        return (gint)k;
    }
  return -1;
}

static gboolean
is_half (guint type)
{
  return type == WP_CUBIN_R_ABS32_LO_32 || type == WP_CUBIN_R_ABS32_HI_32
         || type == WP_CUBIN_R_FUNC_DESC32_LO_32 || type == WP_CUBIN_R_FUNC_DESC32_HI_32;
}

/* The addend that stands at the place; halves of an address have the low one at both places. */
static gint64
read_addend (const guint8 *data, gsize size, const WpElfRelocation *from)
{
  guint64 offset = from->offset;

  if (is_half (from->type) || from->type == WP_CUBIN_R_ABS32_32)
    return size >= 8 && offset <= size - 8 ? (gint64)wp_elf_u32 (data + offset + 4) : 0;
  if (from->type == WP_CUBIN_R_32 || from->type == WP_CUBIN_R_G32
      || from->type == WP_CUBIN_R_FUNC_DESC_32)
    return size >= 4 && offset <= size - 4 ? (gint64)wp_elf_u32 (data + offset) : 0;
  if (from->type == WP_CUBIN_R_64 || from->type == WP_CUBIN_R_G64
      || from->type == WP_CUBIN_R_FUNC_DESC_64)
    return size >= 8 && offset <= size - 8 ? (gint64)wp_elf_u64 (data + offset) : 0;
  return 0;
}

/* As a relocation of the module; FALSE with an error where it names no symbol. */
static gboolean
convert (const WpCubinReader *reader, const WpElfSection *target, const WpElfRelocation *from,
         WpCubinRelocation *to, GError **error)
{
  const WpElfSymbol *symbol;
  gint variable;

  if (from->symbol >= reader->symbols->len || from->offset >= target->size)
    return wp_cubin_fail (reader, error, "a relocation of %s is of no symbol or outside of it",
                          target->name);
  *to = (WpCubinRelocation){ from->offset, from->type, from->symbol, from->addend };
  if (!from->has_addend && target->data)
    to->addend = read_addend (target->data, target->size, from);
  symbol = &g_array_index (reader->symbols, WpElfSymbol, from->symbol);
  if (symbol->type != WP_ELF_SECTION || kind_of_section (reader, symbol->section) == NO_DATA)
    return TRUE;
  variable = find_variable (reader, symbol->section, to->addend);
  if (variable < 0)
    return wp_cubin_fail (reader, error, "a relocation of %s is of no variable", target->name);
  to->symbol = (guint)variable;
  to->addend -= (gint64)g_array_index (reader->symbols, WpElfSymbol, variable).value;
  return TRUE;
}

static void
add_to_constants (WpCubinReader *reader, const WpElfSection *target, guint bank,
                  const gchar *function, GArray *relocations)
{
  guint one = wp_cubin_find_owner (reader, target, function);
  guint n = *function == 0 ? reader->cubin->functions->len : one > 0 ? 1 : 0;

  for (guint k = 0; k < n; k++)
    {
      WpCubinFunction *to = wp_cubin_get_function (reader, one > 0 ? one - 1 : k);

      if (to->constant_relocations[bank] == NULL)
        to->constant_relocations[bank] = g_array_ref (relocations);
    }
}

/* Relocations of .nv.global.init go to the variables that they are in. */
static void
add_to_variables (WpCubinReader *reader, guint section, const GArray *relocations)
{
  for (guint k = 0; k < relocations->len; k++)
    {
      WpCubinRelocation relocation = g_array_index (relocations, WpCubinRelocation, k);
      gint found = find_variable (reader, section, (gint64)relocation.offset);
      const WpCubinSymbol *symbol;

      if (found < 0)
        continue;
      symbol = &g_array_index (reader->cubin->symbols, WpCubinSymbol, found);
      relocation.offset -= g_array_index (reader->symbols, WpElfSymbol, found).value;
      g_array_append_val (wp_cubin_get_variable (reader, (guint)symbol->variable)->relocations,
                          relocation);
    }
}

static void
add_relocations (WpCubinReader *reader, guint number, GArray *relocations)
{
  const WpElfSection *target = &reader->elf.sections[number];
  guint function = reader->functions[number];
  const gchar *name;
  guint bank;

  if (function > 0)
    g_array_append_vals (wp_cubin_get_function (reader, function - 1)->relocations,
                         relocations->data, relocations->len);
  else if (wp_cubin_split_bank (target->name, &bank, &name))
    add_to_constants (reader, target, bank, name, relocations);
  else
    add_to_variables (reader, number, relocations);
}

static gboolean
read_section (WpCubinReader *reader, const WpElfSection *section, GError **error)
{
  const WpElfSection *target = &reader->elf.sections[section->info];
  g_autoptr (GArray) from = wp_elf_relocations (&reader->elf, section, error);
  g_autoptr (GArray) to = g_array_new (FALSE, TRUE, sizeof (WpCubinRelocation));

  if (from == NULL)
    return FALSE;
  for (guint k = 0; k < from->len; k++)
    {
      WpCubinRelocation relocation;

      if (!convert (reader, target, &g_array_index (from, WpElfRelocation, k), &relocation, error))
        return FALSE;
      g_array_append_val (to, relocation);
    }
  add_relocations (reader, section->info, to);
  return TRUE;
}

gboolean
wp_cubin_read_relocations (WpCubinReader *reader, GError **error)
{
  for (guint k = 0; k < reader->elf.n_sections; k++)
    {
      const WpElfSection *section = &reader->elf.sections[k];
      const gchar *name;
      guint bank, target = section->info;

      if ((section->type != WP_ELF_REL && section->type != WP_ELF_RELA) || section->size == 0
          || target >= reader->elf.n_sections)
        continue;
      if ((reader->functions[target] > 0 || kind_of_section (reader, target) == GLOBAL
           || wp_cubin_split_bank (reader->elf.sections[target].name, &bank, &name))
          && !read_section (reader, section, error))
        return FALSE;
    }
  return TRUE;
}
