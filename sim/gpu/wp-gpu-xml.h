/* SPDX-License-Identifier: MIT */
/* Private: declarations shared by the files that read GPU descriptions. */
#pragma once

#include "idg/xml/idg-xml.h"
#include "sim/gpu/wp-gpu-private.h"

G_BEGIN_DECLS

/* ---- wp-gpu-shape.c ---- */

extern const IdgXmlShape wp_gpu_shapes[]; /* of a "gpu" */

/* Whether DOC is what one file must be, whatever it starts from: shape, values, spreads. */
gboolean wp_gpu_check_shape (IdgXmlDoc *doc, GError **error);

/* ---- wp-gpu-chain.c ---- */

/* A description, the one that it inherits from by `like`, and so on. */
typedef struct
{
  const gchar *const *search; /* or NULL */
  GPtrArray *docs;            /* of IdgXmlDoc: first the one that was asked for */
  GPtrArray *paths;           /* of gchar: their canonical paths, to detect a cycle */
  gchar *folder;              /* the directory of the last one, or NULL if that comes from memory */
} WpGpuChain;

void wp_gpu_chain_init (WpGpuChain *chain, const gchar *const *search);
void wp_gpu_chain_clear (WpGpuChain *chain);

/* Takes ownership of DOC, which comes from PATH (NULL: from memory), checks it, and reads all
 * descriptions that it inherits from. */
gboolean wp_gpu_chain_load (WpGpuChain *chain, IdgXmlDoc *doc, const gchar *path, GError **error);

G_END_DECLS
