/* SPDX-License-Identifier: MIT */
/* The shape of a GPU description, as a table: elements, attributes, and how values are written
 * (FORMATS.md, "GPU description"). configs/gpu.rng is made from it. What one file must hold to for
 * itself, whatever it starts from.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/gpu/wp-gpu-xml.h"

/* Checks a time; if `min` is 1, it must be above 0. */
static gchar *
check_time (const IdgXmlAttribute *attribute, const gchar *value)
{
  WpCycles time;
  const gchar *problem = wp_cycles_parse (value, FALSE, &time);
  const gchar *least = attribute->min ? "above 0" : "at least 0";

  if (!problem && (attribute->min == 0 || time.num > 0))
    return NULL;
  if (!problem || g_str_has_prefix (problem, "not a"))
    return g_strdup_printf ("must be a decimal or a fraction, such as 12.3 or 1/6, %s", least);
  return g_strdup_printf ("must be a decimal or a fraction, such as 12.3 or 1/6, %s; this is %s",
                          least, problem);
}

#define TIME_PATTERN "[0-9]+|[0-9]+\\.[0-9]+|[0-9]+/0*[1-9][0-9]*"

static const IdgXmlType time_type = {
  .name = "time",
  .note = "12, 12.3 or 1/6",
  .check = check_time,
  .pattern = TIME_PATTERN,
  .positive = "0*[1-9][0-9]*(\\.[0-9]+)?|0+\\.[0-9]*[1-9][0-9]*|0*[1-9][0-9]*/0*[1-9][0-9]*",
};

/* Of the GPU, a pipeline or an op. */
static gchar *
check_name (const IdgXmlAttribute *attribute, const gchar *value)
{
  if (strchr (value, '*'))
    return g_strdup ("must be a name without *");
  return idg_xml_check_name (attribute, value);
}

static const IdgXmlType name_type = {
  .name = "name",
  .note = "of the GPU, a pipeline or an op",
  .check = check_name,
  .pattern = "[^" IDG_XML_NO_NAME "*]+",
};

static gchar *
check_context_name (const IdgXmlAttribute *attribute, const gchar *value)
{
  const gchar *star = strchr (value, '*');
  gsize length = strlen (value), stem = length;
  guint n = 0;

  while (stem >= 2 && strncmp (value + stem - 2, "-*", 2) == 0)
    {
      stem -= 2;
      n++;
    }
  if (star && (n == 0 || stem == 0 || (gsize)(star - value) != stem + 1 || n > WP_MAX_STARS))
    return g_strdup_printf ("must be a name, which may end in \"-*\", up to %d times, but has no "
                            "other *",
                            WP_MAX_STARS);
  return idg_xml_check_name (attribute, value);
}

static const IdgXmlType context_name = {
  .name = "context-name",
  .note = "it may end in -*, which stands for a number, or in several of them",
  .check = check_context_name,
  .pattern = "[^" IDG_XML_NO_NAME "*]+(-\\*){0,4}",
};

static gchar *
check_wildcard (const IdgXmlAttribute *attribute, const gchar *value)
{
  (void)attribute;
  return g_str_has_suffix (value, "-*") ? NULL : g_strdup ("must end in \"-*\"");
}

static const IdgXmlType wildcard_name = {
  .name = "wildcard-name",
  .note = "ends in \"-*\"",
  .check = check_wildcard,
  .pattern = "[^" IDG_XML_NO_NAME "*]+(-\\*){1,4}",
};

static gchar *
check_several (const IdgXmlAttribute *attribute, const gchar *value)
{
  (void)attribute;
  return g_str_has_suffix (value, "-*-*") ? NULL : g_strdup ("must end in \"-*-*\"");
}

static const IdgXmlType several_name = {
  .name = "several-name",
  .note = "ends in \"-*-*\"",
  .check = check_several,
  .pattern = "[^" IDG_XML_NO_NAME "*]+(-\\*){2,4}",
};

