/* SPDX-License-Identifier: MIT */
/* Turns a sequence of instructions into a program. The sequence is walked together with the nodes
 * that it was folded into, so that each instance knows its node. Two walks find the dependences and
 * compare them with the trace:
 *
 * 1. An instance depends on others by its registers. If one of them is the most recent instance of
 * its node, the node gets a dependence on that node.
 *
 * 2. By these dependences, an instance waits for the most recent instances of those nodes. Each of
 * them must be an instance that it depends on by its registers, or one that has been waited for.
 *
 * If that fails, a repeat around the instance is undone, the one that costs the fewest nodes, and
 * both walks run again.
 *
 * "Has been waited for" means that an earlier instruction of the warp with the same op depends on
 * that instance. It has issued, so that the instance is complete for that op, whatever the GPU.
 * This makes sums foldable: the first iteration reads what was set before the loop, later ones what
 * the previous iteration has written; the node depends on both.
 *
 * Asynchronous copies have no register. What waits for groups of them depends on each copy of those
 * groups that none has waited for before. In a loop that copies ahead that is an earlier instance
 * than the copy's most recent one, so that the last instances of copies are kept, and such
 * dependences have a distance. A loop's first rounds wait for copies from before the loop; that the
 * very first one then waits for all of them, and not for the first group alone, undoes no repeat.
 *
 * Where a compiler says what waits for what, by scoreboards, these are in the place of registers.
 * An instruction waits for all that a scoreboard counts and none has waited for before. */
#include "idg/import/fold/idg-fold.h"

#include <string.h>

#define NOWHERE G_MAXUINT32
/* How many ops that have waited for an instance are stored. Others are forgotten, which may undo a
 * repeat without need. */
#define MAX_WAITED 7
/* How many walks undo one repeat for each failure; later ones undo all repeats around it, and
 * finally all repeats. */
#define MAX_CAREFUL 16
#define MAX_CAREFREE 32

/* An instance that others may depend on. It is kept as long as a register holds what it wrote or it
 * is the most recent instance of its node. */
typedef struct
{
  guint32 node;
  guint32 uses; /* 0: free, and `node` is the next free instance */
  guint32 n_waited;
  guint32 waited[MAX_WAITED];
} Instance;

typedef struct
{
  guint32 instance;
  guint32 mask; /* the lanes whose value it wrote */
} Writer;

typedef struct
{
  guint32 kind;
  guint32 class;   /* of an instruction; for a repeat, its body */
  guint32 partner; /* for a repeat its end, and vice versa */
  guint32 count, left;
  guint32 parent;    /* the repeat around it, or NOWHERE */
  guint32 recent;    /* its most recent instance, or NOWHERE */
  guint32 first_dep; /* index in deps, or NOWHERE */
  guint32 ring;      /* of a copy: its place in rings, + 1 */
} Node;

typedef struct
{
  guint32 node, next;
  guint32 distance;
} Dep;

/* The last instances of a copy, the most recent one at (n - 1) % IDG_MAX_DISTANCE. */
typedef struct
{
  guint32 instances[IDG_MAX_DISTANCE];
  guint32 n; /* in all */
} Ring;

/* A copy that nothing has waited for yet. */
typedef struct
{
  guint32 instance;
  guint queue;
  guint64 group;
} Copy;

/* What a scoreboard counts, and nothing has waited for yet. */
typedef struct
{
  guint32 instance, board;
} Counted;

struct IdgFoldMaker
{
  const IdgFoldClasses *classes;
  IdgFolder *folder;
  GArray *nodes;     /* of Node */
  GArray *deps;      /* of Dep: a linked list for each node */
  GArray *instances; /* of Instance */
  guint32 free_instance;
  guint32 n_writers[IDG_FOLD_REGISTERS];
  Writer writers[IDG_FOLD_REGISTERS][IDG_LANES]; /* no two have a lane in common, so that there are
                                                   * at most this many */
  GArray *producers;               /* of guint32: what the current instance depends on */
  GArray *broken;                  /* of guint8, by body: whether to undo it */
  GArray *rings;                   /* of Ring */
  GArray *copies;                  /* of Copy */
  GArray *counted;                 /* of Counted */
  guint64 groups[IDG_FOLD_QUEUES]; /* of copies, the ones that are open, by queue */
  guint max_nodes;
  guint n_broken; /* in this walk */
};

