/* Preload: a disk that lacks something. Below the folder LACKING_DISK there are no locks, no shared memory or no syncs of folders, as LACKING says. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int lacks(int file, const char *lack) {
  const char *disk = getenv("LACKING_DISK"), *lacking = getenv("LACKING");
  if (disk == NULL || lacking == NULL || strcmp(lacking, lack) != 0) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strncmp(path, disk, strlen(disk)) == 0;
}

static int isFolder(int file) {
  struct stat found;
  return fstat(file, &found) == 0 && S_ISDIR(found.st_mode);
}

static int lock(const char *name, int file, int command, void *argument) {
  if ((command == F_SETLK || command == F_SETLKW) && lacks(file, "locks")) return errno = ENOLCK, -1;
  int (*real)(int, int, ...) = dlsym(RTLD_NEXT, name);
  return real(file, command, argument);
}

#define LOCK(name)                              \
  int name(int file, int command, ...) {        \
    va_list rest;                               \
    va_start(rest, command);                    \
    void *argument = va_arg(rest, void *);      \
    va_end(rest);                               \
    return lock(#name, file, command, argument); \
  }
LOCK(fcntl)
LOCK(fcntl64)

#define MAP(name)                                                                              \
  void *name(void *at, size_t length, int mode, int flags, int file, off_t offset) {            \
    if (file >= 0 && (flags & MAP_SHARED) && lacks(file, "memory")) return errno = ENODEV, MAP_FAILED; \
    void *(*real)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, #name);              \
    return real(at, length, mode, flags, file, offset);                                         \
  }
MAP(mmap)
MAP(mmap64)

#define SYNC(name)                                                            \
  int name(int file) {                                                        \
    if (isFolder(file) && lacks(file, "syncs")) return errno = EIO, -1;     \
    int (*real)(int) = dlsym(RTLD_NEXT, #name);                               \
    return real(file);                                                        \
  }
SYNC(fsync)
SYNC(fdatasync)
