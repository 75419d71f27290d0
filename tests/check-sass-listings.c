/* SPDX-License-Identifier: MIT */
/* The decoder against lists of a disassembler's text: each line of listings/sm_XX.csv is an
 * instruction that a compiler emitted, and its text and control bits (bench/listings.py). */
#include "config.h"

#include "exec/sass/wp-sass.h"

#include <string.h>

#include "tests/check-main.h"

static const guint targets[] = { 70, 75, 80, 86, 89, 90, 100, 120 };

enum
{
  N_CONTROL = 5,   /* stall, yield, write, read, wait */
  N_SHOWN = 5,     /* differences that are written out */
  N_LEAST = 800,   /* instructions of a list */
  N_LEAST_OPS = 80 /* and their ops */
};

/* A line: address,high,low,stall,yield,write,read,wait,text, in hexadecimal up to the text, which
 * may have commas. */
typedef struct
{
  guint64 address, high, low;
  guint control[N_CONTROL];
  const gchar *text;
} Row;

static guint64
read_number (const gchar **at)
{
  gchar *end;
  guint64 value = g_ascii_strtoull (*at, &end, 16);

  ck_assert_msg (end > *at && *end == ',', "a number and a comma are missing at '%s'", *at);
  *at = end + 1;
  return value;
}

static Row
read_row (const gchar *line)
{
  Row row;

  row.address = read_number (&line);
  row.high = read_number (&line);
  row.low = read_number (&line);
  for (guint k = 0; k < N_CONTROL; k++)
    row.control[k] = (guint)read_number (&line);
  row.text = line;
  return row;
}

static void
put_bytes (guint8 *code, const Row *row)
{
  for (guint k = 0; k < 8; k++)
    {
      code[k] = row->low >> (8 * k);
      code[8 + k] = row->high >> (8 * k);
    }
}

static gboolean
has_control (const WpSassControl *control, const guint *expected)
{
  return control->stall == expected[0] && control->yield == (expected[1] != 0)
         && control->write_barrier == expected[2] && control->read_barrier == expected[3]
         && control->wait == expected[4];
}

/* What the decoder makes of ROW: its text, or a sentence on what is not known. */
static gchar *
decode_row (guint sm, const Row *row, WpSassInstr *instr)
{
  guint8 code[WP_SASS_BYTES];
  gchar *problem = NULL;
  GString *text;

  put_bytes (code, row);
  if (!wp_sass_decode (sm, code, row->address, instr, &problem))
    return problem;
  text = g_string_new (NULL);
  wp_sass_append (instr, text);
  return g_string_free (text, FALSE);
}

static guint
count_different (guint sm, gchar *const *lines, gboolean *is_op)
{
  guint n_different = 0;

  for (; *lines && **lines; lines++)
    {
      Row row = read_row (*lines);
      WpSassInstr instr = { 0 };
      g_autofree gchar *ours = decode_row (sm, &row, &instr);

      is_op[instr.op] = TRUE;
      if (strcmp (ours, row.text) == 0 && has_control (&instr.control, row.control))
        continue;
      if (n_different++ < N_SHOWN)
        g_printerr ("sm_%u: %s\n  expected: %s\n", sm, ours, *lines);
    }
  return n_different;
}

START_TEST (instructions_are_as_listed)
{
  guint sm = targets[_i], n_ops = 0;
  g_autofree gchar *name = g_strdup_printf ("sm_%u.csv", sm);
  g_autofree gchar *path
      = g_build_filename (g_getenv ("abs_srcdir"), "tests", "listings", name, NULL);
  g_autofree gchar *text = NULL;
  g_autofree gboolean *is_op = g_new0 (gboolean, WP_SASS_N_OPS);
  g_auto (GStrv) lines = NULL;

  ck_assert_msg (g_file_get_contents (path, &text, NULL, NULL), "%s cannot be read", path);
  lines = g_strsplit (text, "\n", -1);
  ck_assert_uint_gt (g_strv_length (lines), N_LEAST);
  ck_assert_uint_eq (count_different (sm, lines + 1, is_op), 0); /* after the head */
  for (guint op = 1; op < WP_SASS_N_OPS; op++)
    n_ops += is_op[op];
  ck_assert_uint_ge (n_ops, sm == 70 ? N_LEAST_OPS / 2 : N_LEAST_OPS);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("sass-listings");
  TCase *listed = tcase_create ("listed");

  tcase_add_loop_test (listed, instructions_are_as_listed, 0, G_N_ELEMENTS (targets));
  suite_add_tcase (suite, listed);
  return suite;
}
