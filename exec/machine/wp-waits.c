/* SPDX-License-Identifier: MIT */
/* A barrier's phase is bit 31 of the upper one of its words, on all GPUs that have them; it is 0
 * when the barrier is set up. A lane asks with the bit of the phase that it waits for, which is
 * over as soon as the barrier's is the other one.
 *
 * Of a barrier the phase that is open and the one before it are known: a warp that has not waited
 * for a phase when the next one ends can wait for it no more. */
#include "exec/machine/wp-waits.h"

#include "exec/machine/wp-address.h"
#include "exec/machine/wp-cluster.h"
#include "exec/machine/wp-diverge.h"
#include "exec/machine/wp-handoffs.h"
#include "exec/machine/wp-kernel-code.h"
#include "exec/machine/wp-waits-order.h"

#include <string.h>

#define N_SETS (WP_WAITS_ALONE + 1)
#define N_PENDING 16 /* 0 to 14 groups of copies; the last: waits for none */
#define MAX_SITES 256
#define MAX_BARRIERS 1024
#define NO_ADDRESS G_MAXUINT32

/* Those of other blocks of the cluster that arrive in a phase, or copy. */
typedef struct
{
  guint64 warps;      /* by their numbers */
  guint64 n_executed; /* what one of them had executed by then, at most */
} Outside;

typedef struct
{
  guint32 address;
  guint8 bit;              /* of the phase that is open */
  gboolean has_ended;      /* a phase has */
  guint32 id;              /* of the last one that has */
  guint32 index;           /* of a step that waited for it, else that arrived last */
  guint64 arriving;        /* warps, in the open phase */
  guint64 arrived, waited; /* in the last one that ended: those that arrived, and have waited */
  gboolean has_bytes[2];   /* copies in bulk, or products, belong to the open phase, to the last
                              one that ended */
  Outside outside[2];      /* in the open phase, in the last one that ended */
  /* How many groups of copies a warp had ended when one arrived here, in the open phase and in the
   * last one that ended; 0: none did. */
  guint32 copies[2][WP_MAX_WARPS];
  guint32 copies_before[WP_MAX_WARPS]; /* that each had made in bulk when the last phase ended, of
                                        * blocks in clusters */
  guint64 products[2];                 /* warps for which it was one of products */
} Barrier;

struct WpWaits
{
  const WpKernelCode *code;
  GArray *barriers;        /* of Barrier */
  guint32 lowest, highest; /* of their addresses */
  guint32 last_address;    /* of the barrier that was looked for last, and... */
  guint last;              /* ...its number */
  guint n_warps;
  gboolean has_cluster;
  guint32 commits[WP_N_QUEUES][WP_MAX_WARPS]; /* groups that each warp has ended */
  guint64 sets[WP_MAX_WARPS];
  guint32 doubts[WP_N_DOUBTS];
  guint32 n_ended;      /* phases */
  gboolean is_used;     /* a warp has arrived, or asked */
  gboolean is_asked;    /* a warp has asked */
  gboolean has_met;     /* warps have waited */
  guint32 has_borrowed; /* a step that waits for nothing but what other blocks copy, + 1; 0: none */
  guint32 n_borrowed, n_stale; /* such phases; with no new copies since the one before */
  guint32 odd_bar; /* the first BAR of changing warps, or that does not wait, + 1; 0: none */
  WpWaitsOrder order;
  WpHandoffs *handoffs;
};

/* ---- Doubts ---- */

static void
join_doubt (guint32 *doubt, guint32 more)
{
  if (more && (!*doubt || more < *doubt))
    *doubt = more;
}

static void
add_doubt (WpWaits *waits, guint32 index, WpDoubt doubt)
{
  join_doubt (&waits->doubts[doubt], index + 1);
}

/* ---- Made, begun, ended ---- */

WpWaits *
wp_waits_new (const WpBlock *block)
{
  WpWaits *waits;

  if (!block->grid->code->waits_by_asking)
    return NULL;
  waits = g_new0 (WpWaits, 1);
  waits->code = block->grid->code;
  waits->n_warps = block->n_warps;
  waits->has_cluster = block->grid->cluster_blocks > 1;
  waits->barriers = g_array_new (FALSE, TRUE, sizeof (Barrier));
  waits->handoffs = wp_handoffs_new (block, waits->commits);
  return waits;
}

