/** Keeps a GPU busy for as long as it is told: each word goes `rounds` times through x = 1664525 x + 1013904223 (mod 2^32). */
extern "C" __global__ void churn(unsigned count, unsigned rounds, unsigned *data) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned x = data[i];
  for (unsigned round = 0; round < rounds; round++) x = 1664525u * x + 1013904223u;
  data[i] = x;
}
