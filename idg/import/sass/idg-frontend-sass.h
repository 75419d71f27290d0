/* SPDX-License-Identifier: MIT */
/* Private to idg-frontend-sass*.c: text is read as items, the text of an item is split into
 * operands, and operands become an instruction. */
#pragma once

#include "idg/import/base/idg-frontend.h"
#include "idg/import/flow/idg-code.h"
#include "idg/import/ops/idg-ops.h"

G_BEGIN_DECLS

/* ---- idg-frontend-sass-lines.c ---- */

typedef enum
{
  IDG_SASS_END,
  IDG_SASS_LABEL,     /* `text` is its name, without the colon */
  IDG_SASS_STATEMENT, /* an instruction, or a line of a header */
  IDG_SASS_DIRECTIVE, /* ".section ..." */
  IDG_SASS_FUNCTION,  /* `text` is the name */
  IDG_SASS_DOTS,      /* "....": in cuobjdump's output, the end of a function; in a bare listing, an
                  * omission */
} IdgSassItemKind;

typedef struct
{
  const gchar *file;
  const gchar *at, *end; /* the text that is still to be read */
  gint line;             /* of what is read next */
  gboolean has_codes;    /* the text has control codes */
  GString *source;       /* "file.cu:12", from nvdisasm's last comment about the source; or empty */
  /* Of maxas' header, for what follows: empty, 0 where it does not say. */
  GString *kernel;
  guint64 architecture, registers, shared_memory;
  GString *chunk; /* the current line, without comments */
  gsize chunk_at; /* how much of it has been returned as items */
  gint chunk_line;
  gboolean chunk_closed; /* it ended with `;` */
  guint64 chunk_address;
  gboolean chunk_has_address;

  IdgSassItemKind kind; /* of the item that was read last */
  GString *text;
  const gchar *begin; /* where the item's line begins */
  gint begin_line;
  guint64 address;
  gboolean has_address;
} IdgSassReader;

void idg_sass_reader_init (IdgSassReader *reader, const gchar *file, const gchar *at,
                           const gchar *end, gint line);
void idg_sass_reader_clear (IdgSassReader *reader);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IdgSassReader, idg_sass_reader_clear)
/* Reads the next item; IDG_SASS_END at the end of the text. */
gboolean idg_sass_read (IdgSassReader *reader, GError **error);

/* ---- idg-frontend-sass-operands.c ---- */

typedef enum
{
  IDG_SASS_REGISTER, /* general, uniform, convergence barrier, or CC */
  IDG_SASS_PREDICATE,
  IDG_SASS_CONSTANT, /* a number */
  IDG_SASS_BANK,     /* c[0x0][R2+0x10] */
  IDG_SASS_ADDRESS,  /* anything else with brackets */
  IDG_SASS_TARGET,   /* `(.L_x_1) */
  IDG_SASS_WORD,     /* SR_TID.X, 2D, PR, a label */
} IdgSassOperandKind;

typedef struct
{
  gchar file; /* 'R', 'U' (UR), 'P', 'Q' (UP), 'B', 'C' (CC) */
  guint number;
  gboolean constant;   /* RZ, PT: it always has the same value */
  guint width;         /* as written: 1 (.U32, .X4) or 2 (.64); 0: not written */
  gboolean descriptor; /* desc[UR4], gdesc[UR4], cx[UR4] */
} IdgSassRegister;

enum
{
  IDG_SASS_MAX_INNER = 6,
  IDG_SASS_MAX_OPERANDS = 24
};

typedef struct
{
  IdgSassOperandKind kind;
  const gchar *text; /* as written; not NUL-terminated */
  gsize length;
  IdgSassRegister reg;
  gboolean negated; /* -R2, !P0, ~R2 */
  gboolean changed; /* |R2|, ~R2, R2.H1: its value is modified before use */
  gboolean carry;   /* .CC */
  gint64 value;     /* of a whole number */
  gboolean is_whole;
  gdouble fraction;                          /* of any number */
  IdgSassRegister inner[IDG_SASS_MAX_INNER]; /* the registers in an address or bank */
  guint n_inner;
} IdgSassOperand;

