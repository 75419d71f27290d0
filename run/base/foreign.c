/* SPDX-License-Identifier: MIT */
/* One table of suffixes, one of first bytes. The first bytes decide where both do: an a.out has no
 * suffix, and a cubin may have any. */
#include "run/base/foreign.h"

#include "idg/xml/idg-head.h"

#include <string.h>
#include <sys/stat.h>

#define HEAD 64

typedef enum
{
  CUDA,     /* nvcc makes PTX of it */
  C_SOURCE, /* the same, if it is CUDA */
  PYTHON,
  LLVM,
  OTHER_SOURCE, /* for which there is no one way */
  BINARY,       /* cuobjdump lists it */
  REPORT,       /* a profiler's */
  N_WAYS
} Way;

static const struct
{
  const gchar *suffix;
  Way way;
  const gchar *what;
} suffixes[] = {
  { ".cu", CUDA, "CUDA source" },
  { ".h", C_SOURCE, "a header" },
  { ".hpp", C_SOURCE, "a header" },
  { ".c", C_SOURCE, "C source" },
  { ".cc", C_SOURCE, "C++ source" },
  { ".cpp", C_SOURCE, "C++ source" },
  { ".cxx", C_SOURCE, "C++ source" },
  { ".py", PYTHON, "Python source" },
  { ".ipynb", PYTHON, "a notebook of Python" },
  { ".ll", LLVM, "LLVM assembly" },
  { ".bc", LLVM, "LLVM bitcode" },
  { ".cl", OTHER_SOURCE, "OpenCL source" },
  { ".hip", OTHER_SOURCE, "HIP source" },
  { ".jl", OTHER_SOURCE, "Julia source" },
  { ".rs", OTHER_SOURCE, "Rust source" },
  { ".f90", OTHER_SOURCE, "Fortran source" },
  { ".cuf", OTHER_SOURCE, "CUDA Fortran source" },
  { ".cubin", BINARY, "a cubin" },
  { ".fatbin", BINARY, "a fatbin" },
  { ".o", BINARY, "an object file" },
  { ".obj", BINARY, "an object file" },
  { ".so", BINARY, "a shared library" },
  { ".a", BINARY, "a library" },
  { ".exe", BINARY, "a program" },
  { ".ncu-rep", REPORT, "a report of Nsight Compute" },
  { ".nsys-rep", REPORT, "a report of Nsight Systems" },
  { ".qdrep", REPORT, "a report of Nsight Systems" },
  { ".nvvp", REPORT, "a report of nvprof" },
  { ".nvprof", REPORT, "a report of nvprof" },
  { ".sqlite", REPORT, "a database, perhaps of Nsight Systems" },
};

/* What warpipe imports, and kernels of its own. */
static const gchar *const own_suffixes[]
    = { ".ptx", ".sass", ".traceg", ".g", ".gz", ".xz", ".xml", ".txt" };

static const struct
{
  const gchar *bytes;
  gsize n;
  const gchar *what;
} heads[] = {
  { "\177ELF", 4, "a program, a library or a cubin (ELF)" },
  { "\x50\xed\x55\xba", 4, "a fatbin" },
  { "!<arch>\n", 8, "a library" },
  { "MZ", 2, "a program of Windows" },
};

/* ---- What to type ---- */

/* The option of nvcc for GPU, by its generation: NVIDIA's "CUDA GPU Compute Capability". Where a
 * generation has several, the one that all of its GPUs here run. */
static const gchar *
get_architecture (const WpGpu *gpu)
{
  static const struct
  {
    const gchar *generation;
    gint64 warps; /* resident on an SM, where that tells two apart; 0: any */
    const gchar *option;
  } table[] = {
    { "Hopper", 0, " -arch=sm_90" },  { "Ada Lovelace", 0, " -arch=sm_89" },
    { "Ampere", 48, " -arch=sm_86" }, { "Ampere", 64, " -arch=sm_80" },
    { "Turing", 0, " -arch=sm_75" },  { "Volta", 0, " -arch=sm_70" },
    { "Pascal", 0, " -arch=sm_60" },  { "Maxwell", 0, " -arch=sm_52" },
    { "Kepler", 0, " -arch=sm_30" },  { "Fermi", 0, " -arch=sm_20" },
  };

  for (gsize i = 0; gpu != NULL && i < G_N_ELEMENTS (table); i++)
    if (g_strcmp0 (gpu->generation, table[i].generation) == 0
        && (table[i].warps == 0 || table[i].warps == gpu->limits.warps))
      return table[i].option;
  return "";
}

