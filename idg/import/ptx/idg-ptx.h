/* SPDX-License-Identifier: MIT */
/* Private: a PTX module as plain data, and the steps that turn one of its kernels into a listing
 * (idg-code.h):
 *
 *   idg-ptx-lex      text -> tokens
 *   idg-ptx-images   what cuobjdump prints of a program: several modules
 *   idg-ptx-limits   limits of what an import may read
 *   idg-ptx-module   what is outside of bodies: functions
 *   idg-ptx-declare  variables, files, lines
 *   idg-ptx-body     the body of a function -> statements, with names resolved to registers,
 *                    labels and parameters
 *   idg-ptx-scope    the names declared in { }
 *   idg-ptx-opcode   the table of opcodes: what each writes, and how it affects control flow
 *   idg-ptx-emit     what all instructions of the listing need: names, place, guard
 *   idg-ptx-call     calls, inlined or not
 *   idg-ptx-param    the parameters of calls
 *   idg-ptx-listing  statements -> IdgCode
 *   idg-ptx-math     what integer instructions compute
 *   idg-ptxas-log    register counts from the output of ptxas
 *
 * Bodies are parsed when they are first needed, so that a module of a thousand kernels costs little
 * more than the one kernel that is asked for. Everything lives until the module is freed. */
#pragma once

#include "idg/import/base/idg-frontend.h"
#include "idg/import/flow/idg-code.h"
#include "idg/import/ptx/idg-ptx-lex.h"

G_BEGIN_DECLS

/* Limits for all bodies read in one import, and for the listing after inlining. */
#define IDG_PTX_MAX_INSTRUCTIONS (1 << 20)
#define IDG_PTX_MAX_OPERANDS (1 << 22)
/* Limit for one instruction, including what is in its lists. */
#define IDG_PTX_MAX_LIST 4096
/* Limit for nested scopes, nested operands and nested calls. */
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

/* Returns the row for MNEMONIC ("bar.red.popc.u32"), the longest one that matches; NULL if there is
 * none. O(log n). */
const IdgPtxOpcode *idg_ptx_opcode_find (const gchar *mnemonic);
/* Tells whether MNEMONIC has the modifier WORD ("cc") after its first word. */
gboolean idg_ptx_has_word (const gchar *mnemonic, const gchar *word);
/* Returns the last type among the modifiers of MNEMONIC ("f32"), and its size in BYTES (may be
 * NULL); NULL if it has none. Static. */
const gchar *idg_ptx_get_type (const gchar *mnemonic, guint *bytes);

/* The kinds of operands. In the array, an operand is followed directly by those inside it. */
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

/* A place in the source. */
typedef struct
{
  guint file; /* an index of .file */
  guint line; /* 0: none */
  guint column;
} IdgPtxSource;

typedef struct
{
  IdgPtxOperandKind kind;
  guint size; /* distance to the next operand that is not inside this one */
  guint index;
  gint64 value;
  const gchar *name; /* for a NAME */
} IdgPtxOperand;

typedef struct
{
  gboolean is_label;   /* then INDEX is one of labels, and no other member is used */
  gboolean is_folded;  /* a ld.param of a result of the call before it: the call writes its register
                        */
  gboolean is_negated; /* of the guard: @! */
  gint line;           /* in the listing */
  guint index;         /* of a label */
  guint guard;         /* in registers, or IDG_PTX_NONE */
  guint first, n;      /* in operands, including those inside others */
  guint first_target, n_targets; /* of a branch, in targets */
  IdgPtxSource source;           /* of .loc */
  const gchar *mnemonic;
  const gchar *op;   /* canonical */
  const gchar *text; /* as written */
  const IdgPtxOpcode *opcode;
  IdgPtxFunction *callee;   /* of a CALL that can be inlined, else NULL */
  const gchar *callee_name; /* of a CALL, else NULL */
} IdgPtxStatement;

/* A variable in the space .param: a formal parameter, or one that a caller fills. Formal parameters
 * that are registers (ISA 1.x) also have a register. */
typedef struct
{
  const gchar *name;
  const gchar *type;  /* "u32" */
  guint reg;          /* in registers, the first of WIDTH, or IDG_PTX_NONE */
  guint width;        /* of a vector in registers, else 1 */
  gboolean is_local;  /* declared in the body, to be passed to a call */
  gboolean is_opaque; /* passed to a call that cannot be inlined */
} IdgPtxParam;

/* A label of a function. Labels in two scopes may have the same name. */
typedef struct
{
  const gchar *name;
  gint line;
} IdgPtxLabel;

typedef struct
{
  const gchar *name;
  guint64 bytes, align;
  gboolean is_shared, is_dynamic; /* dynamic: extern, with [] */
  gint line;
} IdgPtxVariable;