/* Splits the LENGTH bytes of TEXT, "R1, [R2.64], 0x4", into operands. */
gboolean idg_sass_parse_operands (const gchar *text, gsize length, const gchar *file, gint line,
                                  IdgSassOperand *operands, guint *n, GError **error);

/* ---- idg-frontend-sass-instr.c ---- */

enum
{
  IDG_SASS_N_FILES = 6,
  IDG_SASS_N_KINDS = 19 /* kinds of reconvergence points: SSY, PBK, PCNT, BSSY B0 to B15 */
};

typedef struct
{
  IdgCode *code;
  IdgImport *import;
  GHashTable *ops; /* from opcodes, with modifiers, to IdgSassOp */
  GArray
      *pushed[IDG_SASS_N_KINDS]; /* of guint: for each kind, a stack of the labels that SSY and the
                                  * like have named */
  guint numbers[IDG_SASS_N_FILES][256];
  guint highest;        /* 1 + the highest general register used */
  gboolean meets;       /* the last instruction jumps to a reconvergence point */
  guint64 architecture; /* 80 for sm_80; 0: not given */
  guint64 next_address; /* behind the last instruction of 8 bytes; 0: there is none */

  /* The current instruction. */
  gint line;
  gchar *opcode; /* without modifiers */
  gchar *full;   /* with modifiers */
  const IdgSassOp *op;
  IdgSassOperand operands[IDG_SASS_MAX_OPERANDS];
  guint n;
  guint n_dests; /* how many of the first operands are written */
} IdgSassMaker;

void idg_sass_maker_init (IdgSassMaker *maker, IdgCode *code, IdgImport *import);
void idg_sass_maker_clear (IdgSassMaker *maker);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IdgSassMaker, idg_sass_maker_clear)

/* Appends the instruction TEXT ("@P0 IADD3 R1, R2, 0x1, RZ") to the listing. */
gboolean idg_sass_add (IdgSassMaker *maker, const gchar *text, gint line, const gchar *source,
                       GError **error);

/* ---- idg-frontend-sass-ways.c ---- */

IdgCodeKind idg_sass_find_kind (const IdgSassMaker *maker);
/* Pushes the reconvergence point that SSY, BSSY and the like name. BSSY B0 also writes B0. */
void idg_sass_push (IdgSassMaker *maker);
/* Returns the label among the operands, or IDG_NO_TARGET. */
guint idg_sass_find_target (IdgSassMaker *maker);
/* Adds the targets of the last instruction, a branch whose text is TEXT. */
gboolean idg_sass_add_targets (IdgSassMaker *maker, const gchar *text, GError **error);
/* Places a label. A branch directly before it that only leads to it (such as SYNC) is no longer a
 * branch. */
gboolean idg_sass_place_label (IdgSassMaker *maker, const gchar *name, gint line, GError **error);
/* Returns the name of the label for an address. Free with g_free(). */
gchar *idg_sass_name_address (guint64 address);

/* ---- idg-frontend-sass-roles.c ---- */

/* Tells whether the opcode is one of NAMES, "BRA JMP". */
gboolean idg_sass_is_opcode (const IdgSassMaker *maker, const gchar *names);
gboolean idg_sass_has_modifier (const IdgSassMaker *maker, const gchar *word);
gboolean idg_sass_is_predicate (const IdgSassMaker *maker, guint i);
gboolean idg_sass_is_register (const IdgSassMaker *maker, guint i);
/* Returns the number of the register OFFSET after REG; IDG_NO_REGISTER for RZ and PT. */
guint idg_sass_get_register (IdgSassMaker *maker, const IdgSassRegister *reg, guint offset);
/* Returns how many operands, from the first one on, are written. */
guint idg_sass_count_dests (const IdgSassMaker *maker);
/* Add the reads and writes of the current instruction to the last one of the listing. */
void idg_sass_add_reads (IdgSassMaker *maker);
void idg_sass_add_writes (IdgSassMaker *maker);

/* ---- idg-frontend-sass-meaning.c ---- */

/* Finds what the current instruction computes. Returns FALSE if that does not help to count
 * iterations. */
gboolean idg_sass_find_meaning (IdgSassMaker *maker, IdgMeaning *meaning);

G_END_DECLS
