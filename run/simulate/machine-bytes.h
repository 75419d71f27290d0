/* SPDX-License-Identifier: MIT */
/* A machine as bytes, by which runs are known that need not be made twice. */
#pragma once

#include <glib.h>

#include "sim/machine/wp-machine.h"

G_BEGIN_DECLS

/* All of MACHINE that a run of it and the figures of a report depend on, as bytes: two machines
 * with the same bytes run alike under one policy, tick by tick. The seed is left out where no
 * instruction takes random numbers. Free with g_byte_array_unref(). O(size of MACHINE), some 300
 * bytes an instruction. */
GByteArray *wp_machine_to_bytes (const WpMachine *machine);

/* A hash of BYTES: what differs mostly has another one. O(bytes). */
guint64 wp_machine_bytes_hash (const GByteArray *bytes);

G_END_DECLS
