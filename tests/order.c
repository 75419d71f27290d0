/* SPDX-License-Identifier: MIT */
/* Preloaded: appends to the file $ORDER a line for each call that gives a file its name or makes it
 * last, in their order: "sync file", "sync folder", "link", "rename" (outputs.sh). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void
note (const char *what)
{
  FILE *log = fopen (getenv ("ORDER"), "a");

  if (log == NULL)
    abort ();
  fprintf (log, "%s\n", what);
  fclose (log);
}

int
fsync (int fd)
{
  int (*real) (int) = (int (*) (int))dlsym (RTLD_NEXT, "fsync");
  struct stat status;

  note (fstat (fd, &status) == 0 && S_ISDIR (status.st_mode) ? "sync folder" : "sync file");
  return real (fd);
}

int
linkat (int from, const char *old, int to, const char *name, int flags)
{
  int (*real) (int, const char *, int, const char *, int)
      = (int (*) (int, const char *, int, const char *, int))dlsym (RTLD_NEXT, "linkat");
  int result = real (from, old, to, name, flags);

  if (result == 0)
    note ("link");
  return result;
}

int
renameat (int from, const char *old, int to, const char *name)
{
  int (*real) (int, const char *, int, const char *)
      = (int (*) (int, const char *, int, const char *))dlsym (RTLD_NEXT, "renameat");

  note ("rename");
  return real (from, old, to, name);
}
