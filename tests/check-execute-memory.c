/* SPDX-License-Identifier: MIT */
/* Memory of executed kernels: what buffers hold at first, loads and stores against a second
 * implementation that goes byte by byte, bounds, atomics, banks and lines against idg-coalesce, and
 * the caches against a literal one with time stamps; the mixes that counts make. */
#include "config.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exec/machine/wp-reach.h"
#include "exec/memory/wp-caches.h"
#include "exec/memory/wp-coalesce.h"
#include "exec/memory/wp-fill.h"
#include "exec/memory/wp-memory.h"
#include "exec/memory/wp-shared.h"
#include "idg/kernel/idg-coalesce.h"

#include "tests/check-main.h"
#include "tests/execute-step.h"

#define ALL 0xffffffffu

/* ---- Fills ---- */

/* The fill of TEXT, a HOW, with elements of ELEMENT where it says none. */
static WpFill *
parse (const gchar *text, WpElement element)
{
  g_autofree gchar *whole = g_strconcat ("A=", text, NULL), *name = NULL;
  g_autoptr (GError) error = NULL;
  WpFill *fill = wp_fill_parse (whole, &name, &error);

  ck_assert_msg (fill != NULL, "%s", error != NULL ? error->message : "");
  ck_assert_str_eq (name, "A");
  ck_assert_msg (wp_fill_set_element (fill, element, name, &error), "%s",
                 error != NULL ? error->message : "");
  return fill;
}

static void
check_bits (const gchar *text, guint64 index, guint64 bits)
{
  g_autoptr (WpFill) fill = parse (text, WP_ELEMENT_NONE);

  ck_assert_msg (wp_fill_get_bits (fill, index) == bits,
                 "%s, %" G_GUINT64_FORMAT ": %" G_GINT64_MODIFIER "x", text, index,
                 wp_fill_get_bits (fill, index));
}

START_TEST (iota_is_the_index_in_each_type)
{
  check_bits ("u8:iota", 300, 300); /* the buffer takes the low byte */
  check_bits ("s32:iota", 7, 7);
  check_bits ("f32:iota", 3, 0x40400000);
  check_bits ("f32:iota", 16777217, 0x4b800000); /* ties to even */
  check_bits ("f64:iota", 3, G_GUINT64_CONSTANT (0x4008000000000000));
  check_bits ("f16:iota", 3, 0x4200);
  check_bits ("f16:iota", 2049, 0x6800);
  check_bits ("f16:iota", 65519, 0x7bff);
  check_bits ("f16:iota", 65520, 0x7c00);
  check_bits ("bf16:iota", 257, 0x4380);
  check_bits ("bf16:iota", 259, 0x4382);
}
END_TEST

START_TEST (every_half_is_itself)
{
  for (guint bits = 0; bits < 0x10000; bits++)
    for (WpElement type = WP_ELEMENT_F16; type <= WP_ELEMENT_BF16; type++)
      {
        gdouble value = wp_element_get_value (type, bits);

        if (!isnan (value))
          ck_assert_uint_eq (wp_element_round (type, value), bits);
      }
}
END_TEST

START_TEST (random_numbers_are_where_they_should_be)
{
  g_autoptr (WpFill) unit = parse ("f32:random:7", WP_ELEMENT_NONE);
  g_autoptr (WpFill) whole = parse ("s32:random:7:-3:4", WP_ELEMENT_NONE);
  g_autoptr (WpFill) wide = parse ("u64:random:7:0:18446744073709551615", WP_ELEMENT_NONE);
  gdouble sum = 0;
  guint seen = 0;

  for (guint i = 0; i < 20000; i++)
    {
      gdouble value = wp_element_get_value (WP_ELEMENT_F32, wp_fill_get_bits (unit, i));
      gint32 number = (gint32)wp_fill_get_bits (whole, i);

      ck_assert (value >= 0 && value <= 1 && number >= -3 && number <= 4);
      sum += value;
      seen |= 1u << (number + 3);
    }
  ck_assert (fabs (sum / 20000 - 0.5) < 0.01);
  ck_assert_uint_eq (seen, 0xff);
  ck_assert_uint_eq (wp_fill_get_bits (wide, 5), wp_mix (wp_mix (7) ^ 5));
}
END_TEST

START_TEST (halves_are_the_nearest_ones)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (guint i = 0; i < 20000; i++)
    for (WpElement type = WP_ELEMENT_F16; type <= WP_ELEMENT_BF16; type++)
      {
        const gint most = type == WP_ELEMENT_F16 ? 15 : 127;
        const gdouble value
            = ldexp (g_rand_double_range (rand, 1, 1.999), g_rand_int_range (rand, -most, most));
        const guint64 bits = wp_element_round (type, value);
        const gdouble off = fabs (wp_element_get_value (type, bits) - value);

        ck_assert (off <= fabs (wp_element_get_value (type, bits - 1) - value));
        ck_assert (off <= fabs (wp_element_get_value (type, bits + 1) - value));
        ck_assert_uint_eq (wp_element_round (type, -value), bits | 0x8000);
        /* A tie goes to the even one. */
        ck_assert_uint_eq (wp_element_round (type, (wp_element_get_value (type, bits & ~1u)
                                                    + wp_element_get_value (type, bits | 1))
                                                       / 2),
                           bits & ~1u);
      }
}
END_TEST

/* Those in a row from INDEX on, and those that are STEP apart, forwards and backwards. */
static void
check_words (const WpFill *fill, guint64 index, guint step)
{
  guint32 row[WP_FILL_LANES], words[WP_FILL_LANES];
  guint64 relative[WP_FILL_LANES];

  index |= 1u << 16;
  for (guint lane = 0; lane < WP_FILL_LANES; lane++)
    relative[lane] = 4 * (guint64)(lane % 2 == 0 ? lane * step : 0 - (guint64)lane * step);
  wp_fill_get_words (fill, index, NULL, row);
  wp_fill_get_words (fill, index, relative, words);
  for (guint lane = 0; lane < WP_FILL_LANES; lane++)
    {
      ck_assert_uint_eq (row[lane], (guint32)wp_fill_get_bits (fill, index + lane));
      ck_assert_uint_eq (words[lane],
                         (guint32)wp_fill_get_bits (fill, (4 * index + relative[lane]) >> 2));
    }
}

START_TEST (elements_of_lanes_are_those_of_each)
{
  static const gchar *const kinds[] = { "iota", "random", "random:5", "random:5:-3:120" };
  guint64 indices[WP_FILL_LANES], bits[WP_FILL_LANES];

  for (WpElement type = WP_ELEMENT_NONE + 1; type < WP_N_ELEMENTS; type++)
    for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
      {
        const gboolean is_unsigned = type <= WP_ELEMENT_U64;
        g_autoptr (WpFill) fill = parse (is_unsigned && k == 3 ? "random:5:3:120" : kinds[k], type);

        for (guint i = 0; i < 200; i++)
          {
            for (guint lane = 0; lane < WP_FILL_LANES; lane++)
              indices[lane] = wp_mix (i) >> i % 64 ^ lane * i;
            wp_fill_get_lanes (fill, indices, bits);
            for (guint lane = 0; lane < WP_FILL_LANES; lane++)
              ck_assert_uint_eq (bits[lane], wp_fill_get_bits (fill, indices[lane]));
            if (wp_element_get_bytes (type) == 4)
              check_words (fill, indices[0] >> 2, i);
          }
      }
}
END_TEST

static const struct
{
  const gchar *text, *message;
} wrong[] = {
  { "iota", "\"iota\" must be NAME=HOW, NAME being a name of the launch or of a variable" },
  { "=iota", "\"=iota\" must be NAME=HOW, NAME being a name of the launch or of a variable" },
  { "9a=iota", "\"9a=iota\" must be NAME=HOW, NAME being a name of the launch or of a variable" },
  { "A=", "A: \"\" must be unknown, zeros, iota," },
  { "A=ones", "A: \"ones\" must be unknown, zeros, iota," },
  { "A=i32:iota",
    "A: \"i32:iota\" must be unknown, zeros, iota, random[:SEED[:LOW:HIGH]] or file:PATH, with the "
    "type of its elements before it where that matters (f32:iota; one of u8 u16 u32 u64 s32 f16 "
    "bf16 f32 f64)" },
  { "A=iota:f32", "A: \"iota:f32\" must be unknown, zeros, iota," },
  { "A=file:", "A: \"file:\" names no file; write file:PATH" },
  { "A=random:x", "A: \"random:x\" must be random:SEED or random:SEED:LOW:HIGH" },
  { "A=random:1:2", "A: \"random:1:2\" must be random:SEED or random:SEED:LOW:HIGH" },
  { "A=random:1:5:2", "A: \"random:1:5:2\": LOW and HIGH must be numbers, LOW not above HIGH" },
  { "A=random:1:a:2", "A: \"random:1:a:2\": LOW and HIGH must be numbers" },
  { "A=random:1:0:nan", "A: \"random:1:0:nan\": LOW and HIGH must be numbers" },
  { "A=zeros@", "A: \"@\" must be a number of elements" },
  { "A=zeros@0", "A: \"@0\" must be a number of elements" },
  { "A=zeros@-1", "A: \"@-1\" must be a number of elements" },
  { "A=zeros@1e3", "A: \"@1e3\" must be a number of elements" },
  { "A=zeros@1*", "A: \"@1*\" must be a number of elements" },
  { "A=zeros@99999999999999999999", "A: \"@99999999999999999999\" must be a number of" },
  { "A=zeros@1000000*1000000", "A: \"@1000000*1000000\" must be a number of elements" },
  { "A=iota", "A: which type its elements have is not known; write it before the rest, as in" },
  { "A=zeros@5", "A: which type its elements have is not known" },
  { "A=u32:random:1:-1:5", "A: -1 to 5 is beyond u32, which ends at 0 and 4.29497e+09" },
  { "A=u32:random:1:0.5:5", "A: LOW and HIGH must be whole numbers, as u32 is no float" },
  { "A=f16:random:1:0:70000", "A: 0 to 70000 is beyond f16, which ends at -65504 and 65504" },
  { "A=f64:zeros@34359738368", "A: 34359738368 elements of f64 are more than 34359738368 bytes" },
};

