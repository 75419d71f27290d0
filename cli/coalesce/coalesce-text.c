/* SPDX-License-Identifier: MIT */
/* Pictures have 80 columns: a lane is one character, 0 to 9 and a to v. */
#include "cli/coalesce/coalesce.h"

#include "cli/common/cli-text.h"

#include <stdio.h>
#include <string.h>

#define SECTOR 32
#define LINE 128

static const gchar *const generations[IDG_N_RULES] = {
  [IDG_RULES_G80] = "G80: 1.0, 1.1",
  [IDG_RULES_GT200] = "GT200: 1.2, 1.3",
  [IDG_RULES_FERMI] = "Fermi: 2.x",
  [IDG_RULES_LATER] = "Kepler and later: 3.0",
};

/* Volkov 2016, table 2.5: the cycles that a bank takes for each access. */
static const struct
{
  guint banks;
  const gchar *gpus;
  guint cycles;
} units[] = {
  { 0, "G80, GT200", 2 }, { 1, "Fermi", 2 }, { 1, "Maxwell and later", 1 }, { 2, "Kepler", 1 }
};

/* The character for LANES: that of the only lane, or one for several. */
static gchar
get_sign (guint32 lanes)
{
  guint lane = 0;

  if (lanes == 0)
    return '.';
  while ((lanes >> lane & 1) == 0)
    lane++;
  if (lanes >> lane != 1)
    return '*';
  return (gchar)(lane < 10 ? '0' + lane : 'a' + lane - 10);
}

static void
print_heading (const WpCoalesce *coalesce)
{
  WpTextStyle style = wp_text_style_get_own ();
  guint n = wp_coalesce_count_lanes (coalesce->access.mask);
  guint bytes = coalesce->access.bytes;

  printf ("%s%u%s lane%s, %u byte%s each, %s%s: %s memory\n\n", style.bold, n,
          n < IDG_LANES ? " of 32" : "", n == 1 ? "" : "s", bytes, wp_text_plural (bytes),
          coalesce->pattern, style.plain, coalesce->shared ? "shared" : "global");
}

/* The width of an address. */
static gint
get_address_width (const IdgAccess *access)
{
  guint64 largest = 0;

  for (guint lane = 0; lane < IDG_LANES; lane++)
    if (access->mask >> lane & 1)
      largest = MAX (largest, access->addresses[lane]);
  return snprintf (NULL, 0, "0x%" G_GINT64_MODIFIER "x", largest);
}

static void
print_address (guint64 address, gint width)
{
  gchar text[24];

  g_snprintf (text, sizeof text, "0x%" G_GINT64_MODIFIER "x", address);
  printf ("  %*s", width, text);
}

/* ---- Global memory ---- */

/* "2x128, 1x32". */
static gchar *
describe_sizes (const IdgTransaction *transactions, guint n)
{
  GString *text = g_string_new (NULL);

  for (guint bytes = LINE; bytes >= SECTOR; bytes /= 2)
    {
      guint count = 0;

      for (guint i = 0; i < n; i++)
        count += transactions[i].bytes == bytes;
      if (count > 0)
        g_string_append_printf (text, "%s%ux%u", text->len > 0 ? ", " : "", count, bytes);
    }
  return g_string_free (text, FALSE);
}

static void
print_rules (const IdgAccess *access)
{
  printf ("  %-5s  %-21s  %12s  %-20s  %5s  %5s\n", "rules", "GPUs: capability", "transactions",
          "of so many bytes", "bytes", "used");
  for (IdgRules rules = 0; rules < IDG_N_RULES; rules++)
    {
      IdgTransaction transactions[IDG_MAX_TRANSACTIONS];
      guint n = idg_coalesce (access, rules, transactions);
      guint bytes = wp_coalesce_sum (transactions, n);
      gdouble share = 100.0 * wp_coalesce_count_bytes (access) / bytes;
      g_autofree gchar *sizes = describe_sizes (transactions, n);

      printf ("  %-5s  %-21s  %12u  %-20s  %5u  %4.*f%%\n", idg_rules_get_name (rules),
              generations[rules], n, sizes, bytes, share < 99.95 ? 1 : 0, share);
    }
}

