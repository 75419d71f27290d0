/* SPDX-License-Identifier: MIT */
/* warpipe coalesce: the transactions that the addresses of a warp's access become, and why. */
#include "cli/coalesce/coalesce.h"
#include "cli/commands.h"
#include "cli/common/cli-options.h"
#include "cli/common/cli-ranges.h"
#include "idg/kernel/idg-suggest.h"
#include "run/base/ranges.h"
#include "sim/machine/wp-random.h"

#include <string.h>

#define COMMAND (&wp_command_coalesce)

/* Bounds that keep all addresses below 2^64. */
#define MAX_STRIDE (G_GUINT64_CONSTANT (1) << 32)
#define MAX_OFFSET (G_GUINT64_CONSTANT (1) << 53)
#define RANDOM_ELEMENTS (G_GUINT64_CONSTANT (1) << 24) /* as large as the arrays of section 6.7 */

/* The command line, as written and as read. */
typedef struct
{
  gchar *pattern, *stride, *offset, *bytes, *addresses, *seed, *mask, *banks, *format;
  gboolean shared, lanes;
  GStrv files;
  gint64 elements_apart, first_element;
  guint64 seed_number;
  WpCoalesce coalesce;
  gboolean json;
} Asked;

static void
asked_clear (Asked *asked)
{
  gchar *strings[] = { asked->pattern, asked->stride, asked->offset, asked->bytes, asked->addresses,
                       asked->seed,    asked->mask,   asked->banks,  asked->format };

  for (gsize i = 0; i < G_N_ELEMENTS (strings); i++)
    g_free (strings[i]);
  g_strfreev (asked->files);
  g_free (asked->coalesce.pattern);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Asked, asked_clear)

static gboolean
parse (Asked *asked, gchar **argv, WpExit *status)
{
  g_autoptr (WpOptionTable) table = wp_option_table_new ();

  wp_options_add (table, "stride", &asked->stride,
                  "Elements from each lane's to the next one's; 1 when left out", "N");
  wp_options_add (table, "offset", &asked->offset, "The first lane's element; 0 when left out",
                  "N");
  wp_options_add (table, "bytes", &asked->bytes, "Bytes of an element; 4 when left out",
                  "1|2|4|8|16|32");
  wp_options_add (table, "pattern", &asked->pattern,
                  "Lanes in order (when left out), in reverse, or anywhere",
                  "stride|reverse|random");
  wp_options_add (table, "seed", &asked->seed, "With --pattern=random: its seed; 1", "N");
  wp_options_add (table, "addresses", &asked->addresses,
                  "The address of each lane, hexadecimal after 0x: 0x100,0x80-0xf8/8", "LIST");
  wp_options_add (table, "mask", &asked->mask,
                  "Lanes that take part, hexadecimal, lane 0 last; ffffffff", "MASK");
  wp_options_add_flag (table, "shared", &asked->shared, "Of shared memory, in place of global");
  wp_options_add (table, "banks", &asked->banks,
                  "With --shared: the banks to draw; 32x4 when left out", "32x4|16x4|32x8");
  wp_options_add_flag (table, "lanes", &asked->lanes, "Show a row for each lane, too");
  wp_options_add (table, "format", &asked->format, "Report as text (when left out) or JSON",
                  "text|json");

  return wp_cli_parse (COMMAND, table, argv, &asked->files, status);
}

/* ---- What goes with what ---- */

/* Whether none of the OPTIONS is given that cannot be combined with --WITH. */
static gboolean
check_apart (const Asked *asked)
{
  const struct
  {
    const gchar *name, *value;
  } others[] = { { "stride", asked->stride },
                 { "offset", asked->offset },
                 { "pattern", asked->pattern },
                 { "seed", asked->seed } };

  for (gsize i = 0; asked->addresses != NULL && i < G_N_ELEMENTS (others); i++)
    if (others[i].value != NULL)
      {
        wp_cli_usage (COMMAND, "--%s and --addresses both say where the lanes' addresses are",
                      others[i].name);
        return FALSE;
      }
  return TRUE;
}

