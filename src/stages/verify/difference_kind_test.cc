#include "verify/difference_kind.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

// Tokens of the tests: runs of letters, digits and bytes >= 0x80, with a dot
// between two of them kept.
struct Tokenised {
  explicit Tokenised(std::string t) : text(std::move(t)) {
    const auto is_word = [this](size_t i) {
      return i < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[i])) != 0 ||
              static_cast<unsigned char>(text[i]) >= 0x80);
    };
    for (size_t i = 0; i < text.size();) {
      if (!is_word(i)) {
        ++i;
        continue;
      }
      size_t end = i;
      while (is_word(end) || (text[end] == '.' && is_word(end + 1))) ++end;
      spans.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(end)});
      hashes.push_back(Hash64(std::string_view(text).substr(i, end - i)));
      i = end;
    }
  }
  TokenisedText view() const { return {text, spans, hashes}; }

  std::string text;
  std::vector<TextSpan> spans;
  std::vector<uint64_t> hashes;
};

std::string KindOf(const std::string& a, const std::string& b) {
  const Tokenised x(a), y(b);
  return std::string(ChoiceName(
      DifferenceOfPages({x.view(), {}, x.view()}, {y.view(), {}, y.view()})));
}

std::string Found(const std::vector<TextSpan>& spans, const std::string& text) {
  std::string out;
  for (const TextSpan& span : spans) {
    out += "[" + text.substr(span.begin, span.end - span.begin) + "]";
  }
  return out;
}
std::string Urls(const std::string& text) {
  return Found(FindUrls(text), text);
}
std::string Dates(const std::string& text) {
  return Found(FindDates(text), text);
}

TEST(TokenMarks, FindsUrls) {
  EXPECT_EQ(Urls("see http://a.b/c?d=e#f, or not"), "[http://a.b/c?d=e#f,]");
  EXPECT_EQ(Urls("(www.example.org/x)"), "[www.example.org/x)]");
  EXPECT_EQ(Urls("<ftp://h/>\"https://k\""), "[ftp://h/][https://k]");
  EXPECT_EQ(Urls("a :// b swww.c or :// "), "");
  EXPECT_EQ(Urls("http://a/http://b http://c"),
            "[http://a/http://b][http://c]");
  EXPECT_EQ(Urls(""), "");
  EXPECT_EQ(Urls("://"), "");
}

TEST(TokenMarks, FindsDatesAndTimes) {
  for (const char* whole : {"2026-11-21",
                            "2026/1/2",
                            "21.11.2026",
                            "11/21/26",
                            "11/21/2026",
                            "2026-11-21T06:43:01Z",
                            "2026-11-21 06:43:01.123+01:00",
                            "6:43",
                            "06:43:01",
                            "6:43 pm",
                            "6:43 PM EST",
                            "21 November 2026",
                            "21. November",
                            "November 21, 2026",
                            "Nov 21",
                            "November 2026",
                            "21st of March 2020",
                            "2. März 2020",
                            "Sunday",
                            "Fri, 21 Nov 2026",
                            "5 de mayo de 2020",
                            "21-Nov-2026"}) {
    EXPECT_EQ(Dates(whole), std::string("[") + whole + "]");
    EXPECT_EQ(Dates(std::string("on ") + whole + ", as said"),
              std::string("[") + whole + "]");
  }
  EXPECT_EQ(Dates("\xE4\xBA\x8E"  // a Han character before the number
                  "2026年11月21日止"),
            "[2026年][11月][21日]");
  EXPECT_EQ(Dates("21 November 2026 12:30:00 GMT"),
            "[21 November 2026][12:30:00 GMT]");
}

TEST(TokenMarks, WhatIsNoDate) {
  for (const char* text :
       {"1.74.0", "version 1.81", "2026", "it may rain", "march on", "25:00",
        "12:61", "32 November x", "2026-13-01", "1-2-3", "99/99/99", "sun and",
        "192.168.10.2022", "1.2.10", "a12:30", "12:30x", "the sat nav"}) {
    EXPECT_EQ(Dates(text), "") << text;
  }
}

TEST(TokenMarks, MarksWhatTouches) {
  const Tokenised text("at http://x.y/2020-01-02 on 2020-01-02 or 17");
  const auto marks = MarkTokens(text.text, text.spans);
  // at http x.y 2020 01 02 on 2020 01 02 or 17
  const std::vector<TokenMark> expected = {
      TokenMark::kWord, TokenMark::kUrl,  TokenMark::kUrl,  TokenMark::kUrl,
      TokenMark::kUrl,  TokenMark::kUrl,  TokenMark::kWord, TokenMark::kDate,
      TokenMark::kDate, TokenMark::kDate, TokenMark::kWord, TokenMark::kWord};
  EXPECT_EQ(marks, expected);
}

