/* SPDX-License-Identifier: MIT */
/* A cubin as a module, part by part. */
#include "exec/cubin/wp-cubin-private.h"

/* The compute capability: a byte of the ELF header's flags, which one changed with CUDA 13's format
 * (osabi 0x41). */
static gboolean
read_header (WpCubinReader *reader, GError **error)
{
  const WpElf *elf = &reader->elf;

  if (elf->machine != WP_ELF_CUDA)
    return wp_cubin_fail (reader, error, "it has no code for GPUs (ELF machine %u); expected %u",
                          elf->machine, WP_ELF_CUDA);
  reader->cubin->sm = elf->osabi == 0x41 ? elf->flags >> 8 & 0xff : elf->flags & 0xff;
  if (reader->cubin->sm < 70 || reader->cubin->sm > 121)
    return wp_cubin_fail (reader, error,
                          "it is for sm_%u; machine code of sm_70 to sm_121 can be executed",
                          reader->cubin->sm);
  if (elf->type != WP_ELF_EXECUTABLE)
    return wp_cubin_fail (reader, error,
                          "it is not linked; compile it without -rdc=true, or link it with nvcc "
                          "-dlink -cubin");
  return TRUE;
}

WpCubin *
wp_cubin_parse_image (GBytes *image, const gchar *name, GError **error)
{
  WpCubinReader reader = { 0 };
  gsize length;
  const guint8 *data = g_bytes_get_data (image, &length);
  gboolean is_right;

  reader.cubin = wp_cubin_new (name);
  reader.cubin->image = g_bytes_ref (image);
  reader.by_name = g_hash_table_new (g_str_hash, g_str_equal);
  is_right = wp_elf_read (&reader.elf, data, length, name, error) && read_header (&reader, error);
  reader.functions = g_new0 (guint, MAX (reader.elf.n_sections, 1));
  is_right = is_right && wp_cubin_read_functions (&reader, error)
             && wp_cubin_read_symbols (&reader, error) && wp_cubin_read_attributes (&reader, error)
             && wp_cubin_read_relocations (&reader, error);
  if (is_right)
    wp_cubin_read_lines (&reader);
  wp_elf_clear (&reader.elf);
  g_clear_pointer (&reader.symbols, g_array_unref);
  g_hash_table_unref (reader.by_name);
  g_free (reader.functions);
  if (!is_right)
    g_clear_pointer (&reader.cubin, wp_cubin_free);
  return reader.cubin;
}
