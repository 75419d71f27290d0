/* SPDX-License-Identifier: MIT */
/* In a build without libzstd: says what to do. */
#include "exec/cubin/wp-fatbin.h"

const gchar *
wp_fatbin_zstd (const guint8 *from, gsize from_size, guint8 *to, gsize to_size)
{
  (void)from;
  (void)from_size;
  (void)to;
  (void)to_size;
  return "it is packed by zstd, and this warpipe was built without libzstd; configure warpipe "
         "--with-zstd (Debian's libzstd-dev), or compile with nvcc -Xfatbin=-compress-mode=none";
}
