/* SPDX-License-Identifier: MIT */
/* Reads the table of compute capabilities. A table of columns says where each value goes and what
 * range it has, so that reading is one loop. Checks across columns follow. There is no search for
 * the nearest capability: 8.7 is not 8.6. */
#include "sim/gpu/wp-capability.h"

#include "idg/xml/idg-text.h"
#include "idg/xml/idg-xml.h"
#include "sim/gpu/wp-gpu-private.h"

#include <string.h>

#define WARP_SIZE 32
/* Keeps the threads of an SM within WP_MAX_RESOURCE. */
#define MAX_WARPS (WP_MAX_RESOURCE / WARP_SIZE)

typedef struct
{
  const gchar *name;
  gsize offset; /* in WpGpuLimits */
  guint64 min, max;
} Column;

#define COLUMN(name, field, min, max)                                                              \
  {                                                                                                \
    name, G_STRUCT_OFFSET (WpGpuLimits, field), min, max                                           \
  }

/* The first column is the capability's name. */
static const Column columns[] = {
  { "cc", 0, 0, 0 },
  COLUMN ("warps_per_sm", warps, 1, MAX_WARPS),
  COLUMN ("blocks_per_sm", blocks, 1, WP_MAX_RESOURCE),
  COLUMN ("shared_per_sm", shared_memory, 1, WP_MAX_RESOURCE),
  COLUMN ("shared_per_block", shared_memory_per_block, 1, WP_MAX_RESOURCE),
  COLUMN ("registers_per_sm", registers, 1, WP_MAX_RESOURCE),
  COLUMN ("register_unit", register_allocation, 1, WP_MAX_RESOURCE),
  COLUMN ("registers_per_thread", registers_per_thread, 1, WP_MAX_RESOURCE),
  COLUMN ("shared_unit", shared_memory_allocation, 1, WP_MAX_RESOURCE),
  COLUMN ("register_partitions", register_partitions, 1, WP_MAX_PARTITIONS),
  COLUMN ("shared_reserved", shared_memory_reserved, 0, WP_MAX_RESOURCE),
};
#define N_COLUMNS G_N_ELEMENTS (columns)
#define REGISTER_UNIT G_STRUCT_OFFSET (WpGpuLimits, register_allocation)

typedef struct
{
  const gchar *file;
  gint line;
  GPtrArray *table;
  gboolean has_header;
} Reader;

static gboolean fail (const Reader *reader, GError **error, const gchar *format, ...)
    G_GNUC_PRINTF (3, 4);

static gboolean
fail (const Reader *reader, GError **error, const gchar *format, ...)
{
  g_autofree gchar *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, WP_ERROR, WP_ERROR_VALUE, "%s:%d: %s", reader->file, reader->line, message);
  return FALSE;
}

static void
free_capability (gpointer data)
{
  WpCapability *capability = data;

  g_free (capability->name);
  g_ptr_array_unref (capability->doubtful);
  g_free (capability);
}

static const WpCapability *
look_up (const GPtrArray *table, const gchar *name)
{
  for (guint i = 0; i < table->len; i++)
    {
      const WpCapability *capability = g_ptr_array_index (table, i);

      if (strcmp (capability->name, name) == 0)
        return capability;
    }
  return NULL;
}

/* ---- Rows ---- */

/* Tells whether TEXT is like "8.6": two numbers of one or two digits each. */
static gboolean
is_capability (const gchar *text)
{
  const gchar *point = strchr (text, '.');
  gsize before = strspn (text, "0123456789");
  gsize after = point != NULL ? strspn (point + 1, "0123456789") : 0;

  return point == text + before && before >= 1 && before <= 2 && after >= 1 && after <= 2
         && point[1 + after] == '\0';
}

