/* SPDX-License-Identifier: MIT */
/* Shape first: how many warps a block has and how long a warp's program may become are chosen
 * before anything is written, so that a case stays small whatever random numbers the rest gets.
 * Every number is an ASCII rational, so that floating point cannot make two machines differ. */
#include "tests/random-case.h"

#define MAX_PIPELINES 4
#define MAX_OPS 6
#define MAX_CONTEXTS 3
#define MAX_NAMES 3

/* What makes a long case long. */
typedef enum
{
  LENGTH_NONE,    /* it is a short one */
  LENGTH_BLOCKS,  /* many blocks of a short program */
  LENGTH_REPEATS, /* long repeats in a few blocks, mostly all resident at once */
  LENGTH_BOTH,    /* repeats in some more blocks than are resident at once */
} Length;

typedef struct
{
  gint64 num, den;
  gboolean decimal; /* written with a point, tenths */
} Time;

typedef struct
{
  const gchar *name;
  gint64 least; /* the smallest whole completion latency that it can have */
  guint stars;  /* of the first context, if that takes several numbers */
  guint n_contexts;
  const gchar *contexts[MAX_CONTEXTS]; /* without the star where it is a wildcard */
  gboolean wild[MAX_CONTEXTS];
} Op;

typedef struct
{
  guint64 state;
  GString *gpu, *kernel;
  WpRunOptions *options;
  gboolean fractions, huge, contended, odd;
  gint64 longest;      /* random latencies, in cycles: if small, many events coincide */
  gint64 long_latency; /* scale of completion latencies */
  guint n_pipelines, n_ops;
  Op ops[MAX_OPS];
  gint64 warp_size, warps_per_block, threads, blocks, registers, shared_memory, sms;
  gint64 dependent; /* percentage of instructions that depend on others */
  Length length;
  gint64 ticks;     /* that a cycle has at most, in a guess at which latencies are too large */
  gint64 issues;    /* of a long case: the most dynamic instructions of the launch, about */
  guint room;       /* dynamic instructions that a program may still get */
  guint dynamic;    /* of the longest program */
  gboolean distant; /* dependences have distances */
  gboolean sharing; /* SMs share pipelines */
  gboolean paths;   /* ops pass several pipelines, and pipelines limit what is in flight */
  gboolean mixes;   /* contexts of instructions are mixes */
  gboolean stalls;  /* instructions stall their warp */
  gboolean direct;  /* most pipelines are a scheduler's own and start at once, and nothing goes out
                     * along with another: when an instruction issues says when it completes */
  gboolean paired;  /* instructions mostly go out in pairs, and nothing is in their way */
  gboolean stepped; /* direct, with barriers, and all schedulers have a load/store unit together */
  guint memory;     /* the first pipeline that a path passes: all that, if it is stepped */
  guint n_names;    /* of barriers */
  gint64 name_warps[MAX_NAMES];
  gboolean met[MAX_NAMES]; /* has a <barrier> */
} Maker;

static const gchar *const op_names[]
    = { "add.f32",   "mul.f32",          "ld",  "ld.global", "ld.shared",
        "st.global", "rsqrt.approx.f32", "mov", "bra",       "add" };

/* xorshift64*, after Marsaglia 2003 and Vigna 2016: three shifts and a multiplication. */
static guint64
next (Maker *m)
{
  m->state ^= m->state >> 12;
  m->state ^= m->state << 25;
  m->state ^= m->state >> 27;
  return m->state * G_GUINT64_CONSTANT (2685821657736338717);
}

/* A whole number from LOW to HIGH, both included. */
static gint64
number (Maker *m, gint64 low, gint64 high)
{
  return low + (gint64)((next (m) >> 16) % (guint64)(high - low + 1));
}

static gboolean
chance (Maker *m, gint64 percent)
{
  return number (m, 1, 100) <= percent;
}

static const gchar *
one_of (Maker *m, const gchar *const *list, gint64 n)
{
  return list[number (m, 0, n - 1)];
}

/* --- Times --- */

static Time
draw_time (Maker *m, gint64 most)
{
  Time t = { 0, 1, FALSE };

  most = MIN (most, m->longest);
  if (m->huge && m->length != LENGTH_NONE && chance (m, 12))
    /* Overflows, if at all, after many blocks or rounds. */
    t.num = G_GINT64_CONSTANT (10000000000000000) * number (m, 1, 40) / m->ticks;
  else if (m->huge && chance (m, 12))
    t.num = chance (m, 50) ? G_GINT64_CONSTANT (999999999999999999)
                           : number (m, 1, G_GINT64_CONSTANT (900000000000000000));
  else if (chance (m, 15))
    t.num = 0;
  else if (!m->fractions || chance (m, 60))
    t.num = number (m, 1, most);
  else if (chance (m, 30))
    {
      t.num = number (m, 1, most * 10 + 5);
      t.den = 10;
      t.decimal = TRUE;
    }
  else
    {
      static const gint64 dens[] = { 2, 2, 3, 3, 4, 5, 6, 8 };
      t.den = dens[number (m, 0, G_N_ELEMENTS (dens) - 1)];
      t.num = number (m, 1, most * t.den);
    }
  return t;
}

static void
put_time (GString *out, const gchar *name, Time t)
{
  if (t.decimal)
    g_string_append_printf (out, " %s=\"%" G_GINT64_FORMAT ".%d\"", name, t.num / 10,
                            (gint)(t.num % 10));
  else if (t.den != 1)
    g_string_append_printf (out, " %s=\"%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT "\"", name, t.num,
                            t.den);
  else
    g_string_append_printf (out, " %s=\"%" G_GINT64_FORMAT "\"", name, t.num);
}

