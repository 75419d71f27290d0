/* SPDX-License-Identifier: MIT */
/* A launch becomes a kernel in PTX, which the driver assembles once. Its time is that of the SM that took
 * longest, from the first clock that a warp of it read to the last: what a launch costs besides is not
 * in it. */
#include "probe/cuda/wp-probe-cuda.h"

#include "probe/cuda/wp-cuda-source.h"
#include "probe/cuda/wp-cuda.h"
#include "sim/gpu/wp-types.h"

#define PRECISION 0.02
#define SHORTEST 10000 /* cycles of a launch */
#define REPEATS 3
#define BODY 512 /* instructions of a loop */
#define NAME_CHARS 256
#define LEAST_BYTES ((guint64)1 << 26)
#define MOST_BYTES ((guint64)1 << 31) /* offsets into it have 32 bits */
#define OF_L2 16                      /* the region of loads has so many times what L2 has */
#define LEAST_L2 ((guint64)1 << 16)
#define L1_BYTES 4096
#define FILLED ((gsize)1 << 20) /* bytes that are written at a time */
#define OWN_SHARED 8192         /* bytes of a kernel that uses shared memory */

typedef struct
{
  CudaModule module;
  CudaFunction function;
  guint64 unroll;
} Built;

/* What a warp tells. */
typedef struct
{
  guint64 sm, begin, end;
} Told;

typedef struct
{
  WpProbeDevice device;
  const WpCuda *cuda;
  CudaDevice id;
  CudaContext context;
  gchar name[NAME_CHARS];
  guint cc;
  WpCudaSizes sizes;
  CudaPointer memory, out; /* 0: not needed so far */
  gsize out_bytes;
  GHashTable *built; /* of Built, by its text */
} Cuda;

static gboolean
fail (const Cuda *cuda, const gchar *call, int status, GError **error)
{
  g_set_error (error, WP_ERROR, WP_ERROR_READ, "%s (%s): %s failed: %s", cuda->device.name,
               cuda->name, call, wp_cuda_get_error (cuda->cuda, status));
  return FALSE;
}

/* ---- Kernels ---- */

static int
assemble (const Cuda *cuda, const gchar *text, CudaModule *module, gchar *log, gsize size)
{
  const int options[] = { CUDA_JIT_ERRORS, CUDA_JIT_ERRORS_SIZE };
  void *values[] = { log, GSIZE_TO_POINTER (size) };

  return cuda->cuda->cuModuleLoadDataEx (module, text, G_N_ELEMENTS (options), options, values);
}

/* Takes ownership of TEXT. */
static const Built *
build (Cuda *cuda, gchar *text, guint64 unroll, GError **error)
{
  g_autofree gchar *owned = text;
  Built built = { .unroll = unroll };
  gchar log[4096] = "";
  int status = assemble (cuda, text, &built.module, log, sizeof log - 1);

  if (status != 0)
    {
      g_strdelimit (g_strstrip (log), "\r\n", ' ');
      if (log[0] == '\0')
        fail (cuda, "cuModuleLoadDataEx", status, error);
      else
        g_set_error (error, WP_ERROR, WP_ERROR_READ,
                     "%s (%s): its driver refuses a microbenchmark: %s", cuda->device.name,
                     cuda->name, log);
      return NULL;
    }
  status = cuda->cuda->cuModuleGetFunction (&built.function, built.module, "probe");
  if (status != 0)
    {
      fail (cuda, "cuModuleGetFunction", status, error);
      cuda->cuda->cuModuleUnload (built.module);
      return NULL;
    }
  g_hash_table_insert (cuda->built, g_steal_pointer (&owned), g_memdup2 (&built, sizeof built));
  return g_hash_table_lookup (cuda->built, text);
}

static const Built *
find_built (Cuda *cuda, const WpProbeLaunch *launch, GError **error)
{
  guint64 unroll = 1;
  gchar *text = wp_cuda_write (launch, &cuda->sizes, cuda->cc, BODY, &unroll);
  const Built *built = g_hash_table_lookup (cuda->built, text);

  if (built == NULL)
    return build (cuda, text, unroll, error);
  g_free (text);
  return built;
}

/* ---- Memory ---- */

