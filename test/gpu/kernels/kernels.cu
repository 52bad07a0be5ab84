/* The kernels that the suite launches. Every one has a result that JavaScript can work out by itself. */

typedef signed char i8;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;

__device__ u32 counter = 7;
__constant__ float coefficients[4] = {1.0f, 2.0f, 3.0f, 4.0f};
__managed__ int managed_value = 11;

static __device__ u32 thread_index() { return blockIdx.x * blockDim.x + threadIdx.x; }

/* out[i] = value + i */
extern "C" __global__ void iota(u32 *out, u32 n, u32 value) {
  u32 i = thread_index();
  if (i < n) out[i] = value + i;
}

/* data[i] = data[i] * factor + summand */
extern "C" __global__ void scale(u32 *data, u32 n, u32 factor, u32 summand) {
  u32 i = thread_index();
  if (i < n) data[i] = data[i] * factor + summand;
}

extern "C" __global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = (int)thread_index();
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void nothing() {}

/* Keeps the GPU busy for so many nanoseconds, then writes. */
extern "C" __global__ void spin(u64 nanoseconds, u32 *out, u32 value) {
  u64 start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - start < nanoseconds);
  if (out) *out = value;
}

struct Scalars {
  i8 a;
  u8 b;
  short c;
  u16 d;
  int e;
  u32 f;
  i64 g;
  u64 h;
  float i;
  double j;
  u8 k;
  void *l;
};

/* One parameter of each scalar type, written as they arrived. */
extern "C" __global__ void scalars(Scalars *out, i8 a, u8 b, short c, u16 d, int e, u32 f, i64 g, u64 h, float i,
                                   double j, bool k, void *l) {
  *out = Scalars{a, b, c, d, e, f, g, h, i, j, (u8)k, l};
}

struct Small {
  u8 tag;
  u16 number;
};

struct alignas(16) Wide {
  float xyzw[4];
};

struct Mixed {
  u8 tag;
  double value;
  Small small;
  i64 list[3];
};

/* Structs by value between scalars of other alignments. */
extern "C" __global__ void structs(double *out, u8 first, Small small, Wide wide, u8 middle, Mixed mixed, float last) {
  out[0] = first;
  out[1] = small.tag;
  out[2] = small.number;
  for (int i = 0; i < 4; i++) out[3 + i] = wide.xyzw[i];
  out[7] = middle;
  out[8] = mixed.tag;
  out[9] = mixed.value;
  out[10] = mixed.small.tag;
  out[11] = mixed.small.number;
  for (int i = 0; i < 3; i++) out[12 + i] = (double)mixed.list[i];
  out[15] = last;
}

struct Large {
  u32 words[1000];
};

/* Almost as much as a launch took before CUDA 12.1: 4,096 bytes. */
extern "C" __global__ void large(u32 *out, Large value) {
  u32 sum = 0;
  for (int i = 0; i < 1000; i++) sum += value.words[i];
  *out = sum;
}

/* out[i] = blockDim - 1 - i, through dynamic shared memory; the last word of `bytes` is used too. */
extern "C" __global__ void reverse(u32 *out, u32 bytes) {
  extern __shared__ u32 shared[];
  shared[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) shared[bytes / 4 - 1] = 0xabcd;
  __syncthreads();
  out[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
  if (threadIdx.x == 0) out[blockDim.x] = shared[bytes / 4 - 1];
}

/*
 * Every block adds its number; after all have, each block writes the sum it sees. The blocks wait for each other, which
 * only a cooperative launch promises to end. `words`: the sum, and how many blocks have come.
 */
extern "C" __global__ void grid_sum(u32 *words, u32 *out) {
  if (threadIdx.x != 0) return;
  atomicAdd(&words[0], blockIdx.x + 1);
  __threadfence();
  atomicAdd(&words[1], 1);
  while (*(volatile u32 *)&words[1] < gridDim.x) {
  }
  __threadfence();
  out[blockIdx.x] = *(volatile u32 *)&words[0];
}

/* Each block of a cluster reads its neighbour's shared memory: out = cluster size * 1000 + the neighbour's block. */
extern "C" __global__ void neighbours(u32 *out) {
#if __CUDA_ARCH__ >= 900
  __shared__ u32 mine;
  u32 rank, size, theirs, value;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  if (threadIdx.x == 0) mine = blockIdx.x;
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(theirs)
               : "r"((u32)__cvta_generic_to_shared(&mine)), "r"((rank + 1) % size));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(theirs) : "memory");
  if (threadIdx.x == 0) out[blockIdx.x] = size * 1000 + value;
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
#endif
}

