/* SPDX-License-Identifier: MIT */
/* Launches in the words of host code: what they say, and what bytes their arguments are for kernels
 * with and without types. That each way to be wrong has its message, tests/bad/table has. */
#include "config.h"

#include "exec/launch/wp-launch-type.h"
#include "exec/launch/wp-launch.h"
#include "exec/memory/wp-tensor-map.h"

#include <string.h>

#include "tests/check-main.h"

static WpCubin *
load (void)
{
  g_autofree gchar *path
      = g_build_filename (g_getenv ("abs_srcdir") ? g_getenv ("abs_srcdir") : ".",
                          "tests/cuda/cubin/units.sm_80.cubin", NULL);
  g_autoptr (GError) error = NULL;
  WpCubin *cubin = wp_cubin_load (path, 80, NULL, &error);

  ck_assert_msg (cubin != NULL, "%s", error ? error->message : "");
  return cubin;
}

static gboolean
look_up (const gchar *name, gint64 *value, gpointer data)
{
  (void)data;
  *value = 7;
  return strcmp (name, "n") == 0;
}

/* The bytes of the arguments in hexadecimal, and the pointers behind them: "0700... A+64@8". */
static gchar *
match (const WpCubin *cubin, const gchar *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpLaunch) launch = wp_launch_parse (text, look_up, NULL, &error);
  gint function = launch ? wp_launch_find (launch, cubin, &error) : -1;
  g_autoptr (WpLaunchArguments) arguments
      = function >= 0 ? wp_launch_match (launch, cubin, function, &error) : NULL;
  GString *result = g_string_new (NULL);

  if (arguments == NULL)
    g_string_append (result, error->message);
  for (guint k = 0; arguments && k < arguments->n_bytes; k++)
    g_string_append_printf (result, "%02x", arguments->bytes[k]);
  for (guint k = 0; arguments && k < arguments->pointers->len; k++)
    {
      const WpLaunchPointer *pointer = &g_array_index (arguments->pointers, WpLaunchPointer, k);

      g_string_append_printf (result, " %s%+d@%u", pointer->name, (gint)pointer->addend,
                              pointer->offset);
    }
  return g_string_free (result, FALSE);
}

/* axpy<4>(int, float, float const*, float*); plain: 8, 4 and 8 bytes;
 * ns::mixed({double, int}, char, short, long long, float2, bool). */
START_TEST (arguments_are_what_a_compiler_would_pass)
{
  static const struct
  {
    const gchar *text, *bytes;
  } cases[] = {
    { "axpy<4><<<1,1>>>(1 << 20, 2.5f, A, B)", "00001000000020400000000000000000"
                                               "0000000000000000 A+0@8 B+0@16" },
    { "axpy<4><<<1,1>>>($n * 2, 3, A + 16, (char*)B + 3)", "0e000000000040400000000000000000"
                                                           "0000000000000000 A+64@8 B+3@16" },
    { "axpy< 8 > <<< 1, 1 >>> (0x10, 1e-3, nullptr, 4096);", "100000006f12833a0000000000000000"
                                                             "0010000000000000" },
    { "axpy<4u><<<1,1>>>(-1, -0.0f, B - 2, A)", "ffffffff000000800000000000000000"
                                                "0000000000000000 B-8@8 A+0@16" },
    { "axpy<4><<<1,1>>>(7 / 2 + 5 % 3 * (1 ? 2 : 3) - (8 >> 2) | 0, float(3), A, B)",
      "05000000000040400000000000000000"
      "0000000000000000 A+0@8 B+0@16" },
    { "axpy<4><<<1,1>>>(sizeof(float4) + min(3, 4) + max(5, 2), true, A, B)",
      "180000000000803f0000000000000000"
      "0000000000000000 A+0@8 B+0@16" },
    { "plain<<<1,1>>>(A, 2.5f, 2.5)", "000000000000000000002040"
                                      "00000000"
                                      "0000000000000440 A+0@0" },
    { "plain<<<1,1>>>((float*)A + 4, 1, 2)", "000000000000000001000000"
                                             "00000000"
                                             "0200000000000000 A+16@0" },
    { "mixed<<<1,32>>>({2.5, 3}, 'x' == 0 ? 1 : 2, 1, 1, {1, 2}, true)", NULL },
    { "mixed<<<1,32>>>({2.5, 3}, -1, 2, 1ll << 40, {1, 2}, 5)", "00000000000004400300000000000000"
                                                                "ff000200000000000000000000010000"
                                                                "0000803f0000004001" },
    { "ns::mixed<<<1,32>>>({2.5, 3}, 255, 65535, -1, make_float2(1, 2), false)",
      "00000000000004400300000000000000"
      "ff00ffff00000000ffffffffffffffff"
      "0000803f0000004000" },
  };
  g_autoptr (WpCubin) cubin = load ();

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      g_autofree gchar *bytes = match (cubin, cases[k].text);

      ck_assert_msg (cases[k].bytes == NULL || strcmp (bytes, cases[k].bytes) == 0, "%s: %s",
                     cases[k].text, bytes);
    }
}
END_TEST

