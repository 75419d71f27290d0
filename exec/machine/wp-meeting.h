/* SPDX-License-Identifier: MIT */
/* The barrier of a whole grid (this_grid().sync() of cooperative groups), in memory that the driver
 * gives to a launch by cudaLaunchCooperativeKernel(): its workspace. A thread of each block adds to
 * a word there, and reads it until its highest bit is another one, which it is when the last block
 * has come.
 *
 * A block that reads in vain would read again, as often as the others take: how often that is
 * nobody knows. So it *holds* before the load instead, and its turn is over; that it has read once
 * is all that its trail says. All go on in the turn after the one in which the last block came, so
 * that they access memory side by side again. The barrier is known by its address, so that it makes
 * no difference which function its code is in, or whether that is optimised. */
#pragma once

#include "exec/machine/wp-block.h"

G_BEGIN_DECLS

/* Whether INSTR, of target SM, reads the address of the workspace. */
gboolean wp_meeting_is_read (guint sm, const WpSassInstr *instr);

/* Whether all blocks of GRID can be resident at a time, as a cooperative launch needs it. */
gboolean wp_meeting_fits (const WpGrid *grid);

/* Gives GRID its workspace, zeroed: a buffer in its memory with a name that no launch can name.
 * FALSE with an error of IDG_ERROR: there are too many buffers. */
gboolean wp_meeting_begin (WpGrid *grid, GError **error);

/* Whether STEP, which is prepared, is a load by which blocks may wait for one another. */
gboolean wp_meeting_is_wait (const WpStep *step);

/* Has STEP, which is prepared, see to the barrier of a grid with a workspace, if it may be an
 * access to it. */
void wp_meeting_watch (WpStep *step);

G_END_DECLS
