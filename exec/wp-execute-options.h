/* SPDX-License-Identifier: MIT */
/* What is to be executed, and how: the options of the command line, and who hears what comes of it.
 */
#pragma once

#include "exec/launch/wp-launch-value.h"
#include "sim/gpu/wp-gpu.h"

G_BEGIN_DECLS

struct WpModule;

typedef struct
{
  const gchar *path;
  const gchar *const *launches; /* texts of --launch, NULL-terminated, one at least */
  WpLaunchLookup lookup;        /* the value of $NAME in them and in `nvcc`; NULL: there are none */
  gpointer lookup_data;
  const gchar *const *data, *const *dumps; /* --data, --dump; NULL: none */
  const gchar *const *branches; /* --branch: branches whose side is not known; NULL: none */
  guint64 limit;                /* --execute-limit: warp instructions; 0: 10^9 */
  const gchar *nvcc;            /* --nvcc: more options of the compiler, or NULL */
  gboolean compiler_waits;
  gboolean is_full; /* data that decides nothing is computed, too */
  const WpGpu *gpu;
  guint sms;     /* that blocks are spread over; 0: all of the GPU */
  guint threads; /* that execute; 0: one for each processor */
  /* What was assumed, and what compilers print; may be NULL. */
  void (*note) (const gchar *note, gpointer data);
  /* How far it has come: of all launches, instructions so far; may be NULL. Called from the
   * caller's thread. */
  void (*progress) (gdouble share, guint64 instructions, gpointer data);
  /* The module, before its first launch and after its last; may be NULL. */
  void (*see) (const struct WpModule *module, gboolean is_done, gpointer data);
  gpointer data_of_functions; /* for all three */
  const gint *cancel;         /* not 0: stop; NULL: never */
} WpExecuteOptions;

G_END_DECLS
