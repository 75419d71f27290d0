/* SPDX-License-Identifier: MIT */
/* What each instruction that nvcc emits runs as on some shipped GPUs, as a table that is kept
 * (tests/cuda/runs-as.txt): a suffix that is dropped without a rule, and without the run saying so,
 * shows as a change of it. UPDATE_GOLDEN=1 in the environment writes it anew. What it may not
 * contain at all is checked on its own, from the names alone. */
#include "config.h"

#include "idg/import/ops/idg-ops.h"
#include "sim/gpu/wp-nearest.h"

#include <string.h>

#include "tests/check-main.h"

static const gchar *const gpus[] = { "gtx980", "v100", "a100-80", "h100-sxm", "rtx4090" };
#define N_GPUS G_N_ELEMENTS (gpus)

static gchar *
get_path (const gchar *folder, const gchar *name)
{
  return g_build_filename (g_getenv ("WARPIPE_DATA_DIR"), folder, name, NULL);
}

static WpGpu *
load_gpu (const gchar *name)
{
  g_autofree gchar *file = g_strconcat (name, ".xml", NULL);
  g_autofree gchar *path = get_path ("configs", file);
  g_autoptr (GError) error = NULL;
  WpGpu *gpu = wp_gpu_load (path, NULL, &error);

  ck_assert_msg (gpu != NULL, "%s", error != NULL ? error->message : "");
  return gpu;
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const gchar *const *)a, *(const gchar *const *)b);
}

