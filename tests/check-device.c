/* SPDX-License-Identifier: MIT */
/* Whole devices: however the SMs are simulated, the totals are the same.
 *
 * What it shows, on cases of random-case.c with grids of up to 900 blocks on up to 23 SMs: SMs
 * simulated as replicas (wp-replicas.c) and SMs run independently in windows (wp-window.c), of any
 * length, in any order and in pieces of any size, give the same totals, or the same overflow, as
 * SMs that are simulated one by one in turn, as the model has it. So do groups of SMs that share
 * pipelines. What it does not pin: that this
 * is right (check-random), and threads (cores.sh). WARPIPE_RANDOM_CASES (2000) sets how many: a
 * quarter as many. */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "sim/engine/wp-device.h"
#include "tests/random-case.h"

#include "tests/check-main.h"

#define N_TESTS 10
/* Things that may happen in a run; the few that take longer are left out. */
#define MOST (1 << 22)

typedef struct
{
  const WpMachine *machine;
  const gchar *policy;
  guint64 random;
} Case;

typedef struct
{
  guint ran, replicated, windows, overflowed;
  guint groups;                     /* cases where SMs share pipelines, several groups of them */
  guint same_groups, group_windows; /* of those: replicated; windows */
} Tally;

static guint64
below (Case *c, guint64 n)
{
  c->random ^= c->random << 13;
  c->random ^= c->random >> 7;
  c->random ^= c->random << 17;
  return (c->random >> 8) % n;
}

static WpDevice *
make_device (const Case *c, bool skip)
{
  const char *problem;
  WpDevice *device = wp_device_new (c->machine, wp_policy_find (c->policy), NULL, 0, &problem);

  ck_assert_msg (device != NULL, "%s", problem);
  ck_assert (wp_device_set_skip (device, skip));
  return device;
}

static WpRunStatus
run_by_turns (WpDevice *device, guint64 budget)
{
  WpRunStatus status = WP_RUN_MORE;

  for (guint64 n = 0; n < MOST && status == WP_RUN_MORE; n += budget)
    {
      status = wp_device_run (device, budget);
      wp_device_get_result (device); /* changes nothing of what comes */
    }
  return status;
}

/* All SMs, in any order and piece by piece, to the end of the window. */
static guint64
run_window (Case *c, WpDevice *device)
{
  guint n = wp_device_get_n_groups (device), left = n;
  g_autofree gboolean *done = g_new0 (gboolean, n);
  guint64 used = 0;

  while (left > 0 && used < MOST)
    {
      guint64 piece = 1 + below (c, 200), budget = piece;
      guint i = (guint)below (c, n);

      if (done[i])
        continue;
      done[i] = wp_device_run_in_window (device, i, &budget);
      left -= (guint)done[i];
      used += piece - budget;
      if (below (c, 50) == 0)
        wp_device_get_result (device);
    }
  if (left == 0)
    wp_device_close_window (device);
  return used;
}

static WpTick
get_length (Case *c)
{
  switch (below (c, 3))
    {
    case 0:
      return G_MAXINT64;
    case 1:
      return 1 + (WpTick)below (c, 50);
    default:
      return (WpTick)below (c, 1000) * c->machine->ticks_per_cycle;
    }
}

static WpRunStatus
run_in_windows (Case *c, WpDevice *device, Tally *tally)
{
  WpRunStatus status = WP_RUN_MORE;
  guint64 n = 0;

  while (n < MOST && status == WP_RUN_MORE)
    if (below (c, 4) > 0 && wp_device_open_window (device, get_length (c)))
      {
        n += run_window (c, device);
        tally->windows++;
      }
    else
      {
        guint64 budget = 1 + below (c, 300);

        status = wp_device_run (device, budget);
        n += budget;
      }
  return status;
}

static gboolean
is_same_sum (WpSum a, WpSum b)
{
  return wp_sum_compare (a, b) == 0;
}

static gboolean
is_same_result (const WpResult *a, const WpResult *b, const WpMachine *machine)
{
  gboolean same = a->complete == b->complete && a->elapsed == b->elapsed && a->drained == b->drained
                  && a->blocks == b->blocks && a->warps == b->warps && a->issued == b->issued
                  && a->issues == b->issues && is_same_sum (a->lifetimes, b->lifetimes)
                  && is_same_sum (a->occupied, b->occupied)
                  && is_same_sum (a->slot_time, b->slot_time);

  for (guint i = 0; i < WP_N_STALLS; i++)
    same = same && is_same_sum (a->stalls[i], b->stalls[i]);
  for (guint i = 0; i < machine->n_pipelines; i++)
    same = same && is_same_sum (a->waits[i], b->waits[i]) && is_same_sum (a->busy[i], b->busy[i])
           && is_same_sum (a->turned[i], b->turned[i]);
  return same && memcmp (a->counts, b->counts, machine->n_instrs * sizeof *a->counts) == 0;
}

/* The first failure, as events come by time, then by SM. */
static gboolean
is_same_overflow (const WpDevice *a, const WpDevice *b)
{
  WpOverflow one = wp_device_get_overflow (a), other = wp_device_get_overflow (b);

  return strcmp (one.what, other.what) == 0 && one.sm == other.sm && one.block == other.block
         && one.instr == other.instr;
}

