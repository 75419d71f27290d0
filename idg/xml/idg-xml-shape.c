/* SPDX-License-Identifier: MIT */
/* A document against a table of shapes: the attributes of each element, what is in it, and how
 * values are written. The RelaxNG schemas beside the shipped files are made from the same tables
 * (tests/schemas.c). They are for editors; here what is wrong is said in words that name what would
 * have been right.
 */
#include "idg/xml/idg-xml.h"

#include "idg/kernel/idg-suggest.h"

#include <string.h>

const IdgXmlShape *
idg_xml_find_shape (const IdgXmlShape *shapes, const gchar *element)
{
  for (; shapes->element; shapes++)
    if (idg_xml_is_same (shapes->element, element))
      return shapes;
  return NULL;
}

static const IdgXmlAttribute *
find_attribute (const IdgXmlAttribute *attributes, const gchar *name)
{
  for (; attributes->name; attributes++)
    if (idg_xml_is_same (attributes->name, name))
      return attributes;
  return NULL;
}

/* The attribute that VALUE of NODE is, which has been found before. */
static const IdgXmlAttribute *
get_attribute (const IdgXmlNode *node, const IdgXmlValue *value)
{
  const IdgXmlAttribute *attribute = node->shape->attributes;

  for (; attribute->name != value->name; attribute++)
    g_assert (attribute->name);
  return attribute;
}

static gboolean
fail_unknown_attribute (const IdgXmlNode *node, const gchar *name, GError **error)
{
  g_autofree gchar *quoted = idg_xml_quote (name), *near = NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GString *allowed = g_string_new (NULL);

  for (const IdgXmlAttribute *a = node->shape->attributes; a->name; a++)
    {
      g_string_append_printf (allowed, "%s%s", allowed->len ? ", " : "", a->name);
      g_ptr_array_add (names, (gpointer)a->name);
    }
  g_ptr_array_add (names, NULL);
  near = idg_suggest_end (name, (const gchar *const *)names->pdata);
  if (allowed->len)
    idg_xml_fail (node, IDG_XML_SYNTAX, error, "unknown attribute %s; allowed are %s%s", quoted,
                  allowed->str, near);
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
    {
      IdgXmlValue *value = &node->values[i];
      const IdgXmlAttribute *attribute = find_attribute (node->shape->attributes, value->name);

      if (!attribute)
        return fail_unknown_attribute (node, value->name, error);
      value->name = attribute->name;
    }
  for (const IdgXmlAttribute *a = node->shape->attributes; a->name; a++)
    if (a->required && !idg_xml_get (node, a->name))
      return idg_xml_fail (node, IDG_XML_SYNTAX, error, "the attribute %s is missing", a->name);
  return TRUE;
}

static gboolean
is_mark (gchar c)
{
  return c != '\0' && strchr (IDG_XML_MARKS, c);
}

/* Behind the mark at the end of a word of `children`, and blanks after it. */
static const gchar *
skip_mark (const gchar *mark)
{
  for (mark++; *mark == ' ';)
    mark++;
  return mark;
}

/* Which of the words of CHILDREN, "launch! program+", is ELEMENT; -1: none. MARK gets what
 * follows it. */
static int
find_child (const gchar *children, const gchar *element, gchar *mark)
{
  for (int i = 0; children && *children != '\0'; i++)
    {
      const gchar *at = element;

      for (; *at != '\0' && *at == *children; at++)
        children++;
      if (*at == '\0' && is_mark (*children))
        {
          *mark = *children;
          return i;
        }
      children = skip_mark (children + strcspn (children, IDG_XML_MARKS));
    }
  return -1;
}

