/* SPDX-License-Identifier: MIT */
/* Machine code by the compilers of CUDA: nvcc for source, ptxas for PTX, which are looked for on
 * the PATH. All files are in a temporary folder that is removed before the call returns, also where
 * a signal ends it: those that do (idg-signals.h) are held back meanwhile. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  const gchar *path;
  guint sm;             /* that is wanted */
  const gchar *options; /* more of them, as a shell splits them; or NULL */
  /* Kernels of templates that CUDA source is to be compiled for, too, as host code calls them:
   * "gemm<float, 4>"; NULL-terminated, or NULL. */
  const gchar *const *kernels;
  const gint *cancel; /* not 0: stop; NULL: never */
  void (*note) (const gchar *note, gpointer data);
  gpointer data;
} WpCompile;

/* Tells whether ptxas (IS_PTX) or nvcc is on the PATH. */
gboolean wp_compile_is_there (gboolean is_ptx);

/* The cubin of COMPILE->path, which is PTX or CUDA source, for COMPILE->sm, or the nearest target
 * that the compiler has, with a note. What the compiler prints is a note, or its error. NULL with
 * an error of IDG_ERROR. */
GBytes *wp_compile (const WpCompile *compile, gboolean is_ptx, GError **error);

G_END_DECLS