void
wp_waits_free (WpWaits *waits)
{
  if (!waits)
    return;
  g_array_unref (waits->barriers);
  wp_waits_order_clear (&waits->order);
  wp_handoffs_free (waits->handoffs);
  g_free (waits);
}

void
wp_waits_begin (WpWaits *waits)
{
  if (!waits)
    return;
  g_array_set_size (waits->barriers, 0);
  memset (waits->commits, 0, sizeof waits->commits);
  memset (waits->sets, 0, sizeof waits->sets);
  memset (waits->doubts, 0, sizeof waits->doubts);
  waits->n_ended = waits->odd_bar = waits->highest = waits->has_borrowed = 0;
  waits->n_borrowed = waits->n_stale = 0;
  waits->lowest = waits->last_address = G_MAXUINT32;
  waits->is_used = waits->is_asked = waits->has_met = FALSE;
  wp_waits_order_begin (&waits->order);
  wp_handoffs_begin (waits->handoffs);
}

static guint64
get_all (const WpWaits *waits)
{
  return waits->n_warps == 64 ? G_MAXUINT64 : ((guint64)1 << waits->n_warps) - 1;
}

/* The warps that are to wait for the last phase of BARRIER that ended: those that arrived, or all
 * where one did for the others, as copies come there. */
static guint64
get_members (const WpWaits *waits, const Barrier *barrier)
{
  const gboolean is_one = (barrier->arrived & (barrier->arrived - 1)) == 0;

  return barrier->has_bytes[1] && is_one ? get_all (waits) : barrier->arrived;
}

/* The phase before the open one can be waited for no more. That nobody has is well. */
static void
check_phase (WpWaits *waits, const Barrier *barrier)
{
  if (barrier->waited != 0 && barrier->waited != get_members (waits, barrier))
    add_doubt (waits, barrier->index, WP_DOUBT_OTHERS);
}

/* Whether a warp has copied. */
static gboolean
has_copied (const WpWaits *waits)
{
  for (guint k = 0; k < waits->n_warps; k++)
    if (waits->commits[WP_QUEUE_COPIES][k] > 0)
      return TRUE;
  return FALSE;
}

/* What is not followed where it waits for others, about step INDEX. */
static void
add_doubts (WpWaits *waits, guint32 index)
{
  add_doubt (waits, index, WP_DOUBT_UNSEEN);
  wp_handoffs_add_doubt (waits->handoffs, index);
}

static void
check_block (WpWaits *waits, const WpBlock *block)
{
  for (guint k = 0; k < waits->barriers->len; k++)
    {
      const Barrier *barrier = &g_array_index (waits->barriers, Barrier, k);

      check_phase (waits, barrier);
      if (!waits->is_asked) /* the code asks in a way that is not known */
        add_doubt (waits, barrier->index, WP_DOUBT_UNSEEN);
    }
  if (waits->has_borrowed && (!has_copied (waits) || waits->n_stale > waits->n_borrowed / 4))
    add_doubts (waits, waits->has_borrowed - 1);
  if (!waits->has_met)
    return;
  if (waits->odd_bar)
    add_doubt (waits, waits->odd_bar - 1, WP_DOUBT_ORDER);
  else if (!wp_waits_order_end (&waits->order, block))
    add_doubt (waits, g_array_index (waits->barriers, Barrier, 0).index, WP_DOUBT_ORDER);
}

void
wp_waits_end (const WpBlock *block, WpWaitsResult *result)
{
  WpWaits *waits = block->waits;

  if (!waits)
    return;
  check_block (waits, block);
  wp_handoffs_end (waits->handoffs, &result->handoffs);
  result->is_used |= waits->is_used;
  for (guint k = 0; k < WP_MAX_WARPS; k++)
    {
      if (waits->sets[k] && result->sets[k] && waits->sets[k] != result->sets[k])
        join_doubt (&result->doubts[WP_DOUBT_OTHERS], WP_DOUBT_NOWHERE);
      result->sets[k] = result->sets[k] ? result->sets[k] : waits->sets[k];
    }
  for (guint k = 0; k < WP_N_DOUBTS; k++)
    join_doubt (&result->doubts[k], waits->doubts[k]);
}