static void
put_draw (Maker *m, GString *out, const gchar *name, gint64 most)
{
  put_time (out, name, draw_time (m, most));
}

static void
put_number (GString *out, const gchar *name, gint64 value)
{
  g_string_append_printf (out, " %s=\"%" G_GINT64_FORMAT "\"", name, value);
}

/* --- The GPU --- */

static gint64
draw_lambda_most (Maker *m)
{
  return chance (m, 70) ? 3 : 12;
}

/* Of a stepped case: a load/store unit, and, where SMs share, what is behind it. */
static void
make_last_pipelines (Maker *m)
{
  static const gchar *const queues[] = { "0", "1", "2", "3", "4", "6", "unbounded" };

  g_string_append_printf (m->gpu, "  <pipeline name=\"p%u\" kind=\"memory\" queue=\"%s\"",
                          m->memory, one_of (m, queues, G_N_ELEMENTS (queues)));
  m->n_pipelines++;
  if (chance (m, 20))
    put_number (m->gpu, "inflight", number (m, 1, 6));
  g_string_append (m->gpu, "/>\n");
  if (m->sharing)
    g_string_append_printf (m->gpu,
                            "  <pipeline name=\"p%u\" kind=\"memory\" shared=\"%d\""
                            " queue=\"unbounded\"/>\n",
                            m->n_pipelines++, (gint)number (m, 2, 4));
}

static void
make_pipelines (Maker *m)
{
  static const gchar *const queues[] = { "0", "0", "1", "2", "3", "unbounded", "unbounded" };
  guint n = (guint)number (m, 1, MAX_PIPELINES - (m->stepped ? 2 : 0));

  for (m->n_pipelines = 0; m->n_pipelines < n; m->n_pipelines++)
    {
      gboolean shared;

      g_string_append_printf (m->gpu, "  <pipeline name=\"p%u\"", m->n_pipelines);
      if (m->direct && chance (m, 80))
        {
          g_string_append (m->gpu, " kind=\"compute\" scope=\"scheduler\" queue=\"0\"/>\n");
          continue;
        }
      if (chance (m, 70))
        g_string_append_printf (m->gpu, " kind=\"%s\"", chance (m, 50) ? "memory" : "compute");
      shared = m->sharing && chance (m, 60);
      if (!shared && chance (m, 70))
        g_string_append_printf (m->gpu, " scope=\"%s\"", chance (m, 50) ? "scheduler" : "sm");
      if (shared)
        {
          put_number (m->gpu, "shared", number (m, 2, 4));
          g_string_append (m->gpu, " queue=\"unbounded\"");
        }
      else if (chance (m, 75))
        g_string_append_printf (m->gpu, " queue=\"%s\"", one_of (m, queues, G_N_ELEMENTS (queues)));
      if (chance (m, 40))
        g_string_append_printf (m->gpu, " pairing=\"%s\"", chance (m, 70) ? "never" : "any");
      if (chance (m, m->contended ? 60 : 10))
        {
          put_number (m->gpu, "channels", number (m, 1, 4));
          if (chance (m, 85))
            put_draw (m, m->gpu, "channel-issue", 4);
        }
      if (m->paths && !shared && chance (m, 35))
        put_number (m->gpu, "inflight", number (m, 1, 6));
      if (m->paths && chance (m, 35))
        put_draw (m, m->gpu, "turnaround", 5);
      g_string_append (m->gpu, "/>\n");
    }
  if (m->stepped)
    {
      m->memory = m->n_pipelines;
      make_last_pipelines (m);
    }
}

/* A spread whose smallest add is at least -LEAST, except a few that are refused with contended
 * memory. */
static void
put_spread (Maker *m, const gchar *indent, gint64 least)
{
  gint64 at = 0, n = number (m, 1, 4);
  gint64 add = chance (m, 40) ? -number (m, 0, MIN (least, 20)) : number (m, 0, 4);
  gboolean halves = m->fractions && chance (m, 40);

  if (chance (m, 1))
    add = -least - 2;
  g_string_append_printf (m->gpu, "%s<spread at=\"0", indent);
  for (gint64 i = 1; i < n; i++)
    {
      at = number (m, at + 1, 100 - (n - i));
      g_string_append_printf (m->gpu, " %d", (gint)at);
    }
  g_string_append_printf (m->gpu, " 100\" add=\"%d", (gint)add);
  for (gint64 i = 0; i < n; i++)
    {
      add += chance (m, 20) ? 0 : number (m, 0, 12);
      g_string_append_printf (m->gpu, " %d%s", (gint)add, halves && add >= 0 ? ".5" : "");
    }
  g_string_append (m->gpu, "\"/>\n");
}

/* A path (MODEL.md, section 12), of a context with STARS numbers in its name, or of an op. EXACTLY:
 * how many pipelines; 0: any number. */
static void
put_path (Maker *m, const gchar *indent, guint stars, gint64 exactly)
{
  gint64 n = exactly > 0 ? exactly : chance (m, 20) ? 0 : number (m, 1, chance (m, 85) ? 3 : 6);

  if (n == 0)
    g_string_append_printf (m->gpu, "%s<then/>\n", indent);
  for (gint64 i = 0; i < n; i++)
    {
      gboolean each = stars == 1 || i + 1 < stars;

      g_string_append_printf (m->gpu, "%s<then pipeline=\"p%d\"", indent,
                              (gint)number (m, m->memory, m->n_pipelines - 1));
      put_draw (m, m->gpu, "issue", draw_lambda_most (m));
      if (chance (m, 40))
        put_number (m->gpu, "transactions", number (m, 0, 4));
      if (each && chance (m, 60))
        put_draw (m, m->gpu, "issue-each", 3);
      if (each && chance (m, 20))
        put_draw (m, m->gpu, "completion-each", 3);
      if (each && chance (m, 30))
        put_number (m->gpu, "transactions-each", number (m, 0, 2));
      g_string_append (m->gpu, "/>\n");
    }
}

