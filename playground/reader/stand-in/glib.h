/* SPDX-License-Identifier: MIT */
/* The part of GLib that reading kernels and GPUs takes, for WebAssembly, where there is no GLib.
 * Names, meanings and ownership are GLib's, whose reference documents them; what nobody here calls
 * is left out. One thing is different: where memory runs out, or an assertion fails, the module
 * traps, and whoever called it throws the instance away.
 *
 * Sorting is stable and tables are walked in the order of their keys' insertion. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define G_BEGIN_DECLS
#define G_END_DECLS

/* ---- Types ---- */

typedef char gchar;
typedef unsigned char guchar;
typedef int gint;
typedef unsigned int guint;
typedef long glong;
typedef unsigned long gulong;
typedef int gboolean;
typedef int8_t gint8;
typedef uint8_t guint8;
typedef int16_t gint16;
typedef uint16_t guint16;
typedef int32_t gint32;
typedef uint32_t guint32;
typedef int64_t gint64;
typedef uint64_t guint64;
typedef size_t gsize;
typedef ptrdiff_t gssize;
typedef float gfloat;
typedef double gdouble;
typedef void *gpointer;
typedef const void *gconstpointer;
typedef uint32_t gunichar;
typedef guint32 GQuark;

#define FALSE 0
#define TRUE 1
#define G_MAXINT INT32_MAX
#define G_MAXUINT UINT32_MAX
#define G_MAXINT32 INT32_MAX
#define G_MAXUINT16 UINT16_MAX
#define G_MAXUINT32 UINT32_MAX
#define G_MININT64 INT64_MIN
#define G_MAXINT64 INT64_MAX
#define G_MAXUINT64 UINT64_MAX
#define G_MAXSIZE SIZE_MAX
#define G_GINT64_MODIFIER "ll"
#define G_GINT64_FORMAT "lli"
#define G_GUINT64_FORMAT "llu"
#define G_GUINT32_FORMAT "u"
#define G_GSIZE_FORMAT "zu"
#define G_GINT64_CONSTANT(value) INT64_C (value)
#define G_GUINT64_CONSTANT(value) UINT64_C (value)

#define G_UNLIKELY(condition) (condition)
#define G_N_ELEMENTS(array) (sizeof (array) / sizeof ((array)[0]))
#define G_STRUCT_OFFSET(type, member) ((glong)offsetof (type, member))
#define G_STRUCT_MEMBER(type, pointer, offset) (*(type *)((guint8 *)(pointer) + (offset)))
#define G_STRINGIFY(text) G_STRINGIFY_ARG (text)
#define G_STRINGIFY_ARG(text) #text
#define G_STATIC_ASSERT(condition) _Static_assert(condition, #condition)
#define G_GNUC_PRINTF(at, first) __attribute__ ((__format__ (__printf__, at, first)))
#define G_GNUC_UNUSED __attribute__ ((unused))
#define G_GNUC_NORETURN __attribute__ ((noreturn))
#define G_DIR_SEPARATOR '/'
#define G_DIR_SEPARATOR_S "/"
#define GINT_TO_POINTER(value) ((gpointer)(glong)(value))
#define GPOINTER_TO_INT(pointer) ((gint)(glong)(pointer))
#define GUINT_TO_POINTER(value) ((gpointer)(gulong)(value))
#define GPOINTER_TO_UINT(pointer) ((guint)(gulong)(pointer))
#define GSIZE_TO_POINTER(value) ((gpointer)(gsize)(value))
#define GPOINTER_TO_SIZE(pointer) ((gsize)(pointer))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define ABS(a) ((a) < 0 ? -(a) : (a))
#define CLAMP(value, low, high) ((value) > (high) ? (high) : (value) < (low) ? (low) : (value))

/* ---- What must not happen ---- */

#define g_assert(condition) ((condition) ? (void)0 : __builtin_trap ())
#define g_assert_not_reached() __builtin_trap ()
#define g_return_if_fail(condition) g_assert (condition)
#define g_return_val_if_fail(condition, value) g_assert (condition)
#define g_return_val_if_reached(value) __builtin_trap ()
#define g_error(...) __builtin_trap ()
#define g_warning(...) __builtin_trap ()

