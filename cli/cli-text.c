/* SPDX-License-Identifier: MIT */
#include "cli/cli-text.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
