// Times as they are printed.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "document.h"

namespace cgrep {

/// `2026-08-01 10:22`, local time, for people.
std::string local_time(std::int64_t ms);

/// The same with a `~` when the time is inferred; empty when there is none.
std::string local_time(const std::optional<Time>& time);

/// `2026-08-01T08:22:05.123Z`, for programs.
std::string iso_time(std::int64_t ms);

}  // namespace cgrep
