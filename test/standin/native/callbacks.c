/* Callbacks that the stand-in driver was given: called within the call, or whenever a test wants them called. */
#define _GNU_SOURCE
#include "standin.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define SUCCESS 0
#define NOT_FOUND 500

struct firing {
  uint64_t (*fire)(void *callback, void *user_data);
  void *callback, *user_data;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* What each function was last given; under the lock. */
static struct firing *last_given;
static atomic_uint_fast64_t last_fired;

__attribute__((constructor)) static void start(void) { last_given = calloc(standin_function_count, sizeof *last_given); }

static struct firing firing_of(const struct function *function, const void *const *given) {
  return (struct firing){function->fire, standin_pointer(given[function->callback]),
                         function->user_data < 0 ? NULL : standin_pointer(given[function->user_data])};
}

void standin_give(uint32_t index, const void *const *given) {
  pthread_mutex_lock(&lock);
  last_given[index] = firing_of(&standin_functions[index], given);
  pthread_mutex_unlock(&lock);
}

uint64_t standin_fired(void) { return atomic_load(&last_fired); }

static bool is_firing(struct firing firing) { return firing.fire != NULL && firing.callback != NULL; }

static void fire(struct firing firing) { atomic_store(&last_fired, firing.fire(firing.callback, firing.user_data)); }

void standin_call_back(uint32_t index, const void *const *given, int times) {
  struct firing firing = firing_of(&standin_functions[index], given);
  while (is_firing(firing) && times-- > 0) fire(firing);
}

static void *fire_on_thread(void *data) {
  struct firing firing = *(struct firing *)data;
  free(data);
  fire(firing);
  return NULL;
}

int32_t standin_fire(uint32_t index, uint32_t thread) {
  pthread_mutex_lock(&lock);
  struct firing firing = last_given[index];
  pthread_mutex_unlock(&lock);
  if (!is_firing(firing)) return NOT_FOUND;
  if (thread == 0) {
    fire(firing);
    return SUCCESS;
  }
  pthread_t made;
  struct firing *data = malloc(sizeof *data);
  *data = firing;
  if (pthread_create(&made, NULL, fire_on_thread, data) != 0) abort();
  if (thread == 1)
    pthread_join(made, NULL);
  else
    pthread_detach(made);
  return SUCCESS;
}
