/* SPDX-License-Identifier: MIT */
/* Of a plan: what the issue of an instruction can matter to. Private; plain C11. */
#pragma once

#include "sim/engine/core/wp-plan.h"

/* Of PLAN, which is that of MACHINE: sets `issues` of the ops, and what goes with it. O(code x
 * dependences of an instruction). */
void wp_plan_classify (WpPlan *plan, const WpMachine *machine);
