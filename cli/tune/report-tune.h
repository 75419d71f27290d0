/* SPDX-License-Identifier: MIT */
/* A ranking of launches, on standard output. */
#pragma once

#include "run/tune/tune.h"

G_BEGIN_DECLS

/* For people: the first TOP launches (0: all), and what to make of them. */
void wp_tuning_print_text (const WpTuning *tuning, const WpTune *tune, guint top);

/* For scripts: all launches, a row each (FORMATS.md, "Tuning"). */
void wp_tuning_print_csv (const WpTuning *tuning, const WpTune *tune);
void wp_tuning_print_json (const WpTuning *tuning, const WpTune *tune);

G_END_DECLS
