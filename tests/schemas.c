/* SPDX-License-Identifier: MIT */
/* Makes the RelaxNG schemas, configs/gpu.rng and idg/kernels/kernel.rng, of the tables that the
 * readers check files by: the shape of a file is written once. `make schemas` writes both;
 * schema.tap finds out whether they are up to date.
 *
 * Where a document may start from another, an element that has to be complete is defined twice: as
 * it is in a document on its own ("op"), and in one that starts from another ("op-like"), where
 * nothing is missing.
 */
#include "idg/xml/idg-kernel-shape.h"
#include "sim/gpu/wp-gpu-xml.h"

#include <stdio.h>
#include <string.h>

typedef struct
{
  const gchar *root;
  const IdgXmlShape *shapes;
  const gchar *intro;
} Schema;

static const Schema schemas[] = {
  { "gpu", wp_gpu_shapes,
    "  The shape of a GPU description (warpipe-gpu(5)): elements, attributes, and how values are "
    "written.\n"
    "  What a value means, and whether the parts fit together (names that refer to one another, "
    "nothing\n"
    "  given twice), is checked by `warpipe validate`.\n\n"
    "  A description is complete, or starts from another (`like`) and then may leave out anything. "
    "The\n"
    "  order of elements is free everywhere.\n" },
  { "kernel", idg_kernel_shapes,
    "  The shape of a kernel file (warpipe-kernel(5)). What only the meaning can tell is left to "
    "the program: that a\n"
    "  parameter is declared, used and put in range, that an id is unique and one named in "
    "\"after\" exists, that every\n"
    "  warp has exactly one program, that a GPU has the ops.\n\n"
    "  {name} is replaced by the value of a parameter; it may be the whole of a value or a part of "
    "it.\n" },
};

/* A schema while it is printed. */
typedef struct
{
  const Schema *schema;
  gboolean
      varies[32];   /* of each shape: whether it differs in a document that starts from another */
  GPtrArray *types; /* names of those defined so far */
  int depth;
} Writer;

G_GNUC_PRINTF (2, 3)
static void
put (const Writer *writer, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  printf ("%*s", 2 * writer->depth, "");
  vprintf (format, arguments);
  putchar ('\n');
  va_end (arguments);
}

G_GNUC_PRINTF (2, 3)
static void
begin (Writer *writer, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  printf ("%*s<", 2 * writer->depth++, "");
  vprintf (format, arguments);
  puts (">");
  va_end (arguments);
}

static void
end (Writer *writer, const gchar *tag)
{
  writer->depth--;
  put (writer, "</%s>", tag);
}

/* Types of values. */

static gboolean
is_positive (const IdgXmlAttribute *attribute)
{
  return attribute->min > 0 && attribute->type->positive;
}

static gchar *
name_type (const IdgXmlType *type, gboolean positive)
{
  return g_strconcat (positive ? "positive-" : "", type->name, NULL);
}

static void
define_type (Writer *writer, const IdgXmlType *type, gboolean positive)
{
  gchar *name = name_type (type, positive);

  if (!type->pattern || g_ptr_array_find_with_equal_func (writer->types, name, g_str_equal, NULL))
    {
      g_free (name);
      return;
    }
  g_ptr_array_add (writer->types, name);
  put (writer, "<define name=\"%s\">%s%s%s", name, type->note ? " <!-- " : "",
       type->note ? type->note : "", type->note ? " -->" : "");
  writer->depth++;
  begin (writer, "data type=\"string\"");
  put (writer, "<param name=\"pattern\">%s</param>", positive ? type->positive : type->pattern);
  if (type->except)
    put (writer, "<except><data type=\"string\"><param name=\"pattern\">%s</param></data></except>",
         type->except);
  end (writer, "data");
  end (writer, "define");
}

static void
define_types (Writer *writer)
{
  for (const IdgXmlShape *shape = writer->schema->shapes; shape->element; shape++)
    {
      for (const IdgXmlAttribute *a = shape->attributes; a->name; a++)
        {
          define_type (writer, a->type, is_positive (a));
          if (a->label_type)
            define_type (writer, a->label_type, FALSE);
        }
      if (shape->text)
        define_type (writer, &idg_xml_text, FALSE);
    }
}

/* Attributes. */

static void
put_choices (Writer *writer, const IdgXmlAttribute *attribute)
{
  g_auto (GStrv) choices = g_strsplit (attribute->choices, " ", -1);

  begin (writer, "attribute name=\"%s\"", attribute->name);
  begin (writer, "choice");
  for (gchar **choice = choices; *choice; choice++)
    put (writer, "<value type=\"string\">%s</value>", *choice);
  end (writer, "choice");
  end (writer, "attribute");
}

