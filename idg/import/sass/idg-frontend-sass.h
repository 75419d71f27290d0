/* SPDX-License-Identifier: MIT */
/* Private to idg-frontend-sass*.c: from text to items, from an item to operands, from operands to
 * an instruction. */
#pragma once

#include "idg/import/base/idg-frontend.h"
#include "idg/import/flow/idg-code.h"
#include "idg/import/ops/idg-ops.h"

G_BEGIN_DECLS

/* ---- idg-frontend-sass-lines.c ---- */

typedef enum
{
  IDG_SASS_END,
  IDG_SASS_LABEL,     /* `text` without its colon */
  IDG_SASS_STATEMENT, /* an instruction, or a line of a header */
  IDG_SASS_DIRECTIVE, /* ".section ..." */
  IDG_SASS_FUNCTION,  /* `text` is the name */
  IDG_SASS_DOTS, /* "....": the end of a function for cuobjdump; in a bare listing, something left
                    out */
} IdgSassItemKind;

typedef struct
{
  const gchar *file;
  const gchar *at, *end; /* what is still to be read */
  gint line;             /* of what is read next */
  gboolean has_codes;    /* there were control codes */
  GString *source;       /* "file.cu:12" as nvdisasm last said, or empty */
  GString *chunk;        /* what stands on the line, without comments */
  gsize chunk_at;        /* what of it has been given out */
  gint chunk_line;
  gboolean chunk_closed; /* ended by `;` */
  guint64 chunk_address;
  gboolean chunk_has_address;

  IdgSassItemKind kind; /* of the item that was read */
  GString *text;
  const gchar *begin; /* where its line begins */
  gint begin_line;
  guint64 address;
  gboolean has_address;
} IdgSassReader;

void idg_sass_reader_init (IdgSassReader *reader, const gchar *file, const gchar *at,
                           const gchar *end, gint line);
void idg_sass_reader_clear (IdgSassReader *reader);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IdgSassReader, idg_sass_reader_clear)
/* The next item, IDG_SASS_END at the end. */
gboolean idg_sass_read (IdgSassReader *reader, GError **error);

/* ---- idg-frontend-sass-operands.c ---- */

typedef enum
{
  IDG_SASS_REGISTER, /* general, uniform, of convergence, CC */
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
  gboolean constant;   /* RZ, PT: always the same */
  guint width;         /* as written: 1 (.U32, .X4), 2 (.64), 0: not */
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
  const gchar *text; /* as written, not ended */
  gsize length;
  IdgSassRegister reg;
  gboolean negated; /* -R2, !P0, ~R2 */
  gboolean changed; /* |R2|, ~R2, R2.H1: not its plain value */
  gboolean carry;   /* .CC */
  gint64 value;     /* of a whole number */
  gboolean is_whole;
  gdouble fraction;                          /* of any number */
  IdgSassRegister inner[IDG_SASS_MAX_INNER]; /* of an address or bank */
  guint n_inner;
} IdgSassOperand;

/* Cuts the LENGTH bytes of TEXT, "R1, [R2.64], 0x4", into operands. */
gboolean idg_sass_parse_operands (const gchar *text, gsize length, const gchar *file, gint line,
                                  IdgSassOperand *operands, guint *n, GError **error);

/* ---- idg-frontend-sass-instr.c ---- */

enum
{
  IDG_SASS_N_FILES = 6,
  IDG_SASS_N_KINDS = 19 /* of places where ways meet: SSY, PBK, PCNT, BSSY B0 to B15 */
};

typedef struct
{
  IdgCode *code;
  IdgImport *import;
  GHashTable *ops; /* of opcodes, with modifiers, to IdgSassOp */
  GArray
      *pushed[IDG_SASS_N_KINDS]; /* of guint: labels at which ways meet, as SSY and the like say */
  guint numbers[IDG_SASS_N_FILES][256];
  guint highest;  /* general register that is used, + 1 */
  gboolean meets; /* the last instruction goes where ways meet */

  /* The instruction at hand. */
  gint line;
  gchar *opcode; /* without modifiers */
  gchar *full;   /* with */
  const IdgSassOp *op;
  IdgSassOperand operands[IDG_SASS_MAX_OPERANDS];
  guint n;
  guint n_dests; /* the first of them are written */
} IdgSassMaker;

void idg_sass_maker_init (IdgSassMaker *maker, IdgCode *code, IdgImport *import);
void idg_sass_maker_clear (IdgSassMaker *maker);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IdgSassMaker, idg_sass_maker_clear)

/* Appends the instruction TEXT ("@P0 IADD3 R1, R2, 0x1, RZ") to the listing. */
gboolean idg_sass_add (IdgSassMaker *maker, const gchar *text, gint line, const gchar *source,
                       GError **error);

/* ---- idg-frontend-sass-ways.c ---- */

IdgCodeKind idg_sass_find_kind (const IdgSassMaker *maker);
/* Puts away where BSSY and the like say that ways meet; BSSY B0 writes B0. */
void idg_sass_push (IdgSassMaker *maker);
/* The label among the operands, or IDG_NO_TARGET. */
guint idg_sass_find_target (IdgSassMaker *maker);
/* Adds where the last instruction, a branch, goes. TEXT is its own. */
gboolean idg_sass_add_targets (IdgSassMaker *maker, const gchar *text, GError **error);
/* Places a label; what went to it anyhow (SYNC before it) is no branch then. */
gboolean idg_sass_place_label (IdgSassMaker *maker, const gchar *name, gint line, GError **error);
/* The label of an address. */
gchar *idg_sass_name_address (guint64 address);

/* ---- idg-frontend-sass-roles.c ---- */

/* Whether the opcode is one of NAMES, "BRA JMP". */
gboolean idg_sass_is_opcode (const IdgSassMaker *maker, const gchar *names);
gboolean idg_sass_has_modifier (const IdgSassMaker *maker, const gchar *word);
gboolean idg_sass_is_predicate (const IdgSassMaker *maker, guint i);
gboolean idg_sass_is_register (const IdgSassMaker *maker, guint i);
/* The register OFFSET behind REG; none for RZ and PT. */
guint idg_sass_get_register (IdgSassMaker *maker, const IdgSassRegister *reg, guint offset);
/* How many of the operands, from the first, are written. */
guint idg_sass_count_dests (const IdgSassMaker *maker);
/* Adds what the instruction at hand reads and writes to the last one of the listing. */
void idg_sass_add_reads (IdgSassMaker *maker);
void idg_sass_add_writes (IdgSassMaker *maker);

/* ---- idg-frontend-sass-meaning.c ---- */

/* What the instruction at hand computes; FALSE: nothing that helps to count. */
gboolean idg_sass_find_meaning (IdgSassMaker *maker, IdgMeaning *meaning);

G_END_DECLS
