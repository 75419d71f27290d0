/* SPDX-License-Identifier: MIT */
#include "core.h"

#include <string.h>

static gboolean
tell_progress (double share, gpointer data)
{
  CoreCall *call = data;
  PyObject *result = NULL;

  core_call_enter_python (call);
  if (PyErr_CheckSignals () == 0)
    result = call->progress != Py_None ? PyObject_CallFunction (call->progress, "d", share)
                                       : Py_NewRef (Py_None);
  call->raised |= result == NULL;
  Py_XDECREF (result);
  core_call_leave_python (call);
  return !call->raised;
}

static void
tell_message (const char *message, gpointer data)
{
  CoreCall *call = data;
  PyObject *result;

  if (call->raised)
    return;
  core_call_enter_python (call);
  result = PyObject_CallFunction (call->messages, "N", core_text (message));
  call->raised |= result == NULL;
  Py_XDECREF (result);
  core_call_leave_python (call);
}

static gboolean
set_option (CoreCall *call, PyObject *pair)
{
  GError *error = NULL;
  const char *name, *value;

  if (!PyArg_ParseTuple (pair, "ss", &name, &value))
    return FALSE;
  if (!wp_options_set (call->options, name, value, &error))
    core_raise (NULL, error);
  return error == NULL;
}

gboolean
core_call_init (CoreCall *call, PyObject *options, PyObject *progress, PyObject *messages)
{
  Py_ssize_t n = PyTuple_Size (options);

  *call = (CoreCall){ .options = wp_options_new (), .progress = progress, .messages = messages };
  for (Py_ssize_t i = 0; i < n; i++)
    if (!set_option (call, PyTuple_GetItem (options, i)))
      {
        core_call_clear (call);
        return FALSE;
      }
  wp_options_set_progress (call->options, tell_progress, call);
  if (messages != Py_None)
    wp_options_set_messages (call->options, tell_message, call);
  return TRUE;
}

void
core_call_clear (CoreCall *call)
{
  wp_options_free (call->options);
  call->options = NULL;
}

void
core_call_leave (CoreCall *call)
{
  call->thread = PyEval_SaveThread ();
}

void
core_call_return (CoreCall *call)
{
  PyEval_RestoreThread (call->thread);
}

void
core_call_enter_python (CoreCall *call)
{
  PyEval_RestoreThread (call->thread);
}

void
core_call_leave_python (CoreCall *call)
{
  call->thread = PyEval_SaveThread ();
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
