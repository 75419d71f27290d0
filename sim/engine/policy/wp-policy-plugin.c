/* SPDX-License-Identifier: MIT */
/* A policy from outside is asked through the view of its scheduler, which is the first member of
 * what is kept for it, so that the view's functions find their way back. Bits are by age, so that
 * candidates come from the oldest on, and states are compared by the order of ages.
 *
 * What it says is checked here, and a fault ends the run as an overflow does; the loops then go on
 * with a warp that can issue, to the end of the visit.
 */
#include "sim/engine/policy/wp-policy-plugin.h"
#include "include/warpipe/policy.h"

#include "sim/engine/policy/wp-policy-pick.h"

#include <stdlib.h>
#include <string.h>

typedef struct
{
  WpPolicy policy; /* the first */
  const WpPolicyPlugin *plugin;
  int64_t *knobs;
  char *name;
} Outside;

/* Of one scheduler. */
typedef struct
{
  WpPolicyView view; /* the first */
  const WpPolicyPlugin *plugin;
  WpSm *sm;
  const WpScheduler *scheduler;
  void *self;
  uint32_t *ready; /* [n_slots + 1]: what get_ready() returns */
  uint8_t *told;   /* [n_slots + 1]: the wait that each warp was told of: WpPolicyWait */
  uint32_t shift;  /* n_schedulers is 2^shift; WP_NO_BIT: it is no power of two */
  uint32_t n_refused;
  bool asked; /* choose() runs */
} Side;

static const Outside *
get_outside (const WpPolicy *policy)
{
  return (const Outside *)policy;
}

static INLINE uint32_t
get_place (const Side *side, const WpWarp *warp)
{
  uint32_t slot = wp_sm_get_slot (side->sm, warp);

  return side->shift != WP_NO_BIT ? slot >> side->shift : slot / side->sm->machine->n_schedulers;
}

/* The warp in PLACE, or NULL: there is none that has not terminated. */
static const WpWarp *
get_warp (const Side *side, uint32_t place)
{
  const WpWarp *warp;

  if (place >= side->view.n_slots)
    return NULL;
  warp = &side->sm->warps[place * side->sm->machine->n_schedulers + side->scheduler->id];
  return warp->state == WP_WARP_FREE ? NULL : warp;
}

/* ---- What it sees ---- */

/* What WARP is told to wait for: *PIPELINE of a dependence, until *UNTIL. */
static WpPolicyWait
find_wait (const WpSm *sm, const WpWarp *warp, uint32_t *pipeline, int64_t *until)
{
  uint32_t n = sm->machine->n_pipelines;

  *pipeline = WP_POLICY_NONE;
  *until = WP_POLICY_FOREVER;
  if (warp->state == WP_WARP_HELD)
    return WP_POLICY_WAIT_BARRIER;
  if (warp->state == WP_WARP_DRAINING)
    {
      *until = warp->end;
      return WP_POLICY_WAIT_END;
    }
  if (warp->ready <= sm->now)
    return WP_POLICY_WAIT_NONE;
  *until = warp->ready;
  if (warp->wait >= n)
    return warp->wait == n + WP_WAIT_ILP ? WP_POLICY_WAIT_ILP : WP_POLICY_WAIT_BARRIER;
  *pipeline = warp->wait;
  return WP_POLICY_WAIT_DEPENDENCY;
}

/* What INSTR, of PROGRAM, is. */
static void
name_instr (const WpMachine *m, uint32_t program, uint32_t instr, uint32_t *pc, uint32_t *pipeline,
            const char **op)
{
  const WpInstr *written = &m->instrs[instr];

  *pc = instr - m->programs[program].first_instr;
  *pipeline = written->cost->pipeline == WP_NO_PIPELINE ? WP_POLICY_NONE : written->cost->pipeline;
  *op = written->cost->pipeline == WP_NO_PIPELINE ? NULL : m->names[written->cost->name];
}

