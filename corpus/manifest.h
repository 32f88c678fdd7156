// make.txt: what git cannot hold of a home, such as times, pipes, links and broken bytes.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cgrep::corpus {

/// One line of make.txt: `verb path argument`, with %XX decoded.
struct Instruction {
  std::string verb{};
  std::filesystem::path path{};  // relative to the home
  std::string argument{};
  std::size_t line = 0;
};

/// The instructions of the file; none when it does not exist. Throws Error.
std::vector<Instruction> read_manifest(const std::filesystem::path& file);

/// Makes or changes files; `mtime` and `mode` wait for apply_attributes. Throws Error.
void apply_contents(const std::vector<Instruction>& manifest, const std::filesystem::path& home);

/// Sets times and permissions, which making other files would disturb. Throws Error.
void apply_attributes(const std::vector<Instruction>& manifest, const std::filesystem::path& home);

}  // namespace cgrep::corpus
