// bench-generate --messages N --seed S [--stores all|transcripts|bubbles] [--giant] DIR: makes DIR
// a home with a history of N messages. The same arguments give the same history. DIR/needles.json
// tells which rare words stand in which conversations.

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/history.h"
#include "bench/writer.h"

namespace cgrep::bench {
namespace {

namespace fs = std::filesystem;

struct Options {
  Plan plan{.messages = 10'000, .seed = 1};
  std::vector<std::string> stores{"all"};
  bool giant = false;
  fs::path home{};
};

std::string rows(const HistoryMaker::Needles& needles) {
  std::string rows;
  for (const auto& [word, conversations] : needles)
    rows += fmt::format("{}\n    \"{}\": [\"{}\"]", rows.empty() ? "" : ",", word,
                        fmt::join(conversations, "\", \""));
  return rows;
}

void write_needles(const HistoryMaker& history, const Options& options) {
  std::ofstream(options.home / "needles.json")
      << fmt::format("{{\n  \"messages\": {},\n  \"seed\": {},\n  \"needles\": {{{}\n  }},\n",
                     options.plan.messages, options.plan.seed, rows(history.needles()))
      << fmt::format("  \"literal\": \"{}\",\n  \"inside\": {{{}\n  }}\n}}\n",
                     HistoryMaker::kInside, rows(history.inside()));
}

/// Each conversation goes where it says that it is kept, and what is known beside it as well.
class AllStores : public Writer {
 public:
  explicit AllStores(const Options& options)
      : transcripts_(transcripts_writer(options.home)),
        bubbles_(bubbles_writer(options.home, options.giant)),
        extras_(extras_writer(options.home)) {}

  void write(const Conversation& conversation) override {
    extras_->write(conversation);
    if (conversation.legacy) return;
    if (conversation.in_transcripts) transcripts_->write(conversation);
    if (conversation.in_bubbles) bubbles_->write(conversation);
  }

  void finish() override { extras_->finish(); }

 private:
  std::unique_ptr<Writer> transcripts_;
  std::unique_ptr<Writer> bubbles_;
  std::unique_ptr<Writer> extras_;
};

std::unique_ptr<Writer> make_writer(const std::string& store, const Options& options) {
  if (store == "all") return std::make_unique<AllStores>(options);
  return store == "transcripts" ? transcripts_writer(options.home)
                                : bubbles_writer(options.home, options.giant);
}

/// Several stores take the conversations in turn.
void generate(const Options& options) {
  if (fs::exists(options.home) && !fs::is_empty(options.home))
    throw std::runtime_error(options.home.string() + ": exists and is not an empty folder");
  fs::create_directories(options.home);
  std::vector<std::unique_ptr<Writer>> writers;
  for (const auto& store : options.stores) writers.push_back(make_writer(store, options));
  HistoryMaker history(options.plan);
  for (std::size_t i = 0; !history.done(); ++i) writers[i % writers.size()]->write(history.next());
  for (const auto& writer : writers) writer->finish();
  write_needles(history, options);
}

void declare(CLI::App& app, Options& options) {
  app.add_option("--messages", options.plan.messages, "How many messages")->capture_default_str();
  app.add_option("--seed", options.plan.seed, "Another seed, another history")
      ->capture_default_str();
  app.add_option("--per-conversation", options.plan.per_conversation, "Median of its messages")
      ->capture_default_str();
  app.add_option("--stores", options.stores,
                 "all as they come; or only transcripts, bubbles, or both in turn")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"all", "transcripts", "bubbles"}));
  app.add_flag("--giant", options.giant,
               "Bubbles with long results, among other rows: about 30 KB per message");
  app.add_option("DIR", options.home, "The home to make")->required();
}

}  // namespace
}  // namespace cgrep::bench

int main(int argc, char** argv) {
  try {
    CLI::App app("Makes a lifelike history for benchmarks", "bench-generate");
    cgrep::bench::Options options;
    cgrep::bench::declare(app, options);
    CLI11_PARSE(app, argc, argv);
    cgrep::bench::generate(options);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "bench-generate: " << error.what() << '\n';
    return 2;
  }
}
