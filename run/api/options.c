/* SPDX-License-Identifier: MIT */
/* Options are kept as they are written. Each value is checked when it is set, so that the error
 * comes where the mistake is made, and read again when it is used; only what goes together is
 * checked then. One table says what each option takes: there is no other list of them.
 */
#include "run/api/options.h"

#include "idg/kernel/idg-suggest.h"
#include "models/wp-model.h"

#include <string.h>

typedef enum
{
  NUMBERS,  /* a list of MIN .. MAX */
  BLOCK,    /* a list of numbers of threads, or of sizes of blocks */
  GRID,     /* a list of numbers of blocks, or of sizes of grids */
  NUMBER,   /* one of them */
  SMS,      /* a list of numbers and "all" */
  CHOICES,  /* a list of two words */
  FLAG,     /* "yes" or "no" */
  POLICIES, /* a list of names */
  MODELS,   /* likewise */
  WORDS,    /* a list of any */
  TIME,     /* cycles */
  TEXT,     /* anything */
  SETTINGS, /* NAME=LIST of numbers; several */
  KNOBS,    /* NAME=LIST of a policy's; several */
  TEXTS,    /* anything; several */
  LINES     /* anything; several in their order, one more than once */
} Kind;

typedef struct
{
  const gchar *name;
  Kind kind;
  guint64 min, max;
  const gchar *first, *second; /* the two words */
} Option;

static const Option table[] = {
  { "policy", POLICIES, 0, 0, NULL, NULL },
  { "policy-set", KNOBS, 0, 0, NULL, NULL },
  { "sms", SMS, 1, WP_MAX_SMS, NULL, NULL },
  { "occupancy", NUMBERS, 1, WP_MAX_RESIDENT_WARPS, NULL, NULL },
  { "blocks", NUMBERS, 1, IDG_MAX_BLOCKS, NULL, NULL },
  { "grid", GRID, 1, IDG_MAX_BLOCKS, NULL, NULL },
  { "threads", BLOCK, 1, IDG_MAX_THREADS, NULL, NULL },
  { "registers", NUMBERS, 0, IDG_MAX_REGISTERS, NULL, NULL },
  { "shared-memory", NUMBERS, 0, IDG_MAX_SHARED_MEMORY, NULL, NULL },
  { "no-limits", FLAG, 0, 0, NULL, NULL },
  { "active-set", NUMBERS, 1, WP_MAX_RESIDENT_WARPS, NULL, NULL },
  { "order", CHOICES, 0, 0, "program", "dataflow" },
  { "memory", CHOICES, 0, 0, "ideal", "contended" },
  { "seed", NUMBERS, 0, G_MAXUINT64, NULL, NULL },
  { "cores", NUMBER, 1, WP_MAX_CORES, NULL, NULL },
  { "no-skip", FLAG, 0, 0, NULL, NULL },
  { "from", TIME, 0, 0, NULL, NULL },
  { "to", TIME, 0, 0, NULL, NULL },
  { "sm", NUMBER, 0, WP_MAX_SMS - 1, NULL, NULL },
  { "set", SETTINGS, 0, G_MAXINT64, NULL, NULL },
  { "gpu", WORDS, 0, 0, NULL, NULL },
  { "model", MODELS, 0, 0, NULL, NULL },
  { "entry", TEXT, 0, 0, NULL, NULL },
  { "kernel", TEXT, 0, 0, NULL, NULL },
  { "ptxas-log", TEXT, 0, 0, NULL, NULL },
  { "banks", TEXT, 0, 0, NULL, NULL },
  { "trip", TEXTS, 0, 0, NULL, NULL },
  { "branch", TEXTS, 0, 0, NULL, NULL },
  { "context", TEXTS, 0, 0, NULL, NULL },
  { "launch", LINES, 0, 0, NULL, NULL },
  { "data", TEXTS, 0, 0, NULL, NULL },
  { "nvcc", TEXT, 0, 0, NULL, NULL },
  { "execute-limit", TEXT, 0, 0, NULL, NULL },
  { "compiler-waits", FLAG, 0, 0, NULL, NULL },
  { "strict", FLAG, 0, 0, NULL, NULL },
};