typedef void (*GDestroyNotify) (gpointer data);
typedef gint (*GCompareFunc) (gconstpointer a, gconstpointer b);
typedef gint (*GCompareDataFunc) (gconstpointer a, gconstpointer b, gpointer data);
typedef guint (*GHashFunc) (gconstpointer key);
typedef gboolean (*GEqualFunc) (gconstpointer a, gconstpointer b);

typedef struct
{
  GQuark domain;
  gint code;
  gchar *message;
} GError;

/* ---- glib-memory.c ---- */

gpointer g_malloc (gsize size);
gpointer g_malloc0 (gsize size);
gpointer g_malloc_n (gsize n, gsize size);
gpointer g_malloc0_n (gsize n, gsize size);
gpointer g_realloc (gpointer memory, gsize size);
gpointer g_realloc_n (gpointer memory, gsize n, gsize size);
gpointer g_memdup2 (gconstpointer memory, gsize size);
#define g_free free
#define g_new(type, n) ((type *)g_malloc_n ((n), sizeof (type)))
#define g_new0(type, n) ((type *)g_malloc0_n ((n), sizeof (type)))
#define g_renew(type, memory, n) ((type *)g_realloc_n ((memory), (n), sizeof (type)))
#define g_steal_pointer(pointer) ((__typeof__ (*(pointer)))g_steal (pointer))
#define g_clear_pointer(pointer, destroy)                                                          \
  do                                                                                               \
    {                                                                                              \
      __typeof__ (*(pointer)) taken = *(pointer);                                                  \
      *(pointer) = NULL;                                                                           \
      if (taken != NULL)                                                                           \
        (destroy) (taken);                                                                         \
    }                                                                                              \
  while (0)

static inline gpointer
g_steal (void *place)
{
  gpointer pointer = *(gpointer *)place;

  *(gpointer *)place = NULL;
  return pointer;
}

static inline void
g_autofree_clear (void *place)
{
  free (*(gpointer *)place);
}

#define g_autofree __attribute__ ((cleanup (g_autofree_clear), unused))
#define g_autoptr(type) __attribute__ ((cleanup (type##_autoptr_clear), unused)) type *
#define g_auto(type) __attribute__ ((cleanup (type##_auto_clear), unused)) type
#define G_DEFINE_AUTOPTR_CLEANUP_FUNC(type, destroy)                                               \
  static inline G_GNUC_UNUSED void type##_autoptr_clear (type **place)                             \
  {                                                                                                \
    if (*place != NULL)                                                                            \
      destroy (*place);                                                                            \
  }
#define G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(type, clear)                                              \
  static inline G_GNUC_UNUSED void type##_auto_clear (type *place) { clear (place); }

/* There is one thread. */
#define g_atomic_int_set(place, value) ((void)(*(place) = (value)))
#define g_atomic_int_get(place) (*(place))
#define g_once_init_enter(place) (*(place) == 0)
#define g_once_init_leave(place, value) ((void)(*(place) = (value)))

/* ---- glib-array.c ---- */

typedef struct
{
  gchar *data;
  guint len;
} GArray;

typedef struct
{
  guint8 *data;
  guint len;
} GByteArray;

typedef struct
{
  gpointer *pdata;
  guint len;
} GPtrArray;

GArray *g_array_new (gboolean zero_terminated, gboolean clear, guint size);
GArray *g_array_sized_new (gboolean zero_terminated, gboolean clear, guint size, guint reserved);
GArray *g_array_ref (GArray *array);
void g_array_unref (GArray *array);
GArray *g_array_copy (GArray *array);
gchar *g_array_free (GArray *array, gboolean data);
GArray *g_array_append_vals (GArray *array, gconstpointer data, guint n);
GArray *g_array_insert_vals (GArray *array, guint at, gconstpointer data, guint n);
GArray *g_array_remove_index (GArray *array, guint at);
GArray *g_array_set_size (GArray *array, guint n);
void g_array_set_clear_func (GArray *array, GDestroyNotify clear);
void g_array_sort (GArray *array, GCompareFunc compare);
void g_array_sort_with_data (GArray *array, GCompareDataFunc compare, gpointer data);
#define g_array_append_val(array, value) g_array_append_vals (array, &(value), 1)
#define g_array_insert_val(array, at, value) g_array_insert_vals (array, at, &(value), 1)
#define g_array_index(array, type, i) (((type *)(void *)(array)->data)[i])

