/* SPDX-License-Identifier: MIT */
/* What a warp loads from buffers, stores to them, and modifies there. Nearly always all lanes are
 * in one page, which the bits in which their addresses differ tell at once. */
#include "exec/memory/wp-bytes.h"
#include "exec/memory/wp-memory-private.h"
#include "exec/memory/wp-vectors.h"

#include <string.h>

#define LANES WP_MEMORY_LANES

/* Returns the buffer that the SIZE bytes from ADDRESS on are in, or NULL with what is wrong in
 * FAULT. */
static inline WpBuffer *
find_buffer (const WpMemory *memory, guint64 address, guint size, WpFault *fault)
{
  guint number = wp_memory_get_number (memory, address);
  WpBuffer *buffer = memory->buffers[number];

  if ((address & (size - 1)) != 0)
    fault->kind = WP_FAULT_MISALIGNED;
  else if (number == 0)
    fault->kind = WP_FAULT_NO_BUFFER;
  else if (address < buffer->base || address - buffer->base > buffer->limit
           || buffer->limit - (address - buffer->base) < size)
    fault->kind = WP_FAULT_OUT_OF_BOUNDS;
  else
    return buffer;
  fault->address = address;
  fault->bytes = size;
  return NULL;
}

/* A buffer without a size is as large as the accesses to it. */
static inline void
extend (WpBuffer *buffer, guint64 end)
{
  guint64 now;

  if (buffer->is_bounded)
    return;
  now = __atomic_load_n (&buffer->extent, __ATOMIC_RELAXED);
  while (now < end
         && !__atomic_compare_exchange_n (&buffer->extent, &now, end, TRUE, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED))
    ;
}

/* The bits in which the addresses of the lanes in MASK differ from the lowest lane's; ALL receives
 * all bits that are set in any. */
static guint64
get_differences (const guint64 addresses[LANES], guint32 mask, guint64 *all)
{
  const guint64 first = addresses[__builtin_ctz (mask)];
  guint64 differ = 0, bits = 0;

  if (mask == WP_ALL_LANES)
    for (guint lane = 0; lane < LANES; lane++)
      {
        differ |= addresses[lane] ^ first;
        bits |= addresses[lane];
      }
  else
    for (guint32 left = mask; left != 0; left &= left - 1)
      {
        const guint64 address = addresses[__builtin_ctz (left)];

        differ |= address ^ first;
        bits |= address;
      }
  *all = bits;
  return differ;
}

static guint64
get_greatest (const guint64 addresses[LANES], guint32 mask)
{
  guint64 greatest = 0;

  for (guint32 left = mask; left != 0; left &= left - 1)
    greatest = MAX (greatest, addresses[__builtin_ctz (left)]);
  return greatest;
}

/* What is known of an access before any byte is looked at. */
typedef struct
{
  WpBuffer *buffer;  /* of all lanes, if they are in one page of it; else NULL */
  gboolean is_whole; /* ...and of 32 lanes in a row */
} Place;

/* The buffer with all of the page that ADDRESS is in; NULL: there is none, or it is its last. */
static inline WpBuffer *
find_whole_page (const WpMemory *memory, guint64 address)
{
  const guint number = wp_memory_get_number (memory, address);
  const guint64 page = address & ~(guint64)(WP_PAGE_BYTES - 1);
  WpBuffer *buffer = memory->buffers[number];

  return number != 0 && page >= buffer->base && page - buffer->base < buffer->limit
                 && buffer->limit - (page - buffer->base) >= WP_PAGE_BYTES
             ? buffer
             : NULL;
}

/* Checks each lane by itself. */
static gboolean
check_each (const WpMemory *memory, const guint64 addresses[LANES], guint32 mask, guint size,
            WpFault *fault)
{
  for (guint32 left = mask; left != 0; left &= left - 1)
    {
      fault->lane = (guint)__builtin_ctz (left);
      if (find_buffer (memory, addresses[fault->lane], size, fault) == NULL)
        return FALSE;
    }
  return TRUE;
}

/* Whether all lanes, with PATTERN, are in one page of a buffer, which they do not leave: nearly
 * always that is so, and nothing is left to check. */
