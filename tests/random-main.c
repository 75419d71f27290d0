/* SPDX-License-Identifier: MIT */
/* A case is known by its seed and its family; all else follows from them, so that a failure of any
 * machine can be had again on any other. */
#include "tests/random-main.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/literal.h"

#define U64 "%" G_GUINT64_FORMAT

/* --- A case --- */

void
loaded_case_init (LoadedCase *c, RandomCase *random)
{
  c->random = random;
  c->gpu = wp_gpu_parse (random->gpu, strlen (random->gpu), "gpu.xml", NULL, &c->error);
  if (c->gpu != NULL)
    c->kernel
        = idg_kernel_parse (random->kernel, strlen (random->kernel), "kernel.xml", NULL, &c->error);
}

void
loaded_case_clear (LoadedCase *c)
{
  g_clear_pointer (&c->kernel, idg_kernel_free);
  g_clear_pointer (&c->gpu, wp_gpu_free);
  g_clear_pointer (&c->random, random_case_free);
  g_clear_error (&c->error);
}

static void
report (const RandomMain *self, guint64 seed, guint family, const gchar *what)
{
  g_autoptr (RandomCase) c = self->make (seed, family);
  g_autofree gchar *arguments = random_case_arguments (c);

  fprintf (stderr,
           "# seed " U64 ": %s\n"
           "# repeat: %s --seed " U64 " --family %s --dump DIR\n"
           "# then:   warpipe run DIR/kernel.xml --gpu DIR/gpu.xml %s\n",
           seed, what, self->name, seed, self->families[family].name, arguments);
}

gboolean
random_main_run_seed (const RandomMain *self, guint64 seed, guint family, gpointer tally)
{
  g_autofree gchar *what = self->check (self->make (seed, family), family, tally);

  if (what != NULL)
    report (self, seed, family, what);
  return what == NULL;
}

guint64
random_main_environment (const gchar *name, guint64 fallback)
{
  const gchar *text = g_getenv (name);

  return text == NULL || *text == '\0' ? fallback : g_ascii_strtoull (text, NULL, 10);
}

/* --- What the literal engine expects --- */

static const char *
cycles (const LiteralRun *l, gint64 t, char buffer[WP_TIME_CHARS])
{
  return wp_tick_format (t, l->ticks_per_cycle, buffer);
}

static const gchar *
reason_name (WpReason reason)
{
  static const gchar *const names[] = { "start", "barrier", "dependency", "ilp", "pair" };

  return names[reason];
}

static gchar *
issues_table (const LiteralRun *l)
{
  GString *out
      = g_string_new ("time,sm,scheduler,block,warp,index,op,pipeline,start,complete,reason,"
                      "producer\n");
  char a[WP_TIME_CHARS], b[WP_TIME_CHARS], c[WP_TIME_CHARS];

  for (guint i = 0; i < l->issues->len; i++)
    {
      const LiteralIssue *r = &g_array_index (l->issues, LiteralIssue, i);
      g_string_append_printf (out, "%s,%u,%u," U64 ",%u," U64 ",%s,%s,%s,%s,%s,",
                              cycles (l, r->time, a), r->sm, r->scheduler, r->block, r->warp,
                              r->index, r->op, r->pipeline, cycles (l, r->start, b),
                              cycles (l, r->complete, c), reason_name (r->reason));
      if (r->producer != WP_NO_PRODUCER)
        g_string_append_printf (out, U64, r->producer);
      g_string_append_c (out, '\n');
    }
  return g_string_free (out, FALSE);
}

static gchar *
lifetimes_table (const LiteralRun *l)
{
  GString *out = g_string_new ("sm,block,warp,slot,scheduler,start,end,issued,barrier,dependency,"
                               "ilp,pipeline,not_selected,drain\n");
  char a[WP_TIME_CHARS], b[WP_TIME_CHARS];

  for (guint i = 0; i < l->lifetimes->len; i++)
    {
      const LiteralLifetime *r = &g_array_index (l->lifetimes, LiteralLifetime, i);
      g_string_append_printf (out, "%u," U64 ",%u,%u,%u,%s,%s," U64, r->sm, r->block, r->warp,
                              r->slot, r->scheduler, cycles (l, r->start, a), cycles (l, r->end, b),
                              r->issued);
      for (guint k = 0; k < WP_N_STALLS; k++)
        g_string_append_printf (out, ",%s", cycles (l, r->stalls[k], a));
      g_string_append_c (out, '\n');
    }
  return g_string_free (out, FALSE);
}

