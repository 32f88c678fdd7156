#include "telling.h"

#include <algorithm>
#include <utility>

#include "extract/stores.h"

namespace cgrep::test {

Telling::Telling() {
  open();
}

void Telling::open() {
  history_.emplace(dir_.path(), History::Mode::write);
  writer_.emplace(*history_);
}

void Telling::reopen() {
  writer_->commit();
  die();
}

void Telling::die() {
  writer_.reset();
  history_.reset();
  open();
}

Document Telling::said(const std::string& text, Role role) {
  return {.role = role, .text = text};
}

Document Telling::keyed(const std::string& key, Document document) {
  document.identity.key = key;
  return document;
}

Document Telling::call(const std::string& text, const std::string& tool, const std::string& alike) {
  return {.role = Role::tool_call, .text = text, .tool = tool, .alike = alike};
}

std::int64_t Telling::source(const char* store, const std::string& path) {
  return writer_->source_row(
      {.store = find_store(store), .path = path.empty() ? "/" + std::string(store) : path});
}

Sink& Telling::begin(const char* store, const std::string& path) {
  return writer_->begin_reading(source(store, path), *find_store(store));
}

ReadingCounts Telling::end(const std::string& mark) {
  return writer_->end_reading({1, 1, 1}, {}, mark);
}

void Telling::deliver(Sink& sink, const std::string& conversation, Documents documents,
                      const Claims& claims) {
  std::uint64_t position = 0;
  for (auto& document : documents) {
    document.conversation = conversation;
    if (document.position == 0) document.position = ++position;
    sink.document(std::move(document));
  }
  for (const auto& claim : claims) sink.claim(claim);
}

ReadingCounts Telling::tell(const char* store, const std::string& conversation, Documents documents,
                            const Claims& claims) {
  Sink& sink = begin(store);
  sink.whole(conversation);
  deliver(sink, conversation, std::move(documents), claims);
  const auto counts = end();
  writer_->commit();
  return counts;
}

Telling::Lines Telling::documents(const std::string& conversation) {
  Lines lines;
  const auto row = history_->row_of_conversation(conversation);
  if (!row) return lines;
  history_->for_each_document(*row, [&](const StoredDocument& document) {
    auto line = std::to_string(document.number) + ' ' + std::string(name_of(document.role)) + ' ' +
                history_->text(document.row);
    if (document.gone) line += " gone";
    if (document.orphan) line += " orphan";
    if (document.repeated) line += " repeated";
    for (const auto store : store_names(document.stores)) line += ' ' + std::string(store);
    lines.push_back(line);
    return true;
  });
  return lines;
}

Telling::Lines Telling::texts(const std::string& conversation) {
  Lines lines;
  history_->for_each_document(history_->row_of_conversation(conversation).value(),
                              [&](const StoredDocument& document) {
                                lines.push_back(history_->text(document.row));
                                return true;
                              });
  return lines;
}

std::vector<std::int64_t> Telling::rows(const std::string& conversation) {
  std::vector<std::pair<std::uint32_t, std::int64_t>> found;
  history_->for_each_document(history_->row_of_conversation(conversation).value(),
                              [&](const StoredDocument& document) {
                                found.emplace_back(document.number, document.row);
                                return true;
                              });
  std::sort(found.begin(), found.end());
  std::vector<std::int64_t> rows;
  for (const auto& [number, row] : found) rows.push_back(row);
  return rows;
}

Conversation Telling::conversation(const std::string& key) {
  return history_->conversation(history_->row_of_conversation(key).value());
}

}  // namespace cgrep::test
