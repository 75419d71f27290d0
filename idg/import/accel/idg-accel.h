/* SPDX-License-Identifier: MIT */
/* Private: Accel-Sim traces, from the text of a file to the programs of a kernel. The parts, in the
 * order in which a line passes through them:
 *
 *   idg-accel-bytes    bytes of a file that may be compressed
 *   idg-accel-lines    its lines
 *   idg-accel-header   what the beginning of a trace says; lists of kernels
 *   idg-accel-parse    one line of an instruction, in any of the layouts that tracers have written
 *   idg-accel-classes  instructions that are the same but for their lanes: each once
 *   idg-accel-context  what the lanes' addresses make of an access
 *   idg-accel-fold     a sequence of instructions as repeats
 *   idg-accel-program  the dependences of a sequence, and whether its repeats preserve them
 *   idg-accel-build    a program in the form that the rest of the library uses
 *   idg-accel-warps    which warp runs which program, with equal programs stored once
 *   idg-accel-ranges   warps and blocks as ranges
 *
 * The format is defined by its sources: github.com/accel-sim/accel-sim-framework,
 * util/tracer_nvbit/tracer_tool, which writes it, and gpu-simulator/trace-parser, which reads it.
 */
#pragma once

#include "idg/import/base/idg-frontend.h"
#include "idg/import/ops/idg-ops.h"
#include "idg/kernel/idg-coalesce.h"

G_BEGIN_DECLS

/* ---- idg-accel-lines.c ---- */

typedef struct IdgAccelLines IdgAccelLines;

/* Opens the file at PATH: text, or text compressed with gzip or xz. Free with
 * idg_accel_lines_free(). */
IdgAccelLines *idg_accel_lines_open (const gchar *path, GError **error);
/* Reads from LENGTH bytes of memory, which must outlive the result. Messages use NAME as the file's
 * path. */
IdgAccelLines *idg_accel_lines_open_memory (const gchar *data, gsize length, const gchar *name,
                                            GError **error);
void idg_accel_lines_free (IdgAccelLines *lines);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgAccelLines, idg_accel_lines_free)

/* Returns the next line, without its line end and without blanks around it. It is good until the
 * next call, and may be modified. Returns NULL at the end of the file, and with ERROR on failure.
 * Memory: the longest line. */
gchar *idg_accel_lines_next (IdgAccelLines *lines, GError **error);
const gchar *idg_accel_lines_get_file (const IdgAccelLines *lines);
/* Returns the number of the last line returned, counted in the decompressed text. */
gint idg_accel_lines_get_number (const IdgAccelLines *lines);
/* Returns which part of the (compressed) file has been read, 0 .. 1; 0 if its length is not known.
 */
gdouble idg_accel_lines_get_share (const IdgAccelLines *lines);

/* Sets ERROR to "FILE:LINE: ..." for the last line returned. Returns FALSE. */
#define idg_accel_fail(lines, error, ...)                                                          \
  idg_import_fail (idg_accel_lines_get_file (lines), idg_accel_lines_get_number (lines),           \
                   IDG_ERROR_SYNTAX, error, __VA_ARGS__)

/* ---- idg-accel-header.c ---- */

typedef struct
{
  gchar *name;    /* of the kernel; NULL: not given */
  gint64 id;      /* -1: not given */
  gint64 grid[3]; /* x, y, z; all 0: not given */
  gint64 block[3];
  gint64 shared_memory; /* bytes per block */
  gint64 registers;     /* per thread */
  gint64 binary;        /* 80 for sm_80; 0: not given */
  gint64 version;       /* of the tracer; 0: not given */
  gboolean has_lines;   /* "enable lineinfo" */
} IdgAccelHeader;

void idg_accel_header_init (IdgAccelHeader *header);
void idg_accel_header_clear (IdgAccelHeader *header);

/* Parses LINE, a header line, which begins with "-" ("-grid dim = (196,1,1)"). Unknown lines are
 * ignored. */
