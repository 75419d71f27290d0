/* SPDX-License-Identifier: MIT */
/* Functions of the run-time system that code calls: they have no code, and a step does what they
 * do. */
#pragma once

#include "exec/machine/wp-warp.h"

G_BEGIN_DECLS

/* Completes STEP, at the address of function NAME. FALSE with a sentence in PROBLEM where it is not
 * covered. */
gboolean wp_external_prepare (WpStep *step, const gchar *name, gchar **problem);

G_END_DECLS
