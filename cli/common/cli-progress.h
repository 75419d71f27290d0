/* SPDX-License-Identifier: MIT */
/* The progress line: one line on standard error, if that is a terminal, written over again and
 * again, and removed at the end.
 */
#pragma once

#include "run/base/progress.h"

G_BEGIN_DECLS

/* A watcher that shows progress on a terminal, and does nothing elsewhere. It keeps nothing: its
 * data may be replaced. */
WpProgress wp_cli_progress_get (void);

G_END_DECLS
