/* SPDX-License-Identifier: MIT */
/* Warnings and notes, in all reports alike. */
#pragma once

#include "cli/common/cli-json.h"
#include "cli/common/cli-text.h"
#include "run/simulate/warnings.h"

G_BEGIN_DECLS

/* Prints WARNINGS on standard output under a heading, each on one line; nothing where there are
 * none. */
void wp_print_warnings (const GPtrArray *warnings, const WpTextStyle *style);

/* Writes the members "warnings" and "notes". */
void wp_json_warnings (WpJson *json, const GPtrArray *warnings, const GPtrArray *notes);

/* Says WARNINGS on standard error, too, where a report for scripts has them: "warpipe: warning:
 * NAME: ..."; not that stores are queued, of which the report's figures take account. */
void wp_complain_of_warnings (const GPtrArray *warnings);

/* Makes errors of WARNINGS where STRICT (wp_warnings_refuse()); all but the last are said on
 * standard error. */
gboolean wp_cli_check_warnings (const GPtrArray *warnings, gboolean strict, GError **error);

G_END_DECLS
