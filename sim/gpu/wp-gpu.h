/* SPDX-License-Identifier: MIT */
/* A GPU as plain data: the content of a description file, with `like` resolved and defaults filled
 * in.
 *
 * wp_gpu_load() reads one (FORMATS.md, "GPU description"). Nothing here simulates: wp-resolve.h
 * joins a GPU and a kernel into what the engine runs. */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "sim/base/wp-time.h"
#include "sim/gpu/wp-types.h"
#include "sim/machine/wp-machine.h" /* WP_MAX_PIPELINES */

G_BEGIN_DECLS

/* Limits of a description. Larger values are refused when they are read. */
#define WP_MAX_SMS 65536
#define WP_MAX_SCHEDULERS 1024
#define WP_MAX_WARP_SIZE 1024
#define WP_MAX_QUEUE 65536
#define WP_MAX_CHANNELS 65536
#define WP_MAX_TRANSACTIONS 65536
#define WP_MAX_SLOTS (1 << 20)
#define WP_MAX_DUAL_ISSUE 64
#define WP_MAX_UNITS (1 << 20) /* the largest number at the end of a context's name */
#define WP_MAX_RESOURCE (G_GINT64_CONSTANT (1) << 40) /* limits, flops, bytes */
#define WP_MAX_PARTITIONS 65536
#define WP_MAX_LIKE 16 /* length of a chain of `like` */
#define WP_MAX_OPS 65536
#define WP_MAX_CONTEXTS 1024 /* of one op; the limit of consumers, too */
#define WP_MAX_DETAILS                                                                             \
  (1 << 18) /* contexts and consumers of all ops together, after `like` is resolved */

#define WP_MAX_WIDTH 1024 /* bytes a thread */
#define WP_MAX_STARS 4    /* numbers in a context's name */
#define WP_MAX_CACHES 2   /* levels */
#define WP_MAX_WAYS 65536
#define WP_MAX_LINE 65536

#define WP_QUEUE_UNBOUNDED G_MAXUINT32
#define WP_WIDTH_ANY G_MAXUINT32

typedef enum
{
  WP_KIND_COMPUTE,
  WP_KIND_MEMORY
} WpKind;
typedef enum
{
  WP_SCOPE_SM,
  WP_SCOPE_SCHEDULER
} WpScope;
typedef enum
{
  WP_ORDER_PROGRAM,
  WP_ORDER_DATAFLOW
} WpOrder;

/* Whose an issue time is. What a description takes from another GPU's with another number of SMs,
 * or another clock or pin bandwidth, is changed by that (FORMATS.md). */
typedef enum
{
  WP_SHARE_SM,     /* the SM's own */
  WP_SHARE_DEVICE, /* an SM's share of what the device does in a cycle, as L2 */
  WP_SHARE_PINS    /* an SM's share of the pin bandwidth */
} WpShare;
#define WP_N_SHARES 3

typedef struct
{
  gchar *name;
  WpKind kind;
  WpScope scope;
  guint32 queue;          /* how many accepted instructions may wait to start; WP_QUEUE_UNBOUNDED */
  gboolean pairing_never; /* two ops of this pipeline never issue together in one dual issue */
  guint32 channels;       /* 0: none */
  WpCycles channel_issue;
  guint channel_issue_from; /* as `from` below */
  WpShare share;            /* of its issue times */
  guint32 inflight;         /* 0: no limit */
  guint32 shared;           /* SMs that have one instance together */
  WpCycles turnaround;      /* from a read to a write, or back */
  guint turnaround_from;
} WpGpuPipeline;

/* A distribution of extra latency: percentiles AT (whole numbers, 0 .. 100, increasing) and the
 * cycles that each adds (not decreasing). */
typedef struct
{
  guint n;
  guint *at;
  WpCycles *add;
  guint from; /* which description of a chain of `like` gave it, the base's being 0; for reading */
} WpGpuSpread;

typedef struct
{
  gchar *op;           /* the name of an op of this GPU */
  WpCycles completion; /* the producer's completion latency for consumers that are looked up as that
                        * op */
  guint from;          /* as of a spread */
} WpGpuConsumer;

/* A pipeline of a path, as written (MODEL.md, section 12). */
typedef struct
{
  guint pipeline; /* index into WpGpu.pipelines */
  WpCycles issue;
  gboolean has_transactions; /* else the instruction's own */
  guint32 transactions;
  WpCycles issue_each, completion_each; /* of a context with a star */
  guint32 transactions_each;
  guint64 bytes, bytes_each; /* what passes it moves besides the instruction's own bytes */
  guint from;                /* as of a spread */
} WpGpuThen;

/* The same, in a known context. */
typedef struct
{
  guint pipeline;
  WpCycles issue;
  guint32 transactions;
} WpGpuPass;

