/* SPDX-License-Identifier: MIT */
/* Private: what warps executed, instruction by instruction, as the programs of a kernel. Traces and
 * machine code that is executed come here, each with classes of instructions of its own. The parts:
 *
 *   idg-fold-sequence  a sequence of instructions as repeats
 *   idg-fold-program   the dependences of a sequence, and whether its repeats preserve them
 *   idg-fold-build     a program in the form that the rest of the library uses
 *   idg-fold-warps     which warp runs which program, with equal programs stored once
 *   idg-fold-fetch     what fetches code that does not fit the instruction cache
 *   idg-fold-ranges    warps and blocks as ranges
 */
#pragma once

#include "idg/kernel/idg-coalesce.h"
#include "idg/kernel/idg-kernel.h"

G_BEGIN_DECLS

/* Registers of all kinds share one numbering. */
#define IDG_FOLD_REGISTERS 1024
#define IDG_FOLD_UNIFORM 256 /* the number of UR0 */
#define IDG_FOLD_PREDICATE 512
#define IDG_FOLD_UNIFORM_PREDICATE 768
#define IDG_FOLD_ZERO G_MAXUINT16 /* RZ, PT: they always have the same value */

/* ---- idg-fold-classes.c ---- */

/* Copies of this queue are complete in the order in which they are issued. */
#define IDG_FOLD_IN_ORDER 2
#define IDG_FOLD_QUEUES 3

/* What an instruction has to do with copies that nobody waits for one by one (cp.async). */
typedef enum
{
  IDG_FOLD_NO_COPY,
  IDG_FOLD_COPIES,  /* is a copy of the group that is open */
  IDG_FOLD_ALONE,   /* is a copy, and ends the group, where a lane executes it */
  IDG_FOLD_COMMITS, /* ends the group */
  IDG_FOLD_AWAITS,  /* waits until all groups but the last `pending` are complete */
  IDG_FOLD_LOOKS,   /* the same, and what comes next does so, too */
} IdgFoldCopy;

/* A class of instructions that are equal in everything that a kernel says about one, whichever
 * lanes execute them. */
typedef struct
{
  guint64 pc;
  const gchar *op;     /* canonical name; NULL for a barrier */
  const gchar *opcode; /* as in the trace */
  const gchar *context;
  const gchar *text; /* what the kernel says of it; NULL: made of pc, opcode and source_line */
  guint64 source_line;
  gint line;                 /* of its first occurrence in the trace */
  guint32 pc_number;         /* a number for its PC */
  guint32 op_number;         /* a number for its op; 0 for a barrier */
  guint first_read, n_reads; /* in IdgFoldClasses.registers */
  guint first_write, n_writes;
  gboolean branches;    /* a branch: the next instruction waits for it */
  const gchar *barrier; /* the name of a barrier that has one */
  guint warps;          /* of it, as in IdgNode */
  gboolean arrives;     /* at that barrier, and does not wait... */
  gboolean late;        /* ...nor does it for copies: the warp comes when they are complete */
  IdgFoldCopy copy;
  guint pending;
  guint queue; /* 0, 1 or IDG_FOLD_IN_ORDER: groups of each are counted apart */
  /* Where dependences are those that a compiler has written down: */
  guint stall;    /* cycles in which the warp issues nothing after it */
  guint sets;     /* the scoreboard that counts it until it is complete, + 1; 0: none */
  guint awaits;   /* a bit for each scoreboard that it waits for... */
  guint in_order; /* ...but for the last so many that it counts */
} IdgFoldClass;

typedef struct
{
  GArray *classes;   /* of IdgFoldClass */
  GArray *registers; /* of guint16 */
  guint32 n_pcs;
} IdgFoldClasses;

IDG_API void idg_fold_classes_init (IdgFoldClasses *classes);
IDG_API void idg_fold_classes_clear (IdgFoldClasses *classes);

static inline const IdgFoldClass *
idg_fold_classes_get (const IdgFoldClasses *classes, guint32 number)
{
  return &g_array_index (classes->classes, IdgFoldClass, number);
}

/* ---- idg-fold-sequence.c ---- */

/* A sequence with repeats. An item is a leaf, which occurs once, or a body that is repeated. */
typedef struct
{
  guint32 number; /* for a leaf, its class; for a body, its index in IdgFolded.bodies */
  guint32 count;  /* 0 for a leaf; else how often the body is repeated */
} IdgFoldItem;

typedef struct
{
  guint32 first, n; /* in IdgFolded.pool */
  guint32 depth;    /* 1 if it has only leaves */
  guint64 hash;
} IdgFoldBody;

typedef struct
{
  GArray *items;  /* of IdgFoldItem: the whole sequence */
  GArray *pool;   /* of IdgFoldItem: the items of bodies */
  GArray *bodies; /* of IdgFoldBody, with equal ones stored once */
} IdgFolded;

/* One instruction that a warp executed. MASK 0: by no lane, but it issued; what it reads was
 * written by whoever wrote it last. */
typedef struct
{
  guint32 class;
  guint32 mask;
} IdgFoldStep;

typedef struct IdgFolder IdgFolder; /* memory that is reused for the next sequence */

IdgFolder *idg_folder_new (const IdgFoldClasses *classes);
void idg_folder_free (IdgFolder *folder);

/* Returns the N STEPS with repeats: exactly the same sequence of classes. It looks for tandem
 * repeats where the PC goes backwards, inner ones first. Returns NULL if that takes more than
 * MAX_ITEMS items. O(n) expected. */
IdgFolded *idg_folder_fold (IdgFolder *folder, const IdgFoldStep *steps, gsize n, guint max_items);
void idg_folded_free (IdgFolded *fold);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgFolded, idg_folded_free)

