// Dates against std::chrono, and the order of documents against a comparison
// that is written down criterion by criterion.
#include "documents/priority.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <optional>

#include "base/hash.h"
#include "twinset/plain_words.h"

namespace twinset {
namespace {

std::string Printed(const char* format, auto... values) {
  char text[64];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

TEST(ParseDate, EveryFormOfATimeIsItsSecond) {
  using std::chrono::sys_days, std::chrono::year, std::chrono::month,
      std::chrono::day;
  SplitMix64 random(1);
  for (int round = 0; round < 5000; ++round) {
    const int y = static_cast<int>(random.Below(10000));
    const unsigned m = 1 + static_cast<unsigned>(random.Below(12));
    const unsigned d = 1 + static_cast<unsigned>(random.Below(28));
    const int h = static_cast<int>(random.Below(24));
    const int minute = static_cast<int>(random.Below(60));
    const int s = static_cast<int>(random.Below(60));
    const int64_t days =
        (sys_days(year(y) / month(m) / day(d)) - sys_days()).count();
    const int64_t seconds = days * 86400 + h * 3600 + minute * 60 + s;
    const std::string date = Printed("%04d-%02u-%02u", y, m, d);
    const std::string time = Printed("%02d:%02d:%02d", h, minute, s);
    EXPECT_EQ(ParseDate(date), days * 86400) << date;
    for (const char* end : {"", "Z", "z", ".25Z", "+00:00", "-0000"})
      EXPECT_EQ(ParseDate(date + "T" + time + end), seconds) << date << end;
    EXPECT_EQ(ParseDate(date + " " + time + "+02:30"), seconds - 9000);
    EXPECT_EQ(ParseDate(date + "t" + time + "-0100"), seconds + 3600);
    EXPECT_EQ(ParseDate(date + "T" + time.substr(0, 5)), seconds - s);
    EXPECT_EQ(
        ParseDate(Printed("%04d%02u%02u%02d%02d%02d", y, m, d, h, minute, s)),
        seconds);
    const std::string digits =
        Printed("%04d%02u%02u%02d%02d", y, m, d, h, minute);
    EXPECT_EQ(ParseDate(digits), seconds - s);
    EXPECT_EQ(ParseDate(digits + "Z"), seconds - s);
    EXPECT_EQ(ParseDate(digits + Printed("%02d", s) + "123"), seconds);
  }
}

TEST(ParseDate, OtherTextsAreNoDates) {
  for (const char* text : {"",
                           "2020",
                           "2020-",
                           "2020-1-01",
                           "2020-13-01",
                           "2020-00-10",
                           "2020-01-00",
                           "2020-01-32",
                           "2020-01-01T",
                           "2020-01-01T25:00",
                           "2020-01-01T10:60",
                           "2020-01-01T10:00:61",
                           "2020-01-01T10:00+1",
                           "2020-01-01T10:00Zx",
                           "2020010203",
                           "20200102030",
                           "2020010203045",
                           "202001020304051",
                           "2020010203040512",
                           "202001020304051234",
                           "2020-01-01x",
                           "2020010",
                           "20200101x",
                           "today",
                           "-020-01-01"})
    EXPECT_EQ(ParseDate(text), kNoDate) << text;
}

// A document with all that priority may look at.
struct Made {
  DocumentInfo info;
  std::string source;
};

Made Random(SplitMix64* random) {
  const auto one_of = [&](std::initializer_list<const char*> texts) {
    return *(texts.begin() + random->Below(texts.size()));
  };
  Made made;
  Provenance& place = made.info.provenance;
  place.source = static_cast<uint32_t>(random->Below(3));
  place.ordinal = random->Below(3);
  place.url = one_of({"", "http://a/", "https://a/", "https://abc/", "x"});
  place.date = one_of({"", "2020-01-02", "1969-12-31T23:59:59Z", "yesterday",
                       "20200102030405"});
  made.info.fields = {"7",
                      one_of({"", "1", "-3.5", "1e300", "x", "-0", "0", "nan"}),
                      one_of({"2", "10", "-10"})};
  made.info.code_points = random->Below(4);
  made.source = one_of({"alpha", "beta", "alphabet"});
  made.info.canonical = random->Below(2) == 0   ? Canonical::kNone
                        : random->Below(2) == 0 ? Canonical::kSelf
                                                : Canonical::kOther;
  return made;
}

// What a criterion says of a document, smaller is better; empty: no value.
std::optional<double> Naive(const std::string& criterion, const Made& made) {
  const Provenance& place = made.info.provenance;
  const auto length = static_cast<double>(made.info.code_points);
  const auto number = [&](size_t field) -> std::optional<double> {
    const std::string& text = made.info.fields[field];
    if (text.empty() || text == "x" || text == "nan") return {};
    return std::stod(text);
  };
  const auto negative = [](std::optional<double> value) {
    return value ? std::optional(-*value) : std::nullopt;
  };
  const auto date = [&]() -> std::optional<double> {
    const int64_t seconds = ParseDate(place.date);
    if (seconds == kNoDate) return {};
    return static_cast<double>(seconds);
  };
  if (criterion == "prefer")  // beta, alpha*
    return made.source == "beta" ? 0 : 1;
  if (criterion == "longest") return -length;
  if (criterion == "shortest") return length;
  if (criterion == "first")
    return place.source * 1000.0 + static_cast<double>(place.ordinal);
  if (criterion == "newest") return negative(date());
  if (criterion == "oldest") return date();
  if (criterion == "max:f") return negative(number(1));
  if (criterion == "min:f") return number(1);
  if (criterion == "max:g") return negative(number(2));
  if (criterion == "canonical")
    return made.info.canonical != Canonical::kNone
               ? std::optional(made.info.canonical == Canonical::kSelf ? 0.0
                                                                       : 1.0)
               : std::nullopt;
  if (place.url.empty()) return {};
  if (criterion == "https") return place.url.starts_with("https:") ? 0 : 1;
  EXPECT_EQ(criterion, "shortest-url");
  return static_cast<double>(place.url.size());
}

// -1, 0 or 1: the first criterion that tells them apart; no value comes last.
int NaiveOrder(const std::vector<std::string>& criteria, const Made& a,
               const Made& b) {
  for (const std::string& criterion : criteria) {
    const auto x = Naive(criterion, a), y = Naive(criterion, b);
    if (x.has_value() != y.has_value()) return x ? -1 : 1;
    if (x && *x != *y) return *x < *y ? -1 : 1;
  }
  return 0;
}

uint64_t PreferenceOf(const PriorityOrder& order, const Made& made) {
  InputFile file;
  file.source = file.relative = file.path = made.source;
  return Preferences(order, {}).Of(file);
}

TEST(PriorityOrder, APathIsPreferredAsItWasGivenOrByItsName) {
  const auto place = [](const std::string& wanted, const std::string& path,
                        const std::string& source) {
    const auto order = PriorityOrder::Parse({}, {"none", wanted});
    EXPECT_TRUE(order);
    InputFile file;
    file.path = path;
    file.source = source;
    file.relative = NameText(path.substr(path.rfind('/') + 1));
    InputList files;
    files.Add(file);
    return Preferences(*order, files).Of(file);
  };
  for (const char* wanted : {"2024/*", "./2024/*", "*/x.jsonl", "x.jsonl",
                             "2024/x.jsonl", "2024/x.jsonl.gz"})
    EXPECT_EQ(place(wanted, "./2024/x.jsonl.gz", "x.jsonl"), 1u) << wanted;
  EXPECT_EQ(place("2024/*", "/data/2024/x.jsonl", "2024/x.jsonl"), 1u);
  EXPECT_EQ(place("/data/*", "/data/2024/x.jsonl", "2024/x.jsonl"), 1u);
  EXPECT_EQ(place("2023/*", "2024/x.jsonl", "2024/x.jsonl"), 2u);
  EXPECT_EQ(place("caf\\xe9", "d/caf\xe9", "caf\\xe9"), 1u);
}

TEST(PriorityOrder, ANameThatThereIsIsNoPattern) {
  InputList files;
  for (const char* path : {"d/a[1].jsonl", "d/a1.jsonl", "d/*.jsonl", "d/b"})
    files.Add(path, "d/", std::string_view(path).substr(2));
  const auto named_by = [&](const std::string& wanted) {
    const auto order = PriorityOrder::Parse({}, {wanted});
    EXPECT_TRUE(order);
    const Preferences preferences(*order, files);
    std::string named;
    for (const InputFile& file : files)
      if (preferences.Of(file) == 0) named += file.relative + " ";
    EXPECT_EQ(preferences.Idle().empty(), !named.empty());
    return named;
  };
  EXPECT_EQ(named_by("d/a[1].jsonl"), "a[1].jsonl ");
  EXPECT_EQ(named_by("./d/a[1].jsonl"), "a[1].jsonl ");
  EXPECT_EQ(named_by("d/*.jsonl"), "*.jsonl ");
  EXPECT_EQ(named_by("*/a[1].jsonl"), "a1.jsonl ");
  EXPECT_EQ(named_by("d/?*.jsonl"), "a[1].jsonl a1.jsonl *.jsonl ");
  EXPECT_EQ(named_by("a1.jsonl"), "");
  EXPECT_EQ(named_by(""), "");
}

TEST(PriorityOrder, KeysAreInTheOrderOfTheDefinition) {
  const std::vector<std::string> all = {
      "longest", "shortest",  "first",        "newest", "oldest",
      "https",   "canonical", "shortest-url", "max:f",  "min:f"};
  SplitMix64 random(2);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> keep, prefer;
    for (uint64_t i = random.Below(4); i > 0; --i)
      keep.push_back(all[random.Below(all.size())]);
    if (random.Below(2) == 0) prefer = {"beta", "alpha*"};
    std::vector<std::string> criteria = keep;
    if (!prefer.empty()) criteria.insert(criteria.begin(), "prefer");
    const auto order = PriorityOrder::Parse(keep, prefer);
    ASSERT_TRUE(order);
    EXPECT_EQ(order->Names(), criteria);
    for (const std::string& field : order->fields()) EXPECT_EQ(field, "f");
    // Behind a field of somebody else.
    const std::vector<size_t> places(order->fields().size(), 1);
    for (int pair = 0; pair < 60; ++pair) {
      const Made a = Random(&random), b = Random(&random);
      uint32_t missing = 0, missing_b = 0;
      const PriorityKeys x =
          order->Keys(a.info, PreferenceOf(*order, a), places, &missing);
      const PriorityKeys y =
          order->Keys(b.info, PreferenceOf(*order, b), places, &missing_b);
      const int expected = NaiveOrder(criteria, a, b);
      EXPECT_EQ(x < y ? -1 : x > y ? 1 : 0, expected);
      for (size_t i = 0; i < criteria.size(); ++i) {
        EXPECT_EQ((missing >> i & 1) != 0, !Naive(criteria[i], a))
            << criteria[i];
      }
    }
  }
}

TEST(PriorityOrder, EachFieldIsItsOwnColumn) {
  const auto order = PriorityOrder::Parse({"min:f", "max:g"}, {});
  ASSERT_TRUE(order);
  EXPECT_EQ(order->fields(), (std::vector<std::string>{"f", "g"}));
  const std::vector<size_t> places = {1, 2};
  SplitMix64 random(3);
  for (int pair = 0; pair < 2000; ++pair) {
    const Made a = Random(&random), b = Random(&random);
    uint32_t missing = 0;
    const PriorityKeys x =
        order->Keys(a.info, PreferenceOf(*order, a), places, &missing);
    const PriorityKeys y =
        order->Keys(b.info, PreferenceOf(*order, b), places, &missing);
    EXPECT_EQ(x < y ? -1 : x > y ? 1 : 0, NaiveOrder({"min:f", "max:g"}, a, b));
  }
}

TEST(PriorityOrder, WhatIsUnknownOrTooMuchIsRefused) {
  for (const char* name : {"", "Longest", "max:", "min:", "max", "field"}) {
    const auto order = PriorityOrder::Parse({"longest", name}, {});
    ASSERT_FALSE(order) << name;
    EXPECT_EQ(order.error().code, ErrorCode::kUsage);
    EXPECT_NE(order.error().message.find("'" + std::string(name) + "'"),
              std::string::npos);
  }
  const std::vector<std::string> most(kMaxPriorityKeys, "first");
  EXPECT_TRUE(PriorityOrder::Parse(most, {}));
  EXPECT_FALSE(PriorityOrder::Parse(most, {"a"}));
}

}  // namespace
}  // namespace twinset
