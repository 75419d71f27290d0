/* SPDX-License-Identifier: MIT */
/* Kernel files and which warp runs which program. What the shape of a file may be is tested here
 * once for both readers; check-gpu.c has what is the GPU's own. */
#include <string.h>

#include "idg/kernel/idg-barriers.h"
#include "idg/kernel/idg-kernel.h"
#include "tests/check-main.h"

#define LAUNCH "<launch blocks=\"10\" threads=\"64\"/>\n"

static IdgKernel *
parse_with (const gchar *text, const gchar *const *settings)
{
  g_autoptr (GError) error = NULL;
  IdgKernel *kernel = idg_kernel_parse (text, strlen (text), "k.xml", settings, &error);

  ck_assert_msg (error == NULL, "%s", error ? error->message : "");
  ck_assert_ptr_nonnull (kernel);
  return kernel;
}

static IdgKernel *
parse (const gchar *text)
{
  return parse_with (text, NULL);
}

/* A kernel of one program. */
static IdgKernel *
parse_body (const gchar *body)
{
  g_autofree gchar *text = g_strconcat ("<kernel name=\"k\">\n" LAUNCH "<program>\n", body,
                                        "</program></kernel>", NULL);

  return parse (text);
}

static const IdgProgram *
get_program (const IdgKernel *kernel, guint i)
{
  return ((const IdgKernelProgram *)g_ptr_array_index (kernel->programs, i))->program;
}

static void
refuse_bytes (const gchar *data, gsize length, const gchar *const *settings, gint code,
              const gchar *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IdgKernel) kernel = idg_kernel_parse (data, length, "k.xml", settings, &error);

  ck_assert_ptr_null (kernel);
  ck_assert_ptr_nonnull (error);
  ck_assert_str_eq (error->message, message);
  ck_assert (g_error_matches (error, IDG_ERROR, code));
}

static void
refuse (const gchar *text, gint code, const gchar *message)
{
  refuse_bytes (text, strlen (text), NULL, code, message);
}

/* BODY begins on line 4. */
static void
refuse_body (const gchar *body, gint code, const gchar *message)
{
  g_autofree gchar *text = g_strconcat ("<kernel name=\"k\">\n" LAUNCH "<program>\n", body,
                                        "</program></kernel>", NULL);

  refuse (text, code, message);
}

/* Reading. */

START_TEST (a_kernel_is_read_as_written)
{
  g_autoptr (IdgKernel) kernel
      = parse ("<?xml version='1.0' encoding='UTF-8'?>\n"
               "<kernel name='k' title='two &lt;words&gt; &amp;amp;'>\n"
               "<launch blocks='1024' threads='96' registers='16' shared-memory='48'/>\n"
               "<program name='p'>\n"
               "<i op='ld.global' context='stride-2' id='a' after='b a' text='LD'/>\n"
               "<repeat count='7'><!-- nothing -->\n"
               "<i op='add' id='b' after='a'/></repeat>\n"
               "<barrier after='a' text='BAR'/></program></kernel>\n");
  const IdgProgram *program = get_program (kernel, 0);

  ck_assert_str_eq (kernel->name, "k");
  ck_assert_str_eq (kernel->title, "two <words> &amp;");
  ck_assert_str_eq (kernel->file, "k.xml");
  ck_assert_int_eq (kernel->launch.blocks, 1024);
  ck_assert_int_eq (kernel->launch.threads, 96);
  ck_assert_int_eq (kernel->launch.registers, 16);
  ck_assert_int_eq (kernel->launch.shared_memory, 48);
  ck_assert_uint_eq (program->n_nodes, 5);
  ck_assert_str_eq (program->nodes[0].context, "stride-2");
  ck_assert_str_eq (program->nodes[0].text, "LD");
  ck_assert_int_eq (program->nodes[0].line, 5);
  ck_assert_uint_eq (program->nodes[0].n_after, 2);
  ck_assert_uint_eq (program->nodes[0].after[0], 2);
  ck_assert_uint_eq (program->nodes[0].after[1], 0);
  ck_assert_uint_eq (program->nodes[1].count, 7);
  ck_assert_int_eq (program->nodes[4].kind, IDG_BARRIER);
  ck_assert_str_eq (program->nodes[4].text, "BAR");
}
END_TEST

START_TEST (what_is_left_out_has_its_default)
{
  g_autoptr (IdgKernel) kernel = parse_body ("<i op='add'/>");
  const IdgKernelProgram *entry = g_ptr_array_index (kernel->programs, 0);

  ck_assert_int_eq (kernel->launch.registers, 0);
  ck_assert (!kernel->assumed_addresses);
  ck_assert (!kernel->unscheduled);
  ck_assert (!kernel->spread_blocks);
  ck_assert (!kernel->contended);
  ck_assert_uint_eq (kernel->warnings->len, 0);
  ck_assert_int_eq (kernel->launch.shared_memory, 0);
  ck_assert_ptr_null (entry->name);
  ck_assert_ptr_null (entry->warps);
  ck_assert_ptr_null (entry->blocks);
  ck_assert_int_eq (entry->line, 3);
  ck_assert_ptr_null (entry->program->nodes[0].context);
}
END_TEST

START_TEST (a_kernel_carries_what_its_import_could_not_model)
{
  g_autoptr (IdgKernel) kernel
      = parse ("<kernel name='k' addresses='assumed' scheduled='no' sample='spread' "
               "memory='contended'>" LAUNCH "<warning name='lower-bound' text='waits &lt;1&gt;'/>"
               "<warning name='lower-bound' text='waits 2'/>"
               "<warning name='lower-bound' text='waits 2'/><program/></kernel>");
  gsize length;
  g_autofree gchar *text = NULL;
  g_autoptr (IdgKernel) again = NULL;
  const IdgWarning *warning;

  idg_kernel_add_warning (kernel, "nothing-of-a-kind", "%d\nlines \xff", 2);
  text = idg_kernel_to_xml (kernel, &length);
  again = parse (text);
  ck_assert (again->assumed_addresses);
  ck_assert (again->unscheduled);
  ck_assert (again->spread_blocks);
  ck_assert (again->contended);
  ck_assert_uint_eq (again->warnings->len, 3);
  warning = g_ptr_array_index (again->warnings, 0);
  ck_assert_str_eq (warning->name, "lower-bound");
  ck_assert_str_eq (warning->text, "waits <1>");
  warning = g_ptr_array_index (again->warnings, 2);
  ck_assert_str_eq (warning->name, "nothing-of-a-kind");
  ck_assert_str_eq (warning->text, "2 lines \xef\xbf\xbd");
}
END_TEST

