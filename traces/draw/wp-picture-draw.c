/* SPDX-License-Identifier: MIT */
/* Draws a picture's spans on a canvas that is as wide as a slide and as high as its rows need.
 *
 *   kernel on GPU                               Colours are those of the page: computation green,
 *   policy, SM, cycles                          memory orange, barriers yellow. Without colours
 *   ---------------------------------------     heights and hatches say the same: what occupies a
 *     block 0  |---------- 0 -----------|       pipeline is as high as its row, waits are lower
 *   0 warp 0   |  rows, each a band of states   and each is hatched in its own way.
 *   1 warp 1   |  over a strip of what executes
 *   compute    |
 *        cycle 0        10        20
 *   legend of the looks that occur */
#include "traces/draw/wp-picture.h"

#include "traces/draw/wp-canvas.h"

#include <math.h>
#include <string.h>

#define WIDTH 960.0
#define MARGIN 24.0
#define SLIDE 540.0 /* height of a slide of that width */
#define MAX_ROW 30.0
#define MIN_ROW 6.0
#define MIN_PIPELINE 9.0 /* of pipelines: each has a name of its own, which is always written */
#define STRIP_ROW 11.0   /* rows at least this high have a strip for what is in execution */
#define MIN_SHAPE 0.6    /* minimum width of what occupies a pipeline */
#define LETTER 10.0      /* size of a letter in a shape */
#define CLOSE 2.5        /* if the edges of shapes are closer, they have no lines */
#define CLOSE_ISSUES 6   /* and issues have no lines, either */
#define ENTRY 15.0       /* height of a line of the legend */

#define INK 0x16191c
#define MUTED 0x555c64
#define GRID 0xb9c0c7
#define BARRIER 0xf0e442
/* What warps wait for, as on the page: no pipeline has these. */
#define FOR_PIPELINE 0xa01a4a
#define FOR_SCHEDULER 0xc77cff
#define BETWEEN 0x8c8c8c
static const WpCanvasColour bands[2] = { 0xf1f4f6, 0xdde3e9 }; /* for alternate blocks */

static const WpCanvasFont title_font = { 20, TRUE, INK };
static const WpCanvasFont heading_font = { 12, FALSE, MUTED };
static const WpCanvasFont sm_font = { 12, TRUE, INK };
static const WpCanvasFont text_font = { 11, FALSE, INK };
static const WpCanvasFont bold_font = { 11, TRUE, INK };
static const WpCanvasFont axis_font = { 10, FALSE, MUTED };
static const WpCanvasFont block_font = { 9, TRUE, MUTED };

typedef enum
{
  LINE_SM,
  LINE_BLOCKS, /* the numbers of a group's blocks */
  LINE_WARP,
  LINE_PIPELINE,
  LINE_GAP,
  N_LINES
} LineKind;

typedef struct
{
  LineKind kind;
  guint32 sm, group, index; /* index: of the warp in its block, or of the pipeline's row */
  gdouble y, height;
} Line;

/* A part of a row, in points. */
typedef struct
{
  gdouble x0, x1;
} Stretch;

typedef struct
{
  WpTrace *trace;
  const WpPicture *picture;
  const WpMachine *machine;
  WpCanvas *draw;
  WpTick from, to; /* what is drawn; from < to */
  gdouble left, scale;
  GArray *rows;       /* of WpTimelineRow: pipelines */
  guint32 *first_row; /* [n_pipelines + 1] */
  gchar *letters;
  WpCanvasColour *colours; /* [n_pipelines] */
  guint32 *strips;         /* [n_pipelines]: position among those with a strip */
  guint n_strips;
  gboolean *present; /* [n_pipelines + 1][WP_PICTURE_N_LOOKS]; the last row: no pipeline */
  gboolean slots;    /* slots have names: they are not just the warps of one block */
  gboolean headed;   /* blocks have their own lines */
  gboolean shared;   /* there are rows of pipelines that SMs share */
  GArray *lines;     /* of Line */
  gdouble row;       /* height of a row */
  gdouble top, bottom;
  GArray *stretches; /* of Stretch: what to paint next */
  GArray *issues;    /* of gdouble, increasing: positions of a warp's issues */
  gboolean numbers;  /* there are numbers in pipelines' rows */
} Drawing;

/* ---- Colours ---- */

/* Returns COLOUR mixed with white; SHARE is the fraction of COLOUR. */
static WpCanvasColour
mix (WpCanvasColour colour, gdouble share)
{
  WpCanvasColour mixed = 0;

  for (gint shift = 0; shift <= 16; shift += 8)
    mixed |= (WpCanvasColour)lround ((colour >> shift & 255) * share + 255 * (1 - share)) << shift;
  return mixed;
}

/* Whether pipeline P is the one that has the colour of its kind: of memory the one of that name, if
 * there is one; else the first. */
static gboolean
is_first_of_kind (const WpMachine *machine, guint32 p)
{
  gboolean memory = machine->pipelines[p].memory, first = TRUE;

  for (guint32 i = 0; i < machine->n_pipelines && memory; i++)
    if (machine->pipelines[i].memory && strcmp (machine->pipelines[i].name, "memory") == 0)
      return i == p;
  for (guint32 i = 0; i < p; i++)
    first = first && machine->pipelines[i].memory != memory;
  return first;
}

/* Those that have not the colour of their kind get the remaining colours, which are those of the
 * page (base.js), in its order. */
static void
choose_colours (Drawing *drawing)
{
  static const WpCanvasColour others[]
      = { 0x56b4e9, 0xd55e00, 0x6f4e9c, 0x8c6d31, 0x17807e, 0xa5d65a, 0xf4a6c0, 0x0072b2 };
  const WpMachine *machine = drawing->machine;
  guint n = 0;

  drawing->colours = g_new0 (WpCanvasColour, machine->n_pipelines + 1);
  for (guint32 i = 0; i < machine->n_pipelines; i++)
    if (is_first_of_kind (machine, i))
      drawing->colours[i] = machine->pipelines[i].memory ? 0xe69f00 : 0x009e73;
    else
      drawing->colours[i] = others[n++ % G_N_ELEMENTS (others)];
}

/* ---- What the picture contains ---- */

static gint
compare_numbers (gint64 a, gint64 b)
{
  return (a > b) - (a < b);
}

