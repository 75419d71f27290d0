/* SPDX-License-Identifier: MIT */
/* Kernel files (FORMATS.md, "Kernel"). Four steps, each over the whole file before the next: its
 * shape; the parameters, put where {name} is; the values, each for itself; then the
 * programs, with what ties them together. An instruction may depend on one that comes later, so
 * a program's nodes are made first and the ids in `after` are looked up when all are there. */
#include "idg/kernel/idg-barriers.h"
#include "idg/kernel/idg-kernel.h"
#include "idg/kernel/idg-mix.h"
#include "idg/kernel/idg-suggest.h"
#include "idg/xml/idg-kernel-shape.h"

#include <string.h>

G_STATIC_ASSERT ((int)IDG_ERROR_READ == (int)IDG_XML_READ);
G_STATIC_ASSERT ((int)IDG_ERROR_SYNTAX == (int)IDG_XML_SYNTAX);
G_STATIC_ASSERT ((int)IDG_ERROR_VALUE == (int)IDG_XML_VALUE);
G_STATIC_ASSERT ((int)IDG_ERROR_MEMORY == (int)IDG_XML_MEMORY);

/* Parameters. */

typedef struct
{
  IdgXmlNode *node;
  IdgParameter *parameter; /* the kernel's */
  gboolean is_set, is_used;
} Binding;

typedef struct
{
  IdgXmlDoc *doc;
  GPtrArray *bindings; /* of Binding, in file order */
  GHashTable *by_name; /* the same */
} Scope;

static gchar *
list_parameters (const Scope *scope)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < scope->bindings->len; i++)
    {
      const Binding *binding = g_ptr_array_index (scope->bindings, i);

      g_string_append_printf (list, "%s%s", i ? ", " : "", binding->parameter->name);
    }
  if (list->len == 0)
    g_string_append (list, "none");
  return g_string_free (list, FALSE);
}

/* The declared value of NODE, in its shortest form. */
static void
add_parameter (Scope *scope, IdgKernel *kernel, IdgXmlNode *node)
{
  IdgParameter *parameter = g_new0 (IdgParameter, 1);
  Binding *binding = g_new0 (Binding, 1);

  parameter->name = g_strdup (idg_xml_get (node, "name"));
  parameter->value = g_strdup_printf ("%" G_GUINT64_FORMAT, idg_xml_get_whole (node, "value", 0));
  parameter->text = g_strdup (idg_xml_get (node, "text"));
  g_ptr_array_add (kernel->parameters, parameter);
  binding->node = node;
  binding->parameter = parameter;
  g_ptr_array_add (scope->bindings, binding);
  g_hash_table_insert (scope->by_name, parameter->name, binding);
}

static gboolean
apply_setting (Scope *scope, const gchar *setting, GError **error)
{
  const gchar *equals = strchr (setting, '=');
  g_autofree gchar *name = equals ? g_strndup (setting, (gsize)(equals - setting)) : NULL;
  g_autofree gchar *quoted = idg_xml_quote (setting);
  Binding *binding = name ? g_hash_table_lookup (scope->by_name, name) : NULL;
  guint64 value;

  if (!name)
    return idg_xml_fail_file (scope->doc, IDG_XML_VALUE, error, "the setting %s must be NAME=VALUE",
                              quoted);
  if (!binding)
    {
      g_autofree gchar *declared = list_parameters (scope);
      g_autofree gchar *near = idg_suggest_end_of (name, declared);

      return idg_xml_fail_file (scope->doc, IDG_XML_VALUE, error,
                                "the setting %s is of no parameter of this kernel; declared: %s%s",
                                quoted, declared, near);
    }
  if (binding->is_set)
    return idg_xml_fail_file (scope->doc, IDG_XML_VALUE, error,
                              "the setting %s is the second one of that parameter", quoted);
  if (!idg_xml_parse_whole (equals + 1, IDG_KERNEL_MAX_NUMBER, &value))
    return idg_xml_fail_file (
        scope->doc, IDG_XML_VALUE, error,
        "the setting %s must give a whole number from 0 to %" G_GUINT64_FORMAT, quoted,
        IDG_KERNEL_MAX_NUMBER);
  binding->is_set = TRUE;
  g_free (binding->parameter->value);
  binding->parameter->value = g_strdup_printf ("%" G_GUINT64_FORMAT, value);
  return TRUE;
}

