/* SPDX-License-Identifier: MIT */
/* A context's own name may end in numbers ("access-1-4-2"), and a GPU names those of one kind by
 * stars ("access-*-*-*"): what a star stands for here is always a weight, and a word that could be
 * meant otherwise is refused. */
#include "idg/kernel/idg-mix.h"

#include <string.h>

#define BLANKS " \t\n\r"
#define FORM "must be a context, or a mix of contexts with weights, as in \"l1*5 l2*2 -*1\""

gboolean
idg_mix_is_one (const gchar *context)
{
  const gchar *end;

  if (context == NULL)
    return FALSE;
  if (strchr (context, '*') != NULL)
    return TRUE;
  context += strspn (context, BLANKS);
  end = context + strcspn (context, BLANKS);
  return end[strspn (end, BLANKS)] != '\0';
}

static void
clear_part (gpointer data)
{
  g_free (((IdgMixPart *)data)->name);
}

/* The weight that TEXT, up to END, says; 0: none from 1 to 2^31 - 1. */
static guint32
read_weight (const gchar *text, const gchar *end)
{
  guint64 weight = 0;

  for (; text < end && g_ascii_isdigit (*text) && weight <= G_MAXINT32; text++)
    weight = weight * 10 + (guint64)(*text - '0');
  return text == end && weight <= G_MAXINT32 ? (guint32)weight : 0;
}

/* WORD, of N bytes, as PART; else says what is wrong. */
static gchar *
read_part (const gchar *word, gsize n, IdgMixPart *part)
{
  const gchar *end = word + n, *star = memchr (word, '*', n);

  if (star == NULL)
    return g_strdup_printf (FORM "; \"%.*s\" has no weight", (int)n, word);
  if (memchr (star + 1, '*', (gsize)(end - star - 1)) != NULL
      || (star > word + 1 && star[-1] == '-'))
    return g_strdup_printf ("must give a number in the place of each * of a context, as "
                            "in \"conflict-4\" or the mix \"conflict-4*1 conflict-8*3\"; \"%.*s\" "
                            "does not",
                            (int)n, word);
  if (star == word)
    return g_strdup_printf (FORM "; \"%.*s\" names no context, which would be \"-\"", (int)n, word);
  part->weight = read_weight (star + 1, end);
  if (part->weight == 0)
    return g_strdup_printf (FORM "; the weight of \"%.*s\" is no whole number from 1 to 2^31 - 1",
                            (int)n, word);
  if (star != word + 1 || *word != '-')
    part->name = g_strndup (word, (gsize)(star - word));
  return NULL;
}

/* Adds PART; else says what is wrong. TOTAL: the weights so far. */
static gchar *
add_part (GArray *parts, GHashTable *seen, const IdgMixPart *part, guint64 *total)
{
  const gchar *name = part->name != NULL ? part->name : "-";

  g_array_append_vals (parts, part, 1);
  *total += part->weight;
  if (!g_hash_table_add (seen, (gpointer)name))
    return g_strdup_printf ("must name each context once; \"%s\" is there twice", name);
  if (parts->len > IDG_MAX_MIX)
    return g_strdup_printf ("must be a mix of at most %d contexts", IDG_MAX_MIX);
  if (*total > G_MAXINT32)
    return g_strdup ("must be a mix with weights of at most 2^31 - 1 in all");
  return NULL;
}

GArray *
idg_mix_parse (const gchar *context, gchar **wrong)
{
  GArray *parts = g_array_new (FALSE, TRUE, sizeof (IdgMixPart));
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree gchar *problem = NULL;
  guint64 total = 0;

  g_array_set_clear_func (parts, clear_part);
  while (problem == NULL && *(context += strspn (context, BLANKS)) != '\0')
    {
      gsize n = strcspn (context, BLANKS);
      IdgMixPart part = { NULL, 0 };

      problem = read_part (context, n, &part);
      if (problem == NULL)
        problem = add_part (parts, seen, &part, &total);
      context += n;
    }
  if (problem == NULL && parts->len == 0)
    problem = g_strdup (FORM);
  if (problem == NULL)
    return parts;
  g_array_unref (parts);
  if (wrong != NULL)
    *wrong = g_steal_pointer (&problem);
  return NULL;
}

gchar *
idg_mix_normalise (const gchar *context)
{
  g_autoptr (GArray) parts = idg_mix_is_one (context) ? idg_mix_parse (context, NULL) : NULL;
  GString *text = g_string_new (parts == NULL ? context : NULL);

  for (guint i = 0; parts != NULL && i < parts->len; i++)
    {
      const IdgMixPart *part = &g_array_index (parts, IdgMixPart, i);

      g_string_append_printf (text, "%s%s*%u", i > 0 ? " " : "",
                              part->name != NULL ? part->name : "-", part->weight);
    }
  return g_string_free (text, FALSE);
}
