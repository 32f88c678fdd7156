// cgrep-fuzz --target=NAME [LIBFUZZER-ARGS…]; without a target it lists them.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "fuzz/target.h"

namespace {

const cgrep::fuzz::Target* chosen = nullptr;
constexpr std::string_view kOption = "--target=";

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  const auto& all = cgrep::fuzz::targets();
  if (*argc > 1 && std::string_view((*argv)[1]).starts_with(kOption)) {
    const auto found = all.find((*argv)[1] + kOption.size());
    if (found != all.end()) chosen = &found->second;
    // libFuzzer keeps the first argument and passes it on to the processes that it starts.
  }
  if (chosen != nullptr) return 0;
  for (const auto& [name, target] : all) std::puts(name.c_str());
  std::exit(*argc > 1 ? 2 : 0);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (*chosen)({reinterpret_cast<const char*>(data), size});
  return 0;
}
