/* SPDX-License-Identifier: MIT */
/* What an SM needs of whoever runs it, so that it knows neither the device nor windows, replicas or
 * the search for steady states: those call the SM, and it calls back through this alone. SMs that
 * run on different cores each have a host of their own. Private to the engine; plain C11.
 */
#pragma once

#include "sim/engine/core/wp-notify.h"
#include "sim/engine/core/wp-plan.h"
#include "sim/machine/wp-result.h"

typedef struct WpSm WpSm;
typedef struct WpSmHost WpSmHost;

struct WpSmHost
{
  const WpPlan *plan;
  const WpObserver **observers; /* [n_observers] */
  size_t n_observers;
  bool observes_stalls;         /* one of them wants to know where the time of a warp went */
  bool observes_details;        /* or more: what the fast loop does not keep */
  bool observes_issues;         /* one of them listens to issues */
  bool observes_passes;         /* or to passes */
  WpTick begins[WP_MAX_PASSES]; /* in the path of what is issued now, for them */

  const char *problem; /* while SMs are made: why one cannot be; NULL: memory */

  /* The first time that would have reached WP_TICK_LIMIT ends the run. */
  bool failed;
  WpTick failed_at; /* the time that its SM had come to */
  WpOverflow overflow;

  /* An SM has gone over from the fast loop to the general one: states that were kept before cannot
   * be compared with its state any more. */
  bool left_fast_loop;

  /* The dispatcher (MODEL.md, section 4): the next block for SM, which has room, or false: none is
   * left, or it is handed out later. */
  bool (*take_block) (WpSmHost *host, WpSm *sm, uint64_t *block);

  /* SM, which has replicas, is about to ask for blocks. */
  void (*prepare_to_take) (WpSmHost *host, WpSm *sm);
};

/* Calls the host's observers. */
#define WP_HOST_NOTIFY(host, call, event)                                                          \
  WP_NOTIFY ((host)->observers, (host)->n_observers, call, event)

/* Ends the run, at time NOW of the SM that OVERFLOW names, unless it has failed already. */
static inline void
wp_sm_host_fail (WpSmHost *host, WpTick now, WpOverflow overflow)
{
  if (!host->failed)
    {
      host->overflow = overflow;
      host->failed_at = now;
    }
  host->failed = true;
}
