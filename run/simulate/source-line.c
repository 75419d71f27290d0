/* SPDX-License-Identifier: MIT */
#include "run/simulate/source-line.h"

#include <string.h>

#define MAX_BYTES (4 << 20)

gboolean
wp_source_lines_are_known (const IdgKernel *kernel)
{
  for (guint p = 0; p < kernel->programs->len; p++)
    {
      const IdgProgram *program
          = ((const IdgKernelProgram *)g_ptr_array_index (kernel->programs, p))->program;

      for (guint32 i = 0; i < program->n_nodes; i++)
        {
          WpSourceLine line;

          if (!wp_source_line_parse (program->nodes[i].text, &line))
            continue;
          g_free (line.file);
          return TRUE;
        }
    }
  return FALSE;
}

static gchar **
read_lines (const gchar *path)
{
  g_autofree gchar *text = NULL;
  gsize length;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR)
      || !g_file_get_contents (path, &text, &length, NULL) || length > MAX_BYTES
      || !g_utf8_validate (text, (gssize)length, NULL))
    return NULL;
  return g_strsplit (text, "\n", -1);
}

WpSource *
wp_source_read (const IdgKernel *kernel, const gchar *name)
{
  WpSource *source = g_new0 (WpSource, 1);
  g_autofree gchar *folder = g_path_get_dirname (kernel->file ? kernel->file : ".");
  g_autofree gchar *beside = g_build_filename (folder, name, NULL);

  source->name = g_strdup (name);
  source->lines = strchr (name, '/') ? NULL : read_lines (beside);
  return source;
}

void
wp_source_free (WpSource *source)
{
  if (!source)
    return;
  g_free (source->name);
  g_strfreev (source->lines);
  g_free (source);
}

const gchar *
wp_source_get_line (const WpSource *source, guint line)
{
  for (guint i = 0; source->lines && source->lines[i]; i++)
    if (i + 1 == line)
      return g_strstrip (source->lines[i]);
  return NULL;
}
