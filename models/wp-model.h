/* SPDX-License-Identifier: MIT */
/* Other people's performance models: from a kernel's counts, a GPU's figures and an occupancy to warp throughput, with
 * pencil and paper's arithmetic.
 *
 * Each model is one file, wp-model-NAME.c, and its lines in the table of wp-model.c. Models see plain data only: what
 * wp_model_input_init() has counted, never the engine. They are estimates in floating point, faithful to the equations
 * that they name, mistakes of the originals included (negative times, too).
 */
#pragma once

#include "sim/wp-bounds.h"
#include "sim/wp-gpu.h"
#include "sim/wp-resolve.h"

G_BEGIN_DECLS

/* An op that the kernel uses, in one context. Times are cycles, counts are for each warp (means, where programs differ). */
typedef struct
{
  const gchar *name;    /* as the GPU knows it; borrowed */
  const gchar *context; /* or NULL */
  const WpGpuOp *op;    /* borrowed */
  gboolean memory;      /* on a pipeline of kind memory */
  gdouble count;
  gdouble
      issue; /* lambda / instances of its pipeline: cycles that one keeps an SM's pipelines busy */
  gdouble plain_issue;  /* the same without its context */
  gdouble completion;   /* Lambda; 0 of a posted one */
  gdouble slots;        /* issue slots */
  gdouble transactions; /* memory transactions of one warp instruction */
  gdouble flops, bytes; /* of one warp instruction */
  gboolean waited_for;  /* something depends on it */
} WpModelOp;

/* All that a model may know. "Arithmetic" is whatever is neither on a memory pipeline nor a barrier. */
typedef struct
{
  /* The GPU. */
  gdouble warp_size, sms, schedulers; /* of an SM */
  gdouble clock_ghz;
  gdouble issue_rate; /* peak issues a cycle and SM; infinite where nothing limits it */
  gdouble max_warps;  /* of an SM; 0: no limit */
  gdouble pin_gbs;    /* of the device; 0: not known */
  gboolean has_contention;
  gdouble contention_a, contention_b, contention_c; /* cycles, cycles, GB/s (Volkov, table 6.5) */
  gdouble
      peak_flops; /* a cycle and SM: the most that any of its ops reaches; 0: its ops count none */
  gdouble peak_bytes; /* a cycle and SM: the most that any of its memory ops sustains */

  /* The kernel, for each warp. */
  guint n_ops;
  WpModelOp *ops;
  gdouble instructions, arithmetic, memory,
      barriers;  /* dynamic instructions; the first is the sum of the others */
  gdouble loads; /* memory instructions that something waits for */
  gdouble flops, bytes, transactions;
  gdouble alu_latency; /* mean completion latency of arithmetic instructions; 0 without any */
  gdouble
      alu_cpi; /* cycles of an SM for each, its pipelines and issue slots counted (1 / alu_thru) */
  gdouble
      mem_latency; /* mean completion latency of loads (of all memory instructions, where nothing waits) */
  gdouble mem_cpi; /* 1 / mem_thru */
  gdouble
      instruction_time; /* cycles of an SM that issuing one takes at peak: its issue slots, or alu_cpi if more */
  gdouble latency; /* latency bound, launch latency included */
  gdouble launch_latency;
  gdouble throughput;     /* throughput bound, cycles for each warp */
  gdouble serial_latency; /* completion latencies of all instructions, one after another */
  gdouble
      ilp; /* serial latency / (latency bound - launch latency), at least 1: independent instructions */
  gdouble path_loads;       /* completion latencies of memory instructions on the critical path */
  gdouble path_load_cycles; /* and their sum */
  gdouble memory_waits;     /* how often a warp alone waits for a memory instruction's result */
  const WpInterval
      *intervals; /* [n_intervals], of the slowest warp; borrowed; 0 where they are not known */
  guint n_intervals;
  gdouble tick; /* cycles */

  /* Measured throughputs of the two kernels of one instruction each, instructions a cycle and SM, at 1 .. n_measured
   * warps ([0] is for one); NULL: not measured. For Zhang and Owens. Borrowed; the caller fills them in. */
  guint n_measured;
  const gdouble *measured_alu, *measured_mem;
} WpModelInput;

/* Counts what the models want of RESOLVED (a kernel on GPU) and BOUNDS (of its machine, done); all are borrowed. */
void wp_model_input_init (WpModelInput *input, const WpResolved *resolved, const WpGpu *gpu,
                          const WpBounds *bounds);
void wp_model_input_clear (WpModelInput *input);

/* The arithmetic and the memory op that a warp issues most, for the two kernels of one instruction; NULL: none. */
const WpModelOp *wp_model_input_get_main_op (const WpModelInput *input, gboolean memory);

/* An intermediate figure of a model, by the name that its author gave it: "MWP". */
typedef struct
{
  const gchar *name;
  gdouble value;
} WpModelTerm;

#define WP_MODEL_MAX_TERMS 12

typedef struct
{
  gdouble
      throughput; /* warps a cycle and SM; may be negative or infinite where the model says so */
  gdouble
      needed; /* warps an SM that hide all latency, where the model names such a number; else NAN */
  guint n_terms;
  WpModelTerm terms[WP_MODEL_MAX_TERMS];
} WpModelResult;

typedef struct
{
  const gchar *name;    /* "hong": first author, as the CSV column has it */
  const gchar *authors; /* "Hong and Kim" */
  guint year;
  const gchar *title;  /* a line on what it says */
  const gchar *source; /* equations of the paper; section of the thesis that evaluates it */
  gboolean wants_measured;
  /* Estimates INPUT's warp throughput at WARPS resident ones. NULL, or why the model does not apply (static). */
  const gchar *(*estimate) (const WpModelInput *input, gdouble warps, WpModelResult *result);
} WpModel;

/* The I-th model, or NULL past the last; the model called NAME, or NULL. */
const WpModel *wp_model_get (gsize i);
const WpModel *wp_model_find (const gchar *name);

/* Estimates; RESULT is cleared first. NULL, or why MODEL does not apply. */
const gchar *wp_model_estimate (const WpModel *model, const WpModelInput *input, gdouble warps,
                                WpModelResult *result);

G_END_DECLS
