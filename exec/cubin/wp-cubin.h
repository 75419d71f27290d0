/* SPDX-License-Identifier: MIT */
/* A module of machine code: the functions, variables and constants of one image (a cubin), from a
 * cubin, a fat binary, an executable or a shared library. It reads ELF itself; every offset and
 * size in a file is checked before it is used.
 *
 * Plain data, which knows nothing of what the code does. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  guint offset, bytes; /* in the parameters */
} WpCubinParameter;

typedef struct
{
  guint64 address; /* in the function: the line holds from here to the next one's */
  guint file;      /* in WpCubin.files */
  guint line;      /* 0: not known */
} WpCubinLine;

/* A place in the code or data that an address is to be written to, once it is known. */
typedef struct
{
  guint64 offset;
  guint type;   /* R_CUDA_... */
  guint symbol; /* in WpCubin.symbols */
  gint64 addend;
} WpCubinRelocation;

typedef struct
{
  gchar *name, *demangled; /* "_Z4axpyifPf", "axpy(int, float, float *)" */
  gboolean is_kernel;
  GBytes *code;
  GArray *relocations;   /* of WpCubinRelocation, in its code */
  GArray *lines;         /* of WpCubinLine, ascending; empty without -lineinfo */
  guint registers;       /* for each thread */
  guint shared_memory;   /* static, bytes */
  guint frame;           /* bytes of local memory for each thread, stack included */
  guint max_threads;     /* of a block, 0: not said */
  GBytes *constants[32]; /* bank 0 to 17: as the file has it, NULL: none */
  guint parameter_base;  /* where in bank 0 the parameters begin: 0x160, 0x210, 0x380 */
  guint parameter_bytes;
  GArray *parameters; /* of WpCubinParameter, in their order; NULL: not said */
} WpCubinFunction;

/* A variable of the module. */
typedef struct
{
  gchar *name, *demangled;
  gboolean is_constant; /* __constant__: in bank 3; else in device memory */
  guint64 offset;       /* __constant__: in the bank */
  guint64 bytes, align;
  GBytes *data;        /* what it holds at first; NULL: zeros */
  GArray *relocations; /* of WpCubinRelocation, in its data */
} WpCubinVariable;

typedef struct
{
  gchar *name;
  gint function, variable; /* which one it is, -1: not one */
  guint64 value;
} WpCubinSymbol;

typedef struct
{
  gchar *path;          /* of the file it came from */
  guint sm;             /* 80 for sm_80 */
  GPtrArray *functions; /* of WpCubinFunction */
  GPtrArray *variables; /* of WpCubinVariable */
  GArray *symbols;      /* of WpCubinSymbol */
  GPtrArray *files;     /* of gchar: the sources that lines name */
} WpCubin;

/* Reads the image for compute capability SM from the file at PATH: the one for SM, else the nearest
 * older one of the same family (of its major number); NOTE (may be NULL) then receives a sentence
 * that says so; free it with g_free(). NULL with an error of IDG_ERROR that reads "FILE: what is
 * wrong; what would have been right". Free with wp_cubin_free(). O(file). */
WpCubin *wp_cubin_load (const gchar *path, guint sm, gchar **note, GError **error);
WpCubin *wp_cubin_parse (const guint8 *data, gsize length, const gchar *name, guint sm,
                         gchar **note, GError **error);
void wp_cubin_free (WpCubin *cubin);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpCubin, wp_cubin_free)

/* Tells whether the file at PATH begins as one that wp_cubin_load() reads. */
gboolean wp_cubin_recognize (const gchar *path);

G_END_DECLS
