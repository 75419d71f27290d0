/* SPDX-License-Identifier: MIT */
/* Turns a listing into a kernel: finds its control flow, looks up hints, makes one program for each
 * group of warps, and fills in the launch. */
#include "idg/import/flow/idg-listing.h"

#include "idg/import/base/idg-notes.h"
#include "idg/import/flow/idg-carried.h"
#include "idg/import/flow/idg-groups.h"
#include "idg/kernel/idg-barriers.h"

#include <stdlib.h>
#include <string.h>

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
set_launch (const IdgCode *code, IdgImport *import, IdgKernel *kernel, GError **error)
{
  IdgLaunch *launch = &kernel->launch;
  const gint64 *dim = import->block_dim;
  gint64 threads = dim[0] > 0          ? dim[0] * MAX (dim[1], 1) * MAX (dim[2], 1)
                   : code->threads > 0 ? code->threads
                                       : DEFAULT_THREADS;

  if (!set_number (code, "blocks", import->blocks, DEFAULT_BLOCKS, 1, IDG_MAX_BLOCKS,
                   &launch->blocks, error)
      || !set_number (code, "threads per block", import->threads, threads, 1, IDG_MAX_THREADS,
                      &launch->threads, error)
      || !set_number (code, "registers per thread", import->registers, code->registers_used, 0,
                      IDG_MAX_REGISTERS, &launch->registers, error)
      || !set_number (code, "bytes of shared memory per block", import->shared_memory,
                      code->shared_memory, 0, IDG_MAX_SHARED_MEMORY, &launch->shared_memory, error))
    return FALSE;
  kernel->assumed_blocks = import->blocks < 0;
  kernel->assumed_threads = import->threads < 0 && dim[0] == 0 && code->threads == 0;
  if (kernel->assumed_blocks || kernel->assumed_threads)
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

/* ---- Barriers ---- */

static IdgProgram *
get_program (const IdgKernel *kernel, guint program)
{
  return ((const IdgKernelProgram *)g_ptr_array_index (kernel->programs, program))->program;
}

/* Adds the names of the barriers where a warp waits to WAITED, those where one only arrives to
 * ARRIVED. */
static void
collect_barriers (const IdgKernel *kernel, GHashTable *waited, GHashTable *arrived)
{
  for (guint p = 0; p < kernel->programs->len; p++)
    for (guint32 i = 0; i < get_program (kernel, p)->n_nodes; i++)
      {
        const IdgNode *node = &get_program (kernel, p)->nodes[i];

        if (node->kind == IDG_BARRIER)
          g_hash_table_add (waited, (gpointer)(node->name != NULL ? node->name : "0"));
        else if (node->kind == IDG_ARRIVE)
          g_hash_table_add (arrived, (gpointer)node->name);
      }
}

static void
check_memory (IdgStatus status)
{
  if (status != IDG_OK)
    g_error ("out of memory");
}

/* Barrier 0 has a name where warps arrive there without waiting; and where no warp waits, arriving
 * is an instruction that nothing comes of. */
static void
settle_barriers (IdgKernel *kernel, IdgImport *import)
{
  g_autoptr (GHashTable) waited = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) arrived = g_hash_table_new (g_str_hash, g_str_equal);
  gboolean name_zero;

  collect_barriers (kernel, waited, arrived);
  name_zero = g_hash_table_contains (arrived, "0");
  for (guint p = 0; p < kernel->programs->len; p++)
    for (guint32 i = 0; i < get_program (kernel, p)->n_nodes; i++)
      {
        IdgProgram *program = get_program (kernel, p);
        const IdgNode *node = &program->nodes[i];

        if (name_zero && node->kind == IDG_BARRIER && node->name == NULL)
          check_memory (idg_program_set_barrier (program, i, "0"));
        if (node->kind != IDG_ARRIVE || g_hash_table_contains (waited, node->name))
          continue;
        idg_import_note (import, kernel->file, node->line,
                         "%s: no warp waits at that barrier on the path that is taken; an "
                         "instruction that nothing waits for",
                         node->text != NULL ? node->text : "bar.arrive");
        check_memory (idg_program_drop_arrive (program, i, "bar.arrive"));
      }
}

/* ---- Threads ---- */