static void
look_at_next (const Side *side, const WpWarp *warp, WpPolicyWarp *info)
{
  const WpMachine *m = side->sm->machine;
  uint32_t instr = (uint32_t)(warp->op - side->sm->ops);

  name_instr (m, warp->program, instr, &info->pc, &info->pipeline, &info->op);
  info->line = m->instrs[instr].line;
  if (info->wait == WP_POLICY_WAIT_NONE
      && side->scheduler->accepts[warp->op->row]->accept > side->sm->now)
    info->wait = WP_POLICY_WAIT_PIPELINE;
}

static bool
look (const WpPolicyView *view, uint32_t place, WpPolicyWarp *to, size_t size)
{
  const Side *side = (const Side *)view;
  const WpWarp *warp = side->plugin->pure ? NULL : get_warp (side, place);
  WpPolicyWarp info = { .pc = WP_POLICY_NONE, .pipeline = WP_POLICY_NONE };

  if (warp == NULL)
    return false;
  info.age = warp->age;
  info.block = side->sm->blocks[warp->block].id;
  info.warp = warp->warp;
  info.slot = wp_sm_get_slot (side->sm, warp);
  info.start = warp->start;
  info.since = warp->since;
  info.ready = warp->state == WP_WARP_RUNNING ? warp->ready : WP_POLICY_FOREVER;
  info.issued = warp->index;
  info.total = side->sm->machine->programs[warp->program].n_dynamic;
  info.program = warp->program;
  info.wait = find_wait (side->sm, warp, &info.waits_for, &(int64_t){ 0 });
  if (warp->op != NULL)
    look_at_next (side, warp, &info);
  memcpy (to, &info, size < sizeof info ? size : sizeof info);
  return true;
}

static uint32_t
list (const WpPolicyView *view, uint32_t *places)
{
  const Side *side = (const Side *)view;
  const WpScheduler *scheduler = side->scheduler;
  uint32_t n = 0;

  for (uint32_t word = 0; !side->plugin->pure && word < scheduler->n_words; word++)
    for (uint64_t rest = scheduler->live[word]; rest != 0; rest &= rest - 1)
      places[n++] = get_place (side, scheduler->warps[word * 64 + wp_lowest_bit (rest)]);
  return n;
}

static const char *
get_pipeline (const WpPolicyView *view, uint32_t i, bool *memory)
{
  const WpMachine *m = ((const Side *)view)->sm->machine;

  if (i >= m->n_pipelines)
    return NULL;
  if (memory != NULL)
    *memory = m->pipelines[i].memory;
  return m->pipelines[i].name;
}

/* ---- What it does wrong ---- */

/* The run is over. */
static void
end_run (const Side *side, WpPolicyFault fault)
{
  WpSm *sm = side->sm;

  sm->limit = sm->now;
  fault.time = sm->now;
  fault.scheduler = side->scheduler->id;
  fault.n_slots = side->view.n_slots;
  wp_sm_host_fail (sm->host, sm->now,
                   (WpOverflow){ .what = "", .sm = sm->id, .instr = UINT32_MAX, .fault = fault });
}

/* The same of the warp in PLACE, if there is one. */
static void
end_run_for (const Side *side, WpPolicyFaultKind kind, uint32_t place)
{
  const WpWarp *warp = get_warp (side, place);
  WpPolicyFault fault = { .kind = kind, .chosen = place, .resident = warp != NULL };

  if (warp != NULL)
    {
      fault.warp = warp->warp;
      fault.block = side->sm->blocks[warp->block].id;
    }
  end_run (side, fault);
}

static void
stop (const WpPolicyView *view, const char *text)
{
  WpPolicyFault fault = { .kind = WP_POLICY_FAULT_OWN };
  size_t n = 0;

  for (; text != NULL && text[n] != '\0' && n + 1 < WP_FAULT_CHARS; n++)
    fault.text[n] = text[n];
  end_run ((const Side *)view, fault);
}

/* ---- What it chooses ---- */

static INLINE void
look_at_last (Side *side)
{
  const WpScheduler *scheduler = side->scheduler;

  side->view.last = scheduler->last_gone ? WP_POLICY_NOBODY
                                         : get_place (side, scheduler->warps[scheduler->last_bit]);
}

