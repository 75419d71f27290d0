/* SPDX-License-Identifier: MIT */
/* Groups of lanes; see the header. */
#include "exec/machine/wp-diverge.h"
#include "exec/machine/wp-kernel-code.h"

static WpGroup *
push (WpWarp *warp, guint32 lanes, guint32 pc, WpGroupState state)
{
  WpGroup *group = &warp->groups[warp->n_groups++];

  g_assert (warp->n_groups <= WP_LANES && lanes);
  *group = (WpGroup){ .lanes = lanes, .pc = pc, .state = state };
  return group;
}

static void
remove_group (WpWarp *warp, guint k)
{
  warp->n_groups--;
  for (; k < warp->n_groups; k++)
    warp->groups[k] = warp->groups[k + 1];
}

/* ---- Who waits no longer ---- */

/* The lanes that GROUP waits for, its own among them. */
static guint32
get_wanted (const WpWarp *warp, const WpGroup *group)
{
  return group->state == WP_GROUP_SYNC
             ? warp->barriers[group->barrier][__builtin_ctz (group->lanes)]
             : group->wanted;
}

/* Whether two groups wait for each other. A function that is called saves the barriers that it uses
 * and gives them other lanes: there the same barrier is another one. */
static gboolean
wait_together (const WpWarp *warp, const WpGroup *a, const WpGroup *b)
{
  if (a->state != b->state)
    return FALSE;
  if (a->state != WP_GROUP_SYNC)
    return a->wanted == b->wanted;
  return a->barrier == b->barrier && get_wanted (warp, a) & b->lanes
         && get_wanted (warp, b) & a->lanes;
}

/* The lanes that GROUP waits for and that may still come. */
static guint32
missing (const WpWarp *warp, const WpGroup *group, guint32 *arrived)
{
  *arrived = group->lanes;
  for (guint k = 0; k < warp->n_groups; k++)
    if (wait_together (warp, group, &warp->groups[k]))
      *arrived |= warp->groups[k].lanes;
  return get_wanted (warp, group) & ~warp->exited & ~*arrived;
}

/* The waiting groups of LANES are ready; those at one place become one, on top of the stack. */
static void
make_ready (WpWarp *warp, guint32 lanes)
{
  WpGroup freed[WP_LANES];
  guint n = 0;

  for (guint k = 0; k < warp->n_groups;)
    {
      WpGroup group = warp->groups[k];
      guint j = 0;
      if (!(group.lanes & lanes) || group.state == WP_GROUP_READY)
        {
          k++;
          continue;
        }
      remove_group (warp, k);
      while (j < n && freed[j].pc != group.pc)
        j++;
      if (j == n)
        freed[n++] = (WpGroup){ .pc = group.pc };
      freed[j].lanes |= group.lanes;
    }
  for (guint j = n; j-- > 0;)
    push (warp, freed[j].lanes, freed[j].pc, WP_GROUP_READY);
}

static void
make_ready_who_waited_enough (WpWarp *warp)
{
  guint32 arrived;

  for (guint k = 0; k < warp->n_groups; k++)
    {
      const WpGroup *group = &warp->groups[k];
      if ((group->state == WP_GROUP_SYNC || group->state == WP_GROUP_WARPSYNC)
          && !missing (warp, group, &arrived))
        {
          make_ready (warp, arrived);
          k = -1; /* the stack is another one */
        }
    }
}

static void
activate (WpWarp *warp, guint k)
{
  warp->active = warp->groups[k].lanes;
  warp->pc = warp->groups[k].pc;
  remove_group (warp, k);
}

static gboolean
activate_ready (WpWarp *warp)
{
  for (guint k = warp->n_groups; k-- > 0;)
    if (warp->groups[k].state == WP_GROUP_READY)
      {
        activate (warp, k);
        return TRUE;
      }
  return FALSE;
}

