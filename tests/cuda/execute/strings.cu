// SPDX-License-Identifier: MIT
// Text and tables of dynamic programming: search straight and by an automaton, distances between words, alignment,
// knapsack, shortest paths between all pairs, letters counted and changed.
//
// case search: search<<<4, 128>>>(TEXT, 500, PATTERN, 3, FOUND)
// case search_automaton: search_automaton<<<2, 32>>>(TEXT, 16, PATTERN, NEXT, 4, COUNTS)
// case levenshtein: levenshtein<<<3, 32>>>(A, B, OUT)
// case align: align<<<1, 64>>>(A, B, TABLE, 48)
// case knapsack: knapsack<<<1, 128>>>(WEIGHTS, VALUES, OUT, 20, 200)
// case floyd: floyd<<<1, dim3(16, 16)>>>(DISTANCES, 30)
// case upper: upper<<<2, 128>>>(TEXT, 250, COUNTS)
//   data: COUNTS=zeros
// case base64: base64<<<1, 64>>>(IN, OUT, 50)

extern "C" __global__ void
search (const char *text, int n, const char *pattern, int length, int *found)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = 0;

  if (i >= n)
    return;
  if (i + length <= n)
    while (j < length && text[i + j] == pattern[j])
      j++;
  found[i] = j == length ? 1 : -j;
}

/* Each thread counts in a piece of its own; NEXT is how far the pattern matches after a mismatch. */
extern "C" __global__ void
search_automaton (const char *text, int piece, const char *pattern, const int *next, int length, int *counts)
{
  const char *from = text + (blockIdx.x * blockDim.x + threadIdx.x) * piece;
  int matched = 0, count = 0;

  for (int i = 0; i < piece; i++)
    {
      while (matched > 0 && pattern[matched] != from[i])
        matched = next[matched];
      if (pattern[matched] == from[i])
        matched++;
      if (matched == length)
        {
          count++;
          matched = next[length];
        }
    }
  counts[blockIdx.x * blockDim.x + threadIdx.x] = count;
}

/* Words of 12 letters; the row of each thread's table lies in local memory. */
extern "C" __global__ void
levenshtein (const char *a, const char *b, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned char row[13];

  a += i * 12;
  b += i * 12;
  for (int j = 0; j <= 12; j++)
    row[j] = j;
  for (int k = 1; k <= 12; k++)
    {
      int corner = row[0];

      row[0] = k;
      for (int j = 1; j <= 12; j++)
        {
          int old = row[j], cost = corner + (a[k - 1] != b[j - 1]);

          row[j] = min (min (old, (int) row[j - 1]) + 1, cost);
          corner = old;
        }
    }
  out[i] = row[12];
}

/* Needleman and Wunsch, by diagonals. */
extern "C" __global__ void
align (const char *a, const char *b, int *table, int n)
{
  int width = n + 1;

  for (int i = threadIdx.x; i <= n; i += blockDim.x)
    {
      table[i] = -2 * i;
      table[i * width] = -2 * i;
    }
  for (int diagonal = 2; diagonal <= 2 * n; diagonal++)
    {
      int i = threadIdx.x + 1, j = diagonal - i;

      __syncthreads ();
      if (i <= n && j >= 1 && j <= n)
        table[i * width + j] = max (table[(i - 1) * width + j - 1] + (a[i - 1] == b[j - 1] ? 3 : -1),
                                    max (table[(i - 1) * width + j], table[i * width + j - 1]) - 2);
    }
}

extern "C" __global__ void
knapsack (const int *weights, const int *values, int *out, int items, int capacity)
{
  __shared__ int best[2][256];

  for (int i = threadIdx.x; i <= capacity; i += blockDim.x)
    best[0][i] = 0;
  for (int item = 0; item < items; item++)
    {
      const int *from = best[item & 1];
      int *to = best[~item & 1];

      __syncthreads ();
      for (int i = threadIdx.x; i <= capacity; i += blockDim.x)
        to[i] = i >= weights[item] ? max (from[i], from[i - weights[item]] + values[item]) : from[i];
    }
  __syncthreads ();
  for (int i = threadIdx.x; i <= capacity; i += blockDim.x)
    out[i] = best[items & 1][i];
}

extern "C" __global__ void
floyd (int *distances, int n)
{
  for (int k = 0; k < n; k++)
    {
      for (int i = threadIdx.y; i < n; i += blockDim.y)
        for (int j = threadIdx.x; j < n; j += blockDim.x)
          distances[i * n + j] = min (distances[i * n + j], distances[i * n + k] + distances[k * n + j]);
      __syncthreads ();
    }
}

extern "C" __global__ void
upper (char *text, int n, int *counts)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  char c;

  if (i >= n)
    return;
  c = text[i];
  if (c >= 'a' && c <= 'z')
    {
      text[i] = c - 32;
      atomicAdd (&counts[c - 'a'], 1);
    }
  else if (c == ' ')
    text[i] = '_';
}

extern "C" __global__ void
base64 (const unsigned char *in, uchar4 *out, int n)
{
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  int i = threadIdx.x;
  unsigned word;

  if (i >= n)
    return;
  word = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
  out[i] = make_uchar4 (letters[word >> 18], letters[word >> 12 & 63], letters[word >> 6 & 63], letters[word & 63]);
}
