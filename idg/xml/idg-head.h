/* SPDX-License-Identifier: MIT */
/* Private: the first bytes of a file, which tell what it is. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Reads at most ROOM bytes from the beginning of the file at PATH into HEAD. Returns how many: 0
 * for what is no regular file (a pipe keeps what it has) or cannot be read. Needs no memory, whose
 * lack would make one kind of file look like another. */
gsize idg_read_head (const gchar *path, gchar *head, gsize room);

G_END_DECLS
