/* SPDX-License-Identifier: MIT */
/* Options are GLib's, but for --help: GLib would exit, and print what no command shares. */
#include "config.h"

#include "cli/common/commands.h"
#include "plots/wp-child.h"
#include "sim/engine/wp-device.h"
#include "traces/table/wp-trace.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const WpCommand *const commands[] = {
  &wp_command_run,      &wp_command_bounds, &wp_command_occupancy, &wp_command_models,
  &wp_command_explain,  &wp_command_sweep,  &wp_command_compare,   &wp_command_diff,
  &wp_command_show,     &wp_command_import, &wp_command_coalesce,  &wp_command_list,
  &wp_command_validate,
};

const WpCommand *
wp_command_get (gsize i)
{
  return i < G_N_ELEMENTS (commands) ? commands[i] : NULL;
}

/* ---- Saying ---- */

gchar *
wp_cli_make_printable (const gchar *message)
{
  g_autofree gchar *valid = g_utf8_make_valid (message, -1);
  GString *line = g_string_new (NULL);

  for (const gchar *at = valid; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      if (c == '\n')
        g_string_append (line, "\\n");
      else if (g_unichar_iscntrl (c))
        g_string_append_printf (line, "\\x%02x", c);
      else
        g_string_append_unichar (line, c);
    }
  return g_string_free (line, FALSE);
}

void
wp_cli_complain (const gchar *format, ...)
{
  g_autofree gchar *message = NULL;
  g_autofree gchar *line = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  line = wp_cli_make_printable (message);
  fprintf (stderr, "warpipe: %s\n", line);
}

WpExit
wp_cli_usage (const WpCommand *command, const gchar *format, ...)
{
  g_autofree gchar *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  wp_cli_complain ("%s (see warpipe %s --help)", message, command->name);
  return WP_EXIT_USAGE;
}

WpExit
wp_cli_fail (const GError *error)
{
  /* `warpipe run --issues - | head` is no failure worth a word. */
  if (!g_error_matches (error, WP_TRACE_ERROR, WP_TRACE_ERROR_CLOSED))
    wp_cli_complain ("%s", error->message);
  if (error->domain == WP_TRACE_ERROR || error->domain == G_FILE_ERROR
      || error->domain == WP_CHILD_ERROR || g_error_matches (error, WP_ERROR, WP_ERROR_MEMORY)
      || g_error_matches (error, IDG_ERROR, IDG_ERROR_MEMORY))
    return WP_EXIT_MACHINE;
  return WP_EXIT_INPUT;
}

/* ---- Options ---- */

gboolean
wp_cli_parse_number (const WpCommand *command, const gchar *option, const gchar *value, guint64 min,
                     guint64 max, guint64 *number)
{
  g_autoptr (GError) error = NULL;

  if (g_ascii_string_to_unsigned (value, 10, min, max, number, &error))
    return TRUE;
  wp_cli_usage (command,
                "--%s \"%s\": expected a whole number from %" G_GUINT64_FORMAT
                " to %" G_GUINT64_FORMAT,
                option, value, min, max);
  return FALSE;
}

static void
print_help (const WpCommand *command, GOptionContext *context)
{
  g_autofree gchar *help = g_option_context_get_help (context, TRUE, NULL);
  const gchar *options = strstr (help, "\n\n");

  printf ("Usage: warpipe %s [OPTION...]%s%s\n\n%s.\n", command->name,
          *command->arguments != '\0' ? " " : "", command->arguments, command->summary);
  if (command->details != NULL)
    printf ("\n%s\n", command->details);
  if (options != NULL)
    {
      const gchar *table = strstr (help, "Options:\n");

      printf ("\n%s", table != NULL ? table : options + 2);
    }
}

