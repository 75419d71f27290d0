/* SPDX-License-Identifier: MIT */
/* Chooses what to run instead of an instruction that a GPU's description lacks: first instructions
 * of the same unit, then those of a unit that is about as fast. The choice is made by class; a
 * class is the first word with the type (arithmetic) or the state space (memory).
 *
 * Local memory is the thread's part of global memory. Votes, and whom they elect, run where
 * comparisons do: a choice. An instruction that only orders others (a fence) runs as one that does
 * nothing, and so does what an import warns of as not modelled (mbarrier, wgmma, bulk copies);
 * that is a choice. */
#include "idg/import/ops/idg-ops-private.h"

#include <string.h>

/* Returns the last word, the type. */
static const gchar *
get_type (const gchar *op)
{
  const gchar *dot = strrchr (op, '.');

  return dot ? dot + 1 : "";
}

static gboolean
has_word (const gchar *op, const gchar *word)
{
  gsize length = strlen (word);

  for (const gchar *at = strchr (op, '.'); at; at = strchr (at + 1, '.'))
    if (strncmp (at + 1, word, length) == 0 && strchr (".:", at[1 + length]))
      return TRUE;
  return FALSE;
}

static gboolean
is_half (const gchar *type)
{
  return strstr (type, "f16") != NULL || strstr (type, "e4m3") || strstr (type, "e5m2");
}

static const gchar *const *
find_add (const gchar *op)
{
  static const gchar *const f64[] = { "add.f64", "fma.f64", "mul.f64", "compute", NULL };
  static const gchar *const f32[] = { "add.f32", "fma.f32", "mul.f32", "compute", NULL };
  static const gchar *const f16[]
      = { "add.f16x2", "add.f16", "fma.f16x2", "fma.f16", "add.f32", "compute", NULL };
  static const gchar *const bits[] = { "popc.b32", "bfind.u32", "add.s32", "compute", NULL };
  static const gchar *const whole[] = { "add.s32", "lop3.b32", "and.b32", "compute", NULL };
  const gchar *type = get_type (op);

  if (strcmp (type, "f64") == 0)
    return f64;
  if (is_half (type))
    return f16;
  if (type[0] == 'f')
    return f32;
  if (g_str_has_prefix (op, "popc") || g_str_has_prefix (op, "clz")
      || g_str_has_prefix (op, "bfind") || g_str_has_prefix (op, "brev"))
    return bits;
  return whole;
}

static const gchar *const *
find_mul (const gchar *op)
{
  static const gchar *const f64[] = { "fma.f64", "mul.f64", "mad.f64", "add.f64", "compute", NULL };
  static const gchar *const f32[] = { "fma.f32", "mul.f32", "mad.f32", "add.f32", "compute", NULL };
  static const gchar *const f16[]
      = { "fma.f16x2", "fma.f16", "mul.f16x2", "mul.f16", "add.f16", "fma.f32", "compute", NULL };
  static const gchar *const whole[] = { "mad.lo.s32", "mul.lo.s32", "add.s32", "compute", NULL };
  const gchar *type = get_type (op);

  if (strcmp (type, "f64") == 0)
    return f64;
  if (is_half (type))
    return f16;
  return type[0] == 'f' ? f32 : whole;
}

static const gchar *const *
find_div (const gchar *op)
{
  static const gchar *const f64[] = { "div.f64", "rcp.f64", "div.f32", "fma.f64", "compute", NULL };
  static const gchar *const f32[]
      = { "div.f32", "rcp.f32", "rcp.approx.f32", "sqrt.f32", "rsqrt.approx.f32", "compute", NULL };
  static const gchar *const fast[] = { "div.full.f32",
                                       "div.approx.f32",
                                       "rcp.approx.f32",
                                       "sqrt.approx.f32",
                                       "rsqrt.approx.f32",
                                       "compute",
                                       NULL };
  static const gchar *const whole[]
      = { "div.u32", "div.s32", "rem.u32", "rcp.approx.f32", "mad.lo.s32", "compute", NULL };
  const gchar *type = get_type (op);

  if (has_word (op, "approx") || has_word (op, "full"))
    return fast;
  if (strcmp (type, "f64") == 0)
    return f64;
  return type[0] == 'f' ? f32 : whole;
}

