/* SPDX-License-Identifier: MIT */
/* Private: the listing of a kernel, as the front ends for PTX and SASS read it: its instructions in
 * the order of the file, the registers that each reads and writes, and the places that it may
 * branch to. Front ends do not look at control flow: idg-listing.c turns a listing into a kernel,
 * with its loops counted and its branches decided.
 *
 * idg_code_get_register() numbers registers by name: one number for each 32-bit register of SASS (a
 * pair has two), one for each register of PTX, whatever its width. Predicates are registers like
 * any others. A register that always holds a constant (RZ, PT) is not a register here: front ends
 * leave it out. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define IDG_NO_REGISTER G_MAXUINT
#define IDG_NO_TARGET G_MAXUINT
#define IDG_MAX_BARRIER_ID 15 /* of a barrier of the block */
#define IDG_WARP_THREADS 32   /* of all GPUs that PTX and SASS are for */

/* Registers that nothing writes: the launch and a thread's place in its block give them. They occur
 * in meanings only, not among the reads of an instruction. */
enum
{
  IDG_SPECIAL_TID_X = 0x80000000,
  IDG_SPECIAL_TID_Y,
  IDG_SPECIAL_TID_Z,
  IDG_SPECIAL_NTID_X,
  IDG_SPECIAL_NTID_Y,
  IDG_SPECIAL_NTID_Z,
  IDG_SPECIAL_NCTAID_X,
  IDG_SPECIAL_NCTAID_Y,
  IDG_SPECIAL_NCTAID_Z,
  IDG_SPECIAL_LANE,
  IDG_SPECIAL_END
};

typedef enum
{
  IDG_CODE_OP,      /* an instruction that goes on to the next */
  IDG_CODE_BARRIER, /* warps of the block meet */
  IDG_CODE_ARRIVE,  /* comes to a barrier, and goes on without waiting */
  IDG_CODE_BRANCH,  /* jumps to one of its targets; if its guard fails, goes on to the next
                     * instruction */
  IDG_CODE_EXIT,    /* ends the warp; if its guard fails, goes on to the next instruction */
} IdgCodeKind;

/* What an instruction has to do with asynchronous copies. */
typedef enum
{
  IDG_ASYNC_NONE,
  IDG_ASYNC_COPY,     /* begins one, of the group that is open */
  IDG_ASYNC_COMMIT,   /* ends the group, and opens another */
  IDG_ASYNC_WAIT,     /* waits for all groups that are ended but the last `groups` */
  IDG_ASYNC_WAIT_ALL, /* ends the group, and waits for all */
} IdgAsync;

/* What an instruction computes, as far as that helps to count the iterations of a loop: whole
 * numbers only. */
typedef enum
{
  IDG_MATH_NONE, /* anything else */
  IDG_MATH_MOVE, /* a */
  IDG_MATH_ADD,  /* a + b + c (SASS adds three) */
  IDG_MATH_SUB,  /* a - b */
  IDG_MATH_MUL,  /* a * b + c */
  IDG_MATH_SHL,  /* a << b */
  IDG_MATH_SHR,  /* a >> b */
  IDG_MATH_AND,  /* a & b */
  IDG_MATH_OR,
  IDG_MATH_XOR,
  IDG_MATH_DIV,
  IDG_MATH_REM,
  IDG_MATH_MIN,
  IDG_MATH_MAX,
  IDG_MATH_SELECT, /* c is not 0 ? a : b */
  IDG_MATH_LT,     /* comparisons write a predicate */
  IDG_MATH_LE,
  IDG_MATH_GT,
  IDG_MATH_GE,
  IDG_MATH_EQ,
  IDG_MATH_NE,
} IdgMath;

typedef struct
{
  guint reg;    /* the register that holds the value, or an IDG_SPECIAL; IDG_NO_REGISTER: a constant
                 */
  gint64 value; /* the constant, or what is added to the register */
} IdgOperand;

typedef struct
{
  IdgMath math;
  guint bits;         /* 1 (predicates), 16, 32 or 64: arithmetic is modulo 2^bits */
  gboolean is_signed; /* comparisons and SHR */
  guint result;       /* the register that it writes */
  IdgOperand a, b, c; /* an absent one is the constant 0 */
} IdgMeaning;

