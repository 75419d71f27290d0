/* SPDX-License-Identifier: MIT */
/* Types of C++ and CUDA by their names, as a demangler writes them and as people do: "unsigned
 * int", "uint32_t", "float4", "__half", "char const*". */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  WP_TYPE_UNKNOWN, /* a structure of the program, an enumeration */
  WP_TYPE_WHOLE,
  WP_TYPE_BOOL,
  WP_TYPE_FLOAT, /* 4 or 8 bytes */
  WP_TYPE_HALF,
  WP_TYPE_BFLOAT16,
  WP_TYPE_POINTER,
  WP_TYPE_VECTOR, /* `count` of `member` */
} WpTypeKind;

typedef struct
{
  WpTypeKind kind;
  guint bytes; /* 0: not known */
  gboolean is_signed;
  guint count;       /* of a vector */
  WpTypeKind member; /* of a vector */
  guint pointee;     /* of a pointer: bytes of what it points to, 0: not known */
} WpType;

/* What NAME means; WP_TYPE_UNKNOWN where it is none of those above. O(NAME). */
WpType wp_type_parse (const gchar *name);

/* Splits the parameters of a function's C++ name, "f(int, g<a, b>*)", into "int" and "g<a, b>*";
 * NULL where it has none in brackets. Free with g_ptr_array_unref(). O(NAME). */
GPtrArray *wp_type_split (const gchar *demangled);

/* The bits of NUMBER in half precision, and as the upper half of single precision, rounded to the
 * nearest, to even in a tie. */
guint16 wp_type_to_half (gdouble number);
guint16 wp_type_to_bfloat16 (gdouble number);

G_END_DECLS
