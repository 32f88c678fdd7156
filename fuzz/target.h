// Fuzz targets: each feeds foreign bytes to one reader and checks what comes of it. All are in one
// program: `cgrep-fuzz --target=NAME CORPUS…` runs libFuzzer on one, tests/fuzz replays them all.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace cgrep::fuzz {

using Target = std::function<void(std::string_view bytes)>;

/// All targets, by name.
std::map<std::string, Target>& targets();

struct Registration {
  Registration(const char* name, Target target) { targets().emplace(name, std::move(target)); }
};

}  // namespace cgrep::fuzz

/// FUZZ_TARGET(name) { … } is given `std::string_view bytes`.
#define FUZZ_TARGET(name)                                                                   \
  static void fuzz_##name(std::string_view bytes);                                          \
  static const ::cgrep::fuzz::Registration registration_of_##name{#name, fuzz_##name}; /**/ \
  static void fuzz_##name(std::string_view bytes)
