/* SPDX-License-Identifier: MIT */
/* sim/gpu/wp-nearest.h finds the replacements; they are put into words here. */
#include "run/base/check-ops.h"

#include "sim/gpu/wp-nearest.h"

/* "op "atom.add" is not on v100", or what of its context is not. Free with g_free(). */
static gchar *
describe (const WpGpu *gpu, const WpReplacement *replacement)
{
  const gchar *op = replacement->op;
  const WpGpuOp *as = replacement->runs_as;

  if (replacement->context == NULL)
    return g_strdup_printf ("op \"%s\" is not on %s", op, gpu->name);
  if (wp_gpu_look_up_op (gpu, op) == as)
    return g_strdup_printf ("op \"%s\" on %s has no context \"%s\"", op, gpu->name,
                            replacement->context);
  return g_strdup_printf ("op \"%s\", as \"%s\" on %s, has no context \"%s\"", op, as->name,
                          gpu->name, replacement->context);
}

/* A sentence for people. Free with g_free(). */
static gchar *
make_note (const IdgKernel *kernel, const WpGpu *gpu, const WpReplacement *replacement)
{
  g_autofree gchar *what = describe (gpu, replacement);
  g_autofree gchar *how = replacement->context != NULL
                              ? g_strdup ("without it")
                              : g_strdup_printf ("as \"%s\"", replacement->runs_as->name);
  gdouble share = replacement->share * 100;

  return g_strdup_printf ("%s: %s: %" G_GUINT64_FORMAT
                          " instruction%s (%s%.1f%% of those executed) "
                          "run%s %s",
                          idg_kernel_get_file (kernel), what, replacement->n,
                          replacement->n == 1 ? "" : "s", share > 0 && share < 0.1 ? "under " : "",
                          share > 0 ? MAX (share, 0.1) : 0.0, replacement->n == 1 ? "s" : "", how);
}

static void
refuse (const IdgKernel *kernel, const WpGpu *gpu, const WpReplacement *replacement, GError **error)
{
  const gchar *file = idg_kernel_get_file (kernel);
  g_autofree gchar *where = replacement->line > 0
                                ? g_strdup_printf ("%s:%d", file, replacement->line)
                                : g_strdup (file);
  g_autofree gchar *what = describe (gpu, replacement);
  g_autofree gchar *how
      = replacement->context != NULL
            ? g_strdup ("without --strict it runs with its own figures")
            : g_strdup_printf ("the nearest there is \"%s\", as which it runs without --strict",
                               replacement->runs_as->name);

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
