/* SPDX-License-Identifier: MIT */
/* Open MPI's blocking calls spin: they are used only where all ranks call them together, for
 * milliseconds. Otherwise messages are sent and received without waiting, so that a rank that has
 * nothing to do can sleep.
 */
#include "run/sweep/sweep-ranks.h"

#include "sim/gpu/wp-gpu.h" /* WP_ERROR */

#include <mpi.h>
#include <string.h>

#define DIGEST_BYTES 64 /* with its end */
#define HURRY 0.2       /* seconds for the last messages of a rank that leaves in a hurry */

struct WpRanks
{
  int own, n;
  GPtrArray *leaving; /* of Letter */
};

/* A message that is being sent. */
typedef struct
{
  MPI_Request request;
  GByteArray *bytes;
} Letter;

static gboolean
fail (int code, GError **error)
{
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;

  MPI_Error_string (code, text, &length);
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_IO, "MPI has failed: %.*s", length, text);
  return FALSE;
}

/* ---- Beginning ---- */

gboolean
wp_ranks_are_there (void)
{
  return wp_ranks_count_started () > 0;
}

WpRanks *
wp_ranks_join (GError **error)
{
  WpRanks *ranks;
  int provided;
  int n = 0;

  MPI_Init_thread (NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_size (MPI_COMM_WORLD, &n);
  if (n == 1 && wp_ranks_count_started () > 1)
    {
      g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
                   "%u processes were started together, but not in a way that Open MPI knows, and "
                   "each would make the whole table; start them by mpirun or srun --mpi=pmix",
                   wp_ranks_count_started ());
      MPI_Finalize ();
      return NULL;
    }
  /* A rank that is lost must be an error and no abort: rank 0 has a file to close. */
  MPI_Comm_set_errhandler (MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  ranks = g_new0 (WpRanks, 1);
  ranks->n = n;
  MPI_Comm_rank (MPI_COMM_WORLD, &ranks->own);
  ranks->leaving = g_ptr_array_new ();
  return ranks;
}

guint
wp_ranks_get_own (const WpRanks *ranks)
{
  return (guint)ranks->own;
}

guint
wp_ranks_count (const WpRanks *ranks)
{
  return ranks != NULL ? (guint)ranks->n : 1;
}

gint
wp_ranks_share (WpRanks *ranks G_GNUC_UNUSED, gint number)
{
  MPI_Bcast (&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return number;
}

/* What a rank shows rank 0. */
typedef struct
{
  char digest[DIGEST_BYTES];
  char machine[MPI_MAX_PROCESSOR_NAME];
} Badge;

static gboolean
compare (const WpRanks *ranks, const Badge *badges, GError **error)
{
  for (int i = 1; i < ranks->n; i++)
    {
      if (strcmp (badges[i].digest, badges[0].digest) == 0)
        continue;
      g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
                   badges[i].digest[0] == '\0'
                       ? "rank %d on %s could not make the sweep that rank 0 on %s has made"
                       : "rank %d on %s has made another sweep than rank 0 on %s: kernel, GPUs, "
                         "lists and version of warpipe must be the same on all machines",
                   i, badges[i].machine, badges[0].machine);
      return FALSE;
    }
  return TRUE;
}

gboolean
wp_ranks_agree (WpRanks *ranks, const gchar *digest, GError **error)
{
  Badge own = { 0 };
  g_autofree Badge *badges = g_new0 (Badge, ranks->n);
  int length;

  g_strlcpy (own.digest, digest, sizeof own.digest);
  MPI_Get_processor_name (own.machine, &length);
  MPI_Gather (&own, sizeof own, MPI_BYTE, badges, sizeof own, MPI_BYTE, 0, MPI_COMM_WORLD);
  return wp_ranks_share (ranks, ranks->own != 0 || compare (ranks, badges, error));
}

/* ---- Messages ---- */

static void
letter_free (Letter *letter)
{
  g_byte_array_unref (letter->bytes);
  g_free (letter);
}

/* Drops what has been sent. */
static gboolean
tidy (WpRanks *ranks, GError **error)
{
  for (guint i = ranks->leaving->len; i-- > 0;)
    {
      Letter *letter = g_ptr_array_index (ranks->leaving, i);
      int sent = 0;
      int code = MPI_Test (&letter->request, &sent, MPI_STATUS_IGNORE);

      if (code != MPI_SUCCESS)
        return fail (code, error);
      if (sent)
        letter_free (g_ptr_array_steal_index_fast (ranks->leaving, i));
    }
  return TRUE;
}

gboolean
wp_ranks_send (WpRanks *ranks, WpMessage *message, GError **error)
{
  Letter *letter = g_new0 (Letter, 1);
  int code;

  letter->bytes = g_steal_pointer (&message->bytes);
  code = MPI_Isend (letter->bytes->data, (int)letter->bytes->len, MPI_BYTE, (int)message->rank,
                    (int)message->kind, MPI_COMM_WORLD, &letter->request);
  if (code != MPI_SUCCESS)
    {
      letter_free (letter);
      return fail (code, error);
    }
  g_ptr_array_add (ranks->leaving, letter);
  return tidy (ranks, error);
}

gboolean
wp_ranks_receive (WpRanks *ranks, WpMessage *message, GError **error)
{
  MPI_Status status;
  int is_there = 0;
  int length = 0;
  int code = MPI_Iprobe (MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &status);

  message->bytes = NULL;
  if (code == MPI_SUCCESS && !is_there)
    return tidy (ranks, error);
  if (code == MPI_SUCCESS)
    code = MPI_Get_count (&status, MPI_BYTE, &length);
  if (code != MPI_SUCCESS)
    return fail (code, error);
  message->rank = (guint)status.MPI_SOURCE;
  message->kind = (WpMessageKind)status.MPI_TAG;
  message->bytes = g_byte_array_set_size (g_byte_array_new (), (guint)length);
  code = MPI_Recv (message->bytes->data, length, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (code == MPI_SUCCESS)
    return TRUE;
  wp_message_clear (message);
  return fail (code, error);
}

/* ---- End ---- */

/* Sends what is left, for SECONDS at most. */
static void
send_rest (WpRanks *ranks, gdouble seconds)
{
  gint64 end = g_get_monotonic_time () + (gint64)(seconds * G_USEC_PER_SEC);

  while (tidy (ranks, NULL) && ranks->leaving->len > 0 && g_get_monotonic_time () < end)
    g_usleep (1000);
}

void
wp_ranks_leave (WpRanks *ranks, gboolean orderly)
{
  /* In a hurry, some of the others may be gone: MPI_Finalize() would wait for them forever. */
  send_rest (ranks, orderly ? G_MAXINT : HURRY);
  if (orderly)
    MPI_Finalize ();
  /* Letters that have not been sent are not freed: MPI has them as long as there is this process.
   */
  g_ptr_array_unref (ranks->leaving);
  g_free (ranks);
}
