/* SPDX-License-Identifier: MIT */
/* A plot of models and simulation: the simulation as points, each model as a line. */
#pragma once

#include "cli/report/report-models.h"
#include "plots/wp-plot.h"

G_BEGIN_DECLS

/* In the order of wp_model_plot_kinds. */
typedef enum
{
  WP_MODEL_PLOT_THROUGHPUT, /* instructions a cycle */
  WP_MODEL_PLOT_CPI         /* cycles an instruction */
} WpModelPlotKind;

#define WP_MODEL_PLOT_KINDS "throughput|cpi"
extern const gchar *const wp_model_plot_kinds[]; /* NULL-terminated */

/* The plot of the first table of REPORT. Free with wp_plot_free(). */
WpPlot *wp_model_report_get_plot (const WpModelReport *report, WpModelPlotKind kind);

G_END_DECLS