static inline gboolean
find_place (const WpMemory *memory, guint64 first, const WpPattern *pattern, Place *place)
{
  const guint64 low = first + (guint64)pattern->low, last = first + (guint64)pattern->high - 1;
  WpBuffer *buffer = find_whole_page (memory, first);

  if (buffer == NULL || low >> WP_PAGE_SHIFT != last >> WP_PAGE_SHIFT
      || low >> WP_PAGE_SHIFT != first >> WP_PAGE_SHIFT || !wp_pattern_is_aligned (pattern, first))
    return FALSE;
  place->buffer = buffer;
  place->is_whole = pattern->is_row && pattern->bytes >= 4;
  if (!buffer->is_bounded)
    extend (buffer, last + 1 - buffer->base);
  return TRUE;
}

/* Checks all lanes; FALSE with FAULT if one is in no buffer. */
static gboolean
check_lanes (const WpMemory *memory, const guint64 addresses[LANES], guint32 mask, guint size,
             Place *place, WpFault *fault)
{
  const guint64 first = addresses[__builtin_ctz (mask)];
  guint64 all, differ = get_differences (addresses, mask, &all);
  const gboolean is_one_page = differ < WP_PAGE_BYTES;
  WpBuffer *buffer = find_whole_page (memory, first);

  place->buffer = NULL;
  place->is_whole = FALSE;
  if (buffer == NULL || !is_one_page || (all & (size - 1)) != 0)
    {
      if (!check_each (memory, addresses, mask, size, fault))
        return FALSE;
      if (!is_one_page)
        return TRUE;
      buffer = memory->buffers[first >> WP_BUFFER_SHIFT];
    }
  place->buffer = buffer;
  if (!buffer->is_bounded
      && __atomic_load_n (&buffer->extent, __ATOMIC_RELAXED)
             < ((first - buffer->base) | (WP_PAGE_BYTES - 1)) + 1)
    extend (buffer, get_greatest (addresses, mask) + size - buffer->base);
  return TRUE;
}

/* Where all lanes are, by PATTERN (NULL: not known), else by each. FALSE with FAULT. */
static inline gboolean
find_lanes (const WpMemory *memory, const WpPattern *pattern, const guint64 addresses[LANES],
            guint32 mask, guint size, Place *place, WpFault *fault)
{
  return (pattern != NULL && find_place (memory, addresses[__builtin_ctz (mask)], pattern, place))
         || check_lanes (memory, addresses, mask, size, place, fault);
}

/* The lanes of MASK that are in the same page as the lowest one. */
static guint32
group_lanes (const guint64 addresses[LANES], guint32 mask)
{
  const guint64 page = addresses[__builtin_ctz (mask)] >> WP_PAGE_SHIFT;
  guint32 group = 0;

  for (guint lane = 0; lane < LANES; lane++)
    group |= (guint32)(addresses[lane] >> WP_PAGE_SHIFT == page) << lane;
  return group & mask;
}

/* Where the lanes are in their page. */
static void
get_offsets (const guint64 addresses[LANES], guint32 offsets[LANES])
{
  for (guint lane = 0; lane < LANES; lane++)
    offsets[lane] = (guint32)addresses[lane] & (WP_PAGE_BYTES - 1);
}

/* ---- Loads ---- */

/* Puts BITS, element PART of EXTENT bytes of what each lane loads, to its place in WORDS. A lane
 * may load a part of one, the place of which OFFSETS say. */
WP_INLINE void
put_elements (const guint64 bits[LANES], const guint64 offsets[LANES], guint part, guint extent,
              guint size, guint32 (*words)[LANES])
{
  const guint at = part * extent;
  const guint32 keep = extent < 4 ? (1u << 8 * extent) - 1 : G_MAXUINT32;

  if (extent == 4 && size >= 4)
    for (guint lane = 0; lane < LANES; lane++)
      words[part][lane] = (guint32)bits[lane];
  else if (extent == 8 && size >= 8)
    for (guint lane = 0; lane < LANES; lane++)
      {
        words[2 * part][lane] = (guint32)bits[lane];
        words[2 * part + 1][lane] = bits[lane] >> 32;
      }
  else
    for (guint lane = 0; lane < LANES; lane++)
      {
        const guint skipped = (guint)offsets[lane] & (extent - 1);

        words[at / 4][lane] |= ((guint32)(bits[lane] >> 8 * skipped) & keep) << 8 * (at & 3);
      }
}

