/* SPDX-License-Identifier: MIT */
/* A module of machine code: the functions, variables and constants of one image (a cubin), from a
 * cubin, a fat binary, an executable or a shared library. It reads ELF itself; every offset and
 * size in a file is checked before it is used.
 *
 * Plain data, which knows nothing of what the code does. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WP_CUBIN_BANKS 32
#define WP_CUBIN_MAX_CLUSTER 16 /* blocks (CUDA C++ Programming Guide, thread block clusters) */

typedef struct
{
  guint offset, bytes; /* in the parameters */
} WpCubinParameter;

typedef struct
{
  guint64 address; /* in the function: the line holds from here to the next one's */
  guint file;      /* in WpCubin.files */
  guint line;      /* 0: not known */
  /* Where a header of the toolkit was inlined, by way of others or not: the line that did so. Else
   * the same. */
  guint own_file, own_line;
  gboolean is_other; /* with line 0: a function of the toolkit begins, which has no lines */
} WpCubinLine;

/* A place in the code or data that an address is to be written to, once it is known. */
typedef struct
{
  guint64 offset;
  guint type;    /* R_CUDA_..., WpCubinRelocationType those that linked code has */
  guint symbol;  /* in WpCubin.symbols */
  gint64 addend; /* to the symbol's value; read from the place where the file has it there */
} WpCubinRelocation;

/* What is written: the address as a whole or a half of it. The numbers are those that a
 * disassembler has names for; 32 bits of an instruction begin at its bit 32. */
typedef enum
{
  WP_CUBIN_R_32 = 1,
  WP_CUBIN_R_64 = 2,
  WP_CUBIN_R_G32 = 3, /* G: of a variable in device memory as other variables see it */
  WP_CUBIN_R_G64 = 4,
  WP_CUBIN_R_FUNC_DESC_32 = 34, /* FUNC_DESC: of a function, to be called through */
  WP_CUBIN_R_FUNC_DESC_64 = 35,
  WP_CUBIN_R_ABS32_32 = 55,
  WP_CUBIN_R_ABS32_LO_32 = 56,
  WP_CUBIN_R_ABS32_HI_32 = 57,
  WP_CUBIN_R_ABS47_34 = 58, /* a call's target: bits 34 to 80 are bits 2 to 48 of the address */
  WP_CUBIN_R_FUNC_DESC32_LO_32 = 62,
  WP_CUBIN_R_FUNC_DESC32_HI_32 = 63,
  WP_CUBIN_R_ABS55_16_34 = 75, /* a call's target from sm_90 on */
} WpCubinRelocationType;

typedef struct
{
  gchar *name, *demangled; /* "_Z4axpyifPf", "axpy(int, float, float*)" */
  gchar *asked;            /* what a launch calls it that it was compiled for, or NULL */
  gboolean is_kernel;
  guint module; /* 0 on: functions of one module share banks 3 and 4; a program has several */
  GBytes *code;
  guint64 address;     /* of its first instruction, among all functions: wp-cubin-relocate.h */
  GArray *relocations; /* of WpCubinRelocation, in its code */
  GArray *lines;       /* of WpCubinLine, ascending; empty without -lineinfo */
  guint registers;     /* for each thread */
  guint shared_memory; /* static, bytes; dynamic shared memory begins after it */
  guint shared_base;   /* the address that the code has for the first byte of it: 0; from sm_90 on
                          * 1024, after what the system keeps */
  guint frame;         /* bytes of local memory for each thread; those of a recursion, or of
                          * functions called by pointer, are not in it */
  guint max_threads;   /* of a block, 0: not said */
  guint required_threads[3];         /* x, y, z of a block that it was compiled for, 0: any */
  guint cluster[3];                  /* __cluster_dims__: blocks of a cluster; 0: none said */
  GBytes *constants[WP_CUBIN_BANKS]; /* as the file has them, NULL: none */
  GArray *constant_relocations[WP_CUBIN_BANKS]; /* of WpCubinRelocation, in them, NULL: none */
  guint parameter_base; /* where in bank 0 the parameters begin: 0x160, 0x210, 0x380 */
  guint parameter_bytes;
  GArray *parameters; /* of WpCubinParameter, in their order; NULL: not said */
} WpCubinFunction;

/* A variable of the module. */
typedef struct
{
  gchar *name, *demangled;
  gboolean is_constant; /* __constant__: in bank 3 of its module; else in device memory */
  guint module;
  guint64 offset; /* __constant__: in the bank */
  guint64 bytes, align;
  GBytes *data;        /* what it holds at first; NULL: zeros */
  GArray *relocations; /* of WpCubinRelocation, in its data */
} WpCubinVariable;

typedef struct
{
  gchar *name;
  gint function, variable; /* which one it is in, -1: none; both -1: a function of the run-time
                            * system, as vprintf, or nothing that code can ask for */
  guint64 value;           /* from the start of that function or variable */
} WpCubinSymbol;

typedef struct
{
  gchar *path;          /* of the file it came from */
  guint sm;             /* 80 for sm_80 */
  GBytes *image;        /* the ELF file; all other GBytes are parts of it */
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

/* Tells whether a file that begins with the N bytes of HEAD begins as one that wp_cubin_load()
 * reads. 20 are enough. */
gboolean wp_cubin_recognize (const guint8 *head, gsize n);

G_END_DECLS
