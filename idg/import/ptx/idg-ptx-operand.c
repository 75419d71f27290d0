/* SPDX-License-Identifier: MIT */
/* Parses operands as far as dependences need them: which registers, in which brackets, and the
 * value of a constant that is a number or a sum. Anything else in an expression is ignored. */
#include <string.h>

#include "idg/import/ptx/idg-ptx-body.h"

/* Sets SIZE of the operand that began at FIRST. */
static void
close_operand (IdgPtxBody *body, guint first)
{
  GArray *operands = body->function->operands;

  g_array_index (operands, IdgPtxOperand, first).size = operands->len - first;
}

static gboolean
add_operand (IdgPtxBody *body, IdgPtxOperand operand, GError **error)
{
  operand.size = 1;
  if (!idg_ptx_spend_operands (body->module, &body->lexer, 1, error))
    return FALSE;
  g_array_append_val (body->function->operands, operand);
  return TRUE;
}

/* Names. */

static gboolean
is_special (const gchar *name)
{
  static const gchar *const prefixes[]
      = { "%tid",         "%ntid",        "%laneid",        "%warpid",
          "%nwarpid",     "%ctaid",       "%nctaid",        "%smid",
          "%nsmid",       "%gridid",      "%clusterid",     "%nclusterid",
          "%cluster_",    "%is_explicit", "%lanemask_",     "%clock",
          "%pm",          "%envreg",      "%globaltimer",   "%reserved_smem_",
          "%total_smem_", "%aggr_smem_",  "%dynamic_smem_", "%current_graph_exec",
          "WARP_SZ" };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (name, prefixes[i]))
      return TRUE;
  return FALSE;
}

/* Tells whether the module has a variable or function NAME. A shared variable of the module belongs
 * to the kernels that use it, so its use is recorded. */
static gboolean
find_global (IdgPtxBody *body, const gchar *name)
{
  IdgPtxModule *module = body->module;
  IdgPtxVariable *variable = g_hash_table_lookup (module->variables, name);

  if (variable && variable->is_shared)
    g_hash_table_add (module->used, variable);
  return variable || g_hash_table_contains (module->function_names, name);
}

/* Returns the number of a vector's component, named after the dot: .x .y .z .w, or .r .g .b .a. */
static guint
find_component (const gchar *suffix, guint width)
{
  static const gchar letters[] = "xyzwrgba";
  const gchar *found = suffix[0] != '\0' ? strchr (letters, suffix[0]) : NULL;
  guint number = found ? (guint)(found - letters) % 4 : 0;

  return suffix[0] != '\0' && suffix[1] == '\0' && number < width ? number : 0;
}

static gboolean
add_register (IdgPtxBody *body, const IdgPtxDeclared *declared, const gchar *suffix, GError **error)
{
  guint first = body->function->operands->len, index = declared->index, width = declared->width;

  if (width == 1 || suffix)
    return add_operand (
        body,
        (IdgPtxOperand){ IDG_PTX_REGISTER,
                         .index = index + (suffix ? find_component (suffix, width) : 0) },
        error);
  if (!add_operand (body, (IdgPtxOperand){ .kind = IDG_PTX_LIST }, error))
    return FALSE;
  for (guint i = 0; i < width; i++)
    if (!add_operand (body, (IdgPtxOperand){ IDG_PTX_REGISTER, .index = index + i }, error))
      return FALSE;
  close_operand (body, first);
  return TRUE;
}

static gboolean
add_name (IdgPtxBody *body, const gchar *name, const IdgPtxDeclared *declared, GError **error)
{
  if (declared && declared->kind == IDG_PTX_DECLARED_PARAM)
    return add_operand (
        body, (IdgPtxOperand){ IDG_PTX_PARAM, .index = declared->index, .name = name }, error);
  if (!declared && !body->in_call && strcmp (name, "_") != 0 && !is_special (name)
      && !find_global (body, name))
    idg_import_note (body->module->import, body->module->file, body->lexer.token.line,
                     "%.80s is not declared; it is taken as a constant", name);
  return add_operand (body, (IdgPtxOperand){ IDG_PTX_NAME, .name = name }, error);
}