/* WORDS become their low SIZE bytes, 1 or 2. */
WP_INLINE void
narrow (guint32 words[LANES], guint size, gboolean is_signed)
{
  for (guint lane = 0; lane < LANES; lane++)
    {
      const guint32 low = size == 1 ? words[lane] & 0xff : words[lane] & 0xffff;

      words[lane] = !is_signed ? low : size == 1 ? (guint32)(gint8)low : (guint32)(gint16)low;
    }
}

/* Sees to it that what the lanes in MASK access of PAGE is there. */
static void
need_lanes (const WpBuffer *buffer, WpPage *page, const guint64 addresses[LANES], guint32 mask)
{
  for (guint32 left = mask; left != 0 && !wp_page_is_whole (page); left &= left - 1)
    wp_page_need_line (buffer, page, addresses[__builtin_ctz (left)] - buffer->base);
}

/* The same of lanes with PATTERN, the first of which is at FIRST. */
static void
need_pattern (const WpBuffer *buffer, WpPage *page, const WpPattern *pattern, guint64 first)
{
  const WpLine line = first >> WP_PAGE_LINE_SHIFT << 4;

  for (guint k = 0; k < pattern->n_lines && !wp_page_is_whole (page); k++)
    wp_page_need_line (buffer, page,
                       ((pattern->lines[k] + line) >> 4 << WP_PAGE_LINE_SHIFT) - buffer->base);
}

/* The bytes of the page with OFFSET, as they were stored to PAGE (NULL: there is none) or are in a
 * file. FALSE: nothing was stored there, and the file, if there is one, ends before it. */
static inline gboolean
find_bytes (const WpBuffer *buffer, WpPage *page, guint64 offset, WpBytes *bytes)
{
  const guint64 begin = offset & ~(guint64)(WP_PAGE_BYTES - 1);

  if (page != NULL)
    *bytes = (WpBytes){ page->data, wp_page_get_unknown (page) };
  else if (begin < buffer->data_length && buffer->data_length - begin >= WP_PAGE_BYTES)
    *bytes = (WpBytes){ (guint8 *)buffer->data + begin, NULL }; /* only read */
  else
    return FALSE;
  return TRUE;
}

/* Loads lanes of a page that nothing was stored to, and whose elements are numbers. */
WP_INLINE void
load_elements (const WpBuffer *buffer, const guint64 addresses[LANES], guint32 mask, guint size,
               gboolean is_signed, guint32 (*rows)[LANES])
{
  const guint extent = wp_element_get_bytes (buffer->fill->element);
  const guint shift = (guint)__builtin_ctz (extent), n_words = MAX (1, size / 4);
  guint64 offsets[LANES], indices[LANES], bits[LANES];
  guint32 words[4][LANES] = { { 0 } };

  for (guint lane = 0; lane < LANES; lane++)
    offsets[lane] = addresses[lane] - buffer->base;
  for (guint part = 0; buffer->fill->kind != WP_FILL_ZEROS && part << shift < size; part++)
    {
      for (guint lane = 0; lane < LANES; lane++)
        indices[lane] = (offsets[lane] >> shift) + part;
      wp_fill_get_lanes (buffer->fill, indices, bits);
      put_elements (bits, offsets, part, extent, size, words);
    }
  if (size < 4)
    narrow (words[0], size, is_signed);
  for (guint k = 0; k < n_words; k++)
    if (mask == WP_ALL_LANES)
      memcpy (rows[k], words[k], sizeof words[k]);
    else
      for (guint32 left = mask; left != 0; left &= left - 1)
        rows[k][__builtin_ctz (left)] = words[k][__builtin_ctz (left)];
}

