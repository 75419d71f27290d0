/* SPDX-License-Identifier: MIT */
/* Atomics: ATOM on generic addresses, ATOMG and RED (REDG) on device memory, ATOMS on shared one.
 * Lanes act one after the other, the lowest first. What they do is in the PTX ISA, "atom" and
 * "red". Where a value is not known, what it is combined with is not known either. */
#include <string.h>

#include "exec/machine/wp-address.h"
#include "exec/machine/wp-atomic.h"
#include "exec/machine/wp-cluster.h"
#include "exec/machine/wp-stand-in.h"
#include "exec/machine/wp-waits.h"

/* mode[] */
enum
{
  BYTES, /* of a lane, all elements together */
  FLAGS,
  OPERATION,
  PART /* bytes of an element: 4 or 8 */
};

/* FLAGS */
#define IS_WIDE 1u     /* addresses of 64 bits */
#define IS_TEST 2u     /* CAST: says whether it was equal, and not what was there */
#define IS_COUNT 4u    /* POPC.INC, an arrival: one for each lane, without data */
#define IS_REPLACED 8u /* what was there does not matter */
#define IS_BYTES 16u   /* the data of an arrival are bytes that are expected... */
#define IS_CAS 32u
#define HAVE_COME 64u   /* ...or that have come */
#define IS_ALONE 128u   /* with bytes: nobody arrives */
#define IS_ARRIVAL 256u /* at a barrier in shared memory */

/* ---- What a lane does ---- */

/* The data of STEP: operand rows of LANE as one number of PART bytes, from word WORD on. */
typedef struct
{
  const WpSource *sources[2]; /* NULL: none */
  guint32 unknown[2];
  WpTag tag;
} Operands;

static guint64
get_word (const WpWarp *warp, const WpSource *source, guint word, guint lane)
{
  if (source->from == WP_FROM_REGISTER)
    return warp->r[source->first + word][lane];
  if (source->from == WP_FROM_UNIFORM)
    return warp->ur[source->first + word];
  return source->row->lanes[MIN (word, 1)][lane];
}

static guint64
get_number (const WpWarp *warp, const WpSource *source, guint word, guint bytes, guint lane)
{
  guint64 value = get_word (warp, source, word, lane);

  return bytes == 8 ? value | get_word (warp, source, word + 1, lane) << 32 : value;
}

gboolean
wp_warp_modify (WpWarp *warp, WpSpace space, guint64 address, WpModification *modification,
                WpFault *fault)
{
  guint32 at = (guint32)address;
  WpBlock *block;
  WpShared shared;

  if (space == WP_SPACE_GLOBAL)
    return wp_memory_modify (warp->block->grid->memory, address, modification, fault);
  block = wp_cluster_find (warp->block, &at);
  shared = wp_block_shared (block);
  modification->old_source = WP_TAG_SOURCE (block->shared_tag);
  if (modification->is_unknown && modification->source != 0)
    block->shared_tag = WP_TAG (modification->source, 0);
  if (!wp_shared_modify (&shared, at, modification, fault))
    return FALSE;
  wp_warp_take_found (warp, block);
  return TRUE;
}

/* What the lanes leave: as rows of the destination. */
typedef struct
{
  guint32 rows[4][WP_LANES];
  guint32 unknown[4];
  guint8 source;
} Results;

static void
set_result (Results *results, guint word, guint lane, guint part, const WpModification *m)
{
  for (guint k = 0; k < part / 4; k++)
    {
      results->rows[word + k][lane] = (guint32)(m->old >> 32 * k);
      results->unknown[word + k] |= (guint32)(m->old_unknown != 0) << lane;
    }
  if (m->old_unknown)
    results->source = m->old_source;
}

/* Operand 0 of M is a number of bytes: the first one is who arrives with them. */
static void
count_bytes (guint32 flags, WpModification *m)
{
  m->operands[1] = flags & HAVE_COME ? -m->operands[0] : m->operands[0];
  m->operands[0] = flags & IS_ALONE ? 0 : 1;
}

