/* SPDX-License-Identifier: MIT */
/* The state of a warp that executes, 32 lanes at a time, and the form of an instruction that is
 * ready to run. Values that nobody gave are *unknown*, lane by lane; what they came from, and the
 * buffer that an address points into, is kept for each register as a whole. */
#pragma once

#include "exec/memory/wp-access.h"
#include "exec/memory/wp-patterns.h"
#include "exec/sass/wp-sass.h"
#include "exec/trail/wp-trail.h"

G_BEGIN_DECLS

#define WP_LANES 32
#define WP_ALL_LANES 0xffffffffu

/* Registers lie in rows of 32 lanes, as many as the kernel uses. Row 0 and those after it read as
 * zeros (RZ, as a vector too), rows from WP_ROW_SINK on are what nobody reads (RZ as a
 * destination); R0 follows. Steps hold numbers of rows, never of registers. */
#define WP_ROW_ZERO 0
#define WP_ROW_SINK 16
#define WP_ROW_R0 32
#define WP_ROW_SLACK 16 /* for vectors that begin with the last register */
#define WP_MAX_ROWS (WP_ROW_R0 + 255 + WP_ROW_SLACK)

/* Uniform registers keep their numbers; 255 and those after it read as zeros (URZ). */
#define WP_UR_ZERO 255
#define WP_UR_SINK 260
#define WP_N_UR 264

#define WP_PT 7
#define WP_P_SINK 8 /* what nobody reads: PT as a destination */

/* Where a value comes from: the number of the buffer that its unknown lanes come from (0: not
 * known) and of the buffer that it points into (0: none). WP_TAG_STANDS: what is unknown in it are
 * numbers that stand for words which were read, each by where that was, or what follows from such
 * numbers: lanes that have read the same have the same, and what was computed is as far from it as
 * it is. */
typedef guint32 WpTag;
#define WP_TAG(source, buffer) ((WpTag)((source) | (buffer) << 8))
#define WP_TAG_SOURCE(tag) ((tag)&0xff)
#define WP_TAG_BUFFER(tag) ((tag) >> 8 & 0xff)
#define WP_TAG_STANDS 0x10000u
/* In the place of a variable's number (WP_MAX_BUFFERS is less): memory of the block or of the
 * thread itself that nothing was stored to; a constant. */
#define WP_TAG_UNWRITTEN 255
#define WP_TAG_CONSTANT 254

typedef struct WpWarp WpWarp;
typedef struct WpBlock WpBlock; /* wp-block.h */
typedef struct WpStep WpStep;

/* Runs STEP for the lanes in MASK (never 0: those that are active and that the guard lets through).
 * What an unknown lane's result holds is any value; its unknown bit is what counts. */
typedef void (*WpStepRun) (WpWarp *warp, const WpStep *step, guint32 mask);

/* How many wavefronts STEP has, where all addresses are known, and right; 0: they are not. */
typedef guint (*WpStepPass) (WpWarp *warp, const WpStep *step, guint32 mask);

/* A value that is the same for all lanes of all warps of a launch, up to 64 bits, as rows. */
typedef struct
{
  guint32 lanes[2][WP_LANES] __attribute__ ((aligned (64))); /* low word, high word */
  guint32 unknown[2];                                        /* a bit for each lane */
  WpTag tag;
} WpConstantRow;

/* Where the data of an operand comes from. Constants at a fixed place of a bank do not change
 * during a launch, so they are rows as immediates are. */
typedef enum
{
  WP_FROM_NOTHING,
  WP_FROM_REGISTER,
  WP_FROM_UNIFORM,
  WP_FROM_ROW
} WpFrom;

typedef struct
{
  guint8 from;                                /* WpFrom */
  guint8 n;                                   /* words of 32 bits that are read, 1 at least */
  guint16 first;                              /* row, or uniform register */
  guint negate : 1, absolute : 1, invert : 1; /* summed: not signed */
  guint is_immediate : 1;
  guint16 words[2];   /* WpSassWords of the operand: H0_H0, ... */
  guint8 operand;     /* its number in the text */
  WpConstantRow *row; /* WP_FROM_ROW; without the signs, until the op's prepare applies them */
} WpSource;

