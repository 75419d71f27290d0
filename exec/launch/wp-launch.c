/* SPDX-License-Identifier: MIT */
/* The launch as a whole. The name is all before the first "<<<", so that its template arguments
 * need no grammar. */
#include "exec/launch/wp-launch.h"

#include "exec/launch/wp-launch-fill.h"
#include "exec/launch/wp-launch-parser.h"
#include "idg/kernel/idg-kernel.h"

#include <string.h>

#define MAX_TEXT 65536
#define MAX_ARGUMENTS 4096
#define MAX_DYNAMIC (1 << 20)

void
wp_launch_free (WpLaunch *launch)
{
  if (launch == NULL)
    return;
  g_free (launch->text);
  g_free (launch->written);
  g_free (launch->name);
  g_ptr_array_unref (launch->arguments);
  g_free (launch);
}

/* NAME without blanks, and without :: before it. */
static gchar *
clean_name (const gchar *written)
{
  GString *name = g_string_new (NULL);

  for (const gchar *at = written; *at; at++)
    if (!g_ascii_isspace (*at))
      g_string_append_c (name, *at);
  if (g_str_has_prefix (name->str, "::"))
    g_string_erase (name, 0, 2);
  return g_string_free (name, FALSE);
}

/* The name is the first N bytes of the text. Its template arguments may be parameters; what else
 * has a $ is the name that a compiler made. */
static gboolean
read_name (WpLaunch *launch, gsize n, const WpLaunchParser *parser)
{
  const gsize n_plain = MIN (n, strcspn (launch->text, "<"));
  g_autofree gchar *rest = g_strndup (launch->text + n_plain, n - n_plain);
  g_autofree gchar *filled = wp_launch_fill (rest, parser->lookup, parser->data, parser->error);

  if (filled == NULL)
    return FALSE;
  launch->written = g_strdup_printf ("%.*s%s", (int)n_plain, launch->text, filled);
  g_strstrip (launch->written);
  launch->name = clean_name (launch->written);
  return *launch->name != 0;
}

static gboolean
to_size (WpLaunchParser *parser, const WpLaunchValue *value, const gchar *what, guint64 least,
         guint64 most, guint *size)
{
  if (value->kind == WP_LAUNCH_POINTER && value->name)
    return wp_launch_parser_fail_all (
        parser, "%s is the name %s; expected a number, or $%s for a parameter", what, value->name,
        value->name);
  if (value->kind != WP_LAUNCH_WHOLE)
    return wp_launch_parser_fail_all (parser, "%s is no whole number", what);
  if (value->whole < (WpLaunchWhole)least || value->whole > (WpLaunchWhole)most)
    return wp_launch_parser_fail_fit (
        parser, "%s is %s; expected %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, what,
        value->whole < 0               ? "below 0"
        : value->whole < (gint64)least ? "too small"
                                       : "too large",
        least, most);
  *size = (guint)value->whole;
  return TRUE;
}

/* What a size is, after what is wrong with it: "(8, 8)" and "8x8" are none. */
static gboolean
tell_dims (WpLaunchParser *parser, const gchar *what)
{
  GError *error = parser->error ? *parser->error : NULL;

  if (error)
    {
      gchar *text
          = g_strdup_printf ("%s; the %s is a number or dim3(x, y, z)", error->message, what);
      g_free (error->message);
      error->message = text;
    }
  return FALSE;
}

static gboolean
parse_dims (WpLaunchParser *parser, const gchar *what, const guint limits[3], guint dims[3])
{
  static const gchar *const axes[] = { "x", "y", "z" };
  g_autoptr (WpLaunchValue) value = wp_launch_parse_value (parser);

  dims[0] = dims[1] = dims[2] = 1;
  if (value == NULL)
    return tell_dims (parser, what);
  if (value->kind != WP_LAUNCH_STRUCTURE)
    {
      g_autofree gchar *name = g_strdup_printf ("the %s", what);

      return to_size (parser, value, name, 1, limits[0], &dims[0]);
    }
  if (value->members->len < 1 || value->members->len > 3)
    return wp_launch_parser_fail_all (parser, "the %s has %u dimensions; expected dim3(x, y, z)",
                                      what, value->members->len);
  for (guint k = 0; k < value->members->len; k++)
    {
      g_autofree gchar *name = g_strdup_printf ("%s of the %s", axes[k], what);

      if (!to_size (parser, g_ptr_array_index (value->members, k), name, 1, limits[k], &dims[k]))
        return FALSE;
    }
  return TRUE;
}

/* cluster(x[, y[, z]]) */
static gboolean
parse_cluster (WpLaunchParser *parser, guint cluster[3])
{
  static const gchar *const what[] = { "x of the cluster", "y of the cluster", "z of the cluster" };
  guint n = 0;

  if (cluster[0] > 0)
    return wp_launch_parser_fail (parser, "a second cluster; expected one");
  wp_launch_parser_next (parser);
  if (!wp_launch_parser_expect (parser, "("))
    return FALSE;
  cluster[0] = cluster[1] = cluster[2] = 1;
  do
    {
      g_autoptr (WpLaunchValue) value = wp_launch_parse_value (parser);

      if (value == NULL || !to_size (parser, value, what[n], 1, WP_CUBIN_MAX_CLUSTER, &cluster[n]))
        return FALSE;
      n++;
    }
  while (n < 3 && wp_launch_parser_accept (parser, ","));
  return wp_launch_parser_expect (parser, ")");
}