START_TEST (an_empty_program_and_a_repeat_of_nothing_are_allowed)
{
  g_autoptr (IdgKernel) empty = parse_body ("");
  g_autoptr (IdgKernel) nothing = parse_body ("<repeat count='0'><i op='add'/></repeat>");

  ck_assert_uint_eq (get_program (empty, 0)->n_nodes, 0);
  ck_assert_uint_eq (get_program (nothing, 0)->n_nodes, 3);
}
END_TEST

START_TEST (lines_beyond_16_bits_and_tags_over_several_lines_are_told_right)
{
  g_autoptr (GString) text = g_string_new ("<kernel name='k'>\n" LAUNCH "<program>\n");
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < 70000; i++)
    g_string_append (text, "<i op='add'/>\n");
  g_string_append (text, "<i\n op='add'\n oops=''/></program></kernel>");
  ck_assert_ptr_null (idg_kernel_parse (text->str, text->len, "k.xml", NULL, &error));
  ck_assert_str_eq (error->message, "k.xml:70004: <i>: unknown attribute \"oops\"; allowed are op, "
                                    "id, context, after, stall, text");
}
END_TEST

/* Other parsers have limits of some MB for each of these. */
START_TEST (a_line_a_value_and_a_comment_may_be_as_long_as_a_file)
{
  gsize length = (11 << 20) / check_get_stride ();
  g_autofree gchar *words = g_strnfill (length, 'x'), *blanks = g_strnfill (length, ' ');
  g_autofree gchar *text
      = g_strconcat ("<kernel name='k' title='", words, "'><!--", words, "--><?x ", words, "?>",
                     "<launch blocks='1' threads='1'/>", blanks, "<program/></kernel>", NULL);
  g_autoptr (IdgKernel) kernel = parse (text);

  ck_assert_uint_eq (strlen (kernel->title), length);
}
END_TEST

START_TEST (a_long_list_of_instructions_is_read_quickly)
{
  g_autoptr (GString) text = g_string_new ("<kernel name='k'>\n" LAUNCH "<program>\n");
  g_autoptr (IdgKernel) kernel = NULL;
  const guint n = check_get_size (100000, 3000);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "<i op='add.f32' id='r%u' after='r%u'/>\n", i, n - 1 - i);
  g_string_append (text, "<barrier after='");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "r%u ", i);
  g_string_append (text, "'/></program></kernel>");
  kernel = parse (text->str);
  ck_assert_uint_eq (get_program (kernel, 0)->n_nodes, n + 1);
  ck_assert_uint_eq (get_program (kernel, 0)->nodes[n].n_after, n);
}
END_TEST

/* Well-formedness and shape. */

START_TEST (what_is_no_xml_is_refused_at_its_line)
{
  refuse ("", IDG_ERROR_SYNTAX, "k.xml:1: not well-formed XML: the file is empty");
  refuse ("<kernel>\n<launch></kernel>", IDG_ERROR_SYNTAX,
          "k.xml:2: not well-formed XML: </kernel> where </launch> must come, as <launch> began on "
          "line 2");
  refuse (
      "<kernel name='&foo;'/>", IDG_ERROR_SYNTAX,
      "k.xml:1: not well-formed XML: &foo; is not known; there are &amp; &lt; &gt; &quot; &apos;");
}
END_TEST

