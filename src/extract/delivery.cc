#include "extract/delivery.h"

#include <utility>

#include <fmt/format.h>

#include "extract/paths.h"
#include "extract/utf8.h"

namespace cgrep {

namespace {

void repair(std::string& text) {
  if (!valid_utf8(text)) text = repaired_utf8(text);
}

}  // namespace

void deliver(Document&& document, Sink& sink) {
  repair(document.text);
  repair(document.tool);
  for (auto& file : document.files) repair(file);  // of a text, or with %XX that is no character
  if (document.text.size() > kMaxTextBytes) {
    document.text.resize(cut_position(document.text, kMaxTextBytes));
    document.text.shrink_to_fit();
    document.truncated = true;
  }
  if (trimmed(document.text).empty() && document.role != Role::tool_call) return;
  sink.document(std::move(document));
}

Claims::Claims(std::string subject, Sink& sink) : subject_(std::move(subject)), sink_(sink) {}

void Claims::add(Fact fact, int rung, std::string_view value) const {
  if (!value.empty()) sink_.claim({subject_, fact, rung, repaired_utf8(value)});
}

void Claims::add_path(int rung, std::string_view value) const {
  const auto path = path_of_uri(value);
  if (is_absolute_path(path)) add(Fact::project, rung, path);
}

void Claims::add_time(Fact fact, std::optional<std::int64_t> ms) const {
  if (ms) add(fact, rung::any::only, fmt::to_string(*ms));
}

void Claims::add_time(Fact fact, std::optional<JsonElement> value) const {
  if (value) add_time(fact, time_of(*value));
}

void Claims::add_model(int rung, std::string_view value) const {
  if (value != "default" && value != "auto") add(Fact::model, rung, value);
}

}  // namespace cgrep
