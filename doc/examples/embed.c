/* SPDX-License-Identifier: MIT */
/* A program of your own that uses libwarpipe: throughput by occupancy, one line each.
 *
 *   cc embed.c -o embed $(pkg-config --cflags --libs warpipe) && ./embed gtx980.xml volkov-mix.xml
 *
 * It shows the three steps that every user takes: load a GPU and a kernel (plain data), resolve the
 * two into a machine, run a device. An observer counts the blocks as they end.
 */
#include <sim/engine/wp-device.h>
#include <sim/gpu/wp-resolve.h>

#include <stdio.h>

static void
on_block_end (void *data, const WpBlockEvent *event)
{
  unsigned *n_blocks = data;

  (void)event;
  (*n_blocks)++;
}

/* Warp instructions per cycle at an occupancy of at most N warps; negative with ERROR. */
static double
measure (const IdgKernel *kernel, const WpGpu *gpu, gint64 n, unsigned *n_blocks, GError **error)
{
  WpRunOptions options = WP_RUN_OPTIONS_INIT;
  const WpObserver observer = { .data = n_blocks, .block_end = on_block_end };
  const WpObserver *const observers[] = { &observer };
  g_autoptr (WpResolved) resolved = NULL;
  const WpResult *result;
  const char *problem;
  WpRunStatus status;
  WpDevice *device;
  double ipc;

  options.occupancy = n;
  resolved = wp_resolve (kernel, gpu, &options, error);
  if (resolved == NULL)
    return -1;
  device = wp_device_new (&resolved->machine, wp_policy_find ("gto"), observers, 1, &problem);
  if (device == NULL)
    {
      g_set_error_literal (error, WP_ERROR, WP_ERROR_MEMORY, problem);
      return -1;
    }
  while ((status = wp_device_run (device, 1 << 20)) == WP_RUN_MORE)
    ; /* a good place to show progress, or to stop */
  result = wp_device_get_result (device);
  ipc = (double)result->issued * (double)resolved->machine.ticks_per_cycle
        / (double)result->elapsed;
  wp_device_free (device);
  if (status == WP_RUN_DONE)
    return ipc;
  g_set_error_literal (error, WP_ERROR, WP_ERROR_LIMIT, "the run is too long to be exact");
  return -1;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpGpu) gpu = NULL;
  g_autoptr (IdgKernel) kernel = NULL;

  if (argc != 3)
    {
      fprintf (stderr, "Usage: %s GPU.xml KERNEL.xml\n", argv[0]);
      return 2;
    }
  gpu = wp_gpu_load (argv[1], NULL, &error);
  if (gpu != NULL)
    kernel = idg_kernel_load (argv[2], NULL, &error);
  for (gint64 n = 4; kernel != NULL && n <= 32; n += 4)
    {
      unsigned n_blocks = 0;
      double ipc = measure (kernel, gpu, n, &n_blocks, &error);

      if (ipc < 0)
        break;
      printf ("%2d warps: %.3f instructions a cycle on an SM (%u blocks)\n", (int)n, ipc, n_blocks);
    }
  if (error == NULL)
    return 0;
  fprintf (stderr, "%s\n", error->message);
  return 1;
}
