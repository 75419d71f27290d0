/* SPDX-License-Identifier: MIT */
/* Ops of a kernel that a GPU lacks, where the kernel leaves it to us what to run in their place;
 * and suffixes of ops that it lacks, in any kernel. */
#pragma once

#include "idg/kernel/idg-kernel.h"
#include "run/base/note.h"
#include "sim/gpu/wp-gpu.h"

G_BEGIN_DECLS

/* Hands NOTE (may be NULL) a sentence for each replacement, which says what runs in whose place.
 * STRICT: there is no note, and false with ERROR (WP_ERROR_VALUE) that names the first one.
 * O(the kernel's instructions). */
gboolean wp_check_ops (const IdgKernel *kernel, const WpGpu *gpu, gboolean strict, WpNoteFunc note,
                       gpointer data, GError **error);

/* Tells what part of a pipeline's use is by instructions that run with another's figures, if that
 * is more than WP_APPROXIMATED of any pipeline's: a sentence that names the pipeline and the ops.
 * NULL if it is not: the run's verdict is its own. Free with g_free(). O(the kernel's
 * instructions). */
gchar *wp_check_ops_find_approximation (const IdgKernel *kernel, const WpGpu *gpu);
#define WP_APPROXIMATED 0.01

/* What of a kernel runs with another's figures. */
typedef struct
{
  gdouble *use;      /* [the GPU's pipelines]: the part of the use of each */
  gdouble share;     /* the part of all that is executed */
  gdouble with_path; /* ...that passes further pipelines, whose use is not told here */
} WpApproximation;

/* Measures that of KERNEL on GPU. Clear it with wp_approximation_clear(). O(the kernel's
 * instructions). */
void wp_check_ops_measure_approximation (const IdgKernel *kernel, const WpGpu *gpu,
                                         WpApproximation *approximation);
void wp_approximation_clear (WpApproximation *approximation);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpApproximation, wp_approximation_clear)

/* Tells which instructions have no figure at all and take an issue slot alone, and what to write to
 * give them one; SHARE receives the fraction of those executed that they are. NULL if there are
 * none. Above WP_NO_FIGURE there is to be no verdict. Free with g_free(). O(the kernel's
 * instructions). */
gchar *wp_check_ops_find_no_figure (const IdgKernel *kernel, const WpGpu *gpu, gdouble *share);
#define WP_NO_FIGURE 0.01

G_END_DECLS