/* Attributes that an op and a context have in common. */
static void
put_common (Maker *m, gint64 percent)
{
  if (chance (m, percent))
    put_number (m->gpu, "transactions", number (m, 0, 5));
  if (chance (m, percent / 2))
    put_number (m->gpu, "slots", number (m, 1, 3));
  if (chance (m, percent / 2))
    g_string_append_printf (m->gpu, " posted=\"%s\"", chance (m, 70) ? "yes" : "no");
  if (chance (m, 10))
    put_number (m->gpu, "flops", number (m, 0, 64));
  if (chance (m, 10))
    put_number (m->gpu, "bytes", number (m, 0, 512));
}

static Time
put_completion (Maker *m, Op *op)
{
  Time t = draw_time (m, m->long_latency);

  put_time (m->gpu, "completion", t);
  op->least = MIN (op->least, t.num / t.den);
  return t;
}

/* A context whose name takes several numbers. */
static void
make_several (Maker *m, Op *op)
{
  guint i = op->n_contexts++, stars = (guint)number (m, 2, 3), more = (guint)number (m, 0, 1);
  guint n = stars - 1 + more;

  op->contexts[i] = "access-";
  op->wild[i] = TRUE;
  op->stars = stars;
  g_string_append_printf (m->gpu, "    <context name=\"access%s\"", stars == 2 ? "-*-*" : "-*-*-*");
  if (chance (m, 50))
    put_draw (m, m->gpu, "issue-each", 3);
  if (chance (m, 20))
    put_draw (m, m->gpu, "issue-min", 6);
  if (chance (m, 70))
    {
      put_completion (m, op);
      if (chance (m, 70))
        {
          g_string_append_printf (m->gpu, " completion-short=\"%d", (gint)number (m, 20, 40));
          for (guint k = 1; k < n; k++)
            g_string_append_printf (m->gpu, " %d", (gint)number (m, 20, 60));
          g_string_append_c (m->gpu, '"');
        }
    }
  g_string_append (m->gpu, ">\n");
  put_path (m, "      ", stars, n);
  g_string_append (m->gpu, "    </context>\n");
}

static void
make_context (Maker *m, Op *op)
{
  static const gchar *const names[MAX_CONTEXTS] = { "random", "conflict-", "conflict-2" };
  guint i = op->n_contexts++;
  gboolean path = m->paths && chance (m, 40), spread;

  op->contexts[i] = names[i];
  op->wild[i] = i == 1;
  g_string_append_printf (m->gpu, "    <context name=\"%s%s\"", names[i], op->wild[i] ? "*" : "");
  if (chance (m, 50))
    put_draw (m, m->gpu, "issue", draw_lambda_most (m));
  if (chance (m, 50))
    put_completion (m, op);
  put_common (m, 25);
  if (op->wild[i] && chance (m, 60))
    put_draw (m, m->gpu, "issue-each", 2);
  if (op->wild[i] && chance (m, 40))
    put_draw (m, m->gpu, "completion-each", 3);
  if (op->wild[i] && chance (m, 40))
    put_number (m->gpu, "transactions-each", number (m, 0, 2));
  if (op->wild[i] && chance (m, 10))
    put_number (m->gpu, "bytes-each", number (m, 0, 64));
  spread = chance (m, m->contended ? 25 : 5);
  if (spread || path)
    {
      g_string_append (m->gpu, ">\n");
      if (spread)
        put_spread (m, "      ", op->least);
      if (path)
        put_path (m, "      ", op->wild[i], 0);
      g_string_append (m->gpu, "    </context>\n");
    }
  else
    g_string_append (m->gpu, "/>\n");
}

static void
make_consumers (Maker *m, Op *op)
{
  for (guint i = 0; i < m->n_ops; i++)
    if (chance (m, 30))
      {
        g_string_append_printf (m->gpu, "    <consumer op=\"%s\"", m->ops[i].name);
        put_completion (m, op);
        g_string_append (m->gpu, "/>\n");
      }
}

/* An op that copies another and replaces a little. */
static void
make_like (Maker *m, Op *op, const Op *other)
{
  const gchar *name = op->name;

  *op = *other;
  op->name = name;
  g_string_append_printf (m->gpu, "  <op name=\"%s\" like=\"%s\"", name, other->name);
  if (chance (m, 50))
    put_draw (m, m->gpu, "issue", draw_lambda_most (m));
  if (chance (m, 30))
    put_number (m->gpu, "slots", number (m, 1, 3));
  if (m->paths && chance (m, 30))
    {
      g_string_append (m->gpu, ">\n");
      put_path (m, "    ", 0, 0);
      g_string_append (m->gpu, "  </op>\n");
    }
  else
    g_string_append (m->gpu, "/>\n");
}

/* Of op I: of a stepped case arithmetic is first, and half of the others are accesses. */
static guint
draw_pipeline (Maker *m, guint i)
{
  if (m->stepped && i == 0)
    return 0;
  return m->stepped && chance (m, 50) ? m->memory : (guint)number (m, 0, m->n_pipelines - 1);
}

