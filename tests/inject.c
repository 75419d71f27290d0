/* SPDX-License-Identifier: MIT */
/* Lets one call of the C library fail, once, in a program that preloads this:
 *
 *   INJECT_KIND   memory, map, open, read, write, rename, sync, close, thread, child or library
 *   INJECT_AT     which call of that kind from main() on fails, from 1; 0: none
 *   INJECT_COUNT  a file that gets the number of calls of each kind, in the order above, a line
 *                 each, when the program ends by itself
 *
 * Memory fails with ENOMEM, a thread or a child with EAGAIN, writing with ENOSPC, everything else
 * with EIO. What is closed is closed nevertheless, as close() does it.
 * Calls of the loader and of constructors, before main(), do not count. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum
{
  MEMORY,
  MAP,
  OPEN,
  READ,
  WRITE,
  RENAME,
  SYNC,
  CLOSE,
  THREAD,
  CHILD,
  LIBRARY,
  NONE
};

static const char *const names[] = { "memory", "map",   "open",   "read",  "write",  "rename",
                                     "sync",   "close", "thread", "child", "library" };
static bool is_begun; /* and not at its end yet */
static int kind = NONE;
static long at, counts[NONE]; /* counts: of calls so far */
static const char *count_file;
static int (*real_main) (int, char **, char **);

/* glibc's own names of its allocator. */
extern void *__libc_malloc (size_t);
extern void *__libc_calloc (size_t, size_t);
extern void *__libc_realloc (void *, size_t);
extern void *__libc_memalign (size_t, size_t);

/* Whether this call, of kind WHICH, is the one that fails. */
static bool
fails (int which, int reason)
{
  if (!is_begun)
    return false;

  long n = __atomic_add_fetch (&counts[which], 1, __ATOMIC_RELAXED);
  if (which != kind || n != at)
    return false;
  errno = reason;
  return true;
}

