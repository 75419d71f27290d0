/* SPDX-License-Identifier: MIT */
/* Where there is no room for more, every second start is dropped: so memory does not grow with the
 * grid, and what is kept does not depend on how the run was cut into slices.
 */
#include "sim/engine/core/wp-starts.h"

#include <stdlib.h>

bool
wp_starts_init (WpStarts *starts, uint32_t n)
{
  *starts = (WpStarts){ .room = n, .every = 1 };
  starts->times = calloc (n, sizeof *starts->times);
  return starts->times != NULL;
}

void
wp_starts_clear (WpStarts *starts)
{
  free (starts->times);
  starts->times = NULL;
}

static void
drop_every_second (WpStarts *starts)
{
  for (uint32_t i = 0; i < starts->room / 2; i++)
    starts->times[i] = starts->times[2 * i];
  starts->n = starts->room / 2;
  starts->every *= 2;
}

void
wp_starts_add (WpStarts *starts, uint64_t next, WpTick now)
{
  if (starts->broken || starts->left_out > 0)
    return;
  while (starts->n * starts->every < next)
    {
      if (starts->n == starts->room)
        drop_every_second (starts);
      else
        starts->times[starts->n++] = now;
    }
}