/* ---- Phases ---- */

/* Mostly it is the one that was looked for last. */
static Barrier *
find_barrier (WpWaits *waits, guint32 address)
{
  if (address < waits->lowest || address > waits->highest)
    return NULL;
  if (waits->last_address == address)
    return &g_array_index (waits->barriers, Barrier, waits->last);
  for (guint k = 0; k < waits->barriers->len; k++)
    {
      Barrier *barrier = &g_array_index (waits->barriers, Barrier, k);

      if (barrier->address != address)
        continue;
      waits->last = k;
      waits->last_address = address;
      return barrier;
    }
  return NULL;
}

/* The barrier at ADDRESS, which a warp has to do with for the first time or again. NULL, with a
 * doubt about INDEX: there are too many. */
static Barrier *
get_barrier (WpWaits *waits, guint32 address, guint32 index)
{
  const Barrier new = { .address = address, .index = index };
  Barrier *barrier = find_barrier (waits, address);

  if (barrier || waits->barriers->len == MAX_BARRIERS)
    {
      if (!barrier)
        add_doubt (waits, index, WP_DOUBT_MANY);
      return barrier;
    }
  g_array_append_val (waits->barriers, new);
  waits->lowest = MIN (waits->lowest, address);
  waits->highest = MAX (waits->highest, address);
  return find_barrier (waits, address);
}

/* Reads the upper word of the barrier at ADDRESS. FALSE: it is not known, or there is none. */
static gboolean
read_phase (const WpBlock *block, guint32 address, guint32 *word)
{
  const guint32 upper = address + 4;

  if (address % 8 != 0 || (guint64)upper + 4 > block->grid->shared_bytes
      || (block->shared_unknown[upper / 64] >> upper % 64 & 0xf) != 0)
    return FALSE;
  memcpy (word, block->shared + upper, sizeof *word);
  return TRUE;
}

/* The number of BARRIER, in the order of their first use; in clusters, of their being set up: what
 * others do there first may come sooner in one block than in another. */
static guint
get_number (const WpWaits *waits, const Barrier *barrier)
{
  return (guint)(barrier - (const Barrier *)(gconstpointer)waits->barriers->data);
}

/* Whether warps of the block itself copy for the open phase of BARRIER. */
static gboolean
has_copies (const WpWaits *waits, const Barrier *barrier)
{
  for (guint k = 0; k < waits->n_warps; k++)
    if (barrier->copies[0][k] > 0)
      return TRUE;
  return FALSE;
}

/* All bytes of the open phase of BARRIER, which ends, come from other blocks of the cluster, if its
 * own do not copy for it. They are taken to come when the copies are done that those who expect
 * them have made by now: all blocks of a cluster do about the same at the same time. */
static void
borrow_copies (WpWaits *waits, Barrier *barrier)
{
  gboolean is_new = FALSE;

  if (has_copies (waits, barrier))
    return;
  waits->has_borrowed = MAX (waits->has_borrowed, barrier->index + 1);
  waits->n_borrowed++;
  for (guint k = 0; k < waits->n_warps; k++)
    if (barrier->arriving >> k & 1)
      {
        barrier->copies[0][k] = waits->commits[WP_QUEUE_COPIES][k];
        is_new |= barrier->copies[0][k] > barrier->copies_before[k];
      }
  waits->n_stale += !is_new;
  wp_handoffs_borrow_copies (waits->handoffs, get_number (waits, barrier));
}

