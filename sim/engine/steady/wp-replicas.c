/* SPDX-License-Identifier: MIT */
/* Replicas ask for blocks at the same times, equally often, and SM by SM (MODEL.md, section 4):
 * while there are enough for all, the one that is simulated asks once and takes for each. Near the
 * end of the grid there may not be. How often an SM asks at one time is known when that time is
 * over, so the run then goes on as that of the first replica, which is served before the others,
 * and the state before the first request is kept: it is that of the replicas that were left out,
 * and of the one that gets a part.
 *
 *   16 SMs that ask for q = 3 each, 20 left:    replicas   0 .. 5    3 blocks each
 *                                                          6         2
 *                                                          7 .. 15   none
 *
 * No block is left then, so that this happens once, and three are the most there can be.
 *
 * Where SMs share pipelines (MODEL.md, section 12) the same is true of groups of them. They run in
 * windows (wp-window.c), so that all their requests at a time are known before anything comes of
 * them, and no state need be kept.
 */
#include "sim/engine/steady/wp-replicas.h"

#include "sim/engine/core/wp-sm-block.h"
#include "sim/engine/core/wp-sm-copy.h"

/* States that a run may keep, in bytes in all: each time at which blocks end, near the end of the
 * grid, keeps one, and copying must not take longer than simulating. */
#define MOST_COPIED (UINT64_C (1) << 31)

/* Whether a warp that runs PROGRAM surely does not end at the time at which it starts. */
static bool
takes_time (const WpMachine *m, const WpProgram *program)
{
  const WpCode *code = m->code + program->first_code;

  for (uint32_t pc = 0; pc < program->n_code; pc++)
    if (code[pc].kind == WP_CODE_INSTRUCTION)
      {
        const WpInstr *instr = &m->instrs[code[pc].arg];

        if (wp_instr_is_barrier (instr) ? m->barrier_latency > 0
                                        : !instr->cost->posted && instr->cost->completion > 0)
          return true;
      }
  return false;
}

/* Whether a block that takes ROW's programs does not end at the time at which its place was freed,
 * so that an SM asks at one time no more often than it has places. */
static bool
keeps_its_place (const WpMachine *m, const WpRow *row)
{
  const WpSegment *segments = m->segments + row->first_segment;

  if (m->launch_latency > 0)
    return true;
  for (uint32_t s = 0; s < row->n_segments; s++)
    if (segments[s].first_warp < m->warps_per_block
        && takes_time (m, &m->programs[segments[s].program]))
      return true;
  return false;
}

static bool
are_alike (const WpMachine *m)
{
  for (uint32_t i = 1; i < m->n_block_ranges && m->block_ranges[i].first_block < m->n_blocks; i++)
    if (m->block_ranges[i].row != m->block_ranges[0].row)
      return false;
  return !wp_machine_is_random (m);
}

/* Whether the states that are kept are few and small enough. */
static bool
is_cheap (const WpMachine *m)
{
  uint64_t n_slots = (uint64_t)m->resident_blocks * m->warps_per_block;
  uint64_t size = sizeof (WpWarp);

  for (uint32_t i = 0; i < m->n_programs; i++)
    size += m->dataflow ? m->programs[i].n_dynamic * 24 : m->programs[i].n_values * 8;
  return size <= MOST_COPIED / n_slots / m->resident_blocks;
}

bool
wp_replicas_will_do (const WpDevice *device)
{
  const WpMachine *m = device->machine;

  return device->skips && device->policy->tell == NULL && device->host.n_observers == 0
         && m->simulated_sms / device->group > 1 && are_alike (m) && is_cheap (m)
         && (device->group > 1 ? m->launch_latency > 0
                               : keeps_its_place (m, wp_machine_get_row (m, 0)));
}

uint32_t
wp_replicas_count_room (const WpDevice *device)
{
  uint32_t n = device->machine->simulated_sms, most = n / device->group;

  most = most < WP_MAX_REPLICAS ? most : WP_MAX_REPLICAS;
  return most * device->group + n % device->group;
}

uint32_t
wp_replicas_get_first_id (const WpDevice *device, uint32_t i)
{
  uint32_t n = device->machine->simulated_sms, last = n % device->group;

  if (i < device->group)
    return i;
  if (i < device->group + last)
    return n - last + i - device->group;
  return (i - last) % device->group;
}

/* The next place for a group that is COUNT groups of N SMs from FIRST on. */
static const WpGroup *
add_group (WpDevice *device, uint32_t n, uint32_t first, uint32_t count)
{
  WpGroup *group = &device->groups[device->n_groups++];

  *group = (WpGroup){ device->n_sms, n };
  device->n_sms += n;
  for (uint32_t i = 0; i < n; i++)
    {
      device->sms[group->first + i].id = first + i;
      device->sms[group->first + i].count = count;
    }
  return group;
}

