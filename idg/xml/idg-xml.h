/* SPDX-License-Identifier: MIT */
/* Private: what the readers of both libraries share. Not installed; linked into each of them.
 *
 * Reads a small XML document into a tree that knows on which line everything is, and holds it
 * against a table of shapes: which elements may be in which, with which attributes, written how.
 * What the values mean together is for the reader to check; it gets them clean. Knows neither
 * kernels nor GPUs.
 *
 * Nothing is expanded or fetched: a document type declaration is refused where it begins, before
 * an entity could be declared. Errors are "FILE:LINE: ELEMENT: what is wrong; what would have
 * been right", on one line. */
#pragma once

#include "idg/kernel/idg-text.h"

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* What a file, a name and a tag may have at most. */
#define IDG_XML_MAX_FILE (64 << 20) /* bytes */
#define IDG_XML_MAX_NAME 256        /* bytes */
#define IDG_XML_MAX_DEPTH 100       /* elements inside one another; a reader may recurse */
#define IDG_XML_MAX_ATTRIBUTES 256  /* of one element */

/* Codes of the errors, in the domain that the caller names: IdgError and WpError give them the
 * same numbers, and use those between for errors of their own. */
typedef enum
{
  IDG_XML_READ,   /* cannot be read at all */
  IDG_XML_SYNTAX, /* not well-formed, or not of the right shape */
  IDG_XML_VALUE,  /* a value makes no sense */
  IDG_XML_MEMORY = 5,
} IdgXmlCode;

typedef struct IdgXmlAttribute IdgXmlAttribute;

/* What is wrong with VALUE, as the rest of a sentence that begins with it ("must be ..."); NULL
 * if nothing is. */
typedef gchar *(*IdgXmlCheck) (const IdgXmlAttribute *attribute, const gchar *value);

/* How values are written: a check, which can say what is wrong, and patterns, of which the RelaxNG
 * schemas are made (tests/schemas.c). A pattern is a regular expression of XML Schema, written as
 * in an XML text. It takes whatever the check takes; what only a bound or the order of numbers
 * forbids, it takes too. */
typedef struct
{
  const gchar *name; /* in the schema */
  const gchar *note; /* a comment there, or NULL; of a `label_type`, the end of "whose name ..." */
  IdgXmlCheck check;
  const gchar *pattern;  /* NULL: the attribute's `choices` */
  const gchar *positive; /* in the place of `pattern` where the attribute's `min` is above 0; NULL:
                            no other */
  const gchar *except;   /* a pattern of what is refused all the same, or NULL */
  gboolean braces;       /* may have {name} in it, which is replaced before it is checked */
} IdgXmlType;

struct IdgXmlAttribute
{
  const gchar *name; /* NULL ends a table */
  const IdgXmlType *type;
  gboolean required;
  gboolean base; /* it names what its element, or the whole document, starts from */
  /* Required unless its element or the document starts from something. idg_xml_check_shape() sees
   * one document, and leaves it to the reader to find it missing. */
  gboolean complete;
  const IdgXmlType
      *label_type;  /* allowed only where the element's label is of this type; NULL: everywhere */
  guint64 min, max; /* for idg_xml_check_whole() */
  const gchar *choices; /* for idg_xml_choice: "sm scheduler" */
  const gchar *note;    /* a comment in the schema, or NULL */
};

/* What follows the name of an element in IdgXmlShape.children. */
#define IDG_XML_MARKS "!?+*~"

typedef struct
{
  const gchar *element; /* NULL ends a table */
  const gchar *label;   /* the attribute that names it in messages, or NULL */
  gboolean unique;      /* no two of the same label beside each other */
  const IdgXmlAttribute *attributes;
  /* Elements that may be in it, with a mark each: "launch!" exactly one, "limits?" at most
   * one, "program+" at least one, "op*" any number, "device~" one that only a document that starts
   * from another may leave out (`complete`, above). NULL: none. */
  const gchar *children;
  /* The children in place of those where one of them is an element of this name; NULL: there is no
   * such element. */
  const gchar *other, *other_children;
  gboolean ordered; /* the children are in that order */
  gboolean text;    /* it has text, and not only blanks */
} IdgXmlShape;

typedef struct IdgXmlDoc IdgXmlDoc;
typedef struct IdgXmlNode IdgXmlNode;

typedef struct
{
  const gchar *name; /* once it is checked: that of its IdgXmlAttribute, the same pointer */
  const gchar *value;
} IdgXmlValue;

/* Text between tags, blanks around it dropped. */
typedef struct
{
  const gchar *text;
  gint line; /* of its beginning */
} IdgXmlText;

/* An element. A kernel may have four million: 64 bytes each. */
struct IdgXmlNode
{
  const IdgXmlShape *shape; /* once it is checked */
  IdgXmlNode *parent, *first_child, *next;
  const gchar *name;
  const IdgXmlText *text; /* NULL where it has none but blanks */
  IdgXmlValue *values;    /* attributes, as written */
  guint n_values;
  gint line; /* of its tag's beginning */
};

/* Whether two names are the same: mostly they differ at once, or are in one place. */
static inline gboolean
idg_xml_is_same (const gchar *a, const gchar *b)
{
  return a == b || (*a == *b && strcmp (a, b) == 0);
}

/* All of the file at PATH, which may be a pipe. NULL with ERROR, of DOMAIN, where it cannot be read
 * or is too large. */
