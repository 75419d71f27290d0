/* SPDX-License-Identifier: MIT */
/* Several kernels on a command line: files, shipped names, and folders of them. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* NAMES (NULL-terminated) with a folder, "DIR", replaced by the files in it, "DIR/a.xml", by name,
 * and WP_DATA_SUITE by the kernels of the suite, "suite/a". Hidden files and folders in a folder
 * are left out; whether the rest are kernels is seen when they are loaded. Free with g_strfreev().
 * NULL with ERROR: a folder cannot be read or has no files, or a kernel is there twice. */
GStrv wp_data_expand_kernels (gchar *const *names, GError **error);

/* The names of the kernels of the shipped suite, "suite/a", by name. Free with g_strfreev(). */
GStrv wp_data_list_suite (void);

G_END_DECLS
