// SPDX-License-Identifier: MIT
// Work that data decide: sparse matrices by rows with a thread and with a warp for each, breadth-first search by
// levels (several launches on one memory) and by a queue, shortest paths, connected components, and k-means.
//
// case spmv_scalar: spmv_scalar<<<3, 64>>>(ROWS, COLUMNS, VALUES, X, OUT, 150)
// case spmv_vector: spmv_vector<<<10, dim3(32, 4)>>>(ROWS, COLUMNS, VALUES, X, OUT, 40)
// case bfs: bfs<<<3, 64>>>(ROWS, COLUMNS, LEVELS, 150, 0)
//   launch: bfs<<<3, 64>>>(ROWS, COLUMNS, LEVELS, 150, 1)
//   launch: bfs<<<3, 64>>>(ROWS, COLUMNS, LEVELS, 150, 2)
//   launch: bfs<<<3, 64>>>(ROWS, COLUMNS, LEVELS, 150, 3)
//   launch: bfs<<<3, 64>>>(ROWS, COLUMNS, LEVELS, 150, 4)
// case bfs_queue: bfs_queue<<<1, 128>>>(ROWS, COLUMNS, LEVELS, 150)
// case relax: relax<<<1, 64>>>(ROWS, COLUMNS, WEIGHTS, DISTANCES, 120)
// case components: components<<<1, 128>>>(FROM, TO, LABELS, 200, 100)
// case kmeans: kmeans<<<2, 128>>>(POINTS, CENTRES, LABELS, SUMS, 250, 8)
//   data: SUMS=zeros

extern "C" __global__ void
spmv_scalar (const int *rows, const int *columns, const float *values, const float *x, float *out, int n)
{
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;

  if (row >= n)
    return;
  for (int i = rows[row]; i < rows[row + 1]; i++)
    sum += values[i] * x[columns[i]];
  out[row] = sum;
}

extern "C" __global__ void
spmv_vector (const int *rows, const int *columns, const double *values, const double *x, double *out, int n)
{
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  double sum = 0;

  if (row >= n)
    return;
  for (int i = rows[row] + threadIdx.x; i < rows[row + 1]; i += 32)
    sum += values[i] * __ldg (x + columns[i]);
  for (int offset = 16; offset > 0; offset >>= 1)
    sum += __shfl_down_sync (~0u, sum, offset);
  if (threadIdx.x == 0)
    out[row] = sum;
}

extern "C" __global__ void
bfs (const int *rows, const int *columns, int *levels, int n, int level)
{
  int node = blockIdx.x * blockDim.x + threadIdx.x;

  if (node >= n || levels[node] != level)
    return;
  for (int i = rows[node]; i < rows[node + 1]; i++)
    if (levels[columns[i]] < 0)
      levels[columns[i]] = level + 1;
}

/* One block, a queue in shared memory, all levels. */
extern "C" __global__ void
bfs_queue (const int *rows, const int *columns, int *levels, int n)
{
  __shared__ int queue[256], first, last, end;

  for (int i = threadIdx.x; i < n; i += blockDim.x)
    levels[i] = i == 0 ? 0 : -1;
  if (threadIdx.x == 0)
    {
      queue[0] = 0;
      first = 0;
      end = 1;
    }
  for (;;)
    {
      __syncthreads ();
      if (first == end)
        break;
      if (threadIdx.x == 0)
        last = end;
      __syncthreads ();
      for (int i = first + threadIdx.x; i < last; i += blockDim.x)
        {
          int node = queue[i], next = levels[node] + 1;

          for (int j = rows[node]; j < rows[node + 1]; j++)
            if (atomicCAS (&levels[columns[j]], -1, next) == -1)
              queue[atomicAdd (&end, 1)] = columns[j];
        }
      __syncthreads ();
      if (threadIdx.x == 0)
        first = last;
    }
}

/* Bellman and Ford until nothing changes. */
extern "C" __global__ void
relax (const int *rows, const int *columns, const unsigned *weights, unsigned *distances, int n)
{
  int changed;

  for (int i = threadIdx.x; i < n; i += blockDim.x)
    distances[i] = i == 0 ? 0 : 1u << 30;
  __syncthreads ();
  do
    {
      changed = 0;
      for (int node = threadIdx.x; node < n; node += blockDim.x)
        for (int i = rows[node]; i < rows[node + 1]; i++)
          {
            unsigned distance = *(volatile unsigned *) &distances[node] + weights[i];

            if (distance < atomicMin (&distances[columns[i]], distance))
              changed = 1;
          }
    }
  while (__syncthreads_or (changed));
}

extern "C" __global__ void
components (const int *from, const int *to, int *labels, int edges, int nodes)
{
  int changed;

  for (int i = threadIdx.x; i < nodes; i += blockDim.x)
    labels[i] = i;
  do
    {
      __syncthreads ();
      changed = 0;
      for (int i = threadIdx.x; i < edges; i += blockDim.x)
        {
          int a = ((volatile int *) labels)[from[i]], b = ((volatile int *) labels)[to[i]];

          if (a < b)
            changed |= atomicMin (&labels[to[i]], a) > a;
          else if (b < a)
            changed |= atomicMin (&labels[from[i]], b) > b;
        }
    }
  while (__syncthreads_or (changed));
}

/* One step: the nearest of K centres for each point, sums of whole numbers for the next centres. */
extern "C" __global__ void
kmeans (const int2 *points, const int2 *centres, int *labels, int *sums, int n, int k)
{
  __shared__ int parts[8 * 3];
  int i = blockIdx.x * blockDim.x + threadIdx.x, label = 0, least = 0x7fffffff;

  if (threadIdx.x < 24)
    parts[threadIdx.x] = 0;
  __syncthreads ();
  if (i < n)
    {
      int2 point = points[i];

      for (int j = 0; j < k; j++)
        {
          int dx = point.x - centres[j].x, dy = point.y - centres[j].y, distance = dx * dx + dy * dy;

          if (distance < least)
            {
              least = distance;
              label = j;
            }
        }
      labels[i] = label;
      atomicAdd (&parts[label * 3], point.x);
      atomicAdd (&parts[label * 3 + 1], point.y);
      atomicAdd (&parts[label * 3 + 2], 1);
    }
  __syncthreads ();
  if (threadIdx.x < 24)
    atomicAdd (&sums[threadIdx.x], parts[threadIdx.x]);
}
