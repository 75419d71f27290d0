/* SPDX-License-Identifier: MIT */
#include "idg/kernel/idg-problem.h"

#include <errno.h>
#include <sys/resource.h>

const gchar *
idg_problem_describe (gint number)
{
  struct rlimit limit;
  g_autofree gchar *text = NULL;

  if (number != EFBIG || getrlimit (RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return g_strerror (number);
  text = g_strdup_printf ("%s (this process may write files of at most %" G_GUINT64_FORMAT
                          " bytes: ulimit -f)",
                          g_strerror (number), (guint64)limit.rlim_cur);
  return g_intern_string (text);
}
