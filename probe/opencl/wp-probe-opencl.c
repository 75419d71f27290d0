/* SPDX-License-Identifier: MIT */
/* A launch becomes a kernel in OpenCL C, which is compiled once. Its time is that between the events of its
 * begin and its end. */
#include "probe/opencl/wp-probe-opencl.h"

#include "probe/opencl/wp-opencl-source.h"
#include "probe/opencl/wp-opencl.h"
#include "sim/gpu/wp-types.h"

#include <string.h>

#define PRECISION 0.02
#define SHORTEST_US                                                                                \
  100 /* of a launch: clocks of drivers have steps of some microseconds at worst */
#define REPEATS 3
#define BODY 128 /* instructions of a loop */
#define MOST_WARPS 16
#define KHZ_UNTOLD 1000000 /* where no driver tells a clock a cycle is a nanosecond */
#define LEAST_WORDS ((guint64)1 << 22)
#define MOST_WORDS ((guint64)1 << 28)
#define OF_L2 16 /* the region of loads has so many times what L2 has */
#define L1_WORDS 1024

typedef struct
{
  ClProgram program;
  ClKernel kernel;
  guint64 unroll;
} Built;

typedef struct
{
  WpProbeDevice device;
  const WpOpenCl *cl;
  WpOpenClDevice told;
  ClContext context;
  ClQueue queue;
  ClMemory memory; /* NULL: not needed so far */
  WpOpenClSizes sizes;
  guint32 shift;     /* the word at which the next launch begins */
  GHashTable *built; /* of Built, by its text */
  gint64 warp_size, khz;
  gchar *title, *clock;
  gboolean has_double, has_half, is_khz_told;
} OpenCl;

static gboolean
fail (const OpenCl *opencl, const gchar *call, ClStatus status, GError **error)
{
  g_set_error (error, WP_ERROR, WP_ERROR_READ, "%s (%s): %s failed, OpenCL's error %d",
               opencl->device.name, opencl->told.name, call, status);
  return FALSE;
}

/* ---- Kernels ---- */

static gboolean
fail_build (const OpenCl *opencl, ClProgram program, ClStatus status, GError **error)
{
  gchar log[4096] = "";
  size_t size = 0;

  opencl->cl->clGetProgramBuildInfo (program, opencl->told.id, CL_PROGRAM_BUILD_LOG, sizeof log - 1,
                                     log, &size);
  g_strdelimit (g_strstrip (log), "\r\n", ' ');
  if (log[0] == '\0')
    return fail (opencl, "clBuildProgram", status, error);
  g_set_error (error, WP_ERROR, WP_ERROR_READ, "%s (%s): its compiler refuses a microbenchmark: %s",
               opencl->device.name, opencl->told.name, log);
  return FALSE;
}

/* Takes ownership of TEXT. */
static const Built *
build (OpenCl *opencl, gchar *text, guint64 unroll, GError **error)
{
  const WpOpenCl *cl = opencl->cl;
  Built built = { .unroll = unroll };
  const char *texts[] = { text };
  ClStatus status = 0;

  built.program = cl->clCreateProgramWithSource (opencl->context, 1, texts, NULL, &status);
  if (built.program == NULL)
    {
      fail (opencl, "clCreateProgramWithSource", status, error);
      g_free (text);
      return NULL;
    }
  status = cl->clBuildProgram (built.program, 1, &opencl->told.id, "", NULL, NULL);
  if (status == 0)
    built.kernel = cl->clCreateKernel (built.program, "probe", &status);
  if (built.kernel != NULL)
    {
      Built *kept = g_memdup2 (&built, sizeof built);

      g_hash_table_insert (opencl->built, text, kept);
      return kept;
    }
  fail_build (opencl, built.program, status, error);
  cl->clReleaseProgram (built.program);
  g_free (text);
  return NULL;
}