static gboolean
fail_braces (const Scope *scope, const IdgXmlNode *node, const IdgXmlValue *value,
             const gchar *what, GError **error)
{
  g_autofree gchar *quoted = idg_xml_quote (value->value);
  g_autofree gchar *declared = list_parameters (scope);

  return idg_xml_fail (node, IDG_XML_VALUE, error, "%s %s %s; declared parameters: %s", value->name,
                       quoted, what, declared);
}

/* Puts the parameters' values into one of NODE's. */
static gboolean
substitute (Scope *scope, IdgXmlNode *node, guint index, GError **error)
{
  const IdgXmlValue *value = &node->values[index];
  g_autoptr (GString) result = g_string_new (NULL);
  const gchar *p = value->value;
  const gchar *open, *close;

  for (; (open = strchr (p, '{')) != NULL; p = close + 1)
    {
      g_autofree gchar *name = NULL;
      Binding *binding;

      close = strchr (open, '}');
      if (!close)
        return fail_braces (scope, node, value, "lacks a }", error);
      name = g_strndup (open + 1, (gsize)(close - open - 1));
      binding = g_hash_table_lookup (scope->by_name, name);
      if (!binding)
        return fail_braces (scope, node, value, "names a parameter that is not declared", error);
      binding->is_used = TRUE;
      g_string_append_len (result, p, open - p);
      g_string_append (result, binding->parameter->value);
    }
  g_string_append (result, p);
  idg_xml_set (node, index, result->str);
  return TRUE;
}

static gboolean
may_have_braces (const IdgXmlNode *node, const gchar *name)
{
  for (const IdgXmlAttribute *a = node->shape->attributes; a->name; a++)
    if (a->type->braces && strcmp (a->name, name) == 0)
      return TRUE;
  return FALSE;
}

/* $NAME and ${NAME} of what is executed stay: who executes puts the values there. */
static gboolean
mark_used (Scope *scope, const IdgXmlNode *node, const IdgXmlValue *value, GError **error)
{
  for (const gchar *p = strchr (value->value, '$'); p; p = strchr (p, '$'))
    {
      gboolean is_braced = p[1] == '{';
      const gchar *begin = p + 1 + is_braced, *end = begin;
      g_autofree gchar *name = NULL;
      Binding *binding;

      while (*end && (is_braced ? *end != '}' : g_ascii_isalnum (*end) || *end == '_'))
        end++;
      name = g_strndup (begin, (gsize)(end - begin));
      binding = g_hash_table_lookup (scope->by_name, name);
      if (!binding)
        return fail_braces (scope, node, value, "names a parameter that is not declared", error);
      binding->is_used = TRUE;
      p = end;
    }
  return TRUE;
}

static gboolean
mark_all (Scope *scope, GError **error)
{
  for (IdgXmlNode *node = idg_xml_get_root (scope->doc); node; node = idg_xml_next (node))
    for (guint i = 0; strcmp (node->name, "execute") == 0 && i < node->n_values; i++)
      if (strcmp (node->values[i].name, "file") != 0
          && !mark_used (scope, node, &node->values[i], error))
        return FALSE;
  return TRUE;
}

static gboolean
substitute_all (Scope *scope, GError **error)
{
  for (IdgXmlNode *node = idg_xml_get_root (scope->doc); node; node = idg_xml_next (node))
    for (guint i = 0; i < node->n_values; i++)
      if (strchr (node->values[i].value, '{') && may_have_braces (node, node->values[i].name)
          && !substitute (scope, node, i, error))
        return FALSE;
  return TRUE;
}

static gboolean
check_used (const Scope *scope, GError **error)
{
  for (guint i = 0; i < scope->bindings->len; i++)
    {
      const Binding *binding = g_ptr_array_index (scope->bindings, i);

      if (!binding->is_used)
        return idg_xml_fail (binding->node, IDG_XML_VALUE, error,
                             "is not used; write {%s} where its value belongs ($%s in what is "
                             "executed), or remove it",
                             binding->parameter->name, binding->parameter->name);
    }
  return TRUE;
}

