/* SPDX-License-Identifier: MIT */
/* What a recorder has kept, column by column, where it lies: a column is a buffer whose items are a
 * row apart, which NumPy takes without a copy. Columns keep the rows alive. */
#include "core.h"

#include <stddef.h>

typedef struct
{
  PyObject base;
  WpRecorder *recorder;
} Rows;

typedef struct
{
  PyObject base;
  PyObject *rows; /* which own what it shows */
  const char *first;
  const char *format; /* as struct has it */
  Py_ssize_t size, n, stride;
} Column;

/* Members of rows. FORMAT NULL: a text, which becomes a list. */
typedef struct
{
  const char *name, *format;
  size_t offset, size;
} Member;

#define U32(row, name)                                                                             \
  {                                                                                                \
#name, "I", offsetof(row, name), sizeof(guint32)                                               \
  }
#define U64(row, name)                                                                             \
  {                                                                                                \
#name, "Q", offsetof(row, name), sizeof(guint64)                                               \
  }
#define I64(row, name)                                                                             \
  {                                                                                                \
#name, "q", offsetof(row, name), sizeof(gint64)                                                \
  }
#define TEXT(row, name)                                                                            \
  {                                                                                                \
#name, NULL, offsetof(row, name), 0                                                            \
  }

static const Member lifetimes[] = {
  U32 (WpLifetimeRow, sm),           U64 (WpLifetimeRow, block),     U32 (WpLifetimeRow, warp),
  U32 (WpLifetimeRow, slot),         U32 (WpLifetimeRow, scheduler), I64 (WpLifetimeRow, start),
  I64 (WpLifetimeRow, end),          U64 (WpLifetimeRow, issued),    I64 (WpLifetimeRow, barrier),
  I64 (WpLifetimeRow, dependency),   I64 (WpLifetimeRow, ilp),       I64 (WpLifetimeRow, pipeline),
  I64 (WpLifetimeRow, not_selected), I64 (WpLifetimeRow, drain),     { NULL, NULL, 0, 0 }
};
static const Member occupancy[] = { U32 (WpOccupancyRow, sm),
                                    I64 (WpOccupancyRow, time),
                                    U64 (WpOccupancyRow, blocks),
                                    U64 (WpOccupancyRow, warps),
                                    { NULL, NULL, 0, 0 } };
static const Member issues[]
    = { I64 (WpIssueRow, time),     U32 (WpIssueRow, sm),        U32 (WpIssueRow, scheduler),
        U64 (WpIssueRow, block),    U32 (WpIssueRow, warp),      U64 (WpIssueRow, index),
        TEXT (WpIssueRow, op),      TEXT (WpIssueRow, pipeline), I64 (WpIssueRow, start),
        I64 (WpIssueRow, complete), U32 (WpIssueRow, reason),    U64 (WpIssueRow, producer),
        { NULL, NULL, 0, 0 } };

G_STATIC_ASSERT (sizeof (WpWait) == sizeof (guint32));

/* ---- Columns ---- */

static int
get_buffer (PyObject *self, Py_buffer *view, int flags)
{
  Column *column = (Column *)self;

  if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE || (flags & PyBUF_STRIDES) != PyBUF_STRIDES)
    {
      PyErr_SetString (PyExc_BufferError, "a column is read-only, and its items are a row apart");
      view->obj = NULL;
      return -1;
    }
  *view = (Py_buffer){ .buf = (void *)column->first,
                       .obj = Py_NewRef (self),
                       .len = column->n * column->size,
                       .itemsize = column->size,
                       .readonly = 1,
                       .ndim = 1,
                       .format = flags & PyBUF_FORMAT ? (char *)column->format : NULL,
                       .shape = &column->n,
                       .strides = &column->stride };
  return 0;
}

static void
free_column (PyObject *self)
{
  Py_XDECREF (((Column *)self)->rows);
  core_free (self);
}

static PyType_Slot column_slots[]
    = { { Py_bf_getbuffer, get_buffer }, { Py_tp_dealloc, free_column }, { 0, NULL } };