/* Where fields lie is what tensormap.replace does (exec/memory/wp-tensor-map.h). */
START_TEST (a_tensor_map_is_one_as_the_driver_makes_it)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpLaunch) launch = wp_launch_parse (
      "k<<<1,1>>>(tensor_map(A + 8, bf16, {100, 7, 3}, {64, 5, 2}, 128, {208, 68719476736}))",
      look_up, NULL, &error);
  const WpLaunchValue *map;
  guint8 bytes[WP_TENSOR_MAP_BYTES] = { 0 };
  WpTensorMap decoded;

  ck_assert_msg (launch != NULL, "%s", error ? error->message : "");
  map = g_ptr_array_index (launch->arguments, 0);
  ck_assert_uint_eq (map->members->len, 31);
  ck_assert_str_eq (((WpLaunchValue *)g_ptr_array_index (map->members, 0))->name, "A");
  for (guint k = 1; k < 31; k++)
    {
      const WpLaunchValue *word = g_ptr_array_index (map->members, k);

      ck_assert_uint_eq (word->bytes, 4);
      for (guint byte = 0; byte < 4; byte++)
        bytes[4 + 4 * k + byte] = (guint8)(word->whole >> 8 * byte);
    }
  ck_assert_uint_eq (bytes[8] | bytes[9] << 8, 2 << 4 | 10 << 7 | 3 << 13);
  ck_assert_uint_eq (bytes[12], 208 / 16); /* stride 0 of tensormap.replace */
  ck_assert_uint_eq (bytes[28], 1 << 4);   /* the upper bits of stride 1: 2^32 pieces */
  ck_assert_uint_eq (bytes[32], 99);       /* sizes */
  ck_assert_uint_eq (bytes[36], 6);
  ck_assert_uint_eq (bytes[40], 2);
  ck_assert_uint_eq (bytes[55], 63); /* the box */
  ck_assert_uint_eq (bytes[56], 4);
  ck_assert_uint_eq (bytes[57], 1);
  wp_tensor_map_decode (bytes, &decoded);
  ck_assert_uint_eq (decoded.n, 3);
  ck_assert_int_eq (decoded.type, WP_TENSOR_BF16);
  ck_assert_uint_eq (decoded.strides[2], G_GUINT64_CONSTANT (68719476736));
  ck_assert_uint_eq (decoded.swizzled, 3);
  ck_assert_ptr_null (wp_tensor_map_check (&decoded));
}
END_TEST

/* As libraries have one where a batch is a single matrix. */
START_TEST (a_dimension_of_one_element_may_have_no_stride)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpLaunch) launch
      = wp_launch_parse ("k<<<1,1>>>(tensor_map(A, f16, {64, 64, 1}, {64, 8, 1}, 128, {128, 0}))",
                         look_up, NULL, &error);

  ck_assert_msg (launch != NULL, "%s", error ? error->message : "");
  g_clear_pointer (&launch, wp_launch_free);
  launch
      = wp_launch_parse ("k<<<1,1>>>(tensor_map(A, f16, {64, 0}, {64, 8}))", look_up, NULL, &error);
  ck_assert_ptr_null (launch);
  ck_assert_msg (strstr (error->message, "the sizes of a tensor map: expected whole numbers from 1")
                     != NULL,
                 "%s", error->message);
}
END_TEST

