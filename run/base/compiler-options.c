/* SPDX-License-Identifier: MIT */
/* A kernel file may come from anyone, and nvcc has options that start programs (-ccbin,
 * -Xcompiler), write files (-o, -keep) and read more options (-optf). So a file may name what
 * changes the code that is made, and no more. nvcc hands texts to a shell: what a shell would take
 * for more than a word is refused, too. What is typed as --nvcc is the user's own, and is not
 * looked at. */
#include "run/base/compiler-options.h"

#include <string.h>

#define WORD_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_=.+-/:${}"

/* Those that are complete. */
static const gchar *const whole[] = { "-G",
                                      "--device-debug",
                                      "-lineinfo",
                                      "-w",
                                      "--generate-line-info",
                                      "-use_fast_math",
                                      "-dlto",
                                      "--expt-relaxed-constexpr",
                                      "--use_fast_math",
                                      "-restrict",
                                      "--expt-extended-lambda",
                                      "--extended-lambda",
                                      "-extra-device-vectorization",
                                      NULL };

/* Those that end in a value of their own. */
static const gchar *const begun[] = { "-D",
                                      "-U",
                                      "-I",
                                      "-O",
                                      "-std=",
                                      "--std=",
                                      "-fmad=",
                                      "--fmad=",
                                      "-ftz=",
                                      "--ftz=",
                                      "-prec-div=",
                                      "--prec-div=",
                                      "-prec-sqrt=",
                                      "--prec-sqrt=",
                                      "-maxrregcount=",
                                      "--maxrregcount=",
                                      "-arch=",
                                      "--gpu-architecture=",
                                      NULL };

/* Of ptxas, behind -Xptxas or -Xptxas=. */
static const gchar *const of_ptxas[] = { "-O",
                                         "--opt-level=",
                                         "-dlcm=",
                                         "--def-load-cache=",
                                         "-dscm=",
                                         "--def-store-cache=",
                                         "-v",
                                         "--allow-expensive-optimizations=",
                                         "--maxrregcount=",
                                         "-maxrregcount=",
                                         NULL };

/* Whether a shell and nvcc take WORD for one word; $NAME and ${NAME} are parameters. */
static gboolean
is_word (const gchar *word)
{
  if (word[strspn (word, WORD_CHARACTERS)] != '\0')
    return FALSE;
  for (const gchar *at = strchr (word, '$'); at != NULL; at = strchr (at + 1, '$'))
    if (!g_ascii_isalpha (at[1]) && at[1] != '_' && at[1] != '{')
      return FALSE;
  return TRUE;
}

static gboolean
begins_as_one_of (const gchar *word, const gchar *const *list)
{
  for (; *list != NULL; list++)
    if (g_str_has_prefix (word, *list))
      return TRUE;
  return FALSE;
}

/* The number of WORDS that their first option takes; 0: it is none that a file may name. */
static guint
count_words (gchar *const *words)
{
  static const gchar *const with_value[] = { "-D", "-U", "-I", NULL };
  const gchar *of_next
      = g_str_has_prefix (words[0], "-Xptxas=") ? words[0] + strlen ("-Xptxas=") : NULL;

  if (!is_word (words[0]))
    return 0;
  if (of_next != NULL)
    return begins_as_one_of (of_next, of_ptxas) ? 1 : 0;
  if (strcmp (words[0], "-Xptxas") == 0)
    return words[1] != NULL && is_word (words[1]) && begins_as_one_of (words[1], of_ptxas) ? 2 : 0;
  if (g_strv_contains (with_value, words[0]))
    return words[1] != NULL && is_word (words[1]) && words[1][0] != '-' ? 2 : 0;
  return g_strv_contains (whole, words[0]) || begins_as_one_of (words[0], begun) ? 1 : 0;
}

gboolean
wp_compiler_options_are_safe (const gchar *options, gchar **wrong)
{
  g_auto (GStrv) words = NULL;
  guint n;

  if (options[strspn (options, " \t\n")] == '\0')
    return TRUE;
  if (!g_shell_parse_argv (options, NULL, &words, NULL))
    return TRUE; /* the compiler's caller refuses it */
  for (gchar **word = words; *word != NULL; word += n)
    {
      n = count_words (word);
      if (n == 0)
        {
          *wrong = g_strdup (*word);
          return FALSE;
        }
    }
  return TRUE;
}
