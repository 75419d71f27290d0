/* SPDX-License-Identifier: MIT */
/* Which op of a GPU an instruction of a kernel runs as, and what of its name that leaves out. A
 * suffix that changes how many bytes a thread moves, or in which type or precision it computes, is
 * accounted for by an op of just that name, or by a rule of the description (`width`), or it is
 * lost: then the instruction runs with figures of another one, and whoever asked is to say so. */
#pragma once

#include "sim/gpu/wp-gpu.h"

G_BEGIN_DECLS

typedef enum
{
  WP_LOSS_NONE,
  WP_LOSS_BYTES, /* the figures are for another number of bytes a thread */
  WP_LOSS_TYPE,  /* the figures are for another type or precision */
  WP_LOSS_ALL,   /* there are no figures: it takes an issue slot alone (wp-nearest.h) */
} WpLoss;

typedef struct
{
  const WpGpuOp *op; /* borrowed; NULL: there is none */
  guint32 bytes;     /* for wp_gpu_op_cost_of(); 0: the op's own figures hold */
  WpLoss loss;
} WpMatch;

/* Returns what an instruction NAME runs as on GPU: wp_gpu_look_up_op(), and what its parts that are
 * not in that op's name change. Names that are not PTX lose nothing. Costs what the look-up
 * does. */
WP_API WpMatch wp_match_find (const WpGpu *gpu, const gchar *name);

/* As wp_match_find() for an instruction NAME that is to run as OP, which may be quite another one
 * (wp-nearest.h). */
WP_API WpMatch wp_match_with (const WpGpuOp *op, const gchar *name);

/* Looks for a part of NAME, if that begins as a PTX instruction, that PTX does not have, as in
 * add.f46; a name that GPU has is right. Returns false with ERROR (of WP_ERROR), without file and
 * line, that suggests what was meant. */
WP_API gboolean wp_match_check_name (const WpGpu *gpu, const gchar *name, GError **error);

G_END_DECLS
