/* SPDX-License-Identifier: MIT */
/* Compares what the name of an instruction says of its values (idg-ops.h) with what the op says for
 * which it has figures, by its name and by its width. */
#include "sim/gpu/wp-match.h"

#include "idg/import/ops/idg-ops.h"
#include "idg/xml/idg-xml.h"

#include <string.h>

/* An instruction that moves WANTED. */
static void
match_bytes (const IdgOpsValue *wanted, const IdgOpsValue *had, WpMatch *match)
{
  if (match->op->width == 0 && wanted->bytes != had->bytes)
    match->loss = WP_LOSS_BYTES;
  if (match->op->width != 0)
    match->bytes = wanted->bytes;
}

/* Tells whether TYPE is one of those for which an op without a type stands: integers, and single
 * precision unless the description has it apart. Other precisions have other units. */
static gboolean
is_plain (const gchar *type)
{
  return strcmp (type, "int") == 0 || strcmp (type, "f32") == 0;
}

/* An instruction that computes WANTED. */
static void
match_type (const IdgOpsValue *wanted, const IdgOpsValue *had, WpMatch *match)
{
  if (strcmp (wanted->type, "pred") == 0)
    return;
  if (strcmp (wanted->type, had->type) != 0
      && (had->is_said || !is_plain (wanted->type) || !is_plain (had->type)))
    match->loss = WP_LOSS_TYPE;
  else
    match_bytes (wanted, had, match);
}

/* A conversion NAME, or another instruction of several types, that runs as an op for HAD. The op
 * holds if it names a type, as mma.sync.m16n8k16.f32.f16 does, or represents the conversion. One
 * without a type stands for conversions of 4 bytes at most, and no half precision. */
static void
match_conversion (const gchar *name, const IdgOpsValue *had, WpMatch *match)
{
  g_autofree gchar *canonical = idg_ops_canonize_ptx (name, NULL);
  const gchar *representative = idg_ops_get_representative (canonical);
  gboolean is_narrow = representative != NULL && strstr (representative, "64") == NULL;

  if (g_strcmp0 (match->op->name, representative) == 0 || match->op->width == WP_WIDTH_ANY)
    return;
  if (had->is_said ? representative != NULL && !is_narrow && had->bytes < 8
                   : !is_narrow || strstr (canonical, "f16") != NULL)
    match->loss = WP_LOSS_TYPE;
}

/* Returns the first word of NAME after a dot that PTX does not have, or NULL; LENGTH receives its
 * length. */
static const gchar *
find_unknown_word (const gchar *name, gsize *length)
{
  for (const gchar *at = strchr (name, '.'); at != NULL; at = strchr (at + 1, '.'))
    {
      g_autofree gchar *word = g_strndup (at + 1, *length = strcspn (at + 1, "."));

      if (*length == 0 || idg_ops_suffix_kind (word) == IDG_SUFFIX_UNKNOWN)
        return at + 1;
    }
  return NULL;
}

WpMatch
wp_match_with (const WpGpuOp *op, const gchar *name)
{
  WpMatch match = { op, 0, WP_LOSS_NONE };
  IdgOpsValue wanted, had;
  gsize length;

  if (op == NULL || strcmp (op->name, name) == 0)
    return match;
  idg_ops_find_value (name, &wanted);
  idg_ops_find_value (op->name, &had);
  if (had.use == IDG_OPS_NO_VALUE)
    return match; /* not PTX, as `memory` is */
  if (find_unknown_word (name, &length) != NULL)
    match.loss = WP_LOSS_TYPE;
  if (!wanted.is_said)
    return match;
  switch (wanted.use)
    {
    case IDG_OPS_MOVES:
      match_bytes (&wanted, &had, &match);
      break;
    case IDG_OPS_COMPUTES:
      match_type (&wanted, &had, &match);
      break;
    case IDG_OPS_CONVERTS:
      match_conversion (name, &had, &match);
      break;
    case IDG_OPS_NO_VALUE:
    default:
      break;
    }
  return match;
}

WpMatch
wp_match_find (const WpGpu *gpu, const gchar *name)
{
  return wp_match_with (wp_gpu_look_up_op (gpu, name), name);
}

/* ---- Names that cannot be right ---- */

gboolean
wp_match_check_name (const WpGpu *gpu, const gchar *name, GError **error)
{
  g_autofree gchar *word = NULL, *meant = NULL;
  const gchar *unknown;
  IdgOpsValue value;
  gsize length;

  idg_ops_find_value (name, &value);
  if (value.type == NULL || wp_gpu_get_op (gpu, name) != NULL)
    return TRUE;
  unknown = find_unknown_word (name, &length);
  if (unknown == NULL)
    return TRUE;
  word = g_strndup (unknown, length);
  meant = g_strdup_printf ("%.*s%s%s", (int)(unknown - name), name, idg_ops_suffix_nearest (word),
                           unknown + length);
  g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
               "op \"%s\": PTX has no \"%s\" there; did you mean \"%s\"?", name, word, meant);
  return FALSE;
}
