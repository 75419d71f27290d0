/* SPDX-License-Identifier: MIT */
/* graphs.cu. */
#include "tests/cuda/execute/reference.h"

#include <stdbool.h>
#include <string.h>

typedef struct
{
  int32_t *rows, *columns;
  int n_edges;
} Graph;

/* N rows with 0 to MOST entries each; SPREAD: how far columns are from the row, 0: anywhere. */
static Graph
make_graph (int n, int most, int spread)
{
  Graph graph = { ref_new ((size_t)(n + 1) * 4), ref_new ((size_t)(n * most) * 4), 0 };

  for (int row = 0; row < n; row++)
    {
      for (int i = ref_number (0, most); i > 0; i--)
        {
          int column = spread > 0 ? row + ref_number (-spread, spread) : ref_number (0, n - 1);

          graph.columns[graph.n_edges++] = (column + n) % n;
        }
      graph.rows[row + 1] = graph.n_edges;
    }
  ref_give ("ROWS", graph.rows, (size_t)(n + 1) * 4);
  ref_give ("COLUMNS", graph.columns, (size_t)graph.n_edges * 4);
  return graph;
}

static void
spmv_scalar (void)
{
  Graph graph = make_graph (150, 12, 0);
  float *values = ref_floats ("VALUES", (size_t)graph.n_edges, -1, 1),
        *x = ref_floats ("X", 150, -1, 1);
  double out[150] = { 0 };

  for (int row = 0; row < 150; row++)
    for (int i = graph.rows[row]; i < graph.rows[row + 1]; i++)
      out[row] += (double)values[i] * (double)x[graph.columns[i]];
  ref_near ("OUT", out, 150, 1e-6, 2e-6);
}

static void
spmv_vector (void)
{
  Graph graph = make_graph (40, 90, 0);
  double *values = ref_doubles ("VALUES", (size_t)graph.n_edges, -1, 1),
         *x = ref_doubles ("X", 40, -1, 1), out[40] = { 0 };

  for (int row = 0; row < 40; row++)
    for (int i = graph.rows[row]; i < graph.rows[row + 1]; i++)
      out[row] += values[i] * x[graph.columns[i]];
  ref_near_doubles ("OUT", out, 40, 1e-13, 1e-14);
}

static void
find_levels (const Graph *graph, int32_t *levels, int n, int most)
{
  for (int i = 0; i < n; i++)
    levels[i] = i == 0 ? 0 : -1;
  for (int level = 0; level <= most; level++)
    for (int row = 0; row < n; row++)
      for (int i = graph->rows[row]; levels[row] == level && i < graph->rows[row + 1]; i++)
        if (levels[graph->columns[i]] < 0)
          levels[graph->columns[i]] = level + 1;
}

static void
bfs (void)
{
  Graph graph = make_graph (150, 5, 0);
  int32_t levels[150];

  memset (levels, -1, sizeof levels);
  levels[0] = 0;
  ref_give ("LEVELS", levels, sizeof levels);
  find_levels (&graph, levels, 150, 4);
  ref_same ("LEVELS", levels, 4, 150);
}

static void
bfs_queue (void)
{
  Graph graph = make_graph (150, 6, 12);
  int32_t levels[150];

  find_levels (&graph, levels, 150, 150);
  ref_same ("LEVELS", levels, 4, 150);
}

static void
relax (void)
{
  enum
  {
    N = 120
  };
  Graph graph = make_graph (N, 6, 10);
  uint32_t *weights = (uint32_t *)ref_ints ("WEIGHTS", (size_t)graph.n_edges, 1, 100), distances[N];

  for (int i = 0; i < N; i++)
    distances[i] = i == 0 ? 0 : 1u << 30;
  for (int turn = 0; turn < N; turn++)
    for (int row = 0; row < N; row++)
      for (int i = graph.rows[row]; i < graph.rows[row + 1]; i++)
        if (distances[row] + weights[i] < distances[graph.columns[i]])
          distances[graph.columns[i]] = distances[row] + weights[i];
  ref_same ("DISTANCES", distances, 4, N);
}

static void
components (void)
{
  int32_t *from = ref_ints ("FROM", 200, 0, 99), *to = ref_ints ("TO", 200, 0, 99), labels[100];
  bool changed = true;

  for (int i = 0; i < 200; i++)
    to[i] = (from[i] + to[i] % 7) % 50 + from[i] / 50 * 50;
  ref_give ("TO", to, 200 * 4);
  for (int i = 0; i < 100; i++)
    labels[i] = i;
  while (changed)
    {
      changed = false;
      for (int i = 0; i < 200; i++)
        {
          int32_t *a = &labels[from[i]], *b = &labels[to[i]];

          changed = changed || *a != *b;
          *a = *b = *a < *b ? *a : *b;
        }
    }
  ref_same ("LABELS", labels, 4, 100);
}

static void
kmeans (void)
{
  int32_t *points = ref_ints ("POINTS", 500, -1000, 1000),
          *centres = ref_ints ("CENTRES", 16, -1000, 1000);
  int32_t labels[250] = { 0 }, sums[24] = { 0 };

  for (int i = 0; i < 250; i++)
    {
      int32_t least = INT32_MAX;

      for (int j = 0; j < 8; j++)
        {
          int32_t dx = points[2 * i] - centres[2 * j], dy = points[2 * i + 1] - centres[2 * j + 1];

          if (dx * dx + dy * dy < least)
            {
              least = dx * dx + dy * dy;
              labels[i] = j;
            }
        }
      sums[labels[i] * 3] += points[2 * i];
      sums[labels[i] * 3 + 1] += points[2 * i + 1];
      sums[labels[i] * 3 + 2]++;
    }
  ref_same ("LABELS", labels, 4, 250);
  ref_same ("SUMS", sums, 4, 24);
}

const RefCase ref_cases_graph[] = { { "spmv_scalar", spmv_scalar },
                                    { "spmv_vector", spmv_vector },
                                    { "bfs", bfs },
                                    { "bfs_queue", bfs_queue },
                                    { "relax", relax },
                                    { "components", components },
                                    { "kmeans", kmeans },
                                    { NULL, NULL } };