static gboolean
bind_parameters (Scope *scope, IdgKernel *kernel, const gchar *const *settings, GError **error)
{
  IdgXmlNode *node = idg_xml_get_root (scope->doc)->first_child;

  for (; node; node = node->next)
    if (strcmp (node->name, "parameter") == 0)
      {
        /* Needed before the values of all others can be checked. */
        if (!idg_xml_check_node_values (node, error))
          return FALSE;
        add_parameter (scope, kernel, node);
      }
  for (; settings && *settings; settings++)
    if (!apply_setting (scope, *settings, error))
      return FALSE;
  /* What is not used is reported last: the value where it was meant to be may be wrong in
   * itself. */
  return substitute_all (scope, error) && mark_all (scope, error)
         && idg_xml_check_values (scope->doc, error) && check_used (scope, error);
}

/* Checks all values, with the parameters in their places. */
static gboolean
set_parameters (IdgXmlDoc *doc, IdgKernel *kernel, const gchar *const *settings, GError **error)
{
  Scope scope = { doc, g_ptr_array_new_with_free_func (g_free),
                  g_hash_table_new (g_str_hash, g_str_equal) };
  gboolean done = bind_parameters (&scope, kernel, settings, error);

  g_hash_table_unref (scope.by_name);
  g_ptr_array_unref (scope.bindings);
  return done;
}

/* Programs. */

/* A node of the program at hand and the element that it comes from. */
typedef struct
{
  uint32_t index;
  const IdgXmlNode *element;
} Origin;

typedef struct
{
  IdgProgram *program;
  GArray *origins; /* of Origin: those that may have an `after` */
  GHashTable *ids; /* id to place in origins, plus one */
} Reader;

static gboolean
fail_status (const IdgXmlNode *node, IdgStatus status, GError **error)
{
  switch (status)
    {
    case IDG_TOO_MANY_NODES:
      return idg_xml_fail (node, IDG_XML_VALUE, error,
                           "the program has more than %u nodes as written", IDG_MAX_NODES);
    case IDG_TOO_DEEP:
      return idg_xml_fail (node, IDG_XML_VALUE, error,
                           "repeats are nested deeper than %d, the most that is possible",
                           IDG_MAX_DEPTH);
    case IDG_BAD_COUNT:
      return idg_xml_fail (node, IDG_XML_VALUE, error, "count must be at most %u", IDG_MAX_COUNT);
    case IDG_TOO_MANY_DYNAMIC:
      return idg_xml_fail (
          node, IDG_XML_VALUE, error,
          "unrolled it has more than 2^53 instructions, the most that is possible; "
          "lower the counts of its repeats");
    case IDG_NO_MEMORY:
      return idg_xml_fail (node, IDG_XML_MEMORY, error, "out of memory");
    case IDG_OK:
    case IDG_BAD_DISTANCE:
    case IDG_NOT_OPEN:
    case IDG_STILL_OPEN:
      break;
    }
  g_assert_not_reached ();
}

static gboolean
add_id (Reader *reader, const IdgXmlNode *node, GError **error)
{
  const gchar *id = idg_xml_get (node, "id");
  guint place = reader->origins->len; /* of the one just added, plus one */
  guint first;

  if (!id)
    return TRUE;
  first = GPOINTER_TO_UINT (g_hash_table_lookup (reader->ids, id));
  if (first)
    return idg_xml_fail (node, IDG_XML_VALUE, error,
                         "the id is taken (line %d); ids must be unique in a program",
                         g_array_index (reader->origins, Origin, first - 1).element->line);
  g_hash_table_insert (reader->ids, (gpointer)id, GUINT_TO_POINTER (place));
  return TRUE;
}

static IdgStatus
add_barrier (Reader *reader, const IdgXmlNode *node, uint32_t *index)
{
  const gchar *name = idg_xml_get (node, "name"), *text = idg_xml_get (node, "text");

  if (strcmp (node->name, "arrive") == 0)
    return idg_program_add_arrive (reader->program, name, text, node->line, index);
  if (name == NULL)
    return idg_program_add_barrier (reader->program, text, node->line, index);
  return idg_program_add_named_barrier (reader->program, name, idg_xml_get_whole (node, "warps", 0),
                                        text, node->line, index);
}

