/* SPDX-License-Identifier: MIT */
/* Machine code on a device: launches one after the other on the same memory, and how long the last one
 * takes. Each run of them begins with the buffers as they were and with nothing of them in L2, as
 * the execution that predicts it does; variables of the module keep what the run before left. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Where an address goes in the arguments of a call: of a buffer, or of a variable of the module. */
typedef struct
{
  guint offset;
  gchar *name;
  gint64 addend; /* bytes */
} WpCudaAddress;

typedef struct
{
  gchar *entry;                    /* the kernel's name in the file */
  gchar *text;                     /* what people call the launch */
  guint grid[3], block[3], shared; /* SHARED: dynamic, bytes */
  GByteArray *arguments;           /* addresses are still 0 */
  GArray *addresses;               /* of WpCudaAddress */
} WpCudaCall;

typedef struct
{
  gchar *name;
  GByteArray *initial; /* what it begins with; zeros behind that */
  guint64 bytes;       /* at least 1 */
} WpCudaBuffer;

typedef struct
{
  GBytes *image;      /* a cubin */
  GPtrArray *buffers; /* of WpCudaBuffer */
  GPtrArray *calls;   /* of WpCudaCall, one at least */
} WpCudaCode;

WpCudaCode *wp_cuda_code_new (GBytes *image);
void wp_cuda_code_free (WpCudaCode *code);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpCudaCode, wp_cuda_code_free)

/* Add one to CODE and return it, to be filled in. */
WpCudaBuffer *wp_cuda_code_add_buffer (WpCudaCode *code, const gchar *name);
WpCudaCall *wp_cuda_code_add_call (WpCudaCode *code, const gchar *entry);

/* What the last call took, in microseconds, by events of the driver before and after it: of RUNS runs
 * behind one that does not count. */
typedef struct
{
  gchar *device;
  guint runs;
  gdouble least, median, most;
} WpCudaTimes;

/* Runs CODE on the first device of the CUDA driver. False with ERROR; DEVICE of TIMES is freed with
 * g_free(). */
gboolean wp_cuda_code_time (const WpCudaCode *code, guint runs, WpCudaTimes *times, GError **error);

G_END_DECLS
