/* SPDX-License-Identifier: MIT */
/* Code that does not fit the instruction cache, as instructions that fetch it.
 *
 * A warp's code is pieces of equal size. A walk over the nodes of a program follows which pieces
 * were used last, as many as the cache holds. A *visit* is a stretch of instructions of one piece.
 * Where the piece of a visit has left the cache, an instruction that fetches it stands at the start
 * of the visit before, so that it is under way meanwhile, and the visit's instructions wait for it.
 *
 * A repeat whose pieces fit together misses in its first round only: what fetches them stands
 * before it. One whose pieces do not fit is walked as its later rounds find the cache. */
#include "idg/import/fold/idg-fold-warps.h"

#include <stdlib.h>

#define NONE G_MAXUINT32

typedef struct
{
  guint32 kind, word; /* where its words begin in the code */
  guint32 piece;      /* of an instruction */
  guint32 partner;    /* of a repeat: its end */
  guint32 wait;       /* the request that it waits for, or NONE */
} Node;

typedef struct
{
  guint32 at; /* the node that it stands before; requests have rising ones */
  guint32 piece;
  guint32 after; /* the request that whoever comes here has waited for, or NONE */
} Request;

typedef struct
{
  const IdgFoldClasses *classes;
  const IdgFoldFetch *fetch;
  guint32 n_pieces; /* of the code */
  guint32 capacity; /* of the cache, in pieces */
  guint32 *recent;  /* [n_recent]: what is in the cache, the last used first */
  guint32 n_recent;
  guint32 *requested; /* [n_pieces]: the last request for each, or NONE */
  guint32 *stamps;    /* [n_pieces]: the last search that met it */
  guint32 stamp;
  guint32 *warps; /* [n_pieces]: of a block, those that run it */
  GArray *code;
  GArray *nodes;    /* of Node */
  GArray *requests; /* of Request */
  guint32 current;  /* the piece of the visit, */
  guint32 start;    /* the first node of it on this level, */
  guint32 waited;   /* and the request that was waited for before that */
} Walk;

static inline Node *
get_node (const Walk *walk, guint32 i)
{
  return &g_array_index (walk->nodes, Node, i);
}

/* ---- Nodes ---- */

static guint32
get_piece (const Walk *walk, guint32 class)
{
  return (guint32)(idg_fold_classes_get (walk->classes, class)->pc / walk->fetch->piece);
}

/* Reads the nodes of the code. */
static void
read_nodes (Walk *walk)
{
  const guint32 *words = (const guint32 *)(void *)walk->code->data;
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_array_set_size (walk->nodes, 0);
  for (guint32 word = 0; word < walk->code->len;)
    {
      Node node = { .kind = words[word], .word = word, .wait = NONE };
      guint32 number = walk->nodes->len;

      word += node.kind == IDG_FOLD_REPEAT ? 2 : 1;
      if (node.kind == IDG_FOLD_INSTRUCTION)
        {
          node.piece = get_piece (walk, words[word]);
          word += 2 + words[word + 1];
        }
      else if (node.kind == IDG_FOLD_REPEAT)
        g_array_append_val (open, number);
      else
        {
          get_node (walk, g_array_index (open, guint32, open->len - 1))->partner = number;
          g_array_set_size (open, open->len - 1);
        }
      g_array_append_val (walk->nodes, node);
    }
}

/* Returns how many pieces nodes FIRST to END - 1 have. */
static guint32
count_pieces (Walk *walk, guint32 first, guint32 end)
{
  guint32 n = 0;

  walk->stamp++;
  for (guint32 i = first; i < end; i++)
    {
      const Node *node = get_node (walk, i);

      if (node->kind == IDG_FOLD_INSTRUCTION && walk->stamps[node->piece] != walk->stamp)
        {
          walk->stamps[node->piece] = walk->stamp;
          n++;
        }
    }
  return n;
}

/* ---- The cache ---- */