WP_WIDE static void
load_elements_wide (const WpBuffer *buffer, const guint64 addresses[LANES], guint32 mask,
                    guint size, gboolean is_signed, guint32 (*rows)[LANES])
{
  load_elements (buffer, addresses, mask, size, is_signed, rows);
}

/* Loads lanes of a page that nothing was stored to; IS_WHOLE: 32 lanes in a row. */
static void
load_fill (WpBuffer *buffer, const guint64 addresses[LANES], guint32 mask, guint size,
           gboolean is_signed, gboolean is_whole, guint32 (*rows)[LANES], guint32 *unknown)
{
  const gboolean is_unknown = wp_buffer_is_unknown (buffer);
  guint8 data[LANES * 16];
  guint32 offsets[LANES];
  const WpBytes bytes = { data, NULL };

  for (guint k = 0; k < MAX (1, size / 4); k++)
    unknown[k] = is_unknown ? unknown[k] | mask : unknown[k] & ~mask;
  if (is_unknown)
    return;
  if (G_UNLIKELY (buffer->is_unset))
    __atomic_store_n (&buffer->is_asked, TRUE, __ATOMIC_RELAXED);
  if (buffer->fill->kind != WP_FILL_FILE)
    {
      (wp_host_is_wide () ? load_elements_wide : load_elements) (buffer, addresses, mask, size,
                                                                 is_signed, rows);
      return;
    }
  if (is_whole)
    wp_buffer_read_fill (buffer, addresses[0] - buffer->base, LANES * size, data);
  for (guint lane = 0; lane < LANES; lane++)
    {
      offsets[lane] = lane * size;
      if (!is_whole && (mask >> lane & 1))
        wp_buffer_read_fill (buffer, addresses[lane] - buffer->base, size, data + lane * size);
    }
  wp_bytes_load (&bytes, offsets, mask, size, is_signed, rows, unknown);
}

static void
load_group (WpBuffer *buffer, const guint64 addresses[LANES], guint32 mask, guint size,
            gboolean is_signed, gboolean is_whole, guint32 (*rows)[LANES], guint32 *unknown)
{
  const guint64 first = addresses[__builtin_ctz (mask)];
  WpPage *page = wp_buffer_find_page (buffer, first - buffer->base);
  guint32 offsets[LANES];
  WpBytes bytes;

  if (page != NULL && !wp_page_is_whole (page))
    need_lanes (buffer, page, addresses, mask);
  if (!find_bytes (buffer, page, first - buffer->base, &bytes))
    {
      load_fill (buffer, addresses, mask, size, is_signed, is_whole, rows, unknown);
      return;
    }
  if (is_whole)
    {
      wp_bytes_load_row (&bytes, (guint32)first & (WP_PAGE_BYTES - 1), size, rows, unknown);
      return;
    }
  get_offsets (addresses, offsets);
  wp_bytes_load (&bytes, offsets, mask, size, is_signed, rows, unknown);
}

gboolean
wp_memory_load (WpMemory *memory, const WpPattern *pattern, const guint64 addresses[LANES],
                guint32 mask, guint bytes, gboolean is_signed, guint32 (*rows)[LANES],
                guint32 *unknown, guint8 *source, WpFault *fault)
{
  guint32 group;
  Place place;

  if (!find_lanes (memory, pattern, addresses, mask, bytes, &place, fault))
    return FALSE;
  for (guint32 left = mask; left != 0; left &= ~group)
    {
      const guint64 address = addresses[__builtin_ctz (left)];
      WpBuffer *own = memory->buffers[address >> WP_BUFFER_SHIFT];
      guint32 found = 0;

      group = place.buffer != NULL ? left : group_lanes (addresses, left);
      load_group (own, addresses, group, bytes, is_signed, place.is_whole, rows, unknown);
      for (guint k = 0; k < MAX (1, bytes / 4); k++)
        found |= unknown[k] & group;
      if (found != 0)
        *source = own->source;
      if (place.buffer == NULL)
        extend (own, get_greatest (addresses, group) + bytes - own->base);
    }
  return TRUE;
}