static gint
compare_spans (gconstpointer a, gconstpointer b)
{
  const WpPictureSpan *one = a, *other = b;
  gint order = compare_numbers (one->sm, other->sm);

  order = order != 0 ? order : compare_numbers (one->slot, other->slot);
  order = order != 0 ? order : compare_numbers (one->look, other->look);
  if (one->look != WP_PICTURE_ISSUES)
    order = order != 0 ? order : compare_numbers (one->pipeline, other->pipeline);
  order = order != 0 ? order : compare_numbers (one->from, other->from);
  order = order != 0 ? order : compare_numbers (one->to, other->to);
  return order != 0 ? order : compare_numbers (one->pipeline, other->pipeline);
}

static gint
compare_lives (gconstpointer a, gconstpointer b)
{
  const WpPictureLife *one = a, *other = b;
  gint order = compare_numbers (one->sm, other->sm);

  order = order != 0 ? order : compare_numbers (one->group, other->group);
  order = order != 0 ? order : compare_numbers (one->from, other->from);
  return order != 0 ? order : compare_numbers ((gint64)one->block, (gint64)other->block);
}

static gboolean
is_shown (const Drawing *drawing, WpTick from, WpTick to)
{
  return from < drawing->to && (from == to ? from >= drawing->from : to > drawing->from);
}

/* Returns the flag that says whether LOOK of PIPELINE occurs in the drawing. */
static gboolean *
get_present (const Drawing *drawing, guint32 pipeline, WpPictureLook look)
{
  return drawing->present + MIN (pipeline, drawing->machine->n_pipelines) * WP_PICTURE_N_LOOKS
         + look;
}

static void
find_present (Drawing *drawing)
{
  const GArray *spans = drawing->picture->spans;
  guint32 n = drawing->machine->n_pipelines;

  drawing->present = g_new0 (gboolean, (n + 1) * WP_PICTURE_N_LOOKS);
  drawing->strips = g_new0 (guint32, n + 1);
  for (guint i = 0; i < spans->len; i++)
    {
      const WpPictureSpan *span = &g_array_index (spans, WpPictureSpan, i);

      guint32 pipeline = span->look == WP_PICTURE_ISSUES ? WP_NO_PIPELINE : span->pipeline;

      if (is_shown (drawing, span->from, span->to))
        *get_present (drawing, pipeline, span->look) = TRUE;
    }
  for (guint i = 0; i < drawing->picture->uses->len; i++)
    {
      const WpPictureSpan *use = &g_array_index (drawing->picture->uses, WpPictureSpan, i);

      if (is_shown (drawing, use->from, use->to))
        *get_present (drawing, use->pipeline, WP_PICTURE_KEEPS) = TRUE;
    }
  for (guint32 i = 0; i < n; i++)
    if (*get_present (drawing, i, WP_PICTURE_EXECUTES))
      drawing->strips[i] = drawing->n_strips++;
}

/* ---- Lines ---- */

static void
add_line (Drawing *drawing, LineKind kind, guint32 sm, guint32 group, guint32 index)
{
  static const gdouble heights[N_LINES] = { [LINE_SM] = 18, [LINE_BLOCKS] = 11, [LINE_GAP] = 6 };
  Line line = { kind, sm, group, index, 0, heights[kind] };

  g_array_append_val (drawing->lines, line);
}

static void
add_group (Drawing *drawing, guint32 sm, guint32 group)
{
  if (drawing->headed)
    add_line (drawing, LINE_BLOCKS, sm, group, 0);
  for (guint32 i = 0; i < drawing->machine->warps_per_block; i++)
    add_line (drawing, LINE_WARP, sm, group, i);
}

static void
add_pipelines (Drawing *drawing, guint32 sm)
{
  add_line (drawing, LINE_GAP, sm, 0, 0);
  for (guint i = 0; i < drawing->rows->len; i++)
    if (wp_timeline_is_own (drawing->machine, &g_array_index (drawing->rows, WpTimelineRow, i)))
      add_line (drawing, LINE_PIPELINE, sm, 0, i);
}

/* Those that SMs share, below all SMs. */
static void
add_shared (Drawing *drawing)
{
  const WpMachine *machine = drawing->machine;

  for (guint i = 0; i < drawing->rows->len; i++)
    {
      const WpTimelineRow *row = &g_array_index (drawing->rows, WpTimelineRow, i);
      guint32 k = wp_pipeline_get_shared (&machine->pipelines[row->pipeline]);

      if (wp_timeline_is_own (machine, row))
        continue;
      if (!drawing->shared)
        add_line (drawing, LINE_GAP, 0, 0, 0);
      drawing->shared = TRUE;
      for (guint32 sm = 0; sm < machine->simulated_sms; sm += k)
        if (wp_trace_shows_use (drawing->trace, sm, row->pipeline))
          add_line (drawing, LINE_PIPELINE, sm, 0, i);
    }
}

/* Tells whether blocks have their own lines: if they have several warps or replace each other, and
 * there is room. */
static gboolean
are_headed (const Drawing *drawing)
{
  const GArray *lives = drawing->picture->lives;
  guint n_groups = 0, most = 0, n = 0;

  for (guint i = 0; i < lives->len; i++)
    {
      const WpPictureLife *life = &g_array_index (lives, WpPictureLife, i);

      if (i == 0 || life->sm != life[-1].sm || life->group != life[-1].group)
        {
          n_groups++;
          n = 0;
        }
      n++;
      most = MAX (most, n);
    }
  return (drawing->machine->warps_per_block > 1 || most > 1) && n_groups <= 32;
}

