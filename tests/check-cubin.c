/* SPDX-License-Identifier: MIT */
/* Modules of machine code: that cubins of CUDA 12 and 13, for three targets, say the same of
 * cuda/cubin/units.cu, as the source has it; fat binaries; addresses in their places; and that no
 * file that is cut off is read as a whole one. */
#include "config.h"

#include "exec/cubin/wp-cubin-relocate.h"
#include "exec/cubin/wp-fatbin.h"

#include <string.h>

#include "tests/check-main.h"

static gchar *
find (const gchar *name)
{
  return g_build_filename (g_getenv ("abs_srcdir") ? g_getenv ("abs_srcdir") : ".",
                           "tests/cuda/cubin", name, NULL);
}

static WpCubin *
load (const gchar *name, guint sm, gchar **note)
{
  g_autofree gchar *path = find (name);
  g_autoptr (GError) error = NULL;
  WpCubin *cubin = wp_cubin_load (path, sm, note, &error);

  ck_assert_msg (cubin != NULL, "%s", error ? error->message : "");
  return cubin;
}

static WpCubinFunction *
find_function (const WpCubin *cubin, const gchar *name)
{
  for (guint k = 0; k < cubin->functions->len; k++)
    {
      WpCubinFunction *function = g_ptr_array_index (cubin->functions, k);

      if (strcmp (function->name, name) == 0)
        return function;
    }
  ck_abort_msg ("no function %s", name);
}

static guint
find_variable (const WpCubin *cubin, const gchar *name)
{
  for (guint k = 0; k < cubin->variables->len; k++)
    if (strcmp (((WpCubinVariable *)g_ptr_array_index (cubin->variables, k))->name, name) == 0)
      return k;
  ck_abort_msg ("no variable %s", name);
}

static void
check_parameters (const WpCubinFunction *function, guint n, const guint *places)
{
  ck_assert_uint_eq (function->parameters->len, n);
  for (guint k = 0; k < n; k++)
    {
      const WpCubinParameter *one = &g_array_index (function->parameters, WpCubinParameter, k);

      ck_assert_uint_eq (one->offset, places[2 * k]);
      ck_assert_uint_eq (one->bytes, places[2 * k + 1]);
    }
}

START_TEST (all_formats_say_the_same)
{
  static const struct
  {
    const gchar *name;
    guint sm, base, shared_base;
  } files[] = {
    { "units.sm_80.cubin", 80, 0x160, 0 },
    { "units.sm_90-cuda12.cubin", 90, 0x210, 1024 },
    { "units.sm_100.cubin", 100, 0x380, 1024 },
  };
  static const guint axpy[] = { 0, 4, 4, 4, 8, 8, 16, 8 };
  static const guint mixed[] = { 0, 16, 16, 1, 18, 2, 24, 8, 32, 8, 40, 1 };
  g_autoptr (WpCubin) cubin = load (files[_i].name, files[_i].sm, NULL);
  const WpCubinFunction *function = find_function (cubin, "_Z4axpyILi4EEvifPKfPf");

  ck_assert_uint_eq (cubin->sm, files[_i].sm);
  ck_assert (function->is_kernel);
  ck_assert_uint_eq (function->parameter_base, files[_i].base);
  ck_assert_uint_eq (function->parameter_bytes, 24);
  ck_assert_uint_eq (function->registers, 10);
  check_parameters (function, 4, axpy);
  function = find_function (cubin, "_ZN2ns5mixedENS_4PairEcsx6float2b");
  check_parameters (function, 6, mixed);
  ck_assert_uint_eq (function->shared_memory, 256);
  ck_assert_uint_eq (function->shared_base, files[_i].shared_base);
  ck_assert_uint_eq (function->max_threads, 256);
  ck_assert_uint_eq (g_bytes_get_size (function->constants[3]), 64);
  ck_assert_uint_lt (find_function (cubin, "plain")->frame, 1024);
}
END_TEST

START_TEST (lines_are_those_of_the_source)
{
  g_autoptr (WpCubin) cubin = load ("units.sm_80.cubin", 80, NULL);
  const WpCubinFunction *function = find_function (cubin, "_Z4axpyILi4EEvifPKfPf");
  guint last = 0;

  ck_assert_uint_gt (function->lines->len, 2);
  for (guint k = 0; k < function->lines->len; k++)
    {
      const WpCubinLine *line = &g_array_index (function->lines, WpCubinLine, k);

      ck_assert (k == 0
                 || line->address > g_array_index (function->lines, WpCubinLine, k - 1).address);
      ck_assert_str_eq (g_ptr_array_index (cubin->files, line->file), "/kernels/units.cu");
      last = line->line;
    }
  ck_assert_uint_eq (g_array_index (function->lines, WpCubinLine, 0).line, 18);
  ck_assert_uint_eq (last, 24);
}
END_TEST

/* What a header of the toolkit has inlined is also known by the line of the source that did so. */
START_TEST (lines_of_the_toolkit_have_one_of_the_source)
{
  g_autoptr (WpCubin) cubin = load ("inlined.sm_80.cubin", 80, NULL);
  const WpCubinFunction *function = find_function (cubin, "shares");
  guint n = 0;

  for (guint k = 0; k < function->lines->len; k++)
    {
      const WpCubinLine *line = &g_array_index (function->lines, WpCubinLine, k);
      const gchar *file = g_ptr_array_index (cubin->files, line->file);

      if (line->line == 0)
        continue;
      ck_assert_str_eq (g_ptr_array_index (cubin->files, line->own_file), "/kernels/inlined.cu");
      if (g_str_has_suffix (file, "/sm_30_intrinsics.hpp"))
        {
          ck_assert_uint_eq (line->own_line, 9); /* v += __shfl_xor_sync */
          n++;
        }
      else
        ck_assert_uint_eq (line->own_line, line->line);
    }
  ck_assert_uint_eq (n, 5);
}
END_TEST

