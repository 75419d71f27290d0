/* SPDX-License-Identifier: MIT */
/* Writes a timeline's cells as characters. The legend only has what occurs in the drawing. */
#include "traces/draw/wp-timeline.h"

#include <string.h>

/* The appearance of a cell, or of the end of a block. */
typedef enum
{
  LOOK_BLANK,
  LOOK_KEEPS, /* occupies a pipeline */
  LOOK_COMPUTE,
  LOOK_MEMORY, /* this and the next: waits for a result of that kind */
  LOOK_DRAIN,
  LOOK_BARRIER,
  LOOK_PIPELINE,
  LOOK_SCHEDULER,
  LOOK_ILP,
  LOOK_FINISHED,
  LOOK_START, /* of a block */
  LOOK_LIFE,
  LOOK_END,
  LOOK_ONE, /* start and end in one column */
  N_LOOKS
} Look;

static const gchar *const looks[2][N_LOOKS] = {
  { " ", "#", "-", "=", "~", "|", ":", ".", "'", "_", "[", "-", "]", "!" },
  { " ", "█", "─", "═", "┄", "▒", "░", "·", "'", "_", "├", "─", "┤", "│" },
};

/* The part of a column in use: in tenths, in eighths. */
static const gchar *const ascii_shares[] = { "0", "1", "2", "3", "4", "5", "6", "7", "8", "9" };
static const gchar *const unicode_shares[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };

/* Colours by stall, as in the report; for results by kind of pipeline. Bold for an issue. */
static const gchar *const memory_colours[2] = { "\033[33m", "\033[1;33m" };
static const gchar *const compute_colours[3][2]
    = { { "\033[32m", "\033[1;32m" }, { "\033[36m", "\033[1;36m" }, { "\033[34m", "\033[1;34m" } };
static const gchar *const barrier_colours[2] = { "\033[35m", "\033[1;35m" };
#define PIPELINE_COLOUR "\033[31m"
#define DIM "\033[2m"
#define BOLD "\033[1m"
#define PLAIN "\033[0m"

#define SLOT_MARKS "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

typedef struct
{
  WpTrace *trace;
  const WpTimeline *timeline;
  const WpMachine *machine;
  gboolean unicode, colour;
  GString *line;
  const gchar *present; /* the current colour; NULL: none */
  guint n_columns;      /* of this SM, up to its end */
  gboolean shown[N_LOOKS], letters[WP_MAX_PIPELINES + 2], results[WP_MAX_PIPELINES];
  gboolean marks, shares; /* whether they occur, in pipelines' rows */
  gboolean shared_marks;  /* and in those of pipelines that SMs share */
} Drawing;

/* ---- Lines ---- */

static void
put (Drawing *drawing, const gchar *text, const gchar *colour)
{
  if (drawing->colour && colour != drawing->present)
    {
      if (drawing->present != NULL)
        g_string_append (drawing->line, PLAIN);
      if (colour != NULL)
        g_string_append (drawing->line, colour);
      drawing->present = colour;
    }
  g_string_append (drawing->line, text);
}

static void
put_look (Drawing *drawing, Look look, const gchar *colour)
{
  put (drawing, looks[drawing->unicode][look], colour);
  drawing->shown[look] = TRUE;
}

/* Ends the line, without blanks at its end. */
static void
end_line (Drawing *drawing)
{
  gsize end;

  put (drawing, "", NULL);
  for (end = drawing->line->len; end > 0 && drawing->line->str[end - 1] == ' ';)
    end--;
  g_string_truncate (drawing->line, end);
  g_string_append_c (drawing->line, '\n');
  if (fputs (drawing->line->str, drawing->trace->out) == EOF)
    wp_trace_fail (drawing->trace);
  g_string_truncate (drawing->line, 0);
}

/* Writes LABEL, cut or padded to its width. */
static void
put_label (Drawing *drawing, const gchar *label)
{
  glong width = (glong)drawing->timeline->label - 1;
  glong length = MIN (g_utf8_strlen (label, -1), width);
  g_autofree gchar *text = g_utf8_substring (label, 0, length);

  put (drawing, text, NULL);
  for (; length <= width; length++)
    put (drawing, " ", NULL);
}

