/* SPDX-License-Identifier: MIT */
/* sm_100: tensor memory as warps see it (PTX ISA, tcgen05): allocation, loads, stores, and what
 * arrives at a barrier in shared memory when a thread's products are done. Products are done as
 * they are issued (wp-ops-umma.c), since nothing may look at them before.
 *
 * How lanes and registers of a warp lie in tensor memory is in the PTX ISA, "tcgen05 Data Movement
 * Shapes". */
#include "exec/machine/wp-address.h"
#include "exec/machine/wp-atomic.h"
#include "exec/machine/wp-bulk.h"
#include "exec/machine/wp-tensor-memory.h"
#include "exec/machine/wp-waits.h"

#define QUARTER 32 /* lanes of a warp */

/* mode[] */
enum
{
  SHAPE,
  TIMES /* how often it comes, one behind the other */
};

typedef enum
{
  SHAPE_32X32, /* lanes and bits */
  SHAPE_16X64,
  SHAPE_16X128,
  SHAPE_16X256,
  SHAPE_LOWER_16X32, /* of the threads 0 to 15 alone, */
  SHAPE_UPPER_16X32, /* and of the others */
  N_SHAPES
} Shape;

/* Columns and registers of one of them. */
static const struct
{
  guint8 lanes, columns, registers;
  guint32 threads;
} shapes[N_SHAPES] = {
  [SHAPE_32X32] = { 32, 1, 1, WP_ALL_LANES },  [SHAPE_16X64] = { 16, 2, 1, WP_ALL_LANES },
  [SHAPE_16X128] = { 16, 4, 2, WP_ALL_LANES }, [SHAPE_16X256] = { 16, 8, 4, WP_ALL_LANES },
  [SHAPE_LOWER_16X32] = { 16, 1, 1, 0xffff },  [SHAPE_UPPER_16X32] = { 16, 1, 1, 0xffff0000 },
};

/* Where register R of THREAD lies, as lane and column from where it all begins. */
static void
find_place (Shape shape, guint thread, guint r, guint *lane, guint *column)
{
  const guint part = r % shapes[shape].registers;

  *column = r / shapes[shape].registers * shapes[shape].columns;
  *lane = thread / 4;
  switch (shape)
    {
    case SHAPE_32X32:
      *lane = thread;
      break;
    case SHAPE_16X64:
      *lane += thread % 2 * 8;
      *column += thread / 2 % 2;
      break;
    case SHAPE_16X128:
      *lane += part * 8;
      *column += thread % 4;
      break;
    case SHAPE_16X256:
      *lane += part / 2 * 8;
      *column += thread % 4 * 2 + part % 2;
      break;
    default:
      *lane = thread % 16;
    }
}

/* ---- Loads and stores ---- */

/* The address of STEP. FALSE: it is not known, or the warp may not access it, and the run is over.
 */
static gboolean
find_address (WpWarp *warp, const WpStep *step, const WpTensorMemory *memory, guint *lane,
              guint *column)
{
  const WpSassOperand *operand = step->data;
  const guint32 base = operand->uniform == 255 ? 0 : warp->ur[operand->uniform];
  const guint32 address = base + (guint32)operand->value;
  const guint first = warp->number % 4 * QUARTER, n = shapes[step->mode[SHAPE]].lanes;
  const guint n_columns = step->mode[TIMES] * shapes[step->mode[SHAPE]].columns;

  if (operand->uniform != 255 && warp->ur_unknown[operand->uniform])
    {
      wp_warp_note (warp, step, WP_NOTE_ADDRESS, warp->ur_tag[operand->uniform]);
      return FALSE;
    }
  *lane = address >> 16;
  *column = address & 0xffff;
  if (warp->block->cluster->n > 1)
    *lane %= WP_TENSOR_LANES; /* of a pair of blocks, which may be counted together */
  if (*lane < first || *lane + n > first + QUARTER)
    wp_warp_fail (warp, step, 0,
                  "warp %u accesses tensor memory from lane %u on (address 0x%08x); it may access "
                  "lanes %u to %u",
                  warp->number, *lane, address, first, first + QUARTER - 1);
  else if (!wp_tensor_memory_has (memory, *column, n_columns))
    wp_warp_fail (warp, step, 0,
                  "columns %u to %u of tensor memory (address 0x%08x) are not all allocated",
                  *column, *column + n_columns - 1, address);
  else
    return TRUE;
  return FALSE;
}

