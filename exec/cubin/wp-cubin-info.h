/* SPDX-License-Identifier: MIT */
/* The sections .nv.info and .nv.info.NAME of a cubin: attributes of its functions. The layout and
 * the numbers of attributes are what the tool cuobjdump prints of them (EIATTR_...). */
#pragma once

#include "exec/cubin/wp-elf.h"

G_BEGIN_DECLS

typedef enum
{
  WP_EIATTR_MAX_THREADS = 0x05,     /* three numbers */
  WP_EIATTR_PARAM_CBANK = 0x0a,     /* symbol; offset and bytes in bank 0, 16 bits each */
  WP_EIATTR_REQNTID = 0x10,         /* three numbers */
  WP_EIATTR_FRAME_SIZE = 0x11,      /* symbol; bytes */
  WP_EIATTR_MIN_STACK_SIZE = 0x12,  /* symbol; bytes */
  WP_EIATTR_KPARAM_INFO = 0x17,     /* a parameter; its bytes in the 14 bits from 18 on of the last
                                     * word */
  WP_EIATTR_REGCOUNT = 0x2f,        /* symbol; registers */
  WP_EIATTR_CTA_PER_CLUSTER = 0x3d, /* three numbers */
  WP_EIATTR_KPARAM_INFO_V2 = 0x45,  /* a parameter; its bytes in 16 bits: those of 4,096 and more */
} WpCubinAttribute;

typedef struct
{
  const guint8 *at, *end; /* what is left */
  guint attribute;        /* WpCubinAttribute, or one that is not named there */
  guint format;           /* 4: it has DATA; else the value is in it */
  const guint8 *data;
  guint size;
} WpCubinInfo;

/* Goes through the attributes of SECTION: while (wp_cubin_info_next (&info)). FALSE at the end and
 * where what follows is not one; info.at < info.end then tells which. */
void wp_cubin_info_begin (WpCubinInfo *info, const WpElfSection *section);
gboolean wp_cubin_info_next (WpCubinInfo *info);

/* The number INDEX of 32 bits of the attribute's data, 0 where it has fewer. */
guint wp_cubin_info_word (const WpCubinInfo *info, guint index);

G_END_DECLS
