/* SPDX-License-Identifier: MIT */
#include "exec/wp-meetings.h"

#define MOST_ARRIVES 128 /* in a phase of a barrier, as each who waits gets its own */
#define MOST_NAMES 192   /* of barriers; BAR has some, too */

/* Whether RESULT has no doubts but those of which CAN_BE. */
static gboolean
has_few_doubts (const WpExecResult *result, guint can_be)
{
  for (guint k = 0; k < WP_N_DOUBTS; k++)
    if (result->waits.doubts[k] != 0 && !(can_be >> k & 1))
      return FALSE;
  return result->code->waits_by_asking;
}

/* Whether those who wait meet. */
static gboolean
meet (const WpExecResult *result)
{
  return has_few_doubts (result, 0);
}

/* Of those WARPS that wait at BARRIER the lowest one of each that share a name, but for NTH ones
 * before. -1: there are fewer. */
static gint
get_nth (const WpExecResult *result, guint barrier, guint64 warps, guint nth)
{
  for (; warps != 0 && nth > 0; nth--)
    warps &= ~wp_handoffs_get_sharers (&result->waits.handoffs, result->code, barrier,
                                       (guint)__builtin_ctzll (warps));
  return warps != 0 ? __builtin_ctzll (warps) : -1;
}

/* Whether it is known as which barriers each BAR was executed: else those with numbers in registers
 * are taken as one, at which warps might wait for each other for ever. */
static gboolean
knows_bars (const WpKernelCode *code)
{
  guint number, threads;

  for (guint k = 0; code->has_odd_bars && k < code->n_steps; k++)
    if (wp_wait_sites_is_odd_bar (&code->instrs[k])
        && !wp_kernel_code_find_barrier (code, k, &number, &threads))
      return FALSE;
  return TRUE;
}

/* Whether each who waits meets those who arrive, which costs more of them. */
static gboolean
hand_over (const WpExecResult *result)
{
  const WpHandoffsResult *handoffs = &result->waits.handoffs;
  guint names = 0;

  if (handoffs->doubt != 0 || !knows_bars (result->code)
      || !has_few_doubts (result, 1u << WP_DOUBT_OTHERS | 1u << WP_DOUBT_ORDER))
    return FALSE;
  for (guint k = 0; k < WP_HANDOFF_BARRIERS; k++)
    {
      guint n = 0;

      if (handoffs->is_uneven[k] && handoffs->is_fixed[k])
        return FALSE;
      while (get_nth (result, k, handoffs->waiters[k], n) >= 0)
        n++;
      names += n;
      if (n * handoffs->comings[k] > MOST_ARRIVES || names > MOST_NAMES)
        return FALSE;
    }
  return TRUE;
}

gboolean
wp_meetings_are_right (const WpExecResult *result)
{
  return meet (result) || hand_over (result);
}

/* All warps of a block meet at one barrier for all their phases, in the order in which they come
 * there; so do those that are a part of them, at one for the part. */
static void
find_meeting (const WpExecResult *result, guint32 index, WpFoldMeeting *meeting)
{
  WpWaitsMeeting found;

  wp_waits_decode (result->code, index, &found);
  *meeting = (WpFoldMeeting){
    .index = found.index,
    .name = "mbarrier",
    .pending = found.pending,
    .queue = found.queue,
    .is_last = TRUE,
    .note = "warps that wait at a barrier in shared memory (mbarrier) meet there: one that waits "
            "long after it has arrived holds up the others; what it does there runs as atomics on "
            "shared memory and loads from it",
  };
  if (found.set == WP_WAITS_ALONE)
    {
      meeting->name = "mbarrier-own";
      meeting->warps = 1;
    }
  else if (found.set != WP_WAITS_ALL)
    {
      g_autofree gchar *name = g_strdup_printf ("mbarrier-%u", found.set);

      meeting->name = g_intern_string (name);
      meeting->warps = (guint)__builtin_popcountll (result->waits.sets[found.set]);
    }
}

