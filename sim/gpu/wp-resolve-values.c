/* SPDX-License-Identifier: MIT */
/* Where a warp keeps the completions that its instructions wait for. A place is another
 * instruction's as soon as nobody needs what it holds, so that a warp has as many places as values
 * that are needed at a time, however long its program is.
 *
 *   i0  a               a 0
 *   i1  b after i0        |  b 0        i0 is not needed any more: i1 takes its place
 *   i2  c                    |  c 1
 *   i3  d after i1 i2        |  |  d 0
 *
 * A value is needed from its instruction on, in program order, until the last that depends on it;
 * where that one is in a repeat that the instruction is not in, until the end of that repeat, as
 * each iteration reads it. One that depends on an instruction which comes after it (or on itself)
 * reads what an earlier iteration left there, and in the first one that there is nothing: so
 * nobody else has the place from the warp's start on until the end of the outermost repeat around
 * both. An instruction that executes again before it is read again needs no place in between.
 */
#include "sim/gpu/wp-resolver.h"

#define NONE G_MAXUINT32

typedef struct
{
  const IdgProgram *program;
  const guint32 *place; /* of each node: see wp-resolve-program.c */
  guint32 *outer;       /* the innermost repeat around each node, or NONE */
  guint32 *last;        /* the node at which its value is needed last, or NONE: nobody needs it */
  gboolean *early;      /* it is needed from the warp's start on */
  guint32 *ending;      /* the first value that is needed last at each node, or NONE */
  guint32 *next;        /* and the next one after each of these */
  GPtrArray *free;      /* by size: a GArray of rows of so many places that are free, or NULL */
  guint32 n;            /* places in all */
} Values;

static Values
values_new (const IdgProgram *program, const guint32 *place)
{
  gsize n = program->n_nodes;
  Values v = { .program = program, .place = place, .free = g_ptr_array_new () };
  guint32 around = NONE;

  v.outer = g_new (guint32, n);
  v.last = g_new (guint32, n);
  v.early = g_new0 (gboolean, n);
  v.ending = g_new (guint32, n);
  v.next = g_new (guint32, n);
  for (guint32 i = 0; i < n; i++)
    {
      if (program->nodes[i].kind == IDG_END)
        around = v.outer[program->nodes[i].partner];
      v.outer[i] = around;
      v.last[i] = v.ending[i] = NONE;
      if (program->nodes[i].kind == IDG_REPEAT)
        around = i;
    }
  return v;
}

static void
values_clear (Values *v)
{
  for (guint i = 0; i < v->free->len; i++)
    if (g_ptr_array_index (v->free, i) != NULL)
      g_array_unref (g_ptr_array_index (v->free, i));
  g_ptr_array_unref (v->free);
  g_free (v->outer);
  g_free (v->last);
  g_free (v->early);
  g_free (v->ending);
  g_free (v->next);
}

static gboolean
is_around (const Values *v, guint32 repeat, guint32 node)
{
  return repeat < node && node < v->program->nodes[repeat].partner;
}

/* The end of the outermost repeat around CONSUMER that PRODUCER is in, too (BOTH), or is not in;
 * CONSUMER, where there is none. */
static guint32
find_end (const Values *v, guint32 producer, guint32 consumer, gboolean both)
{
  guint32 end = consumer;

  for (guint32 repeat = v->outer[consumer]; repeat != NONE; repeat = v->outer[repeat])
    if (is_around (v, repeat, producer) == both)
      end = v->program->nodes[repeat].partner;
  return end;
}

/* CONSUMER reads the value of PRODUCER, as it was DISTANCE issues ago. */
static void
need (Values *v, guint32 producer, guint32 consumer, guint32 distance)
{
  gboolean before = consumer <= producer || distance > 1;
  guint32 end = find_end (v, producer, consumer, before);

  if (distance > 1) /* each issue moves what is kept: nobody else's may lie there */
    end = v->program->n_nodes - 1;
  end = MAX (end, producer); /* which writes it once more */
  v->early[producer] |= before;
  v->last[producer] = v->last[producer] == NONE ? end : MAX (v->last[producer], end);
}

static void
find_needs (Values *v)
{
  for (guint32 i = 0; i < v->program->n_nodes; i++)
    for (guint d = 0; v->place[i] != WP_DROPPED && d < v->program->nodes[i].n_after; d++)
      if (v->place[v->program->nodes[i].after[d]] != WP_DROPPED)
        need (v, v->program->nodes[i].after[d], i, v->program->nodes[i].distances[d]);
}

/* The rows of SIZE places that are free. */
static GArray *
get_free (Values *v, guint32 size)
{
  if (size >= v->free->len)
    g_ptr_array_set_size (v->free, (gint)size + 1);
  if (g_ptr_array_index (v->free, size) == NULL)
    g_ptr_array_index (v->free, size) = g_array_new (FALSE, FALSE, sizeof (guint32));
  return g_ptr_array_index (v->free, size);
}

static guint32
take (Values *v, guint32 size)
{
  GArray *rows = get_free (v, size);
  guint32 first = v->n;

  if (rows->len > 0)
    {
      first = g_array_index (rows, guint32, rows->len - 1);
      g_array_set_size (rows, rows->len - 1);
    }
  else
    v->n += size;
  return first;
}

/* How many places the value of an instruction takes, of COST: each of the sets of its contexts has
 * as many as it keeps. */
static guint32
get_size (const WpInstr *instr, const WpResolverCost *cost)
{
  return cost->n_sets * wp_instr_get_kept (instr);
}

/* Places for the value of node I, until it is needed last. */
static void
place_value (WpResolver *r, Values *v, const WpResolverCost *cost, guint32 i)
{
  WpInstr *first = &g_array_index (r->arena->instrs, WpInstr, v->place[i]);
  guint32 value = take (v, get_size (first, cost));

  for (guint k = 0; k < cost->n; k++)
    first[k].value = value + cost->contexts[k].set * wp_instr_get_kept (first);
  v->next[i] = v->ending[v->last[i]];
  v->ending[v->last[i]] = i;
}

/* The places of what is needed last at node I are free. */
static void
release_at (WpResolver *r, Values *v, const WpResolverCost *costs, guint32 i)
{
  for (guint32 k = v->ending[i]; k != NONE; k = v->next[k])
    {
      const WpInstr *first = &g_array_index (r->arena->instrs, WpInstr, v->place[k]);

      g_array_append_val (get_free (v, get_size (first, &costs[k])), first->value);
    }
}

guint32
wp_resolver_place_values (WpResolver *r, const IdgProgram *program, const WpResolverCost *costs,
                          const guint32 *place)
{
  Values v = values_new (program, place);
  guint32 n;

  find_needs (&v);
  for (guint32 i = 0; i < program->n_nodes; i++)
    if (v.early[i])
      place_value (r, &v, &costs[i], i);
  for (guint32 i = 0; i < program->n_nodes; i++)
    {
      release_at (r, &v, costs, i);
      if (v.last[i] != NONE && !v.early[i])
        place_value (r, &v, &costs[i], i);
    }
  n = v.n;
  values_clear (&v);
  return n;
}