static void
run_load (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpTensorMemory *memory = wp_tensor_memory_get (warp->block);
  const Shape shape = (Shape)step->mode[SHAPE];
  guint lane, column, lane_of, column_of;

  mask &= shapes[shape].threads;
  if (!find_address (warp, step, memory, &lane, &column))
    {
      for (guint r = 0; warp->failure == NULL && r < step->n_dest; r++)
        wp_put_unknown (warp, step->dest + r, mask, 0);
      return;
    }
  for (guint r = 0; r < step->n_dest; r++)
    {
      guint32 row[WP_LANES], unknown = 0;

      for (guint thread = 0; thread < WP_LANES; thread++)
        {
          find_place (shape, thread, r, &lane_of, &column_of);
          row[thread] = memory->words[lane + lane_of][column + column_of];
          unknown
              |= (guint32)wp_tensor_memory_is_unknown (memory, lane + lane_of, column + column_of)
                 << thread;
        }
      wp_put (warp, step->dest + r, row, mask, unknown, unknown & mask ? memory->tag : 0);
    }
}

static void
run_store (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpTensorMemory *memory = wp_tensor_memory_get (warp->block);
  const WpSource *source = &step->sources[0];
  const Shape shape = (Shape)step->mode[SHAPE];
  guint lane, column, lane_of, column_of;

  mask &= shapes[shape].threads;
  if (!find_address (warp, step, memory, &lane, &column))
    {
      if (warp->failure == NULL)
        wp_tensor_memory_lose (memory, 0);
      return;
    }
  for (guint r = 0; r < source->n; r++)
    {
      const guint place = source->first == WP_ROW_ZERO ? WP_ROW_ZERO : source->first + r;
      const guint32 unknown = warp->r_unknown[place] | warp->doubtful;

      for (guint32 left = mask; left != 0; left &= left - 1)
        {
          const guint thread = (guint)__builtin_ctz (left);

          find_place (shape, thread, r, &lane_of, &column_of);
          wp_tensor_memory_set (memory, lane + lane_of, column + column_of, warp->r[place][thread],
                                unknown >> thread & 1);
        }
      if (unknown & mask)
        memory->tag = wp_tag_join (memory->tag, warp->r_tag[place]);
    }
}

static gboolean
prepare_access (WpStep *step, guint n)
{
  static const struct
  {
    WpSassWord word;
    Shape shape;
  } words[] = { { WP_WORD_16dp64bit, SHAPE_16X64 },
                { WP_WORD_16dp128bit, SHAPE_16X128 },
                { WP_WORD_16dp256bit, SHAPE_16X256 },
                { WP_WORD_16dp32bit_t0_t15, SHAPE_LOWER_16X32 },
                { WP_WORD_16dp32bit_t16_t31, SHAPE_UPPER_16X32 } };

  step->mode[SHAPE] = SHAPE_32X32;
  for (guint k = 0; k < G_N_ELEMENTS (words); k++)
    if (wp_step_has (step, words[k].word))
      step->mode[SHAPE] = words[k].shape;
  step->mode[TIMES] = n / shapes[step->mode[SHAPE]].registers;
  step->data = wp_step_get_memory (step, 0);
  return step->data != NULL && !wp_step_has (step, WP_WORD_PACK16BIT)
         && !wp_step_has (step, WP_WORD_EXPAND16BIT);
}

/* Where nobody looks at data. */
static void
pass_access (WpWarp *warp, const WpStep *step, G_GNUC_UNUSED guint32 mask)
{
  guint lane, column;

  find_address (warp, step, wp_tensor_memory_get (warp->block), &lane, &column);
}

static gboolean
prepare_load (WpStep *step, gchar **problem)
{
  step->run = run_load;
  step->lean = pass_access;
  return prepare_access (step, MAX (step->n_dest, 1u)) || wp_step_refuse (step, problem);
}

static gboolean
prepare_store (WpStep *step, gchar **problem)
{
  step->run = run_store;
  step->lean = pass_access;
  step->is_effect = TRUE;
  return (step->n_sources == 1 && step->sources[0].from == WP_FROM_REGISTER
          && prepare_access (step, step->sources[0].n))
         || wp_step_refuse (step, problem);
}

