/* SPDX-License-Identifier: MIT */
/* The named barriers of a kernel (MODEL.md, section 14). A name is the kernel's: warps of several
 * programs meet at it. */
#pragma once

#include "idg/kernel/idg-kernel.h"

G_BEGIN_DECLS

typedef struct
{
  const gchar *name;      /* borrowed from the kernel */
  guint32 warps;          /* how many comings release it; 0: those of all warps of the block */
  const IdgNode *barrier; /* the first <barrier> of that name */
  const IdgNode *first;   /* the first node of that name */
} IdgBarrier;

/* Returns the named barriers of KERNEL, an array of IdgBarrier in the order in which the programs
 * name them; empty where there are none. Fails with IDG_ERROR_VALUE where a name has two numbers of
 * warps, or only arrives, or where there are more than IDG_MAX_BARRIERS. Free with g_array_unref().
 * O(nodes). */
IDG_API GArray *idg_kernel_list_barriers (const IdgKernel *kernel, GError **error);

/* Returns the place of NAME in BARRIERS, or G_MAXUINT. O(BARRIERS). */
IDG_API guint idg_barriers_find (const GArray *barriers, const gchar *name);

/* Returns how NODE reads: "ld.global stride-2", "barrier", "barrier full (4 warps)", "arrive full".
 * Free with g_free(). */
IDG_API gchar *idg_node_describe (const IdgNode *node);

G_END_DECLS