static gboolean
read_name (const Reader *reader, const gchar *value, WpCapability *capability, GError **error)
{
  g_autofree gchar *quoted = idg_xml_quote (value);

  if (!is_capability (value))
    return fail (reader, error, "cc %s must be a compute capability, such as 8.6", quoted);
  if (look_up (reader->table, value) != NULL)
    return fail (reader, error, "cc %s occurs a second time; each must have one row", quoted);
  capability->name = g_strdup (value);
  return TRUE;
}

/* Removes SUFFIX from the end of TEXT. Returns FALSE if it is not there. */
static gboolean
cut (gchar *text, const gchar *suffix)
{
  if (!g_str_has_suffix (text, suffix))
    return FALSE;
  text[strlen (text) - strlen (suffix)] = '\0';
  return TRUE;
}

static gboolean
read_value (const Reader *reader, const Column *column, const gchar *value,
            WpCapability *capability, GError **error)
{
  g_autofree gchar *digits = g_strdup (value);
  g_autofree gchar *quoted = idg_xml_quote (value);
  gboolean is_unit = column->offset == REGISTER_UNIT;
  guint64 number;

  if (cut (digits, "*"))
    g_ptr_array_add (capability->doubtful, (gpointer)column->name);
  if (is_unit)
    capability->limits.register_per_block = cut (digits, "/block");
  if (!idg_xml_parse_whole (digits, column->max, &number) || number < column->min)
    return fail (reader, error,
                 "%s %s must be a whole number from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
                 "%s, and may have a * after it",
                 column->name, quoted, column->min, column->max,
                 is_unit ? ", \"/block\" after it if it is for each block" : "");
  G_STRUCT_MEMBER (gint64, &capability->limits, column->offset) = (gint64)number;
  return TRUE;
}

/* Checks the values of a row against each other, and fills in what has no column. */
static gboolean
finish_row (const Reader *reader, WpCapability *capability, GError **error)
{
  WpGpuLimits *limits = &capability->limits;

  if (limits->shared_memory_per_block > limits->shared_memory)
    return fail (reader, error,
                 "shared_per_block %" G_GINT64_FORMAT " must be at most the %" G_GINT64_FORMAT
                 " of shared_per_sm",
                 limits->shared_memory_per_block, limits->shared_memory);
  if (limits->register_per_block && limits->register_partitions > 1)
    return fail (reader, error,
                 "register_partitions %" G_GINT64_FORMAT
                 " must be 1 where register_unit is for each block",
                 limits->register_partitions);
  limits->threads = limits->warps * WARP_SIZE;
  limits->threads_per_block = g_ascii_strtoull (capability->name, NULL, 10) == 1 ? 512 : 1024;
  return TRUE;
}

static gboolean
read_row (Reader *reader, gchar **values, GError **error)
{
  WpCapability *capability = g_new0 (WpCapability, 1);
  gboolean done;

  capability->doubtful = g_ptr_array_new ();
  done = read_name (reader, values[0], capability, error);
  for (gsize i = 1; done && i < N_COLUMNS; i++)
    done = read_value (reader, &columns[i], values[i], capability, error);
  done = done && finish_row (reader, capability, error);
  if (done)
    g_ptr_array_add (reader->table, capability);
  else
    free_capability (capability);
  return done;
}

static gboolean
read_header (Reader *reader, gchar **names, GError **error)
{
  for (gsize i = 0; i < N_COLUMNS; i++)
    if (strcmp (names[i], columns[i].name) != 0)
      {
        g_autofree gchar *quoted = idg_xml_quote (names[i]);

        return fail (reader, error, "column %" G_GSIZE_FORMAT " is %s; it must be %s", i + 1,
                     quoted, columns[i].name);
      }
  reader->has_header = TRUE;
  return TRUE;
}

