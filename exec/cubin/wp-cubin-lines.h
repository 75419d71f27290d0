/* SPDX-License-Identifier: MIT */
/* Which line of which source file an instruction came from, by the line number program of DWARF 2
 * to 5 (section .debug_line; "DWARF Debugging Information Format", section 6.2). */
#pragma once

#include "exec/cubin/wp-elf.h"

G_BEGIN_DECLS

/* Called for each row: from ADDRESS on (from what the relocation at PLACE of the section says the
 * sequence begins at), code came from LINE of the file FILE, an index of FILES; LINE 0 ends the
 * sequence. OWN_FILE and OWN_LINE are those of WpCubinLine. */
typedef void (*WpCubinLineFunc) (guint64 place, guint64 address, guint file, guint line,
                                 guint own_file, guint own_line, gpointer data);

/* Runs the programs in LINES, adds paths of sources to FILES (of gchar *, each once), and calls
 * FUNC. STRINGS and LINE_STRINGS, .debug_str and .debug_line_str, may be NULL. What is damaged ends
 * the work without an error: code without lines is executed as well. O(section). */
void wp_cubin_lines_read (const WpElfSection *lines, const WpElfSection *strings,
                          const WpElfSection *line_strings, GPtrArray *files, WpCubinLineFunc func,
                          gpointer data);

G_END_DECLS
