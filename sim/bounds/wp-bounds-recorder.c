/* SPDX-License-Identifier: MIT */
/* A round that recurs is a fold of the trail; its last repetition is gone through once more, so
 * that what comes after it finds when and where each instruction was issued last; with distances
 * on dependences as many repetitions as the largest of these.
 */
#include "sim/bounds/wp-bounds-recorder.h"

#include <stdlib.h>

/* Rounds of several warps that are written down before the others are a fold, at most. */
#define MOST_UNFOLDED 100

/* A later END, of two; of one time, that of the later step: a path then has all of the program that
 * it can. */
static void
join_end (WpEnd *end, WpEnd other)
{
  uint32_t first = end->instr;

  if (other.time < end->time || (other.time == end->time && other.at <= end->at))
    return;
  if (other.time == end->time && end->time >= 0)
    other.instr = first;
  *end = other;
}

/* ---- Issues ---- */

/* How long the slot of INSTR, at AT of the whole machine, lasts beyond the first: in slots, or in
 * ticks where there are means. */
static uint64_t
get_more (const WpBoundsRecorder *recorder, const WpInstr *instr, uint32_t at)
{
  return recorder->slots != NULL ? (uint64_t)recorder->slots[at]
                                 : instr->cost->slots - UINT64_C (1);
}

/* It happens TIMES times, and its slot lasts MORE beyond the first. */
static void
count_issue (WpBoundsWarp *warp, uint64_t more, bool follows, uint64_t times)
{
  WpIssueCounts *counts = &warp->record.counts;

  warp->group = follows ? warp->group + 1 : 1;
  warp->more = follows ? warp->more : 0;
  if (!follows)
    counts->singles += times;
  if (warp->group == 2)
    {
      counts->singles -= times;
      counts->groups += times;
    }
  if (more > warp->more)
    {
      counts->filled += warp->more == 0 ? times : 0;
      wp_sum_add_product (&counts->reissues, more - warp->more, times);
      warp->more = more;
    }
  counts->n_issued += times;
}

/* The first dependence of INSTR, which issues NOW, whose result is there just then, or NULL. */
static const WpDep *
find_dependence (const WpBoundsRecorder *recorder, const WpBoundsWarp *warp, const WpInstr *instr,
                 WpTick now)
{
  const WpMachine *m = &recorder->unlimited->machine;

  for (uint32_t d = 0; !instr->cost->late && d < instr->n_deps; d++)
    {
      const WpDep *dep = &m->deps[instr->first_dep + d];
      WpTick issued = warp->issued[dep->value];

      if (issued >= 0 && issued + dep->latency == now)
        return dep;
    }
  return NULL;
}

/* The issue waited for the result of PRODUCER, which is kept at PLACE of the warp. */
static uint64_t
wait_for (const WpBoundsRecorder *recorder, const WpBoundsWarp *warp, uint32_t producer,
          uint32_t place, const WpIssueEvent *event, WpBoundsTrailEntry *step)
{
  step->from = recorder->unlimited->written_at[producer];
  step->length = event->time - warp->issued[place];
  return warp->positions[place];
}

/* What the issue waited for into STEP: the edge and its length. Returns the position of the step
 * before it. */
static uint64_t
find_edge (const WpBoundsRecorder *recorder, const WpBoundsWarp *warp, const WpIssueEvent *event,
           WpBoundsTrailEntry *step)
{
  const WpMachine *m = &recorder->unlimited->machine;
  const WpInstr *instr = &m->instrs[event->instr];
  uint64_t from = warp->last_position;
  WpReason reason = event->reason;
  const WpDep *dep = NULL;

  if (!m->dataflow && (reason == WP_REASON_DEPENDENCY || reason == WP_REASON_BARRIER))
    dep = find_dependence (recorder, warp, instr, event->time);
  /* A release counts where it comes later than all else, or where the warp comes from it. */
  if (reason == WP_REASON_BARRIER && !m->dataflow && !warp->after_barrier
      && (dep != NULL || warp->record.last + warp->turn == event->time))
    reason = dep != NULL ? WP_REASON_DEPENDENCY : WP_REASON_ILP;
  switch (reason)
    {
    case WP_REASON_DEPENDENCY:
      step->edge = WP_EDGE_DEPENDENCY;
      if (dep != NULL)
        from = wait_for (recorder, warp, dep->producer, dep->value, event, step);
      else if (!wp_instr_is_barrier (instr))
        from = wait_for (recorder, warp, event->producer_instr, (uint32_t)event->producer, event,
                         step);
      else
        {
          step->from = warp->record.end.instr;
          step->length = warp->record.end.length;
          from = warp->record.end.at;
        }
      break;
    case WP_REASON_BARRIER:
      step->edge = WP_EDGE_BARRIER;
      step->length = warp->release_length;
      from = warp->release_position;
      break;
    case WP_REASON_START:
      step->edge = WP_EDGE_START;
      break;
    case WP_REASON_PAIR:
      step->edge = WP_EDGE_PAIR;
      break;
    default:
      step->edge = WP_EDGE_ILP;
      step->length = warp->turn;
      break;
    }
  return from;
}

