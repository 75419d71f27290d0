/* SPDX-License-Identifier: MIT */
/* The compiler is a process of its own, which is waited for with a glance at signals that are held
 * back and at the caller's wish to stop: it is ended before its files are removed. */
#include "exec/wp-compile.h"

#include "idg/kernel/idg-kernel.h"
#include "idg/kernel/idg-signals.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAUSE 3000      /* microseconds between two looks at the compiler */
#define MAX_OUTPUT 8000 /* bytes of what it printed that are shown */

typedef struct
{
  gchar *folder, *cubin, *log, *source;
  sigset_t held, before;
} Place;

gboolean
wp_compile_is_there (gboolean is_ptx)
{
  g_autofree gchar *path = g_find_program_in_path (is_ptx ? "ptxas" : "nvcc");

  return path != NULL;
}

static void
remove_folder (const gchar *path)
{
  GDir *folder = g_dir_open (path, 0, NULL);
  const gchar *name;

  while (folder && (name = g_dir_read_name (folder)))
    {
      g_autofree gchar *inner = g_build_filename (path, name, NULL);

      if (g_file_test (inner, G_FILE_TEST_IS_DIR) && !g_file_test (inner, G_FILE_TEST_IS_SYMLINK))
        remove_folder (inner);
      else
        g_unlink (inner);
    }
  if (folder)
    g_dir_close (folder);
  g_rmdir (path);
}

static gboolean
make_place (Place *place, GError **error)
{
  g_autoptr (GError) problem = NULL;

  idg_signals_list (&place->held);
  pthread_sigmask (SIG_BLOCK, &place->held, &place->before);
  place->folder = g_dir_make_tmp ("warpipe-XXXXXX", &problem);
  if (place->folder == NULL)
    {
      pthread_sigmask (SIG_SETMASK, &place->before, NULL);
      g_set_error (error, IDG_ERROR, IDG_ERROR_READ, "no folder for temporary files: %s",
                   problem->message);
      return FALSE;
    }
  place->cubin = g_build_filename (place->folder, "code.cubin", NULL);
  place->log = g_build_filename (place->folder, "log", NULL);
  place->source = g_build_filename (place->folder, "asked.cu", NULL);
  return TRUE;
}

static void
clear_place (Place *place)
{
  remove_folder (place->folder);
  g_free (place->folder);
  g_free (place->cubin);
  g_free (place->log);
  g_free (place->source);
  pthread_sigmask (SIG_SETMASK, &place->before, NULL);
}

/* In the child: its output goes to the log, and signals reach it. */
static void
prepare_child (gpointer data)
{
  const Place *place = data;
  int log = open (place->log, O_WRONLY | O_CREAT | O_TRUNC, 0600);

  if (log >= 0)
    {
      dup2 (log, STDOUT_FILENO);
      dup2 (log, STDERR_FILENO);
      close (log);
    }
  pthread_sigmask (SIG_SETMASK, &place->before, NULL);
}

static gboolean
should_stop (const gint *cancel)
{
  return (cancel && __atomic_load_n (cancel, __ATOMIC_RELAXED) != 0)
         || idg_signals_get_waiting () != 0;
}

