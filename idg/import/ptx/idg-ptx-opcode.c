/* SPDX-License-Identifier: MIT */
/* The table of PTX opcodes: which operand each one writes. That does not follow from its spelling;
 * PTX ISA, section 9.7, says it for each instruction. Nearly all write their first operand; st, red
 * and the like begin with an address, which is not written. Opcodes that read a register as their
 * first operand, or that affect control flow, have READS here. Sorted by strcmp(). */
#include "idg/import/ptx/idg-ptx.h"

#include <stdlib.h>
#include <string.h>

#define OP(opcode)                                                                                 \
  {                                                                                                \
    opcode, IDG_PTX_OP, IDG_PTX_WRITES                                                             \
  }
#define READS(opcode)                                                                              \
  {                                                                                                \
    opcode, IDG_PTX_OP, IDG_PTX_READS                                                              \
  }

static const IdgPtxOpcode opcodes[] = {
  OP ("abs"),
  OP ("activemask"),
  OP ("add"),
  OP ("addc"),
  OP ("alloca"),
  OP ("and"),
  READS ("applypriority"),
  OP ("atom"),
  READS ("bar.arrive"),
  { "bar.cta.red", IDG_PTX_BARRIER, IDG_PTX_WRITES },
  { "bar.cta.sync", IDG_PTX_BARRIER, IDG_PTX_READS },
  { "bar.red", IDG_PTX_BARRIER, IDG_PTX_WRITES },
  { "bar.sync", IDG_PTX_BARRIER, IDG_PTX_READS },
  READS ("bar.warp"),
  READS ("barrier.arrive"),
  READS ("barrier.cluster.arrive"),
  { "barrier.cluster.wait", IDG_PTX_BARRIER, IDG_PTX_READS },
  READS ("barrier.cta.arrive"),
  { "barrier.cta.red", IDG_PTX_BARRIER, IDG_PTX_WRITES },
  { "barrier.cta.sync", IDG_PTX_BARRIER, IDG_PTX_READS },
  { "barrier.red", IDG_PTX_BARRIER, IDG_PTX_WRITES },
  { "barrier.sync", IDG_PTX_BARRIER, IDG_PTX_READS },
  OP ("bfe"),
  OP ("bfi"),
  OP ("bfind"),
  OP ("bmsk"),
  { "bra", IDG_PTX_BRANCH, IDG_PTX_READS },
  OP ("brev"),
  READS ("brkpt"),
  { "brx", IDG_PTX_BRANCH, IDG_PTX_READS },
  { "call", IDG_PTX_CALL, IDG_PTX_READS },
  READS ("clusterlaunchcontrol"),
  OP ("clusterlaunchcontrol.query_cancel"),
  OP ("clz"),
  OP ("cnot"),
  OP ("copysign"),
  OP ("cos"),
  READS ("cp"),
  OP ("createpolicy"),
  OP ("cvt"),
  OP ("cvta"),
  READS ("discard"),
  OP ("div"),
  OP ("dp2a"),
  OP ("dp4a"),
  OP ("elect"),
  OP ("ex2"),
  { "exit", IDG_PTX_EXIT, IDG_PTX_READS },
  READS ("fence"),
  OP ("fma"),
  OP ("fns"),
  OP ("getctarank"),
  READS ("griddepcontrol"),
  OP ("isspacep"),
  OP ("istypep"),
  OP ("ld"),
  OP ("ldmatrix"),
  OP ("ldu"),
  OP ("lg2"),
  OP ("lop3"),
  OP ("mad"),
  OP ("mad24"),
  OP ("madc"),
  OP ("mapa"),
  OP ("match"),
  OP ("max"),
  READS ("mbarrier"),
  OP ("mbarrier.arrive"),
  OP ("mbarrier.arrive_drop"),
  OP ("mbarrier.pending_count"),
  OP ("mbarrier.test_wait"),
  OP ("mbarrier.try_wait"),
  READS ("membar"),
  OP ("min"),
  OP ("mma"),
  OP ("mov"),
  OP ("movmatrix"),
  OP ("mul"),
  OP ("mul24"),
  READS ("multimem"),
  OP ("multimem.ld_reduce"),
  READS ("nanosleep"),
  OP ("neg"),
  OP ("not"),
  OP ("or"),
  READS ("pmevent"),
  OP ("popc"),
  READS ("prefetch"),
  READS ("prefetchu"),
  OP ("prmt"),
  OP ("rcp"),
  READS ("red"),
  OP ("redux"),
  OP ("rem"),
  { "ret", IDG_PTX_RETURN, IDG_PTX_READS },
  OP ("rsqrt"),
  OP ("sad"),
  OP ("selp"),
  OP ("set"),
  READS ("setmaxnreg"),
  OP ("setp"),
  OP ("shf"),
  OP ("shfl"),
  OP ("shl"),
  OP ("shr"),
  OP ("sin"),
  OP ("slct"),
  OP ("sqrt"),
  READS ("st"),
  READS ("stackrestore"),
  OP ("stacksave"),
  READS ("stmatrix"),
  OP ("sub"),
  OP ("subc"),
  OP ("suld"),
  OP ("suq"),
  READS ("sured"),
  READS ("sust"),
  OP ("szext"),
  OP ("tanh"),
  READS ("tcgen05"),
  OP ("tcgen05.ld"),
  READS ("tensormap"),
  OP ("testp"),
  OP ("tex"),
  OP ("tld4"),
  { "trap", IDG_PTX_EXIT, IDG_PTX_READS },
  OP ("txq"),
  OP ("vabsdiff"),
  OP ("vabsdiff2"),
  OP ("vabsdiff4"),
  OP ("vadd"),
  OP ("vadd2"),
  OP ("vadd4"),
  OP ("vavrg2"),
  OP ("vavrg4"),
  OP ("vmad"),
  OP ("vmax"),
  OP ("vmax2"),
  OP ("vmax4"),
  OP ("vmin"),
  OP ("vmin2"),
  OP ("vmin4"),
  OP ("vote"),
  OP ("vset"),
  OP ("vset2"),
  OP ("vset4"),
  OP ("vshl"),
  OP ("vshr"),
  OP ("vsub"),
  OP ("vsub2"),
  OP ("vsub4"),
  READS ("wgmma"),
  { "wgmma.mma_async", IDG_PTX_OP, IDG_PTX_UPDATES },
  OP ("wmma.load"),
  OP ("wmma.mma"),
  READS ("wmma.store"),
  OP ("xor"),
};