/* expat says "not well-formed (invalid token)" of most of these. */
static const struct
{
  const gchar *text, *problem;
} not_well_formed[] = {
  { "<kernel", "1: not well-formed XML: a tag lacks its closing >" },
  { "<kernel>\n<a\nb='1'\n<c/></kernel>", "4: not well-formed XML: a tag lacks its closing >" },
  { "<kernel>\n<a / b='1'></kernel>", "2: not well-formed XML: a tag lacks its closing >" },
  { "<kernel>\n</kernel\n<a/>", "3: not well-formed XML: a tag lacks its closing >" },
  { "<kernel>\n<a b=1/></kernel>",
    "2: not well-formed XML: the value of an attribute must be in quotes" },
  { "<kernel>\n<a b='1/>",
    "2: not well-formed XML: the value of an attribute lacks its closing quote" },
  { "<kernel>\n<a b='1/>\n<c/></kernel>",
    "3: not well-formed XML: a < in the value of an attribute; write &lt;" },
  { "<kernel>\n<a b c='1'/></kernel>",
    "2: not well-formed XML: an attribute without a value; write NAME=\"VALUE\"" },
  { "<kernel>\n<a 'x'/></kernel>",
    "2: not well-formed XML: an attribute without a name; write NAME=\"VALUE\"" },
  { "<kernel>\n<a b='1'c='2'/></kernel>",
    "2: not well-formed XML: attributes must have blanks between them" },
  { "<kernel>\n<a b='1'\nb='2'/></kernel>",
    "3: not well-formed XML: the attribute b is given twice" },
  { "<kernel>\n& </kernel>", "2: not well-formed XML: a < or & without a name behind it; for the "
                             "character itself write &lt; or &amp;" },
  { "<kernel>\n<a>&</a></kernel>", "2: not well-formed XML: a < or & without a name behind it; for "
                                   "the character itself write &lt; or &amp;" },
  { "<kernel>\n< 5</kernel>", "2: not well-formed XML: a < or & without a name behind it; for the "
                              "character itself write &lt; or &amp;" },
  { "<kernel>\n&amp</kernel>",
    "2: not well-formed XML: a & without its ;, for the character itself write &amp;" },
  { "<kernel>\n&#xg;</kernel>",
    "2: not well-formed XML: a bad number of a character; write it as in &#x41;" },
  { "<kernel>\n<a b='&#6f;'/></kernel>",
    "2: not well-formed XML: a bad number of a character; write it as in &#65;" },
  { "<kernel>\n&#0;</kernel>", "2: not well-formed XML: a character that XML does not allow" },
  { "<kernel>\n\001</kernel>", "2: not well-formed XML: a character that XML does not allow" },
  { "<kernel>\n<a b='\xef\xbf\xbf'/></kernel>",
    "2: not well-formed XML: a character that XML does not allow" },
  { "<kernel>\n<a\xc3\x97/></kernel>",
    "2: not well-formed XML: a name must not have U+00D7 in it" },
  { "<kernel>\n]]></kernel>", "2: not well-formed XML: a ]]> in text; write ]]&gt;" },
  { "<kernel>\n<![CDATA[ ]] </kernel>",
    "2: not well-formed XML: a CDATA section lacks its closing ]]>" },
  { "<kernel>\n<!-- a -- b --></kernel>", "2: not well-formed XML: a comment must not have -- in "
                                          "it" },
  { "<kernel>\n<!-- a </kernel>", "2: not well-formed XML: a comment lacks its closing -->" },
  { "<kernel>\n<? a?></kernel>", "2: not well-formed XML: a <? without a name behind it" },
  { "<kernel>\n<?a b></kernel>", "2: not well-formed XML: a <? lacks its closing ?>" },
  { "<kernel>\n<?a;b?></kernel>",
    "2: not well-formed XML: the name behind a <? must have a blank behind it" },
  { "\n<?xml version='1.0'?>\n<kernel/>",
    "2: not well-formed XML: <?xml ...?> may be only at the very beginning" },
  { "<?xml version='1.0'>\n<kernel/>", "2: not well-formed XML: <?xml ...?> lacks its closing ?>" },
  { "<?xml encoding='UTF-8'?>\n<kernel/>", "1: not well-formed XML: a bad <?xml ...?>; write <?xml "
                                           "version=\"1.0\" encoding=\"UTF-8\"?>" },
  { "<kernel>\n<a>\n<b></a></kernel>",
    "3: not well-formed XML: </a> where </b> must come, as <b> began on line 3" },
  { "<kernel>\n<a>\n<b/>\n",
    "4: not well-formed XML: the file ends before the <a> that began on line 2 does" },
  { "\n</kernel>", "2: not well-formed XML: </kernel> where no element is open" },
  { "<!-- <kernel/> -->\n \"<kernel>\"",
    "2: not well-formed XML: an element is missing; an XML text begins with <" },
  { "<kernel/>\n\n<kernel/>", "3: not well-formed XML: something comes after the end of the "
                              "outermost element; there can be only one" },
  { "<kernel/>\n<!-- it's -->\n&amp;", "3: not well-formed XML: something comes after the end of "
                                       "the outermost element; there can be only one" },
};

START_TEST (what_is_no_xml_is_said_in_words)
{
  for (guint i = 0; i < G_N_ELEMENTS (not_well_formed); i++)
    {
      g_autofree gchar *message = g_strconcat ("k.xml:", not_well_formed[i].problem, NULL);

      refuse (not_well_formed[i].text, IDG_ERROR_SYNTAX, message);
    }
}
END_TEST

START_TEST (another_encoding_is_refused)
{
  refuse ("<?xml version='1.0' encoding='ISO-8859-1'?><kernel/>", IDG_ERROR_SYNTAX,
          "k.xml:1: the declared encoding is \"ISO-8859-1\"; it must be UTF-8");
  refuse ("<kernel>\n\xff</kernel>", IDG_ERROR_SYNTAX,
          "k.xml:2: not UTF-8 (byte 0xff); the encoding must be UTF-8");
  refuse ("\xff\xfe<", IDG_ERROR_SYNTAX,
          "k.xml:1: encoded in UTF-16 or UTF-32; the encoding must be UTF-8");
  refuse_bytes ("<kernel>\n\n\0</kernel>", 20, NULL, IDG_ERROR_SYNTAX,
                "k.xml:3: a NUL byte; this is not an XML text in UTF-8");
}
END_TEST

START_TEST (a_document_type_declaration_is_refused_before_it_is_read)
{
  refuse ("<?xml version='1.0'?>\n<!DOCTYPE k [\n<!ENTITY a 'aaaa'>\n<!ENTITY b '&a;&a;&a;'>\n]>\n"
          "<kernel name='&b;'/>",
          IDG_ERROR_SYNTAX, "k.xml:2: a document type declaration is not allowed; remove it");
  refuse ("<!DOCTYPE k SYSTEM 'file:///etc/passwd'><kernel/>", IDG_ERROR_SYNTAX,
          "k.xml:1: a document type declaration is not allowed; remove it");
  refuse ("\n<!DOCTYPE\nk &a;><kernel/>", IDG_ERROR_SYNTAX,
          "k.xml:2: a document type declaration is not allowed; remove it");
}
END_TEST

START_TEST (another_version_is_refused)
{
  g_autoptr (IdgKernel) kernel
      = parse ("<?xml version='1.1'?>\n<kernel name='k'>" LAUNCH "<program/></kernel>");

  ck_assert_str_eq (kernel->name, "k");
  refuse ("<?xml version='1.0.2'?>\n<kernel/>", IDG_ERROR_SYNTAX,
          "k.xml:1: the declared version of XML is \"1.0.2\"; it must be 1.0");
}
END_TEST

START_TEST (namespaces_are_refused)
{
  static const gchar message[]
      = "k.xml:2: a namespace; names of elements and attributes have none here";

  refuse ("<kernel>\n<launch xmlns='http://example.org'/></kernel>", IDG_ERROR_SYNTAX, message);
  refuse ("<kernel>\n<launch xml:space='preserve'/></kernel>", IDG_ERROR_SYNTAX, message);
}
END_TEST

START_TEST (deep_nesting_is_refused)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < 1000000; i++)
    g_string_append (text, "<repeat count='1'>");
  refuse (text->str, IDG_ERROR_SYNTAX,
          "k.xml:1: elements nested deeper than 100, which no file needs");
}
END_TEST

