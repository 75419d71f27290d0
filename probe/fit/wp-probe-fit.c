/* SPDX-License-Identifier: MIT */
/* A pattern search over how long a visit keeps a channel, and how busy all channels are when memory
 * gives what it has. Descriptions have one of two shapes: an access visits a channel for each of its
 * sectors (fitted to Volkov's curves), or a load visits one and a store many, as one that turns a
 * channel from reading to writing (fitted to streams on newer GPUs; doc/fidelity.md). Both are tried. */
#include "probe/fit/wp-probe-fit.h"

#include <math.h>
#include <string.h>

#include "probe/describe/wp-probe-describe.h"
#include "probe/measure/wp-probe-timing.h"
#include "probe/simulated/wp-probe-simulated.h"

#define SECTOR 32       /* bytes of an access for which it visits a channel */
#define STORE_VISITS 32 /* of a store of a warp, where a load makes one visit */
#define MOST_CHANNELS 65536
#define COARSE_STEP 0.7 /* of a natural logarithm */
#define FINE_STEP 0.25
#define HALVINGS 1      /* of either */
#define KEPT 2          /* starts of each shape that are searched from */
#define LEAST_OFF 0.01  /* relative: with less nothing need be fitted */
#define LEAST_GAIN 0.75 /* what is left of it, at most, with channels that are told */
#define MOST_OFF 0.1    /* likewise, in all: beyond that it is something else that is missing */
#define HOPELESS 0.5    /* relative: what is so far off without channels is no such memory */
#define MOST_SHIFT 0.9  /* of the latency */
#define USUAL 100       /* candidates, about */
#define USUAL_QUICK 20  /* likewise, of a quick probe */
#define MOST_SHARE 0.95 /* of the search that is said to be over while it goes on */
#define TRIES 3         /* of a candidate, each with the shift that the one before it showed */

typedef struct
{
  WpProbe *probe;
  WpProbeUnit *unit; /* the memory */
  guint64 most_bytes;
  guint sharers;
  gdouble issue, latency; /* of a load: in memory, for all SMs that share it; of one alone */
  gboolean is_rough;      /* candidates are simulated for a shorter time */
  guint tried;            /* candidates */
  GError *error;
} Fit;

/* A point of the search: natural logarithms of the cycles of a visit, and of how busy channels would be
 * with nothing but the accesses that keep them busy most. */
typedef struct
{
  gdouble visit, busy;
  gdouble error; /* mean square, relative */
  WpProbeChannels channels;
} Point;

/* ---- A candidate ---- */

/* What the description of FIT's probe, with its channels, gives under load. */
static gboolean
simulate (Fit *fit, WpProbeLoad *loads)
{
  static const gchar *const only[] = { "ld.global", "st.global", NULL };
  g_autofree gchar *text = wp_probe_describe (fit->probe, "fitted");
  g_autoptr (WpGpu) gpu = wp_gpu_parse (text, strlen (text), "fitted", NULL, &fit->error);
  g_autoptr (WpProbeDevice) device = NULL;
  g_autoptr (WpProbe) model = NULL;

  if (gpu == NULL)
    return FALSE;
  device = wp_probe_simulated_new (gpu, fit->most_bytes);
  device->goes_on = fit->probe->device->goes_on;
  device->data = fit->probe->device->data;
  model = wp_probe_new (device, fit->probe->is_quick, only);
  model->warps = fit->probe->warps;
  model->is_rough = fit->is_rough;
  wp_probe_measure_loads (model, fit->sharers);
  memcpy (loads, model->loads, sizeof model->loads);
  fit->probe->is_stopped |= model->is_stopped;
  fit->error = g_steal_pointer (&model->error);
  return fit->error == NULL && !fit->probe->is_stopped;
}

/* The mean square by which LOADS differ from what was measured, relative. MOST: by how much at most. */
static gdouble
find_error (const Fit *fit, const WpProbeLoad *loads, gdouble *most)
{
  gdouble sum = 0;
  guint n = 0;

  *most = 0;
  for (guint i = 0; i < WP_PROBE_LOADS; i++)
    {
      const WpProbeLoad *was = &fit->probe->loads[i], *is = &loads[i];
      gdouble pairs[2][2] = { { was->reads, is->reads }, { was->copies, is->copies } };

      for (guint k = 0; k < 2; k++)
        if (pairs[k][0] > 0 && pairs[k][1] > 0)
          {
            gdouble off = pairs[k][1] / pairs[k][0] - 1;

            *most = MAX (*most, fabs (off));
            sum += off * off;
            n++;
          }
    }
  return n > 0 ? sum / n : 0;
}

