// Moved texts and redirects against comparing everything.
#include "change/moves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/bytes.h"
#include "base/for_each.h"
#include "base/test_dir.h"
#include "change/redirects.h"

namespace twinset {
namespace {

using ::testing::ElementsAre;

using ShingleSet = std::set<uint64_t>;

double Jaccard(const ShingleSet& x, const ShingleSet& y) {
  double common = 0;
  for (const uint64_t value : x) common += y.contains(value);
  const double all = static_cast<double>(x.size() + y.size()) - common;
  return all == 0 ? 1 : common / all;
}

// Captures by number, as blobs of their shingles.
class Captures {
 public:
  explicit Captures(const std::vector<ShingleSet>& sets) {
    auto writer = BlobWriter::Create(dir_ / "shingles.blob", 0);
    EXPECT_TRUE(writer);
    for (const ShingleSet& set : sets) {
      std::string bytes;
      for (const uint64_t value : set) AppendLE(&bytes, value);
      EXPECT_TRUE(writer->Append(bytes));
    }
    EXPECT_TRUE(writer->Finish());
    auto opened = BlobReader::Open(dir_ / "shingles.blob", 0);
    EXPECT_TRUE(opened);
    reader_.emplace(std::move(*opened));
  }
  const BlobReader& reader() const { return *reader_; }
  ExternalSortOptions Sort(const std::string& name) const {
    ExternalSortOptions sort;
    sort.directory = dir_.path();
    sort.name = name;
    sort.memory_bytes = 4 << 20;
    return sort;
  }
  MemoryBudget* budget() { return &budget_; }
  std::string Path(const std::string& name) const { return dir_ / name; }

