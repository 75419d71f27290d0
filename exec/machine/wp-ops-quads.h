/* SPDX-License-Identifier: MIT */
/* HMMA.884, which has fragments of its own. */
#pragma once

#include "exec/machine/wp-ops.h"

G_BEGIN_DECLS

/* As WpStepPrepare. */
gboolean wp_prepare_quads (WpStep *step, gchar **problem);

G_END_DECLS