/* Where the lanes of PATTERN are, the first of which is at FIRST. */
static void
get_addresses (const WpPattern *pattern, guint64 first, guint64 addresses[LANES])
{
  for (guint lane = 0; lane < LANES; lane++)
    addresses[lane] = first + pattern->relative[lane];
}

/* Whether 32 lanes with PATTERN, aligned, are elements of BUFFER that are computed, one each. */
static inline gboolean
are_computed_words (const WpBuffer *buffer, const WpPattern *pattern)
{
  return pattern->bytes == 4 && pattern->mask == WP_ALL_LANES
         && wp_element_get_bytes (buffer->fill->element) == 4
         && (buffer->fill->kind == WP_FILL_RANDOM || buffer->fill->kind == WP_FILL_IOTA);
}

/* Loads lanes of a page that nothing was stored to, and that are known. */
static void
load_fill_at (const Place *place, const WpPattern *pattern, guint64 first, gboolean is_signed,
              guint32 (*rows)[LANES], guint32 *unknown)
{
  guint64 addresses[LANES];

  if (are_computed_words (place->buffer, pattern))
    {
      wp_fill_get_words (place->buffer->fill, (first - place->buffer->base) / 4,
                         place->is_whole ? NULL : pattern->relative, rows[0]);
      unknown[0] = 0;
      return;
    }
  get_addresses (pattern, first, addresses);
  load_fill (place->buffer, addresses, pattern->mask, pattern->bytes, is_signed, place->is_whole,
             rows, unknown);
}

/* As load_group(), from PLACE. */
static void
load_at (const Place *place, const WpPattern *pattern, guint64 first, gboolean is_signed,
         guint32 (*rows)[LANES], guint32 *unknown)
{
  const guint64 offset = first - place->buffer->base;
  WpPage *page = wp_buffer_find_page (place->buffer, offset);
  WpBytes bytes;

  if (page != NULL && !wp_page_is_whole (page))
    need_pattern (place->buffer, page, pattern, first);
  if (find_bytes (place->buffer, page, offset, &bytes))
    wp_bytes_load_at (&bytes, pattern, (guint32)first & (WP_PAGE_BYTES - 1), is_signed, rows,
                      unknown);
  else if (place->buffer->fill->kind == WP_FILL_UNKNOWN)
    for (guint k = 0; k < MAX (1u, pattern->bytes / 4u); k++)
      unknown[k] |= pattern->mask;
  else
    load_fill_at (place, pattern, first, is_signed, rows, unknown);
}

gboolean
wp_memory_is_unknown (const WpMemory *memory, guint64 first, guint bytes, guint8 *source)
{
  const guint number = wp_memory_get_number (memory, first);
  const WpBuffer *buffer = memory->buffers[number];
  const guint64 last = first + bytes - 1;

  if (number == 0 || wp_memory_get_number (memory, last) != number
      || buffer->fill->kind != WP_FILL_UNKNOWN)
    return FALSE;
  for (guint64 at = first & ~(guint64)(WP_PAGE_BYTES - 1); at <= last; at += WP_PAGE_BYTES)
    if (wp_buffer_find_page (buffer, MAX (at, first) - buffer->base) != NULL)
      return FALSE;
  *source = buffer->source;
  return TRUE;
}

gboolean
wp_memory_has (const WpMemory *memory, const WpPattern *pattern, const guint64 addresses[LANES],
               guint32 mask, guint bytes, WpFault *fault)
{
  guint32 group;
  Place place;

  if (!find_lanes (memory, pattern, addresses, mask, bytes, &place, fault))
    return FALSE;
  for (guint32 left = place.buffer != NULL ? 0 : mask; left != 0; left &= ~group)
    {
      WpBuffer *own = memory->buffers[addresses[__builtin_ctz (left)] >> WP_BUFFER_SHIFT];

      group = group_lanes (addresses, left);
      extend (own, get_greatest (addresses, group) + bytes - own->base);
    }
  return TRUE;
}

gboolean
wp_memory_has_at (const WpMemory *memory, const WpPattern *pattern, guint64 first)
{
  Place place;

  return find_place (memory, first, pattern, &place);
}