 private:
  const TestDir dir_;
  MemoryBudget budget_{64 << 20};
  std::optional<BlobReader> reader_;
};

std::vector<Move> ReadMoves(ExternalSorter<Move>* moves) {
  std::vector<Move> all;
  EXPECT_TRUE(moves->Finish());
  EXPECT_TRUE(
      ForEach<Move>(moves, [&](const Move& move) { all.push_back(move); }));
  return all;
}

TEST(MoveFinderTest, MovesAreThoseOfComparingAll) {
  SplitMix64 random(3);
  size_t equal = 0, near_moves = 0;
  for (const double near : {0.4, 0.7, 1.0}) {
    for (int trial = 0; trial < 6; ++trial) {
      // Captures of three steps; many are copies, or nearly.
      std::vector<ShingleSet> sets;
      struct End {
        uint64_t number;
        uint32_t to;
        bool came;
      };
      std::vector<End> ends;
      for (uint64_t number = 0; number < 50; ++number) {
        ShingleSet set;
        if (number % 3 != 0) {
          set = sets[random.Below(sets.size())];
          if (random.Below(2) == 0) set.insert(random.Below(40));
        } else {
          for (uint64_t n = random.Below(9); n > 0; --n)
            set.insert(random.Below(40));
        }
        sets.push_back(set);
        ends.push_back({number, 1 + static_cast<uint32_t>(random.Below(2)),
                        random.Below(2) == 0});
      }
      Captures captures(sets);
      MoveFinder finder(captures.Sort("ends"), captures.budget());
      for (const End& end : ends) {
        PageCapture capture;
        capture.number = end.number;
        capture.shingles = static_cast<uint32_t>(sets[end.number].size());
        std::string bytes;
        for (const uint64_t value : sets[end.number]) AppendLE(&bytes, value);
        capture.content = Hash128(bytes);
        ASSERT_TRUE(end.came ? finder.Came(capture, end.to)
                             : finder.Left(capture, end.to));
      }
      std::vector<ChangeStep> steps(2);
      for (ChangeStep& step : steps)
        step.states[static_cast<size_t>(PageState::kGone)] = 1000;
      ExternalSorter<Move> moves(captures.Sort("moves"), captures.budget());
      uint64_t left_out = 0;
      ASSERT_TRUE(finder.Find(captures.reader(), captures.reader(), near,
                              &steps, &moves, &left_out));
      EXPECT_EQ(left_out, 0u);
      std::map<std::pair<uint32_t, uint64_t>, std::pair<uint64_t, double>>
          expected, found;
      for (const End& left : ends) {
        if (left.came || sets[left.number].empty()) continue;
        double best = -1;
        uint64_t to = 0;
        for (const End& came : ends) {
          if (!came.came || came.to != left.to || sets[came.number].empty())
            continue;
          const double jaccard = Jaccard(sets[left.number], sets[came.number]);
          if (jaccard < near || jaccard <= best) continue;
          best = jaccard;
          to = came.number;
        }
        if (best >= 0) expected[{left.to, left.number}] = {to, best};
      }
      std::map<uint32_t, uint64_t> moved, nearly;
      for (const Move& move : ReadMoves(&moves)) {
        found[{move.to, move.from_number}] = {move.to_number, move.jaccard};
        EXPECT_FALSE(move.is_redirect);
        ++moved[move.to];
        nearly[move.to] += move.jaccard < 1;
        ++(move.jaccard < 1 ? near_moves : equal);
      }
      EXPECT_EQ(found, expected) << near << " " << trial;
      for (uint32_t to = 1; to <= 2; ++to) {
        const ChangeStep& step = steps[to - 1];
        EXPECT_EQ(step.states[static_cast<size_t>(PageState::kMoved)],
                  moved[to]);
        EXPECT_EQ(step.states[static_cast<size_t>(PageState::kGone)],
                  1000 - moved[to]);
        EXPECT_EQ(step.moved_near, nearly[to]);
      }
    }
  }
  EXPECT_GT(equal, 30u);
  EXPECT_GT(near_moves, 30u);
}

// One text at very many addresses: what was not compared is counted.
TEST(MoveFinderTest, CapturesThatWereNotComparedAreCounted) {
  const size_t came = MoveFinder::kMostCompared + 20;
  std::vector<ShingleSet> sets;
  for (uint64_t i = 0; i < came; ++i) sets.push_back({1, 2, 3, 100 + i});
  sets.push_back({1, 2, 3, 500});  // 3/5 of each
  sets.push_back({700, 701});      // like none
  Captures captures(sets);
  MoveFinder finder(captures.Sort("ends"), captures.budget());
  for (uint64_t i = 0; i < sets.size(); ++i) {
    PageCapture capture;
    capture.number = i;
    capture.shingles = static_cast<uint32_t>(sets[i].size());
    capture.content = {i + 1, 0};
    ASSERT_TRUE(i < came ? finder.Came(capture, 1) : finder.Left(capture, 1));
  }
  std::vector<ChangeStep> steps(1);
  steps[0].states[static_cast<size_t>(PageState::kGone)] = 2;
  ExternalSorter<Move> moves(captures.Sort("moves"), captures.budget());
  uint64_t left_out = 0;
  ASSERT_TRUE(finder.Find(captures.reader(), captures.reader(), 0.9, &steps,
                          &moves, &left_out));
  EXPECT_TRUE(ReadMoves(&moves).empty());
  EXPECT_EQ(left_out, 1u) << "the one that shares a shingle with too many";
}

TEST(MoveFinderTest, JaccardOfCaptures) {
  Captures captures({{1, 2, 3}, {2, 3, 4}, {}, {}, {7}});
  const auto jaccard = [&](uint64_t a, uint64_t b) {
    return *JaccardOf(captures.reader(), a, b);
  };
  EXPECT_EQ(jaccard(0, 1), 0.5);
  EXPECT_EQ(jaccard(1, 0), 0.5);
  EXPECT_EQ(jaccard(0, 0), 1);
  EXPECT_EQ(jaccard(2, 3), 1) << "two without text are the same";
  EXPECT_EQ(jaccard(2, 4), 0);
  EXPECT_EQ(jaccard(0, 4), 0);
  EXPECT_FALSE(JaccardOf(captures.reader(), 0, 99));
}

// ---- redirects ----

struct Landed {
  std::map<std::string, std::string> targets;  // by the page that left
  std::map<std::string, Move> moves;
  ChangeStep step;
};

// Pages at the first of two snapshots, redirects at the second, and pages
// there; all of one shingle set each.
Landed Follow(const std::vector<std::string>& before,
              const std::vector<std::pair<std::string, std::string>>& redirects,
              const std::map<std::string, ShingleSet>& sets,
              const std::set<std::string>& after) {
  std::vector<ShingleSet> numbered;
  std::map<std::string, uint64_t> numbers;
  for (const auto& [url, set] : sets) {
    numbers[url] = numbered.size();
    numbered.push_back(set);
  }
  Captures captures(numbered);
  auto made = Redirects::Make(captures.Path("targets.blob"),
                              captures.Sort("redirects"), captures.budget());
  EXPECT_TRUE(made);
  for (const auto& [from, to] : redirects) EXPECT_TRUE(made->Add(from, to, 1));
  EXPECT_TRUE(made->FinishReading());
  // In the order of the hashes of addresses.
  std::map<std::pair<uint64_t, uint64_t>, std::string> pages;
  for (const auto& [url, set] : sets) {
    const Hash128Value key = AddressKey(url, {});
    pages[{key.high, key.low}] = url;
  }
  std::map<uint64_t, std::string> who;
  for (const auto& [key, url] : pages) {
    PageHistory page;
    PageCapture capture;
    capture.address = {key.second, key.first};
    capture.number = numbers[url];
    const bool was = std::count(before.begin(), before.end(), url) > 0;
    if (was) page.captures.push_back(capture);
    capture.snapshot = 1;
    if (after.contains(url)) page.captures.push_back(capture);
    if (page.captures.empty()) continue;
    EXPECT_TRUE(made->See(page));
    if (!was || after.contains(url)) continue;
    const auto left = made->Left(1, capture.number);
    EXPECT_TRUE(left);
    if (*left) who[capture.number] = url;
  }
  std::vector<ChangeStep> steps(1);
  ExternalSorter<Move> moves(captures.Sort("moves"), captures.budget());
  EXPECT_TRUE(made->Land(captures.reader(), 0.5, &steps, &moves));
  Landed landed;
  for (const Move& move : ReadMoves(&moves)) {
    EXPECT_TRUE(move.is_redirect);
    const std::string& url = who.at(move.from_number);
    landed.moves[url] = move;
    landed.targets[url] = *made->TargetOf(move.to_number);
  }
  landed.step = steps[0];
  return landed;
}

TEST(RedirectsTest, ChainsLeadToTheirEnd) {
  std::map<std::string, ShingleSet> sets = {{"http://a.org/", {1, 2}},
                                            {"http://b.org/x", {1, 2, 3}},
                                            {"http://c.org/", {9}},
                                            {"http://end.org/", {1, 2}},
                                            {"http://stays.org/", {4}}};
  std::vector<std::pair<std::string, std::string>> redirects = {
      {"http://a.org/", "http://one.org/"},
      {"http://b.org/x", "../two"},  // relative, and leads nowhere
      {"http://c.org/", "http://end.org/"},
      {"http://stays.org/", "http://end.org/"}};
  // A chain of 31 further redirects.
  std::string last = "http://one.org/";
  for (int i = 0; i < 30; ++i) {
    const std::string next = "http://s" + std::to_string(i) + ".org/";
    redirects.emplace_back(last, next);
    last = next;
  }
  redirects.emplace_back(last, "http://end.org/");
  const Landed landed = Follow(
      {"http://a.org/", "http://b.org/x", "http://c.org/", "http://stays.org/"},
      redirects, sets, {"http://end.org/", "http://stays.org/"});
  ASSERT_EQ(landed.moves.size(), 3u) << "who is still there has not left";
  EXPECT_EQ(landed.targets.at("http://a.org/"), "http://end.org/");
  EXPECT_EQ(landed.targets.at("http://b.org/x"), "http://b.org/two");
  EXPECT_EQ(landed.targets.at("http://c.org/"), "http://end.org/");
  EXPECT_EQ(landed.moves.at("http://a.org/").jaccard, 1);
  EXPECT_EQ(landed.moves.at("http://c.org/").jaccard, 0);
  EXPECT_LT(landed.moves.at("http://b.org/x").jaccard, 0) << "nothing is there";
  EXPECT_EQ(landed.moves.at("http://b.org/x").landed, kNoCapture);
  EXPECT_EQ(landed.step.redirects_followed, 2u);
  EXPECT_EQ(landed.step.redirects_near, 1u);
}

TEST(RedirectsTest, CirclesEndAndTheLastOfAnAddressCounts) {
  const std::map<std::string, ShingleSet> sets = {
      {"http://a.org/", {1}}, {"http://b.org/", {2}}, {"http://c.org/", {3}}};
  const Landed circle = Follow(
      {"http://a.org/", "http://b.org/"},
      {{"http://a.org/", "http://b.org/"}, {"http://b.org/", "http://a.org/"}},
      sets, {});
  EXPECT_EQ(circle.moves.size(), 2u);
  EXPECT_EQ(circle.step.redirects_followed, 0u);
  const Landed twice = Follow(
      {"http://a.org/"},
      {{"http://a.org/", "http://b.org/"}, {"http://a.org/", "http://c.org/"}},
      sets, {"http://b.org/", "http://c.org/"});
  EXPECT_EQ(twice.targets.at("http://a.org/"), "http://c.org/");
  const Landed none = Follow({"http://a.org/"}, {}, sets, {});
  EXPECT_TRUE(none.moves.empty());
}

}  // namespace
}  // namespace twinset
