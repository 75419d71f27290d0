/* SPDX-License-Identifier: MIT */
#include "exec/machine/wp-handoffs.h"

#include "exec/machine/wp-kernel-code.h"

#include <string.h>

#define MAX_SITES 256    /* that ask... */
#define MAX_ARRIVALS 128 /* ...and arrive */
#define OF_WAIT WP_HANDOFF_BARRIERS
#define OF_ARRIVAL (WP_HANDOFF_BARRIERS * WP_HANDOFF_SETS * WP_HANDOFF_PENDING)
#define NO_COPIES (WP_HANDOFF_PENDING - 1)

typedef struct
{
  guint32 id;       /* when it has ended; 0: there was none */
  guint32 need;     /* phases up to this one were over before it */
  guint32 comings;  /* of those that arrive */
  gboolean is_late; /* some of these are */
  guint64 waited;   /* warps that have waited for it */
  guint64 told;     /* whom late comings were for that had waited by then; 0: none yet */
} Phase;

typedef struct
{
  Phase open, ended;
  guint64 waiters;               /* of all phases before these */
  guint32 parted;                /* as in the result */
  guint32 comings;               /* in each of those that were waited for; 0: none */
  gboolean is_plain;             /* some come when they arrive: for all that ever wait */
  gboolean is_uneven;            /* not the same warps wait for each phase, up to the last one... */
  gboolean is_lost;              /* ...and for whom late comings are is not known in time */
  gboolean has_stopped;          /* nobody has waited for a phase */
  guint32 index;                 /* of the last step that arrived or waited */
  guint32 serials[WP_MAX_WARPS]; /* the last instruction of each warp that arrived in `open` */
} Barrier;

/* A coming that is put off. */
typedef struct
{
  guint barrier;
  guint32 id;           /* of the phase; 0: it is open */
  guint32 copies;       /* groups that the warp had ended; 0: it has made none for it */
  WpHandoffQueue queue; /* of them */
  guint32 site;         /* of the step */
  gboolean is_told;     /* it has come, for all that ever wait */
  guint64 waited;       /* known once the next phase has ended; 0: not yet */
} Late;

struct WpHandoffs
{
  const WpBlock *block;
  const WpKernelCode *code;
  const guint32 (*commits)[WP_MAX_WARPS]; /* by queue */
  Barrier barriers[WP_HANDOFF_BARRIERS];
  GArray *late[WP_MAX_WARPS];       /* of Late; NULL: none */
  guint32 seen[WP_MAX_WARPS];       /* the phase up to which each warp has seen them */
  guint32 serial[WP_MAX_WARPS];     /* instructions by which each has arrived */
  guint32 seen_at_bar;              /* by any that came to BAR */
  const WpStep *held[WP_MAX_WARPS]; /* BAR that each waits at, and... */
  guint32 held_mask[WP_MAX_WARPS];  /* ...with which lanes; NULL: its trail has it, or none */
  guint64 came_to_bar;
  guint64 sets[WP_HANDOFF_SETS];
  guint32 doubt; /* the first step, + 1 */
  gboolean has_ended;
};

WpHandoffs *
wp_handoffs_new (const WpBlock *block, const guint32 (*commits)[WP_MAX_WARPS])
{
  WpHandoffs *handoffs = g_new0 (WpHandoffs, 1);

  handoffs->block = block;
  handoffs->code = block->grid->code;
  handoffs->commits = commits;
  return handoffs;
}

void
wp_handoffs_free (WpHandoffs *handoffs)
{
  for (guint k = 0; k < WP_MAX_WARPS; k++)
    g_clear_pointer (&handoffs->late[k], g_array_unref);
  g_free (handoffs);
}

void
wp_handoffs_begin (WpHandoffs *handoffs)
{
  memset (handoffs->barriers, 0, sizeof handoffs->barriers);
  memset (handoffs->seen, 0, sizeof handoffs->seen);
  memset (handoffs->serial, 0, sizeof handoffs->serial);
  memset (handoffs->sets, 0, sizeof handoffs->sets);
  for (guint k = 0; k < WP_MAX_WARPS; k++)
    if (handoffs->late[k])
      g_array_set_size (handoffs->late[k], 0);
  handoffs->seen_at_bar = handoffs->doubt = 0;
  handoffs->came_to_bar = 0;
  handoffs->has_ended = FALSE;
  memset (handoffs->held, 0, sizeof handoffs->held);
}

