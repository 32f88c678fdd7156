#include "index/forget.h"

#include <algorithm>
#include <map>
#include <set>

#include "extract/sqlite.h"
#include "index/folder.h"
#include "index/removal.h"
#include "index/salvage.h"
#include "index/writer.h"

namespace cgrep {

namespace {

std::vector<std::int64_t> rows_of(History& history, const std::vector<std::string>& keys) {
  std::vector<std::int64_t> rows;
  for (const auto& key : keys)
    if (const auto row = history.row_of_conversation(key)) rows.push_back(*row);
  return with_children(history.database(), rows);
}

std::vector<std::int64_t> rows_of(
    History& history, const std::vector<std::pair<std::string, std::uint32_t>>& documents) {
  std::vector<std::int64_t> rows;
  auto find = history.database().prepare(
      "SELECT d.id FROM documents d JOIN conversations c ON c.id = d.conversation "
      "WHERE c.key = ?1 AND d.number = ?2");
  for (const auto& [key, number] : documents) {
    find.bind(1, key);
    find.bind(2, number);
    if (find.step()) rows.push_back(find.int64(0));
    find.reset();
  }
  return rows;
}

std::vector<std::int64_t> rows_only_in(History& history, const Store& store) {
  std::vector<std::int64_t> rows;
  auto find = history.database().prepare("SELECT id FROM documents WHERE stores = ?1");
  find.bind(1, static_cast<std::int64_t>(store_bit(store)));
  while (find.step()) rows.push_back(find.int64(0));
  return rows;
}

}  // namespace

ForgetPlan plan_forget(History& history, const ForgetRequest& request) {
  auto& database = history.database();
  ForgetPlan plan{.conversations = rows_of(history, request.conversations)};
  auto documents = documents_of(database, plan.conversations);
  const auto single = rows_of(history, request.documents);
  documents.insert(documents.end(), single.begin(), single.end());
  documents = with_equals(database, documents);
  if (request.store != nullptr) documents = rows_only_in(history, *request.store);
  plan.document_count = documents.size();

  std::map<std::int64_t, std::size_t> counts;
  for (const auto row : plan.conversations) counts[row] = 0;
  auto find = database.prepare("SELECT conversation FROM documents WHERE id = ?1");
  for (const auto row : documents) {
    find.bind(1, row);
    const auto conversation = find.step() ? find.int64(0) : 0;
    find.reset();
    ++counts[conversation];
    if (!std::binary_search(plan.conversations.begin(), plan.conversations.end(), conversation))
      plan.documents.push_back(row);
  }
  plan.touched.assign(counts.begin(), counts.end());
  return plan;
}

ForgetResult forget(const std::filesystem::path& folder, const ForgetRequest& request,
                    const std::function<void()>& waiting) {
  const auto lock = WriterLock::take(folder, waiting);
  History history(folder, History::Mode::write);
  IndexWriter writer(history);
  ForgetResult result{.plan = plan_forget(history, request)};
  if (request.store != nullptr)
    writer.forget_store(*request.store);
  else if (!result.plan.empty())
    writer.forget(result.plan.conversations, result.plan.documents);
  result.copies = remove_kept_aside(folder);
  result.clean = writer.clean(true);
  return result;
}

}  // namespace cgrep