/* Makes the lines. Lives are sorted by SM, then group. */
static void
find_lines (Drawing *drawing)
{
  const GArray *lives = drawing->picture->lives;
  gboolean several = drawing->trace->options.window.sm == WP_TRACE_ALL_SMS
                     && drawing->machine->simulated_sms > 1;

  drawing->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  drawing->headed = are_headed (drawing);
  for (guint i = 0; i < lives->len; i++)
    drawing->slots |= (drawing->machine->warps_per_block > 1 || !drawing->headed)
                      && g_array_index (lives, WpPictureLife, i).group > 0;
  for (guint i = 0; i < lives->len; i++)
    {
      const WpPictureLife *life = &g_array_index (lives, WpPictureLife, i);

      if (i > 0 && life->sm == life[-1].sm && life->group == life[-1].group)
        continue;
      if (i > 0 && life->sm != life[-1].sm)
        add_line (drawing, LINE_GAP, life->sm, 0, 0);
      if (several && (i == 0 || life->sm != life[-1].sm))
        add_line (drawing, LINE_SM, life->sm, 0, 0);
      add_group (drawing, life->sm, life->group);
      while (i + 1 < lives->len && life[1].sm == life->sm && life[1].group == life->group)
        {
          i++;
          life++;
        }
      if (i + 1 == lives->len || life[1].sm != life->sm)
        add_pipelines (drawing, life->sm);
      else if (drawing->headed)
        add_line (drawing, LINE_GAP, life->sm, 0, 0);
    }
  if (lives->len > 0)
    add_shared (drawing);
}

/* Chooses the rows' height so that the picture fits on a slide, below TOP, with AROUND for
 * everything else. */
static void
place_lines (Drawing *drawing, gdouble top, gdouble around)
{
  gdouble fixed = 0, y = top;
  guint n = 0;

  for (guint i = 0; i < drawing->lines->len; i++)
    {
      const Line *line = &g_array_index (drawing->lines, Line, i);

      fixed += line->height;
      n += line->height == 0;
    }
  drawing->row = CLAMP (floor ((SLIDE - around - fixed) / MAX (n, 1)), MIN_ROW, MAX_ROW);
  drawing->top = top;
  for (guint i = 0; i < drawing->lines->len; i++)
    {
      Line *line = &g_array_index (drawing->lines, Line, i);

      line->y = y;
      if (line->height == 0)
        line->height
            = line->kind == LINE_PIPELINE ? MAX (drawing->row, MIN_PIPELINE) : drawing->row;
      y += line->height;
    }
  drawing->bottom = y;
}

/* ---- Names ---- */

/* Returns "warp 3" of a block; if blocks have one warp, the block if it is never replaced,
 * otherwise the slot. */
static gchar *
make_warp_name (const Drawing *drawing, const Line *line)
{
  const GArray *lives = drawing->picture->lives;
  guint64 block = 0;
  guint n = 0;

  if (drawing->machine->warps_per_block > 1)
    return g_strdup_printf ("warp %u", line->index);
  for (guint i = 0; i < lives->len; i++)
    {
      const WpPictureLife *life = &g_array_index (lives, WpPictureLife, i);

      if (life->sm == line->sm && life->group == line->group)
        {
          block = life->block;
          n++;
        }
    }
  if (drawing->headed)
    return g_strdup_printf ("slot %u", line->group);
  return n == 1 ? g_strdup_printf ("block %" G_GUINT64_FORMAT, block) : g_strdup ("warp");
}

/* Returns "" if the warps' names say it already. */
static gchar *
make_slot_name (const Drawing *drawing, const Line *line)
{
  return !drawing->slots ? g_strdup ("")
                         : g_strdup_printf ("%u", line->group * drawing->machine->warps_per_block
                                                      + line->index);
}

static gchar *
make_pipeline_name (const Drawing *drawing, const Line *line)
{
  return wp_timeline_make_label (
      drawing->machine, &g_array_index (drawing->rows, WpTimelineRow, line->index), line->sm);
}

/* Returns a font that fits into a row of HEIGHT. */
static WpCanvasFont
get_row_font (const WpCanvasFont *font, gdouble height)
{
  WpCanvasFont fitting = *font;

  fitting.size = MIN (font->size, MAX (height - 1, 6.5));
  return fitting;
}

/* Returns where the time axis begins: right of the longest name. */
static gdouble
find_left (const Drawing *drawing)
{
  gdouble widest = wp_canvas_measure (&axis_font, "cycle");

  for (guint i = 0; i < drawing->lines->len; i++)
    {
      const Line *line = &g_array_index (drawing->lines, Line, i);
      g_autofree gchar *name = line->kind == LINE_WARP       ? make_warp_name (drawing, line)
                               : line->kind == LINE_PIPELINE ? make_pipeline_name (drawing, line)
                                                             : g_strdup ("");
      g_autofree gchar *slot
          = line->kind == LINE_WARP ? make_slot_name (drawing, line) : g_strdup ("");

      widest = MAX (widest, wp_canvas_measure (&text_font, name) + 6
                                + wp_canvas_measure (&bold_font, slot));
    }
  return MARGIN + MIN (widest, WIDTH / 4) + 8;
}

/* Draws TEXT, made smaller if it is wider than ROOM, or cut if it would become too small. */
static void
draw_fitting (Drawing *drawing, gdouble x, gdouble y, gdouble room, WpCanvasFont font,
              const gchar *text)
{
  g_autofree gchar *start = g_utf8_substring (text, 0, MIN (g_utf8_strlen (text, -1), 500));
  g_autoptr (GString) cut = g_string_new (start);
  gdouble width = wp_canvas_measure (&font, start);

  if (width > room)
    font.size = MAX (font.size * room / width, MIN (font.size, 9));
  while (cut->len > 0 && wp_canvas_measure (&font, cut->str) > room)
    {
      glong n = g_utf8_strlen (cut->str, -1);

      g_string_truncate (cut,
                         (gsize)(g_utf8_offset_to_pointer (cut->str, MAX (n - 4, 0)) - cut->str));
      if (cut->len > 0)
        g_string_append (cut, "...");
    }
  wp_canvas_text (drawing->draw, x, y, WP_CANVAS_LEFT, &font, cut->str);
}

/* ---- Shapes in a row ---- */

static gdouble
get_x (const Drawing *drawing, WpTick time)
{
  return drawing->left + (gdouble)(time - drawing->from) * drawing->scale;
}

/* Adds diagonal lines, or with BACK lines in the other direction. Those of neighbouring rows meet.
 */
static void
add_slanting (Drawing *drawing, WpCanvasBox box, gdouble step, gboolean back)
{
  gdouble x1 = box.x + box.width, y1 = box.y + box.height;
  gdouble low = back ? box.x - y1 : box.x + box.y, high = back ? x1 - box.y : x1 + y1;

  for (gdouble c = ceil (low / step) * step; c < high; c += step)
    if (back)
      wp_canvas_add_line (drawing->draw, MAX (box.x, c + box.y), MAX (box.x, c + box.y) - c,
                          MIN (x1, c + y1), MIN (x1, c + y1) - c);
    else
      wp_canvas_add_line (drawing->draw, MAX (box.x, c - y1), c - MAX (box.x, c - y1),
                          MIN (x1, c - box.y), c - MIN (x1, c - box.y));
}

