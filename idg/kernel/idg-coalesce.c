/* SPDX-License-Identifier: MIT */
/* Implements all rules on pieces: a piece is what one lane accesses within one sector of 32 bytes.
 * An aligned access of up to 32 bytes is one piece, any other is two, so that no transaction splits
 * a piece, since transactions consist of whole sectors. Sets are sorted arrays, searched linearly:
 * they never have more than 64 elements. */
#include "idg/kernel/idg-coalesce.h"

#include <stdio.h>
#include <string.h>

#define SECTOR 32
#define LINE 128
#define HALF (IDG_LANES / 2)
#define MAX_PIECES (2 * IDG_LANES)

typedef struct
{
  uint64_t first, last; /* bytes */
  uint32_t lane;
} Piece;

static uint64_t
align_down (uint64_t address, uint32_t unit)
{
  return address - address % unit;
}

static bool
is_active (const IdgAccess *access, uint32_t lane)
{
  return access->mask >> lane & 1;
}

static uint32_t
get_bytes (const IdgAccess *access)
{
  return access->bytes > IDG_MAX_LANE_BYTES ? IDG_MAX_LANE_BYTES : access->bytes;
}

/* Returns the last byte of ACCESS's LANE, without wrapping around. */
static uint64_t
get_last (const IdgAccess *access, uint32_t lane)
{
  uint64_t first = access->addresses[lane], more = get_bytes (access) - 1;

  return first > UINT64_MAX - more ? UINT64_MAX : first + more;
}

/* Collects the pieces of lanes FROM up to TO, in the order of the lanes. */
static uint32_t
collect (const IdgAccess *access, uint32_t from, uint32_t to, Piece pieces[MAX_PIECES])
{
  uint32_t n = 0;

  for (uint32_t lane = from; lane < to && access->bytes > 0; lane++)
    {
      uint64_t first, last, cut;

      if (!is_active (access, lane))
        continue;
      first = access->addresses[lane];
      last = get_last (access, lane);
      cut = align_down (last, SECTOR);
      if (first < cut)
        {
          pieces[n++] = (Piece){ first, cut - 1, lane };
          first = cut;
        }
      pieces[n++] = (Piece){ first, last, lane };
    }
  return n;
}

/* ---- Fermi and later ---- */

/* Adds the block of UNIT bytes around PIECE to the N blocks, sorted by address. If the block is
 * there already, it only gets another lane. Returns the new number of blocks. */
static uint32_t
add_block (IdgTransaction *blocks, uint32_t n, const Piece *piece, uint32_t unit)
{
  uint64_t address = align_down (piece->first, unit);
  uint32_t i = n;

  while (i > 0 && blocks[i - 1].address > address)
    i--;
  if (i == 0 || blocks[i - 1].address != address)
    {
      memmove (&blocks[i + 1], &blocks[i], (n - i) * sizeof *blocks);
      blocks[i++] = (IdgTransaction){ address, unit, 0 };
      n++;
    }
  blocks[i - 1].lanes |= UINT32_C (1) << piece->lane;
  return n;
}

static uint32_t
find_blocks (const IdgAccess *access, uint32_t unit, IdgTransaction *blocks)
{
  Piece pieces[MAX_PIECES];
  uint32_t n_pieces = collect (access, 0, IDG_LANES, pieces), n = 0;

  for (uint32_t i = 0; i < n_pieces; i++)
    n = add_block (blocks, n, &pieces[i], unit);
  return n;
}

/* ---- G80 ---- */

/* Tells whether each active lane of the half-warp from FROM on accesses the word of its own number
 * in an aligned segment. */
static bool
is_in_sequence (const IdgAccess *access, uint32_t from)
{
  uint32_t bytes = access->bytes, unit = bytes == 4 ? LINE / 2 : LINE;
  bool found = false;
  uint64_t base = 0;

  if (bytes != 4 && bytes != 8 && bytes != 16)
    return false;
  for (uint32_t k = 0; k < HALF; k++)
    {
      uint64_t address = access->addresses[from + k], offset = (uint64_t)k * bytes;

      if (!is_active (access, from + k))
        continue;
      if (address < offset || (found && address - offset != base))
        return false;
      base = address - offset;
      found = true;
    }
  return base % unit == 0;
}

