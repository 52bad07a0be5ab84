/* Functions of the stand-in driver that answer by themselves, not with the pattern: version, texts, look-ups, contexts. */
#define _GNU_SOURCE
#include "standin.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#ifndef STANDIN_VERSION
#error "STANDIN_VERSION says which driver to pose as"
#endif

#define SUCCESS 0
#define INVALID_VALUE 1
#define NOT_FOUND 500

static _Thread_local void *current_context;

int32_t special_driver_version(const void *const *given) {
  int32_t *to = standin_pointer(given[0]);
  if (to == NULL) return INVALID_VALUE;
  *to = STANDIN_VERSION;
  return SUCCESS;
}

static const char *name_of(int32_t result) {
  for (uint32_t at = 0; at < standin_result_count; at++)
    if (standin_results[at].value == result) return standin_results[at].name;
  return NULL;
}

static int32_t error_text(const void *const *given, const char *(*of)(int32_t)) {
  int32_t result;
  const char **to = standin_pointer(given[1]);
  memcpy(&result, given[0], sizeof result);
  if (to == NULL) return INVALID_VALUE;
  *to = of(result);
  return *to == NULL ? INVALID_VALUE : SUCCESS;
}

int32_t special_error_name(const void *const *given) { return error_text(given, name_of); }

/* The words are the name again, so that a test can predict them. */
static const char *words_of(int32_t result) {
  const char *name = name_of(result);
  static char words[4096][64];
  static atomic_bool ready[4096];
  if (name == NULL || result < 0 || result >= 4096) return name;
  if (!atomic_load(&ready[result])) {
    snprintf(words[result], sizeof words[result], "words of %s", name);
    atomic_store(&ready[result], true);
  }
  return words[result];
}

int32_t special_error_string(const void *const *given) { return error_text(given, words_of); }

enum { FOUND, SYMBOL_NOT_FOUND, VERSION_NOT_SUFFICIENT };

/* The rule of cuGetProcAddress_v2 over what this flavour exports: CUresult, and by reference all else. */
static int32_t find(const char *symbol, int32_t version, uint64_t flags, void **found, int32_t *status) {
  if (flags > 3 || (version > STANDIN_VERSION && STANDIN_VERSION >= 13000)) return INVALID_VALUE;
  bool known = false, has_per_thread = false;
  for (uint32_t at = 0; at < standin_function_count; at++) {
    const struct function *function = &standin_functions[at];
    if (function->address == NULL || strcmp(function->base, symbol) != 0) continue;
    known = true;
    has_per_thread |= function->per_thread;
  }
  bool per_thread = (flags & 2) != 0 && has_per_thread;
  int32_t asked = version < 0 ? STANDIN_VERSION : version;
  const struct function *best = NULL;
  for (uint32_t at = 0; at < standin_function_count; at++) {
    const struct function *function = &standin_functions[at];
    if (function->address == NULL || strcmp(function->base, symbol) != 0) continue;
    if (function->per_thread != per_thread || function->since > asked) continue;
    if (best == NULL || function->since >= best->since) best = function;
  }
  *found = NULL;
  if (best != NULL) memcpy(found, &best->address, sizeof *found);
  *status = best != NULL ? FOUND : known ? VERSION_NOT_SUFFICIENT : SYMBOL_NOT_FOUND;
  return SUCCESS;
}

static int32_t look_up(const void *const *given, void **found, int32_t *status) {
  const char *symbol = standin_pointer(given[0]);
  int32_t version;
  uint64_t flags;
  memcpy(&version, given[2], sizeof version);
  memcpy(&flags, given[3], sizeof flags);
  if (symbol == NULL || standin_pointer(given[1]) == NULL) return INVALID_VALUE;
  return find(symbol, version, flags, found, status);
}

int32_t special_lookup(const void *const *given) {
  void *found;
  int32_t status;
  int32_t result = look_up(given, &found, &status);
  if (result != SUCCESS) return result;
  if (found == NULL) return NOT_FOUND;
  *(void **)standin_pointer(given[1]) = found;
  return SUCCESS;
}

int32_t special_lookup_v2(const void *const *given) {
  void *found;
  int32_t status;
  int32_t result = look_up(given, &found, &status);
  if (result != SUCCESS) return result;
  *(void **)standin_pointer(given[1]) = found;
  int32_t *to = standin_pointer(given[4]);
  if (to != NULL) *to = status;
  return SUCCESS;
}

int32_t special_get_current(const void *const *given) {
  void **to = standin_pointer(given[0]);
  if (!standin_has(CONTEXTS)) return GENERIC;
  if (to == NULL) return INVALID_VALUE;
  *to = current_context;
  return SUCCESS;
}

int32_t special_set_current(const void *const *given) {
  if (!standin_has(CONTEXTS)) return GENERIC;
  current_context = standin_pointer(given[0]);
  return SUCCESS;
}

/* Each value that is asked for begins with its number, counted from one. */
static int32_t number_values(void *const *values, uint64_t count) {
  if (values == NULL) return GENERIC;
  for (uint64_t at = 0; at < count; at++) {
    uint32_t number = (uint32_t)at + 1;
    if (values[at] != NULL) memcpy(values[at], &number, sizeof number);
  }
  return SUCCESS;
}

int32_t special_pointer_attributes(const void *const *given) {
  uint32_t count;
  memcpy(&count, given[0], sizeof count);
  return standin_has(WRITE_INOUT) ? number_values(standin_pointer(given[2]), count) : GENERIC;
}

int32_t special_range_attributes(const void *const *given) {
  uint64_t count;
  memcpy(&count, given[3], sizeof count);
  return standin_has(WRITE_INOUT) ? number_values(standin_pointer(given[0]), count) : GENERIC;
}