typedef struct
{
  const gchar *text;
  gsize length;
} Prefix;

static gint
compare (const void *key, const void *row)
{
  const Prefix *prefix = key;
  const gchar *name = ((const IdgPtxOpcode *)row)->name;
  gint order = strncmp (prefix->text, name, prefix->length);

  return order != 0 ? order : -(name[prefix->length] != '\0');
}

const IdgPtxOpcode *
idg_ptx_opcode_find (const gchar *mnemonic)
{
  const gchar *ends[3]; /* the ends of its first one, two and three words */
  guint n = 0;

  for (const gchar *p = mnemonic; n < G_N_ELEMENTS (ends); p++)
    if (*p == '.' || *p == '\0')
      {
        ends[n++] = p;
        if (*p == '\0')
          break;
      }
  while (n-- > 0)
    {
      Prefix prefix = { mnemonic, (gsize)(ends[n] - mnemonic) };
      const IdgPtxOpcode *row
          = bsearch (&prefix, opcodes, G_N_ELEMENTS (opcodes), sizeof *opcodes, compare);

      if (row)
        return row;
    }
  return NULL;
}

gboolean
idg_ptx_has_word (const gchar *mnemonic, const gchar *word)
{
  gsize length = strlen (word);

  for (const gchar *p = strchr (mnemonic, '.'); p; p = strchr (p + 1, '.'))
    if (strncmp (p + 1, word, length) == 0 && (p[length + 1] == '.' || p[length + 1] == '\0'))
      return TRUE;
  return FALSE;
}

const gchar *
idg_ptx_get_type (const gchar *mnemonic, guint *bytes)
{
  static const struct
  {
    const gchar *name;
    guint bytes;
  } types[] = {
    { "u32", 4 },  { "s32", 4 },   { "b32", 4 },  { "f32", 4 },   { "u64", 8 },
    { "s64", 8 },  { "b64", 8 },   { "f64", 8 },  { "u16", 2 },   { "s16", 2 },
    { "b16", 2 },  { "f16", 2 },   { "u8", 1 },   { "s8", 1 },    { "b8", 1 },
    { "pred", 1 }, { "b128", 16 }, { "bf16", 2 }, { "f16x2", 4 }, { "bf16x2", 4 },
  };
  const gchar *found = NULL;

  for (const gchar *p = mnemonic; p; p = strchr (p + 1, '.'))
    {
      const gchar *word = *p == '.' ? p + 1 : p;
      gsize length = strcspn (word, ".");

      for (guint i = 0; i < G_N_ELEMENTS (types); i++)
        if (strncmp (word, types[i].name, length) == 0 && types[i].name[length] == '\0')
          {
            found = types[i].name;
            if (bytes)
              *bytes = types[i].bytes;
          }
    }
  return found;
}