START_TEST (an_element_of_very_many_attributes_is_refused_quickly)
{
  g_autoptr (GString) text = g_string_new ("<kernel");

  for (unsigned i = 0; i < 1000000 / check_get_stride (); i++)
    g_string_append_printf (text, " a%u=''", i);
  g_string_append (text, "/>");
  refuse (text->str, IDG_ERROR_SYNTAX, "k.xml:1: an element of more than 256 attributes");
}
END_TEST

START_TEST (the_shape_must_be_that_of_a_kernel)
{
  refuse ("<gpu/>", IDG_ERROR_SYNTAX, "k.xml:1: <gpu>: the outermost element must be <kernel>");
  refuse ("<kernel name='k'>\n<program/></kernel>", IDG_ERROR_SYNTAX,
          "k.xml:1: <kernel>: a <launch> is missing in it");
  refuse ("<kernel name='k'>\n" LAUNCH LAUNCH "<program/></kernel>", IDG_ERROR_SYNTAX,
          "k.xml:3: <launch>: given twice; first on line 2");
  refuse ("<kernel name='k'>\n" LAUNCH "</kernel>", IDG_ERROR_SYNTAX,
          "k.xml:1: <kernel>: a <program> is missing in it");
  refuse ("<kernel name='k'>\n" LAUNCH "<barrier/><program/></kernel>", IDG_ERROR_SYNTAX,
          "k.xml:3: <barrier>: not allowed in <kernel>; allowed there are <parameter>, <launch>, "
          "<warning>, "
          "<program>");
  refuse ("<kernel name='k'>\n" LAUNCH "<parameter name='a' value='1'/><program/></kernel>",
          IDG_ERROR_SYNTAX, "k.xml:3: parameter \"a\": must come before <launch>");
  refuse_body ("<i id='a'/>", IDG_ERROR_SYNTAX, "k.xml:4: i \"a\": the attribute op is missing");
  refuse_body (
      "<barrier id='a'/>", IDG_ERROR_SYNTAX,
      "k.xml:4: <barrier>: unknown attribute \"id\"; allowed are name, warps, after, text");
  refuse_body ("<i op='a'><i op='b'/></i>", IDG_ERROR_SYNTAX,
               "k.xml:4: <i>: not allowed in <i>, which has no elements");
  refuse_body ("\n\n add \n", IDG_ERROR_SYNTAX,
               "k.xml:6: <program>: text is not allowed here: \"add\"");
}
END_TEST

/* Values. */

START_TEST (numbers_are_digits_within_their_limits)
{
  static const gchar *const wrong[] = { "",
                                        "-1",
                                        "+1",
                                        " 1",
                                        "1 ",
                                        "0x1",
                                        "1e3",
                                        "1.",
                                        "1.0",
                                        "½",
                                        "9007199254740993",
                                        "18446744073709551617" };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree gchar *text
          = g_strdup_printf ("<kernel name='k'>\n<launch blocks='%s' threads='1'/>"
                             "<program/></kernel>",
                             wrong[i]);
      g_autofree gchar *message
          = g_strdup_printf ("k.xml:2: <launch>: blocks \"%s\" must be a whole number from 1 to "
                             "9007199254740992",
                             wrong[i]);

      refuse (text, IDG_ERROR_VALUE, message);
    }
  g_autoptr (IdgKernel) kernel
      = parse ("<kernel name='k'><launch blocks='9007199254740992' threads='0001'/>"
               "<program/></kernel>");
  ck_assert_int_eq (kernel->launch.blocks, G_GINT64_CONSTANT (9007199254740992));
  ck_assert_int_eq (kernel->launch.threads, 1);
}
END_TEST

START_TEST (the_limits_of_a_program_hold_when_it_is_read)
{
  g_autoptr (GString) deep = g_string_new (NULL);

  refuse_body (
      "<repeat count='2147483648'/>", IDG_ERROR_VALUE,
      "k.xml:4: <repeat>: count \"2147483648\" must be a whole number from 0 to 2147483647");
  refuse_body (
      "<repeat count='2147483647'><repeat count='2147483647'><i op='a'/></repeat></repeat>",
      IDG_ERROR_VALUE,
      "k.xml:3: <program>: unrolled it has more than 2^53 instructions, the most that is "
      "possible; lower the counts of its repeats");
  for (int i = 0; i < 65; i++)
    g_string_append (deep, "<repeat count='1'>\n");
  for (int i = 0; i < 65; i++)
    g_string_append (deep, "</repeat>");
  refuse_body (deep->str, IDG_ERROR_VALUE,
               "k.xml:68: <repeat>: repeats are nested deeper than 64, the most that is possible");
}
END_TEST

START_TEST (ids_are_unique_and_defined)
{
  refuse_body ("<i op='a' id='x'/>\n<i op='b' id='x'/>", IDG_ERROR_VALUE,
               "k.xml:5: i \"x\": the id is taken (line 4); ids must be unique in a program");
  refuse_body ("<i op='a' id='sum'/>\n<i op='b' after='sum smu'/>", IDG_ERROR_VALUE,
               "k.xml:5: <i>: after names \"smu\", which no <i> of this program has as its id; "
               "nearest: sum");
  refuse_body ("<i op='a' after=' '/>", IDG_ERROR_VALUE,
               "k.xml:4: <i>: after \" \" must be one or more names with blanks between them");
}
END_TEST