START_TEST (what_is_wrong_is_said)
{
  g_autofree gchar *name = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (WpFill) fill = wp_fill_parse (wrong[_i].text, &name, &error);

  ck_assert (fill == NULL || !wp_fill_set_element (fill, WP_ELEMENT_NONE, "A", &error));
  ck_assert_msg (g_str_has_prefix (error->message, wrong[_i].message), "%s", error->message);
}
END_TEST

START_TEST (types_of_parameters_are_found)
{
  static const struct
  {
    const gchar *type;
    WpElement element;
  } rows[] = {
    { "float *", WP_ELEMENT_F32 },
    { "float const*", WP_ELEMENT_F32 },
    { "const float* __restrict__", WP_ELEMENT_F32 },
    { "unsigned int*", WP_ELEMENT_U32 },
    { "__half const*", WP_ELEMENT_F16 },
    { "double", WP_ELEMENT_NONE },
    { "Foo*", WP_ELEMENT_NONE },
    { "float **", WP_ELEMENT_U64 },
    { "unsigned char *", WP_ELEMENT_U8 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    ck_assert_int_eq (wp_element_find_type (rows[i].type), rows[i].element);
}
END_TEST

/* ---- Buffers ---- */

static WpBuffer *
add (WpMemory *memory, const gchar *name, const gchar *how)
{
  g_autoptr (WpFill) fill = parse (how, WP_ELEMENT_NONE);
  g_autoptr (GError) error = NULL;
  WpBuffer *buffer = wp_memory_add (memory, name, fill, WP_ELEMENT_NONE, 0, NULL, &error);

  ck_assert_msg (buffer != NULL, "%s", error != NULL ? error->message : "");
  return buffer;
}

/* The literal one: the bytes of two buffers, each with whether it is known. */
#define LITERAL_BYTES (3 * 65536)
static guint8 literal[2][LITERAL_BYTES], literal_unknown[2][LITERAL_BYTES];

typedef struct
{
  guint64 addresses[32];
  guint buffer[32], offset[32];
  guint32 mask;
  guint bytes;
  const WpPattern *pattern; /* or NULL */
  gboolean is_at;           /* by the pattern and the first lane alone, where that can be */
} Case;

/* Addresses of all kinds: in a row, from a line on or not, strided, all one, anywhere, in both
 * buffers. */
static void
make_case (GRand *rand, WpBuffer *const *buffers, WpPatterns *patterns, Case *c)
{
  const guint kind = (guint)g_rand_int_range (rand, 0, 5);
  guint first, stride, buffer = (guint)g_rand_int_range (rand, 0, 2);

  c->bytes = 1u << g_rand_int_range (rand, 0, 5);
  c->mask = g_rand_boolean (rand) ? ALL : g_rand_int (rand) | 1;
  stride = kind == 0 ? 1 : kind == 1 ? (guint)g_rand_int_range (rand, 0, 300) : 0;
  first = (guint)g_rand_int_range (rand, 0, (gint)((LITERAL_BYTES - 1) / c->bytes - 32 * stride));
  if (stride * 32 * c->bytes >= LITERAL_BYTES / 2)
    stride = 2;
  if (g_rand_boolean (rand))
    first -= first % (128 / c->bytes);
  for (guint lane = 0; lane < 32; lane++)
    {
      guint at = kind >= 3 ? (guint)g_rand_int_range (rand, 0, (gint)(LITERAL_BYTES / c->bytes))
                           : (first + lane * stride) % (LITERAL_BYTES / c->bytes);

      c->buffer[lane] = kind == 4 ? (guint)g_rand_int_range (rand, 0, 2) : buffer;
      c->offset[lane] = at * c->bytes;
      c->addresses[lane] = wp_buffer_get_base (buffers[c->buffer[lane]]) + c->offset[lane];
    }
  c->pattern = g_rand_boolean (rand)
                   ? wp_patterns_find (patterns, c->addresses, c->mask, c->bytes, FALSE)
                   : NULL;
  c->is_at = c->pattern != NULL && g_rand_boolean (rand);
}

static guint64
get_first (const Case *c)
{
  return c->addresses[__builtin_ctz (c->mask)];
}

static void
compare_load (WpMemory *memory, const Case *c)
{
  guint32 rows[4][32], unknown[4] = { ~c->mask, 0, 0, 0 };
  WpFault fault;
  guint8 source = 0;
  gboolean any = FALSE;

  ck_assert (
      (c->is_at
       && wp_memory_load_at (memory, c->pattern, get_first (c), FALSE, rows, unknown, &source))
      || wp_memory_load (memory, c->pattern, c->addresses, c->mask, c->bytes, FALSE, rows, unknown,
                         &source, &fault));
  for (guint lane = 0; lane < 32; lane++)
    for (guint k = 0; (c->mask >> lane & 1) != 0 && k < MAX (1, c->bytes / 4); k++)
      {
        guint32 value = 0, is_unknown = 0;

        for (guint b = 0; b < MIN (4, c->bytes); b++)
          {
            const guint at = c->offset[lane] + 4 * k + b;

            value |= (guint32)literal[c->buffer[lane]][at] << 8 * b;
            is_unknown |= literal_unknown[c->buffer[lane]][at];
          }
        ck_assert_uint_eq (unknown[k] >> lane & 1, is_unknown);
        any |= is_unknown;
        if (!is_unknown)
          ck_assert_uint_eq (rows[k][lane], value);
      }
  ck_assert_uint_eq (unknown[0] & ~c->mask, ~c->mask); /* left alone */
  ck_assert (any == (source != 0));
}

static void
store_both (GRand *rand, WpMemory *memory, const Case *c)
{
  guint32 rows[4][32], unknown[4];
  WpFault fault;

  for (guint k = 0; k < 4; k++)
    {
      unknown[k] = g_rand_int_range (rand, 0, 3) == 0   ? g_rand_int (rand)
                   : g_rand_int_range (rand, 0, 4) == 0 ? ALL
                                                        : 0;
      for (guint lane = 0; lane < 32; lane++)
        rows[k][lane] = g_rand_int (rand);
    }
  ck_assert ((c->is_at && wp_memory_store_at (memory, c->pattern, get_first (c), rows, unknown, 1))
             || wp_memory_store (memory, c->pattern, c->addresses, c->mask, c->bytes, rows, unknown,
                                 1, &fault));
  for (guint lane = 0; lane < 32; lane++)
    for (guint b = 0; (c->mask >> lane & 1) != 0 && b < c->bytes; b++)
      {
        literal[c->buffer[lane]][c->offset[lane] + b] = (guint8)(rows[b / 4][lane] >> 8 * (b % 4));
        literal_unknown[c->buffer[lane]][c->offset[lane] + b] = unknown[b / 4] >> lane & 1;
      }
}

/* Two new buffers, and their bytes. */
static WpMemory *
make_both (WpBuffer *buffers[2], const WpFill *fill)
{
  WpMemory *memory = wp_memory_new ();

  buffers[0] = add (memory, "A", "unknown");
  buffers[1] = add (memory, "B", "u32:random:5");
  memset (literal_unknown[0], 1, sizeof literal_unknown[0]);
  memset (literal_unknown[1], 0, sizeof literal_unknown[1]);
  for (guint i = 0; i < LITERAL_BYTES; i += 4)
    {
      const guint32 word = GUINT32_TO_LE ((guint32)wp_fill_get_bits (fill, i / 4));

      memcpy (&literal[1][i], &word, sizeof word);
    }
  return memory;
}

/* Of a memory all is soon there that is computed: each has a few cases. */
#define CASES_OF_MEMORY 50

START_TEST (loads_and_stores_are_those_of_single_bytes)
{
  g_autoptr (WpMemory) memory = NULL;
  g_autoptr (WpPatterns) patterns = wp_patterns_new ();
  g_autoptr (WpFill) fill = parse ("u32:random:5", WP_ELEMENT_NONE);
  g_autoptr (GRand) rand = g_rand_new_with_seed (4711);
  WpBuffer *buffers[2];

  for (guint i = 0; i < check_get_cases (20000); i++)
    {
      Case c;

      if (i % CASES_OF_MEMORY == 0)
        {
          wp_memory_free (memory);
          memory = make_both (buffers, fill);
        }
      make_case (rand, buffers, patterns, &c);
      if (g_rand_int_range (rand, 0, 3) == 0)
        store_both (rand, memory, &c);
      else
        compare_load (memory, &c);
    }
}
END_TEST

/* ---- Dumps ---- */

static gboolean
append (const gchar *bytes, gsize n, gpointer data, GError **error)
{
  (void)error;
  g_byte_array_append (data, (const guint8 *)bytes, (guint)n);
  return TRUE;
}

START_TEST (a_dump_is_as_large_as_what_was_accessed)
{
  g_autoptr (WpMemory) memory = wp_memory_new ();
  WpBuffer *buffer = add (memory, "A", "unknown"), *count = add (memory, "B", "u16:iota@5");
  g_autoptr (GByteArray) dump = g_byte_array_new ();
  guint64 addresses[32], n_unknown;
  guint32 rows[1][32], unknown[1] = { 2 };
  WpFault fault;

  for (guint lane = 0; lane < 32; lane++)
    {
      addresses[lane] = wp_buffer_get_base (buffer) + 70000 + 4 * lane;
      rows[0][lane] = 0x01010101 * lane;
    }
  ck_assert (wp_memory_store (memory, NULL, addresses, 7, 4, rows, unknown, 0, &fault));
  ck_assert (wp_buffer_dump (buffer, append, dump, &n_unknown, NULL));
  ck_assert_uint_eq (dump->len, 70012);
  ck_assert_uint_eq (n_unknown, 70004);
  ck_assert_uint_eq (dump->data[70003], 0);
  ck_assert_uint_eq (dump->data[70005], 0); /* unknown */
  ck_assert_uint_eq (dump->data[70008], 2);
  g_byte_array_set_size (dump, 0);
  ck_assert (wp_buffer_dump (count, append, dump, &n_unknown, NULL));
  ck_assert_uint_eq (dump->len, 10);
  ck_assert (n_unknown == 0 && memcmp (dump->data, "\0\0\1\0\2\0\3\0\4\0", 10) == 0);
}
END_TEST

START_TEST (a_file_is_a_buffer_of_its_size)
{
  g_autoptr (WpMemory) memory = wp_memory_new ();
  g_autoptr (GError) error = NULL;
  g_autofree gchar *path = NULL, *how = NULL, *more = NULL;
  g_autoptr (WpFill) fill = NULL, larger = NULL, missing = NULL;
  WpBuffer *buffer;
  guint64 addresses[32] = { 0 };
  guint32 rows[1][32], unknown[1] = { 0 };
  guint8 source = 0;
  WpFault fault;
  gint fd = g_file_open_tmp ("check-XXXXXX", &path, NULL);

  ck_assert (g_file_set_contents (path, "abcdefgh", 8, NULL));
  g_close (fd, NULL);
  how = g_strconcat ("file:", path, NULL);
  more = g_strconcat ("u32:file:", path, "@3", NULL);
  fill = parse (how, WP_ELEMENT_NONE);
  larger = parse (more, WP_ELEMENT_NONE);
  missing = parse ("file:/nowhere/at/all", WP_ELEMENT_NONE);
  buffer = wp_memory_add (memory, "A", fill, WP_ELEMENT_NONE, 0, NULL, &error);
  ck_assert (buffer != NULL && wp_buffer_get_bytes (buffer) == 8);
  addresses[0] = wp_buffer_get_base (buffer) + 4;
  ck_assert (wp_memory_load (memory, NULL, addresses, 1, 4, FALSE, rows, unknown, &source, &fault));
  ck_assert (memcmp (&rows[0][0], "efgh", 4) == 0 && unknown[0] == 0);
  ck_assert (wp_memory_add (memory, "B", larger, WP_ELEMENT_NONE, 0, NULL, &error) == NULL);
  ck_assert_msg (strstr (error->message, "has 8 bytes; 12 are asked for") != NULL, "%s",
                 error->message);
  g_clear_error (&error);
  ck_assert (wp_memory_add (memory, "C", missing, WP_ELEMENT_NONE, 0, NULL, &error) == NULL);
  ck_assert_msg (g_str_has_prefix (error->message, "C: file /nowhere/at/all cannot be read: "),
                 "%s", error->message);
  g_unlink (path);
}
END_TEST

/* ---- Bounds ---- */

static gchar *
fail_load (WpMemory *memory, guint64 address, guint bytes)
{
  guint64 addresses[32] = { 0 };
  guint32 rows[4][32], unknown[4] = { 0 };
  guint8 source = 0;
  WpFault fault;

  addresses[5] = address;
  addresses[3] = wp_buffer_get_base (wp_memory_get (memory, 1));
  if (wp_memory_load (memory, NULL, addresses, 1u << 5 | 1u << 3, bytes, FALSE, rows, unknown,
                      &source, &fault))
    return g_strdup ("");
  ck_assert_uint_eq (fault.lane, 5);
  return wp_memory_describe_fault (memory, &fault);
}

START_TEST (accesses_beyond_a_buffer_are_errors)
{
  g_autoptr (WpMemory) memory = wp_memory_new ();
  guint64 base = wp_buffer_get_base (add (memory, "A", "f32:zeros@1024"));
  struct
  {
    guint64 address;
    guint bytes;
    const gchar *message;
  } rows[] = {
    { base + 4092, 4, "" },
    { base + 4080, 16, "" },
    { base + 4096, 4, "4 bytes at byte 4096 of A are beyond its end: it has 4096" },
    { base + 4096, 1, "1 bytes at byte 4096 of A are beyond its end: it has 4096" },
    { base - 4, 4, "bytes before A" },
    { base + 2, 4, ", byte 2 of A, is not aligned to the 4 bytes of the access" },
    { base + 8, 16, ", byte 8 of A, is not aligned to the 16 bytes of the access" },
    { 0, 4, "address 0x0 is in no buffer of the launch: the pointer is null" },
    { G_MAXUINT64 - 3, 4, "address 0xfffffffffffffffc is in no buffer of the launch" },
    { base + (G_GUINT64_CONSTANT (1) << 36), 4, "is in no buffer of the launch" },
  };

  ck_assert_uint_eq (base % 256, 0);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree gchar *message = fail_load (memory, rows[i].address, rows[i].bytes);

      ck_assert_msg (*rows[i].message == '\0' ? *message == '\0'
                                              : strstr (message, rows[i].message) != NULL,
                     "%u: %s", i, message);
    }
}
END_TEST

START_TEST (unknown_addresses_are_in_their_buffer)
{
  g_autoptr (WpMemory) memory = wp_memory_new ();
  WpBuffer *buffers[3] = { add (memory, "A", "f32:zeros@100"), add (memory, "B", "unknown"),
                           add (memory, "C", "u8:zeros@3") };
  guint seen = 0;

  for (guint64 i = 0; i < 10000; i++)
    {
      guint64 in_a = wp_memory_pick (memory, 1, 8, wp_mix (i));
      guint64 any = wp_memory_pick (memory, 0, 4, wp_mix (i));

      ck_assert (in_a % 8 == 0 && in_a - wp_buffer_get_base (buffers[0]) <= 392);
      ck_assert (wp_memory_pick (memory, 2, 4, i) - wp_buffer_get_base (buffers[1])
                 < WP_ASSUMED_BYTES);
      ck_assert_uint_eq (wp_memory_pick (memory, 1, 8, wp_mix (i)), in_a);
      seen |= 1u << wp_memory_locate (memory, any);
    }
  ck_assert_uint_eq (seen, 14);
}
END_TEST

/* ---- Atomics ---- */

static guint64
add_one (guint64 old, const guint64 operands[2])
{
  return old + operands[0];
}

static guint64
exchange (guint64 old, const guint64 operands[2])
{
  (void)old;
  return operands[0];
}

typedef struct
{
  WpMemory *memory;
  guint64 base;
} Adder;

static gpointer
add_many (gpointer data)
{
  const Adder *adder = data;

  for (guint i = 0; i < 20000; i++)
    {
      WpModification m = { .bytes = i % 2 ? 4 : 8, .modify = add_one, .operands = { 1, 0 } };
      WpFault fault;

      ck_assert (wp_memory_modify (adder->memory, adder->base + i % 2 * 8 + i / 2 % 7 * 65536, &m,
                                   &fault));
    }
  return NULL;
}

START_TEST (atomics_of_threads_all_count)
{
  g_autoptr (WpMemory) memory = wp_memory_new ();
  WpBuffer *buffer = add (memory, "A", "zeros");
  Adder adder = { memory, wp_buffer_get_base (buffer) };
  GThread *threads[4];
  guint64 addresses[32] = { 0 }, sums[2] = { 0, 0 };

  for (guint i = 0; i < 4; i++)
    threads[i] = g_thread_new (NULL, add_many, &adder);
  for (guint i = 0; i < 4; i++)
    g_thread_join (threads[i]);
  for (guint i = 0; i < 14; i++)
    {
      guint32 rows[2][32], unknown[2] = { 0, 0 };
      guint8 source = 0;
      WpFault fault;

      addresses[0] = adder.base + i % 2 * 8 + i / 2 * 65536;
      ck_assert (wp_memory_load (memory, NULL, addresses, 1, i % 2 ? 4 : 8, FALSE, rows, unknown,
                                 &source, &fault));
      ck_assert_uint_eq (unknown[0], 0);
      sums[i % 2] += rows[0][0];
    }
  ck_assert (sums[0] == 40000 && sums[1] == 40000);
}
END_TEST

START_TEST (an_atomic_finds_and_leaves_what_is_known)
{
  g_autoptr (WpMemory) memory = wp_memory_new ();
  g_autoptr (WpFill) fill = parse ("u32:random:7", WP_ELEMENT_NONE);
  const guint64 base = wp_buffer_get_base (add (memory, "A", "u32:random:7"));

  for (guint line = 0; line < 3; line++)
    {
      WpModification sum = { .bytes = 4, .modify = add_one, .operands = { 5, 0 } };
      guint32 rows[2][32], unknown[2] = { 0, 0 };
      guint64 addresses[32] = { base + 128 * line + 8 };
      guint8 source = 0;
      WpFault fault;

      ck_assert (wp_memory_modify (memory, addresses[0], &sum, &fault) && !sum.old_unknown);
      ck_assert_uint_eq (sum.old, wp_fill_get_bits (fill, 32 * line + 2));
      ck_assert (
          wp_memory_load (memory, NULL, addresses, 1, 8, FALSE, rows, unknown, &source, &fault));
      ck_assert_uint_eq (rows[0][0], (guint32)(sum.old + 5));
      ck_assert_uint_eq (rows[1][0], wp_fill_get_bits (fill, 32 * line + 3));
    }
}
END_TEST

#define PAGE_LINES 512

typedef struct
{
  WpMemory *memory;
  guint64 base;
  guint number;
} Storer;

/* Stores a word of its own to each line of a page; but of every fourth line all words, one of the
 * storers, and nobody to those before them. What the last storer stores is unknown. */
static gpointer
store_words (gpointer data)
{
  const Storer *storer = data;
  g_autoptr (WpPatterns) patterns = wp_patterns_new ();
  guint32 rows[1][32], unknown[1] = { storer->number == 3 ? ALL : 0 };

  for (guint line = 0; line < PAGE_LINES; line++)
    {
      const gboolean is_whole = line % 4 == 0;
      const guint32 mask = is_whole ? ALL : 1u << storer->number;
      guint64 addresses[32];
      WpFault fault;

      for (guint lane = 0; lane < 32; lane++)
        {
          addresses[lane] = storer->base + 128 * line + 4 * lane;
          rows[0][lane] = 1000 * line + lane;
        }
      if (is_whole ? line / 4 % 4 == storer->number : line % 4 != 3)
        ck_assert (wp_memory_store (storer->memory,
                                    wp_patterns_find (patterns, addresses, mask, 4, FALSE),
                                    addresses, mask, 4, rows, unknown, 0, &fault));
    }
  return NULL;
}

START_TEST (lines_that_threads_store_to_together_keep_the_rest)
{
  g_autoptr (WpMemory) memory = wp_memory_new ();
  WpBuffer *buffer = add (memory, "A", "u32:random:7@16384");
  g_autoptr (WpFill) fill = parse ("u32:random:7", WP_ELEMENT_NONE);
  g_autoptr (GByteArray) dump = g_byte_array_new ();
  GThread *threads[4];
  Storer storers[4];

  for (guint i = 0; i < 4; i++)
    {
      storers[i] = (Storer){ memory, wp_buffer_get_base (buffer), i };
      threads[i] = g_thread_new (NULL, store_words, &storers[i]);
    }
  for (guint i = 0; i < 4; i++)
    g_thread_join (threads[i]);
  ck_assert (wp_buffer_dump (buffer, append, dump, NULL, NULL));
  for (guint i = 0; i < 32 * PAGE_LINES; i++)
    {
      const guint line = i / 32, lane = i % 32;
      const gboolean is_stored = line % 4 == 0 || (line % 4 != 3 && lane < 4);
      const gboolean is_lost = is_stored && (line % 4 == 0 ? line / 4 % 4 : lane) == 3;
      guint32 word;

      memcpy (&word, dump->data + 4 * i, sizeof word);
      ck_assert_uint_eq (GUINT32_FROM_LE (word), is_lost     ? 0
                                                 : is_stored ? 1000 * line + lane
                                                             : wp_fill_get_bits (fill, i));
    }
}
END_TEST

START_TEST (what_is_not_known_stays_so_until_it_is_replaced)
{
  g_autoptr (WpMemory) memory = wp_memory_new ();
  guint64 base = wp_buffer_get_base (add (memory, "A", "unknown"));
  WpModification sum = { .bytes = 4, .modify = add_one, .operands = { 5, 0 } };
  WpModification put = { .bytes = 4, .modify = exchange, .operands = { 7, 0 }, .replaces = TRUE };
  WpModification lost = { .bytes = 4, .modify = add_one, .is_unknown = TRUE, .source = 1 };
  WpFault fault;

  ck_assert (wp_memory_modify (memory, base + 8, &sum, &fault) && sum.old_unknown);
  ck_assert_uint_eq (sum.old_source, 1);
  ck_assert (wp_memory_modify (memory, base + 8, &put, &fault) && put.old_unknown);
  ck_assert (wp_memory_modify (memory, base + 8, &sum, &fault) && !sum.old_unknown && sum.old == 7);
  ck_assert (wp_memory_modify (memory, base + 8, &lost, &fault) && !lost.old_unknown
             && lost.old == 12);
  ck_assert (wp_memory_modify (memory, base + 8, &sum, &fault) && sum.old_unknown);
  ck_assert (!wp_memory_modify (memory, base + 2, &sum, &fault)
             && fault.kind == WP_FAULT_MISALIGNED);
}
END_TEST

/* ---- Shared and local memory ---- */

START_TEST (shared_and_local_memory_hold_what_is_stored)
{
  guint8 data[8192];
  guint64 bits[8192 / 64];
  WpSharedState state = { .has_known = TRUE, .is_doubtful = TRUE };
  const WpShared shared = { 4000, data, bits, &state };
  const WpLocal local = { 100, data, bits };
  guint32 addresses[32], rows[4][32], back[4][32], none[4] = { 0 }, unknown[4] = { 0 };
  WpFault fault;

  memset (bits, 0xff, sizeof bits);
  for (guint lane = 0; lane < 32; lane++)
    for (guint k = 0; k < 4; k++)
      {
        addresses[lane] = lane % 5 * 16;
        rows[k][lane] = 100 * lane + k;
      }
  ck_assert (wp_local_store (&local, addresses, 0xffff, 16, rows, none, &fault));
  ck_assert (wp_local_load (&local, addresses, ALL, 16, FALSE, back, unknown, &fault));
  for (guint lane = 0; lane < 16; lane++)
    ck_assert_uint_eq (back[3][lane], 100 * lane + 3);
  ck_assert_uint_eq (unknown[2], 0xffff0000);
  addresses[9] = 96;
  ck_assert (!wp_local_load (&local, addresses, ALL, 16, FALSE, back, unknown, &fault));
  ck_assert (fault.kind == WP_FAULT_OUT_OF_BOUNDS && fault.lane == 9 && fault.bytes == 16);
  memset (bits, 0xff, sizeof bits);
  ck_assert (wp_shared_store (&shared, NULL, addresses, 1, 2, rows, none, &fault));
  ck_assert (wp_shared_load (&shared, NULL, addresses, 1, 2, TRUE, back, unknown, &fault)
             && back[0][0] == 0 && (unknown[0] & 1) == 0);
  ck_assert (wp_shared_load (&shared, NULL, addresses, 1, 4, TRUE, back, unknown, &fault)
             && (unknown[0] & 1) == 1);
  addresses[0] = 4000;
  ck_assert (!wp_shared_load (&shared, NULL, addresses, 1, 4, TRUE, back, unknown, &fault)
             && fault.kind == WP_FAULT_OUT_OF_BOUNDS);
  addresses[0] = 0xfffffffc;
  ck_assert (!wp_shared_load (&shared, NULL, addresses, 1, 8, TRUE, back, unknown, &fault));
}
END_TEST

static gboolean
load_one (const WpShared *shared, guint32 address, guint bytes, gboolean is_signed, guint32 *value)
{
  const guint32 addresses[32] = { address };
  guint32 row[1][32], unknown[1] = { 0 };
  WpFault fault;

  ck_assert (wp_shared_load (shared, NULL, addresses, 1, bytes, is_signed, row, unknown, &fault));
  *value = row[0][0];
  return (unknown[0] & 1) == 0;
}

static void
store_one (const WpShared *shared, guint32 address, guint bytes, guint32 value, gboolean is_known)
{
  const guint32 addresses[32] = { address };
  guint32 row[1][32] = { { value } }, unknown[1] = { is_known ? 0 : 1 };
  WpFault fault;

  ck_assert (wp_shared_store (shared, NULL, addresses, 1, bytes, row, unknown, &fault));
}

START_TEST (shared_memory_where_nothing_was_stored_is_zero)
{
  guint8 data[1024];
  guint64 bits[1024 / 64 + 1], given[1024 / 64 + 1];
  WpSharedState state = { .given = given };
  const WpShared shared = { 1024, data, bits, &state };
  guint32 value;

  memset (data, 0xee, sizeof data); /* of the block before */
  memset (bits, 0xff, sizeof bits);
  ck_assert (load_one (&shared, 100, 4, FALSE, &value) && value == 0 && state.has_found);
  store_one (&shared, 8, 1, 0x85, TRUE);
  ck_assert (load_one (&shared, 8, 4, FALSE, &value) && value == 0x85);
  ck_assert (load_one (&shared, 8, 2, TRUE, &value) && value == 0x85);
  store_one (&shared, 17, 1, 0x85, TRUE);
  ck_assert (load_one (&shared, 16, 2, TRUE, &value) && value == 0xffff8500);
  state.has_found = FALSE;
  ck_assert (load_one (&shared, 17, 1, TRUE, &value) && value == 0xffffff85 && !state.has_found);

  /* What is unknown and was stored is, and makes a word so; it may become known, and unknown. */
  store_one (&shared, 9, 1, 0, FALSE);
  ck_assert (!load_one (&shared, 8, 4, FALSE, &value));
  ck_assert (load_one (&shared, 10, 2, FALSE, &value) && value == 0);
  store_one (&shared, 9, 1, 3, TRUE);
  ck_assert (load_one (&shared, 8, 4, FALSE, &value) && value == 0x385);
  store_one (&shared, 8, 2, 3, FALSE);
  ck_assert (!load_one (&shared, 8, 2, FALSE, &value));

  /* Where a store was left out all may have been stored. */
  state.is_doubtful = TRUE;
  ck_assert (!load_one (&shared, 100, 4, FALSE, &value));
  ck_assert (load_one (&shared, 17, 1, FALSE, &value) && value == 0x85);
}
END_TEST

START_TEST (shared_memory_of_which_all_is_unknown_is_doubtful)
{
  guint8 data[1024];
  guint64 bits[1024 / 64 + 1], given[1024 / 64 + 1];
  WpSharedState state = { .given = given };
  const WpShared shared = { 1024, data, bits, &state };
  guint32 value;

  memset (bits, 0xff, sizeof bits);
  store_one (&shared, 8, 4, 0, FALSE);
  ck_assert (!load_one (&shared, 8, 4, FALSE, &value)
             && !load_one (&shared, 100, 4, FALSE, &value));
  store_one (&shared, 12, 4, 5, TRUE);
  ck_assert (load_one (&shared, 12, 4, FALSE, &value) && value == 5);
  ck_assert (!load_one (&shared, 8, 4, FALSE, &value)
             && !load_one (&shared, 100, 4, FALSE, &value));
}
END_TEST

static guint64
add_numbers (guint64 old, const guint64 *operands)
{
  return old + operands[0];
}

START_TEST (atomics_on_shared_memory_begin_with_zero)
{
  guint8 data[1024];
  guint64 bits[1024 / 64 + 1], given[1024 / 64 + 1];
  WpSharedState state = { .given = given };
  const WpShared shared = { 1024, data, bits, &state };
  WpModification add = { .bytes = 4, .modify = add_numbers, .operands = { 7 } };
  guint32 value;
  WpFault fault;

  memset (data, 0xee, sizeof data);
  memset (bits, 0xff, sizeof bits);
  ck_assert (wp_shared_modify (&shared, 64, &add, &fault) && add.old == 0 && !add.old_unknown);
  ck_assert (load_one (&shared, 64, 4, FALSE, &value) && value == 7 && state.has_found);
  add.is_unknown = TRUE;
  ck_assert (wp_shared_modify (&shared, 128, &add, &fault));
  ck_assert (!load_one (&shared, 128, 4, FALSE, &value));
  ck_assert (load_one (&shared, 132, 4, FALSE, &value) && value == 0);
}
END_TEST

/* ---- Banks and lines ---- */

static guint
count_strided (guint stride, guint bytes)
{
  guint32 addresses[32];

  for (guint lane = 0; lane < 32; lane++)
    addresses[lane] = lane * stride;
  return wp_shared_wavefronts (addresses, ALL, bytes);
}

START_TEST (banks_are_passed_as_often_as_the_programming_guide_has_it)
{
  guint32 addresses[32];

  ck_assert_uint_eq (count_strided (4, 4), 1);
  ck_assert_uint_eq (count_strided (0, 4), 1);
  ck_assert_uint_eq (count_strided (8, 4), 2);
  ck_assert_uint_eq (count_strided (12, 4), 1);
  ck_assert_uint_eq (count_strided (128, 4), 32);
  ck_assert_uint_eq (count_strided (132, 4), 1);
  ck_assert_uint_eq (count_strided (1, 1), 1);
  ck_assert_uint_eq (count_strided (8, 8), 2);
  ck_assert_uint_eq (count_strided (0, 8), 1);
  ck_assert_uint_eq (count_strided (16, 16), 4);
  ck_assert_uint_eq (count_strided (128, 16), 32);
  /* Two rows of a 16 x 16 tile of A, read by float4: two addresses, each of 16 lanes. */
  for (guint lane = 0; lane < 32; lane++)
    addresses[lane] = lane / 16 * 64;
  ck_assert_uint_eq (wp_shared_wavefronts (addresses, ALL, 16), 2);
  ck_assert_uint_eq (wp_shared_wavefronts (addresses, 0, 16), 0);
  ck_assert_uint_eq (wp_shared_wavefronts (addresses, 1, 16), 1);
}
END_TEST

/* What ACCESS takes of L2, in sectors, for the bytes that it leaves out of those that it touches:
 * three where next to nothing of one is written. */
static guint
find_partial (const IdgAccess *access)
{
  IdgTransaction transactions[IDG_MAX_TRANSACTIONS];
  guint left_out = 0, n = idg_coalesce (access, IDG_RULES_LATER, transactions);

  for (guint i = 0; i < n; i++)
    for (guint64 byte = transactions[i].address; byte < transactions[i].address + 32; byte++)
      {
        guint lane = 0;

        while (lane < 32
               && ((access->mask >> lane & 1) == 0 || byte < access->addresses[lane]
                   || byte >= access->addresses[lane] + access->bytes))
          lane++;
        left_out += lane == 32;
      }
  return (guint)lround (3.0 * left_out / 32);
}

static void
add_lines (WpAccessLog *log, WpAccess access, const guint64 addresses[32], guint32 mask,
           guint bytes)
{
  wp_access_log_add (log, &access, wp_patterns_find (log->patterns, addresses, mask, bytes, FALSE),
                     addresses[__builtin_ctz (mask)]);
}

static guint
find_banks (WpPatterns *patterns, const guint32 addresses[32], guint32 mask, guint bytes)
{
  guint64 wide[32];

  for (guint lane = 0; lane < 32; lane++)
    wide[lane] = addresses[lane];
  return wp_patterns_find (patterns, wide, mask, bytes, TRUE)->wavefronts;
}

START_TEST (lines_and_banks_are_those_of_idg_coalesce)
{
  static const IdgBanks banks = { 32, 4 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (17);
  IdgTransaction transactions[IDG_MAX_TRANSACTIONS];
  g_autoptr (WpPatterns) patterns = wp_patterns_new ();
  WpAccessLog log;

  wp_access_log_init (&log, patterns);
  for (guint i = 0; i < check_get_cases (20000); i++)
    {
      const guint bytes = 1u << g_rand_int_range (rand, 0, 5);
      const gboolean is_row = g_rand_int_range (rand, 0, 4) == 0;
      const guint span = 1u << g_rand_int_range (rand, 0, 14);
      IdgAccess access
          = { .mask = g_rand_boolean (rand) ? ALL : g_rand_int (rand) | 1, .bytes = bytes };
      guint64 base = (guint64)g_rand_int (rand) * 256, sectors = 0, moved[32];
      guint32 narrow[32];
      const WpAccess *made;

      for (guint lane = 0; lane < 32; lane++)
        {
          guint at = is_row ? lane : (guint)g_rand_int_range (rand, 0, (gint)span);

          access.addresses[lane] = base + (guint64)at * bytes;
          narrow[lane] = (guint32)access.addresses[lane];
        }
      wp_access_log_reset (&log);
      /* Another instruction with the same pattern elsewhere comes first, now and then. */
      for (guint lane = 0; i % 2 && lane < 32; lane++)
        moved[lane] = access.addresses[lane] + 640;
      if (i % 2)
        {
          add_lines (&log, (WpAccess){ .index = i }, moved, access.mask, bytes);
          find_banks (patterns, narrow, access.mask, bytes);
        }
      wp_access_log_reset (&log);
      for (guint lane = 0; lane < 32; lane++)
        narrow[lane] += 3 * bytes;
      ck_assert_uint_eq (find_banks (patterns, narrow, access.mask, bytes),
                         wp_shared_wavefronts (narrow, access.mask, bytes));
      for (guint lane = 0; lane < 32; lane++)
        narrow[lane] -= 3 * bytes;
      wp_access_log_reset (&log);
      add_lines (&log, (WpAccess){ .index = i }, access.addresses, access.mask, bytes);
      made = &log.accesses[0];
      ck_assert_uint_eq (made->n_lines, log.n_lines);
      ck_assert_uint_eq (made->n_lines, idg_coalesce (&access, IDG_RULES_FERMI, transactions));
      for (guint k = 0; k < log.n_lines; k++)
        sectors += (guint)__builtin_popcount (log.lines[k] & 15);
      ck_assert_uint_eq (sectors, idg_coalesce (&access, IDG_RULES_LATER, transactions));
      wp_access_log_reset (&log);
      add_lines (&log, (WpAccess){ .index = i, .is_write = TRUE }, access.addresses, access.mask,
                 bytes);
      ck_assert_uint_eq (log.accesses[0].partial, find_partial (&access));
      wp_access_log_reset (&log);
      add_lines (&log, (WpAccess){ .index = i }, access.addresses, access.mask, bytes);
      ck_assert_uint_eq (log.accesses[0].partial, 0);
      if (bytes <= 4) /* of wider ones lanes that are alike are served together */
        ck_assert_uint_eq (wp_shared_wavefronts (narrow, access.mask, bytes),
                           idg_coalesce_shared (&access, &banks, NULL, NULL).passes);
      else
        ck_assert_uint_le (wp_shared_wavefronts (narrow, access.mask, bytes),
                           idg_coalesce_shared (&access, &banks, NULL, NULL).passes);
      ck_assert_uint_ge (made->wavefronts, (made->n_lines + 3) / 4);
    }
  wp_access_log_clear (&log);
}
END_TEST

/* ---- Caches ---- */

/* A literal cache: every line with when it was used, and each sector with whether it is there and
 * whether it was written. */
typedef struct
{
  guint64 line, used;
  gboolean is_there[4], is_written[4], is_taken;
} Slot;

typedef struct
{
  guint sets, ways;
  Slot *slots;
} Literal;

static Slot *
literal_find (Literal *cache, guint64 line, gboolean make, guint64 *evicted)
{
  guint64 hash = (line ^ line >> 15) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15) >> 32;
  Slot *set = cache->slots + (hash * cache->sets >> 32) * cache->ways, *oldest = set;

  for (guint i = 0; i < cache->ways; i++)
    if (set[i].is_taken && set[i].line == line)
      return &set[i];
  if (!make)
    return NULL;
  for (guint i = 0; i < cache->ways; i++)
    if (set[i].used < oldest->used)
      oldest = &set[i];
  for (guint k = 0; k < 4; k++)
    *evicted += oldest->is_written[k];
  memset (oldest, 0, sizeof *oldest);
  oldest->line = line;
  oldest->is_taken = TRUE;
  return oldest;
}

/* Sectors of a line that are on their way, until a turn; WHO asked for them, from 1 on. */
typedef struct
{
  guint64 line, until;
  guint sectors, who;
} Coming;

#define L1_PLACES (1u << 12)
#define L2_PLACES (1u << 17)

typedef struct
{
  Literal l1[3], l2;
  Coming *l1_coming, *l2_coming; /* of the SM that is at it; of all */
  guint64 time, evicted, read, l2_turn;
} LiteralDevice;

static gboolean
literal_is_coming (const Coming *coming, guint64 line, guint64 turn)
{
  return coming->who > 0 && coming->line == line && coming->until > turn;
}

static guint
literal_join (const Coming *places, guint n, guint64 line, guint sectors, guint64 turn)
{
  const Coming *coming = &places[wp_mix (line) % n];

  return literal_is_coming (coming, line, turn) && (coming->sectors & sectors) ? coming->who : 0;
}

static void
literal_ask (Coming *places, guint n, guint64 line, guint sectors, guint64 turn, guint turns,
             guint who)
{
  Coming *coming = &places[wp_mix (line) % n];
  const guint before = literal_is_coming (coming, line, turn) ? coming->sectors : 0;

  *coming = (Coming){ line, turn + turns, before | sectors, who };
}

/* Sectors of LINE that CACHE lacks, being read, or that were not written before. */
static guint
literal_use (LiteralDevice *d, Literal *cache, guint64 line, guint sectors, gboolean is_write)
{
  guint64 ignored = 0;
  Slot *slot = literal_find (cache, line, TRUE, cache == &d->l2 ? &d->evicted : &ignored);
  guint lacked = 0;

  slot->used = ++d->time;
  for (guint k = 0; k < 4; k++)
    if (sectors >> k & 1)
      {
        if (is_write ? !slot->is_written[k] : !slot->is_there[k])
          lacked |= 1u << k;
        slot->is_there[k] = TRUE;
        slot->is_written[k] |= is_write;
      }
  return lacked;
}

static guint
literal_l1 (LiteralDevice *d, Literal *l1, const WpAccess *access, WpLine line)
{
  guint64 ignored;
  Slot *slot = literal_find (l1, line >> 4, FALSE, &ignored);
  guint sectors = line & 15;

  if (access->is_atomic)
    {
      for (guint k = 0; slot != NULL && k < 4; k++)
        if (sectors >> k & 1)
          slot->is_there[k] = slot->is_written[k] = FALSE;
      return sectors;
    }
  if (access->space == WP_SPACE_LOCAL && access->is_write)
    return literal_use (d, l1, line >> 4, sectors, TRUE);
  if (access->is_write)
    {
      if (slot != NULL
          && (slot->is_there[0] | slot->is_there[1] | slot->is_there[2] | slot->is_there[3]))
        {
          slot->used = ++d->time;
          for (guint k = 0; k < 4; k++)
            slot->is_there[k] |= sectors >> k & 1;
        }
      return sectors;
    }
  return access->how & WP_ACCESS_PAST_L1 ? sectors : literal_use (d, l1, line >> 4, sectors, FALSE);
}

static guint
literal_l2 (LiteralDevice *d, const WpAccess *access, guint64 line, guint sectors)
{
  guint missing = 0;

  if (!access->is_write || access->is_atomic)
    {
      missing = literal_use (d, &d->l2, line, sectors, FALSE);
      d->read += (guint)__builtin_popcount (missing);
    }
  if (access->is_write)
    missing |= literal_use (d, &d->l2, line, sectors, TRUE);
  return missing;
}

#define SMS 3
#define WARPS 5

typedef struct
{
  WpAccessLog log;
  WpCounts *counts;
  guint access, line;
} TestWarp;

static void
make_log (GRand *rand, TestWarp *warp)
{
  wp_access_log_reset (&warp->log);
  warp->access = warp->line = 0;
  for (gint i = g_rand_int_range (rand, 0, 40); i > 0; i--)
    {
      const gboolean is_write = g_rand_int_range (rand, 0, 3) == 0;
      WpAccess access = { .index = (guint32)g_rand_int_range (rand, 0, 5),
                          .wavefronts = 1,
                          .is_write = is_write,
                          .is_atomic = is_write && g_rand_int_range (rand, 0, 4) == 0,
                          .how = !is_write && g_rand_int_range (rand, 0, 6) == 0,
                          .n_lines = (guint8)g_rand_int_range (rand, 1, 9) };

      if (g_rand_int_range (rand, 0, 5) == 0)
        access.space = access.is_atomic ? WP_SPACE_GLOBAL : WP_SPACE_LOCAL;
      if (g_rand_int_range (rand, 0, 6) == 0)
        {
          const guint wavefronts = (guint)g_rand_int_range (rand, 3, 5);
          const WpAccess shared
              = { .index = 7, .space = WP_SPACE_SHARED, .wavefronts = (guint8)wavefronts };

          wp_access_log_add_shared (&warp->log, 7, FALSE, FALSE, wavefronts, 1);
          wp_counts_add (warp->counts, &shared, 0, 0, 0);
          continue;
        }
      *wp_access_log_append (&warp->log) = access;
      for (guint k = 0; k < access.n_lines; k++)
        {
          WpLine line = (WpLine)g_rand_int_range (rand, 0, 90) << 4
                        | (WpLine)g_rand_int_range (rand, 1, 16);

          *wp_access_log_append_lines (&warp->log, 1) = line;
        }
    }
}

/* The next access of WARP that is not of shared memory. */
static const WpAccess *
next_access (TestWarp *warp)
{
  while (warp->access < warp->log.n_accesses)
    {
      const WpAccess *access = &warp->log.accesses[warp->access++];

      if (access->space != WP_SPACE_SHARED)
        return access;
    }
  return NULL;
}

/* What L2 is asked for by an access, in the order of turns. */
typedef struct
{
  const WpAccess *access;
  guint sectors, lacked;
  guint64 lines[9];
  guint masks[9];
  guint joins;        /* the turn, from 1 on, whose sectors it waits for */
  guint number, lost; /* which access of its warp; sectors that it asked for not long ago */
  guint l2_lacked;
  gboolean l2_waits;
  WpCounts *counts;
} Asked;

/* Of line K of ASKED what its warp asked for in one of TURNS before, not long ago. */
static guint
literal_lost (LiteralDevice *d, const GArray *turns, const Asked *asked, guint k)
{
  const guint who = literal_join (d->l1_coming, L1_PLACES, asked->lines[k], asked->masks[k], 63);
  const Asked *before
      = who == 0 || who > turns->len ? NULL : &g_array_index (turns, Asked, who - 1);
  const gboolean is_lost = before != NULL && before->counts == asked->counts
                           && asked->number - before->number <= WP_LOST_SINCE
                           && !((asked->access->how | before->access->how) & WP_ACCESS_PAST_L1);

  return is_lost ? (guint)__builtin_popcount (asked->masks[k]) : 0;
}

/* Of line K of ASKED, SECTORS, what waits for those that another of TURNS asked for. */
static void
literal_join_l1 (LiteralDevice *d, const GArray *turns, Asked *asked, guint k, guint sectors)
{
  const guint turn = turns->len;

  if (asked->access->is_write || asked->access->is_atomic)
    return;
  if (asked->masks[k] != 0)
    asked->lost += literal_lost (d, turns, asked, k);
  if (asked->masks[k] != 0)
    literal_ask (d->l1_coming, L1_PLACES, asked->lines[k], asked->masks[k], turn, 64, turn + 1);
  else if (asked->joins == 0)
    asked->joins = literal_join (d->l1_coming, L1_PLACES, asked->lines[k], sectors, turn);
}

/* The turns of one SM: its warps with one access each, as long as one has any. */
static GArray *
literal_turns (LiteralDevice *d, guint sm, TestWarp *warps)
{
  GArray *turns = g_array_new (FALSE, TRUE, sizeof (Asked));
  gboolean any;

  memset (d->l1_coming, 0, L1_PLACES * sizeof (Coming));
  do
    {
      any = FALSE;
      for (guint i = 0; i < WARPS; i++)
        {
          const WpAccess *access = next_access (&warps[i]);
          Asked asked = { .access = access, .number = warps[i].access, .counts = warps[i].counts };

          if (access == NULL)
            continue;
          any = TRUE;
          for (guint k = 0; k < access->n_lines; k++)
            {
              WpLine line = warps[i].log.lines[warps[i].line++];

              asked.lines[k] = line >> 4;
              asked.masks[k] = literal_l1 (d, &d->l1[sm], access, line);
              literal_join_l1 (d, turns, &asked, k, line & 15);
              asked.sectors += (guint)__builtin_popcount (line & 15);
              asked.lacked += (guint)__builtin_popcount (asked.masks[k]);
            }
          g_array_append_val (turns, asked);
        }
    }
  while (any);
  return turns;
}

/* What L2 does of line K of ASKED in TURN. */
static void
literal_take (LiteralDevice *d, Asked *asked, guint k, guint64 turn)
{
  const guint64 line = asked->lines[k];
  const guint lacked = literal_l2 (d, asked->access, line, asked->masks[k]);

  asked->l2_lacked += (guint)__builtin_popcount (lacked);
  if (asked->access->is_write)
    return;
  asked->l2_waits
      |= literal_join (d->l2_coming, L2_PLACES, line, asked->masks[k] & ~lacked, turn) > 0;
  if (lacked != 0)
    literal_ask (d->l2_coming, L2_PLACES, line, lacked, turn, 256, 1);
}

static void
literal_count (const GArray *turns, const Asked *asked)
{
  const Asked *joined = asked->joins > 0 ? &g_array_index (turns, Asked, asked->joins - 1) : asked;

  if (asked->lacked == 0 && asked->joins > 0)
    wp_counts_add_times (asked->counts, asked->access, asked->sectors, 0, 0,
                         joined->l2_lacked > 0 || joined->l2_waits ? 2 : 1, 1);
  else if (asked->l2_lacked == 0 && asked->l2_waits)
    wp_counts_add_times (asked->counts, asked->access, asked->sectors, asked->lacked, 0, 2, 1);
  else
    wp_counts_add (asked->counts, asked->access, asked->sectors, asked->lacked, asked->l2_lacked);
}

static void
literal_replay (LiteralDevice *d, TestWarp warps[SMS][WARPS], WpTraffic *traffic)
{
  GArray *turns[SMS];
  guint most = 0, last = 0;

  for (guint sm = 0; sm < SMS; sm++)
    {
      turns[sm] = literal_turns (d, sm, warps[sm]);
      most = MAX (most, turns[sm]->len);
    }
  for (guint turn = 0; turn < most; turn++)
    for (guint sm = 0; sm < SMS; sm++)
      if (turn < turns[sm]->len)
        {
          Asked *asked = &g_array_index (turns[sm], Asked, turn);

          for (guint k = 0; k < asked->access->n_lines; k++)
            if (asked->masks[k] != 0)
              literal_take (d, asked, k, d->l2_turn + turn);
          traffic->sectors += asked->sectors;
          traffic->l1_sectors += asked->lacked;
          traffic->lost += asked->lost;
          traffic->l2_sectors += asked->l2_lacked;
          if (asked->lacked > 0 || asked->joins > 0)
            last = turn;
          literal_count (turns[sm], asked);
        }
  d->l2_turn += last + 1;
  for (guint sm = 0; sm < SMS; sm++)
    g_array_unref (turns[sm]);
}

static void
compare_counts (const WpCounts *one, const WpCounts *other)
{
  g_autoptr (GArray) indices = wp_counts_get_indices (one);

  for (guint i = 0; i < indices->len; i++)
    {
      const guint32 index = g_array_index (indices, guint32, i);
      g_autofree gchar *left = wp_counts_get_context (one, index);
      g_autofree gchar *right = wp_counts_get_context (other, index);
      WpTotals a, b;

      ck_assert_str_eq (left, right != NULL ? right : "nothing");
      wp_counts_get_totals (one, index, &a);
      wp_counts_get_totals (other, index, &b);
      ck_assert (a.accesses == b.accesses && a.sectors == b.sectors && a.l1_sectors == b.l1_sectors
                 && a.l2_sectors == b.l2_sectors);
    }
}

/* L1_BYTES and L2_BYTES of 2048 are one set of 16 lines. */
static void
compare_caches (guint seed, guint l1_bytes, guint l2_bytes)
{
  WpGpu gpu = { .name = (gchar *)"test",
                .caches = { { l1_bytes, 128, 32, 16 }, { l2_bytes, 128, 32, 16 } } };
  g_autoptr (WpCaches) caches = wp_caches_new (&gpu, SMS, NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  LiteralDevice d = { .time = 0 };
  TestWarp warps[SMS][WARPS];
  WpCounts *own[SMS][WARPS];
  WpTraffic traffic = { 0 }, found;

  d.l1_coming = g_new0 (Coming, L1_PLACES);
  d.l2_coming = g_new0 (Coming, L2_PLACES);
  d.l2 = (Literal){ l2_bytes / 2048, 16, g_new0 (Slot, l2_bytes / 128) };
  for (guint sm = 0; sm < SMS; sm++)
    {
      d.l1[sm] = (Literal){ l1_bytes / 2048, 16, g_new0 (Slot, l1_bytes / 128) };
      for (guint i = 0; i < WARPS; i++)
        {
          wp_access_log_init (&warps[sm][i].log, NULL);
          warps[sm][i].counts = wp_counts_new ();
          own[sm][i] = wp_counts_new ();
        }
    }
  for (guint round = 0; round < 6; round++)
    {
      for (guint sm = 0; sm < SMS; sm++)
        {
          WpCachesWarp replayed[WARPS];

          for (guint i = 0; i < WARPS; i++)
            {
              make_log (rand, &warps[sm][i]);
              replayed[i] = (WpCachesWarp){ &warps[sm][i].log, own[sm][i] };
            }
          wp_caches_replay_l1 (caches, sm, replayed, WARPS);
        }
      /* L2 comes behind: it looks up what was handed on in the round before. */
      wp_caches_replay_l2 (caches);
      for (guint sm = 0; sm < SMS; sm++)
        {
          wp_caches_count (caches, sm);
          wp_caches_hand_on (caches, sm);
        }
      literal_replay (&d, warps, &traffic);
    }
  wp_caches_replay_l2 (caches);
  for (guint sm = 0; sm < SMS; sm++)
    wp_caches_count (caches, sm);
  found = wp_caches_get_traffic (caches);
  ck_assert_uint_eq (found.sectors, traffic.sectors);
  ck_assert_uint_eq (found.l1_sectors, traffic.l1_sectors);
  ck_assert_uint_eq (found.lost, traffic.lost);
  ck_assert_uint_eq (found.l2_sectors, traffic.l2_sectors);
  ck_assert_uint_eq (found.read, d.read);
  ck_assert_uint_eq (found.written, d.evicted);
  for (guint sm = 0; sm < SMS; sm++)
    {
      g_free (d.l1[sm].slots);
      for (guint i = 0; i < WARPS; i++)
        {
          compare_counts (own[sm][i], warps[sm][i].counts);
          wp_access_log_clear (&warps[sm][i].log);
          wp_counts_free (warps[sm][i].counts);
          wp_counts_free (own[sm][i]);
        }
    }
  g_free (d.l2.slots);
  g_free (d.l1_coming);
  g_free (d.l2_coming);
}

START_TEST (caches_are_the_literal_ones)
{
  for (guint seed = 0; seed < check_get_cases (300); seed++)
    compare_caches (seed, seed % 2 ? 2048 : 3 * 2048, seed % 3 ? 2 * 2048 : 5 * 2048);
}
END_TEST

START_TEST (shared_memory_takes_its_part_of_l1)
{
  WpGpu a100 = { .name = (gchar *)"a100",
                 .cc = (gchar *)"8.0",
                 .caches = { { 192 * 1024, 128, 32, 16 }, { 1 << 20, 128, 32, 16 } } };
  WpGpu bare = { .name = (gchar *)"bare", .cc = (gchar *)"9.0" };
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (WpCaches) caches = NULL;

  ck_assert_uint_eq (wp_caches_get_l1_bytes (&a100, 0), 192 * 1024);
  ck_assert_uint_eq (wp_caches_get_l1_bytes (&a100, 1), 184 * 1024);
  ck_assert_uint_eq (wp_caches_get_l1_bytes (&a100, 20000), (192 - 32) * 1024);
  ck_assert_uint_eq (wp_caches_get_l1_bytes (&a100, 101 * 1024), (192 - 132) * 1024);
  ck_assert_uint_eq (wp_caches_get_l1_bytes (&a100, 164 * 1024), 28 * 1024);
  caches = wp_caches_new (&bare, 1, notes);
  ck_assert_uint_eq (notes->len, 2);
  ck_assert_str_eq (g_ptr_array_index (notes, 0),
                    "bare describes no cache of level 1; 256 KB are assumed, as of compute "
                    "capability 9.0 (<cache level=\"1\" bytes=\"...\"/> says it)");
  ck_assert_str_eq (g_ptr_array_index (notes, 1),
                    "bare describes no cache of level 2; 4096 KB are assumed "
                    "(<cache level=\"2\" bytes=\"...\"/> says it)");
}
END_TEST

/* Sector by sector, of the BYTES from FIRST on: how many, and how many of them not as a whole. */
static guint
count_sectors (guint64 first, guint bytes, guint *partial)
{
  guint n = 0;

  *partial = 0;
  for (guint64 sector = first / 32; sector * 32 < first + bytes; sector++)
    {
      n++;
      *partial += sector * 32 < first || sector * 32 + 32 > first + bytes;
    }
  return n;
}

START_TEST (a_copy_in_bulk_is_of_all_its_lines)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (23);
  g_autoptr (WpPatterns) patterns = wp_patterns_new ();
  WpAccessLog log;

  wp_access_log_init (&log, patterns);
  for (guint i = 0; i < check_get_cases (2000); i++)
    {
      const guint64 first
          = ((guint64)g_rand_int (rand) << 8) + (guint)g_rand_int_range (rand, 0, 9) * 16;
      const guint bytes = 16 * (guint)g_rand_int_range (rand, 1, i % 8 == 0 ? 65536 : 40);
      const WpAccess access = { .index = i, .is_write = i % 2 };
      guint partial, sectors = 0;
      const guint expected = count_sectors (first, bytes, &partial);

      wp_access_log_reset (&log);
      wp_access_log_add_span (&log, &access, first, bytes);
      for (guint k = 0; k < log.n_lines; k++)
        {
          ck_assert_uint_eq (log.lines[k] >> 4, first / 128 + k);
          sectors += (guint)__builtin_popcount (log.lines[k] & 15);
        }
      ck_assert_uint_eq (log.n_accesses, 1);
      ck_assert_uint_eq (log.accesses[0].n_lines, log.n_lines);
      ck_assert_uint_eq (log.accesses[0].wavefronts, (bytes + 127) / 128);
      ck_assert_uint_eq (log.accesses[0].partial, i % 2 ? partial : 0);
      ck_assert_uint_eq (sectors, expected);
      ck_assert_uint_eq ((guint)__builtin_popcount (log.lines[0] & 15),
                         MIN (count_sectors (first, MIN (bytes, 128 - first % 128), &partial), 4));
    }
  wp_access_log_clear (&log);
}
END_TEST

/* ---- Mixes ---- */

static void
count (WpCounts *counts, guint32 index, guint w, guint a, guint b, guint n)
{
  const WpAccess access = { .index = index, .wavefronts = (guint16)w };

  while (n-- > 0)
    wp_counts_add (counts, &access, 4, a, b);
}

START_TEST (counts_become_contexts)
{
  g_autoptr (WpCounts) counts = wp_counts_new (), more = wp_counts_new ();
  g_autofree gchar *plain = NULL, *mix = NULL, *many = NULL, *shared = NULL;
  WpTotals totals;

  count (counts, 3, 1, 4, 4, 30);
  count (counts, 4, 1, 4, 4, 30);
  count (counts, 4, 1, 0, 0, 6);
  count (more, 4, 1, 0, 0, 9);
  count (more, 4, 1, 4, 0, 15);
  wp_counts_merge (counts, more);
  for (guint i = 1; i <= 20; i++)
    count (counts, 5, i, 2 * i, i, 100 - i);
  wp_counts_add (counts, &(WpAccess){ .index = 6, .space = WP_SPACE_SHARED, .wavefronts = 2 }, 0, 0,
                 0);
  plain = wp_counts_get_context (counts, 3);
  mix = wp_counts_get_context (counts, 4);
  many = wp_counts_get_context (counts, 5);
  shared = wp_counts_get_context (counts, 6);
  ck_assert_str_eq (plain, "access-1-4-4");
  ck_assert_str_eq (mix, "access-1-4-4*2 access-1-0-0*1 access-1-4-0*1");
  /* Those with 17 to 20 wavefronts join the one with 16. */
  ck_assert_msg (g_str_has_prefix (many, "access-16-32-16*410 access-1-2-1*99 access-2-4-2*98"),
                 "%s", many);
  ck_assert (g_str_has_suffix (many, " access-15-30-15*85"));
  ck_assert_str_eq (shared, "conflict-2");
  /* Of twelve sectors some are written in part, for which L2 has eight more to do; twice in two
   * spaces. */
  for (guint i = 0; i < 3; i++)
    wp_counts_add (counts,
                   &(WpAccess){ .index = 8,
                                .space = i == 2 ? WP_SPACE_LOCAL : WP_SPACE_GLOBAL,
                                .is_write = TRUE,
                                .wavefronts = 2,
                                .partial = i == 2 ? 0 : 8 },
                   12, i == 2 ? 20 : 12, 4);
  g_free (plain);
  plain = wp_counts_get_context (counts, 8);
  ck_assert_str_eq (plain, "access-2-20-4");
  /* Of a copy in bulk there are many; of a prefetch none is sent on. */
  count (counts, 10, 512, 8192, 4096, 3);
  wp_counts_add_times (counts, &(WpAccess){ .index = 11, .wavefronts = 1 }, 300, 300, 299,
                       WP_COUNTS_TO_L2, 2);
  g_free (plain);
  plain = wp_counts_get_context (counts, 10);
  ck_assert_str_eq (plain, "access-512-8192-4096");
  g_free (plain);
  plain = wp_counts_get_context (counts, 11);
  ck_assert_str_eq (plain, "access-1-0-299");
  ck_assert (wp_counts_get_totals (counts, 11, &totals));
  ck_assert_uint_eq (totals.l1_sectors, 600);
  ck_assert (wp_counts_get_context (counts, 9) == NULL);
}
END_TEST

/* ---- By the shape of a register ---- */

#define PLACES 8 /* instructions */
#define PLACE_SHARED_BYTES 4096

typedef struct
{
  WpSassInstr instr;
  WpStep step;
  gboolean is_shared;
} PlaceStep;

/* Every kind of operand: scaled, with a uniform register, in shared memory or not. */
static void
make_place_step (PlaceStep *one, guint number)
{
  static const WpSassWord words[] = { WP_WORD_NONE, WP_WORD_X4, WP_WORD_U32, WP_WORD_X16 };

  memset (one, 0, sizeof *one);
  one->is_shared = number % 2;
  one->instr.operands[0] = (WpSassOperand){ .kind = WP_SASS_MEMORY,
                                            .index = 4,
                                            .index_word = words[number / 2],
                                            .uniform = number % 3 ? 255 : 8,
                                            .descriptor = 255,
                                            .value = number == 3 ? -16 : 16 * (gint64)number };
  one->step.instr = &one->instr;
  one->step.index = number;
  one->step.data = &one->instr.operands[0];
  wp_reach_prepare (&one->step, 1u << number % 5, !one->is_shared);
}

/* Rows that rise, fall, stay or jump; that wrap around; in which lanes of no mask are anything. */
static void
write_places (WpWarp *warp, GRand *rand, guint32 mask)
{
  static const guint32 steps[] = { 0, 1, 4, 16, 64, 0x7fffffff, (guint32)-4, 4096 };
  const guint32 by = steps[g_rand_int_range (rand, 0, G_N_ELEMENTS (steps))];
  guint32 low[WP_LANES], high[WP_LANES], start = (guint32)g_rand_int_range (rand, 0, 64) * 16;

  if (g_rand_int_range (rand, 0, 4) == 0)
    start -= 256;
  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      low[lane] = mask >> lane & 1 ? start + by * lane : g_rand_int (rand);
      high[lane] = mask >> lane & 1 ? 16 : g_rand_int (rand);
    }
  if (g_rand_int_range (rand, 0, 8) == 0)
    high[g_rand_int_range (rand, 0, WP_LANES)]++;
  if (g_rand_int_range (rand, 0, 8) == 0)
    low[g_rand_int_range (rand, 0, WP_LANES)] += 32;
  wp_put (warp, wp_row_of (4), low, WP_ALL_LANES, 0, 0);
  wp_put (warp, wp_row_of (5), high, WP_ALL_LANES, 0, 0);
}

