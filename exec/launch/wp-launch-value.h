/* SPDX-License-Identifier: MIT */
/* Values in a launch: what an expression is, before anything is known of the parameter that it is
 * for. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef __int128 WpLaunchWhole;

/* Looks up $NAME; FALSE: there is none of this name. */
typedef gboolean (*WpLaunchLookup) (const gchar *name, gint64 *value, gpointer data);

typedef enum
{
  WP_LAUNCH_WHOLE,
  WP_LAUNCH_FLOAT,
  WP_LAUNCH_POINTER,   /* a buffer or variable, with an offset; nullptr: no name */
  WP_LAUNCH_STRUCTURE, /* {...} */
} WpLaunchKind;

typedef struct WpLaunchValue WpLaunchValue;

struct WpLaunchValue
{
  WpLaunchKind kind;
  WpLaunchWhole whole;
  gdouble number;
  guint8 bytes;  /* of a number: as it was written or cast, 1 to 8 */
  gchar *type;   /* what it was cast to, NULL: nothing */
  gchar *name;   /* of a pointer */
  gint64 offset; /* of a pointer: elements... */
  guint element; /* ...of so many bytes; 0: those that the parameter points to */
  GPtrArray *members;
};

WpLaunchValue *wp_launch_value_new (WpLaunchKind kind);
void wp_launch_value_free (gpointer value);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpLaunchValue, wp_launch_value_free)

G_END_DECLS
