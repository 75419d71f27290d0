/* SPDX-License-Identifier: MIT */
/* Parses the body of a function into a flat list of statements; nested braces and declarations only
 * affect what names mean. This file reads what is written; idg-ptx-call.c decides which calls can
 * be inlined and what happens to their parameters. */
#include "idg/import/ptx/idg-ptx-body.h"

#include <string.h>

#include "idg/import/ops/idg-ops.h"

#define MAX_MNEMONIC 128
#define MAX_TEXT 160
#define MAX_RESULTS 16

/* Declarations. */

/* Parses .reg .v2 .b32 %r<5>, %q; the current token is .reg. */
static gboolean
parse_registers (IdgPtxBody *body, GError **error)
{
  IdgPtxLexer *lexer = &body->lexer;
  guint width = 1;
  gboolean more = TRUE;

  if (!idg_ptx_next (lexer, error))
    return FALSE;
  while (lexer->token.kind == IDG_PTX_DIRECTIVE)
    {
      width = idg_ptx_is_word (lexer, ".v2") ? 2 : idg_ptx_is_word (lexer, ".v4") ? 4 : width;
      if (!idg_ptx_next (lexer, error))
        return FALSE;
    }
  while (more)
    {
      const gchar *name;
      gboolean is_range;

      if (lexer->token.kind != IDG_PTX_WORD)
        return idg_ptx_fail (lexer, error, "the name of a register");
      name = idg_ptx_keep (body->module, &lexer->token);
      if (!idg_ptx_spend (body->module, lexer, 1, error) || !idg_ptx_next (lexer, error)
          || !idg_ptx_skip (lexer, '<', &is_range, error))
        return FALSE;
      if (!is_range)
        idg_ptx_scope_declare (body, name, IDG_PTX_DECLARED_REGISTER, IDG_PTX_NONE, width);
      else if (lexer->token.kind != IDG_PTX_WHOLE)
        return idg_ptx_fail (lexer, error, "a number of registers");
      else
        {
          idg_ptx_scope_declare_range (body, name, lexer->token.value, width);
          if (!idg_ptx_next (lexer, error)
              || !idg_ptx_expect (lexer, '>', "> after a number of registers", error))
            return FALSE;
        }
      if (!idg_ptx_skip (lexer, ',', &more, error))
        return FALSE;
    }
  return idg_ptx_expect (lexer, ';', "; after .reg", error);
}

static void
add_param (IdgPtxBody *body, const gchar *name, const gchar *type, guint reg, guint width,
           gboolean is_local)
{
  IdgPtxParam param
      = { .name = name, .type = type, .reg = reg, .width = width, .is_local = is_local };

  if (reg == IDG_PTX_NONE && strcmp (name, "_") != 0)
    idg_ptx_scope_declare (body, name, IDG_PTX_DECLARED_PARAM, body->function->params->len, 1);
  g_array_append_val (body->function->params, param);
}

/* Parses .param, .shared, .local and the like in a body. */
static gboolean
parse_locals (IdgPtxBody *body, gboolean is_extern, GError **error)
{
  g_autoptr (GArray) variables = g_array_new (FALSE, FALSE, sizeof (IdgPtxVariable));
  gboolean is_param = idg_ptx_is_word (&body->lexer, ".param");
  gboolean is_shared
      = idg_ptx_is_word (&body->lexer, ".shared") || idg_ptx_is_word (&body->lexer, ".shared::cta");

  if (!idg_ptx_next (&body->lexer, error)
      || (idg_ptx_is (&body->lexer, '[') && !idg_ptx_skip_braces (&body->lexer, error))
      || !idg_ptx_parse_variables (body->module, &body->lexer, is_extern, variables, error))
    return FALSE;
  for (guint i = 0; i < variables->len; i++)
    {
      IdgPtxVariable *variable = &g_array_index (variables, IdgPtxVariable, i);

      variable->is_shared = is_shared;
      if (is_param)
        add_param (body, variable->name, NULL, IDG_PTX_NONE, 1, TRUE);
      else
        idg_ptx_scope_declare (body, variable->name, IDG_PTX_DECLARED_VARIABLE, 0, 1);
      if (is_shared)
        g_array_append_val (body->function->shared, *variable);
    }
  return TRUE;
}

