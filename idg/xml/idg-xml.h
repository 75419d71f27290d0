/* SPDX-License-Identifier: MIT */
/* Private: what the readers of both libraries share. Not installed; linked into each of them.
 *
 * Reads a small XML document into a tree that knows on which line everything stands, and holds it
 * against a table of shapes: which elements may stand in which, with which attributes, written how.
 * What the values mean together is for the reader to check; it gets them clean. Knows neither
 * kernels nor GPUs.
 *
 * Nothing is expanded or fetched: a document type declaration is refused where it begins, before
 * an entity could be declared. Errors are "FILE:LINE: ELEMENT: what is wrong; what would have
 * been right", on one line. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a file, a name and a tag may have at most. */
#define IDG_XML_MAX_FILE (64 << 20) /* bytes */
#define IDG_XML_MAX_NAME 256        /* bytes */
#define IDG_XML_MAX_DEPTH 100       /* elements inside one another; a reader may recurse */
#define IDG_XML_MAX_ATTRIBUTES 256  /* of one element: libxml2 compares each with each */

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

struct IdgXmlAttribute
{
  const gchar *name; /* NULL ends a table */
  gboolean required;
  IdgXmlCheck check;    /* NULL: any text */
  guint64 min, max;     /* for idg_xml_check_whole() */
  const gchar *choices; /* for idg_xml_check_choice(): "sm scheduler" */
  gboolean braces;      /* may have {name} in it */
};

typedef struct
{
  const gchar *element; /* NULL ends a table */
  const gchar *label;   /* the attribute that names it in messages, or NULL */
  gboolean unique;      /* no two of the same label beside each other */
  const IdgXmlAttribute *attributes;
  /* Elements that may stand in it, with a mark each: "launch!" exactly one, "device?" at most
   * one, "program+" at least one, "op*" any number. NULL: none. */
  const gchar *children;
  gboolean ordered; /* the children stand in that order */
  gboolean text;    /* it has text, and not only blanks */
} IdgXmlShape;

typedef struct IdgXmlDoc IdgXmlDoc;
typedef struct IdgXmlNode IdgXmlNode;

typedef struct
{
  const gchar *name;
  const gchar *value;
} IdgXmlValue;

/* An element. */
struct IdgXmlNode
{
  IdgXmlDoc *doc;
  const IdgXmlShape *shape; /* once it is checked */
  IdgXmlNode *parent, *first_child, *next;
  const gchar *name;
  const gchar *text;   /* its text, blanks around it dropped; NULL where it has none but blanks */
  IdgXmlValue *values; /* attributes, as written */
  guint n_values;
  gint line;      /* of its tag's beginning */
  gint text_line; /* of its text's beginning */
};

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

/* Whether a name may have C in it; blanks and braces are left to the caller. */
gboolean idg_xml_is_name_character (gunichar c);

/* Splits at blanks; no empty words. Free with g_strfreev(). */
gchar **idg_xml_split (const gchar *text);

/* VALUE in double quotes, for a message: long ones cut, control characters escaped. Free with
 * g_free(). */
gchar *idg_xml_quote (const gchar *value);

/* The names nearest to NAME among the N of NAMES, best first, at most three: "a, b, c"; "" where
 * N is 0. Free with g_free(). */
gchar *idg_xml_nearest (const gchar *name, const gchar *const *names, gsize n);

/* ---- idg-xml-shape.c ---- */

/* Whether DOC is a ROOT as SHAPES (ended by a NULL) have it, but for the values of attributes. */
gboolean idg_xml_check_shape (IdgXmlDoc *doc, const IdgXmlShape *shapes, const gchar *root,
                              GError **error);
/* Whether the value of every attribute of DOC, whose shape is checked, passes its check. */
gboolean idg_xml_check_values (const IdgXmlDoc *doc, GError **error);

/* Checks for tables. */
gchar *idg_xml_check_whole (const IdgXmlAttribute *attribute, const gchar *value);
gchar *idg_xml_check_choice (const IdgXmlAttribute *attribute, const gchar *value);
/* Tables and lists of one line hold names and texts as they are: none has a control character, and
 * no name what would need quoting in CSV. */
gchar *idg_xml_check_text (const IdgXmlAttribute *attribute, const gchar *value);
gchar *idg_xml_check_title (const IdgXmlAttribute *attribute,
                            const gchar *value); /* a text that is not blank */
gchar *idg_xml_check_label (const IdgXmlAttribute *attribute,
                            const gchar *value); /* a name that may have blanks and braces */
gchar *idg_xml_check_name (const IdgXmlAttribute *attribute, const gchar *value);
gchar *idg_xml_check_names (const IdgXmlAttribute *attribute,
                            const gchar *value); /* names between blanks */

G_END_DECLS
