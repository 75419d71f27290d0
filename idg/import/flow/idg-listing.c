/* SPDX-License-Identifier: MIT */
/* Turns a listing into a kernel: finds its control flow, looks up hints, makes one program for each
 * group of warps, and fills in the launch. */
#include "idg/import/flow/idg-listing.h"

#include "idg/import/base/idg-notes.h"
#include "idg/import/flow/idg-groups.h"

#define DEFAULT_BLOCKS 1024
#define DEFAULT_THREADS 256

static gboolean
set_number (const IdgCode *code, const gchar *what, gint64 given, gint64 fallback, gint64 min,
            gint64 max, gint64 *value, GError **error)
{
  *value = given >= 0 ? given : fallback;
  if (*value >= min && *value <= max)
    return TRUE;
  return idg_import_fail (code->file, 0, IDG_ERROR_VALUE, error,
                          "%s: %" G_GINT64_FORMAT " of %s; expected %" G_GINT64_FORMAT
                          " to %" G_GINT64_FORMAT,
                          code->name, *value, what, min, max);
}

static gboolean
set_launch (const IdgCode *code, IdgImport *import, IdgLaunch *launch, GError **error)
{
  gint64 threads = code->threads > 0 ? code->threads : DEFAULT_THREADS;

  if (!set_number (code, "blocks", import->blocks, DEFAULT_BLOCKS, 1, IDG_MAX_BLOCKS,
                   &launch->blocks, error)
      || !set_number (code, "threads per block", import->threads, threads, 1, IDG_MAX_THREADS,
                      &launch->threads, error)
      || !set_number (code, "registers per thread", import->registers, code->registers_used, 0,
                      IDG_MAX_REGISTERS, &launch->registers, error)
      || !set_number (code, "bytes of shared memory per block", import->shared_memory,
                      code->shared_memory, 0, IDG_MAX_SHARED_MEMORY, &launch->shared_memory, error))
    return FALSE;
  if (import->blocks < 0 || (import->threads < 0 && code->threads == 0))
    idg_import_note (import, code->file, 0,
                     "%s: launch assumed: %" G_GINT64_FORMAT " blocks of %" G_GINT64_FORMAT
                     " threads; --blocks and --threads set it",
                     code->name, launch->blocks, launch->threads);
  if (code->threads > 0 && launch->threads > code->threads)
    idg_import_note (import, code->file, 0,
                     "%s: blocks of %" G_GINT64_FORMAT
                     " threads, where it has at most %" G_GINT64_FORMAT
                     " (.maxntid, .reqntid); no GPU would launch it",
                     code->name, launch->threads, code->threads);
  return TRUE;
}

IdgKernel *
idg_code_to_kernel (const IdgCode *code, IdgImport *import, GError **error)
{
  g_autofree gchar *name = idg_import_make_name (code->name);
  g_autoptr (IdgKernel) kernel = idg_kernel_new (name);
  g_autoptr (IdgFlow) flow = idg_flow_new (code, error);
  g_autoptr (IdgHints) hints = flow != NULL ? idg_hints_new (code, flow, import, error) : NULL;

  if (hints == NULL)
    return NULL;
  kernel->file = g_strdup (code->file);
  kernel->nearest_ops = TRUE;
  kernel->assumed_addresses = TRUE;
  kernel->unscheduled = code->unscheduled;
  if (!set_launch (code, import, &kernel->launch, error)
      || !idg_hints_add_programs (hints, kernel, import, error))
    return NULL;
  return g_steal_pointer (&kernel);
}
