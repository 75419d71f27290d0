/* SPDX-License-Identifier: MIT */
/* Processes find rows, each with a pool of threads: this process, and those of the other ranks if
 * there are any. This thread hands rows out, in order and not too far ahead, and gives those that
 * come back to the file. Nothing else writes.
 *
 * How many rows a process has at a time depends on how long its rows take: enough for AHEAD
 * seconds, so that it waits neither for messages nor for this thread while it syncs the file, but
 * no more than its share of the rows that are left, so that all processes end at about the same
 * time.
 */
#include "run/sweep/sweep-run.h"

#include "run/sweep/sweep-message.h"

#define AHEAD 0.25 /* seconds: a sync of a slow disk, or dozens of looks for messages */
#define LOOK 0.002 /* seconds between two looks for messages */
#define SYNC 0.5   /* seconds between two syncs: what a crash may cost */

/* A process, as this one knows it. */
typedef struct
{
  guint64 n_out;   /* rows that it is finding */
  gdouble seconds; /* that a row takes, lately; 0: not known */
} Hand;

typedef struct
{
  WpSweepRun *run;
  const WpSweep *sweep;
  WpSweepFile *file;
  WpSweepThreads *threads; /* of this process */
  Hand *hands;             /* [n_hands]: this process, then the other ranks */
  guint n_hands;
  guint64 first; /* rows that were there already */
  guint64 next;  /* to hand out */
  gdouble synced;
} Pool;

/* ---- Handing out ---- */

/* How many rows HAND should be finding now. */
static guint64
get_quota (const Pool *pool, const Hand *hand)
{
  guint64 cores = pool->run->max_cores;
  guint64 share = cores + (pool->sweep->n_rows - pool->next) / (2 * pool->n_hands);
  guint64 most = MAX (WP_SWEEP_WINDOW / (2 * pool->n_hands), cores);
  gdouble wanted = (gdouble)cores * (hand->seconds > 0 ? 1 + AHEAD / hand->seconds : 2);

  return (guint64)MIN (wanted, (gdouble)MIN (share, most));
}

/* The next N rows that are missing, or as many as there are. */
static GByteArray *
take_rows (Pool *pool, guint64 n)
{
  guint64 end = MIN (pool->sweep->n_rows, wp_sweep_file_get_next (pool->file) + WP_SWEEP_WINDOW);
  GByteArray *rows = g_byte_array_new ();

  for (; pool->next < end && rows->len < n * sizeof (guint64); pool->next++)
    if (!wp_sweep_file_has (pool->file, pool->next))
      g_byte_array_append (rows, (const guint8 *)&pool->next, sizeof (guint64));
  return rows;
}

static gboolean
give (Pool *pool, guint rank, GByteArray *rows, GError **error)
{
  g_auto (WpMessage) message = { rank, WP_MESSAGE_ROWS, rows };

  pool->hands[rank].n_out += rows->len / sizeof (guint64);
  if (rank > 0 && rows->len > 0)
    return wp_ranks_send (pool->run->ranks, &message, error);
  for (guint at = 0; at < rows->len; at += sizeof (guint64))
    wp_sweep_threads_push (pool->threads, *(const guint64 *)(gpointer)(rows->data + at));
  return TRUE;
}

/* A process gets more when half its quota has come back, so that messages are few. */
static gboolean
hand_out (Pool *pool, GError **error)
{
  for (guint i = 0; i < pool->n_hands && pool->next < pool->sweep->n_rows; i++)
    {
      guint64 quota = get_quota (pool, &pool->hands[i]);
      guint64 spare = (quota - pool->run->max_cores) / 2;

      if (pool->hands[i].n_out + MAX (spare, 1) <= quota
          && !give (pool, i, take_rows (pool, quota - pool->hands[i].n_out), error))
        return FALSE;
    }
  return TRUE;
}

/* ---- Taking back ---- */

/* Takes a row that RANK has ended. */
static gboolean
take_back (Pool *pool, guint rank, WpSweepJob *job, GError **error)
{
  Hand *hand = &pool->hands[rank];

  hand->n_out--;
  if (job->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&job->error));
      return FALSE;
    }
  if (job->row.text == NULL)
    return TRUE;
  hand->seconds = hand->seconds > 0 ? 0.75 * hand->seconds + 0.25 * job->seconds : job->seconds;
  pool->run->refused += job->row.refused;
  return wp_sweep_file_put (pool->file, job->row.index, g_steal_pointer (&job->row.text), error);
}

/* Takes rows from this process; waits for SECONDS at most where there is none. */
static gboolean
take_own (Pool *pool, gdouble seconds, GError **error)
{
  for (;; seconds = 0)
    {
      g_autoptr (WpSweepJob) job = wp_sweep_threads_pop (pool->threads, seconds);

      if (job == NULL)
        return TRUE;
      if (!take_back (pool, 0, job, error))
        return FALSE;
    }
}

