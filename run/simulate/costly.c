/* SPDX-License-Identifier: MIT */
#include "run/simulate/costly.h"

#include <string.h>

#include "idg/import/ops/idg-ops.h"
#include "idg/kernel/idg-mix.h"

#define WASTEFUL 2 /* times what is needed: no misalignment does that */

/* The number that begins at TEXT. */
static guint
read_number (const gchar *text)
{
  return (guint)g_ascii_strtoull (text, NULL, 10);
}

/* Matrices that OP moves, "x4"; 0: it is another. */
static guint
count_matrices (const gchar *op)
{
  const gchar *x = g_str_has_prefix (op, "ldmatrix") || g_str_has_prefix (op, "stmatrix")
                       ? strstr (op, ".x")
                       : NULL;

  return x != NULL ? read_number (x + strlen (".x")) : 0;
}

/* Bytes of a thread. */
static guint
count_bytes (const gchar *op)
{
  IdgOpsValue value;

  idg_ops_find_value (op, &value);
  return MAX (value.bytes, 1);
}

/* Whether "access-W-A-B" has more wavefronts, or lacks more sectors, than as many bytes need. */
static gboolean
is_scattered (const gchar *op, const gchar *numbers)
{
  const gchar *sectors = strchr (numbers, '-');
  guint bytes = count_bytes (op);

  return read_number (numbers) > WASTEFUL * MAX (bytes / 4, 1)
         || (sectors != NULL && read_number (sectors + 1) > WASTEFUL * bytes);
}

static gboolean
is_costly (const gchar *op, const gchar *name)
{
  guint matrices;

  if (name == NULL || strcmp (name, "stride-1") == 0 || idg_ops_is_bulk (op))
    return FALSE;
  if (g_str_has_prefix (name, "conflict-"))
    {
      matrices = count_matrices (op);
      return read_number (name + strlen ("conflict-"))
             > (matrices > 0 ? matrices : MAX (count_bytes (op) / 4, 1));
    }
  if (g_str_has_prefix (name, "access-"))
    return is_scattered (op, name + strlen ("access-"));
  if (g_str_has_prefix (name, "sectors-"))
    return read_number (name + strlen ("sectors-")) > 4;
  return g_str_has_prefix (name, "stride-") || g_str_has_prefix (name, "random")
         || g_str_has_prefix (name, "irregular");
}

gdouble
wp_costly_find_share (const gchar *op, const gchar *context)
{
  g_autoptr (GArray) parts = NULL;
  guint64 all = 0, costly = 0;

  if (!idg_mix_is_one (context))
    return is_costly (op, context);
  parts = idg_mix_parse (context, NULL);
  for (guint i = 0; parts != NULL && i < parts->len; i++)
    {
      const IdgMixPart *part = &g_array_index (parts, IdgMixPart, i);

      all += part->weight;
      costly += is_costly (op, part->name) ? part->weight : 0;
    }
  return all > 0 ? (gdouble)costly / (gdouble)all : 0;
}
