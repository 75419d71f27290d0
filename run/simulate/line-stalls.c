/* SPDX-License-Identifier: MIT */
/* Each issue tells the wait before it: from the warp's last issue until it was ready, until its
 * pipeline accepted, until it was selected. So all that is kept of a warp is when it last issued,
 * and what.
 *
 * Of rounds that recur one is looked at and counted so often; then the times of warps that issued
 * in it move on by the rounds that were not seen. */
#include "run/simulate/line-stalls.h"

#include "idg/import/ops/idg-ops.h"
#include "run/simulate/source-line.h"

#include <string.h>

/* What an instruction is, to those that wait for it and to itself. */
typedef enum
{
  KIND_MATH,
  KIND_GLOBAL,
  KIND_MIO,
  KIND_BRANCH,
  KIND_FETCH
} Kind;

typedef struct
{
  WpTick time;
  guint32 instr;
} Last;

struct WpLineStalls
{
  WpObserver observer;
  const WpMachine *machine;
  guint8 *kinds; /* [n_instrs], of Kind */
  guint32 *rows; /* [n_instrs]: the same for those of one line and one kind */
  guint32 n_rows;
  WpSum *sums; /* [n_instrs][WP_N_CAUSES] */
  Last *last;  /* [simulated_sms][n_slots] */
  guint32 n_slots;
  guint64 times; /* how often what is seen happens */
};

G_STATIC_ASSERT (KIND_FETCH < WP_N_KINDS);

const gchar *
wp_cause_get_name (WpCause cause)
{
  static const gchar *const names[WP_N_CAUSES]
      = { "long_scoreboard",    "short_scoreboard", "wait",         "branch_resolving", "barrier",
          "math_pipe_throttle", "lg_throttle",      "mio_throttle", "not_selected",     "drain",
          "no_instruction" };

  return names[cause];
}

/* ---- Kinds ---- */

static gboolean
begins_with_one (const gchar *op, const gchar *const *words)
{
  for (; *words; words++)
    if (g_str_has_prefix (op, *words) && strchr (".", op[strlen (*words)]))
      return TRUE;
  return FALSE;
}

static Kind
find_kind (const gchar *op)
{
  static const gchar *const branches[] = { "bra", "brx", "call", "exit", "ret", NULL };
  static const gchar *const global[]
      = { "tex", "tld4", "suld", "sust", "sured", "atom", "red", "ld", "st", NULL };
  static const gchar *const mio[]
      = { "shfl", "vote", "match", "redux", "rcp",      "rsqrt",    "sqrt",      "sin",
          "cos",  "ex2",  "lg2",   "tanh",  "ldmatrix", "stmatrix", "movmatrix", NULL };

  if (!op)
    return KIND_MATH;
  if (strcmp (op, WP_FETCH_OP) == 0)
    return KIND_FETCH;
  if (begins_with_one (op, branches))
    return KIND_BRANCH;
  if (strstr (op, ".param") || strstr (op, ".const") || begins_with_one (op, mio)
      || idg_ops_get_space (op) == IDG_OPS_SHARED)
    return KIND_MIO;
  return idg_ops_get_space (op) == IDG_OPS_GLOBAL || begins_with_one (op, global) ? KIND_GLOBAL
                                                                                  : KIND_MATH;
}

/* ---- Rows ---- */

/* What tells the rows of instructions apart: "k.cu:12" and the kind, or the kind alone. Free with
 * g_free(). */
static gchar *
make_key (const gchar *text, guint8 kind)
{
  WpSourceLine line = { .file = NULL };
  gchar *key;

  if (!wp_source_line_parse (text, &line))
    return g_strdup_printf ("%u", kind);
  key = g_strdup_printf ("%s:%u:%u", line.file, line.line, kind);
  g_free (line.file);
  return key;
}

/* Programs that differ repeat what is written once: there are as many rows as the source has lines
 * with instructions of each kind. */
