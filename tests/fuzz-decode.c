/* SPDX-License-Identifier: MIT */
/* Any bytes as machine code of any target: each instruction is decoded and written, or refused with
 * a sentence. */
#include "config.h"

#include "exec/sass/wp-sass.h"

#include "tests/fuzz.h"

static void
decode_one (guint sm, const guint8 *code, guint64 address)
{
  WpSassInstr instr;
  g_autofree gchar *problem = NULL;
  g_autoptr (GString) text = NULL;

  if (!wp_sass_decode (sm, code, address, &instr, &problem))
    {
      g_assert_nonnull (problem);
      return;
    }
  text = g_string_new (NULL);
  wp_sass_append (&instr, text);
  g_assert_cmpuint (text->len, >, 0);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  guint sm = size > 0 ? 70 + data[0] % 52 : 70;

  for (size_t at = 1; at + WP_SASS_BYTES <= size; at += WP_SASS_BYTES)
    decode_one (sm, data + at, at - 1);
  return 0;
}
