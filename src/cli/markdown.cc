#include "cli/markdown.h"

#include <algorithm>

namespace cgrep {
namespace {

using Kind = MarkdownLine::Kind;
using Piece = MarkdownPiece;

constexpr std::string_view kSpace = " \t";

std::size_t run_of(std::string_view text, char c) {
  return std::min(text.find_first_not_of(c), text.size());
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

// The marker is the first `size` bytes; the white space behind it belongs to neither.
MarkdownLine marked(MarkdownLine line, Kind kind, std::string_view rest, std::size_t size) {
  line.kind = kind;
  line.marker = rest.substr(0, size);
  rest.remove_prefix(size);
  rest.remove_prefix(std::min(rest.find_first_not_of(kSpace), rest.size()));
  line.text = rest;
  return line;
}

bool followed_by_space(std::string_view text, std::size_t at) {
  return at == text.size() || text[at] == ' ' || text[at] == '\t';
}

// Three or more of one of these, with spaces between them, and nothing else.
bool is_rule(std::string_view text) {
  const char c = text.front();
  if (c != '-' && c != '*' && c != '_') return false;
  std::size_t count = 0;
  for (const char other : text) {
    if (other == c) ++count;
    if (other != c && kSpace.find(other) == std::string_view::npos) return false;
  }
  return count >= 3;
}

std::size_t fence_size(std::string_view text) {
  const char c = text.front();
  if (c != '`' && c != '~') return 0;
  const std::size_t size = run_of(text, c);
  // ```x``` is code within a line.
  const bool inline_code = c == '`' && text.find('`', size) != std::string_view::npos;
  return size >= 3 && !inline_code ? size : 0;
}

std::size_t number_size(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const bool ends = digits < text.size() && (text[digits] == '.' || text[digits] == ')');
  return digits > 0 && digits <= 9 && ends && followed_by_space(text, digits + 1) ? digits + 1 : 0;
}

MarkdownLine classified(MarkdownLine line, std::string_view rest) {
  if (const auto size = run_of(rest, '#'); size > 0 && size <= 6 && followed_by_space(rest, size))
    return marked(line, Kind::heading, rest, size);
  if (rest.front() == '>') return marked(line, Kind::quote, rest, 1);
  if (is_rule(rest)) return marked(line, Kind::rule, rest, rest.size());
  if (std::string_view("-*+").find(rest.front()) != std::string_view::npos &&
      followed_by_space(rest, 1))
    return marked(line, Kind::bullet, rest, 1);
  if (const auto size = number_size(rest); size > 0)
    return marked(line, Kind::numbered, rest, size);
  line.text = rest;
  return line;
}

// Code ends at as many backticks as it began with.
std::size_t code_end(std::string_view line, std::size_t from, std::size_t ticks) {
  while (true) {
    const auto at = line.find('`', from);
    if (at == std::string_view::npos) return at;
    const auto size = run_of(line.substr(at), '`');
    if (size == ticks) return at;
    from = at + size;
  }
}

bool is_web(std::string_view target) {
  return (target.starts_with("https://") || target.starts_with("http://")) &&
         target.find_first_of(" \t<>\"") == std::string_view::npos;
}

Piece code_at(std::string_view line) {
  const auto ticks = run_of(line, '`');
  const auto end = code_end(line, ticks, ticks);
  if (end == std::string_view::npos) return {};
  auto text = line.substr(ticks, end - ticks);
  // One space on either side is there to part backticks from backticks.
  if (text.size() > 2 && text.front() == ' ' && text.back() == ' ')
    text = text.substr(1, text.size() - 2);
  return {Piece::Kind::code, line.substr(0, end + ticks), text, {}};
}

Piece bold_at(std::string_view line) {
  if (!line.starts_with("**") || line.size() < 5 || followed_by_space(line, 2)) return {};
  const auto end = line.find("**", 3);
  if (end == std::string_view::npos || line[end - 1] == ' ') return {};
  return {Piece::Kind::bold, line.substr(0, end + 2), line.substr(2, end - 2), {}};
}

Piece link_at(std::string_view line) {
  const auto middle = line.find("](");
  const auto end = line.find(')', middle == std::string_view::npos ? line.size() : middle);
  if (end == std::string_view::npos || line.substr(1, middle - 1).find('[') != line.npos) return {};
  const auto target = line.substr(middle + 2, end - middle - 2);
  if (middle == 1 || !is_web(target)) return {};
  return {Piece::Kind::link, line.substr(0, end + 1), line.substr(1, middle - 1), target};
}

Piece address_at(std::string_view line) {
  auto address = line.substr(0, line.find_first_of(" \t\r<>\"'`|"));
  while (!address.empty() && std::string_view(".,;:!?)]*").find(address.back()) != line.npos)
    address.remove_suffix(1);
  if (address.size() < 11 || !is_web(address)) return {};
  return {Piece::Kind::link, address, address, address};
}

// What begins here; nothing is written when it is only text.
Piece piece_at(std::string_view line) {
  switch (line.front()) {
    case '`':
      return code_at(line);
    case '*':
      return bold_at(line);
    case '[':
      return link_at(line);
    case 'h':
      return address_at(line);
    default:
      return {};
  }
}

std::string painted_pieces(const Terminal& terminal, std::string_view line) {
  std::string shown;
  for (const Piece& piece : markdown_pieces(line)) {
    const Paint paint = piece.kind == Piece::Kind::code   ? Paint::code
                        : piece.kind == Piece::Kind::bold ? Paint::title
                                                          : Paint::plain;
    shown += painted(terminal, paint, piece.written);
  }
  return shown;
}

std::string painted_line(const Terminal& terminal, const MarkdownLine& read,
                         std::string_view line) {
  switch (read.kind) {
    case Kind::heading:
      return painted(terminal, Paint::title, line);
    case Kind::quote:
    case Kind::rule:
    case Kind::fence:
      return painted(terminal, Paint::faint, line);
    case Kind::code:  // there is much of it, to be read: as it is
      return std::string(line);
    case Kind::bullet:
    case Kind::numbered:
      return std::string(line.substr(0, read.indent)) +
             painted(terminal, Paint::number, read.marker) +
             painted_pieces(terminal, line.substr(read.indent + read.marker.size()));
    case Kind::text:
    case Kind::blank:
      break;
  }
  return painted_pieces(terminal, line);
}

}  // namespace

MarkdownLine MarkdownReader::next(std::string_view line) {
  MarkdownLine read{.indent = std::min(line.find_first_not_of(kSpace), line.size()), .text = line};
  if (!fence_.empty()) return in_fence(line, read);
  if (is_blank(line)) {
    read.kind = Kind::blank;
    return read;
  }
  const auto rest = line.substr(read.indent);
  if (const auto size = fence_size(rest); size > 0) {
    fence_ = rest.substr(0, size);
    return marked(read, Kind::fence, rest, size);
  }
  return classified(read, rest);
}

MarkdownLine MarkdownReader::in_fence(std::string_view line, MarkdownLine read) {
  const auto rest = line.substr(read.indent);
  const auto size = run_of(rest, fence_.front());
  if (size < fence_.size() || !is_blank(rest.substr(size))) {
    read.kind = Kind::code;
    return read;
  }
  fence_.clear();
  return marked(read, Kind::fence, rest, size);
}

std::vector<MarkdownPiece> markdown_pieces(std::string_view line) {
  std::vector<Piece> pieces;
  std::size_t plain = 0;  // where the text before the next piece begins
  const auto end_plain = [&](std::size_t at) {
    const auto text = line.substr(plain, at - plain);
    if (!text.empty()) pieces.push_back({Piece::Kind::plain, text, text, {}});
  };
  for (std::size_t at = line.find_first_of("`*[h"); at < line.size();
       at = line.find_first_of("`*[h", at)) {
    // An address begins a word.
    const bool inside = line[at] == 'h' && at > 0 &&
                        std::string_view(" \t(<\"'|:").find(line[at - 1]) == std::string_view::npos;
    const Piece piece = inside ? Piece{} : piece_at(line.substr(at));
    if (piece.written.empty()) {
      at += line[at] == '`' || line[at] == '*' ? run_of(line.substr(at), line[at]) : 1;
      continue;
    }
    end_plain(at);
    pieces.push_back(piece);
    at += piece.written.size();
    plain = at;
  }
  end_plain(line.size());
  return pieces;
}

std::vector<std::string_view> text_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string painted_markdown(const Terminal& terminal, std::string_view text) {
  if (!terminal.color) return std::string(text);
  MarkdownReader reader;
  std::string shown;
  for (const auto line : text_lines(text)) {
    if (!shown.empty()) shown += '\n';
    shown += painted_line(terminal, reader.next(line), line);
  }
  if (text.ends_with('\n')) shown += '\n';
  return shown;
}

}  // namespace cgrep