gboolean idg_accel_header_read (IdgAccelHeader *header, const IdgAccelLines *lines,
                                const gchar *line, GError **error);
/* Checks that the header has everything that a launch needs. */
gboolean idg_accel_header_check (const IdgAccelHeader *header, const IdgAccelLines *lines,
                                 GError **error);
/* Parses "x,y,z" or "(x,y,z)" into VALUES, whole numbers of at most MAX. Returns FALSE if TEXT is
 * anything else. */
gboolean idg_accel_parse_triple (const gchar *text, gint64 max, gint64 values[3]);

/* Tells whether ENTRY refers to the kernel in the file at PATH: by its number, its name or a part
 * of that, or the file's name. */
gboolean idg_accel_is_kernel (const gchar *path, gint64 id, const gchar *name, const gchar *entry);

/* Tells whether PATH has the name of a list of kernels. */
gboolean idg_accel_is_list (const gchar *path);
/* Returns the path of the kernel that IMPORT asks for, from the list at PATH, or NULL with ERROR.
 * Free with g_free(). */
gchar *idg_accel_choose_kernel (const gchar *path, const IdgImport *import, GError **error);

/* ---- idg-accel-parse.c ---- */

/* Registers of all kinds share one numbering. */
#define IDG_ACCEL_REGISTERS 1024
#define IDG_ACCEL_UNIFORM 256 /* the number of UR0 */
#define IDG_ACCEL_PREDICATE 512
#define IDG_ACCEL_UNIFORM_PREDICATE 768
#define IDG_ACCEL_ZERO G_MAXUINT16 /* RZ, PT: they always have the same value */

#define IDG_ACCEL_MAX_DESTS 128 /* a matrix instruction can list that many */
#define IDG_ACCEL_MAX_SOURCES 128

typedef struct
{
  guint64 pc;
  guint64 source_line; /* 0: none */
  guint32 mask;        /* the lanes that execute it */
  const gchar *opcode; /* points into the line */
  guint n_dests, n_sources;
  guint16 dests[IDG_ACCEL_MAX_DESTS], sources[IDG_ACCEL_MAX_SOURCES];
  guint32 bytes;          /* per lane, for a memory access; 0: none */
  gboolean has_addresses; /* for the lanes in mask */
  guint64 addresses[IDG_LANES];
} IdgAccelInstr;

/* The layout of a line: what precedes the PC of an instruction, and what may follow. */
typedef struct
{
  guint skip;         /* how many whole numbers precede it: block and warp (before version 3),
                       * source line */
  gboolean has_line;  /* the last of them is the source line */
  gboolean is_strict; /* nothing follows the immediate (up to version 5) */
  gboolean is_found;  /* a line has confirmed it */
} IdgAccelLayout;

/* Initializes LAYOUT to the one that HEADER implies. The header's "#traces format" line is ignored,
 * because it is wrong in many files. */
void idg_accel_layout_init (IdgAccelLayout *layout, const IdgAccelHeader *header);

/* Parses LINE, which it modifies, into INSTR. The first line of a file determines the layout: if it
 * does not fit LAYOUT, another one that it fits replaces it for good. Returns FALSE with a message
 * in PROBLEM (free with g_free()). */
gboolean idg_accel_parse (gchar *line, IdgAccelLayout *layout, IdgAccelInstr *instr,
                          gchar **problem);

/* ---- idg-accel-classes.c ---- */

/* A class of instructions that are equal in everything that a kernel says about one, whichever
 * lanes execute them. */
typedef struct
{
  guint64 pc;
  const gchar *op;     /* canonical name; NULL for a barrier */
  const gchar *opcode; /* as in the trace */
  const gchar *context;
  guint64 source_line;
  gint line;                 /* of its first occurrence in the trace */
  guint32 pc_number;         /* a number for its PC */
  guint32 op_number;         /* a number for its op; 0 for a barrier */
  guint first_read, n_reads; /* in IdgAccelClasses.registers */
  guint first_write, n_writes;
  gboolean branches; /* a branch: the next instruction waits for it */
} IdgAccelClass;

