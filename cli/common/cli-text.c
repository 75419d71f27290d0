/* SPDX-License-Identifier: MIT */
/* What standard output is decides how a report looks: colours and block characters are for
 * terminals that have them, and no escape sequence gets into a file.
 */
#include "cli/common/cli-text.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define MAX_WIDTH 10000 /* of a line, whatever $COLUMNS is */

WpTextStyle
wp_text_style_get (gboolean colour, gboolean unicode)
{
  return (WpTextStyle){ .bold = colour ? "\033[1m" : "",
                        .dim = colour ? "\033[2m" : "",
                        .plain = colour ? "\033[0m" : "",
                        .full = unicode ? "\xe2\x96\x88" : "#",
                        .colour = colour };
}

WpTextStyle
wp_text_style_get_own (void)
{
  const gchar *no_colour = g_getenv ("NO_COLOR");
  gboolean terminal = isatty (STDOUT_FILENO);

  return wp_text_style_get (terminal && (no_colour == NULL || *no_colour == '\0'),
                            terminal && g_get_charset (NULL));
}

guint
wp_text_get_width (void)
{
  const gchar *columns = g_getenv ("COLUMNS");
  struct winsize size = { 0 };
  guint64 width;

  if (columns != NULL && g_ascii_string_to_unsigned (columns, 10, 1, MAX_WIDTH, &width, NULL))
    return (guint)width;
  if (ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return MIN (size.ws_col, MAX_WIDTH);
  return WP_TEXT_WIDTH;
}

void
wp_text_print_heading (const WpTextStyle *style, const gchar *what, const gchar *gpu,
                       const gchar *title, const gchar *how)
{
  g_autofree gchar *subject
      = title != NULL ? g_strdup_printf ("%s (%s)", gpu, title) : g_strdup (gpu);
  glong width = g_utf8_strlen (what, -1) + g_utf8_strlen (subject, -1) + (glong)strlen (" on ");

  if (title != NULL)
    printf ("%s%s%s on %s%s%s (%s)", style->bold, what, style->plain, style->bold, gpu,
            style->plain, title);
  else
    printf ("%s%s%s on %s%s%s", style->bold, what, style->plain, style->bold, gpu, style->plain);
  if (how != NULL)
    printf (",%s%s", width + (glong)strlen (how) + 2 > WP_TEXT_WIDTH ? "\n  " : " ", how);
  putchar ('\n');
}

gchar *
wp_text_cut (const gchar *text, glong width)
{
  g_autofree gchar *head = NULL;

  if (g_utf8_strlen (text, -1) <= width)
    return g_strdup (text);
  head = g_utf8_substring (text, 0, width - 3);
  return g_strconcat (head, "...", NULL);
}

void
wp_text_print_wrapped (const gchar *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  gsize column = 0;

  for (guint i = 0; words[i] != NULL; i++)
    {
      gsize length = strlen (words[i]);

      if (column > 0 && column + 1 + length > 78)
        {
          putchar ('\n');
          column = 0;
        }
      column += (gsize)printf ("%s%s", column == 0 ? "  " : " ", words[i]);
    }
  putchar ('\n');
}

void
wp_text_print_bar (const WpTextStyle *style, const gchar *colour, gdouble share, gint width)
{
  gint cells = (gint)(share * width + 0.5);

  if (cells > 0)
    printf ("  %s", colour);
  for (gint i = 0; i < cells; i++)
    fputs (style->full, stdout);
  puts (cells > 0 && *colour != '\0' ? style->plain : "");
}

const gchar *
wp_text_plural (gint64 n)
{
  return n == 1 ? "" : "s";
}
