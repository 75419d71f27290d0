/* SPDX-License-Identifier: MIT */
/* The engine's face for a host that shares nothing with it but its memory: a script around WebAssembly.
 *
 *   face = wp_face_new (words, n)            a machine in, as 64-bit words (wp-face-read.c has their order)
 *   wp_face_start (face, options)            a run: in slices, so that the host can stop it
 *   wp_face_go_on (face, budget)
 *   wp_face_finish (face)                    totals and, where asked for, tables
 *   wp_face_get_totals (face), ...           out, again as words and as columns of doubles
 *
 * Nothing here traps: what cannot be done is told by wp_face_get_problem(). Plain C11; no input, no output, no data of its own.
 */
#pragma once

#include "sim/wp-bounds.h"
#include "sim/wp-device.h"

#define WP_FACE_VERSION 1

/* ---- Tables ---- */

#define WP_FACE_MAX_COLUMNS 14

/* Columns are doubles: whole numbers below 2^53. */
typedef struct
{
  uint32_t n, room, n_columns;
  double *columns[WP_FACE_MAX_COLUMNS];
} WpFaceTable;

typedef enum
{
  WP_FACE_ISSUES, /* time start complete ready accept block index sm scheduler slot warp instr follows */
  WP_FACE_LIFETIMES, /* end sm slot age block warp scheduler start issued, the stalls but for the drain */
  WP_FACE_BLOCKS, /* block sm launch end */
  WP_FACE_N_TABLES
} WpFaceTableKind;

/* Rows that have a cell to fill in when something has come: a barrier's release, a block's end. */
typedef struct
{
  uint32_t n, room;
  uint32_t *rows;
} WpFaceOpen;

/* What an observer keeps. */
typedef struct
{
  const WpMachine *machine;
  WpFaceTable tables[WP_FACE_N_TABLES];
  WpFaceOpen barriers, blocks;
  uint32_t limit; /* rows of a table */
  bool over;      /* the limit, or memory, or 2^53 ticks, is reached */
  WpTick until;   /* tables have all that happened before; if over */
} WpFaceLog;

/* Empty tables for a run of MACHINE, LIMIT rows each. */
void wp_face_log_init (WpFaceLog *log, const WpMachine *machine, uint32_t limit);
void wp_face_log_clear (WpFaceLog *log);
/* Borrows LOG. */
WpObserver wp_face_log_get_observer (WpFaceLog *log);

/* ---- The face ---- */

typedef struct
{
  WpMachine machine;
  void *arrays;        /* of the machine, in one piece */
  const char *problem; /* of the last call, or NULL; static */
  WpFaceLog log;
  int64_t *words;   /* what the last call found */
  WpDevice *device; /* of the run that has been started, or NULL */
  WpObserver observer;
  const WpObserver *observers[1];
} WpFace;

/* Fills FACE's machine from the N WORDS. NULL, or what is wrong. */
const char *wp_face_read (WpFace *face, const int64_t *words, uint32_t n);
