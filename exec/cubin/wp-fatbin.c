/* SPDX-License-Identifier: MIT */
/* A container has a header of 16 bytes: the magic number, version and size of the header (16 bits
 * each), and the size of what follows. A member has a header, whose fields are at the offsets
 * below, and its data. */
#include "exec/cubin/wp-fatbin.h"

#include "exec/cubin/wp-elf.h"
#include "idg/kernel/idg-kernel.h"

#define MAGIC 0xba55ed50
#define HEADER 16
#define HEADER_SIZE 6 /* offset of its own size, 16 bits */
#define BODY_SIZE 8   /* of the size of all members, 64 bits */

#define MEMBER 64 /* bytes of a member's header, at least */
#define MEMBER_KIND 0
#define MEMBER_HEADER 4
#define MEMBER_SIZE 8    /* of the data with its padding */
#define MEMBER_PACKED 16 /* bytes that are used of it, when compressed */
#define MEMBER_SM 28
#define MEMBER_FLAGS 40
#define MEMBER_FULL 56 /* size once unpacked */

#define KIND_PTX 1
#define KIND_ELF 2
#define FLAG_LZ4 0x2000
#define FLAG_ZSTD 0x8000

#define MAX_RATIO 4096 /* of a compressed member: code is never that regular */

gboolean
wp_fatbin_is (const guint8 *data, gsize length)
{
  return length >= 4 && wp_elf_u32 (data) == MAGIC;
}

static gboolean
fail (const gchar *name, GError **error, const gchar *what)
{
  g_set_error (error, IDG_ERROR, IDG_ERROR_SYNTAX, "%s: damaged fat binary: %s", name, what);
  return FALSE;
}

static WpFatbinMember
read_member (const guint8 *header, const guint8 *data, guint64 size, guint container)
{
  guint64 flags = wp_elf_u64 (header + MEMBER_FLAGS);
  guint packed = wp_elf_u32 (header + MEMBER_PACKED);
  WpFatbinMember member = { .container = container,
                            .is_ptx = wp_elf_u16 (header + MEMBER_KIND) == KIND_PTX,
                            .sm = wp_elf_u32 (header + MEMBER_SM),
                            .data = data,
                            .size = size,
                            .is_lz4 = (flags & FLAG_LZ4) != 0,
                            .is_zstd = (flags & FLAG_ZSTD) != 0,
                            .full_size = wp_elf_u64 (header + MEMBER_FULL) };

  if ((member.is_lz4 || member.is_zstd) && packed > 0 && packed < size)
    member.size = packed;
  return member;
}

static gboolean
read_container (GArray *members, const guint8 *data, gsize length, guint container,
                const gchar *name, GError **error)
{
  while (length > 0)
    {
      guint64 header, size;
      guint kind;

      if (length < MEMBER)
        return fail (name, error, "it ends in the header of an image");
      kind = wp_elf_u16 (data + MEMBER_KIND);
      header = wp_elf_u32 (data + MEMBER_HEADER);
      size = wp_elf_u64 (data + MEMBER_SIZE);
      if (header < MEMBER || header > length || size > length - header)
        return fail (name, error, "an image ends after the end of it");
      if (kind == KIND_PTX || kind == KIND_ELF)
        {
          WpFatbinMember member = read_member (data, data + header, size, container);

          g_array_append_val (members, member);
        }
      data += header + size;
      length -= header + size;
    }
  return TRUE;
}

GArray *
wp_fatbin_read (const guint8 *data, gsize length, const gchar *name, GError **error)
{
  g_autoptr (GArray) members = g_array_new (FALSE, TRUE, sizeof (WpFatbinMember));
  guint container = 0;

  for (gsize at = 0; at + HEADER <= length;)
    {
      guint64 header = wp_elf_u16 (data + at + HEADER_SIZE);
      guint64 size = wp_elf_u64 (data + at + BODY_SIZE);

      if (!wp_fatbin_is (data + at, length - at))
        {
          at += 8; /* between containers */
          continue;
        }
      if (header < HEADER || header > length - at || size > length - at - header)
        {
          fail (name, error, "it ends after the end of the file");
          return NULL;
        }
      if (!read_container (members, data + at + header, size, container++, name, error))
        return NULL;
      at += (header + size + 7) & ~(guint64)7;
    }
  return g_steal_pointer (&members);
}

GBytes *
wp_fatbin_unpack (const WpFatbinMember *member, const gchar *name, GError **error)
{
  g_autofree guint8 *full = NULL;
  const gchar *problem;

  if (!member->is_lz4 && !member->is_zstd)
    return g_bytes_new (member->data, member->size);
  if (member->full_size / MAX_RATIO > member->size)
    {
      fail (name, error, "what an image says of its size when unpacked cannot be");
      return NULL;
    }
  full = g_try_malloc (MAX (member->full_size, 1));
  if (full == NULL)
    {
      g_set_error (error, IDG_ERROR, IDG_ERROR_MEMORY, "%s: not enough memory to unpack it", name);
      return NULL;
    }
  problem = member->is_zstd ? wp_fatbin_zstd (member->data, member->size, full, member->full_size)
                            : wp_fatbin_lz4 (member->data, member->size, full, member->full_size);
  if (problem)
    {
      g_set_error (error, IDG_ERROR, IDG_ERROR_SYNTAX, "%s: a compressed image: %s", name, problem);
      return NULL;
    }
  return g_bytes_new_take (g_steal_pointer (&full), member->full_size);
}