static gchar *
check_times (const IdgXmlAttribute *attribute, const gchar *value)
{
  g_auto (GStrv) words = idg_xml_split (value);
  gboolean is_good = *words != NULL;
  WpCycles time;

  (void)attribute;
  for (guint i = 0; words[i]; i++)
    is_good = is_good && !wp_cycles_parse (words[i], FALSE, &time);
  return is_good ? NULL : g_strdup ("must be times, such as \"30 210\"");
}

static const IdgXmlType times_type = {
  .name = "times",
  .note = "one for each number of pipelines that are left, from its own alone on",
  .check = check_times,
  .pattern = "\\s*(" TIME_PATTERN ")(\\s+(" TIME_PATTERN "))*\\s*",
};

static gchar *
check_file_name (const IdgXmlAttribute *attribute, const gchar *value)
{
  if (strchr (value, G_DIR_SEPARATOR))
    return g_strdup ("must be the name of a description, without a folder and without \".xml\"");
  return idg_xml_check_name (attribute, value);
}

static const IdgXmlType file_name = {
  .name = "file-name",
  .note = "without a folder",
  .check = check_file_name,
  .pattern = "[^" IDG_XML_NO_NAME "/]+",
};

static gchar *
check_queue (const IdgXmlAttribute *attribute, const gchar *value)
{
  guint64 number;

  if (strcmp (value, "unbounded") == 0 || idg_xml_parse_whole (value, attribute->max, &number))
    return NULL;
  return g_strdup_printf ("must be a whole number from 0 to %" G_GUINT64_FORMAT " or \"unbounded\"",
                          attribute->max);
}

static const IdgXmlType queue_type = {
  .name = "queue",
  .check = check_queue,
  .pattern = "[0-9]+|unbounded",
};

static gchar *
check_width (const IdgXmlAttribute *attribute, const gchar *value)
{
  guint64 number;

  if (strcmp (value, "any") == 0
      || (idg_xml_parse_whole (value, attribute->max, &number) && number >= attribute->min))
    return NULL;
  return g_strdup_printf ("must be a number of bytes from %" G_GUINT64_FORMAT
                          " to %" G_GUINT64_FORMAT ", or \"any\"",
                          attribute->min, attribute->max);
}

static const IdgXmlType width_type = {
  .name = "width",
  .note = "bytes of a thread that the figures are for",
  .check = check_width,
  .pattern = "0*[1-9][0-9]*|any",
};

static gchar *
check_cc (const IdgXmlAttribute *attribute, const gchar *value)
{
  gsize major = strspn (value, "0123456789");

  (void)attribute;
  if (major >= 1 && major <= 2 && value[0] != '0' && value[major] == '.'
      && g_ascii_isdigit (value[major + 1]) && value[major + 2] == '\0')
    return NULL;
  return g_strdup ("must be a compute capability, such as 8.0");
}

static const IdgXmlType cc_type = {
  .name = "compute-capability",
  .note = "such as 8.0",
  .check = check_cc,
  .pattern = "[1-9][0-9]?\\.[0-9]",
};

static gchar *
check_at (const IdgXmlAttribute *attribute, const gchar *value)
{
  g_auto (GStrv) words = idg_xml_split (value);
  guint64 last = 0, number;
  guint n = 0;
  gboolean is_good = TRUE;

  (void)attribute;
  for (; words[n] && is_good; n++, last = number)
    {
      number = 0;
      is_good = idg_xml_parse_whole (words[n], 100, &number)
                && (words[n][0] != '0' || words[n][1] == '\0')
                && (n == 0 ? number == 0 : number > last);
    }
  if (is_good && n >= 2 && last == 100)
    return NULL;
  return g_strdup ("must be whole numbers that rise from 0 to 100, such as \"0 5 50 95 100\"");
}

static const IdgXmlType at_type = {
  .name = "at",
  .note = "percentiles from 0 to 100",
  .check = check_at,
  .pattern = "\\s*0(\\s+[1-9][0-9]?)*\\s+100\\s*",
};

