/* SPDX-License-Identifier: MIT */
/* Kernels and GPUs: read once, used by any number of simulations, never changed. */
#include "core.h"

#include "idg/kernel/idg-kernel.h"
#include "sim/gpu/wp-gpu.h"
#include "sim/gpu/wp-occupancy.h"
#include "sim/gpu/wp-resolve.h"

typedef struct
{
  PyObject base;
  IdgKernel *kernel;
} Kernel;

typedef struct
{
  PyObject base;
  WpGpu *gpu;
} Gpu;

const IdgKernel *
core_get_kernel (PyObject *kernel)
{
  return ((Kernel *)kernel)->kernel;
}

const WpGpu *
core_get_gpu (PyObject *gpu)
{
  return ((Gpu *)gpu)->gpu;
}

/* ---- Kernels ---- */

/* Kernel(name, text, options, messages): TEXT, or where it is None what NAME names. */
static PyObject *
new_kernel (PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  const char *name, *text;
  PyObject *options, *messages, *self;
  IdgKernel *kernel;
  GError *error = NULL;
  CoreCall call;

  (void)keywords;
  if (!PyArg_ParseTuple (args, "szO!O", &name, &text, &PyTuple_Type, &options, &messages)
      || !core_call_init (&call, options, Py_None, messages))
    return NULL;
  core_call_leave (&call);
  kernel = text != NULL ? wp_kernel_read (text, name, call.options, &error)
                        : wp_kernel_open (name, call.options, &error);
  core_call_return (&call);
  core_call_clear (&call);
  if (kernel == NULL || call.raised)
    {
      idg_kernel_free (kernel);
      return core_raise (&call, error);
    }
  self = core_allocate (type);
  if (self == NULL)
    idg_kernel_free (kernel);
  else
    ((Kernel *)self)->kernel = kernel;
  return self;
}

static void
free_kernel (PyObject *self)
{
  idg_kernel_free (((Kernel *)self)->kernel);
  core_free (self);
}

static PyObject *
get_kernel_name (PyObject *self, void *data)
{
  (void)data;
  return core_text (((Kernel *)self)->kernel->name);
}

static PyObject *
get_kernel_title (PyObject *self, void *data)
{
  (void)data;
  return core_text (((Kernel *)self)->kernel->title);
}

static PyObject *
get_kernel_launch (PyObject *self, void *data)
{
  const IdgLaunch *launch = &((Kernel *)self)->kernel->launch;

  (void)data;
  return Py_BuildValue ("{s:L,s:L,s:L,s:L}", "blocks", (long long)launch->blocks, "threads",
                        (long long)launch->threads, "registers", (long long)launch->registers,
                        "shared_memory", (long long)launch->shared_memory);
}

static PyObject *
get_kernel_parameters (PyObject *self, void *data)
{
  const IdgKernel *kernel = ((Kernel *)self)->kernel;
  PyObject *values = PyDict_New ();

  (void)data;
  for (guint i = 0; values != NULL && i < kernel->parameters->len; i++)
    {
      const IdgParameter *parameter = g_ptr_array_index (kernel->parameters, i);
      PyObject *value = PyLong_FromString (parameter->value, NULL, 10);

      if (value == NULL || PyDict_SetItemString (values, parameter->name, value) < 0)
        Py_CLEAR (values);
      Py_XDECREF (value);
    }
  return values;
}

static PyObject *
kernel_to_xml (PyObject *self, PyObject *args)
{
  gsize length;
  gchar *text = idg_kernel_to_xml (((Kernel *)self)->kernel, &length);
  PyObject *result = PyUnicode_DecodeUTF8 (text, (Py_ssize_t)length, "replace");

  (void)args;
  g_free (text);
  return result;
}

static PyGetSetDef kernel_members[] = { { "name", get_kernel_name, NULL, NULL, NULL },
                                        { "title", get_kernel_title, NULL, NULL, NULL },
                                        { "launch", get_kernel_launch, NULL, NULL, NULL },
                                        { "parameters", get_kernel_parameters, NULL, NULL, NULL },
                                        { 0 } };

static PyMethodDef kernel_methods[] = { { "to_xml", kernel_to_xml, METH_NOARGS, NULL }, { 0 } };

static PyType_Slot kernel_slots[] = { { Py_tp_new, new_kernel },
                                      { Py_tp_dealloc, free_kernel },
                                      { Py_tp_getset, kernel_members },
                                      { Py_tp_methods, kernel_methods },
                                      { 0, NULL } };

PyType_Spec core_kernel_spec = { "warpipe._core.Kernel", sizeof (Kernel), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, kernel_slots };

