/* SPDX-License-Identifier: MIT */
/* expat only parses here; the tree is ours, built from its callbacks. A document type declaration
 * is refused before anything in it is read, so that no entity exists; the depth is bounded, so that
 * readers may recurse; the line of every tag is exact. Of an error expat says little:
 * idg-xml-problem.c says the rest.
 *
 * Names and values live in one string chunk, nodes and attributes in blocks, freed together with
 * the document. */
#include "idg/xml/idg-xml.h"
#include "idg/xml/idg-xml-problem.h"

#include <errno.h>
#include <expat.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define NODES_PER_BLOCK 256
#define RECENT_NAMES 64
#define VALUES_PER_BLOCK (4 * IDG_XML_MAX_ATTRIBUTES)

struct IdgXmlDoc
{
  IdgXmlNode root; /* first: see idg_xml_get_doc() */
  gchar *file;
  GQuark domain;
  GStringChunk *strings;
  const gchar *recent[RECENT_NAMES]; /* names in it, most of which come again and again; or NULL */
  GPtrArray *blocks;                 /* of nodes and of attributes */
  gpointer next_node, next_value;    /* in the last block of each */
  guint n_nodes, n_values;           /* that are left there */
};

/* What the callbacks share. */
typedef struct
{
  IdgXmlDoc *doc;
  XML_Parser parser;
  const gchar *data, *end; /* what it reads */
  const gchar *counted;    /* up to where lines are */
  gint line;               /* of it */
  GError *error;           /* the first one; nothing is done after it */
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

      if (p - valid >= IDG_XML_MAX_QUOTED)
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
    g_string_append_printf (path, "<%.*s>: ", IDG_XML_MAX_QUOTED, node->name);
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

/* Behind the byte order mark, if there is one. */
static const gchar *
skip_mark (const gchar *data, const gchar *end)
{
  return end - data >= 3 && memcmp (data, "\xef\xbb\xbf", 3) == 0 ? data + 3 : data;
}

/* What an XML declaration at the beginning of DATA says of NAME, or NULL. Free with g_free(). */
static gchar *
get_declared (const gchar *data, const gchar *end, const gchar *name)
{
  const gchar *p = skip_mark (data, end), *close;

  if (end - p < 6 || memcmp (p, "<?xml", 5) != 0 || !is_blank (p[5]))
    return NULL;
  end = g_strstr_len (p, end - p, "?>");
  p = end ? g_strstr_len (p, end - p, name) : NULL;
  if (!p)
    return NULL;
  for (p += strlen (name); p < end && (is_blank (*p) || *p == '='); p++)
    ;
  if (p == end || (*p != '"' && *p != '\''))
    return NULL;
  close = memchr (p + 1, *p, (gsize)(end - p - 1));
  return close ? g_strndup (p + 1, (gsize)(close - p - 1)) : NULL;
}

/* As g_utf8_validate_len(), but quicker where all is ASCII, as it mostly is. */
static gboolean
is_utf8 (const gchar *data, gsize length, const gchar **place)
{
  const gchar *end = data + length;

  for (guint64 eight; end - data >= (gssize)sizeof eight; data += sizeof eight)
    {
      memcpy (&eight, data, sizeof eight);
      /* A byte that is beyond ASCII, or NUL. */
      if (((eight | (eight - 0x0101010101010101)) & 0x8080808080808080) != 0)
        break;
    }
  return g_utf8_validate_len (data, (gsize)(end - data), place);
}

/* What is wrong with the encoding or the version of DATA, or NULL; PLACE gets where. Free with
 * g_free(). */
static gchar *
find_head_problem (const gchar *data, gsize length, const gchar **place)
{
  g_autofree gchar *encoding = NULL, *version = NULL, *quoted = NULL;

  *place = data;
  if (length >= 2 && (memcmp (data, "\xff\xfe", 2) == 0 || memcmp (data, "\xfe\xff", 2) == 0))
    return g_strdup ("encoded in UTF-16 or UTF-32; the encoding must be UTF-8");
  if (!is_utf8 (data, length, place))
    {
      if (**place == '\0')
        return g_strdup ("a NUL byte; this is not an XML text in UTF-8");
      return g_strdup_printf ("not UTF-8 (byte 0x%02x); the encoding must be UTF-8",
                              (guchar) * *place);
    }
  *place = data;
  encoding = get_declared (data, data + length, "encoding");
  if (encoding && g_ascii_strcasecmp (encoding, "UTF-8") != 0)
    {
      quoted = idg_xml_quote (encoding);
      return g_strdup_printf ("the declared encoding is %s; it must be UTF-8", quoted);
    }
  version = get_declared (data, data + length, "version");
  if (version && strcmp (version, "1.0") != 0 && strcmp (version, "1.1") != 0)
    {
      quoted = idg_xml_quote (version);
      return g_strdup_printf ("the declared version of XML is %s; it must be 1.0", quoted);
    }
  return NULL;
}

static gboolean
check_head (const IdgXmlDoc *doc, const gchar *data, gsize length, GError **error)
{
  const gchar *place;
  g_autofree gchar *problem = find_head_problem (data, length, &place);

  if (problem)
    fail_at (doc, line_of (data, place), IDG_XML_SYNTAX, error, problem);
  return !problem;
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
      *next = g_malloc_n (per_block, size);
      *left = per_block;
      g_ptr_array_add (doc->blocks, *next);
    }
  first = *next;
  *next = (guint8 *)first + n * size;
  *left -= n;
  return first;
}