static inline Node *
get_node (const IdgFoldMaker *maker, guint32 i)
{
  return &g_array_index (maker->nodes, Node, i);
}

static inline Instance *
get_instance (const IdgFoldMaker *maker, guint32 i)
{
  return &g_array_index (maker->instances, Instance, i);
}

/* Nodes from a fold. */

static gboolean
add_node (IdgFoldMaker *maker, guint32 kind, guint32 class, guint32 count, guint32 parent)
{
  Node node = { .kind = kind,
                .class = class,
                .count = count,
                .parent = parent,
                .recent = NOWHERE,
                .first_dep = NOWHERE };

  if (maker->nodes->len >= maker->max_nodes)
    return FALSE;
  g_array_append_val (maker->nodes, node);
  return TRUE;
}

static gboolean add_items (IdgFoldMaker *maker, const IdgFolded *fold, const IdgFoldItem *items,
                           guint32 n, guint32 parent);

/* Tells whether a repeat is written out, because it was undone or would save no node. */
static gboolean
is_undone (const IdgFoldMaker *maker, const IdgFoldItem *item, const IdgFoldBody *body)
{
  return g_array_index (maker->broken, guint8, item->number)
         || (body->depth == 1 && item->count * (guint64)body->n <= body->n + 2);
}

static gboolean
add_repeat (IdgFoldMaker *maker, const IdgFolded *fold, const IdgFoldItem *item, guint32 parent)
{
  const IdgFoldBody *body = &g_array_index (fold->bodies, IdgFoldBody, item->number);
  const IdgFoldItem *items = &g_array_index (fold->pool, IdgFoldItem, body->first);
  guint32 head = maker->nodes->len;

  if (is_undone (maker, item, body))
    {
      for (guint32 i = 0; i < item->count; i++)
        if (!add_items (maker, fold, items, body->n, parent))
          return FALSE;
      return TRUE;
    }
  if (!add_node (maker, IDG_FOLD_REPEAT, item->number, item->count, parent)
      || !add_items (maker, fold, items, body->n, head)
      || !add_node (maker, IDG_FOLD_END, 0, 0, parent))
    return FALSE;
  get_node (maker, head)->partner = maker->nodes->len - 1;
  get_node (maker, maker->nodes->len - 1)->partner = head;
  return TRUE;
}

static gboolean
add_items (IdgFoldMaker *maker, const IdgFolded *fold, const IdgFoldItem *items, guint32 n,
           guint32 parent)
{
  for (guint32 i = 0; i < n; i++)
    if (items[i].count ? !add_repeat (maker, fold, &items[i], parent)
                       : !add_node (maker, IDG_FOLD_INSTRUCTION, items[i].number, 0, parent))
      return FALSE;
  return TRUE;
}

/* Instances. */

static guint32
new_instance (IdgFoldMaker *maker, guint32 node)
{
  guint32 i = maker->free_instance;

  if (i != NOWHERE)
    maker->free_instance = get_instance (maker, i)->node;
  else
    {
      i = maker->instances->len;
      g_array_set_size (maker->instances, i + 1);
    }
  *get_instance (maker, i) = (Instance){ .node = node, .uses = 1 };
  return i;
}

static void
drop_instance (IdgFoldMaker *maker, guint32 i)
{
  Instance *instance = get_instance (maker, i);

  if (--instance->uses > 0)
    return;
  instance->node = maker->free_instance;
  maker->free_instance = i;
}

static gboolean
has_waited (const Instance *instance, guint32 op)
{
  for (guint32 i = 0; i < instance->n_waited; i++)
    if (instance->waited[i] == op)
      return TRUE;
  return FALSE;
}

