#include "twinset/index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "base/file.h"
#include "base/test_dir.h"
#include "live/index_fixture.h"
#include "store/test_util.h"
#include "twinset/collection.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

TEST_F(IndexTest, SaysWhatIsNewAndWhatIsThere) {
  Create();
  auto index = Open();
  const IndexAnswer first = AddOne(index.get(), "a", kText, "crawl 1");
  EXPECT_TRUE(first.is_new);
  EXPECT_EQ(first.id, "a");
  EXPECT_EQ(first.kept.id, "a");
  EXPECT_EQ(first.kept.copies, 1u);
  const IndexAnswer near =
      AddOne(index.get(), "b", kNear, "crawl 2", "2026-01-03");
  EXPECT_FALSE(near.is_new);
  EXPECT_EQ(near.kept.id, "a");
  EXPECT_GT(near.kept.similarity, 0.8);
  EXPECT_LT(near.kept.similarity, 1);
  EXPECT_LT(near.kept.contained, 1);
  EXPECT_GT(near.kept.contained, 0.9);
  const IndexAnswer copy =
      AddOne(index.get(), "c", kText, "crawl 2", "2026-01-05");
  EXPECT_FALSE(copy.is_new);
  EXPECT_EQ(copy.kept.id, "a");
  EXPECT_EQ(copy.kept.similarity, 1);
  EXPECT_EQ(copy.kept.copies, 2u);
  EXPECT_EQ(copy.kept.first_seen, "2026-01-02T00:00:00Z");
  EXPECT_EQ(copy.kept.last_seen, "2026-01-05T00:00:00Z");
  EXPECT_THAT(copy.kept.tags, ::testing::ElementsAre("crawl 1", "crawl 2"));
  EXPECT_TRUE(AddOne(index.get(), "d", kOther).is_new);

  const auto found = index->Query(DocumentOf(kText));
  ASSERT_TRUE(found);
  ASSERT_EQ(found->matches.size(), 3u);
  EXPECT_EQ(found->matches[0].id, "a");
  EXPECT_TRUE(found->matches[0].is_kept);
  EXPECT_EQ(found->matches[1].id, "c");
  EXPECT_EQ(found->matches[2].id, "b");
  EXPECT_EQ(index->Query(DocumentOf(kText), {2, false})->matches.size(), 2u);
  EXPECT_EQ(index->Query(DocumentOf(kText), {0, true})->matches.size(), 1u);
  const auto checked = index->Check(DocumentOf(kNear));
  ASSERT_TRUE(checked);
  ASSERT_EQ(checked->matches.size(), 1u);
  EXPECT_EQ(checked->matches[0].id, "a");

  const IndexStats stats = index->Stats();
  EXPECT_EQ(stats.documents, 4u);
  EXPECT_EQ(stats.kept, 2u);
  EXPECT_EQ(stats.dropped(), 2u);
  EXPECT_GE(stats.expected_recall, 0.9);
  ExpectSound(index.get());
}

TEST_F(IndexTest, ADocumentWithoutATextIsRejected) {
  Create();
  auto index = Open();
  IndexInput input = InputOf("a", "");
  input.document.has_text = false;
  EXPECT_EQ(index->Query(input.document)->rejected, "no-text-field");
  const auto answers = Add(index.get(), {input, InputOf("b", kText)});
  EXPECT_EQ(answers[0].rejected, "no-text-field");
  EXPECT_TRUE(answers[1].is_new);
  EXPECT_EQ(index->Stats().documents, 1u);
}

TEST_F(IndexTest, ARetryIsHarmlessAndOtherContentIsAnotherDocument) {
  Create();
  auto index = Open();
  AddOne(index.get(), "a", kText);
  const IndexAnswer again = AddOne(index.get(), "a", kText);
  EXPECT_FALSE(again.is_new);
  EXPECT_TRUE(again.is_repeated);
  EXPECT_EQ(again.kept.id, "a");
  EXPECT_EQ(again.kept.copies, 1u);
  const IndexAnswer other = AddOne(index.get(), "a", kOther);
  EXPECT_TRUE(other.is_new);
  EXPECT_EQ(other.id, "a#2");
  EXPECT_TRUE(AddOne(index.get(), "a", kOther).is_repeated);
  EXPECT_EQ(index->Stats().documents, 2u);
  // Without an id nothing is a retry.
  EXPECT_EQ(AddOne(index.get(), "", kText).id, "2");
  EXPECT_EQ(AddOne(index.get(), "", kText).id, "3");
  EXPECT_EQ(index->Stats().documents, 4u);
}

