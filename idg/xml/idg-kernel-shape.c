/* SPDX-License-Identifier: MIT */
/* The shape of a kernel file, as a table: elements, attributes, and how values are written
 * (FORMATS.md, "Kernel"). kernel.rng is made from it.
 */
#include "idg/xml/idg-kernel-shape.h"

#include <string.h>

static gchar *
check_parameter_name (const IdgXmlAttribute *attribute, const gchar *value)
{
  const gchar *p = value;

  (void)attribute;
  if (g_ascii_isalpha (*p) || *p == '_')
    while (g_ascii_isalnum (*p) || (*p != '\0' && strchr ("_.-", *p)))
      p++;
  if (p > value && *p == '\0' && p - value <= IDG_XML_MAX_NAME)
    return NULL;
  return g_strdup_printf (
      "must be a name: a letter or _, then letters, digits, _, . and -, at most "
      "%d in all",
      IDG_XML_MAX_NAME);
}

static const IdgXmlType parameter_name = {
  .name = "parameter-name",
  .check = check_parameter_name,
  .pattern = IDG_XML_PARAMETER,
};

/* Parts with dots between them: the last ones are dropped in turn to find the GPU's op. */
static gchar *
check_op (const IdgXmlAttribute *attribute, const gchar *value)
{
  gchar *wrong = idg_xml_check_name (attribute, value);

  if (wrong)
    return wrong;
  if (strcmp (value, "bar.sync") == 0 || g_str_has_prefix (value, "bar.sync."))
    return g_strdup ("is not an op of a kernel; write <barrier/>");
  if (*value == '.' || strstr (value, "..") || g_str_has_suffix (value, "."))
    return g_strdup ("must be a name of parts with single dots between them");
  return NULL;
}

static const IdgXmlType op_name = {
  .name = "op",
  .note = "parts with dots between them, none empty; bar.sync is a barrier element",
  .check = check_op,
  .pattern = "[^" IDG_XML_NO_NAME ".]+(\\.[^" IDG_XML_NO_NAME ".]+)*",
  .except = "bar\\.sync(\\..*)?",
};

/* Digits, of which parameters may stand for some. */
#define NUMBER "([0-9]|" IDG_XML_IN_BRACES ")+"

/* The name of a context, and a part of a mix. */
#define CONTEXT "([^" IDG_XML_NO_NAME "*]|" IDG_XML_IN_BRACES ")+"
#define PART CONTEXT "\\*" NUMBER

static const IdgXmlType context_name = {
  .name = "context",
  .note = "a name, or a mix of names with weights: l1*5 l2*2; a kernel names a case of a wildcard, "
          "not the wildcard",
  .check = idg_xml_check_context,
  .pattern = CONTEXT "|\\s*" PART "(\\s+" PART ")*\\s*",
  .braces = TRUE,
};

const gchar *
idg_kernel_parse_range (const gchar *word, IdgRange *range)
{
  const gchar *dash = strchr (word, '-');
  g_autofree gchar *first = dash ? g_strndup (word, (gsize)(dash - word)) : g_strdup (word);

  if (!idg_xml_parse_whole (first, IDG_KERNEL_MAX_NUMBER, &range->first))
    return "is not";
  range->last = range->first;
  if (dash && !idg_xml_parse_whole (dash + 1, IDG_KERNEL_MAX_NUMBER, &range->last))
    return "is not";
  return range->last < range->first ? "falls" : NULL;
}

static gchar *
check_ranges (const IdgXmlAttribute *attribute, const gchar *value)
{
  static const gchar form[]
      = "must be whole numbers up to 2^53 and ranges of them, rising, such as \"0-3 7\"";
  g_auto (GStrv) words = idg_xml_split (value);

  (void)attribute;
  if (!*words)
    return g_strdup (form);
  for (gchar **word = words; *word; word++)
    {
      IdgRange range;
      const gchar *problem = idg_kernel_parse_range (*word, &range);

      if (problem)
        {
          g_autofree gchar *quoted = idg_xml_quote (*word);

          return g_strdup_printf ("%s; %s %s", form, quoted, problem);
        }
    }
  return NULL;
}

#define RANGE NUMBER "(-" NUMBER ")?"

static const IdgXmlType ranges = {
  .name = "ranges",
  .note = "whole numbers and ranges of them, both ends included: 0-3 7",
  .check = check_ranges,
  .pattern = "\\s*" RANGE "(\\s+" RANGE ")*\\s*",
  .braces = TRUE,
};

static const IdgXmlType number = {
  .name = "number",
  .note = "a whole number, or parts of it",
  .check = idg_xml_check_whole,
  .pattern = NUMBER,
  .braces = TRUE,
};

static gchar *
check_warning_name (const IdgXmlAttribute *attribute, const gchar *value)
{
  const gchar *p = value;

  (void)attribute;
  while (g_ascii_islower (*p))
    {
      while (g_ascii_islower (*p) || g_ascii_isdigit (*p))
        p++;
      if (*p == '\0' && p - value <= IDG_XML_MAX_NAME)
        return NULL;
      if (*p++ != '-')
        break;
    }
  return g_strdup_printf ("must be words with dashes between them, as in \"lower-bound\": letters "
                          "from a to z, then also digits, at most %d in all",
                          IDG_XML_MAX_NAME);
}

static const IdgXmlType warning_name = {
  .name = "warning-name",
  .note = "words with dashes between them",
  .check = check_warning_name,
  .pattern = "[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*",
};

#define COUNT(attribute, least, most) .name = attribute, .type = &number, .min = least, .max = most

