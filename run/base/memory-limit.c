/* SPDX-License-Identifier: MIT */
/* What the system says is read from files of Linux (proc(5), and the kernel's documentation of
 * control groups, version 2: memory.max, and version 1: memory.limit_in_bytes). Elsewhere there is
 * no limit but the one that is set. */
#include "run/base/memory-limit.h"

#include "sim/gpu/wp-types.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LEAST (G_GUINT64_CONSTANT (1) << 20)
#define MOST (G_GUINT64_CONSTANT (1) << 60)

static gsize set_limit; /* atomic; 0: none was set */

gboolean
wp_memory_limit_parse (const gchar *text, guint64 *bytes)
{
  static const gchar units[] = "KMGT";
  const gchar *unit;
  gchar *end;
  gdouble value;

  if (!g_ascii_isdigit (*text) || strspn (text, "0123456789.") > 20)
    return FALSE;
  value = g_ascii_strtod (text, &end);
  if (strspn (text, "0123456789.") != (gsize)(end - text)) /* no exponents */
    return FALSE;
  unit = *end != '\0' ? strchr (units, g_ascii_toupper (*end)) : NULL;
  if (unit != NULL)
    {
      value *= (gdouble)(G_GUINT64_CONSTANT (1) << (10 * (unit - units + 1)));
      end++;
      if (g_ascii_strcasecmp (end, "iB") == 0 || g_ascii_strcasecmp (end, "B") == 0)
        end += strlen (end);
    }
  if (*end != '\0' || !(value >= (gdouble)LEAST && value <= (gdouble)MOST))
    return FALSE;
  *bytes = (guint64)value;
  return TRUE;
}

void
wp_memory_limit_set (guint64 bytes)
{
  g_atomic_pointer_set (&set_limit, (gsize)MIN (bytes, G_MAXSIZE));
}

/* ---- What there is ---- */

/* The number in FILE, of which it is the first word or stands behind KEY, which begins one of the
 * first lines; G_MAXUINT64: there is none. Each start of the program reads some such files: no
 * stream is made for them. */
static guint64
read_number (const gchar *file, const gchar *key)
{
  gchar text[1024];
  gint fd = open (file, O_RDONLY | O_CLOEXEC);
  gssize n = fd >= 0 ? read (fd, text, sizeof text - 1) : 0;
  const gchar *at = text;

  if (fd >= 0)
    close (fd);
  text[MAX (n, 0)] = '\0';
  while (key != NULL && at != NULL && !g_str_has_prefix (at, key))
    {
      at = strchr (at, '\n');
      at = at != NULL ? at + 1 : NULL;
    }
  if (at == NULL)
    return G_MAXUINT64;
  at += key != NULL ? strlen (key) : 0;
  at += strspn (at, " \t");
  return g_ascii_isdigit (*at) ? g_ascii_strtoull (at, NULL, 10) : G_MAXUINT64;
}

/* The least that FILE says of the control group at PATH below ROOT, and of those that it is in. */
static guint64
find_least (const gchar *root, const gchar *path, const gchar *file)
{
  g_autofree gchar *group = g_strdup (strcmp (path, "/") == 0 ? "" : path);
  guint64 least = G_MAXUINT64;

  for (;;)
    {
      g_autofree gchar *whole = g_strconcat (root, group, "/", file, NULL);
      gchar *last = strrchr (group, '/');
      guint64 number = read_number (whole, NULL); /* MIN() would read it twice */

      least = MIN (least, number);
      if (last == NULL)
        return least;
      *last = '\0';
    }
}

/* What the control group of the process may take: each line of the file is "ID:CONTROLLERS:PATH",
 * of version 2 without controllers. */