typedef struct
{
  GArray *classes;     /* of IdgAccelClass */
  GArray *registers;   /* of guint16 */
  GHashTable *ops;     /* cache of IdgAccelOp, by opcode */
  GHashTable *numbers; /* numbers of ops, by name */
  GHashTable *pcs;     /* from PCs to their numbers + 1 */
  GHashTable *keys;    /* numbers of classes, by content */
  guint32 n_pcs;
  GByteArray *key; /* scratch memory for one key */
  GStringChunk *strings;
} IdgAccelClasses;

#define IDG_ACCEL_MAX_CLASSES (1u << 20)

void idg_accel_classes_init (IdgAccelClasses *classes);
void idg_accel_classes_clear (IdgAccelClasses *classes);

/* What is known about an opcode. */
typedef struct
{
  const gchar *opcode; /* owned by the classes */
  IdgSassOp sass;
  gboolean branches, known;
  gboolean is_noted;   /* there is a note already that the tables lack it */
  gboolean hides_dest; /* SHFL, ATOM: a predicate comes first, so that the result register is listed
                   * among the sources */
  guint number;        /* of its op, as IdgAccelClass.op_number */
} IdgAccelOp;

IdgAccelOp *idg_accel_classes_find_op (IdgAccelClasses *classes, const gchar *opcode);

/* Returns the number of the class of INSTR with OP and CONTEXT (or NULL), or IDG_ACCEL_MAX_CLASSES
 * if there are too many. */
guint32 idg_accel_classes_find (IdgAccelClasses *classes, const IdgAccelInstr *instr,
                                const IdgAccelOp *op, const gchar *context, gint line);

static inline const IdgAccelClass *
idg_accel_classes_get (const IdgAccelClasses *classes, guint32 number)
{
  return &g_array_index (classes->classes, IdgAccelClass, number);
}

/* ---- idg-accel-context.c ---- */

/* Writes the context that the addresses of INSTR give it into CONTEXT. Returns FALSE if there is
 * none. */
gboolean idg_accel_find_context (const IdgAccelInstr *instr, const IdgAccelOp *op,
                                 const IdgBanks *banks, gchar context[IDG_CONTEXT_CHARS]);

/* ---- idg-accel-fold.c ---- */

/* A sequence with repeats. An item is a leaf, which occurs once, or a body that is repeated. */
typedef struct
{
  guint32 number; /* for a leaf, its class; for a body, its index in IdgAccelFold.bodies */
  guint32 count;  /* 0 for a leaf; else how often the body is repeated */
} IdgAccelItem;

typedef struct
{
  guint32 first, n; /* in IdgAccelFold.pool */
  guint32 depth;    /* 1 if it has only leaves */
  guint64 hash;
} IdgAccelBody;

typedef struct
{
  GArray *items;  /* of IdgAccelItem: the whole sequence */
  GArray *pool;   /* of IdgAccelItem: the items of bodies */
  GArray *bodies; /* of IdgAccelBody, with equal ones stored once */
} IdgAccelFold;

/* One instruction that a warp executed. */
typedef struct
{
  guint32 class;
  guint32 mask;
} IdgAccelStep;

typedef struct IdgAccelFolder IdgAccelFolder; /* memory that is reused for the next sequence */

IdgAccelFolder *idg_accel_folder_new (const IdgAccelClasses *classes);
void idg_accel_folder_free (IdgAccelFolder *folder);

/* Returns the N STEPS with repeats: exactly the same sequence of classes. It looks for tandem
 * repeats where the PC goes backwards, inner ones first. Returns NULL if that takes more than
 * MAX_ITEMS items. O(n) expected. */
