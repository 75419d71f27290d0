/* SPDX-License-Identifier: MIT */
/* Another program that turns text into a file's bytes: it reads INPUT and writes to a stream. */
#pragma once

#include "cli/cli-pace.h"

#include <stdio.h>

G_BEGIN_DECLS

/* Runs ARGV (NULL-terminated, ARGV[0] sought on PATH) with INPUT, and copies what it writes to OUT once it has ended well. A
 * signal of SIGNALS, which the caller holds, ends it: *INTERRUPTED is that signal then, and OUT as it was. False with
 * ERROR (of G_SPAWN_ERROR; G_SPAWN_ERROR_NOENT: there is no such program; of G_FILE_ERROR: the machine failed). */
gboolean wp_child_run (const gchar *const *argv, const GString *input, FILE *out,
                       const WpSignals *signals, gint *interrupted, GError **error);

G_END_DECLS
