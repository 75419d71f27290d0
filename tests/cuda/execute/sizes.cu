// SPDX-License-Identifier: MIT
// What a kernel asks of its launch: how much shared memory it has, and how many SMs the GPU; atomics at the end of
// shared memory, and of 128 bits there; more texts than there may be buffers.
//
// case sizes: sizes<<<2, 32, 250>>>(OUT)
// case sizes_end: sizes_end<<<3, 32>>>(OUT)
// case sizes_wide: sizes_wide<<<2, 64>>>(OUT)
//   from: 90
// case sizes_texts: sizes_texts<<<1, 32>>>(IN, OUT)

extern "C" __global__ void
sizes (unsigned *out)
{
  extern __shared__ unsigned char bytes[];
  unsigned dynamic, total, sms;

  asm ("mov.u32 %0, %%dynamic_smem_size;" : "=r"(dynamic));
  asm ("mov.u32 %0, %%total_smem_size;" : "=r"(total));
  asm ("mov.u32 %0, %%nsmid;" : "=r"(sms));
  bytes[threadIdx.x] = threadIdx.x;
  __syncwarp ();
  if (threadIdx.x == 0)
    {
      out[4 * blockIdx.x] = dynamic;
      out[4 * blockIdx.x + 1] = total;
      out[4 * blockIdx.x + 2] = sms >= 40 && sms <= 200;
      out[4 * blockIdx.x + 3] = bytes[31];
    }
}

// The word that an atomic of 16 bits accesses ends behind the last variable.
extern "C" __global__ void
sizes_end (unsigned *out)
{
  __shared__ unsigned short count;
  unsigned short seen, next;

  if (threadIdx.x == 0)
    count = 7;
  __syncwarp ();
  for (seen = count; (next = atomicCAS (&count, seen, (unsigned short)(seen + 3))) != seen; seen = next)
    continue;
  __syncwarp ();
  if (threadIdx.x == 0)
    out[blockIdx.x] = count;
}

#if __CUDA_ARCH__ >= 900
// Each thread adds to both halves by a loop, and then exchanges.
extern "C" __global__ void
sizes_wide (unsigned long long *out)
{
  typedef unsigned __int128 Wide;
  __shared__ Wide sum, last;
  const Wide mine = (Wide)(1 + threadIdx.x) << 64 | (3 * threadIdx.x + 5 + blockIdx.x);
  Wide seen, next;

  if (threadIdx.x == 0)
    sum = (Wide)5 << 64 | 7, last = (Wide)8 << 64 | 9;
  __syncthreads ();
  for (seen = sum; (next = atomicCAS (&sum, seen, seen + mine)) != seen; seen = next)
    continue;
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      const Wide before = atomicExch (&last, sum);

      out[6 * blockIdx.x] = (unsigned long long)sum;
      out[6 * blockIdx.x + 1] = (unsigned long long)(sum >> 64);
      out[6 * blockIdx.x + 2] = (unsigned long long)before;
      out[6 * blockIdx.x + 3] = (unsigned long long)(before >> 64);
      out[6 * blockIdx.x + 4] = (unsigned long long)last;
      out[6 * blockIdx.x + 5] = (unsigned long long)(last >> 64);
    }
}
#endif

#define TEXTS(n) "case " #n "0", "case " #n "1", "case " #n "2", "case " #n "3", "case " #n "4", "case " #n "5", \
  "case " #n "6", "case " #n "7", "case " #n "8", "case " #n "9"

__device__ const char *const texts[] = {
  TEXTS (0), TEXTS (1), TEXTS (2), TEXTS (3), TEXTS (4), TEXTS (5), TEXTS (6), TEXTS (7), TEXTS (8), TEXTS (9),
  TEXTS (10), TEXTS (11), TEXTS (12), TEXTS (13), TEXTS (14), TEXTS (15), TEXTS (16), TEXTS (17), TEXTS (18),
  TEXTS (19), TEXTS (20), TEXTS (21), TEXTS (22), TEXTS (23), TEXTS (24), TEXTS (25)
};

// The last digit of the text.
extern "C" __global__ void
sizes_texts (const unsigned *in, unsigned *out)
{
  const char *text = texts[in[threadIdx.x]];

  while (text[1] != 0)
    text++;
  out[threadIdx.x] = *text;
}