static void
find_rows (WpLineStalls *stalls, const WpResolved *resolved)
{
  g_autoptr (GHashTable) rows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint32 i = 0; i < resolved->machine.n_instrs; i++)
    {
      g_autofree gchar *key = make_key (resolved->nodes[i]->text, stalls->kinds[i]);
      guint row = GPOINTER_TO_UINT (g_hash_table_lookup (rows, key));

      if (row == 0)
        {
          row = ++stalls->n_rows;
          g_hash_table_insert (rows, g_steal_pointer (&key), GUINT_TO_POINTER (row));
        }
      stalls->rows[i] = row - 1;
    }
}

/* ---- Events ---- */

static Last *
get_last (const WpLineStalls *stalls, guint32 sm, guint32 slot)
{
  return &stalls->last[(gsize)sm * stalls->n_slots + slot];
}

static void
add (WpLineStalls *stalls, guint32 instr, WpCause cause, WpTick ticks)
{
  if (ticks > 0)
    wp_sum_add_product (&stalls->sums[(gsize)instr * WP_N_CAUSES + cause], (guint64)ticks,
                        stalls->times);
}

/* Of a dependence on an instruction of that kind. */
static const WpCause dependence_causes[] = { [KIND_MATH] = WP_CAUSE_WAIT,
                                             [KIND_GLOBAL] = WP_CAUSE_LONG_SCOREBOARD,
                                             [KIND_MIO] = WP_CAUSE_SHORT_SCOREBOARD,
                                             [KIND_BRANCH] = WP_CAUSE_BRANCH,
                                             [KIND_FETCH] = WP_CAUSE_NO_INSTRUCTION };

/* What a warp waited for that was ready at EVENT->ready and no sooner. */
static WpCause
find_cause (const WpLineStalls *stalls, const WpIssueEvent *event)
{
  if (event->reason == WP_REASON_BARRIER)
    return WP_CAUSE_BARRIER;
  if (event->reason == WP_REASON_DEPENDENCY && event->producer_instr != WP_NO_INSTR)
    return dependence_causes[stalls->kinds[event->producer_instr]];
  return WP_CAUSE_WAIT;
}

static WpCause
find_throttle (const WpLineStalls *stalls, guint32 instr)
{
  static const WpCause causes[] = { [KIND_MATH] = WP_CAUSE_MATH,
                                    [KIND_GLOBAL] = WP_CAUSE_LG,
                                    [KIND_MIO] = WP_CAUSE_MIO,
                                    [KIND_BRANCH] = WP_CAUSE_MATH,
                                    [KIND_FETCH] = WP_CAUSE_NO_INSTRUCTION };

  return causes[stalls->kinds[instr]];
}

static void
on_issue (void *data, const WpIssueEvent *event)
{
  WpLineStalls *stalls = data;
  Last *last = get_last (stalls, event->sm, event->slot);
  guint32 instr = event->instr;
  WpTick before = event->reason == WP_REASON_START ? event->ready : last->time;
  WpTick ready = CLAMP (event->ready, before, event->time);
  WpTick accept = CLAMP (event->accept, ready, event->time);

  if (!event->follows)
    {
      add (stalls, instr, find_cause (stalls, event), ready - before);
      add (stalls, instr, find_throttle (stalls, instr), accept - ready);
      add (stalls, instr, WP_CAUSE_NOT_SELECTED, event->time - accept);
    }
  *last = (Last){ event->time, instr };
}

static void
on_warp_end (void *data, const WpWarpEvent *event)
{
  WpLineStalls *stalls = data;
  const Last *last = get_last (stalls, event->sm, event->slot);

  if (event->issued > 0)
    add (stalls, last->instr, WP_CAUSE_DRAIN, event->end - last->time);
}

static void
on_repeat (void *data, const WpRepeat *repeat)
{
  WpLineStalls *stalls = data;
  guint64 times = stalls->times, n = wp_repeat_get_times (repeat);
  WpTick start = wp_repeat_get_start (repeat), period = wp_repeat_get_period (repeat);

  stalls->times *= n;
  wp_repeat_unfold (repeat, 1, 1, &stalls->observer);
  stalls->times = times;
  for (gsize i = 0; n > 1 && i < (gsize)stalls->machine->simulated_sms * stalls->n_slots; i++)
    if (stalls->last[i].time > start)
      stalls->last[i].time += (WpTick)(n - 1) * period;
}