static gboolean
parse_directive (IdgPtxBody *body, GError **error)
{
  IdgPtxLexer *lexer = &body->lexer;
  gboolean handled, is_extern = FALSE;

  if (!idg_ptx_parse_common (body->module, lexer, &body->source, &handled, error))
    return FALSE;
  if (handled)
    return TRUE;
  while (idg_ptx_is_linkage (lexer))
    {
      is_extern = is_extern || idg_ptx_is_word (lexer, ".extern");
      if (!idg_ptx_next (lexer, error))
        return FALSE;
    }
  if (idg_ptx_is_word (lexer, ".reg"))
    return parse_registers (body, error);
  if (idg_ptx_is_space (lexer))
    return parse_locals (body, is_extern, error);
  return idg_ptx_fail (lexer, error, "an instruction, a label or a declaration");
}

/* Labels. */

/* Parses .branchtargets A, B. The contents of .calltargets and .callprototype are not needed. */
static gboolean
parse_list (IdgPtxBody *body, const gchar *name, gint line, GError **error)
{
  IdgPtxLexer *lexer = &body->lexer;
  gboolean keeps = idg_ptx_is_word (lexer, ".branchtargets");
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  if (!idg_ptx_next (lexer, error))
    return FALSE;
  while (!idg_ptx_is (lexer, ';'))
    {
      if (lexer->token.kind == IDG_PTX_END
          || (keeps && lexer->token.kind != IDG_PTX_WORD && !idg_ptx_is (lexer, ',')))
        return idg_ptx_fail (lexer, error, "a label, or ;");
      if (keeps && lexer->token.kind == IDG_PTX_WORD)
        {
          if (!idg_ptx_spend_operands (body->module, lexer, 1, error))
            return FALSE;
          g_ptr_array_add (labels, (gpointer)idg_ptx_keep (body->module, &lexer->token));
        }
      if (!idg_ptx_next (lexer, error))
        return FALSE;
    }
  return idg_ptx_next (lexer, error)
         && idg_ptx_scope_add_list (body, name, g_steal_pointer (&labels), line, error);
}

/* The current token is the one after the colon. */
static gboolean
parse_label (IdgPtxBody *body, const IdgPtxToken *name, GError **error)
{
  const gchar *text = idg_ptx_keep (body->module, name);

  if (idg_ptx_is_word (&body->lexer, ".branchtargets")
      || idg_ptx_is_word (&body->lexer, ".calltargets")
      || idg_ptx_is_word (&body->lexer, ".callprototype"))
    return parse_list (body, text, name->line, error);
  return idg_ptx_scope_add_label (body, text, name->line, error);
}

/* Instructions. */

/* Returns the text from BEGIN to END, shortened if it is long, with single blanks in place of
 * blanks and comments. */
static const gchar *
make_text (IdgPtxModule *module, const gchar *begin, const gchar *end)
{
  gchar text[MAX_TEXT + 4];
  guint n = 0;

  for (const gchar *p = begin; p < end && n < MAX_TEXT; p++)
    {
      const gchar *close = NULL;

      if (*p == '/' && p + 1 < end && p[1] == '/')
        close = memchr (p, '\n', (gsize)(end - p));
      else if (*p == '/' && p + 1 < end && p[1] == '*'
               && (close = g_strstr_len (p + 2, end - p - 2, "*/")))
        close++;
      p = close ? close : p;
      if (!close && !g_ascii_isspace (*p))
        text[n++] = g_ascii_isprint (*p) ? *p : '?';
      else if (n > 0 && text[n - 1] != ' ')
        text[n++] = ' ';
      if (n == MAX_TEXT && p + 1 < end)
        {
          memcpy (text + n, "...", 3);
          n += 3;
        }
    }
  while (n > 0 && text[n - 1] == ' ')
    n--;
  text[n] = '\0';
  return g_string_chunk_insert_const (module->strings, text);
}

