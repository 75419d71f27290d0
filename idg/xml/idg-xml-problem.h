/* SPDX-License-Identifier: MIT */
/* Private: what is wrong with an XML text at the place where its parser stopped. expat says where
 * that is, and mostly no more than "not well-formed (invalid token)". */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define IDG_XML_NOT_WELL_FORMED "not well-formed XML: "
#define IDG_XML_DOCTYPE "a document type declaration is not allowed; remove it"
#define IDG_XML_MAX_QUOTED 80 /* bytes of a name or a value that a message shows */

/* Where it stopped, in a text that is UTF-8 without NUL bytes. */
typedef struct
{
  const gchar *begin, *end; /* of the text, less its byte order mark */
  const gchar *place;       /* nothing is wrong with what ends before it */
  const gchar *element;     /* the innermost element that is open there; NULL: none is */
  gint element_line;        /* on which that began */
  gboolean is_after;        /* the outermost element has ended */
} IdgXmlStop;

/* What is wrong at STOP, for a message; what is cut short there may end inside a character. WHERE
 * gets the byte that it is about, or the end of the text. Free with g_free(). O(length) */
gchar *idg_xml_find_problem (const IdgXmlStop *stop, const gchar **where);

G_END_DECLS