static gboolean
fail_unknown_child (const IdgXmlNode *child, const gchar *children, GError **error)
{
  const IdgXmlShape *shape = child->parent->shape;
  g_auto (GStrv) names = NULL;
  g_autoptr (GPtrArray) plain = g_ptr_array_new_with_free_func (g_free);
  g_autofree gchar *allowed = NULL, *near = NULL;

  if (!children)
    return idg_xml_fail (child, IDG_XML_SYNTAX, error, "not allowed in <%s>, which has no elements",
                         shape->element);
  names = g_strsplit (children, " ", -1);
  for (gchar **name = names; *name; name++)
    {
      g_ptr_array_add (plain, g_strndup (*name, strlen (*name) - 1));
      (*name)[strlen (*name) - 1] = '>';
    }
  g_ptr_array_add (plain, NULL);
  allowed = g_strjoinv (", <", names);
  near = idg_suggest_end (child->name, (const gchar *const *)plain->pdata);
  return idg_xml_fail (child, IDG_XML_SYNTAX, error, "not allowed in <%s>; allowed there are <%s%s",
                       shape->element, allowed, near);
}

static gboolean
fail_twice (const IdgXmlNode *node, const IdgXmlNode *first, GError **error)
{
  return idg_xml_fail (node, IDG_XML_SYNTAX, error, "given twice; first on line %d", first->line);
}

/* Whether all that must be in NODE is; bit i of SEEN is the i-th word of its children. */
static gboolean
check_missing (const IdgXmlNode *node, const gchar *children, guint seen, GError **error)
{
  for (guint i = 0; children && *children != '\0'; i++)
    {
      gsize n = strcspn (children, IDG_XML_MARKS);

      if (!(seen & (1u << i)) && (children[n] == '!' || children[n] == '+'))
        return idg_xml_fail (node, IDG_XML_SYNTAX, error, "a <%.*s> is missing in it", (int)n,
                             children);
      children = skip_mark (children + n);
    }
  return TRUE;
}

/* The child of NODE of that name; NULL if it has none. */
static const IdgXmlNode *
find_first (const IdgXmlNode *node, const gchar *name)
{
  const IdgXmlNode *child = node->first_child;

  while (child && !idg_xml_is_same (child->name, name))
    child = child->next;
  return child;
}

static gboolean
check_children (IdgXmlNode *node, const IdgXmlShape *shapes, GError **error)
{
  const gchar *children = node->shape->other && find_first (node, node->shape->other)
                              ? node->shape->other_children
                              : node->shape->children;
  const IdgXmlNode *before = NULL;
  guint seen = 0;
  int furthest = 0, i = -1;
  gchar mark = '\0';

  for (IdgXmlNode *child = node->first_child; child; child = child->next)
    {
      /* Mostly it is one more of the same, whose name is at the same place. */
      const gboolean is_another = before && child->name == before->name;

      if (!is_another)
        i = find_child (children, child->name, &mark);
      if (i < 0)
        return fail_unknown_child (child, children, error);
      child->shape = is_another ? before->shape : idg_xml_find_shape (shapes, child->name);
      g_assert (child->shape && i < 32);
      if ((seen & (1u << i)) && strchr ("!?~", mark))
        return fail_twice (child, find_first (node, child->name), error);
      if (node->shape->ordered && i < furthest)
        return idg_xml_fail (child, IDG_XML_SYNTAX, error, "must come before <%s>", before->name);
      seen |= 1u << i;
      furthest = i;
      before = child;
    }
  return check_missing (node, children, seen, error);
}

/* The label of NODE, if no other beside it may have it; else NULL. */
static const gchar *
get_unique_label (const IdgXmlNode *node)
{
  return node->shape->unique ? idg_xml_get (node, node->shape->label) : NULL;
}

static guint
hash_label (gconstpointer node)
{
  return g_str_hash (get_unique_label (node));
}

static gboolean
have_equal_labels (gconstpointer a, gconstpointer b)
{
  const IdgXmlNode *x = a, *y = b;

  return idg_xml_is_same (x->name, y->name)
         && strcmp (get_unique_label (x), get_unique_label (y)) == 0;
}