TEST_F(IndexTest, EveryVersionOfAnIdIsKnownAgain) {
  Create();
  auto index = Open();
  const auto versions = [] {
    std::vector<IndexInput> batch(600);
    for (size_t i = 0; i < batch.size(); ++i) {
      batch[i].document.id = "a";
      for (int word = 0; word < 12; ++word)
        batch[i].document.payload +=
            "w" + std::to_string(i * 100 + static_cast<size_t>(word)) + " ";
    }
    return batch;
  };
  for (const bool again : {false, true}) {
    const auto answers = index->CheckAndAdd(versions());
    ASSERT_TRUE(answers) << answers.error().ToString();
    for (size_t i = 0; i < answers->size(); ++i) {
      EXPECT_EQ((*answers)[i].is_repeated, again) << i;
      EXPECT_EQ((*answers)[i].id, i == 0 ? "a" : "a#" + std::to_string(i + 1));
    }
  }
  // A version that is gone is new when it comes again, behind the others.
  ASSERT_EQ(*index->Remove("a#7"), 1u);
  std::vector<IndexInput> one = versions();
  one = {one[6]};
  const auto back = index->CheckAndAdd(one);
  ASSERT_TRUE(back);
  EXPECT_FALSE((*back)[0].is_repeated);
  EXPECT_EQ((*back)[0].id, "a#601");
  EXPECT_TRUE((*index->CheckAndAdd(one))[0].is_repeated);
  ExpectSound(index.get());
}

TEST_F(IndexTest, ARemovalDecidesNothingAgainAndTellsWhatWasDroppedForIt) {
  Create();
  auto index = Open();
  AddOne(index.get(), "a", kText);
  AddOne(index.get(), "b", kNear);
  AddOne(index.get(), "c", kText);
  std::vector<std::string> told;
  const auto removed = index->Remove("a", [&](const IndexRemoval& removal) {
    told.push_back(removal.id + ":" + removal.dropped);
  });
  ASSERT_TRUE(removed);
  EXPECT_EQ(*removed, 1u);
  EXPECT_THAT(told, ::testing::UnorderedElementsAre("a:", "a:b", "a:c"));
  EXPECT_EQ(*index->Remove("a"), 0u);
  EXPECT_EQ(index->Stats().kept, 0u);
  EXPECT_EQ(index->Query(DocumentOf(kText))->matches.size(), 2u);
  EXPECT_TRUE(index->Check(DocumentOf(kText))->matches.empty());
  const IndexAnswer anew = AddOne(index.get(), "d", kText);
  EXPECT_TRUE(anew.is_new);
  EXPECT_EQ(anew.kept.copies, 2u);
  // The text of the class is now that of another document.
  ASSERT_TRUE(index->Compact());
  EXPECT_EQ(index->Query(DocumentOf(kText))->matches.size(), 3u);
  ExpectSound(index.get());
}

// No file of the index holds what was removed.
TEST_F(IndexTest, ACompactionTakesTextsOut) {
  Create();
  auto index = Open();
  const std::string secret = "zyxwvut";
  AddOne(index.get(), "the-secret-id", secret + " " + kText);
  AddOne(index.get(), "b", kOther);
  ASSERT_EQ(*index->Remove("the-secret-id"), 1u);
  const auto has_secret = [&] {
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      const std::string bytes = ReadAll(entry.path().string());
      if (bytes.find(secret) != bytes.npos ||
          bytes.find("the-secret-id") != bytes.npos)
        return true;
    }
    return false;
  };
  EXPECT_TRUE(has_secret());
  ASSERT_TRUE(index->Compact());
  EXPECT_FALSE(has_secret());
  ExpectSound(index.get());
  index.reset();
  index = Open();
  EXPECT_EQ(index->Stats().documents, 1u);
  EXPECT_EQ(index->Query(DocumentOf(kOther))->matches.size(), 1u);
}

