/* SPDX-License-Identifier: MIT */
/* Private: declarations shared by the files that turn PTX statements into a listing. */
#pragma once

#include "idg/import/ptx/idg-ptx.h"

G_BEGIN_DECLS

/* The content of a part of a parameter: a register of the listing, or a constant. */
typedef struct
{
  guint64 offset, bytes;
  guint reg;         /* or IDG_NO_REGISTER */
  gboolean is_known; /* it is the constant VALUE */
  gint64 value;
} IdgPtxSlot;

/* A function as called from one place. It has its own registers and labels. */
typedef struct IdgPtxInstance IdgPtxInstance;
struct IdgPtxInstance
{
  IdgPtxInstance *caller; /* NULL for the kernel itself */
  IdgPtxFunction *function;
  guint depth;
  guint *registers; /* by the function's number: the listing's register, or IDG_NO_REGISTER before
                     * its first use */
  const gchar **labels;      /* by the function's number: the listing's label, or NULL before its
                              * first use */
  GArray **params;           /* of IdgPtxSlot; NULL: empty */
  gboolean *owns;            /* whether this instance owns that array; if not, its caller does */
  const gchar *return_label; /* placed after the call */
  gboolean has_return;       /* some instruction branches to return_label */
};

typedef struct IdgPtxEmitter IdgPtxEmitter;
struct IdgPtxEmitter
{
  IdgPtxModule *module;
  IdgCode *code;
  /* Emits all instructions of INSTANCE; set by idg_ptx_emit(). */
  gboolean (*emit_body) (IdgPtxEmitter *emitter, IdgPtxInstance *instance, GError **error);
  GHashTable *registers, *labels; /* name -> how many registers or labels of the listing have it */
  GHashTable *noted;              /* set of texts and names for which there is a note already */
  guint n_statements, n_operands;
  const IdgPtxStatement *call; /* the call that is being inlined, for messages */
};

/* ---- idg-ptx-emit.c ---- */

/* Returns the register of the listing for REG of INSTANCE. */
guint idg_ptx_emit_register (IdgPtxEmitter *emitter, IdgPtxInstance *instance, guint reg);
guint idg_ptx_emit_fresh (IdgPtxEmitter *emitter, const gchar *name);
/* Appends an instruction without its registers. OP may differ from that of STATEMENT. */
gboolean idg_ptx_emit_begin (IdgPtxEmitter *emitter, IdgPtxInstance *instance,
                             const IdgPtxStatement *statement, IdgCodeKind kind, const gchar *op,
                             GError **error);
/* Adds the registers in the N operands from FIRST on to the reads of the last instruction. */
void idg_ptx_emit_reads (IdgPtxEmitter *emitter, IdgPtxInstance *instance, guint first, guint n);
/* Sets ERROR: with STATEMENT, the listing would become too large. Returns FALSE. */
gboolean idg_ptx_emit_fail_size (const IdgPtxEmitter *emitter, const IdgPtxStatement *statement,
                                 GError **error);

/* Returns a name for LABEL that is new in the listing: LABEL itself, or LABEL@2 and so on. It lives
 * as long as the listing. */
const gchar *idg_ptx_emit_label (IdgPtxEmitter *emitter, const gchar *label);

/* ---- idg-ptx-call.c ---- */

/* The first allocates the registers of INSTANCE, and parses its function if necessary; the second
 * frees them. */
gboolean idg_ptx_call_enter (IdgPtxModule *module, IdgPtxInstance *instance, GError **error);
void idg_ptx_call_leave (IdgPtxInstance *instance);
/* Emits the call at INDEX of the function's statements. */
gboolean idg_ptx_call_emit (IdgPtxEmitter *emitter, IdgPtxInstance *instance, guint index,
                            GError **error);

/* ---- idg-ptx-param.c ---- */

static inline const IdgPtxOperand *
idg_ptx_get_operand (const IdgPtxFunction *function, guint index)
{
  return &g_array_index (function->operands, IdgPtxOperand, index);
}

/* Returns the parameter that STATEMENT loads from or stores to, and the index of its address in
 * ADDRESS; NULL if it does neither. */
const IdgPtxOperand *idg_ptx_param_find (const IdgPtxFunction *function,
                                         const IdgPtxStatement *statement, guint *address);

/* Returns the content of the parameter NUMBER of INSTANCE, of IdgPtxSlot. */
GArray *idg_ptx_param_get_slots (IdgPtxInstance *instance, guint number);
void idg_ptx_param_set_slot (GArray *slots, IdgPtxSlot slot);
/* Returns the value of OPERAND as the content of BYTES bytes from OFFSET on. */
IdgPtxSlot idg_ptx_param_make_slot (IdgPtxEmitter *emitter, IdgPtxInstance *instance, guint operand,
                                    guint64 offset, guint64 bytes);
/* Binds the parameter NUMBER to the registers that the folded loads after the call at INDEX load
 * from it. */
void idg_ptx_param_bind_results (IdgPtxEmitter *emitter, IdgPtxInstance *instance, guint index,
                                 guint number);

/* Emits a move into REG of the content of SLOTS (or NULL) in the BYTES bytes from OFFSET on. The
 * type comes from STATEMENT's mnemonic. */
gboolean idg_ptx_param_emit_load (IdgPtxEmitter *emitter, IdgPtxInstance *instance,
                                  const IdgPtxStatement *statement, const GArray *slots,
                                  guint64 offset, guint bytes, guint reg, GError **error);
/* Emits a move of REG into each register that SLOTS have in the BYTES bytes from OFFSET on. */
gboolean idg_ptx_param_emit_store (IdgPtxEmitter *emitter, IdgPtxInstance *instance,
                                   const IdgPtxStatement *statement, const GArray *slots,
                                   guint64 offset, guint bytes, guint reg, GError **error);

/* The first tells whether STATEMENT moves a parameter of a call, as opposed to one of the kernel;
 * the second emits such a move. */
gboolean idg_ptx_param_is_move (const IdgPtxInstance *instance, const IdgPtxStatement *statement);
gboolean idg_ptx_param_emit_move (IdgPtxEmitter *emitter, IdgPtxInstance *instance,
                                  const IdgPtxStatement *statement, GError **error);

G_END_DECLS