IdgAccelFold *idg_accel_folder_fold (IdgAccelFolder *folder, const IdgAccelStep *steps, gsize n,
                                     guint max_items);
void idg_accel_fold_free (IdgAccelFold *fold);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgAccelFold, idg_accel_fold_free)

/* ---- idg-accel-program.c ---- */

/* The most nodes for all programs of a kernel together: 400 MB. */
#define IDG_ACCEL_MAX_NODES (1u << 21)

typedef struct IdgAccelMaker IdgAccelMaker; /* memory that is reused for the next sequence */

IdgAccelMaker *idg_accel_maker_new (const IdgAccelClasses *classes);
void idg_accel_maker_free (IdgAccelMaker *maker);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgAccelMaker, idg_accel_maker_free)

/* The first word of each node of the code, and the words that follow. */
enum
{
  IDG_ACCEL_INSTRUCTION, /* class, number of dependences, dependences */
  IDG_ACCEL_REPEAT,      /* count */
  IDG_ACCEL_END,
};

/* Returns the N STEPS as a program, encoded in numbers (guint32) that can be compared: for each
 * node its kind, followed for an instruction by its class and the nodes that it depends on, in
 * increasing order, and for a repeat by its count. N_NODES receives the number of nodes. With FOLD
 * FALSE, there are no repeats. Returns NULL above MAX_NODES. Free with g_array_unref(). O(n)
 * expected; memory for the nodes.
 *
 * Dependences follow registers, lane by lane: an instruction depends on those that wrote what its
 * lanes read. Each instance has dependences according to MODEL.md, section 2; a repeat that would
 * change what an instance waits for is undone. More precisely: let A be the instances that instance
 * i depends on in the trace, and B those it depends on in the program. Every instance in only one
 * of the two must be one that an earlier instruction of the same warp with the same op has waited
 * for. In program order, it cannot delay i. */
GArray *idg_accel_maker_make (IdgAccelMaker *maker, const IdgAccelStep *steps, gsize n,
                              gboolean fold, guint max_nodes, guint *n_nodes);

/* ---- idg-accel-build.c ---- */

/* Returns the program encoded in CODE, or NULL if memory is exhausted. */
IdgProgram *idg_accel_program_build (const IdgAccelClasses *classes, const GArray *code);

/* ---- idg-accel-warps.c ---- */

typedef struct IdgAccelWarps IdgAccelWarps;

IdgAccelWarps *idg_accel_warps_new (const IdgAccelClasses *classes, guint32 warps_per_block);
void idg_accel_warps_free (IdgAccelWarps *warps);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgAccelWarps, idg_accel_warps_free)

/* Begins block NUMBER. Returns FALSE if that block has been read before. */
gboolean idg_accel_warps_begin_block (IdgAccelWarps *warps, guint64 number);
/* Records that warp NUMBER of the current block executed the N STEPS. Returns FALSE, with a message
 * in PROBLEM (static), if that warp has been read before or there are too many programs. */
gboolean idg_accel_warps_add (IdgAccelWarps *warps, guint32 number, const IdgAccelStep *steps,
                              gsize n, const gchar **problem);
guint64 idg_accel_warps_count_blocks (const IdgAccelWarps *warps);

/* ---- idg-accel-ranges.c ---- */

/* Adds the programs to KERNEL, for all blocks that were read, renumbered from 0 in the order of
 * their numbers. EMPTY receives the number of warps that are missing from the trace; they execute
 * nothing. Returns FALSE if there are too many programs or memory is exhausted. */
gboolean idg_accel_warps_finish (IdgAccelWarps *warps, IdgKernel *kernel, guint64 *empty);

/* ---- idg-frontend-trace.c ---- */

/* Returns the kernel in one file (not a list) from memory; for tests and fuzzers. */
IdgKernel *idg_accel_parse_memory (const gchar *data, gsize length, const gchar *name,
                                   IdgImport *import, GError **error);

G_END_DECLS
