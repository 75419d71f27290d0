/* SPDX-License-Identifier: MIT */
/* What atomics compute: the function of an instruction's operation and type. It knows nothing of
 * memory. */
#pragma once

#include "exec/machine/wp-ops.h"
#include "exec/memory/wp-memory.h"

G_BEGIN_DECLS

typedef struct
{
  const gchar *word; /* of the operation: "ADD", "CAS", ... (static) */
  guint operation;   /* for wp_atomic_get() */
  guint bytes;       /* of a lane, all elements together */
  guint part;        /* bytes of an element: 4 or 8 */
} WpAtomic;

/* Finds what the words of STEP mean; FALSE: there is no such. */
gboolean wp_atomic_find (const WpStep *step, WpAtomic *atomic);

/* The same where what is changed has the type that TYPE ("F32") says, whatever the words do. */
gboolean wp_atomic_find_of (const WpStep *step, const gchar *type, WpAtomic *atomic);

/* The function of an operation and type. */
WpModify wp_atomic_get (guint operation);

/* Prepares an atomic on memory (wp-ops-atomic.c). */
gboolean wp_step_prepare_atomic (WpStep *step, gchar **problem);

/* An arrival at an mbarrier as it is from sm_90 on: OPERANDS are how many arrive, and how many
 * bytes are expected to come (as a signed number: less than 0 where they have). */
guint64 wp_atomic_arrive (guint64 old, const guint64 operands[2]);

/* Applies MODIFICATION to the word of WARP's SPACE (device or shared memory) at ADDRESS, and keeps
 * where unknown data in shared memory come from. FALSE with FAULT (whose lane is not set). */
gboolean wp_warp_modify (WpWarp *warp, WpSpace space, guint64 address, WpModification *modification,
                         WpFault *fault);

/* Leaves what is there, and puts operand 0 there. */
guint64 wp_atomic_load (guint64 old, const guint64 operands[2]);
guint64 wp_atomic_exchange (guint64 old, const guint64 operands[2]);

G_END_DECLS
