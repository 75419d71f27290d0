/* SPDX-License-Identifier: MIT */
/* PTX and CUDA source are compiled for the GPU that they are to run on. $NAME in the compiler's
 * options are parameters, as in launches, so that a sweep can vary what is compiled. */
#include "exec/wp-source.h"

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
  if (g_str_has_suffix (path, ".cu"))
    return WP_EXECUTE_CUDA;
  return is_ptx (head, n) ? WP_EXECUTE_PTX : WP_EXECUTE_NONE;
}

/* TEXT with the values of its $NAMEs; NULL with an error. */
static gchar *
substitute (const gchar *text, const WpExecuteOptions *options, GError **error)
{
  GString *result = g_string_new (NULL);

  while (*text)
    {
      gboolean is_braced = text[0] == '$' && text[1] == '{';
      const gchar *begin = text + 1 + is_braced, *end = begin;
      g_autofree gchar *name = NULL;
      gint64 value;

      if (*text != '$' || !(g_ascii_isalpha (*begin) || *begin == '_'))
        {
          g_string_append_c (result, *text++);
          continue;
        }
      while (g_ascii_isalnum (*end) || *end == '_' || (is_braced && *end && *end != '}'))
        end++;
      name = g_strndup (begin, (gsize)(end - begin));
      if (options->lookup == NULL || !options->lookup (name, &value, options->lookup_data))
        {
          g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
                       "--nvcc '%s': no parameter is called \"%s\"; expected one of the kernel "
                       "file, or of --set %s=NUMBER",
                       options->nvcc, name, name);
          g_string_free (result, TRUE);
          return NULL;
        }
      g_string_append_printf (result, "%" G_GINT64_FORMAT, value);
      text = is_braced && *end ? end + 1 : end;
    }
  return g_string_free (result, FALSE);
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

static WpCubin *
compile (const WpExecuteOptions *options, WpExecuteKind kind, guint sm, GError **error)
{
  g_autofree gchar *more = options->nvcc ? substitute (options->nvcc, options, error) : NULL;
  WpCompile request = { .path = options->path,
                        .sm = sm > 0 ? sm : OLDEST_TARGET,
                        .options = more,
                        .cancel = options->cancel,
                        .note = options->note,
                        .data = options->data_of_functions };
  g_autoptr (GBytes) image = NULL;
  WpCubin *cubin;
  gsize length;
  const guint8 *data;

  if (options->nvcc && more == NULL)
    return NULL;
  if (sm == 0)
    {
      g_autofree gchar *note = g_strdup_printf (
          "%s: %s has no compute capability in its description (cc=\"8.0\"); the code is for the "
          "oldest that can be executed",
          options->path, options->gpu ? options->gpu->name : "the GPU");

      say (options, note);
    }
  image = wp_compile (&request, kind == WP_EXECUTE_PTX, error);
  if (image == NULL)
    return NULL;
  data = g_bytes_get_data (image, &length);
  cubin = wp_cubin_parse (data, length, options->path, request.sm, NULL, error);
  if (cubin)
    name_source (cubin, options->path);
  return cubin;
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
