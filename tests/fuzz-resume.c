/* SPDX-License-Identifier: MIT */
/* The file of a sweep that is to be resumed, and FILE.ahead beside it, after any bytes have changed
 * them: EDITS bytes a step (see edit()), so that most of the file stays what a sweep has written.
 * Where that ends well, the file is the whole table; else it is what it was, as far as its rows go.
 */
#include <string.h>

#include "cli/commands.h"
#include "tests/fuzz-folder.h"
#include "tests/fuzz.h"

enum
{
  EDITS = 4,
  MAX_EDITS = 16
};

static const gchar *const sweep[]
    = { "warpipe",          "sweep",           "vector-add", "--gpu",    "gtx980", "--blocks=1",
        "--occupancy=8,16", "--policy=rr,gto", "--cores=1",  "--resume", "r.csv",  NULL };

static int
run (void)
{
  return wp_cli_main ((int)G_N_ELEMENTS (sweep) - 1, (char **)sweep, 0);
}

static gchar *
read_file (const gchar *name, gsize *length)
{
  gchar *text = NULL;

  return g_file_get_contents (name, &text, length, NULL) ? text : NULL;
}

static void
write_file (const gchar *name, const GByteArray *bytes)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents (name, (const gchar *)bytes->data, (gssize)bytes->len, &error);
  g_assert_no_error (error);
}

/* What the sweep writes where there is nothing yet. */
static const gchar *
make_table (gsize *length)
{
  static gchar *table = NULL;
  static gsize table_length;

  if (table == NULL)
    {
      g_assert_cmpint (run (), ==, WP_EXIT_DONE);
      table = read_file ("r.csv", &table_length);
      g_assert_nonnull (table);
      fuzz_empty_folder ();
    }
  *length = table_length;
  return table;
}

/* Where line NUMBER of BYTES begins, or the end. */
static guint
find_line (const GByteArray *bytes, guint number)
{
  guint at = 0;

  while (number > 0 && at < bytes->len)
    number -= bytes->data[at++] == '\n';
  return at;
}

/* What to do, where (a line from the front, and a place from the line's end on back: what is
 * checked is at both ends), and a value. */
static void
edit (GByteArray *bytes, const uint8_t step[EDITS])
{
  guint start = find_line (bytes, step[1] % 8u), end = find_line (bytes, step[1] % 8u + 1);
  guint at = step[1] & 8 ? MIN (start + step[2], bytes->len) : end - MIN (end, step[2]);

  switch (step[0] % 6)
    {
    case 0:
      g_byte_array_set_size (bytes, at);
      break;
    case 1:
      g_byte_array_remove_range (bytes, at, MIN (step[3], bytes->len - at));
      break;
    case 2: /* a line once more, at the end */
      g_byte_array_append (bytes, bytes->data + start, end - start);
      break;
    case 3:
      g_byte_array_remove_range (bytes, start, end - start);
      break;
    case 4:
      g_byte_array_append (bytes, step + 3, 1);
      break;
    default:
      if (at < bytes->len)
        bytes->data[at] = step[3];
    }
}

static void
edit_copy (const gchar *table, gsize length, const uint8_t *data, size_t size, guint file,
           const gchar *name)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (const guint8 *)table, (guint)length);
  if (file == 1) /* without the header: rows alone wait */
    g_byte_array_remove_range (bytes, 0, find_line (bytes, 1));
  for (size_t at = 0; at + EDITS <= size && at < (size_t)MAX_EDITS * EDITS; at += EDITS)
    if ((guint)data[at] >> 7 == file)
      {
        /* g_byte_array_append() may move what it copies from. */
        g_autoptr (GByteArray) room = g_byte_array_sized_new (2 * bytes->len + 1);

        g_byte_array_append (room, bytes->data, bytes->len);
        edit (room, data + at);
        g_byte_array_set_size (bytes, 0);
        g_byte_array_append (bytes, room->data, room->len);
      }
  write_file (name, bytes);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const gchar *table;
  g_autofree gchar *before = NULL, *after = NULL;
  gsize length, length_before = 0, length_after = 0;

  fuzz_enter_folder ();
  table = make_table (&length);
  edit_copy (table, length, data, size, 0, "r.csv");
  if (size % 2 == 1)
    edit_copy (table, length, data, size, 1, "r.csv.ahead");
  before = read_file ("r.csv", &length_before);
  if (run () == WP_EXIT_DONE)
    {
      after = read_file ("r.csv", &length_after);
      g_assert_cmpmem (after, length_after, table, length);
      g_assert_false (g_file_test ("r.csv.ahead", G_FILE_TEST_EXISTS));
    }
  else if (length_before > 0)
    {
      after = read_file ("r.csv", &length_after);
      g_assert_true (length_after > 0
                     && memcmp (after, before, MIN (length_before, length_after)) == 0);
    }
  fuzz_empty_folder ();
  return 0;
}