static void
join_doubt (guint32 *doubt, guint32 more)
{
  if (more && (!*doubt || more < *doubt))
    *doubt = more;
}

WpHandoffQueue
wp_handoffs_get_queue (const WpStep *step)
{
  return step->instr->op == WP_SASS_UTCBAR ? WP_QUEUE_PRODUCTS : WP_QUEUE_COPIES;
}

/* The groups that WARP has ended since LATE was for those until then. */
static guint32
count_since (const WpHandoffs *handoffs, const WpWarp *warp, const Late *late)
{
  return handoffs->commits[late->queue][warp->number] - late->copies;
}

/* The account of BARRIER, which step INDEX has to do with. NULL, with a doubt: of so many none is
 * kept. */
static Barrier *
get_barrier (WpHandoffs *handoffs, guint barrier, guint32 index)
{
  if (barrier >= WP_HANDOFF_BARRIERS)
    {
      join_doubt (&handoffs->doubt, index + 1);
      return NULL;
    }
  handoffs->barriers[barrier].index = index;
  return &handoffs->barriers[barrier];
}

/* The phases that WARP has seen the end of. */
static guint32
get_seen (const WpHandoffs *handoffs, guint warp)
{
  const gboolean came = handoffs->came_to_bar >> warp & 1;

  return came ? MAX (handoffs->seen[warp], handoffs->seen_at_bar) : handoffs->seen[warp];
}

guint64
wp_handoffs_get_sharers (const WpHandoffsResult *result, const WpKernelCode *code, guint barrier,
                         guint warp)
{
  const guint group = warp / WP_WARPGROUP;

  if (!code->has_products || (result->parted[barrier] >> group & 1))
    return (guint64)1 << warp;
  return (guint64)((1u << WP_WARPGROUP) - 1) << group * WP_WARPGROUP;
}

/* ---- Numbers of trails ---- */

guint32
wp_handoffs_count_indices (const WpKernelCode *code)
{
  return MIN (code->n_sites, MAX_SITES) * OF_WAIT
         + MIN (code->n_arrivals, MAX_ARRIVALS) * OF_ARRIVAL;
}

void
wp_handoffs_decode (const WpKernelCode *code, guint32 index, WpHandoff *handoff)
{
  const guint32 waits = MIN (code->n_sites, MAX_SITES) * OF_WAIT;
  guint32 number = index - code->first_handoff;

  *handoff = (WpHandoff){ .arrives = number >= waits, .pending = -1 };
  if (!handoff->arrives)
    {
      handoff->index = code->sites[number / OF_WAIT];
      handoff->barrier = number % OF_WAIT;
      return;
    }
  number -= waits;
  handoff->index = code->arrivals[number / OF_ARRIVAL];
  handoff->is_late = code->steps[handoff->index].arrival == WP_ARRIVAL_LATE;
  handoff->queue = wp_handoffs_get_queue (&code->steps[handoff->index]);
  if (number % WP_HANDOFF_PENDING != NO_COPIES)
    handoff->pending = number % WP_HANDOFF_PENDING;
  number /= WP_HANDOFF_PENDING;
  handoff->set = number % WP_HANDOFF_SETS;
  handoff->barrier = number / WP_HANDOFF_SETS % WP_HANDOFF_BARRIERS;
}

static void
add_wait (const WpHandoffs *handoffs, WpWarp *warp, guint32 site, guint barrier, guint32 mask)
{
  wp_trail_add (&warp->trail, handoffs->code->first_handoff + site * OF_WAIT + barrier, mask);
}

static void
add_arrival (const WpHandoffs *handoffs, WpWarp *warp, guint32 site, guint barrier, guint set,
             guint pending)
{
  const WpKernelCode *code = handoffs->code;
  const guint32 first = code->first_handoff + MIN (code->n_sites, MAX_SITES) * OF_WAIT;
  const guint32 place = (barrier * WP_HANDOFF_SETS + set) * WP_HANDOFF_PENDING + pending;

  wp_trail_add (&warp->trail, first + site * OF_ARRIVAL + place, 1);
}

/* ---- Comings that are put off ---- */

/* The number of the set WARPS; 0: there are too many. */
static guint
find_set (WpHandoffs *handoffs, guint64 warps)
{
  for (guint k = 1; k < WP_HANDOFF_SETS; k++)
    {
      if (handoffs->sets[k] == 0)
        handoffs->sets[k] = warps;
      if (handoffs->sets[k] == warps)
        return k;
    }
  return 0;
}

