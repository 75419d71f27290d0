/* SPDX-License-Identifier: MIT */
#include "exec/memory/wp-coalesce.h"

#include <string.h>

#include "exec/memory/wp-bytes.h"
#include "exec/memory/wp-shared.h"

#define LANES WP_MEMORY_LANES
#define LINE_SHIFT 7
#define SECTOR_SHIFT 5
#define LINES_OF_CYCLE 4 /* that L1 looks up */

void
wp_access_log_init (WpAccessLog *log)
{
  log->accesses = g_array_new (FALSE, FALSE, sizeof (WpAccess));
  log->lines = g_array_new (FALSE, FALSE, sizeof (WpLine));
}

void
wp_access_log_reset (WpAccessLog *log)
{
  g_array_set_size (log->accesses, 0);
  g_array_set_size (log->lines, 0);
}

void
wp_access_log_clear (WpAccessLog *log)
{
  g_clear_pointer (&log->accesses, g_array_unref);
  g_clear_pointer (&log->lines, g_array_unref);
}

/* ---- Lines ---- */

static WpLine
get_line (guint64 address)
{
  return address >> LINE_SHIFT << 4 | 1u << (address >> SECTOR_SHIFT & 3);
}

/* All lanes in a row from ADDRESS on, N bytes in all. */
static guint
add_row (guint64 address, guint n, WpLine *lines)
{
  guint64 first = address >> SECTOR_SHIFT, last = (address + n - 1) >> SECTOR_SHIFT;
  guint n_lines = 0;

  for (guint64 sector = first; sector <= last;)
    {
      guint in = (guint)(sector & 3), here = (guint)MIN (4 - in, last - sector + 1);

      lines[n_lines++] = sector >> 2 << 4 | ((1u << here) - 1) << in;
      sector += here;
    }
  return n_lines;
}

/* Any addresses. Mostly they rise, so that a line above all before it is a new one. */
static guint
add_lanes (const guint64 addresses[LANES], guint32 mask, WpLine *lines)
{
  guint n = 0, at = 0;
  guint64 greatest = 0;

  for (guint32 left = mask; left != 0; left &= left - 1)
    {
      WpLine line = get_line (addresses[__builtin_ctz (left)]);

      if (n == 0 || line >> 4 != lines[at] >> 4)
        {
          at = n;
          if (line >> 4 <= greatest)
            for (at = 0; at < n && lines[at] >> 4 != line >> 4;)
              at++;
          if (at == n)
            lines[n++] = line;
          greatest = MAX (greatest, line >> 4);
        }
      lines[at] |= line & 15;
    }
  return n;
}

static gboolean
is_row (const guint64 addresses[LANES], guint32 mask, guint bytes)
{
  guint64 odd = 0;

  if (mask != WP_ALL_LANES)
    return FALSE;
  for (guint lane = 0; lane < LANES; lane++)
    odd |= addresses[lane] ^ (addresses[0] + (guint64)lane * bytes);
  return odd == 0;
}

/* Passes of the banks of L1, whose words are those of shared memory. Addresses that differ in their
 * upper halves alone differ here, too. */
static guint
count_passes (const guint64 addresses[LANES], guint32 mask, guint bytes)
{
  guint32 words[LANES];

  for (guint lane = 0; lane < LANES; lane++)
    words[lane] = (guint32)addresses[lane] + (guint32)(addresses[lane] >> 32) * 0x1f351380u;
  return wp_shared_wavefronts (words, mask, bytes);
}

void
wp_access_log_add (WpAccessLog *log, WpAccess access, const guint64 addresses[LANES], guint32 mask,
                   guint bytes)
{
  WpLine lines[LANES];
  guint passes, n;

  if (is_row (addresses, mask, bytes))
    {
      n = add_row (addresses[0], LANES * bytes, lines);
      passes = MAX (1, bytes / 4);
    }
  else
    {
      n = add_lanes (addresses, mask, lines);
      passes = count_passes (addresses, mask, bytes);
    }
  access.n_lines = (guint8)n;
  access.wavefronts = (guint8)MAX (passes, (n + LINES_OF_CYCLE - 1) / LINES_OF_CYCLE);
  g_array_append_vals (log->lines, lines, n);
  g_array_append_vals (log->accesses, &access, 1);
}

void
wp_access_log_add_shared (WpAccessLog *log, guint32 index, gboolean is_write, gboolean is_atomic,
                          guint wavefronts)
{
  const WpAccess access = { .index = index,
                            .space = WP_SPACE_SHARED,
                            .wavefronts = (guint8)wavefronts,
                            .is_write = is_write != FALSE,
                            .is_atomic = is_atomic != FALSE };

  g_array_append_vals (log->accesses, &access, 1);
}
