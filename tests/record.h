/* SPDX-License-Identifier: MIT */
/* All that a run of the real engine reports: every row of every table, every total, and every field
 * of each event in order; and whether that equals the literal engine's, or another run's. */
#pragma once

#include "sim/engine/wp-device.h"
#include "tests/literal.h"

typedef __int128 Wide;

typedef struct
{
  WpIssueEvent e;
  WpTick complete; /* of a barrier its release, -1 until it is known */
  guint64 barrier; /* which one of its warp, of a barrier */
} Issue;

/* What the observer listens to. */
typedef enum
{
  RECORD_ALL,
  RECORD_ENDS,   /* of warps, without what each waited for last */
  RECORD_ISSUES, /* alone */
} RecordPart;

typedef struct
{
  gboolean unobserved; /* no observer: of the tables nothing is known */
  RecordPart part;
  gboolean no_skip;
  guint64 budget; /* of each piece that the run is cut into; 0: one piece */
  WpTick
      window; /* SMs run independently for this long before each piece, where they can; 0: never */
  guint pieces;   /* the most of them: then the status stays WP_RUN_MORE; 0: any number */
  guint repeats;  /* the observer takes repeats and unfolds them: 1: all of each; more: a part of it
                     at  a time, and now and then each event; 0: it is shown each event */
  guint observed; /* pieces after which the observer sees nothing more; 0: it sees all */
} RecordHow;

typedef struct
{
  const WpMachine *machine;
  WpDevice *device;
  const WpResult *result; /* the device's */
  WpRunStatus status;
  const char *problem;       /* the device was refused */
  gboolean stopped;          /* the observer got only a part */
  RecordPart part;           /* of RecordHow */
  guint repeats;             /* of RecordHow */
  guint n_repeats, n_nested; /* taken; repeats in the rounds of others */
  const WpObserver *observer;
  const char *broken; /* a law that the totals broke after some piece */
  GArray *issues;     /* of Issue */
  GArray *passes;     /* of WpPassEvent */
  GArray *lifetimes;  /* of WpWarpEvent */
  GArray *releases;   /* of WpReleaseEvent */
  GArray *launches;   /* of WpBlockEvent */
  GArray *occupancy;  /* of LiteralOccupancy, all changes, in order of events */
  GArray *events; /* of guint64: every field of every event, to compare two runs of the engine */
  GArray *totals; /* of Wide: every number of the result, and how far the device came */
  GArray *held;   /* of guint: issues[] of barriers that are not released */
  GHashTable *barriers;    /* how many barriers a warp has issued, by record_warp_key() */
  guint64 *blocks, *warps; /* resident now, by SM */
  guint64 most_blocks;     /* ever resident on one SM */
} Record;

/* Runs MACHINE, which must outlive the record. Where the device is refused `device` is NULL. */
Record *record_run (const WpMachine *machine, const char *policy, RecordHow how);
Record *record_run_policy (const WpMachine *machine, const WpPolicy *policy, RecordHow how);
void record_free (Record *r);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Record, record_free)

/* A key for hash tables; blocks and warps of random cases are few. */
gpointer record_warp_key (guint64 block, guint warp);

/* Every comparison returns NULL or what differs, a new string. */
#define DIFFER(...) return g_strdup_printf (__VA_ARGS__)
#define I64 "%" G_GINT64_FORMAT
#define U64 "%" G_GUINT64_FORMAT

/* Whether E is the release of ISSUE, of a barrier; of one with a name, of all of that warp's that
 * are released. */
gboolean record_is_released (const Record *r, const WpReleaseEvent *e, const Issue *issue);

/* R, observed, against the literal engine; rows and totals are left out where both overflow. */
gchar *record_compare_literal (const Record *r, const LiteralRun *l);

/* How SECOND differs from FIRST, which sees all if it is observed: status, totals and, of observed
 * runs, all events in order, or those that SECOND's observer got. */
gchar *record_compare (const Record *first, const Record *second);

/* The totals alone: of Wide, both of the same machine. */
gchar *record_compare_totals (const GArray *first, const GArray *second);
