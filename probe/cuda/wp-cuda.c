/* SPDX-License-Identifier: MIT */
#include "probe/cuda/wp-cuda.h"

#include "sim/gpu/wp-types.h"
#include "traces/draw/wp-library.h"

#define CALL(name, parameters) #name,
static const gchar *const names[] = {
#include "probe/cuda/wp-cuda-calls.def"
};
#undef CALL

const gchar *
wp_cuda_get_error (const WpCuda *cuda, int status)
{
  const char *text = NULL;

  return cuda->cuGetErrorName (status, &text) == 0 && text != NULL ? text : "an unknown error";
}

const WpCuda *
wp_cuda_load (GError **error)
{
  static WpCuda cuda;
  int status;

  G_STATIC_ASSERT (sizeof cuda == sizeof names);
  if (!wp_library_load ("libcuda.so.1", names, (gpointer *)&cuda, G_N_ELEMENTS (names), error))
    return NULL;
  status = cuda.cuInit (0);
  if (status == 0)
    return &cuda;
  g_set_error (error, WP_ERROR, WP_ERROR_READ, "the CUDA driver does not start: %s",
               wp_cuda_get_error (&cuda, status));
  return NULL;
}

gint64
wp_cuda_get (const WpCuda *cuda, CudaDevice device, int attribute)
{
  int value = 0;

  return cuda->cuDeviceGetAttribute (&value, attribute, device) == 0 ? value : 0;
}

gsize
wp_cuda_count_to_clear (const WpCuda *cuda, CudaDevice device)
{
  gsize l2 = (gsize)wp_cuda_get (cuda, device, CUDA_L2_BYTES);

  return MAX (4 * l2, (gsize)1 << 26);
}
