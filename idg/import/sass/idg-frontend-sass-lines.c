/* SPDX-License-Identifier: MIT */
/* Splits SASS text into items. cuobjdump and nvdisasm print one instruction on a line, with its
 * address and its encoding in comments; a listing in a book has neither. Comments may begin and end
 * anywhere, so the text is read character by character, and a line is examined once its comments
 * are removed.
 *
 * Control codes ("[B------:R-:W2:-:S02]", "--:-:2:Y:1"), braces of dual issue and marks for the
 * scheduler ("&wr=0x1 ?trans1") say when an instruction may issue on the machine that it was
 * compiled for; here, the GPU's description determines that. */
#include "idg/import/sass/idg-frontend-sass.h"

#include <string.h>

void
idg_sass_reader_init (IdgSassReader *reader, const gchar *file, const gchar *at, const gchar *end,
                      gint line)
{
  *reader = (IdgSassReader){ .file = file,
                             .at = at,
                             .end = end,
                             .line = line,
                             .source = g_string_new (NULL),
                             .kernel = g_string_new (NULL),
                             .chunk = g_string_new (NULL),
                             .text = g_string_new (NULL) };
}

void
idg_sass_reader_clear (IdgSassReader *reader)
{
  g_string_free (reader->source, TRUE);
  g_string_free (reader->kernel, TRUE);
  g_string_free (reader->chunk, TRUE);
  g_string_free (reader->text, TRUE);
}

/* ---- Comments ---- */

static gboolean
is_address (const gchar *text, gsize length)
{
  if (length < 4 || length > 16)
    return FALSE;
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isxdigit (text[i]))
      return FALSE;
  return TRUE;
}

/* Returns the length of the control codes that TEXT begins with: "[B------:R-:W2:-:S02]" of
 * nvdisasm, "[R---:B------:R-:W-:-:S06]" with flags of reuse as CuAssembler writes it, or
 * "01:-:2:Y:f" of maxas: masks and numbers of barriers, yield and stall, in hexadecimal. 0: none.
 */
static gsize
get_codes_length (const gchar *text)
{
  static const gchar maxas[] = "XX:X:X:X:X";
  gsize length;

  if (*text == '[')
    {
      length = 1 + strspn (text + 1, "-:0123456789BRSWY");
      return text[length] == ']' && memchr (text, ':', length) ? length + 1 : 0;
    }
  for (length = 0; maxas[length]; length++)
    if (maxas[length] == ':' ? text[length] != ':'
                             : !g_ascii_isxdigit (text[length]) && !strchr ("-Yy", text[length]))
      return 0;
    else if (text[length] == '\0')
      return 0;
  return text[length] == ' ' ? length : 0;
}

/* Tells whether TEXT has nothing but control codes and braces, behind which an address may be. */
static gboolean
is_before_instruction (const gchar *text)
{
  text += get_codes_length (text);
  return text[strspn (text, " {}")] == '\0';
}

static gboolean
skip_block (IdgSassReader *reader, GError **error)
{
  const gchar *begin = reader->at + 2, *at = begin;

  while (at + 1 < reader->end && !(at[0] == '*' && at[1] == '/'))
    at++;
  if (at + 1 >= reader->end)
    return idg_import_fail (reader->file, reader->line, IDG_ERROR_SYNTAX, error,
                            "a comment begins and does not end; expected */");
  if (is_before_instruction (reader->chunk->str) && is_address (begin, (gsize)(at - begin)))
    {
      reader->chunk_address = g_ascii_strtoull (begin, NULL, 16);
      reader->chunk_has_address = TRUE;
    }
  for (const gchar *c = begin; c < at; c++)
    reader->line += *c == '\n';
  reader->at = at + 2;
  return TRUE;
}

/* The name that nvdisasm -gp gives to the PTX that ptxas read: no file of the user's. */
#define PTX_IN_DEBUG_DATA ".nv_debug_ptx_txt"

