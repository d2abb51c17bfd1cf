// An index whose writer dies: at every write by a full disk, and at any moment
// by a signal that nothing can catch. What was acknowledged is in, the rest is
// document by document in or out, and the answers are those of the model.
// TWINSET_LONG=1: 300 kills.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "base/file.h"
#include "base/test_dir.h"
#include "live/index_testing.h"

namespace twinset {
namespace {

struct Operation {
  enum Kind { kAdd, kRemove, kRemoveTag, kCompact, kDeclare } kind = kAdd;
  std::vector<IndexInput> batch;
  std::vector<IndexDeclaration> captures;
  std::string name;
  bool replaces = false;
};

// The same operations for the same seed.
class Operations {
 public:
  explicit Operations(uint64_t seed) : texts_(seed, 8) {}

  Operation Next() {
    auto& random = texts_.random();
    Operation operation;
    const uint64_t what = random() % 12;
    if (what == 0) {
      operation.kind = Operation::kRemove;
      operation.name = "d" + std::to_string(random() % 60);
    } else if (what == 1 && random() % 3 == 0) {
      operation.kind = Operation::kRemoveTag;
      operation.name = "t" + std::to_string(random() % 6);
    } else if (what == 2 && random() % 2 == 0) {
      operation.kind = Operation::kCompact;
    } else if (what == 3) {
      operation.kind = Operation::kDeclare;
      for (uint64_t i = 1 + random() % 9; i > 0; --i)
        operation.captures.push_back(
            {"http://list/", "20250102030405",
             CaptureDigest(std::to_string(random() % 500)), "list"});
    } else {
      operation.replaces = what % 2 == 0;
      for (uint64_t i = 1 + random() % 9; i > 0; --i) {
        operation.batch.push_back(InputOf("d" + std::to_string(random() % 60),
                                          texts_.Next(),
                                          "t" + std::to_string(random() % 6)));
      }
    }
    return operation;
  }
  TextMaker& texts() { return texts_; }

 private:
  TextMaker texts_;
};

Status Do(const Operation& operation, Index* index) {
  switch (operation.kind) {
    case Operation::kAdd: {
      IndexAddOptions options;
      options.replaces = operation.replaces;
      TWINSET_TRY(index->CheckAndAdd(operation.batch, options));
      return {};
    }
    case Operation::kRemove:
      TWINSET_TRY(index->Remove(operation.name));
      return {};
    case Operation::kRemoveTag: {
      const auto removed = index->RemoveTag(operation.name);
      if (!removed && removed.error().code != ErrorCode::kNotFound)
        return tl::unexpected(removed.error());
      return {};
    }
    case Operation::kCompact:
      return index->Compact();
    case Operation::kDeclare:
      TWINSET_TRY(index->Declare(operation.captures));
      return {};
  }
  return {};
}

void RemoveOf(const Operation& operation, ModelIndex* model) {
  model->Remove([&](const ModelIndex::Stored& stored) {
    return operation.kind == Operation::kRemove ? stored.name == operation.name
                                                : stored.tag == operation.name;
  });
}

// Returns true iff an index tells of every capture that was declared.
bool Declares(Index* index, const Operation& operation) {
  const auto stored = index->Declare(operation.captures);
  return stored && *stored == 0;
}

void DoInModel(const Operation& operation, ModelIndex* model) {
  for (const IndexInput& input : operation.batch)
    model->Add(input.document.id, input.document.payload, input.tag,
               operation.replaces);
  if (operation.kind == Operation::kRemove ||
      operation.kind == Operation::kRemoveTag)
    RemoveOf(operation, model);
}

// Does in the model what the index has of an operation that was cut off.
void DoWhatIsThere(const Operation& operation, const IndexStats& stats,
                   ModelIndex* model) {
  for (const IndexInput& input : operation.batch) {
    if (model->documents().size() == stats.arrivals) break;
    model->Add(input.document.id, input.document.payload, input.tag,
               operation.replaces);
  }
  if (stats.documents == model->There().size()) return;
  // Documents of one class go together: those that are in the index stay.
  RemoveOf(operation, model);
}

IndexOpenOptions SmallRuns(bool relaxed = false) {
  IndexOpenOptions options;
  options.run_postings = 300;
  options.threads = 1;
  options.durability = relaxed ? Durability::kRelaxed : Durability::kSynced;
  return options;
}

class IndexCrashTest : public ::testing::Test {
 protected:
  void TearDown() override { SetFileFault({}); }