gboolean
wp_memory_load_at (WpMemory *memory, const WpPattern *pattern, guint64 first, gboolean is_signed,
                   guint32 (*rows)[LANES], guint32 *unknown, guint8 *source)
{
  guint32 found = 0;
  Place place;

  if (!find_place (memory, first, pattern, &place))
    return FALSE;
  load_at (&place, pattern, first, is_signed, rows, unknown);
  for (guint k = 0; k < MAX (1u, pattern->bytes / 4u); k++)
    found |= unknown[k] & pattern->mask;
  if (found != 0)
    *source = place.buffer->source;
  return TRUE;
}

/* ---- Stores ---- */

/* Remembers that unknown bytes from SOURCE were stored. The least number wins, so that it does not
 * depend on which thread comes first. */
static void
note_source (WpBuffer *buffer, guint8 source)
{
  guint8 now = __atomic_load_n (&buffer->stored, __ATOMIC_RELAXED);

  while (source != 0 && (now == 0 || source < now)
         && !__atomic_compare_exchange_n (&buffer->stored, &now, source, TRUE, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED))
    ;
}

/* Returns the page of BUFFER with OFFSET, for lanes of MASK that store SIZE bytes each; NULL: what
 * they store changes nothing. ANY receives those that store unknown bytes. */
static inline WpPage *
open_page (WpBuffer *buffer, guint64 offset, guint32 mask, guint size, const guint32 *unknown,
           guint32 *any)
{
  WpPage *page = wp_buffer_find_page (buffer, offset);
  guint32 all = mask;

  *any = 0;
  for (guint k = 0; k < MAX (1, size / 4); k++)
    {
      all &= unknown[k];
      *any |= unknown[k] & mask;
    }
  if (page == NULL && all == mask && buffer->fill->kind == WP_FILL_UNKNOWN)
    return NULL; /* it stays as it is */
  if (page == NULL)
    page = wp_buffer_make_page (buffer, offset);
  if (*any != 0)
    wp_page_expect_unknown (page);
  return page;
}

static inline WpBytes
get_bytes (WpPage *page)
{
  return (WpBytes){ page->data, wp_page_get_unknown (page) };
}

/* Stores 32 lanes in a row from OFFSET on where PAGE is not whole: lines that are stored as a whole
 * need not be there. */
static void
store_lines (const WpBuffer *buffer, WpPage *page, guint64 offset, guint size,
             guint32 (*const rows)[LANES], const guint32 *unknown)
{
  const gboolean is_straight = offset % WP_PAGE_LINE_BYTES == 0;
  const guint64 end = offset + (guint64)LANES * size;
  const WpBytes bytes = get_bytes (page);
  guint32 claimed = 0;

  for (guint64 at = offset, k = 0; at < end; at += WP_PAGE_LINE_BYTES, k++)
    if (is_straight && wp_page_claim_line (page, at))
      claimed |= 1u << k;
    else if (!is_straight)
      wp_page_need_line (buffer, page, at);
  if (!is_straight)
    wp_page_need_line (buffer, page, end - 1);
  wp_bytes_store_row (&bytes, (guint32)offset & (WP_PAGE_BYTES - 1), size, rows, unknown);
  for (; claimed != 0; claimed &= claimed - 1)
    wp_page_publish_line (page, offset + (guint64)__builtin_ctz (claimed) * WP_PAGE_LINE_BYTES);
}

static inline void
store_row (const WpBuffer *buffer, WpPage *page, guint64 offset, guint size,
           guint32 (*const rows)[LANES], const guint32 *unknown)
{
  const WpBytes bytes = get_bytes (page);

  if (wp_page_is_whole (page))
    wp_bytes_store_row (&bytes, (guint32)offset & (WP_PAGE_BYTES - 1), size, rows, unknown);
  else
    store_lines (buffer, page, offset, size, rows, unknown);
}

static void
store_lanes (const WpBuffer *buffer, WpPage *page, const guint64 addresses[LANES], guint32 mask,
             guint size, guint32 (*const rows)[LANES], const guint32 *unknown)
{
  const WpBytes bytes = get_bytes (page);
  guint32 offsets[LANES];

  if (!wp_page_is_whole (page))
    need_lanes (buffer, page, addresses, mask);
  get_offsets (addresses, offsets);
  wp_bytes_store (&bytes, offsets, mask, size, rows, unknown);
}

