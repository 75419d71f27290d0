/* SPDX-License-Identifier: MIT */
/* Where an instruction accesses memory, from its name. */
#include "idg/import/ops/idg-ops-private.h"

#include <string.h>

/* Returns where OP has the word WORD, with or without `::` and more; NULL if it has not. */
static const gchar *
find_word (const gchar *op, const gchar *word)
{
  gsize length = strlen (word);

  for (const gchar *at = strchr (op, '.'); at != NULL; at = strchr (at + 1, '.'))
    if (strncmp (at + 1, word, length) == 0 && strchr (".:", at[1 + length]) != NULL)
      return at;
  return NULL;
}

/* Without a state space an address is generic: most are of global memory. */
static IdgOpsSpace
find_space (const gchar *op)
{
  if (find_word (op, "global") != NULL)
    return IDG_OPS_GLOBAL;
  if (find_word (op, "shared") != NULL)
    return IDG_OPS_SHARED;
  if (find_word (op, "local") != NULL || find_word (op, "const") != NULL
      || find_word (op, "param") != NULL || find_word (op, "async") != NULL)
    return IDG_OPS_NO_SPACE;
  return IDG_OPS_GLOBAL;
}

IdgOpsSpace
idg_ops_get_space (const gchar *op)
{
  const IdgPtxRow *row = idg_ops_find_ptx_row (op, strcspn (op, "."));

  if (row == NULL)
    return IDG_OPS_NO_SPACE;
  if (strcmp (row->name, "ldmatrix") == 0 || strcmp (row->name, "stmatrix") == 0)
    return IDG_OPS_SHARED;
  switch (row->family)
    {
    case IDG_PTX_LOAD:
    case IDG_PTX_STORE:
    case IDG_PTX_ATOMIC:
    case IDG_PTX_REDUCE:
      return find_space (op);
    case IDG_PTX_ASYNC:
      return g_str_has_prefix (op, "cp.async.ca.") || g_str_has_prefix (op, "cp.async.cg.")
                 ? IDG_OPS_GLOBAL
                 : IDG_OPS_NO_SPACE;
    case IDG_PTX_TENSOR:
      return g_str_has_prefix (op, "wmma.load") || g_str_has_prefix (op, "wmma.store")
                 ? find_space (op)
                 : IDG_OPS_NO_SPACE;
    default:
      return IDG_OPS_NO_SPACE;
    }
}

gboolean
idg_ops_is_floating_point (const gchar *op)
{
  const IdgPtxRow *row = idg_ops_find_ptx_row (op, strcspn (op, "."));
  IdgOpsValue value;

  if (row == NULL)
    return FALSE;
  if (row->family == IDG_PTX_TENSOR)
    return strncmp (op, "mma.", 4) == 0 || strstr (op, ".mma.") != NULL
           || strstr (op, ".mma_async.") != NULL;
  if (row->family != IDG_PTX_ADD && row->family != IDG_PTX_MUL && row->family != IDG_PTX_DIV
      && row->family != IDG_PTX_FUNCTION)
    return FALSE;
  idg_ops_find_value (op, &value);
  return value.type != NULL && strcmp (value.type, "int") != 0 && strcmp (row->name, "testp") != 0;
}
