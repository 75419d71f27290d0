/* SPDX-License-Identifier: MIT */
/* Each step has registers of its own: one for a chain, several in turn for instructions that do not
 * wait for one another. The clock is read when all results are there: a branch waits for them. */
#include "probe/cuda/wp-cuda-source.h"

#define SHARED_BYTES 8192 /* what conflicts of 32 ways go through, and as much for offsets */
#define SHARED_MASK 4095
#define WARP 32

static const WpProbeCodeOp ops[] = {
#define OP(name, type, least_cc, length, statement)                                                \
  { name, WP_PROBE_##type, least_cc, length, statement },
#include "probe/cuda/wp-cuda-ops.def"
#undef OP
};

static const struct
{
  const gchar *name, *y, *z;
  const gchar *set;  /* x from the integer t */
  const gchar *bits; /* t from x */
} types[WP_PROBE_N_TYPES] = {
  [WP_PROBE_FLOAT] = { "f32", "one", "zero", "cvt.rn.f32.u32 %s, t;", "mov.b32 t, %s;" },
  [WP_PROBE_INT] = { "b32", "unit", "unit", "mov.b32 %s, t;", "mov.b32 t, %s;" },
  [WP_PROBE_LONG] = { "b64", "unit64", "unit64", "cvt.u64.u32 %s, t;",
                      "{ .reg .b32 v; mov.b64 {t, v}, %s; xor.b32 t, t, v; }" },
  [WP_PROBE_DOUBLE]
  = { "f64", "one64", "zero64", "cvt.rn.f64.u32 %s, t;", "{ .reg .b32 v; mov.b64 {t, v}, %s; }" },
  [WP_PROBE_HALF] = { "b16", "one16", "one16", "cvt.u16.u32 %s, t;", "cvt.u32.u16 t, %s;" },
  [WP_PROBE_MATRIX] = { "f32", "unit", "unit", "cvt.rn.f32.u32 %s, t;", "mov.b32 t, %s;" },
  [WP_PROBE_LOCAL_WORDS] = { "b32", "unit", "unit", "mov.b32 %s, t;", "mov.b32 t, %s;" },
  [WP_PROBE_GLOBAL_WORDS] = { "b32", "unit", "unit", "mov.b32 %s, t;", "mov.b32 t, %s;" },
};

#define MATRIX_REGISTERS 4

typedef struct
{
  WpProbeCode code;
  const WpCudaSizes *sizes;
  guint loops;
} Writer;

WpProbeType
wp_cuda_get_type (const gchar *name, const gchar *access, guint cc)
{
  const WpProbeCodeOp *op = wp_probe_code_find (ops, G_N_ELEMENTS (ops), name);

  return op != NULL && cc >= op->least_cc && wp_probe_code_fits (op, access) ? op->type
                                                                             : WP_PROBE_N_TYPES;
}

/* ---- Accesses ---- */

static void
write_local (GString *out, const WpProbeStep *step, guint s, guint k)
{
  if (g_str_has_prefix (step->op, "st."))
    g_string_append_printf (out, "st.volatile.shared.u32 [at%u + %u], r%u_%u", s, k * 128, s, k);
  else if (g_str_has_prefix (step->op, "atom."))
    g_string_append_printf (out, "atom.shared.add.u32 r%u_%u, [at%u], r%u_%u", s, k, s, s, k);
  else if (step->is_chained)
    g_string_append_printf (out, "ld.volatile.shared.u32 at%u, [at%u]", s, s);
  else
    {
      /* The assembler loads nothing twice, unless it must take it to be elsewhere. */
      if (k == 0)
        g_string_append_printf (out, "add.u32 at%u, at%u, none; ", s, s);
      g_string_append_printf (out, "xor.b32 sum, sum, r%u_%u; ld.shared.u32 r%u_%u, [at%u + %u]", s,
                              k, s, k, s, k * 128);
    }
}

static guint64
get_size (const WpCudaSizes *sizes, const gchar *access)
{
  if (g_strcmp0 (access, "l1") == 0)
    return sizes->l1;
  return g_strcmp0 (access, "l2") == 0 ? sizes->l2 : sizes->memory;
}

/* Where in memory the region of ACCESS begins. */
static guint64
get_begin (const WpCudaSizes *sizes, const WpProbeStep *step)
{
  if (g_str_has_prefix (step->op, "st."))
    return sizes->memory;
  if (g_strcmp0 (step->access, "l2") == 0)
    return 2 * sizes->memory;
  return g_strcmp0 (step->access, "l1") == 0 ? 2 * sizes->memory + sizes->l2 : 0;
}

/* How a load is cached: what stays in L2 goes past L1. */
static const gchar *
get_cache (const gchar *access)
{
  return g_strcmp0 (access, "l2") == 0 ? ".cg" : g_strcmp0 (access, "l1") == 0 ? ".ca" : "";
}

static void
write_global (GString *out, const WpCudaSizes *sizes, const WpProbeStep *step, guint s, guint k)
{
  if (step->is_chained)
    {
      g_string_append_printf (out, "ld.global%s.u64 at%u, [at%u]", get_cache (step->access), s, s);
      return;
    }
  g_string_append_printf (out,
                          "add.u32 o%u, o%u, %u; and.b32 t, o%u, %" G_GUINT64_FORMAT
                          "; cvt.u64.u32 a, t; add.u64 a, a, at%u; ",
                          s, s, WP_CUDA_STEP, s, (get_size (sizes, step->access) - 1) & ~(guint64)3,
                          s);
  if (g_str_has_prefix (step->op, "st."))
    g_string_append_printf (out, "st.global.u32 [a], r%u_%u", s, k);
  else
    g_string_append_printf (out, "xor.b32 sum, sum, r%u_%u; ld.global%s.u32 r%u_%u, [a]", s, k,
                            get_cache (step->access), s, k);
}

/* ---- Statements ---- */

static void
write_one (WpProbeCode *code, guint s, guint k, guint64 done)
{
  const WpProbeStep *step = &code->launch->steps[s];
  const WpProbeCodeOp *op = wp_probe_code_get_op (code, s);

  if (op == NULL)
    g_string_append (code->out, "bar.sync 0");
  else if (op->type == WP_PROBE_LOCAL_WORDS)
    write_local (code->out, step, s, k);
  else if (op->type == WP_PROBE_GLOBAL_WORDS)
    write_global (code->out, ((Writer *)code)->sizes, step, s, k);
  else
    wp_probe_code_write_statement (code->out, op, s, k, done, types[op->type].y, types[op->type].z);
  g_string_append (code->out, ";\n");
}

static void
begin_loop (WpProbeCode *code, guint64 n)
{
  Writer *writer = (Writer *)code;

  g_string_append_printf (code->out, "mov.u32 j, %" G_GUINT64_FORMAT ";\nloop%u:\n", n,
                          ++writer->loops);
}

static void
end_loop (WpProbeCode *code)
{
  g_string_append_printf (code->out, "sub.u32 j, j, 1;\nsetp.ne.u32 q, j, 0;\n@q bra loop%u;\n",
                          ((Writer *)code)->loops);
}

/* ---- The kernel around them ---- */

/* The names of the registers of step S: in turn x and w of each number, with the parts of a matrix. Free
 * with g_ptr_array_unref(). */
static GPtrArray *
list_registers (const WpProbeCode *code, guint s)
{
  const WpProbeCodeOp *op = wp_probe_code_get_op (code, s);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  for (guint k = 0; op != NULL && k < wp_probe_code_count_registers (&code->launch->steps[s]); k++)
    for (guint i = 0; i < 1 + (guint)wp_probe_code_has_second (op); i++)
      {
        gchar letter = i == 0 ? 'r' : 'w';

        if (op->type != WP_PROBE_MATRIX)
          g_ptr_array_add (names, g_strdup_printf ("%c%u_%u", letter, s, k));
        for (guint part = 0; op->type == WP_PROBE_MATRIX && part < MATRIX_REGISTERS; part++)
          g_ptr_array_add (names, g_strdup_printf ("%c%u_%u_%u", letter, s, k, part));
      }
  return names;
}

static void
declare_access (const Writer *writer, guint s, WpProbeType type)
{
  const WpProbeStep *step = &writer->code.launch->steps[s];
  guint pace = 4 * wp_probe_code_get_pace (step->access);
  GString *out = writer->code.out;

  if (type == WP_PROBE_LOCAL_WORDS)
    g_string_append_printf (out,
                            ".reg .b32 at%u;\nmul.lo.u32 at%u, lane, %u;\nand.b32 at%u, at%u, %u;\n"
                            "mov.u32 t, words;\nadd.u32 at%u, at%u, t;\n",
                            s, s, pace, s, s, SHARED_MASK, s, s);
  if (type != WP_PROBE_GLOBAL_WORDS)
    return;
  g_string_append_printf (out,
                          ".reg .b64 at%u;\n.reg .b32 o%u;\n"
                          "mad.lo.u32 o%u, warp, %u, %u;\nmad.lo.u32 o%u, lane, %u, o%u;\n"
                          "add.u64 at%u, memory, %" G_GUINT64_FORMAT ";\n",
                          s, s, s, 4 * 64 * 977, s * WP_CUDA_APART, s, pace, s, s,
                          get_begin (writer->sizes, step));
  if (step->is_chained)
    g_string_append_printf (out,
                            "and.b32 t, o%u, %" G_GUINT64_FORMAT ";\ncvt.u64.u32 a, t;\n"
                            "add.u64 at%u, at%u, a;\n",
                            s, (get_size (writer->sizes, step->access) - 1) & ~(guint64)7, s, s);
}

static void
declare_step (const Writer *writer, guint s)
{
  const WpProbeCode *code = &writer->code;
  const WpProbeCodeOp *op = wp_probe_code_get_op (code, s);
  g_autoptr (GPtrArray) names = list_registers (code, s);

  for (guint i = 0; i < names->len; i++)
    {
      const gchar *name = g_ptr_array_index (names, i);

      g_string_append_printf (code->out, ".reg .%s %s;\nadd.u32 t, lane, %u;\n",
                              types[op->type].name, name, i + 1);
      g_string_append_printf (code->out, types[op->type].set, name);
      g_string_append_c (code->out, '\n');
    }
  if (op != NULL)
    declare_access (writer, s, op->type);
}

/* A use of all results that no assembler can leave out. */
static void
use_step (const WpProbeCode *code, guint s)
{
  const WpProbeCodeOp *op = wp_probe_code_get_op (code, s);
  g_autoptr (GPtrArray) names = list_registers (code, s);

  for (guint i = 0; i < names->len; i++)
    {
      g_string_append_printf (code->out, types[op->type].bits,
                              (const gchar *)g_ptr_array_index (names, i));
      g_string_append (code->out, " xor.b32 sum, sum, t;\n");
    }
  if (op != NULL && op->type == WP_PROBE_LOCAL_WORDS)
    g_string_append_printf (code->out, "xor.b32 sum, sum, at%u;\n", s);
  if (op != NULL && op->type == WP_PROBE_GLOBAL_WORDS)
    g_string_append_printf (code->out, "cvt.u32.u64 t, at%u; xor.b32 sum, sum, t;\n", s);
}

/* The PTX that a device of compute capability CC / 10 is given: what its assembler knows for sure. */
static void
write_target (GString *out, guint cc)
{
  static const struct
  {
    guint cc;
    const gchar *text;
  } targets[] = {
    { 80, ".version 7.0\n.target sm_80\n" }, { 75, ".version 6.5\n.target sm_75\n" },
    { 70, ".version 6.0\n.target sm_70\n" }, { 53, ".version 5.0\n.target sm_53\n" },
    { 50, ".version 4.3\n.target sm_50\n" }, { 32, ".version 4.0\n.target sm_32\n" },
    { 0, ".version 3.1\n.target sm_20\n" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (targets); i++)
    if (cc >= targets[i].cc)
      {
        g_string_append (out, targets[i].text);
        return;
      }
}

static void
write_head (const WpProbeCode *code, guint cc)
{
  write_target (code->out, cc);
  g_string_append_printf (
      code->out,
      ".address_size 64\n"
      ".visible .entry probe (.param .u64 p_out, .param .u64 p_memory, .param .u32 p_rounds,\n"
      "  .param .u32 p_stride, .param .f32 p_one, .param .u32 p_unit)\n"
      ".maxntid %u, 1, 1\n{\n"
      ".reg .pred p, q;\n.reg .b16 one16;\n"
      ".reg .b32 t, j, id, lane, warp, rounds, round, stride, unit, sum, sm, n, none;\n"
      ".reg .b64 a, memory, out, begin, end, unit64, sm64;\n"
      ".reg .f32 one, zero, f;\n.reg .f64 one64, zero64;\n"
      "ld.param.u32 stride, [p_stride];\nmov.u32 id, %%tid.x;\n",
      WP_CUDA_THREADS);
}

/* Declared where it is used alone: an assembler keeps it else, and fewer blocks would fit. Each word of
 * shared memory holds its own address, so that a chain of loads stays where it is. */
static void
write_shared (GString *out)
{
  g_string_append_printf (out,
                          ".shared .align 16 .b8 words[%u];\nshl.b32 t, id, 2;\nmov.u32 n, "
                          "%%ntid.x;\nshl.b32 n, n, 2;\nmov.u32 j, words;\n"
                          "fill:\nsetp.ge.u32 q, t, %u;\n@q bra filled;\n"
                          "add.u32 sm, t, j;\nst.volatile.shared.u32 [sm], sm;\n"
                          "add.u32 t, t, n;\nbra fill;\nfilled:\nbar.sync 0;\n",
                          SHARED_BYTES, SHARED_BYTES);
}

static gboolean
uses_shared (const WpProbeCode *code)
{
  for (guint s = 0; s < code->launch->n_steps; s++)
    if (wp_probe_code_get_op (code, s) != NULL
        && wp_probe_code_get_op (code, s)->type == WP_PROBE_LOCAL_WORDS)
      return TRUE;
  return FALSE;
}

/* Warps that do no work go as early as they can; the others get what all instructions need. */
static void
write_values (GString *out)
{
  g_string_append_printf (
      out,
      "shr.u32 t, id, 5;\nrem.u32 t, t, stride;\nsetp.ne.u32 q, t, 0;\n@q bra done;\n"
      "ld.param.u64 out, [p_out];\nld.param.u64 memory, [p_memory];\n"
      "ld.param.u32 rounds, [p_rounds];\n"
      "ld.param.f32 one, [p_one];\nld.param.u32 unit, [p_unit];\n"
      "cvta.to.global.u64 out, out;\ncvta.to.global.u64 memory, memory;\n"
      "sub.f32 zero, one, 0f3F800000;\ncvt.f64.f32 one64, one;\ncvt.f64.f32 zero64, zero;\n"
      "cvt.u64.u32 unit64, unit;\ncvt.u16.u32 one16, unit;\n"
      "mov.u32 n, %%ntid.x;\nmov.u32 t, %%ctaid.x;\n"
      "mad.lo.u32 warp, t, n, id;\nshr.u32 warp, warp, 5;\nand.b32 lane, id, %u;\n"
      "mov.u32 sum, unit;\nsub.u32 none, unit, 1;\nsetp.ne.u32 p, unit, 77;\n",
      WARP - 1);
}

/* What follows the rounds: the clock, read when the last result is there, and what is told. */
static void
write_tail (const WpProbeCode *code)
{
  for (guint s = 0; s < code->launch->n_steps; s++)
    use_step (code, s);
  g_string_append (code->out, "setp.eq.u32 q, sum, 0x9e3779b9;\n@q bra odd;\nback:\n"
                              "mov.u64 end, %clock64;\nsetp.ne.u32 q, lane, 0;\n@q bra done;\n"
                              "mov.u32 sm, %smid;\ncvt.u64.u32 sm64, sm;\n"
                              "mul.wide.u32 a, warp, 24;\nadd.u64 out, out, a;\n"
                              "st.global.u64 [out], sm64;\nst.global.u64 [out + 8], begin;\n"
                              "st.global.u64 [out + 16], end;\n"
                              "done:\nexit;\nodd:\nst.global.u32 [out], sum;\nbra back;\n}\n");
}

gchar *
wp_cuda_write (const WpProbeLaunch *launch, const WpCudaSizes *sizes, guint cc, guint64 body,
               guint64 *unroll)
{
  Writer writer = { .sizes = sizes };
  WpProbeCode *code = &writer.code;

  *code = (WpProbeCode){ .launch = launch,
                         .out = g_string_new (NULL),
                         .ops = ops,
                         .n_ops = G_N_ELEMENTS (ops),
                         .write_one = write_one,
                         .begin_loop = begin_loop,
                         .end_loop = end_loop };
  *unroll = wp_probe_code_choose_unroll (code, body);
  write_head (code, cc);
  if (uses_shared (code))
    write_shared (code->out);
  write_values (code->out);
  for (guint s = 0; s < launch->n_steps; s++)
    declare_step (&writer, s);
  g_string_append_printf (code->out, "mov.u32 round, 0;\nmov.u64 begin, %%clock64;\n"
                                     "setp.eq.u32 q, rounds, 0;\n@q bra over;\nagain:\n");
  wp_probe_code_write_rounds (code, *unroll);
  g_string_append_printf (code->out,
                          "add.u32 round, round, %" G_GUINT64_FORMAT
                          ";\nsetp.lt.u32 q, round, rounds;\n@q bra again;\nover:\n",
                          *unroll);
  write_tail (code);
  return g_string_free (code->out, FALSE);
}