static void
print_context (const IdgAccess *access)
{
  g_autofree gchar *context = wp_coalesce_get_context (access, NULL);
  IdgTransaction transactions[IDG_MAX_TRANSACTIONS];
  guint sectors = idg_coalesce (access, IDG_RULES_LATER, transactions);
  guint lines = idg_coalesce (access, IDG_RULES_FERMI, transactions);
  guint bytes = wp_coalesce_count_bytes (access);

  printf ("\n  asked for  %u different byte%s, in %u sector%s of 32 bytes and %u line%s of 128\n",
          bytes, wp_text_plural (bytes), sectors, wp_text_plural (sectors), lines,
          wp_text_plural (lines));
  if (context == NULL)
    puts ("  context    none: 4 sectors are what an op's own figure is for");
  else if (strcmp (context, "random") == 0)
    puts ("  context    random: unstructured, charged as such accesses measure");
  else
    printf ("  context    %s\n", context);
}

/* Draws the row of 32 cells of CELL bytes that begins at ADDRESS, with the sectors of the
 * access. */
static void
print_row (const IdgAccess *access, const IdgTransaction *sectors, guint n, guint64 address,
           guint cell)
{
  putchar ('|');
  for (guint i = 0; i < 32; i++)
    {
      guint64 from = address + (guint64)i * cell;
      gboolean fetched = FALSE;
      guint32 lanes = 0;

      for (guint s = 0; s < n; s++)
        fetched |= from - sectors[s].address < SECTOR;
      for (guint lane = 0; lane < IDG_LANES; lane++)
        if ((access->mask >> lane & 1) != 0
            && (from - access->addresses[lane] < access->bytes
                || access->addresses[lane] - from < cell))
          lanes |= 1u << lane;
      putchar (fetched ? get_sign (lanes) : ' ');
      if ((from + cell) % SECTOR == 0)
        putchar ('|');
    }
  putchar ('\n');
}

static void
print_lines (const IdgAccess *access)
{
  guint cell = MIN (access->bytes, 4), row = 32 * cell;
  gint width = get_address_width (access);
  IdgTransaction sectors[IDG_MAX_TRANSACTIONS];
  guint n = idg_coalesce (access, IDG_RULES_LATER, sectors);
  guint64 last = 0;

  printf ("\nMemory in rows of %u bytes, a bar between sectors of 32, a character for %u\n"
          "byte%s: the lane that asks (0 to 9, a = 10 to v = 31; * several), or . for what\n"
          "comes with it.\n\n",
          row, cell, wp_text_plural (cell));
  for (guint i = 0; i < n; i++)
    {
      guint64 address = sectors[i].address - sectors[i].address % row;

      if (i > 0 && address == last)
        continue;
      last = address;
      print_address (address, width);
      fputs ("  ", stdout);
      print_row (access, sectors, n, address, cell);
    }
}

/* The first transaction that serves LANE, from 1. */
static guint
find_transaction (const IdgTransaction *transactions, guint n, guint lane)
{
  for (guint i = 0; i < n; i++)
    if ((transactions[i].lanes >> lane & 1) != 0)
      return i + 1;
  return 0;
}

static void
print_lanes (const IdgAccess *access)
{
  IdgTransaction transactions[IDG_N_RULES][IDG_MAX_TRANSACTIONS];
  guint n[IDG_N_RULES];
  gint width = MAX (get_address_width (access), (gint)strlen ("address"));

  for (IdgRules rules = 0; rules < IDG_N_RULES; rules++)
    n[rules] = idg_coalesce (access, rules, transactions[rules]);
  printf ("\nThe transaction, from 1, that serves each lane first:\n\n  lane  %*s", width,
          "address");
  for (IdgRules rules = 0; rules < IDG_N_RULES; rules++)
    printf (" %6s", idg_rules_get_name (rules));
  putchar ('\n');
  for (guint lane = 0; lane < IDG_LANES; lane++)
    {
      if ((access->mask >> lane & 1) == 0)
        continue;
      printf ("  %4u", lane);
      print_address (access->addresses[lane], width);
      for (IdgRules rules = 0; rules < IDG_N_RULES; rules++)
        printf (" %6u", find_transaction (transactions[rules], n[rules], lane));
      putchar ('\n');
    }
}

/* ---- Shared memory ---- */

static void
print_units (const IdgAccess *access)
{
  printf ("  %-5s  %-17s  %6s  %6s  %6s  %s\n", "banks", "GPUs", "degree", "passes", "cycles",
          "context");
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      const gchar *name = wp_banks_get_name (units[i].banks);
      IdgBanks banks;
      IdgConflict conflict;
      g_autofree gchar *context = NULL;

      idg_banks_parse (name, &banks);
      conflict = idg_coalesce_shared (access, &banks, NULL, NULL);
      context = wp_coalesce_get_context (access, &banks);
      printf ("  %-5s  %-17s  %6u  %6u  %6u  %s\n", name, units[i].gpus, conflict.degree,
              conflict.passes, conflict.passes * units[i].cycles,
              context != NULL ? context : "none");
    }
  puts ("\n  degree: words that the worst bank has to give at a time; passes: in all (on 16\n"
        "  banks of both half-warps); cycles: 2 or 1 a pass, table 2.5 of Volkov, 2016");
}

