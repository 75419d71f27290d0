/* SPDX-License-Identifier: MIT */
/* Private: values of registers that follow from constants, from the launch, and from a thread's
 * place in its block. */
#pragma once

#include "idg/import/flow/idg-flow.h"

G_BEGIN_DECLS

/* Returns what MEANING computes from its operands. */
guint64 idg_value_compute (const IdgMeaning *meaning, guint64 a, guint64 b, guint64 c);

/* Finds the VALUE of the special register REG, and notes in FLOW that it was touched. Returns FALSE
 * if FACTS do not give it. */
gboolean idg_value_get_special (const IdgFlow *flow, const IdgFacts *facts, guint reg,
                                guint64 *value);

/* Returns what INSTR writes to REG, or NULL if that is not known. */
const IdgMeaning *idg_value_get_meaning (const IdgCode *code, const IdgCodeInstr *instr, guint reg);

/* Tells whether INSTR writes REG. */
gboolean idg_value_is_written (const IdgCode *code, const IdgCodeInstr *instr, guint reg);

/* Finds the VALUE of REG before instruction END of BLOCK, if FACTS and constants make it the same
 * whenever a warp gets there. Examines at most some ten thousand instructions. */
gboolean idg_value_find (const IdgFlow *flow, const IdgFacts *facts, guint block, guint end,
                         guint reg, guint64 *value);

/* Finds the one instruction that writes the value that REG has before instruction END of BLOCK.
 * Returns IDG_FLOW_NONE if there is more than one or if it is guarded. */
guint idg_value_find_writer (const IdgFlow *flow, guint block, guint end, guint reg);

/* Finds the VALUE of REG when a warp enters LOOP, as idg_value_find(). */
gboolean idg_value_find_before (const IdgFlow *flow, const IdgFacts *facts, guint loop, guint reg,
                                guint64 *value);

/* Tells whether REG is written in LOOP, or whether that would take too long to find out. With
 * BESIDE, only writes to blocks that are not marked in IdgTripsRoom.on_path count. */
gboolean idg_value_is_written_in (const IdgFlow *flow, guint loop, guint reg, gboolean beside);

/* Charges the examination of N more instructions to the limit for this listing. Returns FALSE above
 * it. */
gboolean idg_value_may_look (const IdgFlow *flow, guint64 n);

/* Tells whether the conditional branch at the end of BLOCK is taken, if FACTS and constants decide
 * that. */
gboolean idg_value_is_taken (const IdgFlow *flow, const IdgFacts *facts, guint block,
                             gboolean *taken);

G_END_DECLS
