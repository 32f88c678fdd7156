// A home in which Cursor lives: all stores, as real files and real databases that stay open, and
// changes of every kind, one after the other, by chance.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "extract/sqlite.h"

namespace cgrep::test {

class LivingHome {
 public:
  LivingHome(std::filesystem::path home, std::uint64_t seed);

  /// Changes something, and says what.
  std::string step();

  /// Writes to the databases what nobody reads.
  void tick();

 private:
  using Json = std::string;
  struct Said {
    std::string kind{};  // user, assistant, thinking, tool
    std::string text{};
  };
  struct Step {
    int weight = 1;
    const char* name = "";
    void (LivingHome::*run)() = nullptr;
  };

  // chance
  std::uint64_t below(std::uint64_t end) { return random_() % end; }
  bool chance(int percent) { return below(100) < static_cast<std::uint64_t>(percent); }
  std::string words(std::size_t count);
  std::string conversation();
  std::string slug();
  std::string folder();
  std::int64_t now();
  Said said(const std::string& store, const std::string& conversation);
  Said new_message();

  // transcripts
  std::filesystem::path transcript(const std::string& conversation, const char* end = ".jsonl");
  std::vector<std::filesystem::path> files(std::string_view below, std::string_view end);
  std::filesystem::path any_file(std::string_view below, std::string_view end);
  static Json line(const Said& message);
  void append_line();
  void append_half_line();
  void end_half_line();
  void rewrite_transcript();
  void empty_transcript();
  void replace_transcript();
  void delete_transcript();
  void subagent();
  void old_transcript();
  void transcript_elsewhere();
  void old_form_of_a_transcript();

  // state.vscdb
  void open_state();
  void set(const std::string& key, const std::string& value, const char* table = "cursorDiskKV");
  void erase(const std::string& key, const char* table = "cursorDiskKV");
  std::vector<std::string> keys(const std::string& prefix, const char* table = "cursorDiskKV");
  std::string any_key(const std::string& prefix, const char* table = "cursorDiskKV");
  std::string value(const std::string& key, const char* table = "cursorDiskKV");
  Json bubble(const Said& message);
  void write_composer(const std::string& conversation);
  void append_bubble();
  void append_bubble_before_its_header();
  void rewrite_last_bubble();
  void rewrite_bubble();
  void reuse_highest_row();
  void update_in_place();
  void update_composer_in_place();
  void update_in_place_as_long();
  void delete_bubble();
  void damage_bubble();
  void reorder_headers();
  void rename_conversation();
  void archive_conversation();
  void delete_conversation();
  void delete_composer();
  void vacuum();
  void checkpoint();
  void swap_database();
  void header_row();
  void composer_list();
  void ide_prompts();
  void legacy_chat();
  void side_rows();
  void agent_blobs();
  void workspace();
  void plan_registry();

  // the rest
  void chat();
  void chat_meta();
  void prompt_history();
  void summary();
  void code_hash();
  void commit();
  void delete_commit();
  void update_tracking_in_place();
  void plan();
  void project_file();
  void project_meta();
  void new_root();
  void conversation_of_another_root();
  void touch();
  void write(const std::filesystem::path& path, std::string_view bytes);
  Database& database(const std::filesystem::path& path, const char* schema);

  std::filesystem::path home_;
  std::filesystem::path state_ = home_ / ".config/Cursor/User/globalStorage/state.vscdb";
  std::mt19937_64 random_;
  std::map<std::filesystem::path, std::unique_ptr<Database>> databases_{};
  std::map<std::string, std::vector<Said>> scripts_{};  // by conversation
  std::map<std::string, std::size_t> places_{};         // how far a store is in it
  std::map<std::string, std::vector<std::string>> headers_{};
  std::map<std::string, std::string> names_{};
  std::set<std::string> archived_{};
  std::map<std::string, std::vector<std::string>> blobs_{};  // messages of chats
  std::map<std::filesystem::path, std::string> halves_{};    // the rest of a line
  std::uint64_t counter_ = 0;
  std::int64_t clock_ = 1'781'016'250'000;
};

}  // namespace cgrep::test