/* ---- The whole ---- */

WpLineStalls *
wp_line_stalls_new (const WpResolved *resolved)
{
  WpLineStalls *stalls = g_new0 (WpLineStalls, 1);
  const WpMachine *machine = &resolved->machine;

  stalls->observer = (WpObserver){
    .data = stalls, .issue = on_issue, .warp_end = on_warp_end, .repeat = on_repeat
  };
  stalls->machine = machine;
  stalls->times = 1;
  stalls->n_slots = machine->resident_blocks * machine->warps_per_block;
  stalls->kinds = g_new0 (guint8, machine->n_instrs + 1);
  stalls->sums = g_new0 (WpSum, ((gsize)machine->n_instrs + 1) * WP_N_CAUSES);
  stalls->last = g_new0 (Last, (gsize)machine->simulated_sms * stalls->n_slots + 1);
  for (guint32 i = 0; i < machine->n_instrs; i++)
    stalls->kinds[i] = (guint8)find_kind (resolved->nodes[i]->op);
  stalls->rows = g_new0 (guint32, machine->n_instrs + 1);
  find_rows (stalls, resolved);
  return stalls;
}

void
wp_line_stalls_free (WpLineStalls *stalls)
{
  if (!stalls)
    return;
  g_free (stalls->kinds);
  g_free (stalls->rows);
  g_free (stalls->sums);
  g_free (stalls->last);
  g_free (stalls);
}

const WpObserver *
wp_line_stalls_get_observer (const WpLineStalls *stalls)
{
  return &stalls->observer;
}

/* ---- By the engine ---- */

gboolean
wp_line_stalls_leave (WpLineStalls *stalls, WpResolved *resolved)
{
  guint64 bytes = (guint64)stalls->n_rows * WP_N_WAITED * sizeof (WpSum);

  if (bytes > WP_LINE_STALLS_BYTES / MAX (stalls->machine->simulated_sms, 1))
    return FALSE;
  resolved->machine.kinds = stalls->kinds;
  resolved->machine.waited = stalls->rows;
  resolved->machine.n_waited = stalls->n_rows;
  return TRUE;
}

void
wp_line_stalls_take (WpLineStalls *stalls, const WpResult *result)
{
  g_autofree gboolean *taken = g_new0 (gboolean, stalls->n_rows + 1);

  memset (stalls->sums, 0, (gsize)stalls->machine->n_instrs * WP_N_CAUSES * sizeof (WpSum));
  for (guint32 i = 0; i < stalls->machine->n_instrs; i++)
    {
      const WpSum *row = result->waited + (gsize)stalls->rows[i] * WP_N_WAITED;
      WpSum *sums = stalls->sums + (gsize)i * WP_N_CAUSES;

      if (taken[stalls->rows[i]])
        continue;
      taken[stalls->rows[i]] = TRUE;
      for (guint kind = 0; kind < G_N_ELEMENTS (dependence_causes); kind++)
        wp_sum_add_sum (&sums[dependence_causes[kind]], row[kind]);
      wp_sum_add_sum (&sums[WP_CAUSE_BARRIER], row[WP_WAITED_BARRIER]);
      wp_sum_add_sum (&sums[WP_CAUSE_WAIT], row[WP_WAITED_ILP]);
      wp_sum_add_sum (&sums[find_throttle (stalls, i)], row[WP_WAITED_PIPELINE]);
      wp_sum_add_sum (&sums[WP_CAUSE_NOT_SELECTED], row[WP_WAITED_NOT_SELECTED]);
      wp_sum_add_sum (&sums[WP_CAUSE_DRAIN], row[WP_WAITED_DRAIN]);
    }
}

WpSum
wp_line_stalls_get (const WpLineStalls *stalls, guint32 instr, WpCause cause)
{
  return stalls->sums[(gsize)instr * WP_N_CAUSES + cause];
}
