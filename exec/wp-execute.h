/* SPDX-License-Identifier: MIT */
/* From a file with device code and launches in the words of host code to kernels: what `warpipe run
 * k.cu --launch ...` does before anything is simulated.
 *
 * The file is CUDA source (nvcc makes machine code of it), PTX (ptxas does), a cubin, a fat binary,
 * or a program, library or object that holds one. Its launches run one after the other on the same
 * memory, and each becomes a kernel. */
#pragma once

#include "exec/cubin/wp-cubin.h"
#include "exec/launch/wp-launch.h"
#include "exec/memory/wp-memory.h"
#include "idg/kernel/idg-kernel.h"
#include "sim/gpu/wp-gpu.h"

G_BEGIN_DECLS

typedef struct
{
  const gchar *path;
  const gchar *const *launches; /* texts of --launch, NULL-terminated, one at least */
  WpLaunchLookup lookup;        /* the value of $NAME in them and in `nvcc`; NULL: there are none */
  gpointer lookup_data;
  const gchar *const *data, *const *dumps; /* --data, --dump; NULL: none */
  const gchar *const *branches; /* --branch: branches whose side is not known; NULL: none */
  guint64 limit;                /* --execute-limit: warp instructions; 0: 10^9 */
  const gchar *nvcc;            /* --nvcc: more options of the compiler, or NULL */
  gboolean compiler_waits;
  const WpGpu *gpu;
  guint sms;     /* that blocks are spread over; 0: all of the GPU */
  guint threads; /* that execute; 0: one for each processor */
  /* What was assumed, and what compilers print; may be NULL. */
  void (*note) (const gchar *note, gpointer data);
  /* How far it has come: of all launches, instructions so far; may be NULL. Called from the
   * caller's thread. */
  void (*progress) (gdouble share, guint64 instructions, gpointer data);
  gpointer data_of_functions; /* for both */
  const gint *cancel;         /* not 0: stop; NULL: never */
} WpExecuteOptions;

typedef struct
{
  WpMemory *memory;   /* as the last launch left it */
  GPtrArray *kernels; /* of IdgKernel, one for each launch */
} WpExecution;

/* Does all that. NULL with an error of IDG_ERROR ("FILE:LINE: ...", "--launch 'TEXT': ...", "--data
 * 'TEXT': ..."), or G_IO_ERROR_CANCELLED. Free with wp_execution_free(). */
WpExecution *wp_execute (const WpExecuteOptions *options, GError **error);
void wp_execution_free (WpExecution *execution);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpExecution, wp_execution_free)

/* What a file is, by its first bytes and its name. */
typedef enum
{
  WP_EXECUTE_NONE, /* nothing that can be executed */
  WP_EXECUTE_CUDA, /* .cu */
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

G_END_DECLS
