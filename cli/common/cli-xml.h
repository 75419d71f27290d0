/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* From now on libxml2 has its memory as GLib has it: where there is none, the program ends, in the
 * place of a message of libxml2's own, or of a document that lacks something. To be called once,
 * before anything reads XML. */
void wp_cli_share_memory_with_xml (void);

G_END_DECLS
