/* SPDX-License-Identifier: MIT */
/* The front end for SASS listings: the output of `cuobjdump -sass` and `nvdisasm` for Maxwell to
 * Blackwell, and bare listings, one instruction a line, as in books. It reads the text twice, once
 * to find the functions and once to read the chosen one, because the dump of a library is large,
 * and one kernel of it is not.
 *
 * Only the instructions are needed. From nvdisasm's directives around them it also learns how many
 * registers the compiler gave to a thread and how much shared memory a block has. */
#include "idg/import/sass/idg-frontend-sass.h"

#include "idg/import/flow/idg-listing.h"

#include "idg/kernel/idg-kernel.h"
#include "idg/xml/idg-text.h"

#include <string.h>

#define MAX_INSTRUCTIONS 1000000

typedef struct
{
  gchar *name;
  guint64 architecture; /* 80 for sm_80; 0: not given */
  const gchar *begin, *end;
  gint line;
  guint64 registers, shared_memory; /* 0: not given */
} Function;

typedef struct
{
  IdgSassReader reader;
  const gchar *file;
  GPtrArray *functions;
  GHashTable *shared; /* bytes, stored as pointers, by the function's name */
  Function *current;  /* the function that is being read, or NULL */
  gboolean is_dump;   /* cuobjdump's output, in which dots end a function */
  gchar *section;     /* nvdisasm's current section, ".nv.shared.NAME" or another; or NULL */
  guint64 architecture;
  const gchar *bare; /* the first line that may belong to a bare listing */
  gint bare_line;
} Scan;

static void
function_free (gpointer data)
{
  Function *function = data;

  g_free (function->name);
  g_free (function);
}

/* ---- Functions ---- */

static void
close_function (Scan *scan, const gchar *end)
{
  if (scan->current)
    scan->current->end = end;
  scan->current = NULL;
}

static void
open_function (Scan *scan, const gchar *name, const gchar *begin, gint line)
{
  Function *function = g_new0 (Function, 1);

  function->name = g_strdup (name);
  function->architecture = scan->architecture;
  function->begin = begin;
  function->line = line;
  g_ptr_array_add (scan->functions, function);
  scan->current = function;
}

/* Finds "sm_80" or "EF_CUDA_SM80" anywhere in TEXT. */
static void
read_architecture (Scan *scan, const gchar *text)
{
  const gchar *at = strstr (text, "sm_");

  if (at)
    at += strlen ("sm_");
  else if ((at = strstr (text, "EF_CUDA_SM")))
    at += strlen ("EF_CUDA_SM");
  if (at && g_ascii_isdigit (*at))
    {
      scan->architecture = g_ascii_strtoull (at, NULL, 10);
      if (scan->current && scan->current->architecture == 0)
        scan->current->architecture = scan->architecture;
    }
}

static void
begin_section (Scan *scan, const gchar *arguments)
{
  gchar *name = g_strndup (arguments, strcspn (arguments, ", "));

  close_function (scan, scan->reader.begin);
  g_free (scan->section);
  scan->section = name;
  if (g_str_has_prefix (name, ".text."))
    open_function (scan, name + strlen (".text."), scan->reader.at, scan->reader.line);
}

static void
add_shared (Scan *scan, const gchar *arguments)
{
  guint64 bytes = g_ascii_strtoull (arguments, NULL, 0);
  const gchar *name;
  gsize before;

  if (!scan->section || !g_str_has_prefix (scan->section, ".nv.shared."))
    return;
  name = scan->section + strlen (".nv.shared.");
  before = GPOINTER_TO_SIZE (g_hash_table_lookup (scan->shared, name));
  bytes = MIN (bytes, (guint64)IDG_MAX_SHARED_MEMORY + 1);
  g_hash_table_insert (scan->shared, g_strdup (name),
                       GSIZE_TO_POINTER (MIN (before + bytes, (gsize)IDG_MAX_SHARED_MEMORY + 1)));
}

