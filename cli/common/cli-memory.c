/* SPDX-License-Identifier: MIT */
/* Runs ask how much they will take (run/base/memory-limit.h). For all that nobody can know
 * beforehand, how large a file becomes once it is read, what is recorded of a run, the system is
 * asked to refuse more: what it refuses is an error like any other that memory is out. Address
 * space is not limited, as what is only reserved costs nothing. */
#include "cli/common/cli-memory.h"

#include "run/base/memory-limit.h"

#ifdef __linux__
#include <sys/resource.h>
#endif

/* Besides what is counted: stacks of threads, and what malloc() keeps. */
#define ROOM (G_GUINT64_CONSTANT (256) << 20)

static gchar note[64]; /* written before there are threads */

/* Sanitizers reserve more than any machine has. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)                            \
    || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

static void
limit_data (guint64 bytes)
{
#if defined(__linux__) && defined(RLIMIT_DATA) && !defined(IS_SANITIZED)
  struct rlimit limit;

  if (bytes > G_MAXINT64 - ROOM || getrlimit (RLIMIT_DATA, &limit) != 0)
    return;
  if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur <= bytes + ROOM)
    return; /* somebody has asked for less */
  limit.rlim_cur = bytes + ROOM;
  setrlimit (RLIMIT_DATA, &limit); /* else the runs' own question is all there is */
#else
  (void)bytes;
#endif
}

gboolean
wp_cli_limit_memory (const gchar *value)
{
  guint64 bytes = 0;

  if (value != NULL && !wp_memory_limit_parse (value, &bytes))
    return FALSE;
  wp_memory_limit_set (bytes);
  limit_data (wp_memory_limit_get ());
  if (value != NULL)
    g_snprintf (note, sizeof note, " (--memory-limit %s)", value);
  return TRUE;
}

const gchar *
wp_cli_get_memory_limit_note (void)
{
  return note;
}