static const gchar *
get_colour (const Drawing *drawing, guint32 pipeline, gboolean bold)
{
  const WpMachine *machine = drawing->machine;
  guint n = 0;

  if (pipeline >= machine->n_pipelines)
    return barrier_colours[bold];
  if (machine->pipelines[pipeline].memory)
    return memory_colours[bold];
  for (guint32 i = 0; i < pipeline; i++)
    n += !machine->pipelines[i].memory;
  return compute_colours[n % G_N_ELEMENTS (compute_colours)][bold];
}

/* ---- Time ---- */

/* Returns the columns between two numbers of the axis: ten, or more if the numbers are long; a
 * whole number of cycles if a column is less than a cycle. */
static guint
choose_step (const WpTimeline *timeline, guint n_columns)
{
  gint64 cycle = timeline->machine->ticks_per_cycle;
  guint unit = timeline->column < cycle ? (guint)(cycle / timeline->column) : 10;
  gchar text[WP_TIME_CHARS];
  guint step = unit;

  for (guint c = 0; c < n_columns; c += step)
    while (strlen (wp_tick_format (timeline->from + c * timeline->column, cycle, text)) + 2 > step)
      step += unit;
  return step;
}

static void
draw_axis (Drawing *drawing)
{
  const WpTimeline *timeline = drawing->timeline;
  gint64 cycle = drawing->machine->ticks_per_cycle;
  guint step = choose_step (timeline, drawing->n_columns), c = 0;
  guint small = timeline->column < cycle ? (guint)(cycle / timeline->column) : 5;

  put_label (drawing, "cycle");
  while (c < drawing->n_columns)
    {
      gchar text[WP_TIME_CHARS];
      guint next = c + step;

      wp_tick_format (timeline->from + c * timeline->column, cycle, text);
      if (c + strlen (text) > timeline->n_columns)
        break;
      put (drawing, text, DIM);
      for (c += (guint)strlen (text); c < next && c < drawing->n_columns; c++)
        put (drawing, " ", NULL);
    }
  end_line (drawing);
  put_label (drawing, "");
  for (c = 0; c < drawing->n_columns; c++)
    put (drawing,
         c % step == 0 || (small == 5 && c % 10 == 0) ? "|"
         : c % small == 0                             ? "'"
                                                      : " ",
         DIM);
  end_line (drawing);
}

/* ---- Blocks ---- */

/* Draws the columns FROM to TO of a block (the last one if ENDS), with its number if there is room.
 */
static void
draw_life (Drawing *drawing, guint from, guint to, gboolean starts, gboolean ends, guint64 block)
{
  g_autofree gchar *tight = g_strdup_printf ("%" G_GUINT64_FORMAT, block);
  g_autofree gchar *wide = g_strdup_printf (" %s ", tight);
  guint room = to - from + 1 - starts - ends;
  const gchar *number = room >= strlen (wide) + 2 ? wide : room >= strlen (tight) ? tight : "";
  guint at = from + starts + (number == wide), length = (guint)strlen (number);

  for (guint c = from; c <= to; c++)
    if (c == from && c == to && starts && ends)
      put_look (drawing, LOOK_ONE, NULL);
    else if (c == from && starts)
      put_look (drawing, LOOK_START, NULL);
    else if (c == to && ends)
      put_look (drawing, LOOK_END, NULL);
    else if (c >= at && c < at + length)
      put (drawing, (gchar[]){ number[c - at], '\0' }, BOLD);
    else
      put_look (drawing, LOOK_LIFE, NULL);
}

/* Returns the last column of the block that starts in column C, or before it if C is 0. */
static guint
find_last (const Drawing *drawing, const WpTimelineGroup *group, guint c, gboolean *ends)
{
  *ends = group->marks[c].ends;
  while (!*ends && c + 1 < drawing->n_columns && group->marks[c + 1].n_starts == 0)
    *ends = group->marks[++c].ends;
  *ends |= c + 1 < drawing->n_columns;
  return c;
}

static void
draw_blocks (Drawing *drawing, const WpTimelineGroup *group)
{
  guint c = 0;

  while (c < drawing->n_columns)
    {
      const WpTimelineMark *mark = &group->marks[c];
      gboolean starts = mark->n_starts > 0, ends;
      guint last;

      if (!starts && !(c == 0 && group->has_first))
        {
          put_look (drawing, LOOK_BLANK, NULL);
          c++;
          continue;
        }
      last = find_last (drawing, group, c, &ends);
      draw_life (drawing, c, last, starts, ends, starts ? mark->block : group->first);
      c = last + 1;
    }
  end_line (drawing);
}

