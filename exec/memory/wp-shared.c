/* SPDX-License-Identifier: MIT */
#include "exec/memory/wp-shared.h"

#include <stdlib.h>
#include <string.h>

#include "exec/memory/wp-bytes.h"
#include "exec/memory/wp-fill.h" /* wp_mix() */

#define LANES WP_MEMORY_LANES

gboolean
wp_shared_check (const guint32 addresses[LANES], guint32 mask, guint size, guint32 bytes,
                 WpFault *fault)
{
  guint32 odd = 0, most = 0;

  /* All lanes at once, without a branch; nearly always they are right. */
  for (guint lane = 0; mask == WP_ALL_LANES && lane < LANES; lane++)
    {
      odd |= addresses[lane];
      most = MAX (most, addresses[lane]);
    }
  if (mask == WP_ALL_LANES && (odd & (size - 1)) == 0 && most < bytes && bytes - most >= size)
    return TRUE;
  for (guint32 left = mask; left != 0; left &= left - 1)
    {
      const guint lane = (guint)__builtin_ctz (left);
      const guint32 offset = addresses[lane];

      if ((offset & (size - 1)) == 0 && offset < bytes && bytes - offset >= size)
        continue;
      *fault = (WpFault){ (offset & (size - 1)) != 0 ? WP_FAULT_MISALIGNED : WP_FAULT_OUT_OF_BOUNDS,
                          lane, offset, size };
      return FALSE;
    }
  return TRUE;
}

/* ---- Shared memory ---- */

static inline gboolean
is_whole_row (const WpPattern *pattern)
{
  return pattern != NULL && pattern->is_row && pattern->bytes >= 4;
}

/* Where the lanes of PATTERN are, the first of which is at FIRST. */
static void
get_places (const WpPattern *pattern, guint32 first, guint32 places[LANES])
{
  for (guint lane = 0; lane < LANES; lane++)
    places[lane] = first + (guint32)pattern->relative[lane];
}

static inline guint32
find_unknown (const guint32 *unknown, guint bytes, guint32 mask)
{
  guint32 found = 0;

  for (guint k = 0; k == 0 || 4 * k < bytes; k++)
    found |= unknown[k];
  return found & mask;
}

/* A bit for each of the BYTES at PLACE that nothing was stored to. */
static guint32
find_unstored (const WpShared *shared, guint32 place, guint bytes)
{
  const WpSharedState *state = shared->state;
  const guint32 found = wp_bytes_get_unknown (shared->unknown, place, bytes);

  return state->has_given ? found & ~wp_bytes_get_unknown (state->given, place, bytes) : found;
}

/* Something unknown is stored to the bytes at PLACE that BITS has. */
static void
give (const WpShared *shared, guint32 place, guint64 bits)
{
  WpSharedState *state = shared->state;

  if (!state->has_given)
    memset (state->given, 0, ((gsize)shared->bytes / 64 + 1) * 8);
  state->has_given = TRUE;
  state->given[place >> 6] |= bits << (place & 63);
}

static void
give_lanes (const WpShared *shared, const guint32 places[LANES], guint32 mask, guint bytes,
            const guint32 *unknown)
{
  const guint64 bits = (1u << MIN (bytes, 4)) - 1;

  for (guint32 left = mask; left != 0; left &= left - 1)
    for (guint lane = (guint)__builtin_ctz (left), k = 0; k == 0 || 4 * k < bytes; k++)
      if (unknown[k] >> lane & 1)
        give (shared, places[lane] + 4 * k, bits);
}

static G_NO_INLINE void
give_at (const WpShared *shared, const WpPattern *pattern, guint32 first, const guint32 *unknown)
{
  guint32 places[LANES];

  get_places (pattern, first, places);
  give_lanes (shared, places, pattern->mask, pattern->bytes, unknown);
}

/* WORD, of which the bytes that BITS has become 0. Of a narrow one, of BYTES, the last stands for
 * all after it, which are its sign. */