/* ---- GPUs ---- */

/* Gpu(name, text): TEXT, or where it is None what NAME names. */
static PyObject *
new_gpu (PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  const char *name, *text;
  GError *error = NULL;
  PyObject *self;
  WpGpu *gpu;

  (void)keywords;
  if (!PyArg_ParseTuple (args, "sz", &name, &text))
    return NULL;
  Py_BEGIN_ALLOW_THREADS gpu
      = text != NULL ? wp_gpu_read (text, name, &error) : wp_gpu_open (name, &error);
  Py_END_ALLOW_THREADS if (gpu == NULL) return core_raise (NULL, error);
  self = core_allocate (type);
  if (self == NULL)
    wp_gpu_free (gpu);
  else
    ((Gpu *)self)->gpu = gpu;
  return self;
}

static void
free_gpu (PyObject *self)
{
  wp_gpu_free (((Gpu *)self)->gpu);
  core_free (self);
}

static PyObject *
get_gpu_name (PyObject *self, void *data)
{
  (void)data;
  return core_text (((Gpu *)self)->gpu->name);
}

static PyObject *
get_gpu_title (PyObject *self, void *data)
{
  (void)data;
  return core_text (((Gpu *)self)->gpu->title);
}

static PyObject *
get_gpu_generation (PyObject *self, void *data)
{
  (void)data;
  return core_text (((Gpu *)self)->gpu->generation);
}

/* How many blocks each limit allows; None where it does not bind. */
static PyObject *
make_limits (const WpOccupancy *found)
{
  PyObject *limits = PyDict_New ();

  for (WpLimit limit = 0; limits != NULL && limit < WP_N_LIMITS; limit++)
    {
      gint64 blocks = found->by[limit];
      PyObject *value
          = blocks != WP_DOES_NOT_BIND ? PyLong_FromLongLong (blocks) : Py_NewRef (Py_None);

      if (value == NULL || PyDict_SetItemString (limits, wp_limit_get_name (limit), value) < 0)
        Py_CLEAR (limits);
      Py_XDECREF (value);
    }
  return limits;
}

/* occupancy(threads, registers, shared_memory, cap): blocks, warps of a block, limits. */
static PyObject *
gpu_occupancy (PyObject *self, PyObject *args)
{
  const WpGpu *gpu = ((Gpu *)self)->gpu;
  long long threads, registers, shared_memory, cap;
  IdgLaunch launch = { .blocks = 1 };
  GError *error = NULL;
  WpOccupancy found;

  if (!PyArg_ParseTuple (args, "LLLL", &threads, &registers, &shared_memory, &cap))
    return NULL;
  if (threads < 1 || threads > IDG_MAX_THREADS || registers < 0 || registers > IDG_MAX_REGISTERS
      || shared_memory < 0 || shared_memory > IDG_MAX_SHARED_MEMORY || cap < 0
      || cap > WP_MAX_RESIDENT_WARPS)
    {
      PyErr_Format (PyExc_ValueError,
                    "threads must be 1 to %d, registers 0 to %d, shared_memory 0 to %lld, "
                    "occupancy 1 to %d",
                    (int)IDG_MAX_THREADS, (int)IDG_MAX_REGISTERS, (long long)IDG_MAX_SHARED_MEMORY,
                    (int)WP_MAX_RESIDENT_WARPS);
      return NULL;
    }
  launch.threads = threads;
  launch.registers = registers;
  launch.shared_memory = shared_memory;
  if (!wp_occupancy_compute (gpu, &launch, cap, FALSE, &found, &error))
    return core_raise (NULL, error);
  return Py_BuildValue ("(LLN)", found.blocks != WP_DOES_NOT_BIND ? (long long)found.blocks : -1LL,
                        (long long)found.warps_per_block, make_limits (&found));
}

static PyMethodDef gpu_methods[] = { { "_occupancy", gpu_occupancy, METH_VARARGS, NULL }, { 0 } };

static PyGetSetDef gpu_members[] = { { "name", get_gpu_name, NULL, NULL, NULL },
                                     { "title", get_gpu_title, NULL, NULL, NULL },
                                     { "generation", get_gpu_generation, NULL, NULL, NULL },
                                     { 0 } };

static PyType_Slot gpu_slots[] = { { Py_tp_new, new_gpu },
                                   { Py_tp_dealloc, free_gpu },
                                   { Py_tp_getset, gpu_members },
                                   { Py_tp_methods, gpu_methods },
                                   { 0, NULL } };

PyType_Spec core_gpu_spec
    = { "warpipe._core.Gpu", sizeof (Gpu), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, gpu_slots };