// A few members of a bucket beyond its limit are compared, and the answer says
// so.
TEST_F(IndexTest, AHotBucketIsSaid) {
  IndexOptions options;
  options.method.bucket_limit = 3;
  Create(options);
  auto index = Open();
  // Families that share their first half: the same keys again and again.
  std::vector<IndexInput> batch;
  const std::string page = kText;
  for (int i = 0; i < 40; ++i)
    batch.push_back(InputOf("", page + " and number " + std::to_string(i)));
  bool is_bounded = false;
  for (const IndexAnswer& answer : Add(index.get(), batch))
    is_bounded |= answer.is_bounded;
  EXPECT_TRUE(is_bounded);
  const auto found = index->Query(DocumentOf(page + " and number 7"));
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->is_bounded);
  EXPECT_FALSE(found->matches.empty());
  EXPECT_FALSE(index->Query(DocumentOf(kOther))->is_bounded);
  ExpectSound(index.get());
}

// However many copies there are, they are one class: none of them is a key.
TEST_F(IndexTest, CopiesCostNoKeys) {
  Create();
  auto index = Open();
  std::vector<IndexInput> batch;
  for (int i = 0; i < 5000; ++i) batch.push_back(InputOf("", kText));
  EXPECT_EQ(Add(index.get(), batch).back().kept.copies, 5000u);
  const auto found = index->Query(DocumentOf(kText), {10, false});
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->is_bounded);
  EXPECT_EQ(found->matches.size(), 10u);
  EXPECT_EQ(index->Query(DocumentOf(kNear), {0, true})->matches[0].copies,
            5000u);
}

TEST_F(IndexTest, ExactComparesAtItsThreeLevels) {
  for (const CopyLevel level :
       {CopyLevel::kBytes, CopyLevel::kText, CopyLevel::kTokens}) {
    SCOPED_TRACE(ChoiceName(level));
    path_ = dir_ / std::string(ChoiceName(level));
    IndexOptions options;
    options.method.name = "exact";
    options.method.level = level;
    Create(options);
    auto index = Open();
    std::vector<std::string> texts = {"One two three", "One two three",
                                      "one, two three", "four", ""};
    CollectionOptions batch;
    batch.method = options.method;
    batch.features.template_blocks = TemplateRule::kKeep;
    batch.keep = {"first"};
    const auto dedup = Dedup(*FromTexts(texts), batch);
    ASSERT_TRUE(dedup);
    std::vector<uint64_t> kept;
    for (size_t i = 0; i < texts.size(); ++i)
      if (AddOne(index.get(), "", texts[i]).is_new) kept.push_back(i);
    EXPECT_EQ(kept, dedup->kept);
    EXPECT_EQ(kept.size(), level == CopyLevel::kTokens ? 3u : 4u);
    ExpectSound(index.get());
    index.reset();
    index = Open();
    EXPECT_FALSE(index->Query(DocumentOf(texts[0]))->matches.empty());
    ExpectSound(index.get());
  }
}

TEST_F(IndexTest, WhatAnIndexCannotHaveIsRefusedWithTheReason) {
  const auto refused = [&](const std::function<void(IndexOptions*)>& set) {
    IndexOptions options;
    set(&options);
    const Status made = Index::Create(path_, options);
    EXPECT_FALSE(made);
    EXPECT_FALSE(FileExists(path_ + "/index.manifest"));
    return made ? Error() : made.error();
  };
  const Error complete =
      refused([](IndexOptions* o) { o->method.name = "complete"; });
  EXPECT_EQ(complete.code, ErrorCode::kUnsupported);
  EXPECT_THAT(complete.remedy, HasSubstr("match INPUT --against"));
  EXPECT_EQ(refused([](IndexOptions* o) {
              o->method.measure = Measure::kContainment;
            }).code,
            ErrorCode::kUnsupported);
  EXPECT_EQ(refused([](IndexOptions* o) {
              o->method.name = "simhash";
              o->method.weights = FeatureWeights::kTfIdf;
            }).code,
            ErrorCode::kUnsupported);
  EXPECT_EQ(refused([](IndexOptions* o) { o->method.name = "mimhash"; }).code,
            ErrorCode::kUsage);
  Create();
  const Status again = Index::Create(path_);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kUsage);
}

