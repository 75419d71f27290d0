/* SPDX-License-Identifier: MIT */
/* What a warp waited for comes with the events. What is kept here is which warp is in which slot,
 * when it issued last, and, where origins are asked for, the last instance of each instruction
 * whose result is used. In dataflow order a dependence is on the last instance before the
 * instruction in program order, whatever has issued since: there results are kept by dynamic
 * instruction, and each program has a list of where its instructions are when its repeats are
 * unrolled.
 */
#include "traces/table/wp-follow.h"

#include <errno.h>
#include <string.h>

/* Where the instructions of a program are, unrolled. */
typedef struct
{
  guint32 *first;  /* [n_instrs + 1]: in places[] */
  guint32 *places; /* dynamic instructions, rising for each */
} Places;

/* A warp. Results are kept by their value in program order, else by their dynamic instruction. */
typedef struct
{
  WpFollowWarp public;
  const WpProgram *program;
  WpTick last;             /* its last issue, or its start */
  WpFollowOrigin *origins; /* [room], or NULL: not asked for; instr is WP_NO_INSTR of none yet */
  guint8 *turns; /* [room]: of an instruction that keeps several results, at its first value: how
                  * many it has had, modulo that; NULL where none does, or no origins are asked
                  * for */
} Warp;

typedef struct
{
  GPtrArray *groups; /* of GArray of Warp */
  GArray *taken;     /* of gboolean: whether the group of that number holds a block */
  guint32 first_free;
} Sm;

struct WpFollow
{
  const WpMachine *machine;
  gboolean turns;           /* in program order some instruction keeps several results */
  gboolean origins, passed; /* passed: something has happened at `to` or later */
  WpTick to;
  guint64 n_before; /* resident blocks that were launched before `to` */
  Sm *sms;
  GHashTable *groups; /* block -> its group + 1; blocks that are resident on an SM that is shown */
  Places *places;     /* [n_programs], dataflow only; made when a warp needs them */
  guint64 room;       /* results of a warp at most */
  WpFollowIssue issue;
  GArray *used; /* of WpFollowOrigin */
};

static guint64
find_room (const WpMachine *machine)
{
  guint64 room = 1;

  for (guint32 i = 0; i < machine->n_programs; i++)
    room = MAX (room,
                machine->dataflow ? machine->programs[i].n_dynamic : machine->programs[i].n_values);
  return room;
}

WpFollow *
wp_follow_new (const WpMachine *machine, gboolean origins, WpTick to)
{
  WpFollow *follow = g_new0 (WpFollow, 1);

  follow->machine = machine;
  follow->origins = origins;
  follow->to = to;
  follow->sms = g_new0 (Sm, machine->simulated_sms);
  follow->groups = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  follow->places = g_new0 (Places, machine->n_programs);
  follow->room = find_room (machine);
  for (guint32 i = 0; i < machine->n_instrs && origins && !machine->dataflow; i++)
    follow->turns |= wp_instr_get_kept (&machine->instrs[i]) > 1;
  follow->used = g_array_new (FALSE, FALSE, sizeof (WpFollowOrigin));
  return follow;
}

static void
free_group (gpointer data)
{
  GArray *group = data;

  for (guint i = 0; i < group->len; i++)
    {
      Warp *warp = &g_array_index (group, Warp, i);

      g_free (warp->origins);
      g_free (warp->turns);
    }
  g_array_unref (group);
}

void
wp_follow_free (WpFollow *follow)
{
  if (follow == NULL)
    return;
  for (guint32 i = 0; i < follow->machine->simulated_sms; i++)
    {
      g_clear_pointer (&follow->sms[i].groups, g_ptr_array_unref);
      g_clear_pointer (&follow->sms[i].taken, g_array_unref);
    }
  for (guint32 i = 0; i < follow->machine->n_programs; i++)
    {
      g_free (follow->places[i].first);
      g_free (follow->places[i].places);
    }
  g_free (follow->sms);
  g_free (follow->places);
  g_hash_table_unref (follow->groups);
  g_array_unref (follow->used);
  g_free (follow);
}

guint64
wp_follow_get_room (const WpFollow *follow)
{
  return follow->room;
}

/* ---- Programs, unrolled ---- */