static gboolean
is_cluster (const WpLaunchParser *parser)
{
  const WpToken *token = &parser->token;

  return token->kind == WP_TOKEN_NAME && token->end - token->begin == strlen ("cluster")
         && strncmp (token->begin, "cluster", strlen ("cluster")) == 0
         && *wp_launch_lex (token->end).begin == '(';
}

/* What follows the block: dynamic shared memory, and a cluster, or a stream, which is any text and
 * changes nothing here. */
static gboolean
parse_rest (WpLaunchParser *parser, WpLaunch *launch)
{
  g_autoptr (WpLaunchValue) shared = NULL;

  if (!wp_launch_parser_accept (parser, ","))
    return TRUE;
  shared = wp_launch_parse_value (parser);
  if (shared == NULL
      || !to_size (parser, shared, "the dynamic shared memory", 0, MAX_DYNAMIC,
                   &launch->dynamic_shared))
    return FALSE;
  if (!wp_launch_parser_accept (parser, ","))
    return TRUE;
  while (parser->token.kind != WP_TOKEN_END && !wp_launch_parser_is (parser, ">>>"))
    if (!is_cluster (parser))
      wp_launch_parser_next (parser);
    else if (!parse_cluster (parser, launch->cluster))
      return FALSE;
  return TRUE;
}

static gboolean
parse_configuration (WpLaunchParser *parser, WpLaunch *launch)
{
  /* CUDA C++ Programming Guide, "Technical Specifications per Compute Capability". */
  static const guint grid[3] = { G_MAXINT32, 65535, 65535 }, block[3] = { 1024, 1024, 64 };

  if (!parse_dims (parser, "grid", grid, launch->grid))
    return FALSE;
  if (!wp_launch_parser_accept (parser, ","))
    return wp_launch_parser_fail (parser, "expected \",\" and the block: <<<grid, block>>>");
  if (!parse_dims (parser, "block", block, launch->block) || !parse_rest (parser, launch))
    return FALSE;
  if ((guint64)launch->block[0] * launch->block[1] * launch->block[2] > 1024)
    return wp_launch_parser_fail_fit (parser, "the block has %u threads; expected at most 1024",
                                      launch->block[0] * launch->block[1] * launch->block[2]);
  if ((guint64)launch->grid[0] * launch->grid[1] > (guint64)IDG_MAX_BLOCKS / launch->grid[2])
    return wp_launch_parser_fail_fit (parser, "the grid has more blocks than 2^53");
  return wp_launch_parser_expect (parser, ">>>");
}

static gboolean
parse_arguments (WpLaunchParser *parser, WpLaunch *launch)
{
  if (!wp_launch_parser_expect (parser, "("))
    return FALSE;
  if (!wp_launch_parser_is (parser, ")"))
    do
      {
        WpLaunchValue *value = wp_launch_parse_value (parser);

        if (value == NULL)
          return FALSE;
        g_ptr_array_add (launch->arguments, value);
        if (launch->arguments->len > MAX_ARGUMENTS)
          return wp_launch_parser_fail (parser, "more than %d arguments", MAX_ARGUMENTS);
      }
    while (wp_launch_parser_accept (parser, ","));
  if (!wp_launch_parser_accept (parser, ")"))
    return wp_launch_parser_fail (parser, "expected \",\" or \")\"");
  wp_launch_parser_accept (parser, ";");
  return parser->token.kind == WP_TOKEN_END
         || wp_launch_parser_fail (parser, "expected the end, or another --launch");
}

WpLaunch *
wp_launch_parse (const gchar *text, WpLaunchLookup lookup, gpointer data, GError **error)
{
  g_autoptr (WpLaunch) launch = g_new0 (WpLaunch, 1);
  const gchar *begin = strstr (text, "<<<");
  GError *problem = NULL;
  WpLaunchParser parser = { .lookup = lookup, .data = data, .error = &problem };

  launch->arguments = g_ptr_array_new_with_free_func (wp_launch_value_free);
  launch->text = g_strdup (text);
  parser.token.end = begin ? begin + 3 : text;
  if (strnlen (text, MAX_TEXT) == MAX_TEXT || !g_utf8_validate (text, -1, NULL))
    wp_launch_parser_fail_all (&parser, "it is longer than %d bytes, or no text", MAX_TEXT);
  else if (begin == NULL || !read_name (launch, (gsize)(begin - text), &parser))
    wp_launch_parser_fail_all (&parser, "expected NAME<<<GRID, BLOCK>>>(ARGUMENTS)");
  else if (strstr (begin, ">>>") == NULL)
    wp_launch_parser_fail_all (&parser,
                               "\">>>\" is missing; expected NAME<<<GRID, BLOCK>>>(ARGUMENTS)");
  else
    {
      wp_launch_parser_next (&parser);
      if (parse_configuration (&parser, launch) && parse_arguments (&parser, launch))
        return g_steal_pointer (&launch);
    }
  g_propagate_error (error, problem);
  return NULL;
}

GPtrArray *
wp_launch_parameters (const gchar *text)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  WpToken token = { .end = text };

  do
    {
      token = wp_launch_lex (token.end);
      if (token.kind == WP_TOKEN_PARAMETER)
        {
          gboolean is_braced = token.begin[1] == '{';
          gchar *name = g_strndup (token.begin + 1 + is_braced,
                                   (gsize)(token.end - token.begin) - 1 - (is_braced ? 2 : 0));

          if (g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
            g_free (name);
          else
            g_ptr_array_add (names, name);
        }
    }
  while (token.kind != WP_TOKEN_END);
  return names;
}
