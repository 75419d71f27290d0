/* SPDX-License-Identifier: MIT */
/** @file
 * What programs need of libwarpipe's data that only hand it on: the opaque GPU, and how functions
 * fail. wp-gpu.h shows what a GPU holds. */
#pragma once

#include <glib.h>

#include "sim/base/wp-macros.h"

G_BEGIN_DECLS

/** A GPU as its description file says. See wp_gpu_open(); `sim/gpu/wp-gpu.h` shows what it
 * holds. */
typedef struct WpGpu WpGpu;

/** Frees @p gpu.
 * @param gpu taken over; NULL is allowed */
WP_API void wp_gpu_free (WpGpu *gpu);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpGpu, wp_gpu_free)

/** The domain of the library's errors; their codes are of #WpError. */
#define WP_ERROR (wp_error_quark ())

/** What #WP_ERROR stands for.
 * @return the quark of the domain */
WP_API GQuark wp_error_quark (void);

/** How a function can fail. Messages are one sentence for people: they name the file and line, or
 * the option, what is wrong, and what would have been right. */
typedef enum
{
  WP_ERROR_READ,      /**< a file cannot be read at all */
  WP_ERROR_SYNTAX,    /**< a file is not well-formed, or not of the right shape */
  WP_ERROR_VALUE,     /**< a value in a file makes no sense, or nothing has the name given */
  WP_ERROR_FIT,       /**< the GPU cannot run the launch */
  WP_ERROR_LIMIT,     /**< a number is beyond what a run can represent */
  WP_ERROR_MEMORY,    /**< out of memory */
  WP_ERROR_OPTION,    /**< an option that there is not, or a value that it cannot have */
  WP_ERROR_OVERFLOW,  /**< the engine stopped, `WP_RUN_OVERFLOW`: a time would reach 2^62 ticks */
  WP_ERROR_CANCELLED, /**< a callback of the caller asked to stop */
  WP_ERROR_WRITE,     /**< a temporary file cannot be written: the disk is full */
  WP_ERROR_STUCK      /**< the engine stopped, `WP_RUN_STUCK`: warps wait at barriers for ever, or
                       * the policy never chooses them */
} WpError;

G_END_DECLS
