/* SPDX-License-Identifier: MIT */
/* A program of your own that uses libwarpipe: throughput by occupancy, one line each.
 *
 *   cc embed.c -o embed $(pkg-config --cflags --libs warpipe) && ./embed gtx980 volkov-mix
 */
#include <warpipe/warpipe.h>

#include <stdio.h>

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpOptions) options = wp_options_parse ("policy=gto", &error);
  g_autoptr (WpGpu) gpu = argc == 3 ? wp_gpu_open (argv[1], &error) : NULL;
  g_autoptr (IdgKernel) kernel = gpu != NULL ? wp_kernel_open (argv[2], NULL, &error) : NULL;

  for (guint n = 4; kernel != NULL && n <= 32; n += 4)
    {
      g_autoptr (WpRunReport) report = NULL;

      if (wp_options_set_number (options, "occupancy", n, &error))
        report = wp_simulate (kernel, gpu, options, NULL, &error);
      if (report == NULL)
        break;
      printf ("%2u warps: %.3f instructions a cycle on an SM (%u blocks)\n", n, report->ipc,
              (guint)report->blocks);
      for (guint i = 0; i < report->n_warnings; i++)
        fprintf (stderr, "%s: %s\n", report->warnings[i].name, report->warnings[i].text);
    }
  if (kernel != NULL && error == NULL)
    return 0;
  fprintf (stderr, "%s\n", error != NULL ? error->message : "Usage: embed GPU KERNEL");
  return 1;
}