static gboolean
uses (const Cuda *cuda, const WpProbeLaunch *launch, WpProbeType type)
{
  for (guint s = 0; s < launch->n_steps; s++)
    if (wp_cuda_get_type (launch->steps[s].op, launch->steps[s].access, cuda->cc) == type)
      return TRUE;
  return FALSE;
}

/* Makes the BYTES at BEGIN a ring of addresses. */
static gboolean
fill_ring (const Cuda *cuda, CudaPointer begin, guint64 bytes, GError **error)
{
  gsize at_once = MIN (bytes, FILLED);
  g_autofree guint64 *words = g_malloc (at_once);

  for (guint64 at = 0; at < bytes; at += at_once)
    {
      int status;

      for (guint64 i = 0; i < at_once / sizeof words[0]; i++)
        words[i] = begin + (at + i * sizeof words[0] + WP_CUDA_STEP) % bytes;
      status = cuda->cuda->cuMemcpyHtoD_v2 (begin + at, words, at_once);
      if (status != 0)
        return fail (cuda, "cuMemcpyHtoD", status, error);
    }
  return TRUE;
}

static gboolean
get_memory (Cuda *cuda, const WpProbeLaunch *launch, GError **error)
{
  const WpCudaSizes *sizes = &cuda->sizes;
  int status;

  if (cuda->memory != 0 || !uses (cuda, launch, WP_PROBE_GLOBAL_WORDS))
    return TRUE;
  status = cuda->cuda->cuMemAlloc_v2 (&cuda->memory, wp_cuda_sizes_get_sum (sizes));
  if (status != 0)
    return fail (cuda, "cuMemAlloc", status, error);
  return fill_ring (cuda, cuda->memory, sizes->memory, error)
         && fill_ring (cuda, cuda->memory + 2 * sizes->memory, sizes->l2, error)
         && fill_ring (cuda, cuda->memory + 2 * sizes->memory + sizes->l2, sizes->l1, error);
}

/* Room for what BYTES of warps tell, all 0. */
static gboolean
get_out (Cuda *cuda, gsize bytes, GError **error)
{
  int status = 0;

  if (bytes > cuda->out_bytes)
    {
      if (cuda->out != 0)
        cuda->cuda->cuMemFree_v2 (cuda->out);
      cuda->out = 0;
      cuda->out_bytes = 0;
      status = cuda->cuda->cuMemAlloc_v2 (&cuda->out, bytes);
      if (status != 0)
        return fail (cuda, "cuMemAlloc", status, error);
      cuda->out_bytes = bytes;
    }
  status = cuda->cuda->cuMemsetD8_v2 (cuda->out, 0, bytes);
  return status == 0 || fail (cuda, "cuMemsetD8", status, error);
}

/* Whether LAUNCH goes to memory past all caches, and to none of them. */
static gboolean
is_uncached (const Cuda *cuda, const WpProbeLaunch *launch)
{
  for (guint s = 0; s < launch->n_steps; s++)
    if (g_strcmp0 (launch->steps[s].access, "l1") == 0
        || g_strcmp0 (launch->steps[s].access, "l2") == 0)
      return FALSE;
  return uses (cuda, launch, WP_PROBE_GLOBAL_WORDS);
}

/* Each launch begins at the same addresses, and a short one reads no more than L2 holds: what the one
 * before it read must have left L2, or its latency would be that of L2. So the region of stores is
 * written, as much of it as L2 cannot hold. */
static gboolean
clear_l2 (const Cuda *cuda, GError **error)
{
  guint64 bytes = MIN (wp_cuda_count_to_clear (cuda->cuda, cuda->id), cuda->sizes.memory);
  int status = cuda->cuda->cuMemsetD8_v2 (cuda->memory + cuda->sizes.memory, 0, bytes);

  return status == 0 || fail (cuda, "cuMemsetD8", status, error);
}

/* ---- Launches ---- */

/* The bytes of shared memory that a launch asks for beside its kernel's own. As long as there is an SM for
 * each block so much that no two are on one. */
