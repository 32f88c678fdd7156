// The oldest transcripts, text with markers:
//   user:                  alone, or in column 0 with text behind it
//   assistant:   A:        likewise; A: in column 0 only
//     [Thinking] text      within an assistant's part; the indented or empty lines that follow
//     [Tool call] Name     are its body, the first other line is the assistant's text again
//     [Tool result] Name
// The body of a call is JSON, a patch, or `key=value` lines.
#include <algorithm>
#include <cctype>

#include "extract/json_reader.h"
#include "extract/transcript.h"
#include "extract/utf8.h"

namespace cgrep {

namespace {

enum class Part : std::uint8_t { none, user, assistant, thinking, call, result };

bool is_section(Part part) {
  return part == Part::thinking || part == Part::call || part == Part::result;
}

bool starts_with_word(std::string_view text, std::string_view word) {
  return text.size() >= word.size() &&
         std::equal(word.begin(), word.end(), text.begin(), [](unsigned char a, unsigned char b) {
           return std::tolower(a) == std::tolower(b);
         });
}

bool is_indented(std::string_view line) {
  return line.starts_with(' ') || line.starts_with('\t');
}

struct Marker {
  Part part = Part::none;
  std::string_view rest{};  // what stands behind it
};

Marker speaker_of(std::string_view line, Part current) {
  const auto text = trimmed(line);
  const bool in_column_0 = !is_indented(line);
  const auto speaks = [&](std::string_view word) {
    return starts_with_word(text, word) &&
           (in_column_0 || (text.size() == word.size() && !is_section(current)));
  };
  if (speaks("user:")) return {Part::user, trimmed(text.substr(5))};
  if (speaks("assistant:")) return {Part::assistant, trimmed(text.substr(10))};
  if (in_column_0 && text.starts_with("A:") && (text.size() == 2 || text[2] == ' '))
    return {Part::assistant, trimmed(text.substr(2))};
  return {};
}

Marker section_of(std::string_view line) {
  const auto text = trimmed(line);
  const auto marker = [&](std::string_view word, Part part) -> Marker {
    if (!starts_with_word(text, word)) return {};
    return {part, trimmed(text.substr(word.size()))};
  };
  for (const auto& found : {marker("[Thinking]", Part::thinking), marker("[Tool call]", Part::call),
                            marker("[Tool result]", Part::result)})
    if (found.part != Part::none) return found;
  return {};
}

// Without the blanks that all lines begin with.
std::string dedented(std::string_view body) {
  std::size_t indent = std::string_view::npos;
  const auto for_each_line = [&](const auto& visit) {
    for (std::size_t begin = 0; begin < body.size();) {
      const auto end = std::min(body.find('\n', begin), body.size());
      visit(body.substr(begin, end - begin));
      begin = end + 1;
    }
  };
  for_each_line([&](std::string_view line) {
    if (!is_blank(line)) indent = std::min(indent, line.find_first_not_of(" \t"));
  });
  std::string text;
  for_each_line([&](std::string_view line) {
    text += line.substr(std::min(indent, line.size()));
    text += '\n';
  });
  while (text.ends_with('\n') || text.ends_with(' ')) text.pop_back();
  return text;
}

class TextReader {
 public:
  TextReader(std::string_view bytes, TranscriptDelivery& to) : bytes_(bytes), to_(to) {}

  void read() {
    LineReader lines(reading(bytes_), 0);
    for (Line line; lines.next(line);) this->line(line);
    end_part();
  }

 private:
  void line(const Line& line) {
    if (line.offset < quoted_until_) return add(line.bytes);
    if (const auto speaker = speaker_of(line.bytes, part_); speaker.part != Part::none)
      return begin_speaker(speaker, line);
    const bool assistant = part_ == Part::assistant || is_section(part_);
    if (const auto section = section_of(line.bytes); assistant && section.part != Part::none)
      return begin_section(section, line.offset);
    if (is_section(part_) && !is_blank(line.bytes) && !is_indented(line.bytes))
      begin(Part::assistant, line.offset);
    add(line.bytes);
  }

  void begin(Part part, std::uint64_t offset) {
    end_part();
    part_ = part;
    offset_ = offset;
  }

  void begin_speaker(const Marker& speaker, const Line& line) {
    begin(speaker.part, line.offset);
    if (!speaker.rest.empty()) add(speaker.rest);
    if (speaker.part == Part::user) quoted_until_ = end_of_query(bytes_.find(':', line.offset) + 1);
  }

  void begin_section(const Marker& section, std::uint64_t offset) {
    begin(section.part, offset);
    if (section.part == Part::thinking)
      add(section.rest);
    else
      tool_ = section.rest;
  }

  void add(std::string_view line) {
    body_ += line;
    body_ += '\n';
  }

  // What looks like a marker inside a <user_query> that is closed is part of what the user wrote.
  // `behind`: the marker. Never looks past the next <user_query>, so that all is read once.
  std::uint64_t end_of_query(std::uint64_t behind) const {
    constexpr std::string_view kOpen = "<user_query>";
    const auto open = bytes_.find_first_not_of(" \t\r\n", behind);
    if (open == bytes_.npos || !bytes_.substr(open).starts_with(kOpen)) return 0;
    const auto next = bytes_.find(kOpen, open + kOpen.size());
    const auto close = bytes_.substr(0, next).find("</user_query>", open);
    return close == bytes_.npos ? 0 : close;
  }

  void end_part() {
    switch (part_) {
      case Part::none:
        if (!is_blank(body_)) to_.problem("text before the first marker", 0);
        break;
      case Part::user:
        to_.user(body_, offset_);
        to_.message_ended();
        break;
      case Part::assistant:
        to_.reply(Role::assistant, body_, offset_);
        break;
      case Part::thinking:
        to_.reply(Role::thinking, dedented(body_), offset_);
        break;
      case Part::call:
        to_.tool_call(tool_, call_arguments(), offset_);
        break;
      case Part::result:
        to_.tool_result(tool_, dedented(body_), offset_);
        break;
    }
    body_.clear();
    tool_.clear();
  }

  Arguments call_arguments() {
    const auto text = dedented(body_);
    const auto arguments = json_.parse(text);
    if (arguments && (arguments->is_object() || arguments->is_array()))
      return flattened(*arguments);
    return flattened_text(text);
  }

  std::string_view bytes_;
  TranscriptDelivery& to_;
  JsonReader json_{};
  Part part_ = Part::none;
  std::uint64_t offset_ = 0;
  std::uint64_t quoted_until_ = 0;
  std::string tool_{};
  std::string body_{};
};

}  // namespace

void read_transcript_txt(std::string_view bytes, TranscriptDelivery& to) {
  to.whole();
  TextReader(bytes, to).read();
}

}  // namespace cgrep
