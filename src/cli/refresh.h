// Bringing the index up to date before a question is answered.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/options.h"
#include "cli/printer.h"
#include "extract/store.h"

namespace cgrep {

enum class Refresh : std::uint8_t { always, never };

/// `--refresh`.
void declare_refresh(CLI::App& app, Refresh& refresh);

/// Builds the index when there is none, else reads what changed. An index that cannot be refreshed
/// now still answers: then it warns. Throws Error when there is nothing to answer from.
Coverage refresh_index(const Places& places, Refresh refresh,
                       const std::vector<const Store*>& opt_in);

}  // namespace cgrep
