/* SPDX-License-Identifier: MIT */
/* The model, word by word.
 *
 * Clarity comes before speed everywhere. The clock steps through every time that the run has ever
 * computed (starts, completions, releases, launches, ends of slots, ...): between two of them
 * nothing can change, and visiting one at which nothing happens does no harm. At each step all
 * questions ("may this warp issue?") are asked again of all warps, in the words of MODEL.md; almost
 * nothing is remembered that the model does not name.
 *
 * Comments that begin "Reading:" say how an ambiguous passage was read. */
#include "tests/literal.h"

#include <string.h>

#define LIMIT (G_GINT64_CONSTANT (1) << 62)
#define UNKNOWN G_MAXINT64 /* a time that is not known yet */
#define NOT_BOUND G_MAXINT64

typedef __int128 Wide;

/* A further pipeline that an instruction passes: section 12. */
typedef struct
{
  guint pipeline;
  WpCycles issue_cycles;
  guint transactions;
} Then;

/* An instruction or barrier as written; where its context is a mix, also what it is in one of the
 * contexts. */
typedef struct Written Written;

struct Written
{
  gboolean barrier;  /* or an arrive */
  gboolean arrive;   /* holds nobody */
  gboolean late;     /* an arrive that comes when its dependences are complete */
  const gchar *name; /* of a barrier or an arrive; "" for none */
  gboolean never;    /* inside a repeat of no times */
  const gchar *op;
  const WpGpuOp *gpu_op;
  guint pipeline;
  WpCycles issue_cycles, completion_cycles;
  gint64 completion;
  gboolean consumers; /* whether the op's consumers apply */
  gboolean posted;
  gint64 stall; /* ticks; of what is read, cycles */
  guint slots;
  guint transactions;
  const WpGpuSpread *spread;
  GArray *path;  /* of Then; NULL of a barrier */
  GArray *deps;  /* of Dep: instructions as written */
  GArray *reach; /* of gint64: Lambda for each dependence on it, needed or not */
  GArray *mix;   /* section 13: of Written, each with its `weight`; NULL: it is no mix */
  guint64 weight;
};

typedef struct
{
  guint producer; /* a Written of the program; of a Dynamic: a dynamic instruction */
  guint distance; /* of a Written: which of its instances before */
} Dep;

typedef struct
{
  guint written;
  GArray *deps; /* of Dep */
} Dynamic;

typedef struct
{
  GArray *written; /* of Written */
  GArray *dynamic; /* of Dynamic; NULL until a warp runs it */
  guint first_count;
} Program;

/* What became of a dynamic instruction of a warp. */
typedef struct
{
  gboolean issued;
  gint64 time;    /* of issue */
  gint64 from;    /* start, or served: what completion latencies count from */
  gint64 release; /* of a barrier */
  guint coming;   /* of a barrier or an arrive: which of the warp's to that name, from 0 */
  guint row;      /* in run->issues */
} Done;

typedef struct Block Block;

/* A name of the kernel's barriers: the first is "". */
typedef struct
{
  const gchar *name;
  guint warps; /* 0: all */
} Name;

/* Warp W of a block has come to a name by its dynamic instruction I. */
typedef struct
{
  guint w, i;
  gint64 time;
} Coming;

typedef struct
{
  Block *block;
  guint warp, slot, scheduler;
  guint64 age;
  const Program *program;
  const Written **taken; /* of each dynamic instruction, what it is in the context that it takes */
  Done *done;
  gint64 start, last_issue, turn; /* turn: when the next issue may come at the earliest */
  gboolean has_issued, terminated;
  guint next;        /* the first dynamic instruction that has not issued */
  GArray *comings;   /* of guint: to each name of run->names */
  gint last_barrier; /* the dynamic instruction, or -1 */
  guint last;        /* the dynamic instruction that issued last */
  guint64 issued;
  gint64 stalls[WP_N_STALLS];
} Warp;

struct Block
{
  guint64 number;
  gint64 launch;
  gboolean launched;
  GPtrArray *warps;
  GArray *releases; /* of guint: of each name, generations or groups released so far */
  GArray *groups;   /* of GArray of Coming, for each name: comings that are in no group yet */
};

typedef struct
{
  gint64 free_at;
  GArray *starts;   /* of gint64: of all that it accepted */
  GArray *channels; /* of gint64: when each is free */
  GArray *ends;     /* of gint64: served + Lambda of all that it accepted; of one with inflight */
  gboolean passed, wrote; /* whether anything has passed it; whether the last was a write */
} Instance;

typedef struct
{
  gboolean has_issued;
  gint64 slot_end;
  guint slot_issues;
  gboolean slot_full;
  guint last_slot; /* of the warp that it issued from last */
  const Warp *last_warp;
  GPtrArray *active, *pending; /* two-level */
} Scheduler;

typedef struct
{
  GPtrArray *blocks;   /* handed out and not finished, in that order */
  GPtrArray *finished; /* kept, as rows refer to nothing in them but policies remember warps */
  GPtrArray *slots;    /* of Warp, NULL where free */
  Scheduler *schedulers;
  Instance **instances; /* [pipeline][scheduler, or 0] */
  guint last_scheduler;
  gboolean has_issued;
  guint64 next_age;
  GArray *occupancy;
} Sm;

typedef struct
{
  const IdgKernel *kernel;
  const WpGpu *gpu;
  const WpRunOptions *options;
  const char *policy;
  LiteralChoose choose; /* or NULL: the policy does */
  gpointer chooser;
  LiteralRun *run;
  IdgLaunch launch;
  gint64 warps_per_block;
  gboolean dataflow;
  Program *programs;
  GArray *names; /* of Name */
  gint64 interval, ilp, launch_latency, barrier_latency;
  guint n_sms;
  Sm *sms;
  guint64 n_blocks, next_block;
  gint64 now;
  GArray *times; /* of gint64: computed and not yet reached */
} Engine;

/* Section 11. */
static gboolean
is_contended (const Engine *e)
{
  return e->options->memory == WP_MEMORY_OF_KERNEL ? e->kernel->contended
                                                   : e->options->memory == WP_MEMORY_CONTENDED;
}

static gboolean
refuse (Engine *e, const gchar *why)
{
  if (e->run->why == NULL)
    e->run->why = g_strdup (why);
  e->run->refused = TRUE;
  return FALSE;
}

/* --- Section 1: time --- */

static guint64
gcd (guint64 a, guint64 b)
{
  while (b != 0)
    {
      guint64 rest = a % b;
      a = b;
      b = rest;
    }
  return a;
}

static gboolean
join (Engine *e, WpCycles value)
{
  LiteralRun *run = e->run;
  gint64 step = value.den / (gint64)gcd ((guint64)run->ticks_per_cycle, (guint64)value.den);

  if ((Wide)run->ticks_per_cycle * step > (G_GINT64_CONSTANT (1) << 31))
    return refuse (e, "ticks per cycle");
  run->ticks_per_cycle *= step;
  return TRUE;
}

static gint64
ticks (const Engine *e, WpCycles value)
{
  Wide t = (Wide)value.num * (e->run->ticks_per_cycle / value.den);

  return (gint64)CLAMP (t, -(Wide)LIMIT, (Wide)LIMIT);
}

/* Every sum of times goes through here: what reaches the limit ends the run; what does not is
 * looked at when the clock gets there. */
static gint64
later_times (Engine *e, gint64 time, gint64 latency, guint times, const gchar *what)
{
  Wide sum = time + (Wide)latency * times;
  gint64 result = (gint64)MIN (sum, (Wide)LIMIT);

  if (result == LIMIT && !e->run->overflow)
    {
      e->run->overflow = TRUE;
      e->run->why = g_strdup (what);
    }
  if (result > e->now)
    g_array_append_val (e->times, result);
  return result;
}

static gint64
later (Engine *e, gint64 time, gint64 latency, const gchar *what)
{
  return later_times (e, time, latency, 1, what);
}

/* --- Files' data: ops, contexts, consumers --- */

static const WpGpuOp *
look_up (const WpGpu *gpu, const gchar *name)
{
  g_autofree gchar *part = g_strdup (name);

  for (;;)
    {
      gchar *dot;

      for (guint i = 0; i < gpu->ops->len; i++)
        {
          const WpGpuOp *op = g_ptr_array_index (gpu->ops, i);
          if (strcmp (op->name, part) == 0)
            return op;
        }
      dot = strrchr (part, '.');
      if (dot == NULL)
        return NULL;
      *dot = '\0';
    }
}

/* Whether WILDCARD ("conflict-*", "access-*-*") takes NAME ("conflict-4", "access-1-2"), and its
 * numbers; how many they are. */
static guint
matches (const gchar *wildcard, const gchar *name, guint64 numbers[])
{
  guint n = 0;

  while (*wildcard != '\0' && *wildcard != '*')
    if (*wildcard++ != *name++)
      return 0;
  while (*wildcard == '*')
    {
      if (!g_ascii_isdigit (*name))
        return 0;
      numbers[n] = 0;
      for (; g_ascii_isdigit (*name) && numbers[n] <= WP_MAX_UNITS; name++)
        numbers[n] = numbers[n] * 10 + (guint64)(*name - '0');
      if (numbers[n++] > WP_MAX_UNITS)
        return 0;
      wildcard++;
      if (*wildcard == '-' && *name == '-')
        {
          wildcard++;
          name++;
        }
    }
  return *wildcard == '\0' && *name == '\0' ? n : 0;
}

/* NUMBERS: 1 where there is none; N gets how many there are. */
static const WpGpuContext *
find_context (const WpGpuOp *op, const gchar *name, guint64 numbers[], guint *n)
{
  const WpGpuContext *best = NULL;

  *n = 0;
  for (guint i = 0; i < WP_MAX_STARS; i++)
    numbers[i] = 1;
  if (g_str_has_suffix (name, "-*"))
    return NULL;
  for (guint i = 0; i < op->contexts->len; i++)
    {
      const WpGpuContext *context = g_ptr_array_index (op->contexts, i);
      if (strcmp (context->name, name) == 0)
        return context;
    }
  for (guint i = 0; i < op->contexts->len; i++)
    {
      const WpGpuContext *context = g_ptr_array_index (op->contexts, i);
      guint64 here[WP_MAX_STARS];
      guint many = matches (context->name, name, here);
      if (many > 0 && (best == NULL || many < *n))
        {
          best = context;
          *n = many;
          memcpy (numbers, here, many * sizeof *here);
        }
    }
  return best;
}

