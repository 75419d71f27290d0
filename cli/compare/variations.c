/* SPDX-License-Identifier: MIT */
#include "cli/compare/variations.h"

#include "cli/common/cli-ranges.h"
#include "run/base/ranges.h"

#include <string.h>

void
wp_variation_free (WpVariation *variation)
{
  if (variation == NULL)
    return;
  g_free (variation->name);
  g_ptr_array_unref (variation->values);
  g_free (variation);
}

static WpVariation *
new_variation (const gchar *option, gboolean is_word)
{
  WpVariation *variation = g_new0 (WpVariation, 1);

  variation->is_set = g_str_has_prefix (option, "set ");
  variation->name = g_strdup (variation->is_set ? option + strlen ("set ") : option);
  variation->is_word = is_word;
  variation->values = g_ptr_array_new_with_free_func (g_free);
  return variation;
}

/* Takes VALUE. False: it is there already, which has been said. */
static gboolean
add (const WpCommand *command, const gchar *option, WpVariation *variation, gchar *value)
{
  gboolean twice = g_ptr_array_find_with_equal_func (variation->values, value, g_str_equal, NULL);

  if (twice)
    wp_cli_usage (command, "--%s gives \"%s\" twice", option, value);
  g_ptr_array_add (variation->values, value);
  return !twice;
}

WpVariation *
wp_variation_new_words (const WpCommand *command, const gchar *option, const gchar *value)
{
  g_auto (GStrv) words = wp_cli_parse_words (command, option, value);
  WpVariation *variation;

  if (words == NULL)
    return NULL;
  variation = new_variation (option, TRUE);
  for (guint i = 0; words[i] != NULL; i++)
    g_ptr_array_add (variation->values, g_strdup (words[i]));
  return variation;
}

WpVariation *
wp_variation_new_numbers (const WpCommand *command, const gchar *option, const gchar *value,
                          guint64 min, guint64 max, guint most)
{
  g_autoptr (GArray) ranges = wp_cli_parse_ranges (command, option, value, min, max);
  g_autoptr (GArray) numbers = NULL;
  WpVariation *variation;
  gboolean good = TRUE;

  if (ranges == NULL)
    return NULL;
  if (wp_ranges_count (ranges) > most)
    {
      wp_cli_usage (command, "--%s \"%s\": more than %u values", option, value, most);
      return NULL;
    }
  variation = new_variation (option, FALSE);
  numbers = wp_ranges_list (ranges);
  for (guint i = 0; good && i < numbers->len; i++)
    good = add (command, option, variation,
                g_strdup_printf ("%" G_GUINT64_FORMAT, g_array_index (numbers, guint64, i)));
  if (good)
    return variation;
  wp_variation_free (variation);
  return NULL;
}

guint
wp_variations_count (const GPtrArray *variations, guint most)
{
  guint64 n = 1;

  for (guint i = 0; i < variations->len && n <= most; i++)
    n *= ((const WpVariation *)g_ptr_array_index (variations, i))->values->len;
  return n <= most ? (guint)n : G_MAXUINT;
}

const gchar *
wp_variations_get (const GPtrArray *variations, guint run, guint i)
{
  const WpVariation *variation = g_ptr_array_index (variations, i);

  for (guint k = variations->len - 1; k > i; k--)
    run /= ((const WpVariation *)g_ptr_array_index (variations, k))->values->len;
  return g_ptr_array_index (variation->values, run % variation->values->len);
}

gchar *
wp_variations_get_label (const GPtrArray *variations, guint run, const gchar *except)
{
  g_autoptr (GString) label = g_string_new (NULL);

  for (guint i = 0; i < variations->len; i++)
    {
      const WpVariation *variation = g_ptr_array_index (variations, i);

      if (except != NULL && !variation->is_set && strcmp (variation->name, except) == 0)
        continue;
      if (variation->values->len > 1)
        g_string_append_printf (
            label, "%s%s%s%s", label->len > 0 ? " " : "", variation->is_word ? "" : variation->name,
            variation->is_word ? "" : "=", wp_variations_get (variations, run, i));
    }
  return g_utf8_make_valid (label->str, -1); /* files may have any name */
}
