#include "text/page/language.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <thread>
#include <vector>

namespace twinset {
namespace {

constexpr std::string_view kGerman =
    "Am Abend sitzt der Wärter des Leuchtturms am Fenster, zählt die Schiffe, "
    "die durch die Bucht fahren, und schreibt ihre Namen in ein großes Buch. ";
constexpr std::string_view kEnglish =
    "In the evening the keeper of the lighthouse sits at the window, counts "
    "the ships that pass the bay, and writes their names in a large book. ";
constexpr std::string_view kChinese =
    "傍晚，灯塔看守人坐在窗边，数着经过海湾的船只，把它们的名字写进簿子里。";

std::string Language(std::string_view text, std::string_view declared = "") {
  return IdentifyLanguage(text, declared).code;
}

std::string Repeated(std::string_view text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(LanguageTest, SaysWhatATextIsIn) {
  EXPECT_EQ(Language(kGerman), "de");
  EXPECT_EQ(Language(kEnglish), "en");
  EXPECT_EQ(Language(kChinese), "zh");
  EXPECT_GE(IdentifyLanguage(kGerman, "").share_percent, 90);
}

TEST(LanguageTest, IsUnsureOfWhatIsShortOrNoLanguage) {
  for (const std::string_view text :
       {"", "Hello", "OK", "北京", "12345 67890", "aa bb cc 123 456",
        "asdf qwer zxcv uiop hjkl", "http://example.com/a/b?x=y", "\n\n\n"}) {
    const LanguageGuess guess = IdentifyLanguage(text, "");
    EXPECT_EQ(guess.code, kUnknownLanguage) << text;
    EXPECT_EQ(guess.share_percent, 0) << text;
  }
}

TEST(LanguageTest, WhatThePageDeclaresNeverOutweighsTheText) {
  for (const std::string_view declared :
       {"en", "en-US", "zh", "de", "", "xx", "\xFF\x01", "a,b,c,d,e,f,g"}) {
    EXPECT_EQ(Language(kGerman, declared), "de") << declared;
    EXPECT_EQ(Language(kEnglish, declared), "en") << declared;
    EXPECT_EQ(Language("12 34", declared), "und") << declared;
  }
}

TEST(LanguageTest, NamesAndCommandsInATextDoNotHideItsLanguage) {
  std::string text;
  for (int i = 0; i < 6; ++i) {
    text += kChinese;
    text += " qemu-xk --vfd=0x7f zqlrm-fx/brk ltprx.kgz vmlnzq pkgs-xzr ";
  }
  EXPECT_EQ(Language(text), "zh");
}

TEST(LanguageTest, EnglishYieldsToAnotherLanguageFromAThirdOn) {
  EXPECT_EQ(Language(Repeated(kEnglish, 4) + std::string(kGerman)), "en");
  EXPECT_EQ(Language(Repeated(kEnglish, 3) + Repeated(kGerman, 2)), "de");
  EXPECT_EQ(Language(Repeated(kEnglish, 6) + Repeated(kChinese, 2)), "en");
}

// One character that the library does not take would else make it silent.
TEST(LanguageTest, NoCharacterMakesATextUnreadable) {
  const auto encoded = [](char32_t c) {
    std::string out;
    if (c < 0x80) {
      out = static_cast<char>(c);
    } else if (c < 0x800) {
      out = {static_cast<char>(0xC0 | c >> 6)};
    } else if (c < 0x10000) {
      out = {static_cast<char>(0xE0 | c >> 12),
             static_cast<char>(0x80 | (c >> 6 & 0x3F))};
    } else {
      out = {static_cast<char>(0xF0 | c >> 18),
             static_cast<char>(0x80 | (c >> 12 & 0x3F)),
             static_cast<char>(0x80 | (c >> 6 & 0x3F))};
    }
    if (c >= 0x80) out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
    return out;
  };
  std::vector<char32_t> characters;
  for (char32_t c = 0; c < 0x110000; c += 2039) characters.push_back(c);
  for (char32_t c = 0; c < 0xA1; ++c) characters.push_back(c);
  for (char32_t plane = 0; plane < 0x110000; plane += 0x10000) {
    for (const char32_t c : {0xFFFD, 0xFFFE, 0xFFFF})
      characters.push_back(plane + c);
  }
  for (const char32_t c : {0xFDCF, 0xFDD0, 0xFDEF, 0xFDF0, 0xFEFF, 0x200B})
    characters.push_back(c);
  for (const char32_t c : characters) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const std::string text =
        std::string(kGerman) + encoded(c) + std::string(kGerman);
    EXPECT_EQ(Language(text), "de") << static_cast<uint32_t>(c);
  }
}

TEST(LanguageTest, LongTextsAreJudgedByPiecesOfAllOfThem) {
  // Nothing but the last quarter is German.
  const std::string text = Repeated(kEnglish, 200) + Repeated(kGerman, 2000);
  EXPECT_EQ(Language(text), "de");
  // Cut between the bytes of a character at every offset.
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(Language(std::string(i, 'x') + " " + Repeated(kChinese, 2000)),
              "zh");
  }
  EXPECT_EQ(Language(Repeated("\xEF\xBB\xBF", 100'000)), "und");
  EXPECT_EQ(Language(std::string(1 << 20, 'a')), "und");
}

// Texts of one language and of two in every order and share: a first look
// that is believed says what the long one says.
TEST(LanguageTest, AFirstLookIsBelievedOnlyWhereItIsRight) {
  size_t looks = 0;
  std::set<std::string> codes;
  for (const std::string_view one : {kGerman, kEnglish, kChinese}) {
    for (const std::string_view other : {kGerman, kEnglish, kChinese}) {
      for (size_t times = 10; times <= 90; times += 8) {
        for (size_t share = 0; share <= times; share += 1 + times / 10) {
          std::string apart = Repeated(one, share);
          apart += Repeated(other, times - share);
          std::string in_turns;
          for (size_t i = 0; i < times; ++i)
            in_turns +=
                i * share / times != (i + 1) * share / times ? one : other;
          for (const std::string& text : {apart, in_turns}) {
            const std::string code = ReferenceLanguage(text, "").code;
            EXPECT_EQ(Language(text), code)
                << one << " " << share << " of " << times << " " << other;
            looks += text.size() > kFirstLanguageBytes;
            codes.insert(code);
          }
        }
      }
    }
  }
  EXPECT_GT(looks, 1000u);
  EXPECT_EQ(codes.size(), 3u);
}

TEST(LanguageTest, ThreadsDoNotDisturbEachOther) {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([t, &wrong] {
      for (int i = 0; i < 200; ++i) {
        wrong[t] +=
            Language(i % 2 ? kGerman : kChinese) != (i % 2 ? "de" : "zh");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

TEST(LanguageTest, TagsHaveOneSpelling) {
  constexpr std::pair<std::string_view, std::string_view> kTags[] = {
      {"de", "de"},
      {"DE", "de"},
      {" de ", "de"},
      {"de-DE", "de-de"},
      {"de_DE", "de-de"},
      {"de, en", "de"},
      {"iw", "he"},
      {"iw-IL", "he-il"},
      {"in", "id"},
      {"zh-hant", "zh-Hant"},
      {"ZH_HANT_TW", "zh-Hant-tw"},
      {"zh-TW", "zh-tw"},
      {"de-1996", "de-1996"},
      {"sr-latn", "sr-Latn"},
      {"", ""},
      {"-", ""},
      {"d", ""},
      {"de-", ""},
      {"-de", ""},
      {"d1", ""},
      {"deutschland", ""},
      {"de--x", ""},
      {"d\xC3\xA9", ""},
      {"a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p-q-r-s", ""}};
  for (const auto& [written, canonical] : kTags) {
    EXPECT_EQ(CanonicalLanguageTag(written), canonical) << written;
  }
}

TEST(LanguageTest, RangesAreThoseOfLanguagesThatTextsAreFoundToBeIn) {
  const auto good = ParseLanguageRanges({"DE", "zh_hant", "iw", "und", "no"});
  ASSERT_TRUE(good);
  EXPECT_EQ(*good,
            (std::vector<std::string>{"de", "zh-Hant", "he", "und", "no"}));
  for (const char* wrong :
       {"", "german", "de-AT", "xx", "xx-Cyrl", "zzp", "un", "*", "de;q=0.5"}) {
    const auto refused = ParseLanguageRanges({wrong});
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  }
  EXPECT_EQ(ParseLanguageRanges({"de-AT"}).error().remedy, "use de");
}

TEST(LanguageTest, RangesMatchWholeSubtags) {
  EXPECT_TRUE(LanguageInRanges("de", {}));
  EXPECT_TRUE(LanguageInRanges("und", {}));
  EXPECT_TRUE(LanguageInRanges("de", {"en", "de"}));
  EXPECT_FALSE(LanguageInRanges("de", {"en"}));
  EXPECT_TRUE(LanguageInRanges("zh-Hant", {"zh"}));
  EXPECT_FALSE(LanguageInRanges("zh", {"zh-Hant"}));
  EXPECT_FALSE(LanguageInRanges("haw", {"ha"}));
  EXPECT_FALSE(LanguageInRanges("", {"ha"}));
}

}  // namespace
}  // namespace twinset