/* How many words of 32 bits the data of a lane have: those of a barrier are counts. */
static guint
get_words (const WpStep *step)
{
  return step->instr->op == WP_SASS_SYNCS ? 1 : MAX (1, step->mode[BYTES] / 4);
}

/* Fills in what LANE combines with the element from word WORD on. */
static void
fill_modification (const WpWarp *warp, const WpStep *step, const Operands *operands, guint word,
                   guint lane, WpModification *m)
{
  memset (m, 0, sizeof *m);
  m->bytes = step->mode[PART];
  m->modify = wp_atomic_get (step->mode[OPERATION]);
  m->replaces = (step->mode[FLAGS] & IS_REPLACED) != 0;
  m->source = WP_TAG_SOURCE (operands->tag);
  m->operands[0] = 1; /* IS_COUNT */
  for (guint i = 0; i < 2; i++)
    if (operands->sources[i] != NULL)
      {
        m->operands[i] = get_number (warp, operands->sources[i], word,
                                     MIN (m->bytes, 4 * get_words (step)), lane);
        m->is_unknown |= operands->unknown[i] >> lane & 1;
      }
  if (step->mode[FLAGS] & IS_BYTES)
    count_bytes (step->mode[FLAGS], m);
}

/* CAST: whether what was there is what was expected. Where that is not known it is taken to be: the
 * loop around it, which the compiler made of one atomic, ends, and what is there is not known. */
static void
make_test (WpModification *m)
{
  if (m->old_unknown || m->is_unknown)
    m->old = 1;
  else
    m->old = m->old == m->operands[0];
  m->old_unknown = FALSE;
}

/* The FAULT of LANE, if it has one. */
static gboolean
is_misaligned (const WpStep *step, guint64 address, guint lane, WpFault *fault)
{
  *fault = (WpFault){ WP_FAULT_MISALIGNED, lane, address, step->mode[BYTES] };
  return (address & (step->mode[BYTES] - 1)) != 0;
}

static gboolean
act (WpWarp *warp, const WpStep *step, WpSpace space, guint64 address, guint lane,
     const Operands *operands, Results *results, WpFault *fault)
{
  const guint part = step->mode[PART];

  for (guint at = 0; at < step->mode[BYTES]; at += part)
    {
      WpModification m;

      fill_modification (warp, step, operands, at / 4, lane, &m);
      if (!wp_warp_modify (warp, space, address + at, &m, fault))
        return FALSE;
      if (step->mode[FLAGS] & IS_TEST)
        make_test (&m);
      set_result (results, at / 4, lane, part, &m);
    }
  return TRUE;
}

/* Compares and swaps 16 bytes: reads both halves, then writes both. Launches with such run on one
 * thread. */
static gboolean
act_cas_128 (WpWarp *warp, const WpStep *step, WpSpace space, guint64 address, guint lane,
             const Operands *operands, Results *results, WpFault *fault)
{
  WpModification m[2];
  gboolean is_unknown = FALSE, is_equal = TRUE;

  for (guint i = 0; i < 2; i++)
    {
      fill_modification (warp, step, operands, 2 * i, lane, &m[i]);
      is_unknown |= m[i].is_unknown;
      m[i].modify = wp_atomic_load;
      m[i].is_unknown = FALSE;
      if (!wp_warp_modify (warp, space, address + 8 * i, &m[i], fault))
        return FALSE;
      set_result (results, 2 * i, lane, 8, &m[i]);
      is_unknown |= m[i].old_unknown;
      is_equal &= m[i].old == m[i].operands[0];
    }
  for (guint i = 0; i < 2 && (is_equal || is_unknown); i++)
    {
      m[i].modify = wp_atomic_exchange;
      m[i].operands[0] = m[i].operands[1];
      m[i].replaces = TRUE;
      m[i].is_unknown = is_unknown;
      wp_warp_modify (warp, space, address + 8 * i, &m[i], fault);
    }
  return TRUE;
}

/* ---- What the warp does ---- */

