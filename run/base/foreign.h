/* SPDX-License-Identifier: MIT */
/* Files that people give as a kernel and that are none, but of which a tool makes one: sources,
 * programs, reports of profilers. They are refused with what to type.
 */
#pragma once

#include "sim/gpu/wp-gpu.h"

G_BEGIN_DECLS

/* Whether the file at PATH may be a kernel, as far as its name and its first bytes say. False with
 * ERROR (WP_ERROR_READ) that says what it is, and what to type in one line. GPU (may be NULL) is
 * the one that the kernel is for; what is compiled is compiled for it. A file that cannot be
 * opened may be one: its reader says why it cannot. */
gboolean wp_foreign_check (const gchar *path, const WpGpu *gpu, GError **error);

/* Whether the file at PATH, which is none to import, may be XML: it is called so, or begins so.
 * False with ERROR that says what a kernel can be. */
gboolean wp_foreign_check_xml (const gchar *path, GError **error);

/* Whether NAME ends as files of kernels, or those above, do: then it is no shipped kernel's. */
gboolean wp_foreign_is_file_name (const gchar *name);

/* Whether PATH, a pipe, FIFO or device, can be read once only. */
gboolean wp_foreign_is_pipe (const gchar *path);

/* Adds to ERROR, of which PATH is the reason, that it is a pipe whose name does not say what it is,
 * if that is so. */
void wp_foreign_explain_pipe (const gchar *path, GError **error);

G_END_DECLS
