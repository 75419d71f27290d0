/* SPDX-License-Identifier: MIT */
/* PTX and CUDA source are compiled for the GPU that they are to run on. $NAME in the compiler's
 * options are parameters, as in launches, so that a sweep can vary what is compiled. */
#include "exec/wp-source.h"

#include "exec/launch/wp-launch-fill.h"
#include "exec/launch/wp-launch.h"
#include "exec/wp-compile.h"
#include "idg/kernel/idg-kernel.h"
#include "idg/xml/idg-head.h"

#include <stdlib.h>
#include <string.h>

#define HEAD 4096
#define OLDEST_TARGET 75 /* for GPUs whose compute capability nobody says */

guint
wp_source_target (const WpGpu *gpu)
{
  gchar *end;
  guint64 major, minor;

  if (gpu == NULL || gpu->cc == NULL)
    return 0;
  major = g_ascii_strtoull (gpu->cc, &end, 10);
  minor = *end == '.' ? g_ascii_strtoull (end + 1, NULL, 10) : 0;
  return major < 100 && minor < 10 ? (guint)(10 * major + minor) : 0;
}

static gboolean
is_ptx (const gchar *head, gsize n)
{
  return memchr (head, 0, n) == NULL && strstr (head, ".version ") && strstr (head, ".target ");
}

WpExecuteKind
wp_execute_recognize (const gchar *path)
{
  gchar head[HEAD + 1];
  gsize n;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return WP_EXECUTE_NONE;
  n = idg_read_head (path, head, HEAD);
  head[n] = 0;
  if (wp_cubin_recognize ((const guint8 *)head, n))
    return WP_EXECUTE_CODE;
  if (g_str_has_suffix (path, ".cu") || g_str_has_suffix (path, ".cuh"))
    return WP_EXECUTE_CUDA;
  return is_ptx (head, n) ? WP_EXECUTE_PTX : WP_EXECUTE_NONE;
}

/* Lines name the source by where it is: it is called as the user called it. */
static void
name_source (WpCubin *cubin, const gchar *path)
{
  g_autofree gchar *whole = realpath (path, NULL);

  for (guint k = 0; whole && k < cubin->files->len; k++)
    {
      const gchar *file = g_ptr_array_index (cubin->files, k);
      g_autofree gchar *other = realpath (file, NULL);

      if (other && strcmp (other, whole) == 0 && strcmp (file, path) != 0)
        {
          g_free (cubin->files->pdata[k]);
          cubin->files->pdata[k] = g_strdup (path);
        }
    }
}

static void
say (const WpExecuteOptions *options, const gchar *note)
{
  if (options->note)
    options->note (note, options->data_of_functions);
}

/* The options of the compiler with the values of their $NAMEs; NULL with an error. */
static gchar *
fill_options (const WpExecuteOptions *options, GError **error)
{
  gchar *text = wp_launch_fill (options->nvcc ? options->nvcc : "", options->lookup,
                                options->lookup_data, error);

  if (text == NULL)
    g_prefix_error (error, "--nvcc '%s': ", options->nvcc);
  return text;
}

static WpCubin *
parse (const WpCompile *request, GBytes *image, GError **error)
{
  gsize length;
  const guint8 *data = g_bytes_get_data (image, &length);
  WpCubin *cubin = wp_cubin_parse (data, length, request->path, request->sm, NULL, error);
  if (cubin)
    name_source (cubin, request->path);
  return cubin;
}

/* Whether a template of CUDA source can be called NAME. */
static gboolean
is_template (const gchar *name)
{
  static const gchar others[] = "_:<>,&*()+-/%|^!=?. ";

  for (const gchar *at = name; *at; at++)
    if (!g_ascii_isalnum (*at) && !strchr (others, *at))
      return FALSE;
  return strchr (name, '<') && (g_ascii_isalpha (*name) || strchr ("_:", *name));
}

/* The kernels of templates that launches name and CUBIN, NULL: nothing, lacks; of gchar,
 * NULL-terminated. */
static GPtrArray *
list_lacking (const WpExecuteOptions *options, const WpCubin *cubin)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  for (guint k = 0; options->launches && options->launches[k]; k++)
    {
      g_autoptr (WpLaunch) launch
          = wp_launch_parse (options->launches[k], options->lookup, options->lookup_data, NULL);

      if (launch && is_template (launch->written)
          && (cubin == NULL || wp_launch_find (launch, cubin, NULL) < 0)
          && !g_ptr_array_find_with_equal_func (names, launch->written, g_str_equal, NULL))
        g_ptr_array_add (names, g_strdup (launch->written));
    }
  g_ptr_array_add (names, NULL);
  return names;
}

/* Which kernel of CUBIN is none of BEFORE's, NULL: of nothing; NULL: none, or several. */
static WpCubinFunction *
find_new (const WpCubin *cubin, const WpCubin *before)
{
  WpCubinFunction *found = NULL;
  guint n = 0;

  for (guint k = 0; k < cubin->functions->len; k++)
    {
      WpCubinFunction *function = g_ptr_array_index (cubin->functions, k);
      gboolean is_new = function->is_kernel;

      for (guint i = 0; is_new && before && i < before->functions->len; i++)
        is_new = strcmp (((WpCubinFunction *)g_ptr_array_index (before->functions, i))->name,
                         function->name)
                 != 0;
      if (is_new)
        found = function;
      n += is_new;
    }
  return n == 1 ? found : NULL;
}

