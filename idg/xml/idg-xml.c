/* SPDX-License-Identifier: MIT */
/* libxml2 only parses here; the tree is ours, built from its SAX2 callbacks. That gives three
 * things that its own tree does not: a document type declaration is refused before anything in it
 * is read, so that no entity exists; the line of every tag is exact and has no upper end (libxml2
 * keeps 16 bits of it); and the depth is bounded, so that readers may recurse.
 *
 * Names and values live in one string chunk, nodes and attributes in blocks, freed together with
 * the document. */
#include "idg/xml/idg-xml.h"

#include <errno.h>
#include <fcntl.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <string.h>
#include <unistd.h>

#define NODES_PER_BLOCK 256
#define VALUES_PER_BLOCK (4 * IDG_XML_MAX_ATTRIBUTES)
#define MAX_QUOTED 80   /* bytes of a value that a message shows */
#define MAX_MESSAGE 200 /* bytes of libxml2's own words that a message shows */

struct IdgXmlDoc
{
  IdgXmlNode root; /* first: see idg_xml_get_doc() */
  gchar *file;
  GQuark domain;
  GStringChunk *strings;
  GPtrArray *blocks;              /* of nodes and of attributes */
  gpointer next_node, next_value; /* in the last block of each */
  guint n_nodes, n_values;        /* that are left there */
};

/* What the callbacks share. */
typedef struct
{
  IdgXmlDoc *doc;
  xmlParserCtxt *parser;
  GError *error; /* the first one; nothing is done after it */
  guint depth;
  struct
  {
    IdgXmlNode *node;
    IdgXmlNode *last_child;
    GString *text;  /* or NULL: only blanks so far */
    gint text_line; /* of its beginning */
  } open[IDG_XML_MAX_DEPTH];
} Builder;

IdgXmlDoc *
idg_xml_get_doc (const IdgXmlNode *node)
{
  while (node->parent)
    node = node->parent;
  return (IdgXmlDoc *)node;
}

/* Messages. */

gchar *
idg_xml_quote (const gchar *value)
{
  g_autofree gchar *valid = g_utf8_make_valid (value, -1); /* a setting may be any bytes */
  GString *quoted = g_string_new ("\"");

  for (const gchar *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (p - valid >= MAX_QUOTED)
        {
          g_string_append (quoted, "...");
          break;
        }
      if (idg_text_is_hidden (c))
        idg_text_append_escape (quoted, c);
      else
        g_string_append_unichar (quoted, c);
    }
  g_string_append_c (quoted, '"');
  return g_string_free (quoted, FALSE);
}

static void
fail_at (const IdgXmlDoc *doc, gint line, IdgXmlCode code, GError **error, const gchar *message)
{
  /* What was cut short may end inside a character. */
  g_autofree gchar *valid = g_utf8_make_valid (message, -1);

  if (line > 0)
    g_set_error (error, doc->domain, code, "%s:%d: %s", doc->file, line, valid);
  else
    g_set_error (error, doc->domain, code, "%s: %s", doc->file, valid);
}

/* 'op "ld.global": context "stride-2": ': NODE after those of its ancestors that have a name of
 * their own. */
static void
append_path (GString *path, const IdgXmlNode *node, gboolean is_last)
{
  const gchar *label = NULL;

  if (node->parent && node->parent->parent)
    append_path (path, node->parent, FALSE);
  if (node->shape && node->shape->label)
    label = idg_xml_get (node, node->shape->label);
  if (label)
    {
      g_autofree gchar *quoted = idg_xml_quote (label);

      g_string_append_printf (path, "%s %s: ", node->name, quoted);
    }
  else if (is_last)
    g_string_append_printf (path, "<%.*s>: ", MAX_QUOTED, node->name);
}

static gboolean G_GNUC_PRINTF (5, 0) fail_node (const IdgXmlNode *node, gint line, IdgXmlCode code,
                                                GError **error, const gchar *format, va_list args)
{
  GString *message = g_string_new (NULL);

  append_path (message, node, TRUE);
  g_string_append_vprintf (message, format, args);
  fail_at (idg_xml_get_doc (node), line, code, error, message->str);
  g_string_free (message, TRUE);
  return FALSE;
}

gboolean
idg_xml_fail (const IdgXmlNode *node, IdgXmlCode code, GError **error, const gchar *format, ...)
{
  va_list args;

  va_start (args, format);
  fail_node (node, node->line, code, error, format, args);
  va_end (args);
  return FALSE;
}

