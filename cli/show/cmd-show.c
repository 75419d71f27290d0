/* SPDX-License-Identifier: MIT */
/* warpipe show: the graph of a kernel, on a GPU with latencies and the critical path. Pictures are
 * drawn by graphviz's dot. */
#include "cli/commands.h"
#include "cli/common/cli-files.h"
#include "cli/common/cli-import.h"
#include "cli/common/cli-ops.h"
#include "cli/common/cli-signals.h"
#include "cli/show/show.h"
#include "idg/kernel/idg-suggest.h"
#include "plots/wp-child.h"
#include "run/base/data.h"
#include "run/base/execute.h"
#include "run/base/output.h"
#include "run/simulate/find-bounds.h"

#include <string.h>
#include <unistd.h>

/* For more, dot takes longer than anybody waits: some ten seconds for 1000 nodes and 2000 edges,
 * and four times as long for twice as many. */
#define MAX_DRAWN 6000 /* nodes and edges */

typedef enum
{
  FORMAT_TEXT,
  FORMAT_DOT,
  FORMAT_GRAPHML,
  FORMAT_SVG,
  FORMAT_PNG,
  FORMAT_PDF,
  N_FORMATS
} Format;

static const struct
{
  const gchar *name;
  const gchar *suffixes[3];
  const gchar *device; /* of dot; NULL: dot is not needed */
} formats[N_FORMATS] = {
  [FORMAT_TEXT] = { "text", { ".txt", ".text" }, NULL },
  [FORMAT_DOT] = { "dot", { ".dot", ".gv" }, NULL },
  [FORMAT_GRAPHML] = { "graphml", { ".graphml" }, NULL },
  [FORMAT_SVG] = { "svg", { ".svg" }, "-Tsvg" },
  [FORMAT_PNG] = { "png", { ".png" }, "-Tpng:cairo" },
  [FORMAT_PDF] = { "pdf", { ".pdf" }, "-Tpdf" },
};

/* The command line, as written and as read. */
typedef struct
{
  gchar *gpu, *order, *program, *format_name, *output;
  gchar **settings;
  WpImportOptions import;
  WpLaunchOptions launch;
  GStrv files;
  gboolean strict;
  WpRunOptions options;
  Format format;
  guint64 max_steps; /* see wp_cli_main() */
  gint interrupted;  /* why it was cancelled, or 0 */
} Asked;

static void
asked_clear (Asked *asked)
{
  g_free (asked->gpu);
  g_free (asked->order);
  g_free (asked->program);
  g_free (asked->format_name);
  g_free (asked->output);
  g_strfreev (asked->settings);
  wp_import_options_clear (&asked->import);
  wp_launch_options_clear (&asked->launch);
  g_strfreev (asked->files);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Asked, asked_clear)

static gboolean
parse (Asked *asked, gchar **argv, WpExit *status)
{
  g_autoptr (WpOptionTable) table = wp_option_table_new ();

  wp_options_add (table, "gpu", &asked->gpu, "Show latencies and the critical path on this GPU",
                  "GPU");
  wp_cli_add_kernel_options (table, &asked->settings, &asked->import);
  wp_cli_add_launch_options (table, &asked->launch);
  wp_cli_add_order_option (table, &asked->order);
  wp_cli_add_strict_option (table, &asked->strict);
  wp_options_add (table, "program", &asked->program,
                  "Show this program only: its name, or its number from 1", "PROGRAM");
  wp_options_add (table, "format", &asked->format_name,
                  "Show it so; by FILE's suffix, or text, when left out",
                  "text|dot|graphml|svg|png|pdf");
  wp_options_add_letter (table, "output", 'o', &asked->output,
                         "Write to FILE; - (when left out) is standard output", "FILE");

  return wp_cli_parse (&wp_command_show, table, argv, &asked->files, status);
}

/* ---- Checks ---- */

static Format
find_format (const gchar *name)
{
  Format format = 0;

  while (format < N_FORMATS && strcmp (formats[format].name, name) != 0)
    format++;
  return format;
}

