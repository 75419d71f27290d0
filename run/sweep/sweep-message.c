/* SPDX-License-Identifier: MIT */
/* A row is a head of fixed size, then its text. */
#include "run/sweep/sweep-message.h"

#include <string.h>

typedef struct
{
  guint64 index, refused, length;
  gdouble seconds;
} Head;

void
wp_sweep_message_add (GByteArray *bytes, const WpSweepJob *job)
{
  const Head head = {
    job->row.index,
    job->row.refused,
    strlen (job->row.text),
    job->seconds,
  };

  g_byte_array_append (bytes, (const guint8 *)&head, sizeof head);
  g_byte_array_append (bytes, (const guint8 *)job->row.text, (guint)head.length);
}

WpSweepJob *
wp_sweep_message_take (const GByteArray *bytes, gsize *at)
{
  Head head;
  WpSweepJob *job;

  if (bytes->len - *at < sizeof head)
    return NULL;
  memcpy (&head, bytes->data + *at, sizeof head);
  *at += sizeof head;
  g_return_val_if_fail (head.length <= bytes->len - *at, NULL);
  job = g_new0 (WpSweepJob, 1);
  job->row.index = head.index;
  job->row.refused = head.refused != 0;
  job->row.text = g_strndup ((const gchar *)bytes->data + *at, head.length);
  job->seconds = head.seconds;
  *at += head.length;
  return job;
}
