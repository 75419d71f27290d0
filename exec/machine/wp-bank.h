/* SPDX-License-Identifier: MIT */
/* Bytes of a bank of constants. */
#pragma once

#include "exec/machine/wp-block.h"

G_BEGIN_DECLS

/* Reads BYTES (1, 2, 4, 8 or 16) at OFFSET of BANK into WORDS, of which the first ones are set, the
 * others 0. UNKNOWN has a bit for each word, TAG says where they come from. FALSE: they are beyond
 * its end. */
gboolean wp_bank_read (const WpBank *bank, guint64 offset, guint bytes, gboolean is_signed,
                       guint32 words[4], guint32 *unknown, WpTag *tag);

G_END_DECLS