static gchar *
check_add (const IdgXmlAttribute *attribute, const gchar *value)
{
  static const gchar form[] = "must be times that never fall, such as \"-16 -8 0 24 200\"";
  g_auto (GStrv) words = idg_xml_split (value);
  WpCycles last = wp_cycles_whole (0);

  (void)attribute;
  if (!*words)
    return g_strdup (form);
  for (guint i = 0; words[i]; i++)
    {
      WpCycles time;
      const gchar *problem = wp_cycles_parse (words[i], TRUE, &time);

      if (!problem && i > 0 && wp_cycles_compare (time, last) < 0)
        problem = "less than the one before";
      if (problem)
        {
          g_autofree gchar *quoted = idg_xml_quote (words[i]);

          return g_strdup_printf ("%s; %s is %s", form, quoted, problem);
        }
      last = time;
    }
  return NULL;
}

#define SIGNED_TIME "-?(" TIME_PATTERN ")"

static const IdgXmlType add_type = {
  .name = "add",
  .note = "a time for each percentile",
  .check = check_add,
  .pattern = "\\s*" SIGNED_TIME "(\\s+" SIGNED_TIME ")+\\s*",
};

#define WP_SHARES "sm device pins" /* the names of WpShare, in its order */

/* The usual attributes of the tables below. */
#define TEXT(attribute) .name = attribute, .type = &idg_xml_line
#define NAME(attribute) .name = attribute, .type = &name_type
#define TIME(attribute) .name = attribute, .type = &time_type
#define POSITIVE(attribute) .name = attribute, .type = &time_type, .min = 1
#define WHOLE(attribute, least, most)                                                              \
  .name = attribute, .type = &idg_xml_whole, .min = least, .max = most
#define WIDTH(attribute) .name = attribute, .type = &width_type, .min = 1, .max = WP_MAX_WIDTH
#define CHOICE(attribute, list) .name = attribute, .type = &idg_xml_choice, .choices = list
#define END .name = NULL

static const IdgXmlAttribute gpu_attributes[] = {
  { NAME ("name") },       { TEXT ("title") }, { .name = "like", .type = &file_name, .base = TRUE },
  { TEXT ("generation") }, { TEXT ("year") },  { END },
};

static const IdgXmlAttribute no_attributes[] = {
  { END },
};

static const IdgXmlAttribute device_attributes[] = {
  { WHOLE ("sms", 1, WP_MAX_SMS), .complete = TRUE },
  { POSITIVE ("clock-mhz"), .complete = TRUE },
  { WHOLE ("warp-size", 1, WP_MAX_WARP_SIZE) },
  { POSITIVE ("pin-gbs") },
  { .name = "cc", .type = &cc_type },
  { END },
};

static const IdgXmlAttribute limits_attributes[] = {
  { WHOLE ("warps", 0, WP_MAX_RESOURCE) },
  { WHOLE ("blocks", 0, WP_MAX_RESOURCE) },
  { WHOLE ("threads", 0, WP_MAX_RESOURCE) },
  { WHOLE ("registers", 0, WP_MAX_RESOURCE) },
  { WHOLE ("shared-memory", 0, WP_MAX_RESOURCE) },
  { WHOLE ("threads-per-block", 0, WP_MAX_RESOURCE) },
  { WHOLE ("registers-per-thread", 0, WP_MAX_RESOURCE) },
  { WHOLE ("shared-memory-per-block", 0, WP_MAX_RESOURCE) },
  { WHOLE ("register-allocation", 1, WP_MAX_RESOURCE) },
  { CHOICE ("register-scope", "warp block") },
  { WHOLE ("register-partitions", 1, WP_MAX_PARTITIONS) },
  { WHOLE ("shared-memory-allocation", 1, WP_MAX_RESOURCE) },
  { WHOLE ("shared-memory-reserved", 0, WP_MAX_RESOURCE) },
  { END },
};

