/* SPDX-License-Identifier: MIT */
/* Of a plan: what instructions wait for and what their issue can matter to. Private; plain C11. */
#pragma once

#include "sim/engine/core/wp-plan.h"

/* Takes from the ops dependences that are complete whenever their warp comes there, as an
 * instruction before has waited for them, or so much time has passed. False when memory is out.
 * O(dependences). */
bool wp_plan_prune (WpPlan *plan, const WpMachine *machine);

/* Sets `issues` of the ops, and what goes with it. O(code x dependences of an instruction). */
void wp_plan_find_classes (WpPlan *plan, const WpMachine *machine);
