/* SPDX-License-Identifier: MIT */
/* A GPU description with some of its figures set to others: "pipeline.memory.scale=2". What is set
 * becomes a description that is like the first one, so that it is read, checked and inherited as a
 * file of that text would be. */
#include <string.h>

#include "idg/kernel/idg-suggest.h"
#include "sim/gpu/wp-gpu-xml.h"

/* One of them: attribute ATTRIBUTE of <ELEMENT>, the one that is called LABEL where there are
 * several. */
typedef struct
{
  const IdgXmlShape *shape;
  gchar *label; /* or NULL */
  const gchar *attribute;
  const gchar *value; /* borrowed from what was written */
  gboolean is_written;
} Setting;

static void
clear_setting (gpointer setting)
{
  g_free (((Setting *)setting)->label);
}

static gboolean G_GNUC_PRINTF (4, 5)
    fail (const gchar *name, const gchar *setting, GError **error, const gchar *format, ...)
{
  g_autofree gchar *path = g_strndup (setting, strcspn (setting, "="));
  g_autofree gchar *what = NULL;
  va_list arguments;

  va_start (arguments, format);
  what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, WP_ERROR, WP_ERROR_VALUE, "%s: %s: %s", name, path, what);
  return FALSE;
}

/* ---- What may be set ---- */

static const IdgXmlShape *
find_shape (const gchar *element, gsize length)
{
  static const gchar *const settable[]
      = { "device",  "limits",    "cache",    "code-cache", "contention", "launch",
          "barrier", "scheduler", "pipeline", "op",         NULL };
  g_autofree gchar *name = g_strndup (element, length);

  if (!g_strv_contains (settable, name))
    return NULL;
  for (const IdgXmlShape *shape = wp_gpu_shapes; shape->element != NULL; shape++)
    if (strcmp (shape->element, name) == 0)
      return shape;
  return NULL;
}

/* Whether ATTRIBUTE says which element is meant, or what it starts from: it cannot be set. */
static gboolean
is_fixed (const IdgXmlShape *shape, const IdgXmlAttribute *attribute)
{
  return attribute->base || g_strcmp0 (shape->label, attribute->name) == 0;
}

static const gchar *
find_attribute (const IdgXmlShape *shape, const gchar *name, gsize length)
{
  for (const IdgXmlAttribute *attribute = shape->attributes; attribute->name != NULL; attribute++)
    if (!is_fixed (shape, attribute) && strlen (attribute->name) == length
        && strncmp (attribute->name, name, length) == 0)
      return attribute->name;
  return NULL;
}

static gchar *
list_attributes (const IdgXmlShape *shape)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (const IdgXmlAttribute *attribute = shape->attributes; attribute->name != NULL; attribute++)
    if (!is_fixed (shape, attribute))
      g_ptr_array_add (names, (gpointer)attribute->name);
  g_ptr_array_add (names, NULL);
  return g_strjoinv (", ", (gchar **)names->pdata);
}

/* ---- Reading a setting ---- */

/* "sms=66": of the device, or of the limits. */
static gboolean
read_short (const gchar *name, const gchar *text, gsize length, Setting *setting, GError **error)
{
  static const gchar *const elements[] = { "device", "limits" };

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++)
    {
      setting->shape = find_shape (elements[i], strlen (elements[i]));
      setting->attribute = find_attribute (setting->shape, text, length);
      if (setting->attribute != NULL)
        return TRUE;
    }
  return fail (name, text, error,
               "nothing of that name can be set; expected sms, clock-mhz or another attribute of "
               "<device> or <limits>, or as scheduler.count, pipeline.NAME.scale, op.NAME.issue");
}

