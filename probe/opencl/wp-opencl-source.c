/* SPDX-License-Identifier: MIT */
/* Each step has registers of its own: one for a chain, several in turn for instructions that do not
 * wait for one another. */
#include "probe/opencl/wp-opencl-source.h"

static const WpProbeCodeOp ops[] = {
#define OP(name, type, least_cc, length, statement)                                                \
  { name, WP_PROBE_##type, least_cc, length, statement },
#include "probe/opencl/wp-opencl-ops.def"
#undef OP
};

static const struct
{
  const gchar *name, *y, *z, *bits;
} types[WP_PROBE_N_TYPES] = {
  [WP_PROBE_FLOAT] = { "float", "one", "(one - 1.0f)", "as_uint" },
  [WP_PROBE_INT] = { "uint", "unit", "unit", "(uint)" },
  [WP_PROBE_DOUBLE] = { "double", "(double)one", "(double)(one - 1.0f)", "(uint)as_ulong" },
  [WP_PROBE_HALF] = { "half", "(half)one", "(half)(one - 1.0f)", "(uint)as_ushort" },
  [WP_PROBE_LOCAL_WORDS] = { "uint", "unit", "unit", "(uint)" },
  [WP_PROBE_GLOBAL_WORDS] = { "uint", "unit", "unit", "(uint)" },
};

typedef struct
{
  WpProbeCode code;
  const WpOpenClSizes *sizes;
} Writer;

WpProbeType
wp_opencl_get_type (const gchar *name, const gchar *access)
{
  const WpProbeCodeOp *op = wp_probe_code_find (ops, G_N_ELEMENTS (ops), name);

  return op != NULL && wp_probe_code_fits (op, access) ? op->type : WP_PROBE_N_TYPES;
}

/* ---- Accesses ---- */

static guint64
get_mask (const WpOpenClSizes *sizes, const gchar *access)
{
  if (g_strcmp0 (access, "l1") == 0)
    return sizes->l1 - 1;
  return (g_strcmp0 (access, "l2") == 0 ? sizes->l2 : sizes->memory) - 1;
}

/* The access of step S to local words, into register K. */
static void
write_local (GString *out, const WpProbeStep *step, guint s, guint k)
{
  if (g_str_has_prefix (step->op, "st."))
    g_string_append_printf (out, "words[at%u + %u] = r%u_%u", s, k * 32, s, k);
  else if (g_str_has_prefix (step->op, "atom."))
    g_string_append_printf (out, "r%u_%u += atomic_add (&local_words[at%u], r%u_%u)", s, k, s, s,
                            k);
  else if (step->is_chained)
    g_string_append_printf (out, "at%u = words[at%u]", s, s);
  else
    g_string_append_printf (out, "r%u_%u ^= words[at%u + %u]", s, k, s, k * 32);
}

static void
write_global (GString *out, const WpOpenClSizes *sizes, const WpProbeStep *step, guint s, guint k)
{
  guint64 mask = get_mask (sizes, step->access);

  if (step->is_chained)
    {
      g_string_append_printf (out, "at%u = memory[at%u & %" G_GUINT64_FORMAT "u]", s, s, mask);
      return;
    }
  g_string_append_printf (out, "at%u += %uu; ", s, WP_OPENCL_STEP);
  if (g_str_has_prefix (step->op, "st."))
    g_string_append_printf (
        out, "memory[%" G_GUINT64_FORMAT "u + (at%u & %" G_GUINT64_FORMAT "u)] = r%u_%u",
        sizes->memory, s, mask, s, k);
  else
    g_string_append_printf (out, "r%u_%u ^= memory[at%u & %" G_GUINT64_FORMAT "u]", s, k, s, mask);
}

/* ---- Statements ---- */

static void
write_one (WpProbeCode *code, guint s, guint k, guint64 done)
{
  const WpProbeStep *step = &code->launch->steps[s];
  const WpProbeCodeOp *op = wp_probe_code_get_op (code, s);

  if (op == NULL)
    g_string_append (code->out, "barrier (CLK_LOCAL_MEM_FENCE)");
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
  g_string_append_printf (code->out, "for (uint j = 0; j < %" G_GUINT64_FORMAT "u; j++) {\n", n);
}

static void
end_loop (WpProbeCode *code)
{
  g_string_append (code->out, "}\n");
}

/* ---- The kernel around them ---- */

static void
declare_step (const WpProbeCode *code, guint s)
{
  const WpProbeStep *step = &code->launch->steps[s];
  const WpProbeCodeOp *op = wp_probe_code_get_op (code, s);

  if (op == NULL)
    return;
  for (guint k = 0; k < wp_probe_code_count_registers (step); k++)
    g_string_append_printf (code->out, "%s r%u_%u = 1 + lane + %u, w%u_%u = r%u_%u + 1;\n",
                            types[op->type].name, s, k, k, s, k, s, k);
  if (op->type == WP_PROBE_LOCAL_WORDS)
    g_string_append_printf (code->out, "uint at%u = lane * %uu %% 1024u;\n", s,
                            wp_probe_code_get_pace (step->access));
  if (op->type == WP_PROBE_GLOBAL_WORDS)
    g_string_append_printf (code->out, "uint at%u = shift + at_warp * %uu + lane * %uu + %uu;\n", s,
                            64 * 977, wp_probe_code_get_pace (step->access), s * WP_OPENCL_APART);
}

/* A use of all results that no compiler can leave out. */
static void
use_step (const WpProbeCode *code, guint s)
{
  const WpProbeCodeOp *op = wp_probe_code_get_op (code, s);

  if (op == NULL)
    return;
  for (guint k = 0; k < wp_probe_code_count_registers (&code->launch->steps[s]); k++)
    g_string_append_printf (code->out, "sum ^= %s (r%u_%u); sum ^= %s (w%u_%u);\n",
                            types[op->type].bits, s, k, types[op->type].bits, s, k);
  if (op->type >= WP_PROBE_LOCAL_WORDS)
    g_string_append_printf (code->out, "sum ^= at%u;\n", s);
}

static gboolean
uses (const WpProbeCode *code, WpProbeType type)
{
  for (guint s = 0; s < code->launch->n_steps; s++)
    if (wp_probe_code_get_op (code, s) != NULL && wp_probe_code_get_op (code, s)->type == type)
      return TRUE;
  return FALSE;
}

static gboolean
has_barrier (const WpProbeCode *code)
{
  for (guint s = 0; s < code->launch->n_steps; s++)
    if (wp_probe_code_get_op (code, s) == NULL)
      return TRUE;
  return FALSE;
}

static void
write_head (const WpProbeCode *code)
{
  GString *out = code->out;

  if (uses (code, WP_PROBE_DOUBLE))
    g_string_append (out, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
  if (uses (code, WP_PROBE_HALF))
    g_string_append (out, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
  g_string_append (
      out, "kernel void probe (global uint *memory, local uint *local_words, uint rounds,\n"
           "                   uint warp, uint stride, float one, uint unit, uint shift)\n{\n"
           "uint id = get_local_id (0), lane = id % warp, sum = 0;\n"
           "uint at_warp = get_global_id (0) / warp;\n"
           "volatile local uint *words = local_words;\n");
  if (uses (code, WP_PROBE_LOCAL_WORDS))
    g_string_append_printf (out,
                            "for (uint i = id; i < %uu; i += get_local_size (0)) words[i] = i;\n"
                            "barrier (CLK_LOCAL_MEM_FENCE);\n",
                            WP_OPENCL_LOCAL_WORDS);
  g_string_append (out, has_barrier (code) ? "{\n" : "if (id / warp % stride == 0) {\n");
}

guint32
wp_opencl_advance (const WpProbeLaunch *launch, guint32 shift)
{
  guint64 most = 0;

  for (guint s = 0; s < launch->n_steps; s++)
    most = MAX (most, launch->steps[s].times * launch->rounds);
  return shift + (guint32)(most * WP_OPENCL_STEP);
}

gchar *
wp_opencl_write (const WpProbeLaunch *launch, const WpOpenClSizes *sizes, guint64 body,
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
  write_head (code);
  for (guint s = 0; s < launch->n_steps; s++)
    declare_step (code, s);
  g_string_append_printf (
      code->out, "for (uint round = 0; round < rounds; round += %" G_GUINT64_FORMAT "u) {\n",
      *unroll);
  wp_probe_code_write_rounds (code, *unroll);
  g_string_append (code->out, "}\n");
  for (guint s = 0; s < launch->n_steps; s++)
    use_step (code, s);
  g_string_append_printf (code->out,
                          "if (sum == 0x9e3779b9u) memory[%" G_GUINT64_FORMAT "u] = sum;\n}\n}\n",
                          2 * sizes->memory);
  return g_string_free (code->out, FALSE);
}
