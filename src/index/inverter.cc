#include "index/inverter.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "error.h"
#include "hash.h"

namespace cgrep {

namespace {

constexpr std::size_t kFirstTable = 1024;

// A slice ends with the address of the next one. Most terms are rare, most postings of common ones.
constexpr std::size_t kLink = sizeof(std::uint32_t);
constexpr std::size_t kFirstSlice = 8;
constexpr unsigned kLargestSlice = 7;  // doublings of the first

std::size_t slice_bytes(std::uint32_t index) {
  return kFirstSlice << std::min(index, kLargestSlice);
}

/// For the table of terms, most of which are short.
std::uint32_t hash_of(std::string_view term) {
  constexpr std::uint64_t kFirst = 0x9e3779b97f4a7c15;
  constexpr std::uint64_t kSecond = 0xd6e8feb86659fd93;
  const std::size_t size = term.size();
  if (size > 16) return static_cast<std::uint32_t>(hash64(term));
  // From both ends: in the middle, the two may overlap.
  std::uint64_t front = 0;
  std::uint64_t back = 0;
  if (size >= 8) {
    std::memcpy(&front, term.data(), 8);
    std::memcpy(&back, term.data() + size - 8, 8);
  } else if (size >= 4) {
    std::memcpy(&front, term.data(), 4);
    std::memcpy(&back, term.data() + size - 4, 4);
  } else if (size > 0) {
    std::memcpy(&front, term.data(), 1);
    std::memcpy(&back, term.data() + size / 2, 1);
    back = back << 8 | static_cast<unsigned char>(term.back());
  }
  return static_cast<std::uint32_t>(detail::mix(front ^ kFirst, back ^ kSecond ^ size));
}

/// The first bytes as a number that compares like them.
std::uint64_t sorted_beginning(std::string_view bytes) {
  unsigned char first[8] = {};
  std::memcpy(first, bytes.data(), std::min(bytes.size(), sizeof first));
  std::uint64_t value = 0;
  for (const auto byte : first) value = value << 8 | byte;
  return value;
}

}  // namespace

std::uint32_t ByteArena::allocate(std::size_t bytes) {
  if (used_ + bytes > kBlockBytes) {
    blocks_.emplace_back(new char[kBlockBytes]);
    used_ = 0;
  }
  const auto address = (blocks_.size() - 1) * kBlockBytes + used_;
  used_ += bytes;
  return static_cast<std::uint32_t>(address);
}

Inverter::Inverter() : table_(kFirstTable) {}

void Inverter::begin_document(std::uint32_t document) {
  end_document();
  if (document_ == 0) {
    first_ = document;
  } else {
    append_varint(lengths_, document - document_ - 1);
  }
  document_ = document;
  length_ = 0;
  ++statistics_.documents;
}

void Inverter::end_document() {
  if (document_ == 0) return;
  take_waiting();
  append_varint(lengths_, length_);
  statistics_.last = document_;
  statistics_.total_length += length_;
  statistics_.greatest_length = std::max(statistics_.greatest_length, length_);
  if (length_ != 0 && (statistics_.least_length == 0 || length_ < statistics_.least_length))
    statistics_.least_length = length_;
}

void Inverter::add(std::string_view term, std::uint32_t wdf) {
  if (term.size() > kMaxTermBytes) throw Error("index: a term is too long");
  if (added_ - taken_ == kAhead) take(waiting_[taken_++ % kAhead]);
  if (added_ - taken_ >= kAhead / 2) call_for(waiting_[(added_ - kAhead / 2) % kAhead].hash);
  Waiting& waiting = waiting_[added_++ % kAhead];
  waiting.hash = hash_of(term);
  waiting.wdf = wdf;
  waiting.size = static_cast<std::uint16_t>(term.size());
  std::memcpy(waiting.bytes, term.data(), term.size());
  __builtin_prefetch(&table_[waiting.hash & (table_.size() - 1)]);
}

/// Its slot should be there by now, and tells where the term is.
void Inverter::call_for(std::uint32_t hash) const {
  const Slot slot = table_[hash & (table_.size() - 1)];
  if (slot.term != 0) __builtin_prefetch(&terms_[slot.term - 1]);
}

void Inverter::take_waiting() {
  while (taken_ != added_) take(waiting_[taken_++ % kAhead]);
}

void Inverter::take(const Waiting& waiting) {
  Term& term = find({waiting.bytes, waiting.size}, waiting.hash);
  length_ += waiting.wdf;
  term.collection += waiting.wdf;
  if (term.documents == 0) {
    term.first = term.last = document_;
    term.documents = 1;
  } else if (term.last != document_) {
    append(term, std::exchange(term.wdf, 0));
    append(term, document_ - term.last - 1);
    term.last = document_;
    ++term.documents;
  }
  term.wdf += waiting.wdf;
  statistics_.greatest_wdf = std::max(statistics_.greatest_wdf, term.wdf);
}

std::size_t Inverter::memory() const {
  return arena_.memory() + terms_.capacity() * sizeof(Term) + table_.size() * sizeof(Slot) +
         lengths_.capacity();
}

std::string_view Inverter::bytes_of(const Term& term) const {
  if (term.size <= sizeof term.bytes) return {term.bytes, term.size};
  std::uint32_t address = 0;
  std::memcpy(&address, term.bytes, sizeof address);
  return {arena_.at(address), term.size};
}

void Inverter::add_term(std::string_view bytes) {
  Term& term = terms_.emplace_back();
  term.size = static_cast<std::uint16_t>(bytes.size());
  char* to = term.bytes;
  if (bytes.size() > sizeof term.bytes) {
    const auto address = arena_.allocate(bytes.size());
    std::memcpy(term.bytes, &address, sizeof address);
    to = arena_.at(address);
  }
  std::copy(bytes.begin(), bytes.end(), to);
}

Inverter::Term& Inverter::find(std::string_view bytes, std::uint32_t hash) {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const Slot slot = table_[at];
    if (slot.term == 0) {
      add_term(bytes);
      table_[at] = {.hash = hash, .term = static_cast<std::uint32_t>(terms_.size())};
      if (terms_.size() * 2 > table_.size()) grow();
      return terms_.back();
    }
    if (slot.hash != hash) continue;
    Term& term = terms_[slot.term - 1];
    if (bytes_of(term) == bytes) return term;
  }
}