/* Returns how many blocks are shown; BLOCK receives the first of them. */
static guint64
count_blocks (const Drawing *drawing, const WpTimelineGroup *group, guint64 *block)
{
  guint64 n = group->has_first;

  *block = group->first;
  for (guint c = 0; c < drawing->n_columns; c++)
    {
      if (n == 0 && group->marks[c].n_starts > 0)
        *block = group->marks[c].block;
      n += group->marks[c].n_starts;
    }
  return n;
}

/* ---- Warps ---- */

static Look
get_look (const Drawing *drawing, const WpTimelineCell *cell)
{
  gboolean busy = 2 * cell->busy >= drawing->timeline->column;

  switch (cell->state)
    {
    case WP_TIMELINE_NOBODY:
      return LOOK_BLANK;
    case WP_TIMELINE_AT_BARRIER:
      return LOOK_BARRIER;
    case WP_STALL_PIPELINE + 1:
      return LOOK_PIPELINE;
    case WP_STALL_NOT_SELECTED + 1:
      return LOOK_SCHEDULER;
    case WP_STALL_ILP + 1:
      return busy ? LOOK_KEEPS : LOOK_ILP;
    case WP_STALL_DRAIN + 1:
      return busy ? LOOK_KEEPS : LOOK_DRAIN;
    case WP_STALL_DEPENDENCY + 1:
      if (busy)
        return LOOK_KEEPS;
      return cell->waits != WP_TIMELINE_NONE && drawing->machine->pipelines[cell->waits].memory
                 ? LOOK_MEMORY
                 : LOOK_COMPUTE;
    default:
      return LOOK_FINISHED;
    }
}

static const gchar *
get_look_colour (const Drawing *drawing, const WpTimelineCell *cell, Look look)
{
  switch (look)
    {
    case LOOK_KEEPS:
      return get_colour (drawing, cell->keeps, FALSE);
    case LOOK_COMPUTE:
    case LOOK_MEMORY:
    case LOOK_DRAIN:
      return cell->waits == WP_TIMELINE_NONE ? NULL : get_colour (drawing, cell->waits, FALSE);
    case LOOK_BARRIER:
      return barrier_colours[FALSE];
    case LOOK_PIPELINE:
      return PIPELINE_COLOUR;
    case LOOK_BLANK:
      return NULL;
    default:
      return DIM;
    }
}

static void
draw_cell (Drawing *drawing, const WpTimelineCell *cell)
{
  Look look = get_look (drawing, cell);

  if (cell->letter != 0)
    {
      put (drawing, (gchar[]){ drawing->timeline->letters[cell->letter], '\0' },
           get_colour (drawing, cell->letter - 1U, TRUE));
      drawing->letters[cell->letter] = TRUE;
      return;
    }
  if ((look == LOOK_COMPUTE || look == LOOK_MEMORY) && cell->waits != WP_TIMELINE_NONE)
    drawing->results[cell->waits] = TRUE;
  put_look (drawing, look, get_look_colour (drawing, cell, look));
}

static gchar
get_slot_mark (guint32 slot)
{
  return slot < strlen (SLOT_MARKS) ? SLOT_MARKS[slot] : '*';
}

/* Draws a warp. NAME, of the row, follows the mark of its SLOT. */
static void
draw_warp (Drawing *drawing, const WpTimelineCell *cells, guint32 slot, const gchar *name)
{
  g_autofree gchar *label = g_strdup_printf ("%c %s", get_slot_mark (slot), name);

  put_label (drawing, label);
  for (guint c = 0; c < drawing->n_columns; c++)
    draw_cell (drawing, &cells[c]);
  end_line (drawing);
}

