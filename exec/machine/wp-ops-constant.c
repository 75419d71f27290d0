/* SPDX-License-Identifier: MIT */
/* Constants at computed places of a bank: LDC, and ULDC and LDCU for uniform registers. */
#include "exec/machine/wp-address.h"
#include "exec/machine/wp-bank.h"
#include "exec/machine/wp-progression.h"

enum
{
  BYTES,
  IS_SIGNED
};

static const WpBank *
get_bank (const WpWarp *warp, const WpStep *step)
{
  const WpSassOperand *operand = step->data;

  return &warp->block->grid->banks[operand->number];
}

static void
fail (WpWarp *warp, const WpStep *step, guint lane, guint64 offset)
{
  const WpSassOperand *operand = step->data;

  wp_warp_fail (warp, step, lane,
                "%u bytes at 0x%" G_GINT64_MODIFIER "x of constant bank %u are beyond its end: it "
                "has %" G_GSIZE_FORMAT,
                step->mode[BYTES], offset, operand->number, get_bank (warp, step)->size);
}

/* Offsets are of 32 bits, those that are unknown 0, which reads something, and is noted. */
static void
get_offsets (WpWarp *warp, const WpStep *step, guint32 mask, WpAddresses *addresses)
{
  wp_addresses_get (warp, step->data, FALSE, addresses);
  if ((addresses->unknown & mask) == 0)
    return;
  wp_warp_note (warp, step, WP_NOTE_ADDRESS, addresses->tag);
  for (guint lane = 0; lane < WP_LANES; lane++)
    if (addresses->unknown >> lane & 1)
      addresses->lanes[lane] = 0;
}

static void
run_load (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const guint n = MAX (1, step->mode[BYTES] / 4);
  const WpBank *bank = get_bank (warp, step);
  WpAddresses addresses;
  WpTag all = 0, tag;

  get_offsets (warp, step, mask, &addresses);
  for (guint32 left = mask; left != 0; left &= left - 1)
    {
      const guint lane = (guint)__builtin_ctz (left);
      guint32 words[4], unknown;

      if (!wp_bank_read (bank, addresses.lanes[lane], step->mode[BYTES], step->mode[IS_SIGNED] != 0,
                         words, &unknown, &tag))
        {
          fail (warp, step, lane, addresses.lanes[lane]);
          return;
        }
      if (addresses.unknown >> lane & 1)
        unknown = 15;
      all = wp_tag_join (all, tag);
      for (guint k = 0; k < n; k++)
        {
          warp->r[step->dest + k][lane] = words[k];
          warp->r_unknown[step->dest + k]
              = (warp->r_unknown[step->dest + k] & ~(1u << lane)) | (unknown >> k & 1) << lane;
        }
    }
  wp_warp_set_loaded (warp, step->dest, n, mask,
                      addresses.unknown & mask ? wp_tag_join (all, addresses.tag) : all);
}

/* At a place that is always the same. */
static void
run_load_fixed (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const WpSassOperand *operand = step->data;
  guint32 words[4], unknown;
  WpTag tag;

  if (mask != WP_ALL_LANES
      || !wp_bank_read (get_bank (warp, step), (guint32)operand->value, step->mode[BYTES],
                        step->mode[IS_SIGNED] != 0, words, &unknown, &tag)
      || unknown != 0)
    {
      run_load (warp, step, mask);
      return;
    }
  for (guint k = 0; k < MAX (1, step->mode[BYTES] / 4); k++)
    wp_put_progression (warp, step->dest + k, (WpProgression){ words[k], 0 }, tag);
}

/* WORDS were read. */
static inline void
put_uniform (WpWarp *warp, const WpStep *step, const guint32 words[4], guint32 unknown, WpTag tag)
{
  for (guint k = 0; k < MAX (1, step->mode[BYTES] / 4); k++)
    wp_put_uniform (warp, step->dest + k, words[k], unknown >> k & 1, tag);
}

static void
run_load_uniform (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpAddresses addresses;
  guint32 words[4], unknown;
  WpTag tag;

  get_offsets (warp, step, mask, &addresses);
  if (!wp_bank_read (get_bank (warp, step), addresses.lanes[0], step->mode[BYTES],
                     step->mode[IS_SIGNED] != 0, words, &unknown, &tag))
    {
      fail (warp, step, (guint)__builtin_ctz (mask), addresses.lanes[0]);
      return;
    }
  if (addresses.unknown != 0)
    {
      unknown = 15;
      tag = wp_tag_join (tag, addresses.tag);
    }
  put_uniform (warp, step, words, unknown, tag);
}

static void
run_load_uniform_fixed (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const WpSassOperand *operand = step->data;
  guint32 words[4], unknown;
  WpTag tag;

  if (wp_bank_read (get_bank (warp, step), (guint32)operand->value, step->mode[BYTES],
                    step->mode[IS_SIGNED] != 0, words, &unknown, &tag))
    put_uniform (warp, step, words, unknown, tag);
  else
    fail (warp, step, (guint)__builtin_ctz (mask), (guint32)operand->value);
}

static gboolean
prepare_load (WpStep *step, gchar **problem)
{
  const WpSassOperand *operand = wp_step_get_memory (step, 0);
  gboolean is_signed;

  if (operand == NULL || operand->kind != WP_SASS_CONSTANT || operand->is_descriptor
      || operand->number >= WP_BANKS)
    return wp_step_refuse (step, problem);
  step->data = operand;
  step->mode[BYTES] = wp_step_get_bytes (step, &is_signed);
  step->mode[IS_SIGNED] = (guint32)is_signed;
  if (operand->index == 255 && operand->uniform == 255)
    step->run = step->is_uniform ? run_load_uniform_fixed : run_load_fixed;
  else
    step->run = step->is_uniform ? run_load_uniform : run_load;
  return TRUE;
}

const WpOpRule wp_rules_constant[] = {
  { WP_SASS_LDC, prepare_load },
  { WP_SASS_LDCU, prepare_load },
  { WP_SASS_ULDC, prepare_load },
  { WP_SASS_NO_OP, NULL },
};
