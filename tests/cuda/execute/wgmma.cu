// SPDX-License-Identifier: MIT
// Products of matrices by warpgroups (wgmma), by inline PTX: A is m x k by rows, B is n x k (its columns, one after the
// other), C is m x n by rows. Both are put into shared memory in each of the layouts that a descriptor can tell; one
// case has A in registers. wgmma_stores stores to what was multiplied as soon as its own warp has waited, and of wgmma_pool
// one group loads for another one, to which it gives registers (setmaxnreg). wgmma_tensor has both come by tensor maps, and
// makes that of B itself, of that of A (tensormap.replace).
//
// only: 90a
// case wgmma_along_k: along_k<<<4, 128>>>(A, B, C)
// case wgmma_along_mn: along_mn<<<4, 128>>>(A, B, C)
// case wgmma_registers: registers<<<2, 256>>>(A, B, C)
// case wgmma_f16: in_halves<<<1, 128>>>(A, B, C)
// case wgmma_tf32: of_tf32<<<1, 128>>>(A, B, C)
// case wgmma_s8: of_bytes<<<1, 128>>>(A, B, C)
// case wgmma_e4m3: of_e4m3<<<1, 128>>>(A, B, C)
// case wgmma_b1: of_bits<<<1, 128>>>(A, B, C)
// case wgmma_stores: stores<<<2, 128>>>(A, B, C, 8)
// case wgmma_pool: pool<<<2, 256>>>(A, B, C, 8)
// case wgmma_tensor: by_tensor_map<<<1, 128>>>(tensor_map(A, f16, {64, 64}, {64, 64}, 128), B, C, MAPS)
#define N 64
#define LANE (threadIdx.x % 32)
#define WARP (threadIdx.x / 32 % 4)

typedef unsigned long long Descriptor;

// Where element K of row (column) ROW is, in halves, and where the layout's steps of K begin: a pattern of 8 rows is WIDE
// pieces of 16 bytes wide, exchanged among rows. TURNED: the pieces are along the rows, and K has 32 elements.
template <int WIDE, bool TURNED>
struct Layout
{
  static constexpr int pattern = WIDE * 64; // halves
  static constexpr int depth = TURNED ? 32 : WIDE < 2 ? 16 : WIDE * 8;
  static constexpr int leading = TURNED ? (WIDE == 1 ? pattern : depth / 8 * pattern) : 64;
  static constexpr int stride = TURNED ? (WIDE == 1 ? depth / 8 * pattern : pattern) : WIDE == 1 ? 128 : pattern;
  static constexpr int step = !TURNED ? 16 : WIDE == 1 ? 2 * leading : 2 * stride;

  static __device__ int
  place (int row, int k)
  {
    int at;

    if (!TURNED)
      at = row / 8 * stride + row % 8 * WIDE * 8 + (WIDE == 1 ? k / 8 * leading + k % 8 : k);
    else if (WIDE == 1)
      at = row / 8 * stride + row % 8 + k / 8 * leading + k % 8 * 8;
    else
      at = row / (8 * WIDE) * leading + row % (8 * WIDE) + k / 8 * stride + k % 8 * WIDE * 8;
    return at ^ (at >> 6 & (WIDE - 1)) << 3;
  }

  static __device__ Descriptor
  describe (const void *shared, int kstep)
  {
    const Descriptor address = (unsigned) __cvta_generic_to_shared (shared) + 2 * kstep * step;
    const Descriptor swizzle = WIDE == 1 ? 0 : WIDE == 2 ? 3 : WIDE == 4 ? 2 : 1;

    return (address & 0x3ffff) >> 4 | (Descriptor) leading / 8 << 16 | (Descriptor) stride / 8 << 32 | swizzle << 62;
  }
};

