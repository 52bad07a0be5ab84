/*
 * The judge for look-ups: opens one libcuda and answers questions about it straight from C, one line each.
 *
 *   exports                    NAME=OFFSET ...           every function that the library exports
 *   symbol HEX                 OFFSET | null             dlsym
 *   version                    RESULT VERSION
 *   new VERSION FLAGS HEX      RESULT STATUS POINTER     cuGetProcAddress_v2, five arguments
 *   bare VERSION FLAGS HEX     RESULT - POINTER          the same with a null status pointer
 *   old VERSION FLAGS HEX      RESULT - POINTER          cuGetProcAddress, four arguments
 *   absent                                               any of the last five, where the library lacks the function
 *
 * HEX is the name, two digits a byte. POINTER is an offset from the library's start, null, outside (not of this library) or
 * untouched; STATUS is a number or untouched. Offsets are hexadecimal.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*get_version)(int *version);
typedef int (*get_v2)(const char *symbol, void **pointer, int version, uint64_t flags, int *status);
typedef int (*get_v1)(const char *symbol, void **pointer, int version, uint64_t flags);

static char untouched;

static void print_pointer(void *pointer, uintptr_t base) {
  Dl_info info;
  if (pointer == &untouched) printf("untouched");
  else if (!pointer) printf("null");
  else if (!dladdr(pointer, &info) || (uintptr_t)info.dli_fbase != base) printf("outside");
  else printf("%" PRIxPTR, (uintptr_t)pointer - base);
}

/* Reads the section headers of the file: the dynamic table in memory does not say how many symbols there are. */
static int print_exports(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return 1;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *bytes = malloc((size_t)size);
  if (!bytes || fread(bytes, 1, (size_t)size, file) != (size_t)size) return 1;
  fclose(file);
  const ElfW(Ehdr) *header = (const void *)bytes;
  const ElfW(Shdr) *sections = (const void *)(bytes + header->e_shoff);
  for (int i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_DYNSYM) continue;
    const ElfW(Sym) *symbols = (const void *)(bytes + sections[i].sh_offset);
    const char *names = bytes + sections[sections[i].sh_link].sh_offset;
    for (size_t n = 0; n < sections[i].sh_size / sizeof *symbols; n++) {
      if (symbols[n].st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbols[n].st_info) != STT_FUNC) continue;
      printf("%s=%" PRIx64 " ", names + symbols[n].st_name, (uint64_t)symbols[n].st_value);
    }
  }
  free(bytes);
  return 0;
}

/* In place; the result ends in a NUL of its own. */
static char *unhex(char *text) {
  size_t length = strlen(text) / 2;
  for (size_t i = 0; i < length; i++) {
    char digits[3] = {text[2 * i], text[2 * i + 1], 0};
    text[i] = (char)strtol(digits, NULL, 16);
  }
  text[length] = 0;
  return text;
}

int main(int count, char **arguments) {
  if (count != 2) return 2;
  void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  struct link_map *map;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map)) return 1;
  uintptr_t base = map->l_addr;

  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  while ((length = getline(&line, &room, stdin)) > 0) {
    if (line[length - 1] == '\n') line[length - 1] = 0;
    char *rest = line;
    const char *verb = strsep(&rest, " ");
    if (!strcmp(verb, "exports")) {
      if (print_exports(arguments[1])) return 1;
    } else if (!strcmp(verb, "symbol")) {
      print_pointer(dlsym(library, unhex(rest)), base);
    } else if (!strcmp(verb, "version")) {
      get_version call = (get_version)dlsym(library, "cuDriverGetVersion");
      int version = -1;
      int result = call ? call(&version) : 0;
      if (call) printf("%d %d", result, version);
      else printf("absent");
    } else {
      int old = !strcmp(verb, "old");
      void *function = dlsym(library, old ? "cuGetProcAddress" : "cuGetProcAddress_v2");
      int version = (int)strtol(strsep(&rest, " "), NULL, 10);
      uint64_t flags = strtoull(strsep(&rest, " "), NULL, 10);
      char *name = unhex(rest);
      void *pointer = &untouched;
      int status = -12345;
      int asked = !strcmp(verb, "new");
      if (!function) {
        printf("absent");
      } else {
        int result = old ? ((get_v1)function)(name, &pointer, version, flags)
                         : ((get_v2)function)(name, &pointer, version, flags, asked ? &status : NULL);
        printf("%d ", result);
        if (!asked) printf("- ");
        else if (status == -12345) printf("untouched ");
        else printf("%d ", status);
        print_pointer(pointer, base);
      }
    }
    putchar('\n');
  }
  free(line);
  return fflush(stdout) ? 1 : 0;
}
