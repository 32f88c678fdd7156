#include "index/text_table.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace cgrep {

namespace {

constexpr std::size_t kBatchBytes = 256u << 10;

// Of batches that wait to be packed. With more than that, the caller packs one as well.
constexpr std::size_t kWaiting = 8;

}  // namespace

/// Texts, or what they are packed to, one after the other: to allocate memory for each would take
/// longer than to copy it.
struct TextTable::Batch {
  struct Text {
    std::int64_t row = 0;
    std::size_t begin = 0;
    std::size_t size = 0;
  };

  void add(std::int64_t row, std::string_view text) {
    texts.push_back({.row = row, .begin = bytes.size(), .size = text.size()});
    bytes += text;
  }

  std::string_view bytes_of(const Text& text) const {
    return std::string_view(bytes).substr(text.begin, text.size);
  }

  void pack(Frames& frames) {
    std::string packed;
    packed.reserve(bytes.size());
    for (auto& text : texts) {
      const auto frame = frames.pack(bytes_of(text));
      text = {.row = text.row, .begin = packed.size(), .size = frame.size()};
      packed += frame;
    }
    bytes = std::move(packed);
  }

  std::vector<Text> texts{};
  std::string bytes{};
};

class TextTable::Packer {
 public:
  Packer() : thread_([this] { run(); }) {}

  ~Packer() {
    {
      const std::scoped_lock lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;

  /// False when there is too much to do already; then the batch is left as it is.
  bool take(std::unique_ptr<Batch>& batch) {
    const std::scoped_lock lock(mutex_);
    if (waiting_.size() >= kWaiting) return false;
    waiting_.push_back(std::move(batch));
    changed_.notify_all();
    return true;
  }

  /// A packed batch, if there is one; `all`: null only when everything was packed and returned.
  std::unique_ptr<Batch> packed(bool all) {
    std::unique_lock lock(mutex_);
    if (all) changed_.wait(lock, [&] { return !packed_.empty() || failed_ || is_idle(); });
    if (failed_) std::rethrow_exception(std::exchange(failed_, nullptr));
    if (packed_.empty()) return nullptr;
    auto batch = std::move(packed_.front());
    packed_.pop_front();
    return batch;
  }

 private:
  bool is_idle() const { return waiting_.empty() && !working_; }

  void run() {
    Frames frames;
    for (;;) {
      auto batch = next();
      if (!batch) return;
      try {
        batch->pack(frames);
        done(std::move(batch), nullptr);
      } catch (...) {
        done(nullptr, std::current_exception());
      }
    }
  }

  void done(std::unique_ptr<Batch> batch, std::exception_ptr failed) {
    const std::scoped_lock lock(mutex_);
    if (batch) packed_.push_back(std::move(batch));
    if (failed) failed_ = std::move(failed);
    working_ = false;
    changed_.notify_all();
  }

  /// Null at the end.
  std::unique_ptr<Batch> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_ || !waiting_.empty(); });
    if (ended_) return nullptr;
    auto batch = std::move(waiting_.front());
    waiting_.pop_front();
    working_ = true;
    return batch;
  }

  std::mutex mutex_{};
  std::condition_variable changed_{};
  std::deque<std::unique_ptr<Batch>> waiting_{};  // all guarded by mutex_
  std::deque<std::unique_ptr<Batch>> packed_{};
  std::exception_ptr failed_{};
  bool working_ = false;
  bool ended_ = false;
  std::thread thread_;  // the last: it uses all of the above
};

TextTable::TextTable(Database& database)
    : new_text_(database, "INSERT INTO texts (id, frame) VALUES (?1, ?2)"),
      gathered_(std::make_unique<Batch>()) {}

TextTable::~TextTable() = default;

void TextTable::add(std::int64_t row, std::string_view text) {
  if (gathered_->texts.empty()) under_way_.insert(row);
  gathered_->add(row, text);
  if (gathered_->bytes.size() >= kBatchBytes) hand_over();
}

void TextTable::hand_over() {
  if (!packer_) {
    prepare_packing();
    packer_ = std::make_unique<Packer>();
  }
  if (!packer_->take(gathered_)) {
    gathered_->pack(frames_);
    insert(*gathered_);
  }
  gathered_ = std::make_unique<Batch>();
  while (const auto packed = packer_->packed(/*all=*/false)) insert(*packed);
}

void TextTable::flush() {
  if (packer_)
    while (const auto packed = packer_->packed(/*all=*/true)) insert(*packed);
  if (gathered_->texts.empty()) return;
  gathered_->pack(frames_);
  insert(*gathered_);
  *gathered_ = {};
}

// Rows only grow.
void TextTable::flush(std::int64_t row) {
  if (!under_way_.empty() && row >= *under_way_.begin()) flush();
}

void TextTable::insert(const Batch& batch) {
  under_way_.erase(batch.texts.front().row);
  for (const auto& text : batch.texts) {
    new_text_->bind(1, text.row);
    new_text_->bind_kept_blob(2, batch.bytes_of(text));
    new_text_->run();
  }
}

}  // namespace cgrep