static void
end_phase (WpWaits *waits, Barrier *barrier)
{
  check_phase (waits, barrier);
  if (barrier->outside[0].warps != 0 && barrier->arriving != 0 && barrier->has_bytes[0])
    borrow_copies (waits, barrier);
  barrier->bit ^= 1;
  barrier->has_ended = TRUE;
  barrier->id = ++waits->n_ended;
  barrier->arrived = barrier->arriving;
  barrier->arriving = barrier->waited = 0;
  barrier->has_bytes[1] = barrier->has_bytes[0];
  barrier->has_bytes[0] = FALSE;
  memcpy (barrier->copies[1], barrier->copies[0], sizeof barrier->copies[0]);
  if (waits->has_cluster)
    memcpy (barrier->copies_before, waits->commits[WP_QUEUE_COPIES], sizeof barrier->copies_before);
  barrier->outside[1] = barrier->outside[0];
  barrier->outside[0] = (Outside){ .warps = 0 };
  memset (barrier->copies[0], 0, sizeof barrier->copies[0]);
  barrier->products[1] = barrier->products[0];
  barrier->products[0] = 0;
  wp_handoffs_end_phase (waits->handoffs, get_number (waits, barrier), barrier->id);
}

/* Whether STEP, SYNCS, tells a barrier of bytes that have come as if they were those of a copy. */
static gboolean
tells_of_bytes (const WpStep *step)
{
  return wp_step_has_text (step, "A0TX");
}

/* Whether OP has copies, or products, of its warp arrive: those until then are a group. */
static gboolean
ends_group (WpSassOp op)
{
  return op == WP_SASS_ARRIVES || op == WP_SASS_UTCBAR;
}

void
wp_waits_begin_arrivals (WpWarp *warp, const WpStep *step)
{
  WpWaits *waits = warp->block->waits;
  const WpSassOp op = (WpSassOp)step->instr->op;

  if (!waits)
    return;
  waits->is_used = TRUE;
  if (ends_group (op))
    waits->commits[wp_handoffs_get_queue (step)][warp->number]++;
  wp_handoffs_begin_arrivals (waits->handoffs, warp);
  if (op == WP_SASS_ARRIVES ? waits->code->has_groups
                            : op == WP_SASS_SYNCS && tells_of_bytes (step))
    add_doubt (waits, step->index, WP_DOUBT_UNSEEN);
}

/* As wp_waits_arrive(). HAS_COPIES: for what WARP has copied until now; HAS_BYTES: in bulk. */
static void
arrive (WpWarp *warp, const WpStep *step, guint32 address, guint64 old, gboolean has_copies,
        gboolean has_bytes)
{
  WpWaits *waits = warp->block->waits;
  const WpHandoffQueue queue = wp_handoffs_get_queue (step);
  const guint32 n_ended = has_copies ? waits->commits[queue][warp->number] : 0;
  const guint64 one = (guint64)1 << warp->number, products = queue == WP_QUEUE_PRODUCTS ? one : 0;
  Barrier *barrier = get_barrier (waits, address, step->index);
  guint32 word;

  if (!barrier)
    return;
  if (!read_phase (warp->block, address, &word) || (old >> 63) != barrier->bit)
    {
      add_doubt (waits, step->index, WP_DOUBT_UNSEEN);
      return;
    }
  barrier->index = step->index;
  barrier->arriving |= one;
  if (n_ended > 0 && barrier->copies[0][warp->number] > 0
      && (barrier->products[0] & one) != products)
    add_doubt (waits, step->index, WP_DOUBT_MANY); /* it would wait for both kinds */
  if (n_ended > 0)
    {
      barrier->copies[0][warp->number] = n_ended;
      barrier->products[0] = (barrier->products[0] & ~one) | products;
    }
  barrier->has_bytes[0] |= has_bytes;
  wp_handoffs_arrive (waits->handoffs, warp, step, get_number (waits, barrier), n_ended,
                      step->arrival == WP_ARRIVAL_LATE);
  if (word >> 31 == barrier->bit)
    return;
  end_phase (waits, barrier);
  warp->asking.gives_way = waits->code->has_tensor_products;
}

void
wp_waits_arrive_unseen (WpWarp *warp, const WpStep *step)
{
  if (warp->block->waits)
    add_doubt (warp->block->waits, step->index, WP_DOUBT_UNSEEN);
}

