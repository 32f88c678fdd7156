#include "index/frames.h"

#include <zstd.h>

#include "document.h"
#include "error.h"

namespace cgrep {

namespace {

// Higher levels gain 2 points of size and cost 2.6 times the time.
constexpr int kLevel = 3;
constexpr std::string_view kMagic = "\x28\xb5\x2f\xfd";

struct FreeCompressor {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
struct FreeDecompressor {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

}  // namespace

struct Frames::Impl {
  std::unique_ptr<ZSTD_CCtx, FreeCompressor> compressor{};
  std::unique_ptr<ZSTD_DCtx, FreeDecompressor> decompressor{};
  std::string packed{};
};

Frames::Frames() : impl_(std::make_unique<Impl>()) {}
Frames::~Frames() = default;

std::string_view Frames::pack(std::string_view text) {
  if (!impl_->compressor) impl_->compressor.reset(ZSTD_createCCtx());
  auto& packed = impl_->packed;
  packed.resize(ZSTD_compressBound(text.size()));
  const std::size_t size = ZSTD_compressCCtx(impl_->compressor.get(), packed.data(), packed.size(),
                                             text.data(), text.size(), kLevel);
  if (ZSTD_isError(size) != 0 || size >= text.size())
    packed.assign(text);
  else
    packed.resize(size);
  return packed;
}

std::string Frames::unpack(std::string_view frame) {
  if (!frame.starts_with(kMagic)) return std::string(frame);
  if (!impl_->decompressor) impl_->decompressor.reset(ZSTD_createDCtx());
  const auto size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kMaxTextBytes)
    throw Error("history.db: a text is damaged", "cgrep index --rebuild");
  std::string text(size, '\0');
  const std::size_t got = ZSTD_decompressDCtx(impl_->decompressor.get(), text.data(), text.size(),
                                              frame.data(), frame.size());
  if (ZSTD_isError(got) != 0 || got != size)
    throw Error("history.db: a text is damaged", "cgrep index --rebuild");
  return text;
}

std::size_t unpacked_size(std::string_view beginning, std::size_t size) {
  if (!beginning.starts_with(kMagic)) return size;
  const auto unpacked = ZSTD_getFrameContentSize(beginning.data(), beginning.size());
  const bool known = unpacked != ZSTD_CONTENTSIZE_ERROR && unpacked != ZSTD_CONTENTSIZE_UNKNOWN;
  return known ? unpacked : size;
}

}  // namespace cgrep
