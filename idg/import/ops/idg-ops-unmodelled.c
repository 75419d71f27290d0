/* SPDX-License-Identifier: MIT */
/* What takes time on a GPU that no op of a description stands for: waits through memory, engines
 * beside the SM's pipelines, code that is not in the listing. */
#include "idg/import/ops/idg-ops.h"

#include <string.h>

typedef struct
{
  const gchar *words; /* the first words of an op, or words anywhere in it, with dots around */
  const gchar *what;
} Row;

/* The first that fits counts. */
static const Row begins[] = {
  { "cp.async.bulk.commit_group", "waits for groups of bulk copies" },
  { "cp.async.bulk", "bulk copies" },
  { "cp.reduce.async", "bulk copies" },
  { "cp.async.mbarrier", "waits through mbarrier" },
  { "mbarrier", "waits through mbarrier" },
  { "wgmma", "wgmma" },
  { "tcgen05", "tcgen05" },
  { "barrier.cluster", "clusters" },
  { "mapa", "clusters" },
  { "getctarank", "clusters" },
  { "clusterlaunchcontrol", "clusters" },
  { "multimem", "clusters" },
  { "griddepcontrol", "waits for other grids" },
  { "nanosleep", "nanosleep" },
  { "setmaxnreg", "waits for registers" },
  { "call", "calls of functions that the listing lacks" },
};
static const Row within[] = {
  { ".shared::cluster.", "clusters" },
  { ".async.", "asynchronous stores" },
  { ".bulk.", "bulk copies" },
};

/* Tells whether OP begins with WORDS, whole ones. */
static gboolean
begins_with (const gchar *op, const gchar *words)
{
  gsize length = strlen (words);

  return strncmp (op, words, length) == 0 && (op[length] == '.' || op[length] == '\0');
}

const gchar *
idg_ops_get_unmodelled (const gchar *op)
{
  static const gchar *const copies[] = { "cp.async.ca", "cp.async.cg", "cp.async.commit_group",
                                         "cp.async.wait_group", "cp.async.wait_all" };

  for (gsize i = 0; i < G_N_ELEMENTS (copies); i++)
    if (begins_with (op, copies[i]))
      return NULL;
  for (gsize i = 0; i < G_N_ELEMENTS (begins); i++)
    if (begins_with (op, begins[i].words))
      return begins[i].what;
  for (gsize i = 0; i < G_N_ELEMENTS (within); i++)
    if (strstr (op, within[i].words) != NULL)
      return within[i].what;
  return NULL;
}