/* A predicate that is read: a number, and these bits. */
#define WP_P_NOT 8
#define WP_P_UNIFORM 16

#define WP_STEP_SOURCES 6
#define WP_FEW_MARKS 4

/* Of an access by the words of a row, shifted, and what is the same for all lanes: what its operand
 * says. See wp-reach.h. */
typedef struct
{
  guint16 low, high; /* rows; without an upper half: WP_ROW_ZERO */
  guint16 uniform;   /* register, WP_UR_ZERO: none */
  guint8 shift, bytes;
  guint64 base; /* the immediate */
} WpStepReach;

struct WpStep
{
  WpStepRun run;
  guint8 guard;            /* predicate read; WP_PT: always */
  guint8 dest_p, dest_p2;  /* predicates written, WP_P_SINK: none; uniform ones of uniform ops */
  guint is_uniform : 1;    /* dest is a uniform register */
  guint is_uniform_p : 1;  /* dest_p and dest_p2 are uniform predicates */
  guint is_predicated : 1; /* has a guard other than PT */
  guint is_effect : 1;     /* does more than write its destinations: stores, atomics */
  guint is_control : 1;    /* decides where the warp goes on; runs with mask 0, too */
  guint is_merge : 1;      /* has a guard, and what it writes is read without it: wp-needed.h */
  guint is_data : 1;       /* a load, and no address depends on what it loads */
  guint is_return : 1;     /* functions may return to it: wp-ways.h */
  guint8 n_sources, n_predicates;
  guint8 n_dest;       /* words of dest */
  guint16 dest, dest2; /* row (or uniform register), the sink: none */
  guint8 source_p[4];  /* predicates read, in the order of the text; those not there: WP_PT */
  guint32 mode[4];     /* what the functions of an op make of its words */
  gint64 value;        /* ...likewise: the address that a branch goes to as an index, ... */
  gconstpointer data;  /* ...likewise */
  /* What wp_step_unknown() and wp_step_tag() look at, where that is rows and constants. */
  guint8 has_marks; /* ...and nothing else */
  guint8 has_few;   /* ...WP_FEW_MARKS rows at most, all of them with tags; the rest of as many
                           * are as the first one */
  guint8 n_marks, n_tags; /* rows; those of the sources' first words come first */
  guint16 marks[2 * WP_STEP_SOURCES];
  WpTag constant_tag;
  guint32 constant_unknown;
  WpSource sources[WP_STEP_SOURCES]; /* operands that are data, in the order of the text */
  WpStepReach reach;
  const WpSassInstr *instr;
  guint32 index;     /* of the instruction in the code of the launch (wp-kernel-code.h) */
  guint32 n_plain;   /* steps from here on, itself included, that have no guard, are no control and
                    * neither wait nor arrive */
  guint8 wait;       /* WpWaitKind (wp-waits.h) */
  guint8 arrival;    /* WpArrivalKind (wp-handoffs.h) */
  guint32 site;      /* its number among those that ask, or arrive */
  guint32 partner;   /* WP_WAIT_TEST: the index of its load */
  guint64 address;   /* in the address space of code */
  WpStepRun watched; /* where `run` is of wp-meeting.c: what it does besides */
  /* What is left of `run` where nobody looks at data, NULL: nothing; and how many steps further the
   * next one is of which something is left (wp-needed.h). Of accesses to memory their op has set
   * what is left of one whose data nobody needs, NULL: all. */
  WpStepRun lean;
  guint32 skip;
  WpStepPass pass; /* of accesses to shared memory by the addresses that `reach` says; or NULL */
  guint32 stretch; /* that begins here, where `lean` is of wp-stretch.c: its number */
};

/* The shape of a row over some lanes: that is how somebody asked for it since the row was written;
 * WP_SHAPE_NONE: nobody has. */
typedef struct
{
  WpShape shape;
  guint32 lanes;
} WpRowShape;

