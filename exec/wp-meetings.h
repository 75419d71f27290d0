/* SPDX-License-Identifier: MIT */
/* Private to exec: waits at barriers in shared memory (mbarrier), of a launch that was executed, as
 * a fold has them, or in words. */
#pragma once

#include "exec/fold/wp-fold-input.h"
#include "exec/machine/wp-run.h"

G_BEGIN_DECLS

/* Whether all waits of RESULT can be simulated: those who wait meet, or those who arrive meet each
 * of those who wait. */
gboolean wp_meetings_are_right (const WpExecResult *result);

/* WpFoldFindMeeting, whose data is a WpExecResult. */
gboolean wp_meetings_find (gpointer data, guint32 index, guint warp, guint nth,
                           WpFoldMeeting *meeting);

/* Whether what it says depends on the warp. */
gboolean wp_meetings_are_by_warp (const WpExecResult *result);

/* Adds to NOTES (of gchar*) why they cannot, where PATH is executed. HAS_PROGRAMS: they could, but
 * for programs that do not have all that warps executed. */
void wp_meetings_note (const WpExecResult *result, const gchar *path, gboolean has_programs,
                       GPtrArray *notes);

G_END_DECLS
