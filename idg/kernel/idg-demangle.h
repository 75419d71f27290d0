/* SPDX-License-Identifier: MIT */
/* Private: names of C++ as their source has them. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What NAME, a mangled one ("_Z4axpyifPf"), is called in the source: "axpy(int, float, float*)",
 * with the type that it returns before it where it is a template's. NULL where it is none, or the
 * C++ run-time library is not there. Free with g_free(). */
gchar *idg_demangle (const gchar *name);

/* The bracket that opens the parameters of DEMANGLED: the last one that is in no other. What may
 * follow the parameters, as " [clone]" or "const", does not matter. NULL where it has none.
 * O(length). */
const gchar *idg_demangle_find_parameters (const gchar *demangled);

/* DEMANGLED without its parameters and the type that it returns: "ns::axpy<4>" of "void
 * ns::axpy<4>(int, float)". Free with g_free(). O(length). */
gchar *idg_demangle_short (const gchar *demangled);

G_END_DECLS
