/* SPDX-License-Identifier: MIT */
/* The code of a launch, ready to run: the kernel and the functions that it calls, one after the
 * other in one code address space, each instruction as a WpStep. */
#pragma once

#include "exec/cubin/wp-cubin.h"
#include "exec/machine/wp-block.h"

G_BEGIN_DECLS

typedef struct WpStretch WpStretch; /* wp-stretch.c */

typedef struct
{
  gint function;   /* in WpCubin.functions, -1: functions of the run-time system */
  guint64 address; /* of its first instruction */
  guint first, n;  /* its steps */
} WpCodePart;

/* Products of matrices into tensor memory (tcgen05.mma), by what they multiply. */
typedef enum
{
  WP_PRODUCT_F16, /* and bf16 */
  WP_PRODUCT_TF32,
  WP_PRODUCT_F8F6F4,
  WP_PRODUCT_I8
} WpProductKind;

typedef struct
{
  WpProductKind kind;
  guint rows, columns;  /* of D */
  gboolean from_tensor; /* A is in tensor memory */
  gboolean is_half;     /* D has 16 bits */
} WpProduct;

struct WpKernelCode
{
  const WpCubin *cubin;
  GArray *parts; /* of WpCodePart; the first one is the kernel */
  guint n_steps;
  WpStep *steps;
  WpSassInstr *instrs;
  guint32 *seen;      /* for each step: private, of wp_kernel_code_find_barrier() and _product() */
  GPtrArray *rows;    /* of WpConstantRow: what immediates and constants are */
  GPtrArray *choices; /* of guint32[warps]: what --branch says */
  guint registers;    /* that steps name: a warp has that many */
  guint uniforms;     /* uniform registers, likewise */
  guint convergence;  /* barriers of BSSY, likewise */
  /* Waits at barriers in shared memory (wp-waits.h): */
  guint32 *sites; /* the steps that ask... */
  guint n_sites;
  guint32 *arrivals; /* ...and those that arrive, or copy what is waited for */
  guint n_arrivals;
  gboolean waits_by_asking;     /* there may be such barriers */
  gboolean has_loaded_barriers; /* ...which code loads as other data are: up to sm_89 */
  gboolean has_products;        /* of matrices by four warps together (wgmma) */
  gboolean has_tensor_products; /* ...into tensor memory (tcgen05) */
  gboolean allocates;           /* tensor memory */
  gboolean has_pairs;           /* of blocks that multiply together (tcgen05, cta_group::2) */
  gboolean has_odd_bars;        /* the number or the threads of some BAR are in a register */
  gboolean has_groups;          /* copies are waited for in groups (LDGDEPBAR) */
  guint first_meeting;          /* the indices of trails from here on... */
  guint first_handoff; /* ...to here, less one, are no steps: wp_waits_decode(); nor from */
  guint n_indices;     /* here on to there, less one: wp_handoffs_decode() */
  gboolean is_serial;  /* blocks have to run one after the other: an atomic whose result is used, or
                       * a sum in floating point, depends on the order */
  gboolean is_lean;    /* steps know what is left of them where nobody looks at data: wp-needed.h */
  GPtrArray *stretches; /* of WpStretch */
  /* It reads the workspace of a cooperative grid... */
  gboolean is_cooperative;
  /* ...and has loads by which its blocks may wait for one another; one of these steps. */
  gboolean meets;
  guint32 meets_at;
};

/* Frees what wp_kernel_code_new() made. */
void wp_kernel_code_free (WpKernelCode *code);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpKernelCode, wp_kernel_code_free)

/* The index of the step at ADDRESS of the code. FALSE: none is there. O(functions). */
gboolean wp_kernel_code_find (const WpKernelCode *code, guint64 address, guint32 *index);

/* The part that step INDEX is in. */
const WpCodePart *wp_kernel_code_part (const WpKernelCode *code, guint index);

/* Where step INDEX stands in the source: FILE (borrowed) and LINE are set, or NULL and 0 where the
 * cubin does not say. O(log lines). */
void wp_kernel_code_line (const WpKernelCode *code, guint index, const gchar **file, guint *line);

/* The same for people: where a header of the toolkit was inlined, the line that did so. */
void wp_kernel_code_own_line (const WpKernelCode *code, guint index, const gchar **file,
                              guint *line);

/* Step INDEX, a BAR that has its operands in registers, was executed as barrier NUMBER of THREADS
 * (0: all of the block). Any number of threads may say so at a time. */
void wp_kernel_code_see_barrier (const WpKernelCode *code, guint index, guint number,
                                 guint threads);
/* As which it was executed, the same one each time; 0 and 0 where it was not. FALSE: as several. */
gboolean wp_kernel_code_find_barrier (const WpKernelCode *code, guint index, guint *number,
                                      guint *threads);

/* Step INDEX, a product into tensor memory, was executed as PRODUCT, likewise. */
void wp_kernel_code_see_product (const WpKernelCode *code, guint index, const WpProduct *product);
/* As which it was executed; of 0 rows where it was not. FALSE: as several. */
gboolean wp_kernel_code_find_product (const WpKernelCode *code, guint index, WpProduct *product);

/* "k.cu:12", for people, or "axpy+0x120" where the source is not known. Free with g_free(). */
gchar *wp_kernel_code_place (const WpKernelCode *code, guint index);

G_END_DECLS
