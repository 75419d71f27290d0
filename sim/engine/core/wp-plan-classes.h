/* SPDX-License-Identifier: MIT */
/* Of a plan: what the issue of an instruction can matter to. Private; plain C11. */
#pragma once

#include "sim/engine/core/wp-plan.h"

/* Of PLAN, which is that of MACHINE: sets `issues` of the ops, and what goes with it. O(code x
 * dependences of an instruction). */
void wp_plan_classify (WpPlan *plan, const WpMachine *machine);

/* The same when that is done: sets `implied`, for those who want to know where the time of a warp
 * went. False when memory is out. O(code). */
bool wp_plan_imply (WpPlan *plan, const WpMachine *machine);
