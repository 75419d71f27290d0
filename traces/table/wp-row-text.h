/* SPDX-License-Identifier: MIT */
/* Numbers and times as text, for tables of millions of rows: what wp_whole_write() and
 * wp_tick_write() write, with fewer machine instructions. Inline and private.
 *
 * Rows follow one another in time. So the digits before the last four of a time's whole cycles are
 * mostly those of the time before, and its fraction is one of few: both are kept as text.
 *
 * Texts are copied as whole words, more than what counts of them: 32 bytes from AT on may be
 * overwritten, of WpText WP_TEXT_ROOM. */
#pragma once

#include <glib.h>
#include <string.h>

#include "sim/base/wp-time.h"

G_BEGIN_DECLS

#define WP_TEXT_ROOM 47

/* A text that was put together once; N is 0 of one that is not there. */
typedef struct
{
  guint8 n;
  gchar text[WP_TEXT_ROOM];
} WpText;

static inline gchar *
wp_text_write (const WpText *text, gchar *at)
{
  memcpy (at, text->text, WP_TEXT_ROOM);
  return at + text->n;
}

/* ---- Whole numbers ---- */

/* The two digits of NUMBER, which is below 100. */
static inline gchar *
wp_row_write_pair (guint32 number, gchar *at)
{
  static const gchar pairs[]
      = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
        "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
        "8081828384858687888990919293949596979899";

  memcpy (at, pairs + 2 * (gsize)number, 2);
  return at + 2;
}

/* Of NUMBER, which is below 100, one digit or two. */
static inline gchar *
wp_row_write_short (guint32 number, gchar *at)
{
  if (number >= 10)
    return wp_row_write_pair (number, at);
  *at = (gchar)('0' + number);
  return at + 1;
}

static inline gchar *
wp_row_write_whole (guint64 number, gchar *at)
{
  if (number >= 10000)
    return wp_whole_write (number, at);
  if (number < 100)
    return wp_row_write_short ((guint32)number, at);
  at = wp_row_write_short ((guint32)number / 100, at);
  return wp_row_write_pair ((guint32)number % 100, at);
}

/* ---- Times ---- */

#define WP_ROW_FRACTIONS 1024

/* The text of a remainder of ticks, ".25". */
typedef struct
{
  guint32 rest; /* 0: the place is free */
  guint8 n;     /* characters; 0: it is rounded to none */
  guint8 up;    /* 1: it is rounded to a cycle */
  gchar text[8];
} WpRowFraction;

typedef struct
{
  gint64 ticks_per_cycle;
  guint64 factor; /* 2^64 / ticks_per_cycle, or less by no more than 1 */
  guint64 first;  /* cycles that `lead` is of: the first of 10000 that begin with it; 0: none yet */
  gsize n_lead;
  gchar lead[16];
  WpRowFraction fractions[WP_ROW_FRACTIONS];
} WpRowTimes;

/* Free with g_free(). */
WpRowTimes *wp_row_times_new (gint64 ticks_per_cycle);

/* What is seldom done: the lead becomes that of CYCLES, which are 10000 at least; FRACTION that of
 * REST. */
void wp_row_times_lead (WpRowTimes *times, guint64 cycles);
void wp_row_times_keep (const WpRowTimes *times, WpRowFraction *fraction, guint32 rest);

static inline gchar *
wp_row_write_cycles (WpRowTimes *times, guint64 cycles, gchar *at)
{
  guint32 last;

  if (G_UNLIKELY (cycles < 10000))
    return wp_row_write_whole (cycles, at);
  if (G_UNLIKELY (times->first == 0 || cycles - times->first >= 10000))
    wp_row_times_lead (times, cycles);
  last = (guint32)(cycles - times->first);
  memcpy (at, times->lead, sizeof times->lead);
  at = wp_row_write_pair (last / 100, at + times->n_lead);
  return wp_row_write_pair (last % 100, at);
}

/* TICKS in cycles, as wp_tick_write() does. */
static inline gchar *
wp_row_write_time (WpRowTimes *times, WpTick ticks, gchar *at)
{
  __extension__ typedef unsigned __int128 Product;
  guint64 unit = (guint64)times->ticks_per_cycle, cycles, rest;
  WpRowFraction *fraction;

  if (G_UNLIKELY (ticks < 0))
    return wp_tick_write (ticks, times->ticks_per_cycle, at);
  /* TICKS are below 2^63, so that the factor is too small by less than half a cycle of them: by
   * none or by one once it is cut off. */
  cycles = (guint64)((Product)(guint64)ticks * times->factor >> 64);
  rest = (guint64)ticks - cycles * unit;
  if (rest >= unit)
    {
      rest -= unit;
      cycles++;
    }
  if (rest == 0)
    return wp_row_write_cycles (times, cycles, at);
  fraction = &times->fractions[rest % WP_ROW_FRACTIONS];
  if (G_UNLIKELY (fraction->rest != rest))
    wp_row_times_keep (times, fraction, (guint32)rest);
  at = wp_row_write_cycles (times, cycles + fraction->up, at);
  memcpy (at, fraction->text, sizeof fraction->text);
  return at + fraction->n;
}

G_END_DECLS
