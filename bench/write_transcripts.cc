// Transcripts: a line per message, user messages with their <timestamp>, files with their time.

#include <array>
#include <cerrno>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "bench/writer.h"

namespace cgrep::bench {
namespace {

namespace fs = std::filesystem;

void save(const fs::path& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), std::ssize(bytes));
  if (!out.flush()) throw std::system_error(errno, std::generic_category(), path.string());
}

void set_time(const fs::path& path, std::chrono::sys_seconds time) {
  const timespec moment{.tv_sec = time.time_since_epoch().count(), .tv_nsec = 0};
  const std::array times{moment, moment};
  utimensat(AT_FDCWD, path.c_str(), times.data(), 0);
}

/// `Tuesday, Jun 9, 2026, 2:44 PM (UTC+0)`.
std::string tag(std::chrono::sys_seconds time) {
  const std::tm parts = fmt::gmtime(time.time_since_epoch().count());
  const int hour = parts.tm_hour % 12 == 0 ? 12 : parts.tm_hour % 12;
  return fmt::format("{:%A, %b} {}, {:%Y}, {}:{:%M} {} (UTC+0)", parts, parts.tm_mday, parts, hour,
                     parts, parts.tm_hour < 12 ? "AM" : "PM");
}

void append_block(std::string& out, const Message& message) {
  if (message.kind == Kind::tool) {
    out += R"({"type":"tool_use","name":")" + message.tool + R"(","input":{")";
    out += main_argument(message.tool);
    out += "\":";
    append_json_string(out, message.text);
    out += "}}";
    return;
  }
  if (message.kind == Kind::result) {
    out += R"({"type":"tool_result","name":")" + message.tool + R"(","content":)";
    append_json_string(out, message.text);
    out += '}';
    return;
  }
  out += R"({"type":"text","text":)";
  if (message.kind == Kind::assistant) {
    append_json_string(out, message.text);
  } else {
    append_json_string(out, "<timestamp>" + tag(message.time) + "</timestamp>\n<user_query>\n" +
                                message.text + "\n</user_query>");
  }
  out += '}';
}

/// A tool call shares the line of the text before it, as the agent said both at once, and its
/// result that of the call.
std::string lines(const Conversation& conversation) {
  std::string out;
  const Message* before = nullptr;
  for (const Message& message : conversation.messages) {
    const bool joins =
        before != nullptr && ((before->kind == Kind::assistant && message.kind == Kind::tool) ||
                              (before->kind == Kind::tool && message.kind == Kind::result));
    if (before != nullptr && !joins) out += "]}}\n";
    if (before != nullptr && message.kind == Kind::user)
      out += "{\"type\":\"turn_ended\",\"status\":\"success\"}\n";
    out += joins                        ? ","
           : message.kind == Kind::user ? R"({"role":"user","message":{"content":[)"
                                        : R"({"role":"assistant","message":{"content":[)";
    append_block(out, message);
    before = &message;
  }
  return out + "]}}\n";
}

class TranscriptsWriter : public Writer {
 public:
  explicit TranscriptsWriter(const fs::path& home) : projects_(home / ".cursor/projects") {}

  void write(const Conversation& conversation) override {
    const fs::path folder = project_folder(conversation.project) / conversation.id;
    fs::create_directories(folder);
    write_file(folder / (conversation.id + ".jsonl"), conversation);
    for (const Conversation& child : conversation.subagents) {
      fs::create_directories(folder / "subagents");
      write_file(folder / "subagents" / (child.id + ".jsonl"), child);
    }
  }

 private:
  static void write_file(const fs::path& path, const Conversation& conversation) {
    save(path, lines(conversation));
    set_time(path, conversation.messages.back().time);
  }

  fs::path project_folder(const std::string& project) {
    const fs::path folder = projects_ / slug_of(project);
    if (known_.insert(project).second) {
      fs::create_directories(folder);
      save(folder / ".workspace-trusted", fmt::format("{{\"workspacePath\":\"{}\"}}\n", project));
    }
    return folder / "agent-transcripts";
  }

  fs::path projects_;
  std::set<std::string> known_;
};

}  // namespace

std::string slug_of(std::string path) {
  for (char& c : path)
    if (c == '/') c = '-';
  return path.substr(1);
}

std::string_view main_argument(std::string_view tool) {
  if (tool == "Shell") return "command";
  if (tool == "Write") return "contents";
  return tool == "StrReplace" ? "new_string" : "path";
}

std::unique_ptr<Writer> transcripts_writer(const fs::path& home) {
  return std::make_unique<TranscriptsWriter>(home);
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

}  // namespace cgrep::bench
