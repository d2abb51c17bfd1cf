// Which flags go with what a command is told to do.
#include "cli/nouns.h"

#include <gtest/gtest.h>

#include <string>

namespace twinset::cli {
namespace {

std::string RefusalOf(const std::string& command, const std::string& noun,
                      const std::string& flag) {
  Request request;
  request.operands = {noun};
  request.given = {{flag, "x"}};
  const Status status = CheckNoun(command, request);
  return status ? "" : status.error().message;
}

TEST(Nouns, FlagsGoWithThoseThatTheirHelpNames) {
  EXPECT_EQ(RefusalOf("seeds", "pick", "--size"), "");
  EXPECT_EQ(RefusalOf("seeds", "overlap", "--size"),
            "--size goes with seeds pick alone");
  EXPECT_EQ(RefusalOf("seeds", "pick", "--depth"),
            "--depth goes with seeds overlap alone");
  // Some flags go with two nouns, some with both that there are, some with any.
  EXPECT_EQ(RefusalOf("qrels", "merge", "--log"), "");
  EXPECT_EQ(RefusalOf("qrels", "check", "--log"),
            "--log goes with qrels transfer and merge alone");
  for (const char* noun : {"make", "apply"})
    EXPECT_EQ(RefusalOf("patch", noun, "--out"), "") << noun;
  for (const char* noun : {"pick", "overlap"})
    EXPECT_EQ(RefusalOf("seeds", noun, "--per-host"), "") << noun;
  EXPECT_EQ(RefusalOf("seeds", "pock", "--size"), "seeds cannot 'pock'");
}

// A help text that means to name nouns names those that there are.
TEST(Nouns, EveryFlagGoesWithAnyOrWithSome) {
  size_t bound = 0;
  for (const char* name :
       {"engine", "lexicon", "patch", "qrels", "runs", "seeds"}) {
    const Command& command = *FindCommand(name);
    for (const Flag* flag : FlagsOf(command)) {
      size_t allowed = 0;
      const auto nouns = NounsOf(command);
      for (const std::string_view noun : nouns)
        allowed +=
            RefusalOf(name, std::string(noun), std::string(flag->name)).empty();
      EXPECT_GT(allowed, 0u) << name << " " << flag->name;
      bound += allowed < nouns.size();
    }
  }
  EXPECT_GT(bound, 40u);
}

}  // namespace
}  // namespace twinset::cli