START_TEST (a_dependence_may_have_a_distance)
{
  g_autoptr (IdgKernel) kernel
      = parse_body ("<i op='a' id='x'/><i op='a' id='y:2'/><i op='a' id='y'/>\n"
                    "<i op='b' after='x:2 x x:64 y:2 y:3 x:02'/>");
  const IdgNode *node = &get_program (kernel, 0)->nodes[3];

  ck_assert_uint_eq (node->n_after, 5);
  ck_assert_uint_eq (node->after[0], 0);
  ck_assert_uint_eq (node->distances[0], 2);
  ck_assert_uint_eq (node->distances[1], 1);
  ck_assert_uint_eq (node->distances[2], 64);
  ck_assert_uint_eq (node->after[3], 1);
  ck_assert_uint_eq (node->distances[3], 1);
  ck_assert_uint_eq (node->after[4], 2);
  ck_assert_uint_eq (node->distances[4], 3);
  refuse_body ("<i op='a' id='x' after='x:0'/>", IDG_ERROR_VALUE,
               "k.xml:4: i \"x\": after has \"x:0\" in it; a distance is a whole number from "
               "1, the most recent instance, to 64");
  refuse_body ("<i op='a' id='x' after='x:65'/>", IDG_ERROR_VALUE,
               "k.xml:4: i \"x\": after has \"x:65\" in it; a distance is a whole number from "
               "1, the most recent instance, to 64");
  refuse_body ("<i op='a' id='x' after='x:18446744073709551617'/>", IDG_ERROR_VALUE,
               "k.xml:4: i \"x\": after has \"x:18446744073709551617\" in it; a distance is a "
               "whole number from 1, the most recent instance, to 64");
  refuse_body (
      "<i op='a' id='x' after='x:-1'/>", IDG_ERROR_VALUE,
      "k.xml:4: i \"x\": after names \"x:-1\", which no <i> of this program has as its id; "
      "nearest: x");
  refuse_body ("<i op='a' id='x' after='x:'/>", IDG_ERROR_VALUE,
               "k.xml:4: i \"x\": after names \"x:\", which no <i> of this program has as its id; "
               "nearest: x");
  refuse_body ("<i op='a' id='x' after='z:2'/>", IDG_ERROR_VALUE,
               "k.xml:4: i \"x\": after names \"z:2\", which no <i> of this program has as its id; "
               "nearest: x");
}
END_TEST

START_TEST (the_barriers_of_a_name_are_alike)
{
  g_autoptr (IdgKernel) kernel
      = parse_body ("<arrive name='a'/><barrier/><barrier name='b' warps='3'/>\n"
                    "<barrier name='a'/><barrier name='b' warps='3'/>");
  g_autoptr (GArray) barriers = idg_kernel_list_barriers (kernel, NULL);

  ck_assert_uint_eq (barriers->len, 2);
  ck_assert_uint_eq (idg_barriers_find (barriers, "b"), 1);
  ck_assert_uint_eq (idg_barriers_find (barriers, "c"), G_MAXUINT);
  ck_assert_uint_eq (g_array_index (barriers, IdgBarrier, 0).warps, 0);
  ck_assert_uint_eq (g_array_index (barriers, IdgBarrier, 1).warps, 3);
  refuse_body ("<barrier name='b'/>\n<barrier name='b' warps='2'/>", IDG_ERROR_VALUE,
               "k.xml:5: barrier \"b\": it has warps=\"2\", and a barrier of that name before "
               "has no warps (line 4); write the same for all barriers of a name, or give them "
               "different names");
  refuse_body ("<arrive name='b'/>", IDG_ERROR_VALUE,
               "k.xml:4: arrive \"b\": no <barrier> of the kernel has this name, so that nobody "
               "waits for it; add one, or leave the <arrive> out");
  refuse_body ("<arrive/>", IDG_ERROR_SYNTAX, "k.xml:4: <arrive>: the attribute name is missing");
  refuse_body ("<barrier warps='2'/>", IDG_ERROR_VALUE,
               "k.xml:4: <barrier>: warps is for a barrier with a name; write name=\"...\", or "
               "leave warps out: all warps of the block meet at the barrier without a name");
  refuse_body ("<barrier name='b' warps='0'/>", IDG_ERROR_VALUE,
               "k.xml:4: barrier \"b\": warps \"0\" must be a whole number from 1 to 2147483647");
}
END_TEST

START_TEST (a_kernel_has_a_limited_number_of_names_of_barriers)
{
  g_autoptr (GString) body = g_string_new (NULL);

  for (guint i = 0; i < IDG_MAX_BARRIERS; i++)
    g_string_append_printf (body, "<barrier name='%u'/>", i);
  idg_kernel_free (parse_body (body->str));
  g_string_append (body, "<arrive name='0'/><barrier name='more'/>");
  refuse_body (body->str, IDG_ERROR_VALUE,
               "k.xml:4: barrier \"more\": this is one name more than the 256 that the barriers of "
               "a kernel may have");
}
END_TEST

START_TEST (what_is_written_reads_as_the_same)
{
  g_autoptr (IdgKernel) kernel
      = parse_body ("<i op='a' id='x'/><i op='a' id='x:2' after='x x'/><i op='a' id='n0:3'/>\n"
                    "<repeat count='9'><i op='b' id='z' after='x:3 x:2 z:64'/></repeat>"
                    "<barrier name='b' warps='2' after='z:7'/><arrive name='b' after='x:3'/>"
                    "<i op='a' context=' l1*05\t l2-3-0*2  -*1 '/>");
  g_autofree gchar *xml = idg_kernel_to_xml (kernel, NULL);
  g_autoptr (IdgKernel) again = idg_kernel_parse (xml, strlen (xml), "again.xml", NULL, NULL);
  const IdgProgram *one = get_program (kernel, 0), *other;

  ck_assert_ptr_nonnull (again);
  other = get_program (again, 0);
  ck_assert_uint_eq (one->n_nodes, other->n_nodes);
  for (uint32_t i = 0; i < one->n_nodes; i++)
    {
      const IdgNode *a = &one->nodes[i], *b = &other->nodes[i];

      ck_assert_int_eq (a->kind, b->kind);
      ck_assert_uint_eq (a->warps, b->warps);
      ck_assert_pstr_eq (a->name, b->name);
      ck_assert_pstr_eq (a->context, b->context);
      ck_assert_uint_eq (a->n_after, b->n_after);
      for (uint32_t d = 0; d < a->n_after; d++)
        {
          ck_assert_uint_eq (a->after[d], b->after[d]);
          ck_assert_uint_eq (a->distances[d], b->distances[d]);
        }
    }
  ck_assert_str_eq (one->nodes[one->n_nodes - 1].context, "l1*5 l2-3-0*2 -*1");
}
END_TEST

