/* SPDX-License-Identifier: MIT */
/* OpenCL as it is found when the program runs: its library, its functions, its devices. Nothing of
 * it is needed to build. */
#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef gint32 ClStatus; /* 0: done; what went wrong is below 0 */
typedef guint32 ClUint;
typedef guint64 ClBits, ClUlong;
typedef struct ClPlatformThing *ClPlatform;
typedef struct ClDeviceThing *ClDevice;
typedef struct ClContextThing *ClContext;
typedef struct ClQueueThing *ClQueue;
typedef struct ClMemoryThing *ClMemory;
typedef struct ClProgramThing *ClProgram;
typedef struct ClKernelThing *ClKernel;
typedef struct ClEventThing *ClEvent;

/* Names of what can be asked for: the values of the specification's header. */
enum
{
  CL_PLATFORM_NAME = 0x0902,
  CL_DEVICE_TYPE = 0x1000,
  CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
  CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
  CL_DEVICE_MAX_CLOCK_FREQUENCY = 0x100C,
  CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
  CL_DEVICE_GLOBAL_MEM_CACHE_SIZE = 0x101E,
  CL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
  CL_DEVICE_NAME = 0x102B,
  CL_DEVICE_EXTENSIONS = 0x1030,
  CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV = 0x4000,
  CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV = 0x4001,
  CL_DEVICE_REGISTERS_PER_BLOCK_NV = 0x4002,
  CL_DEVICE_WARP_SIZE_NV = 0x4003,
  CL_DEVICE_WAVEFRONT_WIDTH_AMD = 0x4043,
  CL_KERNEL_WORK_GROUP_SIZE = 0x11B0,
  CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE = 0x11B3,
  CL_PROGRAM_BUILD_LOG = 0x1183,
  CL_PROFILING_COMMAND_START = 0x1282,
  CL_PROFILING_COMMAND_END = 0x1283,
};

#define CL_DEVICE_TYPE_GPU ((ClBits)1 << 2)
#define CL_DEVICE_TYPE_ALL ((ClBits)0xFFFFFFFF)
#define CL_MEM_READ_WRITE ((ClBits)1 << 0)
#define CL_QUEUE_PROFILING_ENABLE ((ClBits)1 << 1)

typedef struct
{
#define CALL(result, name, parameters) result (*name) parameters;
#include "probe/opencl/wp-opencl-calls.def"
#undef CALL
} WpOpenCl;

/* The functions of libOpenCL.so.1, loaded at the first call and never unloaded. NULL with ERROR where
 * this machine lacks it. */
const WpOpenCl *wp_opencl_load (GError **error);

typedef struct
{
  ClDevice id;
  gchar *name, *platform;
  gboolean is_gpu;
} WpOpenClDevice;

/* All devices of all platforms, in the order in which they are told: an array of WpOpenClDevice. Free
 * with g_array_unref(). */
GArray *wp_opencl_list (const WpOpenCl *cl);

/* A number of DEVICE called NAME, of whatever width; 0: not told. */
guint64 wp_opencl_get_number (const WpOpenCl *cl, ClDevice device, ClUint name);

/* A text of DEVICE called NAME; free with g_free(). */
gchar *wp_opencl_get_text (const WpOpenCl *cl, ClDevice device, ClUint name);

G_END_DECLS