static void
make_op (Maker *m, guint i)
{
  guint pipeline;
  Op *op = &m->ops[i];

  if (i > 0 && chance (m, 10))
    {
      make_like (m, op, &m->ops[number (m, 0, i - 1)]);
      return;
    }
  op->least = G_MAXINT64;
  pipeline = draw_pipeline (m, i);
  g_string_append_printf (m->gpu, "  <op name=\"%s\" pipeline=\"p%u\"", op->name, pipeline);
  put_draw (m, m->gpu, "issue", draw_lambda_most (m));
  put_completion (m, op);
  put_common (m, m->contended ? 50 : 20);
  if (m->paths && chance (m, 40))
    g_string_append_printf (m->gpu, " write=\"%s\"", chance (m, 80) ? "yes" : "no");
  if (m->paths && chance (m, 20))
    put_draw (m, m->gpu, "issue-min", 6);
  g_string_append (m->gpu, ">\n");
  if (m->paths && pipeline >= m->memory && chance (m, 60))
    put_path (m, "    ", 0, 0);
  if (m->paths && chance (m, 25))
    make_several (m, op);
  if (chance (m, 35))
    make_consumers (m, op);
  while (op->n_contexts < MAX_CONTEXTS && chance (m, m->mixes ? 60 : 30))
    make_context (m, op);
  if (chance (m, m->contended ? 30 : 5))
    put_spread (m, "    ", op->least);
  g_string_append (m->gpu, "  </op>\n");
}

static void
make_ops (Maker *m)
{
  guint first = (guint)number (m, 0, G_N_ELEMENTS (op_names) - 1);

  m->n_ops = (guint)number (m, m->stepped ? 3 : 1, MAX_OPS);
  for (guint i = 0; i < m->n_ops; i++)
    m->ops[i].name = op_names[(first + 3 * i) % G_N_ELEMENTS (op_names)];
  for (guint i = 0; i < m->n_ops; i++)
    make_op (m, i);
}

static gint64
room_for (Maker *m, gint64 unit)
{
  if (chance (m, 1))
    return MAX (unit - 1, 1); /* not even one */
  return unit * number (m, 1, chance (m, 70) ? 4 : 12) + number (m, 0, unit - 1);
}

static gint64
round_up (gint64 value, gint64 unit)
{
  return (value + unit - 1) / unit * unit;
}

static void
make_register_limit (Maker *m)
{
  static const gint64 units[] = { 1, 1, 7, 64, 256 };
  gint64 unit = units[number (m, 0, G_N_ELEMENTS (units) - 1)];
  gint64 partitions = chance (m, 60) ? 1 : number (m, 1, 4);
  gint64 need = m->registers * m->warp_size;
  gboolean block = chance (m, 30);

  need = block ? round_up (need * m->warps_per_block, unit)
               : round_up (need, unit) * round_up (m->warps_per_block, partitions);
  put_number (m->gpu, "registers", room_for (m, MAX (need, 1)));
  if (unit > 1)
    put_number (m->gpu, "register-allocation", unit);
  if (block)
    g_string_append (m->gpu, " register-scope=\"block\"");
  if (partitions > 1)
    put_number (m->gpu, "register-partitions", partitions);
}

static void
make_shared_limit (Maker *m)
{
  gint64 reserved = chance (m, 50) ? 0 : number (m, 1, 100);
  gint64 unit = chance (m, 50) ? 1 : number (m, 2, 256);

  put_number (m->gpu, "shared-memory",
              room_for (m, MAX (round_up (m->shared_memory + reserved, unit), 1)));
  if (unit > 1)
    put_number (m->gpu, "shared-memory-allocation", unit);
  if (reserved > 0)
    put_number (m->gpu, "shared-memory-reserved", reserved);
}

static void
make_limits (Maker *m)
{
  g_string_append (m->gpu, "  <limits");
  if (chance (m, m->length == LENGTH_NONE ? 50 : 98))
    put_number (m->gpu, "blocks", number (m, 1, 6));
  if (chance (m, 40))
    put_number (m->gpu, "warps", room_for (m, m->warps_per_block));
  if (chance (m, 30))
    put_number (m->gpu, "threads", room_for (m, m->warps_per_block * m->warp_size));
  if (chance (m, 30))
    make_register_limit (m);
  if (chance (m, 30))
    make_shared_limit (m);
  if (chance (m, 15))
    put_number (m->gpu, "threads-per-block", m->threads + (chance (m, 5) ? -(m->threads > 1) : 5));
  if (chance (m, 15) && m->registers > 1)
    put_number (m->gpu, "registers-per-thread", m->registers - chance (m, 5));
  if (chance (m, 15) && m->shared_memory > 1)
    put_number (m->gpu, "shared-memory-per-block", m->shared_memory - chance (m, 5));
  g_string_append (m->gpu, "/>\n");
}

static void
make_scheduler (Maker *m)
{
  static const gchar *const intervals[] = { "0", "1", "1", "1", "1/2", "2", "3/2" };

  if (m->paired || chance (m, 60))
    {
      g_string_append (m->gpu, "  <launch");
      put_draw (m, m->gpu, "latency", 20);
      g_string_append (m->gpu, "/>\n");
    }
  if (chance (m, 60))
    {
      g_string_append (m->gpu, "  <barrier");
      put_draw (m, m->gpu, "latency", 20);
      g_string_append (m->gpu, "/>\n");
    }
  g_string_append (m->gpu, "  <scheduler");
  put_number (m->gpu, "count", number (m, 1, 4));
  if (m->direct)
    {
      g_string_append_printf (m->gpu, " interval=\"%s\" ilp-latency=\"%d\"/>\n",
                              chance (m, 80) ? "1" : "2", (gint)number (m, 0, 3));
      return;
    }
  if (m->paired)
    {
      g_string_append_printf (m->gpu, " interval=\"%s\" dual-issue=\"%d\" ilp-latency=\"%d\"/>\n",
                              one_of (m, intervals + 1, G_N_ELEMENTS (intervals) - 1),
                              chance (m, 90) ? 2 : 3, (gint)number (m, 0, 3));
      return;
    }
  if (m->huge && chance (m, 10))
    put_draw (m, m->gpu, "interval", 3);
  else
    g_string_append_printf (m->gpu, " interval=\"%s\"",
                            one_of (m, intervals, G_N_ELEMENTS (intervals)));
  if (chance (m, 40))
    put_number (m->gpu, "issue-limit", number (m, 1, 3));
  if (chance (m, 50))
    put_number (m->gpu, "dual-issue", number (m, 2, 3));
  if (chance (m, 50))
    put_draw (m, m->gpu, "ilp-latency", 3);
  if (chance (m, 30))
    g_string_append_printf (m->gpu, " order=\"%s\"", chance (m, 50) ? "dataflow" : "program");
  g_string_append (m->gpu, "/>\n");
}