static void
note_waiting (Instance *instance, guint32 op)
{
  if (instance->n_waited < MAX_WAITED && !has_waited (instance, op))
    instance->waited[instance->n_waited++] = op;
}

/* Registers of the uniform datapath have no lanes. */
static guint32
get_lanes (guint16 number, guint32 mask)
{
  guint kind = number & ~255u;

  return kind == IDG_FOLD_UNIFORM || kind == IDG_FOLD_UNIFORM_PREDICATE ? G_MAXUINT32 : mask;
}

static gboolean
is_producer (const IdgFoldMaker *maker, guint32 instance)
{
  for (guint i = 0; i < maker->producers->len; i++)
    if (g_array_index (maker->producers, guint32, i) == instance)
      return TRUE;
  return FALSE;
}

/* The first of the writers of register NUMBER to look at: the last one, where no lane reads. */
static guint32
get_first_writer (const IdgFoldMaker *maker, guint16 number, guint32 mask)
{
  return mask == 0 && maker->n_writers[number] > 0 ? maker->n_writers[number] - 1 : 0;
}

static void
find_producers (IdgFoldMaker *maker, const IdgFoldClass *class, guint32 mask, guint32 branch)
{
  g_array_set_size (maker->producers, 0);
  if (branch != NOWHERE)
    g_array_append_val (maker->producers, branch);
  for (guint i = 0; i < class->n_reads; i++)
    {
      guint16 number = g_array_index (maker->classes->registers, guint16, class->first_read + i);
      guint32 lanes = get_lanes (number, mask ? mask : G_MAXUINT32);

      for (guint32 j = get_first_writer (maker, number, mask); j < maker->n_writers[number]; j++)
        {
          const Writer *writer = &maker->writers[number][j];

          if ((writer->mask & lanes) && !is_producer (maker, writer->instance))
            g_array_append_val (maker->producers, writer->instance);
        }
    }
}

/* Copies. */

/* Tells whether CLASS, which waits for all groups but the last ones, waits for COPY. */
static gboolean
is_awaited (const IdgFoldMaker *maker, const Copy *copy, const IdgFoldClass *class)
{
  return copy->queue == class->queue && copy->group + class->pending < maker->groups[class->queue];
}

static void
find_copies (IdgFoldMaker *maker, const IdgFoldClass *class)
{
  const gboolean awaits = class->copy == IDG_FOLD_AWAITS || class->copy == IDG_FOLD_LOOKS;

  for (guint i = 0; awaits && i < maker->copies->len; i++)
    {
      const Copy *copy = &g_array_index (maker->copies, Copy, i);

      if (is_awaited (maker, copy, class) && !is_producer (maker, copy->instance))
        g_array_append_val (maker->producers, copy->instance);
    }
}

/* Forgets the copies that CLASS has waited for. */
static void
end_copies (IdgFoldMaker *maker, const IdgFoldClass *class)
{
  guint n = 0;

  for (guint i = 0; i < maker->copies->len; i++)
    {
      Copy copy = g_array_index (maker->copies, Copy, i);

      if (is_awaited (maker, &copy, class))
        drop_instance (maker, copy.instance);
      else
        g_array_index (maker->copies, Copy, n++) = copy;
    }
  g_array_set_size (maker->copies, n);
}

/* Keeps INSTANCE of NODE as one of its last. */
static void
add_to_ring (IdgFoldMaker *maker, guint32 node, guint32 instance)
{
  Ring *ring;
  guint32 *place;

  if (get_node (maker, node)->ring == 0)
    {
      g_array_set_size (maker->rings, maker->rings->len + 1);
      get_node (maker, node)->ring = maker->rings->len;
      g_array_index (maker->rings, Ring, maker->rings->len - 1).n = 0;
    }
  ring = &g_array_index (maker->rings, Ring, get_node (maker, node)->ring - 1);
  place = &ring->instances[ring->n++ % IDG_MAX_DISTANCE];
  if (ring->n > IDG_MAX_DISTANCE)
    drop_instance (maker, *place);
  *place = instance;
  get_instance (maker, instance)->uses++;
}