/* The cost of an op in a known context. */
typedef struct
{
  WpCycles issue;            /* lambda */
  WpCycles completion;       /* Lambda, for all consumers that are not listed */
  guint64 flops, bytes;      /* per warp instruction; reports only */
  guint32 slots;             /* issue slots that it takes, >= 1 */
  guint32 transactions;      /* how often it uses a channel; for contended memory only */
  gboolean posted;           /* complete as soon as it issues */
  const WpGpuSpread *spread; /* borrowed from the GPU, or NULL */
  gboolean
      consumers; /* whether the op's consumers apply; they do not if the context sets a completion
                  */
  guint n_passes;
  WpGpuPass passes[WP_MAX_PASSES]; /* [n_passes]: its path */
} WpGpuCost;

/* A context as written; the flags say which values it sets. */
typedef struct
{
  gchar *name; /* including "-*" for a wildcard; with up to four of them */
  gboolean has_issue, has_completion, has_flops, has_bytes, has_slots, has_transactions, has_posted;
  gboolean has_issue_each, has_completion_each, has_transactions_each, has_bytes_each,
      has_flops_each;
  gboolean has_share;
  gboolean has_issue_min;
  WpCycles issue, completion, issue_each, completion_each, issue_min;
  guint64 flops, bytes, bytes_each, flops_each;
  guint32 slots, transactions, transactions_each;
  gboolean posted;
  WpShare share;
  guint32 width, width_min; /* as an op's; 0: the op's */
  WpGpuSpread *spread;      /* or NULL: the op's */
  GArray *path;             /* of WpGpuThen, or NULL: the op's */
  GArray *completion_short; /* of WpCycles: where the last of the path are left out; or NULL */
  guint from;               /* as of a spread */
} WpGpuContext;

typedef struct
{
  gchar *name;
  guint pipeline; /* index into WpGpu.pipelines */
  WpCycles issue, completion;
  WpCycles issue_min; /* the issue time in any context and of any width is at least this */
  guint64 flops, bytes;
  guint32 slots, transactions;
  gboolean posted;
  guint32 width;     /* bytes of a thread that the figures are for, so that those of others follow;
                      * WP_WIDTH_ANY: the same for all; 0: not said, nothing follows */
  guint32 width_min; /* fewer bytes than these cost as much as these */
  gboolean write;    /* for pipelines that turn around */
  WpGpuSpread *spread;                               /* or NULL */
  GArray *path;                                      /* of WpGpuThen, or NULL: none */
  GPtrArray *contexts;                               /* of WpGpuContext, in file order */
  GPtrArray *consumers;                              /* of WpGpuConsumer, in file order */
  guint issue_from, completion_from, issue_min_from; /* as `from` of a spread */
  gboolean has_share;
  WpShare share; /* else the pipeline's */
} WpGpuOp;

/* A cache. No time depends on it: how long an access takes is for its op and context to say. It is
 * for what finds out which accesses hit. */
typedef struct
{
  guint64 bytes;  /* level 1: an SM's, its shared memory included; level 2: the device's; 0: none */
  guint32 line;   /* bytes that have one tag */
  guint32 sector; /* bytes that are fetched at once, a part of a line */
  guint32 ways;   /* lines that compete for a place */
} WpGpuCache;

/* The instruction cache of an SM, the last one before L2. For what makes kernels of machine code:
 * what does not stay is fetched by instructions of the op WP_FETCH_OP, in a context "bytes-N". */
typedef struct
{
  guint64 bytes; /* 0: not said, all code stays */
  guint32 piece; /* bytes that are fetched at once */
} WpGpuCodeCache;

#define WP_FETCH_OP "fetch"

typedef struct
{
  gint64 warps, blocks, threads, registers, shared_memory; /* per SM; 0: no limit */
  gint64 threads_per_block, registers_per_thread,
      shared_memory_per_block; /* per block; 0: no limit */
  gint64 register_allocation;  /* unit in which registers are allocated */
  gboolean register_per_block; /* registers are allocated by block (cc 1.x), not by warp */
  gint64 register_partitions;
  gint64 shared_memory_allocation, shared_memory_reserved; /* bytes */
} WpGpuLimits;