/* NAME among the strings of DOC, where each has one place. */
static const gchar *
keep_name (IdgXmlDoc *doc, const gchar *name)
{
  const gsize length = strlen (name);
  const guchar *ends = (const guchar *)name;
  const gchar **recent = &doc->recent[(ends[0] + 5 * ends[length / 2] + 7 * length) % RECENT_NAMES];

  if (!*recent || strcmp (*recent, name) != 0)
    *recent = g_string_chunk_insert_const (doc->strings, name);
  return *recent;
}

static IdgXmlNode *
new_node (IdgXmlDoc *doc, IdgXmlNode *parent, const gchar *name, gint line)
{
  IdgXmlNode *node = &doc->root;

  if (parent)
    node = take_room (doc, &doc->next_node, &doc->n_nodes, 1, NODES_PER_BLOCK, sizeof *node);
  *node = (IdgXmlNode){ .parent = parent, .name = keep_name (doc, name), .line = line };
  return node;
}

static const gchar *
get_place (const Builder *builder)
{
  return builder->data + MAX (XML_GetCurrentByteIndex (builder->parser), 0);
}

/* Of the tag or the text that the parser has just read. It goes on and on, and is counted once. */
static gint
get_line (Builder *builder)
{
  const gchar *place = get_place (builder), *p;

  while ((p = memchr (builder->counted, '\n', (gsize)(place - builder->counted))) != NULL)
    {
      builder->line++;
      builder->counted = p + 1;
    }
  builder->counted = place;
  return builder->line;
}

static void
stop (Builder *builder, gint line, const gchar *message)
{
  if (!builder->error)
    fail_at (builder->doc, line, IDG_XML_SYNTAX, &builder->error, message);
  XML_StopParser (builder->parser, XML_FALSE);
}

/* Says what is wrong where the parser is. */
static void
fail_here (Builder *builder)
{
  IdgXmlStop place = { .begin = skip_mark (builder->data, builder->end),
                       .end = builder->end,
                       .place = get_place (builder),
                       .is_after = builder->depth == 0 && builder->doc->root.name };
  g_autofree gchar *message = NULL;
  const gchar *where;

  if (builder->depth > 0)
    {
      place.element = builder->open[builder->depth - 1].node->name;
      place.element_line = builder->open[builder->depth - 1].node->line;
    }
  message = idg_xml_find_problem (&place, &where);
  fail_at (builder->doc, line_of (builder->data, where), IDG_XML_SYNTAX, &builder->error, message);
}

/* It is called at the first thing behind the name, where the parser finds nothing wrong. */
static void
on_doctype (void *data, const XML_Char *name, const XML_Char *system, const XML_Char *external,
            int has_subset)
{
  Builder *builder = data;

  (void)name;
  (void)system;
  (void)external;
  (void)has_subset;
  fail_here (builder);
  XML_StopParser (builder->parser, XML_FALSE);
}

static void
add_values (Builder *builder, IdgXmlNode *node, guint n, const XML_Char **attributes)
{
  IdgXmlValue *values;

  if (n == 0)
    return;
  values = take_room (builder->doc, &builder->doc->next_value, &builder->doc->n_values, n,
                      VALUES_PER_BLOCK, sizeof *values);
  for (guint i = 0; i < n; i++)
    {
      values[i].name = keep_name (builder->doc, attributes[2 * i]);
      values[i].value = g_string_chunk_insert (builder->doc->strings, attributes[2 * i + 1]);
    }
  node->values = values;
  node->n_values = n;
}

static gboolean
is_of_namespace (const XML_Char *name)
{
  return strchr (name, ':') || strcmp (name, "xmlns") == 0;
}