/* An opcode that the table lacks is assumed to write its first operand, as nearly all do. */
static const IdgPtxOpcode unknown_opcode = { "", IDG_PTX_OP, IDG_PTX_WRITES };

static gboolean
find_op (IdgPtxBody *body, IdgPtxStatement *statement, GError **error)
{
  IdgPtxModule *module = body->module;
  gchar *op = g_hash_table_lookup (module->ops, statement->mnemonic);
  g_autofree gchar *canonical = NULL;
  gboolean known = TRUE, is_new = op == NULL;

  statement->opcode = idg_ptx_opcode_find (statement->mnemonic);
  if (!op)
    {
      canonical = idg_ops_canonize_ptx (statement->mnemonic, &known);
      op = g_string_chunk_insert_const (module->strings, canonical);
      g_hash_table_insert (module->ops, (gpointer)statement->mnemonic, op);
    }
  statement->op = op;
  if (known && statement->opcode)
    return TRUE;
  if (module->import->strict_names)
    return idg_import_fail (module->file, statement->line, IDG_ERROR_VALUE, error,
                            "%s is not a known instruction", statement->mnemonic);
  if (is_new)
    idg_import_note (module->import, module->file, statement->line,
                     "%s is not a known instruction; its first operand is taken as its result",
                     statement->mnemonic);
  if (!statement->opcode)
    statement->opcode = &unknown_opcode;
  return TRUE;
}

/* Parses the opcode, whose modifiers may be separated by blanks: "ld .global .f32". */
static gboolean
parse_mnemonic (IdgPtxBody *body, IdgPtxStatement *statement, const IdgPtxToken *first,
                GError **error)
{
  GString *mnemonic = g_string_new_len (first->text, (gssize)MIN (first->length, MAX_MNEMONIC + 1));

  while (body->lexer.token.kind == IDG_PTX_DIRECTIVE && mnemonic->len <= MAX_MNEMONIC)
    {
      g_string_append_len (mnemonic, body->lexer.token.text,
                           (gssize)MIN (body->lexer.token.length, MAX_MNEMONIC + 1));
      if (!idg_ptx_next (&body->lexer, error))
        {
          g_string_free (mnemonic, TRUE);
          return FALSE;
        }
    }
  statement->mnemonic = g_string_chunk_insert_const (body->module->strings, mnemonic->str);
  g_string_free (mnemonic, TRUE);
  if (strlen (statement->mnemonic) > MAX_MNEMONIC)
    return idg_import_fail (body->module->file, statement->line, IDG_ERROR_VALUE, error,
                            "%.40s... is an opcode of more than %d bytes", statement->mnemonic,
                            MAX_MNEMONIC);
  return find_op (body, statement, error);
}

/* Parses bra LABEL; brx.idx %r, LIST */
static gboolean
parse_branch (IdgPtxBody *body, GError **error)
{
  IdgPtxLexer *lexer = &body->lexer;
  gboolean more;

  for (;;)
    {
      IdgPtxPending pending = { .statement = body->function->statements->len,
                                .scope = body->scope,
                                .line = lexer->token.line };
      IdgPtxLexer place = *lexer;

      if (lexer->token.kind != IDG_PTX_WORD)
        return idg_ptx_fail (lexer, error, "the label of a branch");
      pending.name = idg_ptx_keep (body->module, &lexer->token);
      if (!idg_ptx_next (lexer, error) || !idg_ptx_skip (lexer, ',', &more, error))
        return FALSE;
      if (!more)
        {
          g_array_append_val (body->pending, pending);
          return TRUE;
        }
      *lexer = place;
      if (!idg_ptx_parse_operand (body, FALSE, error)
          || !idg_ptx_expect (lexer, ',', ", after the index of a branch", error))
        return FALSE;
    }
}