GByteArray *g_byte_array_new (void);
GByteArray *g_byte_array_sized_new (guint reserved);
GByteArray *g_byte_array_append (GByteArray *array, const guint8 *data, guint n);
GByteArray *g_byte_array_set_size (GByteArray *array, guint n);
GByteArray *g_byte_array_remove_range (GByteArray *array, guint at, guint n);
void g_byte_array_unref (GByteArray *array);

GPtrArray *g_ptr_array_new (void);
GPtrArray *g_ptr_array_sized_new (guint reserved);
GPtrArray *g_ptr_array_new_with_free_func (GDestroyNotify destroy);
GPtrArray *g_ptr_array_new_full (guint reserved, GDestroyNotify destroy);
GPtrArray *g_ptr_array_ref (GPtrArray *array);
void g_ptr_array_unref (GPtrArray *array);
gpointer *g_ptr_array_free (GPtrArray *array, gboolean data);
void g_ptr_array_add (GPtrArray *array, gpointer data);
void g_ptr_array_set_size (GPtrArray *array, gint n);
gpointer g_ptr_array_remove_index (GPtrArray *array, guint at);
gboolean g_ptr_array_find_with_equal_func (GPtrArray *array, gconstpointer needle, GEqualFunc equal,
                                           guint *at);
void g_ptr_array_sort (GPtrArray *array, GCompareFunc compare);
#define g_ptr_array_index(array, i) ((array)->pdata[i])

typedef struct GBytes GBytes;

GBytes *g_bytes_new (gconstpointer data, gsize size);
GBytes *g_bytes_new_static (gconstpointer data, gsize size);
GBytes *g_bytes_ref (GBytes *bytes);
void g_bytes_unref (GBytes *bytes);
gconstpointer g_bytes_get_data (GBytes *bytes, gsize *size);
gsize g_bytes_get_size (GBytes *bytes);
gboolean g_bytes_equal (gconstpointer a, gconstpointer b);
guint g_bytes_hash (gconstpointer bytes);

/* ---- glib-hash.c ---- */

typedef struct GHashTable GHashTable;
typedef struct
{
  GHashTable *table;
  guint at;
} GHashTableIter;

GHashTable *g_hash_table_new (GHashFunc hash, GEqualFunc equal);
GHashTable *g_hash_table_new_full (GHashFunc hash, GEqualFunc equal, GDestroyNotify destroy_key,
                                   GDestroyNotify destroy_value);
void g_hash_table_unref (GHashTable *table);
gboolean g_hash_table_insert (GHashTable *table, gpointer key, gpointer value);
gboolean g_hash_table_replace (GHashTable *table, gpointer key, gpointer value);
gboolean g_hash_table_add (GHashTable *table, gpointer key);
gboolean g_hash_table_contains (GHashTable *table, gconstpointer key);
gpointer g_hash_table_lookup (GHashTable *table, gconstpointer key);
gboolean g_hash_table_lookup_extended (GHashTable *table, gconstpointer lookup, gpointer *key,
                                       gpointer *value);
void g_hash_table_remove_all (GHashTable *table);
void g_hash_table_steal_all (GHashTable *table);
guint g_hash_table_size (GHashTable *table);
void g_hash_table_iter_init (GHashTableIter *iter, GHashTable *table);
gboolean g_hash_table_iter_next (GHashTableIter *iter, gpointer *key, gpointer *value);