/* Reads //## File "/home/me/a.cu", line 12 inlined at ...: the name without its directories. */
static void
read_source (IdgSassReader *reader, const gchar *text, gsize length)
{
  g_autofree gchar *line = g_strndup (text, length);
  gchar *name = strstr (line, "File \""), *end, *number, *slash;
  guint64 value;

  if (!name)
    return;
  name += strlen ("File \"");
  if (g_str_has_prefix (name, PTX_IN_DEBUG_DATA))
    return;
  end = strchr (name, '"');
  number = end ? strstr (end, "line ") : NULL;
  if (!number)
    return;
  *end = '\0';
  slash = strrchr (name, '/');
  value = g_ascii_strtoull (number + strlen ("line "), NULL, 10);
  if (value <= G_MAXINT)
    g_string_printf (reader->source, "%s:%u", slash ? slash + 1 : name, (guint)value);
}

/* Reads "# RegCnt: 32" and the like, which maxas puts before the instructions that it extracts. */
static void
read_header (IdgSassReader *reader, const gchar *text, gsize length)
{
  g_autofree gchar *line = g_strndup (text, length);
  const gchar *key = line + 1 + strspn (line + 1, " \t"), *colon = strstr (key, ": ");
  guint64 number = colon ? g_ascii_strtoull (colon + 2, NULL, 10) : 0;

  if (!colon)
    return;
  if (g_str_has_prefix (key, "Kernel:"))
    g_string_assign (reader->kernel, g_strstrip (line + (colon + 2 - line)));
  else if (g_str_has_prefix (key, "Arch: sm_"))
    reader->architecture = g_ascii_strtoull (colon + strlen (": sm_"), NULL, 10);
  else if (g_str_has_prefix (key, "RegCnt:"))
    reader->registers = number;
  else if (g_str_has_prefix (key, "SharedSize:"))
    reader->shared_memory = number;
}

static void
skip_line (IdgSassReader *reader)
{
  const gchar *begin = reader->at;

  while (reader->at < reader->end && *reader->at != '\n')
    reader->at++;
  if (reader->at - begin > 4 && strncmp (begin, "//##", 4) == 0)
    read_source (reader, begin, (gsize)(reader->at - begin));
  else if (*begin == '#')
    read_header (reader, begin, (gsize)(reader->at - begin));
}

/* ---- Lines ---- */

static void
add_character (IdgSassReader *reader, gchar c)
{
  if (!g_ascii_isspace (c))
    g_string_append_c (reader->chunk, c);
  else if (reader->chunk->len > 0 && reader->chunk->str[reader->chunk->len - 1] != ' ')
    g_string_append_c (reader->chunk, ' ');
}

static void
begin_chunk (IdgSassReader *reader)
{
  g_string_truncate (reader->chunk, 0);
  reader->chunk_at = 0;
  reader->chunk_closed = FALSE;
  reader->chunk_has_address = FALSE;
}

/* Reads the text up to the next `;`, or to the end of a line that is not empty. The chunk is empty
 * at the end of the text. */
static gboolean
read_chunk (IdgSassReader *reader, GError **error)
{
  gboolean quoted = FALSE;

  begin_chunk (reader);
  while (reader->at < reader->end)
    {
      gchar c = *reader->at;

      if (reader->chunk->len == 0)
        {
          reader->begin = reader->at;
          reader->begin_line = reader->chunk_line = reader->line;
        }
      if (c == '\n' || (c == ';' && !quoted))
        {
          reader->at++;
          reader->line += c == '\n';
          reader->chunk_closed = c == ';';
          quoted = FALSE;
          if (reader->chunk->len > 0)
            return TRUE;
          if (c == '\n')
            reader->chunk_has_address = FALSE;
          continue;
        }
      if (!quoted && c == '/' && reader->at + 1 < reader->end && reader->at[1] == '*')
        {
          if (!skip_block (reader, error))
            return FALSE;
          add_character (reader, ' ');
          continue;
        }
      if (!quoted
          && ((c == '/' && reader->at + 1 < reader->end && reader->at[1] == '/')
              || (c == '#' && reader->chunk->len == 0)))
        {
          skip_line (reader);
          continue;
        }
      quoted ^= c == '"';
      add_character (reader, c);
      reader->at++;
    }
  return TRUE;
}

/* ---- What surrounds an instruction ---- */

static void
drop_prefix (IdgSassReader *reader, gsize length)
{
  reader->chunk_at += length;
  while (reader->chunk->str[reader->chunk_at] == ' ')
    reader->chunk_at++;
}

static void
drop_codes (IdgSassReader *reader)
{
  gsize length = 1;

  while (length > 0)
    {
      const gchar *text = reader->chunk->str + reader->chunk_at;
      gsize codes = get_codes_length (text);

      length = *text == '{' || *text == '}' ? 1 : codes;
      reader->has_codes |= codes > 0;
      drop_prefix (reader, length);
    }
}

