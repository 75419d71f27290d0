/* SPDX-License-Identifier: MIT */
/* Private: asynchronous copies (cp.async) and what waits for them. A wait names groups of copies,
 * counted from the last one committed; a program names copies, each by how many of its instances
 * ago it was. */
#pragma once

#include "idg/import/flow/idg-walk.h"

G_BEGIN_DECLS

/* A step that waits for a copy: its DISTANCE-th most recent instance. */
typedef struct
{
  guint wait, copy; /* steps */
  guint distance;   /* 1 .. IDG_MAX_DISTANCE */
} IdgAsyncWait;

/* Returns what the waits among STEPS, a path through CODE, wait for (a GArray of IdgAsyncWait, by
 * wait and copy): in every round of every loop at least for all copies that they name, and no
 * earlier wait did. Where a wait thereby waits for more in some round, a note of IMPORT says so.
 * Free with g_array_unref(). A loop is followed until its rounds repeat. Where that takes more than
 * some 2^22 steps, each wait is for the last instance of every copy; NULL if these are too many. */
GArray *idg_async_find (const IdgCode *code, const GArray *steps, IdgImport *import);

G_END_DECLS