TEST_F(IndexTest, OneWriterAndManyReaders) {
  Create();
  auto writer = Open();
  const auto second = Index::Open(path_);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kIo);
  EXPECT_THAT(second.error().message, HasSubstr("another process is writing"));
  IndexOpenOptions reading;
  reading.read_only = true;
  AddOne(writer.get(), "a", kText);
  const auto reader = Index::Open(path_, reading);
  ASSERT_TRUE(reader) << reader.error().ToString();
  // It sees what was there, whatever is written, merged and taken out since.
  std::vector<IndexInput> batch;
  TextMaker texts(4);
  for (int i = 0; i < 300; ++i) batch.push_back(InputOf("", texts.Next()));
  Add(writer.get(), batch);
  ASSERT_TRUE(writer->Remove("a"));
  ASSERT_TRUE(writer->Compact());
  EXPECT_EQ((*reader)->Stats().documents, 1u);
  EXPECT_EQ((*reader)->Query(DocumentOf(kText))->matches.size(), 1u);
  EXPECT_FALSE((*reader)->CheckAndAdd({InputOf("x", kText)}));
  EXPECT_FALSE((*reader)->Remove("a"));
  EXPECT_FALSE((*reader)->Compact());
  writer.reset();
  EXPECT_TRUE(Index::Open(path_));
}

TEST_F(IndexTest, ParametersThatAreAskedForMustBeThoseOfTheIndex) {
  Create();
  IndexOpenOptions options;
  options.expected = {{"threshold", "0.8"}, {"shingle", "word:5"}};
  EXPECT_TRUE(Index::Open(path_, options));
  options.expected = {{"threshold", "0.9"}};
  const auto other = Index::Open(path_, options);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message,
              ::testing::AllOf(HasSubstr("0.8"), HasSubstr("0.9")));
}

// Damage of any file is refused or repaired, and never answered over.
class DamageTest : public IndexTest {
 protected:
  void SetUp() override {
    IndexTest::SetUp();
    Create();
    auto index = Open();
    TextMaker texts(8);
    for (int i = 0; i < 200; ++i) {
      texts_.push_back(texts.Next());
      AddOne(index.get(), "d" + std::to_string(i), texts_.back());
      model_.Add("d" + std::to_string(i), texts_.back(), "");
    }
    for (int i = 0; i < 200; i += 9) {
      const std::string name = "d" + std::to_string(i);
      ASSERT_TRUE(index->Remove(name));
      model_.Remove([&](const auto& stored) { return stored.name == name; });
    }
    ASSERT_TRUE(index->Compact());
    for (int i = 0; i < 60; ++i) {
      AddOne(index.get(), "e" + std::to_string(i), texts_[i]);
      model_.Add("e" + std::to_string(i), texts_[i], "");
    }
  }
  std::vector<std::string> Files(const std::string& suffix) const {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      if (entry.path().string().ends_with(suffix))
        files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
  }
  // True when the index opens and all of its answers are right; false when
  // something is refused as damaged. Anything else is a failure.
  bool AnswersRight(bool repairs) {
    auto index = Index::Open(path_, Small());
    if (!index) {
      EXPECT_TRUE(index.error().code == ErrorCode::kCorrupt ||
                  index.error().code == ErrorCode::kUnsupported ||
                  index.error().code == ErrorCode::kUsage ||
                  index.error().code == ErrorCode::kIo)
          << index.error().ToString();
      return false;
    }
    if (repairs) {
      const auto findings = (*index)->Verify(true);
      EXPECT_TRUE(findings) << findings.error().ToString();
      const auto again = (*index)->Verify();
      EXPECT_TRUE(again && again->empty());
    }
    for (size_t i = 0; i < texts_.size(); i += 7) {
      const auto found = (*index)->Query(DocumentOf(texts_[i]));
      if (!found) {
        EXPECT_EQ(found.error().code, ErrorCode::kCorrupt)
            << found.error().ToString();
        return false;
      }
      std::map<std::string, double> names;
      for (const IndexMatch& match : found->matches)
        names[match.id] = match.similarity;
      EXPECT_EQ(names, model_.Query(texts_[i]));
    }
    return true;
  }

  ModelIndex model_;
  std::vector<std::string> texts_;
};

