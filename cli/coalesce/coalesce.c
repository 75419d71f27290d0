/* SPDX-License-Identifier: MIT */
/* Counts over the lanes of an access, and the JSON of warpipe coalesce (FORMATS.md). */
#include "cli/coalesce/coalesce.h"

#include "cli/common/cli-json.h"

static const gchar *const banks_names[WP_N_BANKS] = { "16x4", "32x4", "32x8" };

const gchar *
wp_banks_get_name (guint i)
{
  return i < WP_N_BANKS ? banks_names[i] : NULL;
}

guint
wp_coalesce_count_lanes (guint32 mask)
{
  guint n = 0;

  for (; mask != 0; mask &= mask - 1)
    n++;
  return n;
}

static gint
compare_addresses (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;

  return x < y ? -1 : x > y;
}

guint
wp_coalesce_count_bytes (const IdgAccess *access)
{
  guint64 firsts[IDG_LANES], last = 0; /* the last byte that is counted */
  guint n = 0, sum = 0;

  for (guint lane = 0; lane < IDG_LANES; lane++)
    if (access->mask >> lane & 1)
      firsts[n++] = access->addresses[lane];
  qsort (firsts, n, sizeof *firsts, compare_addresses);
  for (guint i = 0; i < n; i++)
    {
      guint64 end = firsts[i] + MIN (access->bytes - 1, G_MAXUINT64 - firsts[i]);

      if (i == 0 || firsts[i] > last)
        sum += (guint)(end - firsts[i]) + 1;
      else
        sum += (guint)(MAX (end, last) - last);
      last = i == 0 ? end : MAX (end, last);
    }
  return sum;
}

guint
wp_coalesce_sum (const IdgTransaction *transactions, guint n)
{
  guint sum = 0;

  for (guint i = 0; i < n; i++)
    sum += transactions[i].bytes;
  return sum;
}

gchar *
wp_coalesce_get_context (const IdgAccess *access, const IdgBanks *banks)
{
  gchar context[IDG_CONTEXT_CHARS];
  gboolean any = banks != NULL ? idg_coalesce_get_shared_context (access, banks, context)
                               : idg_coalesce_get_global_context (access, context);

  return any ? g_strdup (context) : NULL;
}

/* ---- JSON ---- */

/* Addresses are strings: readers that keep numbers as doubles would round those of 64 bits. */
static void
write_hex (WpJson *json, const gchar *name, guint64 value)
{
  g_autofree gchar *text = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", value);

  wp_json_string (json, name, text);
}

static void
write_context (WpJson *json, const IdgAccess *access, const IdgBanks *banks)
{
  g_autofree gchar *context = wp_coalesce_get_context (access, banks);

  if (context != NULL)
    wp_json_string (json, "context", context);
  else
    wp_json_literal (json, "context", "null");
}

static void
write_rules (WpJson *json, const IdgAccess *access, IdgRules rules)
{
  IdgTransaction transactions[IDG_MAX_TRANSACTIONS];
  guint n = idg_coalesce (access, rules, transactions);
  guint bytes = wp_coalesce_sum (transactions, n);

  wp_json_begin (json, NULL, '{');
  wp_json_string (json, "rules", idg_rules_get_name (rules));
  wp_json_unsigned (json, "transactions", n);
  wp_json_unsigned (json, "bytes", bytes);
  wp_json_ratio (json, "efficiency", (gdouble)wp_coalesce_count_bytes (access) / bytes);
  wp_json_begin (json, "made", '[');
  for (guint i = 0; i < n; i++)
    {
      wp_json_begin (json, NULL, '{');
      write_hex (json, "address", transactions[i].address);
      wp_json_unsigned (json, "bytes", transactions[i].bytes);
      write_hex (json, "lanes", transactions[i].lanes);
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
  wp_json_end (json, '}');
}

static void
write_banks (WpJson *json, const IdgAccess *access, const gchar *name)
{
  IdgBanks banks;
  IdgConflict conflict;

  idg_banks_parse (name, &banks);
  conflict = idg_coalesce_shared (access, &banks, NULL, NULL);
  wp_json_begin (json, NULL, '{');
  wp_json_string (json, "banks", name);
  wp_json_unsigned (json, "degree", conflict.degree);
  wp_json_unsigned (json, "passes", conflict.passes);
  write_context (json, access, &banks);
  wp_json_end (json, '}');
}

static void
write_addresses (WpJson *json, const IdgAccess *access)
{
  wp_json_begin (json, "addresses", '[');
  for (guint lane = 0; lane < IDG_LANES; lane++)
    if (access->mask >> lane & 1)
      write_hex (json, NULL, access->addresses[lane]);
  wp_json_end (json, ']');
}

void
wp_coalesce_print_json (const WpCoalesce *coalesce)
{
  const IdgAccess *access = &coalesce->access;
  IdgTransaction transactions[IDG_MAX_TRANSACTIONS];
  WpJson json = { .out = stdout };

  wp_json_begin (&json, NULL, '{');
  wp_json_string (&json, "space", coalesce->shared ? "shared" : "global");
  wp_json_string (&json, "pattern", coalesce->pattern);
  write_hex (&json, "mask", access->mask);
  wp_json_unsigned (&json, "lanes", wp_coalesce_count_lanes (access->mask));
  wp_json_unsigned (&json, "bytes", access->bytes);
  write_addresses (&json, access);
  wp_json_unsigned (&json, "different_bytes", wp_coalesce_count_bytes (access));
  if (coalesce->shared)
    {
      wp_json_begin (&json, "by_banks", '[');
      for (guint i = 0; i < WP_N_BANKS; i++)
        write_banks (&json, access, wp_banks_get_name (i));
      wp_json_end (&json, ']');
    }
  else
    {
      wp_json_unsigned (&json, "sectors", idg_coalesce (access, IDG_RULES_LATER, transactions));
      wp_json_unsigned (&json, "lines", idg_coalesce (access, IDG_RULES_FERMI, transactions));
      write_context (&json, access, NULL);
      wp_json_begin (&json, "by_rules", '[');
      for (IdgRules rules = 0; rules < IDG_N_RULES; rules++)
        write_rules (&json, access, rules);
      wp_json_end (&json, ']');
    }
  wp_json_end (&json, '}');
}
