#include "cli/times.h"

#include <cstdlib>
#include <ctime>

#include <gtest/gtest.h>

namespace cgrep {
namespace {

TEST(TimesTest, ProgramsGetUtcWithMilliseconds) {
  EXPECT_EQ(iso_time(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(iso_time(1785579725123), "2026-08-01T10:22:05.123Z");
  EXPECT_EQ(iso_time(-1), "1969-12-31T23:59:59.999Z");
}

TEST(TimesTest, PeopleSeeWhatIsInferred) {
  setenv("TZ", "UTC", 1);
  tzset();
  EXPECT_EQ(local_time(Time{1785579725123, TimeOrigin::tag}), "2026-08-01 10:22");
  EXPECT_EQ(local_time(Time{1785579725123, TimeOrigin::mtime}), "~2026-08-01 10:22");
  EXPECT_EQ(local_time(std::nullopt), "");
}

}  // namespace
}  // namespace cgrep