static gboolean
fail_attribute (const gchar *name, const gchar *text, const Setting *setting,
                const gchar *attribute, gsize length, GError **error)
{
  g_autofree gchar *wrong = g_strndup (attribute, length);
  g_autofree gchar *all = list_attributes (setting->shape);
  g_autofree gchar *suggestion = idg_suggest_end_of (wrong, all);
  gboolean is_of_an_op = strcmp (setting->shape->element, "pipeline") == 0
                         && (strcmp (wrong, "issue") == 0 || strcmp (wrong, "completion") == 0);

  return fail (name, text, error, "a <%s> has no \"%s\" that could be set; it has %s%s%s%s",
               setting->shape->element, wrong, all, suggestion,
               is_of_an_op ? "; latencies are those of an op, as op.ld.global." : "",
               is_of_an_op ? wrong : "");
}

/* "pipeline.memory.scale=2", LENGTH letters before the sign, the first dot of which is DOT. */
static gboolean
read_long (const gchar *name, const gchar *text, gsize length, const gchar *dot, Setting *setting,
           GError **error)
{
  const gchar *last = g_strrstr_len (text, (gssize)length, ".");
  const gchar *attribute = last + 1;
  gsize n = (gsize)(text + length - attribute);

  setting->shape = find_shape (text, (gsize)(dot - text));
  if (setting->shape == NULL)
    return fail (name, text, error,
                 "\"%.*s\" is no part of a GPU whose figures can be set; these are device, limits, "
                 "cache, code-cache, contention, launch, barrier, scheduler, pipeline and op",
                 (int)(dot - text), text);
  if (setting->shape->label != NULL && last == dot)
    return fail (name, text, error, "which %s? expected %s.%s.%.*s", setting->shape->element,
                 setting->shape->element,
                 strcmp (setting->shape->element, "cache") == 0 ? "LEVEL" : "NAME", (int)n,
                 attribute);
  if (setting->shape->label == NULL && last != dot)
    return fail (name, text, error, "too many parts; expected %s.%.*s", setting->shape->element,
                 (int)n, attribute);
  if (setting->shape->label != NULL)
    setting->label = g_strndup (dot + 1, (gsize)(last - dot - 1));
  setting->attribute = find_attribute (setting->shape, attribute, n);
  return setting->attribute != NULL || fail_attribute (name, text, setting, attribute, n, error);
}

static gboolean
check_pipeline (const gchar *name, const gchar *text, const gchar *label, const WpGpu *base,
                GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree gchar *all = NULL;

  for (guint i = 0; i < base->pipelines->len; i++)
    {
      const WpGpuPipeline *pipeline = g_ptr_array_index (base->pipelines, i);

      if (strcmp (pipeline->name, label) == 0)
        return TRUE;
      g_ptr_array_add (names, pipeline->name);
    }
  g_ptr_array_add (names, NULL);
  all = g_strjoinv (", ", (gchar **)names->pdata);
  return fail (name, text, error, "%s has no pipeline \"%s\"; it has %s", base->name, label, all);
}

/* Whether BASE has what SETTING, written as TEXT, is of. */
static gboolean
check_label (const gchar *name, const gchar *text, const Setting *setting, const WpGpu *base,
             GError **error)
{
  g_autofree gchar *near = NULL;

  if (strcmp (setting->shape->element, "pipeline") == 0)
    return check_pipeline (name, text, setting->label, base, error);
  if (strcmp (setting->shape->element, "op") != 0 || wp_gpu_get_op (base, setting->label) != NULL)
    return TRUE;
  near = wp_gpu_suggest_ops (base, setting->label);
  return fail (name, text, error, "%s has no op \"%s\"; nearest: %s", base->name, setting->label,
               near);
}

static gboolean
is_same (const Setting *a, const Setting *b)
{
  return a->shape == b->shape && g_strcmp0 (a->label, b->label) == 0;
}