static void
note_first (WpFirstIssue *first, WpTick now, bool paired)
{
  if (first->time < 0)
    *first = (WpFirstIssue){ now, paired };
}

/* Where the next step is. */
static uint64_t
get_position (const WpBoundsRecorder *recorder)
{
  return recorder->replays ? recorder->position : recorder->trail->position;
}

/* The issue on the trail. */
static void
write_down (WpBoundsRecorder *recorder, const WpBoundsWarp *warp, const WpIssueEvent *event)
{
  uint32_t instr = recorder->unlimited->written_at[event->instr];
  uint64_t position = get_position (recorder), from;
  WpBoundsTrailEntry step = { .instr = instr, .segment = warp->segment };

  if (recorder->replays)
    {
      recorder->position++;
      return;
    }
  from = find_edge (recorder, warp, event, &step);
  step.back = step.edge == WP_EDGE_START ? 0 : position - from;
  if (step.back > 0 && from < recorder->earliest)
    recorder->earliest = from;
  step.gap = warp->has_issued ? (uint64_t)(event->time - warp->record.last) : 0;
  note_first (&recorder->firsts[instr], event->time, step.edge == WP_EDGE_PAIR);
  if (!wp_bounds_trail_add (recorder->trail, step))
    recorder->no_memory = true;
}

/* Where it is kept when EVENT was: those that are kept of its instruction move up. What nobody
 * depends on has one place for all. */
static uint32_t
make_place (const WpBoundsRecorder *recorder, WpBoundsWarp *warp, const WpInstr *instr,
            const WpIssueEvent *event)
{
  uint32_t kept = wp_instr_get_kept (instr);

  if (recorder->unlimited->machine.dataflow)
    return (uint32_t)event->index;
  if (instr->value == WP_NO_VALUE)
    return warp->program->n_values;
  for (uint32_t i = instr->value + kept - 1; i > instr->value; i--)
    {
      warp->issued[i] = warp->issued[i - 1];
      warp->positions[i] = warp->positions[i - 1];
    }
  return instr->value;
}

/* How long after an issue of INSTR its warp may issue again. */
static WpTick
find_turn (const WpMachine *m, const WpInstr *instr)
{
  return instr->cost->stall > m->ilp_latency ? instr->cost->stall : m->ilp_latency;
}

/* WARP comes to a barrier by INSTR, at POSITION, or late: when what that depends on is complete. */
static void
note_coming (WpBoundsRecorder *recorder, const WpBoundsWarp *warp, const WpInstr *instr,
             const WpIssueEvent *event, uint64_t position)
{
  const WpMachine *m = &recorder->unlimited->machine;
  WpEnd coming = { .time = event->time, .at = position };
  WpBoundsGroup *group;

  recorder->coming = (WpBoundsComing){ instr->cost->barrier, event->time, position };
  if (instr->cost->barrier == 0)
    return;
  for (uint32_t d = 0; instr->cost->late && !m->dataflow && d < instr->n_deps; d++)
    {
      const WpDep *dep = &m->deps[instr->first_dep + d];
      WpTick issued = warp->issued[dep->value];

      if (issued >= 0 && issued + dep->latency > coming.time)
        coming = (WpEnd){ .time = issued + dep->latency,
                          .length = dep->latency,
                          .at = warp->positions[dep->value] };
    }
  group = &recorder->groups[instr->cost->barrier - 1];
  if (group->is_decided || coming.time > group->latest.time)
    group->latest = coming;
  group->is_decided = false;
}

