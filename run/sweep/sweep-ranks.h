/* SPDX-License-Identifier: MIT */
/* Processes, perhaps on many machines, that mpirun has started together to make one sweep, and what
 * they say to each other. They are numbered from 0; rank 0 leads. sweep-ranks-mpi.c is over Open
 * MPI, and the only file that sees it; without configure's --with-mpi, sweep-ranks-none.c is there
 * in its place, and there is always one process only.
 *
 * Only one thread of a process may call these.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct WpRanks WpRanks;

/* Whether this process was started as one of several, as its environment says. */
gboolean wp_ranks_are_there (void);

/* Joins the others. Signals are to be held by then, as MPI starts threads. NULL with ERROR where
 * that cannot be, but without one where another process says so. */
WpRanks *wp_ranks_join (GError **error);

guint wp_ranks_get_own (const WpRanks *ranks);
guint wp_ranks_count (const WpRanks *ranks); /* 1 for NULL */

/* All ranks call this together: returns what rank 0 called it with. */
gint wp_ranks_share (WpRanks *ranks, gint number);

/* All ranks call this together: whether all came with the same MARK; "": this one could not make
 * the sweep. False with ERROR in rank 0, which says whose differs; in others without. */
gboolean wp_ranks_agree (WpRanks *ranks, const gchar *mark, GError **error);

/* ---- Messages: none waits, so that a rank can do something else, or sleep, until there is news
 * ---- */

typedef enum
{
  WP_MESSAGE_ROWS,   /* to a rank: rows to find */
  WP_MESSAGE_END,    /* to a rank: there are no more */
  WP_MESSAGE_FOUND,  /* to rank 0: rows that were found */
  WP_MESSAGE_FAILED, /* to rank 0: the machine failed, and how */
} WpMessageKind;

typedef struct
{
  guint rank; /* whom it comes from or goes to */
  WpMessageKind kind;
  GByteArray *bytes; /* owned */
} WpMessage;

void wp_message_clear (WpMessage *message);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpMessage, wp_message_clear)

/* Sends MESSAGE, whose bytes are taken over. False with ERROR. */
gboolean wp_ranks_send (WpRanks *ranks, WpMessage *message, GError **error);

/* The next message, if there is one: else MESSAGE has no bytes. False with ERROR. */
gboolean wp_ranks_receive (WpRanks *ranks, WpMessage *message, GError **error);

/* Leaves. ORDERLY: all ranks do, and wait for each other; else messages may be lost, and the others
 * are ended by what started them. */
void wp_ranks_leave (WpRanks *ranks, gboolean orderly);

/* ---- Private to sweep-ranks*.c ---- */

/* The number of processes that were started together, as far as the environment says: 1 where it
 * tells only that there may be others, 0 where it tells of none. */
guint wp_ranks_count_started (void);

G_END_DECLS
