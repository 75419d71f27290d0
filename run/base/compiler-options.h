/* SPDX-License-Identifier: MIT */
/* What a kernel file may ask of the compiler: nothing that starts a program or writes a file. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether all of OPTIONS, a line of the `nvcc` of <execute>, are among those that a kernel file may
 * name. False: *WRONG is the first that is not; free it with g_free(). */
gboolean wp_compiler_options_are_safe (const gchar *options, gchar **wrong);

G_END_DECLS