static void
on_issue (void *data, const WpIssueEvent *event)
{
  WpBoundsRecorder *recorder = data;
  WpBoundsWarp *warp = &recorder->warps[event->warp];
  const WpInstr *instr = &recorder->unlimited->machine.instrs[event->instr];
  uint64_t position = get_position (recorder);
  uint32_t place;

  count_issue (warp, get_more (recorder, instr, recorder->unlimited->written_at[event->instr]),
               event->follows, recorder->times);
  write_down (recorder, warp, event);
  place = make_place (recorder, warp, instr, event);
  warp->has_issued = true;
  warp->record.last = event->time;
  warp->turn = find_turn (&recorder->unlimited->machine, instr);
  warp->last_position = position;
  warp->after_barrier = warp->waits = wp_instr_is_barrier (instr);
  warp->waits_at = instr->cost->barrier;
  if (instr->cost->pipeline == WP_NO_PIPELINE)
    note_coming (recorder, warp, instr, event, position);
  warp->issued[place] = event->time;
  warp->positions[place] = position;
  if (!warp->waits)
    join_end (&warp->record.end,
              (WpEnd){ event->time + instr->cost->completion, instr->cost->completion, position,
                       instr->cost->pipeline == WP_NO_PIPELINE
                           ? WP_NO_PIPELINE
                           : wp_instr_get_last_pipeline (&recorder->unlimited->machine, instr),
                       recorder->unlimited->written_at[event->instr] });
}

/* ---- Barriers ---- */

/* Which warp sets the release: the last that arrived, or terminated. */
static WpEnd
find_last (const WpBoundsRecorder *recorder)
{
  WpEnd last = { .time = -1 };

  for (uint32_t i = 0; i < recorder->n; i++)
    {
      const WpBoundsWarp *warp = &recorder->warps[i];
      WpEnd arrival = warp->waits ? (WpEnd){ .time = warp->record.last, .at = warp->last_position }
                                  : warp->record.end;

      if (arrival.time > last.time)
        last = arrival;
    }
  return last;
}

/* The same for a barrier with a name, whose release EVENT decides: by an issue that has come to it,
 * or by the termination of a warp. */
static WpEnd
find_decider (WpBoundsRecorder *recorder, const WpReleaseEvent *event)
{
  const WpBoundsComing *coming = &recorder->coming;
  WpBoundsGroup *group = &recorder->groups[event->name - 1];
  WpEnd last = { .time = -1 };

  group->is_decided = true;
  if (recorder->unlimited->machine.barriers[event->name - 1].warps > 0
      && group->latest.time == event->time)
    return group->latest;
  if (coming->name == event->name && coming->time == event->time)
    return (WpEnd){ .time = coming->time, .at = coming->position };
  for (uint32_t i = 0; i < recorder->n && last.time < event->time; i++)
    if (!recorder->warps[i].waits && recorder->warps[i].record.end.time == event->time)
      last = recorder->warps[i].record.end;
  return last;
}

static void
on_release (void *data, const WpReleaseEvent *event)
{
  WpBoundsRecorder *recorder = data;
  WpTick latency = recorder->unlimited->machine.barrier_latency;
  WpEnd last = event->name == 0 ? find_last (recorder) : find_decider (recorder, event);

  for (uint32_t i = 0; i < recorder->n; i++)
    {
      WpBoundsWarp *warp = &recorder->warps[i];

      if (!warp->waits || warp->waits_at != event->name || (event->name > 0 && event->warp != i))
        continue;
      warp->waits = false;
      warp->release = event->release;
      warp->release_length = last.length + latency;
      warp->release_position = last.at;
      join_end (&warp->record.end, (WpEnd){ event->release, warp->release_length, last.at,
                                            WP_NO_PIPELINE, WP_TRAIL_FOLD });
    }
}

/* ---- Rounds that recur ---- */

static uint64_t count_positions (const WpRepeat *repeat);

static void
count_step (void *data, const WpIssueEvent *event)
{
  (void)event;
  ++*(uint64_t *)data;
}

static void
count_rounds (void *data, const WpRepeat *repeat)
{
  if (wp_repeat_get_period (repeat) > 0)
    *(uint64_t *)data += wp_repeat_get_times (repeat) * count_positions (repeat);
}

/* How long a round is on the trail. */
static uint64_t
count_positions (const WpRepeat *repeat)
{
  uint64_t n = 0;
  const WpObserver observer = { .data = &n, .issue = count_step, .repeat = count_rounds };

  wp_repeat_unfold (repeat, 1, 1, &observer);
  return n;
}

/* The last TIMES rounds of REPEAT, N_POSITIONS long each, have gone by: the last one stands for
 * them, or the last few, where a dependence may reach back as far. Rounds that take no time have
 * the positions of the one before. */
static void
replay (WpBoundsRecorder *recorder, const WpRepeat *repeat, uint64_t times, uint64_t n_positions)
{
  uint64_t outer = recorder->times, all = wp_repeat_get_times (repeat);
  uint64_t n = recorder->most_kept < times ? recorder->most_kept : times;
  bool takes_time = wp_repeat_get_period (repeat) > 0;

  recorder->times *= times - n + 1;
  if (takes_time)
    recorder->position += (times - n) * n_positions;
  for (uint64_t i = 0; i < n; i++)
    {
      if (!takes_time)
        recorder->position -= n_positions;
      wp_repeat_unfold (repeat, all - n + 1 + i, 1, &recorder->observer);
      recorder->times = outer;
    }
}

