/* SPDX-License-Identifier: MIT */
/* S2R, CS2R, S2UR, CS2UR: special registers. Time is the number of instructions that the warp has
 * executed: that is what is known while a kernel is executed. Numbers and names of the registers
 * are those of NVIDIA's disassembler (wp_sass_special_name()). */
#include "exec/machine/wp-block.h"
#include "exec/machine/wp-ops.h"
#include "exec/machine/wp-progression.h"

typedef void (*Fill) (const WpWarp *warp, guint which, guint32 *lanes);

static void
fill_all (guint32 *lanes, guint32 value)
{
  for (guint lane = 0; lane < WP_LANES; lane++)
    lanes[lane] = value;
}

static void
fill_zero (const WpWarp *warp, guint which, guint32 *lanes)
{
  (void)warp, (void)which;
  fill_all (lanes, 0);
}

static void
fill_lane (const WpWarp *warp, guint which, guint32 *lanes)
{
  (void)warp, (void)which;
  for (guint lane = 0; lane < WP_LANES; lane++)
    lanes[lane] = lane;
}

/* The coordinates of all threads: those of the first lane, counted up. Mostly they are in a row. */
static void
fill_thread (const WpWarp *warp, guint which, guint32 *lanes)
{
  const guint *block = warp->block->grid->block;
  guint id[3];

  wp_warp_thread_id (warp, 0, id);
  if (which < 3 && id[0] + WP_LANES <= block[0])
    {
      for (guint lane = 0; lane < WP_LANES; lane++)
        lanes[lane] = id[which] + (which == 0 ? lane : 0);
      return;
    }
  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      lanes[lane] = which < 3 ? id[which] : id[0] | id[1] << 16 | id[2] << 26;
      if (++id[0] < block[0])
        continue;
      id[0] = 0;
      if (++id[1] < block[1])
        continue;
      id[1] = 0;
      id[2]++;
    }
}

static void
fill_block (const WpWarp *warp, guint which, guint32 *lanes)
{
  fill_all (lanes, warp->block->id[which]);
}

/* SR_EQMASK and those after it: the lanes at, below, not above, above, not below each lane. */
static void
fill_mask (const WpWarp *warp, guint which, guint32 *lanes)
{
  (void)warp;
  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      guint32 own = 1u << lane, below = own - 1;
      const guint32 masks[] = { own, below, below | own, ~(below | own), ~below };
      lanes[lane] = masks[which];
    }
}

/* Bits 8 to 14: the warp's place on its SM; from 20 on: the SM. */
static void
fill_place (const WpWarp *warp, guint which, guint32 *lanes)
{
  const WpBlock *block = warp->block;
  guint place = (block->slot * block->n_warps + warp->number) & 0x7f;

  (void)which;
  fill_all (lanes, place << 8 | block->sm << 20);
}

/* SR_VIRTCFG: from bit 8 on the warps that fit on an SM (CUDA C++ programming guide, "Technical
 * Specifications per Compute Capability"). */
static void
fill_warps (const WpWarp *warp, guint which, guint32 *lanes)
{
  guint sm = warp->block->grid->sm;
  guint warps = sm == 75 ? 32 : sm == 86 || sm == 87 || sm == 89 || sm / 10 == 12 ? 48 : 64;

  (void)which;
  fill_all (lanes, warps << 8);
}

static void
fill_sm (const WpWarp *warp, guint which, guint32 *lanes)
{
  (void)which;
  fill_all (lanes, warp->block->sm);
}

static void
fill_time (const WpWarp *warp, guint which, guint32 *lanes)
{
  fill_all (lanes, (guint32)(warp->n_executed >> (which ? 32 : 0)));
}

static void
fill_shared (const WpWarp *warp, guint which, guint32 *lanes)
{
  const WpGrid *grid = warp->block->grid;
  const guint32 unit = grid->sm < 80 ? 256 : 128; /* what shared memory is allocated by */

  (void)which;
  fill_all (lanes, (grid->shared_bytes + unit - 1) / unit * unit);
}

/* The windows of generic addresses begin where their low words are 0. */
static void
fill_window (const WpWarp *warp, guint which, guint32 *lanes)
{
  const WpGrid *grid = warp->block->grid;

  fill_all (lanes, (guint32)((which ? grid->shared_window : grid->local_window) >> 32));
}

static void
fill_rank (const WpWarp *warp, guint which, guint32 *lanes)
{
  (void)which;
  fill_all (lanes, warp->block->rank);
}

static void
fill_one (const WpWarp *warp, guint which, guint32 *lanes)
{
  (void)warp, (void)which;
  fill_all (lanes, 1);
}

