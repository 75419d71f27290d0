/* SPDX-License-Identifier: MIT */
/* Decompresses traces; this is the only file that uses libarchive. Of what that library can read,
 * only two filters and no archive format are enabled: others would start programs, or unpack what
 * no tracer writes. */
#include "idg/import/accel/idg-accel-bytes.h"

#include <archive.h>
#include <archive_entry.h>

#define PIECE (64u << 10)

struct IdgAccelBytes
{
  struct archive *archive;
  gboolean empty;
};

IdgAccelBytes *
idg_accel_bytes_new (void)
{
  IdgAccelBytes *bytes = g_new0 (IdgAccelBytes, 1);

  bytes->archive = archive_read_new ();
  archive_read_support_filter_gzip (bytes->archive);
  archive_read_support_filter_xz (bytes->archive);
  archive_read_support_format_raw (bytes->archive);
  archive_read_support_format_empty (bytes->archive);
  return bytes;
}

/* Skips the entry header that libarchive makes up for raw data; an empty file has none. */
gboolean
idg_accel_bytes_open (IdgAccelBytes *bytes, int fd, const gchar *data, gsize length)
{
  struct archive_entry *entry;
  int status = fd >= 0 ? archive_read_open_fd (bytes->archive, fd, PIECE)
                       : archive_read_open_memory (bytes->archive, data, length);

  if (status == ARCHIVE_OK)
    status = archive_read_next_header (bytes->archive, &entry);
  bytes->empty = status == ARCHIVE_EOF;
  return status == ARCHIVE_OK || status == ARCHIVE_WARN || bytes->empty;
}

gssize
idg_accel_bytes_read (IdgAccelBytes *bytes, gchar *to, gsize room)
{
  return bytes->empty ? 0 : archive_read_data (bytes->archive, to, room);
}

gchar *
idg_accel_bytes_get_problem (const IdgAccelBytes *bytes)
{
  const char *reason = archive_error_string (bytes->archive);

  return g_strdup_printf ("%s; traces are text, plain or compressed by gzip or xz",
                          reason ? reason : "damaged");
}

gdouble
idg_accel_bytes_count (const IdgAccelBytes *bytes)
{
  return (gdouble)archive_filter_bytes (bytes->archive, -1);
}

void
idg_accel_bytes_free (IdgAccelBytes *bytes)
{
  archive_read_free (bytes->archive);
  g_free (bytes);
}
