/* SPDX-License-Identifier: MIT */
/* What bounds a kernel on a GPU, and on the same GPU with half the SMs: objects from text.
 *
 *   cc bounds.c -o bounds $(pkg-config --cflags --libs warpipe) && ./bounds gtx980 volkov-mix
 */
#include <warpipe/warpipe.h>

#include <stdio.h>

static gboolean
show (const IdgKernel *kernel, const WpGpu *gpu, GError **error)
{
  WpBoundsSummary *bounds = wp_bounds_find (kernel, gpu, NULL, error);

  if (bounds == NULL)
    return FALSE;
  printf ("%s: %s-bound; alone a warp takes %g cycles, and %g of them in %s\n", bounds->kernel,
          bounds->regime, bounds->latency_bound, bounds->throughput_bound, bounds->tightest);
  printf ("%.1f warps would hide all latency; there are %d\n", bounds->needed_occupancy,
          (int)bounds->occupancy);
  for (guint i = 0; i < bounds->n_units; i++)
    if (bounds->units[i].cycles > 0)
      printf ("  %s: %g cycles of each warp\n", bounds->units[i].name, bounds->units[i].cycles);
  wp_bounds_summary_free (bounds);
  return TRUE;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpGpu) gpu = argc == 3 ? wp_gpu_open (argv[1], &error) : NULL;
  g_autoptr (IdgKernel) kernel = gpu != NULL ? wp_kernel_open (argv[2], NULL, &error) : NULL;
  g_autoptr (WpGpu) small = wp_gpu_read ("<gpu like='gtx980' name='small'><device sms='8'/></gpu>",
                                         "small.xml", &error);
  g_autoptr (IdgKernel) adds
      = wp_kernel_read ("<kernel name='adds'><launch blocks='64' threads='64'/><program>"
                        "<repeat count='100'><i id='a' op='add.f32' after='a'/></repeat>"
                        "</program></kernel>",
                        "adds.xml", NULL, &error);

  if (kernel != NULL && small != NULL && adds != NULL && show (kernel, gpu, &error)
      && show (adds, small, &error))
    return 0;
  fprintf (stderr, "%s\n", error != NULL ? error->message : "Usage: bounds GPU KERNEL");
  return 1;
}
