/* SPDX-License-Identifier: MIT */
/* Fat binaries: containers of images of the same code for several targets, each an ELF file or PTX,
 * some of them compressed. The layout has been worked out by others (CuAssembler; "Decoding CUDA
 * binary", 2019) and is stable since CUDA 4. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  guint container; /* 0 on: which one of those in a row it is in */
  gboolean is_ptx;
  guint sm;
  const guint8 *data; /* in what it was read from */
  gsize size;
  gboolean is_lz4, is_zstd;
  guint64 full_size; /* when compressed */
} WpFatbinMember;

/* Tells whether LENGTH bytes at DATA begin a container. */
gboolean wp_fatbin_is (const guint8 *data, gsize length);

/* The members of all containers in DATA, which follow each other at multiples of 8 bytes; of
 * WpFatbinMember. NULL with an error of IDG_ERROR that begins with NAME. O(members). */
GArray *wp_fatbin_read (const guint8 *data, gsize length, const gchar *name, GError **error);

/* The bytes of MEMBER, unpacked; NULL with an error. O(result), at most some thousand times what
 * MEMBER takes. */
GBytes *wp_fatbin_unpack (const WpFatbinMember *member, const gchar *name, GError **error);

/* Unpack FROM into the TO_SIZE bytes at TO, which it fills; NULL, or a static text that says why it
 * does not. */
const gchar *wp_fatbin_lz4 (const guint8 *from, gsize from_size, guint8 *to, gsize to_size);
const gchar *wp_fatbin_zstd (const guint8 *from, gsize from_size, guint8 *to, gsize to_size);

G_END_DECLS
