/* SPDX-License-Identifier: MIT */
#include "probe/cuda/wp-cuda-code.h"

#include "probe/cuda/wp-cuda.h"
#include "sim/gpu/wp-types.h"

#include <string.h>

#define NAME_CHARS 256

/* ---- What is to run ---- */

static void
free_buffer (gpointer data)
{
  WpCudaBuffer *buffer = data;

  g_free (buffer->name);
  g_byte_array_unref (buffer->initial);
  g_free (buffer);
}

static void
clear_address (gpointer data)
{
  g_free (((WpCudaAddress *)data)->name);
}

static void
free_call (gpointer data)
{
  WpCudaCall *call = data;

  g_free (call->entry);
  g_free (call->text);
  g_byte_array_unref (call->arguments);
  g_array_unref (call->addresses);
  g_free (call);
}

WpCudaCode *
wp_cuda_code_new (GBytes *image)
{
  WpCudaCode *code = g_new0 (WpCudaCode, 1);

  code->image = g_bytes_ref (image);
  code->buffers = g_ptr_array_new_with_free_func (free_buffer);
  code->calls = g_ptr_array_new_with_free_func (free_call);
  return code;
}

void
wp_cuda_code_free (WpCudaCode *code)
{
  if (code == NULL)
    return;
  g_bytes_unref (code->image);
  g_ptr_array_unref (code->buffers);
  g_ptr_array_unref (code->calls);
  g_free (code);
}

WpCudaBuffer *
wp_cuda_code_add_buffer (WpCudaCode *code, const gchar *name)
{
  WpCudaBuffer *buffer = g_new0 (WpCudaBuffer, 1);

  buffer->name = g_strdup (name);
  buffer->initial = g_byte_array_new ();
  buffer->bytes = 1;
  g_ptr_array_add (code->buffers, buffer);
  return buffer;
}

WpCudaCall *
wp_cuda_code_add_call (WpCudaCode *code, const gchar *entry)
{
  WpCudaCall *call = g_new0 (WpCudaCall, 1);

  call->entry = g_strdup (entry);
  call->arguments = g_byte_array_new ();
  call->addresses = g_array_new (FALSE, TRUE, sizeof (WpCudaAddress));
  g_array_set_clear_func (call->addresses, clear_address);
  g_ptr_array_add (code->calls, call);
  return call;
}

/* ---- On the device ---- */

typedef struct
{
  const WpCudaCode *code;
  const WpCuda *cuda;
  CudaDevice device;
  CudaContext context;
  CudaModule module;
  CudaEvent events[2];
  CudaPointer *buffers; /* of each buffer; 0: not there yet */
  CudaPointer scratch;  /* what is written so that L2 has nothing else; 0: not there yet */
  gsize scratch_bytes;
  gchar name[NAME_CHARS];
} Session;

static gboolean
fail (const Session *session, const gchar *call, int status, GError **error)
{
  g_set_error (error, WP_ERROR, WP_ERROR_READ, "cuda:0 (%s): %s failed: %s", session->name, call,
               wp_cuda_get_error (session->cuda, status));
  return FALSE;
}

/* Mostly the code is for another GPU. */
static gboolean
fail_to_load (const Session *session, int status, GError **error)
{
  g_set_error (error, WP_ERROR, WP_ERROR_READ,
               "cuda:0 (%s): cuModuleLoadDataEx failed: %s; expected machine code for its compute "
               "capability, %" G_GINT64_FORMAT ".%" G_GINT64_FORMAT
               ", which that of --gpu has to be, too",
               session->name, wp_cuda_get_error (session->cuda, status),
               wp_cuda_get (session->cuda, session->device, CUDA_CC_MAJOR),
               wp_cuda_get (session->cuda, session->device, CUDA_CC_MINOR));
  return FALSE;
}

