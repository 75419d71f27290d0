/* SPDX-License-Identifier: MIT */
#include "wp-reader.h"

#include "cli/run/machine-json.h"
#include "files.h"
#include "idg/import/idg-import.h"
#include "idg/kernel/idg-suggest.h"
#include "idg/xml/idg-xml.h"
#include "run/base/assumptions.h"
#include "run/base/dims.h"
#include "run/simulate/warnings-find.h"

#define FOLDER "." /* where descriptions are that others are like */

static gchar *text;
static GPtrArray *notes;

/* What options are read into. */
static GPtrArray *settings;
static IdgImport *import;
static WpRunOptions options = WP_RUN_OPTIONS_INIT;

/* Options of which each is a member, and those of which there may be several. */
typedef enum
{
  NUMBER, /* 0 .. max */
  TEXT,
  SEVERAL
} OptionKind;

static void
prepare (void)
{
  if (import != NULL)
    return;
  import = idg_import_new ();
  settings = g_ptr_array_new ();
  notes = g_ptr_array_new ();
}

static gboolean
say (GError *error)
{
  text = error->message;
  return FALSE;
}

static gboolean
refuse (const gchar *name, const gchar *value, const gchar *expected)
{
  text = g_strdup_printf ("--%s \"%s\": expected %s", name, value, expected);
  return FALSE;
}

gpointer
wp_reader_room (gsize n)
{
  return g_malloc (n + 1);
}

void
wp_reader_add_file (const gchar *path, const guint8 *data, gsize n)
{
  wp_files_add (path, data, n);
}

/* ---- Options ---- */

static gboolean
set_dims (const gchar *name, const gchar *value, WpDimsKind kind, gint64 *number, guint64 *sizes)
{
  GError *error = NULL;
  WpDims dims;

  if (!wp_dims_parse (value, kind, &dims, &error))
    {
      text = g_strdup_printf ("--%s %s", name, error->message);
      return FALSE;
    }
  *number = (gint64)dims.product;
  memcpy (sizes, dims.sizes, sizeof dims.sizes);
  return TRUE;
}

/* Numbers, texts and lists; FOUND says whether NAME is one of them. */
static gboolean
set_plain (const gchar *name, const gchar *value, gboolean *found)
{
  const struct
  {
    const gchar *name;
    OptionKind kind;
    gpointer member;
    guint64 max;
  } known[] = {
    { "registers", NUMBER, &options.registers, IDG_MAX_REGISTERS },
    { "shared-memory", NUMBER, &options.shared_memory, IDG_MAX_SHARED_MEMORY },
    { "occupancy", NUMBER, &options.occupancy, G_MAXINT32 },
    { "entry", TEXT, &import->entry, 0 },
    { "banks", TEXT, &import->banks, 0 },
    { "trip", SEVERAL, import->trips, 0 },
    { "branch", SEVERAL, import->branches, 0 },
    { "context", SEVERAL, import->contexts, 0 },
    { "set", SEVERAL, settings, 0 },
  };
  guint64 number;

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (strcmp (known[i].name, name) == 0)
      {
        *found = TRUE;
        if (known[i].kind == SEVERAL)
          g_ptr_array_add (known[i].member, (gpointer)value);
        else if (known[i].kind == TEXT)
          *(gchar **)known[i].member = (gchar *)value;
        else if (idg_xml_parse_whole (value, known[i].max, &number))
          *(gint64 *)known[i].member = (gint64)number;
        else
          return refuse (
              name, value,
              g_strdup_printf ("a whole number from 0 to %" G_GUINT64_FORMAT, known[i].max));
        return TRUE;
      }
  return FALSE;
}

gboolean
wp_reader_set (const gchar *name, const gchar *value)
{
  static const gchar *const names[]
      = { "banks", "blocks",        "branch",    "context",   "entry",
          "grid",  "memory",        "no-limits", "occupancy", "registers",
          "set",   "shared-memory", "threads",   "trip",      NULL };
  gboolean found = FALSE, done;

  prepare ();
  done = set_plain (name, value, &found);
  if (found)
    return done;
  if (strcmp (name, "blocks") == 0 || strcmp (name, "grid") == 0)
    return set_dims (name, value, WP_DIMS_GRID, &options.blocks, options.grid_dim);
  if (strcmp (name, "threads") == 0)
    return set_dims (name, value, WP_DIMS_BLOCK, &options.threads, options.block_dim);
  if (strcmp (name, "no-limits") == 0)
    options.no_limits = TRUE;
  else if (strcmp (name, "memory") == 0
           && (strcmp (value, "ideal") == 0 || strcmp (value, "contended") == 0))
    options.memory = strcmp (value, "contended") == 0 ? WP_MEMORY_CONTENDED : WP_MEMORY_IDEAL;
  else if (strcmp (name, "memory") == 0)
    return refuse (name, value, "ideal or contended");
  else
    {
      text = g_strdup_printf ("--%s: no option here; expected --%s", name,
                              g_strjoinv (", --", (gchar **)names));
      return FALSE;
    }
  return TRUE;
}

