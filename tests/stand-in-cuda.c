/* SPDX-License-Identifier: MIT */
/* A libcuda.so.1 for machines without a GPU: it simulates what it is given. The PTX of a kernel is
 * imported as that of any other, with what its parameters say told by hints: trips, branches, how
 * lanes access memory. The GPU is the description that WARPIPE_STAND_IN names. All that a warp
 * tells of its clock is the time of the whole launch, as one warp's of SM 0.
 *
 * What it shows: the driver is called as it has to be, microbenchmarks are PTX that does what
 * they say, and what is measured of them is the GPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <warpipe/warpipe.h>

#include "sim/gpu/wp-gpu.h"

typedef struct
{
  char *file, *image, **lines; /* NULL: machine code, which is not simulated */
  int reads_memory;            /* loads that may be in L2, and should not */
  unsigned own_shared;         /* bytes that it declares, used or not: ptxas keeps them */
} Module;

enum
{
  DONE = 0,
  INVALID = 1,
  NOT_FOUND = 500
};

static WpGpu *gpu;
static guint64 told[3]; /* sm, begin, end */

static GHashTable *known; /* text of a launch -> its end: most are measured several times */

static int has_code; /* machine code was loaded, and no PTX */

static int l2_has; /* L2 may still have what a launch read from memory */

static char *fail_at; /* the name of a function that is to fail, or NULL */

static int
check (const char *name)
{
  return fail_at != NULL && strcmp (fail_at, name) == 0 ? INVALID : DONE;
}

#define START                                                                                      \
  do                                                                                               \
    {                                                                                              \
      int status = check (__func__);                                                               \
      if (status != DONE)                                                                          \
        return status;                                                                             \
    }                                                                                              \
  while (0)

int cuInit (unsigned flags);
int
cuInit (unsigned flags)
{
  const char *name = getenv ("WARPIPE_STAND_IN");

  fail_at = getenv ("WARPIPE_STAND_IN_FAILS");
  START;
  if (flags != 0 || name == NULL)
    return INVALID;
  if (gpu == NULL)
    gpu = wp_gpu_open (name, NULL);
  return gpu != NULL ? DONE : INVALID;
}

int cuGetErrorName (int status, const char **text);
int
cuGetErrorName (int status, const char **text)
{
  *text = status == INVALID ? "CUDA_ERROR_INVALID_VALUE" : "CUDA_ERROR_NOT_FOUND";
  return DONE;
}

int cuDeviceGetCount (int *count);
int
cuDeviceGetCount (int *count)
{
  START;
  *count = 1;
  return DONE;
}

int cuDeviceGet (int *device, int index);
int
cuDeviceGet (int *device, int index)
{
  START;
  *device = 40 + index; /* a handle is no index */
  return index == 0 ? DONE : INVALID;
}

int cuDeviceGetName (char *name, int size, int device);
int
cuDeviceGetName (char *name, int size, int device)
{
  START;
  snprintf (name, (size_t)size, "stand-in for %s", gpu->name);
  return device == 40 ? DONE : INVALID;
}

int cuDeviceGetAttribute (int *value, int attribute, int device);
int
cuDeviceGetAttribute (int *value, int attribute, int device)
{
  int cc = (int)(10 * atof (gpu->cc != NULL ? gpu->cc : "0") + 0.5);
  const WpGpuLimits *limits = &gpu->limits;
  const struct
  {
    int attribute;
    gint64 value;
  } all[] = {
    { 1, limits->threads_per_block },
    { 8, 49152 },
    { 10, gpu->warp_size },
    { 13, (gint64)(wp_cycles_to_double (gpu->clock_mhz) * 1000) },
    { 16, gpu->sms },
    { 38, (gint64)gpu->caches[1].bytes },
    { 39, limits->warps * gpu->warp_size },
    { 75, cc / 10 },
    { 76, cc % 10 },
    { 81, limits->shared_memory },
    { 82, limits->registers },
    { 97, limits->shared_memory_per_block },
    { 106, limits->blocks },
    { 111, limits->shared_memory_reserved },
  };

  START;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (all[i].attribute == attribute)
      {
        *value = (int)all[i].value;
        return device == 40 ? DONE : INVALID;
      }
  return INVALID;
}

int cuDeviceTotalMem_v2 (size_t *bytes, int device);
int
cuDeviceTotalMem_v2 (size_t *bytes, int device)
{
  START;
  *bytes = (size_t)1 << 34;
  return device == 40 ? DONE : INVALID;
}

int cuDevicePrimaryCtxRetain (void **context, int device);
int
cuDevicePrimaryCtxRetain (void **context, int device)
{
  START;
  *context = &gpu;
  return device == 40 ? DONE : INVALID;
}