static void
get_operands (const WpWarp *warp, const WpStep *step, Operands *operands)
{
  const guint first = step->mode[FLAGS] & IS_CAS ? 2 : 1;

  memset (operands, 0, sizeof *operands);
  if (step->mode[FLAGS] & IS_COUNT)
    return;
  for (guint i = 0; i < first; i++)
    {
      const WpSource *source = &step->sources[step->n_sources - first + i];

      operands->sources[i] = source;
      for (guint word = 0; word < get_words (step); word++)
        operands->unknown[i]
            |= wp_unknown_word (warp, source, source->from == WP_FROM_ROW ? MIN (word, 1) : word);
      operands->tag = wp_tag_join (operands->tag, wp_tag (warp, source));
    }
}

/* Lanes of shared memory act in as many passes as a bank has lanes to serve; those that only count
 * (POPC.INC) as many as it has words. */
static guint
count_passes (const WpStep *step, const WpAddresses *addresses, guint32 mask)
{
  guint32 lanes[WP_LANES];
  guint8 n[32] = { 0 };
  guint most = 0;

  for (guint lane = 0; lane < WP_LANES; lane++)
    lanes[lane] = (guint32)addresses->lanes[lane];
  if (step->mode[FLAGS] & IS_COUNT)
    return wp_shared_wavefronts (lanes, mask, step->mode[BYTES]);
  for (guint lane = 0; lane < WP_LANES; lane++)
    if (mask >> lane & 1)
      {
        guint8 *bank = &n[lanes[lane] / 4 % 32];

        ++*bank; /* MAX() takes its arguments twice */
        most = MAX (most, *bank);
      }
  return most * MAX (1, step->mode[BYTES] / 4);
}

static void
log_atomic (WpWarp *warp, const WpStep *step, WpSpace space, const WpAddresses *addresses,
            guint32 mask)
{
  const WpAccess access = { .is_write = TRUE, .is_atomic = TRUE };

  if (space == WP_SPACE_SHARED)
    wp_warp_log_shared (warp, step, TRUE, TRUE, count_passes (step, addresses, mask));
  else
    wp_warp_log (warp, step, space, addresses, mask, step->mode[BYTES], access);
}

/* The lanes in MASK of SPACE, all together. */
static gboolean
act_all (WpWarp *warp, const WpStep *step, WpSpace space, WpAddresses *addresses, guint32 mask,
         Results *results)
{
  const gboolean is_cas_128 = (step->mode[FLAGS] & IS_CAS) != 0 && step->mode[BYTES] == 16;
  WpFault fault = { WP_FAULT_NONE, 0, 0, 0 };
  Operands operands;

  if (mask == 0)
    return TRUE;
  get_operands (warp, step, &operands);
  for (guint32 left = mask & ~addresses->unknown; left != 0; left &= left - 1)
    {
      const guint lane = (guint)__builtin_ctz (left);
      const guint64 address = addresses->lanes[lane];

      if (is_misaligned (step, address, lane, &fault)
          || (is_cas_128
                  ? !act_cas_128 (warp, step, space, address, lane, &operands, results, &fault)
                  : !act (warp, step, space, address, lane, &operands, results, &fault)))
        {
          wp_warp_fail_access (warp, step, space, &fault);
          return FALSE;
        }
      if (G_UNLIKELY (step->mode[FLAGS] & IS_ARRIVAL))
        wp_waits_arrive (warp, step, (guint32)address,
                         results->rows[0][lane] | (guint64)results->rows[1][lane] << 32,
                         (~step->mode[FLAGS] & (IS_BYTES | HAVE_COME)) == 0);
      else if (space == WP_SPACE_SHARED && address >> WP_CLUSTER_SHIFT != 0)
        wp_cluster_note_reach (warp, step);
    }
  wp_warp_note_unstored (warp, step);
  if ((addresses->unknown & mask) != 0)
    wp_warp_lose_store (warp);
  if (space == WP_SPACE_SHARED)
    wp_addresses_settle_within (warp, step, addresses, mask, step->mode[BYTES],
                                warp->block->grid->shared_bytes);
  else
    wp_addresses_settle (warp, step, addresses, mask, step->mode[BYTES]);
  for (guint k = 0; k < 4; k++)
    results->unknown[k] |= addresses->unknown & mask;
  if ((addresses->unknown & mask) != 0)
    results->source = WP_TAG_SOURCE (addresses->tag);
  log_atomic (warp, step, space, addresses, mask);
  return TRUE;
}

