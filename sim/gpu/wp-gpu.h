/* SPDX-License-Identifier: MIT */
/* A GPU as plain data: what a description file says, with `like` followed and defaults filled in.
 *
 * Made by wp_gpu_load() (FORMATS.md, "GPU description"). Nothing here simulates; wp-resolve.h joins
 * a GPU and a kernel into what the engine runs.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "sim/base/wp-macros.h"
#include "sim/base/wp-time.h"
#include "sim/machine/wp-machine.h" /* WP_MAX_PIPELINES */

G_BEGIN_DECLS

#define WP_ERROR (wp_error_quark ())
WP_API GQuark wp_error_quark (void);

typedef enum
{
  WP_ERROR_READ,   /* the file cannot be read at all */
  WP_ERROR_SYNTAX, /* not well-formed, or not of the right shape */
  WP_ERROR_VALUE,  /* well-shaped, but a value makes no sense */
  WP_ERROR_FIT,    /* a launch that this GPU cannot run */
  WP_ERROR_LIMIT,  /* a number beyond what a run can represent */
  WP_ERROR_MEMORY, /* out of memory */
} WpError;

/* Limits of a description. Larger values are refused when they are read. */
#define WP_MAX_SMS 65536
#define WP_MAX_SCHEDULERS 1024
#define WP_MAX_WARP_SIZE 1024
#define WP_MAX_QUEUE 65536
#define WP_MAX_CHANNELS 65536
#define WP_MAX_TRANSACTIONS 65536
#define WP_MAX_SLOTS (1 << 20)
#define WP_MAX_DUAL_ISSUE 64
#define WP_MAX_UNITS (1 << 20) /* the number at the end of a context's name */
#define WP_MAX_RESOURCE (G_GINT64_CONSTANT (1) << 40) /* limits, flops, bytes */
#define WP_MAX_PARTITIONS 65536
#define WP_MAX_LIKE 16 /* descriptions that start from one another */
#define WP_MAX_OPS 65536
#define WP_MAX_CONTEXTS 1024 /* of an op, and as many consumers */
#define WP_MAX_DETAILS                                                                             \
  (1 << 18) /* contexts and consumers of all ops together, once `like` is followed */

#define WP_QUEUE_UNBOUNDED G_MAXUINT32

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

typedef struct
{
  gchar *name;
  WpKind kind;
  WpScope scope;
  guint32 queue;          /* accepted instructions that may wait to start; WP_QUEUE_UNBOUNDED */
  gboolean pairing_never; /* never twice in one dual issue */
  guint32 channels;       /* 0: none */
  WpCycles channel_issue;
} WpGpuPipeline;

/* A distribution of extra latency: percentiles AT (whole, 0 .. 100, rising) and what each adds
 * (never falling). */
typedef struct
{
  guint n;
  guint *at;
  WpCycles *add;
} WpGpuSpread;

typedef struct
{
  gchar *op;           /* name of an op of this GPU */
  WpCycles completion; /* completion latency of the producer for a consumer that is looked up as
                          that op */
} WpGpuConsumer;

/* What an op costs, once its context is known. */
typedef struct
{
  WpCycles issue;            /* lambda */
  WpCycles completion;       /* Lambda, and for the consumers that are not listed */
  guint64 flops, bytes;      /* per warp instruction; reports only */
  guint32 slots;             /* issue slots that it fills, >= 1 */
  guint32 transactions;      /* visits to channels, contended memory only */
  gboolean posted;           /* complete when it issues */
  const WpGpuSpread *spread; /* borrowed from the GPU, or NULL */
  gboolean
      consumers; /* whether the op's consumers apply (not where the context gives a completion) */
} WpGpuCost;

/* A context as written: flags tell what it gives. */
typedef struct
{
  gchar *name; /* with its "-*" where it is a wildcard */
  gboolean has_issue, has_completion, has_flops, has_bytes, has_slots, has_transactions, has_posted;
  gboolean has_issue_each, has_completion_each, has_transactions_each, has_bytes_each;
  WpCycles issue, completion, issue_each, completion_each;
  guint64 flops, bytes, bytes_each;
  guint32 slots, transactions, transactions_each;
  gboolean posted;
  WpGpuSpread *spread; /* or NULL: the op's */
} WpGpuContext;

