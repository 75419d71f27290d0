/* SPDX-License-Identifier: MIT */
/* Files that hold images: a cubin is one; a fat binary, by itself or as a section of a program or
 * a library, has several in each container, and a program one container for each of its
 * sources. Of each container the image is taken that the GPU would run: that for its own compute
 * capability, else the nearest older one of the same major number. Where there is none, the nearest
 * that there is, with a note. What was taken is one module. */
#include "exec/cubin/wp-cubin-private.h"
#include "exec/cubin/wp-cubin-relocate.h"
#include "exec/cubin/wp-fatbin.h"

#include "idg/kernel/idg-kernel.h"

#include <string.h>

static gboolean
is_cubin (const guint8 *data, gsize length)
{
  return wp_elf_is (data, length) && length >= 20 && wp_elf_u16 (data + 18) == WP_ELF_CUDA;
}

gboolean
wp_cubin_recognize (const guint8 *head, gsize n)
{
  return wp_elf_is (head, n) || wp_fatbin_is (head, n);
}

static gboolean
runs_on (guint sm, guint gpu_sm)
{
  return sm / 10 == gpu_sm / 10 && sm <= gpu_sm;
}

/* How far code of SM is from what the GPU runs: less is better, 0 is its own. */
static guint
distance (guint sm, guint gpu_sm)
{
  if (runs_on (sm, gpu_sm))
    return gpu_sm - sm;
  return sm < gpu_sm ? 1000 + gpu_sm - sm : 2000 + sm - gpu_sm;
}

static gboolean
is_code (const WpFatbinMember *member)
{
  return !member->is_ptx && member->sm >= 70 && member->sm <= 121;
}

/* The best image of the container that MEMBERS[FIRST] begins, NULL: none. *NEXT is where the next
 * container begins. */
static const WpFatbinMember *
choose (const GArray *members, guint first, guint sm, guint *next)
{
  const WpFatbinMember *best = NULL;
  guint container = g_array_index (members, WpFatbinMember, first).container;
  guint k;

  for (k = first; k < members->len; k++)
    {
      const WpFatbinMember *member = &g_array_index (members, WpFatbinMember, k);

      if (member->container != container)
        break;
      if (is_code (member) && (best == NULL || distance (member->sm, sm) < distance (best->sm, sm)))
        best = member;
    }
  *next = k;
  return best;
}

static void
move_relocations (GArray *relocations, guint by)
{
  for (guint k = 0; relocations && k < relocations->len; k++)
    g_array_index (relocations, WpCubinRelocation, k).symbol += by;
}

/* Moves the numbers in MODULE so that it can follow what INTO has. */
static void
renumber (WpCubin *module, const WpCubin *into)
{
  g_autoptr (GHashTable) moved = g_hash_table_new (NULL, NULL);

  for (guint k = 0; k < module->functions->len; k++)
    {
      WpCubinFunction *function = g_ptr_array_index (module->functions, k);

      move_relocations (function->relocations, into->symbols->len);
      for (guint j = 0; j < WP_CUBIN_BANKS; j++) /* all functions share those of the module */
        if (g_hash_table_add (moved, function->constant_relocations[j]))
          move_relocations (function->constant_relocations[j], into->symbols->len);
      for (guint j = 0; j < function->lines->len; j++)
        {
          WpCubinLine *line = &g_array_index (function->lines, WpCubinLine, j);

          line->file += into->files->len;
          line->own_file += into->files->len;
        }
    }
  for (guint k = 0; k < module->variables->len; k++)
    move_relocations (((WpCubinVariable *)g_ptr_array_index (module->variables, k))->relocations,
                      into->symbols->len);
  for (guint k = 0; k < module->symbols->len; k++)
    {
      WpCubinSymbol *symbol = &g_array_index (module->symbols, WpCubinSymbol, k);

      symbol->function += symbol->function >= 0 ? (gint)into->functions->len : 0;
      symbol->variable += symbol->variable >= 0 ? (gint)into->variables->len : 0;
    }
}

/* Adds the contents of MODULE, which is freed, to INTO as the module NUMBER. */
static void
merge (WpCubin *into, WpCubin *module, guint number)
{
  for (guint k = 0; k < module->functions->len; k++)
    ((WpCubinFunction *)g_ptr_array_index (module->functions, k))->module = number;
  for (guint k = 0; k < module->variables->len; k++)
    ((WpCubinVariable *)g_ptr_array_index (module->variables, k))->module = number;
  renumber (module, into);
  g_ptr_array_extend_and_steal (into->functions, g_steal_pointer (&module->functions));
  g_ptr_array_extend_and_steal (into->variables, g_steal_pointer (&module->variables));
  g_ptr_array_extend_and_steal (into->files, g_steal_pointer (&module->files));
  g_array_append_vals (into->symbols, module->symbols->data, module->symbols->len);
  g_array_set_clear_func (module->symbols, NULL);
  module->functions = g_ptr_array_new ();
  module->variables = g_ptr_array_new ();
  module->files = g_ptr_array_new ();
  wp_cubin_free (module);
}

/* Adds the module in MEMBER to INTO, if it is linked. Libraries have relocatable code beside that
 * which can run. */
