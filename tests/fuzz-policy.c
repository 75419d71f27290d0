/* SPDX-License-Identifier: MIT */
/* Any bytes as a policy (include/warpipe/policy.h) on a random case: the first eight choose the
 * case, the ninth what the policy promises and listens to, and all others what it does each time
 * that it is asked, over and over. It may choose whom it may not, say nobody, stop the run, look
 * where nobody is, and break each promise.
 *
 * The run ends all the same: complete, with each block and warp, or with a fault that is the
 * policy's, or as the case itself would (stuck, a time that overflows). What the policy is told is
 * within bounds. */
#include <string.h>

#include "include/warpipe/policy.h"
#include "sim/engine/policy/wp-policy-plugin.h"
#include "sim/engine/wp-device.h"
#include "tests/fuzz.h"
#include "tests/random-case.h"

#define HEAD 9
#define MAX_STEPS 2000000 /* of a run: a policy may make it long, and not endless */

/* The bytes that are left to choose by. */
static struct
{
  const uint8_t *data;
  size_t size;
} script;

typedef struct
{
  size_t at;
  guint n_resident;
} Self;

static guint
next (Self *self)
{
  return script.size > 0 ? script.data[self->at++ % script.size] : 0;
}

static void *
create (const WpPolicyView *view, const int64_t *knobs, const char **problem)
{
  Self *self = g_new0 (Self, 1);

  g_assert_true (knobs[0] == 7 && view->scheduler < view->n_schedulers);
  if (next (self) != 255)
    return self;
  g_free (self);
  *problem = "it does not want to";
  return NULL;
}

static void
look_around (Self *self, const WpPolicyView *view)
{
  g_autofree uint32_t *warps = g_new (uint32_t, view->n_slots);
  guint what = next (self), n = view->list (view, warps);
  WpPolicyWarp info;

  g_assert_cmpuint (n, <=, view->n_slots);
  for (guint i = 0; i < n; i++)
    {
      g_assert_true (view->look (view, warps[i], &info, sizeof info));
      g_assert_cmpuint (info.issued, <=, info.total);
    }
  view->look (view, what == 0 ? UINT32_MAX : what, &info, what % (sizeof info + 1));
  view->get_pipeline (view, what == 1 ? UINT32_MAX : what, NULL);
}

static uint32_t
choose (void *data, const WpPolicyView *view, int64_t *until)
{
  Self *self = data;
  guint what = next (self);
  uint32_t n;
  const uint32_t *ready = view->get_ready (view, &n);

  g_assert_cmpuint (n, >=, 1);
  g_assert_cmpuint (ready[0], ==, view->oldest);
  g_assert_cmpuint (ready[n - 1], ==, view->youngest);
  switch (what % 32)
    {
    case 0:
      return WP_POLICY_NOBODY;
    case 1:
      *until = view->now + (int64_t)next (self) - 2;
      return WP_POLICY_NOBODY;
    case 2:
      *until = G_MAXINT64 - (int64_t)next (self);
      return next (self) % 2 ? WP_POLICY_NOBODY : view->oldest;
    case 3:
      *until = G_MININT64;
      return view->last;
    case 4:
      return what == 4 ? next (self) : view->youngest;
    case 5:
      if (what == 5)
        view->stop (view, next (self) % 2 ? NULL : "\033[31mno\xff");
      return view->oldest;
    case 6:
      look_around (self, view);
      return view->oldest;
    case 7:
      return view->last_ready ? view->last : view->oldest;
    default:
      return ready[what % n];
    }
}

static void
launched (void *data, const WpPolicyView *view, uint32_t warp)
{
  Self *self = data;

  g_assert_cmpuint (warp, <, view->n_slots);
  g_assert_cmpuint (++self->n_resident, <=, view->n_slots);
}

static void
ended (void *data, const WpPolicyView *view, uint32_t warp)
{
  Self *self = data;

  g_assert_cmpuint (warp, <, view->n_slots);
  g_assert_cmpuint (self->n_resident--, >, 0);
}

static void
issued (void *data, const WpPolicyView *view, const WpPolicyIssue *issue)
{
  g_assert_true (issue->warp < view->n_slots && issue->n >= 1);
  if (next (data) == 3)
    look_around (data, view);
}

