/* SPDX-License-Identifier: MIT */
/* Pieces come from chunks that double, so that a small kernel takes little and a large one few
 * chunks. Texts are found by a table with open addresses, of which at most half is in use. */
#include "idg/kernel/idg-pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CHUNK 256
#define LARGEST_CHUNK ((size_t)1 << 16) /* a larger piece has a chunk of its own */
#define FIRST_SLOTS 16
#define ALIGNMENT sizeof (uint32_t)

typedef struct Chunk
{
  struct Chunk *next;
  size_t used, size; /* of the bytes behind this */
} Chunk;

struct IdgPool
{
  unsigned n_owners;
  Chunk *chunks; /* the first is the one in use */
  size_t next_size;
  const char **texts; /* [n_slots]: NULL where there is none */
  size_t n_slots, n_texts;
};

IdgPool *
idg_pool_new (void)
{
  IdgPool *pool = calloc (1, sizeof *pool);

  if (pool == NULL)
    return NULL;
  pool->n_owners = 1;
  pool->next_size = FIRST_CHUNK;
  return pool;
}

IdgPool *
idg_pool_ref (IdgPool *pool)
{
  pool->n_owners++;
  return pool;
}

void
idg_pool_unref (IdgPool *pool)
{
  if (pool == NULL || --pool->n_owners > 0)
    return;
  while (pool->chunks != NULL)
    {
      Chunk *chunk = pool->chunks;

      pool->chunks = chunk->next;
      free (chunk);
    }
  free (pool->texts);
  free (pool);
}

/* ---- Pieces ---- */

static size_t
round_up (size_t size)
{
  return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static char *
get_bytes (Chunk *chunk)
{
  return (char *)(chunk + 1);
}

static bool
add_chunk (IdgPool *pool, size_t size)
{
  Chunk *chunk;

  size = size > pool->next_size ? size : pool->next_size;
  if (size > SIZE_MAX - sizeof *chunk)
    return false;
  chunk = malloc (sizeof *chunk + size);
  if (chunk == NULL)
    return false;
  *chunk = (Chunk){ .next = pool->chunks, .size = size };
  pool->chunks = chunk;
  if (pool->next_size < LARGEST_CHUNK)
    pool->next_size *= 2;
  return true;
}

void *
idg_pool_take (IdgPool *pool, size_t size)
{
  void *piece;

  size = round_up (size);
  if ((pool->chunks == NULL || pool->chunks->size - pool->chunks->used < size)
      && !add_chunk (pool, size))
    return NULL;
  piece = get_bytes (pool->chunks) + pool->chunks->used;
  pool->chunks->used += size;
  return piece;
}

bool
idg_pool_extend (IdgPool *pool, const void *piece, size_t old, size_t size)
{
  Chunk *chunk = pool->chunks;
  size_t more = round_up (size) - round_up (old);

  if (chunk == NULL || get_bytes (chunk) + chunk->used != (const char *)piece + round_up (old)
      || chunk->size - chunk->used < more)
    return false;
  chunk->used += more;
  return true;
}

/* ---- Texts ---- */

static size_t
hash_text (const char *text)
{
  uint64_t hash = UINT64_C (14695981039346656037); /* FNV-1a */

  for (; *text != '\0'; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C (1099511628211);
  return (size_t)(hash ^ hash >> 32);
}

/* The slot of TEXT, or the empty one where it belongs. */
static const char **
find_slot (const char **texts, size_t n_slots, const char *text)
{
  size_t i = hash_text (text) & (n_slots - 1);

  while (texts[i] != NULL && strcmp (texts[i], text) != 0)
    i = (i + 1) & (n_slots - 1);
  return &texts[i];
}

static bool
reserve_slot (IdgPool *pool)
{
  size_t n_slots = pool->n_slots > 0 ? 2 * pool->n_slots : FIRST_SLOTS;
  const char **texts;

  if (pool->n_texts < pool->n_slots / 2)
    return true;
  texts = calloc (n_slots, sizeof *texts);
  if (texts == NULL)
    return false;
  for (size_t i = 0; i < pool->n_slots; i++)
    if (pool->texts[i] != NULL)
      *find_slot (texts, n_slots, pool->texts[i]) = pool->texts[i];
  free (pool->texts);
  pool->texts = texts;
  pool->n_slots = n_slots;
  return true;
}

const char *
idg_pool_keep_text (IdgPool *pool, const char *text)
{
  const char **slot;

  if (!reserve_slot (pool))
    return NULL;
  slot = find_slot (pool->texts, pool->n_slots, text);
  if (*slot == NULL)
    {
      size_t size = strlen (text) + 1;
      char *copy = idg_pool_take (pool, size);

      if (copy == NULL)
        return NULL;
      *slot = memcpy (copy, text, size);
      pool->n_texts++;
    }
  return *slot;
}