static void
store_group (WpBuffer *buffer, const guint64 addresses[LANES], guint32 mask, guint size,
             gboolean is_whole, guint32 (*const rows)[LANES], const guint32 *unknown)
{
  const guint64 offset = addresses[__builtin_ctz (mask)] - buffer->base;
  guint32 any;
  WpPage *page = open_page (buffer, offset, mask, size, unknown, &any);

  if (page == NULL)
    return;
  if (is_whole)
    store_row (buffer, page, offset, size, rows, unknown);
  else
    store_lanes (buffer, page, addresses, mask, size, rows, unknown);
}

gboolean
wp_memory_store (WpMemory *memory, const WpPattern *pattern, const guint64 addresses[LANES],
                 guint32 mask, guint bytes, guint32 (*const rows)[LANES], const guint32 *unknown,
                 guint8 source, WpFault *fault)
{
  guint32 group, found = 0;
  Place place;

  if (!find_lanes (memory, pattern, addresses, mask, bytes, &place, fault))
    return FALSE;
  for (guint k = 0; k < MAX (1, bytes / 4); k++)
    found |= unknown[k];
  for (guint32 left = mask; left != 0; left &= ~group)
    {
      const guint64 address = addresses[__builtin_ctz (left)];
      WpBuffer *own = memory->buffers[address >> WP_BUFFER_SHIFT];

      group = place.buffer != NULL ? left : group_lanes (addresses, left);
      store_group (own, addresses, group, bytes, place.is_whole, rows, unknown);
      if ((found & group) != 0)
        note_source (own, source);
      if (place.buffer == NULL)
        extend (own, get_greatest (addresses, group) + bytes - own->base);
    }
  return TRUE;
}

gboolean
wp_memory_store_at (WpMemory *memory, const WpPattern *pattern, guint64 first,
                    guint32 (*const rows)[LANES], const guint32 *unknown, guint8 source)
{
  guint64 addresses[LANES];
  guint32 any;
  WpPage *page;
  Place place;

  if (!find_place (memory, first, pattern, &place))
    return FALSE;
  page = open_page (place.buffer, first - place.buffer->base, pattern->mask, pattern->bytes,
                    unknown, &any);
  if (page != NULL && place.is_whole)
    store_row (place.buffer, page, first - place.buffer->base, pattern->bytes, rows, unknown);
  else if (page != NULL)
    {
      get_addresses (pattern, first, addresses);
      store_lanes (place.buffer, page, addresses, pattern->mask, pattern->bytes, rows, unknown);
    }
  if (any != 0)
    note_source (place.buffer, source);
  return TRUE;
}

/* ---- Atomics ---- */

gboolean
wp_memory_modify (WpMemory *memory, guint64 address, WpModification *modification, WpFault *fault)
{
  WpBuffer *buffer = find_buffer (memory, address, modification->bytes, fault);
  guint64 offset;
  WpBytes bytes;
  WpPage *page;

  if (buffer == NULL)
    return FALSE;
  offset = address - buffer->base;
  extend (buffer, offset + modification->bytes);
  modification->old_source = buffer->source;
  page = wp_buffer_find_page (buffer, offset);
  if (page == NULL && wp_buffer_is_unknown (buffer)
      && (!modification->replaces || modification->is_unknown))
    {
      modification->old = 0;
      modification->old_unknown = TRUE;
      return TRUE;
    }
  if (page == NULL)
    page = wp_buffer_make_page (buffer, offset);
  if (!wp_page_is_whole (page))
    wp_page_need_line (buffer, page, offset);
  if (modification->is_unknown)
    {
      wp_page_expect_unknown (page);
      note_source (buffer, modification->source);
    }
  bytes.data = page->data;
  bytes.unknown = page->unknown;
  wp_bytes_modify (&bytes, (guint32)offset & (WP_PAGE_BYTES - 1), modification);
  return TRUE;
}
