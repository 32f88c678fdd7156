#include "index/read_ahead.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "extract/gathered.h"
#include "extract/helpers.h"
#include "index/ledger.h"

namespace cgrep {

namespace {

// It pays to hand over many at a time; what waits is kept in memory.
constexpr std::size_t kPieceBytes = 256u << 10;
constexpr std::size_t kWaitingBytes = 4u << 20;

/// Some of what a source delivers, in order.
struct Piece {
  Gathered delivered{};
  bool last = false;            // of its source
  std::exception_ptr failed{};  // in the last one: what the extractor threw
  ReadAhead::Extracted extracted{};
};

/// Nobody wants what is read any more.
struct Stopped {};

}  // namespace

struct ReadAhead::Impl {
  explicit Impl(std::vector<Wanted> to_read)
      : sources(std::move(to_read)), thread([this] { read_all(); }) {}
  ~Impl() {
    {
      const std::scoped_lock lock(mutex);
      stopped = true;
    }
    changed.notify_all();
    thread.join();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void read_all();
  void put(Piece piece);
  Piece take();

  std::vector<Wanted> sources;
  std::mutex mutex{};
  std::condition_variable changed{};
  std::deque<Piece> waiting{};    // guarded by mutex
  std::size_t waiting_bytes = 0;  // guarded by mutex
  bool stopped = false;           // guarded by mutex
  std::exception_ptr broken{};    // guarded by mutex; why it reads no more, when memory is short
  std::thread thread;             // the last: it uses all else
};

namespace {

/// Where the extractor delivers, in the thread of its own.
class PieceGatherer : public Gatherer {
 public:
  explicit PieceGatherer(std::function<void(Piece)> put) : put_(std::move(put)) {}
  using Gatherer::take;

 private:
  void grown(std::size_t bytes) override {
    if (bytes >= kPieceBytes) put_({.delivered = take()});
  }

  std::function<void(Piece)> put_;
};

}  // namespace

void ReadAhead::Impl::put(Piece piece) {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return stopped || waiting_bytes < kWaitingBytes; });
  if (stopped) throw Stopped();
  waiting_bytes += sizeof piece + piece.delivered.bytes();
  waiting.push_back(std::move(piece));
  changed.notify_all();
}

Piece ReadAhead::Impl::take() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return broken || !waiting.empty(); });
  if (waiting.empty()) std::rethrow_exception(broken);
  auto piece = std::move(waiting.front());
  waiting.pop_front();
  waiting_bytes -= sizeof piece + piece.delivered.bytes();
  changed.notify_all();
  return piece;
}

// Small sources are also read by helpers, ahead of the one that is read here.
void ReadAhead::Impl::read_all() {
  try {
    std::vector<Extracted> extracted(sources.size());
    const auto extract = [&](std::size_t i, Sink& sink) {
      const auto& source = *sources[i].source;
      extracted[i] = {.began_ns = now_ns()};
      extracted[i].mark = source.store->extract(source, sink);
    };
    Helpers helpers(
        {.count = sources.size(),
         .small = [&](std::size_t i) { return sources[i].bytes <= kSmallBytes; },
         .reader = [&](Sink& sink) { return [&](std::size_t i) { extract(i, sink); }; }});
    for (std::size_t i = 0; i < sources.size(); ++i) {
      PieceGatherer gatherer([this](Piece piece) { put(std::move(piece)); });
      std::exception_ptr failed;
      try {
        if (!helpers.deliver(gatherer)) extract(i, gatherer);
      } catch (const Stopped&) {
        throw;
      } catch (...) {
        failed = std::current_exception();
      }
      put({.delivered = gatherer.take(),
           .last = true,
           .failed = failed,
           .extracted = std::move(extracted[i])});
    }
  } catch (const Stopped&) {
    // what is left is of no use
  } catch (...) {
    const std::scoped_lock lock(mutex);
    broken = std::current_exception();
    changed.notify_all();
  }
}

ReadAhead::ReadAhead(std::vector<Wanted> sources)
    : impl_(std::make_unique<Impl>(std::move(sources))) {}

ReadAhead::~ReadAhead() = default;

ReadAhead::Extracted ReadAhead::deliver(Sink& sink) {
  while (true) {
    auto piece = impl_->take();
    piece.delivered.deliver(sink);
    if (piece.failed) std::rethrow_exception(piece.failed);
    if (piece.last) return std::move(piece.extracted);
  }
}

}  // namespace cgrep