/* Writes what was there, or what CAST says, to the destination. What is not known is another number
 * for each, as that of an element that a counter gives out. */
static void
put_results (WpWarp *warp, const WpStep *step, guint32 mask, Results *results)
{
  const WpTag tag = WP_TAG (results->source, 0) | WP_TAG_STANDS;
  const guint n = MAX (1, step->mode[BYTES] / 4);
  const gboolean is_test = (step->mode[FLAGS] & IS_TEST) != 0;

  if (is_test && step->dest_p != WP_P_SINK)
    {
      guint32 holds = 0;

      for (guint lane = 0; lane < WP_LANES; lane++)
        holds |= (results->rows[0][lane] & 1) << lane;
      wp_put_predicate (warp, step->dest_p, holds, mask, 0, 0);
    }
  if (step->dest == WP_ROW_SINK)
    return;
  wp_stand_in_own (warp, results->rows, results->unknown, n, mask);
  for (guint k = 0; k < n; k++)
    wp_put (warp, step->dest + k, results->rows[k], mask, results->unknown[k],
            results->unknown[k] & mask ? tag : 0);
}

static gboolean
is_shared (const WpStep *step)
{
  const WpSassOp op = (WpSassOp)step->instr->op;

  return op == WP_SASS_ATOMS || op == WP_SASS_ARRIVES || op == WP_SASS_SYNCS;
}

static WpSpace
get_addresses (const WpWarp *warp, const WpStep *step, WpAddresses *addresses)
{
  if (is_shared (step))
    wp_addresses_get_shared (warp, step->data, addresses);
  else
    wp_addresses_get (warp, step->data, (step->mode[FLAGS] & IS_WIDE) != 0, addresses);
  return is_shared (step) ? WP_SPACE_SHARED : WP_SPACE_GLOBAL;
}

static void
run_atomic (WpWarp *warp, const WpStep *step, guint32 mask)
{
  Results results = { 0 };
  WpAddresses addresses;
  const WpSpace space = get_addresses (warp, step, &addresses);

  if (step->mode[FLAGS] & IS_ARRIVAL)
    wp_waits_begin_arrivals (warp, step);
  if (act_all (warp, step, space, &addresses, mask, &results))
    put_results (warp, step, mask, &results);
}

/* Where nobody looks at what is there, and how many lanes meet at an address is all that counts. */
static void
lean_atomic (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpAddresses addresses;
  const WpSpace space = get_addresses (warp, step, &addresses);

  if (mask == 0)
    return;
  if (warp->block->cluster->n > 1 || (addresses.unknown & mask) != 0
      || !wp_warp_has (warp, space, &addresses, mask, step->mode[BYTES]))
    run_atomic (warp, step, mask);
  else
    log_atomic (warp, step, space, &addresses, mask);
}

/* On generic addresses. Where a predicate is written, it says for which lanes nothing was done:
 * those in local memory, and those in shared memory, which has exchanges of 64 bits alone (what
 * compilers do next for the others asks whether the address is in shared memory). */
static void
run_atomic_generic (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const gboolean is_asked = step->dest_p != WP_P_SINK;
  const gboolean is_done = !is_asked || (step->mode[FLAGS] & (IS_CAS | IS_REPLACED)) != 0;
  Results results = { 0 };
  guint32 shared, local, left;
  WpAddresses addresses;

  wp_addresses_get (warp, step->data, TRUE, &addresses);
  shared = wp_addresses_take (warp, &addresses, mask, WP_SPACE_SHARED);
  local = wp_addresses_take (warp, &addresses, mask & ~shared, WP_SPACE_LOCAL);
  if (local != 0 && !is_asked)
    {
      wp_warp_fail (warp, step, (guint)__builtin_ctz (local),
                    "an atomic on local memory; it works on device and shared memory alone");
      return;
    }
  left = is_done ? local : shared | local;
  if (!act_all (warp, step, WP_SPACE_GLOBAL, &addresses, mask & ~shared & ~local, &results)
      || (is_done && !act_all (warp, step, WP_SPACE_SHARED, &addresses, shared, &results)))
    return;
  put_results (warp, step, mask & ~left, &results);
  if (is_asked)
    wp_put_predicate (warp, step->dest_p, ~left, mask, 0, 0);
}

