/* SPDX-License-Identifier: MIT */
/* How reports describe a launch: its blocks, how much of it fits on an SM, and why not more; and
 * in what setting it is simulated. */
#pragma once

#include "cli/common/cli-json.h"
#include "run/simulate/resident.h"

G_BEGIN_DECLS

/* "1024 blocks of 256 threads (8 warps), 16 registers a thread", without a line's end. */
void wp_print_launch (const WpResolved *resolved);

/* Lines of a report, after an empty one: the launch, the SMs that are simulated, and how many warps
 * fit on one. */
void wp_print_simulated (const WpResolved *resolved, const WpResident *resident);

/* "policy rr, program order, ideal memory, mixes with seed 1": as what MACHINE is simulated; of
 * N_SEEDS above 1 none is named. Free with g_free(). */
gchar *wp_describe_setting (const WpMachine *machine, const gchar *policy, guint n_seeds);

/* The members "launch" and "limiters". */
void wp_json_launch (WpJson *json, const WpResolved *resolved);
void wp_json_limiters (WpJson *json, const WpResident *resident);

G_END_DECLS
