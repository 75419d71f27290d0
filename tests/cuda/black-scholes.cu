// SPDX-License-Identifier: MIT
// Prices of European options after Black and Scholes (1973), with the polynomial of Abramowitz and Stegun (1964,
// 26.2.17) for the cumulative normal distribution. Compiled twice: -use_fast_math makes short sequences of its
// divisions, logarithm, exponentials and root (Volkov 2016, section 3.10).
__device__ static float
cumulate (float d)
{
  float k = 1.0f / (1.0f + 0.2316419f * fabsf (d));
  float tail = 0.39894228f * expf (-0.5f * d * d) * k
               * (0.31938153f
                  + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));

  return d > 0 ? 1.0f - tail : tail;
}

extern "C" __global__ void
black_scholes (float *call, float *put, const float *price, const float *strike, const float *years, float rate,
               float volatility, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s, x, t, root, d1, d2, n1, n2, discounted;

  if (i >= n)
    return;
  s = price[i];
  x = strike[i];
  t = years[i];
  /* All three are loaded before one is used, as the assembler would have it; PTX's own order is another. */
  asm volatile ("" : "+f"(s), "+f"(x), "+f"(t));
  root = sqrtf (t);
  d1 = (logf (s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
  d2 = d1 - volatility * root;
  n1 = cumulate (d1);
  n2 = cumulate (d2);
  discounted = x * expf (-rate * t);
  call[i] = s * n1 - discounted * n2;
  put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}