static guint32
clear_bytes (guint32 word, guint32 bits, guint bytes)
{
  if (bytes < 4 && (bits >> (bytes - 1) & 1) != 0)
    bits |= 15 & ~((1u << bytes) - 1);
  for (guint i = 0; i < 4; i++)
    if (bits >> i & 1)
      word &= ~(0xffu << 8 * i);
  return word;
}

/* Of what was loaded from PLACES makes 0 what nothing was stored to. */
static void
settle_unstored (const WpShared *shared, const guint32 places[LANES], guint32 mask, guint bytes,
                 guint32 (*rows)[LANES], guint32 *unknown)
{
  for (guint32 left = find_unknown (unknown, bytes, mask); left != 0; left &= left - 1)
    {
      const guint lane = (guint)__builtin_ctz (left);
      const guint32 unstored = find_unstored (shared, places[lane], bytes);
      guint32 all;

      if (unstored == 0)
        continue;
      all = wp_bytes_get_unknown (shared->unknown, places[lane], bytes);
      for (guint k = 0; k == 0 || 4 * k < bytes; k++)
        {
          rows[k][lane] = clear_bytes (rows[k][lane], unstored >> 4 * k & 15, bytes);
          if (((all & ~unstored) >> 4 * k & 15) == 0)
            unknown[k] &= ~(1u << lane);
        }
      shared->state->has_found |= unstored != 0;
    }
}

#define PIECE 16u
#define ALL_OF_PIECE G_GUINT64_CONSTANT (0xffff)

/* Whether all lanes in MASK load PIECEs that something unknown was stored to, byte by byte. */
static gboolean
are_given (const WpShared *shared, const guint32 places[LANES], guint32 mask)
{
  const WpSharedState *state = shared->state;
  guint64 all = ALL_OF_PIECE;

  if (state->is_doubtful || !state->has_given)
    return FALSE;
  for (; mask != 0; mask &= mask - 1)
    {
      const guint32 place = places[__builtin_ctz (mask)];

      all &= (shared->unknown[place / 64] & state->given[place / 64]) >> place % 64;
    }
  return all == ALL_OF_PIECE;
}

gboolean
wp_shared_load (const WpShared *shared, const WpPattern *pattern, const guint32 addresses[LANES],
                guint32 mask, guint bytes, gboolean is_signed, guint32 (*rows)[LANES],
                guint32 *unknown, WpFault *fault)
{
  const WpBytes own = { shared->data, shared->unknown };

  if (!(pattern && wp_shared_has (shared, pattern, addresses[__builtin_ctz (mask)]))
      && !wp_shared_check (addresses, mask, bytes, shared->bytes, fault))
    return FALSE;
  if (wp_shared_is_blank (shared->state))
    {
      for (guint k = 0; k < MAX (1, bytes / 4); k++)
        unknown[k] |= mask;
      return TRUE;
    }
  if (bytes == PIECE && !shared->state->has_numbers && are_given (shared, addresses, mask))
    {
      for (guint k = 0; k < PIECE / 4; k++)
        unknown[k] |= mask;
      return TRUE;
    }
  if (is_whole_row (pattern))
    wp_bytes_load_row (&own, addresses[0], bytes, rows, unknown);
  else
    wp_bytes_load (&own, addresses, mask, bytes, is_signed, rows, unknown);
  if (!shared->state->is_doubtful && find_unknown (unknown, bytes, mask) != 0)
    settle_unstored (shared, addresses, mask, bytes, rows, unknown);
  return TRUE;
}

void
wp_shared_settle_at (const WpShared *shared, const WpPattern *pattern, guint64 first,
                     guint32 (*rows)[LANES], guint32 *unknown)
{
  guint32 places[LANES];

  if (shared->state->is_doubtful || find_unknown (unknown, pattern->bytes, pattern->mask) == 0)
    return;
  get_places (pattern, (guint32)first, places);
  settle_unstored (shared, places, pattern->mask, pattern->bytes, rows, unknown);
}

