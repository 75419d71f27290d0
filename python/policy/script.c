/* SPDX-License-Identifier: MIT */
/* A script becomes a policy: its class Policy is looked through once, when it is loaded. Python is
 * started with the first script, and never ended: objects of runs may outlive any moment to do so.
 */
#include "config.h"

#include "python/policy/private.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_KNOBS 64

/* What the program finds by this name. */
WP_POLICY_EXPORT WpPolicyScriptLoad wp_policy_script_load;

/* ---- Python ---- */

/* Standard output is for results. */
static const char prologue[] = "import sys\n"
                               "sys.stdout = sys.stderr\n";

static void
start_python (void)
{
  if (Py_IsInitialized ())
    return;
    /* Not the first python3 in $PATH, which may be another version with other modules. There is no
   * other way to say so that all versions have. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  Py_SetProgramName (L"" PYTHON_PROGRAM);
#pragma GCC diagnostic pop
  Py_InitializeEx (0); /* signals stay the program's */
  {
    PyObject *names = PyDict_New ();
    PyObject *code = Py_CompileString (prologue, "warpipe", Py_file_input);
    PyObject *result = names != NULL && code != NULL ? PyEval_EvalCode (code, names, names) : NULL;

    PyErr_Clear ();
    Py_XDECREF (result);
    Py_XDECREF (code);
    Py_XDECREF (names);
  }
  PyEval_SaveThread (); /* each call takes the lock */
}

/* ---- Running the script ---- */

/* The text of FILE, of N bytes, to be freed; NULL: an exception is set. */
static char *
read_file (const char *file)
{
  FILE *stream = fopen (file, "rb");
  char *text = NULL;
  size_t n = 0, room = 0;

  while (stream != NULL && !ferror (stream) && !feof (stream))
    {
      char *more = n + 1 < room ? text : realloc (text, room = 2 * room + 4096);

      if (more == NULL)
        break;
      text = more;
      n += fread (text + n, 1, room - n - 1, stream);
    }
  if (stream == NULL || ferror (stream) || !feof (stream))
    PyErr_SetString (PyExc_OSError, "it cannot be read");
  else if (memchr (text, '\0', n) != NULL)
    PyErr_SetString (PyExc_ValueError, "it is no text");
  else
    text[n] = '\0';
  if (stream != NULL)
    fclose (stream);
  if (!PyErr_Occurred ())
    return text;
  free (text);
  return NULL;
}

/* As when it is run: modules beside FILE are found. */
static bool
add_folder (const char *file)
{
  PyObject *path = PySys_GetObject ("path");
  PyObject *folder = PyUnicode_DecodeFSDefaultAndSize (file, strrchr (file, '/') - file);
  int there = path != NULL && folder != NULL ? PySequence_Contains (path, folder) : -1;
  bool added = there == 1 || (there == 0 && PyList_Insert (path, 0, folder) == 0);

  Py_XDECREF (folder);
  return added;
}

/* Runs FILE as a module of a name that no other has; its names, borrowed. NULL: an exception. */
static PyObject *
run_file (const char *file)
{
  char *text = read_file (file);
  PyObject *code = text != NULL ? Py_CompileString (text, file, Py_file_input) : NULL;
  PyObject *name = code != NULL ? PyUnicode_FromFormat ("warpipe.policy:%s", file) : NULL;
  PyObject *module = name != NULL ? PyImport_AddModuleObject (name) : NULL; /* borrowed */
  PyObject *names = module != NULL ? PyModule_GetDict (module) : NULL;
  PyObject *path = names != NULL ? PyUnicode_DecodeFSDefault (file) : NULL;
  PyObject *result = NULL;

  free (text);
  if (path != NULL && PyDict_SetItemString (names, "__file__", path) == 0
      && PyDict_SetItemString (names, "__builtins__", PyEval_GetBuiltins ()) == 0
      && add_folder (file))
    result = PyEval_EvalCode (code, names, names);
  Py_XDECREF (path);
  Py_XDECREF (name);
  Py_XDECREF (code);
  Py_XDECREF (result);
  return result != NULL ? names : NULL;
}

/* ---- The class ---- */

/* ATTRIBUTE of OBJECT, new; NULL: there is none, and no exception is set. */
static PyObject *
find_attribute (PyObject *object, const char *attribute)
{
  PyObject *value = PyObject_GetAttrString (object, attribute);

  PyErr_Clear ();
  return value;
}

static char *
copy_text (const char *text)
{
  char *copy = malloc (strlen (text) + 1);

  if (copy == NULL)
    {
      PyErr_NoMemory ();
      return NULL;
    }
  return strcpy (copy, text);
}

/* The first line of the class's docstring; "" if it has none. */
static char *
read_text (PyObject *type)
{
  PyObject *doc = find_attribute (type, "__doc__");
  const char *text
      = doc != NULL && PyUnicode_Check (doc) ? PyUnicode_AsUTF8AndSize (doc, NULL) : NULL;
  char *copy;

  PyErr_Clear ();
  copy = copy_text (text != NULL ? text : "");
  Py_XDECREF (doc);
  if (copy != NULL)
    copy[strcspn (copy, "\n")] = '\0';
  return copy;
}

