/* SPDX-License-Identifier: MIT */
/* SIGALRM, SIGPROF and SIGVTALRM are left out: who sets such a timer handles them. */
#include "idg/kernel/idg-signals.h"

static const gint numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1, SIGUSR2 };

void
idg_signals_list (sigset_t *signals)
{
  sigemptyset (signals);
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      struct sigaction action;

      if (sigaction (numbers[i], NULL, &action) == 0 && action.sa_handler == SIG_DFL)
        sigaddset (signals, numbers[i]);
    }
}

gint
idg_signals_get_waiting (void)
{
  sigset_t waiting;

  if (sigpending (&waiting) != 0)
    return 0;
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (sigismember (&waiting, numbers[i]) == 1)
      return numbers[i];
  return 0;
}

/* Signals are a process's, and so is this. */
static gint is_taken;

void
idg_signals_set_taken (gboolean taken)
{
  g_atomic_int_set (&is_taken, taken);
}

gboolean
idg_signals_is_taken (void)
{
  return g_atomic_int_get (&is_taken) != 0;
}