static gboolean
add_units (Engine *e, WpCycles *base, WpCycles each, guint64 units)
{
  Wide num = (Wide)base->num * each.den + (Wide)each.num * (Wide)units * base->den;
  Wide den = (Wide)base->den * each.den, a = num, b = den;

  while (b != 0)
    {
      Wide rest = a % b;
      a = b;
      b = rest;
    }
  if (num / a > G_MAXINT64 || den / a > G_MAXINT64)
    return refuse (e, "a latency that does not fit");
  base->num = (gint64)(num / a);
  base->den = (gint64)(den / a);
  return TRUE;
}

/* Section 12, and FORMATS.md on contexts with several numbers: a <then> of PATH, which is that of
 * the context C or (C NULL) of the op. The I-th goes by the number behind the context's own; by the
 * only one where there is one. */
static gboolean
put_then (Engine *e, Written *w, const WpGpuThen *then, guint64 number)
{
  Then t = { then->pipeline, then->issue,
             then->has_transactions ? then->transactions : w->transactions };

  if (number == 0)
    return TRUE;
  if (!add_units (e, &t.issue_cycles, then->issue_each, number - 1)
      || !add_units (e, &w->completion_cycles, then->completion_each, number - 1))
    return FALSE;
  t.transactions += then->transactions_each * (guint)(number - 1);
  g_array_append_val (w->path, t);
  return TRUE;
}

static gboolean
put_path (Engine *e, Written *w, const WpGpuContext *c, const guint64 numbers[], guint n)
{
  const GArray *path = c != NULL && c->path != NULL ? c->path : w->gpu_op->path;

  for (guint i = 0; path != NULL && i < path->len; i++)
    {
      guint64 number = 1;

      if (path != w->gpu_op->path && n == 1)
        number = MAX (numbers[0], 1);
      if (path != w->gpu_op->path && n > 1 && i + 1 < n)
        number = numbers[i + 1];
      if (!put_then (e, w, &g_array_index (path, WpGpuThen, i), number))
        return FALSE;
    }
  return TRUE;
}

/* The completion of the deepest pipeline that is left where the last ones are left out; it has no
 * spread. */
static void
take_short (Written *w, const WpGpuContext *c, const guint64 numbers[], guint n)
{
  if (n < 2 || c->path == NULL || c->completion_short == NULL)
    return;
  for (guint left = c->path->len; left > 0 && left < n && numbers[left] == 0; left--)
    {
      w->completion_cycles = g_array_index (c->completion_short, WpCycles, left - 1);
      w->spread = NULL;
    }
}

/* FORMATS.md: the issue time is at least issue-min, the context's or else the op's. */
static void
take_least (Written *w, const WpGpuContext *c)
{
  WpCycles least = c != NULL && c->has_issue_min ? c->issue_min : w->gpu_op->issue_min;

  if ((Wide)w->issue_cycles.num * least.den < (Wide)least.num * w->issue_cycles.den)
    w->issue_cycles = least;
}

static gboolean
cost_in (Engine *e, Written *w, const gchar *context_name)
{
  const WpGpuOp *op = w->gpu_op;
  const WpGpuContext *c;
  guint64 numbers[WP_MAX_STARS], units;
  guint n;

  w->pipeline = op->pipeline;
  w->issue_cycles = op->issue;
  w->completion_cycles = op->completion;
  w->consumers = TRUE;
  w->posted = op->posted;
  w->slots = op->slots;
  w->transactions = op->transactions;
  w->spread = op->spread;
  take_least (w, NULL);
  if (context_name == NULL)
    return put_path (e, w, NULL, NULL, 0);
  w->issue_cycles = op->issue;
  c = find_context (op, context_name, numbers, &n);
  if (c == NULL)
    return refuse (e, "context");
  units = MAX (numbers[0], 1) - 1;
  if (c->has_issue)
    w->issue_cycles = c->issue;
  if (c->has_issue_each && !add_units (e, &w->issue_cycles, c->issue_each, units))
    return FALSE;
  take_least (w, c);
  if (c->has_completion)
    w->completion_cycles = c->completion;
  if (c->spread != NULL)
    w->spread = c->spread;
  take_short (w, c, numbers, n);
  if (c->has_completion_each && !add_units (e, &w->completion_cycles, c->completion_each, units))
    return FALSE;
  if (c->has_completion || c->has_completion_each)
    w->consumers = FALSE;
  if (c->has_posted)
    w->posted = c->posted;
  if (c->has_slots)
    w->slots = c->slots;
  if (c->has_transactions)
    w->transactions = c->transactions;
  if (c->has_transactions_each)
    w->transactions += c->transactions_each * (guint)units;
  return put_path (e, w, c, numbers, n);
}

/* --- Section 13: mixes --- */

/* One part of a mix, "l1*5": what W is in that context. */
static gboolean
add_part (Engine *e, Written *w, const gchar *part)
{
  const gchar *star = strrchr (part, '*');
  g_autofree gchar *name = g_strndup (part, (gsize)(star - part));
  Written way = *w;

  way.mix = NULL;
  way.path = g_array_new (FALSE, FALSE, sizeof (Then));
  way.reach = g_array_new (FALSE, FALSE, sizeof (gint64));
  way.weight = g_ascii_strtoull (star + 1, NULL, 10);
  if (!cost_in (e, &way, strcmp (name, "-") == 0 ? NULL : name))
    {
      g_array_unref (way.path);
      g_array_unref (way.reach);
      return FALSE;
    }
  g_array_append_val (w->mix, way);
  return TRUE;
}

