// Small recursive parsers; a Reader knows where it stands, so that errors name the line.

#include "corpus/notation.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "corpus/hex.h"
#include "error.h"
#include "index/sha256.h"

namespace cgrep::corpus {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

class Reader {
 public:
  Reader(std::string_view text, std::size_t first_line) : text_(text), first_line_(first_line) {}

  [[noreturn]] void fail(const std::string& what) const {
    const auto lines = std::count(text_.begin(), text_.begin() + std::ptrdiff_t(at_), '\n');
    throw Error(fmt::format("line {}: {}", first_line_ + std::size_t(lines), what));
  }

  bool at_end() {
    skip_space();
    return at_ == text_.size();
  }

  char peek() { return at_end() ? '\0' : text_[at_]; }

  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  bool take(std::string_view word) {
    skip_space();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  void expect(char c) {
    if (!take(c)) fail(fmt::format("expected '{}'", c));
  }

  std::string_view take_while(const std::function<bool(char)>& wanted) {
    skip_space();
    const std::size_t start = at_;
    while (at_ < text_.size() && wanted(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  /// A JSON string without its quotes, escapes left as they are.
  std::string_view raw_string() {
    expect('"');
    const std::size_t start = at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n')
      at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= text_.size() || text_[at_] != '"') fail("string without end");
    return text_.substr(start, at_++ - start);
  }

 private:
  /// White space, and comments from `#` to the end of the line.
  void skip_space() {
    while (at_ < text_.size() && (is_space(text_[at_]) || text_[at_] == '#'))
      at_ = text_[at_] == '#' ? std::min(text_.find('\n', at_), text_.size()) : at_ + 1;
  }

  std::string_view text_;
  std::size_t first_line_;
  std::size_t at_ = 0;
};

// JSON

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string json_value(Reader& in);

/// Strings that follow each other are one string: a long text may be written over several lines.
std::string json_strings(Reader& in) {
  std::string out = "\"";
  do out += in.raw_string();
  while (in.peek() == '"');
  return out + '"';
}

std::string json_list(Reader& in, char close, const std::function<std::string()>& item) {
  std::string out;
  if (in.take(close)) return out;
  do {
    if (!out.empty()) out += ',';
    out += item();
  } while (in.take(','));
  in.expect(close);
  return out;
}

std::string json_member(Reader& in) {
  std::string out = json_strings(in);
  in.expect(':');
  return out + ':' + json_value(in);
}

std::string json_scalar(Reader& in) {
  const auto word = in.take_while([](char c) { return is_name(c) || c == '+' || c == '.'; });
  const bool is_word = word == "true" || word == "false" || word == "null";
  double number = 0;
  if (!is_word && std::from_chars(word.data(), word.data() + word.size(), number).ec != std::errc())
    in.fail("expected a JSON value");
  return std::string(word);
}

std::string json_value(Reader& in) {
  if (in.take('{')) return '{' + json_list(in, '}', [&] { return json_member(in); }) + '}';
  if (in.take('[')) return '[' + json_list(in, ']', [&] { return json_value(in); }) + ']';
  if (in.peek() == '"') return json_strings(in);
  if (in.take("@string")) return quoted(json_value(in));
  return json_scalar(in);
}

// Protobuf

std::string varint(std::uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>((value & 0x7f) | 0x80);
  return out + static_cast<char>(value);
}

std::string little_endian(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}

std::uint64_t proto_number(Reader& in) {
  const auto digits = in.take_while([](char c) { return c >= '0' && c <= '9'; });
  std::uint64_t value = 0;
  const auto end = digits.data() + digits.size();
  if (std::from_chars(digits.data(), end, value).ec != std::errc()) in.fail("expected a number");
  return value;
}

std::string utf8(std::uint32_t code) {
  if (code < 0x80) return {static_cast<char>(code)};
  const auto tail = [code](int shift) { return static_cast<char>(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x800) return {static_cast<char>(0xc0 | code >> 6), tail(0)};
  return {static_cast<char>(0xe0 | code >> 12), tail(6), tail(0)};
}

/// The text of a string as JSON escapes it; `\u` for the basic plane only.
std::string unescaped(Reader& in, std::string_view raw) {
  static constexpr std::string_view kLetters = "nrtbf\"\\/";
  static constexpr std::string_view kMeanings = "\n\r\t\b\f\"\\/";
  std::string out;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\') {
      out += raw[i];
    } else if (const auto known = kLetters.find(raw[++i]); known != kLetters.npos) {
      out += kMeanings[known];
    } else if (raw[i] == 'u' && i + 4 < raw.size()) {
      out +=
          utf8(static_cast<std::uint32_t>(std::stoul(std::string(raw.substr(i + 1, 4)), {}, 16)));
      i += 4;
    } else {
      in.fail("unknown escape");
    }
  }
  return out;
}

const std::string& named(Reader& in, const NamedValues& names) {
  const auto name = in.take_while(is_name);
  const auto found = names.find(name);
  if (found == names.end()) in.fail(fmt::format("no value named '{}' before this one", name));
  return found->second;
}

std::string proto_message(Reader& in, const NamedValues& names);

/// What is written with a length before it; nothing when a number follows instead.
std::optional<std::string> proto_bytes(Reader& in, const NamedValues& names) {
  if (in.take('{')) {
    auto message = proto_message(in, names);
    in.expect('}');
    return message;
  }
  if (in.peek() == '"') {
    std::string text;
    while (in.peek() == '"') text += unescaped(in, in.raw_string());
    return text;
  }
  if (in.take("id ")) return sha256(named(in, names));
  if (in.take("data ")) return named(in, names);
  if (in.take("json ")) return json_value(in);
  if (in.take("hex ")) return from_hex(in.take_while([](char c) { return std::isxdigit(c) != 0; }));
  return std::nullopt;
}

std::string proto_field(Reader& in, const NamedValues& names) {
  const auto tag = [number = proto_number(in)](unsigned wire) {
    return varint(number << 3 | wire);
  };
  in.expect(':');
  if (const auto bytes = proto_bytes(in, names)) return tag(2) + varint(bytes->size()) + *bytes;
  if (in.take("fixed64 ")) return tag(1) + little_endian(proto_number(in), 8);
  if (in.take("fixed32 ")) return tag(5) + little_endian(proto_number(in), 4);
  return tag(0) + varint(proto_number(in));
}

std::string proto_message(Reader& in, const NamedValues& names) {
  std::string out;
  while (!in.at_end() && in.peek() != '}') out += proto_field(in, names);
  return out;
}

// References

/// What `${verb name}` stands for; nothing when the text is something else, such as JavaScript.
std::optional<std::string> referred(std::string_view verb, std::string_view name,
                                    const NamedValues& names) {
  if (verb != "id" && verb != "hex" && verb != "base64") return std::nullopt;
  const auto found = names.find(name);
  if (found == names.end()) throw Error(fmt::format("no value named '{}' before its use", name));
  if (verb == "id") return to_hex(sha256(found->second));
  return verb == "hex" ? to_hex(found->second) : to_base64(found->second);
}

std::string with_references(std::string_view text, const NamedValues& names) {
  std::string out;
  for (;;) {
    const auto start = text.find("${");
    out += text.substr(0, start);
    if (start == text.npos) return out;
    text.remove_prefix(start);
    const auto inner = text.substr(2, text.find('}') - 2);
    const auto space = std::min(inner.find(' '), inner.size());
    const auto name = inner.substr(std::min(space + 1, inner.size()));
    const auto value = referred(inner.substr(0, space), name, names);
    out += value.value_or("${");
    text.remove_prefix(value ? inner.size() + 3 : 2);
  }
}

std::string_view without_outer_newlines(std::string_view text) {
  if (text.starts_with('\n')) text.remove_prefix(1);
  if (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

std::string whole(Reader& in, std::string bytes) {
  if (!in.at_end()) in.fail("more than one value");
  return bytes;
}

}  // namespace

std::string bytes_of(const Value& value, const NamedValues& names) {
  if (value.kind == "hex") return from_hex(value.body);
  const std::string body = with_references(value.body, names);
  if (value.kind == "text") return std::string(without_outer_newlines(body));
  Reader in(body, value.line);
  if (value.kind == "json") return whole(in, json_value(in));
  return whole(in, proto_message(in, names));
}

std::string from_hex(std::string_view digits) {
  std::string packed;
  std::copy_if(digits.begin(), digits.end(), std::back_inserter(packed),
               [](char c) { return !is_space(c); });
  std::string bytes;
  for (std::size_t i = 0; i < packed.size(); i += 2) {
    unsigned byte = 0;
    const char* end = packed.data() + std::min(i + 2, packed.size());
    if (std::from_chars(packed.data() + i, end, byte, 16).ptr != packed.data() + i + 2)
      throw Error(fmt::format("not pairs of hex digits: '{}'", packed.substr(i, 2)));
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

std::string to_base64(std::string_view bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = i; k < i + 3; ++k)
      group = group << 8 | (k < bytes.size() ? static_cast<std::uint8_t>(bytes[k]) : 0u);
    const std::size_t digits = std::min<std::size_t>(bytes.size() - i, 3) + 1;
    for (std::size_t k = 0; k < 4; ++k)
      out += k < digits ? kDigits[group >> (18 - 6 * k) & 0x3f] : '=';
  }
  return out;
}

}  // namespace cgrep::corpus
