#include "cli/json_text.h"

#include <fmt/format.h>

#include "error.h"
#include "extract/json.h"

namespace cgrep {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

class Scanner {
 public:
  Scanner(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  std::size_t at() const { return at_; }
  bool at_end() const { return at_ == text_.size(); }

  void white() {
    while (!at_end() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }

  bool take(char wanted) {
    if (at_end() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  void expect(char wanted) {
    if (!take(wanted)) fail();
  }

  // Without recursion: what nests deep must not exhaust the stack.
  void value() {
    std::string open;
    for (;;) {
      white();
      if (begins(open)) continue;
      while (ended(open)) {
        if (open.empty()) return;
      }
    }
  }

  void string() {
    expect('"');
    while (!take('"')) {
      if (at_end() || static_cast<unsigned char>(text_[at_]) < ' ') fail();
      if (text_[at_++] == '\\') escape();
    }
  }

  void key() {
    white();
    string();
    white();
    expect(':');
  }

  [[noreturn]] void fail() const { throw Error(fmt::format("no JSON at byte {}", at_)); }

 private:
  // True when something was opened, and its first value comes next.
  bool begins(std::string& open) {
    const char c = at_end() ? '\0' : text_[at_];
    if (c != '{' && c != '[') {
      scalar(c);
      return false;
    }
    ++at_;
    white();
    if (take(c == '{' ? '}' : ']')) return false;
    open += c;
    if (c == '{') key();
    return true;
  }

  // A value ended. True when what it stands in ends with it, or nothing is open; else the next one
  // comes.
  bool ended(std::string& open) {
    if (open.empty()) return true;
    white();
    const bool object = open.back() == '{';
    if (take(',')) {
      if (object) key();
      return false;
    }
    expect(object ? '}' : ']');
    open.pop_back();
    return true;
  }

  void scalar(char first) {
    if (first == '"') return string();
    for (const std::string_view word : {"true", "false", "null"})
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return;
      }
    number();
  }

  void digits() {
    if (at_end() || !is_digit(text_[at_])) fail();
    while (!at_end() && is_digit(text_[at_])) ++at_;
  }

  void number() {
    take('-');
    if (!take('0')) digits();
    if (take('.')) digits();
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      digits();
    }
  }

  void escape() {
    if (at_end()) fail();
    const char c = text_[at_];
    if (c != 'u' && std::string_view("\"\\/bfnrt").find(c) == std::string_view::npos) fail();
    ++at_;
    for (int i = 0; c == 'u' && i < 4; ++i) {
      if (at_end() || !is_hex(text_[at_])) fail();
      ++at_;
    }
  }

  std::string_view text_;
  std::size_t at_;
};

}  // namespace

JsonText::JsonText(std::string_view text) : text_(text) {
  Scanner scan(text, text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
  scan.white();
  root_.begin = scan.at();
  scan.value();
  root_.end = scan.at();
  scan.white();
  if (!scan.at_end()) scan.fail();
}

std::vector<JsonPart> JsonText::parts(TextSpan value) const {
  std::vector<JsonPart> found;
  const bool object = is_object(value);
  Scanner scan(text_, value.begin + 1);
  scan.white();
  while (!scan.take(object ? '}' : ']')) {
    JsonPart part;
    part.all.begin = scan.at();
    if (object) {
      scan.string();
      part.key = string({part.all.begin, scan.at()});
      scan.white();
      scan.expect(':');
      scan.white();
    }
    part.value.begin = scan.at();
    scan.value();
    part.value.end = part.all.end = scan.at();
    found.push_back(std::move(part));
    scan.white();
    if (scan.take(',')) scan.white();
  }
  return found;
}

std::string JsonText::string(TextSpan value) const {
  const auto quoted = text_.substr(value.begin, value.end - value.begin);
  if (quoted.find('\\') == std::string_view::npos)
    return std::string(quoted.substr(1, quoted.size() - 2));
  const auto parsed = Json::parse(quoted);
  return parsed && parsed->string() != nullptr ? *parsed->string() : std::string();
}

}  // namespace cgrep
