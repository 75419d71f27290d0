/* SPDX-License-Identifier: MIT */
/* What a policy sees, as a Python object. It shows something only while the policy is called: a
 * script that keeps it gets an exception, and no memory that is gone. */
#include "python/policy/private.h"

#include <stddef.h>
#include <stdlib.h>

typedef struct
{
  PyObject head;
  const WpPolicyView *view; /* NULL: outside of a call */
  bool holds, stopped;
  int64_t until; /* of a hold */
} View;

/* What OBJECT shows; NULL: an exception is set. */
static const WpPolicyView *
get_view (PyObject *object)
{
  const WpPolicyView *view = ((View *)object)->view;

  if (view == NULL)
    PyErr_SetString (PyExc_RuntimeError, "a view shows nothing once the call has returned");
  return view;
}

/* ---- Attributes ---- */

/* Members are told apart by where they are in a WpPolicyView. */
#define MEMBER(name) ((void *)offsetof (WpPolicyView, name))
#define AT(type, view, member) (*(const type *)((const char *)(view) + (size_t)(member)))

static PyObject *
get_number (PyObject *self, void *member)
{
  const WpPolicyView *view = get_view (self);

  return view != NULL ? PyLong_FromUnsignedLong (AT (uint32_t, view, member)) : NULL;
}

static PyObject *
get_warp (PyObject *self, void *member)
{
  const WpPolicyView *view = get_view (self);

  return view != NULL ? number_or_none (AT (uint32_t, view, member), WP_POLICY_NOBODY) : NULL;
}

static PyObject *
get_time (PyObject *self, void *member)
{
  const WpPolicyView *view = get_view (self);

  return view != NULL ? PyLong_FromLongLong (AT (int64_t, view, member)) : NULL;
}

static PyObject *
get_last_ready (PyObject *self, void *member)
{
  const WpPolicyView *view = get_view (self);

  (void)member;
  return view != NULL ? PyBool_FromLong (view->last_ready) : NULL;
}

static PyGetSetDef attributes[] = {
  { "now", get_time, NULL, "the time, in ticks; 0 of a pure policy", MEMBER (now) },
  { "ticks_per_cycle", get_time, NULL, "ticks of a clock cycle", MEMBER (ticks_per_cycle) },
  { "sm", get_number, NULL, "the SM's number", MEMBER (sm) },
  { "scheduler", get_number, NULL, "the scheduler's number on the SM", MEMBER (scheduler) },
  { "n_schedulers", get_number, NULL, "schedulers of an SM", MEMBER (n_schedulers) },
  { "n_slots", get_number, NULL, "warp slots of the scheduler", MEMBER (n_slots) },
  { "n_pipelines", get_number, NULL, "pipelines of the GPU", MEMBER (n_pipelines) },
  { "last", get_warp, NULL, "the warp that issued last, or None", MEMBER (last) },
  { "oldest", get_warp, NULL, "the oldest warp that can issue (in choose)", MEMBER (oldest) },
  { "youngest", get_warp, NULL, "the youngest (in choose)", MEMBER (youngest) },
  { "last_ready", get_last_ready, NULL, "whether last can issue now (in choose)", NULL },
  { NULL, NULL, NULL, NULL, NULL },
};

/* ---- Methods ---- */

static PyObject *
make_list (const uint32_t *warps, uint32_t n)
{
  PyObject *list = PyList_New (n);

  for (uint32_t i = 0; list != NULL && i < n; i++)
    if (PyList_SetItem (list, i, PyLong_FromUnsignedLong (warps[i])) < 0)
      Py_CLEAR (list);
  return list;
}

static PyObject *
ready (PyObject *self, PyObject *arguments)
{
  const WpPolicyView *view = get_view (self);
  uint32_t n = 0;
  const uint32_t *warps;

  (void)arguments;
  if (view == NULL)
    return NULL;
  if (view->get_ready == NULL)
    {
      PyErr_SetString (PyExc_RuntimeError, "ready() is for choose()");
      return NULL;
    }
  warps = view->get_ready (view, &n);
  return make_list (warps, n);
}

