/* SPDX-License-Identifier: MIT */
/* Reads what `ptxas -v` prints about a kernel. That takes several lines, and a log may contain
 * several kernels for several targets:
 *
 *   ptxas info    : Compiling entry function '_Z3addPf' for 'sm_80'
 *   ptxas info    : Function properties for _Z3addPf
 *       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
 *   ptxas info    : Used 12 registers, used 1 barriers, 1024 bytes smem, 380 bytes cmem[0]
 *
 * The numbers are on the first line with "Used N registers" after the kernel's name and before the
 * next kernel's. Before CUDA 5, the second line is missing; for sm_1x, bytes are "1024+16 bytes
 * smem", where the second number is the size of the parameters. It is not known which target the
 * user means: if targets differ, that is an error. */
#include <string.h>

#include "idg/import/ptx/idg-ptx.h"
#include "idg/xml/idg-text.h"

typedef struct
{
  gint64 registers, shared_memory;
  gchar *target;
} Usage;

static void
usage_clear (gpointer data)
{
  g_free (((Usage *)data)->target);
}

/* Parses the words in quotes after PREFIX in LINE: 'NAME' for 'TARGET'. */
static gboolean
read_heading (const gchar *line, gchar **name, gchar **target)
{
  const gchar *at = strstr (line, "Compiling entry function '");
  g_auto (GStrv) parts = at ? g_strsplit (at, "'", 5) : NULL;

  if (!parts || g_strv_length (parts) < 3)
    return FALSE;
  *name = g_strdup (parts[1]);
  *target = g_strdup (g_strv_length (parts) > 4 ? parts[3] : "");
  return TRUE;
}

static gint64
read_count (const gchar *text, gint64 max)
{
  return (gint64)MIN (g_ascii_strtoull (text, NULL, 10), (guint64)max);
}

/* Parses "Used 12 registers, ..., 1024+16 bytes smem". */
static gboolean
read_figures (const gchar *line, Usage *usage)
{
  const gchar *at = strstr (line, "Used ");
  g_auto (GStrv) parts = NULL;

  if (!at || !strstr (at, " registers"))
    return FALSE;
  usage->registers = read_count (at + strlen ("Used "), IDG_MAX_REGISTERS);
  usage->shared_memory = 0;
  parts = g_strsplit (at, ",", 32);
  for (gchar **part = parts; *part; part++)
    if (strstr (*part, "bytes smem"))
      {
        const gchar *figure = g_strchug (*part);
        const gchar *plus = strchr (figure, '+');

        usage->shared_memory = read_count (figure, IDG_MAX_SHARED_MEMORY);
        if (plus)
          usage->shared_memory
              = MIN (usage->shared_memory + read_count (plus + 1, IDG_MAX_SHARED_MEMORY),
                     IDG_MAX_SHARED_MEMORY);
      }
  return TRUE;
}

/* Returns the line at TEXT as a string, cut at 4096 bytes, and advances TEXT to the next line, or
 * to NULL at the end. */
static gchar *
take_line (const gchar **text)
{
  const gchar *end = strchr (*text, '\n');
  gsize length = end ? (gsize)(end - *text) : strlen (*text);
  gchar *line = g_strndup (*text, MIN (length, 4096));

  *text = end ? end + 1 : NULL;
  return line;
}

/* Returns what TEXT says about ENTRY, for each target. */
static GArray *
collect (const gchar *text, const gchar *entry)
{
  GArray *usages = g_array_new (FALSE, FALSE, sizeof (Usage));
  g_autofree gchar *name = NULL;
  g_autofree gchar *target = NULL;

  g_array_set_clear_func (usages, usage_clear);
  while (text)
    {
      g_autofree gchar *line = take_line (&text);
      Usage usage = { 0, 0, NULL };
      gchar *heading, *machine;

      if (read_heading (line, &heading, &machine))
        {
          g_free (name);
          g_free (target);
          name = heading;
          target = machine;
        }
      else if (name && strcmp (name, entry) == 0 && read_figures (line, &usage))
        {
          usage.target = g_steal_pointer (&target);
          g_array_append_val (usages, usage);
          g_clear_pointer (&name, g_free);
        }
    }
  return usages;
}

static gboolean
fail_differing (const gchar *log, const gchar *entry, const GArray *usages, GError **error)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < usages->len; i++)
    {
      const Usage *usage = &g_array_index (usages, Usage, i);

      g_string_append_printf (list,
                              "%s%.20s (%" G_GINT64_FORMAT " registers, %" G_GINT64_FORMAT
                              " bytes of shared memory)",
                              i > 0 ? ", " : "", usage->target ? usage->target : "",
                              usage->registers, usage->shared_memory);
      if (list->len > 500)
        break;
    }
  idg_import_fail (log, 0, IDG_ERROR_VALUE, error,
                   "%.80s occurs several times, with different numbers: %s; leave one of them",
                   entry, list->str);
  g_string_free (list, TRUE);
  return FALSE;
}

static gboolean
choose (const gchar *log, const gchar *entry, const GArray *usages, gint64 *registers,
        gint64 *shared_memory, GError **error)
{
  const Usage *first;

  if (usages->len == 0)
    return idg_import_fail (log, 0, IDG_ERROR_VALUE, error,
                            "nothing about %.80s; `ptxas -v` says \"Compiling entry function\" and "
                            "\"Used N registers\"",
                            entry);
  first = &g_array_index (usages, Usage, 0);
  for (guint i = 1; i < usages->len; i++)
    if (g_array_index (usages, Usage, i).registers != first->registers
        || g_array_index (usages, Usage, i).shared_memory != first->shared_memory)
      return fail_differing (log, entry, usages, error);
  *registers = first->registers;
  *shared_memory = first->shared_memory;
  return TRUE;
}

gboolean
idg_ptxas_log_read (const gchar *log, const gchar *entry, gint64 *registers, gint64 *shared_memory,
                    GError **error)
{
  g_autoptr (GByteArray) bytes = idg_text_read (log, IDG_ERROR, error);
  g_autoptr (GArray) usages = NULL;
  g_autofree gchar *text = NULL;

  if (!bytes)
    return FALSE;
  if (memchr (bytes->data, '\0', bytes->len))
    return idg_import_fail (log, 0, IDG_ERROR_SYNTAX, error,
                            "a NUL byte; what `ptxas -v` prints is text");
  text = g_strndup ((const gchar *)bytes->data, bytes->len);
  usages = collect (text, entry);
  return choose (log, entry, usages, registers, shared_memory, error);
}