/* "lanes 0-15, bytes 0-3, pass 2", without what is the same for all parts. */
static gchar *
describe_pass (const IdgAccess *access, const IdgBanks *banks, const IdgConflict *conflict,
               guint part, guint pass)
{
  guint slices = conflict->parts / (IDG_LANES / conflict->lanes_of_part);
  guint first = part / slices * conflict->lanes_of_part;
  GString *text = g_string_new (NULL);

  if (conflict->lanes_of_part < IDG_LANES)
    g_string_append_printf (text, "lanes %2u-%2u, ", first, first + conflict->lanes_of_part - 1);
  if (slices > 1)
    {
      guint offset = part % slices * banks->width;

      g_string_append_printf (text, "bytes %2u-%2u, ", offset,
                              MIN (offset + banks->width, access->bytes) - 1);
    }
  g_string_append_printf (text, "pass %2u", pass + 1);
  return g_string_free (text, FALSE);
}

static void
print_pass (const IdgWord *words, guint n, const IdgBanks *banks, guint part, guint pass)
{
  putchar ('|');
  for (guint bank = 0; bank < banks->banks; bank++)
    {
      guint32 lanes = 0;

      for (guint i = 0; i < n; i++)
        if (words[i].part == part && words[i].pass == pass && words[i].bank == bank)
          lanes = words[i].lanes;
      putchar (get_sign (lanes));
      if (bank % 8 == 7)
        putchar ('|');
    }
  putchar ('\n');
}

static void
print_banks (const WpCoalesce *coalesce)
{
  const gchar *name = wp_banks_get_name (coalesce->banks);
  IdgWord words[IDG_MAX_WORDS];
  g_autofree gchar *width = NULL;
  IdgBanks banks;
  guint32 n;
  IdgConflict conflict;

  idg_banks_parse (name, &banks);
  conflict = idg_coalesce_shared (&coalesce->access, &banks, words, &n);
  width = describe_pass (&coalesce->access, &banks, &conflict, 0, 0);
  printf ("\nPass by pass on %s, a character for each bank: the lane that gets the bank's\n"
          "word (0 to 9, a = 10 to v = 31; * several get the same one), . nothing to do.\n\n"
          "  %*s   0        8%s\n",
          name, (gint)strlen (width), "bank", banks.banks > 16 ? "        16       24" : "");
  for (guint part = 0; part < conflict.parts; part++)
    {
      guint passes = 0;

      for (guint i = 0; i < n; i++)
        if (words[i].part == part)
          passes = MAX (passes, words[i].pass + 1);
      for (guint pass = 0; pass < passes; pass++)
        {
          g_autofree gchar *what = describe_pass (&coalesce->access, &banks, &conflict, part, pass);

          printf ("  %s  ", what);
          print_pass (words, n, &banks, part, pass);
        }
    }
}

static void
print_lanes_of_banks (const WpCoalesce *coalesce)
{
  const IdgAccess *access = &coalesce->access;
  gint width = MAX (get_address_width (access), (gint)strlen ("address"));

  printf ("\n  lane  %*s", width, "address");
  for (guint i = 0; i < WP_N_BANKS; i++)
    printf ("  bank of %s", wp_banks_get_name (i));
  putchar ('\n');
  for (guint lane = 0; lane < IDG_LANES; lane++)
    {
      if ((access->mask >> lane & 1) == 0)
        continue;
      printf ("  %4u", lane);
      print_address (access->addresses[lane], width);
      for (guint i = 0; i < WP_N_BANKS; i++)
        {
          IdgBanks banks;

          idg_banks_parse (wp_banks_get_name (i), &banks);
          printf ("  %12u", (guint)(access->addresses[lane] / banks.width % banks.banks));
        }
      putchar ('\n');
    }
}

void
wp_coalesce_print_text (const WpCoalesce *coalesce)
{
  print_heading (coalesce);
  if (coalesce->shared)
    {
      print_units (&coalesce->access);
      print_banks (coalesce);
      if (coalesce->lanes)
        print_lanes_of_banks (coalesce);
      return;
    }
  print_rules (&coalesce->access);
  print_context (&coalesce->access);
  print_lines (&coalesce->access);
  if (coalesce->lanes)
    print_lanes (&coalesce->access);
}
