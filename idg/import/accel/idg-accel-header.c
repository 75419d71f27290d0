/* SPDX-License-Identifier: MIT */
/* Parses the header of a trace, and lists of kernels. People may have edited either, so that
 * anything that is not needed is ignored. */
#include "idg/import/accel/idg-accel.h"
#include "idg/xml/idg-xml.h"

#include <string.h>

void
idg_accel_header_init (IdgAccelHeader *header)
{
  *header = (IdgAccelHeader){ .id = -1 };
}

void
idg_accel_header_clear (IdgAccelHeader *header)
{
  g_clear_pointer (&header->name, g_free);
}

/* Parses digits from TEXT on, with a value of at most MAX. END receives what follows. */
static gboolean
parse_whole (const gchar *text, gint64 max, gint64 *value, const gchar **end)
{
  gint64 sum = 0;

  if (!g_ascii_isdigit (*text))
    return FALSE;
  for (; g_ascii_isdigit (*text); text++)
    {
      sum = sum * 10 + (*text - '0');
      if (sum > max)
        return FALSE;
    }
  *value = sum;
  *end = text;
  return TRUE;
}

gboolean
idg_accel_parse_triple (const gchar *text, gint64 max, gint64 values[3])
{
  gboolean has_bracket = *text == '(';

  text += has_bracket;
  for (guint i = 0; i < 3; i++)
    {
      text += strspn (text, " \t");
      if (!parse_whole (text, max, &values[i], &text))
        return FALSE;
      text += strspn (text, " \t");
      if (i < 2 && *text++ != ',')
        return FALSE;
    }
  if (has_bracket && *text++ != ')')
    return FALSE;
  return *text == '\0';
}

/* Stores the product of SIDES in PRODUCT. Returns FALSE if one is 0 or the product is above MAX. */
static gboolean
multiply (const gint64 sides[3], gint64 max, gint64 *product)
{
  *product = 1;
  for (guint i = 0; i < 3; i++)
    {
      if (sides[i] < 1 || *product > max / sides[i])
        return FALSE;
      *product *= sides[i];
    }
  return TRUE;
}

static gboolean
read_triple (gint64 values[3], const IdgAccelLines *lines, const gchar *key, const gchar *value,
             gint64 max, GError **error)
{
  g_autofree gchar *quoted = NULL;
  gint64 product;

  if (idg_accel_parse_triple (value, max, values) && multiply (values, max, &product))
    return TRUE;
  quoted = idg_xml_quote (value);
  return idg_accel_fail (lines, error,
                         "%s = %s; must be three whole numbers, as in (196,1,1), whose product is "
                         "from 1 to %" G_GINT64_FORMAT,
                         key, quoted, max);
}

static gboolean
read_number (gint64 *number, const IdgAccelLines *lines, const gchar *key, const gchar *value,
             gint64 max, GError **error)
{
  g_autofree gchar *quoted = NULL;
  const gchar *end;

  if (parse_whole (value, max, number, &end) && *end == '\0')
    return TRUE;
  quoted = idg_xml_quote (value);
  return idg_accel_fail (lines, error,
                         "%s = %s; must be a whole number of at most %" G_GINT64_FORMAT, key,
                         quoted, max);
}

/* Accepts "5", and "1.2" of the oldest tracers. */
static gboolean
read_version (IdgAccelHeader *header, const IdgAccelLines *lines, const gchar *value,
              GError **error)
{
  g_autofree gchar *major = g_strndup (value, strcspn (value, "."));

  return read_number (&header->version, lines, "accelsim tracer version", major, 1000, error);
}

/* What it is in a kernel.xml, idg_import_make_name() says; it is looked for as it is here. */
static void
read_name (IdgAccelHeader *header, const gchar *value)
{
  g_free (header->name);
  header->name = idg_import_make_text (value);
}

static gboolean
read_value (IdgAccelHeader *header, const IdgAccelLines *lines, const gchar *key,
            const gchar *value, GError **error)
{
  gint64 number;

  if (strcmp (key, "kernel name") == 0)
    read_name (header, value);
  else if (strcmp (key, "kernel id") == 0)
    return read_number (&header->id, lines, key, value, G_MAXINT32, error);
  else if (strcmp (key, "grid dim") == 0)
    return read_triple (header->grid, lines, key, value, IDG_MAX_BLOCKS, error);
  else if (strcmp (key, "block dim") == 0)
    return read_triple (header->block, lines, key, value, IDG_MAX_THREADS, error);
  else if (strcmp (key, "shmem") == 0)
    return read_number (&header->shared_memory, lines, key, value, IDG_MAX_SHARED_MEMORY, error);
  else if (strcmp (key, "nregs") == 0)
    return read_number (&header->registers, lines, key, value, IDG_MAX_REGISTERS, error);
  else if (strcmp (key, "binary version") == 0)
    return read_number (&header->binary, lines, key, value, 1000, error);
  else if (strcmp (key, "accelsim tracer version") == 0)
    return read_version (header, lines, value, error);
  else if (strcmp (key, "enable lineinfo") == 0)
    {
      if (!read_number (&number, lines, key, value, 1, error))
        return FALSE;
      header->has_lines = number == 1;
    }
  return TRUE;
}

