/* SPDX-License-Identifier: MIT */
/* The SMs of a run and the dispatcher that hands blocks to them (MODEL.md, section 4), with the
 * order in which the SMs go on. What makes a run cheaper (steady states, replicas, windows) builds
 * upon this, and wp-device.c puts all of it together. Private to the engine; plain C11.
 */
#pragma once

#include "sim/engine/core/wp-sm-state.h"
#include "sim/engine/core/wp-starts.h"
#include "sim/engine/core/wp-tally.h"
#include "sim/engine/core/wp-unroll.h"

typedef struct WpDevice WpDevice;

/* SMs that share pipelines: n of sms[] from `first` on. */
typedef struct
{
  uint32_t first, n;
} WpGroup;

struct WpDevice
{
  WpSmHost host; /* of all SMs, but in windows */
  const WpMachine *machine;
  const WpPolicy *policy;
  size_t n_listeners; /* of the host's observers: those that were asked for; a replay is behind */
  uint32_t n_sms;     /* in use: SMs, or replicas */
  uint32_t n_room;    /* in sms[] and order[] */
  WpSm *sms;
  uint32_t *order;     /* a heap of SMs by (next, id) */
  uint32_t group;      /* SMs in a group: wp_machine_get_group() */
  uint32_t n_groups;   /* in use */
  WpGroup *groups;     /* [n_room] */
  uint64_t next_block; /* the next to be handed out */
  WpStarts starts;
  WpTick now;
  bool replicated; /* sms[] are replicas: see wp-replicas.h */
  bool skips;      /* what recurs is simulated once */
  bool splitting;  /* sms[1] keeps what sms[0] was: see wp-replicas.h */
  bool cut;        /* the budget has ended a run within a time, which is to be finished first: a
                      look may be due behind it */
  WpPlan plan;
  WpUnrolled *unrolled; /* [n_programs], dataflow order only */
  WpResult *result;
  WpTally tally;            /* while it is made */
  struct WpSteady *steady;  /* NULL: nothing is skipped */
  struct WpWindow *windows; /* NULL: there are none */
};

/* The next block for SM: the dispatcher of a device's host. Of a replica, for its first SM. */
bool wp_device_take_block (WpSmHost *host, WpSm *sm, uint64_t *block);

/* The same at NOW, which may be earlier than the time that SM has come to. */
bool wp_device_take_block_at (WpDevice *device, WpSm *sm, WpTick now, uint64_t *block);

/* Blocks are to be asked for: passes over those that are left out, where they are next. */
void wp_device_pass_over (WpDevice *device);

/* Hands out blocks breadth first, until every SM is full or none are left; they launch at once. */
void wp_device_hand_out_first (WpDevice *device);

/* Makes order[] a heap of all SMs. */
void wp_device_sort (WpDevice *device);

/* The SM at the root may have become later. */
void wp_device_sift_first (WpDevice *device);

/* When another SM may be earlier than the one at the root, which is to go on until then. */
WpTick wp_device_find_rival (const WpDevice *device);

/* The first N of order[] as a heap by IS_FIRST (whether A goes before B): makes one of them; and
 * again, when the one at place I may have become later. */
typedef bool (*WpBefore) (const WpDevice *device, uint32_t a, uint32_t b);
void wp_device_heapify (WpDevice *device, uint32_t n, WpBefore is_first);
void wp_device_sift (WpDevice *device, uint32_t n, uint32_t i, WpBefore is_first);