int cuDevicePrimaryCtxRelease_v2 (int device);
int
cuDevicePrimaryCtxRelease_v2 (int device)
{
  return device == 40 ? DONE : INVALID;
}

int cuCtxSetCurrent (void *context);
int
cuCtxSetCurrent (void *context)
{
  START;
  return context == &gpu ? DONE : INVALID;
}

int cuCtxSynchronize (void);
int
cuCtxSynchronize (void)
{
  START;
  return DONE;
}

/* ---- Memory: what lies in it does not matter ---- */

int cuMemAlloc_v2 (guint64 *pointer, size_t bytes);
int
cuMemAlloc_v2 (guint64 *pointer, size_t bytes)
{
  static guint64 next = 1 << 20;

  START;
  *pointer = next;
  next += (bytes + 4095) / 4096 * 4096;
  return bytes > 0 ? DONE : INVALID;
}

int cuMemFree_v2 (guint64 pointer);
int
cuMemFree_v2 (guint64 pointer)
{
  return pointer != 0 ? DONE : INVALID;
}

/* What the measuring program writes is a ring of addresses. */
int cuMemcpyHtoD_v2 (guint64 to, const void *from, size_t bytes);
int
cuMemcpyHtoD_v2 (guint64 to, const void *from, size_t bytes)
{
  const guint64 *words = from;

  START;
  return to != 0 && bytes >= 16 && (has_code || words[1] == words[0] + 8) ? DONE : INVALID;
}

int cuMemsetD8_v2 (guint64 to, unsigned char value, size_t bytes);
int
cuMemsetD8_v2 (guint64 to, unsigned char value, size_t bytes)
{
  START;
  if (bytes >= 2 * gpu->caches[1].bytes)
    l2_has = 0;
  return to != 0 && value == 0 && bytes > 0 ? DONE : INVALID;
}

int cuMemcpyDtoH_v2 (void *to, guint64 from, size_t bytes);
int
cuMemcpyDtoH_v2 (void *to, guint64 from, size_t bytes)
{
  START;
  if (from == 0 || bytes < sizeof told)
    return INVALID;
  memset (to, 0, bytes);
  memcpy (to, told, sizeof told);
  return DONE;
}

/* ---- Modules ---- */

int cuModuleLoadDataEx (Module **module, const char *image, unsigned n, const int *options,
                        void **values);
int
cuModuleLoadDataEx (Module **module, const char *image, unsigned n, const int *options,
                    void **values)
{
  char *name = NULL;
  int file;

  if (n == 0 && memcmp (image, "\177ELF", 4) == 0)
    {
      START;
      *module = g_new0 (Module, 1);
      has_code = 1;
      return DONE;
    }
  if (n > 0 && options[0] == 5 && check (__func__) != DONE)
    g_strlcpy (values[0], "ptxas fatal: a stand-in refuses\n", (gsize)values[1]);
  START;
  file = g_file_open_tmp ("stand-in-XXXXXX.ptx", &name, NULL);
  if (file < 0 || close (file) != 0 || !g_file_set_contents (name, image, -1, NULL))
    return INVALID;
  *module = g_new0 (Module, 1);
  (*module)->file = name;
  (*module)->image = g_strdup (image);
  (*module)->lines = g_strsplit (image, "\n", -1);
  if (strstr (image, ".shared ") != NULL)
    sscanf (strstr (image, ".shared "), ".shared .align 16 .b8 words[%u]", &(*module)->own_shared);
  (*module)->reads_memory
      = strstr (image, "ld.global.u") != NULL && strstr (image, "ld.global.c") == NULL;
  return DONE;
}

int cuModuleUnload (Module *module);
int
cuModuleUnload (Module *module)
{
  if (module->file != NULL)
    unlink (module->file);
  g_free (module->file);
  g_free (module->image);
  g_strfreev (module->lines);
  g_free (module);
  return DONE;
}

int cuModuleGetFunction (Module **function, Module *module, const char *name);
int
cuModuleGetFunction (Module **function, Module *module, const char *name)
{
  START;
  *function = module;
  return module->file == NULL || strcmp (name, "probe") == 0 ? DONE : NOT_FOUND;
}

