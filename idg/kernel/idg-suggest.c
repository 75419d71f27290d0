/* SPDX-License-Identifier: MIT */
/* Levenshtein's edit distance (1966), of which the few nearest names are kept. */
#include "idg/kernel/idg-suggest.h"

#include <string.h>

#define MAX_COMPARED 64 /* bytes of a name */
#define N_NEAREST 3     /* of more names that go on as NAME does, none is meant */
#define MIN_PREFIX 3    /* letters that say what was meant */

/* The nearest names so far, best first. */
typedef struct
{
  const gchar *names[N_NEAREST + 1]; /* NULL-terminated */
  guint distances[N_NEAREST];
  guint n;
} Nearest;

/* Returns the edit distance of NAME and CANDIDATE. NAME may lose some of its last dotted parts;
 * each counts as two edits. At or above WORST the result need not be exact. */
static guint
measure (const gchar *name, const gchar *candidate, guint worst)
{
  guint row[MAX_COMPARED + 1];
  guint n = MIN (strlen (name), MAX_COMPARED), m = MIN (strlen (candidate), MAX_COMPARED);
  guint best = G_MAXUINT, parts = 0;

  for (guint i = 0; i < n; i++)
    parts += name[i] == '.';
  for (guint j = 0; j <= m; j++)
    row[j] = j;
  for (guint i = 0; i < n; i++)
    {
      guint diagonal = row[0], least = row[0] = i + 1;

      for (guint j = 1; j <= m; j++)
        {
          guint change = diagonal + (name[i] != candidate[j - 1]);

          diagonal = row[j];
          row[j] = MIN (change, MIN (row[j], row[j - 1]) + 1);
          least = MIN (least, row[j]);
        }
      if (i + 1 == n)
        best = MIN (best, row[m]);
      else if (name[i + 1] == '.')
        {
          best = MIN (best, row[m] + 2 * parts);
          parts--;
        }
      if (least >= MIN (worst, best))
        break;
    }
  return best;
}

static void
add (Nearest *nearest, const gchar *name, guint distance)
{
  guint place;

  if (nearest->n == N_NEAREST && distance >= nearest->distances[N_NEAREST - 1])
    return;
  if (nearest->n < N_NEAREST)
    nearest->n++;
  for (place = nearest->n - 1; place > 0 && nearest->distances[place - 1] > distance; place--)
    {
      nearest->distances[place] = nearest->distances[place - 1];
      nearest->names[place] = nearest->names[place - 1];
    }
  nearest->distances[place] = distance;
  nearest->names[place] = name;
}

gchar *
idg_suggest_nearest (const gchar *name, const gchar *const *names, gsize n)
{
  Nearest nearest = { .n = 0 };

  for (gsize i = 0; i < n; i++)
    {
      guint worst = nearest.n == N_NEAREST ? nearest.distances[N_NEAREST - 1] : G_MAXUINT;

      add (&nearest, names[i], measure (name, names[i], worst));
    }
  return g_strjoinv (", ", (gchar **)nearest.names);
}

/* Tells whether NAME is CANDIDATE with two letters side by side swapped, the slip that costs two
 * edits. */
static gboolean
is_swapped (const gchar *name, const gchar *candidate)
{
  gsize i = 0;

  while (name[i] != '\0' && name[i] == candidate[i])
    i++;
  return name[i] != '\0' && candidate[i] != '\0' && name[i + 1] != '\0'
         && name[i] == candidate[i + 1] && name[i + 1] == candidate[i]
         && strcmp (name + i + 2, candidate + i + 2) == 0;
}

/* Returns those of NAMES of which NAME is the beginning, if they are few; or NULL. */
static gchar *
find_longer (const gchar *name, const gchar *const *names)
{
  g_autoptr (GPtrArray) longer = g_ptr_array_new ();
  gsize n = strlen (name), letters = n - strspn (name, "-");

  for (gsize i = 0; letters >= MIN_PREFIX && names[i] != NULL; i++)
    if (g_ascii_strncasecmp (names[i], name, n) == 0)
      g_ptr_array_add (longer, (gpointer)names[i]);
  if (longer->len == 0 || longer->len > N_NEAREST)
    return NULL;
  g_ptr_array_add (longer, NULL);
  return g_strjoinv (", ", (gchar **)longer->pdata);
}

gchar *
idg_suggest (const gchar *name, const gchar *const *names)
{
  g_autofree gchar *lower = g_ascii_strdown (name, -1);
  guint length = (guint)strlen (name);
  guint most = length < 3 ? 0 : MAX (1, length / 3); /* nothing looks like a single letter */
  Nearest nearest = { .n = 0 };

  for (gsize i = 0; names[i] != NULL; i++)
    {
      g_autofree gchar *candidate = g_ascii_strdown (names[i], -1);
      guint distance = is_swapped (lower, candidate) ? 1 : measure (lower, candidate, most + 1);

      if (distance <= most)
        add (&nearest, names[i], distance);
    }
  return nearest.n > 0 ? g_strjoinv (", ", (gchar **)nearest.names) : find_longer (name, names);
}

gchar *
idg_suggest_end (const gchar *name, const gchar *const *names)
{
  g_autofree gchar *near = idg_suggest (name, names);

  return near != NULL ? g_strdup_printf ("; did you mean %s?", near) : g_strdup ("");
}

gchar *
idg_suggest_end_of (const gchar *name, const gchar *known)
{
  g_auto (GStrv) names = g_strsplit (known, ", ", -1);

  return idg_suggest_end (name, (const gchar *const *)names);
}