static void
scan_directive (Scan *scan, const gchar *text)
{
  gsize length = strcspn (text, " ");
  const gchar *arguments = text + length + strspn (text + length, " ");
  const gchar *registers = strstr (text, "SHI_REGISTERS=");

  if (strncmp (text, ".section ", 9) == 0)
    begin_section (scan, arguments);
  else if (strncmp (text, ".zero ", 6) == 0 || strncmp (text, ".skip ", 6) == 0
           || strncmp (text, ".space ", 7) == 0)
    add_shared (scan, arguments);
  else if (registers && scan->current)
    scan->current->registers = g_ascii_strtoull (registers + strlen ("SHI_REGISTERS="), NULL, 10);
  else if (strncmp (text, ".headerflags", 12) == 0 || strncmp (text, ".target", 7) == 0)
    read_architecture (scan, text);
}

static void
scan_label (Scan *scan, const gchar *name)
{
  if (!g_str_has_prefix (name, ".text."))
    return;
  name += strlen (".text.");
  if (scan->current && strcmp (scan->current->name, name) == 0)
    return;
  close_function (scan, scan->reader.begin);
  open_function (scan, name, scan->reader.begin, scan->reader.begin_line);
}

/* Recognizes the lines that cuobjdump prints around functions. */
static gboolean
is_header (const gchar *text)
{
  return strstr (text, " = ") || strstr (text, " : ") || g_str_has_prefix (text, "Fatbin ")
         || g_str_has_prefix (text, "code for ") || strcmp (text, "compressed") == 0
         || strspn (text, "=") == strlen (text);
}

static void
scan_statement (Scan *scan, const gchar *text)
{
  if (is_header (text))
    {
      if (g_str_has_prefix (text, "Fatbin "))
        close_function (scan, scan->reader.begin);
      read_architecture (scan, text);
      return;
    }
  if (!scan->current && !scan->section && !scan->bare)
    {
      scan->bare = scan->reader.begin;
      scan->bare_line = scan->reader.begin_line;
    }
}

static void
scan_item (Scan *scan)
{
  const gchar *text = scan->reader.text->str;

  switch (scan->reader.kind)
    {
    case IDG_SASS_FUNCTION:
      close_function (scan, scan->reader.begin);
      open_function (scan, text, scan->reader.at, scan->reader.line);
      scan->is_dump = TRUE;
      break;
    case IDG_SASS_DIRECTIVE:
      scan_directive (scan, text);
      break;
    case IDG_SASS_LABEL:
      scan_label (scan, text);
      if (!scan->current)
        scan_statement (scan, text);
      break;
    case IDG_SASS_STATEMENT:
      scan_statement (scan, text);
      break;
    case IDG_SASS_DOTS:
      if (scan->is_dump)
        close_function (scan, scan->reader.begin);
      break;
    case IDG_SASS_END:
      break;
    }
}

/* Treats "dir/saxpy.sass" without any functions as the kernel "saxpy", unless maxas' header gives
 * its name. */
static void
add_bare (Scan *scan)
{
  g_autofree gchar *name = g_path_get_basename (scan->file);
  gchar *dot = strrchr (name, '.');

  if (scan->functions->len > 0 || !scan->bare)
    return;
  if (dot && dot > name)
    *dot = '\0';
  open_function (scan, scan->reader.kernel->len > 0 ? scan->reader.kernel->str : name, scan->bare,
                 scan->bare_line);
  if (scan->current->architecture == 0)
    scan->current->architecture = scan->reader.architecture;
  scan->current->registers = scan->reader.registers;
  if (scan->reader.shared_memory > 0)
    g_hash_table_insert (
        scan->shared, g_strdup (scan->current->name),
        GSIZE_TO_POINTER (MIN (scan->reader.shared_memory, (guint64)IDG_MAX_SHARED_MEMORY + 1)));
  close_function (scan, scan->reader.end);
}

