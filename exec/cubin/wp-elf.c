/* SPDX-License-Identifier: MIT */
/* The sizes and offsets below are those of the ELF specification for 64 bits: a header of 64 bytes,
 * section headers of 64, symbols of 24, relocations of 16 or 24.
 *
 * The sections together may not be larger than a few times the file: a hostile file whose sections
 * overlap would otherwise cost time and memory by the square of its length. */
#include "exec/cubin/wp-elf.h"

#include "idg/kernel/idg-kernel.h"

#include <string.h>

#define HEADER 64
#define SECTION 64
#define SYMBOL 24
#define MAX_OVERLAP 4 /* ptxas 13 names debug information twice */

guint16
wp_elf_u16 (const guint8 *p)
{
  guint16 value;

  memcpy (&value, p, sizeof value);
  return GUINT16_FROM_LE (value);
}

guint32
wp_elf_u32 (const guint8 *p)
{
  guint32 value;

  memcpy (&value, p, sizeof value);
  return GUINT32_FROM_LE (value);
}

guint64
wp_elf_u64 (const guint8 *p)
{
  guint64 value;

  memcpy (&value, p, sizeof value);
  return GUINT64_FROM_LE (value);
}

static gboolean fail (const WpElf *elf, GError **error, const gchar *format, ...)
    G_GNUC_PRINTF (3, 4);

static gboolean
fail (const WpElf *elf, GError **error, const gchar *format, ...)
{
  g_autofree gchar *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, IDG_ERROR, IDG_ERROR_SYNTAX, "%s: damaged ELF file: %s", elf->name, text);
  return FALSE;
}

gboolean
wp_elf_is (const guint8 *data, gsize length)
{
  return length >= 4 && memcmp (data, "\177ELF", 4) == 0;
}

/* The string at OFFSET of a string table, NULL: not in it, or without an end. */
static const gchar *
find_string (const WpElf *elf, guint section, guint64 offset)
{
  const WpElfSection *table;

  if (section >= elf->n_sections)
    return NULL;
  table = &elf->sections[section];
  if (table->data == NULL || offset >= table->size
      || memchr (table->data + offset, 0, table->size - offset) == NULL)
    return NULL;
  return (const gchar *)table->data + offset;
}

static gboolean
read_section (WpElf *elf, const guint8 *header, guint number, GError **error)
{
  WpElfSection *section = &elf->sections[number];
  guint64 offset = wp_elf_u64 (header + 24);

  section->type = wp_elf_u32 (header + 4);
  section->offset = offset;
  section->size = wp_elf_u64 (header + 32);
  section->link = wp_elf_u32 (header + 40);
  section->info = wp_elf_u32 (header + 44);
  if (section->type == WP_ELF_NOBITS || number == 0)
    return TRUE;
  if (offset > elf->length || section->size > elf->length - offset)
    return fail (elf, error, "section %u ends after the end of the file", number);
  section->data = elf->data + offset;
  return TRUE;
}

/* The numbers of sections and of the one with their names; section 0 has them where they do not fit
 * into the header. */
static gboolean
read_counts (WpElf *elf, guint64 *table, guint *names, GError **error)
{
  guint64 n = wp_elf_u16 (elf->data + 60);

  *table = wp_elf_u64 (elf->data + 40);
  *names = wp_elf_u16 (elf->data + 62);
  if (*table == 0)
    {
      elf->n_sections = 0;
      return TRUE;
    }
  if (wp_elf_u16 (elf->data + 58) != SECTION || *table > elf->length
      || elf->length - *table < SECTION)
    return fail (elf, error, "its section headers are not in the file");
  if (n == 0)
    n = wp_elf_u64 (elf->data + *table + 32);
  if (*names == 0xffff)
    *names = wp_elf_u32 (elf->data + *table + 40);
  if (n > (elf->length - *table) / SECTION)
    return fail (elf, error, "its section headers are not in the file");
  elf->n_sections = (guint)n;
  return TRUE;
}