static const Built *
find_built (OpenCl *opencl, const WpProbeLaunch *launch, GError **error)
{
  guint64 unroll = 1;
  gchar *text = wp_opencl_write (launch, &opencl->sizes, BODY, &unroll);
  const Built *built = g_hash_table_lookup (opencl->built, text);

  if (built == NULL)
    return build (opencl, text, unroll, error);
  g_free (text);
  return built;
}

/* ---- Memory ---- */

static gboolean
uses_memory (const WpProbeLaunch *launch)
{
  for (guint s = 0; s < launch->n_steps; s++)
    if (wp_opencl_get_type (launch->steps[s].op, launch->steps[s].access) == WP_PROBE_GLOBAL_WORDS)
      return TRUE;
  return FALSE;
}

static gboolean
fill_memory (const OpenCl *opencl, GError **error)
{
  guint64 words = opencl->sizes.memory;
  g_autofree guint32 *next = g_try_new (guint32, words);
  ClStatus status;

  if (next == NULL)
    {
      g_set_error_literal (error, WP_ERROR, WP_ERROR_MEMORY, "out of memory");
      return FALSE;
    }
  for (guint64 i = 0; i < words; i++)
    next[i] = (guint32)((i + WP_OPENCL_STEP) % words);
  status = opencl->cl->clEnqueueWriteBuffer (opencl->queue, opencl->memory, 1, 0,
                                             words * sizeof next[0], next, 0, NULL, NULL);
  return status == 0 || fail (opencl, "clEnqueueWriteBuffer", status, error);
}

/* The memory that LAUNCH goes through: one word, if it goes through none. */
static gboolean
get_memory (OpenCl *opencl, const WpProbeLaunch *launch, GError **error)
{
  ClStatus status = 0;

  if (opencl->memory != NULL || !uses_memory (launch))
    return TRUE;
  opencl->memory = opencl->cl->clCreateBuffer (opencl->context, CL_MEM_READ_WRITE,
                                               (2 * opencl->sizes.memory + 1) * sizeof (guint32),
                                               NULL, &status);
  if (opencl->memory == NULL)
    return fail (opencl, "clCreateBuffer", status, error);
  return fill_memory (opencl, error);
}

/* ---- Launches ---- */

static ClStatus
set_arguments (const OpenCl *opencl, const Built *built, const WpProbeLaunch *launch)
{
  guint32 rounds = (guint32)launch->rounds, warp = (guint32)opencl->warp_size;
  guint32 stride = launch->stride, unit = 1;
  float one = 1;
  const struct
  {
    size_t size;
    const void *value;
  } arguments[] = {
    { sizeof opencl->memory, &opencl->memory },
    { WP_OPENCL_LOCAL_WORDS * sizeof (guint32), NULL },
    { sizeof rounds, &rounds },
    { sizeof warp, &warp },
    { sizeof stride, &stride },
    { sizeof one, &one },
    { sizeof unit, &unit },
    { sizeof opencl->shift, &opencl->shift },
  };
  ClStatus status = 0;

  for (ClUint i = 0; status == 0 && i < G_N_ELEMENTS (arguments); i++)
    status = opencl->cl->clSetKernelArg (built->kernel, i, arguments[i].size, arguments[i].value);
  return status;
}