TEST(TokenMarks, HostileTextTakesLinearTime) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += "1:://www.may 1";
  const Tokenised tokens(text);
  EXPECT_EQ(MarkTokens(tokens.text, tokens.spans).size(), tokens.spans.size());
  std::string bytes;
  SplitMix64 random(3);
  for (int i = 0; i < 1000000; ++i) {
    bytes += static_cast<char>(random.Next() >> 56);
  }
  EXPECT_LE(FindDates(bytes).size(), bytes.size());
}

TEST(DifferenceOfPages, EachKind) {
  EXPECT_EQ(KindOf("a b c", "a, b; c!"), "identical text");
  EXPECT_EQ(KindOf("", ""), "identical text");
  EXPECT_EQ(KindOf("from http://a.org/x by me", "from http://b.com/y/z by me"),
            "only URLs");
  EXPECT_EQ(KindOf("at 12:30 on May 5, 2020 we", "at 9:15 on June 6, 2021 we"),
            "only dates and times");
  EXPECT_EQ(KindOf("seen 2020-01-02 by x", "seen by x"),
            "only dates and times");
  EXPECT_EQ(KindOf("version 1.74 of 3 parts", "version 1.81 of 4 parts"),
            "only numbers");
  EXPECT_EQ(KindOf("item a1 x", "item a2 x"), "only numbers");
  EXPECT_EQ(KindOf("a b c", "a x b c y"), "insertion");
  EXPECT_EQ(KindOf("a x b c y", "a b c"), "deletion");
  EXPECT_EQ(KindOf("", "a b"), "insertion");
  EXPECT_EQ(KindOf("a b", ""), "deletion");
  EXPECT_EQ(KindOf("a b c d e f", "d e f a b c"), "reordering");
  EXPECT_EQ(KindOf("a b c", "a x c"), "mixed");
  EXPECT_EQ(KindOf("all different", "nothing alike"), "mixed");
}

TEST(DifferenceOfPages, TheFirstKindThatFitsCounts) {
  // Dates are numbers too, a URL may hold a date, a date may be inserted.
  EXPECT_EQ(KindOf("on 2020-01-02", "on 2021-02-03"), "only dates and times");
  EXPECT_EQ(KindOf("at http://a/2020", "at http://a/2021"), "only URLs");
  EXPECT_EQ(KindOf("a 17 b", "a b"), "only numbers");
  EXPECT_EQ(KindOf("a http://x b 12:30 c", "a http://y b 12:31 c"), "mixed");
  // What is moved among the numbers is no number.
  EXPECT_EQ(KindOf("x 1 y 2", "1 x 2 y"), "only numbers");
  EXPECT_EQ(KindOf("x 1 y 2", "y 1 x 2"), "reordering");
  EXPECT_EQ(KindOf("http://x.y", ""), "deletion");
}

TEST(DifferenceOfPages, SidesChangePlaces) {
  SplitMix64 random(5);
  const char* words[] = {"a", "b", "1", "2", "12:30", "http://x", "May 5"};
  for (int run = 0; run < 3000; ++run) {
    std::string x, y;
    for (int i = 0; i < 6; ++i) {
      x += std::string(words[random.Below(7)]) + " ";
      if (random.Below(3) != 0) y += std::string(words[random.Below(7)]) + " ";
    }
    std::string forth = KindOf(x, y), back = KindOf(y, x);
    if (back == "insertion") {
      back = "deletion";
    } else if (back == "deletion") {
      back = "insertion";
    }
    EXPECT_EQ(forth, back) << x << " | " << y;
  }
}

DifferenceKind PageKind(const std::string& main_a, const std::string& frame_a,
                        const std::string& main_b, const std::string& frame_b,
                        bool compare_main) {
  const Tokenised xm(main_a), xa(frame_a + " " + main_a);
  const Tokenised ym(main_b), ya(frame_b + " " + main_b);
  return DifferenceOfPages(
      {compare_main ? xm.view() : xa.view(), xm.view(), xa.view()},
      {compare_main ? ym.view() : ya.view(), ym.view(), ya.view()});
}

TEST(DifferenceOfPages, Boilerplate) {
  for (const bool compare_main : {false, true}) {
    EXPECT_EQ(
        PageKind("a b c", "home news", "a b c", "start about us", compare_main),
        DifferenceKind::kBoilerplate);
    EXPECT_EQ(PageKind("a b c", "home", "a b c", "home", compare_main),
              DifferenceKind::kIdentical);
    // What differs around the content is only a date: that says more.
    EXPECT_EQ(
        PageKind("a b c", "seen 12:30", "a b c", "seen 12:31", compare_main),
        DifferenceKind::kDates);
  }
  // The content differs by an insertion; whether the frame is seen decides.
  EXPECT_EQ(PageKind("a b c", "home news", "a b x c", "start about", true),
            DifferenceKind::kInsertion);
  EXPECT_EQ(PageKind("a b c", "home news", "a b x c", "start about", false),
            DifferenceKind::kMixed);
  // No main content in either: nothing that could be the same.
  EXPECT_EQ(PageKind("", "home news", "", "start about", false),
            DifferenceKind::kMixed);
}

}  // namespace
}  // namespace twinset
