/* SPDX-License-Identifier: MIT */
/* Lines of the source, function by function: the sequences of the line table say by a relocation
 * which function they are of. */
#include "exec/cubin/wp-cubin-lines.h"
#include "exec/cubin/wp-cubin-private.h"

typedef struct
{
  WpCubinReader *reader;
  GHashTable *places; /* offset in the section: its relocation */
} Rows;

static void
take_row (guint64 place, guint64 address, guint file, guint line, guint own_file, guint own_line,
          gpointer data)
{
  Rows *rows = data;
  const WpElfRelocation *relocation = g_hash_table_lookup (rows->places, &place);
  const WpCubinSymbol *symbol;
  WpCubinLine row = { address, file, line, own_file, own_line, FALSE };
  WpCubinFunction *function;

  if (relocation == NULL || relocation->symbol >= rows->reader->cubin->symbols->len)
    return;
  symbol = &g_array_index (rows->reader->cubin->symbols, WpCubinSymbol, relocation->symbol);
  if (symbol->function < 0)
    return;
  function = wp_cubin_get_function (rows->reader, (guint)symbol->function);
  row.address += symbol->value + (guint64)relocation->addend;
  if (row.address < g_bytes_get_size (function->code))
    g_array_append_val (function->lines, row);
}

/* Divisions and the like are called: their code stands behind that of the kernel, and would be its
 * last line's. */
static void
add_others (WpCubinReader *reader)
{
  const GArray *symbols = reader->cubin->symbols;

  for (guint k = 0; k < symbols->len; k++)
    {
      const WpCubinSymbol *symbol = &g_array_index (symbols, WpCubinSymbol, k);
      const WpCubinLine row = { .address = symbol->value, .is_other = TRUE };

      if (symbol->function >= 0 && symbol->value > 0 && symbol->name != NULL
          && symbol->name[0] == '$')
        g_array_append_val (wp_cubin_get_function (reader, (guint)symbol->function)->lines, row);
    }
}

/* Of rows at one address what counts for most: a line, the beginning of a function without, the end
 * of a sequence. */
static gint
get_weight (const WpCubinLine *row)
{
  return row->line != 0 ? 2 : row->is_other ? 1 : 0;
}

/* Ascending; at one address by weight. */
static gint
compare_rows (gconstpointer one, gconstpointer two)
{
  const WpCubinLine *a = one, *b = two;

  if (a->address != b->address)
    return a->address < b->address ? -1 : 1;
  return get_weight (a) - get_weight (b);
}

/* Of the rows of one address the last one counts. */
static void
sort_rows (GArray *rows)
{
  guint n = 0;

  g_array_sort (rows, compare_rows);
  for (guint k = 0; k < rows->len; k++)
    {
      const WpCubinLine row = g_array_index (rows, WpCubinLine, k);

      if (n > 0 && g_array_index (rows, WpCubinLine, n - 1).address == row.address)
        n--;
      g_array_index (rows, WpCubinLine, n) = row;
      n++;
    }
  g_array_set_size (rows, n);
}

static const WpElfSection *
relocations_of (const WpElf *elf, const gchar *rel, const gchar *rela)
{
  const WpElfSection *section = wp_elf_find (elf, rel);

  return section ? section : wp_elf_find (elf, rela);
}

void
wp_cubin_read_lines (WpCubinReader *reader)
{
  const WpElf *elf = &reader->elf;
  const WpElfSection *lines = wp_elf_find (elf, ".debug_line");
  const WpElfSection *section = relocations_of (elf, ".rel.debug_line", ".rela.debug_line");
  g_autoptr (GArray) relocations = section ? wp_elf_relocations (elf, section, NULL) : NULL;
  Rows rows = { reader, NULL };

  if (lines == NULL || relocations == NULL)
    return;
  rows.places = g_hash_table_new (g_int64_hash, g_int64_equal);
  for (guint k = 0; k < relocations->len; k++)
    {
      WpElfRelocation *relocation = &g_array_index (relocations, WpElfRelocation, k);

      g_hash_table_insert (rows.places, &relocation->offset, relocation);
    }
  wp_cubin_lines_read (lines, wp_elf_find (elf, ".debug_str"), wp_elf_find (elf, ".debug_line_str"),
                       reader->cubin->files, take_row, &rows);
  g_hash_table_unref (rows.places);
  add_others (reader);
  for (guint k = 0; k < reader->cubin->functions->len; k++)
    sort_rows (wp_cubin_get_function (reader, k)->lines);
}
