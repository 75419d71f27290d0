/* SPDX-License-Identifier: MIT */
/* What the execution of a launch assumed, in sentences. */
#pragma once

#include "exec/machine/wp-run.h"
#include "exec/memory/wp-memory.h"

G_BEGIN_DECLS

/* The notes of RESULT, of gchar: "k.cu:12: ...", in the order of the code; of a program at PATH.
 * Free with g_ptr_array_unref(). */
GPtrArray *wp_notes_describe (const WpExecResult *result, const WpMemory *memory,
                              const gchar *path);

/* The same of what was assumed (WpExecOptions.failed) until the execution of CODE failed. */
GPtrArray *wp_notes_describe_assumed (const GArray *assumed, const WpKernelCode *code,
                                      const WpMemory *memory, const gchar *path);

/* The name of the buffer in MEMORY whose unknown data TAG is of, for --data; borrowed. NULL: not
 * known, of several, or somebody has said what is in it, and unknown data were stored there. */
const gchar *wp_notes_name_source (const WpMemory *memory, WpTag tag);

/* The same in words: "in, which HOW", or "sums, to which data were stored that nobody gave". Free
 * with g_free(). */
gchar *wp_notes_describe_source (const WpMemory *memory, WpTag tag, const gchar *how);

G_END_DECLS