gboolean
idg_accel_header_read (IdgAccelHeader *header, const IdgAccelLines *lines, const gchar *line,
                       GError **error)
{
  const gchar *equals = strchr (line, '=');
  g_autofree gchar *key = NULL;
  g_autofree gchar *value = NULL;
  g_autofree gchar *quoted = NULL;

  if (equals)
    {
      key = g_strstrip (g_strndup (line + 1, (gsize)(equals - line - 1)));
      value = g_strstrip (g_strdup (equals + 1));
      return read_value (header, lines, key, value, error);
    }
  quoted = idg_xml_quote (line);
  return idg_accel_fail (lines, error, "%s; a line of the header reads \"-name = value\"", quoted);
}

gboolean
idg_accel_header_check (const IdgAccelHeader *header, const IdgAccelLines *lines, GError **error)
{
  const gchar *missing = NULL;

  if (header->grid[0] == 0)
    missing = "-grid dim = (X,Y,Z)";
  else if (header->block[0] == 0)
    missing = "-block dim = (X,Y,Z)";
  if (!missing)
    return TRUE;
  return idg_accel_fail (lines, error, "the header ends without a line \"%s\"", missing);
}

/* Lists. */

typedef struct
{
  gchar *listed; /* as in the list */
  gchar *path;
  gchar *label; /* "1 _Z9vectorAddPKfS0_Pfi (kernel-1.traceg)" */
  gchar *name;  /* or NULL */
  gint64 id;
} Kernel;

static void
free_kernel (gpointer data)
{
  Kernel *kernel = data;

  g_free (kernel->listed);
  g_free (kernel->path);
  g_free (kernel->label);
  g_free (kernel->name);
  g_free (kernel);
}

gboolean
idg_accel_is_list (const gchar *path)
{
  g_autofree gchar *base = g_path_get_basename (path);

  return g_str_has_prefix (base, "kernelslist");
}

/* Finds NAME in the directory of the list, with the same or another compression, since files may be
 * compressed or decompressed after the list is written. */
static gchar *
find_file (const gchar *list, const gchar *name)
{
  static const gchar *const suffixes[] = { "", ".xz", ".gz" };
  g_autofree gchar *folder = g_path_get_dirname (list);
  g_autofree gchar *bare = g_strdup (name);

  for (guint round = 0; round < 2; round++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
        {
          g_autofree gchar *full = g_strconcat (bare, suffixes[i], NULL);
          g_autofree gchar *path
              = g_path_is_absolute (full) ? g_strdup (full) : g_build_filename (folder, full, NULL);

          if (g_file_test (path, G_FILE_TEST_EXISTS))
            return g_steal_pointer (&path);
        }
      if (!g_str_has_suffix (bare, ".xz") && !g_str_has_suffix (bare, ".gz"))
        break;
      bare[strlen (bare) - 3] = '\0';
    }
  return NULL;
}

static gboolean
add_kernel (GPtrArray *kernels, const IdgAccelLines *lines, const gchar *name, GError **error)
{
  g_autofree gchar *path = find_file (idg_accel_lines_get_file (lines), name);
  g_autofree gchar *quoted = NULL;
  Kernel *kernel;

  if (!path)
    {
      quoted = idg_xml_quote (name);
      return idg_accel_fail (
          lines, error, "no file %s next to the list, nor one with .xz or .gz after it", quoted);
    }
  kernel = g_new0 (Kernel, 1);
  kernel->listed = g_utf8_make_valid (name, -1);
  kernel->path = g_steal_pointer (&path);
  g_ptr_array_add (kernels, kernel);
  return TRUE;
}

/* Recognizes the lines of a list that are no kernels: copies, communication between GPUs (in
 * programs that use several), and comments. */
static gboolean
is_no_kernel (const gchar *line)
{
  return *line == '\0' || *line == '#' || g_str_has_prefix (line, "//")
         || g_ascii_strncasecmp (line, "memcpy", 6) == 0
         || g_ascii_strncasecmp (line, "nccl", 4) == 0;
}

static gboolean
read_list (IdgAccelLines *lines, GPtrArray *kernels, GError **error)
{
  GError *problem = NULL;
  gchar *line;

  while ((line = idg_accel_lines_next (lines, &problem)))
    {
      if (is_no_kernel (line))
        continue;
      if (!g_str_has_prefix (line, "kernel") && !strstr (line, ".trace"))
        {
          g_autofree gchar *quoted = idg_xml_quote (line);

          return idg_accel_fail (lines, error,
                                 "%s; a list of kernels has lines such as kernel-1.traceg and "
                                 "MemcpyHtoD,0x7fb0fc400000,200000",
                                 quoted);
        }
      if (!add_kernel (kernels, lines, line, error))
        return FALSE;
    }
  if (problem)
    {
      g_propagate_error (error, problem);
      return FALSE;
    }
  if (kernels->len == 0)
    return idg_import_fail (idg_accel_lines_get_file (lines), 0, IDG_ERROR_SYNTAX, error,
                            "lists no kernel; one line for each was expected, as kernel-1.traceg");
  return TRUE;
}

