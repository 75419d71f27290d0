/* SPDX-License-Identifier: MIT */
/* Causes are found as the engine finds them: of dependences that are complete at one time the first
 * counts, a dependence goes before the ILP latency, a barrier before both. In dataflow order a
 * dependence is on the last instance before the instruction in program order, whatever has issued
 * since: there results are kept by dynamic instruction, and each program has a list of where its
 * instructions stand when its repeats are unrolled.
 */
#include "traces/table/wp-follow.h"

#include <errno.h>
#include <string.h>

#define NEVER (G_MININT64 / 2) /* no instance yet; any latency may be added */

/* Where the instructions of a program stand, unrolled. */
typedef struct
{
  guint32 *first;  /* [n_instrs + 1]: in places[] */
  guint32 *places; /* dynamic instructions, rising for each */
} Places;

/* A warp. In program order results stand by their value, in dataflow order by their dynamic
 * instruction. */
typedef struct
{
  WpFollowWarp public;
  const WpProgram *program;
  WpTick last; /* its last issue, or its start */
  guint64 n_issued;
  gboolean at_barrier; /* the last issue was one */
  WpTick release;      /* of its last barrier */
  WpTick end;          /* the latest completion */
  guint32 end_pipeline;
  WpTick *bases;           /* from when latencies count; NEVER */
  guint64 *order;          /* dataflow: the how manieth issue of the warp it was */
  WpFollowOrigin *origins; /* or NULL: not asked for */
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

      g_free (warp->bases);
      g_free (warp->order);
      g_free (warp->origins);
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

/* The last instance of INSTR (of the program) before dynamic instruction K, or G_MAXUINT32. O(log
 * instances). */
static guint32
find_place (const Places *places, guint32 instr, guint64 k)
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
  return low == places->first[instr] ? G_MAXUINT32 : places->places[low - 1];
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
  if (warp->bases != NULL)
    return TRUE;
  warp->bases = g_try_new (WpTick, follow->room);
  if (follow->machine->dataflow)
    warp->order = g_try_new (guint64, follow->room);
  if (follow->origins)
    warp->origins = g_try_new0 (WpFollowOrigin, follow->room);
  return warp->bases != NULL && (warp->order != NULL || !follow->machine->dataflow)
         && (warp->origins != NULL || !follow->origins);
}

