/* SPDX-License-Identifier: MIT */
/* What commands print of runs that differ by their seed alone. */
#pragma once

#include "cli/common/cli-json.h"
#include "run/base/sample.h"

G_BEGIN_DECLS

/* Writes the spread of SAMPLE as an object: sd, min, max. */
void wp_json_spread (WpJson *json, const gchar *name, const WpSample *sample);

/* Warns on standard error that the runs of N seeds are alike, as they are where memory is ideal. */
void wp_cli_warn_alike (guint64 n);

G_END_DECLS