/* Calls VISIT for each dynamic instruction of PROGRAM. */
static void
unroll (const WpMachine *machine, const WpProgram *program,
        void (*visit) (Places *places, guint32 instr, guint32 k), Places *places)
{
  const WpCode *code = machine->code + program->first_code;
  guint32 counters[65];
  guint32 depth = 0, k = 0;

  for (guint32 pc = 0; pc < program->n_code; pc++)
    if (code[pc].kind == WP_CODE_INSTRUCTION)
      visit (places, code[pc].arg - program->first_instr, k++);
    else if (code[pc].kind == WP_CODE_REPEAT)
      counters[depth++] = code[pc].count;
    else if (--counters[depth - 1] > 0)
      pc = code[pc].arg;
    else
      depth--;
}

static void
count_place (Places *places, guint32 instr, guint32 k)
{
  (void)k;
  places->first[instr + 1]++;
}

static void
add_place (Places *places, guint32 instr, guint32 k)
{
  places->places[places->first[instr]++] = k;
}

static void
make_places (const WpMachine *machine, const WpProgram *program, Places *places)
{
  guint32 n = program->n_instrs;

  places->first = g_new0 (guint32, (gsize)n + 1);
  places->places = g_new0 (guint32, program->n_dynamic + 1);
  unroll (machine, program, count_place, places);
  for (guint32 i = 0; i < n; i++)
    places->first[i + 1] += places->first[i];
  unroll (machine, program, add_place, places);
  /* Each has moved to the end of its own: back by one. */
  memmove (places->first + 1, places->first, n * sizeof *places->first);
  places->first[0] = 0;
}

/* The instance of INSTR (of the program) that is the DISTANCE-th last before dynamic instruction K,
 * or G_MAXUINT32. O(log instances). */
static guint32
find_place (const Places *places, guint32 instr, guint64 k, guint32 distance)
{
  guint32 low = places->first[instr], high = places->first[instr + 1];

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (places->places[middle] < k)
        low = middle + 1;
      else
        high = middle;
    }
  return low - places->first[instr] < distance ? G_MAXUINT32 : places->places[low - distance];
}

/* ---- Blocks ---- */

static const WpProgram *
find_program (const WpMachine *machine, const WpRow *row, guint32 warp)
{
  const WpSegment *segment = machine->segments + row->first_segment;

  for (guint32 i = 1; i < row->n_segments && segment[1].first_warp <= warp; i++)
    segment++;
  return &machine->programs[segment->program];
}

/* False: memory is out. Many warps with long programs may want more than there is. */
static gboolean
make_room (const WpFollow *follow, Warp *warp)
{
  if (follow->origins && warp->origins == NULL)
    warp->origins = g_try_new (WpFollowOrigin, follow->room);
  if (follow->turns && warp->turns == NULL)
    warp->turns = g_try_new (guint8, follow->room);
  return (warp->origins != NULL || !follow->origins) && (warp->turns != NULL || !follow->turns);
}

static gboolean
start_warp (const WpFollow *follow, Warp *warp, const WpProgram *program)
{
  guint64 n = follow->machine->dataflow ? program->n_dynamic : program->n_values;

  if (!make_room (follow, warp))
    return FALSE;
  for (guint64 i = 0; i < n && follow->origins; i++)
    warp->origins[i].instr = WP_NO_INSTR;
  if (warp->turns != NULL)
    memset (warp->turns, 0, follow->room);
  warp->program = program;
  warp->last = warp->public.start;
  return TRUE;
}

/* The lowest group that holds no block. */
static guint32
take_group (WpFollow *follow, Sm *sm)
{
  guint32 number = sm->first_free;

  if (sm->groups == NULL)
    {
      sm->groups = g_ptr_array_new_with_free_func (free_group);
      sm->taken = g_array_new (FALSE, TRUE, sizeof (gboolean));
    }
  while (number < sm->taken->len && g_array_index (sm->taken, gboolean, number))
    number++;
  if (number == sm->taken->len)
    {
      GArray *group = g_array_new (FALSE, TRUE, sizeof (Warp));

      g_array_set_size (group, follow->machine->warps_per_block);
      g_ptr_array_add (sm->groups, group);
      g_array_set_size (sm->taken, number + 1);
    }
  g_array_index (sm->taken, gboolean, number) = TRUE;
  sm->first_free = number + 1;
  return number;
}

