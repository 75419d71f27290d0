/* SPDX-License-Identifier: MIT */
/* Counterfactuals, for people and for scripts (FORMATS.md). */
#pragma once

#include "run/explain.h"

G_BEGIN_DECLS

/* Print EXPLANATION, which has been run, on standard output. */
void wp_explanation_print_text (const WpExplanation *explanation);
void wp_explanation_print_json (const WpExplanation *explanation);

G_END_DECLS
