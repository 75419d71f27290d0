// SPDX-License-Identifier: MIT
// Products of matrices into tensor memory (tcgen05), by inline PTX: A is m x k by rows, B is n x k (its columns, one after
// the other), C is m x n by rows. Both are put into shared memory in each of the layouts that a descriptor can tell; one
// case has A in tensor memory. umma_moves moves words there and back in each shape. Of umma_alone one thread copies, by
// tensor maps, and multiplies, while others wait with it; of umma_roles one warp copies, another one multiplies, and four
// store; of umma_pair two blocks multiply together. In umma_others clusters ask for the work of others. odd_product is
// refused, and pair, whose blocks are alone; perhaps and in_turn are for what is unknown, and for waits.
//
// only: 100a
// case umma_along_k: along_k<<<4, 128>>>(A, B, C)
// case umma_along_mn: along_mn<<<4, 128>>>(A, B, C)
// case umma_rows_64: rows_64<<<2, 128>>>(A, B, C)
// case umma_tensor: from_tensor<<<1, 128>>>(A, B, C)
// case umma_f16: in_halves<<<1, 128>>>(A, B, C)
// case umma_tf32: of_tf32<<<1, 128>>>(A, B, C)
// case umma_s8: of_bytes<<<1, 128>>>(A, B, C)
// case umma_e4m3: of_e4m3<<<1, 128>>>(A, B, C)
// case umma_moves: moves<<<1, 128>>>(IN, OUT)
// case umma_alone: alone<<<2, 128, 49152>>>(tensor_map(A, f16, {320, 256}, {64, 128}, 128), tensor_map(B, f16, {320, 64}, {64, 64}, 128), C, 5)
// case umma_roles: roles<<<2, 192, 98304>>>(tensor_map(A, f16, {576, 256}, {64, 128}, 128), tensor_map(B, f16, {576, 64}, {64, 64}, 128), C, 9)
// case umma_pair: together<<<2, 128, 49152>>>(tensor_map(A, f16, {448, 256}, {64, 128}, 128),
//   more: tensor_map(B, f16, {448, 64}, {64, 32}, 128), C, 7)
// case umma_others: work_of_others<<<8, 32>>>(IN, OUT)
#define LANE (threadIdx.x % 32)
#define WARP (threadIdx.x / 32)
#define COLUMNS 64 // of D

typedef unsigned long long u64;

struct alignas (64) Map // CUtensorMap
{
  u64 words[16];
};

static __device__ unsigned
get_shared (const void *place)
{
  return (unsigned) __cvta_generic_to_shared (place);
}

// ---- Barriers ----

static __device__ void
set_up (u64 *barrier, int count)
{
  asm volatile ("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(get_shared (barrier)), "r"(count) : "memory");
}

static __device__ void
wait (u64 *barrier, int parity)
{
  unsigned over = 0;

  while (!over)
    asm volatile ("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                  : "=r"(over)
                  : "r"(get_shared (barrier)), "r"(parity)
                  : "memory");
  asm volatile ("tcgen05.fence::after_thread_sync;" ::: "memory");
}

static __device__ void
commit (u64 *barrier)
{
  asm volatile ("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(get_shared (barrier))
                : "memory");
}

static __device__ void
load_box (void *to, const Map *map, int x, int y, u64 *barrier)
{
  asm volatile (
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          get_shared (to)),
      "l"(map), "r"(x), "r"(y), "r"(get_shared (barrier))
      : "memory");
}

static __device__ void
expect (u64 *barrier, int bytes)
{
  asm volatile ("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(get_shared (barrier)), "r"(bytes)
                : "memory");
}

// ---- Tensor memory ----

