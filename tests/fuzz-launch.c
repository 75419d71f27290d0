/* SPDX-License-Identifier: MIT */
/* Any bytes as a launch, of kernels whose parameters are of all kinds: its arguments, all within
 * the parameters, or an error. */
#include "exec/launch/wp-launch.h"
#include "tests/fuzz.h"

#include <string.h>

static const struct
{
  const gchar *name, *demangled;
  guint sizes[8];
} kernels[] = {
  { "_Z1kv", "k()", { 0 } },
  { "_Z4axpyILi4EEvifPKfPf", "void axpy<4>(int, float, float const*, float*)", { 4, 4, 8, 8 } },
  { "_ZN2ns5mixedENS_4PairEcsx6float2b",
    "ns::mixed(ns::Pair, char, short, long long, float2, bool)",
    { 16, 1, 2, 8, 8, 1 } },
  { "plain", "plain", { 8, 4, 8, 2, 1, 24 } },
  { "_Z1t14CUtensorMap_stPf", "t(CUtensorMap_st, float*)", { 128, 8 } },
  { "_Z1h6__half13__nv_bfloat164dim3d", "h(__half, __nv_bfloat16, dim3, double)", { 2, 2, 12, 8 } },
};

static WpCubin *
make_cubin (void)
{
  WpCubin *cubin = g_new0 (WpCubin, 1);

  cubin->functions = g_ptr_array_new ();
  for (gsize k = 0; k < G_N_ELEMENTS (kernels); k++)
    {
      WpCubinFunction *function = g_new0 (WpCubinFunction, 1);
      guint at = 0;

      function->name = (gchar *)kernels[k].name;
      function->demangled = (gchar *)kernels[k].demangled;
      function->is_kernel = TRUE;
      function->parameters = g_array_new (FALSE, TRUE, sizeof (WpCubinParameter));
      for (guint j = 0; j < 8 && kernels[k].sizes[j] > 0; j++)
        {
          WpCubinParameter parameter = { at, kernels[k].sizes[j] };

          g_array_append_val (function->parameters, parameter);
          at += (kernels[k].sizes[j] + 7) / 8 * 8;
        }
      function->parameter_bytes = at;
      g_ptr_array_add (cubin->functions, function);
    }
  return cubin;
}

static gboolean
look_up (const gchar *name, gint64 *value, gpointer data)
{
  (void)data;
  *value = G_MAXINT64;
  return strcmp (name, "n") == 0;
}

static void
match (const WpLaunch *launch, const WpCubin *cubin, gint function)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpLaunchArguments) arguments = wp_launch_match (launch, cubin, function, &error);

  g_assert_true ((arguments == NULL) == (error != NULL));
  for (guint k = 0; arguments && k < arguments->pointers->len; k++)
    {
      const WpLaunchPointer *pointer = &g_array_index (arguments->pointers, WpLaunchPointer, k);

      g_assert_nonnull (pointer->name);
      g_assert_cmpuint (pointer->offset + 8, <=, arguments->n_bytes);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static WpCubin *cubin = NULL;
  g_autofree gchar *text = g_strndup ((const gchar *)data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (WpLaunch) launch = wp_launch_parse (text, look_up, NULL, &error);
  gint function;

  g_ptr_array_unref (wp_launch_parameters (text));
  g_assert_true ((launch == NULL) == (error != NULL));
  if (launch == NULL)
    return 0;
  g_assert_cmpuint (launch->block[0] * launch->block[1] * launch->block[2], <=, 1024);
  if (cubin == NULL)
    cubin = make_cubin ();
  function = wp_launch_find (launch, cubin, &error);
  g_assert_true ((function < 0) == (error != NULL));
  for (gint k = 0; k < (gint)cubin->functions->len; k++)
    match (launch, cubin, k);
  return 0;
}
