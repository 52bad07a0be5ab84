/**
 * The Mandelbrot set: how many steps of z = z^2 + c it takes to leave the circle of radius 2 chooses the pixel's colour.
 * The palette holds `most` + 1 colours, the last one for points that stay inside.
 * Products and sums are rounded one by one, as JavaScript rounds them: fused ones would give other pixels here and there.
 */
extern "C" __global__ void mandelbrot(int width, int height, double left, double top, double step, int most,
                                      const unsigned *palette, unsigned *pixels) {
  int px = blockIdx.x * blockDim.x + threadIdx.x;
  int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  double cx = __dadd_rn(left, __dmul_rn(px, step));
  double cy = __dsub_rn(top, __dmul_rn(py, step));
  double x = 0, y = 0;
  int steps = 0;
  for (; steps < most; steps++) {
    double xx = __dmul_rn(x, x);
    double yy = __dmul_rn(y, y);
    if (__dadd_rn(xx, yy) > 4) break;
    y = __dadd_rn(__dmul_rn(__dmul_rn(2, x), y), cy);
    x = __dadd_rn(__dsub_rn(xx, yy), cx);
  }
  pixels[py * width + px] = palette[steps];
}
