/* SPDX-License-Identifier: MIT */
/* A document against a table of shapes: the attributes of each element, what stands in it, and how
 * values are written. The tables say the same as the RelaxNG schemas beside the shipped files, but
 * what is wrong can be said in words that name what would have been right.
 */
#include "idg/xml/idg-xml.h"

#include <string.h>

static const IdgXmlShape *
find_shape (const IdgXmlShape *shapes, const gchar *element)
{
  for (; shapes->element; shapes++)
    if (strcmp (shapes->element, element) == 0)
      return shapes;
  return NULL;
}

static const IdgXmlAttribute *
find_attribute (const IdgXmlAttribute *attributes, const gchar *name)
{
  for (; attributes->name; attributes++)
    if (strcmp (attributes->name, name) == 0)
      return attributes;
  return NULL;
}

static gboolean
fail_unknown_attribute (const IdgXmlNode *node, const gchar *name, GError **error)
{
  g_autofree gchar *quoted = idg_xml_quote (name);
  GString *allowed = g_string_new (NULL);

  for (const IdgXmlAttribute *a = node->shape->attributes; a->name; a++)
    g_string_append_printf (allowed, "%s%s", allowed->len ? ", " : "", a->name);
  if (allowed->len)
    idg_xml_fail (node, IDG_XML_SYNTAX, error, "unknown attribute %s; allowed are %s", quoted,
                  allowed->str);
  else
    idg_xml_fail (node, IDG_XML_SYNTAX, error, "unknown attribute %s; <%s> has none", quoted,
                  node->name);
  g_string_free (allowed, TRUE);
  return FALSE;
}

static gboolean
check_attributes (const IdgXmlNode *node, GError **error)
{
  for (guint i = 0; i < node->n_values; i++)
    if (!find_attribute (node->shape->attributes, node->values[i].name))
      return fail_unknown_attribute (node, node->values[i].name, error);
  for (const IdgXmlAttribute *a = node->shape->attributes; a->name; a++)
    if (a->required && !idg_xml_get (node, a->name))
      return idg_xml_fail (node, IDG_XML_SYNTAX, error, "the attribute %s is missing", a->name);
  return TRUE;
}

/* Which of the words of CHILDREN, "launch! program+", is ELEMENT; -1: none. MARK gets what
 * follows it. */
static int
find_child (const gchar *children, const gchar *element, gchar *mark)
{
  gsize length = strlen (element);

  for (int i = 0; children && *children != '\0'; i++)
    {
      gsize n = strcspn (children, "!?+*");

      if (n == length && memcmp (children, element, n) == 0)
        {
          *mark = children[n];
          return i;
        }
      children += n + 1;
      children += strspn (children, " ");
    }
  return -1;
}

static gboolean
fail_unknown_child (const IdgXmlNode *child, GError **error)
{
  const IdgXmlShape *shape = child->parent->shape;
  g_auto (GStrv) names = NULL;
  g_autofree gchar *allowed = NULL;

  if (!shape->children)
    return idg_xml_fail (child, IDG_XML_SYNTAX, error, "not allowed in <%s>, which has no elements",
                         shape->element);
  names = g_strsplit (shape->children, " ", -1);
  for (gchar **name = names; *name; name++)
    (*name)[strlen (*name) - 1] = '>';
  allowed = g_strjoinv (", <", names);
  return idg_xml_fail (child, IDG_XML_SYNTAX, error, "not allowed in <%s>; allowed there are <%s",
                       shape->element, allowed);
}

static gboolean
fail_twice (const IdgXmlNode *node, const IdgXmlNode *first, GError **error)
{
  return idg_xml_fail (node, IDG_XML_SYNTAX, error, "given twice; first on line %d", first->line);
}