/* The same with the kernels of templates that launches ask for and BEFORE, NULL: nothing, lacks.
 * NULL where it has all of them, or, with the reasons as a note, the compiler makes none. */
static WpCubin *
add_kernels (const WpExecuteOptions *options, const WpCompile *request, const WpCubin *before)
{
  g_autoptr (GPtrArray) names = list_lacking (options, before);
  g_autoptr (GError) problem = NULL;
  g_autoptr (GBytes) image = NULL;
  WpCompile again = *request;
  WpCubin *cubin;

  if (names->len == 1)
    return NULL;
  again.kernels = (const gchar *const *)names->pdata;
  again.note = NULL;
  image = wp_compile (&again, FALSE, &problem);
  cubin = image ? parse (&again, image, &problem) : NULL;
  if (cubin && names->len == 2)
    {
      WpCubinFunction *function = find_new (cubin, before);

      if (function)
        function->asked = g_strdup (g_ptr_array_index (names, 0));
    }
  if (cubin == NULL)
    say (options, problem->message);
  return cubin;
}

/* The error of source of which no kernel was made: one of a launch, where there is one. */
static void
fail_without_kernels (const WpExecuteOptions *options, GError **error)
{
  for (guint k = 0; options->launches && options->launches[k]; k++)
    {
      g_autoptr (WpLaunch) launch
          = wp_launch_parse (options->launches[k], options->lookup, options->lookup_data, error);

      if (launch == NULL)
        {
          g_prefix_error (error, "%s: --launch '%s': ", options->path, options->launches[k]);
          return;
        }
    }
  g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
               "%s: it has no kernel but templates, if any; expected --launch "
               "'NAME<ARGUMENTS><<<GRID, BLOCK>>>(...)', with the arguments of one",
               options->path);
}

static WpCubin *
make_cubin (const WpExecuteOptions *options, const WpCompile *request, WpExecuteKind kind,
            GError **error)
{
  g_autoptr (GBytes) image = wp_compile (request, kind == WP_EXECUTE_PTX, error);
  g_autoptr (WpCubin) cubin = NULL;
  WpCubin *whole;

  if (image == NULL)
    return NULL;
  if (kind != WP_EXECUTE_CUDA)
    return parse (request, image, error);
  cubin = parse (request, image, NULL);
  whole = add_kernels (options, request, cubin);
  if (whole)
    return whole;
  if (cubin == NULL)
    fail_without_kernels (options, error);
  return g_steal_pointer (&cubin);
}

static WpCubin *
compile (const WpExecuteOptions *options, WpExecuteKind kind, guint sm, GError **error)
{
  g_autofree gchar *more = fill_options (options, error);
  WpCompile request = { .path = options->path,
                        .sm = sm > 0 ? sm : OLDEST_TARGET,
                        .options = more,
                        .cancel = options->cancel,
                        .note = options->note,
                        .data = options->data_of_functions };

  if (more == NULL)
    return NULL;
  if (sm == 0)
    {
      g_autofree gchar *note = g_strdup_printf (
          "%s: %s has no compute capability in its description (cc=\"8.0\"); the code is for the "
          "oldest that can be executed",
          options->path, options->gpu ? options->gpu->name : "the GPU");

      say (options, note);
    }
  return make_cubin (options, &request, kind, error);
}

WpCubin *
wp_execute_load (const WpExecuteOptions *options, GError **error)
{
  WpExecuteKind kind = wp_execute_recognize (options->path);
  guint sm = wp_source_target (options->gpu);
  g_autofree gchar *note = NULL;
  WpCubin *cubin = NULL;

  if (kind == WP_EXECUTE_NONE)
    g_set_error (error, IDG_ERROR, IDG_ERROR_READ,
                 "%s: nothing that can be executed; expected CUDA source (.cu), PTX, a cubin, or a "
                 "program with code for GPUs",
                 options->path);
  else if (options->nvcc && kind != WP_EXECUTE_CUDA)
    g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
                 "%s: --nvcc %s: it is compiled already; expected CUDA source (.cu), or no --nvcc",
                 options->path, options->nvcc);
  else if (kind != WP_EXECUTE_CODE)
    return compile (options, kind, sm, error);
  else
    cubin
        = wp_cubin_load (options->path, sm > 0 ? sm : OLDEST_TARGET, sm > 0 ? &note : NULL, error);
  if (note)
    say (options, note);
  return cubin;
}

void
wp_execute_explain (const WpExecuteOptions *options, GError **error)
{
  g_autoptr (WpCubin) cubin = wp_execute_load (options, error);
  g_autofree gchar *list = cubin ? wp_launch_list (cubin) : NULL;

  if (list)
    g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
                 "%s: which kernel runs, on how many blocks, and with what? Expected --launch, as "
                 "in host code; it has%s",
                 options->path, *list ? list : " no kernel");
}
