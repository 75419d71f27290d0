/* SPDX-License-Identifier: MIT */
/* Memory of programs that live and die together: texts, each of which is stored once, and small
 * arrays, one behind another. A kernel of 32,000 programs has the same hundred texts in each, and
 * an allocation of its own for each array would take more than most arrays.
 *
 * Nothing is given back before the pool is. A pool is used by one thread at a time. Private; plain
 * C11. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct IdgPool IdgPool;

/* Returns a pool with one owner, or NULL if memory is exhausted. */
IdgPool *idg_pool_new (void);
/* One owner more. Returns POOL. */
IdgPool *idg_pool_ref (IdgPool *pool);
/* One owner less, and the last one frees it. POOL may be NULL. */
void idg_pool_unref (IdgPool *pool);

/* Returns the copy of TEXT, the same for equal texts, or NULL if memory is exhausted. O(length),
 * amortized. */
const char *idg_pool_keep_text (IdgPool *pool, const char *text);

/* Returns SIZE bytes, aligned for numbers of 32 bits, or NULL if memory is exhausted. O(1). */
void *idg_pool_take (IdgPool *pool, size_t size);

/* Makes SIZE bytes of PIECE, which has OLD of them, where it lies. Returns false, and changes
 * nothing, where it is not the last that was taken, or there is no room behind it. O(1). */
bool idg_pool_extend (IdgPool *pool, const void *piece, size_t old, size_t size);