/* What has a `*` or more than one part is a mix. */
static gboolean
cost (Engine *e, Written *w, const gchar *context)
{
  g_auto (GStrv) parts = NULL;

  if (context == NULL || (strchr (context, '*') == NULL && strchr (context, ' ') == NULL))
    return cost_in (e, w, context);
  w->mix = g_array_new (FALSE, FALSE, sizeof (Written));
  w->pipeline = w->gpu_op->pipeline;
  parts = g_strsplit (context, " ", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    if (!add_part (e, w, parts[i]))
      return FALSE;
  return TRUE;
}

/* In how many contexts W may be, and what it is in the K-th of them. */
static guint
count_ways (const Written *w)
{
  return w->mix == NULL ? 1 : w->mix->len;
}

static Written *
get_way (Written *w, guint k)
{
  return w->mix == NULL ? w : &g_array_index (w->mix, Written, k);
}

/* The one that DRAWN, of 32 bits, chooses. */
static const Written *
choose_way (const Written *w, guint64 drawn)
{
  guint64 total = 0, sum = 0;
  guint k = 0;

  if (w->mix == NULL)
    return w;
  for (guint i = 0; i < w->mix->len; i++)
    total += g_array_index (w->mix, Written, i).weight;
  for (;; k++)
    {
      sum += g_array_index (w->mix, Written, k).weight;
      if (sum > drawn * total / (G_GUINT64_CONSTANT (1) << 32))
        return &g_array_index (w->mix, Written, k);
    }
}

/* Lambda of PRODUCER for CONSUMER. Reading: a barrier has no op, so it is never a listed
 * consumer. */
static WpCycles
completion_for (const Written *producer, const Written *consumer)
{
  if (producer->consumers && consumer->gpu_op != NULL)
    for (guint i = 0; i < producer->gpu_op->consumers->len; i++)
      {
        const WpGpuConsumer *c = g_ptr_array_index (producer->gpu_op->consumers, i);
        if (strcmp (c->op, consumer->gpu_op->name) == 0)
          return c->completion;
      }
  return producer->completion_cycles;
}

/* --- Programs --- */

/* The dynamic instruction of PROGRAM so far that is the DISTANCE-th most recent one of WRITTEN, or
 * -1. */
static gint
before (const Program *program, guint written, guint distance)
{
  for (guint i = program->dynamic->len; i-- > 0;)
    if (g_array_index (program->dynamic, Dynamic, i).written == written && --distance == 0)
      return (gint)i;
  return -1;
}

static const IdgProgram *
source (const Engine *e, guint program)
{
  const IdgKernelProgram *p = g_ptr_array_index (e->kernel->programs, program);

  return p->program;
}

/* Index of NODE among the instructions and barriers of its program. */
static guint
written_index (const IdgProgram *program, guint node)
{
  guint n = 0;

  for (guint i = 0; i < node; i++)
    if (program->nodes[i].kind != IDG_REPEAT && program->nodes[i].kind != IDG_END)
      n++;
  return n;
}

static gboolean
never_runs (const IdgProgram *program, guint node)
{
  for (guint i = 0; i < node; i++)
    if (program->nodes[i].kind == IDG_REPEAT && program->nodes[i].count == 0
        && program->nodes[i].partner > node)
      return TRUE;
  return FALSE;
}

/* Which of the kernel's names NAME is. */
static guint
name_index (const Engine *e, const gchar *name)
{
  guint i = 0;

  while (strcmp (g_array_index (e->names, Name, i).name, name) != 0)
    i++;
  return i;
}

static void
note_name (Engine *e, const gchar *name, guint warps)
{
  for (guint i = 0; i < e->names->len; i++)
    if (strcmp (g_array_index (e->names, Name, i).name, name) == 0)
      {
        g_array_index (e->names, Name, i).warps |= warps;
        return;
      }
  g_array_append_val (e->names, ((Name){ name, warps }));
}

static gboolean
read_program (Engine *e, guint number)
{
  const IdgProgram *from = source (e, number);
  Program *program = &e->programs[number];

  program->written = g_array_new (FALSE, TRUE, sizeof (Written));
  program->first_count = e->run->counts->len;
  for (guint i = 0; i < from->n_nodes; i++)
    {
      const IdgNode *node = &from->nodes[i];
      Written w = { 0 };

      if (node->kind == IDG_REPEAT || node->kind == IDG_END)
        continue;
      w.barrier = node->kind != IDG_INSTRUCTION;
      w.arrive = node->kind == IDG_ARRIVE;
      w.late = node->late;
      w.op = w.arrive ? "bar.arrive" : w.barrier ? "bar.sync" : node->op;
      w.name = node->name == NULL ? "" : node->name;
      if (w.barrier)
        note_name (e, w.name, node->kind == IDG_BARRIER ? node->warps : 0);
      w.never = never_runs (from, i);
      w.slots = 1;
      w.stall = node->stall;
      w.deps = g_array_new (FALSE, FALSE, sizeof (Dep));
      w.reach = g_array_new (FALSE, FALSE, sizeof (gint64));
      for (guint d = 0; d < node->n_after; d++)
        {
          Dep dep = { written_index (from, node->after[d]), node->distances[d] };
          g_array_append_val (w.deps, dep);
        }
      g_array_append_val (program->written, w);
      g_array_append_val (e->run->lines, node->line);
    }
  g_array_set_size (e->run->counts, e->run->counts->len + program->written->len);
  for (guint i = 0, k = 0; i < from->n_nodes; i++)
    {
      const IdgNode *node = &from->nodes[i];
      Written *w;

      if (node->kind == IDG_REPEAT || node->kind == IDG_END)
        continue;
      w = &g_array_index (program->written, Written, k++);
      if (w->barrier)
        continue;
      w->path = g_array_new (FALSE, FALSE, sizeof (Then));
      w->gpu_op = look_up (e->gpu, node->op);
      if (w->gpu_op == NULL)
        return refuse (e, "op");
      if (!cost (e, w, node->context))
        return FALSE;
    }
  return TRUE;
}

/* The smallest `add` of the spread in force, if any. */
static gboolean
falls_below_zero (WpCycles completion, const WpGpuSpread *spread)
{
  WpCycles add = spread->add[0];

  return (Wide)completion.num * add.den + (Wide)add.num * completion.den < 0;
}

/* Section 12: of the k SMs that share pipeline P with SM only m are simulated: k / m of TIME. */
static WpCycles
shared_time (const Engine *e, guint sm, guint p, WpCycles time)
{
  gint64 k = ((const WpGpuPipeline *)g_ptr_array_index (e->gpu->pipelines, p))->shared;
  gint64 m = MIN (k, e->n_sms - sm / k * k);
  Wide num = (Wide)time.num * k, den = (Wide)time.den * m, a = num, b = den;

  while (b != 0)
    {
      Wide rest = a % b;
      a = b;
      b = rest;
    }
  if (num / a > G_MAXINT64) /* beyond all time */
    return (WpCycles){ LIMIT, 1 };
  return (WpCycles){ (gint64)(num / a), (gint64)(den / a) };
}

/* TIME of pipeline P, for each SM. */
static gboolean
join_shared (Engine *e, guint p, WpCycles time)
{
  for (guint sm = 0; sm < e->n_sms; sm++)
    if (!join (e, shared_time (e, sm, p, time)))
      return FALSE;
  return TRUE;
}

/* What belongs to a pipeline that an instruction as written passes. */
static gboolean
join_pipeline (Engine *e, guint number)
{
  const WpGpuPipeline *p = g_ptr_array_index (e->gpu->pipelines, number);

  if (is_contended (e) && p->channels > 0 && !join_shared (e, number, p->channel_issue))
    return FALSE;
  return join_shared (e, number, p->turnaround);
}

/* What an instruction in one of its contexts adds to section 1's list of times. */
static gboolean
join_way (Engine *e, const Written *w)
{
  gboolean spread = is_contended (e) && w->spread != NULL;

  if (!join_shared (e, w->pipeline, w->issue_cycles) || !join (e, w->completion_cycles))
    return FALSE;
  /* Reading: of a posted op too, though its latency is never used. */
  if (spread && falls_below_zero (w->completion_cycles, w->spread))
    return refuse (e, "negative latency");
  for (guint k = 0; spread && k < w->spread->n; k++)
    if (!join (e, w->spread->add[k]))
      return FALSE;
  if (!join_pipeline (e, w->pipeline))
    return FALSE;
  for (guint k = 0; k < w->path->len; k++)
    {
      const Then *then = &g_array_index (w->path, Then, k);
      if (!join_shared (e, then->pipeline, then->issue_cycles)
          || !join_pipeline (e, then->pipeline))
        return FALSE;
    }
  return TRUE;
}

/* The same of a dependence of CONSUMER on PRODUCER. */
static gboolean
join_dependence (Engine *e, const Written *producer, const Written *consumer)
{
  WpCycles latency = completion_for (producer, consumer);

  if (!join (e, latency))
    return FALSE;
  return !is_contended (e) || producer->spread == NULL
         || !falls_below_zero (latency, producer->spread) || refuse (e, "negative latency");
}

/* Section 1's list of times, and the additions of sections 11 to 13 to it. */
static gboolean
join_program (Engine *e, const Program *program)
{
  for (guint i = 0; i < program->written->len; i++)
    {
      Written *w = &g_array_index (program->written, Written, i);

      for (guint d = 0; d < w->deps->len; d++)
        {
          const Dep *dep = &g_array_index (w->deps, Dep, d);
          Written *producer = &g_array_index (program->written, Written, dep->producer);

          for (guint k = 0; k < count_ways (producer); k++)
            if (!join_dependence (e, get_way (producer, k), w))
              return FALSE;
        }
      if (!join (e, (WpCycles){ w->stall, 1 }))
        return FALSE;
      for (guint k = 0; k < count_ways (w) && !w->barrier; k++)
        if (!join_way (e, get_way (w, k)))
          return FALSE;
    }
  return TRUE;
}

static gboolean
find_tick (Engine *e)
{
  const WpGpu *gpu = e->gpu;

  e->run->ticks_per_cycle = 1;
  if (!join (e, gpu->launch_latency) || !join (e, gpu->barrier_latency) || !join (e, gpu->interval)
      || !join (e, gpu->ilp_latency))
    return FALSE;
  for (guint p = 0; p < e->kernel->programs->len; p++)
    if (!join_program (e, &e->programs[p]))
      return FALSE;
  return TRUE;
}

static void
convert_program (Engine *e, Program *program)
{
  for (guint i = 0; i < program->written->len; i++)
    {
      Written *w = &g_array_index (program->written, Written, i);

      w->stall = ticks (e, (WpCycles){ w->stall, 1 });
      for (guint k = 0; w->mix != NULL && k < w->mix->len; k++)
        get_way (w, k)->stall = w->stall;
      for (guint k = 0; k < count_ways (w) && !w->barrier; k++)
        get_way (w, k)->completion = ticks (e, get_way (w, k)->completion_cycles);
      for (guint d = 0; d < w->deps->len; d++)
        {
          Dep *dep = &g_array_index (w->deps, Dep, d);
          Written *producer = &g_array_index (program->written, Written, dep->producer);

          for (guint k = 0; k < count_ways (producer); k++)
            {
              Written *way = get_way (producer, k);
              gint64 latency = ticks (e, completion_for (way, w));
              /* Reading: every consumer as written counts ("needed or not"), except those that no
               * warp can reach because a repeat around them runs no times. */
              if (!w->never)
                g_array_append_val (way->reach, latency);
            }
        }
    }
}

static void
convert (Engine *e)
{
  e->interval = ticks (e, e->gpu->interval);
  e->ilp = ticks (e, e->gpu->ilp_latency);
  e->launch_latency = ticks (e, e->gpu->launch_latency);
  e->barrier_latency = ticks (e, e->gpu->barrier_latency);
  for (guint p = 0; p < e->kernel->programs->len; p++)
    convert_program (e, &e->programs[p]);
}

/* Unrolls NODES[FIRST .. LAST) of FROM; LATEST: of each written one its last dynamic instance,
 * or -1. */
static void
unroll (const IdgProgram *from, Program *to, guint first, guint last)
{
  for (guint i = first; i < last; i++)
    {
      const IdgNode *node = &from->nodes[i];

      if (node->kind == IDG_REPEAT)
        {
          for (guint n = 0; n < node->count; n++)
            unroll (from, to, i + 1, node->partner);
          i = node->partner;
        }
      else
        {
          Dynamic d = { written_index (from, i), g_array_new (FALSE, FALSE, sizeof (Dep)) };
          const Written *w = &g_array_index (to->written, Written, d.written);

          for (guint k = 0; k < w->deps->len; k++)
            {
              Dep dep = g_array_index (w->deps, Dep, k);
              if (before (to, dep.producer, dep.distance) < 0)
                continue;
              dep.producer = (guint)before (to, dep.producer, dep.distance);
              g_array_append_val (d.deps, dep);
            }
          g_array_append_val (to->dynamic, d);
        }
    }
}

static Program *
unrolled (Engine *e, guint number)
{
  Program *program = &e->programs[number];

  if (program->dynamic == NULL)
    {
      program->dynamic = g_array_new (FALSE, FALSE, sizeof (Dynamic));
      unroll (source (e, number), program, 0, source (e, number)->n_nodes);
    }
  return program;
}

static guint64
count_dynamic (const IdgProgram *program, guint first, guint last)
{
  guint64 n = 0;

  for (guint i = first; i < last; i++)
    if (program->nodes[i].kind == IDG_REPEAT)
      {
        n += program->nodes[i].count * count_dynamic (program, i + 1, program->nodes[i].partner);
        i = program->nodes[i].partner;
      }
    else
      n++;
  return n;
}

/* --- Which program a warp runs --- */

static gboolean
in_ranges (const GArray *ranges, guint64 value)
{
  if (ranges == NULL)
    return TRUE;
  for (guint i = 0; i < ranges->len; i++)
    {
      const IdgRange *r = &g_array_index (ranges, IdgRange, i);
      if (r->first <= value && value <= r->last)
        return TRUE;
    }
  return FALSE;
}

/* How many programs claim the warp; NUMBER gets the last of them. */
static guint
claims (const Engine *e, guint64 block, guint warp, guint *number)
{
  guint n = 0;

  for (guint p = 0; p < e->kernel->programs->len; p++)
    {
      const IdgKernelProgram *program = g_ptr_array_index (e->kernel->programs, p);
      if (in_ranges (program->warps, warp) && in_ranges (program->blocks, block))
        {
          *number = p;
          n++;
        }
    }
  return n;
}

static gboolean
check_coverage (Engine *e)
{
  guint ignored;

  for (gint64 b = 0; b < e->launch.blocks; b++)
    for (gint64 w = 0; w < e->warps_per_block; w++)
      if (claims (e, (guint64)b, (guint)w, &ignored) != 1)
        return refuse (e, "a warp without its one program");
  return TRUE;
}

/* --- Section 3: occupancy --- */

static gint64
round_up (gint64 value, gint64 unit)
{
  return (value + unit - 1) / unit * unit;
}

static gint64
by_registers (const Engine *e)
{
  const WpGpuLimits *l = &e->gpu->limits;
  gint64 need = e->launch.registers * e->gpu->warp_size;

  if (l->registers == 0 || e->launch.registers == 0)
    return NOT_BOUND;
  if (l->register_per_block)
    return l->registers / round_up (need * e->warps_per_block, l->register_allocation);
  return l->register_partitions
         * (l->registers / l->register_partitions / round_up (need, l->register_allocation))
         / e->warps_per_block;
}

static gint64
by_shared_memory (const Engine *e)
{
  const WpGpuLimits *l = &e->gpu->limits;
  gint64 need = e->launch.shared_memory + l->shared_memory_reserved;

  if (l->shared_memory == 0 || need == 0)
    return NOT_BOUND;
  return l->shared_memory / round_up (need, l->shared_memory_allocation);
}

static gboolean
find_occupancy (Engine *e)
{
  const WpGpuLimits *l = &e->gpu->limits;
  gint64 n = NOT_BOUND;

  if ((l->threads_per_block != 0 && e->launch.threads > l->threads_per_block)
      || (l->shared_memory_per_block != 0 && e->launch.shared_memory > l->shared_memory_per_block)
      || (l->registers_per_thread != 0 && e->launch.registers > l->registers_per_thread))
    return refuse (e, "limit of one block");
  if (!e->options->no_limits)
    {
      if (l->blocks != 0)
        n = MIN (n, l->blocks);
      if (l->warps != 0)
        n = MIN (n, l->warps / e->warps_per_block);
      if (l->threads != 0)
        n = MIN (n, l->threads / (e->warps_per_block * e->gpu->warp_size));
      n = MIN (n, by_registers (e));
      n = MIN (n, by_shared_memory (e));
    }
  if (e->options->occupancy != 0)
    n = MIN (n, e->options->occupancy / e->warps_per_block);
  if (n == 0)
    return refuse (e, "no block fits");
  e->run->resident_blocks = (guint64)(n == NOT_BOUND ? e->launch.blocks : n);
  return TRUE;
}

/* --- Section 4: blocks --- */

/* Section 12, in the place of section 4's 1. */
static gint64
most_shared (const Engine *e)
{
  guint most = 1;

  for (guint p = 0; p < e->kernel->programs->len; p++)
    for (guint i = 0; i < e->programs[p].written->len; i++)
      {
        Written *w = &g_array_index (e->programs[p].written, Written, i);

        for (guint n = 0; n < count_ways (w) && !w->barrier; n++)
          {
            const GArray *path = get_way (w, n)->path;

            most = MAX (
                most,
                ((WpGpuPipeline *)g_ptr_array_index (e->gpu->pipelines, w->pipeline))->shared);
            for (guint k = 0; k < path->len; k++)
              {
                guint passed = g_array_index (path, Then, k).pipeline;
                most = MAX (
                    most, ((WpGpuPipeline *)g_ptr_array_index (e->gpu->pipelines, passed))->shared);
              }
          }
      }
  return most;
}

static gboolean
find_launch (Engine *e)
{
  const WpRunOptions *o = e->options;
  gint64 sms = o->sms == 0 ? e->gpu->sms : o->sms;

  if (o->sms == 1 && !o->sms_said)
    sms = MIN (most_shared (e), e->gpu->sms);

  e->launch = e->kernel->launch;
  if (o->blocks >= 0)
    e->launch.blocks = o->blocks;
  if (o->threads >= 0)
    e->launch.threads = o->threads;
  if (o->registers >= 0)
    e->launch.registers = o->registers;
  if (o->shared_memory >= 0)
    e->launch.shared_memory = o->shared_memory;
  e->warps_per_block = (e->launch.threads + e->gpu->warp_size - 1) / e->gpu->warp_size;
  if (sms > e->gpu->sms)
    return refuse (e, "more SMs than there are");
  e->n_sms = (guint)sms;
  e->n_blocks = (guint64)((e->launch.blocks * sms + e->gpu->sms - 1) / e->gpu->sms);
  return TRUE;
}

static void
hand_out (Engine *e, Sm *sm, gint64 launch)
{
  Block *block = g_new0 (Block, 1);

  block->number = e->next_block++;
  block->launch = launch;
  block->warps = g_ptr_array_new ();
  block->releases = g_array_new (FALSE, TRUE, sizeof (guint));
  g_array_set_size (block->releases, e->names->len);
  block->groups = g_array_new (FALSE, FALSE, sizeof (GArray *));
  for (guint i = 0; i < e->names->len; i++)
    {
      GArray *group = g_array_new (FALSE, FALSE, sizeof (Coming));

      g_array_append_val (block->groups, group);
    }
  g_ptr_array_add (sm->blocks, block);
}

static void
hand_out_first (Engine *e)
{
  gboolean any = TRUE;

  while (any)
    {
      any = FALSE;
      for (guint s = 0; s < e->n_sms; s++)
        if (e->next_block < e->n_blocks && e->sms[s].blocks->len < e->run->resident_blocks)
          {
            hand_out (e, &e->sms[s], 0);
            any = TRUE;
          }
    }
}

static guint64 draw (const Engine *e, const Warp *w, guint k, guint64 j);

/* Section 13: each dynamic instruction k of W takes the first context whose weights, added up,
 * exceed ... */
static void
take_contexts (const Engine *e, Warp *w)
{
  const GArray *dynamic = w->program->dynamic;

  w->taken = g_new0 (const Written *, dynamic->len + 1);
  for (guint k = 0; k < dynamic->len; k++)
    w->taken[k] = choose_way (
        &g_array_index (w->program->written, Written, g_array_index (dynamic, Dynamic, k).written),
        draw (e, w, k, G_MAXUINT32 - 1));
}

static void
launch_warp (Engine *e, Sm *sm, Block *block, guint number)
{
  Warp *w = g_new0 (Warp, 1);
  guint program = 0;

  for (w->slot = 0; w->slot < sm->slots->len; w->slot++)
    if (g_ptr_array_index (sm->slots, w->slot) == NULL)
      break;
  if (w->slot == sm->slots->len)
    g_ptr_array_add (sm->slots, NULL);
  g_ptr_array_index (sm->slots, w->slot) = w;
  claims (e, block->number, number, &program);
  w->block = block;
  w->warp = number;
  w->scheduler = w->slot % (guint)e->gpu->schedulers;
  w->age = sm->next_age++;
  w->program = unrolled (e, program);
  take_contexts (e, w);
  w->done = g_new0 (Done, w->program->dynamic->len);
  for (guint i = 0; i < w->program->dynamic->len; i++)
    w->done[i].release = UNKNOWN;
  w->start = block->launch;
  w->last_barrier = -1;
  w->comings = g_array_new (FALSE, TRUE, sizeof (guint));
  g_array_set_size (w->comings, e->names->len);
  g_ptr_array_add (block->warps, w);
  g_ptr_array_add (sm->schedulers[w->scheduler].pending, w);
}

static void
free_warp (Warp *w)
{
  g_array_unref (w->comings);
  g_free (w->done);
  g_free (w->taken);
  g_free (w);
}

static void
free_block (Block *block)
{
  for (guint i = 0; i < block->warps->len; i++)
    free_warp (g_ptr_array_index (block->warps, i));
  for (guint i = 0; i < block->groups->len; i++)
    g_array_unref (g_array_index (block->groups, GArray *, i));
  g_array_unref (block->groups);
  g_array_unref (block->releases);
  g_ptr_array_unref (block->warps);
  g_free (block);
}

/* --- What a warp knows --- */

static const Dynamic *
dynamic (const Warp *w, guint i)
{
  return &g_array_index (w->program->dynamic, Dynamic, i);
}

static const Written *
written (const Warp *w, guint i)
{
  return w->taken[i];
}

/* Whether instruction I of W is a barrier, at which it waits. */
static gboolean
holds (const Warp *w, guint i)
{
  return written (w, i)->barrier && !written (w, i)->arrive;
}

/* When instruction PRODUCER of W is complete for one that waits LATENCY from its start. */
static gint64
complete_for (const Warp *w, guint producer, gint64 latency)
{
  const Done *d = &w->done[producer];

  if (!d->issued)
    return UNKNOWN;
  return written (w, producer)->posted ? d->time : d->from + latency;
}

/* When instruction PRODUCER of W is complete for its instruction I. */
static gint64
complete_before (const Engine *e, const Warp *w, guint producer, guint i)
{
  return complete_for (w, producer,
                       ticks (e, completion_for (written (w, producer), written (w, i))));
}

/* When instruction I of W is complete for its warp's end. */
static gint64
complete (const Warp *w, guint i)
{
  if (written (w, i)->arrive)
    return w->done[i].issued ? w->done[i].time : UNKNOWN;
  if (written (w, i)->barrier)
    return w->done[i].release;
  return complete_for (w, i, written (w, i)->completion);
}

/* The later of what is known, LAST and its PRODUCER, and that OTHER is complete at T. Of two at one
 * time it stays with the first: in program order the one named first in `after`, in dataflow order
 * the one that issued first ("Readings", section 9). */
static void
take_later (const Engine *e, const Warp *w, guint other, gint64 t, gint64 *last, guint *producer)
{
  if (t < *last || (t == *last && !(e->dataflow && w->done[other].row < w->done[*producer].row)))
    return;
  *producer = other;
  *last = t;
}

static gint64
dependences_complete (const Engine *e, const Warp *w, guint i, guint *producer)
{
  const GArray *deps = dynamic (w, i)->deps;
  gint64 last = -1;

  for (guint d = 0; !written (w, i)->late && d < deps->len; d++)
    {
      const Dep *dep = &g_array_index (deps, Dep, d);

      take_later (e, w, dep->producer, complete_before (e, w, dep->producer, i), &last, producer);
    }
  return last;
}

/* In dataflow order a barrier waits for all earlier instructions. Earlier barriers are complete
 * when released: that term is the barrier's, below. */
static gint64
earlier_complete (const Engine *e, const Warp *w, guint i, guint *producer)
{
  gint64 last = -1;

  for (guint k = 0; k < i; k++)
    if (!holds (w, k))
      take_later (e, w, k, complete (w, k), &last, producer);
  return last;
}

/* ready(w) for its instruction I, and what sets it. */
typedef struct
{
  gint64 time;
  WpReason why;
  guint producer; /* but of WP_REASON_START */
} Ready;

static Ready
ready (const Engine *e, const Warp *w, guint i)
{
  Ready r = { w->start, WP_REASON_START, 0 };
  guint producer = 0;
  gint64 t;

  if (w->has_issued)
    r = (Ready){ w->turn, WP_REASON_ILP, w->last };
  t = e->dataflow && written (w, i)->barrier ? earlier_complete (e, w, i, &producer)
                                             : dependences_complete (e, w, i, &producer);
  /* Reading: nothing has waited for an arrive, which is complete when it issues. */
  if (t >= r.time && !written (w, producer)->arrive)
    r = (Ready){ t, WP_REASON_DEPENDENCY, producer };
  if (w->last_barrier >= 0 && w->done[w->last_barrier].release >= r.time)
    r = (Ready){ w->done[w->last_barrier].release, WP_REASON_BARRIER, (guint)w->last_barrier };
  return r;
}

/* --- Pipelines --- */

static const WpGpuPipeline *
pipeline_of (const Engine *e, guint number)
{
  return g_ptr_array_index (e->gpu->pipelines, number);
}

/* That of W's scheduler, or of the SM. */
static Instance *
find_instance (const Engine *e, const Sm *sm, const Warp *w, guint pipeline)
{
  const WpGpuPipeline *p = pipeline_of (e, pipeline);
  guint number = (guint)(sm - e->sms);

  sm = &e->sms[number - number % p->shared]; /* which keeps that of those that share it */
  return &sm->instances[pipeline][p->scope == WP_SCOPE_SCHEDULER ? w->scheduler : 0];
}

static Instance *
instance_of (const Engine *e, const Sm *sm, const Warp *w, guint i)
{
  return find_instance (e, sm, w, written (w, i)->pipeline);
}

/* The last pipeline of the path, or its own. */
static guint
last_pipeline (const Written *w)
{
  return w->path->len == 0 ? w->pipeline : g_array_index (w->path, Then, w->path->len - 1).pipeline;
}

/* Section 12 on section 8. */
static gboolean
on_memory (const Engine *e, const Written *w)
{
  gboolean memory = pipeline_of (e, w->pipeline)->kind == WP_KIND_MEMORY;

  for (guint i = 0; i < w->path->len; i++)
    memory |= pipeline_of (e, g_array_index (w->path, Then, i).pipeline)->kind == WP_KIND_MEMORY;
  return memory;
}

static guint
queue_of (const Engine *e, const Warp *w, guint i)
{
  const WpGpuPipeline *p = g_ptr_array_index (e->gpu->pipelines, written (w, i)->pipeline);

  return p->queue;
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;

  return x < y ? -1 : x > y;
}

/* Section 12: when fewer than `inflight` of those that it accepted before are under way. */
static gint64
inflight_time (const Engine *e, const Sm *sm, const Warp *w, guint i)
{
  guint m = pipeline_of (e, written (w, i)->pipeline)->inflight;
  GArray *ends = instance_of (e, sm, w, i)->ends;

  if (m == 0 || ends->len < m)
    return 0;
  g_array_sort (ends, compare_times);
  return g_array_index (ends, gint64, ends->len - m);
}

static gboolean
accepts (const Engine *e, const Sm *sm, const Warp *w, guint i, gint64 t)
{
  const Instance *instance;
  guint waiting = 0;

  if (written (w, i)->barrier)
    return TRUE;
  if (pipeline_of (e, written (w, i)->pipeline)->inflight > 0)
    {
      guint under_way = 0;

      instance = instance_of (e, sm, w, i);
      for (guint k = 0; k < instance->ends->len; k++)
        under_way += g_array_index (instance->ends, gint64, k) > t;
      if (under_way >= pipeline_of (e, written (w, i)->pipeline)->inflight)
        return FALSE;
    }
  if (queue_of (e, w, i) == WP_QUEUE_UNBOUNDED)
    return TRUE;
  instance = instance_of (e, sm, w, i);
  for (guint k = instance->starts->len; k > 0; k--) /* starts never fall */
    {
      if (g_array_index (instance->starts, gint64, k - 1) <= t)
        break;
      waiting++;
    }
  return t >= instance->free_at || waiting < queue_of (e, w, i);
}

/* The same as far as the queue goes. */
static gint64
queue_time (const Engine *e, const Sm *sm, const Warp *w, guint i)
{
  const Instance *instance;
  guint queue;

  if (written (w, i)->barrier || queue_of (e, w, i) == WP_QUEUE_UNBOUNDED)
    return 0;
  instance = instance_of (e, sm, w, i);
  queue = queue_of (e, w, i);
  if (queue == 0)
    return instance->free_at;
  if (instance->starts->len < queue)
    return 0;
  return g_array_index (instance->starts, gint64, instance->starts->len - queue);
}

/* The earliest time at which it accepts, given those that it accepted before; section 9. */
static gint64
accept_time (const Engine *e, const Sm *sm, const Warp *w, guint i)
{
  gint64 time = queue_time (e, sm, w, i);

  return written (w, i)->barrier ? time : MAX (time, inflight_time (e, sm, w, i));
}

/* --- Section 11: random numbers, and contended memory --- */

static guint64
mix (guint64 x)
{
  x += G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
  x = (x ^ (x >> 30)) * G_GUINT64_CONSTANT (0xBF58476D1CE4E5B9);
  x = (x ^ (x >> 27)) * G_GUINT64_CONSTANT (0x94D049BB133111EB);
  return x ^ (x >> 31);
}

static guint64
draw (const Engine *e, const Warp *w, guint k, guint64 j)
{
  guint64 h = e->options->seed;

  h = mix (h ^ w->block->number);
  h = mix (h ^ w->warp);
  h = mix (h ^ k);
  h = mix (h ^ j);
  return h >> 32;
}

static gint64
spread (const Engine *e, const WpGpuSpread *s, guint64 u)
{
  for (guint i = 0; i + 1 < s->n; i++)
    {
      guint64 from = ((guint64)s->at[i] << 32) / 100;
      guint64 to = ((guint64)s->at[i + 1] << 32) / 100;
      if (from <= u && u < to)
        {
          gint64 low = ticks (e, s->add[i]), high = ticks (e, s->add[i + 1]);
          return (gint64)(low + ((Wide)high - low) * (Wide)(u - from) / (Wide)(to - from));
        }
    }
  g_assert_not_reached ();
}

/* The visits of instruction I in PIPELINE, the K-th of its path (0: its own), from START on: the
 * latest of their beginnings. */
static gint64
visit_channels (Engine *e, const Sm *sm, const Warp *w, guint i, guint pipeline, guint k,
                guint transactions, gint64 start)
{
  const WpGpuPipeline *p = pipeline_of (e, pipeline);
  Instance *instance = find_instance (e, sm, w, pipeline);
  gint64 served = start;
  gint64 c = is_contended (e) && p->channels > 0
                 ? ticks (e, shared_time (e, (guint)(sm - e->sms), pipeline, p->channel_issue))
                 : 0;

  for (guint j = 0; is_contended (e) && p->channels > 0 && j < transactions; j++)
    {
      guint64 channel = (draw (e, w, i, j + ((guint64)k << 16)) * p->channels) >> 32;
      gint64 *free_at = &g_array_index (instance->channels, gint64, channel);
      gint64 begin = MAX (start, *free_at);

      *free_at = later (e, begin, c, "free_at of a channel");
      e->run->drained = MAX (e->run->drained, *free_at);
      served = MAX (served, begin);
    }
  return served;
}

/* Section 12: an instruction of ISSUE that may begin in INSTANCE of PIPELINE at T does so then or
 * later. */
static gint64
begin (Engine *e, const Sm *sm, Instance *instance, guint pipeline, gboolean write,
       WpCycles issue_cycles, gint64 t)
{
  guint number = (guint)(sm - e->sms);
  gint64 free_at = instance->free_at;
  gint64 issue = ticks (e, shared_time (e, number, pipeline, issue_cycles));
  WpCycles turn = pipeline_of (e, pipeline)->turnaround;

  if (instance->passed && instance->wrote != write)
    free_at
        = later (e, free_at, ticks (e, shared_time (e, number, pipeline, turn)), "a turnaround");
  t = MAX (t, free_at);
  later (e, t, 0, "a start");
  instance->free_at = later (e, t, issue, "free_at of a pipeline");
  instance->passed = TRUE;
  instance->wrote = write;
  e->run->drained = MAX (e->run->drained, instance->free_at);
  return t;
}

static gint64
serve (Engine *e, const Sm *sm, const Warp *w, guint i, gint64 start)
{
  const Written *what = written (w, i);
  gint64 served = visit_channels (e, sm, w, i, what->pipeline, 0, what->transactions, start);

  for (guint k = 0; k < what->path->len; k++)
    {
      const Then *then = &g_array_index (what->path, Then, k);

      served = begin (e, sm, find_instance (e, sm, w, then->pipeline), then->pipeline,
                      what->gpu_op->write, then->issue_cycles, served);
      g_array_append_val (e->run->begins, served);
      served = visit_channels (e, sm, w, i, then->pipeline, k + 1, then->transactions, served);
    }
  if (is_contended (e) && what->spread != NULL)
    served = later (e, served, spread (e, what->spread, draw (e, w, i, G_MAXUINT32)), "served");
  return served;
}

/* --- Section 5: issue --- */

static gboolean
scheduler_can_issue (const Engine *e, const Scheduler *s, gint64 t)
{
  return !s->has_issued || t >= s->slot_end
         || (!s->slot_full && s->slot_issues < e->gpu->issue_limit);
}

/* Dataflow order: the earliest candidate in program order that its pipeline accepts, or -1. */
static gint
dataflow_offer (const Engine *e, const Sm *sm, const Warp *w, gint64 t)
{
  guint ignored = 0;

  for (guint i = w->next; i < w->program->dynamic->len; i++)
    {
      gboolean barrier = written (w, i)->barrier;
      gint64 needs;

      if (w->done[i].issued)
        {
          if (holds (w, i) && w->done[i].release > t)
            return -1;
          continue;
        }
      needs = barrier ? earlier_complete (e, w, i, &ignored)
                      : dependences_complete (e, w, i, &ignored);
      if (needs <= t && accepts (e, sm, w, i, t))
        return (gint)i;
      if (holds (w, i))
        return -1;
    }
  return -1;
}

/* The instruction that W can issue at T, or -1. */
static gint
offer (const Engine *e, const Sm *sm, const Warp *w, gint64 t)
{
  gint i;

  if (w->terminated || w->next == w->program->dynamic->len)
    return -1;
  if (w->has_issued && t < w->turn)
    return -1;
  if (w->last_barrier >= 0 && w->done[w->last_barrier].release > t)
    return -1;
  if (e->dataflow)
    return dataflow_offer (e, sm, w, t);
  i = (gint)w->next;
  return ready (e, w, w->next).time <= t && accepts (e, sm, w, w->next, t) ? i : -1;
}

/* Section 14: W comes to a name by its instruction I, which issues at T. */
static void
come (const Engine *e, Warp *w, guint i, gint64 t)
{
  guint name = name_index (e, written (w, i)->name);
  const GArray *deps = dynamic (w, i)->deps;
  Coming coming = { w->warp, i, t };

  for (guint d = 0; written (w, i)->late && d < deps->len; d++)
    coming.time
        = MAX (coming.time, complete_before (e, w, g_array_index (deps, Dep, d).producer, i));

  w->done[i].coming = g_array_index (w->comings, guint, name)++;
  if (g_array_index (e->names, Name, name).warps > 0)
    g_array_append_val (g_array_index (w->block->groups, GArray *, name), coming);
}

/* One instruction, without the accounting of its group. */
static void
issue_one (Engine *e, guint sm_number, Warp *w, guint i, gint64 t, const Ready *r, gint64 accept)
{
  Sm *sm = &e->sms[sm_number];
  const Written *what = written (w, i);
  const WpGpuPipeline *p
      = what->barrier ? NULL : g_ptr_array_index (e->gpu->pipelines, what->pipeline);
  Done *done = &w->done[i];
  LiteralIssue row = { t,
                       sm_number,
                       w->scheduler,
                       w->block->number,
                       w->warp,
                       i,
                       what->op,
                       p == NULL ? "" : p->name,
                       t,
                       UNKNOWN,
                       r == NULL,
                       r == NULL ? t : r->time,
                       r == NULL ? t : MAX (accept, r->time),
                       r == NULL ? WP_REASON_PAIR : r->why,
                       r == NULL || r->why == WP_REASON_START ? WP_NO_PRODUCER : r->producer };

  done->issued = TRUE;
  done->time = t;
  done->row = e->run->issues->len;
  if (what->barrier)
    {
      come (e, w, i, t);
      if (what->arrive)
        row.complete = t;
      else
        w->last_barrier = (gint)i;
    }
  else
    {
      Instance *instance = instance_of (e, sm, w, i);

      row.start
          = begin (e, sm, instance, what->pipeline, what->gpu_op->write, what->issue_cycles, t);
      g_array_append_val (instance->starts, row.start);
      done->from = serve (e, sm, w, i, row.start);
      if (p->inflight > 0)
        {
          gint64 end = later (e, done->from, what->completion, "a completion");
          g_array_append_val (instance->ends, end);
        }
      /* Reading: a posted op is complete when it issues, for every purpose, so its completion
       * latencies are no times that the run computes. */
      if (!what->posted)
        {
          later (e, done->from, what->completion, "a completion");
          for (guint k = 0; k < what->reach->len; k++)
            later (e, done->from, g_array_index (what->reach, gint64, k), "a completion");
        }
      row.complete = complete (w, i);
    }
  g_array_append_val (e->run->issues, row);
  while (w->next < w->program->dynamic->len && w->done[w->next].issued)
    w->next++;
  w->last = i;
  w->issued++;
  e->run->issued++;
  g_array_index (e->run->counts, guint64, w->program->first_count + dynamic (w, i)->written)++;
}

/* Section 9, for the issue of instruction I of W at T. */
static void
account (Engine *e, Warp *w, guint i, gint64 t, const Ready *r, gint64 accept)
{
  static const WpStall stalls[] = { [WP_REASON_START] = WP_STALL_ILP, /* no time at all */
                                    [WP_REASON_BARRIER] = WP_STALL_BARRIER,
                                    [WP_REASON_DEPENDENCY] = WP_STALL_DEPENDENCY,
                                    [WP_REASON_ILP] = WP_STALL_ILP };
  gint64 before = w->has_issued ? w->last_issue : w->start;
  gint64 a = CLAMP (accept, r->time, t);

  g_assert (before <= r->time && r->time <= t && accept <= t);
  (void)i;
  w->stalls[stalls[r->why]] += r->time - before;
  w->stalls[WP_STALL_PIPELINE] += a - r->time;
  w->stalls[WP_STALL_NOT_SELECTED] += t - a;
  if (r->why == WP_REASON_DEPENDENCY)
    g_array_index (e->run->waits, Wide, last_pipeline (written (w, r->producer)))
        += r->time - before;
}

/* Whether the next instruction of W may issue together with instructions LEAD .. next - 1, issued
 * at T. */
static gboolean
may_follow (const Engine *e, const Sm *sm, const Warp *w, guint lead, gint64 t)
{
  guint i = w->next, ignored = 0;
  const WpGpuPipeline *p;

  if (i == w->program->dynamic->len || i - lead >= e->gpu->dual_issue || written (w, i)->barrier
      || written (w, i - 1)->barrier)
    return FALSE;
  if (written (w, i - 1)->stall > 0 || dependences_complete (e, w, i, &ignored) > t
      || !accepts (e, sm, w, i, t))
    return FALSE;
  p = g_ptr_array_index (e->gpu->pipelines, written (w, i)->pipeline);
  for (guint k = lead; p->pairing_never && k < i; k++)
    if (written (w, k)->pipeline == written (w, i)->pipeline)
      return FALSE;
  return TRUE;
}

static void
take_slot (Engine *e, Scheduler *s, guint slots, gint64 t)
{
  if (!s->has_issued || t >= s->slot_end)
    {
      s->slot_end = later (e, t, e->interval, "end of a slot");
      s->slot_issues = 0;
      s->slot_full = FALSE;
    }
  s->has_issued = TRUE;
  s->slot_issues++;
  if (slots > 1)
    {
      gint64 end = later_times (e, t, e->interval, slots, "end of a slot");
      s->slot_end = MAX (s->slot_end, end);
      s->slot_full = TRUE;
    }
  e->run->groups++;
  e->run->slot_time += slots > 1 ? (Wide)slots * e->interval * e->gpu->issue_limit : e->interval;
}

static void
issue (Engine *e, guint sm_number, Warp *w, guint i, gint64 t)
{
  Sm *sm = &e->sms[sm_number];
  Scheduler *s = &sm->schedulers[w->scheduler];
  Ready r = ready (e, w, i);
  gint64 accept = accept_time (e, sm, w, i);
  guint slots = written (w, i)->slots, last = i;

  account (e, w, i, t, &r, accept);
  issue_one (e, sm_number, w, i, t, &r, accept);
  if (!e->dataflow && !written (w, i)->barrier)
    while (may_follow (e, sm, w, i, t))
      {
        last = w->next;
        slots = MAX (slots, written (w, w->next)->slots);
        issue_one (e, sm_number, w, w->next, t, NULL, 0);
      }
  w->has_issued = TRUE;
  w->last_issue = t;
  w->turn = later (e, t, MAX (e->ilp, written (w, last)->stall), "earliest next issue");
  take_slot (e, s, slots, t);
  s->last_slot = w->slot;
  s->last_warp = w;
  sm->has_issued = TRUE;
  sm->last_scheduler = w->scheduler;
}

/* --- Policies --- */

/* The first warp in slot order, going round after the last slot, that can issue; only of BLOCK,
 * unless NULL. */
static Warp *
choose_round (const Engine *e, const Sm *sm, guint scheduler, const Block *block, gint64 t)
{
  const Scheduler *s = &sm->schedulers[scheduler];
  guint n = sm->slots->len;

  for (guint k = 0; k < n; k++)
    {
      guint slot = ((s->has_issued ? s->last_slot + 1 : 0) + k) % n;
      Warp *w = g_ptr_array_index (sm->slots, slot);

      if (w != NULL && w->scheduler == scheduler && (block == NULL || w->block == block)
          && offer (e, sm, w, t) >= 0)
        return w;
    }
  return NULL;
}

/* The oldest (or youngest) that can issue; with GREEDY the one that issued last goes before. */
static Warp *
choose_age (const Engine *e, const Sm *sm, guint scheduler, gboolean greedy, gboolean youngest,
            gint64 t)
{
  const Scheduler *s = &sm->schedulers[scheduler];
  Warp *best = NULL;

  for (guint slot = 0; slot < sm->slots->len; slot++)
    {
      Warp *w = g_ptr_array_index (sm->slots, slot);

      if (w == NULL || w->scheduler != scheduler || offer (e, sm, w, t) < 0)
        continue;
      if (greedy && s->has_issued && w == s->last_warp)
        return w;
      if (best == NULL || (w->age < best->age) != youngest)
        best = w;
    }
  return best;
}

static Warp *
choose_block (const Engine *e, const Sm *sm, guint scheduler, gint64 t)
{
  const Warp *oldest = choose_age (e, sm, scheduler, FALSE, FALSE, t);

  return oldest == NULL ? NULL : choose_round (e, sm, scheduler, oldest->block, t);
}

/* Section 8: a dependence on memory that is incomplete, or a barrier that is not released.
 * Reading: a barrier is released from the release time on, not from when that time is known. */
static gboolean
set_aside (const Engine *e, const Warp *w, gint64 t)
{
  const GArray *deps;

  if (w->last_barrier >= 0 && w->done[w->last_barrier].release > t)
    return TRUE;
  if (w->next == w->program->dynamic->len)
    return FALSE;
  deps = dynamic (w, w->next)->deps;
  for (guint d = 0; !written (w, w->next)->late && d < deps->len; d++)
    {
      const Dep *dep = &g_array_index (deps, Dep, d);
      if (!written (w, dep->producer)->barrier && on_memory (e, written (w, dep->producer))
          && complete_before (e, w, dep->producer, w->next) > t)
        return TRUE;
    }
  return FALSE;
}

static void
update_lists (const Engine *e, Scheduler *s, gint64 t)
{
  for (guint i = 0; i < s->active->len;)
    {
      Warp *w = g_ptr_array_index (s->active, i);

      if (w->terminated)
        g_ptr_array_remove_index (s->active, i);
      else if (set_aside (e, w, t))
        g_ptr_array_add (s->pending, g_ptr_array_steal_index (s->active, i));
      else
        i++;
    }
  for (guint i = 0; i < s->pending->len;)
    {
      Warp *w = g_ptr_array_index (s->pending, i);

      if (w->terminated)
        g_ptr_array_remove_index (s->pending, i);
      else if (s->active->len < e->options->active_set && !set_aside (e, w, t))
        g_ptr_array_add (s->active, g_ptr_array_steal_index (s->pending, i));
      else
        i++;
    }
}

/* Reading: a warp that left the active list and is on it again is "on the list". */
static Warp *
choose_two_level (const Engine *e, const Sm *sm, guint scheduler, gint64 t)
{
  Scheduler *s = &sm->schedulers[scheduler];
  guint first = 0, n = s->active->len;

  for (guint i = 0; s->has_issued && i < n; i++)
    if (g_ptr_array_index (s->active, i) == s->last_warp)
      first = i + 1;
  for (guint k = 0; k < n; k++)
    {
      Warp *w = g_ptr_array_index (s->active, (first + k) % n);
      if (offer (e, sm, w, t) >= 0)
        return w;
    }
  return NULL;
}

static gint
compare_ages (gconstpointer a, gconstpointer b)
{
  const Warp *one = *(const Warp *const *)a, *other = *(const Warp *const *)b;

  return one->age < other->age ? -1 : one->age > other->age;
}

static Warp *
choose_as_told (const Engine *e, const Sm *sm, guint scheduler, gint64 t)
{
  g_autoptr (GPtrArray) able = g_ptr_array_new ();
  guint others = 0, chosen;

  for (guint slot = 0; slot < sm->slots->len; slot++)
    {
      Warp *w = g_ptr_array_index (sm->slots, slot);

      if (w != NULL && w->scheduler == scheduler && offer (e, sm, w, t) >= 0)
        g_ptr_array_add (able, w);
      else
        others += w != NULL;
    }
  if (able->len == 0)
    return NULL;
  g_ptr_array_sort (able, compare_ages);
  chosen = e->choose (e->chooser, able->len, others > 0 || e->next_block < e->n_blocks);
  return chosen < able->len ? able->pdata[chosen] : NULL;
}

/* A visit: the warp that issues, or NULL. */
static Warp *
visit (const Engine *e, const Sm *sm, guint scheduler, gint64 t)
{
  Scheduler *s = &sm->schedulers[scheduler];

  if (strcmp (e->policy, "two-level") == 0)
    update_lists (e, s, t);
  if (!scheduler_can_issue (e, s, t))
    return NULL;
  if (e->choose != NULL)
    return choose_as_told (e, sm, scheduler, t);
  if (strcmp (e->policy, "rr") == 0)
    return choose_round (e, sm, scheduler, NULL, t);
  if (strcmp (e->policy, "gto") == 0)
    return choose_age (e, sm, scheduler, TRUE, FALSE, t);
  if (strcmp (e->policy, "gty") == 0)
    return choose_age (e, sm, scheduler, TRUE, TRUE, t);
  if (strcmp (e->policy, "oldest") == 0)
    return choose_age (e, sm, scheduler, FALSE, FALSE, t);
  if (strcmp (e->policy, "block") == 0)
    return choose_block (e, sm, scheduler, t);
  return choose_two_level (e, sm, scheduler, t);
}

/* --- Sections 6 and 7: ends, barriers, the order of things at one time --- */

/* When W terminates, UNKNOWN as long as something is missing. */
static gint64
end_of (const Warp *w)
{
  gint64 end = w->start;

  if (w->next < w->program->dynamic->len)
    return UNKNOWN;
  for (guint i = 0; i < w->program->dynamic->len; i++)
    end = MAX (end, complete (w, i));
  return end;
}

/* What W's end at T waits for: the last barrier that is complete then, else the first to issue of
 * those that are. */
static guint64
end_producer (const Warp *w, gint64 t)
{
  guint64 producer = WP_NO_PRODUCER;
  gboolean barrier = FALSE;

  for (guint i = 0; i < w->program->dynamic->len; i++)
    if (complete (w, i) == t
        && (holds (w, i) || producer == WP_NO_PRODUCER
            || (!barrier && w->done[i].row < w->done[producer].row)))
      {
        producer = i;
        barrier = holds (w, i);
      }
  return producer;
}

static void
terminate (Engine *e, guint sm_number, Warp *w, gint64 t)
{
  LiteralLifetime row = {
    sm_number, w->block->number,   w->warp, w->slot, w->scheduler, w->age, w->start, t, w->issued,
    { 0 },     end_producer (w, t)
  };

  w->stalls[WP_STALL_DRAIN] = t - (w->has_issued ? w->last_issue : w->start);
  memcpy (row.stalls, w->stalls, sizeof row.stalls);
  w->terminated = TRUE;
  g_array_append_val (e->run->lifetimes, row);
  e->run->elapsed = MAX (e->run->elapsed, t);
  e->run->warps++;
}

static gboolean
terminate_due (Engine *e, guint sm_number, gint64 t)
{
  Sm *sm = &e->sms[sm_number];
  gboolean any = FALSE;

  for (guint slot = 0; slot < sm->slots->len; slot++)
    {
      Warp *w = g_ptr_array_index (sm->slots, slot);
      gint64 end;

      if (w == NULL || w->terminated)
        continue;
      end = end_of (w);
      g_assert (end >= t); /* the clock misses nothing */
      if (end == t)
        {
          terminate (e, sm_number, w, t);
          any = TRUE;
        }
    }
  return any;
}

/* Those of W that are held by its instruction I are released at RELEASE; an arrive holds nobody. */
static void
release_one (Engine *e, Warp *w, guint i, gint64 release)
{
  Done *done = &w->done[i];

  if (!holds (w, i))
    return;
  done->release = release;
  g_array_index (e->run->issues, LiteralIssue, done->row).complete = release;
}

/* Section 14: the next N comings to NAME. */
static gboolean
release_group (Engine *e, Block *block, guint name, guint n, gint64 t)
{
  GArray *group = g_array_index (block->groups, GArray *, name);
  gint64 release;

  if (group->len < n)
    return FALSE;
  for (guint k = 0; k < n; k++)
    t = MAX (t, g_array_index (group, Coming, k).time);
  release = later (e, t, e->barrier_latency, "a release");
  for (guint k = 0; k < n; k++)
    {
      Coming *coming = &g_array_index (group, Coming, k);

      release_one (e, g_ptr_array_index (block->warps, coming->w), coming->i, release);
    }
  g_array_remove_range (group, 0, n);
  return TRUE;
}

/* Sections 6 and 14: the next coming of all warps to NAME. Reading: once no warp is left that has
 * not terminated, there is nobody to release. */
static gboolean
release_name (Engine *e, Block *block, guint name, gint64 t)
{
  guint *releases = &g_array_index (block->releases, guint, name), k = *releases;
  gboolean somebody = FALSE;
  gint64 release;

  for (guint i = 0; i < block->warps->len; i++)
    {
      const Warp *w = g_ptr_array_index (block->warps, i);

      if (w->terminated)
        continue;
      if (g_array_index (w->comings, guint, name) <= k)
        return FALSE;
      somebody = TRUE;
    }
  if (!somebody)
    return FALSE;
  release = later (e, t, e->barrier_latency, "a release");
  for (guint b = 0; b < block->warps->len; b++)
    {
      Warp *w = g_ptr_array_index (block->warps, b);

      for (guint i = 0; i < w->program->dynamic->len; i++)
        if (w->done[i].issued && written (w, i)->barrier && w->done[i].coming == k
            && name_index (e, written (w, i)->name) == name)
          release_one (e, w, i, release);
    }
  ++*releases;
  return TRUE;
}

static gboolean
release_due (Engine *e, Block *block, gint64 t)
{
  gboolean any = FALSE;

  if (!block->launched)
    return FALSE;
  for (guint name = 0; name < e->names->len; name++)
    {
      guint warps = g_array_index (e->names, Name, name).warps;

      any |= warps > 0 ? release_group (e, block, name, warps, t)
                       : release_name (e, block, name, t);
    }
  return any;
}

static gboolean
finish_due (Engine *e, Sm *sm, gint64 t)
{
  guint finished = 0;

  for (guint b = 0; b < sm->blocks->len;)
    {
      Block *block = g_ptr_array_index (sm->blocks, b);
      gboolean all = block->launched;

      for (guint i = 0; i < block->warps->len; i++)
        all = all && ((Warp *)g_ptr_array_index (block->warps, i))->terminated;
      if (!all)
        {
          b++;
          continue;
        }
      for (guint i = 0; i < block->warps->len; i++)
        g_ptr_array_index (sm->slots, ((Warp *)g_ptr_array_index (block->warps, i))->slot) = NULL;
      g_ptr_array_add (sm->finished, g_ptr_array_steal_index (sm->blocks, b));
      e->run->blocks++;
      finished++;
    }
  for (guint i = 0; i < finished && e->next_block < e->n_blocks; i++)
    hand_out (e, sm, later (e, t, e->launch_latency, "a launch"));
  return finished > 0;
}

static gboolean
launch_due (Engine *e, Sm *sm, gint64 t)
{
  gboolean any = FALSE;

  for (guint b = 0; b < sm->blocks->len; b++)
    {
      Block *block = g_ptr_array_index (sm->blocks, b);

      if (block->launched || block->launch != t)
        continue;
      for (guint w = 0; w < e->warps_per_block; w++)
        launch_warp (e, sm, block, w);
      block->launched = TRUE;
      any = TRUE;
    }
  return any;
}

/* Steps 1 and 2, until nothing is due. */
static void
settle (Engine *e, guint sm_number, gint64 t)
{
  Sm *sm = &e->sms[sm_number];
  gboolean any = TRUE;

  while (any && !e->run->overflow)
    {
      any = terminate_due (e, sm_number, t);
      for (guint b = 0; b < sm->blocks->len; b++)
        any |= release_due (e, g_ptr_array_index (sm->blocks, b), t);
      any |= finish_due (e, sm, t);
      any |= launch_due (e, sm, t);
    }
}

static void
note_occupancy (Sm *sm, guint sm_number, gint64 t)
{
  LiteralOccupancy row = { sm_number, t, 0, 0 }, last = { 0 };

  for (guint b = 0; b < sm->blocks->len; b++)
    {
      const Block *block = g_ptr_array_index (sm->blocks, b);

      row.blocks += block->launched;
      for (guint i = 0; i < block->warps->len; i++)
        row.warps += !((const Warp *)g_ptr_array_index (block->warps, i))->terminated;
    }
  if (sm->occupancy->len > 0)
    last = g_array_index (sm->occupancy, LiteralOccupancy, sm->occupancy->len - 1);
  if (row.blocks != last.blocks || row.warps != last.warps)
    g_array_append_val (sm->occupancy, row);
}

static void
step (Engine *e, guint sm_number, gint64 t)
{
  Sm *sm = &e->sms[sm_number];
  guint n = (guint)e->gpu->schedulers, idle = 0;
  guint scheduler = sm->has_issued ? (sm->last_scheduler + 1) % n : 0;

  settle (e, sm_number, t);
  while (idle < n && !e->run->overflow)
    {
      Warp *w = visit (e, sm, scheduler, t);

      idle++;
      if (w != NULL)
        {
          issue (e, sm_number, w, (guint)offer (e, sm, w, t), t);
          settle (e, sm_number, t);
          idle = 0;
        }
      scheduler = (scheduler + 1) % n;
    }
  note_occupancy (sm, sm_number, t);
}

/* Moves the clock to the next time that was computed; false when there is none. */
static gboolean
tick (Engine *e)
{
  gint64 next = UNKNOWN;

  for (guint i = 0; i < e->times->len;)
    {
      gint64 t = g_array_index (e->times, gint64, i);

      if (t <= e->now)
        {
          g_array_remove_index_fast (e->times, i);
          continue;
        }
      next = MIN (next, t);
      i++;
    }
  e->now = next;
  return next != UNKNOWN;
}

static void
simulate (Engine *e)
{
  LiteralRun *run = e->run;

  hand_out_first (e);
  do
    for (guint s = 0; s < e->n_sms && !run->overflow; s++)
      step (e, s, e->now);
  while (!run->overflow && run->blocks < e->n_blocks && tick (e));
  run->stuck = !run->overflow && run->blocks < e->n_blocks;
}

/* --- Beginning and end --- */

static void
new_sm (const Engine *e, Sm *sm)
{
  guint n = (guint)e->gpu->schedulers;

  sm->blocks = g_ptr_array_new ();
  sm->finished = g_ptr_array_new ();
  sm->slots = g_ptr_array_new ();
  sm->occupancy = g_array_new (FALSE, FALSE, sizeof (LiteralOccupancy));
  sm->schedulers = g_new0 (Scheduler, n);
  for (guint i = 0; i < n; i++)
    {
      sm->schedulers[i].active = g_ptr_array_new ();
      sm->schedulers[i].pending = g_ptr_array_new ();
    }
  sm->instances = g_new0 (Instance *, e->gpu->pipelines->len);
  for (guint p = 0; p < e->gpu->pipelines->len; p++)
    {
      const WpGpuPipeline *pipeline = g_ptr_array_index (e->gpu->pipelines, p);

      sm->instances[p] = g_new0 (Instance, n);
      for (guint i = 0; i < n; i++)
        {
          sm->instances[p][i].starts = g_array_new (FALSE, FALSE, sizeof (gint64));
          sm->instances[p][i].ends = g_array_new (FALSE, FALSE, sizeof (gint64));
          sm->instances[p][i].channels = g_array_new (FALSE, TRUE, sizeof (gint64));
          g_array_set_size (sm->instances[p][i].channels, pipeline->channels);
        }
    }
}

static void
free_sm (const Engine *e, Sm *sm)
{
  for (guint i = 0; i < sm->blocks->len; i++)
    free_block (g_ptr_array_index (sm->blocks, i));
  for (guint i = 0; i < sm->finished->len; i++)
    free_block (g_ptr_array_index (sm->finished, i));
  g_ptr_array_unref (sm->blocks);
  g_ptr_array_unref (sm->finished);
  g_ptr_array_unref (sm->slots);
  g_array_unref (sm->occupancy);
  for (gint64 i = 0; i < e->gpu->schedulers; i++)
    {
      g_ptr_array_unref (sm->schedulers[i].active);
      g_ptr_array_unref (sm->schedulers[i].pending);
    }
  g_free (sm->schedulers);
  for (guint p = 0; p < e->gpu->pipelines->len; p++)
    {
      for (gint64 i = 0; i < e->gpu->schedulers; i++)
        {
          g_array_unref (sm->instances[p][i].starts);
          g_array_unref (sm->instances[p][i].ends);
          g_array_unref (sm->instances[p][i].channels);
        }
      g_free (sm->instances[p]);
    }
  g_free (sm->instances);
}

static void
free_ways (Written *w)
{
  for (guint i = 0; w->mix != NULL && i < w->mix->len; i++)
    {
      g_array_unref (g_array_index (w->mix, Written, i).path);
      g_array_unref (g_array_index (w->mix, Written, i).reach);
    }
  g_clear_pointer (&w->mix, g_array_unref);
}

static void
free_program (Program *program)
{
  for (guint i = 0; program->written != NULL && i < program->written->len; i++)
    {
      Written *w = &g_array_index (program->written, Written, i);
      g_array_unref (w->deps);
      g_array_unref (w->reach);
      free_ways (w);
      if (w->path != NULL)
        g_array_unref (w->path);
    }
  for (guint i = 0; program->dynamic != NULL && i < program->dynamic->len; i++)
    g_array_unref (g_array_index (program->dynamic, Dynamic, i).deps);
  g_clear_pointer (&program->written, g_array_unref);
  g_clear_pointer (&program->dynamic, g_array_unref);
}

/* Everything that can be refused before time 0. */
static gboolean
prepare (Engine *e)
{
  const WpRunOptions *o = e->options;

  e->dataflow = (o->has_order ? o->order : e->gpu->order) == WP_ORDER_DATAFLOW;
  if (e->dataflow && strcmp (e->policy, "two-level") == 0)
    return refuse (e, "two-level in dataflow order");
  for (guint p = 0; p < e->kernel->programs->len; p++)
    {
      const IdgProgram *program = source (e, p);
      if (!read_program (e, p))
        return FALSE;
      /* Reading: whether or not a warp runs it. */
      if (e->dataflow && count_dynamic (program, 0, program->n_nodes) > (1 << 20))
        return refuse (e, "too long for dataflow order");
    }
  if (!find_launch (e) || !find_occupancy (e) || !check_coverage (e) || !find_tick (e))
    return FALSE;
  convert (e);
  return TRUE;
}

static gint
compare_lifetimes (gconstpointer a, gconstpointer b)
{
  const LiteralLifetime *x = a, *y = b;

  if (x->end != y->end)
    return x->end < y->end ? -1 : 1;
  if (x->sm != y->sm)
    return x->sm < y->sm ? -1 : 1;
  if (x->slot != y->slot)
    return x->slot < y->slot ? -1 : 1;
  return x->age < y->age ? -1 : x->age > y->age;
}

static void
collect (Engine *e)
{
  g_array_sort (e->run->lifetimes, compare_lifetimes);
  e->run->drained = MAX (e->run->drained, e->run->elapsed);
  for (guint s = 0; s < e->n_sms; s++)
    g_array_append_vals (e->run->occupancy, e->sms[s].occupancy->data, e->sms[s].occupancy->len);
}

static LiteralRun *
run_engine (const Engine *prepared)
{
  LiteralRun *run = g_new0 (LiteralRun, 1);
  const IdgKernel *kernel = prepared->kernel;
  const WpGpu *gpu = prepared->gpu;
  Engine e = *prepared;

  e.run = run;
  run->lifetimes = g_array_new (FALSE, FALSE, sizeof (LiteralLifetime));
  run->issues = g_array_new (FALSE, FALSE, sizeof (LiteralIssue));
  run->begins = g_array_new (FALSE, FALSE, sizeof (gint64));
  run->occupancy = g_array_new (FALSE, FALSE, sizeof (LiteralOccupancy));
  run->counts = g_array_new (FALSE, TRUE, sizeof (guint64));
  run->lines = g_array_new (FALSE, FALSE, sizeof (gint));
  run->waits = g_array_new (FALSE, TRUE, sizeof (Wide));
  g_array_set_size (run->waits, gpu->pipelines->len);
  e.names = g_array_new (FALSE, FALSE, sizeof (Name));
  e.times = g_array_new (FALSE, FALSE, sizeof (gint64));
  e.programs = g_new0 (Program, kernel->programs->len);
  if (prepare (&e))
    {
      e.sms = g_new0 (Sm, e.n_sms);
      for (guint s = 0; s < e.n_sms; s++)
        new_sm (&e, &e.sms[s]);
      simulate (&e);
      collect (&e);
      for (guint s = 0; s < e.n_sms; s++)
        free_sm (&e, &e.sms[s]);
      g_free (e.sms);
    }
  for (guint p = 0; p < kernel->programs->len; p++)
    free_program (&e.programs[p]);
  g_free (e.programs);
  g_array_unref (e.names);
  g_array_unref (e.times);
  return run;
}

LiteralRun *
literal_run (const IdgKernel *kernel, const WpGpu *gpu, const WpRunOptions *options,
             const char *policy)
{
  const Engine e = { .kernel = kernel, .gpu = gpu, .options = options, .policy = policy };

  return run_engine (&e);
}

LiteralRun *
literal_run_chosen (const IdgKernel *kernel, const WpGpu *gpu, const WpRunOptions *options,
                    LiteralChoose choose, gpointer data)
{
  const Engine e = { .kernel = kernel,
                     .gpu = gpu,
                     .options = options,
                     .policy = "told",
                     .choose = choose,
                     .chooser = data };

  return run_engine (&e);
}

void
literal_run_free (LiteralRun *run)
{
  g_free (run->why);
  g_array_unref (run->lifetimes);
  g_array_unref (run->issues);
  g_array_unref (run->begins);
  g_array_unref (run->occupancy);
  g_array_unref (run->counts);
  g_array_unref (run->lines);
  g_array_unref (run->waits);
  g_free (run);
}
