// ReadAhead: sources that the index knows nothing of are extracted in threads of their own, while
// what was extracted before is being written.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "extract/store.h"

namespace cgrep {

class ReadAhead {
 public:
  /// A source up to this size may be read beside others: it holds no record that takes much memory.
  static constexpr std::uint64_t kSmallBytes = 4u << 20;

  struct Wanted {
    const Source* source = nullptr;
    std::uint64_t bytes = 0;  // its size
  };
  /// Begins with the first of them; they must live longer. Nothing was ever noted of them: what an
  /// extractor notes while it reads one, it is told again; all else is not there.
  explicit ReadAhead(std::vector<Wanted> sources);

  /// Stops in the midst of what it does.
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  struct Extracted {
    std::string mark{};
    std::int64_t began_ns = 0;  // when its reading did
  };
  /// Hands all that the next source delivers to the sink. Throws what its extractor threw, after
  /// what it delivered before; when the sink throws, no more can be asked for.
  Extracted deliver(Sink& sink);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cgrep
