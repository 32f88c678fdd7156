// Variables of the environment that make the preloaded faults.cc act in a program under test.
// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace cgrep::test {

using Variables = std::map<std::string, std::string>;

/// What every program with faults needs. Sanitizers want to come first and need not.
inline Variables with_faults(Variables more) {
  more["LD_PRELOAD"] = CGREP_FAULTS;
  more["ASAN_OPTIONS"] = "verify_asan_link_order=0:detect_leaks=0";
  return more;
}

/// Gets a signal at the N-th call that changes a file; a write is done by half.
inline Variables killed_at(std::int64_t call, int signal = SIGKILL) {
  return with_faults(
      {{"FAULTS_KILL_AT", std::to_string(call)}, {"FAULTS_KILL_WITH", std::to_string(signal)}});
}

/// From the N-th call on that changes a file, none that would take room succeeds.
inline Variables failing_at(std::int64_t call, int error) {
  return with_faults(
      {{"FAULTS_FAIL_AT", std::to_string(call)}, {"FAULTS_FAIL_WITH", std::to_string(error)}});
}

/// Locks fail with this error.
inline Variables without_locks(int error) {
  return with_faults({{"FAULTS_LOCK_ERROR", std::to_string(error)}});
}

/// Every file lies on a file system of this type (statfs).
inline Variables on_file_system(std::int64_t type) {
  return with_faults({{"FAULTS_FILE_SYSTEM", std::to_string(type)}});
}

/// The clock is so many seconds ahead.
inline Variables with_clock(std::int64_t seconds) {
  return with_faults({{"FAULTS_CLOCK", std::to_string(seconds)}});
}

/// Counts calls that change files, in a file of the test's.
class CallCounter {
 public:
  explicit CallCounter(std::filesystem::path file);
  Variables variables() const { return with_faults({{"FAULTS_COUNTER", file_.string()}}); }
  std::int64_t count() const;

 private:
  std::filesystem::path file_;
};

}  // namespace cgrep::test