static gboolean
add_leaf (Reader *reader, const IdgXmlNode *node, GError **error)
{
  Origin origin = { 0, node };
  const gchar *written = idg_xml_get (node, "context");
  g_autofree gchar *context = written != NULL ? idg_mix_normalise (written) : NULL;
  IdgStatus status;

  if (idg_xml_get (node, "warps") != NULL && idg_xml_get (node, "name") == NULL)
    return idg_xml_fail (node, IDG_XML_VALUE, error,
                         "warps is for a barrier with a name; write name=\"...\", or leave warps "
                         "out: all warps of the block meet at the barrier without a name");
  if (strcmp (node->name, "i") == 0)
    status = idg_program_add_instruction (reader->program, idg_xml_get (node, "op"), context,
                                          idg_xml_get (node, "id"), idg_xml_get (node, "text"),
                                          node->line, &origin.index);
  else
    status = add_barrier (reader, node, &origin.index);
  if (status != IDG_OK)
    return fail_status (node, status, error);
  if (strcmp (node->name, "i") == 0)
    idg_program_set_stall (reader->program, origin.index, idg_xml_get_whole (node, "stall", 0));
  g_array_append_val (reader->origins, origin);
  return add_id (reader, node, error);
}

/* The children of NODE; recursion ends at the depth to which repeats may nest. */
static gboolean
add_body (Reader *reader, const IdgXmlNode *node, GError **error)
{
  for (const IdgXmlNode *child = node->first_child; child; child = child->next)
    {
      IdgStatus status;

      if (strcmp (child->name, "repeat") != 0)
        {
          if (!add_leaf (reader, child, error))
            return FALSE;
          continue;
        }
      status = idg_program_begin_repeat (reader->program, idg_xml_get_whole (child, "count", 0),
                                         child->line, NULL);
      if (status != IDG_OK)
        return fail_status (child, status, error);
      if (!add_body (reader, child, error))
        return FALSE;
      status = idg_program_end_repeat (reader->program);
      if (status != IDG_OK)
        return fail_status (child, status, error);
    }
  return TRUE;
}

/* The attribute of NODE that says what it depends on. */
static const gchar *
get_attribute (const IdgXmlNode *node)
{
  return idg_xml_get (node, "when") ? "when" : "after";
}

static gboolean
fail_unknown_id (const Reader *reader, const IdgXmlNode *node, const gchar *id, GError **error)
{
  g_autofree gchar *quoted = idg_xml_quote (id);
  g_autofree gchar *nearest = NULL;
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < reader->origins->len; i++)
    {
      const gchar *name = idg_xml_get (g_array_index (reader->origins, Origin, i).element, "id");

      if (name)
        g_ptr_array_add (names, (gpointer)name);
    }
  nearest = idg_suggest_nearest (id, (const gchar *const *)names->pdata, names->len);
  g_ptr_array_unref (names);
  return idg_xml_fail (node, IDG_XML_VALUE, error,
                       "%s names %s, which no <i> of this program has as its id; nearest: %s",
                       get_attribute (node), quoted,
                       *nearest ? nearest : "none, as there are no ids");
}

/* Finds what the WORD of an `after` names: an id as written, else an id with a distance behind it
 * (MODEL.md, section 14). Returns its place in origins, plus one, or 0. */
static guint
find_producer (const Reader *reader, const gchar *word, guint64 *distance)
{
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (reader->ids, word));
  const gchar *colon = strrchr (word, ':');
  g_autofree gchar *id = colon != NULL ? g_strndup (word, (gsize)(colon - word)) : NULL;

  *distance = 1;
  if (place > 0 || id == NULL || colon[1] == '\0')
    return place;
  for (const gchar *p = colon + 1; *p != '\0'; p++)
    if (!g_ascii_isdigit (*p))
      return 0;
  if (!idg_xml_parse_whole (colon + 1, IDG_MAX_DISTANCE, distance))
    *distance = 0;
  return GPOINTER_TO_UINT (g_hash_table_lookup (reader->ids, id));
}

