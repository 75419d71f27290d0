/* SPDX-License-Identifier: MIT */
/* A warp that has the SM to itself: no throughput limits, no other warp but those of its block that
 * it meets at barriers (MODEL.md, section 10). Private; plain C11.
 *
 * Rounds of a repeat that recur are not walked. At the end of each round the warp's state, relative
 * to its last issue, is compared with one that was kept: first that at the repeat's beginning,
 * later those after 1, 2, 4, ... rounds (Brent's algorithm). Where it is the same, all rounds that
 * are left take as long as those since then, and do the same. What completed long ago is no part of
 * the state: nothing waits for it any more.
 */
#pragma once

#include "idg/kernel/idg-program.h"
#include "sim/bounds/wp-trail.h"

/* A latency that ends the warp, if none ends later: `at` is the step's position, `time` its end,
 * `length` from its issue (of a barrier: from the last arrival). */
typedef struct
{
  WpTick time; /* < 0: none */
  WpTick length;
  uint64_t at;
  uint32_t pipeline; /* or WP_NO_PIPELINE */
} WpAloneEnd;

/* Issues so far. A group that goes out together counts once. */
typedef struct
{
  uint64_t singles, groups; /* of one instruction, of more */
  uint64_t filled;          /* with slots > 1 */
  WpSum reissues;           /* slots beyond the first, of those */
  uint64_t n_walked;        /* instructions */
} WpAloneCounts;

/* What a stretch of code reads: producers, and for how long they matter to it. */
typedef struct
{
  uint32_t instr; /* of the program */
  WpTick reach;   /* the longest latency of a dependence on it from there */
} WpAloneRead;

typedef struct
{
  uint32_t first_instr, end_instr; /* of the program: those that stand in it */
  uint32_t n_reads;
  WpAloneRead *reads;
} WpAloneScope;

/* A state that was kept. */
typedef struct
{
  bool set;
  const WpAloneScope *scope; /* to whose code it matters */
  uint64_t age, life;        /* rounds since then; after how many it is renewed */
  WpTick now;
  WpTick last;    /* since the last issue; -1: it does not matter any more */
  WpTick release; /* since the last barrier's release; likewise */
  uint32_t group, slots;
  uint64_t used;
  bool after_barrier;
  uint64_t position;
  size_t n_entries; /* of the trail */
  uint32_t pc, depth;
  uint32_t left[IDG_MAX_DEPTH + 1]; /* rounds of the open repeats */
  WpAloneCounts counts;
  WpTick release_length;
  uint64_t last_back, release_back; /* positions since then */
  WpTick *ages;                     /* [n_reads]: since the producer's last issue; likewise */
  uint64_t *backs;                  /* [n_reads] */
} WpAloneState;

typedef struct
{
  const WpAloneScope *scope; /* [0]: the whole program */
  uint32_t left;             /* rounds, this one included */
  bool skipped;              /* what recurs has been skipped already */
  WpAloneEnd end;            /* the last one of those since the state was kept */
  WpAloneState *state;       /* kept at the end of a round */
} WpAloneLevel;

typedef struct
{
  const WpMachine *machine;
  const WpProgram *program;
  uint32_t segment;
  bool meets;           /* other programs at barriers */
  WpFirstIssue *firsts; /* borrowed: [machine.n_instrs] */

  uint32_t n_scopes;
  WpAloneScope *scopes; /* [0]: the program; then one for each repeat */
  WpAloneState *states; /* likewise */
  uint32_t *scope_of;   /* [n_code] */

  uint32_t pc;
  uint32_t depth;
  WpAloneLevel
      levels[IDG_MAX_DEPTH + 1]; /* [depth] is the innermost open repeat, [0] the program */
  WpTick *issued_at;             /* [n_instrs]: the last time, -1: never */
  uint64_t *position;            /* [n_instrs] */

  bool has_issued;
  WpTick last; /* issue */
  uint64_t last_position;
  WpTick release; /* of the last barrier, -1: none */
  WpTick release_length;
  uint64_t release_position; /* of the step that it came from */
  uint32_t group;            /* instructions of the present issue */
  uint32_t slots;            /* that it takes */
  uint64_t used;             /* pipelines that never pair, of it */
  bool after_barrier;
  bool waits, ended; /* at a barrier that others meet; for good */
  WpAloneEnd end;
  WpAloneCounts counts;
} WpAlone;

