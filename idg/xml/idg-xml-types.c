/* SPDX-License-Identifier: MIT */
/* How the values of attributes are written, where both readers have such: each type's check and its
 * pattern are side by side, so that whoever changes one sees the other.
 */
#include "idg/xml/idg-xml.h"

#include "idg/kernel/idg-mix.h"

#include <string.h>

static gboolean
is_blank (gchar c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The next word from *AT on, and its length; *AT moves behind it. NULL: there is none. */
static const gchar *
next_word (const gchar **at, gsize *length)
{
  const gchar *word = *at, *end;

  while (is_blank (*word))
    word++;
  for (end = word; *end != '\0' && !is_blank (*end);)
    end++;
  *at = end;
  *length = (gsize)(end - word);
  return end > word ? word : NULL;
}

gchar **
idg_xml_split (const gchar *text)
{
  const gchar *at = text, *word;
  gsize length, n = 0;
  gchar **words;

  while (next_word (&at, &length))
    n++;
  words = g_new (gchar *, n + 1);
  n = 0;
  for (at = text; (word = next_word (&at, &length)) != NULL;)
    words[n++] = g_strndup (word, length);
  words[n] = NULL;
  return words;
}

/* A text between tags may have several lines. */
static gboolean
has_control_characters (const gchar *text, gboolean may_have_lines)
{
  for (const gchar *p = text; *p != '\0'; p = g_utf8_next_char (p))
    if (!idg_text_is_plain (*p) && idg_text_is_hidden (g_utf8_get_char (p))
        && !(may_have_lines && strchr ("\n\t", *p)))
      return TRUE;
  return FALSE;
}

static gchar *
check_text (const IdgXmlAttribute *attribute, const gchar *value)
{
  (void)attribute;
  return has_control_characters (value, TRUE) ? g_strdup (
             "must have no control characters but line ends and tabs, and no invisible ones")
                                              : NULL;
}

const IdgXmlType idg_xml_text = {
  .name = "text",
  .note = "not only blanks",
  .check = check_text,
  .pattern = "[ \\t\\n]*[^ \\t\\n\\r" IDG_TEXT_HIDDEN "][^\\r" IDG_TEXT_HIDDEN "]*",
};

gchar *
idg_xml_check_whole (const IdgXmlAttribute *attribute, const gchar *value)
{
  guint64 number;

  if (idg_xml_parse_whole (value, attribute->max, &number) && number >= attribute->min)
    return NULL;
  return g_strdup_printf ("must be a whole number from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT,
                          attribute->min, attribute->max);
}

const IdgXmlType idg_xml_whole = {
  .name = "whole",
  .check = idg_xml_check_whole,
  .pattern = "[0-9]+",
  .positive = "0*[1-9][0-9]*",
};

static gchar *
check_choice (const IdgXmlAttribute *attribute, const gchar *value)
{
  g_auto (GStrv) choices = g_strsplit (attribute->choices, " ", -1);
  g_autofree gchar *allowed = NULL;

  if (g_strv_contains ((const gchar *const *)choices, value))
    return NULL;
  allowed = g_strjoinv (", ", choices);
  return g_strdup_printf ("must be one of %s", allowed);
}

const IdgXmlType idg_xml_choice = {
  .name = "choice",
  .check = check_choice,
};

static gchar *
check_line (const IdgXmlAttribute *attribute, const gchar *value)
{
  (void)attribute;
  return has_control_characters (value, FALSE)
             ? g_strdup ("must have no control characters, and no invisible ones")
             : NULL;
}

const IdgXmlType idg_xml_line = {
  .name = "line",
  .note = "no control or invisible characters",
  .check = check_line,
  .pattern = "[^\\t\\n\\r" IDG_TEXT_HIDDEN "]*",
};

static gchar *
check_title (const IdgXmlAttribute *attribute, const gchar *value)
{
  if (value[strspn (value, " \t\n\r")] == '\0')
    return g_strdup ("must not be blank");
  return check_line (attribute, value);
}

const IdgXmlType idg_xml_title = {
  .name = "title",
  .note = "not blank, no control or invisible characters",
  .check = check_title,
  .pattern = "[ ]*[^ \\t\\n\\r" IDG_TEXT_HIDDEN "][^\\t\\n\\r" IDG_TEXT_HIDDEN "]*",
};

/* VALUE may come from elsewhere than a file of XML, in which all text is UTF-8. */
static gboolean
has_name_characters (const gchar *value)
{
  while (idg_text_is_plain (*value) && *value != ',' && *value != '"')
    value++;
  if (!g_utf8_validate (value, -1, NULL))
    return FALSE;
  for (; *value != '\0'; value = g_utf8_next_char (value))
    if (!idg_text_is_in_names (g_utf8_get_char (value)))
      return FALSE;
  return TRUE;
}

static gchar *
check_label (const IdgXmlAttribute *attribute, const gchar *value)
{
  (void)attribute;
  if (value[strspn (value, " \t\n\r")] == '\0')
    return g_strdup ("must not be blank");
  return has_name_characters (value)
             ? NULL
             : g_strdup ("must be a name: no commas, double quotes, control or "
                         "invisible characters");
}

const IdgXmlType idg_xml_label = {
  .name = "label",
  .note = "a name that may have blanks: nothing in it would need quoting in CSV",
  .check = check_label,
  .pattern = "[ ]*[^ \\t\\n\\r,\"" IDG_TEXT_HIDDEN "][^\\t\\n\\r,\"" IDG_TEXT_HIDDEN "]*",
};

gchar *
idg_xml_check_name (const IdgXmlAttribute *attribute, const gchar *value)
{
  (void)attribute;
  if (*value == '\0' || strpbrk (value, " {}") || !has_name_characters (value))
    return g_strdup ("must be a name: at least one character, no blanks, commas, double quotes, "
                     "braces, control or invisible characters");
  if (strlen (value) > IDG_XML_MAX_NAME)
    return g_strdup_printf ("must be a name of at most %d bytes", IDG_XML_MAX_NAME);
  return NULL;
}

gchar *
idg_xml_check_context (const IdgXmlAttribute *attribute, const gchar *value)
{
  g_autoptr (GArray) parts = NULL;
  gchar *wrong = NULL;

  if (!idg_mix_is_one (value))
    return idg_xml_check_name (attribute, value);
  parts = idg_mix_parse (value, &wrong);
  for (guint i = 0; parts != NULL && wrong == NULL && i < parts->len; i++)
    {
      const IdgMixPart *part = &g_array_index (parts, IdgMixPart, i);

      if (part->name != NULL)
        wrong = idg_xml_check_name (attribute, part->name);
    }
  return wrong;
}

const IdgXmlType idg_xml_name = {
  .name = "name",
  .check = idg_xml_check_name,
  .pattern = "[^" IDG_XML_NO_NAME "]+",
};

static gchar *
check_names (const IdgXmlAttribute *attribute, const gchar *value)
{
  g_auto (GStrv) names = idg_xml_split (value);

  if (!*names)
    return g_strdup ("must be one or more names with blanks between them");
  for (gchar **name = names; *name; name++)
    {
      g_autofree gchar *wrong = idg_xml_check_name (attribute, *name);

      if (wrong)
        {
          g_autofree gchar *quoted = idg_xml_quote (*name);

          return g_strdup_printf ("has %s in it, which %s", quoted, wrong);
        }
    }
  return NULL;
}

const IdgXmlType idg_xml_names = {
  .name = "names",
  .note = "with blanks between them",
  .check = check_names,
  .pattern = "\\s*[^" IDG_XML_NO_NAME "]+(\\s+[^" IDG_XML_NO_NAME "]+)*\\s*",
};
