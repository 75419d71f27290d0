/* SPDX-License-Identifier: MIT */
/* Numbers as the words of the text, by the two lists. */
#include "exec/sass/wp-sass.h"

const gchar *
wp_sass_op_name (WpSassOp op)
{
  static const gchar *const names[] = {
    "",
#define OP(name) #name,
#include "exec/sass/wp-sass-ops.def"
#undef OP
  };

  g_return_val_if_fail (op < WP_SASS_N_OPS, NULL);
  return names[op];
}

const gchar *
wp_sass_word_text (WpSassWord word)
{
  static const gchar *const texts[] = {
    "",
#define WORD(id, text) text,
#include "exec/sass/wp-sass-words.def"
#undef WORD
  };

  g_return_val_if_fail (word < WP_N_WORDS, NULL);
  return texts[word];
}

gboolean
wp_sass_has (const WpSassInstr *instr, WpSassWord word)
{
  for (guint k = 0; k < instr->n_words; k++)
    if (instr->words[k] == word)
      return TRUE;
  return FALSE;
}
