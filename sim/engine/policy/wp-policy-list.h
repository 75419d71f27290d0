/* SPDX-License-Identifier: MIT */
/* All policies, by name. Private to the engine; plain C11. */
#pragma once

#include "sim/engine/core/wp-policy-private.h"

extern const WpPolicy wp_policy_rr, wp_policy_gto, wp_policy_gty, wp_policy_oldest, wp_policy_block,
    wp_policy_two_level;