static gboolean
scan_functions (Scan *scan, GError **error)
{
  do
    {
      if (!idg_sass_read (&scan->reader, error))
        return FALSE;
      scan_item (scan);
    }
  while (scan->reader.kind != IDG_SASS_END);
  close_function (scan, scan->reader.end);
  add_bare (scan);
  for (guint i = 0; i < scan->functions->len; i++)
    {
      Function *function = g_ptr_array_index (scan->functions, i);

      function->shared_memory
          = GPOINTER_TO_SIZE (g_hash_table_lookup (scan->shared, function->name));
    }
  return TRUE;
}

/* ---- Which one ---- */

/* Returns how well code for ARCHITECTURE suits the GPU that is named: its own best, then code that
 * runs there, of the same generation and no newer, then the newest. TARGET is 0 where none is
 * named. */
static guint64
rank_architecture (guint64 architecture, guint target)
{
  if (target > 0 && architecture == target)
    return 3000000;
  return (target > 0 && architecture / 10 == target / 10 && architecture < target ? 1000000 : 0)
         + MIN (architecture, 999999);
}

/* Returns one function of each name: a program may be compiled for several architectures. */
static GPtrArray *
list_best (const Scan *scan, guint target, gboolean *several)
{
  g_autoptr (GHashTable) places = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *best = g_ptr_array_new ();

  *several = FALSE;
  for (guint i = 0; i < scan->functions->len; i++)
    {
      Function *function = g_ptr_array_index (scan->functions, i);
      gpointer place;

      if (!g_hash_table_lookup_extended (places, function->name, NULL, &place))
        {
          g_hash_table_insert (places, function->name, GUINT_TO_POINTER (best->len));
          g_ptr_array_add (best, function);
          continue;
        }
      *several = TRUE;
      if (rank_architecture (function->architecture, target) >= rank_architecture (
              ((Function *)best->pdata[GPOINTER_TO_UINT (place)])->architecture, target))
        best->pdata[GPOINTER_TO_UINT (place)] = function;
    }
  return best;
}

static const Function *
choose_function (const Scan *scan, IdgImport *import, GError **error)
{
  gboolean several;
  g_autoptr (GPtrArray) best = list_best (scan, import->target, &several);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  const Function *function;
  gint chosen;

  if (best->len == 0)
    {
      idg_import_fail (scan->file, 0, IDG_ERROR_VALUE, error,
                       "there are no instructions in it; expected what `cuobjdump -sass` or "
                       "`nvdisasm` prints, or instructions alone");
      return NULL;
    }
  for (guint i = 0; i < best->len; i++)
    g_ptr_array_add (names, ((Function *)best->pdata[i])->name);
  chosen = idg_import_choose_entry (import, scan->file, (const gchar *const *)names->pdata,
                                    names->len, error);
  if (chosen < 0)
    return NULL;
  function = best->pdata[chosen];
  if (several && function->architecture > 0)
    idg_import_note (import, scan->file, function->line,
                     "the listing has %s several times; used is the one for sm_%" G_GUINT64_FORMAT
                     ", `cuobjdump -sass -arch` lists one alone",
                     function->name, function->architecture);
  return function;
}

/* ---- One function ---- */

static gboolean
is_before_target (const gchar *text)
{
  static const gchar *const names[] = { "BRA", "JMP", "SSY", "BSSY", "PBK", "PCNT" };

  if (*text == '@')
    text += strcspn (text, " ") + strspn (text + strcspn (text, " "), " ");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      gsize length = strlen (names[i]);

      if (strncmp (text, names[i], length) == 0 && strchr (". ", text[length]))
        return TRUE;
    }
  return FALSE;
}

/* Collects the addresses that branches refer to: only these get labels. */
static gboolean
find_addresses (const Function *function, const gchar *file, GHashTable *addresses, GError **error)
{
  g_auto (IdgSassReader) reader;

  idg_sass_reader_init (&reader, file, function->begin, function->end, function->line);
  do
    {
      const gchar *at;

      if (!idg_sass_read (&reader, error))
        return FALSE;
      if (reader.kind != IDG_SASS_STATEMENT || !is_before_target (reader.text->str)
          || !(at = g_strrstr (reader.text->str, "0x")))
        continue;
      g_hash_table_add (addresses, idg_sass_name_address (g_ascii_strtoull (at, NULL, 16)));
    }
  while (reader.kind != IDG_SASS_END);
  return TRUE;
}

