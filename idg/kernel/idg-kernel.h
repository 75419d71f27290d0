/* SPDX-License-Identifier: MIT */
/* A kernel: a launch, and the programs that its warps run.
 *
 * All structs are plain data and may be read freely. A kernel comes from a file (idg_kernel_load();
 * FORMATS.md, "Kernel"), or is made with idg_kernel_new() and the idg_program_ functions. It knows
 * no GPU: the number of warps in a block depends on the warp size, which callers pass where it
 * matters. */
#pragma once

#include <glib.h>

#include "idg/kernel/idg-program.h"
#include "idg/kernel/idg-types.h"

G_BEGIN_DECLS

/* Limits of a launch. Larger values are refused when they are read. */
#define IDG_MAX_BLOCKS (G_GINT64_CONSTANT (1) << 53)
#define IDG_MAX_THREADS (1 << 20)       /* per block */
#define IDG_MAX_REGISTERS (1 << 16)     /* per thread */
#define IDG_MAX_SHARED_MEMORY (1 << 30) /* bytes per block */

#define IDG_ERROR (idg_error_quark ())
IDG_API GQuark idg_error_quark (void);

typedef enum
{
  IDG_ERROR_READ,       /* the file cannot be read at all */
  IDG_ERROR_SYNTAX,     /* not well-formed, or not of the right structure */
  IDG_ERROR_VALUE,      /* of the right structure, but with a value that is out of range */
  IDG_ERROR_FIT,        /* a launch that cannot be made */
  IDG_ERROR_MEMORY = 5, /* out of memory */
} IdgError;

typedef struct
{
  guint64 first;
  guint64 last; /* inclusive, >= first */
} IdgRange;

typedef struct
{
  gchar *name;         /* or NULL */
  GArray *warps;       /* of IdgRange: warps of the block that run it; NULL: all */
  GArray *blocks;      /* of IdgRange: blocks that run it; NULL: all */
  IdgProgram *program; /* owned */
  gint line;
} IdgKernelProgram;

typedef struct
{
  gchar *name;
  gchar *value; /* the value in force, after any override */
  gchar *text;  /* or NULL */
} IdgParameter;

/* What an import could not model, and what makes the kernel's times a bound, or wrong. A warning
 * goes wherever the kernel goes: into its file, and into the reports of its runs. */
typedef struct
{
  gchar *name; /* what kind it is, lower-case words with dashes: "lower-bound" */
  gchar *text; /* one line for people */
} IdgWarning;

/* What the accesses of one source line of a kernel that was executed came to, over all blocks that
 * were. Sectors have 32 bytes. */
typedef struct
{
  gchar *file; /* as the code names it */
  guint line;
  guint64 accesses, sectors; /* to global and local memory; sectors that they asked for */
  guint64 l1_sectors;        /* that L1 lacked */
  guint64 l2_sectors;        /* that L2 lacked: read from memory, or to be written to it */
  guint64 shared, conflicts; /* accesses to shared memory, and passes of its banks beyond those that
                              * as many bytes take without conflicts */
} IdgLineAccesses;

/* What the whole launch of a kernel that was executed came to: what was counted of the blocks that
 * were executed, and for the others what those did that they are taken to be like. */
typedef struct
{
  guint64 warp_instructions;
  guint64 thread_instructions; /* of lanes that their guards let through */
  guint64 shared_load_wavefronts, shared_store_wavefronts;        /* passes of the banks */
  guint64 global_loads, global_stores, local_loads, local_stores; /* of warps */
  guint64 global_load_sectors, local_load_sectors;   /* of 32 bytes, that these ask for */
  guint64 l2_read_sectors, l2_write_sectors;         /* that L1 lacks, or that are stored */
  guint64 memory_read_sectors, memory_write_sectors; /* that L2 lacks */
  gdouble doubted; /* the part of the instructions that rests on data nobody gave, or as many in
                    * their place: see "branches-assumed" of doc/FORMATS.md */
  gboolean doubts_accesses; /* some of these, or of those in their place, access memory */
  /* How many threads' atomics went to the 32 bytes of device memory that most of them went to, and
   * by which line first (interned; NULL: none did): see "atomics-meet" there. */
  guint64 met;
  const gchar *met_at;
} IdgCounters;

/* The lanes of a warp that take part in an instruction, on average; 0 if there are none. */
static inline gdouble
idg_counters_get_lanes (const IdgCounters *counters)
{
  return (gdouble)counters->thread_instructions / (gdouble)MAX (counters->warp_instructions, 1);
}

typedef struct
{
  gint64 blocks;        /* 1 .. IDG_MAX_BLOCKS */
  gint64 threads;       /* per block, 1 .. IDG_MAX_THREADS */
  gint64 registers;     /* per thread, 0: not known */
  gint64 shared_memory; /* bytes per block */
} IdgLaunch;

/* What is executed to make the programs of a kernel: an <execute> of its file. */
typedef struct
{
  gchar *file; /* as written: beside the kernel's file */
  gchar *launch;
  gchar *data, *nvcc; /* or NULL */
  gint line;
} IdgExecute;