/* The canonical names of all opcodes, sorted, each once. */
static GPtrArray *
list_ops (void)
{
  g_autofree gchar *path = get_path ("tests/cuda", "opcodes.txt");
  g_autofree gchar *text = NULL;
  g_auto (GStrv) lines = NULL;
  GPtrArray *ops = g_ptr_array_new_with_free_func (g_free);

  ck_assert (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (gchar **line = lines; *line != NULL; line++)
    if (**line != '\0' && **line != '#')
      g_ptr_array_add (ops, idg_ops_canonize_ptx (*line, NULL));
  g_ptr_array_sort (ops, compare);
  for (guint i = 1; i < ops->len;)
    if (strcmp (ops->pdata[i - 1], ops->pdata[i]) == 0)
      g_ptr_array_remove_index (ops, i);
    else
      i++;
  return ops;
}

/* "=" as itself; "ld.global" by its last parts' being of no matter; "ld.global*16" by the rule, of
 * 16 bytes; "!add" with a loss that the run tells of; "~add" as the nearest, which it tells of,
 * too; "slot" without a figure, which it warns of; "-" not at all, which is an error. Free with
 * g_free(). */
static gchar *
describe (const WpGpu *gpu, const gchar *op)
{
  WpMatch match = wp_match_find (gpu, op);

  if (match.op == NULL)
    {
      match = wp_nearest_match (gpu, op);
      if (match.loss == WP_LOSS_ALL)
        return g_strdup ("slot");
      return match.op != NULL ? g_strconcat ("~", match.op->name, NULL) : g_strdup ("-");
    }
  if (strcmp (match.op->name, op) == 0)
    return g_strdup ("=");
  if (match.loss != WP_LOSS_NONE)
    return g_strconcat ("!", match.op->name, NULL);
  return match.bytes != 0 && match.op->width != WP_WIDTH_ANY && match.bytes != match.op->width
             ? g_strdup_printf ("%s*%u", match.op->name, match.bytes)
             : g_strdup (match.op->name);
}

static gchar *
make_table (void)
{
  g_autoptr (GPtrArray) ops = list_ops ();
  GString *table = g_string_new ("# op");

  for (guint g = 0; g < N_GPUS; g++)
    g_string_append_printf (table, " %s", gpus[g]);
  g_string_append_c (table, '\n');
  for (guint g = 0; g < N_GPUS; g++)
    {
      WpGpu *gpu = load_gpu (gpus[g]);

      for (guint i = 0; i < ops->len; i++)
        {
          g_autofree gchar *old = ops->pdata[i];
          g_autofree gchar *name = g_strndup (old, strcspn (old, " "));
          g_autofree gchar *what = describe (gpu, name);

          ops->pdata[i] = g_strconcat (old, " ", what, NULL);
        }
      wp_gpu_free (gpu);
    }
  for (guint i = 0; i < ops->len; i++)
    g_string_append_printf (table, "%s\n", (const gchar *)ops->pdata[i]);
  return g_string_free (table, FALSE);
}

START_TEST (the_table_is_the_one_that_is_kept)
{
  g_autofree gchar *path = get_path ("tests/cuda", "runs-as.txt");
  g_autofree gchar *table = make_table ();
  g_autofree gchar *kept = NULL;
  g_auto (GStrv) lines = NULL, kept_lines = NULL;
  guint i = 0;

  if (g_getenv ("UPDATE_GOLDEN") != NULL)
    ck_assert (g_file_set_contents (path, table, -1, NULL));
  ck_assert (g_file_get_contents (path, &kept, NULL, NULL));
  lines = g_strsplit (table, "\n", -1);
  kept_lines = g_strsplit (kept, "\n", -1);
  for (; lines[i] != NULL && kept_lines[i] != NULL; i++)
    ck_assert_str_eq (lines[i], kept_lines[i]);
  ck_assert_ptr_eq (lines[i], kept_lines[i]);
}
END_TEST

/* The bytes of the last word of NAME, a type; 0 if it is none. Read in a way of its own. */
static guint
get_bytes (const gchar *name)
{
  const gchar *type = strrchr (name, '.');
  gchar *end;
  guint64 bits;

  if (type == NULL || strchr ("usbf", type[1]) == NULL || type[1] == '\0')
    return 0;
  bits = g_ascii_strtoull (type + 2, &end, 10);
  return *end == '\0' ? (guint)(bits / 8) : 0;
}

static gboolean
says_so (const WpMatch *match)
{
  return match->op == NULL || match->loss != WP_LOSS_NONE;
}

/* Loads and stores of global memory count the bytes that they move, or the run tells of it. */
START_TEST (an_access_moves_the_bytes_that_its_name_says)
{
  g_autoptr (GPtrArray) ops = list_ops ();
  WpGpu *gpu = load_gpu (gpus[_i]);

  for (guint i = 0; i < ops->len; i++)
    {
      const gchar *op = ops->pdata[i], *vector = strstr (op, ".v");
      guint bytes = get_bytes (op) * (vector != NULL ? (guint)(vector[2] - '0') : 1);
      WpMatch match = wp_match_find (gpu, op);
      WpGpuCost cost;

      if ((!g_str_has_prefix (op, "ld.global.") && !g_str_has_prefix (op, "st.global."))
          || bytes == 0 || says_so (&match))
        continue;
      ck_assert (wp_gpu_op_cost_of (match.op, NULL, match.bytes, &cost, NULL));
      ck_assert_msg (cost.bytes == 32 * bytes, "%s on %s: %" G_GUINT64_FORMAT " bytes", op,
                     gpus[_i], cost.bytes);
    }
  wp_gpu_free (gpu);
}
END_TEST

/* What computes in double or half precision does not run with figures of another one. */
START_TEST (a_precision_is_its_own_or_told_of)
{
  static const gchar *const types[] = { "f64", "f16", "bf16", "f16x2", "bf16x2" };
  g_autoptr (GPtrArray) ops = list_ops ();
  WpGpu *gpu = load_gpu (gpus[_i]);

  for (guint i = 0; i < ops->len; i++)
    for (guint t = 0; t < G_N_ELEMENTS (types); t++)
      {
        const gchar *op = ops->pdata[i], *type = strrchr (op, '.');
        WpMatch match = wp_match_find (gpu, op);
        IdgOpsValue value;

        idg_ops_find_value (op, &value);
        if (type == NULL || strcmp (type + 1, types[t]) != 0 || says_so (&match)
            || value.use != IDG_OPS_COMPUTES)
          continue;
        ck_assert_msg (g_str_has_suffix (match.op->name, type), "%s on %s runs as %s", op, gpus[_i],
                       match.op->name);
      }
  wp_gpu_free (gpu);
}
END_TEST

static Suite *
make_suite (void)
{
  TCase *cases = tcase_create ("opcodes");
  Suite *suite = suite_create ("runs-as");

  tcase_set_timeout (cases, 120);
  tcase_add_test (cases, the_table_is_the_one_that_is_kept);
  tcase_add_loop_test (cases, an_access_moves_the_bytes_that_its_name_says, 0, N_GPUS);
  tcase_add_loop_test (cases, a_precision_is_its_own_or_told_of, 0, N_GPUS);
  suite_add_tcase (suite, cases);
  return suite;
}
