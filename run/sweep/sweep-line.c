/* SPDX-License-Identifier: MIT */
/* The digest of a sweep tells rows of another sweep apart, but is the same in all rows: only a sum
 * of a row's own cells shows that one of them has been changed. It is FNV-1a of 64 bits
 * (draft-eastlake-fnv), folded to 32: no protection against malice.
 */
#include "run/sweep/sweep-line.h"

#include <string.h>

#define SUM_BYTES (1 + 8 + 1) /* at a line's end: the comma, the sum, the line's end */

static guint32
sum_up (const gchar *text, gsize n)
{
  guint64 sum = G_GUINT64_CONSTANT (0xcbf29ce484222325);

  for (gsize i = 0; i < n; i++)
    sum = (sum ^ (guchar)text[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  return (guint32)(sum ^ sum >> 32);
}

void
wp_sweep_line_end (GString *line, const gchar *digest)
{
  g_string_append_printf (line, ",%s", digest);
  g_string_append_printf (line, ",%08x\n", sum_up (line->str, line->len));
}

/* Whether the sum of LINE's cells is the one that it has. */
static gboolean
is_as_written (const gchar *line, gsize length)
{
  gsize cells = length - SUM_BYTES;
  gchar sum[SUM_BYTES + 1];

  g_snprintf (sum, sizeof sum, ",%08x\n", sum_up (line, cells));
  return memcmp (line + cells, sum, SUM_BYTES) == 0;
}

/* Whether DIGEST stands where a row has it: before the sum, which may be any. */
static gboolean
has_digest (const gchar *line, gsize length, const gchar *digest)
{
  const gsize n = strlen (digest), end = WP_SWEEP_LINE_END_BYTES (n);

  return length > end && line[length - end] == ',' && line[length - SUM_BYTES] == ','
         && memcmp (line + length - end + 1, digest, n) == 0;
}

/* Whether LINE begins as a row does, as far as it goes: it may be torn after any byte. */
static gboolean
begins_as_row (const gchar *line, gsize length)
{
  gsize digits = 0;

  while (digits < length && g_ascii_isdigit (line[digits]))
    digits++;
  return length == 0 || (digits > 0 && *line != '0' && (digits == length || line[digits] == ','));
}

WpSweepLine
wp_sweep_line_read (const gchar *line, gsize length, const gchar *digest, guint64 n_rows,
                    guint64 *row)
{
  const gchar *zero = memchr (line, '\0', length);
  gchar *end;

  /* Zeros are what was to be written when the power failed. */
  if (zero != NULL || length == 0 || line[length - 1] != '\n')
    return begins_as_row (line, zero != NULL ? (gsize)(zero - line) : length) ? WP_SWEEP_LINE_TORN
                                                                              : WP_SWEEP_LINE_OTHER;
  if (!has_digest (line, length, digest))
    return WP_SWEEP_LINE_OTHER;
  *row = g_ascii_isdigit (*line) ? g_ascii_strtoull (line, &end, 10) : 0;
  if (!is_as_written (line, length) || *row == 0 || *row > n_rows || *end != ',')
    return WP_SWEEP_LINE_CHANGED;
  --*row;
  return WP_SWEEP_LINE_ROW;
}

#define FORMER_LINE_END ",check,sweep\n"

#define LINE_ENDS                                                                                  \
  "this file has been saved by another program, with other line ends; write it as it was, or "     \
  "name a file that is not there"

#define OTHER                                                                                      \
  "this file was not made by this sweep (kernel, GPUs, lists and version must be the same); to "   \
  "begin anew, name a file that is not there"

const gchar *
wp_sweep_line_explain (const gchar *line, gsize length, const gchar *otherwise)
{
  if (length >= 2 && line[length - 2] == '\r')
    return LINE_ENDS;
  return otherwise != NULL ? otherwise : OTHER;
}

/* Whether START is HEADER but for the order of its last two columns. */
static gboolean
is_former_header (const gchar *start, gsize n, const gchar *header)
{
  const gsize end = strlen (WP_SWEEP_LINE_END), length = strlen (header);

  return n >= length && memcmp (start, header, length - end) == 0
         && memcmp (start + length - end, FORMER_LINE_END, end) == 0;
}

const gchar *
wp_sweep_line_explain_header (const gchar *start, gsize n, const gchar *header)
{
  const gsize length = strlen (header) - 1; /* without its end */

  if (is_former_header (start, n, header))
    return "this file is of an earlier version, in which column check stood before sweep, and now "
           "it is last; resume it with that version, or name a file that is not there";
  if (n >= 3 && memcmp (start, "\xef\xbb\xbf", 3) == 0)
    return "this file has been saved by another program, with a byte order mark; write it as it "
           "was, or name a file that is not there";
  return n > length && memcmp (start, header, length) == 0 && start[length] == '\r' ? LINE_ENDS
                                                                                    : OTHER;
}