/* Returns the name of the function that is called, or NULL if a register holds its address. */
static const gchar *
find_callee_name (const IdgPtxBody *body, guint first)
{
  const GArray *operands = body->function->operands;

  for (guint i = first; i < operands->len;)
    {
      const IdgPtxOperand *operand = &g_array_index (operands, IdgPtxOperand, i);

      if (operand->kind != IDG_PTX_GROUP)
        return operand->kind == IDG_PTX_NAME ? operand->name : NULL;
      i += operand->size;
    }
  return NULL;
}

/* Checks that what is written is a register, a list of registers, or _. */
static gboolean
check_result (const IdgPtxBody *body, const IdgPtxStatement *statement, GError **error)
{
  const IdgPtxOperand *first = NULL;

  if (statement->opcode == &unknown_opcode || statement->opcode->effect == IDG_PTX_READS)
    return TRUE;
  if (statement->n > 0)
    first = &g_array_index (body->function->operands, IdgPtxOperand, statement->first);
  if (first
      && (first->kind == IDG_PTX_REGISTER || first->kind == IDG_PTX_LIST
          || first->kind == IDG_PTX_ADDRESS
          || (first->kind == IDG_PTX_NAME && g_strcmp0 (first->name, "_") == 0)))
    return TRUE;
  if (first && first->name)
    return idg_import_fail (
        body->module->file, statement->line, IDG_ERROR_SYNTAX, error,
        "%.80s is not a register; the result of %s needs one that .reg declares", first->name,
        statement->mnemonic);
  return idg_import_fail (body->module->file, statement->line, IDG_ERROR_SYNTAX, error,
                          "%s without a result; it needs a register that .reg declares",
                          statement->mnemonic);
}

static gboolean
parse_operands (IdgPtxBody *body, IdgPtxStatement *statement, GError **error)
{
  IdgPtxLexer *lexer = &body->lexer;
  gboolean is_call = statement->opcode->kind == IDG_PTX_CALL;
  gboolean more = !idg_ptx_is (lexer, ';');

  if (statement->opcode->kind == IDG_PTX_BRANCH)
    return parse_branch (body, error);
  body->in_call = is_call;
  while (more)
    {
      if (!idg_ptx_parse_operand (body, is_call, error) || !idg_ptx_skip (lexer, ',', &more, error))
        return FALSE;
      if (body->function->operands->len - statement->first > IDG_PTX_MAX_LIST)
        return idg_ptx_fail (lexer, error, "; after this many operands");
    }
  return TRUE;
}

/* Puts the bytes of a cp.async, an operand, into its name: they decide what it costs. */
static gboolean
complete_copy (IdgPtxBody *body, IdgPtxStatement *statement, GError **error)
{
  const GArray *operands = body->function->operands;
  gboolean past_l1 = g_str_has_prefix (statement->mnemonic, "cp.async.cg.");
  const IdgPtxOperand *bytes = NULL;
  g_autofree gchar *op = NULL;
  guint n = 0;

  if (!past_l1 && !g_str_has_prefix (statement->mnemonic, "cp.async.ca."))
    return TRUE;
  for (guint i = statement->first; i < operands->len && n < 3; n++)
    {
      bytes = &g_array_index (operands, IdgPtxOperand, i);
      i += bytes->size;
    }
  if (n < 3 || bytes->kind != IDG_PTX_NUMBER
      || (bytes->value != 16 && (past_l1 || (bytes->value != 4 && bytes->value != 8))))
    return idg_import_fail (body->module->file, statement->line, IDG_ERROR_VALUE, error,
                            "%s: its third operand must be the bytes that it copies, %s",
                            statement->text, past_l1 ? "16" : "4, 8 or 16");
  op = g_strdup_printf ("%s.b%d", statement->op, 8 * (gint)bytes->value);
  statement->op = g_string_chunk_insert_const (body->module->strings, op);
  return TRUE;
}

