#include "index/read_ahead.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <variant>

#include "index/ledger.h"

namespace cgrep {

namespace {

// It pays to hand over many at a time; what waits is kept in memory.
constexpr std::size_t kPieceBytes = 256u << 10;
constexpr std::size_t kWaitingBytes = 4u << 20;

struct Whole {
  std::string conversation{};
};
struct More {
  std::string conversation{};
};
struct Vanished {
  std::string key{};
};
struct Note {
  std::string part{};
  std::string text{};
};
struct ForgottenNote {
  std::string part{};
};
struct SoFar {
  std::string mark{};
};
using Delivered =
    std::variant<Document, Claim, Problem, Whole, More, Vanished, Note, ForgottenNote, SoFar>;

/// What a call of the sink becomes, and how it becomes one again.
class Deliver {
 public:
  explicit Deliver(Sink& sink) : sink_(sink) {}
  void operator()(Document& document) const { sink_.document(std::move(document)); }
  void operator()(Claim& claim) const { sink_.claim(std::move(claim)); }
  void operator()(Problem& problem) const { sink_.problem(std::move(problem)); }
  void operator()(Whole& whole) const { sink_.whole(whole.conversation); }
  void operator()(More& more) const { sink_.more(more.conversation); }
  void operator()(Vanished& vanished) const { sink_.vanished(vanished.key); }
  void operator()(Note& note) const { sink_.note(note.part, note.text); }
  void operator()(ForgottenNote& note) const { sink_.forget_note(note.part); }
  void operator()(SoFar& so_far) const { sink_.so_far(so_far.mark); }

 private:
  Sink& sink_;
};

/// Some of what a source delivers, in order.
struct Piece {
  std::vector<Delivered> delivered{};
  std::size_t bytes = 0;
  bool last = false;            // of its source
  std::exception_ptr failed{};  // in the last one: what the extractor threw
  ReadAhead::Extracted extracted{};
};

/// Nobody wants what is read any more.
struct Stopped {};

}  // namespace

struct ReadAhead::Impl {
  explicit Impl(std::vector<const Source*> to_read)
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
  void read(const Source& source);
  void put(Piece piece);
  Piece take();

  std::vector<const Source*> sources;
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
template <typename Put>
class Gatherer : public Sink {
 public:
  explicit Gatherer(const Put& put) : put_(put) {}

  void document(Document document) override {
    const auto bytes = document.text.size() + document.alike.size();
    add(std::move(document), bytes);
  }
  void claim(Claim claim) override { add(std::move(claim)); }
  void problem(Problem problem) override { add(std::move(problem)); }
  void whole(std::string_view conversation) override { add(Whole{std::string(conversation)}); }
  void more(std::string_view conversation) override { add(More{std::string(conversation)}); }
  void vanished(std::string_view key) override { add(Vanished{std::string(key)}); }
  std::optional<std::string> noted(std::string_view part) override {
    const auto found = notes_.find(part);
    return found != notes_.end() ? std::optional(found->second) : std::nullopt;
  }
  void note(std::string_view part, std::string_view text) override {
    notes_.insert_or_assign(std::string(part), text);
    add(Note{std::string(part), std::string(text)}, text.size());
  }
  void forget_note(std::string_view part) override {
    if (const auto found = notes_.find(part); found != notes_.end()) notes_.erase(found);
    add(ForgottenNote{std::string(part)});
  }
  std::vector<std::string> noted_parts() override {
    std::vector<std::string> parts;
    for (const auto& [part, text] : notes_) parts.push_back(part);
    return parts;
  }
  void so_far(std::string_view mark) override { add(SoFar{std::string(mark)}); }

  /// What has gathered and was not put anywhere yet.
  Piece take() { return std::exchange(piece_, {}); }

 private:
  void add(Delivered delivered, std::size_t bytes = 0) {
    piece_.delivered.push_back(std::move(delivered));
    piece_.bytes += sizeof(Delivered) + bytes;
    if (piece_.bytes >= kPieceBytes) put_(take());
  }

  const Put& put_;
  Piece piece_{};
  std::map<std::string, std::string, std::less<>> notes_{};
};

}  // namespace

void ReadAhead::Impl::put(Piece piece) {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return stopped || waiting_bytes < kWaitingBytes; });
  if (stopped) throw Stopped();
  waiting_bytes += piece.bytes;
  waiting.push_back(std::move(piece));
  changed.notify_all();
}

Piece ReadAhead::Impl::take() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return broken || !waiting.empty(); });
  if (waiting.empty()) std::rethrow_exception(broken);
  auto piece = std::move(waiting.front());
  waiting.pop_front();
  waiting_bytes -= piece.bytes;
  changed.notify_all();
  return piece;
}

void ReadAhead::Impl::read_all() {
  try {
    for (const auto* source : sources) read(*source);
  } catch (const Stopped&) {
    // what is left is of no use
  } catch (...) {
    const std::scoped_lock lock(mutex);
    broken = std::current_exception();
    changed.notify_all();
  }
}

void ReadAhead::Impl::read(const Source& source) {
  const auto put_piece = [this](Piece piece) { put(std::move(piece)); };
  Gatherer gatherer(put_piece);
  Extracted extracted{.began_ns = now_ns()};
  std::exception_ptr failed;
  try {
    extracted.mark = source.store->extract(source, gatherer);
  } catch (const Stopped&) {
    throw;
  } catch (...) {
    failed = std::current_exception();
  }
  auto piece = gatherer.take();
  piece.last = true;
  piece.failed = failed;
  piece.extracted = std::move(extracted);
  piece.bytes += sizeof piece;
  put(std::move(piece));
}

ReadAhead::ReadAhead(std::vector<const Source*> sources)
    : impl_(std::make_unique<Impl>(std::move(sources))) {}

ReadAhead::~ReadAhead() = default;

ReadAhead::Extracted ReadAhead::deliver(Sink& sink) {
  while (true) {
    auto piece = impl_->take();
    for (auto& delivered : piece.delivered) std::visit(Deliver(sink), delivered);
    if (piece.failed) std::rethrow_exception(piece.failed);
    if (piece.last) return std::move(piece.extracted);
  }
}

}  // namespace cgrep