gboolean
wp_shared_load_at (const WpShared *shared, const WpPattern *pattern, guint64 first,
                   gboolean is_signed, guint32 (*rows)[LANES], guint32 *unknown)
{
  const WpBytes own = { shared->data, shared->unknown };

  return wp_bytes_load_at (&own, pattern, (guint32)first, is_signed, rows, unknown);
}

/* The words from FIRST on to END that are unknown become numbers that stand for them. */
static void
put_numbers (const WpShared *shared, guint32 first, guint32 end)
{
  for (guint32 at = first; at + 4 <= end; at += 4)
    {
      const guint64 hash = wp_mix (shared->state->seed ^ (guint64)at << 32);
      const guint32 number = GUINT32_TO_LE ((guint32)hash >> 1);

      if (wp_bytes_get_unknown (shared->unknown, at, 4) == 15)
        memcpy (shared->data + at, &number, sizeof number);
    }
}

void
wp_shared_keep_numbers (const WpShared *shared, guint32 seed)
{
  WpSharedState *state = shared->state;

  if (state->has_numbers)
    return;
  state->has_numbers = TRUE;
  state->seed = seed;
  if (state->has_known || state->is_doubtful)
    put_numbers (shared, 0, shared->bytes);
  else
    memset (shared->data, 0, shared->bytes);
}

/* The N words of the lanes in MASK are stored, too. Whether SHARED keeps what is stored: not as
 * long as nothing is known and no numbers stand for it. */
static gboolean
note_known (const WpShared *shared, const guint32 *unknown, guint n, guint32 mask)
{
  WpSharedState *state = shared->state;

  for (guint k = 0; !state->has_known && k < n; k++)
    state->has_known = (mask & ~unknown[k]) != 0;
  if (!state->has_known)
    state->is_doubtful = TRUE;
  return state->has_known || state->has_numbers;
}

/* Sets the bits from FIRST to END - 1 of WORDS. */
static void
set_bits (guint64 *words, guint32 first, guint32 end)
{
  for (guint32 at = first; at < end;)
    {
      const guint32 n = MIN (64 - at % 64, end - at);

      words[at / 64] |= (n == 64 ? G_MAXUINT64 : ((guint64)1 << n) - 1) << at % 64;
      at += n;
    }
}

void
wp_shared_store_unknown (const WpShared *shared, guint32 first, guint32 bytes)
{
  WpSharedState *state = shared->state;
  const guint32 unknown[1] = { 1 };

  if (bytes == 0 || !note_known (shared, unknown, 1, 1))
    return;
  if (!state->is_doubtful)
    {
      if (!state->has_given)
        memset (state->given, 0, ((gsize)shared->bytes / 64 + 1) * 8);
      state->has_given = TRUE;
      set_bits (state->given, first, first + bytes);
    }
  set_bits (shared->unknown, first, first + bytes);
  if (state->has_numbers)
    put_numbers (shared, first, first + bytes);
}

gboolean
wp_shared_store (const WpShared *shared, const WpPattern *pattern, const guint32 addresses[LANES],
                 guint32 mask, guint bytes, guint32 (*const rows)[LANES], const guint32 *unknown,
                 WpFault *fault)
{
  const WpBytes own = { shared->data, shared->unknown };

  if (!(pattern && wp_shared_has (shared, pattern, addresses[__builtin_ctz (mask)]))
      && !wp_shared_check (addresses, mask, bytes, shared->bytes, fault))
    return FALSE;
  if (!note_known (shared, unknown, MAX (1, bytes / 4), mask))
    return TRUE;
  if (!shared->state->is_doubtful && find_unknown (unknown, bytes, mask) != 0)
    give_lanes (shared, addresses, mask, bytes, unknown);
  if (is_whole_row (pattern))
    wp_bytes_store_row (&own, addresses[0], bytes, rows, unknown);
  else
    wp_bytes_store (&own, addresses, mask, bytes, rows, unknown);
  return TRUE;
}

