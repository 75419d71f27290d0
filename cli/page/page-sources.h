/* SPDX-License-Identifier: MIT */
/* The sources that a page shows. */
#pragma once

#include "cli/common/cli-json.h"
#include "run/simulate/by-line.h"

G_BEGIN_DECLS

/* Writes an array: of each file of LINES that can be read the lines that matter. */
void wp_page_write_sources (WpJson *json, const IdgKernel *kernel, const WpByLine *lines);

G_END_DECLS