static const gchar *const *
find_function (const gchar *op)
{
  static const gchar *const f64[]
      = { "sqrt.f64", "rcp.f64", "div.f64", "sqrt.f32", "rcp.f32", "compute", NULL };
  static const gchar *const precise[] = {
    "sqrt.f32", "rcp.f32", "div.f32", "sqrt.approx.f32", "rsqrt.approx.f32", "compute", NULL
  };
  static const gchar *const fast[] = { "rsqrt.approx.f32", "rcp.approx.f32", "sqrt.approx.f32",
                                       "ex2.approx.f32",   "compute",        NULL };
  static const gchar *const angles[] = { "sin.approx.f32",   "cos.approx.f32", "ex2.approx.f32",
                                         "rsqrt.approx.f32", "compute",        NULL };
  static const gchar *const powers[] = { "ex2.approx.f32",   "lg2.approx.f32", "sin.approx.f32",
                                         "rsqrt.approx.f32", "compute",        NULL };

  if (g_str_has_prefix (op, "sin") || g_str_has_prefix (op, "cos"))
    return angles;
  if (g_str_has_prefix (op, "ex2") || g_str_has_prefix (op, "lg2") || g_str_has_prefix (op, "tanh"))
    return powers;
  if (has_word (op, "approx") || g_str_has_prefix (op, "rsqrt"))
    return fast;
  return strcmp (get_type (op), "f64") == 0 ? f64 : precise;
}

static const gchar *const *
find_load (const gchar *op)
{
  static const gchar *const shared[] = { "ld.shared.u32", "memory", NULL };
  static const gchar *const constant[]
      = { "ld.const.u32", "ld.param.u32", "ld.shared.u32", "memory", NULL };
  static const gchar *const global[] = { "ld.global.u32", "memory", NULL };
  static const gchar *const none[] = { NULL };

  if (g_str_has_prefix (op, "ldmatrix"))
    return none;
  if (has_word (op, "shared"))
    return shared;
  if (has_word (op, "const") || has_word (op, "param"))
    return constant;
  return global;
}

static const gchar *const *
find_store (const gchar *op)
{
  static const gchar *const shared[] = { "st.shared.u32", "ld.shared.u32", "memory", NULL };
  static const gchar *const global[] = { "st.global.u32", "memory", NULL };
  static const gchar *const parameter[] = { "mov.u32", "compute", NULL };
  static const gchar *const none[] = { NULL };

  if (g_str_has_prefix (op, "stmatrix"))
    return none;
  if (has_word (op, "param"))
    return parameter; /* a parameter of a call: a register */
  return has_word (op, "shared") ? shared : global;
}

/* ---- What has no near relation ----
 *
 * Matrix units, exchange between lanes, atomics and asynchronous copies have pipelines and rates of
 * their own, which nothing else tells. So these run as one of their kind, or not at all. */

static const gchar *const *
find_atomic (const gchar *op)
{
  static const gchar *const shared[] = { "atom.shared.add.u32", NULL };
  static const gchar *const global[] = { "atom.global.add.u32", NULL };

  return has_word (op, "shared") ? shared : global;
}

static const gchar *const *
find_reduce (const gchar *op)
{
  static const gchar *const shared[] = { "red.shared.add.u32", "atom.shared.add.u32", NULL };
  static const gchar *const global[] = { "red.global.add.u32", "atom.global.add.u32", NULL };
  static const gchar *const none[] = { NULL };

  if (g_str_has_prefix (op, "multimem"))
    return none;
  return has_word (op, "shared") ? shared : global;
}

/* Bulk copies and their like are not modelled: an import warns that times are a lower bound
 * (idg-ops-unmodelled.c). They take an issue slot, as what only commits or waits does. */
static const gchar *const *
find_async (const gchar *op)
{
  static const gchar *const none[] = { NULL };
  static const gchar *const slot[] = { "nop", "add.s32", "compute", NULL };

  return g_str_has_prefix (op, "cp.async.ca") || g_str_has_prefix (op, "cp.async.cg") ? none : slot;
}

/* The families of the tensor units also have fences and the like. wgmma and tcgen05 are not
 * modelled, as above. */
static const gchar *const *
find_tensor (const gchar *op)
{
  static const gchar *const slot[] = { "nop", "add.s32", "compute", NULL };
  static const gchar *const none[] = { NULL };

  return g_str_has_prefix (op, "mma") || g_str_has_prefix (op, "wmma") ? none : slot;
}

