/* SPDX-License-Identifier: MIT */
/* sim/gpu/wp-nearest.h finds the replacements; they are put into words here. */
#include "run/base/check-ops.h"

#include "idg/import/ops/idg-ops.h"
#include "sim/gpu/wp-nearest.h"

#include <string.h>

/* "op "atom.add" is not on v100", or what of it is not. Free with g_free(). */
static gchar *
describe (const WpGpu *gpu, const WpReplacement *replacement)
{
  const gchar *op = replacement->op;
  const WpGpuOp *as = replacement->runs_as;

  switch (replacement->what)
    {
    case WP_REPLACED_BYTES:
      return g_strdup_printf ("op \"%s\" on %s has no figures for as many bytes a thread", op,
                              gpu->name);
    case WP_REPLACED_TYPE:
      return g_strdup_printf ("op \"%s\" on %s has no figures for its type", op, gpu->name);
    case WP_REPLACED_FIGURES:
      return g_strdup_printf ("op \"%s\" has no figure on %s", op, gpu->name);
    case WP_REPLACED_CONTEXT:
      if (wp_gpu_look_up_op (gpu, op) == as)
        return g_strdup_printf ("op \"%s\" on %s has no context \"%s\"", op, gpu->name,
                                replacement->context);
      return g_strdup_printf ("op \"%s\", as \"%s\" on %s, has no context \"%s\"", op, as->name,
                              gpu->name, replacement->context);
    case WP_REPLACED_OP:
    default:
      return g_strdup_printf ("op \"%s\" is not on %s", op, gpu->name);
    }
}

/* "2 instructions WHAT(0.4% of those executed)": SHARE is a fraction. Free with g_free(). */
static gchar *
count (guint64 n, const gchar *what, gdouble share)
{
  return g_strdup_printf ("%" G_GUINT64_FORMAT " instruction%s %s(%s%.1f%% of those executed)", n,
                          n == 1 ? "" : "s", what, share > 0 && share < 0.001 ? "under " : "",
                          share > 0 ? MAX (share, 0.001) * 100 : 0.0);
}

/* A sentence for people. Free with g_free(). */
static gchar *
make_note (const IdgKernel *kernel, const WpGpu *gpu, const WpReplacement *replacement)
{
  g_autofree gchar *what = describe (gpu, replacement);
  g_autofree gchar *how = replacement->context != NULL
                              ? g_strdup ("without it")
                              : g_strdup_printf ("as \"%s\"", replacement->runs_as->name);
  g_autofree gchar *which = count (replacement->n, "", replacement->share);
  const gchar *s = replacement->n == 1 ? "s" : "";

  if (replacement->what == WP_REPLACED_FIGURES)
    return g_strdup_printf ("%s: %s: %s take%s an issue slot alone", idg_kernel_get_file (kernel),
                            what, which, s);
  return g_strdup_printf ("%s: %s: %s run%s %s", idg_kernel_get_file (kernel), what, which, s, how);
}

/* What to write where GPU has no figure for OP. Free with g_free(). */
static gchar *
describe_remedy (const WpGpu *gpu, const gchar *op)
{
  return g_strdup_printf ("a description of your own gives it one: <gpu like=\"%s\"> with "
                          "<op name=\"%s\" pipeline=\"...\" issue=\"...\" completion=\"...\"/>",
                          gpu->name, op);
}

/* What an instruction runs as without --strict. Free with g_free(). */
static gchar *
describe_substitute (const WpGpu *gpu, const WpReplacement *replacement)
{
  g_autofree gchar *remedy = describe_remedy (gpu, replacement->op);

  switch (replacement->what)
    {
    case WP_REPLACED_FIGURES:
      return g_strdup_printf ("without --strict it takes an issue slot alone; %s", remedy);
    case WP_REPLACED_CONTEXT:
      return g_strdup ("without --strict it runs with its own figures");
    case WP_REPLACED_BYTES:
    case WP_REPLACED_TYPE:
      return g_strdup_printf ("without --strict it runs as \"%s\"", replacement->runs_as->name);
    case WP_REPLACED_OP:
    default:
      return g_strdup_printf ("the nearest there is \"%s\", as which it runs without --strict",
                              replacement->runs_as->name);
    }
}

static void
refuse (const IdgKernel *kernel, const WpGpu *gpu, const WpReplacement *replacement, GError **error)
{
  const gchar *file = idg_kernel_get_file (kernel);
  g_autofree gchar *where = replacement->line > 0
                                ? g_strdup_printf ("%s:%d", file, replacement->line)
                                : g_strdup (file);
  g_autofree gchar *what = describe (gpu, replacement);
  g_autofree gchar *how = describe_substitute (gpu, replacement);

  g_set_error (error, WP_ERROR, WP_ERROR_VALUE, "%s: %s; %s", where, what, how);
}

gboolean
wp_check_ops (const IdgKernel *kernel, const WpGpu *gpu, gboolean strict, WpNoteFunc note,
              gpointer data, GError **error)
{
  g_autoptr (GPtrArray) replacements = wp_nearest_find (kernel, gpu);

  if (strict && replacements->len > 0)
    refuse (kernel, gpu, g_ptr_array_index (replacements, 0), error);
  for (guint i = 0; !strict && note != NULL && i < replacements->len; i++)
    {
      g_autofree gchar *text = make_note (kernel, gpu, g_ptr_array_index (replacements, i));

      note (data, text);
    }
  return !strict || replacements->len == 0;
}

/* Whether REPLACEMENT is an approximation: without any figure it is something else. */
static gboolean
counts (const WpReplacement *replacement)
{
  return replacement->what != WP_REPLACED_FIGURES;
}