static void
check_same (const Case *c, guint64 seed, const gchar *how, WpDevice *device, WpRunStatus status,
            WpDevice *expected, WpRunStatus expected_status)
{
  ck_assert_msg (status == expected_status, "seed %" G_GUINT64_FORMAT ", %s: status %d", seed, how,
                 (int)status);
  if (status == WP_RUN_OVERFLOW)
    ck_assert_msg (is_same_overflow (device, expected),
                   "seed %" G_GUINT64_FORMAT ", %s: another overflow", seed, how);
  if (status != WP_RUN_DONE)
    return;
  ck_assert_msg (
      is_same_result (wp_device_get_result (device), wp_device_get_result (expected), c->machine),
      "seed %" G_GUINT64_FORMAT ", %s: other totals", seed, how);
  ck_assert_int_eq (wp_device_get_time (device), wp_device_get_time (expected));
}

static void
check_case (Case *c, guint64 seed, Tally *tally)
{
  WpDevice *turns = make_device (c, false), *replicas = make_device (c, true),
           *windows = make_device (c, false);
  WpRunStatus expected = run_by_turns (turns, MOST);

  gboolean groups = wp_machine_get_group (c->machine) > 1 && wp_device_get_n_groups (turns) > 1;
  guint windows_before = tally->windows;

  tally->replicated += c->machine->simulated_sms > 1 && !wp_device_has_windows (replicas);
  tally->groups += groups;
  tally->same_groups += groups && !wp_device_has_windows (replicas);
  tally->overflowed += expected == WP_RUN_OVERFLOW;
  tally->ran += expected != WP_RUN_MORE;
  if (expected != WP_RUN_MORE)
    {
      WpRunStatus status = run_by_turns (replicas, seed % 3 == 0 ? 1 + seed % 11 : MOST);

      check_same (c, seed, "as replicas", replicas, status, turns, expected);
      status = run_in_windows (c, windows, tally);
      check_same (c, seed, "in windows", windows, status, turns, expected);
    }
  tally->group_windows += groups ? tally->windows - windows_before : 0;
  wp_device_free (turns);
  wp_device_free (replicas);
  wp_device_free (windows);
}

/* Refusals are check-random's business. */
static void
check_seed (guint64 seed, Tally *tally)
{
  g_autoptr (RandomCase) random = random_case_new (seed);
  g_autoptr (GError) error = NULL;
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (WpResolved) resolved = NULL;
  g_autoptr (WpGpu) gpu = wp_gpu_parse (random->gpu, strlen (random->gpu), "gpu.xml", NULL, &error);
  Case c = { NULL, random->policy, seed * G_GUINT64_CONSTANT (2654435761) + 1 };

  kernel = idg_kernel_parse (random->kernel, strlen (random->kernel), "kernel.xml", NULL, &error);
  random->options.sms = 0;
  if (seed % 4 != 0)
    random->options.memory = WP_MEMORY_IDEAL;
  resolved = wp_resolve (kernel, gpu, &random->options, &error);
  if (resolved == NULL || wp_machine_check (&resolved->machine) != NULL
      || (resolved->machine.dataflow
          && !wp_policy_takes_dataflow (wp_policy_find (random->policy))))
    return;
  c.machine = &resolved->machine;
  resolved->machine.n_sms = resolved->machine.simulated_sms = (guint32)(1 + seed % 23);
  resolved->machine.n_blocks = 1 + below (&c, 900);
  check_case (&c, seed, tally);
}

START_TEST (replicas_and_windows_give_the_totals_of_sms_by_turns)
{
  CheckSeeds seeds = check_get_seeds (4, _i, N_TESTS);
  Tally tally = { 0 };

  for (guint64 seed = seeds.first; seed < seeds.last; seed++)
    check_seed (seed, &tally);
  if (seeds.last - seeds.first < 40)
    return;
  /* Cases must have shown what this is about. */
  ck_assert_uint_ge (tally.ran * 2, seeds.last - seeds.first);
  ck_assert_uint_ge (tally.replicated * 4, seeds.last - seeds.first);
  ck_assert_uint_ge (tally.windows, seeds.last - seeds.first);
  ck_assert_uint_ge (tally.groups * 10, seeds.last - seeds.first);
  ck_assert_uint_ge (tally.same_groups * 50, seeds.last - seeds.first);
  ck_assert_uint_ge (tally.group_windows * 4, seeds.last - seeds.first);
  if (g_getenv ("WARPIPE_TALLY") != NULL)
    printf ("# %u ran, %u replicated, %u with groups, %u of them replicated, %u windows (%u of "
            "groups)\n",
            tally.ran, tally.replicated, tally.groups, tally.same_groups, tally.windows,
            tally.group_windows);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("device");
  TCase *tcase = tcase_create ("cases");

  tcase_set_timeout (tcase, 600);
  tcase_add_loop_test (tcase, replicas_and_windows_give_the_totals_of_sms_by_turns, 0, N_TESTS);
  suite_add_tcase (suite, tcase);
  return suite;
}
