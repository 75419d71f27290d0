/* SPDX-License-Identifier: MIT */
/* Private: what the parts that read a function's body share. */
#pragma once

#include "idg/import/ptx/idg-ptx.h"

G_BEGIN_DECLS

typedef struct IdgPtxScope IdgPtxScope;

typedef enum
{
  IDG_PTX_DECLARED_REGISTER, /* INDEX is its first in registers; a vector has WIDTH of them */
  IDG_PTX_DECLARED_PARAM,    /* INDEX in params */
  IDG_PTX_DECLARED_VARIABLE,
} IdgPtxDeclaredKind;

typedef struct
{
  IdgPtxDeclaredKind kind;
  guint index;
  guint width;
} IdgPtxDeclared;

/* A branch whose labels may still come. */
typedef struct
{
  guint statement;
  const IdgPtxScope *scope;
  const gchar *name;
  gint line;
} IdgPtxPending;

typedef struct
{
  IdgPtxModule *module;
  IdgPtxFunction *function;
  IdgPtxLexer lexer;
  IdgPtxScope *scope; /* the innermost one */
  guint depth;        /* of scopes */
  GPtrArray *scopes;  /* all of them */
  GArray *pending;    /* of IdgPtxPending */
  guint file, source_line;
  gboolean in_call; /* names may be those of functions and prototypes */
} IdgPtxBody;

/* ---- idg-ptx-scope.c ---- */

void idg_ptx_scope_free (gpointer scope);
gboolean idg_ptx_scope_open (IdgPtxBody *body, GError **error);
void idg_ptx_scope_close (IdgPtxBody *body);

/* What is declared as NAME here, in the innermost scope that has it; NULL if nothing is. A register
 * that is named for the first time gets its INDEX. Good until the next declaration. O(scopes +
 * length of the name). */
const IdgPtxDeclared *idg_ptx_scope_find (IdgPtxBody *body, const gchar *name);
void idg_ptx_scope_declare (IdgPtxBody *body, const gchar *name, IdgPtxDeclaredKind kind,
                            guint index, guint width);
/* PREFIX0 ... PREFIX(COUNT - 1). */
void idg_ptx_scope_declare_range (IdgPtxBody *body, const gchar *prefix, guint64 count,
                                  guint width);

/* A label, which stands where the next statement comes, or a list of labels (.branchtargets; of
 * gchar, taken over). */
gboolean idg_ptx_scope_add_label (IdgPtxBody *body, const gchar *name, gint line, GError **error);
gboolean idg_ptx_scope_add_list (IdgPtxBody *body, const gchar *name, GPtrArray *labels, gint line,
                                 GError **error);
/* Finds the labels of all branches, when the body is at its end. */
gboolean idg_ptx_scope_resolve (IdgPtxBody *body, GError **error);

/* ---- idg-ptx-operand.c ---- */

/* Parses one operand, and appends it to the function's. GROUPS: ( begins one of a call's lists. */
gboolean idg_ptx_parse_operand (IdgPtxBody *body, gboolean groups, GError **error);
/* The register that the token names, into INDEX; the token is left behind. */
gboolean idg_ptx_parse_register (IdgPtxBody *body, guint *index, GError **error);

G_END_DECLS
