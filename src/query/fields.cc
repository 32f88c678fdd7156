// The table of fields.
// SPDX-License-Identifier: MIT
#include "query/fields.h"

#include <algorithm>
#include <array>

namespace cgrep {
namespace {

constexpr std::array<Field, 15> kFields = {{
    {"role", "", "term R", "Who or what the text comes from", "role:user", true},
    {"store", "", "documents.stores", "The store that holds it", "store:transcripts", true},
    {"project", "", "conversations.project",
     "Path of the project, the end of it, its slug, a glob, or none", "project:ada/widget", true},
    {"tool", "", "term T", "Name of the tool of a call or result", "tool:shell", true},
    {"file", "", "documents.files", "Path of a file that it touches: the end of it, or a glob",
     "file:login.ts", true},
    {"conversation", "conv", "term C", "Address of the conversation", "conversation:3f2a9c1e",
     true},
    {"date", "", "documents.time", "Time of the document: a date, or a range of dates",
     "date:2026-08..2026-09"},
    {"since", "after", "documents.time", "Not older than this", "since:2w"},
    {"until", "before", "documents.time", "Not newer than this", "until:2026-08"},
    {"title", "", "conversations.title", "Words in the title of the conversation",
     "title:\"login page\""},
    {"model", "", "conversations.model", "Name of the model, or a part of it", "model:sonnet",
     true},
    {"mode", "", "conversations.mode", "Mode of the agent", "mode:plan", true},
    {"branch", "", "conversations.branch", "Git branch of the conversation", "branch:fix/*", true},
    {"surface", "", "conversations.surface", "Where it took place: ide or cli", "surface:cli",
     true},
    {"is", "", "documents.flags", "One of gone, orphan, archived, subagent", "is:gone", true},
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
