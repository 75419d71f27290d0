/* SPDX-License-Identifier: MIT */
/* Calls observers with an event: those that listen to its kind, in order. Private; plain C11. */
#pragma once

#include <stddef.h>

#include "sim/machine/wp-observer.h"

/* CALL is the member of WpObserver, OBSERVERS has N. */
#define WP_NOTIFY(observers, n, call, event)                                                       \
  do                                                                                               \
    for (size_t o = 0; o < (n); o++)                                                               \
      if ((observers)[o]->call != NULL)                                                            \
        (observers)[o]->call ((observers)[o]->data, event);                                        \
  while (0)