static guint64
find_group_limit (void)
{
  gchar line[1024];
  guint64 least = G_MAXUINT64;
  FILE *stream = fopen ("/proc/self/cgroup", "re");

  while (stream != NULL && fgets (line, sizeof line, stream) != NULL)
    {
      gchar *controllers = strchr (line, ':');
      gchar *path = controllers != NULL ? strchr (controllers + 1, ':') : NULL;
      guint64 limit = G_MAXUINT64;

      if (path == NULL)
        continue;
      *path++ = '\0';
      path[strcspn (path, "\n")] = '\0';
      if (controllers[1] == '\0')
        limit = find_least ("/sys/fs/cgroup", path, "memory.max");
      else if (strstr (controllers, "memory") != NULL)
        limit = find_least ("/sys/fs/cgroup/memory", path, "memory.limit_in_bytes");
      least = MIN (least, limit);
    }
  if (stream != NULL)
    fclose (stream);
  return least;
}

static gpointer
find_default (gpointer data)
{
  guint64 *limit = data;
  guint64 kib = read_number ("/proc/meminfo", "MemAvailable:");
  guint64 available = kib < MOST / 1024 ? kib * 1024 : G_MAXUINT64;
  guint64 group = find_group_limit ();
  guint64 there_is = MIN (available, group);

  *limit = there_is < MOST ? MAX (there_is / 4 * 3, LEAST) : G_MAXUINT64;
  return limit;
}

guint64
wp_memory_limit_get (void)
{
  static GOnce once = G_ONCE_INIT;
  static guint64 found;
  gsize set = g_atomic_pointer_get (&set_limit);

  if (set > 0)
    return set;
  g_once (&once, find_default, &found);
  return found;
}

/* The bytes that the process takes now; 0 where nobody knows. */
static guint64
find_taken (void)
{
  guint64 pages = 0;
  gchar line[128];
  FILE *stream = fopen ("/proc/self/statm", "re");

  if (stream == NULL)
    return 0;
  if (fgets (line, sizeof line, stream) != NULL && strchr (line, ' ') != NULL)
    pages = g_ascii_strtoull (strchr (line, ' '), NULL, 10); /* the second: resident */
  fclose (stream);
  return pages * (guint64)sysconf (_SC_PAGESIZE);
}

guint64
wp_memory_limit_get_left (guint at_once)
{
  guint64 limit = wp_memory_limit_get (), taken;

  if (limit == G_MAXUINT64 || at_once > 0)
    return limit / MAX (at_once, 1);
  taken = find_taken ();
  return limit > taken ? limit - taken : 0;
}

/* ---- Messages ---- */

gchar *
wp_memory_limit_format (guint64 bytes)
{
  static const gchar *const units[] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
  gdouble value = (gdouble)bytes / 1024;
  gchar number[G_ASCII_DTOSTR_BUF_SIZE];
  guint i = 0;

  for (; value >= 1024 && i + 1 < G_N_ELEMENTS (units); i++)
    value /= 1024;
  g_ascii_formatd (number, sizeof number, value < 100 ? "%.3g" : "%.0f", value);
  return g_strdup_printf ("%s %s", number, units[i]);
}

void
wp_memory_limit_refuse (const gchar *what, guint64 needed, guint at_once, GError **error)
{
  g_autofree gchar *each = wp_memory_limit_format (needed);
  g_autofree gchar *taken = wp_memory_limit_format (find_taken ());
  g_autofree gchar *limit = wp_memory_limit_format (wp_memory_limit_get ());
  g_autofree gchar *who = at_once > 1 ? g_strdup_printf ("each of %u runs side by side", at_once)
                                      : g_strdup ("the run");

  g_set_error (error, WP_ERROR, WP_ERROR_MEMORY,
               "%s: %s would take %s of memory besides the %s in use, and the limit is %s "
               "(--memory-limit%s); fewer SMs (--sms), fewer warps at a time (--occupancy), or a "
               "GPU of fewer schedulers and pipelines%s take less",
               what, who, each, taken, limit,
               g_atomic_pointer_get (&set_limit) == 0 ? ", three quarters of what there is" : "",
               at_once > 1 ? ", or fewer cores (--cores)," : "");
}
