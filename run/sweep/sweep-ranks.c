/* SPDX-License-Identifier: MIT */
/* mpirun, and Slurm's srun, leave variables in the environment. MPI is started only if there are
 * any: a process by itself does not pay for it.
 */
#include "run/sweep/sweep-ranks.h"

static guint
get_number (const gchar *name)
{
  const gchar *value = g_getenv (name);

  return value != NULL ? (guint)MIN (g_ascii_strtoull (value, NULL, 10), G_MAXINT) : 0;
}

guint
wp_ranks_count_started (void)
{
  guint n = get_number ("OMPI_COMM_WORLD_SIZE"); /* Open MPI's mpirun */

  if (n == 0)
    n = get_number ("PMI_SIZE"); /* MPICH's mpiexec, srun --mpi=pmi2 */
  if (n == 0 && g_getenv ("PMIX_RANK") != NULL)
    n = MAX (get_number ("SLURM_STEP_NUM_TASKS"), 1); /* srun --mpi=pmix */
  return n;
}

void
wp_message_clear (WpMessage *message)
{
  g_clear_pointer (&message->bytes, g_byte_array_unref);
}
