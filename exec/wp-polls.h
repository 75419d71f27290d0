/* SPDX-License-Identifier: MIT */
/* Loops in which a block waits for another one: until memory holds what that stores, or for a lock
 * that it has. Blocks are executed in turns, so that most find at once what they wait for, or ask
 * as often as turns have it: how long they wait is in no trail, and so in no time. And loops that
 * wait for a time to come: the clock of execution counts instructions. */
#pragma once

#include "exec/machine/wp-run.h"

G_BEGIN_DECLS

typedef enum
{
  WP_POLL_NONE,
  WP_POLL_STORE, /* a load from one address, over and over, until it has what another one stores */
  WP_POLL_LOCK,  /* a compare-and-swap or an exchange of the same there, until nobody else has it */
  WP_POLL_CLOCK  /* a look at a clock, until it is late enough */
} WpPoll;

/* Returns what such a loop of RESULT waits for, and INDEX, the step that asks; of several the first
 * one that was executed. It is known by the code alone: a load that sees what other SMs store
 * (STRONG, or an atomic that adds nothing), or an exchange, whose address and operands the loop
 * leaves as they are, and whose result decides who leaves the loop; around a load nothing is
 * stored. So a queue of work is none, whose counter goes on with each round; nor is an update by
 * compare-and-swap, which compares with what it last saw. Of a clock it is enough that it decides
 * who leaves the loop, unless that asks a barrier in shared memory, too, as waits with a limit do.
 * O(CODE) times its loops; O(steps) without such a step. */
WpPoll wp_polls_find (const WpExecResult *result, guint32 *index);

G_END_DECLS
