/* SPDX-License-Identifier: MIT */
/* What happens once in a run, or once in a period that is skipped. */
#include "sim/engine/core/wp-wake-list.h"

void
wp_wake_list_reset (WpSm *sm)
{
  for (uint32_t i = 0; i < sm->machine->n_schedulers; i++)
    {
      wp_key_list_clear (&sm->schedulers[i].near);
      wp_key_list_clear (&sm->schedulers[i].far);
      if (!sm->many)
        continue;
      wp_key_queue_reset (&sm->schedulers[i].soon);
      wp_key_queue_reset (&sm->schedulers[i].late);
    }
  wp_wheel_reset (&sm->wheel, sm->now);
}

void
wp_wake_list_copy (WpSm *to, const WpSm *from)
{
  for (uint32_t i = 0; i < to->machine->n_schedulers; i++)
    {
      wp_key_list_copy (&to->schedulers[i].near, &from->schedulers[i].near);
      wp_key_list_copy (&to->schedulers[i].far, &from->schedulers[i].far);
      if (!from->many)
        continue;
      wp_key_queue_copy (&to->schedulers[i].soon, &from->schedulers[i].soon);
      wp_key_queue_copy (&to->schedulers[i].late, &from->schedulers[i].late);
    }
  wp_wheel_copy (&to->wheel, &from->wheel, to->n_slots);
}

/* Bits by age fall, and keep their order. */
static void
rename_all (WpKeyQueue *queue, const WpScheduler *scheduler)
{
  for (uint64_t *key = queue->first; key != queue->end; key++)
    *key = (*key & ~queue->low) | scheduler->warps[*key & queue->low]->bit;
}

void
wp_wake_list_rename_all (WpScheduler *scheduler)
{
  rename_all (&scheduler->soon, scheduler);
  rename_all (&scheduler->late, scheduler);
}

static void
move_to_wheel (WpSm *sm, WpScheduler *scheduler, WpKeyList *list)
{
  scheduler->arrived[0] |= wp_key_list_take (list, wp_key_make_later (sm->now));
  for (; list->first != list->end; list->first++)
    wp_wheel_put (&sm->wheel, wp_sm_get_slot (sm, scheduler->warps[*list->first % 64]),
                  wp_key_get_time (*list->first));
}

void
wp_wake_list_leave_fast_loop (WpSm *sm)
{
  for (uint32_t i = 0; i < sm->machine->n_schedulers; i++)
    {
      move_to_wheel (sm, &sm->schedulers[i], &sm->schedulers[i].near);
      move_to_wheel (sm, &sm->schedulers[i], &sm->schedulers[i].far);
    }
}