/* An attribute with values of TYPE. */
static void
put_attribute (Writer *writer, const IdgXmlAttribute *attribute, const IdgXmlType *type,
               gboolean required)
{
  g_autofree gchar *reference = name_type (type, is_positive (attribute));

  if (attribute->note)
    put (writer, "<!-- %s -->", attribute->note);
  if (type->pattern)
    {
      put (writer, "%s<attribute name=\"%s\"><ref name=\"%s\"/></attribute>%s",
           required ? "" : "<optional>", attribute->name, reference, required ? "" : "</optional>");
      return;
    }
  if (!required)
    begin (writer, "optional");
  put_choices (writer, attribute);
  if (!required)
    end (writer, "optional");
}

static void
put_complete (Writer *writer, const IdgXmlShape *shape, gboolean required)
{
  for (const IdgXmlAttribute *a = shape->attributes; a->name; a++)
    if (a->complete)
      put_attribute (writer, a, a->type, required);
}

static const IdgXmlAttribute *
find_base (const IdgXmlShape *shape)
{
  for (const IdgXmlAttribute *a = shape->attributes; a->name; a++)
    if (a->base)
      return a;
  return NULL;
}

/* What SHAPE starts from, and what must be given where it starts from nothing. */
static void
put_base (Writer *writer, const IdgXmlShape *shape, gboolean like)
{
  const IdgXmlAttribute *base = find_base (shape);
  gboolean is_root = strcmp (shape->element, writer->schema->root) == 0;

  if (base && is_root && like)
    put_attribute (writer, base, base->type, TRUE);
  else if (base && !is_root && like)
    put_attribute (writer, base, base->type, FALSE);
  if (!base || is_root || like)
    {
      put_complete (writer, shape, !like);
      return;
    }
  begin (writer, "choice");
  begin (writer, "group");
  put_attribute (writer, base, base->type, TRUE);
  put_complete (writer, shape, FALSE);
  end (writer, "group");
  begin (writer, "group");
  put_complete (writer, shape, TRUE);
  end (writer, "group");
  end (writer, "choice");
}

/* The label of SHAPE, and what only some labels may have with them. Returns the label, or NULL if
 * there is none. */
static const IdgXmlAttribute *
put_labelled (Writer *writer, const IdgXmlShape *shape)
{
  const IdgXmlAttribute *label = NULL, *first = shape->attributes;

  while (first->name && !first->label_type)
    first++;
  if (!first->name)
    return NULL;
  for (label = shape->attributes; strcmp (label->name, shape->label) != 0;)
    label++;
  begin (writer, "choice");
  put_attribute (writer, label, label->type, TRUE);
  begin (writer, "group");
  put_attribute (writer, label, first->label_type, TRUE);
  for (const IdgXmlAttribute *a = first; a->name; a++)
    if (a->label_type)
      put_attribute (writer, a, a->type, FALSE);
  end (writer, "group");
  end (writer, "choice");
  return label;
}

static void
put_attributes (Writer *writer, const IdgXmlShape *shape, gboolean like)
{
  const IdgXmlAttribute *label = put_labelled (writer, shape);

  put_base (writer, shape, like);
  for (const IdgXmlAttribute *a = shape->attributes; a->name; a++)
    if (a != label && !a->base && !a->complete && !a->label_type)
      put_attribute (writer, a, a->type, a->required);
}

/* Elements. */

static gboolean
varies (const Writer *writer, const gchar *element)
{
  return writer
      ->varies[idg_xml_find_shape (writer->schema->shapes, element) - writer->schema->shapes];
}

/* CHILD is a word of IdgXmlShape.children. */
static void
put_child (Writer *writer, const gchar *child, gboolean like)
{
  g_autofree gchar *name = g_strndup (child, strlen (child) - 1);
  const gchar *suffix = like && varies (writer, name) ? "-like" : "";
  const gchar *wrapper = NULL;

  switch (child[strlen (child) - 1])
    {
    case '~':
      wrapper = like ? "optional" : NULL;
      break;
    case '?':
      wrapper = "optional";
      break;
    case '+':
      wrapper = "oneOrMore";
      break;
    case '*':
      wrapper = "zeroOrMore";
      break;
    }
  if (wrapper)
    put (writer, "<%s><ref name=\"%s%s\"/></%s>", wrapper, name, suffix, wrapper);
  else
    put (writer, "<ref name=\"%s%s\"/>", name, suffix);
}