/* ---- Reading ---- */

static void
add_note (gpointer note)
{
  if (!g_ptr_array_find_with_equal_func (notes, note, g_str_equal, NULL))
    g_ptr_array_add (notes, note);
}

/* What an import has to know of the launch, and of the GPU. */
static void
hand_over (const WpGpu *gpu)
{
  gchar *end = NULL;
  guint64 major = gpu->cc != NULL ? g_ascii_strtoull (gpu->cc, &end, 10) : 0;

  import->target = major == 0 || *end != '.' ? 0 : (guint)(10 * major + (guint)(end[1] - '0'));
  import->blocks = options.blocks;
  import->threads = options.threads;
  import->registers = options.registers;
  import->shared_memory = options.shared_memory;
  for (guint k = 0; k < 3; k++)
    {
      import->block_dim[k] = (gint64)options.block_dim[k];
      import->grid_dim[k] = (gint64)options.grid_dim[k];
    }
}

static IdgKernel *
load_kernel (const gchar *path, const WpGpu *gpu, GError **error)
{
  gboolean imported = idg_import_recognize (path) != NULL;
  IdgKernel *kernel;
  gchar *assumed;

  hand_over (gpu);
  g_ptr_array_add (settings, NULL);
  kernel = imported ? idg_import_load (path, import, error)
                    : idg_kernel_load (path, (const gchar *const *)settings->pdata, error);
  if (kernel == NULL)
    return NULL;
  if (kernel->execute != NULL)
    {
      g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
                   "%s: a kernel whose machine code is executed, which this page cannot; expected "
                   "one that says its instructions, or the command line",
                   path);
      return NULL;
    }
  for (guint i = 0; i < import->notes->len; i++)
    add_note (g_ptr_array_index (import->notes, i));
  assumed = wp_assumptions_describe (kernel, imported);
  if (assumed != NULL)
    add_note (assumed);
  return kernel;
}

static void
warn (const WpSimulation *simulation)
{
  GPtrArray *warnings = wp_warnings_new ();

  wp_warnings_find_in_setting (warnings, simulation->kernel, simulation->gpu, simulation->resolved);
  for (guint i = 0; i < warnings->len; i++)
    add_note (((WpWarning *)g_ptr_array_index (warnings, i))->text);
}

gboolean
wp_reader_read (const gchar *kernel_path, const gchar *gpu_path)
{
  const gchar *const folders[] = { FOLDER, NULL };
  GError *error = NULL;
  WpGpu *gpu = wp_gpu_load (gpu_path, folders, &error);
  IdgKernel *kernel;
  WpSimulation simulation;
  size_t n;
  FILE *out;

  prepare ();
  kernel = gpu != NULL ? load_kernel (kernel_path, gpu, &error) : NULL;
  if (kernel == NULL)
    return say (error);
  simulation = (WpSimulation){ .kernel = kernel, .gpu = gpu };
  simulation.resolved = wp_resolve (kernel, gpu, &options, &error);
  if (simulation.resolved == NULL)
    return say (error);
  warn (&simulation);
  out = open_memstream (&text, &n);
  if (!wp_machine_write_json (&simulation, out, &error))
    return say (error);
  return fclose (out) == 0;
}

const gchar *
wp_reader_get_text (void)
{
  return text;
}

const gchar *
wp_reader_get_note (guint i)
{
  return notes != NULL && i < notes->len ? g_ptr_array_index (notes, i) : NULL;
}

/* ---- What the page has ---- */

/* Each run has its own policy, which the page chooses; a machine names the one to begin with. */
const char *
wp_policy_get_name (G_GNUC_UNUSED const WpPolicy *policy)
{
  return "rr";
}