#define N_OPTIONS G_N_ELEMENTS (table)

struct WpOptions
{
  GPtrArray
      *values[N_OPTIONS];   /* of gchar: at most one, but for those of which there are several */
  gchar *joined[N_OPTIONS]; /* what wp_options_get() returned, or NULL */
  GPtrArray *policies;      /* of WpOwnPolicy */
  WpMessageFunc message;
  gpointer message_data;
  WpProgressFunc progress;
  gpointer progress_data;
};

/* ---- The object ---- */

static void
own_policy_free (gpointer data)
{
  WpOwnPolicy *own = data;

  g_free (own->name);
  g_free (own);
}

static gpointer
copy_own_policy (gconstpointer data, gpointer user_data)
{
  const WpOwnPolicy *own = data;
  WpOwnPolicy *copy = g_new0 (WpOwnPolicy, 1);

  (void)user_data;
  *copy = (WpOwnPolicy){ g_strdup (own->name), own->plugin };
  return copy;
}

WpOptions *
wp_options_new (void)
{
  WpOptions *options = g_new0 (WpOptions, 1);

  for (guint i = 0; i < N_OPTIONS; i++)
    options->values[i] = g_ptr_array_new_with_free_func (g_free);
  options->policies = g_ptr_array_new_with_free_func (own_policy_free);
  return options;
}

static gpointer
copy_string (gconstpointer string, gpointer data)
{
  (void)data;
  return g_strdup (string);
}

WpOptions *
wp_options_copy (const WpOptions *options)
{
  WpOptions *copy;

  g_return_val_if_fail (options != NULL, NULL);
  copy = g_memdup2 (options, sizeof *options);
  for (guint i = 0; i < N_OPTIONS; i++)
    {
      copy->values[i] = g_ptr_array_copy (options->values[i], copy_string, NULL);
      g_ptr_array_set_free_func (copy->values[i], g_free);
      copy->joined[i] = g_strdup (options->joined[i]);
    }
  copy->policies = g_ptr_array_copy (options->policies, copy_own_policy, NULL);
  g_ptr_array_set_free_func (copy->policies, own_policy_free);
  return copy;
}

void
wp_options_free (WpOptions *options)
{
  if (options == NULL)
    return;
  for (guint i = 0; i < N_OPTIONS; i++)
    {
      g_ptr_array_unref (options->values[i]);
      g_free (options->joined[i]);
    }
  g_ptr_array_unref (options->policies);
  g_free (options);
}

const char *
wp_option_get_name (guint i)
{
  return i < N_OPTIONS ? table[i].name : NULL;
}

/* The place of NAME, or N_OPTIONS. */
static guint
find (const gchar *name)
{
  guint i = 0;

  while (i < N_OPTIONS && strcmp (table[i].name, name) != 0)
    i++;
  return i;
}

/* ---- Checking a value ---- */

/* Appends NAME to a list of names. */
static void
add_name (GString *names, const gchar *name)
{
  g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", name);
}

static gboolean
fail (const gchar *value, const gchar *expected, GError **error)
{
  g_set_error (error, WP_ERROR, WP_ERROR_OPTION, "\"%s\": expected %s", value, expected);
  return FALSE;
}

/* Files are looked at when they are used. */
static gboolean
check_policy (const WpOptions *options, const gchar *name, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);
  g_autofree gchar *meant = NULL;

  if (wp_policy_find (name) != NULL || wp_policy_is_file (name))
    return TRUE;
  for (guint i = 0; i < options->policies->len; i++)
    {
      const WpOwnPolicy *own = g_ptr_array_index (options->policies, i);

      if (strcmp (own->name, name) == 0)
        return TRUE;
      add_name (known, own->name);
    }
  for (gsize i = 0; wp_policy_get (i) != NULL; i++)
    add_name (known, wp_policy_get_name (wp_policy_get (i)));
  meant = idg_suggest_end_of (name, known->str);
  g_set_error (error, WP_ERROR, WP_ERROR_OPTION, "\"%s\": there are %s%s", name, known->str, meant);
  return FALSE;
}