static __device__ void
begin (void)
{
  asm volatile ("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads ();
  asm volatile ("wgmma.fence.sync.aligned;" ::: "memory");
}

static __device__ void
end (void)
{
  asm volatile ("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile ("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

#define FOUR(o, i) o (d[i]), o (d[i + 1]), o (d[i + 2]), o (d[i + 3])
#define ALL(o) FOUR (o, 0), FOUR (o, 4), FOUR (o, 8), FOUR (o, 12), FOUR (o, 16), FOUR (o, 20), FOUR (o, 24), FOUR (o, 28)
#define SUM "+f"
#define D32                                                                                                                \
  "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}"

template <int TURNED_A, int TURNED_B>
__device__ void
multiply (float *d, Descriptor a, Descriptor b, int is_added)
{
  asm volatile ("{.reg .pred p; setp.ne.b32 p, %34, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " D32
                ", %32, %33, p, 1, 1, %35, %36;}"
                : ALL (SUM)
                : "l"(a), "l"(b), "r"(is_added), "n"(TURNED_A), "n"(TURNED_B));
}

static __device__ void
store (float *c, const float *d)
{
  for (int i = 0; i < N / 2; i++)
    c[(WARP * 16 + LANE / 4 + i / 2 % 2 * 8) * N + i / 4 * 8 + LANE % 4 * 2 + i % 2] = d[i];
}

template <int WIDE, bool TURNED>
__device__ void
product (const unsigned short *a, const unsigned short *b, float *c)
{
  typedef Layout<WIDE, TURNED> L;
  __shared__ __align__ (1024) unsigned short sa[64 * L::depth], sb[N * L::depth];
  float d[N / 2];

  for (int i = threadIdx.x; i < 64 * L::depth; i += 128)
    sa[L::place (i / L::depth, i % L::depth)] = a[i / L::depth * 64 + i % L::depth];
  for (int i = threadIdx.x; i < N * L::depth; i += 128)
    sb[L::place (i / L::depth, i % L::depth)] = b[i / L::depth * 64 + i % L::depth];
  begin ();
  for (int k = 0; k < L::depth / 16; k++)
    multiply<TURNED, TURNED> (d, L::describe (sa, k), L::describe (sb, k), k > 0);
  end ();
  store (c, d);
}

// Each block another layout. K is 16, 16, 32, 64 of 64.
extern "C" __global__ void
along_k (const unsigned short *a, const unsigned short *b, float *c)
{
  c += blockIdx.x * 64 * N;
  switch (blockIdx.x)
    {
    case 0: product<1, false> (a, b, c); break;
    case 1: product<2, false> (a, b, c); break;
    case 2: product<4, false> (a, b, c); break;
    default: product<8, false> (a, b, c); break;
    }
}

// K is 32 of 64.
extern "C" __global__ void
along_mn (const unsigned short *a, const unsigned short *b, float *c)
{
  c += blockIdx.x * 64 * N;
  switch (blockIdx.x)
    {
    case 0: product<1, true> (a, b, c); break;
    case 1: product<2, true> (a, b, c); break;
    case 2: product<4, true> (a, b, c); break;
    default: product<8, true> (a, b, c); break;
    }
}

// C = -A B of bfloat16, two warpgroups in a block. A is 256 x 32.
extern "C" __global__ void
registers (const unsigned short *a, const unsigned short *b, float *c)
{
  typedef Layout<4, false> L;
  __shared__ __align__ (1024) unsigned short sb[N * L::depth];
  const int row = (blockIdx.x * 2 + threadIdx.x / 128) * 64;
  float d[N / 2];

  for (int i = threadIdx.x; i < N * 32; i += 256)
    sb[L::place (i / 32, i % 32)] = b[i];
  begin ();
  for (int k = 0; k < 2; k++)
    {
      const unsigned *from = (const unsigned *) (a + (row + WARP * 16 + LANE / 4) * 32 + k * 16 + LANE % 4 * 2);

      asm volatile ("{.reg .pred p; setp.ne.b32 p, %37, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " D32
                    ", {%32,%33,%34,%35}, %36, p, 1, -1, 0;}"
                    : ALL (SUM)
                    : "r"(from[0]), "r"(from[8 * 16]), "r"(from[4]), "r"(from[8 * 16 + 4]), "l"(L::describe (sb, k)), "r"(k));
    }
  end ();
  store (c + row * N, d);
}

// Bytes of A (64 x 32) and B (8 x 32) as they are without a swizzle.
static __device__ void
put_bytes (const unsigned char *a, const unsigned char *b, unsigned char *sa, unsigned char *sb)
{
  for (int i = threadIdx.x; i < 72 * 32; i += 128)
    {
      const int row = i < 64 * 32 ? i / 32 : i / 32 - 64, byte = i % 32;
      (i < 64 * 32 ? sa : sb)[row / 8 * 256 + row % 8 * 16 + byte / 16 * 128 + byte % 16]
        = (i < 64 * 32 ? a : b)[row * 32 + byte];
    }
}

// Four sums of a thread, of 8 columns: C is what they are at first.
#define OF_BYTES(name, type, letter, mnemonic, more)                                                                       \
  extern "C" __global__ void name (const unsigned char *a, const unsigned char *b, type *c)                                \
  {                                                                                                                        \
    __shared__ __align__ (1024) unsigned char sa[64 * 32], sb[8 * 32];                                                     \
    type *to = c + (WARP * 16 + LANE / 4) * 8 + LANE % 4 * 2;                                                              \
    type d[4] = { to[0], to[1], to[64], to[65] };                                                                          \
                                                                                                                           \
    put_bytes (a, b, sa, sb);                                                                                              \
    begin ();                                                                                                              \
    asm volatile ("wgmma.mma_async.sync.aligned." mnemonic " {%0,%1,%2,%3}, %4, %5, 1" more ";"                            \
                  : "+" letter (d[0]), "+" letter (d[1]), "+" letter (d[2]), "+" letter (d[3])                             \
                  : "l"(Layout<1, false>::describe (sa, 0)), "l"(Layout<1, false>::describe (sb, 0)));                     \
    end ();                                                                                                                \
    to[0] = d[0];                                                                                                          \
    to[1] = d[1];                                                                                                          \
    to[64] = d[2];                                                                                                         \
    to[65] = d[3];                                                                                                         \
  }

OF_BYTES (of_tf32, float, "f", "m64n8k8.f32.tf32.tf32", ", -1, 1")
OF_BYTES (of_bytes, int, "r", "m64n8k32.s32.s8.u8.satfinite", "")
OF_BYTES (of_e4m3, float, "f", "m64n8k32.f32.e4m3.e4m3", ", 1, 1")
OF_BYTES (of_bits, int, "r", "m64n8k256.s32.b1.b1.and.popc", "")

extern "C" __global__ void
in_halves (const unsigned char *a, const unsigned char *b, unsigned *c)
{
  __shared__ __align__ (1024) unsigned char sa[64 * 32], sb[8 * 32];
  unsigned *to = c + (WARP * 16 + LANE / 4) * 4 + LANE % 4, d[2] = { to[0], to[32] };

  put_bytes (a, b, sa, sb);
  begin ();
  asm volatile ("wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0,%1}, %2, %3, 1, 1, 1, 0, 0;"
                : "+r"(d[0]), "+r"(d[1])
                : "l"(Layout<1, false>::describe (sa, 0)), "l"(Layout<1, false>::describe (sb, 0)));
  end ();
  to[0] = d[0];
  to[32] = d[1];
}

// N is 64, of all K there are steps of 16. No warp stores before all four of the group have multiplied.
extern "C" __global__ void
stores (const unsigned short *a, const unsigned short *b, float *c, int steps)
{
  typedef Layout<2, false> L;
  __shared__ __align__ (1024) unsigned short sa[64 * 16], sb[N * 16];
  float d[N / 2];

  a += blockIdx.x * 64 * 16 * steps;
#pragma unroll 1
  for (int k = 0; k < steps; k++)
    {
#pragma unroll 1
      for (int i = threadIdx.x; i < 64 * 16; i += 128)
        {
          sa[L::place (i / 16, i % 16)] = a[i / 16 * 16 * steps + k * 16 + i % 16];
          sb[L::place (i / 16, i % 16)] = b[i / 16 * 16 * steps + k * 16 + i % 16];
        }
      begin ();
      multiply<false, false> (d, L::describe (sa, 0), L::describe (sb, 0), k);
      end ();
    }
  store (c + blockIdx.x * 64 * N, d);
}

// The same, by two groups: the first one gives registers back, loads, and lets the second one multiply.
extern "C" __global__ void __launch_bounds__ (256, 1)
pool (const unsigned short *a, const unsigned short *b, float *c, int steps)
{
  typedef Layout<2, false> L;
  __shared__ __align__ (1024) unsigned short sa[64 * 16], sb[N * 16];

  a += blockIdx.x * 64 * 16 * steps;
  if (threadIdx.x < 128)
    {
      asm volatile ("setmaxnreg.dec.sync.aligned.u32 40;");
#pragma unroll 1
      for (int k = 0; k < steps; k++)
        {
#pragma unroll 1
          for (int i = threadIdx.x; i < 64 * 16; i += 128)
            {
              sa[L::place (i / 16, i % 16)] = a[i / 16 * 16 * steps + k * 16 + i % 16];
              sb[L::place (i / 16, i % 16)] = b[i / 16 * 16 * steps + k * 16 + i % 16];
            }
          asm volatile ("fence.proxy.async.shared::cta; barrier.sync 1, 256; barrier.sync 2, 256;" ::: "memory");
        }
    }
  else
    {
      float d[N / 2];

      asm volatile ("setmaxnreg.inc.sync.aligned.u32 232;");
#pragma unroll 1
      for (int k = 0; k < steps; k++)
        {
          asm volatile ("barrier.sync 1, 256; wgmma.fence.sync.aligned;" ::: "memory");
          multiply<false, false> (d, L::describe (sa, 0), L::describe (sb, 0), k);
          asm volatile ("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; barrier.sync 2, 256;" :::
                        "memory");
        }
      store (c + blockIdx.x * 64 * N, d);
    }
}

struct alignas (64) Map /* CUtensorMap */
{
  Descriptor words[16];
};

static __device__ void
load_box (void *to, const Map *map, unsigned barrier)
{
  asm volatile (
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
      ::"r"((unsigned) __cvta_generic_to_shared (to)), "l"(map), "r"(0), "r"(0), "r"(barrier)
      : "memory");
}

extern "C" __global__ void
by_tensor_map (const __grid_constant__ Map map, const unsigned short *b, float *c, Map *maps)
{
  typedef Layout<8, false> L;
  __shared__ __align__ (1024) unsigned short sa[64 * 64], sb[N * 64];
  __shared__ Map changed;
  __shared__ Descriptor arrived;
  unsigned barrier = (unsigned) __cvta_generic_to_shared (&arrived), over = 0;
  float d[N / 2];

  if (threadIdx.x == 0)
    {
      changed = map;
      asm volatile ("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(
                        (unsigned) __cvta_generic_to_shared (&changed)),
                    "l"(b)
                    : "memory");
      asm volatile ("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
    }
  __syncthreads ();
  if (threadIdx.x < 32)
    {
      asm volatile ("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;"
                    ::"l"(maps), "r"((unsigned) __cvta_generic_to_shared (&changed))
                    : "memory");
      asm volatile ("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(maps) : "memory");
    }
  if (threadIdx.x == 0)
    {
      asm volatile ("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(4 * 64 * 64) : "memory");
      load_box (sa, &map, barrier);
      load_box (sb, maps, barrier);
    }
  while (!over)
    asm volatile ("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                  : "=r"(over)
                  : "r"(barrier)
                  : "memory");
  begin ();
  for (int k = 0; k < 4; k++)
    multiply<0, 0> (d, L::describe (sa, k), L::describe (sb, k), k > 0);
  end ();
  store (c, d);
}