GByteArray *idg_xml_read (const gchar *path, GQuark domain, GError **error);

/* Reads and parses a file, or LENGTH bytes of DATA. NULL with ERROR, of DOMAIN, where it is not
 * well-formed. */
IdgXmlDoc *idg_xml_load (const gchar *path, GQuark domain, GError **error);
IdgXmlDoc *idg_xml_parse (const gchar *data, gsize length, const gchar *name, GQuark domain,
                          GError **error);
void idg_xml_free (IdgXmlDoc *doc);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgXmlDoc, idg_xml_free)

IdgXmlNode *idg_xml_get_root (const IdgXmlDoc *doc);
const gchar *idg_xml_get_file (const IdgXmlDoc *doc);
/* The document that NODE is in. O(its depth). */
IdgXmlDoc *idg_xml_get_doc (const IdgXmlNode *node);

/* Digits and nothing else, up to MAX. */
gboolean idg_xml_parse_whole (const gchar *text, guint64 max, guint64 *value);

/* The next node of DOC in document order, children first; NULL after the last. */
IdgXmlNode *idg_xml_next (const IdgXmlNode *node);

/* The value of an attribute of NODE; NULL where it has none. Borrowed. */
const gchar *idg_xml_get (const IdgXmlNode *node, const gchar *attribute);
/* The same as a number, where idg_xml_check_values() has found it to be one; FALLBACK where it
 * has none. */
guint64 idg_xml_get_whole (const IdgXmlNode *node, const gchar *attribute, guint64 fallback);
/* Replaces the value at INDEX of NODE's. */
void idg_xml_set (IdgXmlNode *node, guint index, const gchar *value);

/* Fills ERROR with "FILE:LINE: ELEMENT: ..." for NODE. Returns FALSE. */
gboolean idg_xml_fail (const IdgXmlNode *node, IdgXmlCode code, GError **error, const gchar *format,
                       ...) G_GNUC_PRINTF (4, 5);
/* The same on the line of its text, an IDG_XML_SYNTAX. */
gboolean idg_xml_fail_text (const IdgXmlNode *node, GError **error, const gchar *format, ...)
    G_GNUC_PRINTF (3, 4);
/* The same for all of DOC: "FILE: ...". */
gboolean idg_xml_fail_file (const IdgXmlDoc *doc, IdgXmlCode code, GError **error,
                            const gchar *format, ...) G_GNUC_PRINTF (4, 5);

/* Splits at blanks; no empty words. Free with g_strfreev(). */
gchar **idg_xml_split (const gchar *text);

/* VALUE in double quotes, for a message: long ones cut, control characters escaped. Free with
 * g_free(). */
gchar *idg_xml_quote (const gchar *value);

/* ---- idg-xml-shape.c ---- */

/* The shape of ELEMENT in SHAPES (ended by a NULL); NULL where it has none. */
const IdgXmlShape *idg_xml_find_shape (const IdgXmlShape *shapes, const gchar *element);

/* Whether DOC is a ROOT as SHAPES have it, but for the values of attributes. */
gboolean idg_xml_check_shape (IdgXmlDoc *doc, const IdgXmlShape *shapes, const gchar *root,
                              GError **error);
/* Whether the value of every attribute of NODE, or of all of DOC, whose shape is checked, passes
 * its check; of DOC, also whether its attributes are those of elements with such labels. */
gboolean idg_xml_check_node_values (const IdgXmlNode *node, GError **error);
gboolean idg_xml_check_values (const IdgXmlDoc *doc, GError **error);

/* ---- idg-xml-types.c ---- */

/* In a pattern: {name}, of a parameter; and, within [^...], what no name has in it: blanks, braces,
 * control characters and what would need quoting in CSV. */
#define IDG_XML_PARAMETER "[A-Za-z_][A-Za-z0-9_.\\-]*"
#define IDG_XML_IN_BRACES "\\{" IDG_XML_PARAMETER "\\}"
#define IDG_XML_NO_NAME "\\s{},\"" IDG_TEXT_HIDDEN

/* Tables and lists of one line hold names and texts as they are: none has a control character, and
 * no name what would need quoting in CSV. */
extern const IdgXmlType idg_xml_whole;  /* a whole number from `min` to `max` */
extern const IdgXmlType idg_xml_choice; /* one of `choices` */
extern const IdgXmlType idg_xml_line;   /* a text of one line */
extern const IdgXmlType idg_xml_title;  /* the same, not blank */
extern const IdgXmlType idg_xml_label;  /* a name that may have blanks and braces */
extern const IdgXmlType idg_xml_name;
extern const IdgXmlType idg_xml_names; /* names between blanks */
extern const IdgXmlType idg_xml_text;  /* what is between tags: not blank, may have several lines */

/* Checks of these types, for types of a reader's own. */
gchar *idg_xml_check_whole (const IdgXmlAttribute *attribute, const gchar *value);
gchar *idg_xml_check_name (const IdgXmlAttribute *attribute, const gchar *value);
/* The context of an instruction: a name, which may be a case of a wildcard and is no wildcard
 * ("conflict-4", not "conflict-*"), or a mix of such (idg-mix.h). */
gchar *idg_xml_check_context (const IdgXmlAttribute *attribute, const gchar *value);

G_END_DECLS
