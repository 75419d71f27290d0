/* SPDX-License-Identifier: MIT */
/* Bindings of the engine for a host that shares only memory with it: a script around WebAssembly.
 *
 *   bindings = wp_bindings_new (words, n)    a machine in, as 64-bit words in the order of
 *                                            wp-bindings-read.c
 *   wp_bindings_start (bindings, options)    a run, in slices, so that the host can stop it
 *   wp_bindings_go_on (bindings, budget)
 *   wp_bindings_finish (bindings)            totals and, where requested, tables
 *   wp_bindings_get_words, _get_column       out, again as words and as columns of doubles
 *
 * Nothing here traps: wp_bindings_get_problem() says why a call failed. Plain C11; no input, no
 * output, no data of its own.
 */
#pragma once

#include "sim/bounds/wp-bounds.h"
#include "sim/engine/wp-device.h"

#define WP_BINDINGS_VERSION 6

/* ---- Tables ---- */

#define WP_BINDINGS_MAX_COLUMNS 16

/* Columns are doubles: whole numbers below 2^53. */
typedef struct
{
  uint32_t n, room, n_columns;
  double *columns[WP_BINDINGS_MAX_COLUMNS];
} WpBindingsTable;

typedef enum
{
  /* time start complete ready accept block index producer (-1: none) sm scheduler slot warp instr
   * follows reason producer_instr; the last two and the producer as in WpIssueEvent */
  WP_BINDINGS_ISSUES,
  /* end sm slot age block warp scheduler start issued producer_instr, all stalls except drain */
  WP_BINDINGS_LIFETIMES,
  WP_BINDINGS_BLOCKS, /* block sm launch end */
  /* What passes a pipeline otherwise than as an issue that is kept: start issue (its row, -1: of
   * another SM) instr place (of the pipeline in its path, from 1 on; 0: its own) sm */
  WP_BINDINGS_PASSES,
  WP_BINDINGS_N_TABLES
} WpBindingsTableKind;

/* Rows with a cell to be filled in later: a barrier's release, a block's end. */
typedef struct
{
  uint32_t n, room;
  uint32_t *rows;
} WpBindingsOpen;

/* What an observer keeps. */
typedef struct
{
  const WpMachine *machine;
  WpBindingsTable tables[WP_BINDINGS_N_TABLES];
  WpBindingsOpen barriers, blocks;
  uint32_t limit; /* rows of a table; four times as many passes */
  bool first;     /* only those of the first SM; and what others let pass pipelines that they share
                     with it */
  bool over;      /* the limit, or memory, or 2^53 ticks, is reached */
  WpTick until;   /* tables are complete up to this time; if over */
} WpBindingsLog;

/* Empty tables for a run of MACHINE, LIMIT rows each; FIRST: as the field. */
void wp_bindings_log_init (WpBindingsLog *log, const WpMachine *machine, uint32_t limit,
                           bool first);
void wp_bindings_log_clear (WpBindingsLog *log);
/* Borrows LOG. */
WpObserver wp_bindings_log_get_observer (WpBindingsLog *log);

/* ---- Bindings ---- */

typedef struct
{
  WpMachine machine;
  void *arrays;        /* of the machine, in one piece */
  const char *problem; /* of the last call, or NULL; static */
  WpBindingsLog log;
  int64_t *words;   /* results of the last call */
  WpDevice *device; /* of the run that has been started, or NULL */
  WpObserver observer;
  const WpObserver *observers[1];
} WpBindings;

/* Fills the machine of BINDINGS from the N WORDS. Returns NULL, or what is wrong. */
const char *wp_bindings_read (WpBindings *bindings, const int64_t *words, uint32_t n);
