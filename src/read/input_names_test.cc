#include "read/input_names.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/test_dir.h"
#include "read/reader.h"
#include "twinset/names.h"

namespace twinset::inline v1 {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

class InputNames : public testing::Test {
 protected:
  void Write(const std::string& name) {
    fs::create_directories(fs::path(dir_ / name).parent_path());
    ASSERT_TRUE(WriteWholeFile(dir_ / name, "x").has_value());
  }
  Strings NamesOf(const Strings& arguments, const ListingOptions& how = {}) {
    Strings paths, names;
    for (const std::string& argument : arguments)
      paths.push_back(argument == "-" ? argument : dir_ / argument);
    const auto files = ListInputs(paths, how);
    EXPECT_TRUE(files.has_value()) << files.error().ToString();
    if (!files) return names;
    for (const InputFile& file : *files) names.push_back(file.source);
    return names;
  }

  TestDir dir_;
};

TEST_F(InputNames, AsManyFoldersAsItTakes) {
  for (const char* name : {"a/en/x.jsonl", "b/en/x.jsonl", "b/de/x.jsonl",
                           "y.jsonl", "b/en/z.csv"})
    Write(name);
  EXPECT_EQ(NamesOf({"a/en/x.jsonl", "y.jsonl", "b/de/x.jsonl"}),
            (Strings{"en/x.jsonl", "y.jsonl", "de/x.jsonl"}));
  EXPECT_EQ(NamesOf({"a/en/x.jsonl", "b/en/x.jsonl", "b/de/x.jsonl"}),
            (Strings{"a/en/x.jsonl", "b/en/x.jsonl", "b/de/x.jsonl"}));
  // Files of folders, and of patterns.
  EXPECT_EQ(
      NamesOf({"a/en", "b/en", "b/de"}),
      (Strings{"a/en/x.jsonl", "b/en/x.jsonl", "en/z.csv", "de/x.jsonl"}));
  EXPECT_EQ(NamesOf({"*/en/x.jsonl"}),
            (Strings{"a/en/x.jsonl", "b/en/x.jsonl"}));
}

// A name that another file has already is not given.
TEST_F(InputNames, ALongerNameIsNobodyElses) {
  for (const char* name : {"q/a/x", "p/a/x", "p/b/x"}) Write(name);
  EXPECT_EQ(NamesOf({"q/a", "p/a/x", "p/b/x"}),
            (Strings{"a/x", "p/a/x", "p/b/x"}));
}

TEST_F(InputNames, CompressionsOfOneFile) {
  for (const char* name : {"d/x", "d/x.gz", "d/x.zst", "e/x.gz"}) Write(name);
  EXPECT_EQ(NamesOf({"d/x.gz", "d/x"}), (Strings{"x.gz", "x"}));
  EXPECT_EQ(NamesOf({"d/x.gz", "d/x.zst"}), (Strings{"x.gz", "x.zst"}));
  EXPECT_EQ(NamesOf({"d/x", "e/x.gz"}), (Strings{"d/x", "e/x"}));
  EXPECT_EQ(NamesOf({"d/x", "d/x.gz", "e/x.gz"}),
            (Strings{"d/x", "d/x.gz", "e/x"}));
  EXPECT_EQ(NamesOf({"d"}), (Strings{"d/x", "d/x.gz", "d/x.zst"}));
}

TEST_F(InputNames, TheSameFileAgainIsNumbered) {
  for (const char* name : {"d/x", "e/x", "x#2"}) Write(name);
  fs::create_directory_symlink(dir_ / "d", dir_ / "link");
  fs::create_symlink("../d/x", dir_ / "e/y");
  EXPECT_EQ(NamesOf({"d/x", "d/../d/x", "link/x", "d/x"}),
            (Strings{"x", "x#2", "x#3", "x#4"}));
  EXPECT_EQ(NamesOf({"d/x", "d/x", "x#2"}), (Strings{"x", "x#3", "x#2"}));
  EXPECT_EQ(NamesOf({"d/x", "e/x", "d/x"}), (Strings{"d/x", "e/x", "d/x#2"}));
  EXPECT_EQ(NamesOf({"d/x", "e/y"}), (Strings{"x", "y"}));
  EXPECT_EQ(NamesOf({"-", "-"}), (Strings{"-", "-#2"}));
}

TEST_F(InputNames, EachSideByItself) {
  for (const char* name : {"a/x", "b/x", "c/x"}) Write(name);
  ListingOptions how;
  how.first_side = 1;
  EXPECT_EQ(NamesOf({"a/x", "b/x", "c/x"}, how), (Strings{"x", "b/x", "c/x"}));
  how.first_side = 2;
  EXPECT_EQ(NamesOf({"a/x", "b/x", "c/x"}, how), (Strings{"a/x", "b/x", "x"}));
}

TEST_F(InputNames, NamesOfBefore) {
  for (const char* name : {"a/x", "b/x", "c/x", "c/y"}) Write(name);
  auto list = ListInputs({dir_ / "a/x"});
  const auto more = ListInputs({dir_ / "b/x", dir_ / "c/x", dir_ / "c/y"});
  ASSERT_TRUE(list && more);
  InputFile odd = (*list)[0];
  odd.source = "x#7";  // as a list of before may have it
  list->Add(odd);
  for (const InputFile& file : *more) list->Add(file);
  NameApart(0, 2, list->size(), &*list);
  const auto third = ListInputs({dir_ / "b/x"});
  ASSERT_TRUE(third);
  const size_t frozen = list->size();
  list->Add((*third)[0]);
  NameApart(0, frozen, list->size(), &*list);
  Strings names;
  for (const InputFile& file : *list) names.push_back(file.source);
  EXPECT_EQ(
      names,
      (Strings{"x", "x#7", "b/x", "c/x", "y",
               NameText(fs::path(dir_.path()).filename().string()) + "/b/x"}));
}

// Names differ, end the path, do not depend on the order of the inputs, and are
// the usual ones wherever these are nobody else's.
TEST_F(InputNames, AnyInputs) {
  SplitMix64 random(5);
  Strings all;
  for (const char* a : {"p", "q"})
    for (const char* b : {"", "/p", "/q", "/q/p"})
      for (const char* name : {"/x", "/x.gz", "/y", "/x.gz.xz"}) {
        all.push_back(std::string(a) + b + name);
        Write(all.back());
      }
  for (int round = 0; round < 200; ++round) {
    Strings some;
    for (const std::string& path : all)
      if (random.Below(3) == 0) some.push_back(path);
    const Strings names = NamesOf(some);
    ASSERT_EQ(names.size(), some.size());
    EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
    std::map<std::string, int> usual;
    const auto usual_of = [](const std::string& path) {
      const std::string name = fs::path(path).filename();
      return name.substr(0, name.rfind('.'));
    };
    for (const std::string& path : some) ++usual[usual_of(path)];
    std::map<std::string, std::string> by_path;
    for (size_t i = 0; i < some.size(); ++i) {
      by_path[some[i]] = names[i];
      const std::string path = dir_ / some[i];
      EXPECT_TRUE(path.ends_with(names[i]) ||
                  path.substr(0, path.rfind('.')).ends_with(names[i]))
          << path << " " << names[i];
      if (usual[usual_of(some[i])] == 1) {
        EXPECT_EQ(names[i], usual_of(some[i]));
      }
    }
    for (size_t i = some.size(); i > 1; --i)
      std::swap(some[i - 1], some[random.Below(i)]);
    const Strings again = NamesOf(some);
    for (size_t i = 0; i < some.size(); ++i)
      EXPECT_EQ(again[i], by_path[some[i]]);
  }
}

}  // namespace
}  // namespace twinset::inline v1
