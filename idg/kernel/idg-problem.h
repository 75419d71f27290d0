/* SPDX-License-Identifier: MIT */
/* What went wrong with a file, for messages. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What errno NUMBER means; where a file has become larger than this process may make one, that
 * limit, too. Not freed. */
const gchar *idg_problem_describe (gint number);

G_END_DECLS
