/* SPDX-License-Identifier: MIT */
/* Names of launches are looked up among the variables of the module first; all others are buffers,
 * which have the element that the first parameter they are given to points to. */
#include "exec/wp-module.h"

#include "exec/cubin/wp-cubin-relocate.h"
#include "exec/launch/wp-launch-type.h"
#include "idg/kernel/idg-kernel.h"
#include "idg/kernel/idg-suggest.h"

#include <string.h>

typedef struct
{
  gchar *name, *text;
  WpFill *fill;
  gboolean is_used;
} WpModuleData;

static void
free_data (gpointer pointer)
{
  WpModuleData *data = pointer;

  g_free (data->name);
  g_free (data->text);
  g_clear_pointer (&data->fill, wp_fill_free);
  g_free (data);
}

static void
clear_launch (gpointer pointer)
{
  WpModuleLaunch *launch = pointer;

  wp_launch_free (launch->launch);
  wp_launch_arguments_free (launch->arguments);
}

void
wp_module_free (WpModule *module)
{
  if (module == NULL)
    return;
  wp_cubin_free (module->cubin);
  g_clear_pointer (&module->memory, wp_memory_free);
  g_array_unref (module->launches);
  g_ptr_array_unref (module->data);
  g_free (module->variables);
  g_free (module);
}

/* Puts "OPTION 'TEXT': " before the message. */
static gboolean
prefix (GError **error, GError *problem, const gchar *option, const gchar *text)
{
  g_set_error (error, problem->domain, problem->code, "%s '%s': %s", option, text,
               problem->message);
  g_error_free (problem);
  return FALSE;
}

static gboolean
read_launch (WpModule *module, const gchar *text, WpLaunchLookup lookup, gpointer data,
             GError **error)
{
  WpModuleLaunch launch = { 0 };
  GError *problem = NULL;

  launch.launch = wp_launch_parse (text, lookup, data, &problem);
  if (launch.launch)
    launch.function = wp_launch_find (launch.launch, module->cubin, &problem);
  if (launch.launch && launch.function >= 0)
    launch.arguments = wp_launch_match (launch.launch, module->cubin, launch.function, &problem);
  if (launch.arguments == NULL)
    {
      wp_launch_free (launch.launch);
      return prefix (error, problem, "--launch", text);
    }
  g_array_append_val (module->launches, launch);
  return TRUE;
}

static WpModuleData *
find_data (const WpModule *module, const gchar *name)
{
  for (guint k = 0; k < module->data->len; k++)
    {
      WpModuleData *data = g_ptr_array_index (module->data, k);

      if (strcmp (data->name, name) == 0)
        return data;
    }
  return NULL;
}

static gboolean
read_data (WpModule *module, const gchar *text, GError **error)
{
  GError *problem = NULL;
  WpModuleData *data = g_new0 (WpModuleData, 1);

  data->text = g_strdup (text);
  data->fill = wp_fill_parse (text, &data->name, &problem);
  if (data->fill && find_data (module, data->name))
    g_set_error (&problem, IDG_ERROR, IDG_ERROR_VALUE, "%s is given twice", data->name);
  if (problem)
    {
      free_data (data);
      return prefix (error, problem, "--data", text);
    }
  g_ptr_array_add (module->data, data);
  return TRUE;
}

/* The name alone, without a namespace. */
static const gchar *
last_part (const gchar *name)
{
  const gchar *part = g_strrstr (name, "::");

  return part ? part + 2 : name;
}

gboolean
wp_module_is_called (const WpCubinVariable *variable, const gchar *name)
{
  return strcmp (variable->name, name) == 0 || strcmp (variable->demangled, name) == 0
         || strcmp (last_part (variable->demangled), name) == 0;
}

/* What --data says of VARIABLE, by any of its names. */
static WpModuleData *
find_data_of (const WpModule *module, const WpCubinVariable *variable)
{
  for (guint k = 0; k < module->data->len; k++)
    {
      WpModuleData *data = g_ptr_array_index (module->data, k);

      if (wp_module_is_called (variable, data->name))
        return data;
    }
  return NULL;
}

const WpFill *
wp_module_get_fill (const WpModule *module, const WpCubinVariable *variable)
{
  const WpModuleData *data = find_data_of (module, variable);

  return data ? data->fill : NULL;
}

static gint
find_variable (const WpModule *module, const gchar *name)
{
  for (guint k = 0; k < module->cubin->variables->len; k++)
    if (wp_module_is_called (g_ptr_array_index (module->cubin->variables, k), name))
      return (gint)k;
  return -1;
}

/* What the compiler calls texts in the source ("$str$7"): nobody names them, and there may be very
 * many. */
static gboolean
is_text (const WpCubinVariable *variable)
{
  return variable->name[0] == '$' && !variable->is_constant && variable->data != NULL
         && variable->relocations->len == 0;
}

#define TEXT_ALIGN 16u