/* No lane is active. */
static void
go_on (WpWarp *warp)
{
  warp->active = 0;
  make_ready_who_waited_enough (warp);
  if (activate_ready (warp))
    return;
  if (!warp->n_groups)
    {
      warp->state = WP_WARP_ENDED;
      return;
    }
  for (guint k = 0; k < warp->n_groups; k++)
    if (warp->groups[k].state == WP_GROUP_BLOCK)
      {
        warp->state = WP_WARP_BARRIER;
        return;
      }

  g_autoptr (GString) text = g_string_new ("its lanes wait for each other: ");
  wp_warp_describe (warp, text);
  const WpStep *steps = warp->block->grid->code->steps;
  const WpGroup *group = &warp->groups[0];
  wp_warp_fail (warp, &steps[group->pc ? group->pc - 1 : 0], __builtin_ctz (group->lanes), "%s",
                text->str);
}

/* ---- What instructions do ---- */

void
wp_warp_begin (WpWarp *warp, guint32 pc)
{
  warp->active = warp->present;
  warp->exited = ~warp->present;
  warp->pc = pc;
  warp->n_groups = 0;
  warp->state = warp->present ? WP_WARP_RUNS : WP_WARP_ENDED;
}

void
wp_warp_branch (WpWarp *warp, guint32 taken, guint32 target)
{
  guint32 rest = warp->active & ~taken;

  if (!taken)
    return;
  if (rest)
    {
      push (warp, taken, target, WP_GROUP_READY);
      warp->active = rest;
    }
  else
    warp->pc = target;
}

void
wp_warp_exit (WpWarp *warp, guint32 leave)
{
  warp->exited |= leave;
  warp->active &= ~leave;
  if (!warp->active)
    go_on (warp);
}

void
wp_warp_converge_begin (WpWarp *warp, guint b, guint32 mask)
{
  guint32 lanes[WP_LANES];

  for (guint k = 0; k < WP_LANES; k++)
    lanes[k] = mask;
  wp_blend (warp->barriers[b], lanes, mask);
}

void
wp_warp_converge_leave (WpWarp *warp, guint b, guint32 mask)
{
  guint32 with = 0;

  for (guint32 rest = mask; rest; rest &= rest - 1)
    with |= warp->barriers[b][__builtin_ctz (rest)];
  for (guint32 rest = with; rest; rest &= rest - 1)
    warp->barriers[b][__builtin_ctz (rest)] &= ~mask;
}

/* Lanes that leave a loop one by one become one group that waits for the others, and not up to 31,
 * each of which would be asked about each other whenever one comes. */
void
wp_warp_converge (WpWarp *warp, guint b)
{
  guint32 wanted = warp->barriers[b][__builtin_ctz (warp->active)];
  WpGroup here = { .lanes = warp->active, .pc = warp->pc, .state = WP_GROUP_SYNC, .barrier = b };
  guint k = 0;

  if (!(wanted & ~warp->exited & ~warp->active))
    return;
  while (k < warp->n_groups
         && !(warp->groups[k].pc == here.pc && wait_together (warp, &warp->groups[k], &here)
              && get_wanted (warp, &warp->groups[k]) == wanted))
    k++;
  if (k < warp->n_groups)
    warp->groups[k].lanes |= here.lanes;
  else
    push (warp, here.lanes, here.pc, WP_GROUP_SYNC)->barrier = b;
  go_on (warp);
}

void
wp_warp_sync (WpWarp *warp, guint32 wanted)
{
  if (!(wanted & ~warp->exited & ~warp->active))
    return;
  push (warp, warp->active, warp->pc, WP_GROUP_WARPSYNC)->wanted = wanted;
  go_on (warp);
}

void
wp_warp_wait (WpWarp *warp, guint b)
{
  push (warp, warp->active, warp->pc, WP_GROUP_BLOCK)->barrier = b;
  if (G_UNLIKELY (warp->n_groups > 1))
    {
      go_on (warp);
      return;
    }
  warp->active = 0;
  warp->state = WP_WARP_BARRIER;
}