static unsigned
choose_shared (const Cuda *cuda, const WpProbeLaunch *launch)
{
  gint64 own = uses (cuda, launch, WP_PROBE_LOCAL_WORDS) ? OWN_SHARED : 0;
  gint64 most
      = cuda->device.get ((WpProbeDevice *)&cuda->device, WP_PROBE_SHARED_MEMORY_PER_BLOCK) - own;
  gint64 sm = cuda->device.get ((WpProbeDevice *)&cuda->device, WP_PROBE_SHARED_MEMORY);
  gint64 sms = cuda->device.get ((WpProbeDevice *)&cuda->device, WP_PROBE_SMS);
  gint64 bytes = launch->shared_memory;

  if (bytes == 0 && launch->blocks > 1 && launch->blocks <= (guint64)sms)
    bytes = sm / 2;
  return (unsigned)CLAMP (bytes, 0, MAX (most, 0));
}

static int
launch_kernel (const Cuda *cuda, const Built *built, const WpProbeLaunch *launch)
{
  guint64 out = cuda->out, memory = cuda->memory;
  guint32 rounds = (guint32)launch->rounds, stride = launch->stride, unit = 1;
  float one = 1;
  void *parameters[] = { &out, &memory, &rounds, &stride, &one, &unit };
  unsigned shared = choose_shared (cuda, launch);
  gint64 warp_size = wp_cuda_get (cuda->cuda, cuda->id, CUDA_WARP_SIZE);
  int status
      = cuda->cuda->cuFuncSetAttribute (built->function, CUDA_FUNCTION_SHARED_AT_MOST, (int)shared);

  if (status == 0)
    status = cuda->cuda->cuLaunchKernel (built->function, (unsigned)launch->blocks, 1, 1,
                                         (unsigned)(launch->warps * warp_size), 1, 1, shared, NULL,
                                         parameters, NULL);
  return status != 0 ? status : cuda->cuda->cuCtxSynchronize ();
}

/* The longest time of an SM, of what the N warps in TOLD tell; a warp that did no work tells nothing. */
static gdouble
find_longest (const Told *told, gsize n)
{
  g_autoptr (GHashTable) sms = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  guint64 longest = 0;

  for (gsize i = 0; i < n; i++)
    {
      Told *sm = g_hash_table_lookup (sms, &told[i].sm);

      if (told[i].end == 0)
        continue;
      if (sm == NULL)
        {
          sm = g_memdup2 (&told[i], sizeof told[i]);
          g_hash_table_insert (sms, &sm->sm, sm);
        }
      sm->begin = MIN (sm->begin, told[i].begin);
      sm->end = MAX (sm->end, told[i].end);
      longest = MAX (longest, sm->end - sm->begin);
    }
  return (gdouble)longest;
}

static gboolean
run (WpProbeDevice *device, const WpProbeLaunch *launch, gdouble *cycles, gboolean *fits,
     GError **error)
{
  Cuda *cuda = (Cuda *)device;
  const Built *built = find_built (cuda, launch, error);
  gsize n = launch->warps * launch->blocks;
  g_autofree Told *told = g_new0 (Told, n);
  int status;

  if (built == NULL || !get_memory (cuda, launch, error)
      || !get_out (cuda, n * sizeof told[0], error)
      || (is_uncached (cuda, launch) && !clear_l2 (cuda, error)))
    return FALSE;
  if (fits != NULL)
    *fits = TRUE;
  if (launch->rounds > G_MAXUINT32)
    {
      g_set_error (error, WP_ERROR, WP_ERROR_LIMIT, "%s (%s): a microbenchmark of 2^32 rounds",
                   cuda->device.name, cuda->name);
      return FALSE;
    }
  status = launch_kernel (cuda, built, launch);
  if (status != 0)
    return fail (cuda, "cuLaunchKernel", status, error);
  status = cuda->cuda->cuMemcpyDtoH_v2 (told, cuda->out, n * sizeof told[0]);
  if (status != 0)
    return fail (cuda, "cuMemcpyDtoH", status, error);
  *cycles = find_longest (told, n);
  return TRUE;
}

/* ---- What the driver tells ---- */

static gboolean
has (WpProbeDevice *device, const gchar *op, const gchar *access)
{
  return wp_cuda_get_type (op, access, ((Cuda *)device)->cc) != WP_PROBE_N_TYPES;
}

