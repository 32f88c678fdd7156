// Work that goes on when the program has ended for whoever started it.
// SPDX-License-Identifier: MIT
#pragma once

namespace cgrep {

/// Makes a process of its own session, with all streams closed and little priority. True in that
/// one, which ends like any other; false in the one that was there before.
bool detached();

}  // namespace cgrep
