#include "bench/measure/chart.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include <fmt/format.h>

namespace cgrep::bench {
namespace {

using Value = std::function<std::optional<double>(const Results&)>;

struct Series {
  std::string_view name{};
  std::string_view style{};  // a class of the style sheet
  Value value{};
};

struct Panel {
  std::string_view title{};
  std::string_view unit{};
  std::vector<Series> series{};
};

std::optional<double> seconds(const Results& results, std::string_view task) {
  const auto found = results.measured.figures.find(task);
  if (found == results.measured.figures.end()) return std::nullopt;
  return found->second.seconds;
}

Value seconds_of(std::string_view task) {
  return [task](const Results& results) { return seconds(results, task); };
}

Value milliseconds_of(std::vector<std::string_view> tasks) {
  return [tasks](const Results& results) -> std::optional<double> {
    double sum = 0;
    for (const auto task : tasks) {
      const auto one = seconds(results, task);
      if (!one) return std::nullopt;
      sum += *one * 1e3;
    }
    return sum;
  };
}

Value megabytes_of(std::string_view task) {
  return [task](const Results& results) -> std::optional<double> {
    const auto found = results.measured.figures.find(task);
    if (found == results.measured.figures.end()) return std::nullopt;
    return static_cast<double>(found->second.memory) / 1e6;
  };
}

/// Values are shares of the text; the panel shows megabytes.
Value size_of(std::vector<std::string_view> names) {
  return [names](const Results& results) -> std::optional<double> {
    const auto text = results.corpus.find("text");
    double sum = 0;
    for (const auto name : names) {
      const auto found = results.measured.values.find(name);
      if (found == results.measured.values.end() || text == results.corpus.end())
        return std::nullopt;
      sum += found->second * text->second / 1e6;
    }
    return sum;
  };
}

Value text_size() {
  return [](const Results& results) -> std::optional<double> {
    const auto text = results.corpus.find("text");
    if (text == results.corpus.end()) return std::nullopt;
    return text->second / 1e6;
  };
}

std::vector<Panel> panels() {
  return {
      {"First index",
       "s",
       {{"raw Xapian", "a", seconds_of("xapian-build")},
        {"SQLite FTS5", "b", seconds_of("fts5-build")},
        {"cgrep", "own", seconds_of("index")}}},
      {"Search for a rare word",
       "ms",
       {{"rg + rg -a", "c", milliseconds_of({"rg-files-rare", "rg-database-rare"})},
        {"cgrep, looking for news", "own dashed", milliseconds_of({"rare-refresh"})},
        {"cgrep", "own", milliseconds_of({"rare"})},
        {"raw Xapian", "a", milliseconds_of({"xapian-rare"})}}},
      {"Memory at most",
       "MB",
       {{"FTS5, index", "b", megabytes_of("fts5-build")},
        {"cgrep, index", "own", megabytes_of("index")},
        {"cgrep, search", "own dashed", megabytes_of("rare")}}},
      {"Size on disk",
       "MB",
       {{"SQLite FTS5, with texts", "b", size_of({"size-fts5"})},
        {"cgrep, with texts", "own", size_of({"size-words", "size-history"})},
        {"raw Xapian, no texts", "a", size_of({"size-xapian"})},
        {"the texts themselves", "text", text_size()}}},
  };
}

// Pixels. Labels of lines stand to the right of a panel's plot.
constexpr double kWidth = 430;
constexpr double kHeight = 250;
constexpr double kLeft = 48;
constexpr double kRight = 175;
constexpr double kTop = 40;
constexpr double kBottom = 30;

constexpr std::string_view kStyle = R"(
  text { font: 12px system-ui, sans-serif; fill: #57606a }
  .title { font-size: 14px; font-weight: 600; fill: #1f2328 }
  .grid { stroke: #d0d7de; stroke-width: 1 }
  path { fill: none; stroke-width: 2 }
  .own { stroke: #0969da } text.own { fill: #0969da; stroke: none; font-weight: 600 } circle.own { fill: #0969da }
  .a { stroke: #bc4c00 } text.a { fill: #bc4c00; stroke: none } circle.a { fill: #bc4c00 }
  .b { stroke: #8250df } text.b { fill: #8250df; stroke: none } circle.b { fill: #8250df }
  .c { stroke: #1a7f37 } text.c { fill: #1a7f37; stroke: none } circle.c { fill: #1a7f37 }
  .text { stroke: #8c959f } text.text { fill: #6e7781; stroke: none } circle.text { fill: #8c959f }
  path.dashed { stroke-dasharray: 5 4 } text.dashed { font-weight: 400 }
  @media (prefers-color-scheme: dark) {
    text { fill: #9198a1 } .title { fill: #f0f6fc } .grid { stroke: #3d444d }
    .own { stroke: #4493f8 } text.own, circle.own { fill: #4493f8 }
    .a { stroke: #f0883e } text.a, circle.a { fill: #f0883e }
    .b { stroke: #ab7df8 } text.b, circle.b { fill: #ab7df8 }
    .c { stroke: #3fb950 } text.c, circle.c { fill: #3fb950 }
    .text { stroke: #656c76 } text.text, circle.text { fill: #9198a1 }
  }
)";

/// A plot with logarithmic axes.
class Plot {
 public:
  Plot(const Panel& panel, const std::vector<Results>& by_size, double x, double y)
      : panel_(panel), by_size_(by_size), x_(x), y_(y) {
    double low = 1e300;
    double high = 0;
    for (const Series& series : panel.series)
      for (const Results& results : by_size)
        if (const auto value = series.value(results); value && *value > 0) {
          low = std::min(low, *value);
          high = std::max(high, *value);
        }
    if (high <= 0) return;  // nothing to draw: an empty frame
    low_ = std::floor(std::log10(low));
    high_ = std::max(std::ceil(std::log10(high)), low_ + 1);
  }

  std::string svg() const { return frame() + lines(); }

 private:
  double across(double messages) const {
    const double first = std::log10(static_cast<double>(by_size_.front().messages));
    const double last = std::log10(static_cast<double>(by_size_.back().messages));
    const double share = last > first ? (std::log10(messages) - first) / (last - first) : 0.5;
    return x_ + kLeft + share * (kWidth - kLeft - kRight);
  }

  double down(double value) const {
    const double share = (std::log10(value) - low_) / (high_ - low_);
    return y_ + kHeight - kBottom - share * (kHeight - kTop - kBottom);
  }

  std::string frame() const {
    std::string out = fmt::format("<text class=\"title\" x=\"{:.0f}\" y=\"{:.0f}\">{}, {}</text>\n",
                                  x_ + 8, y_ + 20, panel_.title, panel_.unit);
    for (double power = low_; power <= high_; ++power) {
      const double at = down(std::pow(10, power));
      out += fmt::format(
          "<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>"
          "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n",
          x_ + kLeft, at, x_ + kWidth - kRight, x_ + kLeft - 6, at + 4, std::pow(10, power));
    }
    for (const Results& results : by_size_)
      out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                         across(static_cast<double>(results.messages)), y_ + kHeight - kBottom + 18,
                         results.size);
    return out;
  }

  std::string lines() const {
    std::string out;
    std::vector<std::pair<double, const Series*>> labels;
    for (const Series& series : panel_.series) {
      std::string path;
      std::string dots;
      double last = 0;
      for (const Results& results : by_size_) {
        const auto value = series.value(results);
        if (!value || *value <= 0) continue;
        const double x = across(static_cast<double>(results.messages));
        last = down(*value);
        path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, last);
        dots += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>",
                            series.style, x, last);
      }
      if (path.empty()) continue;
      out += fmt::format("<path class=\"{}\" d=\"{}\"/>{}\n", series.style, path, dots);
      labels.emplace_back(last, &series);
    }
    return out + named(std::move(labels));
  }

  /// Names at the ends of the lines, moved apart where they would lie over each other.
  std::string named(std::vector<std::pair<double, const Series*>> labels) const {
    constexpr double kLine = 15;
    std::sort(labels.begin(), labels.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string out;
    double above = -1e300;
    for (auto& [at, series] : labels) {
      at = std::max(at, above + kLine);
      above = at;
      out += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", series->style,
                         x_ + kWidth - kRight + 8, at + 4, series->name);
    }
    return out;
  }

  const Panel& panel_;
  const std::vector<Results>& by_size_;
  double x_;
  double y_;
  double low_ = 0;
  double high_ = 1;
};

}  // namespace

std::string growth_chart(const std::vector<Results>& by_size) {
  const auto all = panels();
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" width=\"{:.0f}\" "
      "role=\"img\" aria-label=\"What ten times the history costs\">\n<style>{}</style>\n",
      2 * kWidth, 2 * kHeight + 20, 2 * kWidth, kStyle);
  for (std::size_t i = 0; i < all.size() && !by_size.empty(); ++i)
    out += Plot(all[i], by_size, static_cast<double>(i % 2) * kWidth,
                static_cast<double>(i / 2) * kHeight)
               .svg();
  return out + fmt::format(
                   "<text x=\"8\" y=\"{:.0f}\">Messages from left to right; both axes are "
                   "logarithmic.</text>\n</svg>\n",
                   2 * kHeight + 10);
}

}  // namespace cgrep::bench