static void
wait_begins (void *data, const WpPolicyView *view, uint32_t warp, WpPolicyWait why,
             uint32_t pipeline, int64_t until)
{
  g_assert_true (warp < view->n_slots && why <= WP_POLICY_WAIT_END);
  g_assert_true (pipeline == WP_POLICY_NONE || pipeline < view->n_pipelines);
  g_assert_cmpint (until, >=, view->now);
  if (next (data) == 4)
    view->stop (view, "");
}

static size_t
digest (const void *data, uint64_t *words, size_t room)
{
  const Self *self = data;

  g_assert_cmpuint (room, >=, 1);
  words[0] = script.size > 0 ? self->at % script.size : 0;
  return script.size > 0 && script.data[0] == 254 ? room + 1 : 1;
}

static void
check_end (WpDevice *device, const WpMachine *machine, WpRunStatus status)
{
  const WpResult *result = wp_device_get_result (device);

  if (status == WP_RUN_DONE)
    {
      g_assert_true (result->complete);
      g_assert_cmpuint (wp_device_get_blocks_started (device), ==, machine->n_blocks);
    }
  else if (status == WP_RUN_OVERFLOW)
    {
      WpOverflow overflow = wp_device_get_overflow (device);

      g_assert_true (overflow.fault.kind != WP_POLICY_FAULT_NONE || *overflow.what != '\0');
      g_assert_nonnull (memchr (overflow.fault.text, '\0', sizeof overflow.fault.text));
    }
  else if (status == WP_RUN_STUCK)
    {
      WpStuck stuck;

      wp_device_get_stuck (device, &stuck);
      g_assert_cmpuint (stuck.n, >, 0);
    }
}

static void
run (const WpMachine *machine, const WpPolicy *policy)
{
  const char *problem = NULL;
  WpDevice *device = wp_device_new (machine, policy, NULL, 0, &problem);
  WpRunStatus status = WP_RUN_MORE;

  if (device == NULL)
    {
      g_assert_nonnull (problem);
      return;
    }
  for (guint64 steps = 0; status == WP_RUN_MORE && steps < MAX_STEPS; steps += 10000)
    status = wp_device_run (device, 10000);
  if (status != WP_RUN_MORE)
    check_end (device, machine, status);
  wp_device_free (device);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const WpPolicyKnob knobs[] = { { "k", "a knob", 7, 0, 9 } };
  static const int64_t values[] = { 7 };
  static const gchar *const nowhere[] = { NULL };
  WpPolicyPlugin plugin
      = { WP_POLICY_HEAD, .text = "bytes", .knobs = knobs, .n_knobs = 1, .choose = choose };
  g_autoptr (RandomCase) random = NULL;
  g_autoptr (WpGpu) gpu = NULL;
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (WpResolved) resolved = NULL;
  guint64 seed;
  guint promises;

  if (size < HEAD)
    return 0;
  memcpy (&seed, data, sizeof seed);
  promises = data[HEAD - 1];
  script.data = data + HEAD;
  script.size = size - HEAD;
  random = random_case_new (seed);
  gpu = wp_gpu_parse (random->gpu, strlen (random->gpu), "g.xml", nowhere, NULL);
  kernel = idg_kernel_parse (random->kernel, strlen (random->kernel), "k.xml", NULL, NULL);
  resolved = gpu && kernel ? wp_resolve (kernel, gpu, &random->options, NULL) : NULL;
  plugin.create = create;
  plugin.destroy = g_free;
  plugin.pure = promises & 1;
  plugin.launched = promises & 2 ? launched : NULL;
  plugin.ended = promises & 2 ? ended : NULL;
  plugin.issued = promises & 4 ? issued : NULL;
  plugin.wait_begins = promises & 8 ? wait_begins : NULL;
  plugin.digest = promises & 16 ? digest : NULL;
  if (resolved != NULL && wp_policy_plugin_check (&plugin) == NULL)
    {
      WpPolicy *policy = wp_policy_plugin_new (&plugin, "bytes", values);

      run (&resolved->machine, policy);
      wp_policy_plugin_free (policy);
    }
  return 0;
}
