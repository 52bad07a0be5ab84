/* The same loops in C: prints "line nanoseconds" for each. Arguments: library, folder with the kernels, rounds. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void *library;

static void *need(const char *name) {
  void *found = dlsym(library, name);
  if (found == NULL) {
    fprintf(stderr, "%s is missing\n", name);
    exit(1);
  }
  return found;
}

static void check(int result, const char *what) {
  if (result != 0) {
    fprintf(stderr, "%s answered %d\n", what, result);
    exit(1);
  }
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static int (*context_synchronize)(void);

/* Median of five runs, in nanoseconds a round; launches are waited for between runs. */
#define MEASURE(line, count, work)                                     \
  do {                                                                 \
    double runs[5];                                                    \
    for (long i = 0; i < (count) / 10 + 1; i++) work;                  \
    for (int run = 0; run < 5; run++) {                                \
      context_synchronize();                                           \
      double start = now();                                            \
      for (long i = 0; i < (count); i++) work;                         \
      runs[run] = (now() - start) / (double)(count);                   \
    }                                                                  \
    context_synchronize();                                             \
    qsort(runs, 5, sizeof *runs, by_value);                            \
    printf("%s %.2f\n", line, runs[2]);                                \
  } while (0)

struct config {
  unsigned grid[3], block[3], shared;
  void *stream;
  void *attributes;
  unsigned count;
};

int main(int count, char **arguments) {
  if (count != 4) return 2;
  library = dlopen(arguments[1], RTLD_NOW);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  long rounds = atol(arguments[3]);
  long launches = rounds / 20 + 1;
  context_synchronize = (int (*)(void))need("cuCtxSynchronize");
  int (*get_current)(void **) = (int (*)(void **))need("cuCtxGetCurrent");
  int (*attribute)(int *, int, int) = (int (*)(int *, int, int))need("cuDeviceGetAttribute");
  int (*pointer_attribute)(void *, int, uint64_t) = (int (*)(void *, int, uint64_t))need("cuPointerGetAttribute");
  int (*event_record)(void *, void *) = (int (*)(void *, void *))need("cuEventRecord");
  int (*event_query)(void *) = (int (*)(void *))need("cuEventQuery");
  int (*stream_query)(void *) = (int (*)(void *))need("cuStreamQuery");
  int (*alloc)(uint64_t *, size_t) = (int (*)(uint64_t *, size_t))need("cuMemAlloc_v2");
  int (*release)(uint64_t) = (int (*)(uint64_t))need("cuMemFree_v2");
  int (*to_device)(uint64_t, const void *, size_t) = (int (*)(uint64_t, const void *, size_t))need("cuMemcpyHtoD_v2");
  int (*get_function)(void **, void *, const char *) = (int (*)(void **, void *, const char *))need("cuModuleGetFunction");
  int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **) =
      (int (*)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **))need(
          "cuLaunchKernel");
  int (*launch_ex)(const void *, void *, void **, void **) = (int (*)(const void *, void *, void **, void **))need("cuLaunchKernelEx");

  void *context, *stream, *event, *module, *kernels[4];
  int device, value;
  uint64_t memory, other;
  char path[4096];
  check(((int (*)(unsigned))need("cuInit"))(0), "cuInit");
  check(((int (*)(int *, int))need("cuDeviceGet"))(&device, 0), "cuDeviceGet");
  check(((int (*)(void **, int))need("cuDevicePrimaryCtxRetain"))(&context, device), "cuDevicePrimaryCtxRetain");
  check(((int (*)(void *))need("cuCtxSetCurrent"))(context), "cuCtxSetCurrent");
  check(((int (*)(void **, unsigned))need("cuStreamCreate"))(&stream, 0), "cuStreamCreate");
  check(((int (*)(void **, unsigned))need("cuEventCreate"))(&event, 0), "cuEventCreate");
  check(alloc(&memory, 4096), "cuMemAlloc");
  snprintf(path, sizeof path, "%s/kernels.cubin", arguments[2]);
  check(((int (*)(void **, const char *))need("cuModuleLoad"))(&module, path), "cuModuleLoad");
  const char *names[] = {"empty0", "empty1", "empty16", "empty256"};
  for (int i = 0; i < 4; i++) check(get_function(&kernels[i], module, names[i]), names[i]);
  check(event_record(event, stream), "cuEventRecord");
  check(((int (*)(void *))need("cuStreamSynchronize"))(stream), "cuStreamSynchronize");

  int values[256];
  void *params[256];
  for (int i = 0; i < 256; i++) {
    values[i] = i;
    params[i] = &values[i];
  }
  struct config config = {{1, 1, 1}, {1, 1, 1}, 0, stream, NULL, 0};

  MEASURE("cuCtxGetCurrent", rounds, get_current(&context));
  MEASURE("cuDeviceGetAttribute", rounds, attribute(&value, 10, device));
  MEASURE("cuPointerGetAttribute", rounds, pointer_attribute(&value, 2, memory));
  MEASURE("cuEventRecord", rounds / 4, event_record(event, stream));
  MEASURE("cuEventQuery", rounds, event_query(event));
  MEASURE("cuStreamQuery", rounds, stream_query(stream));
  MEASURE("cuMemAlloc+cuMemFree", launches, (alloc(&other, 64), release(other)));
  MEASURE("cuMemcpyHtoD 4 bytes", launches, to_device(memory, values, 4));
  MEASURE("launch 0 arguments", launches, launch(kernels[0], 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
  MEASURE("launch 1 argument", launches, launch(kernels[1], 1, 1, 1, 1, 1, 1, 0, stream, params, NULL));
  MEASURE("launch 16 arguments", launches, launch(kernels[2], 1, 1, 1, 1, 1, 1, 0, stream, params, NULL));
  MEASURE("launch 256 arguments", launches, launch(kernels[3], 1, 1, 1, 1, 1, 1, 0, stream, params, NULL));
  MEASURE("cuLaunchKernelEx 16 arguments", launches, launch_ex(&config, kernels[2], params, NULL));
  return 0;
}
