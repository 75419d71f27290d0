/* SPDX-License-Identifier: MIT */
#include "exec/wp-meetings.h"

gboolean
wp_meetings_are_right (const WpExecResult *result)
{
  for (guint k = 0; k < WP_N_DOUBTS; k++)
    if (result->waits.doubts[k] != 0)
      return FALSE;
  return result->code->waits_by_asking;
}

/* All warps of a block meet at one barrier for all their phases, in the order in which they come
 * there; so do those that are a part of them, at one for the part. */
void
wp_meetings_find (gpointer data, guint32 index, WpFoldMeeting *meeting)
{
  const WpExecResult *result = data;
  WpWaitsMeeting found;

  wp_waits_decode (result->code, index, &found);
  *meeting = (WpFoldMeeting){ .index = found.index, .name = "mbarrier", .pending = found.pending };
  if (found.set == WP_WAITS_ALONE)
    {
      meeting->name = "mbarrier-own";
      meeting->warps = 1;
    }
  else if (found.set != WP_WAITS_ALL)
    {
      g_autofree gchar *name = g_strdup_printf ("mbarrier-%u", found.set);

      meeting->name = g_intern_string (name);
      meeting->warps = (guint)__builtin_popcountll (result->waits.sets[found.set]);
    }
}

static void
note (const WpExecResult *result, const gchar *path, guint32 step, const gchar *why,
      GPtrArray *notes)
{
  g_autofree gchar *place = step == 0 || step == WP_DOUBT_NOWHERE
                                ? g_strdup (path)
                                : wp_kernel_code_place (result->code, step - 1);

  g_ptr_array_add (notes, g_strdup_printf ("%s: how long warps wait at barriers in shared memory "
                                           "(mbarrier) is not in the times: %s",
                                           place, why));
}

void
wp_meetings_note (const WpExecResult *result, const gchar *path, gboolean has_programs,
                  GPtrArray *notes)
{
  static const gchar *const doubts[WP_N_DOUBTS] = {
    [WP_DOUBT_VAIN] = "a warp goes on that has asked in vain",
    [WP_DOUBT_UNSEEN] = "a phase ends, or is asked for, in a way that is not followed",
    [WP_DOUBT_OTHERS] = "the warps that wait for a phase are not those that arrive in it",
    [WP_DOUBT_ORDER] = "warps come to barriers in different orders, or to BAR in changing ones",
    [WP_DOUBT_MANY] = "there are too many of them, or of copies under way",
  };

  if (!result->waits.is_used)
    return;
  if (has_programs && wp_meetings_are_right (result))
    return;
  for (guint k = 0; k < WP_N_DOUBTS; k++)
    if (result->waits.doubts[k] != 0)
      {
        note (result, path, result->waits.doubts[k], doubts[k], notes);
        return;
      }
  note (result, path, 0, "its warps executed too many different or too long sequences", notes);
}