static gboolean
is_in_shared (const WpAddresses *addresses, guint32 mask, guint bytes)
{
  for (guint lane = 0; lane < WP_LANES; lane++)
    if (mask >> lane & 1
        && (addresses->lanes[lane] % bytes != 0
            || addresses->lanes[lane] + bytes > PLACE_SHARED_BYTES))
      return FALSE;
  return TRUE;
}

/* Returns whether the shape of the row told where ONE is; and if so, that it is there. */
static gboolean
check_place (WpWarp *warp, const PlaceStep *one, guint32 mask, WpPatterns *others)
{
  const guint bytes = one->step.reach.bytes;
  const WpPattern *pattern, *expected;
  WpAddresses addresses;
  guint64 first = 0, differ = 0;
  guint32 narrow = 0;

  wp_addresses_get (warp, one->step.data, !one->is_shared, &addresses);
  expected = wp_patterns_find (others, addresses.lanes, mask, bytes, one->is_shared);
  pattern = one->is_shared ? wp_reach_find_shared (warp, &one->step, mask, &narrow)
                           : wp_reach_find_buffer (warp, &one->step, mask, &first);
  if (one->is_shared)
    ck_assert_int_eq (pattern != NULL, is_in_shared (&addresses, mask, bytes));
  if (pattern == NULL)
    return FALSE;
  first = one->is_shared ? narrow : first;
  ck_assert_uint_eq (pattern->mask, mask);
  for (guint lane = 0; lane < WP_LANES; lane++) /* one assertion for all: it is what takes long */
    differ |= mask >> lane & 1 ? (first + pattern->relative[lane]) ^ addresses.lanes[lane] : 0;
  ck_assert_uint_eq (differ, 0);
  ck_assert_uint_eq (pattern->wavefronts, expected->wavefronts);
  if (one->is_shared)
    return TRUE;
  ck_assert_uint_eq (pattern->n_lines, expected->n_lines);
  ck_assert_uint_eq (pattern->partial, expected->partial);
  ck_assert_mem_eq (pattern->lines, expected->lines, pattern->n_lines * sizeof (WpLine));
  return TRUE;
}

