/* SPDX-License-Identifier: MIT */
/* The front end for Accel-Sim traces: what a kernel executed on a GPU, warp by warp (Khairy, Shen,
 * Aamodt and Rogers, ISCA 2020).
 *
 *     -kernel name = _Z9vectorAddPKfS0_Pfi ...                                    header
 *     #BEGIN_TB
 *     thread block = 0,0,0
 *     warp = 0
 *     insts = 17
 *     0000 ffffffff 1 R1 MOV 0 0 0
 *     ...
 *     #END_TB
 *
 * A file is read once, line by line; the sequence of a warp is not kept if another warp had the
 * same. */
#include "idg/import/accel/idg-accel.h"
#include "idg/import/flow/idg-carried.h"
#include "idg/xml/idg-xml.h"

#include <string.h>

#define LINES_A_LOOK 16384
/* "Maximum number of 32-bit registers per thread" and "per thread block" of the CUDA C++
 * programming guide, the largest of all compute capabilities. */
#define MAX_REGISTERS_OF_THREAD 255
#define MAX_REGISTERS_OF_BLOCK 65536

typedef struct
{
  IdgImport *import;
  guint64 n_read; /* lines read, for progress */
  IdgAccelLines *lines;
  IdgAccelHeader header;
  IdgAccelLayout layout;
  IdgAccelClasses classes;
  IdgFoldWarps *warps;
  IdgBanks banks;
  guint64 max_blocks; /* how many blocks to read */
  gint64 threads;     /* per block */
  GArray *steps;      /* of IdgFoldStep: the current warp */
  gint64 n_lines;     /* lines of the current warp, including those that execute nothing */
  gint64 n_promised;  /* the number after "insts", or -1 */
  gint promise_line;
  gint64 warp;             /* -1: no warp has begun */
  IdgAccelInstr branch;    /* a branch; the next line tells whether it is taken */
  const IdgAccelOp *turns; /* the branch's op, or NULL if there is none */
  gint branch_line;
  gboolean in_block, has_block, is_over;
  gboolean has_more; /* some warp has more lines than "insts" says */
} Reader;

/* Instructions. */

static gboolean
push_class (Reader *reader, const IdgAccelInstr *instr, const IdgAccelOp *op, const gchar *context,
            gint line, GError **error)
{
  IdgFoldStep step = { .mask = instr->mask };

  step.class = idg_accel_classes_find (&reader->classes, instr, op, context, line);
  if (step.class == IDG_ACCEL_MAX_CLASSES)
    return idg_accel_fail (reader->lines, error,
                           "more than %u different instructions; read fewer blocks (--blocks)",
                           IDG_ACCEL_MAX_CLASSES);
  g_array_append_val (reader->steps, step);
  return TRUE;
}

/* An instruction has 8 bytes before Volta, and there are words with control codes between them: one
 * for each three instructions from Maxwell on, one for each seven on Kepler. */
static gboolean
is_next (const Reader *reader, guint64 pc, guint64 next)
{
  guint64 group = reader->header.binary >= 50 ? 32 : 64;

  if (reader->header.binary >= 70 || reader->header.binary == 0)
    return next - pc == 16 || (reader->header.binary == 0 && next - pc == 8);
  return next - pc == 8 || (next - pc == 16 && (pc + 8) % group == 0);
}

/* Adds the branch that is held back. The instruction at NEXT follows it, or nothing if NEXT is
 * NULL. */
static gboolean
push_branch (Reader *reader, const guint64 *next, GError **error)
{
  const IdgAccelOp *op = reader->turns;
  gboolean falls = next && is_next (reader, reader->branch.pc, *next);

  reader->turns = NULL;
  return !op
         || push_class (reader, &reader->branch, op, falls ? "not-taken" : NULL,
                        reader->branch_line, error);
}

