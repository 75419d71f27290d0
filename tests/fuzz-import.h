/* SPDX-License-Identifier: MIT */
/* What the fuzz targets of the front ends share: settings made of the input, and what must hold of
 * any kernel that a front end has accepted. It is a kernel like any other: within the limits,
 * written and read again it is the same, and a GPU with the ops that all have runs it. */
#pragma once

#include <string.h>

#include "idg/import/base/idg-frontend.h"
#include "sim/gpu/wp-resolve.h"

/* Above, a kernel is not resolved: the machine is arrays of all instructions. */
#define FUZZ_MAX_RESOLVED 10000

static inline IdgImport *
fuzz_make_import (const uint8_t *data, size_t size)
{
  static const gchar *const branches[] = { "all=not", "all=taken", "all=both", "all=both:0" };
  IdgImport *import = idg_import_new ();
  uint8_t choice = size > 0 ? data[size - 1] : 0;

  if (choice & 1)
    g_ptr_array_add (import->trips, g_strdup ("all=3"));
  if (choice & 2)
    g_ptr_array_add (import->branches, g_strdup (branches[choice / 4 % 4]));
  import->strict_names = (choice & 16) != 0;
  return import;
}

static inline WpGpu *
fuzz_make_gpu (void)
{
  static const gchar text[]
      = "<gpu name='g'><device sms='1' clock-mhz='1000'/><limits/><scheduler/>"
        "<pipeline name='compute'/><pipeline name='memory' kind='memory' queue='unbounded'/>"
        "<op name='compute' pipeline='compute' issue='1' completion='4'>"
        "<context name='not-taken'/></op>"
        "<op name='memory' pipeline='memory' issue='4' completion='100'>"
        "<context name='random'/><context name='stride-2'/><context name='sectors-*'/>"
        "<context name='conflict-*'/></op></gpu>";
  g_autoptr (GError) error = NULL;
  WpGpu *gpu = wp_gpu_parse (text, sizeof text - 1, "g", NULL, &error);

  g_assert_no_error (error);
  return gpu;
}

static inline void
fuzz_check_resolved (const IdgKernel *kernel)
{
  g_autoptr (WpGpu) gpu = fuzz_make_gpu ();
  WpRunOptions options = WP_RUN_OPTIONS_INIT;
  g_autoptr (GError) error = NULL;
  g_autoptr (WpResolved) resolved = NULL;

  options.no_limits = TRUE;
  resolved = wp_resolve (kernel, gpu, &options, &error);
  g_assert_true ((resolved == NULL) == (error != NULL));
}

/* Of KERNEL, which was made of NAME, or ERROR. */
static inline void
fuzz_check_imported (const IdgKernel *kernel, const gchar *name, const GError *error)
{
  g_autoptr (GError) wrong = NULL;
  g_autoptr (IdgKernel) again = NULL;
  g_autofree gchar *text = NULL, *text_again = NULL;
  guint64 most = 0;
  gsize length;

  g_assert_true ((kernel == NULL) == (error != NULL));
  if (kernel == NULL)
    {
      g_assert_true (g_str_has_prefix (error->message, name));
      return;
    }
  for (guint i = 0; i < kernel->programs->len; i++)
    {
      const IdgKernelProgram *entry = g_ptr_array_index (kernel->programs, i);
      uint64_t count;

      g_assert_true (idg_program_count_dynamic (entry->program, &count) == IDG_OK);
      g_assert_true (count <= IDG_MAX_DYNAMIC);
      most = MAX (most, entry->program->n_nodes);
    }
  text = idg_kernel_to_xml (kernel, &length);
  again = idg_kernel_parse (text, length, "again.xml", NULL, &wrong);
  g_assert_no_error (wrong);
  text_again = idg_kernel_to_xml (again, NULL);
  g_assert_cmpstr (text, ==, text_again);
  if (most <= FUZZ_MAX_RESOLVED)
    fuzz_check_resolved (again);
}