static uint32_t
serve_g80 (const IdgAccess *access, uint32_t from, IdgTransaction *transactions, uint32_t n)
{
  uint32_t unit = access->bytes == 4 ? LINE / 2 : LINE, before = n;
  bool in_sequence = is_in_sequence (access, from);
  Piece pieces[MAX_PIECES];
  uint32_t n_pieces = collect (access, from, from + HALF, pieces);

  for (uint32_t i = 0; i < n_pieces; i++)
    if (in_sequence)
      n = before + add_block (&transactions[before], n - before, &pieces[i], unit);
    else
      transactions[n++] = (IdgTransaction){ align_down (pieces[i].first, SECTOR), SECTOR,
                                            UINT32_C (1) << pieces[i].lane };
  return n;
}

/* ---- GT200 ---- */

/* Halves TRANSACTION as long as one half of it contains all bytes that are accessed, FIRST to LAST.
 */
static void
reduce (IdgTransaction *transaction, uint64_t first, uint64_t last)
{
  while (transaction->bytes > SECTOR)
    {
      uint32_t half = transaction->bytes / 2;
      uint64_t middle = transaction->address + half;

      if (first < middle && last >= middle)
        return;
      transaction->bytes = half;
      if (first >= middle)
        transaction->address = middle;
    }
}

static uint32_t
serve_gt200 (const IdgAccess *access, uint32_t from, IdgTransaction *transactions, uint32_t n)
{
  uint32_t unit = access->bytes == 1 ? SECTOR : access->bytes == 2 ? LINE / 2 : LINE;
  Piece pieces[MAX_PIECES];
  uint32_t n_pieces = collect (access, from, from + HALF, pieces);

  while (n_pieces > 0)
    {
      IdgTransaction made = { align_down (pieces[0].first, unit), unit, 0 };
      uint64_t first = pieces[0].first, last = pieces[0].last;
      uint32_t left = 0;

      for (uint32_t i = 0; i < n_pieces; i++)
        if (align_down (pieces[i].first, unit) != made.address)
          pieces[left++] = pieces[i];
        else
          {
            made.lanes |= UINT32_C (1) << pieces[i].lane;
            first = pieces[i].first < first ? pieces[i].first : first;
            last = pieces[i].last > last ? pieces[i].last : last;
          }
      reduce (&made, first, last);
      transactions[n++] = made;
      n_pieces = left;
    }
  return n;
}

/* ---- Global memory ---- */

const char *
idg_rules_get_name (IdgRules rules)
{
  static const char *const names[IDG_N_RULES] = { "g80", "gt200", "fermi", "later" };

  return names[rules];
}

uint32_t
idg_coalesce (const IdgAccess *access, IdgRules rules,
              IdgTransaction transactions[IDG_MAX_TRANSACTIONS])
{
  uint32_t n = 0;

  switch (rules)
    {
    case IDG_RULES_G80:
      n = serve_g80 (access, 0, transactions, n);
      return serve_g80 (access, HALF, transactions, n);
    case IDG_RULES_GT200:
      n = serve_gt200 (access, 0, transactions, n);
      return serve_gt200 (access, HALF, transactions, n);
    case IDG_RULES_FERMI:
      return find_blocks (access, LINE, transactions);
    case IDG_RULES_LATER:
    default:
      return find_blocks (access, SECTOR, transactions);
    }
}

/* ---- Shared memory ---- */

bool
idg_banks_parse (const char *text, IdgBanks *banks)
{
  static const struct
  {
    const char *text;
    IdgBanks banks;
  } known[] = { { "32x4", { 32, 4 } }, { "16x4", { 16, 4 } }, { "32x8", { 32, 8 } } };

  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp (text, known[i].text) == 0)
      {
        *banks = known[i].banks;
        return true;
      }
  return false;
}