static gboolean
read_setting (const gchar *name, const gchar *text, const WpGpu *base, GArray *settings,
              GError **error)
{
  const gchar *sign = strchr (text, '='), *dot = strchr (text, '.');
  Setting setting = { NULL, NULL, NULL, sign != NULL ? sign + 1 : NULL, FALSE };
  gsize length = sign != NULL ? (gsize)(sign - text) : 0;
  gboolean good;

  if (length == 0)
    return fail (name, text, error, "expected PATH=VALUE, as sms=66 or pipeline.memory.scale=2");
  good = dot == NULL || dot > sign ? read_short (name, text, length, &setting, error)
                                   : read_long (name, text, length, dot, &setting, error);
  good = good && check_label (name, text, &setting, base, error);
  for (guint i = 0; good && i < settings->len; i++)
    {
      const Setting *other = &g_array_index (settings, Setting, i);

      if (is_same (other, &setting) && strcmp (other->attribute, setting.attribute) == 0)
        good = fail (name, text, error, "given twice, as %s and %s", other->value, setting.value);
    }
  if (good)
    g_array_append_val (settings, setting);
  else
    clear_setting (&setting);
  return good;
}

/* ---- Writing the description ---- */

static void
append_attribute (GString *text, const gchar *name, const gchar *value)
{
  g_autofree gchar *escaped = g_markup_escape_text (value, -1);

  g_string_append_printf (text, " %s=\"%s\"", name, escaped);
}

/* The element of the setting I with all that is set of it. */
static void
append_element (GString *text, GArray *settings, guint i)
{
  const Setting *first = &g_array_index (settings, Setting, i);

  g_string_append_printf (text, "<%s", first->shape->element);
  if (first->label != NULL)
    append_attribute (text, first->shape->label, first->label);
  for (; i < settings->len; i++)
    {
      Setting *setting = &g_array_index (settings, Setting, i);

      if (!is_same (first, setting))
        continue;
      append_attribute (text, setting->attribute, setting->value);
      setting->is_written = TRUE;
    }
  g_string_append (text, "/>");
}

/* A description that is like the one called BASE, in one line, as there is no file to number lines
 * of. */
static gchar *
make_text (const gchar *base, GArray *settings)
{
  GString *text = g_string_new ("<gpu");

  append_attribute (text, "like", base);
  g_string_append_c (text, '>');
  for (guint i = 0; i < settings->len; i++)
    if (!g_array_index (settings, Setting, i).is_written)
      append_element (text, settings, i);
  g_string_append (text, "</gpu>");
  return g_string_free (text, FALSE);
}

/* Reads TEXT, which is like the description at PATH. */
static WpGpu *
parse_text (const gchar *text, const gchar *path, const gchar *const *search, const gchar *name,
            GError **error)
{
  g_autofree gchar *folder = g_path_get_dirname (path);
  g_autoptr (GPtrArray) folders = g_ptr_array_new ();

  g_ptr_array_add (folders, folder);
  for (; search != NULL && *search != NULL; search++)
    g_ptr_array_add (folders, (gpointer)*search);
  g_ptr_array_add (folders, NULL);
  return wp_gpu_parse (text, strlen (text), name, (const gchar *const *)folders->pdata, error);
}

WpGpu *
wp_gpu_load_set (const gchar *path, const gchar *const *search, const gchar *const *settings,
                 GError **error)
{
  g_autoptr (GArray) read = g_array_new (FALSE, FALSE, sizeof (Setting));
  g_autofree gchar *like = g_path_get_basename (path), *text = NULL;
  g_autofree gchar *set = g_strjoinv (" ", (gchar **)settings), *name = NULL;
  g_autoptr (WpGpu) base = wp_gpu_load (path, search, error);
  WpGpu *gpu;

  g_array_set_clear_func (read, clear_setting);
  if (base == NULL)
    return NULL;
  if (!g_str_has_suffix (like, ".xml"))
    {
      g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
                   "%s: figures can be set of a description whose file ends in .xml", path);
      return NULL;
    }
  like[strlen (like) - strlen (".xml")] = '\0';
  name = g_strdup_printf ("%s{%s}", base->name, set);
  for (; *settings != NULL; settings++)
    if (!read_setting (name, *settings, base, read, error))
      return NULL;
  text = make_text (like, read);
  gpu = parse_text (text, path, search, name, error);
  if (gpu != NULL)
    {
      g_free (gpu->name);
      gpu->name = g_steal_pointer (&name);
    }
  return gpu;
}
