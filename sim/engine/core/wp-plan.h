/* SPDX-License-Identifier: MIT */
/* What follows from a machine alone, found once and shared by all SMs. Private; plain C11. */
#pragma once

#include <stddef.h>

#include "sim/machine/wp-machine.h"

/* Up to here a time and a bit of a set fit in one word: the fast loop (wp-sm-fast.c) goes no
 * further. */
#define WP_FAST_LIMIT (INT64_C (1) << 56)

/* The fast loop looks at when pipelines are free, or their channels, once in so many issues: where
 * all are before WP_UNCHECKED_LIMIT, none is too late until then. */
#define WP_UNCHECKED_ISSUES (UINT64_C (1) << 16)
#define WP_UNCHECKED_LIMIT (INT64_C (1) << 60)

/* What comes after an instruction in the code. */
typedef enum
{
  WP_THEN_NEXT, /* the next instruction as written */
  WP_THEN_LOOP, /* the end of a repeat, and then `next` or what follows */
  WP_THEN_OPEN, /* the beginning of a repeat, and in it `next` */
  WP_THEN_CODE, /* anything else: see the code */
} WpThen;

/* What the issue of an instruction can matter to, from anything to next to nothing: each class
 * promises what those before it do, and more, but that pairs, PATH and BOUNDED are apart. The fast
 * loop (wp-sm-fast.c) leaves out what does not come up in it. */
typedef enum
{
  WP_ISSUE_ANY,          /* promises nothing: the long way (wp-sm-issue.c) */
  WP_ISSUE_PAIR,         /* takes one slot, as does `next`, the only one that may go out with it */
  WP_ISSUE_PAIR_OWN,     /* and their pipelines are their scheduler's own, and nothing is random */
  WP_ISSUE_SINGLE,       /* takes one slot, and nothing goes out with it */
  WP_ISSUE_PATH,         /* and it passes others by a path; nothing is random */
  WP_ISSUE_BOUNDED,      /* and its pipeline is special only in that it limits how many are in
                            flight; nothing is random, nor met */
  WP_ISSUE_OWN,          /* and its pipeline is its scheduler's own, and nothing is random */
  WP_ISSUE_CHAINED,      /* and when `next` is ready follows from it alone: `chain` later */
  WP_ISSUE_CHAINED_LOOP, /* the same, going round a repeat */
  WP_ISSUE_CHAINED_SELF, /* the same, being all of its repeat and waiting for itself: nobody else
                            has to do with it until the end */
} WpIssueClass;

/* What a warp waited for until it was ready, as a place in an SM's waits[]: 0 .. n_pipelines - 1:
 * dependences on instructions of that pipeline; and then */
#define WP_WAIT_BARRIER 0 /* n_pipelines + ... */
#define WP_WAIT_ILP 1
#define WP_N_WAITS 2

/* An instruction as written, as an issue wants it: one line of a cache. */
typedef struct WpOp
{
  const struct WpOp *next; /* what follows at once, or round the loop */
  WpTick issue;
  WpTick completion;
  union
  {
    WpTick chain;     /* CHAINED: `next` is ready so long after this issue, whatever else it depends
                         on */
    WpTick in_flight; /* bounded: so long after its start */
    const WpCost *cost; /* special, but not bounded */
  };
  uint32_t value; /* where a warp keeps when it last started; one that nobody reads where nothing
                     depends on it */
  uint32_t slots;
  const WpDep *deps;
  uint32_t n_deps;
  uint32_t after; /* in the program's code */
  uint8_t row;    /* its pipeline; n_pipelines: a barrier, or an arrive, which is posted */
  union
  {
    uint8_t wait; /* CHAINED: what `next` waits for: a place in waits[] */
    uint8_t met;  /* of what meets others: the pipeline that it passes which SMs share */
  };
  uint8_t then;   /* WpThen */
  uint8_t issues; /* WpIssueClass */
  bool posted : 1;
  bool random : 1;  /* it draws: when it is served with contended memory (see WpAccess), or which
                       context it takes */
  bool special : 1; /* it has a path, or its pipeline is special: see wp-pipeline.h */
  bool memory : 1;  /* it is on memory: MODEL.md, sections 8 and 12 */
  bool meets : 1;   /* it passes a pipeline that SMs share: when it issues matters to others; of
                       the first of a mix: any of them does */
  bool shares : 1;  /* it passes one itself */
  bool bounded : 1; /* special only in that its pipeline limits how many are in flight */
  bool mixed : 1;   /* of a mix, of which one is drawn: see wp-sm-mix.h. Also random */
  uint8_t kept;     /* how many of its last starts a warp keeps, from `value` on; of one that is
                       mixed WP_KEPT_MIXED */
  uint16_t barrier; /* which: see WpInstr */
  uint8_t turn;     /* in WpPlan.turns: the warp issues again so long after this issue at the
                       earliest */
  uint32_t n_late;  /* a late arrive: it has so many dependences, from late[] on, and does not wait
                       for them */
  const WpDep *late;
} WpOp;

