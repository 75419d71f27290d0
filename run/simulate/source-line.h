/* SPDX-License-Identifier: MIT */
/* Where an instruction stands in the source, of kernels that were made from machine code with a
 * line table: their texts begin with "k.cu:12: ". */
#pragma once

#include "idg/kernel/idg-kernel.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *file; /* without its folder */
  guint line;
} WpSourceLine;

/* Reads the line that TEXT begins with; FALSE where it begins with none (LINE is unset then), or is
 * NULL. Free LINE->file with g_free(). */
gboolean wp_source_line_parse (const gchar *text, WpSourceLine *line);

/* Tells whether instructions of KERNEL have source lines. O(nodes before the first). */
gboolean wp_source_lines_are_known (const IdgKernel *kernel);

/* The lines of a source file. */
typedef struct
{
  gchar *name;
  gchar **lines; /* NULL-terminated; NULL: the file cannot be read */
} WpSource;

/* Reads the source NAME of KERNEL, which is looked for beside the kernel's own file and nowhere
 * else: what a binary says of other places may name any file. Files above 4 MB, or not in UTF-8,
 * count as not readable. Free with wp_source_free(). */
WpSource *wp_source_read (const IdgKernel *kernel, const gchar *name);
void wp_source_free (WpSource *source);

/* Returns line LINE, from 1 on, without blanks around it; NULL: there is none. Borrowed. */
const gchar *wp_source_get_line (const WpSource *source, guint line);

G_END_DECLS
