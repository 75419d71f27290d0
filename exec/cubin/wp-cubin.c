/* SPDX-License-Identifier: MIT */
/* What a module holds, made and freed, and what all that read one need. */
#include "exec/cubin/wp-cubin-private.h"

#include "idg/kernel/idg-kernel.h"

#include <string.h>

gboolean
wp_cubin_fail (const WpCubinReader *reader, GError **error, const gchar *format, ...)
{
  g_autofree gchar *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE, "%s: %s", reader->elf.name, text);
  return FALSE;
}

WpCubinFunction *
wp_cubin_get_function (const WpCubinReader *reader, guint index)
{
  return g_ptr_array_index (reader->cubin->functions, index);
}

WpCubinVariable *
wp_cubin_get_variable (const WpCubinReader *reader, guint index)
{
  return g_ptr_array_index (reader->cubin->variables, index);
}

GBytes *
wp_cubin_slice (const WpCubinReader *reader, const WpElfSection *section, guint64 offset,
                guint64 size)
{
  /* One that takes no room in the file (NOBITS) may say that it begins anywhere. */
  guint64 start = section->data != NULL ? section->offset + offset : 0;

  return g_bytes_new_from_bytes (reader->cubin->image, start, size);
}

static void
free_function (gpointer data)
{
  WpCubinFunction *function = data;

  g_free (function->name);
  g_free (function->demangled);
  g_free (function->asked);
  g_clear_pointer (&function->code, g_bytes_unref);
  g_clear_pointer (&function->relocations, g_array_unref);
  g_clear_pointer (&function->lines, g_array_unref);
  g_clear_pointer (&function->parameters, g_array_unref);
  for (guint k = 0; k < WP_CUBIN_BANKS; k++)
    {
      g_clear_pointer (&function->constants[k], g_bytes_unref);
      g_clear_pointer (&function->constant_relocations[k], g_array_unref);
    }
  g_free (function);
}

static void
free_variable (gpointer data)
{
  WpCubinVariable *variable = data;

  g_free (variable->name);
  g_free (variable->demangled);
  g_clear_pointer (&variable->data, g_bytes_unref);
  g_clear_pointer (&variable->relocations, g_array_unref);
  g_free (variable);
}

static void
clear_symbol (gpointer data)
{
  g_free (((WpCubinSymbol *)data)->name);
}

WpCubin *
wp_cubin_new (const gchar *path)
{
  WpCubin *cubin = g_new0 (WpCubin, 1);

  cubin->path = g_strdup (path);
  cubin->functions = g_ptr_array_new_with_free_func (free_function);
  cubin->variables = g_ptr_array_new_with_free_func (free_variable);
  cubin->symbols = g_array_new (FALSE, TRUE, sizeof (WpCubinSymbol));
  g_array_set_clear_func (cubin->symbols, clear_symbol);
  cubin->files = g_ptr_array_new_with_free_func (g_free);
  return cubin;
}

void
wp_cubin_free (WpCubin *cubin)
{
  if (cubin == NULL)
    return;
  g_free (cubin->path);
  g_ptr_array_unref (cubin->functions);
  g_ptr_array_unref (cubin->variables);
  g_array_unref (cubin->symbols);
  g_ptr_array_unref (cubin->files);
  g_clear_pointer (&cubin->image, g_bytes_unref);
  g_free (cubin);
}

gboolean
wp_cubin_split_bank (const gchar *section, guint *bank, const gchar **name)
{
  static const gchar prefix[] = ".nv.constant";
  const gchar *text = section + sizeof prefix - 1;
  gchar *end = NULL;
  guint64 number = WP_CUBIN_BANKS;

  if (g_str_has_prefix (section, prefix) && g_ascii_isdigit (*text))
    number = g_ascii_strtoull (text, &end, 10);
  if (number >= WP_CUBIN_BANKS || (*end != 0 && *end != '.'))
    return FALSE;
  *bank = (guint)number;
  *name = *end ? end + 1 : end;
  return TRUE;
}

guint
wp_cubin_find_owner (const WpCubinReader *reader, const WpElfSection *section, const gchar *name)
{
  if (*name == 0)
    return 0;
  if (section->info < reader->elf.n_sections && reader->functions[section->info] > 0)
    return reader->functions[section->info];
  return GPOINTER_TO_UINT (g_hash_table_lookup (reader->by_name, name));
}
