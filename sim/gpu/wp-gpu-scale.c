/* SPDX-License-Identifier: MIT */
/* Scales what a description takes from another: `scale` of an op or a pipeline, `units` of a
 * pipeline, and an SM's `share` of what the device has (FORMATS.md, "GPU description").
 *
 * Each time remembers the description that gave it (`from`, the base's first). A factor applies to
 * the times from earlier descriptions than the one that has it, once all `like` between ops is
 * resolved: so no time is scaled twice because one op is like another, and what a base gives to an
 * op that is like the scaled one is scaled, too. Only where an op is made by `like`, its `scale`
 * applies at once, to what it copies. */
#include <string.h>

#include "sim/gpu/wp-gpu-xml.h"

/* A share of the device's bandwidth is exact where its ratio has a denominator up to this, else it
 * is in hundredths of a cycle: a ratio of clocks would give a run thousands of ticks a cycle. */
#define MAX_RATIO_DENOMINATOR 100

/* What multiplies the times that one description gives to a pipeline. */
typedef struct
{
  WpCycles issue, latency;
  WpCycles shares[WP_N_SHARES];
  const IdgXmlNode *issue_node, *latency_node; /* who says so, for messages */
} Factors;

typedef struct
{
  WpGpu *gpu;
  const GPtrArray *roots;
  WpCycles shares[WP_MAX_LIKE][WP_N_SHARES]; /* by description: the last one's by its own */
  const IdgXmlNode *device;                  /* the last <device> */
  const IdgXmlNode *(*nodes)[WP_MAX_LIKE]; /* by pipeline, by description; NULL: it says nothing */
  const WpGpuScales *scales;               /* by op */
  GPtrArray *with_paths;                   /* the ops that pass pipelines behind their own */
} Scaler;

static gboolean
is_one (WpCycles factor)
{
  return factor.num == 1 && factor.den == 1;
}

static gboolean
fail_too_long (const IdgXmlNode *node, const gchar *op, WpCycles time, WpCycles factor,
               const gchar *source, GError **error)
{
  gchar a[WP_TIME_CHARS], b[WP_TIME_CHARS];
  g_autofree gchar *quoted = idg_xml_quote (op);

  return idg_xml_fail (node, IDG_XML_VALUE, error,
                       "%s times %s cycles of op %s is too large, or too precise for 2^31 ticks a "
                       "cycle; give %s with fewer digits",
                       wp_cycles_format (factor, a), wp_cycles_format (time, b), quoted, source);
}

/* TIME x FACTOR, which NODE asks for. */
static gboolean
multiply (WpCycles *time, WpCycles factor, const IdgXmlNode *node, const gchar *op, GError **error)
{
  WpCycles product;

  if (is_one (factor))
    return TRUE;
  if (!wp_cycles_multiply (*time, factor, &product) || product.den > WP_MAX_TICKS_PER_CYCLE)
    return fail_too_long (node, op, *time, factor, "a factor", error);
  *time = product;
  return TRUE;
}

static gboolean
multiply_share (WpCycles *time, WpCycles share, const IdgXmlNode *node, const gchar *op,
                GError **error)
{
  WpCycles product;

  if (is_one (share))
    return TRUE;
  if (!wp_cycles_multiply (*time, share, &product))
    return fail_too_long (node, op, *time, share, "sms, clock-mhz and pin-gbs", error);
  *time = share.den > MAX_RATIO_DENOMINATOR ? wp_cycles_round (product) : product;
  return TRUE;
}

static gboolean
multiply_spread (WpGpuSpread *spread, WpCycles factor, const IdgXmlNode *node, const gchar *op,
                 GError **error)
{
  for (guint i = 0; spread && i < spread->n; i++)
    if (!multiply (&spread->add[i], factor, node, op, error))
      return FALSE;
  return TRUE;
}

/* The latencies of CONTEXT that go with its path. */
static gboolean
multiply_short (WpGpuContext *context, WpCycles factor, const IdgXmlNode *node, const gchar *op,
                GError **error)
{
  for (guint i = 0; context->completion_short && i < context->completion_short->len; i++)
    if (!multiply (&g_array_index (context->completion_short, WpCycles, i), factor, node, op,
                   error))
      return FALSE;
  for (guint i = 0; context->path && i < context->path->len; i++)
    if (!multiply (&g_array_index (context->path, WpGpuThen, i).completion_each, factor, node, op,
                   error))
      return FALSE;
  return TRUE;
}

