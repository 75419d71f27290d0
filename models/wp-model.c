/* SPDX-License-Identifier: MIT */
/* The table of models, in the order of the thesis that compares most of them (Volkov 2016): its own
 * models, those of its chapter 4, those of its chapter 7. */
#include "models/wp-model-private.h"

#include <math.h>
#include <string.h>

static const WpModel models[] = {
  { "volkov", "Volkov", 2016, "the latency bound times occupancy, up to the throughput bound",
    "thesis, sections 3.5 and 4.1", FALSE, wp_model_estimate_volkov },
  { "volkov-contention", "Volkov", 2016, "the same, with memory latency that grows with throughput",
    "thesis, sections 6.4 and 6.5", FALSE, wp_model_estimate_volkov_contention },
  { "lemeire", "Lemeire", 2016, "an occupancy roofline for each pipeline; the slowest counts",
    "slides on the pipeline model; Lemeire et al. 2016", FALSE, wp_model_estimate_lemeire },
  { "roofline", "Williams et al.", 2009, "peak arithmetic or peak bandwidth, whichever is less",
    "Roofline, CACM 52(4)", FALSE, wp_model_estimate_roofline },
  { "guide", "NVIDIA", 2013, "warps whose arithmetic fills one memory latency",
    "CUDA C programming guide 5.5, 5.2.3; thesis, section 4.8", FALSE, wp_model_estimate_guide },
  { "guide-refined", "NVIDIA", 2013,
    "the same, with the stalled warp and its memory access counted",
    "as Volkov refines it; thesis, section 4.8", FALSE, wp_model_estimate_guide_refined },
  { "saavedra", "Saavedra-Barrera et al.", 1990, "switching threads at memory accesses only",
    "equation 4; thesis, section 4.9", FALSE, wp_model_estimate_saavedra },
  { "agarwal", "Agarwal", 1989,
    "the same, but switching back to the stalled thread hides latency, too",
    "section 2; thesis, section 4.9", FALSE, wp_model_estimate_agarwal },
  { "adding", "Volkov", 2016, "arithmetic and memory, each as if alone, one after the other",
    "thesis, section 4.12", FALSE, wp_model_estimate_adding },
  { "overlapping", "Volkov", 2016, "arithmetic and memory, each as if alone; the longer counts",
    "thesis, section 4.11", FALSE, wp_model_estimate_overlapping },
  { "kothapalli-max", "Kothapalli et al.", 2009,
    "cycles of one thread; computation and memory overlap", "equations 1 to 4, MAX", FALSE,
    wp_model_estimate_kothapalli_max },
  { "kothapalli-sum", "Kothapalli et al.", 2009,
    "cycles of one thread; computation and memory add up", "equations 1 to 4, SUM", FALSE,
    wp_model_estimate_kothapalli_sum },
  { "hong", "Hong and Kim", 2009, "warps in memory (MWP) against warps that compute (CWP)",
    "equations 6 to 9 and 22 to 24; thesis, section 7.1", FALSE, wp_model_estimate_hong },
  { "baghsorkhi", "Baghsorkhi et al.", 2010,
    "a warp's path through arithmetic, bandwidth and exposed latency",
    "equations 3 to 6; thesis, section 7.2", FALSE, wp_model_estimate_baghsorkhi },
  { "zhang", "Zhang and Owens", 2011,
    "measured throughputs of each kind of instruction; the longer time counts",
    "thesis, section 7.3", TRUE, wp_model_estimate_zhang },
  { "sim", "Sim et al.", 2012, "Hong and Kim's with arithmetic latency, ILP and MLP",
    "equations 1 to 17 and A.1 to A.5; thesis, section 7.4", FALSE, wp_model_estimate_sim },
  { "huang-rr", "Huang et al.", 2014, "a warp's intervals, interleaved by chance: round robin",
    "equations 3 and 7 to 11; thesis, section 7.5", FALSE, wp_model_estimate_huang_rr },
  { "huang-gto", "Huang et al.", 2014,
    "a warp's intervals, interleaved by chance: greedy then oldest",
    "equations 3, 7 and 12 to 16; thesis, section 7.6", FALSE, wp_model_estimate_huang_gto },
  { "huang-bandwidth", "Huang et al.", 2014, "huang-rr with a queue for the device's memory",
    "equations 3 and 17 to 23; thesis, sections 7.7 and 7.8", FALSE,
    wp_model_estimate_huang_bandwidth },
};

const WpModel *
wp_model_get (gsize i)
{
  return i < G_N_ELEMENTS (models) ? &models[i] : NULL;
}

const WpModel *
wp_model_find (const gchar *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (models); i++)
    if (strcmp (models[i].name, name) == 0)
      return &models[i];
  return NULL;
}

/* Tells whether a result can be printed: one with numbers that are NAN is no estimate. */
static gboolean
is_sound (const WpModelResult *result)
{
  if (isnan (result->throughput))
    return FALSE;
  for (guint i = 0; i < result->n_terms; i++)
    if (isnan (result->terms[i].value))
      return FALSE;
  return TRUE;
}

static const gchar *
estimate (const WpModel *model, const WpModelInput *input, gdouble warps, WpModelResult *result)
{
  const gchar *why;

  if (!(input->instructions > 0))
    return "a warp has no instructions";
  if (!(warps > 0))
    return "no warp is resident";
  why = model->estimate (input, warps, result);
  if (why == NULL && !is_sound (result))
    return "its equations have no solution";
  return why;
}

const gchar *
wp_model_estimate (const WpModel *model, const WpModelInput *input, gdouble warps,
                   WpModelResult *result)
{
  const WpModelResult none = { .throughput = NAN, .needed = NAN };
  const gchar *why;

  g_return_val_if_fail (model != NULL && input != NULL && result != NULL, "");
  *result = none;
  why = estimate (model, input, warps, result);
  if (why != NULL)
    *result = none;
  return why;
}
