/* SPDX-License-Identifier: MIT */
/* Unpacks images that CUDA 12.8 and later pack by Zstandard; the only file that uses libzstd. */
#include "exec/cubin/wp-fatbin.h"

#include <zstd.h>

const gchar *
wp_fatbin_zstd (const guint8 *from, gsize from_size, guint8 *to, gsize to_size)
{
  size_t n = ZSTD_decompress (to, to_size, from, from_size);

  return !ZSTD_isError (n) && n == to_size ? NULL : "its zstd data are damaged";
}