typedef struct
{
  IdgCodeKind kind;
  const gchar *op;      /* canonical name (idg-ops.h), NULL for a barrier; owned by the code */
  const gchar *context; /* or NULL */
  const gchar *text;    /* as in the listing, with single blanks, and without the guard and `;` */
  const gchar *source;  /* "file.cu:12", or NULL */
  guint column;         /* on that line; 0: not known */
  gint line;            /* in the listing */
  gboolean has_guard;   /* a predicate decides, by lane or by warp, whether it takes effect */
  gboolean guard_negated;
  guint guard; /* the predicate's register, which is also among the reads; IDG_NO_REGISTER for a UP
                * constant */
  guint first_read, n_reads;   /* in IdgCode.registers */
  guint first_write, n_writes; /* in IdgCode.registers */
  guint first_target,
      n_targets; /* of a branch, in IdgCode.targets; more than one if it is an indexed branch */
  guint meaning; /* index into IdgCode.meanings, 0: none */
  IdgAsync async;
  guint groups;         /* of a IDG_ASYNC_WAIT */
  const gchar *barrier; /* of a barrier: its name, NULL: that of the whole block; of an arrive */
  guint warps;          /* of a barrier: how many it is for, 0: all of the block */
} IdgCodeInstr;

/* A place that branches refer to by name. */
typedef struct
{
  const gchar *name; /* as written: "$L__BB0_2", ".L_x_1", "0x0150" */
  guint instr; /* the instruction at that place; the number of instructions if it is at the end */
  gint line;
} IdgCodeLabel;

typedef struct
{
  gchar *file;         /* for messages */
  gchar *name;         /* of the kernel */
  GArray *instrs;      /* of IdgCodeInstr */
  GArray *registers;   /* of guint: reads and writes */
  GArray *targets;     /* of guint: index into labels */
  GArray *labels;      /* of IdgCodeLabel */
  GArray *meanings;    /* of IdgMeaning; the first is none */
  GPtrArray *names;    /* of registers, by number; borrowed from `strings` */
  GHashTable *numbers; /* of registers, by name */
  GHashTable *label_numbers;
  GStringChunk *strings;
  gint64 threads;        /* per block, from .reqntid or .maxntid; 0: not given */
  gint64 block_dim[3];   /* of those; 0: not given */
  gint64 registers_used; /* per thread; 0: not given */
  gint64 shared_memory;  /* bytes per block */
  gboolean unscheduled;  /* an assembler has still to put the instructions in their order */
} IdgCode;

/* Returns an empty listing of the kernel NAME in FILE. Free with idg_code_free(). */
IdgCode *idg_code_new (const gchar *file, const gchar *name);
void idg_code_free (IdgCode *code);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgCode, idg_code_free)

/* Returns the number of the register NAME; a new name gets a new number. O(1). */
guint idg_code_get_register (IdgCode *code, const gchar *name);

/* Returns the number of the label NAME, which idg_code_place_label() may place later. O(1). */
guint idg_code_get_label (IdgCode *code, const gchar *name, gint line);
/* Places the label NAME before the next instruction to be added. Returns FALSE if it has a place
 * already. */
gboolean idg_code_place_label (IdgCode *code, const gchar *name, gint line);

/* Appends an instruction and copies its strings. OP is NULL for a barrier. The functions below add
 * to the last instruction appended. The pointer is good until the next one is appended. */
IdgCodeInstr *idg_code_add (IdgCode *code, IdgCodeKind kind, const gchar *op, const gchar *text,
                            gint line);
void idg_code_set_context (IdgCode *code, const gchar *context);
void idg_code_set_source (IdgCode *code, const gchar *source, guint column);
/* These add a register, except if REG is IDG_NO_REGISTER. All reads of an instruction must be added
 * before its writes. */
void idg_code_add_read (IdgCode *code, guint reg);
void idg_code_add_write (IdgCode *code, guint reg);
/* Makes the predicate REG the guard, and a register that is read. */
void idg_code_set_guard (IdgCode *code, guint reg, gboolean negated);
void idg_code_add_target (IdgCode *code, guint label);
void idg_code_set_async (IdgCode *code, IdgAsync async, guint groups);
/* The last instruction, a barrier or an arrive, is of the barrier ID for THREADS threads (0: all)
 * of a block of BLOCK threads (0: not known). A barrier that is for all has the name "ID", another
 * "ID-THREADS", as one ID may be for several numbers of threads in turn; 0 for all is the barrier
 * without a name, unless something arrives there. */
void idg_code_set_barrier (IdgCode *code, guint id, guint threads, gint64 block);
void idg_code_set_meaning (IdgCode *code, const IdgMeaning *meaning);

G_END_DECLS
