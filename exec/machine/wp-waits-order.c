/* SPDX-License-Identifier: MIT */
/* A warp that comes to a barrier while it still waits at one before it, here and not where it was
 * executed, has the coming in a queue: it went on after it had arrived, which barriers in shared
 * memory allow. */
#include "exec/machine/wp-waits-order.h"

#include <string.h>

#define MOST_COMINGS (1u << 20) /* of a warp, before it meets */
#define MOST_PASSED 256         /* that are kept in a queue */

void
wp_waits_order_clear (WpWaitsOrder *order)
{
  for (guint k = 0; k < WP_MAX_WARPS; k++)
    g_clear_pointer (&order->queues[k], g_array_unref);
}

void
wp_waits_order_begin (WpWaitsOrder *order)
{
  for (guint k = 0; k < WP_MAX_WARPS; k++)
    {
      if (order->queues[k])
        g_array_set_size (order->queues[k], 0);
      order->next[k] = 0;
    }
  memset (order->here, 0, sizeof order->here);
  memset (order->parts, 0, sizeof order->parts);
  order->waiting = 0;
  order->has_failed = FALSE;
}

static gboolean
has_next (const WpWaitsOrder *order, guint k)
{
  return order->queues[k] && order->next[k] < order->queues[k]->len;
}

/* Whether warp K does not come anywhere any more. */
static gboolean
has_ended (const WpWaitsOrder *order, const WpBlock *block, guint k)
{
  return block->warps[k]->state == WP_WARP_ENDED && !(order->waiting >> k & 1)
         && !has_next (order, k);
}

/* Whether all are there that meet at NAME, where somebody is. */
static gboolean
is_complete (const WpWaitsOrder *order, const WpBlock *block, guint name)
{
  const guint64 here = order->here[name];
  const WpComing *first = &order->at[__builtin_ctzll (here)];

  if (first->members)
    return here == first->members;
  if (first->n)
    return (guint)__builtin_popcountll (here) == first->n;
  for (guint k = 0; k < block->n_warps; k++)
    if (!(here >> k & 1) && !has_ended (order, block, k))
      return FALSE;
  return TRUE;
}

/* Those who are at NAME have met, if they are all. */
static gboolean
meet (WpWaitsOrder *order, const WpBlock *block, guint name)
{
  const guint64 here = order->here[name];
  const WpComing *first = here ? &order->at[__builtin_ctzll (here)] : NULL;

  if (!first || !is_complete (order, block, name))
    return FALSE;
  for (guint64 left = here; left; left &= left - 1)
    {
      const WpComing *at = &order->at[__builtin_ctzll (left)];
      if (at->id != first->id || at->members != first->members || at->n != first->n)
        order->has_failed = TRUE;
    }
  if (first->n)
    {
      guint64 *part = &order->parts[name - WP_ORDER_PART];
      order->has_failed |= *part && *part != here;
      *part = here;
    }
  order->here[name] = 0;
  order->waiting &= ~here;
  return TRUE;
}

/* Warp K, which waits nowhere, comes to where it came next. */
static void
go_on (WpWaitsOrder *order, guint k)
{
  GArray *queue = order->queues[k];

  order->at[k] = g_array_index (queue, WpComing, order->next[k]++);
  order->waiting |= (guint64)1 << k;
  order->here[order->at[k].name] |= (guint64)1 << k;
  if (order->next[k] == queue->len || order->next[k] == MOST_PASSED)
    {
      g_array_remove_range (queue, 0, order->next[k]);
      order->next[k] = 0;
    }
}

static void
settle (WpWaitsOrder *order, const WpBlock *block)
{
  gboolean again = TRUE;

  while (again && !order->has_failed)
    {
      again = FALSE;
      for (guint k = 0; k < block->n_warps; k++)
        if (!(order->waiting >> k & 1) && has_next (order, k))
          {
            go_on (order, k);
            meet (order, block, order->at[k].name);
            again = TRUE;
          }
      for (guint name = 0; name < WP_ORDER_BARS; name++) /* others may have ended */
        again |= meet (order, block, name);
    }
}

void
wp_waits_order_come (WpWaitsOrder *order, const WpBlock *block, guint number,
                     const WpComing *coming)
{
  GArray **queue = &order->queues[number];

  if (order->has_failed)
    return;
  if (!*queue)
    *queue = g_array_new (FALSE, FALSE, sizeof (WpComing));
  g_array_append_val (*queue, *coming);
  order->has_failed = (*queue)->len > MOST_COMINGS;
  /* Now and then, as a warp that has ended may have been the last one that was waited for. */
  if (!(order->waiting >> number & 1) || (*queue)->len % MOST_PASSED == 0)
    settle (order, block);
}

gboolean
wp_waits_order_end (WpWaitsOrder *order, const WpBlock *block)
{
  settle (order, block);
  for (guint k = 0; k < block->n_warps; k++)
    if (has_next (order, k))
      return FALSE;
  return !order->has_failed && order->waiting == 0;
}
