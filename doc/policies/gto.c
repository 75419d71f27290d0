/* SPDX-License-Identifier: MIT */
/* Greedy then oldest (Rogers, O'Connor and Aamodt 2012): the same as --policy gto, to the last bit.
 * It is pure: whom it chooses follows from who is ready and who was last, so that a run with it
 * costs little more than with the one that is built in.
 *
 *   cc -shared -fPIC -O2 $(pkg-config --cflags warpipe) gto.c -o gto.so
 *   warpipe compare volkov-mix --gpu gtx980 --policy gto,./gto.so
 */
#include <warpipe/policy.h>

static uint32_t
choose (void *self, const WpPolicyView *view, int64_t *until)
{
  (void)self;
  (void)until;
  return view->last_ready ? view->last : view->oldest;
}

WP_POLICY_EXPORT const WpPolicyPlugin wp_policy_plugin = {
  WP_POLICY_HEAD,
  .text = "greedy then oldest",
  .pure = true,
  .choose = choose,
};
