#include "drawers.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "cli/generate.h"
#include "cli/parse.h"

namespace twinset::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// What everybody needs fits on a screen, and the rest is one flag away.
TEST(Drawers, BriefHelpIsAtMostFortyLines) {
  for (const Command& command : Commands()) {
    SCOPED_TRACE(command.name);
    const std::string text = CommandText(command, false);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 40);
    EXPECT_THAT(text,
                HasSubstr(fmt::format("twinset {} --help", command.name)));
    const size_t last = text.rfind('\n', text.size() - 2) + 1;
    EXPECT_THAT(text.substr(last), HasSubstr("--help"));
    const auto flags = FlagsOf(command.bit);
    const auto is_flag = [&](std::string_view name) {
      return std::any_of(flags.begin(), flags.end(),
                         [&](const Flag* flag) { return flag->name == name; });
    };
    for (const std::string_view name : EverydayFlags(command.bit)) {
      EXPECT_TRUE(is_flag(name)) << name;
      EXPECT_THAT(text, HasSubstr(std::string(name)));
    }
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), 100u) << line;
  }
}

TEST(Drawers, FullHelpHasEachFlagOnceInItsDrawer) {
  for (const Command& command : Commands()) {
    SCOPED_TRACE(command.name);
    std::vector<std::string_view> names, titles;
    for (const FlagSection& section : FlagSections(command)) {
      titles.push_back(section.title);
      for (const Flag* flag : section.flags) names.push_back(flag->name);
    }
    std::vector<std::string_view> all;
    for (const Flag* flag : FlagsOf(command.bit)) all.push_back(flag->name);
    EXPECT_THAT(names, ::testing::UnorderedElementsAreArray(all));
    if (!EverydayFlags(command.bit).empty()) {
      EXPECT_EQ(titles.front(), "Everyday");
    }
    EXPECT_EQ(titles.back(), "General");
  }
  const auto dedup = FlagSections(*FindCommand("dedup"));
  EXPECT_EQ(dedup[dedup.size() - 2].title, "Laboratory");
}

// The text of a flag says nothing that is of other commands: their names before
// a colon, files that they alone write, flags that this one does not have.
TEST(Drawers, TextsFitTheirCommand) {
  const std::map<std::string, CommandBits> files = {
      {"summary.json", kDedupBit | kMatchBit | kRecutBit | kSampleBit |
                           kWalkBit | kTrapsBit | kEstimateBit | kRunsBit |
                           kUrlsBit | kMirrorsBit | kLeakBit | kChangeBit |
                           kAssessBit | kPredictBit | kPatchBit | kSeedsBit},
      {"mismatches.jsonl", kPatchBit},
      {"report.html", kDedupBit | kMatchBit | kRecutBit | kSampleBit |
                          kWalkBit | kTrapsBit | kEstimateBit | kUrlsBit |
                          kMirrorsBit | kLeakBit | kStudyBit | kChangeBit |
                          kAssessBit | kPredictBit | kSeedsBit},
      {"study.json", kStudyBit},
      {"tlds.csv", kUrlsBit},
      {"degrees.jsonl", kMirrorsBit},
      {"leaks.jsonl", kLeakBit},
      {"truth.jsonl", kAssessBit},
      {"rules.jsonl", kPredictBit},
      {"predictions.jsonl", kPredictBit},
      {"seeds.jsonl", kSeedsBit},
      {"left-out.jsonl", kSeedsBit},
      {"overlap.csv", kSeedsBit},
      {"clusters", kDedupBit | kRecutBit},
      {"evaluation.json", kEvaluateBit},
      {"evaluation.csv", kEvaluateBit},
      {"evaluation.html", kEvaluateBit},
      {"sample.jsonl", kSampleBit | kWalkBit},
      {"overlaps.csv", kSampleBit},
      {"traps.jsonl", kTrapsBit},
      {"units.jsonl", kDedupBit},
      {"cuts.jsonl", kDedupBit},
      {"passages.jsonl", kMatchBit},
      {"best.jsonl", kMatchBit},
      {"engine.json", kEngineBit}};
  for (const Command& command : Commands()) {
    const auto flags = FlagsOf(command.bit);
    for (const Flag* flag : flags) {
      const std::string text = fmt::format("{}. {} ({})", flag->help,
                                           flag->long_help, flag->default_text);
      SCOPED_TRACE(fmt::format("{} {}: {}", command.name, flag->name, text));
      for (const auto& [file, commands] : files) {
        if ((commands & command.bit) == 0) {
          EXPECT_THAT(text, Not(HasSubstr(file)));
        }
      }
      for (const Command& other : Commands()) {
        if (other.bit == command.bit) continue;
        // "text:" and "content ... text:" are values of flags too.
        if (std::find(flag->choices.begin(), flag->choices.end(), other.name) !=
                flag->choices.end() ||
            other.name == "text")
          continue;
        for (const char* before : {"", "Of ", "of "}) {
          EXPECT_THAT(
              " " + text,
              Not(HasSubstr(fmt::format(" {}{}:", before, other.name))));
        }
      }
      for (size_t at = text.find("--"); at != std::string::npos;
           at = text.find("--", at + 2)) {
        const size_t end = text.find_first_not_of(
            "abcdefghijklmnopqrstuvwxyz0123456789-", at + 2);
        const std::string name = text.substr(at, end - at);
        const bool own =
            std::any_of(flags.begin(), flags.end(),
                        [&](const Flag* one) { return one->name == name; });
        // Of a command that stands in quotes before it.
        const size_t quote = text.rfind("'twinset ", at);
        const bool quoted =
            quote != std::string::npos && text.find('\'', quote + 1) > at;
        EXPECT_TRUE(own || quoted || name.back() == '-') << name;
      }
    }
  }
}

// Flags that most commands have: a command has them, or says why it does not.
TEST(Drawers, CommonFlagsAreAcceptedOrRefusedWithAReason) {
  for (const Command& command : Commands()) {
    for (const char* name :
         {"--threads", "--memory", "--seed", "--tmp", "--quiet", "--json",
          "--overwrite", "--resume", "--strict", "--format", "--out"}) {
      SCOPED_TRACE(fmt::format("{} {}", command.name, name));
      const auto flags = FlagsOf(command.bit);
      const bool has =
          std::any_of(flags.begin(), flags.end(),
                      [&](const Flag* flag) { return flag->name == name; });
      EXPECT_NE(has, !RefusalReason(name, command.bit).empty());
      if (has) continue;
      const auto request = Parse(command, {name});
      ASSERT_FALSE(request);
      EXPECT_THAT(request.error().message,
                  HasSubstr(fmt::format("does not take {}: ", name)));
    }
    EXPECT_TRUE(RefusalReason("--quiet", command.bit).empty());
  }
}

}  // namespace
}  // namespace twinset::cli
