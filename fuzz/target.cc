#include "fuzz/target.h"

namespace cgrep::fuzz {

std::map<std::string, Target>& targets() {
  static std::map<std::string, Target> all;
  return all;
}

}  // namespace cgrep::fuzz
