/* SPDX-License-Identifier: MIT */
#include "exec/machine/wp-loops.h"

#include "exec/machine/wp-ops.h"

#include <string.h>

static gboolean
ends (const WpStep *step)
{
  WpSassOp op = step->instr->op;

  return op == WP_SASS_EXIT || op == WP_SASS_KILL || op == WP_SASS_RET;
}

guint32
wp_loops_get_target (const WpKernelCode *code, guint32 i)
{
  const WpStep *step = &code->steps[i];

  return step->is_control && step->mode[3] == WP_STEP_HAS_TARGET ? (guint32)step->value
                                                                 : WP_NOWHERE;
}

guint32
wp_loops_get_next (const WpKernelCode *code, guint32 i)
{
  const WpStep *step = &code->steps[i];
  gboolean may_stay = step->is_predicated || step->n_predicates > 0;
  gboolean goes = ends (step)
                  || (wp_loops_get_target (code, i) != WP_NOWHERE && step->instr->op != WP_SASS_CALL
                      && step->mode[0] == 0);

  return i + 1 < code->n_steps && (may_stay || !goes) ? i + 1 : WP_NOWHERE;
}

gboolean
wp_loops_close (const WpKernelCode *code, guint32 i, guint32 *head)
{
  *head = wp_loops_get_target (code, i);
  return *head != WP_NOWHERE && *head < i && code->steps[i].instr->op != WP_SASS_CALL;
}

/* In passes over the code from its end: few, as most goes forward. */
void
wp_loops_find_body (const WpKernelCode *code, guint32 head, guint32 last, guint8 *body)
{
  gboolean more = TRUE;

  memset (body, 0, code->n_steps);
  body[head] = body[last] = 1;
  while (more)
    {
      more = FALSE;
      for (guint32 i = code->n_steps; i-- > 0;)
        {
          guint32 next = wp_loops_get_next (code, i), target = wp_loops_get_target (code, i);
          gboolean leads = (next != WP_NOWHERE && next != head && body[next])
                           || (target != WP_NOWHERE && target != head && body[target]);

          if (!body[i] && leads)
            {
              body[i] = 1;
              more = TRUE;
            }
        }
    }
}

gboolean
wp_loops_leave (const WpKernelCode *code, guint32 i, const guint8 *body)
{
  guint32 next = wp_loops_get_next (code, i), target = wp_loops_get_target (code, i);

  return body[i]
         && (next != WP_NOWHERE && body[next] != 0) != (target != WP_NOWHERE && body[target] != 0);
}

gboolean
wp_loops_is_way_out (const WpKernelCode *code, guint32 i, const guint8 *body)
{
  const WpStep *step = &code->steps[i];

  return body[i] && (ends (step) || wp_loops_get_target (code, i) != WP_NOWHERE)
         && (step->is_predicated || step->n_predicates > 0) && wp_loops_leave (code, i, body);
}

/* The last way out of the loop that LAST closes from HEAD that is AVOIDED often, if all are
 * avoided; WP_NOWHERE: they are not. BODY is room for a byte for each step. */
static guint32
find_avoided_way (const WpKernelCode *code, guint32 head, guint32 last, const guint8 *avoided,
                  guint8 *body)
{
  guint32 way = WP_NOWHERE;

  wp_loops_find_body (code, head, last, body);
  for (guint32 i = 0; i < code->n_steps; i++)
    if (wp_loops_is_way_out (code, i, body))
      {
        if (avoided[i] == WP_WAY_TAKEN)
          return WP_NOWHERE;
        way = avoided[i] == WP_WAY_AVOIDED_OFTEN ? i : way;
      }
  return way;
}

gboolean
wp_loops_find_endless (const WpKernelCode *code, const guint8 *avoided, guint32 *way)
{
  g_autofree guint8 *body = g_new0 (guint8, code->n_steps + 1);

  *way = WP_NOWHERE;
  for (guint32 last = 0; *way == WP_NOWHERE && last < code->n_steps; last++)
    {
      guint32 head;

      if (wp_loops_close (code, last, &head))
        *way = find_avoided_way (code, head, last, avoided, body);
    }
  return *way != WP_NOWHERE;
}