static gint64
get (WpProbeDevice *device, WpProbeAttribute attribute)
{
  static const int attributes[WP_PROBE_N_ATTRIBUTES] = {
    [WP_PROBE_SMS] = CUDA_SMS,
    [WP_PROBE_CLOCK_KHZ] = CUDA_CLOCK_KHZ,
    [WP_PROBE_WARP_SIZE] = CUDA_WARP_SIZE,
    [WP_PROBE_BLOCKS] = CUDA_BLOCKS_PER_SM,
    [WP_PROBE_THREADS] = CUDA_THREADS_PER_SM,
    [WP_PROBE_REGISTERS] = CUDA_REGISTERS_PER_SM,
    [WP_PROBE_SHARED_MEMORY] = CUDA_SHARED_PER_SM,
    [WP_PROBE_THREADS_PER_BLOCK] = CUDA_THREADS_PER_BLOCK,
    [WP_PROBE_SHARED_MEMORY_PER_BLOCK] = CUDA_SHARED_PER_BLOCK_AT_MOST,
    [WP_PROBE_SHARED_MEMORY_RESERVED] = CUDA_SHARED_RESERVED,
    [WP_PROBE_L2_BYTES] = CUDA_L2_BYTES,
  };
  const Cuda *cuda = (Cuda *)device;
  gint64 value = 0;

  if (attribute == WP_PROBE_CC)
    return cuda->cc;
  if (attribute == WP_PROBE_WARPS)
    return wp_cuda_get (cuda->cuda, cuda->id, CUDA_THREADS_PER_SM)
           / MAX (wp_cuda_get (cuda->cuda, cuda->id, CUDA_WARP_SIZE), 1);
  if (attributes[attribute] != 0)
    value = wp_cuda_get (cuda->cuda, cuda->id, attributes[attribute]);
  if (value == 0 && attribute == WP_PROBE_SHARED_MEMORY_PER_BLOCK)
    value = wp_cuda_get (cuda->cuda, cuda->id, CUDA_SHARED_PER_BLOCK);
  return value;
}

/* Of a kernel that does nothing. How many blocks of so many registers fit the driver tells of kernels
 * alone. */
static gint64
count_blocks (WpProbeDevice *device, const WpProbeLaunch *launch)
{
  static const WpProbeLaunch nothing = { .rounds = 1, .warps = 1, .stride = 1, .blocks = 1 };
  Cuda *cuda = (Cuda *)device;
  const Built *built = launch->registers == 0 ? find_built (cuda, &nothing, NULL) : NULL;
  gint64 warp_size = wp_cuda_get (cuda->cuda, cuda->id, CUDA_WARP_SIZE);
  int blocks = 0;

  if (built == NULL)
    return -1;
  cuda->cuda->cuFuncSetAttribute (built->function, CUDA_FUNCTION_SHARED_AT_MOST,
                                  (int)launch->shared_memory);
  return cuda->cuda->cuOccupancyMaxActiveBlocksPerMultiprocessor (
             &blocks, built->function, (int)(launch->warps * warp_size), launch->shared_memory)
                 == 0
             ? blocks
             : -1;
}

/* ---- The device ---- */

static guint64
round_down (guint64 bytes)
{
  guint64 power = 1;

  while (2 * power <= bytes)
    power *= 2;
  return power;
}

static guint64
round_up (guint64 bytes)
{
  guint64 power = round_down (bytes);

  return power < bytes ? 2 * power : power;
}

/* Memory is many times L2, as warps come upon lines that others have read: about as many are in L2 then
 * as that is of the half of the region that is read (WP_CUDA_STEP is two lines), an eighth at most. It is no
 * more than an eighth of all. */
static void
choose_sizes (Cuda *cuda)
{
  guint64 l2 = (guint64)wp_cuda_get (cuda->cuda, cuda->id, CUDA_L2_BYTES);
  size_t all = 0;

  cuda->cuda->cuDeviceTotalMem_v2 (&all, cuda->id);
  cuda->sizes.memory = MIN (round_up (CLAMP (OF_L2 * l2, LEAST_BYTES, MOST_BYTES)),
                            round_down (MAX (all / 8, LEAST_BYTES)));
  cuda->sizes.l2 = round_down (MAX (l2 / 4, LEAST_L2));
  cuda->sizes.l1 = L1_BYTES;
}

static void
release_built (gpointer text G_GNUC_UNUSED, gpointer data, gpointer user)
{
  const Cuda *cuda = user;

  cuda->cuda->cuModuleUnload (((const Built *)data)->module);
}

