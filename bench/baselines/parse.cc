// baseline-parse HOME: the least that reading a history costs. Every JSONL file and every value of
// every state.vscdb is read once, in one thread; texts are copied out. Prints how many bytes of
// text.

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <simdjson.h>
#include <sqlite3.h>

namespace cgrep::bench {
namespace {

namespace fs = std::filesystem;
namespace json = simdjson::ondemand;

class Floor {
 public:
  void read_lines(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    bytes_.resize(fs::file_size(path));
    in.read(bytes_.data(), std::ssize(bytes_));
    bytes_.reserve(bytes_.size() + simdjson::SIMDJSON_PADDING);
    json::document_stream lines;
    if (parser_.iterate_many(bytes_.data(), bytes_.size(), kLongestLine).get(lines) != 0) return;
    for (auto line : lines) {
      json::array blocks;
      if (line["message"]["content"].get_array().get(blocks) != 0) continue;
      for (auto block : blocks) copy_strings(block);
    }
  }

  void read_database(const fs::path& path) {
    sqlite3* database = nullptr;
    // Else SQLite leaves files beside it, and whoever reads it next has more to do.
    const auto at_rest = "file:" + path.string() + "?immutable=1";
    sqlite3_open_v2(at_rest.c_str(), &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
    for (const char* sql :
         {"SELECT key, value FROM cursorDiskKV", "SELECT key, value FROM ItemTable"})
      read_values(database, sql);
    sqlite3_close(database);
  }

  std::size_t text_bytes() const { return text_bytes_; }

 private:
  static constexpr std::size_t kLongestLine = 1u << 22;

  void copy(std::string_view text) {
    copy_ = text;
    text_bytes_ += copy_.size();
  }

  template <typename Value>
  void copy_strings(Value&& value) {
    std::string_view text;
    json::object arguments;
    json::object object;
    if (value.get_object().get(object) != 0) return;
    if (object["text"].get_string().get(text) == 0) return copy(text);
    if (object["input"].get_object().get(arguments) != 0) return;
    for (auto field : arguments)
      if (field.value().get_string().get(text) == 0) copy(text);
  }

  void read_values(sqlite3* database, const char* sql) {
    sqlite3_stmt* rows = nullptr;
    if (sqlite3_prepare_v2(database, sql, -1, &rows, nullptr) != SQLITE_OK) return;
    while (sqlite3_step(rows) == SQLITE_ROW) {
      const auto* const key = reinterpret_cast<const char*>(sqlite3_column_text(rows, 0));
      const auto* const value = static_cast<const char*>(sqlite3_column_blob(rows, 1));
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(rows, 1));
      if (value != nullptr && std::string_view(key).starts_with("bubbleId:"))
        read_bubble(value, size);
    }
    sqlite3_finalize(rows);
  }

  void read_bubble(const char* value, std::size_t size) {
    bytes_.reserve(size + simdjson::SIMDJSON_PADDING);
    bytes_.assign(value, size);
    json::document document;
    std::string_view text;
    if (parser_.iterate(bytes_).get(document) != 0) return;
    if (document["text"].get_string().get(text) == 0 && !text.empty()) return copy(text);
    if (document["toolFormerData"]["params"].get_string().get(text) == 0) copy(text);
  }

  json::parser parser_{};
  std::string bytes_{};
  std::string copy_{};
  std::size_t text_bytes_ = 0;
};

void run(const char* home) {
  Floor floor;
  for (const auto& entry : fs::recursive_directory_iterator(home)) {
    if (entry.path().extension() == ".jsonl") floor.read_lines(entry.path());
    if (entry.path().filename() == "state.vscdb") floor.read_database(entry.path());
  }
  std::cout << floor.text_bytes() << '\n';
}

}  // namespace
}  // namespace cgrep::bench

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw std::runtime_error("usage: baseline-parse HOME");
    cgrep::bench::run(argv[1]);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "baseline-parse: " << error.what() << '\n';
    return 2;
  }
}