/* Of an instruction that is mixed, whatever it keeps: more than 1. */
#define WP_KEPT_MIXED UINT8_MAX

/* What a warp keeps of a mix: `kept` values for each of `n_sets` (wp-machine.h), from the first
 * one's on; n_sets 0: nothing depends on it. */
typedef struct
{
  uint32_t n_sets, kept;
} WpMixedValues;

/* Contended memory: what an instruction as written does there. */
typedef struct
{
  uint32_t n_visits, n_channels; /* 0 visits where there are no channels */
  WpTick channel_issue;
  const WpSpread *spread; /* or NULL */
} WpAccess;

/* How long a warp waits behind the chained issues of its program, but for those that end a repeat:
 * see wp-tally.h. */
typedef struct
{
  WpTick dependency, ilp;
} WpImplied;

/* Most times between a warp's issues: as many as there are stalls (idg-program.h), and 0. */
#define WP_MAX_TURNS 256

#define WP_NO_ROUND UINT32_MAX

/* A repeat: how many dynamic instructions a round of it is, and the repeat around it. */
typedef struct
{
  uint64_t n_dynamic;
  uint32_t outer; /* in rounds[], or WP_NO_ROUND */
} WpRound;

/* Where an instruction is: its number among the warp's dynamic ones is `last` less, for each
 * open repeat, n_dynamic for each round that is left, the present one included. */
typedef struct
{
  uint64_t last;
  uint32_t round; /* the innermost repeat around it: in rounds[], or WP_NO_ROUND */
} WpPlace;

/* Warps that are ready within so many cycles are in one sorted list of their scheduler, later ones
 * in another: most enter behind all others then. The latencies of computation and
 * shared memory lie below, those of device memory above. */
#define WP_NEAR_CYCLES 32
/* A stretch of running ahead is so many intervals at most. */
#define WP_MAX_AHEAD 256
/* Most issues of a scheduler in it: those at its ends are in it, too. */
#define WP_MAX_STRETCH (WP_MAX_AHEAD + 2)

typedef struct
{
  WpOp *ops;                  /* [n_instrs] */
  WpTick turns[WP_MAX_TURNS]; /* ILP latency, or the stall of instructions where that is longer; the
                                 first one is the ILP latency */
  uint32_t n_turns;
  uint32_t *look_at; /* [n_code]: every how many rounds of a long repeat, at its end, to look; see
                        wp-steady.h */
  uint32_t
      n_blocking;     /* rows whose pipeline may refuse a warp when the scheduler's turn has come */
  uint32_t *blocking; /* [n_blocking] */
  uint32_t n_own_blocking; /* of these, the first ones: a scheduler's own, that only what it issues
                              can close */
  size_t
      n_values;   /* that a warp keeps, of the largest program; the last is one that nobody reads */
  size_t depth;   /* repeats inside one another, + 1 */
  WpTick longest; /* no latency is longer */
  WpTick safe;  /* what begins before ends before WP_TICK_LIMIT: an issue, its slot, its results */
  bool careful; /* in WP_UNCHECKED_ISSUES a time that is not safe may come of one that is far
                       from it; or an instruction meets others in several pipelines */
  WpTick lookahead; /* what a scheduler does cannot matter to others earlier than that: see
                       wp-sm-fast.c */
  WpTick ahead;     /* the same as long as no warp ends */
  /* Where no instruction takes a random number, and blocks are not replaced at once, both NULL: */
  WpPlace *places; /* [n_instrs] */
  WpRound *rounds; /* [n_code]: of its repeats */
  /* Where no instruction takes a random number, both NULL: */
  WpAccess *accesses;   /* [n_instrs] */
  WpMixedValues *mixed; /* [n_instrs]: of the first instruction of each mix; NULL: there is none */
  WpDep *deps;          /* of ops that look at fewer than they have (wp-plan-prune.h); or NULL */
  WpImplied *implied;   /* [n_programs]: see wp_plan_imply(); or NULL */
  bool arrives;         /* the machine has an arrive */
  uint64_t special;     /* a bit for each pipeline that is */
  uint64_t own;         /* likewise: a scheduler's own */
  uint64_t direct;      /* of these, such as start what they accept at once */
  uint64_t shared;      /* likewise: SMs share it, and instructions pass it */
  bool eager;           /* steady states are looked for at each round of each repeat */
} WpPlan;

/* EAGER: all repeats are looked into for steady states, however short, at each round.
 * The plan is whole when it is pruned (wp-plan-prune.h) and classified (wp-plan-classes.h), too.
 * False when memory is out: wp_plan_clear() it all the same. O(code x dependences of an
 * instruction). */
bool wp_plan_init (WpPlan *plan, const WpMachine *machine, bool eager);
void wp_plan_clear (WpPlan *plan);