/* What a kernel may have made of a map, field by field. */
START_TEST (tensor_maps_keep_what_they_are_made_of)
{
  for (guint type = 0; type < WP_N_TENSOR_TYPES; type++)
    {
      const WpTensorMap map = { .address = 0x1234567890,
                                .type = (WpTensorType)type,
                                .n = 5,
                                .sizes = { 1, 2, G_MAXUINT32, 4, G_GUINT64_CONSTANT (1) << 32 },
                                .strides = { wp_tensor_type_get_bytes ((WpTensorType)type), 16,
                                             (G_GUINT64_CONSTANT (1) << 40) - 16, 32, 48 },
                                .box = { 256, 1, 2, 255, 3 },
                                .steps = { 1, 8, 3, 1, 2 },
                                .swizzled = type % 4,
                                .interleave = type % 3,
                                .has_nan = type % 2 == 1 };
      guint8 bytes[WP_TENSOR_MAP_BYTES];
      WpTensorMap decoded;

      wp_tensor_map_encode (&map, bytes);
      wp_tensor_map_decode (bytes, &decoded);
      ck_assert_mem_eq (&decoded, &map, sizeof map);
      bytes[10] |= 8; /* 32 bytes are swizzled together */
      wp_tensor_map_decode (bytes, &decoded);
      ck_assert_uint_eq (decoded.atomicity, 1);
    }
}
END_TEST

START_TEST (a_grid_is_a_number_or_dim3)
{
  static const struct
  {
    const gchar *text;
    guint grid[3], block[3], shared;
  } cases[] = {
    { "k<<<(1000 + 255) / 256, 256>>>()", { 4, 1, 1 }, { 256, 1, 1 }, 0 },
    { "k<<<dim3(2, 3), dim3(4, 5, 6)>>>()", { 2, 3, 1 }, { 4, 5, 6 }, 0 },
    { "k<<<{2, 3, 4}, $n, 2 * sizeof(double)>>>()", { 2, 3, 4 }, { 7, 1, 1 }, 16 },
    { "k<<<1u<<31 >> 1, 1, 0, 0>>>();", { 1u << 30, 1, 1 }, { 1, 1, 1 }, 0 },
    { "k<<<1, 1, 1'000, stream>>>()", { 1, 1, 1 }, { 1, 1, 1 }, 1000 },
  };

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WpLaunch) launch = wp_launch_parse (cases[k].text, look_up, NULL, &error);

      ck_assert_msg (launch != NULL, "%s: %s", cases[k].text, error ? error->message : "");
      ck_assert_mem_eq (launch->grid, cases[k].grid, sizeof launch->grid);
      ck_assert_mem_eq (launch->block, cases[k].block, sizeof launch->block);
      ck_assert_uint_eq (launch->dynamic_shared, cases[k].shared);
    }
}
END_TEST

START_TEST (types_have_their_sizes)
{
  static const struct
  {
    const gchar *name;
    guint bytes;
  } cases[] = {
    { "int", 4 },
    { "unsigned char", 1 },
    { "long unsigned int", 8 },
    { "short", 2 },
    { "signed char", 1 },
    { "unsigned long long", 8 },
    { "bool", 1 },
    { "float", 4 },
    { "double", 8 },
    { "__half", 2 },
    { "__nv_bfloat162", 4 },
    { "float4", 16 },
    { "uchar3", 3 },
    { "dim3", 12 },
    { "size_t", 8 },
    { "std::uint32_t", 4 },
    { "float const*", 8 },
    { "char**", 8 },
    { "T", 0 },
    { "float float", 0 },
    { "long long long", 0 },
    { "", 0 },
    { "void (*)(int)", 8 },
    { "float* __restrict__", 8 },
  };

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++)
    ck_assert_msg (wp_type_parse (cases[k].name).bytes == cases[k].bytes, "%s: %u", cases[k].name,
                   wp_type_parse (cases[k].name).bytes);
  ck_assert_uint_eq (wp_type_parse ("float4 const*").pointee, 16);
  ck_assert_uint_eq (wp_type_parse ("void*").pointee, 0);
}
END_TEST

START_TEST (halves_are_rounded_to_the_nearest)
{
  static const struct
  {
    gdouble number;
    guint16 half, bfloat;
  } cases[] = {
    { 1, 0x3c00, 0x3f80 },
    { -2.5, 0xc100, 0xc020 },
    { 65504, 0x7bff, 0x4780 },
    { 65520, 0x7c00, 0x4780 },
    { 5.9604644775390625e-8, 1, 0x3380 },
    { 0, 0, 0 },
    { 1.00048828125, 0x3c00, 0x3f80 },
    { 1.0014648437500, 0x3c02, 0x3f80 },
  };

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      ck_assert_uint_eq (wp_type_to_half (cases[k].number), cases[k].half);
      ck_assert_uint_eq (wp_type_to_bfloat16 (cases[k].number), cases[k].bfloat);
    }
}
END_TEST

