/* SPDX-License-Identifier: MIT */
/* What all files of the module need. */
#include "core.h"

#include <string.h>

PyObject *core_error;
PyTypeObject *core_kernel_type, *core_gpu_type, *core_rows_type, *core_column_type;

PyObject *
core_allocate (PyTypeObject *type)
{
  return ((allocfunc)PyType_GetSlot (type, Py_tp_alloc)) (type, 0);
}

void
core_free (PyObject *object)
{
  PyTypeObject *type = Py_TYPE (object);

  ((freefunc)PyType_GetSlot (type, Py_tp_free)) (object);
  Py_DECREF (type);
}

PyObject *
core_text (const char *text)
{
  if (text == NULL)
    return Py_NewRef (Py_None);
  return PyUnicode_DecodeUTF8 (text, (Py_ssize_t)strlen (text), "replace");
}

/* What kind of error it is, in a word. IdgError has the same numbers as far as it goes. */
static const char *
get_kind (const GError *error)
{
  switch (error->code)
    {
    case WP_ERROR_READ:
      return "read";
    case WP_ERROR_SYNTAX:
      return "syntax";
    case WP_ERROR_VALUE:
      return "value";
    case WP_ERROR_FIT:
      return "fit";
    case WP_ERROR_LIMIT:
      return "limit";
    case WP_ERROR_MEMORY:
      return "memory";
    case WP_ERROR_OPTION:
      return "option";
    case WP_ERROR_OVERFLOW:
      return "overflow";
    case WP_ERROR_CANCELLED:
      return "cancelled";
    case WP_ERROR_WRITE:
      return "write";
    case WP_ERROR_STUCK:
      return "stuck";
    default:
      return "other";
    }
}

PyObject *
core_raise (const CoreCall *call, GError *error)
{
  PyObject *text, *kind, *exception = NULL;

  if (call != NULL && call->raised)
    {
      g_clear_error (&error);
      return NULL;
    }
  text = core_text (error->message);
  kind = core_text (get_kind (error));
  if (text != NULL && kind != NULL)
    exception = PyObject_CallFunctionObjArgs (core_error, text, NULL);
  if (exception != NULL && PyObject_SetAttrString (exception, "kind", kind) == 0)
    PyErr_SetObject (core_error, exception);
  Py_XDECREF (exception);
  Py_XDECREF (text);
  Py_XDECREF (kind);
  g_error_free (error);
  return NULL;
}