static guint32
get_op_number (IdgFoldMaker *maker, guint32 instance)
{
  const Node *node = get_node (maker, get_instance (maker, instance)->node);

  return idg_fold_classes_get (maker->classes, node->class)->op_number;
}

/* Who waits for COPY, which comes last in its group, needs to wait for no other of its op. Those of
 * another one may be complete later, though they were issued before. */
static void
replace_copies (IdgFoldMaker *maker, const Copy *copy)
{
  guint n = 0;

  for (guint i = 0; i < maker->copies->len; i++)
    {
      const Copy other = g_array_index (maker->copies, Copy, i);

      if (other.queue == copy->queue && other.group == copy->group
          && get_op_number (maker, other.instance) == get_op_number (maker, copy->instance))
        drop_instance (maker, other.instance);
      else
        g_array_index (maker->copies, Copy, n++) = other;
    }
  g_array_set_size (maker->copies, n);
}

static void
add_copy (IdgFoldMaker *maker, guint queue, guint32 instance)
{
  Copy copy = { instance, queue, maker->groups[queue] };

  if (queue == IDG_FOLD_IN_ORDER)
    replace_copies (maker, &copy);
  g_array_append_val (maker->copies, copy);
  get_instance (maker, instance)->uses++;
}

/* Scoreboards. */

static gboolean
is_counted (const IdgFoldClass *class, const Counted *counted)
{
  return class->awaits >> counted->board & 1;
}

/* Returns how many of what scoreboards count CLASS waits for. */
static guint
count_awaited (const IdgFoldMaker *maker, const IdgFoldClass *class)
{
  guint n = 0;

  for (guint i = 0; i < maker->counted->len; i++)
    n += is_counted (class, &g_array_index (maker->counted, Counted, i));
  return n > class->in_order ? n - class->in_order : 0;
}

static void
find_counted (IdgFoldMaker *maker, const IdgFoldClass *class)
{
  guint left = class->awaits ? count_awaited (maker, class) : 0;

  for (guint i = 0; left > 0; i++)
    {
      const Counted *counted = &g_array_index (maker->counted, Counted, i);

      if (!is_counted (class, counted))
        continue;
      left--;
      if (!is_producer (maker, counted->instance))
        g_array_append_val (maker->producers, counted->instance);
    }
}

/* Forgets what CLASS has waited for. */
static void
end_counted (IdgFoldMaker *maker, const IdgFoldClass *class)
{
  guint left = class->awaits ? count_awaited (maker, class) : 0, n = 0;

  for (guint i = 0; i < maker->counted->len; i++)
    {
      Counted counted = g_array_index (maker->counted, Counted, i);

      if (left > 0 && is_counted (class, &counted))
        {
          left--;
          drop_instance (maker, counted.instance);
        }
      else
        g_array_index (maker->counted, Counted, n++) = counted;
    }
  g_array_set_size (maker->counted, n);
}

static void
add_counted (IdgFoldMaker *maker, guint32 instance, guint32 board)
{
  Counted counted = { instance, board };

  g_array_append_val (maker->counted, counted);
  get_instance (maker, instance)->uses++;
}

/* Returns the instance of NODE that is DISTANCE back, 1 the most recent one, or NOWHERE. */
static guint32
get_recent (const IdgFoldMaker *maker, guint32 node, guint32 distance)
{
  const Ring *ring;

  if (distance == 1)
    return get_node (maker, node)->recent;
  if (get_node (maker, node)->ring == 0)
    return NOWHERE; /* none yet */
  ring = &g_array_index (maker->rings, Ring, get_node (maker, node)->ring - 1);
  return ring->n < distance ? NOWHERE : ring->instances[(ring->n - distance) % IDG_MAX_DISTANCE];
}

