/* One half of what cuLink puts together: calls what the other half defines. */
extern __device__ int twice(int value);
extern __device__ int offset;

extern "C" __global__ void linked(int *out, int value) { *out = twice(value) + offset; }
