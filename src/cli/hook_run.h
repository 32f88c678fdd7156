// cgrep hook run: what Cursor starts when something ended. It takes what Cursor tells, leaves the
// work to a process of its own, and returns at once.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "cli/hook_worker.h"
#include "cli/options.h"
#include "error.h"
#include "extract/roots.h"

namespace cgrep {

/// Reads the event from standard input. Prints nothing, and never fails: Cursor would act on it.
ExitCode hook_run(const Places& places, const Environment& environment);

/// What the JSON says; absent when it is none, or names no conversation. An id that could lead
/// elsewhere as a part of a path is none.
std::optional<HookEvent> hook_event(std::string_view json, const Environment& environment);

}  // namespace cgrep