static gboolean
push_instr (Reader *reader, const IdgAccelInstr *instr, GError **error)
{
  IdgAccelOp *op = idg_accel_classes_find_op (&reader->classes, instr->opcode);
  gint line = idg_accel_lines_get_number (reader->lines);
  gchar context[IDG_CONTEXT_CHARS];

  if (!op->known && reader->import->strict_names)
    return idg_accel_fail (reader->lines, error, "unknown instruction %s", op->opcode);
  if (!op->known && !op->is_noted)
    idg_import_note (reader->import, idg_accel_lines_get_file (reader->lines), line,
                     "unknown instruction %s, taken as %s", op->opcode, op->sass.op);
  op->is_noted = TRUE;
  if (op->sass.op && strcmp (op->sass.op, "bra") == 0)
    {
      reader->branch = *instr;
      reader->branch_line = line;
      reader->turns = op;
      return TRUE;
    }
  return push_class (reader, instr, op,
                     idg_accel_find_context (instr, op, &reader->banks, context) ? context : NULL,
                     line, error);
}

static gboolean
read_instr (Reader *reader, gchar *line, GError **error)
{
  IdgAccelInstr instr;
  g_autofree gchar *problem = NULL;

  if (!reader->in_block)
    return idg_accel_fail (
        reader->lines, error,
        "an instruction outside of #BEGIN_TB and #END_TB; a .trace as the tracer "
        "writes it has to be grouped first, by post-traces-processing");
  if (reader->warp < 0)
    return idg_accel_fail (reader->lines, error, "an instruction before \"warp = N\"");
  if (!idg_accel_parse (line, &reader->layout, &instr, &problem))
    return idg_accel_fail (reader->lines, error, "%s", problem);
  reader->n_lines++;
  if (!push_branch (reader, &instr.pc, error))
    return FALSE;
  return instr.mask == 0 || push_instr (reader, &instr, error);
}

/* Blocks and warps. */

static gboolean
end_warp (Reader *reader, GError **error)
{
  const gchar *problem = NULL;
  gint64 warp = reader->warp;

  if (warp < 0)
    return TRUE;
  if (!push_branch (reader, NULL, error))
    return FALSE;
  reader->warp = -1;
  if (reader->n_promised > reader->n_lines)
    return idg_import_fail (
        idg_accel_lines_get_file (reader->lines), reader->promise_line, IDG_ERROR_SYNTAX, error,
        "insts = %" G_GINT64_FORMAT ", and %" G_GINT64_FORMAT " lines follow; lines are missing",
        reader->n_promised, reader->n_lines);
  if (reader->n_promised >= 0 && reader->n_promised < reader->n_lines && !reader->has_more)
    {
      reader->has_more = TRUE;
      idg_import_note (reader->import, idg_accel_lines_get_file (reader->lines),
                       reader->promise_line,
                       "insts = %" G_GINT64_FORMAT ", and %" G_GINT64_FORMAT
                       " lines follow; all lines count, here and in other warps",
                       reader->n_promised, reader->n_lines);
    }
  if (idg_fold_warps_add (reader->warps, (guint32)warp,
                          (const IdgFoldStep *)(void *)reader->steps->data, reader->steps->len,
                          &problem))
    return TRUE;
  return idg_accel_fail (reader->lines, error, "warp %" G_GINT64_FORMAT ": %s", warp, problem);
}

static gboolean
begin_warp (Reader *reader, const gchar *value, GError **error)
{
  guint64 warp, n = (guint64)(reader->threads + IDG_LANES - 1) / IDG_LANES;
  g_autofree gchar *quoted = NULL;

  if (!end_warp (reader, error))
    return FALSE;
  if (!reader->has_block)
    return idg_accel_fail (reader->lines, error, "a warp before \"thread block = X,Y,Z\"");
  if (!idg_xml_parse_whole (value, n - 1, &warp))
    {
      quoted = idg_xml_quote (value);
      return idg_accel_fail (reader->lines, error,
                             "warp = %s; must be a whole number below %" G_GUINT64_FORMAT
                             ", as a block has %" G_GINT64_FORMAT " threads",
                             quoted, n, reader->threads);
    }
  reader->warp = (gint64)warp;
  reader->n_lines = 0;
  reader->n_promised = -1;
  g_array_set_size (reader->steps, 0);
  return TRUE;
}

