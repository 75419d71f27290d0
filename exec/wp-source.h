/* SPDX-License-Identifier: MIT */
/* The machine code of a file, whatever the file is: wp_execute_recognize() and wp_execute_load(),
 * which wp-execute.h declares. */
#pragma once

#include "exec/wp-execute.h"

G_BEGIN_DECLS

/* 80 for a GPU of compute capability 8.0; 0: its description does not say. */
guint wp_source_target (const WpGpu *gpu);

G_END_DECLS