static gboolean
place_at (IdgSassMaker *maker, const IdgSassReader *reader, GHashTable *addresses, guint64 address,
          GError **error)
{
  g_autofree gchar *name = idg_sass_name_address (address);

  return !g_hash_table_contains (addresses, name)
         || idg_sass_place_label (maker, name, reader->chunk_line, error);
}

/* Places the labels that the instruction's address stands for: its own, and before Volta that of
 * the control word before it, which is every 0x20 (Maxwell, Pascal) or 0x40 bytes (Kepler) and
 * which a branch may go to. */
static gboolean
place_address (IdgSassMaker *maker, const IdgSassReader *reader, GHashTable *addresses,
               GError **error)
{
  guint64 address = reader->address;
  gboolean is_behind_word = address % 0x20 == 8 && maker->next_address != address;

  maker->next_address = address + 8;
  return (!is_behind_word || place_at (maker, reader, addresses, address - 8, error))
         && place_at (maker, reader, addresses, address, error);
}

static gboolean
make_item (IdgSassMaker *maker, const IdgSassReader *reader, GHashTable *addresses, GError **error)
{
  const gchar *text = reader->text->str;

  if (reader->kind == IDG_SASS_LABEL)
    return g_str_has_prefix (text, ".text.")
           || idg_sass_place_label (maker, text, reader->chunk_line, error);
  if (reader->kind != IDG_SASS_STATEMENT || is_header (text))
    return TRUE;
  if (*text == '<')
    return idg_import_fail (reader->file, reader->chunk_line, IDG_ERROR_SYNTAX, error,
                            "%.40s is for maxas to work out; expected instructions with registers, "
                            "as `maxas.pl -e` lists them of what it has assembled",
                            text);
  if (reader->has_address && !place_address (maker, reader, addresses, error))
    return FALSE;
  if (maker->code->instrs->len >= MAX_INSTRUCTIONS)
    return idg_import_fail (reader->file, reader->chunk_line, IDG_ERROR_VALUE, error,
                            "%s has more than %d instructions; no kernel has so many",
                            maker->code->name, MAX_INSTRUCTIONS);
  return idg_sass_add (maker, text, reader->chunk_line, reader->source->str, error);
}

static gboolean
fill_code (IdgCode *code, const Function *function, IdgImport *import, GError **error)
{
  g_auto (IdgSassReader) reader;
  g_auto (IdgSassMaker) maker;
  g_autoptr (GHashTable) addresses = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  idg_sass_reader_init (&reader, code->file, function->begin, function->end, function->line);
  idg_sass_maker_init (&maker, code, import);
  maker.architecture = function->architecture;
  if (!find_addresses (function, code->file, addresses, error))
    return FALSE;
  do
    if (!idg_sass_read (&reader, error) || !make_item (&maker, &reader, addresses, error))
      return FALSE;
  while (reader.kind != IDG_SASS_END);
  if (reader.has_codes)
    idg_import_note (
        import, code->file, 0,
        "control codes are ignored; the GPU's description says when instructions issue");
  code->registers_used
      = function->registers > 0 ? (gint64)MIN (function->registers, 255) : (gint64)maker.highest;
  code->shared_memory = (gint64)function->shared_memory;
  return TRUE;
}

/* ---- The front end ---- */

static gboolean
check_text (const gchar *data, gsize length, const gchar *name, GError **error)
{
  const gchar *nul = memchr (data, '\0', length);
  gint line = 1;

  if (length >= 4 && memcmp (data, "\177ELF", 4) == 0)
    return idg_import_fail (name, 0, IDG_ERROR_SYNTAX, error,
                            "this is a binary; expected the text that `cuobjdump -sass` or "
                            "`nvdisasm` prints of it");
  for (const gchar *at = data; nul && at < nul; at++)
    line += *at == '\n';
  if (nul)
    return idg_import_fail (name, line, IDG_ERROR_SYNTAX, error, "a NUL byte; expected text");
  return TRUE;
}

