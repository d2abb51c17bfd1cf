#include "leak/item_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "leak/leak_rules.h"

namespace twinset {
namespace {

using Words = std::vector<std::string>;

std::string Joined(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += word + " ";
  return text;
}
Words Split(const std::string& text) {
  Words words;
  for (size_t at = 0, end; at < text.size(); at = end + 1) {
    end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
  }
  return words;
}
Words Numbered(const std::string& stem, int count) {
  Words words;
  for (int i = 0; i < count; ++i) words.push_back(stem + std::to_string(i));
  return words;
}
Words operator+(Words x, const Words& y) {
  x.insert(x.end(), y.begin(), y.end());
  return x;
}

std::set<Words> Grams(const Words& words, size_t n) {
  std::set<Words> grams;
  if (words.empty()) return grams;
  for (size_t i = 0; i == 0 || i + n <= words.size(); ++i)
    grams.insert(Words(words.begin() + static_cast<std::ptrdiff_t>(i),
                       words.begin() + static_cast<std::ptrdiff_t>(
                                           std::min(i + n, words.size()))));
  return grams;
}

// The rules by their words, for every pair.
struct Naive {
  LeakRule rule;
  size_t n;
  std::map<Words, int> documents;  // by gram

  bool Counts(const Words& gram) const {
    return rule != LeakRule::kGpt3 || documents.at(gram) <= 10;
  }
  double Share(const Words& item, const std::set<Words>& of_document) const {
    double all = 0, common = 0;
    std::vector<bool> covered(item.size());
    for (const Words& gram : Grams(item, n)) {
      const auto counted = documents.find(gram);
      if (counted != documents.end() && !Counts(gram)) continue;
      ++all;
      common += of_document.contains(gram);
    }
    for (size_t i = 0; i == 0 || i + n <= item.size(); ++i) {
      const size_t end = std::min(i + n, item.size());
      if (of_document.contains(
              Words(item.begin() + static_cast<std::ptrdiff_t>(i),
                    item.begin() + static_cast<std::ptrdiff_t>(end))))
        std::fill(covered.begin() + static_cast<std::ptrdiff_t>(i),
                  covered.begin() + static_cast<std::ptrdiff_t>(end), true);
    }
    if (rule == LeakRule::kGpt3) return common == 0 ? 0 : common / all;
    const double share =
        static_cast<double>(std::count(covered.begin(), covered.end(), true)) /
        static_cast<double>(item.size());
    return share > 0.5 ? share : 0;
  }
};

class RulesOfOthers : public ::testing::TestWithParam<LeakRule> {};

// Items are pieces of documents with other words between; some pieces stand in
// many documents.
TEST_P(RulesOfOthers, FindWhatTheirWordsSay) {
  const TestDir dir;
  SplitMix64 random(11);
  const auto piece = [&](uint64_t i, uint64_t count) {
    return Numbered("p" + std::to_string(i) + "x", static_cast<int>(count));
  };
  std::vector<Words> documents, items;
  for (int i = 0; i < 60; ++i) {
    Words words;
    for (uint64_t parts = random.Below(4); parts > 0; --parts)
      words = words + piece(random.Below(12), random.Below(14)) +
              Numbered("d" + std::to_string(random.Below(3000)) + "y", 2);
    if (i % 2 == 0) words = words + piece(99, 9);
    documents.push_back(words);
  }
  for (int i = 0; i < 60; ++i) {
    Words words = piece(random.Below(12), random.Below(14)) +
                  Numbered("q" + std::to_string(i) + "z",
                           static_cast<int>(random.Below(9)));
    if (i % 3 == 0) words = words + piece(99, 9);
    items.push_back(words);
  }
  const auto write = [&](const std::string& name,
                         const std::vector<Words>& texts) {
    std::string rows;
    for (size_t i = 0; i < texts.size(); ++i)
      rows +=
          Json({{"id", std::to_string(i)}, {"text", Joined(texts[i])}}).dump() +
          "\n";
    ASSERT_TRUE(WriteWholeFile(dir / name, rows));
  };
  write("train.jsonl", documents);
  write("test.jsonl", items);
  LeakOptions options;
  options.input.inputs = {dir / "train.jsonl"};
  options.test = {dir / "test.jsonl"};
  options.resources.tmp = dir.path();
  options.out = dir / "out";
  options.rule = GetParam();
  const auto result = FindLeaks(options);
  ASSERT_TRUE(result) << result.error().ToString();
  EXPECT_EQ(result->parameters.shingle, "word:8");

  Naive naive{GetParam(), 8, {}};
  std::vector<std::set<Words>> grams;
  for (const Words& document : documents) {
    grams.push_back(Grams(document, naive.n));
    for (const Words& gram : grams.back()) ++naive.documents[gram];
  }
  std::map<std::pair<std::string, std::string>, double> expected, found;
  std::set<std::string> leaking, ignored;
  for (size_t i = 0; i < items.size(); ++i) {
    for (size_t d = 0; d < documents.size(); ++d) {
      if (items[i].empty()) continue;
      const double share = naive.Share(items[i], grams[d]);
      if (share == 0) continue;
      expected[{std::to_string(i), std::to_string(d)}] = share;
      leaking.insert(std::to_string(i));
    }
  }
  for (const std::string& line : Split([&] {
         std::string rows = *ReadWholeFile(dir / "out/documents.jsonl");
         std::replace(rows.begin(), rows.end(), '\n', ' ');
         return rows;
       }())) {
    const Json row = Json::Parse(line);
    if (row["kind"] == "short-embedded") continue;
    found[{row.value("item", ""), row.value("document", "")}] =
        row.value("similarity", 0.0);
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(result->leaked(), leaking.size());
  EXPECT_GT(leaking.size(), 10u);
  EXPECT_LT(leaking.size(), items.size());
  for (const Leak& leak : result->leaks) {
    if (leak.kind == LeakKind::kShortEmbedded) continue;
    double best = 0;
    for (size_t d = 0; d < documents.size(); ++d) {
      const auto at = expected.find({leak.item, std::to_string(d)});
      if (at != expected.end()) best = std::max(best, at->second);
    }
    EXPECT_EQ(leak.similarity, best) << leak.item;
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, RulesOfOthers,
                         ::testing::Values(LeakRule::kGpt3, LeakRule::kTulu3));

TEST(Gpt3GramWords, AreTheFifthPercentileFrom8To13) {
  SplitMix64 random(5);
  for (int round = 0; round < 200; ++round) {
    Gpt3GramWords grams;
    std::vector<uint64_t> sizes;
    for (uint64_t i = 1 + random.Below(60); i > 0; --i) {
      const uint64_t size = random.Below(round % 40 + 1);
      grams.Add(size);
      if (size > 0) sizes.push_back(size);
    }
    std::sort(sizes.begin(), sizes.end());
    const uint64_t percentile =
        sizes.empty() ? 8 : sizes[(sizes.size() + 19) / 20 - 1];
    EXPECT_EQ(grams.Words(), std::clamp<uint64_t>(percentile, 8, 13));
  }
}

class Cutting : public ::testing::Test {
 protected:
  ItemSearch Of(const std::vector<Words>& items,
                LeakRule rule = LeakRule::kShare) {
    LeakOptions options;
    options.rule = rule;
    if (rule != LeakRule::kShare) options.features.shingle = "word:8";
    auto search = ItemSearch::Make(options, {1, 2});
    EXPECT_TRUE(search);
    for (const Words& item : items) search->Add(Joined(item));
    search->Index();
    return *std::move(search);
  }
};

TEST_F(Cutting, TakesEveryCopyAndNothingElse) {
  const Words item = Numbered("i", 30), a = Numbered("a", 12),
              b = Numbered("b", 12), phrase(item.begin(), item.begin() + 6);
  const ItemSearch search = Of({item, {"yes"}});
  EXPECT_EQ(search.WhatStays(Joined(a)).text, Joined(a));
  // A phrase of the item is no passage of it.
  EXPECT_EQ(search.WhatStays(Joined(a + item + b + phrase + a + item)).text,
            Joined(a + b + phrase + a));
  EXPECT_EQ(search.WhatStays(Joined(item + phrase + item)).text, "");
  const Words few = {"so", "they", "say"};
  EXPECT_EQ(search.WhatStays(Joined(item + few + item)).text, Joined(few));
  // A word that differs goes with the passage.
  Words near = item;
  near[14] = "other";
  EXPECT_EQ(search.WhatStays("\"" + Joined(near) + "! - " + Joined(b)).text,
            Joined(b));
  // What is left is an item, too.
  EXPECT_EQ(search.WhatStays(Joined(item + Words{"yes"})).text, "");
  EXPECT_EQ(search.WhatStays(Joined(item)).text, "");
}

// Pieces that are no passages by themselves, and passages in each other.
TEST_F(Cutting, EndsWhenNoItemLeaks) {
  const Words item = Numbered("i", 40);
  const ItemSearch search = Of({item});
  Words scattered;
  for (int i = 0; i < 40; i += 2)
    scattered = scattered +
                Words(item.begin() + i, item.begin() + std::min(i + 6, 40)) +
                Numbered("x" + std::to_string(i) + "y", 12);
  const auto cut = search.WhatStays(Joined(scattered));
  EXPECT_FALSE(cut.goes);
  EXPECT_NE(cut.text, Joined(scattered));
  EXPECT_TRUE(search.Find(cut.text).empty());
  Words nested = item;
  const auto nest = [&](int times) {
    for (; times > 0; --times)
      nested = Words(item.begin(), item.begin() + 20) + nested +
               Words(item.begin() + 20, item.end());
  };
  nest(2);
  EXPECT_EQ(search.WhatStays(Joined(nested)).text, "");
  const ItemSearch exact = Of({Numbered("i", 6)});
  Words deep = Numbered("i", 6);
  for (int i = 0; i < 20; ++i)
    deep = Words{"i0", "i1", "i2"} + deep + Words{"i3", "i4", "i5"};
  EXPECT_TRUE(exact.WhatStays(Joined(deep)).goes);
}

// Where the five words of `text` from `begin` on stand in `item`; where either
// has fewer, they are all of both.
std::set<size_t> PlacesOfGram(const Words& text, size_t begin,
                              const Words& item) {
  const auto gram = [](const Words& words, size_t i) {
    return Words(words.begin() + static_cast<std::ptrdiff_t>(i),
                 words.begin() + static_cast<std::ptrdiff_t>(
                                     std::min(i + 5, words.size())));
  };
  std::set<size_t> places;
  for (size_t i = 0; i == 0 || i + 5 <= item.size(); ++i)
    if (gram(item, i) == gram(text, begin)) places.insert(i);
  return places;
}

// How many words of `text` go beyond word `at`, which is word `in_item` of the
// item: the largest number that ends with a word of both, of which at least
// half are of both and at most eight are not.
size_t WordsBeyond(const Words& text, ptrdiff_t at, const Words& item,
                   ptrdiff_t in_item, ptrdiff_t step) {
  size_t most = 0;
  for (ptrdiff_t count = 1;; ++count) {
    const ptrdiff_t i = at + step * count, j = in_item + step * count;
    if (std::min(i, j) < 0 || i >= std::ssize(text) || j >= std::ssize(item))
      return most;
    ptrdiff_t equal = 0;
    for (ptrdiff_t k = 1; k <= count; ++k)
      equal += text[static_cast<size_t>(at + step * k)] ==
               item[static_cast<size_t>(in_item + step * k)];
    if (text[static_cast<size_t>(i)] == item[static_cast<size_t>(j)] &&
        2 * equal >= count && count - equal <= 8)
      most = static_cast<size_t>(count);
  }
}

TEST_F(Cutting, GoesOnBehindAChangedWord) {
  const Words item = Numbered("item", 30), x = {"x"}, y = {"y"};
  const ItemSearch search = Of({item});
  const auto part = [&](int from, int to) {
    return Words(item.begin() + from, item.begin() + to);
  };
  const auto stays = [&](const Words& text) {
    return search.WhatStays(Joined(Words{"before"} + text + Words{"behind"}))
        .text;
  };
  const std::string others = Joined(Words{"before", "behind"});
  EXPECT_EQ(stays(part(0, 26) + x + part(27, 30)), others);
  EXPECT_EQ(stays(part(0, 28) + x + part(29, 30)), others);
  EXPECT_EQ(stays(part(0, 3) + x + part(4, 30)), others);
  EXPECT_EQ(stays(part(0, 1) + x + part(2, 27) + x + part(28, 30)), others);
  // More others than words of the item, and a word that is left out.
  EXPECT_EQ(stays(part(0, 27) + x + y + part(29, 30)),
            Joined(Words{"before", "x", "y", "item29", "behind"}));
  EXPECT_EQ(stays(part(0, 27) + part(28, 30)),
            Joined(Words{"before", "item28", "item29", "behind"}));
  // GPT-3 knows no words in between.
  const ItemSearch exact = Of({item}, LeakRule::kGpt3);
  const std::string text = Joined(part(0, 26) + x + part(27, 30));
  const auto passages = exact.Passages(text, exact.Find(text));
  ASSERT_EQ(passages.size(), 1u);
  EXPECT_EQ(passages[0].back().end, Joined(part(0, 26)).size() - 1);
}

// Against the definition, word by word.
TEST_F(Cutting, RandomTexts) {
  SplitMix64 random(9);
  const auto number = [](size_t n) { return static_cast<ptrdiff_t>(n); };
  size_t changed = 0, widened = 0;
  for (int round = 0; round < 300; ++round) {
    const auto draw = [&](uint64_t most) {
      Words words;
      for (uint64_t i = random.Below(most); i > 0; --i)
        words.push_back("w" + std::to_string(random.Below(30)));
      return words;
    };
    std::vector<Words> items;
    for (int i = 0; i < 3; ++i) items.push_back(draw(25));
    const ItemSearch search = Of(items);
    Words text = draw(20);
    for (int i = 0; i < 3; ++i) {
      Words copy = items[random.Below(3)];
      // One of the last words or the first ones was changed.
      if (const size_t from_end = random.Below(8); from_end < copy.size())
        copy[random.Below(2) ? from_end : copy.size() - 1 - from_end] = "other";
      text = text + copy + draw(20);
    }
    const auto found = search.Find(Joined(text));
    const auto passages = search.Passages(Joined(text), found);
    std::vector<bool> goes(text.size());
    for (size_t f = 0; f < found.size(); ++f) {
      const Words& item = items[found[f].item];
      std::vector<std::pair<size_t, size_t>> runs;
      std::set<size_t> last;  // where the gram before stands in the item
      for (size_t i = 0; i == 0 || i + 5 <= text.size(); ++i) {
        const std::set<size_t> at = PlacesOfGram(text, i, item);
        if (at.empty()) continue;
        const bool goes_on = std::any_of(at.begin(), at.end(), [&](size_t j) {
          return std::any_of(last.begin(), last.end(),
                             [&](size_t k) { return j > k && j <= k + 5 + 8; });
        });
        last = at;
        if (runs.empty() || i > runs.back().second + 8 ||
            (i > runs.back().second && !goes_on))
          runs.emplace_back(i, i);
        runs.back().second = std::min(i + 5, text.size());
      }
      const size_t least = std::min<size_t>(10, item.size());
      const auto is_long = [&](const auto& run) {
        return run.second - run.first >= least;
      };
      const bool any = std::any_of(runs.begin(), runs.end(), is_long);
      std::vector<std::pair<size_t, size_t>> wide;
      for (auto run : runs) {
        if (any && !is_long(run)) continue;
        const auto [begin, end] = run;
        for (const size_t at :
             PlacesOfGram(text, end - std::min<size_t>(5, end), item))
          run.second =
              std::max(run.second,
                       end + WordsBeyond(text,
                                         std::ssize(text) < 5 ? std::ssize(text)
                                                              : number(end) - 1,
                                         item, number(at) + 4, 1));
        for (const size_t at : PlacesOfGram(text, begin, item))
          run.first = std::min(
              run.first,
              begin - WordsBeyond(text, number(begin), item, number(at), -1));
        widened += run != std::pair(begin, end);
        if (!wide.empty() && run.first <= wide.back().second)
          wide.back().second = std::max(wide.back().second, run.second);
        else
          wide.push_back(run);
      }
      size_t count = 0;
      for (const auto& run : wide) {
        ASSERT_LT(count, passages[f].size());
        EXPECT_EQ(passages[f][count].begin,
                  Joined(std::span(text).first(run.first)).size());
        EXPECT_EQ(passages[f][count++].end,
                  Joined(std::span(text).first(run.second)).size() - 1);
        std::fill(goes.begin() + static_cast<std::ptrdiff_t>(run.first),
                  goes.begin() + static_cast<std::ptrdiff_t>(run.second), true);
      }
      EXPECT_EQ(count, passages[f].size());
    }
    Words stays;
    for (size_t i = 0; i < text.size(); ++i)
      if (!goes[i]) stays.push_back(text[i]);
    const auto cut = search.WhatStays(Joined(text));
    EXPECT_TRUE(cut.goes || search.Find(cut.text).empty());
    if (!search.Find(Joined(stays)).empty()) continue;
    EXPECT_EQ(cut.text, Joined(stays));
    changed += stays.size() < text.size();
  }
  EXPECT_GT(changed, 100u);
  EXPECT_GT(widened, 10u);
}

TEST_F(Cutting, GramsOfElevenDocumentsDoNotCount) {
  const std::string item = Joined(Numbered("item", 8));
  for (const int documents : {10, 11}) {
    ItemSearch search = Of({Numbered("item", 8)}, LeakRule::kGpt3);
    for (int i = 0; i < documents; ++i)
      EXPECT_TRUE(search.CountDocument(search.CountedIn(item + item)));
    EXPECT_FALSE(search.CountDocument(std::vector<uint64_t>{1}));
    search.IgnoreFrequent();
    EXPECT_EQ(search.Find(item).empty(), documents > 10);
    EXPECT_EQ(search.WhatStays(item).text.empty(), documents <= 10);
  }
}

TEST_F(Cutting, ByTheRuleOfGpt3) {
  const Words item = Numbered("item", 8);
  const ItemSearch search = Of({item}, LeakRule::kGpt3);
  // "side012 " has eight characters: 25 words are 200.
  const auto side = [](const std::string& stem, int from, int to) {
    Words words;
    for (int i = from; i < to; ++i) {
      const std::string number = std::to_string(1000 + i);
      words.push_back(stem + number.substr(1));
    }
    return words;
  };
  const auto stays = [&](int before, int behind) {
    return search.WhatStays(
        Joined(side("left", 0, before) + item + side("next", 0, behind)));
  };
  EXPECT_EQ(stays(100, 100).text, Joined(side("left", 0, 75)) + "\n\n" +
                                      Joined(side("next", 25, 100)));
  EXPECT_EQ(stays(50, 50).text, Joined(side("left", 0, 25)) + "\n\n" +
                                    Joined(side("next", 25, 50)));
  EXPECT_EQ(stays(49, 50).text, Joined(side("next", 25, 50)));
  EXPECT_EQ(stays(10, 10).text, "");
  Words many = side("left", 0, 100);
  for (int i = 0; i < 9; ++i) many = many + item + side("more", 0, 100);
  EXPECT_FALSE(search.WhatStays(Joined(many)).goes);  // ten pieces
  EXPECT_TRUE(search.WhatStays(Joined(many + item + many)).goes);
}

}  // namespace
}  // namespace twinset
