// SPDX-License-Identifier: MIT
// Computing as such: bodies that attract one another, a Fourier transform, Mandelbrot's set in single and double, a
// matrix inverse and a Cholesky factor in double, options by Black and Scholes and by a binomial tree, and pi by
// Monte Carlo.
//
// case nbody: nbody<<<3, 64>>>(BODIES, OUT, 150)
// case fft: fft<<<3, 128>>>(IN, OUT)
// case mandelbrot: mandelbrot<<<dim3(2, 6), dim3(32, 8)>>>(OUT, 60, 44, 100)
// case mandelbrot_double: mandelbrot_double<<<dim3(2, 3), dim3(16, 8)>>>(OUT, 30, 20, 60)
// case inverse: inverse<<<3, 64>>>(IN, OUT, 20)
// case cholesky: cholesky<<<2, 32>>>(IN, OUT, 24)
// case black_scholes: black_scholes<<<4, 64>>>(PRICES, STRIKES, YEARS, CALLS, PUTS, 0.02f, 0.3f, 250)
// case binomial: binomial<<<5, 128>>>(PRICES, OUT, 100)
// case monte_carlo: monte_carlo<<<2, 64>>>(OUT, 12345, 40)
// case jacobi: jacobi<<<1, 64>>>(A, B, OUT, 40, 30)

/* x, y, z and mass of each; tiles in shared memory. */
extern "C" __global__ void
nbody (const float4 *bodies, float4 *out, int n)
{
  __shared__ float4 tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  float4 mine = i < n ? bodies[i] : make_float4 (0, 0, 0, 0);
  float ax = 0, ay = 0, az = 0;

  for (int first = 0; first < n; first += 64)
    {
      if (first + threadIdx.x < n)
        tile[threadIdx.x] = bodies[first + threadIdx.x];
      else
        tile[threadIdx.x] = make_float4 (0, 0, 0, 0);
      __syncthreads ();
#pragma unroll 4
      for (int j = 0; j < 64; j++)
        {
          float dx = tile[j].x - mine.x, dy = tile[j].y - mine.y, dz = tile[j].z - mine.z;
          float distance = dx * dx + dy * dy + dz * dz + 0.01f, inverse = rsqrtf (distance);
          float force = tile[j].w * inverse * inverse * inverse;

          ax += dx * force;
          ay += dy * force;
          az += dz * force;
        }
      __syncthreads ();
    }
  if (i < n)
    out[i] = make_float4 (ax, ay, az, mine.w);
}

/* 256 points a block, radix 2. */
extern "C" __global__ void
fft (const float2 *in, float2 *out)
{
  __shared__ float2 values[256];
  int x = threadIdx.x;

  for (int i = x; i < 256; i += 128)
    values[__brev (i) >> 24] = in[blockIdx.x * 256 + i];
  for (int half = 1; half < 256; half *= 2)
    {
      int place = x % half, low = x / half * half * 2 + place;
      float sine, cosine;
      float2 a, b;

      __syncthreads ();
      sincospif (-(float) place / half, &sine, &cosine);
      a = values[low];
      b = values[low + half];
      b = make_float2 (b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
      values[low] = make_float2 (a.x + b.x, a.y + b.y);
      values[low + half] = make_float2 (a.x - b.x, a.y - b.y);
    }
  __syncthreads ();
  for (int i = x; i < 256; i += 128)
    out[blockIdx.x * 256 + i] = values[i];
}

/* Counts are to the bit where no product and sum are fused: so they are spelt. */
extern "C" __global__ void
mandelbrot (int *out, int width, int height, int limit)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, count = 0;
  float a, b, real = 0, imaginary = 0;

  if (x >= width || y >= height)
    return;
  a = __fadd_rn (-2.0f, __fmul_rn (3.0f, __fdiv_rn (x, width)));
  b = __fadd_rn (-1.25f, __fmul_rn (2.5f, __fdiv_rn (y, height)));
  while (count < limit)
    {
      float squares = __fmul_rn (real, real), others = __fmul_rn (imaginary, imaginary);

      if (__fadd_rn (squares, others) > 4)
        break;
      imaginary = __fadd_rn (__fmul_rn (2 * real, imaginary), b);
      real = __fadd_rn (__fadd_rn (squares, -others), a);
      count++;
    }
  out[y * width + x] = count;
}

extern "C" __global__ void
mandelbrot_double (int *out, int width, int height, int limit)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, count = 0;
  double a, b, real = 0, imaginary = 0;

  if (x >= width || y >= height)
    return;
  a = -0.7436 + 0.001 * x;
  b = 0.1318 + 0.001 * y;
  for (; count < limit && __dadd_rn (__dmul_rn (real, real), __dmul_rn (imaginary, imaginary)) <= 4; count++)
    {
      double next = fma (real, real, fma (-imaginary, imaginary, a));

      imaginary = fma (2 * real, imaginary, b);
      real = next;
    }
  out[y * width + x] = count;
}