static void
session_clear (Session *session)
{
  for (guint i = 0; i < session->code->buffers->len; i++)
    if (session->buffers[i] != 0)
      session->cuda->cuMemFree_v2 (session->buffers[i]);
  if (session->scratch != 0)
    session->cuda->cuMemFree_v2 (session->scratch);
  for (guint i = 0; i < G_N_ELEMENTS (session->events); i++)
    if (session->events[i] != NULL)
      session->cuda->cuEventDestroy_v2 (session->events[i]);
  if (session->module != NULL)
    session->cuda->cuModuleUnload (session->module);
  if (session->context != NULL)
    session->cuda->cuDevicePrimaryCtxRelease_v2 (session->device);
  g_free (session->buffers);
}

static gboolean
start (Session *session, GError **error)
{
  const WpCuda *cuda = session->cuda;
  int status = cuda->cuDeviceGet (&session->device, 0);

  if (status != 0)
    return fail (session, "cuDeviceGet", status, error);
  status = cuda->cuDeviceGetName (session->name, NAME_CHARS, session->device);
  if (status != 0)
    return fail (session, "cuDeviceGetName", status, error);
  status = cuda->cuDevicePrimaryCtxRetain (&session->context, session->device);
  if (status == 0)
    status = cuda->cuCtxSetCurrent (session->context);
  if (status != 0)
    return fail (session, "cuDevicePrimaryCtxRetain", status, error);
  status = cuda->cuModuleLoadDataEx (&session->module,
                                     g_bytes_get_data (session->code->image, NULL), 0, NULL, NULL);
  if (status != 0)
    return fail_to_load (session, status, error);
  for (guint i = 0; status == 0 && i < G_N_ELEMENTS (session->events); i++)
    status = cuda->cuEventCreate (&session->events[i], 0);
  return status == 0 || fail (session, "cuEventCreate", status, error);
}

static gboolean
allocate (Session *session, GError **error)
{
  const GPtrArray *buffers = session->code->buffers;
  int status = 0;

  for (guint i = 0; status == 0 && i < buffers->len; i++)
    status = session->cuda->cuMemAlloc_v2 (
        &session->buffers[i], ((const WpCudaBuffer *)g_ptr_array_index (buffers, i))->bytes);
  session->scratch_bytes = wp_cuda_count_to_clear (session->cuda, session->device);
  if (status == 0)
    status = session->cuda->cuMemAlloc_v2 (&session->scratch, session->scratch_bytes);
  return status == 0 || fail (session, "cuMemAlloc", status, error);
}

static gboolean
fill (const Session *session, guint i, GError **error)
{
  const WpCudaBuffer *buffer = g_ptr_array_index (session->code->buffers, i);
  int status = session->cuda->cuMemsetD8_v2 (session->buffers[i], 0, buffer->bytes);

  if (status == 0 && buffer->initial->len > 0)
    status = session->cuda->cuMemcpyHtoD_v2 (session->buffers[i], buffer->initial->data,
                                             MIN (buffer->initial->len, buffer->bytes));
  return status == 0 || fail (session, "cuMemcpyHtoD", status, error);
}

/* Makes all as it is where the execution begins: the buffers, and nothing of them in L2. */
static gboolean
begin (const Session *session, GError **error)
{
  int status;

  for (guint i = 0; i < session->code->buffers->len; i++)
    if (!fill (session, i, error))
      return FALSE;
  status = session->cuda->cuMemsetD8_v2 (session->scratch, 0, session->scratch_bytes);
  return status == 0 || fail (session, "cuMemsetD8", status, error);
}

/* Where the buffer or variable NAME is. */
static gboolean
locate (const Session *session, const gchar *name, CudaPointer *address, GError **error)
{
  size_t bytes = 0;
  int status;

  for (guint i = 0; i < session->code->buffers->len; i++)
    {
      const WpCudaBuffer *buffer = g_ptr_array_index (session->code->buffers, i);

      *address = session->buffers[i];
      if (g_str_equal (buffer->name, name))
        return TRUE;
    }
  status = session->cuda->cuModuleGetGlobal_v2 (address, &bytes, session->module, name);
  return status == 0 || fail (session, "cuModuleGetGlobal", status, error);
}

