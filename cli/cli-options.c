/* SPDX-License-Identifier: MIT */
#include "cli/cli-options.h"

#include <string.h>

void
wp_launch_options_clear (WpLaunchOptions *launch)
{
  g_free (launch->blocks);
  g_free (launch->threads);
  g_free (launch->registers);
  g_free (launch->shared_memory);
}

gboolean
wp_cli_parse_count (const WpCommand *command, const gchar *option, const gchar *value, guint64 min,
                    guint64 max, gint64 *number)
{
  guint64 parsed;

  if (value == NULL)
    return TRUE;
  if (!wp_cli_parse_number (command, option, value, min, max, &parsed))
    return FALSE;
  *number = (gint64)parsed;
  return TRUE;
}

gboolean
wp_cli_parse_launch (const WpCommand *command, const WpLaunchOptions *launch, WpRunOptions *options)
{
  return wp_cli_parse_count (command, "blocks", launch->blocks, 1, IDG_MAX_BLOCKS, &options->blocks)
         && wp_cli_parse_count (command, "threads", launch->threads, 1, IDG_MAX_THREADS,
                                &options->threads)
         && wp_cli_parse_count (command, "registers", launch->registers, 0, IDG_MAX_REGISTERS,
                                &options->registers)
         && wp_cli_parse_count (command, "shared-memory", launch->shared_memory, 0,
                                IDG_MAX_SHARED_MEMORY, &options->shared_memory);
}

gboolean
wp_cli_parse_choice (const WpCommand *command, const gchar *option, const gchar *value,
                     const gchar *first, const gchar *second, gboolean *is_second)
{
  *is_second = value != NULL && strcmp (value, second) == 0;
  if (value == NULL || *is_second || strcmp (value, first) == 0)
    return TRUE;
  wp_cli_usage (command, "--%s \"%s\": expected %s or %s", option, value, first, second);
  return FALSE;
}

const WpPolicy *
wp_cli_find_policy (const WpCommand *command, const gchar *name)
{
  const WpPolicy *policy = wp_policy_find (name != NULL ? name : "rr");
  g_autoptr (GString) known = g_string_new (NULL);

  if (policy != NULL)
    return policy;
  for (gsize i = 0; wp_policy_get (i) != NULL; i++)
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "",
                            wp_policy_get_name (wp_policy_get (i)));
  wp_cli_usage (command, "--policy \"%s\": there are %s", name, known->str);
  return NULL;
}

gboolean
wp_cli_check_settings (const WpCommand *command, gchar *const *settings)
{
  for (guint i = 0; settings != NULL && settings[i] != NULL; i++)
    {
      const gchar *equals = strchr (settings[i], '=');
      gsize length = equals != NULL ? (gsize)(equals - settings[i]) + 1 : 0;

      if (length < 2 || equals[1] == '\0'
          || strspn (equals + 1, "0123456789") != strlen (equals + 1))
        {
          wp_cli_usage (command,
                        "--set \"%s\": expected NAME=VALUE, the value a whole number of at least 0",
                        settings[i]);
          return FALSE;
        }
      for (guint k = 0; k < i; k++)
        if (strncmp (settings[i], settings[k], length) == 0)
          {
            wp_cli_usage (command, "--set gives \"%.*s\" twice", (int)length - 1, settings[i]);
            return FALSE;
          }
    }
  return TRUE;
}

gboolean
wp_cli_check_kernel_and_gpu (const WpCommand *command, gchar **files, const gchar *gpu)
{
  if (g_strv_length (files) != 1)
    {
      wp_cli_usage (command, "expected one KERNEL, got %u", g_strv_length (files));
      return FALSE;
    }
  if (gpu == NULL)
    {
      wp_cli_usage (command, "--gpu is missing; warpipe list gpus shows what is shipped");
      return FALSE;
    }
  return TRUE;
}
