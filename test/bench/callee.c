/* A libcuda whose functions do next to nothing: what remains is the cost of calling them. */
#include <stddef.h>
#include <stdint.h>

#define FIXED ((void *)0x7f0000001234)

int cuDriverGetVersion(int *version) {
  *version = 13000;
  return 0;
}
int cuInit(unsigned flags) { return flags == 0 ? 0 : 1; }
int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return 0;
}
int cuDevicePrimaryCtxRetain(void **context, int device) {
  *context = FIXED;
  return device;
}
int cuCtxSetCurrent(void *context) { return context == NULL; }
int cuCtxGetCurrent(void **context) {
  *context = FIXED;
  return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute;
  return device;
}
int cuPointerGetAttribute(void *data, int attribute, uint64_t pointer) {
  *(int *)data = attribute;
  return pointer == 0;
}
int cuStreamCreate(void **stream, unsigned flags) {
  *stream = FIXED;
  return (int)flags;
}
int cuStreamQuery(void *stream) { return stream == NULL; }
int cuStreamSynchronize(void *stream) { return stream == NULL; }
int cuCtxSynchronize(void) { return 0; }
int cuEventCreate(void **event, unsigned flags) {
  *event = FIXED;
  return (int)flags;
}
int cuEventRecord(void *event, void *stream) { return event == stream ? 0 : event == NULL; }
int cuEventQuery(void *event) { return event == NULL; }
int cuMemAlloc_v2(uint64_t *pointer, size_t size) {
  *pointer = 0x7f0000000000;
  return size == 0;
}
int cuMemFree_v2(uint64_t pointer) { return pointer == 0; }
int cuMemcpyHtoD_v2(uint64_t target, const void *source, size_t size) { return source == NULL || target == 0 || size == 0; }
int cuModuleLoad(void **module, const char *path) {
  *module = FIXED;
  return path == NULL;
}
int cuModuleGetFunction(void **function, void *module, const char *name) {
  *function = FIXED;
  return module == NULL || name == NULL;
}
int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *stream, void **params, void **extra) {
  (void)gx, (void)gy, (void)gz, (void)bx, (void)by, (void)bz, (void)shared, (void)stream, (void)params, (void)extra;
  return function == NULL;
}
int cuLaunchKernelEx(const void *config, void *function, void **params, void **extra) {
  (void)params, (void)extra;
  return config == NULL || function == NULL;
}
