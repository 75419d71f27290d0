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
 *
 * idg/import/fold has what follows.
 *
 * The format is defined by its sources: github.com/accel-sim/accel-sim-framework,
 * util/tracer_nvbit/tracer_tool, which writes it, and gpu-simulator/trace-parser, which reads it.
 */
#pragma once

#include "idg/import/base/idg-frontend.h"
#include "idg/import/fold/idg-fold.h"
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

#define IDG_ACCEL_ZERO IDG_FOLD_ZERO /* RZ, PT: they always have the same value */

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

typedef struct
{
  IdgFoldClasses fold;
  GHashTable *ops;     /* cache of IdgAccelOp, by opcode */
  GHashTable *numbers; /* numbers of ops, by name */
  GHashTable *pcs;     /* from PCs to their numbers + 1 */
  GHashTable *keys;    /* numbers of classes, by content */
  GByteArray *key;     /* scratch memory for one key */
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
  guint number;        /* of its op, as IdgFoldClass.op_number */
} IdgAccelOp;

IdgAccelOp *idg_accel_classes_find_op (IdgAccelClasses *classes, const gchar *opcode);

/* Returns the number of the class of INSTR with OP and CONTEXT (or NULL), or IDG_ACCEL_MAX_CLASSES
 * if there are too many. */
guint32 idg_accel_classes_find (IdgAccelClasses *classes, const IdgAccelInstr *instr,
                                const IdgAccelOp *op, const gchar *context, gint line);

/* ---- idg-accel-context.c ---- */

/* Writes the context that the addresses of INSTR give it into CONTEXT. Returns FALSE if there is
 * none. */
gboolean idg_accel_find_context (const IdgAccelInstr *instr, const IdgAccelOp *op,
                                 const IdgBanks *banks, gchar context[IDG_CONTEXT_CHARS]);

/* ---- idg-frontend-trace.c ---- */

/* Returns the kernel in one file (not a list) from memory; for tests and fuzzers. */
IdgKernel *idg_accel_parse_memory (const gchar *data, gsize length, const gchar *name,
                                   IdgImport *import, GError **error);

G_END_DECLS
