/* SPDX-License-Identifier: MIT */
/* Any bytes as what a user says about a listing, a hint a line: "t all=3" is --trip all=3, and so
 * on (see add_hint()). The listing is always the same: loops that nest, a branch, accesses, files
 * whose names end alike. It becomes a kernel, or is refused with a message. */
#include <stdlib.h>

#include "tests/fuzz-import.h"
#include "tests/fuzz.h"

static const gchar listing[]
    = ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".file 1 \"src/a.cu\"\n.file 2 \"lib/src/a.cu\"\n.file 3 \"b.cu\"\n"
      ".visible .entry k(.param .u64 p, .param .u32 n) {\n"
      ".reg .pred q<5>; .reg .u32 r<20>; .reg .u64 d<9>; .reg .f32 f<9>; .shared .b8 s[4096];\n"
      ".loc 1 3 1\nld.param.u64 d1, [p]; ld.param.u32 r1, [n];\n"
      "mov.u32 r2, %tid.x; mov.u32 r3, %tid.y; mov.u32 r4, %ntid.x; mov.u32 r5, %ctaid.x;\n"
      "mov.u32 r6, %nctaid.x; mad.lo.s32 r7, r5, r4, r2;\nmul.wide.u32 d2, r7, 4;\n"
      "add.s64 d3, d1, d2; mov.u32 r8, 0;\nsetp.ge.u32 q1, r7, r1;\n.loc 1 4 1\n@q1 bra END;\n"
      "OUTER:\n.loc 1 5 1\nld.global.f32 f1, [d3]; mov.u32 r9, 0;\n"
      "INNER:\n.loc 2 5 1\nshl.b32 r10, r2, 2; mov.u32 r11, s; add.s32 r12, r11, r10;\n"
      "st.shared.f32 [r12], f1; bar.sync 0; ld.shared.f32 f2, [r12+4];\nbar.sync 0;\n"
      "fma.rn.f32 f1, f2, f2, f1;\nadd.s32 r9, r9, 1; setp.lt.u32 q2, r9, r3; @q2 bra INNER;\n"
      ".loc 3 6 1\nsetp.eq.u32 q3, r2, 0; @q3 bra SKIP;\nst.global.f32 [d3], f1;\n"
      "SKIP:\n.loc 3 7 1\nadd.s32 r8, r8, 1; setp.lt.u32 q4, r8, r1; @q4 bra OUTER;\n"
      "shr.u32 r13, r4, 1;\n"
      "TREE:\nshr.u32 r13, r13, 1; setp.gt.u32 q4, r13, 0; @q4 bra TREE;\n"
      "END:\nret;\n}\n";

/* Up to three whole numbers with an x between them, as --block has them. */
static void
set_dim (const gchar *text, gint64 dim[3])
{
  g_auto (GStrv) parts = g_strsplit (text, "x", 3);

  for (guint i = 0; parts[i] != NULL; i++)
    dim[i] = CLAMP (g_ascii_strtoll (parts[i], NULL, 10), 0, 1024);
}

static void
add_hint (IdgImport *import, const gchar *line)
{
  const gchar *value = line[0] != '\0' && line[1] == ' ' ? line + 2 : NULL;

  if (value == NULL)
    return;
  switch (line[0])
    {
    case 't':
      g_ptr_array_add (import->trips, g_strdup (value));
      break;
    case 'b':
      g_ptr_array_add (import->branches, g_strdup (value));
      break;
    case 'c':
      g_ptr_array_add (import->contexts, g_strdup (value));
      break;
    case 'k':
      g_free (import->banks);
      import->banks = g_strdup (value);
      break;
    case 'd':
      set_dim (value, import->block_dim);
      break;
    case 'g':
      set_dim (value, import->grid_dim);
      break;
    default:
      break;
    }
}

/* As the command line does it: threads and blocks are what the shapes hold. */
static void
set_launch (IdgImport *import)
{
  import->threads = 64;
  import->blocks = 4;
  if (import->block_dim[0] > 0)
    import->threads
        = import->block_dim[0] * MAX (import->block_dim[1], 1) * MAX (import->block_dim[2], 1);
  if (import->grid_dim[0] > 0)
    import->blocks
        = import->grid_dim[0] * MAX (import->grid_dim[1], 1) * MAX (import->grid_dim[2], 1);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree gchar *text = g_strndup ((const gchar *)data, size);
  g_auto (GStrv) lines = g_strsplit (text, "\n", 64);
  g_autoptr (IdgImport) import = idg_import_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (IdgKernel) kernel = NULL;

  for (guint i = 0; lines[i] != NULL; i++)
    add_hint (import, lines[i]);
  set_launch (import);
  kernel = idg_ptx_parse (listing, sizeof listing - 1, "a.ptx", import, &error);
  if (kernel != NULL || g_str_has_prefix (error->message, "a.ptx"))
    fuzz_check_imported (kernel, "a.ptx", error);
  else /* a hint that is wrong in itself */
    g_assert_true (g_str_has_prefix (error->message, "--"));
  return 0;
}