/* No two children of the same kind and label where their shape says so. */
static gboolean
check_unique (const IdgXmlNode *node, GError **error)
{
  g_autoptr (GHashTable) seen = NULL;

  for (IdgXmlNode *child = node->first_child; child; child = child->next)
    {
      if (!get_unique_label (child))
        continue;
      if (!seen)
        seen = g_hash_table_new (hash_label, have_equal_labels);
      /* Of two the first one stays as the key. */
      if (!g_hash_table_insert (seen, child, child))
        {
          gpointer first;

          g_hash_table_lookup_extended (seen, child, &first, NULL);
          return fail_twice (child, first, error);
        }
    }
  return TRUE;
}

static gboolean
check_text (const IdgXmlNode *node, GError **error)
{
  g_autofree gchar *wrong = NULL;

  if (node->shape->text && !node->text)
    return idg_xml_fail (node, IDG_XML_SYNTAX, error, "has no text");
  if (!node->shape->text && node->text)
    {
      g_autofree gchar *quoted = idg_xml_quote (node->text->text);

      return idg_xml_fail_text (node, error, "text is not allowed here: %s", quoted);
    }
  wrong = node->text ? idg_xml_text.check (NULL, node->text->text) : NULL;
  return !wrong || idg_xml_fail_text (node, error, "its text %s", wrong);
}

gboolean
idg_xml_check_shape (IdgXmlDoc *doc, const IdgXmlShape *shapes, const gchar *root, GError **error)
{
  IdgXmlNode *top = idg_xml_get_root (doc);

  if (strcmp (top->name, root) != 0)
    return idg_xml_fail (top, IDG_XML_SYNTAX, error, "the outermost element must be <%s>", root);
  top->shape = idg_xml_find_shape (shapes, root);
  for (IdgXmlNode *node = top; node; node = idg_xml_next (node))
    if (!check_attributes (node, error) || !check_text (node, error)
        || !check_children (node, shapes, error) || !check_unique (node, error))
      return FALSE;
  return TRUE;
}

/* Values. */

static gboolean
check_value (const IdgXmlNode *node, const IdgXmlValue *value, GError **error)
{
  const IdgXmlAttribute *attribute = get_attribute (node, value);
  g_autofree gchar *wrong = attribute->type->check (attribute, value->value);
  g_autofree gchar *quoted = wrong ? idg_xml_quote (value->value) : NULL;

  return !wrong
         || idg_xml_fail (node, IDG_XML_VALUE, error, "%s %s %s", value->name, quoted, wrong);
}

gboolean
idg_xml_check_node_values (const IdgXmlNode *node, GError **error)
{
  for (guint i = 0; i < node->n_values; i++)
    if (!check_value (node, &node->values[i], error))
      return FALSE;
  return TRUE;
}

/* Attributes that only some labels may have. */
static gboolean
check_label_types (const IdgXmlNode *node, GError **error)
{
  const gchar *label = node->shape->label ? idg_xml_get (node, node->shape->label) : NULL;

  for (guint i = 0; i < node->n_values; i++)
    {
      const gchar *name = node->values[i].name;
      const IdgXmlType *type = get_attribute (node, &node->values[i])->label_type;
      g_autofree gchar *wrong = type ? type->check (NULL, label) : NULL;

      if (wrong)
        return idg_xml_fail (node, IDG_XML_VALUE, error, "%s is for a %s whose %s %s only", name,
                             node->name, node->shape->label, type->note);
    }
  return TRUE;
}

gboolean
idg_xml_check_values (const IdgXmlDoc *doc, GError **error)
{
  const IdgXmlNode *root = idg_xml_get_root (doc);

  for (const IdgXmlNode *node = root; node; node = idg_xml_next (node))
    if (!idg_xml_check_node_values (node, error))
      return FALSE;
  for (const IdgXmlNode *node = root; node; node = idg_xml_next (node))
    if (!check_label_types (node, error))
      return FALSE;
  return TRUE;
}
