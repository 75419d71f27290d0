/* SPDX-License-Identifier: MIT */
/* What the attributes say of functions: registers, frame, parameters. A function's own section is
 * .nv.info.NAME; .nv.info names functions by their symbols. */
#include "exec/cubin/wp-cubin-info.h"
#include "exec/cubin/wp-cubin-private.h"

#include <string.h>

#define ENTRY 0x10 /* st_other of a kernel's symbol: STO_CUDA_ENTRY */
#define MAX_PARAMETERS 4096
#define MAX_FRAME (1 << 19) /* bytes that a thread can have; 2^32 - 1 stands for a recursion */

/* The function that the symbol in the attribute's first word is of, NULL: none. */
static WpCubinFunction *
named_function (const WpCubinReader *reader, const WpCubinInfo *info)
{
  guint symbol = wp_cubin_info_word (info, 0);
  gint function;

  if (symbol >= reader->cubin->symbols->len)
    return NULL;
  function = g_array_index (reader->cubin->symbols, WpCubinSymbol, symbol).function;
  return function >= 0 ? wp_cubin_get_function (reader, (guint)function) : NULL;
}

static void
read_module (WpCubinReader *reader, const WpElfSection *section)
{
  WpCubinInfo info;

  wp_cubin_info_begin (&info, section);
  while (wp_cubin_info_next (&info))
    {
      WpCubinFunction *function = named_function (reader, &info);
      guint value = wp_cubin_info_word (&info, 1);

      if (function == NULL)
        continue;
      if (info.attribute == WP_EIATTR_REGCOUNT)
        function->registers = MAX (function->registers, value);
      else if (info.attribute == WP_EIATTR_FRAME_SIZE || info.attribute == WP_EIATTR_MIN_STACK_SIZE)
        function->frame = MAX (function->frame, value <= MAX_FRAME ? value : 0);
    }
}

static gboolean
read_parameter (WpCubinReader *reader, WpCubinFunction *function, const WpCubinInfo *info,
                GError **error)
{
  guint place = wp_cubin_info_word (info, 1), size = wp_cubin_info_word (info, 2);
  guint ordinal = place & 0xffff;
  WpCubinParameter parameter = { place >> 16, 0 };

  parameter.bytes = info->attribute == WP_EIATTR_KPARAM_INFO ? size >> 18 : size & 0xffff;
  if (ordinal >= MAX_PARAMETERS)
    return wp_cubin_fail (reader, error, "%s has a parameter with number %u", function->name,
                          ordinal);
  if (ordinal >= function->parameters->len)
    g_array_set_size (function->parameters, ordinal + 1);
  g_array_index (function->parameters, WpCubinParameter, ordinal) = parameter;
  return TRUE;
}

static guint
product (const WpCubinInfo *info)
{
  guint64 x = wp_cubin_info_word (info, 0), y = wp_cubin_info_word (info, 1);
  guint z = wp_cubin_info_word (info, 2);

  if (x > 65536 || y > 65536 || z > 65536)
    return 0;
  return (guint)MIN (x * y * z, G_MAXINT32);
}

static gboolean
read_attribute (WpCubinReader *reader, WpCubinFunction *function, const WpCubinInfo *info,
                GError **error)
{
  switch (info->attribute)
    {
    case WP_EIATTR_PARAM_CBANK:
      function->parameter_base = wp_cubin_info_word (info, 1) & 0xffff;
      function->parameter_bytes = wp_cubin_info_word (info, 1) >> 16;
      return TRUE;
    case WP_EIATTR_MAX_THREADS:
      function->max_threads = product (info);
      return TRUE;
    case WP_EIATTR_REQNTID:
      for (guint k = 0; k < 3; k++)
        function->required_threads[k] = MIN (wp_cubin_info_word (info, k), 65536);
      return TRUE;
    case WP_EIATTR_CTA_PER_CLUSTER:
      for (guint k = 0; k < 3; k++)
        function->cluster[k] = MIN (wp_cubin_info_word (info, k), 65536);
      return TRUE;
    case WP_EIATTR_KPARAM_INFO:
    case WP_EIATTR_KPARAM_INFO_V2:
      return read_parameter (reader, function, info, error);
    default:
      return TRUE;
    }
}

/* All parameters are known, and are within what the constant bank has for them. */
static gboolean
check_parameters (WpCubinReader *reader, const WpCubinFunction *function, GError **error)
{
  for (guint k = 0; k < function->parameters->len; k++)
    {
      const WpCubinParameter *one = &g_array_index (function->parameters, WpCubinParameter, k);

      if (one->bytes == 0 || one->offset + one->bytes > function->parameter_bytes)
        return wp_cubin_fail (reader, error,
                              "parameter %u of %s (%u bytes at %u) is not within the %u bytes of "
                              "its parameters",
                              k + 1, function->name, one->bytes, one->offset,
                              function->parameter_bytes);
    }
  return TRUE;
}

static gboolean
read_function (WpCubinReader *reader, WpCubinFunction *function, const WpElfSection *section,
               GError **error)
{
  WpCubinInfo info;

  if (function->parameters)
    return wp_cubin_fail (reader, error, "%s has its attributes twice", function->name);
  function->parameters = g_array_new (FALSE, TRUE, sizeof (WpCubinParameter));
  wp_cubin_info_begin (&info, section);
  while (wp_cubin_info_next (&info))
    if (!read_attribute (reader, function, &info, error))
      return FALSE;
  return check_parameters (reader, function, error);
}

static void
mark_kernels (WpCubinReader *reader)
{
  for (guint k = 0; k < reader->symbols->len; k++)
    {
      const WpElfSymbol *symbol = &g_array_index (reader->symbols, WpElfSymbol, k);
      guint function = reader->functions[symbol->section];

      if (function > 0 && symbol->type == WP_ELF_FUNC && (symbol->other & ENTRY))
        wp_cubin_get_function (reader, function - 1)->is_kernel = TRUE;
    }
}

gboolean
wp_cubin_read_attributes (WpCubinReader *reader, GError **error)
{
  static const gchar prefix[] = ".nv.info";

  mark_kernels (reader);
  for (guint k = 0; k < reader->elf.n_sections; k++)
    {
      const WpElfSection *section = &reader->elf.sections[k];
      const gchar *name = section->name;
      guint function;

      if (strcmp (name, prefix) == 0)
        read_module (reader, section);
      else if (g_str_has_prefix (name, ".nv.info."))
        {
          function = wp_cubin_find_owner (reader, section, name + sizeof prefix);
          if (function > 0
              && !read_function (reader, wp_cubin_get_function (reader, function - 1), section,
                                 error))
            return FALSE;
        }
    }
  return TRUE;
}
