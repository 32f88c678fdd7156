#include "extract/times.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace cgrep {
namespace {

constexpr std::int64_t kMoment = 1772438700000;  // 2026-03-02T08:05:00Z
constexpr auto kNone = std::optional<std::int64_t>();

TEST(TimesTest, TellsMillisecondsFromSecondsFromNoTime) {
  EXPECT_EQ(time_from_number(1772438700000), kMoment);
  EXPECT_EQ(time_from_number(1772438700), kMoment);
  EXPECT_EQ(time_from_number(1772438700.25), kMoment + 250);
  for (const double none : {0.0, -1.0, 812.4, 1e12, 5e11, 1.7e15, std::nan(""),
                            std::numeric_limits<double>::infinity()})
    EXPECT_EQ(time_from_number(none), kNone) << none;
}

TEST(TimesTest, ReadsRfc3339) {
  EXPECT_EQ(parse_rfc3339("2026-03-02T08:05:00Z"), kMoment);
  EXPECT_EQ(parse_rfc3339("2026-03-02t08:05:00.296z"), kMoment + 296);
  EXPECT_EQ(parse_rfc3339("2026-03-02T08:05:00.2967891Z"), kMoment + 296);
  EXPECT_EQ(parse_rfc3339("2026-03-02T13:35:00+05:30"), kMoment);
  EXPECT_EQ(parse_rfc3339("2026-03-02T04:05:00-04:00"), kMoment);
  EXPECT_EQ(parse_rfc3339("2026-03-02 08:05:00"), kMoment);
  EXPECT_FALSE(parse_rfc3339("1969-12-31T23:59:59Z"));
  EXPECT_FALSE(parse_rfc3339("9999-12-31T23:59:59-12:00"));
  EXPECT_FALSE(parse_commit_time("Tue Jun 9 1000"));
}

TEST(TimesTest, RefusesWhatIsNoRfc3339) {
  for (const char* text : {"", "2026", "2026-03-02", "2026-13-02T08:05:00Z", "2026-02-30T08:05:00Z",
                           "2026-03-02T24:05:00Z", "2026-03-02T08:05:00Zx", "2026-03-02T08:05:00+",
                           "2026-3-2T08:05:00Z", "soon"})
    EXPECT_EQ(parse_rfc3339(text), kNone) << text;
}

TEST(TimesTest, ReadsDigitsInStrings) {
  EXPECT_EQ(parse_time("1772438700000"), kMoment);
  EXPECT_EQ(parse_time(" 1772438700 "), kMoment);
  EXPECT_EQ(parse_time("2026-03-02T08:05:00Z"), kMoment);
  for (const char* text : {"", "0", "-1772438700000", "12 monkeys", "nan"})
    EXPECT_EQ(parse_time(text), kNone) << text;
}

TEST(TimesTest, ReadsTimesOfCommits) {
  for (const char* text :
       {"Mon, 2 Mar 2026 10:05:00 +0200", "Mon, 02 Mar 2026 08:05:00 GMT", "2 Mar 2026 08:05:00",
        "Mon Mar 2 10:05:00 2026 +0200", "Mon Mar  2 04:05:00 2026 -0400",
        "2026-03-02 10:05:00 +0200", "2026-03-02T08:05:00Z", "2026-03-02T10:05:00+02:00",
        "1772438700", " Mon, 2 Mar 2026 10:05:00 +0200 (EET)\n"})
    EXPECT_EQ(parse_commit_time(text), kMoment) << text;
  for (const char* text :
       {"", "Mon", "Mon, 31 Feb 2026 10:05:00 +0200", "Mon, 2 Mar 2026", "Mon Mar 2 10:05 soon",
        "Mon, 2 Mar 2026 10:05:00 +0200 x", "Mon, 2 Mar 2026 10:05:00 (", "2026-03-02"})
    EXPECT_EQ(parse_commit_time(text), kNone) << text;
}

TEST(TimesTest, ReadsTags) {
  for (const char* text :
       {"Monday, Mar 2, 2026, 8:05 AM (UTC+0)", "Mar 2, 2026, 8:05 AM (UTC+0)",
        "Monday, March 2, 2026, 08:05 AM (UTC)", "Monday, Mar 2, 2026, 4:05 AM (UTC-4)",
        "Monday, Mar 2, 2026, 1:35 PM (UTC+5:30)", "Monday, Mar 2, 2026, 1:35 PM (UTC+05:30)",
        "Monday, Mar 2, 2026, 8:05\u202FAM (UTC+0)", "Monday Mar 2 2026 8:05 am",
        "\n Monday, Mar 2, 2026, 8:05 AM (UTC+0) \n", "Sunday, Mar 1, 2026, 11:05 PM (UTC\u22129)",
        "Mar 2, 2026, 08:05 (UTC+0)", "Mar 2, 2026, 8:05:00 AM (GMT+0)"})
    EXPECT_EQ(parse_tag_time(text), kMoment) << text;
}

TEST(TimesTest, KnowsNoonAndMidnight) {
  constexpr std::int64_t kMidnight = kMoment - (8 * 60 + 5) * 60'000;
  EXPECT_EQ(parse_tag_time("Mar 2, 2026, 12:00 AM (UTC+0)"), kMidnight);
  EXPECT_EQ(parse_tag_time("Mar 2, 2026, 12:00 PM (UTC+0)"), kMidnight + 12 * 3'600'000);
  EXPECT_EQ(parse_tag_time("Mar 2, 2026, 12:59 PM (UTC+0)"), kMidnight + (12 * 60 + 59) * 60'000);
}

TEST(TimesTest, RefusesWhatIsNoTag) {
  for (const char* text : {"", "yesterday", "Mon 2, 2026, 8:05 AM", "Feb 30, 2026, 8:05 AM (UTC+0)",
                           "Mar 2, 2026", "Mar 2, 2026, 13:05 PM (UTC+0)", "Mar 2, 2026, 8:75 AM",
                           "Mar 2, 2026, 8:05 AM (UTC+99)", "Mar 2, 2026, 8:05 AM (Mars)",
                           "Mar 2, 2026, 8:05 AM (UTC+0) or so", "Mar 2, 2026, 8:05 XM (UTC+0)"})
    EXPECT_EQ(parse_tag_time(text), kNone) << text;
}

TEST(TimesTest, TakesTheNoonOfADay) {
  constexpr std::int64_t kNoon = 1772452800000;
  EXPECT_EQ(parse_day("Monday Mar 2, 2026"), kNoon);
  EXPECT_EQ(parse_day("Monday, March 2, 2026"), kNoon);
  EXPECT_EQ(parse_day("2026-03-02"), kNoon);
  EXPECT_EQ(parse_day("today"), kNone);
  EXPECT_EQ(parse_day(""), kNone);
}

}  // namespace
}  // namespace cgrep