/* Gauss-Jordan with the largest pivot, one matrix of n x n a block. */
extern "C" __global__ void
inverse (const double *in, double *out, int n)
{
  __shared__ double rows[32][64];
  __shared__ int pivot;

  for (int i = threadIdx.x; i < n * n; i += blockDim.x)
    {
      rows[i / n][i % n] = in[blockIdx.x * n * n + i];
      rows[i / n][n + i % n] = i / n == i % n;
    }
  __syncthreads ();
  for (int k = 0; k < n; k++)
    {
      double factor;

      if (threadIdx.x == 0)
        {
          pivot = k;
          for (int i = k + 1; i < n; i++)
            if (fabs (rows[i][k]) > fabs (rows[pivot][k]))
              pivot = i;
        }
      __syncthreads ();
      if (threadIdx.x < 2 * n && pivot != k)
        {
          double swap = rows[k][threadIdx.x];

          rows[k][threadIdx.x] = rows[pivot][threadIdx.x];
          rows[pivot][threadIdx.x] = swap;
        }
      __syncthreads ();
      factor = 1 / rows[k][k];
      __syncthreads ();
      if (threadIdx.x < 2 * n)
        rows[k][threadIdx.x] *= factor;
      __syncthreads ();
      for (int i = 0; i < n; i++)
        if (i != k)
          {
            factor = rows[i][k];
            __syncthreads ();
            if (threadIdx.x < 2 * n)
              rows[i][threadIdx.x] -= factor * rows[k][threadIdx.x];
          }
      __syncthreads ();
    }
  for (int i = threadIdx.x; i < n * n; i += blockDim.x)
    out[blockIdx.x * n * n + i] = rows[i / n][n + i % n];
}

extern "C" __global__ void
cholesky (const double *in, double *out, int n)
{
  __shared__ double a[32][33];
  int x = threadIdx.x;

  for (int i = 0; i < n; i++)
    if (x < n)
      a[i][x] = in[blockIdx.x * n * n + i * n + x];
  __syncwarp ();
  for (int k = 0; k < n; k++)
    {
      if (x == k)
        a[k][k] = sqrt (a[k][k]);
      __syncwarp ();
      if (x > k && x < n)
        a[x][k] /= a[k][k];
      __syncwarp ();
      if (x > k && x < n)
        for (int j = k + 1; j <= x; j++)
          a[x][j] -= a[x][k] * a[j][k];
      __syncwarp ();
    }
  for (int i = 0; i < n; i++)
    if (x < n)
      out[blockIdx.x * n * n + i * n + x] = x <= i ? a[i][x] : 0;
}

extern "C" __global__ void
black_scholes (const float *prices, const float *strikes, const float *years, float *calls, float *puts, float rate,
               float volatility, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float root, d1, d2, discounted;

  if (i >= n)
    return;
  root = sqrtf (years[i]);
  d1 = (logf (prices[i] / strikes[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
  d2 = d1 - volatility * root;
  discounted = strikes[i] * expf (-rate * years[i]);
  calls[i] = prices[i] * normcdff (d1) - discounted * normcdff (d2);
  puts[i] = discounted * normcdff (-d2) - prices[i] * normcdff (-d1);
}

/* An American put: a block for each price, a thread for each leaf. */
extern "C" __global__ void
binomial (const float *prices, float *out, int steps)
{
  __shared__ float values[129];
  int x = threadIdx.x;
  float up = 1.02f, down = 1 / up, chance = 0.52f, discount = 0.9995f, price = prices[blockIdx.x];

  if (x <= steps)
    values[x] = fmaxf (100 - price * powf (up, (float) (2 * x - steps)), 0.0f);
  for (int step = steps - 1; step >= 0; step--)
    {
      float value = 0;

      __syncthreads ();
      if (x <= step)
        value = fmaxf (discount * (chance * values[x + 1] + (1 - chance) * values[x]),
                       100 - price * powf (up, (float) (2 * x - step)));
      __syncthreads ();
      if (x <= step)
        values[x] = value;
    }
  if (x == 0)
    out[blockIdx.x] = values[0] + 0 * down;
}

/* Points in the quarter of the circle: counts by xorshift, to the bit. */
extern "C" __global__ void
monte_carlo (unsigned *out, unsigned seed, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned state = seed + i * 2654435761u, count = 0;

  for (int j = 0; j < n; j++)
    {
      unsigned x, y;

      state ^= state << 13;
      state ^= state >> 17;
      state ^= state << 5;
      x = state & 0xffff;
      y = state >> 16;
      count += (unsigned long long) x * x + (unsigned long long) y * y < 0x100000000ull;
    }
  out[i] = count;
}

/* Jacobi's method for A x = b in one block. */
extern "C" __global__ void
jacobi (const float *a, const float *b, float *out, int n, int steps)
{
  __shared__ float x[64];
  int row = threadIdx.x;

  x[row] = 0;
  for (int step = 0; step < steps; step++)
    {
      float sum = 0;

      __syncthreads ();
      if (row < n)
        {
          sum = b[row];
          for (int j = 0; j < n; j++)
            if (j != row)
              sum -= a[row * n + j] * x[j];
          sum /= a[row * n + row];
        }
      __syncthreads ();
      x[row] = sum;
    }
  if (row < n)
    out[row] = x[row];
}