  std::unique_ptr<Index> MustOpen(const std::string& path,
                                  bool relaxed = false) {
    auto index = Index::Open(path, SmallRuns(relaxed));
    EXPECT_TRUE(index) << index.error().ToString();
    return index ? std::move(*index) : nullptr;
  }
  // Verified, and of the same answers.
  void ExpectSame(Index* index, const ModelIndex& model, TextMaker* texts,
                  size_t queries) {
    const auto findings = index->Verify();
    ASSERT_TRUE(findings) << findings.error().ToString();
    for (const std::string& finding : *findings) ADD_FAILURE() << finding;
    EXPECT_EQ(index->Stats().documents, model.There().size());
    EXPECT_EQ(index->Stats().kept, model.Kept());
    for (size_t i = 0; i < queries; ++i) {
      const std::string text = texts->Next();
      const auto found = index->Query(DocumentOf(text));
      ASSERT_TRUE(found) << found.error().ToString();
      std::map<std::string, double> names;
      for (const IndexMatch& match : found->matches)
        names[match.id] = match.similarity;
      ASSERT_EQ(names, model.Query(text));
    }
  }
  const TestDir dir_;
};

TEST_F(IndexCrashTest, AFullDiskAtAnyWriteLosesNothingThatWasAcknowledged) {
  constexpr int kOperations = 40;
  std::atomic<int> writes = 0;
  const auto run = [&](const std::string& path, ModelIndex* model,
                       std::optional<Operation>* cut_off) {
    Operations operations(5);
    auto index = Index::Open(path, SmallRuns());
    for (int i = 0; index && i < kOperations; ++i) {
      const Operation operation = operations.Next();
      const Status done = Do(operation, index->get());
      if (!done) {
        EXPECT_EQ(done.error().code, ErrorCode::kIo);
        *cut_off = operation;
        // Nothing is believed any more until it is opened again.
        EXPECT_FALSE(
            (*index)->CheckAndAdd({InputOf("x", "one two three four five")}));
        return;
      }
      DoInModel(operation, model);
    }
  };
  ASSERT_TRUE(Index::Create(dir_ / "count"));
  SetFileFault([&](const std::string&, size_t) { return ++writes, 0; });
  {
    ModelIndex model;
    std::optional<Operation> cut_off;
    run(dir_ / "count", &model, &cut_off);
    ASSERT_FALSE(cut_off);
  }
  const int total = writes;
  ASSERT_GT(total, 60);
  const bool is_long = std::getenv("TWINSET_LONG") != nullptr;
  const int step = is_long ? 1 : std::max(1, total / 40);
  for (int fail_at = 1; fail_at <= total; fail_at += step) {
    SCOPED_TRACE("write " + std::to_string(fail_at));
    SetFileFault({});
    const std::string path = dir_ / std::to_string(fail_at);
    ASSERT_TRUE(Index::Create(path));
    writes = 0;
    SetFileFault([&](const std::string&, size_t) {
      return ++writes >= fail_at ? ENOSPC : 0;
    });
    ModelIndex model;
    std::optional<Operation> cut_off;
    run(path, &model, &cut_off);
    SetFileFault({});
    auto index = MustOpen(path);
    ASSERT_NE(index, nullptr);
    if (cut_off) DoWhatIsThere(*cut_off, index->Stats(), &model);
    TextMaker texts(1, 8);
    ExpectSame(index.get(), model, &texts, 4);
    if (HasFatalFailure() || HasNonfatalFailure()) return;
    index.reset();
    std::filesystem::remove_all(path);
  }
}

// Works until it is killed, and writes a byte for each operation that is
// acknowledged.
[[noreturn]] void WorkUntilKilled(const std::string& path, bool relaxed,
                                  Operations operations, int acknowledged) {
  auto index = Index::Open(path, SmallRuns(relaxed));
  if (!index) _exit(1);
  for (;;) {
    if (!Do(operations.Next(), index->get())) _exit(2);
    const char byte = 'a';
    if (::write(acknowledged, &byte, 1) != 1) _exit(3);
  }
}

TEST_F(IndexCrashTest, AKillAtAnyMomentLosesNothingThatWasAcknowledged) {
  const int kills = std::getenv("TWINSET_LONG") != nullptr ? 300 : 25;
  std::mt19937_64 random(3);
  std::string path;
  std::optional<ModelIndex> model;
  uint64_t operations_done = 0;
  for (int kill = 0; kill < kills; ++kill) {
    SCOPED_TRACE("kill " + std::to_string(kill));
    if (!model || model->documents().size() > 900) {
      path = dir_ / ("index" + std::to_string(kill));
      ASSERT_TRUE(Index::Create(path));
      model.emplace();
    }
    const bool relaxed = kill % 3 == 2;
    Operations operations(random());
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ::close(ends[0]);
      WorkUntilKilled(path, relaxed, operations, ends[1]);
    }
    ::close(ends[1]);
    std::this_thread::sleep_for(
        std::chrono::microseconds(2000 + random() % 150'000));
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << WEXITSTATUS(status);
    char byte = 0;
    std::vector<Operation> declared;
    while (::read(ends[0], &byte, 1) == 1) {
      const Operation operation = operations.Next();
      DoInModel(operation, &*model);
      if (operation.kind == Operation::kDeclare) declared.push_back(operation);
      ++operations_done;
    }
    ::close(ends[0]);
    auto index = MustOpen(path);
    ASSERT_NE(index, nullptr);
    for (const Operation& operation : declared)
      EXPECT_TRUE(Declares(index.get(), operation));
    DoWhatIsThere(operations.Next(), index->Stats(), &*model);
    ExpectSame(index.get(), *model, &operations.texts(), 5);
    if (HasFatalFailure() || HasNonfatalFailure()) return;
  }
  EXPECT_GT(operations_done, static_cast<uint64_t>(kills));
}

}  // namespace
}  // namespace twinset
