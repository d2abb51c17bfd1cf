// Documents found by the names that a run gives them.
#include "documents/find_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "base/test_dir.h"
#include "twinset/json.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

// The names of documents by the rule itself: an id that comes again gets the
// next number from 2 on with which no document is called already.
std::vector<std::string> NamesOf(const std::vector<std::string>& ids) {
  const std::set<std::string> own(ids.begin(), ids.end());
  std::set<std::string> seen, given;
  std::vector<std::string> names;
  for (const std::string& id : ids) {
    std::string name = id;
    for (int number = 2; !seen.insert(id).second; ++number) {
      name = id + "#" + std::to_string(number);
      if (!own.contains(name) && given.insert(name).second) break;
    }
    names.push_back(name);
  }
  return names;
}

class FindDocumentTest : public ::testing::Test {
 protected:
  void Write(const std::vector<std::string>& ids) {
    std::string rows;
    for (size_t i = 0; i < ids.size(); ++i)
      rows +=
          Json{{"id", ids[i]}, {"text", "text " + std::to_string(i)}}.dump() +
          "\n";
    ASSERT_TRUE(WriteWholeFile(path_, rows));
  }
  Result<DocumentText> Find(const std::string& name) {
    InputOptions input;
    input.inputs = {path_};
    return FindDocument(name, input, {});
  }
  TestDir folder_;
  const std::string path_ = folder_ / "corpus.jsonl";
};

TEST_F(FindDocumentTest, EveryDocumentHasTheNameThatARunGives) {
  SplitMix64 random(1);
  const std::vector<std::string> kIds = {"a",    "a#2",   "a#3",
                                         "a#02", "a#2#2", "b"};
  for (int round = 0; round < 8; ++round) {
    std::vector<std::string> ids(1 + random.Below(9));
    for (std::string& id : ids) id = kIds[random.Below(kIds.size())];
    Write(ids);
    const auto names = NamesOf(ids);
    for (size_t i = 0; i < names.size(); ++i) {
      const auto found = Find(names[i]);
      ASSERT_TRUE(found) << names[i] << ": " << found.error().ToString();
      EXPECT_EQ(found->text, "text " + std::to_string(i)) << names[i];
      EXPECT_EQ(found->id, names[i]);
    }
    for (const char* absent : {"a#99", "a#0", "a#1", "a#", "c", "#2", ""}) {
      const auto found = Find(absent);
      ASSERT_FALSE(found) << absent;
      EXPECT_EQ(found.error().code, ErrorCode::kUsage);
    }
  }
}

// A large number is no work.
TEST_F(FindDocumentTest, ANumberThatNobodyReachesIsNotCountedTo) {
  Write({"a", "a", "a#3", "a"});
  for (const char* absent : {"a#999999999", "a#1000000000", "a#5"})
    EXPECT_FALSE(Find(absent)) << absent;
  const auto last = Find("a#4");
  ASSERT_TRUE(last);
  EXPECT_EQ(last->text, "text 3");
}

TEST_F(FindDocumentTest, ErrorsSayWhatToDo) {
  ASSERT_TRUE(WriteWholeFile(path_,
                             "{\"id\":\"x\",\"text\":\"words\"}\n"
                             "{\"id\":\"y\"}\n"));
  EXPECT_THAT(Find("z").error().remedy,
              HasSubstr("twinset text --json lists the ids"));
  EXPECT_THAT(Find("y").error().remedy,
              HasSubstr("a record of that id is no document: no-text-field"));
  InputOptions standard_input;
  standard_input.inputs = {"-"};
  EXPECT_EQ(FindDocument("x", standard_input, {}).error().code,
            ErrorCode::kUsage);
}

// Without inputs the name is that of a file, which holds one document.
TEST_F(FindDocumentTest, AFileIsADocumentWhenItHoldsOne) {
  Write({"a"});
  EXPECT_EQ(FindDocument(path_, {}, {})->id, "a");
  Write({"a", "b", "c"});
  const auto several = FindDocument(path_, {}, {});
  ASSERT_FALSE(several);
  EXPECT_EQ(several.error().where, path_);
  EXPECT_THAT(several.error().message, HasSubstr("'a', 'b' ..."));
  EXPECT_THAT(several.error().remedy, HasSubstr("--in " + path_ + " 'a' 'b'"));
  Write({});
  EXPECT_THAT(FindDocument(path_, {}, {}).error().ToString(),
              HasSubstr("the file holds no document"));
}

}  // namespace
}  // namespace twinset