void
wp_warp_release (WpWarp *warp, guint b)
{
  guint32 lanes = 0;

  for (guint k = 0; k < warp->n_groups; k++)
    if (warp->groups[k].state == WP_GROUP_BLOCK && warp->groups[k].barrier == b)
      lanes |= warp->groups[k].lanes;
  if (!lanes)
    return;
  if (G_LIKELY (warp->n_groups == 1 && warp->state == WP_WARP_BARRIER))
    {
      activate (warp, 0);
      warp->state = WP_WARP_RUNS;
      return;
    }
  make_ready (warp, lanes);
  if (warp->state == WP_WARP_BARRIER)
    {
      warp->state = WP_WARP_RUNS;
      activate_ready (warp);
    }
  for (guint k = 0; k < warp->n_groups; k++)
    if (warp->groups[k].state == WP_GROUP_READY && warp->groups[k].pc == warp->pc
        && warp->groups[k].lanes & lanes)
      {
        warp->active |= warp->groups[k].lanes;
        remove_group (warp, k);
        return;
      }
}

void
wp_warp_split (WpWarp *warp, guint32 mask)
{
  if (mask == warp->active)
    return;
  push (warp, warp->active & ~mask, warp->pc, WP_GROUP_READY);
  warp->active = mask;
}

void
wp_warp_jump (WpWarp *warp, guint32 mask, const guint32 *targets)
{
  guint32 rest = warp->active & ~mask;

  if (rest)
    warp->active = rest;
  while (mask)
    {
      /* The highest lane first, so that the lowest one's group goes on first. */
      guint32 target = targets[31 - __builtin_clz (mask)], same = 0;
      for (guint k = 0; k < WP_LANES; k++)
        same |= targets[k] == target ? 1u << k : 0;
      same &= mask;
      mask &= ~same;
      if (mask || rest)
        push (warp, same, target, WP_GROUP_READY);
      else
        {
          warp->active = same;
          warp->pc = target;
        }
    }
}

gboolean
wp_warp_yield (WpWarp *warp)
{
  WpGroup active = { .lanes = warp->active, .pc = warp->pc, .state = WP_GROUP_READY };
  guint k = warp->n_groups;

  while (k > 0 && warp->groups[k - 1].state != WP_GROUP_READY)
    k--;
  if (!k)
    return FALSE;
  activate (warp, k - 1);
  /* To the bottom of the stack, so that all have a turn. */
  for (k = warp->n_groups++; k > 0; k--)
    warp->groups[k] = warp->groups[k - 1];
  warp->groups[0] = active;
  return TRUE;
}

void
wp_warp_stall (WpWarp *warp)
{
  if (wp_warp_yield (warp))
    return;
  for (guint k = 0; k < warp->n_groups; k++)
    {
      const WpGroup *group = &warp->groups[k];
      guint32 arrived;
      if (group->state != WP_GROUP_SYNC || !(missing (warp, group, &arrived) & warp->active))
        continue;
      wp_warp_converge_leave (warp, group->barrier, arrived);
      make_ready (warp, arrived);
      wp_warp_yield (warp);
      return;
    }
  if (warp->state == WP_WARP_RUNS)
    warp->state = WP_WARP_TURN;
}

void
wp_warp_describe (const WpWarp *warp, GString *text)
{
  for (guint k = 0; k < warp->n_groups; k++)
    {
      const WpGroup *group = &warp->groups[k];
      guint32 arrived, still;
      g_autofree gchar *place
          = wp_kernel_code_place (warp->block->grid->code, group->pc ? group->pc - 1 : 0);
      if (group->state == WP_GROUP_READY)
        continue;
      if (text->len && text->str[text->len - 1] != ' ')
        g_string_append (text, "; ");
      g_string_append_printf (text, "lanes 0x%x wait at %s for ", group->lanes, place);
      still = missing (warp, group, &arrived);
      if (group->state == WP_GROUP_BLOCK && group->barrier >= WP_NAMED_BARRIERS)
        g_string_append (text, "the products of its warpgroup");
      else if (group->state == WP_GROUP_BLOCK)
        g_string_append_printf (text, "barrier %u", group->barrier);
      else
        g_string_append_printf (text, "lanes 0x%x", still);
    }
}