static gboolean
check_model (const gchar *name, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);
  g_autofree gchar *meant = NULL;

  if (wp_model_find (name) != NULL)
    return TRUE;
  for (gsize i = 0; wp_model_get (i) != NULL; i++)
    add_name (known, wp_model_get (i)->name);
  meant = idg_suggest_end_of (name, known->str);
  g_set_error (error, WP_ERROR, WP_ERROR_OPTION, "\"%s\": there are %s%s", name, known->str, meant);
  return FALSE;
}

static gboolean
check_numbers (const Option *option, const gchar *value, GError **error)
{
  g_autoptr (GArray) numbers = wp_list_parse_numbers (value, option->min, option->max, error);

  return numbers != NULL;
}

static GArray *
parse_numbers (const Option *option, const gchar *value, GError **error)
{
  if (option->kind == BLOCK || option->kind == GRID)
    return wp_dims_parse_list (value, option->kind == GRID ? WP_DIMS_GRID : WP_DIMS_BLOCK, error);
  return wp_list_parse_numbers (value, option->min, option->max, error);
}

static gboolean
check_dims (const Option *option, const gchar *value, GError **error)
{
  g_autoptr (GArray) numbers = parse_numbers (option, value, error);

  return numbers != NULL;
}

static gboolean
check_number (const Option *option, const gchar *value, GError **error)
{
  g_autofree gchar *expected = NULL;

  if (g_ascii_string_to_unsigned (value, 10, option->min, option->max, NULL, NULL))
    return TRUE;
  expected = g_strdup_printf ("a whole number from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT,
                              option->min, option->max);
  return fail (value, expected, error);
}

/* One of a list. */
static gboolean
check_word (const WpOptions *options, const Option *option, const gchar *word, GError **error)
{
  g_autofree gchar *expected = NULL;

  switch (option->kind)
    {
    case POLICIES:
      return check_policy (options, word, error);
    case MODELS:
      return check_model (word, error);
    case SMS:
      return strcmp (word, "all") == 0 || check_numbers (option, word, error);
    case CHOICES:
      if (strcmp (word, option->first) == 0 || strcmp (word, option->second) == 0)
        return TRUE;
      expected = g_strdup_printf ("%s or %s", option->first, option->second);
      return fail (word, expected, error);
    default:
      return TRUE;
    }
}

static gboolean
check_words (const WpOptions *options, const Option *option, const gchar *value, GError **error)
{
  g_auto (GStrv) words = wp_list_parse_words (value, error);

  for (guint i = 0; words != NULL && words[i] != NULL; i++)
    if (!check_word (options, option, words[i], error))
      return FALSE;
  return words != NULL;
}

static gboolean
check_time (const gchar *value, GError **error)
{
  WpCycles cycles;
  const gchar *problem = wp_cycles_parse (value, false, &cycles);

  if (problem == NULL)
    return TRUE;
  g_set_error (error, WP_ERROR, WP_ERROR_OPTION,
               "\"%s\": %s; expected a time in cycles, as 12, 12.5 or 1/6", value, problem);
  return FALSE;
}

static gboolean
check_setting (const Option *option, const gchar *value, GError **error)
{
  const gchar *equals = strchr (value, '=');

  if (equals == NULL || equals == value)
    return fail (value, "NAME=VALUE, the value a whole number of at least 0", error);
  return check_numbers (option, equals + 1, error);
}