guint g_str_hash (gconstpointer text);
gboolean g_str_equal (gconstpointer a, gconstpointer b);
guint g_int64_hash (gconstpointer number);
gboolean g_int64_equal (gconstpointer a, gconstpointer b);
guint g_direct_hash (gconstpointer pointer);
gboolean g_direct_equal (gconstpointer a, gconstpointer b);

const gchar *g_intern_string (const gchar *text);
GQuark g_quark_from_static_string (const gchar *text);

/* ---- glib-string.c ---- */

typedef struct
{
  gchar *str;
  gsize len, allocated_len;
} GString;
typedef struct GStringChunk GStringChunk;

GString *g_string_new (const gchar *text);
GString *g_string_new_len (const gchar *text, gssize n);
gchar *g_string_free (GString *string, gboolean text);
GString *g_string_append (GString *string, const gchar *text);
GString *g_string_append_len (GString *string, const gchar *text, gssize n);
GString *g_string_append_c (GString *string, gchar c);
GString *g_string_append_unichar (GString *string, gunichar c);
GString *g_string_assign (GString *string, const gchar *text);
GString *g_string_prepend (GString *string, const gchar *text);
GString *g_string_insert_c (GString *string, gssize at, gchar c);
GString *g_string_truncate (GString *string, gsize n);
void g_string_printf (GString *string, const gchar *format, ...) G_GNUC_PRINTF (2, 3);
void g_string_append_printf (GString *string, const gchar *format, ...) G_GNUC_PRINTF (2, 3);
void g_string_append_vprintf (GString *string, const gchar *format, va_list arguments);

GStringChunk *g_string_chunk_new (gsize size);
void g_string_chunk_free (GStringChunk *chunk);
gchar *g_string_chunk_insert (GStringChunk *chunk, const gchar *text);
gchar *g_string_chunk_insert_len (GStringChunk *chunk, const gchar *text, gssize n);
gchar *g_string_chunk_insert_const (GStringChunk *chunk, const gchar *text);

/* ---- glib-text.c ---- */

gchar *g_strdup (const gchar *text);
gchar *g_strndup (const gchar *text, gsize n);
gchar *g_strdup_printf (const gchar *format, ...) G_GNUC_PRINTF (1, 2);
gchar *g_strdup_vprintf (const gchar *format, va_list arguments);
gchar *g_strconcat (const gchar *first, ...);
gint g_strcmp0 (const gchar *a, const gchar *b);
gboolean g_str_has_prefix (const gchar *text, const gchar *prefix);
gboolean g_str_has_suffix (const gchar *text, const gchar *suffix);
gchar *g_strchomp (gchar *text);
gchar *g_strchug (gchar *text);
#define g_strstrip(text) g_strchomp (g_strchug (text))
gchar *g_strdelimit (gchar *text, const gchar *delimiters, gchar with);
gchar *g_strstr_len (const gchar *text, gssize n, const gchar *needle);
gchar *g_strrstr (const gchar *text, const gchar *needle);
gchar *g_strrstr_len (const gchar *text, gssize n, const gchar *needle);
gchar **g_strsplit (const gchar *text, const gchar *delimiter, gint max);
gchar *g_strjoinv (const gchar *separator, gchar **parts);
void g_strfreev (gchar **list);
guint g_strv_length (gchar **list);
gboolean g_strv_contains (const gchar *const *list, const gchar *text);
gchar *g_markup_escape_text (const gchar *text, gssize n);
const gchar *g_strerror (gint number);
#define g_snprintf snprintf

gchar *g_path_get_basename (const gchar *path);
gchar *g_path_get_dirname (const gchar *path);
gchar *g_build_filename (const gchar *first, ...);

#define G_ASCII_DTOSTR_BUF_SIZE 39
gdouble g_ascii_strtod (const gchar *text, gchar **end);
guint64 g_ascii_strtoull (const gchar *text, gchar **end, guint base);
gchar *g_ascii_formatd (gchar *buffer, gint size, const gchar *format, gdouble value);
gint g_ascii_strcasecmp (const gchar *a, const gchar *b);
gint g_ascii_strncasecmp (const gchar *a, const gchar *b, gsize n);
gchar *g_ascii_strdown (const gchar *text, gssize n);
gint g_ascii_xdigit_value (gchar c);
gboolean g_ascii_string_to_unsigned (const gchar *text, guint base, guint64 min, guint64 max,
                                     guint64 *number, GError **error);

