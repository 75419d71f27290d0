/* SPDX-License-Identifier: MIT */
/* A cursor that never leaves its bytes: reading beyond the end returns 0 and marks it as done, so
 * that the code below need not look after each number. */
#include "exec/cubin/wp-cubin-lines.h"

#include <string.h>

#define MAX_DEPTH 64 /* of what is inlined in what is inlined */
#define MAX_FILES 65536
#define MAX_PATH 4096 /* what is longer is no path */

typedef struct
{
  const guint8 *at, *end;
  gboolean failed;
} Cursor;

typedef struct
{
  const WpElfSection *lines, *strings, *line_strings;
  GPtrArray *files;
  GHashTable *file_numbers; /* of files, from 1 on */
  WpCubinLineFunc func;
  gpointer data;
  /* of one program */
  guint version;
  guint8 offset_size; /* 4 or 8 */
  guint8 min_length, opcode_base, line_range;
  gint8 line_base;
  const guint8 *lengths;  /* operands of standard opcodes from 1 on */
  GPtrArray *directories; /* borrowed strings */
  GArray *program_files;  /* guint: indices of FILES */
  GArray *rows;           /* of Row: of the sequence so far */
} Reader;

/* CONTEXT: the row, from 1 on, into whose line this one was inlined; 0: none. */
typedef struct
{
  guint file, line;
  guint64 context;
} Row;

static guint64
get (Cursor *cursor, guint size)
{
  guint64 value = 0;

  if (cursor->end - cursor->at < (gssize)size)
    {
      cursor->failed = TRUE;
      cursor->at = cursor->end;
      return 0;
    }
  for (guint k = 0; k < size; k++)
    value |= (guint64)cursor->at[k] << (8 * (k & 7));
  cursor->at += size;
  return value;
}

static void
skip (Cursor *cursor, guint64 n)
{
  if (n > (guint64)(cursor->end - cursor->at))
    {
      cursor->failed = TRUE;
      n = (guint64)(cursor->end - cursor->at);
    }
  cursor->at += n;
}

static guint64
get_leb (Cursor *cursor, gboolean is_signed)
{
  guint64 value = 0;
  guint shift = 0;
  guint8 byte;

  do
    {
      byte = (guint8)get (cursor, 1);
      if (shift < 64)
        value |= (guint64)(byte & 0x7f) << shift;
      shift += 7;
    }
  while (byte & 0x80);
  if (is_signed && shift < 64 && (byte & 0x40))
    value |= ~(guint64)0 << shift;
  return value;
}

static const gchar *
get_string (Cursor *cursor)
{
  const gchar *text = (const gchar *)cursor->at;
  const guint8 *end = memchr (cursor->at, 0, (gsize)(cursor->end - cursor->at));

  if (end == NULL)
    {
      skip (cursor, G_MAXUINT64);
      return "";
    }
  cursor->at = end + 1;
  return text;
}

static const gchar *
string_at (const WpElfSection *section, guint64 offset)
{
  if (section == NULL || section->data == NULL || offset >= section->size
      || memchr (section->data + offset, 0, section->size - offset) == NULL)
    return "";
  return (const gchar *)section->data + offset;
}

static guint
add_file (Reader *reader, const gchar *name, guint64 directory)
{
  g_autofree gchar *path = NULL;
  const gchar *folder = "";
  gpointer number;

  if (strnlen (name, MAX_PATH) == MAX_PATH)
    name = "";
  if (!g_path_is_absolute (name) && directory < reader->directories->len)
    folder = g_ptr_array_index (reader->directories, directory);
  path = *folder && strnlen (folder, MAX_PATH) < MAX_PATH ? g_build_filename (folder, name, NULL)
                                                          : g_strdup (name);
  number = g_hash_table_lookup (reader->file_numbers, path);
  if (number == NULL && reader->files->len < MAX_FILES)
    {
      g_ptr_array_add (reader->files, g_utf8_make_valid (path, -1));
      number = GUINT_TO_POINTER (reader->files->len);
      g_hash_table_insert (reader->file_numbers, g_steal_pointer (&path), number);
    }
  return number ? GPOINTER_TO_UINT (number) - 1 : 0;
}

/* Versions 2 to 4: directories from 1 on, 0 is where the compiler ran; files from 1 on. */
static void
read_old_tables (Reader *reader, Cursor *cursor)
{
  guint none = G_MAXUINT;

  g_ptr_array_add (reader->directories, (gpointer) "");
  while (cursor->at < cursor->end && *cursor->at != 0)
    g_ptr_array_add (reader->directories, (gpointer)get_string (cursor));
  skip (cursor, 1);
  g_array_append_val (reader->program_files, none);
  while (cursor->at < cursor->end && *cursor->at != 0)
    {
      const gchar *name = get_string (cursor);
      guint file = add_file (reader, name, get_leb (cursor, FALSE));

      get_leb (cursor, FALSE); /* time and size of the file */
      get_leb (cursor, FALSE);
      g_array_append_val (reader->program_files, file);
    }
}

