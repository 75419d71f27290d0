/* SPDX-License-Identifier: MIT */
/* Scopes of names. Braces in a body open a scope, whose registers, parameters and labels hide outer
 * ones of the same name. Inline assembly depends on that, since a macro that is used ten times
 * declares its registers and labels ten times.
 *
 * `.reg .b32 %r<100000>` declares many names that are never used: it is stored as a range, and a
 * name in it is declared when it is first used. */
#include <string.h>

#include "idg/import/ptx/idg-ptx-body.h"

typedef struct
{
  guint64 count;
  guint width;
} Range;

/* The place of a label, or a list of labels. */
typedef struct
{
  guint label;
  GPtrArray *list; /* or NULL */
} Place;

struct IdgPtxScope
{
  IdgPtxScope *outer;
  GHashTable *names;  /* name -> IdgPtxDeclared; NULL if empty, as are the next two */
  GHashTable *ranges; /* prefix -> Range */
  GHashTable *places; /* name -> Place */
};

static void
place_free (gpointer data)
{
  Place *place = data;

  g_clear_pointer (&place->list, g_ptr_array_unref);
  g_free (place);
}

void
idg_ptx_scope_free (gpointer data)
{
  IdgPtxScope *scope = data;

  g_clear_pointer (&scope->names, g_hash_table_unref);
  g_clear_pointer (&scope->ranges, g_hash_table_unref);
  g_clear_pointer (&scope->places, g_hash_table_unref);
  g_free (scope);
}

gboolean
idg_ptx_scope_open (IdgPtxBody *body, GError **error)
{
  IdgPtxScope *scope;

  if (body->depth >= IDG_PTX_MAX_DEPTH)
    return idg_import_fail (body->module->file, body->lexer.token.line, IDG_ERROR_VALUE, error,
                            "{ nested deeper than %d, which no code needs", IDG_PTX_MAX_DEPTH);
  if (!idg_ptx_spend (body->module, &body->lexer, 1, error))
    return FALSE;
  scope = g_new0 (IdgPtxScope, 1);
  scope->outer = body->scope;
  g_ptr_array_add (body->scopes, scope);
  body->scope = scope;
  body->depth++;
  return TRUE;
}

/* The scope is not freed yet, because branches in it may still wait for outer labels. */
void
idg_ptx_scope_close (IdgPtxBody *body)
{
  body->scope = body->scope->outer;
  body->depth--;
}

/* Names. */

static IdgPtxDeclared *
declare (IdgPtxScope *scope, const gchar *name, IdgPtxDeclaredKind kind, guint index, guint width)
{
  IdgPtxDeclared *declared = g_new (IdgPtxDeclared, 1);

  *declared = (IdgPtxDeclared){ kind, index, width };
  if (!scope->names)
    scope->names = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_hash_table_replace (scope->names, (gpointer)name, declared);
  return declared;
}

void
idg_ptx_scope_declare (IdgPtxBody *body, const gchar *name, IdgPtxDeclaredKind kind, guint index,
                       guint width)
{
  declare (body->scope, name, kind, index, width);
}

void
idg_ptx_scope_declare_range (IdgPtxBody *body, const gchar *prefix, guint64 count, guint width)
{
  Range *range = g_new (Range, 1);

  *range = (Range){ count, width };
  if (!body->scope->ranges)
    body->scope->ranges = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_hash_table_replace (body->scope->ranges, (gpointer)prefix, range);
}

/* Returns the range of SCOPE that contains NAME: "r1" may be followed by <20>, "r" by <200>.
 * Numbers have no leading zeros. */
static const Range *
find_range (const IdgPtxScope *scope, const gchar *name)
{
  gsize length = strlen (name);
  guint64 value = 0, power = 1;

  if (!scope->ranges)
    return NULL;
  for (gsize n = length; n > 0 && length - n < 10 && g_ascii_isdigit (name[n - 1]); n--)
    {
      g_autofree gchar *prefix = g_strndup (name, n - 1);
      const Range *range = g_hash_table_lookup (scope->ranges, prefix);

      value += power * (guint64)(name[n - 1] - '0');
      power *= 10;
      if (range && value < range->count && (name[n - 1] != '0' || n == length))
        return range;
    }
  return NULL;
}

