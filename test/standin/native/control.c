/*
 * A small addon over the stand-in driver that this process holds: JavaScript's door to its standin_ functions. It declares
 * what it needs of Node-API itself, so that no header of Node's is needed.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct napi_env__ *napi_env;
typedef struct napi_value__ *napi_value;
typedef struct napi_callback_info__ *napi_callback_info;
typedef napi_value (*napi_callback)(napi_env, napi_callback_info);
typedef int napi_status;

napi_status napi_create_function(napi_env, const char *, size_t, napi_callback, void *, napi_value *);
napi_status napi_set_named_property(napi_env, napi_value, const char *, napi_value);
napi_status napi_get_cb_info(napi_env, napi_callback_info, size_t *, napi_value *, napi_value *, void **);
napi_status napi_throw_error(napi_env, const char *, const char *);
napi_status napi_get_value_string_utf8(napi_env, napi_value, char *, size_t, size_t *);
napi_status napi_get_value_int64(napi_env, napi_value, int64_t *);
napi_status napi_get_value_bigint_uint64(napi_env, napi_value, uint64_t *, bool *);
napi_status napi_get_typedarray_info(napi_env, napi_value, int *, size_t *, void **, napi_value *, size_t *);
napi_status napi_create_bigint_uint64(napi_env, uint64_t, napi_value *);
napi_status napi_create_int64(napi_env, int64_t, napi_value *);
napi_status napi_create_arraybuffer(napi_env, size_t, void **, napi_value *);
napi_status napi_is_typedarray(napi_env, napi_value, bool *);

static struct {
  void (*mode)(uint32_t);
  void (*fail)(uint32_t, int32_t, int32_t, bool);
  void (*total)(uint64_t);
  void (*grow)(int64_t, int32_t);
  void (*size)(uint32_t, uint32_t, int64_t);
  void (*output)(uint32_t, uint32_t, const void *, uint64_t);
  uint64_t (*owned)(uint32_t, uint32_t);
  void (*reset)(void);
  uint64_t (*calls)(uint32_t);
  void *(*take)(uint64_t *);
  void (*free)(void *);
  int32_t (*fire)(uint32_t, uint32_t);
  uint64_t (*fired)(void);
} standin;

static void *library;

#define MOST 6

/* Numbers of the call; what is no number is 0. */
static void numbers(napi_env env, napi_callback_info info, int64_t *values, napi_value *raw) {
  size_t count = MOST;
  for (size_t at = 0; at < MOST; at++) values[at] = 0;
  napi_get_cb_info(env, info, &count, raw, NULL, NULL);
  for (size_t at = 0; at < MOST && at < count; at++) napi_get_value_int64(env, raw[at], &values[at]);
}

static napi_value bigint(napi_env env, uint64_t value) {
  napi_value result = NULL;
  napi_create_bigint_uint64(env, value, &result);
  return result;
}

/* open(path): the very library that the package opens by that path. */
static napi_value open_library(napi_env env, napi_callback_info info) {
  static const struct {
    const char *name;
    void *to;
  } symbols[] = {
      {"standin_mode", &standin.mode},     {"standin_fail", &standin.fail},     {"standin_total", &standin.total},
      {"standin_size", &standin.size},     {"standin_output", &standin.output}, {"standin_owned", &standin.owned},
      {"standin_reset", &standin.reset},   {"standin_calls", &standin.calls},   {"standin_take", &standin.take},
      {"standin_free", &standin.free},     {"standin_fire", &standin.fire},     {"standin_fired", &standin.fired},
      {"standin_grow", &standin.grow},
  };
  int64_t values[MOST];
  napi_value raw[MOST];
  char path[4096] = "";
  size_t length = 0;
  numbers(env, info, values, raw);
  napi_get_value_string_utf8(env, raw[0], path, sizeof path, &length);
  library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    napi_throw_error(env, NULL, dlerror());
    return NULL;
  }
  for (size_t at = 0; at < sizeof symbols / sizeof *symbols; at++) {
    void *found = dlsym(library, symbols[at].name);
    if (found == NULL) {
      napi_throw_error(env, NULL, symbols[at].name);
      return NULL;
    }
    memcpy(symbols[at].to, &found, sizeof found);
  }
  return NULL;
}

static napi_value mode(napi_env env, napi_callback_info info) {
  int64_t values[MOST];
  napi_value raw[MOST];
  numbers(env, info, values, raw);
  standin.mode((uint32_t)values[0]);
  return NULL;
}

static napi_value fail(napi_env env, napi_callback_info info) {
  int64_t values[MOST];
  napi_value raw[MOST];
  numbers(env, info, values, raw);
  standin.fail((uint32_t)values[0], (int32_t)values[1], (int32_t)values[2], values[3] != 0);
  return NULL;
}

static napi_value total(napi_env env, napi_callback_info info) {
  int64_t values[MOST];
  napi_value raw[MOST];
  numbers(env, info, values, raw);
  standin.total((uint64_t)values[0]);
  return NULL;
}

