// The tasks of a run: what a user does, beside what the baselines do.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "bench/measure/results.h"
#include "bench/measure/workbench.h"

namespace cgrep::bench {

/// First index, searches, nothing changed, appends, growth: all rows of design.md §12.
void measure_history(const Workbench& bench, std::size_t rounds, Results& results);

/// A giant state.vscdb of about so many bubbles: what the first index and one new bubble read.
void measure_giant(const Workbench& bench, std::size_t messages, Results& results);

/// An index that lived through so many changes, beside a fresh one of the same content.
void measure_year(const Workbench& bench, std::size_t changes, std::size_t rounds,
                  Results& results);

/// Adds the figures of all that was measured.
void keep(const Rounds& rounds, Results& results);

}  // namespace cgrep::bench
