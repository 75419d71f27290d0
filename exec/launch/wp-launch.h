/* SPDX-License-Identifier: MIT */
/* A launch as host code writes it: name<<<grid, block[, dynamic shared bytes]>>>(arguments). A
 * stream may follow, which changes nothing, or cluster(x[, y[, z]]), the blocks of a cluster, as
 * host code sets cudaLaunchAttributeClusterDimension.
 *
 * Grid and block are a whole number, dim3(x[, y[, z]]) or {x, y, z}. Expressions have the operators
 * and the precedence of C++, whole numbers (1024, 0x10, 1'000, 1ull) and floats (2.5f, 1e-3),
 * casts, sizeof(type), min() and max(). Whole numbers are exact; one beyond 64 bits is an error and
 * no overflow. An argument may also be a name, which is a buffer or a variable in device memory,
 * with an offset in elements (A + 16); a structure in braces; nullptr. $name is a parameter of the
 * kernel file or of --set, which template arguments may be, too: gemm<float, $tile>.
 *
 * The arguments are put where the code expects them by the types that the kernel's C++ name gives,
 * and by their size where it gives none (extern "C"). */
#pragma once

#include "exec/cubin/wp-cubin.h"
#include "exec/launch/wp-launch-value.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *text;    /* what was parsed */
  gchar *written; /* before <<<, with the values of its $names */
  gchar *name;    /* the same without blanks */
  guint grid[3], block[3];
  guint dynamic_shared; /* bytes */
  guint cluster[3];     /* 0: none said */
  GPtrArray *arguments; /* of WpLaunchValue */
} WpLaunch;

/* Parses TEXT. LOOKUP may be NULL: no parameters. NULL with an error of IDG_ERROR, which begins
 * with what is wrong and where in the text it is, without a file. Free with wp_launch_free().
 * O(TEXT). */
WpLaunch *wp_launch_parse (const gchar *text, WpLaunchLookup lookup, gpointer data, GError **error);
void wp_launch_free (WpLaunch *launch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpLaunch, wp_launch_free)

/* Sets CLUSTER to the blocks of a cluster: as LAUNCH says, else as FUNCTION was compiled for; 1
 * each where neither does. O(1). */
void wp_launch_get_cluster (const WpLaunch *launch, const WpCubinFunction *function,
                            guint cluster[3]);

/* The names after $ in TEXT, each once, in order; of gchar. O(TEXT). */
GPtrArray *wp_launch_parameters (const gchar *text);

/* The kernel of CUBIN that LAUNCH names: by the name in the file, by its C++ name, without its
 * namespace or template arguments where one kernel alone is called so; of several modules with one
 * of that name the first module's. -1 with an error that lists the kernels, and what a --launch of
 * the nearest looks like. */
gint wp_launch_find (const WpLaunch *launch, const WpCubin *cubin, GError **error);

/* Where the address of a buffer or variable goes. */
typedef struct
{
  guint offset; /* in the arguments */
  gchar *name;
  gint64 addend; /* bytes */
} WpLaunchPointer;

typedef struct
{
  guint8 *bytes; /* n_bytes as they follow parameter_base in bank 0, addresses still 0 */
  guint n_bytes;
  GArray *pointers; /* of WpLaunchPointer, by offset */
} WpLaunchArguments;

/* The arguments of LAUNCH as kernel FUNCTION of CUBIN takes them; also checks the block against
 * what the kernel was compiled for. NULL with an error that shows its signature. */
WpLaunchArguments *wp_launch_match (const WpLaunch *launch, const WpCubin *cubin, gint function,
                                    GError **error);
void wp_launch_arguments_free (WpLaunchArguments *arguments);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpLaunchArguments, wp_launch_arguments_free)

/* "axpy(int, float, float const*, float*)": how FUNCTION is declared, as far as it is known; of a
 * long one the middle is left out. */
gchar *wp_launch_signature (const WpCubinFunction *function);

/* All kernels with their signatures, long ones shortened, and a launch of each to begin with,
 * "axpy<<<1024, 256>>>(1, 1.0f, A, B)", which names no other; one a line with two blanks before it.
 */
gchar *wp_launch_list (const WpCubin *cubin);

G_END_DECLS