typedef enum
{
  WP_WARP_RUNS,
  WP_WARP_TURN,    /* its turn is over: it goes on later */
  WP_WARP_BARRIER, /* waits for a barrier of its block */
  WP_WARP_ASKS,    /* has asked a barrier in shared memory in vain: it asks again when others of
                    * its block have gone on */
  WP_WARP_ENDED,
  WP_WARP_FAILED /* wp_warp_fail() */
} WpWarpState;

/* Lanes of a warp that are at one place, and not the active ones. */
typedef enum
{
  WP_GROUP_READY,
  WP_GROUP_SYNC,     /* waits at BSYNC for convergence barrier `barrier` */
  WP_GROUP_WARPSYNC, /* waits for the lanes in `wanted` */
  WP_GROUP_BLOCK     /* waits at barrier `barrier` of its block */
} WpGroupState;

typedef struct
{
  guint32 lanes, pc;
  guint8 state; /* WpGroupState */
  guint8 barrier;
  guint32 wanted;
} WpGroup;

typedef enum
{
  WP_REDUCE_NONE,
  WP_REDUCE_COUNT,
  WP_REDUCE_AND,
  WP_REDUCE_OR
} WpReduce;

/* How a warp asks barriers in shared memory (wp-waits.h). */
typedef struct
{
  guint64 at;             /* of n_executed: when it last asked in vain */
  guint32 n;              /* groups of lanes that have since */
  guint32 turns;          /* in which it asked, and nothing else */
  guint32 address;        /* of the barrier whose word WP_WAIT_LOAD has loaded */
  gboolean is_answered;   /* it goes on where it asks in vain: nothing else can */
  gboolean is_at_cluster; /* it does not ask, but waits for the blocks of its cluster */
  gboolean gives_way; /* it has ended a phase, which others are to see before it ends the next */
} WpAsking;

#define WP_CONVERGENCE_BARRIERS 16

/* Lanes of a row, and what they hold. */
typedef struct
{
  guint32 lanes;
  WpTag tag;
  guint32 row[WP_LANES];
} WpKept;

struct WpWarp
{
  guint32 active;             /* lanes that execute now */
  guint32 pc;                 /* of the active lanes: an index of steps */
  guint8 state;               /* WpWarpState: the warp runs as long as it is WP_WARP_RUNS */
  guint32 p[9], p_unknown[9]; /* a bit for each lane; p[7] all ones */
  WpTag p_tag[9];
  guint8 up[9], up_unknown[9]; /* 0 or 1 */
  WpTag up_tag[9];
  guint32 (*r)[WP_LANES];         /* rows, aligned to 64 bytes */
  guint32 r_unknown[WP_MAX_ROWS]; /* a bit for each lane */
  WpTag r_tag[WP_MAX_ROWS];
  WpRowShape r_shape[WP_MAX_ROWS];
  guint32 ur[WP_N_UR];        /* a uniform register has one value for all lanes */
  guint8 ur_unknown[WP_N_UR]; /* 0 or 1 */
  WpTag ur_tag[WP_N_UR];
  /* Rpc, where compilers put a register aside: its lower and its upper word. */
  guint32 rpc[2][WP_LANES], rpc_unknown[2];
  WpTag rpc_tag[2];
  WpBlock *block;
  guint number;     /* of the warp in its block */
  gboolean is_lean; /* it executes no more of each step than its `lean` */
  guint32 present;  /* lanes that have a thread */
  guint32 exited;
  /* B0 to B15: for each lane the lanes that it converges with. */
  guint32 barriers[WP_CONVERGENCE_BARRIERS][WP_LANES];
  WpGroup groups[WP_LANES]; /* the lanes that are not active; the last one goes on first */
  guint n_groups;
  guint32 doubtful;    /* of the lanes that a step runs for, those whose guard is unknown: what it
                     * writes in them is unknown. Stores see to it; for registers it is done */
  WpKept kept;         /* ...of its destination, before it ran: what stays there */
  guint64 n_executed;  /* instructions */
  guint64 turn_end;    /* of n_executed */
  guint32 n_accesses;  /* to memory in this turn; those of many lines count more */
  guint32 n_backward;  /* branches that went back in the code */
  guint64 polled_at;   /* of n_executed: when it last asked whether it may go on */
  guint32 n_polls;     /* how often it has since it began to wait: wp_warp_poll() */
  guint32 idle;        /* how often nothing had changed since the last look */
  guint64 fingerprint; /* of its registers then */
  guint64 looked_at;   /* likewise, when all that are resident were looked at: wp-run.c */
  WpAsking asking;
  guint32 cluster_lanes; /* that have arrived at barrier.cluster since the last one arrived... */
  guint64 cluster_phase; /* ...when this was WpCluster.phase */
  guint8 reduce;         /* what the last BAR.RED asked for: WpReduce */
  guint32 reduced;       /* BAR.RED: in how many threads the predicate held... */
  gboolean reduced_all, reduced_unknown; /* ...whether in all; whether one was unknown */
  WpTag reduced_tag;
  guint8 *local; /* wp_warp_local() */
  guint64 *local_unknown;
  WpTag local_tag;      /* of what was stored there and is unknown */
  GPtrArray *stretches; /* what it knows of them, by their numbers: wp-stretch.c; NULL: nothing */
  WpAccessLog log;      /* the accesses of this turn, by the ops on memory */
  WpTrail trail;
  gchar *failure; /* what is wrong, without the place */
  guint32 failure_pc, failure_lane;
  gpointer memory_state; /* the ops on memory keep here what they like; plain g_malloc() */
};