/* PATH as a shell takes it. Free with g_free(). */
static gchar *
quote (const gchar *path)
{
  gsize plain = strspn (path, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                              "._-+,/:@%");

  return path[plain] == '\0' ? g_strdup (path) : g_shell_quote (path);
}

/* The file beside which SUFFIX takes the place of PATH's, in the current folder, as a shell takes
 * it. Free with g_free(). */
static gchar *
get_result (const gchar *path, const gchar *suffix)
{
  g_autofree gchar *base = g_path_get_basename (path);
  gchar *dot = strrchr (base, '.');
  g_autofree gchar *name = NULL;

  if (dot != NULL && dot != base)
    *dot = '\0';
  name = g_strconcat (base, suffix, NULL);
  return quote (name);
}

static void
fail (const gchar *path, Way way, const gchar *what, const WpGpu *gpu, GError **error)
{
  g_autofree gchar *file = quote (path);
  g_autofree gchar *ptx = get_result (path, ".ptx");
  g_autofree gchar *sass = get_result (path, ".sass");
  const gchar *arch = get_architecture (gpu);
  gchar *todo[N_WAYS] = {
    [CUDA]
    = g_strdup_printf ("type nvcc -ptx -lineinfo%s %s, then give %s in its place", arch, file, ptx),
    [C_SOURCE] = g_strdup_printf (
        "if it has a kernel of CUDA, type nvcc -x cu -ptx -lineinfo%s %s -o %s, then give %s", arch,
        file, ptx, ptx),
    [PYTHON] = g_strdup_printf (
        "save the PTX of its kernel, as Triton (.asm[\"ptx\"]) or Numba (inspect_asm ()) has it, "
        "to a file such as %s, and give that",
        ptx),
    [LLVM] = g_strdup_printf ("type llc -march=nvptx64%s%s %s -o %s, then give %s",
                              *arch != '\0' ? " -mcpu=" : "",
                              *arch != '\0' ? arch + strlen (" -arch=") : "", file, ptx, ptx),
    [OTHER_SOURCE] = g_strdup ("have its compiler write PTX, and give that"),
    [BINARY] = g_strdup_printf (
        "type cuobjdump -sass %s >%s, which makes a listing, then give %s in its place", file, sass,
        sass),
    [REPORT] = g_strdup ("expected the kernel itself: its PTX (nvcc -ptx -lineinfo), or the "
                         "listing that cuobjdump -sass makes of the program"),
  };

  g_set_error (error, WP_ERROR, WP_ERROR_READ, "%s: %s, which is not read; %s", path, what,
               todo[way]);
  for (guint i = 0; i < N_WAYS; i++)
    g_free (todo[i]);
}

/* A file called a program or a cubin, that begins as none does. */
static void
fail_binary (const gchar *path, const gchar *what, gsize n, GError **error)
{
  if (n == 0)
    g_set_error (error, WP_ERROR, WP_ERROR_READ, "%s: it is empty; expected %s", path, what);
  else
    g_set_error (error, WP_ERROR, WP_ERROR_READ,
                 "%s: by its name %s, but it does not begin as one does (ELF, a fatbin or an "
                 "archive): it is damaged, or something else",
                 path, what);
}

/* ---- What it is ---- */

/* Whether NAME ends in SUFFIX, in whatever case, and is more than that. */
static gboolean
ends_in (const gchar *name, const gchar *suffix)
{
  gsize n = strlen (name), m = strlen (suffix);

  return n > m && name[n - m - 1] != '/' && g_ascii_strcasecmp (name + n - m, suffix) == 0;
}