START_TEST (programs_do_not_share_ids)
{
  g_autoptr (IdgKernel) kernel
      = parse ("<kernel name='k'>" LAUNCH "<program><i op='a' id='x'/></program>"
               "<program><i op='b' id='x' after='x'/></program></kernel>");

  ck_assert_uint_eq (kernel->programs->len, 2);
}
END_TEST

START_TEST (a_barrier_is_not_written_as_an_op)
{
  refuse_body ("<i op='bar.sync'/>", IDG_ERROR_VALUE,
               "k.xml:4: <i>: op \"bar.sync\" is not an op of a kernel; write <barrier/>");
  refuse_body ("<i op='bar.sync.aligned'/>", IDG_ERROR_VALUE,
               "k.xml:4: <i>: op \"bar.sync.aligned\" is not an op of a kernel; write <barrier/>");
  idg_kernel_free (parse_body ("<i op='bar.synced'/>"));
}
END_TEST

START_TEST (ops_and_contexts_are_names)
{
  refuse_body ("<i op='ld..x'/>", IDG_ERROR_VALUE,
               "k.xml:4: <i>: op \"ld..x\" must be a name of parts with single dots between them");
  refuse_body ("<i op='a&#10;b'/>", IDG_ERROR_VALUE,
               "k.xml:4: <i>: op \"a\\nb\" must be a name: at least one character, no blanks, "
               "commas, double quotes, braces, control or invisible characters");
  refuse_body (
      "<i op='a' context='conflict-*'/>", IDG_ERROR_VALUE,
      "k.xml:4: <i>: context \"conflict-*\" must give a number in the place of each * of a "
      "context, as in \"conflict-4\" or the mix \"conflict-4*1 conflict-8*3\"; \"conflict-*\" does "
      "not");
#define MIX_FORM "must be a context, or a mix of contexts with weights, as in \"l1*5 l2*2 -*1\""
  refuse_body ("<i op='a' context='l1*5 l2'/>", IDG_ERROR_VALUE,
               "k.xml:4: <i>: context \"l1*5 l2\" " MIX_FORM "; \"l2\" has no weight");
  refuse_body ("<i op='a' context='*5'/>", IDG_ERROR_VALUE,
               "k.xml:4: <i>: context \"*5\" " MIX_FORM
               "; \"*5\" names no context, which would be \"-\"");
  refuse_body ("<i op='a' context='l1*0'/>", IDG_ERROR_VALUE,
               "k.xml:4: <i>: context \"l1*0\" " MIX_FORM
               "; the weight of \"l1*0\" is no whole number from 1 to 2^31 - 1");
  refuse_body ("<i op='a' context='l1*1 l2*1 l1*2'/>", IDG_ERROR_VALUE,
               "k.xml:4: <i>: context \"l1*1 l2*1 l1*2\" must name each context once; \"l1\" is "
               "there twice");
  refuse_body ("<i op='a' context='l1*2147483647 l2*1'/>", IDG_ERROR_VALUE,
               "k.xml:4: <i>: context \"l1*2147483647 l2*1\" must be a mix with weights of at most "
               "2^31 - 1 in all");
}
END_TEST

/* Parameters. */

#define PARAMETER "<parameter name='alpha' value='007' text='adds'/>\n"
static const gchar with_parameter[]
    = "<kernel name='k'>\n" PARAMETER "<launch blocks='1{alpha}' threads='{alpha}'/>\n"
      "<program warps='0-{alpha} 9'><repeat count='{alpha}'>"
      "<i op='a' context='c-{alpha}' text='{alpha}'/></repeat></program></kernel>";

START_TEST (a_parameter_stands_where_it_may)
{
  g_autoptr (IdgKernel) kernel = parse (with_parameter);
  const IdgKernelProgram *entry = g_ptr_array_index (kernel->programs, 0);
  const IdgParameter *parameter = g_ptr_array_index (kernel->parameters, 0);

  ck_assert_str_eq (parameter->name, "alpha");
  ck_assert_str_eq (parameter->value, "7");
  ck_assert_str_eq (parameter->text, "adds");
  ck_assert_int_eq (kernel->launch.blocks, 17);
  ck_assert_int_eq (kernel->launch.threads, 7);
  ck_assert_uint_eq (entry->warps->len, 2);
  ck_assert_uint_eq (g_array_index (entry->warps, IdgRange, 0).last, 7);
  ck_assert_uint_eq (entry->program->nodes[0].count, 7);
  ck_assert_str_eq (entry->program->nodes[1].context, "c-7");
  ck_assert_str_eq (entry->program->nodes[1].text, "{alpha}");
}
END_TEST

START_TEST (a_setting_replaces_the_value)
{
  static const gchar *const settings[] = { "alpha=12", NULL };
  g_autoptr (IdgKernel) kernel = parse_with (with_parameter, settings);

  ck_assert_int_eq (kernel->launch.blocks, 112);
  ck_assert_str_eq (((IdgParameter *)g_ptr_array_index (kernel->parameters, 0))->value, "12");
}
END_TEST

START_TEST (settings_that_make_no_sense_are_refused)
{
  static const gchar *const settings[][3] = {
    { "beta=1", NULL },
    { "alpha", NULL },
    { "alpha=-1", NULL },
    { "alpha=1", "alpha=2", NULL },
  };
  static const gchar *const messages[] = {
    "k.xml: the setting \"beta=1\" is of no parameter of this kernel; declared: alpha",
    "k.xml: the setting \"alpha\" must be NAME=VALUE",
    "k.xml: the setting \"alpha=-1\" must give a whole number from 0 to 9007199254740992",
    "k.xml: the setting \"alpha=2\" is the second one of that parameter",
  };

  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    refuse_bytes (with_parameter, strlen (with_parameter), settings[i], IDG_ERROR_VALUE,
                  messages[i]);
}
END_TEST

