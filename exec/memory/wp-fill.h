/* SPDX-License-Identifier: MIT */
/* What a buffer in device memory holds at first: nobody knows, zeros, iota (element i is i), random
 * numbers, or a file's bytes. Elements are computed from their index, so that a buffer that nobody
 * writes takes no memory however large it is.
 *
 * The text is that of the option --data, NAME=HOW:
 *
 *   HOW   := [TYPE:]KIND[@COUNT]
 *   TYPE  := u8 | u16 | u32 | u64 | s32 | f16 | bf16 | f32 | f64
 *   KIND  := unknown | zeros | iota | random[:SEED[:LOW:HIGH]] | file:PATH
 *   COUNT := how many elements the buffer has: a whole number, or a product of some (1024*1024)
 *
 * It knows nothing of buffers. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WP_MAX_BUFFER_BYTES (G_GUINT64_CONSTANT (1) << 35)

typedef enum
{
  WP_ELEMENT_NONE, /* not said */
  WP_ELEMENT_U8,
  WP_ELEMENT_U16,
  WP_ELEMENT_U32,
  WP_ELEMENT_U64,
  WP_ELEMENT_S32,
  WP_ELEMENT_F16,
  WP_ELEMENT_BF16,
  WP_ELEMENT_F32,
  WP_ELEMENT_F64,
  WP_N_ELEMENTS
} WpElement;

typedef enum
{
  WP_FILL_UNKNOWN,
  WP_FILL_ZEROS,
  WP_FILL_IOTA,
  WP_FILL_RANDOM,
  WP_FILL_FILE
} WpFillKind;

typedef struct
{
  WpFillKind kind;
  WpElement element;
  gboolean has_count, has_seed, has_range;
  gboolean is_whole; /* LOW and HIGH are whole numbers */
  guint64 count;     /* elements */
  guint64 seed;
  gdouble low, high;
  guint64 whole_low, whole_high; /* the same in two's complement, where they are whole */
  gchar *path;
} WpFill;

/* Returns 4 for f32, 1 for WP_ELEMENT_NONE. */
guint wp_element_get_bytes (WpElement element);
/* Returns the element that a parameter of the C++ type TYPE points to, as a demangled name has it:
 * WP_ELEMENT_F32 for "float *" and "float const*", WP_ELEMENT_NONE for what is no pointer or none
 * of the types. */
WpElement wp_element_find_type (const gchar *type);

/* The value of the BITS of a float type ELEMENT, and the bits of the number of that type that is
 * nearest to VALUE, ties to even. */
gdouble wp_element_get_value (WpElement element, guint64 bits);
guint64 wp_element_round (WpElement element, gdouble value);

/* Parses TEXT, "NAME=HOW". Returns what stands after the "=", and NAME; free them with
 * wp_fill_free() and g_free(). NULL with ERROR (of IDG_ERROR): what is wrong and what would have
 * been right, without the option's name. Opens no file. O(length). */
WpFill *wp_fill_parse (const gchar *text, gchar **name, GError **error);

/* Parses TEXT, "NAME=FILE", of the option --dump. Free NAME and PATH. */
gboolean wp_dump_parse (const gchar *text, gchar **name, gchar **path, GError **error);

/* Gives FILL the type ELEMENT, if it has none, and checks what depends on it: that a range is one
 * of the type, and that there is a type where it matters. NAME is for messages. */
gboolean wp_fill_set_element (WpFill *fill, WpElement element, const gchar *name, GError **error);

WpFill *wp_fill_new_unknown (void);
WpFill *wp_fill_copy (const WpFill *fill);
void wp_fill_free (WpFill *fill);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpFill, wp_fill_free)

/* Returns the bits of element INDEX of FILL (iota or random) in the type that it has.
 *
 * Iota: INDEX, modulo 2^bits for whole numbers, rounded to the nearest for floats. Random: with
 * h = mix (mix (SEED) xor INDEX), mix as in MODEL.md, section 11: whole numbers without a range
 * the upper bits of h, else LOW + floor (h (HIGH - LOW + 1) / 2^64); floats LOW (1 - u) + HIGH u in
 * double precision with u = floor (h / 2^11) / 2^53, then rounded to the type; LOW and HIGH are 0
 * and 1 unless given. O(1). */
guint64 wp_fill_get_bits (const WpFill *fill, guint64 index);

#define WP_FILL_LANES 32

/* BITS receives those of the elements at INDICES. O(1); some twenty machine instructions for each
 * random number in single precision. */
void wp_fill_get_lanes (const WpFill *fill, const guint64 indices[WP_FILL_LANES],
                        guint64 bits[WP_FILL_LANES]);
/* The same of elements of 4 bytes: from INDEX on, or, if RELATIVE is not NULL, as many bytes from
 * there as it says. */
void wp_fill_get_words (const WpFill *fill, guint64 index, const guint64 relative[WP_FILL_LANES],
                        guint32 words[WP_FILL_LANES]);

/* mix() of MODEL.md, section 11. */
static inline guint64
wp_mix (guint64 x)
{
  x += G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
  x = (x ^ (x >> 30)) * G_GUINT64_CONSTANT (0xBF58476D1CE4E5B9);
  x = (x ^ (x >> 27)) * G_GUINT64_CONSTANT (0x94D049BB133111EB);
  return x ^ (x >> 31);
}

G_END_DECLS