/* The warps that can issue, for whom that asks for all of them. */
static const uint32_t *
get_ready (const WpPolicyView *view, uint32_t *n_ready)
{
  const Side *side = (const Side *)view;
  const WpScheduler *scheduler = side->scheduler;
  uint32_t n = 0;

  *n_ready = 0;
  if (!side->asked)
    return NULL;
  for (uint32_t word = 0; word < scheduler->n_words; word++)
    for (uint64_t rest = scheduler->candidates[word]; rest != 0; rest &= rest - 1)
      side->ready[n++] = get_place (side, scheduler->warps[word * 64 + wp_lowest_bit (rest)]);
  *n_ready = n;
  return side->ready;
}

/* Puts what of the warps that can issue costs little into the view. Returns the bit of the oldest.
 */
static INLINE uint32_t
show_ready (Side *side)
{
  const WpScheduler *scheduler = side->scheduler;
  uint32_t first = wp_policy_get_lowest (scheduler), last = wp_policy_get_highest (scheduler);

  side->view.oldest = side->view.youngest = get_place (side, scheduler->warps[first]);
  if (side->plugin->pure && last == first)
    return first;
  look_at_last (side);
  side->view.last_ready = wp_policy_can_repeat (scheduler);
  side->view.youngest = get_place (side, scheduler->warps[last]);
  side->asked = true;
  return first;
}

/* The bit of the warp in PLACE, if it can issue; else WP_NO_BIT. FIRST: show_ready(). */
static uint32_t
find_bit (const Side *side, uint32_t place, uint32_t first)
{
  const WpWarp *warp;
  uint32_t bit;

  if (place == side->view.oldest)
    return first;
  if (place == side->view.last && side->view.last_ready)
    return side->scheduler->last_bit;
  warp = get_warp (side, place);
  if (warp == NULL)
    return WP_NO_BIT;
  bit = warp->bit;
  return (side->scheduler->candidates[bit / 64] >> bit % 64 & 1) != 0 ? bit : WP_NO_BIT;
}

/* It has said nobody, until UNTIL. FIRST is the bit of the oldest that can issue. Whether it may.
 */
static bool
may_decline (Side *side, int64_t until, uint32_t first)
{
  WpPolicyFault fault = { .kind = WP_POLICY_FAULT_UNTIL, .until = until };

  if (until <= side->sm->now)
    end_run (side, fault);
  else if (++side->n_refused >= WP_MAX_REFUSALS)
    end_run_for (side, WP_POLICY_FAULT_STARVES, get_place (side, side->scheduler->warps[first]));
  return !side->sm->host->failed;
}

/* With a policy that is told. */
static uint32_t
pick (const WpSm *sm, const WpScheduler *scheduler)
{
  Side *side = scheduler->outside;
  uint32_t first = show_ready (side), place, bit;
  int64_t until = WP_POLICY_FOREVER;

  side->view.now = sm->now;
  place = side->plugin->choose (side->self, &side->view, &until);
  side->asked = false;
  sm->schedulers[scheduler->id].until = until < WP_TICK_LIMIT ? until : WP_TICK_LIMIT;
  if (sm->host->failed)
    return first;
  if (place == WP_POLICY_NOBODY)
    return may_decline (side, until, first) ? WP_NO_BIT : first;
  side->n_refused = 0;
  bit = find_bit (side, place, first);
  if (UNLIKELY (bit == WP_NO_BIT))
    end_run_for (side, WP_POLICY_FAULT_CHOICE, place);
  return bit != WP_NO_BIT ? bit : first;
}

/* With a pure one, which need not be asked where there is one warp only. */
static uint32_t
pick_purely (const WpSm *sm, const WpScheduler *scheduler)
{
  Side *side = scheduler->outside;
  uint32_t first = show_ready (side), place, bit;
  int64_t until = WP_POLICY_FOREVER;

  if (side->view.oldest == side->view.youngest)
    return first;
  place = side->plugin->choose (side->self, &side->view, &until);
  bit = find_bit (side, place, first);
  side->asked = false;
  if (bit != WP_NO_BIT || sm->host->failed)
    return bit != WP_NO_BIT ? bit : first;
  end_run_for (side, place == WP_POLICY_NOBODY ? WP_POLICY_FAULT_NOBODY : WP_POLICY_FAULT_CHOICE,
               place);
  return first;
}