static gboolean
take_message (Pool *pool, const WpMessage *message, GError **error)
{
  gsize at = 0;

  if (message->kind == WP_MESSAGE_FAILED)
    {
      g_set_error (error, WP_ERROR, WP_ERROR_MEMORY, "rank %u: %.*s", message->rank,
                   (gint)message->bytes->len, (const gchar *)message->bytes->data);
      return FALSE;
    }
  for (;;)
    {
      g_autoptr (WpSweepJob) job = wp_sweep_message_take (message->bytes, &at);

      if (job == NULL)
        return TRUE;
      if (!take_back (pool, message->rank, job, error))
        return FALSE;
    }
}

/* Takes the messages of other ranks that are there, but no more than all of them may have sent in
 * the meantime. */
static gboolean
take_messages (Pool *pool, GError **error)
{
  for (guint i = 0; i < 2 * (pool->n_hands - 1); i++)
    {
      g_auto (WpMessage) message = { 0 };

      if (!wp_ranks_receive (pool->run->ranks, &message, error))
        return FALSE;
      if (message.bytes == NULL)
        return TRUE;
      if (!take_message (pool, &message, error))
        return FALSE;
    }
  return TRUE;
}

static void
report_progress (const Pool *pool, WpProgressMeter *meter)
{
  WpProgressReport report
      = { .work = WP_WORK_ROWS, .total = pool->sweep->n_rows, .earlier = pool->first };

  if (!wp_progress_meter_is_due (meter))
    return;
  report.done = wp_sweep_file_count (pool->file);
  report.share
      = ((gdouble)report.done + wp_sweep_threads_get_begun (pool->threads)) / (gdouble)report.total;
  report.share = MIN (report.share, 1);
  wp_progress_meter_report (meter, &report);
}

static gboolean
sync_if_due (Pool *pool, const WpProgressMeter *meter, GError **error)
{
  gdouble now = wp_progress_meter_get_elapsed (meter);

  if (now - pool->synced < SYNC)
    return TRUE;
  pool->synced = now;
  return wp_sweep_file_sync (pool->file, error);
}

/* Until all rows are there, or it is interrupted. */
static gboolean
go (Pool *pool, GError **error)
{
  const gdouble look = pool->n_hands > 1 ? LOOK : WP_PROGRESS_INTERVAL;
  g_auto (WpProgressMeter) meter = { 0 };
  WpSweepRun *run = pool->run;
  gboolean goes_on = TRUE;

  wp_progress_meter_init (&meter, run->progress);
  while (goes_on && wp_sweep_file_get_next (pool->file) < pool->sweep->n_rows)
    {
      if (!hand_out (pool, error) || !take_own (pool, look, error) || !take_messages (pool, error)
          || !sync_if_due (pool, &meter, error))
        return FALSE;
      run->interrupted = wp_progress_is_cancelled (run->progress);
      goes_on = run->interrupted == 0 && !wp_sweep_threads_have_stopped (pool->threads);
      report_progress (pool, &meter);
    }
  return TRUE;
}

/* ---- Beginning and end ---- */

static void
pool_init (Pool *pool, WpSweepRun *run, const WpSweep *sweep, WpSweepFile *file)
{
  *pool = (Pool){ .run = run, .sweep = sweep, .file = file };
  pool->n_hands = wp_ranks_count (run->ranks);
  pool->hands = g_new0 (Hand, pool->n_hands);
  pool->first = wp_sweep_file_count (file);
  pool->next = wp_sweep_file_get_next (file);
}

static void
pool_clear (Pool *pool)
{
  wp_sweep_threads_free (pool->threads);
  g_free (pool->hands);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pool, pool_clear)

/* Rows that were done when the others were stopped count, too. The first error is the one that is
 * returned. */
static gboolean
end (Pool *pool, gboolean done, GError **error)
{
  wp_sweep_threads_stop (pool->threads);
  done = take_own (pool, 0, done ? error : NULL) && done;
  done = take_messages (pool, done ? error : NULL) && done;
  return wp_sweep_file_sync (pool->file, done ? error : NULL) && done;
}

gboolean
wp_sweep_run (WpSweepRun *run, const WpSweep *sweep, WpSweepFile *file, GError **error)
{
  g_auto (Pool) pool = { 0 };
  gboolean done;

  pool_init (&pool, run, sweep, file);
  run->interrupted = 0;
  run->refused = 0;
  pool.threads = wp_sweep_threads_new (sweep, run->max_cores, run->max_issues, error);
  if (pool.threads == NULL)
    return FALSE;
  done = go (&pool, error);
  done = end (&pool, done, error);
  if (run->interrupted == 0 && done && wp_sweep_file_get_next (file) < sweep->n_rows)
    run->interrupted = WP_CANCELLED_LIMIT;
  return done;
}

void
wp_sweep_end_help (WpSweepRun *run, WpSweepEnd end)
{
  for (guint i = 1; i < wp_ranks_count (run->ranks); i++)
    {
      g_auto (WpMessage) message = { i, WP_MESSAGE_END, g_byte_array_new () };

      g_byte_array_append (message.bytes, (const guint8 *)&end, sizeof end);
      wp_ranks_send (run->ranks, &message, NULL);
    }
}