/* Also of kernels whose names are pages and differ in the middle alone. */
START_TEST (each_listed_example_is_a_launch_of_its_kernel)
{
  g_autoptr (WpCubin) cubin = load ();
  g_autofree gchar *half = g_strnfill (300, 'x'), *list = NULL;
  g_autoptr (GHashTable) seen = g_hash_table_new (g_direct_hash, g_direct_equal);
  g_auto (GStrv) lines = NULL;
  guint n = 0, n_renamed = 0;

  for (guint k = 0; k < cubin->functions->len; k++)
    {
      WpCubinFunction *function = g_ptr_array_index (cubin->functions, k);

      if (!function->is_kernel)
        continue;
      n++;
      if (!strstr (function->demangled, "axpy<"))
        continue;
      g_free (function->demangled);
      function->demangled = g_strdup_printf (
          "void axpy<%s, %u, %s>(int, float, float const*, float*)", half, n_renamed++, half);
    }
  ck_assert_uint_ge (n_renamed, 2);
  list = wp_launch_list (cubin);
  lines = g_strsplit (list, "\n", -1);
  ck_assert_str_eq (lines[0], "");
  for (guint k = 1; lines[k]; k++)
    {
      gchar *example = strstr (lines[k], ": --launch '");
      g_autoptr (GError) error = NULL;
      g_autoptr (WpLaunch) launch = NULL;
      gint function;

      ck_assert_msg (example != NULL, "%s", lines[k]);
      ck_assert_uint_le ((guint)(example - lines[k]), 2 + 160 + 3);
      example += strlen (": --launch '");
      example[strlen (example) - 1] = '\0';
      /* A structure's members are for the user to say. */
      for (gchar *at = example; (at = strstr (at, "{...}"));)
        memcpy (at, "{1,1}", 5);
      launch = wp_launch_parse (example, NULL, NULL, &error);
      ck_assert_msg (launch != NULL, "%s: %s", example, error ? error->message : "");
      function = wp_launch_find (launch, cubin, &error);
      ck_assert_msg (function >= 0, "%s: %s", example, error ? error->message : "");
      ck_assert_msg (g_hash_table_add (seen, GINT_TO_POINTER (function + 1)), "%s", example);
    }
  ck_assert_uint_eq (g_hash_table_size (seen), n);
}
END_TEST

START_TEST (of_one_name_in_several_modules_the_first_is_taken)
{
  g_autoptr (WpCubin) cubin = load ();
  g_autoptr (GError) error = NULL;
  WpCubinFunction *first = NULL;
  gint found = -1;

  for (guint k = 0; k < cubin->functions->len; k++)
    {
      WpCubinFunction *function = g_ptr_array_index (cubin->functions, k);

      if (!strstr (function->name, "4axpy"))
        continue;
      if (first == NULL)
        {
          first = function;
          found = (gint)k;
          continue;
        }
      g_free (function->name);
      g_free (function->demangled);
      function->name = g_strdup (first->name);
      function->demangled = g_strdup (first->demangled);
    }
  ck_assert_ptr_nonnull (first);

  g_autofree gchar *whole = g_strdup_printf ("%s<<<1, 64>>>(1, 2.0f, X, Y)", first->name);
  const gchar *texts[] = { "axpy<<<1, 64>>>(1, 2.0f, X, Y)", whole };

  for (guint k = 0; k < G_N_ELEMENTS (texts); k++)
    {
      g_autoptr (WpLaunch) launch = wp_launch_parse (texts[k], NULL, NULL, &error);

      ck_assert_ptr_nonnull (launch);
      ck_assert_int_eq (wp_launch_find (launch, cubin, &error), found);
    }
}
END_TEST