void
wp_shared_store_at (const WpShared *shared, const WpPattern *pattern, guint64 first,
                    guint32 (*const rows)[LANES], const guint32 *unknown)
{
  const WpBytes own = { shared->data, shared->unknown };
  guint32 places[LANES];

  if (!note_known (shared, unknown, MAX (1u, pattern->bytes / 4u), pattern->mask))
    return;
  if (find_unknown (unknown, pattern->bytes, pattern->mask) != 0 && !shared->state->is_doubtful)
    give_at (shared, pattern, (guint32)first, unknown);
  if (is_whole_row (pattern))
    {
      wp_bytes_store_row (&own, (guint32)first, pattern->bytes, rows, unknown);
      return;
    }
  get_places (pattern, (guint32)first, places);
  wp_bytes_store (&own, places, pattern->mask, pattern->bytes, rows, unknown);
}

/* The BYTES at PLACE that nothing was stored to become 0. */
static void
clear_unstored (const WpShared *shared, guint32 place, guint bytes, gboolean is_read)
{
  const guint32 bits = find_unstored (shared, place, bytes);

  if (bits == 0)
    return;
  for (guint i = 0; i < bytes; i++)
    if (bits >> i & 1)
      shared->data[place + i] = 0;
  wp_bytes_set_unknown (&shared->unknown[place >> 6], (guint64)bits << (place & 63), FALSE);
  shared->state->has_found |= is_read;
}

gboolean
wp_shared_modify (const WpShared *shared, guint32 address, WpModification *modification,
                  WpFault *fault)
{
  const WpBytes own = { shared->data, shared->unknown };
  const guint32 addresses[LANES] = { address };

  if (!wp_shared_check (addresses, 1, modification->bytes, shared->bytes, fault))
    return FALSE;
  if (!shared->state->is_doubtful)
    clear_unstored (shared, address, modification->bytes, !modification->replaces);
  shared->state->has_known = TRUE;
  wp_bytes_modify (&own, address, modification);
  if (!shared->state->is_doubtful)
    {
      const guint32 bits = wp_bytes_get_unknown (shared->unknown, address, modification->bytes);

      if (bits != 0)
        give (shared, address, bits);
    }
  return TRUE;
}

/* ---- Banks ---- */

/* Whether each lane in MASK has the address of lane xor STEP, if that is in MASK. */
static gboolean
is_paired (const guint32 addresses[LANES], guint32 mask, guint step)
{
  guint32 differ = 0;

  for (guint lane = 0; lane < LANES; lane++)
    differ |= (guint32)(addresses[lane] != addresses[lane ^ step]) << lane;
  return (differ & mask
          & (step == 1 ? (mask >> 1 & 0x55555555u) | (mask << 1 & 0xaaaaaaaau)
                       : (mask >> 2 & 0x33333333u) | (mask << 2 & 0xccccccccu)))
         == 0;
}

/* The most of the N different WORDS that are in one group. */
static guint
count_groups (const guint32 *words, guint n, guint32 groups)
{
  guint32 lists[32][LANES];
  guint8 lengths[32] = { 0 };
  guint most = 0;

  for (guint k = 0; k < n; k++)
    {
      guint32 group = words[k] & (groups - 1);
      guint i = lengths[group];

      while (i > 0 && lists[group][i - 1] != words[k])
        i--;
      if (i > 0)
        continue;
      lists[group][lengths[group]++] = words[k];
      most = MAX (most, lengths[group]);
    }
  return most;
}

/* The most words that a bank has to deliver to MASK; an access of BYTES takes them from as many
 * banks beside each other, which are as one. Lanes that want what the one before wants cost
 * nothing, and mostly the rest is in different banks. */