static gboolean
start_warp (const WpFollow *follow, Warp *warp, const WpProgram *program)
{
  guint64 n = follow->machine->dataflow ? program->n_dynamic : program->n_values;

  if (!make_room (follow, warp))
    return FALSE;
  for (guint64 i = 0; i < n; i++)
    warp->bases[i] = NEVER;
  warp->program = program;
  warp->last = warp->end = warp->public.start;
  warp->end_pipeline = WP_NO_PIPELINE;
  warp->n_issued = 0;
  warp->at_barrier = FALSE;
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
wp_follow_release (WpFollow *follow, const WpReleaseEvent *event)
{
  guint32 number = find_group (follow, event->block);
  GArray *group = g_ptr_array_index (follow->sms[event->sm].groups, number);

  for (guint i = 0; i < group->len; i++)
    g_array_index (group, Warp, i).release = event->release;
  return number;
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

/* Where the result that DEP of dynamic instruction K means is kept, or WP_FOLLOW_NO_RESULT. */
static guint64
find_result (WpFollow *follow, const Warp *warp, const WpDep *dep, guint64 k)
{
  Places *places = &follow->places[warp->program - follow->machine->programs];
  guint32 place;

  if (!follow->machine->dataflow)
    return dep->value;
  if (places->first == NULL)
    make_places (follow->machine, warp->program, places);
  place = find_place (places, dep->producer - warp->program->first_instr, k);
  return place == G_MAXUINT32 ? WP_FOLLOW_NO_RESULT : place;
}

/* Sets WAIT's cause to the result, of those that EVENT used, that was complete last, if that was at
 * FROM or later. */
static void
look_at_results (WpFollow *follow, const Warp *warp, const WpIssueEvent *event, WpTick from,
                 WpFollowWait *wait)
{
  const WpInstr *instr = &follow->machine->instrs[event->instr];
  WpTick latest = from - 1;
  guint64 order = 0;

  for (guint32 i = 0; i < instr->n_deps; i++)
    {
      const WpDep *dep = &follow->machine->deps[instr->first_dep + i];
      guint64 result = find_result (follow, warp, dep, event->index);
      WpTick complete;

      if (result == WP_FOLLOW_NO_RESULT || warp->bases[result] == NEVER)
        continue;
      complete = warp->bases[result] + dep->latency;
      if (warp->origins != NULL)
        {
          WpFollowOrigin origin = warp->origins[result];

          origin.complete = complete;
          g_array_append_val (follow->used, origin);
        }
      if (complete < latest
          || (complete == latest && (warp->order == NULL || warp->order[result] >= order)))
        continue;
      latest = complete;
      order = warp->order != NULL ? warp->order[result] : 0;
      wait->stall = WP_STALL_DEPENDENCY;
      wait->pipeline = dep->pipeline;
    }
}

/* What made the warp wait until event->ready. */
static WpFollowWait
find_cause (WpFollow *follow, const Warp *warp, const WpIssueEvent *event)
{
  const WpMachine *machine = follow->machine;
  WpTick turn = warp->n_issued == 0 ? warp->last : warp->last + machine->ilp_latency;
  WpFollowWait wait = { WP_STALL_ILP, WP_NO_PIPELINE, warp->last, event->ready };

  if (machine->dataflow && machine->instrs[event->instr].pipeline == WP_NO_PIPELINE)
    {
      if (warp->end >= turn)
        wait = (WpFollowWait){ WP_STALL_DEPENDENCY, warp->end_pipeline, wait.from, wait.to };
    }
  else
    look_at_results (follow, warp, event, turn, &wait);
  if (warp->at_barrier && warp->release >= event->ready)
    wait = (WpFollowWait){ WP_STALL_BARRIER, WP_NO_PIPELINE, wait.from, wait.to };
  return wait;
}

static void
add_wait (WpFollowIssue *issue, WpFollowWait wait)
{
  if (wait.from < wait.to)
    issue->waits[issue->n_waits++] = wait;
}

static guint64
get_result (const WpMachine *machine, const WpIssueEvent *event)
{
  const WpInstr *instr = &machine->instrs[event->instr];

  if (instr->pipeline == WP_NO_PIPELINE || instr->value == WP_NO_VALUE)
    return WP_FOLLOW_NO_RESULT;
  return machine->dataflow ? event->index : instr->value;
}

static void
remember (WpFollow *follow, Warp *warp, const WpIssueEvent *event, guint64 result)
{
  const WpInstr *instr = &follow->machine->instrs[event->instr];

  warp->n_issued++;
  warp->last = event->time;
  warp->at_barrier = instr->pipeline == WP_NO_PIPELINE;
  if (warp->at_barrier)
    return;
  if (event->complete > warp->end)
    {
      warp->end = event->complete;
      warp->end_pipeline = instr->pipeline;
    }
  if (result == WP_FOLLOW_NO_RESULT)
    return;
  warp->bases[result] = instr->posted ? event->time : event->served;
  if (warp->order != NULL)
    warp->order[result] = warp->n_issued;
  if (warp->origins != NULL)
    warp->origins[result] = (WpFollowOrigin){ event->index, result, event->instr, event->start, 0 };
}

const WpFollowIssue *
wp_follow_issue (WpFollow *follow, const WpIssueEvent *event)
{
  Warp *warp = get_warp (follow, event->sm, event->slot);
  WpFollowIssue *issue = &follow->issue;
  WpTick accepted = MAX (event->accept, event->ready);
  guint32 pipeline = follow->machine->instrs[event->instr].pipeline;

  *issue = (WpFollowIssue){ .warp = &warp->public, .since = warp->last };
  g_array_set_size (follow->used, 0);
  add_wait (issue, find_cause (follow, warp, event));
  add_wait (issue, (WpFollowWait){ WP_STALL_PIPELINE, pipeline, event->ready, accepted });
  add_wait (issue, (WpFollowWait){ WP_STALL_NOT_SELECTED, WP_NO_PIPELINE, accepted, event->time });
  issue->n_origins = follow->used->len;
  issue->origins = (const WpFollowOrigin *)(gpointer)follow->used->data;
  issue->result = get_result (follow->machine, event);
  remember (follow, warp, event, issue->result);
  return issue;
}

const WpFollowWarp *
wp_follow_warp_end (WpFollow *follow, const WpWarpEvent *event, WpFollowWait *drain,
                    gboolean *drained)
{
  Warp *warp = get_warp (follow, event->sm, event->slot);

  gboolean at_barrier = warp->at_barrier && warp->release == event->end;

  *drain = (WpFollowWait){ WP_STALL_DRAIN, at_barrier ? WP_NO_PIPELINE : warp->end_pipeline,
                           warp->last, event->end };
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
