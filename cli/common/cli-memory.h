/* SPDX-License-Identifier: MIT */
/* --memory-limit, which all commands take. */
#pragma once

#include "cli/common/cli-command.h"

G_BEGIN_DECLS

/* Reads VALUE of the option and lets the process take no more; NULL: three quarters of what there
 * is. False: it is no size. */
gboolean wp_cli_limit_memory (const gchar *value);

/* What is said behind a message of the kind "failed to allocate": the limit that was set, or "". */
const gchar *wp_cli_get_memory_limit_note (void);

G_END_DECLS