guint32
wp_follow_launch (WpFollow *follow, const WpBlockEvent *event)
{
  const WpMachine *machine = follow->machine;
  const WpRow *row = wp_machine_get_row (machine, event->block);
  Sm *sm = &follow->sms[event->sm];
  guint32 number = take_group (follow, sm);
  GArray *group = g_ptr_array_index (sm->groups, number);

  for (guint32 i = 0; i < machine->warps_per_block; i++)
    {
      Warp *warp = &g_array_index (group, Warp, i);
      guint32 slot = number * machine->warps_per_block + i;

      warp->public = (WpFollowWarp){ event->sm, slot,         slot % machine->n_schedulers,
                                     i,         event->block, event->time };
      if (start_warp (follow, warp, find_program (machine, row, i)))
        continue;
      errno = ENOMEM;
      return WP_FOLLOW_FAILED;
    }
  follow->passed |= event->time >= follow->to;
  follow->n_before += event->time < follow->to;
  g_hash_table_insert (follow->groups, g_memdup2 (&event->block, sizeof event->block),
                       GUINT_TO_POINTER (number + 1));
  return number;
}

static guint32
find_group (WpFollow *follow, guint64 block)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (follow->groups, &block)) - 1;
}

static Warp *
get_warp (WpFollow *follow, guint32 sm, guint32 slot)
{
  guint32 n = follow->machine->warps_per_block;

  return &g_array_index ((GArray *)g_ptr_array_index (follow->sms[sm].groups, slot / n), Warp,
                         slot % n);
}

guint32
wp_follow_block_end (WpFollow *follow, const WpBlockEvent *event, WpTick *start)
{
  guint32 number = find_group (follow, event->block);
  Sm *sm = &follow->sms[event->sm];

  *start = g_array_index ((GArray *)g_ptr_array_index (sm->groups, number), Warp, 0).public.start;
  follow->passed |= event->time >= follow->to;
  follow->n_before -= *start < follow->to;
  g_hash_table_remove (follow->groups, &event->block);
  g_array_index (sm->taken, gboolean, number) = FALSE;
  sm->first_free = MIN (sm->first_free, number);
  return number;
}

void
wp_follow_cut (WpFollow *follow, WpTick to)
{
  follow->to = MIN (follow->to, to);
}

gboolean
wp_follow_is_over (const WpFollow *follow)
{
  return follow->passed && follow->n_before == 0;
}

/* ---- Issues ---- */

/* The pipeline that a result of INSTR waits for: the last that it passes. */
static guint32
get_pipeline (const WpFollow *follow, guint32 instr)
{
  return instr == WP_NO_INSTR
             ? WP_NO_PIPELINE
             : wp_instr_get_last_pipeline (follow->machine, &follow->machine->instrs[instr]);
}

/* Program order: where the result of INSTR is kept that is DISTANCE instances back. The places of
 * an instruction that keeps several are taken in turn. */
static guint32
get_place (const Warp *warp, const WpInstr *instr, guint32 distance)
{
  guint32 kept = wp_instr_get_kept (instr);

  return kept == 1 ? instr->value
                   : instr->value + (warp->turns[instr->value] + kept - distance) % kept;
}

/* Where the result that DEP of dynamic instruction K means is kept, or WP_FOLLOW_NO_RESULT. */
static guint64
find_result (WpFollow *follow, const Warp *warp, const WpDep *dep, guint64 k)
{
  Places *places = &follow->places[warp->program - follow->machine->programs];
  guint32 place;

  if (!follow->machine->dataflow)
    return get_place (warp, &follow->machine->instrs[dep->producer],
                      dep->value - follow->machine->instrs[dep->producer].value + 1);
  if (places->first == NULL)
    make_places (follow->machine, warp->program, places);
  place = find_place (places, dep->producer - warp->program->first_instr, k,
                      dep->value - follow->machine->instrs[dep->producer].value + 1);
  return place == G_MAXUINT32 ? WP_FOLLOW_NO_RESULT : place;
}

/* Notes whose results EVENT used. A dataflow barrier waits for all that goes before. */
static void
look_at_results (WpFollow *follow, const Warp *warp, const WpIssueEvent *event)
{
  const WpInstr *instr = &follow->machine->instrs[event->instr];
  gboolean barrier = instr->cost->pipeline == WP_NO_PIPELINE;

  for (guint32 i = 0;
       i < instr->n_deps && !instr->cost->late && !(barrier && follow->machine->dataflow); i++)
    {
      const WpDep *dep = &follow->machine->deps[instr->first_dep + i];
      guint64 result;

      if (follow->machine->instrs[dep->producer].cost->mix_place > 0)
        continue; /* the same dependence as on the first of the mix */
      result = find_result (follow, warp, dep, event->index);
      if (result != WP_FOLLOW_NO_RESULT && warp->origins[result].instr != WP_NO_INSTR)
        g_array_append_val (follow->used, warp->origins[result]);
    }
}