typedef enum
{
  WP_ALONE_MORE,
  WP_ALONE_STOPPED, /* at a barrier, or for good */
  WP_ALONE_OVERFLOW,
  WP_ALONE_NO_MEMORY
} WpAloneStatus;

/* A warp of programs[PROGRAM], at its start. MEETS: barriers are released from outside. False when
 * memory is out: wp_alone_clear() it all the same. O(code x depth). */
bool wp_alone_init (WpAlone *alone, const WpMachine *machine, uint32_t program, uint32_t segment,
                    bool meets);
void wp_alone_clear (WpAlone *alone);

/* Walks until the warp stops, or BUDGET instructions are used up (it is counted down). */
WpAloneStatus wp_alone_walk (WpAlone *alone, WpTrail *trail, uint64_t *budget);

/* Lets the warp go on from the barrier that it waits at: it is released at TIME, LENGTH after the
 * issue of the step at POSITION. */
void wp_alone_release (WpAlone *alone, WpTick time, WpTick length, uint64_t position);

/* How a warp fared. */
typedef struct
{
  WpAloneEnd end; /* its termination; end.time < 0: an empty program, at its start */
  WpTick last;    /* issue */
  WpAloneCounts counts;
} WpAloneResult;

/* The same in dataflow order: a block's warps, one for each of the N segments from FIRST_SEGMENT
 * on. All of it at once: such programs are short. */
WpAloneStatus wp_alone_flow (const WpMachine *machine, uint32_t n, const WpBoundsSegment *segments,
                             uint32_t first_segment, WpTrail *trail, WpFirstIssue *firsts,
                             WpAloneResult *results);

/* INSTR of the machine issues at NOW: the first time counts. */
static inline void
wp_alone_note_first (WpFirstIssue *firsts, uint32_t instr, WpTick now, bool paired)
{
  if (firsts[instr].time < 0)
    firsts[instr] = (WpFirstIssue){ now, paired };
}

/* ---- States: wp-alone-state.c ---- */

bool wp_alone_state_init (WpAloneState *state, const WpAloneScope *scope);
void wp_alone_state_clear (WpAloneState *state);

/* Keeps what matters, at time NOW, to the code of SCOPE. */
void wp_alone_keep (const WpAlone *alone, WpAloneState *state, const WpAloneScope *scope,
                    const WpTrail *trail, WpTick now);

/* Whether the warp is, at time NOW, in the state that was kept, but for rounds of repeats. Where
 * time has passed, what set a latency that counts must be as far back on the trail, too, so that a
 * path takes the same steps. O(reads of that scope). */
bool wp_alone_is_same (const WpAlone *alone, const WpAloneState *state, const WpTrail *trail,
                       WpTick now);

/* Moves the warp on by TIMES times what has happened since STATE was kept, all of it rounds of
 * LEVEL: each time takes PERIOD ticks, and all together POSITIONS of the trail. END is the last end
 * since then, and becomes the last of all these. False: a time overflowed. */
bool wp_alone_skip (WpAlone *alone, const WpAloneState *state, uint32_t level, uint64_t times,
                    WpTick period, uint64_t positions, WpAloneEnd *end);

/* The warp meets others: no repeat goes on by itself from here. Returns the last end since it did
 * so before. */
WpAloneEnd wp_alone_forget (WpAlone *alone);

/* A later END, of two; of one time, that of the later step: a path then has all of the program that
 * it can. */
static inline void
wp_alone_end_join (WpAloneEnd *end, WpAloneEnd other)
{
  if (other.time > end->time || (other.time == end->time && other.at > end->at))
    *end = other;
}