/* ---- What it is told ---- */

/* The wait of WARP in PLACE may have begun or ended. */
static void
tell_wait (Side *side, const WpWarp *warp, uint32_t place)
{
  const WpPolicyPlugin *plugin = side->plugin;
  uint32_t pipeline;
  int64_t until;
  WpPolicyWait why = find_wait (side->sm, warp, &pipeline, &until);
  WpPolicyWait was = (WpPolicyWait)side->told[place];

  side->told[place] = (uint8_t)why;
  if (why == was)
    return;
  if (was != WP_POLICY_WAIT_NONE && plugin->wait_ends != NULL)
    plugin->wait_ends (side->self, &side->view, place, was);
  if (why != WP_POLICY_WAIT_NONE && plugin->wait_begins != NULL)
    plugin->wait_begins (side->self, &side->view, place, why, pipeline, until);
}

static void
tell (WpSm *sm, WpScheduler *scheduler, uint32_t bit, WpTold what)
{
  Side *side = scheduler->outside;
  const WpWarp *warp = scheduler->warps[bit];
  uint32_t place = get_place (side, warp);

  side->view.now = sm->now;
  look_at_last (side);
  /* Else a visit would come to nothing, but be one more time that the run has come to. */
  if (wp_scheduler_has_arrived (scheduler))
    wp_sm_reschedule (sm, scheduler, sm->now);
  if (what != WP_TOLD_WAIT)
    side->told[place] = WP_POLICY_WAIT_NONE;
  if (what == WP_TOLD_LAUNCH && side->plugin->launched != NULL)
    side->plugin->launched (side->self, &side->view, place);
  if (what == WP_TOLD_END && side->plugin->ended != NULL)
    side->plugin->ended (side->self, &side->view, place);
  if (what != WP_TOLD_END)
    tell_wait (side, warp, place);
}

static void
tell_issue (WpSm *sm, WpScheduler *scheduler, uint32_t bit, uint32_t instr, uint64_t n)
{
  Side *side = scheduler->outside;
  const WpWarp *warp = scheduler->warps[bit];
  WpPolicyIssue issue = { .warp = get_place (side, warp), .n = (uint32_t)n };

  issue.index = warp->index - n;
  name_instr (sm->machine, warp->program, instr, &issue.pc, &issue.pipeline, &issue.op);
  side->view.now = sm->now;
  side->view.last = issue.warp;
  if (side->plugin->issued != NULL)
    side->plugin->issued (side->self, &side->view, &issue);
  tell_wait (side, warp, issue.warp);
}

static size_t
digest (const WpScheduler *scheduler, uint64_t *words, size_t room)
{
  const Side *side = scheduler->outside;

  return side->plugin->digest (side->self, words, room);
}

/* ---- Objects ---- */

static void
detach (WpScheduler *scheduler)
{
  Side *side = scheduler->outside;

  if (side->self != NULL && side->plugin->create != NULL && side->plugin->destroy != NULL)
    side->plugin->destroy (side->self);
  free (side->ready);
  free (side->told);
  free (side);
  scheduler->outside = NULL;
}

static void
init_view (Side *side, uint32_t sm)
{
  const WpMachine *m = side->sm->machine;

  side->view = (WpPolicyView){ .size = sizeof (WpPolicyView),
                               .ticks_per_cycle = m->ticks_per_cycle,
                               .sm = sm,
                               .scheduler = side->scheduler->id,
                               .n_schedulers = m->n_schedulers,
                               .n_slots = side->scheduler->n_slots,
                               .last = WP_POLICY_NOBODY,
                               .n_pipelines = m->n_pipelines,
                               .get_ready = get_ready,
                               .get_pipeline = get_pipeline,
                               .list = list,
                               .look = look,
                               .stop = stop,
                               .plugin = side->plugin };
  side->shift = (m->n_schedulers & (m->n_schedulers - 1)) == 0 ? wp_lowest_bit (m->n_schedulers)
                                                               : WP_NO_BIT;
}