/* Appends the ops of REPLACEMENTS that use PIPELINE, at most three, with what they run as. */
static void
list_ops (GString *text, const GPtrArray *replacements, guint pipeline)
{
  guint n = 0;

  for (guint i = 0; i < replacements->len; i++)
    {
      const WpReplacement *replacement = g_ptr_array_index (replacements, i);

      if (!counts (replacement) || replacement->runs_as->pipeline != pipeline
          || replacement->use <= 0 || ++n > 3)
        continue;
      if (replacement->context != NULL)
        g_string_append_printf (text, "%s\"%s\" without \"%s\"", n > 1 ? ", " : "", replacement->op,
                                replacement->context);
      else
        g_string_append_printf (text, "%s\"%s\" as \"%s\"", n > 1 ? ", " : "", replacement->op,
                                replacement->runs_as->name);
    }
  if (n > 3)
    g_string_append_printf (text, " and %u more", n - 3);
}

/* Tells whether a warning that KERNEL carries says already that OP is not modelled. */
static gboolean
is_said (const IdgKernel *kernel, const gchar *op)
{
  gboolean is_bound = FALSE;

  for (guint i = 0; i < kernel->warnings->len; i++)
    is_bound |= strcmp (((const IdgWarning *)g_ptr_array_index (kernel->warnings, i))->name,
                        "lower-bound")
                == 0;
  return is_bound && idg_ops_get_unmodelled (op) != NULL;
}

/* The replacements, without those of which is_said(). */
static GPtrArray *
find_replacements (const IdgKernel *kernel, const WpGpu *gpu)
{
  GPtrArray *replacements = wp_nearest_find (kernel, gpu);

  for (guint i = replacements->len; i-- > 0;)
    if (is_said (kernel, ((const WpReplacement *)g_ptr_array_index (replacements, i))->op))
      g_ptr_array_remove_index (replacements, i);
  return replacements;
}

static void
measure (const GPtrArray *replacements, const WpGpu *gpu, WpApproximation *approximation)
{
  *approximation = (WpApproximation){ g_new0 (gdouble, gpu->pipelines->len + 1), 0, 0 };
  for (guint i = 0; i < replacements->len; i++)
    {
      const WpReplacement *replacement = g_ptr_array_index (replacements, i);

      if (!counts (replacement))
        continue;
      approximation->use[replacement->runs_as->pipeline] += replacement->use;
      approximation->share += replacement->share;
      if (replacement->runs_as->path != NULL)
        approximation->with_path += replacement->share;
    }
}

void
wp_check_ops_measure_approximation (const IdgKernel *kernel, const WpGpu *gpu,
                                    WpApproximation *approximation)
{
  g_autoptr (GPtrArray) replacements = find_replacements (kernel, gpu);

  measure (replacements, gpu, approximation);
}

void
wp_approximation_clear (WpApproximation *approximation)
{
  g_clear_pointer (&approximation->use, g_free);
}

gchar *
wp_check_ops_find_approximation (const IdgKernel *kernel, const WpGpu *gpu)
{
  g_autoptr (GPtrArray) replacements = find_replacements (kernel, gpu);
  g_auto (WpApproximation) approximation = { 0 };
  g_autoptr (GString) text = NULL;
  const gdouble *use;
  guint most = 0;

  measure (replacements, gpu, &approximation);
  use = approximation.use;
  for (guint p = 1; p < gpu->pipelines->len; p++)
    most = use[p] > use[most] ? p : most;
  if (use[most] <= WP_APPROXIMATED)
    return NULL;
  text = g_string_new (NULL);
  g_string_append_printf (text,
                          "%.0f%% of what pipeline %s does is by instructions that run as others: ",
                          MIN (use[most], 1) * 100,
                          ((const WpGpuPipeline *)g_ptr_array_index (gpu->pipelines, most))->name);
  list_ops (text, replacements, most);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* ---- What has no figure ---- */

/* Appends OP as one more of a list, at most three. */
static void
append_op (GString *ops, const gchar *op, guint i)
{
  if (i < 3)
    g_string_append_printf (ops, "%s%s", i > 0 ? ", " : "", op);
}

/* Below WP_NO_FIGURE there is a verdict, which must not be taken for one on these. */
static const gchar *
describe_effect (gdouble share)
{
  return share > WP_NO_FIGURE ? "times are a lower bound, by how much is not known"
                              : "times are a lower bound, and a verdict is on all else: even a few "
                                "can take long, as atomics do where lanes meet at one address";
}

gchar *
wp_check_ops_find_no_figure (const IdgKernel *kernel, const WpGpu *gpu, gdouble *share)
{
  g_autoptr (GPtrArray) replacements = wp_nearest_find (kernel, gpu);
  g_autoptr (GString) ops = g_string_new (NULL);
  g_autofree gchar *which = NULL, *remedy = NULL;
  guint64 n = 0;
  guint n_ops = 0;

  *share = 0;
  for (guint i = 0; i < replacements->len; i++)
    {
      const WpReplacement *replacement = g_ptr_array_index (replacements, i);

      if (replacement->what != WP_REPLACED_FIGURES)
        continue;
      append_op (ops, replacement->op, n_ops++);
      remedy = remedy != NULL ? remedy : describe_remedy (gpu, replacement->op);
      n += replacement->n;
      *share += replacement->share;
    }
  if (n_ops == 0)
    return NULL;
  if (n_ops > 3)
    g_string_append_printf (ops, " and %u more op%s", n_ops - 3, n_ops > 4 ? "s" : "");
  g_string_append_c (ops, ' ');
  which = count (n, ops->str, *share);
  return g_strdup_printf ("%s %s no figure on %s and take%s an issue slot alone, so that %s; %s",
                          which, n == 1 ? "has" : "have", gpu->name, n == 1 ? "s" : "",
                          describe_effect (*share), remedy);
}
