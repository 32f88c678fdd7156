// corpus-make SOURCE DIR: makes the home that the folder SOURCE describes at DIR.

#include <exception>
#include <iostream>

#include "corpus/make_home.h"
#include "error.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: corpus-make SOURCE DIR\n";
    return 2;
  }
  try {
    cgrep::corpus::make_home(argv[1], argv[2]);
    return 0;
  } catch (const cgrep::Error& error) {
    std::cerr << "corpus-make: " << error.what() << '\n';
    if (!error.hint().empty()) std::cerr << "hint: " << error.hint() << '\n';
  } catch (const std::exception& error) {
    std::cerr << "corpus-make: " << error.what() << '\n';
  }
  return 2;
}
