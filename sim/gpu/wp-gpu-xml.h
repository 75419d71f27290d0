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

/* ---- wp-gpu-scale.c ---- */

/* Whose `scale` an op's times are multiplied by: for each description of the chain, the base's
 * first, an <op> of it, that of the op or the nearest of those that it is like; or NULL. The same
 * for the contexts that it scales. */
typedef struct
{
  const IdgXmlNode *by[WP_MAX_LIKE];
  const IdgXmlNode *contexts_by[WP_MAX_LIKE];
} WpGpuScales;

/* Checks the `scale` of NODE, an <op>, if it has one. OP: with what it has so far; INHERITED:
 * whether that is from an op that it is like, or from an earlier description. */
gboolean wp_gpu_check_scale (const WpGpuOp *op, const IdgXmlNode *node, gboolean inherited,
                             GError **error);

/* Multiplies all latencies of OP by the `scale` of NODE: its own, and those of its contexts,
 * consumers and spreads. */
gboolean wp_gpu_scale_copy (WpGpuOp *op, const IdgXmlNode *node, GError **error);

/* Checks NODE, a <context> with `scale`. CONTEXT: the one that it scales, or NULL. */
gboolean wp_gpu_check_context_scale (const WpGpuContext *context, const IdgXmlNode *node,
                                     GError **error);

/* Multiplies the latencies of CONTEXT, of the op NAME, by the `scale` of NODE. */
gboolean wp_gpu_scale_context (WpGpuContext *context, const gchar *name, const IdgXmlNode *node,
                               GError **error);

/* Multiplies all times of GPU, complete but for that: by the SCALES of its ops, and by what its
 * pipelines say: `scale`, `units`, `share`. ROOTS: the <gpu> elements, the base's first. Linear in
 * all that they hold, times the number of pipelines. */
gboolean wp_gpu_scale_inherited (WpGpu *gpu, const GPtrArray *roots, const WpGpuScales *scales,
                                 GError **error);

G_END_DECLS
