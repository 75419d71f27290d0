// SPDX-License-Identifier: MIT
// Hashes and generators, which one wrong bit anywhere spoils: SHA-256, MD5's rounds, CRC-32 by a table in constant
// memory, the Mersenne twister, Philox, xxHash's mixing of 64 bits, and AES's field arithmetic.
//
// case sha256: sha256<<<2, 64>>>(IN, OUT, 100)
// case crc32: crc32<<<2, 64>>>(IN, OUT, 33)
//   data: crc_table=file
// case mersenne: mersenne<<<2, 32>>>(SEEDS, OUT, 6, STATES)
// case mersenne_block: mersenne_block<<<2, 256>>>(STATES, OUT, 3)
// case philox: philox<<<3, 64>>>(OUT, 0x12345678, 0x9abcdef0)
// case mix_64: mix_64<<<2, 64>>>(IN, OUT, 5)
// case galois: galois<<<2, 64>>>(X, Y, OUT)

__constant__ unsigned rounds[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

__device__ unsigned
rotate (unsigned x, int n)
{
  return x >> n | x << (32 - n);
}

/* The digest of the first block of 64 bytes of each thread, big-endian words, without padding. */
extern "C" __global__ void
sha256 (const unsigned *in, unsigned *out, int n)
{
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned w[64];
  unsigned state[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                        0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
  unsigned a, b, c, d, e, f, g, h;

  if (thread >= n)
    return;
  for (int i = 0; i < 16; i++)
    w[i] = __byte_perm (in[thread * 16 + i], 0, 0x0123);
  for (int i = 16; i < 64; i++)
    w[i] = w[i - 16] + (rotate (w[i - 15], 7) ^ rotate (w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7]
           + (rotate (w[i - 2], 17) ^ rotate (w[i - 2], 19) ^ w[i - 2] >> 10);
  a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
  for (int i = 0; i < 64; i++)
    {
      unsigned t1 = h + (rotate (e, 6) ^ rotate (e, 11) ^ rotate (e, 25)) + ((e & f) ^ (~e & g)) + rounds[i] + w[i];
      unsigned t2 = (rotate (a, 2) ^ rotate (a, 13) ^ rotate (a, 22)) + ((a & b) ^ (a & c) ^ (b & c));

      h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
  out += thread * 8;
  out[0] = state[0] + a, out[1] = state[1] + b, out[2] = state[2] + c, out[3] = state[3] + d;
  out[4] = state[4] + e, out[5] = state[5] + f, out[6] = state[6] + g, out[7] = state[7] + h;
}

__constant__ unsigned crc_table[256];

extern "C" __global__ void
crc32 (const unsigned char *in, unsigned *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned crc = ~0u;

  for (int j = 0; j < n; j++)
    crc = crc_table[(crc ^ in[i * n + j]) & 0xff] ^ crc >> 8;
  out[i] = ~crc;
}

/* Each thread has a generator of its own; its state lies in device memory, apart from that of its neighbours. */
extern "C" __global__ void
mersenne (const unsigned *seeds, unsigned *out, int n, unsigned *states)
{
  int thread = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  unsigned *state = states + thread;

  state[0] = seeds[thread];
  for (int i = 1; i < 624; i++)
    state[i * stride] = 1812433253u * (state[(i - 1) * stride] ^ state[(i - 1) * stride] >> 30) + i;
  for (int i = 0; i < 624; i++)
    {
      unsigned y = (state[i * stride] & 0x80000000) | (state[(i + 1) % 624 * stride] & 0x7fffffff);

      state[i * stride] = state[(i + 397) % 624 * stride] ^ y >> 1 ^ (y & 1 ? 0x9908b0df : 0);
    }
  for (int i = 0; i < n; i++)
    {
      unsigned y = state[i * 100 * stride];

      y ^= y >> 11;
      y ^= y << 7 & 0x9d2c5680;
      y ^= y << 15 & 0xefc60000;
      out[thread * n + i] = y ^ y >> 18;
    }
}

/* A block for each generator: 624 words twist together, in the three parts that do not depend on one another. */
extern "C" __global__ void
mersenne_block (unsigned *states, unsigned *out, int turns)
{
  __shared__ unsigned state[624];

  for (int i = threadIdx.x; i < 624; i += blockDim.x)
    state[i] = states[blockIdx.x * 624 + i];
  for (int turn = 0; turn < turns; turn++)
    {
      for (int first = 0; first < 624; first += 208)
        {
          int i = first + threadIdx.x;
          unsigned next = 0;

          __syncthreads ();
          if (threadIdx.x < 208)
            {
              unsigned y = (state[i] & 0x80000000) | (state[(i + 1) % 624] & 0x7fffffff);

              next = state[(i + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908b0df : 0);
            }
          __syncthreads ();
          if (threadIdx.x < 208)
            state[i] = next;
        }
      __syncthreads ();
      for (int i = threadIdx.x; i < 624; i += blockDim.x)
        {
          unsigned y = state[i];

          y ^= y >> 11;
          y ^= y << 7 & 0x9d2c5680;
          y ^= y << 15 & 0xefc60000;
          out[(blockIdx.x * turns + turn) * 624 + i] = y ^ y >> 18;
        }
    }
}

extern "C" __global__ void
philox (uint4 *out, unsigned key0, unsigned key1)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 c = make_uint4 (i, i * 7, 1, 2);

#pragma unroll
  for (int round = 0; round < 10; round++)
    {
      unsigned high0 = __umulhi (0xd2511f53, c.x), low0 = 0xd2511f53 * c.x;
      unsigned high1 = __umulhi (0xcd9e8d57, c.z), low1 = 0xcd9e8d57 * c.z;

      c = make_uint4 (high1 ^ c.y ^ key0, low1, high0 ^ c.w ^ key1, low0);
      key0 += 0x9e3779b9;
      key1 += 0xbb67ae85;
    }
  out[i] = c;
}

extern "C" __global__ void
mix_64 (const unsigned long long *in, unsigned long long *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long hash = 0x27d4eb2f165667c5ull;

  for (int j = 0; j < n; j++)
    {
      unsigned long long lane = in[i * n + j] * 0xc2b2ae3d27d4eb4full;

      lane = (lane << 31 | lane >> 33) * 0x9e3779b185ebca87ull;
      hash ^= lane;
      hash = (hash << 27 | hash >> 37) * 0x9e3779b185ebca87ull + 0x85ebca77c2b2ae63ull;
    }
  hash ^= hash >> 33;
  hash *= 0xc2b2ae3d27d4eb4full;
  hash ^= hash >> 29;
  hash *= 0x165667b19e3779f9ull;
  out[i] = hash ^ hash >> 32;
}

/* Products in the field of AES: shifts of bytes and conditions. */
extern "C" __global__ void
galois (const unsigned char *x, const unsigned char *y, unsigned char *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned char a = x[i], b = y[i], product = 0;

  while (b != 0)
    {
      if (b & 1)
        product ^= a;
      a = a & 0x80 ? a << 1 ^ 0x1b : a << 1;
      b >>= 1;
    }
  out[i] = product;
}
