#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <random>

#include "live/index_fixture.h"
#include "twinset/index.h"

namespace twinset {
namespace {

IndexDeclaration Declared(const std::string& text, const std::string& tag = "",
                          const std::string& url = "http://list/") {
  return {url, "20250102030405", CaptureDigest(text), tag};
}

class DeclaredTest : public IndexTest {
 protected:
  static uint64_t Declare(Index* index, std::vector<IndexDeclaration> all) {
    const auto stored = index->Declare(all);
    EXPECT_TRUE(stored) << stored.error().ToString();
    return stored ? *stored : 0;
  }
  // The tag under which a text is declared; "-": it is not.
  static std::string TagOf(const Index& index, const std::string& text) {
    const auto found = index.Check(DocumentOf(text));
    EXPECT_TRUE(found) << found.error().ToString();
    return found->declared ? found->declared->tag : "-";
  }
};

TEST_F(DeclaredTest, WhatAListDeclaresIsToldAndDecidesNothing) {
  Create();
  auto index = Open();
  EXPECT_EQ(Declare(index.get(), {Declared(kText, "old"),
                                  Declared(kText, "old", "http://again/"),
                                  Declared(kOther)}),
            2u);
  EXPECT_EQ(Declare(index.get(), {Declared(kText, "old")}), 0u);
  EXPECT_EQ(index->Stats().declared, 2u);
  EXPECT_EQ(index->Stats().documents, 0u);
  const auto found = index->Check(DocumentOf(kText));
  ASSERT_TRUE(found && found->declared);
  EXPECT_TRUE(found->matches.empty());
  EXPECT_EQ(found->declared->url, "http://list/");
  EXPECT_EQ(found->declared->tag, "old");
  EXPECT_EQ(found->declared->seen, "2025-01-02T03:04:05Z");
  EXPECT_EQ("sha1:" + CaptureDigest(kText), found->declared->digest);
  // Nobody asks for it in a query, and bytes that differ are another payload.
  EXPECT_FALSE(index->Query(DocumentOf(kText))->declared);
  EXPECT_FALSE(index->Check(DocumentOf(kNear))->declared);

  const IndexAnswer added = AddOne(index.get(), "a", kText);
  EXPECT_TRUE(added.is_new);
  EXPECT_TRUE(added.is_stored());
  ASSERT_TRUE(added.declared);
  EXPECT_EQ(added.declared->tag, "old");
  EXPECT_EQ(index->Stats().documents, 1u);
  ExpectSound(index.get());
}

TEST_F(DeclaredTest, WhoTrustsAListDropsWhatItDeclares) {
  Create();
  auto index = Open();
  Declare(index.get(), {Declared(kText, "old")});
  IndexAddOptions trusts;
  trusts.trusts_declared = true;
  const auto answers =
      index->CheckAndAdd({InputOf("a", kText), InputOf("b", kNear)}, trusts);
  ASSERT_TRUE(answers) << answers.error().ToString();
  EXPECT_FALSE((*answers)[0].is_new);
  EXPECT_FALSE((*answers)[0].is_stored());
  EXPECT_EQ((*answers)[0].id, "a");
  ASSERT_TRUE((*answers)[0].declared);
  EXPECT_TRUE((*answers)[1].is_new);
  EXPECT_EQ(index->Stats().documents, 1u);
  EXPECT_FALSE(*index->Find("a"));
  // What is stored goes before what is declared.
  const auto again = index->CheckAndAdd({InputOf("c", kText)}, trusts);
  EXPECT_EQ((*again)[0].kept.id, "b");
  EXPECT_TRUE((*again)[0].is_stored());
}

TEST_F(DeclaredTest, ThePayloadOfAnArchiveIsWhatCounts) {
  Create();
  auto index = Open();
  Declare(index.get(), {Declared("packed")});
  IndexQuery query;
  query.stored = "packed";
  EXPECT_TRUE(index->Check(DocumentOf(kText), query)->declared);
  IndexInput input = InputOf("a", kText);
  input.is_stored = true;
  input.stored = "packed";
  EXPECT_TRUE(Add(index.get(), {input})[0].declared);
}

TEST_F(DeclaredTest, NoDigestIsRefusedBeforeAnythingIsStored) {
  Create();
  auto index = Open();
  IndexDeclaration bad = Declared(kOther);
  bad.digest = "md5:d41d8cd98f00b204e9800998ecf8427e";
  const auto refused = index->Declare(std::vector{Declared(kText), bad});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  EXPECT_EQ(index->Stats().declared, 0u);
  EXPECT_EQ(Declare(index.get(), {Declared(kText)}), 1u);
}

// Over everything that happens to files.
TEST_F(DeclaredTest, RandomOperationsAnswerTheSame) {
  Create();
  auto index = Open();
  std::mt19937_64 random(5);
  std::map<std::string, std::vector<std::string>> tags;  // of texts, in order
  const auto text = [](uint64_t number) {
    return "the text of document number " + std::to_string(number) +
           " that a list declares";
  };
  const auto removes = [&](const std::string& tag) {
    uint64_t count = 0;
    for (auto& [of, list] : tags) count += std::erase(list, tag);
    return count;
  };
  std::set<std::string> added;
  for (int step = 0; step < 150; ++step) {
    SCOPED_TRACE(step);
    const std::string tag = "t" + std::to_string(random() % 4);
    switch (random() % 12) {
      case 0: {
        const bool is_known = index->HasTag(tag);
        const auto removed = index->RemoveTag(tag);
        ASSERT_EQ(removed.has_value(), is_known);
        if (removed) {
          EXPECT_EQ(*removed, removes(tag));
        }
        break;
      }
      case 1:
        index.reset();
        if (random() % 2 == 0) {
          for (const auto& file : std::filesystem::directory_iterator(path_))
            if (file.path().extension() == ".run")
              std::filesystem::remove(file.path());
        }
        index = Open();
        break;
      case 2:
        ASSERT_TRUE(index->Compact());
        break;
      case 3: {
        const std::string copy = dir_ / ("copy" + std::to_string(step));
        ASSERT_TRUE(index->Snapshot(copy));
        index.reset();
        path_ = copy;
        index = Open();
        break;
      }
      case 4:
        ExpectSound(index.get());
        break;
      default: {
        std::vector<IndexDeclaration> batch;
        uint64_t expected = 0;
        for (uint64_t i = 1 + random() % 30; i > 0; --i) {
          const std::string one = text(random() % 200);
          auto& list = tags[one];
          batch.push_back(Declared(one, tag));
          if (std::find(list.begin(), list.end(), tag) != list.end()) continue;
          list.push_back(tag);
          ++expected;
        }
        EXPECT_EQ(Declare(index.get(), batch), expected);
      }
    }
    uint64_t declared = 0;
    for (const auto& [of, list] : tags) declared += list.size();
    ASSERT_EQ(index->Stats().declared, declared);
    const std::string one = text(random() % 200);
    ASSERT_EQ(TagOf(*index, one), tags[one].empty() ? "-" : tags[one].back());
  }
  EXPECT_GT(index->Stats().runs, 0u);
  // What is removed is in no file.
  removes("t0");
  (void)index->RemoveTag("t0");
  Declare(index.get(), {Declared(kText, "gone", "http://nobody-has-this/")});
  ASSERT_TRUE(index->RemoveTag("gone"));
  ASSERT_TRUE(index->Compact());
  ExpectSound(index.get());
  for (const auto& file : std::filesystem::directory_iterator(path_))
    EXPECT_EQ(
        ReadWholeFile(file.path().string(), 1 << 30)->find("nobody-has-this"),
        std::string::npos)
        << file.path();
}

}  // namespace
}  // namespace twinset
