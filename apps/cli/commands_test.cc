#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "cli/generate.h"
#include "cli/parse.h"
#include "cli/wings.h"

namespace twinset::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// What everybody needs fits on a screen, and the rest is one flag away.
TEST(Help, BriefHelpIsAtMostFortyLines) {
  for (const Command& command : Commands()) {
    SCOPED_TRACE(command.name);
    const std::string text = CommandText(command, false);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 40);
    EXPECT_THAT(text,
                HasSubstr(fmt::format("twinset {} --help", command.name)));
    const size_t last = text.rfind('\n', text.size() - 2) + 1;
    EXPECT_THAT(text.substr(last), HasSubstr("--help"));
    for (const std::string_view name : command.everyday) {
      EXPECT_NE(FindFlag(command, name), nullptr) << name;
      EXPECT_THAT(text, HasSubstr(std::string(name)));
    }
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), 100u) << line;
  }
}

TEST(Help, FullHelpHasEachFlagOnceInItsDrawer) {
  for (const Command& command : Commands()) {
    SCOPED_TRACE(command.name);
    std::vector<std::string_view> names, titles;
    for (const FlagSection& section : FlagSections(command)) {
      titles.push_back(section.title);
      for (const Flag* flag : section.flags) names.push_back(flag->name);
    }
    std::vector<std::string_view> all;
    for (const Flag* flag : FlagsOf(command)) all.push_back(flag->name);
    EXPECT_THAT(names, ::testing::UnorderedElementsAreArray(all));
    if (!command.everyday.empty()) {
      EXPECT_EQ(titles.front(), "Everyday");
    }
    EXPECT_EQ(titles.back(), "General");
  }
  const auto dedup = FlagSections(*FindCommand("dedup"));
  EXPECT_EQ(dedup[dedup.size() - 2].title, "Laboratory");
}

// The text of a flag says nothing that is of other commands: their names before
// a colon, files that they alone write, flags that this one does not have.
TEST(Help, TextsFitTheirCommand) {
  const std::map<std::string, std::set<std::string_view>> files = {
      {"summary.json",
       {"dedup", "match", "merge", "recut", "sample", "walk", "traps",
        "estimate", "runs", "urls", "mirrors", "leak", "change", "assess",
        "predict", "patch", "seeds"}},
      {"mismatches.jsonl", {"patch"}},
      {"report.html",
       {"dedup", "match", "merge", "recut", "sample", "walk", "traps",
        "estimate", "urls", "mirrors", "leak", "study", "change", "assess",
        "predict", "seeds"}},
      {"study.json", {"study"}},
      {"tlds.csv", {"urls"}},
      {"degrees.jsonl", {"mirrors"}},
      {"leaks.jsonl", {"leak"}},
      {"truth.jsonl", {"assess"}},
      {"rules.jsonl", {"predict"}},
      {"predictions.jsonl", {"predict"}},
      {"seeds.jsonl", {"seeds"}},
      {"left-out.jsonl", {"seeds"}},
      {"overlap.csv", {"seeds"}},
      {"clusters", {"dedup", "recut"}},
      {"evaluation.json", {"evaluate"}},
      {"evaluation.csv", {"evaluate"}},
      {"evaluation.html", {"evaluate"}},
      {"sample.jsonl", {"sample", "walk"}},
      {"overlaps.csv", {"sample"}},
      {"traps.jsonl", {"traps"}},
      {"units.jsonl", {"dedup"}},
      {"cuts.jsonl", {"dedup"}},
      {"passages.jsonl", {"match"}},
      {"best.jsonl", {"match"}},
      {"engine.json", {"engine"}}};
  for (const Command& command : Commands()) {
    const auto flags = FlagsOf(command);
    for (const Flag* flag : flags) {
      const std::string text = fmt::format("{}. {} ({})", flag->help,
                                           flag->long_help, flag->default_text);
      SCOPED_TRACE(fmt::format("{} {}: {}", command.name, flag->name, text));
      for (const auto& [file, commands] : files) {
        if (!commands.contains(command.name)) {
          EXPECT_THAT(text, Not(HasSubstr(file)));
        }
      }
      for (const Command& other : Commands()) {
        if (other.name == command.name) continue;
        // "text:" and "content ... text:" are values of flags too, and a
        // command may have an action of that name.
        if (std::find(flag->choices.begin(), flag->choices.end(), other.name) !=
                flag->choices.end() ||
            other.name == "text" ||
            command.operands.find(other.name) != std::string_view::npos)
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
        // The flag may be that of a command that stands in quotes before it.
        const size_t quote = text.rfind("'twinset ", at);
        const bool quoted =
            quote != std::string::npos && text.find('\'', quote + 1) > at;
        EXPECT_TRUE(own || quoted || name.back() == '-') << name;
      }
    }
  }
}

// Flags that most commands have: a command has them, or says why it does not.
TEST(Help, CommonFlagsAreAcceptedOrRefusedWithAReason) {
  for (const Command& command : Commands()) {
    for (const char* name :
         {"--threads", "--memory", "--seed", "--tmp", "--quiet", "--json",
          "--overwrite", "--resume", "--strict", "--format", "--out"}) {
      SCOPED_TRACE(fmt::format("{} {}", command.name, name));
      const bool has = FindFlag(command, name) != nullptr;
      EXPECT_NE(has, FindRefusal(command, name) != nullptr);
      if (has) continue;
      const auto request = Parse(command, {name});
      ASSERT_FALSE(request);
      EXPECT_THAT(request.error().message,
                  HasSubstr(fmt::format("does not take {}: ", name)));
    }
    EXPECT_EQ(FindRefusal(command, "--quiet"), nullptr);
  }
}

// The core knows the commands of a wing by the files of the wing's folder.
TEST(WingsTest, ListTheCommandsOfTheirFolders) {
  const std::filesystem::path folder =
      std::filesystem::path(TWINSET_SOURCE_DIR) / "apps/cli/commands";
  for (const WingProgram& wing : Wings()) {
    SCOPED_TRACE(wing.program);
    const std::string name(wing.program.substr(sizeof("twinset")));
    std::set<std::string> in_folder, listed;
    for (const auto& file : std::filesystem::directory_iterator(folder / name))
      if (FindCommand(file.path().stem().string()) != nullptr)
        in_folder.insert(file.path().stem().string());
    for (const std::string_view command : wing.commands) {
      listed.emplace(command);
      EXPECT_EQ(WingOf(command), &wing) << command;
    }
    EXPECT_EQ(listed, in_folder);
  }
  for (const Command& command : Commands()) {
    const bool is_core =
        std::filesystem::exists(folder / (std::string(command.name) + ".cc"));
    EXPECT_EQ(WingOf(command.name) == nullptr, is_core) << command.name;
  }
  EXPECT_EQ(WingOf("no-command"), nullptr);
}

}  // namespace
}  // namespace twinset::cli