/* ---- Sources ---- */

/* The row of the 32-bit word WORD (0: the low one) of SOURCE for all lanes, as it is stored:
 * without signs. It points into the registers where it can; SCRATCH is WP_LANES words. */
static inline const guint32 *
wp_lanes (const WpWarp *warp, const WpSource *source, guint word, guint32 *scratch)
{
  if (source->from == WP_FROM_REGISTER)
    return warp->r[source->first + word];
  if (source->from == WP_FROM_ROW)
    return source->row->lanes[word];

  guint32 value = source->from == WP_FROM_UNIFORM ? warp->ur[source->first + word] : 0;
  for (guint lane = 0; lane < WP_LANES; lane++)
    scratch[lane] = value;
  return scratch;
}

/* The same with - (two's complement) and ~ applied. */
const guint32 *wp_lanes_modified (const WpWarp *warp, const WpSource *source, guint word,
                                  guint32 *scratch);
static inline const guint32 *
wp_lanes_integer (const WpWarp *warp, const WpSource *source, guint32 *scratch)
{
  return source->negate || source->invert ? wp_lanes_modified (warp, source, 0, scratch)
                                          : wp_lanes (warp, source, 0, scratch);
}

/* The same with |...| and - applied to the sign bit of a number in single precision. */
const guint32 *wp_lanes_signed (const WpWarp *warp, const WpSource *source, guint32 *scratch);
static inline const guint32 *
wp_lanes_single (const WpWarp *warp, const WpSource *source, guint32 *scratch)
{
  return source->negate || source->absolute ? wp_lanes_signed (warp, source, scratch)
                                            : wp_lanes (warp, source, 0, scratch);
}

/* Words 0 and 1 of SOURCE as 64 bits for each lane, without signs. */
void wp_lanes_wide (const WpWarp *warp, const WpSource *source, guint64 *lanes);

/* The unknown lanes of one word of SOURCE. */
static inline guint32
wp_unknown_word (const WpWarp *warp, const WpSource *source, guint word)
{
  if (source->from == WP_FROM_REGISTER)
    return warp->r_unknown[source->first + word];
  if (source->from == WP_FROM_ROW)
    return source->row->unknown[word];
  return source->from == WP_FROM_UNIFORM && warp->ur_unknown[source->first + word] ? WP_ALL_LANES
                                                                                   : 0;
}

/* The lanes in which any word of SOURCE that is read is unknown. */
static inline guint32
wp_unknown (const WpWarp *warp, const WpSource *source)
{
  guint32 unknown = 0;
  for (guint word = 0; word < source->n; word++)
    unknown |= wp_unknown_word (warp, source, word);
  return unknown;
}