START_TEST (places_by_the_shape_of_a_register_are_those_by_its_lanes)
{
  g_autoptr (WpPatterns) others = wp_patterns_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (20261124);
  PlaceStep steps[PLACES];
  guint found = 0;
  Bench bench;

  bench_init (&bench, 80);
  bench.grid.shared_bytes = PLACE_SHARED_BYTES;
  for (guint k = 0; k < PLACES; k++)
    make_place_step (&steps[k], k);
  for (guint round = 0; round < 20000; round++)
    {
      const guint32 masks[] = { WP_ALL_LANES, 0x7fffffff, 0xfffffffe, 1, 0xff00, 0x80000001 };
      const guint32 mask = masks[g_rand_int_range (rand, 0, G_N_ELEMENTS (masks))];

      if (g_rand_boolean (rand))
        write_places (bench.warp, rand, mask);
      if (g_rand_int_range (rand, 0, 16) == 0)
        bench.warp->ur[8] = (guint32)g_rand_int_range (rand, 0, 128) * 4;
      found += check_place (bench.warp, &steps[g_rand_int_range (rand, 0, PLACES)], mask, others);
    }
  ck_assert_uint_gt (found, 6000);
  bench_clear (&bench);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("execute-memory");
  TCase *fills = tcase_create ("fills"), *buffers = tcase_create ("buffers"),
        *caches = tcase_create ("caches");

  tcase_add_test (fills, iota_is_the_index_in_each_type);
  tcase_add_test (fills, every_half_is_itself);
  tcase_add_test (fills, random_numbers_are_where_they_should_be);
  tcase_add_test (fills, halves_are_the_nearest_ones);
  tcase_add_test (fills, elements_of_lanes_are_those_of_each);
  tcase_add_loop_test (fills, what_is_wrong_is_said, 0, G_N_ELEMENTS (wrong));
  tcase_add_test (fills, types_of_parameters_are_found);
  tcase_add_test (buffers, loads_and_stores_are_those_of_single_bytes);
  tcase_add_test (buffers, a_dump_is_as_large_as_what_was_accessed);
  tcase_add_test (buffers, a_file_is_a_buffer_of_its_size);
  tcase_add_test (buffers, accesses_beyond_a_buffer_are_errors);
  tcase_add_test (buffers, unknown_addresses_are_in_their_buffer);
  tcase_add_test (buffers, atomics_of_threads_all_count);
  tcase_add_test (buffers, an_atomic_finds_and_leaves_what_is_known);
  tcase_add_test (buffers, lines_that_threads_store_to_together_keep_the_rest);
  tcase_add_test (buffers, what_is_not_known_stays_so_until_it_is_replaced);
  tcase_add_test (buffers, shared_and_local_memory_hold_what_is_stored);
  tcase_add_test (buffers, shared_memory_where_nothing_was_stored_is_zero);
  tcase_add_test (buffers, shared_memory_of_which_all_is_unknown_is_doubtful);
  tcase_add_test (buffers, atomics_on_shared_memory_begin_with_zero);
  tcase_add_test (caches, banks_are_passed_as_often_as_the_programming_guide_has_it);
  tcase_add_test (caches, lines_and_banks_are_those_of_idg_coalesce);
  tcase_add_test (caches, a_copy_in_bulk_is_of_all_its_lines);
  tcase_add_test (caches, places_by_the_shape_of_a_register_are_those_by_its_lanes);
  tcase_add_test (caches, caches_are_the_literal_ones);
  tcase_add_test (caches, shared_memory_takes_its_part_of_l1);
  tcase_add_test (caches, counts_become_contexts);
  suite_add_tcase (suite, fills);
  suite_add_tcase (suite, buffers);
  suite_add_tcase (suite, caches);
  return suite;
}
