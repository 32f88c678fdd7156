// The table of fields.
// SPDX-License-Identifier: MIT
#include "query/fields.h"

#include <algorithm>
#include <array>

namespace cgrep {
namespace {

constexpr std::array<Field, 9> kFields = {{
    {"role", "", "Who or what the text comes from", "role:user", true},
    {"store", "", "The store that holds it", "store:transcripts", true},
    {"project", "", "Path of the project, the end of it, a glob, or none", "project:ada/widget",
     true},
    {"tool", "", "Name of the tool of a call or result", "tool:shell", true},
    {"conversation", "conv", "Address of the conversation", "conversation:3f2a9c1e", true},
    {"date", "", "Time of the document: a date, or a range of dates", "date:2026-08..2026-09"},
    {"since", "after", "Not older than this", "since:2w"},
    {"until", "before", "Not newer than this", "until:2026-08"},
    {"title", "", "Words in the title of the conversation", "title:\"login page\""},
}};

constexpr bool is_lower_case(std::string_view name) {
  return std::ranges::all_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
}

constexpr bool names_are_plain_and_differ() {
  for (const Field& field : kFields) {
    if (field.name.empty() || !is_lower_case(field.name) || !is_lower_case(field.alias))
      return false;
    for (const Field& other : kFields)
      if ((&other != &field && other.name == field.name) || other.name == field.alias) return false;
  }
  return true;
}

static_assert(names_are_plain_and_differ());

}  // namespace

std::span<const Field> fields() {
  return kFields;
}

const Field* find_field(std::string_view name) {
  if (name.empty()) return nullptr;
  const auto field = std::ranges::find_if(
      kFields, [&](const Field& row) { return row.name == name || row.alias == name; });
  return field == kFields.end() ? nullptr : &*field;
}

}  // namespace cgrep