TEST_F(DamageTest, ARunThatIsGoneOrDamagedIsMadeAgain) {
  ASSERT_TRUE(AnswersRight(false));
  for (const std::string& run : Files(".run")) {
    const std::string bytes = ReadAll(run);
    for (const std::string& damaged :
         {std::string(), bytes.substr(0, bytes.size() / 2),
          bytes.substr(0, bytes.size() - 40) + std::string(40, '\0')}) {
      if (!FileExists(run)) break;  // made again under another name
      WriteAll(run, damaged);
      if (damaged.empty()) std::filesystem::remove(run);
      IndexOpenOptions reading = Small();
      reading.read_only = true;
      const auto read = Index::Open(path_, reading);
      ASSERT_FALSE(read);
      EXPECT_THAT(read.error().remedy, HasSubstr("--repair"));
      {
        const auto index = Open();
        ASSERT_NE(index, nullptr);
        EXPECT_THAT(index->Stats().repairs,
                    ::testing::ElementsAre(HasSubstr("made again")));
        ExpectSound(index.get());
      }
      EXPECT_TRUE(AnswersRight(false));
    }
  }
}

TEST_F(DamageTest, ASnapshotIsVerifiedBeforeItIsRestored) {
  const std::string copy = dir_ / "copy";
  ASSERT_TRUE(Open()->Snapshot(copy));
  ASSERT_TRUE(Index::Restore(copy, dir_ / "sound"));
  EXPECT_FALSE(Index::Restore(copy, dir_ / "sound"));  // it is there
  path_ = copy;
  // A snapshot that was written to is none.
  AddOne(Open().get(), "new", kText);
  const Status grown = Index::Restore(copy, dir_ / "grown");
  ASSERT_FALSE(grown);
  EXPECT_THAT(grown.error().remedy, HasSubstr("index snapshot"));
  path_ = dir_ / "sound";
  const std::string log = Files(".log").front();
  std::string bytes = ReadAll(log);
  bytes[bytes.size() / 2] ^= 1;
  std::filesystem::remove(log);  // other names keep their bytes
  WriteAll(log, bytes);
  const Status damaged = Index::Restore(path_, dir_ / "damaged");
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::kCorrupt);
  EXPECT_FALSE(FileExists(dir_ / "damaged"));
}

TEST_F(DamageTest, AFlippedBitIsNeverAnsweredOver) {
  constexpr int kFlips = TWINSET_SLOW_BUILD ? 6 : 12;  // of each kind of file
  const std::string copy = dir_ / "copy";
  std::filesystem::copy(path_, copy);
  std::mt19937_64 random(3);
  std::map<std::string, int> refused;
  for (const char* suffix : {".run", ".log", ".idx", ".manifest", ".key"}) {
    for (int i = 0; i < kFlips; ++i) {
      std::filesystem::remove_all(path_);
      std::filesystem::copy(copy, path_);
      const auto files = Files(suffix);
      ASSERT_FALSE(files.empty()) << suffix;
      const std::string file = files[random() % files.size()];
      std::string bytes = ReadAll(file);
      const size_t at = random() % bytes.size();
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
      WriteAll(file, bytes);
      if (std::string(suffix) == ".key")
        std::filesystem::permissions(file,
                                     std::filesystem::perms::owner_read |
                                         std::filesystem::perms::owner_write);
      SCOPED_TRACE(file + " at " + std::to_string(at));
      refused[suffix] += !AnswersRight(false);
      if (std::string(suffix) == ".run") {
        EXPECT_TRUE(AnswersRight(true));
      }
      if (HasFailure()) return;
    }
  }
  EXPECT_EQ(refused[".manifest"], kFlips);
  EXPECT_GT(refused[".log"], kFlips / 3);
}

