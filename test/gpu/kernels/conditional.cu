/* Kernels that decide what a graph's conditional nodes do. They are linked with the device runtime (build.sh). */

/* value = *word */
extern "C" __global__ void choose(cudaGraphConditionalHandle handle, const unsigned *word) {
  cudaGraphSetConditional(handle, *word);
}

/* Counts *word down; the loop goes on until it is 0. */
extern "C" __global__ void count_down(cudaGraphConditionalHandle handle, unsigned *word, unsigned *rounds) {
  *rounds += 1;
  *word -= 1;
  cudaGraphSetConditional(handle, *word > 0);
}
