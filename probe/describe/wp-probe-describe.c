/* SPDX-License-Identifier: MIT */
/* A description is written element by element; each figure has its source, which is what was
 * timed, in the comment before it. */
#include "probe/describe/wp-probe-describe.h"

#include "probe/describe/wp-probe-number.h"
#include "probe/measure/wp-probe-timing.h"
#include "sim/base/wp-time.h"

/* ---- Pieces of text ---- */

static void
add_time (GString *text, const gchar *name, WpProbeFigure figure)
{
  g_autofree gchar *cycles = wp_probe_write_figure (figure);

  g_string_append_printf (text, " %s=\"%s\"", name, cycles);
}

/* A time that was computed from figures that err by PRECISION. */
static void
add_value (GString *text, const gchar *name, gdouble value, gdouble precision)
{
  add_time (text, name, (WpProbeFigure){ .value = value, .precision = precision });
}

/* "name: 4 (12 runs, spread 0)" */
static void
add_source (GString *text, const gchar *what, WpProbeFigure figure)
{
  gchar spread[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree gchar *value = wp_probe_write_measured (figure);

  g_ascii_formatd (spread, sizeof spread, "%.3g", figure.spread);
  g_string_append_printf (text, "%s%s %s (%u runs, spread %s)", text->len > 0 ? "; " : "", what,
                          value, figure.runs, spread);
}

/* A comment of that TEXT, whose two dashes in a row a comment may not have. */
static void
add_comment (GString *out, const gchar *indent, const gchar *text)
{
  g_auto (GStrv) parts = g_strsplit (text, "--", -1);
  g_autofree gchar *safe = g_strjoinv ("- -", parts);

  g_string_append_printf (out, "%s<!-- %s. -->\n", indent, safe);
}

/* ---- The device ---- */

static void
add_attribute (GString *out, const WpProbe *probe, const gchar *name, WpProbeAttribute attribute)
{
  if (probe->attributes[attribute] > 0)
    g_string_append_printf (out, " %s=\"%" G_GINT64_FORMAT "\"", name,
                            probe->attributes[attribute]);
}

static void
add_device (GString *out, const WpProbe *probe)
{
  gint64 cc = probe->attributes[WP_PROBE_CC];

  add_comment (out, "  ", "Attributes of the device, as its driver tells them");
  g_string_append (out, "  <device");
  add_attribute (out, probe, "sms", WP_PROBE_SMS);
  add_value (out, "clock-mhz", (gdouble)probe->attributes[WP_PROBE_CLOCK_KHZ] / 1000, 0);
  add_attribute (out, probe, "warp-size", WP_PROBE_WARP_SIZE);
  if (cc > 0)
    g_string_append_printf (out, " cc=\"%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT "\"", cc / 10,
                            cc % 10);
  g_string_append (out, "/>\n");
}

static void
add_limits (GString *out, const WpProbe *probe)
{
  if (probe->register_allocation > 0 || probe->shared_memory_allocation > 0)
    add_comment (
        out, "  ",
        "Likewise. Allocations, scope and partitions: the rule by which as many blocks fit "
        "as it says, for all launches that were asked about");
  else
    add_comment (out, "  ", "Likewise");
  g_string_append (out, "  <limits");
  add_attribute (out, probe, "warps", WP_PROBE_WARPS);
  add_attribute (out, probe, "blocks", WP_PROBE_BLOCKS);
  add_attribute (out, probe, "threads", WP_PROBE_THREADS);
  add_attribute (out, probe, "registers", WP_PROBE_REGISTERS);
  add_attribute (out, probe, "shared-memory", WP_PROBE_SHARED_MEMORY);
  add_attribute (out, probe, "threads-per-block", WP_PROBE_THREADS_PER_BLOCK);
  add_attribute (out, probe, "registers-per-thread", WP_PROBE_REGISTERS_PER_THREAD);
  add_attribute (out, probe, "shared-memory-per-block", WP_PROBE_SHARED_MEMORY_PER_BLOCK);
  add_attribute (out, probe, "shared-memory-reserved", WP_PROBE_SHARED_MEMORY_RESERVED);
  if (probe->register_allocation > 0)
    g_string_append_printf (out,
                            " register-allocation=\"%" G_GINT64_FORMAT "\" register-scope=\"%s\""
                            " register-partitions=\"%" G_GINT64_FORMAT "\"",
                            probe->register_allocation,
                            probe->register_per_block ? "block" : "warp",
                            probe->register_partitions);
  if (probe->shared_memory_allocation > 0)
    g_string_append_printf (out, " shared-memory-allocation=\"%" G_GINT64_FORMAT "\"",
                            probe->shared_memory_allocation);
  g_string_append (out, "/>\n");
  if (probe->attributes[WP_PROBE_L2_BYTES] > 0)
    g_string_append_printf (out, "  <cache level=\"2\" bytes=\"%" G_GINT64_FORMAT "\"/>\n",
                            probe->attributes[WP_PROBE_L2_BYTES]);
}

static void
add_blocks (GString *out, const WpProbe *probe)
{
  g_autoptr (GString) source = g_string_new (NULL);

  if (probe->launch.is_told)
    add_source (source, "a block behind those that fit, less two blocks:", probe->launch);
  else
    g_string_append (source,
                     "Not told: nothing limits blocks, or they slow one another down. Taken as 0");
  add_comment (out, "  ", source->str);
  g_string_append (out, "  <launch");
  add_time (out, "latency", probe->launch);
  g_string_append (out, "/>\n");
  g_string_truncate (source, 0);
  add_source (source, "a warp of each scheduler, which meet:", probe->barrier);
  add_comment (out, "  ", source->str);
  g_string_append (out, "  <barrier");
  add_time (out, "latency", probe->barrier);
  g_string_append (out, "/>\n");
}

static void
add_scheduler (GString *out, const WpProbe *probe)
{
  g_autoptr (GString) source = g_string_new (NULL);

  g_string_append_printf (source,
                          "Count: %u, by which warps slow one another down. Interval, the least "
                          "that an instruction costs one of them",
                          probe->schedulers);
  add_source (source, "of two kinds in turn:", probe->interval);
  if (probe->ilp.value > 0)
    add_source (source, "one warp alone, its independent instructions:", probe->ilp);
  add_comment (out, "  ", source->str);
  g_string_append_printf (out, "  <scheduler count=\"%u\"", probe->schedulers);
  add_time (out, "interval", probe->interval);
  if (probe->dual_issue > 1)
    g_string_append_printf (out, " dual-issue=\"%u\"", probe->dual_issue);
  if (probe->ilp.value > 0)
    add_time (out, "ilp-latency", probe->ilp);
  g_string_append (out, "/>\n");
}

static gboolean
is_store (const WpProbeOp *op)
{
  return op->family == WP_PROBE_STORE_LOCAL || op->family == WP_PROBE_STORE_GLOBAL;
}

/* "0.3475 and 0.3477 with 1, ...": by how many loads are under way. */
static void
add_load_list (GString *text, const WpProbe *probe)
{
  const gchar *comma = "";
  gchar number[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; i < WP_PROBE_LOADS; i++)
    {
      const WpProbeLoad *load = &probe->loads[i];

      if (load->count == 0)
        continue;
      g_ascii_formatd (number, sizeof number, "%.4g", load->reads);
      g_string_append_printf (text, "%s %s", comma, number);
      g_ascii_formatd (number, sizeof number, "%.4g", load->copies);
      if (load->copies > 0)
        g_string_append_printf (text, " and %s", number);
      g_string_append_printf (text, " with %u", load->count);
      comma = ",";
    }
}

/* What was made of it. */
static void
add_fit (GString *text, const WpProbeChannels *channels)
{
  gchar off[G_ASCII_DTOSTR_BUF_SIZE], plain[G_ASCII_DTOSTR_BUF_SIZE];

  if (!channels->is_told)
    return;
  g_ascii_formatd (off, sizeof off, "%.1f", 100 * channels->off);
  g_ascii_formatd (plain, sizeof plain, "%.1f", 100 * channels->plain);
  if (channels->channels > 0)
    g_string_append_printf (text,
                            ". Channels, with contended memory only: fitted to these; the "
                            "simulation is at most %s%% off, without channels %s%%",
                            off, plain);
  else
    g_string_append_printf (text, ". A simulation without channels is up to %s%% off; %s", off,
                            channels->why_none);
}

static void
add_loads (GString *out, const WpProbe *probe)
{
  g_autoptr (GString) text
      = g_string_new ("Bytes that an SM reads from memory in a cycle, all that share memory at "
                      "work, by loads under way, and with a store beside each load:");

  if (probe->loads[0].count == 0)
    return;
  add_load_list (text, probe);
  add_fit (text, &probe->channels);
  add_comment (out, "  ", text->str);
}

/* Whether UNIT is the memory whose channels were fitted. */
static gboolean
has_channels (const WpProbe *probe, const WpProbeUnit *unit)
{
  return probe->channels.channels > 0 && unit == wp_probe_get_memory (probe);
}

static gboolean
has_turnaround (const WpProbeUnit *unit)
{
  return unit->turnaround.value > 1e-6;
}

/* How many channels OP visits at its stage I, if that has some. */
static void
add_visits (GString *out, const WpProbe *probe, const WpProbeOp *op, guint i)
{
  const WpProbeOp *plain = wp_probe_find_op (probe, op->name, NULL);
  guint visits = is_store (op) ? probe->channels.store_visits : probe->channels.load_visits;

  if (!has_channels (probe, wp_probe_get_unit (probe, op->stages[i].unit)))
    return;
  if (plain != NULL && plain->bytes > 0)
    visits = (guint)((guint64)visits * op->bytes / plain->bytes);
  g_string_append_printf (out, " transactions=\"%u\"", visits);
}

/* By how much loads of OP take longer than was measured of one alone, as with contended memory it meets
 * itself in channels. */
static void
add_shift (GString *out, const WpProbe *probe, const WpProbeOp *op)
{
  gchar cycles[G_ASCII_DTOSTR_BUF_SIZE];

  if (probe->channels.channels == 0 || op->family != WP_PROBE_GLOBAL)
    return;
  g_ascii_formatd (cycles, sizeof cycles, "%.0f", op->access == NULL ? probe->channels.shift : 0);
  if (op->access == NULL)
    add_comment (
        out, "    ",
        "Fitted with the channels: one load alone takes what was measured, although it meets "
        "itself in them");
  g_string_append_printf (out, "    <spread at=\"0 100\" add=\"%s %s\"/>\n", cycles, cycles);
}

static void
add_unit_comment (GString *out, const WpProbeUnit *unit)
{
  g_autoptr (GString) source = g_string_new (
      unit->queue_told ? "Queue: by when a warp goes on that has sent a burst to it"
                       : "Queue: not told, as nothing of it was seen to wait; a guess");

  if (unit->inflight > 0)
    g_string_append (source, "; inflight: the longest burst that is taken as fast as a short one");
  if (unit->shared > 1)
    g_string_append (source, "; shared: by how many SMs have it as slow as all have");
  if (has_turnaround (unit) && unit->turnaround.runs > 0)
    add_source (source, "turnaround, from no store among loads to some:", unit->turnaround);
  else if (has_turnaround (unit))
    g_string_append (source, "; turnaround: fitted to memory that is full of loads and stores");
  add_comment (out, "  ", source->str);
}

static void
add_unit (GString *out, const WpProbe *probe, const WpProbeUnit *unit)
{
  gchar issue[G_ASCII_DTOSTR_BUF_SIZE];

  add_unit_comment (out, unit);
  g_string_append_printf (out, "  <pipeline name=\"%s\" kind=\"%s\" scope=\"%s\" queue=\"",
                          unit->name, unit->is_memory ? "memory" : "compute",
                          unit->is_per_scheduler ? "scheduler" : "sm");
  if (unit->queue < 0)
    g_string_append (out, "unbounded\"");
  else
    g_string_append_printf (out, "%" G_GINT64_FORMAT "\"", unit->queue);
  if (unit->inflight > 0)
    g_string_append_printf (out, " inflight=\"%" G_GINT64_FORMAT "\"", unit->inflight);
  if (unit->shared > 1)
    g_string_append_printf (out, " shared=\"%u\"", unit->shared);
  if (has_channels (probe, unit))
    {
      g_string_append_printf (out, " channels=\"%u\"", probe->channels.channels);
      g_ascii_formatd (issue, sizeof issue, "%.10g", probe->channels.issue);
      g_string_append_printf (out, " channel-issue=\"%s\"", issue);
    }
  if (has_turnaround (unit))
    {
      WpProbeFigure turnaround = unit->turnaround;

      turnaround.spread = MAX (turnaround.spread, 1e-9);
      add_time (out, "turnaround", turnaround);
    }
  g_string_append (out, "/>\n");
}

/* ---- Ops ---- */

static void
add_op_comment (GString *out, const gchar *indent, const WpProbeOp *op)
{
  g_autoptr (GString) source = g_string_new (NULL);

  if (op->alone.is_told)
    {
      if (!(op->alone.precision > 0))
        add_source (source, "one alone:", op->alone);
      add_source (source, "a chain:", op->chain);
    }
  if (op->sm.runs > 0)
    add_source (source, "independent ones, one scheduler:", op->scheduler);
  if (op->sm.runs > 0)
    add_source (source, "one SM:", op->sm);
  for (guint i = 0; i < op->n_stages; i++)
    add_source (source, i == 0 ? "its pipeline:" : "then:", op->stages[i].issue);
  add_comment (out, indent, source->str);
}

static void
add_path (GString *out, const WpProbe *probe, const WpProbeOp *op, gboolean is_context)
{
  for (guint i = 1; i < op->n_stages; i++)
    {
      g_string_append_printf (out, "    <then pipeline=\"%s\"",
                              wp_probe_get_unit (probe, op->stages[i].unit)->name);
      add_time (out, "issue", op->stages[i].issue);
      add_visits (out, probe, op, i);
      g_string_append (out, "/>\n");
    }
  if (is_context && op->family >= WP_PROBE_GLOBAL && op->n_stages == 1)
    g_string_append (out, "    <then/>\n");
}

static void
add_times (GString *out, const WpProbeOp *op)
{
  add_time (out, "issue", op->stages[0].issue);
  add_time (out, "completion", op->alone);
}

static void
add_context (GString *out, const WpProbe *probe, const WpProbeOp *op)
{
  add_op_comment (out, "    ", op);
  g_string_append_printf (out, "    <context name=\"%s\"", op->access);
  add_times (out, op);
  add_visits (out, probe, op, 0);
  g_string_append_printf (out, " bytes=\"%u\">\n", op->bytes);
  add_shift (out, probe, op);
  add_path (out, probe, op, TRUE);
  g_string_append (out, "    </context>\n");
}

/* What two ways and eight of a conflict take, which makes the rule. */
static void
add_conflicts_comment (GString *out, const WpProbeOp *two, const WpProbeOp *eight)
{
  g_autoptr (GString) source = g_string_new ("A line through 2 and 8 ways");

  add_source (source, "2 ways, the pipeline:", two->stages[0].issue);
  if (two->alone.is_told)
    add_source (source, "the result:", two->alone);
  add_source (source, "8 ways, the pipeline:", eight->stages[0].issue);
  if (eight->alone.is_told)
    add_source (source, "the result:", eight->alone);
  add_comment (out, "    ", source->str);
}

/* The accesses conflict-2 and conflict-8 of PLAIN on one line: a rule for all of them. */
static gboolean
add_conflicts (GString *out, const WpProbe *probe, const WpProbeOp *plain)
{
  const WpProbeOp *two = wp_probe_find_op (probe, plain->name, "conflict-2");
  const WpProbeOp *eight = wp_probe_find_op (probe, plain->name, "conflict-8");
  gdouble issue, completion;

  if (two == NULL || eight == NULL || two->n_stages == 0 || eight->n_stages == 0)
    return FALSE;
  issue = (eight->stages[0].issue.value - two->stages[0].issue.value) / 6;
  completion = (eight->alone.value - two->alone.value) / 6;
  if (issue < 0 || completion < 0 || issue > two->stages[0].issue.value
      || (completion > two->alone.value && two->alone.is_told))
    return FALSE;
  add_conflicts_comment (out, two, eight);
  g_string_append (out, "    <context name=\"conflict-*\"");
  add_value (out, "issue", two->stages[0].issue.value - issue, two->alone.precision);
  add_value (out, "completion", two->alone.value - completion, two->alone.precision);
  add_value (out, "issue-each", issue, two->alone.precision);
  add_value (out, "completion-each", completion, two->alone.precision);
  g_string_append (out, "/>\n");
  return TRUE;
}

static void
add_consumers (GString *out, const WpProbe *probe, const WpProbeOp *op)
{
  if (op->consumers->len > 0)
    add_comment (
        out, "    ",
        "Each: a chain of the consumer behind one of these, less the chain (2 runs of an exact "
        "clock)");
  for (guint i = 0; i < op->consumers->len; i++)
    {
      const WpProbeConsumer *consumer = &g_array_index (op->consumers, WpProbeConsumer, i);

      g_string_append_printf (out, "    <consumer op=\"%s\"",
                              wp_probe_get_op (probe, consumer->op)->name);
      add_value (out, "completion", consumer->completion, 0);
      g_string_append (out, "/>\n");
    }
}

static void
add_op (GString *out, const WpProbe *probe, const WpProbeOp *op)
{
  gboolean has_rule;

  add_op_comment (out, "  ", op);
  g_string_append_printf (out, "  <op name=\"%s\" pipeline=\"%s\"", op->name,
                          wp_probe_get_unit (probe, op->stages[0].unit)->name);
  add_times (out, op);
  add_visits (out, probe, op, 0);
  if (op->flops > 0)
    g_string_append_printf (out, " flops=\"%u\"", op->flops);
  if (op->bytes > 0)
    g_string_append_printf (out, " bytes=\"%u\"", op->bytes);
  if (is_store (op))
    g_string_append (out, " posted=\"yes\"");
  if (op->family == WP_PROBE_STORE_GLOBAL)
    g_string_append (out, " write=\"yes\"");
  g_string_append (out, ">\n");
  add_shift (out, probe, op);
  add_path (out, probe, op, FALSE);
  has_rule = add_conflicts (out, probe, op);
  for (guint i = 0; i < probe->ops->len; i++)
    {
      const WpProbeOp *other = wp_probe_get_op (probe, i);

      if (other->access != NULL && g_str_equal (other->name, op->name) && other->n_stages > 0
          && !(has_rule && g_str_has_prefix (other->access, "conflict-")))
        add_context (out, probe, other);
    }
  add_consumers (out, probe, op);
  g_string_append (out, "  </op>\n");
}

/* Simple instructions that a device whose clock errs may be unable to time: compilers make
 * something else of a row of them. */
static const gchar *const simple[] = { "mov", "neg", "abs", "and", "or",   "xor",  "not",
                                       "shl", "shr", "min", "max", "setp", "selp", "cvt" };

static gboolean
is_timed (const WpProbe *probe, const gchar *name)
{
  const WpProbeOp *op = wp_probe_find_op (probe, name, NULL);

  return op != NULL && op->n_stages > 0;
}

/* Whether NAME is guessed to be like "add". What a simulated GPU has not been seen to have it lacks. */
static gboolean
is_like_add (const WpProbe *probe, const gchar *name)
{
  if (wp_probe_is_exact (probe) || is_timed (probe, name) || !is_timed (probe, "add"))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (simple); i++)
    if (g_str_equal (simple[i], name))
      return TRUE;
  return FALSE;
}

