// The formats for pipes: one thing per line, each with its address.
#include <fmt/format.h>

#include "cli/display.h"
#include "cli/printer.h"

namespace cgrep {
namespace {

// Says when another conversation begins.
class ConversationWatch {
 public:
  bool begins(const Hit& hit) {
    const bool other = !row_ || *row_ != hit.conversation->row;
    row_ = hit.conversation->row;
    return other;
  }

 private:
  std::optional<std::int64_t> row_{};
};

std::string shown_address(const TextStyle& style, const std::string& address) {
  return painted(style.terminal, Paint::address,
                 style.terminal.is_terminal ? visible(address) : address);
}

class FlatPrinter : public Printer {
 public:
  FlatPrinter(Output& out, TextStyle style) : out_(out), style_(std::move(style)) {}

  void hit(const Hit& hit, std::span<const MatchLine> lines) override {
    const std::string address =
        linked(style_.terminal, hit.source, shown_address(style_, hit.address()));
    bool first = true;
    const auto shown_lines =
        hit.beside ? only_context(hit.text) : with_context(hit.text, lines, style_.context);
    const bool begins = conversation_ != hit.conversation->row;
    conversation_ = hit.conversation->row;
    for (const ShownLine& shown : shown_lines) {
      // Documents around a match stand together; else each is a group of its own.
      const bool parted = style_.around ? begins || hit.apart : style_.context.any();
      const bool apart = shown.apart || (first && printed_ && parted);
      if (apart) out_.write("--\n");
      first = false;
      printed_ = true;
      if (style_.only_matching && shown.match != nullptr)
        print_matches(address, *shown.match);
      else if (!style_.only_matching)
        print_line(address, shown.line(), shown.match != nullptr ? ':' : '-');
    }
  }

  void end(const Summary&) override {}

 private:
  // `:` after a match, `-` after what stands around it; -0 parts the address from the rest.
  void print_prefix(const std::string& address, std::uint32_t number, char separator) {
    out_.write(address);
    out_.write(style_.null_separator ? std::string_view("\0", 1) : std::string_view(&separator, 1));
    if (style_.line_numbers)
      out_.print("{}{}", painted(style_.terminal, Paint::number, fmt::format("{}", number)),
                 separator);
  }

  void print_line(const std::string& address, const MatchLine& line, char separator) {
    print_prefix(address, line.number, separator);
    for (const Segment& segment : whole_line(line, style_.terminal.is_terminal))
      out_.write(
          painted(style_.terminal, segment.matched ? Paint::match : Paint::plain, segment.shown));
    out_.write("\n");
  }

  void print_matches(const std::string& address, const MatchLine& line) {
    for (const Segment& segment : whole_line(line, style_.terminal.is_terminal)) {
      if (!segment.matched) continue;
      print_prefix(address, line.number, ':');
      out_.print("{}\n", painted(style_.terminal, Paint::match, segment.shown));
    }
  }

  Output& out_;
  TextStyle style_;
  std::int64_t conversation_ = -1;
  bool printed_ = false;
};

class ListPrinter : public Printer {
 public:
  ListPrinter(Output& out, TextStyle style) : out_(out), style_(std::move(style)) {}

  void hit(const Hit& hit, std::span<const MatchLine>) override {
    if (!watch_.begins(hit)) return;
    out_.write(
        linked(style_.terminal, hit.source, shown_address(style_, hit.conversation->address)));
    out_.write(style_.null_separator ? std::string_view("\0", 1) : "\n");
  }

  void end(const Summary&) override {}

 private:
  Output& out_;
  TextStyle style_;
  ConversationWatch watch_{};
};

class CountPrinter : public Printer {
 public:
  CountPrinter(Output& out, TextStyle style) : out_(out), style_(std::move(style)) {}

  void hit(const Hit& hit, std::span<const MatchLine> lines) override {
    if (watch_.begins(hit)) {
      print();
      address_ =
          linked(style_.terminal, hit.source, shown_address(style_, hit.conversation->address));
    }
    count_ += lines.size();
  }

  void end(const Summary&) override { print(); }

 private:
  void print() {
    if (count_ > 0) out_.print("{}{}{}\n", address_, style_.null_separator ? '\0' : ':', count_);
    count_ = 0;
  }

  Output& out_;
  TextStyle style_;
  ConversationWatch watch_{};
  std::string address_{};
  std::size_t count_ = 0;
};

}  // namespace

std::unique_ptr<Printer> make_flat_printer(Output& out, TextStyle style) {
  return std::make_unique<FlatPrinter>(out, std::move(style));
}

std::unique_ptr<Printer> make_list_printer(Output& out, TextStyle style) {
  return std::make_unique<ListPrinter>(out, std::move(style));
}

std::unique_ptr<Printer> make_count_printer(Output& out, TextStyle style) {
  return std::make_unique<CountPrinter>(out, std::move(style));
}

}  // namespace cgrep