/* Makes PIECE the last one used. Tells whether it was in the cache. */
static gboolean
touch (Walk *walk, guint32 piece)
{
  guint32 i = 0;
  gboolean is_hit;

  while (i < walk->n_recent && walk->recent[i] != piece)
    i++;
  is_hit = i < walk->n_recent;
  if (!is_hit && walk->n_recent < walk->capacity)
    walk->n_recent++;
  for (i = MIN (i, walk->n_recent - 1); i > 0; i--)
    walk->recent[i] = walk->recent[i - 1];
  walk->recent[0] = piece;
  return is_hit;
}

static void
request (Walk *walk, guint32 at, guint32 piece, guint32 after)
{
  Request request = { at, piece, after };

  walk->requested[piece] = walk->requests->len;
  g_array_append_val (walk->requests, request);
}

/* ---- The walk ---- */

/* A visit goes on at node FIRST of another level. */
static void
enter_level (Walk *walk, guint32 first)
{
  walk->waited = walk->requested[walk->current];
  walk->start = first;
}

static void
walk_instruction (Walk *walk, guint32 i)
{
  Node *node = get_node (walk, i);

  if (node->piece != walk->current)
    {
      if (!touch (walk, node->piece))
        request (walk, walk->start, node->piece, walk->waited);
      enter_level (walk, i);
      walk->current = node->piece;
    }
  node->wait = walk->requested[node->piece];
}

/* A repeat from node FIRST to END, whose pieces stay. */
static void
walk_small_repeat (Walk *walk, guint32 first, guint32 end)
{
  guint32 waited = walk->requested[walk->current];

  for (guint32 i = first; i < end; i++)
    {
      Node *node = get_node (walk, i);

      if (node->kind != IDG_FOLD_INSTRUCTION)
        continue;
      if (node->piece != walk->current && !touch (walk, node->piece))
        request (walk, first, node->piece, waited);
      walk->current = node->piece;
      node->wait = walk->requested[node->piece];
    }
}

/* Uses the pieces of nodes FIRST to END - 1, as a round of a repeat does before the next. */
static void
pass_round (Walk *walk, guint32 first, guint32 end)
{
  for (guint32 i = first; i < end; i++)
    {
      const Node *node = get_node (walk, i);

      if (node->kind == IDG_FOLD_INSTRUCTION && node->piece != walk->current)
        {
          touch (walk, node->piece);
          walk->current = node->piece;
        }
    }
}

static void
walk_nodes (Walk *walk, guint32 first, guint32 end)
{
  for (guint32 i = first; i < end; i++)
    {
      const Node *node = get_node (walk, i);
      guint32 partner = node->partner;

      if (node->kind == IDG_FOLD_INSTRUCTION)
        {
          walk_instruction (walk, i);
          continue;
        }
      if (count_pieces (walk, i, partner) <= walk->capacity)
        walk_small_repeat (walk, i, partner);
      else
        {
          pass_round (walk, i, partner);
          enter_level (walk, i + 1);
          walk_nodes (walk, i + 1, partner);
        }
      enter_level (walk, partner + 1);
      i = partner;
    }
}

/* The first piece of a program is there when a warp starts. */
static void
walk_program (Walk *walk)
{
  guint32 first = 0;

  g_array_set_size (walk->requests, 0);
  walk->n_recent = 0;
  for (guint32 i = 0; i < walk->n_pieces; i++)
    walk->requested[i] = NONE;
  while (first < walk->nodes->len && get_node (walk, first)->kind != IDG_FOLD_INSTRUCTION)
    first++;
  if (first == walk->nodes->len)
    return;
  walk->current = get_node (walk, first)->piece;
  walk->start = 0;
  walk->waited = NONE;
  touch (walk, walk->current);
  walk_nodes (walk, 0, walk->nodes->len);
}

/* ---- The program with what fetches ---- */

static void
put (GArray *code, guint32 word)
{
  g_array_append_val (code, word);
}

