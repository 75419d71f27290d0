/* SPDX-License-Identifier: MIT */
/* The nodes are one growing array, so that the engine can walk a program by index; strings and
 * dependence lists hang off it, in a pool that programs of one kernel have in common. Doubling
 * keeps appending at amortized constant cost.
 *
 * Each dependence must be stored once, without searching a long list for every new one, since a
 * barrier may wait for 10^5 instructions. So once a list is longer than a few, every node has a
 * mark: the consumer that named it last, and a bit for each distance at which it did. The marks of
 * a consumer are valid only as long as calls for that consumer follow one another; the first call
 * for another consumer sets them again from its list. Most programs have no long list. */
#include "idg/kernel/idg-program.h"

#include "idg/kernel/idg-pool.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct
{
  uint32_t consumer;  /* UINT32_MAX: none */
  uint64_t distances; /* bit d - 1: at distance d */
} Mark;

/* Dependences of a node that are searched one by one. */
#define SHORT_LIST 16

/* A program with what building it takes. Every program is one of these: idg_program_new() is the
 * only way to make one. */
typedef struct
{
  IdgProgram program;   /* first: see get_builder() */
  IdgPool *pool;        /* of what nodes point to */
  uint32_t n_allocated; /* nodes that there is room for */
  uint32_t depth;       /* repeats that are open */
  uint32_t open;        /* the head of the innermost; its partner is the head around it */
  Mark *marks;          /* [n_marks]: who named each node last; NULL: not needed yet */
  uint32_t n_marks;
  uint32_t marked; /* the consumer for which marks are complete */
} Builder;

static Builder *
get_builder (IdgProgram *program)
{
  return (Builder *)program;
}

/* Takes ownership of POOL, which may be NULL. */
static IdgProgram *
new_in_pool (IdgPool *pool)
{
  Builder *builder = pool ? calloc (1, sizeof *builder) : NULL;

  if (!builder)
    {
      idg_pool_unref (pool);
      return NULL;
    }
  builder->pool = pool;
  builder->marked = UINT32_MAX;
  return &builder->program;
}

IdgProgram *
idg_program_new (void)
{
  return new_in_pool (idg_pool_new ());
}

IdgProgram *
idg_program_new_beside (IdgProgram *other)
{
  return other ? new_in_pool (idg_pool_ref (get_builder (other)->pool)) : idg_program_new ();
}

void
idg_program_free (IdgProgram *program)
{
  if (!program)
    return;
  free (program->nodes);
  free (get_builder (program)->marks);
  idg_pool_unref (get_builder (program)->pool);
  free (program);
}

IdgStatus
idg_program_reserve (IdgProgram *program, uint32_t room)
{
  Builder *builder = get_builder (program);
  IdgNode *nodes;

  if (room > IDG_MAX_NODES)
    return IDG_TOO_MANY_NODES;
  if (room <= builder->n_allocated)
    return IDG_OK;
  nodes = realloc (program->nodes, room * sizeof *nodes);
  if (!nodes)
    return IDG_NO_MEMORY;
  program->nodes = nodes;
  builder->n_allocated = room;
  return IDG_OK;
}

/* Makes room for one more node. */
static IdgStatus
reserve_node (IdgProgram *program)
{
  uint32_t n = get_builder (program)->n_allocated;

  if (program->n_nodes >= IDG_MAX_NODES)
    return IDG_TOO_MANY_NODES;
  if (program->n_nodes < n)
    return IDG_OK;
  n = n ? 2 * n : 16;
  return idg_program_reserve (program, n < IDG_MAX_NODES ? n : IDG_MAX_NODES);
}

/* Appends NODE into the room that reserve_node() made. */
static void
append_node (IdgProgram *program, IdgNode node, uint32_t *index)
{
  Builder *builder = get_builder (program);

  assert (program->n_nodes < builder->n_allocated);
  if (index)
    *index = program->n_nodes;
  program->nodes[program->n_nodes++] = node;
}

/* Replaces STRING, unless NULL, by the copy that PROGRAM keeps. */
static bool
keep_string (IdgProgram *program, const char **string)
{
  if (*string)
    {
      *string = idg_pool_keep_text (get_builder (program)->pool, *string);
      return *string;
    }
  return true;
}

/* Appends NODE with copies of its strings, which are borrowed. */
static IdgStatus
add_leaf (IdgProgram *program, IdgNode node, uint32_t *index)
{
  IdgStatus status = reserve_node (program);

  if (status != IDG_OK)
    return status;
  if (!keep_string (program, &node.op) || !keep_string (program, &node.context)
      || !keep_string (program, &node.id) || !keep_string (program, &node.text)
      || !keep_string (program, &node.name))
    return IDG_NO_MEMORY;
  append_node (program, node, index);
  return IDG_OK;
}

IdgStatus
idg_program_add_instruction (IdgProgram *program, const char *op, const char *context,
                             const char *id, const char *text, int line, uint32_t *index)
{
  IdgNode node = {
    .kind = IDG_INSTRUCTION, .line = line, .op = op, .context = context, .id = id, .text = text
  };

  assert (op);
  return add_leaf (program, node, index);
}