static inline gboolean
g_ascii_isdigit (gchar c)
{
  return c >= '0' && c <= '9';
}

static inline gboolean
g_ascii_isupper (gchar c)
{
  return c >= 'A' && c <= 'Z';
}

static inline gboolean
g_ascii_islower (gchar c)
{
  return c >= 'a' && c <= 'z';
}

static inline gboolean
g_ascii_isalpha (gchar c)
{
  return g_ascii_isupper (c) || g_ascii_islower (c);
}

static inline gboolean
g_ascii_isalnum (gchar c)
{
  return g_ascii_isalpha (c) || g_ascii_isdigit (c);
}

static inline gboolean
g_ascii_isxdigit (gchar c)
{
  return g_ascii_xdigit_value (c) >= 0;
}

static inline gboolean
g_ascii_isspace (gchar c)
{
  return c == ' ' || (c >= '\t' && c <= '\r' && c != '\v');
}

static inline gboolean
g_ascii_isprint (gchar c)
{
  return c >= ' ' && c <= '~';
}

static inline gchar
g_ascii_tolower (gchar c)
{
  return g_ascii_isupper (c) ? (gchar)(c - 'A' + 'a') : c;
}

/* ---- glib-utf8.c ---- */

/* The types that are told apart; every other character is a letter. */
typedef enum
{
  G_UNICODE_CONTROL,
  G_UNICODE_FORMAT,
  G_UNICODE_OTHER_LETTER,
  G_UNICODE_LINE_SEPARATOR,
  G_UNICODE_PARAGRAPH_SEPARATOR,
} GUnicodeType;

extern const gchar g_utf8_skip[256];
#define g_utf8_next_char(p) ((p) + g_utf8_skip[*(const guchar *)(p)])
gunichar g_utf8_get_char (const gchar *p);
glong g_utf8_strlen (const gchar *text, gssize n);
gboolean g_utf8_validate (const gchar *text, gssize n, const gchar **end);
gboolean g_utf8_validate_len (const gchar *text, gsize n, const gchar **end);
gchar *g_utf8_make_valid (const gchar *text, gssize n);
gint g_unichar_to_utf8 (gunichar c, gchar *buffer);
GUnicodeType g_unichar_type (gunichar c);

/* ---- glib-error.c ---- */

void g_set_error (GError **error, GQuark domain, gint code, const gchar *format, ...)
    G_GNUC_PRINTF (4, 5);
void g_set_error_literal (GError **error, GQuark domain, gint code, const gchar *message);
void g_prefix_error (GError **error, const gchar *format, ...) G_GNUC_PRINTF (2, 3);
void g_propagate_error (GError **to, GError *error);
void g_clear_error (GError **error);
void g_error_free (GError *error);
gboolean g_error_matches (const GError *error, GQuark domain, gint code);

/* ---- files.c: those that the page has handed over ---- */

typedef struct GDir GDir;
typedef enum
{
  G_FILE_TEST_EXISTS = 1 << 4,
} GFileTest;

GDir *g_dir_open (const gchar *path, guint flags, GError **error);
const gchar *g_dir_read_name (GDir *dir);
void g_dir_close (GDir *dir);
gboolean g_file_test (const gchar *path, GFileTest test);
char *realpath (const char *path, char *resolved);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GArray, g_array_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GByteArray, g_byte_array_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GBytes, g_bytes_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GDir, g_dir_close)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GError, g_error_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GHashTable, g_hash_table_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GPtrArray, g_ptr_array_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GStringChunk, g_string_chunk_free)

static inline void
g_autoptr_free_string (GString *string)
{
  g_string_free (string, TRUE);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GString, g_autoptr_free_string)
typedef gchar **GStrv;
static inline void
GStrv_auto_clear (GStrv *list)
{
  g_strfreev (*list);
}
