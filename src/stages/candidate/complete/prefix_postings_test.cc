#include "candidate/complete/prefix_postings.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "base/test_dir.h"
#include "candidate/complete/leading_counts.h"
#include "candidate/complete/prefix_join_testing.h"

namespace twinset {
namespace {

constexpr int kLowBits = 64 - PrefixPosting::kFoldBits;

// `size` features of `kinds`, ascending; with repeats only in bags.
Values Draw(SplitMix64* random, size_t size, uint64_t kinds, bool is_bag) {
  Values values;
  while (values.size() < size) {
    const uint64_t value = Mix64(1 + random->Below(1 + random->Below(kinds)));
    const uint64_t repeats = is_bag ? 1 + random->Below(4) : 1;
    values.insert(values.end(), repeats, value);
  }
  std::sort(values.begin(), values.end());
  if (!is_bag)
    values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// Returns the folds of a document's prefix that others have, and how many come
// before them, by the definition: all folds in order of rarity, of sets as many
// as the bound says, of bags until the squares of the others are too small.
std::pair<Values, uint64_t> NaivePrefix(
    const OverlapBounds& bounds,
    const std::function<uint32_t(uint64_t fold)>& count_of,
    const Values& values) {
  std::map<uint64_t, double> counts, squares;  // by element, by fold
  for (const uint64_t value : values) ++counts[value];
  for (const auto& [value, count] : counts)
    squares[value >> kLowBits] += count * count;
  std::vector<std::pair<uint32_t, uint64_t>> order;
  double whole = 0;
  for (const auto& [fold, square] : squares) {
    order.emplace_back(count_of(fold), fold);
    whole += square;
  }
  std::sort(order.begin(), order.end());
  size_t length = order.size();
  if (bounds.measure() == JoinMeasure::kCosineTf) {
    double rest = 0;
    while (rest + squares[order[length - 1].second] <
           bounds.LeastSquare(whole)) {
      rest += squares[order[--length].second];
    }
  } else {
    length = std::min<uint64_t>(
        length, PrefixMaker::MostPostings(bounds, values.size()));
  }
  Values folds;
  for (size_t i = 0; i < length; ++i)
    if (order[i].first > 0) folds.push_back(order[i].second);
  return {folds, length - folds.size()};
}

// Expects the postings of what was chosen for these features to be those of the
// definition; returns how many they are.
size_t ExpectPostings(const OverlapBounds& bounds,
                      const std::function<uint32_t(uint64_t fold)>& count_of,
                      const Values& values, const Values& chosen) {
  const auto [folds, alone] = NaivePrefix(bounds, count_of, values);
  JoinMember member;
  member.features = AsBytes(values);
  member.prepared = chosen;
  Values found;
  uint64_t position = alone;
  EXPECT_TRUE(PrefixMaker::ForEachPosting(
      bounds, member, [&](const PrefixPosting& posting) -> Status {
        EXPECT_EQ(posting.before(),
                  found.empty() ? posting.fold() : found.back());
        if (bounds.measure() != JoinMeasure::kCosineTf) {
          EXPECT_EQ(posting.position(), position++);
        }
        found.push_back(posting.fold());
        return {};
      }));
  EXPECT_EQ(found, folds) << values.size() << " at " << bounds.threshold();
  return found.size();
}

size_t CheckInMemory(const OverlapBounds& bounds, double leading,
                     const std::vector<Values>& documents) {
  Rarity rarity;
  EXPECT_TRUE(rarity.Map({1'000'000, leading, 64 << 20, false, 1}));
  PrefixMaker maker(bounds, nullptr, &rarity);
  JoinMember member;
  for (const Values& values : documents) {
    member.features = AsBytes(values);
    maker.Count(member);
  }
  size_t postings = 0;
  for (const Values& values : documents) {
    member.features = AsBytes(values);
    Values prefix;
    maker.Choose(maker.ElementsOf(member), &prefix);
    postings += ExpectPostings(
        bounds, [&](uint64_t fold) { return rarity[fold << kLowBits]; }, values,
        prefix);
  }
  return postings;
}

size_t CheckInFiles(const OverlapBounds& bounds, double leading,
                    const std::vector<Values>& documents) {
  const TestDir folder;
  Rarity rarity;
  EXPECT_TRUE(rarity.Map({1'000'000, leading, 2 << 20, false, 1, true}));
  LeadingCounts::Options options;
  options.directory = folder.path();
  options.elements = 100'000;
  options.leading = leading;
  options.memory_bytes = 16 << 20;
  LeadingCounts leading_counts;
  EXPECT_TRUE(leading_counts.Create(options));
  PrefixMaker maker(bounds, nullptr, &rarity);
  JoinMember member;
  for (const Values& values : documents) {
    member.features = AsBytes(values);
    maker.CountTrailing(member);
    EXPECT_TRUE(
        leading_counts.Append(maker.ElementsOf(member).Leading(), 0, false));
  }
  EXPECT_TRUE(leading_counts.Count(nullptr));
  size_t postings = 0;
  for (const Values& values : documents) {
    member.features = AsBytes(values);
    auto elements = maker.ElementsOf(member);
    std::vector<uint8_t> counts;
    EXPECT_TRUE(leading_counts.Read(elements.Leading(), 0, &counts));
    elements.are_counted = true;
    elements.counts = counts;
    Values prefix;
    maker.Choose(elements, &prefix);
    std::map<uint64_t, uint32_t> of_fold;
    for (const uint64_t value : elements.Leading()) {
      const uint64_t fold = value >> kLowBits;
      if (of_fold.contains(fold)) continue;  // elements of one fold count once
      if (of_fold.size() == counts.size()) {
        ADD_FAILURE() << "fewer counts than folds";
        return 0;
      }
      of_fold.emplace(fold,
                      LongCount<LeadingCounts::kBits>(counts[of_fold.size()]));
    }
    EXPECT_EQ(of_fold.size(), counts.size());
    const auto count_of = [&](uint64_t fold) {
      const auto found = of_fold.find(fold);
      return found == of_fold.end() ? rarity[fold << kLowBits] : found->second;
    };
    postings += ExpectPostings(bounds, count_of, values, prefix);
  }
  return postings;
}

// Small documents, and those beyond 2^16 elements, which are chosen from in
// another way.
TEST(PrefixMaker, ChoosesByTheDefinition) {
  for (const JoinMeasure measure :
       {JoinMeasure::kJaccard, JoinMeasure::kContainment,
        JoinMeasure::kCosineTf}) {
    if (TWINSET_SLOW_BUILD && measure == JoinMeasure::kContainment) continue;
    SplitMix64 random(3);
    std::vector<Values> documents;
    for (const uint64_t kinds : {100, 30'000, 1'000'000}) {
      for (const size_t size : {3, 500, 60'000, 66'000, 150'000}) {
        documents.push_back(
            Draw(&random, size, kinds, measure == JoinMeasure::kCosineTf));
      }
    }
    size_t in_memory = 0, in_files = 0;
    for (const double threshold : {0.3, 0.8, 0.9, 1.0}) {
      if (TWINSET_SLOW_BUILD && threshold != 0.8 && threshold != 0.9) continue;
      const OverlapBounds bounds(measure, threshold);
      // At 0.9 a share that is too small for most prefixes.
      const double leading =
          threshold == 0.9 ? 1 / 16. : PrefixMaker::LeadingShare(bounds);
      in_memory += CheckInMemory(bounds, leading, documents);
      in_files += CheckInFiles(bounds, leading, documents);
    }
    EXPECT_GT(in_memory, TWINSET_SLOW_BUILD ? 10'000u : 50'000u);
    EXPECT_GT(in_files, TWINSET_SLOW_BUILD ? 10'000u : 50'000u);
  }
}

// Where both count exactly, a prefix does not tell where its counts were.
TEST(PrefixMaker, ChoosesTheSameByCountsInFiles) {
  const OverlapBounds bounds(JoinMeasure::kJaccard, 0.5);
  ASSERT_EQ(PrefixMaker::LeadingShare(bounds), 1);
  SplitMix64 random(5);
  std::vector<Values> documents;
  std::map<uint64_t, uint32_t> truth;
  while (documents.size() < 60) {
    documents.push_back(Draw(&random, 40, 1500, false));
    for (const uint64_t value : documents.back()) ++truth[value >> kLowBits];
  }
  const TestDir folder;
  LeadingCounts::Options options;
  options.directory = folder.path();
  options.memory_bytes = 8 << 20;
  LeadingCounts leading_counts;
  ASSERT_TRUE(leading_counts.Create(options));
  Rarity rarity;
  ASSERT_TRUE(rarity.Map({1'000'000, 1, 64 << 20, false, 1}));
  PrefixMaker maker(bounds, nullptr, &rarity);
  JoinMember member;
  for (const Values& values : documents) {
    member.features = AsBytes(values);
    maker.Count(member);
    ASSERT_TRUE(leading_counts.Append(values, 0, false));
  }
  ASSERT_TRUE(leading_counts.Count(nullptr));
  size_t chosen = 0;
  for (const Values& values : documents) {
    member.features = AsBytes(values);
    auto elements = maker.ElementsOf(member);
    Values in_memory, in_files;
    maker.Choose(elements, &in_memory);
    std::vector<uint8_t> counts;
    ASSERT_TRUE(leading_counts.Read(values, 0, &counts));
    elements.are_counted = true;
    elements.counts = counts;
    maker.Choose(elements, &in_files);
    EXPECT_EQ(in_files, in_memory);
    chosen += in_files.size();
    for (size_t i = 0; i < values.size(); ++i) {
      const uint32_t exact = truth[values[i] >> kLowBits];
      EXPECT_EQ(counts[i], exact == 1 ? 0 : ShortCount<4>(exact));
    }
  }
  EXPECT_GT(chosen, 600u);
}

// Where documents have the same elements, those of a scope are in the same
// order, whatever their sizes.
TEST(PrefixMaker, OneOrderInAScope) {
  SplitMix64 random(4);
  const Values large = Draw(&random, 70'000, 1'000'000, false);
  const Values small(large.begin(), large.begin() + 60'000);
  for (const JoinMeasure measure :
       {JoinMeasure::kContainment, JoinMeasure::kCosineTf}) {
    const OverlapBounds bounds(measure, 0.01);
    Rarity rarity;
    ASSERT_TRUE(rarity.Map({1'000'000, 1, 64 << 20, false, 1}));
    PrefixMaker maker(bounds, nullptr, &rarity);
    std::map<uint64_t, size_t> places;
    JoinMember member;
    member.within = 9;
    for (const Values* values : {&large, &small}) {
      member.features = AsBytes(*values);
      maker.Count(member);
    }
    for (const Values* values : {&large, &small}) {
      member.features = AsBytes(*values);
      Values prefix;
      maker.Choose(maker.ElementsOf(member), &prefix);
      member.prepared = prefix;
      size_t last = 0, known = 0;
      ASSERT_TRUE(PrefixMaker::ForEachPosting(
          bounds, member, [&](const PrefixPosting& posting) -> Status {
            if (values == &large) {
              places[posting.fold()] = places.size() + 1;
            } else if (const size_t place = places[posting.fold()]; place > 0) {
              EXPECT_GT(place, last);
              last = place;
              ++known;
            }
            return {};
          }));
      if (values == &small) {
        EXPECT_GT(known, 10'000u);
      }
    }
  }
}

}  // namespace
}  // namespace twinset