static gboolean
check_folder (const gchar *path, GError **error)
{
  g_autofree gchar *list = g_build_filename (path, "kernelslist.g", NULL);

  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    return TRUE;
  if (g_file_test (list, G_FILE_TEST_IS_REGULAR))
    g_set_error (error, WP_ERROR, WP_ERROR_READ,
                 "%s: cannot be read: Is a directory, of traces; expected %s", path, list);
  else
    g_set_error (error, WP_ERROR, WP_ERROR_READ,
                 "%s: cannot be read: Is a directory; expected a file: a kernel.xml, PTX, a SASS "
                 "listing or a trace",
                 path);
  return FALSE;
}

gboolean
wp_foreign_is_pipe (const gchar *path)
{
  struct stat about;

  return stat (path, &about) == 0 && !S_ISREG (about.st_mode) && !S_ISDIR (about.st_mode);
}

static gboolean
check_pipe (const gchar *path, GError **error)
{
  static const gchar *const read_once[] = { ".xml", ".ptx", ".sass", ".traceg" };

  if (!wp_foreign_is_pipe (path))
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (read_once); i++)
    if (ends_in (path, read_once[i]))
      return TRUE;
  if (!wp_foreign_is_file_name (path))
    return TRUE;
  g_set_error (
      error, WP_ERROR, WP_ERROR_READ,
      "%s: a pipe, which can be read only once; save it in a file first (a kernel.xml, PTX, "
      "a listing or a .traceg may come through a pipe)",
      path);
  return FALSE;
}

void
wp_foreign_explain_pipe (const gchar *path, GError **error)
{
  if (error == NULL || *error == NULL || !wp_foreign_is_pipe (path) || ends_in (path, ".xml"))
    return;
  g_prefix_error (
      error,
      "%s is a pipe, of which only the name can say what it is (.xml, .ptx, .sass, .traceg): ",
      path);
}

gboolean
wp_foreign_check (const gchar *path, const WpGpu *gpu, GError **error)
{
  gchar head[HEAD];
  gsize n = idg_read_head (path, head, HEAD);

  if (!check_folder (path, error) || !check_pipe (path, error))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (heads); i++)
    if (n >= heads[i].n && memcmp (head, heads[i].bytes, heads[i].n) == 0)
      {
        fail (path, BINARY, heads[i].what, gpu, error);
        return FALSE;
      }
  for (gsize i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (ends_in (path, suffixes[i].suffix) && g_file_test (path, G_FILE_TEST_IS_REGULAR))
      {
        if (suffixes[i].way == BINARY)
          fail_binary (path, suffixes[i].what, n, error);
        else
          fail (path, suffixes[i].way, suffixes[i].what, gpu, error);
        return FALSE;
      }
  return TRUE;
}

gboolean
wp_foreign_check_xml (const gchar *path, GError **error)
{
  gchar head[HEAD];
  gsize n = idg_read_head (path, head, HEAD);
  const gchar *at = head;

  if (n >= 3 && memcmp (head, "\xef\xbb\xbf", 3) == 0) /* a byte order mark */
    at += 3;
  while (at < head + n && g_ascii_isspace (*at))
    at++;
  if (ends_in (path, ".xml") || at == head + n || *at == '<' || *at == '\0' || (guchar)*at >= 0x80)
    return TRUE;
  g_set_error (
      error, WP_ERROR, WP_ERROR_READ,
      "%s: neither a kernel.xml, nor PTX (nvcc -ptx makes it of CUDA, in a file .ptx), nor "
      "a SASS listing (cuobjdump -sass), nor a trace (kernelslist.g, *.traceg)",
      path);
  return FALSE;
}

gboolean
wp_foreign_is_file_name (const gchar *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (ends_in (name, suffixes[i].suffix))
      return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (own_suffixes); i++)
    if (ends_in (name, own_suffixes[i]))
      return TRUE;
  return FALSE;
}
