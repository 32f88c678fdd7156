// How extractors hand over what they found: texts made fit, claims only where there is something
// to claim.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "extract/json_reader.h"
#include "extract/store.h"

namespace cgrep {

/// Delivers the document with a text that is valid UTF-8 and no longer than a text may be. An
/// empty text is no document, unless it is a call of a tool.
void deliver(Document&& document, Sink& sink);

/// Claims about one conversation or group.
class Claims {
 public:
  Claims(std::string subject, Sink& sink);

  /// Nothing when the value is empty.
  void add(Fact fact, int rung, std::string_view value) const;
  /// A path or URI; nothing unless it is absolute.
  void add_path(int rung, std::string_view value) const;
  void add_time(Fact fact, std::optional<std::int64_t> ms) const;
  void add_time(Fact fact, std::optional<JsonElement> value) const;
  /// `default` and `auto` name no model.
  void add_model(int rung, std::string_view value) const;

 private:
  std::string subject_;
  Sink& sink_;
};

}  // namespace cgrep
