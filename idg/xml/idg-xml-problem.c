/* SPDX-License-Identifier: MIT */
/* Finds the tag, comment or text in which the parser stopped, and reads it once more, to see what
 * should have come in the place of what is there. */
#include "idg/xml/idg-xml-problem.h"

#include <string.h>

static const gchar not_allowed[] = "a character that XML does not allow";
static const gchar no_name[]
    = "a < or & without a name behind it; for the character itself write &lt; or &amp;";

typedef struct
{
  const gchar *p, *end; /* what is still to be read; where something is wrong, it is at P */
  gchar *problem;
} Reader;

/* The next character; a blank, where there is none. */
static gunichar
peek (const Reader *reader)
{
  return reader->p < reader->end ? g_utf8_get_char (reader->p) : ' ';
}

static gboolean
is_allowed (gunichar c)
{
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c < 0xd800)
         || (c >= 0xe000 && c <= 0xfffd) || (c >= 0x10000 && c <= 0x10ffff);
}

/* A character that may be nowhere is what is wrong, whatever should have been there. */
static gboolean G_GNUC_PRINTF (2, 3) fail (Reader *reader, const gchar *format, ...)
{
  g_autofree gchar *words = NULL;
  va_list args;

  va_start (args, format);
  words = g_strdup_vprintf (format, args);
  va_end (args);
  reader->problem = g_strconcat (IDG_XML_NOT_WELL_FORMED,
                                 is_allowed (peek (reader)) ? words : not_allowed, NULL);
  return FALSE;
}

static gboolean
is_at (const Reader *reader, const gchar *text)
{
  gsize n = strlen (text);

  return (gsize)(reader->end - reader->p) >= n && memcmp (reader->p, text, n) == 0;
}

static gboolean
skip (Reader *reader, const gchar *text)
{
  gboolean found = is_at (reader, text);

  if (found)
    reader->p += strlen (text);
  return found;
}

/* Behind the first TEXT; FALSE, and to the end, where there is none. */
static gboolean
skip_past (Reader *reader, const gchar *text)
{
  while (reader->p < reader->end && !is_at (reader, text))
    reader->p++;
  return skip (reader, text);
}

static gboolean
skip_blanks (Reader *reader)
{
  const gchar *begin = reader->p;

  while (reader->p < reader->end && strchr (" \t\n\r", *reader->p))
    reader->p++;
  return reader->p > begin;
}

static gboolean
begins_name (gunichar c)
{
  return c >= 0x80 ? is_allowed (c) : g_ascii_isalpha ((gchar)c) || c == '_' || c == ':';
}

