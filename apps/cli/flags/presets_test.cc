#include "cli/presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/parse.h"
#include "twinset/methods.h"

namespace twinset::cli {
namespace {

using ::testing::HasSubstr;

Result<Request> ParseDedup(const std::vector<std::string>& words) {
  return Parse(*FindCommand("dedup"), words);
}

// What a preset may set, as text.
std::string Told(const ParameterValues& options) {
  std::string text;
  for (const Parameter& parameter : Parameters())
    text += "|" + ParameterText(parameter, options);
  return text;
}

// A preset is the flags that it lists, and each of them means something.
TEST(PresetsTest, SettingsAreFlags) {
  for (const PresetInfo& preset : Presets()) {
    SCOPED_TRACE(preset.name);
    std::vector<std::string> words;
    std::set<std::string> flags;
    for (const auto& [flag, value] : preset.settings) {
      EXPECT_TRUE(flags.insert(flag).second) << flag << " stands twice";
      words.push_back(flag);
      words.push_back(value);
    }
    const auto by_flags = ParseDedup(words);
    ASSERT_TRUE(by_flags) << by_flags.error().ToString();
    const auto by_name = ParseDedup({"--preset", preset.name});
    ASSERT_TRUE(by_name) << by_name.error().ToString();
    EXPECT_EQ(Told(by_flags->options), Told(by_name->options));
    EXPECT_EQ(by_name->options.input.preset, std::nullopt);
    ParameterValues applied;
    ASSERT_TRUE(ApplyPreset(preset.name, &applied));
    EXPECT_EQ(Told(applied), Told(by_name->options));
  }
}

TEST(PresetsTest, NamesAreUniqueAndTextsSayWhatIsEqual) {
  std::set<std::string> names;
  for (const PresetInfo& preset : Presets()) {
    SCOPED_TRACE(preset.name);
    EXPECT_TRUE(names.insert(preset.name).second);
    for (const std::string* text :
         {&preset.summary, &preset.source, &preset.equal, &preset.differs}) {
      ASSERT_FALSE(text->empty());
      EXPECT_NE(text->back(), '.');
    }
    EXPECT_FALSE(preset.settings.empty());
  }
}

TEST(PresetsTest, ThePageHasEveryPresetWithItsSettings) {
  std::ifstream file(TWINSET_SOURCE_DIR "/docs/methods/presets.md");
  std::stringstream page;
  page << file.rdbuf();
  for (const PresetInfo& preset : Presets()) {
    std::string settings;
    for (const auto& [flag, value] : preset.settings)
      settings += (settings.empty() ? "" : " ") + flag + " " + value;
    EXPECT_THAT(page.str(),
                HasSubstr("**`" + preset.name + "`**: " + preset.summary +
                          ". *" + preset.source + "*\n\n- equal: " +
                          preset.equal + "\n- differs: " + preset.differs +
                          "\n- `" + settings + "`\n"));
  }
}

TEST(PresetsTest, GivenFlagsCountMoreWhereverTheyStand) {
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"--bands", "10", "--rows", "5", "--preset", "text-dedup"},
           {"--preset", "text-dedup", "--bands", "10", "--rows", "5"}}) {
    const auto request = ParseDedup(words);
    ASSERT_TRUE(request);
    EXPECT_EQ(request->options.method.bands, 10);
    EXPECT_EQ(request->options.method.rows, 5);
    EXPECT_EQ(request->options.method.permutations, 250);
    EXPECT_EQ(request->options.features.tokens, TokenRule::kNonwordSplit);
  }
}

TEST(PresetsTest, OneOfEachKindTogether) {
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"--preset", "clueweb22,broder97"},
           {"--preset", "broder97", "--preset", "clueweb22"}}) {
    const auto request = ParseDedup(words);
    ASSERT_TRUE(request);
    EXPECT_EQ(request->options.input.preset, FieldPreset::kClueWeb22);
    EXPECT_EQ(request->options.method.name, "mod-m");
  }
  const auto two = ParseDedup({"--preset", "broder97,manku07"});
  ASSERT_FALSE(two);
  EXPECT_THAT(two.error().message, HasSubstr("exclude each other"));
  EXPECT_FALSE(ParseDedup({"--preset", "jsonl,clueweb22"}));
}

TEST(PresetsTest, UnknownNamesGetTheWholeList) {
  const auto request = ParseDedup({"--preset", "broder98"});
  ASSERT_FALSE(request);
  EXPECT_EQ(request.error().code, ErrorCode::kUsage);
  EXPECT_THAT(request.error().remedy, HasSubstr("did you mean 'broder97'?"));
  for (const PresetInfo& preset : Presets())
    EXPECT_THAT(request.error().remedy, HasSubstr(preset.name));
  EXPECT_THAT(request.error().remedy, HasSubstr("clueweb22"));
  DedupOptions options;
  EXPECT_FALSE(ApplyPreset("broder98", &options));
}

}  // namespace
}  // namespace twinset::cli