START_TEST (unknown_unused_and_repeated_parameters_are_refused)
{
  refuse_body (
      "<repeat count='{beta}'/>", IDG_ERROR_VALUE,
      "k.xml:4: <repeat>: count \"{beta}\" names a parameter that is not declared; declared "
      "parameters: none");
  refuse (
      "<kernel name='k'>\n" PARAMETER LAUNCH "<program><i op='a' text='{alpha}'/>"
      "</program></kernel>",
      IDG_ERROR_VALUE,
      "k.xml:2: parameter \"alpha\": is not used; write {alpha} where its value belongs ($alpha "
      "in what is executed), or remove it");
  refuse ("<kernel name='k'>\n" PARAMETER PARAMETER LAUNCH "<program/></kernel>", IDG_ERROR_SYNTAX,
          "k.xml:3: parameter \"alpha\": given twice; first on line 2");
  refuse_body ("<repeat count='{'/>", IDG_ERROR_VALUE,
               "k.xml:4: <repeat>: count \"{\" lacks a }; declared parameters: none");
  refuse_body (
      "<i op='{a}'/>", IDG_ERROR_VALUE,
      "k.xml:4: <i>: op \"{a}\" must be a name: at least one character, no blanks, commas, double "
      "quotes, braces, control or invisible characters");
}
END_TEST

/* Files. */

START_TEST (a_file_that_cannot_be_read_is_named)
{
  static const struct
  {
    const gchar *path, *message;
  } cases[] = {
    { "/nowhere/k.xml", "/nowhere/k.xml: cannot be read: No such file or directory" },
    { "/", "/: cannot be read: Is a directory" },
    { "/dev/zero", "/dev/zero: cannot be read: larger than 64 MiB" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      ck_assert_ptr_null (idg_kernel_load (cases[i].path, NULL, &error));
      ck_assert (g_error_matches (error, IDG_ERROR, IDG_ERROR_READ));
      ck_assert_str_eq (error->message, cases[i].message);
    }
}
END_TEST

/* Which warp runs what. */

/* A kernel of a program for each of PROGRAMS, attributes of <program>, each on its own line from
 * 3. */
static IdgKernel *
parse_programs (const gchar *const *programs)
{
  g_autoptr (GString) text = g_string_new ("<kernel name='k'>\n" LAUNCH);

  for (; *programs; programs++)
    g_string_append_printf (text, "<program %s/>\n", *programs);
  g_string_append (text, "</kernel>");
  return parse (text->str);
}

/* The program of WARP of BLOCK, found the slow way. */
static guint
look_up (const IdgAssignment *assignment, guint64 block, guint warp)
{
  guint row = 0, program = 0;

  for (guint i = 0; i < assignment->blocks->len; i++)
    if (g_array_index (assignment->blocks, IdgAssignedBlocks, i).first_block <= block)
      row = g_array_index (assignment->blocks, IdgAssignedBlocks, i).row;
  const GArray *segments = g_ptr_array_index (assignment->rows, row);
  for (guint i = 0; i < segments->len; i++)
    if (g_array_index (segments, IdgSegment, i).first_warp <= warp)
      program = g_array_index (segments, IdgSegment, i).program;
  return program;
}

static void
refuse_assignment (const gchar *const *programs, guint64 blocks, guint32 warps,
                   const gchar *message)
{
  g_autoptr (IdgKernel) kernel = parse_programs (programs);
  g_autoptr (GError) error = NULL;

  ck_assert_ptr_null (idg_kernel_assign (kernel, blocks, warps, &error));
  ck_assert_str_eq (error->message, message);
  ck_assert (g_error_matches (error, IDG_ERROR, IDG_ERROR_VALUE));
}

START_TEST (one_program_without_ranges_is_for_all)
{
  static const gchar *const programs[] = { "", NULL };
  g_autoptr (IdgKernel) kernel = parse_programs (programs);
  g_autoptr (IdgAssignment) assignment = idg_kernel_assign (kernel, G_MAXUINT64, G_MAXUINT32, NULL);

  ck_assert_uint_eq (assignment->blocks->len, 1);
  ck_assert_uint_eq (assignment->rows->len, 1);
  ck_assert_uint_eq (((GArray *)g_ptr_array_index (assignment->rows, 0))->len, 1);
}
END_TEST

START_TEST (warps_and_blocks_get_their_programs)
{
  static const gchar *const programs[]
      = { "warps='0' blocks='0-4 8-99'", "warps='1-3 2 7-9'",      "warps='4-6' blocks='0-3'",
          "warps='4-6' blocks='4-100'",  "warps='0' blocks='5-7'", NULL };
  static const guint expected[10][8] = {
    { 0, 1, 1, 1, 2, 2, 2, 1 }, { 0, 1, 1, 1, 2, 2, 2, 1 }, { 0, 1, 1, 1, 2, 2, 2, 1 },
    { 0, 1, 1, 1, 2, 2, 2, 1 }, { 0, 1, 1, 1, 3, 3, 3, 1 }, { 4, 1, 1, 1, 3, 3, 3, 1 },
    { 4, 1, 1, 1, 3, 3, 3, 1 }, { 4, 1, 1, 1, 3, 3, 3, 1 }, { 0, 1, 1, 1, 3, 3, 3, 1 },
    { 0, 1, 1, 1, 3, 3, 3, 1 },
  };
  g_autoptr (IdgKernel) kernel = parse_programs (programs);
  g_autoptr (GError) error = NULL;
  g_autoptr (IdgAssignment) assignment = idg_kernel_assign (kernel, 10, 8, &error);

  ck_assert_msg (assignment != NULL, "%s", error ? error->message : "");
  for (guint block = 0; block < 10; block++)
    for (guint warp = 0; warp < 8; warp++)
      ck_assert_uint_eq (look_up (assignment, block, warp), expected[block][warp]);
  ck_assert_uint_eq (assignment->rows->len, 3); /* blocks 4 and 8 share theirs */
}
END_TEST

START_TEST (a_warp_in_no_program_is_named)
{
  static const gchar *const programs[] = { "warps='0-2'", "warps='3' blocks='0-6 8'", NULL };
  static const gchar *const later[] = { "blocks='1-9'", NULL };

  refuse_assignment (
      programs, 10, 4,
      "k.xml: warp 3 of block 7 is in no <program>; each warp of the launch (4 of each "
      "of 10 blocks) must be in exactly one");
  refuse_assignment (
      later, 10, 4,
      "k.xml: warp 0 of block 0 is in no <program>; each warp of the launch (4 of each "
      "of 10 blocks) must be in exactly one");
}
END_TEST

START_TEST (a_warp_in_two_programs_is_named)
{
  static const gchar *const programs[] = { "warps='0-2'", "name='b' warps='2-3'", NULL };
  static const gchar *const all[] = { "", "", "", NULL };

  refuse_assignment (
      programs, 10, 4,
      "k.xml:4: warp 2 of block 0 is in programs 1 (line 3) and \"b\" (line 4); it must be in "
      "exactly one");
  refuse_assignment (
      all, 1, 1,
      "k.xml:4: warp 0 of block 0 is in programs 1 (line 3) and 2 (line 4); it must be in exactly "
      "one");
}
END_TEST

START_TEST (ranges_beyond_the_launch_are_no_error)
{
  static const gchar *const programs[]
      = { "warps='0-100' blocks='0-9007199254740992'", "warps='7'", "blocks='10'", NULL };
  g_autoptr (IdgKernel) kernel = parse_programs (programs);
  g_autoptr (IdgAssignment) assignment = idg_kernel_assign (kernel, 10, 4, NULL);

  ck_assert_ptr_nonnull (assignment);
  ck_assert_uint_eq (assignment->blocks->len, 1);
}
END_TEST

START_TEST (ranges_must_be_written_as_such)
{
  static const gchar *const wrong[] = { "", "3-1", "3-", "-3", "1,2", "a" };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree gchar *text = g_strdup_printf (
          "<kernel name='k'>\n" LAUNCH "<program blocks='%s'/></kernel>", wrong[i]);
      g_autoptr (GError) error = NULL;

      ck_assert_ptr_null (idg_kernel_parse (text, strlen (text), "k.xml", NULL, &error));
      ck_assert (g_str_has_prefix (error->message, "k.xml:3: <program>: blocks \""));
    }
}
END_TEST

