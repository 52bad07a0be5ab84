/*
 * The fixed half of the stand-in driver: logs what it is given, writes what a test can predict, answers look-ups by the rule.
 *
 * The log is a run of entries, each
 *   u32 bytes of the entry, u32 function, u64 thread, i32 result, u32 parameters
 * and for each parameter
 *   u64 value (by-value structs: 0), i64 bytes that follow (-1: none looked at), the bytes, zeros up to a multiple of 8.
 */
#define _GNU_SOURCE
#include "standin.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUCCESS 0
/* More than any test looks at; a wrong size must not fill the memory. */
#define MOST_BYTES (1u << 22)
#define OWNED_ELEMENTS 64

struct output {
  struct output *next;
  uint32_t index, parameter;
  int64_t size;
  void *bytes;
  uint64_t length;
};

struct failure {
  struct failure *next;
  uint32_t index;
  int32_t result, times;
  bool scribble;
};

struct owned {
  struct owned *next;
  uint32_t index, parameter;
  void *memory;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint mode = RECORD | PEEK | WRITE_OUT | WRITE_INOUT;
static atomic_uint_fast64_t total = 3;
static int64_t grows_by;
static int32_t grows;
static atomic_bool configured;
static struct output *outputs;
static struct failure *failures;
static struct owned *owned;
static _Atomic(uint64_t) *calls;
static char *log_bytes;
static size_t log_length, log_room;

__attribute__((constructor)) static void start(void) {
  calls = calloc(standin_function_count, sizeof *calls);
}

/* ---- Patterns ----------------------------------------------------------------------------------------------------- */

static uint64_t word(uint64_t seed, uint64_t k) {
  uint64_t z = seed + (k + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

void standin_pattern(uint64_t seed, void *to, uint64_t bytes) {
  for (uint64_t at = 0; at < bytes; at += 8) {
    uint64_t value = word(seed, at / 8);
    memcpy((char *)to + at, &value, bytes - at < 8 ? bytes - at : 8);
  }
}

static void pattern(const struct parameter *parameter, void *to, uint64_t bytes) {
  unsigned char *target = to;
  if (parameter->content == F32) {
    for (uint64_t k = 0; k < bytes / sizeof(float); k++) {
      float value = (float)(int32_t)(word(parameter->seed, k) & 0xfffff) / 64;
      memcpy(target + k * sizeof value, &value, sizeof value);
    }
  } else if (parameter->content == F64) {
    for (uint64_t k = 0; k < bytes / sizeof(double); k++) {
      double value = (double)(int64_t)(word(parameter->seed, k) & 0xffffffffffu) / 64;
      memcpy(target + k * sizeof value, &value, sizeof value);
    }
  } else {
    standin_pattern(parameter->seed, target, bytes);
  }
}

/* ---- Configuration: under the lock -------------------------------------------------------------------------------- */

static struct output *output_of(uint32_t index, uint32_t parameter) {
  for (struct output *at = outputs; at; at = at->next)
    if (at->index == index && at->parameter == parameter) return at;
  return NULL;
}

static struct output *make_output(uint32_t index, uint32_t parameter) {
  struct output *found = output_of(index, parameter);
  if (found == NULL) {
    found = calloc(1, sizeof *found);
    found->index = index;
    found->parameter = parameter;
    found->size = -1;
    found->next = outputs;
    outputs = found;
  }
  atomic_store(&configured, true);
  return found;
}

static void *owned_array(uint32_t index, uint32_t parameter) {
  for (struct owned *at = owned; at; at = at->next)
    if (at->index == index && at->parameter == parameter) return at->memory;
  const struct parameter *is = &standin_functions[index].parameters[parameter];
  struct owned *made = calloc(1, sizeof *made);
  made->index = index;
  made->parameter = parameter;
  made->memory = calloc(OWNED_ELEMENTS, is->element);
  pattern(is, made->memory, (uint64_t)OWNED_ELEMENTS * is->element);
  made->next = owned;
  owned = made;
  return made->memory;
}

bool standin_has(uint32_t bit) { return (atomic_load(&mode) & bit) != 0; }

void standin_mode(uint32_t wanted) { atomic_store(&mode, wanted); }

void standin_total(uint64_t wanted) { atomic_store(&total, wanted); }

void standin_grow(int64_t by, int32_t times) {
  pthread_mutex_lock(&lock);
  grows_by = by;
  grows = times;
  atomic_store(&configured, true);
  pthread_mutex_unlock(&lock);
}

void standin_fail(uint32_t index, int32_t result, int32_t times, bool scribble) {
  pthread_mutex_lock(&lock);
  struct failure *made = calloc(1, sizeof *made);
  *made = (struct failure){failures, index, result, times, scribble};
  failures = made;
  atomic_store(&configured, true);
  pthread_mutex_unlock(&lock);
}

void standin_size(uint32_t index, uint32_t parameter, int64_t bytes) {
  pthread_mutex_lock(&lock);
  make_output(index, parameter)->size = bytes;
  pthread_mutex_unlock(&lock);
}

void standin_output(uint32_t index, uint32_t parameter, const void *bytes, uint64_t length) {
  pthread_mutex_lock(&lock);
  struct output *output = make_output(index, parameter);
  free(output->bytes);
  output->bytes = NULL;
  output->length = length;
  if (bytes != NULL) {
    output->bytes = malloc(length ? length : 1);
    memcpy(output->bytes, bytes, length);
  }
  pthread_mutex_unlock(&lock);
}

uint64_t standin_owned(uint32_t index, uint32_t parameter) {
  pthread_mutex_lock(&lock);
  void *memory = owned_array(index, parameter);
  pthread_mutex_unlock(&lock);
  return (uint64_t)(uintptr_t)memory;
}

void standin_reset(void) {
  pthread_mutex_lock(&lock);
  while (outputs) {
    struct output *next = outputs->next;
    free(outputs->bytes);
    free(outputs);
    outputs = next;
  }
  while (failures) {
    struct failure *next = failures->next;
    free(failures);
    failures = next;
  }
  log_length = 0;
  for (uint32_t index = 0; index < standin_function_count; index++) atomic_store(&calls[index], 0);
  atomic_store(&mode, RECORD | PEEK | WRITE_OUT | WRITE_INOUT);
  atomic_store(&total, 3);
  grows = 0;
  atomic_store(&configured, false);
  pthread_mutex_unlock(&lock);
}

uint64_t standin_calls(uint32_t index) { return index < standin_function_count ? atomic_load(&calls[index]) : 0; }

void *standin_take(uint64_t *length) {
  pthread_mutex_lock(&lock);
  void *taken = log_bytes;
  *length = log_length;
  log_bytes = NULL;
  log_length = log_room = 0;
  pthread_mutex_unlock(&lock);
  return taken;
}

void standin_free(void *taken) { free(taken); }

/* ---- Arguments ---------------------------------------------------------------------------------------------------- */

static uint64_t value_of(const struct parameter *parameter, const void *given) {
  uint64_t value = 0;
  if (parameter->size <= sizeof value) memcpy(&value, given, parameter->size);
  return value;
}

void *standin_pointer(const void *given) {
  void *pointer;
  memcpy(&pointer, given, sizeof pointer);
  return pointer;
}

/* Elements that the caller has room for, or gives. */
static uint64_t elements(const struct function *function, const struct parameter *parameter, const void *const *given) {
  if (parameter->count < 0) return 1;
  const struct parameter *counter = &function->parameters[parameter->count];
  const void *at = given[parameter->count];
  if (counter->content == NOTHING) return value_of(counter, at);
  const void *count = standin_pointer(at);
  uint64_t value = 0;
  if (count == NULL || !(counter->direction & IN)) return 0;
  memcpy(&value, count, counter->element < 8 ? counter->element : 8);
  return value;
}

/* Bytes behind a pointer that is not NULL; -1: not known. */
static int64_t bytes_behind(uint32_t index, uint32_t parameter, const void *const *given) {
  const struct function *function = &standin_functions[index];
  const struct parameter *is = &function->parameters[parameter];
  struct output *told = atomic_load(&configured) ? output_of(index, parameter) : NULL;
  if (told != NULL && told->size >= 0) return told->size;
  if (is->element == 0) return -1;
  if (is->content == TEXT && is->direction == IN && is->count < 0)
    return (int64_t)strlen(standin_pointer(given[parameter]));
  if (is->content == TEXT && is->count < 0) return -1;
  uint64_t count = elements(function, is, given);
  uint64_t most = MOST_BYTES / is->element;
  return (int64_t)((count < most ? count : most) * is->element);
}

/* ---- The log: under the lock -------------------------------------------------------------------------------------- */

static void append(const void *bytes, size_t length) {
  size_t padded = (length + 7) & ~(size_t)7;
  if (log_length + padded > log_room) {
    log_room = (log_length + padded) * 2;
    log_bytes = realloc(log_bytes, log_room);
    if (log_bytes == NULL) abort();
  }
  memcpy(log_bytes + log_length, bytes, length);
  memset(log_bytes + log_length + length, 0, padded - length);
  log_length += padded;
}

static void record(uint32_t index, const void *const *given, int32_t result, bool peek) {
  const struct function *function = &standin_functions[index];
  size_t start_of_entry = log_length;
  struct {
    uint32_t bytes, index;
    uint64_t thread;
    int32_t result;
    uint32_t count;
  } head = {0, index, (uint64_t)pthread_self(), result, function->count};
  append(&head, sizeof head);
  for (uint32_t at = 0; at < function->count; at++) {
    const struct parameter *parameter = &function->parameters[at];
    struct {
      uint64_t value;
      int64_t length;
    } argument = {value_of(parameter, given[at]), -1};
    const void *bytes = NULL;
    if (parameter->content == BYTES && parameter->direction == 0) {
      bytes = given[at];
      argument.length = parameter->size;
    } else if (peek && parameter->content != NOTHING && (parameter->direction & IN)) {
      bytes = standin_pointer(given[at]);
      if (bytes != NULL) argument.length = bytes_behind(index, at, given);
    }
    append(&argument, sizeof argument);
    if (argument.length > 0) append(bytes, (size_t)argument.length);
  }
  uint32_t length = (uint32_t)(log_length - start_of_entry);
  memcpy(log_bytes + start_of_entry, &length, sizeof length);
}

/* How many elements the driver has for a parameter that asks; for text its bytes with the NUL. */
static uint64_t there_are(const struct parameter *parameter) {
  return parameter->content == TEXT ? strlen(parameter->text) + 1 : atomic_load(&total);
}

/* ---- Outputs ------------------------------------------------------------------------------------------------------ */

static void write_text(const struct parameter *parameter, char *to, int64_t room) {
  if (room <= 0) return;
  size_t length = strlen(parameter->text);
  if (length > (size_t)room - 1) length = (size_t)room - 1;
  memcpy(to, parameter->text, length);
  to[length] = 0;
}

static void write_output(uint32_t index, uint32_t at, const void *const *given, const uint64_t *room) {
  const struct function *function = &standin_functions[index];
  const struct parameter *parameter = &function->parameters[at];
  void *to = standin_pointer(given[at]);
  if (to == NULL) return;
  struct output *told = atomic_load(&configured) ? output_of(index, at) : NULL;
  if (told != NULL && told->bytes != NULL) {
    memcpy(to, told->bytes, told->length);
    return;
  }
  if (parameter->counts) {
    /* With somewhere to put them: how many were put there, unless TELL_ALL. Without: how many there are. */
    uint64_t answer = atomic_load(&total);
    for (uint32_t other = 0; other < function->count; other++) {
      const struct parameter *is = &function->parameters[other];
      if (is->count != (int)at || is->content == OWNED) continue;
      if (is->content == TEXT) answer = there_are(is);
      if (standin_pointer(given[other]) != NULL && room[other] < answer && !standin_has(TELL_ALL)) answer = room[other];
    }
    memcpy(to, &answer, parameter->element < 8 ? parameter->element : 8);
    return;
  }
  switch (parameter->content) {
    case STRING:
      memcpy(to, &parameter->text, sizeof parameter->text);
      return;
    case OWNED: {
      void *memory = owned_array(index, at);
      memcpy(to, &memory, sizeof memory);
      return;
    }
    default: {
      uint64_t bytes = room[at];
      if (parameter->count >= 0 && function->parameters[parameter->count].counts) {
        /* room counts elements here; what is beyond those there are is zero. */
        uint64_t have = there_are(parameter);
        uint64_t put = (room[at] < have ? room[at] : have) * parameter->element;
        if (parameter->content != TEXT) memset((char *)to + put, 0, room[at] * parameter->element - put);
        bytes = put;
      }
      if (parameter->content == TEXT)
        write_text(parameter, to, (int64_t)bytes);
      else
        pattern(parameter, to, bytes);
      if (standin_has(FRESH) && parameter->direction == OUT && bytes == sizeof(uint64_t)) {
        uint64_t value;
        memcpy(&value, to, sizeof value);
        value += 4096 * atomic_load(&calls[index]);
        memcpy(to, &value, sizeof value);
      }
    }
  }
}

static void write_outputs(uint32_t index, const void *const *given, uint32_t how) {
  const struct function *function = &standin_functions[index];
  uint64_t room[MAX_PARAMETERS];
  /* Counts are read before any is written. */
  for (uint32_t at = 0; at < function->count; at++) {
    const struct parameter *parameter = &function->parameters[at];
    room[at] = 0;
    if (!(parameter->direction & OUT) || standin_pointer(given[at]) == NULL) continue;
    if (parameter->direction == INOUT && !(how & WRITE_INOUT)) continue;
    if (parameter->count >= 0 && function->parameters[parameter->count].counts && parameter->element > 0) {
      uint64_t count = elements(function, parameter, given);
      room[at] = count < MOST_BYTES ? count : MOST_BYTES;
    } else {
      int64_t bytes = bytes_behind(index, at, given);
      room[at] = bytes < 0 ? 0 : (uint64_t)bytes;
    }
  }
  for (uint32_t at = 0; at < function->count; at++) {
    const struct parameter *parameter = &function->parameters[at];
    uint32_t needed = parameter->direction == OUT ? WRITE_OUT : WRITE_INOUT;
    if ((parameter->direction & OUT) && (how & needed)) write_output(index, at, given, room);
  }
  if (!atomic_load(&configured) || grows == 0) return;
  for (uint32_t at = 0; at < function->count; at++) {
    if (!function->parameters[at].counts) continue;
    atomic_fetch_add(&total, (uint64_t)grows_by);
    if (grows > 0) grows--;
    return;
  }
}

/* ---- Answers ------------------------------------------------------------------------------------------------------ */

int32_t standin_answer(uint32_t index, const void *const *given) {
  const struct function *function = &standin_functions[index];
  uint32_t how = atomic_load(&mode);
  bool told = atomic_load(&configured);
  int32_t result = SUCCESS;
  bool scribble = true;
  atomic_fetch_add(&calls[index], 1);
  if (told || (how & RECORD)) pthread_mutex_lock(&lock);
  if (told) {
    for (struct failure *at = failures; at; at = at->next) {
      if (at->index != index || at->times == 0) continue;
      if (at->times > 0) at->times--;
      result = at->result;
      scribble = at->scribble || result == SUCCESS;
      break;
    }
  }
  if ((how & RECORD) && function->callback >= 0) standin_give(index, given);
  if (how & RECORD) record(index, given, result, how & PEEK);
  int32_t meant = result == SUCCESS && function->meaning ? function->meaning(given) : GENERIC;
  if (meant != GENERIC)
    result = meant;
  else if (scribble)
    write_outputs(index, given, how);
  if (told || (how & RECORD)) pthread_mutex_unlock(&lock);
  if ((how & CALL_BACK) && function->callback >= 0 && result == SUCCESS) standin_call_back(index, given, how & REPEAT ? 3 : 1);
  return result;
}
