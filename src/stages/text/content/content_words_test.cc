// Words of main content against plain ways of reading them.
#include "text/content/content_words.h"

#include <gtest/gtest.h>

#include <cctype>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <string_view>

#include "text/content/content_page.h"
#include "text/html/html_tree.h"
#include "text/tokens/ascii_run.h"

namespace twinset {
namespace {

// A run, read byte by byte.
AsciiRun ReferenceAsciiRun(std::string_view text) {
  AsciiRun run;
  for (; run.size < 8 && run.size < text.size(); ++run.size) {
    const char c = text[run.size];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && (c < '0' || c > '9')) break;
    run.letters += letter;
    const auto lower = static_cast<unsigned char>(letter ? c | 0x20 : c);
    run.lower |= uint64_t{lower} << run.size * 8;
  }
  return run;
}

void ExpectRun(const std::string& bytes) {
  // A copy that ends where the text ends, for the sanitizer.
  const std::vector<char> text(bytes.begin(), bytes.end());
  const AsciiRun run = ReadAsciiRun(text.data(), text.size());
  const AsciiRun expected = ReferenceAsciiRun(bytes);
  ASSERT_EQ(run.size, expected.size) << bytes;
  ASSERT_EQ(run.letters, expected.letters) << bytes;
  ASSERT_EQ(run.lower, expected.lower) << bytes;
}

TEST(ContentWords, RunsLikeTheReference) {
  for (size_t size = 0; size < 12; ++size) {
    for (size_t at = 0; at < size; ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        for (const char around : {'a', 'Z', '0', '\xFF'}) {
          std::string text(size, around);
          text[at] = static_cast<char>(byte);
          ExpectRun(text);
        }
      }
    }
  }
  std::mt19937 random(13);
  for (int round = 0; round < 100'000; ++round) {
    std::string text(random() % 12, ' ');
    for (char& c : text) {
      c = static_cast<char>(random() % 4 == 0 ? random()
                                              : "azAZ09"[random() % 6]);
    }
    ExpectRun(text);
  }
}

std::vector<uint32_t> HashesOf(std::string_view text) {
  std::vector<uint32_t> hashes;
  EachWordHash(text, false, [&](uint32_t hash) { hashes.push_back(hash); });
  return hashes;
}

TEST(ContentWords, WordsOfTheListsAreFoundAndNoOthers) {
  std::map<std::string, uint16_t> kinds;
  const auto add = [&](std::string_view list, uint32_t kind) {
    for (size_t at = 0; at < list.size();) {
      const size_t end = std::min(list.find(' ', at), list.size());
      kinds[std::string(list.substr(at, end - at))] |=
          static_cast<uint16_t>(kind);
      at = end + 1;
    }
  };
#define TWINSET_CONTENT_CUE(enumerator, words) add(words, 1u << enumerator);
#include "text/content/content_cues.inc"
#undef TWINSET_CONTENT_CUE
#define TWINSET_STOP_WORDS(language, words) add(words, kStopWord);
#include "text/tokens/stop_words.inc"
#undef TWINSET_STOP_WORDS
  const ContentWords& words = ContentWords::Get();
  size_t found = 0;
  for (const auto& [word, kind] : kinds) {
    const std::vector<uint32_t> hashes = HashesOf(word);
    if (hashes.size() != 1) continue;  // "e-mail" is two words of a text
    EXPECT_EQ(words.Find(hashes[0]), kind) << word;
    ++found;
  }
  EXPECT_GT(found, 900u);
  std::mt19937 random(17);
  std::map<uint32_t, std::string> of_hash;
  for (int round = 0; round < 20'000; ++round) {
    std::string word(random() % 18 + 1, ' ');
    for (char& c : word)
      c = "abcdefghijklmnopqrstuvwxyz0123456789"[random() % 36];
    const uint32_t hash = HashesOf(word).at(0);
    const auto known = kinds.find(word);
    EXPECT_EQ(words.Find(hash), known == kinds.end() ? 0 : known->second);
    const auto [at, is_new] = of_hash.emplace(hash, word);
    EXPECT_TRUE(is_new || at->second == word) << word << " " << at->second;
    std::string upper = word;
    for (char& c : upper) c = static_cast<char>(std::toupper(c));
    EXPECT_EQ(HashesOf(upper).at(0), hash) << word;
  }
}

