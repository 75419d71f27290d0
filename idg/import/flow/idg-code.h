/* SPDX-License-Identifier: MIT */
/* Private: the listing of a kernel, as front ends for PTX and SASS read it: instructions in the
 * order of the file, with the registers that each reads and writes, and where it may branch to.
 * What the listing means as a kernel, with loops counted and branches decided, idg-import.h finds;
 * no front end looks at control flow.
 *
 * Registers are numbers that idg_code_get_register() gives to names: one for each 32-bit register
 * of SASS (a pair is two), one for each register of PTX whatever its width. Predicates are
 * registers like any other. A register that holds a constant always (RZ, PT) is none: front ends
 * leave it out. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define IDG_NO_REGISTER G_MAXUINT
#define IDG_NO_TARGET G_MAXUINT

typedef enum
{
  IDG_CODE_OP,      /* an instruction that goes on to the next */
  IDG_CODE_BARRIER, /* all warps of the block meet */
  IDG_CODE_BRANCH,  /* to one of its targets; under a guard, or on to the next */
  IDG_CODE_EXIT,    /* the warp ends; under a guard, or on to the next */
} IdgCodeKind;

/* What an instruction computes, as far as it helps to count the rounds of a loop: whole numbers
 * only. */
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
  IDG_MATH_LT,   /* comparisons write a predicate */
  IDG_MATH_LE,
  IDG_MATH_GT,
  IDG_MATH_GE,
  IDG_MATH_EQ,
  IDG_MATH_NE,
} IdgMath;

typedef struct
{
  guint reg;    /* or IDG_NO_REGISTER: the value */
  gint64 value; /* of a constant, or added to the register */
} IdgOperand;

typedef struct
{
  IdgMath math;
  guint bits;         /* 16, 32 or 64: arithmetic is modulo 2^bits */
  gboolean is_signed; /* comparisons and SHR */
  guint result;       /* register that it writes */
  IdgOperand a, b, c; /* absent: the constant 0 */
} IdgMeaning;

typedef struct
{
  IdgCodeKind kind;
  const gchar *op;      /* canonical name (idg-ops.h), NULL of a barrier; owned by the code */
  const gchar *context; /* or NULL */
  const gchar *text;    /* as the listing has it, blanks made single, without guard's loss or `;` */
  const gchar *source;  /* "file.cu:12", or NULL */
  gint line;            /* of the listing */
  gboolean has_guard;   /* a predicate decides, by lane or warp, whether it takes effect */
  gboolean guard_negated;
  guint guard; /* its register (also among the reads), or IDG_NO_REGISTER (UP constants) */
  guint first_read, n_reads;   /* in IdgCode.registers */
  guint first_write, n_writes; /* likewise */
  guint first_target,
      n_targets; /* of a branch, in IdgCode.targets; more than one: an indexed branch */
  guint meaning; /* index into IdgCode.meanings, 0: none */
} IdgCodeInstr;

/* A place that branches name. */
typedef struct
{
  const gchar *name; /* as written: "$L__BB0_2", ".L_x_1", "0x0150" */
  guint instr; /* the instruction that it stands before; the number of instructions: the end */
  gint line;
} IdgCodeLabel;

typedef struct
{
  gchar *file;         /* for messages */
  gchar *name;         /* the kernel's */
  GArray *instrs;      /* of IdgCodeInstr */
  GArray *registers;   /* of guint: reads and writes */
  GArray *targets;     /* of guint: index into labels */
  GArray *labels;      /* of IdgCodeLabel */
  GArray *meanings;    /* of IdgMeaning; the first is none */
  GPtrArray *names;    /* of registers, by number; borrowed from strings */
  GHashTable *numbers; /* of registers, by name */
  GHashTable *label_numbers;
  GStringChunk *strings;
  gint64 threads; /* per block, as the listing asks (.reqntid, .maxntid); 0: it does not say */
  gint64 registers_used; /* per thread; 0: it does not say */
  gint64 shared_memory;  /* bytes per block */
} IdgCode;

/* An empty listing of NAME in FILE. Free with idg_code_free(). */
IdgCode *idg_code_new (const gchar *file, const gchar *name);
void idg_code_free (IdgCode *code);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgCode, idg_code_free)

/* The number of the register NAME, a new one for a new name. O(1). */
guint idg_code_get_register (IdgCode *code, const gchar *name);

/* The number of the label NAME, which may be placed later. O(1). */
guint idg_code_get_label (IdgCode *code, const gchar *name, gint line);
/* Places it before the next instruction to come. FALSE if it has a place already. */
gboolean idg_code_place_label (IdgCode *code, const gchar *name, gint line);

/* Appends an instruction; strings are copied (OP NULL: a barrier). What follows is added to the
 * last one appended. The pointer is good until the next one is appended. */
IdgCodeInstr *idg_code_add (IdgCode *code, IdgCodeKind kind, const gchar *op, const gchar *text,
                            gint line);
void idg_code_set_context (IdgCode *code, const gchar *context);
void idg_code_set_source (IdgCode *code, const gchar *source);
/* REG may be IDG_NO_REGISTER: nothing then. Reads come before writes. */
void idg_code_add_read (IdgCode *code, guint reg);
void idg_code_add_write (IdgCode *code, guint reg);
/* REG is read. */
void idg_code_set_guard (IdgCode *code, guint reg, gboolean negated);
void idg_code_add_target (IdgCode *code, guint label);
void idg_code_set_meaning (IdgCode *code, const IdgMeaning *meaning);

G_END_DECLS
