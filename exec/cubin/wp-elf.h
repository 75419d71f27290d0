/* SPDX-License-Identifier: MIT */
/* The sections, symbols and relocations of a little-endian ELF file of 64 bits in memory: what
 * cubins are, and the executables that hold them. Each offset and size is checked once, here, so
 * that who reads a section reads only what is in the file.
 *
 * It knows the layout that the ELF specification (System V ABI, chapter 4) gives, and nothing of
 * what is in the sections. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WP_ELF_EXECUTABLE 2 /* e_type: linked */
#define WP_ELF_CUDA 190     /* e_machine: NVIDIA CUDA architecture */

#define WP_ELF_RELA 4 /* types of sections */
#define WP_ELF_NOBITS 8
#define WP_ELF_REL 9

#define WP_ELF_OBJECT 1 /* types of symbols */
#define WP_ELF_FUNC 2
#define WP_ELF_SECTION 3

typedef struct
{
  const gchar *name;
  guint32 type;
  const guint8 *data; /* NULL: it takes no room in the file */
  guint64 offset, size;
  guint link, info;
} WpElfSection;

typedef struct
{
  const gchar *name;
  guint8 type, other;
  guint section; /* 0: undefined, or none of the sections */
  guint64 value, size;
} WpElfSymbol;

typedef struct
{
  guint64 offset;
  guint type, symbol;
  gint64 addend;
  gboolean has_addend; /* no: the addend stands at the place */
} WpElfRelocation;

typedef struct
{
  const guint8 *data; /* borrowed */
  gsize length;
  const gchar *name; /* of the file, for messages; borrowed */
  guint machine, type, osabi;
  guint32 flags;
  WpElfSection *sections;
  guint n_sections;
} WpElf;

/* Reads the headers of the LENGTH bytes at DATA, which must outlive ELF. FALSE with an error of
 * IDG_ERROR that begins with "NAME: ". Clear with wp_elf_clear() in any case. O(sections). */
gboolean wp_elf_read (WpElf *elf, const guint8 *data, gsize length, const gchar *name,
                      GError **error);
void wp_elf_clear (WpElf *elf);
gboolean wp_elf_is (const guint8 *data, gsize length);

/* The first section called NAME, NULL: none. O(sections). */
const WpElfSection *wp_elf_find (const WpElf *elf, const gchar *name);

/* The symbols of the file's symbol table, of WpElfSymbol, those of relocations in SECTION, of
 * WpElfRelocation; NULL with an error. O(result). */
GArray *wp_elf_symbols (const WpElf *elf, GError **error);
GArray *wp_elf_relocations (const WpElf *elf, const WpElfSection *section, GError **error);

/* Little-endian numbers at P. */
guint16 wp_elf_u16 (const guint8 *p);
guint32 wp_elf_u32 (const guint8 *p);
guint64 wp_elf_u64 (const guint8 *p);

G_END_DECLS
