// The format for people: conversations with their headings, the best lines of each.
#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/display.h"
#include "cli/printer.h"
#include "cli/times.h"

namespace cgrep {
namespace {

struct HeadingField {
  std::string text{};  // already visible
  Paint paint = Paint::plain;
};

std::vector<HeadingField> heading_fields(const Conversation& conversation, const TextStyle& style) {
  const std::string& project =
      conversation.project.empty() ? conversation.slug : conversation.project;
  return {
      {visible(conversation.address), Paint::address},
      {visible(with_tilde(project, style.home)), Paint::plain},
      {visible(conversation.title), Paint::title},
      {local_time(conversation.last), Paint::faint},
      {fmt::format("{}", fmt::join(conversation.stores, ", ")), Paint::faint},
  };
}

constexpr std::size_t kProjectField = 1;
constexpr std::size_t kTitleField = 2;
constexpr std::size_t kGap = 2;

// Names the first store only, or none, where all of them leave no room for the title, and cuts
// that, so that the heading stays on one line; a short rest of it is always left.
void fit_title(std::vector<HeadingField>& fields, std::size_t width,
               const std::vector<std::string_view>& stores) {
  constexpr std::size_t kShortest = 16;
  std::size_t all = 0;
  for (const auto& field : fields) all += display_width(field.text) + kGap;
  if (all > width && stores.size() > 1)
    fields.back().text = fmt::format("{} +{}", stores.front(), stores.size() - 1);
  const auto room_for_title = [&] {
    std::size_t others = 0;
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (i != kTitleField && !fields[i].text.empty())
        others += display_width(fields[i].text) + kGap;
    return width > others ? width - others : 0;
  };
  std::size_t room = room_for_title();
  if (room < std::min(kShortest, display_width(fields[kTitleField].text))) {
    fields.back().text.clear();
    room = room_for_title();
  }
  if (room < kShortest) {
    auto& project = fields[kProjectField].text;
    const auto missing = kShortest - room;
    project = cut_to_width(project, std::max(kShortest, display_width(project)) - missing);
    room = room_for_title();
  }
  fields[kTitleField].text = cut_to_width(fields[kTitleField].text, std::max(room, kShortest));
}

// How many different words of the question the line has.
std::size_t weight(const MatchLine& line) {
  std::set<std::string> different;
  for (const Span& span : line.spans) {
    std::string word(line.text.substr(span.begin, span.end - span.begin));
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    different.insert(std::move(word));
  }
  return different.size();
}

// The best lines, in the order in which they stand in the text.
std::vector<const MatchLine*> best_lines(std::span<const MatchLine> lines, std::size_t count) {
  std::vector<std::pair<std::size_t, const MatchLine*>> weighed;
  for (const MatchLine& line : lines)
    weighed.emplace_back(lines.size() > count ? weight(line) : 0, &line);
  std::stable_sort(weighed.begin(), weighed.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  weighed.resize(std::min(count, weighed.size()));
  std::vector<const MatchLine*> best;
  best.reserve(weighed.size());
  for (const auto& entry : weighed) best.push_back(entry.second);
  std::sort(best.begin(), best.end(),
            [](const auto* a, const auto* b) { return a->number < b->number; });
  return best;
}

class TextPrinter : public Printer {
 public:
  TextPrinter(Output& out, TextStyle style) : out_(out), style_(std::move(style)) {}

  void hit(const Hit& hit, std::span<const MatchLine> lines) override {
    if (hit.conversation->row != conversation_ || first_) begin_conversation(hit);
    if (hit.apart) print_note("--");
    if (hit.beside) return print_beside(hit);
    const std::size_t room = style_.lines_per_conversation - shown_;
    const auto best = best_lines(lines, std::min(style_.lines_per_document, room));
    if (best.empty()) {
      hidden_lines_ += lines.size();
      hidden_documents_ += lines.empty() ? 0 : 1;
      return;
    }
    std::vector<MatchLine> chosen;
    chosen.reserve(best.size());
    for (const MatchLine* line : best) chosen.push_back(*line);
    if (style_.context.any() && shown_ > 0) print_note("--");
    print_lines(hit, chosen);
    shown_ += best.size();
    const std::size_t left = lines.size() - best.size();
    if (left > 0) print_note(fmt::format("+{}", counted(left, "line")));
  }

  void end(const Summary&) override { end_conversation(); }

 private:
  void begin_conversation(const Hit& hit) {
    end_conversation();
    if (!first_) out_.write("\n");
    first_ = false;
    conversation_ = hit.conversation->row;
    shown_ = hidden_lines_ = hidden_documents_ = 0;
    out_.print("{}{}\n", conversation_heading(*hit.conversation, hit.source, style_),
               hit.gone ? painted(style_.terminal, Paint::faint, "  gone") : std::string());
  }

  void end_conversation() {
    if (hidden_lines_ == 0) return;
    print_note(fmt::format("+{} in {}", counted(hidden_lines_, "line"),
                           counted(hidden_documents_, "more document")));
    hidden_lines_ = 0;
  }

  void print_note(std::string_view note) {
    out_.print("  {}\n", painted(style_.terminal, Paint::faint, note));
  }

  // A document that only stands near a match.
  void print_beside(const Hit& hit) {
    if (style_.only_matching) return;
    const auto lines = only_context(hit.text);
    const auto count = std::min(lines.size(), style_.lines_per_document);
    for (std::size_t i = 0; i < count; ++i) print_line(hit, lines[i].line(), false);
    if (count < lines.size()) print_note(fmt::format("+{}", counted(lines.size() - count, "line")));
  }

  void print_lines(const Hit& hit, std::span<const MatchLine> lines) {
    for (const ShownLine& shown : with_context(hit.text, lines, style_.context)) {
      if (shown.apart) print_note("--");
      if (!style_.only_matching) {
        print_line(hit, shown.line(), shown.match != nullptr);
      } else if (shown.match != nullptr) {
        for (const Span& span : shown.match->spans)
          print_line(hit,
                     {shown.number,
                      shown.text.substr(span.begin, span.end - span.begin),
                      {{0, span.end - span.begin}}},
                     true);
      }
    }
  }

  void print_line(const Hit& hit, const MatchLine& line, bool matches) {
    const std::string number =
        style_.line_numbers ? fmt::format("{}{}{}", hit.number, matches ? ':' : '-', line.number)
                            : fmt::format("{}", hit.number);
    const std::string_view role = name_of(hit.role);
    const std::string before = fmt::format("  {:<7} {:<11} ", number, role);
    out_.print("  {} {} ", painted(style_.terminal, Paint::number, fmt::format("{:<7}", number)),
               painted(style_.terminal, Paint::faint, fmt::format("{:<11}", role)));
    for (const Segment& segment : segments(line, before.size()))
      out_.write(
          painted(style_.terminal, segment.matched ? Paint::match : Paint::plain, segment.shown));
    out_.write("\n");
  }

  std::vector<Segment> segments(const MatchLine& line, std::size_t used) const {
    constexpr std::size_t kNarrowest = 20;
    if (!style_.terminal.is_terminal) return whole_line(line, false);
    const std::size_t width = style_.terminal.width;
    return fit_line(line, width > used + kNarrowest ? width - used : kNarrowest);
  }

  Output& out_;
  TextStyle style_;
  bool first_ = true;
  std::int64_t conversation_ = 0;
  std::size_t shown_ = 0;
  std::size_t hidden_lines_ = 0;
  std::size_t hidden_documents_ = 0;
};

}  // namespace

std::string conversation_heading(const Conversation& conversation, const std::string& source,
                                 const TextStyle& style) {
  auto fields = heading_fields(conversation, style);
  if (style.terminal.is_terminal) fit_title(fields, style.terminal.width, conversation.stores);
  std::string heading;
  for (const HeadingField& field : fields) {
    if (field.text.empty()) continue;
    if (!heading.empty()) heading.append(kGap, ' ');
    const std::string text = painted(style.terminal, field.paint, field.text);
    heading += field.paint == Paint::address ? linked(style.terminal, source, text) : text;
  }
  return heading;
}

std::unique_ptr<Printer> make_text_printer(Output& out, TextStyle style) {
  return std::make_unique<TextPrinter>(out, std::move(style));
}

}  // namespace cgrep