/* The status that CHILD ends with; STOPPED where it was ended. */
static int
wait_for (GPid child, const gint *cancel, gboolean *stopped)
{
  int status = 0;
  pid_t ended;

  *stopped = FALSE;
  while ((ended = waitpid (child, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR))
    {
      if (!*stopped && should_stop (cancel))
        {
          *stopped = TRUE;
          kill (child, SIGTERM);
        }
      g_usleep (PAUSE);
    }
  return ended < 0 ? -1 : status;
}

/* Runs ARGV in PLACE; OUTPUT receives what it printed. FALSE with an error where it could not be
 * started or was stopped; STATUS is 0 where it succeeded. */
static gboolean
run (const WpCompile *compile, Place *place, gchar **argv, int *status, gchar **output,
     GError **error)
{
  g_auto (GStrv) environment = g_get_environ ();
  g_autoptr (GError) problem = NULL;
  gboolean stopped;
  GPid child;

  environment = g_environ_setenv (environment, "TMPDIR", place->folder, TRUE);
  if (!g_spawn_async (NULL, argv, environment, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD,
                      prepare_child, place, &child, &problem))
    {
      g_set_error (error, IDG_ERROR, IDG_ERROR_READ, "%s: %s", compile->path, problem->message);
      return FALSE;
    }
  *status = wait_for (child, compile->cancel, &stopped);
  g_spawn_close_pid (child);
  if (!g_file_get_contents (place->log, output, NULL, NULL))
    *output = g_strdup ("");
  if (stopped)
    g_set_error (error, IDG_ERROR, IDG_ERROR_READ, "%s: %s was stopped", compile->path, argv[0]);
  return !stopped;
}

/* What was printed, as lines with two blanks before them. */
static gchar *
indent (const gchar *output)
{
  g_autofree gchar *valid = g_utf8_make_valid (output, -1);
  g_auto (GStrv) lines = g_strsplit (g_strchomp (valid), "\n", -1);
  GString *text = g_string_new (NULL);

  for (guint k = 0; lines[k] && text->len < MAX_OUTPUT; k++)
    g_string_append_printf (text, "%s  %s", k ? "\n" : "", lines[k]);
  return g_string_free (text, FALSE);
}

/* The targets that nvcc has, of guint, from what --list-gpu-code prints; empty where nobody knows.
 */
static GArray *
list_targets (const WpCompile *compile, Place *place)
{
  gchar *argv[] = { (gchar *)"nvcc", (gchar *)"--list-gpu-code", NULL };
  GArray *targets = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree gchar *output = NULL;
  g_auto (GStrv) words = NULL;
  int status;

  if (!run (compile, place, argv, &status, &output, NULL) || status != 0)
    return targets;
  words = g_strsplit_set (output, " \n", -1);
  for (guint k = 0; words[k]; k++)
    if (g_str_has_prefix (words[k], "sm_"))
      {
        gchar *end;
        guint target = (guint)g_ascii_strtoull (words[k] + 3, &end, 10);

        if (*end == 0 && target >= 70)
          g_array_append_val (targets, target);
      }
  return targets;
}

/* The target for SM: itself, else the newest older one, else the oldest. */
static guint
choose_target (const GArray *targets, guint sm)
{
  guint older = 0, oldest = G_MAXUINT;

  for (guint k = 0; k < targets->len; k++)
    {
      guint target = g_array_index (targets, guint, k);

      if (target <= sm)
        older = MAX (older, target);
      oldest = MIN (oldest, target);
    }
  return older > 0 ? older : oldest < G_MAXUINT ? oldest : sm;
}

static gboolean
names_target (const gchar *options)
{
  return options
         && (strstr (options, "-arch") || strstr (options, "-gencode")
             || strstr (options, "--gpu-"));
}

/* Whether the N OPTIONS ask for code to debug, which has lines: nvcc warns of -lineinfo besides. */
static gboolean
is_for_debugging (gchar **options, gint n)
{
  for (gint k = 0; k < n; k++)
    if (strcmp (options[k], "-G") == 0 || strcmp (options[k], "--device-debug") == 0)
      return TRUE;
  return FALSE;
}

/* nvcc hands the name to a shell, in which it would start what stands in it: $(...), `...`. */
static gboolean
check_path (const WpCompile *compile, gboolean is_ptx, GError **error)
{
  if (is_ptx || strpbrk (compile->path, "$`\"\n") == NULL)
    return TRUE;
  g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
               "%s: nvcc hands this name to a shell, which would read more than a name; expected "
               "one without $, `, double quotes and line ends",
               compile->path);
  return FALSE;
}

/* Source that includes the file and takes the addresses of the kernels that it is to be compiled
 * for: so templates become kernels. What the file includes is looked for where the file is. */
static gboolean
write_source (const WpCompile *compile, const Place *place, GError **error)
{
  g_autofree gchar *path = g_canonicalize_filename (compile->path, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) problem = NULL;

  g_string_append_printf (text, "#include \"%s\"\nvoid *warpipe_asked[] = {\n", path);
  for (guint k = 0; compile->kernels[k]; k++)
    g_string_append_printf (text, "  (void *) &%s,\n", compile->kernels[k]);
  g_string_append (text, "};\n");
  if (g_file_set_contents (place->source, text->str, -1, &problem))
    return TRUE;
  g_set_error (error, IDG_ERROR, IDG_ERROR_READ, "%s: %s", compile->path, problem->message);
  return FALSE;
}