// ASCII without references, character by character.
TextCounts PlainCounts(const std::string& text) {
  TextCounts counts;
  const auto at = [&](size_t i) { return i < text.size() ? text[i] : ' '; };
  const auto is_alnum = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_alnum(c)) {
      size_t end = i;
      uint32_t digits = 0;
      for (; is_alnum(at(end)); ++end) {
        digits += std::isdigit(static_cast<unsigned char>(text[end])) != 0;
      }
      const auto size = static_cast<uint32_t>(end - i);
      counts.words += 2;
      counts.digits += digits;
      counts.letters += size - digits;
      const bool capital = c >= 'A' && c <= 'Z';
      counts.capitals += capital;
      const auto first = static_cast<uint16_t>(capital ? 2 : c <= '9' ? 3 : 1);
      if (counts.first == 0) counts.first = first;
      counts.last = 0;
      const std::string century = text.substr(i, 2);
      if (digits == 4 && size == 4 && (century == "19" || century == "20")) {
        counts.has_year = true;
      }
      if (digits == size && size <= 2 && at(end) == ':' &&
          std::isdigit(static_cast<unsigned char>(at(end + 1))) != 0) {
        counts.has_clock = true;
      }
      i = end - 1;
      continue;
    }
    if (c <= ' ') continue;
    const char next = at(i + 1);
    const bool border = next <= ' ' || std::strchr("\"'&).!?", next) != nullptr;
    const bool stop = std::strchr(".!?", c) != nullptr;
    const bool comma = c == ',' || c == ';';
    const bool quote = c == '"' || c == '\'';
    counts.sentence_ends += stop && border;
    counts.commas += comma && border;
    if (quote && counts.last == 1) continue;
    counts.last = static_cast<uint16_t>(stop       ? 1
                                        : c == ':' ? 2
                                        : comma    ? 3
                                        : quote    ? 4
                                                   : 5);
  }
  return counts;
}

TEST(ContentWords, CountsLikeThePlainWay) {
  const SelfPortrait nothing;
  const std::string alphabet = "  aabBzZ0129.,:;!?\"'()&/-@[`{\n\t";
  std::mt19937 random(19);
  for (int round = 0; round < 200'000; ++round) {
    std::string text(random() % 24, ' ');
    for (char& c : text) c = alphabet[random() % alphabet.size()];
    TextCounts counts;
    uint32_t hash = 0;
    CountText(text, false, true, nothing, &counts, &hash);
    const TextCounts expected = PlainCounts(text);
    ASSERT_EQ(counts.words, expected.words) << text;
    ASSERT_EQ(counts.link_words, expected.words) << text;
    ASSERT_EQ(counts.letters, expected.letters) << text;
    ASSERT_EQ(counts.digits, expected.digits) << text;
    ASSERT_EQ(counts.capitals, expected.capitals) << text;
    ASSERT_EQ(counts.sentence_ends, expected.sentence_ends) << text;
    ASSERT_EQ(counts.commas, expected.commas) << text;
    ASSERT_EQ(counts.first, expected.first) << text;
    ASSERT_EQ(counts.last, expected.last) << text;
    ASSERT_EQ(counts.has_year, expected.has_year) << text;
    ASSERT_EQ(counts.has_clock, expected.has_clock) << text;
  }
}

// The tree looks for what hides at sixteen bytes at a time.
TEST(ContentWords, WhatHidesATagIsFoundAnywhereInIt) {
  for (size_t before = 0; before < 40; ++before) {
    for (size_t behind : {0, 1, 5, 20}) {
      for (const char* hides :
           {"hidden", "HIDDEN", "style=display:none", "style=DISPLAY:none",
            "style='&#100;isplay:none'"}) {
        const std::string html = "<p " + std::string(before, 'x') + " " +
                                 hides + " " + std::string(behind, 'y') +
                                 ">secret";
        HtmlTree tree;
        BuildHtmlTree(html, &tree);
        for (const HtmlNode& node : tree.nodes) {
          if (node.kind != HtmlNode::kOpen || node.tag != HtmlTag::kP) continue;
          EXPECT_NE(node.flags & HtmlNode::kHidden, 0) << html;
        }
      }
    }
  }
}

}  // namespace
}  // namespace twinset
