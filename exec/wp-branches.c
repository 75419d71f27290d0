/* SPDX-License-Identifier: MIT */
/* The texts are those of --branch for listings, but for labels, which machine code has none of. */
#include "exec/wp-branches.h"

#include "idg/kernel/idg-kernel.h"

#include <string.h>

typedef struct
{
  gchar *text, *file; /* file NULL: all */
  guint line;
  guint32 lanes;
  guint first, last; /* warps */
  gint is_used;
} Rule;

struct WpBranches
{
  GArray *rules;
};

static void
clear_rule (gpointer data)
{
  Rule *rule = data;

  g_free (rule->text);
  g_free (rule->file);
}

void
wp_branches_free (WpBranches *branches)
{
  if (branches == NULL)
    return;
  g_array_unref (branches->rules);
  g_free (branches);
}

static gboolean
read_number (const gchar *text, guint *number)
{
  guint64 value;

  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT32, &value, NULL))
    return FALSE;
  *number = (guint)value;
  return TRUE;
}

/* "0-3", "2". */
static gboolean
read_warps (const gchar *text, Rule *rule)
{
  g_auto (GStrv) ends = g_strsplit (text, "-", 2);

  return ends[0] && read_number (ends[0], &rule->first)
         && read_number (ends[1] ? ends[1] : ends[0], &rule->last) && rule->first <= rule->last;
}

static gboolean
read_how (const gchar *text, Rule *rule)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", 2);

  rule->last = G_MAXUINT;
  if (parts[0] == NULL || (parts[1] && !read_warps (parts[1], rule)))
    return FALSE;
  rule->lanes = strcmp (parts[0], "taken") == 0  ? G_MAXUINT32
                : strcmp (parts[0], "both") == 0 ? 0xffff
                                                 : 0;
  return rule->lanes != 0 || strcmp (parts[0], "not") == 0;
}

/* "k.cu:12" or "all". */
static gboolean
read_place (const gchar *text, Rule *rule)
{
  const gchar *colon = strrchr (text, ':');

  if (strcmp (text, "all") == 0)
    return TRUE;
  if (colon == NULL || colon == text || !read_number (colon + 1, &rule->line))
    return FALSE;
  rule->file = g_strndup (text, (gsize)(colon - text));
  return TRUE;
}

static gboolean
add_rule (WpBranches *branches, const gchar *text, GError **error)
{
  const gchar *equals = strrchr (text, '=');
  g_autofree gchar *place = equals ? g_strndup (text, (gsize)(equals - text)) : NULL;
  Rule rule = { 0 };

  if (place == NULL || !read_place (place, &rule) || !read_how (equals + 1, &rule))
    {
      clear_rule (&rule);
      g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
                   "--branch %s: expected FILE:LINE=taken, =not or =both, or all=..., with :0-3 "
                   "behind it for these warps alone",
                   text);
      return FALSE;
    }
  rule.text = g_strdup (text);
  g_array_append_val (branches->rules, rule);
  return TRUE;
}

WpBranches *
wp_branches_new (const gchar *const *texts, GError **error)
{
  g_autoptr (WpBranches) branches = g_new0 (WpBranches, 1);

  branches->rules = g_array_new (FALSE, TRUE, sizeof (Rule));
  g_array_set_clear_func (branches->rules, clear_rule);
  for (; texts && *texts; texts++)
    if (!add_rule (branches, *texts, error))
      return NULL;
  return g_steal_pointer (&branches);
}

/* k.cu means src/k.cu, too. */
static gboolean
is_file (const gchar *asked, const gchar *file)
{
  gsize n = strlen (asked), m = strlen (file);

  return m >= n && strcmp (file + m - n, asked) == 0 && (m == n || file[m - n - 1] == '/');
}

static gboolean
is_place (const Rule *rule, const WpBranchPlace *place)
{
  return place->file && place->line == rule->line && is_file (rule->file, place->file);
}

gboolean
wp_branches_get (WpBranches *branches, const WpBranchPlace places[2], guint warp, guint32 *lanes)
{
  Rule *found = NULL;

  for (guint k = 0; k < branches->rules->len; k++)
    {
      Rule *rule = &g_array_index (branches->rules, Rule, k);
      gboolean fits = rule->file ? is_place (rule, &places[0]) || is_place (rule, &places[1])
                                 : found == NULL || found->file == NULL;

      if (fits)
        g_atomic_int_set (&rule->is_used, 1);
      if (fits && warp >= rule->first && warp <= rule->last)
        found = rule;
    }
  if (found)
    *lanes = found->lanes;
  return found != NULL;
}

const gchar *
wp_branches_find_unused (const WpBranches *branches)
{
  for (guint k = 0; k < branches->rules->len; k++)
    {
      const Rule *rule = &g_array_index (branches->rules, Rule, k);

      if (!g_atomic_int_get (&rule->is_used))
        return rule->text;
    }
  return NULL;
}