/* ---- Allocation ---- */

static void
note_columns (WpGrid *grid, const WpTensorMemory *memory)
{
  const gint n = __builtin_popcount (memory->taken) * WP_TENSOR_UNIT;
  gint most = g_atomic_int_get (&grid->tensor_columns);

  while (n > most && !g_atomic_int_compare_and_exchange (&grid->tensor_columns, most, n))
    most = g_atomic_int_get (&grid->tensor_columns);
}

/* WARP has taken N units of MEMORY. Warps of a block may have to wait for one another where they
 * take more than there is together: here they may have taken it in turn without. */
static void
note_taker (const WpWarp *warp, WpTensorMemory *memory, guint n)
{
  memory->takers |= (guint64)1 << warp->number % 64;
  memory->taken_in_all += n;
  if ((memory->takers & (memory->takers - 1)) != 0
      && memory->taken_in_all > WP_TENSOR_COLUMNS / WP_TENSOR_UNIT)
    g_atomic_int_set (&warp->block->grid->waits_for_columns, TRUE);
}

/* The tensor memory of the other block of WARP's pair. NULL: there is none, and WARP has failed. */
static WpTensorMemory *
find_other (WpWarp *warp, const WpStep *step)
{
  WpBlock *other = wp_cluster_get_of_pair (warp->block, (warp->block->rank & 1) ^ 1);

  if (other == NULL)
    wp_warp_fail (
        warp, step, 0,
        "tensor memory of two blocks is asked for (cta_group::2), and the cluster has %u; "
        "cluster(2) in the launch would be right",
        warp->block->cluster->n);
  return other != NULL ? wp_tensor_memory_get (other) : NULL;
}

/* As wp_tensor_memory_take(), the same units of both, which may be one. */
static gint
take_from_both (WpTensorMemory *memory, WpTensorMemory *other, guint n, gboolean is_aligned)
{
  const guint32 before = memory->taken, other_before = other->taken;
  gint first;

  memory->taken |= other_before;
  first = wp_tensor_memory_take (memory, n, is_aligned);
  if (first < 0)
    {
      memory->taken = before;
      return first;
    }
  memory->taken = before | (guint32)((((guint64)1 << n) - 1) << first);
  other->taken = other_before | (guint32)((((guint64)1 << n) - 1) << first);
  return first;
}

/* UTCATOMSWS.FIND_AND_SET: so many units of 32 columns as a register says; the first of them, and
 * whether there are so many. Who does not get them asks again, until another warp has given some
 * back. */
static void
run_find (WpWarp *warp, const WpStep *step, G_GNUC_UNUSED guint32 mask)
{
  const guint number = step->sources[0].first;
  const guint32 n = warp->ur[number];
  WpTensorMemory *memory = wp_tensor_memory_get (warp->block), *other;
  gint first;

  if (warp->ur_unknown[number])
    wp_warp_fail (warp, step, 0, "how many columns of tensor memory are asked for is not known");
  else if (n == 0 || n > WP_TENSOR_COLUMNS / WP_TENSOR_UNIT || (n & (n - 1)) != 0)
    wp_warp_fail (warp, step, 0,
                  "%" G_GUINT64_FORMAT " columns of tensor memory are asked for; a power of two "
                  "from %d to %d would be right",
                  (guint64)n * WP_TENSOR_UNIT, WP_TENSOR_UNIT, WP_TENSOR_COLUMNS);
  if (warp->failure != NULL)
    return;
  other = wp_step_has (step, WP_WORD_2CTA) ? find_other (warp, step) : memory;
  if (other == NULL)
    return;
  first = take_from_both (memory, other, n, wp_step_has (step, WP_WORD_ALIGN));
  if (first < 0)
    wp_warp_poll (warp);
  else
    note_taker (warp, memory, n);
  note_columns (warp->block->grid, memory);
  wp_put_uniform (warp, step->dest, (guint32)MAX (first, 0), FALSE, 0);
  wp_put_uniform_predicate (warp, step->dest_p, first >= 0, FALSE, 0);
}