// Random operations against the model, over everything that happens to files.
class AgainstModel : public IndexTest,
                     public ::testing::WithParamInterface<uint64_t> {
 protected:
  static std::map<std::string, double> Names(const IndexFound& found) {
    std::map<std::string, double> names;
    for (const IndexMatch& match : found.matches) {
      EXPECT_TRUE(names.emplace(match.id, match.similarity).second) << match.id;
    }
    return names;
  }
  void CompareAdds(const std::vector<IndexInput>& batch, bool replaces) {
    IndexAddOptions options;
    options.replaces = replaces;
    const auto made = index_->CheckAndAdd(batch, options);
    ASSERT_TRUE(made) << made.error().ToString();
    const auto& answers = *made;
    ASSERT_EQ(answers.size(), batch.size());
    for (size_t i = 0; i < batch.size(); ++i) {
      const auto said =
          model_.Add(batch[i].document.id, batch[i].document.payload,
                     batch[i].tag, replaces);
      replaced_ += said.replaced.size();
      ASSERT_EQ(std::set<std::string>(answers[i].replaced.begin(),
                                      answers[i].replaced.end()),
                said.replaced);
      ASSERT_EQ(answers[i].id, said.id);
      ASSERT_EQ(answers[i].is_new, said.is_new) << said.id;
      ASSERT_EQ(answers[i].is_repeated, said.is_repeated) << said.id;
      ASSERT_EQ(answers[i].kept.id, said.kept) << said.id;
      ASSERT_EQ(answers[i].kept.similarity, said.similarity) << said.id;
      ASSERT_EQ(answers[i].kept.copies, said.copies) << said.id;
    }
  }
  void CompareQueries(const std::string& text) {
    const auto found = index_->Query(DocumentOf(text));
    ASSERT_TRUE(found) << found.error().ToString();
    EXPECT_EQ(Names(*found), model_.Query(text));
    EXPECT_TRUE(std::is_sorted(found->matches.begin(), found->matches.end(),
                               [](const auto& x, const auto& y) {
                                 return x.similarity > y.similarity;
                               }));
    const auto kept = index_->Query(DocumentOf(text), {0, true});
    EXPECT_EQ(Names(*kept), model_.Query(text, {0, true}));
  }
  // Within or without some tags, kept or dropped.
  void CompareTags(const std::string& text, uint64_t seed) {
    const auto tags = index_->Stats().tags;
    if (tags.empty()) return;
    std::mt19937_64 random(seed);
    IndexQuery query;
    query.kept_only = random() % 4 == 0;
    for (auto* chosen : {&query.within_tags, &query.without_tags})
      for (uint64_t i = random() % 4; i > 0; --i)
        chosen->push_back(tags[random() % tags.size()]);
    const auto found = index_->Query(DocumentOf(text), query);
    ASSERT_TRUE(found) << found.error().ToString();
    const auto expected = model_.Query(text, query);
    EXPECT_EQ(Names(*found), expected);
    // A check tells one of equal documents, which are equally similar.
    if (!query.asks_tags()) return;
    query.kept_only = false;
    const auto all = model_.Query(text, query);
    query.limit = 0;
    const auto checked = Names(*index_->Check(DocumentOf(text), query));
    std::set<double> similarities, told;
    for (const auto& [name, similarity] : all) similarities.insert(similarity);
    for (const auto& [name, similarity] : checked) {
      EXPECT_EQ(all.at(name), similarity);
      told.insert(similarity);
    }
    EXPECT_EQ(told, similarities);
    tagged_ += all.size();
  }
  void CompareRemovals(bool by_tag, const std::string& name) {
    std::set<std::pair<std::string, std::string>> told;
    const auto sink = [&](const IndexRemoval& removal) {
      told.insert({removal.id, removal.dropped});
    };
    const auto removed =
        by_tag ? index_->RemoveTag(name, sink) : index_->Remove(name, sink);
    if (!removed && by_tag) {
      EXPECT_EQ(removed.error().code, ErrorCode::kNotFound);
      return;
    }
    ASSERT_TRUE(removed) << removed.error().ToString();
    EXPECT_EQ(told, model_.Remove([&](const ModelIndex::Stored& stored) {
      return by_tag ? stored.tag == name : stored.name == name;
    }));
  }
  void CompareStats() {
    const IndexStats stats = index_->Stats();
    EXPECT_EQ(stats.documents, model_.There().size());
    EXPECT_EQ(stats.kept, model_.Kept());
  }

  // Another index of the same documents decides as the model does of them.
  void CompareRebuilt() {
    MethodOptions method;
    method.threshold = 0.6;
    ModelIndex expected(method);
    std::map<std::string, std::string> names;  // of the model's own
    std::vector<std::pair<std::string, bool>> told;
    for (const ModelIndex::Stored& stored : model_.There())
      names[expected
                .Add(std::to_string(names.size()) + "-", stored.text,
                     stored.tag)
                .id] = stored.name;
    const Status made =
        index_->Rebuild(dir_ / "rebuilt", {{"threshold", "0.6"}});
    ASSERT_TRUE(made) << made.error().ToString();
    const auto index = Index::Open(dir_ / "rebuilt", Small());
    ASSERT_TRUE(index) << index.error().ToString();
    ExpectSound(index->get());
    ASSERT_TRUE((*index)->ForEach([&](const IndexEntry& entry) -> Result<bool> {
      told.emplace_back(entry.name, entry.is_kept);
      return true;
    }));
    std::vector<std::pair<std::string, bool>> wanted;
    for (size_t i = 0; i < expected.documents().size(); ++i) {
      const auto& stored = expected.documents()[i];
      wanted.emplace_back(names[stored.name], stored.kept_for == i);
    }
    EXPECT_EQ(told, wanted);
    for (const ModelIndex::Stored& stored : model_.There()) {
      std::map<std::string, double> found;
      for (const auto& [name, similarity] : expected.Query(stored.text))
        found[names[name]] = similarity;
      EXPECT_EQ(Names(*(*index)->Query(DocumentOf(stored.text))), found);
    }
    EXPECT_EQ((*index)->Stats().documents, index_->Stats().documents);
  }

  ModelIndex model_;
  std::unique_ptr<Index> index_;
  size_t tagged_ = 0, replaced_ = 0;
};