/* Returns how far back instance NUMBER is among those of its node, 0: too far. */
static guint32
find_distance (const IdgFoldMaker *maker, guint32 number)
{
  guint32 node = get_instance (maker, number)->node;

  if (get_node (maker, node)->recent == number)
    return 1;
  for (guint32 distance = 2; get_node (maker, node)->ring > 0 && distance <= IDG_MAX_DISTANCE;
       distance++)
    if (get_recent (maker, node, distance) == number)
      return distance;
  return 0;
}

/* Records that INSTANCE writes the register; earlier values of those lanes are gone. */
static void
write_register (IdgFoldMaker *maker, guint16 number, guint32 mask, guint32 instance)
{
  guint32 lanes = get_lanes (number, mask);
  Writer *writers = maker->writers[number];
  guint32 n = 0;

  for (guint32 i = 0; i < maker->n_writers[number]; i++)
    {
      Writer writer = writers[i];

      writer.mask &= ~lanes;
      if (writer.mask)
        writers[n++] = writer;
      else
        drop_instance (maker, writer.instance);
    }
  writers[n++] = (Writer){ instance, lanes };
  get_instance (maker, instance)->uses++;
  maker->n_writers[number] = n;
}

/* Makes a new instance the most recent one of its node. */
static guint32
execute (IdgFoldMaker *maker, guint32 node, const IdgFoldClass *class, guint32 mask)
{
  const gboolean is_alone = class->copy == IDG_FOLD_ALONE && mask != 0;
  const gboolean is_copy = class->copy == IDG_FOLD_COPIES || is_alone;
  guint32 instance;

  if (class->copy == IDG_FOLD_COMMITS)
    maker->groups[class->queue]++;
  if (!class->op || (class->n_writes == 0 && !class->branches && !is_copy && class->sets == 0))
    return NOWHERE;
  if (get_node (maker, node)->recent != NOWHERE)
    drop_instance (maker, get_node (maker, node)->recent);
  instance = new_instance (maker, node);
  get_node (maker, node)->recent = instance;
  if (is_copy || class->sets > 0)
    add_to_ring (maker, node, instance);
  if (is_copy)
    add_copy (maker, class->queue, instance);
  if (is_alone)
    maker->groups[class->queue]++;
  if (class->sets > 0)
    add_counted (maker, instance, class->sets - 1);
  for (guint i = 0; i < class->n_writes; i++)
    write_register (maker,
                    g_array_index (maker->classes->registers, guint16, class->first_write + i),
                    mask, instance);
  return instance;
}

static void
reset (IdgFoldMaker *maker)
{
  memset (maker->n_writers, 0, sizeof maker->n_writers);
  g_array_set_size (maker->instances, 0);
  g_array_set_size (maker->rings, 0);
  g_array_set_size (maker->copies, 0);
  g_array_set_size (maker->counted, 0);
  memset (maker->groups, 0, sizeof maker->groups);
  maker->free_instance = NOWHERE;
  for (guint i = 0; i < maker->nodes->len; i++)
    {
      get_node (maker, i)->recent = NOWHERE;
      get_node (maker, i)->ring = 0;
    }
}

/* What fails, and what to undo. */

static guint64
get_growth (const IdgFoldMaker *maker, guint32 repeat)
{
  const Node *node = get_node (maker, repeat);

  return (guint64)(node->count - 1) * (node->partner - repeat - 1);
}

/* Undoes the cheapest repeat around NODE, or ALL of them, unless one of them is undone in this walk
 * already. */
static void
break_around (IdgFoldMaker *maker, guint32 node, gboolean all)
{
  guint32 best = NOWHERE;

  for (guint32 repeat = get_node (maker, node)->parent; repeat != NOWHERE;
       repeat = get_node (maker, repeat)->parent)
    {
      guint8 *broken = &g_array_index (maker->broken, guint8, get_node (maker, repeat)->class);

      if (*broken && !all)
        return;
      if (all)
        *broken = TRUE;
      if (best == NOWHERE || get_growth (maker, repeat) < get_growth (maker, best))
        best = repeat;
    }
  g_assert (best != NOWHERE); /* without repeats, nothing fails */
  g_array_index (maker->broken, guint8, get_node (maker, best)->class) = TRUE;
  maker->n_broken++;
}

