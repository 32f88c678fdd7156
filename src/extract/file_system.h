// File systems that are not this machine's own.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace cgrep {

/// Whether the path lies on a file system on which several machines, or this one, cannot share the
/// memory of a -shm.
bool is_remote(const std::filesystem::path& path);

}  // namespace cgrep