static gboolean
read_promise (Reader *reader, const gchar *value, GError **error)
{
  guint64 n;
  g_autofree gchar *quoted = NULL;

  if (reader->warp >= 0 && idg_xml_parse_whole (value, G_MAXINT64, &n))
    {
      reader->n_promised = (gint64)n;
      reader->promise_line = idg_accel_lines_get_number (reader->lines);
      return TRUE;
    }
  quoted = idg_xml_quote (value);
  return idg_accel_fail (reader->lines, error,
                         reader->warp >= 0 ? "insts = %s; must be a whole number"
                                           : "insts = %s before \"warp = N\"",
                         quoted);
}

static gboolean
read_block (Reader *reader, const gchar *value, GError **error)
{
  const gint64 *grid = reader->header.grid;
  gint64 place[3];
  g_autofree gchar *quoted = NULL;

  if (reader->has_block)
    return idg_accel_fail (reader->lines, error, "a second block before #END_TB");
  if (!idg_accel_parse_triple (value, IDG_MAX_BLOCKS, place) || place[0] >= grid[0]
      || place[1] >= grid[1] || place[2] >= grid[2])
    {
      quoted = idg_xml_quote (value);
      return idg_accel_fail (
          reader->lines, error,
          "thread block = %s; must be X,Y,Z within the grid of (%" G_GINT64_FORMAT
          ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ") blocks",
          quoted, grid[0], grid[1], grid[2]);
    }
  reader->has_block = TRUE;
  if (idg_fold_warps_begin_block (reader->warps,
                                  (guint64)((place[2] * grid[1] + place[1]) * grid[0] + place[0])))
    return TRUE;
  return idg_accel_fail (reader->lines, error, "thread block = %s occurs a second time", value);
}

/* Makes what depends on the header, which is complete. */
static gboolean
end_header (Reader *reader, GError **error)
{
  const IdgAccelHeader *header = &reader->header;

  if (reader->warps)
    return TRUE;
  if (!idg_accel_header_check (header, reader->lines, error))
    return FALSE;
  if (header->version > 5)
    idg_import_note (reader->import, idg_accel_lines_get_file (reader->lines), 0,
                     "tracer version %" G_GINT64_FORMAT
                     "; 1 to 5 are known, and what later ones add at the end of lines is ignored",
                     header->version);
  reader->threads = header->block[0] * header->block[1] * header->block[2];
  reader->warps = idg_fold_warps_new (&reader->classes.fold,
                                      (guint32)((reader->threads + IDG_LANES - 1) / IDG_LANES));
  idg_accel_layout_init (&reader->layout, header);
  return TRUE;
}

static gboolean
begin_block (Reader *reader, GError **error)
{
  if (reader->in_block)
    return idg_accel_fail (reader->lines, error, "#BEGIN_TB before #END_TB");
  reader->in_block = TRUE;
  reader->has_block = FALSE;
  return end_header (reader, error);
}

static gboolean
end_block (Reader *reader, GError **error)
{
  if (!reader->in_block)
    return idg_accel_fail (reader->lines, error, "#END_TB without #BEGIN_TB");
  if (!end_warp (reader, error))
    return FALSE;
  if (!reader->has_block)
    return idg_accel_fail (reader->lines, error, "#END_TB before \"thread block = X,Y,Z\"");
  reader->in_block = reader->has_block = FALSE;
  reader->is_over = idg_fold_warps_count_blocks (reader->warps) == reader->max_blocks;
  return TRUE;
}

/* Returns the value if LINE is "KEY = value"; blanks around the "=" may be missing. */
static const gchar *
get_value (const gchar *line, const gchar *key)
{
  if (!g_str_has_prefix (line, key))
    return NULL;
  line += strlen (key);
  line += strspn (line, " \t");
  if (*line != '=')
    return NULL;
  line++;
  return line + strspn (line, " \t");
}

