/* SPDX-License-Identifier: MIT */
/* Private: a PTX module as plain data, and the steps that make a listing (idg-code.h) of one of its
 * kernels:
 *
 *   idg-ptx-lex      text -> tokens
 *   idg-ptx-limits   what reading a file may take
 *   idg-ptx-module   what is outside of bodies: functions
 *   idg-ptx-declare  variables, files, lines
 *   idg-ptx-body     the body of a function -> statements, in which names are resolved to
 *                    registers, labels, parameters
 *   idg-ptx-scope    the names that are declared in { }
 *   idg-ptx-opcode   the table of opcodes: what each writes, and what it does to control
 *   idg-ptx-emit     what each instruction of the listing needs: names, place, guard
 *   idg-ptx-call     calls, inlined or not
 *   idg-ptx-param    what calls pass
 *   idg-ptx-listing  statements -> IdgCode
 *   idg-ptx-math     what whole-number instructions compute
 *   idg-ptxas-log    registers, from what ptxas said
 *
 * Bodies are parsed when they are first needed: a module of a thousand kernels costs little more
 * than the one that is asked for. Everything lives until the module is freed. */
#pragma once

#include "idg/import/base/idg-frontend.h"
#include "idg/import/flow/idg-code.h"
#include "idg/import/ptx/idg-ptx-lex.h"

G_BEGIN_DECLS

/* Of all bodies that are read together, and of what comes out when calls are inlined. */
#define IDG_PTX_MAX_INSTRUCTIONS (1 << 20)
#define IDG_PTX_MAX_OPERANDS (1 << 22)
/* Of one instruction, with what stands in its lists. */
#define IDG_PTX_MAX_LIST 4096
/* Scopes, operands in operands, and calls in calls. */
#define IDG_PTX_MAX_DEPTH 64

#define IDG_PTX_NONE G_MAXUINT

typedef struct IdgPtxFunction IdgPtxFunction;

/* The table of opcodes. */
typedef enum
{
  IDG_PTX_OP,
  IDG_PTX_BARRIER,
  IDG_PTX_BRANCH,
  IDG_PTX_EXIT,
  IDG_PTX_RETURN,
  IDG_PTX_CALL,
} IdgPtxKind;

typedef enum
{
  IDG_PTX_READS = 0,   /* all of its operands */
  IDG_PTX_WRITES = 1,  /* the first, unless that is an address */
  IDG_PTX_UPDATES = 2, /* reads and writes the first */
} IdgPtxEffect;

typedef struct
{
  const gchar *name; /* its first words: "bar.red" */
  IdgPtxKind kind;
  IdgPtxEffect effect;
} IdgPtxOpcode;

/* The row of MNEMONIC ("bar.red.popc.u32"), the longest one that fits; NULL if there is none. O(log
 * n). */
const IdgPtxOpcode *idg_ptx_opcode_find (const gchar *mnemonic);
/* Whether MNEMONIC has the modifier WORD ("cc") behind its first. */
gboolean idg_ptx_has_word (const gchar *mnemonic, const gchar *word);
/* The last type among the modifiers of MNEMONIC ("f32"), with its size in BYTES (may be NULL); NULL
 * if it has none. Static. */
const gchar *idg_ptx_get_type (const gchar *mnemonic, guint *bytes);

/* An operand and, right behind it, those within it. */
typedef enum
{
  IDG_PTX_REGISTER, /* INDEX in registers */
  IDG_PTX_NUMBER,   /* VALUE */
  IDG_PTX_PARAM,    /* INDEX in params */
  IDG_PTX_NAME,     /* anything else that is constant: a variable's address, %tid.x; _ */
  IDG_PTX_LIST,     /* {a, b} and p|q */
  IDG_PTX_ADDRESS,  /* [...] */
  IDG_PTX_GROUP,    /* (...), of a call */
} IdgPtxOperandKind;

typedef struct
{
  IdgPtxOperandKind kind;
  guint size; /* operands from this one to the next beside it */
  guint index;
  gint64 value;
  const gchar *name; /* of a NAME */
} IdgPtxOperand;

typedef struct
{
  gboolean is_label;   /* then INDEX is one of labels, and the rest nothing */
  gboolean is_folded;  /* a ld.param of what a call before it returned: the call has its register */
  gboolean is_negated; /* the guard */
  gint line;           /* of the listing */
  guint index;         /* of a label */
  guint guard;         /* in registers, or IDG_PTX_NONE */
  guint first, n;      /* in operands, with those within */
  guint first_target, n_targets; /* of a branch, in targets */
  guint file;                    /* of .loc: an index of .file, and... */
  guint source_line;             /* ... its line, 0: none */
  const gchar *mnemonic;
  const gchar *op;   /* canonical */
  const gchar *text; /* as written */
  const IdgPtxOpcode *opcode;
  IdgPtxFunction *callee;   /* of a CALL that can be inlined, else NULL */
  const gchar *callee_name; /* of a CALL, else NULL */
} IdgPtxStatement;

/* A variable of the space .param: a formal parameter, or one that a caller fills. Formal ones in
 * registers (ISA 1.x) have a register besides. */