static const IdgXmlAttribute cache_attributes[] = {
  { WHOLE ("level", 1, WP_MAX_CACHES), .required = TRUE },
  { WHOLE ("bytes", 1, WP_MAX_RESOURCE), .complete = TRUE },
  { WHOLE ("line", 1, WP_MAX_LINE) },
  { WHOLE ("sector", 1, WP_MAX_LINE) },
  { WHOLE ("ways", 1, WP_MAX_WAYS) },
  { END },
};

static const IdgXmlAttribute code_cache_attributes[] = {
  { WHOLE ("bytes", 0, WP_MAX_RESOURCE), .complete = TRUE },
  { WHOLE ("piece", 16, WP_MAX_LINE) },
  { END },
};

static const IdgXmlAttribute contention_attributes[] = {
  { TIME ("a"), .complete = TRUE },
  { TIME ("b"), .complete = TRUE },
  { POSITIVE ("c"), .complete = TRUE },
  { END },
};

static const IdgXmlAttribute latency_attributes[] = {
  { TIME ("latency") },
  { END },
};

static const IdgXmlAttribute scheduler_attributes[] = {
  { WHOLE ("count", 1, WP_MAX_SCHEDULERS) },
  { TIME ("interval") },
  { WHOLE ("issue-limit", 1, G_MAXUINT32) },
  { WHOLE ("dual-issue", 1, WP_MAX_DUAL_ISSUE) },
  { TIME ("ilp-latency") },
  { CHOICE ("order", "program dataflow") },
  { END },
};

static const IdgXmlAttribute pipeline_attributes[] = {
  { NAME ("name"), .required = TRUE },
  { CHOICE ("kind", "compute memory") },
  { CHOICE ("scope", "sm scheduler") },
  { .name = "queue", .type = &queue_type, .max = WP_MAX_QUEUE },
  { CHOICE ("pairing", "any never") },
  { WHOLE ("channels", 0, WP_MAX_CHANNELS) },
  { TIME ("channel-issue") },
  { WHOLE ("inflight", 1, WP_MAX_INFLIGHT) },
  { WHOLE ("shared", 1, WP_MAX_SMS) },
  { TIME ("turnaround") },
  { CHOICE ("share", WP_SHARES) },
  { POSITIVE ("scale") },
  { POSITIVE ("units") },
  { END },
};

static const IdgXmlAttribute op_attributes[] = {
  { NAME ("name"), .required = TRUE },
  { NAME ("like"), .base = TRUE },
  { NAME ("pipeline"), .complete = TRUE },
  { TIME ("issue"), .complete = TRUE },
  { TIME ("completion"), .complete = TRUE },
  { WHOLE ("flops", 0, WP_MAX_RESOURCE) },
  { WHOLE ("bytes", 0, WP_MAX_RESOURCE) },
  { WHOLE ("slots", 1, WP_MAX_SLOTS) },
  { WHOLE ("transactions", 0, WP_MAX_TRANSACTIONS) },
  { CHOICE ("posted", "yes no") },
  { CHOICE ("write", "yes no") },
  { POSITIVE ("scale") },
  { CHOICE ("share", WP_SHARES) },
  { WIDTH ("width") },
  { WHOLE ("width-min", 1, WP_MAX_WIDTH) },
  { TIME ("issue-min") },
  { END },
};

static const IdgXmlAttribute then_attributes[] = {
  { NAME ("pipeline") },
  { TIME ("issue") },
  { WHOLE ("transactions", 0, WP_MAX_TRANSACTIONS) },
  { TIME ("issue-each") },
  { TIME ("completion-each") },
  { WHOLE ("transactions-each", 0, WP_MAX_TRANSACTIONS) },
  { WHOLE ("bytes", 0, WP_MAX_RESOURCE) },
  { WHOLE ("bytes-each", 0, WP_MAX_RESOURCE) },
  { END },
};