static Format
find_format_by_suffix (const gchar *file)
{
  for (Format format = 0; format < N_FORMATS; format++)
    for (guint i = 0; formats[format].suffixes[i] != NULL; i++)
      if (g_str_has_suffix (file, formats[format].suffixes[i]))
        return format;
  return N_FORMATS;
}

static gboolean
check_format (Asked *asked)
{
  gboolean standard = asked->output == NULL || wp_output_is_standard (asked->output);
  g_autofree gchar *meant
      = idg_suggest_end_of (asked->format_name != NULL ? asked->format_name : "text",
                            "text, dot, graphml, svg, png, pdf");

  asked->format = FORMAT_TEXT;
  if (asked->output != NULL && *asked->output == '\0')
    wp_cli_usage (&wp_command_show, "--output: expected a file, or - for standard output");
  else if (asked->format_name != NULL
           && (asked->format = find_format (asked->format_name)) == N_FORMATS)
    wp_cli_usage (&wp_command_show,
                  "--format \"%s\": expected text, dot, graphml, svg, png or pdf%s",
                  asked->format_name, meant);
  else if (asked->format_name == NULL && !standard
           && (asked->format = find_format_by_suffix (asked->output)) == N_FORMATS)
    wp_cli_usage (&wp_command_show,
                  "--output \"%s\": expected a name that ends in .txt, .dot, .graphml, .svg, .png "
                  "or .pdf, or --format",
                  asked->output);
  else if ((asked->format == FORMAT_PNG || asked->format == FORMAT_PDF) && standard
           && isatty (STDOUT_FILENO))
    wp_cli_usage (&wp_command_show, "--format %s is nothing for a terminal; expected --output FILE",
                  formats[asked->format].name);
  else
    return TRUE;
  return FALSE;
}

static gboolean
check (Asked *asked)
{
  WpRunOptions *options = &asked->options;
  guint n = g_strv_length (asked->files);
  const WpInputs inputs = { asked->files, asked->gpu, &asked->import };
  gboolean dataflow;

  *options = (WpRunOptions)WP_RUN_OPTIONS_INIT;
  if (n != 1)
    {
      wp_cli_usage (&wp_command_show, "expected one KERNEL, got %u", n);
      return FALSE;
    }
  if (!wp_cli_check_settings (&wp_command_show, asked->settings)
      || !wp_cli_parse_choice (&wp_command_show, "order", asked->order, "program", "dataflow",
                               &dataflow)
      || !check_format (asked)
      || !wp_cli_check_apart (&wp_command_show, &inputs, "--output", asked->output)
      || !wp_cli_parse_launch (&wp_command_show, &asked->launch, options))
    return FALSE;
  if (asked->order != NULL && asked->gpu == NULL)
    {
      wp_cli_usage (&wp_command_show,
                    "--order needs --gpu: without one there is no order of issue");
      return FALSE;
    }
  if (asked->strict && asked->gpu == NULL)
    {
      wp_cli_usage (&wp_command_show, "--strict needs --gpu: without one no op is lacking");
      return FALSE;
    }
  options->no_limits = TRUE;
  options->has_order = asked->order != NULL;
  options->order = dataflow ? WP_ORDER_DATAFLOW : WP_ORDER_PROGRAM;
  return TRUE;
}

