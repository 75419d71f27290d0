/* SPDX-License-Identifier: MIT */
/* Any bytes as a kernel: it is read, or refused with a message that names the file. What was read
 * has a count of dynamic instructions within its limits, and an assignment of programs to warps or
 * an error. */
#include "idg/kernel/idg-kernel.h"
#include "tests/fuzz.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IdgKernel) kernel
      = idg_kernel_parse ((const gchar *)data, size, "kernel.xml", NULL, &error);
  g_autoptr (IdgAssignment) assignment = NULL;

  if (kernel == NULL)
    {
      g_assert_true (error != NULL && g_str_has_prefix (error->message, "kernel.xml:"));
      return 0;
    }
  g_assert_no_error (error);
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
  return 0;
}