static bool
attach (WpSm *sm, WpScheduler *scheduler, const char **problem)
{
  const Outside *outside = get_outside (sm->policy);
  const WpPolicyPlugin *plugin = outside->plugin;
  Side *side = calloc (1, sizeof *side);

  if (side == NULL)
    return false;
  side->plugin = plugin;
  side->sm = sm;
  side->scheduler = scheduler;
  side->ready = calloc (scheduler->n_slots + (size_t)1, sizeof *side->ready);
  side->told = calloc (scheduler->n_slots + (size_t)1, sizeof *side->told);
  scheduler->outside = side;
  if (side->ready == NULL || side->told == NULL)
    return false;
  init_view (side, plugin->pure ? 0 : sm->id);
  side->self = outside->knobs;
  if (plugin->create == NULL)
    return true;
  *problem = "it refuses, and does not say why (create() returned NULL)";
  side->self = plugin->create (&side->view, outside->knobs, problem);
  if (side->self != NULL)
    *problem = NULL;
  return side->self != NULL;
}

static bool
are_knobs_good (const WpPolicyPlugin *plugin)
{
  for (uint32_t i = 0; i < plugin->n_knobs; i++)
    {
      const WpPolicyKnob *knob = &plugin->knobs[i];

      if (knob->name == NULL || knob->name[0] == '\0' || knob->text == NULL
          || knob->value < knob->min || knob->value > knob->max)
        return false;
      for (uint32_t k = 0; k < i; k++)
        if (strcmp (plugin->knobs[k].name, knob->name) == 0)
          return false;
    }
  return true;
}

const char *
wp_policy_plugin_check (const WpPolicyPlugin *plugin)
{
  bool listens = plugin->launched != NULL || plugin->issued != NULL || plugin->ended != NULL
                 || plugin->wait_begins != NULL || plugin->wait_ends != NULL
                 || plugin->digest != NULL;

  if (plugin->choose == NULL)
    return "it has no choose()";
  if (plugin->pure && listens)
    return "it says that it is pure, but wants to be told of warps; leave out one";
  if (plugin->n_knobs > 0 && (plugin->knobs == NULL || !are_knobs_good (plugin)))
    return "a knob has no name, the name of another, no text, or a value beyond its range";
  return NULL;
}

static char *
copy_name (const char *name)
{
  char *copy = malloc (strlen (name) + 1);

  return copy == NULL ? NULL : strcpy (copy, name);
}

WpPolicy *
wp_policy_plugin_new (const WpPolicyPlugin *plugin, const char *name, const int64_t *knobs)
{
  Outside *outside = calloc (1, sizeof *outside);

  if (outside == NULL)
    return NULL;
  outside->plugin = plugin;
  outside->name = copy_name (name);
  outside->knobs = calloc (plugin->n_knobs + (size_t)1, sizeof *knobs);
  if (outside->name == NULL || outside->knobs == NULL)
    {
      free (outside->name);
      free (outside->knobs);
      free (outside);
      return NULL;
    }
  if (plugin->n_knobs > 0)
    memcpy (outside->knobs, knobs, plugin->n_knobs * sizeof *knobs);
  outside->policy = (WpPolicy){ .name = outside->name,
                                .summary = plugin->text != NULL ? plugin->text : "",
                                .by_age = true,
                                .choice = WP_CHOICE_PICK,
                                .pick = plugin->pure ? pick_purely : pick,
                                .declines = !plugin->pure,
                                .attach = attach,
                                .detach = detach,
                                .tell = plugin->pure ? NULL : tell,
                                .tell_issue = plugin->pure ? NULL : tell_issue,
                                .digest = plugin->digest != NULL ? digest : NULL };
  return &outside->policy;
}

void
wp_policy_plugin_free (const WpPolicy *policy)
{
  const Outside *outside = get_outside (policy);

  if (policy == NULL || policy->attach == NULL)
    return;
  free (outside->name);
  free (outside->knobs);
  free ((void *)outside);
}

const WpPolicyPlugin *
wp_policy_get_plugin (const WpPolicy *policy)
{
  return policy->attach == NULL ? NULL : get_outside (policy)->plugin;
}

const int64_t *
wp_policy_get_knobs (const WpPolicy *policy)
{
  return policy->attach == NULL ? NULL : get_outside (policy)->knobs;
}
