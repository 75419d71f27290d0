/* SPDX-License-Identifier: MIT */
/* The context of an instruction that is a mix (MODEL.md, section 13): "l1*5 l2*2 -*1", contexts
 * with their weights, of which each dynamic instruction takes one. What has a `*`, or more than one
 * part, is a mix. */
#pragma once

#include <glib.h>

#include "idg/kernel/idg-macros.h"

G_BEGIN_DECLS

/* Most contexts in a mix. */
#define IDG_MAX_MIX 4096

typedef struct
{
  gchar *name; /* NULL: none, which is written "-" */
  guint32 weight;
} IdgMixPart;

/* Tells whether CONTEXT (may be NULL) is a mix. */
IDG_API gboolean idg_mix_is_one (const gchar *context);

/* Returns the parts of the mix CONTEXT, of IdgMixPart, in its order: from 1 to IDG_MAX_MIX of them,
 * no name twice, weights from 1 on, at most 2^31 - 1 in all. Else NULL, and WRONG (may be NULL)
 * receives what is wrong as a sentence without a subject, "must ...". Whether names may be names of
 * contexts is not looked at. Free both. O(length). */
IDG_API GArray *idg_mix_parse (const gchar *context, gchar **wrong);

/* Returns CONTEXT; where it is a mix, in the one way in which that is written. Free with
 * g_free(). */
IDG_API gchar *idg_mix_normalise (const gchar *context);

G_END_DECLS