static void
add_upright (Drawing *drawing, WpCanvasBox box, gdouble step)
{
  for (gdouble x = ceil (box.x / step) * step; x < box.x + box.width; x += step)
    wp_canvas_add_line (drawing->draw, x, box.y, x, box.y + box.height);
}

/* How a look is painted: FROM and TO within its row's band (0: top, 1: bottom), colour, and hatch.
 */
typedef struct
{
  gdouble from, to;
  WpCanvasColour colour, ink;
  enum
  {
    PLAIN,
    SLANTING,
    CROSSED,
    UPRIGHT,
    LINES, /* two lines along it */
  } hatch;
} Paint;

static Paint
get_paint (const Drawing *drawing, WpPictureLook look, guint32 pipeline)
{
  gboolean known = pipeline < drawing->machine->n_pipelines;
  WpCanvasColour own = known ? drawing->colours[pipeline] : BETWEEN;
  gboolean memory = known && drawing->machine->pipelines[pipeline].memory;

  switch (look)
    {
    case WP_PICTURE_WAITS:
      return (Paint){ 0.25, 0.75, mix (own, 0.42), own, memory ? SLANTING : PLAIN };
    case WP_PICTURE_DRAINS:
      return (Paint){ 0.37, 0.63, mix (own, 0.42), own, memory ? SLANTING : PLAIN };
    case WP_PICTURE_AT_BARRIER:
      return (Paint){ 0.12, 0.88, BARRIER, 0x8a8000, CROSSED };
    case WP_PICTURE_FOR_PIPELINE:
      return (Paint){ 0.25, 0.75, mix (FOR_PIPELINE, 0.18), FOR_PIPELINE, UPRIGHT };
    case WP_PICTURE_FOR_SCHEDULER:
      return (Paint){ 0.25, 0.75, mix (FOR_SCHEDULER, 0.3), 0x8a3fc4, LINES };
    case WP_PICTURE_BETWEEN:
      return (Paint){ 0.42, 0.58, BETWEEN, BETWEEN, PLAIN };
    case WP_PICTURE_FINISHED:
      return (Paint){ 0.46, 0.54, GRID, GRID, PLAIN };
    default:
      return (Paint){ 0, 1, own, own, PLAIN };
    }
}

static void
add_hatch (Drawing *drawing, const Paint *paint, WpCanvasBox box)
{
  switch (paint->hatch)
    {
    case SLANTING:
      add_slanting (drawing, box, 5, FALSE);
      break;
    case CROSSED:
      add_slanting (drawing, box, 7, FALSE);
      add_slanting (drawing, box, 7, TRUE);
      break;
    case UPRIGHT:
      add_upright (drawing, box, 3);
      break;
    case LINES:
      for (gint i = 1; i <= 2; i++)
        wp_canvas_add_line (drawing->draw, box.x, box.y + box.height * i / 3, box.x + box.width,
                            box.y + box.height * i / 3);
      break;
    default:
      break;
    }
}

/* Paints the collected stretches as LOOK, in a band from Y on. */
static void
paint_stretches (Drawing *drawing, const Paint *paint, gdouble y, gdouble height)
{
  const GArray *stretches = drawing->stretches;
  WpCanvasBox box = { 0, y + height * paint->from, 0, height * (paint->to - paint->from) };

  for (guint i = 0; i < stretches->len; i++)
    {
      const Stretch *stretch = &g_array_index (stretches, Stretch, i);

      box.x = stretch->x0;
      box.width = stretch->x1 - stretch->x0;
      wp_canvas_add_box (drawing->draw, box);
    }
  wp_canvas_fill (drawing->draw, paint->colour);
  for (guint i = 0; i < stretches->len && paint->hatch != PLAIN; i++)
    {
      const Stretch *stretch = &g_array_index (stretches, Stretch, i);

      box.x = stretch->x0;
      box.width = stretch->x1 - stretch->x0;
      add_hatch (drawing, paint, box);
    }
  wp_canvas_stroke (drawing->draw, paint->ink, 0.6);
}

/* Adds a span to the stretches. It is merged with the last one if it begins where that ended,
 * unless APART. */
static void
add_stretch (Drawing *drawing, const WpPictureSpan *span, gboolean apart)
{
  gdouble end = WIDTH - MARGIN;
  Stretch stretch = { get_x (drawing, MAX (span->from, drawing->from)),
                      get_x (drawing, MIN (span->to, drawing->to)) };
  GArray *stretches = drawing->stretches;
  Stretch *last
      = stretches->len == 0 ? NULL : &g_array_index (stretches, Stretch, stretches->len - 1);

  if (!is_shown (drawing, span->from, span->to))
    return;
  if (apart)
    stretch.x1 = MIN (MAX (stretch.x1, stretch.x0 + MIN_SHAPE), end);
  if (!apart && last != NULL && stretch.x0 <= last->x1 + 1e-9)
    last->x1 = MAX (last->x1, stretch.x1);
  else
    g_array_append_val (stretches, stretch);
}

/* ---- Rows ---- */

/* Tells where a row's band and strip are. */
static gboolean
has_strip (const Drawing *drawing)
{
  return drawing->row >= STRIP_ROW && drawing->n_strips > 0;
}

static gdouble
get_band_height (const Drawing *drawing)
{
  return has_strip (drawing) ? floor (drawing->row * 0.66) : drawing->row - 1;
}

/* Draws a line at the left edge of each stretch that is wide enough: an issue. */
static void
draw_edges (Drawing *drawing, gdouble y, gdouble height)
{
  for (guint i = 0; i < drawing->stretches->len; i++)
    {
      const Stretch *stretch = &g_array_index (drawing->stretches, Stretch, i);

      if (stretch->x1 - stretch->x0 >= CLOSE)
        wp_canvas_add_line (drawing->draw, stretch->x0, y, stretch->x0, y + height);
    }
  wp_canvas_stroke (drawing->draw, INK, 0.7);
}