static void
add_dep (IdgFoldMaker *maker, guint32 node, guint32 producer, guint32 distance)
{
  Dep dep = { producer, get_node (maker, node)->first_dep, distance };

  for (guint32 i = dep.next; i != NOWHERE; i = g_array_index (maker->deps, Dep, i).next)
    if (g_array_index (maker->deps, Dep, i).node == producer
        && g_array_index (maker->deps, Dep, i).distance == distance)
      return;
  get_node (maker, node)->first_dep = maker->deps->len;
  g_array_append_val (maker->deps, dep);
}

/* Performs the first walk for an instance of NODE. */
static void
collect (IdgFoldMaker *maker, guint32 node, guint32 op, gboolean all)
{
  for (guint i = 0; i < maker->producers->len; i++)
    {
      guint32 number = g_array_index (maker->producers, guint32, i);
      const Instance *instance = get_instance (maker, number);

      guint32 distance = find_distance (maker, number);

      if (distance > 0)
        add_dep (maker, node, instance->node, distance);
      else if (!has_waited (instance, op))
        break_around (maker, instance->node, all);
    }
}

/* Performs the second walk for an instance of NODE. */
static void
verify (IdgFoldMaker *maker, guint32 node, guint32 op, gboolean all)
{
  for (guint32 i = get_node (maker, node)->first_dep; i != NOWHERE;
       i = g_array_index (maker->deps, Dep, i).next)
    {
      const Dep *dep = &g_array_index (maker->deps, Dep, i);
      guint32 recent = get_recent (maker, dep->node, dep->distance);

      if (recent != NOWHERE && get_node (maker, dep->node)->ring == 0
          && !is_producer (maker, recent) && !has_waited (get_instance (maker, recent), op))
        {
          break_around (maker, node, all);
          return;
        }
    }
}

/* Returns the node of the next instance, from AT on, and advances AT past it. */
static guint32
step (IdgFoldMaker *maker, guint32 *at)
{
  while (TRUE)
    {
      Node *node = get_node (maker, *at);

      if (node->kind == IDG_FOLD_INSTRUCTION)
        return (*at)++;
      if (node->kind == IDG_FOLD_REPEAT)
        node->left = node->count;
      else if (--get_node (maker, node->partner)->left > 0)
        *at = node->partner;
      (*at)++;
    }
}

typedef void (*Visit) (IdgFoldMaker *maker, guint32 node, guint32 op, gboolean all);

static void
walk (IdgFoldMaker *maker, const IdgFoldStep *steps, gsize n, Visit visit, gboolean all)
{
  guint32 at = 0, branch = NOWHERE;

  reset (maker);
  for (gsize i = 0; i < n; i++)
    {
      guint32 node = step (maker, &at);
      const IdgFoldClass *class = idg_fold_classes_get (maker->classes, steps[i].class);
      guint32 instance;

      find_producers (maker, class, steps[i].mask, branch);
      find_copies (maker, class);
      find_counted (maker, class);
      visit (maker, node, class->op_number, all);
      for (guint j = 0; j < maker->producers->len; j++)
        note_waiting (get_instance (maker, g_array_index (maker->producers, guint32, j)),
                      class->op_number);
      if (class->copy == IDG_FOLD_AWAITS)
        end_copies (maker, class);
      end_counted (maker, class);
      instance = execute (maker, node, class, steps[i].mask);
      branch = class->branches ? instance : NOWHERE;
    }
}

/* Makes nodes and dependences from the fold, without the repeats that were undone. Returns FALSE if
 * there are too many nodes. */
