/* SPDX-License-Identifier: MIT */
/* The report of warpipe coalesce on one access: transactions by the rules of each generation,
 * passes of shared memory, and pictures of both. */
#pragma once

#include "idg/kernel/idg-coalesce.h"

#include <glib.h>

G_BEGIN_DECLS

#define WP_N_BANKS 3 /* kinds of shared memory */

/* The name of the I-th kind of banks of Volkov 2016, table 2.5. */
const gchar *wp_banks_get_name (guint i);

typedef struct
{
  IdgAccess access;
  gchar *pattern; /* "stride 2": how the addresses were given */
  gboolean shared;
  guint banks;    /* the kind to draw */
  gboolean lanes; /* print a row for each lane, too */
} WpCoalesce;

/* How many lanes MASK has. */
guint wp_coalesce_count_lanes (guint32 mask);

/* How many different bytes the lanes access. */
guint wp_coalesce_count_bytes (const IdgAccess *access);

/* The sum of the bytes of N transactions. */
guint wp_coalesce_sum (const IdgTransaction *transactions, guint n);

/* The context of a kernel's instruction with this access: "conflict-2" for BANKS, or "sectors-8"
 * for global memory (BANKS NULL); NULL where there is none. Free with g_free(). */
gchar *wp_coalesce_get_context (const IdgAccess *access, const IdgBanks *banks);

void wp_coalesce_print_text (const WpCoalesce *coalesce);
void wp_coalesce_print_json (const WpCoalesce *coalesce);

G_END_DECLS
