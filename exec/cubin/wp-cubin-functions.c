/* SPDX-License-Identifier: MIT */
/* The functions of a module are the sections .text.NAME, in the order of the file; what belongs to
 * one is in sections that carry its name. */
#include "exec/cubin/wp-cubin-private.h"
#include "idg/kernel/idg-demangle.h"

#include <string.h>

#define SYSTEM_SHARED 1024   /* kept for the system from sm_90 on, counted in .nv.shared.NAME */
#define MAX_SHARED (1 << 20) /* bytes; no GPU has so much in an SM */

static gboolean
read_function (WpCubinReader *reader, guint number, const gchar *name, GError **error)
{
  const WpElfSection *section = &reader->elf.sections[number];
  WpCubinFunction *function;

  if (section->data == NULL || section->size % 16 != 0)
    return wp_cubin_fail (reader, error, "the code of %s is not a whole number of instructions",
                          name);
  function = g_new0 (WpCubinFunction, 1);
  g_ptr_array_add (reader->cubin->functions, function);
  function->name = g_strdup (name);
  function->demangled = idg_demangle (name);
  if (function->demangled == NULL)
    function->demangled = g_strdup (name);
  function->code = wp_cubin_slice (reader, section, 0, section->size);
  function->relocations = g_array_new (FALSE, TRUE, sizeof (WpCubinRelocation));
  function->lines = g_array_new (FALSE, TRUE, sizeof (WpCubinLine));
  function->registers = section->info >> 24;
  function->shared_base = reader->cubin->sm >= 90 ? SYSTEM_SHARED : 0;
  reader->functions[number] = reader->cubin->functions->len;
  /* Helper functions of the compiler may share a name. */
  if (!g_hash_table_contains (reader->by_name, name))
    g_hash_table_insert (reader->by_name, function->name,
                         GUINT_TO_POINTER (reader->cubin->functions->len));
  return TRUE;
}

static gboolean
read_shared (WpCubinReader *reader, const WpElfSection *section, WpCubinFunction *function,
             GError **error)
{
  if (section->size > MAX_SHARED)
    return wp_cubin_fail (
        reader, error, "%s has %" G_GUINT64_FORMAT " bytes of shared memory; expected at most %d",
        function->name, section->size, MAX_SHARED);
  function->shared_memory = (guint)section->size;
  if (function->shared_base > 0)
    function->shared_memory -= MIN (function->shared_memory, SYSTEM_SHARED);
  return TRUE;
}

/* Gives bank BANK to the function NAME; a bank without a name belongs to the module, to all of its
 * functions. */
static void
give_constants (WpCubinReader *reader, const WpElfSection *section, guint bank, const gchar *name)
{
  g_autoptr (GBytes) bytes = wp_cubin_slice (reader, section, 0, section->data ? section->size : 0);
  guint one = wp_cubin_find_owner (reader, section, name);
  guint n = *name == 0 ? reader->cubin->functions->len : one > 0 ? 1 : 0;

  for (guint k = 0; k < n; k++)
    {
      WpCubinFunction *function = wp_cubin_get_function (reader, one > 0 ? one - 1 : k);

      if (function->constants[bank] == NULL)
        function->constants[bank] = g_bytes_ref (bytes);
    }
}

static gboolean
read_part (WpCubinReader *reader, const WpElfSection *section, GError **error)
{
  const gchar *name = section->name, *function;
  guint bank, number;

  if (wp_cubin_split_bank (name, &bank, &function))
    give_constants (reader, section, bank, function);
  else if (g_str_has_prefix (name, ".nv.shared."))
    {
      number = wp_cubin_find_owner (reader, section, name + strlen (".nv.shared."));
      if (number > 0)
        return read_shared (reader, section, wp_cubin_get_function (reader, number - 1), error);
    }
  return TRUE;
}

gboolean
wp_cubin_read_functions (WpCubinReader *reader, GError **error)
{
  for (guint k = 0; k < reader->elf.n_sections; k++)
    if (g_str_has_prefix (reader->elf.sections[k].name, ".text.")
        && !read_function (reader, k, reader->elf.sections[k].name + strlen (".text."), error))
      return FALSE;
  for (guint k = 0; k < reader->elf.n_sections; k++)
    if (!read_part (reader, &reader->elf.sections[k], error))
      return FALSE;
  return TRUE;
}