IdgStatus
idg_program_add_barrier (IdgProgram *program, const char *text, int line, uint32_t *index)
{
  IdgNode node = { .kind = IDG_BARRIER, .line = line, .text = text };

  return add_leaf (program, node, index);
}

IdgStatus
idg_program_add_named_barrier (IdgProgram *program, const char *name, uint64_t warps,
                               const char *text, int line, uint32_t *index)
{
  IdgNode node
      = { .kind = IDG_BARRIER, .line = line, .name = name, .text = text, .warps = (uint32_t)warps };

  assert (name);
  if (warps > IDG_MAX_COUNT)
    return IDG_BAD_COUNT;
  return add_leaf (program, node, index);
}

IdgStatus
idg_program_add_arrive (IdgProgram *program, const char *name, const char *text, int line,
                        uint32_t *index)
{
  IdgNode node = { .kind = IDG_ARRIVE, .line = line, .name = name, .text = text };

  assert (name);
  return add_leaf (program, node, index);
}

IdgStatus
idg_program_begin_repeat (IdgProgram *program, uint64_t count, int line, uint32_t *index)
{
  IdgNode node = { .kind = IDG_REPEAT, .count = (uint32_t)count, .line = line };
  uint32_t head;
  Builder *builder = get_builder (program);
  IdgStatus status;

  if (count > IDG_MAX_COUNT)
    return IDG_BAD_COUNT;
  if (builder->depth == IDG_MAX_DEPTH)
    return IDG_TOO_DEEP;
  status = reserve_node (program);
  if (status != IDG_OK)
    return status;
  node.partner = builder->open;
  append_node (program, node, &head);
  builder->open = head;
  builder->depth++;
  if (index)
    *index = head;
  return IDG_OK;
}

IdgStatus
idg_program_end_repeat (IdgProgram *program)
{
  IdgNode node = { .kind = IDG_END };
  Builder *builder = get_builder (program);
  IdgStatus status;
  uint32_t end;

  if (builder->depth == 0)
    return IDG_NOT_OPEN;
  status = reserve_node (program);
  if (status != IDG_OK)
    return status;
  node.partner = builder->open;
  node.line = program->nodes[node.partner].line;
  append_node (program, node, &end);
  builder->depth--;
  builder->open = program->nodes[node.partner].partner;
  program->nodes[node.partner].partner = end;
  return IDG_OK;
}

/* Marks that CONSUMER depends on PRODUCER at DISTANCE. Returns false if it was marked before. */
static bool
mark_dependence (Builder *builder, uint32_t consumer, uint32_t producer, uint32_t distance)
{
  Mark *mark = &builder->marks[producer];
  uint64_t bit = UINT64_C (1) << (distance - 1);

  if (mark->consumer != consumer)
    *mark = (Mark){ consumer, 0 };
  if (mark->distances & bit)
    return false;
  mark->distances |= bit;
  return true;
}

/* Makes a mark for each node. */
static bool
reserve_marks (Builder *builder)
{
  Mark *marks;

  if (builder->n_marks >= builder->program.n_nodes)
    return true;
  marks = realloc (builder->marks, builder->n_allocated * sizeof *marks);
  if (!marks)
    return false;
  builder->marks = marks;
  for (; builder->n_marks < builder->n_allocated; builder->n_marks++)
    marks[builder->n_marks].consumer = UINT32_MAX;
  return true;
}

/* Marks the nodes that the node at INDEX already depends on. */
static void
mark_dependences (IdgProgram *program, uint32_t index)
{
  const IdgNode *node = &program->nodes[index];
  Builder *builder = get_builder (program);

  if (builder->marked == index)
    return;
  for (uint32_t i = 0; i < node->n_after; i++)
    mark_dependence (builder, index, node->after[i], node->distances[i]);
  builder->marked = index;
}

/* Whether NODE, whose list is short, depends on PRODUCER at DISTANCE. */
static bool
has_dependence (const IdgNode *node, uint32_t producer, uint32_t distance)
{
  for (uint32_t i = 0; i < node->n_after; i++)
    if (node->after[i] == producer && node->distances[i] == distance)
      return true;
  return false;
}

static size_t
get_list_size (size_t room)
{
  return room * (sizeof (uint32_t) + sizeof (uint8_t));
}

/* Makes room for one more dependence of NODE, the distances behind the producers. The capacity is a
 * power of two: the lists are full when their length is one. The list that was made last grows
 * where it is. */