static IdgKernel *
parse_text (const gchar *data, gsize length, const gchar *name, IdgImport *import, GError **error)
{
  g_autoptr (GPtrArray) functions = g_ptr_array_new_with_free_func (function_free);
  g_autoptr (GHashTable) shared = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (IdgCode) code = NULL;
  const Function *function;
  Scan scan = { .file = name, .functions = functions, .shared = shared };
  gboolean good;

  idg_sass_reader_init (&scan.reader, name, data, data + length, 1);
  good = scan_functions (&scan, error);
  idg_sass_reader_clear (&scan.reader);
  g_free (scan.section);
  if (!good || !(function = choose_function (&scan, import, error)))
    return NULL;
  code = idg_code_new (name, function->name);
  if (!fill_code (code, function, import, error))
    return NULL;
  return idg_code_to_kernel (code, import, error);
}

IdgKernel *
idg_sass_parse (const gchar *data, gsize length, const gchar *name, IdgImport *import,
                GError **error)
{
  g_autofree gchar *valid = NULL;

  if (!check_text (data, length, name, error))
    return NULL;
  if (!g_utf8_validate (data, (gssize)length, NULL))
    {
      valid = g_utf8_make_valid (data, (gssize)length);
      data = valid;
      length = strlen (valid);
    }
  return parse_text (data, length, name, import, error);
}

static IdgKernel *
load (const gchar *path, IdgImport *import, GError **error)
{
  g_autoptr (GByteArray) bytes = idg_text_read (path, IDG_ERROR, error);

  return bytes ? idg_sass_parse ((const gchar *)bytes->data, bytes->len, path, import, error)
               : NULL;
}

/* Tells whether TEXT begins with a known instruction. */
static gboolean
begins_with_instruction (const gchar *text, gsize length)
{
  g_auto (IdgSassReader) reader;
  const gchar *at;
  gsize n = 0;

  idg_sass_reader_init (&reader, "", text, text + length, 1);
  do
    if (!idg_sass_read (&reader, NULL))
      return FALSE;
  while (reader.kind == IDG_SASS_LABEL || reader.kind == IDG_SASS_DOTS);
  if (reader.kind != IDG_SASS_STATEMENT)
    return FALSE;
  at = reader.text->str;
  if (*at == '@')
    at += strcspn (at, " ") + strspn (at + strcspn (at, " "), " ");
  while (g_ascii_isupper (at[n]) || g_ascii_isdigit (at[n]))
    n++;
  if (n == 0 || n > 20 || !strchr (". ", at[n]))
    return FALSE;
  {
    g_autofree gchar *opcode = g_strndup (at, n);
    IdgSassOp op;

    return idg_ops_find_sass (opcode, &op);
  }
}

static gboolean
recognize (const gchar *path, const gchar *head, gsize length)
{
  static const gchar *const signs[]
      = { "code for sm_", "Function : ", "\t.headerflags", ".section\t.text.",
          ".text.",       "EF_CUDA_SM",  ".__elf_ident_",  "Function:" };
  g_autofree gchar *text = NULL;

  if (length >= 4 && memcmp (head, "\177ELF", 4) == 0)
    return TRUE;
  text = g_strndup (head, length);
  if (text[strspn (text, " \t\r\n")] == '<' || strstr (text, ".version ")
      || strstr (text, ".visible "))
    return FALSE;
  if (g_str_has_suffix (path, ".sass") || g_str_has_suffix (path, ".cuasm"))
    return TRUE;
  if (length == 0 || memchr (head, '\0', length))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    if (strstr (text, signs[i]))
      return TRUE;
  return begins_with_instruction (text, length);
}

const IdgFrontend idg_frontend_sass
    = { "sass", "SASS, as cuobjdump -sass and nvdisasm list it", recognize, load };
