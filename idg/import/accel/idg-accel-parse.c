/* SPDX-License-Identifier: MIT */
/* Parses a line with an instruction:
 *
 *     [block x y z, warp] [line] PC mask dest_num [dests] opcode src_num [srcs] mem_width
 *         [mode addresses] [immediate]
 *
 * PC and mask are hexadecimal, the numbers before them are decimal. Block and warp are present
 * before version 3, the source line if the header says "enable lineinfo", the immediate from
 * version 4 on. The address mode is 0 for one address per lane of the mask, 1 for the address of
 * the first lane and the distance from lane to lane, or 2 for the address of the first lane and,
 * for each further lane, the distance from the one before.
 *
 * The number of fields varies from line to line, but no line fits two layouts: an opcode begins
 * with a letter, and the fields before it with a digit or an R. So a layout that fits the first
 * line is the file's layout. */
#include "idg/import/accel/idg-accel.h"
#include "idg/xml/idg-xml.h"

#include <errno.h>
#include <string.h>

/* Cuts off the next field and advances past it. Returns NULL at the end. */
static gchar *
next_field (gchar **rest)
{
  gchar *field = *rest;
  gchar *end;

  field += strspn (field, " \t");
  if (*field == '\0')
    {
      *rest = field;
      return NULL;
    }
  end = field + strcspn (field, " \t");
  *rest = end;
  if (*end != '\0')
    {
      *end = '\0';
      *rest = end + 1;
    }
  return field;
}

static gboolean
parse_hex (const gchar *text, guint64 max, guint64 *value)
{
  guint64 sum = 0;

  if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
    text += 2;
  if (*text == '\0')
    return FALSE;
  for (; *text != '\0'; text++)
    {
      gint digit = g_ascii_xdigit_value (*text);

      if (digit < 0 || sum > (max >> 4))
        return FALSE;
      sum = sum << 4 | (guint64)digit;
    }
  *value = sum;
  return sum <= max;
}

/* Parses the distance of two addresses, which has a sign. */
static gboolean
parse_signed (const gchar *text, gint64 *value)
{
  gchar *end;
  const gchar *digits = text + (*text == '-');

  if (!g_ascii_isdigit (*digits))
    return FALSE;
  errno = 0;
  *value = g_ascii_strtoll (text, &end, 10);
  return errno == 0 && *end == '\0';
}

/* Parses a length of a list or a mode, which are small numbers. */
static gboolean
parse_count (const gchar *text, guint64 max, guint *value)
{
  guint64 number;

  if (!idg_xml_parse_whole (text, max, &number))
    return FALSE;
  *value = (guint)number;
  return TRUE;
}

typedef struct
{
  const gchar *prefix; /* longer prefixes come first */
  guint first, last, zero;
} Kind;

