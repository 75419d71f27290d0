/* SPDX-License-Identifier: MIT */
/* Any bytes as a kernel: it is read, or refused with a message that names the file. What was read
 * has a count of dynamic instructions within its limits, an assignment of programs to warps or an
 * error, and is the same when it is written and read again. A small GPU runs a few blocks of it in
 * both orders: where the run ends, it ends alike whether what recurs is simulated once or each
 * time. */
#include <string.h>

#include "idg/kernel/idg-kernel.h"
#include "sim/engine/wp-device.h"
#include "sim/gpu/wp-resolve.h"
#include "tests/fuzz.h"

enum
{
  MAX_NODES = 2000,
  MAX_THREADS = 512,
  MAX_BLOCKS = 5,
  MAX_ISSUES = 20000
};

static const gchar gpu_text[]
    = "<gpu name='g'><device sms='2' clock-mhz='1000'/><limits blocks='2' warps='32'/>"
      "<scheduler/><pipeline name='compute'/><pipeline name='memory' kind='memory'/>"
      "<op name='compute' pipeline='compute' issue='1' completion='4'/>"
      "<op name='add' pipeline='compute' issue='1' completion='4'/>"
      "<op name='fma' pipeline='compute' issue='3' completion='9'/>"
      "<op name='memory' pipeline='memory' issue='4' completion='100'/>"
      "<op name='st.global' pipeline='memory' issue='4' completion='100'/>"
      "<op name='ld.shared' pipeline='memory' issue='4' completion='30'/>"
      "<op name='ld.global' pipeline='memory' issue='4' completion='100'>"
      "<context name='random' completion='200'/></op></gpu>";

static void
check_programs (const IdgKernel *kernel)
{
  g_autoptr (IdgAssignment) assignment = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < kernel->programs->len; i++)
    {
      const IdgKernelProgram *entry = g_ptr_array_index (kernel->programs, i);
      uint64_t count;

      g_assert_true (idg_program_count_dynamic (entry->program, &count) == IDG_OK);
      g_assert_true (count <= IDG_MAX_DYNAMIC);
    }
  assignment = idg_kernel_assign (kernel, (guint64)kernel->launch.blocks,
                                  (guint32)((kernel->launch.threads + 31) / 32), &error);
  g_assert_true ((assignment == NULL) == (error != NULL));
}

static void
check_written (const IdgKernel *kernel)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IdgKernel) again = NULL;
  g_autofree gchar *text = NULL, *text_again = NULL;
  gsize length;

  text = idg_kernel_to_xml (kernel, &length);
  again = idg_kernel_parse (text, length, "again.xml", NULL, &error);
  g_assert_no_error (error);
  text_again = idg_kernel_to_xml (again, NULL);
  g_assert_cmpstr (text, ==, text_again);
}

/* The cycles of MACHINE, or 0 where it does not end within MAX_ISSUES, and how the run went. */
static WpRunStatus
run (const WpMachine *machine, gboolean skip, WpTick *time)
{
  const char *problem = NULL;
  WpDevice *device = wp_device_new (machine, wp_policy_find ("rr"), NULL, 0, &problem);
  WpRunStatus status;
  WpStuck stuck;

  g_assert_true (device != NULL && wp_device_set_skip (device, skip));
  status = wp_device_run (device, MAX_ISSUES);
  if (status == WP_RUN_STUCK)
    wp_device_get_stuck (device, &stuck);
  *time = wp_device_get_time (device);
  wp_device_free (device);
  return status;
}

static void
check_run (const IdgKernel *kernel, WpOrder order)
{
  static WpGpu *gpu;
  WpRunOptions options = WP_RUN_OPTIONS_INIT;
  g_autoptr (GError) error = NULL;
  g_autoptr (WpResolved) resolved = NULL;
  WpTick time, time_each;
  WpRunStatus each;

  if (gpu == NULL)
    gpu = wp_gpu_parse (gpu_text, sizeof gpu_text - 1, "g", NULL, NULL);
  options.sms = 2;
  options.blocks = MIN (kernel->launch.blocks, MAX_BLOCKS);
  options.has_order = TRUE;
  options.order = order;
  resolved = wp_resolve (kernel, gpu, &options, &error);
  g_assert_true ((resolved == NULL) == (error != NULL));
  if (resolved == NULL)
    return;
  each = run (&resolved->machine, FALSE, &time_each);
  if (each == WP_RUN_MORE)
    return;
  g_assert_cmpint (run (&resolved->machine, TRUE, &time), ==, each);
  if (each == WP_RUN_DONE)
    g_assert_cmpint (time, ==, time_each);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IdgKernel) kernel
      = idg_kernel_parse ((const gchar *)data, size, "kernel.xml", NULL, &error);
  gsize nodes = 0;

  if (kernel == NULL)
    {
      g_assert_true (error != NULL && g_str_has_prefix (error->message, "kernel.xml:"));
      return 0;
    }
  g_assert_no_error (error);
  check_programs (kernel);
  check_written (kernel);
  for (guint i = 0; i < kernel->programs->len; i++)
    nodes += ((const IdgKernelProgram *)g_ptr_array_index (kernel->programs, i))->program->n_nodes;
  if (nodes <= MAX_NODES && kernel->launch.threads <= MAX_THREADS)
    {
      check_run (kernel, WP_ORDER_PROGRAM);
      check_run (kernel, WP_ORDER_DATAFLOW);
    }
  return 0;
}