struct WpGpu
{
  gchar *name; /* its own, else that of the description it inherits from, else its file's without
                * ".xml" */
  gchar *title, *generation, *year; /* or NULL */
  gchar *file;                      /* where it was read from, or NULL: used in messages */
  GPtrArray *sources;               /* of gchar: where the numbers come from */
  gint64 sms;
  WpCycles clock_mhz;
  gint64 warp_size;
  WpCycles pin_gbs;                 /* 0: not given */
  gchar *cc;                        /* compute capability, as "8.0"; or NULL: not given */
  WpGpuCache caches[WP_MAX_CACHES]; /* by level, from 1 on */
  WpGpuCodeCache code_cache;
  WpGpuLimits limits;
  gboolean has_contention;
  WpCycles contention_a, contention_b,
      contention_c; /* Volkov 2016, table 6.5: cycles, cycles, GB/s */
  WpCycles launch_latency, barrier_latency;
  gint64 schedulers; /* per SM */
  WpCycles interval;
  guint32 issue_limit, dual_issue;
  WpCycles ilp_latency;
  WpOrder order;
  GPtrArray *pipelines;    /* of WpGpuPipeline, in file order */
  GPtrArray *ops;          /* of WpGpuOp, in file order */
  GHashTable *ops_by_name; /* index of `ops`; if NULL, look-ups search `ops` linearly */
  GPtrArray *oddities;     /* what wp_gpu_find_oddities() has found, for who keeps it; or NULL */
};

/* Reads a GPU description. SEARCH (NULL, or NULL-terminated) lists directories in which to look for
 * NAME.xml when a description says like="NAME"; the directory of the file itself comes first.
 * Returns NULL with an error (of WP_ERROR) that reads "FILE:LINE: what is wrong; what would have
 * been right". Free with wp_gpu_free(). Cost: linear in the size of the files read. */
WP_API WpGpu *wp_gpu_load (const gchar *path, const gchar *const *search, GError **error);

/* As wp_gpu_load(), from LENGTH bytes of memory. Messages use NAME as the file's path. */
WP_API WpGpu *wp_gpu_parse (const gchar *data, gsize length, const gchar *name,
                            const gchar *const *search, GError **error);

/* As wp_gpu_load(), with figures of the description at PATH, a file that ends in ".xml", set to
 * others: SETTINGS (NULL-terminated) are "PATH=VALUE", where PATH is ATTRIBUTE of <device> or
 * <limits> ("sms"), PART.ATTRIBUTE ("scheduler.count"), or PART.NAME.ATTRIBUTE
 * ("pipeline.memory.scale", "op.ld.global.issue", "cache.2.bytes"). The result is what a file would
 * be that is like that one and gives these attributes, and is called by its name and them:
 * "gtx980{sms=8 op.sfu.issue=4}". */
WP_API WpGpu *wp_gpu_load_set (const gchar *path, const gchar *const *search,
                               const gchar *const *settings, GError **error);

/* Returns the op of exactly that NAME, borrowed, or NULL. O(length of NAME), or O(ops) if
 * `ops_by_name` is NULL. */
WP_API const WpGpuOp *wp_gpu_get_op (const WpGpu *gpu, const gchar *name);

/* Returns the op that a kernel's op NAME is looked up as, borrowed: NAME itself, else the same
 * instruction by its canonical name (idg-ops.h: setp.f64 for setp.lt.f64), else the one that
 * represents its conversion (cvt.f64.f32), else NAME or its canonical name without its last dotted
 * part, and so on, whichever keeps more; NULL if none of these exists. What the parts that are
 * dropped change is for wp-match.h to say. O(length of NAME), with a few allocations: callers with
 * many instructions should keep results. */
WP_API const WpGpuOp *wp_gpu_look_up_op (const WpGpu *gpu, const gchar *name);

/* Tells whether OP has CONTEXT, so that wp_gpu_op_cost() can succeed. */
WP_API gboolean wp_gpu_op_has_context (const WpGpuOp *op, const gchar *context);

/* Sets COST to the cost of OP in CONTEXT (NULL: none). An exact context name takes precedence over
 * a wildcard, one with fewer numbers over one with more; NAME-0 uses NAME-1 if only that is
 * defined. Returns false with ERROR, without file
 * and line, if OP has no such context (the message lists those it has) or if a value is out of
 * range. */
WP_API gboolean wp_gpu_op_cost (const WpGpuOp *op, const gchar *context, WpGpuCost *cost,
                                GError **error);

/* As wp_gpu_op_cost(), of an instruction that moves or computes BYTES a thread. Where OP, or the
 * context, says for how many bytes its figures are (`width`), issue, bytes and transactions are
 * those times BYTES / width, where fewer bytes than `width_min` take as long as these; bytes and
 * transactions are rounded up. Else, and with 0 BYTES, the figures are as they are. The issue time
 * of both is `issue_min` where it would be less. */
WP_API gboolean wp_gpu_op_cost_of (const WpGpuOp *op, const gchar *context, guint32 bytes,
                                   WpGpuCost *cost, GError **error);

/* Returns the names of the ops of GPU that are most similar to NAME, best first, as text for a
 * message ("a, b, c"). Free with g_free(). O(ops x length of the names squared). */
WP_API gchar *wp_gpu_suggest_ops (const WpGpu *gpu, const gchar *name);

G_END_DECLS
