/* SPDX-License-Identifier: MIT */
/* Patterns that were there before: warps mostly do again, somewhere else, what they or others did,
 * so that a pattern is remembered, and found by the addresses themselves. */
#pragma once

#include "exec/memory/wp-pattern.h"

G_BEGIN_DECLS

typedef struct WpPatterns WpPatterns;

WpPatterns *wp_patterns_new (void);
void wp_patterns_free (WpPatterns *patterns);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpPatterns, wp_patterns_free)

/* Returns the pattern of BYTES (up to 32) at each of ADDRESSES in MASK, which is not 0, in shared
 * memory or (lines, partial) in device memory. It is good until the next call. Mostly one look at
 * each address. */
const WpPattern *wp_patterns_find (WpPatterns *patterns, const guint64 addresses[WP_PATTERN_LANES],
                                   guint32 mask, guint bytes, gboolean is_shared);

G_END_DECLS