static gboolean
check_arguments (const Asked *asked)
{
  gboolean random = g_strcmp0 (asked->pattern, "random") == 0;

  if (asked->files[0] != NULL)
    wp_cli_usage (COMMAND, "\"%s\": expected options only", asked->files[0]);
  else if (asked->seed != NULL && !random)
    wp_cli_usage (COMMAND, "--seed is of random addresses: it needs --pattern=random");
  else if (asked->stride != NULL && random)
    wp_cli_usage (COMMAND, "--stride and --pattern=random do not go together");
  else if (asked->banks != NULL && !asked->shared)
    wp_cli_usage (COMMAND, "--banks is of shared memory: it needs --shared");
  else
    return check_apart (asked);
  return FALSE;
}

/* ---- Values ---- */

static gboolean
parse_bytes (Asked *asked)
{
  static const gchar *const allowed[] = { "1", "2", "4", "8", "16", "32" };

  asked->coalesce.access.bytes = 4;
  if (asked->bytes == NULL)
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (allowed); i++)
    if (strcmp (asked->bytes, allowed[i]) == 0)
      {
        asked->coalesce.access.bytes = 1u << i;
        return TRUE;
      }
  wp_cli_usage (COMMAND, "--bytes \"%s\": expected 1, 2, 4, 8, 16 or 32", asked->bytes);
  return FALSE;
}

static gboolean
parse_banks (Asked *asked)
{
  const gchar *banks = asked->banks != NULL ? asked->banks : "32x4";

  for (guint i = 0; i < WP_N_BANKS; i++)
    if (strcmp (banks, wp_banks_get_name (i)) == 0)
      {
        asked->coalesce.banks = i;
        return TRUE;
      }
  wp_cli_usage (COMMAND, "--banks \"%s\": expected 32x4, 16x4 or 32x8", banks);
  return FALSE;
}

static gboolean
parse_mask (Asked *asked)
{
  const gchar *digits = asked->mask;
  guint64 mask;

  asked->coalesce.access.mask = G_MAXUINT32;
  if (digits == NULL)
    return TRUE;
  if (g_ascii_strncasecmp (digits, "0x", 2) == 0)
    digits += 2;
  if (g_ascii_string_to_unsigned (digits, 16, 1, G_MAXUINT32, &mask, NULL))
    {
      asked->coalesce.access.mask = (guint32)mask;
      return TRUE;
    }
  wp_cli_usage (
      COMMAND,
      "--mask \"%s\": expected a hexadecimal number from 1 to ffffffff, a bit for each lane",
      asked->mask);
  return FALSE;
}

static gboolean
parse_pattern (Asked *asked)
{
  static const gchar *const allowed[] = { "stride", "reverse", "random" };
  g_autofree gchar *meant = NULL;

  for (gsize i = 0; asked->pattern != NULL && i < G_N_ELEMENTS (allowed); i++)
    if (strcmp (asked->pattern, allowed[i]) == 0)
      return TRUE;
  meant = idg_suggest_end_of (asked->pattern != NULL ? asked->pattern : "",
                              "stride, reverse, random");
  if (asked->pattern != NULL)
    wp_cli_usage (COMMAND, "--pattern \"%s\": expected stride, reverse or random%s", asked->pattern,
                  meant);
  return asked->pattern == NULL;
}

static gboolean
check (Asked *asked)
{
  asked->elements_apart = 1;
  asked->seed_number = 1;
  asked->coalesce.shared = asked->shared;
  asked->coalesce.lanes = asked->lanes;
  return parse_pattern (asked) && check_arguments (asked) && parse_bytes (asked)
         && parse_banks (asked) && parse_mask (asked)
         && wp_cli_parse_count (COMMAND, "stride", asked->stride, 0, MAX_STRIDE,
                                &asked->elements_apart)
         && wp_cli_parse_count (COMMAND, "offset", asked->offset, 0, MAX_OFFSET,
                                &asked->first_element)
         && (asked->seed == NULL
             || wp_cli_parse_number (COMMAND, "seed", asked->seed, 0, G_MAXUINT64,
                                     &asked->seed_number))
         && wp_cli_parse_choice (COMMAND, "format", asked->format, "text", "json", &asked->json);
}