static void
free_cuda (WpProbeDevice *device)
{
  Cuda *cuda = (Cuda *)device;

  g_hash_table_foreach (cuda->built, release_built, cuda);
  g_hash_table_unref (cuda->built);
  if (cuda->memory != 0)
    cuda->cuda->cuMemFree_v2 (cuda->memory);
  if (cuda->out != 0)
    cuda->cuda->cuMemFree_v2 (cuda->out);
  if (cuda->context != NULL)
    cuda->cuda->cuDevicePrimaryCtxRelease_v2 (cuda->id);
  g_free ((gchar *)cuda->device.name);
  g_free (cuda);
}

static gboolean
start (Cuda *cuda, GError **error)
{
  int status = cuda->cuda->cuDeviceGetName (cuda->name, NAME_CHARS, cuda->id);

  if (status != 0)
    return fail (cuda, "cuDeviceGetName", status, error);
  status = cuda->cuda->cuDevicePrimaryCtxRetain (&cuda->context, cuda->id);
  if (status == 0)
    status = cuda->cuda->cuCtxSetCurrent (cuda->context);
  if (status != 0)
    return fail (cuda, "cuDevicePrimaryCtxRetain", status, error);
  cuda->cc = (guint)(10 * wp_cuda_get (cuda->cuda, cuda->id, CUDA_CC_MAJOR)
                     + wp_cuda_get (cuda->cuda, cuda->id, CUDA_CC_MINOR));
  choose_sizes (cuda);
  return TRUE;
}

static Cuda *
make_device (const WpCuda *functions, gint index)
{
  Cuda *cuda = g_new0 (Cuda, 1);

  cuda->cuda = functions;
  cuda->built = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  cuda->device = (WpProbeDevice){
    .name = g_strdup_printf ("cuda:%d", index),
    .title = cuda->name,
    .clock = "clocks of SMs, read by each warp before and after, by the CUDA driver",
    .precision = PRECISION,
    .shortest = SHORTEST,
    .repeats = REPEATS,
    .independent = WP_PROBE_INDEPENDENT,
    .body = BODY,
    .has = has,
    .get = get,
    .count_blocks = count_blocks,
    .run = run,
    .free = free_cuda,
  };
  return cuda;
}

WpProbeDevice *
wp_probe_cuda_new (gint index, GError **error)
{
  const WpCuda *functions = wp_cuda_load (error);
  Cuda *cuda;
  int n = 0, status;

  if (functions == NULL)
    return NULL;
  status = functions->cuDeviceGetCount (&n);
  if (status != 0 || MAX (index, 0) >= n)
    {
      g_set_error (error, WP_ERROR, WP_ERROR_OPTION,
                   "the CUDA driver has no device %d here: it has %d (warpipe probe --list)",
                   MAX (index, 0), n);
      return NULL;
    }
  cuda = make_device (functions, MAX (index, 0));
  status = functions->cuDeviceGet (&cuda->id, MAX (index, 0));
  if (status == 0 ? start (cuda, error) : fail (cuda, "cuDeviceGet", status, error))
    return &cuda->device;
  free_cuda (&cuda->device);
  return NULL;
}

static gchar *
describe (const WpCuda *cuda, int index)
{
  gchar name[NAME_CHARS] = "";
  CudaDevice id = 0;

  if (cuda->cuDeviceGet (&id, index) != 0 || cuda->cuDeviceGetName (name, NAME_CHARS, id) != 0)
    return g_strdup_printf ("cuda:%-5d not to be had", index);
  return g_strdup_printf ("cuda:%-5d %s (compute capability %" G_GINT64_FORMAT ".%" G_GINT64_FORMAT
                          "), %" G_GINT64_FORMAT " SMs, %" G_GINT64_FORMAT " MHz",
                          index, name, wp_cuda_get (cuda, id, CUDA_CC_MAJOR),
                          wp_cuda_get (cuda, id, CUDA_CC_MINOR), wp_cuda_get (cuda, id, CUDA_SMS),
                          wp_cuda_get (cuda, id, CUDA_CLOCK_KHZ) / 1000);
}

gboolean
wp_probe_cuda_list (GPtrArray *list, GError **error)
{
  const WpCuda *cuda = wp_cuda_load (error);
  int n = 0;

  if (cuda == NULL)
    return FALSE;
  cuda->cuDeviceGetCount (&n);
  for (int i = 0; i < n; i++)
    g_ptr_array_add (list, describe (cuda, i));
  return TRUE;
}