static inline WpTag
wp_tag (const WpWarp *warp, const WpSource *source)
{
  if (source->from == WP_FROM_REGISTER)
    return warp->r_tag[source->first];
  if (source->from == WP_FROM_ROW)
    return source->row->tag;
  return source->from == WP_FROM_UNIFORM ? warp->ur_tag[source->first] : 0;
}

/* Whether all that is unknown behind TAG are numbers that stand for it. */
static inline gboolean
wp_tag_stands (WpTag tag)
{
  return WP_TAG_SOURCE (tag) == 0 || (tag & WP_TAG_STANDS) != 0;
}

/* The first non-zero variable and the first non-zero buffer of the two. */
static inline WpTag
wp_tag_join (WpTag a, WpTag b)
{
  return WP_TAG (WP_TAG_SOURCE (a) ? WP_TAG_SOURCE (a) : WP_TAG_SOURCE (b),
                 WP_TAG_BUFFER (a) ? WP_TAG_BUFFER (a) : WP_TAG_BUFFER (b))
         | (wp_tag_stands (a) && wp_tag_stands (b) ? (a | b) & WP_TAG_STANDS : 0);
}

/* Over all sources of STEP, predicates that it reads included: the unknown lanes, and the tag. */
static inline guint32
wp_step_unknown (const WpWarp *warp, const WpStep *step)
{
  guint32 unknown = step->constant_unknown;
  if (G_LIKELY (step->has_few))
    return unknown | warp->r_unknown[step->marks[0]] | warp->r_unknown[step->marks[1]]
           | warp->r_unknown[step->marks[2]] | warp->r_unknown[step->marks[3]];
  if (step->has_marks)
    {
      for (guint k = 0; k < step->n_marks; k++)
        unknown |= warp->r_unknown[step->marks[k]];
      return unknown;
    }
  for (guint k = 0; k < step->n_sources; k++)
    unknown |= wp_unknown (warp, &step->sources[k]);
  for (guint k = 0; k < step->n_predicates; k++)
    unknown |= step->source_p[k] & WP_P_UNIFORM
                   ? (warp->up_unknown[step->source_p[k] & 7] ? WP_ALL_LANES : 0)
                   : warp->p_unknown[step->source_p[k] & 7];
  return unknown;
}

WpTag wp_step_tag_slow (const WpWarp *warp, const WpStep *step);
static inline WpTag
wp_step_tag (const WpWarp *warp, const WpStep *step)
{
  const WpTag tag = warp->r_tag[step->marks[0]];

  /* Mostly no register has one, or all have the same. */
  return G_LIKELY (step->has_few && (step->constant_tag == 0 || tag == 0)
                   && tag == warp->r_tag[step->marks[1]] && tag == warp->r_tag[step->marks[2]]
                   && tag == warp->r_tag[step->marks[3]])
             ? tag | step->constant_tag
             : wp_step_tag_slow (warp, step);
}

/* The lanes in which a predicate that is read holds, and those in which it is unknown; CODE is the
 * guard of a step or one of its source_p. */
static inline guint32
wp_predicate (const WpWarp *warp, guint code)
{
  guint32 bits = code & WP_P_UNIFORM ? -(guint32)warp->up[code & 7] : warp->p[code & 7];
  return code & WP_P_NOT ? ~bits : bits;
}

static inline guint32
wp_predicate_unknown (const WpWarp *warp, guint code)
{
  return code & WP_P_UNIFORM ? -(guint32)warp->up_unknown[code & 7] : warp->p_unknown[code & 7];
}

/* ---- Destinations ---- */

/* TO becomes FROM in the lanes of MASK. */
void wp_blend (guint32 *to, const guint32 *from, guint32 mask);

/* Writes LANES to row ROW of WARP in the lanes of MASK; UNKNOWN are those whose value is not known
 * (bits beyond MASK do not count). LANES may be any row of the warp. */
void wp_put (WpWarp *warp, guint row, const guint32 *lanes, guint32 mask, guint32 unknown,
             WpTag tag);