/* ---- idg-fold-program.c ---- */

/* The most nodes for all programs of a kernel together: some 200 MB. */
#define IDG_FOLD_MAX_NODES (1u << 21)

typedef struct IdgFoldMaker IdgFoldMaker; /* memory that is reused for the next sequence */

IdgFoldMaker *idg_fold_maker_new (const IdgFoldClasses *classes);
void idg_fold_maker_free (IdgFoldMaker *maker);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgFoldMaker, idg_fold_maker_free)

/* The first word of each node of the code, and the words that follow. */
enum
{
  IDG_FOLD_INSTRUCTION, /* class, number of dependences, dependences */
  IDG_FOLD_REPEAT,      /* count */
  IDG_FOLD_END,
};

/* In the code, a dependence at distance D on a node is the node + (D - 1) * IDG_FOLD_DISTANCE. */
#define IDG_FOLD_DISTANCE (1u << 24)

/* Returns the N STEPS as a program, encoded in numbers (guint32) that can be compared: for each
 * node its kind, followed for an instruction by its class and the nodes that it depends on, in
 * increasing order (with the distance, if it is not 1), and for a repeat by its count. N_NODES
 * receives the number of nodes. With FOLD FALSE, there are no repeats. Returns NULL above
 * MAX_NODES. Free with g_array_unref(). O(n) expected; memory for the nodes.
 *
 * Dependences follow registers, lane by lane: an instruction depends on those that wrote what its
 * lanes read. Each instance has dependences according to MODEL.md, section 2; a repeat that would
 * change what an instance waits for is undone. More precisely: let A be the instances that instance
 * i depends on in the trace, and B those it depends on in the program. Every instance in only one
 * of the two must be one that an earlier instruction of the same warp with the same op has waited
 * for. In program order, it cannot delay i. */
GArray *idg_fold_maker_make (IdgFoldMaker *maker, const IdgFoldStep *steps, gsize n, gboolean fold,
                             guint max_nodes, guint *n_nodes);

/* ---- idg-fold-build.c ---- */

/* Returns the program of N_NODES nodes that is encoded in CODE, for the kernel that OTHER (or NULL)
 * is of; or NULL if it is too large. */
IdgProgram *idg_fold_program_build (const IdgFoldClasses *classes, const GArray *code,
                                    guint n_nodes, IdgProgram *other);

/* ---- idg-fold-warps.c ---- */

typedef struct IdgFoldWarps IdgFoldWarps;

IDG_API IdgFoldWarps *idg_fold_warps_new (const IdgFoldClasses *classes, guint32 warps_per_block);
IDG_API void idg_fold_warps_free (IdgFoldWarps *warps);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgFoldWarps, idg_fold_warps_free)

/* Begins block NUMBER. Returns FALSE if that block has been read before. */
gboolean idg_fold_warps_begin_block (IdgFoldWarps *warps, guint64 number);
/* Records that warp NUMBER of the current block executed the N STEPS. Returns FALSE, with a message
 * in PROBLEM (static), if that warp has been read before or there are too many programs. */
gboolean idg_fold_warps_add (IdgFoldWarps *warps, guint32 number, const IdgFoldStep *steps, gsize n,
                             const gchar **problem);
guint64 idg_fold_warps_count_blocks (const IdgFoldWarps *warps);

/* For who knows the blocks' rows already. The first returns the number of the program of the N
 * STEPS, IDG_FOLD_NO_PROGRAM if it has more than MAX_NODES nodes; the second that of the row in
 * which warp i of warps_per_block runs PROGRAMS[i] (IDG_FOLD_NO_PROGRAM: executes nothing); the
 * third adds N blocks of ROW, from number FIRST on, which no other call may name. */
#define IDG_FOLD_NO_PROGRAM G_MAXUINT32
IDG_API guint32 idg_fold_warps_find_program (IdgFoldWarps *warps, const IdgFoldStep *steps, gsize n,
                                             guint max_nodes);
IDG_API guint32 idg_fold_warps_find_row (IdgFoldWarps *warps, const guint32 *programs);
IDG_API void idg_fold_warps_add_blocks (IdgFoldWarps *warps, guint64 first, guint64 n, guint32 row);

/* ---- idg-fold-fetch.c ---- */

typedef struct
{
  guint64 bytes; /* of the cache, PIECE at least */
  guint32 piece; /* bytes of code that are fetched at once: of PCs from a multiple of it on */
  /* Returns the class, which it may add, of an instruction that fetches PIECE, counted from 0; of
   * a block N_WARPS run it, and fetch it once together. */
  guint32 (*find_class) (gpointer data, guint32 piece, guint32 n_warps);
  gpointer data;
} IdgFoldFetch;

/* Where the code of all programs does not fit: puts instructions that fetch what does not stay into
 * them, and has others wait for these. Returns the bytes of that code, in whole pieces; 0: it fits.
 * To be called once, after all blocks and before idg_fold_warps_finish(). O(nodes x pieces in the
 * cache). */
IDG_API guint64 idg_fold_warps_add_fetches (IdgFoldWarps *warps, const IdgFoldFetch *fetch);

/* ---- idg-fold-ranges.c ---- */

/* Adds the programs to KERNEL, for all blocks that were read, renumbered from 0 in the order of
 * their numbers. EMPTY receives the number of warps that are missing from the trace; they execute
 * nothing. Returns FALSE if the kernel would have more than MAX_NODES nodes or memory is exhausted;
 * KERNEL then has some of the programs. To be called once. */
IDG_API gboolean idg_fold_warps_finish (IdgFoldWarps *warps, IdgKernel *kernel, guint64 max_nodes,
                                        guint64 *empty);

G_END_DECLS
