// Which real texts share a fuzzy-fingerprint, by the cosine of their words.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "sketch/fuzzy.h"
#include "text/tokens/features.h"

namespace twinset {
namespace {

using Words = std::vector<std::string>;

// The articles of 88 pages, as words; empty without the shared data.
std::vector<Words> Articles() {
  const char* const set = std::getenv("TWINSET_SHARED_DATA");
  const std::string folder =
      set != nullptr ? set
                     : std::string(TWINSET_SOURCE_DIR) + "/../shared/data";
  const auto bytes =
      ReadWholeFile(folder + "/extraction/aeb_ground_truth.json");
  std::vector<Words> articles;
  if (!bytes) return articles;
  for (const auto& page : nlohmann::ordered_json::parse(*bytes)) {
    FeatureScratch scratch;
    std::string tokens;
    JoinTokens(page["articleBody"].get<std::string>(), TokenRule::kUnicode,
               &scratch, &tokens);
    Words words;
    for (size_t at = 0; at < tokens.size();) {
      const size_t end = std::min(tokens.find(' ', at), tokens.size());
      words.push_back(tokens.substr(at, end - at));
      at = end + 1;
    }
    if (words.size() >= 100) articles.push_back(std::move(words));
  }
  return articles;
}

double Cosine(const Words& x, const Words& y) {
  std::map<std::string, std::pair<double, double>> counts;
  for (const std::string& word : x) ++counts[word].first;
  for (const std::string& word : y) ++counts[word].second;
  double xy = 0, xx = 0, yy = 0;
  for (const auto& [word, count] : counts) {
    xy += count.first * count.second;
    xx += count.first * count.first;
    yy += count.second * count.second;
  }
  return xy / std::sqrt(xx * yy);
}

bool Collide(const Words& x, const Words& y) {
  const auto sketcher = MakeFuzzySketcher();
  Sketch sketches[2];
  for (const Words* words : {&x, &y}) {
    std::string tokens;
    for (const std::string& word : *words) {
      tokens += (tokens.empty() ? "" : " ") + word;
    }
    sketcher->Compute(tokens, &sketches[words == &y]);
  }
  return sketcher->Estimate(sketches[0], sketches[1]) > 0;
}

// A copy in which a share of the words is replaced by words of `other`.
Words Changed(Words words, const Words& other, double share,
              SplitMix64* random) {
  for (std::string& word : words) {
    if (static_cast<double>(random->Below(1000)) < share * 1000) {
      word = other[random->Below(other.size())];
    }
  }
  return words;
}

struct Bin {
  double from = 0;
  int pairs = 0, collisions = 0;
  double Recall() const {
    return pairs == 0 ? 0 : static_cast<double>(collisions) / pairs;
  }
};

TEST(FuzzyQualityTest, CollisionsByCosine) {
  const std::vector<Words> articles = Articles();
  if (articles.empty()) {
    std::puts("SKIPPED (no shared data): fuzzy-fingerprints of real articles");
    GTEST_SKIP() << "measures quality on real articles, which may not be in "
                    "the repository";
  }
  ASSERT_GT(articles.size(), 70u);
  Bin bins[] = {{0.995}, {0.98}, {0.95}, {0.9}, {0.7}, {0}};
  const auto add = [&](const Words& x, const Words& y) {
    const double cosine = Cosine(x, y);
    for (Bin& bin : bins) {
      if (cosine < bin.from) continue;
      ++bin.pairs;
      bin.collisions += Collide(x, y);
      break;
    }
  };
  SplitMix64 random(1);
  for (size_t i = 0; i < articles.size(); ++i) {
    const Words& other = articles[(i + 1) % articles.size()];
    for (const double share : {0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4}) {
      add(articles[i], Changed(articles[i], other, share, &random));
    }
    for (size_t j = 0; j < i; ++j) add(articles[i], articles[j]);
  }
  for (const Bin& bin : bins) {
    std::printf("cosine from %.3f: %d of %d pairs collide\n", bin.from,
                bin.collisions, bin.pairs);
  }
  // Unrelated articles of one language reach 0.9 by their function words alone;
  // hardly any of them collide.
  EXPECT_GT(bins[0].pairs, 200);
  EXPECT_GT(bins[0].Recall(), 0.95);
  EXPECT_GT(bins[1].Recall(), 0.7);
  EXPECT_GT(bins[2].Recall(), 0.4);
  EXPECT_GT(bins[0].Recall(), bins[1].Recall());
  EXPECT_GT(bins[1].Recall(), bins[2].Recall());
  EXPECT_GT(bins[2].Recall(), bins[3].Recall());
  EXPECT_GT(bins[3].Recall(), bins[4].Recall());
  EXPECT_LT(bins[4].Recall(), 0.02);
  EXPECT_LT(bins[5].Recall(), 0.005);
  int all = 0, near = 0;
  for (const Bin& bin : bins) {
    all += bin.collisions;
    if (bin.from >= 0.9) near += bin.collisions;
  }
  EXPECT_GT(near, all * 95 / 100) << "precision at cosine 0.9";
}

TEST(FuzzyQualityTest, DoubledArticlesCollide) {
  const std::vector<Words> articles = Articles();
  if (articles.empty()) {
    std::puts("SKIPPED (no shared data): doubled articles");
    GTEST_SKIP() << "measures quality on real articles, which may not be in "
                    "the repository";
  }
  for (const Words& article : articles) {
    Words doubled = article;
    doubled.insert(doubled.end(), article.begin(), article.end());
    EXPECT_TRUE(Collide(article, doubled));
  }
}

}  // namespace
}  // namespace twinset
