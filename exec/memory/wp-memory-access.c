/* SPDX-License-Identifier: MIT */
/* What a warp loads from buffers, stores to them, and modifies there. Nearly always all lanes are
 * in one page of one buffer, which the least and the greatest address tell. */
#include "exec/memory/wp-bytes.h"
#include "exec/memory/wp-memory-private.h"

#define LANES WP_MEMORY_LANES

typedef struct
{
  guint64 low, high; /* least and greatest address */
  guint64 bits;      /* OR of all */
} Span;

static Span
get_span (const guint64 addresses[LANES], guint32 mask)
{
  guint first = (guint)__builtin_ctz (mask);
  Span span = { addresses[first], addresses[first], 0 };

  for (guint lane = 0; lane < LANES; lane++)
    {
      guint64 address = mask >> lane & 1 ? addresses[lane] : addresses[first];

      span.low = MIN (span.low, address);
      span.high = MAX (span.high, address);
      span.bits |= address;
    }
  return span;
}

/* Returns the buffer that the SIZE bytes from ADDRESS on are in, or NULL with what is wrong in
 * FAULT. */
static inline WpBuffer *
find_buffer (const WpMemory *memory, guint64 address, guint size, WpFault *fault)
{
  guint number = wp_memory_locate (memory, address);
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

/* The buffer of all lanes, if they are in one; FALSE with FAULT if one is in none. */
static gboolean
check_lanes (const WpMemory *memory, const guint64 addresses[LANES], guint32 mask, guint size,
             const Span *span, WpBuffer **common, WpFault *fault)
{
  WpFault ignored;
  WpBuffer *low = find_buffer (memory, span->low, size, &ignored);
  WpBuffer *high = find_buffer (memory, span->high, size, &ignored);

  *common = NULL;
  if (low != NULL && low == high && (span->bits & (size - 1)) == 0)
    {
      *common = low;
      extend (low, span->high + size - low->base);
      return TRUE;
    }
  for (guint32 left = mask; left != 0; left &= left - 1)
    {
      guint lane = (guint)__builtin_ctz (left);

      fault->lane = lane;
      if (find_buffer (memory, addresses[lane], size, fault) == NULL)
        return FALSE;
    }
  return TRUE;
}

/* The lanes of MASK that are in the same page of the same buffer as the lowest one; their OFFSETS
 * there. */
static guint32
group_lanes (const guint64 addresses[LANES], guint32 mask, guint64 base, guint32 offsets[LANES])
{
  guint64 page = (addresses[__builtin_ctz (mask)] - base) >> WP_PAGE_SHIFT;
  guint32 group = 0;

  for (guint lane = 0; lane < LANES; lane++)
    {
      guint64 offset = addresses[lane] - base;

      offsets[lane] = (guint32)offset & (WP_PAGE_BYTES - 1);
      group |= (guint32)(offset >> WP_PAGE_SHIFT == page) << lane;
    }
  return group & mask;
}

/* ---- Loads ---- */

/* Loads lanes of a page that nothing was stored to. */
static void
load_fill (const WpBuffer *buffer, const guint64 addresses[LANES], guint32 mask, guint size,
           gboolean is_signed, guint32 (*rows)[LANES], guint32 *unknown)
{
  const gboolean is_unknown = wp_buffer_is_unknown (buffer);
  guint8 data[LANES * 16];
  guint32 offsets[LANES];
  const WpBytes bytes = { data, NULL };

  for (guint k = 0; k < MAX (1, size / 4); k++)
    unknown[k] = is_unknown ? unknown[k] | mask : unknown[k] & ~mask;
  if (is_unknown)
    return;
  for (guint lane = 0; lane < LANES; lane++)
    {
      offsets[lane] = lane * size;
      if (mask >> lane & 1)
        wp_buffer_read_fill (buffer, addresses[lane] - buffer->base, size, data + lane * size);
    }
  wp_bytes_load (&bytes, offsets, mask, size, is_signed, rows, unknown);
}

static void
load_group (const WpBuffer *buffer, const guint64 addresses[LANES], const guint32 offsets[LANES],
            guint32 mask, guint size, gboolean is_signed, guint32 (*rows)[LANES], guint32 *unknown)
{
  WpPage *page = wp_buffer_find_page (buffer, addresses[__builtin_ctz (mask)] - buffer->base);

  if (page == NULL)
    load_fill (buffer, addresses, mask, size, is_signed, rows, unknown);
  else
    {
      const WpBytes bytes = { page->data, page->has_unknown ? page->unknown : NULL };

      wp_bytes_load (&bytes, offsets, mask, size, is_signed, rows, unknown);
    }
}

gboolean
wp_memory_load (WpMemory *memory, const guint64 addresses[LANES], guint32 mask, guint bytes,
                gboolean is_signed, guint32 (*rows)[LANES], guint32 *unknown, guint8 *source,
                WpFault *fault)
{
  const Span span = get_span (addresses, mask);
  guint32 offsets[LANES], group;
  WpBuffer *buffer;

  if (!check_lanes (memory, addresses, mask, bytes, &span, &buffer, fault))
    return FALSE;
  for (guint32 left = mask; left != 0; left &= ~group)
    {
      guint64 address = addresses[__builtin_ctz (left)];
      WpBuffer *own = buffer != NULL ? buffer : memory->buffers[address >> WP_BUFFER_SHIFT];
      guint32 found = 0;

      group = group_lanes (addresses, left, own->base, offsets);
      load_group (own, addresses, offsets, group, bytes, is_signed, rows, unknown);
      for (guint k = 0; k < MAX (1, bytes / 4); k++)
        found |= unknown[k] & group;
      if (found != 0)
        *source = own->source;
      if (buffer == NULL)
        extend (own, address + bytes - own->base);
    }
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

static void
store_group (WpBuffer *buffer, guint64 address, const guint32 offsets[LANES], guint32 mask,
             guint size, guint32 (*const rows)[LANES], const guint32 *unknown)
{
  WpPage *page = wp_buffer_find_page (buffer, address - buffer->base);
  guint32 all = mask, any = 0;
  WpBytes bytes;

  for (guint k = 0; k < MAX (1, size / 4); k++)
    {
      all &= unknown[k];
      any |= unknown[k] & mask;
    }
  if (page == NULL && all == mask && wp_buffer_is_unknown (buffer))
    return; /* it stays as it is */
  if (page == NULL)
    page = wp_buffer_make_page (buffer, address - buffer->base);
  if (any != 0 && !page->has_unknown)
    page->has_unknown = TRUE;
  bytes.data = page->data;
  bytes.unknown = page->has_unknown ? page->unknown : NULL;
  wp_bytes_store (&bytes, offsets, mask, size, rows, unknown);
}

gboolean
wp_memory_store (WpMemory *memory, const guint64 addresses[LANES], guint32 mask, guint bytes,
                 guint32 (*const rows)[LANES], const guint32 *unknown, guint8 source,
                 WpFault *fault)
{
  const Span span = get_span (addresses, mask);
  guint32 offsets[LANES], group, found = 0;
  WpBuffer *buffer;

  if (!check_lanes (memory, addresses, mask, bytes, &span, &buffer, fault))
    return FALSE;
  for (guint k = 0; k < MAX (1, bytes / 4); k++)
    found |= unknown[k];
  for (guint32 left = mask; left != 0; left &= ~group)
    {
      guint64 address = addresses[__builtin_ctz (left)];
      WpBuffer *own = buffer != NULL ? buffer : memory->buffers[address >> WP_BUFFER_SHIFT];

      group = group_lanes (addresses, left, own->base, offsets);
      store_group (own, address, offsets, group, bytes, rows, unknown);
      if ((found & group) != 0)
        note_source (own, source);
      if (buffer == NULL)
        extend (own, address + bytes - own->base);
    }
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
  if (modification->is_unknown)
    {
      page->has_unknown = TRUE;
      note_source (buffer, modification->source);
    }
  bytes.data = page->data;
  bytes.unknown = page->unknown;
  wp_bytes_modify (&bytes, (guint32)offset & (WP_PAGE_BYTES - 1), modification);
  return TRUE;
}