/* ---- Addresses ---- */

/* Gives the addresses to the lanes that take part, in order; without a mask to the first lanes. */
static gboolean
take_addresses (Asked *asked)
{
  IdgAccess *access = &asked->coalesce.access;
  g_autoptr (GArray) ranges = wp_cli_parse_addresses (COMMAND, "addresses", asked->addresses);
  guint64 n = ranges != NULL ? wp_ranges_count (ranges) : 0;
  guint wanted = asked->mask != NULL ? wp_coalesce_count_lanes (access->mask) : (guint)MIN (n, 32);
  g_autoptr (GArray) addresses = NULL;
  guint lane = 0;

  if (ranges == NULL)
    return FALSE;
  if (n != wanted)
    {
      wp_cli_usage (COMMAND,
                    "--addresses has %" G_GUINT64_FORMAT " addresses; expected %s%u, one for each "
                    "lane%s",
                    n, asked->mask != NULL ? "" : "at most ", wanted,
                    asked->mask != NULL ? " of the mask" : "");
      return FALSE;
    }
  if (asked->mask == NULL)
    access->mask = G_MAXUINT32 >> (IDG_LANES - wanted);
  addresses = wp_ranges_list (ranges);
  for (guint i = 0; i < addresses->len; i++)
    {
      while ((access->mask >> lane & 1) == 0)
        lane++;
      access->addresses[lane++] = g_array_index (addresses, guint64, i);
    }
  asked->coalesce.pattern = g_strdup ("addresses as given");
  return TRUE;
}

static guint64
get_element (const Asked *asked, guint lane)
{
  guint64 stride = (guint64)asked->elements_apart;

  if (g_strcmp0 (asked->pattern, "random") == 0)
    return wp_random_draw (
               wp_random_of_instruction (wp_random_of_warp (asked->seed_number, 0, 0), lane), 0)
           % RANDOM_ELEMENTS;
  return stride * (g_strcmp0 (asked->pattern, "reverse") == 0 ? IDG_LANES - 1 - lane : lane);
}

static gchar *
describe (const Asked *asked)
{
  GString *text = g_string_new (NULL);

  if (g_strcmp0 (asked->pattern, "random") == 0)
    g_string_append_printf (text, "random (seed %" G_GUINT64_FORMAT ")", asked->seed_number);
  else
    g_string_append_printf (text, "stride %" G_GINT64_FORMAT "%s", asked->elements_apart,
                            g_strcmp0 (asked->pattern, "reverse") == 0 ? " in reverse" : "");
  if (asked->first_element > 0)
    g_string_append_printf (text, " from element %" G_GINT64_FORMAT " on", asked->first_element);
  return g_string_free (text, FALSE);
}

static gboolean
fill (Asked *asked)
{
  IdgAccess *access = &asked->coalesce.access;

  if (asked->addresses != NULL)
    return take_addresses (asked);
  for (guint lane = 0; lane < IDG_LANES; lane++)
    access->addresses[lane]
        = ((guint64)asked->first_element + get_element (asked, lane)) * access->bytes;
  asked->coalesce.pattern = describe (asked);
  return TRUE;
}

static WpExit
run_command (gchar **argv, guint64 max_issues)
{
  g_auto (Asked) asked = { 0 };
  WpExit status;

  (void)max_issues;
  if (!parse (&asked, argv, &status))
    return status;
  if (!check (&asked) || !fill (&asked))
    return WP_EXIT_USAGE;
  if (asked.json)
    wp_coalesce_print_json (&asked.coalesce);
  else
    wp_coalesce_print_text (&asked.coalesce);
  return WP_EXIT_DONE;
}

const WpCommand wp_command_coalesce = {
  .name = "coalesce",
  .arguments = "",
  .summary = "Show what the addresses of a warp's lanes become",
  .details
  = "How many transactions of global memory, by the rules of each generation of GPUs, or how many\n"
    "passes of shared memory; and the context that an instruction of a kernel has for it.",
  .run = run_command,
};
