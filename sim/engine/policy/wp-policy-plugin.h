/* SPDX-License-Identifier: MIT */
/* Policies from outside (include/warpipe/policy.h), behind the same seam as those that are built
 * in. How their libraries are found and loaded is not known here. Plain C11. */
#pragma once

#include "sim/engine/policy/wp-policy.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct WpPolicyPlugin WpPolicyPlugin; /* warpipe/policy.h */

/* What is wrong with PLUGIN, of this version of the header (static); or NULL. O(knobs squared). */
WP_API const char *wp_policy_plugin_check (const WpPolicyPlugin *plugin);

/* The policy PLUGIN, checked, with KNOBS [n_knobs], called NAME; copies of both are kept, and
 * PLUGIN has to outlive it. NULL when memory is out. */
WP_API WpPolicy *wp_policy_plugin_new (const WpPolicyPlugin *plugin, const char *name,
                                       const int64_t *knobs);

/* POLICY, or nothing where it is built in. No device may have it. */
WP_API void wp_policy_plugin_free (const WpPolicy *policy);

/* What it was made of, and the values of its knobs, [n_knobs]; NULL: it is built in. Borrowed. */
WP_API const WpPolicyPlugin *wp_policy_get_plugin (const WpPolicy *policy);
WP_API const int64_t *wp_policy_get_knobs (const WpPolicy *policy);

#ifdef __cplusplus
}
#endif
