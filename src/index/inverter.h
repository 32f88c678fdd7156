// Inverter: documents in, for each term the documents that have it out. All in memory: a hash table
// of terms, and for each a chain of slices with its postings, encoded as glass_writer.h says.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/glass_writer.h"

namespace cgrep {

/// Bytes under addresses of 32 bits, in blocks that never move.
class ByteArena {
 public:
  /// Room for so many bytes in a row; at most kBlockBytes.
  std::uint32_t allocate(std::size_t bytes);

  char* at(std::uint32_t address) { return &blocks_[address / kBlockBytes][address % kBlockBytes]; }
  const char* at(std::uint32_t address) const {
    return &blocks_[address / kBlockBytes][address % kBlockBytes];
  }

  std::size_t memory() const { return blocks_.size() * kBlockBytes; }

 private:
  static constexpr std::size_t kBlockBytes = 32u << 10;

  std::vector<std::unique_ptr<char[]>> blocks_{};
  std::size_t used_ = kBlockBytes;  // of the last block
};

/// Documents and wdfs must fit in 32 bits, as in Xapian.
class Inverter {
 public:
  Inverter();

  /// All terms that follow are of this document. Documents must ascend.
  void begin_document(std::uint32_t document);

  /// The term occurs in the document, `wdf` times more.
  void add(std::string_view term, std::uint32_t wdf);

  /// About how many bytes it holds.
  std::size_t memory() const;

  /// Writes all terms in order; calls visit(term) for each. There is at least one document, and
  /// nothing may be added after. What writer.finish() needs is returned.
  template <typename Visit>
  GlassStatistics write(GlassWriter& writer, Visit&& visit) {
    end_document();
    writer.lengths(lengths());
    std::string buffer;
    for (const auto index : sorted_terms()) {
      const auto bytes = bytes_of(terms_[index]);
      writer.term(bytes, list_of(terms_[index], buffer));
      visit(bytes);
    }
    return statistics_;
  }

 private:
  /// The hash stands here as well, so that other terms need not be looked at.
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t term = 0;  // 1 + index; 0: empty
  };

  /// One line of the cache; so are most terms.
  struct alignas(64) Term {
    std::uint32_t documents = 0;
    std::uint32_t collection = 0;
    std::uint32_t first = 0;   // document
    std::uint32_t last = 0;    // document; its wdf is not in the chain yet
    std::uint32_t wdf = 0;     // in the last document
    std::uint32_t chain = 0;   // address of the first slice
    std::uint32_t at = 0;      // address of the next byte
    std::uint32_t slices = 0;  // how many
    std::uint16_t left = 0;    // bytes in the last slice
    std::uint16_t size = 0;
    char bytes[28] = {};  // if it has not more; else their address
  };

  /// A term on its way. What it is looked up in lies anywhere in memory, which takes longer to come
  /// than all else; so it is called for some terms ahead.
  struct Waiting {
    std::uint32_t hash = 0;
    std::uint32_t wdf = 0;
    std::uint16_t size = 0;
    char bytes[kMaxTermBytes];
  };
  static constexpr std::size_t kAhead = 16;  // a power of two

  void call_for(std::uint32_t hash) const;
  void take(const Waiting& waiting);
  void take_waiting();
  Term& find(std::string_view bytes, std::uint32_t hash);
  void add_term(std::string_view bytes);
  void grow();
  std::string_view bytes_of(const Term& term) const;
  void append(Term& term, std::uint32_t value);
  void next_slice(Term& term);
  void end_document();
  std::vector<std::uint32_t> sorted_terms() const;
  GlassList list_of(const Term& term, std::string& buffer) const;
  GlassList lengths() const;

  ByteArena arena_{};
  std::vector<Term> terms_{};
  std::vector<Waiting> waiting_{kAhead};  // a ring
  std::size_t added_ = 0;                 // to the ring; its last kAhead, or fewer, wait
  std::size_t taken_ = 0;
  std::vector<Slot> table_;     // by the term's hash, one after the other where several meet
  std::string lengths_{};       // of all documents but the current one, encoded
  std::uint32_t first_ = 0;     // document
  std::uint32_t document_ = 0;  // the current one; 0: none yet
  std::uint32_t length_ = 0;    // of the current one
  GlassStatistics statistics_{};
};

}  // namespace cgrep