static const IdgXmlAttribute context_attributes[] = {
  { .name = "name", .type = &context_name, .required = TRUE },
  { TIME ("issue") },
  { TIME ("completion") },
  { WHOLE ("flops", 0, WP_MAX_RESOURCE) },
  { WHOLE ("bytes", 0, WP_MAX_RESOURCE) },
  { WHOLE ("slots", 1, WP_MAX_SLOTS) },
  { WHOLE ("transactions", 0, WP_MAX_TRANSACTIONS) },
  { CHOICE ("posted", "yes no") },
  { TIME ("issue-each"), .label_type = &wildcard_name },
  { TIME ("completion-each"), .label_type = &wildcard_name },
  { WHOLE ("transactions-each", 0, WP_MAX_TRANSACTIONS), .label_type = &wildcard_name },
  { WHOLE ("bytes-each", 0, WP_MAX_RESOURCE), .label_type = &wildcard_name },
  { WHOLE ("flops-each", 0, WP_MAX_RESOURCE), .label_type = &wildcard_name },
  { .name = "completion-short", .type = &times_type, .label_type = &several_name },
  { POSITIVE ("scale") },
  { CHOICE ("share", WP_SHARES) },
  { WIDTH ("width") },
  { WHOLE ("width-min", 1, WP_MAX_WIDTH) },
  { TIME ("issue-min") },
  { END },
};

static const IdgXmlAttribute consumer_attributes[] = {
  { NAME ("op"), .required = TRUE },
  { TIME ("completion"), .required = TRUE },
  { END },
};

static const IdgXmlAttribute spread_attributes[] = {
  { .name = "at", .type = &at_type, .required = TRUE },
  { .name = "add", .type = &add_type, .required = TRUE },
  { END },
};

const IdgXmlShape wp_gpu_shapes[] = {
  { .element = "gpu",
    .attributes = gpu_attributes,
    .children = "source? device~ limits? cache* code-cache? contention? launch? barrier? "
                "scheduler? pipeline* "
                "op*" },
  { .element = "source", .attributes = no_attributes, .text = TRUE },
  { .element = "device", .attributes = device_attributes },
  { .element = "limits", .attributes = limits_attributes },
  { .element = "cache", .label = "level", .unique = TRUE, .attributes = cache_attributes },
  { .element = "code-cache", .attributes = code_cache_attributes },
  { .element = "contention", .attributes = contention_attributes },
  { .element = "launch", .attributes = latency_attributes },
  { .element = "barrier", .attributes = latency_attributes },
  { .element = "scheduler", .attributes = scheduler_attributes },
  { .element = "pipeline", .label = "name", .unique = TRUE, .attributes = pipeline_attributes },
  { .element = "op",
    .label = "name",
    .unique = TRUE,
    .attributes = op_attributes,
    .children = "spread? then* context* consumer*" },
  { .element = "context",
    .label = "name",
    .unique = TRUE,
    .attributes = context_attributes,
    .children = "spread? then*" },
  { .element = "then", .label = "pipeline", .attributes = then_attributes },
  { .element = "consumer", .label = "op", .unique = TRUE, .attributes = consumer_attributes },
  { .element = "spread", .attributes = spread_attributes },
  { .element = NULL },
};

static gboolean
check_spread (const IdgXmlNode *node, GError **error)
{
  g_auto (GStrv) at = idg_xml_split (idg_xml_get (node, "at"));
  g_auto (GStrv) add = idg_xml_split (idg_xml_get (node, "add"));

  if (g_strv_length (at) == g_strv_length (add))
    return TRUE;
  return idg_xml_fail (node, IDG_XML_VALUE, error,
                       "at has %u values and add has %u; each percentile needs its time",
                       g_strv_length (at), g_strv_length (add));
}

static guint
count_thens (const IdgXmlNode *parent)
{
  guint n = 0;

  for (const IdgXmlNode *child = parent->first_child; child; child = child->next)
    n += strcmp (child->name, "then") == 0;
  return n;
}