/* WARP comes for LATE by SET. */
static void
add_late (WpHandoffs *handoffs, WpWarp *warp, const Late *late, guint set)
{
  Barrier *barrier = &handoffs->barriers[late->barrier];
  const guint32 pending = count_since (handoffs, warp, late);

  if (late->copies != 0 && pending >= NO_COPIES)
    join_doubt (&handoffs->doubt, barrier->index + 1);
  add_arrival (handoffs, warp, late->site, late->barrier, set,
               late->copies == 0 ? NO_COPIES : MIN (pending, NO_COPIES));
}

/* WARP comes now for all that it has put off, for whoever waits: it is about to wait itself. Not
 * for a phase for which it has made no copies yet, as where a compiler asks for the next stage
 * between what expects the bytes of this one and the copies: nobody waits through that before. */
static void
come_soon (WpHandoffs *handoffs, WpWarp *warp)
{
  GArray *late = handoffs->late[warp->number];

  for (guint k = 0; late && k < late->len; k++)
    {
      Late *one = &g_array_index (late, Late, k);

      if (one->is_told || (one->copies == 0 && one->id == 0 && !handoffs->has_ended))
        continue;
      add_late (handoffs, warp, one, 0);
      one->is_told = TRUE;
    }
}

/* WARP comes for LATE, now that it must, for those that have waited for the phase: if others do
 * later, or none have, it is lost for whom it comes. A phase that nobody has waited for at the end
 * of the block needs nobody. */
static void
come (WpHandoffs *handoffs, WpWarp *warp, const Late *late)
{
  Barrier *barrier = &handoffs->barriers[late->barrier];
  Phase *phase = late->id == barrier->ended.id ? &barrier->ended : NULL;
  const guint64 waited = phase ? phase->waited : late->waited;
  guint set;

  if (waited == 0)
    {
      barrier->is_lost |= phase != NULL && !handoffs->has_ended;
      return;
    }
  if (phase && phase->told != 0)
    barrier->is_lost |= phase->told != waited;
  else if (phase)
    phase->told = waited;
  set = find_set (handoffs, waited);
  if (set == 0 || count_since (handoffs, warp, late) >= NO_COPIES)
    barrier->is_lost = TRUE;
  else
    add_late (handoffs, warp, late, set);
}

/* WARP comes for those phases that it has put off and that have ended, up to number LAST. */
static void
come_up_to (WpHandoffs *handoffs, WpWarp *warp, guint32 last)
{
  GArray *late = handoffs->late[warp->number];
  guint kept = 0;

  if (!late)
    return;
  for (guint k = 0; k < late->len; k++)
    {
      const Late one = g_array_index (late, Late, k);

      if (one.id != 0 && one.id <= last)
        come (handoffs, warp, &one);
      else
        g_array_index (late, Late, kept++) = one;
    }
  g_array_set_size (late, kept);
}

/* What NUMBER of the warps has put off for the open phase of BARRIER; NULL: nothing. */
static Late *
find_late (const WpHandoffs *handoffs, guint number, guint barrier)
{
  GArray *late = handoffs->late[number];

  for (guint k = late ? late->len : 0; k-- > 0;)
    {
      Late *one = &g_array_index (late, Late, k);

      if (one->barrier == barrier && one->id == 0)
        return one;
    }
  return NULL;
}

static void
put_off (WpHandoffs *handoffs, const WpWarp *warp, const WpStep *step, guint number, guint32 copies)
{
  const WpHandoffQueue queue = wp_handoffs_get_queue (step);
  Barrier *barrier = &handoffs->barriers[number];
  GArray **late = &handoffs->late[warp->number];
  Late *one = find_late (handoffs, warp->number, number);

  if (!one)
    {
      const Late new = { .barrier = number };

      if (!*late)
        *late = g_array_new (FALSE, FALSE, sizeof (Late));
      g_array_append_val (*late, new);
      one = &g_array_index (*late, Late, (*late)->len - 1);
      barrier->open.comings++;
      barrier->open.is_late = TRUE;
    }
  /* It was told of less than this, or waits for both kinds. */
  if (one->is_told || (one->copies != 0 && copies != 0 && one->queue != queue))
    join_doubt (&handoffs->doubt, step->index + 1);
  if (copies != 0)
    one->queue = queue;
  one->copies = MAX (one->copies, copies);
  if (copies != 0 || one->copies == 0)
    one->site = step->site;
}

