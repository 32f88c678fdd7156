// cgrep-generate: writes the man page and the completion scripts while cgrep is built.
//   cgrep-generate man TEMPLATE OUTPUT
//   cgrep-generate SHELL OUTPUT
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "cli/commands.h"
#include "cli/generate.h"

namespace {

std::string read(const char* path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw cgrep::Error(std::string("cannot read ") + path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write(const char* path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  if (!(out << text)) throw cgrep::Error(std::string("cannot write ") + path);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto commands = cgrep::declare_commands();
    if (argc == 4 && std::string(argv[1]) == "man")
      write(argv[3], cgrep::man_page(read(argv[2]), commands));
    else if (argc == 3)
      write(argv[2], cgrep::completion_script(argv[1], commands));
    else
      throw cgrep::Error("usage: cgrep-generate man TEMPLATE OUTPUT | SHELL OUTPUT");
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "cgrep-generate: " << error.what() << '\n';
    return 1;
  }
}