static gboolean
name_sections (WpElf *elf, const guint8 *headers, guint names, GError **error)
{
  guint64 sum = 0;

  for (guint k = 0; k < elf->n_sections; k++)
    {
      elf->sections[k].name = find_string (elf, names, wp_elf_u32 (headers + (gsize)SECTION * k));
      if (elf->sections[k].name == NULL)
        return fail (elf, error, "section %u has no name", k);
      sum += elf->sections[k].data ? elf->sections[k].size : 0;
      if (sum > MAX_OVERLAP * (guint64)elf->length)
        return fail (elf, error, "its sections overlap");
    }
  return TRUE;
}

gboolean
wp_elf_read (WpElf *elf, const guint8 *data, gsize length, const gchar *name, GError **error)
{
  guint64 table;
  guint names;

  *elf = (WpElf){ .data = data, .length = length, .name = name };
  if (!wp_elf_is (data, length) || length < HEADER)
    return fail (elf, error, "it ends in its header");
  if (data[4] != 2 || data[5] != 1)
    return fail (elf, error, "expected one of 64 bits, little endian");
  elf->osabi = data[7];
  elf->type = wp_elf_u16 (data + 16);
  elf->machine = wp_elf_u16 (data + 18);
  elf->flags = wp_elf_u32 (data + 48);
  if (!read_counts (elf, &table, &names, error))
    return FALSE;
  elf->sections = g_new0 (WpElfSection, MAX (elf->n_sections, 1));
  for (guint k = 0; k < elf->n_sections; k++)
    if (!read_section (elf, data + table + SECTION * (gsize)k, k, error))
      return FALSE;
  return name_sections (elf, data + table, names, error);
}

void
wp_elf_clear (WpElf *elf)
{
  g_clear_pointer (&elf->sections, g_free);
  elf->n_sections = 0;
}

const WpElfSection *
wp_elf_find (const WpElf *elf, const gchar *name)
{
  for (guint k = 0; k < elf->n_sections; k++)
    if (strcmp (elf->sections[k].name, name) == 0)
      return &elf->sections[k];
  return NULL;
}

GArray *
wp_elf_symbols (const WpElf *elf, GError **error)
{
  g_autoptr (GArray) symbols = g_array_new (FALSE, TRUE, sizeof (WpElfSymbol));
  const WpElfSection *table = wp_elf_find (elf, ".symtab");

  if (table == NULL || table->data == NULL)
    return g_steal_pointer (&symbols);
  for (guint64 at = 0; at + SYMBOL <= table->size; at += SYMBOL)
    {
      const guint8 *p = table->data + at;
      guint section = wp_elf_u16 (p + 6);
      WpElfSymbol symbol = { find_string (elf, table->link, wp_elf_u32 (p)),
                             p[4] & 15,
                             p[5],
                             section,
                             wp_elf_u64 (p + 8),
                             wp_elf_u64 (p + 16) };

      if (symbol.name == NULL)
        {
          fail (elf, error, "symbol %u has no name", symbols->len);
          return NULL;
        }
      if (section >= elf->n_sections)
        symbol.section = 0;
      g_array_append_val (symbols, symbol);
    }
  return g_steal_pointer (&symbols);
}

GArray *
wp_elf_relocations (const WpElf *elf, const WpElfSection *section, GError **error)
{
  g_autoptr (GArray) relocations = g_array_new (FALSE, TRUE, sizeof (WpElfRelocation));
  gboolean has_addend = section->type == WP_ELF_RELA;
  guint size = has_addend ? 24 : 16;

  if (section->data == NULL && section->size > 0)
    {
      fail (elf, error, "relocations in %s are not in the file", section->name);
      return NULL;
    }
  for (guint64 at = 0; at + size <= section->size; at += size)
    {
      const guint8 *p = section->data + at;
      WpElfRelocation relocation = { wp_elf_u64 (p), wp_elf_u32 (p + 8), wp_elf_u32 (p + 12),
                                     has_addend ? (gint64)wp_elf_u64 (p + 16) : 0, has_addend };

      g_array_append_val (relocations, relocation);
    }
  return g_steal_pointer (&relocations);
}
