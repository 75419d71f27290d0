/* SPDX-License-Identifier: MIT */
/* Private: PTX as tokens (PTX ISA, section 4, "Syntax"), with the lines that they stand on. Knows
 * no statement.
 *
 * Tokens point into the text, which must outlive them. A lexer is a plain struct: a copy of it is a
 * place to come back to. */
#pragma once

#include <glib.h>

#include "idg/kernel/idg-kernel.h"

G_BEGIN_DECLS

typedef enum
{
  IDG_PTX_END,  /* of the text */
  IDG_PTX_WORD, /* a name or an opcode, with what stands behind its dots: "%tid.x", "fma.rn.f32" */
  IDG_PTX_DIRECTIVE, /* begins with a dot: ".reg" */
  IDG_PTX_WHOLE,     /* a whole number: VALUE */
  IDG_PTX_FLOAT,     /* any other number */
  IDG_PTX_STRING,    /* without its quotes */
  IDG_PTX_SIGN,      /* one character: *TEXT */
} IdgPtxTokenKind;

typedef struct
{
  IdgPtxTokenKind kind;
  const gchar *text;
  gsize length;
  guint64 value;
  gint line;
} IdgPtxToken;

typedef struct
{
  const gchar *file; /* for messages; borrowed */
  const gchar *next, *end;
  gint line; /* of NEXT */
  IdgPtxToken token;
} IdgPtxLexer;

/* LENGTH bytes of DATA, at the first token. */
gboolean idg_ptx_lexer_begin (IdgPtxLexer *lexer, const gchar *data, gsize length,
                              const gchar *file, GError **error);

/* Goes on to the next token. FALSE with ERROR where there is none: a byte that PTX has not, a
 * number without end. Amortized O(length of the token and what is left out before it). */
gboolean idg_ptx_next (IdgPtxLexer *lexer, GError **error);

/* Whether the token is the sign C, or the word or directive TEXT. */
gboolean idg_ptx_is (const IdgPtxLexer *lexer, gchar c);
gboolean idg_ptx_is_word (const IdgPtxLexer *lexer, const gchar *text);

/* Goes on if the token is C; else leaves it. SKIPPED may be NULL. FALSE on errors alone. */
gboolean idg_ptx_skip (IdgPtxLexer *lexer, gchar c, gboolean *skipped, GError **error);

/* Goes on if the token is C, else fails with what was EXPECTED ("; after the instruction"). */
gboolean idg_ptx_expect (IdgPtxLexer *lexer, gchar c, const gchar *expected, GError **error);

/* Fails unless the token is a word; it stays. */
gboolean idg_ptx_expect_word (IdgPtxLexer *lexer, const gchar *expected, GError **error);

/* The whole number that is the token, which is left behind; fails where it is none. */
gboolean idg_ptx_read_whole (IdgPtxLexer *lexer, guint64 *value, const gchar *expected,
                             GError **error);

/* Goes on to behind the next ; */
gboolean idg_ptx_skip_statement (IdgPtxLexer *lexer, GError **error);

/* Goes on to behind the sign that closes the { ( or [ that is the token. */
gboolean idg_ptx_skip_braces (IdgPtxLexer *lexer, GError **error);

/* The token as a message shows it: in quotes, and cut where it is long. Free with g_free(). */
gchar *idg_ptx_quote (const IdgPtxLexer *lexer);

/* "FILE:LINE: TOKEN where EXPECTED must come". FALSE. */
gboolean idg_ptx_fail (const IdgPtxLexer *lexer, GError **error, const gchar *expected);

G_END_DECLS