/* The time of EVENT, which is over then, in cycles. */
static gboolean
read_event (const OpenCl *opencl, ClEvent event, gdouble *cycles, GError **error)
{
  const WpOpenCl *cl = opencl->cl;
  ClUlong begin = 0, end = 0;
  ClStatus status = cl->clWaitForEvents (1, &event);

  if (status == 0)
    status = cl->clGetEventProfilingInfo (event, CL_PROFILING_COMMAND_START, sizeof begin, &begin,
                                          NULL);
  if (status == 0)
    status = cl->clGetEventProfilingInfo (event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
  cl->clReleaseEvent (event);
  if (status != 0)
    return fail (opencl, "clGetEventProfilingInfo", status, error);
  *cycles = end > begin ? (gdouble)(end - begin) * (gdouble)opencl->khz / 1e6 : 0;
  return TRUE;
}

static gboolean
run (WpProbeDevice *device, const WpProbeLaunch *launch, gdouble *cycles, gboolean *fits,
     GError **error)
{
  OpenCl *opencl = (OpenCl *)device;
  const Built *built = find_built (opencl, launch, error);
  size_t local = launch->warps * (size_t)opencl->warp_size, global = local * launch->blocks;
  ClEvent event = NULL;
  ClStatus status;

  if (built == NULL || !get_memory (opencl, launch, error))
    return FALSE;
  if (fits != NULL)
    *fits = TRUE;
  if (launch->rounds > G_MAXUINT32)
    return fail (opencl, "a microbenchmark of 2^32 rounds", 0, error);
  status = set_arguments (opencl, built, launch);
  if (status != 0)
    return fail (opencl, "clSetKernelArg", status, error);
  status = opencl->cl->clEnqueueNDRangeKernel (opencl->queue, built->kernel, 1, NULL, &global,
                                               &local, 0, NULL, &event);
  if (status != 0)
    return fail (opencl, "clEnqueueNDRangeKernel", status, error);
  opencl->shift = wp_opencl_advance (launch, opencl->shift);
  return read_event (opencl, event, cycles, error);
}

/* ---- What the driver tells ---- */

static gboolean
has (WpProbeDevice *device, const gchar *op, const gchar *access)
{
  const OpenCl *opencl = (OpenCl *)device;
  WpProbeType type = wp_opencl_get_type (op, access);

  if (type == WP_PROBE_N_TYPES || (type == WP_PROBE_DOUBLE && !opencl->has_double))
    return FALSE;
  if (g_strcmp0 (access, "l2") == 0)
    return opencl->sizes.l2 > 2 * L1_WORDS;
  return type != WP_PROBE_HALF || opencl->has_half;
}

/* The number NAME of the device, as far as a description has any; 0: not told. */
static gint64
get_bounded (const OpenCl *opencl, ClUint name)
{
  return (gint64)MIN (wp_opencl_get_number (opencl->cl, opencl->told.id, name), G_MAXINT32);
}

static gint64
get (WpProbeDevice *device, WpProbeAttribute attribute)
{
  const OpenCl *opencl = (OpenCl *)device;
  ClUint name = 0;

  switch (attribute)
    {
    case WP_PROBE_SMS:
      name = CL_DEVICE_MAX_COMPUTE_UNITS;
      break;
    case WP_PROBE_CLOCK_KHZ:
      return opencl->khz;
    case WP_PROBE_WARP_SIZE:
      return opencl->warp_size;
    case WP_PROBE_CC:
      return 10 * get_bounded (opencl, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV)
             + get_bounded (opencl, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV);
    case WP_PROBE_THREADS_PER_BLOCK:
      name = CL_DEVICE_MAX_WORK_GROUP_SIZE;
      break;
    case WP_PROBE_SHARED_MEMORY_PER_BLOCK:
      name = CL_DEVICE_LOCAL_MEM_SIZE;
      break;
    case WP_PROBE_L2_BYTES:
      name = CL_DEVICE_GLOBAL_MEM_CACHE_SIZE;
      break;
    default:
      return 0;
    }
  return get_bounded (opencl, name);
}

/* OpenCL does not tell. */
static gint64
count_blocks (WpProbeDevice *device G_GNUC_UNUSED, const WpProbeLaunch *launch G_GNUC_UNUSED)
{
  return -1;
}

/* ---- The device ---- */

static guint64
round_down (guint64 words)
{
  guint64 power = 1;

  while (2 * power <= words)
    power *= 2;
  return power;
}

/* Memory is many times L2, of which what was read has gone when a warp comes back to it or to what
 * others have read, and a quarter of what may be had at a time at most. */
static void
choose_sizes (OpenCl *opencl)
{
  ClDevice id = opencl->told.id;
  guint64 l2 = wp_opencl_get_number (opencl->cl, id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE) / 4;
  guint64 most = wp_opencl_get_number (opencl->cl, id, CL_DEVICE_MAX_MEM_ALLOC_SIZE) / 4;

  opencl->sizes.memory
      = round_down (CLAMP (OF_L2 * l2, LEAST_WORDS, MIN (MAX (most / 4, LEAST_WORDS), MOST_WORDS)));
  opencl->sizes.l1 = L1_WORDS;
  opencl->sizes.l2 = round_down (MAX (MIN (l2 / 2, opencl->sizes.memory), 1));
}

/* By how much a compiler wants threads in a group to be a multiple, where no vendor's extension tells. */
static gint64
ask_multiple (OpenCl *opencl, GError **error)
{
  WpProbeLaunch launch = { .rounds = 1, .warps = 1, .stride = 1, .blocks = 1 };
  const Built *built = find_built (opencl, &launch, error);
  size_t multiple = 1;

  if (built == NULL)
    return 0;
  opencl->cl->clGetKernelWorkGroupInfo (built->kernel, opencl->told.id,
                                        CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                        sizeof multiple, &multiple, NULL);
  return CLAMP ((gint64)multiple, 1, 1024);
}

static gboolean
ask (OpenCl *opencl, GError **error)
{
  const WpOpenCl *cl = opencl->cl;
  ClDevice id = opencl->told.id;
  g_autofree gchar *extensions = wp_opencl_get_text (cl, id, CL_DEVICE_EXTENSIONS);

  opencl->has_double = strstr (extensions, "cl_khr_fp64") != NULL;
  opencl->has_half = strstr (extensions, "cl_khr_fp16") != NULL;
  opencl->khz = (gint64)wp_opencl_get_number (cl, id, CL_DEVICE_MAX_CLOCK_FREQUENCY) * 1000;
  opencl->is_khz_told = opencl->khz > 0;
  if (!opencl->is_khz_told)
    opencl->khz = KHZ_UNTOLD;
  choose_sizes (opencl);
  opencl->warp_size = (gint64)wp_opencl_get_number (cl, id, CL_DEVICE_WARP_SIZE_NV);
  if (opencl->warp_size <= 0)
    opencl->warp_size = (gint64)wp_opencl_get_number (cl, id, CL_DEVICE_WAVEFRONT_WIDTH_AMD);
  if (opencl->warp_size <= 0)
    opencl->warp_size = ask_multiple (opencl, error);
  return opencl->warp_size > 0;
}

static gboolean
start (OpenCl *opencl, GError **error)
{
  ClStatus status = 0;

  opencl->context = opencl->cl->clCreateContext (NULL, 1, &opencl->told.id, NULL, NULL, &status);
  if (opencl->context == NULL)
    return fail (opencl, "clCreateContext", status, error);
  opencl->queue = opencl->cl->clCreateCommandQueue (opencl->context, opencl->told.id,
                                                    CL_QUEUE_PROFILING_ENABLE, &status);
  return opencl->queue != NULL || fail (opencl, "clCreateCommandQueue", status, error);
}

static void
describe (OpenCl *opencl)
{
  opencl->title = g_strdup_printf ("%s (%s)", opencl->told.name, opencl->told.platform);
  opencl->clock = g_strdup_printf (
      "whole launches by OpenCL's events, in cycles of %.10g MHz%s", (gdouble)opencl->khz / 1000,
      opencl->is_khz_told ? ", as the driver says" : ", as the driver tells no clock: a guess");
  opencl->device.title = opencl->title;
  opencl->device.clock = opencl->clock;
  opencl->device.precision = PRECISION;
  opencl->device.shortest = SHORTEST_US * (gdouble)opencl->khz / 1000;
  opencl->device.repeats = REPEATS;
  opencl->device.independent = WP_PROBE_INDEPENDENT;
  opencl->device.body = BODY;
  opencl->device.most_warps = MOST_WARPS;
}

static void
release_built (gpointer text G_GNUC_UNUSED, gpointer data, gpointer user)
{
  const OpenCl *opencl = user;
  const Built *built = data;

  opencl->cl->clReleaseKernel (built->kernel);
  opencl->cl->clReleaseProgram (built->program);
}

static void
free_opencl (WpProbeDevice *device)
{
  OpenCl *opencl = (OpenCl *)device;

  g_hash_table_foreach (opencl->built, release_built, opencl);
  g_hash_table_unref (opencl->built);
  if (opencl->memory != NULL)
    opencl->cl->clReleaseMemObject (opencl->memory);
  if (opencl->queue != NULL)
    opencl->cl->clReleaseCommandQueue (opencl->queue);
  if (opencl->context != NULL)
    opencl->cl->clReleaseContext (opencl->context);
  g_free ((gchar *)opencl->device.name);
  g_free (opencl->told.name);
  g_free (opencl->told.platform);
  g_free (opencl->title);
  g_free (opencl->clock);
  g_free (opencl);
}

static gint
choose (const GArray *list, gint index)
{
  for (guint i = 0; index < 0 && i < list->len; i++)
    if (g_array_index (list, WpOpenClDevice, i).is_gpu)
      return (gint)i;
  return index >= 0 && (guint)index < list->len ? index : -1;
}

WpProbeDevice *
wp_probe_opencl_new (gint index, GError **error)
{
  const WpOpenCl *cl = wp_opencl_load (error);
  g_autoptr (GArray) list = cl != NULL ? wp_opencl_list (cl) : NULL;
  OpenCl *opencl;
  gint chosen;

  if (list == NULL)
    return NULL;
  chosen = choose (list, index);
  if (chosen < 0)
    {
      if (index < 0 && list->len > 0)
        g_set_error (error, WP_ERROR, WP_ERROR_OPTION,
                     "OpenCL has no GPU here, but %u other device%s (warpipe probe --list)",
                     list->len, list->len == 1 ? "" : "s");
      else if (list->len == 0)
        g_set_error_literal (error, WP_ERROR, WP_ERROR_OPTION, "OpenCL has no device here");
      else
        g_set_error (error, WP_ERROR, WP_ERROR_OPTION,
                     "OpenCL has no device %d here: it has %u (warpipe probe --list)", index,
                     list->len);
      return NULL;
    }
  opencl = g_new0 (OpenCl, 1);
  opencl->cl = cl;
  opencl->told = g_array_index (list, WpOpenClDevice, (guint)chosen);
  opencl->told.name = g_strdup (opencl->told.name);
  opencl->told.platform = g_strdup (opencl->told.platform);
  opencl->built = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  opencl->device = (WpProbeDevice){
    .name = g_strdup_printf ("opencl:%d", chosen),
    .has = has,
    .get = get,
    .count_blocks = count_blocks,
    .run = run,
    .free = free_opencl,
  };
  if (start (opencl, error) && ask (opencl, error))
    {
      describe (opencl);
      return &opencl->device;
    }
  free_opencl (&opencl->device);
  return NULL;
}

gboolean
wp_probe_opencl_list (GPtrArray *list, GError **error)
{
  const WpOpenCl *cl = wp_opencl_load (error);
  g_autoptr (GArray) devices = cl != NULL ? wp_opencl_list (cl) : NULL;

  for (guint i = 0; devices != NULL && i < devices->len; i++)
    {
      const WpOpenClDevice *device = &g_array_index (devices, WpOpenClDevice, i);

      g_ptr_array_add (
          list, g_strdup_printf (
                    "opencl:%-3u %s (%s), %" G_GUINT64_FORMAT " units, %" G_GUINT64_FORMAT " MHz",
                    i, device->name, device->platform,
                    wp_opencl_get_number (cl, device->id, CL_DEVICE_MAX_COMPUTE_UNITS),
                    wp_opencl_get_number (cl, device->id, CL_DEVICE_MAX_CLOCK_FREQUENCY)));
    }
  return devices != NULL;
}
