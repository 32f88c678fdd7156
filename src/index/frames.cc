#include "index/frames.h"

#include <algorithm>
#include <new>

#include <zstd.h>

#include "document.h"
#include "error.h"
#include "hash.h"
#include "index/frame_dictionary.h"

namespace cgrep {

namespace {

// Higher levels gain 2 points of size and cost 2.6 times the time. The dictionary is there for its
// tables, which short frames then need not bring along: unpacking takes a quarter less time.
constexpr int kLevel = 1;

// What every frame of zstd begins with. Ours are kept without it, and do not name their dictionary:
// that is 8 bytes of each, and most texts are short. What follows it has a bit at its beginning
// that is always 0 in a frame, and 1 in the magic and before plain text, so that each is known by
// its first byte. (Frames of schema 6 have it, and name their dictionary, or are of before there
// was one.)
constexpr std::string_view kMagic = "\x28\xb5\x2f\xfd";
// Text that is kept as it is: this byte, which no UTF-8 has, and four of its hash stand before it.
constexpr char kPlain = '\xff';
constexpr std::size_t kPlainHeader = 5;

void append_hash(std::string& bytes, std::string_view text) {
  const auto hash = hash64(text);
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(hash >> shift);
}

[[noreturn]] void damaged() {
  throw Error("history.db: a text is damaged", "cgrep index --rebuild");
}

bool is_plain(std::string_view frame) {
  return frame.empty() || frame.front() == kPlain;
}

bool has_magic(std::string_view frame) {
  return frame.starts_with(kMagic);
}

std::string_view unpack_plain(std::string_view frame) {
  if (frame.size() < kPlainHeader) damaged();
  const auto text = frame.substr(kPlainHeader);
  std::string header(1, kPlain);
  append_hash(header, text);
  if (!frame.starts_with(header)) damaged();
  return text;
}

struct FreeCompressor {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
struct FreeDecompressor {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

/// The dictionary made ready, once for all threads.
template <typename Dictionary>
Dictionary* made(Dictionary* dictionary) {
  if (dictionary == nullptr) throw std::bad_alloc();
  return dictionary;
}

// zstd 1.5.4 does not ask whether it got the memory for it, and crashes.
void require_room_for_dictionary() {
  constexpr std::size_t kMoreThanItTakes = 1u << 20;
  const auto room = std::make_unique_for_overwrite<volatile char[]>(kMoreThanItTakes);
  room[0] = 0;  // so that it is not optimised away
}

ZSTD_CDict* packing_dictionary() {
  static ZSTD_CDict* const dictionary = [] {
    require_room_for_dictionary();
    return made(ZSTD_createCDict(frame_dictionary().data(), frame_dictionary().size(), kLevel));
  }();
  return dictionary;
}

ZSTD_DDict* unpacking_dictionary() {
  static ZSTD_DDict* const dictionary =
      made(ZSTD_createDDict(frame_dictionary().data(), frame_dictionary().size()));
  return dictionary;
}

}  // namespace

struct Frames::Impl {
  std::unique_ptr<ZSTD_CCtx, FreeCompressor> compressor{};
  std::unique_ptr<ZSTD_DCtx, FreeDecompressor> decompressor{};
  std::string packed{};    // as long as the longest so far
  std::string unpacked{};  // the same
  std::string frame{};     // with its magic
};

Frames::Frames() noexcept = default;
Frames::~Frames() = default;

Frames::Impl& Frames::impl() {
  if (!impl_) impl_ = std::make_unique<Impl>();
  return *impl_;
}

void prepare_packing() {
  packing_dictionary();
}

std::string_view Frames::pack(std::string_view text) {
  auto& compressor = impl().compressor;
  if (!compressor) {
    compressor.reset(ZSTD_createCCtx());
    if (!compressor) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(compressor.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(compressor.get(), ZSTD_c_checksumFlag, 1);
    ZSTD_CCtx_setParameter(compressor.get(), ZSTD_c_dictIDFlag, 0);
    ZSTD_CCtx_refCDict(compressor.get(), packing_dictionary());
  }
  auto& packed = impl_->packed;
  if (const auto bound = ZSTD_compressBound(text.size()); packed.size() < bound)
    packed.resize(bound);
  const std::size_t size =
      ZSTD_compress2(compressor.get(), packed.data(), packed.size(), text.data(), text.size());
  if (ZSTD_isError(size) == 0 && size - kMagic.size() < text.size() + kPlainHeader)
    return std::string_view(packed).substr(kMagic.size(), size - kMagic.size());
  packed.assign(1, kPlain);
  append_hash(packed, text);
  return packed.append(text);
}

std::string_view Frames::unpack_here(std::string_view frame) {
  if (is_plain(frame)) return unpack_plain(frame);
  const bool before = has_magic(frame);
  if (!before) frame = impl().frame.assign(kMagic).append(frame);
  auto& decompressor = impl().decompressor;
  if (!decompressor) {
    decompressor.reset(ZSTD_createDCtx());
    if (!decompressor) throw std::bad_alloc();
  }
  const auto size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kMaxTextBytes)
    damaged();
  auto& text = impl_->unpacked;
  if (text.size() < size) text.resize(size);
  const bool plain = before && ZSTD_getDictID_fromFrame(frame.data(), frame.size()) == 0;
  const std::size_t got =
      plain ? ZSTD_decompressDCtx(decompressor.get(), text.data(), size, frame.data(), frame.size())
            : ZSTD_decompress_usingDDict(decompressor.get(), text.data(), size, frame.data(),
                                         frame.size(), unpacking_dictionary());
  if (ZSTD_isError(got) != 0 || got != size) damaged();
  return std::string_view(text).substr(0, size);
}

bool is_checked(std::string_view frame) {
  return has_magic(frame) || frame.starts_with(kPlain);
}

std::size_t unpacked_size(std::string_view beginning, std::size_t size) {
  if (is_plain(beginning)) return size - std::min(size, kPlainHeader);
  std::string header(has_magic(beginning) ? std::string_view() : kMagic);
  header += beginning;
  const auto unpacked = ZSTD_getFrameContentSize(header.data(), header.size());
  const bool known = unpacked != ZSTD_CONTENTSIZE_ERROR && unpacked != ZSTD_CONTENTSIZE_UNKNOWN;
  return known ? unpacked : size;
}

}  // namespace cgrep