void Inverter::grow() {
  const auto old = std::exchange(table_, std::vector<Slot>(table_.size() * 2));
  const std::size_t mask = table_.size() - 1;
  for (const Slot slot : old) {
    if (slot.term == 0) continue;
    std::size_t at = slot.hash & mask;
    while (table_[at].term != 0) at = (at + 1) & mask;
    table_[at] = slot;
  }
}

void Inverter::append(Term& term, std::uint32_t value) {
  char bytes[kMaxVarint];
  const char* const end = put_varint(bytes, value);
  for (const char* byte = bytes; byte != end; ++byte) {
    if (term.left == 0) next_slice(term);
    *arena_.at(term.at++) = *byte;
    --term.left;
  }
}

void Inverter::next_slice(Term& term) {
  const std::size_t bytes = slice_bytes(term.slices);
  const auto slice = arena_.allocate(bytes + kLink);
  if (term.slices == 0)
    term.chain = slice;
  else
    std::memcpy(arena_.at(term.at), &slice, kLink);
  term.at = slice;
  term.left = static_cast<std::uint16_t>(bytes);
  ++term.slices;
}

std::vector<std::uint32_t> Inverter::sorted_terms() const {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
  order.reserve(terms_.size());
  for (std::uint32_t index = 0; index < terms_.size(); ++index)
    order.emplace_back(sorted_beginning(bytes_of(terms_[index])), index);
  std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first < b.first;
    return bytes_of(terms_[a.second]) < bytes_of(terms_[b.second]);
  });
  std::vector<std::uint32_t> sorted;
  sorted.reserve(order.size());
  for (const auto& [beginning, index] : order) sorted.push_back(index);
  return sorted;
}

/// Its postings point into the buffer.
GlassList Inverter::list_of(const Term& term, std::string& buffer) const {
  buffer.clear();
  std::uint32_t slice = term.chain;
  for (std::uint32_t index = 0; index < term.slices; ++index) {
    const bool last = index + 1 == term.slices;
    const std::size_t bytes = slice_bytes(index);
    buffer.append(arena_.at(slice), bytes - (last ? term.left : 0));
    if (!last) std::memcpy(&slice, arena_.at(slice) + bytes, kLink);
  }
  append_varint(buffer, term.wdf);
  return {.documents = term.documents,
          .collection = term.collection,
          .first = term.first,
          .last = term.last,
          .postings = buffer};
}

GlassList Inverter::lengths() const {
  return {.first = first_, .last = document_, .postings = lengths_};
}

}  // namespace cgrep
