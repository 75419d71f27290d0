/* SPDX-License-Identifier: MIT */
/* Compares figures of a description with one another. What it finds is most often made by hand: a
 * GPU by `like` with another number, and without those that go with it. */
#include "sim/gpu/wp-gpu-oddities.h"

#include <string.h>

#include "idg/xml/idg-xml.h"

/* The first case of an oddity, and how many there are. */
typedef struct
{
  gchar *text;
  guint n;
} Finding;

static void
oddity_free (gpointer data)
{
  WpGpuOddity *oddity = data;

  g_free (oddity->text);
  g_free (oddity);
}

static void
add_finding (GPtrArray *found, const gchar *name, Finding finding)
{
  WpGpuOddity *oddity;

  if (finding.n == 0)
    return;
  oddity = g_new0 (WpGpuOddity, 1);
  oddity->name = name;
  oddity->text = finding.n == 1
                     ? g_strdup (finding.text)
                     : g_strdup_printf ("%s; so do %u more", finding.text, finding.n - 1);
  g_free (finding.text);
  g_ptr_array_add (found, oddity);
}

/* Returns "op "ld.global"" or "op "ld.global" in context "random"". */
static gchar *
name_case (const WpGpuOp *op, const gchar *context)
{
  g_autofree gchar *quoted = idg_xml_quote (op->name);
  g_autofree gchar *where = context ? idg_xml_quote (context) : NULL;

  return context ? g_strdup_printf ("op %s in context %s", quoted, where)
                 : g_strdup_printf ("op %s", quoted);
}

/* Returns CONTEXT's name with NUMBER in the place of its star. Free with g_free(). */
static gchar *
name_context (const WpGpuContext *context, guint number)
{
  gsize n = strlen (context->name);

  if (context->name[n - 1] != '*')
    return g_strdup (context->name);
  return g_strdup_printf ("%.*s%u", (int)(n - 1), context->name, number);
}

/* Numbers in the place of a star: one, the sectors of a coalesced access, and a whole warp's. */
static const guint numbers[] = { 1, 4, 32 };

static gboolean
is_given (const WpGpuOp *op, const gchar *name)
{
  gboolean found = FALSE;

  for (guint i = 0; i < op->contexts->len && !found; i++)
    found = strcmp (((const WpGpuContext *)g_ptr_array_index (op->contexts, i))->name, name) == 0;
  return found;
}

/* Calls LOOK for OP in each context that is no cache's, a wildcard with a few numbers. IS_WANTED:
 * in those with such names only; or NULL. */
static void
look_at_contexts (const WpGpu *gpu, const WpGpuOp *op, gboolean (*is_wanted) (const gchar *),
                  void (*look) (const WpGpu *, const WpGpuOp *, const gchar *, Finding *),
                  Finding *finding)
{
  for (guint i = 0; i < op->contexts->len; i++)
    {
      const WpGpuContext *context = g_ptr_array_index (op->contexts, i);
      const gchar *star = strchr (context->name, '*');
      guint n = star != NULL ? G_N_ELEMENTS (numbers) : 1;

      if (star != NULL && star[1] != '\0') /* several numbers */
        continue;
      if ((context->has_share && context->share != WP_SHARE_PINS) /* a cache */
          || (is_wanted != NULL && !is_wanted (context->name)))
        continue;
      for (guint k = 0; k < n; k++)
        {
          g_autofree gchar *name = name_context (context, numbers[k]);

          if (n == 1 || !is_given (op, name)) /* else it has its own turn */
            look (gpu, op, name, finding);
        }
    }
}

/* ---- Memory above the pins ---- */

/* GB/s of all SMs together through PIPELINE, which each access of BYTES keeps for ISSUE, if they do
 * nothing else; 0 where there is no limit. */
static gdouble
get_rate (const WpGpu *gpu, guint index, WpCycles issue, guint64 bytes)
{
  const WpGpuPipeline *pipeline = g_ptr_array_index (gpu->pipelines, index);
  gdouble instances = pipeline->scope == WP_SCOPE_SCHEDULER
                          ? (gdouble)gpu->sms * (gdouble)gpu->schedulers
                          : (gdouble)gpu->sms / pipeline->shared;
  gdouble cycles = wp_cycles_to_double (issue);

  if (cycles <= 0)
    return 0;
  return instances * wp_cycles_to_double (gpu->clock_mhz) * (gdouble)bytes / cycles / 1000;
}

/* The same through all that an instruction of OP passes at COST: the least. */
static gdouble
get_path_rate (const WpGpu *gpu, const WpGpuOp *op, const WpGpuCost *cost)
{
  gdouble least = get_rate (gpu, op->pipeline, cost->issue, cost->bytes);

  for (guint i = 0; i < cost->n_passes; i++)
    {
      const WpGpuPass *pass = &cost->passes[i];
      gdouble rate = get_rate (gpu, pass->pipeline, pass->issue, cost->bytes);

      if (rate > 0 && (least <= 0 || rate < least))
        least = rate;
    }
  return least;
}