/* NODE, a <then>: of a path, or alone and empty. */
static gboolean
check_then (const IdgXmlNode *node, GError **error)
{
  static const gchar *const each[]
      = { "issue-each", "completion-each", "transactions-each", "bytes-each" };
  const gchar *context
      = strcmp (node->parent->name, "context") == 0 ? idg_xml_get (node->parent, "name") : "";
  guint n = count_thens (node->parent);

  if (n > WP_MAX_PASSES)
    return idg_xml_fail (node, IDG_XML_VALUE, error, "a path has at most %d pipelines",
                         WP_MAX_PASSES);
  if (node->n_values == 0 && n > 1)
    return idg_xml_fail (node, IDG_XML_VALUE, error,
                         "a <then/> without attributes is the empty path, and stands alone");
  if (node->n_values > 0 && (!idg_xml_get (node, "pipeline") || !idg_xml_get (node, "issue")))
    return idg_xml_fail (node, IDG_XML_SYNTAX, error, "the attribute %s is missing",
                         idg_xml_get (node, "pipeline") ? "issue" : "pipeline");
  for (guint i = 0; i < G_N_ELEMENTS (each); i++)
    if (idg_xml_get (node, each[i]) && !g_str_has_suffix (context, "-*"))
      return idg_xml_fail (node, IDG_XML_SYNTAX, error,
                           "%s is only for a context whose name ends in \"-*\"", each[i]);
  return TRUE;
}

static guint
count_stars (const gchar *name)
{
  guint n = 0;

  for (; *name != '\0'; name++)
    n += *name == '*';
  return n;
}

/* NODE, a <context> whose name takes several numbers: each but the first is of a <then>. */
static gboolean
check_numbers (const IdgXmlNode *node, GError **error)
{
  guint stars = count_stars (idg_xml_get (node, "name")), n = count_thens (node), i = 0;
  const gchar *text = idg_xml_get (node, "completion-short");
  g_auto (GStrv) words = idg_xml_split (text ? text : "");

  if (stars < 2 || idg_xml_get (node, "scale"))
    return TRUE;
  if (n + 1 < stars)
    return idg_xml_fail (node, IDG_XML_VALUE, error,
                         "its name takes %u numbers; the first is its own, and each further one "
                         "needs a <then> in it",
                         stars);
  if (text && !idg_xml_get (node, "completion"))
    return idg_xml_fail (node, IDG_XML_VALUE, error,
                         "completion-short is for a context with a completion of its own");
  if (text && g_strv_length (words) != n)
    return idg_xml_fail (node, IDG_XML_VALUE, error,
                         "completion-short has %u times; a path of %u needs %u, from that of its "
                         "own pipeline alone to that of all but the last",
                         g_strv_length (words), n, n);
  for (const IdgXmlNode *child = node->first_child; child; child = child->next)
    if (strcmp (child->name, "then") == 0 && ++i >= stars
        && (idg_xml_get (child, "issue-each") || idg_xml_get (child, "completion-each")
            || idg_xml_get (child, "transactions-each") || idg_xml_get (child, "bytes-each")))
      return idg_xml_fail (child, IDG_XML_VALUE, error,
                           "the context's name has no number for this one; its last goes with the "
                           "<then> number %u",
                           stars - 1);
  return TRUE;
}

gboolean
wp_gpu_check_shape (IdgXmlDoc *doc, GError **error)
{
  if (!idg_xml_check_shape (doc, wp_gpu_shapes, "gpu", error) || !idg_xml_check_values (doc, error))
    return FALSE;
  for (const IdgXmlNode *node = idg_xml_get_root (doc); node; node = idg_xml_next (node))
    if ((idg_xml_is_same (node->name, "spread") && !check_spread (node, error))
        || (idg_xml_is_same (node->name, "then") && !check_then (node, error))
        || (idg_xml_is_same (node->name, "context") && !check_numbers (node, error)))
      return FALSE;
  return TRUE;
}
