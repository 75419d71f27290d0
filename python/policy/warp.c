/* SPDX-License-Identifier: MIT */
/* What is known of a warp, as a named tuple. */
#include "python/policy/private.h"

static PyStructSequence_Field fields[] = {
  { "age", "how many warps the SM launched before it: the older, the less" },
  { "block", "its block's number in the grid" },
  { "warp", "its number in the block" },
  { "slot", "its warp slot on the SM" },
  { "start", "when it launched, in ticks" },
  { "since", "when it issued last, in ticks; its start, if it has not" },
  { "ready", "when it may issue, in ticks; None: not known yet, or all is issued" },
  { "issued", "instructions that it has issued" },
  { "total", "instructions of its program" },
  { "program", "which program of the kernel it runs" },
  { "pc", "its next instruction; None: all is issued" },
  { "line", "of that in the kernel's file; 0: not known" },
  { "op", "of that; None: a barrier, or none" },
  { "pipeline", "of that; None: a barrier, or none" },
  { "wait", "why it does not issue now: none, dependency, ilp, barrier, pipeline or end" },
  { "waits_for", "of a dependence, the pipeline that the result comes from; else None" },
  { NULL, NULL },
};

#define N_FIELDS 16

static PyStructSequence_Desc description
    = { "warpipe.policy.Warp", "What is known of a warp.", fields, N_FIELDS };

PyObject *
number_or_none (uint32_t number, uint32_t none)
{
  if (number == none)
    Py_RETURN_NONE;
  return PyLong_FromUnsignedLong (number);
}

PyObject *
time_or_none (int64_t time)
{
  if (time == WP_POLICY_FOREVER)
    Py_RETURN_NONE;
  return PyLong_FromLongLong (time);
}

const char *
wait_get_name (WpPolicyWait wait)
{
  static const char *const names[] = {
    [WP_POLICY_WAIT_NONE] = "none",         [WP_POLICY_WAIT_DEPENDENCY] = "dependency",
    [WP_POLICY_WAIT_ILP] = "ilp",           [WP_POLICY_WAIT_BARRIER] = "barrier",
    [WP_POLICY_WAIT_PIPELINE] = "pipeline", [WP_POLICY_WAIT_END] = "end",
  };

  return names[wait];
}

static PyObject *
string_or_none (const char *text)
{
  if (text == NULL)
    Py_RETURN_NONE;
  return PyUnicode_FromString (text);
}

PyObject *
warp_new (const WpPolicyWarp *warp)
{
  static PyTypeObject *type; /* made under the lock, once */
  PyObject *object;
  Py_ssize_t i = 0;

  if (type == NULL)
    type = PyStructSequence_NewType (&description);
  object = type != NULL ? PyStructSequence_New (type) : NULL;
  if (object == NULL)
    return NULL;
  PyStructSequence_SetItem (object, i++, PyLong_FromUnsignedLongLong (warp->age));
  PyStructSequence_SetItem (object, i++, PyLong_FromUnsignedLongLong (warp->block));
  PyStructSequence_SetItem (object, i++, PyLong_FromUnsignedLong (warp->warp));
  PyStructSequence_SetItem (object, i++, PyLong_FromUnsignedLong (warp->slot));
  PyStructSequence_SetItem (object, i++, PyLong_FromLongLong (warp->start));
  PyStructSequence_SetItem (object, i++, PyLong_FromLongLong (warp->since));
  PyStructSequence_SetItem (object, i++, time_or_none (warp->ready));
  PyStructSequence_SetItem (object, i++, PyLong_FromUnsignedLongLong (warp->issued));
  PyStructSequence_SetItem (object, i++, PyLong_FromUnsignedLongLong (warp->total));
  PyStructSequence_SetItem (object, i++, PyLong_FromUnsignedLong (warp->program));
  PyStructSequence_SetItem (object, i++, number_or_none (warp->pc, WP_POLICY_NONE));
  PyStructSequence_SetItem (object, i++, PyLong_FromLong (warp->line));
  PyStructSequence_SetItem (object, i++, string_or_none (warp->op));
  PyStructSequence_SetItem (object, i++, number_or_none (warp->pipeline, WP_POLICY_NONE));
  PyStructSequence_SetItem (object, i++, PyUnicode_FromString (wait_get_name (warp->wait)));
  PyStructSequence_SetItem (object, i++,
                            warp->wait == WP_POLICY_WAIT_DEPENDENCY
                                ? number_or_none (warp->waits_for, WP_POLICY_NONE)
                                : number_or_none (0, 0));
  if (!PyErr_Occurred ())
    return object;
  Py_DECREF (object);
  return NULL;
}
