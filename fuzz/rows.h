// Rows of a database as fuzzed bytes: fields of a row are parted by kField, rows by kRow. No JSON
// has these bytes, and binary values hardly ever do.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cgrep::fuzz {

inline constexpr std::string_view kField = "\x1f\xff\x1f";
inline constexpr std::string_view kRow = "\x1e\xff\x1e";

/// A table, and two columns of one of its rows.
struct Row {
  std::string table{};
  std::string key{};
  std::string value{};
};

std::vector<Row> parse_rows(std::string_view bytes);
std::string printed_rows(const std::vector<Row>& rows);

/// Tables of keys and values that the maker knows: their columns, and how they are declared.
struct Table {
  std::string_view name{};
  std::string_view key{};
  std::string_view value{};
  std::string_view declared{};
};

/// Makes the database anew, with these tables and the rows that fit into them; values that are no
/// UTF-8 become BLOBs, the others in turns.
void make_database(const std::filesystem::path& path, const std::vector<Table>& tables,
                   const std::vector<Row>& rows, std::string_view journal = "OFF");

/// The -wal of one that is made like that, and was not closed.
std::string make_wal(const std::filesystem::path& path, const std::vector<Table>& tables,
                     const std::vector<Row>& rows);

/// Rows of these tables, as they stand in a database.
std::vector<Row> read_rows(const std::filesystem::path& path, const std::vector<Table>& tables);

/// Of state.vscdb, and of a chat's store.db.
const std::vector<Table>& state_tables();
const std::vector<Table>& chat_tables();

}  // namespace cgrep::fuzz
