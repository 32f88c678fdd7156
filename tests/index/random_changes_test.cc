// Whatever changes, in whatever order: what was read step by step equals what is read at once.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "index/index_dump.h"
#include "index/living_home.h"
#include "index/passing_time.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::strtoull(value, nullptr, 10) : otherwise;
}

/// One home, some steps; what differs at the first check that fails, and what was done until then.
std::string play(std::uint64_t seed, int steps) {
  const TempDir dir;
  const auto home = dir.path() / "home";
  LivingHome living(home, seed);
  Aging aging;
  std::string done;
  for (int step = 1; step <= steps; ++step) {
    const auto name = living.step();
    done += fmt::format("{} {}\n", step, name);
    if (step % 3 != 0) continue;
    const bool check = step % 15 == 0 || step == steps;
    if (check && step > 3) let_a_day_pass(dir.path() / "index");
    if (check) living.tick();
    if (step % 2 == 0) aging.age(home);
    index_all(home, dir.path() / "index");
    if (!check) continue;
    const auto fresh = dir.path() / fmt::format("fresh{}", step);
    index_all(home, fresh);
    const auto differs = difference(dir.path() / "index", fresh);
    if (!differs.empty()) return fmt::format("seed {}, after\n{}{}", seed, done, differs);
    fs::remove_all(fresh);
  }
  return {};
}

// CGREP_SOAK_SECONDS lets it go on for longer, CGREP_SEED begins elsewhere.
TEST(RandomChangesTest, StepByStepEqualsAtOnce) {
  const auto end = Clock::now() + std::chrono::seconds(setting("CGREP_SOAK_SECONDS", 0));
  const auto first = setting("CGREP_SEED", 1);
  const auto steps = static_cast<int>(setting("CGREP_STEPS", 150));
  for (auto seed = first; seed < first + 3 || Clock::now() < end; ++seed) {
    SCOPED_TRACE(fmt::format("CGREP_SEED={}", seed));
    const auto differs = play(seed, steps);
    if (!differs.empty()) FAIL() << differs;
  }
}

}  // namespace
}  // namespace cgrep::test
