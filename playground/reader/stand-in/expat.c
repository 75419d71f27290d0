/* SPDX-License-Identifier: MIT */
/* What is read is UTF-8 without NUL bytes, which idg/xml has checked. */
#include <expat.h>

#include <glib.h>

typedef struct XML_ParserStruct Parser;

struct XML_ParserStruct
{
  void *data;
  XML_StartElementHandler start;
  XML_EndElementHandler end;
  XML_CharacterDataHandler characters;
  XML_StartDoctypeDeclHandler doctype;
  const gchar *text, *text_end;
  const gchar *p;     /* what is read next */
  const gchar *event; /* where that is which is told, or wrong */
  enum XML_Error error;
  GPtrArray *open; /* names of the elements that are */
};

/* What a tag has been read into. */
typedef struct
{
  gchar *name;
  GPtrArray *names;  /* of attributes, */
  GHashTable *known; /* and once more */
  GArray *begins;    /* gsize: where the value of each begins in `values`; a NUL ends it */
  GString *values;
  const gchar *twice; /* the name of the first attribute that is given twice, or NULL */
  gboolean is_empty;
} Tag;

/* ---- Where the parser is ---- */

static gint
peek (const Parser *parser)
{
  return parser->p < parser->text_end ? (guchar)*parser->p : -1;
}

static gboolean
is_at (const Parser *parser, const gchar *text)
{
  gsize n = strlen (text);

  return (gsize)(parser->text_end - parser->p) >= n && memcmp (parser->p, text, n) == 0;
}

static gboolean
skip (Parser *parser, const gchar *text)
{
  gboolean found = is_at (parser, text);

  if (found)
    parser->p += strlen (text);
  return found;
}

static gboolean
skip_blanks (Parser *parser)
{
  const gchar *begin = parser->p;

  while (peek (parser) == ' ' || peek (parser) == '\t' || peek (parser) == '\n'
         || peek (parser) == '\r')
    parser->p++;
  return parser->p > begin;
}

static gboolean
fail_at (Parser *parser, const gchar *place, enum XML_Error error)
{
  if (parser->error == XML_ERROR_NONE)
    {
      parser->error = error;
      parser->event = place;
    }
  return FALSE;
}

static gboolean
fail (Parser *parser)
{
  return fail_at (parser, parser->p, XML_ERROR_INVALID_TOKEN);
}

/* ---- Characters ---- */

static gboolean
is_allowed (gunichar c)
{
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c < 0xd800)
         || (c >= 0xe000 && c <= 0xfffd) || (c >= 0x10000 && c <= 0x10ffff);
}

static gboolean
begins_name (const Parser *parser)
{
  gint c = peek (parser);

  return c >= 0x80 ? is_allowed (g_utf8_get_char (parser->p))
                   : c >= 0 && (g_ascii_isalpha ((gchar)c) || c == '_' || c == ':');
}

/* A name, or NULL. Free with g_free(). */
static gchar *
take_name (Parser *parser)
{
  const gchar *begin = parser->p;

  if (!begins_name (parser))
    return NULL;
  while (begins_name (parser) || (peek (parser) >= '0' && peek (parser) <= '9')
         || peek (parser) == '-' || peek (parser) == '.')
    parser->p = g_utf8_next_char (parser->p);
  return g_strndup (begin, (gsize)(parser->p - begin));
}

/* One character, which is not at the end. */
static gboolean
take_character (Parser *parser)
{
  if (!is_allowed (g_utf8_get_char (parser->p)))
    return fail (parser);
  parser->p = g_utf8_next_char (parser->p);
  return TRUE;
}

/* Up to and with the first END. */
static gboolean
take_until (Parser *parser, const gchar *end)
{
  while (peek (parser) >= 0 && !is_at (parser, end))
    if (!take_character (parser))
      return FALSE;
  return skip (parser, end) || fail (parser);
}

/* The number of a character behind "&#". */
static gboolean
take_number (Parser *parser, gunichar *c)
{
  guint base = skip (parser, "x") ? 16 : 10;
  const gchar *begin = parser->p;

  for (*c = 0; peek (parser) >= 0 && peek (parser) != ';'; parser->p++)
    {
      gint digit = g_ascii_xdigit_value (*parser->p);

      if (digit < 0 || digit >= (gint)base)
        return fail (parser);
      *c = MIN (*c * base + (guint)digit, 0x110000);
    }
  return parser->p > begin && is_at (parser, ";") && is_allowed (*c) ? skip (parser, ";")
                                                                     : fail (parser);
}