struct IdgKernel
{
  gchar *name;
  gchar *title;         /* one line on what it is, or NULL */
  gchar *file;          /* where it was read from, or NULL: used in messages */
  gboolean nearest_ops; /* an op or a context that a GPU lacks is replaced, instead of an error:
                    * sim/gpu/wp-nearest.h */
  gboolean assumed_addresses; /* accesses without a context are not known to be coalesced, free of
                               * conflicts and from DRAM: the import assumed that */
  gboolean
      fixed_threads;     /* the programs are for blocks of launch.threads: those decided loops... */
  gboolean fixed_blocks; /* ...or for launch.blocks */
  gboolean assumed_threads, assumed_blocks; /* nobody said this part of the launch */
  gboolean unscheduled;   /* the order of the instructions is not the one in which they run: an
                           * assembler has still to move them, as it does those of PTX */
  gboolean spread_blocks; /* where not all blocks are simulated, and the first ones are not like the
                           * others, they are taken from all over the launch */
  IdgLaunch launch;
  GPtrArray *warnings;   /* of IdgWarning, each text once */
  GPtrArray *parameters; /* of IdgParameter, in file order */
  GPtrArray *programs;   /* of IdgKernelProgram, in file order; at least one */
  GPtrArray *notes;      /* of gchar: what its import assumed (IdgImport.notes); in no file */
  GArray *accesses; /* of IdgLineAccesses, by file and line: what was counted while it was executed;
                     * NULL: it was not; in no file */
  IdgCounters *counters; /* likewise */
  IdgExecute *execute;   /* there are no programs yet: execution makes them; or NULL */
  gboolean executed;     /* execution made the programs */
  gboolean contended;    /* its times are with contended memory where nobody says otherwise */
};

/* Tells whether an instruction of KERNEL has a mix for a context (idg-mix.h). O(nodes). */
IDG_API gboolean idg_kernel_has_mixes (const IdgKernel *kernel);

/* Returns an empty kernel: one block of 32 threads, no programs. Free with idg_kernel_free(). */
IDG_API IdgKernel *idg_kernel_new (const gchar *name);

/* Returns the name to use for KERNEL in messages: its file, if it has one, else its own name.
 * Borrowed. */
IDG_API const gchar *idg_kernel_get_file (const IdgKernel *kernel);

/* Appends PROGRAM to KERNEL and takes ownership of it. WARPS and BLOCKS are arrays of IdgRange,
 * whose ownership is taken too, or NULL for all. */
IDG_API void idg_kernel_add_program (IdgKernel *kernel, IdgProgram *program, const gchar *name,
                                     GArray *warps, GArray *blocks, gint line);

/* Adds a warning NAME (lower-case words with dashes), unless KERNEL has one of that name and text.
 * The text is made by FORMAT; what a line of text cannot have in it becomes blanks. */
IDG_API void idg_kernel_add_warning (IdgKernel *kernel, const gchar *name, const gchar *format, ...)
    G_GNUC_PRINTF (3, 4);

/* Reads a kernel file.
 *
 * SETTINGS is NULL, or a NULL-terminated list of "name=value" that replace the values of the
 * kernel's parameters (whole numbers >= 0). It is an error to set an undeclared parameter, or one
 * parameter twice. On failure, returns NULL with an error of IDG_ERROR that reads "FILE:LINE: what
 * is wrong; what would have been right" ("FILE: ..." if no line is known). Cost: linear in the
 * file's size. */
IDG_API IdgKernel *idg_kernel_load (const gchar *path, const gchar *const *settings,
                                    GError **error);

/* As idg_kernel_load(), from LENGTH bytes of memory. Messages use NAME as the file's path. */
IDG_API IdgKernel *idg_kernel_parse (const gchar *data, gsize length, const gchar *name,
                                     const gchar *const *settings, GError **error);

/* Returns KERNEL as the text of a kernel file that reads as an equal kernel: with its parameters'
 * values filled in, and an id for each node that others depend on. LENGTH (may be NULL) receives
 * the text's length in bytes. Free with g_free(). Cost: linear. */
IDG_API gchar *idg_kernel_to_xml (const IdgKernel *kernel, gsize *length);

/* Tells which program each warp of a launch runs. Ranges of blocks with equal assignments share a
 * row. */
typedef struct
{
  guint64 first_block; /* this entry holds from here to the next entry's first_block */
  guint row;           /* index into `rows` */
} IdgAssignedBlocks;

typedef struct
{
  guint32 first_warp; /* this segment holds from here to the next one's first_warp */
  guint32 program;    /* index into IdgKernel.programs */
} IdgSegment;

typedef struct
{
  GArray *blocks;  /* of IdgAssignedBlocks, ascending; the first begins at block 0 */
  GPtrArray *rows; /* of GArray of IdgSegment, ascending; the first begins at warp 0 */
} IdgAssignment;

/* Finds the program of every warp of BLOCKS blocks with WARPS_PER_BLOCK warps each. Returns NULL
 * with an error that names the first warp that no program, or more than one, claims. Ranges may
 * reach beyond the launch. Free with idg_assignment_free(). Cost: O(b x (w + p)), where b and w are
 * the numbers of distinct range ends of blocks and of warps, and p is the number of programs. */
IDG_API IdgAssignment *idg_kernel_assign (const IdgKernel *kernel, guint64 blocks,
                                          guint32 warps_per_block, GError **error);
IDG_API void idg_assignment_free (IdgAssignment *assignment);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgAssignment, idg_assignment_free)

G_END_DECLS
