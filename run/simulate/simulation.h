/* SPDX-License-Identifier: MIT */
/* One simulation: a kernel on a GPU under a policy, from the contents of files to a device that is
 * ready to run. driver.h runs one, with several threads; batch.h runs many side by side.
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
  guint at_once;    /* runs side by side that share the memory; 0: this is the only one. The
                       caller's to set */
} WpSimulation;

/* Joins KERNEL and GPU; nothing runs yet. Free with wp_simulation_free(). NULL with ERROR where
 * they do not fit together. */
WpSimulation *wp_simulation_new (const IdgKernel *kernel, const WpGpu *gpu, const WpPolicy *policy,
                                 const WpRunOptions *options, GError **error);
void wp_simulation_free (WpSimulation *simulation);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpSimulation, wp_simulation_free)

/* Makes the device, at time 0, which reports to OBSERVERS [n_observers] (borrowed). SKIPS: look for
 * steady states. False with ERROR: no memory, or more of it than it may take
 * (run/base/memory-limit.h), or a policy that cannot run this. */
gboolean wp_simulation_start (WpSimulation *simulation, const WpObserver *const *observers,
                              guint n_observers, gboolean skips, GError **error);

/* Called between two slices of a run, after about N further events. SHARE of the run is done, 0 ..
 * 1, as it was a few times a second. Returns whether to go on. */
typedef gboolean (*WpGoOn) (gpointer data, guint64 n, gdouble share);

/* Runs SIMULATION, which has been started, on this thread, to its end, or until GO_ON returns
 * FALSE: then DONE is FALSE. False with ERROR where a time overflowed, or the run got stuck. */
gboolean wp_simulation_drive (const WpSimulation *simulation, WpGoOn go_on, gpointer data,
                              gboolean *done, GError **error);

/* Returns TRUE but after WP_RUN_OVERFLOW, with an ERROR that names the time that overflowed, its op
 * and its block, and WP_RUN_STUCK, with one that names who never ends. */
gboolean wp_simulation_check (const WpSimulation *simulation, WpRunStatus status, GError **error);

/* The totals so far, borrowed. They are checked against the laws of MODEL.md, section 9; where they
 * break one, warpipe has an error and aborts. */
const WpResult *wp_simulation_get_result (const WpSimulation *simulation);

G_END_DECLS