static void
name_register (IdgPtxBody *body, IdgPtxDeclared *declared, const gchar *name)
{
  GPtrArray *registers = body->function->registers;

  declared->index = registers->len;
  for (guint i = 0; i < declared->width; i++)
    g_ptr_array_add (registers, (gpointer)name);
}

const IdgPtxDeclared *
idg_ptx_scope_find (IdgPtxBody *body, const gchar *name)
{
  IdgPtxDeclared *declared = NULL;

  for (IdgPtxScope *scope = body->scope; scope && !declared; scope = scope->outer)
    {
      const Range *range;

      declared = scope->names ? g_hash_table_lookup (scope->names, name) : NULL;
      if (!declared && (range = find_range (scope, name)) != NULL)
        declared = declare (scope, g_string_chunk_insert_const (body->module->strings, name),
                            IDG_PTX_DECLARED_REGISTER, IDG_PTX_NONE, range->width);
    }
  if (declared && declared->kind == IDG_PTX_DECLARED_REGISTER && declared->index == IDG_PTX_NONE)
    name_register (body, declared, g_string_chunk_insert_const (body->module->strings, name));
  return declared;
}

/* Labels. */

static gboolean
add_place (IdgPtxBody *body, const gchar *name, Place place, gint line, GError **error)
{
  IdgPtxScope *scope = body->scope;

  if (!scope->places)
    scope->places = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, place_free);
  if (g_hash_table_contains (scope->places, name))
    {
      g_clear_pointer (&place.list, g_ptr_array_unref);
      return idg_import_fail (body->module->file, line, IDG_ERROR_VALUE, error,
                              "the label %.80s is defined already; a scope has one of each name",
                              name);
    }
  g_hash_table_insert (scope->places, (gpointer)name, g_memdup2 (&place, sizeof place));
  return TRUE;
}

gboolean
idg_ptx_scope_add_label (IdgPtxBody *body, const gchar *name, gint line, GError **error)
{
  IdgPtxLabel label = { name, line };
  IdgPtxStatement statement = { .is_label = TRUE, .line = line };
  GArray *labels = body->function->labels;

  statement.index = labels->len;
  if (!idg_ptx_spend (body->module, &body->lexer, 1, error)
      || !add_place (body, name, (Place){ labels->len, NULL }, line, error))
    return FALSE;
  g_array_append_val (labels, label);
  g_array_append_val (body->function->statements, statement);
  return TRUE;
}

gboolean
idg_ptx_scope_add_list (IdgPtxBody *body, const gchar *name, GPtrArray *labels, gint line,
                        GError **error)
{
  return add_place (body, name, (Place){ IDG_PTX_NONE, labels }, line, error);
}

static const Place *
find_place (const IdgPtxScope *scope, const gchar *name)
{
  for (; scope; scope = scope->outer)
    {
      const Place *place = scope->places ? g_hash_table_lookup (scope->places, name) : NULL;

      if (place)
        return place;
    }
  return NULL;
}

static gboolean
add_target (IdgPtxBody *body, const IdgPtxPending *pending, const gchar *name, GError **error)
{
  const Place *place = find_place (pending->scope, name);

  if (!place || place->list)
    return idg_import_fail (body->module->file, pending->line, IDG_ERROR_VALUE, error,
                            "no label is called %.80s; a branch goes to a label of its function",
                            name);
  g_array_append_val (body->function->targets, place->label);
  return TRUE;
}

static gboolean
resolve_one (IdgPtxBody *body, const IdgPtxPending *pending, GError **error)
{
  IdgPtxFunction *function = body->function;
  IdgPtxStatement *statement
      = &g_array_index (function->statements, IdgPtxStatement, pending->statement);
  const Place *place = find_place (pending->scope, pending->name);
  const GPtrArray *list = place ? place->list : NULL;

  statement->first_target = function->targets->len;
  statement->n_targets = list ? list->len : 1;
  if (!list)
    return add_target (body, pending, pending->name, error);
  if (!idg_ptx_spend_operands (body->module, &body->lexer, list->len, error))
    return FALSE;
  for (guint i = 0; i < list->len; i++)
    if (!add_target (body, pending, g_ptr_array_index (list, i), error))
      return FALSE;
  return TRUE;
}

gboolean
idg_ptx_scope_resolve (IdgPtxBody *body, GError **error)
{
  for (guint i = 0; i < body->pending->len; i++)
    if (!resolve_one (body, &g_array_index (body->pending, IdgPtxPending, i), error))
      return FALSE;
  return TRUE;
}
