/* SPDX-License-Identifier: MIT */
/* libxml2's messages about schemas are poor and come in heaps: only the first is kept, and it is
 * asked for only after the reader, with its better ones, has found nothing.
 */
#include "idg/xml/idg-schema.h"

#include "idg/xml/idg-xml.h"

#include <libxml/parser.h>
#include <libxml/relaxng.h>

typedef struct
{
  gchar *message;
  gint line;
} Finding;

static void
note_first (void *data, xmlErrorPtr problem)
{
  Finding *finding = data;

  if (finding->message != NULL)
    return;
  finding->message
      = g_strstrip (g_strdup (problem->message != NULL ? problem->message : "invalid"));
  finding->line = problem->line;
}

static xmlRelaxNGPtr
load_schema (const gchar *schema, Finding *finding)
{
  xmlRelaxNGParserCtxtPtr parser = xmlRelaxNGNewParserCtxt (schema);
  xmlRelaxNGPtr loaded;

  if (parser == NULL)
    return NULL;
  xmlRelaxNGSetParserStructuredErrors (parser, note_first, finding);
  loaded = xmlRelaxNGParse (parser);
  xmlRelaxNGFreeParserCtxt (parser);
  return loaded;
}

static gboolean
validate (const gchar *data, gsize length, xmlRelaxNGPtr schema, Finding *finding)
{
  xmlDocPtr doc = xmlReadMemory (data, (int)length, NULL, NULL,
                                 XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING
                                     | XML_PARSE_BIG_LINES | XML_PARSE_HUGE);
  xmlRelaxNGValidCtxtPtr validator = xmlRelaxNGNewValidCtxt (schema);
  gboolean valid = FALSE;

  if (doc != NULL && validator != NULL)
    {
      xmlRelaxNGSetValidStructuredErrors (validator, note_first, finding);
      valid = xmlRelaxNGValidateDoc (validator, doc) == 0;
    }
  xmlRelaxNGFreeValidCtxt (validator);
  xmlFreeDoc (doc);
  return valid;
}

gboolean
idg_schema_check (const gchar *data, gsize length, const gchar *name, const gchar *schema,
                  GQuark domain, GError **error)
{
  Finding finding = { NULL, 0 };
  xmlRelaxNGPtr loaded = load_schema (schema, &finding);
  gboolean valid;

  if (loaded == NULL)
    {
      g_set_error (error, domain, IDG_XML_READ, "%s: the schema cannot be read: %s", schema,
                   finding.message != NULL ? finding.message : "no such file");
      g_free (finding.message);
      return FALSE;
    }
  valid = validate (data, length, loaded, &finding);
  xmlRelaxNGFree (loaded);
  if (!valid)
    g_set_error (error, domain, IDG_XML_SYNTAX, "%s:%d: not as %s has it: %s", name, finding.line,
                 schema, finding.message != NULL ? finding.message : "invalid");
  g_free (finding.message);
  return valid;
}
