/* SPDX-License-Identifier: MIT */
/* A block of LZ4 ("LZ4 Block Format Description", Yann Collet): sequences of a token, whose upper
 * four bits are the number of literals and whose lower four the length of a match less 4, each
 * continued in bytes of 255; literals; and the distance back to the match, 16 bits. */
#include "exec/cubin/wp-fatbin.h"

#include <string.h>

#define MIN_MATCH 4

static const gchar damaged[] = "its LZ4 data are damaged";

/* Adds to LENGTH, where it is 15, the bytes that continue it; FALSE where FROM ends before. */
static gboolean
read_length (const guint8 **from, const guint8 *end, gsize *length)
{
  guint8 byte = 255;

  if (*length == 15)
    while (byte == 255)
      {
        if (*from == end)
          return FALSE;
        byte = *(*from)++;
        *length += byte;
      }
  return TRUE;
}

const gchar *
wp_fatbin_lz4 (const guint8 *from, gsize from_size, guint8 *to, gsize to_size)
{
  const guint8 *end = from + from_size;
  gsize n = 0;

  while (from < end)
    {
      guint8 token = *from++;
      gsize literals = token >> 4, match = token & 15, back;

      if (!read_length (&from, end, &literals) || literals > (gsize)(end - from)
          || literals > to_size - n)
        return damaged;
      memcpy (to + n, from, literals);
      n += literals;
      from += literals;
      if (from == end)
        break;
      if (end - from < 2)
        return damaged;
      back = from[0] | (gsize)from[1] << 8;
      from += 2;
      if (!read_length (&from, end, &match) || back == 0 || back > n
          || match + MIN_MATCH > to_size - n)
        return damaged;
      for (match += MIN_MATCH; match > 0; match--, n++)
        to[n] = to[n - back]; /* the two may overlap */
    }
  return n == to_size ? NULL : damaged;
}