static gboolean
put_addresses (const Session *session, const WpCudaCall *call, GError **error)
{
  for (guint i = 0; i < call->addresses->len; i++)
    {
      const WpCudaAddress *at = &g_array_index (call->addresses, WpCudaAddress, i);
      CudaPointer address = 0;

      if (!locate (session, at->name, &address, error))
        return FALSE;
      address += (guint64)at->addend;
      g_return_val_if_fail (at->offset + sizeof address <= call->arguments->len, FALSE);
      memcpy (call->arguments->data + at->offset, &address, sizeof address);
    }
  return TRUE;
}

/* The driver takes all arguments in one piece, behind these marks. */
#define ARGUMENTS ((void *)1)
#define ARGUMENTS_SIZE ((void *)2)

static gboolean
launch (const Session *session, CudaFunction function, const WpCudaCall *call, GError **error)
{
  size_t bytes = call->arguments->len;
  void *extra[] = { ARGUMENTS, call->arguments->data, ARGUMENTS_SIZE, &bytes, NULL };
  int status = session->cuda->cuLaunchKernel (function, call->grid[0], call->grid[1], call->grid[2],
                                              call->block[0], call->block[1], call->block[2],
                                              call->shared, NULL, NULL, extra);

  return status == 0 || fail (session, "cuLaunchKernel", status, error);
}

/* The kernel of CALL, which may have as much shared memory as it asks for. */
static CudaFunction
find_kernel (const Session *session, const WpCudaCall *call, GError **error)
{
  CudaFunction function = NULL;
  int status = session->cuda->cuModuleGetFunction (&function, session->module, call->entry);

  if (status == 0 && call->shared > 0)
    status = session->cuda->cuFuncSetAttribute (function, CUDA_FUNCTION_SHARED_AT_MOST,
                                                (int)call->shared);
  if (status == 0)
    return function;
  fail (session, "cuModuleGetFunction", status, error);
  return NULL;
}

/* The time of CALL in microseconds. */
static gboolean
time_call (const Session *session, const WpCudaCall *call, gdouble *us, GError **error)
{
  const WpCuda *cuda = session->cuda;
  CudaFunction function = find_kernel (session, call, error);
  float ms = 0;
  int status;

  if (function == NULL || !put_addresses (session, call, error))
    return FALSE;
  status = cuda->cuEventRecord (session->events[0], NULL);
  if (status != 0)
    return fail (session, "cuEventRecord", status, error);
  if (!launch (session, function, call, error))
    return FALSE;
  status = cuda->cuEventRecord (session->events[1], NULL);
  if (status == 0)
    status = cuda->cuCtxSynchronize ();
  if (status == 0)
    status = cuda->cuEventElapsedTime (&ms, session->events[0], session->events[1]);
  *us = (gdouble)ms * 1000;
  return status == 0 || fail (session, "the kernel", status, error);
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  const gdouble *one = a, *other = b;

  return *one < *other ? -1 : *one > *other;
}

/* Runs all calls in their order. US: what the last one took. */
static gboolean
time_last (const Session *session, gdouble *us, GError **error)
{
  const GPtrArray *calls = session->code->calls;

  if (!begin (session, error))
    return FALSE;
  for (guint i = 0; i < calls->len; i++)
    if (!time_call (session, g_ptr_array_index (calls, i), us, error))
      return FALSE;
  return TRUE;
}

static gboolean
time_all (const Session *session, guint runs, WpCudaTimes *times, GError **error)
{
  g_autofree gdouble *us = g_new0 (gdouble, runs + 1);

  for (guint i = 0; i <= runs; i++)
    if (!time_last (session, &us[i], error))
      return FALSE;
  qsort (us + 1, runs, sizeof us[0], compare_times);
  *times = (WpCudaTimes){ g_strdup (session->name), runs, us[1], us[(runs + 1) / 2], us[runs] };
  return TRUE;
}

gboolean
wp_cuda_code_time (const WpCudaCode *code, guint runs, WpCudaTimes *times, GError **error)
{
  Session session = { .code = code, .cuda = wp_cuda_load (error) };
  gboolean done;

  if (session.cuda == NULL)
    return FALSE;
  session.buffers = g_new0 (CudaPointer, code->buffers->len);
  done = start (&session, error) && allocate (&session, error)
         && time_all (&session, MAX (runs, 1), times, error);
  session_clear (&session);
  return done;
}