/* What an "&" stands for. */
static gboolean
take_reference (Parser *parser, gunichar *c)
{
  static const struct
  {
    const gchar *name;
    gchar c;
  } known[] = {
    { "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' }, { "&quot;", '"' }, { "&apos;", '\'' }
  };

  if (skip (parser, "&#"))
    return take_number (parser, c);
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (skip (parser, known[i].name))
      {
        *c = (gunichar)known[i].c;
        return TRUE;
      }
  return fail (parser);
}

/* ---- Tags ---- */

/* A value in quotes goes to the end of VALUES. */
static gboolean
take_value (Parser *parser, GString *values)
{
  gint quote = peek (parser);

  if (quote != '"' && quote != '\'')
    return fail (parser);
  parser->p++;
  while (peek (parser) >= 0 && peek (parser) != quote)
    {
      const gchar *begin = parser->p;
      gunichar c = ' ';

      if (*begin == '<' || !(*begin == '&' ? take_reference (parser, &c) : take_character (parser)))
        return fail (parser);
      if (*begin == '&' || g_ascii_isspace (*begin)) /* blanks are blanks, but where numbers say */
        g_string_append_unichar (values, c);
      else
        g_string_append_len (values, begin, parser->p - begin);
      if (*begin == '\r')
        skip (parser, "\n");
    }
  if (peek (parser) < 0)
    return fail (parser);
  g_string_append_c (values, '\0');
  parser->p++;
  return TRUE;
}

static gboolean
take_equals (Parser *parser)
{
  skip_blanks (parser);
  if (!skip (parser, "="))
    return fail (parser);
  skip_blanks (parser);
  return TRUE;
}

static gboolean
take_attribute (Parser *parser, Tag *tag)
{
  const gchar *place = parser->p;
  gchar *name = take_name (parser);
  gsize begin = tag->values->len;

  if (name == NULL)
    return fail (parser);
  g_ptr_array_add (tag->names, name);
  g_array_append_val (tag->begins, begin);
  if (!take_equals (parser) || !take_value (parser, tag->values))
    return FALSE;
  if (!g_hash_table_add (tag->known, name) && tag->twice == NULL)
    tag->twice = place;
  return TRUE;
}

static gboolean
take_attributes (Parser *parser, Tag *tag)
{
  for (;;)
    {
      gboolean apart = skip_blanks (parser);

      tag->is_empty = skip (parser, "/>");
      if (tag->is_empty || skip (parser, ">"))
        return tag->twice == NULL || fail_at (parser, tag->twice, XML_ERROR_DUPLICATE_ATTRIBUTE);
      if (!apart)
        return fail (parser);
      if (!take_attribute (parser, tag))
        return FALSE;
    }
}

static void
announce_tag (Parser *parser, const Tag *tag)
{
  guint n = tag->names->len;
  g_autofree const XML_Char **attributes = g_new0 (const XML_Char *, 2 * n + 1);

  for (guint i = 0; i < n; i++)
    {
      attributes[2 * i] = g_ptr_array_index (tag->names, i);
      attributes[2 * i + 1] = tag->values->str + g_array_index (tag->begins, gsize, i);
    }
  parser->start (parser->data, tag->name, attributes);
}

static void
close_element (Parser *parser)
{
  guint last = parser->open->len - 1;

  parser->end (parser->data, g_ptr_array_index (parser->open, last));
  g_ptr_array_set_size (parser->open, (gint)last);
}

static void
clear_tag (Tag *tag)
{
  g_free (tag->name);
  g_hash_table_unref (tag->known);
  g_ptr_array_unref (tag->names);
  g_array_unref (tag->begins);
  g_string_free (tag->values, TRUE);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tag, clear_tag)