static gboolean
is_in_name (gunichar c)
{
  return begins_name (c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

/* The length of the name; 0: there is none. Which letters beyond ASCII it may have, expat knows. */
static gsize
skip_name (Reader *reader)
{
  const gchar *begin = reader->p;

  if (!begins_name (peek (reader)))
    return 0;
  while (is_in_name (peek (reader)))
    reader->p = g_utf8_next_char (reader->p);
  return (gsize)(reader->p - begin);
}

/* ---- Characters ---- */

static gboolean
read_character (Reader *reader)
{
  if (!is_allowed (peek (reader)))
    return fail (reader, not_allowed);
  reader->p = g_utf8_next_char (reader->p);
  return TRUE;
}

/* Behind the first END; NOT_FINISHED says what is wrong where there is none. */
static gboolean
read_until (Reader *reader, const gchar *end, const gchar *not_finished)
{
  while (reader->p < reader->end && !is_at (reader, end))
    if (!read_character (reader))
      return FALSE;
  return skip (reader, end) || fail (reader, "%s", not_finished);
}

/* The number of a character behind "&#". */
static gboolean
read_number (Reader *reader)
{
  gunichar base = skip (reader, "x") ? 16 : 10, c = 0;
  const gchar *begin = reader->p;

  for (; reader->p < reader->end; reader->p++)
    {
      gint digit = g_ascii_xdigit_value (*reader->p);

      if (digit < 0 || (guint)digit >= base)
        break;
      c = MIN (c * base + (guint)digit, 0x110000);
    }
  if (reader->p == begin || !skip (reader, ";"))
    return fail (reader, "a bad number of a character; write it as in %s",
                 base == 16 ? "&#x41;" : "&#65;");
  return is_allowed (c) || fail (reader, not_allowed);
}

static gboolean
read_reference (Reader *reader)
{
  static const gchar *const known[] = { "amp;", "lt;", "gt;", "quot;", "apos;" };
  const gchar *name = ++reader->p;
  gsize length;

  if (skip (reader, "#"))
    return read_number (reader);
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (skip (reader, known[i]))
      return TRUE;
  length = skip_name (reader);
  if (length == 0)
    return fail (reader, no_name);
  if (!is_at (reader, ";"))
    return fail (reader, "a & without its ;, for the character itself write &amp;");
  return fail (reader, "&%.*s; is not known; there are &amp; &lt; &gt; &quot; &apos;",
               (gint)MIN (length, IDG_XML_MAX_QUOTED), name);
}

static gboolean
read_text (Reader *reader)
{
  while (reader->p < reader->end && *reader->p != '<')
    {
      if (is_at (reader, "]]>"))
        return fail (reader, "a ]]> in text; write ]]&gt;");
      if (*reader->p == '&' ? !read_reference (reader) : !read_character (reader))
        return FALSE;
    }
  return TRUE;
}

/* ---- Tags ---- */

static gboolean
read_value (Reader *reader)
{
  gchar quote = reader->p < reader->end ? *reader->p : '\0';

  if (quote != '"' && quote != '\'')
    return fail (reader, "the value of an attribute must be in quotes");
  reader->p++;
  while (reader->p < reader->end && *reader->p != quote)
    {
      if (*reader->p == '<')
        return fail (reader, "a < in the value of an attribute; write &lt;");
      if (*reader->p == '&' ? !read_reference (reader) : !read_character (reader))
        return FALSE;
    }
  if (reader->p == reader->end)
    return fail (reader, "the value of an attribute lacks its closing quote");
  reader->p++;
  return TRUE;
}

static gboolean
read_attribute (Reader *reader)
{
  if (skip_name (reader) == 0)
    return fail (reader, "an attribute without a name; write NAME=\"VALUE\"");
  skip_blanks (reader);
  if (!skip (reader, "="))
    return fail (reader, "an attribute without a value; write NAME=\"VALUE\"");
  skip_blanks (reader);
  return read_value (reader);
}

static gboolean
read_start (Reader *reader)
{
  gboolean is_first = TRUE;

  reader->p++;
  if (skip_name (reader) == 0)
    return fail (reader, no_name);
  for (;; is_first = FALSE)
    {
      gboolean apart = skip_blanks (reader);

      if (skip (reader, ">") || skip (reader, "/>"))
        return TRUE;
      if (reader->p == reader->end || *reader->p == '<' || *reader->p == '/')
        return fail (reader, "a tag lacks its closing >");
      if (!apart && !is_first)
        return fail (reader, "attributes must have blanks between them");
      if (!read_attribute (reader))
        return FALSE;
    }
}

static gboolean
read_end (Reader *reader, const IdgXmlStop *stop)
{
  const gchar *name = reader->p + strlen ("</");
  gsize length;

  reader->p += strlen ("</");
  length = skip_name (reader);
  length = MIN (length, IDG_XML_MAX_QUOTED);
  skip_blanks (reader);
  if (!is_at (reader, ">"))
    return fail (reader, "a tag lacks its closing >");
  if (!stop->element)
    return fail (reader, "</%.*s> where no element is open", (gint)length, name);
  return fail (reader, "</%.*s> where </%.*s> must come, as <%.*s> began on line %d", (gint)length,
               name, IDG_XML_MAX_QUOTED, stop->element, IDG_XML_MAX_QUOTED, stop->element,
               stop->element_line);
}

/* ---- What is no tag ---- */

static gboolean
read_comment (Reader *reader)
{
  reader->p += strlen ("<!--");
  if (!read_until (reader, "--", "a comment lacks its closing -->"))
    return FALSE;
  return skip (reader, ">") || fail (reader, "a comment must not have -- in it");
}

static gboolean
read_declaration (Reader *reader)
{
  if (!skip_past (reader, "?>"))
    return fail (reader, "<?xml ...?> lacks its closing ?>");
  return fail (reader, "a bad <?xml ...?>; write <?xml version=\"1.0\" encoding=\"UTF-8\"?>");
}

static gboolean
read_instruction (Reader *reader, const IdgXmlStop *stop)
{
  gboolean is_first = reader->p == stop->begin;
  const gchar *name = reader->p + strlen ("<?");
  gsize length;

  reader->p += strlen ("<?");
  length = skip_name (reader);
  if (length == 0)
    return fail (reader, "a <? without a name behind it");
  if (length == strlen ("xml") && g_ascii_strncasecmp (name, "xml", length) == 0)
    return is_first && strncmp (name, "xml", length) == 0
               ? read_declaration (reader)
               : fail (reader, "<?xml ...?> may be only at the very beginning");
  if (!skip_blanks (reader) && reader->p < reader->end && !is_at (reader, "?>"))
    return fail (reader, "the name behind a <? must have a blank behind it");
  return read_until (reader, "?>", "a <? lacks its closing ?>");
}

/* ---- What the parser stopped in ---- */

/* Behind the comment, tag or text that begins where READER is; FALSE where it does not end. */
static gboolean
skip_part (Reader *reader)
{
  gchar quote = '\0';

  if (skip (reader, "<!--"))
    return skip_past (reader, "-->");
  if (skip (reader, "<![CDATA["))
    return skip_past (reader, "]]>");
  if (skip (reader, "<?"))
    return skip_past (reader, "?>");
  if (*reader->p != '<')
    {
      while (reader->p < reader->end && *reader->p != '<')
        reader->p++;
      return TRUE;
    }
  for (; reader->p < reader->end && (quote || *reader->p != '>'); reader->p++)
    {
      if (*reader->p == quote)
        quote = '\0';
      else if (!quote && (*reader->p == '"' || *reader->p == '\''))
        quote = *reader->p;
    }
  return skip (reader, ">");
}

/* Where that begins in which the parser stopped; the end, where nothing is left. */
static const gchar *
find_part (const IdgXmlStop *stop)
{
  Reader reader = { stop->begin, stop->end, NULL };
  gboolean is_before = !stop->element && !stop->is_after;

  while (reader.p < reader.end)
    {
      const gchar *begin = reader.p;

      if (is_before && skip_blanks (&reader))
        continue;
      /* No text may be before the outermost element. Of one that lacks its end, as in "&<", the
       * parser stops at what follows. */
      if ((is_before && *begin != '<') || !skip_part (&reader) || reader.p > stop->place
          || (reader.p == stop->place && *begin != '<'))
        return begin;
    }
  return reader.end;
}

static gboolean
read_outside (Reader *reader, const IdgXmlStop *stop)
{
  static const gchar doctype[] = "<!doctype";

  if (stop->is_after)
    return fail (reader, "something comes after the end of the outermost element; there can be "
                         "only one");
  if (peek (reader) != '<')
    return fail (reader, "an element is missing; an XML text begins with <");
  if ((gsize)(reader->end - reader->p) >= strlen (doctype)
      && g_ascii_strncasecmp (reader->p, doctype, strlen (doctype)) == 0)
    {
      reader->problem = g_strdup (IDG_XML_DOCTYPE);
      return FALSE;
    }
  return is_at (reader, "</") ? read_end (reader, stop) : read_start (reader);
}

static gboolean
read_part (Reader *reader, const IdgXmlStop *stop)
{
  if (!stop->element)
    skip_blanks (reader);
  else if (!read_text (reader))
    return FALSE;
  if (is_at (reader, "<!--"))
    return read_comment (reader);
  if (is_at (reader, "<?"))
    return read_instruction (reader, stop);
  if (!stop->element)
    return read_outside (reader, stop);
  if (reader->p == reader->end)
    return fail (reader, "the file ends before the <%.*s> that began on line %d does",
                 IDG_XML_MAX_QUOTED, stop->element, stop->element_line);
  if (skip (reader, "<![CDATA["))
    return read_until (reader, "]]>", "a CDATA section lacks its closing ]]>");
  if (is_at (reader, "</"))
    return read_end (reader, stop);
  return read_start (reader);
}

gchar *
idg_xml_find_problem (const IdgXmlStop *stop, const gchar **where)
{
  Reader reader = { find_part (stop), stop->end, NULL };

  if (read_part (&reader, stop))
    {
      reader.p = stop->place;
      fail (&reader, "a name must not have U+%04X in it", peek (&reader));
    }
  *where = reader.p;
  return reader.problem;
}