/* Finds the program to show, into INDEX. */
static gboolean
find_program (const Asked *asked, const IdgKernel *kernel, guint *index, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);
  g_autoptr (GPtrArray) own = g_ptr_array_new ();
  g_autofree gchar *meant = NULL;
  guint64 number;

  *index = IDG_ALL_PROGRAMS;
  if (asked->program == NULL)
    return TRUE;
  for (guint p = 0; p < kernel->programs->len; p++)
    {
      const IdgKernelProgram *program = g_ptr_array_index (kernel->programs, p);

      if (g_strcmp0 (program->name, asked->program) == 0)
        {
          *index = p;
          return TRUE;
        }
      g_string_append_printf (names, "%s%u", p > 0 ? ", " : "", p + 1);
      if (program->name != NULL)
        g_ptr_array_add (own, program->name);
      if (program->name != NULL)
        g_string_append_printf (names, " (%s)", program->name);
    }
  if (g_ascii_string_to_unsigned (asked->program, 10, 1, kernel->programs->len, &number, NULL))
    {
      *index = (guint)number - 1;
      return TRUE;
    }
  g_ptr_array_add (own, NULL);
  meant = idg_suggest_end (asked->program, (const gchar *const *)own->pdata);
  g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE, "%s: there is no program \"%s\"; there is %s%s",
               idg_kernel_get_file (kernel), asked->program, names->str, meant);
  return FALSE;
}

/* ---- Writing ---- */

static gboolean
check_size (const Asked *asked, const IdgGraph *graph, GError **error)
{
  guint n = graph->nodes->len + graph->edges->len;

  if (formats[asked->format].device == NULL || n <= MAX_DRAWN)
    return TRUE;
  g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
               "%s: the graph has %u nodes and %u edges, which is too much to draw (at most %u "
               "together); --format text, dot and graphml take any number",
               idg_kernel_get_file (graph->kernel), graph->nodes->len, graph->edges->len,
               MAX_DRAWN);
  return FALSE;
}

/* The picture that dot draws of TEXT, with SPLINES as its option has them. NULL with ERROR, or
 * without one where a signal has come. */
static GString *
try_to_draw (Asked *asked, const gchar *text, const gchar *splines, const WpProgress *progress,
             GError **error)
{
  const gchar *const argv[]
      = { "dot", formats[asked->format].device,
          asked->format == FORMAT_PNG ? "-Gdpi=144" : "-Gdpi=72", splines, NULL };

  return wp_child_draw (argv, NULL, text, wp_plot_format_find (formats[asked->format].suffixes[0]),
                        progress->is_cancelled, progress->data, &asked->interrupted, error);
}

/* The same. Now and then dot finds no path for a curve, mostly where repeats are deeply nested; it
 * can always draw straight lines. */
static GString *
draw (Asked *asked, const gchar *text, const WpProgress *progress, GError **error)
{
  g_autoptr (GError) problem = NULL;
  GString *picture = try_to_draw (asked, text, NULL, progress, &problem);

  if (g_error_matches (problem, WP_CHILD_ERROR, WP_CHILD_ERROR_FAILED))
    picture = try_to_draw (asked, text, "-Gsplines=line", progress, NULL);
  if (picture != NULL || asked->interrupted != 0 || problem == NULL)
    return picture;
  if (g_error_matches (problem, WP_CHILD_ERROR, WP_CHILD_ERROR_MISSING))
    g_set_error (error, WP_CHILD_ERROR, WP_CHILD_ERROR_MISSING,
                 "pictures are drawn by dot, which is not installed (on Debian: apt install "
                 "graphviz); --format text, dot and graphml need nothing");
  else
    g_propagate_error (error, g_steal_pointer (&problem));
  return NULL;
}

static void
make_text (const Asked *asked, const IdgGraph *graph, const WpShown *shown, GString *text)
{
  gboolean standard = asked->output == NULL || wp_output_is_standard (asked->output);
  WpTextStyle style = standard ? wp_text_style_get_own () : wp_text_style_get (FALSE, FALSE);

  if (asked->format == FORMAT_TEXT)
    wp_show_write_text (graph, shown, &style, text);
  else if (asked->format == FORMAT_GRAPHML)
    idg_graph_write_graphml (graph, text);
  else
    idg_graph_write_dot (graph, text);
}

