/* SPDX-License-Identifier: MIT */
/* What ops on memory move. */
#pragma once

#include "exec/machine/wp-warp.h"

G_BEGIN_DECLS

/* What is loaded or stored: rows of 32 lanes, a word of 32 bits each. */
typedef struct
{
  guint32 (*rows)[WP_LANES];
  guint32 *unknown; /* for each row a bit for each lane */
  guint8 source;    /* the variable that unknown ones come from, 0: not known */
  guint32 stands;   /* lanes in whose rows numbers stand for what is unknown (wp-stand-in.h) */
} WpData;

/* The lanes of MASK in which any of BYTES is unknown. */
static inline guint32
wp_data_find_unknown (const WpData *data, guint32 mask, guint bytes)
{
  guint32 found = 0;

  for (guint k = 0; k == 0 || 4 * k < bytes; k++)
    found |= data->unknown[k];
  return found & mask;
}

G_END_DECLS