/* Whether all that must stand in NODE does; bit i of SEEN is the i-th word of its children. */
static gboolean
check_missing (const IdgXmlNode *node, guint seen, GError **error)
{
  const gchar *children = node->shape->children;

  for (guint i = 0; children && *children != '\0'; i++)
    {
      gsize n = strcspn (children, "!?+*");

      if (!(seen & (1u << i)) && (children[n] == '!' || children[n] == '+'))
        return idg_xml_fail (node, IDG_XML_SYNTAX, error, "a <%.*s> is missing in it", (int)n,
                             children);
      children += n + 1;
      children += strspn (children, " ");
    }
  return TRUE;
}

/* The child of NODE of that name; NULL if it has none. */
static const IdgXmlNode *
find_first (const IdgXmlNode *node, const gchar *name)
{
  const IdgXmlNode *child = node->first_child;

  while (child && strcmp (child->name, name) != 0)
    child = child->next;
  return child;
}

static gboolean
check_children (IdgXmlNode *node, const IdgXmlShape *shapes, GError **error)
{
  const IdgXmlNode *before = NULL;
  guint seen = 0;
  int furthest = 0;

  for (IdgXmlNode *child = node->first_child; child; child = child->next)
    {
      gchar mark;
      int i = find_child (node->shape->children, child->name, &mark);

      if (i < 0)
        return fail_unknown_child (child, error);
      child->shape = find_shape (shapes, child->name);
      g_assert (child->shape && i < 32);
      if ((seen & (1u << i)) && (mark == '!' || mark == '?'))
        return fail_twice (child, find_first (node, child->name), error);
      if (node->shape->ordered && i < furthest)
        return idg_xml_fail (child, IDG_XML_SYNTAX, error, "must stand before <%s>", before->name);
      seen |= 1u << i;
      furthest = i;
      before = child;
    }
  return check_missing (node, seen, error);
}

/* No two children of the same kind and label where their shape says so. */
static gboolean
check_unique (const IdgXmlNode *node, GError **error)
{
  g_autoptr (GHashTable) seen = NULL;

  for (IdgXmlNode *child = node->first_child; child; child = child->next)
    {
      const gchar *label = child->shape->unique ? idg_xml_get (child, child->shape->label) : NULL;
      const IdgXmlNode *first;
      gchar *key;

      if (!label)
        continue;
      if (!seen)
        seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      key = g_strconcat (child->name, " ", label, NULL);
      first = g_hash_table_lookup (seen, key);
      if (first)
        {
          g_free (key);
          return fail_twice (child, first, error);
        }
      g_hash_table_insert (seen, key, child);
    }
  return TRUE;
}

/* A text between tags may have several lines. */
static gboolean
has_control_characters (const gchar *text, gboolean may_have_lines)
{
  for (const gchar *p = text; *p != '\0'; p = g_utf8_next_char (p))
    if (g_unichar_iscntrl (g_utf8_get_char (p)) && !(may_have_lines && strchr ("\n\t", *p)))
      return TRUE;
  return FALSE;
}

static gboolean
check_text (const IdgXmlNode *node, GError **error)
{
  if (node->shape->text && !node->text)
    return idg_xml_fail (node, IDG_XML_SYNTAX, error, "has no text");
  if (!node->shape->text && node->text)
    {
      g_autofree gchar *quoted = idg_xml_quote (node->text);

      return idg_xml_fail_text (node, error, "text is not allowed here: %s", quoted);
    }
  if (node->text && has_control_characters (node->text, TRUE))
    return idg_xml_fail_text (node, error,
                              "its text must have no control characters but line ends and tabs");
  return TRUE;
}

gboolean
idg_xml_check_shape (IdgXmlDoc *doc, const IdgXmlShape *shapes, const gchar *root, GError **error)
{
  IdgXmlNode *top = idg_xml_get_root (doc);

  if (strcmp (top->name, root) != 0)
    return idg_xml_fail (top, IDG_XML_SYNTAX, error, "the outermost element must be <%s>", root);
  top->shape = find_shape (shapes, root);
  for (IdgXmlNode *node = top; node; node = idg_xml_next (node))
    if (!check_attributes (node, error) || !check_text (node, error)
        || !check_children (node, shapes, error) || !check_unique (node, error))
      return FALSE;
  return TRUE;
}