static void
make_gpu (Maker *m)
{
  g_string_append_printf (m->gpu,
                          "<gpu name=\"random\">\n"
                          "  <device sms=\"%" G_GINT64_FORMAT "\" clock-mhz=\"1000\""
                          " warp-size=\"%" G_GINT64_FORMAT "\"/>\n",
                          m->sms, m->warp_size);
  make_limits (m);
  make_scheduler (m);
  make_pipelines (m);
  make_ops (m);
  m->odd = chance (m, 2);
  if (m->odd)
    /* Primes whose product is far above 2^31; refused if the kernel uses it. */
    g_string_append (m->gpu, "  <op name=\"odd\" pipeline=\"p0\" issue=\"1/65521\""
                             " completion=\"7/65519\"/>\n");
  g_string_append (m->gpu, "</gpu>\n");
}

/* --- The kernel --- */

static void
put_names (Maker *m, const gchar *attribute, guint n_ids, guint self)
{
  gint64 n = number (m, 1, 3);

  g_string_append_printf (m->kernel, " %s=\"", attribute);
  for (gint64 i = 0; i < n; i++)
    {
      gint64 id = number (m, 0, n_ids - 1);
      if (chance (m, 50) && self > 0) /* mostly one shortly before */
        id = number (m, MAX ((gint64)self - 3, 0), (gint64)self - 1);
      g_string_append_printf (m->kernel, "%si%d", i == 0 ? "" : " ", (gint)id);
      if (m->distant && chance (m, 40))
        g_string_append_printf (m->kernel, ":%d",
                                (gint)(chance (m, 90) ? number (m, 1, 4) : number (m, 5, 64)));
    }
  g_string_append (m->kernel, "\"");
}

static void
put_after (Maker *m, guint n_ids, guint self)
{
  put_names (m, "after", n_ids, self);
}

/* One of OP's contexts, by the name of its kind I. */
static void
put_context_name (Maker *m, GString *out, const Op *op, guint i)
{
  g_string_append (out, op->contexts[i]);
  if (op->wild[i])
    g_string_append_printf (out, "%d", (gint)number (m, 0, 5));
  for (guint k = 1; i == 0 && k < op->stars; k++)
    g_string_append_printf (out, "-%d", (gint)number (m, 0, 4));
}

/* A mix (MODEL.md, section 13) of some of OP's contexts, or of none and one: names may not occur
 * twice, which is left to chance, and gives up. */
static void
put_mix (Maker *m, const Op *op)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint parts = (guint)number (m, 1, chance (m, 80) ? 3 : 8);

  g_string_append (m->kernel, " context=\"");
  for (guint k = 0; k < parts; k++)
    {
      g_autoptr (GString) name = g_string_new (NULL);
      gint64 weight = chance (m, 90) ? number (m, 1, 5) : number (m, 1, 200000000);

      if (op->n_contexts == 0 || chance (m, 25))
        g_string_append_c (name, '-');
      else
        put_context_name (m, name, op, (guint)number (m, 0, op->n_contexts - 1));
      if (!g_hash_table_add (seen, g_strdup (name->str)))
        continue;
      g_string_append_printf (m->kernel, "%s%s*%d", k == 0 ? "" : " ", name->str, (gint)weight);
    }
  g_string_append_c (m->kernel, '"');
}

static void
put_context (Maker *m, const Op *op)
{
  if (m->mixes && op->n_contexts > 0 && chance (m, 50))
    {
      put_mix (m, op);
      return;
    }
  if (op->n_contexts == 0 || chance (m, 40))
    {
      if (chance (m, 99) || chance (m, 90))
        return;
      g_string_append (m->kernel, " context=\"unheard-of\"");
      return;
    }
  g_string_append (m->kernel, " context=\"");
  put_context_name (m, m->kernel, op, (guint)number (m, 0, op->n_contexts - 1));
  g_string_append (m->kernel, "\"");
}

static void
put_instruction (Maker *m, const gchar *indent, guint n_ids, guint id)
{
  static const gchar *const suffixes[] = { "", "", "", ".u32", ".v2.b8" };
  const Op *op = &m->ops[number (m, 0, m->n_ops - 1)];

  if (m->odd && chance (m, 10))
    {
      g_string_append_printf (m->kernel, "%s<i id=\"i%u\" op=\"%s\"/>\n", indent, id,
                              chance (m, 70) ? "odd" : "unheard-of.f32");
      return;
    }
  g_string_append_printf (m->kernel, "%s<i id=\"i%u\" op=\"%s%s\"", indent, id, op->name,
                          one_of (m, suffixes, G_N_ELEMENTS (suffixes)));
  put_context (m, op);
  if (chance (m, m->dependent))
    put_after (m, n_ids, id);
  /* Not drawn: all else of a case is as without. */
  if (m->stalls && (m->state >> 33) % 5 < 2)
    g_string_append_printf (m->kernel, " stall=\"%d\"", (gint)((m->state >> 40) % 13));
  g_string_append (m->kernel, "/>\n");
}

