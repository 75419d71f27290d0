/* SPDX-License-Identifier: MIT */
/* IDG_API marks what libidg exports. Plain C11, because the engine includes it. */
#pragma once

#if defined(__GNUC__)
#define IDG_API __attribute__ ((visibility ("default")))
#else
#define IDG_API
#endif
