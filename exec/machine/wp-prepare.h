/* SPDX-License-Identifier: MIT */
/* One instruction becomes one step. */
#pragma once

#include "exec/machine/wp-block.h"
#include "exec/machine/wp-ops.h"

G_BEGIN_DECLS

typedef struct
{
  const WpGrid *grid;
  GPtrArray *rows; /* receives the rows that are made: WpConstantRow, by g_aligned_alloc0() */
  guint registers; /* that the steps so far name */
  guint uniforms;  /* likewise */
  guint64 base;    /* of the function */
  WpStepPrepare prepare[WP_SASS_N_OPS];
} WpPreparation;

/* Begins to prepare steps for launches with the constants of GRID. */
void wp_preparation_init (WpPreparation *preparation, const WpGrid *grid, GPtrArray *rows);

/* Fills STEP from INSTR, which has to live as long, and stands at ADDRESS in its function, which is
 * at BASE in the address space of code. A target is an address in step->value. FALSE with a
 * sentence in PROBLEM where its op, or its form, is not covered. */
gboolean wp_step_prepare (WpPreparation *preparation, WpStep *step, const WpSassInstr *instr,
                          guint32 index, guint64 base, guint64 address, gchar **problem);

G_END_DECLS