int cuFuncSetAttribute (Module *function, int attribute, int value);
int
cuFuncSetAttribute (Module *function, int attribute, int value)
{
  START;
  return function != NULL && attribute == 8 && value <= gpu->limits.shared_memory_per_block
             ? DONE
             : INVALID;
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor (int *blocks, Module *function, int threads,
                                                 size_t shared);
int
cuOccupancyMaxActiveBlocksPerMultiprocessor (int *blocks, Module *function, int threads,
                                             size_t shared)
{
  gint64 warps = (threads + gpu->warp_size - 1) / gpu->warp_size;
  gint64 unit = gpu->limits.shared_memory_allocation;
  gint64 bytes = (gint64)shared + function->own_shared;
  gint64 need = (bytes + gpu->limits.shared_memory_reserved + unit - 1) / unit * unit;

  START;
  *blocks = (int)MIN (gpu->limits.blocks, gpu->limits.warps / warps);
  if (need > 0)
    *blocks = (int)MIN (*blocks, gpu->limits.shared_memory / need);
  if (bytes > gpu->limits.shared_memory_per_block)
    *blocks = 0;
  return function != NULL ? DONE : INVALID;
}

/* ---- Launches ---- */

typedef struct
{
  const Module *module;
  guint32 rounds, stride;
  unsigned warps;
  WpOptions *options;
  guint paces[2][8]; /* bytes from lane to lane of each step: in shared memory, in memory */
} Launch;

static void
hint (const Launch *launch, const char *name, const char *format, ...)
{
  va_list list;
  g_autofree char *text = NULL;

  va_start (list, format);
  text = g_strdup_vprintf (format, list);
  va_end (list);
  if (!wp_options_set (launch->options, name, text, NULL))
    abort ();
}

/* Warps that are no multiple of the stride end at once. */
static void
hint_warps (const Launch *launch, unsigned line)
{
  g_autoptr (GString) others = g_string_new (NULL);

  for (unsigned warp = 0; warp < launch->warps; warp++)
    if (warp % launch->stride != 0)
      g_string_append_printf (others, "%s%u", others->len > 0 ? "," : "", warp);
  if (others->len > 0)
    hint (launch, "branch", "%u=taken:%s", line, others->str);
  else
    hint (launch, "branch", "%u=not", line);
}

static void
hint_access (const Launch *launch, const char *text, unsigned line)
{
  const char *at = strstr (text, "at");
  gboolean is_shared = strstr (text, ".shared.") != NULL;
  guint step = at != NULL && at[2] >= '0' && at[2] <= '7' ? (guint)(at[2] - '0') : 0;
  guint pace = launch->paces[!is_shared][step];

  if (is_shared && pace > 4)
    hint (launch, "context", "%u=conflict-%u", line, pace / 4);
  else if (strstr (text, "ld.global.cg") != NULL)
    hint (launch, "context", "%u=l2", line);
  else if (strstr (text, "ld.global.ca") != NULL)
    hint (launch, "context", "%u=l1", line);
  else if (strstr (text, "ld.global.u64") != NULL) /* a chain: two lanes read the same address */
    hint (launch, "context", "%u=sectors-4", line);
  else if (!is_shared && pace > 4)
    hint (launch, "context", "%u=%s", line, pace == 8 ? "stride-2" : "random");
}

static void
hint_all (Launch *launch)
{
  unsigned done = 0, unroll = 1, loop = 0, count, step, pace;

  for (unsigned i = 0; launch->module->lines[i] != NULL; i++)
    {
      const char *text = launch->module->lines[i];

      if (sscanf (text, "mul.lo.u32 at%u, lane, %u;", &step, &pace) == 2)
        launch->paces[0][step] = pace;
      else if (sscanf (text, "mad.lo.u32 o%u, lane, %u", &step, &pace) == 2)
        launch->paces[1][step] = pace;
      else if (sscanf (text, "mov.u32 j, %u;", &count) == 1)
        hint (launch, "trip", "loop%u=%u", ++loop, count);
      else if (sscanf (text, "add.u32 round, round, %u;", &count) == 1)
        unroll = count;
      else if (strcmp (text, "@q bra done;") == 0 && done++ == 0)
        hint_warps (launch, i + 1);
      else if (strcmp (text, "@q bra done;") == 0 || strcmp (text, "@q bra odd;") == 0)
        hint (launch, "branch", "%u=not", i + 1);
      else if (strcmp (text, "@q bra over;") == 0)
        hint (launch, "branch", "%u=%s", i + 1, launch->rounds == 0 ? "taken" : "not");
      else if (strcmp (text, "@q bra again;") == 0)
        hint (launch, "trip", "again=%u", MAX (launch->rounds / unroll, 1));
      else if (strcmp (text, "fill:") == 0)
        hint (launch, "trip", "fill=%u", 8192 / 4 / (launch->warps * 32));
      else if (strstr (text, "[at") != NULL || strstr (text, "[a]") != NULL)
        hint_access (launch, text, i + 1);
    }
}

static int
simulate (const Launch *launch)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IdgKernel) kernel = wp_kernel_open (launch->module->file, launch->options, &error);
  g_autoptr (WpRunReport) report
      = kernel != NULL ? wp_simulate (kernel, gpu, launch->options, NULL, &error) : NULL;

  if (report == NULL)
    {
      fprintf (stderr, "stand-in: %s\n", error->message);
      return INVALID;
    }
  told[2] = told[1] + (guint64)(report->cycles + 0.5);
  return DONE;
}

