/*
 * The judge for the runtime's look-ups: opens one libcudart and answers questions about it straight from C, a line each.
 *
 *   runtime                    RESULT VERSION            cudaRuntimeGetVersion
 *   plain FLAGS NAME           RESULT STATUS POINTER     cudaGetDriverEntryPoint
 *   at VERSION FLAGS NAME      RESULT STATUS POINTER     cudaGetDriverEntryPointByVersion
 *   absent                                               where the library lacks the function
 *
 * POINTER is an offset from the start of the library that it lies in, null or untouched; STATUS is a number or untouched.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*get_version)(int *version);
typedef int (*get_plain)(const char *symbol, void **pointer, unsigned long long flags, int *status);
typedef int (*get_at)(const char *symbol, void **pointer, unsigned version, unsigned long long flags, int *status);

static char untouched;

int main(int count, char **arguments) {
  if (count != 2) return 2;
  void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  get_version runtime = (get_version)dlsym(library, "cudaRuntimeGetVersion");
  get_plain plain = (get_plain)dlsym(library, "cudaGetDriverEntryPoint");
  get_at at = (get_at)dlsym(library, "cudaGetDriverEntryPointByVersion");

  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  while ((length = getline(&line, &room, stdin)) > 0) {
    if (line[length - 1] == '\n') line[length - 1] = 0;
    char *rest = line;
    const char *verb = strsep(&rest, " ");
    if (!strcmp(verb, "runtime")) {
      int version = -1;
      int result = runtime ? runtime(&version) : -1;
      printf("%d %d\n", result, version);
      continue;
    }
    int by_version = !strcmp(verb, "at");
    unsigned version = by_version ? (unsigned)strtoul(strsep(&rest, " "), NULL, 10) : 0;
    unsigned long long flags = strtoull(strsep(&rest, " "), NULL, 10);
    if (by_version ? !at : !plain) {
      puts("absent");
      continue;
    }
    void *pointer = &untouched;
    int status = -12345;
    int result = by_version ? at(rest, &pointer, version, flags, &status) : plain(rest, &pointer, flags, &status);
    printf("%d ", result);
    if (status == -12345) printf("untouched ");
    else printf("%d ", status);
    Dl_info info;
    if (pointer == &untouched) puts("untouched");
    else if (!pointer) puts("null");
    else if (!dladdr(pointer, &info)) puts("nowhere");
    else printf("%" PRIxPTR "\n", (uintptr_t)pointer - (uintptr_t)info.dli_fbase);
  }
  free(line);
  return fflush(stdout) ? 1 : 0;
}
