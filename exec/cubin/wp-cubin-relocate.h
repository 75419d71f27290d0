/* SPDX-License-Identifier: MIT */
/* Addresses: of code, of functions of the run-time system, of variables; and their way into the
 * code and data that refer to them. */
#pragma once

#include "exec/cubin/wp-cubin.h"

G_BEGIN_DECLS

/* Where code begins: functions follow one another, each at a multiple of 128. */
#define WP_CUBIN_CODE G_GUINT64_CONSTANT (0x100000)

/* Functions of the run-time system (vprintf, __assertfail, malloc) have no code; a call to one of
 * them goes here and 16 bytes further for each symbol. */
#define WP_CUBIN_EXTERNAL G_GUINT64_CONSTANT (0x70000000)

/* Gives each function its address, in the order of CUBIN->functions. */
void wp_cubin_place (WpCubin *cubin);

/* Writes addresses into the code and constants of all functions and into the data of variables:
 * VARIABLES has the address of each variable in device memory, by number. FALSE with an error of
 * IDG_ERROR that names a relocation of a kind that is not covered. O(relocations + patched bytes).
 */
gboolean wp_cubin_relocate (WpCubin *cubin, const guint64 *variables, GError **error);

/* The function of the run-time system at ADDRESS, NULL: none. Borrowed. O(1). */
const gchar *wp_cubin_find_external (const WpCubin *cubin, guint64 address);

/* The function whose code ADDRESS is in, -1: none. O(log functions). */
gint wp_cubin_find_code (const WpCubin *cubin, guint64 address);

G_END_DECLS
