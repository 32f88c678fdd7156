// Which sanitizer a test runs with: its memory is counted too, and it ends what reads too far. GCC
// tells it by macros, clang by features.
// SPDX-License-Identifier: MIT
#pragma once

#ifndef __has_feature
#define __has_feature(name) 0
#endif

namespace cgrep::test {

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif

#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif

inline constexpr bool kSanitized = kAddressSanitizer || kThreadSanitizer;

}  // namespace cgrep::test