/* GLib takes "--no-limits=no" for "--no-limits". False: all has been said. */
static gboolean
check_flags (const WpCommand *command, const GOptionEntry *entries, gchar **argv)
{
  for (; *argv != NULL && strcmp (*argv, "--") != 0; argv++)
    for (const GOptionEntry *entry = entries; entry->long_name != NULL; entry++)
      {
        gsize n = strlen (entry->long_name);

        if (entry->arg != G_OPTION_ARG_NONE || !g_str_has_prefix (*argv, "--")
            || strncmp (*argv + 2, entry->long_name, n) != 0 || (*argv)[2 + n] != '=')
          continue;
        wp_cli_usage (command, "--%s takes no value; got \"%s\"", entry->long_name,
                      *argv + 2 + n + 1);
        return FALSE;
      }
  return TRUE;
}

gboolean
wp_cli_parse (const WpCommand *command, const GOptionEntry *entries, gchar **argv, GStrv *files,
              WpExit *status)
{
  gboolean help = FALSE;
  const GOptionEntry own[] = {
    { "help", 'h', 0, G_OPTION_ARG_NONE, &help, "Show this help and exit", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) left = g_strdupv (argv);

  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_main_entries (context, own, NULL);
  *status = WP_EXIT_USAGE;
  if (!check_flags (command, entries, left) || !check_flags (command, own, left))
    return FALSE;
  if (!g_option_context_parse_strv (context, &left, &error))
    {
      wp_cli_usage (command, "%s", error->message);
      return FALSE;
    }
  if (help)
    {
      print_help (command, context);
      *status = WP_EXIT_DONE;
      return FALSE;
    }
  *files = g_strdupv (left[0] != NULL ? left + 1 : left);
  return TRUE;
}

/* ---- Commands ---- */

static void
print_usage (FILE *out)
{
  fputs ("Usage: warpipe COMMAND [OPTION...] FILE...\n\n"
         "Simulates how a GPU hides latency.\n\nCommands:\n",
         out);
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autofree gchar *usage
          = g_strdup_printf ("%s %s", commands[i]->name, commands[i]->arguments);

      fprintf (out, "  %-34s %s\n", usage, commands[i]->summary);
    }
  fputs ("\nwarpipe COMMAND --help tells about one command; warpipe --version, which warpipe this "
         "is.\n"
         "A first look: warpipe run vector-add --gpu gtx680\n",
         out);
}

/* The libraries that a build may lack, and what needs them. */
static void
print_version (void)
{
  static const struct
  {
    const gchar *library, *use;
    gboolean is_there;
  } parts[] = {
    { "cairo", "pictures of runs (run --svg)", WITH_CAIRO },
    { "json-glib", "diff", WITH_JSON },
    { "libarchive", "import of compressed traces", WITH_ARCHIVE },
    { "MPI", "sweep by several processes (mpirun)", WITH_MPI },
  };

  puts (PACKAGE_STRING);
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    printf ("%s %s: %s\n", parts[i].is_there ? "with" : "without", parts[i].library, parts[i].use);
}

static WpExit
run_command (gchar **argv, guint64 max_issues)
{
  const gchar *name = argv[0];
  g_autoptr (GString) known = g_string_new (NULL);

  if (strcmp (name, "--help") == 0 || strcmp (name, "-h") == 0 || strcmp (name, "help") == 0)
    {
      print_usage (stdout);
      return WP_EXIT_DONE;
    }
  if (strcmp (name, "--version") == 0)
    {
      print_version ();
      return WP_EXIT_DONE;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      if (strcmp (name, commands[i]->name) == 0)
        return commands[i]->run (argv, max_issues);
      g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", commands[i]->name);
    }
  wp_cli_complain ("unknown command \"%s\"; there are %s (see warpipe --help)", name, known->str);
  return WP_EXIT_USAGE;
}

int
wp_cli_main (int argc, char **argv, guint64 max_issues)
{
  WpExit status;

  if (argc < 2)
    {
      print_usage (stderr);
      return WP_EXIT_USAGE;
    }
  status = run_command (argv + 1, max_issues);
  errno = 0;
  if (fflush (stdout) == 0 && !ferror (stdout))
    return status;
  /* What has failed has said so; and that nobody reads on is no news to anyone. */
  if (status == WP_EXIT_DONE && errno != EPIPE)
    wp_cli_complain ("cannot write to standard output: %s", g_strerror (errno != 0 ? errno : EIO));
  return WP_EXIT_MACHINE;
}
