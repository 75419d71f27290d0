/* SPDX-License-Identifier: MIT */
/* What warpipe coalesce says of one access: transactions by the rules of each generation, passes of
 * shared memory, and pictures of both. */
#pragma once

#include "idg/kernel/idg-coalesce.h"

#include <glib.h>

G_BEGIN_DECLS

#define WP_N_BANKS 3 /* kinds of shared memory */

/* Of table 2.5 of Volkov's thesis: the name of the I-th kind of banks. */
const gchar *wp_banks_get_name (guint i);

typedef struct
{
  IdgAccess access;
  gchar *pattern; /* "stride 2": how the addresses were asked for */
  gboolean shared;
  guint banks;    /* those drawn */
  gboolean lanes; /* a row for each lane, too */
} WpCoalesce;

/* How many lanes take part. */
guint wp_coalesce_count_lanes (guint32 mask);

/* Bytes that some lane asks for, each counted once. */
guint wp_coalesce_count_bytes (const IdgAccess *access);

/* Bytes of N transactions. */
guint wp_coalesce_sum (const IdgTransaction *transactions, guint n);

/* "conflict-2" of the banks, or with NULL "sectors-8" of global memory; NULL: none. Free with
 * g_free(). */
gchar *wp_coalesce_get_context (const IdgAccess *access, const IdgBanks *banks);

void wp_coalesce_print_text (const WpCoalesce *coalesce);
void wp_coalesce_print_json (const WpCoalesce *coalesce);

G_END_DECLS
