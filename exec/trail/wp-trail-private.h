/* SPDX-License-Identifier: MIT */
/* Private to wp-trail*.c: what a store holds, and how hashes are made. */
#pragma once

#include "exec/trail/wp-trail.h"

G_BEGIN_DECLS

/* What a trail that has ended comes to. */
typedef struct
{
  GArray *items; /* of WpTrailItem */
  WpTrailHash hash;
  guint64 instructions;
} WpTrailEnded;

#define WP_TRAIL_RECENT 64

struct WpTrailStore
{
  GArray *units;  /* of WpTrailUnit */
  GArray *runs;   /* of WpTrailRun: of segments */
  GArray *items;  /* of WpTrailItem: of bodies */
  guint32 *slots; /* the hash table: numbers of units + 1, 0: free */
  guint32 n_slots;
  /* Warps mostly execute what another one has just executed, which is seen by a look at its runs,
   * and takes no hash. */
  guint32 recent[WP_TRAIL_RECENT]; /* segments, likewise, by where they begin and end */
  WpTrailEnded ended;              /* the last one */
};

/* What the hashes of segments and of bodies begin with. */
#define WP_TRAIL_SEGMENT                                                                           \
  {                                                                                                \
    G_GUINT64_CONSTANT (0x243F6A8885A308D3), G_GUINT64_CONSTANT (0x13198A2E03707344)               \
  }
#define WP_TRAIL_BODY                                                                              \
  {                                                                                                \
    G_GUINT64_CONSTANT (0xA4093822299F31D0), G_GUINT64_CONSTANT (0x082EFA98EC4E6C89)               \
  }

/* The last step of splitmix64 (Steele, Lea and Flood, OOPSLA 2014). */
static inline guint64
wp_trail_mix (guint64 x)
{
  x = (x ^ (x >> 30)) * G_GUINT64_CONSTANT (0xBF58476D1CE4E5B9);
  x = (x ^ (x >> 27)) * G_GUINT64_CONSTANT (0x94D049BB133111EB);
  return x ^ (x >> 31);
}

/* Two halves that are made in different ways, so that they do not collide together. */
static inline void
wp_trail_hash_add (WpTrailHash *hash, guint64 x, guint64 y)
{
  hash->a = (hash->a ^ x) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
  hash->a = (hash->a ^ (hash->a >> 32) ^ y) * G_GUINT64_CONSTANT (0xD6E8FEB86659FD93);
  hash->a ^= hash->a >> 29;
  hash->b = wp_trail_mix (hash->b + x) + wp_trail_mix (y ^ G_GUINT64_CONSTANT (0x5851F42D4C957F2D));
}

static inline void
wp_trail_hash_end (WpTrailHash *hash)
{
  hash->a = wp_trail_mix (hash->a);
  hash->b = wp_trail_mix (hash->b ^ (hash->a << 1));
}

/* Returns the unit with HASH, or WP_TRAIL_NOWHERE. */
guint32 wp_trail_store_find (const WpTrailStore *store, const WpTrailHash *hash);
/* Return the unit of N (not 0) runs, or of N items; it is added if STORE lacks it. */
guint32 wp_trail_store_add_segment (WpTrailStore *store, const WpTrailRun *runs, guint32 n);
guint32 wp_trail_store_add_body (WpTrailStore *store, const WpTrailItem *items, guint32 n);
/* Returns what the N ITEMS of a whole trail come to. It is good until the next call. */
const WpTrailEnded *wp_trail_store_sum_up (WpTrailStore *store, const WpTrailItem *items,
                                           guint32 n);

G_END_DECLS