START_TEST (too_many_pieces_are_refused)
{
  g_autoptr (IdgKernel) kernel = idg_kernel_new ("k");
  g_autoptr (GError) error = NULL;

  for (guint64 i = 0; i < 3000; i++)
    {
      IdgRange range = { 2 * i, 2 * i };
      GArray *warps = g_array_new (FALSE, FALSE, sizeof range);
      GArray *blocks = g_array_new (FALSE, FALSE, sizeof range);

      g_array_append_val (warps, range);
      g_array_append_val (blocks, range);
      idg_kernel_add_program (kernel, idg_program_new (), NULL, warps, blocks, 0);
    }
  ck_assert_ptr_null (idg_kernel_assign (kernel, 10000, 10000, &error));
  ck_assert_str_eq (
      error->message,
      "the ranges of the programs cut the launch into 6000 x 6000 pieces of blocks and "
      "warps; at most 4194304 are possible");
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("kernel");
  TCase *reading = tcase_create ("reading"), *shape = tcase_create ("shape");
  TCase *values = tcase_create ("values"), *assignment = tcase_create ("assignment");

  tcase_add_test (reading, a_kernel_is_read_as_written);
  tcase_add_test (reading, what_is_left_out_has_its_default);
  tcase_add_test (reading, a_kernel_carries_what_its_import_could_not_model);
  tcase_add_test (reading, an_empty_program_and_a_repeat_of_nothing_are_allowed);
  tcase_add_test (reading, lines_beyond_16_bits_and_tags_over_several_lines_are_told_right);
  tcase_add_test (reading, a_line_a_value_and_a_comment_may_be_as_long_as_a_file);
  tcase_add_test (reading, a_long_list_of_instructions_is_read_quickly);
  tcase_add_test (reading, a_file_that_cannot_be_read_is_named);
  suite_add_tcase (suite, reading);

  tcase_add_test (shape, what_is_no_xml_is_refused_at_its_line);
  tcase_add_test (shape, what_is_no_xml_is_said_in_words);
  tcase_add_test (shape, another_encoding_is_refused);
  tcase_add_test (shape, a_document_type_declaration_is_refused_before_it_is_read);
  tcase_add_test (shape, another_version_is_refused);
  tcase_add_test (shape, namespaces_are_refused);
  tcase_add_test (shape, deep_nesting_is_refused);
  tcase_add_test (shape, an_element_of_very_many_attributes_is_refused_quickly);
  tcase_add_test (shape, the_shape_must_be_that_of_a_kernel);
  suite_add_tcase (suite, shape);

  tcase_add_test (values, numbers_are_digits_within_their_limits);
  tcase_add_test (values, the_limits_of_a_program_hold_when_it_is_read);
  tcase_add_test (values, ids_are_unique_and_defined);
  tcase_add_test (values, a_dependence_may_have_a_distance);
  tcase_add_test (values, the_barriers_of_a_name_are_alike);
  tcase_add_test (values, a_kernel_has_a_limited_number_of_names_of_barriers);
  tcase_add_test (values, what_is_written_reads_as_the_same);
  tcase_add_test (values, programs_do_not_share_ids);
  tcase_add_test (values, a_barrier_is_not_written_as_an_op);
  tcase_add_test (values, ops_and_contexts_are_names);
  tcase_add_test (values, a_parameter_stands_where_it_may);
  tcase_add_test (values, a_setting_replaces_the_value);
  tcase_add_test (values, settings_that_make_no_sense_are_refused);
  tcase_add_test (values, unknown_unused_and_repeated_parameters_are_refused);
  suite_add_tcase (suite, values);

  tcase_add_test (assignment, one_program_without_ranges_is_for_all);
  tcase_add_test (assignment, warps_and_blocks_get_their_programs);
  tcase_add_test (assignment, a_warp_in_no_program_is_named);
  tcase_add_test (assignment, a_warp_in_two_programs_is_named);
  tcase_add_test (assignment, ranges_beyond_the_launch_are_no_error);
  tcase_add_test (assignment, ranges_must_be_written_as_such);
  tcase_add_test (assignment, too_many_pieces_are_refused);
  suite_add_tcase (suite, assignment);
  return suite;
}