/* Parses an instruction. FIRST is the opcode, the current token follows it, and the text begins at
 * BEGIN. */
static gboolean
parse_instruction (IdgPtxBody *body, IdgPtxStatement *statement, const IdgPtxToken *first,
                   const gchar *begin, GError **error)
{
  GArray *operands = body->function->operands;

  statement->line = first->line;
  statement->first = operands->len;
  statement->source = body->source;
  if (!idg_ptx_spend (body->module, &body->lexer, 1, error)
      || !parse_mnemonic (body, statement, first, error)
      || !parse_operands (body, statement, error))
    return FALSE;
  statement->n = operands->len - statement->first;
  if (statement->opcode->kind == IDG_PTX_CALL)
    statement->callee_name = find_callee_name (body, statement->first);
  if (!idg_ptx_is (&body->lexer, ';'))
    return idg_ptx_fail (&body->lexer, error, "the , or ; after an operand");
  statement->text = make_text (body->module, begin, body->lexer.token.text);
  if (!check_result (body, statement, error) || !complete_copy (body, statement, error)
      || !idg_ptx_next (&body->lexer, error))
    return FALSE;
  g_array_append_val (body->function->statements, *statement);
  return TRUE;
}

/* Parses @%p or @!%p and an instruction. */
static gboolean
parse_guarded (IdgPtxBody *body, GError **error)
{
  IdgPtxStatement statement = { 0 };
  IdgPtxToken first;
  const gchar *begin = body->lexer.token.text;

  if (!idg_ptx_next (&body->lexer, error)
      || !idg_ptx_skip (&body->lexer, '!', &statement.is_negated, error)
      || !idg_ptx_parse_register (body, &statement.guard, error))
    return FALSE;
  first = body->lexer.token;
  if (first.kind != IDG_PTX_WORD)
    return idg_ptx_fail (&body->lexer, error, "an instruction");
  return idg_ptx_next (&body->lexer, error)
         && parse_instruction (body, &statement, &first, begin, error);
}

static gboolean
parse_statement (IdgPtxBody *body, GError **error)
{
  IdgPtxLexer *lexer = &body->lexer;
  IdgPtxStatement statement = { .guard = IDG_PTX_NONE };
  IdgPtxToken first = lexer->token;

  if (idg_ptx_is (lexer, '{'))
    return idg_ptx_scope_open (body, error) && idg_ptx_next (lexer, error);
  if (idg_ptx_is (lexer, '}'))
    {
      idg_ptx_scope_close (body);
      return idg_ptx_next (lexer, error);
    }
  if (idg_ptx_is (lexer, ';'))
    return idg_ptx_next (lexer, error);
  if (idg_ptx_is (lexer, '@'))
    return parse_guarded (body, error);
  if (first.kind == IDG_PTX_DIRECTIVE)
    return parse_directive (body, error);
  if (first.kind != IDG_PTX_WORD)
    return idg_ptx_fail (lexer, error, "an instruction, a label or a declaration");
  if (!idg_ptx_next (lexer, error))
    return FALSE;
  if (idg_ptx_is (lexer, ':'))
    return idg_ptx_next (lexer, error) && parse_label (body, &first, error);
  return parse_instruction (body, &statement, &first, first.text, error);
}

/* Parses the body from its { on. The token after the last } belongs to the module. */
static gboolean
parse_statements (IdgPtxBody *body, GError **error)
{
  guint outside = body->depth;

  body->lexer = body->function->body;
  do
    if (!parse_statement (body, error))
      return FALSE;
  while (body->depth > outside);
  return TRUE;
}

/* Headers. */