/* A value in one of the forms that version 5 allows here (DW_FORM_...). */
static guint64
get_form (Reader *reader, Cursor *cursor, guint64 form, const gchar **text)
{
  switch (form)
    {
    case 0x08: /* string */
      *text = get_string (cursor);
      return 0;
    case 0x0e: /* strp */
      *text = string_at (reader->strings, get (cursor, reader->offset_size));
      return 0;
    case 0x1f: /* line_strp */
      *text = string_at (reader->line_strings, get (cursor, reader->offset_size));
      return 0;
    case 0x0b: /* data1 */
      return get (cursor, 1);
    case 0x05: /* data2 */
      return get (cursor, 2);
    case 0x06: /* data4 */
      return get (cursor, 4);
    case 0x07: /* data8 */
      return get (cursor, 8);
    case 0x0f: /* udata */
      return get_leb (cursor, FALSE);
    case 0x09: /* block */
      skip (cursor, get_leb (cursor, FALSE));
      return 0;
    case 0x1e: /* data16: a check sum */
      skip (cursor, 16);
      return 0;
    default:
      cursor->failed = TRUE;
      return 0;
    }
}

/* Version 5: a list of what each entry has, then the entries. */
static void
read_new_table (Reader *reader, Cursor *cursor, gboolean are_files)
{
  guint n_formats = (guint)get (cursor, 1);
  guint64 formats[256][2], n;

  for (guint k = 0; k < n_formats; k++)
    {
      formats[k][0] = get_leb (cursor, FALSE);
      formats[k][1] = get_leb (cursor, FALSE);
    }
  n = get_leb (cursor, FALSE);
  for (guint64 entry = 0; entry < n && n_formats > 0 && !cursor->failed; entry++)
    {
      const gchar *path = "";
      guint64 directory = 0;
      guint file;

      if (cursor->at == cursor->end)
        cursor->failed = TRUE;
      for (guint k = 0; k < n_formats && !cursor->failed; k++)
        {
          const gchar *text = "";
          guint64 value = get_form (reader, cursor, formats[k][1], &text);

          if (formats[k][0] == 1) /* DW_LNCT_path */
            path = text;
          else if (formats[k][0] == 2) /* DW_LNCT_directory_index */
            directory = value;
        }
      if (!are_files)
        g_ptr_array_add (reader->directories, (gpointer)path);
      else
        {
          file = add_file (reader, path, directory);
          g_array_append_val (reader->program_files, file);
        }
    }
}

/* The state machine of section 6.2.2. */
typedef struct
{
  guint64 place, address, file;
  guint64 line; /* as two's complement */
  guint64 context;
} Machine;

/* Whether PATH is a header that comes with the compiler. */
static gboolean
is_toolkit (const gchar *path)
{
  const gchar *end = strstr (path, "/include/");

  return end != NULL
         && (g_str_has_prefix (path, "/usr/") || g_strstr_len (path, end - path, "/cuda")
             || g_strstr_len (path, end - path, "/targets/"));
}

/* Follows ROW, the last one, through what inlined it, out of headers of the toolkit. */
static Row
find_own (const Reader *reader, const Row *row)
{
  Row own = *row;
  guint at = reader->rows->len; /* number of `own` */

  for (guint depth = 0; depth < MAX_DEPTH; depth++)
    {
      if (own.file >= reader->files->len
          || !is_toolkit (g_ptr_array_index (reader->files, own.file)))
        return own;
      if (own.context == 0 || own.context >= at)
        break;
      at = (guint)own.context;
      own = g_array_index (reader->rows, Row, at - 1);
    }
  return *row;
}

static void
emit (Reader *reader, const Machine *machine, gboolean is_end)
{
  guint file = machine->file < reader->program_files->len
                   ? g_array_index (reader->program_files, guint, machine->file)
                   : G_MAXUINT;
  gint64 line = is_end || file == G_MAXUINT ? 0 : CLAMP ((gint64)machine->line, 0, G_MAXINT32);

  Row row = { file == G_MAXUINT ? 0 : file, (guint)line, machine->context }, own = row;

  if (is_end)
    g_array_set_size (reader->rows, 0);
  else
    {
      g_array_append_val (reader->rows, row);
      own = find_own (reader, &row);
    }
  if (machine->place != G_MAXUINT64)
    reader->func (machine->place, machine->address, row.file, row.line, own.file, own.line,
                  reader->data);
}

static void
run_extended (Reader *reader, Cursor *cursor, Machine *machine)
{
  guint64 length = get_leb (cursor, FALSE);
  Cursor part = *cursor;

  skip (cursor, length);
  part.end = cursor->at;
  switch (get (&part, 1))
    {
    case 1: /* DW_LNE_end_sequence */
      emit (reader, machine, TRUE);
      *machine = (Machine){ G_MAXUINT64, 0, 1, 1, 0 };
      break;
    case 2: /* DW_LNE_set_address; what it holds, a relocation moves */
      machine->place = (guint64)(part.at - reader->lines->data);
      machine->address = get (&part, MIN ((guint)(part.end - part.at), 8));
      break;
    case 0x90: /* NVIDIA's own: what follows was inlined; then the name of the function */
      machine->context = get_leb (&part, FALSE);
      break;
    default: /* DW_LNE_define_file and others */
      break;
    }
}