static gboolean
add_member (const WpFatbinMember *member, const gchar *name, WpCubin **into, guint *n,
            GError **error)
{
  g_autoptr (GBytes) image = wp_fatbin_unpack (member, name, error);
  gsize length;
  const guint8 *data = image ? g_bytes_get_data (image, &length) : NULL;
  WpCubin *module;

  if (image == NULL)
    return FALSE;
  if (!is_cubin (data, length))
    {
      g_set_error (error, IDG_ERROR, IDG_ERROR_SYNTAX, "%s: an image in it is no cubin", name);
      return FALSE;
    }
  if (wp_elf_u16 (data + 16) != WP_ELF_EXECUTABLE)
    return TRUE;
  module = wp_cubin_parse_image (image, name, error);
  if (module == NULL)
    return FALSE;
  if (*into)
    merge (*into, module, ++*n);
  else
    *into = module;
  return TRUE;
}

static gchar *
describe (const GArray *members)
{
  GString *text = g_string_new (NULL);

  for (guint k = 0; k < members->len && text->len < 200; k++)
    {
      const WpFatbinMember *member = &g_array_index (members, WpFatbinMember, k);

      g_string_append_printf (text, "%s%s_%u", k ? ", " : "", member->is_ptx ? "compute" : "sm",
                              member->sm);
    }
  return g_string_free (text, FALSE);
}

/* The target that all images are taken for: the best of all containers. 0: there is none. */
static guint
choose_target (const GArray *members, guint sm)
{
  guint best = 0;

  for (guint k = 0, next; k < members->len; k = next)
    {
      const WpFatbinMember *member = choose (members, k, sm, &next);

      if (member && (best == 0 || distance (member->sm, sm) < distance (best, sm)))
        best = member->sm;
    }
  return best;
}

static WpCubin *
parse_members (const GArray *members, const gchar *name, guint sm, GError **error)
{
  g_autoptr (WpCubin) cubin = NULL;
  g_autofree gchar *what = NULL;
  guint target = choose_target (members, sm), n = 0;

  for (guint k = 0, next; k < members->len; k = next)
    {
      const WpFatbinMember *member = choose (members, k, target, &next);

      if (member && member->sm == target && !add_member (member, name, &cubin, &n, error))
        return NULL;
    }
  if (cubin)
    return g_steal_pointer (&cubin);
  what = describe (members);
  if (target > 0)
    g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
                 "%s: its code for sm_%u is not linked; expected a program or library that nvcc "
                 "linked, or an object compiled without -rdc=true",
                 name, target);
  else
    g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
                 "%s: it has no machine code of sm_70 to sm_121 (it has: %s); compile it with "
                 "-arch=sm_%u",
                 name, *what ? what : "nothing", sm);
  return NULL;
}

/* The containers of a program or library: its sections of that name, one after the other. */
static WpCubin *
parse_program (const guint8 *data, gsize length, const gchar *name, guint sm, GError **error)
{
  WpElf elf;
  const WpElfSection *section = NULL;
  g_autoptr (GArray) members = NULL;
  WpCubin *cubin = NULL;

  if (wp_elf_read (&elf, data, length, name, error))
    {
      section = wp_elf_find (&elf, ".nv_fatbin");
      if (section == NULL || section->size == 0)
        section = wp_elf_find (&elf, "__nv_relfatbin");
      if (section == NULL || section->data == NULL)
        g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
                     "%s: it has no code for GPUs; expected a program, a library or an object that "
                     "nvcc made",
                     name);
      else
        members = wp_fatbin_read (section->data, section->size, name, error);
    }
  if (members)
    cubin = parse_members (members, name, sm, error);
  wp_elf_clear (&elf);
  return cubin;
}

WpCubin *
wp_cubin_parse (const guint8 *data, gsize length, const gchar *name, guint sm, gchar **note,
                GError **error)
{
  g_autoptr (GBytes) image = NULL;
  g_autoptr (GArray) members = NULL;
  WpCubin *cubin = NULL;

  if (is_cubin (data, length))
    {
      image = g_bytes_new (data, length);
      cubin = wp_cubin_parse_image (image, name, error);
    }
  else if (wp_elf_is (data, length))
    cubin = parse_program (data, length, name, sm, error);
  else if (wp_fatbin_is (data, length))
    {
      members = wp_fatbin_read (data, length, name, error);
      cubin = members ? parse_members (members, name, sm, error) : NULL;
    }
  else
    g_set_error (error, IDG_ERROR, IDG_ERROR_SYNTAX,
                 "%s: neither a cubin nor a fat binary nor a program with code for GPUs", name);
  if (cubin && cubin->functions->len == 0)
    {
      g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE, "%s: it has no code; expected a kernel",
                   name);
      g_clear_pointer (&cubin, wp_cubin_free);
    }
  if (cubin)
    wp_cubin_place (cubin);
  if (cubin && cubin->sm != sm && note)
    *note
        = g_strdup_printf ("%s: code of sm_%u is executed, which a GPU of sm_%u %s", name,
                           cubin->sm, sm, runs_on (cubin->sm, sm) ? "runs as well" : "cannot run");
  return cubin;
}

WpCubin *
wp_cubin_load (const gchar *path, guint sm, gchar **note, GError **error)
{
  g_autoptr (GMappedFile) file = NULL;
  g_autoptr (GError) problem = NULL;

  file = g_mapped_file_new (path, FALSE, &problem);
  if (file == NULL)
    {
      if (g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOMEM))
        g_set_error (error, IDG_ERROR, IDG_ERROR_MEMORY, "%s: out of memory", path);
      else
        g_set_error (error, IDG_ERROR, IDG_ERROR_READ, "%s: cannot be read: %s", path,
                     problem->message);
      return NULL;
    }
  return wp_cubin_parse ((const guint8 *)g_mapped_file_get_contents (file),
                         g_mapped_file_get_length (file), path, sm, note, error);
}
