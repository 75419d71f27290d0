__global__ void k(float *x)
{
  float s = 0;
  for (int i = 0; i < 100; i++)
    s += x[i];
  x[0] = s;
}
