// SPDX-License-Identifier: MIT
// Copies by tensor maps (TMA): boxes that reach beyond the array, that begin before it and at odd places, of one to
// five dimensions, swizzled; out of shared memory, and combined with what is there; prefetches; a map within a
// structure, and one in device memory.
//
// from: 90
// case tensor_scale: tensor_scale<<<dim3(4, 4), 128>>>(tensor_map(IN, f32, {100, 50}, {32, 16}),
//   more: tensor_map(OUT, f32, {100, 50}, {32, 16}), 3.0f)
// case tensor_halo: tensor_halo<<<dim3(4, 4), 128>>>(tensor_map(IN, f32, {100, 60}, {36, 18}), OUT, 100, 60)
// case tensor_swizzle: tensor_swizzle<<<1, 128>>>({tensor_map(IN, u16, {64, 32}, {16, 8}, 32),
//   more: tensor_map(IN, u16, {64, 32}, {32, 8}, 64), tensor_map(IN, f16, {64, 32}, {64, 8}, 128)}, OUT)
// case tensor_many: tensor_many<<<1, 64>>>(tensor_map(IN, u64, {500}, {128}),
//   more: tensor_map(IN, s32, {64, 5, 9}, {8, 3, 4}), tensor_map(IN + 16, u8, {48, 3, 4, 2}, {16, 2, 3, 2}),
//   more: tensor_map(IN, u8, {39, 3, 4, 2, 3}, {16, 2, 3, 2, 2}, 0, {48, 160, 640, 1280}), OUT)
// case tensor_add: tensor_add<<<3, 32>>>(tensor_map(SUMS, u32, {40, 20}, {32, 8}), tensor_map(MOST, s32, {40, 20}, {32, 8}),
//   more: tensor_map(HALVES, f16, {40, 20}, {32, 8}), tensor_map(FLOATS, f32, {40, 20}, {32, 8}))
// case tensor_map_in_memory: put_map<<<1, 1>>>(tensor_map(IN, f32, {24, 10}, {16, 8}), MAPS)
//   launch: tensor_map_in_memory<<<2, 32>>>(MAPS, IN, OUT)
typedef unsigned long long u64;

struct alignas (64) Map /* CUtensorMap */
{
  u64 words[16];
};

__device__ unsigned
get_shared (const void *pointer)
{
  return (unsigned) __cvta_generic_to_shared (pointer);
}

/* One thread begins a barrier that waits for BYTES. */
__device__ void
expect (u64 *barrier, int bytes)
{
  asm volatile ("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(get_shared (barrier)) : "memory");
  asm volatile ("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile ("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(get_shared (barrier)), "r"(bytes)
                : "memory");
}

__device__ void
await (u64 *barrier)
{
  unsigned over = 0;

  while (!over)
    asm volatile ("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                  : "=r"(over)
                  : "r"(get_shared (barrier))
                  : "memory");
}

__device__ void
load_1d (void *to, const Map *map, int x, u64 *barrier)
{
  asm volatile ("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];"
                ::"r"(get_shared (to)), "l"(map), "r"(x), "r"(get_shared (barrier))
                : "memory");
}

__device__ void
load_2d (void *to, const Map *map, int x, int y, u64 *barrier)
{
  asm volatile (
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
      ::"r"(get_shared (to)), "l"(map), "r"(x), "r"(y), "r"(get_shared (barrier))
      : "memory");
}

__device__ void
load_3d (void *to, const Map *map, int x, int y, int z, u64 *barrier)
{
  asm volatile ("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
                "[%1, {%2, %3, %4}], [%5];"
                ::"r"(get_shared (to)), "l"(map), "r"(x), "r"(y), "r"(z), "r"(get_shared (barrier))
                : "memory");
}

__device__ void
load_4d (void *to, const Map *map, int x, int y, int z, int u, u64 *barrier)
{
  asm volatile ("cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
                "[%1, {%2, %3, %4, %5}], [%6];"
                ::"r"(get_shared (to)), "l"(map), "r"(x), "r"(y), "r"(z), "r"(u), "r"(get_shared (barrier))
                : "memory");
}

__device__ void
load_5d (void *to, const Map *map, int x, int y, int z, int u, int v, u64 *barrier)
{
  asm volatile ("cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
                "[%1, {%2, %3, %4, %5, %6}], [%7];"
                ::"r"(get_shared (to)), "l"(map), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v), "r"(get_shared (barrier))
                : "memory");
}

__device__ void
end_group (void)
{
  asm volatile ("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile ("cp.async.bulk.wait_group 0;" ::: "memory");
}

extern "C" __global__ void
tensor_scale (const __grid_constant__ Map in, const __grid_constant__ Map out, float factor)
{
  __shared__ alignas (128) float tile[16][32];
  __shared__ u64 barrier;
  int x = blockIdx.x * 32, y = blockIdx.y * 16;

  if (threadIdx.x == 0)
    {
      expect (&barrier, sizeof tile);
      asm volatile ("prefetch.tensormap [%0];" ::"l"(&in) : "memory");
      load_2d (tile, &in, x, y, &barrier);
    }
  __syncthreads ();
  await (&barrier);
  for (int i = threadIdx.x; i < 32 * 16; i += blockDim.x)
    tile[i / 32][i % 32] = tile[i / 32][i % 32] * factor + 1;
  asm volatile ("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      asm volatile ("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];"
                    ::"l"(&out), "r"(x), "r"(y), "r"(get_shared (tile))
                    : "memory");
      end_group ();
    }
}

