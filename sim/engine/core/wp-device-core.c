/* SPDX-License-Identifier: MIT */
/* SMs meet only at the dispatcher, so each runs a whole time t by itself; a heap tells whose turn
 * is next, by time and, at one time, by number.
 */
#include "sim/engine/core/wp-device-core.h"

#include "sim/engine/core/wp-sm-block.h"

static bool
is_before (const WpDevice *device, uint32_t a, uint32_t b)
{
  WpTick time_a = device->sms[a].next, time_b = device->sms[b].next;

  return time_a != time_b ? time_a < time_b : device->sms[a].id < device->sms[b].id;
}

void
wp_device_sift (WpDevice *device, uint32_t n, uint32_t i, WpBefore is_first)
{
  uint32_t *heap = device->order, moving = heap[i];

  for (uint32_t child = 2 * i + 1; child < n; child = 2 * i + 1)
    {
      if (child + 1 < n && is_first (device, heap[child + 1], heap[child]))
        child++;
      if (!is_first (device, heap[child], moving))
        break;
      heap[i] = heap[child];
      i = child;
    }
  heap[i] = moving;
}

void
wp_device_heapify (WpDevice *device, uint32_t n, WpBefore is_first)
{
  for (uint32_t i = n / 2; i-- > 0;)
    wp_device_sift (device, n, i, is_first);
}

void
wp_device_sort (WpDevice *device)
{
  for (uint32_t i = 0; i < device->n_sms; i++)
    device->order[i] = i;
  wp_device_heapify (device, device->n_sms, is_before);
}

void
wp_device_sift_first (WpDevice *device)
{
  wp_device_sift (device, device->n_sms, 0, is_before);
}

WpTick
wp_device_find_rival (const WpDevice *device)
{
  WpTick rival = WP_TICK_LIMIT;

  for (uint32_t i = 1; i < 3 && i < device->n_sms; i++)
    if (device->sms[device->order[i]].next < rival)
      rival = device->sms[device->order[i]].next;
  return rival;
}

void
wp_device_pass_over (WpDevice *device)
{
  device->next_block += wp_starts_leave_out (&device->starts, device->next_block);
}

/* MODEL.md, section 4: blocks are handed out in order. */
bool
wp_device_take_block_at (WpDevice *device, WpSm *sm, WpTick now, uint64_t *block)
{
  if (device->next_block == device->machine->n_blocks)
    return false;
  if (sm->count == 1)
    wp_device_pass_over (device); /* replicas have asked for all at once */
  *block = sm->count > 1 ? sm->asked_from + sm->n_asked++ : device->next_block;
  device->next_block += device->splitting ? 1 : sm->count;
  wp_starts_note (&device->starts, device->next_block, now);
  return true;
}

bool
wp_device_take_block (WpSmHost *host, WpSm *sm, uint64_t *block)
{
  return wp_device_take_block_at ((WpDevice *)host, sm, sm->now, block); /* its first member */
}

/* MODEL.md, section 4. */
void
wp_device_hand_out_first (WpDevice *device)
{
  uint64_t block;

  for (uint32_t i = 0; i < device->machine->resident_blocks; i++)
    for (uint32_t sm = 0; sm < device->n_sms; sm++)
      if (wp_device_take_block (&device->host, &device->sms[sm], &block))
        wp_sm_hand_out (&device->sms[sm], block, 0);
}