static napi_value grow(napi_env env, napi_callback_info info) {
  int64_t values[MOST];
  napi_value raw[MOST];
  numbers(env, info, values, raw);
  standin.grow(values[0], (int32_t)values[1]);
  return NULL;
}

static napi_value size(napi_env env, napi_callback_info info) {
  int64_t values[MOST];
  napi_value raw[MOST];
  numbers(env, info, values, raw);
  standin.size((uint32_t)values[0], (uint32_t)values[1], values[2]);
  return NULL;
}

/* output(index, parameter, Uint8Array | null) */
static napi_value output(napi_env env, napi_callback_info info) {
  int64_t values[MOST];
  napi_value raw[MOST];
  bool given = false;
  void *bytes = NULL;
  size_t length = 0;
  numbers(env, info, values, raw);
  napi_is_typedarray(env, raw[2], &given);
  if (given) napi_get_typedarray_info(env, raw[2], NULL, &length, &bytes, NULL, NULL);
  /* An empty array may have no address. */
  standin.output((uint32_t)values[0], (uint32_t)values[1], given && bytes == NULL ? "" : bytes, length);
  return NULL;
}

static napi_value owned(napi_env env, napi_callback_info info) {
  int64_t values[MOST];
  napi_value raw[MOST];
  numbers(env, info, values, raw);
  return bigint(env, standin.owned((uint32_t)values[0], (uint32_t)values[1]));
}

static napi_value reset(napi_env env, napi_callback_info info) {
  (void)env;
  (void)info;
  standin.reset();
  return NULL;
}

static napi_value calls(napi_env env, napi_callback_info info) {
  int64_t values[MOST];
  napi_value raw[MOST], result = NULL;
  numbers(env, info, values, raw);
  napi_create_int64(env, (int64_t)standin.calls((uint32_t)values[0]), &result);
  return result;
}

static napi_value take(napi_env env, napi_callback_info info) {
  uint64_t length = 0;
  void *to = NULL;
  napi_value result = NULL;
  (void)info;
  void *log = standin.take(&length);
  napi_create_arraybuffer(env, length, &to, &result);
  if (length > 0) memcpy(to, log, length);
  standin.free(log);
  return result;
}

/* address(Uint8Array): told apart from the package's own idea of it. */
static napi_value address(napi_env env, napi_callback_info info) {
  int64_t values[MOST];
  napi_value raw[MOST];
  void *bytes = NULL;
  numbers(env, info, values, raw);
  napi_get_typedarray_info(env, raw[0], NULL, NULL, &bytes, NULL, NULL);
  return bigint(env, (uint64_t)(uintptr_t)bytes);
}

/* memory(address, length): a copy of what lies there. */
static napi_value memory(napi_env env, napi_callback_info info) {
  int64_t values[MOST];
  napi_value raw[MOST], result = NULL;
  uint64_t from = 0;
  bool lossless;
  void *to = NULL;
  numbers(env, info, values, raw);
  napi_get_value_bigint_uint64(env, raw[0], &from, &lossless);
  napi_create_arraybuffer(env, (size_t)values[1], &to, &result);
  if (values[1] > 0) memcpy(to, (void *)(uintptr_t)from, (size_t)values[1]);
  return result;
}

/* symbol(name): what the library exports under it, or 0n. */
static napi_value symbol(napi_env env, napi_callback_info info) {
  int64_t values[MOST];
  napi_value raw[MOST];
  char name[256] = "";
  size_t length = 0;
  numbers(env, info, values, raw);
  napi_get_value_string_utf8(env, raw[0], name, sizeof name, &length);
  return bigint(env, (uint64_t)(uintptr_t)dlsym(library, name));
}

/* fire(function, thread): calls the last callback that this function was given; 1: on a thread of its own. */
static napi_value fire(napi_env env, napi_callback_info info) {
  int64_t values[MOST];
  napi_value raw[MOST], result = NULL;
  numbers(env, info, values, raw);
  napi_create_int64(env, standin.fire((uint32_t)values[0], (uint32_t)values[1]), &result);
  return result;
}

/* fired(): what the last callback returned. */
static napi_value fired(napi_env env, napi_callback_info info) {
  (void)info;
  return bigint(env, standin.fired());
}

__attribute__((visibility("default"))) int32_t node_api_module_get_api_version_v1(void) { return 8; }

__attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env env, napi_value exports) {
  static const struct {
    const char *name;
    napi_callback callback;
  } functions[] = {
      {"open", open_library}, {"mode", mode},   {"fail", fail},   {"total", total}, {"size", size},       {"output", output},
      {"owned", owned},       {"reset", reset}, {"calls", calls}, {"take", take},   {"address", address}, {"memory", memory},
      {"fire", fire},         {"fired", fired}, {"symbol", symbol}, {"grow", grow},
  };
  for (size_t at = 0; at < sizeof functions / sizeof *functions; at++) {
    napi_value function = NULL;
    napi_create_function(env, functions[at].name, SIZE_MAX, functions[at].callback, NULL, &function);
    napi_set_named_property(env, exports, functions[at].name, function);
  }
  return exports;
}