static gboolean
fail_distance (const IdgXmlNode *node, const gchar *word, GError **error)
{
  g_autofree gchar *quoted = idg_xml_quote (word);

  return idg_xml_fail (node, IDG_XML_VALUE, error,
                       "%s has %s in it; a distance is a whole number from 1, the most recent "
                       "instance, to %d",
                       get_attribute (node), quoted, IDG_MAX_DISTANCE);
}

static gboolean
add_dependences (Reader *reader, const Origin *origin, GError **error)
{
  const gchar *after = idg_xml_get (origin->element, "after");
  const gchar *when = idg_xml_get (origin->element, "when");
  g_auto (GStrv) ids = after || when ? idg_xml_split (when ? when : after) : NULL;

  if (after && when)
    return idg_xml_fail (origin->element, IDG_XML_VALUE, error,
                         "it has after and when; write what it waits for in after, or what the "
                         "warp has to be ready with, and does not wait for, in when");
  if (when)
    idg_program_set_late (reader->program, origin->index);

  for (gchar **id = ids; id && *id; id++)
    {
      guint64 distance;
      guint place = find_producer (reader, *id, &distance);
      IdgStatus status;

      if (!place)
        return fail_unknown_id (reader, origin->element, *id, error);
      status = idg_program_add_distant_dependence (
          reader->program, origin->index, g_array_index (reader->origins, Origin, place - 1).index,
          distance);
      if (status == IDG_BAD_DISTANCE)
        return fail_distance (origin->element, *id, error);
      if (status != IDG_OK)
        return fail_status (origin->element, status, error);
    }
  return TRUE;
}

static gboolean
read_program (Reader *reader, const IdgXmlNode *node, GError **error)
{
  uint64_t n_dynamic;
  IdgStatus status;

  if (!add_body (reader, node, error))
    return FALSE;
  for (guint i = 0; i < reader->origins->len; i++)
    if (!add_dependences (reader, &g_array_index (reader->origins, Origin, i), error))
      return FALSE;
  status = idg_program_count_dynamic (reader->program, &n_dynamic);
  return status == IDG_OK || fail_status (node, status, error);
}

/* A list of ranges that the check of the shape has passed; NULL stays NULL. */
static GArray *
read_ranges (const gchar *text)
{
  g_auto (GStrv) words = text ? idg_xml_split (text) : NULL;
  GArray *ranges;

  if (!text)
    return NULL;
  ranges = g_array_new (FALSE, FALSE, sizeof (IdgRange));
  for (gchar **word = words; *word; word++)
    {
      IdgRange range;

      idg_kernel_parse_range (*word, &range);
      g_array_append_val (ranges, range);
    }
  return ranges;
}

/* The one that was added last, or NULL. */
static IdgProgram *
get_last_program (const IdgKernel *kernel)
{
  guint n = kernel->programs->len;

  return n > 0 ? ((const IdgKernelProgram *)g_ptr_array_index (kernel->programs, n - 1))->program
               : NULL;
}

static gboolean
add_program (IdgKernel *kernel, const IdgXmlNode *node, GError **error)
{
  Reader reader
      = { idg_program_new_beside (get_last_program (kernel)),
          g_array_new (FALSE, FALSE, sizeof (Origin)), g_hash_table_new (g_str_hash, g_str_equal) };
  gboolean done = reader.program ? read_program (&reader, node, error)
                                 : fail_status (node, IDG_NO_MEMORY, error);

  if (done)
    idg_kernel_add_program (kernel, g_steal_pointer (&reader.program), idg_xml_get (node, "name"),
                            read_ranges (idg_xml_get (node, "warps")),
                            read_ranges (idg_xml_get (node, "blocks")), node->line);
  g_hash_table_unref (reader.ids);
  g_array_unref (reader.origins);
  idg_program_free (reader.program);
  return done;
}

/* The parts of the launch that ATTRIBUTE names. */
static void
read_parts (const IdgXmlNode *node, const gchar *attribute, gboolean *threads, gboolean *blocks)
{
  const gchar *parts = idg_xml_get (node, attribute);
  gboolean both = g_strcmp0 (parts, "both") == 0;

  *threads = both || g_strcmp0 (parts, "threads") == 0;
  *blocks = both || g_strcmp0 (parts, "blocks") == 0;
}

