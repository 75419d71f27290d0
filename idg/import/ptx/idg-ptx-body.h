/* SPDX-License-Identifier: MIT */
/* Private: declarations shared by the files that parse the body of a function. */
#pragma once

#include "idg/import/ptx/idg-ptx.h"

G_BEGIN_DECLS

typedef struct IdgPtxScope IdgPtxScope;

typedef enum
{
  IDG_PTX_DECLARED_REGISTER, /* INDEX in registers; a vector has WIDTH of them from there on */
  IDG_PTX_DECLARED_PARAM,    /* INDEX in params */
  IDG_PTX_DECLARED_VARIABLE,
} IdgPtxDeclaredKind;

typedef struct
{
  IdgPtxDeclaredKind kind;
  guint index;
  guint width;
} IdgPtxDeclared;

/* A branch whose labels may come later. */
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
  guint depth;        /* of nested scopes */
  GPtrArray *scopes;  /* all scopes, to free them */
  GArray *pending;    /* of IdgPtxPending */
  IdgPtxSource source;
  gboolean in_call; /* names may be those of functions and prototypes */
} IdgPtxBody;

/* ---- idg-ptx-scope.c ---- */

void idg_ptx_scope_free (gpointer scope);
gboolean idg_ptx_scope_open (IdgPtxBody *body, GError **error);
void idg_ptx_scope_close (IdgPtxBody *body);

/* Returns the declaration of NAME in the innermost scope that has it, or NULL. A register gets its
 * INDEX when it is first looked up. Good until the next declaration. O(scopes + length of the
 * name). */
const IdgPtxDeclared *idg_ptx_scope_find (IdgPtxBody *body, const gchar *name);
void idg_ptx_scope_declare (IdgPtxBody *body, const gchar *name, IdgPtxDeclaredKind kind,
                            guint index, guint width);
/* Declares the registers PREFIX0 ... PREFIX(COUNT - 1). */
void idg_ptx_scope_declare_range (IdgPtxBody *body, const gchar *prefix, guint64 count,
                                  guint width);

/* The first adds a label for the next statement; the second a list of labels (.branchtargets; of
 * gchar, ownership taken). */
gboolean idg_ptx_scope_add_label (IdgPtxBody *body, const gchar *name, gint line, GError **error);
gboolean idg_ptx_scope_add_list (IdgPtxBody *body, const gchar *name, GPtrArray *labels, gint line,
                                 GError **error);
/* Resolves the labels of all branches, at the end of the body. */
gboolean idg_ptx_scope_resolve (IdgPtxBody *body, GError **error);

/* ---- idg-ptx-operand.c ---- */

/* Parses one operand and appends it to those of the function. With GROUPS, ( begins one of a call's
 * lists. */
gboolean idg_ptx_parse_operand (IdgPtxBody *body, gboolean groups, GError **error);
/* Stores the index of the register that the current token names in INDEX, and advances past it. */
gboolean idg_ptx_parse_register (IdgPtxBody *body, guint *index, GError **error);

G_END_DECLS