/* What made the warp wait until event->ready. */
static WpFollowWait
find_cause (const WpFollow *follow, const Warp *warp, const WpIssueEvent *event)
{
  static const WpStall stalls[WP_N_REASONS]
      = { [WP_REASON_START] = WP_STALL_ILP, /* which takes no time, as a pair does not */
          [WP_REASON_BARRIER] = WP_STALL_BARRIER,
          [WP_REASON_DEPENDENCY] = WP_STALL_DEPENDENCY,
          [WP_REASON_ILP] = WP_STALL_ILP,
          [WP_REASON_PAIR] = WP_STALL_ILP };

  return (WpFollowWait){ stalls[event->reason], get_pipeline (follow, event->producer_instr),
                         warp->last, event->ready };
}

static void
add_wait (WpFollowIssue *issue, WpFollowWait wait)
{
  if (wait.from < wait.to)
    issue->waits[issue->n_waits++] = wait;
}

static guint64
get_result (const WpFollow *follow, Warp *warp, const WpIssueEvent *event)
{
  /* Whatever its context: the first of a mix stands for all. */
  const WpInstr *instr = wp_instr_get_first (&follow->machine->instrs[event->instr]);
  guint32 kept = wp_instr_get_kept (instr);

  if (instr->cost->pipeline == WP_NO_PIPELINE || instr->value == WP_NO_VALUE)
    return WP_FOLLOW_NO_RESULT;
  if (follow->machine->dataflow)
    return event->index;
  if (kept == 1 || warp->turns == NULL)
    return instr->value;
  warp->turns[instr->value] = (guint8)((warp->turns[instr->value] + 1u) % kept);
  return get_place (warp, instr, 1);
}

const WpFollowIssue *
wp_follow_issue (WpFollow *follow, const WpIssueEvent *event)
{
  Warp *warp = get_warp (follow, event->sm, event->slot);
  WpFollowIssue *issue = &follow->issue;
  WpTick accepted = MAX (event->accept, event->ready);
  guint32 pipeline = follow->machine->instrs[event->instr].cost->pipeline;

  *issue = (WpFollowIssue){ .warp = &warp->public, .since = warp->last };
  g_array_set_size (follow->used, 0);
  if (follow->origins)
    look_at_results (follow, warp, event);
  add_wait (issue, find_cause (follow, warp, event));
  add_wait (issue, (WpFollowWait){ WP_STALL_PIPELINE, pipeline, event->ready, accepted });
  add_wait (issue, (WpFollowWait){ WP_STALL_NOT_SELECTED, WP_NO_PIPELINE, accepted, event->time });
  issue->n_origins = follow->used->len;
  issue->origins = (const WpFollowOrigin *)(gpointer)follow->used->data;
  issue->result = get_result (follow, warp, event);
  if (follow->origins && issue->result != WP_FOLLOW_NO_RESULT)
    warp->origins[issue->result]
        = (WpFollowOrigin){ event->index, issue->result, event->instr, event->start };
  warp->last = event->time;
  return issue;
}

const WpFollowWarp *
wp_follow_warp_end (WpFollow *follow, const WpWarpEvent *event, WpFollowWait *drain,
                    gboolean *drained)
{
  const Warp *warp = get_warp (follow, event->sm, event->slot);

  *drain = (WpFollowWait){ WP_STALL_DRAIN, get_pipeline (follow, event->producer_instr), warp->last,
                           event->end };
  *drained = drain->from < drain->to;
  return &warp->public;
}

gchar *
wp_follow_describe (const WpMachine *machine, const WpFollowWait *wait)
{
  const gchar *pipeline
      = wait->pipeline == WP_NO_PIPELINE ? NULL : machine->pipelines[wait->pipeline].name;

  switch (wait->stall)
    {
    case WP_STALL_BARRIER:
      return g_strdup ("at a barrier");
    case WP_STALL_DEPENDENCY:
      return pipeline == NULL ? g_strdup ("waits for a result")
                              : g_strdup_printf ("waits for a result of %s", pipeline);
    case WP_STALL_ILP:
      return g_strdup ("waits between its issues");
    case WP_STALL_PIPELINE:
      return g_strdup_printf ("waits for pipeline %s", pipeline);
    case WP_STALL_NOT_SELECTED:
      return g_strdup ("waits for the scheduler");
    default:
      return pipeline == NULL ? g_strdup ("at its last barrier")
                              : g_strdup_printf ("last results, of %s", pipeline);
    }
}
