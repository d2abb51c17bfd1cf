// The join when its postings are in files: whatever happens to these, it ends
// with an error that names a file, or emits every pair.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <system_error>
#include <vector>

#include "base/test_dir.h"
#include "candidate/complete/prefix_join.h"
#include "candidate/complete/prefix_join_testing.h"

namespace twinset {
namespace {

namespace fs = std::filesystem;

// The least that a join takes, which the documents below do not fit into.
constexpr uint64_t kLeastMemory = 4 << 20;
const JoinOf kSmallJoin{JoinMeasure::kJaccard, 0.3, 1, 0, kLeastMemory};
const JoinOf kInFiles = WithCountsInFiles(kSmallJoin);

// Twins of 40 elements of which 38 are the same, and most of them in some other
// document too. Hashes begin with `zeros` bits of zero: if there are any, one
// slice is larger than memory and has to be divided.
std::vector<Values> Twins(int zeros) {
  SplitMix64 random(3);
  std::vector<Values> documents;
  for (size_t d = 0; d < 4000; ++d) {
    Values values(40);
    if (d % 2 == 1) values = documents.back();
    for (size_t i = d % 2 == 0 ? 0 : 38; i < values.size(); ++i)
      values[i] = Mix64(random.Below(40000) + 1) >> zeros;
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    documents.push_back(values);
  }
  return documents;
}

struct Outcome {
  Status status;
  Pairs pairs;
};

// `before` is called between the last Add and Join, `at` with each pair.
Outcome Join(
    const JoinOf& of, const std::vector<Values>& documents,
    const std::string& directory, const std::function<void()>& before = [] {},
    const std::function<void(const CandidatePair&)>& at =
        [](const CandidatePair&) {}) {
  Outcome outcome;
  MemoryBudget budget(2 * of.memory_bytes);
  {
    auto join = FilledJoin(of, documents, directory, &budget);
    if (!join) {
      outcome.status = tl::unexpected(join.error());
    } else {
      before();
      outcome.status = (*join)->Join([&](const CandidatePair& pair) -> Status {
        outcome.pairs.insert({pair.a, pair.b});
        at(pair);
        return {};
      });
    }
  }
  EXPECT_EQ(budget.used_bytes(), 0u);
  return outcome;
}

void ExpectError(const Outcome& outcome, ErrorCode code,
                 const std::string& part) {
  ASSERT_FALSE(outcome.status.has_value());
  EXPECT_EQ(outcome.status.error().code, code);
  EXPECT_NE(outcome.status.error().ToString().find(part), std::string::npos)
      << outcome.status.error().ToString() << " does not say " << part;
}

TEST(PrefixJoinFiles, AWorkFolderThatIsNotThere) {
  TestDir folder;
  ExpectError(Join(kSmallJoin, Twins(0), folder / "gone"), ErrorCode::kIo,
              folder / "gone/prefixes-0.run");
  ExpectError(Join(kInFiles, Twins(0), folder / "gone"), ErrorCode::kIo,
              folder / "gone/elements-0.run");
}

// Slices are written to the end, and cannot be opened or divided.
TEST(PrefixJoinFiles, AWorkFolderThatGoesAway) {
  for (const int zeros : {0, 5}) {
    const TestDir folder;
    const Outcome outcome = Join(kSmallJoin, Twins(zeros), folder.path(), [&] {
      EXPECT_GT(folder.FileCount(), 1u);
      fs::remove_all(folder.path());
    });
    ExpectError(outcome, ErrorCode::kIo,
                folder / (zeros == 0 ? "prefixes-0.run" : "prefixes-0.-0.run"));
  }
}

// Calls `body` with the number of each of about 25 of the writes of a join, and
// what that join emits if nothing is in its way.
void ForSomeWrites(const JoinOf& of, const std::vector<Values>& documents,
                   const std::function<void(int, const Pairs&)>& body) {
  TestDir folder;
  int writes = 0, divided = 0;
  SetFileFault([&](const std::string& path, size_t) {
    divided += path.find("/prefixes-0.0.-") != std::string::npos;
    return ++writes, 0;
  });
  const Outcome whole = Join(of, documents, folder.path());
  SetFileFault({});
  ASSERT_TRUE(whole.status.has_value());
  EXPECT_EQ(folder.FileCount(), 0u);
  EXPECT_GT(divided, 0) << "no slice was divided twice";
  for (uint64_t d = 0; d < documents.size(); d += 2)
    ASSERT_TRUE(whole.pairs.contains({d, d + 1})) << d;
  for (int write = 1; write <= writes; write += 1 + writes / 25)
    body(write, whole.pairs);
}

TEST(PrefixJoinFiles, AFullDiskAtAnyWrite) {
  const auto documents = Twins(5);
  for (const JoinOf& of : {kSmallJoin, kInFiles}) {
    ForSomeWrites(of, documents, [&](int write, const Pairs&) {
      TestDir folder;
      int writes = 0;
      SetFileFault([&](const std::string&, size_t) {
        return ++writes >= write ? ENOSPC : 0;
      });
      const Outcome outcome = Join(of, documents, folder.path());
      SetFileFault({});
      ExpectError(outcome, ErrorCode::kIo, "No space left");
      ExpectError(outcome, ErrorCode::kIo, folder / "");
      EXPECT_EQ(folder.FileCount(), 0u);
    });
  }
}

enum class Damage { kBit, kCut, kEmpty, kGone };

// To a file that others may have open, or remove at the same time.
void DamageFile(const fs::path& path, Damage damage) {
  std::error_code gone;
  const uint64_t size = fs::file_size(path, gone);
  if (gone) return;
  if (damage == Damage::kGone) {
    fs::remove(path, gone);
  } else if (damage != Damage::kBit) {
    fs::resize_file(path, damage == Damage::kCut ? size / 2 : 0, gone);
  } else if (size > 0) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    const auto at = static_cast<std::streamoff>(size / 3 * 2);
    const int byte = file.seekg(at).get();
    file.seekp(at).put(static_cast<char>(byte ^ 4));
  }
}

void DamageFiles(const TestDir& folder, Damage damage) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder.path()))
    paths.push_back(entry.path());
  for (const fs::path& path : paths) DamageFile(path, damage);
}