PyType_Spec core_column_spec
    = { "warpipe._core.Column", sizeof (Column), 0,
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, column_slots };

/* A memoryview of MEMBER in N rows of STRIDE bytes from FIRST on. */
static PyObject *
make_column (PyObject *rows, const Member *member, const char *first, gsize n, gsize stride)
{
  PyObject *object = core_allocate (core_column_type), *view;
  Column *column = (Column *)object;

  if (object == NULL)
    return NULL;
  column->rows = Py_NewRef (rows);
  column->first = n > 0 ? first + member->offset : "";
  column->format = member->format;
  column->size = (Py_ssize_t)member->size;
  column->n = (Py_ssize_t)n;
  column->stride = (Py_ssize_t)stride;
  view = PyMemoryView_FromObject (object);
  Py_DECREF (object);
  return view;
}

static PyObject *
make_texts (const Member *member, const char *first, gsize n, gsize stride)
{
  PyObject *list = PyList_New ((Py_ssize_t)n);

  for (gsize i = 0; list != NULL && i < n; i++)
    {
      const char *text = *(const char *const *)(first + i * stride + member->offset);
      PyObject *item = PyUnicode_InternFromString (text);

      if (item == NULL)
        Py_CLEAR (list);
      else
        PyList_SetItem (list, (Py_ssize_t)i, item);
    }
  return list;
}

static PyObject *
make_table (PyObject *rows, const Member *members, const void *first, gsize n, gsize stride)
{
  PyObject *table = PyDict_New ();

  for (; table != NULL && members->name != NULL; members++)
    {
      PyObject *column = members->format != NULL ? make_column (rows, members, first, n, stride)
                                                 : make_texts (members, first, n, stride);

      if (column == NULL || PyDict_SetItemString (table, members->name, column) < 0)
        Py_CLEAR (table);
      Py_XDECREF (column);
    }
  return table;
}

/* ---- Rows ---- */

static PyObject *
get_lifetimes (PyObject *self, void *data)
{
  gsize n;
  const WpLifetimeRow *first = wp_recorder_get_lifetimes (((Rows *)self)->recorder, &n);

  (void)data;
  return make_table (self, lifetimes, first, n, sizeof *first);
}

static PyObject *
get_occupancy (PyObject *self, void *data)
{
  gsize n;
  const WpOccupancyRow *first = wp_recorder_get_occupancy (((Rows *)self)->recorder, &n);

  (void)data;
  return make_table (self, occupancy, first, n, sizeof *first);
}

static PyObject *
get_issues (PyObject *self, void *data)
{
  gsize n;
  const WpIssueRow *first = wp_recorder_get_issues (((Rows *)self)->recorder, &n);

  (void)data;
  return make_table (self, issues, first, n, sizeof *first);
}

static PyObject *
get_ticks_per_cycle (PyObject *self, void *data)
{
  (void)data;
  return PyLong_FromLongLong (wp_recorder_get_ticks_per_cycle (((Rows *)self)->recorder));
}

static void
free_rows (PyObject *self)
{
  wp_recorder_free (((Rows *)self)->recorder);
  core_free (self);
}

static PyGetSetDef rows_members[] = { { "lifetimes", get_lifetimes, NULL, NULL, NULL },
                                      { "occupancy", get_occupancy, NULL, NULL, NULL },
                                      { "issues", get_issues, NULL, NULL, NULL },
                                      { "ticks_per_cycle", get_ticks_per_cycle, NULL, NULL, NULL },
                                      { 0 } };

static PyType_Slot rows_slots[]
    = { { Py_tp_getset, rows_members }, { Py_tp_dealloc, free_rows }, { 0, NULL } };

PyType_Spec core_rows_spec = { "warpipe._core.Rows", sizeof (Rows), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, rows_slots };

PyObject *
core_make_rows (WpRecorder *recorder)
{
  PyObject *rows = core_allocate (core_rows_type);

  if (rows == NULL)
    wp_recorder_free (recorder);
  else
    ((Rows *)rows)->recorder = recorder;
  return rows;
}