static void
put_barrier (Maker *m, const gchar *indent, guint n_ids, guint id)
{
  gboolean late = FALSE;

  if (m->n_names > 0 && chance (m, 70))
    {
      guint name = (guint)number (m, 0, m->n_names - 1);
      gboolean arrive = m->met[name] && chance (m, 50);

      /* A name's barrier comes before what arrives at it, so that there is one. */
      m->met[name] = TRUE;
      g_string_append_printf (m->kernel, "%s<%s name=\"b%u\"", indent,
                              arrive ? "arrive" : "barrier", name);
      if (!arrive && m->name_warps[name] > 0)
        put_number (m->kernel, "warps", m->name_warps[name]);
      /* Not drawn, as stalls are not. */
      late = arrive && m->name_warps[name] > 0 && (m->state >> 33) % 5 < 4;
    }
  else
    g_string_append_printf (m->kernel, "%s<barrier", indent);
  if (n_ids > 0 && chance (m, late ? 80 : 30))
    put_names (m, late ? "when" : "after", n_ids, id);
  g_string_append (m->kernel, "/>\n");
}

/* Rounds of a repeat. A long one uses up the room with a body of a few instructions. */
static guint
draw_count (Maker *m, guint times)
{
  guint most;

  if (m->length < LENGTH_REPEATS || times == 0 || chance (m, 30))
    return (guint)number (m, 0, 4);
  most = m->room / times / (guint)number (m, 1, 5);
  return (guint)number (m, MIN (most, 50), MIN (most, 100000));
}

/* Fills a body with nodes; each costs TIMES dynamic instructions of the room that is left. IDs
 * ID .. N_IDS-1 are still to be placed, all of them by the outermost body. */
static guint
make_body (Maker *m, guint depth, guint times, guint n_ids, guint id, gint64 barriers)
{
  g_autofree gchar *indent = g_strnfill (4 + 2 * depth, ' ');
  gint64 nodes = depth == 0 ? G_MAXINT64 : number (m, 0, 4);

  for (; nodes > 0; nodes--)
    {
      if (chance (m, barriers) && times <= m->room)
        {
          put_barrier (m, indent, n_ids, id);
          m->room -= times;
          if (chance (m, 20) && times <= m->room)
            {
              put_barrier (m, indent, n_ids, id);
              m->room -= times;
            }
        }
      if (depth < 3 && id < n_ids && chance (m, m->length < LENGTH_REPEATS ? 20 : 40))
        {
          guint count = draw_count (m, times);
          g_string_append_printf (m->kernel, "%s<repeat count=\"%u\">\n", indent, count);
          id = make_body (m, depth + 1, times * count, n_ids, id, barriers);
          g_string_append_printf (m->kernel, "%s</repeat>\n", indent);
        }
      else if (id < n_ids && times <= m->room)
        {
          put_instruction (m, indent, n_ids, id++);
          m->room -= times;
        }
      else
        break;
    }
  return id;
}

/* Dynamic instructions of a warp with long repeats. In dataflow order the literal engine looks at
 * all of them at every time. */
static guint
draw_whole (Maker *m)
{
  gint64 most = m->issues / (m->warps_per_block * m->blocks);

  if (m->options->order == WP_ORDER_DATAFLOW)
    most = MIN (most, 150 + m->issues / 100);
  return (guint)number (m, most / 2, most);
}

static void
make_program (Maker *m, const gchar *attributes)
{
  guint n_ids = (guint)(chance (m, m->length == LENGTH_NONE ? 8 : 4)
                            ? 0
                            : number (m, 1, chance (m, 60) ? 8 : 20));
  gint64 without = m->paired ? 60 : m->stepped ? 10 : m->n_names > 0 ? 20 : 50; /* barriers */
  gint64 barriers = chance (m, without) ? 0 : number (m, 2, 25);
  guint whole = n_ids + (guint)number (m, 0, chance (m, 70) ? 15 : 50);
  guint placed;

  if (m->length >= LENGTH_REPEATS)
    whole = draw_whole (m);
  m->room = whole;
  g_string_append_printf (m->kernel, "  <program%s>\n", attributes);
  if (m->length >= LENGTH_REPEATS && barriers > 0 && chance (m, 30))
    put_barrier (m, "    ", 0, 0); /* where it waits as others loop */
  placed = make_body (m, 0, 1, n_ids, 0, barriers);
  /* Ids that others name and for which no room was left are in a repeat that never runs. */
  if (placed < n_ids)
    {
      g_string_append (m->kernel, "    <repeat count=\"0\">\n");
      for (; placed < n_ids; placed++)
        put_instruction (m, "      ", n_ids, placed);
      g_string_append (m->kernel, "    </repeat>\n");
    }
  if (chance (m, barriers))
    put_barrier (m, "    ", n_ids, n_ids);
  g_string_append (m->kernel, "  </program>\n");
  m->dynamic = MAX (m->dynamic, whole - m->room + 1);
}

/* Splits the launch's warps, or its blocks, among programs. A few leave a warp out, or name one
 * twice. */