static const struct
{
  Fill fill;
  guint which;
} registers[256] = {
  [0] = { fill_lane, 0 },                                                          /* SR_LANEID */
  [1] = { fill_time, 0 },                                                          /* SR_CLOCK */
  [2] = { fill_warps, 0 },                                                         /* SR_VIRTCFG */
  [3] = { fill_place, 0 },                                                         /* SR_VIRTID */
  [32] = { fill_thread, 3 },                                                       /* SR_TID */
  [33] = { fill_thread, 0 },                                                       /* SR_TID.X */
  [34] = { fill_thread, 1 }, [35] = { fill_thread, 2 }, [37] = { fill_block, 0 },  /* SR_CTAID.X */
  [38] = { fill_block, 1 },  [39] = { fill_block, 2 },  [46] = { fill_window, 0 }, /* SR_LWINHI */
  [47] = { fill_window, 1 },                                                       /* SR_SWINHI */
  [50] = { fill_shared, 0 },                                                       /* SR_SMEMSZ */
  [55] = { fill_zero, 0 }, /* SR_LMEMHIOFF: below it the stack overflows */
  [56] = { fill_mask, 0 }, /* SR_EQMASK */
  [57] = { fill_mask, 1 },   [58] = { fill_mask, 2 },   [59] = { fill_mask, 3 },
  [60] = { fill_mask, 4 },   [67] = { fill_sm, 0 }, /* SR_VIRTUALSMID */
  [80] = { fill_time, 0 },                          /* SR_CLOCKLO */
  [81] = { fill_time, 1 },                          /* SR_CLOCKHI */
  [82] = { fill_time, 0 },                          /* SR_GLOBALTIMERLO */
  [83] = { fill_time, 1 },                          /* SR_GLOBALTIMERHI */
  [136] = { fill_rank, 0 },                         /* SR_CgaCtaId */
  [137] = { fill_zero, 0 },                         /* SR_GpcLocalCgaId */
  [138] = { fill_one, 0 },                          /* SR_CgaSize */
  [255] = { fill_zero, 0 },                         /* SRZ */
};

/* Word 1 of 64 bits is the next register: SR_CLOCKHI after SR_CLOCKLO; of SRZ it is zero. */
static guint
number_of_word (const WpStep *step, guint word)
{
  return step->mode[0] == 255 ? 255 : step->mode[0] + word;
}

/* What most code reads, without a look at lanes: SR_TID.X to SR_TID.Z where the threads of the warp
 * are in a row, and SR_CTAID. FALSE: it is something else. */
static gboolean
find_progression (const WpWarp *warp, guint number, WpProgression *progression)
{
  guint id[3];

  if (number >= 37 && number <= 39)
    {
      *progression = (WpProgression){ warp->block->id[number - 37], 0 };
      return TRUE;
    }
  if (number < 33 || number > 35)
    return FALSE;
  wp_warp_thread_id (warp, 0, id);
  *progression = (WpProgression){ id[number - 33], number == 33 };
  return id[0] + WP_LANES <= warp->block->grid->block[0];
}

static void
run_read (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 lanes[WP_LANES];
  WpProgression progression;

  for (guint word = 0; word < step->mode[1]; word++)
    {
      guint number = number_of_word (step, word);
      if (mask == WP_ALL_LANES && !step->is_uniform
          && find_progression (warp, number, &progression))
        {
          wp_put_progression (warp, step->dest + word, progression, 0);
          continue;
        }
      registers[number].fill (warp, registers[number].which, lanes);
      if (step->is_uniform)
        wp_put_uniform (warp, step->dest + word, lanes[g_bit_nth_lsf (mask, -1)], FALSE, 0);
      else
        wp_put (warp, step->dest + word, lanes, mask, 0, 0);
    }
}

#define GLOBALTIMER 82

/* What reads this timer in a loop waits, and has a look at how long. */
static void
run_read_timer (WpWarp *warp, const WpStep *step, guint32 mask)
{
  wp_warp_poll (warp);
  run_read (warp, step, mask);
}

static gboolean
prepare_read (WpStep *step, gchar **problem)
{
  static const WpSassWord words[] = { WP_WORD_32, WP_WORD_64, WP_WORD_NONE };
  const WpSassOperand *last = &step->instr->operands[step->instr->n_operands - 1];

  if (!wp_step_check_words (step, problem, words))
    return FALSE;
  if (!step->instr->n_operands || last->kind != WP_SASS_SPECIAL)
    return wp_step_refuse (step, problem);
  step->mode[0] = last->number;
  step->mode[1] = MAX (step->n_dest, 1);
  for (guint word = 0; word < step->mode[1]; word++)
    if (!registers[number_of_word (step, word) & 0xff].fill)
      return wp_step_refuse (step, problem);
  step->run = last->number == GLOBALTIMER ? run_read_timer : run_read;
  return TRUE;
}

const WpOpRule wp_rules_special[] = {
  { WP_SASS_CS2R, prepare_read }, { WP_SASS_CS2UR, prepare_read }, { WP_SASS_S2R, prepare_read },
  { WP_SASS_S2UR, prepare_read }, { WP_SASS_NO_OP, NULL },
};