/* ---- Preparing ---- */

/* What SYNCS.ARRIVE counts, of who arrives and of bytes: A1T0 is one arrival, ART0 as many as a
 * register has, A0T1 none, with a thread's copies, which are done before it. No such word is one
 * arrival that expects as many bytes as a register has; A0TR none with such, A0TX none with as many
 * that have come. */
static void
set_arrival_flags (WpStep *step)
{
  guint32 *flags = &step->mode[FLAGS];

  if (wp_step_has_text (step, "A1T0") || wp_step_has_text (step, "A0T1"))
    *flags |= IS_COUNT;
  else if (wp_step_has_text (step, "A0TR"))
    *flags |= IS_BYTES | IS_ALONE;
  else if (wp_step_has_text (step, "A0TX"))
    *flags |= IS_BYTES | IS_ALONE | HAVE_COME;
  else if (!wp_step_has_text (step, "ART0"))
    *flags |= IS_BYTES;
}

static void
set_flags (WpStep *step, const gchar *operation)
{
  guint32 *flags = &step->mode[FLAGS];

  if (!is_shared (step) && wp_step_has (step, WP_WORD_E))
    *flags |= IS_WIDE;
  if (strcmp (operation, "CAST") == 0)
    *flags |= IS_TEST | IS_CAS;
  if (strcmp (operation, "CAS") == 0)
    *flags |= IS_CAS;
  if (strcmp (operation, "POPC") == 0 || strcmp (operation, "ARRIVE") == 0
      || step->instr->op == WP_SASS_ARRIVES)
    *flags |= IS_COUNT;
  if (strcmp (operation, "EXCH") == 0)
    *flags |= IS_REPLACED;
  if (strcmp (operation, "ARRIVE") == 0 || step->instr->op == WP_SASS_ARRIVES
      || step->instr->op == WP_SASS_SYNCS)
    *flags |= IS_ARRIVAL;
}

gboolean
wp_step_prepare_atomic (WpStep *step, gchar **problem)
{
  WpAtomic atomic;
  guint needed;

  step->data = wp_step_get_memory (step, 0);
  if (step->data == NULL || !wp_atomic_find (step, &atomic))
    return wp_step_refuse (step, problem);
  step->mode[BYTES] = atomic.bytes;
  step->mode[PART] = atomic.part;
  step->mode[OPERATION] = atomic.operation;
  set_flags (step, atomic.word);
  if (step->instr->op == WP_SASS_SYNCS)
    set_arrival_flags (step);
  needed = step->mode[FLAGS] & IS_COUNT ? 0 : step->mode[FLAGS] & IS_CAS ? 2 : 1;
  step->run = step->instr->op == WP_SASS_ATOM ? run_atomic_generic : run_atomic;
  if (step->run == run_atomic && !(step->mode[FLAGS] & IS_ARRIVAL))
    step->lean = lean_atomic;
  step->is_effect = TRUE;
  return step->n_sources >= needed || wp_step_refuse (step, problem);
}

const WpOpRule wp_rules_atomic[] = {
  { WP_SASS_ARRIVES, wp_step_prepare_atomic },
  { WP_SASS_ATOM, wp_step_prepare_atomic },
  { WP_SASS_ATOMG, wp_step_prepare_atomic },
  { WP_SASS_ATOMS, wp_step_prepare_atomic },
  { WP_SASS_RED, wp_step_prepare_atomic },
  { WP_SASS_REDG, wp_step_prepare_atomic },
  { WP_SASS_NO_OP, NULL },
};