extern "C" __global__ void
tensor_halo (const __grid_constant__ Map in, float *out, int width, int height)
{
  __shared__ alignas (128) float tile[18][36];
  __shared__ u64 barrier;

  if (threadIdx.x == 32)
    {
      expect (&barrier, sizeof tile);
      load_2d (tile, &in, (int)blockIdx.x * 32 - 1, (int)blockIdx.y * 16 - 1, &barrier);
    }
  __syncthreads ();
  await (&barrier);
  for (int i = threadIdx.x; i < 32 * 16; i += blockDim.x)
    {
      int x = blockIdx.x * 32 + i % 32, y = blockIdx.y * 16 + i / 32, u = i % 32 + 1, v = i / 32 + 1;

      if (x < width && y < height)
        out[y * width + x] = tile[v - 1][u] + tile[v + 1][u] + tile[v][u - 1] + tile[v][u + 1];
    }
}

struct Maps
{
  Map narrow, middle, wide;
};

extern "C" __global__ void
tensor_swizzle (const __grid_constant__ Maps maps, unsigned *out)
{
  __shared__ alignas (1024) unsigned raw[3][256];
  __shared__ u64 barrier;

  for (int i = threadIdx.x; i < 768; i += blockDim.x)
    raw[i / 256][i % 256] = 0;
  asm volatile ("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      expect (&barrier, 8 * (32 + 64 + 128));
      load_2d (raw[0], &maps.narrow, 16, 3, &barrier);
      load_2d (raw[1], &maps.middle, 32, 7, &barrier);
      load_2d (raw[2], &maps.wide, 0, 11, &barrier);
    }
  __syncthreads ();
  await (&barrier);
  for (int i = threadIdx.x; i < 768; i += blockDim.x)
    out[i] = raw[i / 256][i % 256];
}

extern "C" __global__ void
tensor_many (const __grid_constant__ Map one, const __grid_constant__ Map three, const __grid_constant__ Map four,
             const __grid_constant__ Map five, unsigned *out)
{
  __shared__ alignas (128) unsigned raw[4][256];
  __shared__ u64 barrier;

  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    raw[i / 256][i % 256] = 7;
  asm volatile ("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      expect (&barrier, 1024 + 8 * 3 * 4 * 4 + 16 * 2 * 3 * 2 + 16 * 2 * 3 * 2 * 2);
      load_1d (raw[0], &one, 400, &barrier);
      load_3d (raw[1], &three, 60, 3, -1, &barrier);
      load_4d (raw[2], &four, 16, 1, 2, 0, &barrier);
      load_5d (raw[3], &five, 29, 1, 2, 1, 1, &barrier);
    }
  __syncthreads ();
  await (&barrier);
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    out[i] = raw[i / 256][i % 256];
}

/* Each block adds what its threads have to overlapping parts. */
extern "C" __global__ void
tensor_add (const __grid_constant__ Map sums, const __grid_constant__ Map most, const __grid_constant__ Map halves,
            const __grid_constant__ Map floats)
{
  __shared__ alignas (128) unsigned words[256];
  __shared__ alignas (128) int numbers[256];
  __shared__ alignas (128) unsigned short small[256];
  __shared__ alignas (128) float singles[256];
  int x = blockIdx.x * 8, y = blockIdx.x * 7;

  for (int i = threadIdx.x; i < 256; i += 32)
    {
      words[i] = i * (blockIdx.x + 1);
      numbers[i] = (i * 37 + (int)blockIdx.x * 11) % 201 - 100;
      small[i] = 0x3c00; /* 1.0 */
      singles[i] = i * 0.25f;
    }
  asm volatile ("fence.proxy.async.shared::cta;" ::: "memory");
  __syncwarp ();
  if (threadIdx.x == 0)
    {
      asm volatile ("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];"
                    ::"l"(&sums), "r"(x), "r"(y), "r"(get_shared (words))
                    : "memory");
      asm volatile ("cp.reduce.async.bulk.tensor.2d.global.shared::cta.max.tile.bulk_group [%0, {%1, %2}], [%3];"
                    ::"l"(&most), "r"(x - 2), "r"(y - 3), "r"(get_shared (numbers))
                    : "memory");
      asm volatile ("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];"
                    ::"l"(&halves), "r"(x), "r"(y), "r"(get_shared (small))
                    : "memory");
      asm volatile ("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];"
                    ::"l"(&floats), "r"(x), "r"(y), "r"(get_shared (singles))
                    : "memory");
      end_group ();
    }
}

extern "C" __global__ void
put_map (const __grid_constant__ Map map, Map *maps)
{
  maps[1] = map;
}

/* A map in device memory: block 0 loads by it, block 1 only prefetches. */
extern "C" __global__ void
tensor_map_in_memory (const Map *maps, const float *in, float *out)
{
  __shared__ alignas (128) float tile[8][16];
  __shared__ u64 barrier;

  if (blockIdx.x == 1)
    {
      if (threadIdx.x == 0)
        asm volatile ("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%0, {%1, %2}];" ::"l"(maps + 1), "r"(8), "r"(4)
                      : "memory");
      return;
    }
  if (threadIdx.x == 0)
    {
      asm volatile ("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(maps + 1) : "memory");
      expect (&barrier, sizeof tile);
      load_2d (tile, maps + 1, 8, 4, &barrier);
    }
  __syncwarp ();
  await (&barrier);
  for (int i = threadIdx.x; i < 128; i += 32)
    out[i] = tile[i / 16][i % 16] + in[0];
}
