/* SPDX-License-Identifier: MIT */
/* Bank 0 is what the driver writes: the launch, the windows of generic addresses, the stack, and
 * the parameters. Its layout has changed twice; the places below are those that compilers' code
 * reads (blockDim, gridDim, c[0x0][0x28] into R1, desc[UR] from c[0x0][0x118], ...).
 *
 * Bank 3 is __constant__ variables. One that the program does not initialize is set by host code,
 * which nobody sees here: it is unknown unless --data says what it holds. */
#include "exec/wp-grid.h"

#include "exec/machine/wp-stand-in.h"
#include "idg/kernel/idg-kernel.h"

#include <string.h>

#define BANK0 0x380        /* bytes before the parameters, at most */
#define DEFAULT_STACK 1024 /* of a thread: cudaLimitStackSize */
#define MAX_BANK 65536

/* Offsets in bank 0, by the first target that has them. On sm_100 those of the cluster and of
 * dynamic shared memory are 0xa0 times SR_CgaSize before those that code names, as in
 * wp-meeting.c. */
static const struct
{
  guint sm, block, grid, shared_window, local_window, stack, dynamic_shared, constant_window;
  guint n_sms, reserved_shared;
  guint cluster; /* where what code asks of its cluster is, 0: nowhere... */
  guint explicit_cluster;
  guint parameters;     /* where a generic address is that the parameters'... */
  gboolean is_of_first; /* ...are counted from: that of the first of them, or of the bank */
} layouts[] = {
  { 70, 0x0, 0xc, 0x18, 0x20, 0x28, 0x2c, 0x50, 0x10c, 0x114, 0, 0, 0x40, FALSE },
  { 90, 0x0, 0xc, 0x18, 0x20, 0x28, 0x2c, 0xd0, 0x10c, 0x114, 0x144, 0x140, 0x198, TRUE },
  { 100, 0x360, 0x370, 0x2f0, 0x2f8, 0x37c, 0x20c, 0x120, 0x2d0, 0x16c, 0x200, 0x36c, 0x348, TRUE },
};

static void
put (WpBank *bank, guint offset, guint64 value, guint bytes)
{
  value = GUINT64_TO_LE (value);
  memcpy (bank->bytes + offset, &value, bytes);
}

/* What PTX's %cluster_nctaid, %nclusterid, %cluster_nctarank and %is_explicit_cluster are; and
 * %clusterid, which code computes as a number of a block times a reciprocal, cut. On sm_100 the
 * places are 0xa0 times SR_CgaSize before those that the code names, as in wp-meeting.c. */
static void
put_cluster (WpGrid *grid, guint at, guint explicit_at, gboolean is_explicit)
{
  const gboolean is_sm_100 = grid->sm >= 100;
  WpBank *bank = &grid->banks[0];

  for (guint axis = 0; at > 0 && axis < 3; axis++)
    {
      const gfloat reciprocal = 1.0f / (gfloat)grid->cluster[axis];
      guint32 bits;

      memcpy (&bits, &reciprocal, sizeof bits);
      if ((grid->cluster[axis] & (grid->cluster[axis] - 1)) != 0)
        bits++; /* not less than it is */
      put (bank, at + 4 * axis, grid->cluster[axis], 4);
      put (bank, at + (is_sm_100 ? 16 : 12) + 4 * axis, bits, 4);
      put (bank, at + (is_sm_100 ? 32 : 24) + 4 * axis, grid->grid[axis] / grid->cluster[axis], 4);
    }
  if (at == 0)
    return;
  put (bank, is_sm_100 ? at + 0x2c : 0x188, grid->cluster_blocks, 4);
  put (bank, explicit_at, is_explicit != FALSE, 4);
}

static void
put_launch (WpGrid *grid, guint sms, guint parameter_base, gboolean is_explicit)
{
  WpBank *bank = &grid->banks[0];
  guint k = G_N_ELEMENTS (layouts) - 1;

  while (k > 0 && grid->sm < layouts[k].sm)
    k--;

  for (guint axis = 0; axis < 3; axis++)
    {
      put (bank, layouts[k].block + 4 * axis, grid->block[axis], 4);
      put (bank, layouts[k].grid + 4 * axis, grid->grid[axis], 4);
    }
  put (bank, layouts[k].shared_window, grid->shared_window, 8);
  put (bank, layouts[k].local_window, grid->local_window, 8);
  put (bank, layouts[k].constant_window, grid->constant_window, 8);
  put (bank, layouts[k].parameters,
       grid->constant_window + WP_PARAMETER_WINDOW + (layouts[k].is_of_first ? parameter_base : 0),
       8);
  put (bank, layouts[k].stack, grid->local_bytes, 4);
  put (bank, layouts[k].dynamic_shared, grid->shared_dynamic, 4);
  put (bank, layouts[k].n_sms, sms, 4);
  put (bank, layouts[k].reserved_shared, grid->shared_reserved, 4);
  put_cluster (grid, layouts[k].cluster, layouts[k].explicit_cluster, is_explicit);
}