/* One buffer for all texts, with zeros between them. */
static gboolean
add_texts (WpModule *module, GError **error)
{
  const GPtrArray *variables = module->cubin->variables;
  g_autoptr (GByteArray) all = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;
  const WpBuffer *buffer;

  for (guint k = 0; k < variables->len; k++)
    {
      static const guint8 zeros[TEXT_ALIGN];
      const WpCubinVariable *variable = g_ptr_array_index (variables, k);
      gsize n;
      gconstpointer text = is_text (variable) ? g_bytes_get_data (variable->data, &n) : NULL;

      if (text == NULL)
        continue;
      module->variables[k] = all->len;
      g_byte_array_append (all, text, (guint)n);
      g_byte_array_append (all, zeros, -all->len % TEXT_ALIGN);
    }
  if (all->len == 0)
    return TRUE;
  bytes = g_bytes_new (all->data, all->len);
  buffer = wp_memory_add (module->memory, "$texts", NULL, WP_ELEMENT_NONE, all->len, bytes, error);
  for (guint k = 0; buffer != NULL && k < variables->len; k++)
    if (is_text (g_ptr_array_index (variables, k)))
      module->variables[k] += wp_buffer_get_base (buffer);
  return buffer != NULL;
}

/* Whether no host code can name VARIABLE: one of a function, or of the compiler. */
static gboolean
is_local (const WpCubinVariable *variable)
{
  return g_str_has_prefix (variable->name, "_ZZ") || strchr (variable->name, '$') != NULL;
}

/* Memory for the variables in it. Two static ones may have the same name, so that the buffers of
 * all but the first have a number behind it. */
static gboolean
add_variables (WpModule *module, GError **error)
{
  WpCubin *cubin = module->cubin;

  module->variables = g_new0 (guint64, MAX (cubin->variables->len, 1));
  if (!add_texts (module, error))
    return FALSE;
  for (guint k = 0; k < cubin->variables->len; k++)
    {
      const WpCubinVariable *variable = g_ptr_array_index (cubin->variables, k);
      WpModuleData *data = find_data_of (module, variable);
      g_autoptr (WpFill) fill = data ? wp_fill_copy (data->fill) : NULL;
      g_autofree gchar *name = g_strdup (variable->demangled);
      gboolean is_unset = fill == NULL && variable->data == NULL;
      WpBuffer *buffer;

      if (data)
        data->is_used = TRUE;
      if (variable->is_constant || variable->bytes == 0 || is_text (variable))
        continue;
      if (wp_memory_find (module->memory, name))
        {
          g_free (name);
          name = g_strdup_printf ("%s#%u", variable->demangled, k);
        }
      if (is_unset)
        {
          fill = wp_fill_new_unknown ();
          fill->kind = WP_FILL_ZEROS;
        }
      buffer = wp_memory_add (module->memory, name, fill, WP_ELEMENT_NONE, variable->bytes,
                              fill ? NULL : variable->data, error);
      if (buffer == NULL)
        return FALSE;
      if (is_unset && !is_local (variable))
        wp_buffer_set_unset (buffer);
      module->variables[k] = wp_buffer_get_base (buffer);
    }
  return TRUE;
}

/* The pointers in variables: what the file says of their data is without addresses. */
static gboolean
store_pointers (WpModule *module)
{
  WpFault fault;

  for (guint k = 0; k < module->cubin->variables->len; k++)
    {
      const WpCubinVariable *variable = g_ptr_array_index (module->cubin->variables, k);

      if (variable->is_constant || variable->data == NULL || find_data_of (module, variable))
        continue;
      for (guint j = 0; j < variable->relocations->len; j++)
        {
          guint64 offset
              = g_array_index (variable->relocations, WpCubinRelocation, j).offset & ~(guint64)7;
          guint64 addresses[WP_MEMORY_LANES] = { module->variables[k] + offset };
          guint32 rows[2][WP_MEMORY_LANES] = { { 0 } };
          const guint32 unknown[2] = { 0 };

          if (offset + 8 > variable->bytes)
            continue;
          for (guint word = 0; word < 2; word++)
            memcpy (&rows[word][0],
                    (const guint8 *)g_bytes_get_data (variable->data, NULL) + offset + 4 * word, 4);
          if (!wp_memory_store (module->memory, NULL, addresses, 1, 8, rows, unknown, 0, &fault))
            return FALSE;
        }
    }
  return TRUE;
}

/* The element that the parameter at OFFSET of FUNCTION points to. */
static WpElement
element_of (const WpCubinFunction *function, guint offset)
{
  g_autoptr (GPtrArray) types = wp_type_split (function->demangled);

  for (guint k = 0; types && function->parameters && k < function->parameters->len; k++)
    if (g_array_index (function->parameters, WpCubinParameter, k).offset == offset
        && k < types->len)
      return wp_element_find_type (g_ptr_array_index (types, k));
  return WP_ELEMENT_NONE;
}