static gboolean
is_mark (const gchar *line, const gchar *mark)
{
  gsize length = strlen (mark);

  return strncmp (line, mark, length) == 0 && strchr (" \t", line[length]);
}

static gboolean
read_line (Reader *reader, gchar *line, GError **error)
{
  const gchar *value;

  if (is_mark (line, "#BEGIN_TB"))
    return begin_block (reader, error);
  if (is_mark (line, "#END_TB"))
    return end_block (reader, error);
  if (*line == '\0' || *line == '#')
    return TRUE;
  if (*line == '-' && !reader->warps)
    return idg_accel_header_read (&reader->header, reader->lines, line, error);
  if (g_ascii_isalpha (*line) && reader->in_block)
    {
      if ((value = get_value (line, "thread block")))
        return read_block (reader, value, error);
      if ((value = get_value (line, "warp")))
        return begin_warp (reader, value, error);
      if ((value = get_value (line, "insts")))
        return read_promise (reader, value, error);
      if (is_mark (line, "cluster"))
        return TRUE;
    }
  return read_instr (reader, line, error);
}

static void
report_progress (Reader *reader)
{
  if (reader->import->progress != NULL && ++reader->n_read % LINES_A_LOOK == 0)
    reader->import->progress (reader->import->progress_data,
                              idg_accel_lines_get_share (reader->lines), reader->n_read);
}

static gboolean
read_lines (Reader *reader, GError **error)
{
  GError *problem = NULL;
  gchar *line;

  while (!reader->is_over && (line = idg_accel_lines_next (reader->lines, &problem)))
    {
      report_progress (reader);
      if (!read_line (reader, line, error))
        return FALSE;
    }
  if (problem)
    {
      g_propagate_error (error, problem);
      return FALSE;
    }
  if (reader->in_block)
    return idg_accel_fail (reader->lines, error,
                           "the file ends within a block; #END_TB was expected");
  if (!reader->warps || idg_fold_warps_count_blocks (reader->warps) == 0)
    return idg_import_fail (
        idg_accel_lines_get_file (reader->lines), 0, IDG_ERROR_SYNTAX, error,
        "has no block; a trace has a header and blocks from #BEGIN_TB to #END_TB");
  return TRUE;
}

/* The kernel. */

static void
note_missing (Reader *reader, guint64 n_blocks, guint64 n_warps)
{
  const gint64 *grid = reader->header.grid;
  guint64 all = (guint64)(grid[0] * grid[1] * grid[2]);
  const gchar *file = idg_accel_lines_get_file (reader->lines);

  if (n_blocks < all && !reader->is_over)
    idg_import_note (reader->import, file, 0,
                     "has %" G_GUINT64_FORMAT " blocks of a grid of %" G_GUINT64_FORMAT
                     "; the launch has only those, in their order",
                     n_blocks, all);
  if (n_warps > 0)
    idg_import_note (reader->import, file, 0,
                     "%" G_GUINT64_FORMAT
                     " warps of its blocks are not in it; they are taken to execute nothing",
                     n_warps);
}

/* Says where a header has more registers than a thread or a block can have. */
static void
note_registers (Reader *reader)
{
  gint64 registers = reader->header.registers;

  if (registers > MAX_REGISTERS_OF_THREAD)
    idg_import_note (reader->import, idg_accel_lines_get_file (reader->lines), 0,
                     "nregs = %" G_GINT64_FORMAT
                     ": no GPU has more than %d registers for a thread; --registers sets them",
                     registers, MAX_REGISTERS_OF_THREAD);
  else if (registers * reader->threads > MAX_REGISTERS_OF_BLOCK)
    idg_import_note (reader->import, idg_accel_lines_get_file (reader->lines), 0,
                     "nregs = %" G_GINT64_FORMAT ": a block of %" G_GINT64_FORMAT
                     " threads would need %" G_GINT64_FORMAT
                     " registers, and no GPU has more than %d for one; --registers sets them",
                     registers, (gint64)reader->threads, registers * (gint64)reader->threads,
                     MAX_REGISTERS_OF_BLOCK);
}

