/* SPDX-License-Identifier: MIT */
/* Contexts of accesses whose addresses make them cost more than they need. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the share, 0 to 1, of the executions of OP in CONTEXT (a mix has several kinds; NULL: it
 * has none) whose addresses cost more than as many bytes need: bank conflicts, strides, sectors of
 * which little is used. What a description's context is called decides, and for counts the bytes
 * that OP moves: conflict-4 is none for 16 bytes a thread, and for ldmatrix of four matrices.
 * O(length of both). */
gdouble wp_costly_find_share (const gchar *op, const gchar *context);

G_END_DECLS
