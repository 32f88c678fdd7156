// JsonText: where the values of a JSON document stand in its text, so that it can be changed in one
// place and stay as it is in all others.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cgrep {

/// A piece of a text.
struct TextSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// An item of an array, or a member of an object.
struct JsonPart {
  TextSpan all{};     // of a member, from its name to the end of its value
  TextSpan value{};   //
  std::string key{};  // of a member
};

/// Strict, as RFC 8259 is: no comments, no commas too many; a byte order mark may stand before it.
/// Nested as deep as it likes. The text must outlive it.
class JsonText {
 public:
  /// Throws Error that says where it is no JSON.
  explicit JsonText(std::string_view text);

  /// The whole value.
  TextSpan root() const { return root_; }

  bool is_object(TextSpan value) const { return text_[value.begin] == '{'; }
  bool is_array(TextSpan value) const { return text_[value.begin] == '['; }
  bool is_string(TextSpan value) const { return text_[value.begin] == '"'; }

  /// Of an array or an object, in the order of the text; a name may be there twice.
  std::vector<JsonPart> parts(TextSpan value) const;

  /// What a string says.
  std::string string(TextSpan value) const;

 private:
  std::string_view text_;
  TextSpan root_{};
};

}  // namespace cgrep
