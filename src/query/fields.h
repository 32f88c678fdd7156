// The fields of a query (`role:user`): one table, which the parser, `cgrep fields` and the man
// page take them from.
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace cgrep {

struct Field {
  std::string_view name{};
  std::string_view alias{};  // may be empty
  std::string_view slot{};   // what answers it: a term of the runs, or a column of history.db
  std::string_view help{};
  std::string_view example{};

  /// Takes `a,b` for either and `!a` for none; given twice, it means either, too.
  bool choice = false;
};

/// All fields, in the order in which they are shown.
std::span<const Field> fields();

/// By name or alias, both in lower case; nullptr if there is none.
const Field* find_field(std::string_view name);

}  // namespace cgrep
