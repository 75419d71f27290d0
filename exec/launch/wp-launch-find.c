/* SPDX-License-Identifier: MIT */
/* Which kernel is meant. Names are compared without blanks, and template arguments as people write
 * them: a demangler has "k<4u, (char)1>" for k<4, 1>. */
#include "exec/launch/wp-launch-tensor.h"
#include "exec/launch/wp-launch-type.h"
#include "exec/launch/wp-launch.h"
#include "exec/memory/wp-tensor-map.h"

#include "idg/kernel/idg-demangle.h"
#include "idg/kernel/idg-kernel.h"
#include "idg/kernel/idg-suggest.h"

#include <string.h>

#define MAX_LISTED 40
#define MAX_WIDTH 160 /* bytes of a signature in a list */

/* What follows (TYPE) in "(char)1", TEXT where it begins with no such thing. */
static const gchar *
skip_cast (const gchar *text)
{
  const gchar *close = *text == '(' ? strchr (text, ')') : NULL;
  g_autofree gchar *type = close ? g_strndup (text + 1, (gsize)(close - text - 1)) : NULL;

  if (type && (g_ascii_isdigit (close[1]) || close[1] == '-') && wp_type_parse (type).bytes > 0)
    return close + 1;
  return text;
}

/* NAME without blanks; in template arguments also without casts and the u and l of numbers. */
static gchar *
normalize (const gchar *name)
{
  GString *text = g_string_new (NULL);
  gboolean in_number = FALSE;

  for (const gchar *at = name; *at; at++)
    {
      gboolean begins = text->len > 0 && strchr ("<,", text->str[text->len - 1]);

      if (begins)
        at = skip_cast (at);
      if (begins || !g_ascii_isalnum (*at))
        in_number = begins && g_ascii_isdigit (*at);
      if (g_ascii_isspace (*at) || (in_number && strchr ("uUlL", *at)))
        continue;
      g_string_append_c (text, *at);
    }
  return g_string_free (text, FALSE);
}

/* The name of a kernel as host code has it: "ns::axpy<4>". */
static gchar *
cplusplus_name (const WpCubinFunction *function)
{
  g_autofree gchar *name = idg_demangle_short (function->demangled);

  return normalize (name);
}

/* "axpy<4>" of "a::b::axpy<4>". */
static const gchar *
without_namespace (const gchar *name)
{
  const gchar *begin = name, *end = name + strcspn (name, "<");

  for (const gchar *at = name; at + 1 < end; at++)
    if (at[0] == ':' && at[1] == ':')
      begin = at + 2;
  return begin;
}

/* The name in the mangled one, where no demangler is, or it is too much for one: "axpy" of
 * "_Z4axpyifPf", "ns::axpy" of "_ZN2ns4axpyIfEEviT_PS1_". */
static gchar *
plain_name (const gchar *name)
{
  const gchar *at = g_str_has_prefix (name, "_ZN") ? name + 3 : name + 2;
  GString *plain = g_string_new (NULL);

  while (g_str_has_prefix (name, "_Z") && g_ascii_isdigit (*at))
    {
      gchar *begin = NULL;
      const guint64 n = g_ascii_strtoull (at, &begin, 10);

      if (n == 0 || n > strlen (begin))
        break;
      g_string_append_printf (plain, "%s%.*s", plain->len > 0 ? "::" : "", (int)n, begin);
      if (name[2] != 'N')
        break;
      at = begin + n;
    }
  if (plain->len == 0)
    g_string_append (plain, name);
  return g_string_free (plain, FALSE);
}

/* k for k<float>. */
static gboolean
begins_template (const gchar *full, const gchar *asked)
{
  return g_str_has_prefix (full, asked) && full[strlen (asked)] == '<';
}

/* k<float> for k<float, 256>: arguments that have defaults may be left out. */
static gboolean
leaves_arguments (const gchar *full, const gchar *asked)
{
  gsize n = strlen (asked);

  return n > 1 && asked[n - 1] == '>' && strchr (asked, '<') && strncmp (full, asked, n - 1) == 0
         && full[n - 1] == ',';
}

/* How well FUNCTION fits the name: 0 not at all; more is better. */
static guint
rate (const WpCubinFunction *function, const gchar *asked)
{
  g_autofree gchar *full = cplusplus_name (function), *plain = plain_name (function->name);
  const gchar *last = without_namespace (full);

  if (strcmp (function->name, asked) == 0)
    return 6;
  if (strcmp (full, asked) == 0)
    return 5;
  if (strcmp (last, asked) == 0)
    return 4;
  if (begins_template (full, asked) || leaves_arguments (full, asked))
    return 3;
  if (begins_template (last, asked) || leaves_arguments (last, asked))
    return 2;
  return strcmp (plain, asked) == 0 || strcmp (without_namespace (plain), asked) == 0 ? 1 : 0;
}