/* Values. */

gboolean
idg_xml_check_values (const IdgXmlDoc *doc, GError **error)
{
  for (const IdgXmlNode *node = idg_xml_get_root (doc); node; node = idg_xml_next (node))
    for (guint i = 0; i < node->n_values; i++)
      {
        const IdgXmlValue *value = &node->values[i];
        const IdgXmlAttribute *attribute = find_attribute (node->shape->attributes, value->name);
        g_autofree gchar *wrong
            = attribute->check ? attribute->check (attribute, value->value) : NULL;

        if (wrong)
          {
            g_autofree gchar *quoted = idg_xml_quote (value->value);

            return idg_xml_fail (node, IDG_XML_VALUE, error, "%s %s %s", value->name, quoted,
                                 wrong);
          }
      }
  return TRUE;
}

gchar **
idg_xml_split (const gchar *text)
{
  GPtrArray *words = g_ptr_array_new ();

  while (*text != '\0')
    {
      gsize n;

      text += strspn (text, " \t\n\r");
      n = strcspn (text, " \t\n\r");
      if (n > 0)
        g_ptr_array_add (words, g_strndup (text, n));
      text += n;
    }
  g_ptr_array_add (words, NULL);
  return (gchar **)g_ptr_array_free (words, FALSE);
}

gchar *
idg_xml_check_whole (const IdgXmlAttribute *attribute, const gchar *value)
{
  guint64 number;

  if (idg_xml_parse_whole (value, attribute->max, &number) && number >= attribute->min)
    return NULL;
  return g_strdup_printf ("must be a whole number from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT,
                          attribute->min, attribute->max);
}

gchar *
idg_xml_check_choice (const IdgXmlAttribute *attribute, const gchar *value)
{
  g_auto (GStrv) choices = g_strsplit (attribute->choices, " ", -1);
  g_autofree gchar *allowed = NULL;

  if (g_strv_contains ((const gchar *const *)choices, value))
    return NULL;
  allowed = g_strjoinv (", ", choices);
  return g_strdup_printf ("must be one of %s", allowed);
}

gchar *
idg_xml_check_text (const IdgXmlAttribute *attribute, const gchar *value)
{
  (void)attribute;
  return has_control_characters (value, FALSE) ? g_strdup ("must have no control characters")
                                               : NULL;
}

gchar *
idg_xml_check_title (const IdgXmlAttribute *attribute, const gchar *value)
{
  if (value[strspn (value, " \t\n\r")] == '\0')
    return g_strdup ("must not be blank");
  return idg_xml_check_text (attribute, value);
}

gboolean
idg_xml_is_name_character (gunichar c)
{
  return c != ',' && c != '"' && !g_unichar_iscntrl (c);
}

static gboolean
has_name_characters (const gchar *value)
{
  for (; *value != '\0'; value = g_utf8_next_char (value))
    if (!idg_xml_is_name_character (g_utf8_get_char (value)))
      return FALSE;
  return TRUE;
}

gchar *
idg_xml_check_label (const IdgXmlAttribute *attribute, const gchar *value)
{
  (void)attribute;
  if (value[strspn (value, " \t\n\r")] == '\0')
    return g_strdup ("must not be blank");
  return has_name_characters (value)
             ? NULL
             : g_strdup ("must be a name: no commas, double quotes or control characters");
}

gchar *
idg_xml_check_name (const IdgXmlAttribute *attribute, const gchar *value)
{
  (void)attribute;
  if (*value == '\0' || strpbrk (value, " {}") || !has_name_characters (value))
    return g_strdup ("must be a name: at least one character, no blanks, commas, double quotes, "
                     "braces or control characters");
  if (strlen (value) > IDG_XML_MAX_NAME)
    return g_strdup_printf ("must be a name of at most %d bytes", IDG_XML_MAX_NAME);
  return NULL;
}

gchar *
idg_xml_check_names (const IdgXmlAttribute *attribute, const gchar *value)
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
