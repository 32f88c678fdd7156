// cgrep-generate: writes the man pages and the completion scripts while cgrep is built.
//   cgrep-generate man PROSE-FOLDER OUTPUT-FOLDER
//   cgrep-generate SHELL OUTPUT
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "cli/commands.h"
#include "cli/generate.h"

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw cgrep::Error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  if (!(out << text)) throw cgrep::Error("cannot write " + path.string());
}

// Pages go into man1, man5 and man7; those of commands that are no more are removed.
void write_pages(const fs::path& prose, const fs::path& folder,
                 std::span<const cgrep::DeclaredCommand> commands) {
  for (const char* section : {"man1", "man5", "man7"}) {
    fs::remove_all(folder / section);
    fs::create_directories(folder / section);
  }
  for (const auto& entry : fs::directory_iterator(prose)) {
    const fs::path page = entry.path().stem();  // cgrep.1 of cgrep.1.in
    if (entry.path().extension() == ".in")
      write(folder / ("man" + page.extension().string().substr(1)) / page,
            cgrep::man_page(read(entry.path()), commands));
  }
  for (const auto& command : commands) {
    if (!cgrep::has_page(*command.command)) continue;
    const std::string name(command.command->name);
    const fs::path own = prose / (name + ".prose");
    write(folder / "man1" / ("cgrep-" + name + ".1"),
          cgrep::command_page(command, fs::exists(own) ? read(own) : std::string()));
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto commands = cgrep::declare_commands();
    if (argc == 4 && std::string(argv[1]) == "man")
      write_pages(argv[2], argv[3], commands);
    else if (argc == 3)
      write(argv[2], cgrep::completion_script(argv[1], commands));
    else
      throw cgrep::Error("usage: cgrep-generate man PROSE-FOLDER OUTPUT-FOLDER | SHELL OUTPUT");
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "cgrep-generate: " << error.what() << '\n';
    return 1;
  }
}
