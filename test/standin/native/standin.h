/*
 * The stand-in driver's own interface: what the generated half (api.c) tells the fixed half (standin.c and those beside it), and what a test may
 * ask of it (standin_*).
 */
#ifndef STANDIN_H
#define STANDIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_PARAMETERS 32

/* What lies in a parameter, or behind a pointer. */
enum content {
  NOTHING, /* a value: nothing lies behind it */
  BYTES,
  F32,
  F64,
  TEXT,   /* char: with a direction of in, up to NUL */
  STRING, /* the driver's own text: const char ** */
  OWNED,  /* the driver's own array: const T ** */
};

enum direction { IN = 1, OUT = 2, INOUT = 3 };

struct parameter {
  uint8_t content;
  uint8_t direction;
  /* Index of the parameter that counts the elements behind this one, or -1. */
  int8_t count;
  /* Counts elements of others, and is a pointer: how many there are is answered here. */
  bool counts;
  /* Bytes of the parameter itself. */
  uint16_t size;
  /* Bytes of one element behind it; 0: not known. */
  uint32_t element;
  /* Where the pattern for it starts. */
  uint64_t seed;
  /* STRING: what is answered. */
  const char *text;
};

/* A function of fixed meaning: gives the result, or GENERIC to have the pattern written after all. */
typedef int32_t (*special)(const void *const *given);
#define GENERIC INT32_MIN

struct function {
  const char *name;
  const char *base;
  int32_t since;
  bool per_thread;
  /* NULL: this flavour does not export it. */
  void (*address)(void);
  special meaning;
  /* Which parameters hold a callback and its user data, or -1; and what calls it. */
  int8_t callback, user_data;
  uint64_t (*fire)(void *callback, void *user_data);
  uint8_t count;
  const struct parameter *parameters;
};

struct result_name {
  int32_t value;
  const char *name;
};

/* ---- From api.c --------------------------------------------------------------------------------------------------- */

extern const struct function standin_functions[];
extern const uint32_t standin_function_count;
extern const struct result_name standin_results[];
extern const uint32_t standin_result_count;

/* ---- From standin.c ----------------------------------------------------------------------------------------------- */

/* Every exported function is this: its index, and where its arguments stand. */
int32_t standin_answer(uint32_t index, const void *const *given);

/* The pointer that an argument is. */
void *standin_pointer(const void *given);
/* Whether the mode has this bit. */
bool standin_has(uint32_t bit);
/* Bytes of the pattern that starts at `seed`. */
void standin_pattern(uint64_t seed, void *to, uint64_t bytes);

/* ---- From meanings.c ---------------------------------------------------------------------------------------------- */

int32_t special_driver_version(const void *const *given);
int32_t special_error_name(const void *const *given);
int32_t special_error_string(const void *const *given);
int32_t special_lookup(const void *const *given);
int32_t special_lookup_v2(const void *const *given);
int32_t special_pointer_attributes(const void *const *given);
int32_t special_range_attributes(const void *const *given);
int32_t special_get_current(const void *const *given);
int32_t special_set_current(const void *const *given);

/* ---- From callbacks.c --------------------------------------------------------------------------------------------- */

/* A function was given a callback: standin_fire calls it. */
void standin_give(uint32_t index, const void *const *given);
/* Calls what this call was given, whatever calls that the callback makes are given. */
void standin_call_back(uint32_t index, const void *const *given, int times);

/* ---- For tests ---------------------------------------------------------------------------------------------------- */

#define EXPORT __attribute__((visibility("default")))

/* What a call does, as bits. */
enum mode {
  RECORD = 1,      /* log the arguments */
  PEEK = 2,        /* and the bytes behind pointers */
  WRITE_OUT = 4,   /* write pure outputs */
  WRITE_INOUT = 8, /* write memory of the caller's */
  CONTEXTS = 16,   /* cuCtxSetCurrent and cuCtxGetCurrent mean it, thread by thread */
  CALL_BACK = 32,  /* callbacks are called before the call returns */
  FRESH = 64,      /* handles and addresses that are returned differ from call to call */
  TELL_ALL = 128,  /* "how many, and which" says how many there are also where there is room for fewer */
  REPEAT = 256,    /* callbacks that are called before the call returns are called three times */
};

EXPORT void standin_mode(uint32_t mode);
/* The next `times` (negative: all) calls of a function give `result`; `scribble`: and write outputs though it is a failure. */
EXPORT void standin_fail(uint32_t index, int32_t result, int32_t times, bool scribble);
/* How many elements the driver has for every query that asks "how many, and which". */
EXPORT void standin_total(uint64_t total);
/* Each of the next `times` (negative: all) calls that say how many there are leaves `by` more of them, or less. */
EXPORT void standin_grow(int64_t by, int32_t times);
/* How many bytes lie behind a parameter, where its type does not say; negative: as the type says. */
EXPORT void standin_size(uint32_t index, uint32_t parameter, int64_t bytes);
/* What is written to an output instead of the pattern; NULL: the pattern. */
EXPORT void standin_output(uint32_t index, uint32_t parameter, const void *bytes, uint64_t length);
/* The driver's own array that an OWNED output points to: 64 elements of pattern. */
EXPORT uint64_t standin_owned(uint32_t index, uint32_t parameter);
/* Calls the callback that a function was last given: on this thread (0), or on one of its own that is waited for (1) or not
   (2). Its arguments are patterns, but for the user data. 0: there was one. */
EXPORT int32_t standin_fire(uint32_t index, uint32_t thread);
/* What the last callback returned; 0 for void. */
EXPORT uint64_t standin_fired(void);
/* Back to the beginning: no failures, sizes, outputs; an empty log; no counts. */
EXPORT void standin_reset(void);
/* How often a function was called. */
EXPORT uint64_t standin_calls(uint32_t index);
/* The log so far, which is then empty; to be given back with standin_free. */
EXPORT void *standin_take(uint64_t *length);
EXPORT void standin_free(void *log);

#endif