static gchar *
make_signature (const WpCubinFunction *function)
{
  GString *text;

  if (strcmp (function->demangled, function->name) != 0 || function->parameters == NULL)
    {
      g_autofree gchar *name = idg_demangle_short (function->demangled);
      const gchar *rest = strstr (function->demangled, name);

      return g_strdup (rest ? rest : function->demangled);
    }
  text = g_string_new (function->name);
  g_string_append_c (text, '(');
  for (guint k = 0; k < function->parameters->len; k++)
    g_string_append_printf (text, "%s%u bytes", k ? ", " : "",
                            g_array_index (function->parameters, WpCubinParameter, k).bytes);
  g_string_append_c (text, ')');
  return g_string_free (text, FALSE);
}

/* Template arguments can be pages. Long texts differ at their ends, if anywhere: what is left out
 * is in the middle. */
gchar *
wp_launch_signature (const WpCubinFunction *function)
{
  g_autofree gchar *whole = make_signature (function);
  gsize n = strlen (whole), begin = MAX_WIDTH / 2, end = n - MAX_WIDTH / 2;

  if (n <= MAX_WIDTH)
    return g_steal_pointer (&whole);
  while (begin > 0 && ((guchar)whole[begin] & 0xc0) == 0x80) /* within a letter of UTF-8 */
    begin--;
  while (end < n && ((guchar)whole[end] & 0xc0) == 0x80)
    end++;
  return g_strdup_printf ("%.*s...%s", (int)begin, whole, whole + end);
}

static void
append_buffer (GString *text, guint *n_buffers)
{
  g_string_append_c (text, (gchar)('A' + *n_buffers % 26));
  if (*n_buffers >= 26)
    g_string_append_printf (text, "%u", *n_buffers / 26);
  ++*n_buffers;
}

/* Whether a parameter of BYTES is probably a tensor map. NAME is its type, NULL: not known. */
static gboolean
is_tensor_map (const gchar *name, guint bytes)
{
  return bytes == WP_TENSOR_MAP_BYTES
         && (name == NULL || g_str_has_prefix (name, WP_TENSOR_MAP_TYPE));
}

static void
append_argument (GString *text, const WpType *type, guint bytes, guint *n_buffers)
{
  if (type->kind == WP_TYPE_POINTER || (type->kind == WP_TYPE_UNKNOWN && bytes == 8))
    append_buffer (text, n_buffers);
  else if (type->kind == WP_TYPE_FLOAT || type->kind == WP_TYPE_HALF
           || type->kind == WP_TYPE_BFLOAT16)
    g_string_append (text, type->bytes == 8 ? "1.0" : "1.0f");
  else if (type->kind == WP_TYPE_VECTOR || bytes > 8)
    g_string_append (text, "{...}");
  else
    g_string_append (text, "1024");
}

/* NAME<<<1024, 256>>>(A, B, 1024), with arguments of the types of FUNCTION's parameters. */
static gchar *
make_example (const WpCubinFunction *function, const gchar *name)
{
  g_autoptr (GPtrArray) types = wp_type_split (function->demangled);
  GString *text = g_string_new (NULL);
  guint n = 0, n_parameters = function->parameters ? function->parameters->len : 0;
  guint threads = function->max_threads > 0 ? MIN (function->max_threads, 256) : 256;

  g_string_append_printf (text, "%s<<<1024, %u>>>(", name, threads);
  for (guint k = 0; k < n_parameters; k++)
    {
      const gchar *type_name = types && k < types->len ? g_ptr_array_index (types, k) : NULL;
      const guint bytes = g_array_index (function->parameters, WpCubinParameter, k).bytes;
      const WpType type = type_name ? wp_type_parse (type_name) : (WpType){ 0 };

      g_string_append (text, k ? ", " : "");
      if (is_tensor_map (type_name, bytes))
        {
          g_string_append (text, WP_TENSOR_MAP_CALL "(");
          append_buffer (text, &n);
          g_string_append (text, WP_TENSOR_MAP_REST);
        }
      else
        append_argument (text, &type, bytes, &n);
    }
  g_string_append_c (text, ')');
  return g_string_free (text, FALSE);
}

/* Whether NAME, of a kernel, is short and no other's. */
static gboolean
is_handy (const gchar *name, GHashTable *names)
{
  return strlen (name) <= MAX_WIDTH / 2
         && GPOINTER_TO_UINT (g_hash_table_lookup (names, name)) == 1;
}

/* The example has the kernel's name as people write it where that is short and no other's, without
 * its template arguments if need be, else the one in the file. */
