/* SPDX-License-Identifier: MIT */
/* The state of a warp that executes, 32 lanes at a time, and the form of an instruction that is
 * ready to run. Values that nobody gave are *unknown*, lane by lane; what they came from, and the
 * buffer that an address points into, is kept for each register as a whole. */
#pragma once

#include "exec/sass/wp-sass.h"

G_BEGIN_DECLS

#define WP_LANES 32
#define WP_RZ 255   /* reads as 0; a step never writes it: it writes WP_SINK */
#define WP_SINK 256 /* what nobody reads */
#define WP_PT 7

typedef struct WpWarp WpWarp;
typedef struct WpBlock WpBlock; /* wp-block.h */
typedef struct WpStep WpStep;

/* Runs STEP for the lanes in MASK (never 0: those that are active and that the guard lets through).
 * What an unknown lane's result holds is any value; its unknown bit is what counts. */
typedef void (*WpStepRun) (WpWarp *warp, const WpStep *step, guint32 mask);

/* Where an operand's 32 bits come from; 64 bits are two registers, or two words of a constant bank.
 */
typedef enum
{
  WP_FROM_NOTHING,
  WP_FROM_REGISTER,
  WP_FROM_UNIFORM,
  WP_FROM_IMMEDIATE,
  WP_FROM_CONSTANT, /* at a fixed place of a bank */
} WpFrom;

typedef struct
{
  guint8 from;   /* WpFrom */
  guint8 number; /* of the register or the bank */
  gboolean negate : 1, absolute : 1, invert : 1;
  guint16 words[2]; /* WpSassWords of the operand: H0_H0, ... */
  guint64 value;   /* immediate, or offset in the bank */
} WpSource;

struct WpStep
{
  WpStepRun run;
  const WpSassInstr *instr;
  guint32 index;          /* of the instruction in its function */
  guint16 dest, dest2;    /* registers, WP_SINK: none */
  guint8 dest_p, dest_p2; /* predicates, 8: none */
  WpSource sources[4];    /* operands that are data, in the order of the text */
  guint8 source_p[4]; /* predicates read, in the order of the text, WP_PT: true; bit 3: inverted */
  guint32 mode[4];    /* what the functions of an op make of its words */
};

struct WpWarp
{
  guint32 r[257][WP_LANES] __attribute__ ((aligned (64)));
  guint32 r_unknown[257]; /* a bit for each lane */
  guint8 r_source[257]; /* number of the variable that the unknown lanes come from, 0: not known */
  guint8 r_buffer[257]; /* number of the buffer that it points into, 0: none */
  guint32 p[9], p_unknown[9]; /* a bit for each lane; p[7] all ones; p[8] is what nobody reads */
  guint8 p_source[9];
  guint32 ur[257]; /* as r; a uniform register has one value for all lanes */
  guint8 ur_unknown[257], ur_source[257], ur_buffer[257];
  guint8 up[9], up_unknown[9], up_source[9];
  WpBlock *block;
  guint32 number;  /* of the warp in its block */
  guint32 present; /* lanes that have a thread */
  guint32 active;  /* lanes that execute now */
  guint32 exited;
  guint32 pc; /* of the active lanes: an index of steps */
  /* divergence, barriers, recording: wp-block.h and what core adds here */
};

G_END_DECLS
