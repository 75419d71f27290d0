/* SPDX-License-Identifier: MIT */
/* Private: what the parts share that turn statements of PTX into a listing. */
#pragma once

#include "idg/import/ptx/idg-ptx.h"

G_BEGIN_DECLS

/* What is in a part of a parameter: a register of the listing, or a constant. */
typedef struct
{
  guint64 offset, bytes;
  guint reg;         /* or IDG_NO_REGISTER */
  gboolean is_known; /* a constant: VALUE */
  gint64 value;
} IdgPtxSlot;

/* A function at one of the places that it is called from. Its registers and labels are its own. */
typedef struct IdgPtxInstance IdgPtxInstance;
struct IdgPtxInstance
{
  IdgPtxInstance *caller; /* NULL: the kernel itself */
  IdgPtxFunction *function;
  guint depth;
  guint *registers; /* by the function's number: the listing's, or IDG_NO_REGISTER: not met yet */
  const gchar **labels;      /* likewise, or NULL */
  GArray **params;           /* of IdgPtxSlot, or NULL: nothing is in it */
  gboolean *owns;            /* whether the array is this instance's, and not its caller's */
  const gchar *return_label; /* behind the call */
  gboolean has_return;       /* something goes there */
};

typedef struct IdgPtxEmitter IdgPtxEmitter;
struct IdgPtxEmitter
{
  IdgPtxModule *module;
  IdgCode *code;
  /* Emits all instructions of INSTANCE; set by idg_ptx_emit(). */
  gboolean (*emit_body) (IdgPtxEmitter *emitter, IdgPtxInstance *instance, GError **error);
  GHashTable *registers, *labels; /* name -> how many of it the listing has */
  GHashTable *noted;              /* set of texts and names that a note has named */
  guint n_statements, n_operands;
  const IdgPtxStatement *call; /* the one that is being inlined, for messages */
};

/* ---- idg-ptx-emit.c ---- */

/* The register of the listing that REG of INSTANCE is. */
guint idg_ptx_emit_register (IdgPtxEmitter *emitter, IdgPtxInstance *instance, guint reg);
guint idg_ptx_emit_fresh (IdgPtxEmitter *emitter, const gchar *name);
/* Appends an instruction with all but its registers; OP may be another than STATEMENT's. */
gboolean idg_ptx_emit_begin (IdgPtxEmitter *emitter, IdgPtxInstance *instance,
                             const IdgPtxStatement *statement, IdgCodeKind kind, const gchar *op,
                             GError **error);
/* Reads what is in the N operands at FIRST. */
void idg_ptx_emit_reads (IdgPtxEmitter *emitter, IdgPtxInstance *instance, guint first, guint n);
/* Sets ERROR: the listing would be too large, at STATEMENT. FALSE. */
gboolean idg_ptx_emit_fail_size (const IdgPtxEmitter *emitter, const IdgPtxStatement *statement,
                                 GError **error);

/* A name for LABEL that the listing has not yet: LABEL itself, or LABEL@2. Static, of the listing.
 */
const gchar *idg_ptx_emit_label (IdgPtxEmitter *emitter, const gchar *label);

/* ---- idg-ptx-call.c ---- */

/* Makes room for the registers of INSTANCE, whose function is read if it was not yet; and frees it.
 */
gboolean idg_ptx_call_enter (IdgPtxModule *module, IdgPtxInstance *instance, GError **error);
void idg_ptx_call_leave (IdgPtxInstance *instance);
/* The call at INDEX of the statements. */
gboolean idg_ptx_call_emit (IdgPtxEmitter *emitter, IdgPtxInstance *instance, guint index,
                            GError **error);

/* ---- idg-ptx-param.c ---- */

static inline const IdgPtxOperand *
idg_ptx_get_operand (const IdgPtxFunction *function, guint index)
{
  return &g_array_index (function->operands, IdgPtxOperand, index);
}

/* The parameter that STATEMENT loads from or stores to, the index of its address into ADDRESS; NULL
 * if it does neither. */
const IdgPtxOperand *idg_ptx_param_find (const IdgPtxFunction *function,
                                         const IdgPtxStatement *statement, guint *address);

/* What is in the parameter NUMBER of INSTANCE, of IdgPtxSlot. */
GArray *idg_ptx_param_get_slots (IdgPtxInstance *instance, guint number);
void idg_ptx_param_set_slot (GArray *slots, IdgPtxSlot slot);
/* What OPERAND is, as the BYTES from OFFSET on. */
IdgPtxSlot idg_ptx_param_make_slot (IdgPtxEmitter *emitter, IdgPtxInstance *instance, guint operand,
                                    guint64 offset, guint64 bytes);
/* The registers that the folded loads behind the call at INDEX load from the parameter NUMBER. */
void idg_ptx_param_bind_results (IdgPtxEmitter *emitter, IdgPtxInstance *instance, guint index,
                                 guint number);

/* A move into REG of what SLOTS (or NULL) have in the BYTES from OFFSET on; of its type STATEMENT's
 * mnemonic is the word. */
gboolean idg_ptx_param_emit_load (IdgPtxEmitter *emitter, IdgPtxInstance *instance,
                                  const IdgPtxStatement *statement, const GArray *slots,
                                  guint64 offset, guint bytes, guint reg, GError **error);
/* A move of REG into each register that SLOTS have there. */
gboolean idg_ptx_param_emit_store (IdgPtxEmitter *emitter, IdgPtxInstance *instance,
                                   const IdgPtxStatement *statement, const GArray *slots,
                                   guint64 offset, guint bytes, guint reg, GError **error);

/* Whether STATEMENT moves a parameter of a call, and not one of the kernel's; and its moves. */
gboolean idg_ptx_param_is_move (const IdgPtxInstance *instance, const IdgPtxStatement *statement);
gboolean idg_ptx_param_emit_move (IdgPtxEmitter *emitter, IdgPtxInstance *instance,
                                  const IdgPtxStatement *statement, GError **error);

G_END_DECLS