static gboolean
try_fold (IdgFoldMaker *maker, const IdgFolded *fold, const IdgFoldStep *steps, gsize n,
          gboolean all)
{
  g_array_set_size (maker->nodes, 0);
  g_array_set_size (maker->deps, 0);
  maker->n_broken = 0;
  if (!add_items (maker, fold, (const IdgFoldItem *)(void *)fold->items->data, fold->items->len,
                  NOWHERE))
    return FALSE;
  walk (maker, steps, n, collect, all);
  if (maker->n_broken == 0 && fold->bodies->len > 0)
    walk (maker, steps, n, verify, all);
  return TRUE;
}

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *)a, y = *(const guint32 *)b;

  return x < y ? -1 : x > y;
}

static void
put (GArray *code, guint32 word)
{
  g_array_append_val (code, word);
}

static void
put_deps (IdgFoldMaker *maker, GArray *code, const Node *node)
{
  guint place = code->len;

  put (code, 0);
  for (guint32 i = node->first_dep; i != NOWHERE; i = g_array_index (maker->deps, Dep, i).next)
    put (code, g_array_index (maker->deps, Dep, i).node
                   + (g_array_index (maker->deps, Dep, i).distance - 1) * IDG_FOLD_DISTANCE);
  g_array_index (code, guint32, place) = code->len - place - 1;
  qsort (&g_array_index (code, guint32, place) + 1, code->len - place - 1, sizeof (guint32),
         compare_numbers);
}

static GArray *
write_code (IdgFoldMaker *maker)
{
  GArray *code = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 i = 0; i < maker->nodes->len; i++)
    {
      const Node *node = get_node (maker, i);

      put (code, node->kind);
      if (node->kind == IDG_FOLD_INSTRUCTION)
        {
          put (code, node->class);
          put_deps (maker, code, node);
        }
      else if (node->kind == IDG_FOLD_REPEAT)
        put (code, node->count);
    }
  return code;
}

IdgFoldMaker *
idg_fold_maker_new (const IdgFoldClasses *classes)
{
  IdgFoldMaker *maker = g_new0 (IdgFoldMaker, 1);

  maker->classes = classes;
  maker->folder = idg_folder_new (classes);
  maker->nodes = g_array_new (FALSE, FALSE, sizeof (Node));
  maker->deps = g_array_new (FALSE, FALSE, sizeof (Dep));
  maker->instances = g_array_new (FALSE, FALSE, sizeof (Instance));
  maker->producers = g_array_new (FALSE, FALSE, sizeof (guint32));
  maker->broken = g_array_new (FALSE, TRUE, sizeof (guint8));
  maker->rings = g_array_new (FALSE, FALSE, sizeof (Ring));
  maker->copies = g_array_new (FALSE, FALSE, sizeof (Copy));
  maker->counted = g_array_new (FALSE, FALSE, sizeof (Counted));
  return maker;
}

void
idg_fold_maker_free (IdgFoldMaker *maker)
{
  if (!maker)
    return;
  idg_folder_free (maker->folder);
  g_array_unref (maker->nodes);
  g_array_unref (maker->deps);
  g_array_unref (maker->instances);
  g_array_unref (maker->producers);
  g_array_unref (maker->broken);
  g_array_unref (maker->rings);
  g_array_unref (maker->copies);
  g_array_unref (maker->counted);
  g_free (maker);
}

GArray *
idg_fold_maker_make (IdgFoldMaker *maker, const IdgFoldStep *steps, gsize n, gboolean fold,
                     guint max_nodes, guint *n_nodes)
{
  g_autoptr (IdgFolded) folded = idg_folder_fold (maker->folder, steps, n, max_nodes);

  if (!folded)
    return NULL;
  maker->max_nodes = max_nodes;
  g_array_set_size (maker->broken, 0);
  g_array_set_size (maker->broken, folded->bodies->len);
  for (guint tries = 0;; tries++)
    {
      for (guint i = 0; (!fold || tries > MAX_CAREFREE) && i < maker->broken->len; i++)
        g_array_index (maker->broken, guint8, i) = TRUE;
      if (!try_fold (maker, folded, steps, n, tries > MAX_CAREFUL))
        return NULL;
      if (maker->n_broken == 0)
        break;
    }
  *n_nodes = maker->nodes->len;
  return write_code (maker);
}