/* The node of REQUEST in the new code. */
static guint32
place_request (const Walk *walk, guint32 number)
{
  return g_array_index (walk->requests, Request, number).at + number;
}

static void
put_request (const Walk *walk, GArray *code, guint32 number)
{
  const Request *one = &g_array_index (walk->requests, Request, number);

  put (code, IDG_FOLD_INSTRUCTION);
  put (code, walk->fetch->find_class (walk->fetch->data, one->piece, walk->warps[one->piece]));
  put (code, one->after != NONE);
  if (one->after != NONE)
    put (code, place_request (walk, one->after));
}

static gint
compare_words (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *)a, y = *(const guint32 *)b;

  return x < y ? -1 : x > y;
}

/* PLACES: the new numbers of the nodes. */
static void
put_node (const Walk *walk, GArray *code, const Node *node, const guint32 *places)
{
  const guint32 *words = &g_array_index (walk->code, guint32, node->word);
  guint n = node->kind == IDG_FOLD_INSTRUCTION ? words[2] : 0, first;

  put (code, words[0]);
  if (node->kind != IDG_FOLD_END)
    put (code, words[1]);
  if (node->kind != IDG_FOLD_INSTRUCTION)
    return;
  put (code, n + (node->wait != NONE));
  first = code->len;
  for (guint i = 0; i < n; i++)
    {
      guint32 distance = words[3 + i] / IDG_FOLD_DISTANCE;

      put (code, places[words[3 + i] % IDG_FOLD_DISTANCE] + distance * IDG_FOLD_DISTANCE);
    }
  if (node->wait != NONE)
    put (code, place_request (walk, node->wait));
  qsort (&g_array_index (code, guint32, first), code->len - first, sizeof (guint32), compare_words);
}

static guint32 *
number_nodes (const Walk *walk)
{
  guint32 *places = g_new (guint32, walk->nodes->len + 1);
  guint32 passed = 0;

  for (guint32 i = 0; i < walk->nodes->len; i++)
    {
      while (passed < walk->requests->len
             && g_array_index (walk->requests, Request, passed).at <= i)
        passed++;
      places[i] = i + passed;
    }
  return places;
}

/* Returns the code with its requests. */
static GArray *
write_code (const Walk *walk)
{
  GArray *code = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint32 *places = number_nodes (walk);
  guint32 passed = 0;

  for (guint32 i = 0; i < walk->nodes->len; i++)
    {
      for (; passed < places[i] - i; passed++)
        put_request (walk, code, passed);
      put_node (walk, code, get_node (walk, i), places);
    }
  return code;
}

/* ---- The programs of a kernel ---- */

static void
read_program (Walk *walk, const IdgFoldWarps *warps, guint32 program)
{
  walk->code = g_ptr_array_index (warps->programs, program);
  read_nodes (walk);
}

/* Returns which pieces each program has: [program * n_pieces + piece]. N receives how many there
 * are in all. */
static guint8 *
find_pieces (Walk *walk, const IdgFoldWarps *warps, guint32 *n)
{
  guint8 *has = g_new0 (guint8, (gsize)warps->programs->len * walk->n_pieces + 1);
  g_autofree guint8 *any = g_new0 (guint8, walk->n_pieces + 1);

  *n = 0;
  for (guint32 p = 0; p < warps->programs->len; p++)
    {
      read_program (walk, warps, p);
      for (guint32 i = 0; i < walk->nodes->len; i++)
        if (get_node (walk, i)->kind == IDG_FOLD_INSTRUCTION)
          {
            guint32 piece = get_node (walk, i)->piece;

            has[(gsize)p * walk->n_pieces + piece] = TRUE;
            *n += !any[piece];
            any[piece] = TRUE;
          }
    }
  return has;
}

/* Returns how many blocks each row has. */
static guint64 *
count_blocks (const IdgFoldWarps *warps)
{
  guint64 *n = g_new0 (guint64, warps->places->len + 1);

  for (guint i = 0; i < warps->blocks->len; i++)
    {
      const IdgFoldBlock *block = &g_array_index (warps->blocks, IdgFoldBlock, i);

      n[block->row] += block->n;
    }
  return n;
}