/* Machine code: its arguments are one piece, in which the addresses are that were allocated. Each
 * launch is to begin with an empty L2. */
static int
launch_code (void **extra)
{
  const guint64 *words = extra[1];
  size_t bytes = *(size_t *)extra[3];

  if (l2_has)
    fprintf (stderr, "stand-in: a launch finds in L2 what the run before it left\n");
  if (l2_has)
    return INVALID;
  l2_has = 1;
  if (extra[0] != (void *)1 || extra[2] != (void *)2 || extra[4] != NULL || bytes < 16)
    return INVALID;
  return words[0] >= 1 << 20 && words[1] > words[0] ? DONE : INVALID;
}

int cuLaunchKernel (Module *function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,
                    unsigned threads_x, unsigned threads_y, unsigned threads_z, unsigned shared,
                    void *stream, void **parameters, void **extra);
int
cuLaunchKernel (Module *function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,
                unsigned threads_x, unsigned threads_y, unsigned threads_z, unsigned shared,
                void *stream, void **parameters, void **extra)
{
  Launch launch;
  int status = check (__func__);
  g_autofree char *text = NULL;
  guint64 *end;

  if (function->file == NULL)
    return status != DONE ? status : launch_code (extra);
  launch = (Launch){ .module = function,
                     .rounds = *(guint32 *)parameters[2],
                     .stride = *(guint32 *)parameters[3],
                     .warps = threads_x / 32,
                     .options = wp_options_new () };
  if (blocks_y != 1 || blocks_z != 1 || threads_y != 1 || threads_z != 1 || threads_x % 32 != 0
      || stream != NULL || extra != NULL || *(float *)parameters[4] != 1
      || *(guint32 *)parameters[5] != 1 || *(guint64 *)parameters[0] == 0)
    status = INVALID;
  if (function->reads_memory && l2_has)
    {
      fprintf (stderr, "stand-in: a launch finds in L2 what one before it read from memory\n");
      status = INVALID;
    }
  l2_has |= function->reads_memory;
  text = g_strdup_printf ("%u rounds, stride %u, %u x %u, %u bytes:\n%s", launch.rounds,
                          launch.stride, blocks_x, threads_x, shared, function->image);
  if (known == NULL)
    known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  end = g_hash_table_lookup (known, text);
  told[1] = 1000;
  if (end != NULL)
    told[2] = *end;
  else if (status == DONE)
    {
      hint_all (&launch);
      hint (&launch, "blocks", "%u", blocks_x);
      hint (&launch, "threads", "%u", threads_x);
      hint (&launch, "sms", "%s", "all");
      if (shared + function->own_shared > 0)
        hint (&launch, "shared-memory", "%u", shared + function->own_shared);
      status = simulate (&launch);
      if (status == DONE)
        g_hash_table_insert (known, g_steal_pointer (&text), g_memdup2 (&told[2], sizeof told[2]));
    }
  wp_options_free (launch.options);
  return status;
}

/* ---- Events: a launch takes a quarter of a millisecond, the first one ten times as long ---- */

int cuEventCreate (int **event, unsigned flags);
int
cuEventCreate (int **event, unsigned flags)
{
  START;
  *event = g_new0 (int, 1);
  return flags == 0 ? DONE : INVALID;
}

int cuEventDestroy_v2 (int *event);
int
cuEventDestroy_v2 (int *event)
{
  g_free (event);
  return DONE;
}

int cuEventRecord (int *event, void *stream);
int
cuEventRecord (int *event, void *stream)
{
  START;
  ++*event;
  return stream == NULL ? DONE : INVALID;
}

int cuEventElapsedTime (float *ms, const int *from, const int *to);
int
cuEventElapsedTime (float *ms, const int *from, const int *to)
{
  START;
  *ms = *from == 1 ? 2.5f : 0.25f;
  return *from == *to ? DONE : INVALID;
}

int cuModuleGetGlobal_v2 (guint64 *pointer, size_t *bytes, Module *module, const char *name);
int
cuModuleGetGlobal_v2 (guint64 *pointer, size_t *bytes, Module *module, const char *name)
{
  START;
  *pointer = 1 << 20;
  *bytes = 4;
  return module->file == NULL && *name != '\0' ? DONE : NOT_FOUND;
}
