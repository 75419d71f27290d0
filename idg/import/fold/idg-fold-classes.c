/* SPDX-License-Identifier: MIT */
#include "idg/import/fold/idg-fold.h"

void
idg_fold_classes_init (IdgFoldClasses *classes)
{
  classes->classes = g_array_new (FALSE, TRUE, sizeof (IdgFoldClass));
  classes->registers = g_array_new (FALSE, FALSE, sizeof (guint16));
  classes->n_pcs = 0;
}

void
idg_fold_classes_clear (IdgFoldClasses *classes)
{
  g_array_unref (classes->classes);
  g_array_unref (classes->registers);
}
