/** One generation of Conway's Game of Life on a torus. Cells are bytes, 0 or 1; one thread a cell. */
extern "C" __global__ void life(int width, int height, const unsigned char *now, unsigned char *next) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int neighbours = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx != 0 || dy != 0) neighbours += now[(y + dy + height) % height * width + (x + dx + width) % width];
  next[y * width + x] = neighbours == 3 || (neighbours == 2 && now[y * width + x]);
}
