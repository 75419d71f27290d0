/* SPDX-License-Identifier: MIT */
/* Private: Accel-Sim traces, from the text of a file to the programs of a kernel. The parts, in the
 * order in which a line goes through them:
 *
 *   idg-accel-bytes    bytes of a file that may be compressed
 *   idg-accel-lines    its lines
 *   idg-accel-header   what the beginning of a trace says; lists of kernels
 *   idg-accel-parse    one line of an instruction, in any of the layouts that tracers have written
 *   idg-accel-classes  instructions that are the same but for their lanes: each once
 *   idg-accel-context  what the lanes' addresses make of an access
 *   idg-accel-fold     a sequence of instructions as repeats
 *   idg-accel-program  the dependences of a sequence, and whether its repeats keep them
 *   idg-accel-build    a program as the rest of the library knows it
 *   idg-accel-warps    which warp runs what: programs that are the same once
 *   idg-accel-ranges   warps and blocks as ranges
 *
 * What tracers write, and since when, is in their sources:
 * github.com/accel-sim/accel-sim-framework, util/tracer_nvbit/tracer_tool, and
 * gpu-simulator/trace-parser, which reads it. */
#pragma once

#include "idg/import/base/idg-frontend.h"
#include "idg/import/ops/idg-ops.h"
#include "idg/kernel/idg-coalesce.h"

G_BEGIN_DECLS

/* ---- idg-accel-lines.c ---- */

typedef struct IdgAccelLines IdgAccelLines;

/* The file at PATH: text, or that compressed by gzip or xz. Free with idg_accel_lines_free(). */
IdgAccelLines *idg_accel_lines_open (const gchar *path, GError **error);
/* The same from memory, which has to stay; NAME is for messages. */
IdgAccelLines *idg_accel_lines_open_memory (const gchar *data, gsize length, const gchar *name,
                                            GError **error);
void idg_accel_lines_free (IdgAccelLines *lines);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgAccelLines, idg_accel_lines_free)

/* The next line, without its end, blanks around it dropped; good until the next call, and may be
 * written to. NULL at the end of the file, and where ERROR is set. Memory: the longest line. */
gchar *idg_accel_lines_next (IdgAccelLines *lines, GError **error);
const gchar *idg_accel_lines_get_file (const IdgAccelLines *lines);
/* Of the line that was returned last, counted in the text as it is without compression. */
gint idg_accel_lines_get_number (const IdgAccelLines *lines);
/* The share of the file, as it lies on the disk, that is read: 0 .. 1; 0 where its length is not
 * known. */
gdouble idg_accel_lines_get_share (const IdgAccelLines *lines);

/* Sets ERROR to "FILE:LINE: ..." for that line; FALSE. */
#define idg_accel_fail(lines, error, ...)                                                          \
  idg_import_fail (idg_accel_lines_get_file (lines), idg_accel_lines_get_number (lines),           \
                   IDG_ERROR_SYNTAX, error, __VA_ARGS__)

/* ---- idg-accel-header.c ---- */

typedef struct
{
  gchar *name;    /* of the kernel; NULL: it does not say */
  gint64 id;      /* -1: it does not say */
  gint64 grid[3]; /* x, y, z; all 0: it does not say */
  gint64 block[3];
  gint64 shared_memory; /* bytes per block */
  gint64 registers;     /* per thread */
  gint64 binary;        /* 80: sm_80; 0: it does not say */
  gint64 version;       /* of the tracer; 0: it does not say */
  gboolean has_lines;   /* "enable lineinfo" */
} IdgAccelHeader;

void idg_accel_header_init (IdgAccelHeader *header);
void idg_accel_header_clear (IdgAccelHeader *header);

/* Takes in LINE, which begins with "-" ("-grid dim = (196,1,1)"); what it does not know it passes
 * over. */
gboolean idg_accel_header_read (IdgAccelHeader *header, const IdgAccelLines *lines,
                                const gchar *line, GError **error);
/* Whether it says what a launch needs. */
gboolean idg_accel_header_check (const IdgAccelHeader *header, const IdgAccelLines *lines,
                                 GError **error);
/* "x,y,z" or "(x,y,z)" into VALUES: whole numbers of at most MAX. FALSE if TEXT is no such thing.
 */
gboolean idg_accel_parse_triple (const gchar *text, gint64 max, gint64 values[3]);

/* Whether ENTRY means the kernel in the file at PATH: its number, its name or part of that, or the
 * file's name. */
gboolean idg_accel_is_kernel (const gchar *path, gint64 id, const gchar *name, const gchar *entry);

/* Whether the file at PATH is called a list of kernels. */
gboolean idg_accel_is_list (const gchar *path);
/* The path of the kernel that IMPORT asks for among those of the list at PATH. Free with g_free();
 * NULL with ERROR. */
gchar *idg_accel_choose_kernel (const gchar *path, const IdgImport *import, GError **error);

/* ---- idg-accel-parse.c ---- */