static void
draw_group (Drawing *drawing, const WpTimelineGroup *group, guint32 first_slot, gboolean headed)
{
  guint32 n = drawing->machine->warps_per_block;
  guint64 block, n_blocks = count_blocks (drawing, group, &block);
  g_autofree gchar *block_label = g_strdup_printf ("  block %" G_GUINT64_FORMAT, block);
  g_autofree gchar *slots_label
      = n == 1 ? g_strdup_printf ("  slot %u", first_slot)
               : g_strdup_printf ("  slots %u-%u", first_slot, first_slot + n - 1);

  if (!headed)
    {
      draw_warp (drawing, group->cells[0], first_slot, block_label + 2);
      return;
    }
  put_label (drawing, n_blocks == 1 ? block_label : slots_label);
  draw_blocks (drawing, group);
  for (guint32 i = 0; i < n; i++)
    {
      g_autofree gchar *name = n == 1 ? g_strdup ("warp") : g_strdup_printf ("warp %u", i);

      draw_warp (drawing, group->cells[i], first_slot + i, name);
    }
}

/* Tells whether blocks have their own line: not if they have a single warp and are not replaced. */
static gboolean
are_headed (const Drawing *drawing, const WpTimelineSm *sm)
{
  if (drawing->machine->warps_per_block > 1)
    return TRUE;
  for (guint i = 0; i < sm->groups->len; i++)
    {
      const WpTimelineGroup *group = g_ptr_array_index (sm->groups, i);
      guint64 block;

      if (group != NULL && count_blocks (drawing, group, &block) > 1)
        return TRUE;
    }
  return FALSE;
}

/* ---- Pipelines ---- */

static void
draw_share (Drawing *drawing, const WpTimelineUse *use, const gchar *colour)
{
  gdouble share = MIN ((gdouble)use->busy / (gdouble)drawing->timeline->column, 1);
  const gchar *const *shares = drawing->unicode ? unicode_shares : ascii_shares;
  gint n = drawing->unicode ? G_N_ELEMENTS (unicode_shares) : G_N_ELEMENTS (ascii_shares);

  put (drawing, use->n_starts == 0 && use->busy == 0 ? " " : shares[MIN ((gint)(share * n), n - 1)],
       colour);
}

static void
draw_pipeline (Drawing *drawing, const WpTimelineRow *row, guint32 sm, const WpTimelineUse *uses)
{
  g_autofree gchar *label = wp_timeline_make_label (drawing->machine, row, sm);
  const gchar *colour = get_colour (drawing, row->pipeline, FALSE);
  gboolean shares = FALSE;

  for (guint c = 0; uses != NULL && c < drawing->n_columns; c++)
    shares |= uses[c].n_starts > 1;
  put_label (drawing, label);
  for (guint c = 0; uses != NULL && c < drawing->n_columns; c++)
    if (shares)
      draw_share (drawing, &uses[c], colour);
    else
      put (drawing, uses[c].slot == 0 ? " " : (gchar[]){ get_slot_mark (uses[c].slot - 1), '\0' },
           colour);
  drawing->shares |= shares;
  if (wp_timeline_is_own (drawing->machine, row))
    drawing->marks |= uses != NULL && !shares;
  else
    drawing->shared_marks |= uses != NULL && !shares;
  end_line (drawing);
}

/* ---- The whole ---- */

static void
put_entry (Drawing *drawing, const gchar *sign, const gchar *colour, const gchar *text,
           guint *column)
{
  guint length = (guint)g_utf8_strlen (sign, -1) + 1 + (guint)g_utf8_strlen (text, -1);

  if (*column > 0 && *column + 3 + length > drawing->trace->options.style.width)
    {
      end_line (drawing);
      *column = 0;
    }
  if (*column > 0)
    put (drawing, "   ", NULL);
  put (drawing, sign, colour);
  put (drawing, " ", NULL);
  put (drawing, text, NULL);
  *column += length + (*column > 0 ? 3 : 0);
}

/* Returns "waits for a result of compute or sfu", with the pipelines of that kind that some warp
 * waits for. */
