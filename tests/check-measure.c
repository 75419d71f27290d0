/* SPDX-License-Identifier: MIT */
/* What a device says beforehand that it will take is what it then takes, as malloc() counts it, for
 * shapes in which another part of it weighs most: many pipelines and schedulers, many warps, long
 * programs, dataflow order, observers, SMs that differ, pipelines that they share.
 *
 * What it does not pin: what is taken before the question, in proportion to the program (the plan),
 * nor what the rest of the program takes. */
#include "sim/engine/wp-device.h"
#include "sim/gpu/wp-resolve.h"

#include <glib.h>
#include <string.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "tests/check-main.h"

typedef struct
{
  const gchar *what;
  guint sms, schedulers, pipelines, warps, threads, instructions;
  const gchar *policy, *scope, *attributes; /* of pipelines, the last two */
  gboolean dataflow, contended, observed, full, barriers;
} Shape;

static const Shape shapes[] = {
  { "a GPU of today", 1, 4, 5, 64, 256, 20, "rr", "scheduler", "", .full = FALSE },
  { "its SMs, which differ", 132, 4, 5, 64, 256, 20, "gto", "scheduler", "", .full = TRUE },
  { "replicas", 132, 4, 5, 64, 256, 20, "rr", "sm", "", .full = FALSE },
  { "many pipelines", 40, 300, 60, 64, 32, 5, "rr", "scheduler", "queue='8'", .full = TRUE },
  { "long queues", 40, 4, 20, 64, 32, 5, "rr", "scheduler", "queue='2000'", .full = TRUE },
  { "many warps", 3, 2, 3, 8192, 1024, 5, "rr", "sm", "", .full = TRUE },
  { "many warps by age", 3, 2, 3, 8192, 1024, 5, "oldest", "sm", "", .full = TRUE },
  { "lists of warps", 3, 2, 3, 4096, 1024, 5, "two-level", "sm", "", .full = TRUE },
  { "a long program", 20, 2, 3, 64, 32, 5000, "rr", "sm", "", .full = TRUE },
  { "a long program, contended", 20, 2, 3, 64, 32, 5000, "rr", "sm", "", .contended = TRUE },
  { "dataflow order", 10, 2, 3, 64, 64, 500, "rr", "sm", "", .dataflow = TRUE, .full = TRUE },
  { "observed", 20, 2, 3, 64, 64, 500, "rr", "sm", "", .observed = TRUE },
  { "observed in full", 20, 2, 3, 64, 64, 500, "rr", "sm", "", .observed = TRUE, .full = TRUE },
  { "barriers with names", 20, 2, 3, 512, 512, 5, "rr", "sm", "", .full = TRUE, .barriers = TRUE },
};

static WpGpu *gpu;
static IdgKernel *kernel;
static WpResolved *resolved;

static gchar *
write_gpu (const Shape *shape)
{
  GString *text = g_string_new (NULL);

  g_string_printf (text,
                   "<gpu name='g'><device sms='%u' clock-mhz='1' warp-size='32' pin-gbs='1'/>"
                   "<limits warps='%u' blocks='65536'/><contention a='1' b='1' c='1'/>"
                   "<scheduler count='%u'/>",
                   shape->sms, shape->warps, shape->schedulers);
  for (guint i = 0; i < shape->pipelines; i++)
    g_string_append_printf (text, "<pipeline name='p%u' scope='%s' %s/>", i, shape->scope,
                            shape->attributes);
  g_string_append (text, "<pipeline name='memory' kind='memory' channels='4' channel-issue='1'/>"
                         "<op name='add' pipeline='p0' issue='1' completion='4'/>"
                         "<op name='ld' pipeline='memory' issue='1' completion='40'/></gpu>");
  return g_string_free (text, FALSE);
}

static gchar *
write_kernel (const Shape *shape)
{
  GString *text = g_string_new (NULL);

  g_string_printf (text, "<kernel name='k'><launch blocks='1000000' threads='%u'/>\n<program>",
                   shape->threads);
  for (guint i = 0; i < shape->instructions; i++)
    g_string_append_printf (text, "<i id='i%u' op='%s'/>\n", i, i == 0 ? "ld" : "add");
  for (guint i = 0; shape->barriers && i < 20; i++)
    g_string_append_printf (text, "<barrier name='b%u'/>\n", i);
  g_string_append (text, "<i op='add' after='");
  for (guint i = 0; i < shape->instructions; i++) /* so that all values are kept */
    g_string_append_printf (text, "i%u ", i);
  g_string_append (text, "'/></program></kernel>");
  return g_string_free (text, FALSE);
}

