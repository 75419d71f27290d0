/* SPDX-License-Identifier: MIT */
/* What looks forgotten in a kernel: results that nobody uses, and repeats whose rounds do not wait
 * for one another. Neither is wrong, but both make a kernel run faster than what it stands for. */
#pragma once

#include "idg/kernel/idg-kernel.h"

G_BEGIN_DECLS

/* Tells whether an instruction whose op is called NAME is there for its result, judging by the
 * mnemonics of PTX: of a name that is not among them nothing is known, and it is not. */
IDG_API gboolean idg_op_has_result (const gchar *name);

/* Returns what looks forgotten in KERNEL, an array of gchar *, each "FILE:LINE: what; what to
 * write"; empty where there is nothing. In the order of the file. Free with g_ptr_array_unref().
 * O(nodes and dependences). */
IDG_API GPtrArray *idg_kernel_find_unused (const IdgKernel *kernel);

/* Takes MESSAGE, which is borrowed. FALSE: no more is wanted. */
typedef gboolean (*IdgUnusedFunc) (gpointer data, const gchar *message);

/* The same, one by one: a large kernel may have a million. */
IDG_API void idg_kernel_each_unused (const IdgKernel *kernel, IdgUnusedFunc func, gpointer data);

G_END_DECLS