static gboolean
take_begin (Parser *parser)
{
  g_auto (Tag) tag = { .names = g_ptr_array_new_with_free_func (g_free),
                       .known = g_hash_table_new (g_str_hash, g_str_equal),
                       .begins = g_array_new (FALSE, FALSE, sizeof (gsize)),
                       .values = g_string_new (NULL) };
  const gchar *begin = parser->p++;

  tag.name = take_name (parser);
  if (tag.name == NULL)
    return fail (parser);
  if (!take_attributes (parser, &tag))
    return FALSE;
  parser->event = begin;
  announce_tag (parser, &tag);
  g_ptr_array_add (parser->open, g_strdup (tag.name));
  if (tag.is_empty)
    close_element (parser);
  return parser->error == XML_ERROR_NONE;
}

static gboolean
take_end (Parser *parser)
{
  const gchar *place = (parser->p += strlen ("</"));
  g_autofree gchar *name = take_name (parser);

  skip_blanks (parser);
  if (!is_at (parser, ">"))
    return fail (parser);
  if (g_strcmp0 (name, g_ptr_array_index (parser->open, parser->open->len - 1)) != 0)
    return fail_at (parser, place, XML_ERROR_INVALID_TOKEN);
  parser->p++;
  close_element (parser);
  return TRUE;
}

/* ---- What is no tag ---- */

static gboolean
take_comment (Parser *parser)
{
  parser->p += strlen ("<!--");
  return take_until (parser, "--") && (skip (parser, ">") || fail (parser));
}

static gboolean
take_instruction (Parser *parser)
{
  g_autofree gchar *name = NULL;

  parser->p += strlen ("<?");
  name = take_name (parser);
  if (name == NULL || g_ascii_strcasecmp (name, "xml") == 0
      || (!skip_blanks (parser) && !is_at (parser, "?>")))
    return fail (parser);
  return take_until (parser, "?>");
}

/* Tells what is between BEGIN and where the parser is. */
static void
tell_characters (Parser *parser, const gchar *begin)
{
  parser->event = begin;
  if (parser->p > begin)
    parser->characters (parser->data, begin, (gint)(parser->p - begin));
}

static void
tell_character (Parser *parser, const gchar *begin, gunichar c)
{
  gchar bytes[6];

  parser->event = begin;
  parser->characters (parser->data, bytes, g_unichar_to_utf8 (c, bytes));
}

/* Text up to the next tag, comment or instruction, or that of a CDATA section with its end. What
 * stands for a character comes by itself, and so does a new line. */
static gboolean
take_text (Parser *parser, gboolean is_section)
{
  for (;;)
    {
      const gchar *begin = parser->p;
      gunichar c = '\n';

      while (peek (parser) >= 0 && !strchr (is_section ? "\n\r" : "\n\r<&", *parser->p)
             && !is_at (parser, "]]>"))
        if (!take_character (parser))
          return FALSE;
      tell_characters (parser, begin);
      begin = parser->p;
      if (is_at (parser, "]]>"))
        return is_section ? skip (parser, "]]>") : fail (parser);
      if (peek (parser) < 0 || *begin == '<')
        return !is_section || fail (parser);
      if (*begin == '&' ? !take_reference (parser, &c)
                        : !(skip (parser, "\r\n") || take_character (parser)))
        return FALSE;
      tell_character (parser, begin, c);
    }
}

/* ---- Documents ---- */

/* Comments, instructions and blanks around the outermost element. */
static gboolean
take_around (Parser *parser)
{
  for (;;)
    {
      skip_blanks (parser);
      if (is_at (parser, "<!--"))
        {
          if (!take_comment (parser))
            return FALSE;
        }
      else if (!is_at (parser, "<?"))
        return TRUE;
      else if (!take_instruction (parser))
        return FALSE;
    }
}

/* NAME="VALUE" of a declaration, which may be missing. */
static gboolean
take_declared (Parser *parser, const gchar *name, GString *value)
{
  const gchar *begin = parser->p;
  gboolean apart = skip_blanks (parser);

  g_string_truncate (value, 0);
  if (!skip (parser, name))
    parser->p = begin;
  else if (!apart || !take_equals (parser) || !take_value (parser, value))
    return FALSE;
  for (const gchar *p = value->str; *p != '\0'; p++)
    if (!g_ascii_isalnum (*p) && strchr ("._-", *p) == NULL)
      return FALSE;
  return TRUE;
}