/* COUNT groups of N SMs, from SM FIRST on, to which blocks are handed out breadth first. */
static void
start_group (WpDevice *device, uint32_t n, uint32_t first, uint32_t count)
{
  const WpMachine *m = device->machine;
  const WpGroup *group;

  if (count == 0 || n == 0)
    return;
  group = add_group (device, n, first, count);
  for (uint32_t k = 0; k < m->resident_blocks; k++)
    for (uint32_t i = 0; i < n; i++)
      {
        uint64_t block = (uint64_t)k * m->simulated_sms + first + i;

        if (block < m->n_blocks)
          wp_sm_hand_out (&device->sms[group->first + i], block, 0);
      }
}

/* The last group, where it is smaller, has the second place. */
void
wp_replicas_hand_out_first (WpDevice *device)
{
  const WpMachine *m = device->machine;
  uint64_t room = (uint64_t)m->resident_blocks * m->simulated_sms;
  uint64_t n = m->n_blocks < room ? m->n_blocks : room;
  uint32_t k = device->group, n_full = m->simulated_sms / k;
  uint32_t more = (uint32_t)(n % m->simulated_sms);                /* so many SMs get one more */
  uint32_t starts[] = { 0, more / k, (more + k - 1) / k, n_full }; /* groups: all of whose SMs do */
  bool last = m->simulated_sms % k == 0;

  device->n_sms = device->n_groups = 0;
  for (int i = 0; i < 3; i++)
    {
      uint32_t begin = starts[i] < n_full ? starts[i] : n_full;
      uint32_t end = starts[i + 1] < n_full ? starts[i + 1] : n_full;

      start_group (device, k, begin * k, end - begin);
      if (device->n_groups > 0 && !last)
        start_group (device, m->simulated_sms % k, n_full * k, 1);
      last |= device->n_groups > 0;
    }
  device->next_block = n;
}

/* A copy of group G, for COUNT groups, the first of which is BEHIND groups behind it. */
static void
copy_group (WpDevice *device, uint32_t g, uint32_t behind, uint32_t count)
{
  uint32_t from = device->groups[g].first, first = device->sms[from].id + behind * device->group;
  const WpGroup *group = &device->groups[device->n_groups];

  add_group (device, device->group, first, count);
  for (uint32_t i = 0; i < group->n; i++)
    {
      WpSm *sm = &device->sms[group->first + i];

      wp_sm_copy (sm, &device->sms[from + i]);
      sm->id = first + i;
      sm->count = count;
    }
}

static void
set_count (WpDevice *device, uint32_t g, uint32_t count)
{
  const WpGroup *group = &device->groups[g];

  for (uint32_t i = 0; i < group->n; i++)
    device->sms[group->first + i].count = count;
}

uint32_t
wp_replicas_divide (WpDevice *device, uint32_t g, uint32_t n_served, bool partly)
{
  uint32_t count = device->sms[device->groups[g].first].count, part = g;
  uint32_t first = n_served > 0 ? n_served : 1; /* groups that stay */

  if (n_served > 0)
    {
      part = device->n_groups;
      copy_group (device, g, n_served, partly ? 1 : count - n_served);
      first += partly;
    }
  if (partly && count > first)
    copy_group (device, g, first, count - first);
  set_count (device, g, n_served > 0 ? n_served : 1);
  return part;
}

void
wp_replicas_ask (WpSmHost *host, WpSm *sm)
{
  WpDevice *device = (WpDevice *)host; /* its first member */
  uint64_t left;

  if (sm->asked_at != sm->now)
    wp_device_pass_over (device);
  left = device->machine->n_blocks - device->next_block;
  if (left == 0 || sm->asked_at == sm->now)
    return;
  sm->asked_at = sm->now;
  sm->asked_from = device->next_block;
  sm->n_asked = 0;
  if (left >= (uint64_t)sm->count * sm->n_blocks)
    return;
  device->splitting = true;
  wp_sm_copy (&device->sms[1], sm);
  device->sms[1].next = device->sms[1].due = sm->now;
  sm->marked = true;
}

void
wp_replicas_split (WpDevice *device)
{
  WpSm *replica = device->sms, *rest = replica + 1;
  uint64_t left = device->machine->n_blocks - replica->asked_from;
  uint64_t served = left / replica->n_asked;
  uint32_t n_served = served < replica->count ? (uint32_t)served : replica->count;
  uint32_t n_others = replica->count - n_served;

  device->splitting = false;
  replica->marked = false;
  device->next_block = replica->asked_from + n_served * replica->n_asked;
  if (n_others == 0)
    return;
  rest->id = replica->id + n_served;
  rest->count = n_others;
  replica->count = n_served;
  device->n_sms = 2;
  if (device->next_block == device->machine->n_blocks || n_others == 1)
    return;
  rest->count = 1;
  wp_sm_copy (rest + 1, rest);
  rest[1].id = rest->id + 1;
  rest[1].count = n_others - 1;
  device->n_sms = 3;
}