/* The buffer that NAME is in memory; variables go by any of their names. */
static const WpBuffer *
find_buffer (const WpModule *module, const gchar *name)
{
  const WpCubin *cubin = module->cubin;

  for (guint k = 0; k < cubin->variables->len; k++)
    if (wp_module_is_called (g_ptr_array_index (cubin->variables, k), name))
      return wp_memory_get (module->memory,
                            wp_memory_locate (module->memory, module->variables[k]));
  return wp_memory_find (module->memory, name);
}

static void
tag_pointer (WpBank *bank, guint offset, guint buffer)
{
  for (guint word = offset / 4; word < offset / 4 + 2 && 4 * word < bank->size; word++)
    bank->tags[word] = WP_TAG (0, buffer);
}

static void
put_arguments (WpGrid *grid, const WpModule *module, const WpModuleLaunch *launch, guint base)
{
  WpBank *bank = &grid->banks[0];
  const WpLaunchArguments *arguments = launch->arguments;

  memcpy (bank->bytes + base, arguments->bytes, arguments->n_bytes);
  for (guint k = 0; k < arguments->pointers->len; k++)
    {
      const WpLaunchPointer *pointer = &g_array_index (arguments->pointers, WpLaunchPointer, k);
      const WpBuffer *buffer = find_buffer (module, pointer->name);

      put (bank, base + pointer->offset, wp_buffer_get_base (buffer) + (guint64)pointer->addend, 8);
      tag_pointer (bank, base + pointer->offset, wp_buffer_get_number (buffer));
    }
}

static void
new_bank (WpBank *bank, gsize size, GBytes *contents)
{
  gsize n = contents ? MIN (size, g_bytes_get_size (contents)) : 0;

  bank->size = size;
  bank->bytes = g_malloc0 (MAX (size, 1));
  bank->tags = g_new0 (WpTag, size / 4 + 1);
  if (n > 0)
    memcpy (bank->bytes, g_bytes_get_data (contents, NULL), n);
}

/* Addresses of variables in BANK: what was written there points into a buffer. */
static void
tag_variables (WpBank *bank, const WpModule *module, const GArray *relocations)
{
  for (guint k = 0; relocations && k < relocations->len; k++)
    {
      const WpCubinRelocation *one = &g_array_index (relocations, WpCubinRelocation, k);
      const WpCubinSymbol *symbol
          = &g_array_index (module->cubin->symbols, WpCubinSymbol, one->symbol);

      if (symbol->variable >= 0 && module->variables[symbol->variable] > 0)
        tag_pointer (bank, (guint)one->offset,
                     wp_memory_locate (module->memory, module->variables[symbol->variable]));
    }
}

static gboolean
is_zero (GBytes *data)
{
  gsize size;
  const guint8 *bytes = g_bytes_get_data (data, &size);

  for (gsize k = 0; k < size; k++)
    if (bytes[k] != 0)
      return FALSE;
  return TRUE;
}

/* Whole words hold numbers that stand for them. */
static void
make_unknown (WpBank *bank, guint64 offset, guint64 bytes)
{
  if (bank->unknown == NULL)
    bank->unknown = g_malloc0 (bank->size / 8 + 1);
  for (guint64 k = offset; k < offset + bytes && k < bank->size; k++)
    bank->unknown[k / 8] |= (guint8)(1u << (k % 8));
  for (guint64 k = (offset + 3) / 4 * 4; k + 4 <= MIN (offset + bytes, bank->size); k += 4)
    {
      put (bank, (guint)k, wp_stand_in_constant ((guint32)k), 4);
      bank->tags[k / 4] |= WP_TAG (WP_TAG_CONSTANT, 0) | WP_TAG_STANDS;
    }
}

/* What FILL says, into VARIABLE's place in BANK. */
static gboolean
fill_variable (WpBank *bank, const WpCubinVariable *variable, const WpFill *fill, GError **error)
{
  g_autofree gchar *contents = NULL;
  GError *problem = NULL;
  gsize n;
  guint bytes = wp_element_get_bytes (fill->element);
  guint64 room = MIN (variable->bytes, bank->size - variable->offset);

  if (fill->kind == WP_FILL_UNKNOWN)
    {
      make_unknown (bank, variable->offset, room);
      return TRUE;
    }
  memset (bank->bytes + variable->offset, 0, room);
  if (fill->kind == WP_FILL_ZEROS)
    return TRUE;
  if (fill->kind == WP_FILL_FILE)
    {
      if (!g_file_get_contents (fill->path, &contents, &n, &problem))
        {
          g_set_error (error, IDG_ERROR, IDG_ERROR_READ, "--data %s: %s", variable->demangled,
                       problem->message);
          g_error_free (problem);
          return FALSE;
        }
      memcpy (bank->bytes + variable->offset, contents, MIN (n, room));
      return TRUE;
    }
  if (!wp_fill_set_element ((WpFill *)fill, WP_ELEMENT_NONE, variable->demangled, error))
    return FALSE;
  for (guint64 k = 0; (k + 1) * bytes <= room; k++)
    put (bank, (guint)(variable->offset + k * bytes), wp_fill_get_bits (fill, k), bytes);
  return TRUE;
}

