/* SPDX-License-Identifier: MIT */
#include "cli/common/cli-xml.h"

#include <libxml/xmlmemory.h>

/* libxml2 takes NULL for a failure, also where it asks for nothing. */
static void *
allocate (size_t n)
{
  return g_malloc (MAX (n, 1));
}

static void *
reallocate (void *block, size_t n)
{
  return g_realloc (block, MAX (n, 1));
}

static char *
duplicate (const char *text)
{
  return g_strdup (text);
}

void
wp_cli_share_memory_with_xml (void)
{
  xmlMemSetup (g_free, allocate, reallocate, duplicate);
}
