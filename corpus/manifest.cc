// make.txt is a list of verbs, so the code is two tables of them: contents first, attributes last.

#include "corpus/manifest.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <string_view>

#include <fmt/format.h>
#include <sys/stat.h>

#include "corpus/notation.h"
#include "corpus/times.h"
#include "error.h"

namespace cgrep::corpus {
namespace {

namespace fs = std::filesystem;

using Action = std::function<void(const fs::path& path, const std::string& argument)>;
using Actions = std::map<std::string, Action, std::less<>>;

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '%' && i + 2 < text.size();
    out += escaped ? from_hex(text.substr(i + 1, 2)) : std::string(1, text[i]);
    if (escaped) i += 2;
  }
  return out;
}

/// Cuts the first word off.
std::string_view take_word(std::string_view& text) {
  const auto word = text.substr(0, text.find(' '));
  text.remove_prefix(std::min(word.size() + 1, text.size()));
  return word;
}

std::uint64_t number(const std::string& text, int base = 10) {
  std::size_t used = 0;
  const std::uint64_t value = std::stoull(text, &used, base);
  if (used != text.size()) throw Error(fmt::format("not a number: {}", text));
  return value;
}

void append(const fs::path& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::app);
  out.write(bytes.data(), std::ssize(bytes));
  if (!out.flush()) throw Error("cannot write it");
}

void make_fifo(const fs::path& path, const std::string&) {
  if (mkfifo(path.c_str(), 0600) != 0) throw Error(std::strerror(errno));
}

void append_repeated(const fs::path& path, const std::string& argument) {
  std::string_view text = argument;
  const std::uint64_t count = number(std::string(take_word(text)));
  std::string chunk;
  for (std::uint64_t i = 0; i < count; ++i) {
    chunk += text;
    if (chunk.size() < 1 << 20 && i + 1 < count) continue;
    append(path, chunk);
    chunk.clear();
  }
}

void patch(const fs::path& path, const std::string& argument) {
  std::string_view text = argument;
  const auto offset = static_cast<std::streamoff>(number(std::string(take_word(text))));
  const std::string bytes = from_hex(text);
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(offset).write(bytes.data(), std::ssize(bytes));
  if (!file.flush()) throw Error("cannot write it");
}

void set_time_of(const fs::path& path, const std::string& argument) {
  const auto time = parse_iso_time(argument);
  if (!time) throw Error(fmt::format("not a time: {}", argument), "2026-06-09T14:44:00Z");
  set_time(path, *time);
}

const Actions& content_actions() {
  static const Actions kActions{
      {"bytes", [](auto& path, auto& digits) { append(path, from_hex(digits)); }},
      {"fifo", make_fifo},
      {"folder", [](auto& path, auto&) { fs::create_directories(path); }},
      {"link", [](auto& path, auto& target) { fs::create_symlink(target, path); }},
      {"patch", patch},
      {"repeat", append_repeated},
      {"truncate", [](auto& path, auto& size) { fs::resize_file(path, number(size)); }},
  };
  return kActions;
}

const Actions& attribute_actions() {
  static const Actions kActions{
      {"mode", [](auto& path, auto& octal) { fs::permissions(path, fs::perms(number(octal, 8))); }},
      {"mtime", set_time_of},
  };
  return kActions;
}

Instruction parse(std::string_view line, std::size_t line_number) {
  const std::string verb(take_word(line));
  if (!content_actions().contains(verb) && !attribute_actions().contains(verb))
    throw Error(fmt::format("make.txt:{}: unknown word '{}'", line_number, verb));
  const fs::path path = fs::path(decoded(take_word(line))).lexically_normal();
  if (path.empty() || path.is_absolute() || *path.begin() == "..")
    throw Error(fmt::format("make.txt:{}: a path inside the home is needed", line_number));
  return {verb, path, decoded(line), line_number};
}

void apply(const Actions& actions, const std::vector<Instruction>& manifest, const fs::path& home) {
  for (const Instruction& instruction : manifest) {
    const auto action = actions.find(instruction.verb);
    if (action == actions.end()) continue;
    try {
      fs::create_directories((home / instruction.path).parent_path());
      action->second(home / instruction.path, instruction.argument);
    } catch (const std::exception& error) {
      throw Error(fmt::format("make.txt:{}: {}", instruction.line, error.what()));
    }
  }
}

}  // namespace

std::vector<Instruction> read_manifest(const fs::path& file) {
  std::vector<Instruction> manifest;
  std::ifstream in(file);
  std::size_t line_number = 0;
  for (std::string line; std::getline(in, line);) {
    ++line_number;
    if (!line.empty() && line.front() != '#') manifest.push_back(parse(line, line_number));
  }
  return manifest;
}

void apply_contents(const std::vector<Instruction>& manifest, const fs::path& home) {
  apply(content_actions(), manifest, home);
}

void apply_attributes(const std::vector<Instruction>& manifest, const fs::path& home) {
  apply(attribute_actions(), manifest, home);
}

}  // namespace cgrep::corpus
