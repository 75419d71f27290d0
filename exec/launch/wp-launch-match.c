/* SPDX-License-Identifier: MIT */
/* Arguments as the bytes that the code reads. With the C++ name of the kernel each parameter has a
 * type, and values are converted to it as C++ does; without, its size and how the value is written
 * decide: 2.5f for 4 bytes is a float, 1024 a whole number, a name for 8 bytes an address. */
#include "exec/launch/wp-launch-tensor.h"
#include "exec/launch/wp-launch-type.h"
#include "exec/launch/wp-launch.h"
#include "exec/memory/wp-tensor-map.h"

#include "idg/kernel/idg-kernel.h"

#include <math.h>
#include <string.h>

typedef struct
{
  WpLaunchArguments *arguments;
  gchar *signature;
  guint number; /* of the argument, from 1 on */
  GError **error;
} Packer;

void
wp_launch_arguments_free (WpLaunchArguments *arguments)
{
  if (arguments == NULL)
    return;
  g_free (arguments->bytes);
  g_array_unref (arguments->pointers);
  g_free (arguments);
}

static void
clear_pointer (gpointer data)
{
  g_free (((WpLaunchPointer *)data)->name);
}

static gboolean fail (Packer *packer, const gchar *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
fail (Packer *packer, const gchar *format, ...)
{
  g_autofree gchar *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (packer->error, IDG_ERROR, IDG_ERROR_VALUE, "argument %u of %s: %s", packer->number,
               packer->signature, text);
  return FALSE;
}

static void
put (Packer *packer, guint offset, guint bytes, guint64 bits)
{
  for (guint k = 0; k < bytes; k++)
    packer->arguments->bytes[offset + k] = k < 8 ? (guint8)(bits >> (8 * k)) : 0;
}

static gboolean
put_whole (Packer *packer, guint offset, guint bytes, const WpLaunchValue *value)
{
  guint bits = 8 * MIN (bytes, 8);
  WpLaunchWhole least = -((WpLaunchWhole)1 << (bits - 1)), most = (WpLaunchWhole)1 << bits;

  if (value->whole < least || value->whole >= most)
    return fail (
        packer, "%s%" G_GUINT64_FORMAT " does not fit into %u byte%s", value->whole < 0 ? "-" : "",
        (guint64)(value->whole < 0 ? -value->whole : value->whole), bytes, bytes == 1 ? "" : "s");
  put (packer, offset, bytes, (guint64)value->whole);
  return TRUE;
}

static gboolean
put_float (Packer *packer, guint offset, guint bytes, gdouble number)
{
  gfloat single = (gfloat)number;
  guint32 bits32;
  guint64 bits64;

  memcpy (&bits32, &single, sizeof bits32);
  memcpy (&bits64, &number, sizeof bits64);
  if (bytes == 4 && isinf (single) && !isinf (number))
    return fail (packer, "%g does not fit into a float", number);
  put (packer, offset, bytes, bytes == 4 ? bits32 : bits64);
  return TRUE;
}

static gboolean
put_pointer (Packer *packer, guint offset, const WpLaunchValue *value, guint element)
{
  guint bytes = value->element > 0 ? value->element : element;
  WpLaunchPointer pointer = { offset, NULL, 0 };

  if (value->offset != 0 && bytes == 0)
    return fail (packer,
                 "how large an element of %s is, is not known; expected an offset as in "
                 "(float*)%s + 16",
                 value->name ? value->name : "nullptr", value->name ? value->name : "NAME");
  pointer.addend = value->offset * (gint64)MAX (bytes, 1);
  if (value->name == NULL)
    {
      put (packer, offset, 8, (guint64)pointer.addend);
      return TRUE;
    }
  pointer.name = g_strdup (value->name);
  g_array_append_val (packer->arguments->pointers, pointer);
  return TRUE;
}

static gboolean
to_number (Packer *packer, const WpLaunchValue *value, gdouble *number)
{
  if (value->kind != WP_LAUNCH_WHOLE && value->kind != WP_LAUNCH_FLOAT)
    return fail (packer, "expected a number%s",
                 value->kind == WP_LAUNCH_POINTER && value->name ? ", and no name" : "");
  *number = value->kind == WP_LAUNCH_WHOLE ? (gdouble)value->whole : value->number;
  return TRUE;
}

/* VALUE as a number of KIND and BYTES. */
static gboolean
put_number (Packer *packer, guint offset, WpTypeKind kind, guint bytes, const WpLaunchValue *value)
{
  WpLaunchValue whole = { .kind = WP_LAUNCH_WHOLE };
  gdouble number = 0;

  if (!to_number (packer, value, &number))
    return FALSE;
  if (kind == WP_TYPE_FLOAT)
    return put_float (packer, offset, bytes, number);
  if (kind == WP_TYPE_HALF || kind == WP_TYPE_BFLOAT16)
    {
      put (packer, offset, 2,
           kind == WP_TYPE_HALF ? wp_type_to_half (number) : wp_type_to_bfloat16 (number));
      return TRUE;
    }
  if (value->kind == WP_LAUNCH_WHOLE)
    whole.whole = value->whole;
  else if (fabs (number) < 9e18)
    whole.whole = (WpLaunchWhole)number;
  else
    return fail (packer, "%g is no whole number", number);
  if (kind == WP_TYPE_BOOL)
    whole.whole = number != 0;
  return put_whole (packer, offset, bytes, &whole);
}

/* The members of a vector, each of its type; those that are not given are 0 (1 in a dim3). */
static gboolean
put_vector (Packer *packer, guint offset, const WpType *type, const gchar *name,
            const WpLaunchValue *value)
{
  guint bytes = type->bytes / type->count;

  if (value->kind != WP_LAUNCH_STRUCTURE)
    return fail (packer, "expected a %s: {...} with %u numbers", name, type->count);
  if (value->members->len > type->count)
    return fail (packer, "it has %u members; a %s has %u", value->members->len, name, type->count);
  for (guint k = 0; k < value->members->len; k++)
    if (!put_number (packer, offset + k * bytes, type->member, bytes,
                     g_ptr_array_index (value->members, k)))
      return FALSE;
  for (guint k = value->members->len; k < type->count && strcmp (name, "dim3") == 0; k++)
    put (packer, offset + k * bytes, bytes, 1);
  return TRUE;
}

static gboolean
is_tensor_map (const WpLaunchValue *value)
{
  return value->kind == WP_LAUNCH_STRUCTURE && g_strcmp0 (value->type, WP_TENSOR_MAP_TYPE) == 0;
}

/* The size and alignment of a value that has the type it is written with. */
static void
measure (const WpLaunchValue *value, guint64 *bytes, guint64 *align)
{
  WpType type = value->type ? wp_type_parse (value->type) : (WpType){ 0 };
  guint64 at = 0;

  *align = 1;
  if (type.kind == WP_TYPE_VECTOR)
    {
      /* vector_types.h: those of 2 and 4 members are aligned to their size, at most 16. */
      *bytes = type.bytes;
      *align = type.count == 3 ? type.bytes / 3 : MIN (type.bytes, 16);
    }
  else if (is_tensor_map (value))
    {
      *bytes = WP_TENSOR_MAP_BYTES;
      *align = WP_TENSOR_MAP_ALIGN;
    }
  else if (value->kind != WP_LAUNCH_STRUCTURE)
    *bytes = *align = value->kind == WP_LAUNCH_POINTER ? 8 : value->bytes;
  else
    {
      for (guint k = 0; k < value->members->len; k++)
        {
          guint64 size, one;

          measure (g_ptr_array_index (value->members, k), &size, &one);
          at = (at + one - 1) / one * one + size;
          *align = MAX (*align, one);
        }
      *bytes = (at + *align - 1) / *align * *align;
    }
}

static gboolean put_written (Packer *packer, guint64 offset, guint64 room,
                             const WpLaunchValue *value);

static gboolean
put_members (Packer *packer, guint64 offset, guint64 room, const WpLaunchValue *value)
{
  guint64 at = 0;

  for (guint k = 0; k < value->members->len; k++)
    {
      const WpLaunchValue *member = g_ptr_array_index (value->members, k);
      guint64 size, align;

      measure (member, &size, &align);
      at = (at + align - 1) / align * align;
      if (at + size > room)
        return fail (packer,
                     "member %u ends after the %" G_GUINT64_FORMAT " bytes of the structure", k + 1,
                     room);
      if (!put_written (packer, offset + at, size, member))
        return FALSE;
      at += size;
    }
  return TRUE;
}

/* A member of a structure, whose type is the one that it is written with. */
static gboolean
put_written (Packer *packer, guint64 offset, guint64 room, const WpLaunchValue *value)
{
  WpType type = value->type ? wp_type_parse (value->type) : (WpType){ 0 };

  if (type.kind == WP_TYPE_VECTOR)
    return put_vector (packer, (guint)offset, &type, value->type, value);
  if (value->kind == WP_LAUNCH_STRUCTURE)
    return put_members (packer, offset, room, value);
  if (value->kind == WP_LAUNCH_POINTER)
    return put_pointer (packer, (guint)offset, value, 0);
  if (type.kind == WP_TYPE_UNKNOWN)
    type.kind = value->kind == WP_LAUNCH_FLOAT ? WP_TYPE_FLOAT : WP_TYPE_WHOLE;
  return put_number (packer, (guint)offset, type.kind, value->bytes, value);
}

/* A structure for a parameter of BYTES: its members as written have to fill it. */
static gboolean
put_structure (Packer *packer, guint offset, guint bytes, const WpLaunchValue *value)
{
  guint64 size, align;

  measure (value, &size, &align);
  if (size != bytes && value->members->len > 0)
    return fail (packer,
                 "the members as written take %" G_GUINT64_FORMAT
                 " bytes of the structure's %u; expected each with its type: 1, 1.0f, 1.0, "
                 "(short)1, 1ll, {...}",
                 size, bytes);
  return put_written (packer, offset, bytes, value);
}

/* A parameter whose type nobody says. */
static gboolean
put_by_size (Packer *packer, guint offset, guint bytes, const WpLaunchValue *value)
{
  if (value->kind == WP_LAUNCH_STRUCTURE)
    return put_structure (packer, offset, bytes, value);
  if (value->kind == WP_LAUNCH_POINTER && bytes == 8)
    return put_pointer (packer, offset, value, 0);
  if (value->kind == WP_LAUNCH_POINTER)
    return fail (packer, "it has %u bytes; a name is an address of 8", bytes);
  if (value->type && wp_type_parse (value->type).bytes == bytes)
    return put_number (packer, offset, wp_type_parse (value->type).kind, bytes, value);
  if (value->kind == WP_LAUNCH_FLOAT && (bytes == 4 || bytes == 8))
    return put_float (packer, offset, bytes, value->number);
  if (value->kind == WP_LAUNCH_WHOLE && bytes <= 8)
    return put_whole (packer, offset, bytes, value);
  return fail (packer, "it has %u bytes; expected %s", bytes,
               bytes == 2 ? "a whole number, or (__half) or (__nv_bfloat16) before a float"
               : bytes == WP_TENSOR_MAP_BYTES
                   ? "a structure, {...}, or a CUtensorMap: " WP_TENSOR_MAP_EXAMPLE
                   : "a structure: {...}");
}

static gboolean
put_argument (Packer *packer, const WpCubinParameter *parameter, const gchar *name,
              const WpLaunchValue *value)
{
  WpType type = name ? wp_type_parse (name) : (WpType){ 0 };

  if (type.kind == WP_TYPE_UNKNOWN || type.bytes != parameter->bytes)
    return put_by_size (packer, parameter->offset, parameter->bytes, value);
  if (type.kind == WP_TYPE_VECTOR)
    return put_vector (packer, parameter->offset, &type, name, value);
  if (type.kind != WP_TYPE_POINTER)
    return put_number (packer, parameter->offset, type.kind, type.bytes, value);
  if (value->kind == WP_LAUNCH_POINTER)
    return put_pointer (packer, parameter->offset, value, type.pointee);
  if (value->kind == WP_LAUNCH_WHOLE)
    return put_whole (packer, parameter->offset, 8, value);
  return fail (packer, "expected the name of a buffer, an address or nullptr");
}

static gboolean
put_all (Packer *packer, const WpLaunch *launch, const WpCubinFunction *function)
{
  g_autoptr (GPtrArray) types = wp_type_split (function->demangled);
  guint n = function->parameters ? function->parameters->len : 0;

  if (types && types->len == 1 && strcmp (g_ptr_array_index (types, 0), "void") == 0)
    g_ptr_array_set_size (types, 0);
  if (launch->arguments->len != n)
    {
      g_set_error (packer->error, IDG_ERROR, IDG_ERROR_VALUE,
                   "%s takes %u argument%s; there are %u", packer->signature, n, n == 1 ? "" : "s",
                   launch->arguments->len);
      return FALSE;
    }
  for (guint k = 0; k < n; k++)
    {
      packer->number = k + 1;
      if (!put_argument (packer, &g_array_index (function->parameters, WpCubinParameter, k),
                         types && types->len == n ? g_ptr_array_index (types, k) : NULL,
                         g_ptr_array_index (launch->arguments, k)))
        return FALSE;
    }
  return TRUE;
}

void
wp_launch_get_cluster (const WpLaunch *launch, const WpCubinFunction *function, guint cluster[3])
{
  const guint *said = launch->cluster[0] > 0 ? launch->cluster : function->cluster;

  for (guint k = 0; k < 3; k++)
    cluster[k] = MAX (said[k], 1);
}

/* Whether LAUNCH says no other cluster than the one that the kernel was compiled for. */
static gboolean
agree (const WpLaunch *launch, const WpCubinFunction *function)
{
  for (guint k = 0; k < 3; k++)
    if (MAX (launch->cluster[k], 1) != MAX (function->cluster[k], 1))
      return FALSE;
  return TRUE;
}

#define FIRST_WITH_CLUSTERS 90 /* sm_90 */

/* The grid is a whole number of clusters, which have up to 16 blocks
 * (cudaFuncAttributeNonPortableClusterSizeAllowed; 8 without). */
static gboolean
check_clusters (const Packer *packer, const WpLaunch *launch, const WpCubinFunction *function,
                guint sm)
{
  g_autofree gchar *text = NULL;
  guint cluster[3];

  wp_launch_get_cluster (launch, function, cluster);
  text = g_strdup_printf ("%u x %u x %u blocks", cluster[0], cluster[1], cluster[2]);
  if (launch->cluster[0] > 0 && sm < FIRST_WITH_CLUSTERS)
    g_set_error (packer->error, IDG_ERROR, IDG_ERROR_FIT,
                 "a cluster of %s, and code for sm_%u; GPUs have clusters from sm_%u on", text, sm,
                 FIRST_WITH_CLUSTERS);
  else if (launch->cluster[0] > 0 && function->cluster[0] > 0 && !agree (launch, function))
    g_set_error (packer->error, IDG_ERROR, IDG_ERROR_FIT,
                 "a cluster of %s; %s was compiled for %u x %u x %u (__cluster_dims__)", text,
                 packer->signature, function->cluster[0], MAX (function->cluster[1], 1),
                 MAX (function->cluster[2], 1));
  else if ((guint64)cluster[0] * cluster[1] * cluster[2] > WP_CUBIN_MAX_CLUSTER)
    g_set_error (packer->error, IDG_ERROR, IDG_ERROR_FIT,
                 "a cluster of %s; a GPU has clusters of up to %u", text, WP_CUBIN_MAX_CLUSTER);
  else if (launch->grid[0] % cluster[0] != 0 || launch->grid[1] % cluster[1] != 0
           || launch->grid[2] % cluster[2] != 0)
    g_set_error (packer->error, IDG_ERROR, IDG_ERROR_FIT,
                 "a grid of %u x %u x %u blocks in clusters of %s (%s); a grid has to be a whole "
                 "number of clusters",
                 launch->grid[0], launch->grid[1], launch->grid[2], text,
                 launch->cluster[0] > 0 ? "as the launch says" : "__cluster_dims__");
  else
    return TRUE;
  return FALSE;
}

static gboolean
check_block (const Packer *packer, const WpLaunch *launch, const WpCubinFunction *function,
             guint sm)
{
  guint threads = launch->block[0] * launch->block[1] * launch->block[2];
  const guint *required = function->required_threads;

  if (function->max_threads > 0 && threads > function->max_threads)
    g_set_error (packer->error, IDG_ERROR, IDG_ERROR_FIT,
                 "a block of %u threads; %s was compiled for at most %u (__launch_bounds__)",
                 threads, packer->signature, function->max_threads);
  else if (required[0] > 0
           && (launch->block[0] != required[0] || launch->block[1] != MAX (required[1], 1)
               || launch->block[2] != MAX (required[2], 1)))
    g_set_error (packer->error, IDG_ERROR, IDG_ERROR_FIT,
                 "a block of %u x %u x %u threads; %s was compiled for %u x %u x %u",
                 launch->block[0], launch->block[1], launch->block[2], packer->signature,
                 required[0], MAX (required[1], 1), MAX (required[2], 1));
  else
    return check_clusters (packer, launch, function, sm);
  return FALSE;
}

WpLaunchArguments *
wp_launch_match (const WpLaunch *launch, const WpCubin *cubin, gint number, GError **error)
{
  const WpCubinFunction *function = g_ptr_array_index (cubin->functions, number);
  g_autofree gchar *signature = wp_launch_signature (function);
  g_autoptr (WpLaunchArguments) arguments = g_new0 (WpLaunchArguments, 1);
  Packer packer = { arguments, signature, 0, error };

  arguments->n_bytes = function->parameter_bytes;
  arguments->bytes = g_malloc0 (MAX (arguments->n_bytes, 1));
  arguments->pointers = g_array_new (FALSE, TRUE, sizeof (WpLaunchPointer));
  g_array_set_clear_func (arguments->pointers, clear_pointer);
  if (!check_block (&packer, launch, function, cubin->sm) || !put_all (&packer, launch, function))
    return NULL;
  return g_steal_pointer (&arguments);
}