static void
make_programs (Maker *m)
{
  const gchar *what = chance (m, 70) ? "warps" : "blocks";
  gint64 last = g_str_equal (what, "warps") ? m->warps_per_block - 1
                : m->length == LENGTH_NONE  ? 29
                                            : number (m, 1, 150);
  gint64 cut = number (m, 0, last), end = chance (m, 50) ? last : last + 1000;
  gint64 programs = chance (m, 55) ? 1 : number (m, 2, 3);
  g_autofree gchar *first = NULL, *second = NULL, *third = NULL;

  if (programs == 1)
    {
      make_program (m, "");
      return;
    }
  if (m->length != LENGTH_NONE && g_str_equal (what, "blocks"))
    end = 9999999; /* however many there are */
  if (cut > 0)
    first = g_strdup_printf (" %s=\"0-%d\"", what, (gint)cut - 1);
  if (chance (m, 3))
    cut += cut == 0 || chance (m, 50) ? 1 : -1;
  if (programs == 2 && cut > 3 && m->length != LENGTH_NONE && chance (m, 50))
    {
      /* Taking turns. */
      g_free (first);
      first = g_strdup_printf (" %s=\"0-1 %d\"", what, (gint)cut);
      second = g_strdup_printf (" %s=\"2-%d %d-%d\"", what, (gint)cut - 1, (gint)cut + 1,
                                (gint)MAX (end, cut + 1));
    }
  else if (programs == 3)
    {
      second = g_strdup_printf (" %s=\"%d\"", what, (gint)cut);
      third = g_strdup_printf (" name=\"rest\" %s=\"%d-%d\"", what, (gint)cut + 1,
                               (gint)MAX (end, cut + 1));
    }
  else
    second = g_strdup_printf (" %s=\"%d-%d\"", what, (gint)cut, (gint)MAX (end, cut));
  if (first != NULL)
    make_program (m, first);
  make_program (m, second);
  if (third != NULL)
    make_program (m, third);
}

static gint64
simulated_sms (const Maker *m)
{
  return m->options->sms == 0 ? m->sms : m->options->sms;
}

/* As many blocks as their programs let there be. */
static gint64
draw_blocks (Maker *m)
{
  gint64 most;

  if (m->length == LENGTH_BLOCKS)
    {
      most = CLAMP (m->issues / (m->warps_per_block * m->dynamic), 1, m->issues / 50);
      return number (m, (most + 3) / 4, most);
    }
  most = number (m, 150, chance (m, 80) ? 900 : 3000) / (m->warps_per_block * m->dynamic);
  return number (m, 1, CLAMP (most, 1, 30));
}

/* Names of barriers (MODEL.md, section 14), and whether dependences have distances. A number of
 * warps that divides a block's mostly ends; others, often not. */
static void
make_names (Maker *m)
{
  m->distant = chance (m, m->paired ? 5 : 35);
  m->n_names = !m->paired && chance (m, m->stepped ? 15 : 50) ? (guint)number (m, 1, MAX_NAMES) : 0;
  for (guint i = 0; i < m->n_names; i++)
    if (chance (m, 30))
      m->name_warps[i] = chance (m, 50) ? 1 : (guint)number (m, 1, m->warps_per_block);
}

static void
make_kernel (Maker *m)
{
  g_autoptr (GString) programs = g_string_new (NULL);

  /* The programs first: how long they are says how many blocks there may be. */
  m->kernel = programs;
  if (m->length >= LENGTH_REPEATS)
    m->blocks = simulated_sms (m) * number (m, 1, m->length == LENGTH_REPEATS ? 3 : 12);
  make_names (m);
  make_programs (m);
  if (m->length < LENGTH_REPEATS)
    m->blocks = draw_blocks (m);
  if (m->length != LENGTH_NONE) /* those that run are these */
    m->blocks = m->blocks * m->sms / simulated_sms (m);
  if (chance (m, 10))
    m->options->blocks = m->blocks;
  m->kernel = g_string_new ("<kernel name=\"random\">\n");
  g_string_append_printf (m->kernel, "  <launch");
  put_number (m->kernel, "blocks", m->options->blocks < 0 ? m->blocks : number (m, 1, 9));
  put_number (m->kernel, "threads", m->options->threads < 0 ? m->threads : number (m, 1, 99));
  if (m->registers > 0 || m->options->registers >= 0)
    put_number (m->kernel, "registers",
                m->options->registers < 0 ? m->registers : number (m, 0, 99));
  if (m->shared_memory > 0)
    put_number (m->kernel, "shared-memory", m->shared_memory);
  g_string_append_printf (m->kernel, "/>\n%s</kernel>\n", programs->str);
}

static void
make_shape (Maker *m)
{
  WpRunOptions *o = m->options;

  m->warp_size = chance (m, 50) ? 32 : number (m, 1, 32);
  m->warps_per_block = number (m, 1, chance (m, 80) ? 5 : 12);
  m->warps_per_block = MIN (m->warps_per_block, 200 / m->warp_size);
  m->threads = (m->warps_per_block - 1) * m->warp_size + number (m, 1, m->warp_size);
  m->registers = chance (m, 50) ? 0 : number (m, 1, 40);
  m->shared_memory = chance (m, 50) ? 0 : number (m, 1, 3000);
  m->sms = number (m, 1, 6);
  o->sms = chance (m, 30) ? 0 : chance (m, 2) ? m->sms + 1 : number (m, 1, MIN (m->sms, 4));
  o->sms_said = !m->sharing || chance (m, 70);
  if (chance (m, 10))
    o->threads = m->threads;
  if (chance (m, 10))
    o->registers = m->registers;
  if (chance (m, 5))
    o->shared_memory = m->shared_memory;
  if (chance (m, 25))
    o->occupancy = room_for (m, m->warps_per_block);
  o->no_limits = chance (m, m->length == LENGTH_NONE ? 10 : 3);
}

