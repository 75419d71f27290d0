/* SPDX-License-Identifier: MIT */
/* A row's number is its combination, in mixed radix: one digit for each axis. */
#include "run/sweep/sweep-points.h"

#include <string.h>

void
wp_sweep_free (WpSweep *sweep)
{
  if (sweep == NULL)
    return;
  for (guint i = 0; sweep->settings != NULL && i < sweep->parameters->len; i++)
    g_clear_pointer (&sweep->settings[i], g_array_unref);
  for (guint i = 0; i < WP_N_AXES; i++)
    g_clear_pointer (&sweep->axes[i], g_array_unref);
  g_free (sweep->settings);
  g_ptr_array_unref (sweep->parameters);
  g_ptr_array_unref (sweep->kernels);
  g_ptr_array_unref (sweep->pipelines);
  g_ptr_array_unref (sweep->policies);
  g_ptr_array_unref (sweep->gpus);
  g_strfreev (sweep->gpu_names);
  wp_sweep_gpu_sets_free (sweep->gpu_sets);
  g_free (sweep->digest);
  g_free (sweep);
}

static void
clear_setting (gpointer data)
{
  WpSweepSetting *setting = data;

  g_free (setting->name);
  g_array_unref (setting->values);
}

GArray *
wp_sweep_settings_new (void)
{
  GArray *settings = g_array_new (FALSE, FALSE, sizeof (WpSweepSetting));

  g_array_set_clear_func (settings, clear_setting);
  return settings;
}

void
wp_sweep_settings_add (GArray *settings, const gchar *name, GArray *values)
{
  WpSweepSetting setting = { g_strdup (name), values };

  g_array_append_val (settings, setting);
}

guint64
wp_sweep_count (const GArray *ranges)
{
  return ranges != NULL ? wp_ranges_count (ranges) : 1;
}

/* The value of an axis, whose digit is the last of REST, which loses it; PLACE gets the digit. */
static guint64
take_value (const GArray *ranges, guint64 *rest, guint64 *place)
{
  guint64 n = wp_sweep_count (ranges);

  *place = *rest % n;
  *rest /= n;
  return ranges != NULL ? wp_ranges_get (ranges, *place) : 0;
}

void
wp_sweep_get_point (const WpSweep *sweep, guint64 row, WpSweepPoint *point)
{
  guint64 rest = row;
  guint64 n_settings = 1;

  point->row = row;
  for (guint axis = WP_N_AXES - 1; axis > WP_AXIS_GPU; axis--)
    point->values[axis] = take_value (sweep->axes[axis], &rest, &point->places[axis]);
  for (guint i = 0; i < sweep->parameters->len; i++)
    n_settings *= wp_sweep_count (sweep->settings[i]);
  point->settings = rest % n_settings;
  rest /= n_settings;
  for (guint axis = WP_AXIS_GPU + 1; axis-- > 0;)
    point->values[axis] = take_value (sweep->axes[axis], &rest, &point->places[axis]);
}

const WpSweepKernel *
wp_sweep_get_kernel (const WpSweep *sweep, const WpSweepPoint *point)
{
  return g_ptr_array_index (sweep->kernels, point->values[WP_AXIS_KERNEL]);
}

const IdgParameter *
wp_sweep_kernel_find (const WpSweepKernel *kernel, const gchar *name)
{
  for (guint i = 0; i < kernel->kernel->parameters->len; i++)
    {
      const IdgParameter *parameter = g_ptr_array_index (kernel->kernel->parameters, i);

      if (strcmp (parameter->name, name) == 0)
        return parameter;
    }
  return NULL;
}

guint64
wp_sweep_count_settings (const WpSweep *sweep)
{
  guint64 n = 1;

  for (guint i = 0; i < sweep->parameters->len && n <= WP_SWEEP_MAX_ROWS; i++)
    n *= MIN (wp_sweep_count (sweep->settings[i]), WP_SWEEP_MAX_ROWS + 1);
  return MIN (n, WP_SWEEP_MAX_ROWS + 1);
}

guint64
wp_sweep_get_setting (const WpSweep *sweep, guint64 settings, guint i)
{
  guint64 place;

  for (guint k = sweep->parameters->len - 1; k > i; k--)
    settings /= wp_sweep_count (sweep->settings[k]);
  return take_value (sweep->settings[i], &settings, &place);
}

GStrv
wp_sweep_list_settings (const WpSweep *sweep, guint64 settings)
{
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();

  for (guint i = 0; i < sweep->parameters->len; i++)
    if (sweep->settings[i] != NULL)
      {
        g_autofree gchar *setting = g_strdup_printf (
            "%s=%" G_GUINT64_FORMAT, (const gchar *)g_ptr_array_index (sweep->parameters, i),
            wp_sweep_get_setting (sweep, settings, i));

        g_strv_builder_add (list, setting);
      }
  return g_strv_builder_end (list);
}

void
wp_sweep_get_options (const WpSweep *sweep, const WpSweepPoint *point, WpRunOptions *options)
{
  const struct
  {
    WpAxis axis;
    gint64 *option;
  } numbers[] = {
    { WP_AXIS_THREADS, &options->threads },
    { WP_AXIS_REGISTERS, &options->registers },
    { WP_AXIS_SHARED_MEMORY, &options->shared_memory },
    { WP_AXIS_BLOCKS, &options->blocks },
    { WP_AXIS_SMS, &options->sms },
    { WP_AXIS_OCCUPANCY, &options->occupancy },
  };

  *options = (WpRunOptions)WP_RUN_OPTIONS_INIT;
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (sweep->axes[numbers[i].axis] != NULL)
      *numbers[i].option = (gint64)point->values[numbers[i].axis];
  options->sms_said = sweep->axes[WP_AXIS_SMS] != NULL;
  if (sweep->axes[WP_AXIS_ACTIVE_SET] != NULL)
    options->active_set = (guint32)point->values[WP_AXIS_ACTIVE_SET];
  if (sweep->axes[WP_AXIS_SEED] != NULL)
    options->seed = point->values[WP_AXIS_SEED];
  options->has_order = sweep->axes[WP_AXIS_ORDER] != NULL;
  options->order = (WpOrder)point->values[WP_AXIS_ORDER];
  if (sweep->axes[WP_AXIS_MEMORY] != NULL)
    options->memory = point->values[WP_AXIS_MEMORY] != 0 ? WP_MEMORY_CONTENDED : WP_MEMORY_IDEAL;
  options->no_limits = sweep->no_limits;
}
