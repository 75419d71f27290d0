/* SPDX-License-Identifier: MIT */
/* One simulation: a kernel on a GPU under a policy, from what the files say to a device that is
 * ready to run. What drives it is in driver.h (one, with tables and threads of its own) and batch.h
 * (many, side by side).
 */
#pragma once

#include "sim/engine/wp-device.h"
#include "sim/gpu/wp-resolve.h"

G_BEGIN_DECLS

typedef struct
{
  const IdgKernel *kernel; /* borrowed, as the next two */
  const WpGpu *gpu;
  const WpPolicy *policy;
  WpResolved *resolved;
  WpDevice *device; /* NULL until it is started */
  gboolean skips;   /* steady states are looked for */
} WpSimulation;

/* Joins KERNEL and GPU; nothing runs yet. NULL with ERROR where they do not go together. */
WpSimulation *wp_simulation_new (const IdgKernel *kernel, const WpGpu *gpu, const WpPolicy *policy,
                                 const WpRunOptions *options, GError **error);
void wp_simulation_free (WpSimulation *simulation);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpSimulation, wp_simulation_free)

/* Makes its device, at time 0, that tells OBSERVERS (borrowed). False with ERROR. */
gboolean wp_simulation_start (WpSimulation *simulation, const WpObserver *const *observers,
                              guint n_observers, gboolean skips, GError **error);

/* Asked between two slices of a run, in which about N further things have happened: whether to go
 * on. */
typedef gboolean (*WpGoOn) (gpointer data, guint64 n);

/* Runs SIMULATION, which has been started, on this thread, to its end or until GO_ON says no: DONE
 * then is false. False with ERROR where a time overflowed. */
gboolean wp_simulation_drive (const WpSimulation *simulation, WpGoOn go_on, gpointer data,
                              gboolean *done, GError **error);

/* Sets ERROR to which time overflowed, after WP_RUN_OVERFLOW. */
void wp_simulation_set_overflow (const WpSimulation *simulation, GError **error);

/* The totals so far; that they keep the laws of MODEL.md, section 9, is checked: where they do not,
 * warpipe is wrong and ends. Borrowed. */
const WpResult *wp_simulation_get_result (const WpSimulation *simulation);

G_END_DECLS