static gboolean
fill_variables (WpBank *bank, const WpModule *module, guint number, GError **error)
{
  const WpCubin *cubin = module->cubin;

  for (guint k = 0; k < cubin->variables->len; k++)
    {
      const WpCubinVariable *variable = g_ptr_array_index (cubin->variables, k);
      const WpFill *fill = NULL;

      if (!variable->is_constant || variable->module != number || variable->offset > bank->size)
        continue;
      fill = wp_module_get_fill (module, variable);
      if (fill ? !fill_variable (bank, variable, fill, error) : FALSE)
        return FALSE;
      if (fill == NULL && variable->data && is_zero (variable->data))
        make_unknown (bank, variable->offset, variable->bytes);
    }
  return TRUE;
}

static gboolean
make_banks (WpGrid *grid, guint sms, const WpModule *module, const WpModuleLaunch *launch,
            GError **error)
{
  const WpCubinFunction *function = g_ptr_array_index (module->cubin->functions, launch->function);

  new_bank (&grid->banks[0], MAX (function->parameter_base + function->parameter_bytes, BANK0),
            NULL);
  put_launch (grid, sms, function->parameter_base,
              function->cluster[0] > 0 || launch->launch->cluster[0] > 0);
  put_arguments (grid, module, launch, function->parameter_base);
  for (guint k = 1; k < MIN (WP_BANKS, WP_CUBIN_BANKS); k++)
    if (function->constants[k])
      {
        if (g_bytes_get_size (function->constants[k]) > MAX_BANK)
          {
            g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
                         "constant bank %u of %s is larger than %d bytes", k, function->name,
                         MAX_BANK);
            return FALSE;
          }
        new_bank (&grid->banks[k], g_bytes_get_size (function->constants[k]),
                  function->constants[k]);
        tag_variables (&grid->banks[k], module, function->constant_relocations[k]);
      }
  return grid->banks[WP_BANK_VARIABLES].bytes == NULL
         || fill_variables (&grid->banks[WP_BANK_VARIABLES], module, function->module, error);
}

void
wp_grid_free (WpGrid *grid)
{
  if (grid == NULL)
    return;
  for (guint k = 0; k < WP_BANKS; k++)
    {
      g_free (grid->banks[k].bytes);
      g_free (grid->banks[k].unknown);
      g_free (grid->banks[k].tags);
    }
  g_free (grid);
}

WpGrid *
wp_grid_new (const WpModule *module, guint number, guint sms, GError **error)
{
  const WpModuleLaunch *launch = &g_array_index (module->launches, WpModuleLaunch, number);
  const WpCubinFunction *function = g_ptr_array_index (module->cubin->functions, launch->function);
  g_autoptr (WpGrid) grid = g_new0 (WpGrid, 1);

  grid->sm = module->cubin->sm;
  memcpy (grid->grid, launch->launch->grid, sizeof grid->grid);
  memcpy (grid->block, launch->launch->block, sizeof grid->block);
  grid->cluster_blocks = 1;
  wp_launch_get_cluster (launch->launch, function, grid->cluster);
  for (guint k = 0; k < 3; k++)
    grid->cluster_blocks *= grid->cluster[k];
  grid->threads = grid->block[0] * grid->block[1] * grid->block[2];
  grid->warps = (grid->threads + WP_LANES - 1) / WP_LANES;
  grid->shared_reserved = function->shared_base;
  grid->shared_static = function->shared_base + function->shared_memory;
  grid->shared_dynamic = launch->launch->dynamic_shared;
  /* Atomics on the last 16 bits access the whole word, which there always is. */
  grid->shared_bytes = (grid->shared_static + grid->shared_dynamic + 3) & ~3u;
  grid->local_bytes = (MAX (function->frame, DEFAULT_STACK) + 15) & ~15u;
  grid->shared_window = WP_SHARED_WINDOW;
  grid->local_window = WP_LOCAL_WINDOW;
  grid->constant_window = WP_CONSTANT_WINDOW;
  grid->window_bytes = G_GUINT64_CONSTANT (1) << 32;
  grid->memory = module->memory;
  if (!make_banks (grid, sms, module, launch, error))
    return NULL;
  return g_steal_pointer (&grid);
}
