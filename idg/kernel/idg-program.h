/* SPDX-License-Identifier: MIT */
/* A program: the instruction dependency graph that a warp executes, as plain data.
 *
 * Nodes are in program order. An instruction may depend on other instructions of the same program,
 * namely on the most recent dynamic instance of each that precedes it, or at a distance d on the
 * d-th most recent one; if there is none yet, it does not wait. A repeat is a pair of nodes,
 * IDG_REPEAT and IDG_END, around its body; repeats nest. Nothing is unrolled: a million iterations
 * take as much memory as one.
 *
 * This module knows no GPU, no launch and no file format. Plain C11; no GLib. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "idg/kernel/idg-macros.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Limits of a program (MODEL.md, section 2). */
#define IDG_MAX_DYNAMIC (UINT64_C (1) << 53) /* dynamic instructions of one warp */
#define IDG_MAX_DEPTH 64                     /* repeats inside one another */
#define IDG_MAX_COUNT UINT32_C (2147483647)  /* iterations of one repeat: 2^31 - 1 */
#define IDG_MAX_NODES (UINT32_C (1) << 24)   /* nodes as written */
#define IDG_MAX_DISTANCE 64                  /* of a dependence (MODEL.md, section 14) */
#define IDG_MAX_BARRIERS 256                 /* names of barriers in a kernel */
#define IDG_MAX_STALL 255                    /* cycles */

typedef enum
{
  IDG_INSTRUCTION, /* occupies a pipeline of the GPU */
  IDG_BARRIER,     /* the warps of the block meet here */
  IDG_ARRIVE,      /* the warp comes to a barrier and goes on without waiting */
  IDG_REPEAT,      /* head of a repeat: the nodes up to its IDG_END run `count` times */
  IDG_END,         /* end of a repeat */
} IdgNodeKind;

typedef enum
{
  IDG_OK,
  IDG_NO_MEMORY,
  IDG_TOO_MANY_NODES,   /* more than IDG_MAX_NODES */
  IDG_TOO_DEEP,         /* repeats nested deeper than IDG_MAX_DEPTH */
  IDG_BAD_COUNT,        /* a repeat count above IDG_MAX_COUNT */
  IDG_TOO_MANY_DYNAMIC, /* more than IDG_MAX_DYNAMIC dynamic instructions */
  IDG_NOT_OPEN,         /* an end without a repeat */
  IDG_STILL_OPEN,       /* a repeat without an end */
  IDG_BAD_DISTANCE,     /* a distance of 0, or above IDG_MAX_DISTANCE */
} IdgStatus;

typedef struct
{
  IdgNodeKind kind : 8;
  uint8_t stall;    /* IDG_INSTRUCTION: cycles from its issue on in which the warp issues nothing */
  bool late;        /* IDG_ARRIVE: it does not wait for what it depends on; the warp comes to the
                     * barrier when that is complete */
  uint32_t partner; /* IDG_REPEAT: index of its end; IDG_END: index of its head */
  uint32_t count;   /* IDG_REPEAT: iterations */
  uint32_t warps;   /* IDG_BARRIER: how many comings release it, 0: those of all warps */
  int line;         /* line of the file it was read from, 0 if from none */
  uint32_t n_after;
  uint32_t *after;    /* indices of the instructions (never barriers) it depends on */
  uint8_t *distances; /* of each of these, from 1 on: no pair of both occurs twice */
  /* Owned by the program, and others' that are equal: */
  const char *op;      /* IDG_INSTRUCTION: op as the kernel writes it; else NULL */
  const char *context; /* context, or NULL */
  const char *id;      /* name for use in `after`, or NULL */
  const char *text;    /* source line it stands for, or NULL */
  const char *name; /* IDG_BARRIER: which barrier, NULL: the one without a name; IDG_ARRIVE: never
                     * NULL */
} IdgNode;

typedef struct
{
  IdgNode *nodes; /* owned, in program order */
  uint32_t n_nodes;
} IdgProgram;

/* Tells whether NODE executes: an instruction, a barrier, an arrive. */
static inline bool
idg_node_executes (const IdgNode *node)
{
  return node->kind <= IDG_ARRIVE;
}

/* Returns an empty program, or NULL if memory is exhausted. Free with idg_program_free(). */
IDG_API IdgProgram *idg_program_new (void);