static gboolean
read_line (Reader *reader, const gchar *line, GError **error)
{
  g_auto (GStrv) values = NULL;

  if (*line == '#')
    return TRUE;
  values = g_strsplit (line, ",", N_COLUMNS + 1);
  if (g_strv_length (values) != N_COLUMNS)
    return fail (reader, error, "%s%u values; %s must have %" G_GSIZE_FORMAT,
                 g_strv_length (values) > N_COLUMNS ? "more than " : "",
                 MIN (g_strv_length (values), (guint)N_COLUMNS),
                 reader->has_header ? "a row" : "the header", N_COLUMNS);
  if (!reader->has_header)
    return read_header (reader, values, error);
  if (reader->table->len == WP_MAX_CAPABILITIES)
    return fail (reader, error, "more than %d rows, which no table needs", WP_MAX_CAPABILITIES);
  return read_row (reader, values, error);
}

GPtrArray *
wp_capabilities_parse (const gchar *data, gsize length, const gchar *name, GError **error)
{
  g_autoptr (GPtrArray) table = g_ptr_array_new_with_free_func (free_capability);
  Reader reader = { .file = name, .line = 0, .table = table };
  const gchar *end = data + length;

  while (data < end)
    {
      const gchar *stop = memchr (data, '\n', (gsize)(end - data));
      gsize n = (gsize)((stop != NULL ? stop : end) - data);
      g_autofree gchar *line = g_strndup (data, n);

      reader.line++;
      if (!g_utf8_validate_len (data, n, NULL))
        {
          fail (&reader, error, "a NUL byte, or not UTF-8; this is not a table of limits");
          return NULL;
        }
      if (!read_line (&reader, line, error))
        return NULL;
      data += stop != NULL ? n + 1 : n;
    }
  if (table->len > 0)
    return g_steal_pointer (&table);
  g_set_error (error, WP_ERROR, WP_ERROR_SYNTAX, "%s: there is no row in it; it needs at least one",
               name);
  return NULL;
}

GPtrArray *
wp_capabilities_load (const gchar *path, GError **error)
{
  g_autoptr (GByteArray) bytes = idg_text_read (path, WP_ERROR, error);

  if (bytes == NULL)
    return NULL;
  /* The data of an empty file are NULL. */
  return wp_capabilities_parse (bytes->len > 0 ? (const gchar *)bytes->data : "", bytes->len, path,
                                error);
}

/* ---- Use ---- */

/* "; did you mean 8.0?" for sm_80, compute_80 or 80; "" where that is none. Free with g_free(). */
static gchar *
suggest (const GPtrArray *table, const gchar *name)
{
  const gchar *digits = name + strcspn (name, "0123456789");
  gsize n = strspn (digits, "0123456789");
  g_autofree gchar *dotted
      = n >= 2 ? g_strdup_printf ("%.*s.%c", (int)n - 1, digits, digits[n - 1]) : g_strdup ("");

  return look_up (table, dotted) != NULL ? g_strdup_printf ("; did you mean %s?", dotted)
                                         : g_strdup ("");
}

const WpCapability *
wp_capabilities_find (const GPtrArray *table, const gchar *name, GError **error)
{
  const WpCapability *capability = look_up (table, name);
  g_autoptr (GString) known = g_string_new (NULL);
  g_autofree gchar *quoted = idg_xml_quote (name), *meant = NULL;

  if (capability != NULL)
    return capability;
  meant = suggest (table, name);
  for (guint i = 0; i < table->len; i++)
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "",
                            ((const WpCapability *)g_ptr_array_index (table, i))->name);
  g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
               "no compute capability %s is in the table of limits; there are %s%s", quoted,
               known->str, meant);
  return NULL;
}

WpGpu *
wp_capability_make_gpu (const WpCapability *capability)
{
  WpGpu *gpu = wp_gpu_new ();

  gpu->name = g_strconcat ("compute capability ", capability->name, NULL);
  gpu->sms = gpu->schedulers = 1;
  gpu->clock_mhz = wp_cycles_whole (1);
  gpu->warp_size = WARP_SIZE;
  gpu->limits = capability->limits;
  return gpu;
}
