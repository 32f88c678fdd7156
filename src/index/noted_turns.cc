#include "index/noted_turns.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "error.h"
#include "index/files.h"
#include "index/folder.h"

namespace cgrep {

namespace {

namespace fs = std::filesystem;

fs::path notes_of(const fs::path& index) {
  return index / "turns";
}

// A note gets its name when all of it is written.
bool is_unfinished(const fs::path& note) {
  return note.filename().native().starts_with('.');
}

bool is_abandoned(const fs::path& note) {
  std::error_code error;
  const auto written = fs::last_write_time(note, error);
  return !error && fs::file_time_type::clock::now() - written > std::chrono::minutes(1);
}

template <typename Number>
bool parse(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// TIME CONVERSATION GENERATION SIZE ENDED, a line each; of what is not known, the line is empty.
std::string text_of(const Turn& turn) {
  return fmt::format("{}\n{}\n{}\n{}\n{}\n", turn.time, turn.conversation, turn.generation,
                     turn.size ? std::to_string(*turn.size) : std::string(), turn.ended ? 1 : 0);
}

std::optional<Turn> read_note(const fs::path& note) {
  std::ifstream file(note, std::ios::binary);
  std::string time;
  std::string size;
  std::string ended;
  Turn turn;
  for (auto* line : {&time, &turn.conversation, &turn.generation, &size, &ended})
    if (!std::getline(file, *line)) return std::nullopt;
  if (!parse(time, turn.time) || turn.conversation.empty()) return std::nullopt;
  if (!size.empty() && !parse(size, turn.size.emplace())) return std::nullopt;
  turn.ended = ended == "1";
  return turn;
}

}  // namespace

fs::path note_turn(const fs::path& index, const Turn& turn) {
  if ((turn.conversation + turn.generation).find('\n') != std::string::npos) return {};
  try {
    prepare_index_folder(index);
    const auto folder = notes_of(index);
    make_private_folder(folder);
    const auto name = fmt::format("{:020}-{}", turn.time, getpid());
    const auto unfinished = folder / ("." + name);
    {
      const FileDescriptor file(
          open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
      if (!file.valid()) return {};
      write_all(file, text_of(turn), unfinished);
    }
    fs::rename(unfinished, folder / name);
    return folder / name;
  } catch (const std::exception&) {
    return {};
  }
}

bool is_any_turn_noted(const fs::path& index) {
  std::error_code error;
  return fs::directory_iterator(notes_of(index), error) != fs::directory_iterator() && !error;
}

std::vector<NotedTurn> noted_turns(const fs::path& index) {
  std::vector<NotedTurn> found;
  std::error_code error;
  for (fs::directory_iterator notes(notes_of(index), error), end; !error && notes != end;
       notes.increment(error)) {
    const auto& note = notes->path();
    std::error_code ignored;
    if (is_unfinished(note)) {
      if (is_abandoned(note)) fs::remove(note, ignored);
    } else if (auto turn = read_note(note)) {
      found.push_back({.note = note, .turn = std::move(*turn)});
    } else {
      fs::remove(note, ignored);
    }
  }
  std::sort(found.begin(), found.end(), [](const NotedTurn& one, const NotedTurn& other) {
    return std::pair(one.turn.time, one.note.native()) <
           std::pair(other.turn.time, other.note.native());
  });
  return found;
}

}  // namespace cgrep