/* Parses .param .u64 .ptr .global .align 8 NAME[4], or .reg .u32 NAME */
static gboolean
parse_formal (IdgPtxBody *body, GError **error)
{
  IdgPtxLexer *lexer = &body->lexer;
  gboolean is_register = idg_ptx_is_word (lexer, ".reg");
  const gchar *type = NULL, *name;
  guint reg = IDG_PTX_NONE, width = 1;

  while (lexer->token.kind == IDG_PTX_DIRECTIVE || lexer->token.kind == IDG_PTX_WHOLE)
    {
      g_autofree gchar *word = g_strndup (lexer->token.text, lexer->token.length);
      const gchar *found = idg_ptx_get_type (word, NULL);

      width = strcmp (word, ".v2") == 0 ? 2 : strcmp (word, ".v4") == 0 ? 4 : width;
      type = found ? found : type;
      if (!idg_ptx_next (lexer, error))
        return FALSE;
    }
  if (lexer->token.kind != IDG_PTX_WORD)
    return idg_ptx_fail (lexer, error, "the name of a parameter");
  name = idg_ptx_keep (body->module, &lexer->token);
  if (is_register)
    {
      idg_ptx_scope_declare (body, name, IDG_PTX_DECLARED_REGISTER, IDG_PTX_NONE, width);
      reg = idg_ptx_scope_find (body, name)->index;
    }
  add_param (body, name, type, reg, is_register ? width : 1, FALSE);
  if (!idg_ptx_spend (body->module, lexer, 1, error) || !idg_ptx_next (lexer, error))
    return FALSE;
  return !idg_ptx_is (lexer, '[') || idg_ptx_skip_braces (lexer, error);
}

/* Parses (.param ... , ...), which may be missing. N receives the number of parameters. */
static gboolean
parse_formals (IdgPtxBody *body, guint *n, GError **error)
{
  guint before = body->function->params->len;
  gboolean more;

  if (!idg_ptx_skip (&body->lexer, '(', &more, error))
    return FALSE;
  if (!more)
    return TRUE;
  more = !idg_ptx_is (&body->lexer, ')');
  while (more)
    if (!parse_formal (body, error) || !idg_ptx_skip (&body->lexer, ',', &more, error))
      return FALSE;
  *n = body->function->params->len - before;
  return idg_ptx_expect (&body->lexer, ')', ") after the parameters", error);
}

static gboolean
parse_header (IdgPtxBody *body, GError **error)
{
  IdgPtxFunction *function = body->function;

  body->lexer = function->header;
  if (!parse_formals (body, &function->n_results, error))
    return FALSE;
  if (function->n_results > MAX_RESULTS)
    return idg_import_fail (body->module->file, function->line, IDG_ERROR_VALUE, error,
                            "%.80s returns more than %d values", function->name, MAX_RESULTS);
  return idg_ptx_next (&body->lexer, error) && parse_formals (body, &function->n_formals, error);
}

static void
prepare (IdgPtxFunction *function)
{
  function->is_parsed = TRUE;
  function->params = g_array_new (FALSE, FALSE, sizeof (IdgPtxParam));
  function->statements = g_array_new (FALSE, FALSE, sizeof (IdgPtxStatement));
  function->operands = g_array_new (FALSE, FALSE, sizeof (IdgPtxOperand));
  function->targets = g_array_new (FALSE, FALSE, sizeof (guint));
  function->labels = g_array_new (FALSE, FALSE, sizeof (IdgPtxLabel));
  function->registers = g_ptr_array_new ();
  function->shared = g_array_new (FALSE, FALSE, sizeof (IdgPtxVariable));
}

gboolean
idg_ptx_parse_body (IdgPtxModule *module, IdgPtxFunction *function, GError **error)
{
  IdgPtxBody body = { .module = module, .function = function };
  gboolean done;

  if (function->is_parsed)
    return TRUE;
  prepare (function);
  body.scopes = g_ptr_array_new_with_free_func (idg_ptx_scope_free);
  body.pending = g_array_new (FALSE, FALSE, sizeof (IdgPtxPending));
  done = idg_ptx_scope_open (&body, error) && parse_header (&body, error)
         && parse_statements (&body, error) && idg_ptx_scope_resolve (&body, error);
  g_ptr_array_unref (body.scopes);
  g_array_unref (body.pending);
  return done;
}
