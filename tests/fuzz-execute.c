/* SPDX-License-Identifier: MIT */
/* Any bytes as the code of a kernel, which is launched: it is refused, fails at an instruction, or
 * ends within its limit, and then is a kernel like any other. One thread and several come to the
 * same, and so it does where data that decides nothing is computed, too. The first byte is the
 * target, the second how it is launched; the rest is code. */
#include "exec/cubin/wp-cubin-private.h"
#include "exec/sass/wp-sass.h"
#include "exec/wp-execute-launch.h"
#include "tests/fuzz-import.h"
#include "tests/fuzz.h"

enum
{
  MAX_CODE = 4096, /* bytes */
  LIMIT = 2000     /* warp instructions */
};

static void
add_parameters (WpCubinFunction *function, guint sm)
{
  static const guint sizes[] = { 8, 8, 8, 4, 4, 128 };

  function->parameter_base = sm < 90 ? 0x160 : sm < 100 ? 0x210 : 0x380;
  function->parameters = g_array_new (FALSE, TRUE, sizeof (WpCubinParameter));
  for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
    {
      WpCubinParameter parameter = { function->parameter_bytes, sizes[k] };

      g_array_append_val (function->parameters, parameter);
      function->parameter_bytes += sizes[k];
    }
}

static WpCubin *
make_cubin (guint sm, const uint8_t *code, size_t size)
{
  WpCubin *cubin = wp_cubin_new ("k.cubin");
  WpCubinFunction *function = g_new0 (WpCubinFunction, 1);

  cubin->sm = sm;
  cubin->image = g_bytes_new (code, size);
  g_ptr_array_add (cubin->functions, function);
  function->name = g_strdup ("k");
  function->demangled = g_strdup ("k");
  function->is_kernel = TRUE;
  function->code = g_bytes_ref (cubin->image);
  function->relocations = g_array_new (FALSE, TRUE, sizeof (WpCubinRelocation));
  function->lines = g_array_new (FALSE, TRUE, sizeof (WpCubinLine));
  function->registers = 64;
  function->shared_memory = 1024;
  function->frame = 64;
  function->constants[3] = g_bytes_new ("0123456789abcdef", 16);
  add_parameters (function, sm);
  return cubin;
}

/* What THREADS make of it, as text: the kernel, or the error. */
static gchar *
execute (guint sm, const gchar *launch, guint threads, gboolean is_full, const uint8_t *code,
         size_t size)
{
  const gchar *launches[] = { launch, NULL }, *data[] = { "A=f32:iota", "B=u32:random", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (WpGpu) gpu = fuzz_make_gpu ();
  g_autoptr (WpModule) module
      = wp_module_new (make_cubin (sm, code, size), launches, NULL, NULL, data, NULL, &error);
  WpExecuteOptions options = {
    .path = "k.cubin", .limit = LIMIT, .gpu = gpu, .sms = 1, .threads = threads, .is_full = is_full
  };
  g_autoptr (WpCaches) caches = wp_caches_new (gpu, 1, NULL);
  g_autoptr (IdgKernel) kernel = NULL;

  options.launches = launches;
  g_assert_no_error (error);
  kernel = wp_execute_launch (&options, module, 0, caches, &error);
  g_assert_true ((kernel == NULL) == (error != NULL));
  if (kernel == NULL)
    return g_strdup (error->message);
  fuzz_check_imported (kernel, "k", NULL);
  return idg_kernel_to_xml (kernel, NULL);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const guint targets[] = { 70, 75, 80, 86, 89, 90, 100, 120 };
  static const gchar *const launches[]
      = { "k<<<1, 32>>>(A, B, C, 100, 3, tensor_map(A, f32, {64, 8}, {16, 4}))",
          "k<<<2, 40>>>(A, B, C, 100, 3, tensor_map(B, u16, {39, 5}, {8, 8}, 0, {80}))",
          "k<<<dim3(2,2),dim3(8,4,2),256>>>(A,B,A,2,100,tensor_map(C,f16,{64,64},{16,4},32))" };
  g_autofree gchar *one = NULL, *several = NULL, *full = NULL;
  guint sm;
  const gchar *launch;

  if (size < 2 + WP_SASS_BYTES)
    return 0;
  sm = targets[data[0] % G_N_ELEMENTS (targets)];
  launch = launches[data[1] % 4u % G_N_ELEMENTS (launches)];
  size = MIN ((size - 2) / 16 * 16, MAX_CODE);
  one = execute (sm, launch, 1, FALSE, data + 2, size);
  if (data[1] < 128)
    return 0;
  several = execute (sm, launch, 3, FALSE, data + 2, size);
  g_assert_cmpstr (one, ==, several);
  full = execute (sm, launch, 1, TRUE, data + 2, size);
  g_assert_cmpstr (one, ==, full);
  return 0;
}
