/* SPDX-License-Identifier: MIT */
/* Processes ("ranks"), perhaps on many machines, that mpirun has started together to make one
 * sweep, and their messages. They are numbered from 0; rank 0 leads. sweep-ranks-mpi.c is built on
 * Open MPI and the only file that sees it; without configure's --with-mpi, sweep-ranks-none.c takes
 * its place, and there is only ever one process.
 *
 * Only one thread of a process may call these functions.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct WpRanks WpRanks;

/* Whether the environment shows that this process was started as one of several. */
gboolean wp_ranks_are_there (void);

/* Joins the others. Signals must be blocked by then, as MPI starts threads. NULL where that fails:
 * with ERROR in the process that is to print it, without in the others. */
WpRanks *wp_ranks_join (GError **error);

guint wp_ranks_get_own (const WpRanks *ranks);
guint wp_ranks_count (const WpRanks *ranks); /* 1 for NULL */

/* All ranks call this together: returns what rank 0 called it with. */
gint wp_ranks_share (WpRanks *ranks, gint number);

/* All ranks call this together: whether all came with the same DIGEST; "": this one could not make
 * the sweep. False with ERROR in rank 0, which names the rank that differs; in others without. */
gboolean wp_ranks_agree (WpRanks *ranks, const gchar *digest, GError **error);

/* ---- Messages. No call waits, so that a rank can work, or sleep, until one comes ---- */

typedef enum
{
  WP_MESSAGE_ROWS,   /* to a rank: rows to find */
  WP_MESSAGE_END,    /* to a rank: there are no more */
  WP_MESSAGE_FOUND,  /* to rank 0: rows that were found */
  WP_MESSAGE_FAILED, /* to rank 0: the machine failed, and how */
} WpMessageKind;

typedef struct
{
  guint rank; /* that it comes from or goes to */
  WpMessageKind kind;
  GByteArray *bytes; /* owned */
} WpMessage;

void wp_message_clear (WpMessage *message);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpMessage, wp_message_clear)

/* Sends MESSAGE, whose bytes are taken over. False with ERROR. */
gboolean wp_ranks_send (WpRanks *ranks, WpMessage *message, GError **error);

/* The next message, if there is one: else MESSAGE has no bytes. False with ERROR. */
gboolean wp_ranks_receive (WpRanks *ranks, WpMessage *message, GError **error);

/* Leaves. ORDERLY: all ranks do, and wait for each other; else messages may be lost, and mpirun
 * ends the others. */
void wp_ranks_leave (WpRanks *ranks, gboolean orderly);

/* ---- Private to sweep-ranks*.c ---- */

/* The number of processes that were started together, as far as the environment shows: 1 where it
 * shows only that there may be others, 0 where it shows none. */
guint wp_ranks_count_started (void);

G_END_DECLS