/* Which knobs there are is known when the policy has been loaded. */
static gboolean
check_knob (const gchar *value, GError **error)
{
  const gchar *equals = strchr (value, '=');

  return (equals != NULL && equals != value && equals[1] != '\0')
         || fail (value, "NAME=VALUE, of a knob that the policy has", error);
}

static gboolean
check (const WpOptions *options, const Option *option, const gchar *value, GError **error)
{
  switch (option->kind)
    {
    case NUMBERS:
      return check_numbers (option, value, error);
    case BLOCK:
    case GRID:
      return check_dims (option, value, error);
    case NUMBER:
      return check_number (option, value, error);
    case FLAG:
      return strcmp (value, "yes") == 0 || strcmp (value, "no") == 0
             || fail (value, "yes or no", error);
    case TIME:
      return check_time (value, error);
    case SETTINGS:
      return check_setting (option, value, error);
    case KNOBS:
      return check_knob (value, error);
    case TEXT:
    case TEXTS:
    case LINES:
      return *value != '\0' || fail (value, "some text", error);
    default:
      return check_words (options, option, value, error);
    }
}

/* ---- Setting and getting ---- */

static gboolean
fail_unknown (const gchar *name, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);
  g_autofree gchar *meant = NULL;

  for (guint i = 0; i < N_OPTIONS; i++)
    add_name (known, table[i].name);
  meant = idg_suggest_end_of (name, known->str);
  g_set_error (error, WP_ERROR, WP_ERROR_OPTION, "no option is called \"%s\"; there are %s%s", name,
               known->str, meant);
  return FALSE;
}

static gboolean
is_named (const Option *option)
{
  return option->kind == SETTINGS || option->kind == KNOBS;
}

/* Whether two values of "set" are of one parameter, or two of "policy-set" of one knob. */
static gboolean
are_alike (const Option *option, const gchar *value, const gchar *other)
{
  gsize n = strcspn (value, "=");

  return is_named (option) ? strncmp (value, other, n + 1) == 0 : strcmp (value, other) == 0;
}

static void
put (WpOptions *options, guint at, const gchar *value)
{
  gboolean several = is_named (&table[at]) || table[at].kind == TEXTS || table[at].kind == LINES;
  GPtrArray *values = options->values[at];

  g_clear_pointer (&options->joined[at], g_free);
  if (value == NULL || !several)
    g_ptr_array_set_size (values, 0);
  for (guint i = 0; value != NULL && table[at].kind != LINES && i < values->len; i++)
    if (are_alike (&table[at], value, g_ptr_array_index (values, i)))
      g_ptr_array_remove_index (values, i--);
  if (value != NULL)
    g_ptr_array_add (values, g_strdup (value));
  if (several && values->len > 0)
    {
      g_ptr_array_add (values, NULL);
      options->joined[at] = g_strjoinv (" ", (gchar **)values->pdata);
      g_ptr_array_set_size (values, (gint)values->len - 1);
    }
}

/* "blocks" and "grid" both say how many blocks there are. */
static gboolean
check_blocks (const WpOptions *options, const gchar *name, const gchar *value, GError **error)
{
  const gchar *other = strcmp (name, "grid") == 0     ? "blocks"
                       : strcmp (name, "blocks") == 0 ? "grid"
                                                      : NULL;
  const gchar *theirs = other != NULL ? wp_options_get (options, other) : NULL;
  g_autoptr (GArray) own = NULL;
  g_autoptr (GArray) others = NULL;

  if (theirs == NULL)
    return TRUE;
  own = parse_numbers (&table[find (name)], value, NULL);
  others = parse_numbers (&table[find (other)], theirs, NULL);
  if (wp_ranges_are_alike (own, others))
    return TRUE;
  g_set_error (error, WP_ERROR, WP_ERROR_OPTION,
               "%s \"%s\": %s is \"%s\", which is another number of blocks; set one of the two",
               name, value, other, theirs);
  return FALSE;
}

