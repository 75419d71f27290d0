/* SPDX-License-Identifier: MIT */
/* Of a plan: what instructions wait for and what their issue can matter to. Private; plain C11. */
#pragma once

#include "sim/engine/core/wp-plan.h"

/* Of PLAN, which is that of MACHINE: sets `issues` of the ops, and what goes with it; and takes
 * from them dependences that are complete whenever their warp comes there, as an instruction
 * before has waited for them, or so much time has passed. False when memory is out. O(code x
 * dependences of an instruction).
 */
bool wp_plan_classify (WpPlan *plan, const WpMachine *machine);