/* Whether the last pipeline that an instruction of OP passes at COST is memory, and no cache. */
static gboolean
is_on_memory (const WpGpu *gpu, const WpGpuOp *op, const WpGpuCost *cost)
{
  const WpGpuPass own = { op->pipeline, cost->issue, cost->transactions };
  const WpGpuPass *last = cost->n_passes > 0 ? &cost->passes[cost->n_passes - 1] : &own;
  const WpGpuPipeline *pipeline = g_ptr_array_index (gpu->pipelines, last->pipeline);

  return pipeline->kind == WP_KIND_MEMORY && last->transactions > 0;
}

static void
compare_with_pins (const WpGpu *gpu, const WpGpuOp *op, const gchar *context, Finding *finding)
{
  gdouble pins = wp_cycles_to_double (gpu->pin_gbs), rate;
  g_autofree gchar *what = NULL;
  WpGpuCost cost;

  if (!wp_gpu_op_cost (op, context, &cost, NULL) || !is_on_memory (gpu, op, &cost))
    return;
  rate = get_path_rate (gpu, op, &cost);
  if (rate <= pins * 1.01 || finding->n++ > 0)
    return;
  what = name_case (op, context);
  finding->text
      = g_strdup_printf ("%s could move %.0f GB/s on all %" G_GINT64_FORMAT
                         " SMs together, above the %.0f GB/s of the device's pins (pin-gbs)",
                         what, rate, gpu->sms, pins);
}

static gboolean
ends_on_memory (const WpGpu *gpu, const GArray *path)
{
  const WpGpuPipeline *last;

  if (path == NULL || path->len == 0)
    return FALSE;
  last
      = g_ptr_array_index (gpu->pipelines, g_array_index (path, WpGpuThen, path->len - 1).pipeline);
  return last->kind == WP_KIND_MEMORY;
}

/* Whether OP may be on memory in some context: most are in none, which is quickly seen. */
static gboolean
may_be_on_memory (const WpGpu *gpu, const WpGpuOp *op)
{
  const WpGpuPipeline *own = g_ptr_array_index (gpu->pipelines, op->pipeline);
  gboolean may = own->kind == WP_KIND_MEMORY || ends_on_memory (gpu, op->path);

  for (guint i = 0; i < op->contexts->len && !may; i++)
    may = ends_on_memory (gpu, ((const WpGpuContext *)g_ptr_array_index (op->contexts, i))->path);
  return may;
}

static Finding
find_above_pins (const WpGpu *gpu)
{
  Finding finding = { NULL, 0 };

  for (guint i = 0; i < gpu->ops->len && gpu->pin_gbs.num > 0; i++)
    {
      const WpGpuOp *op = g_ptr_array_index (gpu->ops, i);

      if (!may_be_on_memory (gpu, op))
        continue;
      compare_with_pins (gpu, op, NULL, &finding);
      look_at_contexts (gpu, op, NULL, compare_with_pins, &finding);
    }
  return finding;
}

/* ---- Contexts that are faster ---- */

/* Whether a context of that name cannot complete before the plain op: it is no nearer cache. */
static gboolean
is_slower_by_name (const gchar *context)
{
  return strcmp (context, "random") == 0 || g_str_has_prefix (context, "conflict-")
         || g_str_has_prefix (context, "stride-") || g_str_has_prefix (context, "sectors-");
}

static void
compare_with_plain (const WpGpu *gpu, const WpGpuOp *op, const gchar *context, Finding *finding)
{
  gchar own[WP_TIME_CHARS], plain[WP_TIME_CHARS];
  g_autofree gchar *what = NULL;
  WpGpuCost cost;
  WpCycles least = op->completion;

  (void)gpu;
  if (!wp_gpu_op_cost (op, context, &cost, NULL) || cost.posted)
    return;
  for (guint i = 0; i < op->consumers->len; i++)
    {
      const WpGpuConsumer *consumer = g_ptr_array_index (op->consumers, i);

      if (wp_cycles_compare (consumer->completion, least) < 0)
        least = consumer->completion;
    }
  if (cost.transactions < op->transactions || wp_cycles_compare (cost.completion, least) >= 0
      || finding->n++ > 0)
    return;
  what = name_case (op, context);
  finding->text
      = g_strdup_printf ("%s completes after %s cycles, sooner than without context (%s)", what,
                         wp_cycles_format (cost.completion, own), wp_cycles_format (least, plain));
}

static Finding
find_faster_contexts (const WpGpu *gpu)
{
  Finding finding = { NULL, 0 };

  for (guint i = 0; i < gpu->ops->len; i++)
    look_at_contexts (gpu, g_ptr_array_index (gpu->ops, i), is_slower_by_name, compare_with_plain,
                      &finding);
  return finding;
}

GPtrArray *
wp_gpu_find_oddities (const WpGpu *gpu)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (oddity_free);

  g_return_val_if_fail (gpu != NULL, found);
  add_finding (found, "memory-above-pins", find_above_pins (gpu));
  add_finding (found, "context-faster", find_faster_contexts (gpu));
  return found;
}
