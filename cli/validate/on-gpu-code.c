/* SPDX-License-Identifier: MIT */
#include "cli/validate/on-gpu-code.h"

#include "exec/wp-module.h"
#include "sim/gpu/wp-types.h"

static gboolean
append (const gchar *bytes, gsize n, gpointer data, GError **error)
{
  (void)error;
  g_byte_array_append (data, (const guint8 *)bytes, (guint)n);
  return TRUE;
}

static void
see_buffer (WpOnGpuCode *seen, WpBuffer *buffer)
{
  WpCudaBuffer *made = wp_cuda_code_add_buffer (seen->code, wp_buffer_get_name (buffer));

  if (seen->error == NULL && !wp_buffer_is_unknown (buffer) && wp_buffer_get_bytes (buffer) > 0)
    wp_buffer_dump (buffer, append, made->initial, NULL, &seen->error);
}

static void
see_launch (WpOnGpuCode *seen, const WpModule *module, const WpModuleLaunch *launch)
{
  const WpCubinFunction *function = g_ptr_array_index (module->cubin->functions, launch->function);
  WpCudaCall *call = wp_cuda_code_add_call (seen->code, function->name);

  call->text = g_strdup (launch->launch->text);
  for (guint axis = 0; axis < 3; axis++)
    {
      call->grid[axis] = launch->launch->grid[axis];
      call->block[axis] = launch->launch->block[axis];
    }
  call->shared = launch->launch->dynamic_shared;
  g_byte_array_append (call->arguments, launch->arguments->bytes, launch->arguments->n_bytes);
  for (guint i = 0; i < launch->arguments->pointers->len; i++)
    {
      const WpLaunchPointer *pointer
          = &g_array_index (launch->arguments->pointers, WpLaunchPointer, i);
      WpCudaAddress address = { pointer->offset, g_strdup (pointer->name), pointer->addend };

      g_array_append_val (call->addresses, address);
    }
}

void
wp_on_gpu_see (const WpModule *module, gboolean is_done, gpointer data)
{
  WpOnGpuCode *seen = data;

  if (!is_done)
    {
      g_clear_pointer (&seen->code, wp_cuda_code_free);
      g_clear_error (&seen->error);
      seen->code = wp_cuda_code_new (module->cubin->image);
      for (guint i = 1; i <= wp_memory_count (module->memory); i++)
        see_buffer (seen, wp_memory_get (module->memory, i));
      for (guint i = 0; i < module->launches->len; i++)
        see_launch (seen, module, &g_array_index (module->launches, WpModuleLaunch, i));
      return;
    }
  if (seen->error == NULL && wp_memory_find (module->memory, WP_WORKSPACE))
    g_set_error_literal (&seen->error, WP_ERROR, WP_ERROR_OPTION,
                         "the blocks of the grid wait for one another (grid.sync()), and --on-gpu "
                         "makes no cooperative launches");
  for (guint i = 1; i <= seen->code->buffers->len; i++)
    {
      WpCudaBuffer *buffer = g_ptr_array_index (seen->code->buffers, i - 1);

      buffer->bytes = MAX (wp_buffer_get_extent (wp_memory_get (module->memory, i)), 1);
    }
}