typedef struct
{
  gchar *name;
  guint pipeline; /* index into WpGpu.pipelines */
  WpCycles issue, completion;
  guint64 flops, bytes;
  guint32 slots, transactions;
  gboolean posted;
  WpGpuSpread *spread;  /* or NULL */
  GPtrArray *contexts;  /* of WpGpuContext, in file order */
  GPtrArray *consumers; /* of WpGpuConsumer, in file order */
} WpGpuOp;

typedef struct
{
  gint64 warps, blocks, threads, registers, shared_memory; /* per SM; 0 does not bind */
  gint64 threads_per_block, registers_per_thread,
      shared_memory_per_block; /* of one block; 0 does not bind */
  gint64 register_allocation;  /* registers are handed out in units of this */
  gboolean register_per_block; /* the unit is a block's (cc 1.x), not a warp's */
  gint64 register_partitions;
  gint64 shared_memory_allocation, shared_memory_reserved; /* bytes */
} WpGpuLimits;

typedef struct
{
  gchar *name; /* its own, else that of what it starts from, else its file's without ".xml" */
  gchar *title, *generation, *year; /* or NULL */
  gchar *file;                      /* where it was read from, or NULL: used in messages */
  GPtrArray *sources;               /* of gchar: where the figures come from */
  gint64 sms;
  WpCycles clock_mhz;
  gint64 warp_size;
  WpCycles pin_gbs; /* 0: not given */
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
  GHashTable *ops_by_name; /* the same, for look-ups; NULL: they go through `ops` one by one */
} WpGpu;

/* Reads a GPU description. SEARCH (NULL, or NULL-terminated) lists the directories in which a
 * description named by `like` is sought as NAME.xml, after the directory of the file itself. Errors
 * (of WP_ERROR) read "FILE:LINE: what is wrong; what would have been right". Cost: linear in the
 * size of the files read. */
WP_API WpGpu *wp_gpu_load (const gchar *path, const gchar *const *search, GError **error);

/* The same from memory; NAME stands in messages for the file's path. */
WP_API WpGpu *wp_gpu_parse (const gchar *data, gsize length, const gchar *name,
                            const gchar *const *search, GError **error);

WP_API void wp_gpu_free (WpGpu *gpu);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpGpu, wp_gpu_free)

/* The op of exactly that name, or NULL. Borrowed. O(length of NAME), or
 * O(ops) where `ops_by_name` is NULL. */
WP_API const WpGpuOp *wp_gpu_get_op (const WpGpu *gpu, const gchar *name);

/* The op that a kernel's NAME is looked up as: NAME itself, then with its last dotted part dropped,
 * and so on; NULL if none is found. Borrowed. One look-up, as above, for each part of NAME. */
WP_API const WpGpuOp *wp_gpu_look_up_op (const WpGpu *gpu, const gchar *name);

/* Whether wp_gpu_op_cost() knows CONTEXT of OP. */
WP_API gboolean wp_gpu_op_has_context (const WpGpuOp *op, const gchar *context);

/* What OP costs in CONTEXT (NULL: none): an exact context name goes before a wildcard, and NAME-0
 * stands for NAME-1 where only that is given. False with ERROR (no file or line; the caller knows
 * them) if the op has no such context (the message lists those it has), or a value does not fit. */
WP_API gboolean wp_gpu_op_cost (const WpGpuOp *op, const gchar *context, WpGpuCost *cost,
                                GError **error);

/* The nearest names to NAME among the ops of GPU, best first, as text for a message ("a, b, c").
 * Free with g_free(). O(ops x length of the names squared). */
WP_API gchar *wp_gpu_suggest_ops (const WpGpu *gpu, const gchar *name);

G_END_DECLS