/* NAME: (VALUE, MIN, MAX, TEXT) */
static bool
read_knob (PyObject *name, PyObject *entry, WpPolicyKnob *knob)
{
  const char *name_text = PyUnicode_Check (name) ? PyUnicode_AsUTF8AndSize (name, NULL) : NULL;
  long long value, min, max;
  const char *text;

  if (name_text == NULL || !PyTuple_Check (entry)
      || !PyArg_ParseTuple (entry, "LLLs", &value, &min, &max, &text))
    {
      PyErr_Clear ();
      PyErr_Format (PyExc_TypeError,
                    "knobs has %R: %R; expected \"name\": (value, min, max, \"what it does\")",
                    name, entry);
      return false;
    }
  *knob = (WpPolicyKnob){ copy_text (name_text), copy_text (text), value, min, max };
  return knob->name != NULL && knob->text != NULL;
}

static bool
read_knobs (PyObject *type, WpPolicyPlugin *plugin)
{
  PyObject *knobs = find_attribute (type, "knobs"), *name, *entry;
  WpPolicyKnob *list = calloc (MOST_KNOBS, sizeof *list);
  Py_ssize_t place = 0;
  bool good = list != NULL && (knobs == NULL || PyDict_Check (knobs));

  if (!good)
    PyErr_SetString (PyExc_TypeError, "knobs is no dict");
  while (good && knobs != NULL && PyDict_Next (knobs, &place, &name, &entry))
    {
      good = plugin->n_knobs < MOST_KNOBS;
      if (!good)
        PyErr_Format (PyExc_ValueError, "more than %d knobs", MOST_KNOBS);
      good = good && read_knob (name, entry, &list[plugin->n_knobs]);
      plugin->n_knobs += good;
    }
  plugin->knobs = list; /* freed with the process */
  Py_XDECREF (knobs);
  return good;
}

/* Which methods the class has; choose() it must have. */
static bool
find_methods (PyObject *type, bool *has)
{
  for (int i = 0; i < N_METHODS; i++)
    {
      PyObject *method = find_attribute (type, method_names[i]);

      has[i] = method != NULL && PyCallable_Check (method);
      Py_XDECREF (method);
    }
  if (!has[METHOD_CHOOSE])
    PyErr_SetString (PyExc_TypeError, "its class Policy has no method choose(self, view)");
  return has[METHOD_CHOOSE];
}

static int
find_choose_line (PyObject *type)
{
  PyObject *method = find_attribute (type, "choose");
  PyObject *code = method != NULL ? find_attribute (method, "__code__") : NULL;
  PyObject *line = code != NULL ? find_attribute (code, "co_firstlineno") : NULL;
  long number = line != NULL ? PyLong_AsLong (line) : 0;

  PyErr_Clear ();
  Py_XDECREF (line);
  Py_XDECREF (code);
  Py_XDECREF (method);
  return (int)number;
}

static bool
read_class (Script *script)
{
  PyObject *pure = find_attribute (script->type, "pure");
  WpPolicyPlugin *plugin = &script->policy.plugin;
  bool has[N_METHODS];

  *plugin = (WpPolicyPlugin){ WP_POLICY_HEAD };
  plugin->pure = pure != NULL && PyObject_IsTrue (pure) == 1;
  Py_XDECREF (pure);
  PyErr_Clear ();
  plugin->text = read_text (script->type);
  if (plugin->text == NULL || !read_knobs (script->type, plugin)
      || !find_methods (script->type, has))
    return false;
  calls_fill (plugin, has);
  script->choose_line = find_choose_line (script->type);
  return true;
}

/* ---- Loading ---- */

static bool
read_script (Script *script)
{
  PyObject *names = run_file (script->policy.file);
  PyObject *type = names != NULL ? PyDict_GetItemString (names, "Policy") : NULL; /* borrowed */

  if (names == NULL)
    return false;
  if (type == NULL || !PyType_Check (type))
    {
      PyErr_SetString (PyExc_TypeError,
                       "it has no class Policy; expected one with a method choose(self, view)");
      return false;
    }
  Py_INCREF (type);
  script->type = type;
  script->view = view_type_new ();
  return script->view != NULL && read_class (script);
}

const WpPolicyScript *
wp_policy_script_load (const char *file, char *problem, size_t room)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  static const Script *scripts; /* so that what stays does not look lost */
  Script *script = calloc (1, sizeof *script);
  PyGILState_STATE lock;
  bool good;

  snprintf (problem, room, "out of memory");
  pthread_once (&once, start_python);
  lock = PyGILState_Ensure ();
  good = script != NULL && (script->policy.file = copy_text (file)) != NULL && read_script (script);
  if (script != NULL && !good)
    errors_take (file, problem, room);
  if (script != NULL)
    {
      script->next = scripts;
      scripts = script;
    }
  PyGILState_Release (lock);
  return good ? &script->policy : NULL;
}