/* As of a kernel that was compiled for a launch whose template arguments are no plain numbers. */
START_TEST (a_kernel_is_found_by_what_asked_for_it)
{
  g_autoptr (WpCubin) cubin = load ();
  g_autoptr (WpLaunch) launch
      = wp_launch_parse ("axpy<$n * TILE><<<1, 1>>>(1, 2.0f, A, B)", look_up, NULL, NULL);
  g_autoptr (GError) error = NULL;
  WpCubinFunction *function = g_ptr_array_index (cubin->functions, 0);

  ck_assert_str_eq (launch->written, "axpy<7 * TILE>");
  ck_assert_str_eq (launch->name, "axpy<7*TILE>");
  ck_assert_int_eq (wp_launch_find (launch, cubin, &error), -1);
  function->asked = g_strdup ("axpy<7 * TILE>");
  ck_assert_int_eq (wp_launch_find (launch, cubin, NULL), 0);
  ck_assert_ptr_null (wp_launch_parse ("axpy<$m><<<1, 1>>>()", look_up, NULL, NULL));
}
END_TEST

/* As of kernels with pages of template arguments, whose names are too much for a demangler. */
START_TEST (a_name_that_stays_mangled_is_found_by_its_first_part)
{
  static const struct
  {
    const gchar *in_file, *handy;
  } cases[] = {
    { "_ZN3lib3oneINS_4TypeEEEvT_", "lib::one" },
    { "_ZN3lib6detail3twoILi4EEEvi", "lib::detail::two" },
    { "_Z5threeILi4EEvi", "three" },
    { "_ZN99lib", "_ZN99lib" }, /* of no compiler */
  };
  g_autoptr (WpCubin) cubin = load ();
  g_autofree gchar *list = NULL;

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      WpCubinFunction *function = g_ptr_array_index (cubin->functions, k);

      g_free (function->name);
      g_free (function->demangled);
      function->name = g_strdup (cases[k].in_file);
      function->demangled = g_strdup (cases[k].in_file);
      function->is_kernel = TRUE;
    }
  list = wp_launch_list (cubin);
  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      const gchar *last = g_strrstr (cases[k].handy, "::");
      const gchar *names[] = { cases[k].in_file, cases[k].handy, last ? last + 2 : cases[k].handy };
      g_autofree gchar *example = g_strdup_printf ("--launch '%s<<<", cases[k].handy);

      for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
        {
          g_autofree gchar *text = g_strdup_printf ("%s<<<1, 32>>>()", names[i]);
          g_autoptr (GError) error = NULL;
          g_autoptr (WpLaunch) launch = wp_launch_parse (text, NULL, NULL, &error);

          ck_assert_ptr_nonnull (launch);
          ck_assert_msg (wp_launch_find (launch, cubin, &error) == (gint)k, "%s: %s", text,
                         error ? error->message : "another");
        }
      ck_assert_msg (strstr (list, example) != NULL, "%s: %s", example, list);
    }
}
END_TEST

START_TEST (of_a_long_signature_the_ends_are_shown)
{
  g_autoptr (WpCubin) cubin = load ();
  WpCubinFunction *function = g_ptr_array_index (cubin->functions, 0);
  g_autofree gchar *pages = g_strnfill (5000, 'x'), *signature = NULL;

  g_free (function->demangled);
  function->demangled = g_strdup_printf ("begin<%s>(int, end)", pages);
  signature = wp_launch_signature (function);
  ck_assert_msg (g_str_has_prefix (signature, "begin<xxx"), "%s", signature);
  ck_assert_msg (g_str_has_suffix (signature, "xxx>(int, end)"), "%s", signature);
  ck_assert_msg (strstr (signature, "xxx...xxx") != NULL, "%s", signature);
  ck_assert_uint_lt (strlen (signature), 200);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("launch");
  TCase *all = tcase_create ("all");

  tcase_add_test (all, arguments_are_what_a_compiler_would_pass);
  tcase_add_test (all, a_tensor_map_is_one_as_the_driver_makes_it);
  tcase_add_test (all, a_dimension_of_one_element_may_have_no_stride);
  tcase_add_test (all, tensor_maps_keep_what_they_are_made_of);
  tcase_add_test (all, a_grid_is_a_number_or_dim3);
  tcase_add_test (all, types_have_their_sizes);
  tcase_add_test (all, halves_are_rounded_to_the_nearest);
  tcase_add_test (all, each_listed_example_is_a_launch_of_its_kernel);
  tcase_add_test (all, of_one_name_in_several_modules_the_first_is_taken);
  tcase_add_test (all, a_kernel_is_found_by_what_asked_for_it);
  tcase_add_test (all, a_name_that_stays_mangled_is_found_by_its_first_part);
  tcase_add_test (all, of_a_long_signature_the_ends_are_shown);
  suite_add_tcase (suite, all);
  return suite;
}