static void
append_line (GString *text, const WpCubinFunction *function, GHashTable *names)
{
  g_autofree gchar *signature = wp_launch_signature (function), *example = NULL;
  g_autofree gchar *full = cplusplus_name (function), *plain = plain_name (function->name);
  const gboolean is_whole = strcmp (function->demangled, function->name) != 0;

  example = make_example (function, is_whole && is_handy (full, names) ? full
                                    : is_handy (plain, names)          ? plain
                                                                       : function->name);
  g_string_append_printf (text, "\n  %s: --launch '%s'", signature, example);
}

/* The kernels of CUBIN. Of one name in several modules the first is it, as a linker has it: a
 * template that several files of a program use. */
static GPtrArray *
list_kernels (const WpCubin *cubin)
{
  GPtrArray *kernels = g_ptr_array_new ();
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint k = 0; k < cubin->functions->len; k++)
    {
      WpCubinFunction *function = g_ptr_array_index (cubin->functions, k);

      if (function->is_kernel && g_hash_table_add (names, function->name))
        g_ptr_array_add (kernels, function);
    }
  return kernels;
}

static void
count_name (GHashTable *names, gchar *name)
{
  const guint n = GPOINTER_TO_UINT (g_hash_table_lookup (names, name));

  g_hash_table_replace (names, name, GUINT_TO_POINTER (n + 1));
}

/* How many of KERNELS have each name, with template arguments and without. */
static GHashTable *
count_names (const GPtrArray *kernels)
{
  GHashTable *names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint k = 0; k < kernels->len; k++)
    {
      const WpCubinFunction *function = g_ptr_array_index (kernels, k);
      gchar *full = cplusplus_name (function), *plain = plain_name (function->name);
      const gboolean is_same = strcmp (full, plain) == 0;

      count_name (names, full);
      if (is_same)
        g_free (plain);
      else
        count_name (names, plain);
    }
  return names;
}

gchar *
wp_launch_list (const WpCubin *cubin)
{
  g_autoptr (GPtrArray) kernels = list_kernels (cubin);
  g_autoptr (GHashTable) names = count_names (kernels);
  GString *text = g_string_new (NULL);

  for (guint k = 0; k < MIN (kernels->len, MAX_LISTED); k++)
    append_line (text, g_ptr_array_index (kernels, k), names);
  if (kernels->len > MAX_LISTED)
    g_string_append_printf (text, "\n  and %u more", kernels->len - MAX_LISTED);
  return g_string_free (text, FALSE);
}

/* The names of all kernels, for "did you mean". */
static GPtrArray *
list_names (const WpCubin *cubin)
{
  g_autoptr (GPtrArray) kernels = list_kernels (cubin);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  for (guint k = 0; k < kernels->len; k++)
    g_ptr_array_add (names, cplusplus_name (g_ptr_array_index (kernels, k)));
  g_ptr_array_add (names, NULL);
  return names;
}

static void
fail (const WpLaunch *launch, const WpCubin *cubin, const GPtrArray *fitting, GError **error)
{
  g_autoptr (GPtrArray) names = list_names (cubin);
  g_autofree gchar *nearest = idg_suggest_end (launch->name, (const gchar *const *)names->pdata);
  g_autofree gchar *list = wp_launch_list (cubin);
  g_autoptr (GString) several = g_string_new (NULL);

  for (guint k = 0; k < fitting->len; k++)
    {
      g_autofree gchar *signature = wp_launch_signature (g_ptr_array_index (fitting, k));

      g_string_append_printf (several, "%s%s", k ? ", " : "", signature);
    }
  if (fitting->len > 0)
    g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
                 "%s can be any of %s; expected the whole name, or the one in the file, as %s",
                 launch->name, several->str,
                 ((const WpCubinFunction *)g_ptr_array_index (fitting, 0))->name);
  else
    g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE, "no kernel is called %s%s%s%s", launch->name,
                 nearest, *list ? "; it has" : "; it has none", list);
}

gint
wp_launch_find (const WpLaunch *launch, const WpCubin *cubin, GError **error)
{
  g_autofree gchar *asked = normalize (launch->name);
  g_autoptr (GPtrArray) kernels = list_kernels (cubin), fitting = g_ptr_array_new ();
  guint best = 1, found;

  for (guint k = 0; k < kernels->len; k++)
    {
      WpCubinFunction *function = g_ptr_array_index (kernels, k);
      guint rating = g_strcmp0 (function->asked, launch->written) == 0 ? 7 : rate (function, asked);

      if (rating > best)
        g_ptr_array_set_size (fitting, 0);
      best = MAX (best, rating);
      if (rating == best)
        g_ptr_array_add (fitting, function);
    }
  if (fitting->len == 1
      && g_ptr_array_find (cubin->functions, g_ptr_array_index (fitting, 0), &found))
    return (gint)found;
  fail (launch, cubin, fitting, error);
  return -1;
}