static const IdgXmlAttribute kernel_attributes[] = {
  { .name = "name", .type = &idg_xml_label, .required = TRUE },
  { .name = "title", .type = &idg_xml_title },
  { .name = "ops",
    .type = &idg_xml_choice,
    .choices = "exact nearest",
    .note = "what becomes of an op that a GPU lacks: an error, or the nearest one by class" },
  { .name = "addresses",
    .type = &idg_xml_choice,
    .choices = "known assumed",
    .note = "whether what has no context is known to be coalesced, free of conflicts and from "
            "DRAM" },
  { .name = "memory",
    .type = &idg_xml_choice,
    .choices = "ideal contended",
    .note = "the memory of runs that do not say it" },
  { .name = "scheduled",
    .type = &idg_xml_choice,
    .choices = "yes no",
    .note
    = "whether the instructions are in the order in which they run, or an assembler has still "
      "to move them" },
  { .name = "sample",
    .type = &idg_xml_choice,
    .choices = "first spread",
    .note
    = "which blocks are simulated where these are not all, and nobody says of how many SMs: the "
      "first ones, or where those are not like others blocks from all over the launch" },
  { .name = NULL },
};

static const IdgXmlAttribute parameter_attributes[] = {
  { .name = "name", .type = &parameter_name, .required = TRUE },
  { .name = "value", .type = &idg_xml_whole, .required = TRUE, .max = IDG_KERNEL_MAX_NUMBER },
  { .name = "text", .type = &idg_xml_line },
  { .name = NULL },
};

static const IdgXmlAttribute launch_attributes[] = {
  { COUNT ("blocks", 1, IDG_MAX_BLOCKS), .required = TRUE },
  { COUNT ("threads", 1, IDG_MAX_THREADS), .required = TRUE, .note = "for each block" },
  { COUNT ("registers", 0, IDG_MAX_REGISTERS), .note = "for each thread" },
  { COUNT ("shared-memory", 0, IDG_MAX_SHARED_MEMORY), .note = "bytes for each block" },
  { .name = "fixed",
    .type = &idg_xml_choice,
    .choices = "nothing threads blocks both",
    .note
    = "what of it loops and branches of the programs depend on, so that it cannot be another" },
  { .name = "assumed",
    .type = &idg_xml_choice,
    .choices = "nothing threads blocks both",
    .note = "what of it nobody said" },
  { .name = NULL },
};

static const IdgXmlAttribute execute_attributes[] = {
  { .name = "file", .type = &idg_xml_line, .required = TRUE, .note = "beside the kernel file" },
  { .name = "launch",
    .type = &idg_xml_line,
    .required = TRUE,
    .note = "k<<<grid, block>>>(A, $n), several with ; between them" },
  { .name = "data", .type = &idg_xml_line, .note = "A=f32:random B=zeros" },
  { .name = "nvcc", .type = &idg_xml_line, .note = "more options of the compiler" },
  { .name = NULL },
};

static const IdgXmlAttribute warning_attributes[] = {
  { .name = "name", .type = &warning_name, .required = TRUE },
  { .name = "text", .type = &idg_xml_title, .required = TRUE },
  { .name = NULL },
};

static const IdgXmlAttribute program_attributes[] = {
  { .name = "name", .type = &idg_xml_label },
  { .name = "warps", .type = &ranges },
  { .name = "blocks", .type = &ranges },
  { .name = NULL },
};

static const IdgXmlAttribute repeat_attributes[] = {
  { COUNT ("count", 0, IDG_MAX_COUNT), .required = TRUE },
  { .name = NULL },
};

#define AFTER .name = "after", .type = &idg_xml_names, .note = "each may end in :2 to :64"

static const IdgXmlAttribute instruction_attributes[] = {
  { .name = "op", .type = &op_name, .required = TRUE },
  { .name = "id", .type = &idg_xml_name },
  { .name = "context", .type = &context_name },
  { AFTER },
  { COUNT ("stall", 0, IDG_MAX_STALL),
    .note = "cycles in which the warp issues nothing more, from its issue on" },
  { .name = "text", .type = &idg_xml_line },
  { .name = NULL },
};

static const IdgXmlAttribute barrier_attributes[] = {
  { .name = "name", .type = &idg_xml_name },
  { COUNT ("warps", 1, IDG_MAX_COUNT),
    .note = "how many comings release it, with a name only; all warps when left out" },
  { AFTER },
  { .name = "text", .type = &idg_xml_line },
  { .name = NULL },
};

static const IdgXmlAttribute arrive_attributes[] = {
  { .name = "name", .type = &idg_xml_name, .required = TRUE },
  { AFTER },
  { .name = "when",
    .type = &idg_xml_names,
    .note = "in the place of after: the warp comes when these are complete, and does not wait" },
  { .name = "text", .type = &idg_xml_line },
  { .name = NULL },
};

static const gchar body[] = "i* repeat* barrier* arrive*";

const IdgXmlShape idg_kernel_shapes[] = {
  { .element = "kernel",
    .attributes = kernel_attributes,
    .children = "parameter* launch! warning* program+",
    .other = "execute",
    .other_children = "parameter* execute!",
    .ordered = TRUE },
  { .element = "parameter", .label = "name", .unique = TRUE, .attributes = parameter_attributes },
  { .element = "launch", .attributes = launch_attributes },
  { .element = "execute", .attributes = execute_attributes },
  { .element = "warning", .attributes = warning_attributes },
  { .element = "program", .label = "name", .attributes = program_attributes, .children = body },
  { .element = "repeat", .attributes = repeat_attributes, .children = body },
  { .element = "i", .label = "id", .attributes = instruction_attributes },
  { .element = "barrier", .label = "name", .attributes = barrier_attributes },
  { .element = "arrive", .label = "name", .attributes = arrive_attributes },
  { .element = NULL },
};