void
wp_waits_begin_copy (WpWarp *warp, const WpStep *step)
{
  WpWaits *waits = warp->block->waits;

  if (!waits)
    return;
  waits->commits[WP_QUEUE_COPIES][warp->number]++;
  if (waits->code->has_groups)
    add_doubt (waits, step->index, WP_DOUBT_UNSEEN);
}

void
wp_waits_come_from_outside (const WpWarp *warp, const WpStep *step, guint32 address, guint64 old,
                            gboolean with_bytes)
{
  WpBlock *block = wp_cluster_find (warp->block, &address);
  WpWaits *waits = block->waits;
  Barrier *barrier = waits ? get_barrier (waits, address, step->index) : NULL;
  Outside *outside;
  guint32 word;

  if (!barrier)
    return;
  waits->is_used = TRUE;
  if (!read_phase (block, address, &word) || (old >> 63) != barrier->bit)
    {
      add_doubt (waits, step->index, WP_DOUBT_UNSEEN);
      return;
    }
  outside = &barrier->outside[0];
  barrier->has_bytes[0] |= with_bytes;
  outside->warps |= (guint64)1 << warp->number;
  outside->n_executed = MAX (outside->n_executed, warp->n_executed);
  if (word >> 31 != barrier->bit)
    end_phase (waits, barrier);
}

void
wp_waits_arrive (WpWarp *warp, const WpStep *step, guint32 address, guint64 old,
                 gboolean with_bytes)
{
  const WpSassOp op = (WpSassOp)step->instr->op;

  if (wp_cluster_get_rank (warp->block, address) != warp->block->rank)
    wp_waits_come_from_outside (warp, step, address, old, with_bytes);
  else if (warp->block->waits)
    arrive (warp, step, address, old, ends_group (op), op == WP_SASS_UTCBAR);
}

void
wp_waits_copy (WpWarp *warp, const WpStep *step, guint32 address, guint64 old)
{
  if (wp_cluster_get_rank (warp->block, address) != warp->block->rank)
    {
      wp_waits_come_from_outside (warp, step, address, old, TRUE);
      return;
    }
  if (!warp->block->waits)
    return;
  warp->block->waits->is_used = TRUE;
  arrive (warp, step, address, old, TRUE, TRUE);
}

void
wp_waits_set_up (WpWarp *warp, const WpStep *step, guint32 address)
{
  WpWaits *waits = warp->block->waits;
  Barrier *barrier = waits ? find_barrier (waits, address) : NULL;

  if (waits && waits->has_cluster && !barrier)
    get_barrier (waits, address, step->index);
  if (!barrier)
    return;
  check_phase (waits, barrier);
  wp_handoffs_set_up (waits->handoffs, get_number (waits, barrier));
  *barrier = (Barrier){ .address = address, .index = barrier->index };
}

/* ---- Meetings ---- */

/* The set of WARPS, as a trail names it. */
static guint
find_set (WpWaits *waits, guint64 warps, guint32 index)
{
  guint lowest = (guint)__builtin_ctzll (warps);

  if (warps == get_all (waits))
    return WP_WAITS_ALL;
  if ((warps & (warps - 1)) == 0)
    return WP_WAITS_ALONE;
  if (!waits->sets[lowest])
    waits->sets[lowest] = warps;
  else if (waits->sets[lowest] != warps)
    add_doubt (waits, index, WP_DOUBT_OTHERS);
  return lowest;
}

/* What of the last phase of BARRIER that ended WARP has made itself. */
static WpHandoffQueue
get_queue (const WpWarp *warp, const Barrier *barrier)
{
  return barrier->products[1] >> warp->number & 1 ? WP_QUEUE_PRODUCTS : WP_QUEUE_COPIES;
}

/* The groups of that queue that WARP does not wait for where it waits for the last phase of BARRIER
 * that ended; N_PENDING - 1: it waits for none. */
static guint
count_pending (WpWaits *waits, const WpWarp *warp, const Barrier *barrier, guint32 index)
{
  const guint32 copies = barrier->copies[1][warp->number];
  const guint32 pending = waits->commits[get_queue (warp, barrier)][warp->number] - copies;

  if (copies == 0)
    return N_PENDING - 1;
  if (pending >= N_PENDING - 1)
    {
      add_doubt (waits, index, WP_DOUBT_MANY);
      return N_PENDING - 1;
    }
  return pending;
}

