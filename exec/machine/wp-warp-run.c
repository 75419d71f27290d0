/* SPDX-License-Identifier: MIT */
/* The loop that all time is spent in. Guards without unknown lanes, steps that are no control flow
 * and branches forward are the short way through it. */
#include "exec/machine/wp-warp-run.h"
#include "exec/machine/wp-diverge.h"
#include "exec/machine/wp-kernel-code.h"
#include "exec/machine/wp-waits.h"

#include <string.h>

/* How many branches back lie between two looks at whether anything changes. */
#define LOOK_INTERVAL 64

guint64
wp_warp_get_fingerprint (const WpWarp *warp)
{
  const WpKernelCode *code = warp->block->grid->code;
  const guint64 *words = (const guint64 *)(const void *)warp->r[WP_ROW_R0];
  guint64 sums[4] = { warp->pc, warp->active, 0, 0 };

  for (guint k = 0; k < code->registers * WP_LANES / 2; k += 4)
    for (guint j = 0; j < 4; j++)
      sums[j] = (sums[j] ^ words[k + j]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  for (guint k = 0; k < WP_PT; k++)
    sums[2] = (sums[2] ^ warp->p[k]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  for (guint k = 0; k < WP_UR_ZERO; k++)
    sums[3] = (sums[3] ^ warp->ur[k]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return sums[0] ^ sums[1] >> 1 ^ sums[2] >> 2 ^ sums[3] >> 3;
}

gboolean
wp_warp_is_idle (WpWarp *warp)
{
  const guint64 all = wp_warp_get_fingerprint (warp);

  if (all == warp->fingerprint)
    return TRUE;
  warp->fingerprint = all;
  return FALSE;
}

#define POLL_DISTANCE 64   /* instructions: who executes more in between waits for something else */
#define POLLS_IN_VAIN 1024 /* before it asks twice, four times, ... in a turn */
#define MOST_POLLS 15      /* 2^15 times */

void
wp_warp_poll (WpWarp *warp)
{
  const gboolean again = warp->n_executed - warp->polled_at <= POLL_DISTANCE;
  guint32 often;

  warp->n_polls = again ? warp->n_polls + 1 : 0;
  warp->polled_at = warp->n_executed;
  often = 1u << MIN (warp->n_polls / POLLS_IN_VAIN, MOST_POLLS);
  if (warp->n_polls % often == 0)
    warp->turn_end = warp->n_executed;
}

/* The warp has gone back in the code. */
static void
go_back (WpWarp *warp, guint quantum)
{
  wp_trail_cut (&warp->trail);
  if (warp->n_accesses >= quantum || warp->n_executed >= warp->turn_end)
    warp->state = WP_WARP_TURN;
  else if (++warp->n_backward % LOOK_INTERVAL == 0 && wp_warp_is_idle (warp))
    wp_warp_stall (warp);
}

static WpTag
guard_tag (const WpWarp *warp, const WpStep *step)
{
  return step->guard & WP_P_UNIFORM ? warp->up_tag[step->guard & 7] : warp->p_tag[step->guard & 7];
}

/* The lanes of UNKNOWN, in which the guard of STEP is not known, that keep what is in its
 * destination. Where nobody but those with the same guard reads it there are none. Else, if numbers
 * stand for what is unknown in the one or the other: what is unknown is for more cases than what is
 * known; and of two that are alike it is as the guard HOLDS by the numbers that stand for its data.
 */
static guint32
find_kept (const WpWarp *warp, const WpStep *step, guint32 unknown, guint32 holds)
{
  const WpTag tag = warp->r_tag[step->dest];
  const guint32 before = warp->r_unknown[step->dest];
  guint32 after, kept;

  if (!step->is_merge || step->dest_p != WP_P_SINK)
    return 0;
  after = wp_step_unknown (warp, step);
  kept = tag & WP_TAG_STANDS ? before & ~after : 0;
  if ((guard_tag (warp, step) & WP_TAG_STANDS) != 0 && wp_tag_stands (tag))
    kept |= ~(before ^ after) & ~holds;
  return kept & unknown;
}

/* The lanes that the guard lets through, where it is unknown in lanes of UNKNOWN. Of a branch those
 * that --branch says, if any. All other instructions run for them, and what they write is unknown.
 */
static guint32
settle_guard (WpWarp *warp, const WpStep *step, guint32 lanes, guint32 unknown)
{
  if (step->is_control)
    {
      const guint32 *chosen = step->data;

      wp_warp_lose_store (warp);
      if (!chosen)
        wp_warp_note (warp, step, WP_NOTE_BRANCH, guard_tag (warp, step));
      return (lanes & ~unknown) | (chosen ? chosen[warp->number] & unknown : 0);
    }
  if (step->is_effect)
    wp_warp_note (warp, step, WP_NOTE_GUARD, guard_tag (warp, step));
  else if ((warp->kept.lanes = find_kept (warp, step, unknown, lanes)) != 0)
    {
      warp->kept.tag = warp->r_tag[step->dest];
      memcpy (warp->kept.row, warp->r[step->dest], sizeof warp->kept.row);
    }
  warp->doubtful = unknown;
  return lanes | unknown;
}

/* After a step that was run for lanes whose guard is unknown. What it has computed stands for what
 * is there, whatever the guard says. */
static void
mark_doubtful (WpWarp *warp, const WpStep *step)
{
  guint32 lanes = warp->doubtful;
  WpTag tag = guard_tag (warp, step);

  warp->doubtful = 0;
  if (warp->kept.lanes != 0)
    {
      wp_blend (warp->r[step->dest], warp->kept.row, warp->kept.lanes);
      warp->r_tag[step->dest] = wp_tag_join (warp->kept.tag, warp->r_tag[step->dest]);
      warp->kept.lanes = 0;
    }
  for (guint k = 0; k < MAX (step->n_dest, 1u); k++)
    if (step->is_uniform)
      {
        warp->ur_unknown[step->dest + k] = TRUE;
        warp->ur_tag[step->dest + k] = wp_tag_join (warp->ur_tag[step->dest + k], tag);
      }
    else
      {
        const WpTag own = warp->r_tag[step->dest + k];

        warp->r_unknown[step->dest + k] |= lanes;
        warp->r_tag[step->dest + k]
            = (wp_tag_join (own, tag) & ~WP_TAG_STANDS) | (wp_tag_stands (own) ? WP_TAG_STANDS : 0);
      }
  if (step->is_uniform_p)
    warp->up_unknown[step->dest_p] = warp->up_unknown[step->dest_p2] = TRUE;
  else
    {
      warp->p_unknown[step->dest_p] |= lanes;
      warp->p_unknown[step->dest_p2] |= lanes;
    }
}

static inline guint32
get_guarded (WpWarp *warp, const WpStep *step, guint32 active)
{
  guint32 lanes = wp_predicate (warp, step->guard) & active;
  guint32 unknown = wp_predicate_unknown (warp, step->guard) & active;

  return G_LIKELY (!unknown) ? lanes : settle_guard (warp, step, lanes, unknown);
}

/* Steps that no guard and no jump comes between, which all active lanes execute. What they are, and
 * where the warp is then, is known beforehand. */
static void
run_plain (WpWarp *warp, const WpStep *step)
{
  const WpStep *const end = step + step->n_plain;
  const guint32 mask = warp->active;

  wp_trail_add_some (&warp->trail, step->index, step->n_plain, mask);
  warp->pc += step->n_plain;
  for (; step < end && G_LIKELY (warp->state == WP_WARP_RUNS); step++)
    {
      warp->n_executed++;
      step->run (warp, step, mask);
    }
}

/* The same, of which only those are executed that anything depends on. */
static void
run_plain_lean (WpWarp *warp, const WpStep *first)
{
  const WpStep *step = first->lean != NULL ? first : first + first->skip;
  const guint64 before = warp->n_executed;
  const guint32 mask = warp->active, n = first->n_plain;

  wp_trail_add_some (&warp->trail, first->index, n, mask);
  warp->pc += n;
  for (guint32 k = first->lean != NULL ? 0 : first->skip;
       k < n && G_LIKELY (warp->state == WP_WARP_RUNS); k += step->skip, step += step->skip)
    {
      warp->n_executed = before + k + 1;
      step->lean (warp, step, mask);
    }
  if (G_LIKELY (warp->state == WP_WARP_RUNS))
    warp->n_executed = before + n;
}

void
wp_warp_run (WpWarp *warp, guint quantum)
{
  const WpStep *steps = warp->block->grid->code->steps;

  while (warp->state == WP_WARP_RUNS)
    {
      const WpStep *step = &steps[warp->pc];
      guint32 mask = warp->active;
      if (step->n_plain > 0)
        {
          if (warp->is_lean)
            run_plain_lean (warp, step);
          else
            run_plain (warp, step);
          continue;
        }
      if (step->is_predicated)
        mask = get_guarded (warp, step, mask);
      warp->pc++;
      warp->n_executed++;
      if (G_LIKELY (!step->is_control))
        {
          if (G_UNLIKELY (step->wait) && mask && wp_waits_step (warp, step, mask))
            continue;
          wp_trail_add (&warp->trail, step->index, mask);
          const WpStepRun execute = warp->is_lean ? step->lean : step->run;
          if (G_LIKELY (mask) && execute != NULL)
            execute (warp, step, mask);
          if (G_UNLIKELY (warp->doubtful))
            mark_doubtful (warp, step);
          continue;
        }
      step->run (warp, step, mask);
      if (warp->pc <= step->index && warp->state == WP_WARP_RUNS)
        go_back (warp, quantum);
    }
}
