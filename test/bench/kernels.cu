/* Empty kernels: what a launch costs with 0, 1, 16 and 256 arguments. */
extern "C" __global__ void empty0() {}
extern "C" __global__ void empty1(int) {}
#define FOUR(x) int x##0, int x##1, int x##2, int x##3
#define SIXTEEN(x) FOUR(x##0), FOUR(x##1), FOUR(x##2), FOUR(x##3)
#define SIXTY_FOUR(x) SIXTEEN(x##0), SIXTEEN(x##1), SIXTEEN(x##2), SIXTEEN(x##3)
extern "C" __global__ void empty16(SIXTEEN(a)) {}
extern "C" __global__ void empty256(SIXTY_FOUR(a), SIXTY_FOUR(b), SIXTY_FOUR(c), SIXTY_FOUR(d)) {}
