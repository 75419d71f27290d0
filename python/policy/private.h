/* SPDX-License-Identifier: MIT */
/* Policies in Python behind warpipe/policy.h. Every function but those of calls.c and
 * wp_policy_script_load() is called with the interpreter's lock (GIL) held. */
#pragma once

#include <Python.h>

#include "run/base/policy-script.h"

/* What a policy may be told; choose() is always there. In the order of method_names. */
typedef enum
{
  METHOD_CHOOSE,
  METHOD_START,
  METHOD_LAUNCHED,
  METHOD_ISSUED,
  METHOD_ENDED,
  METHOD_WAIT_BEGINS,
  METHOD_WAIT_ENDS,
  N_METHODS
} Method;

extern const char *const method_names[N_METHODS];

/* A script that has been read: it stays until the process ends. */
typedef struct Script Script;
struct Script
{
  WpPolicyScript policy;
  PyObject *type;     /* the class Policy */
  PyObject *view;     /* the type View */
  int choose_line;    /* where choose() begins; 0: not known */
  const Script *next; /* read before; so that no leak is seen in what stays */
};

static inline const Script *
get_script (const WpPolicyView *view)
{
  return (const Script *)view->plugin;
}

/* The functions of a policy that the engine calls: calls.c. HAS, [N_METHODS]: what the script's
 * class has. */
void calls_fill (WpPolicyPlugin *plugin, const bool *has);

/* Takes the exception that is set and writes "line 12: ValueError: text" into TEXT [ROOM]: of FILE
 * the line where it came from, or nothing of a line where it was not in FILE. */
void errors_take (const char *file, char *text, size_t room);

/* The type of objects that show a WpPolicyView to a script; NULL: an exception is set. */
PyObject *view_type_new (void);

/* A View of TYPE, which shows nothing; NULL: an exception is set. */
PyObject *view_new (PyObject *type);

/* Lets OBJECT show VIEW until it is told to show another, or NULL: nothing. */
void view_show (PyObject *object, const WpPolicyView *view);

/* Since it began to show that, has the script asked to hold all warps, and until when? */
bool view_get_hold (PyObject *object, int64_t *until);

/* Has the script stopped the run? */
bool view_is_stopped (PyObject *object);

/* A Warp, a named tuple of what is known of it; NULL: an exception is set. */
PyObject *warp_new (const WpPolicyWarp *warp);

/* Numbers as a script has them: None in place of NONE. */
PyObject *number_or_none (uint32_t number, uint32_t none);
PyObject *time_or_none (int64_t time);

/* "dependency", "barrier", ... */
const char *wait_get_name (WpPolicyWait wait);
