/* SPDX-License-Identifier: MIT */
/* What a measurement starts with: the table of instructions, of which a device has some. */
#include "probe/measure/wp-probe.h"

#include "probe/measure/wp-probe-private.h"

static const struct
{
  const gchar *name, *access;
  WpProbeFamily family;
  guint flops, bytes;
} rows[] = {
#define ROW(name, access, family, flops, bytes) { name, access, WP_PROBE_##family, flops, bytes },
#include "probe/measure/wp-probe-ops.def"
#undef ROW
};

#define MOST_WARPS 32 /* of a block */

static void
clear_op (gpointer op)
{
  g_array_unref (((WpProbeOp *)op)->consumers);
}

static void
free_unit (gpointer unit)
{
  g_free (((WpProbeUnit *)unit)->name);
  g_free (unit);
}

const gchar **
wp_probe_list_ops (void)
{
  const gchar **names = g_new0 (const gchar *, G_N_ELEMENTS (rows) + 1);
  gsize n = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (!g_strv_contains (names, rows[i].name))
      names[n++] = rows[i].name;
  return names;
}

/* What COUNT of a warp of 32 threads is of a warp of this device. */
static guint
scale (const WpProbe *probe, guint count)
{
  return (guint)(count * (guint64)MAX (probe->attributes[WP_PROBE_WARP_SIZE], 1) / 32);
}

static void
add_ops (WpProbe *probe, const gchar *const *only)
{
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if ((only == NULL || g_strv_contains (only, rows[i].name))
        && probe->device->has (probe->device, rows[i].name, rows[i].access))
      {
        WpProbeOp op = { .name = rows[i].name,
                         .access = rows[i].access,
                         .family = rows[i].family,
                         .flops = scale (probe, rows[i].flops),
                         .bytes = scale (probe, rows[i].bytes) };

        op.consumers = g_array_new (FALSE, FALSE, sizeof (WpProbeConsumer));
        g_array_append_val (probe->ops, op);
      }
}

static guint
choose_warps (const WpProbe *probe)
{
  gint64 most = probe->attributes[WP_PROBE_THREADS_PER_BLOCK];
  gint64 of_sm = probe->attributes[WP_PROBE_WARPS], warps = MOST_WARPS;

  if (most > 0)
    warps = MIN (warps, most / probe->attributes[WP_PROBE_WARP_SIZE]);
  if (of_sm > 0)
    warps = MIN (warps, of_sm);
  if (probe->device->most_warps > 0)
    warps = MIN (warps, probe->device->most_warps);
  return (guint)MAX (warps, 1);
}

WpProbe *
wp_probe_new (WpProbeDevice *device, gboolean is_quick, const gchar *const *only)
{
  WpProbe *probe = g_new0 (WpProbe, 1);

  probe->device = device;
  probe->is_quick = is_quick;
  for (guint i = 0; i < WP_PROBE_N_ATTRIBUTES; i++)
    probe->attributes[i] = device->get (device, (WpProbeAttribute)i);
  probe->warps = choose_warps (probe);
  probe->ops = g_array_new (FALSE, FALSE, sizeof (WpProbeOp));
  g_array_set_clear_func (probe->ops, clear_op);
  probe->units = g_ptr_array_new_with_free_func (free_unit);
  add_ops (probe, only);
  return probe;
}

void
wp_probe_free (WpProbe *probe)
{
  if (probe == NULL)
    return;
  g_array_unref (probe->ops);
  g_ptr_array_unref (probe->units);
  g_clear_error (&probe->error);
  g_free (probe);
}

WpProbeOp *
wp_probe_find_op (const WpProbe *probe, const gchar *name, const gchar *access)
{
  for (guint i = 0; i < probe->ops->len; i++)
    {
      WpProbeOp *op = wp_probe_get_op (probe, i);

      if (g_str_equal (op->name, name) && g_strcmp0 (op->access, access) == 0)
        return op;
    }
  return NULL;
}

WpProbeUnit *
wp_probe_get_memory (const WpProbe *probe)
{
  const WpProbeOp *load = wp_probe_find_op (probe, "ld.global", NULL);

  if (load == NULL || load->n_stages == 0)
    return NULL;
  return wp_probe_get_unit (probe, load->stages[load->n_stages - 1].unit);
}

void
wp_probe_report (WpProbe *probe, gdouble share)
{
  gboolean is_fitted = wp_probe_find_op (probe, "ld.global", NULL) != NULL;

  if (probe->report != NULL)
    probe->report (probe->data, is_fitted ? WP_PROBE_MEASURED * share : share);
}