static gchar *
occupancy_table (const LiteralRun *l)
{
  GString *out = g_string_new ("sm,time,blocks,warps\n");
  char a[WP_TIME_CHARS];

  for (guint i = 0; i < l->occupancy->len; i++)
    {
      const LiteralOccupancy *r = &g_array_index (l->occupancy, LiteralOccupancy, i);
      g_string_append_printf (out, "%u,%s," U64 "," U64 "\n", r->sm, cycles (l, r->time, a),
                              r->blocks, r->warps);
    }
  return g_string_free (out, FALSE);
}

static gboolean
write_file (const gchar *dir, const gchar *name, const gchar *text)
{
  g_autofree gchar *path = g_build_filename (dir, name, NULL);
  g_autoptr (GError) error = NULL;

  if (g_file_set_contents (path, text, -1, &error))
    return TRUE;
  fprintf (stderr, "warning: %s\n", error->message);
  return FALSE;
}

static gboolean
dump (RandomCase *random, gboolean literal, const gchar *dir)
{
  g_auto (LoadedCase) c = { 0 };
  g_autoptr (LiteralRun) l = NULL;
  g_autofree gchar *arguments = NULL, *issues = NULL, *lifetimes = NULL, *occupancy = NULL;

  loaded_case_init (&c, random);
  arguments = random_case_arguments (c.random);
  g_mkdir_with_parents (dir, 0777);
  if (!write_file (dir, "gpu.xml", c.random->gpu)
      || !write_file (dir, "kernel.xml", c.random->kernel)
      || !write_file (dir, "arguments", arguments))
    return FALSE;
  printf ("warpipe run %s/kernel.xml --gpu %s/gpu.xml %s\n", dir, dir, arguments);
  if (c.error != NULL || !literal)
    return TRUE;
  l = literal_run (c.kernel, c.gpu, &c.random->options, c.random->policy);
  if (l->refused || l->overflow)
    {
      printf ("literally %s: %s\n", l->refused ? "refused" : "an overflow", l->why);
      return TRUE;
    }
  issues = issues_table (l);
  lifetimes = lifetimes_table (l);
  occupancy = occupancy_table (l);
  return write_file (dir, "issues.csv", issues) && write_file (dir, "lifetimes.csv", lifetimes)
         && write_file (dir, "occupancy.csv", occupancy);
}

/* --- By hand --- */

static int
run_by_hand (const RandomMain *self, guint64 seed, guint64 count, guint family, const gchar *dir,
             gpointer tally)
{
  guint failed = 0;

  if (dir != NULL && !dump (self->make (seed, family), self->families[family].short_enough, dir))
    return EXIT_FAILURE;
  for (guint64 i = 0; i < count; i++)
    failed += !random_main_run_seed (self, seed + i, family, tally);
  self->print_tally (tally);
  printf ("%u failed\n", failed);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static gboolean
find_family (const RandomMain *self, const gchar *name, guint *family)
{
  for (*family = 0; name != NULL && *family < self->n_families; (*family)++)
    if (strcmp (self->families[*family].name, name) == 0)
      return TRUE;
  *family = 0;
  if (name != NULL)
    fprintf (stderr, "%s: no family '%s'\n", self->name, name);
  return name == NULL;
}

int
random_main_run_suite (const char *name, TCase *tcase)
{
  Suite *suite = suite_create (name);
  SRunner *runner;
  int failed;

  tcase_set_timeout (tcase, 600);
  suite_add_tcase (suite, tcase);
  runner = srunner_create (suite);
  srunner_set_tap (runner, "-");
  srunner_run_all (runner, CK_SILENT);
  failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

gboolean
random_main_by_hand (const RandomMain *self, int argc, char **argv, gpointer tally, int *status)
{
  g_autofree gchar *seed = NULL, *count = NULL, *name = NULL, *dir = NULL;
  guint family;
  const GOptionEntry entries[]
      = { { "seed", 0, 0, G_OPTION_ARG_STRING, &seed, "Run this seed only", "N" },
          { "count", 0, 0, G_OPTION_ARG_STRING, &count, "Run so many seeds from there on", "K" },
          { "family", 0, 0, G_OPTION_ARG_STRING, &name, "Of the cases of this kind", "NAME" },
          { "dump", 0, 0, G_OPTION_ARG_FILENAME, &dir, "Write the case, and what is expected, here",
            "DIR" },
          G_OPTION_ENTRY_NULL };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  *status = 2;
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      fprintf (stderr, "%s: %s\n", self->name, error->message);
      return TRUE;
    }
  if (seed == NULL)
    return FALSE;
  if (find_family (self, name, &family))
    *status
        = run_by_hand (self, g_ascii_strtoull (seed, NULL, 10),
                       count == NULL ? 1 : g_ascii_strtoull (count, NULL, 10), family, dir, tally);
  return TRUE;
}
