/* SPDX-License-Identifier: MIT */
/* Kernels with such a load run on one thread (WpKernelCode.is_serial), so that what is kept in the
 * grid needs no lock. */
#include "exec/machine/wp-meeting.h"
#include "exec/machine/wp-address.h"
#include "exec/machine/wp-diverge.h"
#include "exec/machine/wp-kernel-code.h"

#include <string.h>

/* struct grid_workspace of cooperative_groups/details/driver_abi.h (CUDA 13.0): its size, which
 * nothing reads, and the barrier. */
#define WORKSPACE_BYTES 8
#define BARRIER 4

/* Where bank 0 has the address of the workspace, by the first target that has it there: PTX's
 * %envreg1, the upper half, and %envreg2. Nothing else reads these words. From sm_100 on code takes
 * 0xa0 times SR_CgaSize from these offsets, which is 1 here whatever the cluster is; what it is on
 * hardware nobody says, and nothing depends on it as long as both agree. */
static const struct
{
  guint sm, high, low, less;
} places[] = { { 70, 0x8c, 0x90, 0 }, { 90, 0x44, 0x48, 0 }, { 100, 0x254, 0x258, 0xa0 } };

static guint
find_place (guint sm)
{
  guint k = G_N_ELEMENTS (places) - 1;

  while (k > 0 && sm < places[k].sm)
    k--;
  return k;
}

gboolean
wp_meeting_is_read (guint sm, const WpSassInstr *instr)
{
  const guint k = find_place (sm);

  for (guint i = 0; i < instr->n_operands; i++)
    {
      const WpSassOperand *operand = &instr->operands[i];

      if (operand->kind == WP_SASS_CONSTANT && !operand->is_descriptor && operand->number == 0
          && (operand->value == places[k].high || operand->value == places[k].low))
        return TRUE;
    }
  return FALSE;
}

gboolean
wp_meeting_fits (const WpGrid *grid)
{
  return (guint64)grid->grid[0] * grid->grid[1] * grid->grid[2] <= grid->capacity;
}

/* ---- The workspace ---- */

/* Launches after the first one find the buffer of that, with what it left there. */
static WpBuffer *
need_buffer (WpMemory *memory, GError **error)
{
  WpBuffer *buffer = wp_memory_find (memory, WP_WORKSPACE);
  g_autoptr (WpFill) fill = wp_fill_new_unknown ();

  fill->kind = WP_FILL_ZEROS;
  return buffer ? buffer
                : wp_memory_add (memory, WP_WORKSPACE, fill, WP_ELEMENT_U32, WORKSPACE_BYTES, NULL,
                                 error);
}

static void
put_word (WpBank *bank, guint offset, guint32 value)
{
  value = GUINT32_TO_LE (value);
  memcpy (bank->bytes + offset, &value, sizeof value);
}

gboolean
wp_meeting_begin (WpGrid *grid, GError **error)
{
  const guint k = find_place (grid->sm);
  const WpBuffer *buffer = need_buffer (grid->memory, error);
  guint32 rows[2][WP_MEMORY_LANES] = { { 0 } };
  const guint32 unknown[2] = { 0 };
  guint64 addresses[WP_MEMORY_LANES] = { 0 };
  WpFault fault;

  if (buffer == NULL)
    return FALSE;
  grid->workspace = addresses[0] = wp_buffer_get_base (buffer);
  wp_memory_store (grid->memory, NULL, addresses, 1, WORKSPACE_BYTES, rows, unknown, 0, &fault);
  put_word (&grid->banks[0], places[k].high - places[k].less, (guint32)(grid->workspace >> 32));
  put_word (&grid->banks[0], places[k].low - places[k].less, (guint32)grid->workspace);
  return TRUE;
}

static guint32
read_barrier (const WpGrid *grid)
{
  const guint64 addresses[WP_MEMORY_LANES] = { grid->workspace + BARRIER };
  guint32 rows[1][WP_MEMORY_LANES] = { { 0 } }, unknown[1] = { 0 };
  guint8 source = 0;
  WpFault fault;

  wp_memory_load (grid->memory, NULL, addresses, 1, 4, FALSE, rows, unknown, &source, &fault);
  return rows[0][0];
}

static gboolean
has_flipped (guint32 before, guint32 now)
{
  return (before ^ now) >> 31;
}

/* ---- What blocks do there ---- */

/* Whether a lane of MASK accesses the barrier by STEP. */
static gboolean
is_at_barrier (const WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpAddresses addresses;

  wp_addresses_get (warp, step->data, wp_step_has (step, WP_WORD_E), &addresses);
  for (guint32 left = mask & ~addresses.unknown; left != 0; left &= left - 1)
    if (addresses.lanes[__builtin_ctz (left)] == warp->block->grid->workspace + BARRIER)
      return TRUE;
  return FALSE;
}

/* An atomic: the block comes to the barrier. */
static void
run_arrive (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpBlock *block = warp->block;
  WpGrid *grid = block->grid;
  const gboolean is_there = is_at_barrier (warp, step, mask);
  const guint32 before = is_there ? read_barrier (grid) : 0;

  step->watched (warp, step, mask);
  if (!is_there || warp->state == WP_WARP_FAILED)
    return;
  block->has_arrived = grid->has_met = TRUE;
  block->arrival = before;
  grid->met_at = step->index;
  if (has_flipped (before, read_barrier (grid)))
    grid->met_in = grid->turn;
}

static gboolean
has_to_hold (const WpWarp *warp, const WpStep *step, guint32 mask)
{
  const WpBlock *block = warp->block;

  return block->has_arrived && is_at_barrier (warp, step, mask)
         && (!has_flipped (block->arrival, read_barrier (block->grid))
             || block->grid->met_in == block->grid->turn);
}

/* A load: as if the warp had not come to it yet. Lanes that are elsewhere may go on. */
static void
run_wait (WpWarp *warp, const WpStep *step, guint32 mask)
{
  if (!has_to_hold (warp, step, mask))
    {
      wp_trail_add (&warp->trail, step->index, mask);
      step->watched (warp, step, mask);
      return;
    }
  warp->pc = step->index;
  warp->n_executed--;
  if (!wp_warp_yield (warp))
    warp->state = WP_WARP_TURN;
}

/* ---- Prepared ---- */

/* ld.acquire, or a volatile load in CUDA before 11. */
gboolean
wp_meeting_is_wait (const WpStep *step)
{
  return (step->instr->op == WP_SASS_LD || step->instr->op == WP_SASS_LDG)
         && wp_step_has (step, WP_WORD_STRONG)
         && (wp_step_has (step, WP_WORD_GPU) || wp_step_has (step, WP_WORD_SYS));
}

static gboolean
is_atomic (WpSassOp op)
{
  return op == WP_SASS_ATOM || op == WP_SASS_ATOMG || op == WP_SASS_RED || op == WP_SASS_REDG;
}

void
wp_meeting_watch (WpStep *step)
{
  const gboolean waits = wp_meeting_is_wait (step) && !step->is_predicated;

  if (!waits && !is_atomic ((WpSassOp)step->instr->op))
    return;
  step->watched = step->run;
  step->run = waits ? run_wait : run_arrive;
  step->is_control |= waits;
}