/* Parses "R12" and, for tracers that list more than data registers, "UR4", "P0", "UP1". */
static gboolean
parse_register (const gchar *text, guint16 *number)
{
  static const Kind kinds[] = {
    { "UR", IDG_FOLD_UNIFORM, 254, 255 },
    { "UP", IDG_FOLD_UNIFORM_PREDICATE, 6, 7 },
    { "R", 0, 254, 255 },
    { "P", IDG_FOLD_PREDICATE, 6, 7 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      gsize length = strlen (kinds[i].prefix);
      guint value;

      if (strncmp (text, kinds[i].prefix, length) != 0)
        continue;
      if (strcmp (text + length, "Z") == 0 || strcmp (text + length, "T") == 0)
        value = kinds[i].zero;
      else if (!parse_count (text + length, kinds[i].zero, &value))
        return FALSE;
      *number = value == kinds[i].zero ? IDG_ACCEL_ZERO : (guint16)(kinds[i].first + value);
      return TRUE;
    }
  return FALSE;
}

static gboolean G_GNUC_PRINTF (3, 4)
    fail (gchar **problem, const gchar *field, const gchar *format, ...)
{
  g_autofree gchar *expected = NULL;
  g_autofree gchar *quoted = field ? idg_xml_quote (field) : NULL;
  va_list args;

  va_start (args, format);
  expected = g_strdup_vprintf (format, args);
  va_end (args);
  g_free (*problem);
  if (quoted)
    *problem = g_strdup_printf ("%s where %s was expected", quoted, expected);
  else
    *problem = g_strdup_printf ("the line ends where %s was expected", expected);
  return FALSE;
}

static gboolean
parse_registers (gchar **rest, const gchar *which, guint max, guint *n, guint16 *numbers,
                 gchar **problem)
{
  gchar *field = next_field (rest);

  if (!field || !parse_count (field, max, n))
    return fail (problem, field, "the number of %s registers, at most %u,", which, max);
  for (guint i = 0; i < *n; i++)
    {
      field = next_field (rest);
      if (!field || !parse_register (field, &numbers[i]))
        return fail (problem, field, "a %s register, as in R12,", which);
    }
  return TRUE;
}

/* Checks an opcode, because it ends up in kernel files. */
static gboolean
is_opcode (const gchar *text)
{
  if (!g_ascii_isalpha (*text) || strlen (text) > 128)
    return FALSE;
  for (; *text != '\0'; text++)
    if (!g_ascii_isalnum (*text) && *text != '.' && *text != '_')
      return FALSE;
  return TRUE;
}

/* Addresses. */

static guint
count_lanes (guint32 mask)
{
  return (guint)__builtin_popcount (mask);
}

static gboolean
parse_listed (gchar **rest, IdgAccelInstr *instr, gchar **problem)
{
  for (guint lane = 0; lane < IDG_LANES; lane++)
    if (instr->mask >> lane & 1)
      {
        gchar *field = next_field (rest);

        if (!field || !parse_hex (field, G_MAXUINT64, &instr->addresses[lane]))
          return fail (problem, field, "one address for each of the %u lanes of the mask",
                       count_lanes (instr->mask));
      }
  return TRUE;
}

static gboolean
parse_base (gchar **rest, guint64 *base, gchar **problem)
{
  gchar *field = next_field (rest);

  if (field && parse_hex (field, G_MAXUINT64, base))
    return TRUE;
  return fail (problem, field, "the address of the first lane");
}

/* Tracers use this mode only for contiguous lanes, so that it does not matter whether lanes in
 * between would count. */
static gboolean
parse_stride (gchar **rest, IdgAccelInstr *instr, gchar **problem)
{
  guint64 base;
  gint64 stride;
  gchar *field;
  guint first = instr->mask ? (guint)__builtin_ctz (instr->mask) : 0;

  if (!parse_base (rest, &base, problem))
    return FALSE;
  field = next_field (rest);
  if (!field || !parse_signed (field, &stride))
    return fail (problem, field, "the distance of the lanes' addresses");
  for (guint lane = first; lane < IDG_LANES; lane++)
    instr->addresses[lane] = base + (lane - first) * (guint64)stride;
  return TRUE;
}

static gboolean
parse_deltas (gchar **rest, IdgAccelInstr *instr, gchar **problem)
{
  guint64 address;
  gboolean is_first = TRUE;

  if (!parse_base (rest, &address, problem))
    return FALSE;
  for (guint lane = 0; lane < IDG_LANES; lane++)
    if (instr->mask >> lane & 1)
      {
        gint64 delta = 0;
        gchar *field = is_first ? NULL : next_field (rest);

        if (!is_first && (!field || !parse_signed (field, &delta)))
          return fail (problem, field,
                       "the distance of each of the %u lanes of the mask but the first",
                       count_lanes (instr->mask));
        is_first = FALSE;
        address += (guint64)delta;
        instr->addresses[lane] = address;
      }
  return TRUE;
}

/* Bulk copies list their addresses in a different way, and matrix instructions of warp groups have
 * another field before the width. Both occur only with newer tracers, and no lane has an address of
 * its own. */
static gboolean
is_bulk (const gchar *opcode)
{
  return g_str_has_prefix (opcode, "UTMA") || g_str_has_prefix (opcode, "UBLK")
         || strstr (opcode, "GMMA");
}

static gboolean
parse_addresses (gchar **rest, IdgAccelInstr *instr, gchar **problem)
{
  gchar *field = next_field (rest);
  guint mode;

  if (!field || !parse_count (field, 2, &mode))
    return fail (problem, field, "the mode of the addresses: 0 (listed), 1 (stride) or 2 (deltas)");
  instr->has_addresses = instr->mask != 0;
  if (mode == 0)
    return parse_listed (rest, instr, problem);
  return mode == 1 ? parse_stride (rest, instr, problem) : parse_deltas (rest, instr, problem);
}

/* Parses the bytes of a lane and, unless they are 0, the list of addresses. */
static gboolean
parse_memory (gchar **rest, IdgAccelInstr *instr, gchar **problem)
{
  gchar *field = next_field (rest);

  if (!field || !parse_count (field, 1024, &instr->bytes))
    return fail (problem, field, "the width of an access to memory in bytes, 0 for none,");
  return instr->bytes == 0 || parse_addresses (rest, instr, problem);
}

/* Before version 3, lanes that a predicate disables are listed, too, and there is no immediate. */
static gboolean
parse_rest (gchar **rest, const IdgAccelLayout *layout, gchar **problem)
{
  gchar *field = next_field (rest);
  gint64 immediate;
  guint64 address;

  if (!field || !layout->is_strict)
    return TRUE;
  if (!parse_signed (field, &immediate) && !idg_xml_parse_whole (field, G_MAXUINT64, &address)
      && !parse_hex (field, G_MAXUINT64, &address))
    return fail (problem, field, "an immediate value, or the end of the line,");
  field = next_field (rest);
  if (!field || layout->skip >= 4)
    return TRUE;
  return fail (problem, field, "the end of the line");
}

static gboolean
parse_front (gchar **rest, const IdgAccelLayout *layout, IdgAccelInstr *instr, gchar **problem)
{
  gchar *field;
  guint64 mask;

  for (guint i = 0; i < layout->skip; i++)
    {
      field = next_field (rest);
      if (!field || !idg_xml_parse_whole (field, G_MAXUINT32, &instr->source_line))
        return fail (problem, field,
                     layout->skip >= 4 ? "the numbers of block and warp" : "a line number");
    }
  if (!layout->has_line)
    instr->source_line = 0;
  field = next_field (rest);
  if (!field || !parse_hex (field, G_MAXUINT64 >> 8, &instr->pc))
    return fail (problem, field, "a hexadecimal PC");
  field = next_field (rest);
  if (!field || !parse_hex (field, G_MAXUINT32, &mask))
    return fail (problem, field, "a hexadecimal mask of 32 lanes");
  instr->mask = (guint32)mask;
  return TRUE;
}

static gboolean
parse_in_layout (gchar *rest, const IdgAccelLayout *layout, IdgAccelInstr *instr, gchar **problem)
{
  gchar *field;

  instr->bytes = 0;
  instr->has_addresses = FALSE;
  if (!parse_front (&rest, layout, instr, problem)
      || !parse_registers (&rest, "destination", IDG_ACCEL_MAX_DESTS, &instr->n_dests, instr->dests,
                           problem))
    return FALSE;
  field = next_field (&rest);
  if (!field || !is_opcode (field))
    return fail (problem, field, "an opcode");
  instr->opcode = field;
  if (!parse_registers (&rest, "source", IDG_ACCEL_MAX_SOURCES, &instr->n_sources, instr->sources,
                        problem))
    return FALSE;
  return is_bulk (instr->opcode)
         || (parse_memory (&rest, instr, problem) && parse_rest (&rest, layout, problem));
}

void
idg_accel_layout_init (IdgAccelLayout *layout, const IdgAccelHeader *header)
{
  layout->has_line = header->has_lines;
  layout->skip = (header->version < 3 ? 4 : 0) + layout->has_line;
  layout->is_strict = header->version <= 5;
  layout->is_found = FALSE;
}

/* Tries four numbers for block and warp; seven more for clusters, in version 6; two for the core,
 * if it was recorded. */
static gboolean
find_layout (gchar *line, IdgAccelLayout *layout, IdgAccelInstr *instr)
{
  static const guint skips[] = { 0, 1, 4, 5, 6, 7, 11, 12 };
  g_autofree gchar *problem = NULL;
  gsize length = strlen (line);

  for (guint i = 0; i < G_N_ELEMENTS (skips); i++)
    {
      g_autofree gchar *copy = g_strdup (line);
      IdgAccelLayout other = *layout;

      other.skip = skips[i];
      other.has_line = skips[i] == 1 || skips[i] == 5 || skips[i] == 7 || skips[i] == 12;
      if (!parse_in_layout (copy, &other, instr, &problem))
        continue;
      instr->opcode = line + (instr->opcode - copy);
      memcpy (line, copy, length);
      *layout = other;
      layout->is_found = TRUE;
      return TRUE;
    }
  return FALSE;
}

gboolean
idg_accel_parse (gchar *line, IdgAccelLayout *layout, IdgAccelInstr *instr, gchar **problem)
{
  g_autofree gchar *copy = layout->is_found ? NULL : g_strdup (line);

  if (parse_in_layout (line, layout, instr, problem))
    {
      layout->is_found = TRUE;
      g_clear_pointer (problem, g_free);
      return TRUE;
    }
  if (!copy)
    return FALSE;
  strcpy (line, copy);
  if (!find_layout (line, layout, instr))
    return FALSE;
  g_clear_pointer (problem, g_free);
  return TRUE;
}