/* Returns where STRETCH ends, or where the warp issues again. */
static gdouble
find_next (const Drawing *drawing, const Stretch *stretch)
{
  guint low = 0, high = drawing->issues->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (drawing->issues, gdouble, middle) <= stretch->x0 + 1e-9)
        low = middle + 1;
      else
        high = middle;
    }
  return low == drawing->issues->len
             ? stretch->x1
             : MIN (stretch->x1, g_array_index (drawing->issues, gdouble, low));
}

/* Writes TEXT in the middle of those shapes that have room for it. */
static void
draw_letters (Drawing *drawing, gdouble y, gdouble height, const gchar *text)
{
  WpCanvasFont font = { MIN (LETTER, height - 2), FALSE, INK };
  gdouble width = wp_canvas_measure (&font, text);

  for (guint i = 0; i < drawing->stretches->len && font.size >= 6; i++)
    {
      const Stretch *stretch = &g_array_index (drawing->stretches, Stretch, i);

      gdouble end = find_next (drawing, stretch);

      if (end - stretch->x0 >= width + 3)
        wp_canvas_text (drawing->draw, (stretch->x0 + end) / 2, y + height / 2 + font.size * 0.36,
                        WP_CANVAS_CENTRE, &font, text);
    }
}

static void
draw_strip (Drawing *drawing, guint32 pipeline, gdouble y)
{
  gdouble room = drawing->row - get_band_height (drawing) - 3;
  gdouble height = MIN (room / drawing->n_strips, 3);
  Paint paint = get_paint (drawing, WP_PICTURE_EXECUTES, pipeline);

  paint_stretches (drawing, &paint, y + 1.5 + height * drawing->strips[pipeline],
                   MAX (height - 0.5, height * 0.7));
}

/* Draws issues as lines, except those so close together that they would hide what is between them.
 */
static void
draw_issues (Drawing *drawing, gdouble y, gdouble height)
{
  const GArray *stretches = drawing->stretches;

  for (guint i = 0; i < stretches->len; i++)
    {
      const Stretch *stretch = &g_array_index (stretches, Stretch, i);

      if ((i == 0 || stretch->x0 - stretch[-1].x0 >= CLOSE_ISSUES)
          && (i + 1 == stretches->len || stretch[1].x0 - stretch->x0 >= CLOSE_ISSUES))
        wp_canvas_add_line (drawing->draw, stretch->x0, y, stretch->x0, y + height);
    }
  wp_canvas_stroke (drawing->draw, INK, 0.8);
}

static void
draw_look (Drawing *drawing, WpPictureLook look, guint32 pipeline, gdouble y)
{
  gdouble height = get_band_height (drawing);
  Paint paint = get_paint (drawing, look, pipeline);

  if (look == WP_PICTURE_EXECUTES)
    {
      if (has_strip (drawing))
        draw_strip (drawing, pipeline, y + height + 1);
      return;
    }
  if (look == WP_PICTURE_ISSUES)
    {
      draw_issues (drawing, y + 1, height);
      return;
    }
  paint_stretches (drawing, &paint, y + 1, height);
  if (look == WP_PICTURE_KEEPS)
    draw_letters (drawing, y + 1, height, (gchar[]){ drawing->letters[pipeline + 1], '\0' });
}

static gboolean
is_on_top (const Drawing *drawing, const WpPictureSpan *span)
{
  return span->look == WP_PICTURE_ISSUES
         || (span->look == WP_PICTURE_KEEPS && !drawing->machine->pipelines[span->pipeline].memory);
}

static void
find_issues (Drawing *drawing, const WpPictureSpan *spans, guint n)
{
  g_array_set_size (drawing->issues, 0);
  for (guint i = 0; i < n; i++)
    if (spans[i].look == WP_PICTURE_ISSUES && is_shown (drawing, spans[i].from, spans[i].to))
      {
        gdouble x = get_x (drawing, spans[i].from);

        g_array_append_val (drawing->issues, x);
      }
}

/* Draws a warp from its N SPANS, in order. What occupies a memory pipeline may last long while
 * computation continues; computation is drawn over it. */
static void
draw_warp (Drawing *drawing, const Line *line, const WpPictureSpan *spans, guint n)
{
  find_issues (drawing, spans, n);
  for (gint on_top = 0; on_top <= 1; on_top++)
    for (guint i = 0; i < n;)
      {
        const WpPictureSpan *first = &spans[i];
        gboolean apart = first->look == WP_PICTURE_KEEPS || first->look == WP_PICTURE_ISSUES;

        g_array_set_size (drawing->stretches, 0);
        for (; i < n && spans[i].look == first->look
               && (spans[i].pipeline == first->pipeline || first->look == WP_PICTURE_ISSUES);
             i++)
          add_stretch (drawing, &spans[i], apart);
        if (drawing->stretches->len > 0 && is_on_top (drawing, first) == on_top)
          draw_look (drawing, first->look, first->pipeline, line->y);
      }
  g_array_set_size (drawing->issues, 0);
}

/* Whether SPAN is a use of the instance whose row LINE is. */
static gboolean
is_use (const Drawing *drawing, const Line *line, const WpPictureSpan *span)
{
  const WpTimelineRow *row = &g_array_index (drawing->rows, WpTimelineRow, line->index);

  return span->look == WP_PICTURE_KEEPS && span->pipeline == row->pipeline
         && wp_stays_are_together (drawing->machine, row->pipeline, span->sm, line->sm)
         && (row->instance == G_MAXUINT32
             || span->slot % drawing->machine->n_schedulers == row->instance);
}

/* Draws what SPANS use of a pipeline, by slot; of one that SMs share, by SM. */
static void
draw_uses (Drawing *drawing, const Line *line, const GArray *spans)
{
  const WpTimelineRow *row = &g_array_index (drawing->rows, WpTimelineRow, line->index);
  gboolean own = wp_timeline_is_own (drawing->machine, row);
  Paint paint = get_paint (drawing, WP_PICTURE_KEEPS, row->pipeline);
  gdouble y = line->y + 1, height = line->height - 2;

  for (guint i = 0; i < spans->len;)
    {
      const WpPictureSpan *first = &g_array_index (spans, WpPictureSpan, i), *span = first;
      g_autofree gchar *user = g_strdup_printf ("%u", own ? first->slot : first->sm);

      g_array_set_size (drawing->stretches, 0);
      for (; i < spans->len && span->sm == first->sm && span->slot == first->slot; i++, span++)
        if (is_use (drawing, line, span))
          add_stretch (drawing, span, TRUE);
      if (drawing->stretches->len == 0)
        continue;
      paint_stretches (drawing, &paint, y, height);
      draw_edges (drawing, y, height);
      draw_letters (drawing, y, height, user);
    }
}