/* The same, for a further program of OTHER's kernel (NULL: the first one): they keep equal strings
 * once. They may be freed in any order, and are not to be changed or freed by several threads at a
 * time. */
IDG_API IdgProgram *idg_program_new_beside (IdgProgram *other);

/* Makes room for ROOM nodes in all, where it is known how many will come: none is left over then.
 * Returns IDG_OK, IDG_TOO_MANY_NODES or IDG_NO_MEMORY. */
IDG_API IdgStatus idg_program_reserve (IdgProgram *program, uint32_t room);

/* Frees PROGRAM and everything it owns. PROGRAM may be NULL. */
IDG_API void idg_program_free (IdgProgram *program);

/* These append a node and store its index in INDEX, unless NULL. Strings are copied; all but OP may
 * be NULL. They return IDG_OK, or the limit that would be exceeded, in which case PROGRAM is
 * unchanged. Amortized O(1). */
IDG_API IdgStatus idg_program_add_instruction (IdgProgram *program, const char *op,
                                               const char *context, const char *id,
                                               const char *text, int line, uint32_t *index);
IDG_API IdgStatus idg_program_add_barrier (IdgProgram *program, const char *text, int line,
                                           uint32_t *index);
/* A barrier of its own: NAME, and the number of comings that release it (0: those of all warps; one
 * name has the same number in all of a kernel). */
IDG_API IdgStatus idg_program_add_named_barrier (IdgProgram *program, const char *name,
                                                 uint64_t warps, const char *text, int line,
                                                 uint32_t *index);
/* Comes to the barrier NAME, and does not wait. */
IDG_API IdgStatus idg_program_add_arrive (IdgProgram *program, const char *name, const char *text,
                                          int line, uint32_t *index);
IDG_API IdgStatus idg_program_begin_repeat (IdgProgram *program, uint64_t count, int line,
                                            uint32_t *index);
IDG_API IdgStatus idg_program_end_repeat (IdgProgram *program);

/* Makes the node at INDEX (not a repeat) depend on the instruction at PRODUCER,
 * which may come before or after INDEX or be INDEX itself. Adding a dependence twice has no further
 * effect. Amortized O(1) if calls for the same INDEX follow one another, else O(dependences of
 * INDEX). */
IDG_API IdgStatus idg_program_add_dependence (IdgProgram *program, uint32_t index,
                                              uint32_t producer);

/* As idg_program_add_dependence(), on the DISTANCE-th most recent instance of PRODUCER: 1 is the
 * most recent one. Returns IDG_BAD_DISTANCE for 0 and above IDG_MAX_DISTANCE. */
IDG_API IdgStatus idg_program_add_distant_dependence (IdgProgram *program, uint32_t index,
                                                      uint32_t producer, uint64_t distance);

/* Makes the warp issue nothing for STALL cycles, at most IDG_MAX_STALL, after each issue of the
 * instruction at INDEX. O(1). */
IDG_API void idg_program_set_stall (IdgProgram *program, uint32_t index, uint64_t stall);

/* These change the node at INDEX, and return IDG_OK or IDG_NO_MEMORY. Strings are copied. The first
 * gives it an ID, in place of any that it has. */
IDG_API IdgStatus idg_program_set_id (IdgProgram *program, uint32_t index, const char *id);
/* It is a barrier, which becomes the one called NAME. */
IDG_API IdgStatus idg_program_set_barrier (IdgProgram *program, uint32_t index, const char *name);
/* It is an arrive, which becomes a late one: the warp comes to the barrier when what it depends on
 * is complete, and does not wait for that. */
IDG_API void idg_program_set_late (IdgProgram *program, uint32_t index);
/* It is an arrive, which becomes the instruction OP. */
IDG_API IdgStatus idg_program_drop_arrive (IdgProgram *program, uint32_t index, const char *op);

/* Stores the number of dynamic instructions of one warp, barriers included, in COUNT. Returns
 * IDG_TOO_MANY_DYNAMIC above IDG_MAX_DYNAMIC, and IDG_STILL_OPEN if a repeat lacks its end.
 * O(nodes). */
IDG_API IdgStatus idg_program_count_dynamic (const IdgProgram *program, uint64_t *count);

#ifdef __cplusplus
}
#endif
