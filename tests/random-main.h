/* SPDX-License-Identifier: MIT */
/* What the test programs over random cases share: a case as the loaders read it, a report of one
 * that failed, and the arguments by hand
 *
 *   PROGRAM --seed N [--count K] [--family NAME] [--dump DIR]
 *
 * which run these seeds only, and write the first with the tables that the literal engine expects
 * of it to DIR. */
#pragma once

#include <check.h>

#include "tests/random-case.h"

typedef struct
{
  RandomCase *random;
  WpGpu *gpu;
  IdgKernel *kernel;
  GError *error; /* of the loaders: the generator is wrong, or they are */
} LoadedCase;

/* Takes RANDOM over. */
void loaded_case_init (LoadedCase *c, RandomCase *random);
void loaded_case_clear (LoadedCase *c);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LoadedCase, loaded_case_clear)

typedef struct
{
  const gchar *name;
  gboolean short_enough; /* for the literal engine */
} RandomFamily;

typedef struct
{
  const gchar *name; /* of the program */
  guint n_families;  /* the first where none is named */
  const RandomFamily *families;
  RandomCase *(*make) (guint64 seed, guint family);
  /* What is wrong with a case, which it takes over: NULL is nothing. TALLY adds up what cases have
   * shown. */
  gchar *(*check) (RandomCase *random, guint family, gpointer tally);
  void (*print_tally) (gconstpointer tally);
} RandomMain;

/* Whether the case of SEED passes. Details of a failure go to standard error: a TAP line has no
 * room for them. */
gboolean random_main_run_seed (const RandomMain *self, guint64 seed, guint family, gpointer tally);

/* A number from the environment; FALLBACK where it is not set. */
guint64 random_main_environment (const gchar *name, guint64 fallback);

/* Runs the cases of TCASE as the suite NAME, in TAP; returns the exit status. */
int random_main_run_suite (const char *name, TCase *tcase);

/* With arguments by hand: runs them with TALLY and returns TRUE with the exit status. */
gboolean random_main_by_hand (const RandomMain *self, int argc, char **argv, gpointer tally,
                              int *status);
