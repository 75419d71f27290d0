/* SPDX-License-Identifier: MIT */
/* Private: splits PTX into tokens (PTX ISA, section 4, "Syntax") with their lines. It knows no
 * statements.
 *
 * Tokens point into the text, which must outlive them. A lexer is a plain struct: copy it to be
 * able to return to a place. */
#pragma once

#include <glib.h>

#include "idg/kernel/idg-kernel.h"

G_BEGIN_DECLS

typedef enum
{
  IDG_PTX_END,       /* the end of the text */
  IDG_PTX_WORD,      /* a name or an opcode, including its dotted parts: "%tid.x", "fma.rn.f32" */
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

/* Begins to read LENGTH bytes of DATA, whose first line is LINE, and reads the first token. */
gboolean idg_ptx_lexer_begin (IdgPtxLexer *lexer, const gchar *data, gsize length, gint line,
                              const gchar *file, GError **error);

/* Advances to the next token. Returns FALSE with ERROR if there is none: a byte that PTX does not
 * use, or an unterminated token. Amortized O(length of the token and of what is skipped before it).
 */
gboolean idg_ptx_next (IdgPtxLexer *lexer, GError **error);

/* Tell whether the current token is the sign C, or the word or directive TEXT. */
gboolean idg_ptx_is (const IdgPtxLexer *lexer, gchar c);
gboolean idg_ptx_is_word (const IdgPtxLexer *lexer, const gchar *text);

/* Advances if the current token is C. SKIPPED (may be NULL) receives whether it was. Returns FALSE
 * only on errors. */
gboolean idg_ptx_skip (IdgPtxLexer *lexer, gchar c, gboolean *skipped, GError **error);

/* Advances if the current token is C; otherwise fails with what was EXPECTED ("; after the
 * instruction"). */
gboolean idg_ptx_expect (IdgPtxLexer *lexer, gchar c, const gchar *expected, GError **error);

/* Fails unless the current token is a word. Does not advance. */
gboolean idg_ptx_expect_word (IdgPtxLexer *lexer, const gchar *expected, GError **error);

/* Reads the whole number that is the current token and advances; fails if it is anything else. */
gboolean idg_ptx_read_whole (IdgPtxLexer *lexer, guint64 *value, const gchar *expected,
                             GError **error);

/* Advances past the next ; */
gboolean idg_ptx_skip_statement (IdgPtxLexer *lexer, GError **error);

/* Advances past the sign that closes the { ( or [ that is the current token. */
gboolean idg_ptx_skip_braces (IdgPtxLexer *lexer, GError **error);

/* Sets ERROR to a message that the current token is not what was EXPECTED. Returns FALSE. */
gboolean idg_ptx_fail (const IdgPtxLexer *lexer, GError **error, const gchar *expected);

G_END_DECLS