/* Registers of all kinds share one space of numbers. */
#define IDG_ACCEL_REGISTERS 1024
#define IDG_ACCEL_UNIFORM 256 /* first of UR0.. */
#define IDG_ACCEL_PREDICATE 512
#define IDG_ACCEL_UNIFORM_PREDICATE 768
#define IDG_ACCEL_ZERO G_MAXUINT16 /* RZ, PT: always the same value */

#define IDG_ACCEL_MAX_DESTS 128 /* later tracers list all that a matrix instruction writes */
#define IDG_ACCEL_MAX_SOURCES 128

typedef struct
{
  guint64 pc;
  guint64 source_line; /* 0: none */
  guint32 mask;        /* lanes that execute it */
  const gchar *opcode; /* in the line */
  guint n_dests, n_sources;
  guint16 dests[IDG_ACCEL_MAX_DESTS], sources[IDG_ACCEL_MAX_SOURCES];
  guint32 bytes;          /* per lane, of an access to memory; 0: none */
  gboolean has_addresses; /* of the lanes in mask */
  guint64 addresses[IDG_LANES];
} IdgAccelInstr;

/* What stands before the address of an instruction. */
typedef struct
{
  guint skip;         /* whole numbers: block and warp (before version 3), line of the source */
  gboolean has_line;  /* the last of them is that */
  gboolean is_strict; /* nothing follows the immediate (up to version 5) */
  gboolean is_found;  /* by a line that fits */
} IdgAccelLayout;

/* The layout that HEADER speaks of; its "#traces format" line is not asked, as it is wrong in many
 * files. */
void idg_accel_layout_init (IdgAccelLayout *layout, const IdgAccelHeader *header);

/* Reads LINE, which is written to, into INSTR. The first line of a file settles the layout: where
 * it does not fit LAYOUT, another that it fits is taken, once and for all. FALSE: what is wrong, in
 * PROBLEM (free with g_free()). */
gboolean idg_accel_parse (gchar *line, IdgAccelLayout *layout, IdgAccelInstr *instr,
                          gchar **problem);

/* ---- idg-accel-classes.c ---- */

/* Instructions that are the same in all that a kernel says of one, whatever lanes executed them. */
typedef struct
{
  guint64 pc;
  const gchar *op;     /* canonical name; NULL: a barrier */
  const gchar *opcode; /* as the trace has it */
  const gchar *context;
  guint64 source_line;
  gint line;                 /* of the trace, where it came first */
  guint32 pc_number;         /* the same for the same PC */
  guint32 op_number;         /* the same for the same op; 0: a barrier */
  guint first_read, n_reads; /* in IdgAccelClasses.registers */
  guint first_write, n_writes;
  gboolean branches; /* the next one waits for it */
} IdgAccelClass;

typedef struct
{
  GArray *classes;     /* of IdgAccelClass */
  GArray *registers;   /* of guint16 */
  GHashTable *ops;     /* what is known of each opcode */
  GHashTable *numbers; /* of ops, by name */
  GHashTable *pcs;     /* their numbers + 1 */
  GHashTable *keys;    /* of classes */
  guint32 n_pcs;
  GByteArray *key; /* room for one */
  GStringChunk *strings;
} IdgAccelClasses;

#define IDG_ACCEL_MAX_CLASSES (1u << 20)

void idg_accel_classes_init (IdgAccelClasses *classes);
void idg_accel_classes_clear (IdgAccelClasses *classes);

/* What is known of an opcode. */
typedef struct
{
  const gchar *opcode; /* owned by the classes */
  IdgSassOp sass;
  gboolean branches, known;
  gboolean is_noted; /* that it is not known */
  gboolean
      hides_dest; /* SHFL, ATOM: a predicate stands first, what they return among the sources */
  guint number;   /* of its op */
} IdgAccelOp;

IdgAccelOp *idg_accel_classes_find_op (IdgAccelClasses *classes, const gchar *opcode);

/* The number of the class of INSTR with OP and CONTEXT (or NULL); IDG_ACCEL_MAX_CLASSES when there
 * are too many. */
guint32 idg_accel_classes_find (IdgAccelClasses *classes, const IdgAccelInstr *instr,
                                const IdgAccelOp *op, const gchar *context, gint line);

static inline const IdgAccelClass *
idg_accel_classes_get (const IdgAccelClasses *classes, guint32 number)
{
  return &g_array_index (classes->classes, IdgAccelClass, number);
}

/* ---- idg-accel-context.c ---- */

/* The context that the addresses of INSTR give it, in CONTEXT; FALSE: none. */
gboolean idg_accel_find_context (const IdgAccelInstr *instr, const IdgAccelOp *op,
                                 const IdgBanks *banks, gchar context[IDG_CONTEXT_CHARS]);

/* ---- idg-accel-fold.c ---- */

/* A sequence as repeats of sequences. An item is a leaf, which stands `count` times 1, or a body.
 */
