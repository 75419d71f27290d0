/* SPDX-License-Identifier: MIT */
/* Signals that end a program. Where they are held back, so that files are made whole or removed
 * first, whoever waits for something else looks for them. */
#pragma once

#include <glib.h>
#include <signal.h>

G_BEGIN_DECLS

/* Sets SIGNALS to those that would end this process: from a terminal, a batch system or another
 * process, and not ignored (nohup, a shell's background). */
void idg_signals_list (sigset_t *signals);

/* The number of one that has come and is held back, or 0. It stays. */
gint idg_signals_get_waiting (void);

/* Remembers that one has come and was taken: from now on nobody should be waited for. */
void idg_signals_set_taken (gboolean taken);
gboolean idg_signals_is_taken (void);

G_END_DECLS