guint32
wp_waits_count_indices (const WpKernelCode *code)
{
  return MIN (code->n_sites, MAX_SITES) * N_SETS * WP_N_QUEUES * N_PENDING;
}

void
wp_waits_decode (const WpKernelCode *code, guint32 index, WpWaitsMeeting *meeting)
{
  const guint32 number = index - code->first_meeting, place = number / N_PENDING / WP_N_QUEUES;
  const guint pending = number % N_PENDING;

  meeting->index = code->sites[place / N_SETS];
  meeting->set = place % N_SETS;
  meeting->queue = (WpHandoffQueue)(number / N_PENDING % WP_N_QUEUES);
  meeting->pending = pending == N_PENDING - 1 ? -1 : (gint)pending;
}

/* WARP waits by STEP for the last phase of BARRIER that has ended, and has not yet. */
static void
meet (WpWarp *warp, const WpStep *step, guint32 mask, Barrier *barrier)
{
  WpWaits *waits = warp->block->waits;
  const guint64 members = get_members (waits, barrier);
  const guint set = find_set (waits, members, step->index);
  const guint pending = count_pending (waits, warp, barrier, step->index);
  const WpComing coming = { .name = WP_ORDER_SHARED + set, .id = barrier->id, .members = members };

  barrier->waited |= (guint64)1 << warp->number;
  barrier->index = step->index;
  waits->has_met = TRUE;
  if (step->site >= MAX_SITES)
    {
      add_doubt (waits, step->index, WP_DOUBT_MANY);
      return;
    }
  wp_trail_add (&warp->trail,
                waits->code->first_meeting
                    + ((step->site * N_SETS + set) * WP_N_QUEUES + get_queue (warp, barrier))
                          * N_PENDING
                    + pending,
                mask);
  if (set != WP_WAITS_ALONE)
    wp_waits_order_come (&waits->order, warp->block, warp->number, &coming);
}

/* Whether WARP, which waits for the last phase of BARRIER that ended, waits for others alone, and
 * they may be behind it. They are not where it is the same warp of the other block of a pair, which
 * is simulated as if it did what WARP does. */
static gboolean
waits_for_others (const WpWarp *warp, const Barrier *barrier)
{
  const Outside *outside = &barrier->outside[1];
  const gboolean is_passed
      = warp->block->grid->code->has_pairs && warp->block->grid->cluster_blocks == 2
        && outside->warps == (guint64)1 << warp->number && outside->n_executed <= warp->n_executed;

  return outside->warps != 0 && barrier->arrived == 0 && !is_passed;
}

/* WARP has asked by STEP whether the phase is over that is not BIT, that of the barrier at ADDRESS,
 * and it is. */
static void
note_wait (WpWarp *warp, const WpStep *step, guint32 mask, guint32 address, guint bit)
{
  WpWaits *waits = warp->block->waits;
  Barrier *barrier = get_barrier (waits, address, step->index);
  const guint64 one = (guint64)1 << warp->number;

  if (!barrier)
    return;
  if (bit == barrier->bit && barrier->has_ended)
    {
      if (waits_for_others (warp, barrier))
        add_doubts (waits, step->index);
      wp_handoffs_wait (waits->handoffs, warp, step, get_number (waits, barrier), mask);
    }
  if (bit != barrier->bit)
    add_doubt (waits, step->index, WP_DOUBT_UNSEEN);
  else if (barrier->has_ended && !(get_members (waits, barrier) & one))
    add_doubt (waits, step->index, WP_DOUBT_OTHERS);
  else if (barrier->has_ended && !(barrier->waited & one))
    meet (warp, step, mask, barrier);
}

gboolean
wp_waits_hold_bar (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpWaits *waits = warp->block->waits;

  return waits && wp_handoffs_hold_bar (waits->handoffs, warp, step, mask);
}

void
wp_waits_leave_bar (WpWarp *warp)
{
  WpWaits *waits = warp->block->waits;

  if (waits)
    wp_handoffs_leave_bar (waits->handoffs, warp);
}

