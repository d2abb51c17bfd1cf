#include "flags.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "cli/commands.h"
#include "cli/generate.h"
#include "cli/parse.h"
#include "twinset/json.h"
#include "twinset/methods.h"

namespace twinset::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// How many fields an aggregate has.
struct AnyValue {
  template <class T>
  operator T() const;  // NOLINT: never called
};
template <class T, class... Values>
constexpr size_t FieldsOf() {
  if constexpr (requires { T{Values{}..., AnyValue{}}; }) {
    return FieldsOf<T, Values..., AnyValue>();
  } else {
    return sizeof...(Values);
  }
}

// All that the flags can change, as text, by field. The bindings name every
// field of the structs but MethodOptions, whose fields are all parameters: a
// new field does not compile until it is listed here and has a flag.
std::vector<std::pair<std::string, std::string>> Fields(
    const FlagOptions& options) {
  std::vector<std::pair<std::string, std::string>> all;
  const auto add = [&all](const std::string& name, const auto& value) {
    if constexpr (requires { value.has_value(); }) {
      all.emplace_back(name, value ? Json(*value).dump() : "");
    } else {
      all.emplace_back(name, Json(value).dump());
    }
  };
  const auto& [keep, prefer] = static_cast<const PriorityOptions&>(options);
  const auto& [within, across, window] =
      static_cast<const ScopeOptions&>(options);
  const auto& [fields, ignore, near, kinds, stats_by] =
      static_cast<const CorpusOptions&>(options);
  const auto& [unit, unit_action, min_tokens, empty_rows, min_copies,
               unit_window] = static_cast<const UnitOptions&>(options);
  // The bases, and the members that are named from here on.
  EXPECT_EQ(FieldsOf<FlagOptions>(), 5u);
  EXPECT_EQ(FieldsOf<JobOptions>(), 7u);
  EXPECT_EQ(FieldsOf<RunOptions>(), 1u + 10u + 1u);  // names_empty_inputs: none
  EXPECT_EQ(FieldsOf<ParameterValues>(), 3u + 1u);
  EXPECT_EQ(FieldsOf<ComparisonOptions>(), 3u);
  EXPECT_EQ(FieldsOf<ClusterOptions>(), 1u + 4u);
  const auto& input = options.input;
  const auto& features = options.features;
  const auto& resources = options.resources;
  {
    const auto& [format, id_field, text_field, html_field, features_field,
                 url_field, date_field, statuses, mimes, max_document_bytes,
                 max_field_bytes, max_ratio, max_window_bytes, revisions,
                 quoting] = static_cast<const RecordOptions&>(input);
    EXPECT_EQ(FieldsOf<InputOptions>(), 1u + 7u);
    add("format", format), add("preset", input.preset),
        add("id_field", id_field);
    add("text_field", text_field), add("html_field", html_field),
        add("features_field", features_field), add("url_field", url_field);
    add("date_field", date_field), add("statuses", statuses),
        add("mimes", mimes), add("languages", input.languages),
        add("page_kinds", input.page_kinds), add("networks", input.networks);
    add("max_document_bytes", max_document_bytes);
    add("max_field_bytes", max_field_bytes), add("max_ratio", max_ratio);
    add("max_window_bytes", max_window_bytes);
    add("truncated", input.truncated), add("revisions", revisions);
    add("digest", input.digest), add("quoting", quoting);
    EXPECT_TRUE(input.inputs.empty());  // the operands, not a flag
  }
  {
    const auto& [tokens, stop_words, stem, shingle, content, template_blocks,
                 site] = features;
    add("stop_words", stop_words), add("stem", stem);
    add("tokens", tokens), add("shingle", shingle), add("content", content),
        add("template_blocks", template_blocks), add("site", site);
  }
  {
    const auto& [threads, memory_bytes, tmp, late_features, simd, key,
                 key_bytes] = resources;
    add("threads", threads), add("memory_bytes", memory_bytes), add("tmp", tmp),
        add("late_features", late_features);
    add("simd", simd), add("key", key);
    EXPECT_FALSE(key_bytes.has_value());  // no flag: a command line is read
  }
  {
    size_t count = 1;  // MethodOptions::given: which of the others were set
    for (const Parameter& parameter : Parameters()) {
      if (parameter.group != ParameterGroup::kSearch &&
          parameter.group != ParameterGroup::kMethod)
        continue;
      add(std::string(parameter.name), ParameterText(parameter, options));
      count += std::holds_alternative<SwitchLevels>(parameter.field) ? 2 : 1;
    }
    EXPECT_EQ(count, FieldsOf<MethodOptions>());
  }
  add("out", options.out), add("keep", keep), add("prefer", prefer),
      add("fields", fields), add("cluster", options.cluster);
  add("pairs", options.pairs), add("within", within), add("across", across),
      add("window", window);
  add("unit", options.cuts_units ? ChoiceName(unit) : ""),
      add("unit_action", unit_action), add("min_tokens", min_tokens),
      add("empty_rows", empty_rows), add("min_copies", min_copies),
      add("unit_window", unit_window);
  add("ignore", ignore), add("max_df", options.max_df),
      add("action", options.action), add("write", options.write),
      add("max_loss", options.max_loss);
  add("near", near), add("kinds", kinds), add("stats_by", stats_by),
      add("output_format", options.output_format),
      add("report", options.report), add("overwrite", options.overwrite);
  add("resume", options.resume), add("strict", options.strict),
      add("save", options.save), add("add", options.add),
      add("reconsider", options.reconsider);
  add("attributes", options.attributes), add("limit", options.limit);
  add("compression_level", options.compression_level);
  EXPECT_FALSE(options.on_progress);  // the run's own
  EXPECT_FALSE(options.on_notice);
  EXPECT_EQ(options.notice_seconds, RunOptions().notice_seconds);
  EXPECT_EQ(options.checkpoint_seconds, RunOptions().checkpoint_seconds);
  EXPECT_EQ(options.stop, nullptr);
  return all;
}