/* Finds how many warps of a block run each piece: the mean of the blocks in which any does. */
static void
count_warps (Walk *walk, const IdgFoldWarps *warps, const guint8 *has)
{
  g_autofree guint64 *n_blocks = count_blocks (warps);
  g_autofree guint64 *blocks = g_new0 (guint64, walk->n_pieces + 1);
  g_autofree guint64 *sums = g_new0 (guint64, walk->n_pieces + 1);
  g_autofree guint32 *met = g_new0 (guint32, walk->n_pieces + 1);

  for (guint32 row = 0; row < warps->places->len; row++)
    {
      gsize size;
      const IdgFoldPlace *places = g_bytes_get_data (g_ptr_array_index (warps->places, row), &size);

      for (gsize i = 0; i < size / sizeof *places; i++)
        for (guint32 piece = 0; piece < walk->n_pieces; piece++)
          if (has[(gsize)places[i].program * walk->n_pieces + piece])
            {
              sums[piece] += n_blocks[row];
              blocks[piece] += met[piece] == row + 1 ? 0 : n_blocks[row];
              met[piece] = row + 1;
            }
    }
  for (guint32 piece = 0; piece < walk->n_pieces; piece++)
    walk->warps[piece]
        = blocks[piece] ? (guint32)((sums[piece] + blocks[piece] / 2) / blocks[piece]) : 1;
}

/* The key of a program is its old code, which no program is looked up by any more. */
static void
replace_programs (Walk *walk, IdgFoldWarps *warps)
{
  g_hash_table_remove_all (warps->codes);
  g_hash_table_remove_all (warps->sequences);
  for (guint32 p = 0; p < warps->programs->len; p++)
    {
      read_program (walk, warps, p);
      walk_program (walk);
      g_array_index (warps->sizes, guint, p) += walk->requests->len;
      warps->n_nodes += walk->requests->len;
      g_ptr_array_index (warps->programs, p) = write_code (walk);
      g_array_unref (walk->code);
    }
}

static void
init (Walk *walk, const IdgFoldWarps *warps, const IdgFoldFetch *fetch)
{
  *walk = (Walk){ .classes = warps->classes, .fetch = fetch };
  for (guint i = 0; i < warps->classes->classes->len; i++)
    walk->n_pieces = MAX (walk->n_pieces, get_piece (walk, i) + 1);
  walk->capacity = (guint32)MIN (fetch->bytes / fetch->piece, walk->n_pieces);
  walk->recent = g_new (guint32, walk->capacity + 1);
  walk->requested = g_new (guint32, walk->n_pieces + 1);
  walk->stamps = g_new0 (guint32, walk->n_pieces + 1);
  walk->warps = g_new0 (guint32, walk->n_pieces + 1);
  walk->nodes = g_array_new (FALSE, FALSE, sizeof (Node));
  walk->requests = g_array_new (FALSE, FALSE, sizeof (Request));
}

static void
clear (Walk *walk)
{
  g_free (walk->recent);
  g_free (walk->requested);
  g_free (walk->stamps);
  g_free (walk->warps);
  g_array_unref (walk->nodes);
  g_array_unref (walk->requests);
}

guint64
idg_fold_warps_add_fetches (IdgFoldWarps *warps, const IdgFoldFetch *fetch)
{
  Walk walk;
  g_autofree guint8 *has = NULL;
  guint32 n;

  g_return_val_if_fail (fetch->piece > 0 && fetch->bytes >= fetch->piece, 0);
  init (&walk, warps, fetch);
  has = find_pieces (&walk, warps, &n);
  if (n > walk.capacity)
    {
      count_warps (&walk, warps, has);
      replace_programs (&walk, warps);
    }
  clear (&walk);
  return n > walk.capacity ? (guint64)n * fetch->piece : 0;
}
