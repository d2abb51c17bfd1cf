// Flags of other programs, and which of ours they mean.
#include "foreign_flags.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "commands.h"

namespace twinset::cli {
namespace {

std::set<std::string_view> NamesOfAll() {
  std::set<std::string_view> names;
  for (const Command& command : Commands())
    for (const Flag* flag : FlagsOf(command)) names.insert(flag->name);
  return names;
}

TEST(ForeignFlags, AnyWritingOfAnOwnFlagMeansIt) {
  for (const std::string_view name : NamesOfAll()) {
    std::string other(name);
    for (char& c : other)
      c = c == '-' ? '_' : static_cast<char>(std::toupper(c));
    EXPECT_EQ(OwnNameOf(other, {"--zzz", name}), "use " + std::string(name));
    EXPECT_EQ(OwnNameOf(name, {name}), "use " + std::string(name));
  }
}

TEST(ForeignFlags, OthersMeanAFlagThatTheCommandHas) {
  EXPECT_EQ(OwnNameOf("--num_perm", {"--out", "--permutations"}),
            "use --permutations");
  EXPECT_EQ(OwnNameOf("--num-perm", {"--out"}), "");
  EXPECT_EQ(OwnNameOf("--Ngram", {"--shingle"}), "use --shingle");
  EXPECT_EQ(OwnNameOf("--output", {"--out"}), "use --out");
  EXPECT_EQ(OwnNameOf("--no-such-flag", {"--out"}), "");
  EXPECT_EQ(OwnNameOf("", {"--out"}), "");
  for (const char* input : {"--input", "--files", "--IN_FILE"})
    EXPECT_NE(OwnNameOf(input, {}).find("without a flag"), std::string::npos);
}

// Every word of the list leads to a flag that some command has.
TEST(ForeignFlags, WhatIsMeantExists) {
  const auto all = NamesOfAll();
  const std::vector<std::string_view> own(all.begin(), all.end());
  size_t meant = 0;
  for (const char* foreign :
       {"--outdir",      "--num-perm",  "--ngram-size",    "--jaccard",
        "--algo",        "--num-bands", "--rows-per-band", "--hash-bits",
        "--radius",      "--workers",   "--ram",           "--temp-dir",
        "--text-column", "--id-key",    "--url-key",       "--file-type",
        "--output-type", "--file-list", "--stopwords",     "--stemmer",
        "--force",       "--continue",  "--verbose",       "--silent",
        "--simulate",    "--conf",      "--max-docs",      "--random-state",
        "--query",       "--qrel",      "--metric",        "--lang"}) {
    const std::string said = OwnNameOf(foreign, own);
    ASSERT_TRUE(said.starts_with("use --")) << foreign << ": " << said;
    EXPECT_TRUE(all.contains(std::string_view(said).substr(4))) << said;
    ++meant;
  }
  EXPECT_EQ(meant, 32u);
}

}  // namespace
}  // namespace twinset::cli
