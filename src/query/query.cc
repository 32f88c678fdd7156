// Query as text, in the manner of Lisp: for --explain and tests.
// SPDX-License-Identifier: MIT
#include "query/query.h"

#include <algorithm>
#include <string_view>

namespace cgrep {
namespace {

/// Quoted where it would not be read as one word.
std::string printed_text(std::string_view text) {
  const bool plain = !text.empty() && text.find_first_of("()\"\\ \t\r\n") == std::string_view::npos;
  if (plain) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::string printed_list(const std::string& head, const std::vector<Query>& children) {
  std::string list = '(' + head;
  for (const Query& child : children) list += ' ' + child.printed();
  return list + ')';
}

/// The words of a phrase are exact by nature: no `=` there.
std::string printed_phrase(const std::vector<Query>& words) {
  std::string list = "(phrase";
  for (const Query& word : words)
    list +=
        ' ' + (word.kind == Query::Kind::word ? printed_text(word.text) + (word.cased ? "/s" : "")
                                              : word.printed());
  return list + ')';
}

}  // namespace

std::string Query::printed() const {
  switch (kind) {
    case Kind::everything:
      return "everything";
    case Kind::word:
      return (exact ? "=" : "") + printed_text(text) + (cased ? "/s" : "");
    case Kind::prefix:
      return printed_text(text) + '*' + (cased ? "/s" : "");
    case Kind::phrase:
      return printed_phrase(children);
    case Kind::near:
      return printed_list("near/" + std::to_string(distance), children);
    case Kind::field:
      return "(field " + field + ' ' + printed_text(text) + ')';
    case Kind::all_of:
      return printed_list("all", children);
    case Kind::any_of:
      return printed_list("any", children);
    case Kind::not_of:
      return printed_list("not", children);
  }
  return {};
}

}  // namespace cgrep
