/* SPDX-License-Identifier: MIT */
/* A file that is written whole or not at all: without a name first, which it gets when it is done.
 */
#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

#define WP_OUTPUT_ERROR (wp_output_error_quark ())
GQuark wp_output_error_quark (void);

typedef enum
{
  WP_OUTPUT_ERROR_CLOSED /* whoever read standard output has gone away (EPIPE) */
} WpOutputError;

/* A file by its folder, which stays open, and its name there. */
typedef struct
{
  gint folder;
  gchar *name;
} WpOutputPlace;

typedef struct
{
  gchar *name;         /* as the user gave it */
  WpOutputPlace place; /* of the file to replace; name NULL: `stream` writes to it directly (a
                          device, a pipe, "-") */
  gchar *temporary;    /* a name beside it that must be removed; NULL: none */
  FILE *stream;
} WpOutput;

/* Whether PATH means standard output: "-", or another name of the same file (/dev/stdout). */
gboolean wp_output_is_standard (const gchar *path);

/* Whether ONE and OTHER would replace one another. */
gboolean wp_output_is_same (const gchar *one, const gchar *other);

/* Opens PATH for writing. A file that is there keeps its mode, and stays as it is until
 * wp_output_finish(); a link is followed. NULL with ERROR (of G_FILE_ERROR). */
WpOutput *wp_output_open (const gchar *path, GError **error);

/* Writes N BYTES, to standard output at once. False with ERROR (of G_FILE_ERROR;
 * WP_OUTPUT_ERROR_CLOSED where nobody reads standard output any more). */
gboolean wp_output_write (WpOutput *output, const gchar *bytes, gsize n, GError **error);

/* Makes the file whole: flushes and syncs it, gives it its name and syncs the folder. False with
 * ERROR; the file is then as it was before, except where the folder alone cannot be synced. */
gboolean wp_output_finish (WpOutput *output, GError **error);

/* Makes sure that the folder of PATH knows the file after a crash, where that is possible. */
void wp_output_sync_folder (const gchar *path);

/* Frees OUTPUT; what was not finished leaves nothing behind. */
void wp_output_free (WpOutput *output);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpOutput, wp_output_free)

G_END_DECLS