TEST_P(AgainstModel, RandomOperationsAnswerTheSame) {
  Create();
  index_ = Open();
  TextMaker texts(GetParam());
  auto& random = texts.random();
  std::vector<std::string> known;
  for (int step = 0; step < 120; ++step) {
    SCOPED_TRACE(step);
    const uint64_t what = random() % 20;
    if (what < 11) {
      std::vector<IndexInput> batch;
      for (uint64_t i = 1 + random() % 8; i > 0; --i) {
        const uint64_t id = random() % 120;
        if (known.empty() || random() % 6 > 0) known.push_back(texts.Next());
        batch.push_back(InputOf(
            id > 100 ? "" : "d" + std::to_string(id),
            random() % 5 > 0 ? known.back() : known[random() % known.size()],
            "tag" + std::to_string(random() % 9)));
      }
      CompareAdds(batch, random() % 3 == 0);
    } else if (what < 14) {
      CompareQueries(texts.Next());
      if (!known.empty()) CompareTags(known[random() % known.size()], random());
    } else if (what == 14) {
      const auto there = model_.There();
      CompareRemovals(
          false, there.empty() ? "none" : there[random() % there.size()].name);
    } else if (what == 15 && random() % 3 == 0) {
      CompareRemovals(true, "tag" + std::to_string(random() % 9));
    } else if (what == 16) {
      index_.reset();
      index_ = Open();
    } else if (what == 17 && random() % 3 == 0) {
      const Status done = index_->Compact();
      ASSERT_TRUE(done) << done.error().ToString();
    } else if (what == 18 && random() % 3 == 0) {
      const std::string copy = dir_ / ("copy" + std::to_string(step));
      const Status done = index_->Snapshot(copy);
      ASSERT_TRUE(done) << done.error().ToString();
      index_.reset();
      path_ = copy;
      if (random() % 2 == 0) {
        ASSERT_TRUE(Index::Restore(copy, copy + "-back"));
        path_ = copy + "-back";
      }
      index_ = Open();
    } else {
      ExpectSound(index_.get());
    }
    CompareStats();
    if (HasFatalFailure() || HasNonfatalFailure()) return;
  }
  CompareRebuilt();
  for (const std::string& text : known) CompareQueries(text);
  for (size_t i = 0; i < known.size(); ++i) CompareTags(known[i], i);
  EXPECT_GT(tagged_, 100u);
  EXPECT_GT(replaced_, 10u);
  ExpectSound(index_.get());
}

INSTANTIATE_TEST_SUITE_P(
    Seeds, AgainstModel,
    ::testing::Range(uint64_t{1}, uint64_t{TWINSET_SLOW_BUILD ? 3 : 5}));

}  // namespace
}  // namespace twinset
