// cgrep hook run: what Cursor starts when something ended. It takes what Cursor tells, leaves the
// work to a process of its own, and returns at once.
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/options.h"
#include "error.h"
#include "extract/roots.h"

namespace cgrep {

/// Reads the event from standard input. Prints nothing, and never fails: Cursor would act on it.
ExitCode hook_run(const Places& places, const Environment& environment);

}  // namespace cgrep