/* ---- Arrivals and phases ---- */

void
wp_handoffs_begin_arrivals (WpHandoffs *handoffs, const WpWarp *warp)
{
  handoffs->serial[warp->number]++;
}

void
wp_handoffs_arrive (WpHandoffs *handoffs, WpWarp *warp, const WpStep *step, guint number,
                    guint32 copies, gboolean is_late)
{
  Barrier *barrier = get_barrier (handoffs, number, step->index);

  if (!barrier)
    return;
  if (step->site >= MAX_ARRIVALS)
    {
      join_doubt (&handoffs->doubt, step->index + 1);
      return;
    }
  barrier->open.need = MAX (barrier->open.need, get_seen (handoffs, warp->number));
  if (is_late)
    {
      put_off (handoffs, warp, step, number, copies);
      return;
    }
  if (barrier->serials[warp->number] == handoffs->serial[warp->number])
    return; /* another lane */
  barrier->serials[warp->number] = handoffs->serial[warp->number];
  barrier->open.comings++;
  barrier->is_plain = TRUE;
  if (barrier->ended.id != 0 && (barrier->waiters & ~barrier->ended.waited) != 0)
    barrier->is_uneven = TRUE; /* it would count for a phase that is still waited for */
  add_arrival (handoffs, warp, step->site, number, 0, NO_COPIES);
}

/* The groups of which WARPS has some, and not all: a bit for each. */
static guint32
find_parted (guint64 warps)
{
  guint32 parted = 0;

  for (guint group = 0; group < WP_MAX_WARPS / WP_WARPGROUP; group++)
    {
      const guint64 part = warps >> group * WP_WARPGROUP & ((1u << WP_WARPGROUP) - 1);

      if (part != 0 && part != (1u << WP_WARPGROUP) - 1)
        parted |= 1u << group;
    }
  return parted;
}

/* The last phase of BARRIER that has ended can be waited for no more. */
static void
retire (WpHandoffs *handoffs, guint number)
{
  Barrier *barrier = &handoffs->barriers[number];
  const Phase *phase = &barrier->ended;

  if (phase->id == 0)
    return;
  for (guint k = 0; phase->is_late && k < WP_MAX_WARPS; k++)
    for (guint i = 0; handoffs->late[k] && i < handoffs->late[k]->len; i++)
      {
        Late *late = &g_array_index (handoffs->late[k], Late, i);

        if (late->id == phase->id)
          late->waited = phase->waited;
      }
  if (phase->waited == 0)
    {
      barrier->has_stopped = TRUE;
      return;
    }
  if (barrier->has_stopped || (barrier->waiters != 0 && barrier->waiters != phase->waited))
    barrier->is_uneven = TRUE;
  if (barrier->comings != 0 && barrier->comings != phase->comings)
    join_doubt (&handoffs->doubt, barrier->index + 1);
  barrier->is_lost |= phase->told != 0 && phase->told != phase->waited;
  barrier->comings = phase->comings;
  barrier->waiters |= phase->waited;
  barrier->parted |= find_parted (phase->waited);
}

void
wp_handoffs_end_phase (WpHandoffs *handoffs, guint number, guint32 id)
{
  Barrier *barrier = number < WP_HANDOFF_BARRIERS ? &handoffs->barriers[number] : NULL;

  if (!barrier)
    return;
  retire (handoffs, number);
  for (guint k = 0; barrier->open.is_late && k < WP_MAX_WARPS; k++)
    {
      Late *late = find_late (handoffs, k, number);

      if (!late)
        continue;
      if (!late->is_told)
        add_late (handoffs, handoffs->block->warps[k], late, 0);
      late->is_told = TRUE;
      late->id = id;
    }
  barrier->ended = barrier->open;
  barrier->ended.id = id;
  barrier->open = (Phase){ .id = 0 };
  memset (barrier->serials, 0, sizeof barrier->serials);
}

void
wp_handoffs_borrow_copies (WpHandoffs *handoffs, guint number)
{
  for (guint k = 0; k < WP_MAX_WARPS; k++)
    {
      Late *late = find_late (handoffs, k, number);

      if (!late || late->copies != 0)
        continue;
      late->copies = handoffs->commits[WP_QUEUE_COPIES][k];
      late->queue = WP_QUEUE_COPIES;
    }
}