gboolean
idg_xml_fail_text (const IdgXmlNode *node, GError **error, const gchar *format, ...)
{
  va_list args;

  va_start (args, format);
  fail_node (node, node->text->line, IDG_XML_SYNTAX, error, format, args);
  va_end (args);
  return FALSE;
}

gboolean
idg_xml_fail_file (const IdgXmlDoc *doc, IdgXmlCode code, GError **error, const gchar *format, ...)
{
  g_autofree gchar *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  fail_at (doc, 0, code, error, message);
  return FALSE;
}

/* Bytes. */

static gboolean
read_all (int fd, GByteArray *bytes)
{
  guint8 chunk[1 << 16];

  while (bytes->len <= IDG_XML_MAX_FILE)
    {
      ssize_t n = read (fd, chunk, sizeof chunk);

      if (n == 0)
        return TRUE;
      if (n > 0)
        g_byte_array_append (bytes, chunk, (guint)n);
      else if (errno != EINTR)
        return FALSE;
    }
  errno = EFBIG;
  return FALSE;
}

static gint
line_of (const gchar *data, const gchar *place)
{
  gint line = 1;

  for (const gchar *p = data; (p = memchr (p, '\n', (gsize)(place - p))) != NULL; p++)
    line++;
  return line;
}

static gboolean
is_blank (gchar c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The encoding that an XML declaration at the beginning of DATA names, or NULL. Free with
 * g_free(). */
static gchar *
get_declared_encoding (const gchar *data, gsize length)
{
  const gchar *end, *p, *close;

  if (length >= 3 && memcmp (data, "\xef\xbb\xbf", 3) == 0) /* a byte order mark */
    {
      data += 3;
      length -= 3;
    }
  end = g_strstr_len (data, (gssize)length, "?>");
  if (length < 6 || memcmp (data, "<?xml", 5) != 0 || !is_blank (data[5]) || !end)
    return NULL;
  p = g_strstr_len (data, end - data, "encoding");
  if (!p)
    return NULL;
  for (p += strlen ("encoding"); p < end && (is_blank (*p) || *p == '='); p++)
    ;
  if (p == end || (*p != '"' && *p != '\''))
    return NULL;
  close = memchr (p + 1, *p, (gsize)(end - p - 1));
  return close ? g_strndup (p + 1, (gsize)(close - p - 1)) : NULL;
}

/* What is wrong with the encoding of DATA, or NULL; PLACE gets where. Free with g_free(). */
static gchar *
find_encoding_problem (const gchar *data, gsize length, const gchar **place)
{
  g_autofree gchar *declared = NULL;

  *place = data;
  if (length >= 2 && (memcmp (data, "\xff\xfe", 2) == 0 || memcmp (data, "\xfe\xff", 2) == 0))
    return g_strdup ("encoded in UTF-16 or UTF-32; the encoding must be UTF-8");
  if (!g_utf8_validate_len (data, length, place))
    {
      if (**place == '\0')
        return g_strdup ("a NUL byte; this is not an XML text in UTF-8");
      return g_strdup_printf ("not UTF-8 (byte 0x%02x); the encoding must be UTF-8",
                              (guchar) * *place);
    }
  *place = data;
  declared = get_declared_encoding (data, length);
  if (!declared || g_ascii_strcasecmp (declared, "UTF-8") == 0)
    return NULL;
  return g_strdup_printf ("the declared encoding is \"%.*s\"; it must be UTF-8", MAX_QUOTED,
                          declared);
}

static gboolean
check_encoding (const IdgXmlDoc *doc, const gchar *data, gsize length, GError **error)
{
  const gchar *place;
  g_autofree gchar *problem = find_encoding_problem (data, length, &place);

  if (problem)
    fail_at (doc, line_of (data, place), IDG_XML_SYNTAX, error, problem);
  return !problem;
}

/* The end of the tag that begins at P: its '>', or the next '<', which cannot be in a tag; N
 * counts its quoted strings. */
static const gchar *
skip_tag (const gchar *p, const gchar *end, guint *n)
{
  gchar quote = '\0';

  for (*n = 0, p++; p < end && *p != '<' && (quote || *p != '>'); p++)
    {
      if (*p == quote)
        quote = '\0';
      else if (!quote && (*p == '"' || *p == '\''))
        {
          quote = *p;
          (*n)++;
        }
    }
  return p;
}

/* libxml2 2.9 compares each attribute of an element with each other one, so that many would take
 * hours. What looks like a tag in a comment is counted too; that hurts nobody. */
static gboolean
check_tags (const IdgXmlDoc *doc, const gchar *data, gsize length, GError **error)
{
  const gchar *end = data + length;
  const gchar *p = data;

  while ((p = memchr (p, '<', (gsize)(end - p))) != NULL)
    {
      const gchar *tag = p;
      guint n;

      p = skip_tag (p, end, &n);
      if (n > IDG_XML_MAX_ATTRIBUTES)
        {
          g_autofree gchar *message
              = g_strdup_printf ("an element of more than %d attributes", IDG_XML_MAX_ATTRIBUTES);

          fail_at (doc, line_of (data, tag), IDG_XML_SYNTAX, error, message);
          return FALSE;
        }
    }
  return TRUE;
}

/* The tree. */

/* The first of N more in a block of PER_BLOCK items of SIZE bytes: LEFT of them are free at NEXT,
 * and follow one another. */
static gpointer
take_room (IdgXmlDoc *doc, gpointer *next, guint *left, guint n, guint per_block, gsize size)
{
  gpointer first;

  if (*left < n)
    {
      *next = g_malloc0_n (per_block, size);
      *left = per_block;
      g_ptr_array_add (doc->blocks, *next);
    }
  first = *next;
  *next = (guint8 *)first + n * size;
  *left -= n;
  return first;
}

static IdgXmlNode *
new_node (IdgXmlDoc *doc, IdgXmlNode *parent, const gchar *name, gint line)
{
  IdgXmlNode *node = &doc->root;

  if (parent)
    node = take_room (doc, &doc->next_node, &doc->n_nodes, 1, NODES_PER_BLOCK, sizeof *node);
  node->parent = parent;
  node->name = g_string_chunk_insert_const (doc->strings, name);
  node->line = line;
  return node;
}

/* The value between BEGIN and END as the parser hands it over: all is replaced but '&', which
 * stays "&#38;". */
static const gchar *
copy_value (IdgXmlDoc *doc, const gchar *begin, const gchar *end)
{
  gchar *value = g_string_chunk_insert_len (doc->strings, begin, end - begin);
  gchar *to = value;

  if (!strchr (value, '&'))
    return value;
  for (const gchar *from = value; *from != '\0'; to++)
    {
      *to = *from;
      from += g_str_has_prefix (from, "&#38;") ? strlen ("&#38;") : 1;
    }
  *to = '\0';
  return value;
}

static void
stop (Builder *builder, gint line, const gchar *message)
{
  if (!builder->error)
    fail_at (builder->doc, line, IDG_XML_SYNTAX, &builder->error, message);
  xmlStopParser (builder->parser);
}

/* The line on which the tag begins that the parser has just read: no '<' can be inside a tag. */
static gint
get_tag_line (const xmlParserCtxt *parser)
{
  const xmlParserInput *input = parser->input;
  gint line = input->line;

  for (const xmlChar *p = input->cur; p > input->base && *p != '<'; p--)
    line -= p < input->cur && *p == '\n';
  return line;
}

static void
on_doctype (void *data, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
  Builder *builder = data;

  (void)name;
  (void)external;
  (void)system;
  stop (builder, get_tag_line (builder->parser),
        "a document type declaration is not allowed; remove it");
}

static void
add_values (Builder *builder, IdgXmlNode *node, int n, const xmlChar **attributes)
{
  IdgXmlValue *values;

  if (n == 0)
    return;
  values = take_room (builder->doc, &builder->doc->next_value, &builder->doc->n_values, (guint)n,
                      VALUES_PER_BLOCK, sizeof *values);
  for (int i = 0; i < n; i++)
    {
      const xmlChar **attribute
          = attributes + 5 * i; /* name, prefix, URI, begin and end of the value */

      values[i].name
          = g_string_chunk_insert_const (builder->doc->strings, (const gchar *)attribute[0]);
      values[i].value
          = copy_value (builder->doc, (const gchar *)attribute[3], (const gchar *)attribute[4]);
    }
  node->values = values;
  node->n_values = (guint)n;
}

static gboolean
has_prefix (int n, const xmlChar **attributes)
{
  for (int i = 0; i < n; i++)
    if (attributes[5 * i + 1])
      return TRUE;
  return FALSE;
}

static const gchar namespace_message[]
    = "a namespace; names of elements and attributes have none here";

static void
on_start (void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
          int n_namespaces, const xmlChar **namespaces, int n_attributes, int n_defaulted,
          const xmlChar **attributes)
{
  Builder *builder = data;
  gint line = get_tag_line (builder->parser);
  IdgXmlNode *parent, *node;

  (void)namespaces;
  (void)n_defaulted;
  if (builder->error)
    return;
  if (prefix || uri || n_namespaces > 0 || has_prefix (n_attributes, attributes))
    {
      stop (builder, line, namespace_message);
      return;
    }
  if (builder->depth == IDG_XML_MAX_DEPTH)
    {
      stop (builder, line,
            "elements nested deeper than " G_STRINGIFY (IDG_XML_MAX_DEPTH) ", which no file needs");
      return;
    }

  parent = builder->depth ? builder->open[builder->depth - 1].node : NULL;
  node = new_node (builder->doc, parent, (const gchar *)name, line);
  add_values (builder, node, n_attributes, attributes);
  if (parent && !builder->open[builder->depth - 1].last_child)
    parent->first_child = node;
  else if (parent)
    builder->open[builder->depth - 1].last_child->next = node;
  if (parent)
    builder->open[builder->depth - 1].last_child = node;
  builder->open[builder->depth].node = node;
  builder->open[builder->depth].last_child = NULL;
  builder->open[builder->depth].text = NULL;
  builder->depth++;
}

static void
on_end (void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
  Builder *builder = data;
  GString *text;

  (void)name;
  (void)prefix;
  (void)uri;
  if (builder->error)
    return;
  builder->depth--;
  text = builder->open[builder->depth].text;
  if (text)
    {
      IdgXmlText *kept = g_new (IdgXmlText, 1);

      kept->text = g_string_chunk_insert (builder->doc->strings, g_strchomp (text->str));
      kept->line = builder->open[builder->depth].text_line;
      g_ptr_array_add (builder->doc->blocks, kept);
      builder->open[builder->depth].node->text = kept;
      g_string_free (text, TRUE);
    }
}

static void
on_text (void *data, const xmlChar *characters, int length)
{
  Builder *builder = data;
  const gchar *text = (const gchar *)characters;
  gint line = builder->parser->input->line;
  int first = 0;

  if (builder->error || builder->depth == 0)
    return;
  if (!builder->open[builder->depth - 1].text)
    {
      while (first < length && is_blank (text[first]))
        first++;
      if (first == length)
        return;
      for (int i = first; i < length; i++)
        line -= text[i] == '\n';
      builder->open[builder->depth - 1].text = g_string_new (NULL);
      builder->open[builder->depth - 1].text_line = line;
    }
  g_string_append_len (builder->open[builder->depth - 1].text, text + first, length - first);
}

/* libxml2's errors in our words: theirs are for who wrote the parser. Those that are not here are
 * rare. */
static const struct
{
  gint code;
  const gchar *words;
} translations[] = {
  { XML_ERR_DOCUMENT_EMPTY, "an element is missing; an XML text begins with <" },
  { XML_ERR_DOCUMENT_END,
    "something comes after the end of the outermost element; there can be only one" },
  { XML_ERR_LT_IN_ATTRIBUTE, "a < in the value of an attribute; write &lt;" },
  { XML_ERR_ATTRIBUTE_NOT_STARTED, "the value of an attribute must be in quotes" },
  { XML_ERR_ATTRIBUTE_NOT_FINISHED, "the value of an attribute lacks its closing quote" },
  { XML_ERR_ATTRIBUTE_WITHOUT_VALUE, "an attribute without a value; write NAME=\"VALUE\"" },
  { XML_ERR_SPACE_REQUIRED, "attributes must have blanks between them" },
  { XML_ERR_NAME_REQUIRED,
    "a < or & without a name behind it; for the character itself write &lt; or &amp;" },
  { XML_ERR_ENTITYREF_SEMICOL_MISSING, "a & without its ;, for the character itself write &amp;" },
  { XML_ERR_INVALID_CHAR, "a character that XML does not allow" },
  { XML_ERR_INVALID_CHARREF, "a character that XML does not allow" },
  { XML_ERR_INVALID_HEX_CHARREF, "a bad number of a character; write it as in &#x41;" },
  { XML_ERR_INVALID_DEC_CHARREF, "a bad number of a character; write it as in &#65;" },
  { XML_ERR_GT_REQUIRED, "a tag lacks its closing >" },
  { XML_ERR_COMMENT_NOT_FINISHED, "a comment lacks its closing -->" },
  { XML_ERR_HYPHEN_IN_COMMENT, "a comment must not have -- in it" },
  { XML_ERR_CDATA_NOT_FINISHED, "a CDATA section lacks its closing ]]>" },
  { XML_ERR_MISPLACED_CDATA_END, "a ]]> in text; write ]]&gt;" },
  { XML_ERR_RESERVED_XML_NAME, "<?xml ...?> may be only at the very beginning" },
  { XML_ERR_XMLDECL_NOT_FINISHED, "<?xml ...?> lacks its closing ?>" },
};

static gchar *
translate (const xmlError *problem)
{
  const gchar *name = problem->str1 ? problem->str1 : "";
  gchar *words;

  switch (problem->code)
    {
    case XML_ERR_TAG_NAME_MISMATCH:
      return g_strdup_printf ("</%.*s> where </%.*s> must come, as <%.*s> began on line %d",
                              MAX_QUOTED, problem->str2 ? problem->str2 : "", MAX_QUOTED, name,
                              MAX_QUOTED, name, problem->int1);
    case XML_ERR_TAG_NOT_FINISHED:
      return g_strdup_printf ("the file ends before the <%.*s> that began on line %d does",
                              MAX_QUOTED, name, problem->int1);
    case XML_ERR_ATTRIBUTE_REDEFINED:
      return g_strdup_printf ("the attribute %.*s is given twice", MAX_QUOTED, name);
    case XML_ERR_UNDECLARED_ENTITY:
    case XML_WAR_UNDECLARED_ENTITY:
      return g_strdup_printf ("&%.*s; is not known; there are &amp; &lt; &gt; &quot; &apos;",
                              MAX_QUOTED, name);
    default:
      break;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (translations); i++)
    if (translations[i].code == problem->code)
      return g_strdup (translations[i].words);
  words = g_strndup (problem->message ? problem->message : "unknown error", MAX_MESSAGE);
  return g_strdelimit (g_strchomp (words), "\n\r\t", ' ');
}

static void
on_error (void *data, xmlErrorPtr problem)
{
  Builder *builder = data;
  gboolean is_namespace
      = problem->code >= XML_NS_ERR_XML_NAMESPACE && problem->code <= XML_NS_ERR_COLON;
  g_autofree gchar *words = NULL;
  g_autofree gchar *message = NULL;

  if (builder->error || problem->level < XML_ERR_ERROR)
    return;
  /* What follows serves nothing, and is not shown to us: it needs libxml2's own bounds. */
  builder->parser->options &= ~XML_PARSE_HUGE;
  words = translate (problem);
  message = g_strconcat ("not well-formed XML: ", words, NULL);
  if (problem->code == XML_ERR_NO_MEMORY)
    fail_at (builder->doc, 0, IDG_XML_MEMORY, &builder->error, "cannot be read: out of memory");
  else
    fail_at (builder->doc, problem->line, IDG_XML_SYNTAX, &builder->error,
             is_namespace ? namespace_message : message);
}

static void
run_parser (Builder *builder)
{
  xmlSAXHandler handler = { .initialized = XML_SAX2_MAGIC,
                            .internalSubset = on_doctype,
                            .startElementNs = on_start,
                            .endElementNs = on_end,
                            .characters = on_text,
                            .ignorableWhitespace = on_text,
                            .serror = on_error };

  /* HUGE: libxml2 has limits of its own on a line, a value or a comment, far below
   * IDG_XML_MAX_FILE; depth, attributes and entities are bounded here as long as all is well. */
  xmlCtxtUseOptions (builder->parser, XML_PARSE_NONET | XML_PARSE_IGNORE_ENC | XML_PARSE_HUGE);
  *builder->parser->sax = handler;
  builder->parser->userData = builder;
  xmlParseDocument (builder->parser);
  if (!builder->error && (!builder->parser->wellFormed || !builder->doc->root.name))
    fail_at (builder->doc, 0, IDG_XML_SYNTAX, &builder->error, "not well-formed XML");
  for (guint i = 0; i < builder->depth; i++)
    if (builder->open[i].text)
      g_string_free (builder->open[i].text, TRUE);
}

static gboolean
build_tree (IdgXmlDoc *doc, const gchar *data, gsize length, GError **error)
{
  Builder *builder = g_new0 (Builder, 1);
  gboolean done = FALSE;

  builder->doc = doc;
  builder->parser = xmlCreateMemoryParserCtxt (data, (int)length);
  if (builder->parser)
    {
      run_parser (builder);
      done = builder->error == NULL;
      if (!done)
        g_propagate_error (error, builder->error);
      /* After an error of its own libxml2 reads on without telling us, and may keep the
       * declarations of a document type. They serve nothing: our callbacks know no entity. */
      xmlFreeDoc (builder->parser->myDoc);
      xmlFreeParserCtxt (builder->parser);
    }
  else
    fail_at (doc, 0, IDG_XML_MEMORY, error, "cannot be read: out of memory");
  g_free (builder);
  return done;
}

static IdgXmlDoc *
new_doc (const gchar *name, GQuark domain)
{
  IdgXmlDoc *doc = g_new0 (IdgXmlDoc, 1);

  doc->file = g_strdup (name);
  doc->domain = domain;
  doc->strings = g_string_chunk_new (1 << 12);
  doc->blocks = g_ptr_array_new_with_free_func (g_free);
  return doc;
}

void
idg_xml_free (IdgXmlDoc *doc)
{
  if (!doc)
    return;
  g_ptr_array_unref (doc->blocks);
  g_string_chunk_free (doc->strings);
  g_free (doc->file);
  g_free (doc);
}

IdgXmlDoc *
idg_xml_parse (const gchar *data, gsize length, const gchar *name, GQuark domain, GError **error)
{
  g_autoptr (IdgXmlDoc) doc = new_doc (name, domain);

  if (length > IDG_XML_MAX_FILE)
    {
      idg_xml_fail_file (doc, IDG_XML_READ, error, "cannot be read: larger than 64 MiB");
      return NULL;
    }
  if (length == 0)
    {
      fail_at (doc, 1, IDG_XML_SYNTAX, error, "not well-formed XML: the file is empty");
      return NULL;
    }
  if (!check_encoding (doc, data, length, error) || !check_tags (doc, data, length, error)
      || !build_tree (doc, data, length, error))
    return NULL;
  return g_steal_pointer (&doc);
}

GByteArray *
idg_xml_read (const gchar *path, GQuark domain, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_sized_new (1); /* an empty file has an address */
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  gboolean done = fd >= 0 && read_all (fd, bytes);
  int problem = errno;

  if (fd >= 0)
    close (fd);
  if (done)
    return g_steal_pointer (&bytes);
  g_set_error (error, domain, IDG_XML_READ, "%s: cannot be read: %s", path,
               problem == EFBIG ? "larger than 64 MiB" : g_strerror (problem));
  return NULL;
}

IdgXmlDoc *
idg_xml_load (const gchar *path, GQuark domain, GError **error)
{
  g_autoptr (GByteArray) bytes = idg_xml_read (path, domain, error);

  return bytes ? idg_xml_parse ((const gchar *)bytes->data, bytes->len, path, domain, error) : NULL;
}

IdgXmlNode *
idg_xml_get_root (const IdgXmlDoc *doc)
{
  return (IdgXmlNode *)&doc->root;
}

const gchar *
idg_xml_get_file (const IdgXmlDoc *doc)
{
  return doc->file;
}

IdgXmlNode *
idg_xml_next (const IdgXmlNode *node)
{
  if (node->first_child)
    return node->first_child;
  while (node && !node->next)
    node = node->parent;
  return node ? node->next : NULL;
}

const gchar *
idg_xml_get (const IdgXmlNode *node, const gchar *attribute)
{
  for (guint i = 0; i < node->n_values; i++)
    if (idg_xml_is_same (node->values[i].name, attribute))
      return node->values[i].value;
  return NULL;
}

gboolean
idg_xml_parse_whole (const gchar *text, guint64 max, guint64 *value)
{
  guint64 sum = 0;

  if (*text == '\0')
    return FALSE;
  for (; *text != '\0'; text++)
    {
      guint digit = (guint)(*text - '0');

      if (*text < '0' || *text > '9' || sum > max / 10 || digit > max - sum * 10)
        return FALSE;
      sum = sum * 10 + digit;
    }
  *value = sum;
  return TRUE;
}

guint64
idg_xml_get_whole (const IdgXmlNode *node, const gchar *attribute, guint64 fallback)
{
  const gchar *text = idg_xml_get (node, attribute);
  guint64 value = fallback;

  if (text)
    idg_xml_parse_whole (text, G_MAXUINT64, &value);
  return value;
}

void
idg_xml_set (IdgXmlNode *node, guint index, const gchar *value)
{
  node->values[index].value = g_string_chunk_insert (idg_xml_get_doc (node)->strings, value);
}
