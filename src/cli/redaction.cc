#include "cli/redaction.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cli/options.h"
#include "query/redact.h"

namespace cgrep {
namespace {

bool overlap(const Span& a, const Span& b) {
  return a.begin < b.end && b.begin < a.end;
}

// A text with its masks, line by line: a secret of several lines has a mask on each of them.
class MaskedLines {
 public:
  MaskedLines(std::string_view text, const std::vector<Secret>& secrets) : secrets_(secrets) {
    std::size_t begin = 0;
    while (true) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      lines_.push_back(add_line(text, {begin, end}));
      if (end == text.size()) return;
      text_ += '\n';
      begin = end + 1;
    }
  }

  const std::string& text() const { return text_; }

  /// The same line of the masked text, which `text` is by now.
  MatchLine line(const MatchLine& before, std::string_view text) const {
    const Line& line = lines_[before.number - 1];
    MatchLine after{before.number, text.substr(line.begin, line.end - line.begin), {}};
    for (const Span& span : before.spans)
      if (const auto moved = moved_span(line, span)) after.spans.push_back(*moved);
    if (before.text.size() < line.length && after.text.ends_with('\r')) after.text.remove_suffix(1);
    return after;
  }

 private:
  struct Mask {
    Span covered{};  // bytes of the line
    std::ptrdiff_t growth = 0;
  };
  struct Line {
    std::size_t begin = 0;  // in the masked text
    std::size_t end = 0;
    std::size_t length = 0;  // before it was masked
    std::vector<Mask> masks{};
  };

  Line add_line(std::string_view text, Span of) {
    Line line{.begin = text_.size(), .length = of.end - of.begin};
    std::size_t at = of.begin;
    for (; next_ < secrets_.size() && overlap(secrets_[next_].span, of); ++next_) {
      const Secret& secret = secrets_[next_];
      const Span covered{std::max(secret.span.begin, of.begin), std::min(secret.span.end, of.end)};
      const std::string mask = mask_of(secret);
      text_ += text.substr(at, covered.begin - at);
      text_ += mask;
      at = covered.end;
      line.masks.push_back({{covered.begin - of.begin, covered.end - of.begin},
                            static_cast<std::ptrdiff_t>(mask.size()) -
                                static_cast<std::ptrdiff_t>(covered.end - covered.begin)});
      if (secret.span.end > of.end) break;  // it goes on in the next line
    }
    text_ += text.substr(at, of.end - at);
    line.end = text_.size();
    return line;
  }

  static std::optional<Span> moved_span(const Line& line, const Span& span) {
    std::ptrdiff_t by = 0;
    for (const Mask& mask : line.masks) {
      if (overlap(mask.covered, span)) return std::nullopt;
      if (mask.covered.end <= span.begin) by += mask.growth;
    }
    const auto moved = [&](std::size_t at) {
      return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) + by);
    };
    return Span{moved(span.begin), moved(span.end)};
  }

  const std::vector<Secret>& secrets_;
  std::size_t next_ = 0;
  std::string text_{};
  std::vector<Line> lines_{};
};

// A title that was cut out of a text may end within a secret, which then has no shape any more.
std::string redacted_title(const std::string& title) {
  constexpr std::size_t kMayBeCut = 90;
  const std::string longer =
      title.size() < kMayBeCut ? title : title + example_of({.example = "{60}"});
  std::vector<Secret> secrets;
  for (Secret secret : find_secrets(longer)) {
    secret.span.end = std::min(secret.span.end, title.size());
    if (secret.span.begin < secret.span.end) secrets.push_back(secret);
  }
  return redacted(title, secrets);
}

}  // namespace

void declare_redact(OptionTable& table, std::optional<bool>& redact, bool by_default) {
  table.add_switch("--redact,--no-redact{false}", redact,
                   by_default ? "Mask keys, tokens and passwords (default), or reveal them"
                              : "Mask keys, tokens and passwords, or not (default)");
}

const Conversation& Redaction::of(const Conversation& conversation) {
  if (!on_) return conversation;
  if (conversation_.row != conversation.row || conversation_.key != conversation.key) {
    conversation_ = conversation;
    conversation_.title = redacted_title(conversation.title);
  }
  return conversation_;
}

const Hit& Redaction::of(const Hit& hit) {
  if (!on_) return hit;
  const auto secrets = find_secrets(hit.text);
  const Conversation& conversation = of(*hit.conversation);
  if (secrets.empty() && conversation.title == hit.conversation->title) return hit;
  masked_ += secrets.size();
  hit_ = hit;
  hit_.conversation = &conversation;
  if (hit.lines.empty()) {
    hit_.text = redacted(hit.text, secrets);
    return hit_;
  }
  MaskedLines masked(hit.text, secrets);
  hit_.text = masked.text();
  for (MatchLine& line : hit_.lines) line = masked.line(line, hit_.text);
  return hit_;
}

}  // namespace cgrep
