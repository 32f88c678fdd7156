// Dates, in the time zones where they are tricky.
// SPDX-License-Identifier: MIT
#include "query/dates.h"

#include <cstdlib>
#include <ctime>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "error.h"

namespace cgrep {
namespace {

constexpr std::int64_t kHour = 3'600'000;
constexpr std::int64_t kDay = 24 * kHour;

class TempZone {
 public:
  explicit TempZone(const char* zone) {
    if (const char* before = std::getenv("TZ")) before_ = before;
    set(zone);
  }
  ~TempZone() { set(before_.empty() ? nullptr : before_.c_str()); }
  TempZone(const TempZone&) = delete;
  TempZone& operator=(const TempZone&) = delete;

 private:
  static void set(const char* zone) {
    if (zone == nullptr) {
      unsetenv("TZ");
    } else {
      setenv("TZ", zone, 1);
    }
    tzset();
  }

  std::string before_{};
};

std::int64_t utc(int year, int month, int day, int hour = 0, int minute = 0, int second = 0) {
  std::tm fields{};
  fields.tm_year = year - 1900;
  fields.tm_mon = month - 1;
  fields.tm_mday = day;
  fields.tm_hour = hour;
  fields.tm_min = minute;
  fields.tm_sec = second;
  return static_cast<std::int64_t>(timegm(&fields)) * 1000;
}

const std::int64_t kNow = utc(2026, 8, 19, 15, 30, 12);  // a Wednesday

TEST(DatesTest, ADateNamesItsSpan) {
  const TempZone zone("UTC");
  EXPECT_EQ(parse_date("2026", kNow), (DateSpan{utc(2026, 1, 1), utc(2027, 1, 1)}));
  EXPECT_EQ(parse_date("2026-12", kNow), (DateSpan{utc(2026, 12, 1), utc(2027, 1, 1)}));
  EXPECT_EQ(parse_date("2026-08-31", kNow), (DateSpan{utc(2026, 8, 31), utc(2026, 9, 1)}));
  EXPECT_EQ(parse_date("2026-08-01T10:00", kNow),
            (DateSpan{utc(2026, 8, 1, 10, 0), utc(2026, 8, 1, 10, 1)}));
  EXPECT_EQ(parse_date("2026-08-01 10:00:05", kNow),
            (DateSpan{utc(2026, 8, 1, 10, 0, 5), utc(2026, 8, 1, 10, 0, 6)}));
  EXPECT_EQ(parse_date("2026-08-01T10:00:05.25", kNow),
            (DateSpan{utc(2026, 8, 1, 10, 0, 5) + 250, utc(2026, 8, 1, 10, 0, 5) + 260}));
  EXPECT_EQ(parse_date("2026-08-01T10:00:05.123456Z", kNow),
            (DateSpan{utc(2026, 8, 1, 10, 0, 5) + 123, utc(2026, 8, 1, 10, 0, 5) + 124}));
}

TEST(DatesTest, AZoneOverridesTheLocalOne) {
  const TempZone zone("America/New_York");
  EXPECT_EQ(parse_date("2026-08-01T10:00Z", kNow).begin_ms, utc(2026, 8, 1, 10, 0));
  EXPECT_EQ(parse_date("2026-08-01T10:00+02:00", kNow).begin_ms, utc(2026, 8, 1, 8, 0));
  EXPECT_EQ(parse_date("2026-08-01T10:00:00-0530", kNow).begin_ms, utc(2026, 8, 1, 15, 30));
  EXPECT_EQ(parse_date("2026-08-01T10:00", kNow).begin_ms, utc(2026, 8, 1, 14, 0));
}

TEST(DatesTest, DaysAreLocalAndMayHave23Or25Hours) {
  const TempZone zone("Europe/Berlin");
  EXPECT_EQ(parse_date("2026-03-29", kNow), (DateSpan{utc(2026, 3, 28, 23), utc(2026, 3, 29, 22)}));
  EXPECT_EQ(parse_date("2026-10-25", kNow),
            (DateSpan{utc(2026, 10, 24, 22), utc(2026, 10, 25, 23)}));
  EXPECT_EQ(parse_date("2026-03", kNow), (DateSpan{utc(2026, 2, 28, 23), utc(2026, 3, 31, 22)}));
  EXPECT_EQ(parse_date("2026-08-01", kNow).begin_ms, utc(2026, 7, 31, 22));
}

TEST(DatesTest, DaysAgoKeepTheClockAcrossTheChangeOfTime) {
  const TempZone zone("Europe/Berlin");
  const std::int64_t noon = utc(2026, 3, 30, 10);  // 12:00 summer time
  EXPECT_EQ(parse_date("2d", noon).begin_ms, utc(2026, 3, 28, 11));
  EXPECT_EQ(parse_date("48h", noon).begin_ms, noon - 48 * kHour);
}

TEST(DatesTest, ATimeAgoIsAMoment) {
  const TempZone zone("UTC");
  const auto ago = [](std::string_view text) {
    const DateSpan date = parse_date(text, kNow);
    EXPECT_EQ(date.begin_ms, date.end_ms);
    return date.begin_ms;
  };
  EXPECT_EQ(ago("now"), kNow);
  EXPECT_EQ(ago("0d"), kNow);
  EXPECT_EQ(ago("90min"), kNow - 90 * 60'000);
  EXPECT_EQ(ago("2h"), kNow - 2 * kHour);
  EXPECT_EQ(ago("3d"), kNow - 3 * kDay);
  EXPECT_EQ(ago("2w"), kNow - 14 * kDay);
  EXPECT_EQ(ago("6mo"), utc(2026, 2, 19, 15, 30, 12));
  EXPECT_EQ(ago("8MO"), utc(2025, 12, 19, 15, 30, 12));
  EXPECT_EQ(ago("1y"), utc(2025, 8, 19, 15, 30, 12));
}

TEST(DatesTest, MonthsAgoStopAtTheEndOfAShortMonth) {
  const TempZone zone("UTC");
  EXPECT_EQ(parse_date("1mo", utc(2026, 3, 31, 12)).begin_ms, utc(2026, 2, 28, 12));
  EXPECT_EQ(parse_date("1y", utc(2028, 2, 29, 12)).begin_ms, utc(2027, 2, 28, 12));
}

TEST(DatesTest, DaysHaveNames) {
  const TempZone zone("America/New_York");
  const std::int64_t late = utc(2026, 8, 20, 2);  // still Wednesday there
  EXPECT_EQ(parse_date("today", late), (DateSpan{utc(2026, 8, 19, 4), utc(2026, 8, 20, 4)}));
  EXPECT_EQ(parse_date("Yesterday", late), (DateSpan{utc(2026, 8, 18, 4), utc(2026, 8, 19, 4)}));
  EXPECT_EQ(parse_date("monday", late).begin_ms, utc(2026, 8, 17, 4));
  EXPECT_EQ(parse_date("wed", late), parse_date("today", late));
  EXPECT_EQ(parse_date("thursday", late).begin_ms, utc(2026, 8, 13, 4));
}

TEST(DatesTest, LeapDaysExistInLeapYearsOnly) {
  const TempZone zone("UTC");
  EXPECT_EQ(parse_date("2028-02-29", kNow), (DateSpan{utc(2028, 2, 29), utc(2028, 3, 1)}));
  EXPECT_THROW(parse_date("2026-02-29", kNow), Error);
  EXPECT_THROW(parse_date("2100-02-29", kNow), Error);
}

TEST(DatesTest, WhatIsNoDateIsRefusedWithTheFormsThatAre) {
  const TempZone zone("UTC");
  for (const char* text : {"",
                           "x",
                           "2026-02-30",
                           "2026-13",
                           "2026-00-01",
                           "2026-8",
                           "2026-08-01T",
                           "2026-08-01T24:00",
                           "2026-08-01T10",
                           "2026-08-01T10:60",
                           "2026-08-01T10:00:60",
                           "2026-08-01T10:00:05.",
                           "2026-08-01T10:00X",
                           "2026-08-01T10:00+2",
                           "2026-08-01Z",
                           "202",
                           "20260801",
                           "3m",
                           "d",
                           "3 d",
                           "-3d",
                           "999999d",
                           "1969",
                           "tod",
                           "2026-08-01T10:00ZZ"})
    EXPECT_THROW(parse_date(text, kNow), Error) << text;
  try {
    parse_date("soon", kNow);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "bad date: soon");
    EXPECT_NE(error.hint().find("2026-08-01"), std::string::npos);
  }
}

TEST(DatesTest, RangesMayBeOpen) {
  const TempZone zone("UTC");
  EXPECT_EQ(parse_date_range("2026-08..2026-09", kNow),
            (DateRange{utc(2026, 8, 1), utc(2026, 10, 1)}));
  EXPECT_EQ(parse_date_range("2026-08..", kNow), (DateRange{utc(2026, 8, 1), std::nullopt}));
  EXPECT_EQ(parse_date_range("..yesterday", kNow), (DateRange{std::nullopt, utc(2026, 8, 19)}));
  EXPECT_EQ(parse_date_range("2026", kNow), (DateRange{utc(2026, 1, 1), utc(2027, 1, 1)}));
  EXPECT_EQ(parse_date_range("3d", kNow), (DateRange{kNow - 3 * kDay, std::nullopt}));
  EXPECT_EQ(parse_date_range("3d..1d", kNow), (DateRange{kNow - 3 * kDay, kNow - kDay}));
  EXPECT_THROW(parse_date_range("..", kNow), Error);
  EXPECT_THROW(parse_date_range("", kNow), Error);
  EXPECT_THROW(parse_date_range("2026-09..2026-08", kNow), Error);
  EXPECT_THROW(parse_date_range("2026...2027", kNow), Error);
}

TEST(DatesTest, AnyBytesAreADateOrAnError) {
  const TempZone zone("Europe/Berlin");
  std::mt19937 random(3);
  const std::string letters = "0123456789-:TZ+. dhwmoyin2026";
  for (int i = 0; i < 20000; ++i) {
    std::string text = random() % 2 == 0 ? "2026-0" : "";
    for (std::size_t n = random() % 16; n > 0; --n)
      text += random() % 10 == 0 ? static_cast<char>(random()) : letters[random() % letters.size()];
    try {
      const DateSpan date = parse_date(text, kNow);
      EXPECT_LE(date.begin_ms, date.end_ms) << text;
      parse_date_range(text, kNow);
    } catch (const Error&) {
      // that is what errors are for
    }
  }
}

}  // namespace
}  // namespace cgrep