/* VALUE with three digits, as it is written. */
static gdouble
round_digits (gdouble value)
{
  gdouble unit = pow (10, floor (log10 (value)) - 2);

  return round (value / unit) * unit;
}

/* Nobody knows how many candidates there will be. */
static void
report (Fit *fit)
{
  gdouble share = (gdouble)fit->tried++ / (fit->probe->is_quick ? USUAL_QUICK : USUAL);

  share = MIN (share, MOST_SHARE);
  if (fit->probe->report != NULL)
    fit->probe->report (fit->probe->data, WP_PROBE_MEASURED + (1 - WP_PROBE_MEASURED) * share);
}

/* Measures POINT, whose shift makes one load alone take what it does. False: an error, or it was
 * stopped. */
static gboolean
try_point (Fit *fit, Point *point)
{
  WpProbeChannels *channels = &fit->probe->channels;
  gdouble bytes = wp_probe_find_op (fit->probe, "ld.global", NULL)->bytes;
  WpProbeLoad loads[WP_PROBE_LOADS];
  guint visits = MAX (point->channels.load_visits, point->channels.store_visits);

  report (fit);
  *channels = point->channels;
  channels->issue = round_digits (exp (point->visit));
  channels->channels = (guint)CLAMP (
      visits * channels->issue / (exp (point->busy) * fit->issue) + 0.5, 1, MOST_CHANNELS);
  for (guint i = 0; i < TRIES; i++)
    {
      gdouble off;

      if (!simulate (fit, loads))
        return FALSE;
      if (!(loads[0].reads > 0) || !(fit->probe->loads[0].reads > 0))
        break;
      off = bytes / fit->probe->loads[0].reads - bytes / loads[0].reads;
      if (fabs (off) < 0.5 * LEAST_OFF * fit->latency)
        break;
      channels->shift = CLAMP (channels->shift + off, -MOST_SHIFT * fit->latency, fit->latency);
    }
  point->error = find_error (fit, loads, &channels->off);
  point->channels = *channels;
  return TRUE;
}

/* ---- Turnaround ---- */

/* The most loads under way that were measured with a store beside each. */
static const WpProbeLoad *
find_most_copies (const WpProbe *probe)
{
  const WpProbeLoad *most = NULL;

  for (guint i = 0; i < WP_PROBE_LOADS; i++)
    if (probe->loads[i].copies > 0)
      most = &probe->loads[i];
  return most;
}

/* What memory loses where loads and stores take turns and all is full, if single launches could not
 * tell. */
static gboolean
fit_turnaround (Fit *fit)
{
  const WpProbeLoad *was = find_most_copies (fit->probe);
  gdouble bytes = wp_probe_find_op (fit->probe, "ld.global", NULL)->bytes;
  WpProbeFigure *turnaround = &fit->unit->turnaround;
  WpProbeLoad loads[WP_PROBE_LOADS];

  for (guint i = 0; i < TRIES && was != NULL && !wp_probe_is_exact (fit->probe); i++)
    {
      gdouble is, off;

      if (!simulate (fit, loads))
        return FALSE;
      is = loads[was - fit->probe->loads].copies;
      off = is > 0 ? bytes / was->copies - bytes / is : 0;
      *turnaround = (WpProbeFigure){ .value = MAX (turnaround->value + off / (2 * fit->sharers), 0),
                                     .precision = fit->probe->device->precision };
    }
  return TRUE;
}

/* ---- The search ---- */

/* Tries a point that is STEPS of logarithms from BEST, which it becomes if it is nearer. */
static gboolean
try_near (Fit *fit, Point *best, gdouble visit, gdouble busy, gboolean *is_nearer)
{
  Point point = *best;

  point.visit += visit;
  point.busy += busy;
  if (!try_point (fit, &point))
    return FALSE;
  if (point.error < best->error)
    {
      *best = point;
      *is_nearer = TRUE;
    }
  return TRUE;
}

static gboolean
search_near (Fit *fit, Point *best, gdouble step)
{
  for (guint i = 0; i <= HALVINGS; i++, step /= 2)
    for (gboolean is_nearer = TRUE; is_nearer;)
      {
        is_nearer = FALSE;
        for (gint side = -1; side <= 1; side += 2)
          if (!try_near (fit, best, side * step, 0, &is_nearer)
              || !try_near (fit, best, 0, side * step, &is_nearer))
            return FALSE;
      }
  return TRUE;
}

