/* SPDX-License-Identifier: MIT */
/* How far off predictions of kernels that were executed are, as far as others measured such
 * launches: by what bounds one, and by the GPU's generation (doc/fidelity-kernels.md). */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  const gchar *kind, *resource; /* of the verdict */
  const gchar *generation;      /* of the GPU */
  guint n;                      /* launches that were measured */
  guint within;                 /* per cent: half of them were predicted within that */
} WpKnownErrors;

/* Returns what is known of launches with this bound on GPUs of GENERATION (may be NULL), or NULL:
 * too few were measured. Static. */
const WpKnownErrors *wp_known_errors_find (const gchar *kind, const gchar *resource,
                                           const gchar *generation);

G_END_DECLS