static void
write_count (void)
{
  is_begun = false;
  if (count_file == NULL)
    return;
  int fd = open (count_file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  for (int i = 0; i < NONE; i++)
    if (fd < 0 || dprintf (fd, "%ld\n", counts[i]) < 0)
      _exit (99);
  close (fd);
}

static int
begin (int argc, char **argv, char **environment)
{
  const char *name = getenv ("INJECT_KIND"), *number = getenv ("INJECT_AT");
  count_file = getenv ("INJECT_COUNT");
  at = number != NULL ? atol (number) : 0;
  atexit (write_count);
  for (int i = 0; name != NULL && i < NONE; i++)
    if (strcmp (name, names[i]) == 0)
      kind = i;
  unsetenv ("LD_PRELOAD"); /* programs that it starts are not our concern */
  is_begun = true;
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

void *
memalign (size_t alignment, size_t n)
{
  return fails (MEMORY, ENOMEM) ? NULL : __libc_memalign (alignment, n);
}

void *
aligned_alloc (size_t alignment, size_t n)
{
  return memalign (alignment, n);
}

int
posix_memalign (void **block, size_t alignment, size_t n)
{
  void *memory = memalign (alignment, n);

  if (memory == NULL)
    return ENOMEM;
  *block = memory;
  return 0;
}

#define NEXT(name) ((__typeof__ (&name))dlsym (RTLD_NEXT, #name))

void *
mmap (void *address, size_t n, int protection, int flags, int fd, off_t offset)
{
  return fails (MAP, ENOMEM) ? MAP_FAILED : NEXT (mmap) (address, n, protection, flags, fd, offset);
}

void *
mmap64 (void *address, size_t n, int protection, int flags, int fd, off64_t offset)
{
  return fails (MAP, ENOMEM) ? MAP_FAILED
                             : NEXT (mmap64) (address, n, protection, flags, fd, offset);
}

/* ---- Files ---- */

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

FILE *
fdopen (int fd, const char *mode)
{
  return fails (OPEN, EIO) ? NULL : NEXT (fdopen) (fd, mode);
}

FILE *
tmpfile (void)
{
  return fails (OPEN, EIO) ? NULL : NEXT (tmpfile) ();
}

DIR *
opendir (const char *path)
{
  return fails (OPEN, EIO) ? NULL : NEXT (opendir) (path);
}

int
fchmod (int fd, mode_t mode)
{
  return fails (OPEN, EIO) ? -1 : NEXT (fchmod) (fd, mode);
}

/* As fails_on() below, of what is read. */
static bool
fails_to_read (FILE *file)
{
  if (!fails (READ, EIO))
    return false;
  file->_flags |= _IO_ERR_SEEN;
  return true;
}

ssize_t
read (int fd, void *bytes, size_t n)
{
  return fails (READ, EIO) ? -1 : NEXT (read) (fd, bytes, n);
}

size_t
fread (void *bytes, size_t size, size_t n, FILE *file)
{
  return fails_to_read (file) ? 0 : NEXT (fread) (bytes, size, n, file);
}

ssize_t
getline (char **line, size_t *size, FILE *file)
{
  return fails_to_read (file) ? -1 : NEXT (getline) (line, size, file);
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
fputs (const char *text, FILE *file)
{
  return fails_on (file) ? EOF : NEXT (fputs) (text, file);
}

int
fputc (int c, FILE *file)
{
  return fails_on (file) ? EOF : NEXT (fputc) (c, file);
}

int
putc (int c, FILE *file)
{
  return fails_on (file) ? EOF : NEXT (putc) (c, file);
}

int
puts (const char *text)
{
  return fails_on (stdout) ? EOF : NEXT (puts) (text);
}

int
vfprintf (FILE *file, const char *format, va_list arguments)
{
  return fails_on (file) ? -1 : NEXT (vfprintf) (file, format, arguments);
}

int
fprintf (FILE *file, const char *format, ...)
{
  va_list arguments;
  int n;

  va_start (arguments, format);
  n = vfprintf (file, format, arguments);
  va_end (arguments);
  return n;
}

int
printf (const char *format, ...)
{
  va_list arguments;
  int n;

  va_start (arguments, format);
  n = vfprintf (stdout, format, arguments);
  va_end (arguments);
  return n;
}

ssize_t
writev (int fd, const struct iovec *pieces, int n)
{
  return fails (WRITE, ENOSPC) ? -1 : NEXT (writev) (fd, pieces, n);
}

int
ftruncate (int fd, off_t length)
{
  return fails (WRITE, EIO) ? -1 : NEXT (ftruncate) (fd, length);
}

int
truncate (const char *path, off_t length)
{
  return fails (WRITE, EIO) ? -1 : NEXT (truncate) (path, length);
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

int
close (int fd)
{
  bool is_failing = fails (CLOSE, EIO);
  int reason = errno, result = NEXT (close) (fd);

  if (is_failing)
    errno = reason;
  return is_failing ? -1 : result;
}

int
fclose (FILE *file)
{
  bool is_failing = fails (CLOSE, EIO);
  int result = NEXT (fclose) (file);

  if (is_failing)
    errno = EIO;
  return is_failing ? EOF : result;
}

/* ---- Threads and programs ---- */

int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes, void *(*run) (void *),
                void *argument)
{
  return fails (THREAD, EAGAIN) ? EAGAIN
                                : NEXT (pthread_create) (thread, attributes, run, argument);
}

pid_t
fork (void)
{
  return fails (CHILD, EAGAIN) ? -1 : NEXT (fork) ();
}

int
posix_spawn (pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
             const posix_spawnattr_t *attributes, char *const argv[], char *const environment[])
{
  return fails (CHILD, EAGAIN)
             ? EAGAIN
             : NEXT (posix_spawn) (child, path, actions, attributes, argv, environment);
}

int
posix_spawnp (pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
              const posix_spawnattr_t *attributes, char *const argv[], char *const environment[])
{
  return fails (CHILD, EAGAIN)
             ? EAGAIN
             : NEXT (posix_spawnp) (child, path, actions, attributes, argv, environment);
}

/* What does not exist is looked for, so that dlerror() has a text. */
void *
dlopen (const char *path, int flags)
{
  return NEXT (dlopen) (fails (LIBRARY, EIO) ? "libnone.so.0" : path, flags);
}