static void
run_standard (Reader *reader, Cursor *cursor, Machine *machine, guint opcode)
{
  switch (opcode)
    {
    case 1: /* DW_LNS_copy */
      emit (reader, machine, FALSE);
      break;
    case 2: /* DW_LNS_advance_pc */
      machine->address += get_leb (cursor, FALSE) * reader->min_length;
      break;
    case 3: /* DW_LNS_advance_line */
      machine->line += get_leb (cursor, TRUE);
      break;
    case 4: /* DW_LNS_set_file */
      machine->file = get_leb (cursor, FALSE);
      break;
    case 8: /* DW_LNS_const_add_pc */
      machine->address
          += (guint64)((255 - reader->opcode_base) / reader->line_range) * reader->min_length;
      break;
    case 9: /* DW_LNS_fixed_advance_pc */
      machine->address += get (cursor, 2);
      break;
    default:
      for (guint k = 0; k < reader->lengths[opcode - 1]; k++)
        get_leb (cursor, FALSE);
    }
}

static void
run_program (Reader *reader, Cursor *cursor)
{
  Machine machine = { G_MAXUINT64, 0, 1, 1, 0 };

  while (cursor->at < cursor->end && !cursor->failed)
    {
      guint opcode = (guint)get (cursor, 1);

      if (opcode >= reader->opcode_base)
        {
          guint special = opcode - reader->opcode_base;

          machine.address += (guint64)(special / reader->line_range) * reader->min_length;
          machine.line
              += (guint64)(gint64)(reader->line_base + (gint)(special % reader->line_range));
          emit (reader, &machine, FALSE);
        }
      else if (opcode == 0)
        run_extended (reader, cursor, &machine);
      else
        run_standard (reader, cursor, &machine, opcode);
    }
}

/* Reads the header up to the tables; the program begins at PROGRAM. */
static gboolean
read_header (Reader *reader, Cursor *unit, const guint8 **program)
{
  guint64 length;

  reader->version = (guint)get (unit, 2);
  if (reader->version < 2 || reader->version > 5)
    return FALSE;
  if (reader->version == 5)
    skip (unit, 2); /* sizes of addresses and of segments */
  length = get (unit, reader->offset_size);
  if (length > (guint64)(unit->end - unit->at))
    return FALSE;
  *program = unit->at + length;
  reader->min_length = (guint8)get (unit, 1);
  if (reader->version >= 4)
    skip (unit, 1); /* operations of an instruction: of VLIW machines */
  skip (unit, 1);   /* default_is_stmt */
  reader->line_base = (gint8)get (unit, 1);
  reader->line_range = (guint8)get (unit, 1);
  reader->opcode_base = (guint8)get (unit, 1);
  reader->lengths = unit->at;
  if (reader->opcode_base == 0 || reader->line_range == 0)
    return FALSE;
  skip (unit, reader->opcode_base - 1u);
  return !unit->failed;
}

static void
read_unit (Reader *reader, Cursor *unit)
{
  const guint8 *program;

  if (!read_header (reader, unit, &program))
    return;
  g_ptr_array_set_size (reader->directories, 0);
  g_array_set_size (reader->program_files, 0);
  g_array_set_size (reader->rows, 0);
  if (reader->version < 5)
    read_old_tables (reader, unit);
  else
    {
      read_new_table (reader, unit, FALSE);
      read_new_table (reader, unit, TRUE);
    }
  if (unit->failed)
    return;
  unit->at = program;
  run_program (reader, unit);
}

void
wp_cubin_lines_read (const WpElfSection *lines, const WpElfSection *strings,
                     const WpElfSection *line_strings, GPtrArray *files, WpCubinLineFunc func,
                     gpointer data)
{
  Reader reader = { .lines = lines,
                    .strings = strings,
                    .line_strings = line_strings,
                    .files = files,
                    .func = func,
                    .data = data };
  Cursor cursor = { lines->data, lines->data ? lines->data + lines->size : NULL, FALSE };

  reader.file_numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  reader.directories = g_ptr_array_new ();
  reader.program_files = g_array_new (FALSE, FALSE, sizeof (guint));
  reader.rows = g_array_new (FALSE, FALSE, sizeof (Row));
  while (cursor.at < cursor.end && !cursor.failed)
    {
      guint64 length = get (&cursor, 4);
      Cursor unit;

      reader.offset_size = length == 0xffffffff ? 8 : 4;
      if (length == 0xffffffff)
        length = get (&cursor, 8);
      unit = cursor;
      skip (&cursor, length);
      unit.end = cursor.at;
      read_unit (&reader, &unit);
    }
  g_hash_table_unref (reader.file_numbers);
  g_ptr_array_unref (reader.directories);
  g_array_unref (reader.program_files);
  g_array_unref (reader.rows);
}