void
wp_waits_come_to_bar (WpWarp *warp, const WpStep *step, guint number, guint expected,
                      gboolean waits_there)
{
  WpBlock *block = warp->block;
  const gboolean is_whole = expected == 0 || expected == block->grid->threads;
  WpComing coming = { .name = is_whole ? number : WP_ORDER_PART + number,
                      .n = is_whole ? 0 : (expected - 1) / WP_LANES + 1 };

  if (!block->waits)
    return;
  wp_handoffs_come_to_bar (block->waits->handoffs, warp);
  if (!waits_there || block->grid->code->has_odd_bars)
    join_doubt (&block->waits->odd_bar, step->index + 1);
  else
    wp_waits_order_come (&block->waits->order, block, warp->number, &coming);
}

/* ---- Steps ---- */

void
wp_waits_step_back (WpWarp *warp, const WpStep *step)
{
  warp->pc = step->index;
  warp->n_executed--;
  if (warp->n_executed != warp->asking.at)
    warp->asking.n = 0;
  warp->asking.at = warp->n_executed;
  if (warp->asking.n++ < warp->n_groups && wp_warp_yield (warp))
    return;
  warp->state = WP_WARP_ASKS;
}

/* Products into tensor memory take time, in which all who wait for them and for the copies behind
 * them see each phase; here both are done at once. So before WARP, which has ended a phase, goes on
 * behind STEP, others come to where they wait. */
static gboolean
give_way (WpWarp *warp, const WpStep *step)
{
  if (!warp->asking.gives_way)
    return FALSE;
  warp->asking.gives_way = FALSE;
  warp->pc = step->index;
  warp->n_executed--;
  warp->state = WP_WARP_TURN;
  return TRUE;
}

/* The lanes in MASK all ask about the barrier at ADDRESS, whose phase has BIT, with success: HOLDS.
 * FALSE: STEP is to be executed. */
static gboolean
ask (WpWarp *warp, const WpStep *step, guint32 mask, guint32 address, guint bit, gboolean holds)
{
  WpWaits *waits = warp->block->waits;

  waits->is_used = waits->is_asked = TRUE;
  if (give_way (warp, step))
    return TRUE;
  if (!holds && !warp->asking.is_answered)
    {
      wp_waits_step_back (warp, step);
      return TRUE;
    }
  if (!holds)
    {
      add_doubt (waits, step->index, WP_DOUBT_VAIN);
      return FALSE;
    }
  warp->asking.is_answered = FALSE;
  warp->asking.turns = 0;
  note_wait (warp, step, mask, address, bit);
  return FALSE;
}

/* The one address of the lanes in MASK. FALSE: they have several, or it is not known. */
static gboolean
get_address (const WpWarp *warp, const WpStep *step, guint32 mask, guint32 *address)
{
  WpAddresses addresses;

  wp_addresses_get_shared (warp, wp_step_get_memory (step, 0), &addresses);
  *address = (guint32)addresses.lanes[__builtin_ctz (mask)];
  for (guint lane = 0; lane < WP_LANES; lane++)
    if (mask >> lane & 1 && addresses.lanes[lane] != *address)
      return FALSE;
  return (addresses.unknown & mask) == 0;
}

/* SYNCS.PHASECHK: its last source has the bit of the phase that is waited for. */
static gboolean
check (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const WpSource *source = &step->sources[step->n_sources - 1];
  guint32 room[WP_LANES], address, word, asked = 0;
  const guint32 *tokens = wp_lanes (warp, source, 0, room);

  for (guint lane = 0; lane < WP_LANES; lane++)
    asked |= tokens[lane] >> 31 << lane;
  asked &= mask;
  if (!get_address (warp, step, mask, &address) || !read_phase (warp->block, address, &word)
      || (wp_unknown (warp, source) & mask) != 0 || (asked != 0 && asked != mask))
    {
      add_doubt (warp->block->waits, step->index, WP_DOUBT_UNSEEN);
      return FALSE;
    }
  return ask (warp, step, mask, address, word >> 31, word >> 31 != (asked != 0));
}

