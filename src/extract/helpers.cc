#include "extract/helpers.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "extract/gathered.h"
#include "extract/read_counter.h"

namespace cgrep {

namespace {

constexpr std::size_t kMostHelpers = 3;
constexpr std::size_t kFewThings = 16;           // are not worth a thread
constexpr std::size_t kLargeBytes = 4u << 20;    // of what one thing delivers
constexpr std::size_t kWaitingBytes = 1u << 20;  // of what was read and not delivered yet

// Who delivers reads from the front of so many things, helpers from their end. So they meet once,
// and seldom does one wait for another.
constexpr std::size_t kStretch = 16;

/// What was asked for is of no use any more, or too large.
struct Abandoned {};

/// Gathers what small things deliver.
class SmallGatherer : public Gatherer {
 public:
  explicit SmallGatherer(const std::atomic<bool>& stopped) : stopped_(stopped) {}

  Gathered read(const Helpers::Read& read, std::size_t thing) {
    begin();
    read(thing);
    return take();
  }

 private:
  void grown(std::size_t bytes) override {
    if (bytes > kLargeBytes || stopped_) throw Abandoned();
  }

  const std::atomic<bool>& stopped_;
};

}  // namespace

struct Helpers::Impl {
  explicit Impl(Things to_read) : things(std::move(to_read)), counter(ReadCounter::current()) {}
  ~Impl() {
    {
      const std::scoped_lock lock(mutex);
      stopped = true;
    }
    room.notify_all();
    for (auto& thread : threads) thread.join();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void start();
  void help();
  std::optional<std::size_t> begin();

  struct Begun {
    bool done = false;
    bool abandoned = false;
    Gathered gathered{};
  };
  void end(std::size_t thing, Begun result);

  Things things;
  ReadCounter* counter;
  std::mutex mutex{};
  std::condition_variable room{};        // fewer bytes wait
  std::condition_variable read{};        // what is delivered next was read
  std::map<std::size_t, Begun> begun{};  // guarded by mutex
  std::size_t next = 0;                  // guarded by mutex; to be delivered
  std::size_t stretch = 0;               // guarded by mutex; its first one
  std::size_t stretch_end = 0;           // guarded by mutex
  std::size_t last = 0;                  // guarded by mutex; before it, helpers begin another one
  std::size_t waiting_bytes = 0;         // guarded by mutex
  std::vector<Gathered> delivered{};     // guarded by mutex; who allocated it frees it cheaper
  std::atomic<bool> stopped = false;
  std::vector<std::thread> threads{};  // at the end: they use all else
};

void Helpers::Impl::start() {
  if (things.count < kFewThings) return;
  const std::size_t cores = std::max(std::thread::hardware_concurrency(), 1u);
  try {
    for (std::size_t i = 0; i < std::min(cores - 1, kMostHelpers); ++i)
      threads.emplace_back([this] { help(); });
  } catch (const std::system_error&) {
    // with fewer, then
  }
}

/// Something to do; absent when there is nothing any more. May wait for room.
std::optional<std::size_t> Helpers::Impl::begin() {
  std::vector<Gathered> to_free;
  std::unique_lock lock(mutex);
  room.wait(lock, [&] { return stopped || waiting_bytes < kWaitingBytes; });
  while (!stopped) {
    if (last <= std::max(next, stretch)) {
      stretch = std::max(next, stretch_end);
      if (stretch >= things.count) break;
      last = stretch_end = std::min(stretch + kStretch, things.count);
    }
    --last;
    if (things.small && !things.small(last)) continue;
    begun.try_emplace(last);
    to_free.swap(delivered);
    return last;
  }
  return std::nullopt;
}

void Helpers::Impl::help() {
  ReadCounter::share(counter);
  std::optional<std::size_t> thing;
  try {
    SmallGatherer gatherer(stopped);
    Read reading;
    while ((thing = begin())) {
      Begun result{.done = true};
      try {
        if (!reading) reading = things.reader(gatherer);
        result.gathered = gatherer.read(reading, *thing);
      } catch (...) {
        result.abandoned = true;  // who reads it himself meets the same
      }
      end(*thing, std::move(result));
    }
  } catch (...) {
    // Memory is short: without this helper, then.
    if (thing) end(*thing, {.done = true, .abandoned = true});
  }
}

void Helpers::Impl::end(std::size_t thing, Begun result) {
  const std::scoped_lock lock(mutex);
  const auto found = begun.find(thing);
  if (found == begun.end()) return;
  waiting_bytes += result.gathered.bytes();
  found->second = std::move(result);
  if (thing + 1 == next) read.notify_one();
}

Helpers::Helpers(Things things) : impl_(std::make_unique<Impl>(std::move(things))) {
  impl_->start();
}

Helpers::~Helpers() = default;

bool Helpers::deliver(Sink& sink) {
  Impl::Begun result;
  {
    std::unique_lock lock(impl_->mutex);
    const auto thing = impl_->next++;
    const auto found = impl_->begun.find(thing);
    if (found == impl_->begun.end()) return false;
    impl_->read.wait(lock, [&] { return found->second.done; });
    result = std::move(found->second);
    impl_->begun.erase(found);
    const bool was_full = impl_->waiting_bytes >= kWaitingBytes;
    impl_->waiting_bytes -= result.gathered.bytes();
    if (was_full && impl_->waiting_bytes < kWaitingBytes) impl_->room.notify_all();
  }
  if (result.abandoned) return false;
  result.gathered.deliver(sink);
  const std::scoped_lock lock(impl_->mutex);
  impl_->delivered.push_back(std::move(result.gathered));
  return true;
}

}  // namespace cgrep
