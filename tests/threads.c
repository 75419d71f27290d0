/* SPDX-License-Identifier: MIT */
/* ThreadSanitizer sees what is compiled for it, and GLib is not: its mutexes are system calls, so
 * that all that they guard looks like a race. A program that preloads this tells it when they are
 * locked and unlocked, when threads wait, and what queues hand over.
 *
 * g_once_init_enter() and its end are done here as a whole, since the fast path of the macro only
 * reads the variable. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <glib.h>
#include <pthread.h>

#undef g_once_init_enter
#undef g_once_init_leave

void __tsan_acquire (void *address);
void __tsan_release (void *address);

#define NEXT(name) ((__typeof__ (&name))dlsym (RTLD_NEXT, #name))

void
g_mutex_lock (GMutex *mutex)
{
  static __typeof__ (&g_mutex_lock) next;

  if (__atomic_load_n (&next, __ATOMIC_RELAXED) == NULL)
    __atomic_store_n (&next, NEXT (g_mutex_lock), __ATOMIC_RELAXED);
  __atomic_load_n (&next, __ATOMIC_RELAXED) (mutex);
  __tsan_acquire (mutex);
}

gboolean
g_mutex_trylock (GMutex *mutex)
{
  gboolean is_locked = NEXT (g_mutex_trylock) (mutex);

  if (is_locked)
    __tsan_acquire (mutex);
  return is_locked;
}

void
g_mutex_unlock (GMutex *mutex)
{
  static __typeof__ (&g_mutex_unlock) next;

  if (__atomic_load_n (&next, __ATOMIC_RELAXED) == NULL)
    __atomic_store_n (&next, NEXT (g_mutex_unlock), __ATOMIC_RELAXED);
  __tsan_release (mutex);
  __atomic_load_n (&next, __ATOMIC_RELAXED) (mutex);
}

void
g_cond_wait (GCond *cond, GMutex *mutex)
{
  __tsan_release (mutex);
  NEXT (g_cond_wait) (cond, mutex);
  __tsan_acquire (mutex);
}

gboolean
g_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end)
{
  gboolean is_signalled;

  __tsan_release (mutex);
  is_signalled = NEXT (g_cond_wait_until) (cond, mutex, end);
  __tsan_acquire (mutex);
  return is_signalled;
}

/* ---- Queues and pools ---- */

void
g_async_queue_push (GAsyncQueue *queue, gpointer data)
{
  __tsan_release (queue);
  NEXT (g_async_queue_push) (queue, data);
}

static gpointer
take (GAsyncQueue *queue, gpointer data)
{
  if (data != NULL)
    __tsan_acquire (queue);
  return data;
}

gpointer
g_async_queue_pop (GAsyncQueue *queue)
{
  return take (queue, NEXT (g_async_queue_pop) (queue));
}

gpointer
g_async_queue_try_pop (GAsyncQueue *queue)
{
  return take (queue, NEXT (g_async_queue_try_pop) (queue));
}

gpointer
g_async_queue_timeout_pop (GAsyncQueue *queue, guint64 timeout)
{
  return take (queue, NEXT (g_async_queue_timeout_pop) (queue, timeout));
}

/* A pool hands over data, which is not NULL, and comes back to who frees it. */
typedef struct
{
  GFunc run;
  gpointer data;
} Pool;

static Pool pools[1024];
static gint n_pools;

static void
run_task (gpointer task, gpointer data)
{
  Pool *pool = data;

  __tsan_acquire (task);
  pool->run (task, pool->data);
  __tsan_release (pools);
}

GThreadPool *
g_thread_pool_new (GFunc run, gpointer data, gint most, gboolean exclusive, GError **error)
{
  Pool *pool = &pools[g_atomic_int_add (&n_pools, 1)];

  g_assert (pool < pools + G_N_ELEMENTS (pools));
  *pool = (Pool){ run, data };
  return NEXT (g_thread_pool_new) (run_task, pool, most, exclusive, error);
}

gboolean
g_thread_pool_push (GThreadPool *pool, gpointer task, GError **error)
{
  __tsan_release (task);
  return NEXT (g_thread_pool_push) (pool, task, error);
}

void
g_thread_pool_free (GThreadPool *pool, gboolean at_once, gboolean wait)
{
  NEXT (g_thread_pool_free) (pool, at_once, wait);
  __tsan_acquire (pools);
}

/* ---- What is done once ---- */

static pthread_mutex_t once_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t once_done = PTHREAD_COND_INITIALIZER;
static volatile void *begun[64];

/* The place of LOCATION among what has begun, or of NULL. */
static guint
find (volatile void *location)
{
  guint k = 0;

  while (k < G_N_ELEMENTS (begun) - 1 && begun[k] != location)
    k++;
  return k;
}

gboolean
g_once_init_enter (volatile void *location)
{
  gboolean is_first = FALSE;

  pthread_mutex_lock (&once_lock);
  while (__atomic_load_n ((gsize *)location, __ATOMIC_ACQUIRE) == 0 && !is_first)
    if (begun[find (location)] == location)
      pthread_cond_wait (&once_done, &once_lock);
    else
      {
        begun[find (NULL)] = location;
        is_first = TRUE;
      }
  pthread_mutex_unlock (&once_lock);
  return is_first;
}

void
g_once_init_leave (volatile void *location, gsize value)
{
  pthread_mutex_lock (&once_lock);
  __atomic_store_n ((gsize *)location, value, __ATOMIC_RELEASE);
  begun[find (location)] = NULL;
  pthread_cond_broadcast (&once_done);
  pthread_mutex_unlock (&once_lock);
}
