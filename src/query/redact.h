// Secrets in texts: keys, tokens and passwords, known by their shape. One table says which; what
// is found can be masked where a text is printed or leaves the machine.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/hit.h"

namespace cgrep {

struct SecretShape {
  /// What must hold of the secret beside its shape.
  enum class Check : std::uint8_t {
    always,    // nothing
    none,      // that it is no placeholder
    random,    // and has letters and digits, as mixed as a machine mixes them
    assigned,  // and is no code: what stands behind `password =` may be a call or a path
  };
  std::string_view name{};     // shown in its place: [redacted:NAME]
  std::string_view pattern{};  // the secret is the group that took part, or all of it
  Check check = Check::none;
  /// A text that has one. `{36}` stands for as many characters that look random, so that no
  /// source file holds what scanners take for a secret.
  std::string_view example{};
};
std::span<const SecretShape> secret_shapes();

/// The example with its random characters.
std::string example_of(const SecretShape& shape);

struct Secret {
  Span span{};  // bytes of the text
  std::string_view shape{};
};

/// Sorted, not overlapping. Time is linear in the text.
std::vector<Secret> find_secrets(std::string_view text);

/// `[redacted:NAME]`
std::string mask_of(const Secret& secret);

/// The text with masks in the place of its secrets.
std::string redacted(std::string_view text, std::span<const Secret> secrets);
std::string redacted(std::string_view text);

}  // namespace cgrep