START_TEST (addresses_are_put_in_place)
{
  g_autoptr (WpCubin) cubin = load ("units.sm_80.cubin", 80, NULL);
  g_autofree guint64 *addresses = g_new0 (guint64, cubin->variables->len);
  guint pointer = find_variable (cubin, "pointer"), counter = find_variable (cubin, "counter");
  const WpCubinFunction *function = find_function (cubin, "plain");
  g_autoptr (GError) error = NULL;
  const guint8 *bank;
  guint64 word;

  for (guint k = 0; k < cubin->variables->len; k++)
    addresses[k] = ((guint64)k + 1) << 36;
  ck_assert (wp_cubin_relocate (cubin, addresses, &error));
  memcpy (&word,
          g_bytes_get_data (
              ((WpCubinVariable *)g_ptr_array_index (cubin->variables, pointer))->data, NULL),
          8);
  ck_assert_uint_eq (word, addresses[counter]);
  bank = g_bytes_get_data (function->constants[4], NULL);
  for (guint k = 0; k < function->constant_relocations[4]->len; k++)
    {
      const WpCubinRelocation *one
          = &g_array_index (function->constant_relocations[4], WpCubinRelocation, k);
      const WpCubinSymbol *symbol = &g_array_index (cubin->symbols, WpCubinSymbol, one->symbol);

      memcpy (&word, bank + one->offset, 8);
      if (symbol->variable >= 0)
        ck_assert_uint_eq (word, addresses[symbol->variable]);
      else
        ck_assert_str_eq (wp_cubin_find_external (cubin, word), "vprintf");
    }
  ck_assert_int_eq (wp_cubin_find_code (cubin, function->address + 16) >= 0, TRUE);
  ck_assert_int_eq (wp_cubin_find_code (cubin, WP_CUBIN_CODE - 1), -1);
}
END_TEST

START_TEST (a_fat_binary_has_an_image_for_each_target)
{
  g_autofree gchar *note = NULL;
  WpCubin *cubin = load ("units.fatbin", 90, &note);

  ck_assert_uint_eq (cubin->sm, 90);
  ck_assert_ptr_null (note);
  wp_cubin_free (cubin);
  cubin = load ("units.fatbin", 86, &note);
  ck_assert_uint_eq (cubin->sm, 80);
  ck_assert_ptr_nonnull (
      strstr (note, "code of sm_80 is executed, which a GPU of sm_86 runs as well"));
  wp_cubin_free (cubin);
}
END_TEST

/* By hand: "abcd", a match of 8 bytes 4 back, "xyz". */
START_TEST (lz4_is_unpacked)
{
  static const guint8 packed[] = { 0x44, 'a', 'b', 'c', 'd', 4, 0, 0x30, 'x', 'y', 'z' };
  guint8 to[15], back[] = { 0x14, 'a', 2, 0, 0x00 };

  ck_assert_ptr_null (wp_fatbin_lz4 (packed, sizeof packed, to, sizeof to));
  ck_assert_mem_eq (to, "abcdabcdabcdxyz", 15);
  for (gsize n = 0; n < sizeof packed; n++)
    ck_assert_ptr_nonnull (wp_fatbin_lz4 (packed, n, to, sizeof to));
  ck_assert_ptr_nonnull (wp_fatbin_lz4 (packed, sizeof packed, to, 14));
  ck_assert_ptr_nonnull (wp_fatbin_lz4 (back, sizeof back, to, 9));
}
END_TEST

/* The last bytes of a cubin are program headers, which nobody reads here. */
START_TEST (a_file_that_is_cut_off_is_refused)
{
  static const gchar *const names[] = { "units.sm_80.cubin", "units.fatbin" };
  g_autofree gchar *path = find (names[_i]), *contents = NULL;
  gsize length;

  ck_assert (g_file_get_contents (path, &contents, &length, NULL));
  for (gsize n = 0; n < length - 256; n += 97 * check_get_stride ())
    {
      g_autofree guint8 *part = g_memdup2 (contents, MAX (n, 1));
      g_autoptr (GError) error = NULL;

      ck_assert_ptr_null (wp_cubin_parse (part, n, "a", 80, NULL, &error));
      ck_assert_msg (g_str_has_prefix (error->message, "a: "), "%s", error->message);
    }
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("cubin");
  TCase *all = tcase_create ("all");

  tcase_add_loop_test (all, all_formats_say_the_same, 0, 3);
  tcase_add_test (all, lines_are_those_of_the_source);
  tcase_add_test (all, lines_of_the_toolkit_have_one_of_the_source);
  tcase_add_test (all, addresses_are_put_in_place);
  tcase_add_test (all, a_fat_binary_has_an_image_for_each_target);
  tcase_add_test (all, lz4_is_unpacked);
  tcase_add_loop_test (all, a_file_that_is_cut_off_is_refused, 0, 2);
  suite_add_tcase (suite, all);
  return suite;
}
