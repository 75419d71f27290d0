/* SPDX-License-Identifier: MIT */
/* A rank above 0. Threads find rows; the main thread listens to rank 0, and sends the rows that
 * were found: at once where there are no more to find, else many in a message.
 */
#include "run/sweep/sweep-message.h"
#include "run/sweep/sweep-run.h"

#include <string.h>

#define LOOK 0.002 /* seconds between two looks for messages */
#define LINGER 5   /* seconds in which rank 0 ends all, once this one cannot go on */
#define SEND 0.02  /* seconds between two messages of a rank that has rows to find still */

typedef struct
{
  WpSweepRun *run;
  WpSweepThreads *threads;
  GByteArray *found; /* not sent yet */
  guint n_out;       /* rows that threads have */
  gint64 sent;       /* when the last message went */
  gboolean stopped;  /* there are no threads any more */
  gboolean ended;    /* rank 0 has sent `end` */
  WpSweepEnd end;
} Help;

static gboolean
send (Help *help, WpMessageKind kind, GByteArray *bytes, GError **error)
{
  g_auto (WpMessage) message = { 0, kind, bytes };

  return wp_ranks_send (help->run->ranks, &message, error);
}

static void
push (Help *help, const GByteArray *rows)
{
  for (guint at = 0; at < rows->len; at += sizeof (guint64), help->n_out++)
    {
      guint64 row;

      memcpy (&row, rows->data + at, sizeof row);
      wp_sweep_threads_push (help->threads, row);
    }
}

static gboolean
listen (Help *help, GError **error)
{
  for (;;)
    {
      g_auto (WpMessage) message = { 0 };

      if (!wp_ranks_receive (help->run->ranks, &message, error))
        return FALSE;
      if (message.bytes == NULL)
        return TRUE;
      if (message.kind == WP_MESSAGE_END)
        {
          memcpy (&help->end, message.bytes->data, sizeof help->end);
          help->ended = TRUE;
        }
      else if (!help->stopped)
        push (help, message.bytes);
    }
}

/* Takes the rows that threads have found. */
static gboolean
collect (Help *help, GError **error)
{
  gdouble seconds = LOOK;

  for (;; seconds = 0)
    {
      g_autoptr (WpSweepJob) job = wp_sweep_threads_pop (help->threads, seconds);

      if (job == NULL)
        return TRUE;
      help->n_out--;
      if (job->error != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&job->error));
          return FALSE;
        }
      if (job->row.text != NULL)
        wp_sweep_message_add (help->found, job);
    }
}

static gboolean
send_if_due (Help *help, GError **error)
{
  gint64 now = g_get_monotonic_time ();
  GByteArray *found;

  if (help->found->len == 0
      || (help->n_out > 0 && now - help->sent < (gint64)(SEND * G_USEC_PER_SEC)))
    return TRUE;
  help->sent = now;
  found = g_steal_pointer (&help->found);
  help->found = g_byte_array_new ();
  return send (help, WP_MESSAGE_FOUND, found, error);
}

/* Until rank 0 ends it, or it is interrupted. */
static gboolean
go (Help *help, GError **error)
{
  while (!help->ended)
    {
      help->run->interrupted = wp_progress_is_cancelled (help->run->progress);
      if (help->run->interrupted != 0)
        return TRUE;
      if (!listen (help, error) || !collect (help, error) || !send_if_due (help, error))
        return FALSE;
    }
  return TRUE;
}

/* Waits for rank 0 to end all. mpirun gives ranks a second between SIGTERM and SIGKILL, but only
 * until the first of them ends, which should be rank 0, as it has a file to close. */
static void
wait_for_end (Help *help)
{
  gint64 latest = g_get_monotonic_time () + (gint64)(LINGER * G_USEC_PER_SEC);

  while (!help->ended && listen (help, NULL) && g_get_monotonic_time () < latest)
    g_usleep ((gulong)(LOOK * G_USEC_PER_SEC));
}

/* Sends the error to rank 0, which prints it. */
static void
report (Help *help, const GError *error)
{
  GByteArray *text = g_byte_array_new ();

  g_byte_array_append (text, (const guint8 *)error->message, (guint)strlen (error->message));
  send (help, WP_MESSAGE_FAILED, text, NULL);
}

gboolean
wp_sweep_help (WpSweepRun *run, const WpSweep *sweep, WpSweepEnd *end)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpSweepThreads) threads
      = wp_sweep_threads_new (sweep, run->max_cores, run->max_issues, &error);
  g_autoptr (GByteArray) found = NULL;
  Help help = { .run = run, .threads = threads, .found = g_byte_array_new () };

  run->interrupted = 0;
  if (threads == NULL || !go (&help, &error))
    report (&help, error);
  help.stopped = TRUE;
  if (threads != NULL)
    wp_sweep_threads_stop (threads);
  wait_for_end (&help);
  found = help.found;
  *end = help.end;
  return help.ended;
}