/* Writes rounds down as they come, until one of them waits for nothing that lies before the round
 * that was seen: from there on steps of one place in a round are equally far apart. Of a warp alone
 * they are anyway, unless there are rounds without positions; of several each is as it was, but how
 * their steps lie on the trail need not be, before the first round. Returns how many rounds that
 * are. */
static uint64_t
unfold_first (WpBoundsRecorder *recorder, const WpRepeat *repeat, uint64_t n_positions)
{
  uint64_t begin = recorder->trail->position - n_positions;
  uint64_t times = wp_repeat_get_times (repeat), n = 0, earliest = recorder->earliest;
  bool more = (recorder->n > 1 || recorder->trail->idles) && wp_repeat_get_period (repeat) > 0;

  while (more)
    {
      recorder->earliest = UINT64_MAX;
      wp_repeat_unfold (repeat, ++n, 1, &recorder->observer);
      more = recorder->earliest < begin && n < times && n < MOST_UNFOLDED;
      earliest = recorder->earliest < earliest ? recorder->earliest : earliest;
    }
  recorder->earliest = earliest;
  return n;
}

static void
on_repeat (void *data, const WpRepeat *repeat)
{
  WpBoundsRecorder *recorder = data;
  WpBoundsTrail *trail = recorder->trail;
  uint64_t n_positions = count_positions (repeat);
  uint64_t times = wp_repeat_get_times (repeat), n;

  if (recorder->replays)
    {
      replay (recorder, repeat, times, n_positions);
      return;
    }
  n = unfold_first (recorder, repeat, n_positions);
  if (n == times)
    return;
  recorder->position = trail->position;
  if (!wp_bounds_trail_fold (trail, trail->position - n_positions, times - n,
                             wp_repeat_get_period (repeat) > 0))
    recorder->no_memory = true;
  recorder->replays = true;
  replay (recorder, repeat, times - n, n_positions);
  recorder->replays = false;
}

/* ---- Making one ---- */

static bool
warp_init (WpBoundsWarp *warp, const WpMachine *machine, uint32_t i, uint32_t segment)
{
  const WpProgram *program = &machine->programs[i];
  size_t n = (machine->dataflow ? (size_t)program->n_dynamic : program->n_values) + 1;

  *warp = (WpBoundsWarp){
    .record = { .end = { .time = -1 } }, .program = program, .segment = segment, .release = -1
  };
  warp->positions = calloc (n, sizeof *warp->positions);
  warp->issued = malloc (n * sizeof *warp->issued);
  for (size_t k = 0; warp->issued != NULL && k < n; k++)
    warp->issued[k] = -1;
  return warp->positions != NULL && warp->issued != NULL;
}

bool
wp_bounds_recorder_init (WpBoundsRecorder *recorder, const WpUnlimited *unlimited, uint32_t n,
                         uint32_t first_segment, WpBoundsTrail *trail, WpFirstIssue *firsts,
                         const WpTick *slots)
{
  bool done;

  *recorder = (WpBoundsRecorder){ .unlimited = unlimited,
                                  .trail = trail,
                                  .firsts = firsts,
                                  .slots = slots,
                                  .n = n,
                                  .warps = calloc (n, sizeof *recorder->warps),
                                  .groups = calloc (unlimited->machine.n_barriers + (size_t)1,
                                                    sizeof *recorder->groups),
                                  .times = 1,
                                  .most_kept = 1,
                                  .coming = { .time = -1 } };
  for (uint32_t i = 0; i < unlimited->machine.n_instrs && !unlimited->machine.dataflow; i++)
    if (unlimited->machine.instrs[i].n_kept > recorder->most_kept)
      recorder->most_kept = unlimited->machine.instrs[i].n_kept;
  recorder->observer = (WpObserver){
    .data = recorder, .issue = on_issue, .barrier_release = on_release, .repeat = on_repeat
  };
  done = recorder->warps != NULL && recorder->groups != NULL;
  for (uint32_t i = 0; done && i < n; i++)
    done = warp_init (&recorder->warps[i], &unlimited->machine, i, first_segment + i);
  if (!done)
    wp_bounds_recorder_clear (recorder);
  return done;
}

void
wp_bounds_recorder_clear (WpBoundsRecorder *recorder)
{
  for (uint32_t i = 0; recorder->warps != NULL && i < recorder->n; i++)
    {
      free (recorder->warps[i].issued);
      free (recorder->warps[i].positions);
    }
  free (recorder->warps);
  free (recorder->groups);
  *recorder = (WpBoundsRecorder){ 0 };
}
