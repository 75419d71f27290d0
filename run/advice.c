/* SPDX-License-Identifier: MIT */
/* Advice goes by what the instructions are that take most of what limits the run: a pipeline may
 * have any name, and do several things. Nothing is advised that cannot be: no more warps where an
 * SM is full, no coalescing of what is coalesced; and nothing is said of addresses that were only
 * assumed. */
#include "run/advice.h"

#include "run/occupancy.h"
#include "run/simulate/hotspots.h"

#include <string.h>

#define MIN_COSTLY 0.02 /* less of what limits the run is not worth a word */

#define FEW_LANES 0.5 /* of a warp's lanes: if fewer take part, that is said */

/* What an instruction does, as far as advice depends on it. */
typedef enum
{
  CLASS_SHARED,
  CLASS_MEMORY,
  CLASS_TENSOR,
  CLASS_DOUBLE,
  CLASS_SPECIAL,
  CLASS_INTEGER,
  CLASS_OTHER
} Class;

/* ---- What the instructions are ---- */

static gboolean
has_part (const gchar *op, const gchar *const *parts)
{
  for (; *parts != NULL; parts++)
    if (strstr (op, *parts) != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
begins (const gchar *op, const gchar *const *words)
{
  for (; *words != NULL; words++)
    {
      gsize n = strlen (*words);

      if (g_ascii_strncasecmp (op, *words, n) == 0 && !g_ascii_isalpha (op[n]))
        return TRUE;
    }
  return FALSE;
}

static Class
classify (const gchar *op, gboolean memory)
{
  static const gchar *const global[] = { ".global", NULL };
  static const gchar *const shared[] = { ".shared", NULL };
  static const gchar *const shared_words[] = { "lds", "sts", "atoms", "ldmatrix", "ldsm", NULL };
  static const gchar *const tensor[] = { "mma", "wmma", "wgmma", "hmma", "imma", "dmma", NULL };
  static const gchar *const doubles[] = { ".f64", NULL };
  static const gchar *const double_words[] = { "dadd", "dmul", "dfma", "dsetp", NULL };
  static const gchar *const special[]
      = { "sqrt", "rsqrt", "rcp", "sin", "cos", "ex2", "lg2", "tanh", "div", "mufu", NULL };
  static const gchar *const integer[]
      = { ".s32", ".u32", ".s64", ".u64", ".b32", ".b64", ".pred", ".s16", ".u16", NULL };
  static const gchar *const integer_words[]
      = { "imad", "iadd", "iadd3", "lea", "shf", "lop3", "isetp", "mov",
          "bra",  "setp", "prmt",  "sel", "ret", "shl",  "shr",   NULL };

  if (memory && has_part (op, global)) /* a copy between the two, too */
    return CLASS_MEMORY;
  if (has_part (op, shared) || begins (op, shared_words))
    return CLASS_SHARED;
  if (memory)
    return CLASS_MEMORY;
  if (begins (op, tensor))
    return CLASS_TENSOR;
  if (has_part (op, doubles) || begins (op, double_words))
    return CLASS_DOUBLE;
  if (begins (op, special))
    return CLASS_SPECIAL;
  if (has_part (op, integer) || begins (op, integer_words))
    return CLASS_INTEGER;
  return CLASS_OTHER;
}

/* The share of HOTSPOTS whose addresses cost more than they need, and of those without a context.
 */
static void
look_at_contexts (const GArray *hotspots, gdouble *costly, gdouble *plain)
{
  *costly = *plain = 0;
  for (guint i = 0; i < hotspots->len; i++)
    {
      const WpHotspot *hotspot = &g_array_index (hotspots, WpHotspot, i);

      *costly += hotspot->share * hotspot->costly;
      if (hotspot->node->context == NULL)
        *plain += hotspot->share;
    }
}

/* The class that most of HOTSPOTS are of. */
static Class
find_class (const GArray *hotspots, gboolean memory)
{
  gdouble shares[CLASS_OTHER + 1] = { 0 };
  guint best = CLASS_OTHER;

  for (guint i = 0; i < hotspots->len; i++)
    {
      const WpHotspot *hotspot = &g_array_index (hotspots, WpHotspot, i);

      shares[classify (hotspot->node->op, memory)] += hotspot->share;
    }
  for (guint i = 0; i <= CLASS_OTHER; i++)
    if (shares[i] > shares[best])
      best = i;
  return (Class)best;
}

/* ---- More warps ---- */

/* How to have more warps, "fewer registers a thread than 63", or that no more fit. */
static void
append_more_warps (GString *text, const WpExplanation *explanation)
{
  const WpMachine *machine = &explanation->resolved->machine;
  g_autofree gchar *more
      = wp_resident_describe_more (&explanation->resident, explanation->resolved, explanation->gpu);

  if (more != NULL)
    g_string_append_printf (text, " Or have more warps resident: %s.", more);
  else
    g_string_append_printf (text, " More warps than the %u that are resident do not fit on an SM.",
                            machine->resident_blocks * machine->warps_per_block);
}

static gchar *
advise_occupancy (const WpExplanation *explanation)
{
  g_autofree gchar *more
      = wp_resident_describe_more (&explanation->resident, explanation->resolved, explanation->gpu);
  g_autoptr (WpOccupancyReport) report = wp_occupancy_report_new (
      explanation->kernel, explanation->gpu, NULL, &explanation->resolved->launch,
      explanation->options.occupancy, NULL);
  GString *text = g_string_new (NULL);
  const IdgLaunch *now = &explanation->resolved->launch;

  if (more == NULL)
    return g_string_free (text, FALSE);
  g_string_printf (text, "Let more warps be resident: %s.", more);
  if (report == NULL || !report->next.exists || report->next.blocks == WP_DOES_NOT_BIND)
    return g_string_free (text, FALSE);
  g_string_append (text, " With");
  if (report->next.launch.registers < now->registers)
    g_string_append_printf (text, " %" G_GINT64_FORMAT " registers a thread",
                            report->next.launch.registers);
  if (report->next.launch.shared_memory < now->shared_memory)
    g_string_append_printf (text, "%s %" G_GINT64_FORMAT " bytes of shared memory a block",
                            report->next.launch.registers < now->registers ? " and" : "",
                            report->next.launch.shared_memory);
  g_string_append_printf (text, " %" G_GINT64_FORMAT " warps would be.", report->next.warps);
  return g_string_free (text, FALSE);
}

/* ---- Pipelines ---- */

/* How accesses of CLASS can be made to cost what they need. */
static void
append_addresses (GString *text, Class class)
{
  if (class == CLASS_SHARED)
    g_string_append (text, " Avoid its bank conflicts: pad the rows of arrays, or permute what is "
                           "in them.");
  else if (class == CLASS_MEMORY)
    g_string_append (text, " Coalesce it: have neighbouring lanes at neighbouring addresses.");
}

static gboolean
are_multiply_adds (const GArray *hotspots)
{
  static const gchar *const words[] = { "fma", "ffma", "mad", "hfma2", NULL };

  return hotspots->len > 0 && begins (g_array_index (hotspots, WpHotspot, 0).node->op, words);
}

/* Says so if few lanes of a warp take part in an instruction, and what to do about it. */
static gboolean
append_lanes (GString *text, const WpExplanation *explanation)
{
  const IdgCounters *counters = explanation->kernel->counters;
  gdouble lanes = counters == NULL ? 0 : idg_counters_get_lanes (counters);
  gint64 size = explanation->gpu->warp_size, threads = explanation->kernel->launch.threads;
  /* Of blocks of less than whole warps, the lanes that there are. */
  gdouble there = (gdouble)threads / (gdouble)MAX ((threads + size - 1) / size, 1);

  if (lanes <= 0 || lanes >= FEW_LANES * there)
    return FALSE;
  g_string_append_printf (
      text,
      " Only %.3g of a warp's %.0f lanes take part in an instruction, on "
      "average (divergence): where lanes go different ways, a warp goes each in "
      "turn. Have the lanes of a warp go the same way: sort work by what is to "
      "be done with it, or give each kind whole warps.",
      lanes, (gdouble)size);
  return TRUE;
}

/* What to do about instructions of CLASS, and how their addresses are. */
static void
append_ways (GString *text, const WpExplanation *explanation, Class class, const GArray *hotspots)
{
  static const gchar *const ways[] = {
    [CLASS_SHARED] = "Move more with each access (ld.shared.v4 in place of four), and keep in "
                     "registers what is used again (register tiling).",
    [CLASS_MEMORY] = "Move fewer bytes: use again what is loaded, from registers, shared memory or "
                     "a cache (tiling), and store smaller types.",
    [CLASS_TENSOR] = "The tensor cores are in use: only fewer or smaller multiplications (a type "
                     "of fewer bits, sparsity) take less of them.",
    [CLASS_DOUBLE] = "Use single precision where it will do: a GPU has fewer units for double.",
    [CLASS_SPECIAL] = "Have fewer special functions (division, roots, sine, exponentials): keep "
                      "what they gave, or multiply by an inverse.",
    [CLASS_INTEGER] = "Compute fewer addresses and counters: unroll loops, take out of them what "
                      "does not change, load more with each address.",
    [CLASS_OTHER] = "Compute less: fewer or cheaper instructions, such as a multiply-add in place "
                    "of two, packed half precision, or tensor cores where they will do.",
  };
  gboolean shared = class == CLASS_SHARED;
  gdouble costly, plain;

  look_at_contexts (hotspots, &costly, &plain);
  if (costly >= MIN_COSTLY)
    append_addresses (text, class);
  if (class == CLASS_OTHER && are_multiply_adds (hotspots))
    g_string_append (text, " They are multiply-adds already: packed half precision or tensor cores "
                           "do more with each, where they will do.");
  else
    g_string_append_printf (text, " %s", ways[class]);
  if ((shared || class == CLASS_MEMORY) && plain > 0 && explanation->kernel->assumed_addresses)
    g_string_append (text, shared ? " Whether there are bank conflicts is not known: none was "
                                    "assumed."
                                  : " Whether it is coalesced, or hits a cache, is not known: "
                                    "coalesced, and from DRAM, was assumed.");
}

/* The busiest pipeline of kind memory, or of the others; WP_NO_PIPELINE: none is used. */
static guint32
find_pipeline (const WpExplanation *explanation, const gdouble *shares, gboolean memory)
{
  const WpMachine *machine = &explanation->resolved->machine;
  guint32 best = WP_NO_PIPELINE;

  for (guint32 p = 0; p < machine->n_pipelines; p++)
    if (machine->pipelines[p].memory == memory && shares[p] > 0
        && (best == WP_NO_PIPELINE || shares[p] > shares[best]))
      best = p;
  return best;
}

static gchar *
advise_throughput (const WpExplanation *explanation, gboolean memory)
{
  const gdouble *use = explanation->as_it_is.runs[0].use;
  guint32 p = find_pipeline (explanation, use, memory);
  g_autoptr (GArray) hotspots = NULL;
  g_autofree gchar *what = NULL;
  GString *text = g_string_new (NULL);
  Class class;

  if (p == WP_NO_PIPELINE)
    return g_string_free (text, FALSE);
  hotspots = wp_hotspots_find (explanation->resolved, p, WP_HOT_USE);
  what = wp_hotspots_describe (hotspots, idg_kernel_get_file (explanation->kernel));
  g_string_printf (text, "Pipeline %s is in use %.0f%% of the time",
                   explanation->resolved->machine.pipelines[p].name, 100 * MIN (use[p], 1));
  if (what != NULL)
    g_string_append_printf (text, ", by %s", what);
  g_string_append_c (text, '.');
  memory |= strcmp (explanation->resolved->machine.pipelines[p].name, "lsu") == 0;
  class = find_class (hotspots, memory);
  if (class < CLASS_DOUBLE || !append_lanes (text, explanation) || class != CLASS_INTEGER)
    append_ways (text, explanation, class, hotspots);
  return g_string_free (text, FALSE);
}

static gchar *
advise_latency (const WpExplanation *explanation, gboolean memory)
{
  const gdouble *waited = explanation->as_it_is.runs[0].waited;
  guint32 p = find_pipeline (explanation, waited, memory);
  g_autoptr (GArray) hotspots = NULL;
  g_autofree gchar *what = NULL;
  GString *text = g_string_new (NULL);

  if (p != WP_NO_PIPELINE)
    {
      hotspots = wp_hotspots_find (explanation->resolved, p, WP_HOT_LATENCY);
      what = wp_hotspots_describe (hotspots, idg_kernel_get_file (explanation->kernel));
    }
  if (what != NULL)
    g_string_printf (text, "Most of the latency of %s is that of %s. ",
                     explanation->resolved->machine.pipelines[p].name, what);
  g_string_append (text, memory
                             ? "Keep more loads in flight: load before the result is needed, "
                               "several at a time in each warp."
                             : "Have more independent instructions in each warp (ILP), and shorter "
                               "chains of dependent ones: several sums in place of one.");
  append_more_warps (text, explanation);
  return g_string_free (text, FALSE);
}

/* The pipeline of the way to memory that KIND is about; WP_NO_PIPELINE: none. */
static guint32
find_on_the_way (const WpExplanation *explanation, WpIdealKind kind)
{
  const WpMachine *machine = &explanation->resolved->machine;
  const gchar *name = kind == WP_IDEAL_LSU                                  ? "lsu"
                      : kind == WP_IDEAL_L2 || kind == WP_IDEAL_L1_HITS     ? "l2"
                      : kind == WP_IDEAL_MEMORY || kind == WP_IDEAL_L2_HITS ? "memory"
                                                                            : "";

  for (guint32 p = 0; p < machine->n_pipelines; p++)
    if (strcmp (machine->pipelines[p].name, name) == 0)
      return p;
  return WP_NO_PIPELINE;
}

/* Which instructions keep that pipeline busy, and what the table of ideals says. */
static gchar *
advise_way (const WpExplanation *explanation, WpIdealKind kind)
{
  const gdouble *use = explanation->as_it_is.runs[0].use;
  guint32 p = find_on_the_way (explanation, kind);
  g_autoptr (GArray) hotspots = NULL;
  g_autofree gchar *what = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  gdouble costly, plain;

  if (p == WP_NO_PIPELINE)
    return g_strdup (wp_ideal_get (kind)->advice);
  hotspots = wp_hotspots_find (explanation->resolved, p, WP_HOT_USE);
  what = wp_hotspots_describe (hotspots, idg_kernel_get_file (explanation->kernel));
  g_string_printf (text, "Pipeline %s is in use %.0f%% of the time%s%s.",
                   explanation->resolved->machine.pipelines[p].name, 100 * MIN (use[p], 1),
                   what != NULL ? ", by " : "", what != NULL ? what : "");
  if (kind == WP_IDEAL_LSU && find_class (hotspots, TRUE) == CLASS_SHARED)
    append_ways (text, explanation, CLASS_SHARED, hotspots);
  else
    {
      look_at_contexts (hotspots, &costly, &plain);
      if (costly >= MIN_COSTLY && kind != WP_IDEAL_L1_HITS && kind != WP_IDEAL_L2_HITS)
        append_addresses (text, CLASS_MEMORY);
      g_string_append_printf (text, " %s", wp_ideal_get (kind)->advice);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* ---- The rest ---- */

static gchar *
advise_schedulers (const WpExplanation *explanation)
{
  g_autoptr (GArray) hotspots
      = wp_hotspots_find (explanation->resolved, WP_NO_PIPELINE, WP_HOT_SLOTS);
  g_autofree gchar *what
      = wp_hotspots_describe (hotspots, idg_kernel_get_file (explanation->kernel));
  GString *text = g_string_new (NULL);

  g_string_printf (text, "Most issue slots go to %s.", what != NULL ? what : "nothing");
  append_lanes (text, explanation);
  g_string_append_printf (text, " %s", wp_ideal_get (WP_IDEAL_SCHEDULERS)->advice);
  return g_string_free (text, FALSE);
}

/* Keeps of HOTSPOTS those whose context costs more than none. */
static void
keep_costly (GArray *hotspots)
{
  for (guint i = hotspots->len; i-- > 0;)
    if (g_array_index (hotspots, WpHotspot, i).costly < MIN_COSTLY)
      g_array_remove_index (hotspots, i);
}

static gchar *
advise_contexts (const WpExplanation *explanation)
{
  const WpMachine *machine = &explanation->resolved->machine;
  GString *text = g_string_new (NULL);

  for (guint32 p = 0; p < machine->n_pipelines; p++)
    {
      g_autoptr (GArray) hotspots = wp_hotspots_find (explanation->resolved, p, WP_HOT_USE);
      g_autofree gchar *what = NULL;

      keep_costly (hotspots);
      what = wp_hotspots_describe (hotspots, idg_kernel_get_file (explanation->kernel));
      if (what == NULL)
        continue;
      g_string_append_printf (text, "%sIn their contexts these take more of pipeline %s: %s.",
                              text->len > 0 ? " " : "", machine->pipelines[p].name, what);
      append_addresses (text, find_class (hotspots, machine->pipelines[p].memory));
    }
  if (text->len == 0)
    g_string_append (text, wp_ideal_get (WP_IDEAL_CONTEXTS)->advice);
  return g_string_free (text, FALSE);
}

static gchar *
advise_ilp_latency (const WpExplanation *explanation)
{
  g_autofree gchar *more
      = wp_resident_describe_more (&explanation->resident, explanation->resolved, explanation->gpu);

  return g_strdup_printf ("A warp waits between two of its own issues, which the issues of others "
                          "fill. %s%s.",
                          more != NULL ? "Have more warps resident: "
                                       : "No more warps fit on an SM",
                          more != NULL ? more : "");
}

gchar *
wp_advice_get (const WpExplanation *explanation, WpIdealKind kind)
{
  switch (kind)
    {
    case WP_IDEAL_MEMORY_LATENCY:
    case WP_IDEAL_COMPUTE_LATENCY:
      return advise_latency (explanation, kind == WP_IDEAL_MEMORY_LATENCY);
    case WP_IDEAL_MEMORY_BANDWIDTH:
    case WP_IDEAL_COMPUTE_THROUGHPUT:
      return advise_throughput (explanation, kind == WP_IDEAL_MEMORY_BANDWIDTH);
    case WP_IDEAL_SCHEDULERS:
      return advise_schedulers (explanation);
    case WP_IDEAL_CONTEXTS:
      return advise_contexts (explanation);
    case WP_IDEAL_OCCUPANCY:
      return advise_occupancy (explanation);
    case WP_IDEAL_LSU:
    case WP_IDEAL_L2:
    case WP_IDEAL_MEMORY:
    case WP_IDEAL_L1_HITS:
    case WP_IDEAL_L2_HITS:
      return advise_way (explanation, kind);
    case WP_IDEAL_ILP_LATENCY:
      return advise_ilp_latency (explanation);
    default:
      return g_strdup (wp_ideal_get (kind)->advice);
    }
}

const gchar *
wp_advice_get_pipeline (const WpExplanation *explanation, WpIdealKind kind)
{
  const WpCaseRun *run = &explanation->as_it_is.runs[0];
  gboolean memory = kind == WP_IDEAL_MEMORY_BANDWIDTH || kind == WP_IDEAL_MEMORY_LATENCY;
  gboolean use = kind == WP_IDEAL_MEMORY_BANDWIDTH || kind == WP_IDEAL_COMPUTE_THROUGHPUT;
  guint32 p;

  if (!use && kind != WP_IDEAL_MEMORY_LATENCY && kind != WP_IDEAL_COMPUTE_LATENCY)
    return NULL;
  p = find_pipeline (explanation, use ? run->use : run->waited, memory);
  return p != WP_NO_PIPELINE ? explanation->resolved->machine.pipelines[p].name : NULL;
}