static void
set_title (IdgKernel *kernel, const IdgAccelHeader *header)
{
  g_autofree gchar *called = header->name != NULL ? idg_import_make_title (header->name) : NULL;
  g_autofree gchar *traced
      = header->binary ? g_strdup_printf ("traced on sm_%" G_GINT64_FORMAT, header->binary) : NULL;

  if (called != NULL && traced != NULL)
    kernel->title = g_strdup_printf ("%s, %s", called, traced);
  else
    kernel->title = called != NULL ? g_steal_pointer (&called) : g_steal_pointer (&traced);
}

static IdgKernel *
make_kernel (Reader *reader, GError **error)
{
  const IdgAccelHeader *header = &reader->header;
  const gchar *file = idg_accel_lines_get_file (reader->lines);
  g_autofree gchar *name = header->name ? idg_import_make_name (reader->import, file, header->name)
                                        : g_strdup ("trace");
  g_autoptr (IdgKernel) kernel = idg_kernel_new (name);
  guint64 n_missing;

  kernel->file = g_strdup (file);
  kernel->nearest_ops = TRUE;
  kernel->launch = (IdgLaunch){ .blocks = (gint64)idg_fold_warps_count_blocks (reader->warps),
                                .threads = reader->threads,
                                .registers = header->registers,
                                .shared_memory = header->shared_memory };
  if (reader->import->registers >= 0)
    kernel->launch.registers = reader->import->registers;
  else
    note_registers (reader);
  if (reader->import->shared_memory >= 0)
    kernel->launch.shared_memory = reader->import->shared_memory;
  set_title (kernel, header);
  if (!idg_fold_warps_finish (reader->warps, kernel, 2 * (guint64)IDG_FOLD_MAX_NODES, &n_missing))
    {
      idg_import_fail (
          kernel->file, 0, IDG_ERROR_VALUE, error,
          "the warps of its blocks run so many different programs that there is no room "
          "for them; read fewer blocks (--blocks)");
      return NULL;
    }
  note_missing (reader, (guint64)kernel->launch.blocks, n_missing);
  idg_kernel_add_trace_warnings (kernel);
  return g_steal_pointer (&kernel);
}

/* Rejects options about things that a trace itself determines. */
static gboolean
check_options (const Reader *reader, GError **error)
{
  const IdgImport *import = reader->import;
  const gchar *file = idg_accel_lines_get_file (reader->lines);
  const gchar *option = NULL;

  if (import->trips->len > 0)
    option = "--trip";
  else if (import->branches->len > 0)
    option = "--branch";
  else if (import->contexts->len > 0)
    option = "--context";
  else if (import->ptxas_log)
    option = "--ptxas-log";
  if (option)
    return idg_import_fail (file, 0, IDG_ERROR_VALUE, error,
                            "%s is for listings; a trace already says what was executed", option);
  return TRUE;
}

static gboolean
check_launch (const Reader *reader, GError **error)
{
  const IdgImport *import = reader->import;
  const gchar *file = idg_accel_lines_get_file (reader->lines);
  guint64 n_blocks = idg_fold_warps_count_blocks (reader->warps);

  if (reader->max_blocks > n_blocks)
    return idg_import_fail (file, 0, IDG_ERROR_VALUE, error,
                            "has %" G_GUINT64_FORMAT " blocks; --blocks %" G_GUINT64_FORMAT
                            " cannot be more",
                            n_blocks, reader->max_blocks);
  if (import->threads >= 0 && import->threads != reader->threads)
    return idg_import_fail (file, 0, IDG_ERROR_VALUE, error,
                            "was traced with blocks of %" G_GINT64_FORMAT
                            " threads; --threads cannot change that",
                            reader->threads);
  return TRUE;
}

