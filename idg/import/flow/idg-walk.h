/* SPDX-License-Identifier: MIT */
/* Private: the path that a warp takes through a listing once its branches are decided and its loops
 * are counted. It is a list of steps in the order of execution; repeats and the two sides of a
 * divergent branch are brackets in it. */
#pragma once

#include "idg/import/flow/idg-plan.h"

G_BEGIN_DECLS

typedef enum
{
  IDG_STEP_INSTR,
  IDG_STEP_REPEAT, /* repeats the steps up to its IDG_STEP_END `arg` times */
  IDG_STEP_END,
  IDG_STEP_BOTH, /* one side up to its IDG_STEP_ELSE, then the other up to its IDG_STEP_JOIN */
  IDG_STEP_ELSE,
  IDG_STEP_JOIN,
} IdgStepKind;

typedef struct
{
  IdgStepKind kind;
  guint arg;      /* the instruction, or the number of iterations */
  gboolean taken; /* whether a branch is taken */
  guint node;     /* for idg-layout.c: the index of its node in the program */
} IdgStep;

/* The most steps of one path. Code after a divergent branch can occur on both of its sides, so that
 * the path may be longer than the listing. */
#define IDG_WALK_MAX_STEPS (1 << 21)
/* How deep divergent branches may nest. */
#define IDG_WALK_MAX_SIDES 256

/* Returns the steps (a GArray of IdgStep) of a warp through FLOW. What has to be assumed becomes a
 * note of IMPORT; what came of the hints is added to OUTCOME. Returns NULL with an error if the
 * path cannot be expressed in loops (the code jumps into one) or is too long. O(steps and blocks),
 * and at most 2^26 blocks in all between divergent branches and their joins. */
GArray *idg_walk (const IdgFlow *flow, const IdgDecisions *decisions, IdgOutcome *outcome,
                  IdgImport *import, GError **error);

G_END_DECLS
