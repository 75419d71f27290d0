/* SPDX-License-Identifier: MIT */
/* What the files that read a cubin share: the module that is being made, and its ELF file. */
#pragma once

#include "exec/cubin/wp-cubin.h"
#include "exec/cubin/wp-elf.h"

G_BEGIN_DECLS

typedef struct
{
  WpElf elf;
  WpCubin *cubin;
  GArray *symbols;     /* of WpElfSymbol, parallel to the cubin's */
  guint *functions;    /* by section: number of the function whose code it has, plus 1; 0: none */
  GHashTable *by_name; /* functions by name, number plus 1 */
} WpCubinReader;

/* An empty module. */
WpCubin *wp_cubin_new (const gchar *path);

WpCubinFunction *wp_cubin_get_function (const WpCubinReader *reader, guint index);
WpCubinVariable *wp_cubin_get_variable (const WpCubinReader *reader, guint index);

/* The number, plus 1, of the function that SECTION, of which a part of the name is the function's
 * (NAME), belongs to; 0: none. Sections say by number which code they are of. */
guint wp_cubin_find_owner (const WpCubinReader *reader, const WpElfSection *section,
                           const gchar *name);

/* "FILE: TEXT", as IDG_ERROR_VALUE; FALSE. */
gboolean wp_cubin_fail (const WpCubinReader *reader, GError **error, const gchar *format, ...)
    G_GNUC_PRINTF (3, 4);

/* The parts, in the order in which they are read. */
gboolean wp_cubin_read_functions (WpCubinReader *reader, GError **error);
gboolean wp_cubin_read_symbols (WpCubinReader *reader, GError **error);
gboolean wp_cubin_read_attributes (WpCubinReader *reader, GError **error);
gboolean wp_cubin_read_relocations (WpCubinReader *reader, GError **error);
void wp_cubin_read_lines (WpCubinReader *reader);

/* Takes ".nv.constant3" into 3 and "", ".nv.constant0.NAME" into 0 and "NAME"; FALSE where SECTION
 * is no constant bank. */
gboolean wp_cubin_split_bank (const gchar *section, guint *bank, const gchar **name);

/* Part of SECTION's bytes as a part of the image. */
GBytes *wp_cubin_slice (const WpCubinReader *reader, const WpElfSection *section, guint64 offset,
                        guint64 size);

/* Reads one image, with its name for messages. */
WpCubin *wp_cubin_parse_image (GBytes *image, const gchar *name, GError **error);

G_END_DECLS
