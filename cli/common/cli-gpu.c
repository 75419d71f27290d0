/* SPDX-License-Identifier: MIT */
/* --gpu-set: figures of GPU descriptions, as names of GPUs that have them set. */
#include <string.h>

#include "cli/common/cli-options.h"
#include "run/base/lists.h"

#define MAX_GPUS 10000

void
wp_cli_add_gpu_set_option (WpOptionTable *table, gchar ***gpu_sets)
{
  wp_options_add_list (table, "gpu-set", gpu_sets,
                       "Give a figure of the GPU another value: sms=66, pipeline.memory.scale=2, "
                       "op.ld.global.issue=20",
                       "PATH=VALUE");
}

/* VALUE as words: whole numbers and their ranges by number, all else between commas. NULL: there is
 * an empty one. */
static GStrv
list_values (const gchar *value)
{
  g_autoptr (GArray) ranges = wp_list_parse_numbers (value, 0, G_MAXUINT32, NULL);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (ranges == NULL)
    return wp_list_parse_words (value, NULL);
  for (guint64 i = 0; i < MIN (wp_ranges_count (ranges), MAX_GPUS + 1); i++)
    {
      g_autofree gchar *word = g_strdup_printf ("%" G_GUINT64_FORMAT, wp_ranges_get (ranges, i));

      g_strv_builder_add (builder, word);
    }
  return g_strv_builder_end (builder);
}

/* NAME with SETTING, in the braces that it may have already. */
static gchar *
add_setting (const gchar *name, const gchar *path, gsize length, const gchar *value)
{
  gsize end = strlen (name);

  if (strchr (name, '{') != NULL && name[end - 1] == '}')
    return g_strdup_printf ("%.*s %.*s=%s}", (int)(end - 1), name, (int)length, path, value);
  return g_strdup_printf ("%s{%.*s=%s}", name, (int)length, path, value);
}

/* Each of NAMES with each of VALUES of SETTING's path. */
static GPtrArray *
multiply (const GPtrArray *names, const gchar *setting, gchar *const *values)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < names->len; i++)
    for (guint k = 0; values[k] != NULL; k++)
      g_ptr_array_add (all, add_setting (g_ptr_array_index (names, i), setting,
                                         strcspn (setting, "="), values[k]));
  return all;
}

/* The values of SETTING, or NULL: an error has been printed. */
static GStrv
read_values (const WpCommand *command, const gchar *setting, gboolean several, guint n_names)
{
  const gchar *sign = strchr (setting, '=');
  g_auto (GStrv) values = NULL;

  if (sign == NULL || sign == setting || sign[1] == '\0' || strpbrk (setting, " {}\t\n") != NULL)
    {
      wp_cli_usage (command,
                    "--gpu-set \"%s\": expected PATH=VALUE without blanks or braces, as sms=66 or "
                    "pipeline.memory.scale=2",
                    setting);
      return NULL;
    }
  values = list_values (sign + 1);
  if (values == NULL)
    wp_cli_usage (command,
                  "--gpu-set \"%s\": expected values, all different, with commas between "
                  "them",
                  setting);
  else if (!several && values[1] != NULL)
    wp_cli_usage (command,
                  "--gpu-set \"%s\": several values; expected one (sweep and compare take several)",
                  setting);
  else if ((guint64)g_strv_length (values) * n_names > MAX_GPUS)
    wp_cli_usage (command, "--gpu-set makes more than %d GPUs", MAX_GPUS);
  else
    return g_steal_pointer (&values);
  return NULL;
}

gboolean
wp_cli_set_gpus (const WpCommand *command, gchar **gpu, gchar *const *gpu_sets, gboolean several)
{
  g_auto (GStrv) given = *gpu != NULL ? g_strsplit (*gpu, ",", -1) : NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  if (given == NULL || gpu_sets == NULL)
    return TRUE;
  for (guint i = 0; given[i] != NULL; i++)
    g_ptr_array_add (names, g_strdup (given[i]));
  for (; *gpu_sets != NULL; gpu_sets++)
    {
      g_auto (GStrv) values = read_values (command, *gpu_sets, several, names->len);
      GPtrArray *more = values != NULL ? multiply (names, *gpu_sets, values) : NULL;

      if (more == NULL)
        return FALSE;
      g_ptr_array_unref (names);
      names = more;
    }
  g_ptr_array_add (names, NULL);
  g_free (*gpu);
  *gpu = g_strjoinv (",", (gchar **)names->pdata);
  return TRUE;
}