// Columns for the block, by its first warp; the barrier is for one arrival. All threads call it, and give_back().
static __device__ unsigned
take_columns (unsigned *address, u64 *barrier)
{
  if (threadIdx.x == 0)
    {
      set_up (barrier, 1);
      asm volatile ("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
  if (threadIdx.x < 32)
    {
      asm volatile ("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 64;" ::"r"(get_shared (address))
                    : "memory");
      asm volatile ("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
    }
  __syncthreads ();
  asm volatile ("tcgen05.fence::after_thread_sync;" ::: "memory");
  return *address;
}

static __device__ void
give_back (unsigned columns)
{
  asm volatile ("tcgen05.fence::before_thread_sync;" ::: "memory");
  __syncthreads ();
  if (threadIdx.x < 32)
    asm volatile ("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 64;" ::"r"(columns));
}

#define FOUR(o, i) o (d[i]), o (d[i + 1]), o (d[i + 2]), o (d[i + 3])
#define EIGHT(o, i) FOUR (o, i), FOUR (o, i + 4)
#define WORDS8 "{%0,%1,%2,%3,%4,%5,%6,%7}"
#define WORDS16 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15}"
#define SET "=r"
#define USED "r"

// Eight columns from AT on, of the warp's lanes.
static __device__ void
load (unsigned *d, unsigned at)
{
  at += WARP % 4 * 32 << 16;
  asm volatile ("tcgen05.ld.sync.aligned.32x32b.x8.b32 " WORDS8 ", [%8];" : EIGHT (SET, 0) : "r"(at));
  asm volatile ("tcgen05.wait::ld.sync.aligned;" ::: "memory");
}

static __device__ void
store (const unsigned *d, unsigned at)
{
  at += WARP % 4 * 32 << 16;
  asm volatile ("tcgen05.st.sync.aligned.32x32b.x8.b32 [%8], " WORDS8 ";" ::EIGHT (USED, 0), "r"(at));
  asm volatile ("tcgen05.wait::st.sync.aligned;" ::: "memory");
}

// N columns of D, of 128 rows, as they are to C.
static __device__ void
store_sums (unsigned at, unsigned *c, int n)
{
  for (int column = 0; column < n; column += 8)
    {
      unsigned d[8];

      load (d, at + column);
      for (int i = 0; i < 8; i++)
        c[(WARP % 4 * 32 + LANE) * n + column + i] = d[i];
    }
}

// ---- Descriptors ----

// Of D of ROWS and N columns; D, A and B: the numbers of their types; MORE: other bits.
static __device__ unsigned
describe_product (int rows, int n, int d, int a, int b, unsigned more)
{
  return d << 4 | a << 7 | b << 10 | n / 8 << 17 | rows / 16 << 24 | more;
}

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

  static __device__ u64
  describe (const void *shared, int kstep)
  {
    const u64 address = get_shared (shared) + 2 * kstep * step;
    const u64 swizzle = WIDE == 1 ? 0 : WIDE == 2 ? 3 : WIDE == 4 ? 2 : 1;

    return (address & 0x3ffff) >> 4 | (u64) leading / 8 << 16 | (u64) stride / 8 << 32 | 1ull << 46 | swizzle << 62;
  }
};

#define MULTIPLY(name, kind, a_type, a_letter, a_text)                                                                     \
  static __device__ void name (unsigned d, a_type a, u64 b, unsigned shape, int is_added)                                  \
  {                                                                                                                        \
    asm volatile ("{.reg .pred p; setp.ne.b32 p, %4, 0; tcgen05.mma.cta_group::1.kind::" kind " [%0], " a_text             \
                  ", %2, %3, p;}" ::"r"(d),                                                                                \
                  a_letter (a), "l"(b), "r"(shape), "r"(is_added)                                                          \
                  : "memory");                                                                                             \
  }
MULTIPLY (multiply_f16, "f16", u64, "l", "%1")
MULTIPLY (multiply_tf32, "tf32", u64, "l", "%1")
MULTIPLY (multiply_f8, "f8f6f4", u64, "l", "%1")
MULTIPLY (multiply_i8, "i8", u64, "l", "%1")
MULTIPLY (multiply_tensor, "f16", unsigned, "r", "[%1]")

// What was stored to shared memory is there for products.
static __device__ void
show (void)
{
  asm volatile ("fence.proxy.async.shared::cta; tcgen05.fence::before_thread_sync;" ::: "memory");
  __syncthreads ();
  asm volatile ("tcgen05.fence::after_thread_sync;" ::: "memory");
}

// ---- Layouts ----

template <int WIDE, bool TURNED>
__device__ void
product (const unsigned short *a, const unsigned short *b, unsigned *c)
{
  typedef Layout<WIDE, TURNED> L;
  __shared__ __align__ (1024) unsigned short sa[128 * L::depth], sb[COLUMNS * L::depth];
  __shared__ unsigned address;
  __shared__ u64 done;
  const unsigned d = take_columns (&address, &done);

  for (int i = threadIdx.x; i < 128 * L::depth; i += 128)
    sa[L::place (i / L::depth, i % L::depth)] = a[i / L::depth * 64 + i % L::depth];
  for (int i = threadIdx.x; i < COLUMNS * L::depth; i += 128)
    sb[L::place (i / L::depth, i % L::depth)] = b[i / L::depth * 64 + i % L::depth];
  show ();
  if (threadIdx.x == 0)
    {
      for (int k = 0; k < L::depth / 16; k++)
        multiply_f16 (d, L::describe (sa, k), L::describe (sb, k),
                      describe_product (128, COLUMNS, 1, 0, 0, TURNED ? 3 << 15 : 0), k > 0);
      commit (&done);
    }
  wait (&done, 0);
  store_sums (d, c, COLUMNS);
  give_back (d);
}

// Each block another layout. K is 16, 16, 32, 64 of 64.
extern "C" __global__ void
along_k (const unsigned short *a, const unsigned short *b, unsigned *c)
{
  c += blockIdx.x * 128 * COLUMNS;
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
along_mn (const unsigned short *a, const unsigned short *b, unsigned *c)
{
  c += blockIdx.x * 128 * COLUMNS;
  switch (blockIdx.x)
    {
    case 0: product<1, true> (a, b, c); break;
    case 1: product<2, true> (a, b, c); break;
    case 2: product<4, true> (a, b, c); break;
    default: product<8, true> (a, b, c); break;
    }
}

// ---- Other shapes and types ----

// D of 64 rows, 16 of each warp, and 24 columns: C is -A B of bfloat16. The second block has it from the 16th lane on.
extern "C" __global__ void
rows_64 (const unsigned short *a, const unsigned short *b, unsigned *c)
{
  typedef Layout<4, false> L;
  __shared__ __align__ (1024) unsigned short sa[64 * 32], sb[24 * 32];
  __shared__ unsigned address;
  __shared__ u64 done;
  const unsigned d = take_columns (&address, &done) + (blockIdx.x * 16 << 16);
  unsigned words[4];

  for (int i = threadIdx.x; i < 64 * 32; i += 128)
    sa[L::place (i / 32, i % 32)] = a[i];
  for (int i = threadIdx.x; i < 24 * 32; i += 128)
    sb[L::place (i / 32, i % 32)] = b[i];
  show ();
  if (threadIdx.x == 0)
    {
      for (int k = 0; k < 2; k++)
        multiply_f16 (d, L::describe (sa, k), L::describe (sb, k), describe_product (64, 24, 1, 1, 1, 1 << 13), k);
      commit (&done);
    }
  wait (&done, 0);
  c += blockIdx.x * 64 * 24;
  for (int column = 0; column < 24; column += 8)
    {
      asm volatile ("tcgen05.ld.sync.aligned.16x256b.x1.b32 {%0,%1,%2,%3}, [%4];"
                    : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                    : "r"(d + column + (WARP * 32 << 16)));
      asm volatile ("tcgen05.wait::ld.sync.aligned;" ::: "memory");
      for (int i = 0; i < 4; i++)
        c[(WARP * 16 + LANE / 4 + i / 2 * 8) * 24 + column + LANE % 4 * 2 + i % 2] = words[i];
    }
  give_back (d & 0xffff);
}

// A, 128 x 16 of bfloat16, is in the columns from 32 on, two to a word. D has 32.
extern "C" __global__ void
from_tensor (const unsigned *a, const unsigned short *b, unsigned *c)
{
  typedef Layout<1, false> L;
  __shared__ __align__ (1024) unsigned short sb[32 * 16];
  __shared__ unsigned address;
  __shared__ u64 done;
  const unsigned d = take_columns (&address, &done);
  unsigned words[8];

  for (int i = 0; i < 8; i++)
    words[i] = a[threadIdx.x * 8 + i];
  store (words, d + 32);
  for (int i = threadIdx.x; i < 32 * 16; i += 128)
    sb[L::place (i / 16, i % 16)] = b[i];
  show ();
  if (threadIdx.x == 0)
    {
      multiply_tensor (d, d + 32, L::describe (sb, 0), describe_product (128, 32, 1, 1, 1, 0), 0);
      commit (&done);
    }
  wait (&done, 0);
  store_sums (d, c, 32);
  give_back (d);
}

// Bytes of A (128 x 32) and B (16 x 32) as they are without a swizzle. C is what D is at first.
#define OF_BYTES(name, multiply, shape)                                                                                    \
  extern "C" __global__ void name (const unsigned char *a, const unsigned char *b, unsigned *c)                            \
  {                                                                                                                        \
    __shared__ __align__ (1024) unsigned char sa[128 * 32], sb[16 * 32];                                                   \
    __shared__ unsigned address;                                                                                           \
    __shared__ u64 done;                                                                                                   \
    const unsigned d = take_columns (&address, &done);                                                                     \
                                                                                                                           \
    for (int i = threadIdx.x; i < 144 * 32; i += 128)                                                                      \
      {                                                                                                                    \
        const int row = i < 128 * 32 ? i / 32 : i / 32 - 128, byte = i % 32;                                               \
        (i < 128 * 32 ? sa : sb)[row / 8 * 256 + row % 8 * 16 + byte / 16 * 128 + byte % 16]                               \
          = (i < 128 * 32 ? a : b)[row * 32 + byte];                                                                       \
      }                                                                                                                    \
    store (c + threadIdx.x * 16, d);                                                                                       \
    store (c + threadIdx.x * 16 + 8, d + 8);                                                                               \
    show ();                                                                                                               \
    if (threadIdx.x == 0)                                                                                                  \
      {                                                                                                                    \
        multiply (d, Layout<1, false>::describe (sa, 0), Layout<1, false>::describe (sb, 0), shape, 1);                    \
        commit (&done);                                                                                                    \
      }                                                                                                                    \
    wait (&done, 0);                                                                                                       \
    store_sums (d, c, 16);                                                                                                 \
    give_back (d);                                                                                                         \
  }

OF_BYTES (in_halves, multiply_f16, describe_product (128, 16, 0, 0, 0, 0))
OF_BYTES (of_tf32, multiply_tf32, describe_product (128, 16, 1, 2, 2, 1 << 14))
OF_BYTES (of_bytes, multiply_i8, describe_product (128, 16, 2, 1, 0, 1 << 3))
OF_BYTES (of_e4m3, multiply_f8, describe_product (128, 16, 1, 0, 0, 0))

// ---- Shapes ----

// Sixteen columns of 128 lanes, and what each shape makes of the first sixteen lanes of a warp.
extern "C" __global__ void
moves (const unsigned *in, unsigned *out)
{
  __shared__ unsigned address;
  __shared__ u64 done;
  const unsigned base = take_columns (&address, &done), at = base + (WARP * 32 << 16);
  unsigned d[16];

  for (int i = 0; i < 16; i++)
    d[i] = in[threadIdx.x * 16 + i];
  asm volatile ("tcgen05.st.sync.aligned.32x32b.x16.b32 [%16], " WORDS16 ";" ::EIGHT (USED, 0), EIGHT (USED, 8), "r"(at));
  asm volatile ("tcgen05.wait::st.sync.aligned;" ::: "memory");
#define MOVE(shape, where, more)                                                                                           \
  asm volatile ("tcgen05.ld.sync.aligned." shape ".b32 " WORDS8 ", [%8]" more ";" : EIGHT (SET, 0) : "r"(where));          \
  asm volatile ("tcgen05.wait::ld.sync.aligned;" ::: "memory");                                                            \
  for (int i = 0; i < 8; i++)                                                                                              \
    *out++ = d[i];
  out += threadIdx.x * 48;
  MOVE ("16x64b.x8", at, "")
  MOVE ("16x128b.x4", at + (16 << 16), "")
  MOVE ("16x256b.x2", at, "")
  MOVE ("16x32bx2.x8", at, ", 8")
  asm volatile ("tcgen05.st.sync.aligned.16x128b.x4.b32 [%8], " WORDS8 ";" ::EIGHT (USED, 0), "r"(at + 16));
  asm volatile ("tcgen05.st.sync.aligned.16x256b.x2.b32 [%8], " WORDS8 ";" ::EIGHT (USED, 0), "r"(at + 16 + (16 << 16)));
  asm volatile ("tcgen05.wait::st.sync.aligned;" ::: "memory");
  asm volatile ("tcgen05.ld.sync.aligned.32x32b.x16.b32 " WORDS16 ", [%16];"
                : EIGHT (SET, 0), EIGHT (SET, 8)
                : "r"(at + 16));
  asm volatile ("tcgen05.wait::ld.sync.aligned;" ::: "memory");
  for (int i = 0; i < 16; i++)
    *out++ = d[i];
  give_back (base);
}

// ---- Copies by tensor maps ----

struct Stage
{
  __align__ (1024) unsigned short a[128 * 64], b[COLUMNS * 64];
};

static __device__ void
fill (Stage *stage, const Map *a, const Map *b, int step, u64 *full)
{
  load_box (stage->a, a, step * 64, blockIdx.x * 128, full);
  load_box (stage->b, b, step * 64, 0, full);
  expect (full, sizeof *stage);
}

static __device__ void
multiply_stage (unsigned d, const Stage *stage, int step, u64 *done)
{
  typedef Layout<8, false> L;

  for (int k = 0; k < 4; k++)
    multiply_f16 (d, L::describe (stage->a, k), L::describe (stage->b, k), describe_product (128, COLUMNS, 1, 0, 0, 0),
                  step > 0 || k > 0);
  commit (done);
}

// What may be wrong: a descriptor, and where D is.
extern "C" __global__ void
odd_product (unsigned shape, unsigned column)
{
  __shared__ __align__ (1024) unsigned short sa[128 * 16];
  __shared__ unsigned address;
  __shared__ u64 done;
  const unsigned d = take_columns (&address, &done);

  if (threadIdx.x == 0)
    {
      multiply_f16 (d + column, Layout<1, false>::describe (sa, 0), Layout<1, false>::describe (sa, 0), shape, 0);
      commit (&done);
    }
  wait (&done, 0);
  give_back (d);
}

// A product by two blocks of a cluster.
extern "C" __global__ void
pair (unsigned shape)
{
  __shared__ __align__ (1024) unsigned short sa[128 * 16];
  const u64 a = Layout<1, false>::describe (sa, 0);

  if (threadIdx.x == 0)
    asm volatile ("{.reg .pred p; setp.ne.b32 p, %3, 0; tcgen05.mma.cta_group::2.kind::f16 [%0], %1, %1, %2, p;}" ::"r"(0),
                  "l"(a), "r"(shape), "r"(shape)
                  : "memory");
}

// Two stages. The next one is copied while this one is multiplied.
extern "C" __global__ void
alone (const __grid_constant__ Map a, const __grid_constant__ Map b, unsigned *c, int steps)
{
  extern __shared__ __align__ (1024) Stage stages[];
  __shared__ unsigned address;
  __shared__ u64 full[2], done;
  unsigned d;

  if (threadIdx.x == 0)
    {
      set_up (&full[0], 1);
      set_up (&full[1], 1);
    }
  d = take_columns (&address, &done);
  if (threadIdx.x == 0)
    fill (&stages[0], &a, &b, 0, &full[0]);
#pragma unroll 1
  for (int step = 0; step < steps; step++)
    {
      if (threadIdx.x == 0 && step + 1 < steps)
        fill (&stages[(step + 1) % 2], &a, &b, step + 1, &full[(step + 1) % 2]);
      wait (&full[step % 2], step / 2 % 2);
      if (threadIdx.x == 0)
        multiply_stage (d, &stages[step % 2], step, &done);
      wait (&done, step % 2);
    }
  store_sums (d, c + blockIdx.x * 128 * COLUMNS, COLUMNS);
  give_back (d);
}

// At BARRIER of the other block of a pair.
__device__ void
arrive_at_other (u64 *barrier, unsigned rank)
{
  asm volatile ("{.reg .b32 there; mapa.shared::cluster.u32 there, %0, %1;"
                "mbarrier.arrive.shared::cluster.b64 _, [there];}" ::"r"(get_shared (barrier)),
                "r"(rank ^ 1)
                : "memory");
}

// Two blocks multiply together: each copies half of the rows of A and half of the columns of B, and stores half of the rows
// of D; the first one has all of it multiplied. Before they give back their columns, the second one comes to the first one,
// and that one answers, as libraries do it.
extern "C" __global__ void
__cluster_dims__ (2, 1, 1)
    together (const __grid_constant__ Map a, const __grid_constant__ Map b, unsigned *c, int steps)
{
  typedef Layout<8, false> L;
  extern __shared__ __align__ (1024) Stage stages[];
  __shared__ unsigned address;
  __shared__ u64 full[2], done[2], end, freed;
  unsigned rank, d;

  asm volatile ("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0)
    {
      for (int k = 0; k < 2; k++)
        {
          set_up (&full[k], 2);
          set_up (&done[k], 1);
        }
      set_up (&end, 1);
      set_up (&freed, 1);
      asm volatile ("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
  if (threadIdx.x < 32)
    {
      asm volatile ("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], 64;" ::"r"(get_shared (&address)) : "memory");
      asm volatile ("tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;");
    }
  asm volatile ("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
  asm volatile ("tcgen05.fence::after_thread_sync;" ::: "memory");
  d = address;
#pragma unroll 1
  for (int step = 0; threadIdx.x == 0 && step < steps; step++)
    {
      const unsigned at = get_shared (&full[step % 2]) & 0xfeffffff; // of the first block
      Stage *to = &stages[step % 2];

      if (step >= 2)
        wait (&done[step % 2], step / 2 - 1 & 1);
      asm volatile ("mbarrier.arrive.expect_tx.shared::cluster.b64 _, [%0], %1;" ::"r"(at), "r"(160 * 128) : "memory");
      asm volatile ("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.cta_group::2 [%0], [%1, "
                    "{%2, %3}], [%4];" ::"r"(get_shared (to->a)),
                    "l"(&a), "r"(step * 64), "r"((int) blockIdx.x * 128), "r"(at)
                    : "memory");
      asm volatile ("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.cta_group::2 [%0], [%1, "
                    "{%2, %3}], [%4];" ::"r"(get_shared (to->b)),
                    "l"(&b), "r"(step * 64), "r"((int) rank * 32), "r"(at)
                    : "memory");
    }
#pragma unroll 1
  for (int step = 0; threadIdx.x == 32 && rank == 0 && step < steps; step++)
    {
      const Stage *from = &stages[step % 2];

      wait (&full[step % 2], step / 2 & 1);
      for (int k = 0; k < 4; k++)
        asm volatile ("{.reg .pred p; setp.ne.b32 p, %4, 0; tcgen05.mma.cta_group::2.kind::f16 [%0], %1, %2, %3, p;}" ::"r"(d),
                      "l"(L::describe (from->a, k)), "l"(L::describe (from->b, k)),
                      "r"(describe_product (256, COLUMNS, 1, 0, 0, 0)), "r"((int) (step > 0 || k > 0))
                      : "memory");
      asm volatile ("tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], %1;" ::"r"(
                        get_shared (&done[step % 2])),
                    "h"((short) 3)
                    : "memory");
      if (step + 1 == steps)
        asm volatile ("tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], %1;" ::"r"(
                          get_shared (&end)),
                      "h"((short) 3)
                      : "memory");
    }
  __syncwarp ();
  wait (&end, 0);
  store_sums (d, c + blockIdx.x * 128 * COLUMNS, COLUMNS);
  asm volatile ("tcgen05.fence::before_thread_sync;" ::: "memory");
  asm volatile ("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
  if (threadIdx.x < 32)
    {
      if (threadIdx.x == 0 && rank == 1)
        arrive_at_other (&freed, rank);
      __syncwarp ();
      wait (&freed, 0);
      if (threadIdx.x == 0 && rank == 0)
        arrive_at_other (&freed, rank);
      __syncwarp ();
      asm volatile ("tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0, 64;" ::"r"(d));
    }
}

// Clusters do the work of others that have not begun, where they get some.
extern "C" __global__ void
__cluster_dims__ (2, 1, 1) work_of_others (const unsigned *in, unsigned *out)
{
  __shared__ alignas (16) uint4 answer;
  __shared__ u64 answered;
  unsigned rank, block = blockIdx.x, more = 1;

  asm volatile ("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0)
    {
      set_up (&answered, 1);
      asm volatile ("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
  asm volatile ("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
#pragma unroll 1
  for (int round = 0; more; round++)
    {
      if (threadIdx.x == 0)
        expect (&answered, 16);
      if (threadIdx.x == 0 && rank == 0)
        asm volatile ("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all"
                      ".b128 [%0], [%1];" ::"r"(get_shared (&answer)),
                      "r"(get_shared (&answered))
                      : "memory");
      out[block * 32 + threadIdx.x] = in[block * 32 + 31 - threadIdx.x] * 3 + block;
      wait (&answered, round & 1);
      asm volatile ("{.reg .pred p; .reg .b128 h; ld.shared.b128 h, [%2]; clusterlaunchcontrol.query_cancel.is_canceled.pred"
                    ".b128 p, h; selp.u32 %0, 1, 0, p; @p clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %1, h;}"
                    : "=r"(more), "+r"(block)
                    : "r"(get_shared (&answer))
                    : "memory");
      block += more ? rank : 0;
      asm volatile ("fence.proxy.async.shared::cta;" ::: "memory");
      asm volatile ("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
    }
}

// Four stages. Warp 4 copies, warp 5 multiplies, the others wait for the end.
extern "C" __global__ void
roles (const __grid_constant__ Map a, const __grid_constant__ Map b, unsigned *c, int steps)
{
  extern __shared__ __align__ (1024) Stage stages[];
  __shared__ unsigned address;
  __shared__ u64 full[4], empty[4], done;
  unsigned d;

  if (threadIdx.x == 0)
    for (int i = 0; i < 4; i++)
      {
        set_up (&full[i], 1);
        set_up (&empty[i], 1);
      }
  d = take_columns (&address, &done);
  if (threadIdx.x == 128)
    {
#pragma unroll 1
      for (int step = 0; step < steps; step++)
        {
          wait (&empty[step % 4], step / 4 % 2 ^ 1);
          fill (&stages[step % 4], &a, &b, step, &full[step % 4]);
        }
    }
  else if (threadIdx.x == 160)
    {
#pragma unroll 1
      for (int step = 0; step < steps; step++)
        {
          wait (&full[step % 4], step / 4 % 2);
          multiply_stage (d, &stages[step % 4], step, &empty[step % 4]);
        }
      commit (&done);
    }
  else if (threadIdx.x < 128)
    {
      wait (&done, 0);
      store_sums (d, c + blockIdx.x * 128 * COLUMNS, COLUMNS);
    }
  give_back (d);
}

// Nothing but whether the second product is executed need be unknown: 16 where it is not, else 32.
extern "C" __global__ void
perhaps (const int *whether, unsigned *c)
{
  __shared__ __align__ (1024) unsigned short sa[128 * 16];
  __shared__ unsigned address;
  __shared__ u64 done;
  const unsigned d = take_columns (&address, &done);
  const u64 a = Layout<1, false>::describe (sa, 0);

  for (int i = threadIdx.x; i < 128 * 16; i += 128)
    sa[i] = 0x3c00; // 1
  show ();
  if (threadIdx.x == 0)
    {
      multiply_f16 (d, a, a, 0x08040010, 0);
      asm volatile ("{.reg .pred p; setp.ne.b32 p, %3, 0; @p tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %1, %2, p;}" ::"r"(d),
                    "l"(a), "r"(0x08040010), "r"(*whether)
                    : "memory");
      commit (&done);
    }
  wait (&done, 0);
  store_sums (d, c, 16);
  give_back (d);
}

// Each warp takes all columns, so that one waits for another.
extern "C" __global__ void
in_turn (const unsigned *from, unsigned *to)
{
  __shared__ unsigned words[128], addresses[4];

  words[threadIdx.x] = from[threadIdx.x];
  __syncthreads ();
  asm volatile ("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 512;" ::"r"(get_shared (&addresses[WARP]))
                : "memory");
  to[threadIdx.x] = words[threadIdx.x ^ 1];
  asm volatile ("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 512;" ::"r"(addresses[WARP]));
}