/* The lanes of MASK of row ROW are unknown from now on. They keep what they hold, which is as good
 * as any other value. */
void wp_put_unknown (WpWarp *warp, guint row, guint32 mask, WpTag tag);

/* The low words to ROW and the high words to the next row. */
void wp_put_wide (WpWarp *warp, guint row, const guint64 *lanes, guint32 mask, guint32 unknown,
                  WpTag tag);

/* To the first destination of STEP, with the unknown lanes and the tag of all of its sources. */
static inline void
wp_put_result (WpWarp *warp, const WpStep *step, const guint32 *lanes, guint32 mask)
{
  wp_put (warp, step->dest, lanes, mask, wp_step_unknown (warp, step), wp_step_tag (warp, step));
}

static inline void
wp_put_result_wide (WpWarp *warp, const WpStep *step, const guint64 *lanes, guint32 mask)
{
  wp_put_wide (warp, step->dest, lanes, mask, wp_step_unknown (warp, step),
               wp_step_tag (warp, step));
}

/* Writes BITS to predicate NUMBER (step->dest_p) in the lanes of MASK. */
static inline void
wp_put_predicate (WpWarp *warp, guint number, guint32 bits, guint32 mask, guint32 unknown,
                  WpTag tag)
{
  warp->p[number] = (warp->p[number] & ~mask) | (bits & mask);
  warp->p_unknown[number] = (warp->p_unknown[number] & ~mask) | (unknown & mask);
  warp->p_tag[number] = tag || mask == WP_ALL_LANES ? tag : warp->p_tag[number];
}

/* Uniform destinations: one value for the warp. */
static inline void
wp_put_uniform (WpWarp *warp, guint number, guint32 value, gboolean unknown, WpTag tag)
{
  warp->ur[number] = value;
  warp->ur_unknown[number] = unknown != 0;
  warp->ur_tag[number] = tag;
}

static inline void
wp_put_uniform_predicate (WpWarp *warp, guint number, gboolean value, gboolean unknown, WpTag tag)
{
  warp->up[number] = value != 0;
  warp->up_unknown[number] = unknown != 0;
  warp->up_tag[number] = tag;
}

/* ---- What an op tells the machine ---- */

/* Ends the run: WHAT (printf-like) is wrong in LANE of WARP at STEP: "address 0x10 is not in any
 * buffer". Block, thread and source line are put before it. The first one counts. */
void wp_warp_fail (WpWarp *warp, const WpStep *step, guint lane, const gchar *what, ...)
    G_GNUC_PRINTF (4, 5);

/* WARP waits for others by asking again and again: its turn is over when it next goes back in the
 * code, so that it asks no more often than it has to. Who asks in vain for long goes on for longer:
 * of a wait without end is to be told. */
void wp_warp_poll (WpWarp *warp);

/* What is assumed where a value is not known: told to the user once for each instruction and kind,
 * with its source line and the variable of TAG. */
typedef enum
{
  WP_NOTE_BRANCH,   /* an unknown guard of a branch or an EXIT: none of its lanes */
  WP_NOTE_GUARD,    /* an unknown guard of a store: all of its lanes, with unknown values */
  WP_NOTE_ADDRESS,  /* an unknown address: a random one in its buffer */
  WP_NOTE_LANE,     /* a shuffle, a vote or a match that depends on what is not known */
  WP_NOTE_INACTIVE, /* a shuffle from a lane that does not execute it */
  WP_NOTE_UNSTORED, /* what nothing was stored to is read: 0 */
  WP_NOTE_PRINTF,   /* a call of printf(): noted, and nothing printed */
  WP_NOTE_OTHER,
  WP_N_NOTES
} WpNoteKind;

void wp_warp_note (WpWarp *warp, const WpStep *step, WpNoteKind kind, WpTag tag);

/* The local memory of the warp, where a word of 4 bytes of all lanes lies together (WpLocal of
 * exec/memory/wp-shared.h), and, with a bit for each byte, which are unknown. Made with the first
 * call, all known and 0. */
guint8 *wp_warp_local (WpWarp *warp);

G_END_DECLS
