/* SPDX-License-Identifier: MIT */
/* Lets one call of the C library fail, once, in a program that preloads this:
 *
 *   INJECT_KIND   memory, open, write, rename, sync or thread
 *   INJECT_AT     which call of that kind from main() on fails, from 1; 0: none
 *   INJECT_COUNT  a file that gets the number of calls when the program ends by itself
 *
 * Memory fails with ENOMEM, a thread with EAGAIN, writing with ENOSPC, everything else with EIO.
 * Calls of the loader and of constructors, before main(), do not count. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
  MEMORY,
  OPEN,
  WRITE,
  RENAME,
  SYNC,
  THREAD,
  NONE
};

static const char *const names[] = { "memory", "open", "write", "rename", "sync", "thread" };
static int kind = NONE;
static long at, count; /* count: of calls of that kind */
static const char *count_file;
static int (*real_main) (int, char **, char **);

/* glibc's own names of its allocator. */
extern void *__libc_malloc (size_t);
extern void *__libc_calloc (size_t, size_t);
extern void *__libc_realloc (void *, size_t);

/* Whether this call, of kind WHICH, is the one that fails. */
static bool
fails (int which, int reason)
{
  if (which != kind || __atomic_add_fetch (&count, 1, __ATOMIC_RELAXED) != at)
    return false;
  errno = reason;
  return true;
}

static void
write_count (void)
{
  int fd = kind = NONE, n;
  char text[32];

  if (count_file == NULL)
    return;
  fd = open (count_file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  n = snprintf (text, sizeof text, "%ld\n", count);
  if (fd < 0 || write (fd, text, (size_t)n) != n)
    _exit (99);
  close (fd);
}

static int
begin (int argc, char **argv, char **environment)
{
  const char *name = getenv ("INJECT_KIND"), *number = getenv ("INJECT_AT");
  int wanted = NONE;

  count_file = getenv ("INJECT_COUNT");
  at = number != NULL ? atol (number) : 0;
  atexit (write_count);
  for (int i = 0; name != NULL && i < NONE; i++)
    if (strcmp (name, names[i]) == 0)
      wanted = i;
  unsetenv ("LD_PRELOAD"); /* programs that it starts are not our concern */
  kind = wanted;
  return real_main (argc, argv, environment);
}

int
__libc_start_main (int (*start) (int, char **, char **), int argc, char **argv, void (*init) (void),
                   void (*fini) (void), void (*loader_fini) (void), void *stack_end)
{
  int (*next) (int (*) (int, char **, char **), int, char **, void (*) (void), void (*) (void),
               void (*) (void), void *)
      = dlsym (RTLD_NEXT, "__libc_start_main");

  real_main = start;
  return next (begin, argc, argv, init, fini, loader_fini, stack_end);
}

/* ---- Memory ---- */

void *
malloc (size_t n)
{
  return fails (MEMORY, ENOMEM) ? NULL : __libc_malloc (n);
}

void *
calloc (size_t n, size_t size)
{
  return fails (MEMORY, ENOMEM) ? NULL : __libc_calloc (n, size);
}

void *
realloc (void *block, size_t n)
{
  return fails (MEMORY, ENOMEM) ? NULL : __libc_realloc (block, n);
}

/* ---- Files ---- */

#define NEXT(name) ((__typeof__ (&name))dlsym (RTLD_NEXT, #name))

static mode_t
take_mode (int flags, va_list arguments)
{
  return flags & (O_CREAT | O_TMPFILE) ? va_arg (arguments, mode_t) : 0;
}

#define OPEN_LIKE(name)                                                                            \
  int name (const char *path, int flags, ...)                                                      \
  {                                                                                                \
    va_list arguments;                                                                             \
    mode_t mode;                                                                                   \
                                                                                                   \
    va_start (arguments, flags);                                                                   \
    mode = take_mode (flags, arguments);                                                           \
    va_end (arguments);                                                                            \
    return fails (OPEN, EIO) ? -1 : NEXT (name) (path, flags, mode);                               \
  }
OPEN_LIKE (open)
OPEN_LIKE (open64)

#define OPENAT_LIKE(name)                                                                          \
  int name (int folder, const char *path, int flags, ...)                                          \
  {                                                                                                \
    va_list arguments;                                                                             \
    mode_t mode;                                                                                   \
                                                                                                   \
    va_start (arguments, flags);                                                                   \
    mode = take_mode (flags, arguments);                                                           \
    va_end (arguments);                                                                            \
    return fails (OPEN, EIO) ? -1 : NEXT (name) (folder, path, flags, mode);                       \
  }
OPENAT_LIKE (openat)
OPENAT_LIKE (openat64)

FILE *
fopen (const char *path, const char *mode)
{
  return fails (OPEN, EIO) ? NULL : NEXT (fopen) (path, mode);
}

FILE *
fopen64 (const char *path, const char *mode)
{
  return fails (OPEN, EIO) ? NULL : NEXT (fopen64) (path, mode);
}

/* stdio writes with calls of its own: fwrite() and fflush() stand for these, and leave the mark on
 * the stream that ferror() looks for. */
static bool
fails_on (FILE *file)
{
  if (file == stderr || !fails (WRITE, ENOSPC))
    return false;
  if (file != NULL)
    file->_flags |= _IO_ERR_SEEN;
  return true;
}

ssize_t
write (int fd, const void *bytes, size_t n)
{
  return fails (WRITE, ENOSPC) ? -1 : NEXT (write) (fd, bytes, n);
}

size_t
fwrite (const void *bytes, size_t size, size_t n, FILE *file)
{
  return fails_on (file) ? 0 : NEXT (fwrite) (bytes, size, n, file);
}

int
fflush (FILE *file)
{
  return fails_on (file) ? EOF : NEXT (fflush) (file);
}

int
rename (const char *from, const char *to)
{
  return fails (RENAME, EIO) ? -1 : NEXT (rename) (from, to);
}

int
renameat (int from_folder, const char *from, int to_folder, const char *to)
{
  return fails (RENAME, EIO) ? -1 : NEXT (renameat) (from_folder, from, to_folder, to);
}

int
linkat (int from_folder, const char *from, int to_folder, const char *to, int flags)
{
  return fails (RENAME, EIO) ? -1 : NEXT (linkat) (from_folder, from, to_folder, to, flags);
}

int
fsync (int fd)
{
  return fails (SYNC, EIO) ? -1 : NEXT (fsync) (fd);
}

int
fdatasync (int fd)
{
  return fails (SYNC, EIO) ? -1 : NEXT (fdatasync) (fd);
}

/* ---- Threads ---- */

int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes, void *(*run) (void *),
                void *argument)
{
  return fails (THREAD, EAGAIN) ? EAGAIN
                                : NEXT (pthread_create) (thread, attributes, run, argument);
}