static GPtrArray *
make_arguments (const WpCompile *compile, gboolean is_ptx, const Place *place, guint target,
                GError **error)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) more = NULL;
  g_autoptr (GError) problem = NULL;
  gint n = 0;

  if (!check_path (compile, is_ptx, error))
    return NULL;
  if (compile->options && *compile->options && !is_ptx
      && !g_shell_parse_argv (compile->options, &n, &more, &problem)
      && !g_error_matches (problem, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING))
    {
      g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE, "--nvcc '%s': %s", compile->options,
                   problem->message);
      return NULL;
    }
  g_ptr_array_add (argv, g_strdup (is_ptx ? "ptxas" : "nvcc"));
  if (!is_ptx)
    {
      g_ptr_array_add (argv, g_strdup ("-cubin"));
      if (!g_str_has_suffix (compile->path, ".cu"))
        g_ptr_array_add (argv, g_strdup ("--x=cu"));
    }
  if (!is_for_debugging (more, n))
    g_ptr_array_add (argv, g_strdup ("-lineinfo"));
  if (!names_target (compile->options) || is_ptx)
    g_ptr_array_add (argv, g_strdup_printf ("-arch=sm_%u", target));
  for (gint k = 0; k < n; k++)
    g_ptr_array_add (argv, g_strdup (more[k]));
  g_ptr_array_add (argv, g_strdup ("-o"));
  g_ptr_array_add (argv, g_strdup (place->cubin));
  if (compile->kernels)
    g_ptr_array_add (argv, g_strdup (place->source));
  else
    g_ptr_array_add (argv, *compile->path == '-' ? g_strconcat ("./", compile->path, NULL)
                                                 : g_strdup (compile->path));
  g_ptr_array_add (argv, NULL);
  return g_steal_pointer (&argv);
}

static void
say (const WpCompile *compile, gchar *note)
{
  if (compile->note)
    compile->note (note, compile->data);
  g_free (note);
}

static GBytes *
read_result (const WpCompile *compile, const Place *place, const gchar *tool, int status,
             const gchar *output, GError **error)
{
  g_autofree gchar *lines = indent (output);
  gchar *data;
  gsize length;

  if (status == 0 && g_file_get_contents (place->cubin, &data, &length, NULL))
    {
      if (*output)
        say (compile, g_strdup_printf ("%s: %s says\n%s", compile->path, tool, lines));
      return g_bytes_new_take (data, length);
    }
  g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE, "%s: %s failed%s%s", compile->path, tool,
               *output ? ":\n" : ", and said nothing", *output ? lines : "");
  return NULL;
}

/* OUTPUT, with "the launch" for the name of the source that was written here: all that it can be
 * blamed for is what the launch asks for. */
static void
hide_source (const Place *place, gchar **output)
{
  g_auto (GStrv) parts = g_strsplit (*output, place->source, -1);

  g_free (*output);
  *output = g_strjoinv ("the launch", parts);
}

static GBytes *
compile_in (const WpCompile *compile, gboolean is_ptx, Place *place, GError **error)
{
  const gchar *tool = is_ptx ? "ptxas" : "nvcc";
  g_autoptr (GArray) targets = is_ptx ? NULL : list_targets (compile, place);
  guint target = targets ? choose_target (targets, compile->sm) : compile->sm;
  g_autoptr (GPtrArray) argv = make_arguments (compile, is_ptx, place, target, error);
  g_autofree gchar *output = NULL;
  int status;

  if (argv == NULL || (compile->kernels && !write_source (compile, place, error)))
    return NULL;
  if (target != compile->sm && !names_target (compile->options))
    say (compile, g_strdup_printf ("%s: compiled for sm_%u, since this nvcc has no sm_%u",
                                   compile->path, target, compile->sm));
  if (!run (compile, place, (gchar **)argv->pdata, &status, &output, error))
    return NULL;
  hide_source (place, &output);
  return read_result (compile, place, tool, status, output, error);
}

GBytes *
wp_compile (const WpCompile *compile, gboolean is_ptx, GError **error)
{
  Place place = { 0 };
  GBytes *cubin;

  if (!wp_compile_is_there (is_ptx))
    {
      g_set_error (
          error, IDG_ERROR, IDG_ERROR_READ,
          "%s: it takes %s, which is not on the PATH: install NVIDIA's CUDA toolkit "
          "(https://developer.nvidia.com/cuda-downloads; Debian's nvidia-cuda-toolkit), or "
          "give a cubin (nvcc -cubin -lineinfo -arch=sm_%u)",
          compile->path, is_ptx ? "ptxas" : "nvcc", compile->sm);
      return NULL;
    }
  if (!make_place (&place, error))
    return NULL;
  cubin = compile_in (compile, is_ptx, &place, error);
  clear_place (&place);
  return cubin;
}
