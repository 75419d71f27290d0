/* SPDX-License-Identifier: MIT */
/* The machine code of a file, whatever the file is. */
#pragma once

#include "exec/cubin/wp-cubin.h"
#include "exec/wp-execute-options.h"

G_BEGIN_DECLS

/* What a file is, by its first bytes and its name. */
typedef enum
{
  WP_EXECUTE_NONE, /* nothing that can be executed */
  WP_EXECUTE_CUDA, /* .cu, .cuh */
  WP_EXECUTE_PTX,
  WP_EXECUTE_CODE, /* machine code */
} WpExecuteKind;

WpExecuteKind wp_execute_recognize (const gchar *path);

/* The kernels of the file at PATH, for those who gave no launch: "FILE: expected --launch ..." with
 * all of them, their parameters and an example of each. Compiles as wp_execute() does. Always sets
 * ERROR. */
void wp_execute_explain (const WpExecuteOptions *options, GError **error);

/* Loads the machine code of OPTIONS->path for OPTIONS->gpu, compiling it first where it is source.
 * NULL with an error. */
WpCubin *wp_execute_load (const WpExecuteOptions *options, GError **error);

/* 80 for a GPU of compute capability 8.0; 0: its description does not say. */
guint wp_source_target (const WpGpu *gpu);

G_END_DECLS