static const gchar *const *
find_by_family (const gchar *op, IdgPtxFamily family)
{
  static const gchar *const logic[]
      = { "and.b32", "shl.b32", "lop3.b32", "add.s32", "compute", NULL };
  static const gchar *const predicate[] = { "setp.s32", "selp.b32", "add.s32", "compute", NULL };
  static const gchar *const predicate_f32[] = { "setp.f32", "min.f32", "add.f32", "compute", NULL };
  static const gchar *const predicate_f64[] = { "setp.f64", "min.f64", "add.f64", "compute", NULL };
  static const gchar *const convert[] = { "cvt.f32.s32", "add.s32", "compute", NULL };
  static const gchar *const convert_f64[]
      = { "cvt.f64.f32", "cvt.f32.f64", "add.f64", "cvt.f32.s32", "compute", NULL };
  static const gchar *const move[] = { "mov.u32", "add.s32", "compute", NULL };
  static const gchar *const shuffle[] = { "shfl.sync.idx.b32", "shfl.idx.b32", NULL };
  static const gchar *const none[] = { NULL };
  static const gchar *const vote[]
      = { "vote.sync.any", "vote.any", "setp.s32", "add.s32", "compute", NULL };
  static const gchar *const prefetch[] = { "st.global.u32", "ld.global.u32", "memory", NULL };
  static const gchar *const texture[]
      = { "tex.2d.v4.f32.f32", "tld4.r.2d.v4.f32.f32", "ld.global.u32", "memory", NULL };
  static const gchar *const surface[]
      = { "suld.b.2d.b32", "tex.2d.v4.f32.f32", "ld.global.u32", "memory", NULL };
  static const gchar *const surface_store[]
      = { "sust.b.2d.b32", "sured.b.2d.add.u32", "st.global.u32", "memory", NULL };
  static const gchar *const control[] = { "bra", "add.s32", "compute", NULL };
  static const gchar *const nothing[] = { "nop", "add.s32", "compute", NULL };
  const gchar *type = get_type (op);

  switch (family)
    {
    case IDG_PTX_ADD:
      return find_add (op);
    case IDG_PTX_MUL:
      return find_mul (op);
    case IDG_PTX_DIV:
      return find_div (op);
    case IDG_PTX_FUNCTION:
      return find_function (op);
    case IDG_PTX_LOGIC:
      return logic;
    case IDG_PTX_PREDICATE:
      return strcmp (type, "f64") == 0 ? predicate_f64 : type[0] == 'f' ? predicate_f32 : predicate;
    case IDG_PTX_CONVERT:
      return has_word (op, "f64") ? convert_f64 : convert;
    case IDG_PTX_MOVE:
      return move;
    case IDG_PTX_SHUFFLE:
      return g_str_has_prefix (op, "shfl") ? shuffle : none;
    case IDG_PTX_VOTE:
      return g_str_has_prefix (op, "vote") || g_str_has_prefix (op, "activemask")
                     || g_str_has_prefix (op, "elect")
                 ? vote
                 : none;
    case IDG_PTX_LOAD:
      return find_load (op);
    case IDG_PTX_STORE:
      return find_store (op);
    case IDG_PTX_ATOMIC:
      return find_atomic (op);
    case IDG_PTX_REDUCE:
      return find_reduce (op);
    case IDG_PTX_PREFETCH:
      return prefetch;
    case IDG_PTX_TEXTURE:
      return texture;
    case IDG_PTX_SURFACE:
      return g_str_has_prefix (op, "sust") ? surface_store : surface;
    case IDG_PTX_ASYNC:
      return find_async (op);
    case IDG_PTX_TENSOR:
      return find_tensor (op);
    case IDG_PTX_CONTROL:
      return control;
    case IDG_PTX_MBARRIER:
    case IDG_PTX_NOP:
      break;
    }
  return nothing;
}

const gchar *const *
idg_ops_get_nearest (const gchar *op)
{
  static const gchar *const memory[] = { "memory", NULL };
  static const gchar *const unknown[] = { "add.s32", "compute", NULL };
  const IdgPtxRow *row = idg_ops_find_ptx_row (op, strcspn (op, "."));

  if (row)
    return find_by_family (op, row->family);
  return strcmp (op, "memory") == 0 ? memory : unknown;
}

gboolean
idg_ops_may_take_a_slot (const gchar *op)
{
  const IdgPtxRow *row = idg_ops_find_ptx_row (op, strcspn (op, "."));

  return row != NULL
         && (row->family == IDG_PTX_ATOMIC || row->family == IDG_PTX_REDUCE
             || row->family == IDG_PTX_VOTE);
}

gboolean
idg_ops_is_own_kind (const gchar *op)
{
  const gchar *const *last = idg_ops_get_nearest (op);

  if (*last == NULL)
    return TRUE;
  while (last[1] != NULL)
    last++;
  return strcmp (*last, "compute") != 0 && strcmp (*last, "memory") != 0;
}
