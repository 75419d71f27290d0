/* SPDX-License-Identifier: MIT */
/* Warp scheduling policies: which of a scheduler's warps that can issue does (MODEL.md, sections 5
 * and 8). Plain C11.
 *
 * A policy is one small file, wp-policy-NAME.c, and a line in the table of wp-policy.c.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/wp-macros.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct WpPolicy WpPolicy;

/* The policy called NAME, or NULL. */
WP_API const WpPolicy *wp_policy_find (const char *name);

/* The I-th policy in the order of `warpipe list policies`, or NULL past the last. */
WP_API const WpPolicy *wp_policy_get (size_t i);

/* What it is called on the command line, and what it does in a line. Static. */
WP_API const char *wp_policy_get_name (const WpPolicy *policy);
WP_API const char *wp_policy_get_summary (const WpPolicy *policy);

/* Whether it can choose in dataflow order, too. */
WP_API bool wp_policy_takes_dataflow (const WpPolicy *policy);

#ifdef __cplusplus
}
#endif