static void
draw_pipeline (Drawing *drawing, const Line *line)
{
  draw_uses (drawing, line, drawing->picture->spans);
  draw_uses (drawing, line, drawing->picture->uses);
}

/* ---- Blocks ---- */

static void
draw_block_number (Drawing *drawing, const WpPictureLife *life, const Line *line, gdouble x0,
                   gdouble x1)
{
  g_autofree gchar *number = g_strdup_printf ("%" G_GUINT64_FORMAT, life->block);
  g_autofree gchar *name = g_strdup_printf ("block %s", number);
  const gchar *text = wp_canvas_measure (&block_font, name) + 8 <= x1 - x0 ? name : number;

  if (wp_canvas_measure (&block_font, text) + 4 <= x1 - x0)
    wp_canvas_text (drawing->draw,
                    x0 + MIN (4, (x1 - x0 - wp_canvas_measure (&block_font, text)) / 2),
                    line->y + line->height - 2.5, WP_CANVAS_LEFT, &block_font, text);
}

/* Draws the blocks of a line's group behind it; with EDGES not their background, but where they
 * begin and end. */
static void
draw_blocks (Drawing *drawing, const Line *line, gboolean edges)
{
  const GArray *lives = drawing->picture->lives;
  guint n = 0;

  for (guint i = 0; i < lives->len; i++)
    {
      const WpPictureLife *life = &g_array_index (lives, WpPictureLife, i);
      gdouble x0 = get_x (drawing, MAX (life->from, drawing->from));
      gdouble x1 = get_x (drawing, MIN (life->to, drawing->to));

      if (life->sm != line->sm || life->group != line->group)
        continue;
      n++;
      if (!is_shown (drawing, life->from, life->to))
        continue;
      if (!edges)
        {
          wp_canvas_add_box (drawing->draw, (WpCanvasBox){ x0, line->y, x1 - x0, line->height });
          wp_canvas_fill (drawing->draw, bands[(n + 1) % 2]);
          continue;
        }
      if (life->from >= drawing->from)
        wp_canvas_add_line (drawing->draw, x0, line->y, x0, line->y + line->height);
      if (life->to <= drawing->to)
        wp_canvas_add_line (drawing->draw, x1, line->y, x1, line->y + line->height);
      wp_canvas_stroke (drawing->draw, INK, 1);
      if (line->kind == LINE_BLOCKS)
        draw_block_number (drawing, life, line, x0, x1);
    }
}

/* ---- Time ---- */

/* Returns the cycles between two numbers of the axis: 1, 2 or 5 times a power of ten. */
static gdouble
choose_step (const Drawing *drawing)
{
  gdouble cycle = (gdouble)drawing->machine->ticks_per_cycle * drawing->scale;
  gdouble room = 50 + 6.5 * log10 (1 + (gdouble)drawing->to);
  gdouble least = room / cycle, power = pow (10, floor (log10 (least)));

  for (gdouble n = 1; n < 10; n = n == 1 ? 2 : n == 2 ? 5 : 10)
    if (n * power >= least)
      return n * power;
  return 10 * power;
}

static void
draw_grid (Drawing *drawing)
{
  gdouble cycle = (gdouble)drawing->machine->ticks_per_cycle, step = choose_step (drawing);
  gdouble from = (gdouble)drawing->from / cycle, to = (gdouble)drawing->to / cycle;
  gdouble y = drawing->bottom;
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  for (gdouble k = ceil (from / step * (1 - 1e-12)); k * step <= to * (1 + 1e-12); k++)
    {
      gdouble x = drawing->left + (k * step - from) * cycle * drawing->scale;

      wp_canvas_add_line (drawing->draw, x, drawing->top, x, y + 5);
      wp_canvas_stroke (drawing->draw, GRID, 0.6);
      wp_canvas_text (drawing->draw, x, y + 16, WP_CANVAS_CENTRE, &axis_font,
                      g_ascii_formatd (text, sizeof text, "%.12g", k * step));
    }
  wp_canvas_add_line (drawing->draw, drawing->left, y, WIDTH - MARGIN, y);
  wp_canvas_stroke (drawing->draw, INK, 1);
  wp_canvas_text (drawing->draw, MARGIN, y + 16, WP_CANVAS_LEFT, &axis_font, "cycle");
}

/* ---- Legend ---- */

typedef struct
{
  gdouble x, y; /* where the next entry goes */
} Pen;

#define SWATCH 24.0

/* Starts a new line if WIDTH does not fit into this one. */
static void
make_room (Pen *pen, gdouble width)
{
  if (pen->x + width <= WIDTH - MARGIN || pen->x <= MARGIN)
    return;
  pen->x = MARGIN;
  pen->y += ENTRY;
}

static void
draw_swatch (Drawing *drawing, WpPictureLook look, guint32 pipeline, gdouble x, gdouble y)
{
  Paint paint = get_paint (drawing, look, pipeline);
  Stretch stretch = { x, x + SWATCH };

  g_array_set_size (drawing->stretches, 0);
  g_array_append_val (drawing->stretches, stretch);
  if (look == WP_PICTURE_EXECUTES)
    paint_stretches (drawing, &paint, y + 5, 2.5);
  else if (look != WP_PICTURE_ISSUES)
    paint_stretches (drawing, &paint, y, 12);
  if (look == WP_PICTURE_KEEPS)
    draw_letters (drawing, y, 12, (gchar[]){ drawing->letters[pipeline + 1], '\0' });
  if (look != WP_PICTURE_KEEPS && look != WP_PICTURE_ISSUES)
    return;
  wp_canvas_add_line (drawing->draw, x, y, x, y + 12);
  wp_canvas_stroke (drawing->draw, INK, 0.8);
}