/* UTCATOMSWS.AND: keeps those units of which a register has a bit. */
static void
run_keep (WpWarp *warp, const WpStep *step, G_GNUC_UNUSED guint32 mask)
{
  const guint number = step->sources[0].first;
  const guint32 kept = warp->ur[number], taken = wp_tensor_memory_get (warp->block)->taken;

  if (warp->ur_unknown[number])
    wp_warp_note (warp, step, WP_NOTE_OTHER, warp->ur_tag[number]);
  else if (warp->doubtful == 0)
    wp_tensor_memory_get (warp->block)->taken &= kept;
  wp_put_uniform (warp, step->dest, taken, FALSE, 0);
}

static gboolean
prepare_allocation (WpStep *step, gchar **problem)
{
  step->is_effect = TRUE;
  step->run = wp_step_has (step, WP_WORD_FIND_AND_SET) ? run_find : run_keep;
  return (step->n_sources == 1 && step->sources[0].from == WP_FROM_UNIFORM
          && !wp_step_has (step, WP_WORD_OR))
         || wp_step_refuse (step, problem);
}

/* ---- Arrivals ---- */

/* One arrives at the barrier at ADDRESS. */
static gboolean
arrive_at (WpWarp *warp, const WpStep *step, guint32 address, guint32 mask)
{
  WpModification m = {
    .bytes = 8, .modify = wp_atomic_arrive, .operands = { 1, 0 }, .is_unknown = warp->doubtful != 0
  };
  WpFault fault = { WP_FAULT_NONE, 0, 0, 0 };

  if (wp_warp_modify (warp, WP_SPACE_SHARED, address, &m, &fault))
    {
      wp_waits_arrive (warp, step, address, m.old, FALSE);
      return TRUE;
    }
  fault.lane = (guint)__builtin_ctz (mask);
  wp_warp_fail_access (warp, step, WP_SPACE_SHARED, &fault);
  return FALSE;
}

/* UTCBAR: the products of the thread are done, and one arrives for them, in each of the blocks that
 * a register says (MULTICAST), at the same place. */
static void
run_arrival (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const guint number = ((const WpSassOperand *)step->data)->uniform;
  const WpSource *source = &step->sources[step->n_sources - 1];
  guint32 address = warp->ur[number] ^ wp_warp_own_address (warp), blocks;

  wp_waits_begin_arrivals (warp, step);
  if (warp->ur_unknown[number])
    {
      wp_warp_note (warp, step, WP_NOTE_ADDRESS, warp->ur_tag[number]);
      wp_warp_lose_store (warp);
      wp_waits_arrive_unseen (warp, step);
      return;
    }
  if (wp_step_has (step, WP_WORD_MULTICAST) && wp_unknown_word (warp, source, 0) != 0)
    {
      wp_warp_note (warp, step, WP_NOTE_OTHER, wp_tag (warp, source));
      wp_warp_lose_store (warp);
      wp_waits_arrive_unseen (warp, step);
      return;
    }
  blocks = wp_bulk_find_blocks (warp, step, (guint)__builtin_ctz (mask),
                                warp->ur[source->first] & 0xffff, address);
  for (; blocks != 0; blocks &= blocks - 1)
    if (!arrive_at (warp, step,
                    wp_cluster_move_address (warp->block, address, (guint)__builtin_ctz (blocks)),
                    mask))
      return;
}

static gboolean
prepare_arrival (WpStep *step, gchar **problem)
{
  step->data = wp_step_get_memory (step, 0);
  step->is_effect = TRUE;
  step->run = run_arrival;
  return (step->data != NULL && !wp_step_has_text (step, "WAKEUP")
          && !wp_step_has_text (step, "A0TX")
          && step->n_sources == (wp_step_has (step, WP_WORD_MULTICAST) ? 2 : 1)
          && step->sources[step->n_sources - 1].from != WP_FROM_REGISTER)
         || wp_step_refuse (step, problem);
}

const WpOpRule wp_rules_tmem[] = {
  { WP_SASS_LDTM, prepare_load },
  { WP_SASS_STTM, prepare_store },
  { WP_SASS_UTCATOMSWS, prepare_allocation },
  { WP_SASS_UTCBAR, prepare_arrival },
  { WP_SASS_UVIRTCOUNT, wp_step_prepare_nothing },
  { WP_SASS_NO_OP, NULL },
};