static gboolean
add_buffer (WpModule *module, const gchar *name, WpElement element, GError **error)
{
  WpModuleData *data = find_data (module, name);
  g_autoptr (WpFill) fill = data ? wp_fill_copy (data->fill) : NULL;

  if (find_variable (module, name) >= 0 || wp_memory_find (module->memory, name))
    return TRUE;
  if (wp_memory_count (module->memory) >= WP_MAX_BUFFERS)
    {
      g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
                   "%s: the launches and the module name more than %d buffers", name,
                   WP_MAX_BUFFERS);
      return FALSE;
    }
  if (data)
    data->is_used = TRUE;
  return wp_memory_add (module->memory, name, fill, element, 0, NULL, error) != NULL;
}

static gboolean
add_buffers (WpModule *module, GError **error)
{
  for (guint k = 0; k < module->launches->len; k++)
    {
      const WpModuleLaunch *launch = &g_array_index (module->launches, WpModuleLaunch, k);
      const WpCubinFunction *function
          = g_ptr_array_index (module->cubin->functions, launch->function);

      for (guint j = 0; j < launch->arguments->pointers->len; j++)
        {
          const WpLaunchPointer *pointer
              = &g_array_index (launch->arguments->pointers, WpLaunchPointer, j);
          gint variable = find_variable (module, pointer->name);

          if (variable >= 0
              && ((WpCubinVariable *)g_ptr_array_index (module->cubin->variables, variable))
                     ->is_constant)
            {
              g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
                           "--launch '%s': %s is __constant__, and has no address in device memory",
                           launch->launch->text, pointer->name);
              return FALSE;
            }
          if (!add_buffer (module, pointer->name, element_of (function, pointer->offset), error))
            return FALSE;
        }
    }
  return TRUE;
}

gchar *
wp_module_list_names (const WpModule *module)
{
  GString *text = g_string_new (NULL);

  for (guint k = 1; k <= wp_memory_count (module->memory); k++)
    {
      const gchar *name = wp_buffer_get_name (wp_memory_get (module->memory, k));

      if (*name != '$' && !g_str_has_prefix (name, "__"))
        g_string_append_printf (text, "%s%s", text->len ? ", " : "", name);
    }
  for (guint k = 0; k < module->cubin->variables->len; k++)
    {
      const WpCubinVariable *variable = g_ptr_array_index (module->cubin->variables, k);

      if (variable->is_constant)
        g_string_append_printf (text, "%s%s", text->len ? ", " : "", variable->demangled);
    }
  return g_string_free (text, FALSE);
}

static gboolean
fail_name (const WpModule *module, const gchar *option, const gchar *text, const gchar *name,
           GError **error)
{
  g_autofree gchar *names = wp_module_list_names (module);
  g_autofree gchar *nearest = idg_suggest_end_of (name, names);

  g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
               "%s '%s': no launch names a buffer %s, and the module has no such variable; %s%s%s",
               option, text, name, *names ? "there are: " : "there are none", names, nearest);
  return FALSE;
}

static gboolean
check_names (const WpModule *module, const gchar *const *dumps, GError **error)
{
  for (guint k = 0; k < module->data->len; k++)
    {
      const WpModuleData *data = g_ptr_array_index (module->data, k);

      if (!data->is_used)
        return fail_name (module, "--data", data->text, data->name, error);
    }
  for (; dumps && *dumps; dumps++)
    {
      g_autofree gchar *name = NULL, *path = NULL;
      GError *problem = NULL;
      gint variable;

      if (!wp_dump_parse (*dumps, &name, &path, &problem))
        return prefix (error, problem, "--dump", *dumps);
      variable = find_variable (module, name);
      if (variable < 0 && wp_memory_find (module->memory, name) == NULL)
        return fail_name (module, "--dump", *dumps, name, error);
    }
  return TRUE;
}

static gboolean
read_texts (WpModule *module, const gchar *const *launches, WpLaunchLookup lookup,
            gpointer lookup_data, const gchar *const *data, GError **error)
{
  for (; *launches; launches++)
    if (!read_launch (module, *launches, lookup, lookup_data, error))
      return FALSE;
  for (; data && *data; data++)
    if (!read_data (module, *data, error))
      return FALSE;
  return TRUE;
}

WpModule *
wp_module_new (WpCubin *cubin, const gchar *const *launches, WpLaunchLookup lookup,
               gpointer lookup_data, const gchar *const *data, const gchar *const *dumps,
               GError **error)
{
  g_autoptr (WpModule) module = g_new0 (WpModule, 1);

  module->cubin = cubin;
  module->launches = g_array_new (FALSE, TRUE, sizeof (WpModuleLaunch));
  g_array_set_clear_func (module->launches, clear_launch);
  module->data = g_ptr_array_new_with_free_func (free_data);
  module->memory = wp_memory_new ();
  if (!read_texts (module, launches, lookup, lookup_data, data, error)
      || !add_variables (module, error) || !add_buffers (module, error)
      || !check_names (module, dumps, error) || !wp_cubin_relocate (cubin, module->variables, error)
      || !store_pointers (module))
    return NULL;
  return g_steal_pointer (&module);
}
