/* SPDX-License-Identifier: MIT */
/* The youngest warp that can issue: the shortest policy there is, and rarely a good one. */
#include <warpipe/policy.h>

static uint32_t
choose (void *self, const WpPolicyView *view, int64_t *until)
{
  (void)self;
  (void)until;
  return view->youngest;
}

WP_POLICY_EXPORT const WpPolicyPlugin wp_policy_plugin = {
  WP_POLICY_HEAD,
  .text = "the youngest warp that can issue",
  .pure = true,
  .choose = choose,
};