// A value other than the default that the flag accepts.
std::string OtherValue(const Flag& flag) {
  if (flag.kind == ValueKind::kChoice)
    return std::string(*std::find_if(
        flag.choices.begin(), flag.choices.end(),
        [&](auto choice) { return choice != flag.default_text; }));
  for (const char* value : {"0.5", "404", "7", "jsonl", "0/2"}) {
    Request request;
    if (flag.set({value}, &request)) return value;
  }
  return "";
}

// Calls the function with each command and each of its flags.
template <typename Function>
void ForEachFlag(const Function& function) {
  for (const Command& command : Commands()) {
    for (const Flag* flag : FlagsOf(command)) {
      SCOPED_TRACE(fmt::format("{} {}", command.name, flag->name));
      function(command, *flag);
    }
  }
}

TEST(FlagTable, NamesAreUniqueAndWellFormed) {
  // Within one command: two commands may mean different things by a name.
  std::set<std::pair<std::string_view, std::string_view>> names;
  std::set<std::pair<std::string_view, char>> short_names;
  ForEachFlag([&](const Command& command, const Flag& flag) {
    ASSERT_TRUE(flag.name.size() > 2 && flag.name.substr(0, 2) == "--");
    EXPECT_TRUE(flag.name[2] >= 'a' && flag.name[2] <= 'z');
    for (const char c : flag.name.substr(2)) {
      EXPECT_TRUE((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')
          << c;
    }
    EXPECT_TRUE(names.insert({command.name, flag.name}).second);
    if (flag.short_name != 0) {
      EXPECT_TRUE(short_names.insert({command.name, flag.short_name}).second);
    }
  });
}

TEST(FlagTable, TextsAreWellFormed) {
  ForEachFlag([](const Command&, const Flag& flag) {
    ASSERT_FALSE(flag.help.empty());
    EXPECT_LE(flag.help.size(), 80u);
    EXPECT_THAT(std::string(flag.help), Not(HasSubstr("\n")));
    const bool dots =
        flag.help.size() > 3 && flag.help.substr(flag.help.size() - 3) == "...";
    EXPECT_TRUE(flag.help.back() != '.' || dots);
    EXPECT_TRUE(flag.long_help.empty() || flag.long_help.back() == '.');
    EXPECT_EQ(flag.IsSwitch(), flag.kind == ValueKind::kNone);
    EXPECT_TRUE(flag.kind != ValueKind::kChoice || !flag.choices.empty());
    EXPECT_TRUE(!flag.IsSwitch() || flag.default_text.empty());
    const bool in_words =
        !flag.default_text.empty() && flag.default_text.front() == '(';
    EXPECT_TRUE(!in_words || flag.default_text.back() == ')');
    EXPECT_TRUE(flag.set);
  });
}

// What a command names of others is there: a name that is misspelt would take a
// flag away in silence.
TEST(FlagTable, NamesOfSharedFlagsAndParametersAreKnown) {
  const auto is_shared = [](std::string_view name) {
    return std::any_of(SharedFlags().begin(), SharedFlags().end(),
                       [&](const Flag& flag) { return flag.name == name; });
  };
  std::set<std::string_view> taken = {"--quiet", "--help"};
  for (const Command& command : Commands()) {
    SCOPED_TRACE(command.name);
    for (const std::string_view name : command.shared) {
      EXPECT_TRUE(is_shared(name)) << name;
      taken.insert(name);
    }
    for (const auto* names :
         {&command.parameters.also, &command.parameters.but})
      for (const std::string_view name : *names)
        EXPECT_NE(FindParameter(name), nullptr) << name;
    for (const FlagText& text : command.texts)
      EXPECT_NE(FindFlag(command, text.name), nullptr) << text.name;
  }
  for (const Flag& flag : SharedFlags())
    EXPECT_TRUE(taken.contains(flag.name)) << flag.name;
}

TEST(FlagTable, EveryCommandHasHelpAndANameOfItsOwn) {
  std::set<std::string_view> names;
  std::set<int> places;
  for (const Command& command : Commands()) {
    EXPECT_TRUE(names.insert(command.name).second) << command.name;
    EXPECT_FALSE(command.help.empty());
    EXPECT_NE(command.run, nullptr);
    if (command.front_page > 0) {
      EXPECT_TRUE(places.insert(command.front_page).second) << command.name;
    }
  }
  EXPECT_GE(names.size(), 35u);
  EXPECT_EQ(places.size(), 9u);
}

// The defaults that help shows are those of the library.
TEST(FlagTable, LiteralDefaultsChangeNothing) {
  const auto untouched = Fields(FlagOptions());
  ForEachFlag([&](const Command&, const Flag& flag) {
    // The method that is taken when none is named is the command's.
    if (flag.default_text.empty() || flag.default_text.front() == '(' ||
        flag.name == "--method")
      return;
    Request request;
    const Status status =
        SetFlag(flag, {std::string(flag.default_text)}, &request);
    ASSERT_TRUE(status) << status.error().ToString();
    EXPECT_EQ(Fields(request.options), untouched);
  });
}

TEST(FlagTable, EveryFieldOfTheOptionsHasExactlyOneFlag) {
  const auto untouched = Fields(FlagOptions());
  std::map<std::string, std::string> flag_of;
  for (const Flag* one : FlagsOf(*FindCommand("dedup"))) {
    const Flag& flag = *one;
    SCOPED_TRACE(flag.name);
    Request request;
    const Status status =
        SetFlag(flag, {flag.IsSwitch() ? "true" : OtherValue(flag)}, &request);
    ASSERT_TRUE(status) << status.error().ToString();
    const auto changed = Fields(request.options);
    int changes = 0;
    for (size_t i = 0; i < changed.size(); ++i) {
      if (changed[i] == untouched[i]) continue;
      ++changes;
      EXPECT_TRUE(flag_of.emplace(changed[i].first, flag.name).second)
          << changed[i].first << " is also set by "
          << flag_of[changed[i].first];
    }
    // What the program makes of it is no option of a run.
    const std::set<std::string_view> of_the_program = {
        "--json", "--quiet",      "--help",   "--progress", "--shard",
        "--null", "--files-from", "--config", "--dry-run",  "--documents"};
    EXPECT_EQ(changes, of_the_program.contains(flag.name) ? 0 : 1);
  }
  // Only a match has a side that asks.
  const std::set<std::string> of_match = {"asked-chunks"};
  for (const auto& [name, value] : untouched)
    EXPECT_NE(flag_of.contains(name), of_match.contains(name)) << name;
  for (const std::string& name : of_match)
    EXPECT_NE(FindFlag(*FindCommand("match"), "--" + name), nullptr) << name;
}

TEST(Generated, HelpManMarkdownAndCompletionsNameEveryFlag) {
  const std::string man = ManPage(), index = MarkdownIndex();
  std::map<std::string, std::string> completions;
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const auto text = Completions(shell);
    ASSERT_TRUE(text);
    completions[shell] = *text;
  }
  for (const Command& command : Commands()) {
    const std::string full = CommandText(command, true),
                      page = MarkdownPage(command);
    EXPECT_THAT(OverviewText(true), HasSubstr(std::string(command.name)));
    for (const Flag* flag : FlagsOf(command)) {
      const std::string name(flag->name);
      EXPECT_THAT(full, HasSubstr(name));
      std::string escaped;
      for (const char c : name) escaped += c == '-' ? "\\-" : std::string(1, c);
      EXPECT_THAT(man, HasSubstr(escaped));
      if (name != "--help") {
        // In full on its own page, or named there and told on that of all.
        std::string row = "| `";
        for (const char c : FlagHead(*flag))
          row += c == '|' ? "\\|" : std::string(1, c);
        row += "` |";
        EXPECT_THAT(page + index, Not(HasSubstr("{}")));
        EXPECT_THAT(page, HasSubstr(name));
        EXPECT_TRUE(page.find(row) != page.npos ||
                    index.find(row) != page.npos);
      }
      for (const auto& [shell, text] : completions)
        EXPECT_THAT(
            text, HasSubstr(shell == "fish" ? " -l " + name.substr(2) : name));
    }
  }
  EXPECT_FALSE(Completions("tcsh"));
}

TEST(Generated, GeneratorsAreHiddenFromTheShortOverview) {
  EXPECT_THAT(OverviewText(false), Not(HasSubstr("completions")));
  EXPECT_THAT(OverviewText(false), HasSubstr("Studies"));
}

TEST(Generated, HelpFitsEightyColumns) {
  for (const Command& command : Commands()) {
    std::istringstream text(CommandText(command, true) + OverviewText(true));
    for (std::string line; std::getline(text, line);) {
      const bool command_line = line.find("  twinset ") == 0;
      const bool one_word =
          line.find_last_of(' ') == line.find_first_not_of(' ') - 1;
      const bool unbreakable = line.find("[default: ") != std::string::npos;
      EXPECT_TRUE(line.size() <= 80 || command_line || one_word || unbreakable)
          << line;
    }
  }
}

std::string FileText(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path << " is missing";
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

TEST(Generated, DocsAreWhatTheProgramPrints) {
  const std::string folder = TWINSET_SOURCE_DIR "/docs/cli/";
  constexpr const char* kRemedy =
      "regenerate them: tools/make_cli_pages build/twinset";
  EXPECT_TRUE(FileText(folder + "README.md") == MarkdownIndex()) << kRemedy;
  for (const Command& command : Commands()) {
    EXPECT_TRUE(FileText(fmt::format("{}{}.md", folder, command.name)) ==
                MarkdownPage(command))
        << command.name << ": " << kRemedy;
  }
}

Result<Request> ParseDedup(const std::vector<std::string>& words) {
  return Parse(*FindCommand("dedup"), words);
}

TEST(Parse, OperandsAndFlagsMayMix) {
  const auto request = ParseDedup(
      {"a", "--out", "d", "-", "-j2", "--threshold=0.5", "[b]", "{}"});
  ASSERT_TRUE(request) << request.error().ToString();
  EXPECT_THAT(request->operands, ::testing::ElementsAre("a", "-", "[b]", "{}"));
  EXPECT_EQ(request->options.out, "d");
  EXPECT_EQ(request->options.resources.threads, 2);
  EXPECT_EQ(request->options.method.threshold, 0.5);
}

TEST(Parse, EverythingAfterTheMarkIsAnOperand) {
  const auto request =
      ParseDedup({"--out", "d", "--", "--overwrite", "-x", "--help"});
  ASSERT_TRUE(request) << request.error().ToString();
  EXPECT_THAT(request->operands,
              ::testing::ElementsAre("--overwrite", "-x", "--help"));
  EXPECT_FALSE(request->options.overwrite);
}

TEST(Parse, ListsReplaceTheDefaultAndAddUp) {
  const auto request =
      ParseDedup({"--keep", "first,newest", "--keep", "https",
                  "--status=200, 203", "--ignore", "a,b", "--ignore", "c"});
  ASSERT_TRUE(request) << request.error().ToString();
  EXPECT_THAT(request->options.keep,
              ::testing::ElementsAre("first", "newest", "https"));
  EXPECT_THAT(request->options.input.statuses,
              ::testing::ElementsAre(200, 203));
  EXPECT_THAT(request->options.ignore, ::testing::ElementsAre("a,b", "c"));
}

TEST(Parse, TheLastSingleValueCounts) {
  const auto request =
      ParseDedup({"--seed", "1", "--seed", "2", "--json", "--json"});
  ASSERT_TRUE(request) << request.error().ToString();
  EXPECT_EQ(request->options.method.seed, 2u);
  EXPECT_TRUE(request->json);
}

TEST(Parse, ValuesKeepBracketsAndBraces) {
  const auto request = ParseDedup({"--out", "[a,b]", "--tmp", "{}"});
  ASSERT_TRUE(request) << request.error().ToString();
  EXPECT_EQ(request->options.out, "[a,b]");
  EXPECT_EQ(request->options.resources.tmp, "{}");
}

TEST(Parse, RefusesWithARemedy) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--treshold", "0.5"}, "did you mean '--threshold'?"},
      {{"--thresh=0.5"}, "use --threshold"},
      {{"--show-tokens"}, "it is a flag of text"},
      {{"--text_field", "x"}, "use --text-field"},
      {{"--out"}, "--out needs a value"},
      {{"--out", "--json"}, "--out needs a value"},
      {{"--out="}, "--out needs a value"},
      {{"--out", ""}, "--out needs a value"},
      {{"--json=false"}, "--json takes no value"},
      {{"--measure", "jacard"}, "did you mean 'jaccard'?"},
      {{"--threshold", "1.5"}, "--threshold: '1.5'"},
      {{"--threshold", "0"}, "above 0"},
      {{"--threshold", "nan"}, "is not a number"},
      {{"--threads", "2x"}, "a whole number from 0 to 4096"},
      {{"--memory", "8X"}, "is not a size"},
      {{"--keep", "first,,last"}, "between the commas"},
      {{"--status", "20"}, "from 100 to 999"},
      {{"-z"}, "unknown flag -z"},
  };
  for (const auto& [words, message] : cases) {
    const auto request = ParseDedup(words);
    ASSERT_FALSE(request) << words[0];
    EXPECT_EQ(request.error().code, ErrorCode::kUsage);
    EXPECT_THAT(request.error().ToString(), HasSubstr(message));
    EXPECT_THAT(request.error().ToString(), Not(HasSubstr("\n")));
  }
}

TEST(Parse, HelpIsShownWhateverElseIsWrong) {
  const auto request = ParseDedup({"--nonsense", "--help"});
  ASSERT_TRUE(request);
  EXPECT_TRUE(request->help_long);
}

}  // namespace
}  // namespace twinset::cli