static gboolean
take_declarations (Parser *parser)
{
  g_autoptr (GString) value = g_string_new (NULL);

  if (!take_declared (parser, "version", value) || value->len == 0
      || !take_declared (parser, "encoding", value) || !take_declared (parser, "standalone", value)
      || (value->len > 0 && strcmp (value->str, "yes") != 0 && strcmp (value->str, "no") != 0))
    return FALSE;
  skip_blanks (parser);
  return peek (parser) < 0;
}

static gboolean
take_declaration (Parser *parser)
{
  const gchar *text_end = parser->text_end, *begin, *end;

  skip (parser, "\357\273\277");
  begin = parser->p;
  if (!skip (parser, "<?xml") || peek (parser) < 0 || !g_ascii_isspace (*parser->p))
    {
      parser->p = begin;
      return TRUE;
    }
  end = g_strstr_len (begin, text_end - begin, "?>");
  if (end == NULL)
    return fail (parser);
  parser->text_end = end;
  if (!take_declarations (parser))
    return fail (parser);
  parser->text_end = text_end;
  return skip (parser, "?>");
}

static gboolean
take_one (Parser *parser)
{
  if (is_at (parser, "</"))
    return take_end (parser);
  if (is_at (parser, "<!--"))
    return take_comment (parser);
  if (skip (parser, "<![CDATA["))
    return take_text (parser, TRUE);
  if (is_at (parser, "<?"))
    return take_instruction (parser);
  return peek (parser) == '<' ? take_begin (parser) : take_text (parser, FALSE);
}

static gboolean
take_document (Parser *parser)
{
  if (!take_declaration (parser) || !take_around (parser))
    return FALSE;
  if (skip (parser, "<!DOCTYPE"))
    {
      parser->event = parser->p;
      parser->doctype (parser->data, NULL, NULL, NULL, FALSE);
      return FALSE;
    }
  if (peek (parser) != '<' || !take_begin (parser))
    return fail (parser);
  while (parser->open->len > 0)
    if (peek (parser) < 0 || !take_one (parser))
      return fail (parser);
  return take_around (parser) && (peek (parser) < 0 || fail (parser));
}

XML_Parser
XML_ParserCreate_MM (G_GNUC_UNUSED const XML_Char *encoding,
                     G_GNUC_UNUSED const XML_Memory_Handling_Suite *memory,
                     G_GNUC_UNUSED const XML_Char *separator)
{
  Parser *parser = g_new0 (Parser, 1);

  parser->open = g_ptr_array_new_with_free_func (g_free);
  return parser;
}

void
XML_ParserFree (XML_Parser parser)
{
  g_ptr_array_unref (parser->open);
  g_free (parser);
}

void
XML_SetUserData (XML_Parser parser, void *data)
{
  parser->data = data;
}

void
XML_SetElementHandler (XML_Parser parser, XML_StartElementHandler start, XML_EndElementHandler end)
{
  parser->start = start;
  parser->end = end;
}

void
XML_SetCharacterDataHandler (XML_Parser parser, XML_CharacterDataHandler handler)
{
  parser->characters = handler;
}

void
XML_SetStartDoctypeDeclHandler (XML_Parser parser, XML_StartDoctypeDeclHandler handler)
{
  parser->doctype = handler;
}

int
XML_SetHashSalt (G_GNUC_UNUSED XML_Parser parser, G_GNUC_UNUSED unsigned long salt)
{
  return 1;
}

enum XML_Status
XML_Parse (XML_Parser parser, const char *text, int length, G_GNUC_UNUSED int is_final)
{
  parser->text = parser->p = parser->event = text;
  parser->text_end = text + length;
  return take_document (parser) ? XML_STATUS_OK : XML_STATUS_ERROR;
}

enum XML_Status
XML_StopParser (XML_Parser parser, G_GNUC_UNUSED int is_resumable)
{
  fail_at (parser, parser->event, XML_ERROR_ABORTED);
  return XML_STATUS_OK;
}

enum XML_Error
XML_GetErrorCode (XML_Parser parser)
{
  return parser->error;
}

long
XML_GetCurrentByteIndex (XML_Parser parser)
{
  return parser->event - parser->text;
}
