/* SPDX-License-Identifier: MIT */
/* That a command writes no file that it reads, and none twice: said before anything runs. */
#pragma once

#include "cli/common/cli-command.h"
#include "run/base/import-options.h"

G_BEGIN_DECLS

/* The files that a command reads, borrowed. Names of what is shipped may be among them. */
typedef struct
{
  gchar *const *files;           /* NULL-terminated, or NULL */
  const gchar *gpus;             /* --gpu, "a,b", or NULL */
  const WpImportOptions *import; /* --data, --ptxas-log; or NULL */
} WpInputs;

/* Whether OUTPUT (NULL: none), which OPTION ("--plot") names, is none of INPUTS, under whichever
 * name; if it is, that has been printed. */
gboolean wp_cli_check_apart (const WpCommand *command, const WpInputs *inputs, const gchar *option,
                             const gchar *output);

/* The same of each --dump of INPUTS, and that they go to different files; OTHERS are further
 * outputs, [N], NULL where there is none. */
gboolean wp_cli_check_dumps (const WpCommand *command, const WpInputs *inputs, gchar *const *others,
                             guint n);

G_END_DECLS
