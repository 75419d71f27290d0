/* SPDX-License-Identifier: MIT */
/* Any bytes as a GPU description: it is read, or refused with a message that names the file. In
 * what was read, every op can be looked up in each of its contexts.
 *
 * `like` does not lead to other files: no directory is searched, and the given name is not in a
 * folder.
 */
#include <string.h>

#include "sim/gpu/wp-gpu.h"
#include "tests/fuzz.h"

static void
cost_every_context (const WpGpuOp *op)
{
  WpGpuCost cost;

  for (guint i = 0; i < op->contexts->len; i++)
    {
      const WpGpuContext *context = g_ptr_array_index (op->contexts, i);
      wp_gpu_op_cost (op, context->name, &cost, NULL);
    }
  wp_gpu_op_cost (op, NULL, &cost, NULL);
  wp_gpu_op_cost_of (op, NULL, 16, &cost, NULL);
  wp_gpu_op_cost_of (op, "sectors-3", 1, &cost, NULL);
  wp_gpu_op_cost (op, "conflict-4", &cost, NULL);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const gchar *const nowhere[] = { NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (WpGpu) gpu = wp_gpu_parse ((const gchar *)data, size, "gpu.xml", nowhere, &error);
  g_autofree gchar *nearest = NULL;

  if (gpu == NULL)
    {
      g_assert_true (error != NULL && g_str_has_prefix (error->message, "gpu.xml:"));
      return 0;
    }
  g_assert_no_error (error);
  for (guint i = 0; i < gpu->ops->len; i++)
    {
      const WpGpuOp *op = g_ptr_array_index (gpu->ops, i);
      g_assert_true (wp_gpu_get_op (gpu, op->name) == op);
      cost_every_context (op);
    }
  wp_gpu_look_up_op (gpu, "ld.global.v2.f32");
  nearest = wp_gpu_suggest_ops (gpu, "ld.globl");
  return 0;
}