static guint
count_words (const guint32 addresses[LANES], guint32 mask, guint bytes)
{
  const guint shift = bytes == 16 ? 4 : bytes == 8 ? 3 : 2;
  const guint32 groups = 128u >> shift;
  guint32 words[LANES + 1], seen = 0;
  guint n = 0;

  for (guint32 left = mask; left != 0; left &= left - 1)
    {
      const guint32 word = addresses[__builtin_ctz (left)] >> shift;

      words[n] = word;
      seen |= 1u << (word & (groups - 1));
      n += n == 0 || words[n - 1] != word;
    }
  return (guint)__builtin_popcount (seen) == n ? n > 0 : count_groups (words, n, groups);
}

/* Whether all lanes of a full access of 4 bytes are in a row, or all have one address. */
static gboolean
is_simple (const guint32 addresses[LANES], guint32 mask)
{
  guint32 odd = 0, other = 0;

  if (mask != WP_ALL_LANES)
    return FALSE;
  for (guint lane = 0; lane < LANES; lane++)
    {
      odd |= addresses[lane] ^ (addresses[0] + lane * 4);
      other |= addresses[lane] ^ addresses[0];
    }
  return odd == 0 || other == 0;
}

guint
wp_shared_wavefronts (const guint32 addresses[LANES], guint32 mask, guint bytes)
{
  guint lanes = bytes == 16 ? LANES / 4 : bytes == 8 ? LANES / 2 : LANES, sum = 0;

  if (bytes <= 4)
    return is_simple (addresses, mask) ? 1 : count_words (addresses, mask, bytes);
  for (guint from = 0; from < LANES; from += 2 * lanes)
    {
      guint32 part = (guint32)(((guint64)1 << lanes) - 1) << from, next = part << lanes;
      guint32 both = (part | next) & mask;

      if (is_paired (addresses, both, 1) || is_paired (addresses, both, 2))
        sum += count_words (addresses, both, bytes);
      else
        sum += count_words (addresses, part & mask, bytes)
               + count_words (addresses, next & mask, bytes);
    }
  return sum;
}

guint
wp_shared_row_wavefronts (const guint32 addresses[LANES], guint32 mask)
{
  return count_words (addresses, mask, 16);
}

/* ---- Local memory ---- */

/* Where the words of all lanes that begin at ADDRESSES + MORE are. */
static void
get_offsets (const guint32 addresses[LANES], guint more, guint32 offsets[LANES])
{
  for (guint lane = 0; lane < LANES; lane++)
    {
      guint32 offset = addresses[lane] + more;

      offsets[lane] = (offset / 4 * LANES + lane) * 4 + offset % 4;
    }
}

gboolean
wp_local_load (const WpLocal *local, const guint32 addresses[LANES], guint32 mask, guint bytes,
               gboolean is_signed, guint32 (*rows)[LANES], guint32 *unknown, WpFault *fault)
{
  const WpBytes own = { local->data, local->unknown };
  guint32 offsets[LANES];

  if (!wp_shared_check (addresses, mask, bytes, local->bytes, fault))
    return FALSE;
  for (guint k = 0; k < MAX (1, bytes / 4); k++)
    {
      get_offsets (addresses, 4 * k, offsets);
      wp_bytes_load (&own, offsets, mask, MIN (bytes, 4), is_signed, rows + k, unknown + k);
    }
  return TRUE;
}

gboolean
wp_local_store (const WpLocal *local, const guint32 addresses[LANES], guint32 mask, guint bytes,
                guint32 (*const rows)[LANES], const guint32 *unknown, WpFault *fault)
{
  const WpBytes own = { local->data, local->unknown };
  guint32 offsets[LANES];

  if (!wp_shared_check (addresses, mask, bytes, local->bytes, fault))
    return FALSE;
  for (guint k = 0; k < MAX (1, bytes / 4); k++)
    {
      get_offsets (addresses, 4 * k, offsets);
      wp_bytes_store (&own, offsets, mask, MIN (bytes, 4), rows + k, unknown + k);
    }
  return TRUE;
}
