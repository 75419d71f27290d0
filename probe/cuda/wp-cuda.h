/* SPDX-License-Identifier: MIT */
/* The CUDA driver as it is found when the program runs. Nothing of it is needed to build. */
#pragma once

#include <glib.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef int CudaDevice;
typedef guint64 CudaPointer; /* in the memory of the device */
typedef struct CudaContextThing *CudaContext;
typedef struct CudaModuleThing *CudaModule;
typedef struct CudaFunctionThing *CudaFunction;
typedef struct CudaEventThing *CudaEvent;

/* Attributes of a device, of a function, and options of the assembler: the values of the driver's
 * header. */
enum
{
  CUDA_THREADS_PER_BLOCK = 1,
  CUDA_SHARED_PER_BLOCK = 8,
  CUDA_WARP_SIZE = 10,
  CUDA_CLOCK_KHZ = 13,
  CUDA_SMS = 16,
  CUDA_MEMORY_KHZ = 36,
  CUDA_MEMORY_BITS = 37,
  CUDA_L2_BYTES = 38,
  CUDA_THREADS_PER_SM = 39,
  CUDA_CC_MAJOR = 75,
  CUDA_CC_MINOR = 76,
  CUDA_SHARED_PER_SM = 81,
  CUDA_REGISTERS_PER_SM = 82,
  CUDA_SHARED_PER_BLOCK_AT_MOST = 97,
  CUDA_BLOCKS_PER_SM = 106,
  CUDA_SHARED_RESERVED = 111,
  CUDA_FUNCTION_SHARED_AT_MOST = 8,
  CUDA_JIT_ERRORS = 5,
  CUDA_JIT_ERRORS_SIZE = 6,
};

typedef struct
{
#define CALL(name, parameters) int (*name) parameters;
#include "probe/cuda/wp-cuda-calls.def"
#undef CALL
} WpCuda;

/* The functions of libcuda.so.1, loaded and initialized at the first call and never unloaded. NULL with
 * ERROR where this machine has none, or its driver fails. */
const WpCuda *wp_cuda_load (GError **error);

/* An attribute of DEVICE; 0: not told. */
gint64 wp_cuda_get (const WpCuda *cuda, CudaDevice device, int attribute);

/* As many bytes as are to be written so that L2 of DEVICE has nothing else: four times what it has, as
 * no driver says how it replaces, and 64 MB at least. */
gsize wp_cuda_count_to_clear (const WpCuda *cuda, CudaDevice device);

/* "CUDA_ERROR_OUT_OF_MEMORY"; static. */
const gchar *wp_cuda_get_error (const WpCuda *cuda, int status);

G_END_DECLS