static gint
compare_points (gconstpointer a, gconstpointer b)
{
  const Point *one = a, *other = b;

  return (one->error > other->error) - (one->error < other->error);
}

/* Adds to POINTS the best channels where a load makes LOAD_VISITS and a store STORE_VISITS. */
static gboolean
search (Fit *fit, guint load_visits, guint store_visits, GArray *points)
{
  static const gdouble visits[] = { 5, 200, 1, 30 }, busy[] = { 0.8, 0.5, 1.1 };
  Point starts[G_N_ELEMENTS (visits) * G_N_ELEMENTS (busy)];
  guint n = fit->probe->is_quick ? 2 : G_N_ELEMENTS (starts),
        kept = fit->probe->is_quick ? 1 : KEPT;

  for (guint i = 0; i < n; i++)
    {
      starts[i]
          = (Point){ .visit = log (visits[i % G_N_ELEMENTS (visits)] * fit->issue),
                     .busy = log (busy[i / G_N_ELEMENTS (visits)]),
                     .channels = { .load_visits = load_visits, .store_visits = store_visits } };
      if (!try_point (fit, &starts[i]))
        return FALSE;
    }
  qsort (starts, n, sizeof starts[0], compare_points);
  for (guint i = 0; i < kept; i++)
    if (!search_near (fit, &starts[i], COARSE_STEP))
      return FALSE;
  g_array_append_vals (points, starts, kept);
  return TRUE;
}

/* Searches from the best of POINTS in runs of full length: BEST. A quick probe takes it as it is. */
static gboolean
refine (Fit *fit, GArray *points, Point *best)
{
  g_array_sort (points, compare_points);
  *best = g_array_index (points, Point, 0);
  return try_point (fit, best) && (fit->probe->is_quick || search_near (fit, best, FINE_STEP));
}

/* Sets the channels to POINT's, if with them a description that is PLAIN off without comes nearer. */
static void
settle (Fit *fit, const Point *point, gdouble plain)
{
  WpProbeChannels *channels = &fit->probe->channels;

  *channels = point->channels;
  if (channels->off > MIN (LEAST_GAIN * plain, MOST_OFF))
    *channels = (WpProbeChannels){ .off = plain, .why_none = "none were found that come nearer" };
  channels->plain = plain;
  channels->is_told = TRUE;
}

static gboolean
fit_channels (Fit *fit, guint bytes)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (Point));
  guint sectors = MAX (bytes / SECTOR, 1);
  WpProbeLoad loads[WP_PROBE_LOADS];
  const WpProbeFigure told = fit->unit->turnaround;
  WpProbeChannels *channels = &fit->probe->channels;
  gdouble plain;
  Point best;

  if (!fit_turnaround (fit) || !simulate (fit, loads))
    return FALSE;
  find_error (fit, loads, &plain);
  *channels = (WpProbeChannels){ .is_told = TRUE, .plain = plain, .off = plain };
  if (plain > HOPELESS)
    {
      fit->unit->turnaround = told;
      channels->why_none = "too far for anything to be fitted";
      return TRUE;
    }
  if (plain < MAX (LEAST_OFF, 2 * fit->probe->device->precision))
    {
      channels->why_none = "none are needed";
      return TRUE;
    }
  fit->is_rough = TRUE;
  if (!search (fit, sectors, sectors, points) || !search (fit, 1, STORE_VISITS, points))
    return FALSE;
  fit->is_rough = FALSE;
  if (!refine (fit, points, &best))
    return FALSE;
  settle (fit, &best, plain);
  return TRUE;
}

gboolean
wp_probe_fit_channels (WpProbe *probe, guint64 most_bytes, GError **error)
{
  WpProbeUnit *unit = wp_probe_get_memory (probe);
  const WpProbeOp *load = wp_probe_find_op (probe, "ld.global", NULL);
  Fit fit = { .probe = probe, .unit = unit, .most_bytes = most_bytes };

  if (unit == NULL || !(probe->loads[0].reads > 0))
    return TRUE;
  fit.sharers = unit->shared;
  fit.issue = load->stages[load->n_stages - 1].issue.value;
  fit.latency = load->alone.value;
  if (!(fit.issue > 0) || !(fit.latency > 0) || fit_channels (&fit, load->bytes))
    return TRUE;
  if (fit.error != NULL)
    g_propagate_error (error, fit.error);
  return FALSE;
}