void
wp_handoffs_add_doubt (WpHandoffs *handoffs, guint32 index)
{
  join_doubt (&handoffs->doubt, index + 1);
}

void
wp_handoffs_set_up (WpHandoffs *handoffs, guint number)
{
  Barrier *barrier = number < WP_HANDOFF_BARRIERS ? &handoffs->barriers[number] : NULL;

  if (!barrier)
    return;
  if (barrier->open.comings > 0 || (barrier->ended.id != 0 && barrier->ended.waited == 0))
    join_doubt (&handoffs->doubt, barrier->index + 1);
}

/* ---- Waits ---- */

void
wp_handoffs_wait (WpHandoffs *handoffs, WpWarp *warp, const WpStep *step, guint number,
                  guint32 mask)
{
  Barrier *barrier = get_barrier (handoffs, number, step->index);
  guint32 last;

  if (!barrier || (barrier->ended.waited >> warp->number & 1))
    return;
  if (step->site >= MAX_SITES)
    {
      join_doubt (&handoffs->doubt, step->index + 1);
      return;
    }
  last = barrier->ended.is_late ? barrier->ended.id : barrier->ended.need;
  barrier->ended.waited |= (guint64)1 << warp->number;
  come_soon (handoffs, warp);
  come_up_to (handoffs, warp, last);
  handoffs->seen[warp->number] = MAX (handoffs->seen[warp->number], last);
  add_wait (handoffs, warp, step->site, number, mask);
}

void
wp_handoffs_come_to_bar (WpHandoffs *handoffs, const WpWarp *warp)
{
  handoffs->seen_at_bar = MAX (handoffs->seen_at_bar, get_seen (handoffs, warp->number));
  handoffs->came_to_bar |= (guint64)1 << warp->number;
}

gboolean
wp_handoffs_hold_bar (WpHandoffs *handoffs, WpWarp *warp, const WpStep *step, guint32 mask)
{
  const GArray *late = handoffs->late[warp->number];

  come_soon (handoffs, warp);
  if (!late || late->len == 0 || handoffs->held[warp->number])
    return FALSE;
  handoffs->held[warp->number] = step;
  handoffs->held_mask[warp->number] = mask;
  return TRUE;
}

void
wp_handoffs_leave_bar (WpHandoffs *handoffs, WpWarp *warp)
{
  const WpStep *step = handoffs->held[warp->number];

  if (!step)
    return;
  handoffs->held[warp->number] = NULL;
  come_up_to (handoffs, warp, handoffs->seen_at_bar);
  wp_trail_add (&warp->trail, step->index, handoffs->held_mask[warp->number]);
}

/* ---- The end ---- */

static void
join_barrier (const WpHandoffs *handoffs, guint number, WpHandoffsResult *result)
{
  const Barrier *barrier = &handoffs->barriers[number];
  guint32 *comings = &result->comings[number];

  if (barrier->comings != 0 && *comings != 0 && barrier->comings != *comings)
    join_doubt (&result->doubt, barrier->index + 1);
  *comings = MAX (*comings, barrier->comings);
  result->waiters[number] |= barrier->waiters;
  result->parted[number] |= barrier->parted;
  result->is_uneven[number] |= barrier->is_uneven;
  result->is_fixed[number] |= barrier->is_plain || barrier->is_lost;
}

void
wp_handoffs_end (WpHandoffs *handoffs, WpHandoffsResult *result)
{
  const WpBlock *block = handoffs->block;

  handoffs->has_ended = TRUE;
  for (guint k = 0; k < block->n_warps; k++)
    {
      come_soon (handoffs, block->warps[k]);
      come_up_to (handoffs, block->warps[k], G_MAXUINT32);
    }
  for (guint k = 0; k < WP_HANDOFF_BARRIERS; k++)
    {
      retire (handoffs, k);
      join_barrier (handoffs, k, result);
    }
  for (guint k = 1; k < WP_HANDOFF_SETS; k++)
    {
      if (result->sets[k] != 0 && handoffs->sets[k] != 0 && result->sets[k] != handoffs->sets[k])
        join_doubt (&result->doubt, G_MAXUINT32); /* blocks differ */
      if (result->sets[k] == 0)
        result->sets[k] = handoffs->sets[k];
    }
  join_doubt (&result->doubt, handoffs->doubt);
}
