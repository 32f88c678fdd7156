// GlassWriter: writes a Xapian database directly in its on-disk format, in one sorted pass.
// Xapian's own writer spends most of its time in maps that this does not need.
//
// The format (glass, number 2016-03-14, that of Xapian 1.4), as far as it is written here. A folder
// with two files; the tables of documents' data, term lists, positions, spelling and synonyms are
// absent, which says that there are none.
//
// Numbers. "varint": 7 bits a byte, low ones first, the top bit set on all but the last. "BE2",
// "BE4": 2 or 4 bytes, high ones first. "sorted number": compares as bytes like the number; below
// 0x8000 it is BE2; else n bytes (3 to 9), high ones first, whose first n - 2 bits are set, the
// next is not, and the rest is the number.
//
// `postlist.glass`: a B-tree of blocks of 8 KB, numbered from 0. A block:
//   BE4 revision; 1 byte level (0: leaf); BE2 bytes free between directory and items; BE2 bytes
//   free in all; BE2 where the directory ends; then the directory: of each item, in the order of
//   the keys, BE2 where it begins. Items stand at the end of the block, here the first of them
//   last.
// An item of a leaf:   BE2 (its size - 3, plus 0x2000: first part of its tag, plus 0x4000: last
// part;
//   here always both); 1 byte length of the key; the key; the tag. The first item of the first leaf
//   has neither key nor tag.
// An item of a branch: BE4 block; 1 byte length of the key; the key; BE2 part (1). All keys in that
//   block are not less than the key, those in the blocks before are less; so it need only be as
//   long as it takes to differ from the last key before. The first item of a branch has an empty
//   key, part 0.
// Leaves are numbered in the order of their keys ("sequential").
//
// Keys and tags: a list of postings for each term, and one for the lengths of the documents. A list
// is cut into chunks:
//   key of the first chunk:   the term, a zero byte in it followed by 0xff; 0x00 0xe0 for the
//   lengths key of the others:        the same, 0x00 (not for the lengths), sorted number of the
//   first document tag of the first chunk:   varint documents with the term, varint how often it
//   occurs in all,
//                             varint first document - 1 (for the lengths 0, 0, first document - 1),
//                             and then like
//   tag of the others:        '1' if it is the last chunk, else '0'; varint last document - first
//                             document; the postings
//   postings:                 varint wdf (or length) of the first document; then for each further
//   one
//                             varint (document - the one before - 1), varint wdf
// Chunks are kept so short that an item always fits four times in a block.
//
// `iamglass`: the bytes 0f 0d "Xapian Glass", BE2 format number (4 bits month, 5 bits day, above
// them the years since 2014); 16 bytes UUID; varint revision; of each of the six tables (postlist,
// docdata, termlist, position, spelling, synonym):
//   varint root block; varint (level of the root * 4 + 2 if sequential + 1 if there is no root);
//   varint items (without the empty one); varint block size / 2048; varint from which size tags are
//   compressed (0: never; 18 where Xapian does); and, behind a varint of its length, the free list:
//   varint revision, varint blocks in the file, four zeros (nothing is free); empty for absent
//   tables
// and then varints: documents; last document - documents; least length that is not 0; greatest wdf;
// greatest length - greatest wdf; 0 (change sets); sum of all lengths; 0 (spelling).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace cgrep {

/// The postings of a term, or the lengths of the documents.
struct GlassList {
  std::uint32_t documents = 0;   // how many
  std::uint32_t collection = 0;  // sum of the wdfs
  std::uint32_t first = 0;       // document
  std::uint32_t last = 0;
  std::string_view postings{};  // encoded as above
};

struct GlassStatistics {
  std::uint32_t documents = 0;
  std::uint32_t last = 0;          // document
  std::uint32_t least_length = 0;  // that is not 0
  std::uint32_t greatest_length = 0;
  std::uint32_t greatest_wdf = 0;
  std::uint64_t total_length = 0;
};

/// Longer terms are refused; so does Xapian.
inline constexpr std::size_t kMaxTermBytes = 245;

/// Room for a varint of 32 bits.
inline constexpr std::size_t kMaxVarint = 5;

/// Writes a varint at `to`; returns where it ends.
inline char* put_varint(char* to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) *to++ = static_cast<char>(value | 0x80);
  *to++ = static_cast<char>(value);
  return to;
}

inline void append_varint(std::string& to, std::uint64_t value) {
  char bytes[10];
  to.append(bytes, put_varint(bytes, value));
}

/// Lengths, then terms in the order of their bytes, then finish().
class GlassWriter {
 public:
  /// `folder` is there and has no database in it.
  explicit GlassWriter(const std::filesystem::path& folder);
  ~GlassWriter();
  GlassWriter(const GlassWriter&) = delete;
  GlassWriter& operator=(const GlassWriter&) = delete;

  void lengths(const GlassList& list);
  void term(std::string_view term, const GlassList& list);

  /// Writes the rest, and last makes the version file, without which it is no database. All of it
  /// is still to be synced (files.h).
  void finish(const GlassStatistics& statistics);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cgrep
