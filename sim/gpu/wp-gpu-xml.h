/* SPDX-License-Identifier: MIT */
/* What the files that read GPU descriptions share. Private. */
#pragma once

#include "idg/xml/idg-xml.h"
#include "sim/gpu/wp-gpu-private.h"

G_BEGIN_DECLS

/* ---- wp-gpu-shape.c ---- */

extern const IdgXmlShape wp_gpu_shapes[]; /* of a "gpu" */

/* Whether DOC is what one file must be, whatever it starts from: shape, values, spreads. */
gboolean wp_gpu_check_shape (IdgXmlDoc *doc, GError **error);

/* ---- wp-gpu-chain.c ---- */

/* A description, the one that it starts from, and so on. */
typedef struct
{
  const gchar *const *search; /* or NULL */
  GPtrArray *docs;            /* of IdgXmlDoc: the one asked for first */
  GPtrArray *paths;           /* of gchar: their canonical paths, to see a cycle */
  gchar *folder;              /* of the last one, or NULL where it is from memory */
} WpGpuChain;

void wp_gpu_chain_init (WpGpuChain *chain, const gchar *const *search);
void wp_gpu_chain_clear (WpGpuChain *chain);

/* Takes over DOC, which comes from PATH (NULL: from memory), checks its shape, and reads all that
 * it starts from. */
gboolean wp_gpu_chain_load (WpGpuChain *chain, IdgXmlDoc *doc, const gchar *path, GError **error);

G_END_DECLS