/* Where WARP waits, or comes for one of those who wait after the other. */
static gboolean
find_handoff (const WpExecResult *result, guint32 index, guint warp, guint nth,
              WpFoldMeeting *meeting)
{
  const WpHandoffsResult *handoffs = &result->waits.handoffs;
  g_autofree gchar *name = NULL;
  WpHandoff found;
  guint64 sharers, warps;
  gint who;

  wp_handoffs_decode (result->code, index, &found);
  if (found.is_late && handoffs->is_uneven[found.barrier] == (found.set == 0))
    return FALSE;
  warps = !found.arrives   ? (guint64)1 << warp
          : found.set == 0 ? handoffs->waiters[found.barrier]
                           : handoffs->sets[found.set];
  who = get_nth (result, found.barrier, warps, nth);
  if (who < 0)
    return FALSE;
  sharers = wp_handoffs_get_sharers (handoffs, result->code, found.barrier, (guint)who);
  name = g_strdup_printf ("mbarrier-%u-%d", found.barrier, __builtin_ctzll (sharers));
  *meeting = (WpFoldMeeting){
    .index = found.index,
    .name = g_intern_string (name),
    .warps = handoffs->comings[found.barrier] + (guint)__builtin_popcountll (sharers),
    .pending = found.pending,
    .queue = found.queue,
    .arrives = found.arrives,
    .is_late = found.pending >= 0,
    .is_last = get_nth (result, found.barrier, warps, nth + 1) < 0,
    .note = "a warp that waits at a barrier in shared memory (mbarrier) waits there for those that "
            "arrive, each of which issues an arrive more for it; what is done there runs as "
            "atomics on shared memory and loads from it",
  };
  return TRUE;
}

gboolean
wp_meetings_find (gpointer data, guint32 index, guint warp, guint nth, WpFoldMeeting *meeting)
{
  const WpExecResult *result = data;
  const gboolean is_handoff = index >= result->code->first_handoff;

  if (is_handoff == meet (result))
    return FALSE;
  if (is_handoff)
    return find_handoff (result, index, warp, nth, meeting);
  if (nth > 0)
    return FALSE;
  find_meeting (result, index, meeting);
  return TRUE;
}

gboolean
wp_meetings_are_by_warp (const WpExecResult *result)
{
  return !meet (result);
}

static void
note (const WpExecResult *result, const gchar *path, guint32 step, const gchar *why,
      GPtrArray *notes)
{
  g_autofree gchar *place = step == 0 || step == WP_DOUBT_NOWHERE
                                ? g_strdup (path)
                                : wp_kernel_code_place (result->code, step - 1);

  g_ptr_array_add (notes, g_strdup_printf ("%s: how long warps wait at barriers in shared memory "
                                           "(mbarrier) is not in the times: %s",
                                           place, why));
}

void
wp_meetings_note (const WpExecResult *result, const gchar *path, gboolean has_programs,
                  GPtrArray *notes)
{
  static const gchar *const doubts[WP_N_DOUBTS] = {
    [WP_DOUBT_VAIN] = "a warp goes on that has asked in vain",
    [WP_DOUBT_UNSEEN] = "a phase ends, or is asked for, in a way that is not followed",
    [WP_DOUBT_OTHERS]
    = ("others wait for a phase than arrive in it, and phases of a barrier differ in "
       "who waits or in how often warps arrive, or there are too many of them"),
    [WP_DOUBT_ORDER] = "warps come to barriers in different orders, or to BAR in changing ones",
    [WP_DOUBT_MANY] = "there are too many of them, or of copies under way",
  };

  if (!result->waits.is_used)
    return;
  if (has_programs && wp_meetings_are_right (result))
    return;
  for (guint k = 0; k < WP_N_DOUBTS; k++)
    if (result->waits.doubts[k] != 0)
      {
        note (result, path, result->waits.doubts[k], doubts[k], notes);
        return;
      }
  note (result, path, 0, "its warps executed too many different or too long sequences", notes);
}