/* Reads the kernel's name and number from its own file. */
static gboolean
read_kernel (Kernel *kernel, GError **error)
{
  g_autoptr (IdgAccelLines) lines = idg_accel_lines_open (kernel->path, error);
  IdgAccelHeader header;
  GError *problem = NULL;
  gchar *line;
  gboolean ok = lines != NULL;

  idg_accel_header_init (&header);
  while (ok && (line = idg_accel_lines_next (lines, &problem)) && *line != '#')
    if (*line == '-')
      ok = idg_accel_header_read (&header, lines, line, error);
  if (problem)
    {
      g_propagate_error (error, problem);
      ok = FALSE;
    }
  kernel->name = g_steal_pointer (&header.name);
  kernel->id = header.id;
  kernel->label = g_strdup_printf ("%" G_GINT64_FORMAT " %s (%s)", kernel->id,
                                   kernel->name ? kernel->name : "without a name", kernel->listed);
  idg_accel_header_clear (&header);
  return ok;
}

gboolean
idg_accel_is_kernel (const gchar *path, gint64 id, const gchar *name, const gchar *entry)
{
  g_autofree gchar *base = g_path_get_basename (path);
  g_autofree gchar *number = g_strdup_printf ("%" G_GINT64_FORMAT, id);

  if (g_str_has_prefix (base, entry)
      && (strcmp (base + strlen (entry), ".gz") == 0 || strcmp (base + strlen (entry), ".xz") == 0))
    return TRUE;
  return (id >= 0 && strcmp (number, entry) == 0) || strcmp (base, entry) == 0
         || strcmp (path, entry) == 0
         || (name && !g_ascii_isdigit (*entry) && strstr (name, entry));
}

/* Rates how well ENTRY matches: 2 for exactly, 1 for a part of the name, 0 for not at all. */
static guint
rate (const Kernel *kernel, const gchar *entry)
{
  if (strcmp (kernel->listed, entry) == 0 || g_strcmp0 (kernel->name, entry) == 0)
    return 2;
  if (!idg_accel_is_kernel (kernel->path, kernel->id, kernel->name, entry))
    return 0;
  return idg_accel_is_kernel (kernel->path, kernel->id, NULL, entry) ? 2 : 1;
}

#define MAX_LISTED 40

static gchar *
fail_choice (const GPtrArray *kernels, const gchar *path, const gchar *entry, gboolean several,
             GError **error)
{
  g_autofree gchar *quoted = entry ? idg_xml_quote (entry) : NULL;
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < kernels->len && i < MAX_LISTED; i++)
    {
      const Kernel *kernel = g_ptr_array_index (kernels, i);

      g_string_append_printf (list, "%s%s", i ? ", " : "", kernel->label);
    }
  if (kernels->len > MAX_LISTED)
    g_string_append_printf (list, ", and %u more", kernels->len - MAX_LISTED);
  if (!entry)
    idg_import_fail (path, 0, IDG_ERROR_VALUE, error,
                     "lists %u kernels; choose one with --entry, by number, name or file: %s",
                     kernels->len, list->str);
  else
    idg_import_fail (path, 0, IDG_ERROR_VALUE, error,
                     several ? "lists several kernels %s; choose one by number or file: %s"
                             : "lists no kernel %s; there are: %s",
                     quoted, list->str);
  g_string_free (list, TRUE);
  return NULL;
}

gchar *
idg_accel_choose_kernel (const gchar *path, const IdgImport *import, GError **error)
{
  g_autoptr (GPtrArray) kernels = g_ptr_array_new_with_free_func (free_kernel);
  g_autoptr (IdgAccelLines) lines = idg_accel_lines_open (path, error);
  const Kernel *chosen = NULL;
  guint best = 0, n_best = 0;

  if (!lines || !read_list (lines, kernels, error))
    return NULL;
  if (kernels->len == 1 && !import->entry)
    return g_strdup (((Kernel *)g_ptr_array_index (kernels, 0))->path);
  for (guint i = 0; i < kernels->len; i++)
    {
      Kernel *kernel = g_ptr_array_index (kernels, i);

      if (!read_kernel (kernel, error))
        return NULL;
      if (import->entry && rate (kernel, import->entry) > best)
        {
          best = rate (kernel, import->entry);
          n_best = 0;
        }
      if (best > 0 && rate (kernel, import->entry) == best)
        {
          chosen = kernel;
          n_best++;
        }
    }
  return n_best == 1 ? g_strdup (chosen->path)
                     : fail_choice (kernels, path, import->entry, n_best > 1, error);
}
