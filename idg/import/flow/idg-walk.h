/* SPDX-License-Identifier: MIT */
/* Private: the way that a warp takes through a listing, once its branches are decided and its loops
 * counted: a list of steps in the order of execution, in which repeats and the two sides of a
 * divergent branch are brackets. */
#pragma once

#include "idg/import/base/idg-import-options.h"
#include "idg/import/flow/idg-flow.h"

G_BEGIN_DECLS

typedef enum
{
  IDG_STEP_INSTR,
  IDG_STEP_REPEAT, /* up to its IDG_STEP_END, `arg` times */
  IDG_STEP_END,
  IDG_STEP_BOTH, /* one side up to its IDG_STEP_ELSE, then the other up to its IDG_STEP_JOIN */
  IDG_STEP_ELSE,
  IDG_STEP_JOIN,
} IdgStepKind;

typedef struct
{
  IdgStepKind kind;
  guint arg;      /* the instruction, or how often */
  gboolean taken; /* of a branch */
  guint node;     /* for the layout: where it stands in the program */
} IdgStep;

/* Most steps of one way: what is not in a loop may stand on both sides of many branches. */
#define IDG_WALK_MAX_STEPS (1 << 21)
/* Divergent branches inside one another. */
#define IDG_WALK_MAX_SIDES 256

typedef enum
{
  IDG_HINT_NONE,
  IDG_HINT_TAKEN,
  IDG_HINT_NOT,
  IDG_HINT_BOTH,
} IdgHint;

#define IDG_TRIPS_UNKNOWN (-1)

/* What was told of a listing, for the warps that it holds for. */
typedef struct
{
  const guint8 *branches; /* IdgHint, by instruction */
  const guint *targets;   /* of an indexed branch that is taken: which one; by instruction */
  const gint64
      *trips; /* of the loop whose first instruction it is, or IDG_TRIPS_UNKNOWN; by instruction */
  gint64
      other_trips; /* of all other loops whose count the code does not give, or IDG_TRIPS_UNKNOWN */
  gboolean breaks_hint; /* all branches were told of, so that those that would leave a loop early
                           are known to stay */
} IdgDecisions;

/* The steps (a GArray of IdgStep) of a warp through FLOW. What had to be assumed goes to IMPORT's
 * notes. NULL with an error where the way cannot be told in loops (a jump into one), or is too
 * long. O(steps and blocks), and 2^26 blocks at most between divergent branches and their joins,
 * all together. */
GArray *idg_walk (const IdgFlow *flow, const IdgDecisions *decisions, IdgImport *import,
                  GError **error);

G_END_DECLS
