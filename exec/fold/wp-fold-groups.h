/* SPDX-License-Identifier: MIT */
/* Private to exec/fold: classes of warps that share a program. At first each is a group of its own;
 * where their programs have no room in a kernel, those with about equal work join. */
#pragma once

#include "exec/fold/wp-fold-input.h"

G_BEGIN_DECLS

typedef struct
{
  guint class; /* whose program it is: the commonest */
  WpCounts *counts;
  guint64 n_warps, total; /* warps, and the instructions that they executed */
} WpFoldGroup;

typedef struct
{
  guint n;
  WpFoldGroup *groups;
  guint32 *of; /* the group of each class */
} WpFoldGroups;

void wp_fold_groups_init (WpFoldGroups *groups, const WpFoldInput *input);
void wp_fold_groups_clear (WpFoldGroups *groups);
/* Joins each two that are next to each other in work. */
void wp_fold_groups_halve (WpFoldGroups *groups, const WpFoldInput *input);

G_END_DECLS
