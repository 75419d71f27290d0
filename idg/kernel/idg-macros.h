/* SPDX-License-Identifier: MIT */
/* What of libidg is visible outside the library. Plain C11: the engine includes this. */
#pragma once

#if defined(__GNUC__)
#define IDG_API __attribute__ ((visibility ("default")))
#else
#define IDG_API
#endif