/* Removes the marks of "FADD R1, R2, R3 &wr=0x1 ?trans1 }". */
static void
drop_marks (IdgSassReader *reader)
{
  GString *text = reader->text;
  gint depth = 0;

  for (gsize i = 0; i < text->len; i++)
    {
      gchar c = text->str[i];

      if (i > 0 && text->str[i - 1] == ' ' && (c == '&' || c == '?'))
        {
          reader->has_codes = TRUE;
          g_string_truncate (text, i);
          break;
        }
      depth += (c == '{') - (c == '}');
    }
  while (text->len > 0
         && (text->str[text->len - 1] == ' ' || (text->str[text->len - 1] == '}' && depth < 0)))
    {
      depth += text->str[text->len - 1] == '}';
      g_string_truncate (text, text->len - 1);
    }
}

/* Returns the name of "Function : name", which may lack its blanks; NULL if TEXT is not that. */
static const gchar *
get_function_name (const gchar *text)
{
  if (!g_str_has_prefix (text, "Function"))
    return NULL;
  text += strlen ("Function");
  text += strspn (text, " ");
  if (*text != ':')
    return NULL;
  text += 1 + strspn (text + 1, " ");
  return *text ? text : NULL;
}

/* Returns the length of "name:" at the beginning of TEXT, without the colon; 0 if there is none. */
static gsize
get_label_length (const gchar *text)
{
  gsize length = 0;

  while (g_ascii_isalnum (text[length]) || (text[length] && strchr ("._$", text[length])))
    length++;
  return text[length] == ':' && text[length + 1] != ':' ? length : 0;
}

static gboolean
is_dots (const gchar *text)
{
  return strspn (text, ".") >= 2 && text[strspn (text, ". ")] == '\0';
}

static void
take (IdgSassReader *reader, IdgSassItemKind kind, const gchar *text)
{
  reader->kind = kind;
  g_string_assign (reader->text, text);
  g_strchomp (reader->text->str);
  reader->text->len = strlen (reader->text->str);
  reader->address = reader->chunk_address;
  reader->has_address = reader->chunk_has_address;
  reader->chunk_at = reader->chunk->len;
}

/* Handles "STG.E [R2], R4 }": the second instruction of a pair that issues together has no `;`. */
static gboolean
is_last_of_pair (const IdgSassReader *reader)
{
  const gchar *brace = strrchr (reader->chunk->str, '}');

  return brace && brace[1 + strspn (brace + 1, " ")] == '\0';
}

static gboolean
take_item (IdgSassReader *reader, GError **error)
{
  const gchar *text, *function;
  gsize label;

  drop_codes (reader);
  text = reader->chunk->str + reader->chunk_at;
  function = get_function_name (text);
  label = get_label_length (text);
  if (function)
    {
      take (reader, IDG_SASS_FUNCTION, function);
      return TRUE;
    }
  if (label > 0)
    {
      gsize at = reader->chunk_at;

      take (reader, IDG_SASS_LABEL, text);
      g_string_truncate (reader->text, label);
      reader->chunk_at = at;
      drop_prefix (reader, label + 1);
      return TRUE;
    }
  if (is_dots (text))
    take (reader, IDG_SASS_DOTS, text);
  else if (*text == '.')
    take (reader, IDG_SASS_DIRECTIVE, text);
  else
    {
      take (reader, IDG_SASS_STATEMENT, text);
      drop_marks (reader);
      if (reader->has_address && !reader->chunk_closed && !is_last_of_pair (reader))
        return idg_import_fail (reader->file, reader->chunk_line, IDG_ERROR_SYNTAX, error,
                                "the instruction at 0x%" G_GINT64_MODIFIER
                                "x is cut off; expected a `;` after it",
                                reader->address);
    }
  return TRUE;
}

gboolean
idg_sass_read (IdgSassReader *reader, GError **error)
{
  do
    {
      if (reader->chunk_at >= reader->chunk->len && !read_chunk (reader, error))
        return FALSE;
      if (reader->chunk->len == 0)
        {
          reader->kind = IDG_SASS_END;
          return TRUE;
        }
      if (!take_item (reader, error))
        return FALSE;
    }
  while (reader->text->len == 0);
  return TRUE;
}