gboolean
wp_options_set (WpOptions *options, const char *name, const char *value, GError **error)
{
  guint at;

  g_return_val_if_fail (options != NULL && name != NULL, FALSE);
  at = find (name);
  if (at == N_OPTIONS)
    return fail_unknown (name, error);
  if (value != NULL && !check (options, &table[at], value, error))
    {
      g_prefix_error (error, "%s ", name);
      return FALSE;
    }
  if (value != NULL && !check_blocks (options, name, value, error))
    return FALSE;
  put (options, at, value);
  return TRUE;
}

gboolean
wp_options_set_number (WpOptions *options, const char *name, guint64 value, GError **error)
{
  gchar text[24];

  g_snprintf (text, sizeof text, "%" G_GUINT64_FORMAT, value);
  return wp_options_set (options, name, text, error);
}

const char *
wp_options_get (const WpOptions *options, const char *name)
{
  guint at;

  g_return_val_if_fail (options != NULL && name != NULL, NULL);
  at = find (name);
  if (at == N_OPTIONS || options->values[at]->len == 0)
    return NULL;
  return options->joined[at] != NULL ? options->joined[at]
                                     : g_ptr_array_index (options->values[at], 0);
}

static gboolean
set_pair (WpOptions *options, const gchar *pair, GError **error)
{
  const gchar *equals = strchr (pair, '=');
  g_autofree gchar *name = NULL;

  if (equals == NULL)
    return fail (pair, "NAME=VALUE", error);
  name = g_strndup (pair, (gsize)(equals - pair));
  return wp_options_set (options, name, equals + 1, error);
}

WpOptions *
wp_options_parse (const char *text, GError **error)
{
  g_autoptr (WpOptions) options = wp_options_new ();
  g_auto (GStrv) pairs = NULL;

  g_return_val_if_fail (text != NULL, NULL);
  pairs = g_strsplit_set (text, " \t\n", -1);
  for (guint i = 0; pairs[i] != NULL; i++)
    if (*pairs[i] != '\0' && !set_pair (options, pairs[i], error))
      return NULL;
  return g_steal_pointer (&options);
}

void
wp_options_set_messages (WpOptions *options, WpMessageFunc func, gpointer data)
{
  g_return_if_fail (options != NULL);
  options->message = func;
  options->message_data = data;
}

void
wp_options_set_progress (WpOptions *options, WpProgressFunc func, gpointer data)
{
  g_return_if_fail (options != NULL);
  options->progress = func;
  options->progress_data = data;
}

/* ---- Reading ---- */

static const gchar *
get (const WpOptions *options, const gchar *name)
{
  return options != NULL ? wp_options_get (options, name) : NULL;
}

GArray *
wp_options_read_numbers (const WpOptions *options, const gchar *name)
{
  gboolean grid = strcmp (name, "blocks") == 0 && get (options, "grid") != NULL;
  const Option *option = &table[find (grid ? "grid" : name)];
  const gchar *value = get (options, option->name);

  return value != NULL ? parse_numbers (option, value, NULL) : NULL;
}

guint
wp_options_get_cores (const WpOptions *options)
{
  const gchar *value = get (options, "cores");

  return value != NULL ? (guint)g_ascii_strtoull (value, NULL, 10)
                       : MIN (g_get_num_processors (), WP_MAX_CORES);
}

GStrv
wp_options_read_words (const WpOptions *options, const gchar *name)
{
  const gchar *value = get (options, name);

  return value != NULL ? wp_list_parse_words (value, NULL) : NULL;
}

GPtrArray *
wp_options_get_own_policies (const WpOptions *options)
{
  return options != NULL ? options->policies : NULL;
}

const GPtrArray *
wp_options_get_all (const WpOptions *options, const gchar *name)
{
  return options != NULL ? options->values[find (name)] : NULL;
}

static gboolean
is_yes (const WpOptions *options, const gchar *name)
{
  return g_strcmp0 (get (options, name), "yes") == 0;
}

