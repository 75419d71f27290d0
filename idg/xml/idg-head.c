/* SPDX-License-Identifier: MIT */
#include "idg/xml/idg-head.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

gsize
idg_read_head (const gchar *path, gchar *head, gsize room)
{
  struct stat about;
  gsize n = 0;
  gssize got = 1;
  int fd;

  if (stat (path, &about) != 0 || !S_ISREG (about.st_mode))
    return 0;
  fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return 0;
  while (n < room && got > 0)
    {
      got = read (fd, head + n, room - n);
      if (got < 0 && errno == EINTR)
        got = 1;
      else
        n += (gsize)MAX (got, 0);
    }
  close (fd);
  return n;
}