/* Lanes that are served together, and which of their bytes are. */
typedef struct
{
  uint32_t number, from, to; /* lanes FROM up to TO */
  uint32_t offset, end;
} Part;

/* Adds a word that LANE gets in PART to the N words. Returns their new number. */
static uint32_t
add_word (const IdgBanks *banks, const Part *part, uint32_t lane, uint64_t index, IdgWord *words,
          uint32_t n)
{
  uint64_t address = index * banks->width;
  uint32_t bank = (uint32_t)(index % banks->banks), pass = 0, i = n;

  while (i > 0 && words[i - 1].part == part->number)
    {
      i--;
      if (words[i].address == address)
        {
          words[i].lanes |= UINT32_C (1) << lane;
          return n;
        }
      pass += words[i].bank == bank;
    }
  words[n] = (IdgWord){ address, bank, part->number, pass, UINT32_C (1) << lane };
  return n + 1;
}

static uint32_t
add_words (const IdgAccess *access, const IdgBanks *banks, const Part *part, IdgWord *words,
           uint32_t n)
{
  for (uint32_t lane = part->from; lane < part->to; lane++)
    {
      uint64_t first, last;

      if (!is_active (access, lane))
        continue;
      first = access->addresses[lane];
      last = get_last (access, lane);
      if (last - first < part->offset)
        continue;
      last = last - first >= part->end ? first + part->end - 1 : last;
      for (uint64_t index = (first + part->offset) / banks->width; index <= last / banks->width;
           index++)
        n = add_word (banks, part, lane, index, words, n);
    }
  return n;
}

/* Returns how many lanes are served together, and how many bytes of each. */
static Part
get_first_part (const IdgAccess *access, const IdgBanks *banks)
{
  Part part = { 0, 0, IDG_LANES, 0, get_bytes (access) };

  if (banks->banks < IDG_LANES)
    {
      part.to = HALF;
      part.end = banks->width;
    }
  else
    while (part.to > 1 && part.to * part.end > banks->banks * banks->width)
      part.to /= 2;
  return part;
}

/* Counts the passes of each part. Words are sorted by part, and the passes of each part begin at 0.
 */
static void
count_passes (const IdgWord *words, uint32_t n, uint32_t parts_of_half, IdgConflict *conflict)
{
  uint32_t halves[2] = { 0, 0 };

  for (uint32_t i = 0; i < n;)
    {
      uint32_t part = words[i].part, degree = 0;

      for (; i < n && words[i].part == part; i++)
        degree = words[i].pass >= degree ? words[i].pass + 1 : degree;
      conflict->degree = degree > conflict->degree ? degree : conflict->degree;
      halves[part >= parts_of_half] += degree;
    }
  conflict->passes = halves[0] + halves[1];
  conflict->factor = halves[0] > halves[1] ? halves[0] : halves[1];
}

IdgConflict
idg_coalesce_shared (const IdgAccess *access, const IdgBanks *banks, IdgWord words[IDG_MAX_WORDS],
                     uint32_t *n_words)
{
  IdgConflict conflict = { 0, 0, 0, 0, 0 };
  IdgWord own[IDG_MAX_WORDS], *found = words ? words : own;
  const Part first = get_first_part (access, banks);
  uint32_t n = 0;

  conflict.lanes_of_part = first.to;
  for (uint32_t from = 0; from < IDG_LANES; from += first.to)
    for (uint32_t offset = 0; offset < get_bytes (access); offset += first.end)
      {
        const Part part = { conflict.parts++, from, from + first.to, offset, offset + first.end };

        n = add_words (access, banks, &part, found, n);
      }
  count_passes (found, n, conflict.parts / 2, &conflict);
  if (banks->banks >= IDG_LANES)
    conflict.factor = conflict.passes;
  if (n_words)
    *n_words = n;
  return conflict;
}

/* ---- Contexts ---- */

/* Tells whether the N characters at PART are NAME, or NAME followed by "::" and more. */
static bool
is_part (const char *part, size_t n, const char *name)
{
  size_t length = strlen (name);

  return n >= length && strncmp (part, name, length) == 0
         && (n == length || strncmp (part + length, "::", 2) == 0);
}