static void
read_launch (IdgKernel *kernel, const IdgXmlNode *node)
{
  IdgLaunch *launch = &kernel->launch;

  launch->blocks = (gint64)idg_xml_get_whole (node, "blocks", 1);
  launch->threads = (gint64)idg_xml_get_whole (node, "threads", 1);
  launch->registers = (gint64)idg_xml_get_whole (node, "registers", 0);
  launch->shared_memory = (gint64)idg_xml_get_whole (node, "shared-memory", 0);
  read_parts (node, "fixed", &kernel->fixed_threads, &kernel->fixed_blocks);
  read_parts (node, "assumed", &kernel->assumed_threads, &kernel->assumed_blocks);
}

static void
read_execute (IdgKernel *kernel, const IdgXmlNode *node)
{
  IdgExecute *execute = g_new0 (IdgExecute, 1);

  execute->file = g_strdup (idg_xml_get (node, "file"));
  execute->launch = g_strdup (idg_xml_get (node, "launch"));
  execute->data = g_strdup (idg_xml_get (node, "data"));
  execute->nvcc = g_strdup (idg_xml_get (node, "nvcc"));
  execute->line = node->line;
  kernel->execute = execute;
}

/* What ties the names of barriers of all programs together. */
static gboolean
check_barriers (const IdgKernel *kernel, GError **error)
{
  g_autoptr (GArray) barriers = idg_kernel_list_barriers (kernel, error);

  return barriers != NULL;
}

static gboolean
read_children (IdgKernel *kernel, const IdgXmlNode *root, GError **error)
{
  for (const IdgXmlNode *node = root->first_child; node; node = node->next)
    if (strcmp (node->name, "launch") == 0)
      read_launch (kernel, node);
    else if (strcmp (node->name, "execute") == 0)
      read_execute (kernel, node);
    else if (strcmp (node->name, "warning") == 0)
      idg_kernel_add_warning (kernel, idg_xml_get (node, "name"), "%s", idg_xml_get (node, "text"));
    else if (strcmp (node->name, "program") == 0 && !add_program (kernel, node, error))
      return FALSE;
  return TRUE;
}

static IdgKernel *
read_kernel (IdgXmlDoc *doc, const gchar *const *settings, GError **error)
{
  const IdgXmlNode *root = idg_xml_get_root (doc);
  g_autoptr (IdgKernel) kernel = NULL;

  if (!idg_xml_check_shape (doc, idg_kernel_shapes, "kernel", error))
    return NULL;
  kernel = idg_kernel_new (idg_xml_get (root, "name"));
  kernel->title = g_strdup (idg_xml_get (root, "title"));
  kernel->file = g_strdup (idg_xml_get_file (doc));
  kernel->nearest_ops = g_strcmp0 (idg_xml_get (root, "ops"), "nearest") == 0;
  kernel->assumed_addresses = g_strcmp0 (idg_xml_get (root, "addresses"), "assumed") == 0;
  kernel->contended = g_strcmp0 (idg_xml_get (root, "memory"), "contended") == 0;
  kernel->unscheduled = g_strcmp0 (idg_xml_get (root, "scheduled"), "no") == 0;
  kernel->spread_blocks = g_strcmp0 (idg_xml_get (root, "sample"), "spread") == 0;
  if (!set_parameters (doc, kernel, settings, error) || !read_children (kernel, root, error)
      || !check_barriers (kernel, error))
    return NULL;
  return g_steal_pointer (&kernel);
}

IdgKernel *
idg_kernel_load (const gchar *path, const gchar *const *settings, GError **error)
{
  g_autoptr (IdgXmlDoc) doc = NULL;

  g_return_val_if_fail (path != NULL, NULL);
  doc = idg_xml_load (path, IDG_ERROR, error);
  return doc ? read_kernel (doc, settings, error) : NULL;
}

IdgKernel *
idg_kernel_parse (const gchar *data, gsize length, const gchar *name, const gchar *const *settings,
                  GError **error)
{
  g_autoptr (IdgXmlDoc) doc = NULL;

  g_return_val_if_fail ((data != NULL || length == 0) && name != NULL, NULL);
  doc = idg_xml_parse (data, length, name, IDG_ERROR, error);
  return doc ? read_kernel (doc, settings, error) : NULL;
}