static gchar *
describe_results (const Drawing *drawing, gboolean memory)
{
  g_autoptr (GString) text = g_string_new ("waits for a result");
  const gchar *word = " of ";

  for (guint32 i = 0; i < drawing->machine->n_pipelines; i++)
    if (drawing->results[i] && drawing->machine->pipelines[i].memory == memory)
      {
        g_string_append_printf (text, "%s%s", word, drawing->machine->pipelines[i].name);
        word = " or ";
      }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
put_letters (Drawing *drawing, guint *column)
{
  const WpMachine *machine = drawing->machine;

  for (guint32 i = 1; i < machine->n_pipelines + 2; i++)
    {
      gboolean barrier = i == machine->n_pipelines + 1;
      g_autofree gchar *text
          = barrier ? g_strdup ("arrives at a barrier")
                    : g_strdup_printf ("issues to %s", machine->pipelines[i - 1].name);

      if (drawing->letters[i])
        put_entry (drawing, (gchar[]){ drawing->timeline->letters[i], '\0' },
                   get_colour (drawing, i - 1, TRUE), text, column);
    }
}

static void
put_looks (Drawing *drawing, guint *column)
{
  g_autofree gchar *compute = describe_results (drawing, FALSE);
  g_autofree gchar *memory = describe_results (drawing, TRUE);
  const struct
  {
    Look look;
    const gchar *text, *colour;
  } entries[] = {
    { LOOK_KEEPS, "keeps its pipeline", NULL },
    { LOOK_COMPUTE, compute, compute_colours[0][FALSE] },
    { LOOK_MEMORY, memory, memory_colours[FALSE] },
    { LOOK_DRAIN, "last results are due", NULL },
    { LOOK_BARRIER, "at a barrier", barrier_colours[FALSE] },
    { LOOK_PIPELINE, "waits for the pipeline", PIPELINE_COLOUR },
    { LOOK_SCHEDULER, "waits for the scheduler", DIM },
    { LOOK_ILP, "waits between its issues", DIM },
    { LOOK_FINISHED, "finished, its block is not", DIM },
  };

  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    if (drawing->shown[entries[i].look])
      put_entry (drawing, looks[drawing->unicode][entries[i].look], entries[i].colour,
                 entries[i].text, column);
}

static void
draw_legend (Drawing *drawing)
{
  guint column = 0;

  put_letters (drawing, &column);
  put_looks (drawing, &column);
  if (column > 0)
    end_line (drawing);
  column = 0;
  if (drawing->marks)
    put_entry (drawing, "pipelines:", NULL, "the warp whose instruction occupies it", &column);
  if (drawing->shared_marks)
    put_entry (drawing, "shared pipelines:", NULL, "the SM whose instruction occupies it", &column);
  if (drawing->shares)
    put_entry (drawing, drawing->unicode ? "▁ to █:" : "0 to 9:", NULL,
               drawing->unicode ? "eighths of a column for which it is occupied"
                                : "tenths of a column for which it is occupied",
               &column);
  if (column > 0)
    end_line (drawing);
  if (drawing->timeline->hides)
    {
      put (drawing, "Not all warps and pipelines are drawn, as they are too many.", NULL);
      end_line (drawing);
    }
  end_line (drawing);
}

/* Returns "a cycle", "8 cycles" or "1/3 cycle". Free with g_free(). */
static gchar *
describe_column (const WpTimeline *timeline)
{
  gint64 cycle = timeline->machine->ticks_per_cycle;
  gint64 common = (gint64)wp_gcd ((guint64)timeline->column, (guint64)cycle);
  WpCycles column = { timeline->column / common, cycle / common };
  gchar text[WP_TIME_CHARS];

  if (timeline->column == cycle)
    return g_strdup ("a cycle");
  return g_strdup_printf ("%s cycle%s", wp_cycles_format (column, text),
                          timeline->column > cycle ? "s" : "");
}

/* Writes "SM 0, cycles 0 to 44 of 100; a column is 2 cycles; --from 44 shows what follows". */
static void
draw_heading (Drawing *drawing, guint32 number, WpTick end)
{
  const WpTimeline *timeline = drawing->timeline;
  WpTick to = MIN (timeline->from + drawing->n_columns * timeline->column, end);
  gint64 cycle = drawing->machine->ticks_per_cycle;
  gchar from_text[WP_TIME_CHARS], to_text[WP_TIME_CHARS], end_text[WP_TIME_CHARS];
  g_autofree gchar *column = describe_column (timeline);
  g_autofree gchar *name = g_strdup_printf ("SM %u", number);
  g_autofree gchar *text = NULL, *next = NULL;

  to = MIN (to, timeline->to);
  wp_tick_format (timeline->from, cycle, from_text);
  wp_tick_format (to, cycle, to_text);
  wp_tick_format (end, cycle, end_text);
  text = timeline->to <= timeline->from ? g_strdup (", nothing: the window has no simulated time")
         : drawing->n_columns == 0
             ? g_strdup_printf (", nothing from cycle %s on: it ends at %s", from_text, end_text)
             : g_strdup_printf (", cycles %s to %s of %s; a column is %s", from_text, to_text,
                                end_text, column);
  put (drawing, name, BOLD);
  put (drawing, text, NULL);
  if (drawing->n_columns > 0 && to < end && to == timeline->to)
    {
      next = g_strdup_printf ("; --from %s shows what follows", to_text);
      if (strlen (name) + strlen (text) + strlen (next) > drawing->trace->options.style.width)
        end_line (drawing);
      put (drawing, drawing->line->len > 0 ? next : next + 2, NULL);
    }
  end_line (drawing);
}

/* The columns until END. */
static void
find_columns (Drawing *drawing, WpTick end)
{
  const WpTimeline *timeline = drawing->timeline;
  WpTick to = MIN (timeline->to, end);

  drawing->n_columns = to <= timeline->from
                           ? 0
                           : (guint)MIN ((to - timeline->from - 1) / timeline->column + 1,
                                         (WpTick)timeline->n_columns);
}

static void
draw_sm (Drawing *drawing, guint32 number)
{
  const WpTimeline *timeline = drawing->timeline;
  const WpTimelineSm *sm = &timeline->sms[number];
  gboolean headed;

  find_columns (drawing, sm->end);
  draw_heading (drawing, number, MAX (drawing->trace->elapsed, MIN (sm->end, timeline->to)));
  if (drawing->n_columns == 0 || sm->groups == NULL)
    {
      end_line (drawing);
      return;
    }
  draw_axis (drawing);
  headed = are_headed (drawing, sm);
  for (guint i = 0; i < sm->groups->len; i++)
    if (g_ptr_array_index (sm->groups, i) != NULL)
      draw_group (drawing, g_ptr_array_index (sm->groups, i), i * drawing->machine->warps_per_block,
                  headed);
  end_line (drawing);
  for (guint i = 0; i < timeline->rows->len; i++)
    {
      const WpTimelineRow *row = &g_array_index (timeline->rows, WpTimelineRow, i);

      if (wp_timeline_is_own (drawing->machine, row))
        draw_pipeline (drawing, row, number, sm->uses == NULL ? NULL : sm->uses[i]);
    }
  end_line (drawing);
}

/* Draws those that SMs share, whose instances are as many as there are groups of SMs. */
static void
draw_shared (Drawing *drawing)
{
  const WpTimeline *timeline = drawing->timeline;
  const WpMachine *machine = drawing->machine;
  WpTick end = 0;
  gboolean any = FALSE;

  for (guint32 i = 0; i < machine->simulated_sms; i++)
    end = MAX (end, timeline->sms[i].end);
  find_columns (drawing, end);
  for (guint i = 0; drawing->n_columns > 0 && i < timeline->rows->len; i++)
    {
      const WpTimelineRow *row = &g_array_index (timeline->rows, WpTimelineRow, i);
      guint32 k = wp_pipeline_get_shared (&machine->pipelines[row->pipeline]);

      if (wp_timeline_is_own (machine, row))
        continue;
      if (!any)
        {
          put (drawing, "Pipelines that SMs share", BOLD);
          end_line (drawing);
          draw_axis (drawing);
        }
      any = TRUE;
      for (guint32 sm = 0; sm < machine->simulated_sms; sm += k)
        if (wp_trace_shows_use (drawing->trace, sm, row->pipeline))
          draw_pipeline (drawing, row, sm,
                         timeline->sms[sm].uses == NULL ? NULL : timeline->sms[sm].uses[i]);
    }
  if (any)
    end_line (drawing);
}

void
wp_timeline_draw (WpTrace *trace)
{
  g_autoptr (GString) line = g_string_new (NULL);
  Drawing drawing = { .trace = trace,
                      .timeline = trace->state,
                      .machine = trace->machine,
                      .unicode = trace->options.style.unicode,
                      .colour = trace->options.style.colour,
                      .line = line };

  for (guint32 i = 0; i < trace->machine->simulated_sms && trace->error_number == 0; i++)
    if (wp_trace_shows_sm (trace, i))
      draw_sm (&drawing, i);
  if (trace->error_number == 0)
    draw_shared (&drawing);
  if (trace->error_number == 0)
    draw_legend (&drawing);
}