static bool
is_one_of (const char *part, size_t n, const char *const names[])
{
  for (; *names != NULL; names++)
    if (is_part (part, n, *names))
      return true;
  return false;
}

IdgSpace
idg_coalesce_get_space (const char *op)
{
  static const char *const accesses[]
      = { "ld", "ldu", "st", "atom", "red", "cp", "ldmatrix", "stmatrix", NULL };
  static const char *const generic[] = { "ld", "ldu", "st", "atom", "red", NULL };
  /* Spaces in which all lanes use one address, or in which the cost does not depend on it. */
  static const char *const others[] = { "param", "const", "local", "bulk", NULL };
  size_t n = strcspn (op, ".");
  IdgSpace space = is_one_of (op, n, generic) ? IDG_SPACE_GLOBAL : IDG_SPACE_NONE;

  if (!is_one_of (op, n, accesses))
    return IDG_SPACE_NONE;
  for (const char *part = op + n; *part == '.'; part += n)
    {
      part++;
      n = strcspn (part, ".");
      if (is_one_of (part, n, others))
        return IDG_SPACE_NONE;
      if (is_part (part, n, "global"))
        return IDG_SPACE_GLOBAL; /* cp.async, too: it reads global memory */
      if (is_part (part, n, "shared"))
        space = IDG_SPACE_SHARED;
    }
  return space;
}

/* Tells whether more than half of the distances between consecutive active lanes are distinct. */
static bool
is_unstructured (const IdgAccess *access)
{
  uint64_t steps[IDG_LANES], previous = 0;
  uint32_t n = 0, n_lanes = 0;

  for (uint32_t lane = 0; lane < IDG_LANES; lane++)
    {
      uint64_t step = access->addresses[lane] - previous; /* modulo 2^64 */
      uint32_t i = 0;

      if (!is_active (access, lane))
        continue;
      previous = access->addresses[lane];
      if (n_lanes++ == 0)
        continue;
      while (i < n && steps[i] != step)
        i++;
      if (i == n)
        steps[n++] = step;
    }
  return n_lanes > 1 && 2 * n > n_lanes - 1;
}

bool
idg_coalesce_get_global_context (const IdgAccess *access, char context[IDG_CONTEXT_CHARS])
{
  IdgTransaction transactions[IDG_MAX_TRANSACTIONS];
  uint32_t lines = idg_coalesce (access, IDG_RULES_FERMI, transactions);
  uint32_t sectors = idg_coalesce (access, IDG_RULES_LATER, transactions);

  context[0] = '\0';
  /* An op's own figure is for lanes of 4 bytes; that of another width follows from it for lanes
   * that follow one another, and need not be what these addresses make. */
  if (sectors == 0 || (sectors == LINE / SECTOR && access->bytes == 4))
    return false;
  if (lines * lines > 8 * sectors && is_unstructured (access))
    strcpy (context, "random");
  else
    snprintf (context, IDG_CONTEXT_CHARS, "sectors-%u", sectors);
  return true;
}

bool
idg_coalesce_get_shared_context (const IdgAccess *access, const IdgBanks *banks,
                                 char context[IDG_CONTEXT_CHARS])
{
  IdgConflict conflict = idg_coalesce_shared (access, banks, NULL, NULL);

  context[0] = '\0';
  if (conflict.factor <= 1)
    return false;
  snprintf (context, IDG_CONTEXT_CHARS, "conflict-%u", conflict.factor);
  return true;
}

bool
idg_coalesce_get_context (const char *op, const IdgAccess *access, const IdgBanks *banks,
                          char context[IDG_CONTEXT_CHARS])
{
  context[0] = '\0';
  switch (idg_coalesce_get_space (op))
    {
    case IDG_SPACE_GLOBAL:
      return idg_coalesce_get_global_context (access, context);
    case IDG_SPACE_SHARED:
      return idg_coalesce_get_shared_context (access, banks, context);
    case IDG_SPACE_NONE:
    default:
      return false;
    }
}