/* Tells whether the code reads a special register from FIRST to LAST. */
static gboolean
reads_special (const IdgCode *code, guint first, guint last)
{
  for (guint i = 1; i < code->meanings->len; i++)
    {
      const IdgMeaning *meaning = &g_array_index (code->meanings, IdgMeaning, i);

      if ((meaning->a.reg >= first && meaning->a.reg <= last)
          || (meaning->b.reg >= first && meaning->b.reg <= last)
          || (meaning->c.reg >= first && meaning->c.reg <= last))
        return TRUE;
    }
  return FALSE;
}

/* Tells whether the code distinguishes threads in more than one direction. */
static gboolean
is_flat (const IdgCode *code)
{
  return !reads_special (code, IDG_SPECIAL_TID_Y, IDG_SPECIAL_TID_Z)
         && !reads_special (code, IDG_SPECIAL_NTID_Y, IDG_SPECIAL_NTID_Z);
}

static void
copy_dim (const gint64 from[3], gint64 to[3])
{
  for (guint i = 0; i < 3; i++)
    to[i] = from[i] > 0 ? from[i] : 1;
}

/* Fills in the threads of a block and the blocks of a grid in each direction: as they are given; a
 * plain number is the first direction's. What would be a guess stays unknown: how a block of a
 * number of threads that nobody gave is laid out, if the code asks for its rows. */
static void
set_facts (const IdgCode *code, const IdgImport *import, const IdgLaunch *launch, IdgFacts *facts)
{
  const gint64 *dim = code->block_dim;

  *facts = (IdgFacts){ .thread = -1, .assumed = IDG_FLOW_NONE, .zero = IDG_FLOW_NONE };
  if (import->block_dim[0] > 0)
    copy_dim (import->block_dim, facts->block_dim);
  else if (dim[0] > 0 && dim[0] * dim[1] * dim[2] == launch->threads
           && (dim[0] < launch->threads || is_flat (code)))
    copy_dim (dim, facts->block_dim);
  else if (import->threads >= 0 || is_flat (code))
    copy_dim ((const gint64[]){ launch->threads, 1, 1 }, facts->block_dim);
  if (import->grid_dim[0] > 0)
    copy_dim (import->grid_dim, facts->grid_dim);
  else if (!reads_special (code, IDG_SPECIAL_NCTAID_Y, IDG_SPECIAL_NCTAID_Z))
    copy_dim ((const gint64[]){ launch->blocks, 1, 1 }, facts->grid_dim);
}

IdgKernel *
idg_code_to_kernel (const IdgCode *code, IdgImport *import, GError **error)
{
  g_autofree gchar *name = idg_import_make_name (import, code->file, code->name);
  g_autoptr (IdgKernel) kernel = idg_kernel_new (name);
  g_autoptr (IdgFlow) flow = idg_flow_new (code, error);
  g_autoptr (GArray) barriers = NULL;
  g_autoptr (IdgOutcome) outcome = flow != NULL ? idg_outcome_new (flow) : NULL;
  IdgFacts facts;
  g_autoptr (IdgHints) hints = flow != NULL ? idg_hints_new (code, flow, import, error) : NULL;

  if (hints == NULL)
    return NULL;
  kernel->file = g_strdup (code->file);
  kernel->title = idg_import_make_title (code->name);
  kernel->nearest_ops = TRUE;
  kernel->assumed_addresses = TRUE;
  kernel->unscheduled = code->unscheduled;
  if (!set_launch (code, import, kernel, error))
    return NULL;
  set_facts (code, import, &kernel->launch, &facts);
  if (!idg_hints_add_programs (hints, &facts, kernel, import, outcome, error)
      || !idg_hints_check (hints, outcome, kernel, import, error))
    return NULL;
  kernel->fixed_threads
      |= (flow->trips->used & IDG_USED_THREADS) != 0
         || ((flow->trips->used & IDG_USED_LAYOUT) != 0 && facts.block_dim[1] > 1);
  kernel->fixed_blocks = (flow->trips->used & IDG_USED_BLOCKS) != 0;
  if (outcome->by_thread && import->threads >= 0 && import->block_dim[0] <= 0 && !is_flat (code))
    idg_import_note (import, code->file, 0,
                     "%s: blocks taken as %" G_GINT64_FORMAT "x1x1 threads, though the code reads "
                     "%%tid.y; --threads 16x16 and the like say how a block is laid out",
                     code->name, kernel->launch.threads);
  settle_barriers (kernel, import);
  barriers = idg_kernel_list_barriers (kernel, error);
  if (barriers == NULL)
    return NULL;
  idg_hints_add_warnings (hints, kernel);
  return g_steal_pointer (&kernel);
}
