/* SPDX-License-Identifier: MIT */
/* A machine as a file: all that the engine needs of a kernel on a GPU (FORMATS.md, "Machines"). */
#pragma once

#include "run/simulate/simulation.h"

#include <stdio.h>

G_BEGIN_DECLS

/* Writes the machine of SIMULATION to OUT. Equal simulations give equal bytes. FALSE with ERROR
 * (WP_TRACE_ERROR). O(machine). */
gboolean wp_machine_write_json (const WpSimulation *simulation, FILE *out, GError **error);

G_END_DECLS