static gboolean
is_asked_for (const Reader *reader, GError **error)
{
  const IdgAccelHeader *header = &reader->header;
  const gchar *entry = reader->import->entry;
  const gchar *file = idg_accel_lines_get_file (reader->lines);

  if (!entry || idg_accel_is_kernel (file, header->id, header->name, entry))
    return TRUE;
  return idg_import_fail (file, 0, IDG_ERROR_VALUE, error,
                          "no kernel in it is called \"%s\"; there is %" G_GINT64_FORMAT " %s",
                          entry, header->id, header->name ? header->name : "without a name");
}

static void
init_reader (Reader *reader, IdgImport *import, IdgAccelLines *lines)
{
  *reader = (Reader){ .import = import, .lines = lines, .warp = -1 };
  if (import->blocks > 0)
    reader->max_blocks = (guint64)import->blocks;
  idg_accel_header_init (&reader->header);
  idg_accel_classes_init (&reader->classes);
  reader->steps = g_array_new (FALSE, FALSE, sizeof (IdgFoldStep));
}

static void
clear_reader (Reader *reader)
{
  idg_accel_header_clear (&reader->header);
  idg_fold_warps_free (reader->warps);
  idg_accel_classes_clear (&reader->classes);
  g_array_unref (reader->steps);
}

static IdgKernel *
read_kernel (IdgAccelLines *lines, IdgImport *import, GError **error)
{
  Reader reader;
  IdgKernel *kernel = NULL;

  init_reader (&reader, import, lines);
  if (!idg_banks_parse (import->banks ? import->banks : "32x4", &reader.banks))
    idg_import_fail (idg_accel_lines_get_file (lines), 0, IDG_ERROR_VALUE, error,
                     "--banks %s; must be 32x4, 16x4 or 32x8", import->banks);
  else if (check_options (&reader, error) && read_lines (&reader, error)
           && is_asked_for (&reader, error) && check_launch (&reader, error))
    kernel = make_kernel (&reader, error);
  clear_reader (&reader);
  return kernel;
}

IdgKernel *
idg_accel_parse_memory (const gchar *data, gsize length, const gchar *name, IdgImport *import,
                        GError **error)
{
  g_autoptr (IdgAccelLines) lines = idg_accel_lines_open_memory (data, length, name, error);

  return lines ? read_kernel (lines, import, error) : NULL;
}

static IdgKernel *
load (const gchar *path, IdgImport *import, GError **error)
{
  g_autofree gchar *file = NULL;
  g_autoptr (IdgAccelLines) lines = NULL;
  gboolean is_list = idg_accel_is_list (path);
  gchar *entry;
  IdgKernel *kernel;

  file = is_list ? idg_accel_choose_kernel (path, import, error) : g_strdup (path);
  if (!file)
    return NULL;
  lines = idg_accel_lines_open (file, error);
  if (!lines)
    return NULL;
  if (!is_list)
    return read_kernel (lines, import, error);
  entry = g_steal_pointer (&import->entry); /* chosen already, maybe by its name in a list */
  kernel = read_kernel (lines, import, error);
  import->entry = entry;
  return kernel;
}

/* Recognizes compression; only traces may be compressed. */
static gboolean
is_compressed (const gchar *head, gsize length)
{
  return length >= 6
         && (memcmp (head, "\x1f\x8b", 2) == 0
             || memcmp (head,
                        "\xfd"
                        "7zXZ\0",
                        6)
                    == 0);
}

static gboolean
has_line (const gchar *head, gsize length, const gchar *begin)
{
  gsize n = strlen (begin);

  for (gsize i = 0; i + n <= length; i++)
    if ((i == 0 || head[i - 1] == '\n') && memcmp (head + i, begin, n) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
recognize (const gchar *path, const gchar *head, gsize length)
{
  g_autofree gchar *base = g_path_get_basename (path);

  return idg_accel_is_list (path) || g_str_has_suffix (base, ".traceg")
         || is_compressed (head, length) || has_line (head, length, "-kernel name =")
         || has_line (head, length, "-grid dim =") || has_line (head, length, "#BEGIN_TB");
}

const IdgFrontend idg_frontend_trace
    = { "trace", "Accel-Sim traces: kernelslist.g, kernel-*.traceg, plain, gzip or xz", recognize,
        load };
