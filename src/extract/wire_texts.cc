#include "extract/wire_texts.h"

#include <algorithm>
#include <cctype>

#include "document.h"
#include "extract/protobuf.h"
#include "extract/utf8.h"

namespace cgrep {

namespace {

constexpr int kMaxDepth = 16;
constexpr std::size_t kLongestWord = 512;

bool is_readable(std::string_view bytes) {
  const auto control = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\t' && c != '\r') || byte == 0x7f;
  };
  return std::none_of(bytes.begin(), bytes.end(), control) && valid_utf8(bytes);
}

// The wire does not tell texts and messages apart, and a message with a text of 32 letters or more
// can be read as one: it begins with the tag of its first field, a newline, and a length.
bool is_text(std::string_view bytes) {
  if (!is_readable(bytes)) return false;
  return !bytes.starts_with('\n') || !is_wire_message(bytes);
}

bool is_uuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : std::isxdigit(static_cast<unsigned char>(text[i])) == 0)
      return false;
  }
  return true;
}

// One word of letters and digits that is far too long for one: base64, hex, a key.
bool is_encoded(std::string_view text, std::size_t longest) {
  return text.size() > longest && std::all_of(text.begin(), text.end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '/' ||
                  c == '=' || c == '-' || c == '_' || c == '\n';
         });
}

class Texts {
 public:
  void walk(std::string_view message, int depth) {
    WireReader reader(message);
    while (const auto field = reader.next()) {
      if (!field->is_bytes() || field->bytes.empty()) continue;
      if (size_ > kMaxTextBytes) return;
      if (is_text(field->bytes))
        add(field->bytes);
      else if (depth < kMaxDepth && is_wire_message(field->bytes))
        walk(field->bytes, depth + 1);
    }
  }

  std::vector<std::string_view> take() { return std::move(texts_); }

 private:
  void add(std::string_view text) {
    if (is_uuid(text) || is_encoded(text, kLongestWord) || text.starts_with("data:")) return;
    texts_.push_back(text);
    size_ += text.size();
  }

  std::vector<std::string_view> texts_{};
  std::size_t size_ = 0;
};

}  // namespace

std::vector<std::string_view> wire_texts(std::string_view message) {
  Texts texts;
  texts.walk(message, 0);
  return texts.take();
}

bool is_prose(std::string_view text) {
  constexpr std::size_t kShortest = 16;
  constexpr std::size_t kLongestName = 31;
  text = trimmed(text);
  if (text.size() < kShortest || is_encoded(text, kLongestName)) return false;
  return text.find_first_of(" \n") != text.npos ||
         std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

}  // namespace cgrep