static gboolean
parse_name (IdgPtxBody *body, GError **error)
{
  const gchar *name = idg_ptx_keep (body->module, &body->lexer.token);
  const IdgPtxDeclared *declared = idg_ptx_scope_find (body, name);
  const gchar *dot = strchr (name, '.');

  if (!declared && dot)
    {
      g_autofree gchar *base = g_strndup (name, (gsize)(dot - name));

      declared = idg_ptx_scope_find (body, base);
    }
  else
    dot = NULL;
  if (!(declared && declared->kind == IDG_PTX_DECLARED_REGISTER
            ? add_register (body, declared, dot ? dot + 1 : NULL, error)
            : add_name (body, name, declared, error)))
    return FALSE;
  return idg_ptx_next (&body->lexer, error);
}

gboolean
idg_ptx_parse_register (IdgPtxBody *body, guint *index, GError **error)
{
  g_autofree gchar *name = g_strndup (body->lexer.token.text, body->lexer.token.length);
  const IdgPtxDeclared *declared
      = body->lexer.token.kind == IDG_PTX_WORD ? idg_ptx_scope_find (body, name) : NULL;

  if (!declared || declared->kind != IDG_PTX_DECLARED_REGISTER)
    return idg_ptx_fail (&body->lexer, error, "a register that .reg declares");
  *index = declared->index;
  return idg_ptx_next (&body->lexer, error);
}

/* Expressions. */

/* The state of an expression; its names are operands already. */
typedef struct
{
  guint first;      /* its first operand */
  guint64 sum;      /* of its numbers, modulo 2^64 */
  gboolean is_sum;  /* it consists of numbers, + and - only */
  gboolean is_pair; /* it has a | between registers */
  gboolean has_number;
  gboolean has_term; /* its last token is a term, so that no other term may follow */
  gchar sign;
} Expression;

static gboolean
ends_operand (const IdgPtxLexer *lexer)
{
  return lexer->token.kind == IDG_PTX_END
         || (lexer->token.kind == IDG_PTX_SIGN && strchr (",;])}{[", *lexer->token.text));
}

static gboolean
take_sign (IdgPtxBody *body, Expression *expression, GError **error)
{
  gchar c = *body->lexer.token.text;

  expression->has_term = FALSE;
  if (c == '(')
    {
      expression->is_sum = FALSE;
      return idg_ptx_skip_braces (&body->lexer, error);
    }
  if (c == '|')
    expression->is_pair = TRUE;
  else if (c == '-')
    expression->sign = expression->sign == '-' ? '+' : '-';
  else if (c == '+')
    expression->sign = '+';
  else if (c != '!')
    expression->is_sum = FALSE;
  return idg_ptx_next (&body->lexer, error);
}

static gboolean
take_term (IdgPtxBody *body, Expression *expression, GError **error)
{
  IdgPtxLexer *lexer = &body->lexer;

  if (expression->has_term && lexer->token.kind != IDG_PTX_SIGN)
    return idg_ptx_fail (lexer, error, "the , or ; after an operand");
  expression->has_term = TRUE;
  switch (lexer->token.kind)
    {
    case IDG_PTX_WORD:
      return parse_name (body, error);
    case IDG_PTX_WHOLE:
      expression->has_number = TRUE;
      expression->sum += expression->sign == '-' ? -lexer->token.value : lexer->token.value;
      expression->sign = '+';
      break;
    case IDG_PTX_FLOAT:
      expression->is_sum = FALSE;
      break;
    case IDG_PTX_SIGN:
      return take_sign (body, expression, error);
    default:
      return idg_ptx_fail (lexer, error, "an operand");
    }
  return idg_ptx_next (lexer, error);
}