static gboolean
write_graph (Asked *asked, const IdgGraph *graph, const WpShown *shown, const WpProgress *progress,
             GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) picture = NULL;
  const GString *written = text;
  g_autoptr (WpOutput) output = NULL;

  if (!check_size (asked, graph, error))
    return FALSE;
  output = wp_output_open (asked->output != NULL ? asked->output : "-", error);
  if (output == NULL)
    return FALSE;
  make_text (asked, graph, shown, text);
  if (formats[asked->format].device != NULL)
    {
      picture = draw (asked, text->str, progress, error);
      if (picture == NULL)
        return asked->interrupted != 0;
      written = picture;
    }
  return wp_output_write (output, written->str, written->len, error)
         && wp_output_finish (output, error);
}

/* ---- The command ---- */

static gboolean
show_on_gpu (Asked *asked, const WpGpu *gpu, const IdgKernel *kernel, guint program,
             const WpProgress *progress, GError **error)
{
  g_autoptr (WpResolved) resolved = NULL;
  g_autoptr (IdgGraph) graph = NULL;
  WpBounds *bounds;
  gboolean done;

  if (!wp_cli_check_ops (kernel, gpu, asked->strict, error))
    return FALSE;
  resolved = wp_resolve (kernel, gpu, &asked->options, error);
  if (resolved == NULL)
    return FALSE;
  bounds = wp_find_bounds (kernel, &resolved->machine, progress, asked->max_steps,
                           &asked->interrupted, error);
  if (bounds == NULL)
    return asked->interrupted != 0;
  graph = idg_graph_new (kernel, program, !resolved->machine.dataflow);
  wp_show_fill (graph, &(WpShown){ gpu, resolved, bounds });
  done = write_graph (asked, graph, &(WpShown){ gpu, resolved, bounds }, progress, error);
  wp_bounds_free (bounds);
  return done;
}

/* What is executed is executed for a GPU, which is loaded first. */
static gboolean
load (Asked *asked, WpGpu **gpu, IdgKernel **kernel, GError **error)
{
  gboolean is_first = asked->gpu != NULL && wp_execute_is_for (asked->files[0], &asked->import);

  if (is_first)
    *gpu = wp_cli_load_gpu (asked->gpu, error);
  if (is_first && *gpu == NULL)
    return FALSE;
  asked->import.gpu = *gpu;
  *kernel = wp_cli_load_kernel (asked->files[0], asked->settings, &asked->import, &asked->options,
                                error);
  if (*kernel != NULL && asked->gpu != NULL && !is_first)
    *gpu = wp_cli_load_gpu (asked->gpu, error);
  return *kernel != NULL && (asked->gpu == NULL || *gpu != NULL);
}

static gboolean
show (Asked *asked, const WpProgress *progress, GError **error)
{
  g_autoptr (WpGpu) gpu = NULL;
  g_autoptr (IdgKernel) kernel = NULL;
  g_autoptr (IdgGraph) graph = NULL;
  guint program;

  if (!load (asked, &gpu, &kernel, error) || !find_program (asked, kernel, &program, error))
    return FALSE;
  if (gpu != NULL)
    return show_on_gpu (asked, gpu, kernel, program, progress, error);
  graph = idg_graph_new (kernel, program, FALSE);
  wp_show_fill_plain (graph);
  return write_graph (asked, graph, NULL, progress, error);
}

static WpExit
run_command (gchar **argv, guint64 max_issues)
{
  g_auto (Asked) asked = { .max_steps = max_issues };
  g_autoptr (GError) error = NULL;
  WpSignals signals;
  WpExit status;
  gboolean done;

  if (!parse (&asked, argv, &status))
    return status;
  if (!check (&asked))
    return WP_EXIT_USAGE;
  wp_signals_hold (&signals);
  done = show (&asked, &signals.progress, &error);
  return wp_signals_release (&signals, done, asked.interrupted, error);
}

const WpCommand wp_command_show = {
  .name = "show",
  .arguments = "KERNEL [--gpu GPU]",
  .summary = "Draw a kernel's graph, on a GPU with its critical path",
  .details
  = "KERNEL and GPU are files, or names of shipped descriptions (warpipe list kernels, list "
    "gpus).\n"
    "Pictures (svg, png, pdf) are drawn by graphviz's dot; GraphML is for yEd and networkx.",
  .run = run_command,
};
