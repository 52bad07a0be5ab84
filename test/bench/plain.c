/* The usual way of an addon: one napi_get_value a parameter, one napi_create a result. Over the functions of callee.c. */
#define NAPI_VERSION 8
#include <node_api.h>

#include <dlfcn.h>
#include <stdint.h>

static int (*get_current)(void **);
static int (*attribute)(int *, int, int);
static int (*pointer_attribute)(void *, int, uint64_t);
static int (*event_query)(void *);
static int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);

static void *address(napi_env env, napi_value value) {
  uint64_t number = 0;
  bool lossless = false;
  napi_get_value_bigint_uint64(env, value, &number, &lossless);
  return (void *)(uintptr_t)number;
}

static napi_value call_get_current(napi_env env, napi_callback_info info) {
  void *context = NULL;
  napi_value result;
  (void)info;
  if (get_current(&context) != 0) return NULL;
  napi_create_bigint_uint64(env, (uint64_t)(uintptr_t)context, &result);
  return result;
}

static napi_value call_attribute(napi_env env, napi_callback_info info) {
  size_t count = 2;
  napi_value values[2], result;
  int32_t which = 0, device = 0;
  int value = 0;
  napi_get_cb_info(env, info, &count, values, NULL, NULL);
  napi_get_value_int32(env, values[0], &which);
  napi_get_value_int32(env, values[1], &device);
  if (attribute(&value, which, device) != 0) return NULL;
  napi_create_int32(env, value, &result);
  return result;
}

static napi_value call_pointer_attribute(napi_env env, napi_callback_info info) {
  size_t count = 2;
  napi_value values[2], result;
  int32_t which = 0, value = 0;
  napi_get_cb_info(env, info, &count, values, NULL, NULL);
  napi_get_value_int32(env, values[0], &which);
  if (pointer_attribute(&value, which, (uint64_t)(uintptr_t)address(env, values[1])) != 0) return NULL;
  napi_create_int32(env, value, &result);
  return result;
}

static napi_value call_event_query(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value value, result;
  napi_get_cb_info(env, info, &count, &value, NULL, NULL);
  napi_get_boolean(env, event_query(address(env, value)) == 0, &result);
  return result;
}

static napi_value call_launch(napi_env env, napi_callback_info info) {
  size_t count = 11;
  napi_value values[11];
  uint32_t sizes[7] = {0};
  napi_get_cb_info(env, info, &count, values, NULL, NULL);
  for (int i = 0; i < 7; i++) napi_get_value_uint32(env, values[i + 1], &sizes[i]);
  launch(address(env, values[0]), sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], sizes[5], sizes[6],
         address(env, values[8]), address(env, values[9]), address(env, values[10]));
  return NULL;
}

/* open(path): binds the functions. */
static napi_value open_library(napi_env env, napi_callback_info info) {
  size_t count = 1, length = 0;
  napi_value value;
  char path[4096];
  napi_get_cb_info(env, info, &count, &value, NULL, NULL);
  napi_get_value_string_utf8(env, value, path, sizeof path, &length);
  void *library = dlopen(path, RTLD_NOW);
  if (library == NULL) return NULL;
  *(void **)&get_current = dlsym(library, "cuCtxGetCurrent");
  *(void **)&attribute = dlsym(library, "cuDeviceGetAttribute");
  *(void **)&pointer_attribute = dlsym(library, "cuPointerGetAttribute");
  *(void **)&event_query = dlsym(library, "cuEventQuery");
  *(void **)&launch = dlsym(library, "cuLaunchKernel");
  return NULL;
}

NAPI_MODULE_INIT() {
  static const struct {
    const char *name;
    napi_callback callback;
  } functions[] = {{"open", open_library},
                   {"getCurrent", call_get_current},
                   {"attribute", call_attribute},
                   {"pointerAttribute", call_pointer_attribute},
                   {"eventQuery", call_event_query},
                   {"launch", call_launch}};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    napi_value function;
    napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].callback, NULL, &function);
    napi_set_named_property(env, exports, functions[i].name, function);
  }
  return exports;
}