/* The only value of an option, which may be a list; VALUE stays where it is not set. */
static gboolean
read_one (const WpOptions *options, const gchar *name, const gchar **value, GError **error)
{
  const gchar *list = get (options, name);
  const gchar *marks = table[find (name)].kind == POLICIES ? "," : ",-"; /* "two-level" is none */

  if (list != NULL && strpbrk (list, marks) != NULL)
    {
      g_set_error (error, WP_ERROR, WP_ERROR_OPTION,
                   "%s \"%s\": a list; one simulation takes one value", name, list);
      return FALSE;
    }
  if (list != NULL)
    *value = list;
  return TRUE;
}

static gboolean
read_number (const WpOptions *options, const gchar *name, gint64 *number, GError **error)
{
  const gchar *value = NULL;

  if (!read_one (options, name, &value, error))
    return FALSE;
  if (value != NULL)
    *number = (gint64)g_ascii_strtoull (value, NULL, 10);
  return TRUE;
}

/* The same of an option that may have sizes. */
static gboolean
read_dims (const WpOptions *options, const gchar *name, gint64 *number, guint64 *sizes,
           GError **error)
{
  const gchar *value = NULL;
  g_autoptr (GArray) ranges = NULL;

  if (!read_one (options, name, &value, error))
    return FALSE;
  ranges = value != NULL ? parse_numbers (&table[find (name)], value, NULL) : NULL;
  if (ranges != NULL)
    {
      *number = (gint64)g_array_index (ranges, WpRange, 0).first;
      memcpy (sizes, g_array_index (ranges, WpRange, 0).sizes, 3 * sizeof *sizes);
    }
  return TRUE;
}

static gboolean
read_launch (const WpOptions *options, WpRunOptions *run, GError **error)
{
  return read_number (options, "occupancy", &run->occupancy, error)
         && read_number (options, "blocks", &run->blocks, error)
         && read_dims (options, "grid", &run->blocks, run->grid_dim, error)
         && read_dims (options, "threads", &run->threads, run->block_dim, error)
         && read_number (options, "registers", &run->registers, error)
         && read_number (options, "shared-memory", &run->shared_memory, error);
}

static gboolean
read_machine (const WpOptions *options, WpRunOptions *run, GError **error)
{
  const gchar *sms = NULL, *order = NULL, *memory = NULL;
  gint64 seed = (gint64)run->seed, active_set = run->active_set;

  if (!read_one (options, "sms", &sms, error) || !read_one (options, "order", &order, error)
      || !read_one (options, "memory", &memory, error)
      || !read_number (options, "seed", &seed, error)
      || !read_number (options, "active-set", &active_set, error))
    return FALSE;
  if (sms != NULL)
    {
      run->sms = strcmp (sms, "all") == 0 ? 0 : (gint64)g_ascii_strtoull (sms, NULL, 10);
      run->sms_said = TRUE;
    }
  run->has_order = order != NULL;
  run->order = g_strcmp0 (order, "dataflow") == 0 ? WP_ORDER_DATAFLOW : WP_ORDER_PROGRAM;
  if (memory != NULL)
    run->memory = strcmp (memory, "contended") == 0 ? WP_MEMORY_CONTENDED : WP_MEMORY_IDEAL;
  run->seed = (guint64)seed;
  run->active_set = (guint32)active_set;
  run->no_limits = is_yes (options, "no-limits");
  return TRUE;
}

static gboolean
read_window (const WpOptions *options, WpRequest *request, GError **error)
{
  const gchar *from = get (options, "from"), *to = get (options, "to");

  request->from = wp_cycles_whole (0);
  request->sm = WP_TRACE_ALL_SMS;
  if (from != NULL)
    wp_cycles_parse (from, false, &request->from);
  request->has_to = to != NULL && wp_cycles_parse (to, false, &request->to) == NULL;
  if (!read_number (options, "sm", &request->sm, error))
    return FALSE;
  if (!request->has_to || wp_cycles_compare (request->from, request->to) < 0)
    return TRUE;
  g_set_error (error, WP_ERROR, WP_ERROR_OPTION,
               "from \"%s\" to \"%s\": nothing is between; the second must be later",
               from != NULL ? from : "0", to);
  return FALSE;
}