/* Whether a lane in MASK of a load that is not known to ask reads a barrier. */
static void
look (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const WpSassOperand *operand = wp_step_get_memory (step, 0);
  const guint row = operand->index == 255 ? WP_ROW_ZERO : WP_ROW_R0 + operand->index;
  const guint32 uniform = operand->uniform == 255 ? 0 : warp->ur[operand->uniform];

  for (; mask != 0; mask &= mask - 1)
    {
      const guint32 address = ((warp->r[row][__builtin_ctz (mask)] << wp_operand_shift (operand))
                               + uniform + (guint32)operand->value)
                              ^ wp_warp_own_address (warp);

      if (find_barrier (warp->block->waits, address & ~7u))
        {
          add_doubt (warp->block->waits, step->index, WP_DOUBT_UNSEEN);
          return;
        }
    }
}

/* The load: what comes of it is put into the trail by the step that asks, right before it. */
static void
load (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const gboolean is_one = get_address (warp, step, mask, &warp->asking.address);

  if (is_one)
    warp->asking.address -= 4;
  else
    warp->asking.address = NO_ADDRESS;
  if (!is_one)
    look (warp, step, mask);
  step->run (warp, step, mask);
}

/* Whether what is at ADDRESS is a barrier of sm_80, and not another number whose sign is asked for:
 * the upper ones of the 20 bits of both its counts, which are negative, and those above. */
static gboolean
is_barrier (const WpBlock *block, guint32 address, guint32 upper)
{
  guint32 lower;

  memcpy (&lower, block->shared + address, sizeof lower);
  return lower >> 20 == 0x3ff && (upper >> 20 & 0x7ff) == 0x7ff;
}

/* LOP3 of a word of the barrier, of bit 31, and of what the lanes ask with: whether they all get
 * the same answer, in HOLDS, where the word is WORD. */
static gboolean
find_answer (const WpWarp *warp, const WpStep *step, guint32 mask, guint32 word, gboolean *holds)
{
  guint32 rooms[2][WP_LANES], held = 0;
  const gboolean is_first = step->mode[2] == 0;
  const WpSource *other = &step->sources[is_first ? 2 : 0];
  const guint32 *tokens = wp_lanes (warp, other, 0, rooms[0]);

  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      const guint32 a = is_first ? word >> 31 : tokens[lane] >> 31;
      const guint32 c = is_first ? tokens[lane] >> 31 : word >> 31;

      held |= (step->mode[0] >> (a << 2 | 2 | c) & 1) << lane;
    }
  held &= mask;
  *holds = held != 0;
  return (held == 0 || held == mask) && (wp_unknown (warp, other) & mask) == 0;
}

/* The word may be another one by now than when it was loaded: the warp loads it again. */
static void
load_again (WpWarp *warp, const WpStep *step, guint32 mask, guint32 word)
{
  const WpStep *load = &warp->block->grid->code->steps[step->partner];
  guint32 row[WP_LANES];

  for (guint lane = 0; lane < WP_LANES; lane++)
    row[lane] = word;
  wp_put (warp, load->dest, row, mask, 0, 0);
}

static gboolean
test (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const guint32 address = warp->asking.address;
  gboolean holds;
  guint32 word;

  if (address != NO_ADDRESS && read_phase (warp->block, address, &word)
      && is_barrier (warp->block, address, word))
    {
      if (!find_answer (warp, step, mask, word, &holds))
        add_doubt (warp->block->waits, step->index, WP_DOUBT_UNSEEN);
      else if (ask (warp, step, mask, address, word >> 31, holds))
        return TRUE;
      else
        load_again (warp, step, mask, word);
    }
  wp_trail_add (&warp->trail, step->partner, mask);
  return FALSE;
}

gboolean
wp_waits_step (WpWarp *warp, const WpStep *step, guint32 mask)
{
  switch (step->wait)
    {
    case WP_WAIT_CHECK:
      return check (warp, step, mask);
    case WP_WAIT_LOAD:
      load (warp, step, mask);
      return TRUE;
    case WP_WAIT_TEST:
      return test (warp, step, mask);
    default:
      look (warp, step, mask);
      return FALSE;
    }
}
