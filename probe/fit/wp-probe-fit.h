/* SPDX-License-Identifier: MIT */
/* Channels of memory, with which contended memory (MODEL.md, section 11) saturates as gradually as what
 * was measured. */
#pragma once

#include "probe/measure/wp-probe.h"

G_BEGIN_DECLS

/* Sets the channels of PROBE, which was measured, where some make the description come nearer to its
 * loads. A candidate is described, read, and measured in turn by the same launches; its simulations
 * have up to MOST_BYTES. Some hundred simulations of 10^5 instructions. False with ERROR, or with
 * `is_stopped`. */
gboolean wp_probe_fit_channels (WpProbe *probe, guint64 most_bytes, GError **error);

G_END_DECLS
