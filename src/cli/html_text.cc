#include "cli/html_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "cli/export_writer.h"
#include "cli/markdown.h"

namespace cgrep {
namespace {

using Kind = MarkdownLine::Kind;

std::string escaped(std::string_view harmless_text) {
  std::string result;
  result.reserve(harmless_text.size());
  for (const char c : harmless_text) switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  return result;
}

std::string pieces(std::string_view line) {
  std::string html;
  for (const MarkdownPiece& piece : markdown_pieces(line)) switch (piece.kind) {
      case MarkdownPiece::Kind::plain:
        html += escaped(piece.text);
        break;
      case MarkdownPiece::Kind::code:
        html += fmt::format("<code>{}</code>", escaped(piece.text));
        break;
      case MarkdownPiece::Kind::bold:
        html += fmt::format("<strong>{}</strong>", pieces(piece.text));
        break;
      case MarkdownPiece::Kind::link:
        html += fmt::format("<a href=\"{}\" rel=\"noreferrer noopener\">{}</a>",
                            escaped(piece.target), escaped(piece.text));
        break;
    }
  return html;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// `| a | b |`; a bar in code or behind a backslash parts nothing.
std::vector<std::string> cells_of(std::string_view row) {
  row = trimmed(row);
  row.remove_prefix(1);
  if (row.ends_with('|')) row.remove_suffix(1);
  std::vector<std::string> cells(1);
  bool code = false;
  for (std::size_t at = 0; at < row.size(); ++at) {
    if (row[at] == '`') code = !code;
    if (row[at] == '\\' && row.substr(at + 1).starts_with('|'))
      cells.back() += row[++at];
    else if (row[at] == '|' && !code)
      cells.emplace_back();
    else
      cells.back() += row[at];
  }
  return cells;
}

bool is_row(std::string_view line) {
  return trimmed(line).starts_with('|');
}

bool is_divider(std::string_view line) {
  return is_row(line) && line.find('-') != std::string_view::npos &&
         line.find_first_not_of("|-: \t") == std::string_view::npos;
}

// One text, line by line; blocks are opened when a line needs them and closed when one ends them.
class Renderer {
 public:
  std::string render(std::string_view text) {
    const auto lines = text_lines(text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const bool in_code = !reader_.open_fence().empty();
      if (!in_code && i + 1 < lines.size() && is_row(lines[i]) && is_divider(lines[i + 1])) {
        i = table(lines, i);
        continue;
      }
      line(reader_.next(lines[i]), lines[i]);
    }
    close_block();
    close_lists(0);
    return std::move(html_);
  }

 private:
  struct List {
    std::size_t indent = 0;
    std::string_view tag{};
  };

  void line(const MarkdownLine& read, std::string_view whole) {
    switch (read.kind) {
      case Kind::fence:
        return fence(read);
      case Kind::code:
        html_ += escaped(whole.substr(std::min(read.indent, code_indent_))) + "\n";
        return;
      case Kind::blank:
        close_block();
        after_blank_ = true;
        return;
      case Kind::heading:
        return heading(read);
      case Kind::rule:
        outside(read);
        html_ += "<hr>\n";
        return;
      case Kind::quote:
        inside("blockquote", read);
        html_ += pieces(read.text) + "\n";
        return;
      case Kind::bullet:
        return item(read, "ul");
      case Kind::numbered:
        return item(read, "ol");
      case Kind::text:
        return paragraph(read);
    }
  }

  // What is not indented after a blank line is no part of a list any more.
  void leave_lists(const MarkdownLine& read) {
    if (lists_.empty()) return;
    if (after_blank_ && read.indent <= lists_.back().indent) close_lists(read.indent > 0 ? 1 : 0);
    after_blank_ = false;
  }

  void outside(const MarkdownLine& read) {
    close_block();
    after_blank_ = true;
    leave_lists(read);
    after_blank_ = false;
  }

  void inside(std::string_view tag, const MarkdownLine& read) {
    if (block_ == tag) return;
    close_block();
    leave_lists(read);
    html_ += fmt::format("<{}>", tag);
    block_ = tag;
  }

  void paragraph(const MarkdownLine& read) {
    // A line below an item that is not parted from it goes on with it.
    if (item_open_ && !after_blank_) {
      html_ += "<br>\n" + pieces(read.text);
      return;
    }
    // What people line up with spaces stays so.
    const bool goes_on = block_ == "p" && lists_.empty();
    inside("p", read);
    html_ += std::string(goes_on ? read.indent : 0, ' ') + pieces(read.text) + "\n";
  }

  void heading(const MarkdownLine& read) {
    outside(read);
    // The page has its own headings above these.
    const auto level = std::min<std::size_t>(read.marker.size() + 3, 6);
    html_ += fmt::format("<h{0}>{1}</h{0}>\n", level, pieces(read.text));
  }

  void fence(const MarkdownLine& read) {
    if (block_ == "pre") {
      html_ += "</code></pre>\n";
      block_ = {};
      return;
    }
    close_block();
    leave_lists(read);
    code_indent_ = read.indent;
    html_ += "<pre><code>";
    block_ = "pre";
  }

  void item(const MarkdownLine& read, std::string_view tag) {
    close_block();
    after_blank_ = false;
    while (!lists_.empty() && read.indent < lists_.back().indent) close_lists(lists_.size() - 1);
    if (!lists_.empty() && read.indent < lists_.back().indent + 2) {
      if (lists_.back().tag == tag)
        html_ += "</li>\n";
      else
        close_lists(lists_.size() - 1);
    }
    if (lists_.empty() || read.indent >= lists_.back().indent + 2 || !html_.ends_with("</li>\n")) {
      const auto number = tag == "ol" ? read.marker.substr(0, read.marker.size() - 1) : "1";
      html_ += number == "1" ? fmt::format("<{}>\n", tag)
                             : fmt::format("<{} start=\"{}\">\n", tag, number);
      lists_.push_back({read.indent, tag});
    }
    std::string_view text = read.text;
    html_ += "<li>";
    if (text.starts_with("[ ] ") || text.starts_with("[x] ")) {
      html_ += text[1] == 'x' ? "☑ " : "☐ ";
      text.remove_prefix(4);
    }
    html_ += pieces(text);
    item_open_ = true;
  }

  // Returns the last row.
  std::size_t table(const std::vector<std::string_view>& lines, std::size_t at) {
    outside({});
    const auto row = [&](std::string_view line, std::string_view cell) {
      html_ += "<tr>";
      for (const auto& text : cells_of(line))
        html_ += fmt::format("<{0}>{1}</{0}>", cell, pieces(trimmed(text)));
      html_ += "</tr>\n";
    };
    html_ += "<div class=\"wide\"><table>\n";
    row(lines[at], "th");
    for (++at; at + 1 < lines.size() && is_row(lines[at + 1]); ++at) row(lines[at + 1], "td");
    html_ += "</table></div>\n";
    return at;
  }

  void close_block() {
    item_open_ = false;
    if (block_.empty()) return;
    if (block_ == "pre") {
      html_ += "</code></pre>\n";
    } else {
      if (html_.ends_with('\n')) html_.pop_back();
      html_ += fmt::format("</{}>\n", block_);
    }
    block_ = {};
  }

  // Until so many are open.
  void close_lists(std::size_t left) {
    item_open_ = false;
    while (lists_.size() > left) {
      html_ += fmt::format("</li>\n</{}>\n", lists_.back().tag);
      lists_.pop_back();
    }
  }

  MarkdownReader reader_{};
  std::string html_{};
  std::string_view block_{};  // the tag that is open, beside those of lists
  std::vector<List> lists_{};
  std::size_t code_indent_ = 0;
  bool item_open_ = false;  // the text of an item may go on
  bool after_blank_ = false;
};

}  // namespace

std::string html_escaped(std::string_view text) {
  return escaped(harmless(text));
}

std::string html_of_markdown(std::string_view text) {
  return Renderer().render(harmless(text));
}

}  // namespace cgrep