// All files there are, finished or not, are damaged before a write. What was
// read to its end by then cannot hurt.
void DamageAtAnyTime(const JoinOf& of, Damage damage) {
  const auto documents = Twins(5);
  int joins = 0, errors = 0;
  ForSomeWrites(of, documents, [&](int write, const Pairs& expected) {
    TestDir folder;
    int writes = 0;
    SetFileFault([&](const std::string&, size_t) {
      if (++writes == write) DamageFiles(folder, damage);
      return 0;
    });
    const Outcome outcome = Join(of, documents, folder.path());
    SetFileFault({});
    ++joins;
    if (outcome.status) {
      EXPECT_EQ(outcome.pairs, expected) << "write " << write;
      return;
    }
    ++errors;
    ExpectError(outcome,
                damage == Damage::kGone ? ErrorCode::kIo : ErrorCode::kCorrupt,
                folder / "");
  });
  EXPECT_GT(joins, 20);
  EXPECT_GT(errors, joins / 2) << static_cast<int>(damage);
}

TEST(PrefixJoinFiles, DamageAtAnyTimeIsAnErrorNeverAMissingPair) {
  for (const JoinOf& of : {kSmallJoin, kInFiles}) {
    for (const Damage damage :
         {Damage::kBit, Damage::kCut, Damage::kEmpty, Damage::kGone}) {
      if (TWINSET_SLOW_BUILD && damage != Damage::kBit &&
          damage != Damage::kGone)
        continue;
      DamageAtAnyTime(of, damage);
    }
  }
}

// A fold that memory does not hold is read once for each of its blocks. The
// damage comes with the pairs of the first block.
TEST(PrefixJoinFiles, DamageToAFoldBeyondMemoryIsAnError) {
  constexpr uint64_t kEqual = 24000, kTwins = 1500;
  std::vector<Values> documents(kEqual, {Mix64(7)});
  for (const bool stored : {false, true}) {
    for (uint64_t d = 0; d < kTwins; ++d) {
      Values values;
      for (uint64_t i = 0; i < 40; ++i)
        values.push_back(Mix64(100 + d * 40 + i));
      std::sort(values.begin(), values.end());
      documents.push_back(values);
    }
    if (stored) documents.push_back({Mix64(7)});
  }
  const JoinOf of{JoinMeasure::kJaccard, 0.3, 4, kEqual + kTwins, kLeastMemory};
  const TestDir folder;
  bool damaged = false;
  const Outcome outcome = Join(
      of, documents, folder.path(), [] {},
      [&](const CandidatePair& pair) {
        if (pair.a < kEqual && !damaged) DamageFiles(folder, Damage::kCut);
        damaged = damaged || pair.a < kEqual;
      });
  EXPECT_TRUE(damaged);
  ExpectError(outcome, ErrorCode::kCorrupt, folder / "prefixes-");
}

}  // namespace
}  // namespace twinset
