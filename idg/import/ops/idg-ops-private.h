/* SPDX-License-Identifier: MIT */
/* Private to idg-ops*.c: the tables of PTX and SASS names. Both are sorted by name, for bsearch().
 */
#pragma once

#include "idg/import/ops/idg-ops.h"

G_BEGIN_DECLS

/* What the first word of a PTX instruction stands for. Together with state space and type it
 * defines a class of similar instructions. */
typedef enum
{
  IDG_PTX_ADD, /* integer or floating point, by type */
  IDG_PTX_MUL,
  IDG_PTX_DIV,
  IDG_PTX_FUNCTION, /* special function units */
  IDG_PTX_LOGIC,
  IDG_PTX_PREDICATE, /* writes or uses a predicate */
  IDG_PTX_CONVERT,
  IDG_PTX_MOVE,
  IDG_PTX_SHUFFLE, /* data from other lanes */
  IDG_PTX_VOTE,    /* one answer for all lanes */
  IDG_PTX_LOAD,
  IDG_PTX_STORE,
  IDG_PTX_ATOMIC,
  IDG_PTX_REDUCE, /* atomic without a result */
  IDG_PTX_PREFETCH,
  IDG_PTX_TEXTURE,
  IDG_PTX_SURFACE,
  IDG_PTX_ASYNC,    /* copies that run asynchronously */
  IDG_PTX_MBARRIER, /* operations on an mbarrier, a counter in shared memory */
  IDG_PTX_TENSOR,
  IDG_PTX_CONTROL,
  IDG_PTX_NOP, /* takes its issue slot; what it waits for is not modelled */
} IdgPtxFamily;

typedef struct
{
  const gchar *name;
  IdgPtxFamily family;
} IdgPtxRow;

/* How modifiers change a SASS instruction's name and widths. */
typedef enum
{
  IDG_SASS_PLAIN, /* they do not */
  IDG_SASS_ADD,
  IDG_SASS_ATOMIC,
  IDG_SASS_BARRIER,
  IDG_SASS_CACHE,
  IDG_SASS_CLOCK,
  IDG_SASS_COMPARE,
  IDG_SASS_COPY,
  IDG_SASS_DOT,
  IDG_SASS_F2F,
  IDG_SASS_F2I,
  IDG_SASS_FRND,
  IDG_SASS_FUNCTION,
  IDG_SASS_HALF,
  IDG_SASS_I2F,
  IDG_SASS_I2I,
  IDG_SASS_IMAD,
  IDG_SASS_IMUL,
  IDG_SASS_LOAD,
  IDG_SASS_LOGIC,
  IDG_SASS_MATCH,
  IDG_SASS_MATRIX,
  IDG_SASS_MMA,
  IDG_SASS_MOVE,
  IDG_SASS_REDUX,
  IDG_SASS_SHIFT,
  IDG_SASS_SHUFFLE,
  IDG_SASS_SIGNED,
  IDG_SASS_STORE,
  IDG_SASS_SURFACE,
  IDG_SASS_VOTE,
  IDG_SASS_WARPGROUP,
  IDG_SASS_WGMMA,
} IdgSassForm;

typedef struct
{
  const gchar *name;
  const gchar *op; /* the op without modifiers, or the stem that the form appends to */
  IdgSassForm form;
  guint8 dest, source; /* how many registers each has, without modifiers */
} IdgSassRow;

extern const IdgPtxRow idg_ops_ptx[];
extern const gsize idg_ops_n_ptx;
extern const IdgSassRow idg_ops_sass[];
extern const gsize idg_ops_n_sass;

/* Return the row for the first LENGTH bytes of NAME, or NULL. */
const IdgPtxRow *idg_ops_find_ptx_row (const gchar *name, gsize length);
const IdgSassRow *idg_ops_find_sass_row (const gchar *name, gsize length);

G_END_DECLS