/* Names that kernels may have of instructions that were not timed, and what they are taken to be
 * like. */
static void
add_guesses (GString *out, const WpProbe *probe)
{
  static const struct
  {
    const gchar *name, *like, *rest;
  } guesses[] = {
    { "compute", "add.f32", "/>" },
    { "memory", "ld.global", "/>" },
    { "ld.param", "mov", "/>" },
    { "bra", "mov", "><context name=\"not-taken\"/></op>" },
    { "exit", "mov", " completion=\"0\"/>" },
    { "ret", "mov", " completion=\"0\"/>" },
  };

  add_comment (out, "  ", "Guess: not timed, and as what they are like");
  for (gsize i = 0; i < G_N_ELEMENTS (simple); i++)
    if (is_like_add (probe, simple[i]))
      g_string_append_printf (out, "  <op name=\"%s\" like=\"add\"/>\n", simple[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (guesses); i++)
    if (is_timed (probe, guesses[i].like) || is_like_add (probe, guesses[i].like))
      g_string_append_printf (out, "  <op name=\"%s\" like=\"%s\"%s\n", guesses[i].name,
                              guesses[i].like, guesses[i].rest);
}

/* ---- The whole ---- */

static void
add_head (GString *out, const WpProbe *probe, const gchar *name)
{
  g_autofree gchar *title = g_markup_escape_text (
      probe->device->title != NULL ? probe->device->title : probe->device->name, -1);
  g_autofree gchar *id = g_markup_escape_text (name, -1);

  g_string_append (
      out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!--\n"
           "  Measured by warpipe probe. Times are clock cycles. Each figure has in the comment\n"
           "  before it what was timed, in how many runs, and by how much two ways to compute it\n"
           "  from them differ. Not told by launches, and left out: spreads of latencies, pin\n"
           "  bandwidth, how large L1 is.\n-->\n");
  g_string_append_printf (out, "<gpu name=\"%s\" title=\"%s\">\n", id, title);
  g_string_append_printf (
      out, "  <source>warpipe probe, %s, %" G_GUINT64_FORMAT " launches</source>\n\n",
      probe->device->clock, probe->launches);
}

gchar *
wp_probe_describe (const WpProbe *probe, const gchar *name)
{
  GString *out = g_string_new (NULL);

  add_head (out, probe, name);
  add_device (out, probe);
  add_limits (out, probe);
  add_blocks (out, probe);
  add_scheduler (out, probe);
  for (guint i = 0; i < probe->units->len; i++)
    add_unit (out, probe, wp_probe_get_unit (probe, i));
  add_loads (out, probe);
  g_string_append (out, "\n");
  for (guint i = 0; i < probe->ops->len; i++)
    if (wp_probe_get_op (probe, i)->access == NULL && wp_probe_get_op (probe, i)->n_stages > 0)
      add_op (out, probe, wp_probe_get_op (probe, i));
  add_guesses (out, probe);
  g_string_append (out, "</gpu>\n");
  return g_string_free (out, FALSE);
}