/* Places an entry, and draws it if `draw` is set. */
static void
put_entry (Drawing *drawing, Pen *pen, WpPictureLook look, guint32 pipeline, const gchar *text)
{
  gdouble swatch = look == WP_PICTURE_ISSUES ? 4 : SWATCH;
  gdouble width = swatch + 5 + wp_canvas_measure (&text_font, text);

  if (!*get_present (drawing, pipeline, look))
    return;
  make_room (pen, width);
  if (drawing->draw != NULL)
    {
      draw_swatch (drawing, look, pipeline, pen->x, pen->y);
      wp_canvas_text (drawing->draw, pen->x + swatch + 5, pen->y + 10, WP_CANVAS_LEFT, &text_font,
                      text);
    }
  pen->x += width + 16;
}

static void
put_pipeline (Drawing *drawing, Pen *pen, guint32 pipeline)
{
  const gchar *name = drawing->machine->pipelines[pipeline].name;
  gboolean any = FALSE;

  for (gint look = 0; look < WP_PICTURE_N_LOOKS; look++)
    any |= *get_present (drawing, pipeline, (WpPictureLook)look);
  if (!any)
    return;
  if (pen->x > MARGIN)
    make_room (pen, WIDTH);
  if (drawing->draw != NULL)
    draw_fitting (drawing, pen->x, pen->y + 10, drawing->left - MARGIN - 4, bold_font, name);
  pen->x = drawing->left;
  put_entry (drawing, pen, WP_PICTURE_KEEPS, pipeline, "keeps the pipeline");
  if (has_strip (drawing))
    put_entry (drawing, pen, WP_PICTURE_EXECUTES, pipeline, "in execution");
  put_entry (drawing, pen, WP_PICTURE_WAITS, pipeline, "a warp waits for its result");
  put_entry (drawing, pen, WP_PICTURE_DRAINS, pipeline, "the warp's last result is due");
}

/* Finds out whether there are numbers in the rows of pipelines: of those that SPANS use. */
static void
find_numbers (Drawing *drawing, const GArray *spans)
{
  WpCanvasFont font = { LETTER, FALSE, INK };
  gdouble digit = wp_canvas_measure (&font, "0");

  for (guint i = 0; i < spans->len && !drawing->numbers; i++)
    {
      const WpPictureSpan *span = &g_array_index (spans, WpPictureSpan, i);

      drawing->numbers = span->look == WP_PICTURE_KEEPS && is_shown (drawing, span->from, span->to)
                         && (gdouble)(span->to - span->from) * drawing->scale >= digit + 3;
    }
}

static void
put_words (Drawing *drawing, Pen *pen, const gchar *text)
{
  gdouble width = wp_canvas_measure (&text_font, text);

  make_room (pen, width);
  if (drawing->draw != NULL)
    wp_canvas_text (drawing->draw, pen->x, pen->y + 10, WP_CANVAS_LEFT, &text_font, text);
  pen->x += width + 16;
}

/* Draws the legend from Y on. Before there is a canvas, it only computes the height. */
static gdouble
draw_legend (Drawing *drawing, gdouble y)
{
  guint32 none = WP_NO_PIPELINE;
  Pen pen = { MARGIN, y };

  for (guint32 i = 0; i < drawing->machine->n_pipelines; i++)
    put_pipeline (drawing, &pen, i);
  if (pen.x > MARGIN)
    make_room (&pen, WIDTH);
  if (drawing->draw != NULL)
    wp_canvas_text (drawing->draw, pen.x, pen.y + 10, WP_CANVAS_LEFT, &bold_font, "warps");
  pen.x = drawing->left;
  put_entry (drawing, &pen, WP_PICTURE_ISSUES, none,
             *get_present (drawing, none, WP_PICTURE_AT_BARRIER) ? "issues, or arrives at a barrier"
                                                                 : "issues");
  put_entry (drawing, &pen, WP_PICTURE_AT_BARRIER, none, "at a barrier");
  put_entry (drawing, &pen, WP_PICTURE_WAITS, none, "waits for a result");
  put_entry (drawing, &pen, WP_PICTURE_FOR_PIPELINE, none, "waits for the pipeline");
  put_entry (drawing, &pen, WP_PICTURE_FOR_SCHEDULER, none, "waits for the scheduler");
  put_entry (drawing, &pen, WP_PICTURE_BETWEEN, none, "between its issues");
  put_entry (drawing, &pen, WP_PICTURE_FINISHED, none, "finished, its block is not");
  if (drawing->numbers)
    {
      gboolean warps
          = !drawing->slots && !(drawing->machine->warps_per_block == 1 && drawing->headed);
      g_autofree gchar *words
          = g_strconcat (warps ? "number in a pipeline: the warp"
                               : "number in a pipeline: the slot, as at the left",
                         drawing->shared ? "; in one that SMs share: the SM" : "", NULL);

      put_words (drawing, &pen, words);
    }
  return pen.y + ENTRY;
}

/* ---- The whole ---- */

static gchar *
make_heading (const Drawing *drawing)
{
  const WpTraceOptions *options = &drawing->trace->options;
  gint64 cycle = drawing->machine->ticks_per_cycle;
  gchar from[WP_TIME_CHARS], to[WP_TIME_CHARS], end[WP_TIME_CHARS];
  g_autofree gchar *sm = options->window.sm != WP_TRACE_ALL_SMS
                             ? g_strdup_printf ("SM %u, ", (guint)options->window.sm)
                             : g_strdup ("");

  return g_strdup_printf ("policy %s, %scycles %s to %s of %s", options->policy, sm,
                          wp_tick_format (drawing->from, cycle, from),
                          wp_tick_format (drawing->to, cycle, to),
                          wp_tick_format (drawing->trace->elapsed, cycle, end));
}

/* Returns a note about what the picture omits, or NULL. */
static gchar *
make_note (const Drawing *drawing)
{
  const WpPicture *picture = drawing->picture;
  gint64 cycle = drawing->machine->ticks_per_cycle;
  gchar from[WP_TIME_CHARS], end[WP_TIME_CHARS];

  if (drawing->from >= drawing->to)
    return g_strdup_printf ("nothing from cycle %s on: the run ends at %s",
                            wp_tick_format (drawing->from, cycle, from),
                            wp_tick_format (drawing->trace->elapsed, cycle, end));
  if (drawing->lines->len == 0)
    return g_strdup ("nothing runs here at that time");
  if (picture->full && drawing->to < drawing->trace->elapsed)
    return g_strdup (
        "A picture has room for only this much; --from, --to and --sm choose another part.");
  return NULL;
}