typedef struct
{
  guint32 number; /* of a leaf: its class; of a body: its place in IdgAccelFold.bodies */
  guint32 count;  /* 0: a leaf; else how often the body is repeated */
} IdgAccelItem;

typedef struct
{
  guint32 first, n; /* in IdgAccelFold.pool */
  guint32 depth;    /* 1: only leaves */
  guint64 hash;
} IdgAccelBody;

typedef struct
{
  GArray *items;  /* of IdgAccelItem: the sequence */
  GArray *pool;   /* of IdgAccelItem: of bodies */
  GArray *bodies; /* of IdgAccelBody, each once */
} IdgAccelFold;

/* What a warp executed. */
typedef struct
{
  guint32 class;
  guint32 mask;
} IdgAccelStep;

typedef struct IdgAccelFolder IdgAccelFolder; /* what can be used again for the next sequence */

IdgAccelFolder *idg_accel_folder_new (const IdgAccelClasses *classes);
void idg_accel_folder_free (IdgAccelFolder *folder);

/* The N STEPS as repeats: exactly the same sequence of classes. Tandem repeats are looked for where
 * the PC goes back, the inner ones first. NULL: it takes more than MAX_ITEMS items. Cost: O(n)
 * expected. */
IdgAccelFold *idg_accel_folder_fold (IdgAccelFolder *folder, const IdgAccelStep *steps, gsize n,
                                     guint max_items);
void idg_accel_fold_free (IdgAccelFold *fold);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgAccelFold, idg_accel_fold_free)

/* ---- idg-accel-program.c ---- */

/* At most so many nodes, all programs of a kernel together: 400 MB. */
#define IDG_ACCEL_MAX_NODES (1u << 21)

typedef struct IdgAccelMaker IdgAccelMaker; /* what can be used again for the next sequence */

IdgAccelMaker *idg_accel_maker_new (const IdgAccelClasses *classes);
void idg_accel_maker_free (IdgAccelMaker *maker);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgAccelMaker, idg_accel_maker_free)

/* Words that begin a node of the code. */
enum
{
  IDG_ACCEL_INSTRUCTION, /* class, number of dependences, each */
  IDG_ACCEL_REPEAT,      /* count */
  IDG_ACCEL_END,
};

/* What the N STEPS are as a program, in numbers that can be compared (guint32): of each node its
 * kind, and for an instruction its class and the nodes that it depends on, rising; for a repeat its
 * count. N_NODES gets their number. NULL: more than MAX_NODES of them. Free with g_array_unref().
 *
 * Dependences are those of registers, by lane: on the instructions that wrote what a lane of the
 * reading one reads. They hold for each instance as MODEL.md, section 2, has it; where repeats
 * would change what an instance waits for, they are undone. Let A be the instances that instance i
 * depends on by the trace, B those that it depends on by the program. What is in one of them only
 * is an instance that an earlier instruction of the same warp with the same op has waited for: in
 * program order it cannot delay i.
 *
 * Cost: O(n) expected; memory: the nodes. FOLD FALSE: no repeats. */
GArray *idg_accel_maker_make (IdgAccelMaker *maker, const IdgAccelStep *steps, gsize n,
                              gboolean fold, guint max_nodes, guint *n_nodes);

/* ---- idg-accel-build.c ---- */

/* The program that CODE is; NULL when memory is out. */
IdgProgram *idg_accel_program_build (const IdgAccelClasses *classes, const GArray *code);

/* ---- idg-accel-warps.c ---- */

typedef struct IdgAccelWarps IdgAccelWarps;

IdgAccelWarps *idg_accel_warps_new (const IdgAccelClasses *classes, guint32 warps_per_block);
void idg_accel_warps_free (IdgAccelWarps *warps);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgAccelWarps, idg_accel_warps_free)

/* Block NUMBER begins; FALSE if it was there before. */
gboolean idg_accel_warps_begin_block (IdgAccelWarps *warps, guint64 number);
/* Warp NUMBER of that block executed the N STEPS. FALSE, with what is wrong in PROBLEM (static): it
 * was there before, or programs become too many. */
gboolean idg_accel_warps_add (IdgAccelWarps *warps, guint32 number, const IdgAccelStep *steps,
                              gsize n, const gchar **problem);
guint64 idg_accel_warps_count_blocks (const IdgAccelWarps *warps);

/* ---- idg-accel-ranges.c ---- */

/* Programs of KERNEL for all blocks that there were, numbered anew from 0 in the order of their
 * numbers. EMPTY gets how many warps were not there: they execute nothing. FALSE: too many
 * programs, or no memory. */
gboolean idg_accel_warps_finish (IdgAccelWarps *warps, IdgKernel *kernel, guint64 *empty);

/* ---- idg-frontend-trace.c ---- */

/* The kernel of one file, not a list, from memory; for tests and fuzzers. */
IdgKernel *idg_accel_parse_memory (const gchar *data, gsize length, const gchar *name,
                                   IdgImport *import, GError **error);

G_END_DECLS