typedef struct
{
  const gchar *name;
  const gchar *type;  /* "u32" */
  guint reg;          /* in registers, or IDG_PTX_NONE */
  gboolean is_local;  /* declared in the body: passed to a call */
  gboolean is_opaque; /* ... that cannot be inlined */
} IdgPtxParam;

/* A label of a function. Two scopes may have one of the same name. */
typedef struct
{
  const gchar *name;
  gint line;
} IdgPtxLabel;

typedef struct
{
  const gchar *name;
  guint64 bytes, align;
  gboolean is_shared, is_dynamic; /* dynamic: extern, [] */
  gint line;
} IdgPtxVariable;

struct IdgPtxFunction
{
  const gchar *name;
  gint line;
  gboolean is_entry, has_body, is_parsed, is_linked;
  IdgPtxLexer header; /* at the list of what it returns, or of what it takes */
  IdgPtxLexer body;   /* at its { */
  gint64 threads;     /* .reqntid or .maxntid: their product; 0: neither */
  gint64 required[3]; /* .reqntid; 0: not given */
  /* From the body: */
  guint n_results, n_formals; /* the first of params, in this order */
  GArray *params;             /* of IdgPtxParam */
  GArray *statements;         /* of IdgPtxStatement */
  GArray *operands;           /* of IdgPtxOperand */
  GArray *targets;            /* of guint: labels */
  GArray *labels;             /* of IdgPtxLabel */
  GPtrArray *registers;       /* of gchar: names */
  GArray *shared;             /* of IdgPtxVariable: its own */
};

typedef struct
{
  const gchar *file; /* for messages */
  IdgImport *import;
  GStringChunk *strings;
  GPtrArray *functions;       /* of IdgPtxFunction, in file order */
  GHashTable *function_names; /* name -> IdgPtxFunction; aliases too */
  GHashTable *variables;      /* name -> IdgPtxVariable */
  GHashTable *files;          /* number -> base name */
  GHashTable *used;           /* set of IdgPtxVariable: shared ones that bodies name */
  GHashTable *ops;            /* mnemonic -> canonical name */
  guint n_spent, n_operands;  /* see idg_ptx_spend() */
} IdgPtxModule;

/* The module in LENGTH bytes of DATA, which must outlive it. */
IdgPtxModule *idg_ptx_module_new (const gchar *data, gsize length, const gchar *file,
                                  IdgImport *import, GError **error);
void idg_ptx_module_free (IdgPtxModule *module);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgPtxModule, idg_ptx_module_free)

/* Takes N instructions, or names, or operands, off what one import may have; fails where there are
 * too many. */
gboolean idg_ptx_spend (IdgPtxModule *module, const IdgPtxLexer *lexer, guint n, GError **error);
gboolean idg_ptx_spend_operands (IdgPtxModule *module, const IdgPtxLexer *lexer, guint n,
                                 GError **error);

/* Parses what follows a .shared, .global or any other space up to behind the ; and adds it to
 * VARIABLES (of IdgPtxVariable). */
gboolean idg_ptx_parse_variables (IdgPtxModule *module, IdgPtxLexer *lexer, gboolean is_extern,
                                  GArray *variables, GError **error);
/* Whether the token is .shared or another space; .extern or another linkage. */
gboolean idg_ptx_is_space (const IdgPtxLexer *lexer);
gboolean idg_ptx_is_linkage (const IdgPtxLexer *lexer);
/* A token's text as a string of the module's. */
const gchar *idg_ptx_keep (IdgPtxModule *module, const IdgPtxToken *token);
/* Handles .loc, .file, .pragma and .section wherever they stand. HANDLED: whether the token was one
 * of them. */
gboolean idg_ptx_parse_common (IdgPtxModule *module, IdgPtxLexer *lexer, guint *file,
                               guint *source_line, gboolean *handled, GError **error);

/* Parses FUNCTION's header and body, once. */
gboolean idg_ptx_parse_body (IdgPtxModule *module, IdgPtxFunction *function, GError **error);

/* The listing of ENTRY with all that it calls. */
IdgCode *idg_ptx_emit (IdgPtxModule *module, IdgPtxFunction *entry, GError **error);

/* What STATEMENT computes, if it is whole numbers. OPERANDS are its own; REGISTERS gives numbers of
 * IdgCode to those of the function; REQUIRED are the threads of a block in each direction, 0 where
 * they are not known. */
gboolean idg_ptx_get_meaning (const IdgPtxStatement *statement, const IdgPtxOperand *operands,
                              const guint *registers, const gint64 required[3],
                              IdgMeaning *meaning);

/* Whether the type ("u32") is one of whole numbers whose arithmetic is followed, its BITS. */
gboolean idg_ptx_is_whole (const gchar *type, guint *bits);

/* What `ptxas -v` said of the kernel ENTRY in the file LOG: registers of a thread and bytes of
 * shared memory of a block, -1 where it does not say. An error where it does not name the kernel,
 * or says two things. */
gboolean idg_ptxas_log_read (const gchar *log, const gchar *entry, gint64 *registers,
                             gint64 *shared_memory, GError **error);

G_END_DECLS
