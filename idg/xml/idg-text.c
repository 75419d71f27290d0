/* SPDX-License-Identifier: MIT */
#include "idg/xml/idg-text.h"

#include "idg/xml/idg-xml.h"

#include <string.h>

#define REPLACEMENT 0xfffd /* for half a character */

typedef struct
{
  const guint8 *at, *end;
  gboolean is_big; /* the high byte of a unit comes first */
} Units;

/* Returns the length of the byte order mark at the beginning of DATA; 0: there is none. */
static gsize
get_mark (const guint8 *data, gsize length, gboolean *is_utf16, gboolean *is_big)
{
  *is_big = length >= 2 && data[0] == 0xfe && data[1] == 0xff;
  *is_utf16 = *is_big || (length >= 2 && data[0] == 0xff && data[1] == 0xfe);
  if (*is_utf16)
    return 2;
  return length >= 3 && memcmp (data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

static gunichar
peek_unit (const Units *units)
{
  return units->is_big ? (gunichar)(units->at[0] << 8 | units->at[1])
                       : (gunichar)(units->at[1] << 8 | units->at[0]);
}

/* Returns the next character; a unit without its other half is U+FFFD. */
static gunichar
next_character (Units *units)
{
  gunichar high = peek_unit (units), low;

  units->at += 2;
  if (high < 0xd800 || high > 0xdfff)
    return high;
  low = units->end - units->at >= 2 ? peek_unit (units) : 0;
  if (high > 0xdbff || low < 0xdc00 || low > 0xdfff)
    return REPLACEMENT;
  units->at += 2;
  return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

static GByteArray *
decode (const guint8 *data, gsize length, gboolean is_big)
{
  Units units = { data, data + length, is_big };
  GByteArray *text = g_byte_array_sized_new ((guint)length);

  while (units.end - units.at >= 2)
    {
      gchar bytes[6];
      gint n = g_unichar_to_utf8 (next_character (&units), bytes);

      g_byte_array_append (text, (const guint8 *)bytes, (guint)n);
    }
  return text;
}

GByteArray *
idg_text_read (const gchar *path, GQuark domain, GError **error)
{
  g_autoptr (GByteArray) bytes = idg_xml_read (path, domain, error);
  gboolean is_utf16 = FALSE, is_big = FALSE;
  gsize mark = bytes ? get_mark (bytes->data, bytes->len, &is_utf16, &is_big) : 0;

  if (mark > 0 && is_utf16)
    return decode (bytes->data + mark, bytes->len - mark, is_big);
  if (mark > 0)
    g_byte_array_remove_range (bytes, 0, (guint)mark);
  return g_steal_pointer (&bytes);
}

gsize
idg_text_decode_head (gchar *head, gsize length)
{
  gboolean is_utf16 = FALSE, is_big = FALSE;
  gsize mark = get_mark ((const guint8 *)head, length, &is_utf16, &is_big), room = length;

  if (mark > 0 && !is_utf16)
    memmove (head, head + mark, length - mark);
  if (!is_utf16)
    return length - mark;
  {
    g_autoptr (GByteArray) text = decode ((const guint8 *)head + mark, length - mark, is_big);

    length = MIN (text->len, room);
    memcpy (head, text->data, length);
    return length;
  }
}