static bool
reserve_dependence (IdgPool *pool, IdgNode *node)
{
  size_t n = node->n_after, room = n == 0 ? 1 : 2 * n;
  uint32_t *after = node->after;

  if ((n & (n - 1)) != 0)
    return true;
  if (n == 0 || !idg_pool_extend (pool, after, get_list_size (n), get_list_size (room)))
    after = idg_pool_take (pool, get_list_size (room));
  if (!after)
    return false;
  if (n > 0)
    {
      memcpy (after + room, node->distances, n * sizeof *node->distances);
      if (after != node->after)
        memcpy (after, node->after, n * sizeof *after);
    }
  node->after = after;
  node->distances = (uint8_t *)(after + room);
  return true;
}

IdgStatus
idg_program_add_distant_dependence (IdgProgram *program, uint32_t index, uint32_t producer,
                                    uint64_t distance)
{
  Builder *builder = get_builder (program);
  IdgNode *node;

  assert (index < program->n_nodes && producer < program->n_nodes);
  node = &program->nodes[index];
  assert (idg_node_executes (node));
  assert (program->nodes[producer].kind == IDG_INSTRUCTION);

  if (distance < 1 || distance > IDG_MAX_DISTANCE)
    return IDG_BAD_DISTANCE;
  /* Room first: a mark without its dependence would hide the next call. */
  if (!reserve_dependence (builder->pool, node))
    return IDG_NO_MEMORY;
  if (node->n_after < SHORT_LIST)
    {
      if (has_dependence (node, producer, (uint32_t)distance))
        return IDG_OK;
    }
  else
    {
      if (!reserve_marks (builder))
        return IDG_NO_MEMORY;
      mark_dependences (program, index);
      if (!mark_dependence (builder, index, producer, (uint32_t)distance))
        return IDG_OK;
    }
  node->distances[node->n_after] = (uint8_t)distance;
  node->after[node->n_after++] = producer;
  return IDG_OK;
}

IdgStatus
idg_program_add_dependence (IdgProgram *program, uint32_t index, uint32_t producer)
{
  return idg_program_add_distant_dependence (program, index, producer, 1);
}

/* Products are capped here, far above the limit and far below overflow. Counting continues, because
 * an enclosing repeat of zero iterations still makes the result 0. */
#define FAR_TOO_MANY (IDG_MAX_DYNAMIC * 2)

static uint64_t
add_iterations (uint64_t sum, uint64_t body, uint32_t count)
{
  if (count > 0 && body > FAR_TOO_MANY / count)
    return FAR_TOO_MANY;
  sum += body * count;
  return sum < FAR_TOO_MANY ? sum : FAR_TOO_MANY;
}

void
idg_program_set_stall (IdgProgram *program, uint32_t index, uint64_t stall)
{
  assert (index < program->n_nodes && program->nodes[index].kind == IDG_INSTRUCTION);
  assert (stall <= IDG_MAX_STALL);
  program->nodes[index].stall = (uint8_t)stall;
}

IdgStatus
idg_program_set_id (IdgProgram *program, uint32_t index, const char *id)
{
  assert (index < program->n_nodes && id);
  if (!keep_string (program, &id))
    return IDG_NO_MEMORY;
  program->nodes[index].id = id;
  return IDG_OK;
}

IdgStatus
idg_program_set_barrier (IdgProgram *program, uint32_t index, const char *name)
{
  assert (index < program->n_nodes && program->nodes[index].kind == IDG_BARRIER && name);
  if (!keep_string (program, &name))
    return IDG_NO_MEMORY;
  program->nodes[index].name = name;
  return IDG_OK;
}

void
idg_program_set_late (IdgProgram *program, uint32_t index)
{
  assert (index < program->n_nodes && program->nodes[index].kind == IDG_ARRIVE);
  program->nodes[index].late = true;
}

IdgStatus
idg_program_drop_arrive (IdgProgram *program, uint32_t index, const char *op)
{
  IdgNode *node = &program->nodes[index];

  assert (index < program->n_nodes && node->kind == IDG_ARRIVE && op);
  if (!keep_string (program, &op))
    return IDG_NO_MEMORY;
  node->kind = IDG_INSTRUCTION;
  node->op = op;
  node->name = NULL;
  node->late = false;
  return IDG_OK;
}

IdgStatus
idg_program_count_dynamic (const IdgProgram *program, uint64_t *count)
{
  uint64_t sums[IDG_MAX_DEPTH + 1]
      = { 0 }; /* one for each open repeat, on top of that of the program */
  uint32_t depth = 0;

  if (((const Builder *)program)->depth > 0)
    return IDG_STILL_OPEN;
  for (uint32_t i = 0; i < program->n_nodes; i++)
    {
      const IdgNode *node = &program->nodes[i];

      if (node->kind == IDG_REPEAT)
        sums[++depth] = 0;
      else if (node->kind == IDG_END)
        {
          uint32_t iterations = program->nodes[node->partner].count;

          depth--;
          sums[depth] = add_iterations (sums[depth], sums[depth + 1], iterations);
        }
      else
        sums[depth] = add_iterations (sums[depth], 1, 1);
    }
  if (sums[0] > IDG_MAX_DYNAMIC)
    return IDG_TOO_MANY_DYNAMIC;
  *count = sums[0];
  return IDG_OK;
}