/* Handles p|q: inserts a list before its members. */
static gboolean
close_pair (IdgPtxBody *body, guint first, GError **error)
{
  IdgPtxOperand list = { .kind = IDG_PTX_LIST, .size = body->function->operands->len - first + 1 };

  if (!idg_ptx_spend_operands (body->module, &body->lexer, 1, error))
    return FALSE;
  g_array_insert_val (body->function->operands, first, list);
  return TRUE;
}

static gboolean
parse_expression (IdgPtxBody *body, GError **error)
{
  GArray *operands = body->function->operands;
  Expression expression = { .first = operands->len, .is_sum = TRUE, .sign = '+' };
  IdgPtxOperand constant = { .kind = IDG_PTX_NAME };

  if (ends_operand (&body->lexer))
    return idg_ptx_fail (&body->lexer, error, "an operand");
  while (!ends_operand (&body->lexer))
    {
      if (!take_term (body, &expression, error))
        return FALSE;
      if (operands->len - expression.first > IDG_PTX_MAX_LIST)
        return idg_ptx_fail (&body->lexer, error, "the end of an operand");
    }
  if (expression.is_pair)
    return close_pair (body, expression.first, error);
  if (expression.is_sum && expression.has_number)
    constant = (IdgPtxOperand){ IDG_PTX_NUMBER, .value = (gint64)expression.sum };
  if (operands->len == expression.first || expression.has_number || !expression.is_sum)
    return add_operand (body, constant, error);
  return TRUE;
}

/* Parses {a, b}, [a, {b, c}] and (a, b), up to the sign CLOSE. */
static gboolean parse_list (IdgPtxBody *body, IdgPtxOperandKind kind, gchar close, guint depth,
                            gboolean groups, GError **error);

static gboolean
parse_at (IdgPtxBody *body, guint depth, gboolean groups, GError **error)
{
  const IdgPtxLexer *lexer = &body->lexer;

  if (depth > IDG_PTX_MAX_DEPTH)
    return idg_ptx_fail (lexer, error, "the end of so deep a list");
  if (idg_ptx_is (lexer, '{'))
    return parse_list (body, IDG_PTX_LIST, '}', depth, groups, error);
  if (idg_ptx_is (lexer, '['))
    return parse_list (body, IDG_PTX_ADDRESS, ']', depth, groups, error);
  if (groups && depth == 0 && idg_ptx_is (lexer, '('))
    return parse_list (body, IDG_PTX_GROUP, ')', depth, groups, error);
  return parse_expression (body, error);
}

static gboolean
parse_list (IdgPtxBody *body, IdgPtxOperandKind kind, gchar close, guint depth, gboolean groups,
            GError **error)
{
  const gchar expected[] = { close, '\0' };
  guint first = body->function->operands->len;
  gboolean more;

  if (!add_operand (body, (IdgPtxOperand){ .kind = kind }, error)
      || !idg_ptx_next (&body->lexer, error))
    return FALSE;
  more = !idg_ptx_is (&body->lexer, close);
  while (more)
    {
      if (!parse_at (body, depth + 1, groups, error)
          || !idg_ptx_skip (&body->lexer, ',', &more, error))
        return FALSE;
      if (body->function->operands->len - first > IDG_PTX_MAX_LIST)
        return idg_ptx_fail (&body->lexer, error, "the end of a list");
    }
  if (!idg_ptx_expect (&body->lexer, close, expected, error))
    return FALSE;
  close_operand (body, first);
  /* [a].unified */
  return kind != IDG_PTX_ADDRESS || body->lexer.token.kind != IDG_PTX_DIRECTIVE
         || idg_ptx_next (&body->lexer, error);
}

gboolean
idg_ptx_parse_operand (IdgPtxBody *body, gboolean groups, GError **error)
{
  return parse_at (body, 0, groups, error);
}