/* What is wrong with a tag, but for its place, or NULL; N gets the number of its attributes. */
static const gchar *
check_tag (const XML_Char *name, const XML_Char **attributes, guint *n)
{
  gboolean is_plain = !strchr (name, ':');

  for (*n = 0; attributes[2 * *n]; ++*n)
    is_plain = is_plain && !is_of_namespace (attributes[2 * *n]);
  if (*n > IDG_XML_MAX_ATTRIBUTES)
    return "an element of more than " G_STRINGIFY (IDG_XML_MAX_ATTRIBUTES) " attributes";
  return is_plain ? NULL : "a namespace; names of elements and attributes have none here";
}

static void
on_start (void *data, const XML_Char *name, const XML_Char **attributes)
{
  Builder *builder = data;
  gint line = get_line (builder);
  guint n;
  const gchar *problem = check_tag (name, attributes, &n);
  IdgXmlNode *parent, *node;

  if (!problem && builder->depth == IDG_XML_MAX_DEPTH)
    problem
        = "elements nested deeper than " G_STRINGIFY (IDG_XML_MAX_DEPTH) ", which no file needs";
  if (problem)
    stop (builder, line, problem);
  if (builder->error)
    return;

  parent = builder->depth ? builder->open[builder->depth - 1].node : NULL;
  node = new_node (builder->doc, parent, name, line);
  add_values (builder, node, n, attributes);
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
on_end (void *data, const XML_Char *name)
{
  Builder *builder = data;
  GString *text;

  (void)name;
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

/* A new line comes by itself. */
static void
on_text (void *data, const XML_Char *text, int length)
{
  Builder *builder = data;
  int first = 0;

  if (builder->error)
    return;
  if (!builder->open[builder->depth - 1].text)
    {
      while (first < length && is_blank (text[first]))
        first++;
      if (first == length)
        return;
      builder->open[builder->depth - 1].text = g_string_new (NULL);
      builder->open[builder->depth - 1].text_line = get_line (builder);
    }
  g_string_append_len (builder->open[builder->depth - 1].text, text + first, length - first);
}

static void
take_error (Builder *builder)
{
  enum XML_Error code = XML_GetErrorCode (builder->parser);
  const gchar *place = get_place (builder);

  if (code == XML_ERROR_NO_MEMORY)
    fail_at (builder->doc, 0, IDG_XML_MEMORY, &builder->error, "cannot be read: out of memory");
  else if (code == XML_ERROR_DUPLICATE_ATTRIBUTE)
    {
      gint length = (gint)MIN (strcspn (place, " \t\n\r="), IDG_XML_MAX_QUOTED);
      g_autofree gchar *message = g_strdup_printf (
          IDG_XML_NOT_WELL_FORMED "the attribute %.*s is given twice", length, place);

      fail_at (builder->doc, line_of (builder->data, place), IDG_XML_SYNTAX, &builder->error,
               message);
    }
  else
    fail_here (builder);
}

/* expat takes NULL for a failure, also where it asks for nothing. */
static void *
allocate (size_t n)
{
  return g_malloc (MAX (n, 1));
}

static void *
reallocate (void *block, size_t n)
{
  return g_realloc (block, MAX (n, 1));
}

static void
run_parser (Builder *builder)
{
  /* Where memory runs out, it is with the parser as it is everywhere else. */
  static const XML_Memory_Handling_Suite memory = { allocate, reallocate, g_free };
  XML_Parser parser = XML_ParserCreate_MM ("UTF-8", &memory, NULL);

  builder->parser = parser;
  XML_SetUserData (parser, builder);
  XML_SetElementHandler (parser, on_start, on_end);
  XML_SetCharacterDataHandler (parser, on_text);
  XML_SetStartDoctypeDeclHandler (parser, on_doctype);
  /* Its tables of names are the same each time, and no random number is asked for. Who picks names
   * for a file so that they collide can make it slow to read; a kernel that is slow to simulate is
   * made more easily. */
  XML_SetHashSalt (parser, 1);
  /* All at once: what is cut in pieces is begun again with each of them. */
  if (XML_Parse (parser, builder->data, (int)(builder->end - builder->data), XML_TRUE)
          != XML_STATUS_OK
      && !builder->error)
    take_error (builder);
  XML_ParserFree (parser);
}

static gboolean
build_tree (IdgXmlDoc *doc, const gchar *data, gsize length, GError **error)
{
  g_autofree Builder *builder = g_new0 (Builder, 1);

  builder->doc = doc;
  builder->data = builder->counted = data;
  builder->end = data + length;
  builder->line = 1;
  run_parser (builder);
  for (guint i = 0; i < builder->depth; i++)
    if (builder->open[i].text)
      g_string_free (builder->open[i].text, TRUE);
  if (builder->error)
    g_propagate_error (error, builder->error);
  return builder->error == NULL;
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
  if (!check_head (doc, data, length, error) || !build_tree (doc, data, length, error))
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