gboolean
wp_options_read (const WpOptions *options, WpRequest *request, GError **error)
{
  *request = (WpRequest){ .run = WP_RUN_OPTIONS_INIT };
  if (!read_launch (options, &request->run, error) || !read_machine (options, &request->run, error)
      || !read_one (options, "policy", &(const gchar *){ NULL }, error)
      || !read_window (options, request, error))
    return FALSE;
  request->max_cores = wp_options_get_cores (options);
  request->skips = !is_yes (options, "no-skip");
  request->strict = is_yes (options, "strict");
  return TRUE;
}

/* ---- Importing ---- */

static GStrv
copy_all (const WpOptions *options, const gchar *name)
{
  const GPtrArray *values = wp_options_get_all (options, name);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; values != NULL && i < values->len; i++)
    g_strv_builder_add (builder, g_ptr_array_index (values, i));
  return values != NULL && values->len > 0 ? g_strv_builder_end (builder) : NULL;
}

void
wp_options_read_import (const WpOptions *options, WpImportOptions *import)
{
  *import = (WpImportOptions){ .entry = g_strdup (get (options, "entry")),
                               .kernel = g_strdup (get (options, "kernel")),
                               .ptxas_log = g_strdup (get (options, "ptxas-log")),
                               .banks = g_strdup (get (options, "banks")),
                               .trips = copy_all (options, "trip"),
                               .branches = copy_all (options, "branch"),
                               .contexts = copy_all (options, "context"),
                               .launches = copy_all (options, "launch"),
                               .data = copy_all (options, "data"),
                               .nvcc = g_strdup (get (options, "nvcc")),
                               .execute_limit = g_strdup (get (options, "execute-limit")),
                               .compiler_waits = is_yes (options, "compiler-waits"),
                               .threads = wp_options_get_cores (options),
                               .strict = is_yes (options, "strict"),
                               .note = wp_options_tell,
                               .note_data = (gpointer)options };
}

/* ---- Callbacks ---- */

void
wp_options_tell (gpointer data, const gchar *message)
{
  const WpOptions *options = data;

  if (options != NULL && options->message != NULL)
    options->message (message, options->message_data);
}

gboolean
wp_options_goes_on (const WpOptions *options, gdouble share)
{
  return options == NULL || options->progress == NULL
         || options->progress (share, options->progress_data);
}

static void
hear (gpointer data, const WpProgressReport *report)
{
  WpWatcher *watcher = data;

  if (report != NULL)
    watcher->share = report->share;
}

static gint
is_cancelled (gpointer data)
{
  const WpWatcher *watcher = data;

  return !wp_options_goes_on (watcher->options, watcher->share);
}

void
wp_watcher_init (WpWatcher *watcher, const WpOptions *options)
{
  *watcher = (WpWatcher){ .progress = { hear, is_cancelled, watcher }, .options = options };
}

GPtrArray *
wp_api_keep_list (GStringChunk *texts, const GPtrArray *list)
{
  GPtrArray *kept = g_ptr_array_new ();

  for (guint i = 0; i < list->len; i++)
    g_ptr_array_add (kept, g_string_chunk_insert_const (texts, g_ptr_array_index (list, i)));
  g_ptr_array_add (kept, NULL);
  return kept;
}

gboolean
wp_api_cancelled (GError **error)
{
  g_set_error_literal (error, WP_ERROR, WP_ERROR_CANCELLED, "cancelled");
  return FALSE;
}

void
wp_api_propagate (GError **error, GError *problem)
{
  if (problem->domain == IDG_ERROR)
    problem->domain = WP_ERROR;
  g_propagate_error (error, problem);
}
