// What helpers read arrives as if it were read by the one who asks, in its order.
#include "extract/helpers.h"

#include <atomic>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "printed.h"

namespace cgrep::test {
namespace {

/// Things of many kinds: empty ones, some with notes, a large one, and one that cannot be read.
void read_thing(std::size_t thing, Sink& sink) {
  constexpr std::size_t kUnreadable = 23;
  constexpr std::size_t kLarge = 42;
  sink.whole(fmt::format("c{}", thing));
  const auto before = sink.noted("part").value_or("nothing");
  for (std::size_t i = 0; i < thing % 5; ++i) {
    Document document{.conversation = fmt::format("c{}", thing)};
    document.text = thing == kLarge ? std::string(3u << 20, 'x') : fmt::format("{} {}", i, before);
    sink.document(std::move(document));
  }
  sink.note("part", "noted");
  if (thing == kUnreadable) throw Unreadable("of no use");
  sink.claim({.conversation = "c", .value = sink.noted("part").value_or("lost")});
}

/// Keeps notes, too.
class NotingSink : public PrintingSink {
 public:
  std::optional<std::string> noted(std::string_view part) override {
    const auto found = notes_.find(part);
    return found != notes_.end() ? std::optional(found->second) : std::nullopt;
  }
  void note(std::string_view part, std::string_view text) override {
    notes_.insert_or_assign(std::string(part), text);
  }

 private:
  std::map<std::string, std::string, std::less<>> notes_{};
};

class HelpersTest : public testing::Test {
 protected:
  /// All of them, as who delivers sees them; some by helpers, if there are any.
  std::string delivered(std::size_t count, bool with_helpers) {
    PrintingSink sink;
    const auto caller = std::this_thread::get_id();
    Helpers helpers({.count = with_helpers ? count : 0, .reader = [&](Sink& to) {
                       EXPECT_NE(std::this_thread::get_id(), caller);
                       return [&](std::size_t thing) {
                         read_thing(thing, to);
                         ++helped_;
                       };
                     }});
    for (std::size_t thing = 0; thing < count; ++thing) {
      if (helpers.deliver(sink)) continue;
      if (thing == 0 && with_helpers) wait_for_helpers(count);
      NotingSink own;  // its notes are of no other thing
      try {
        read_thing(thing, own);
      } catch (const Unreadable&) {
        own.line(fmt::format("unreadable {}", thing));
      }
      sink.line(own.text().substr(0, own.text().size() - 1));
    }
    return sink.text();
  }

  /// Makes sure that some of the things are read by helpers.
  void wait_for_helpers(std::size_t count) const {
    constexpr std::size_t kMany = 64;
    if (count < kMany || std::thread::hardware_concurrency() < 2) return;
    while (helped_ == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  std::atomic<std::size_t> helped_ = 0;
};

TEST_F(HelpersTest, DeliverEachThingOnceAndInOrder) {
  for (const std::size_t count : {0u, 1u, 15u, 16u, 17u, 31u, 32u, 33u, 64u, 333u}) {
    const auto expected = delivered(count, false);
    ASSERT_EQ(delivered(count, true), expected) << count << " things";
  }
  if (std::thread::hardware_concurrency() > 1) {
    EXPECT_GT(helped_, 0u);
  }
}

TEST_F(HelpersTest, LeaveWhatIsNotSmall) {
  std::atomic<bool> wrong = false;
  PrintingSink sink;
  Helpers helpers(
      {.count = 200,
       .small = [](std::size_t thing) { return thing % 2 == 0; },
       .reader =
           [&](Sink&) { return [&](std::size_t thing) { wrong = wrong || thing % 2 != 0; }; }});
  for (std::size_t thing = 0; thing < 200; ++thing)
    if (helpers.deliver(sink)) {
      EXPECT_EQ(thing % 2, 0u);
    }
  EXPECT_FALSE(wrong);
}

TEST_F(HelpersTest, StopInTheMidstOfAThing) {
  std::atomic<bool> begun = false;
  {
    const Helpers helpers({.count = 100, .reader = [&](Sink& sink) {
                             return [&](std::size_t) {
                               for (;;) {
                                 begun = true;
                                 sink.document({});
                                 std::this_thread::sleep_for(std::chrono::microseconds(10));
                               }
                             };
                           }});
    if (std::thread::hardware_concurrency() > 1)
      while (!begun) std::this_thread::yield();
  }
  SUCCEED() << "a helper that never stops would hang here";
}

}  // namespace
}  // namespace cgrep::test