static const WpMachine *
make_machine (const Shape *shape)
{
  g_autofree gchar *gpu_text = write_gpu (shape);
  g_autofree gchar *kernel_text = write_kernel (shape);
  g_autoptr (GError) error = NULL;
  WpRunOptions options = WP_RUN_OPTIONS_INIT;

  options.sms = 0;
  options.has_order = TRUE;
  options.order = shape->dataflow ? WP_ORDER_DATAFLOW : WP_ORDER_PROGRAM;
  options.memory = shape->contended ? WP_MEMORY_CONTENDED : WP_MEMORY_IDEAL;
  gpu = wp_gpu_parse (gpu_text, strlen (gpu_text), "g.xml", NULL, &error);
  ck_assert_msg (gpu != NULL, "%s", error != NULL ? error->message : "");
  kernel = idg_kernel_parse (kernel_text, strlen (kernel_text), "k.xml", NULL, &error);
  ck_assert_msg (kernel != NULL, "%s", error != NULL ? error->message : "");
  resolved = wp_resolve (kernel, gpu, &options, &error);
  ck_assert_msg (resolved != NULL, "%s", error != NULL ? error->message : "");
  return &resolved->machine;
}

static void
tear_down (void)
{
  g_clear_pointer (&resolved, wp_resolved_free);
  g_clear_pointer (&kernel, idg_kernel_free);
  g_clear_pointer (&gpu, wp_gpu_free);
}

static void
hear (void *data, const WpIssueEvent *event)
{
  (void)data;
  (void)event;
}

static const WpObserver observer = { .issue = hear };

/* The bytes that malloc() has handed out; 0: it does not say. */
static gsize
count_taken (void)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  struct mallinfo2 info = mallinfo2 ();

  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}

START_TEST (what_is_said_is_taken)
{
  const Shape *shape = &shapes[_i];
  const WpMachine *machine = make_machine (shape);
  const WpObserver *observers[] = { &observer };
  gsize before = count_taken (), taken;
  guint64 needed;
  const char *problem;
  WpDevice *device
      = wp_device_new_within (machine, wp_policy_find (shape->policy), observers,
                              shape->observed ? 1 : 0, !shape->full, UINT64_MAX, &needed, &problem);

  ck_assert_msg (device != NULL, "%s: %s", shape->what, problem);
  taken = count_taken () - before;
  wp_device_free (device);
  /* Pages of large pieces, and a plan of some hundred bytes for each instruction. */
  if (before > 0)
    ck_assert_msg (needed <= taken + 4096
                       && taken <= needed + needed / 50 + (1 << 18) + 512 * machine->n_instrs,
                   "%s: %" G_GUINT64_FORMAT " bytes are said to be needed, %" G_GSIZE_FORMAT
                   " are taken",
                   shape->what, needed, taken);
}
END_TEST

START_TEST (more_than_it_may_is_refused)
{
  const WpMachine *machine = make_machine (&shapes[_i]);
  const WpPolicy *policy = wp_policy_find (shapes[_i].policy);
  gsize before = count_taken ();
  guint64 needed, again;
  const char *problem;
  WpDevice *device = wp_device_new_within (machine, policy, NULL, 0, FALSE, 1, &needed, &problem);

  ck_assert_ptr_null (device);
  ck_assert_str_eq (problem, WP_DEVICE_TOO_LARGE);
  ck_assert_uint_gt (needed, 1);
  /* Small pieces that are freed stay in the C library's caches, which count as taken. */
  ck_assert_uint_le (count_taken (), before + (1 << 15));
  device = wp_device_new_within (machine, policy, NULL, 0, FALSE, needed - 1, &again, &problem);
  ck_assert_ptr_null (device);
  device = wp_device_new_within (machine, policy, NULL, 0, FALSE, needed, &again, &problem);
  ck_assert_ptr_nonnull (device);
  ck_assert_uint_eq (again, needed);
  wp_device_free (device);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("measure");
  TCase *tcase = tcase_create ("shapes");

  tcase_add_checked_fixture (tcase, NULL, tear_down);
  tcase_add_loop_test (tcase, what_is_said_is_taken, 0, G_N_ELEMENTS (shapes));
  tcase_add_loop_test (tcase, more_than_it_may_is_refused, 0, G_N_ELEMENTS (shapes));
  suite_add_tcase (suite, tcase);
  return suite;
}