/* ---- An op that is made by like ---- */

static gboolean
has_latency (const WpGpuOp *op)
{
  gboolean found = op->completion.num > 0;

  for (guint i = 0; i < op->contexts->len && !found; i++)
    {
      const WpGpuContext *context = g_ptr_array_index (op->contexts, i);

      found = context->completion.num > 0 || context->completion_each.num > 0;
    }
  return found;
}

static gboolean
multiply_latencies (WpGpuOp *op, WpCycles factor, const IdgXmlNode *node, GError **error)
{
  if (!multiply (&op->completion, factor, node, op->name, error)
      || !multiply_spread (op->spread, factor, node, op->name, error))
    return FALSE;
  for (guint i = 0; i < op->contexts->len; i++)
    {
      WpGpuContext *context = g_ptr_array_index (op->contexts, i);

      if ((context->has_completion
           && !multiply (&context->completion, factor, node, op->name, error))
          || (context->has_completion_each
              && !multiply (&context->completion_each, factor, node, op->name, error))
          || !multiply_short (context, factor, node, op->name, error)
          || !multiply_spread (context->spread, factor, node, op->name, error))
        return FALSE;
    }
  for (guint i = 0; i < op->consumers->len; i++)
    {
      WpGpuConsumer *consumer = g_ptr_array_index (op->consumers, i);

      if (!multiply (&consumer->completion, factor, node, op->name, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
wp_gpu_check_scale (const WpGpuOp *op, const IdgXmlNode *node, gboolean inherited, GError **error)
{
  if (!idg_xml_get (node, "scale"))
    return TRUE;
  if (!inherited)
    return idg_xml_fail (
        node, IDG_XML_VALUE, error,
        "scale is for an op that is taken from like; this one is given here first");
  if (idg_xml_get (node, "completion"))
    return idg_xml_fail (node, IDG_XML_VALUE, error,
                         "scale and completion both say its latency; give one of them");
  if (!has_latency (op))
    return idg_xml_fail (node, IDG_XML_VALUE, error,
                         "scale changes nothing, as all its latencies are 0");
  return TRUE;
}

gboolean
wp_gpu_scale_copy (WpGpuOp *op, const IdgXmlNode *node, GError **error)
{
  WpCycles factor;

  if (wp_cycles_parse (idg_xml_get (node, "scale"), FALSE, &factor))
    return TRUE; /* not reached: the value has been checked */
  return multiply_latencies (op, factor, node, error);
}

/* ---- A context ---- */

gboolean
wp_gpu_check_context_scale (const WpGpuContext *context, const IdgXmlNode *node, GError **error)
{
  const IdgXmlAttribute *a = idg_xml_find_shape (wp_gpu_shapes, "context")->attributes;

  if (!context)
    return idg_xml_fail (node, IDG_XML_VALUE, error,
                         "scale is for a context that is taken from like; this one is given here "
                         "first");
  while (a->name
         && (strcmp (a->name, "name") == 0 || strcmp (a->name, "scale") == 0
             || !idg_xml_get (node, a->name)))
    a++;
  if (a->name || node->first_child)
    return idg_xml_fail (node, IDG_XML_VALUE, error,
                         "scale keeps what the context has, and %s replaces it; give one of them",
                         a->name ? a->name : "a spread");
  if (!context->has_completion && !context->has_completion_each && !context->spread)
    return idg_xml_fail (node, IDG_XML_VALUE, error,
                         "scale changes nothing, as the context has the latency of its op");
  return TRUE;
}

gboolean
wp_gpu_scale_context (WpGpuContext *context, const gchar *name, const IdgXmlNode *node,
                      GError **error)
{
  WpCycles factor;

  if (wp_cycles_parse (idg_xml_get (node, "scale"), FALSE, &factor))
    return TRUE; /* not reached: the value has been checked */
  return (!context->has_completion || multiply (&context->completion, factor, node, name, error))
         && (!context->has_completion_each
             || multiply (&context->completion_each, factor, node, name, error))
         && multiply_short (context, factor, node, name, error)
         && multiply_spread (context->spread, factor, node, name, error);
}

/* ---- All that is inherited ---- */

/* Sorts the <pipeline> elements by pipeline and description. */
static void
collect_nodes (Scaler *scaler)
{
  for (guint i = 0; i < scaler->roots->len; i++)
    for (const IdgXmlNode *node
         = ((const IdgXmlNode *)g_ptr_array_index (scaler->roots, i))->first_child;
         node; node = node->next)
      if (strcmp (node->name, "device") == 0)
        scaler->device = node;
      else if (strcmp (node->name, "pipeline") == 0)
        for (guint p = 0; p < scaler->gpu->pipelines->len; p++)
          {
            const WpGpuPipeline *pipeline = g_ptr_array_index (scaler->gpu->pipelines, p);

            if (strcmp (pipeline->name, idg_xml_get (node, "name")) == 0)
              scaler->nodes[p][i] = node;
          }
}

/* Stores in FACTS what each description holds for ATTRIBUTE of the device: what it says or takes
 * from the ones before it, else what the next one says; 1 where none says it. */
static void
get_facts (const Scaler *scaler, const gchar *attribute, WpCycles facts[WP_MAX_LIKE])
{
  WpCycles now = { 0, 1 };

  for (guint i = 0; i < scaler->roots->len; i++)
    {
      for (const IdgXmlNode *node
           = ((const IdgXmlNode *)g_ptr_array_index (scaler->roots, i))->first_child;
           node; node = node->next)
        if (strcmp (node->name, "device") == 0 && idg_xml_get (node, attribute))
          wp_cycles_parse (idg_xml_get (node, attribute), FALSE, &now);
      facts[i] = now;
    }
  for (guint i = scaler->roots->len; i-- > 0;)
    if (facts[i].num > 0)
      now = facts[i];
    else
      facts[i] = now.num > 0 ? now : wp_cycles_whole (1);
}

/* Multiplies by LAST / OWN, or the inverse. */
static gboolean
add_ratio (WpCycles *share, WpCycles last, WpCycles own, gboolean inverse)
{
  WpCycles ratio;

  return wp_cycles_multiply (last, wp_cycles_invert (own), &ratio)
         && wp_cycles_multiply (*share, inverse ? wp_cycles_invert (ratio) : ratio, share);
}

/* Fills `shares`: of the device sms' / sms, of the pins (sms' x clock' / pin') / (sms x clock /
 * pin). Returns the fact that has too many digits for that, or NULL. */
static const gchar *
find_shares (Scaler *scaler)
{
  static const gchar *const names[] = { "sms", "clock-mhz", "pin-gbs" };
  guint last = scaler->roots->len - 1;

  for (guint i = 0; i <= last; i++)
    for (guint share = 0; share < WP_N_SHARES; share++)
      scaler->shares[i][share] = wp_cycles_whole (1);
  for (guint n = 0; n < G_N_ELEMENTS (names); n++)
    {
      WpCycles facts[WP_MAX_LIKE];

      get_facts (scaler, names[n], facts);
      for (guint i = 0; i <= last; i++)
        {
          WpCycles *shares = scaler->shares[i];

          if (!add_ratio (&shares[WP_SHARE_PINS], facts[last], facts[i], n == 2)
              || (n == 0 && !add_ratio (&shares[WP_SHARE_DEVICE], facts[last], facts[i], FALSE)))
            return names[n];
        }
    }
  return NULL;
}

static gboolean
is_passed (const GArray *path, guint p, guint i)
{
  for (guint k = 0; path && k < path->len; k++)
    {
      const WpGpuThen *then = &g_array_index (path, WpGpuThen, k);

      if (then->pipeline == p && then->from < i && then->issue.num + then->issue_each.num > 0)
        return TRUE;
    }
  return FALSE;
}

/* Whether an op passes pipeline P behind its own, by what was given before description I. */
static gboolean
has_inherited_path (const Scaler *scaler, guint p, guint i)
{
  for (guint o = 0; o < scaler->with_paths->len; o++)
    {
      const WpGpuOp *op = g_ptr_array_index (scaler->with_paths, o);

      if (is_passed (op->path, p, i))
        return TRUE;
      for (guint c = 0; c < op->contexts->len; c++)
        if (is_passed (((const WpGpuContext *)g_ptr_array_index (op->contexts, c))->path, p, i))
          return TRUE;
    }
  return FALSE;
}

/* Whether any time of an op on pipeline P, given before description I, is for `scale` (LATENCY) or
 * for `units`. */
static gboolean
has_inherited (const Scaler *scaler, guint p, guint i, gboolean latency)
{
  if (!latency && has_inherited_path (scaler, p, i))
    return TRUE;
  for (guint o = 0; o < scaler->gpu->ops->len; o++)
    {
      const WpGpuOp *op = g_ptr_array_index (scaler->gpu->ops, o);
      gboolean found = latency ? op->completion_from < i && op->completion.num > 0
                               : (op->issue_from < i && op->issue.num > 0)
                                     || (op->issue_min_from < i && op->issue_min.num > 0);

      if (op->pipeline != p)
        continue;
      for (guint c = 0; c < op->contexts->len && !found; c++)
        {
          const WpGpuContext *context = g_ptr_array_index (op->contexts, c);

          found = context->from < i
                  && (latency ? context->completion.num > 0 || context->completion_each.num > 0
                              : context->issue.num > 0 || context->issue_each.num > 0
                                    || context->issue_min.num > 0);
        }
      if (found)
        return TRUE;
    }
  return FALSE;
}

/* Checks `scale` or `units` of pipeline P in description I. */
static gboolean
check_pipeline (const Scaler *scaler, guint p, guint i, const gchar *attribute, GError **error)
{
  const WpGpuPipeline *pipeline = g_ptr_array_index (scaler->gpu->pipelines, p);
  const IdgXmlNode *node = scaler->nodes[p][i];
  gboolean latency = strcmp (attribute, "scale") == 0;
  gboolean inherited = FALSE;

  for (guint k = 0; k < i; k++)
    inherited = inherited || scaler->nodes[p][k] != NULL;
  if (!inherited)
    return idg_xml_fail (node, IDG_XML_VALUE, error,
                         "%s is for a pipeline that is taken from like; this one is given here "
                         "first",
                         attribute);
  if (!latency && pipeline->share != WP_SHARE_SM)
    return idg_xml_fail (node, IDG_XML_VALUE, error,
                         "units cannot widen it, as its times are an SM's share of what the device "
                         "has; give another pin-gbs, or issue times");
  if (!has_inherited (scaler, p, i, latency))
    return idg_xml_fail (node, IDG_XML_VALUE, error,
                         "%s changes nothing, as no op of it has %s that is taken from like",
                         attribute, latency ? "a latency" : "an issue time");
  return TRUE;
}

/* Has FACTORS multiply the times of all descriptions before I by the ATTRIBUTE of NODE: latencies
 * by `scale`, issue times by 1 / `units`. */
static gboolean
add_factor (Factors *factors, guint i, const IdgXmlNode *node, const gchar *attribute,
            GError **error)
{
  const gchar *text = node ? idg_xml_get (node, attribute) : NULL;
  gboolean latency;
  WpCycles by;

  if (!text || wp_cycles_parse (text, FALSE, &by))
    return TRUE;
  latency = strcmp (attribute, "scale") == 0;
  if (!latency)
    by = wp_cycles_invert (by);
  for (guint k = 0; k < i; k++)
    {
      WpCycles *factor = latency ? &factors[k].latency : &factors[k].issue;

      *(latency ? &factors[k].latency_node : &factors[k].issue_node) = node;
      if (!wp_cycles_multiply (*factor, by, factor))
        return idg_xml_fail (node, IDG_XML_VALUE, error,
                             "%s has too many digits, with those that it is scaled by already",
                             attribute);
    }
  return TRUE;
}

/* Stores the FACTORS of pipeline P, by description. */
static gboolean
find_factors (const Scaler *scaler, guint p, Factors *factors, GError **error)
{
  WpCycles one = wp_cycles_whole (1);

  for (guint i = 0; i < scaler->roots->len; i++)
    {
      factors[i] = (Factors){ .issue = one, .latency = one };
      memcpy (factors[i].shares, scaler->shares[i], sizeof factors[i].shares);
    }
  for (guint i = 0; i < scaler->roots->len; i++)
    {
      const IdgXmlNode *node = scaler->nodes[p][i];

      if ((node && idg_xml_get (node, "scale") && !check_pipeline (scaler, p, i, "scale", error))
          || (node && idg_xml_get (node, "units") && !check_pipeline (scaler, p, i, "units", error))
          || !add_factor (factors, i, node, "scale", error)
          || !add_factor (factors, i, node, "units", error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
scale_issue (const Scaler *scaler, WpCycles *time, const Factors *by, WpShare share,
             const gchar *op, GError **error)
{
  return multiply (time, by->issue, by->issue_node, op, error)
         && multiply_share (time, by->shares[share], scaler->device, op, error);
}

static gboolean
scale_context (const Scaler *scaler, WpGpuContext *context, const Factors *by, WpShare share,
               const gchar *op, GError **error)
{
  const IdgXmlNode *node = by->latency_node;

  if (context->has_share)
    share = context->share;
  return (!context->has_issue || scale_issue (scaler, &context->issue, by, share, op, error))
         && (!context->has_issue_each
             || scale_issue (scaler, &context->issue_each, by, share, op, error))
         && (!context->has_issue_min
             || scale_issue (scaler, &context->issue_min, by, share, op, error))
         && (!context->has_completion
             || multiply (&context->completion, by->latency, node, op, error))
         && (!context->has_completion_each
             || multiply (&context->completion_each, by->latency, node, op, error))
         && multiply_short (context, by->latency, node, op, error)
         && multiply_spread (context->spread, by->latency, node, op, error);
}

/* Scales OP, whose issue times are of SHARE, by FACTORS, by description. */
static gboolean
scale_op (const Scaler *scaler, WpGpuOp *op, WpShare share, const Factors *factors, GError **error)
{
  const Factors *latency = &factors[op->completion_from];

  if (!scale_issue (scaler, &op->issue, &factors[op->issue_from], share, op->name, error)
      || !scale_issue (scaler, &op->issue_min, &factors[op->issue_min_from], share, op->name, error)
      || !multiply (&op->completion, latency->latency, latency->latency_node, op->name, error))
    return FALSE;
  if (op->spread)
    {
      latency = &factors[op->spread->from];
      if (!multiply_spread (op->spread, latency->latency, latency->latency_node, op->name, error))
        return FALSE;
    }
  for (guint i = 0; i < op->contexts->len; i++)
    {
      WpGpuContext *context = g_ptr_array_index (op->contexts, i);

      if (!scale_context (scaler, context, &factors[context->from], share, op->name, error))
        return FALSE;
    }
  for (guint i = 0; i < op->consumers->len; i++)
    {
      WpGpuConsumer *consumer = g_ptr_array_index (op->consumers, i);

      latency = &factors[consumer->from];
      if (!multiply (&consumer->completion, latency->latency, latency->latency_node, op->name,
                     error))
        return FALSE;
    }
  return TRUE;
}

/* An error where a description scales an op and the pipeline that it is on. */
static gboolean
check_both (const Scaler *scaler, GError **error)
{
  for (guint i = 0; i < scaler->roots->len; i++)
    for (const IdgXmlNode *node
         = ((const IdgXmlNode *)g_ptr_array_index (scaler->roots, i))->first_child;
         node; node = node->next)
      {
        const WpGpuOp *op = strcmp (node->name, "op") == 0 && idg_xml_get (node, "scale")
                                ? wp_gpu_get_op (scaler->gpu, idg_xml_get (node, "name"))
                                : NULL;
        const IdgXmlNode *pipeline = op ? scaler->nodes[op->pipeline][i] : NULL;

        if (pipeline && idg_xml_get (pipeline, "scale"))
          return idg_xml_fail (node, IDG_XML_VALUE, error,
                               "scale is given here and for its pipeline (line %d); give one of "
                               "them",
                               pipeline->line);
      }
  return TRUE;
}

/* Scales the contexts of OP that descriptions after their own scale. */
static gboolean
scale_contexts (const Scaler *scaler, WpGpuOp *op, const WpGpuScales *scales, GError **error)
{
  for (guint i = 0; i < scaler->roots->len; i++)
    for (const IdgXmlNode *node
         = scales->contexts_by[i] ? scales->contexts_by[i]->first_child : NULL;
         node; node = node->next)
      for (guint c = 0; c < op->contexts->len; c++)
        {
          WpGpuContext *context = g_ptr_array_index (op->contexts, c);

          if (strcmp (node->name, "context") == 0 && idg_xml_get (node, "scale")
              && strcmp (context->name, idg_xml_get (node, "name")) == 0 && context->from < i
              && !wp_gpu_scale_context (context, op->name, node, error))
            return FALSE;
        }
  return TRUE;
}

/* Scales the ops of pipeline P, whose factors are PIPELINES', and those of the ops themselves. */
static gboolean
scale_ops (const Scaler *scaler, guint p, const Factors *pipelines, GError **error)
{
  const WpGpuPipeline *pipeline = g_ptr_array_index (scaler->gpu->pipelines, p);

  for (guint o = 0; o < scaler->gpu->ops->len; o++)
    {
      WpGpuOp *op = g_ptr_array_index (scaler->gpu->ops, o);
      Factors factors[WP_MAX_LIKE];

      if (op->pipeline != p)
        continue;
      memcpy (factors, pipelines, scaler->roots->len * sizeof *factors);
      for (guint i = 0; i < scaler->roots->len; i++)
        if (!add_factor (factors, i, scaler->scales[o].by[i], "scale", error))
          return FALSE;
      if (!scale_op (scaler, op, op->has_share ? op->share : pipeline->share, factors, error)
          || !scale_contexts (scaler, op, &scaler->scales[o], error))
        return FALSE;
    }
  return TRUE;
}

/* Scales those of PATH (may be NULL) that are on pipeline P, by FACTORS of that. */
static gboolean
scale_path (const Scaler *scaler, GArray *path, guint p, const Factors *factors, const gchar *op,
            GError **error)
{
  WpShare share = ((const WpGpuPipeline *)g_ptr_array_index (scaler->gpu->pipelines, p))->share;

  for (guint i = 0; path && i < path->len; i++)
    {
      WpGpuThen *then = &g_array_index (path, WpGpuThen, i);

      if (then->pipeline == p
          && (!scale_issue (scaler, &then->issue, &factors[then->from], share, op, error)
              || !scale_issue (scaler, &then->issue_each, &factors[then->from], share, op, error)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
scale_paths (const Scaler *scaler, guint p, const Factors *factors, GError **error)
{
  for (guint o = 0; o < scaler->with_paths->len; o++)
    {
      WpGpuOp *op = g_ptr_array_index (scaler->with_paths, o);

      if (!scale_path (scaler, op->path, p, factors, op->name, error))
        return FALSE;
      for (guint i = 0; i < op->contexts->len; i++)
        {
          WpGpuContext *context = g_ptr_array_index (op->contexts, i);

          if (!scale_path (scaler, context->path, p, factors, op->name, error))
            return FALSE;
        }
    }
  return TRUE;
}

static gboolean
scale_pipeline (const Scaler *scaler, guint p, const gchar *unfit, GError **error)
{
  WpGpuPipeline *pipeline = g_ptr_array_index (scaler->gpu->pipelines, p);
  Factors factors[WP_MAX_LIKE] = { 0 };
  guint from = pipeline->channel_issue_from;

  if (unfit && pipeline->share != WP_SHARE_SM)
    return idg_xml_fail (scaler->device, IDG_XML_VALUE, error,
                         "%s has too many digits for the shares of pipeline %s", unfit,
                         pipeline->name);
  return find_factors (scaler, p, factors, error)
         && multiply_share (&pipeline->channel_issue, factors[from].shares[pipeline->share],
                            scaler->device, pipeline->name, error)
         && multiply_share (&pipeline->turnaround,
                            factors[pipeline->turnaround_from].shares[pipeline->share],
                            scaler->device, pipeline->name, error)
         && scale_ops (scaler, p, factors, error) && scale_paths (scaler, p, factors, error);
}

static gboolean
has_path (const WpGpuOp *op)
{
  gboolean found = op->path != NULL;

  for (guint i = 0; i < op->contexts->len; i++)
    found = found || ((const WpGpuContext *)g_ptr_array_index (op->contexts, i))->path != NULL;
  return found;
}

static gboolean
scale_all (Scaler *scaler, GError **error)
{
  const gchar *unfit;

  collect_nodes (scaler);
  for (guint o = 0; o < scaler->gpu->ops->len; o++)
    if (has_path (g_ptr_array_index (scaler->gpu->ops, o)))
      g_ptr_array_add (scaler->with_paths, g_ptr_array_index (scaler->gpu->ops, o));
  if (!check_both (scaler, error))
    return FALSE;
  unfit = find_shares (scaler);
  for (guint p = 0; p < scaler->gpu->pipelines->len; p++)
    if (!scale_pipeline (scaler, p, unfit, error))
      return FALSE;
  return TRUE;
}

gboolean
wp_gpu_scale_inherited (WpGpu *gpu, const GPtrArray *roots, const WpGpuScales *scales,
                        GError **error)
{
  Scaler scaler = { .gpu = gpu, .roots = roots, .scales = scales };
  gboolean done;

  scaler.nodes = g_malloc0_n (gpu->pipelines->len + 1, sizeof *scaler.nodes);
  scaler.with_paths = g_ptr_array_new ();
  done = scale_all (&scaler, error);
  g_ptr_array_unref (scaler.with_paths);
  g_free (scaler.nodes);
  return done;
}