/* counter += 1; out = counter */
extern "C" __global__ void count_up(u32 *out) { *out = atomicAdd(&counter, 1) + 1; }

extern "C" __global__ void polynomial(float *out, float x) {
  *out = coefficients[0] + x * (coefficients[1] + x * (coefficients[2] + x * coefficients[3]));
}

extern "C" __global__ void read_managed(int *out) { *out = managed_value; }

/* Textures and surfaces */
extern "C" __global__ void fetch_linear(cudaTextureObject_t texture, float *out, u32 n) {
  u32 i = thread_index();
  if (i < n) out[i] = tex1Dfetch<float>(texture, (int)i);
}

extern "C" __global__ void sample_2d(cudaTextureObject_t texture, float *out, u32 width, u32 height, float dx, float dy) {
  u32 i = thread_index();
  if (i < width * height) out[i] = tex2D<float>(texture, i % width + dx, i / width + dy);
}

extern "C" __global__ void sample_3d(cudaTextureObject_t texture, float *out, u32 width, u32 height, u32 depth) {
  u32 i = thread_index();
  if (i < width * height * depth)
    out[i] = tex3D<float>(texture, i % width + 0.5f, i / width % height + 0.5f, i / (width * height) + 0.5f);
}

extern "C" __global__ void sample_layer(cudaTextureObject_t texture, float *out, u32 width, u32 height, u32 layer) {
  u32 i = thread_index();
  if (i < width * height) out[i] = tex2DLayered<float>(texture, i % width + 0.5f, i / width + 0.5f, (int)layer);
}

extern "C" __global__ void sample_level(cudaTextureObject_t texture, float *out, u32 size, float level) {
  u32 i = thread_index();
  if (i < size * size)
    out[i] = tex2DLod<float>(texture, (i % size + 0.5f) / size, (i / size + 0.5f) / size, level);
}

extern "C" __global__ void surface_add(cudaSurfaceObject_t surface, u32 width, u32 height, float summand) {
  u32 i = thread_index();
  if (i >= width * height) return;
  int x = (int)(i % width * 4), y = (int)(i / width);
  surf2Dwrite(surf2Dread<float>(surface, x, y) + summand, surface, x, y);
}

/* A box of a tensor, brought into shared memory by the copy engine: out[y][x] of a box of 8 by 16 words. x: a multiple of 4. */
struct alignas(128) TensorMap {
  u64 opaque[16];
};

extern "C" __global__ void load_box(const __grid_constant__ TensorMap map, u32 *out, int x, int y) {
#if __CUDA_ARCH__ >= 900
  __shared__ alignas(128) u32 box[8 * 16];
  __shared__ alignas(8) u64 barrier;
  u32 at = (u32)__cvta_generic_to_shared(box), bar = (u32)__cvta_generic_to_shared(&barrier);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar));
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"((u32)sizeof box) : "memory");
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(at),
        "l"(&map), "r"(x), "r"(y), "r"(bar)
        : "memory");
  }
  __syncthreads();
  u32 done = 0;
  while (!done)
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(bar)
        : "memory");
  for (u32 i = threadIdx.x; i < 8 * 16; i += blockDim.x) out[i] = box[i];
#endif
}

/* Faults */
extern "C" __global__ void write_to(u32 *address) { *address = 1; }
extern "C" __global__ void trap() { asm volatile("trap;"); }
extern "C" __global__ void misaligned(u8 *bytes) { *(u32 *)(bytes + 1) = 1; }