static PyObject *
list_warps (PyObject *self, PyObject *arguments)
{
  const WpPolicyView *view = get_view (self);
  PyObject *list;
  uint32_t *warps;

  (void)arguments;
  if (view == NULL)
    return NULL;
  warps = malloc ((view->n_slots + (size_t)1) * sizeof *warps);
  if (warps == NULL)
    return PyErr_NoMemory ();
  list = make_list (warps, view->list (view, warps));
  free (warps);
  return list;
}

static PyObject *
look (PyObject *self, PyObject *warp)
{
  const WpPolicyView *view = get_view (self);
  unsigned long number = view != NULL ? PyLong_AsUnsignedLong (warp) : 0;
  WpPolicyWarp info;

  if (view == NULL || PyErr_Occurred ())
    return NULL;
  if (number >= view->n_slots || !view->look (view, (uint32_t)number, &info, sizeof info))
    Py_RETURN_NONE;
  return warp_new (&info);
}

static PyObject *
pipeline (PyObject *self, PyObject *argument)
{
  const WpPolicyView *view = get_view (self);
  unsigned long number = view != NULL ? PyLong_AsUnsignedLong (argument) : 0;
  bool memory = false;
  const char *name;

  if (view == NULL || PyErr_Occurred ())
    return NULL;
  name = number < view->n_pipelines ? view->get_pipeline (view, (uint32_t)number, &memory) : NULL;
  if (name == NULL)
    return PyErr_Format (PyExc_IndexError, "there is no pipeline %lu; there are %u, from 0", number,
                         view->n_pipelines);
  return Py_BuildValue ("(sO)", name, memory ? Py_True : Py_False);
}

static PyObject *
hold (PyObject *self, PyObject *arguments)
{
  View *object = (View *)self;
  long long until = WP_POLICY_FOREVER;

  if (get_view (self) == NULL || !PyArg_ParseTuple (arguments, "|L:hold", &until))
    return NULL;
  object->holds = true;
  object->until = until;
  Py_RETURN_NONE;
}

static PyObject *
stop (PyObject *self, PyObject *text)
{
  const WpPolicyView *view = get_view (self);
  const char *bytes = view != NULL ? PyUnicode_AsUTF8AndSize (text, NULL) : NULL;

  if (bytes == NULL)
    return NULL;
  view->stop (view, bytes);
  ((View *)self)->stopped = true;
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
  { "ready", ready, METH_NOARGS,
    "ready() -> list[int]: the warps that can issue now, from the oldest to the youngest" },
  { "warps", list_warps, METH_NOARGS,
    "warps() -> list[int]: all resident warps, from the oldest to the youngest" },
  { "look", look, METH_O, "look(warp) -> Warp: what is known of a warp; None: there is none" },
  { "pipeline", pipeline, METH_O,
    "pipeline(number) -> (name, memory): a pipeline's name, and whether it is of kind memory" },
  { "hold", hold, METH_VARARGS,
    "hold(until=None): what choose() returns as None: no warp, until that time in ticks at most" },
  { "stop", stop, METH_O, "stop(text): ends the run with an error" },
  { NULL, NULL, 0, NULL },
};

/* ---- The type ---- */

static void
destroy (PyObject *self)
{
  PyTypeObject *type = Py_TYPE (self);

  PyObject_Free (self);
  Py_DECREF (type);
}

PyObject *
view_type_new (void)
{
  static PyType_Slot slots[] = {
    { Py_tp_doc, "What a policy sees of its scheduler." },
    { Py_tp_getset, attributes },
    { Py_tp_methods, methods },
    { Py_tp_dealloc, destroy },
    { 0, NULL },
  };
  static PyType_Spec spec = { .name = "warpipe.policy.View",
                              .basicsize = sizeof (View),
                              .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                              .slots = slots };

  return PyType_FromSpec (&spec);
}

PyObject *
view_new (PyObject *type)
{
  View *object = PyObject_New (View, (PyTypeObject *)type);

  if (object != NULL)
    view_show ((PyObject *)object, NULL);
  return (PyObject *)object;
}

void
view_show (PyObject *object, const WpPolicyView *view)
{
  View *self = (View *)object;

  self->view = view;
  self->holds = self->stopped = false;
}

bool
view_get_hold (PyObject *object, int64_t *until)
{
  const View *self = (const View *)object;

  if (self->holds)
    *until = self->until;
  return self->holds;
}

bool
view_is_stopped (PyObject *object)
{
  return ((const View *)object)->stopped;
}