struct IdgPtxFunction
{
  const gchar *name;
  gint line;
  gboolean is_entry, has_body, is_parsed, is_linked;
  IdgPtxLexer header;  /* at the list of its results or, without results, of its parameters */
  IdgPtxLexer body;    /* at its { */
  gint64 threads;      /* the product of .reqntid or .maxntid; 0: not given */
  gint64 block_dim[3]; /* .reqntid or .maxntid; 0: not given */
  /* These come from the body. */
  guint n_results, n_formals; /* the first of params, in this order */
  GArray *params;             /* of IdgPtxParam */
  GArray *statements;         /* of IdgPtxStatement */
  GArray *operands;           /* of IdgPtxOperand */
  GArray *targets;            /* of guint: labels */
  GArray *labels;             /* of IdgPtxLabel */
  GPtrArray *registers;       /* of gchar: names */
  GArray *shared;             /* of IdgPtxVariable: those that the body declares */
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
  GHashTable *used;           /* set of IdgPtxVariable: shared ones that bodies use */
  GHashTable *ops;            /* mnemonic -> canonical name */
  guint target;               /* 75 for .target sm_75; 0: not given */
  guint n_spent, n_operands;  /* see idg_ptx_spend() */
} IdgPtxModule;

/* Returns the module in LENGTH bytes of DATA, which must outlive it, or NULL with ERROR. Messages
 * use FILE as its path, whose line LINE DATA begins with. */
IdgPtxModule *idg_ptx_module_new (const gchar *data, gsize length, gint line, const gchar *file,
                                  IdgImport *import, GError **error);
void idg_ptx_module_free (IdgPtxModule *module);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgPtxModule, idg_ptx_module_free)

/* Tells whether DATA, the beginning of a file, is what `cuobjdump -ptx` prints. */
gboolean idg_ptx_images_recognize (const gchar *data, gsize length);
/* Returns the modules in LENGTH bytes of DATA, PTX or what `cuobjdump -ptx` prints, and the kernel
 * that IMPORT asks for: ENTRY of MODULE, one of them. NULL with ERROR. */
GPtrArray *idg_ptx_images_load (const gchar *data, gsize length, const gchar *file,
                                IdgImport *import, IdgPtxModule **module, IdgPtxFunction **entry,
                                GError **error);

/* Counts N more instructions, names or operands against the limits of an import. Fails above them.
 */
gboolean idg_ptx_spend (IdgPtxModule *module, const IdgPtxLexer *lexer, guint n, GError **error);
gboolean idg_ptx_spend_operands (IdgPtxModule *module, const IdgPtxLexer *lexer, guint n,
                                 GError **error);

/* Parses the declaration after .shared, .global or any other space, advances past its ; and adds
 * the variables to VARIABLES (of IdgPtxVariable). */
gboolean idg_ptx_parse_variables (IdgPtxModule *module, IdgPtxLexer *lexer, gboolean is_extern,
                                  GArray *variables, GError **error);
/* The first tells whether the current token is .shared or another space; the second, whether it is
 * .extern or another linkage. */
gboolean idg_ptx_is_space (const IdgPtxLexer *lexer);
gboolean idg_ptx_is_linkage (const IdgPtxLexer *lexer);
/* Returns the text of a token as a string that the module owns. */
const gchar *idg_ptx_keep (IdgPtxModule *module, const IdgPtxToken *token);
/* Handles .loc, .file, .pragma and .section, which may occur anywhere. HANDLED receives whether the
 * current token was one of them. */
gboolean idg_ptx_parse_common (IdgPtxModule *module, IdgPtxLexer *lexer, IdgPtxSource *source,
                               gboolean *handled, GError **error);

/* Parses FUNCTION's header and body, unless that is done already. */
gboolean idg_ptx_parse_body (IdgPtxModule *module, IdgPtxFunction *function, GError **error);

/* Returns the listing of ENTRY, including everything that it calls. */
IdgCode *idg_ptx_emit (IdgPtxModule *module, IdgPtxFunction *entry, GError **error);

/* Finds what STATEMENT computes, if it computes whole numbers; otherwise returns FALSE. OPERANDS
 * are those of the statement. REGISTERS maps the function's registers to those of IdgCode. */
gboolean idg_ptx_get_meaning (const IdgPtxStatement *statement, const IdgPtxOperand *operands,
                              const guint *registers, IdgMeaning *meaning);

/* Tells whether TYPE ("u32") is an integer type whose arithmetic is followed, and stores its size
 * in BITS. */
gboolean idg_ptx_is_whole (const gchar *type, guint *bits);

/* Reads what `ptxas -v` printed about the kernel ENTRY in the file LOG: registers per thread and
 * bytes of shared memory per block, -1 if not given. Fails if the log does not mention the kernel,
 * or contradicts itself. */
gboolean idg_ptxas_log_read (const gchar *log, const gchar *entry, gint64 *registers,
                             gint64 *shared_memory, GError **error);

G_END_DECLS