static void
draw_names (Drawing *drawing, const Line *line)
{
  WpCanvasFont text = get_row_font (&text_font, line->height);
  WpCanvasFont bold = get_row_font (&bold_font, line->height);
  guint every = line->height < 7.5 ? 2 : 1; /* otherwise they would touch; warps are numbered */
  gdouble band = line->kind == LINE_WARP ? get_band_height (drawing) + 2 : line->height;
  gdouble y = line->y + band / 2 + text.size * 0.36;
  gdouble width;

  if (line->kind == LINE_PIPELINE)
    {
      g_autofree gchar *name = make_pipeline_name (drawing, line);

      draw_fitting (drawing, MARGIN, y, drawing->left - MARGIN - 4, text, name);
    }
  else if (line->kind == LINE_WARP && line->index % every == 0)
    {
      g_autofree gchar *slot = make_slot_name (drawing, line);
      g_autofree gchar *name = make_warp_name (drawing, line);

      wp_canvas_text (drawing->draw, MARGIN, y, WP_CANVAS_LEFT, &bold, slot);
      width = *slot == '\0' ? 0 : wp_canvas_measure (&bold, slot) + 5;
      draw_fitting (drawing, MARGIN + width, y, drawing->left - MARGIN - width - 4, text, name);
    }
}

static void
draw_line (Drawing *drawing, const Line *line, guint *at)
{
  const GArray *spans = drawing->picture->spans;
  const WpPictureSpan *first = &g_array_index (spans, WpPictureSpan, *at);
  guint32 slot = line->group * drawing->machine->warps_per_block + line->index;
  guint n = 0;

  draw_names (drawing, line);
  if (line->kind == LINE_PIPELINE)
    draw_pipeline (drawing, line);
  if (line->kind == LINE_SM)
    {
      g_autofree gchar *name = g_strdup_printf ("SM %u", line->sm);

      wp_canvas_text (drawing->draw, MARGIN, line->y + 13, WP_CANVAS_LEFT, &sm_font, name);
    }
  if (line->kind != LINE_WARP)
    return;
  while (*at + n < spans->len && first[n].sm == line->sm && first[n].slot == slot)
    n++;
  draw_warp (drawing, line, first, n);
  *at += n;
}

static void
draw_lines (Drawing *drawing)
{
  guint at = 0;

  for (guint i = 0; i < drawing->lines->len; i++)
    {
      const Line *line = &g_array_index (drawing->lines, Line, i);

      if (line->kind == LINE_WARP || line->kind == LINE_BLOCKS)
        draw_blocks (drawing, line, FALSE);
    }
  draw_grid (drawing);
  for (guint i = 0; i < drawing->lines->len; i++)
    draw_line (drawing, &g_array_index (drawing->lines, Line, i), &at);
  for (guint i = 0; i < drawing->lines->len; i++)
    {
      const Line *line = &g_array_index (drawing->lines, Line, i);

      if (line->kind == LINE_WARP || line->kind == LINE_BLOCKS)
        draw_blocks (drawing, line, TRUE);
    }
}

static void
draw_sheet (Drawing *drawing)
{
  const WpTraceOptions *options = &drawing->trace->options;
  g_autofree gchar *title = g_strdup_printf ("%s on %s", options->kernel, options->gpu);
  g_autofree gchar *heading = make_heading (drawing);
  g_autofree gchar *note = make_note (drawing);
  g_autofree gchar *description = g_strconcat (heading, note == NULL ? "" : "; ", note, NULL);
  gboolean any = drawing->from < drawing->to && drawing->lines->len > 0;
  gdouble top = note == NULL ? 70 : 86, around = 0, height = top;

  if (any)
    {
      drawing->left = find_left (drawing);
      drawing->scale = (WIDTH - MARGIN - drawing->left) / (gdouble)(drawing->to - drawing->from);
      find_numbers (drawing, drawing->picture->spans);
      find_numbers (drawing, drawing->picture->uses);
      drawing->row = MAX_ROW;
      around = top + 28 + draw_legend (drawing, 0) + MARGIN / 2;
      place_lines (drawing, top, around);
      height = drawing->bottom + 28 + draw_legend (drawing, 0) + MARGIN / 2;
    }
  drawing->draw = wp_canvas_new (drawing->trace, WIDTH, ceil (height), title, description);
  draw_fitting (drawing, MARGIN, 36, WIDTH - 2 * MARGIN, title_font, title);
  draw_fitting (drawing, MARGIN, 55, WIDTH - 2 * MARGIN, heading_font, heading);
  if (note != NULL)
    draw_fitting (drawing, MARGIN, 73, WIDTH - 2 * MARGIN, text_font, note);
  if (any)
    {
      draw_lines (drawing);
      draw_legend (drawing, drawing->bottom + 28);
    }
  if (!wp_canvas_finish (drawing->draw))
    wp_trace_fail (drawing->trace);
}

void
wp_picture_draw (WpTrace *trace)
{
  WpPicture *picture = trace->state;
  Drawing drawing = { .trace = trace,
                      .picture = picture,
                      .machine = trace->machine,
                      .from = picture->from,
                      .to = MIN (picture->to, trace->elapsed) };

  g_array_sort (picture->spans, compare_spans);
  g_array_sort (picture->uses, compare_spans);
  g_array_sort (picture->lives, compare_lives);
  drawing.rows = wp_timeline_find_rows (trace->machine, &drawing.first_row);
  drawing.letters = wp_timeline_choose_letters (trace->machine);
  drawing.stretches = g_array_new (FALSE, FALSE, sizeof (Stretch));
  drawing.issues = g_array_new (FALSE, FALSE, sizeof (gdouble));
  choose_colours (&drawing);
  find_present (&drawing);
  find_lines (&drawing);
  draw_sheet (&drawing);
  wp_canvas_free (drawing.draw);
  g_array_unref (drawing.rows);
  g_array_unref (drawing.lines);
  g_array_unref (drawing.stretches);
  g_array_unref (drawing.issues);
  g_free (drawing.first_row);
  g_free (drawing.letters);
  g_free (drawing.colours);
  g_free (drawing.present);
  g_free (drawing.strips);
}
