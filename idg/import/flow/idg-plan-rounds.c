/* SPDX-License-Identifier: MIT */
/* Counts the rounds of a loop by executing what decides them (idg-trips.c), for one thread or for
 * each of a warp, and groups those in which its branches go the same ways. */
#include "idg/import/flow/idg-plan-private.h"

#include <string.h>

/* The most branches of one loop that are followed round by round, and the most groups of rounds. */
#define MAX_OBSERVED 16
#define MAX_SEGMENTS 256

gint64
idg_plan_get_end (const IdgFacts *facts, gint64 first)
{
  gint64 threads = facts->block_dim[0] * facts->block_dim[1] * facts->block_dim[2];

  return first < threads ? MIN (first + 32, threads) : first + 32;
}

/* Returns the branches on PATH that are assumed, to see whether values that are executed to count
 * the rounds of LOOP decide them. */
static GArray *
find_observed (const IdgPlan *plan, guint loop, const GArray *path)
{
  GArray *observed = g_array_new (FALSE, FALSE, sizeof (IdgObserved));

  for (guint i = 0; i < path->len && observed->len < MAX_OBSERVED; i++)
    {
      guint b = g_array_index (path, guint, i);
      const IdgTurn *turn = &plan->turns[b];
      IdgObserved new = { b, TRUE, NULL };

      if (idg_flow_get_block (plan->flow, b)->loop == loop && idg_plan_get_last (plan, b)->has_guard
          && (turn->why == IDG_WHY_ENTERS || turn->why == IDG_WHY_WORKS
              || turn->why == IDG_WHY_BELOW || turn->why == IDG_WHY_ALL)
          && idg_plan_get_last (plan, b)->kind == IDG_CODE_BRANCH)
        {
          new.taken = g_array_new (FALSE, FALSE, sizeof (guint8));
          g_array_append_val (observed, new);
        }
    }
  return observed;
}

static void
clear_observed (GArray *observed)
{
  for (guint i = 0; i < observed->len; i++)
    g_array_unref (g_array_index (observed, IdgObserved, i).taken);
  g_array_unref (observed);
}

/* The rounds of a loop, and how its branches go in each. */
typedef struct
{
  guint64 rounds;
  GArray *observed;  /* of IdgObserved */
  GByteArray **ways; /* by observed branch: 1 for each round in which some thread does not take it,
                      * 2 where some does */
} Rounds;

/* Executes the rounds of one thread, or of any. */
static guint64
run_rounds (IdgPlan *plan, const IdgFacts *facts, guint loop, const GArray *path, Rounds *rounds)
{
  GArray *observed = rounds->observed;
  guint64 found;

  for (guint i = 0; i < observed->len; i++)
    g_array_set_size (g_array_index (observed, IdgObserved, i).taken, 0);
  found = idg_flow_count_trips (plan->flow, facts, loop, plan->loops[loop].exit, path,
                                (IdgObserved *)(gpointer)observed->data, observed->len);
  for (guint i = 0; found > 0 && i < observed->len; i++)
    {
      const IdgObserved *o = &g_array_index (observed, IdgObserved, i);
      GByteArray *ways = rounds->ways[i];

      for (guint j = 0; o->known && j < o->taken->len; j++)
        {
          guint8 none = 0;

          if (j == ways->len)
            g_byte_array_append (ways, &none, 1);
          ways->data[j] |= g_array_index (o->taken, guint8, j) ? 2 : 1;
        }
    }
  return found;
}

/* Executes the rounds of each thread of the warp, which goes on as long as one of them does. */
static guint64
run_threads (IdgPlan *plan, IdgFacts facts, guint loop, const GArray *path, Rounds *rounds)
{
  const gint64 *dim = facts.block_dim;
  gint64 first = plan->decisions->warp * 32;
  gint64 end = idg_plan_get_end (&facts, first);
  guint64 most = 0;

  if (plan->decisions->warp < 0 || !plan->uses_threads || dim[0] <= 0)
    return 0;
  for (guint i = 0; i < rounds->observed->len; i++)
    {
      g_byte_array_set_size (rounds->ways[i], 0);
      g_array_index (rounds->observed, IdgObserved, i).known = TRUE;
    }
  for (facts.thread = first; facts.thread < end; facts.thread++)
    {
      guint64 found = run_rounds (plan, &facts, loop, path, rounds);

      if (found == 0)
        return 0;
      most = MAX (most, found);
    }
  plan->outcome->by_thread |= most > 0;
  return most;
}

