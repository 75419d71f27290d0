// SPDX-License-Identifier: MIT
// One step of the heat equation on a grid of nx x ny x nz points: each point from itself and its six neighbours. A
// thread makes a column of points along z. Launch: grid nx/32 x ny/8, block 32 x 8.
extern "C" __global__ void
stencil_3d (const float *in, float *out, int nx, int ny, int nz, float k)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int plane = nx * ny, i = plane + y * nx + x;

  if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1)
    return;
  for (int z = 1; z < nz - 1; z++, i += plane)
    {
      float here = in[i];
      float above = in[i + plane];
      float below = in[i - plane];
      float around = in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx];

      out[i] = here + k * (around + above + below - 6 * here);
    }
}