static void
make_options (Maker *m, RandomCase *c)
{
  static const gchar *const policies[] = { "rr", "gto", "gty", "oldest", "block", "two-level" };
  WpRunOptions *o = m->options;

  c->policy = one_of (m, policies, G_N_ELEMENTS (policies));
  o->has_order = chance (m, 80);
  o->order = !m->paired && chance (m, m->stepped ? 5 : 40) ? WP_ORDER_DATAFLOW : WP_ORDER_PROGRAM;
  if (g_str_equal (c->policy, "two-level") && chance (m, 97))
    {
      o->has_order = TRUE;
      o->order = WP_ORDER_PROGRAM;
    }
  o->memory = m->contended ? WP_MEMORY_CONTENDED : WP_MEMORY_IDEAL;
  o->seed = chance (m, 30) ? 1 : next (m);
  o->active_set = (guint32)number (m, 1, 4);
}

static RandomCase *
start (Maker *m, guint64 seed)
{
  static const WpRunOptions init = WP_RUN_OPTIONS_INIT;
  RandomCase *c = g_new0 (RandomCase, 1);

  c->options = init;
  m->state = (seed + 1) * G_GUINT64_CONSTANT (0xD1342543DE82EF95);
  if (m->state == 0)
    m->state = 1;
  for (guint i = 0; i < 8; i++) /* so that close seeds diverge */
    next (m);
  m->options = &c->options;
  m->gpu = g_string_new (NULL);
  return c;
}

static RandomCase *
finish (Maker *m, RandomCase *c)
{
  make_gpu (m);
  make_kernel (m);
  c->gpu = g_string_free (m->gpu, FALSE);
  c->kernel = g_string_free (m->kernel, FALSE);
  return c;
}

/* What there is to be of SEED: not drawn, so that another kind changes no other case. Of twenty
 * seeds in a row one is stepped, and SMs share; another is stepped, and they do not. */
static void
choose_kind (Maker *m, guint64 seed)
{
  m->stepped = seed % 20 == 7 || seed % 20 == 18;
  m->sharing = seed % 5 == 1 || seed % 5 == 3;
  m->paths = seed % 5 == 0 || m->sharing;
  m->direct = seed % 10 == 4 || m->stepped;
  m->paired = seed % 10 == 9;
  m->contended &= !m->paired || seed % 20 == 9;
  m->stalls = seed % 7 == 2;
}

RandomCase *
random_case_new (guint64 seed)
{
  Maker m = { 0 };
  RandomCase *c = start (&m, seed);

  m.dependent = number (&m, 20, 90);
  m.fractions = chance (&m, 60);
  m.huge = chance (&m, 3);
  m.contended = chance (&m, 40);
  choose_kind (&m, seed);
  m.mixes = seed % 3 == 1 && !m.direct && !m.paired;
  m.longest = chance (&m, 30) ? number (&m, 1, 4) : 100;
  m.long_latency = chance (&m, 50) ? 8 : 40;
  make_shape (&m);
  make_options (&m, c);
  return finish (&m, c);
}

/* Contended memory uses other random numbers for each block, so that few such cases become
 * periodic; and fractions make periods long. */
RandomCase *
random_case_new_long (guint64 seed, gboolean whole_device, guint issues)
{
  static const Length lengths[] = { LENGTH_BLOCKS,  LENGTH_BLOCKS,  LENGTH_BLOCKS,
                                    LENGTH_REPEATS, LENGTH_REPEATS, LENGTH_BOTH };
  Maker m = { 0 };
  RandomCase *c = start (&m, seed);

  m.length = lengths[number (&m, 0, G_N_ELEMENTS (lengths) - 1)];
  m.issues = issues;
  m.dependent = number (&m, 20, 90);
  m.fractions = chance (&m, 30);
  m.huge = chance (&m, 6);
  m.contended = chance (&m, 5);
  choose_kind (&m, seed);
  m.mixes = seed % 16 == 5 && !m.direct && !m.paired;
  m.ticks = m.fractions ? 60 : 2;
  m.longest = chance (&m, 30) ? number (&m, 1, 4) : 100;
  m.long_latency = chance (&m, 50) ? 8 : 40;
  make_shape (&m);
  if (whole_device)
    {
      m.sms = number (&m, 2, 6);
      c->options.sms = 0;
    }
  else if (chance (&m, 60))
    c->options.sms = 1;
  make_options (&m, c);
  return finish (&m, c);
}

void
random_case_free (RandomCase *c)
{
  g_free (c->gpu);
  g_free (c->kernel);
  g_free (c);
}

static void
put_option (GString *out, const gchar *name, gint64 value, gint64 unset)
{
  if (value != unset)
    g_string_append_printf (out, " --%s %" G_GINT64_FORMAT, name, value);
}

gchar *
random_case_arguments (const RandomCase *c)
{
  GString *out = g_string_new (NULL);
  const WpRunOptions *o = &c->options;

  g_string_append_printf (out, "--policy %s", c->policy);
  if (o->sms == 0)
    g_string_append (out, " --sms all");
  else
    put_option (out, "sms", o->sms, o->sms_said ? 0 : 1);
  put_option (out, "occupancy", o->occupancy, 0);
  put_option (out, "blocks", o->blocks, -1);
  put_option (out, "threads", o->threads, -1);
  put_option (out, "registers", o->registers, -1);
  put_option (out, "shared-memory", o->shared_memory, -1);
  put_option (out, "active-set", o->active_set, 8);
  if (o->no_limits)
    g_string_append (out, " --no-limits");
  if (o->has_order)
    g_string_append_printf (out, " --order %s",
                            o->order == WP_ORDER_DATAFLOW ? "dataflow" : "program");
  if (o->memory == WP_MEMORY_CONTENDED)
    g_string_append (out, " --memory contended");
  g_string_append_printf (out, " --seed %" G_GUINT64_FORMAT, o->seed);
  return g_string_free (out, FALSE);
}