static gboolean
has_unknown (const GArray *observed)
{
  for (guint i = 0; i < observed->len; i++)
    if (!g_array_index (observed, IdgObserved, i).known)
      return TRUE;
  return FALSE;
}

void
idg_plan_clear_rounds (IdgLoopPlan *plan)
{
  g_clear_pointer (&plan->observed, g_array_unref);
  g_clear_pointer (&plan->segments, g_array_unref);
  g_clear_pointer (&plan->ways, g_byte_array_unref);
}

/* Groups rounds in which all observed branches go the same ways. */
static void
make_segments (IdgLoopPlan *plan, const Rounds *rounds)
{
  idg_plan_clear_rounds (plan);
  plan->observed = g_array_new (FALSE, FALSE, sizeof (guint));
  plan->segments = g_array_new (FALSE, FALSE, sizeof (IdgRounds));
  plan->ways = g_byte_array_new ();
  for (guint i = 0; i < rounds->observed->len; i++)
    if (g_array_index (rounds->observed, IdgObserved, i).known)
      g_array_append_val (plan->observed, g_array_index (rounds->observed, IdgObserved, i).block);
  if (plan->observed->len == 0)
    {
      idg_plan_clear_rounds (plan);
      return;
    }
  for (guint64 r = 0; r < rounds->rounds && plan->segments->len <= MAX_SEGMENTS; r++)
    {
      static const guint8 hints[] = { IDG_HINT_NONE, IDG_HINT_NOT, IDG_HINT_TAKEN, IDG_HINT_BOTH };
      IdgRounds segment = { 1, plan->ways->len };
      IdgRounds *last = plan->segments->len > 0
                            ? &g_array_index (plan->segments, IdgRounds, plan->segments->len - 1)
                            : NULL;

      for (guint i = 0; i < rounds->observed->len; i++)
        if (g_array_index (rounds->observed, IdgObserved, i).known)
          {
            guint8 way = r < rounds->ways[i]->len ? rounds->ways[i]->data[r] : 0;

            g_byte_array_append (plan->ways, &hints[way], 1);
          }
      if (last != NULL
          && memcmp (plan->ways->data + last->first, plan->ways->data + segment.first,
                     plan->observed->len)
                 == 0)
        {
          last->rounds++;
          g_byte_array_set_size (plan->ways, segment.first);
        }
      else
        g_array_append_val (plan->segments, segment);
    }
  if (plan->segments->len > MAX_SEGMENTS)
    idg_plan_clear_rounds (plan);
}

/* Returns the facts about LOOP: the trip count of the source, if it was unrolled. */
static IdgFacts
get_facts (const IdgPlan *plan, guint loop)
{
  IdgFacts facts = plan->decisions->facts;
  guint unrolled = plan->loops[loop].unrolled;

  if (unrolled > 0)
    {
      const IdgUnrolled *u = &g_array_index (plan->outcome->unrolled, IdgUnrolled, unrolled - 1);

      idg_unroll_assume (u, u->rounds, &facts);
    }
  return facts;
}

void
idg_plan_count_rounds (IdgPlan *plan, guint loop, const GArray *path)
{
  IdgLoopPlan *l = &plan->loops[loop];
  IdgFacts facts = get_facts (plan, loop);
  Rounds rounds = { 0, NULL, NULL };
  guint64 found;

  rounds.observed = l->whole ? find_observed (plan, loop, path)
                             : g_array_new (FALSE, FALSE, sizeof (IdgObserved));
  rounds.ways = g_new0 (GByteArray *, rounds.observed->len + 1);
  for (guint i = 0; i < rounds.observed->len; i++)
    rounds.ways[i] = g_byte_array_new ();
  l->found = run_rounds (plan, &facts, loop, path, &rounds);
  if (l->found == 0 || has_unknown (rounds.observed))
    {
      found = run_threads (plan, facts, loop, path, &rounds);
      l->by_thread = found > 0;
      l->found = found > 0 ? found : l->found;
      if (found == 0)
        for (guint i = 0; i < rounds.observed->len; i++)
          g_array_index (rounds.observed, IdgObserved, i).known = FALSE;
    }
  rounds.rounds = l->found;
  idg_plan_clear_rounds (l);
  if (l->found > 0 && idg_plan_get_hint (plan, loop) == IDG_TRIPS_UNKNOWN)
    make_segments (l, &rounds);
  for (guint i = 0; i < rounds.observed->len; i++)
    g_byte_array_unref (rounds.ways[i]);
  g_free (rounds.ways);
  clear_observed (rounds.observed);
}