static void
put_list (Writer *writer, const IdgXmlShape *shape, const gchar *list, gboolean like)
{
  g_auto (GStrv) children = g_strsplit (list, " ", -1);
  gboolean interleave = !shape->ordered && children[1];

  if (interleave)
    begin (writer, "interleave");
  for (gchar **child = children; *child; child++)
    put_child (writer, *child, like);
  if (interleave)
    end (writer, "interleave");
}

static void
put_children (Writer *writer, const IdgXmlShape *shape, gboolean like)
{
  if (shape->other == NULL)
    {
      put_list (writer, shape, shape->children, like);
      return;
    }
  begin (writer, "choice");
  begin (writer, "group");
  put_list (writer, shape, shape->children, like);
  end (writer, "group");
  begin (writer, "group");
  put_list (writer, shape, shape->other_children, like);
  end (writer, "group");
  end (writer, "choice");
}

static void
define_element (Writer *writer, const IdgXmlShape *shape, gboolean like)
{
  putchar ('\n');
  begin (writer, "define name=\"%s%s\"", shape->element, like ? "-like" : "");
  begin (writer, "element name=\"%s\"", shape->element);
  put_attributes (writer, shape, like);
  if (shape->text)
    put (writer, "<ref name=\"%s\"/>", idg_xml_text.name);
  else if (shape->children)
    put_children (writer, shape, like);
  else
    put (writer, "<empty/>");
  end (writer, "element");
  end (writer, "define");
}

/* Whether SHAPE differs where its document starts from another, by what is known so far of its
 * children. */
static gboolean
find_varies (const Writer *writer, const IdgXmlShape *shape)
{
  g_auto (GStrv) children = g_strsplit (shape->children ? shape->children : "", " ", -1);

  for (const IdgXmlAttribute *a = shape->attributes; a->name; a++)
    if (a->complete)
      return TRUE;
  for (gchar **child = children; *child; child++)
    {
      gchar *mark = *child + strlen (*child) - 1;

      if (*mark == '~')
        return TRUE;
      *mark = '\0';
      if (varies (writer, *child))
        return TRUE;
    }
  return FALSE;
}

/* Until nothing changes: elements may nest. */
static void
find_all_varies (Writer *writer)
{
  const IdgXmlShape *shapes = writer->schema->shapes;

  for (gboolean changed = TRUE; changed;)
    {
      changed = FALSE;
      for (guint i = 0; shapes[i].element; i++)
        {
          g_assert (i < G_N_ELEMENTS (writer->varies));
          if (!writer->varies[i] && find_varies (writer, &shapes[i]))
            writer->varies[i] = changed = TRUE;
        }
    }
}

static void
put_start (Writer *writer)
{
  const gchar *root = writer->schema->root;

  begin (writer, "start");
  if (varies (writer, root))
    {
      begin (writer, "choice");
      put (writer, "<ref name=\"%s\"/>", root);
      put (writer, "<ref name=\"%s-like\"/>", root);
      end (writer, "choice");
    }
  else
    put (writer, "<ref name=\"%s\"/>", root);
  end (writer, "start");
}

static void
write_schema (const Schema *schema)
{
  Writer writer = { .schema = schema, .types = g_ptr_array_new_with_free_func (g_free) };

  find_all_varies (&writer);
  puts ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
  puts ("<!-- SPDX-License-Identifier: MIT -->");
  printf ("<!--\n%s\n  Made by `make schemas` of the tables in the program that reads such files; "
          "do not edit.\n-->\n",
          schema->intro);
  puts ("<grammar xmlns=\"http://relaxng.org/ns/structure/1.0\"");
  puts ("         datatypeLibrary=\"http://www.w3.org/2001/XMLSchema-datatypes\">\n");
  writer.depth = 1;
  put_start (&writer);
  puts ("\n  <!-- Values. Plain strings, so that blanks around them are refused here as by the "
        "program. -->\n");
  define_types (&writer);
  for (const IdgXmlShape *shape = schema->shapes; shape->element; shape++)
    {
      define_element (&writer, shape, FALSE);
      if (varies (&writer, shape->element))
        define_element (&writer, shape, TRUE);
    }
  puts ("\n</grammar>");
  g_ptr_array_unref (writer.types);
}

int
main (int argc, char **argv)
{
  for (gsize i = 0; argc == 2 && i < G_N_ELEMENTS (schemas); i++)
    if (strcmp (argv[1], schemas[i].root) == 0)
      {
        write_schema (&schemas[i]);
        return fflush (stdout) == 0 && !ferror (stdout) ? 0 : 1;
      }
  fputs ("Usage: schemas gpu|kernel\n", stderr);
  return 2;
}
